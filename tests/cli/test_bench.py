"""The verb ``bench``, through a process."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from sudoku_cp.bench import generation
from sudoku_cp.cli.options import BenchOptions
from sudoku_cp.cli.verbs import bench
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Diagonals, Houses

# --- bench ------------------------------------------------------------------------------------------------------------


QUICK = ("--rounds", "1", "--seconds", "0.05", "--patience", "60", "--no-processes", "--no-logic", "--no-trust")


def test_the_examples_by_default(call, tmp_path) -> None:
    """Without data, the project's examples are measured, and the table names every contestant and its mark."""
    ended = call("bench", *QUICK, "--no-variants", "--data", tmp_path, "--engines", "native", "--peers", "norvig-style")
    assert ended.code == 0
    for words in ("hardest: eleven", "euler96: Project", "native", "norvig-style", "puzzles/s", "remarks"):
        assert words in ended.out


def test_json_is_one_object(call) -> None:
    """--json prints one object with everything, and nothing else."""
    ended = call("bench", *QUICK, "--json", "--sets", "hardest", "--engines", "native", "--peers", "none")
    (told,) = ended.json_lines
    (one,) = told["sets"]
    assert (one["name"], one["total"], one["reference"]) == ("hardest", 11, "native")
    (result,) = one["results"]
    assert result["rate"] > 0
    assert (result["wrong"], result["failed"], result["ratio"]) == (0, "", 1)
    assert told["command"].startswith("sudoku-cp bench --rounds 1")
    assert told["plan"]["rounds"] == 1


def test_files_of_ones_own_and_files_written(call, tmp_path) -> None:
    """A file is measured instead of the sets, and --out writes JSON, Markdown and a chart."""
    (tmp_path / "mine.txt").write_text("1..............." + "\n" + "11.............." + "\n")
    ended = call("bench", "mine.txt", *QUICK, "--engines", "native", "--peers", "none", "--out", "made")
    assert ended.code == 0
    assert "mine.txt: a file of one's own (2 puzzles of 4x4)" in ended.out
    assert "wrong" not in ended.out
    assert json.loads((tmp_path / "made/benchmarks.json").read_text())["sets"][0]["side"] == 4
    assert "mine.txt" in (tmp_path / "made/benchmarks.md").read_text()
    fromstring((tmp_path / "made/benchmarks.svg").read_text())  # noqa: S314  # our own


@pytest.mark.slow
def test_an_outside_callable_beside_ours(run, tmp_path) -> None:
    """--also takes a callable of a module in the folder; its answers are checked like all others."""
    (tmp_path / "guess.py").write_text(
        "import numpy as np\n"
        "def ones(puzzles, limit):\n"
        "    return np.ones_like(puzzles), np.ones(len(puzzles), int)\n"
        "def crash(puzzles, limit):\n"
        "    import os; os.abort()\n"
    )
    ended = run(
        "bench",
        *QUICK,
        "--sets",
        "hardest",
        "--engines",
        "native",
        "--peers",
        "none",
        "--also",
        "guess:ones",
        "--also",
        "guess:crash",
    )
    assert ended.code == 0
    assert "wrong: 11 of 11" in ended.out
    assert "crashed (SIGABRT)" in ended.out


def test_absent_sets_are_told(call, tmp_path) -> None:
    """A missing set is reported on standard error; having no set at all is bad usage."""
    ended = call("bench", *QUICK, "--data", tmp_path, "--sets", "17clue,hardest", "--engines", "none", "--peers", "none")
    assert ended.code == 0
    assert "left out: 17clue, there is no" in ended.err
    nothing = call("bench", "--data", tmp_path, "--sets", "17clue")
    assert nothing.code == 2
    assert "expected at least one set that is there" in nothing.err


def test_names_that_nobody_has(call) -> None:
    """Unknown engines, peers, sets and callables are bad usage, reported before anything is measured."""
    wrong = {
        "--engines": ["mrv"],
        "--peers": ["tdoku"],
        "--sets": ["top96"],
        "--also": ["nothing", "nomod:f", "json:nofunc"],
        "--against": ["nosuch"],
    }
    for option, name in ((option, name) for option, names in wrong.items() for name in names):
        ended = call("bench", *QUICK, option, name)
        assert (ended.code, ended.out) == (2, "")
        assert "expected a" in ended.err
        assert name in ended.err
    assert call("bench", "nowhere.txt", *QUICK).code == 2


def test_folders_that_cannot_be(call, tmp_path) -> None:
    """A missing data folder and an impossible output folder are bad usage, reported at once."""
    (tmp_path / "file").write_text("")
    for option, name, words in (("--data", "absent", "a folder of sets"), ("--out", "file", "a folder to write to")):
        ended = call("bench", *QUICK, option, name)
        assert (ended.code, ended.out) == (2, "")
        assert f"expected {words}, got '{name}'" in ended.err


def test_absent_data_that_nobody_named(call) -> None:
    """If the usual data folder is missing, the examples are measured, with a remark."""
    ended = call("bench", *QUICK, "--no-variants", "--engines", "none", "--peers", "none")
    assert ended.code == 0
    assert "left out: all sets but the project's examples" in ended.err


def test_the_data_of_the_environment(call, tmp_path) -> None:
    """SUDOKU_CP_DATA names the folder of the sets."""
    (tmp_path / "norvig_top95.txt").write_text(
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n"
    )
    options = ("--no-variants", "--engines", "none", "--peers", "none", "--json")
    ended = call("bench", *QUICK, *options, SUDOKU_CP_DATA=str(tmp_path))
    assert [one["name"] for one in ended.json_lines[0]["sets"]] == ["top95"]


@pytest.mark.slow
def test_tables_fit_a_hundred_columns(run, tmp_path) -> None:
    """No header or figure of any table is cut at 100 columns."""
    (tmp_path / "mine.txt").write_text(f"{'1' + '.' * 80}\n" * 1000)
    ended = run("bench", "mine.txt", *QUICK[:-1], "--engines", "fast:lanes", "--peers", "none", COLUMNS="100")
    assert ended.code == 0
    assert "…" not in ended.out
    for header in ("fast:lanes unchecked", "process s", "start s", "files/s", "kernel/s", "ratio"):
        assert header in ended.out


@pytest.mark.slow
def test_cold_processes_are_timed(run) -> None:
    """The times of whole processes come below the tables."""
    ended = run("bench", "--rounds", 1, "--seconds", 0.05, "--sets", "hardest", "--engines", "native", "--peers", "none")
    assert ended.code == 0
    assert "sudoku-cp solve LINE" in ended.out


@pytest.mark.parametrize(
    ("asked", "timed"),
    [
        ({}, True),
        ({"variants": False}, False),
        ({"sets": "hardest"}, False),
        ({"sets": "hardest", "variants": True}, True),
        ({"files": ["mine.txt"]}, False),
        ({"files": ["mine.txt"], "variants": True}, True),
    ],
    ids=str,
)
def test_puzzles_of_other_rules_are_timed_where_nothing_else_is_named(monkeypatch, tmp_path, capsys, asked, timed) -> None:
    """The variants are part of a whole run; with named sets or files they are timed only on demand."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "measure_sets", lambda *_, **__: [])  # the sets are not under test
    monkeypatch.setattr(bench, "variant_puzzles", lambda: [("crosses", Puzzle(Grid.square(4), (Houses(), Diagonals())))])
    Path("mine.txt").write_text("1...............\n")
    files = [Path(name) for name in asked.get("files", ())]
    named = {name: value for name, value in asked.items() if name != "files"}
    quick = {"rounds": 1, "seconds": 0.001, "engines": "native", "peers": "none", "trust": False, "processes": False}
    assert bench.run_bench(files, BenchOptions(**quick, **named), as_json=False, quiet=True) == 0
    assert ("Other rules" in capsys.readouterr().out) == timed


# --- bench generation -------------------------------------------------------------------------------------------------


def test_making_puzzles_is_timed_when_asked(call, tmp_path, monkeypatch) -> None:
    """Its rows, the statistics and the second chart are written with everything else; no set need be measured."""
    monkeypatch.setattr(generation, "KINDS", {"4x4, minimal": ({"size": 4, "minimal": True}, {"dokusan 150": ()})})
    monkeypatch.setattr(generation, "SAMPLE_SIZE", 50)
    quick = ("--no-processes", "--no-variants", "--no-trust", "--rounds", 1, "--seconds", 0.001)
    ended = call("bench", "--generation", "--sets", "none", "--peers", "none", "--engines", "native", *quick, "--out", "made")
    assert ended.code == 0, ended.err
    assert "4x4, minimal" in ended.out
    assert "dokusan" not in ended.out
    told = json.loads((tmp_path / "made/benchmarks.json").read_text())
    assert [(one["kind"], one["unique"], one["minimal"]) for one in told["generation"]] == [("4x4, minimal", 1, 1)]
    assert told["statistics"]["puzzles"] == 50
    words = (tmp_path / "made/benchmarks.md").read_text()
    assert "### Puzzles made" in words
    assert "(generation.svg)" in words
    fromstring((tmp_path / "made/generation.svg").read_text())  # noqa: S314  # our own
