"""A session of CP-SAT: one model, whose domains each question edits and restores.

The cells' variables are Booleans, one a candidate, and "all different" is an exact cover of them. Without presolve and
inprocessing CP-SAT is then 1.7 to 5 times faster on 9x9 than on integers with AllDifferent at its best settings.
``cpsat:alldifferent`` states the textbook model instead: integer variables and AllDifferent, a third opinion.

Theory of operation. The first question encodes the model (`encoding`). A question narrows the domains of the variables in place
(``edits``), runs a `ShortSearch` of 50 ms without a thread, which answers most questions, then a `LongSearch` in a thread, and
restores the domains.
Invariants: a model is never edited while a search reads it, so a question asked while another is open gets a copy, and a model
with an abandoned search is dropped and encoded anew; a grid is yielded once, so where enumeration could repeat it (automata and
auxiliaries: the same cells with another path) each grid is forbidden and the model solved again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.cpsat.encoding import Edits, Encoding, apply
from sudoku_cp.backends.cpsat.searches import LongSearch, ShortSearch
from sudoku_cp.errors import UnknownName
from sudoku_cp.model import AllDifferent, Automaton, Clause, Constraint, Count, Linear, Model, Table, strengthen_model
from sudoku_cp.model.rewrite import rewrite_model

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from ortools.sat.python import cp_model

COUNTERS = ("nodes", "branches")
ENCODINGS = ("cover", "alldifferent")


class CpSat:
    """Solves with OR-Tools CP-SAT; ``cpsat:alldifferent`` uses the textbook model on integer variables."""

    name = "cpsat"
    takes: frozenset[type[Constraint]] = frozenset({AllDifferent, Linear, Table, Automaton, Clause, Count})

    def __init__(self, encoding: str = "cover") -> None:
        """Choose one of `ENCODINGS`."""
        if encoding not in ENCODINGS:
            raise UnknownName("kind of CP-SAT model", encoding, ENCODINGS)
        self._cover = encoding == "cover"
        self.name = "cpsat" if self._cover else f"cpsat:{encoding}"

    def open(self, model: Model) -> CpSatSession:
        """Return a session on ``model``; the textbook kind does not strengthen it, so that each kind checks the other."""
        return CpSatSession(model, self.takes, cover=self._cover)


class CpSatSession:
    """One CP-SAT model; questions edit the domains of its variables."""

    def __init__(self, model: Model, takes: frozenset[type[Constraint]], *, cover: bool) -> None:
        """Keep the ``model``; the first question rewrites it to what is in ``takes`` and encodes it, within its own limits."""
        self._model = model
        self._takes = takes
        self._cover = cover
        self._encoding: Encoding | None = None
        self._repeats = False
        self._edited: Edits | None = None
        self._left_behind: cp_model.CpModel | None = None
        self._counts = dict.fromkeys(COUNTERS, 0)

    def _encode(self, clock: Clock) -> Encoding:
        """Return the model as a CP-SAT model, and note whether its enumeration may yield a grid twice."""
        model = strengthen_model(self._model, clock.check) if self._cover else self._model
        self._repeats = len(model.domains) > model.board or any(isinstance(one, Automaton) for one in model.constraints)
        return Encoding(rewrite_model(model, self._takes, clock.check), cover=self._cover, check=clock.check)

    def counters(self) -> Mapping[str, int]:
        """Return conflicts (as ``nodes``) and branches of the last question."""
        return dict(self._counts)

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``; a node is a conflict."""
        clock = limits.started()
        self._counts = dict.fromkeys(COUNTERS, 0)
        clock.check()
        encoding = self._encoding = self._encoding or self._encode(clock)
        edits = encoding.edits(assume)
        if edits is None:
            return
        if self._repeats:
            yield from self._search_forbidding(encoding, self._copy(encoding, edits), clock)
        elif self._edited is not None:
            yield from self._search(encoding, self._copy(encoding, edits), clock, enumerate_all=True)
        else:
            self._edited = edits
            apply(encoding.model, edits)
            try:
                yield from self._search(encoding, encoding.model, clock, enumerate_all=True)
            finally:
                if self._encoding is encoding:
                    apply(encoding.model, encoding.free(edits))
                    self._edited = None

    def _copy(self, encoding: Encoding, edits: Edits) -> cp_model.CpModel:
        """Return a copy of the model with only ``edits`` applied, not those of an open question."""
        model = encoding.model.clone()
        apply(model, encoding.free(self._edited or {}))
        apply(model, edits)
        return model

    def _search_forbidding(self, encoding: Encoding, model: cp_model.CpModel, clock: Clock) -> Iterator[Solution]:
        """Solve, forbid the grid, solve again."""
        while True:
            clock.check()
            found = self._search(encoding, model, clock, enumerate_all=False)
            solution = next(found, None)
            found.close()
            if solution is None:
                return
            yield solution
            if model is self._left_behind:
                model = model.clone()  # a search may still be reading it
            encoding.forbid(model, solution)

    def _search(self, encoding: Encoding, model: cp_model.CpModel, clock: Clock, *, enumerate_all: bool) -> Generator[Solution]:
        """Yield solutions: those of a short search, and if that did not find all, those of a long one."""
        short = ShortSearch(model, encoding, clock, enumerate_all=enumerate_all)
        try:
            first = short.slice()
        finally:
            self._release_model(model, short)
        self._charge(clock, first.conflicts, first.branches)
        yield from first.solutions
        if first.complete and clock.reached() != "nodes":
            return
        clock.check()
        run = LongSearch(model, encoding, clock, enumerate_all=enumerate_all)
        with clock.on_cancel(run.solver.stop_search):
            try:
                yield from (solution for solution in run.solutions() if solution not in first.solutions)
            finally:
                self._charge(clock, *run.end())
                self._release_model(model, run)
        run.check(clock)

    def _release_model(self, model: cp_model.CpModel, run: ShortSearch | LongSearch) -> None:
        """Give up the model if its search was abandoned; the next question encodes it anew."""
        if not run.is_abandoned:
            return
        self._left_behind = model
        if self._encoding is not None and model is self._encoding.model:
            self._encoding = self._edited = None

    def _charge(self, clock: Clock, conflicts: int, branches: int) -> None:
        clock.nodes += conflicts
        self._counts["nodes"] += conflicts
        self._counts["branches"] += branches
