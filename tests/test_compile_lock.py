"""One of several processes compiles, and the others say that they wait for it."""

from __future__ import annotations

import _thread
import fcntl
import logging
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import pytest

import sudoku_cp
from sudoku_cp import process_locks
from sudoku_cp.backends.fast import lane_kernel as fast_kept
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic.rating.explainer import ladder_code, net_code
from sudoku_cp.process_locks import LOCK_NAME, exclusive_compile, set_compile_watcher

ROOT = str(Path(sudoku_cp.__file__).parents[1])
CHILD = """
import sys, time
from pathlib import Path
from types import SimpleNamespace
from sudoku_cp.compile_cache import CachedModule
folder = Path(sys.argv[1])

def wait_for(name):
    while not (folder / name).exists():
        time.sleep(0.01)

def work():
    code = folder / "module.work-1.py.1.nbc"
    if not code.exists():
        with (folder / "log").open("a") as log:
            log.write("compiled\\n")
        wait_for("compile")
        code.touch()
        wait_for("run")

code = CachedModule(lambda _: SimpleNamespace(work=work), lambda: folder, "something")
print("ready", flush=True)
sys.stdin.readline()
code.call("work")
print("done", flush=True)
"""


def child(folder: Path) -> subprocess.Popen[str]:
    """Start a process that is ready to compile, and does so when it reads a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    """Tell a process to compile."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def compiled(folder: Path) -> int:
    """Return how many processes have compiled."""
    return (folder / "log").read_text().count("compiled") if (folder / "log").exists() else 0


def wait_until_compiling(folder: Path) -> None:
    """Return when a process compiles."""
    while not compiled(folder):
        time.sleep(0.01)


def test_one_process_compiles_and_the_others_wait_only_for_that(tmp_path) -> None:
    """Others go on as soon as the code is there, while the first still runs it; all but one say that they wait."""
    first, *others = [child(tmp_path) for _ in range(3)]
    let_go(first)
    wait_until_compiling(tmp_path)
    for process in others:
        let_go(process)
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting for another process that is compiling something\n"
    (tmp_path / "compile").touch()
    assert [process.communicate(timeout=60) for process in others] == [("done\n", "")] * 2
    assert first.poll() is None, "nobody waits for the run behind the compilation"
    (tmp_path / "run").touch()
    assert first.communicate(timeout=60) == ("done\n", "compiling something: some seconds, once on this machine\n")
    assert compiled(tmp_path) == 1


def test_a_compiler_that_is_killed_blocks_nobody(tmp_path) -> None:
    """The lock ends with its process."""
    first, second = child(tmp_path), child(tmp_path)
    let_go(first)
    wait_until_compiling(tmp_path)
    let_go(second)
    assert second.stderr is not None
    assert "waiting" in second.stderr.readline()
    first.kill()
    first.communicate()
    for name in ("compile", "run"):
        (tmp_path / name).touch()
    assert second.communicate(timeout=60)[0] == "done\n"
    assert compiled(tmp_path) == 2


@pytest.fixture
def held(tmp_path):
    """A folder in which another process seems to be compiling."""
    with (tmp_path / LOCK_NAME).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield tmp_path


def test_ctrl_c_ends_the_waiting(held) -> None:
    """A waiting process is interrupted at once."""
    timer = Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt), exclusive_compile(held, "it", lambda: False):
        pass
    timer.join()


def test_a_compiler_that_was_stopped_blocks_nobody_for_ever(held, monkeypatch) -> None:
    """A process that has waited long enough compiles."""
    monkeypatch.setattr(process_locks, "LONGEST_WAIT", 0.2)
    with exclusive_compile(held, "it", lambda: False) as mine:
        assert mine


def test_what_has_come_meanwhile_is_not_compiled(held) -> None:
    """Once the code is there nobody waits for the lock."""
    looks = iter([False, False, True, True])
    with exclusive_compile(held, "it", lambda: next(looks)) as mine:
        assert not mine


def test_waiting_is_said_once(held, caplog, monkeypatch) -> None:
    """A kernel of many functions is waited for many times by one process, which says so once."""
    monkeypatch.setattr(process_locks, "_announced", set())
    with caplog.at_level(logging.WARNING, "sudoku_cp"):
        for what in ("it", "it", "another", "it"):
            looks = iter([False, True, True])
            with exclusive_compile(held, what, lambda looks=looks: next(looks)):
                pass
    assert caplog.messages == [f"waiting for another process that is compiling {what}" for what in ("it", "another")]


def test_a_folder_that_is_gone_is_no_trouble(tmp_path) -> None:
    """Without a file to lock, each compiles for itself."""
    with exclusive_compile(tmp_path / "gone", "it", lambda: False) as mine:
        assert mine


# --- messages ---------------------------------------------------------------------------------------------------


def test_compiling_is_said_before_it_begins_and_once(tmp_path, caplog, monkeypatch) -> None:
    """The message comes before the call, once for all functions of the same thing, and not for code that is there."""
    monkeypatch.setattr(process_locks, "_announced", set())
    seen: list[tuple[str, int]] = []

    def work(name: str) -> None:
        seen.append((name, len(caplog.records)))
        (tmp_path / f"module.{name}-1.py.1.nbc").touch()

    def code() -> CachedModule:
        functions = SimpleNamespace(one=lambda: work("one"), two=lambda: work("two"))
        return CachedModule(lambda _: functions, lambda: tmp_path, "this and that")

    with caplog.at_level(logging.WARNING, "sudoku_cp"):
        for name in ("one", "two", "one"):
            code().call(name)
    assert seen == [("one", 1), ("two", 1), ("one", 1)]
    assert caplog.messages == ["compiling this and that: some seconds, once on this machine"]


@pytest.mark.parametrize(
    ("code", "lasts"),
    [
        (ladder_code("3x3"), "some 20 seconds"),
        (net_code("3x3", nested=False), "some 20 seconds"),
        (net_code("3x3", nested=True), "about half a minute"),
    ],
)
def test_what_takes_long_says_how_long(caplog, monkeypatch, code: CachedModule, lasts: str) -> None:
    """The announcement tells a time that fits, not "some seconds"."""
    monkeypatch.setattr(process_locks, "_announced", set())
    with caplog.at_level(logging.WARNING, "sudoku_cp"), code._progress(lambda: True):
        pass
    assert f": {lasts}, " in caplog.messages[0]


@pytest.mark.parametrize(("side", "lasts"), [(3, "some seconds"), (4, "up to half a minute"), (5, "up to two minutes")])
def test_large_kernels_are_said_to_take_longer(caplog, monkeypatch, tmp_path, side: int, lasts: str) -> None:
    """The stated time depends on the size of the kernel."""
    monkeypatch.setattr(process_locks, "_announced", set())
    monkeypatch.setattr(fast_kept, "_run", lambda *_: SimpleNamespace(search=lambda: None))
    monkeypatch.setattr(fast_kept, "kernel_cache_dir", lambda *_: tmp_path)
    with caplog.at_level(logging.WARNING, "sudoku_cp"):
        fast_kept.template_code("search", BoardLayout(side, side, counting=False), host_instruction_set()).call("search")
    assert [message.partition(": ")[2] for message in caplog.messages] == [f"{lasts}, once on this machine"]


def test_the_watcher_is_there_while_it_compiles(tmp_path) -> None:
    """The watcher begins before the call, ends after it, and can see when the code is there."""
    told: list[object] = []

    class Watcher:
        def __init__(self, words, is_done) -> None:
            told.append(words)
            self.is_done = is_done

        def __enter__(self) -> None:
            told.append(self.is_done())

        def __exit__(self, *_: object) -> None:
            told.append(self.is_done())

    set_compile_watcher(Watcher)
    try:
        code = CachedModule(
            lambda _: SimpleNamespace(work=(tmp_path / "module.work-1.py.1.nbc").touch), lambda: tmp_path, "such a thing"
        )
        code.call("work")
        code.call("work")
    finally:
        set_compile_watcher(None)
    assert told == ["compiling such a thing", False, True]


BAR = """
import logging, sys, time
from sudoku_cp.cli.output import compiling_bar
if len(sys.argv) > 1:
    logging.getLogger("sudoku_cp").setLevel(logging.ERROR)
with compiling_bar("compiling it", lambda: False):
    time.sleep(0.8)
"""


@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_shows_a_bar(quiet: bool) -> None:
    """On a terminal there is a bar with the elapsed time; with --quiet, or in a file, there is nothing."""
    ours, theirs = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-c", BAR, *["-q"] * quiet],
            stderr=theirs,
            check=True,
            timeout=30,
            env={**os.environ, "PYTHONPATH": ROOT, "TERM": "xterm", "COLUMNS": "80"},
        )
    finally:
        os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert (b"compiling it" in shown, b"0:00:0" in shown) == (not quiet, not quiet)
    assert bool(shown) != quiet
    if quiet:
        return
    silent = subprocess.run(
        [sys.executable, "-c", BAR], capture_output=True, check=True, timeout=30, env={**os.environ, "PYTHONPATH": ROOT}
    )
    assert silent.stderr == b""


@pytest.mark.slow
def test_a_cold_cache_is_filled_once(tmp_path) -> None:
    """Of several concurrent calls one compiles each piece of code, and all answer; the next one finds it and is silent."""
    environment = {**os.environ, "PYTHONPATH": ROOT, "SUDOKU_CP_CACHE": str(tmp_path)}
    call = [sys.executable, "-m", "sudoku_cp", "generate", "-n", "3", "--size", "4", "--seed"]
    processes = [
        subprocess.Popen([*call, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        for seed in range(3)
    ]
    ends = [process.communicate(timeout=600) for process in processes]
    assert [process.returncode for process in processes] == [0] * 3
    assert [len(out.splitlines()) for out, _ in ends] == [3] * 3
    said = [line for _, err in ends for line in err.splitlines() if line.startswith("compiling")]
    assert len(said) == len({*said}) > 0
    again = subprocess.run([*call, "9"], capture_output=True, text=True, check=True, env=environment)
    assert "compiling" not in again.stderr
    quiet = {**environment, "SUDOKU_CP_CACHE": str(tmp_path / "other")}
    assert subprocess.run([*call, "9", "-q"], capture_output=True, text=True, check=True, env=quiet).stderr == ""
