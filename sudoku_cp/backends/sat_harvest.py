"""Solutions that show candidates not seen before, from a solver that takes clauses and says which values it prefers.

The solver prefers every candidate that is still wanted, so that a solution shows a dozen of them. Each question demands one;
where there is no answer, that candidate is excluded from then on, and whatever that excludes in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sudoku_cp.backends.base import Harvest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.backends.base import Assumed, Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain


class HarvestQuestion(Protocol):
    """A puzzle before a solver."""

    @property
    def candidates(self) -> Mapping[int, tuple[Cell, int]]:
        """The variables of the candidates that are open."""
        ...

    @property
    def domains(self) -> Sequence[Domain]:
        """What each cell may take."""
        ...

    def ask(self, more: Sequence[int] = ()) -> tuple[Solution, Sequence[int]] | None:
        """Return a solution in which the literals ``more`` hold and the variables that make it; None where there is none."""
        ...

    def forbid(self, literals: Iterable[int]) -> None:
        """Have no further solution in which all of the literals hold."""
        ...

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these literals before their opposites."""
        ...

    def excluded(self) -> Collection[int] | None:
        """Return variables that are plainly false in every further solution, None where there plainly is none."""
        ...


def harvest_candidates(question: HarvestQuestion, wanted: Assumed, cap: int, known: Collection[Solution]) -> Iterator[Harvest]:
    """Yield solutions and exhausted candidates until all of ``wanted`` is settled, as `Harvests.harvest` says."""
    left = {variable: cap for variable, (cell, value) in question.candidates.items() if wanted.get(cell, 0) >> value & 1}
    lost = {cell: domain & ~question.domains[cell] for cell, domain in wanted.items() if domain & ~question.domains[cell]}
    if lost:
        yield Harvest(None, lost, searched=False)
    if known:
        _count_known(question, left, known, block=cap > 1)
    has_searched = bool(known)
    gone = _drop_excluded(question, left)
    if gone:
        yield Harvest(None, _as_domains(question, gone), searched=False)
    while left or not has_searched:
        probe = [next(iter(left))] if has_searched else []
        if has_searched:  # a puzzle that is hard to solve is harder still with a preference
            question.prefer(left)
        found = question.ask(probe)
        if found is not None:
            solution, making = found
            yield Harvest(solution)
            _count(left, making)
            if cap > 1:
                question.forbid(making)
        elif not probe:
            yield Harvest(None, wanted)
            return
        else:
            question.forbid(probe)
            del left[probe[0]]
            yield Harvest(None, _as_domains(question, [*probe, *_drop_excluded(question, left)]))
        has_searched = True


def _count(left: dict[int, int], making: Iterable[int]) -> None:
    """Note that a solution has been seen."""
    for variable in making:
        number = left.get(variable, 0)
        if number > 1:
            left[variable] = number - 1
        elif number:
            del left[variable]


def _count_known(question: HarvestQuestion, left: dict[int, int], known: Iterable[Solution], *, block: bool) -> None:
    """Note solutions that have been seen before, and keep them from coming again where each is to be counted once."""
    variables = {candidate: variable for variable, candidate in question.candidates.items()}
    for solution in known:
        making = [variables[candidate] for candidate in enumerate(solution) if candidate in variables]
        _count(left, making)
        if block:
            question.forbid(making)


def _drop_excluded(question: HarvestQuestion, left: dict[int, int]) -> list[int]:
    """Take what the solver excludes without search out of what is wanted, and return it."""
    excluded = question.excluded()
    gone = list(left) if excluded is None else [variable for variable in excluded if variable in left]
    for variable in gone:
        del left[variable]
    return gone


def _as_domains(question: HarvestQuestion, variables: Iterable[int]) -> dict[Cell, Domain]:
    """Return the candidates of variables as the set of each cell."""
    sets: dict[Cell, Domain] = {}
    for variable in variables:
        cell, value = question.candidates[variable]
        sets[cell] = sets.get(cell, 0) | 1 << value
    return sets
