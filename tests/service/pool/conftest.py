"""Shared by the tests of the pool: a loop with a pool, and how long the loop was silent."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = str(Path(__file__).parent)
if FOLDER not in sys.path:
    sys.path.append(FOLDER)  # workers find `worker_functions` where this process does

import worker_functions  # noqa: E402

from sudoku_cp.service.pool.supervised_pool import Pool  # noqa: E402
from sudoku_cp.service.pool.tasks import Task  # noqa: E402


class Bench:
    """A pool in a loop of its own, and how to ask it."""

    def __init__(self, **options) -> None:
        """Make a pool of two workers, unless ``options`` say otherwise; it is started with the block."""
        self.runner = asyncio.Runner()
        self.pool = Pool(**{"workers": 2, "preload": ["worker_functions"], "memory": 600 << 20} | options)

    def __enter__(self) -> Self:
        """Start the pool."""
        self.run(self.pool.start())
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.run(self.pool.stop())
        self.runner.close()

    def run(self, coroutine):
        """Run a coroutine in the pool's loop."""
        return self.runner.run(coroutine)

    def submit(self, name, *arguments, seconds=200.0, **kind):
        """Submit a task by the name of its function; call it within the loop."""
        deadline = asyncio.get_running_loop().time() + seconds
        return self.pool.submit(Task(getattr(worker_functions, name), arguments, **kind), deadline=deadline)

    async def pids_when(self, holds):
        """Return the process ids of the workers once something holds for them."""
        await self.until(lambda: holds(self.pool.pids))
        return self.pool.pids

    async def until(self, holds):
        """Wait until something holds."""
        async with asyncio.timeout(100):
            while not holds():  # noqa: ASYNC110  # the pool announces nothing
                await asyncio.sleep(0.01)

    async def ask(self, name, *arguments, seconds=200.0):
        """Submit a task and return its outcome."""
        return await self.submit(name, *arguments, seconds=seconds).outcome()

    def outcome(self, name, *arguments, seconds=200.0):
        """Return the outcome of a task."""
        return self.run(self.ask(name, *arguments, seconds=seconds))


def is_running(process):
    """Return whether a process is alive, and not just waited for."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def all_end(processes, seconds=60.0):
    """Return whether processes end in time."""
    end = time.monotonic() + seconds
    while any(map(is_running, processes)) and time.monotonic() < end:
        time.sleep(0.01)
    return not any(map(is_running, processes))


@contextlib.asynccontextmanager
async def heartbeat():
    """Measure the loop's silences in the block: a list with the longest one, in seconds of work of this process.

    A machine that pauses, or has other work, makes no silence; a thread that keeps the interpreter's lock does.
    """
    longest = [0.0]

    async def beat() -> None:
        last = time.process_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.process_time()
            longest[0], last = max(longest[0], now - last), now

    task = asyncio.create_task(beat())
    try:
        yield longest
    finally:
        task.cancel()


@contextlib.asynccontextmanager
async def turns_after(seconds):
    """Count the turns that the loop gives to a coroutine that sleeps for milliseconds, from so many seconds on."""
    turns, loop = [0], asyncio.get_running_loop()
    start = loop.time() + seconds

    async def count() -> None:
        while True:
            await asyncio.sleep(0.001)
            turns[0] += loop.time() > start

    task = asyncio.create_task(count())
    try:
        yield turns
    finally:
        task.cancel()


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """A pool of two workers and a spare one, which all tests of a module share."""
    with Bench() as bench:
        yield bench


@pytest.fixture(scope="module")
def patient_bench() -> Iterator[Bench]:
    """A pool that kills no worker for being late."""
    with Bench(kill_after=200) as bench:
        yield bench


@pytest.fixture
def make_bench() -> type[Bench]:
    """Makes pools with options of their own."""
    return Bench


@pytest.fixture
def silence():
    """Measures how long the loop was silent; see `heartbeat`."""
    return heartbeat


@pytest.fixture
def turns():
    """Counts the turns of the loop after a deadline; see `turns_after`."""
    return turns_after


@pytest.fixture
def ends():
    """Says whether processes end soon."""
    return all_end
