"""The loop of the verbs that answer one puzzle after another, and the exit code of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, TypeAlias

from sudoku_cp.answer_json.fields import error_to_json, with_values
from sudoku_cp.cli import output
from sudoku_cp.cli.progress_bar import with_progress
from sudoku_cp.cli.remarks import Warnings
from sudoku_cp.errors import SudokuError, WrongAnswer
from sudoku_cp.formats import Record
from sudoku_cp.questions.exit_codes import BAD_INPUT, ENGINE_ERRED, YES, worst

JsonFields: TypeAlias = "dict[str, Any]"
"""Further JSON fields of an answer: here the reader's warnings."""


def answer_records(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    """Answer every puzzle; a record that cannot be read is reported in its place. Return the worst exit code.

    ``answer(index, puzzle, extra_fields, alone=...)`` shows one answer and returns its exit code; ``alone`` says that there is
    no other puzzle.
    """

    def answer_puzzle(index: int, record: Record, extra_fields: JsonFields, *, alone: bool) -> int:
        return answer(index, record.puzzle, extra_fields, alone=alone)

    return _answer_each(records, answer_puzzle, as_json=as_json, quiet=quiet)


def answer_positions(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    """Answer every position, as `answer_records` answers puzzles: what was placed and eliminated is part of the question."""

    def answer_position(index: int, record: Record, extra_fields: JsonFields, *, alone: bool) -> int:
        return answer(index, record.position(), record.state, extra_fields, alone=alone)

    known = (replace(record, warnings=record.position_warnings) for record in records)
    return _answer_each(known, answer_position, as_json=as_json, quiet=quiet)


def _answer_each(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    # Programs want an answer as soon as a puzzle has been read; for people a single puzzle is drawn.
    ahead = [] if as_json else list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {YES}
    warnings = Warnings(quiet=as_json or quiet)
    for index, record in enumerate(with_progress(chain(ahead, records), quiet=quiet)):
        if record.puzzle is not None:
            warnings.add_all(index, record.warnings)
            extra_fields = with_values(warnings=list(record.warnings))
            try:
                codes.add(answer(index, record, extra_fields, alone=alone))
            except WrongAnswer as error:
                codes.add(ENGINE_ERRED)
                _report_error(index, error, as_json=as_json, alone=alone)
        elif record.error is not None:
            codes.add(BAD_INPUT)
            _report_error(index, record.error, as_json=as_json, alone=alone)
    warnings.end()
    return worst(codes)


def _report_error(index: int, error: SudokuError, *, as_json: bool, alone: bool) -> None:
    """Report in the place of an answer why there is none; raise the error of a puzzle that is ``alone``."""
    if as_json:
        output.print_json({"index": index} | error_to_json(error))
    elif alone:
        raise error
    else:
        output.print_text(f"{index}\terror\t{error}")
