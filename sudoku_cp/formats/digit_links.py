"""Links with the cells of a 9x9 puzzle in them: 81 digits in the links of any site, and SudokuWiki's strings with candidates.

SudokuWiki has had three such strings (sudokuwiki.org/Sudoku_String_Definitions describes the second): 81 sets of candidates as
numbers between commas; a set and a bit for givens in two digits to the base 32 each; and ``S9B`` with two digits to the base 36
each: 1 to 9 is a given, 10 to 18 a digit placed, and 18 more than a set are its candidates.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import Format, SolvingState, read_each_line, write_each
from sudoku_cp.formats.board_roles import BoardRoles, assign_roles, has_givens, state_of_player
from sudoku_cp.formats.board_text.line_classifier import SIDE, format_rows, require_nine
from sudoku_cp.formats.document_formats import clean_link, is_link, only_on_server
from sudoku_cp.formats.grid_text import most_lines
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line
from sudoku_cp.symbols import BLANKS, numerals

_CELLS = SIDE**2
_EVERY = (1 << SIDE) - 1
_DIGITS = re.compile(r"(?:(?<=[?&#])(?P<name>[\w-]+)=|[/?&#=])(?P<cells>[0-9.*_xX-]{81})(?=$|[/?&#])")
_STATED = re.compile(r"(?:sudokuwiki\.org/\S*?[?&](?:bd|n)|sudokuexchange\.com/\S*?[?&]s)=(?P<cells>[^&#\s]{20,})", re.IGNORECASE)
_STRING = re.compile(
    r"(?:^|[/?&#=])(?P<text>S9B[0-9a-z]{162}|(?<=[=])[0-9a-v]{162}|(?<=[=])[0-9]{1,3}(?:,[0-9]{1,3}){80})(?=$|[&#])"
)
_HEADER = "S9B"


class _Cells(NamedTuple):
    """The cells of a string: those given, those placed, and the candidates (bits, 1 for the digit 1) of others."""

    givens: dict[int, int]
    placed: dict[int, int]
    candidates: dict[int, int]


def _parse_link(line: str, warnings: list[str]) -> Puzzle:
    """Return the puzzle in a link; the error for wrong signs has the column in the line."""
    link, grid = clean_link(line), Grid.square(SIDE)
    if cells := _parse_string(link):
        return Puzzle(grid, givens=cells.givens, candidates={cell: bits << 1 for cell, bits in cells.candidates.items()})
    boards = [*_DIGITS.finditer(link)]
    roles = _roles_of(boards) if boards else None
    text = boards[roles.puzzle]["cells"] if roles else stated["cells"] if (stated := _STATED.search(link)) else None
    if text is None:
        if is_link(link):
            raise only_on_server(link)
        raise ParseError(f"expected a link with the cells of a puzzle, got {link[:60]!r}", column=line.index(link[:1]) + 1)
    puzzle = Puzzle(grid, givens=_parse_digits(text, max(line.find(text), 0)))
    if roles:
        named = [boards[index]["name"] or "" for index in roles.unread]
        warnings += [f"not read: the parameter {name!r}, which has another board" for name in named]
    if roles and roles.solution is not None:
        puzzle = replace(puzzle, solution=tuple(_parse_digits(boards[roles.solution]["cells"]).values()))
    if roles and roles.progress is not None:
        entered = boards[roles.progress]
        warnings += state_of_player(puzzle, _parse_digits(entered["cells"]), _parameter(entered))[1]
    return puzzle


def _parameter(found: re.Match[str]) -> str:
    return f"the parameter {found['name']!r}"


def _parse_digits(text: str, start: int = 0) -> dict[int, int]:
    grid = Grid.square(SIDE)
    return parse_line(text, grid, numerals(grid.values), start)[2]


def _roles_of(boards: list[re.Match[str]]) -> BoardRoles:
    """Return what each of the boards in a link is; raise `ParseError` if two may be the puzzle."""
    names, cells = [found["name"] or "" for found in boards], [found["cells"] for found in boards]
    full = [not {*text} & {*BLANKS} for text in cells]
    roles = assign_roles(names, lambda one, other: has_givens(cells[one], cells[other]), full.__getitem__)
    if roles is None:
        where = " and ".join(map(repr, names))
        raise ParseError(f"expected a link with one puzzle, got boards that do not go together as {where}: keep just one of them")
    return roles


def _parse_state(line: str) -> SolvingState | None:
    """Return what a link says was placed and eliminated."""
    link = clean_link(line)
    cells = _parse_string(link)
    if cells:
        return SolvingState(cells.placed, {cell: bits << 1 for cell, bits in cells.candidates.items()})
    boards = [*_DIGITS.finditer(link)]
    roles = _roles_of(boards) if len(boards) > 1 else None
    if roles is None or roles.progress is None:
        return None
    givens, values = (_parse_digits(boards[index]["cells"]) for index in (roles.puzzle, roles.progress))
    return state_of_player(Puzzle(Grid.square(SIDE), givens=givens), values, _parameter(boards[roles.progress]))[0]


def _parse_string(link: str) -> _Cells | None:
    """Return the cells of a string with candidates in a link, or of one alone; None if there is none."""
    found = _STRING.search(link)
    if not found:
        return None
    text = found["text"]
    if "," in text:
        return _sort_cells([(int(bits), False) for bits in text.split(",")])
    packed = text.removeprefix(_HEADER)
    numbers = [int(packed[start : start + 2], 36 if packed != text else 32) for start in range(0, len(packed), 2)]
    if packed == text:
        return _sort_cells([(number >> 1, bool(number & 1)) for number in numbers])
    wrong = [cell for cell, number in enumerate(numbers) if not 1 <= number <= 2 * SIDE + _EVERY]
    if wrong:
        raise ParseError(f"expected a digit or candidates in each cell of {_HEADER}..., got none in cell {wrong[0] + 1}")
    return _Cells(
        {cell: number for cell, number in enumerate(numbers) if number <= SIDE},
        {cell: number - SIDE for cell, number in enumerate(numbers) if SIDE < number <= 2 * SIDE},
        {cell: number - 2 * SIDE for cell, number in enumerate(numbers) if number > 2 * SIDE},
    )


def _sort_cells(sets: list[tuple[int, bool]]) -> _Cells:
    """Return cells that are sets of candidates (bits), each given or not; a set of one that is not given is a digit placed."""
    for cell, (bits, given) in enumerate(sets, 1):
        if not 0 < bits <= _EVERY or (given and bits.bit_count() > 1):
            raise ParseError(f"expected a set of candidates from 1 to {_EVERY}, of one if it is given, got {bits} in cell {cell}")
    alone = {cell: bits.bit_length() for cell, (bits, _) in enumerate(sets) if bits.bit_count() == 1}
    marked = any(given for _, given in sets)
    givens = {cell: value for cell, value in alone.items() if sets[cell][1] or not marked}
    placed = {cell: value for cell, value in alone.items() if cell not in givens}
    return _Cells(givens, placed, {cell: bits for cell, (bits, _) in enumerate(sets) if cell not in alone})


# --- the formats ------------------------------------------------------------------------------------------------


def _has_cells(line: str, host: str) -> bool:
    """Return whether a line is a link of ``host``, or of any other site with cells in it or with nothing that can be read."""
    link = clean_link(line)
    return host in link.lower() or (host == _WIKI and (is_link(link) or _STRING.match(link) is not None))


def _link_format(name: str, summary: str, host: str, address: str) -> Format:
    """Return the format of links that are recognised by ``host``, and are written beginning with ``address``."""

    def puzzle_to_link(puzzle: Puzzle) -> str:
        require_nine(name, puzzle)
        return f"{address}{''.join(format_rows(puzzle, '0'))}\n"

    sniff = partial(most_lines, test=partial(_has_cells, host=host))
    return Format(name, summary, (), sniff, read_each_line(_parse_link, _parse_state), write_each(puzzle_to_link))


_WIKI = "sudokuwiki.org/"

SUDOKUEXCHANGE = _link_format(
    "sudokuexchange",
    "links to SudokuExchange with the puzzle in them",
    "sudokuexchange.com/",
    "https://sudokuexchange.com/play/?s=",
)

SUDOKUWIKI = _link_format(
    "sudokuwiki",
    "links with 81 digits of any site, and SudokuWiki's, with candidates too",
    _WIKI,
    "https://www.sudokuwiki.org/sudoku.htm?bd=",
)
