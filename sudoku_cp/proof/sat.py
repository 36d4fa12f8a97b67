"""The prover ``sat``: a solver of python-sat that logs its lemmas (DRUP) while it refutes the formula.

It is given what unit propagation from the givens leaves of a houses-only formula, and any other formula whole. Deletions are
left out: without them every lemma still follows, and the proof is easier to check than to read. So are the units that only
say again what propagation says by itself.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sudoku_cp.backends.oracle import COUNTERS, Oracle, solver_named
from sudoku_cp.errors import UnknownName, WrongAnswer
from sudoku_cp.formats import dimacs
from sudoku_cp.model.cnf import cnf
from sudoku_cp.proof.checker.proof import Propagation
from sudoku_cp.proof.claims import EMPTY, solved
from sudoku_cp.proof.live import clauses, houses_of, propagated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.formats.dimacs import Clauses, RulesText
    from sudoku_cp.model import Domain
    from sudoku_cp.proof.claims import Task
    from sudoku_cp.proof.live import Houses
    from sudoku_cp.puzzle import Puzzle

SOLVERS = frozenset(["cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "glucose42"])
"""The solvers whose lemmas all follow by unit propagation.

Left out of those that log at all: the newest CaDiCaL defines new variables, which is more than DRUP can say.
"""
UNITS = 200
"""So many units are propagated at most to find out which others say nothing new."""


def prover_named(kind: str) -> str:
    """Return the solver meant by the kind of this prover, by any of its names."""
    name = solver_named(kind)
    if name not in SOLVERS:
        raise UnknownName("SAT solver that proves", kind, SOLVERS)
    return name


class Refuter:
    """The formula of a puzzle before a solver that logs: asked for a solution first, and then to refute that there is another.

    What it learns on the way to the solution follows without the clause that forbids it, so it is a part of the proof.
    """

    def __init__(self, puzzle: Puzzle, rules: RulesText, kind: str) -> None:
        """Build nothing yet."""
        self._name = prover_named(kind)
        self._puzzle, self._rules = puzzle, rules
        self._oracle: Oracle | None = None
        self._blocks: Sequence[Clauses] | None = None
        self._houses = houses_of(puzzle.model())
        self._live: list[Domain] | None = None

    def solution(self, clock: Clock) -> Solution | None:
        """Return a solution, None where there is none; other engines know better where there are other rules than houses."""
        if self._houses is None or not self._houses.alone:
            return solved(self._puzzle, clock)
        live = self._propagated(self._houses, clock)
        if live is None or not self._started(clock).solve([], clock, _counts()):
            return None
        return self._grid(self._started(clock).model())

    def lemmas(self, task: Task, clock: Clock) -> list[str]:
        """Return the lemmas, ending in the empty clause, or raise what is wrong with the claim."""
        houses = self._houses
        if houses is None:
            return self._refuted(task, clock)
        live = self._propagated(houses, clock)
        if live is None:
            return [EMPTY]
        return list(_without_restated(self._refuted(task, clock), task, houses, live, clock))

    def _propagated(self, houses: Houses, clock: Clock) -> list[Domain] | None:
        """Return what unit propagation leaves of the candidates, None where that is a contradiction."""
        if self._live is None:
            model = self._puzzle.model()
            domains = list(model.domains[: model.board])
            for cell, allowed in self._puzzle.assume().items():
                domains[cell] &= allowed
            self._live = propagated(houses, domains, clock.check)
        return self._live

    def _started(self, clock: Clock) -> Oracle:
        """Return the solver, with the formula in it but for what forbids the solution."""
        if self._oracle is None:
            self._oracle = Oracle(self._name, self._formula(clock), clock, proving=True)
        return self._oracle

    def _formula(self, clock: Clock) -> Sequence[Clauses]:
        """Return the clauses that the solver is given, block after block."""
        if self._blocks is None:
            if self._houses is not None and self._houses.alone and self._live is not None:
                self._blocks = [clauses(self._houses, self._live, self._rules.variables, clock.check)]
            else:
                self._blocks = [
                    self._rules.formula or cnf(self._puzzle.model(), None, clock.check).clauses,
                    dimacs.stated(self._puzzle, self._rules).clauses,
                ]
        return self._blocks

    def _refuted(self, task: Task, clock: Clock) -> list[str]:
        """Return the additions that the solver logged until it had refuted the formula, each once."""
        forbidden = self._forbidden(task)
        formula = [*self._formula(clock), [] if forbidden is None else [forbidden]]
        if not all(map(all, formula)):
            return [EMPTY]  # a clause is empty already
        oracle = self._started(clock)
        if forbidden:
            oracle.add(forbidden)
        if oracle.solve([], clock, _counts()):
            raise task.refuted_by(self._grid(oracle.model()))
        lines = [line for line in dict.fromkeys(oracle.proof()) if not line.startswith("d")]
        if EMPTY in lines:
            return lines[: lines.index(EMPTY) + 1]
        if _contradict([*chain.from_iterable(formula), *map(_literals, lines)], clock):
            return [*lines, EMPTY]  # Glucose logs nothing of a formula that is refuted while it is being told
        raise WrongAnswer(f"expected the proof of {self._name} to end in the empty clause, got {len(lines)} lemmas without it")

    def _forbidden(self, task: Task) -> list[int] | None:
        """Return what is left of the clause that forbids the solution known; None where none is known."""
        if task.known is None:
            return None
        variables, live = self._rules.variables, self._live if self._houses and self._houses.alone else None
        cells = [(cell, value) for cell, value in enumerate(task.known) if (cell, value) in variables]
        return [-variables[cell, value] for cell, value in cells if live is None or live[cell] & (live[cell] - 1)]

    def _grid(self, literals: Iterable[int]) -> Solution:
        """Return the grid of a model, of which the variables of candidates that are not live say nothing."""
        values = [domain.bit_length() - 1 for domain in self._live or self._rules.domains]
        true = {literal for literal in literals if literal > 0}
        for (cell, value), variable in self._rules.variables.items():
            if variable in true and (self._live is None or self._live[cell] >> value & 1):
                values[cell] = value
        return tuple(values)


def _counts() -> dict[str, int]:
    return dict.fromkeys(COUNTERS, 0)


def _contradict(formula: Iterable[Sequence[int]], clock: Clock) -> bool:
    """Say whether unit propagation, as the checker does it, comes to a contradiction."""
    once = [list(dict.fromkeys(clause)) for clause in formula]
    size = max((abs(literal) for clause in once for literal in clause), default=0)
    return Propagation(size, once, [], clock.check).contradiction


def _literals(line: str) -> list[int]:
    """Return the literals of a lemma."""
    return [int(word) for word in line.split()[:-1]]


def _without_restated(lines: Iterable[str], task: Task, houses: Houses, live: Sequence[Domain], clock: Clock) -> Iterator[str]:
    """Leave out units that follow from the houses and the units before, and end where these contradict each other."""
    candidates = {variable: candidate for candidate, variable in task.rules.variables.items()}
    now, units = list(live), 0
    for line in lines:
        literal = _unit(line)
        if abs(literal) not in candidates or units == UNITS:
            yield line
            continue
        cell, value = candidates[abs(literal)]
        kept = now[cell] & (1 << value if literal > 0 else ~(1 << value))
        if kept == now[cell]:
            continue
        units += 1
        yield line
        now[cell] = kept
        after = propagated(houses, now, clock.check, cell)
        if after is None:
            yield EMPTY
            return
        now = after


def _unit(line: str) -> int:
    """Return the literal of a lemma that has only one, 0 for any other."""
    first, _, rest = line.partition(" ")
    return int(first) if rest == EMPTY else 0
