"""HoDoKu's library lines, ``:technique:candidates:givens:deleted:eliminations:placements:extra``; Susser's ``givens:deleted``.

``+`` before a digit says that a player placed it; a deleted candidate is three digits: value, row, column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import Format, SolvingState, one_line, read_each_line, require_plain, write_each
from sudoku_cp.formats.board_text.candidate_marks import short_text
from sudoku_cp.formats.grid_text import most_lines
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import Domain, members, to_mask
from sudoku_cp.puzzle import Puzzle, parse_line
from sudoku_cp.puzzle.puzzle import MAX_LISTED_PROBLEMS
from sudoku_cp.symbols import numerals

_GRID = Grid.square(9)
_VALUES = to_mask(_GRID.values)
_FIELDS = (7, 8)
"""Fields of a library line, the empty one before the first colon among them."""
_STEP = ("the technique", "its candidates", "", "", "what it eliminates", "what it places")
"""The fields that describe a solving step (empty: a field of the puzzle itself)."""
_TECHNIQUE = re.compile(r"[0-9A-Za-z\-]*")
_DELETED = re.compile(r"[1-9]{3}")
_BOARD = re.compile(r"(?:\+?[0-9.]){81}")


def _parse_puzzle(line: str, warnings: list[str]) -> Puzzle:
    board, deleted, start, words, step = _split_fields(line)
    text, placed = _split_placed(board)
    _, _, values = parse_line(text, _GRID, numerals(_GRID.values), start)
    warnings += _remarks(step, placed)
    givens = {cell: value for cell, value in values.items() if cell not in placed}
    return Puzzle(_GRID, givens=givens, candidates=_parse_deleted(deleted), title=words)


def _remarks(step: str, placed: AbstractSet[Cell]) -> Iterator[str]:
    """Yield what readers of the puzzle alone do not read: the step that a line is about, and the cells that a player filled."""
    if step:
        yield f"not read: {step} (about a solving step)"
    if placed:
        names = ", ".join(map(_GRID.cell_name, sorted(placed)[:MAX_LISTED_PROBLEMS]))
        more = ", ..." * (len(placed) > MAX_LISTED_PROBLEMS)
        yield f"digits placed but not given are not read: {len(placed)} ({names}{more})"


def _parse_state(line: str) -> SolvingState:
    """Return the values placed, the candidates left and the values of the move; the line can be read."""
    board, deleted, start, _, step = _split_fields(line)
    text, placed = _split_placed(board)
    _, _, values = parse_line(text, _GRID, numerals(_GRID.values), start)
    fields = line.strip().split(":")
    named = fields[2] if not fields[0] else ""
    return SolvingState(
        {cell: values[cell] for cell in sorted(placed)},
        _parse_deleted(deleted),
        to_mask(int(sign) for sign in named if sign in "123456789"),
        tuple(_remarks(step, placed)),
    )


def _split_fields(line: str) -> tuple[str, str, int, str, str]:
    """Return the board, the deleted candidates, where the board begins (from 0), the comment, and the names of other fields."""
    fields = line.strip().split(":")
    if len(fields) == 1 or (fields[0] and len(fields) == 2):  # noqa: PLR2004  # Susser's
        return fields[0].strip(), fields[-1] if len(fields) > 1 else "", line.index(fields[0]), "", ""
    if fields[0] or len(fields) not in _FIELDS:
        expected = "a library line such as ':0000:x:GIVENS:DELETED:::' with 6 or 7 colons, or 'GIVENS:DELETED'"
        raise ParseError(f"expected {expected}, got {line.strip()[:20]!r} with {len(fields) - 1} colons")
    comment = fields[7].strip() if len(fields) > _FIELDS[0] else ""
    step = [noun for field, noun in zip(fields[1:7], _STEP, strict=False) if noun and field.strip(" 0x")]
    start = line.index(":", line.index(":", line.index(":") + 1) + 1) + 1
    return fields[3].strip(), fields[4], start, comment, ", ".join(step)


def _split_placed(board: str) -> tuple[str, set[Cell]]:
    """Return the board without plus signs, and the cells that had one."""
    placed: set[Cell] = set()
    signs: list[str] = []
    for sign in board:
        if sign == "+":
            placed.add(len(signs))
        else:
            signs.append(sign)
    return "".join(signs), placed - {len(signs)}


def _parse_deleted(deleted: str) -> dict[Cell, Domain]:
    """Return the remaining candidates of the cells from which some are deleted."""
    found: dict[Cell, Domain] = {}
    words = deleted.split()
    wrong = [
        f"expected a deleted candidate as value, row and column ('124'), got {short_text(word)}"
        for word in words
        if not _DELETED.fullmatch(word)
    ]
    if wrong:
        raise ParseError(wrong[:MAX_LISTED_PROBLEMS])
    for word in words:
        value, row, column = map(int, word)
        cell = _GRID.cell_at[row - 1, column - 1]
        found[cell] = found.get(cell, _VALUES) & ~(1 << value)
    empty = [
        f"expected a candidate left in {_GRID.cell_name(cell)}, got all deleted" for cell, domain in found.items() if not domain
    ]
    if empty:
        raise ParseError(empty)
    return found


def sniff(head: str) -> bool:
    """Return whether at least half of the first lines are such lines."""
    return most_lines(head, _is_line)


def _is_line(line: str) -> bool:
    fields = line.split(":")
    if len(fields) in _FIELDS and not fields[0]:
        return bool(_TECHNIQUE.fullmatch(fields[1]) and _BOARD.fullmatch(fields[3].strip()))
    return ("+" in fields[0] or len(fields) == 2) and len(fields) <= 2 and bool(_BOARD.fullmatch(fields[0].strip()))  # noqa: PLR2004


def puzzle_to_line(puzzle: Puzzle) -> str:
    """Return a library line without a technique; candidates are written as those deleted."""
    require_plain("hodoku", puzzle, candidates=True)
    if puzzle.grid != _GRID:
        raise Unsupported(f"expected a 9x9 puzzle for the format 'hodoku', got {puzzle.grid}")
    board = "".join(str(puzzle.givens.get(cell, ".")) for cell in _GRID.cells)
    return f":0000:x:{board}:{' '.join(_format_deleted(puzzle))}:::{_title(puzzle)}\n"


def _title(puzzle: Puzzle) -> str:
    return one_line(puzzle.title.replace(":", " "))


def _format_deleted(puzzle: Puzzle) -> Sequence[str]:
    found = []
    for cell, domain in puzzle.candidates.items():
        row, column = _GRID.places[cell]
        found += [f"{value}{row + 1}{column + 1}" for value in members(_VALUES & ~domain)]
    return found


FORMAT = Format(
    "hodoku",
    "HoDoKu's library lines and Susser's: givens, then the candidates deleted from the rest",
    (".hlib",),
    sniff,
    read_each_line(_parse_puzzle, _parse_state),
    write_each(puzzle_to_line),
    {"title": _title},
)
