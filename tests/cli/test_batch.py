"""``solve --out``: from file to file, with the documented exit codes, messages and options."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
SEVERAL = "1..............."
CLASH = "11.............."


@pytest.mark.parametrize(
    ("lines", "options", "code"),
    [
        ([HARD, HARD], [], 0),
        ([HARD, SEVERAL], [], 1),
        ([HARD, CLASH], [], 1),
        ([HARD, SEVERAL], ["--first"], 0),
        ([HARD, SEVERAL], ["--all"], 0),
        ([HARD, CLASH], ["--first"], 1),
        ([HARD, HARD[:-1], CLASH], [], 2),
        ([HARD, SEVERAL], ["--nodes", "0"], 3),
        ([HARD], ["--timeout", "0"], 3),
        ([], [], 2),
    ],
)
def test_the_exit_code_is_the_worst_of_all(call, tmp_path, lines: list[str], options: list[str], code: int) -> None:
    """0 for unique puzzles, 1 for others, 3 where a limit came first, 2 for bad lines."""
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in lines))
    ended = call("solve", "in.txt", "--out", "out.csv", "--backend", "native", *options)
    assert ended.code == code, ended.err
    assert ended.out == ""


def test_the_summary_counts(call, tmp_path) -> None:
    """The last line on standard error has the number of each status and the speed; --quiet prints nothing."""
    (tmp_path / "in.txt").write_text("".join(f"{line}\n" for line in [HARD, HARD, SEVERAL, CLASH, HARD[:-1]]))
    ended = call("solve", "in.txt", "--out", "out.csv")
    last = ended.err.splitlines()[-1]
    assert last.startswith("5 puzzles: 2 unique, 1 multiple, 1 without solution, 1 error; ")
    assert re.search(r"[\d.]+ a second$", last)
    assert call("solve", "in.txt", "--out", "out.csv", "--quiet", "--force").err == ""


def test_a_finished_run_is_told(call, tmp_path) -> None:
    """An existing file is replaced only with --force; --resume of a finished run says so with exit code 0."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n{SEVERAL}\n")
    assert call("solve", "in.txt", "--out", "out.csv").code == 1
    before = (tmp_path / "out.csv").read_bytes()
    ended = call("solve", "in.txt", "--out", "out.csv")
    assert (ended.code, "--force" in ended.err) == (2, True)
    ended = call("solve", "in.txt", "--out", "out.csv", "--resume")
    assert (ended.code, ended.err) == (0, "already finished: 2 puzzles\n")
    assert (tmp_path / "out.csv").read_bytes() == before
    assert call("solve", "in.txt", "--out", "out.csv", "--force").code == 1


def test_bad_lines_are_told_with_their_numbers_but_not_for_ever(call, tmp_path) -> None:
    """The first twenty bad lines are listed on standard error, the others counted; all are in the output."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 40 + "12345\n" * 30)
    ended = call("solve", "in.txt", "--out", "out.jsonl")
    assert ended.code == 2
    assert ended.err.count("expected 81 cells") == 20
    assert "line 41" in ended.err
    assert "and 10 more" in ended.err
    told = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [one["status"] for one in told[40:]] == ["error"] * 30
    assert "line 70" in told[-1]["error"]


def test_strict_ends_there(call, tmp_path) -> None:
    """With --strict the first bad line ends the run with 2; the answers before it are kept for resuming."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n{HARD[:-1]}\n{HARD}\n")
    ended = call("solve", "in.txt", "--out", "out.txt", "--strict")
    assert ended.code == 2
    assert "line 2" in ended.err
    assert (tmp_path / "out.txt.part").read_text() == f"0\tunique\t{SOLVED}\n"
    assert not (tmp_path / "out.txt").exists()
    assert call("solve", "in.txt", "--out", "out.txt").code == 2
    assert "--force" in call("solve", "in.txt", "--out", "out.txt").err
    assert call("solve", "in.txt", "--out", "out.txt", "--resume").code == 2
    assert len((tmp_path / "out.txt").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "options",
    [
        ["--out", "x.foo"],
        ["--out", "x"],
        ["--out", "nowhere/x.csv"],
        ["--out", "in.txt"],
        ["--resume"],
        ["--force"],
        ["--workers", "2"],
        ["--cluster", "local:2"],
        ["--out", "x.csv", "--workers", "0"],
        ["--out", "x.csv", "--json"],
        ["--out", "x.csv", "--ascii"],
        ["--out", "x.csv", "--random"],
        ["--out", "x.csv", "--marks"],
        ["--out", "x.csv", "--trace", "t.json"],
        ["--out", "x.csv", "--resume", "--force"],
        ["--out", "x.csv", "--workers", "2", "--cluster", "local:2"],
        ["--out", "x.csv", "--cluster", "local:none"],
        ["--out", "x.csv", "--backend", "nosuch"],
        ["--out", "x.csv", "--rules", "nosuch"],
        ["--out", "x.csv", "--from", "nosuch"],
        ["--out", "x.csv", "nosuch.txt"],
    ],
)
def test_wrong_options_are_told_and_nothing_is_left(call, tmp_path, options: list[str]) -> None:
    """Contradictory options are reported before anything is written."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n")
    ended = call("solve", "in.txt", *options)
    assert ended.code == 2
    assert any(words in ended.err for words in ("expected", "needs", "cannot be combined", "Invalid value"))
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_standard_input_and_texts_are_inputs_too(call, tmp_path) -> None:
    """'-' and a puzzle on the command line are inputs like any other."""
    assert call("solve", "-", HARD, "--out", "out.txt.gz", text=f"{HARD}\r\n{HARD}").code == 0
    assert gzip.decompress((tmp_path / "out.txt.gz").read_bytes()).decode().count(SOLVED) == 3


@pytest.mark.parametrize(
    "options",
    [["--out", "folder.csv"], ["--out", "out.csv", "--backend", "fast", "--rules", "anti-knight"], ["--out", "in.txt"]],
)
def test_a_run_that_did_nothing_offers_nothing_to_go_on_with(call, tmp_path, options: list[str]) -> None:
    """If nothing was answered, no journal is left and --resume is not mentioned."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n")
    (tmp_path / "folder.csv").mkdir()
    ended = call("solve", "in.txt", *options)
    assert ended.code == 2
    assert "expected" in ended.err
    assert "--resume" not in ended.err
    assert (tmp_path / "in.txt").read_text() == f"{HARD}\n"
    assert {path.name for path in tmp_path.iterdir()} == {"in.txt", "folder.csv"}


def test_standard_input_that_is_the_output_is_refused(tmp_path) -> None:
    """'solve - --out x.txt < x.txt' would destroy its input."""
    path = tmp_path / "x.txt"
    path.write_text(f"{HARD}\n")
    call = [sys.executable, "-m", "sudoku_cp", "solve", "-", "--out", path]
    with path.open() as file:
        done = subprocess.run(call, stdin=file, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "expected an output that is not the input" in done.stderr
    assert path.read_text() == f"{HARD}\n"
    assert list(tmp_path.iterdir()) == [path]


def test_all_solutions_are_told_in_json_lines(call, tmp_path) -> None:
    """--all and --limit give every solution in JSON lines; a table has the number and the first."""
    (tmp_path / "in.txt").write_text(f"{'.' * 16}\n{SEVERAL}\n")
    for name in ("all.jsonl", "all.csv"):
        assert call("solve", "in.txt", "--all", "--out", name).code == 0
    told = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert [(one["count"], len(set(one["solutions"])), one["exact"]) for one in told] == [(288, 288, True), (72, 72, True)]
    table = (tmp_path / "all.csv").read_text().splitlines()
    assert [line.split(",")[2] for line in table] == ["count", "288", "72"]
    assert call("solve", "in.txt", "--limit", "3", "--out", "some.jsonl").code == 1
    some = [json.loads(line) for line in (tmp_path / "some.jsonl").read_text().splitlines()]
    assert [(one["count"], len(one["solutions"]), one["exact"]) for one in some] == [(3, 3, False)] * 2


def test_the_engine_is_named_and_can_be_chosen(call, tmp_path) -> None:
    """A table says which engine answered; --backend chooses it."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 3)
    for backend in ("sat", "cpsat", "fast:lanes"):
        assert call("solve", "in.txt", "--backend", backend, "--out", "out.csv", "--force").code == 0
        assert [line.split(",")[4] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]] == [backend] * 3


def test_a_whole_file_of_hard_puzzles(call, data: Path, tmp_path) -> None:
    """The first 10,000 puzzles of a well-known collection have the solutions that it states."""
    ended = call("solve", data / "puzzles" / "kaggle_10k.csv.gz", "--out", "out.csv")
    assert ended.code == 0, ended.err
    rows = [line.split(",") for line in (tmp_path / "out.csv").read_text().splitlines()]
    assert rows[0][:3] == ["quizzes", "solutions", "status"]
    assert all(row[1] == row[4] and row[2] == "unique" for row in rows[1:])
    assert len(rows) == 10_001
