"""Tasks wait, start, emit, stop and end as the pool says, and so do its processes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_cp.service.pool.supervised_pool import Pool
from sudoku_cp.service.pool.tasks import BEGINS_AGAIN, MOST_ITEMS, Answered, PoolFailed, QueueFull, Stopped

# --- the queue --------------------------------------------------------------------------------------------------


def test_a_full_queue_says_when_to_come_again(make_bench):
    """The queue is bounded; who is rejected gets an estimate, and what waits keeps its deadline."""

    async def fill(bench):
        first = bench.submit("nap", 200)
        late, patient = bench.submit("echo", 1, seconds=0.1), bench.submit("echo", 2)
        assert (first.started, late.started, patient.started) == (True, False, False)
        with pytest.raises(QueueFull) as full:
            bench.submit("echo", 3)
        assert full.value.retry_after > 0
        assert full.value.http_status == 503
        assert await late.outcome() == Stopped("deadline")
        assert not patient.done
        first.cancel()
        assert await patient.outcome() == Answered(2)

    with make_bench(workers=1, queue=2) as bench:
        bench.run(fill(bench))
        counted = bench.pool.statistics
        assert (counted.rejected, counted.deadline, counted.answered, counted.cancelled, counted.done) == (1, 1, 1, 1, 3)


def test_the_deadline_counts_the_time_in_the_queue(make_bench):
    """A worker is told what is left of the time since the request came, less the reply."""

    async def wait_first(bench):
        nap, limits = bench.submit("nap", 0.2), bench.submit("limits_of", seconds=200)
        await nap.outcome()
        return await limits.outcome()

    with make_bench(workers=1) as bench:
        seconds, nodes, same = bench.run(wait_first(bench)).value
    assert 0 < seconds < 199.8
    assert (nodes, same) == (7, True)


# --- outcomes, items, cancellation ------------------------------------------------------------------------------


def test_a_caller_may_stop_waiting(bench, tmp_path):
    """An outcome that is not there in time is None; the task goes on, and its outcome can be waited for again."""

    async def wait_twice():
        running = bench.submit("wait_for", str(tmp_path / "go"))
        early = await running.outcome(0.02)
        (tmp_path / "go").touch()
        return early, await running.outcome()

    assert bench.run(wait_twice()) == (None, Answered("found"))


def test_a_caller_that_is_cancelled_does_not_stop_the_task(bench, tmp_path):
    """Only `Running.cancel` does."""

    async def leave():
        running = bench.submit("wait_for", str(tmp_path / "go"))
        waiting = asyncio.create_task(running.outcome())
        await asyncio.sleep(0.02)
        waiting.cancel()
        await asyncio.wait([waiting])
        (tmp_path / "go").touch()
        return await running.outcome()

    assert bench.run(leave()) == Answered("found")


@pytest.mark.parametrize("number", [0, 5, 3 * MOST_ITEMS])
def test_items_come_in_order_before_the_end(bench, number):
    """A reader gets every item, however slow it is, and then the end."""

    async def read():
        running = bench.submit("count_up", number)
        found = []
        async for item in running.items():
            found.append(item)
            if item % 500 == 0:
                await asyncio.sleep(0.01)
        return found, await running.outcome()

    assert bench.run(read()) == (list(range(number)), Answered(number))


def test_items_that_nobody_reads_stop_nothing(bench):
    """The newest ones are kept for whoever asks later."""

    async def read_late():
        running = bench.submit("count_up", 3 * MOST_ITEMS)
        outcome = await running.outcome()
        return outcome, [item async for item in running.items()]

    outcome, found = bench.run(read_late())
    assert outcome == Answered(3 * MOST_ITEMS)
    assert found == list(range(3 * MOST_ITEMS))[-len(found) :]
    assert 0 < len(found) < MOST_ITEMS


def test_large_items_keep_their_order(bench):
    """An item that is unpickled in a thread is not overtaken by smaller ones."""

    async def read():
        return [(index, len(data)) async for index, data in bench.submit("large_items", 8).items()]

    assert bench.run(read()) == [(index, index % 2 << 20) for index in range(8)]


def test_whoever_hears_of_a_cancellation_keeps_its_worker(patient_bench):
    """The outcome is there at once; a worker that ends by itself is not killed."""
    bench = patient_bench

    async def cancel():
        running = bench.submit("nap", 200)
        await asyncio.sleep(0.05)
        running.cancel()
        running.cancel()
        assert running.done
        await bench.until(lambda: bench.pool.statistics.running == 0)
        return await running.outcome()

    before = bench.pool.statistics
    assert bench.run(cancel()) == Stopped("cancelled")
    after = bench.pool.statistics
    assert (after.cancelled, after.killed) == (before.cancelled + 1, before.killed)


def test_whoever_is_deaf_to_it_is_killed(make_bench):
    """The place of a cancelled task is free a moment later, though its worker never heard of it."""

    async def cancel(bench):
        deaf, next_one = bench.submit("hold_lock"), bench.submit("echo", 1)
        await asyncio.sleep(0.05)
        deaf.cancel()
        assert await deaf.outcome() == Stopped("cancelled")
        assert await next_one.outcome() == Answered(1)
        await bench.until(lambda: bench.pool.statistics.killed == 1)

    with make_bench(workers=1) as bench:
        bench.run(cancel(bench))


def test_nobody_waits_for_a_worker_that_was_told_to_stop(make_bench):
    """The spare worker takes the next task while the deaf one still has time, and another is started for the one after that."""

    async def cancel_twice(bench):
        for _ in range(2):
            deaf = bench.submit("hold_lock")
            await asyncio.sleep(0)
            deaf.cancel()
        return await bench.ask("echo", 1)

    with make_bench(workers=1, kill_after=200) as bench:
        assert bench.run(cancel_twice(bench)) == Answered(1)
        assert bench.pool.statistics.killed == 0


def test_a_worker_that_stops_after_all_is_let_go_if_another_has_its_place(make_bench):
    """There are never more than were asked for, apart from those that are about to stop."""

    async def cancel_all(bench):
        running = [bench.submit("nap", 200.0) for _ in range(2)]
        for one in running:
            one.cancel()
        await bench.ask("echo", 1)
        await bench.until(lambda: bench.pool.statistics.running == 0)
        return len(await bench.pids_when(lambda pids: len(pids) == 2))

    with make_bench(workers=1) as bench:
        assert bench.run(cancel_all(bench)) == bench.pool.statistics.workers == 2


def test_a_quick_task_waits_for_none_that_searches(make_bench):
    """It has the spare worker to itself and passes those that wait; it waits only for its own kind."""

    async def ask_beside_a_search(bench):
        search = bench.submit("nap", 200.0)
        waiting = bench.submit("echo", 1)
        quick = [await bench.submit("echo", number, is_quick=True).outcome() for number in range(2)]
        together = [bench.submit("nap", 0.05, is_quick=True), bench.submit("echo", 2, is_quick=True)]
        begun = [one.started for one in together]
        after = [await one.outcome() for one in together]
        passed_by = waiting.started
        search.cancel()
        return quick, begun, after[1], passed_by, await waiting.outcome()

    with make_bench(workers=1, long_after=200) as bench:
        bench.run(bench.pids_when(lambda pids: len(pids) == 2))
        expected = ([Answered(0), Answered(1)], [True, False], Answered(2), False, Answered(1))
        assert bench.run(ask_beside_a_search(bench)) == expected


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_place_stays_for_short_tasks_however_long_ones_began(make_bench, workers):
    """Tasks that outgrow their time never hold the last place: a short one is answered beside any number of them."""

    async def ask_beside_long_ones(bench):
        naps = [bench.submit("nap", 200.0) for _ in range(workers + 2)]
        await bench.until(lambda: all(nap.is_long for nap in naps))
        answers = [await bench.submit("echo", 1).outcome(), await bench.submit("echo", 2, is_quick=True).outcome()]
        started = [nap.started for nap in naps]
        waiting = [nap for nap in naps if not nap.started]
        for nap in naps:
            if nap.started:
                nap.cancel()
        await bench.until(lambda: any(nap.started for nap in waiting))
        return answers, sorted(started)

    with make_bench(workers=workers, long_after=0.1) as bench:
        answers, started = bench.run(ask_beside_long_ones(bench))
    assert answers == [Answered(1), Answered(2)]
    assert started == [False] * 2 + [True] * workers


@pytest.mark.parametrize("workers", [1, 2])
def test_tasks_that_were_expected_to_be_quick_and_are_not_are_like_any_other(make_bench, workers):
    """However many there are, they turn out to be long, and a place stays for short tasks and for those that are quick indeed."""

    async def ask_among_slow_ones(bench):
        naps = [bench.submit("nap", 200.0, is_quick=True) for _ in range(workers + 8)]
        await asyncio.sleep(0)
        short, quick = bench.submit("echo", 1), bench.submit("echo", 2, is_quick=True)
        answers = [await short.outcome(), await quick.outcome()]
        await bench.until(lambda: sum(nap.is_long for nap in naps) >= workers)
        answers += [await bench.submit("echo", 3).outcome(), await bench.submit("echo", 4, is_quick=True).outcome()]
        return answers, bench.pool.statistics.put_back

    with make_bench(workers=workers, long_after=0.4) as bench:
        answers, put_back = bench.run(ask_among_slow_ones(bench))
    assert answers == [Answered(number) for number in (1, 2, 3, 4)]
    assert put_back > 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_short_task_waits_for_none_of_many_that_turn_out_to_be_long(make_bench, workers, tmp_path):
    """Those that come together try the last place in turns, and a new one has its turn before those that have had theirs."""
    notes = tmp_path / "notes"

    async def ask_among_long_ones(bench):
        naps = [bench.submit("note", f"nap {number}", str(notes)) for number in range(workers + 12)]
        await bench.until(lambda: sum(nap.is_long for nap in naps) >= workers)
        earlier = notes.read_text(encoding="ascii").splitlines()
        assert await bench.submit("note", "short", str(notes)).outcome() == Answered("short")
        return earlier

    with make_bench(workers=workers, long_after=0.4) as bench:
        earlier = bench.run(ask_among_long_ones(bench))
    begun = notes.read_text(encoding="ascii").splitlines()
    again = [name for name in begun[len(earlier) : begun.index("short")] if name in earlier]
    assert len(again) <= workers  # such as had a worker already when it came


def test_a_task_that_was_put_back_begins_again(make_bench, tmp_path):
    """It is answered after the long one for which it had to wait, within its own deadline, and stopped at that otherwise."""

    async def ask(bench):
        waiting = [bench.submit("wait_for", str(tmp_path / "go")) for _ in range(3)]
        late = bench.submit("spin", seconds=0.7)
        stopped = await late.outcome()
        await bench.until(lambda: bench.pool.statistics.put_back >= 2)
        (tmp_path / "go").touch()
        return stopped, [await one.outcome() for one in waiting], bench.pool.statistics

    with make_bench(workers=1, long_after=0.1) as bench:
        stopped, outcomes, counted = bench.run(ask(bench))
    assert (stopped, outcomes) == (Stopped("deadline"), [Answered("found")] * 3)
    assert (counted.running, counted.waiting) == (0, 0)


@pytest.mark.parametrize("is_read", [False, True])
def test_items_of_a_task_that_was_put_back_come_once_or_after_a_mark(make_bench, tmp_path, is_read):
    """What nobody has read is dropped with the worker; whoever has read some learns that they may come again."""

    async def ask(bench):
        found = []

        async def read(task):
            async for item in task.items():
                found.append(item)  # noqa: PERF401  # seen as they come

        tasks = [bench.submit("emit_and_wait", str(tmp_path / "go")) for _ in range(2)]
        readers = [asyncio.create_task(read(task)) for task in tasks] if is_read else []
        await bench.until(lambda: bench.pool.statistics.put_back and (not is_read or len(found) > 2))
        (tmp_path / "go").touch()
        readers = readers or [asyncio.create_task(read(task)) for task in tasks]
        await asyncio.gather(*readers)
        return found

    with make_bench(workers=1, long_after=0.3) as bench:
        found = bench.run(ask(bench))
    if is_read:
        assert BEGINS_AGAIN in found
        assert found[found.index(BEGINS_AGAIN) :].count("one") >= 1
    else:
        assert sorted(found) == ["one", "one", "two", "two"]


def test_long_tasks_do_not_starve(make_bench):
    """A task submitted as a long one gets its turn among short ones that never end."""

    async def ask(bench):
        short = [bench.submit("nap", 0.02) for _ in range(3)]
        long = bench.submit("echo", 1, is_long=True)
        while not long.done:
            short = [one for one in short if not one.done] + [bench.submit("nap", 0.02)]
            await asyncio.wait([asyncio.ensure_future(short[0].outcome())])
        return await long.outcome()

    with make_bench(workers=1) as bench:
        assert bench.run(asyncio.wait_for(ask(bench), 100)) == Answered(1)


def test_a_waiting_task_can_be_cancelled(make_bench):
    """It never starts."""

    async def cancel(bench):
        bench.submit("nap", 0.1)
        waiting = bench.submit("echo", 1)
        waiting.cancel()
        return await waiting.outcome(), waiting.started

    with make_bench(workers=1) as bench:
        assert bench.run(cancel(bench)) == (Stopped("cancelled"), False)


@pytest.mark.parametrize("name", ["sat", "cpsat", "native", "fast", "fast:lanes"])
def test_engines_hear_of_a_cancellation(patient_bench, name):
    """The flag reaches an engine that is computing: its worker is idle again, and nobody had to kill it."""
    bench = patient_bench

    async def cancel():
        running = bench.submit("count_in_array") if name == "fast:lanes" else bench.submit("count_with", name)
        await asyncio.sleep(0.3)
        running.cancel()
        await bench.until(lambda: bench.pool.statistics.running == 0)

    before = bench.pool.statistics.killed
    bench.run(cancel())
    assert bench.pool.statistics.killed == before


# --- sizes ------------------------------------------------------------------------------------------------------

SIZE = 50_000_000


@pytest.mark.parametrize(
    ("name", "arguments", "length"),
    [
        ("large_bytes", (SIZE,), SIZE),
        ("large_list", (SIZE // 10,), SIZE // 10_000),
        ("echo", (b"x" * SIZE,), SIZE),
        ("echo", ("x" * (SIZE // 5),), SIZE // 5),
    ],
    ids=["bytes", "lists", "large argument", "large text"],
)
def test_large_messages_do_not_silence_the_loop(bench, silence, name, arguments, length):
    """Answers and arguments of 50 MB are read and written in pieces, and pickled where others get their turn meanwhile."""

    async def ask():
        async with silence() as longest:
            outcome = await bench.ask(name, *arguments)
            await asyncio.sleep(0.002)
            waited = longest[0]
        assert len(outcome.value) == length
        return waited

    assert min(bench.run(ask()) for _ in range(3)) < 0.1  # 20 ms of work as a rule


# --- processes --------------------------------------------------------------------------------------------------


def test_workers_are_renewed(make_bench):
    """A worker is replaced after so many tasks, and no task is lost."""

    async def ask(bench):
        return [(await bench.ask("pid")).value for _ in range(9)]

    with make_bench(workers=1, tasks_per_worker=3) as bench:
        processes = bench.run(ask(bench))
        assert all(processes.count(process) <= 3 for process in processes)
        assert bench.pool.statistics.renewed >= 2  # the spare one has its share
        assert bench.pool.statistics.lost == 0


def test_workers_are_replaced_up_to_the_spare_ones(make_bench):
    """After a loss there are soon as many processes as before, and Ctrl-C ends none of them."""

    async def lose(bench):
        before = await bench.pids_when(lambda pids: len(pids) == 3)
        os.kill(before[0], signal.SIGKILL)
        for process in before[1:]:
            os.kill(process, signal.SIGINT)
        return before, await bench.pids_when(lambda pids: len(pids) == 3 and before[0] not in pids)

    with make_bench() as bench:
        before, after = bench.run(lose(bench))
        assert set(before[1:]) <= set(after)


def test_the_first_workers_wait_for_nothing_that_can_be_loaded_later(make_bench):
    """What is loaded later is not there in the first worker, and is in those that replace the first ones."""

    async def lose_workers_until_one_has_it(bench):
        async with asyncio.timeout(100):
            while await bench.ask("has_loaded", "colorsys") != Answered(value=True):
                await bench.ask("leave")

    with make_bench(workers=1, preload_later=["colorsys"]) as bench:
        assert bench.outcome("has_loaded", "colorsys") == Answered(value=False)
        bench.run(lose_workers_until_one_has_it(bench))


def test_files_of_killed_workers_are_removed(make_bench):
    """Temporary files go with their worker, and the folder of all workers with the pool."""

    async def kill(bench):
        running = bench.submit("write_file")
        async for item in running.items():
            file = Path(item)
            running.cancel()
        await bench.until(lambda: not file.exists())
        return file

    with make_bench() as bench:
        file = bench.run(kill(bench))
        assert file.parents[1].is_dir()
    assert not file.parents[1].exists()


def test_the_fork_server_is_replaced_too(make_bench, ends):
    """If the process that forks workers is killed, the workers end and others come; later tasks are answered."""

    async def lose(bench):
        before = bench.pool.pids
        os.kill(bench.pool._forks._launched.process.pid, signal.SIGKILL)
        await asyncio.sleep(0.05)
        return before, await bench.ask("echo", 1)

    with make_bench() as bench:
        before, outcome = bench.run(lose(bench))
        assert outcome == Answered(1)
        assert ends(before)


@pytest.mark.parametrize(
    ("task", "grace", "outcome"), [(("nap", 0.1), 200, Answered("slept")), (("hold_lock",), 0.1, Stopped("cancelled"))]
)
def test_a_stopped_pool_leaves_nobody(make_bench, ends, task, grace, outcome):
    """Running tasks get their time, then all end, and all processes too; later tasks are rejected."""

    async def stop(bench):
        processes = [*bench.pool.pids, bench.pool._forks._launched.process.pid]
        running, waiting = bench.submit(*task), bench.submit("echo", 1)
        await bench.pool.stop(grace=grace)
        with pytest.raises(QueueFull, match="closed"):
            bench.submit("echo", 1)
        return processes, [await one.outcome() for one in (running, waiting)]

    with make_bench(workers=1) as bench:
        processes, outcomes = bench.run(stop(bench))
        assert outcomes == [outcome, Stopped("cancelled")]
        assert ends(processes, seconds=0)


def test_all_end_with_the_service_that_is_killed(ends, tmp_path):
    """After kill -9 of the parent no worker is left, even one that hears nothing, and no program of theirs."""
    program = f"""
import asyncio, sys
from pathlib import Path
sys.path.append({str(Path(__file__).parent)!r})
import worker_functions
from sudoku_cp.service.pool.supervised_pool import Pool
from sudoku_cp.service.pool.tasks import Task

async def main():
    pool = Pool(2, preload=["worker_functions"])
    await pool.start()
    end = asyncio.get_running_loop().time() + 200
    programs = Path({str(tmp_path / "programs")!r})
    pool.submit(Task(worker_functions.hold_lock), deadline=end)
    pool.submit(Task(worker_functions.start_programs, (str(programs),)), deadline=end)
    while not programs.exists() or programs.read_text().count("\\n") < 3:
        await asyncio.sleep(0.01)
    print(*pool.pids, pool._forks._launched.process.pid, flush=True)
    await asyncio.sleep(200)

asyncio.run(main())
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    processes = [int(word) for word in parent.stdout.readline().split()]
    programs = [int(line.split()[0]) for line in (tmp_path / "programs").read_text().splitlines()]
    parent.kill()
    parent.communicate()
    assert len(processes) >= 3
    assert len(programs) >= 3
    assert ends(processes + programs)


def test_workers_that_cannot_start_are_told():
    """A module to be loaded that is not there raises when the pool starts."""
    with pytest.raises(PoolFailed, match="expected workers that start"):
        asyncio.run(Pool(1, preload=["no_such_module"]).start())
