"""The verb ``fewest``: the givens that were found, drawn in the board."""

from __future__ import annotations

from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records, input_records
from sudoku_cp.cli.options import Ascii, Json, Quiet
from sudoku_cp.cli.typed_options import option_problems, read_typed_pattern, refuse_typed, spell_typed
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.puzzle import to_json
from sudoku_cp.questions.answer import BAD_INPUT, error_to_json
from sudoku_cp.questions.fewest import FewestAnswer, FewestQuestion
from sudoku_cp.questions.question import Run
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle


def fewest(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...", help="Full grids or puzzles with one solution, or files of them.", show_default=False
        ),
    ] = None,
    *,
    question: FewestQuestion = FewestQuestion(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Find the fewest givens."""
    refuse_typed(chain(option_problems(question), question.choice_problems(has_puzzle=bool(puzzles))))
    run, look = Run(question.limits()), output.look_of(ascii_only=ascii_only)
    if not puzzles:
        grid = question.board_grid()
        answer = question.search(None, _pattern_cells(question, grid), run)
        if as_json:
            output.print_json(answer.to_json())
        else:
            _print_board(answer, look, quiet=quiet)
        return answer.exit_code

    def show(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        cells, start = _pattern_cells(question, puzzle.grid), perf_counter()
        try:
            answer = question.search(puzzle, cells, run)
        except InvalidInput as error:
            fields = {"index": index} | error_to_json(ParseError(error.problems)) | extra_fields
            if as_json:
                output.print_json(fields | {"seconds": round(perf_counter() - start, 6)})
            else:
                output.print_text(f"error: {error}" if alone else f"{index}\terror: {error}")
            return BAD_INPUT
        if as_json:
            output.print_json({"index": index} | answer.to_json() | extra_fields)
        elif alone:
            _print_alone(answer, look, quiet=quiet)
        else:
            text = answer.to_json().get("puzzle")
            output.print_text(f"{index}\t{answer.in_words()}" + (f"\t{text}" if isinstance(text, str) else ""))
        return answer.exit_code

    return answer_records(input_records(puzzles, question), show, as_json=as_json, quiet=quiet)


def _pattern_cells(question: FewestQuestion, grid: Grid) -> tuple[Cell, ...] | None:
    """Return the cells of the pattern as it is typed: a text, or a file of it."""
    if question.pattern is None:
        return None
    try:
        return read_typed_pattern(question.pattern, grid)
    except InvalidInput as error:
        raise InvalidInput(f"--pattern: {problem}" for problem in error.problems) from error


def _print_alone(answer: FewestAnswer, look: Look, *, quiet: bool) -> None:
    """Draw the givens, and print the sentence."""
    puzzle = answer.found.puzzle
    if puzzle is not None and puzzle.givens:
        output.print_text(draw(puzzle, look))
    words = spell_typed(answer.in_words())
    output.print_text(words if quiet else f"{words} ({answer.seconds * 1e3:.3g} ms)")


def _print_board(answer: FewestAnswer, look: Look, *, quiet: bool) -> None:
    """Print the answer about a board: also the puzzle that was made for it, or the solutions of the rules alone."""
    _print_alone(answer, look, quiet=quiet)
    outcome, puzzle = answer.found.outcome, answer.found.puzzle
    if outcome is None:
        output.print_json(to_json(puzzle))
    for solution in getattr(outcome, "solutions", ()):
        output.print_text(draw(puzzle.with_givens(dict(enumerate(solution))), look))
