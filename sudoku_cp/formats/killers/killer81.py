"""Killer sudokus in 81 characters: one cell of a cage holds its sum, each other cell points one step towards that cell.

Sums are ``0-9``, ``A-Z`` for 10 to 35 and ``a-j`` for 36 to 45; directions are ``< > ^ v`` and, diagonally, a backtick (up left),
``'`` (up right), ``,`` (down left) and ``.`` (down right).
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.killers.cages import CELLS, SIDE, CellSum, killer_format, puzzle_from_cages, require_cages

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

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
