"""What ``doctor`` says of an installation."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from sudoku_cp.backends import BUILT_IN
from sudoku_cp.cli.verbs import doctor
from sudoku_cp.cli.verbs.doctor import FOR_DEVELOPERS, licence_of

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_part_is_told(call) -> None:
    """Each engine has solved a puzzle or is not installed, and nothing is broken here."""
    ended = call("doctor", "--json")
    rows = {row["part"]: row for row in ended.json_lines}
    assert ended.code == 0, ended.out
    assert {f"engine {name}" for name in BUILT_IN} < set(rows)
    assert {row["state"] for row in rows.values()} <= {"ok", "not installed"}
    for name in ("fast", "native", "sat", "cpsat"):
        assert rows[f"engine {name}"]["state"] == "ok"


def test_people_get_a_line_for_each_part(call) -> None:
    """Without --json each part has a line that begins with its state."""
    ended = call("doctor")
    assert all(re.match(r"(ok|not installed) ", line) for line in ended.out.splitlines())


def test_an_engine_that_errs_is_broken(call, monkeypatch) -> None:
    """The exit code is 1, and the error is told."""
    monkeypatch.setattr("sudoku_cp.cli.verbs.doctor.PATIENCE", 0)
    ended = call("doctor", "--json")
    assert ended.code == 1
    assert "got unknown" in next(row["about"] for row in ended.json_lines if row["state"] == "broken")


def test_licences_are_told_of_all_that_is_needed(call) -> None:
    """Every package that this one needs stands in the list with its version and a licence, and with those that it needs."""
    rows = [json.loads(line) for line in call("doctor", "--licences", "--json").out.splitlines()]
    found = {row["name"]: row for row in rows}
    needed = {re.split(r"[<>=\[]", text)[0] for text in PROJECT["dependencies"]}
    assert needed | {"llvmlite"} <= set(found)
    assert found["numba"]["version"] == distribution("numba").version
    assert all(found[name]["extras"] == [] for name in needed)
    assert found["llvmlite"]["licence"].startswith("BSD")
    assert [row["name"] for row in rows if row["licence"] == "not stated"] == []


def test_a_missing_extra_says_what_to_install(call, monkeypatch) -> None:
    """It is no fault, and the line that installs it is in the row."""
    monkeypatch.setattr(doctor, "extras", lambda: ("parquet",))
    monkeypatch.setattr("sudoku_cp.cli.verbs.doctor.extras", lambda: ("parquet",))
    real = doctor._installed
    monkeypatch.setattr(doctor, "_installed", lambda name: None if name == "pyarrow" else real(name))
    ended = call("doctor", "--json")
    (row,) = [row for row in ended.json_lines if row["part"] == "extra parquet"]
    assert row == {"part": "extra parquet", "state": "not installed", "about": "pip install 'sudoku-cp[parquet]' (pyarrow)"}
    assert ended.code == 0


def test_extras_for_developers_are_known() -> None:
    """Every extra that is left out exists."""
    assert set(PROJECT["optional-dependencies"]) > FOR_DEVELOPERS


@pytest.mark.parametrize(("name", "licence"), [("numpy", "BSD"), ("rich", "MIT"), ("python-sat", "MIT")])
def test_licences_come_from_wherever_a_package_states_them(name: str, licence: str) -> None:
    """An expression, a classifier, or a few words."""
    assert licence in licence_of(distribution(name))
