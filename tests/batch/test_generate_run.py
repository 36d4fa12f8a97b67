"""A run that generates writes the same bytes, whatever its workers and however often it is interrupted."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import batch
from sudoku_cp.audit import audit
from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.batch import generate_run
from sudoku_cp.batch.file_run import Callbacks
from sudoku_cp.batch.generate_run import GenerateTask, NumberRange, Shard, parse_generated_output, parse_shard
from sudoku_cp.errors import BackendFailed, InvalidInput, LimitReached
from sudoku_cp.formats import FORMATS, read_puzzles, read_records
from sudoku_cp.generate import chunks
from sudoku_cp.generate.request_parsing import parse_request
from sudoku_cp.logic.difficulty_level import level_of
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    import subprocess

OPTIONS = {"seed": 5, "minimal": True}


def manifest(path: Path) -> dict:
    """Return the manifest of a run."""
    return json.loads(path.with_name(f"{path.name}.manifest.json").read_text())


def made(path: Path, number: int = 60, **options) -> batch.RunSummary:
    """Generate a run of puzzles."""
    return batch.generate_files(number, path, **OPTIONS | options)


@pytest.fixture
def cautious(monkeypatch, quick_checkpoints) -> None:
    """Small chunks, with a checkpoint after each."""
    monkeypatch.setattr(generate_run, "ChunkSize", lambda _most: chunks.ChunkSize(8))


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl", "x.txt.gz", "x.sdm", "x.json", "x.sdk"])
def test_what_is_written_can_be_read_and_nothing_is_wrong_with_it(tmp_path, name: str) -> None:
    """Each puzzle is written once, is unique and minimal, and belongs to its number; its solution is right."""
    number = 1 if name == "x.sdk" else 40
    assert made(tmp_path / name, number).records == number
    found = list(audit(read_records(tmp_path / name)))
    assert [one.findings for one in found] == [()] * number
    made(tmp_path / "lines.txt", number)
    lines = (tmp_path / "lines.txt").read_text().split()
    assert [one.record.puzzle.line() for one in found] == lines


def test_the_table_tells_how_hard_each_puzzle_is(tmp_path) -> None:
    """A run of several difficulties has as many of each as requested, and states the difficulty of each puzzle."""
    made(tmp_path / "x.csv", 30, difficulty="easy:10,medium:5,hard:15", minimal=False)
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text().splitlines()))
    assert Counter(row["difficulty"] for row in rows) == {"easy": 10, "medium": 5, "hard": 15}
    assert all(str(level_of(Puzzle.parse(row["puzzle"]))) == row["difficulty"] for row in rows)
    assert manifest(tmp_path / "x.csv")["wishes"]["difficulty"] == "easy:10,medium:5,hard:15"
    made(tmp_path / "x.jsonl", 1, size=4, rules="killer", minimal=False)
    assert json.loads((tmp_path / "x.jsonl").read_text())["difficulty"] in {"easy", "medium", "hard"}
    made(tmp_path / "clues.csv", 1, size=4, rules="killer", minimal=False)
    (row,) = csv.DictReader((tmp_path / "clues.csv").read_text().splitlines())
    assert row["difficulty"] == json.loads((tmp_path / "x.jsonl").read_text())["difficulty"]


def test_parquet_holds_what_the_table_holds(tmp_path) -> None:
    """A Parquet file has the same columns as a table."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("x.parquet", "x.csv"):
        made(tmp_path / name)
    found = parquet.read_table(tmp_path / "x.parquet").to_pylist()
    told = [{name: "" if value is None else str(value) for name, value in row.items()} for row in found]
    assert told == list(csv.DictReader((tmp_path / "x.csv").read_text().splitlines()))
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".json", ".json", ".parquet"]


@pytest.mark.parametrize("kind", ["text", "csv", "jsonl"])
def test_arrays_and_single_puzzles_are_told_alike(tmp_path, monkeypatch, kind: str) -> None:
    """Lines made from arrays equal those made puzzle by puzzle."""
    name = {"text": "x.txt"}.get(kind, f"x.{kind}")
    whole = {"symmetry": "rot180", "prove": 0.5, "minimal": False}
    made(tmp_path / name, **whole)
    first = (tmp_path / name).read_bytes()
    monkeypatch.setattr("sudoku_cp.batch.rows.generated_format._ARRAY_KINDS", frozenset())
    made(tmp_path / name, **whole, force=True)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("few", [pytest.param(0, marks=pytest.mark.slow), 10_000], ids=["processes", "threads"])
def test_the_number_of_workers_changes_nothing(tmp_path, monkeypatch, cautious, workers: int, few: int) -> None:
    """Threads or processes, one or four, write the same bytes and the same manifest."""
    monkeypatch.setattr(generate_run, "FEW", few)
    monkeypatch.setattr(generate_run, "SMALL", 0)
    assert made(tmp_path / "x.txt", workers=workers).counts["proved fast:scalar"] == 60
    digest = hashlib.sha256((tmp_path / "x.txt").read_bytes()).hexdigest()
    batch.generate_files(60, tmp_path / "alone.txt", **OPTIONS, workers=1)
    assert digest == manifest(tmp_path / "x.txt")["file"]["sha256"] == manifest(tmp_path / "alone.txt")["file"]["sha256"]


@pytest.mark.parametrize("options", [{}, {"difficulty": "easy:20,hard:30", "minimal": False}])
def test_shards_together_are_the_whole_run(tmp_path, options) -> None:
    """Each number is in one shard, and its puzzle is that of the whole run."""
    made(tmp_path / "x.txt", 50, **options)
    whole = (tmp_path / "x.txt").read_text().split()
    for number in (1, 2, 3):
        made(tmp_path / f"{number}.txt", 50, shard=f"{number}/3", **options)
        assert (tmp_path / f"{number}.txt").read_text().split() == whole[number - 1 :: 3]


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_shards_that_are_none_are_refused(text: str) -> None:
    """A shard is numbered from 1 to the number of shards."""
    with pytest.raises(InvalidInput, match="2/4"):
        parse_shard(text)
    assert str(parse_shard("2/4")) == "2/4"
    assert parse_shard("2/4") == Shard(1, 4)


# --- ends -------------------------------------------------------------------------------------------------------


class StopError(Exception):
    """An unforeseen error."""


MIXED = {"difficulty": "easy:40,hard:20", "minimal": False}


@pytest.mark.parametrize(
    ("name", "options"), [("x.txt", {}), ("x.jsonl", {}), ("x.sdm", {}), ("x.csv.gz", {}), ("mixed.csv", MIXED)]
)
def test_a_run_goes_on_where_it_was_left(tmp_path, unpacked, cautious, name: str, options) -> None:
    """A run that is stopped again and again writes the output of one run, and leaves no other files."""

    def stop(index, part) -> None:
        if index >= before + 20:
            raise StopError

    before = 0
    while True:
        try:
            made(tmp_path / name, resume=True, callbacks=Callbacks(generated=stop), **options)
            break
        except StopError:
            assert batch.is_unfinished(tmp_path / name)
            told = (tmp_path / f"{name}.resume").read_text().splitlines()
            before = json.loads(told[-1].rpartition(" ")[0])["records"]
            assert before
    made(tmp_path / f"whole_{name}", **options)
    assert unpacked(tmp_path / name) == unpacked(tmp_path / f"whole_{name}")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [name, f"{name}.manifest.json", f"whole_{name}", f"whole_{name}.manifest.json"]
    )


def test_a_run_that_goes_on_knows_its_seed_and_its_puzzles(tmp_path, cautious) -> None:
    """Without --seed the unfinished run's seed is used; what was written before counts as seen; another request is refused."""

    def stop(index, _part) -> None:
        if index >= 20:
            raise StopError

    options = {"size": 4, "minimal": True}
    with pytest.raises(StopError):
        batch.generate_files(30, tmp_path / "x.txt", **options, callbacks=Callbacks(generated=stop))
    assert (tmp_path / "x.txt.seen").stat().st_size >= 16 * 16
    with pytest.raises(InvalidInput, match="without an unfinished run"):
        batch.generate_files(30, tmp_path / "x.txt", **options)
    with pytest.raises(InvalidInput, match="wishes"):
        batch.generate_files(30, tmp_path / "x.txt", size=4, resume=True)
    batch.generate_files(30, tmp_path / "x.txt", **options, resume=True)
    found = list(audit(read_records(tmp_path / "x.txt")))
    assert len(found) == 30
    assert {finding.kind for one in found for finding in one.findings} <= {"same-solution"}  # there are 288 grids of 4x4


def test_a_limit_keeps_what_was_found(tmp_path, monkeypatch) -> None:
    """When no new puzzles are found, the run ends with a reason; the output is whole, and the run is reported as incomplete."""
    monkeypatch.setattr(chunks, "PATIENCE", 200)
    summary = batch.generate_files(100, tmp_path / "x.sdk.txt", size=4, minimal=True, seed=1)
    assert summary.limit_reached is not None
    assert 10 < summary.records < 37
    assert len((tmp_path / "x.sdk.txt").read_text().split()) == summary.records
    assert manifest(tmp_path / "x.sdk.txt")["complete"] is False
    assert batch.is_unfinished(tmp_path / "x.sdk.txt")


@pytest.fixture
def over(monkeypatch) -> Callbacks:
    """Return callbacks that end the time of a run, however long it is, once the first puzzles are written."""
    now = [0.0]
    monkeypatch.setattr(generate_run, "time_without_loading", lambda: now[-1])
    return Callbacks(generated=lambda _index, _part: now.append(1e9))


def test_the_time_for_the_whole_run_ends_it(tmp_path, over) -> None:
    """When the time is over, the puzzles so far are kept, and they are the first of the whole run."""
    summary = made(tmp_path / "x.txt", 10_000_000, prove=0, stop_after=60, callbacks=over)
    assert summary.limit_reached is not None
    assert summary.limit_reached.reason == "deadline"
    lines = (tmp_path / "x.txt").read_text().split()
    assert len(lines) == summary.records > 0
    made(tmp_path / "y.txt", len(lines), prove=0)
    assert (tmp_path / "y.txt").read_text().split() == lines


@pytest.mark.parametrize("seconds", [0.0, 1e12, float("inf")])
def test_any_time_for_the_whole_run_is_taken(tmp_path, seconds: float) -> None:
    """No time at all leaves no output; more than any clock can count is no limit."""
    summary = made(tmp_path / "x.txt", 3, stop_after=seconds)
    assert summary.records == (3 if seconds else 0)
    assert (tmp_path / "x.txt").exists() == bool(seconds)


def test_the_time_of_the_run_ends_what_others_make(monkeypatch) -> None:
    """A worker gets a cancellation that fires when the time of the run is over, without a message from the run."""
    monkeypatch.setattr(generate_run, "generate_chunk", lambda _generator, _seed, _numbers, _share, limits: limits.cancel)
    task = GenerateTask(parse_request(minimal=True), 1, 10**6, 1.0)
    assert not task.run(NumberRange(range(5), time.time() + 1000)).cancelled
    late = task.run(NumberRange(range(5), time.time() - 1))
    while not late.cancelled:  # by a thread
        time.sleep(0.001)


@pytest.mark.slow
def test_what_was_proved_in_time_is_handed_over() -> None:
    """When the time is over, a worker returns the puzzles that were proved by then."""
    task = GenerateTask(parse_request(minimal=True), 1, 10**6, 1.0)
    task.run(NumberRange(range(1)))
    part = task.run(NumberRange(range(5000), time.time() + 1.0))
    assert part.cut is not None
    assert 0 < sum(map(len, part.parts)) < 5000


def test_a_run_of_some_seconds_starts_no_processes(tmp_path, monkeypatch, over) -> None:
    """The run would be over before they had started."""
    monkeypatch.setattr("sudoku_cp.batch.worker_pool.ProcessPoolExecutor", None)
    assert made(tmp_path / "x.txt", 10**6, stop_after=1.0, callbacks=over).records > 0


@pytest.mark.parametrize("to", [None, "line"])
def test_what_is_no_file_is_left_alone(tmp_path, to: str | None) -> None:
    """A pipe (or a device) is refused and left unchanged, and no file is written beside it."""
    os.mkfifo(tmp_path / "x.txt")
    with pytest.raises(InvalidInput, match="regular file"):
        made(tmp_path / "x.txt", 1, to=to, force=True)
    assert [path.is_fifo() for path in tmp_path.iterdir()] == [True]


@pytest.mark.parametrize("name", ["x.txt", "x.sdm"])
def test_a_finished_run_has_nothing_to_go_on_with(tmp_path, name: str) -> None:
    """With resume a whole output is reported as finished, with its seed; only force replaces it, foreign or not."""
    out = tmp_path / name
    made(out, 20)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for seed in ({}, {"seed": 5}):
        summary = batch.generate_files(20, out, minimal=True, resume=True, **seed)
        assert (summary.already, summary.records, summary.limit_reached) == (True, 20, None)
    with pytest.raises(InvalidInput, match="or `force` to replace it"):
        made(out, 20)
    for other in ({"number": 21}, {"seed": 6}, {"minimal": False}, {"to": "json"}):
        with pytest.raises(InvalidInput, match="which is neither"):
            made(out, **({"number": 20, "resume": True} | other))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    out.write_bytes(before[name][:-1])
    with pytest.raises(InvalidInput, match="which is neither"):
        made(out, 20, resume=True)
    made(out, 20, force=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_is_no_manifest_is_left_alone(tmp_path) -> None:
    """An unrelated file with the name of a manifest is refused, whatever the options."""
    (tmp_path / "x.txt.manifest.json").write_text("{}")
    for options in ({}, {"force": True}, {"resume": True}):
        with pytest.raises(InvalidInput, match="expected the manifest of a run, or no file"):
            made(tmp_path / "x.txt", 1, **options)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["{}"]


def test_a_cancelled_run_can_be_gone_on_with(tmp_path, cautious) -> None:
    """A cancellation raises, and the work so far is kept."""
    cancel = Cancellation()
    with pytest.raises(LimitReached, match="cancelled"):
        made(
            tmp_path / "x.txt", limits=Limits(cancel=cancel), callbacks=Callbacks(generated=lambda _index, _part: cancel.cancel())
        )
    assert made(tmp_path / "x.txt", resume=True).before > 0


def test_a_lost_key_file_is_told(tmp_path, cautious) -> None:
    """A run whose keys are lost does not resume as if nothing had been written."""

    def stop(index, _part) -> None:
        if index >= 20:
            raise StopError

    with pytest.raises(StopError):
        made(tmp_path / "x.txt", callbacks=Callbacks(generated=stop))
    (tmp_path / "x.txt.seen").write_bytes(b"")
    with pytest.raises(InvalidInput, match="expected the keys"):
        made(tmp_path / "x.txt", resume=True)


def test_a_number_that_ends_every_worker_is_told() -> None:
    """A puzzle that no worker can make is an error, not replaced by another."""
    task = GenerateTask(parse_request(), 1, 10, 1.0)
    with pytest.raises(BackendFailed, match="puzzle 7"):
        task.result_after_loss(NumberRange(range(7, 8)))


# --- names and numbers ------------------------------------------------------------------------------------------


def test_the_manifest_says_all(tmp_path) -> None:
    """It has seed, version, request, counts, the number of proofs by each engine, and the hash of the output, but no times."""
    made(tmp_path / "x.txt", 100, prove=0.2, symmetry="rot180", minimal=False)
    data = manifest(tmp_path / "x.txt")
    assert data["seed"] == 5
    assert data["wishes"]["symmetry"] == "rot180"
    assert (data["puzzles"], data["count"], data["complete"], data["yield"]) == (100, 100, True, 1.0)
    assert 5 < data["uniqueness"]["puzzles proved"] == data["uniqueness"]["proved by"]["fast:scalar"] < 40
    assert data["file"]["sha256"] == hashlib.sha256((tmp_path / "x.txt").read_bytes()).hexdigest()
    assert not {"seconds", "date", "time"} & set(data)


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.write])
def test_every_format_can_be_asked_for(name: str) -> None:
    """Every format that can be written can be requested by name, whatever the file is called."""
    assert parse_generated_output(Path("x.whatever"), name)[0] == "json"


@pytest.mark.parametrize(("name", "to"), [("x.docx", None), ("x", None), ("x.txt", "nonsense"), ("x.gz", None)])
def test_other_names_are_refused(tmp_path, name: str, to: str | None) -> None:
    """An unknown ending or format is refused before anything is generated."""
    with pytest.raises(InvalidInput):
        made(tmp_path / name, to=to)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"prove": 1.5}, {"shard": "3/2"}, {"givens": 3}, {"number": -1}])
def test_wrong_numbers_touch_nothing(tmp_path, wrong) -> None:
    """An impossible run is refused before anything is touched."""
    with pytest.raises(InvalidInput):
        made(tmp_path / "x.txt", **{"number": 1} | wrong)
    assert not list(tmp_path.iterdir())


# --- through processes ------------------------------------------------------------------------------------------


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait until the command has ended successfully."""
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [("--cross-check", "0.001", "-n", "60000"), ("-n", "6000"), ("--rules", "killer", "--size", "4", "-n", "20")]
)
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_killed_at_any_moment_nothing_is_lost(start, tmp_path, options, workers: int) -> None:
    """After kill -9 at random moments, the resumed output is that of an undisturbed run, byte for byte."""
    whole, out = tmp_path / "whole.txt", tmp_path / "x.txt"
    begun = time.perf_counter()
    finish(start("generate", *options, "--seed", 7, "--out", whole))
    usual = time.perf_counter() - begun
    for _ in range(4):
        process = start("generate", *options, "--seed", 7, "--out", out, "--resume", "--workers", workers)
        time.sleep(random.uniform(0.3, 0.8) * usual)  # noqa: S311
        process.kill()
        process.communicate()
        if not Path(f"{out}.resume").exists():
            out.unlink(missing_ok=True)  # it was quicker
    process = start("generate", *options, "--seed", 7, "--out", out, "--resume", "--workers", workers)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err.decode()
    assert out.read_bytes() == whole.read_bytes()
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_what_was_done(start, tmp_path, end: signal.Signals) -> None:
    """An interrupt, or SIGTERM as a job queue sends it, ends the run with 130 and a message on how to resume."""
    out = tmp_path / "x.txt"
    process = start("generate", "-n", 10_000_000, "--cross-check", 0, "--seed", 1, "--out", out)
    part = out.with_name("x.txt.part")
    while not (part.exists() and part.stat().st_size > 10_000):
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(end)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"kept in {part}: --resume goes on".encode() in err
    assert not out.exists()
    assert b"Traceback" not in err
    assert b"leaked" not in err
    assert Path(f"{out}.resume").exists()


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(start, tmp_path) -> None:
    """A killed worker's numbers are generated by another, and the bytes are the same."""
    out = tmp_path / "x.txt"
    options = ("-n", 20_000, "--seed", 1, "--workers", 2)
    finish(start("generate", *options, "--out", tmp_path / "whole.txt"))
    process = start("generate", *options, "--out", out)
    part = out.with_name("x.txt.part")
    while not (part.exists() and part.stat().st_size > 300_000):
        time.sleep(0.05)
        assert process.poll() is None
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [int(one) for one in children] + [
        int(one) for child in children for one in Path(f"/proc/{child}/task/{child}/children").read_text().split()
    ]
    os.kill(workers[-1], signal.SIGKILL)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err.decode()
    assert out.read_bytes() == (tmp_path / "whole.txt").read_bytes()


def test_puzzles_read_back_are_those_that_were_made(tmp_path) -> None:
    """Boards with other rules are read back with them, from lines and objects alike."""
    for name in ("x.txt", "x.jsonl"):
        batch.generate_files(1, tmp_path / name, size=4, rules="killer", seed=1)
    one, other = (next(iter(read_puzzles(tmp_path / name))) for name in ("x.txt", "x.jsonl"))
    assert isinstance(one, Puzzle)
    assert one == other
    assert "killer-cage" in {rule.kind for rule in one.rules}
