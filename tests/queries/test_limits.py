"""A query ends within its limits, and never answers no when it only ran out of them."""

from __future__ import annotations

from itertools import count as count_from
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import Cancellation, Clock, Limits
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, forget_models
from sudoku_cp.queries import check, count, is_unique, random_solution, solutions, solve, trace
from sudoku_cp.rules import Houses, SelfTaxicab, Skyscraper

if TYPE_CHECKING:
    from collections.abc import Callable

SOON_OR_LATER = (0.15, 1.0, 5.0, 25.0)
"""Seconds after which a count is stopped: a busy machine needs longer to find a few solutions."""
LOOK = 0.1
"""Seconds by which a look at the clock moves it, where a test is about who looks at it."""
BELATED = 10
"""Looks at the clock after the deadline, to say what was found: more would be work that goes on."""


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that moves only when it is read: code that never reads it never reaches the deadline, on any machine."""
    clock = count_from(0)
    monkeypatch.setattr("sudoku_cp.backends.base.time_without_loading", lambda: next(clock) * LOOK)
    monkeypatch.setattr(Limits, "started", lambda limits: Clock(limits, start=next(clock) * LOOK))


@pytest.fixture(params=["native", "sat", "cpsat", "fast:bigint", "fast:lanes"])
def engine(request: pytest.FixtureRequest) -> str:
    """Each of our engines; the puzzles here are plain grids."""
    name: str = request.param
    return name


def cancelled() -> Limits:
    """Return limits that are already cancelled."""
    cancel = Cancellation()
    cancel.cancel()
    return Limits(cancel=cancel)


OVER: dict[str, Callable[[], Limits]] = {"deadline": lambda: Limits(seconds=0), "cancelled": cancelled}


@pytest.mark.parametrize("reason", OVER)
def test_a_limit_before_the_first_solution_is_unknown(engine: str, unique: Puzzle, reason: str) -> None:
    """With nothing found and nothing proved, the status is unknown, with the reason."""
    for ask in (solve, count):
        answer = ask(unique, backend=engine, limits=OVER[reason]())
        assert (answer.status, answer.count, answer.exact, answer.reason) == ("unknown", 0, False, reason)
    checked = check(unique, backend=engine, limits=OVER[reason]())
    assert (checked.answer.status, checked.conflict, checked.differ) == ("unknown", None, ())


@pytest.mark.parametrize("reason", OVER)
def test_a_question_of_yes_or_no_raises_at_a_limit(engine: str, unique: Puzzle, reason: str) -> None:
    """Neither "not unique" nor an end of the solutions can be mistaken for a limit."""
    for ask in (is_unique, lambda puzzle, **options: list(solutions(puzzle, **options))):
        with pytest.raises(LimitReached) as caught:
            ask(unique, backend=engine, limits=OVER[reason]())
        assert caught.value.reason == reason


def test_a_limit_after_one_solution_is_unknown(scripted, board: Puzzle) -> None:
    """One solution and no proof that it is the only one is not unique."""
    grid = next(solutions(board))

    class Tired(scripted):
        def solutions(self, assume=None, *, limits=None):
            yield grid
            raise LimitReached("nodes")

    answer = solve(board, backend=Tired([]))
    assert (answer.status, answer.count, answer.exact, answer.reason) == ("unknown", 1, False, "nodes")
    assert answer.solution == grid
    assert solve(board, backend=Tired([]), solution_limit=1).status == "solved"
    with pytest.raises(LimitReached, match="stopped by nodes"):
        is_unique(board, backend=Tired([]))


def test_a_limit_after_two_solutions_leaves_them_multiple(scripted, board: Puzzle) -> None:
    """Two solutions found before a limit are still multiple; the count is not exact."""
    first, second, *_ = solutions(board)

    class Tired(scripted):
        def solutions(self, assume=None, *, limits=None):
            yield from (first, second)
            raise LimitReached("deadline")

    answer = count(board, backend=Tired([]))
    assert (answer.status, answer.count, answer.exact, answer.reason) == ("multiple", 2, False, "deadline")


def test_nodes_are_a_limit(engine: str) -> None:
    """The count of a board with too many solutions ends at a number of nodes, as each engine counts them."""
    answer = count(Puzzle(), backend=engine, limits=Limits(nodes=2))
    assert (answer.reason, answer.exact) == ("nodes", False)
    assert answer.status in {"unknown", "multiple"}
    assert answer.counters["nodes"] > 2


def test_no_nodes_are_no_answer(unique: Puzzle) -> None:
    """A search that may not begin knows nothing."""
    answer = solve(unique, backend="native", limits=Limits(nodes=0))
    assert (answer.status, answer.reason) == ("unknown", "nodes")


def test_a_long_count_can_be_cancelled_from_another_thread(engine: str) -> None:
    """A cancellation in the middle of an endless count takes effect at once, and what was counted is kept."""
    for seconds in SOON_OR_LATER:
        cancel = Cancellation()
        timer = Timer(seconds, cancel.cancel)
        timer.start()
        answer = count(Puzzle(), backend=engine, limits=Limits(cancel=cancel))
        timer.join()
        assert (answer.exact, answer.reason) == (False, "cancelled")
        if answer.count > 2:
            assert answer.status == "multiple"
            return
    pytest.fail(f"expected more than 2 solutions within {SOON_OR_LATER[-1]} s, got {answer.count}")


def test_a_long_count_ends_at_its_deadline(engine: str) -> None:
    """The deadline ends an endless count, not too early, and what was counted is kept."""
    for seconds in SOON_OR_LATER:
        answer = count(Puzzle(), backend=engine, limits=Limits(seconds=seconds))
        assert (answer.exact, answer.reason) == (False, "deadline")
        # CP-SAT stops early if it expects to check the clock too late the next time.
        assert engine.startswith("cpsat") or answer.seconds >= seconds
        if answer.count > 2:
            assert answer.status == "multiple"
            return
    pytest.fail(f"expected more than 2 solutions within {SOON_OR_LATER[-1]} s, got {answer.count}")


@pytest.mark.parametrize("side", [16, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seconds", [0.2, pytest.param(0.001, marks=pytest.mark.slow)])
def test_a_deadline_is_kept_on_a_large_board(engine: str, seconds: float, side: int) -> None:
    """A query on a large empty board ends at its deadline, even while the model is built."""
    answer = count(Puzzle(Grid.square(side)), backend=engine, limits=Limits(seconds=seconds))
    assert (answer.exact, answer.reason) == (False, "deadline")
    assert answer.status == ("unknown" if answer.count < 2 else "multiple")


def test_limits_hold_for_the_whole_of_a_check() -> None:
    """The search for clashing givens stays within the limits that the first query left."""
    puzzle = Puzzle.parse("..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..")
    found = check(puzzle, backend="native", limits=Limits(seconds=30))
    assert found.answer.status == "none"
    assert found.conflict is not None


def test_a_search_that_is_traced_ends_at_its_limits() -> None:
    """The tree of a stopped search is partial and has the reason."""
    tree = trace(Puzzle(), limits=Limits(nodes=30), stop_after=None)
    assert tree.stopped == "nodes"
    assert tree.solutions == ()
    assert len(tree.nodes) > 20
    assert trace(Puzzle(), limits=cancelled()).stopped == "cancelled"
    assert trace(Puzzle(), limits=Limits(seconds=0)).stopped == "deadline"


@pytest.mark.parametrize("reason", OVER)
def test_a_random_solution_ends_at_its_limits(engine: str, reason: str) -> None:
    """A limit before a whole grid is drawn gives no solution."""
    answer = random_solution(Puzzle(), seed=1, backend=engine, limits=OVER[reason]())
    assert (answer.status, answer.count, answer.exact, answer.reason) == ("unknown", 0, False, reason)


@pytest.mark.parametrize("fields", [{"seconds": -1}, {"seconds": float("nan")}, {"nodes": -1}], ids=str)
def test_limits_below_zero_are_refused(fields: dict[str, float]) -> None:
    """A limit is zero or more."""
    with pytest.raises(InvalidInput, match="or more, got"):
        Limits(**fields)  # type: ignore[arg-type]


def _found_when_cancelled_at(number: int, puzzle: Puzzle, engine: str) -> int:
    """Cancel once so many solutions are there; return how many came."""
    cancel = Cancellation()
    found = 0
    try:
        for _ in solutions(puzzle, backend=engine, limits=Limits(cancel=cancel)):
            found += 1
            if found == number:
                cancel.cancel()
    except LimitReached as stopped:
        if stopped.reason == "cancelled":
            return found
    pytest.fail(f"expected to be cancelled after {number} solutions, got {found} and another end")


@pytest.mark.parametrize("name", ["cpsat", "cpsat:alldifferent"])
def test_a_cancellation_ends_an_enumeration_that_forbids_each_grid(name: str) -> None:
    """Models whose enumeration could repeat a grid are solved again and again; a cancellation in between takes effect."""
    grid = Grid.square(6)
    puzzle = Puzzle(grid, (Houses(), Skyscraper(grid.lines[0], 2)))
    assert _found_when_cancelled_at(5, puzzle, name) == 5


@pytest.mark.parametrize("name", ["cpsat", "cpsat:alldifferent"])
def test_a_cancellation_is_heard_at_the_next_grid(name: str) -> None:
    """A fast enumeration ends at a cancellation."""
    assert _found_when_cancelled_at(200, Puzzle(), name) < 210


@pytest.mark.parametrize("engine", ["native", "sat", "cpsat"])
def test_node_limits_hold_for_all_steps_together(engine: str) -> None:
    """A query of many steps has one node budget, not one for each step."""
    answer = random_solution(Puzzle(), seed=1, backend=engine, limits=Limits(nodes=1))
    assert answer.status == "solved" or answer.reason == "nodes"
    if engine == "native":
        assert answer.reason == "nodes"


@pytest.mark.parametrize("engine", ["native", "sat", "cpsat"])
def test_preparing_a_large_model_heeds_the_deadline(engine: str) -> None:
    """The automata of 72 skyscrapers on 36x36 take seconds to unroll in Python; a short deadline does not wait for them."""
    grid = Grid.square(36)
    puzzle = Puzzle(grid, (Houses(), *(Skyscraper(line, 9) for line in grid.lines)))
    puzzle.model()
    answer = solve(puzzle, backend=engine, limits=Limits(seconds=0.5))
    # A compiled engine finishes them: the highest value has no place in the first column.
    assert (answer.status, answer.reason) in {("unknown", "deadline"), ("none", None)}


@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("engine", ["auto", "native", "sat", "cpsat"])
def test_translating_the_rules_heeds_the_deadline(engine: str) -> None:
    """A rule of 700,000 clauses on 36x36 takes seconds to translate; the limit comes first, and is the reason."""
    puzzle = Puzzle(Grid.square(36), (Houses(), SelfTaxicab()))
    for ask in (solve, count, random_solution):
        answer = ask(puzzle, backend=engine, limits=Limits(seconds=0.2))
        assert (answer.status, answer.reason) == ("unknown", "deadline")
        assert answer.seconds < 0.2 + BELATED * LOOK


def test_translating_the_rules_can_be_cancelled() -> None:
    """A cancellation stops the translation, and the next query still translates them."""
    cancel = Cancellation()
    cancel.cancel()
    puzzle = Puzzle(Grid.square(6), (Houses(), SelfTaxicab()))
    forget_models()
    assert solve(puzzle, limits=Limits(cancel=cancel)).reason == "cancelled"
    assert solve(puzzle, solution_limit=1).status == "solved"
