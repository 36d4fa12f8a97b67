"""Partial answers together are the whole answer, and none has more solutions than allowed."""

from __future__ import annotations

from itertools import islice

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve, solve_stream

EMPTY = Puzzle.parse("." * 16)
"""It has 288 solutions."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", ["auto", "native", "sat", "cpsat"])
@pytest.mark.parametrize("limit", [None, 1, 2, 100, 288])
@pytest.mark.parametrize("most", [1, 100, 1000])
def test_the_parts_are_the_whole(backend: str, limit: int | None, most: int) -> None:
    """Together they have each solution once, and the last has the status of all."""
    *parts, last = solve_stream(EMPTY, backend=backend, solution_limit=limit, most=most)
    whole = solve(EMPTY, backend=backend, solution_limit=limit)
    found = [solution for part in [*parts, last] for solution in part.solutions]
    assert len(found) == len(set(found)) == last.count == whole.count
    assert (
        (last.status, last.exact, last.partial)
        == (whole.status, whole.exact, whole.partial)
        == (whole.status, whole.exact, False)
    )
    for part in parts:
        assert part.partial
        assert not part.exact
        assert part.status == "multiple"
        assert len(part.solutions) <= max(most, 2)
    counts = [part.count for part in parts]
    assert counts == sorted(set(counts))


def test_parts_come_while_the_search_goes_on() -> None:
    """The first parts of 6,670,903,752,021,072,936,960 solutions are there at once."""
    parts = list(islice(solve_stream(Puzzle.parse("." * 81), most=10), 3))
    assert [part.count for part in parts] == [10, 20, 30]


def test_a_slow_search_is_heard_of() -> None:
    """If solutions come slowly, each part has as many as were found when the pause ends."""
    parts = list(islice(solve_stream(EMPTY, pause=0), 5))
    assert [part.count for part in parts] == [2, 3, 4, 5, 6]


def test_a_limit_ends_the_last_part() -> None:
    """What was found before a limit is yielded, and the last part has the limit as its reason."""
    *parts, last = solve_stream(Puzzle.parse("." * 81), limits=Limits(nodes=2000), most=5)
    assert parts
    assert last.reason == "nodes"
    assert not last.partial
    assert last.count == sum(len(part.solutions) for part in [*parts, last])


def test_no_solution_is_no_limit() -> None:
    """A limit of no solutions is refused before any search."""
    with pytest.raises(InvalidInput, match="1 solution or more"):
        next(solve_stream(EMPTY, solution_limit=0))
