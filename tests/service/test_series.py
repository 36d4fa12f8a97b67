"""A series of questions is answered from what its earlier ones found, by any worker, and no longer than there is room for."""

from __future__ import annotations

import asyncio
import os

import httpx

from sudoku_cp.service import batching
from sudoku_cp.service.batching import SeriesMemory
from sudoku_cp.service.pool.supervised_pool import Pool
from sudoku_cp.service.pool.tasks import Answered, Task
from sudoku_cp.service.questions import LISTINGS, QUESTIONS
from sudoku_cp.service.questions.declared_run import DeclaredRun
from tests.service.http.running_server import running_server
from tests.service.http.stub_functions import sleep

PUZZLE = "1" + "." * 15
STRICTER = "1.......2......."


def candidates_and_process(body, control):
    """Answer the question, and say which process did."""
    return DeclaredRun("candidates")(body, control), os.getpid()


def test_another_worker_begins_with_what_the_first_found():
    """Equal questions of a series ask no engine, and stricter ones seldom; looser ones, and other series, begin anew."""

    async def run():
        pool, memory = Pool(2), SeriesMemory()
        await pool.start()
        end = asyncio.get_running_loop().time() + 60

        async def ask(puzzle, series="a"):
            task = memory.join(Task(candidates_and_process, ({"puzzle": puzzle},)), series)
            outcome = await pool.submit(task, deadline=end).outcome()
            assert isinstance(outcome, Answered), outcome
            return outcome.value

        found, first = await ask(PUZZLE)
        busy = pool.submit(Task(sleep, ({"seconds": 30},)), deadline=end)  # to the worker that was the last to be idle
        again, second = await ask(PUZZLE)
        stricter, _ = await ask(STRICTER)
        assert first != second
        assert found["calls"] > 0 == again["calls"]
        assert again["candidates"] == found["candidates"]
        alone, _ = await ask(STRICTER, "b")
        assert stricter["calls"] < alone["calls"]
        assert stricter["candidates"] == alone["candidates"]
        assert (await ask("." * 16))[0]["calls"] > 0
        busy.cancel()
        await pool.stop()

    asyncio.run(run())


def test_a_name_in_known_outlives_the_workers(tmp_path):
    """Over HTTP a question of a series, also one that is a job, is answered from earlier ones after every worker has died."""
    with (
        running_server(tmp_path, QUESTIONS, listings=LISTINGS) as server,
        httpx.Client(base_url=server.url, timeout=60) as client,
    ):

        def ask(**fields):
            response = client.post("/v1/candidates", json={"puzzle": PUZZLE} | fields)
            while response.status_code in {202, 409}:
                place = response.headers.get("Location", "") + "/result" if response.status_code == 202 else response.url
                response = client.get(place)
            return response.json()

        assert ask(known="mine")["calls"] > 0
        for process in server.service.pool.pids:
            os.kill(process, 9)
        assert ask(known="mine")["calls"] == 0
        assert ask(known="mine", job=True)["calls"] == 0
        assert ask(known="another")["calls"] > 0
        assert ask()["calls"] > 0


def test_what_is_remembered_has_bounds(monkeypatch):
    """A series keeps its newest answers, and the series not asked for longest is forgotten first."""
    monkeypatch.setattr(batching, "MOST_ANSWERS", 2)
    memory = SeriesMemory(most_bytes=30)

    def known(series):
        return memory.join(Task(print), series).known

    def learn(series, learnt):
        memory.join(Task(print), series).learn(Answered(None, learnt))

    for learnt in (b"a1", b"a2", b"a3"):
        learn("a", learnt)
    assert known("a") == (b"a3", b"a2")
    learn("b", b"b" * 20)
    assert known("a")  # which makes it the newest
    learn("c", b"c" * 10)
    assert (known("b"), memory.bytes) == ((), 14)
    learn("a", bytes(batching.MOST_SERIES_BYTES + 1))
    assert known("a") == (b"a3", b"a2")
