"""Selection of clues that leave one solution, by implicit hitting sets and tabu search; how many of each family there may be.

A counter-solution is another solution of the board that all clues selected so far allow. A selection must exclude every one seen
so far, which needs no solver; then the solver finds the next counter-solution, or that there is none (implicit hitting sets:
Chandrasekaran, Karp, Moreno-Centeno and Vempala, 2011; here the sets are found by local search with a tabu list).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest
from math import log2
from typing import TYPE_CHECKING

from sudoku_cp.backends.assumption_cores import AssumptionSolver
from sudoku_cp.errors import LimitReached, Reason
from sudoku_cp.generate.base import Span, can_mirror_values
from sudoku_cp.generate.variants.proposals import spots_of, spots_of_edge
from sudoku_cp.model import Clause, Literal, Model, Statement, join_blocks, make_block, shift_auxiliaries
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.variants.proposals import Proposal, Spot
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules.base import Rule


# What a selection of clues may contain, and which places of the board are taken.


ANY_GIVENS = Span(0)
"""Any number of givens."""


@dataclass(frozen=True)
class SelectionSpec:
    """What a selection may contain: clues of ``families``, at ``most`` so many of each, and a number of ``givens``.

    ``fixed`` givens always stay. ``bits`` is the approximate information of each clue.
    """

    families: tuple[str, ...]
    most: Mapping[str, int]
    bits: Mapping[CandidateClue, float]
    givens: Span = ANY_GIVENS
    fixed: frozenset[CandidateClue] = frozenset()
    minimal: bool = False


class Occupancy:
    """Which spots of a board are taken by which clue, and how many clues of each family there are."""

    def __init__(self, clues: Iterable[CandidateClue], spec: SelectionSpec) -> None:
        """Put ``clues`` on the board; ``spec`` says how many there may be."""
        self._spec = spec
        self._taken: dict[Spot, CandidateClue] = {}
        self._covered: set[Place] = set()
        self._clues: list[CandidateClue] = []
        self.numbers: Counter[str] = Counter()
        for clue in clues:
            self.add(clue)

    def add(self, clue: CandidateClue) -> None:
        """Put another clue on the board."""
        self._clues.append(clue)
        self._taken.update(dict.fromkeys(clue.spots, clue))
        self._covered |= clue.places
        self.numbers[clue.family] += len(clue.cells) or clue.count

    def displaced(self, clue: CandidateClue) -> list[CandidateClue]:
        """Return the clues that it would replace: those that share a spot, and the last of its family if that is full."""
        going = list(dict.fromkeys(self._taken[spot] for spot in clue.spots if spot in self._taken))
        if self.full(clue) and not any(one.family == clue.family for one in going):
            going.append(next(one for one in reversed(self._clues) if one.family == clue.family))
        return going

    def overlaps(self, clue: CandidateClue) -> int:
        """Return how many of its cells are covered by others."""
        return len(self._covered & clue.places)

    def full(self, clue: CandidateClue) -> bool:
        """Return whether its family is full."""
        number = self.numbers[clue.family] + (len(clue.cells) or clue.count)
        most = self._spec.givens.most if clue.family == GIVEN else self._spec.most[clue.family]
        return most is not None and number > most

    def takes(self, clue: CandidateClue) -> bool:
        """Return whether it fits with the others."""
        return not self.full(clue) and not any(spot in self._taken for spot in clue.spots)


# Candidate clues, and one solver in which any of them can be switched on or off.


GIVEN = "given"
"""The family of the cells that are given."""
INK = frozenset({"cage", "line", "sign"})
"""Layers that cover cells; clues of different layers can share cells, but look better apart."""


@dataclass(frozen=True, eq=False)
class CandidateClue:
    """A clue that a puzzle may get: the ``rules`` of a proposal, or ``cells`` that are given together. Equal only to itself.

    ``count`` is the number of clues that people see in it.
    """

    family: str
    rules: tuple[Rule, ...] = ()
    cells: tuple[Cell, ...] = ()
    cost: float = 1.0
    spots: tuple[Spot, ...] = ()
    count: int = 1

    @cached_property
    def places(self) -> frozenset[Place]:
        """The places that it covers."""
        return frozenset((row, column) for layer, row, column in self.spots if layer in INK)

    def excludes(self, grid: Grid, solution: Solution, other: Solution) -> bool:
        """Return whether it does not hold for another solution of the board."""
        return any(other[cell] != solution[cell] for cell in self.cells) or not all(
            rule.holds(grid, other) for rule in self.rules
        )


def clues_from_proposals(family: str, proposals: Iterable[Proposal]) -> list[CandidateClue]:
    """Return the proposals of a family as clues, one for each set of rules."""
    once = {proposal.rules: proposal for proposal in proposals}
    return [
        CandidateClue(family, proposal.rules, (), proposal.cost, tuple(sorted(proposal.spots)), proposal.count)
        for proposal in once.values()
    ]


def keep_apart(grid: Grid, clues: Iterable[CandidateClue]) -> list[CandidateClue]:
    """Return the clues with further spots, so that no two of them share a cell or lie on an edge inside another."""
    at, found = grid.cell_at, []
    for clue in clues:
        beside = ((place, other) for place in clue.places for other in ((place[0], place[1] + 1), (place[0] + 1, place[1])))
        edges = (spots_of_edge(grid, at[place], at[other]) for place, other in beside if other in clue.places)
        spots = frozenset(clue.spots).union(spots_of("cell", clue.places), *edges)
        found.append(replace(clue, spots=tuple(sorted(spots))))
    return found


class ClueSolver:
    """One solver for all clues of an attempt. Its counter-solutions depend on the questions asked before, and on nothing else."""

    def __init__(self, board: Puzzle, solution: Solution, clues: Sequence[CandidateClue], clock: Clock) -> None:
        """Translate the board (which has no givens) and every clue."""
        self.grid, self.solution = board.grid, solution
        self._numbers = {clue: number for number, clue in enumerate(clues)}
        self._clues = clues
        self._clock = clock
        model, parts = model_with_parts(board, solution, clues, clock)
        self._parts = AssumptionSolver(model, parts, limits=clock.left())
        self._besides = dict(enumerate(solution))
        self.spent = 0

    def other(self, held: Collection[CandidateClue], nodes: int) -> Solution | list[CandidateClue] | None:
        """Return another solution that the clues ``held`` allow, or a core: those of them that together allow no other.

        Return None after ``nodes`` conflicts without an answer. Raises `LimitReached` for the limits of the attempt.
        """
        self._clock.check()
        left = self._clock.left()
        own = replace(left, nodes=nodes if left.nodes is None else min(nodes, left.nodes)).started()
        try:
            found = self._parts.ask([self._numbers[clue] for clue in held], self._besides, clock=own)
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
            found = None
        self.spent += own.nodes
        self._clock.nodes += own.nodes
        self._clock.check()
        return [clue for clue in held if self._numbers[clue] in found] if isinstance(found, frozenset) else found

    def check(self) -> None:
        """Raise `LimitReached` if a limit of the attempt has been reached."""
        self._clock.check()

    def excludes(self, clue: CandidateClue, other: Solution) -> bool:
        """Return whether a clue excludes a counter-solution."""
        return clue.excludes(self.grid, self.solution, other)


def model_with_parts(
    board: Puzzle, solution: Solution, clues: Sequence[CandidateClue], clock: Clock
) -> tuple[Model, list[tuple[Statement, ...]]]:
    """Return the model of the board with the auxiliaries of all clues, and the statements of each clue."""
    model = board.model(clock.check)
    domains, size = list(model.domains), model.board
    parts = []
    for clue in clues:
        statements: list[Statement] = []
        for rule in clue.rules:
            own = join_blocks(model.domains[:size], [make_block(rule.kind, rule.lower(board.grid), clock.check)])
            statements += shift_auxiliaries(own, len(domains) - size)
            domains += own.domains[size:]
        statements += [Statement(Clause((Literal(cell, solution[cell]),)), GIVEN, GIVEN) for cell in clue.cells]
        parts.append(tuple(statements))
    return Model(tuple(domains), model.statements, size), parts


NODES = 20_000
"""Conflicts of a question before its board is given up: too hard for people, and for the proof."""
SPENT = 60_000
"""Conflicts of all questions together before a selection is given up."""
EASY = 2_000
"""Conflicts of a question before a given makes the board easier, where there may be one."""
ROUNDS = 400
"""Counter-solutions seen before a selection is given up."""
MOVES = 100
"""Changes to a selection before the attempt to exclude all counter-solutions is given up."""
SWAPPED, MOVED = 60, 10
"""Counter-solutions answered by exchanging clues, and moves against one, before givens are added where they are allowed."""
DISTURBED = 2
"""The most clues that one that overlaps them may replace."""
TABU = 6
"""Moves for which a removed clue is tabu, at random up to twice as many."""
SAMPLES = 64
"""Random boards by which the information of clues is estimated."""


def pack_clues(
    random: Random, clues: Iterable[CandidateClue], spec: SelectionSpec, layout: Sequence[CandidateClue] = ()
) -> list[CandidateClue]:
    """Return as many clues as fit together with those of a ``layout``, families taking turns.

    Informative and cheap clues are likelier; none of families that the layout has is added.
    """
    by_family: dict[str, list[CandidateClue]] = {name: [] for name in spec.families}
    for clue in clues:
        if clue.family in by_family:
            by_family[clue.family].append(clue)
    for name in {clue.family for clue in layout}:
        by_family[name] = []
    found = list(layout)
    occupancy = Occupancy(found, spec)
    ranked = [_rank_clues(random, own, spec) for own in by_family.values()]
    for apart in (True, False):
        for clue in chain.from_iterable(zip_longest(*ranked)):
            if clue is not None and occupancy.takes(clue) and not (apart and occupancy.overlaps(clue)):
                found.append(clue)
                occupancy.add(clue)
    return found


def _rank_clues(random: Random, clues: Sequence[CandidateClue], spec: SelectionSpec) -> list[CandidateClue]:
    """Return the clues in random order, with cheap and informative ones likelier to be first."""
    ranks = {clue: clue.cost * random.uniform(0.5, 1.5) / spec.bits[clue] for clue in clues}
    return sorted(clues, key=ranks.__getitem__)


def rename_values(random: Random, grid: Grid, solution: Solution) -> list[Solution]:
    """Return the solution with its values renamed at random, `SAMPLES` times."""
    values = list(grid.values)
    renamed = []
    for _ in range(SAMPLES):
        name = dict(zip(values, random.sample(values, len(values)), strict=True))
        renamed.append(tuple(name[value] for value in solution))
    return renamed


def estimate_bits(grid: Grid, renamed: Sequence[Solution], clues: Iterable[CandidateClue]) -> dict[CandidateClue, float]:
    """Return the approximate information of each clue: -log2 of how often its rules hold in boards with values ``renamed``."""
    given = log2(len(grid.values))
    found = {}
    for clue in clues:
        held = (sum(rule.holds(grid, other) for other in renamed) for rule in clue.rules)
        found[clue] = given * len(clue.cells) - sum(log2((number + 0.5) / (len(renamed) + 1)) for number in held)
    return found


class _CounterSolutions:
    """The counter-solutions seen, and which of them (bits) each clue excludes."""

    def __init__(self, solver: ClueSolver, clues: Iterable[CandidateClue]) -> None:
        self.solver = solver
        self.excluded = dict.fromkeys(clues, 0)
        self.number = 0

    def add(self, other: Solution) -> None:
        bit = 1 << self.number
        self.number += 1
        for clue in self.excluded:
            if self.solver.excludes(clue, other):
                self.excluded[clue] |= bit

    def allowed_by(self, chosen: Iterable[CandidateClue]) -> int:
        """Return the counter-solutions (bits) that the selected clues allow."""
        gone = 0
        for clue in chosen:
            gone |= self.excluded[clue]
        return ((1 << self.number) - 1) & ~gone


def select_clues(
    random: Random, solver: ClueSolver, chosen: Sequence[CandidateClue], pool: Sequence[CandidateClue], spec: SelectionSpec
) -> list[CandidateClue] | None:
    """Return clues that leave one solution, starting from those ``chosen``; None where none were found."""
    held: list[CandidateClue] | None = list(chosen)
    seen = _CounterSolutions(solver, dict.fromkeys([*chosen, *pool]))
    unanswered = 0
    while held is not None and seen.number < ROUNDS and solver.spent < SPENT:
        givens = _addable_givens(held, pool, spec, unanswered + 1)
        found = solver.other(held, EASY if givens else NODES)
        if isinstance(found, list):
            return held
        if found is not None:
            seen.add(found)
            held = _exclude_seen(random, held, pool, seen, spec)
        else:
            unanswered += 1  # large boards may be far from easy: each time one more given than the last
            held = [*held, *givens] if givens else None
    return None


def _addable_givens(
    held: Sequence[CandidateClue], pool: Sequence[CandidateClue], spec: SelectionSpec, number: int
) -> list[CandidateClue]:
    """Return up to ``number`` givens that may be added."""
    occupancy, among = Occupancy(held, spec), set(held)
    found: list[CandidateClue] = []
    for clue in pool:
        if len(found) < number and clue.family == GIVEN and clue not in among and occupancy.takes(clue):
            found.append(clue)
            occupancy.add(clue)
    return found


def _exclude_seen(
    random: Random, chosen: list[CandidateClue], pool: Sequence[CandidateClue], seen: _CounterSolutions, spec: SelectionSpec
) -> list[CandidateClue] | None:
    """Return a selection that excludes every counter-solution seen, changed move by move."""
    back: dict[CandidateClue, int] = {}
    for move in range(MOVES):
        seen.solver.check()
        left = seen.allowed_by(chosen)
        if not left:
            return chosen
        bit = 1 << random.choice([number for number in range(seen.number) if left >> number & 1])
        held = set(chosen)
        able = [clue for clue in pool if seen.excluded[clue] & bit and clue not in held and back.get(clue, 0) <= move]
        changed = _change_selection(random, chosen, able, seen, spec, sparing=seen.number < SWAPPED and move < MOVED)
        if changed is None:
            return None
        back |= {clue: move + random.randint(TABU, 2 * TABU) for clue in chosen if clue not in set(changed)}
        chosen = changed
    return None


def _change_selection(
    random: Random,
    chosen: list[CandidateClue],
    able: Sequence[CandidateClue],
    seen: _CounterSolutions,
    spec: SelectionSpec,
    *,
    sparing: bool,
) -> list[CandidateClue] | None:
    """Return the selection with one of the ``able`` clues: added, or in place of others, or a given; None if none fits.

    If ``sparing``, a given is added only where nothing else helps.
    """
    occupancy = Occupancy(chosen, spec)
    clues = _rank_clues(random, [clue for clue in able if clue.family != GIVEN], spec)
    fitting = min((clue for clue in clues if occupancy.takes(clue)), key=occupancy.overlaps, default=None)
    if fitting is not None:
        return [*chosen, fitting]
    given = next((clue for clue in able if clue.family == GIVEN and occupancy.takes(clue)), None)
    if given is not None and not (sparing and clues):
        return [*chosen, given]
    best, fewest = None, (0, 0)
    for clue in clues:
        going = occupancy.displaced(clue)
        if len(going) <= DISTURBED:
            changed = [*(one for one in chosen if one not in going), clue]
            number = seen.allowed_by(changed).bit_count(), occupancy.overlaps(clue)
            if best is None or number < fewest:
                best, fewest = changed, number
    return best if best is not None or given is None else [*chosen, given]


# Removal of clues that are not needed for a unique solution.


TRIED = 1_500
"""Conflicts allowed for the question whether a clue can go; without an answer it stays."""
IN_ALL = 8
"""Questions without an answer after which all other clues stay."""
TRIED_HARD = 100_000
"""The same where every clue left must be needed."""


@dataclass(frozen=True)
class SelectedClues:
    """Clues that leave one solution.

    ``unsure`` counts those for which it is not known whether they are needed; ``spare`` those that are not, but stay for the
    number of givens requested or for a symmetry. A ``reason`` names the limit that came before all were tried.
    """

    clues: tuple[CandidateClue, ...]
    unsure: int = 0
    spare: int = 0
    reason: Reason | None = None


def minimize_clues(random: Random, solver: ClueSolver, chosen: Sequence[CandidateClue], spec: SelectionSpec) -> SelectedClues:
    """Remove clues that are not needed for a unique solution; a clue of each family stays if possible."""
    held = list(chosen)
    settled: set[CandidateClue] = set()
    unsure = spare = 0
    covered = Counter(place for clue in held for place in clue.places)
    ranks = {clue: _display_cost(clue, covered) * random.uniform(0.5, 1.5) for clue in held}
    try:
        while (clue := _next_clue(held, settled, ranks, spec)) is not None:
            settled.add(clue)
            if unsure >= IN_ALL and not spec.minimal:
                unsure += 1
                continue
            rest = [one for one in held if one is not clue]
            found = solver.other(rest, TRIED_HARD if spec.minimal else TRIED)
            unsure += found is None
            if isinstance(found, list):
                stays = _must_stay(clue, held, spec)
                spare += stays
                held = held if stays else _complete_core(rest, found, spec)
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        return SelectedClues(tuple(held), unsure, spare, reached.reason)
    return SelectedClues(tuple(held), unsure, spare)


def check_singly(board: Puzzle, solution: Solution, selection: SelectedClues, clock: Clock) -> SelectedClues:
    """Return the selection with ``unsure`` and ``spare`` counting also the members of symmetric groups, each tried by itself."""
    parts = {clue: members for clue in selection.clues if len(members := _members(clue)) > 1}
    if not parts or selection.reason:
        return selection
    singles = [single for clue in parts for single in parts[clue]]
    held = [*(clue for clue in selection.clues if clue not in parts), *singles]
    unsure, spare = selection.unsure, selection.spare
    try:
        solver = ClueSolver(board, solution, held, clock)
        for single in singles:
            found = solver.other([one for one in held if one is not single], TRIED_HARD)
            unsure += found is None
            spare += isinstance(found, list)
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        return replace(selection, reason=reached.reason)
    return replace(selection, unsure=unsure, spare=spare)


def _members(clue: CandidateClue) -> list[CandidateClue]:
    """Return the givens, or the clues, of a symmetric group."""
    if clue.count == len(clue.rules) > 1:
        return [replace(clue, rules=(rule,), count=1) for rule in clue.rules]
    return [replace(clue, cells=(cell,)) for cell in clue.cells]


def _display_cost(clue: CandidateClue, covered: Mapping[Place, int]) -> float:
    """Return the cost of a clue, higher where it overlaps others."""
    return clue.cost * (1 + sum(covered[place] > 1 for place in clue.places) / (len(clue.places) or 1))


def _must_stay(clue: CandidateClue, held: Sequence[CandidateClue], spec: SelectionSpec) -> bool:
    """Return whether a clue stays even if it is not needed."""
    if clue.family != GIVEN:
        return not spec.minimal and sum(one.family == clue.family for one in held) == 1
    return clue in spec.fixed or sum(len(one.cells) for one in held) - len(clue.cells) < spec.givens.least


def _complete_core(rest: list[CandidateClue], core: list[CandidateClue], spec: SelectionSpec) -> list[CandidateClue]:
    """Return the clues of a core, with all clues of families missing from it, and the givens that are required."""
    among = set(core) | spec.fixed
    families = {clue.family for clue in core}
    found = [clue for clue in rest if clue in among or (clue.family not in families and clue.family in spec.families)]
    cells = sum(len(clue.cells) for clue in found)
    for clue in rest:
        if clue.family == GIVEN and clue not in among and cells < spec.givens.least:
            found.append(clue)
            cells += len(clue.cells)
    return found


def _next_clue(
    held: Sequence[CandidateClue], settled: Collection[CandidateClue], ranks: Mapping[CandidateClue, float], spec: SelectionSpec
) -> CandidateClue | None:
    """Return the clue to try next: a given that was not requested, else the most expensive one of the largest family.

    Clues that stay in any case are tried only where every clue must be needed, at the end.
    """
    left = [clue for clue in held if clue not in settled]
    free = [clue for clue in left if not _must_stay(clue, held, spec)] or (left if spec.minimal else [])
    givens = [clue for clue in free if clue.family == GIVEN]
    clues = [clue for clue in free if clue.family != GIVEN]
    if clues and (spec.givens.least or not givens):
        numbers = Counter(clue.family for clue in held)
        return max(clues, key=lambda clue: (numbers[clue.family] > 1, numbers[clue.family] / spec.most[clue.family], ranks[clue]))
    return max(givens, key=ranks.__getitem__, default=None)


# Clues that still hold when values are reversed (v becomes lowest + highest - v): without givens they are never unique.


ALWAYS = frozenset({
    "arithmetic-sequence", "clone", "difference", "dutch-whisper", "equality-cage", "extra-region", "modular-line", "nabner",
    "palindrome", "parity-line", "renban", "whisper",
})  # fmt: skip
PARITY = frozenset({"odd", "even", "odd-even"})
"""Reversible where v and lowest + highest - v have the same parity."""
THIRDS = "entropic-line"
"""Reversible where there are as many low as middle and high values."""


def reversible_families(grid: Grid) -> frozenset[str]:
    """Return the families whose clues all hold for the reversed values of the grid too."""
    values = grid.values
    parity = PARITY if (values[0] + values[-1]) % 2 == 0 else frozenset()
    return ALWAYS | parity | ({THIRDS} if len(values) % 3 == 0 else frozenset())


def never_unique(grid: Grid, rules: tuple[Rule, ...], families: Iterable[str]) -> bool:
    """Return whether each solution of the rules and of any clues of the families is known to have another, its reverse."""
    if not reversible_families(grid).issuperset(families):
        return False
    return rules == CLASSIC or can_mirror_values(Puzzle(grid, rules))
