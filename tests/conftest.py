"""Fixtures for every test, such as the puzzle data beside the checkout."""

from __future__ import annotations

import gc
import gzip
import logging
import os
import signal
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parents[1] / "../shared/data"

# `nohup make test &` and some CI runners start this with SIGINT ignored; tests of Ctrl-C, and the children they start, need it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The examples of hypothesis are the same in every run, so that a change is not blamed for a fault that it did not cause;
# `make test-all` draws new ones, and more where a test does not say how many. No clock: other things may run beside the tests.
# Under emulation (`make arm`) even drawing them is slow.
settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.register_profile(
    "emulated", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("random", max_examples=500, database=None, deadline=None, print_blob=True)
settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more workers than there are processors, since tests of services, browsers and signals wait, and for kernels."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return usable + 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what is no part of a sample: combinations of values, by their places among the values, but every n-th."""
    sizes: dict[object, int] = {}
    places: dict[object, dict[int, int]] = {}
    for item in items:
        function = getattr(item, "function", None)
        if function not in sizes:  # asked once for each function: there are ten times as many items
            sampled = item.get_closest_marker("sampled")
            sizes[function] = sampled.args[0] if sampled else 1
        if sizes[function] > 1:
            total = 0
            for name, value in item.callspec.params.items():  # type: ignore[attr-defined]  # it has parameters
                known = places.setdefault((function, name), {})
                total += known.setdefault(id(value), len(known))
            if total % sizes[function]:
                item.add_marker("slow")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among modules and tests, which stay, and seldom later: half the time of collection, 5% of tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.fixture(autouse=True)
def log_level() -> Iterator[None]:
    """Undo what ``--quiet`` does to the log level when a verb runs in the test's own process."""
    log = logging.getLogger("sudoku_cp")
    before = log.level
    yield
    log.setLevel(before)


@pytest.fixture
def ticking_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock of limits that moves by a millisecond whenever it is read, so that no time passes while the machine pauses."""
    reads = count()
    monkeypatch.setattr("sudoku_cp.time_limits.perf_counter", lambda: next(reads) / 1000)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the data; a test that needs it is skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"the puzzle data is not there: {DATA}")
    return DATA.resolve()


@pytest.fixture(scope="session")
def puzzle_lines(data: Path) -> Callable[[str], list[str]]:
    """Reads a file of puzzles, one a line, plain or packed (``17clue.txt.gz``)."""

    def read(name: str) -> list[str]:
        path = data / "puzzles" / name
        packed = path.suffix == ".gz"
        text = gzip.decompress(path.read_bytes()).decode() if packed else path.read_text(encoding="utf-8")
        return text.split()

    return read
