"""Killer sudokus as 81 pairs of numbers, and what the killer formats share: cages, their sums, lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError, Unsupported
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
from sudoku_cp.formats.grid_text import first_bodies, strip_comment
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options, Record
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


# Killer sudokus in 81 characters: one cell of a cage holds its sum, each other cell points one step towards that cell.
#
# Sums are ``0-9``, ``A-Z`` for 10 to 35 and ``a-j`` for 36 to 45; directions are ``< > ^ v`` and, diagonally, a backtick (up
# left), ``'`` (up right), ``,`` (down left) and ``.`` (down right).


_SUMS = digits + ascii_uppercase + ascii_lowercase[:10]
_WAYS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
_TELLING = frozenset("<>^`'")
"""Characters that never occur in 81 characters of other formats."""
_SHOWN = 5


def _parse_puzzle(text: str) -> Puzzle:
    """Return the puzzle of a line."""
    if len(text) != CELLS:
        raise ParseError(f"expected {CELLS} signs, got {len(text)}")
    problems = [
        f"expected a sum (0-9, A-Z, a-j) or a direction (one of {' '.join(_WAYS)}), got {sign!r} at column {column}"
        for column, sign in enumerate(text, 1)
        if sign not in _SUMS and sign not in _WAYS
    ]
    problems += [
        f"expected a direction that stays on the board, got {sign!r} at column {column}"
        for column, sign in enumerate(text, 1)
        if sign in _WAYS and _next_cell(column - 1, sign) is None
    ]
    if problems:
        raise ParseError(problems[:_SHOWN])
    heads: dict[int, list[int]] = {}
    for cell in range(CELLS):
        heads.setdefault(_follow_ways(text, cell), []).append(cell)
    cages = [CellSum(tuple(cells), _SUMS.index(text[head]) or None) for head, cells in heads.items()]
    return puzzle_from_cages([cage for cage in cages if cage.total or len(cage.cells) > 1])


def _next_cell(cell: int, sign: str) -> int | None:
    row, column = cell // SIDE + _WAYS[sign][0], cell % SIDE + _WAYS[sign][1]
    return row * SIDE + column if 0 <= row < SIDE and 0 <= column < SIDE else None


def _follow_ways(text: str, cell: int) -> int:
    """Return the cell with the sum to which the directions from a cell lead."""
    at: int | None = cell
    for _ in range(CELLS):
        if at is None or text[at] not in _WAYS:
            break
        at = _next_cell(at, text[at])
    if at is None or text[at] in _WAYS:
        raise ParseError(f"expected directions that lead to a sum, got a cycle at column {cell + 1}", column=cell + 1)
    return at


def _is_killer(text: str) -> bool:
    """Return whether a line is 81 such characters, with a direction that no other format has."""
    return len(text) == CELLS and {*text} <= {*_SUMS, *_WAYS} and bool(_TELLING & {*text})


def _puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the line; the first cell of each cage holds its sum."""
    cages, _ = require_cages(puzzle, "killer81", jigsaw=False, diagonals=False, sums=False)
    signs = ["0"] * CELLS
    for cage in cages:
        signs[min(cage.cells)] = _SUMS[cage.total or 0]
        for cell, way in _ways_to_first(cage).items():
            signs[cell] = way
    return "".join(signs) + "\n"


def _ways_to_first(cage: CellSum) -> dict[int, str]:
    """Return for each cell but the first the direction of a neighbour that is nearer to the first."""
    found: dict[int, str] = {}
    reached = [min(cage.cells)]
    for goal in reached:  # grows while it is walked
        for way in _WAYS:
            for cell in cage.cells:
                if cell not in reached and _next_cell(cell, way) == goal:
                    found[cell] = way
                    reached.append(cell)
    if len(reached) < len(set(cage.cells)):
        raise Unsupported("expected cages in one piece for the format 'killer81', got one in several")
    return found


FORMAT = killer_format(
    "killer81", "a killer sudoku in 81 signs a line: sums, and directions to them", _is_killer, _parse_puzzle, _puzzle_to_line
)
