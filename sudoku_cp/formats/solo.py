"""Game IDs of Solo (Simon Tatham's puzzles): ``3x3:`` or ``9j:`` with the givens, then jigsaw regions, cages and their sums.

``x`` after the size adds the diagonals, ``k`` cages; other letters there (symmetry, difficulty) only matter for making puzzles.
Saved games are read too: lines such as ``DESC    :12:1_2b3...``, each with a key, the length of its text, and the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import (
    Format,
    Options,
    Record,
    attempt_with_warnings,
    make_rule,
    peek_head,
    read_each_line,
    refuse_any,
    write_each,
)
from sudoku_cp.formats.grid_text import label_components, most_lines
from sudoku_cp.grid import Board, Cell, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Houses

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule


LARGEST = 31
"""The longest side that Solo knows."""
_ID = re.compile(r"(?:https?://\S*solo\.html\?game=|Solo:)?(\d{1,2})(?:x(\d{1,2}))?([a-z0-9]*)([:#])(.*)", re.IGNORECASE)
_FLAGS = re.compile(r"(?P<jigsaw>j)|(?P<diagonals>x)|(?P<killer>k)|r[24]?d?|m[248]?d?|a|d[tbiaeu]")


_SAVED = re.compile(r"SAVEFILE:\d+:")
_SAVED_LINE = re.compile(r"([A-Z]{1,8} *):(\d{1,7}):(.*)")


class _Description(NamedTuple):
    """The description of the board before the colon."""

    side: int
    boxes: tuple[int, int] | None
    diagonals: bool
    killer: bool


def _parse_puzzle(line: str, _warnings: Sequence[str]) -> Puzzle:
    found = _ID.fullmatch(line.strip())
    if not found:
        raise ParseError(f"expected a game ID of Solo such as '3x3:5_3b7...', got {line.strip()[:20]!r}")
    if found[4] == "#":
        got = "a random seed, which only Solo itself can follow"
        raise Unsupported(f"expected a game ID with the puzzle in it ('3x3:5_3b7...'), got {got}")
    kind = _parse_description(found[1], found[2], found[3])
    parts = found[5].split(",")
    expected = ["the givens", *["the regions"] * (not kind.boxes), *["the cages", "the sums of the cages"] * kind.killer]
    if len(parts) != len(expected):
        raise ParseError(f"expected {', '.join(expected)} after the colon, got {len(parts)} parts between commas")
    sections = dict(zip(expected, parts, strict=True))
    grid = _make_grid(kind, sections)
    givens = parse_numbers(sections["the givens"], "the givens", grid.cells, kind.side)
    return Puzzle(grid, (Houses(), *_make_rules(kind, sections, grid)), givens)


_READ_IDS = read_each_line(_parse_puzzle)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each ID, one a line, or of each saved game."""
    head, lines = peek_head(lines)
    first = next((line for line in head if line.strip()), "")
    return _read_saved_games(lines) if _SAVED.match(first) else _READ_IDS(lines, options)


def _read_saved_games(lines: Iterator[str]) -> Iterator[Record]:
    fields: dict[str, str] = {}
    start = moves = 0
    for number, line in enumerate(chain(lines, ["SAVEFILE:0:"]), 1):
        found = _SAVED_LINE.match(line)
        key = found[1].strip() if found else ""
        if key == "SAVEFILE":
            if start:
                yield attempt_with_warnings(start, partial(_parse_saved_game, fields, moves))
            fields, start, moves = {}, number, 0
        elif found and key == "MOVE":
            moves += 1
        elif found:
            fields[key] = found[3][: int(found[2])]


def _parse_saved_game(fields: Mapping[str, str], moves: int, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a saved game, of which ``CPARAMS`` are the game's own parameters and ``PARAMS`` the next game's."""
    game = fields.get("GAME", "")
    if game != "Solo":
        raise Unsupported(f"expected a saved game of Solo, got one of {game!r:.40}")
    if "DESC" not in fields or not {"CPARAMS", "PARAMS"} & fields.keys():
        raise ParseError("expected lines PARAMS and DESC in a saved game, got " + (", ".join(fields) or "none"))
    if moves:
        warnings.append(f"moves of a player are not read: {moves}")
    return _parse_puzzle(f"{fields.get('CPARAMS') or fields['PARAMS']}:{fields['DESC']}", warnings)


def _parse_description(first: str, second: str | None, letters: str) -> _Description:
    flags: set[str] = set()
    position = 0
    while position < len(letters):
        found = _FLAGS.match(letters, position)
        if not found:
            raise ParseError(f"expected j, x, k, a symmetry or a difficulty after the size, got {letters[position:][:12]!r}")
        flags.add(found.lastgroup or "")
        position = found.end()
    across, down = int(first), int(second or 1)
    side = across * down
    if not 2 <= side <= LARGEST:  # noqa: PLR2004
        raise ParseError(f"expected a board of 2 to {LARGEST} cells a side, got {side}")
    jigsaw = "jigsaw" in flags or second is None or down == 1
    # Solo counts the boxes across and down: a board of 2 x 3 boxes has boxes of 2 rows and 3 columns.
    return _Description(side, None if jigsaw else (across, down), "diagonals" in flags, "killer" in flags)


def _make_grid(kind: _Description, sections: Mapping[str, str]) -> Grid:
    if kind.boxes:
        return Grid.square(kind.side, kind.boxes)
    regions = parse_regions(sections["the regions"], "the regions", kind.side)
    sizes = {label: regions.count(label) for label in regions}
    wrong = [f"region {label + 1} of {size}" for label, size in sizes.items() if size != kind.side]
    if wrong:
        raise ParseError(f"expected {kind.side} regions of {kind.side} cells, got {', '.join(wrong[:5])}")
    return Grid.of((Board(kind.side, kind.side, None, tuple(regions)),), range(1, kind.side + 1))


def _make_rules(kind: _Description, sections: Mapping[str, str], grid: Grid) -> Iterator[Rule]:
    if kind.diagonals:
        yield make_rule("diagonals")
    if not kind.killer:
        return
    cages: dict[int, list[Cell]] = {}
    for cell, label in enumerate(parse_regions(sections["the cages"], "the cages", kind.side)):
        cages.setdefault(label, []).append(cell)
    sums = parse_numbers(sections["the sums of the cages"], "the sums of the cages", grid.cells, _largest_sum(kind.side))
    stray = set(sums) - {cells[0] for cells in cages.values()}
    if stray:
        names = ", ".join(grid.cell_name(cell) for cell in sorted(stray)[:5])
        raise ParseError(f"expected sums in the first cells of cages, got one in {names}")
    for cells in cages.values():
        if len(cells) > 1 or cells[0] in sums:
            yield make_rule("killer-cage", tuple(cells), sums.get(cells[0]))


def _largest_sum(side: int) -> int:
    """Return the sum of all values of a board."""
    return side * (side + 1) // 2


def sniff(head: str) -> bool:
    """Return whether the text is a saved game, or at least half of its first lines are such IDs."""
    return _SAVED.match(head.lstrip()) is not None or most_lines(head, _is_id)


def _is_id(line: str) -> bool:
    found = _ID.fullmatch(line)
    return found is not None and re.fullmatch(r"#\d+|:[a-z0-9_,]+", found[4] + found[5]) is not None


# --- writing ----------------------------------------------------------------------------------------------------


def format_id(puzzle: Puzzle) -> str:
    """Return the game ID."""
    cages, diagonals = _killer_cages(puzzle)
    side = puzzle.grid.boards[0].rows
    boxes, regions = puzzle.grid.boards[0].boxes, puzzle.grid.boards[0].regions
    size = f"{boxes[0]}x{boxes[1]}" if boxes else f"{side}j"
    parts = [format_numbers(puzzle.givens, side)]
    if regions:
        parts.append(format_regions([label or 0 for label in regions], side))
    if cages is not None:
        labels = {cell: number for number, (cells, _) in enumerate(cages) for cell in cells}
        sums = {min(cells): total for cells, total in cages if total is not None}
        loose = [labels.get(cell, len(cages) + cell) for cell in puzzle.grid.cells]
        parts += [format_regions(loose, side), format_numbers(sums, side)]
    return f"{size}{'x' * diagonals}{'k' * (cages is not None)}:{','.join(parts)}\n"


def _killer_cages(puzzle: Puzzle) -> tuple[list[tuple[tuple[Cell, ...], int | None]] | None, bool]:
    """Return the cages (None: no killer) and whether the diagonals count, or refuse a puzzle that Solo cannot express."""
    grid, board = puzzle.grid, puzzle.grid.boards[0]
    problems = []
    if len(grid.boards) > 1 or board.rows != board.columns or board.at != (0, 0) or grid.values != range(1, board.rows + 1):
        problems.append("a grid that is not one square board with values from 1")
    elif board.rows > LARGEST:
        problems.append(f"a side above {LARGEST}")
    elif not board.boxes and not _is_jigsaw(board):
        problems.append("regions that are not in one piece and as large as a row")
    elif board.boxes and (min(board.boxes) < 2 or board.boxes[0] * board.boxes[1] != board.rows):  # noqa: PLR2004
        problems.append("boxes that are not as large as a row")
    cages = [rule for rule in puzzle.rules if rule.kind == "killer-cage"]
    others = [rule for rule in puzzle.rules if rule.kind not in {"killer-cage", "houses"}]
    both = make_rule("diagonals")
    problems += [f"the rule {rule.kind}" for rule in others if rule != both]
    if Houses() not in puzzle.rules:
        problems.append("no rule 'houses'")
    if puzzle.candidates:
        problems.append("candidates")
    cage_sums = [(tuple(rule.cells), rule.total) for rule in cages]  # type: ignore[attr-defined]
    problems += _cage_problems(cage_sums, board.rows) if not problems else ()
    refuse_any(problems, "a puzzle that the format 'solo' can express")
    return cage_sums or None, both in others


def _cage_problems(cages: Sequence[tuple[tuple[Cell, ...], int | None]], side: int) -> Iterator[str]:
    """Yield what is wrong with cages."""
    sections = [cell for cells, _ in cages for cell in cells]
    if len(set(sections)) < len(sections):
        yield "cages that overlap"
    elif any(not _in_one_piece(cells, side) for cells, _ in cages):
        yield "cages that are not in one piece"
    if any(total is not None and not 0 < total <= _largest_sum(side) for _, total in cages):
        yield f"sums of cages that are not between 1 and {_largest_sum(side)}"


def _is_jigsaw(board: Board) -> bool:
    labels = board.regions or ()
    cells = {label: tuple(cell for cell, own in enumerate(labels) if own == label) for label in set(labels)}
    whole = bool(labels) and None not in cells
    return whole and all(len(one) == board.rows and _in_one_piece(one, board.rows) for one in cells.values())


def _in_one_piece(cells: Sequence[Cell], side: int) -> bool:
    waiting, left = [cells[0]], set(cells[1:])
    while waiting:
        cell = waiting.pop()
        column = cell % side
        near = {cell - side, cell + side, *[cell - 1] * (column > 0), *[cell + 1] * (column < side - 1)} & left
        left -= near
        waiting += near
    return not left


FORMAT = Format(
    "solo",
    "game IDs and saved games of Solo (Simon Tatham's puzzles): classic, jigsaw, X and killer",
    (".sav",),
    sniff,
    read,
    write_each(format_id),
)


# How Solo's game IDs encode numbers in cells, and regions: by the lengths of runs.
#
# Numbers: ``a`` to ``z`` stand for 1 to 26 blanks, ``_`` separates two numbers. Regions: the possible lines inside the board,
# first the vertical ones row by row, then the horizontal ones column by column, and one more at the end; ``_`` is a line at
# once, ``a`` to ``y`` a line after 1 to 25 places without one, ``z`` 25 places without a line and no line after them.


_ITEM = re.compile(r"([a-z])|(_)|([1-9][0-9]{0,8})")
_BLANKS = 26
_PLACES = 25


def parse_numbers(text: str, noun: str, cells: range, largest: int) -> dict[Cell, int]:
    """Return the numbers in their cells."""
    found: dict[Cell, int] = {}
    cell = position = 0
    while position < len(text):
        item = _ITEM.match(text, position)
        if not item:
            raise ParseError(f"expected letters for blanks and numbers in {noun}, got {text[position]!r} as sign {position + 1}")
        if item[3]:
            found[cell] = int(item[3])
        cell += ord(item[1]) - ord("a") + 1 if item[1] else bool(item[3])
        position = item.end()
    if cell != len(cells):
        raise ParseError(f"expected {noun} to fill {len(cells)} cells, got {cell}")
    wrong = [f"expected numbers from 1 to {largest} in {noun}, got {number}" for number in found.values() if number > largest]
    if wrong:
        raise ParseError(wrong[:10])
    return found


def format_numbers(numbers: Mapping[Cell, int], side: int) -> str:
    """Return numbers as `parse_numbers` reads them."""
    parts: list[str] = []
    blanks = 0
    for cell in range(side * side):
        if cell not in numbers:
            blanks += 1
            continue
        parts.append(_format_run(blanks, _BLANKS) if blanks else "_" if parts else "")
        parts.append(str(numbers[cell]))
        blanks = 0
    return "".join(parts) + _format_run(blanks, _BLANKS)


def _format_run(number: int, most: int) -> str:
    whole, rest = divmod(number, most)
    return chr(ord("a") - 1 + most) * whole + (chr(ord("a") - 1 + rest) if rest else "")


def _neighbours(side: int) -> list[tuple[Cell, Cell]]:
    """Return the pairs of neighbours between which a line can be, in the order of the text."""
    upright = [(row * side + column, row * side + column + 1) for row in range(side) for column in range(side - 1)]
    return upright + [(row * side + column, (row + 1) * side + column) for column in range(side) for row in range(side - 1)]


def parse_regions(text: str, noun: str, side: int) -> list[int]:
    """Return the number of each cell's region, counted in reading order; cells without a line between them are in one region."""
    places = _neighbours(side)
    together: list[tuple[Cell, Cell]] = []
    position = 0
    for number, sign in enumerate(text, 1):
        if not ("a" <= sign <= "z" or sign == "_"):
            raise ParseError(f"expected letters or '_' in {noun}, got {sign!r} as sign {number}")
        run = 0 if sign == "_" else min(ord(sign) - ord("a") + 1, _PLACES)
        together += places[position : position + run]
        position += run + (sign != "z")
    if position != len(places) + 1:
        raise ParseError(f"expected {noun} to encode {len(places)} lines and one after them, got {position}")
    return label_components(side * side, together)


def format_regions(labels: Sequence[int], side: int) -> str:
    """Return regions as `parse_regions` reads them; cells are of one region where their labels are the same."""
    parts: list[str] = []
    run = 0
    for one, other in [*_neighbours(side), (-1, -1)]:
        if one >= 0 and labels[one] == labels[other]:
            run += 1
            continue
        while run > _PLACES:
            parts.append("z")
            run -= _PLACES
        parts.append(chr(ord("a") - 1 + run) if run else "_")
        run = 0
    return "".join(parts)
