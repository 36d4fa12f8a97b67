"""Workers start when they are needed and stop when they are told to."""

from __future__ import annotations

import io
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from sudoku_cp.backends import Cancellation
from sudoku_cp.batch import worker_pool
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.solve_request import SolveRequest
from sudoku_cp.batch.solve_run import SolveTask
from sudoku_cp.batch.worker_pool import LocalPool

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def test_workers_that_are_ended_at_once_are_gone_and_no_others() -> None:
    """The processes of a run and their manager thread end with work undone; an unrelated process goes on."""
    text = f"{HARD}\n".encode() * 2000
    (piece,) = Reader([Input(io.BytesIO(text))], ReadOptions(), keep_rows=False).chunks()
    before = threading.active_count()
    stranger = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    stranger.start()
    pool = LocalPool(SolveTask(SolveRequest(backend="sat")), 2, Cancellation())
    for part in piece.slices([(0, 500), (500, 1000), (1000, 1500), (1500, 2000)]):
        pool.submit(part)
    try:
        pool.close(cancel=True)
        assert threading.active_count() <= before
        assert multiprocessing.active_children() == [stranger]
    finally:
        stranger.terminate()
        stranger.join()


def test_workers_start_where_the_program_came_on_standard_input(tmp_path) -> None:
    """A program typed or piped into Python has no file that workers could import, and needs none."""
    program = f"""
from sudoku_cp import generate_files
print(generate_files(2, {str(tmp_path / "x.txt")!r}, rules="jigsaw", size=4, workers=2).records)
"""
    call = [sys.executable, "-"]
    done = subprocess.run(call, input=program, capture_output=True, text=True, timeout=100, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_script_without_a_main_guard_is_told_so(tmp_path) -> None:
    """Workers that import a script without a main guard never start: the run ends with one message and leaves nothing behind."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 40)
    (tmp_path / "script.py").write_text('from sudoku_cp import solve_files\nsolve_files(["in.txt"], "out.txt", workers=2)\n')
    call = [sys.executable, "script.py"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=100, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "the script must make this call under if __name__ == '__main__':" in done.stderr.splitlines()[-1]
    assert done.stderr.count("Traceback") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "script.py"]


def test_an_interrupt_does_not_come_while_a_result_is_waited_for(monkeypatch) -> None:
    """KeyboardInterrupt inside the lock of a future could release it under a worker's hands: it is raised after the wait."""
    ended = []

    def interrupted_wait(futures, timeout):
        signal.raise_signal(signal.SIGINT)
        ended.append(timeout)
        return SimpleNamespace(done=set(futures))

    monkeypatch.setattr(worker_pool, "wait", interrupted_wait)
    with pytest.raises(KeyboardInterrupt):
        worker_pool._is_done(Future())
    assert ended == [worker_pool.TICK]
