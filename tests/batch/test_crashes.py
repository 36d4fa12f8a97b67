"""Killed runs, killed workers and full disks, in real processes: nothing is lost."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.batch import worker_pool
from sudoku_cp.batch.rows.row_format import ChunkEntry, RecordList
from sudoku_cp.batch.solve_request import SolvedChunk, SolveRequest
from sudoku_cp.batch.solve_run import SolveTask
from sudoku_cp.batch.worker_pool import CHUNKS_PER_WORKER, InFlightWindow
from sudoku_cp.formats import Record
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable


# --- crashes ----------------------------------------------------------------------------------------------------------


HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
KILLER = '''
import os, signal
from pathlib import Path
from sudoku_cp.backends.sat import Sat

class Killer:
    """Kills its process at a board whose first cell is 9: always, or once if the file `once` is there."""
    name = "killer"
    takes = Sat().takes
    def __init__(self, kind=""):
        self._inner = Sat()
    def open(self, model):
        return Session(self._inner.open(model))

class Session:
    def __init__(self, inner):
        self._inner = inner
    def solutions(self, assume={}, *, limits=None):
        once = Path(os.environ["KILLER_ONCE"])
        if assume.get(0) == 1 << 9 and (os.environ["KILLER_ALWAYS"] or once.exists()):
            once.unlink(missing_ok=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return self._inner.solutions(assume, limits=limits)
'''
NINE = "9" + "." * 80


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Return the exit code and the output."""
    _, err = process.communicate(timeout=120)
    assert b"Traceback" not in err, err.decode()
    return process.returncode, err.decode()


def grown(out: Path, size: int) -> bool:
    """Return whether a run has written more than that many bytes to its partial file."""
    part = out.with_name(f"{out.name}.part")
    return part.exists() and part.stat().st_size > size


@pytest.fixture
def puzzles(tmp_path, puzzle_lines) -> Path:
    """Two thousand puzzles, a few of them on odd lines."""
    lines = puzzle_lines("generated_minimal_50k.txt.gz")[:2000]
    lines[100:1500:200] = [f"{line} titled" for line in lines[100:1500:200]]
    lines[77] = "rubbish"
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def told(path: Path, unpacked) -> bytes:
    """Return the contents of an output, decompressed."""
    if path.suffix != ".parquet":
        return unpacked(path)
    import pyarrow.parquet  # noqa: PLC0415

    return repr(pyarrow.parquet.read_table(path, read_dictionary=[]).to_pydict()).encode()


TIMES = {"o.txt": 150, "o.csv": 150, "o.jsonl": 150, "o.csv.gz": 100, "o.txt.bz2": 20, "o.jsonl.xz": 15, "o.parquet": 40}
"""Outputs, and how often the puzzles are repeated for a run of some seconds."""


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--backend", "sat"), ()], ids=["processes", "threads"])
@pytest.mark.parametrize("name", TIMES)
def test_killed_at_any_moment_nothing_is_lost(start, puzzles, tmp_path, unpacked, name: str, options) -> None:
    """After kill -9 at random moments, the resumed output is that of an undisturbed run, byte for byte."""
    whole, out = tmp_path / f"whole_{name}", tmp_path / name
    # The kernel finishes a few thousand before anyone could kill it.
    puzzles.write_text(puzzles.read_text() * 3 * (1 if options else TIMES[name]))
    begun = time.perf_counter()
    assert ended(start("solve", puzzles, "--out", whole, *options))[0] == 2
    usual = time.perf_counter() - begun
    for _ in range(5):
        process = start("solve", puzzles, "--out", out, "--resume", *options)
        time.sleep(random.uniform(0.2, 0.9) * usual)  # noqa: S311
        process.kill()
        process.communicate()
        if not Path(f"{out}.resume").exists():
            out.unlink(missing_ok=True)  # it was quicker
    code, err = ended(start("solve", puzzles, "--out", out, "--resume", *options))
    assert code == 2, err
    assert told(out, unpacked) == told(whole, unpacked)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["in.txt", out.name, whole.name])


VARIANTS = ("killer", "thermometer", "kropki", "anti-knight", "skyscraper", "renban", "jigsaw", "sandwich", "arrow", "x-sum")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.parquet"])
def test_killed_runs_over_other_rules_go_on_to_the_same_bytes(start, tmp_path, unpacked, name: str, workers: int) -> None:
    """Whichever engine answers first, however often the run is killed and on however many cores, the output is the same."""
    examples = Path(__file__).parents[2] / "examples" / "variants"
    source, whole, out = tmp_path / "in.jsonl", tmp_path / f"whole_{name}", tmp_path / name
    source.write_text("".join((examples / f"{kind}.jsonl").read_text() for kind in VARIANTS) * 6)
    assert ended(start("solve", source, "--out", whole, "--workers", 2))[0] == 0
    for _ in range(4):
        process = start("solve", source, "--out", out, "--resume", "--workers", workers)
        time.sleep(random.uniform(1.5, 4))  # noqa: S311
        process.kill()
        process.communicate()
    assert ended(start("solve", source, "--out", out, "--resume", "--workers", workers))[0] == 0
    assert told(out, unpacked) == told(whole, unpacked)


@pytest.mark.parametrize("options", [("--backend", "sat"), ()], ids=["processes", "threads"])
def test_ctrl_c_leaves_what_was_done(start, puzzles, tmp_path, options) -> None:
    """An interrupt ends the run with 130, says how to resume, and leaves a journal."""
    puzzles.write_text(puzzles.read_text() * 60)
    out = tmp_path / "o.csv"
    process = start("solve", puzzles, "--out", out, *options)
    while not grown(out, 200_000):
        time.sleep(0.02)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    code, err = ended(process)
    assert code == 130
    assert f"what was done is kept in {out}.part: --resume goes on with it" in err
    assert not out.exists()
    assert "Error" not in err
    journal = (tmp_path / "o.csv.resume").read_text()
    assert '"records"' in journal


@pytest.fixture
def killer(tmp_path) -> dict[str, str]:
    """Return an environment in which an engine ``killer`` is installed."""
    home = tmp_path / "site"
    info = home / "killer-1.dist-info"
    info.mkdir(parents=True)
    (home / "killer_engine.py").write_text(KILLER)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: killer\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[sudoku_cp.backends]\nkiller = killer_engine:Killer\n")
    return {"PYTHONPATH": str(home), "KILLER_ONCE": str(tmp_path / "once"), "KILLER_ALWAYS": ""}


def told_statuses(path: Path) -> list[str]:
    """Return the status of every record."""
    return [line.split("\t")[1] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("where", [("--workers", "2"), pytest.param(("--cluster", "local:2"), marks=pytest.mark.slow)])
@pytest.mark.parametrize("always", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_worker_that_is_killed_loses_nothing(start, tmp_path, killer, always: bool, where) -> None:
    """A killed worker's puzzles are answered by another; one that kills every worker becomes an error, the others do not."""
    if where[0] == "--cluster":
        pytest.importorskip("distributed")
    lines = [HARD] * 300
    lines[123] = NINE
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "once").touch()
    environment = {**killer, "KILLER_ALWAYS": "yes" if always else ""}
    out = tmp_path / "o.txt"
    code, err = ended(start("solve", tmp_path / "in.txt", "--out", out, "--backend", "killer", *where, environment=environment))
    found = told_statuses(out)
    assert len(found) == 300
    assert not (tmp_path / "once").exists()
    assert found[123] == ("error" if always else "multiple")
    assert set(found[:123] + found[124:]) == {"unique"}
    assert code == (2 if always else 1), err


@pytest.mark.slow
def test_a_cluster_answers_what_we_answer(start, puzzles, tmp_path) -> None:
    """A cluster writes the same output as this machine alone."""
    pytest.importorskip("distributed")
    for name, options in [("one.csv", ()), ("two.csv", ("--cluster", "local:2"))]:
        code, err = ended(start("solve", puzzles, "--out", tmp_path / name, *options))
        assert code == 2, err
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


@pytest.mark.slow
def test_a_lost_cluster_is_told_and_can_be_gone_on_from(start, puzzles, tmp_path) -> None:
    """When the scheduler dies the run ends with 2 and a clear message, and can be resumed without a cluster."""
    pytest.importorskip("distributed")
    known = tmp_path / "scheduler.json"
    call = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", known]
    puzzles.write_text(puzzles.read_text() * 9)
    out = tmp_path / "o.csv"
    options = ("--backend", "sat")
    with subprocess.Popen(call, stderr=subprocess.DEVNULL) as scheduler:
        _wait_for(known.exists)
        call = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            "--scheduler-file",
            known,
            "--no-dashboard",
            "--nthreads",
            "1",
        ]
        with subprocess.Popen(call, stderr=subprocess.DEVNULL) as worker:
            address = json.loads(known.read_text())["address"]
            process = start("solve", puzzles, "--out", out, *options, "--cluster", address)
            _wait_for(lambda: grown(out, 100_000))
            scheduler.kill()
            code, err = ended(process)
            worker.terminate()
    assert code == 2
    assert "cluster is lost" in err
    assert ended(start("solve", puzzles, "--out", out, *options, "--resume"))[0] == 2
    assert len(out.read_text().splitlines()) == 18_001


def _wait_for(there: Callable[[], bool]) -> None:
    for _ in range(600):
        if there():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come")


def test_a_full_disk_is_told_and_can_be_gone_on_from(start, puzzles, tmp_path) -> None:
    """When the disk is full the run ends with 2 and a clear message, and can be resumed when there is room."""
    out = tmp_path / "o.csv"
    puzzles.write_text("".join(puzzles.read_text().splitlines(keepends=True)[:600]))
    limited = ["sh", "-c", f'ulimit -f 100; exec {sys.executable} -m sudoku_cp solve "{puzzles}" --out "{out}" --backend sat']
    done = subprocess.run(limited, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    assert "expected a file that can be written, got File too large" in done.stderr
    assert "--resume" in done.stderr
    assert ended(start("solve", puzzles, "--out", out, "--resume", "--backend", "sat"))[0] == 2
    assert len(out.read_text().splitlines()) == 601


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_no_space_left_is_told(start, puzzles, tmp_path) -> None:
    """The system's own message about a full disk is reported."""
    (tmp_path / "o.csv").symlink_to("/dev/full")
    code, err = ended(start("solve", puzzles, "--out", tmp_path / "o.csv"))
    assert code == 2
    assert "No space left" in err
    assert "--resume" not in err
    assert not (tmp_path / "o.csv.resume").exists()


def test_workers_do_not_outlive_their_parent(start, puzzles, tmp_path) -> None:
    """When a run is killed, its worker processes end too."""
    process = start("solve", puzzles, "--out", tmp_path / "o.csv", "--backend", "sat", "--workers", 2, start_new_session=True)
    while not grown(tmp_path / "o.csv", 10_000):
        time.sleep(0.05)
        assert process.poll() is None
    process.kill()
    process.communicate()
    for _ in range(100):
        if not _alive(process.pid):
            return
        time.sleep(0.1)
    raise AssertionError(_alive(process.pid))


def _alive(session: int) -> list[str]:
    """Return the processes of a session that have not ended."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(status.parent.name)
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measuring memory needs /proc")
def test_memory_stays_bounded(tmp_path, puzzle_lines) -> None:
    """A file eight times as long takes no more memory."""
    text = "".join(f"{line}\n" for line in puzzle_lines("17clue.txt.gz")[:5000])
    most = []
    for times in (20, 160):
        with (tmp_path / "in.txt").open("w") as file:
            file.writelines([text] * times)
        # Not getrusage's maximum, which starts at the parent's memory.
        code = "import sys; from sudoku_cp.batch import solve_files; "
        code += "solve_files(sys.argv[1:2], sys.argv[2], workers=2, force=True); "
        code += "print(*[line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')])"
        call = [sys.executable, "-c", code, tmp_path / "in.txt", tmp_path / f"{times}.csv"]
        subprocess.run(call, capture_output=True, timeout=600, check=True)  # compiles, the first time
        most.append(int(subprocess.run(call, capture_output=True, text=True, timeout=600, check=True).stdout))
    assert most[1] < most[0] + 60_000
    assert most[1] < 500_000


# --- in flight --------------------------------------------------------------------------------------------------------


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
