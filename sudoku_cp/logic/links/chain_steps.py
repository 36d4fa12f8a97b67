"""Steps made of a chain of nodes: its links as words and pictures show them, and the proof groups of all of them."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from sudoku_cp.logic.links.link_reasons import ThroughSet
from sudoku_cp.logic.links.walks import links_along
from sudoku_cp.logic.proof_groups import distinct
from sudoku_cp.logic.step import CellsAndValues, Pattern, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.links.link_reasons import StrongReason
    from sudoku_cp.logic.links.link_table import LinkTable
    from sudoku_cp.logic.links.set_links import NodeIndex
    from sudoku_cp.logic.step import Candidate, ProofGroup
    from sudoku_cp.logic.technique import Technique


class Chain:
    """Nodes with alternating links between them, and for each strong link the reasons that are used."""

    def __init__(
        self, table: LinkTable, nodes: list[NodeIndex], *, strong_first: bool, reasons: Sequence[Sequence[StrongReason]] = ()
    ) -> None:
        """Take nodes in order; ``reasons`` are those of the strong links in order, if not the simplest one of each."""
        self.table = table
        self.nodes = nodes
        self.links = links_along(table, nodes, strong_first=strong_first)
        self._strong_first = strong_first
        strong = list(pairwise(nodes))[0 if strong_first else 1 :: 2]
        self.reasons = reasons or [table.reasons_of(*link)[:1] for link in strong]

    @cached_property
    def sets(self) -> list[ThroughSet]:
        """The reasons that are almost locked sets, each once."""
        return list(dict.fromkeys(reason for some in self.reasons for reason in some if isinstance(reason, ThroughSet)))

    @cached_property
    def cells(self) -> CellSet:
        """The cells of the nodes and of the sets between them."""
        return cells_of_nodes(self.table, self.nodes) | union_of(reason.cells for reason in self.sets)

    def proof(self) -> Iterator[ProofGroup]:
        """Yield the groups by which the links hold."""
        reasons = iter(self.reasons)
        for place, (start, end) in enumerate(pairwise(self.nodes)):
            if self._strong_first == bool(place & 1):
                yield from self.table.weak_proof(start, end)
            else:
                for reason in next(reasons):
                    yield from self.table.strong_proof(start, end, reason)

    def step(self, technique: Technique, eliminations: tuple[Candidate, ...], proof: Iterable[ProofGroup]) -> Step:
        """Return the step by which this chain, and the groups of ``proof`` besides its own, eliminate candidates."""
        values = union_of(1 << self.table.nodes[node].value for node in self.nodes)
        sets = tuple(CellsAndValues(reason.almost.cells, reason.almost.values) for reason in self.sets)
        pattern = Pattern(links=self.links, sets=sets)
        return Step(technique, values, self.cells, eliminations, (), pattern, distinct([*self.proof(), *proof]))


def cells_of_nodes(table: LinkTable, nodes: Iterable[NodeIndex]) -> CellSet:
    """Return the cells of some nodes."""
    return union_of(table.nodes[node].cells for node in nodes)


def union_of(sets: Iterable[int]) -> int:
    """Return the union of sets that are bit masks."""
    union = 0
    for one in sets:
        union |= one
    return union


class BestChains:
    """The smallest chains so far, one for each result: of the fewest cells, then of the fewest links."""

    def __init__(self) -> None:
        """Begin without any."""
        self._sizes: dict[object, tuple[int, int]] = {}

    def improves(self, result: object, chain: Chain) -> bool:
        """Return whether a chain is the smallest so far that has a result, and remember it."""
        size = chain.cells.bit_count(), len(chain.links)
        if size >= self._sizes.get(result, (size[0], size[1] + 1)):
            return False
        self._sizes[result] = size
        return True
