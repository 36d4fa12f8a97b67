"""Values that must occur several times or not at all, where few groups of cells that differ cover all their places.

Counting circles: a digit d that occurs is in d of them. It cannot if d - 1 houses cover the circles; if d do, each has it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model.cliques import cell_set, clique_cover
from sudoku_cp.model.constraints import AllDifferent, Automaton, Clause, Literal, members
from sudoku_cp.model.model import IMPLIED, Statement
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.model.constraints import Domain

Edges: TypeAlias = frozenset[tuple[int, int, int]]
Cover: TypeAlias = tuple[tuple["Cell", ...], ...]
"""Cells in groups of which each holds a value once at most."""


def covered_occurrences(
    statements: Sequence[Statement], differ: Sequence[CellSet], domains: Sequence[Domain], board: int
) -> Iterator[Statement]:
    """Yield clauses about automata that read whether a value occurs (an auxiliary) and then the cells that may hold it."""
    families: list[list[CellSet]] | None = None
    for statement in ticked(statements):
        match statement.constraint:
            case Automaton((first, *cells), start, edges, accepting) if first >= board and len(set(cells)) == len(cells) > 1:
                for value, least in _least_occurrences(edges, start, accepting, len(cells)):
                    families = _disjoint_houses(statements) if families is None else families
                    places = [cell for cell in cells if cell < board and domains[cell] >> value & 1]
                    if len(places) == sum(domains[cell] >> value & 1 for cell in cells):
                        for clause in _cover_clauses(_covers(places, families, differ), Literal(first, 0), value, least):
                            yield Statement(clause, IMPLIED, f"houses that cover {statement}")
            case _:
                pass


def _cover_clauses(covers: set[Cover], unless: Literal, value: int, least: int) -> Iterator[Clause]:
    """Yield clauses: unless it does not occur, the value is in so many groups of each cover at least, if there are so many."""
    if any(len(cover) < least for cover in covers):
        yield Clause((unless,))
        return
    for cover in covers:
        spare = len(cover) - least
        if spare <= 1:
            for groups in combinations(cover, spare + 1):
                yield Clause((unless, *(Literal(cell, value) for group in groups for cell in group)))


def _covers(places: Sequence[Cell], families: Sequence[Sequence[CellSet]], differ: Sequence[CellSet]) -> set[Cover]:
    """Return ways to group the places: by houses of each family, what is left in cliques; and all in cliques."""
    found = {tuple(clique_cover(places, differ))}
    whole = cell_set(places)
    for family in families:
        groups = [tuple(members(house & whole)) for house in family if house & whole]
        left = whole & ~cell_set(cell for group in groups for cell in group)
        found.add((*groups, *clique_cover(members(left), differ)))
    return found


def _disjoint_houses(statements: Sequence[Statement]) -> list[list[CellSet]]:
    """Return the groups of cells that differ in families whose members have no cell in common, such as the rows."""
    families: list[tuple[list[CellSet], list[CellSet]]] = []
    for statement in ticked(statements):
        if isinstance(statement.constraint, AllDifferent):
            house = cell_set(statement.constraint.cells)
            family = next((one for one in families if not one[1][0] & house), None)
            if family is None:
                families.append(([house], [house]))
            else:
                family[0].append(house)
                family[1][0] |= house
    return [family for family, _ in families]


@lru_cache(maxsize=256)
def _least_occurrences(edges: Edges, start: int, accepting: frozenset[int], cells: int) -> tuple[tuple[int, int], ...]:
    """Return the values that cells must hold more than once after a 1 is read, with the least number of times."""
    ways: dict[int, list[tuple[int, int]]] = {}
    for before, value, after in edges:
        ways.setdefault(before, []).append((value, after))
    occurs = {after for value, after in ways.get(start, ()) if value == 1}
    changing = {value for before, value, after in edges if before not in {start, after}}
    found = []
    for counted in sorted(changing):
        least = dict.fromkeys(occurs, 0)
        for _ in range(cells):
            further: dict[int, int] = {}
            for state, number in ticked(least.items()):
                for value, after in ways.get(state, ()):
                    own = number + (value == counted)
                    further[after] = min(own, further.get(after, own))
            least = further
        ends = [number for state, number in least.items() if state in accepting]
        if ends and min(ends) > 1:
            found.append((counted, min(ends)))
    return tuple(found)
