"""Engines that are external programs, found on the PATH: one process answers a question, or finds one of its solutions.

They run within limits: SAT solvers read DIMACS, and MiniZinc drives many more.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from shutil import which
from tempfile import TemporaryDirectory
from types import MappingProxyType, TracebackType
from typing import IO, TYPE_CHECKING, Self, cast

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution, assumed_domains
from sudoku_cp.errors import BackendFailed, BackendMissing
from sudoku_cp.interrupts import defer_interrupts
from sudoku_cp.model import Clause, Constraint, Domain, Model, members
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.flatzinc import TAKES, FlatZincModel, membership, post_constraint
from sudoku_cp.model.rewrite import propagate_decided, rewrite_model

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence


NAMES = ("dimacs:cadical", "dimacs:cryptominisat5", "dimacs:kissat", "dimacs:minisat", "minizinc:chuffed", "minizinc:gecode")
"""Engines worth listing; other programs with the same input and output are named likewise."""


# Programs that run within limits: when a question ends, so do its process and everything that process has started.
#
# A program runs in a process group of its own, so that Ctrl-C reaches this process alone, which then kills the group. It reads
# no standard input, works in a temporary folder, and its output is read as it comes.


LOOK = 0.05
"""Seconds between two checks of the limits."""
GRACE = 0.3
"""Seconds that a program has to end the processes it has started."""
PROCESSES = Path("/proc")
"""Where Linux lists all processes."""
CHUNK = 1 << 16
QUOTED = 300
"""Characters of a program's last output that an error repeats."""


def find_program(program: str, backend: str) -> str:
    """Return the path of the program, or raise `BackendMissing`."""
    path = which(program) if program else None
    if path is None:
        raise BackendMissing(f"backend {backend!r} needs the program {program!r} on the PATH, which is not installed")
    return str(Path(path).absolute())


class QuestionFolder(TemporaryDirectory[str]):
    """A temporary folder for the files of one question."""

    def __init__(self) -> None:
        """Create the folder."""
        super().__init__(prefix="sudoku-cp-", ignore_cleanup_errors=True)


class RunningProgram:
    """A program that runs no longer than its ``with`` block."""

    def __init__(self, words: Sequence[str], folder: str, *, spawns: bool = False) -> None:
        """Keep the command and the folder for its standard error; ``spawns`` says that it starts processes of its own."""
        self._words, self._folder, self._spawns = words, folder, spawns
        self._name = Path(words[0]).name
        self._errors = Path(folder, "stderr.txt")

    def __enter__(self) -> Self:
        """Start the program. Ctrl-C is deferred until there is a process to end."""
        try:
            with defer_interrupts():
                self._process = self._start()
                self._output = cast("IO[bytes]", self._process.stdout)
        except OSError as error:
            raise BackendFailed(f"expected {self._name} to start, got {error.strerror or error}") from error
        except KeyboardInterrupt:
            self._end()
            raise
        return self

    def _start(self) -> subprocess.Popen[bytes]:
        with self._errors.open("wb") as errors:
            return subprocess.Popen(  # noqa: S603  # the user names the program
                self._words,
                cwd=self._folder,
                env={**os.environ, "TMPDIR": self._folder},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )

    def lines(self, clock: Clock) -> Iterator[str]:
        """Yield the program's standard output, line by line, until the program closes it; raise `LimitReached` at a limit."""
        descriptor, rest = self._output.fileno(), b""
        with DefaultSelector() as selector:
            selector.register(descriptor, EVENT_READ)
            while True:
                clock.check()
                left = clock.seconds_left
                if not selector.select(LOOK if left is None else min(LOOK, left)):
                    continue
                chunk = os.read(descriptor, CHUNK)
                if not chunk:
                    break
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    yield line.decode(errors="replace").rstrip("\r")
        if rest:
            yield rest.decode(errors="replace")

    def wait(self, clock: Clock) -> int:
        """Wait for the program to end and return its exit code, which is negative for a signal."""
        while True:
            clock.check()
            with suppress(subprocess.TimeoutExpired):
                return self._process.wait(LOOK if clock.seconds_left is None else min(LOOK, clock.seconds_left))

    def failure(self, expected: str, output: str = "") -> BackendFailed:
        """Return the error for a program that did not do what was ``expected``, with its last output."""
        code = self._process.poll()
        with suppress(OSError):
            output = output or self._errors.read_text(encoding="utf-8", errors="replace").strip()
        end = "" if code is None else f" with exit code {code}" if code >= 0 else f" with {_signal(-code)}"
        words = f": {output[-QUOTED:]}" if output else ""
        return BackendFailed(f"expected {self._name} to {expected}, got something else{end}{words}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Kill all processes that still run; Ctrl-C is deferred until that is done."""
        with defer_interrupts():
            self._end()

    def _end(self) -> None:
        """Kill the whole group, and processes in groups of their own, such as those MiniZinc starts."""
        if self._process.returncode is None:
            if self._spawns and not PROCESSES.is_dir():
                self._process.terminate()  # where processes cannot be listed, the program must end its own first
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(GRACE)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        while self._spawns and (left := _processes_of_session(self._process.pid)):
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self._output.close()


def _processes_of_session(session: int) -> list[int]:
    """Return the live processes of a session, where the system lists them: a process leaves its session only on purpose."""
    found = []
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            state, *numbers = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:4]
            if int(numbers[2]) == session and state not in {"Z", "X"}:
                found.append(int(path.parent.name))
    return found


def _signal(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


class ProgramSession:
    """One model, whose questions a program answers; a node is a run of the program."""

    def __init__(self, model: Model) -> None:
        """Keep the model; the first question writes it down, within its own limits."""
        self._model = model
        self._clock = UNLIMITED.started()

    def counters(self) -> Mapping[str, int]:
        """Return how often the program was started for the last question, as ``nodes``."""
        return {"nodes": self._clock.nodes}

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``."""
        clock = self._clock = limits.started()
        clock.check()
        domains = assumed_domains(self._model, assume)
        if all(domains):
            yield from self._ask(domains, clock)

    def _ask(self, domains: Sequence[Domain], clock: Clock) -> Iterator[Solution]:
        """Yield every solution within these domains, none of which is empty, and count the runs."""
        raise NotImplementedError


# Any SAT solver that reads a DIMACS file and answers in the format of the SAT competitions: ``s SATISFIABLE``, ``v 1 -2 ...
# 0``.
#
# Solutions are enumerated by forbidding each and starting the program again. "No" is accepted only if the program prints ``s
# UNSATISFIABLE`` and exits with 20, "yes" only if it exits with 10 and its values satisfy every clause. Anything else is a
# failure of the program. The formula is that of the plain model, not of the strengthened one, so that it checks `sat`.
#
# Programs count in their own ways, and few can be given a limit: here a node is a run of the program.


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


class DimacsSession(ProgramSession):
    """One model, with its formula written once where the board is small enough."""

    def __init__(self, model: Model, path: str) -> None:
        """Keep the model and the program's path."""
        super().__init__(model)
        self._path = path
        self._kept: tuple[Cnf, str] | None = None

    def _ask(self, domains: Sequence[Domain], clock: Clock) -> Iterator[Solution]:
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
            true = _parse_dimacs_answer(program, output, code)
            if true is not None and not _satisfies(true, formula, added):
                raise program.failure("give values that satisfy the formula")
            return true


def _read_minisat_answer(answer: Path) -> list[str]:
    """Return the answer that MiniSat writes to a file, in the format of the competitions."""
    words = answer.read_text(encoding="utf-8", errors="replace").split() if answer.exists() else []
    status = {"SAT": "s SATISFIABLE", "UNSAT": "s UNSATISFIABLE"}.get(words[0] if words else "", "s UNKNOWN")
    return [status, f"v {' '.join(words[1:])}"]


def _parse_dimacs_answer(program: RunningProgram, output: Sequence[str], code: int) -> set[int] | None:
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


# Any solver that MiniZinc drives: the model as MiniZinc text with FlatZinc's constraints, which the driver translates.
#
# Without auxiliaries one run finds all solutions (``-a``); with them a grid could be repeated for each of their choices, so
# each solution is forbidden and the driver run again. An end is accepted only if the driver prints ``==========`` or
# ``=====UNSATISFIABLE=====`` and exits with 0. A node is a run of the driver.


PROGRAM = "minizinc"
SOLUTION, COMPLETE, NONE = "-" * 10, "=" * 10, "=====UNSATISFIABLE====="
PATIENCE = 30.0
"""Seconds in which the driver must list its solvers."""

_LIST = re.compile(r"\[\d+(, ?\d+)*\]")


class MiniZinc:
    """Runs MiniZinc with its default solver; ``minizinc:NAME`` uses another solver that it knows, such as gecode."""

    takes: frozenset[type[Constraint]] = TAKES

    def __init__(self, solver: str = "") -> None:
        """Find the driver, and the solver if one is named."""
        self.name = f"minizinc:{solver}" if solver else "minizinc"
        self._words = [find_program(PROGRAM, self.name)]
        if solver:
            known = _solvers(self._words[0])
            if solver.lower() not in known:
                few = ", ".join(sorted(name for name in known if "." not in name and " " not in name))
                raise BackendMissing(
                    f"backend {self.name!r} needs a solver {solver!r} that MiniZinc knows, which is not installed; it has {few}"
                )
            self._words += ["--solver", known[solver.lower()]]

    def open(self, model: Model) -> MiniZincSession:
        """Return a session on ``model``."""
        return MiniZincSession(model, self._words)


def _solvers(driver: str) -> dict[str, str]:
    """Return the ids of the installed solvers: by id, by name, and by the last part of the id."""
    try:
        listing = subprocess.run([driver, "--solvers-json"], capture_output=True, check=True, timeout=PATIENCE)  # noqa: S603
        solvers = json.loads(listing.stdout)
        there = [one for one in solvers if "executable" in one or one.get("version") != "<unknown version>"]
        return {word.lower(): one["id"] for one in there for word in (one["id"], one["name"], one["id"].rpartition(".")[2])}
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise BackendMissing(f"backend 'minizinc' needs a MiniZinc that lists its solvers, got from {driver}: {error}") from error


class MiniZincSession(ProgramSession):
    """One model, with its text written once."""

    def __init__(self, model: Model, words: Sequence[str]) -> None:
        """Keep the model and the command."""
        super().__init__(model)
        self._words = words
        self._text = ""
        self._repeats = False

    def _ask(self, domains: Sequence[Domain], clock: Clock) -> Iterator[Solution]:
        self._write(clock)
        narrowing = "".join(
            f"constraint {membership(_name(cell), members(domain))};\n"
            for cell, domain in enumerate(domains)
            if domain != self._model.domains[cell]
        )
        while True:
            clock.nodes += 1
            clock.check()
            last = None
            with closing(self._run(self._text + narrowing, domains, clock)) as answered:
                for solution in answered:
                    yield (last := solution)
            if last is None or not self._repeats:
                return
            others = [f"{_name(cell)} != {value}" for cell, value in enumerate(last) if domains[cell] & (domains[cell] - 1)]
            another = r" \/ ".join(others) or "false"
            narrowing += f"constraint {another};\n"

    def _write(self, clock: Clock) -> None:
        """Write the model's text, if that has not been done."""
        if self._text:
            return
        model = rewrite_model(self._model, TAKES, clock.check)
        sheet = FlatZincModel(model, list(map(_name, range(model.board))), output="", different="alldifferent")
        for statement in model.statements:
            clock.check()
            post_constraint(sheet, statement.constraint)
        shown = ", ".join(map(_name, range(model.board)))
        output = f'output [show([{shown}]), "\\n"];\n'
        self._repeats = len(model.domains) > model.board
        self._text = "".join(['include "alldifferent.mzn";\n', *sheet.declared, *sheet.lines, "solve satisfy;\n", output])

    def _run(self, text: str, domains: Sequence[Domain], clock: Clock) -> Generator[Solution]:
        """Yield the solutions of one run: all of them, or a single one if grids could repeat."""
        with QuestionFolder() as folder:
            question = Path(folder, "question.mzn")
            question.write_text(text, encoding="ascii")
            wanted = [] if self._repeats else ["-a"]
            with RunningProgram([*self._words, *wanted, str(question)], folder, spawns=True) as program:
                line, last, some, end = "", "", False, ""
                for line in program.lines(clock):
                    if line == SOLUTION:
                        some = True
                        yield _parse_minizinc_line(program, last, domains)
                    elif line in {COMPLETE, NONE}:
                        end = line
                    last = line
                code = program.wait(clock)
                expected = {COMPLETE, NONE} if not some else {COMPLETE, ""} if self._repeats else {COMPLETE}
                if code or end not in expected or (not some and end != NONE):
                    raise program.failure(f"end with {NONE} or solutions and {COMPLETE}", "" if code else last)


def _parse_minizinc_line(program: RunningProgram, line: str, domains: Sequence[Domain]) -> Solution:
    if not _LIST.fullmatch(line.strip()):
        raise program.failure("show a list of values", line)
    solution = tuple(json.loads(line))
    if len(solution) != len(domains) or not all(domain >> value & 1 for domain, value in zip(domains, solution, strict=True)):
        raise program.failure("show a value of each cell", line)
    return solution


def _name(cell: int) -> str:
    return f"cell{cell}"
