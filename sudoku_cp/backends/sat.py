"""The exact-cover CNF, solved by any solver of python-sat (PySAT; Ignatiev, Morgado, Marques-Silva, SAT 2018).

Boards of up to 16x16 (by their number of candidates) keep one incremental solver a session and state givens as
assumptions; larger ones get a fresh formula a question, reduced to the live candidates, because hundreds of
assumptions slow a solver down more than rebuilding costs.

Theory of operation. `SatSession` keeps a formula and one solver for each use (`SOLVE`, `HARVEST`). A question (`_SatQuestion`)
takes a fresh *selector* literal s and assumes it along with the givens. Every solution found is forbidden by the clause "not s,
or not this grid"; closing the question adds "not s", which satisfies those clauses for good, so that the solver and what it has
learnt serve the next question. A solver in which a search was left behind (see `Oracle`) is ``busy``, and a new one is made.
Invariants: what is learnt holds without the assumptions (incremental SAT; Eén and Sörensson, 2003); two questions may be open at
a time, each under its own selector; a model that the solver returns is copied before the next clause is added.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Harvest, Limits, Solution
from sudoku_cp.backends.sat_harvest import harvest_candidates
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle, solver_named
from sudoku_cp.model import Clause, Constraint, Count, Linear, Model, different_cells, members, strengthen_model
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain

INCREMENTAL = 5000
"""A board of at most so many candidates (16x16 has 4,096) keeps one solver, with givens as assumptions."""
RENEWED = 1000
"""A solver is made anew after so many questions: each leaves a retired literal behind, and all are looked at again."""
SOLVE, HARVEST = "solve", "harvest"
"""What a solver is kept for."""


class Sat:
    """Solves the exact-cover CNF with glucose4; ``sat:NAME`` with another solver of python-sat, by any of its names."""

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
        """Keep the model and the solver (by its python-sat name); the first question builds the formula, in its own time."""
        self._model = model
        self._name = solver
        self._counts = dict.fromkeys(COUNTERS, 0)
        candidates = sum(domain.bit_count() for domain in model.domains[: model.board])
        self._incremental = candidates <= INCREMENTAL
        self._strengthened: tuple[Model, Sequence[int]] | None = None
        self._formula: Cnf | None = None
        self._oracles: dict[str, _GridOracle] = {}

    def counters(self) -> Mapping[str, int]:
        """Return conflicts (as ``nodes``), decisions and propagations of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a conflict."""
        question = self._open_question(SOLVE, assume, limits.started())
        if question is None:
            return
        try:
            while found := question.ask():
                yield found[0]
                question.forbid(found[1])
        finally:
            question.close()

    def harvest(
        self,
        assume: Assumed,
        wanted: Assumed,
        cap: int = 1,
        *,
        known: Collection[Solution] = (),
        limits: Limits = UNLIMITED,
    ) -> Iterator[Harvest]:
        """Yield solutions until each wanted candidate has been seen often enough or has no more; a node is a conflict."""
        question = self._open_question(HARVEST, assume, limits.started())
        if question is None:
            yield Harvest(None, wanted)
            return
        try:
            yield from harvest_candidates(question, wanted, cap, known)
        finally:
            question.close()

    def _open_question(self, use: str, assume: Assumed, clock: Clock) -> _SatQuestion | None:
        """Return the question, put to a solver; None where a cell has no value left."""
        self._counts = dict.fromkeys(COUNTERS, 0)
        clock.check()
        model, differ = self._strengthened = self._strengthened or _strengthen(self._model)
        domains = [domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains[: model.board])]
        if not all(domains):
            return None
        if not self._incremental:
            formula = cnf(model, propagate_decided(model, domains), clock.check, differ)
            return _SatQuestion(_GridOracle(self._name, formula, clock), formula, [], domains, clock, self._counts)
        formula = self._formula = self._formula or cnf(model, None, clock.check, differ)
        oracle = self._shared_oracle(use, formula, clock)
        return _SatQuestion(oracle, formula, _assumptions(formula, assume), domains, clock, self._counts)

    def _shared_oracle(self, use: str, formula: Cnf, clock: Clock) -> _GridOracle:
        """Return the solver that is kept for one use: what a harvest prefers would lead other searches astray."""
        oracle = self._oracles.get(use)
        if oracle is None or oracle.busy or oracle.questions >= RENEWED:
            oracle = self._oracles[use] = _GridOracle(self._name, formula, clock)
        return oracle


def _strengthen(model: Model) -> tuple[Model, Sequence[int]]:
    """Return the model with what strengthens its formula, and which cells are known to differ."""
    return stronger(model), different_cells(strengthen_model(model))


def stronger(model: Model) -> Model:
    """Return the model strengthened by what is worth its clauses.

    Implied sums over several cliques, and implied counts, are left out: they halve the conflicts of a killer at most, which
    makes up for the time to build and load their clauses in none.
    """
    strong = strengthen_model(model)
    said = tuple(one for one in strong.statements if one.rule != IMPLIED or not isinstance(one.constraint, Linear | Count))
    return Model(strong.domains, said, strong.board)


def _assumptions(formula: Cnf, assume: Assumed) -> list[int]:
    """Return the literals that say ``assume``: the value of a given, the absence of each lost candidate."""
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


class _GridOracle(SatOracle):
    """A solver with a model's formula in it, that finds grids."""

    def __init__(self, name: str, formula: Cnf, clock: Clock) -> None:
        super().__init__(name, [formula.cells, *(block for _, block in formula.blocks)], clock)
        # The board's candidates are numbered first, so auxiliaries never stand among them.
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
        """Return the grid just found, and the literals that make it, but for those of ``settled`` cells."""
        values = self._fixed.copy()
        making = []
        for literal in [literal for literal in self.model()[: self._board] if literal > 0]:
            cell, value = self._candidates[literal]
            values[cell] = value
            if cell not in settled:
                making.append(literal)
        return tuple(values), making

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these literals before their opposites, where the solver can be told so."""
        with suppress(NotImplementedError):
            self._idle().set_phases(list(literals))

    def excluded(self, assumed: Sequence[int]) -> list[int] | None:
        """Return variables that unit propagation makes false, None where it meets a contradiction, none if it cannot be asked."""
        with suppress(NotImplementedError):
            consistent, literals = self._idle().propagate(assumed)
            return [-literal for literal in literals if literal < 0] if consistent else None
        return []


class _SatQuestion:
    """One question to a solver: its assumptions, and the selector that guards the clauses it adds."""

    def __init__(
        self,
        oracle: _GridOracle,
        formula: Cnf,
        assumed: list[int],
        domains: Sequence[Domain],
        clock: Clock,
        counts: dict[str, int],
    ) -> None:
        self._oracle, self._formula, self._clock, self._counts = oracle, formula, clock, counts
        self._selector = oracle.fresh()
        self._assumed = [*assumed, self._selector]
        self._settled = {cell for cell, domain in enumerate(domains) if not domain & (domain - 1)}
        self.domains = [domain & live for domain, live in zip(domains, formula.domains, strict=False)]

    @cached_property
    def candidates(self) -> dict[int, tuple[Cell, int]]:
        """The variables of the candidates that are open."""
        domains = [domain & (domain - 1) and domain for domain in self.domains]
        return {number: one for number, one in enumerate(self._formula.candidates) if one and domains[one[0]] >> one[1] & 1}

    def ask(self, more: Sequence[int] = ()) -> tuple[Solution, list[int]] | None:
        """Return a solution in which the literals ``more`` hold, and the variables that make it; None where there is none."""
        if self._oracle.solve([*self._assumed, *more], self._clock, self._counts):
            return self._oracle.solution(self._settled)
        return None

    def forbid(self, literals: Iterable[int]) -> None:
        """Have no further solution in which all of the literals hold."""
        self._oracle.add([-self._selector, *(-literal for literal in literals)])

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these literals before their opposites."""
        self._oracle.prefer(literals)

    def excluded(self) -> list[int] | None:
        """Return variables that are plainly false in every further solution, None where there plainly is none."""
        return self._oracle.excluded(self._assumed)

    def close(self) -> None:
        """Retire the selector, and with it every clause that it guards."""
        self._oracle.add([-self._selector])
