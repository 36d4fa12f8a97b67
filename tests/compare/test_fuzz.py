"""Random puzzles are repeatable and of all kinds; faults on them are found, shrunk and written to files."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import fields, replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp.backends import NOTHING, UNLIMITED, Assumed, Limits, Session, Solution, backend
from sudoku_cp.compare import FuzzFinding, cross_check, fuzz, random_puzzle, write_finding
from sudoku_cp.compare.fuzzing import BY_HAND, solve_by_brute_force, start_fuzz
from sudoku_cp.compare.random_puzzles import DEFECTS, GRIDS, fit_to_solution, random_filled_grid, random_rule, vary_numbers
from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.grid import Grid
from sudoku_cp.model import Clause, Model
from sudoku_cp.puzzle import Puzzle, from_json, to_json
from sudoku_cp.rules import RULES, Houses, KillerCage, Thermometer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FOUR = Grid.square(4)
SEED = 4


def random_of(seed: int | str) -> Random:
    """A generator of the same random numbers each time."""
    return Random(seed)  # noqa: S311


class Bent:
    """A sound engine whose answers are falsified."""

    takes = frozenset({Clause})

    def __init__(self, bend: Callable[[Iterator[Solution]], Iterator[Solution]]) -> None:
        """Take the function that falsifies the answers."""
        self.name = "bent"
        self._bend = bend

    def open(self, model: Model) -> Session:
        """Open a session of the sound engine, with its answers falsified."""
        is_well_formed, bend = backend("native:readable").open(model), self._bend

        class Session:
            def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
                return bend(is_well_formed.solutions(assume, limits=limits))

        return Session()


def drops_one(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Lose the second solution."""
    for number, solution in enumerate(solutions):
        if number != 1:
            yield solution


def makes_one_up(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Yield a grid that breaks a rule, after the others."""
    last: Solution = ()
    for last in solutions:
        yield last
    if last:
        yield last[1:] + last[:1]


def claims_none(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Find nothing."""
    if next(solutions, None) is None:
        yield from solutions


def crashes(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Fail as a foreign library would, if there is a solution."""
    for solution in solutions:
        raise ZeroDivisionError(solution)
    yield from ()


# --- puzzles ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_kind_has_random_instances(kind: str) -> None:
    """Rules of any kind are well-formed, vary if they have fields, and hold for the grid that they were fitted to."""
    random = random_of(kind)
    grids = [GRIDS[name][1] for name in ("4x4", "4x4 with a value more", "6x6")]
    made = {random_rule(random, kind, grid) for grid in grids for _ in range(4)} - {None}
    assert made
    assert all(rule.kind == kind for rule in made)
    assert len(made) > 1 or not fields(RULES[kind])


def test_clues_agree_with_a_grid() -> None:
    """A total is set to the sum in a grid, and can be changed to another."""
    solution = random_filled_grid(random_of(1), FOUR)
    assert solution is not None
    cage = KillerCage((0, 1, 2), 99)
    fitting = fit_to_solution(random_of(1), cage, FOUR, solution)
    assert fitting == KillerCage((0, 1, 2), sum(solution[:3]))
    assert {rule.total for rule in vary_numbers(random_of(1), cage, FOUR, range(5, 8))} == {5, 6, 7}


def test_a_puzzle_is_always_the_same() -> None:
    """A puzzle depends only on its seed and its number: not on earlier puzzles, the process or the order of sets."""
    numbers = (0, 7, 20)
    first = [random_puzzle(SEED, number) for number in numbers]
    assert [random_puzzle(SEED, number) for number in reversed(numbers)] == first[::-1]
    assert random_puzzle(SEED + 1, 0) != first[0]
    program = (
        "import json; from sudoku_cp.compare import random_puzzle; from sudoku_cp.puzzle import to_json;"
        f"print(json.dumps([to_json(random_puzzle({SEED}, number).puzzle) for number in {numbers}]))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout
    assert json.loads(told) == json.loads(json.dumps([to_json(draft.puzzle) for draft in first]))


@pytest.mark.slow
def test_every_kind_board_and_defect_comes_up() -> None:
    """As many puzzles as there are turns have every kind of rule; a few more have every board and every defect."""
    drafts = [random_puzzle(SEED, number) for number in range(300)]
    turns = {kind for draft in drafts[: len(RULES) + 5] for kind in draft.kinds}
    assert turns == set(RULES)
    assert {draft.board for draft in drafts} == set(GRIDS)
    assert {draft.defect for draft in drafts} == {"", *DEFECTS}


# --- brute force ------------------------------------------------------------------------------------------------


def test_by_hand_finds_all() -> None:
    """Brute force finds the 288 grids of 4x4, as many as requested, and gives up if there is too much to try."""
    empty = Puzzle(FOUR)
    told = solve_by_brute_force(empty, None, 10_000)
    assert told is not None
    assert len(set(told[0])) == 288
    assert told[1]
    assert solve_by_brute_force(empty, 5) == (told[0][:5], False)
    assert solve_by_brute_force(empty, None, 100) is None


def test_by_hand_knows_no_houses_where_there_are_none() -> None:
    """Without houses values may repeat, but every other rule is still obeyed."""
    puzzle = Puzzle(Grid.rectangle(1, 3, values=range(1, 4)), (Thermometer((0, 1)),), candidates={2: 0b1010})
    told = solve_by_brute_force(puzzle)
    assert told is not None
    assert len(told[0]) == 3 * 2
    assert (1, 2, 1) in told[0]


# --- faults are found -------------------------------------------------------------------------------------------


def test_sound_engines_show_nothing() -> None:
    """Sound engines agree with each other and with the rules' `holds`; refusals are counted."""
    work = fuzz(12, SEED, ["native:readable", "sat", "fast:bigint"])
    assert work.findings == []
    assert work.rounds == 12
    assert work.statuses.total() == 12
    assert work.tried_by_hand > 6
    assert work.refused["fast:bigint"] > 6
    told = json.loads(json.dumps(work.to_json()))
    assert told["agreed"] is True
    assert told["kinds"] == dict(work.kinds)


@pytest.mark.parametrize("bend", [drops_one, makes_one_up, claims_none, crashes])
def test_a_fault_is_found_and_cornered(bend: Callable[..., Iterator[Solution]], tmp_path: Path) -> None:
    """Any fault of an engine is found, even by `holds` alone, and nothing can be left out of the finding."""
    work = start_fuzz([Bent(bend)])
    numbers = iter(range(60))
    finding = None
    while finding is None:
        finding = work.play(SEED, next(numbers))
    least = finding.least
    assert least.grid == finding.puzzle.grid
    assert set(least.rules) <= set(finding.puzzle.rules)
    assert least.givens.items() <= finding.puzzle.givens.items()
    assert work.look(least).wrong
    for cell in least.givens:
        fewer = {other: value for other, value in least.givens.items() if other != cell}
        assert not work.look(least.with_givens(fewer)).wrong
    assert start_fuzz([Bent(bend)]).play(finding.seed, finding.number) is not None
    path = write_finding(finding, tmp_path / "found")
    told = from_json(json.loads(path.read_text()))
    assert (told.grid, told.rules, told.givens) == (least.grid, least.rules, least.givens)
    assert "bent: " in told.ruleset
    assert finding.again in told.source


def test_a_check_may_complain(tmp_path: Path) -> None:
    """The complaint of an additional check is a finding, and is shrunk; no test is written for it."""
    work = start_fuzz(["native:readable"], also=[lambda puzzle, _: "no houses, please" if Houses() in puzzle.rules else ""])
    finding = work.play(SEED, 0)
    assert finding is not None
    assert finding.least.rules == (Houses(),)
    assert not finding.least.givens
    assert finding.least_complaints == ("no houses, please",)
    assert work.checked == 1
    assert "no houses, please" in from_json(json.loads(write_finding(finding, tmp_path).read_text())).ruleset
    assert not [*tmp_path.glob("test_*.py")]


def test_a_finding_is_a_test(tmp_path: Path) -> None:
    """The test beside a finding passes once the engines it names are right; the puzzle can be compared like any other."""
    puzzle = Puzzle(FOUR, givens={0: 1, 5: 2})
    verdicts = start_fuzz(["native:readable", "sat"]).look(puzzle).verdicts
    wrong = (replace(verdicts[0], answer=None, defect="crashed"), *verdicts[1:])
    path = write_finding(FuzzFinding(1, 2, puzzle, wrong, (), puzzle, wrong, ()), tmp_path)
    code = compile((tmp_path / "test_finding_1_2.py").read_text(), "test", "exec")
    names: dict[str, Any] = {"__file__": str(tmp_path / "test_finding_1_2.py")}
    exec(code, names)  # noqa: S102  # our own file
    names["test_finding_1_2"]()
    told = from_json(json.loads(path.read_text()))
    assert told.ruleset.startswith("verdicts: native:readable: crashed; sat: multiple, ")
    assert cross_check([told], ["native:readable", "sat"]).agreed


def test_an_engine_that_does_not_stop_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that goes on long after its limit is a finding; one that reports the limit in time is not."""

    def hangs(solutions: Iterator[Solution]) -> Iterator[Solution]:
        time.sleep(0.5)
        yield from solutions

    puzzle = Puzzle(FOUR, givens={0: 1, 5: 2})
    with monkeypatch.context() as patch:
        patch.setattr("sudoku_cp.compare.fuzzing.LONG_AFTER", 0.3)
        assert start_fuzz([Bent(hangs)], limits=Limits(seconds=0.1)).look(puzzle).wrong
    assert not start_fuzz(["native:readable", "sat"], limits=Limits(seconds=0.0)).look(puzzle).wrong


def test_checks_and_rules_that_fail_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in a check or in a rule's `holds` is a finding, and does not end the run."""

    def fails(*_: object) -> str:
        raise ZeroDivisionError("of all things")

    puzzle = Puzzle(FOUR, givens={0: 1})
    assert start_fuzz(["native:readable"]).look(puzzle, [fails]).complaints == ("ZeroDivisionError: of all things",)
    monkeypatch.setattr("sudoku_cp.compare.fuzzing.solve_by_brute_force", fails)
    assert start_fuzz(["native:readable"]).look(puzzle).wrong


def test_an_engine_may_refuse() -> None:
    """An engine has no verdict on a puzzle that it refuses."""

    class Refuses:
        name, takes = "refuses", frozenset({Clause})

        def open(self, model: Model) -> Session:
            raise Unsupported(f"expected another model than {model.board} cells")

    said = start_fuzz([Refuses(), "native:readable"]).look(Puzzle(FOUR, givens={0: 1}))
    assert [verdict.engine for verdict in said.verdicts] == ["native:readable", BY_HAND]


def test_somebody_must_be_asked() -> None:
    """An empty list of engines is refused, and a missing engine is reported before any work."""
    for engines in ([], ["nobody"]):
        with pytest.raises(InvalidInput):
            fuzz(1, SEED, engines)
