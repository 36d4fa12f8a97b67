"""Which rows of a text belong to one board.

An empty line may separate boards or the bands of one board. So pieces (rows without an empty line between them) are joined until
they have as many rows as the board needs; a piece that does not fit begins the next board, and the one before it has rows
missing. A title always begins a new board; other words around boards are named in a warning. A full board that solves the one
before it is its solution.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice, pairwise
from math import isqrt
from typing import NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import Options, Record, error_record, not_read_lines, record_or_error
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.candidate_marks import domains_of_marks, marks_of_cells, parse_domains
from sudoku_cp.formats.board_text.rows import UPRIGHTS, BoardShape, TextRow, Token, puzzle_from_rows, without_numbers
from sudoku_cp.formats.grid_text import board_of_regions, label_components
from sudoku_cp.grid import MAX_SIDE, Board, Cell, Grid, default_boxes
from sudoku_cp.puzzle import Puzzle, detect_symbols

_AHEAD = 2 * MAX_SIDE + 1
"""Rows after which the first board is certain."""
_HEAD_ITEMS = 2000
_FIELD = re.compile(r"\s*[^\W\d][\w ]*[:=]\s*\S")
"""How a line such as ``Difficulty: hard`` begins."""
_LEAST_SPLIT = 16
_BAR = re.compile(f"[{UPRIGHTS}]")
_SOLUTION = re.compile(
    r"\W*(?:the |die |la |le )?(?:solutions?|answers?|lösung(?:en)?|loesung(?:en)?|soluci[oó]n(?:es)?|soluzion[ei]"
    r"|oplossing(?:en)?|solu[cç](?:ão|ões)|r[eé]solution|rozwiązani[ea]|řešení|lösning(?:ar)?|løsning(?:er)?)\b(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)
"""How a heading of a solution begins, in some languages; a few words may follow, such as ``of puzzle 3``."""


class Title(NamedTuple):
    """A line of words between boards; an empty one only ends a board."""

    text: str


class AnnouncedSigns(NamedTuple):
    """An alphabet that a comment announces."""

    signs: str


Item: TypeAlias = TextRow | Title | AnnouncedSigns | Record
FindShape: TypeAlias = Callable[[Sequence[TextRow]], BoardShape]
"""Finds the shape of the board that begins with these rows."""


def split_boards(items: Iterator[Item], shaped: FindShape, options: Options) -> Iterator[Record]:
    """Yield the record of each board in a stream of rows; records among the items are passed on."""
    head = list(islice(items, _HEAD_ITEMS))
    known = _detect_alphabets(head, options)
    rows: list[TextRow] = []
    words: list[str] = []
    held: Record | None = None
    for item in chain(head, items, [Title("")]):
        if isinstance(item, TextRow):
            rows.append(item)
        while rows and (len(rows) >= _AHEAD or not isinstance(item, TextRow)):
            board, shape, rows = _split_first_board(rows, shaped)
            if shape is None:
                words.append(board[0].text.strip())
                continue
            title, skipped = _choose_title(words)
            make = partial(_make_puzzle, board, shape, title, options, known)
            made, words = record_or_error(board[0].line, make, not_read_lines(skipped, "above the board")), []
            joined = join_solution(held, made, title)
            if joined is None or joined.error:
                yield from [held] if held else []
            held = joined or made
        if isinstance(item, Title):
            words += [item.text] if item.text else []
        elif isinstance(item, AnnouncedSigns):
            alphabets.learn_alphabet(known, item.signs, options)
        elif isinstance(item, Record):
            yield from [held, item] if held else [item]
            held = None
    if held:
        yield replace(held, warnings=(*held.warnings, *not_read_lines(words, "below the board"))) if held.puzzle else held


def _make_puzzle(
    rows: Sequence[TextRow], shape: BoardShape, title: str, options: Options, known: alphabets.KnownAlphabets
) -> Puzzle:
    """Return the puzzle in these rows, with the regions that are drawn unless the options state a grid; or its pencil marks."""
    if options.grid is None:
        if marks := marks_of_cells(["".join(token.text for token in row.signs) for row in rows]):
            grid = Grid.square(isqrt(len(marks)))
            givens, candidates = parse_domains(grid, domains_of_marks(grid, marks))
            return Puzzle(grid, givens=givens, candidates=candidates, title=title)
        _refuse_other_readings(rows, shape)
        rows, shape = without_numbers(rows, shape)
        shape = shape._replace(board=drawn_board(rows, shape.reading))
    return puzzle_from_rows(rows, shape, title, options, known)


def _refuse_other_readings(rows: Sequence[TextRow], shape: BoardShape) -> None:
    """Refuse a board that is more likely a list: of small boards, a row each; or of rows behind bullets."""
    side, cells = shape.rows, [[token.text for token in row.cells(shape.reading)] for row in rows]
    if not side == shape.columns == len(cells):
        return
    small, written = isqrt(side), [text for row in cells for text in row if not alphabets.is_blank(text)]
    spaced = all(len(row.tokens) == side and not row.rule for row in rows) and not any(
        map(_BAR.search, (row.text for row in rows))
    )
    if small**2 == side >= _LEAST_SPLIT and len(written) >= side and {*written} <= {*map(str, range(1, small + 1))} and spaced:
        words = (
            f"one board of {side}x{side} (state the size {side}), or a board of {small}x{small} in each row (remove the spaces)"
        )
        raise ParseError(
            f"expected values above {small} among {side} rows of {side} cells, got none: this may be {words}", line=rows[0].line
        )
    marks = {row[0] for row in cells if row}
    others = {text for row in cells for text in row[1:] if alphabets.is_blank(text)}
    if len(marks) == 1 and marks <= {"-", "*"} and others and marks.isdisjoint(others):
        words = f"{next(iter(marks))!r} in front of every row and {min(others)!r} elsewhere"
        raise ParseError(f"expected one mark for empty cells, got {words}: remove it if it is a bullet", line=rows[0].line)


def join_solution(first: Record | None, second: Record, title: str) -> Record | None:
    """Return the first puzzle with the second as its solution, or the error of what a heading calls a solution and is none.

    None if the second is a puzzle of its own: its title calls it something else, or it does not solve the first.
    """
    board, solved = first.puzzle if first else None, second.puzzle
    called = _SOLUTION.match(title.strip()) is not None
    if first is None or (title and not called) or solved is None:
        return None
    if board is None:
        words = "expected the solution of a puzzle above it that can be read"
        return error_record(second.line, f"{words}, got an error at line {first.line}") if called else None
    if board.solution is not None or len(board.givens) == len(board.grid.cells):
        return None
    problem = _why_no_solution(board, solved)
    if problem:
        words = f"expected below {title!r} a solution of the puzzle at line {first.line}"
        return error_record(second.line, f"{words}, got {problem}") if called else None
    values = tuple(solved.givens[cell] for cell in board.grid.cells)
    remark = ("the full board below it is read as its solution",) * (not called)
    return replace(first, puzzle=replace(board, solution=values), warnings=(*first.warnings, *second.warnings, *remark))


def _why_no_solution(board: Puzzle, solved: Puzzle) -> str:
    """Return why a board does not solve another, empty if it does: it is as large and full, and has all its givens."""
    grid = board.grid
    if (grid.places, grid.values) != (solved.grid.places, solved.grid.values):
        return "a board of another size"
    if len(solved.givens) < len(grid.cells):
        return f"{len(grid.cells) - len(solved.givens)} empty cells"
    other = next((cell for cell, value in board.givens.items() if solved.givens[cell] != value), None)
    if other is None:
        return ""
    return f"{solved.symbols.sign(solved.givens[other])!r} in {grid.cell_name(other)}, which is given as another value"


def _choose_title(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the title among the lines above a board, the last that is not like ``Difficulty: hard``, and the other lines."""
    fit = [at for at, line in enumerate(words) if not line.startswith("|")]  # the header of a table is no title
    at = max((at for at in fit if not _FIELD.match(words[at])), default=fit[-1] if fit else len(words))
    return "".join(words[at : at + 1]), [*words[:at], *words[at + 1 :]]


def _detect_alphabets(items: Iterable[Item], options: Options) -> alphabets.KnownAlphabets:
    """Detect the alphabet of each size, until a comment announces another."""
    used: dict[int, set[str]] = {}
    settled: set[int] = set()
    for item in items:
        if isinstance(item, AnnouncedSigns):
            settled.add(len(item.signs))
        elif isinstance(item, TextRow) and len(item.signs) <= MAX_SIDE and len(item.signs) not in settled:
            used.setdefault(len(item.signs), set()).update(token.text for token in item.signs)
    columns = options.grid.boards[0].columns if options.grid else None
    values = {width: options.grid.values if options.grid else range(1, width + 1) for width in used if columns in {None, width}}
    clear = [width for width in values if not alphabets.may_have_value_0(used[width], values[width])]
    return {len(values[width]): detect_symbols(used[width], values[width]) for width in clear}


def _split_first_board(rows: Sequence[TextRow], shaped: FindShape) -> tuple[list[TextRow], BoardShape | None, list[TextRow]]:
    """Return the rows of the first board, its shape, and the other rows; a row without a shape is a title."""
    shape = shaped(_split_at_gaps(rows)[0])
    rows = _without_borders(rows, shape)
    pieces = _split_at_gaps(rows)
    first = pieces[0]
    if len(first) >= shape.rows:
        extra = len(first) - shape.rows
        if extra and not _fits(first[0], shape) and all(_fits(row, shape) for row in first[1 : shape.rows + 1]):
            return [rows[0]], None, rows[1:]
        # A row too many is a board of a wrong shape; many are the next board.
        size = len(first) if 4 * extra < shape.rows else shape.rows
        return rows[:size], shape, rows[size:]
    size = len(first)
    for piece in pieces[1:]:
        if size + len(piece) > shape.rows or 2 * sum(_fits(row, shape) for row in piece) < len(piece):
            break
        size += len(piece)
    if size == 1 and len(pieces) > 1 and not _fits(rows[0], shaped(pieces[1])):
        return [rows[0]], None, rows[1:]
    return rows[:size], shape, rows[size:]


def _without_borders(rows: Sequence[TextRow], shape: BoardShape) -> list[TextRow]:
    """Return the rows without those that are borders: of another width, or too many, where the others are whole boards."""
    if not any(row.dashes for row in rows):
        return [*rows]
    first = _split_at_gaps(rows)[0]
    near = first if len(first) >= shape.rows else rows
    cells = sum(not row.dashes for row in near)
    surplus = cells > 0 and len(near) % shape.rows > 0 == cells % shape.rows
    found: list[TextRow] = []
    gap, rule = False, ""
    for row in rows:
        gap, rule = gap or row.gap, row.rule or rule
        if row.dashes and (surplus or not _fits(row, shape)):
            rule = row.text
            continue
        found.append(row if (gap, rule) == (row.gap, row.rule) else replace(row, gap=gap, rule=rule))
        gap, rule = False, ""
    return found or list(rows)


def _fits(row: TextRow, shape: BoardShape) -> bool:
    return len(row.cells(shape.reading)) == shape.columns


def _split_at_gaps(rows: Sequence[TextRow]) -> list[list[TextRow]]:
    """Split the rows at empty lines."""
    pieces: list[list[TextRow]] = []
    for row in rows:
        if row.gap or not pieces:
            pieces.append([])
        pieces[-1].append(row)
    return pieces


def most_common(numbers: Iterable[int]) -> int:
    """Return the most common number, the first one if several are equally common."""
    return Counter(numbers).most_common(1)[0][0]


# The regions that bars and borders of a drawing show: boxes, or irregular ones of the board's size.
#
# Bars that part every cell from the next, or lie the same way in all rows without borders across them, only adorn a board;
# heavier bars among others (``||``, ``┃``, ``═``) are the walls. Where walls end within the board, it has the regions that they
# enclose.


Walls: TypeAlias = list[list[int]]
"""How heavy the walls are behind the cells of each row, or below them; 0 for none."""

_BARS = re.compile(f"[{UPRIGHTS}]+")
_LIGHT, _USUAL, _HEAVY = 1, 2, 3
_WEIGHTS = dict.fromkeys(":┆┊╎", _LIGHT) | dict.fromkeys("┃║=━═", _HEAVY)
_SHOWN = 5


def drawn_board(rows: Sequence[TextRow], reading: str) -> Board | None:
    """Return the square board with the regions that are drawn, None if these are the usual ones or none are drawn.

    Raises `ParseError` if walls enclose no regions of the board's size.
    """
    cells = [row.cells(reading) for row in rows]
    side = len(rows)
    if any(len(row) != side for row in cells) or not any(row.rule or _BARS.search(row.text) for row in rows[1:]):
        return None
    right = _walls([[*_bars_behind(row, tokens)] for row, tokens in zip(rows, cells, strict=True)])
    below = _walls(_borders_above(rows[1:], _places(cells)))
    if all(row == right[0] for row in right) and all(len({*row}) == 1 for row in below):
        down = [at + 1 for at, row in enumerate(below) if row[0]]
        across = [at + 1 for at, wall in enumerate(right[0]) if wall]
        boxes = _drawn_boxes(side, down, across)
        if boxes or not (down and across):
            return Board(side, side, boxes) if boxes and boxes != default_boxes(side) else None
    return _board_between(right, below, rows[0].line)


def _walls(weights: Walls) -> Walls:
    """Return the walls: all bars if some cells have none between them, else the heavier ones."""
    found = {weight for row in weights for weight in row}
    least = 0 if 0 in found else min(found, default=0)
    return [[weight if weight > least else 0 for weight in row] for row in weights]


def _bars_behind(row: TextRow, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield how heavy the bars behind each cell of a row but the last are."""
    for one, other in pairwise(tokens):
        found = _BARS.search(row.text, one.column - 1 + len(one.text), max(other.column - 1, 0))
        yield _weight(found.group()) if found else 0


def _weight(bar: str) -> int:
    return max(_WEIGHTS.get(bar[0], _USUAL), _HEAVY if len(bar) > 1 else 0)


def _places(cells: Sequence[Sequence[Token]]) -> list[int]:
    """Return where each column of cells stands in most rows."""
    return [Counter(token.column - 1 for token in column).most_common(1)[0][0] for column in zip(*cells, strict=True)]


def _borders_above(rows: Sequence[TextRow], places: Sequence[int]) -> Walls:
    """Return how heavy the borders above each cell are.

    Borders that are all alike and have no gap part all cells, even if they are not as wide as the rows.
    """
    whole = len({row.rule.strip() for row in rows if row.rule}) == 1 and all(len(row.rule.split()) <= 1 for row in rows)
    found = []
    for row in rows:
        rule = row.rule if not whole else next(filter(_is_line, row.rule), "") * (max(places) + 1)
        signs = [rule[at : at + 1] for at in places]
        found.append([_weight(sign) if _is_line(sign) else 0 for sign in signs])
    return found


def _is_line(sign: str) -> bool:
    return bool(sign) and not sign.isspace() and sign not in UPRIGHTS


def _drawn_boxes(side: int, down: Sequence[int], across: Sequence[int]) -> tuple[int, int] | None:
    """Return the height and width of the boxes that walls in these rows and columns show; the usual ones if they may be."""
    sizes = [size for size in range(2, side) if side % size == 0]
    heights = [size for size in sizes if [*range(size, side, size)] == [*down]]
    widths = [size for size in sizes if [*range(size, side, size)] == [*across]]
    shown = [(side // width, width) for width in widths if side // width in heights or not down]
    shown += [(height, side // height) for height in heights if not across]
    return shown[0] if shown else None


def _board_between(right: Walls, below: Walls, line: int) -> Board | None:
    """Return the board whose regions lie between walls, or refuse walls that enclose no such regions."""
    side = len(right)
    pairs: list[tuple[Cell, Cell]] = []
    for row in range(side):
        start = row * side
        pairs += [(start + at, start + at + 1) for at, wall in enumerate(right[row]) if not wall]
        pairs += [(start + at, start + at + side) for at, wall in enumerate(below[row] if row + 1 < side else ()) if not wall]
    labels = tuple(label_components(side * side, pairs))
    sizes = Counter(labels)
    if {*sizes.values()} == {side}:
        board = board_of_regions(side, side, labels)
        return None if board == Grid.square(side).boards[0] else board
    shown = ", ".join(map(str, [*sizes.values()][:_SHOWN])) + ", ..." * (len(sizes) > _SHOWN)
    words = f"expected bars and borders around {side} regions of {side} cells, got {len(sizes)} of {shown} cells"
    remedy = "leave bars out for the usual boxes, or write the region of each cell in a block below"
    raise ParseError(f"{words}: {remedy}", line=line)
