"""Helpers for the killer formats: cages of a 9x9 board, each cell in at most one; a cage of one cell is a given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Format,
    error_record,
    line_too_long,
    non_ascii_problem,
    record_or_error,
    refuse_any,
    write_each,
)
from sudoku_cp.formats.sample_lines import first_bodies, strip_comment
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options, Record
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule

SIDE = 9
CELLS = 81


@dataclass(frozen=True)
class CellSum:
    """The cells of a cage, and their sum if it is stated."""

    cells: tuple[Cell, ...]
    total: int | None


def killer_format(
    name: str, summary: str, sniff: Callable[[str], bool], parse: Callable[[str], Puzzle], encode: Callable[[Puzzle], str]
) -> Format:
    """Return a format of one killer a line; ``sniff`` says whether a line is one, ``parse`` reads it, ``encode`` writes it."""
    return Format(
        name,
        summary,
        (),
        lambda head: sniff((*first_bodies(head), "")[0].strip()),
        partial(_read_lines, parse),
        write_each(encode),
    )


def _read_lines(make: Callable[[str], Puzzle], lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line that is neither empty nor a comment."""
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        text = strip_comment(line).strip()
        if text and (foreign := non_ascii_problem(text)):
            yield error_record(number, foreign)
        elif text:
            yield record_or_error(number, partial(make, text))


def puzzle_from_cages(cages: Sequence[CellSum], *, grid: Grid | None = None, diagonals: bool = False) -> Puzzle:
    """Return the puzzle of these cages."""
    from sudoku_cp.rules.cages import KillerCage  # noqa: PLC0415  # sniffing alone needs no rules
    from sudoku_cp.rules.regions import Diagonals  # noqa: PLC0415

    rules: list[Rule] = [Houses(), *([Diagonals()] if diagonals else [])]
    givens = {cage.cells[0]: cage.total for cage in cages if len(cage.cells) == 1 and cage.total is not None}
    rules += [KillerCage(cage.cells, cage.total) for cage in cages if len(cage.cells) > 1]
    return Puzzle(grid or Grid.square(SIDE), tuple(rules), givens)


def require_cages(puzzle: Puzzle, name: str, *, jigsaw: bool, diagonals: bool, sums: bool) -> tuple[list[CellSum], bool]:
    """Return the cages of a puzzle and whether its diagonals count, or refuse what the format ``name`` cannot express.

    ``jigsaw`` and ``diagonals``: the format has a place for these; ``sums``: every cage needs a sum.
    """
    problems = list(_board_problems(puzzle, jigsaw=jigsaw))
    others: list[Rule] = [rule for rule in puzzle.rules if rule.kind not in {"houses", "killer-cage"}]
    both = [rule for rule in others if diagonals and rule.kind == "diagonals" and rule == type(rule)()]
    problems += [f"the rule {rule.kind}" for rule in others if rule not in both]
    if puzzle.candidates:
        problems.append("candidates")
    killers: list[Any] = [rule for rule in puzzle.rules if rule.kind == "killer-cage"]
    cages = [CellSum(tuple(rule.cells), rule.total) for rule in killers if rule.cells]
    if any(cage.total is None for cage in cages if sums or len(cage.cells) == 1):
        problems.append("cages without a sum")
    alone = {cage.cells[0]: cage.total for cage in cages if len(cage.cells) == 1}
    cages += [CellSum((cell,), value) for cell, value in puzzle.givens.items() if alone.get(cell) != value]
    caged = [cell for cage in cages for cell in cage.cells]
    if len(set(caged)) < len(caged):
        problems.append("cells in several cages, or given and in a cage")
    if any(not 0 < (cage.total or 1) <= SIDE * (SIDE + 1) // 2 for cage in cages) or any(cage.total == 0 for cage in cages):
        problems.append("sums that are not between 1 and 45")
    if any(len(cage.cells) == 1 and (cage.total or 0) > SIDE for cage in cages):
        problems.append("cages of one cell with more than 9")
    refuse_any(problems, f"a killer sudoku for the format {name!r}")
    return cages, bool(both)


def _board_problems(puzzle: Puzzle, *, jigsaw: bool) -> Iterator[str]:
    grid = puzzle.grid
    board = grid.boards[0]
    labels = board.labels()
    regular = grid == Grid.square(SIDE)
    regions = jigsaw and len(set(labels)) == SIDE and all(labels.count(label) == SIDE for label in set(labels) - {None})
    square = len(grid.boards) == 1 and board.rows == board.columns == SIDE and board.at == (0, 0)
    if not regular and not (regions and None not in labels and square and grid.values == range(1, SIDE + 1)):
        yield "a board that is not 9x9 with its usual boxes" if not jigsaw else "a board that is not 9x9 with nine regions"
    if Houses() not in puzzle.rules:
        yield "a puzzle without its houses"
