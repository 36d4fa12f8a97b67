"""Formats of single programs for plain puzzles: ``sdm``, ``msk``, ``spf``, ``sdk``, ``sdx``, ``ss`` and ``euler``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats import drawn_grids, puzzle_lines
from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Encoder,
    Format,
    Options,
    Record,
    attempt_with_warnings,
    collapse_space,
    error_record,
    keep_changed,
    line_too_long,
    peek_head,
    record_or_error,
    write_each,
)
from sudoku_cp.formats.board_text.alphabets import is_blank
from sudoku_cp.formats.board_text.candidate_marks import domains_to_write, format_domain, parse_domains, short_text
from sudoku_cp.formats.board_text.line_classifier import SIDE, format_bands, format_rows, require_nine, split_tokens
from sudoku_cp.formats.board_text.rows import (
    BoardShape,
    LocatedProblem,
    TextRow,
    merge_problems,
    puzzle_from_rows,
    required_rectangle,
)
from sudoku_cp.formats.grid_text import first_bodies, strip_comment
from sudoku_cp.grid import Grid
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.symbols import BLANKS, numerals


def _puzzle_to_sdm(puzzle: Puzzle) -> str:
    """Return the digits, ``0`` for blanks."""
    require_nine("sdm", puzzle)
    return "".join(format_rows(puzzle, "0")) + "\n"


def _puzzle_to_msk(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    require_nine("msk", puzzle)
    return "\n".join([*format_rows(puzzle), "", ""])


def _puzzle_to_spf(puzzle: Puzzle) -> str:
    """Return the rows ``xxx|xxx|xxx`` with borders, an empty line after them."""
    return format_bands("spf", puzzle, "---+---+---")


SDM = Format(
    "sdm",
    "collections: 81 digits a line, 0 for blanks",
    (".sdm",),
    lambda _head: False,
    puzzle_lines.read,
    write_each(_puzzle_to_sdm),
)

MSK = Format(
    "msk",
    "nine plain rows of nine digits",
    (".msk", ".sol"),
    lambda _head: False,
    drawn_grids.read,
    write_each(_puzzle_to_msk),
)

SPF = Format(
    "spf",
    "rows xxx|xxx|xxx with borders ---+---+---",
    (".spf",),
    lambda _head: False,
    drawn_grids.read,
    write_each(_puzzle_to_spf),
)


# The files of SudoCue and SadMan Sudoku (.sdk): lines of a letter and a text, then nine rows, or sections of nine rows.
#
# ``[Puzzle]`` holds the givens; ``[State]``, ``[PencilMarks]`` and ``[Colours]`` are a player's and not part of the puzzle.


_SIDE = 9
_LETTERS = {
    "A": "author",
    "B": "date",
    "C": "comment",
    "D": "description",
    "H": "hints",
    "L": "level",
    "N": "number",
    "S": "source",
    "T": "title of the set",
    "U": "address",
}
_LINE = re.compile(rf"#([{''.join(_LETTERS)}])(.*)", re.IGNORECASE)
_SECTION = re.compile(r"\s*\[(\w+)\]\s*")
_ROW = re.compile(r"[0-9.Xx*_\-]{9}")
_PLAYERS = {"state": "the digits of a player", "pencilmarks": "pencil marks", "colours": "colours", "colors": "colours"}


@dataclass
class _PuzzleLines:
    """The lines of one puzzle that have been read so far."""

    start: int
    texts: dict[str, str] = field(default_factory=dict)
    section: str = ""
    rows: list[TextRow] = field(default_factory=list)
    ignored: dict[str, list[str]] = field(default_factory=dict)


def read_sdk(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each file joined in the text: a letter's line or ``[Puzzle]`` after rows begins the next."""
    found_lines = _PuzzleLines(1)
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        labelled, section = _LINE.fullmatch(line.strip()), _SECTION.fullmatch(line)
        if found_lines.rows and (labelled or (section and section[1].lower() == "puzzle")):
            yield _make_record(found_lines, options)
            found_lines = _PuzzleLines(number)
        if labelled:
            found_lines.texts.setdefault(labelled[1].upper(), labelled[2].strip())
        elif section:
            found_lines.section = section[1].lower()
        elif line.strip() and not line.startswith("#"):
            _add_line(found_lines, number, line)
    if found_lines.rows or found_lines.texts or found_lines.section:
        yield _make_record(found_lines, options)


def _add_line(found_lines: _PuzzleLines, number: int, line: str) -> None:
    if found_lines.section in {"", "puzzle"}:
        if len(found_lines.rows) < 2 * _SIDE:
            found_lines.rows.append(TextRow(number, split_tokens(line), line))
        return
    ignored = found_lines.ignored.setdefault(found_lines.section, [])
    if len(ignored) < _SIDE:
        ignored.append(line.strip())


def _make_record(found_lines: _PuzzleLines, options: Options) -> Record:
    if not found_lines.rows:
        return error_record(found_lines.start, "expected nine rows of nine signs below the letters or [Puzzle], got none")
    return attempt_with_warnings(found_lines.rows[0].line, partial(_puzzle_of_sdk, found_lines, options))


def _puzzle_of_sdk(found_lines: _PuzzleLines, options: Options, warnings: list[str]) -> Puzzle:
    known = {_SIDE: numerals(range(1, _SIDE + 1))}
    puzzle = puzzle_from_rows(found_lines.rows, BoardShape(_SIDE, _SIDE, "signs"), "", options, known)
    for section, rows in found_lines.ignored.items():
        signs = "".join(rows)
        given = "".join(row.text.strip() for row in found_lines.rows)
        blank = not signs.strip(BLANKS + ",") or (section == "state" and _digits(signs) == _digits(given))
        if not blank:
            warnings.append(f"[{section}] is not read: {_PLAYERS.get(section, 'a section of unknown meaning')}")
    texts = found_lines.texts
    title = "D" if texts.get("D") else "T"
    unread = [letter for letter in texts if letter not in {"A", "S", "U", title} and texts[letter]]
    if unread:
        warnings.append(f"not read: {', '.join(f'#{letter} ({_LETTERS[letter]})' for letter in unread)}")
    source = " ".join(filter(None, (texts.get("S", ""), texts.get("U", ""))))
    return replace(puzzle, title=texts.get(title, ""), author=texts.get("A", ""), source=source)


def _digits(signs: str) -> str:
    return "".join(sign if sign in "123456789" else "." for sign in signs)


def sniff_sdk(head: str) -> bool:
    """Return whether the text has a section ``[Puzzle]``, or at least two lines of a letter before nine rows of nine signs."""
    lines = [line[:LONGEST_LINE].strip() for line in head.split("\n") if line.strip()]
    if any((found := _SECTION.fullmatch(line)) and found[1].lower() == "puzzle" for line in lines):
        return all(line.startswith(("#", "[")) or _ROW.fullmatch(line) for line in lines[:_SIDE])
    letters = next((index for index, line in enumerate(lines) if not _LINE.fullmatch(line)), 0)
    return letters > 1 and all(_ROW.fullmatch(line) for line in lines[letters : letters + _SIDE])


def puzzle_to_sdk(puzzle: Puzzle) -> str:
    """Return the letters and the section ``[Puzzle]``."""
    require_nine("sdk", puzzle)
    labelled = (("A", puzzle.author), ("D", puzzle.title), ("S", puzzle.source))
    letters = [f"#{letter} {collapse_space(text)}" for letter, text in labelled if text]
    return "\n".join([*letters, "[Puzzle]", *format_rows(puzzle), ""])


SDK = Format(
    "sdk",
    "the files of SudoCue and SadMan Sudoku: letters with texts, then [Puzzle] or just nine rows",
    (".sdk",),
    sniff_sdk,
    read_sdk,
    write_each(puzzle_to_sdk),
    keep_changed(collapse_space, "author", "title", "source"),
)


# Nine rows of cells between blanks (.sdx): one digit is set, several are candidates; ``u`` before one that a player set.


_DIGITS = frozenset("123456789")


def read_sdx(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each run of nine lines."""
    rows: list[TextRow] = []
    for number, line in enumerate(lines, 1):
        body = strip_comment(line)
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        if body.strip():
            rows.append(TextRow(number, split_tokens(body), body))
        if rows and (len(rows) == SIDE or not body.strip()):
            yield attempt_with_warnings(rows[0].line, partial(_puzzle_of_sdx, rows))
            rows = []
    if rows:
        yield attempt_with_warnings(rows[0].line, partial(_puzzle_of_sdx, rows))


def _puzzle_of_sdx(rows: Sequence[TextRow], warnings: list[str]) -> Puzzle:
    problems = [
        LocatedProblem(row.line, None, f"expected {SIDE} cells between blanks, got {len(row.tokens)}")
        for row in rows
        if len(row.tokens) != SIDE
    ]
    problems += [
        LocatedProblem(
            row.line, token.column, f"expected different digits, 'u' before a player's, or a blank, got {short_text(token.text)}"
        )
        for row in rows
        for token in row.tokens
        if not _is_cell(token.text)
    ]
    if problems:
        raise merge_problems(problems)
    if len(rows) != SIDE:
        raise ParseError(f"expected {SIDE} rows, got {len(rows)}")
    texts = [token.text for row in rows for token in row.tokens]
    placed = [text for text in texts if text.startswith("u")]
    if placed:
        warnings.append(f"digits that a player set are not read: {len(placed)}")
    grid = Grid.square(SIDE)
    givens, candidates = parse_domains(
        grid, [0 if is_blank(text) or text in placed else to_mask(map(int, text)) for text in texts]
    )
    return Puzzle(grid, givens=givens, candidates=candidates)


def _is_cell(text: str) -> bool:
    digits = text.removeprefix("u")
    one = len(digits) == 1 or not text.startswith("u")
    return is_blank(text) or (one and set(digits) <= _DIGITS and len(set(digits)) == len(digits) > 0)


def sniff_sdx(head: str) -> bool:
    """Return whether the first nine lines are such rows, at least one cell of them a player's."""
    lines = [line[:LONGEST_LINE] for line in head.split("\n") if strip_comment(line).strip()][:SIDE]
    cells = [[token.text for token in split_tokens(strip_comment(line))] for line in lines]
    whole = len(cells) == SIDE and all(len(row) == SIDE and all(map(_is_cell, row)) for row in cells)
    return whole and any(text.startswith("u") for row in cells for text in row)


def puzzle_to_sdx(puzzle: Puzzle) -> str:
    """Return the rows and an empty line; a cell without stated candidates has those that the givens leave."""
    if len(puzzle.grid.cells) != SIDE**2:
        raise Unsupported(f"expected a 9x9 puzzle for the format 'sdx', got {puzzle.grid}")
    texts = [format_domain(domain) for domain in domains_to_write("sdx", puzzle)]
    return "\n".join([*(" ".join(texts[start : start + SIDE]) for start in range(0, len(texts), SIDE)), "", ""])


SDX = Format(
    "sdx",
    "nine rows of cells between blanks, candidates run together, u before a player's digit",
    (".sdx",),
    sniff_sdx,
    read_sdx,
    write_each(puzzle_to_sdx),
)


# Simple Sudoku's files (.ss) and what it copies: the givens, then perhaps the digits placed so far, then the candidates.


_FRAME = re.compile(r"^ ?\*-{11,}\*[ \t]*$", re.MULTILINE)
_FRAMES_OF_TWO = 4
_PLAY = "the blocks after the givens are not read: they are what a player has placed and left"


def read_ss(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each grid, but not of those in frames that continue the one before."""
    head, lines = peek_head(lines)
    if not sniff_ss("\n".join(head)):
        yield from drawn_grids.read(lines, options)
        return
    pending: Record | None = None
    for record in drawn_grids.read(lines, options):
        if pending and pending.puzzle and record.puzzle and _continues(pending.puzzle, record.puzzle):
            pending = replace(pending, warnings=(_PLAY,))
        else:
            if pending:
                yield pending
            pending = record
    if pending:
        yield pending


def _continues(puzzle: Puzzle, later: Puzzle) -> bool:
    """Return whether a grid is the same puzzle with more digits, or its candidates."""
    if later.title or later.grid != puzzle.grid or not puzzle.givens:
        return False
    if later.candidates:
        single = {cell: members(domain) for cell, domain in later.candidates.items()}
        return all(single.get(cell) == [value] for cell, value in puzzle.givens.items())
    return all(later.givens.get(cell) == value for cell, value in puzzle.givens.items())


def sniff_ss(head: str) -> bool:
    """Return whether the text begins with frames such as Simple Sudoku copies, at least two."""
    return bool(_FRAME.match(head)) and len(_FRAME.findall(head)) >= _FRAMES_OF_TWO


def puzzle_to_ss(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    return format_bands("ss", puzzle, "-" * 11)


SS = Format(
    "ss",
    "Simple Sudoku's rows xxx|xxx|xxx, and the blocks that it copies",
    (".ss",),
    sniff_ss,
    read_ss,
    write_each(puzzle_to_ss),
)


# Project Euler's file of problem 96: blocks of a heading ``Grid 01`` and nine rows of nine digits, 0 for blanks.


_HEADING = re.compile(r"\s*grid\s+\d+\s*", re.IGNORECASE)


def read_euler(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle below each heading."""
    shape = BoardShape(*(required_rectangle(options) or (_SIDE, _SIDE)), "signs")
    heading, start = "", 1
    rows: list[TextRow] = []
    for number, line in enumerate(lines, 1):
        body = "" if len(line) > LONGEST_LINE else strip_comment(line).strip()
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif _HEADING.fullmatch(body):
            yield from _read_block(rows, shape, heading, start, options)
            heading, start, rows = body, number, []
        elif body and len(rows) < 2 * shape.rows:
            rows.append(TextRow(number, split_tokens(strip_comment(line)), line))
    yield from _read_block(rows, shape, heading, start, options)


def _read_block(rows: list[TextRow], shape: BoardShape, heading: str, start: int, options: Options) -> Iterator[Record]:
    if not heading and rows:
        yield error_record(rows[0].line, f"expected a heading such as 'Grid 01', got {rows[0].text.strip()[:20]!r}")
    elif not rows and heading:
        yield error_record(start, f"expected {shape.rows} rows below {heading!r}, got none")
    elif rows:
        yield record_or_error(start, partial(puzzle_from_rows, rows, shape, heading, options, {}))


def sniff_euler(head: str) -> bool:
    """Return whether the first line that is not empty is such a heading."""
    first = (*first_bodies(head), "")[0]
    return _HEADING.fullmatch(first[:LONGEST_LINE]) is not None


def write() -> Encoder:
    """Return an encoder: a block for each puzzle; a title that is not such a heading is replaced by a number."""
    numbers = count(1)

    def block_of(puzzle: Puzzle) -> str:
        require_nine("euler", puzzle)
        number = next(numbers)
        return "\n".join([_title(puzzle) or f"Grid {number:02}", *format_rows(puzzle, "0"), ""])

    return Encoder(block_of)


def _title(puzzle: Puzzle) -> str:
    title = collapse_space(puzzle.title)
    return title if _HEADING.fullmatch(title) else ""


EULER = Format(
    "euler",
    "blocks of 'Grid 01' and nine rows of nine digits, as Project Euler's problem 96",
    (),
    sniff_euler,
    read_euler,
    write,
    {"title": _title},
)
