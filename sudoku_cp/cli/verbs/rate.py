"""The verb ``rate``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp import batch
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records, answer_to_file, input_records
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.typed_options import BatchOptions, option_problems, refuse_typed, with_levels_read
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.questions.answer import BAD_INPUT, NO, RAN_OUT, YES
from sudoku_cp.questions.question import Run
from sudoku_cp.questions.rate import RateQuestion

if TYPE_CHECKING:
    from sudoku_cp.logic.rating.ratings import Ratings
    from sudoku_cp.puzzle import Puzzle


def rate(
    puzzles: Puzzles,
    *,
    question: RateQuestion = RateQuestion(),
    as_json: Json = False,
    batch_options: BatchOptions = BatchOptions(),
    quiet: Quiet = False,
) -> int:
    """Rate puzzles.

    With --out, many puzzles are rated from file to file.
    """
    typed_levels, question = question.levels, with_levels_read(question)
    if batch_options.out is not None and typed_levels and is_file(typed_levels):
        refuse_inputs([batch_options.out], [typed_levels])
    refuse_typed(option_problems(question), batch_options.contradictions({"--json": as_json}))
    scales, ways, limits = question.scales(), question.ways, question.limits()
    if batch_options.out is not None:
        return rate_to_file(puzzles, batch_options, question, scales=scales, ways=ways, limits=limits, quiet=quiet)
    table = RatingTable(scales, ways=ways)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:  # noqa: ARG001  # a table in any case
        reply = question.answer(puzzle, Run(limits))
        if as_json:
            output.print_json({"index": index} | reply.to_json() | extra_fields)
        else:
            for line in table.lines(index, reply.ratings):
                output.print_text(line)
        return reply.exit_code

    return answer_records(input_records(puzzles, question), answer, as_json=as_json, quiet=quiet)


# ``rate --out``: many puzzles, rated from file to file.


_WORDS = {"ok": "rated", "multiple": "with several solutions", "none": "without solution", "unknown": "not solved in time"}


def rate_to_file(
    puzzles: Sequence[str],
    batch_options: BatchOptions,
    question: RateQuestion,
    *,
    scales: Sequence[str],
    ways: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Rate every puzzle into the file and return the exit code."""
    rate = partial(batch.rate_files, scales=scales, ways=ways, levels=question.find_levels(), limits=limits)
    summary = answer_to_file(puzzles, batch_options, question, rate, _WORDS, quiet=quiet)
    return _exit_code(summary)


def _exit_code(summary: batch.RunSummary) -> int:
    statuses = summary.counts
    if statuses["error"]:
        return BAD_INPUT
    if summary.stopped:
        return RAN_OUT
    return NO if statuses["none"] or statuses["multiple"] else YES


# Ratings as a table for people, printed line by line as they come.


_NO_SOLUTION = {"none": "no solution", "multiple": "several solutions", "unknown": "the time ran out before it was solved"}
"""Why a puzzle has no ratings."""
_NOT_FOR_THESE = "not for these rules"
_MISSING = "-"
"""What stands for a rating that is missing."""


class _Column(NamedTuple):
    """A column: its title and width, and what it says of a rating of its kind, which is an attribute of `Ratings`."""

    title: str
    width: int
    attribute: str
    text: Callable[[Any], str]


def _explainer_columns(attribute: str, program: str) -> tuple[_Column, ...]:
    """Return the columns of a program's ratings; the last names it."""
    return (
        _Column("ER", 5, attribute, lambda one: f"{one.er:.1f}"),
        _Column("EP", 5, attribute, lambda one: f"{one.ep:.1f}"),
        _Column("ED", 5, attribute, lambda one: f"{one.ed:.1f}"),
        _Column(f"hardest ({program})", -33, attribute, lambda one: one.hardest),
    )


_COLUMNS: dict[str, tuple[_Column, ...]] = {
    "words": (_Column("word", -10, "word", str),),
    "se": _explainer_columns("explainer", "Sudoku Explainer 1.2.1"),
    "sukaku": _explainer_columns("sukaku", "Sukaku Explainer 1.18.1"),
    "proof": (
        _Column("proof", 6, "profile", lambda one: f"{one.largest:g}"),
        _Column("squares", 8, "profile", lambda one: f"{one.squares:.0f}"),
        _Column("rounds", 6, "profile", lambda one: str(one.rounds)),
        _Column("hard", 5, "profile", lambda one: str(one.hard)),
    ),
    "hodoku": (
        _Column("HoDoKu 2.2", 10, "score", lambda one: str(one.score)),
        _Column("level", -8, "score", lambda one: one.level),
    ),
    "ways": (
        _Column("ways", 5, "ways", lambda one: str(one.bottleneck or _MISSING)),
        _Column("steps", 9, "ways", lambda one: f"{one.narrow} of {len(one.numbers)}"),
    ),
}
"""The columns of each scale; a negative width aligns left."""


class RatingTable:
    """Lines of a table: a header before the first, then one a puzzle."""

    def __init__(self, scales: Sequence[str], *, ways: bool) -> None:
        """Choose the columns."""
        self._columns = [column for name in (*scales, *["ways"] * ways) for column in _COLUMNS[name]]
        self._is_begun = False

    def lines(self, index: int, found: Ratings) -> Iterator[str]:
        """Yield the line of a puzzle, before the first one the header."""
        if not self._is_begun:
            yield _join("puzzle", [(column.title, column.width) for column in self._columns])
            self._is_begun = True
        if found.status != "unique":
            yield _join(str(index), [(_NO_SOLUTION[found.status], -1)])
            return
        fields = [(_field(found, column), column.width) for column in self._columns]
        reasons = _format_missing(found.missing, whole=len({column.attribute for column in self._columns}) == 1)
        yield _join(str(index), [*fields, *([(f"({reasons})", -1)] if reasons else [])])


def _format_missing(missing: Mapping[str, str], *, whole: bool) -> str:
    """Return why ratings are missing, scales with the same reason together, and ``whole`` reasons where there is one scale."""
    scales: dict[str, list[str]] = {}
    for scale, reason in missing.items():
        scales.setdefault(reason if whole or not reason.startswith("expected") else _NOT_FOR_THESE, []).append(scale)
    return "; ".join(f"{', '.join(names)}: {reason}" for reason, names in scales.items())


def _field(found: Ratings, column: _Column) -> str:
    value = getattr(found, column.attribute)
    return _MISSING if value is None else column.text(value)


def _join(first: str, fields: Sequence[tuple[str, int]]) -> str:
    texts = [text.rjust(width) if width > 0 else text.ljust(-width) for text, width in fields]
    return "  ".join([first.rjust(6), *texts]).rstrip()
