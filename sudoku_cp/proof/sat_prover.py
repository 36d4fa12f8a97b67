"""The prover ``sat``: a solver of python-sat that logs its lemmas (DRUP) while it refutes the formula.

The solver gets what unit propagation from the givens leaves of a houses-only formula, and any other formula whole. Deletions are
dropped from its log: without them every lemma still follows. So are units that propagation finds by itself, and of a long log
all lemmas that the refutation does not need.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, solver_named
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import LimitReached, UnknownName, WrongAnswer
from sudoku_cp.formats import solver_export
from sudoku_cp.model import AllDifferent, Domain, Model, members
from sudoku_cp.model.cnf import cnf
from sudoku_cp.proof.checker.drup_proof import Propagation
from sudoku_cp.proof.checker.report import CheckBudget
from sudoku_cp.proof.prover import EMPTY_CLAUSE, RefutationTask, find_solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.formats.solver_export import Clauses, RulesText
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


SOLVERS = frozenset(["cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "glucose42"])
"""The solvers whose lemmas all follow by unit propagation.

Of those that log at all, the newest CaDiCaL is left out: it defines new variables, which DRUP cannot express.
"""
TRIM_FROM, TRIM_ROUNDS = 1500, 3
"""The fewest lemmas that are trimmed (fewer are checked in less time than that takes), and how often."""
MAX_UNITS = 200
"""The most units that are propagated to find redundant ones."""


def solver_of_prover(kind: str) -> str:
    """Return the name of the SAT solver for ``kind``, which may be any of its aliases."""
    name = solver_named(kind)
    if name not in SOLVERS:
        raise UnknownName("SAT solver that proves", kind, SOLVERS)
    return name


class SatProver:
    """A logging SAT solver, opened for a puzzle: finds a solution first, and then proves that there is no other.

    What it learns on the way to the solution follows without the clause that forbids it, so it is part of the proof.
    """

    def __init__(self, puzzle: Puzzle, rules: RulesText, kind: str) -> None:
        """Build no formula yet; ``kind`` is the SAT solver."""
        self._name = solver_of_prover(kind)
        self._puzzle, self._rules = puzzle, rules
        self._oracle: SatOracle | None = None
        self._blocks: Sequence[Clauses] | None = None
        self._houses = houses_of(puzzle.model())
        self._live: list[Domain] | None = None

    def solution(self, clock: Clock) -> Solution | None:
        """Return a solution, None if there is none; with rules other than houses, other engines are faster."""
        if self._houses is None or not self._houses.alone:
            return find_solution(self._puzzle, clock)
        live = self._live_domains(self._houses, clock)
        if live is None or not self._oracle_with_formula(clock).solve([], clock, _new_counters()):
            return None
        return self._decode_grid(self._oracle_with_formula(clock).model())

    def lemmas(self, task: RefutationTask, clock: Clock) -> list[str]:
        """Return the lemmas, ending in the empty clause; raise an error if the claim is wrong."""
        houses = self._houses
        if houses is None:
            return self._logged_lemmas(task, clock)
        live = self._live_domains(houses, clock)
        if live is None:
            return [EMPTY_CLAUSE]
        return list(_drop_redundant_units(self._logged_lemmas(task, clock), task, houses, live, clock))

    def _live_domains(self, houses: HouseCells, clock: Clock) -> list[Domain] | None:
        """Return the candidates that unit propagation leaves, None for a contradiction."""
        if self._live is None:
            model = self._puzzle.model()
            domains = list(model.domains[: model.board])
            for cell, allowed in self._puzzle.assume().items():
                domains[cell] &= allowed
            self._live = propagate(houses, domains, clock.check)
        return self._live

    def _oracle_with_formula(self, clock: Clock) -> SatOracle:
        """Return the solver with the formula, without the clause that forbids the solution."""
        if self._oracle is None:
            self._oracle = SatOracle(self._name, self._formula(clock), clock, proving=True)
        return self._oracle

    def _formula(self, clock: Clock) -> Sequence[Clauses]:
        """Return the clauses for the solver, block after block."""
        if self._blocks is None:
            if self._houses is not None and self._houses.alone and self._live is not None:
                self._blocks = [live_clauses(self._houses, self._live, self._rules.variables, clock.check)]
            else:
                self._blocks = [
                    self._rules.formula or cnf(self._puzzle.model(), None, clock.check).clauses,
                    solver_export.puzzle_clauses(self._puzzle, self._rules).clauses,
                ]
        return self._blocks

    def _logged_lemmas(self, task: RefutationTask, clock: Clock) -> list[str]:
        """Return the lemmas that the solver logged until it had refuted the formula, each once."""
        forbidden = self._forbidding_clause(task)
        formula = [*self._formula(clock), [] if forbidden is None else [forbidden]]
        if not all(map(all, formula)):
            return [EMPTY_CLAUSE]  # a clause is empty already
        oracle = self._oracle_with_formula(clock)
        if forbidden:
            oracle.add(forbidden)
        if oracle.solve([], clock, _new_counters()):
            raise task.refutation_error(self._decode_grid(oracle.model()))
        lines = [line for line in dict.fromkeys(oracle.proof()) if not line.startswith("d")]
        if EMPTY_CLAUSE in lines:
            lines = lines[: lines.index(EMPTY_CLAUSE) + 1]
            return lines if len(lines) < TRIM_FROM or not can_compile() else _trimmed(lines, formula, clock)
        if _propagates_to_contradiction([*chain.from_iterable(formula), *map(_parse_literals, lines)], clock):
            return [*lines, EMPTY_CLAUSE]  # Glucose logs nothing if the formula is refuted while it is loaded
        raise WrongAnswer(f"expected the proof of {self._name} to end in the empty clause, got {len(lines)} lemmas without it")

    def _forbidding_clause(self, task: RefutationTask) -> list[int] | None:
        """Return what propagation leaves of the clause that forbids the known solution; None if none is known."""
        if task.known is None:
            return None
        variables, live = self._rules.variables, self._live if self._houses and self._houses.alone else None
        cells = [(cell, value) for cell, value in enumerate(task.known) if (cell, value) in variables]
        return [-variables[cell, value] for cell, value in cells if live is None or live[cell] & (live[cell] - 1)]

    def _decode_grid(self, literals: Iterable[int]) -> Solution:
        """Return the grid of a satisfying assignment; only variables of live candidates count."""
        values = [domain.bit_length() - 1 for domain in self._live or self._rules.domains]
        true = {literal for literal in literals if literal > 0}
        for (cell, value), variable in self._rules.variables.items():
            if variable in true and (self._live is None or self._live[cell] >> value & 1):
                values[cell] = value
        return tuple(values)


def _new_counters() -> dict[str, int]:
    return dict.fromkeys(COUNTERS, 0)


def _propagates_to_contradiction(formula: Iterable[Sequence[int]], clock: Clock) -> bool:
    """Return whether unit propagation, as the checker does it, reaches a contradiction."""
    once = [list(dict.fromkeys(clause)) for clause in formula]
    size = max((abs(literal) for clause in once for literal in clause), default=0)
    return Propagation(size, once, [], CheckBudget(clock.check, inf)).contradiction


def _trimmed(lines: list[str], formula: Iterable[Clauses], clock: Clock) -> list[str]:
    """Return the lemmas that the refutation needs, in a few rounds, as each leaves other lemmas unused.

    Where the time runs out, the proof stays as long as it is by then.
    """
    from sudoku_cp.proof.lemma_trimming import needed_lemmas  # noqa: PLC0415  # imports NumPy

    own = list(chain.from_iterable(formula))
    try:
        lemmas = list(map(_parse_literals, lines))
        for _ in range(TRIM_ROUNDS):
            kept = needed_lemmas(own, lemmas, clock.check)
            if kept is None or len(kept) >= len(lines) - 1:  # a wrong proof is for the checker to reject
                break
            lines = [*(lines[place] for place in kept), EMPTY_CLAUSE]
            lemmas = [*(lemmas[place] for place in kept), []]
    except LimitReached as limit:
        if limit.reason == "cancelled":
            raise
    return lines


def _parse_literals(line: str) -> list[int]:
    """Return the literals of a lemma."""
    return [int(word) for word in line.split()[:-1]]


def _drop_redundant_units(
    lines: Iterable[str], task: RefutationTask, houses: HouseCells, live: Sequence[Domain], clock: Clock
) -> Iterator[str]:
    """Drop units that follow from the houses and the earlier units; end the proof where these contradict each other."""
    candidates = {variable: candidate for candidate, variable in task.rules.variables.items()}
    now, units = list(live), 0
    for line in lines:
        literal = _unit_literal(line)
        if abs(literal) not in candidates or units == MAX_UNITS:
            yield line
            continue
        cell, value = candidates[abs(literal)]
        kept = now[cell] & (1 << value if literal > 0 else ~(1 << value))
        if kept == now[cell]:
            continue
        units += 1
        yield line
        now[cell] = kept
        after = propagate(houses, now, clock.check, cell)
        if after is None:
            yield EMPTY_CLAUSE
            return
        now = after


def _unit_literal(line: str) -> int:
    """Return the literal of a unit lemma, 0 for any other."""
    first, _, rest = line.partition(" ")
    return int(first) if rest == EMPTY_CLAUSE else 0


# Unit propagation on candidates instead of clauses: what is left of a houses-only formula, without building the formula.
#
# Unit propagation on the extended pairwise CNF is naked singles (a cell's last value), hidden singles (a full house's last
# place for a value) and what a placed value rules out. This part does exactly that, so every clause it returns is a clause of
# the formula without the literals that are false at the root, and every clause left out is true there: what follows from one by
# unit propagation follows from the other too. A proof over these clauses is a proof over the formula.
#
# With other rules beside the houses, what is propagated here still follows in the formula, but it is not all that does.


TICK = 256
"""Houses between two calls of ``tick``."""


class HouseCells(NamedTuple):
    """The houses of a model: those with as many cells as there are values, the others, and the peers of each cell.

    ``alone`` says whether the model has no other constraints.
    """

    full: Sequence[Sequence[Cell]]
    other: Sequence[Sequence[Cell]]
    peers: Sequence[Sequence[Cell]]
    alone: bool


@lru_cache(maxsize=8)
def houses_of(model: Model) -> HouseCells | None:
    """Return the houses of a model; None if cells have different domains, or a house has more cells than values."""
    board = model.domains[: model.board]
    values = board[0] if board else 0
    sides = [one.cells for one in model.constraints if isinstance(one, AllDifferent) and max(one.cells) < model.board]
    plain = all(len(set(cells)) == len(cells) <= values.bit_count() for cells in sides)
    if not plain or set(board) != {values} or values.bit_count() <= 1:
        return None
    peers: list[set[Cell]] = [set() for _ in board]
    for cells in sides:
        for cell in cells:
            peers[cell].update(cells)
    full = [cells for cells in sides if len(cells) == values.bit_count()]
    other = [cells for cells in sides if len(cells) < values.bit_count()]
    return HouseCells(full, other, [sorted(seen - {cell}) for cell, seen in enumerate(peers)], model.is_houses)


def propagate(
    houses: HouseCells, domains: Sequence[Domain], tick: Callable[[], None], changed: Cell | None = None
) -> list[Domain] | None:
    """Return the candidates that unit propagation leaves, None for a contradiction.

    With ``changed``, everything but that cell has been propagated before, and only its consequences are followed.
    """
    live = list(domains)
    cells = range(len(live)) if changed is None else (changed,)
    decided = [cell for cell in cells if not live[cell] & (live[cell] - 1)]
    done = 0
    while all(live):
        for cell in decided[done:]:
            done += 1
            if done % TICK == 0:
                tick()
            if not _rule_out(live[cell], houses.peers[cell], live, decided):
                return None
        if done == len(decided) and not _place_hidden_singles(houses.full, live, decided):
            return live
    return None


def _rule_out(value: Domain, peers: Sequence[Cell], live: list[Domain], decided: list[Cell]) -> bool:
    """Remove a placed value from all peers; return False if one has nothing left."""
    for peer in peers:
        domain = live[peer]
        if domain & value:
            live[peer] = domain = domain & ~value
            if not domain & (domain - 1):
                if not domain:
                    return False
                decided.append(peer)
    return True


def _place_hidden_singles(full: Sequence[Sequence[Cell]], live: list[Domain], decided: list[Cell]) -> bool:
    """Place hidden singles: values with a single place in a full house; return whether anything changed."""
    before = len(decided)
    for cells in full:
        once = twice = 0
        for cell in cells:
            twice |= once & live[cell]
            once |= live[cell]
        if once.bit_count() < len(cells):
            live[cells[0]] = 0
            return True
        once &= ~twice
        for cell in cells if once else ():
            single = live[cell] & once
            if single and single != live[cell]:
                # Of two values with this one place, the second finds it taken: nothing is left.
                live[cell] = 0 if single & (single - 1) else single
                decided.append(cell)
    return len(decided) > before


def live_clauses(
    houses: HouseCells, live: Sequence[Domain], variables: Mapping[tuple[Cell, int], int], tick: Callable[[], None]
) -> list[Sequence[int]]:
    """Return the formula's clauses over the candidates of open cells."""
    numbers = [_variables_of(cell, domain, variables) for cell, domain in enumerate(live)]
    found: list[Sequence[int]] = []
    pairs: dict[tuple[int, ...], None] = {}  # a row and a box often share pairs
    for own in numbers:
        if own:
            found.append(list(own.values()))
            pairs.update(dict.fromkeys(combinations([-literal for literal in own.values()], 2)))
    for index, cells in enumerate((*houses.full, *houses.other)):
        if index % TICK == 0:
            tick()
        places: dict[int, list[int]] = {}
        for cell in cells:
            for value, literal in numbers[cell].items():
                places.setdefault(value, []).append(literal)
        for literals in places.values():
            if index < len(houses.full):
                found.append(literals)
            pairs.update(dict.fromkeys(combinations([-literal for literal in literals], 2)))
    found += pairs
    return found


def _variables_of(cell: Cell, domain: Domain, variables: Mapping[tuple[Cell, int], int]) -> dict[int, int]:
    """Return the variable of each candidate of an open cell, none of a decided one."""
    if not domain & (domain - 1):
        return {}
    return {value: variables[cell, value] for value in members(domain)}
