"""Pieces come back in order, and none is lost with those who should have answered it."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from sudoku_cp.batch.execution.in_flight import Flights
from sudoku_cp.batch.execution.worker_pool import AHEAD
from sudoku_cp.batch.rows.record_chunks import Entry, Records
from sudoku_cp.batch.solve_request import Done, Tally, Task
from sudoku_cp.batch.solve_task import Solving
from sudoku_cp.formats import Record
from sudoku_cp.puzzle import Puzzle


class LostError(Exception):
    """A worker is gone."""


class Crew:
    """Workers that die at certain records so many times; what is under way dies with them. They answer when somebody waits."""

    workers = 2

    def __init__(self, deadly: dict[int, int]) -> None:
        """``deadly`` maps records to how often they kill."""
        self.deadly = deadly
        self.most = 0
        self.restarts = 0
        self._under_way: list[tuple[Records, Future]] = []

    def portion(self, piece) -> int:
        """Four records at a time."""
        return 4

    def submit(self, piece) -> Future:
        """Take a piece, and die if it is deadly."""
        future: Future = Future()
        self._under_way.append((piece, future))
        self.most = max(self.most, len(self._under_way))
        hit = [index for index in range(piece.first, piece.first + len(piece)) if self.deadly.get(index)]
        if hit:
            self.deadly[hit[0]] -= 1
            for _, other in self._under_way:
                other.set_exception(LostError())
            self._under_way.clear()
        elif len(self._under_way) > 3:
            self._answer(*self._under_way.pop(0))
        return future

    def _answer(self, piece, future) -> None:
        body = "".join(f"{piece.first + index} " for index in range(len(piece)))
        future.set_result(Done(body.encode(), len(piece), Tally()))

    def tick(self) -> None:
        """Answer everything."""
        while self._under_way:
            self._answer(*self._under_way.pop(0))

    def is_lost(self, error) -> bool:
        """Know our own error."""
        return isinstance(error, LostError)

    def restart(self) -> None:
        """Count."""
        self.restarts += 1

    def close(self, *, at_once: bool) -> None:
        """Do nothing."""


def pieces(number: int):
    """Yield pieces of ten records."""
    for first in range(0, number, 10):
        held = tuple(Entry(Record(Puzzle(), None, first + index + 1)) for index in range(10))
        yield Records(held, first)


@pytest.mark.parametrize(
    "deadly",
    [{}, {0: 1}, {57: 1}, {57: 3}, {3: 1, 57: 2, 99: 1}, {20: 99}, {20: 99, 23: 99, 24: 99}, dict.fromkeys(range(8, 16), 99)],
)
def test_every_record_is_answered_once_and_in_order(deadly) -> None:
    """Whatever loses its workers, and how often, the answers are whole and in order; what is deadly for ever is told as such."""
    crew = Crew(dict(deadly))
    landed = list(Flights(pieces(100), crew, Solving(Task(kind="text")), crew.tick).landed())
    firsts = [piece.first for piece, _ in landed]
    assert firsts == [sum(len(piece) for piece, _ in landed[:index]) for index in range(len(landed))]
    assert sum(done.number for _, done in landed) == 100
    given_up = [trouble.index for _, done in landed for trouble in done.troubles]
    assert given_up == [index for index, times in deadly.items() if times == 99]
    assert all(str(number) in b" ".join(done.body for _, done in landed).decode() for number in range(100))


def test_only_so_many_are_under_way() -> None:
    """However long the input, only a few pieces a worker are held."""
    crew = Crew({})
    assert sum(1 for _ in Flights(pieces(10_000), crew, Solving(Task()), crew.tick).landed()) > 2500
    assert crew.most <= 1 + AHEAD * crew.workers


def test_other_errors_are_not_hidden() -> None:
    """An error of the work itself ends the run; nobody tries it again."""

    class Wrong(Crew):
        def submit(self, piece) -> Future:
            """Fail."""
            future: Future = Future()
            future.set_exception(RuntimeError("wrong"))
            return future

    with pytest.raises(RuntimeError, match="wrong"):
        list(Flights(pieces(20), Wrong({}), Solving(Task()), lambda: None).landed())
