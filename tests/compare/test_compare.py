"""Engines that agree, and engines that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import NOTHING, UNLIMITED, Assumed, Backend, Limits, Session, Solution, backend
from sudoku_cp.compare import Verdict, cross_check, fuzz, table
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.model import Clause, Model
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Diagonals, Houses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

UNIQUE = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
SEVERAL = Puzzle.parse("1...............", Grid.square(4))
NO_SOLUTION = Puzzle.parse("11..............", Grid.square(4))


class Broken:
    """An engine that takes the answers of a sound one and spoils them."""

    takes = frozenset({Clause})

    def __init__(self, name: str, spoil: Callable[[Iterator[Solution]], Iterator[Solution]]) -> None:
        """Take the engine's name and the function that spoils its answers."""
        self.name = name
        self._spoil = spoil

    def open(self, model: Model) -> Session:
        """Open a session of the sound engine, with its answers spoilt."""
        is_well_formed, spoil = backend("native").open(model), self._spoil

        class Spoiled:
            def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
                return spoil(is_well_formed.solutions(assume, limits=limits))

        return Spoiled()


def lose_all(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Lose every solution."""
    if next(solutions, None) is None:
        yield from solutions


def lose_second(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Report everything with a solution as unique."""
    for solution in solutions:
        yield solution
        return


def swap_two(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Yield grids that break a rule."""
    for solution in solutions:
        yield (solution[1], solution[0], *solution[2:])


def stutter(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Yield every grid twice."""
    for solution in solutions:
        yield solution
        yield solution


def crash(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Fail as a foreign library would."""
    raise ZeroDivisionError(str(next(solutions, None)))
    yield ()


def test_sound_engines_agree() -> None:
    """Native, SAT and both CP-SAT encodings agree on one, several and no solutions."""
    compared = cross_check([UNIQUE, SEVERAL, NO_SOLUTION], ["native", "sat", "cpsat", "cpsat:alldifferent"])
    assert compared.agreed
    assert compared.puzzles == 3
    for tally in compared.tallies:
        assert tally.statuses == {"unique": 1, "multiple": 1, "none": 1}
        assert tally.solved == 3
        assert len(tally.seconds) == 3


@pytest.mark.parametrize(
    ("spoil", "puzzle"),
    [(lose_all, UNIQUE), (lose_second, SEVERAL), (swap_two, UNIQUE), (stutter, UNIQUE)],
)
def test_a_broken_engine_is_found_and_the_finding_shrunk(
    spoil: Callable[[Iterator[Solution]], Iterator[Solution]], puzzle: Puzzle
) -> None:
    """However an engine is broken, the comparison finds it, and no given of the smallest puzzle can be left out."""
    engines: list[str | Backend] = ["native", Broken("broken", spoil)]
    compared = cross_check([puzzle], engines)
    assert not compared.agreed
    (finding,) = compared.disagreements
    assert finding.index == 0
    assert finding.puzzle == puzzle
    least = finding.least
    assert least.givens.items() <= puzzle.givens.items()
    assert not cross_check([least], engines).agreed
    for cell in least.givens:
        fewer = {other: value for other, value in least.givens.items() if other != cell}
        assert cross_check([least.with_givens(fewer)], engines).agreed


def test_a_crash_is_a_failure_of_its_engine_and_no_disagreement() -> None:
    """An engine that raises is named with its error, and the others are compared without it."""
    compared = cross_check([UNIQUE, SEVERAL], ["native", Broken("broken", crash), "sat"])
    assert compared.agreed
    assert compared.failed == 2
    assert compared.failures.keys() == {"broken"}
    assert "puzzle 0: expected an answer from engine 'broken', got ZeroDivisionError" in compared.failures["broken"]
    assert compared.tallies[1].solved == 0
    assert [tally.solved for tally in compared.tallies[::2]] == [2, 2]


def test_a_crash_is_a_finding_of_fuzzing() -> None:
    """Random puzzles are there to find crashes too."""
    assert fuzz(1, 1, ["native", Broken("broken", crash)]).findings


def test_one_fault_in_many_is_placed() -> None:
    """The index of a disagreement counts the puzzles from 0."""

    def wrong_about_one(solutions: Iterator[Solution]) -> Iterator[Solution]:
        for number, solution in enumerate(solutions):
            if number == 0:
                yield solution

    compared = cross_check([UNIQUE, SEVERAL, UNIQUE], ["native", Broken("one", wrong_about_one)])
    assert [finding.index for finding in compared.disagreements] == [1]


def test_unknown_is_no_disagreement() -> None:
    """An answer that a limit left open counts as unknown, and agrees with every other."""
    compared = cross_check([UNIQUE], ["native", "sat"], limits=Limits(seconds=0))
    assert compared.agreed
    assert compared.unknown == 2


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_engines_share_the_time_for_a_puzzle(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """Each gets an even share of what those before it have left, and together they take no more than the limit."""
    now = [0.0]
    monkeypatch.setattr("sudoku_cp.time_limits.perf_counter", lambda: now[0])
    given: list[float] = []

    def slow(puzzle: Puzzle, engine: Backend, limits: Limits, solution_limit: int | None) -> Verdict:
        assert limits.seconds is not None
        given.append(limits.seconds)
        now[0] += share * limits.seconds
        return Verdict(engine.name, None, refusal="no time")

    monkeypatch.setattr("sudoku_cp.compare.engine_comparison.verdict_of", slow)
    for puzzle in range(1, 3):
        cross_check([UNIQUE], ["native", "sat", "cpsat"], limits=Limits(seconds=6.0))
        assert now[0] <= 6.0 * puzzle
        now[0] = 6.0 * puzzle
    assert given[:3] == pytest.approx([2.0, (6.0 - 2.0 * share) / 2, 6.0 - 2.0 * share - share * (6.0 - 2.0 * share) / 2])


def test_shrinking_ends_with_the_time_for_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disagreement that cannot be shrunk in time is shown as it is."""
    now = [0.0]
    monkeypatch.setattr("sudoku_cp.time_limits.perf_counter", lambda: now[0])

    def late(solutions: Iterator[Solution]) -> Iterator[Solution]:
        now[0] += 1.0
        yield from ()

    compared = cross_check([UNIQUE], ["native", Broken("broken", late)], limits=Limits(seconds=0.9))
    (finding,) = compared.disagreements
    assert finding.least == UNIQUE
    assert finding.least_verdicts == finding.verdicts
    assert now[0] == 1.0


@pytest.mark.parametrize("engines", [[], ["native"]])
def test_comparing_needs_two_engines(engines: list[str]) -> None:
    """Fewer than two engines cannot agree or disagree."""
    with pytest.raises(InvalidInput, match="at least two engines"):
        cross_check([UNIQUE], engines)


def test_the_report_hears_every_verdict() -> None:
    """The callback gets the verdicts on each puzzle."""
    heard = []
    cross_check([UNIQUE, SEVERAL], ["native", "sat"], report=lambda index, puzzle, verdicts: heard.append((index, len(verdicts))))
    assert heard == [(0, 2), (1, 2)]


def test_the_table_has_a_row_for_each_engine() -> None:
    """The table for people names every engine and how many puzzles it answered."""
    rows = table(cross_check([UNIQUE], ["native", "sat"]))
    assert [row["engine"] for row in rows] == ["native", "sat"]
    assert {row["solved"] for row in rows} == {"1/1"}


def test_quantiles_are_times_that_were_measured() -> None:
    """The p95 of n times is one of them, and at least 95% of them are no larger."""
    compared = cross_check([UNIQUE] * 20, ["native", "sat"])
    for tally in compared.tallies:
        assert sum(seconds <= tally.quantile(0.95) for seconds in tally.seconds) >= 19
        assert tally.quantile(0.95) in tally.seconds


def test_of_many_disagreements_the_first_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """All are counted, but only some kept: an engine that is always wrong does not fill the memory."""
    monkeypatch.setattr("sudoku_cp.compare.engine_comparison.SHOWN", 2)
    compared = cross_check([SEVERAL] * 5, ["native:readable", Broken("broken", lose_second)])
    assert compared.disagreed == 5
    assert [finding.index for finding in compared.disagreements] == [0, 1]


def test_an_engine_may_refuse() -> None:
    """A refusal is counted separately: it is neither an agreement nor a disagreement, and not a solved puzzle."""
    variant = Puzzle(Grid.square(4), (Houses(), Diagonals()), {0: 1})
    compared = cross_check([variant, SEVERAL], ["native:readable", "fast:bigint"])
    assert compared.agreed
    assert compared.refused == 1
    assert [tally.solved for tally in compared.tallies] == [2, 1]
