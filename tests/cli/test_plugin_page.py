"""The packages of docs/plugins.md, installed as their pages say: a rule and an engine that every door knows."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import CHECKOUT
from tests.docs.pages import PAGES, blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ended

RULE, ENGINE = [block.text for block in blocks(PAGES["docs/plugins.md"]) if block.language == "python"]
POINTS = [block.text for block in blocks(PAGES["docs/plugins.md"]) if block.language == "toml"]
LINE = json.dumps({"kind": "gentle-line", "cells": ["r1c1", "r1c2", "r1c3"], "most": 1})
GRID = "1..............."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

KEPT = """
from sudoku_cp.backends.conformance import check, checks
from minisat_engine import MiniSat
checks.LATE, checks.MOMENT = 60.0, 0.1  # a busy machine makes any engine late and slow
print(check(MiniSat(), patience=600))
"""
"""Prints which promises of the contract the engine of the page breaks."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which both packages, and one that does not load, are installed."""
    site: Path = tmp_path_factory.mktemp("site")
    (site / "gentle.py").write_text(RULE, encoding="utf-8")
    (site / "minisat_engine.py").write_text(ENGINE, encoding="utf-8")
    (site / "broken.py").write_text("raise ZeroDivisionError('no luck')", encoding="utf-8")
    (site / "leaving.py").write_text("raise SystemExit(3)", encoding="utf-8")
    faulty = RULE.replace("GentleLine", "FaultyLine").replace("gentle-line", "faulty-line")
    (site / "faulty.py").write_text(faulty.replace("        return all(", "        return values[999] or all("), encoding="utf-8")
    information = site / "plug_ins-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-ins\nVersion: 1\n", encoding="utf-8")
    groups = {group: names for text in POINTS for group, names in tomllib.loads(text)["project"]["entry-points"].items()}
    groups["sudoku_cp.rules"] |= {"broken": "broken", "leaving": "leaving", "faulty": "faulty"}
    lines = [line for group, names in groups.items() for line in (f"[{group}]", *(f"{one} = {names[one]}" for one in names))]
    (information / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return site


@pytest.fixture
def plugged(run: Callable[..., Ended], site: Path) -> Callable[..., Ended]:
    """Return a function that runs ``sudoku-cp`` in a process where the packages are installed."""
    return lambda *arguments, **more: run(*arguments, PYTHONPATH=f"{CHECKOUT}:{site}", **more)


def test_the_rule_is_known_by_its_name(plugged: Callable[..., Ended], tmp_path: Path) -> None:
    """Listings, options, files, a run with workers and certificates know it; a near miss names it."""
    assert plugged("rules", "gentle-line", "--json").json_lines[0]["meaning"].startswith("Neighbouring cells on the line")
    ended = plugged("solve", "--rules", LINE, "--json", GRID)
    assert ended.code == 1
    assert all(solution[:3] == "123" for solution in ended.json_lines[0]["solutions"])
    puzzle = ended.json_lines[0]["puzzle"]
    (tmp_path / "puzzle.jsonl").write_text(f"{json.dumps(puzzle)}\n" * 3, encoding="utf-8")
    assert plugged("count", "puzzle.jsonl", "--json").json_lines[2]["count"] == 12
    assert plugged("solve", "puzzle.jsonl", "--out", "answers.jsonl", "--workers", 2).code == 1
    assert len((tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    near = plugged("solve", "--rules", LINE.replace("gentle", "gentel"), GRID)
    assert (near.code, "did you mean gentle-line" in near.err) == (2, True)


def test_a_module_that_does_not_load_hides_no_other(plugged: Callable[..., Ended]) -> None:
    """It is named with its error, once; without plug-ins being asked for, nothing is looked up."""
    ended = plugged("rules", "gentle-line")
    assert "the rules of 'broken' (broken) are left out, as they do not load: ZeroDivisionError: no luck" in ended.err
    assert "the rules of 'leaving' (leaving) are left out, as they do not load: SystemExit: 3" in ended.err
    assert "broken" not in plugged("solve", EASY).err


def test_a_failing_rule_is_named(plugged: Callable[..., Ended]) -> None:
    """It is exit code 4 with the kind and the line, never a traceback, and never "no"."""
    ended = plugged("count", "--rules", LINE.replace("gentle", "faulty"), GRID)
    assert ended.code == 4
    assert "expected a rule 'faulty-line' that works, got IndexError: " in ended.err
    assert "(faulty.py, line " in ended.err


def test_puzzles_with_the_rule_are_not_certified(plugged: Callable[..., Ended], tmp_path: Path) -> None:
    """The checker does not know what it means, also within another rule, and nothing is written."""
    within = json.dumps({"kind": "any-of", "rules": [json.loads(LINE)]})
    for rules in (LINE, within):
        made = plugged("prove", "--rules", rules, "--out", "certificate", "1234341221......")
        assert made.code == 2
        assert "expected rules that the independent checker knows, got gentle-line of another package" in made.err + made.out
    assert not (tmp_path / "certificate").exists()


def test_the_engine_agrees_with_ours(plugged: Callable[..., Ended], site: Path) -> None:
    """It is listed, compared, keeps the contract, and gets what it does not take as clauses."""
    assert "minisat" in {one["backend"] for one in plugged("backends", "--json").json_lines}
    assert plugged("compare", "--backends", "minisat,native", EASY).code == 0
    assert plugged("compare", "--backends", "minisat,native", "--rules", LINE, GRID).code == 0
    done = subprocess.run(
        [sys.executable, "-c", KEPT], capture_output=True, text=True, check=False, env={"PYTHONPATH": f"{CHECKOUT}:{site}"}
    )
    assert done.stdout.strip() == "[]", done.stderr
