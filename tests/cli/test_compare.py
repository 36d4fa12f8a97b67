"""``compare`` as people use it: programs as engines, Ctrl-C in the middle, and random puzzles."""

from __future__ import annotations

import json
import os
import signal
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp.cli.verbs.compare import check_by_certificate, compare
from sudoku_cp.compare.fuzzing import start_fuzz
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.compare import Verdict

SEVERAL = "1..............."
UNIQUE = Puzzle(Grid.square(4), givens={0: 1, 1: 2, 4: 3, 8: 2, 11: 1})
TEXTS = {"title", "source", "ruleset"}
SLOW = "#!/bin/sh\necho $$ > {folder}/pid\nexec sleep 60\n"


def test_an_engine_that_is_missing_is_missed_before_any_work(call, tmp_path) -> None:
    """A missing engine is bad usage before any puzzle is read: the input need not even end."""
    ended = call("compare", "--backends", "native,dimacs:no-such-solver", "-", text="")
    assert ended.code == 2
    assert "no-such-solver" in ended.err
    assert not ended.out


def test_fuzz_tells_what_it_did(call, tmp_path) -> None:
    """It reports rounds, kinds, statuses and times, for people and for programs; the same seed gives the same puzzles."""
    options = ("--fuzz", 3, "--seed", 5, "--backends", "native:readable,sat", "--timeout", 20)
    people = call("compare", *options)
    assert people.code == 0, people.err
    assert "--fuzz 3 --seed 5" in people.err
    for words in ("3 puzzles of seed 5", "kinds of rules", "tried by hand", "certificates", "nobody disagrees", "median ms"):
        assert words in people.out
    (told,) = call("compare", *options, "--json", "--quiet").json_lines
    assert (told["seed"], told["rounds"], told["agreed"], told["unknown"]) == (5, 3, True, 0)
    assert [row["backend"] for row in told["backends"]] == ["native:readable", "sat"]
    assert sum(told["statuses"].values()) == 3


def test_fuzz_finds_and_writes(run, tmp_path) -> None:
    """A wrong engine makes the exit code 1 and leaves files that `compare` can read."""
    _broken(tmp_path)
    there = {"PYTHONPATH": str(tmp_path)}
    options = ("--fuzz", 1, "--seed", 6, "--skip", 0, "--backends", "native:readable,broken")
    ended = run("compare", *options, "--out", "found", **there)
    assert ended.code == 1, ended.err
    assert "FINDING: sudoku-cp compare --fuzz 1 --seed 6 --skip 0" in ended.out
    assert "DISAGREEMENT on 1" in ended.out
    finding = tmp_path / "found" / "finding-6-0.json"
    assert (tmp_path / "found" / "test_finding_6_0.py").exists()
    again = run("compare", finding, "--backends", "native:readable,broken", "--limit", 40, **there)
    assert again.code == 1, again.out
    found, summary = run("compare", *options, "--json", **there).json_lines
    assert summary["findings"] == 1
    assert found["finding"] == "--fuzz 1 --seed 6 --skip 0"
    assert found["shrunk"] == {key: value for key, value in json.loads(finding.read_text()).items() if key not in TEXTS}


@pytest.mark.parametrize(
    ("puzzles", "options"),
    [
        ([], {}),
        ([SEVERAL], {"fuzz": 2}),
        ([SEVERAL], {"seed": 1}),
        ([SEVERAL], {"skip": 1}),
        ([SEVERAL], {"out": Path("x")}),
    ],
)
def test_options_that_contradict_are_refused(puzzles: list[str], options: dict[str, Any]) -> None:
    """Either puzzles or --fuzz must be given, and options of --fuzz only with it."""
    with pytest.raises(InvalidInput, match="--fuzz"):
        compare(puzzles, **options)


def test_ctrl_c_tells_what_was_found_so_far(start, tmp_path: Path) -> None:
    """Ctrl-C prints the table so far, ends with 130, and leaves no program running."""
    program = tmp_path / "slow"
    program.write_text(SLOW.format(folder=tmp_path))
    program.chmod(0o755)
    once = tmp_path / "once"
    once.write_text(f"#!/bin/sh\nif [ -e {tmp_path}/asked ]; then exec {program}; fi\ntouch {tmp_path}/asked\n" + UNSAT)
    once.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    process = start(
        "compare", "--json", "--backends", "native:readable,dimacs:once", "11" + "." * 14, SEVERAL, environment=environment
    )
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip()):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    told = json.loads(out)
    assert told["puzzles"] == 1
    assert told["agreed"]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


UNSAT = 'echo "s UNSATISFIABLE"\nexit 20\n'


# --- certificates -----------------------------------------------------------------------------------------------


def _said(puzzle: Puzzle) -> tuple[Verdict, ...]:
    return start_fuzz(["native:readable"]).look(puzzle).verdicts


def test_certificates_are_made_and_tampered_with() -> None:
    """One solution or none is proved and checked; nothing is claimed about several."""
    assert check_by_certificate(UNIQUE, _said(UNIQUE)) == ""
    none = UNIQUE.with_givens({0: 1, 1: 1})
    assert check_by_certificate(none, _said(none)) == ""
    several = UNIQUE.with_givens({0: 1})
    assert check_by_certificate(several, _said(several)) is None


def test_a_checker_that_believes_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tampered certificate that is still verified is reported, and so is a true one that is not."""

    class Report:
        verdict, problems = "verified", ()

    monkeypatch.setattr(import_module("sudoku_cp.cli.verbs.compare"), "verify", lambda *_, **__: Report)
    assert "expected it to be rejected with another solution" in str(check_by_certificate(UNIQUE, _said(UNIQUE)))
    Report.verdict = "rejected"
    assert "expected one that is verified" in str(check_by_certificate(UNIQUE, _said(UNIQUE)))


def test_a_claim_that_is_false_is_found() -> None:
    """If all engines say none although there is a solution, no certificate can be made, and that is reported."""
    none = UNIQUE.with_givens({0: 1, 1: 1})
    assert "certificate" in str(check_by_certificate(UNIQUE, _said(none)))


def _broken(folder: Path) -> None:
    """Write a package with an engine that never finds a second solution."""
    (folder / "broken.py").write_text(
        "from sudoku_cp.backends import backend\n"
        "class Broken:\n"
        "    name, takes = 'broken', backend('native:readable').takes\n"
        "    def open(self, model):\n"
        "        sound = backend('native:readable').open(model)\n"
        "        class Session:\n"
        "            def solutions(self, assume={}, *, limits):\n"
        "                for one in sound.solutions(assume, limits=limits):\n"
        "                    yield one\n"
        "                    return\n"
        "        return Session()\n"
    )
    info = folder / "broken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[sudoku_cp.backends]\nbroken = broken:Broken\n")
