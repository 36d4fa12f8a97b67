"""Refutations in compiled code: the proof groups of a board as arrays, and the kernel that searches them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.native.kernel import bits, memory
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic.proofs import refutation_kernel
from sudoku_cp.logic.proofs.part_clauses import differing_groups, literal_numbers, part_clauses
from sudoku_cp.logic.proofs.refutation_kernel import Counts, LayoutArrays, ProofArrays, RefutationTargets, Workspace
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.proofs.part_clauses import PartClauses, ProofLiteral
    from sudoku_cp.logic.proofs.refutation_search import Cone

KERNEL = CachedModule.of_functions(
    "refutation", (bits, memory, refutation_kernel), ("refute_many",), "the kernel of refutations", inline=True
)
"""The compiled search."""
GROUPS = CachedModule.of_functions(
    "proof-groups", (refutation_kernel,), ("list_groups", "index_literals"), "the kernel of proof groups", lean=True
)
"""The compiled code that lists what is searched, once for a board: inlined, it would take longer to compile than the search."""
SLICE = 200_000
"""Queue entries between two looks at the clock: some 50 ms."""
QUEUE = 1 << 14
"""Entries of a queue to begin with; one that is too short is doubled."""
NO_BOUND = 1 << 30
"""A bound that no cone reaches."""
WORD = 64
"""Bits of a word, and the most values that a cell can have here."""

_STATEMENTS = tuple(ProofStatement)


class ArrayRefutation:
    """Looks for refutations by proof groups; the answers are those of `RefutationSearch`."""

    def __init__(self, lists: Sequence[NDArray[np.int64]], groups: NDArray[np.int64], literals: int) -> None:
        """Index the clauses and exclusive sets of ``lists``; ``groups`` are rows (statement, subject, value)."""
        self._groups = groups
        starts, exclusive_starts = lists[0], lists[3]
        denied = GROUPS.call("index_literals", starts, lists[1], literals, 1)
        excluding = GROUPS.call("index_literals", exclusive_starts, lists[4], literals, 0)
        self._lists = ProofArrays(*lists, *denied, *excluding)
        self._counts = Counts(len(lists[2]), len(lists[5]), literals, -(-len(groups) // WORD), QUEUE)
        self._room = _make_workspace(self._counts)

    def proof(self, cone: Cone) -> tuple[ProofGroup, ...]:
        """Return the groups of a cone."""
        rows = (map(int, self._groups[number]) for number in members(cone))
        return tuple(ProofGroup(_STATEMENTS[statement], subject, value) for statement, subject, value in rows)

    def least(self, targets: Sequence[ProofLiteral], bound: int, tick: Callable[[], object]) -> list[tuple[ProofLiteral, Cone]]:
        """Return those of the targets that the fewest groups refute, if fewer than ``bound``, with their cones."""
        numbers, sizes = np.array(targets, np.int64), np.zeros(len(targets), np.int64)
        cones = np.zeros((len(targets), self._counts.words), np.uint64)
        task = RefutationTargets(numbers, sizes, cones)
        first, bound, arrays = 0, min(bound, NO_BOUND), ProofArrays(*_addresses(self._lists))
        while first < len(targets):
            tick()
            room = Workspace(*_addresses(self._room))
            first, bound = KERNEL.call("refute_many", arrays, room, self._counts, task, first, bound, SLICE)
            if self._room.state[refutation_kernel.OVERFLOW]:
                self._counts = self._counts._replace(queue=2 * self._counts.queue)
                self._room = _make_workspace(self._counts)
        chosen = np.flatnonzero(sizes == bound - 1).tolist() if sizes.any() else ()
        return [(targets[index], int.from_bytes(cones[index].tobytes(), "little")) for index in chosen]


def board_refutation(board: CandidateBoard) -> ArrayRefutation:
    """Return the search by all proof groups of a board."""
    layout = board.layout
    *lists, groups = GROUPS.call("list_groups", _layout_arrays(layout), *_board_arrays(board))
    parts = [part_clauses(board, part) for part in range(len(layout.parts))]
    own = literal_numbers(layout).own
    lists[:3] = _add_parts(lists[:3], parts, 2 * own, len(groups))
    rows = [(refutation_kernel.PART, part, 0) for part in range(len(parts))]
    groups = np.concatenate([groups, np.array(rows, np.int64)]) if rows else groups
    return ArrayRefutation(lists, groups, 2 * (own + sum(part.auxiliaries for part in parts)))


def part_refutation(layout: Layout, clauses: PartClauses) -> ArrayRefutation:
    """Return the search by one rule part alone."""
    none, zero = np.empty(0, np.int64), np.zeros(1, np.int64)
    own = literal_numbers(layout).own
    lists = [*_add_parts([zero, none, none], [clauses], 2 * own, 0), zero, none, none]
    return ArrayRefutation(lists, np.array([(refutation_kernel.PART, 0, 0)], np.int64), 2 * (own + clauses.auxiliaries))


def _add_parts(
    lists: Sequence[NDArray[np.int64]], parts: Sequence[PartClauses], own: ProofLiteral, groups: int
) -> list[NDArray[np.int64]]:
    """Return starts, literals and owners with the clauses of parts behind those of so many other groups."""
    if not parts:
        return list(lists)
    lengths = np.concatenate([part.lengths for part in parts])
    starts = np.concatenate([lists[0], lists[0][-1] + np.cumsum(lengths)])
    owners = groups + np.repeat(np.arange(len(parts)), [len(part.lengths) for part in parts])
    shifts = 2 * np.cumsum([0, *(part.auxiliaries for part in parts)])[:-1]
    literals = np.concatenate([part.literals for part in parts])
    shifts = np.repeat(shifts, [len(part.literals) for part in parts])
    return [starts, np.concatenate([lists[1], literals + shifts * (literals >= own)]), np.concatenate([lists[2], owners])]


def _make_workspace(counts: Counts) -> Workspace:
    lengths = (counts.literals, counts.clauses, counts.queue, counts.queue, 4)
    words = (counts.literals * counts.words, counts.words)
    return Workspace(*(np.empty(length, np.int64) for length in lengths), *(np.empty(length, np.uint64) for length in words))


def _addresses(arrays: Iterable[NDArray[Any]]) -> Iterator[int]:
    return (array.ctypes.data for array in arrays)


@lru_cache(maxsize=64)
def _layout_arrays(layout: Layout) -> LayoutArrays:
    numbers = literal_numbers(layout)
    cells = np.array([cell for group in layout.groups for cell in group.cells], np.int64)
    starts = np.cumsum([0, *(len(group.cells) for group in layout.groups)], dtype=np.int64)
    differing = np.zeros(len(layout.groups), np.bool_)
    differing[list(differing_groups(layout))] = True
    return LayoutArrays(cells, starts, differing, layout.houses, numbers.values, numbers.first)


def _board_arrays(board: CandidateBoard) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the candidates of each cell, and the value that it is filled with or -1; the first value counts as 0."""
    first = literal_numbers(board.layout).first
    candidates = np.array([domain >> first for domain in board.candidates], np.uint64)
    return candidates, np.array([-1 if value is None else value - first for value in board.values], np.int64)
