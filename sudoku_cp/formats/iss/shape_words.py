"""The board of a constraint string: ``Shape``, ``NoBoxes``, ``Jigsaw``, ``RegionSize`` and ``Var``, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.grid_text import board_of_regions
from sudoku_cp.formats.iss.board_layout import (
    LONGEST,
    IssLayout,
    boards_of_extra_cells,
    box_sides,
    find_extra_cells,
    number,
    read_extra_cells,
    words_of_extra_cells,
)
from sudoku_cp.formats.iss.word_syntax import word_text
from sudoku_cp.grid import Board, Grid
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.word_syntax import Word
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule

_SIDES = re.compile(r"(\d{1,4})x(\d{1,4})")
_RANGE = re.compile(r"(?:([01])-)?(\d{1,4})")
_LABELS = digits + ascii_lowercase + ascii_uppercase
_NONE = "_"
_USUAL = 9


# --- reading ----------------------------------------------------------------------------------------------------


def read_board(words: Iterable[Word]) -> tuple[IssLayout, list[Rule]]:
    """Return the board with its extra cells, and as rules the regions that it has besides its boxes."""
    words = list(words)
    present = {word.name: word for word in words}
    for name in ("Shape", "Jigsaw"):
        if len({word.arguments for word in words if word.name == name}) > 1:
            raise ParseError(f"{name}: expected once, got it twice with different arguments")
    rows, columns, values, raw = (
        _parse_shape(present["Shape"].arguments) if "Shape" in present else (_USUAL, _USUAL, range(1, 10), False)
    )
    size = None
    if "RegionSize" in present:
        size = number("~".join(present["RegionSize"].arguments))
        if not 1 <= size <= len(values):
            raise ParseError(f"RegionSize: expected 1 to {len(values)} cells, got {size}")
    boxes = None if raw or "NoBoxes" in present else box_sides(rows, columns, size or max(rows, columns))
    labels = None
    if "Jigsaw" in present:
        labels = _parse_regions(present["Jigsaw"].arguments, rows * columns, range(max(rows, columns), len(values) + 1), size)
    alone = labels is not None and boxes is None
    board = board_of_regions(rows, columns, labels) if labels and alone else Board(rows, columns, boxes)
    groups = read_extra_cells(words, board)
    grid = Grid.of((board, *boards_of_extra_cells(groups, rows)), values)
    regions = not raw and (labels is None or alone)
    layout = IssLayout(grid, raw, size, regions=regions, groups={group.prefix: group for group in groups})
    return layout, [] if labels is None or (alone and not raw) else _rules_of_regions(labels)


def _parse_shape(arguments: Sequence[str]) -> tuple[int, int, range, bool]:
    sides, span, kind = (*arguments, "", "", "")[:3]
    found, spanned = _SIDES.fullmatch(sides), _RANGE.fullmatch(span)
    if not found or not (spanned or not span) or kind not in {"", "Raw"} or len(arguments) > 3:  # noqa: PLR2004
        raise ParseError(f"Shape: expected sides and values such as '6x6' or '9x9~0-8', got {'~'.join(arguments)[:40]!r}")
    rows, columns = int(found[1]), int(found[2])
    if not (1 <= rows <= LONGEST and 1 <= columns <= LONGEST):
        raise ParseError(f"Shape: expected 1 to {LONGEST} rows and columns, got {sides}")
    longest = max(rows, columns)
    values = range(1, longest + 1)
    if spanned:
        values = range(int(spanned[1] or 1), int(spanned[2]) + 1)
    if not (1 if kind else longest) <= len(values) <= LONGEST:
        raise ParseError(f"Shape: expected {longest} to {LONGEST} values for {sides}, got {span!r}")
    return rows, columns, values, bool(kind)


def _parse_regions(arguments: Sequence[str], cells: int, sizes: range, size: int | None) -> tuple[int | None, ...] | None:
    """Return the label of each cell; None if all cells are in one region, which means nothing."""
    text = arguments[-1] if arguments else ""
    if len(text) != cells or len(arguments) > 2:  # noqa: PLR2004  # an old form has the sides first
        raise ParseError(f"Jigsaw: expected a sign for each of {cells} cells, got {len(text)}")
    counts = {sign: text.count(sign) for sign in dict.fromkeys(text)}
    if len(counts) == 1:
        return None
    wanted = size or sizes[0]
    odd = [sign for sign, count in counts.items() if count not in sizes]
    wrong = sorted({counts[sign] for sign in counts if sign not in odd and counts[sign] != wanted})
    if len(odd) > 1 or wrong:
        got = ", ".join(str(counts[sign]) for sign in counts if counts[sign] != wanted)
        raise ParseError(f"Jigsaw: expected regions of {wanted} cells, and perhaps cells in none, got some of {got}")
    numbers = {sign: index for index, sign in enumerate(sign for sign in counts if sign not in odd)}
    return tuple(numbers.get(sign) for sign in text)


def _rules_of_regions(labels: Sequence[int | None]) -> list[Rule]:
    present = dict.fromkeys(label for label in labels if label is not None)
    return [make_rule("extra-region", cells=tuple(cell for cell, own in enumerate(labels) if own == label)) for label in present]


# --- writing ----------------------------------------------------------------------------------------------------


def words_of_board(puzzle: Puzzle) -> tuple[IssLayout, list[str]]:
    """Return the layout of a puzzle's board and the words for it; refuse a board that strings cannot express."""
    board, grid = puzzle.grid.boards[0], puzzle.grid
    problems = []
    if board.at != (0, 0):
        problems.append(f"expected a board in the top-left corner for the format 'iss', got it at {board.at}")
    if max(board.rows, board.columns, len(grid.values)) > LONGEST:
        problems.append(f"expected at most {LONGEST} rows, columns and values for the format 'iss', got {grid}")
    if grid.values[0] > 1:
        problems.append(f"expected values from 0 or 1 for the format 'iss', got {grid.values[0]}")
    groups = []
    try:
        groups = find_extra_cells(puzzle)
    except Unsupported as error:
        problems += error.problems
    raw = Houses() not in puzzle.rules
    if not raw and len(grid.values) < max(board.rows, board.columns):
        problems.append("expected as many values as cells in a row and a column for the format 'iss', got fewer")
    if problems:
        raise Unsupported(problems)
    layout = IssLayout(grid, raw, regions=not raw, groups={group.prefix: group for group in groups})
    words = [*_words_of_shape(layout), *words_of_extra_cells(groups, layout.columns)]
    if raw or board.boxes or board.regions is not None:
        return (layout, words) if raw else _words_of_regions(layout, words)
    layout, words = _words_of_regions(layout, words)
    sizes = {rule.size for rule in puzzle.rules if rule.kind == "chaos-construction"}  # type: ignore[attr-defined]
    size = min((size or len(layout.values) for size in sizes), default=layout.longest)
    layout, size_words = _with_region_size(layout, size)
    return layout, [*dict.fromkeys([*words, *(_no_boxes(layout, size) if size_words else [])]), *size_words]


def _words_of_shape(layout: IssLayout) -> list[str]:
    usual = range(1, max(layout.rows, layout.columns) + 1)
    values = layout.values
    span = "" if values == usual else f"{values[0]}-{values[-1]}" if values[0] != 1 else str(len(values))
    more = [span, "Raw"] if layout.raw else [span] if span else []
    plain = (layout.rows, layout.columns, values) == (_USUAL, _USUAL, range(1, 10)) and not layout.raw
    return [] if plain else [word_text("Shape", f"{layout.rows}x{layout.columns}", *more)]


def _words_of_regions(layout: IssLayout, words: list[str]) -> tuple[IssLayout, list[str]]:
    board, longest = layout.grid.boards[0], max(layout.rows, layout.columns)
    if board.boxes is None and board.regions is None:
        return layout, words + _no_boxes(layout, longest)
    if board.boxes:
        size = board.boxes[0] * board.boxes[1]
        if box_sides(layout.rows, layout.columns, size) == board.boxes and size <= len(layout.values):
            layout, size_words = _with_region_size(layout, size)
            return layout, words + size_words
    labels = board.labels()
    sizes = {labels.count(label) for label in set(labels) - {None}}
    allowed = range(longest, len(layout.values) + 1)
    if len(sizes) != 1 or min(sizes) not in allowed or labels.count(None) in allowed or len({*labels}) < 2:  # noqa: PLR2004
        areas = _rules_of_regions(labels)
        texts = [word_text("AllDifferent", *layout.names(area.cells)) for area in areas]  # type: ignore[attr-defined]
        return replace(layout, regions=False), [*words, *_no_boxes(layout, longest), *texts]
    layout, size_words = _with_region_size(layout, min(sizes))
    return layout, [*words, *size_words, *_no_boxes(layout, min(sizes)), word_text("Jigsaw", _format_regions(labels))]


def _no_boxes(layout: IssLayout, size: int) -> list[str]:
    """Return the word that a board has no boxes of this size, if it would have them otherwise."""
    return [word_text("NoBoxes")] if box_sides(layout.rows, layout.columns, size) else []


def _with_region_size(layout: IssLayout, size: int) -> tuple[IssLayout, list[str]]:
    """Return the layout with regions of this size, and the word for it if it is not the usual one."""
    return (layout, []) if size == layout.longest else (replace(layout, region_size=size), [word_text("RegionSize", size)])


def _format_regions(labels: Sequence[int | None]) -> str:
    signs: dict[int | None, str] = {None: _NONE}
    for label in labels:
        signs.setdefault(label, _LABELS[len(signs) - 1])
    return "".join(signs[label] for label in labels)
