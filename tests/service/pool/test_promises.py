"""Whatever a worker does, its task is answered in time, and nobody else's."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path

import pytest

from sudoku_cp.service.pool.tasks import MOST_PROBLEMS, Answered, Failed, Refused, Stopped
from sudoku_cp.service.problems import problem_of_outcome

DEADLINE = 0.4
LATE = 100
"""Turns of the loop, of a millisecond each at least, within which a task is answered after its deadline."""


@pytest.mark.parametrize("name", ["spin", "hold_lock", "search_sat", "search_cpsat", "stand_still", "send_half"])
def test_a_deaf_worker_is_answered_for_at_the_deadline(bench, turns, name):
    """Whoever does not hear is killed; its answer comes within 0.1 s of the deadline, and the next task at once."""

    async def ask():
        async with turns(DEADLINE) as counted:
            return await bench.ask(name, seconds=DEADLINE), counted[0]

    before = bench.pool.statistics
    outcome, late = bench.run(ask())
    assert outcome == Stopped("deadline")
    assert late < LATE
    assert bench.pool.statistics.killed == before.killed + 1
    assert bench.outcome("echo", 1) == Answered(1)


def test_programs_end_with_their_worker(bench, ends, tmp_path):
    """All that a worker has started ends with it, in whatever session, and whoever has started it in turn."""
    file = tmp_path / "processes.txt"

    async def stop_when_all_run():
        running = bench.submit("start_programs", str(file))
        await bench.until(lambda: file.exists() and file.read_text().count("\n") == 3)
        running.cancel()
        await bench.until(lambda: bench.pool.statistics.running == 0)

    bench.run(stop_when_all_run())
    started = [int(line) for line in file.read_text().splitlines()]
    assert ends(started)


@pytest.mark.parametrize("name", ["fault", "leave", "abort", "kill_itself", "send_garbage", "send_wrong_pickle", "hang_up"])
def test_a_crash_costs_its_own_task_only(bench, name):
    """A worker that dies, or says what nobody understands, is told as crashed; the others' answers come."""

    async def crash_among_others():
        crash = bench.submit(name)
        others = [bench.submit("echo", number) for number in range(5)]
        return await crash.outcome(), [await other.outcome() for other in others]

    outcome, others = bench.run(crash_among_others())
    assert outcome == Stopped("crashed")
    assert others == [Answered(number) for number in range(5)]


@pytest.mark.parametrize("name", ["grow_list", "make_array", "wrapped_failure", "grow_in_c"])
def test_no_memory_is_told_as_that(bench, name):
    """Python, NumPy and C code that get no more memory are not told as a crash."""
    assert bench.outcome(name) == Stopped("memory")


def test_growth_is_counted_from_the_fork(make_bench):
    """That the fork server once had more memory than now, because it compiled, does not hide what a worker takes."""
    with make_bench(preload=["worker_functions:grow_and_shrink"]) as bench:
        assert bench.outcome("grow_in_c") == Stopped("memory")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("refuse", Refused("InvalidInput", ("expected a 1, got a 2", "expected a 3, got a 4"), 422)),
        ("reach_limit", Stopped("nodes")),
        ("fail", "KeyError"),
        ("leave_properly", "SystemExit"),
        ("answer_unsendable", "AttributeError"),
    ],
)
def test_errors_keep_what_they_are(bench, name, expected):
    """Bad input, limits and defects are told apart, and cost no worker."""
    before = bench.pool.statistics.lost
    outcome = bench.outcome(name)
    if isinstance(expected, str):
        assert isinstance(outcome, Failed)
        assert outcome.kind == expected
        assert "Traceback" in outcome.traceback
        assert "Traceback" not in repr(outcome)
    else:
        assert outcome == expected
    assert bench.pool.statistics.lost == before


def test_what_cannot_be_sent_is_told(bench):
    """Arguments that cannot be pickled fail their own task."""
    outcome = bench.outcome("echo", lambda: None)
    assert isinstance(outcome, Failed)
    assert bench.outcome("echo", 1) == Answered(1)


# --- death while idle -------------------------------------------------------------------------------------------


def test_workers_that_die_while_idle_cost_nothing(bench):
    """Tasks submitted right after all idle workers were killed are answered."""

    async def kill_and_ask():
        for process in bench.pool.pids:
            os.kill(process, signal.SIGKILL)
        return [await bench.ask("echo", number) for number in range(6)]

    assert bench.run(kill_and_ask()) == [Answered(number) for number in range(6)]


def test_a_task_that_a_dead_worker_never_read_goes_to_another(make_bench):
    """Whether a task was begun is known from what the dead worker had left unread; one that was not is handed on."""

    async def ask_a_dying_one(bench):
        doomed = await bench.pids_when(lambda pids: len(pids) == 2)
        for process in doomed:
            os.kill(process, signal.SIGSTOP)
        await bench.until(
            lambda: all(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T" for process in doomed)
        )
        running = bench.submit("pid")
        await asyncio.sleep(0.05)
        for process in doomed:
            os.kill(process, signal.SIGKILL)
        outcome = await running.outcome()
        await bench.until(lambda: bench.pool.statistics.lost == 2)
        return doomed, outcome

    with make_bench(workers=1) as bench:
        doomed, outcome = bench.run(ask_a_dying_one(bench))
        assert isinstance(outcome, Answered)
        assert outcome.value not in doomed
        assert bench.pool.statistics.handed_on >= 1


def storm(bench, number, pause):
    """Ask so many tasks while ready workers are killed at random, one for every third outcome at most; return the outcomes."""

    async def kill_at_random(choose):
        killed = 0
        while True:
            await asyncio.sleep(pause)
            if bench.pool.pids and killed <= bench.pool.statistics.done / 3:
                os.kill(choose.choice(bench.pool.pids), signal.SIGKILL)
                killed += 1

    async def ask_all():
        killer = asyncio.create_task(kill_at_random(random.Random(7)))  # noqa: S311
        try:
            running = [bench.submit("nap", 0.002, seconds=250) for _ in range(number)]
            return [await one.outcome() for one in running]
        finally:
            killer.cancel()

    return bench.run(ask_all())


@pytest.mark.parametrize(("number", "pause"), [(200, 0.04), pytest.param(3000, 0.01, marks=pytest.mark.slow)])
def test_each_task_is_answered_once_while_workers_are_killed(make_bench, number, pause):
    """Whatever the moment of a worker's death, every task has one outcome: its answer, or that its worker was lost."""
    with make_bench(queue=number) as bench:
        outcomes = storm(bench, number, pause)
        counted = bench.pool.statistics
        assert len(outcomes) == counted.done == number
        assert set(outcomes) <= {Answered("slept"), Stopped("crashed")}
        assert outcomes.count(Answered("slept")) == counted.answered > number / 2
        assert counted.crashed <= counted.lost
        assert (counted.waiting, counted.running) == (0, 0)
        assert bench.outcome("echo", 1) == Answered(1)


def test_an_engine_that_fails_costs_no_worker(bench):
    """The problem has a type of its own, and the worker takes the next task."""
    before = bench.outcome("pid").value
    outcome = bench.outcome("break_engine")
    problem = problem_of_outcome(outcome)
    assert (problem.status_code, problem.kind) == (500, "engine-failed")
    assert bench.outcome("pid").value == before


def test_a_worker_sends_the_first_of_many_problems_and_their_number(bench):
    """A hundred thousand of them would silence the loop that reads them."""
    outcome = bench.outcome("find_many_problems", 100_000)
    assert (len(outcome.problems), outcome.more) == (MOST_PROBLEMS, 100_000 - MOST_PROBLEMS)
