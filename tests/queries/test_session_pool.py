"""Sessions are lent to one query at a time and reused, however the query ended."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from threading import Barrier

import pytest

from sudoku_cp.backends import Limits, backend
from sudoku_cp.errors import LimitReached, WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import count, session_of, solution_search, solutions, solve
from sudoku_cp.rules import Diagonals, Houses, KillerCage

EMPTY = Puzzle(Grid.square(4))
GRID = tuple(map(int, "1234341221434321"))


def test_a_session_is_used_again(scripted) -> None:
    """Rules are translated for an engine once, for all puzzles and queries with these rules."""
    engine = scripted([GRID])
    for puzzle in (EMPTY, Puzzle.parse("1" + "." * 15), EMPTY):
        assert solve(puzzle, backend=engine).status == "unique"
        assert list(solutions(puzzle, backend=engine)) == [GRID]
    assert engine.opened == 1
    solve(Puzzle(Grid.square(4), rules=(Houses(), Diagonals(up=False, down=False))), backend=engine)
    assert engine.opened == 2


def test_nobody_else_has_a_session_that_is_lent(scripted) -> None:
    """Two simultaneous queries have a session each; later ones reuse both."""
    engine = scripted([GRID])
    model = EMPTY.model()
    with session_of(engine, model), session_of(engine, model):
        assert engine.opened == 2
    with session_of(engine, model), session_of(engine, model):
        assert engine.opened == 2


def test_two_questions_may_be_open_at_a_time(engine: str) -> None:
    """Interleaved enumerations under the same rules do not mix."""
    one, other = (solutions(Puzzle.parse(f"{value}" + "." * 15), backend=engine) for value in (1, 2))
    pairs = list(zip(one, other, strict=True))
    assert len(pairs) == len(set(pairs)) == 72
    assert {(first[0], second[0]) for first, second in pairs} == {(1, 2)}


def test_a_question_given_up_leaves_the_session_healthy(engine: str) -> None:
    """Whether it is closed, garbage-collected or cut short by a limit, the next query gets a full answer."""
    closed = solutions(EMPTY, backend=engine)
    next(closed)
    closed.close()  # type: ignore[attr-defined]
    forgotten = solutions(EMPTY, backend=engine)
    assert len(list(islice(forgotten, 3))) == 3
    del forgotten
    with pytest.raises(LimitReached):
        list(solutions(EMPTY, backend=engine, limits=Limits(seconds=0)))
    assert solve(EMPTY, backend=engine, solution_limit=2).count == 2
    assert count(EMPTY, backend=engine).count == 288


def test_a_question_given_up_gives_the_session_back(scripted) -> None:
    """Closing, garbage collection and limits all return the session to the pool."""
    engine = scripted([GRID])
    for _ in range(3):
        found = solutions(EMPTY, backend=engine)
        next(found)
        found.close()
        next(solutions(EMPTY, backend=engine))
        with pytest.raises(LimitReached), session_of(engine, EMPTY.model()):
            raise LimitReached("nodes")
    assert engine.opened == 1


@pytest.mark.parametrize("error", [WrongAnswer, RuntimeError, KeyboardInterrupt])
def test_a_session_in_which_something_went_wrong_is_not_used_again(scripted, error: type[BaseException]) -> None:
    """After an error, the state of a session is unknown, so it is dropped."""
    engine = scripted([GRID])
    for number in (1, 2, 3):
        with pytest.raises(error), session_of(engine, EMPTY.model()):
            raise error("wrong")
        assert engine.opened == number


def test_a_liar_is_asked_afresh(scripted) -> None:
    """After a wrong answer, the session is dropped, not the engine."""
    engine = scripted([(1,) * 16])
    with pytest.raises(WrongAnswer):
        solve(EMPTY, backend=engine)
    engine.answers = [GRID]
    assert solve(EMPTY, backend=engine).status == "unique"
    assert engine.opened == 2


def test_only_so_many_rule_sets_are_kept(scripted) -> None:
    """The pool drops the least recently used pair of engine and model."""
    engines = [scripted([GRID]) for _ in range(solution_search.KEPT + 1)]
    for engine in engines:
        solve(EMPTY, backend=engine)
    assert len(solution_search._idle) == solution_search.KEPT
    solve(EMPTY, backend=engines[-1])
    solve(EMPTY, backend=engines[0])
    assert [engines[-1].opened, engines[0].opened] == [1, 2]


@pytest.mark.parametrize("name", ["native", "sat", "cpsat"])
def test_threads_may_ask_at_the_same_time(name: str) -> None:
    """Queries from several threads at once, under the same and different rules, are all answered correctly."""
    grid = Grid.square(4)
    whole = list(solutions(EMPTY))
    puzzles = [
        Puzzle(grid, rules, {cell: value})
        for rules in ((Houses(),), (Houses(), KillerCage((0, 1), 5)))
        for cell in (0, 6, 15)
        for value in grid.values
    ]
    expected = [{solution for solution in whole if puzzle.holds(solution)} for puzzle in puzzles]
    assert len({len(solutions) for solutions in expected}) > 1
    ready = Barrier(6)

    def ask(offset: int) -> bool:
        ready.wait(timeout=30)
        order = [(number + 4 * offset) % len(puzzles) for number in range(len(puzzles) // 2)]  # each is asked by three
        return all(set(solutions(puzzles[one], backend=backend(name))) == expected[one] for one in order)

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(ask, range(6)))
