"""One puzzle a line: a character for each cell, row by row; regions, a title and a ``#`` comment may follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Encoder,
    Format,
    Options,
    Record,
    error_record,
    keep_unchanged,
    line_too_long,
    one_line_title,
    peek_head,
    record_or_error,
    require_plain,
)
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.candidate_marks import DIGITS
from sudoku_cp.formats.grid_text import first_bodies, strip_comment
from sudoku_cp.formats.jigsaws import (
    are_solved_in_turn,
    first_clash,
    grid_from_regions,
    is_full_board,
    is_layout,
    is_solution,
    split_regions,
)
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, detect_symbols, parse_line, square_side
from sudoku_cp.symbols import BLANKS, PLAIN_SIGNS, is_mostly_plain

LEAST = 16
"""Cells of the smallest board that cannot be mistaken for a word (4x4)."""
_USUAL = 81
_SMALL_MARKS = 64
"""The pencil marks of a 4x4 board are as many as the cells of an 8x8 board, which is likelier."""
_LEAST_OF_MARKS = 4
_CHANCE = 3
"""Givens of a large board, such as 27x27, that may stand where the same pencil marks would."""
_CELLS = frozenset("0123456789.")
_SAMPLE = 50
"""The first lines, by which a file is judged."""
_T = TypeVar("_T")
_FOREIGN = frozenset(",;:~<>|/&=")
"""Signs of other formats."""


@dataclass(frozen=True)
class LineFileFacts:
    """What is known about a file: the options, the alphabets so far, and the most common number of cells."""

    options: Options
    known: alphabets.KnownAlphabets
    usual: int | None
    solved: bool = False
    """Whether a solution stands below its board among the first lines: then a full board below another one that it contradicts is
    an error."""

    def fits(self, length: int) -> bool:
        """Return whether a board can have this many cells."""
        grid = self.options.grid
        return square_side(length) is not None if grid is None else length == len(grid.cells)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line that is not empty."""
    head, lines = peek_head(lines)
    return iter_records(enumerate(lines, 1), survey_head(head, options))


def iter_records(numbered: Iterable[tuple[int, str]], reading: LineFileFacts) -> Iterator[Record]:
    """Yield the puzzle of each line that is not empty, and learn the alphabets that comments announce.

    A full board that solves the board on the line above is its solution; below a damaged board it is an error, too.
    """
    is_solution_of_last, damaged = False, 0
    for (number, line), following in _with_next(one for one in numbered if one[1] and not one[1].isspace()):
        if is_solution_of_last:
            is_solution_of_last = False
        elif damaged:
            words = "expected the solution of a puzzle above it that can be read"
            yield error_record(number, f"{words}, got an error at line {damaged}")
            damaged = 0
        elif "#" in line and (new_signs := alphabets.announced_signs(line)):
            alphabets.learn_alphabet(reading.known, new_signs, reading.options)
        elif len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        else:
            body = strip_comment(line)
            if body and not body.isspace():
                below = _solution_below(body, following, reading)
                is_solution_of_last = bool(below)
                record = record_or_error(number, partial(_parse_puzzle, body, reading, below))
                damaged = number if record.error and following and _is_damaged(body, following[1], reading) else 0
                yield record


def _is_damaged(body: str, following: str, reading: LineFileFacts) -> bool:
    """Return whether a line is a board with empty cells that has lost some cells, and its solution is on the line below."""
    from sudoku_cp.formats.table_layout import is_damaged_board  # noqa: PLC0415  # most files have no such line

    cells, below = split(body, reading)[1], strip_comment(following).strip()
    return is_damaged_board(cells, len(below)) and not {*BLANKS}.isdisjoint(cells) and is_full_board(below)


def _with_next(items: Iterable[_T]) -> Iterator[tuple[_T, _T | None]]:
    """Yield each item with the one after it, None at the end; an error of the items comes after all of them."""
    waiting: list[_T] = []
    try:
        for item in items:
            for last in waiting:
                yield last, item
            waiting = [item]
    except ParseError:
        for last in waiting:
            yield last, None
        raise
    for last in waiting:
        yield last, None


def _solution_below(body: str, following: tuple[int, str] | None, reading: LineFileFacts) -> str:
    """Return the following line, without a comment, if it begins with the solution of a line's board; else an empty text."""
    if following is None or "." in following[1]:
        return ""
    below, cells = strip_comment(following[1]).strip(), split(body, reading)[1]
    full = below[: len(cells)]
    is_alone = len(body) < 2 * len(cells) and below[len(cells) : len(cells) + 1] in {"", " "}
    is_meant = is_solution(cells, full) or (reading.solved and is_full_board(full) and not is_full_board(cells))
    return below if is_alone and is_meant else ""


def survey_head(head: list[str], options: Options) -> LineFileFacts:
    """Detect the alphabet of each board size (until a comment announces another), and count the sizes."""
    grid = options.grid
    reading = LineFileFacts(options, {}, len(grid.cells) if grid else None)
    sizes: Counter[int] = Counter()
    used: dict[int, set[str]] = {}
    solved = are_solved_in_turn([split(body, reading)[1] for line in head[:_SAMPLE] if (body := strip_comment(line)).strip()])
    if _is_uniform(head) and reading.fits(len(head[0])):
        sizes[len(head[0])], used[len(head[0])], head = len(head), set("".join(head)), []
    settled: set[int] = set()
    for line in head:
        new_signs = alphabets.announced_signs(line)
        settled.add(len(new_signs) ** 2 if new_signs else 0)
        body = strip_comment(line)
        if new_signs or len(line) > LONGEST_LINE or not body.strip():
            continue
        _, text, _ = split(body, reading)
        if reading.fits(len(text)):
            sizes[len(text)] += 1
            if len(text) not in settled:
                used.setdefault(len(text), set()).update(text)
    for length, found in used.items():
        values = grid.values if grid else Grid.square(square_side(length) or 0).values
        if not alphabets.may_have_value_0(found, values):  # else each line is judged alone
            reading.known[len(values)] = detect_symbols(found, values)
    usual = reading.usual or (max(sizes, key=lambda size: sizes[size]) if sizes else None)
    return LineFileFacts(options, reading.known, usual, solved=solved)


def _is_uniform(head: list[str]) -> bool:
    """Return whether all lines have one length and only characters of cells: nearly all long files do."""
    return bool(head) and len(head[0]) >= LEAST and len({*map(len, head)}) == 1 and _CELLS.issuperset("".join(head))


def _parse_puzzle(body: str, reading: LineFileFacts, below: str) -> Puzzle:
    start, text, title = split(body, reading)
    if not reading.fits(len(text)) and reading.usual:
        raise ParseError(f"expected {reading.usual} cells, got {len(text)}")
    grid = reading.options.grid or (Grid.square(side) if (side := square_side(len(text))) else None)
    symbols = alphabets.symbols_for(reading.known, grid.values, text, reading.options) if grid else None
    try:
        grid, symbols, givens = parse_line(text, grid, symbols, start)
    except ParseError as error:
        lettered = alphabets.own_letters_error(text, grid.values, reading.options) if grid else None
        raise alphabets.wrong_size_error(text, reading.usual, reading.known) or lettered or error from error
    second = "" if below or len(title) < len(text) else _board_behind(title, grid)
    if second and not is_solution(text, second):
        raise ParseError(f"expected one puzzle on the line, got two: put each on a line of its own; the second is {second!r}")
    if below and (clash := first_clash(text, below[: len(text)])) is not None:
        words = f"{below[clash]!r} in {grid.cell_name(clash)}, where {text[clash]!r} is given"
        raise ParseError(f"expected the solution of the cells below them, got a full board with {words}")
    if second or below:
        solved = parse_line(second or below[: len(text)], grid, symbols)[2]
        rest = title[len(second) :].strip() or below[len(text) :].strip()
        return Puzzle(grid, givens=givens, symbols=symbols, title=rest, solution=tuple(solved[cell] for cell in grid.cells))
    regions, title = split_regions(title, len(text))
    return Puzzle(grid_from_regions(regions) if regions else grid, givens=givens, symbols=symbols, title=title)


def _board_behind(title: str, grid: Grid) -> str:
    """Return the first word behind the cells if it is as many cells of such a board and no regions, else an empty text."""
    word = title.split(None, 1)[0]
    fits = len(word) == len(grid.cells) and alphabets.can_be_board(word, grid.values) and any(map(str.isdecimal, word))
    return word if fits and not is_layout(word) else ""


def split(body: str, reading: LineFileFacts) -> tuple[int, str, str]:
    """Return where the cells begin (from 0), the cells, and the title after them.

    The cells are the first word or, where blanks are spaces, as much of the line as makes a board.
    """
    word, *rest = body.split(None, 1)
    title = rest[0].strip() if rest else ""
    if len(word) < LEAST or not reading.fits(len(word)):
        for size in (len(body), reading.usual or _USUAL, len(body.rstrip())):
            plain = set(body[:size]) <= PLAIN_SIGNS
            if reading.fits(size) and body[size : size + 1] in {"", " "} and (plain or (size != _USUAL and len(word) < LEAST)):
                return 0, body[:size], body[size:].strip()
        if len(word) < LEAST and not reading.fits(len(word)):
            return body.index(word), body.strip(), ""
    return body.index(word), word, title


# --- recognising ------------------------------------------------------------------------------------------------


def sniff(head: str) -> bool:
    """Return whether at least half of the first lines hold a square board of 4x4 or more, in symbols of such a board."""
    bodies, boards = _first_boards(head)
    lines = bool(boards) and 2 * len(boards) >= len(bodies) and not any(map(_is_something_else, boards))
    return lines and not side_of_mark_rows(head) and not is_table(head, Options())


def is_table(head: str, options: Options) -> bool:
    """Return whether a text of boards is a table: with a header, or with the same columns in all lines."""
    bodies = first_bodies(head)
    if all(body.strip() and len(body.split()) == 1 for body in bodies) and any(map(str.isdigit, bodies[0])):
        return False
    from sudoku_cp.formats import table_layout  # noqa: PLC0415  # most files of lines have nothing but boards

    return table_layout.is_table(head, options)


def looks_like_signs(head: str) -> bool:
    """Return whether the first line was meant as a board, though perhaps not a complete one: the error can then be specific."""
    bodies, boards = _first_boards(head)
    first = bodies[0].split()[0][:LONGEST_LINE] if bodies else ""
    mostly_plain = len(first) >= LEAST and is_mostly_plain(first)
    return (mostly_plain or _in_own_letters(first)) and not set(first) & _FOREIGN and not any(map(_is_something_else, boards))


def _in_own_letters(text: str) -> bool:
    """Return whether a text is a board in letters of its own, at most as many as there are values."""
    side = square_side(len(text)) or 0
    letters = {*text.upper()} - {*BLANKS}
    return side * side >= LEAST and len(letters) <= side and "".join(letters).isalpha() and bool({*text} & {*BLANKS})


def _first_boards(head: str) -> tuple[list[str], list[str]]:
    """Return the first lines, and the cells of those that may be boards."""
    reading = LineFileFacts(Options(), {}, None)
    bodies = first_bodies(head)
    texts = [split(body, reading)[1] for body in bodies if len(body) <= LONGEST_LINE]
    sides = [(text, square_side(len(text))) for text in texts if len(text) >= LEAST]
    return bodies, [text for text, side in sides if side and alphabets.can_be_board(text, range(1, side + 1))]


def _is_something_else(text: str) -> bool:
    """Return whether what looks like a board is a list of regions or of pencil marks."""
    return is_layout(text) or are_marks(text)


def are_marks(text: str) -> bool:
    """Return whether a text is the pencil marks of a board of 5x5 or more: some values of each cell, all at their places."""
    side = round(len(text) ** (1 / 3))
    if side**3 != len(text) or len(text) <= _SMALL_MARKS or side > DIGITS:
        return False
    written = [(at, sign) for at, sign in enumerate(text) if sign not in ".0"]
    return len(written) > _CHANCE and all(sign == str(at % side + 1) for at, sign in written)


def side_of_mark_rows(head: str) -> int:
    """Return the side of the board of which each line is the pencil marks of a row, 0 if lines are none.

    As boards, all lines would have the same sign in cells below each other, and so no solution.
    """
    lines = [body.strip() for body in first_bodies(head)]
    side = square_side(len(lines[0])) or 0 if lines else 0
    if not _LEAST_OF_MARKS <= side <= min(DIGITS, len(lines)) or not _are_row_marks(lines[0], side):
        return 0
    marks = {*map(len, lines)} == {side * side} and all(_are_row_marks(line, side) for line in lines)
    columns = ([at % side for at, sign in enumerate(line) if sign not in ".0"] for line in lines)
    return side if marks and any(len({*line}) < len(line) for line in columns) else 0


def _are_row_marks(line: str, side: int) -> bool:
    return all(sign in ".0" or sign == str(at % side + 1) for at, sign in enumerate(line))


# --- writing ----------------------------------------------------------------------------------------------------


def write() -> Encoder:
    """Return an encoder: a line for each puzzle, its title after the cells."""
    known: alphabets.KnownAlphabets = {}

    def line_of(puzzle: Puzzle) -> str:
        require_plain("line", puzzle)
        text, title = puzzle.line(), _title(puzzle)
        return alphabets.announce_signs("line", puzzle, text, known) + text + (f" {title}" if title else "") + "\n"

    return Encoder(line_of)


def _title(puzzle: Puzzle) -> str:
    """Return the title, empty on boards so small that the cells look like a word."""
    return one_line_title(puzzle) if len(puzzle.grid.cells) >= LEAST else ""


FORMAT = Format(
    "line",
    "one puzzle a line: a sign for each cell, row by row",
    (".txt", ".sdm"),
    sniff,
    read,
    write,
    {"title": _title, **keep_unchanged("symbols")},
)
