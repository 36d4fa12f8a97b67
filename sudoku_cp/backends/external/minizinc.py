"""Any solver that MiniZinc drives: the model as MiniZinc text with FlatZinc's constraints, which the driver translates.

Without auxiliaries one run finds all solutions (``-a``); with them a grid could be repeated for each of their choices, so each
solution is forbidden and the driver run again. An end is accepted only if the driver prints ``==========`` or
``=====UNSATISFIABLE=====`` and exits with 0. A node is a run of the driver.
"""

from __future__ import annotations

import json
import re
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution, assumed_domains
from sudoku_cp.backends.external.programs import QuestionFolder, RunningProgram, find_program
from sudoku_cp.errors import BackendMissing
from sudoku_cp.model import Constraint, Domain, Model, members
from sudoku_cp.model.flatzinc import TAKES, FlatZincModel, membership, post_constraint
from sudoku_cp.model.rewrite import rewrite_model

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

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


class MiniZincSession:
    """One model, with its text written once."""

    def __init__(self, model: Model, words: Sequence[str]) -> None:
        """Keep the model and the command; the first question writes the text, within its own limits."""
        self._model = model
        self._words = words
        self._text = ""
        self._repeats = False
        self._clock = UNLIMITED.started()

    def counters(self) -> Mapping[str, int]:
        """Return how often the driver was started for the last question, as ``nodes``."""
        return {"nodes": self._clock.nodes}

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a run of the driver."""
        clock = self._clock = limits.started()
        clock.check()
        domains = assumed_domains(self._model, assume)
        if not all(domains):
            return
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
                        yield _parse_answer(program, last, domains)
                    elif line in {COMPLETE, NONE}:
                        end = line
                    last = line
                code = program.wait(clock)
                expected = {COMPLETE, NONE} if not some else {COMPLETE, ""} if self._repeats else {COMPLETE}
                if code or end not in expected or (not some and end != NONE):
                    raise program.failure(f"end with {NONE} or solutions and {COMPLETE}", "" if code else last)


def _parse_answer(program: RunningProgram, line: str, domains: Sequence[Domain]) -> Solution:
    if not _LIST.fullmatch(line.strip()):
        raise program.failure("show a list of values", line)
    solution = tuple(json.loads(line))
    if len(solution) != len(domains) or not all(domain >> value & 1 for domain, value in zip(domains, solution, strict=True)):
        raise program.failure("show a value of each cell", line)
    return solution


def _name(cell: int) -> str:
    return f"cell{cell}"
