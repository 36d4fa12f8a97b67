"""Puzzles from trees of brackets: which groups are boards, solutions or regions, and what their cells hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import Options, SolvingState, first_problems
from sudoku_cp.formats.board_roles import assign_roles, board_role, has_givens, meaning_of, plain_name, state_of_player
from sudoku_cp.formats.board_text.alphabets import can_be_board, is_blank, refuse_two_blanks
from sudoku_cp.formats.board_text.board_splitter import most_common
from sudoku_cp.formats.board_text.candidate_marks import DIGITS, parse_domains
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, Token, puzzle_from_rows, required_rectangle
from sudoku_cp.formats.document_fields import is_empty
from sudoku_cp.formats.grid_text import region_signs
from sudoku_cp.formats.jigsaws import grid_from_regions, is_layout
from sudoku_cp.formats.matrices.brackets import EMPTY, BracketGroup, Node, Scalar
from sudoku_cp.formats.stated_rules import add_stated_rules
from sudoku_cp.grid import Grid, default_boxes
from sudoku_cp.puzzle import square_side
from sudoku_cp.puzzle.puzzle import MAX_LISTED_PROBLEMS
from sudoku_cp.symbols import is_mostly_plain

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


Rows: TypeAlias = "Sequence[Sequence[Scalar]]"
LEAST = 4
"""Rows of the smallest board that is looked for."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True)
class Matrix:
    """A matrix: its name (of the field or the variable), its rows, and where it begins."""

    name: str
    rows: Rows
    line: int
    flat: bool = False

    @property
    def is_solution(self) -> bool:
        """Whether its name calls it a solution."""
        return self.role == "solution"

    @property
    def role(self) -> str:
        """What it is by its name."""
        return board_role(self.name)

    @property
    def text(self) -> str | None:
        """The sign of each cell, None if some cell is more than a sign."""
        cells = [cell.text for row in self.rows for cell in row]
        return "".join(cells) if all(len(cell) == 1 for cell in cells) else None


def is_board_name(name: str) -> bool:
    """Return whether a field of that name holds a puzzle."""
    return meaning_of(name) in {"puzzle", "start", "board"} or board_role(name) == "state"


# --- which groups are boards ------------------------------------------------------------------------------------


def rows_of(node: Node) -> Rows | None:
    """Return the rows of a group that is a matrix, perhaps of a wrong shape, or one row of all cells; None for others."""
    if isinstance(node, Scalar) or node.is_labelled:
        return None
    scalars, groups = node.scalars, node.groups
    if not groups and board_texts(node):
        return None
    if not groups:
        if len(scalars) >= LEAST and all(one.quoted and len(one.text) >= LEAST for one in scalars):
            return [_signs(one, len(scalars)) for one in scalars]
        return [scalars] if len(scalars) >= LEAST**2 else None
    leaves = [group.scalars for group in groups if not group.groups and not group.is_labelled]
    if not all(map(_is_cut, scalars)) or len(leaves) < len(groups) or len(groups) < LEAST:
        return None
    return leaves if most_common(map(len, leaves)) >= LEAST else None


def board_texts(node: Node) -> list[Scalar]:
    """Return the items of a group that are boards as texts, all of them; nothing if they are not, or rows of one board."""
    if isinstance(node, Scalar) or node.is_labelled or node.groups:
        return []
    texts = node.scalars
    rows = len(texts) >= LEAST and most_common(len(one.text) for one in texts) == len(texts)
    return texts if texts and not rows and all(map(_is_board_text, texts)) else []


def _is_board_text(item: Scalar) -> bool:
    """Return whether a text is the cells of a board."""
    side = square_side(len(item.text)) if item.quoted and len(item.text) >= LEAST**2 else None
    return side is not None and is_mostly_plain(item.text) and can_be_board(item.text, range(1, side + 1))


def _is_cut(cell: Scalar) -> bool:
    """Return whether NumPy left out cells of a large array here."""
    return cell.text.startswith("...") or cell.text == "…"


def _signs(text: Scalar, side: int) -> list[Scalar]:
    """Return the cells of a row that is a string of signs, with or without spaces and borders between them."""
    signs = [(at, sign) for at, sign in enumerate(text.text, 1) if len(text.text) == side or sign not in " |,"]
    return [Scalar(text.line, text.column + at, EMPTY if sign == " " else sign, quoted=True) for at, sign in signs]


def boards_in(node: Node, name: str = "") -> Iterator[Matrix]:
    """Yield the matrices of a tree, in their order."""
    rows = rows_of(node)
    if rows is not None:
        yield Matrix(name, rows, node.line, flat=len(rows) == 1)
    elif isinstance(node, BracketGroup):
        for label, item in node.items:
            yield from boards_in(item, label or name)


def looks_square(board: Matrix) -> bool:
    """Return whether all rows of a matrix have as many cells as there are rows, and cells are short."""
    short = all(len(cell.text) <= DIGITS for row in board.rows for cell in row)
    if board.flat:
        return short and square_side(len(board.rows[0])) is not None
    return short and {len(row) for row in board.rows} == {len(board.rows)}


# --- which boards belong together -------------------------------------------------------------------------------


@dataclass(frozen=True)
class MatrixParts:
    """A board with what accompanies it: solution, regions, a player's progress, names of rules, texts; what was not read."""

    board: Matrix
    solution: Matrix | None = None
    regions: Matrix | None = None
    progress: Matrix | None = None
    rules: tuple[tuple[str, str], ...] = ()
    """Fields with names of rules, and these."""
    texts: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """Names of fields that may be rules."""


_BY_COLUMNS = _names("columns cols")
_BY_BOXES = _names("boxes blocks subgrids")
"""Names of boards whose lists are no rows."""
_TEXTS = frozenset({"title", "author", "source", "id", "difficulty"})
_HARMLESS = _names(
    "columns index size shape order dtype version nrow ncol byrow width height status message results date created seed "
    "ndmin copy success ok valid unique solvable solved completed symmetric"
)
_OF_ANSWERS = _names(
    "index status solution solutions count exact backend seconds counters estimate stderr iterations conflict clash "
    "wrong_values differ frozen additions fewest minimal unnecessary unnecessary_rules unnecessary_candidates "
    "undecided reason candidates cap forced impossible complete calls level place text step steps path values se sukaku "
    "hodoku proof_size word seed number givens difficulty tries proved_by missed claim proof proofs prover warnings "
    "verdicts shrunk shrunk_verdicts errors error rating style stated_solution truncated counts partial certificate trusted "
    "verdict tree findings file line folder title cells least most guesses why symmetry missing ways"
)
"""Fields besides the puzzle in the answers of this program."""
_MARKS_OF_ANSWERS = frozenset({"index", "status", "seed", "tries"})
"""Every answer of this program that has its puzzle as a text has one of these."""
_NOTES = _names("hints hint tags keywords notes comments")
"""Fields that are no rule where they are just numbers, texts or true."""
_OF_OTHERS = frozenset({"format", "kind"})
"""Fields of the project's own JSON."""


def parts_in(node: Node, name: str = "") -> Iterator[MatrixParts]:
    """Yield the puzzles of a tree: a matrix that is a solution or regions belongs to the board before it."""
    rows = rows_of(node)
    if rows is not None:
        yield MatrixParts(Matrix(name, rows, node.line, flat=len(rows) == 1))
    elif texts := board_texts(node):
        yield from join_parts(MatrixParts(_flat_board(name, text)) for text in texts)
    elif isinstance(node, BracketGroup) and node.is_labelled:
        yield from _parts_of_object(node, name)
    elif isinstance(node, BracketGroup):
        yield from join_parts(parts for label, item in node.items for parts in parts_in(item, label or name))


def _parts_of_object(node: BracketGroup, name: str) -> Iterator[MatrixParts]:
    """Yield the puzzles of an object: its fields are boards, texts, other objects, or rules that cannot be read."""
    if not _OF_OTHERS.isdisjoint(label for label, _ in node.items):
        return
    if _is_by_columns(node):
        words = "expected rows, got a call that fills columns first: write byrow=TRUE if the numbers are rows, or transpose them"
        raise ParseError(words, line=node.line, column=node.column)
    found: list[MatrixParts] = []
    texts: dict[str, str] = {}
    rules: list[tuple[str, str]] = []
    warnings: list[str] = []
    unread: list[str] = []
    for label, item in node.items:
        meaning, board, is_flat = meaning_of(label), _board_of_text(label, item), isinstance(item, Scalar) or not item.groups
        is_note = is_flat and plain_name(label) in _NOTES
        inner = [MatrixParts(board)] if board else [*parts_in(item, label or name)] * (not is_note)
        found += inner
        if meaning in _TEXTS and isinstance(item, Scalar):
            texts |= {} if item.text == EMPTY or meaning in texts else {meaning: item.text}
        elif meaning in {"rules", "type"} and is_flat:
            rules.append((label, item.text if isinstance(item, Scalar) else ",".join(one.text for one in item.scalars)))
        elif not inner and plain_name(label) not in _HARMLESS:
            (warnings if is_note or (isinstance(item, Scalar) and not _is_true(item)) else unread).append(label)
    if found and all(parts.board.role == "state" for parts in found):  # then what a player began with is under another name
        others = [(label, item) for label, item in node.items if isinstance(item, Scalar) and not board_role(label)]
        found += [MatrixParts(_flat_board(label, item)) for label, item in others if _is_board_text(item)]
        warnings = [label for label in warnings if label not in {parts.board.name for parts in found}]
    remark = not_read(warnings)
    found.sort(key=lambda parts: parts.board.is_solution)
    for parts in join_parts(_sort_boards(found)):
        own = replace(parts, texts=tuple(texts.items()) or parts.texts, rules=(*parts.rules, *rules))
        yield replace(own, warnings=parts.warnings + remark, unread=(*parts.unread, *unread))


def _sort_boards(found: Sequence[MatrixParts]) -> list[MatrixParts]:
    """Return the parts of an object with a player's progress, or a solution of any name, and the puzzle they continue."""
    alone = [parts for parts in found if parts == MatrixParts(parts.board) and not _is_beside(parts.board)]
    same = [parts for parts in alone if len(_cells(parts.board)) == len(_cells(alone[0].board))]
    cells = [_cells(parts.board) for parts in same]
    roles = len(same) > 1 and assign_roles(
        [parts.board.name for parts in same],
        lambda one, other: has_givens(cells[one], cells[other]),
        lambda one: EMPTY not in cells[one],
    )
    if not roles or not any(parts.board.role for parts in same):
        return [*found]
    puzzle = same[roles.puzzle]
    contradicting = [same[index] for index in roles.unread if same[index].board.role == "state"]
    remarks = [f"not read: {_field(parts.board)}, which contradicts the puzzle" for parts in contradicting]
    if roles.solution is not None:
        remarks.append(f"{_field(same[roles.solution].board)} is read as the solution")
    joined = replace(
        puzzle,
        solution=same[roles.solution].board if roles.solution is not None else None,
        progress=same[roles.progress].board if roles.progress is not None else None,
        warnings=tuple(remarks),
    )
    others = [same[index] for index in roles.unread if same[index] not in contradicting]
    return [joined if parts is puzzle else parts for parts in found if parts is puzzle or parts not in same or parts in others]


def _is_beside(board: Matrix) -> bool:
    """Return whether a matrix is a solution or regions."""
    return board.role in {"solution", "regions"} or (board.text is not None and is_layout(board.text))


def _cells(board: Matrix) -> list[str]:
    return [EMPTY if _is_empty(cell.text) else cell.text.strip() for row in board.rows for cell in row]


def _field(board: Matrix) -> str:
    return f"the field {board.name!r}" if board.name else f"the matrix of line {board.line}"


def not_read(names: Sequence[str]) -> tuple[str, ...]:
    """Return the warning that fields were not read, if there are any."""
    return (f"not read: the field{'s' * (len(names) > 1)} {', '.join(map(repr, names[:5]))}",) if names else ()


def refuse_rules(names: Sequence[str]) -> None:
    """Raise `ParseError` if other fields of a board's object may be rules."""
    if names:
        shown = ", ".join(map(repr, names[:5]))
        raise ParseError(f"expected a board with a solution, regions or texts beside it, got {shown} too, which may be rules")


@dataclass(frozen=True)
class FieldsBeside:
    """The fields of a JSON object other than the board that it has as a text, by what they are."""

    solutions: tuple[str, ...]
    texts: dict[str, str]
    """The title, author and source."""
    rules: tuple[tuple[str, str], ...]
    """Fields with names of rules, and these."""
    warnings: tuple[str, ...]
    unread: tuple[str, ...]
    """Names of fields that may be rules."""


def sort_fields(fields: Mapping[str, Any]) -> FieldsBeside:
    """Sort the other fields of a board's object; those of this program's answers are known, if the object is such an answer."""
    own = _OF_ANSWERS if _MARKS_OF_ANSWERS & fields.keys() else frozenset()
    solutions: list[str] = []
    rules: list[tuple[str, str]] = []
    texts: dict[str, str] = {}
    warnings: list[str] = []
    unread: list[str] = []
    for name, value in fields.items():
        meaning = meaning_of(name)
        structural = value is True or isinstance(value, list | dict)
        if meaning == "solution" and value is not True:
            solutions.append(name)
        elif meaning in _TEXTS and not structural:
            texts |= {} if is_empty(value) or meaning in texts else {meaning: str(value)}
        elif meaning in {"rules", "type"} and (stated := _stated_names(value)) is not None:
            rules.append((name, stated))
        elif name not in own and plain_name(name) not in _HARMLESS and value not in (None, False, "", [], {}):
            (unread if structural and not _is_note(name, value) else warnings).append(name)
    return FieldsBeside(tuple(solutions), texts, tuple(rules), tuple(warnings), tuple(unread))


def _is_note(name: str, value: Any) -> bool:
    """Return whether a field is numbers, texts or true for the player, and no rule."""
    items = value if isinstance(value, list) else [value]
    return plain_name(name) in _NOTES and not any(isinstance(one, list | dict) for one in items)


def _stated_names(value: Any) -> str | None:
    """Return the names of rules in a text or an array of texts, None for anything else."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    return value if isinstance(value, str) else None


def _is_true(item: Scalar) -> bool:
    return not item.quoted and item.text.lower() == "true"


def _is_by_columns(node: BracketGroup) -> bool:
    labels = {label.lower(): item for label, item in node.items}
    by_row = labels.get("byrow")
    stated = isinstance(by_row, Scalar) and by_row.text.upper() in {"TRUE", "T"}
    return (
        not stated
        and not {"nrow", "ncol"}.isdisjoint(labels)
        and any(board.flat for group in node.groups for board in boards_in(group))
    )


def _board_of_text(label: str, item: Node) -> Matrix | None:
    """Return the board of a field that is a line of signs."""
    if not isinstance(item, Scalar) or not item.quoted or board_role(label) in {"", "regions"}:
        return None
    if len(item.text) < LEAST**2 or square_side(len(item.text)) is None:
        return None
    return _flat_board(label, item)


def _flat_board(name: str, text: Scalar) -> Matrix:
    """Return the board of a text of signs."""
    signs = [Scalar(text.line, text.column + at, EMPTY if sign == " " else sign) for at, sign in enumerate(text.text, 1)]
    return Matrix(name, [signs], text.line, flat=True)


def join_parts(several: Iterable[MatrixParts]) -> Iterator[MatrixParts]:
    """Yield the puzzles, each with the solution and the regions that follow it."""
    pending: MatrixParts | None = None
    for parts in several:
        joined = _join(pending, parts) if pending else None
        if joined is None and pending:
            yield pending
        pending = joined or parts
    if pending:
        yield pending


def _join(first: MatrixParts, second: MatrixParts) -> MatrixParts | None:
    """Return the first parts with the board of the second, None if that is a puzzle of its own."""
    board, later = first.board, second.board
    if first.solution is None and later.is_solution and not board.is_solution and not looks_square(board):
        return replace(first, solution=later)  # rows or cells are missing in the puzzle: that is the error to report
    same = len(board.rows) == len(later.rows) or len(_cells(board)) == len(_cells(later))
    if second.solution or second.regions or not same:
        return None
    layout = later.text
    if first.regions is None and not later.is_solution and (later.role == "regions" or (layout and is_layout(layout))):
        return replace(first, regions=later)
    if "state" in {board.role, later.role} and len(joined := _sort_boards([first, second])) == 1:
        return joined[0]
    if first.solution is None and not board.is_solution:
        if later.is_solution:
            return replace(first, solution=later)
        if _completes(later, board):
            return replace(first, solution=later, warnings=(*first.warnings, "the matrix after it is read as its solution"))
    return None


def _completes(full: Matrix, board: Matrix) -> bool:
    """Return whether a matrix has no empty cell, agrees with all givens of another, and that one has empty cells."""
    pairs = [*zip(_cells(board), _cells(full), strict=False)]
    empty = sum(one == EMPTY for one, _ in pairs)
    return empty > 0 and all(other != EMPTY and one in {EMPTY, other} for one, other in pairs)


def _is_empty(text: str) -> bool:
    return not text.strip() or text == "-1" or is_blank(text)


# --- what cells hold --------------------------------------------------------------------------------------------


def puzzle_from_parts(parts: MatrixParts, options: Options, warnings: list[str]) -> Puzzle:
    """Return the puzzle, or raise `ParseError` with everything that is wrong with its shape or its cells."""
    warnings += parts.warnings
    refuse_rules(parts.unread)
    puzzle = puzzle_from_board(_in_rows(parts.board, options), options)
    if parts.regions:
        puzzle = replace(puzzle, grid=_jigsaw(parts.regions, puzzle))
    for name, stated in parts.rules:
        puzzle = add_stated_rules(puzzle, f"the field {name!r}", stated, warnings, is_type=meaning_of(name) == "type")
    texts = dict(parts.texts)
    difficulty = f"difficulty {texts['difficulty']}" if "difficulty" in texts else ""
    return replace(
        puzzle,
        title=texts.get("title") or texts.get("id", ""),
        author=texts.get("author", ""),
        source=texts.get("source") or difficulty,
        solution=_solution(parts.solution, puzzle) if parts.solution else None,
    )


def _in_rows(board: Matrix, options: Options) -> Matrix:
    """Return a board by rows, given by columns or boxes as its name has it."""
    name = plain_name(board.name)
    if name not in _BY_COLUMNS | _BY_BOXES or (board.text and is_layout(board.text)):
        return board
    given = _shaped_rows(board, options)
    side = len(given)
    boxes = (side, 1) if name in _BY_COLUMNS else default_boxes(side)
    if boxes is None or side != len(given[0]):
        words = f"expected a square board with boxes in the field {board.name!r}"
        raise ParseError(f"{words}, got one of {side}x{len(given[0])}: write its rows", line=board.line)
    height, width = boxes
    across = side // width
    cells = [
        [given[row // height * across + column // width][row % height * width + column % width] for column in range(side)]
        for row in range(side)
    ]
    return replace(board, rows=cells, flat=False)


def _jigsaw(regions: Matrix, puzzle: Puzzle) -> Grid:
    """Return the grid of a puzzle with the regions of a matrix."""
    cells = [cell.text for row in regions.rows for cell in row]
    if len(cells) != len(puzzle.grid.cells) or not is_layout(layout := region_signs(cells)):
        side = isqrt(len(puzzle.grid.cells))
        words = f"expected {side} regions of {side} cells in {regions.name or 'the second matrix'!r}"
        raise ParseError(f"{words}, got {len({*cells})} labels for {len(cells)} cells", line=regions.line)
    return grid_from_regions(layout)


def state_from_parts(parts: MatrixParts, puzzle: Puzzle) -> tuple[SolvingState | None, list[str]]:
    """Return what a player has placed, None for nothing, and the remarks for a reader of puzzles."""
    if parts.progress is None:
        return None, []
    try:
        values = puzzle_from_board(parts.progress, Options(puzzle.grid, puzzle.symbols.signs)).givens
    except ParseError:
        values = {}
    return state_of_player(puzzle, values, _field(parts.progress))


def _solution(solution: Matrix, puzzle: Puzzle) -> tuple[int, ...]:
    found = puzzle_from_board(solution, Options(puzzle.grid, puzzle.symbols.signs)).givens
    if len(found) < len(puzzle.grid.cells):
        words = f"expected a stated solution without blanks, got one with {len(puzzle.grid.cells) - len(found)}"
        raise ParseError(words, line=solution.line)
    return tuple(found.values())


def puzzle_from_board(board: Matrix, options: Options) -> Puzzle:
    """Return the puzzle of a matrix alone."""
    rows = _shaped_rows(board, options)
    texts = [cell.text for row in rows for cell in row]
    side = len(rows[0])
    refuse_two_blanks(texts, side, board.line, _is_empty)
    reading = _reading(texts, side)
    numbered = [TextRow(row[0].line, tuple(Token(cell.column, _cell_text(cell.text)) for cell in row), "") for row in rows]
    puzzle = puzzle_from_rows(numbered, BoardShape(len(rows), side, reading), "", options, {})
    if reading != "groups":
        return puzzle
    givens, candidates = parse_domains(puzzle.grid, [puzzle.candidates.get(cell, 0) for cell in puzzle.grid.cells])
    return replace(puzzle, givens=givens, candidates=candidates)


def _cell_text(text: str) -> str:
    return EMPTY if _is_empty(text) and text.strip() != "0" else text.strip()


def _reading(texts: Sequence[str], side: int) -> str:
    """Return how cells are read: several digits are candidates on a board of at most nine values."""
    full = [text.strip() for text in texts if not _is_empty(text)]
    numeric = all(text.isdecimal() and text.isascii() for text in full)
    if numeric and side <= DIGITS and all(0 < int(sign) <= side for text in full for sign in text):
        return "groups" if any(len(text) > 1 for text in full) else "fields"
    return "numbers" if numeric and (side > DIGITS or any(len(text) > 1 for text in full)) else "fields"


def _shaped_rows(board: Matrix, options: Options) -> Rows:
    """Return the rows of a board that has as many rows and columns as it should, or raise `ParseError`."""
    required = required_rectangle(options)
    cut = next((cell for row in board.rows for cell in row if _is_cut(cell)), None)
    if cut:
        words = "expected the whole matrix, got '...' in place of cells (print it with numpy.set_printoptions(threshold=10000))"
        raise ParseError(words, line=cut.line, column=cut.column)
    if board.flat:
        return _rows_of_flat(board, required)
    columns = required[1] if required else most_common(map(len, board.rows)) if board.rows else LEAST
    rows = required[0] if required else columns
    problems = [f"expected {rows} rows, got {len(board.rows)}"] * (len(board.rows) != rows)
    problems += [
        f"row {number}: expected {columns} cells, got {len(row)}"
        for number, row in enumerate(board.rows, 1)
        if len(row) != columns
    ]
    if problems:
        first = next((row for row in board.rows if row and len(row) != columns), None)
        raise ParseError(first_problems(problems, MAX_LISTED_PROBLEMS), line=first[0].line if first else board.line)
    return board.rows


def _rows_of_flat(board: Matrix, required: tuple[int, int] | None) -> Rows:
    (cells,) = board.rows
    side = isqrt(len(cells))
    rows, columns = required or (side, side)
    if rows * columns != len(cells):
        expected = (
            f"{rows * columns} cells"
            if required
            else "rows in brackets of their own, or each cell of a square board (81 for 9x9)"
        )
        raise ParseError(f"expected {expected}, got {len(cells)}", line=board.line)
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]
