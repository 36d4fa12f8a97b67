"""Sudokus with irregular regions: the cells of a board, then (on the same line or the next) the label of each cell's region.

Where the second half, or the next line, is a full board that solves the first, it is the solution of a plain board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Format,
    Options,
    Record,
    error_record,
    line_too_long,
    non_ascii_problem,
    one_line_title,
    peek_head,
    record_or_error,
    refuse_any,
    unplain_problems,
    write_each,
)
from sudoku_cp.formats.grid_text import first_bodies, jigsaw_grid, strip_comment
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line, square_side
from sudoku_cp.symbols import BLANKS, DIGITS, LOWERCASE, UPPERCASE, alphabet, numerals

_LABELS = DIGITS + UPPERCASE + LOWERCASE
_BLANK_SIGNS = frozenset(BLANKS)
_LEAST = 4
_MOST = 36


def _side_of_layout(text: str) -> int | None:
    """Return the side of the board if a text is the region labels of one: as many labels as rows, each as often."""
    side = square_side(len(text))
    fits = side is not None and side >= _LEAST and len({*text}) == side and all(text.count(sign) == side for sign in {*text})
    return side if fits else None


def is_layout(text: str) -> bool:
    """Return whether a text is region labels; if every row has every label, it is a solved board instead."""
    side = _side_of_layout(text)
    return side is not None and any(len({*text[start : start + side]}) < side for start in range(0, len(text), side))


def _split_halves(text: str) -> tuple[str, str] | None:
    """Return the cells and the region labels of a text that has both."""
    middle, odd = divmod(len(text), 2)
    return None if odd or not _side_of_layout(text[middle:]) else (text[:middle], text[middle:])


def is_full_board(text: str) -> bool:
    """Return whether a text is a full board: each sign once in each row and column."""
    side = square_side(len(text)) or 0
    rows = [text[start : start + side] for start in range(0, len(text), side)] if side else []
    return bool(rows) and all(len({*line}) == side for line in (*rows, *zip(*rows, strict=True)))


def first_clash(cells: str, solution: str) -> int | None:
    """Return the first cell whose sign is not that of the solution, None if there is none."""
    pairs = enumerate(zip(cells, solution, strict=True))
    return next((at for at, (cell, sign) in pairs if cell != sign and cell not in BLANKS), None)


def is_solution(cells: str, text: str) -> bool:
    """Return whether a text is a full board that has all givens of another with empty cells."""
    same = len(cells) == len(text) and "." not in text and not _BLANK_SIGNS.isdisjoint(cells)
    return same and first_clash(cells, text) is None and is_full_board(text)


def split_regions(text: str, cells: int) -> tuple[str, str]:
    """Split the text after a board into region labels, if it begins with as many as the board has cells, and the rest."""
    word, _, rest = text.partition(" ")
    return (word, rest.strip()) if len(word) == cells and is_layout(word) else ("", text)


def grid_from_regions(layout: str) -> Grid:
    """Return the square board with these regions."""
    return jigsaw_grid(layout, Grid.square(square_side(len(layout)) or 0))


# --- reading ----------------------------------------------------------------------------------------------------


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line of cells and regions (joined or apart), of each two lines, and of regions alone.

    Regions in a block of rows are read as the format ``blocks`` reads them.
    """
    from sudoku_cp.formats import stacked_blocks  # noqa: PLC0415  # most texts need none of it

    head, lines = peek_head(lines)
    if not sniff("\n".join(head)) and stacked_blocks.sniff("\n".join(head)):
        return stacked_blocks.read(lines, options)
    return _read_lines(lines, options, alone=are_solved_in_turn(_first_words("\n".join(head))))


def _first_words(head: str) -> list[str]:
    return [body.split(None, 1)[0] for body in first_bodies(head)]


def _read_lines(lines: Iterator[str], options: Options, *, alone: bool) -> Iterator[Record]:
    """Yield the puzzles; ``alone``: a board may stand without regions or a solution."""
    waiting: tuple[int, str, str] | None = None
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        word, _, title = strip_comment(line).strip().partition(" ")
        if not word:
            continue
        if foreign := non_ascii_problem(word):
            yield error_record(number, foreign)
            continue
        if waiting and len(word) == len(waiting[1]) and _side_of_layout(word):
            yield record_or_error(waiting[0], partial(_make_puzzle, waiting[1], word, waiting[2] or title.strip(), options))
            waiting = None
            continue
        if waiting:
            yield _lone_board(waiting, options, alone=alone)
            waiting = None
        behind, rest = split_regions(title.strip(), len(word))
        halves = (word, behind) if behind else _split_halves(word)
        if halves:
            yield record_or_error(number, partial(_make_puzzle, *halves, rest, options))
        elif is_layout(word):
            yield record_or_error(number, partial(_make_puzzle, "." * len(word), word, title.strip(), options))
        else:
            waiting = number, word, title.strip()
    if waiting:
        yield _lone_board(waiting, options, alone=alone)


def _lone_board(waiting: tuple[int, str, str], options: Options, *, alone: bool) -> Record:
    number, word, title = waiting
    if alone and square_side(len(word)):
        return record_or_error(number, partial(_make_puzzle, word, "", title, options))
    expected = "a board and the regions of its cells (81 + 81 signs for 9x9, each region 9 times)"
    return error_record(number, f"expected {expected}, got {len(word)} signs")


def _make_puzzle(signs: str, below: str, title: str, options: Options) -> Puzzle:
    """Return the puzzle of these cells, and of the regions or the solution below them, if there are any."""
    if below and len(signs) != len(below):
        raise ParseError(f"expected {len(below)} cells, got {len(signs)}")
    is_full = is_full_board(below)
    grid = grid_from_regions(below) if below and not is_full else Grid.square(square_side(len(signs)) or 0)
    clash = first_clash(signs, below) if is_full else None
    if clash is not None:
        words = f"{below[clash]!r} in {grid.cell_name(clash)}, where {signs[clash]!r} is given"
        raise ParseError(f"expected regions, or the solution of the cells, got a full board with {words}")
    symbols = alphabet(options.alphabet, grid.values) if options.alphabet else numerals(grid.values)
    grid, symbols, givens = parse_line(signs, grid, symbols)
    solved = parse_line(below, grid, symbols)[2] if is_full else {}
    solution = tuple(solved[cell] for cell in grid.cells) if solved else None
    return Puzzle(grid, givens=givens, symbols=symbols, title=title, solution=solution)


def are_solved_in_turn(lines: Sequence[str]) -> bool:
    """Return whether some line of boards is the solution of the one before it."""
    return any(len(one) >= _LEAST**2 and is_solution(one, other) for one, other in pairwise(lines))


def sniff(head: str) -> bool:
    """Return whether the first lines are a board and its regions, or regions alone; or boards and their solutions."""
    lines = _first_words(head)
    words = lines[:2]
    if not words or any(len(word) > 2 * _MOST**2 for word in words):
        return False
    first, second = words[0], words[-1]
    below = len(first) == len(second) and square_side(len(first)) is not None and is_layout(second) and bool({*first} & {*BLANKS})
    return _split_halves(first) is not None or is_layout(first) or below or are_solved_in_turn(lines)


# --- writing ----------------------------------------------------------------------------------------------------


def puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the cells, the region labels and the title."""
    _require_jigsaw(puzzle)
    own = numerals(puzzle.grid.values)
    signs = "".join(own.sign(puzzle.givens[cell]) if cell in puzzle.givens else "." for cell in puzzle.grid.cells)
    labels = puzzle.grid.boards[0].labels()
    order = dict(zip(dict.fromkeys(labels), _LABELS, strict=False))
    title = one_line_title(puzzle)
    return signs + "".join(order[label] for label in labels) + (f" {title}" if title else "") + "\n"


def _require_jigsaw(puzzle: Puzzle) -> None:
    grid, board = puzzle.grid, puzzle.grid.boards[0]
    labels = board.labels()
    side = board.rows
    square = len(grid.boards) == 1 and board.at == (0, 0) and board.columns == side and grid.values == range(1, side + 1)
    regions = None not in labels and len({*labels}) == side and all(labels.count(label) == side for label in {*labels})
    other = "a grid that is not one square board, of 4 x 4 or more, with as many regions as rows, all of that size"
    fits = square and regions and _LEAST <= side <= _MOST
    refuse_any([*[other] * (not fits), *unplain_problems(puzzle)], "a jigsaw for the format 'jigsaw'")


FORMAT = Format(
    "jigsaw",
    "a board and its regions a line: 81 signs and 81 labels; or the labels alone",
    (),
    sniff,
    read,
    write_each(puzzle_to_line),
    {"title": one_line_title},
)
