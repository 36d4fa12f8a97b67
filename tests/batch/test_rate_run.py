"""Runs that rate: every record once and in order, resumable at any point."""

from __future__ import annotations

import csv
import random
import time
from pathlib import Path

import pytest

from sudoku_cp import batch
from sudoku_cp.batch import rate_run
from sudoku_cp.batch.rate_run import RateRequest, RateTask
from sudoku_cp.batch.rows.row_format import ChunkEntry, RecordList
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record
from sudoku_cp.puzzle import Puzzle

QUICK = {"scales": "words,hodoku", "workers": 1}


@pytest.fixture
def some(tmp_path, puzzle_lines) -> Path:
    """Twelve puzzles, one of them unreadable."""
    lines = puzzle_lines("generated_minimal_50k.txt.gz")[:12]
    lines[5] = "rubbish"
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def in_this_process(monkeypatch) -> None:
    """Start no processes, which take a second or two each."""
    monkeypatch.setattr(rate_run, "FEW", 1000)


@pytest.mark.parametrize("name", ["o.txt", "o.csv", "o.jsonl", "o.jsonl.gz", "o.csv.bz2", "o.txt.xz"])
def test_every_kind_tells_every_record_in_order(in_this_process, mixed, tmp_path, unpacked, name: str) -> None:
    """Boards of two sizes and a line that cannot be read: each has its row in its place."""
    summary = batch.rate_files([mixed], tmp_path / name, scales="words")
    text = unpacked(tmp_path / name).decode()
    assert summary.counts == {"ok": 2, "multiple": 3, "none": 1, "error": 1}
    assert len(text.splitlines()) == 7 + (".csv" in name)
    assert "line 6" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([mixed.name, name])


def test_a_stopped_run_goes_on_to_the_same_bytes(some, tmp_path, quick_checkpoints, unpacked) -> None:
    """A run that ends in the midst of its input is resumed where it was; one of other scales is another run."""
    whole, out = tmp_path / "whole.csv.gz", tmp_path / "o.csv.gz"
    batch.rate_files([some], whole, **QUICK)
    seen: list[int] = []

    def stop(done: batch.Progress) -> None:
        seen.append(done.records)
        if done.records > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.rate_files([some], out, **QUICK, callbacks=batch.Callbacks(stop))
    assert batch.is_unfinished(out)
    with pytest.raises(InvalidInput, match=r"scales .* \(now \['words'\]\)"):
        batch.rate_files([some], out, scales="words", resume=True)
    summary = batch.rate_files([some], out, **QUICK, resume=True)
    assert (summary.before, summary.records) == (seen[-1], 12)
    assert 0 < summary.before < 12
    assert unpacked(out) == unpacked(whole)
    assert batch.rate_files([some], out, **QUICK, resume=True).already


def test_a_puzzle_that_kills_every_worker_is_an_error(puzzle_lines) -> None:
    """Its row says so."""
    puzzle = Puzzle.parse(puzzle_lines("norvig_top95.txt")[0])
    chunk = RecordList((ChunkEntry(Record(puzzle, None, 1)),))
    result = RateTask(RateRequest(kind="csv")).result_after_loss(chunk)
    assert result.counts == {"error": 1}
    assert b"every worker" in bytes(result.body)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["o.csv", "o.jsonl.gz"])
def test_killed_at_any_moment_nothing_is_lost(start, puzzle_lines, tmp_path, unpacked, name: str) -> None:
    """After kill -9 at random moments, the resumed output is that of an undisturbed run, byte for byte."""
    source, whole, out = tmp_path / "in.txt", tmp_path / f"whole_{name}", tmp_path / name
    source.write_text("".join(f"{line}\n" for line in puzzle_lines("generated_minimal_50k.txt.gz")[:1000]))
    options = ("--scale", "words", "--workers", 2)
    begun = time.perf_counter()
    process = start("rate", source, "--out", whole, *options)
    assert process.communicate()[1].count(b"1,000 rated") == 1
    usual = time.perf_counter() - begun
    for _ in range(4):
        process = start("rate", source, "--out", out, "--resume", *options)
        time.sleep(random.uniform(0.2, 0.8) * usual)  # noqa: S311
        process.kill()
        process.communicate()
        if not Path(f"{out}.resume").exists():
            out.unlink(missing_ok=True)  # it was quicker
    process = start("rate", source, "--out", out, "--resume", *options)
    process.communicate()
    assert process.returncode == 0
    assert unpacked(out) == unpacked(whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["in.txt", out.name, whole.name])


def test_parquet_holds_what_the_table_holds(in_this_process, mixed, tmp_path) -> None:
    """The same columns and rows, numbers as numbers, and nothing where the table is empty; the columns of the input are kept."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("o.parquet", "o.csv"):
        batch.rate_files([mixed], tmp_path / name, scales="words,proof", ways=True)
    rows = parquet.read_table(tmp_path / "o.parquet").to_pylist()
    with (tmp_path / "o.csv").open() as file:
        expected = list(csv.DictReader(file))
    assert len(rows) == len(expected) == 7
    for row, texts in zip(rows, expected, strict=True):
        assert list(row) == list(texts)
        for name, value in row.items():
            text = {True: "yes", False: "no", None: ""}.get(value, texts[name]) if isinstance(value, bool | None) else texts[name]
            assert texts[name] == text
            assert value is None or isinstance(value, bool | str) or float(text) == value
    kept = batch.rate_files([tmp_path / "o.csv"], tmp_path / "again.parquet", scales="words", strict=False)
    names = parquet.read_schema(tmp_path / "again.parquet").names
    assert kept.records == 7
    assert names[: len(rows[0])] == list(rows[0])
    assert names[len(rows[0]) :][:2] == ["status_2", "word_2"]


def test_a_finished_parquet_file_is_known(in_this_process, mixed, tmp_path) -> None:
    """A run that is complete is not made again; one of other columns is."""
    pytest.importorskip("pyarrow.parquet")
    batch.rate_files([mixed], tmp_path / "o.parquet", scales="words")
    before = (tmp_path / "o.parquet").stat().st_mtime_ns
    batch.rate_files([mixed], tmp_path / "o.parquet", scales="words", resume=True)
    assert (tmp_path / "o.parquet").stat().st_mtime_ns == before
