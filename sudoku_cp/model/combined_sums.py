"""Several known sums taken together: over more cells of the same houses, the least and the most that they can be lie closer.

Two little killers of eight cells each may both be far from their bounds; their sixteen cells fill parts of the same houses, in
which no value comes twice, so that the total of both may be nearly the most there is. No engine sees that in either alone.
Sums are joined greedily, the most promising pair first, for as long as a joined sum says more than its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.model.cliques import CellSet, cell_set, clique_cover
from sudoku_cp.model.constraints import Linear, members, union_of
from sudoku_cp.model.model import IMPLIED, Statement
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.model.constraints import Domain

LEAST_CELLS = 6
"""Sums of fewer cells are propagated well alone, and killers have many of them."""
MOST_SUMS = 60
"""More sums are not joined: pairs of them would take longer than they save."""


@dataclass(frozen=True, eq=False, slots=True)
class JoinableSum:
    """A sum over different cells, and how much its bounds rule out."""

    cells: CellSet
    total: int
    is_joined: bool
    tightness: int
    """How much less room its cells have than they would have alone; the greater, the better. It is negative for a loose sum."""


def combined_sums(
    statements: Sequence[Statement], different: Sequence[CellSet], domains: Sequence[Domain]
) -> Iterator[Statement]:
    """Yield the sums of several known sums whose bounds say more than those of the parts.

    ``different`` has for each cell the cells that differ from it.
    """
    joining = _Joining(_long_sums(statements), different, domains)
    for one in joining.results():
        terms = tuple((cell, 1) for cell in members(one.cells))
        yield Statement(Linear(terms, "==", one.total), IMPLIED, "several sums together")


def _long_sums(statements: Sequence[Statement]) -> dict[CellSet, int]:
    """Return the totals of sums of many cells, each named once."""
    found: dict[CellSet, int] = {}
    for statement in statements:
        match statement.constraint:
            case Linear(terms, "==", total) if len(terms) >= LEAST_CELLS and all(factor == 1 for _, factor in terms):
                cells = cell_set(cell for cell, _ in terms)
                if cells.bit_count() == len(terms):
                    found.setdefault(cells, total)
            case _:
                pass
    return found if 1 < len(found) <= MOST_SUMS else {}


class _Joining:
    """Joins sums two by two."""

    def __init__(self, known: dict[CellSet, int], different: Sequence[CellSet], domains: Sequence[Domain]) -> None:
        self._different, self._domains = different, domains
        self._sums: dict[CellSet, JoinableSum] = {}
        self._pairs: list[tuple[JoinableSum, JoinableSum, JoinableSum]] = []
        """Two sums that may be joined, and what they make together."""
        for cells, total in ticked(known.items(), every=1):
            self._add(JoinableSum(cells, total, is_joined=False, tightness=self._tightness(cells, total)))

    def results(self) -> Iterator[JoinableSum]:
        """Yield the joined sums that rule anything out."""
        while self._pairs:
            one, other, both = max(self._pairs, key=lambda pair: (pair[2].tightness, pair[2].cells))
            del self._sums[one.cells], self._sums[other.cells]
            gone = {one.cells, other.cells}
            self._pairs = [pair for pair in self._pairs if not gone & {pair[0].cells, pair[1].cells}]
            self._add(both)
        yield from (one for one in self._sums.values() if one.is_joined and one.tightness > 0)

    def _add(self, new: JoinableSum) -> None:
        """Add a sum, and the pairs that it makes with the others."""
        for other in ticked(self._sums.values(), every=1):
            if self._share_houses(new, other):
                cells, total = new.cells | other.cells, new.total + other.total
                both = JoinableSum(cells, total, is_joined=True, tightness=self._tightness(cells, total))
                if both.tightness > min(max(new.tightness, other.tightness), new.tightness + other.tightness):
                    self._pairs.append((new, other, both))
        self._sums[new.cells] = new

    def _share_houses(self, one: JoinableSum, other: JoinableSum) -> bool:
        """Return whether two sums have no cell in common, and many cells of the smaller differ from some of the larger."""
        small, large = sorted((one.cells, other.cells), key=int.bit_count)
        if small & large or small.bit_count() < LEAST_CELLS:
            return False
        return sum(bool(self._different[cell] & large) for cell in members(small)) >= LEAST_CELLS

    def _tightness(self, cells: CellSet, total: int) -> int:
        """Return how much bounds rule out of cells in groups that differ: their freedom less the slack to the nearer bound."""
        least = most = freedom = groups = 0
        for group in clique_cover(members(cells), self._different):
            values = members(union_of(group, self._domains))
            least += sum(values[: len(group)])
            most += sum(values[-len(group) :])
            freedom += len(group) * (len(values) - len(group))
            groups += 1
        return freedom - groups * min(total - least, most - total)
