"""The same puzzles through several engines: do they agree, and how fast is each?

Engines agree when none breaks a rule, all find the same number of solutions (up to the limit), and, where they found all,
the same solutions. What a limit left unknown is neither agreement nor disagreement.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import UNLIMITED, Backend, Limits, backend
from sudoku_cp.errors import InvalidInput, SudokuError, WrongAnswer
from sudoku_cp.queries import Answer, a_step, shrunk, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sudoku_cp.puzzle import Puzzle


@dataclass(frozen=True)
class Verdict:
    """What one engine says of one puzzle: its answer, or the defect it showed."""

    engine: str
    answer: Answer | None
    defect: str = ""

    @property
    def status(self) -> str:
        """The answer's status, or ``wrong``."""
        return self.answer.status if self.answer else "wrong"

    def says(self) -> object:
        """Return what must be the same for all engines; None for an unknown."""
        if self.answer is None:
            return self.defect
        if self.answer.status == "unknown" or self.answer.reason:
            return None
        found = frozenset(self.answer.solutions) if self.answer.exact else None
        return self.answer.count, found


@dataclass(frozen=True)
class Disagreement:
    """A puzzle on which engines differ, and the same with the fewest givens that still shows a difference."""

    index: int
    puzzle: Puzzle
    verdicts: tuple[Verdict, ...]
    least: Puzzle
    least_verdicts: tuple[Verdict, ...]


@dataclass
class Tally:
    """One engine's run: statuses, seconds and nodes, a puzzle each."""

    engine: str
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    nodes: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count one more verdict."""
        self.statuses[verdict.status] += 1
        if verdict.answer:
            self.seconds.append(verdict.answer.seconds)
            self.nodes += verdict.answer.counters.get("nodes", 0)

    @property
    def solved(self) -> int:
        """The puzzles with an answer."""
        return self.statuses.total() - self.statuses["unknown"] - self.statuses["wrong"]

    def quantile(self, share: float) -> float:
        """Return the time (seconds) that ``share`` of the puzzles stayed within; 0 without puzzles."""
        return sorted(self.seconds)[max(0, ceil(share * len(self.seconds)) - 1)] if self.seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the row of this engine as plain data, times in seconds."""
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


@dataclass(frozen=True)
class Comparison:
    """The tallies of all engines, in the order asked for, and every disagreement."""

    puzzles: int
    tallies: tuple[Tally, ...]
    disagreements: tuple[Disagreement, ...]

    @property
    def agreed(self) -> bool:
        """Whether no puzzle showed a difference."""
        return not self.disagreements

    @property
    def unknown(self) -> int:
        """How many questions a limit left without an answer."""
        return sum(tally.statuses["unknown"] for tally in self.tallies)


def cross_check(
    puzzles: Iterable[Puzzle],
    engines: Sequence[str | Backend] = ("native", "sat", "cpsat"),
    *,
    limits: Limits = UNLIMITED,
    limit: int | None = 2,
    report: Callable[[int, Puzzle, Sequence[Verdict]], None] | None = None,
) -> Comparison:
    """Return how ``engines`` answered ``puzzles``, which are taken one by one, each engine in turn on every one.

    ``limits`` hold for each question, ``limit`` is the number of solutions to look for; ``report`` hears every result.
    """
    opened = [backend(engine) if isinstance(engine, str) else engine for engine in engines]
    if len(opened) < 2:  # noqa: PLR2004
        raise InvalidInput(f"expected at least two engines to compare, got {len(opened)}")
    tallies = tuple(Tally(engine.name) for engine in opened)
    disagreements: list[Disagreement] = []
    number = 0
    for index, puzzle in enumerate(puzzles):
        number += 1
        verdicts = _verdicts(puzzle, opened, limits, limit)
        for tally, verdict in zip(tallies, verdicts, strict=True):
            tally.add(verdict)
        if _differ(verdicts):
            disagreements.append(_shown_least(index, puzzle, verdicts, opened, limits, limit))
        if report:
            report(index, puzzle, verdicts)
    return Comparison(number, tallies, tuple(disagreements))


def _verdicts(puzzle: Puzzle, engines: Iterable[Backend], limits: Limits, limit: int | None) -> tuple[Verdict, ...]:
    return tuple(_verdict(puzzle, engine, limits, limit) for engine in engines)


def _verdict(puzzle: Puzzle, engine: Backend, limits: Limits, limit: int | None) -> Verdict:
    try:
        return Verdict(engine.name, solve(puzzle, backend=engine, limits=limits, limit=limit))
    except WrongAnswer as error:
        return Verdict(engine.name, None, str(error))
    except SudokuError:
        raise
    except Exception as error:  # noqa: BLE001  # an engine that crashes is a finding too
        return Verdict(engine.name, None, f"{type(error).__name__}: {error}")


def _differ(verdicts: Iterable[Verdict]) -> bool:
    said = [verdict.says() for verdict in verdicts]
    known = {one for one in said if one is not None}
    return len(known) > 1 or any(isinstance(one, str) for one in known)


def _shown_least(
    index: int, puzzle: Puzzle, verdicts: tuple[Verdict, ...], engines: Sequence[Backend], limits: Limits, limit: int | None
) -> Disagreement:
    """Leave out givens while some difference remains; a question that takes too long shows none."""

    def still(givens: list[tuple[int, int]]) -> bool:
        return _differ(_verdicts(puzzle.with_givens(dict(givens)), engines, a_step(limits), limit))

    least = puzzle.with_givens(dict(shrunk(puzzle.givens.items(), still)))
    return Disagreement(index, puzzle, verdicts, least, _verdicts(least, engines, limits, limit))


def table(comparison: Comparison) -> list[Mapping[str, str]]:
    """Return the rows of the table for people: times in milliseconds."""
    return [
        {
            "engine": tally.engine,
            "solved": f"{tally.solved}/{comparison.puzzles}",
            "median ms": f"{row['median'] * 1e3:.2f}",
            "p95 ms": f"{row['p95'] * 1e3:.2f}",
            "max ms": f"{row['max'] * 1e3:.2f}",
            "total s": f"{row['total']:.2f}",
            "nodes": f"{tally.nodes:,}",
        }
        for tally in comparison.tallies
        for row in [tally.to_json()]
    ]
