"""Candidates in text: which are givens, which say more than the givens imply, and how to write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import require_plain
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.puzzle import MAX_LISTED_PROBLEMS
from sudoku_cp.symbols import BLANKS

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle

DIGITS = 9
"""The most values that single digits can name."""


@lru_cache(maxsize=32)
def peers(grid: Grid) -> tuple[frozenset[Cell], ...]:
    """Return, for each cell, the others in its houses."""
    found: list[set[Cell]] = [set() for _ in grid.cells]
    for house in grid.houses.values():
        for cell in house:
            found[cell].update(house)
    return tuple(frozenset(others - {cell}) for cell, others in enumerate(found))


def domains_left_by_givens(grid: Grid, givens: Mapping[Cell, int]) -> list[Domain]:
    """Return the values that the givens leave each cell: a given its own value, other cells what no peer is given."""
    everything = to_mask(grid.values)
    found = []
    for cell, others in enumerate(peers(grid)):
        seen = to_mask(givens[other] for other in others if other in givens)
        found.append(1 << givens[cell] if cell in givens else everything & ~seen)
    return found


def parse_domains(grid: Grid, domains: Sequence[Domain]) -> tuple[dict[Cell, int], dict[Cell, Domain]]:
    """Return the givens and the candidates that the domains (0: unknown) mean.

    A single value is a given unless a peer that has others too still has it (HoDoKu's rule: it was found, but not yet set).
    Candidates are kept if they exclude more than the givens do.
    """
    open_to = [domain if domain & (domain - 1) else 0 for domain in domains]
    givens = {
        cell: domain.bit_length() - 1
        for cell, domain in enumerate(domains)
        if domain and not open_to[cell] and not any(open_to[other] & domain for other in peers(grid)[cell])
    }
    left = domains_left_by_givens(grid, givens)
    numbered = enumerate(domains)
    return givens, {cell: domain for cell, domain in numbered if domain and cell not in givens and left[cell] & ~domain}


def is_ascending(text: str, side: int) -> bool:
    """Return whether a text is the candidates of a cell as programs write them: different digits in order, or nothing."""
    if text in (".", "0"):
        return True
    return text.isdecimal() and text.isascii() and list(text) == sorted(set(text)) and 1 <= int(text[0]) <= int(text[-1]) <= side


def marks_of_cells(rows: Sequence[str]) -> list[str] | None:
    """Return the pencil marks of each cell of rows in which each value has its place within a square, None for other rows.

    Nine values are 27 rows of 27 signs: 1 to 3 above 4 to 6 above 7 to 9.
    """
    size = next((size for size in range(2, isqrt(DIGITS) + 1) if size**3 == len(rows)), 0)
    written = [(row, at, sign) for row, text in enumerate(rows) for at, sign in enumerate(text) if sign not in BLANKS]
    placed = size and all(sign == str(row % size * size + at % size + 1) for row, at, sign in written)
    if not placed or len(written) < len(rows) or any(len(text) != len(rows) for text in rows):
        return None
    starts = range(0, len(rows), size)
    return ["".join(rows[top + down][left : left + size] for down in range(size)) for top in starts for left in starts]


def domains_of_marks(grid: Grid, cells: Sequence[str]) -> list[Domain]:
    """Return the candidates of cells with a sign for each value, the digit if it is possible; raise `ParseError` for none."""
    domains = [to_mask(value for value, sign in zip(grid.values, cell, strict=True) if sign == str(value)) for cell in cells]
    empty = [f"expected at least one candidate in {grid.cell_name(cell)}, got none" for cell in grid.cells if not domains[cell]]
    if empty:
        raise ParseError(empty[:MAX_LISTED_PROBLEMS])
    return domains


def domains_to_write(name: str, puzzle: Puzzle) -> list[Domain]:
    """Return the domains (0: unknown) from which `parse_domains` gets this puzzle, or refuse it."""
    require_plain(name, puzzle, candidates=True)
    require_digits(name, puzzle)
    left = domains_left_by_givens(puzzle.grid, puzzle.givens)
    domains = [domain & puzzle.candidates.get(cell, domain) for cell, domain in enumerate(left)]
    clashes = [cell for cell, domain in enumerate(domains) if left[cell] and not domain]
    several = [domain if domain & (domain - 1) else 0 for domain in domains]
    for cell, domain in enumerate(domains):
        # A single value that the givens leave adds nothing; if no peer still has it, it would be taken for a given.
        alone = domain == left[cell] and not several[cell]
        if alone and cell not in puzzle.givens and not any(several[other] & domain for other in peers(puzzle.grid)[cell]):
            domains[cell] = 0
    givens, candidates = parse_domains(puzzle.grid, domains)
    meant = {cell: left[cell] & domain for cell, domain in puzzle.candidates.items() if left[cell] & ~domain}
    if clashes or givens != puzzle.givens or candidates != meant:
        expected = "candidates among which givens can be distinguished from cells with one candidate left"
        raise Unsupported(f"expected {expected} for the format {name!r} (json can express everything), got others")
    return domains


def require_digits(name: str, puzzle: Puzzle) -> None:
    """Refuse a grid of more values than there are digits."""
    if len(puzzle.grid.values) > DIGITS:
        raise Unsupported(f"expected at most {DIGITS} values for the format {name!r}, got {len(puzzle.grid.values)}")


def short_text(text: str) -> str:
    """Return the beginning of a text for an error; if it has bytes that are not UTF-8, the first of these."""
    return repr(next((sign for sign in text if "\ud800" <= sign <= "\udfff"), text[:12]))


def format_domain(domain: Domain) -> str:
    """Return the digits of a domain, ``.`` if it is empty."""
    return "".join(map(str, members(domain))) or "."
