"""Any SAT solver that reads a DIMACS file and answers in the format of the SAT competitions: ``s SATISFIABLE``, ``v 1 -2 ... 0``.

Solutions are enumerated by forbidding each and starting the program again. "No" is accepted only if the program prints
``s UNSATISFIABLE`` and exits with 20, "yes" only if it exits with 10 and its values satisfy every clause. Anything else is a
failure of the program. The formula is that of the plain model, not of the strengthened one, so that it checks `sat`.

Programs count in their own ways, and few can be given a limit: here a node is a run of the program.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shutil import which
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution, assumed_domains
from sudoku_cp.backends.external.programs import QuestionFolder, RunningProgram, find_program
from sudoku_cp.model import Clause, Constraint, Domain, Model, members
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.rewrite import propagate_decided

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KEPT = 5000
"""A board of at most this many candidates (16x16 has 4,096) shares one formula among all questions."""
SATISFIABLE, UNSATISFIABLE = 10, 20
"""The exit codes of the two answers."""


@dataclass(frozen=True)
class Dialect:
    """The options of a program, and whether it writes its answer to a file, as MiniSat does."""

    options: tuple[str, ...] = ()
    filed: bool = False


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        "cadical": Dialect(("-q",)),
        "kissat": Dialect(("-q",)),
        "cryptominisat5": Dialect(("--verb", "0")),
        "minisat": Dialect(("-verb=0",), filed=True),
    }
)
"""Programs with options of their own; any other is called with only the file. The first one installed is the default."""


class Dimacs:
    """Runs a SAT solver; ``dimacs:NAME`` runs the program of that name on the PATH, if it answers as in the SAT competitions.

    The default is the first installed of cadical, kissat, cryptominisat5 and minisat.
    """

    takes: frozenset[type[Constraint]] = frozenset({Clause})

    def __init__(self, program: str = "") -> None:
        """Find the program."""
        self.name = f"dimacs:{program}" if program else "dimacs"
        wanted = program or next(filter(which, DIALECTS), next(iter(DIALECTS)))
        self._path = find_program(wanted, self.name)

    def open(self, model: Model) -> DimacsSession:
        """Return a session on ``model``."""
        return DimacsSession(model, self._path)


class DimacsSession:
    """One model, with its formula written once where the board is small enough."""

    def __init__(self, model: Model, path: str) -> None:
        """Keep the model and the program's path; the first question writes the formula, within its own limits."""
        self._model = model
        self._path = path
        self._kept: tuple[Cnf, str] | None = None
        self._clock = UNLIMITED.started()

    def counters(self) -> Mapping[str, int]:
        """Return how often the program was started for the last question, as ``nodes``."""
        return {"nodes": self._clock.nodes}

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a run of the program."""
        clock = self._clock = limits.started()
        clock.check()
        domains = assumed_domains(self._model, assume)
        if not all(domains):
            return
        formula, text = self._formula(domains, clock)
        added = _unit_clauses(formula, domains)
        while True:
            clock.nodes += 1
            clock.check()
            true = _run_solver(self._path, formula, text, added, clock)
            if true is None:
                return
            solution = tuple(_value(formula, cell, true) for cell in range(formula.board))
            yield solution
            own = ((formula.variables.get((cell, value)), domains[cell]) for cell, value in enumerate(solution))
            added.append([-literal for literal, domain in own if literal is not None and domain & (domain - 1)])

    def _formula(self, domains: Sequence[Domain], clock: Clock) -> tuple[Cnf, str]:
        """Return the shared formula, or for a large board one over the live candidates, and its clauses as text."""
        if sum(domain.bit_count() for domain in self._model.domains[: self._model.board]) > KEPT:
            return _make_text(cnf(self._model, propagate_decided(self._model, domains), clock.check), clock)
        if self._kept is None:
            self._kept = _make_text(cnf(self._model, None, clock.check), clock)
        return self._kept


def _make_text(formula: Cnf, clock: Clock) -> tuple[Cnf, str]:
    parts = [_clause_lines(formula.cells)]
    for _, block in formula.blocks:
        clock.check()
        parts.append(_clause_lines(block))
    return formula, "".join(parts)


def _clause_lines(clauses: Sequence[Sequence[int]]) -> str:
    """Return a line for each clause; the empty one, which many readers of DIMACS refuse, as two unit clauses that clash."""
    return "".join(f"{' '.join(map(str, clause))} 0\n" if clause else "1 0\n-1 0\n" for clause in clauses)


def _unit_clauses(formula: Cnf, domains: Sequence[Domain]) -> list[list[int]]:
    """Return a unit clause for every candidate of the formula that the question rules out."""
    lost = ((cell, formula.domains[cell] & ~domain) for cell, domain in enumerate(domains))
    return [[-formula.variables[cell, value]] for cell, gone in lost if gone for value in members(gone)]


def _value(formula: Cnf, cell: int, true: set[int]) -> int:
    domain = formula.domains[cell]
    values = members(domain)
    return next((value for value in values if formula.variables.get((cell, value)) in true), values[0])


def _run_solver(path: str, formula: Cnf, text: str, added: Sequence[Sequence[int]], clock: Clock) -> set[int] | None:
    """Return the literals that the program makes true, None where it finds the formula unsatisfiable."""
    more = _clause_lines(added)
    lines = text.count("\n") + more.count("\n")
    dialect = DIALECTS.get(Path(path).name, Dialect())
    with QuestionFolder() as folder:
        question, answer = Path(folder, "question.cnf"), Path(folder, "answer.txt")
        question.write_text(f"p cnf {max(formula.size, 1)} {lines}\n{text}{more}", encoding="ascii")
        files = [str(question), str(answer)] if dialect.filed else [str(question)]
        with RunningProgram([path, *dialect.options, *files], folder) as program:
            output = list(program.lines(clock))
            code = program.wait(clock)
            if dialect.filed:
                output = _read_minisat_answer(answer)
            true = _parse_answer(program, output, code)
            if true is not None and not _satisfies(true, formula, added):
                raise program.failure("give values that satisfy the formula")
            return true


def _read_minisat_answer(answer: Path) -> list[str]:
    """Return the answer that MiniSat writes to a file, in the format of the competitions."""
    words = answer.read_text(encoding="utf-8", errors="replace").split() if answer.exists() else []
    status = {"SAT": "s SATISFIABLE", "UNSAT": "s UNSATISFIABLE"}.get(words[0] if words else "", "s UNKNOWN")
    return [status, f"v {' '.join(words[1:])}"]


def _parse_answer(program: RunningProgram, output: Sequence[str], code: int) -> set[int] | None:
    status = [line[2:].strip() for line in output if line.startswith("s ")]
    if status == ["UNSATISFIABLE"] and code == UNSATISFIABLE:
        return None
    if status != ["SATISFIABLE"] or code != SATISFIABLE:
        last = next((line for line in reversed(output) if line.strip()), "")
        raise program.failure("say s SATISFIABLE with exit code 10, or s UNSATISFIABLE with 20", last)
    words = [word for line in output if line[:2] in {"v", "v "} for word in line[2:].split()]
    try:
        *literals, end = map(int, words)
    except ValueError:
        raise program.failure("give a whole number for each variable", " ".join(words)) from None
    if end != 0 or 0 in literals:
        raise program.failure("end the values with 0", " ".join(words))
    return set(literals)


def _satisfies(true: set[int], formula: Cnf, added: Sequence[Sequence[int]]) -> bool:
    """Return whether every clause has a true literal, and no variable is both true and false."""
    if any(-literal in true for literal in true):
        return False
    blocks = (formula.cells, *(block for _, block in formula.blocks), added)
    return all(not true.isdisjoint(clause) for block in blocks for clause in block)
