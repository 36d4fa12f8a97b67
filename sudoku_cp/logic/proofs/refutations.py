"""Refutations of the candidates of a board by proof groups: the readable search, or the compiled one where it is at hand."""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.compile_cache import can_compile
from sudoku_cp.logic.proofs.part_clauses import GroupClauses, clauses_over, group_clauses, literal_numbers, part_domains
from sudoku_cp.logic.proofs.refutation_search import UNBOUNDED, RefutationSearch
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import members
from sudoku_cp.time_limits import loading, ticking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import Layout, PartIndex
    from sudoku_cp.logic.proofs.array_refutation import ArrayRefutation
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain

COMPILED_VALUES = 64
"""The compiled search has a bit of a word for each value."""
WORTH_COMPILING = 20.0
"""Seconds of the readable search in this process after which the compiled one is compiled, if it is not cached."""


class Refutation(NamedTuple):
    """A candidate that cannot hold, and the groups that prove it, in the order of their numbers."""

    cell: int
    value: int
    proof: tuple[ProofGroup, ...]

    @property
    def size(self) -> int:
        """How many groups the proof takes."""
        return len(self.proof)


class _ReadableWork:
    """How long the readable search has worked in this process."""

    seconds = 0.0


def smallest_refutations(
    board: CandidateBoard, targets: Iterable[Candidate] | None = None, bound: int = UNBOUNDED
) -> list[Refutation]:
    """Return those of the candidates (all, by default) that the fewest groups refute, if fewer than ``bound``, in order.

    What propagation cannot refute is left out. Raises what the board's tick raises.
    """
    numbers = literal_numbers(board.layout)
    chosen = open_candidates(board) if targets is None else targets
    literals = [numbers.literal(*candidate) for candidate in chosen]
    start = perf_counter()
    with ticking(board.tick):
        search = _search_of(board)
        found = search.least(literals, bound, board.tick)
    if isinstance(search, RefutationSearch):
        _ReadableWork.seconds += perf_counter() - start
    return [Refutation(*candidate, search.proof(cone)) for literal, cone in found if (candidate := numbers.candidate(literal))]


def lone_refutations(board: CandidateBoard) -> list[Refutation]:
    """Return the candidates that one rule part refutes alone, by propagation of its own clauses; each once, in order."""
    found: dict[Candidate, PartIndex] = {}
    for part in range(len(board.layout.parts)):
        board.tick()
        with ticking(board.tick):
            refuted = _refuted_by_part(board.layout, part, part_domains(board, part), _is_compiled(board.layout))
        for candidate in refuted:
            if board.open >> candidate[0] & 1:
                found.setdefault(candidate, part)
    return [Refutation(*candidate, (ProofGroup(ProofStatement.PART, found[candidate]),)) for candidate in sorted(found)]


def open_candidates(board: CandidateBoard) -> Iterator[Candidate]:
    """Yield the candidates of the open cells."""
    return ((cell, value) for cell in members(board.open) for value in members(board.candidates[cell]))


@lru_cache(maxsize=20_000)
def _refuted_by_part(layout: Layout, part: PartIndex, domains: Sequence[Domain], compiled: bool) -> list[Candidate]:  # noqa: FBT001
    numbers, clauses = literal_numbers(layout), clauses_over(layout, part, tuple(domains))
    cells = zip(layout.parts[part].cells, domains, strict=True)
    targets = [numbers.literal(cell, value) for cell, domain in cells for value in members(domain)]
    if compiled:
        from sudoku_cp.logic.proofs.array_refutation import part_refutation  # noqa: PLC0415

        found = part_refutation(layout, clauses).least(targets, 2, int)
    else:
        found = RefutationSearch([GroupClauses(ProofGroup(ProofStatement.PART, part), clauses.clauses)]).least(targets, 2, int)
    return [candidate for literal, _ in found if (candidate := numbers.candidate(literal))]


def _search_of(board: CandidateBoard) -> RefutationSearch | ArrayRefutation:
    if not _is_compiled(board.layout):
        return RefutationSearch(group_clauses(board))
    from sudoku_cp.logic.proofs.array_refutation import board_refutation  # noqa: PLC0415

    return board_refutation(board)


def _is_compiled(layout: Layout) -> bool:
    """Return whether the compiled search is to be used: it can be, and is at hand or worth its compilation."""
    if literal_numbers(layout).values > COMPILED_VALUES or not can_compile():
        return False
    return _is_cached() or _ReadableWork.seconds > WORTH_COMPILING


@lru_cache(maxsize=1)
def _is_cached() -> bool:
    with loading():
        from sudoku_cp.logic.proofs.array_refutation import KERNEL  # noqa: PLC0415  # imports Numba

    return KERNEL.is_cached("refute_many")
