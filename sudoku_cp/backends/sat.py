"""The exact-cover CNF, solved by any solver of python-sat (PySAT; Ignatiev, Morgado, Marques-Silva, SAT 2018).

Boards of up to 16x16 (by their number of candidates) keep one incremental solver a session and state givens as assumptions
(`SatQuestion`); larger ones get a fresh formula for each question, reduced to the live candidates, because hundreds of
assumptions slow a solver down more than rebuilding costs. A solver with an abandoned search (`SatOracle.busy`) is replaced.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Harvest, Limits, Solution, assumed_domains
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, solver_named
from sudoku_cp.model import Clause, Constraint, Count, Domain, Linear, Model, different_cells, members, strengthen_model
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell


INCREMENTAL = 5000
"""A board of at most this many candidates (16x16 has 4,096) keeps one solver, with givens as assumptions."""
RENEWED = 1000
"""Questions after which a solver is replaced: each leaves a retired literal, which slows down all later ones."""
SOLVE, HARVEST = "solve", "harvest"
"""The uses of a solver; each has its own."""


class Sat:
    """Solves the exact-cover CNF with glucose4; ``sat:NAME`` uses another solver of python-sat, by any of its names."""

    name = "sat"
    takes: frozenset[type[Constraint]] = frozenset({Clause})

    def __init__(self, solver: str = "glucose4") -> None:
        """Choose the solver, by any of its names."""
        self._solver = solver_named(solver)
        self.name = "sat" if solver == "glucose4" else f"sat:{solver}"

    def open(self, model: Model) -> SatSession:
        """Return a session on ``model``."""
        return SatSession(model, self._solver)


class SatSession:
    """One model, with its formula built once where the board is small enough."""

    def __init__(self, model: Model, solver: str) -> None:
        """Keep the model and the solver's python-sat name; the first question builds the formula, within its own limits."""
        self._model = model
        self._name = solver
        self._counts = dict.fromkeys(COUNTERS, 0)
        candidates = sum(domain.bit_count() for domain in model.domains[: model.board])
        self._incremental = candidates <= INCREMENTAL
        self._strengthened: tuple[Model, Sequence[int]] | None = None
        self._formula: Cnf | None = None
        self._oracles: dict[str, GridOracle] = {}

    def counters(self) -> Mapping[str, int]:
        """Return conflicts (as ``nodes``), decisions and propagations of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a conflict."""
        question = self._open_question(SOLVE, assume, limits.started())
        if question is not None:
            with closing(question):
                yield from question.solutions()

    def harvest(
        self, assume: Assumed, wanted: Assumed, cap: int = 1, *, known: Collection[Solution] = (), limits: Limits = UNLIMITED
    ) -> Iterator[Harvest]:
        """Yield solutions until each wanted candidate has been seen often enough or has no more; a node is a conflict."""
        question = self._open_question(HARVEST, assume, limits.started())
        if question is None:
            yield Harvest(None, wanted)
            return
        with closing(question):
            yield from question.harvest(wanted, cap, known)

    def _open_question(self, use: str, assume: Assumed, clock: Clock) -> SatQuestion | None:
        """Return the question on a solver that has the formula; None if a cell has no value left."""
        self._counts = dict.fromkeys(COUNTERS, 0)
        clock.check()
        model, differ = self._strengthened = self._strengthened or _strengthen(self._model, clock.check)
        domains = assumed_domains(model, assume)
        if not all(domains):
            return None
        if not self._incremental:
            formula = cnf(model, propagate_decided(model, domains), clock.check, differ)
            return SatQuestion(GridOracle(self._name, formula, clock), formula, [], domains, clock, self._counts)
        formula = self._formula = self._formula or cnf(model, None, clock.check, differ)
        oracle = self._shared_oracle(use, formula, clock)
        return SatQuestion(oracle, formula, _assumptions(formula, assume), domains, clock, self._counts)

    def _shared_oracle(self, use: str, formula: Cnf, clock: Clock) -> GridOracle:
        """Return the solver of one use: the phases that a harvest prefers would mislead other searches."""
        oracle = self._oracles.get(use)
        if oracle is None or oracle.busy or oracle.questions >= RENEWED:
            oracle = self._oracles[use] = GridOracle(self._name, formula, clock)
        return oracle


def _strengthen(model: Model, tick: Callable[[], object]) -> tuple[Model, Sequence[int]]:
    """Return the model strengthened for its formula, and for each cell the cells known to differ from it (bits)."""
    return strengthen_for_sat(model, tick), different_cells(strengthen_model(model))


def strengthen_for_sat(model: Model, tick: Callable[[], object] = int) -> Model:
    """Return the model strengthened by those implied constraints that are worth their clauses.

    Implied sums over several cliques, and implied counts, are left out: at most they halve the conflicts of a killer, which
    never makes up for the time to build and load their clauses. ``tick`` is called now and then, and may raise to stop the work.
    """
    strong = strengthen_model(model, tick)
    kept = tuple(one for one in strong.statements if one.rule != IMPLIED or not isinstance(one.constraint, Linear | Count))
    return Model(strong.domains, kept, strong.board)


def _assumptions(formula: Cnf, assume: Assumed) -> list[int]:
    """Return the literals that state ``assume``: the value of a given, the negation of each lost candidate."""
    found: list[int] = []
    for cell, allowed in assume.items():
        domain = formula.domains[cell]
        kept = domain & allowed
        if not domain & (domain - 1) or kept == domain:
            continue
        if kept & (kept - 1):
            found += [-formula.variables[cell, value] for value in members(domain & ~kept)]
        else:
            found.append(formula.variables[cell, kept.bit_length() - 1])
    return found


# One question to a SAT solver that has a model's formula: every solution, or solutions with candidates not seen before.
#
# Theory of operation. A question takes a fresh *selector* literal s and assumes it along with the givens. Every solution found
# is forbidden by the clause "not s, or not this grid"; closing the question adds "not s", which satisfies those clauses for
# good, so that the solver and what it has learnt serve the next question (incremental SAT; Eén and Sörensson, 2003).
# Invariants: learnt clauses hold without the assumptions; two questions may be open at a time, each under its own selector; a
# model that the solver returns is copied before the next clause is added.
#
# A harvest makes the solver prefer every candidate that is still wanted, so that a solution has a dozen of them. It asks for
# one candidate at a time; if no solution has it, that candidate is excluded from then on, with everything that follows.


class GridOracle(SatOracle):
    """A solver that has a model's formula and finds grids."""

    def __init__(self, name: str, formula: Cnf, clock: Clock) -> None:
        """Load the ``formula`` into the solver of that python-sat name, within the limits of the ``clock``."""
        super().__init__(name, [formula.cells, *(block for _, block in formula.blocks)], clock)
        # The board's candidates are numbered first, before all auxiliaries.
        self._candidates = [candidate or (0, 0) for candidate in formula.candidates]
        self._last = formula.size
        self._fixed = [domain.bit_length() - 1 for domain in formula.domains[: formula.board]]
        self._board = max((n for n, candidate in enumerate(formula.candidates) if candidate), default=0)
        self.questions = 0

    def fresh(self) -> int:
        """Return a new variable."""
        self.questions += 1
        self._last += 1
        return self._last

    def solution(self, settled: Container[int]) -> tuple[Solution, list[int]]:
        """Return the grid just found, and its true literals except those of ``settled`` cells."""
        values = self._fixed.copy()
        true = []
        for literal in [literal for literal in self.model()[: self._board] if literal > 0]:
            cell, value = self._candidates[literal]
            values[cell] = value
            if cell not in settled:
                true.append(literal)
        return tuple(values), true

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these literals before their opposites, where the solver supports that."""
        with suppress(NotImplementedError):
            self._idle().set_phases(list(literals))

    def excluded(self, assumed: Sequence[int]) -> list[int] | None:
        """Return variables that unit propagation makes false; None on a contradiction, [] if the solver cannot propagate."""
        with suppress(NotImplementedError):
            consistent, literals = self._idle().propagate(assumed)
            return [-literal for literal in literals if literal < 0] if consistent else None
        return []


class SatQuestion:
    """One question to a solver: its assumptions, and the selector that guards the clauses it adds."""

    def __init__(
        self,
        oracle: GridOracle,
        formula: Cnf,
        assumed: list[int],
        domains: Sequence[Domain],
        clock: Clock,
        counts: dict[str, int],
    ) -> None:
        """Open the question: ``assumed`` are the literals of its givens, ``domains`` what each cell may take under them."""
        self._oracle, self._formula, self._clock, self._counts = oracle, formula, clock, counts
        self._selector = oracle.fresh()
        self._assumed = [*assumed, self._selector]
        self._settled = {cell for cell, domain in enumerate(domains) if not domain & (domain - 1)}
        self._domains = [domain & live for domain, live in zip(domains, formula.domains, strict=False)]

    def close(self) -> None:
        """Retire the selector, and with it every clause that it guards."""
        self._oracle.add([-self._selector])

    def _ask(self, more: Sequence[int] = ()) -> tuple[Solution, list[int]] | None:
        """Return a solution in which the literals ``more`` hold, and its true literals; None where there is none."""
        if self._oracle.solve([*self._assumed, *more], self._clock, self._counts):
            return self._oracle.solution(self._settled)
        return None

    def _forbid(self, literals: Iterable[int]) -> None:
        """Rule out every further solution in which all of the literals hold."""
        self._oracle.add([-self._selector, *(-literal for literal in literals)])

    def solutions(self) -> Iterator[Solution]:
        """Yield every solution."""
        while found := self._ask():
            yield found[0]
            self._forbid(found[1])

    # --- harvest ------------------------------------------------------------------------------------------------

    def harvest(self, wanted: Assumed, cap: int, known: Collection[Solution]) -> Iterator[Harvest]:
        """Yield solutions and exhausted candidates until all of ``wanted`` is settled, as `SupportsHarvest.harvest` says."""
        left = {variable: cap for variable, (cell, value) in self._candidates.items() if wanted.get(cell, 0) >> value & 1}
        lost = {cell: missing for cell, domain in wanted.items() if (missing := domain & ~self._domains[cell])}
        if lost:
            yield Harvest(None, lost, searched=False)
        if known:
            self._count_known(left, known, block=cap > 1)
        has_searched = bool(known)
        gone = self._drop_excluded(left)
        if gone:
            yield Harvest(None, self._as_domains(gone), searched=False)
        while left or not has_searched:
            probe = [next(iter(left))] if has_searched else []
            if has_searched:  # a puzzle that is hard to solve is harder still with a preference
                self._oracle.prefer(left)
            found = self._ask(probe)
            if found is not None:
                solution, true = found
                yield Harvest(solution)
                _count_down(left, true)
                if cap > 1:
                    self._forbid(true)
            elif not probe:
                yield Harvest(None, wanted)
                return
            else:
                self._forbid(probe)
                del left[probe[0]]
                yield Harvest(None, self._as_domains([*probe, *self._drop_excluded(left)]))
            has_searched = True

    @cached_property
    def _candidates(self) -> dict[int, tuple[Cell, int]]:
        """The open candidates by their variables."""
        domains = [domain & (domain - 1) and domain for domain in self._domains]
        return {number: one for number, one in enumerate(self._formula.candidates) if one and domains[one[0]] >> one[1] & 1}

    def _count_known(self, left: dict[int, int], known: Iterable[Solution], *, block: bool) -> None:
        """Count solutions seen before, and with ``block`` forbid them."""
        variables = {candidate: variable for variable, candidate in self._candidates.items()}
        for solution in known:
            true = [variables[candidate] for candidate in enumerate(solution) if candidate in variables]
            _count_down(left, true)
            if block:
                self._forbid(true)

    def _drop_excluded(self, left: dict[int, int]) -> list[int]:
        """Remove from ``left`` the candidates that the solver excludes without search, and return them."""
        excluded = self._oracle.excluded(self._assumed)
        gone = list(left) if excluded is None else [variable for variable in excluded if variable in left]
        for variable in gone:
            del left[variable]
        return gone

    def _as_domains(self, variables: Iterable[int]) -> dict[Cell, Domain]:
        """Return the candidates of these variables as a set of values (bits) for each cell."""
        sets: dict[Cell, Domain] = {}
        for variable in variables:
            cell, value = self._candidates[variable]
            sets[cell] = sets.get(cell, 0) | 1 << value
        return sets


def _count_down(left: dict[int, int], true: Iterable[int]) -> None:
    """Count a solution for each of its candidates that is still wanted."""
    for variable in true:
        number = left.get(variable, 0)
        if number > 1:
            left[variable] = number - 1
        elif number:
            del left[variable]
