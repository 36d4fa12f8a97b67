"""The readable tier's search: propagate, choose a cell, try its values one after the other, on an explicit stack."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.native.partition_propagator import Domains, Propagator, narrow, partition_propagator
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import MAX_VALUE, Cell
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Domain,
    Linear,
    Model,
    Partition,
    Relation,
    Table,
    cells_of,
    members,
    to_mask,
)
from sudoku_cp.time_limits import ticking

if TYPE_CHECKING:
    from sudoku_cp.backends.search_tree import PathTree, Recorder, Stop


LOOK = 4
"""Propagator runs between two checks of the clock, within a node."""
COUNTERS = ("nodes", "guesses", "backtracks", "depth", "propagations")
ORDERS: dict[str, Callable[[list[Cell], Domains], Cell]] = {
    "fewest": lambda open_cells, domains: min(open_cells, key=lambda cell: domains[cell].bit_count()),
    "first": lambda open_cells, _: open_cells[0],
}
"""How to select the cell to guess in: the one with fewest candidates, or the first in reading order."""


@dataclass(slots=True)
class _SearchFrame:
    """A guess: its cell, the domains before it, the values not tried yet, and the tree's node at that point."""

    domains: Domains
    cell: Cell
    untried: Domain
    node: int


@dataclass(slots=True)
class _SearchState:
    """Where the search of one question is: its guesses, and the domains now."""

    stack: list[_SearchFrame]
    domains: Domains


class ReadableSession:
    """One model with its constraints' propagators, and the watchers of each cell."""

    def __init__(self, model: Model, choose: Callable[[list[Cell], Domains], Cell]) -> None:
        """Index the propagators by cell; the first question prepares them, within its own limits."""
        self._model = model
        self._choose = choose
        self._propagators: list[Propagator] = []
        self._watchers: list[list[int]] = [[] for _ in model.domains]
        for number, constraint in enumerate(model.constraints):
            for cell in cells_of(constraint):
                self._watchers[cell].append(number)
        self._counts = dict.fromkeys(COUNTERS, 0)
        self._last = _SearchState([], [])

    def counters(self) -> Mapping[str, int]:
        """Return nodes, guesses, backtracks, the greatest depth and propagator runs of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``."""
        yield from self.search(assume, limits.started())

    def search(self, assume: Assumed, clock: Clock) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``, within the limits of a running clock."""
        yield from self._search(assume, clock, None)

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions not yet found when a limit stopped the last question."""
        board, stack = self._model.board, self._last.stack
        # Below the first guess of an auxiliary there is a single grid.
        guessed = next((depth for depth, frame in enumerate(stack) if frame.cell >= board), len(stack))
        here = stack[guessed].domains if guessed < len(stack) else self._last.domains
        left = [[*frame.domains[: frame.cell], frame.untried, *frame.domains[frame.cell + 1 :]] for frame in stack[:guessed]]
        return [dict(enumerate(domains[:board])) for domains in (*left, here) if domains and all(domains)]  # none at the end

    def trace(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
        """Return the path tree of the search up to ``stop_after`` solutions."""
        from sudoku_cp.backends.search_tree import Recorder  # noqa: PLC0415  # 3 ms that only a trace needs

        recorder = Recorder(self._start(assume))
        found: list[Solution] = []
        stopped: Stop | None = None
        try:
            for solution in self._search(assume, limits.started(), recorder):
                found.append(solution)
                if len(found) == stop_after:
                    stopped = "solutions"
                    break
        except LimitReached as limit:
            stopped = limit.reason
        return recorder.tree(self._model.board, tuple(found), stopped)

    # --- the search ---------------------------------------------------------------------------------------------

    def _start(self, assume: Assumed) -> Domains:
        domains = list(self._model.domains)
        for cell, allowed in assume.items():
            domains[cell] &= allowed
        return domains

    def _search(self, assume: Assumed, clock: Clock, recorder: Recorder | None) -> Iterator[Solution]:
        self._counts = counts = dict.fromkeys(COUNTERS, 0)
        board = self._model.board
        domains = self._start(assume)
        stack: list[_SearchFrame] = []
        self._last = state = _SearchState(stack, domains)
        for constraint in self._model.constraints[len(self._propagators) :]:
            clock.check()
            with ticking(clock.check):
                self._propagators.append(propagator(constraint, self._model.domains))
        alive = all(domains) and self._propagate(domains, range(len(self._propagators)), recorder, clock)
        while True:
            clock.nodes += 1
            counts["nodes"] += 1
            clock.check()
            if not alive:
                counts["backtracks"] += 1
                if recorder:
                    recorder.end_branch("dead")
            elif (cell := self._select_variable(domains)) is not None:
                stack.append(_SearchFrame(domains, cell, domains[cell], recorder.here if recorder else 0))
                counts["depth"] = max(counts["depth"], len(stack))
            else:
                if recorder:
                    recorder.end_branch("solution")
                yield tuple(domain.bit_length() - 1 for domain in domains[:board])
                self._last = state  # other questions may have been asked meanwhile
                # Other values of the auxiliaries would give the same grid again.
                while stack and stack[-1].cell >= board:
                    stack.pop()
            while stack and not stack[-1].untried:
                stack.pop()
            if not stack:
                state.domains = []
                return
            state.domains = domains = self._guess(stack[-1], recorder)
            alive = self._propagate(domains, self._watchers[stack[-1].cell], recorder, clock)

    def _select_variable(self, domains: Domains) -> Cell | None:
        """Return the cell to guess in: one of the board while any is open, then an auxiliary."""
        board = self._model.board
        open_cells = [cell for cell in range(board) if domains[cell] & (domains[cell] - 1)]
        if not open_cells:
            open_cells = [cell for cell in range(board, len(domains)) if domains[cell] & (domains[cell] - 1)]
        return self._choose(open_cells, domains) if open_cells else None

    def _guess(self, frame: _SearchFrame, recorder: Recorder | None) -> Domains:
        """Return the domains with the frame's next value in its cell."""
        bit = frame.untried & -frame.untried
        frame.untried ^= bit
        domains = frame.domains.copy()
        if recorder:
            recorder.guess(frame.node, frame.cell, bit, domains)
        domains[frame.cell] = bit
        self._counts["guesses"] += 1
        return domains

    def _propagate(self, domains: Domains, first: Iterable[int], recorder: Recorder | None, clock: Clock) -> bool:
        """Run propagators, those of changed cells again, until nothing changes; return False on a contradiction."""
        queue = deque(first)
        waiting = set(queue)
        runs = 0
        changed: list[Cell] = []
        alive = True
        while queue and alive:
            number = queue.popleft()
            waiting.discard(number)
            runs += 1
            if runs % LOOK == 0:
                clock.check()
            alive = self._propagators[number](domains, changed)
            if changed:
                if recorder:
                    recorder.changed(changed, domains, number)
                for cell in changed:
                    for watcher in self._watchers[cell]:
                        if watcher not in waiting:
                            waiting.add(watcher)
                            queue.append(watcher)
                changed.clear()
            if not alive and recorder:
                recorder.contradiction(number)
        self._counts["propagations"] += runs
        return alive


# The propagators of the readable tier: one for each constraint.
#
# Rules of this file: ``domains`` is a list of the sets (bits) of values still possible, one for each cell. A propagator removes
# values that its constraint alone rules out, appends the cells it changed to ``changed``, and returns False when a solution is
# impossible. It may remove too few values, never too many; on decided cells it is exact.


def propagator(constraint: Constraint, domains: Sequence[Domain]) -> Propagator:  # noqa: PLR0911  # one for each kind
    """Return the propagator of ``constraint``, prepared for the values in ``domains``."""
    match constraint:
        case AllDifferent(cells) | DigitSet(cells) if len(set(cells)) < len(cells):
            return lambda _live, _changed: False
        case AllDifferent(cells):
            return lambda live, changed: _all_different(cells, live, changed)
        case DigitSet(cells, sets):
            allowed = sorted(sets)
            return lambda live, changed: _digit_set(cells, allowed, live, changed)
        case Linear(terms):
            merged = tuple((cell, sum(factor for one, factor in terms if one == cell)) for cell in cells_of(constraint))
            return _linear(merged, constraint.relation, constraint.total)
        case Count():
            return _counting(constraint)
        case Table() | Automaton():
            return _layered(constraint, domains)
        case Clause(literals):
            return lambda live, changed: _clause(literals, live, changed)
        case Connected(cells, values, beside):
            wanted = to_mask(value for value in values if 0 <= value <= MAX_VALUE)
            near = [to_mask(others) for others in beside]
            return lambda live, changed: _connected(cells, wanted, near, live, changed)
        case Partition():
            return partition_propagator(constraint)
        case _:
            assert_never(constraint)


# --- all different ----------------------------------------------------------------------------------------------


def _all_different(cells: tuple[Cell, ...], domains: Domains, changed: list[Cell]) -> bool:
    """Apply naked singles; and if the cells have exactly as many values as they need, hidden singles."""
    settled = 0
    while True:
        seen = 0
        for cell in cells:
            domain = domains[cell]
            if not domain & (domain - 1):
                if domain & seen or not domain:
                    return False
                seen |= domain
        if seen == settled:
            break
        settled = seen
        for cell in cells:
            domain = domains[cell]
            if domain & seen and domain & (domain - 1):
                domain &= ~seen
                if not domain:
                    return False
                domains[cell] = domain
                changed.append(cell)
    return _hidden_singles(cells, settled, domains, changed)


def _hidden_singles(cells: tuple[Cell, ...], settled: Domain, domains: Domains, changed: list[Cell]) -> bool:
    once = twice = 0
    for cell in cells:
        domain = domains[cell]
        twice |= once & domain
        once |= domain
    spare = once.bit_count() - len(cells)
    if spare:
        return spare > 0
    hidden = once & ~twice & ~settled
    if hidden:
        for cell in cells:
            single = domains[cell] & hidden
            if single:
                if single & (single - 1):
                    return False
                domains[cell] = single
                changed.append(cell)
    return True


# --- digit sets -------------------------------------------------------------------------------------------------


def _digit_set(cells: tuple[Cell, ...], allowed: list[Domain], domains: Domains, changed: list[Cell]) -> bool:
    """Keep the sets that have a value for every cell: only their values are possible, and those in all of them must occur."""
    union = 0
    for cell in cells:
        union |= domains[cell]
    possible = required = 0
    first = True
    for one in allowed:
        if not one & ~union and all(one & domains[cell] for cell in cells):
            possible |= one
            required = one if first else required & one
            first = False
    if first or not all(narrow(cell, possible, domains, changed) for cell in cells):
        return False
    while required:
        value = required & -required
        required ^= value
        places = [cell for cell in cells if domains[cell] & value]
        if not places or (len(places) == 1 and not narrow(places[0], value, domains, changed)):
            return False
    return _all_different(cells, domains, changed)


# --- sums -------------------------------------------------------------------------------------------------------


def _linear(terms: tuple[tuple[Cell, int], ...], relation: Relation, total: int) -> Propagator:
    match relation:
        case "!=":
            return lambda live, changed: _unequal(terms, total, live, changed)
        case "<=":
            return lambda live, changed: _at_most(terms, total, live, changed)
        case ">=":
            flipped = tuple((cell, -factor) for cell, factor in terms)
            return lambda live, changed: _at_most(flipped, -total, live, changed)
        case "==":
            opposite = tuple((cell, -factor) for cell, factor in terms)
            return lambda live, changed: _equal(terms, opposite, total, live, changed)
        case _:
            assert_never(relation)


def _equal(
    terms: tuple[tuple[Cell, int], ...], opposite: tuple[tuple[Cell, int], ...], total: int, domains: Domains, changed: list[Cell]
) -> bool:
    """Apply the bounds from both sides until nothing changes: the last cell is known once all others are."""
    while True:
        before = len(changed)
        if not (_at_most(terms, total, domains, changed) and _at_most(opposite, -total, domains, changed)):
            return False
        if len(changed) == before:
            return True


def _at_most(terms: tuple[tuple[Cell, int], ...], total: int, domains: Domains, changed: list[Cell]) -> bool:
    """Keep every term small enough that, with the others at their least, the sum stays within the total."""
    slack = total
    for cell, factor in terms:
        domain = domains[cell]
        slack -= factor * (((domain & -domain) if factor > 0 else domain).bit_length() - 1)
    if slack < 0:
        return False
    for cell, factor in terms:
        domain = domains[cell]
        if factor > 0:
            highest = (domain & -domain).bit_length() - 1 + slack // factor
            kept = (2 << highest) - 1
        elif factor < 0:
            lowest = domain.bit_length() - 1 - slack // -factor
            kept = -1 << max(0, lowest)
        else:
            continue
        if not narrow(cell, kept, domains, changed):
            return False
    return True


def _unequal(terms: tuple[tuple[Cell, int], ...], total: int, domains: Domains, changed: list[Cell]) -> bool:
    """Once a single term is open, rule out the value that completes the total."""
    rest = total
    unsettled: tuple[Cell, int] | None = None
    for cell, factor in terms:
        domain = domains[cell]
        if not domain & (domain - 1):
            rest -= factor * (domain.bit_length() - 1)
        elif unsettled or not factor:
            return True
        else:
            unsettled = cell, factor
    if unsettled is None:
        return rest != 0
    cell, factor = unsettled
    value, remainder = divmod(rest, factor)
    return remainder != 0 or value < 0 or narrow(cell, ~(1 << value), domains, changed)


# --- counts -----------------------------------------------------------------------------------------------------


def _counting(constraint: Count) -> Propagator:
    cells, number = constraint.cells, constraint.number
    wanted = to_mask(value for value in constraint.values if 0 <= value <= MAX_VALUE)
    if constraint.relation == "!=":
        return lambda live, changed: _count_but(cells, wanted, number, live, changed)
    least = 0 if constraint.relation == "<=" else number
    most = len(cells) if constraint.relation == ">=" else number
    return lambda live, changed: _count(cells, wanted, least, most, live, changed)


def _counted(cells: tuple[Cell, ...], wanted: Domain, domains: Domains) -> tuple[int, list[Cell]]:
    """Return how many cells surely hold a wanted value, and the cells that may or may not."""
    sure = sum(not domains[cell] & ~wanted for cell in cells)
    return sure, [cell for cell in cells if domains[cell] & wanted and domains[cell] & ~wanted]


def _count(cells: tuple[Cell, ...], wanted: Domain, least: int, most: int, domains: Domains, changed: list[Cell]) -> bool:
    """Rule out the wanted values in undecided cells once no more cells may hold one, or all others once every such cell must."""
    low, unsure = _counted(cells, wanted, domains)
    high = low + len(unsure)
    if low > most or high < least:
        return False
    kept = ~wanted if low == most else wanted if high == least else -1
    return all(narrow(cell, kept, domains, changed) for cell in unsure)


def _count_but(cells: tuple[Cell, ...], wanted: Domain, number: int, domains: Domains, changed: list[Cell]) -> bool:
    """Once a single cell is undecided, keep it from making the count ``number``."""
    low, unsure = _counted(cells, wanted, domains)
    if not unsure:
        return low != number
    if len(unsure) > 1 or number not in {low, low + 1}:
        return True
    return narrow(unsure[0], wanted if low == number else ~wanted, domains, changed)


# --- tables and automata ----------------------------------------------------------------------------------------


def _layered(constraint: Table | Automaton, domains: Sequence[Domain]) -> Propagator:
    """Return a propagator that keeps the values on some path through the layered graph."""
    from sudoku_cp.model.layered_graph import layered_graph  # noqa: PLC0415  # 2 ms that a plain board does not need

    cells, graph = layered_graph(constraint, domains)
    steps = [tuple((start, 1 << value, end) for start, value, end in layer) for layer in graph]

    def propagate(live: Domains, changed: list[Cell]) -> bool:
        states = {0}
        walked = []
        for cell, layer in zip(cells, steps, strict=True):
            domain = live[cell]
            walked.append([arc for arc in layer if arc[1] & domain and arc[0] in states])
            states = {end for _, _, end in walked[-1]}
        for cell, arcs in zip(reversed(cells), reversed(walked), strict=True):
            kept = 0
            alive = set()
            for start, value, end in arcs:
                if end in states:
                    kept |= value
                    alive.add(start)
            if not narrow(cell, kept, live, changed):
                return False
            states = alive
        return True

    return propagate


# --- connected cells --------------------------------------------------------------------------------------------


def _connected(cells: tuple[Cell, ...], wanted: Domain, near: Sequence[int], domains: Domains, changed: list[Cell]) -> bool:
    """Rule out the wanted values wherever no way leads from a cell that surely has one, over cells that may have one."""
    possible = to_mask(place for place, cell in enumerate(cells) if domains[cell] & wanted)
    sure = to_mask(place for place, cell in enumerate(cells) if not domains[cell] & ~wanted)
    if not sure:
        return possible != 0
    reached = edge = sure & -sure
    while edge:
        further = 0
        for place in members(edge):
            further |= near[place]
        edge = further & possible & ~reached
        reached |= edge
    if sure & ~reached:
        return False
    return all(narrow(cells[place], ~wanted, domains, changed) for place in members(possible & ~reached))


# --- clauses ----------------------------------------------------------------------------------------------------


def _clause(literals: Sequence[tuple[Cell, int, bool]], domains: Domains, changed: list[Cell]) -> bool:
    """If only one literal can still be true, make it true (unit propagation)."""
    last: tuple[Cell, int, bool] | None = None
    for literal in literals:
        cell, value, equal = literal
        domain, bit = domains[cell], 1 << value
        if domain == bit if equal else not domain & bit:
            return True
        if domain & bit if equal else domain != bit:
            if last is not None:
                return True
            last = literal
    if last is None:
        return False
    cell, value, equal = last
    return narrow(cell, 1 << value if equal else ~(1 << value), domains, changed)
