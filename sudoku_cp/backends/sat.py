"""The exact-cover CNF, solved by any solver of python-sat (PySAT; Ignatiev, Morgado, Marques-Silva, SAT 2018).

Boards of up to 16x16 (by their number of candidates) keep one incremental solver a session and state givens as assumptions
(`sat_question`); larger ones get a fresh formula for each question, reduced to the live candidates, because hundreds of
assumptions slow a solver down more than rebuilding costs. A solver with an abandoned search (`SatOracle.busy`) is replaced.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Harvest, Limits, Solution, assumed_domains
from sudoku_cp.backends.sat_oracle import COUNTERS, solver_named
from sudoku_cp.backends.sat_question import GridOracle, SatQuestion
from sudoku_cp.model import Clause, Constraint, Count, Linear, Model, different_cells, members, strengthen_model
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

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
