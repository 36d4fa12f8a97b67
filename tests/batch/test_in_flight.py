"""Chunks come back in order, and none is lost with its worker."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Future

import pytest

from sudoku_cp.batch import worker_pool
from sudoku_cp.batch.rows.record_chunks import ChunkEntry, RecordList
from sudoku_cp.batch.solve_request import SolvedChunk, SolveRequest
from sudoku_cp.batch.solve_run import SolveTask
from sudoku_cp.batch.worker_pool import CHUNKS_PER_WORKER, InFlightWindow
from sudoku_cp.formats import Record
from sudoku_cp.puzzle import Puzzle


@pytest.fixture(autouse=True)
def short_ticks(monkeypatch) -> None:
    """Shorten the wait for workers that only answer at the next poll."""
    monkeypatch.setattr(worker_pool, "TICK", 0.001)


class LostError(Exception):
    """A worker was lost."""


class FakePool:
    """Workers that die at certain records a given number of times, with everything in flight. They answer when waited for."""

    workers = 2

    def __init__(self, deadly: dict[int, int]) -> None:
        """``deadly`` maps records to how often they kill."""
        self.deadly = deadly
        self.most = 0
        self.restarts = 0
        self._under_way: list[tuple[RecordList, Future]] = []

    def chunk_size(self, chunk) -> int:
        """Four records at a time."""
        return 4

    def submit(self, chunk) -> Future:
        """Accept a chunk, and die if it is deadly."""
        future: Future = Future()
        self._under_way.append((chunk, future))
        self.most = max(self.most, len(self._under_way))
        hit = [index for index in range(chunk.first, chunk.first + len(chunk)) if self.deadly.get(index)]
        if hit:
            self.deadly[hit[0]] -= 1
            for _, other in self._under_way:
                other.set_exception(LostError())
            self._under_way.clear()
        elif len(self._under_way) > 3:
            self._answer(*self._under_way.pop(0))
        return future

    def _answer(self, chunk, future) -> None:
        body = "".join(f"{chunk.first + index} " for index in range(len(chunk)))
        future.set_result(SolvedChunk(body.encode(), len(chunk), Counter()))

    def tick(self) -> None:
        """Answer everything."""
        while self._under_way:
            self._answer(*self._under_way.pop(0))

    def is_worker_loss(self, error) -> bool:
        """Recognise our own error."""
        return isinstance(error, LostError)

    def restart(self) -> None:
        """Count the restarts."""
        self.restarts += 1

    def close(self, *, at_once: bool) -> None:
        """Do nothing."""


def chunks(number: int):
    """Yield chunks of ten records."""
    for first in range(0, number, 10):
        held = tuple(ChunkEntry(Record(Puzzle(), None, first + index + 1)) for index in range(10))
        yield RecordList(held, first)


@pytest.mark.parametrize(
    "deadly",
    [{}, {0: 1}, {57: 1}, {57: 3}, {3: 1, 57: 2, 99: 1}, {20: 99}, {20: 99, 23: 99, 24: 99}, dict.fromkeys(range(8, 16), 99)],
)
def test_every_record_is_answered_once_and_in_order(deadly) -> None:
    """However often workers are lost, the answers are complete and in order; an item that always kills is reported as such."""
    pool = FakePool(dict(deadly))
    results = list(InFlightWindow(chunks(100), pool, SolveTask(SolveRequest(kind="text")), pool.tick).completed_in_order())
    firsts = [chunk.first for chunk, _ in results]
    assert firsts == [sum(len(chunk) for chunk, _ in results[:index]) for index in range(len(results))]
    assert sum(done.records for _, done in results) == 100
    given_up = [failed.index for _, done in results for failed in done.failed]
    assert given_up == [index for index, times in deadly.items() if times == 99]
    assert all(str(number) in b" ".join(done.body for _, done in results).decode() for number in range(100))


def test_only_so_many_are_under_way() -> None:
    """However long the input, only a few chunks for each worker are in flight."""
    pool = FakePool({})
    assert sum(1 for _ in InFlightWindow(chunks(1_000), pool, SolveTask(SolveRequest()), pool.tick).completed_in_order()) > 250
    assert pool.most <= 1 + CHUNKS_PER_WORKER * pool.workers


def test_other_errors_are_not_hidden() -> None:
    """An error in the task itself ends the run without a retry."""

    class Wrong(FakePool):
        def submit(self, chunk) -> Future:
            """Fail."""
            future: Future = Future()
            future.set_exception(RuntimeError("wrong"))
            return future

    with pytest.raises(RuntimeError, match="wrong"):
        list(InFlightWindow(chunks(20), Wrong({}), SolveTask(SolveRequest()), lambda: None).completed_in_order())
