"""The trace of a search, and every value marked with its origin."""

from __future__ import annotations

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.backends.native.tiers import Native
from sudoku_cp.errors import InvalidInput, Unsupported, WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Origin, Puzzle
from sudoku_cp.queries import mark_origins, solutions, solve, solve_traced, statement_texts, trace
from sudoku_cp.rules import Houses, KillerCage

EMPTY = Puzzle(Grid.square(4))


@pytest.mark.parametrize("backend", ["native", "native:first"])
def test_a_trace_ends_with_the_solutions(backend: str, unique: Puzzle) -> None:
    """The tree of a search has the solutions that the engine finds, and knows whether it is complete."""
    tree = trace(unique, backend=backend, stop_after=None)
    assert tree.solutions == tuple(solutions(unique, backend=backend))
    assert tree.stopped is None
    assert trace(EMPTY, backend=backend, stop_after=5).stopped == "solutions"
    assert len(trace(EMPTY, backend=backend, stop_after=5).solutions) == 5
    assert len(trace(EMPTY, backend=backend, stop_after=None).solutions) == 288


def test_every_value_is_marked_with_where_it_came_from(unique: Puzzle) -> None:
    """Given cells are the puzzle's; a cell is guessed where the path to the solution guessed it; all others are forced."""
    tree = trace(unique)
    position = mark_origins(unique, tree)
    assert position.values == tree.solutions[0]
    guessed = {node.cell: node.value for node in tree.solution_path() if node.kind == "guessed"}
    assert guessed
    for cell, origin in enumerate(position.origins):
        expected = Origin.GIVEN if cell in unique.givens else Origin.GUESSED if cell in guessed else Origin.FORCED
        assert origin is expected
    assert all(position.values[cell] == value for cell, value in guessed.items() if cell is not None)


def test_a_puzzle_solved_by_deduction_has_no_guess() -> None:
    """Where every value follows, every value that is not given is forced."""
    puzzle = Puzzle.parse("123.34.22.434.21".ljust(16, "."))
    position = mark_origins(puzzle, trace(puzzle, stop_after=None))
    assert set(position.origins) == {Origin.GIVEN, Origin.FORCED}


def test_each_solution_has_its_own_marks(twofold: Puzzle) -> None:
    """Of two solutions, each is marked along its own path, with the same cell guessed."""
    tree = trace(twofold, stop_after=None)
    one, other = (mark_origins(twofold, tree, index) for index in (0, 1))
    assert (one.values, other.values) == tree.solutions
    assert one.values != other.values
    assert [origin.value for origin in one.origins if origin is Origin.GUESSED] == ["guessed"]
    assert one.origins == other.origins


@pytest.mark.parametrize("index", [-1, 1, 5])
def test_a_solution_that_is_not_in_the_tree_is_refused(unique: Puzzle, index: int) -> None:
    """Marks are those of a solution that was found."""
    with pytest.raises(InvalidInput, match=f"expected one of the 1 solutions in the tree, got the one of index {index}"):
        mark_origins(unique, trace(unique), index)


def test_no_solution_has_no_marks() -> None:
    """A tree without solutions cannot be marked, and the error says so."""
    puzzle = Puzzle(givens={0: 5, 1: 5})
    tree = trace(puzzle)
    assert (tree.solutions, tree.stopped) == ((), None)
    with pytest.raises(InvalidInput, match="expected one of the 0 solutions"):
        mark_origins(puzzle, tree)


@pytest.mark.parametrize("backend", ["sat", "cpsat"])
def test_engines_that_record_nothing_are_refused(backend: str, unique: Puzzle) -> None:
    """Only some engines can record their search; the message names one that can."""
    with pytest.raises(Unsupported, match=f"such as native; got {backend}"):
        trace(unique, backend=backend)


def test_a_wrong_solution_in_a_trace_is_never_shown() -> None:
    """Solutions in a tree are checked against the rules like any other."""

    class Liar(Native):
        def open(self, model):
            return super().open(EMPTY.model())

    puzzle = Puzzle(Grid.square(4), (Houses(), KillerCage((0, 1, 2), 9)))
    with pytest.raises(WrongAnswer, match="expected a solution of Puzzle"):
        trace(puzzle, backend=Liar())


def test_reasons_are_told_in_words(unique: Puzzle) -> None:
    """Every reason in a tree is the number of a statement, whose words name the part and the rule."""
    words = statement_texts(unique)
    assert words[0] == "row 1 (houses)"
    assert len(words) == 27
    reasons = {node.reason for node in trace(unique).nodes if node.kind == "forced"}
    assert reasons
    assert all(reason in range(len(words)) for reason in reasons)


@pytest.mark.parametrize(("limit", "status"), [(1, "solved"), (2, "unique"), (None, "unique")])
def test_a_traced_answer_is_the_answer(limit: int | None, status: str) -> None:
    """One search gives the tree and the same answer that the same tier gives without a record."""
    puzzle = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
    answer, tree = solve_traced(puzzle, solution_limit=limit)
    plain = solve(puzzle, backend="native:readable", solution_limit=limit)
    assert answer.status == plain.status == status
    assert (answer.solutions, answer.exact, answer.counters) == (plain.solutions, plain.exact, plain.counters)
    assert answer.solutions == tree.solutions


@pytest.mark.parametrize(("limits", "reason"), [(Limits(seconds=0), "deadline"), (Limits(nodes=3), "nodes")])
def test_a_traced_answer_that_ran_out_says_so(limits: Limits, reason: str) -> None:
    """A limit that ends the tree early makes the answer unknown, with its reason."""
    puzzle = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
    answer, tree = solve_traced(puzzle, limits=limits)
    assert (answer.status, answer.reason) == ("unknown", reason)
    assert tree.stopped == reason
