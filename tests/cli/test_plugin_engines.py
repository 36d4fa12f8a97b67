"""An engine of another package on the command line: it is an engine like any other, and its crash is its own."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import backends
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.rules import Houses, Thermometer
from tests.cli.conftest import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Ended

PUZZLES = [Puzzle(Grid.square(4), (Houses(), Thermometer((0, 1, 2))), {15: value, 12: 2}) for value in (4, 1)]
ENGINES = '''
import sys
from sudoku_cp.backends import UNLIMITED, NOTHING
from sudoku_cp.model import Clause, AllDifferent


class Engine:
    takes = frozenset({Clause, AllDifferent})

    def open(self, model):
        assert {type(one) for one in model.constraints} <= self.takes
        self.model = model
        return self

    def solutions(self, assume=NOTHING, *, limits=UNLIMITED):
        return self.answer(assume)


class Sound(Engine):
    name = "sound"

    def answer(self, assume):
        from sudoku_cp.backends import backend

        return backend("native").open(self.model).solutions(assume)


class Crashing(Sound):
    """Crashes where the last cell is 4."""

    name = "crashing"

    def answer(self, assume):
        if assume[15] == 1 << 4:
            raise ZeroDivisionError("no luck")
        return super().answer(assume)


class Leaving(Engine):
    name = "leaving"

    def answer(self, assume):
        sys.exit(0)


class Babbling(Engine):
    name = "babbling"

    def answer(self, assume):
        return iter(["what?"])
'''
CRASH = "expected an answer from engine 'crashing', got ZeroDivisionError: no luck (site/plug_in.py, line 35)"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return the folder in which another package with engines is installed; puzzles are beside it."""
    site = tmp_path / "site"
    information = site / "plug_in-1.dist-info"
    information.mkdir(parents=True)
    (site / "plug_in.py").write_text(ENGINES, encoding="utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plug_in\nVersion: 1\n", encoding="utf-8")
    points = {"sound": "Sound", "crashing": "Crashing", "leaving": "Leaving", "babbling": "Babbling", "absent": "Absent"}
    lines = ["[sudoku_cp.backends]", *(f"{name} = plug_in:{kind}" for name, kind in points.items())]
    (information / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "two.jsonl").write_text("".join(f"{json.dumps(to_json(one))}\n" for one in PUZZLES), encoding="utf-8")
    (tmp_path / "one.jsonl").write_text(json.dumps(to_json(PUZZLES[0])), encoding="utf-8")
    return site


@pytest.fixture
def plugged(run: Callable[..., Ended], site: Path) -> Callable[..., Ended]:
    """Return a function that runs ``sudoku-cp`` in a process where that package is installed."""
    return lambda *arguments: run(*arguments, PYTHONPATH=f"{CHECKOUT}:{site}")


@pytest.fixture
def plugged_here(call: Callable[..., Ended], site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Ended]]:
    """Yield a function like ``plugged`` that stays in this process."""
    with monkeypatch.context() as patch:
        patch.syspath_prepend(site)
        _forget_engines()
        yield call
    _forget_engines()


def _forget_engines() -> None:
    backends.known_backends.cache_clear()
    backends.backend.__wrapped__.cache_clear()  # type: ignore[attr-defined]
    sys.modules.pop("plug_in", None)


def test_it_answers_like_any_other(plugged: Callable[..., Ended]) -> None:
    """It gets rules that it does not know as clauses, and agrees with ours."""
    told, ours = (plugged("solve", "one.jsonl", "--backend", name, "--json").json_lines[0] for name in ("sound", "native"))
    assert (told["status"], sorted(told["solutions"])) == (ours["status"], sorted(ours["solutions"]))
    ended = plugged("compare", "two.jsonl", "--backends", "sound,native")
    assert ended.code == 0
    assert "all engines agree" in ended.out


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("crashing", CRASH),
        ("leaving", "expected an answer from engine 'leaving', got SystemExit: 0"),
        ("babbling", "expected a whole number for each of 16 cells from engine 'babbling', got 'what?'"),
        ("absent", "expected an engine that loads from engine 'absent', got AttributeError"),
    ],
)
@pytest.mark.parametrize("verb", ["solve", "count", "check", "candidates"])
def test_its_failure_is_exit_code_4(plugged_here: Callable[..., Ended], verb: str, engine: str, message: str) -> None:
    """A failure is never a traceback, and never "no": it names the engine and the error."""
    ended = plugged_here(verb, "one.jsonl", "--backend", engine)
    assert ended.code == 4
    assert message in ended.err


def test_the_other_puzzles_are_answered(plugged_here: Callable[..., Ended], tmp_path: Path) -> None:
    """A puzzle at which an engine fails is marked, on the screen, in JSON and in a run from file to file."""
    ended = plugged_here("solve", "two.jsonl", "--backend", "crashing")
    assert ended.code == 4
    assert [line.split("\t")[1] for line in ended.out.splitlines()] == ["error", "multiple"]
    ended = plugged_here("solve", "two.jsonl", "--backend", "crashing", "--json")
    assert ended.code == 4
    assert ended.json_lines[0] == {"index": 0, "status": "error", "error": CRASH}
    assert ended.json_lines[1]["status"] == "multiple"
    for kind in ("txt", "csv", "jsonl"):
        ended = plugged_here("solve", "two.jsonl", "--backend", "crashing", "--out", f"answers.{kind}")
        assert ended.code == 4
        assert CRASH in ended.err
        text = (tmp_path / f"answers.{kind}").read_text(encoding="utf-8")
        assert CRASH in text
        assert text.count("multiple") == 1


def test_compare_reports_its_failure_and_no_disagreement(plugged_here: Callable[..., Ended]) -> None:
    """The engines that answer are compared; the one that failed is named with its error."""
    ended = plugged_here("compare", "two.jsonl", "--backends", "crashing,native,sat")
    assert ended.code == 4
    assert f"crashing failed; puzzle 0: {CRASH}" in ended.out
    assert "DISAGREEMENT" not in ended.out
    (told,) = plugged_here("compare", "two.jsonl", "--backends", "crashing,native,sat", "--json").json_lines
    assert (told["agreed"], told["disagreed"], told["failed"]) == (True, 0, 1)
    assert told["backends"][0]["failure"] == f"puzzle 0: {CRASH}"


def test_an_engine_that_does_not_load_is_listed(plugged: Callable[..., Ended]) -> None:
    """One broken package does not hide the other engines."""
    told = {one["backend"]: one for one in plugged("backends", "--json").json_lines}
    assert told["sound"]["installed"]
    assert not told["absent"]["installed"]
    assert "no attribute 'Absent'" in told["absent"]["summary"]
