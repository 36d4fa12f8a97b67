"""A run writes every answer once and in order, whatever its input and however it is interrupted."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from itertools import pairwise
from pathlib import Path

import pytest

from sudoku_cp import batch
from sudoku_cp.backends import Cancellation, Limits, backend
from sudoku_cp.backends.fast import shape_of
from sudoku_cp.backends.race import Race, RaceSession
from sudoku_cp.batch.journal import Checkpoint, Journal
from sudoku_cp.batch.rows import array_rows, reader, run_output
from sudoku_cp.batch.rows.row_format import InputPosition
from sudoku_cp.errors import BackendMissing, InvalidInput, LimitReached
from sudoku_cp.formats import read_puzzles
from sudoku_cp.formats.table_rows import escape_cell
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.queries import solution_search

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
KINDS = ["out.txt", "out.csv", "out.jsonl", "out.ndjson", "out.txt.gz", "out.csv.bz2", "out.jsonl.xz"]
STATUSES = ["unique", "multiple", "multiple", "error", "none", "multiple", "unique"]


def rows(path: Path) -> list[dict[str, str]]:
    """Return a table's rows."""
    return list(csv.DictReader(io.StringIO(path.read_text())))


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_tells_every_record_in_order(mixed, tmp_path, unpacked, name: str) -> None:
    """Boards of two sizes, titles, and a line that cannot be read: each has its answer in its place."""
    summary = batch.solve_files([mixed], tmp_path / name)
    text = unpacked(tmp_path / name).decode()
    kind = Path(name).suffixes[0]
    if kind == ".csv":
        found = [row["status"] for row in csv.DictReader(io.StringIO(text))]
    elif kind == ".txt":
        found = [line.split("\t")[1] for line in text.splitlines()]
    else:
        found = [json.loads(line)["status"] for line in text.splitlines()]
    assert found == STATUSES
    assert summary.records == 7
    assert summary.counts == {"unique": 2, "multiple": 3, "none": 1, "error": 1}
    assert "line 6" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([mixed.name, name])


def test_parquet_holds_what_the_table_holds(mixed, tmp_path) -> None:
    """A Parquet file has the same columns as a table, with nulls for empty fields."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("out.parquet", "out.csv"):
        batch.solve_files([mixed], tmp_path / name)
    found = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    told = [{name: "" if value is None else str(value) for name, value in row.items()} for row in found]
    assert told == rows(tmp_path / "out.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mixed.txt", "out.csv", "out.parquet"]


def test_json_is_what_the_command_answers(mixed, tmp_path, capsys) -> None:
    """A JSON object has the fields of ``--json``, in their order, except seconds and counters."""
    batch.solve_files([mixed], tmp_path / "out.jsonl")
    told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert list(told[0]) == ["index", "puzzle", "status", "solutions", "count", "exact", "backend"]
    assert [one["index"] for one in told] == list(range(7))
    assert told[0]["solutions"] == [SOLVED]
    assert list(told[3]) == ["index", "status", "error"]


def test_columns_of_a_table_are_kept(tmp_path) -> None:
    """The input's header and columns come first, unchanged; ours are renamed where a name is taken."""
    table = f'id,puzzle,status,note\n7,{HARD},easy,"a, b"\n8,{HARD.replace(".", "0")},,\n9,123,x,y\n10,{HARD}\n'
    (tmp_path / "in.csv").write_text(table)
    batch.solve_files([tmp_path / "in.csv"], tmp_path / "out.csv")
    found = rows(tmp_path / "out.csv")
    assert list(found[0]) == ["id", "puzzle", "status", "note", "status_2", "count", "answer", "engine", "reason"]
    assert [row["status_2"] for row in found] == ["unique", "unique", "error", "unique"]
    assert [row["id"] for row in found] == ["7", "8", "9", "10"]
    assert [row["note"] for row in found] == ["a, b", "", "y", ""]
    assert found[1]["puzzle"] == HARD.replace(".", "0")
    assert found[0]["answer"] == found[1]["answer"] == SOLVED
    assert "81" in found[2]["reason"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("header", [None, ("key", "start", "rated")])
def test_columns_of_any_table_are_kept(tmp_path, delimiter: str, header: tuple[str, ...] | None) -> None:
    """Whatever separates the columns, and with or without names, all of them come first; no new cell is a formula."""
    table = [("0a", HARD, "7.2"), ("'b", HARD, "-1"), ("=d", HARD, "8")]
    names = header or ("column_1", "puzzle", "column_3")
    (tmp_path / "in.csv").write_text("".join(delimiter.join(row) + "\n" for row in [header, *table] if row))
    batch.solve_files([tmp_path / "in.csv"], tmp_path / "out.csv")
    written = (tmp_path / "out.csv").read_text().splitlines()
    found = list(csv.DictReader(written, delimiter="," if delimiter == " " else delimiter))
    assert [tuple(row[name] for name in names) for row in found] == [
        tuple(escape_cell(field) if delimiter == " " else field for field in row) for row in table
    ]
    assert [row["answer"] for row in found] == [SOLVED] * 3


def test_what_is_written_can_be_read(tmp_path) -> None:
    """A table of answers can be read as puzzles again, with our answers as stated solutions, and they are right."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 3)
    batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.csv")
    for puzzle in read_puzzles(tmp_path / "out.csv"):
        assert puzzle.line() == HARD
        assert puzzle.solution is not None
        assert puzzle.holds(puzzle.solution)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_system(tmp_path, ends: str) -> None:
    """Windows and old Mac line ends make no difference."""
    (tmp_path / "in.txt").write_bytes(f"{HARD}{ends}".encode() * 5)
    assert batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.csv").counts == {"unique": 5}


def test_several_inputs_are_one(tmp_path) -> None:
    """Plain and compressed files, JSON and streams follow each other, with continuous numbers."""
    (tmp_path / "one.txt").write_text(f"{HARD}\n" * 2)
    (tmp_path / "two.txt.gz").write_bytes(gzip.compress(f"{HARD}\n".encode()))
    (tmp_path / "three.json").write_text('{"format": "sudoku-cp puzzle", "version": 1, "givens": {"r1c1": 1}}\n')
    sources = [tmp_path / "one.txt", tmp_path / "two.txt.gz", tmp_path / "three.json", io.BytesIO(HARD.encode())]
    batch.solve_files(sources, tmp_path / "out.txt")
    told = [line.split("\t")[:2] for line in (tmp_path / "out.txt").read_text().splitlines()]
    assert told == [["0", "unique"], ["1", "unique"], ["2", "unique"], ["3", "multiple"], ["4", "unique"]]


def test_rules_and_shapes_go_to_other_engines(tmp_path) -> None:
    """Puzzles that are not plain are answered too, by engines that take rules."""
    (tmp_path / "in.txt").write_text(f"{'.' * 81}\n{'.' * 25}\n")
    options = {"rules": [{"kind": "windoku"}], "solution_limit": 1}
    batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.jsonl", **options)
    told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [one["status"] for one in told] == ["solved", "error"]
    assert told[0]["puzzle"]["rules"][-1]["kind"] == "windoku"


def test_nothing_to_read_is_told(tmp_path) -> None:
    """An empty input gives one error and a complete output."""
    (tmp_path / "in.txt").write_text("")
    assert batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.csv").counts == {"error": 1}
    assert "at least one puzzle" in rows(tmp_path / "out.csv")[0]["reason"]


@pytest.mark.parametrize("name", ["out", "out.foo", "out.gz", "out.parquet.gz", "nowhere/out.csv", "in.txt"])
def test_outputs_that_cannot_be_are_refused(tmp_path, name: str) -> None:
    """An unknown ending, a missing folder, or the input itself is an error, and nothing is touched."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n")
    with pytest.raises(InvalidInput, match="expected"):
        batch.solve_files([tmp_path / "in.txt"], tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]
    assert (tmp_path / "in.txt").read_text() == f"{HARD}\n"


@pytest.mark.parametrize(
    ("name", "taken"),
    [("x.txt", "x.txt"), ("x.txt", "x.txt.resume"), ("x.txt", "x.txt.part"), ("z.parquet", "z.parquet.rows")],
)
@pytest.mark.parametrize("kind", ["path", "link", "stream"])
def test_no_input_is_written_over(tmp_path, name: str, taken: str, kind: str) -> None:
    """An input that is the output, its journal or its partial file is refused: by name, through a link, and as a stream."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / taken).write_text(f"{HARD}\n")
    (tmp_path / "link.txt").hardlink_to(tmp_path / taken)
    with (tmp_path / taken).open("rb") as stream:
        source = {"path": str(tmp_path / taken), "link": tmp_path / "link.txt", "stream": stream}[kind]
        with pytest.raises(InvalidInput, match="expected an output that is not the input"):
            batch.solve_files([source], tmp_path / name, force=True)
    assert (tmp_path / taken).read_text() == f"{HARD}\n"
    assert {path.name for path in tmp_path.iterdir()} == {taken, "link.txt"}


@pytest.mark.parametrize("kind", [str, Path])
def test_inputs_that_cannot_be_opened_are_records_in_trouble(tmp_path, monkeypatch, kind) -> None:
    """A missing file, a directory, one without permission and a name with a NUL give an error each; other inputs are read."""
    (tmp_path / "folder").mkdir()
    for name in ("in.txt", "secret.txt"):
        (tmp_path / name).write_text(f"{HARD}\n")
    opened = Path.open

    def refusing(path: Path, *arguments, **options):
        if path.name == "secret.txt":
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refusing)
    names = ["in.txt", "missing.txt", "folder", "secret.txt", "n\0ul.txt", "in.txt"]
    batch.solve_files([kind(tmp_path / name) for name in names], tmp_path / "out.csv", workers=1)
    found = rows(tmp_path / "out.csv")
    assert [row["status"] for row in found] == ["unique", *["error"] * 4, "unique"]
    words = ["none of that name", "a directory", "permission denied", "NUL"]
    assert all(word in row["reason"] for word, row in zip(words, found[1:], strict=False))
    assert not (tmp_path / "out.csv.resume").exists()


def _longer_than_a_buffer(number: int) -> dict[str, str]:
    """Return files of that many puzzles in formats that are not read line by line."""
    grid = "\n".join(HARD[start : start + 9] for start in range(0, 81, 9))
    told = json.dumps(to_json(Puzzle.parse(HARD)))
    return {
        "json": f"{told}\n" * number,
        "euler": "".join(f"Grid {index:02}\n{grid.replace('.', '0')}\n" for index in range(1, number + 1)),
        "grid": "\n\n".join([grid] * number),
    }


@pytest.mark.parametrize("name", _longer_than_a_buffer(0))
def test_long_files_of_any_format_are_read(tmp_path, name: str) -> None:
    """Files longer than a reader's buffer are read to the end, whatever their format."""
    number = next(number for number in range(100, 1001, 100) if len(_longer_than_a_buffer(number)[name]) > 1 << 16)
    (tmp_path / "in.txt").write_text(_longer_than_a_buffer(number)[name])
    assert batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.txt").counts == {"unique": number}


def test_a_run_that_answers_nothing_leaves_everything_as_it_was(many, tmp_path) -> None:
    """If an engine refuses the first puzzle or the output is impossible, no journal is left and an older output is untouched."""
    (tmp_path / "out.csv").write_text("an older output")
    with pytest.raises(InvalidInput, match="expected"):
        batch.solve_files([many], tmp_path / "out.csv", backend="fast", rules=[{"kind": "anti-knight"}], force=True)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InvalidInput, match="got a directory"):
        batch.solve_files([many], tmp_path / "folder.csv")
    assert (tmp_path / "out.csv").read_text() == "an older output"
    assert {path.name for path in tmp_path.iterdir()} == {many.name, "out.csv", "folder.csv"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("name", ["out.csv", "out.txt"])
def test_an_answer_that_could_not_be_written_is_none(many, tmp_path, name: str) -> None:
    """If not even the first answer fits on the disk, no journal is left."""
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(InvalidInput, match="No space left"):
        batch.solve_files([many], tmp_path / name)
    assert not (tmp_path / f"{name}.resume").exists()


def test_missing_libraries_are_named(tmp_path, monkeypatch) -> None:
    """Without the extra's package, the error says what to install."""
    import sys  # noqa: PLC0415

    (tmp_path / "in.txt").write_text(f"{HARD}\n")
    for module, name in [("pyarrow", "out.parquet"), ("zstandard", "out.csv.zst")]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(BackendMissing, match=module):
            batch.solve_files([tmp_path / "in.txt"], tmp_path / name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BackendMissing, match="distributed"):
        batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.csv", cluster="local:1")


def test_strict_ends_at_the_first_record_in_trouble(mixed, tmp_path) -> None:
    """With strict, the answers before the bad line are written, the error names it, and the run can be resumed without strict."""
    with pytest.raises(InvalidInput, match="line 6"):
        batch.solve_files([mixed], tmp_path / "out.txt", strict=True)
    assert [line.split("\t")[1] for line in (tmp_path / "out.txt.part").read_text().splitlines()] == STATUSES[:3]
    batch.solve_files([mixed], tmp_path / "out.txt", resume=True)
    assert [line.split("\t")[1] for line in (tmp_path / "out.txt").read_text().splitlines()] == STATUSES


def test_troubles_and_progress_are_heard(mixed, tmp_path) -> None:
    """The callbacks get every record that fails, and the progress of the run."""
    troubles, progress = [], []
    batch.solve_files([mixed], tmp_path / "out.txt", callbacks=batch.Callbacks(progress.append, troubles.append))
    assert [(one.index, "line 6" in one.message) for one in troubles] == [(3, True)]
    assert progress[-1].bytes_read == mixed.stat().st_size


# --- going on ---------------------------------------------------------------------------------------------------


@pytest.fixture
def many(tmp_path, monkeypatch, quick_checkpoints) -> Path:
    """A file of many small blocks, some with odd lines, each with a checkpoint; few enough to need no processes."""
    monkeypatch.setattr(reader, "BLOCK_BYTES", 250)
    lines = [HARD if number % 7 else f"{HARD} title" if number % 2 else HARD[:-3] for number in range(30)]
    path = tmp_path / "many.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def interrupted(path: Path, out: Path, after: int, **options) -> None:
    """Run until ``after`` records are done, then cancel."""
    cancel = Cancellation()
    hearing = batch.Callbacks(lambda done: cancel.cancel() if done.records >= after else None)
    with pytest.raises(LimitReached):
        batch.solve_files([path], out, limits=Limits(cancel=cancel), callbacks=hearing, **options)


@pytest.mark.parametrize(
    ("name", "after", "times"),
    [
        ("out.txt", 0, 1),
        ("out.txt", 20, 1),
        ("out.csv.gz", 1, 1),
        ("out.csv.gz", 40, 2),
        ("out.jsonl.bz2", 0, 1),
        ("out.jsonl.bz2", 6, 1),
        ("out.parquet", 1, 1),
        ("out.parquet", 20, 1),
    ],
)
def test_a_cancelled_run_goes_on(many, tmp_path, unpacked, name: str, after: int, times: int) -> None:
    """A run that is cancelled and resumed leaves exactly what an undisturbed one leaves; one without answers leaves nothing."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    out, whole = tmp_path / name, tmp_path / f"whole_{name}"
    many.write_text(many.read_text() * times)  # twice as many are solved in processes
    batch.solve_files([many], whole)
    interrupted(many, out, after)
    assert (tmp_path / f"{name}.resume").exists() == batch.is_unfinished(out) == (after > 0)
    summary = batch.solve_files([many], out, resume=True)
    assert summary.before >= after
    assert summary.records == 30 * times
    assert summary.counts == {"unique": 27 * times, "error": 3 * times}
    assert unpacked(out) == unpacked(whole)
    assert not (tmp_path / f"{name}.resume").exists()


def test_the_output_is_on_disk_before_a_checkpoint_says_so(many, tmp_path, monkeypatch) -> None:
    """Every checkpoint follows a sync of the output, so that the journal never runs ahead of it."""
    calls: list[str] = []
    append = Journal.append
    monkeypatch.setattr(os, "fsync", lambda _file: calls.append("sync"))
    monkeypatch.setattr(Journal, "append", lambda journal, done: (calls.append("checkpoint"), append(journal, done)))
    batch.solve_files([many], tmp_path / "out.txt")
    assert calls.count("checkpoint") > 5
    assert all(before == "sync" for before, call in pairwise(["", *calls]) if call == "checkpoint")


def test_what_was_torn_is_cut_off(many, tmp_path) -> None:
    """Bytes after the last checkpoint, and half a line of the journal, are ignored."""
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    batch.solve_files([many], whole)
    interrupted(many, out, 6)
    with (tmp_path / "out.csv.part").open("ab") as file, (tmp_path / "out.csv.resume").open("ab") as journal:
        file.write(b"half a row")
        journal.write(b'{"records": 99')
    batch.solve_files([many], out, resume=True)
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "options", [{"solution_limit": 1}, {"backend": "sat"}, {"limits": Limits(nodes=5)}, {"rules": [{"kind": "diagonals"}]}]
)
def test_other_options_cannot_go_on(many, tmp_path, options) -> None:
    """A run is resumed with its own options, or not at all."""
    interrupted(many, tmp_path / "out.csv", 6)
    with pytest.raises(InvalidInput, match="expected the input and the options of the unfinished run"):
        batch.solve_files([many], tmp_path / "out.csv", resume=True, **options)


def test_another_input_cannot_go_on(many, tmp_path) -> None:
    """Another file is recognised by its size and its head, another stream by its bytes."""
    text = many.read_bytes()
    interrupted(many, tmp_path / "out.csv", 6)
    many.write_bytes(text[:-1])
    with pytest.raises(InvalidInput, match="input"):
        batch.solve_files([many], tmp_path / "out.csv", resume=True)
    interrupted(io.BytesIO(text), tmp_path / "out.txt", 6)
    for other in (text.replace(b"8", b"7", 1), text[:300]):
        with pytest.raises(InvalidInput, match="another one"):
            batch.solve_files([io.BytesIO(other)], tmp_path / "out.txt", resume=True)
    assert batch.solve_files([io.BytesIO(text)], tmp_path / "out.txt", resume=True).records == 30


def test_unfinished_outputs_are_not_overwritten(many, tmp_path) -> None:
    """An unfinished run is started over only by force; without an output and a journal, resume begins a new run."""
    out = tmp_path / "out.csv"
    interrupted(many, out, 6)
    with pytest.raises(InvalidInput, match="unfinished"):
        batch.solve_files([many], out)
    assert batch.solve_files([many], out, force=True).before == 0
    assert len(rows(out)) == 30
    out.unlink()
    assert batch.solve_files([many], out, resume=True).before == 0


@pytest.mark.parametrize("text", ["my own notes\n", '\n{"version": "1"}\n', '{"version": 1}', "\n\n"])
@pytest.mark.parametrize("options", [{}, {"force": True}, {"resume": True}], ids=["plain", "force", "resume"])
def test_a_file_that_is_no_journal_is_left_alone(many, tmp_path, options, text: str) -> None:
    """An unrelated file with the name of a journal is refused, whatever the options, and left unchanged."""
    (tmp_path / "out.txt.resume").write_text(text)
    with pytest.raises(InvalidInput, match="expected the journal of a run"):
        batch.solve_files([many], tmp_path / "out.txt", **options)
    assert (tmp_path / "out.txt.resume").read_text() == text
    assert not (tmp_path / "out.txt").exists()
    assert not batch.is_unfinished(tmp_path / "out.txt")


@pytest.mark.parametrize("text", ["", "\n", '\n{"ver', '\n{"version": "1", "inp'])
def test_a_torn_beginning_of_a_journal_is_as_good_as_none(many, tmp_path, text: str) -> None:
    """A crash while the first line is written leaves a file that is recognised as ours, with nothing done yet."""
    (tmp_path / "out.txt").write_text("an older output")
    (tmp_path / "out.txt.resume").write_text(text)
    with pytest.raises(InvalidInput, match="which is neither"):
        batch.solve_files([many], tmp_path / "out.txt", resume=True)
    (tmp_path / "out.txt.resume").write_text(text)
    assert batch.solve_files([many], tmp_path / "out.txt", force=True).records == 30
    assert not (tmp_path / "out.txt.resume").exists()


OUTPUTS = ["out.txt", "out.csv", "out.jsonl.gz", "out.parquet"]
"""A kind of output each."""


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_finished_run_has_nothing_to_go_on_with(many, tmp_path, unpacked, name: str) -> None:
    """With resume a whole output is reported as finished and left alone; only force replaces it."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    out = tmp_path / name
    batch.solve_files([many], out)
    before = out.read_bytes()
    summary = batch.solve_files([many], out, resume=True)
    assert (summary.already, summary.records, summary.before) == (True, 30, 30)
    with pytest.raises(InvalidInput, match="or `force` to replace it"):
        batch.solve_files([many], out)
    assert out.read_bytes() == before
    assert not batch.solve_files([many], out, force=True).already
    assert {path.name for path in tmp_path.iterdir()} == {many.name, name}


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("source", ["in.csv", "in.parquet"])
def test_a_finished_run_over_own_columns_is_known_too(tmp_path, source: str, name: str) -> None:
    """An output with a table's own columns before ours counts as the finished run of that table, and of no other."""
    text = f"quizzes,solutions,status,level\n{HARD},{SOLVED},new,1.5\n{HARD},,,\n"
    if "parquet" in source + name:
        parquet = pytest.importorskip("pyarrow.parquet")
        tables = pytest.importorskip("pyarrow.csv")
    (tmp_path / "table.csv").write_text(text)
    if source.endswith("parquet"):
        strings = tables.ConvertOptions(column_types={"quizzes": "string", "solutions": "string"})
        parquet.write_table(tables.read_csv(tmp_path / "table.csv", convert_options=strings), tmp_path / source)
    else:
        (tmp_path / source).write_text(text)
    batch.solve_files([tmp_path / source], tmp_path / name)
    summary = batch.solve_files([tmp_path / source], tmp_path / name, resume=True)
    assert (summary.already, summary.records) == (True, 2)
    if name in {"out.csv", "out.parquet"}:
        (tmp_path / "other.csv").write_text(text.replace("level", "points"))
        with pytest.raises(InvalidInput, match="which is neither"):
            batch.solve_files([tmp_path / "other.csv"], tmp_path / name, resume=True)


@pytest.mark.parametrize("name", ["out.txt", "out.csv", "out.jsonl"])
def test_who_wins_a_race_is_not_told(tmp_path, monkeypatch, name: str) -> None:
    """Which engine answers a puzzle of other rules first depends on the clock; what is written does not."""
    (tmp_path / "in.txt").write_text("1.......2......3\n11..............\n")
    told = []
    for engines in (("native", "sat"), ("sat", "native")):
        monkeypatch.setattr(Race, "open", lambda _, model, names=engines: RaceSession(model, tuple(map(backend, names))))
        solution_search._idle.clear()
        batch.solve_files([tmp_path / "in.txt"], tmp_path / name, rules=[{"kind": "diagonals"}], force=True)
        told.append((tmp_path / name).read_bytes())
    assert told[0] == told[1]
    assert (b"race" in told[0]) == (name != "out.txt")


def test_whether_the_kernel_is_loaded_is_not_told(tmp_path, monkeypatch) -> None:
    """A process that has loaded the kernel answers a few plain boards as one that has not."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 60)
    batch.solve_files([tmp_path / "in.txt"], tmp_path / "one.csv", workers=1)
    array_rows.suits_kernel.cache_clear()
    monkeypatch.setattr("sudoku_cp.backends.fast.LOADED", {shape_of(Puzzle.parse(HARD).model())})
    batch.solve_files([tmp_path / "in.txt"], tmp_path / "two.csv", workers=1)
    array_rows.suits_kernel.cache_clear()
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(("out.txt", change) for change in ("short", "long", "torn", "foreign", "input")),
        *(("out.csv", change) for change in ("long", "foreign")),
        *(("out.jsonl.gz", change) for change in ("short", "torn")),
        *(("out.parquet", change) for change in ("short", "torn", "input")),
    ],
)
def test_what_only_looks_finished_is_not(many, tmp_path, name: str, change: str) -> None:
    """More or fewer answers, half a file, an unrelated file, the puzzles themselves: none counts as finished."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    out = tmp_path / name
    batch.solve_files([many], out)
    lines = many.read_bytes().splitlines(keepends=True)
    if change in {"short", "long"}:
        many.write_bytes(b"".join(lines[:-1] if change == "long" else [*lines, lines[0]]))
    else:
        out.write_bytes({"torn": out.read_bytes()[:-20], "foreign": b"my own\n" * 30, "input": many.read_bytes()}[change])
    before = out.read_bytes()
    with pytest.raises(InvalidInput, match="which is neither"):
        batch.solve_files([many], out, resume=True)
    assert out.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {many.name, name}


@pytest.mark.parametrize("options", [{}, {"force": True}, {"resume": True}], ids=["plain", "force", "resume"])
@pytest.mark.parametrize("name", ["out.txt", "out.parquet"])
def test_a_part_of_somebody_else_is_left_alone(many, tmp_path, options, name: str) -> None:
    """A file with the name of the partial file, but without a journal, is refused and left unchanged."""
    part = tmp_path / (f"{name}.rows" if name.endswith("parquet") else f"{name}.part")
    part.write_text("mine")
    with pytest.raises(InvalidInput, match="without the journal"):
        batch.solve_files([many], tmp_path / name, **options)
    assert part.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {many.name, part.name}


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_an_older_output_stays_until_the_new_one_is_whole(many, tmp_path, name: str) -> None:
    """A run that is started over leaves the older file unchanged until it has ended."""
    out = tmp_path / name
    out.write_text("older")
    interrupted(many, out, 6, force=True)
    assert out.read_text() == "older"
    batch.solve_files([many], out, resume=True)
    assert out.read_bytes()[:5] != b"older"
    assert {path.name for path in tmp_path.iterdir()} == {many.name, name}


@pytest.mark.parametrize("moment", ["replace_file", "remove_partial"])
def test_a_run_that_ended_while_it_took_its_name_is_whole(many, tmp_path, monkeypatch, moment: str) -> None:
    """Whether the file has its final name already or not, resuming gives the whole output and removes the journal."""
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    batch.solve_files([many], whole)

    def ended(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run_output if moment == "replace_file" else run_output.RunOutput, moment, ended)
        with pytest.raises(KeyboardInterrupt):
            batch.solve_files([many], out)
    assert batch.is_unfinished(out)
    assert out.exists() == (moment == "remove_partial")
    assert batch.solve_files([many], out, resume=True).counts == {"unique": 27, "error": 3}
    assert out.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {many.name, out.name, whole.name}


def test_two_runs_do_not_share_an_output(many, tmp_path) -> None:
    """While one run has an output open, another is refused."""
    journal = Journal(tmp_path / "out.csv.resume")
    try:
        with pytest.raises(InvalidInput, match="another run"):
            batch.solve_files([many], tmp_path / "out.csv", resume=True)
    finally:
        journal.close()


def test_a_lost_output_is_told(many, tmp_path) -> None:
    """A run whose output is shorter than its journal says cannot be resumed."""
    interrupted(many, tmp_path / "out.csv", 6)
    (tmp_path / "out.csv.part").write_text("")
    with pytest.raises(InvalidInput, match="bytes of the unfinished run"):
        batch.solve_files([many], tmp_path / "out.csv", resume=True)


def test_a_journal_is_believed_line_by_line(tmp_path) -> None:
    """The last whole line counts, wherever the file was truncated."""
    path = tmp_path / "x.resume"
    journal = Journal(path)
    journal.begin({"version": "1"})
    checkpoints = [Checkpoint(number, number * 10, InputPosition(0, number, 7)) for number in range(1, 4)]
    sizes = []
    for checkpoint in checkpoints:
        journal.append(checkpoint)
        sizes.append(path.stat().st_size)
    whole = path.read_bytes()
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        done = sum(size >= end for end in sizes)
        stamp, found = journal.read()
        assert found == ([Checkpoint(), *checkpoints][done])
        assert stamp in (None, {"version": "1"})
    journal.close()
