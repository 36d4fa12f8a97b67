"""Puzzles of other rules: engines are timed with the rules new and known, and failures are marked."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.variants import family_rows, puzzle_rows, variant_puzzles, variant_times
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.rules import Diagonals, Houses

RULES = (Houses(), Diagonals())
GRID = Grid.square(4)
ONE = Puzzle(GRID, RULES, {0: 1, 1: 2, 2: 3, 7: 2}, title="one")
ENGINES = ("native", "sat")


@pytest.fixture
def folder(tmp_path):
    """Return a folder with two families and a file that is not a puzzle."""
    lines = [json.dumps(to_json(puzzle)) for puzzle in (ONE, Puzzle(GRID, RULES, {0: 1}))]
    (tmp_path / "crosses.jsonl").write_text(f"{lines[0]}\n")
    (tmp_path / "more.jsonl").write_text("\n".join(lines))
    (tmp_path / "README.md").write_text("no puzzle")
    return tmp_path


def test_a_family_is_a_file(folder):
    """Each puzzle comes with the name of its file; a missing folder has none."""
    assert [(family, puzzle.title) for family, puzzle in variant_puzzles(folder)] == [
        ("crosses", "one"),
        ("more", "one"),
        ("more", ""),
    ]
    assert variant_puzzles(folder / "absent") == []


def test_every_engine_is_timed_twice_a_round(folder):
    """Each round times every engine with the rules new and known; the tables have a row for each family and each puzzle."""
    times = variant_times(variant_puzzles(folder)[:2], ENGINES, BenchPlan(rounds=2, seconds=0.1, patience=5))
    assert [(one.family, one.engine, len(one.new), len(one.known), one.mark) for one in times] == [
        (family, engine, 2, 2, "") for family in ("crosses", "more") for engine in ENGINES
    ]
    rows = family_rows(times)
    assert [(row["ms"], row["puzzles"], row["remarks"]) for row in rows] == [
        (name, "1", "") for name in ("crosses", "more", "all")
    ]
    assert all(float(row[f"{engine} {rules}"]) > 0 for row in rows for engine in ENGINES for rules in ("new", "known"))
    assert [row["ms"] for row in puzzle_rows(times)] == ["one"]
    assert family_rows([]) == []


@pytest.mark.parametrize(
    ("puzzle", "patience", "mark"),
    [
        (Puzzle(GRID, RULES, {0: 1}), 5, "wrong: multiple"),
        (Puzzle(GRID, RULES, {0: 1, 5: 1}), 5, "wrong: none"),
        (ONE, 1e-9, "no answer in 1e-09 s"),
    ],
    ids=["several", "none", "late"],
)
def test_what_is_amiss_is_marked(puzzle, patience, mark):
    """An engine that does not find the one solution in time is marked, and not run again."""
    (time,) = variant_times([("family", puzzle)], ["native"], BenchPlan(rounds=3, seconds=0.1, patience=patience))
    assert time.mark == mark
    assert len(time.new) <= 1
    (row, _) = family_rows([time])
    assert row["remarks"] == f"native, {puzzle.title or 'family'}: {mark}"
