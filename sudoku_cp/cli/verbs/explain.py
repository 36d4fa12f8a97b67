"""The verb ``explain``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.answer_json.explanations import explanation_to_json
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_positions
from sudoku_cp.cli.inputs import input_records
from sudoku_cp.cli.options import Json, Puzzles, QuestionTimeout, Quiet
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.logic.explanations import explain as explain_value
from sudoku_cp.questions.exit_codes import NO, RAN_OUT, YES, worst
from sudoku_cp.questions.options import Reading

if TYPE_CHECKING:
    from sudoku_cp.formats import SolvingState
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.puzzle import Position, Puzzle

QUESTION = re.compile(r"(r\d+c\d+)=(\S)", re.IGNORECASE)
"""A cell and the sign of a value."""
UNASKED = 8
"""Lines of a proof shown by default; the rest is folded."""
_ALMOST = re.compile(r"r\d+c\d+(\w*|=.*)", re.IGNORECASE)
"""What begins as a question does: ``r5c7``, ``r5c7=10``."""


def explain(
    puzzles: Puzzles,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Tell every line of a proof, however long it is.")] = False,
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Seconds to spend looking for the smallest proof.")
    ] = 1.0,
    timeout: QuestionTimeout = 60.0,
    input_options: Reading = Reading(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Say why a cell cannot hold a value: which few facts contradict it, for any rules.

    Questions such as r5c7=4 stand after the puzzle. A value that can be there is answered by saying so: it is given, or holds
    in a solution; the exit code is then 1. It is 3 if the time ran out first.
    """
    questions = [argument for argument in puzzles if QUESTION.fullmatch(argument)]
    almost = [argument for argument in puzzles if argument not in questions and _ALMOST.fullmatch(argument)]
    if almost:
        raise InvalidInput([f"expected a question such as r5c7=4, got {argument!r}" for argument in almost])
    if not questions:
        raise InvalidInput("expected a question such as r5c7=4 after the puzzle, got none")
    sources = [argument for argument in puzzles if argument not in questions]

    def answer(index: int, position: Position, _state: SolvingState | None, extra_fields: JsonFields, *, alone: bool) -> int:
        clock = Limits(seconds=timeout).started()
        asked = [_parse_question(position.puzzle, question) for question in questions]
        found = [_explain_in_time(position, cell, value, clock.left(), patience) for cell, value in asked]
        if as_json:
            answers = [explanation_to_json(position.puzzle, *pair) for pair in zip(asked, found, strict=True)]
            output.print_json({"index": index, "answers": answers} | extra_fields)
        else:
            lines = [line for one in found for line in _lines(one, everything=everything)]
            output.print_text("\n".join(lines if alone else [f"puzzle {index}:", *lines]))
        return worst({_exit_code(one) for one in found})

    return answer_positions(input_records(sources or ["-"], input_options), answer, as_json=as_json, quiet=quiet)


def _parse_question(puzzle: Puzzle, question: str) -> tuple[Cell, int]:
    """Return the cell and the value of ``r5c7=4``; the value in the puzzle's own symbols."""
    cell, _, sign = question.partition("=")
    value = puzzle.symbols.parse(sign)
    if value is None or value not in puzzle.grid.values:
        raise InvalidInput(f"expected a value of the puzzle, got {sign!r} in {question!r}")
    return puzzle.grid.parse_cell(cell), value


def _explain_in_time(position: Position, cell: Cell, value: int, limits: Limits, patience: float) -> Explanation | LimitReached:
    try:
        return explain_value(position, cell, value, patience=patience, limits=limits)
    except LimitReached as reached:
        return reached


def _exit_code(found: Explanation | LimitReached) -> int:
    if isinstance(found, LimitReached):
        return RAN_OUT
    return NO if found.reply in {"given", "placed", "holds"} else YES


def _lines(found: Explanation | LimitReached, *, everything: bool) -> list[str]:
    if isinstance(found, LimitReached):
        return [f"unknown: {found}"]
    first, *rest = found.sentences(None if everything else UNASKED)
    return [first, *(f"  {line}" for line in rest)]
