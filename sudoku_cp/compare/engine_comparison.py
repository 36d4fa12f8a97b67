"""The same puzzles through several engines: do they agree, and how fast is each?

Engines agree if none breaks a rule, all find the same number of solutions (up to the limit) and, if they found all, the same
solutions. What a limit left unknown is neither agreement nor disagreement.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from statistics import median
from typing import Any

from sudoku_cp.arguments import ShortRepr, checked, each_checked
from sudoku_cp.backends import UNLIMITED, Backend, Clock, Limits, backend
from sudoku_cp.errors import BackendFailed, InvalidInput, SudokuError, Unsupported, WrongAnswer
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import Answer, shrink, solve, step_limits
from sudoku_cp.queries.conflicts import STEP

SHOWN = 100
"""Disagreements that are shrunk and kept, at most: an engine that is always wrong would fill the memory."""


@dataclass(frozen=True)
class Verdict:
    """The verdict of one engine on one puzzle: its answer, or a wrong one (``defect``), or why there is none.

    A ``refusal`` says that the engine does not take such puzzles, a ``failure`` how it crashed.
    """

    engine: str
    answer: Answer | None
    defect: str = ""
    refusal: str = ""
    failure: str = ""

    @property
    def status(self) -> str:
        """The answer's status, or ``wrong``, ``refused`` or ``failed``."""
        if self.answer:
            return self.answer.status
        return "failed" if self.failure else "refused" if self.refusal else "wrong"

    @property
    def problem(self) -> str:
        """What is wrong where there is no answer, in words."""
        return self.defect or self.refusal or self.failure

    def claim(self) -> object:
        """Return what must be the same for all engines, None if it is unknown."""
        if self.answer is None:
            return self.defect or None
        if self.answer.status == "unknown" or self.answer.reason:
            return None
        found = frozenset(self.answer.solutions) if self.answer.exact else None
        return self.answer.count, found


@dataclass(frozen=True)
class Disagreement:
    """A puzzle on which engines differ, and the same with as few givens as still show a difference."""

    index: int
    puzzle: Puzzle
    verdicts: tuple[Verdict, ...]
    least: Puzzle
    least_verdicts: tuple[Verdict, ...]


@dataclass
class Tally:
    """One engine's statuses, seconds and nodes; it keeps eight bytes for each puzzle."""

    engine: str
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: array[float] = field(default_factory=lambda: array("d"))
    nodes: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count one more verdict."""
        self.statuses[verdict.status] += 1
        if verdict.answer:
            self.seconds.append(verdict.answer.seconds)
            self.nodes += verdict.answer.counters.get("nodes", 0)

    @property
    def solved(self) -> int:
        """The number of puzzles with an answer."""
        return self.statuses.total() - sum(self.statuses[name] for name in ("unknown", "wrong", "refused", "failed"))

    def quantile(self, share: float) -> float:
        """Return the time (seconds) within which a ``share`` of the puzzles was answered; 0 without puzzles."""
        return sorted(self.seconds)[max(0, ceil(share * len(self.seconds)) - 1)] if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the row of this engine as JSON, times in seconds."""
        return {
            "backend": self.engine,
            "solved": self.solved,
            "statuses": dict(sorted(self.statuses.items())),
            "median": median(self.seconds) if self.seconds else 0.0,
            "p95": self.quantile(0.95),
            "max": max(self.seconds, default=0.0),
            "total": sum(self.seconds),
            "nodes": self.nodes,
        }


@dataclass(repr=False)
class Comparison(ShortRepr):
    """The results so far: the tallies of all engines, in their order, the disagreements, and each engine's first failure.

    Only the first `SHOWN` disagreements are kept; ``disagreed`` counts them all.
    """

    tallies: tuple[Tally, ...]
    puzzles: int = 0
    disagreed: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def agreed(self) -> bool:
        """Whether the engines that answered agreed on every puzzle."""
        return not self.disagreed

    @property
    def unknown(self) -> int:
        """How many questions a limit left without an answer."""
        return sum(tally.statuses["unknown"] for tally in self.tallies)

    @property
    def refused(self) -> int:
        """How many questions were refused by an engine."""
        return sum(tally.statuses["refused"] for tally in self.tallies)

    @property
    def failed(self) -> int:
        """How many questions made an engine crash."""
        return sum(tally.statuses["failed"] for tally in self.tallies)


@checked
def cross_check(
    puzzles: Iterable[Puzzle],
    engines: Sequence[str | Backend] = ("native", "sat", "cpsat"),
    *,
    limits: Limits = UNLIMITED,
    solution_limit: int | None = 2,
    report: Callable[[int, Puzzle, Sequence[Verdict]], None] | None = None,
) -> Comparison:
    """Return how ``engines`` answered ``puzzles``, which are taken one by one; every engine answers each.

    The seconds of ``limits`` are for each puzzle: the engines share them, and so does the shrinking of a disagreement; nodes are
    for each engine. ``solution_limit`` is the number of solutions to look for; ``report`` is called with every result.
    """
    check = CrossCheck(engines, limits=limits, solution_limit=solution_limit)
    for index, puzzle in enumerate(each_checked("cross_check, puzzles", Puzzle, puzzles)):
        verdicts = check.add(puzzle)
        if report:
            report(index, puzzle, verdicts)
    return check.compared


class CrossCheck:
    """Compares engines puzzle by puzzle; ``compared`` has the results so far, even after an interrupt.

    ``limits`` are those of `cross_check`, and may change from one puzzle to the next.
    """

    def __init__(self, engines: Sequence[str | Backend], *, limits: Limits = UNLIMITED, solution_limit: int | None = 2) -> None:
        """Look up all engines, so that a missing one is reported before any work; the parameters are those of `cross_check`."""
        self.engines = [backend(engine) if isinstance(engine, str) else engine for engine in engines]
        if len(self.engines) < 2:  # noqa: PLR2004
            raise InvalidInput(f"expected at least two engines to compare, got {len(self.engines)}")
        self.compared = Comparison(tuple(Tally(engine.name) for engine in self.engines))
        self.limits, self._solution_limit = limits, solution_limit

    def add(self, puzzle: Puzzle) -> tuple[Verdict, ...]:
        """Ask every engine about one more puzzle and return the verdicts."""
        clock = self.limits.started()
        verdicts = self._verdicts(puzzle, clock)
        disagreement = self._shown_least(puzzle, verdicts, clock) if contradict(verdicts) else None
        # From here on nothing takes long, so that an interrupt leaves a puzzle counted for all engines or for none.
        for tally, verdict in zip(self.compared.tallies, verdicts, strict=True):
            tally.add(verdict)
            if verdict.failure:
                self.compared.failures.setdefault(verdict.engine, f"puzzle {self.compared.puzzles}: {verdict.failure}")
        if disagreement:
            self.compared.disagreed += 1
            self.compared.disagreements += [disagreement] * (len(self.compared.disagreements) < SHOWN)
        self.compared.puzzles += 1
        return verdicts

    def _verdicts(self, puzzle: Puzzle, clock: Clock) -> tuple[Verdict, ...]:
        """Return what each engine says: it gets an even share of the time that those before it have left."""
        verdicts = []
        for others, engine in zip(reversed(range(len(self.engines))), self.engines, strict=True):
            left = clock.left()
            limits = left if left.seconds is None else replace(left, seconds=left.seconds / (others + 1))
            verdicts.append(verdict_of(puzzle, engine, limits, self._solution_limit))
        return tuple(verdicts)

    def _shown_least(self, puzzle: Puzzle, verdicts: tuple[Verdict, ...], clock: Clock) -> Disagreement:
        """Return the disagreement, shrunk by leaving out givens; a question that takes too long shows no difference."""
        index = self.compared.puzzles
        least, least_verdicts = puzzle, verdicts
        if len(self.compared.disagreements) >= SHOWN:
            return Disagreement(index, puzzle, verdicts, puzzle, verdicts)

        def still(givens: list[tuple[int, int]]) -> bool:
            nonlocal least, least_verdicts
            fewer = puzzle.with_givens(dict(givens))
            found = self._verdicts(fewer, step_limits(clock.left(), len(self.engines) * STEP).started())
            if contradict(found):
                least, least_verdicts = fewer, found
            return contradict(found)

        shrink(puzzle.givens.items(), still)
        return Disagreement(index, puzzle, verdicts, least, least_verdicts)


def verdict_of(puzzle: Puzzle, engine: Backend, limits: Limits, solution_limit: int | None) -> Verdict:
    """Return an engine's verdict on a puzzle: a wrong answer is a defect, a crash a failure, an unsupported puzzle a refusal."""
    try:
        return Verdict(engine.name, solve(puzzle, backend=engine, limits=limits, solution_limit=solution_limit))
    except BackendFailed as error:
        return Verdict(engine.name, None, failure=str(error))
    except WrongAnswer as error:
        return Verdict(engine.name, None, str(error))
    except Unsupported as error:
        return Verdict(engine.name, None, refusal=str(error))
    except SudokuError:
        raise
    except Exception as error:  # noqa: BLE001  # a crash of one of our own engines
        return Verdict(engine.name, None, failure=f"{type(error).__name__}: {error}")


def contradict(verdicts: Iterable[Verdict]) -> bool:
    """Return whether some of the verdicts contradict each other, or one is a defect."""
    known = {claim for verdict in verdicts if (claim := verdict.claim()) is not None}
    return len(known) > 1 or any(isinstance(claim, str) for claim in known)


def table(comparison: Comparison) -> list[Mapping[str, str]]:
    """Return the rows of the table that people see, times in milliseconds."""
    return table_of(comparison.tallies, comparison.puzzles)


def table_of(tallies: Iterable[Tally], puzzles: int) -> list[Mapping[str, str]]:
    """Return the rows of the table for the tallies of so many puzzles."""
    return [
        {
            "engine": tally.engine,
            "solved": f"{tally.solved}/{puzzles}",
            "median ms": f"{row['median'] * 1e3:.2f}",
            "p95 ms": f"{row['p95'] * 1e3:.2f}",
            "max ms": f"{row['max'] * 1e3:.2f}",
            "total s": f"{row['total']:.2f}",
            "nodes": f"{tally.nodes:,}",
        }
        for tally in tallies
        for row in [tally.to_json()]
    ]
