"""True candidates: exactly what occurs in some solution, with counts, streamed, and never searched for twice."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import Cancellation, Limits, new_backend, sat
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.errors import InvalidInput, WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import CandidateMemory, true_candidate_stream, true_candidates
from sudoku_cp.rules import RULES, Thermometer

if TYPE_CHECKING:
    from sudoku_cp.queries import TrueCandidates

GRID = Grid.square(4)
GRIDS = sorted(small_board().solutions)
ENGINES = ["sat", "sat:cadical153", "sat:cadical103", "fast:lanes", "fast:bigint", "native", "auto"]
SPARSE = Puzzle.parse("8.............8.12...3.59...............5.....1.....57.......89.9.7.....62...91..")
"""A puzzle with 319 true candidates."""

puzzles = st.builds(
    lambda grid, cells, domains: Puzzle(GRID, givens={cell: GRIDS[grid][cell] for cell in cells}, candidates=domains),
    st.integers(0, len(GRIDS) - 1),
    st.sets(st.integers(0, 15), max_size=6),
    st.dictionaries(st.integers(0, 15), st.integers(1, 15).map(lambda bits: bits << 1), max_size=3),
)


def solutions_of(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Return all solutions of a 4x4 puzzle that has houses, by trying each grid."""
    return [grid for grid in GRIDS if puzzle.holds(grid)]


def expect_truth(found: TrueCandidates) -> None:
    """Require that an answer says of each candidate exactly what the solutions do."""
    solutions = solutions_of(found.puzzle)
    assert found.complete
    assert found.reason is None
    assert not any(found.undecided)
    assert found.status == ("none" if not solutions else "unique" if len(solutions) == 1 else "multiple")
    for cell in GRID.cells:
        for value in GRID.values:
            number = sum(solution[cell] == value for solution in solutions)
            assert found.count(cell, value) == min(number, found.cap)
            assert found.exact(cell, value) == (number < found.cap)
            assert (found.possible[cell] >> value & 1, found.impossible[cell] >> value & 1) == (number > 0, number == 0)
    backbone = {cell: values.pop() for cell, values in enumerate(map(set, zip(*solutions, strict=True))) if len(values) == 1}
    assert found.forced == backbone
    assert set(found.solutions) <= set(solutions)


@pytest.mark.parametrize("engine", ENGINES)
@given(puzzle=puzzles, cap=st.sampled_from([1, 2, 3, 7, 500]))
@settings(max_examples=15)
def test_every_engine_finds_what_the_solutions_have(engine: str, puzzle: Puzzle, cap: int) -> None:
    """Candidates, counts up to any cap, forced cells and the status are those of all solutions, whichever engine is used."""
    expect_truth(true_candidates(puzzle, cap=cap, backend=engine))


@given(puzzle=puzzles, cap=st.sampled_from([1, 3]))
@settings(max_examples=15)
def test_large_boards_have_a_formula_for_each_question(puzzle: Puzzle, cap: int) -> None:
    """The formula of the live candidates alone, as for large boards, gives the same answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "INCREMENTAL", 0)
        expect_truth(true_candidates(puzzle, cap=cap, backend=new_backend("sat")))


def test_lanes_leave_what_is_hard_to_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the lanes do not find quickly is found by an engine that learns, and counted once."""
    puzzle = Puzzle(GRID, givens={0: 1, 5: 2})
    assert true_candidates(puzzle, expected_count=1000).backend == "fast:lanes"
    monkeypatch.setattr("sudoku_cp.queries.candidate_queries.CANDIDATE_BUDGET", 1)
    for cap in (1, 5):
        found = true_candidates(puzzle, cap=cap, expected_count=1000)
        assert found.backend == "sat"
        expect_truth(found)


@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_rule_has_its_candidates(kind: str) -> None:
    """The same holds under each rule that there is for a 4x4 grid."""
    try:
        rule = RULES[kind].example(GRID)
        puzzle = Puzzle(GRID, (*CLASSIC, rule))
    except InvalidInput:
        pytest.skip("the rule is not for such a grid")
    expect_truth(true_candidates(puzzle, cap=2))


@pytest.mark.parametrize("engine", ["sat", "fast:lanes", "native"])
@pytest.mark.parametrize("cap", [1, 4])
def test_answers_only_grow(engine: str, cap: int) -> None:
    """In a stream what is possible, impossible or settled remains so, counts grow, and the last answer is the whole one."""
    puzzle = Puzzle(GRID, givens={0: 1, 5: 2}, candidates={3: 0b11000})
    answers = list(true_candidate_stream(puzzle, cap=cap, backend=engine))
    assert len(answers) >= 2
    for before, after in pairwise(answers):
        for cell in GRID.cells:
            assert not before.possible[cell] & ~after.possible[cell]
            assert not before.impossible[cell] & ~after.impossible[cell]
            assert not before.settled[cell] & ~after.settled[cell]
            assert all(after.count(cell, value) >= number for value, number in before.counts[cell].items())
        assert not before.complete
        assert (before.calls, before.seconds) <= (after.calls, after.seconds)
    expect_truth(answers[-1])


def test_reports_are_answers_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports hold what is known so far, and are never the final answer."""
    monkeypatch.setattr("sudoku_cp.queries.candidate_queries.PAUSE", 0.0)
    reports: list[TrueCandidates] = []
    found = true_candidates(SPARSE, backend="sat", report=reports.append)
    assert len(reports) > 10
    assert not any(report.complete for report in reports)
    assert all(not part & ~whole for part, whole in zip(reports[-1].possible, found.possible, strict=True))


# --- limits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["sat", "native", "fast:lanes", "fast:bigint"])
def test_a_limit_leaves_what_is_known(engine: str) -> None:
    """A cancellation midway is the reason; what was found is true, the rest is undecided, not impossible."""
    whole = true_candidates(SPARSE)
    cancel = Cancellation()
    answers = []
    for answer in true_candidate_stream(SPARSE, backend=engine, limits=Limits(cancel=cancel)):
        answers.append(answer)
        if any(answer.possible):
            cancel.cancel()
    found = answers[-1]
    assert found.reason == "cancelled"
    assert not found.complete
    assert any(found.possible)
    assert any(found.undecided)
    for cell in SPARSE.grid.cells:
        assert not found.possible[cell] & ~whole.possible[cell]
        assert not found.impossible[cell] & ~whole.impossible[cell]


def test_limits_before_anything_is_known() -> None:
    """Without time or nodes, only the givens are settled, and the status is unknown."""
    for limits, reason in ((Limits(seconds=0), "deadline"), (Limits(nodes=0), "nodes")):
        found = true_candidates(
            Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"), limits=limits
        )
        assert (found.status, found.reason, found.forced) == ("unknown", reason, {})
        assert not any(found.possible)


# --- reuse ------------------------------------------------------------------------------------------------------


@given(puzzle=puzzles, cells=st.sets(st.integers(0, 15), max_size=2), cap=st.sampled_from([1, 4]), number=st.integers(0, 287))
@settings(max_examples=15)
def test_what_is_known_changes_no_answer(puzzle: Puzzle, cells: set[int], cap: int, number: int) -> None:
    """With more givens, the answer is the same whether an earlier one is passed or not."""
    before = true_candidates(puzzle, cap=cap, backend="sat")
    grids = solutions_of(puzzle) or GRIDS
    more = puzzle.with_givens({**{cell: grids[number % len(grids)][cell] for cell in cells}, **puzzle.givens})
    assert before.covers(more)
    expect_truth(true_candidates(more, cap=cap, backend="sat", known=before))


def test_known_solutions_are_counted_once() -> None:
    """Solutions that are known already count, and are not counted again when they could be found again."""
    known = true_candidates(Puzzle(GRID, givens={0: 2}), cap=6, backend="sat")
    for cell in range(1, 16, 2):
        for value in GRID.values:
            expect_truth(true_candidates(Puzzle(GRID, givens={0: 2, cell: value}), cap=6, backend="sat", known=known))


def test_what_is_known_is_not_asked_again() -> None:
    """Adding digits costs calls only for what is new, and none for the same puzzle again or a forced cell."""
    memory = CandidateMemory()
    first = memory.ask(SPARSE, backend="sat")
    assert memory.ask(SPARSE, backend="sat").calls == 0
    forced = next(cell for cell in first.forced if cell not in SPARSE.givens)
    same = memory.ask(SPARSE.with_givens({**SPARSE.givens, forced: first.forced[forced]}), backend="sat")
    assert (same.calls, same.possible) == (0, first.possible)
    open_ = [pair for solution in first.solutions for pair in enumerate(solution) if pair[0] not in first.forced]
    cell, value = max(sorted(set(open_)), key=open_.count)
    more = SPARSE.with_givens({**SPARSE.givens, cell: value})
    anew, again = true_candidates(more, backend="sat"), memory.ask(more, backend="sat")
    assert (again.possible, again.impossible) == (anew.possible, anew.impossible)
    assert again.calls < anew.calls
    counted = true_candidates(SPARSE, cap=3, backend="sat")
    assert true_candidates(SPARSE, cap=3, backend="sat", known=counted).calls == 0


@pytest.mark.parametrize("size", [-1, 10**30])
def test_a_memory_keeps_a_number_of_answers(size: int) -> None:
    """A negative size is refused by the name of the parameter, and so is one that is too large."""
    with pytest.raises(InvalidInput, match=f"^CandidateMemory, size: expected 0 to 1,000,000 answers, got {size}$"):
        CandidateMemory(size)
    assert CandidateMemory(0).ask(Puzzle(Grid.square(4))).complete


def test_a_further_rule_is_a_restriction_too() -> None:
    """What is known without a rule serves the puzzle with it, and not the other way round."""
    free = Puzzle(GRID)
    bound = Puzzle(GRID, (*CLASSIC, Thermometer((0, 1, 2, 3))))
    known = true_candidates(free)
    expect_truth(true_candidates(bound, known=known))
    with pytest.raises(InvalidInput, match="fewer restrictions"):
        true_candidates(free, known=true_candidates(bound))


def test_only_an_answer_to_a_wider_puzzle_is_taken() -> None:
    """Another grid, fewer givens or other candidates are refused."""
    known = true_candidates(Puzzle(GRID, givens={0: 1}, candidates={1: 0b1100}))
    for other in (Puzzle(), Puzzle(GRID), Puzzle(GRID, givens={0: 2}), Puzzle(GRID, givens={0: 1}, candidates={1: 0b11100})):
        assert not known.covers(other)
        with pytest.raises(InvalidInput, match="fewer restrictions"):
            true_candidates(other, known=known)
    assert known.covers(Puzzle(GRID, givens={0: 1, 1: 3}))


# --- trust ------------------------------------------------------------------------------------------------------


def test_wrong_engines_are_found_out(scripted) -> None:
    """A grid that breaks a rule is never counted, nor is one with a candidate already found impossible."""
    with pytest.raises(WrongAnswer):
        true_candidates(Puzzle(GRID), backend=scripted([(1,) * 16]))
    with pytest.raises(WrongAnswer, match="expected a whole number for each of 16 cells"):
        true_candidates(Puzzle(GRID), backend=scripted([(1, 2, 3)]))
    known = true_candidates(Puzzle(GRID, givens={0: 1}))
    nothing = replace(known, possible=(0b10, *(0,) * 15), settled=(0b11110, 0b11110, *(0,) * 14), solutions=())
    with pytest.raises(WrongAnswer, match=r"expected no \d in r1c2"):
        true_candidates(known.puzzle, backend=scripted([known.solutions[0]]), known=nothing)


def test_a_cap_is_a_number_of_solutions() -> None:
    """A cap below 1 is refused."""
    with pytest.raises(InvalidInput, match="cap of 1"):
        true_candidates(SPARSE, cap=0)
