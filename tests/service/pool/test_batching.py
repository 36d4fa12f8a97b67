"""Plain grids that wait together are solved together, and nobody is worse off for it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys

import pytest
import worker_functions

from sudoku_cp.cli import main
from sudoku_cp.service.batching import SolveBatcher, is_plain_grid
from sudoku_cp.service.pool.tasks import Answered, QueueFull, Stopped

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NONE = "11" + "." * 79
SEVERAL = "." * 81
PRELOAD = ["worker_functions", "sudoku_cp.service.questions.plain_grids:warm_up"]
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def after(seconds):
    """Return a deadline."""
    return asyncio.get_running_loop().time() + seconds


def decoded(outcome):
    """Return the object of an answer."""
    return json.loads(outcome.value.content)


@pytest.mark.parametrize(
    ("text", "plain"),
    [(EASY, True), (EASY.replace(".", "0"), True), (EASY[1:], False), (EASY + "\n", False), ("x" * 81, False), ("٣" * 81, False)],
)
def test_plain_grids_are_known_by_their_text(text, plain):
    """81 digits and dots, and nothing that a reader of formats would have to understand."""
    assert is_plain_grid(text) is plain


@pytest.mark.parametrize("grid", [EASY, EASY.replace(".", "0"), NONE])
def test_an_answer_is_the_object_of_the_command_line(bench, grid, monkeypatch, capsys):
    """It differs in the seconds only from what the command line prints for the same engine."""

    async def ask():
        return await SolveBatcher(bench.pool, worker_functions.solve_alone).submit(grid, deadline=after(200)).outcome()

    monkeypatch.setattr(sys, "argv", ["sudoku-cp", "solve", "--json", "--backend", "fast:lanes", grid])
    with pytest.raises(SystemExit):
        main()
    printed = json.loads(capsys.readouterr().out)
    del printed["index"], printed["seconds"]
    answer = decoded(bench.run(ask()))
    del answer["seconds"]
    assert answer == printed


def test_those_that_wait_go_together_and_the_first_at_once(make_bench):
    """While a batch is away the others gather; those that need another engine are asked alone."""

    async def ask_all(bench):
        batcher = SolveBatcher(bench.pool, worker_functions.solve_alone)
        running = [batcher.submit(grid, deadline=after(200)) for grid in [EASY, *[EASY, NONE] * 150, SEVERAL]]
        assert [one.started for one in running] == [True] + [False] * 301
        return batcher, [decoded(await one.outcome()) for one in running]

    with make_bench(preload=PRELOAD, workers=1) as bench:
        batcher, answers = bench.run(ask_all(bench))
    assert answers[0]["solutions"] == [SOLVED]
    assert [answer["status"] for answer in answers[1:-1]] == ["unique", "none"] * 150
    assert answers[-1] == {"asked alone": SEVERAL}
    assert (batcher.grids, batcher.batches, batcher.alone, batcher.waiting) == (302, 3, 1, 0)


def test_members_leave_without_the_others(make_bench):
    """Each has its own deadline and its own cancellation; a batch that everybody has left is cancelled."""

    async def leave(bench):
        batcher = SolveBatcher(bench.pool, worker_functions.solve_alone)
        nap = bench.submit("nap", 200)
        first, *others = [batcher.submit(EASY, deadline=after(seconds)) for seconds in (200, 200, 0.1, 200)]
        others[0].cancel()
        assert await others[0].outcome() == Stopped("cancelled")
        assert await others[1].outcome() == Stopped("deadline")
        assert not nap.done
        first.cancel()
        assert bench.pool.statistics.waiting == 0
        nap.cancel()
        return await others[2].outcome()

    with make_bench(preload=PRELOAD, workers=1) as bench:
        assert decoded(bench.run(leave(bench)))["solutions"] == [SOLVED]


def test_a_full_pool_rejects_who_comes_first_and_keeps_who_waits(make_bench):
    """Nothing is taken that the pool does not take; what was taken is offered again."""

    async def fill(bench):
        batcher = SolveBatcher(bench.pool, worker_functions.solve_alone)
        bench.submit("nap", 0.1)
        waiting = bench.submit("echo", 1)
        with pytest.raises(QueueFull):
            batcher.submit(EASY, deadline=after(200))
        await waiting.outcome()
        first, second = (batcher.submit(EASY, deadline=after(200)) for _ in range(2))
        await first.outcome()
        bench.submit("nap", 0.2)
        return await second.outcome()

    with make_bench(preload=PRELOAD, workers=1, queue=1) as bench:
        assert decoded(bench.run(fill(bench)))["solutions"] == [SOLVED]


@pytest.mark.parametrize("number", [200, pytest.param(5000, marks=pytest.mark.slow)])
def test_each_grid_is_answered_once_while_workers_are_killed(make_bench, number):
    """Whoever was in a batch that was lost is asked again alone: only those asked alone can be lost with their worker."""

    async def kill_at_random(bench, choose, outcomes):
        killed = 0
        while True:
            await asyncio.sleep(0.02)
            if bench.pool.pids and killed <= len(outcomes) / 3:
                os.kill(choose.choice(bench.pool.pids), signal.SIGKILL)
                killed += 1

    async def ask_all(bench):
        outcomes = []
        killer = asyncio.create_task(kill_at_random(bench, random.Random(3), outcomes))  # noqa: S311
        batcher = SolveBatcher(bench.pool, worker_functions.solve_alone)
        try:
            for _ in range(number // 20):
                running = [batcher.submit(EASY, deadline=after(200)) for _ in range(20)]
                outcomes += [await one.outcome() for one in running]
        finally:
            killer.cancel()
        return outcomes

    with make_bench(preload=PRELOAD) as bench:
        outcomes = bench.run(ask_all(bench))
    answered = [outcome for outcome in outcomes if isinstance(outcome, Answered)]
    assert len(outcomes) == number
    assert all(outcome == Stopped("crashed") for outcome in outcomes if outcome not in answered)
    assert len(answered) > number / 2
    assert all(answer == {"asked alone": EASY} or answer["solutions"] == [SOLVED] for answer in map(decoded, answered))
