"""The grid that a text means: a size and boxes as people type them (``16``, ``6x8``), or each cell's region; its first lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice, pairwise

from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.grid import MAX_SIDE, Board, Cell, Grid, default_boxes

_DIGITS = 3


def parse_grid(size: str | None, boxes: str | None) -> Grid | None:
    """Return the grid of the options ``size`` and ``boxes``, None where neither is given."""
    if size is None and boxes is None:
        return None
    problems: list[str] = []
    box, sides = None, None
    try:
        box = None if boxes in {None, "none"} else _parse_pair("boxes", "HEIGHTxWIDTH such as 3x4", boxes)
    except InvalidInput as error:
        problems += error.problems
    try:
        sides = None if size is None else _parse_size(size.strip())
    except InvalidInput as error:
        problems += error.problems
    if problems:
        raise InvalidInput(problems)
    if sides is not None:
        rows, columns = sides
    elif box:
        rows = columns = box[0] * box[1]
    else:
        raise InvalidInput(OptionProblem("expected `size` together with 'none', got no size", "boxes"))
    if boxes is None and rows == columns:
        box = default_boxes(rows)
    try:
        return Grid.rectangle(rows, columns, box)
    except InvalidInput as error:
        name, both = ("boxes", f" with `size` {size}" if size else "") if box and boxes else ("size", "")
        raise InvalidInput(OptionProblem(problem + both, name) for problem in error.problems) from error


def jigsaw_grid(labels: Sequence[str], usual: Grid) -> Grid:
    """Return the board whose cells have these labels of regions, or the usual board if these are its boxes."""
    found = Grid.jigsaw(region_signs(labels), usual.values)
    return usual if tuple(found.boards[0].labels()) == tuple(usual.boards[0].labels()) else found


def region_signs(labels: Sequence[str]) -> str:
    """Return a letter or sign for the label of each cell: the same for the same region, in the order of the cells."""
    signs = {label: chr(ord("A") + number) for number, label in enumerate(dict.fromkeys(labels))}
    return "".join(signs[label] for label in labels)


def _parse_size(text: str) -> tuple[int, int]:
    """Return the rows and columns of ``9`` or ``6x8``."""
    if "x" in text.lower():
        return _parse_pair("size", "ROWSxCOLUMNS such as 6x8", text)
    if not text.isdecimal() or len(text) > _DIGITS or not 2 <= int(text) <= MAX_SIDE:  # noqa: PLR2004
        words = f"expected a side of 2 to {MAX_SIDE}, or ROWSxCOLUMNS such as 6x8, got {text!r:.60}"
        raise InvalidInput(OptionProblem(words, "size"))
    return int(text), int(text)


def _parse_pair(option: str, expected: str, text: str | None) -> tuple[int, int]:
    first, letter, second = str(text).lower().partition("x")
    short = len(first) <= _DIGITS and len(second) <= _DIGITS
    if not (letter and short and first.isdecimal() and second.isdecimal() and int(first) and int(second)):
        raise InvalidInput(OptionProblem(f"expected {expected}, got {text!r:.60}", option))
    return int(first), int(second)


# Groups of cells: numbered from pairs of neighbours that belong together, and as the regions of a board.


def label_components(size: int, together: Sequence[tuple[Cell, Cell]]) -> list[int]:
    """Return the number of the group of each cell, counted in reading order, where these pairs are of one group (union-find)."""
    head = list(range(size))

    def first(cell: Cell) -> Cell:
        while head[cell] != cell:
            head[cell] = cell = head[head[cell]]
        return cell

    for one, other in together:
        low, high = sorted((first(one), first(other)))
        head[high] = low
    numbers: dict[Cell, int] = {}
    return [numbers.setdefault(first(cell), len(numbers)) for cell in range(size)]


def board_of_regions(rows: int, columns: int, labels: tuple[int | None, ...]) -> Board:
    """Return the board with these regions, numbered in reading order (None: in none): with boxes if they are boxes."""
    for height in range(1, rows + 1):
        width, rest = divmod(labels.count(0), height)
        if rest == 0 and width and rows % height == 0 and columns % width == 0:
            boxed = Board(rows, columns, (height, width))
            if tuple(boxed.labels()) == labels:
                return boxed
    return Board(rows, columns, None, labels)


# The lines of a text without their comments, and the first of them, by which a format is recognised.


_SAMPLE = 50
"""Lines by which a format of lines is recognised."""
_FIELDS = ("row", "column", "value")
_LEAST_CELLS = 8
_SHORT_NUMBER = re.compile(r"\d{1,9}")


def strip_comment(line: str) -> str:
    """Return the line without its comment."""
    return line if "#" not in line else line[: line.index("#")]


def first_bodies(head: str) -> list[str]:
    """Return the first lines of a text that are not empty, without their comments."""
    return [*islice((body for line in head.split("\n") if (body := strip_comment(line)).strip()), _SAMPLE)]


def most_lines(head: str, test: Callable[[str], bool]) -> bool:
    """Return whether at least half of the first lines that are neither empty nor a comment pass a test."""
    lines = [line.strip()[:LONGEST_LINE] for line in head.split("\n") if line.strip() and not line.startswith("#")][:_SAMPLE]
    return bool(lines) and 2 * sum(map(test, lines)) >= len(lines)


def lists_cells(head: str) -> bool:
    """Return whether each line, except a header, has the row, column and value of one cell, in the order of the cells."""
    lines = [*islice((line for line in head.split("\n") if line.strip()), _SAMPLE)]
    found = [numbers for line in lines if len(numbers := [*map(int, _SHORT_NUMBER.findall(line))]) == len(_FIELDS)]
    if len(found) < max(_LEAST_CELLS, len(lines) - 1) or any(max(numbers) > MAX_SIDE for numbers in found):
        return False
    by_rows = all(one[:2] < other[:2] for one, other in pairwise(found))
    return by_rows or all(one[1::-1] < other[1::-1] for one, other in pairwise(found))
