"""The programs that are not verbs start as their own words say, and measure."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from sudoku_cp import Grid, Puzzle, write_puzzles
from sudoku_cp.rules import Diagonals, Houses

ROOT = Path(__file__).parents[2]
PROGRAMS = ("page_speed", "print_times", "search_failures", "service_load")


def run(name: str, *arguments: str) -> str:
    """Return what a program prints."""
    command = [sys.executable, "-m", f"sudoku_cp.bench.{name}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_says_how_it_is_called(name: str) -> None:
    """The call in its docstring is its own, and its help repeats it."""
    words = import_module(f"sudoku_cp.bench.{name}").__doc__ or ""
    call = f"python -m sudoku_cp.bench.{name}"
    assert call in words
    assert call in " ".join(run(name, "--help").split())


def test_two_trees_are_compared(tmp_path: Path) -> None:
    """The same tree twice has the same failures, and solves everything."""
    rules = Houses(), Diagonals()
    write_puzzles([Puzzle(Grid.square(4), rules, {0: 1, 1: 2, 2: 3, 7: 2})], tmp_path / "small.jsonl", "json")
    told = run("search_failures", str(ROOT), str(ROOT), str(tmp_path / "small.jsonl"))
    before, after = re.findall(r"^(?:before|after): .* unsolved (\d+)$", told, re.MULTILINE)
    failures = re.search(r"^all +(\d+) +(\d+) ", told, re.MULTILINE)
    assert before == after == "0"
    assert failures
    assert failures[1] == failures[2]
