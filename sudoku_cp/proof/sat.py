"""The prover ``sat``: a solver of python-sat that logs its lemmas (DRUP) while it refutes the formula.

It is given what unit propagation from the givens leaves of a houses-only formula, and any other formula whole. Deletions are
left out: without them every lemma still follows, and the proof is easier to check than to read. So are the units that only
say again what propagation says by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.oracle import COUNTERS, Oracle, solver_named
from sudoku_cp.errors import UnknownName, WrongAnswer
from sudoku_cp.model.cnf import cnf
from sudoku_cp.proof.claims import EMPTY
from sudoku_cp.proof.live import clauses, houses_of, propagated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.backends import Clock
    from sudoku_cp.model import Domain
    from sudoku_cp.proof.claims import Task
    from sudoku_cp.proof.live import Houses

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


def refute(task: Task, kind: str, clock: Clock) -> list[str]:
    """Return the lemmas, ending in the empty clause, or raise what is wrong with the claim."""
    name = prover_named(kind)
    model = task.puzzle.model()
    houses = houses_of(model)
    if houses is None:
        return _proved(task, name, _whole(task, clock), None, clock)
    domains = list(model.domains[: model.board])
    for cell, allowed in task.puzzle.assume().items():
        domains[cell] &= allowed
    live = propagated(houses, domains, clock.check)
    if live is None:
        return [EMPTY]
    if houses.alone:
        left = clauses(houses, live, task.rules.variables, clock.check)
        lines = _proved(task, name, [left, _forbidden(task, live)], live, clock)
    else:
        lines = _proved(task, name, _whole(task, clock), live, clock)
    return list(_without_restated(lines, task, houses, live, clock))


def _whole(task: Task, clock: Clock) -> list[Sequence[Sequence[int]]]:
    return [task.rules.formula or cnf(task.puzzle.model(), None, clock.check).clauses, task.stated.clauses]


def _forbidden(task: Task, live: Sequence[Domain]) -> list[list[int]]:
    """Return what is left of the clause that forbids the solution known, where there is one."""
    if task.known is None:
        return []
    variables = task.rules.variables
    return [[-variables[cell, value] for cell, value in enumerate(task.known) if live[cell] & (live[cell] - 1)]]


def _proved(
    task: Task, name: str, blocks: Sequence[Sequence[Sequence[int]]], live: Sequence[Domain] | None, clock: Clock
) -> list[str]:
    """Return the additions that the solver logged while it refuted the clauses, each once."""
    if not all(map(all, blocks)):
        return [EMPTY]  # a clause is empty already
    oracle = Oracle(name, blocks, clock, proving=True)
    if oracle.solve([], clock, dict.fromkeys(COUNTERS, 0)):
        raise task.refuted_by(_grid(task, oracle.model(), live))
    lines = [line for line in dict.fromkeys(oracle.proof()) if not line.startswith("d")]
    if EMPTY not in lines:
        raise WrongAnswer(f"expected the proof of {name} to end in the empty clause, got {len(lines)} lemmas without it")
    return lines[: lines.index(EMPTY) + 1]


def _grid(task: Task, literals: Iterable[int], live: Sequence[Domain] | None) -> tuple[int, ...]:
    """Return the grid of a model, of which the variables of candidates that are not ``live`` say nothing."""
    values = [domain.bit_length() - 1 for domain in live or task.rules.domains]
    true = {literal for literal in literals if literal > 0}
    for (cell, value), variable in task.rules.variables.items():
        if variable in true and (live is None or live[cell] >> value & 1):
            values[cell] = value
    return tuple(values)


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
        after = propagated(houses, now, clock.check)
        if after is None:
            yield EMPTY
            return
        now = after


def _unit(line: str) -> int:
    """Return the literal of a lemma that has only one, 0 for any other."""
    first, _, rest = line.partition(" ")
    return int(first) if rest == EMPTY else 0
