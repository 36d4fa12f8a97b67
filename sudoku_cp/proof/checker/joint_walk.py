"""Compares clauses with a machine by walking through all values with both at once (a product construction).

Machine and clauses read the same cells, value by value, and every pair of a machine's state and a remainder of the clauses is
visited once. Clauses about a sum or an automaton have few remainders, as they were made from a state machine; so a line of nine
cells takes thousands of steps and not millions. Clauses that share no auxiliaries are read in parallel tracks, so that the
effect of a value on one track is computed once, and not once for every combination of the others. Auxiliaries may be chosen
freely: what is left when all cells are read must be satisfiable.

Clauses that unroll an automaton, and clauses about the set of different values, are replaced by the automaton or by the sets
that they allow, which say exactly the same. If nothing else is left, and the rule's machine has branches, the branches of both
are compared, as their product can be too large: if both have the same ones, the machine agrees with the clauses. The rest of
this page is about all other clauses with auxiliaries.

Auxiliaries that no value can force, such as those that choose where an automaton starts, are chosen first, in every way if
there are few: what is left is then a set of remainders, one of which must hold (the subset construction).

Auxiliaries that the values read do not decide, such as the states of an automaton that it is not in, can multiply remainders.
So two bounds are walked through first, in which nothing is left of an auxiliary once no further value can force it to be true.
In one it is then made false: what is satisfied so is certainly allowed. In the other its clauses are forgotten, and those that
only say what an auxiliary needs are left out: what the others forbid is certainly forbidden. If the machine agrees with both, it
agrees with the clauses; otherwise the exact walk decides.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from .clause_automata import due_auxiliaries
from .clause_remainders import MeaningDifference, WorkBudget
from .clause_tracks import Bound, SubsetTrack, Track, split_into_tracks, split_off_exact
from .rule_machines import state_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .rule_machines import RuleMachine


def live_states(machine: RuleMachine, size: int, values: range, work: WorkBudget) -> list[set[Any]]:
    """Return, for each number of cells read, the reachable states from which some values lead to acceptance."""
    layers: list[dict[Any, list[Any]]] = []
    states = {machine.start}
    for place in range(size):
        layer: dict[Any, list[Any]] = {}
        after: dict[Any, Any] = {}  # equal states are kept once
        for state in states:
            work.spend(len(values) * machine.cost + state_size(state))
            ends = [machine.step(state, place, value) for value in values]
            layer[state] = [None if end is None else after.setdefault(end, end) for end in ends]
        layers.append(layer)
        states = set(after)
    work.spend(sum(map(state_size, states)))  # what accepts a state may look at all that it keeps
    alive = [{state for state in states if machine.accept(state)}]
    for layer in reversed(layers):
        alive.insert(0, {state for state, ends in layer.items() if not alive[0].isdisjoint(ends)})
    return alive


class ParallelTracks:
    """Clauses in parallel tracks; a remainder is a tuple of the tracks' remainders, None for a contradiction."""

    def __init__(self, tracks: Sequence[Track], work: WorkBudget) -> None:
        """Start with no value read."""
        self.work, self.tracks = work, tracks
        self.moves: dict[tuple[int, int], list[dict[int, int]]] = {}

    def start(self) -> tuple[int, ...] | None:
        """Return the remainder after unit propagation."""
        numbers = tuple(track.start() for track in self.tracks)
        return None if numbers and min(numbers) < 0 else numbers

    def branches(self) -> list[tuple[int, ...]]:
        """Return remainders of which one holds if that at the start does: for every way to start each track."""
        ways = [track.branches() if isinstance(track, SubsetTrack) else [track.start()] for track in self.tracks]
        self.work.spend(prod(map(len, ways)))
        return [numbers for numbers in product(*ways) if min(numbers, default=0) >= 0]

    def move(self, numbers: tuple[int, ...], place: int, index: int) -> tuple[int, ...] | None:
        """Return the remainder once the cell at ``place`` has the value with this index."""
        key, after = (place, index), []
        if key not in self.moves:
            self.moves[key] = [{} for _ in self.tracks]
        for number, known, track in zip(numbers, self.moves[key], self.tracks, strict=True):
            end = known.get(number)
            if end is None:
                end = known[number] = track.move(number, place, index)
            if end < 0:
                return None
            after.append(end)
        return tuple(after)

    def satisfiable(self, numbers: tuple[int, ...] | None) -> bool:
        """Return whether some choice of auxiliaries makes the remainder true."""
        return numbers is not None and all(track.satisfiable(number) for track, number in zip(self.tracks, numbers, strict=True))


class Languages:
    """Numbers for sets of sequences of values; equal sets have equal numbers, and 0 is the empty set.

    A set is given by the numbers of the sets of what may follow each first value. So states of an automaton are merged from the
    last cell on, as when it is minimized.
    """

    def __init__(self, values: range, work: WorkBudget) -> None:
        """Start with the empty set, and 1 for the set of the empty sequence alone."""
        self.values, self.work = values, work
        self.numbers: dict[tuple[int, ...], int] = {(0,) * len(values): 0}

    def accepted(
        self, starts: Iterable[Any], step: Callable[[Any, int, int], Any], accept: Callable[[Any], bool], size: int
    ) -> set[int]:
        """Return the numbers of what is accepted from each of some states; ``step`` takes the index of a value."""
        layers: list[dict[Any, list[Any]]] = []
        states = dict.fromkeys(starts)
        for place in range(size):
            layer: dict[Any, list[Any]] = {}
            for state in states:
                self.work.spend(2 * len(self.values))
                layer[state] = [step(state, place, index) for index in range(len(self.values))]
            layers.append(layer)
            states = dict.fromkeys(end for ends in layer.values() for end in ends if end is not None)
        number: dict[Any, int] = {state: int(accept(state)) for state in states}
        for layer in reversed(layers):
            own = {state: tuple(0 if end is None else number[end] for end in ends) for state, ends in layer.items()}
            number = {state: self.numbers.setdefault(ends, len(self.numbers) + 1) for state, ends in own.items()}
        return {*number.values()}


def _are_equal_by_branches(machine: RuleMachine, tracks: ParallelTracks, size: int, values: range, work: WorkBudget) -> bool:
    """Return whether each branch of a machine accepts what some branch of clauses allows, and the other way round.

    Then both unions are equal. Otherwise they may be equal, too: the walk decides.
    """
    languages = Languages(values, work)
    return languages.accepted(tracks.branches(), tracks.move, tracks.satisfiable, size) - {0} == languages.accepted(
        machine.branches, lambda state, place, index: machine.step(state, place, values[index]), machine.accept, size
    ) - {0}


def walk(machine: RuleMachine, size: int, values: range, clauses: Sequence[Sequence[int]], work: WorkBudget) -> MeaningDifference:
    """Compare a machine with clauses in which the variable of the k-th cell's v-th value is 1 + k * (number of values) + v.

    Returns values of all cells that show a difference, found by breadth-first search; raises `TooMuchWork`.
    """
    width = len(values)
    work.spend(sum(map(len, clauses)))
    tracks, others = split_off_exact(clauses, size, width, work)
    common = ParallelTracks(tracks, work)
    if machine.branches and not others and _are_equal_by_branches(machine, common, size, values, work):
        return MeaningDifference(None, None)
    alive = live_states(machine, size, values, work)

    def make(some: Sequence[Sequence[int]], bound: Bound) -> ParallelTracks:
        return ParallelTracks(split_into_tracks(some, size, width, work, bound), work)

    if others:
        free = set(due_auxiliaries(others, size, width).get(0, ()))
        forcing = [one for one in others if not _is_need(one, size * width) or free.issuperset(map(abs, one))]
        found = _walk_between(machine, alive, values, common, make(others, "allowed"), make(forcing, "not forbidden"))
        if found == MeaningDifference(None, None):
            return found
    exact = make(others, "exact")
    return _walk_between(machine, alive, values, common, exact, exact)


def _is_need(clause: Sequence[int], board: int) -> bool:
    """Return whether a clause is a need of an auxiliary: if it is true, so is one of some literals."""
    negative = [literal for literal in clause if literal < 0]
    return len(negative) == 1 < len(clause) and -negative[0] > board


UNSURE = MeaningDifference((), ())
"""The bounds do not suffice."""


class WalkState(NamedTuple):
    """A state of the machine (None: it rejects), remainders of clauses (None: they are false), and the values that lead there."""

    machine: Any
    common: tuple[int, ...] | None
    lower: tuple[int, ...] | None
    upper: tuple[int, ...] | None
    read: tuple[int, ...]


def _walk_between(
    machine: RuleMachine,
    alive: list[set[Any]],
    values: range,
    common: ParallelTracks,
    lower: ParallelTracks,
    upper: ParallelTracks,
) -> MeaningDifference:
    """Compare a machine with clauses that allow what the ``lower`` bound allows, and nothing that the ``upper`` one forbids.

    ``common`` are the tracks that need no bounds, which belong to both. Differences from bounds need not be differences from the
    clauses, and can be `UNSURE`.
    """
    size = len(alive) - 1
    effort = machine.cost // 2 + (len(common.tracks) + len(lower.tracks)) // 4 + size // 16
    first = machine.start if machine.start in alive[0] else None
    now = [WalkState(first, common.start(), lower.start(), upper.start(), ())]
    for place in range(size):
        after: dict[Any, WalkState] = {}
        for state, both, least, most, read in now:
            lower.work.spend(len(values) * (1 + effort))
            for index, value in enumerate(values):
                end = None if state is None else machine.step(state, place, value)
                end = end if end in alive[place + 1] else None
                plain = None if both is None else common.move(both, place, index)
                below = None if plain is None or least is None else lower.move(least, place, index)
                above = below if upper is lower else None if plain is None or most is None else upper.move(most, place, index)
                if upper is not lower and end is not None and below is None:
                    return UNSURE
                if end is not None or above is not None:
                    key = end, plain, below, above
                    if key not in after:
                        after[key] = WalkState(*key, (*read, value))
        now = list(after.values())
    lost = loose = None
    for state, both, least, most, read in now:
        if state is None and common.satisfiable(both) and upper.satisfiable(most):
            loose = read
        if state is not None and not (common.satisfiable(both) and lower.satisfiable(least)):
            lost = read
    return MeaningDifference(lost, loose)
