"""Puzzles made ready for paper: entries and alphabets, and the numbers, solutions, levels and links that are wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import format_puzzles
from sudoku_cp.paper.printed_puzzle import PrintedPuzzle
from sudoku_cp.puzzle import Position
from sudoku_cp.queries import solve
from sudoku_cp.symbols import alphabet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.backends import Limits, Solution
    from sudoku_cp.paper.sheet_options import SheetOptions
    from sudoku_cp.puzzle import Puzzle

PLAYER = "https://sudokupad.app/"
"""Where links lead: SudokuPad reads the documents of f-puzzles."""
_FPUZZLES = "https://f-puzzles.com/?load="
_NOTES = {
    "none": "This puzzle has no solution.",
    "multiple": "This puzzle has several solutions.",
    "unknown": "No solution was found in time.",
}


def prepare_puzzles(
    positions: Iterable[Position],
    options: SheetOptions,
    *,
    marks: bool = False,
    symbols: str | None = None,
    links: bool = False,
    limits: Limits = UNLIMITED,
) -> list[PrintedPuzzle]:
    """Return the puzzles in the order in which they are printed: in booklets by level.

    With ``marks`` entries and pencil marks are printed too. ``symbols`` is an alphabet, ``links`` adds QR codes, and ``limits``
    are for each puzzle that must be solved.
    """
    found = []
    for position in positions:
        shown = _with_symbols(position if marks else _without_marks(position), symbols)
        printed = PrintedPuzzle(shown)
        if options.solutions != "none":
            solution, note = _solution_of(shown.puzzle, limits)
            printed = replace(printed, solution=solution, note=note)
        found.append(replace(printed, link=link_to_play(shown.puzzle) if links else ""))
    if options.booklet:
        found = _by_level(found)
    if options.first_number is None:
        return found
    return [replace(printed, number=number) for number, printed in enumerate(found, options.first_number)]


def _without_marks(position: Position) -> Position:
    """Return the givens alone."""
    return Position.of(replace(position.puzzle, candidates={}) if position.puzzle.candidates else position.puzzle)


def _by_level(puzzles: Sequence[PrintedPuzzle]) -> list[PrintedPuzzle]:
    """Return puzzles in the order of their levels, each with the name of its own."""
    from sudoku_cp.logic.difficulty_level import Level, level_of  # noqa: PLC0415  # loads every technique, which sheets do without

    levels = [level_of(printed.puzzle) for printed in puzzles]
    ordered = sorted(zip(levels, puzzles, strict=True), key=lambda pair: [*Level].index(pair[0]))
    return [replace(printed, level=str(level).capitalize()) for level, printed in ordered]


def _with_symbols(position: Position, name: str | None) -> Position:
    if name is None:
        return position
    puzzle = replace(position.puzzle, symbols=alphabet(name, position.puzzle.grid.values))
    return replace(position, puzzle=puzzle)


def _solution_of(puzzle: Puzzle, limits: Limits) -> tuple[Solution | None, str]:
    """Return the solution, or None and why: a stated one that obeys every rule, or else the one that is found."""
    if puzzle.solution is not None and puzzle.holds(puzzle.solution):
        return puzzle.solution, ""
    answer = solve(puzzle, limits=limits)
    return (answer.solution, "") if answer.status == "unique" else (None, _NOTES[answer.status])


def link_to_play(puzzle: Puzzle) -> str:
    """Return the address at which the puzzle can be played; raise `Unsupported` if it cannot be sent there."""
    first = next(format_puzzles([puzzle], "fpuzzles"))
    if first.error or not first.text:
        raise Unsupported(f"expected a puzzle that has a link to play, got one that f-puzzles cannot express: {first.error}")
    return first.text.strip().replace(_FPUZZLES, f"{PLAYER}fpuzzles", 1)
