"""Parquet in and out: existing columns stay, with their types, and we can read what we write."""

from __future__ import annotations

import csv
import io
import json
import sys
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp import batch
from sudoku_cp.audit import audit
from sudoku_cp.formats import read_puzzles, read_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
OURS = {"status", "count", "answer", "engine", "reason"}


def columns(path: Path) -> dict[str, list[Any]]:
    """Return a file's columns."""
    return pq.read_table(path).to_pydict()


def table(path: Path, puzzles: Sequence[str], **more: object) -> Path:
    """Write puzzles with columns of many types."""
    number = len(puzzles)
    kinds = {
        "id": pa.array([*range(number - 1), None], pa.int32()),
        "quizzes": pa.array(puzzles),
        "rating": pa.array([1.5, 1e300, 0.1, None, -0.0][:number] + [2.5] * (number - 5), pa.float64()),
        "note": pa.array(['a, "b"', "", None, "ü", "x"][:number] + ["y"] * (number - 5)),
        "when": pa.array([date(2020, 1, 2)] * number),
        "good": pa.array([True, False, None, True, True][:number] + [True] * (number - 5)),
        "status": pa.array(["old"] * number).dictionary_encode(),
        "tags": pa.array([["a", "b"]] * number),
    }
    pq.write_table(pa.table(kinds | more), path)
    return path


@pytest.mark.parametrize("options", [{}, {"backend": "fast:lanes"}, {"workers": 2, "backend": "sat"}], ids=str)
def test_the_columns_of_a_parquet_file_stay_with_their_types(tmp_path, options) -> None:
    """Numbers, dates and Booleans keep their types; our columns follow, and are renamed where a name is taken."""
    source = table(tmp_path / "in.parquet", [HARD, "1" + HARD[1:], "xx", "." * 16, HARD])
    batch.solve_files([source], tmp_path / "out.parquet", **options)
    before, after = columns(source), columns(tmp_path / "out.parquet")
    assert list(after) == [*before, "status_2", "count", "answer", "engine", "reason"]
    for name in ("id", "quizzes", "rating", "when", "good", "status"):
        assert after[name] == before[name], name
    assert pq.read_schema(tmp_path / "out.parquet").field("id").type == pa.int32()
    assert after["note"] == ['a, "b"', "", "", "ü", "x"]
    assert [json.loads(tags) for tags in after["tags"]] == before["tags"]
    assert after["status_2"][:3] == ["unique", "none", "error"]
    assert after["answer"][0] == after["answer"][4] == SOLVED
    assert "got 2" in after["reason"][2]


@pytest.mark.parametrize("number", [3, 1500])
def test_the_columns_of_a_csv_file_stand_in_a_parquet_file_too(tmp_path, number: int) -> None:
    """Inputs that are not Parquet have only text, which stays as it is, leading zeros included."""
    rows = [(f"00{index}", HARD.replace(".", "0"), SOLVED) for index in range(number)]
    with (tmp_path / "in.csv").open("w") as file:
        csv.writer(file).writerows([("name", "quizzes", "solutions"), *rows])
    batch.solve_files([tmp_path / "in.csv"], tmp_path / "out.parquet")
    found = columns(tmp_path / "out.parquet")
    assert list(found) == ["name", "quizzes", "solutions", "status", "count", "answer", "engine", "reason"]
    assert [*zip(found["name"], found["quizzes"], found["answer"], strict=True)] == rows
    assert set(found["engine"]) == {"fast:lanes" if number == 1500 else "fast:bigint"}


def test_the_columns_of_a_parquet_file_stand_in_a_csv_file(tmp_path) -> None:
    """The output table has the header and the fields of the input."""
    source = table(tmp_path / "in.parquet", [HARD] * 5)
    batch.solve_files([source], tmp_path / "out.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert [row["id"] for row in rows] == ["0", "1", "2", "3", ""]
    assert [row["note"] for row in rows] == ['a, "b"', "", "", "ü", "x"]
    assert {row["status_2"] for row in rows} == {"unique"}


def test_what_is_written_is_read(tmp_path) -> None:
    """Our own answers and generated puzzles are read as puzzles again, with their stated solutions."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 3)
    batch.solve_files([tmp_path / "in.txt"], tmp_path / "out.parquet")
    puzzles = list(read_puzzles(tmp_path / "out.parquet"))
    assert [(puzzle.line(), puzzle.line(puzzle.solution)) for puzzle in puzzles] == [(HARD, SOLVED)] * 3
    batch.generate_files(5, tmp_path / "made.parquet", size=4, rules="killer", seed=1)
    found = list(audit(read_records(tmp_path / "made.parquet")))
    assert [one.status for one in found] == ["unique"] * 5


def test_groups_and_streams_of_any_size_are_read(tmp_path, monkeypatch) -> None:
    """A file with many row groups is read, and so is one from a pipe, which cannot seek."""
    monkeypatch.setattr("sudoku_cp.formats.parquet_reader.GROUP", 7)
    source = table(tmp_path / "in.parquet", [HARD] * 100)
    assert sum(1 for _ in read_puzzles(source)) == 100

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    assert [record.error for record in read_records(Pipe(source.read_bytes()))] == [None] * 100


@pytest.mark.parametrize("size", [0, 3, 200, -5])
def test_a_damaged_file_is_told(tmp_path, size: int) -> None:
    """An empty, truncated or foreign file is an error record that says what is wrong."""
    source = table(tmp_path / "in.parquet", [HARD] * 5)
    source.write_bytes(source.read_bytes()[:size])
    (record,) = read_records(source)
    assert record.puzzle is None
    assert "expected" in str(record.error)
    source.write_text(f"{HARD}\n")
    (record,) = read_records(source)
    assert "expected Parquet data as the ending .parquet says" in str(record.error)


def test_without_the_package_the_error_says_what_to_install(tmp_path, monkeypatch) -> None:
    """The error of a file that cannot be read without pyarrow names the extra."""
    source = table(tmp_path / "in.parquet", [HARD])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (record,) = read_records(source)
    assert "expected the package pyarrow for .parquet files (pip install 'sudoku_cp[parquet]'), got none" in str(record.error)


def test_files_of_different_types_become_texts(tmp_path) -> None:
    """A column that is numeric in one file and text in another is text in the output."""
    one = table(tmp_path / "1.parquet", [HARD] * 5)
    two = table(tmp_path / "2.parquet", [HARD] * 5, id=pa.array(list("abcde")))
    batch.solve_files([one, two], tmp_path / "out.parquet")
    found = columns(tmp_path / "out.parquet")
    assert found["id"] == ["0", "1", "2", "3", "", *"abcde"]
    assert found["rating"] == columns(one)["rating"] * 2
    assert OURS - {"status"} < found.keys()


def test_a_name_that_comes_twice_is_told_apart(tmp_path) -> None:
    """Columns of the same name are kept, the second with a number."""
    (tmp_path / "in.csv").write_text(f"puzzle,x,x\n{HARD},1,2\n")
    batch.solve_files([tmp_path / "in.csv"], tmp_path / "out.parquet")
    found = columns(tmp_path / "out.parquet")
    assert (found["x"], found["x_2"]) == (["1"], ["2"])


@pytest.mark.parametrize("number", [1, 1100])
def test_texts_of_a_parquet_file_are_no_formulas_in_csv(tmp_path, number: int) -> None:
    """What a spreadsheet would run is quoted in CSV, and comes back exactly in Parquet; numbers stay."""
    notes = ["=1+1", "-1", "'=x", "plain", None, "@SUM(A1)"]
    table = {"puzzle": [HARD] * 6 * number, "note": notes * number}
    pq.write_table(pa.table(table), tmp_path / "in.parquet")
    batch.solve_files([tmp_path / "in.parquet"], tmp_path / "out.csv")
    batch.solve_files([tmp_path / "in.parquet"], tmp_path / "out.parquet")
    batch.solve_files([tmp_path / "out.csv"], tmp_path / "again.parquet")
    with (tmp_path / "out.csv").open() as file:
        cells = [row["note"] for row in csv.DictReader(file)][:6]
    assert cells == ["'=1+1", "-1", "''=x", "plain", "", "'@SUM(A1)"]
    for name in ("out.parquet", "again.parquet"):
        assert pq.read_table(tmp_path / name)["note"].to_pylist()[:6] == [note or "" for note in notes]
