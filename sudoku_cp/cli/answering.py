"""What the verbs that answer puzzle after puzzle share: the walk over the records, and the exit code of an answer."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.cli import output
from sudoku_cp.cli.output import NO, RAN_OUT, YES
from sudoku_cp.cli.progress import watched
from sudoku_cp.cli.remarks import Warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.formats import Record
    from sudoku_cp.queries import Answer

Told: TypeAlias = "dict[str, Any]"
"""What is to be told beside the answer itself: the warnings of the reader."""


def answered(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    """Answer puzzle after puzzle; a record that cannot be read is told in its place, and the rest goes on.

    ``answer(index, puzzle, told, alone=...)`` shows the answer and returns its exit code; the worst comes back.
    """
    # Programs want an answer as soon as a puzzle is there; people see a puzzle drawn if it is the only one.
    ahead = [] if as_json else list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {YES}
    warnings = Warnings(quiet=as_json or quiet)
    for index, record in enumerate(watched(chain(ahead, records), quiet=quiet)):
        if record.puzzle is not None:
            warnings.add(index, record.warnings)
            told: Told = {"warnings": list(record.warnings)} if record.warnings else {}
            codes.add(answer(index, record.puzzle, told, alone=alone))
        elif record.error is not None:
            codes.add(output.BAD_INPUT)
            if as_json:
                output.say_json(output.error_told(index, record.error))
            elif alone:
                raise record.error
            else:
                output.say(f"{index}\terror\t{record.error}")
    warnings.end()
    return output.worst(codes)


def code_of(answer: Answer, *, all_fine: bool = False) -> int:
    """Return the exit code: yes for one solution (for any number of them, where that is ``all_fine``)."""
    if answer.status == "unknown":
        return RAN_OUT
    if answer.status in {"unique", "solved"} or (all_fine and answer.status == "multiple"):
        return RAN_OUT if answer.reason else YES
    return NO
