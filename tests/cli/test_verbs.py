"""Every verb gives the documented answers and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_cp.cli.answer_loop import input_records
from sudoku_cp.cli.verbs import VERBS
from sudoku_cp.puzzle import Puzzle, from_json
from sudoku_cp.questions.question import Reading
from sudoku_cp.rules import rule_from_json

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
SEVERAL = "1..............."
CLASH = "11.............."
ENGINES = ["native", "native:first", "sat", "sat:cadical153", "cpsat", "cpsat:alldifferent", "auto"]


def lines(*texts: str) -> str:
    """Return the texts as lines of a file."""
    return "".join(f"{text}\n" for text in texts)


# --- solve ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_solve_answers_with_every_engine(call, engine: str) -> None:
    """Each engine finds the solution, proves it unique and is named in the answer."""
    ended = call("solve", "--json", "--backend", engine, HARD)
    (told,) = ended.json_lines
    assert ended.code == 0
    assert told["status"] == "unique"
    assert told["solutions"] == [SOLVED]
    assert (told["index"], told["puzzle"], told["count"], told["exact"]) == (0, HARD, 1, True)
    assert told["backend"] == engine or engine == "auto"
    assert told["seconds"] >= 0


def test_a_race_names_its_winner(call) -> None:
    """Puzzles of other rules are raced, by name or by `auto`; the answer names the engine that gave it."""
    for options in (["--backend", "race"], []):
        told = call("solve", "--json", "--rules", "diagonals", *options, "123............2").json_lines[0]
        assert (told["status"], told["count"], told["exact"]) == ("unique", 1, True)
        assert told["backend"] in {"native", "sat"}


def test_solve_draws_one_puzzle(call) -> None:
    """A single puzzle is drawn with its boxes, followed by the answer in words."""
    ended = call("solve", HARD)
    assert ended.code == 0
    assert "│ 4 1 7 │ 3 6 9 │ 8 2 5 │" in ended.out
    assert ended.out.splitlines()[-1].startswith("unique (fast:bigint, ")


def test_solve_answers_many_a_line_each(call) -> None:
    """Several puzzles get a line each: index, status, solutions; the exit code is the worst."""
    ended = call("solve", "-", text=lines(HARD, SEVERAL, CLASH))
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert [row[:2] for row in rows] == [["0", "unique"], ["1", "multiple"], ["2", "none"]]
    assert rows[0][2] == SOLVED
    assert len(rows[1]) == 4
    assert ended.code == 1


@pytest.mark.parametrize(("text", "status", "code"), [(HARD, "unique", 0), (SEVERAL, "multiple", 1), (CLASH, "none", 1)])
def test_the_exit_code_is_the_answer(call, text: str, status: str, code: int) -> None:
    """0 for a unique puzzle, 1 for several solutions or none."""
    ended = call("solve", "--json", text)
    assert ended.json_lines[0]["status"] == status
    assert ended.code == code


def test_all_first_limit_and_random(call) -> None:
    """--all finds all solutions, --limit at most so many, --first one without a proof, --random one that a seed repeats."""
    every = call("solve", "--json", "--all", "................")
    assert every.json_lines[0]["count"] == len(set(every.json_lines[0]["solutions"])) == 288
    assert every.code == 0
    some = call("solve", "--json", "--limit", 5, "................").json_lines[0]
    assert (some["count"], some["exact"], some["status"]) == (5, False, "multiple")
    first = call("solve", "--json", "--first", "................")
    assert (first.json_lines[0]["status"], first.json_lines[0]["count"], first.code) == ("solved", 1, 0)
    drawn = [call("solve", "--json", "--random", "--seed", seed, "." * 81).json_lines[0]["solutions"] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_limits_are_unknown_with_a_reason_and_exit_3(call) -> None:
    """A time or node limit that comes first is "unknown", never "no"."""
    late = call("solve", "--json", "--timeout", 0, HARD)
    assert (late.json_lines[0]["status"], late.json_lines[0]["reason"], late.code) == ("unknown", "deadline", 3)
    short = call("solve", "--json", "--nodes", 3, "--backend", "native:readable", HARD)
    assert (short.json_lines[0]["status"], short.json_lines[0]["reason"], short.code) == ("unknown", "nodes", 3)
    people = call("solve", "--nodes", 3, "--backend", "native:readable", HARD)
    assert people.out.startswith("unknown: the limit (nodes) came")


def test_marks_tell_given_forced_and_guessed(call) -> None:
    """With --marks a forced value is circled and a guessed one is in parentheses; givens stay as they are."""
    ended = call("solve", "--marks", HARD)
    assert re.search(r"[①-⑨]", ended.out)
    assert re.search(r"\(\d\)", ended.out)
    plain = call("solve", "--marks", "--ascii", HARD)
    assert plain.out.isascii()
    assert "[" in plain.out


def test_trace_writes_json_dot_and_shows_text(call, tmp_path) -> None:
    """The path tree of every puzzle goes to the file, as JSON or DOT by its ending, or to the terminal."""
    (tmp_path / "two.txt").write_text(lines(HARD, SEVERAL))
    assert call("solve", "--trace", "t.json", "two.txt").code == 1
    trees = json.loads((tmp_path / "t.json").read_text())
    assert [tree["index"] for tree in trees] == [0, 1]
    assert trees[0]["puzzle"] == HARD
    assert {node["kind"] for node in trees[0]["nodes"]} == {"root", "guessed", "forced"}
    assert {node["fate"] for node in trees[0]["nodes"]} <= {"dead", "alive", "solution"}
    assert any(node.get("because", "").startswith("row") for node in trees[0]["nodes"])
    assert call("solve", "--trace", "t.dot", HARD).code == 0
    assert (tmp_path / "t.dot").read_text().startswith("digraph path_tree {")
    shown = call("solve", "--trace", "-", HARD)
    assert shown.out.startswith("start ")
    assert "* solution" in shown.out


def test_trace_refuses_engines_and_endings_it_has_not(call) -> None:
    """Only an engine that records its search can be traced, and the ending must name a format."""
    assert call("solve", "--trace", "t.json", "--backend", "sat", HARD).code == 2
    ended = call("solve", "--trace", "t.xml", HARD)
    assert ended.code == 2
    assert "expected a file that ends in .json, .dot, .gv, or '-'" in ended.err


def test_rules_can_be_added(call) -> None:
    """--rules takes names, or JSON for rules with fields; unsatisfiable rules give no solution."""
    one = call("solve", "--json", "--first", "--rules", "diagonals,anti-knight", "." * 81).json_lines[0]
    assert one["status"] == "solved"
    assert [rule["kind"] for rule in one["puzzle"]["rules"]] == ["houses", "diagonals", "anti-knight"]
    cage = json.dumps([{"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}])
    values = call("solve", "--json", "--first", "--rules", cage, "." * 81).json_lines[0]["solutions"][0]
    assert sorted(values[:2]) == ["1", "2"]
    impossible = json.dumps({"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 30})
    assert call("solve", "--rules", impossible, "." * 81).code == 1


def test_shapes_and_alphabets(call) -> None:
    """--size, --boxes and --alphabet complete what a text leaves open."""
    wide = call("solve", "--json", "--first", "--size", "6x8", "." * 48)
    assert wide.code == 0
    assert wide.json_lines[0]["puzzle"]["grid"] == {"rows": 6, "columns": 8, "values": [1, 8]}
    tall = call("solve", "--json", "--first", "--boxes", "4x3", "." * 144).json_lines[0]
    assert tall["puzzle"]["grid"]["boxes"] == [4, 3]
    worded = call("solve", "--json", "--first", "--alphabet", "LABYRINTH", "L" + "." * 80).json_lines[0]
    assert set(worded["solutions"][0]) == set("LABYRINTH")


# --- count ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["native", "sat", "cpsat"])
def test_count_is_exact_or_says_not(call, engine: str) -> None:
    """All 288 grids of 4x4 are counted; a limit makes the count a lower bound; none is exit 1."""
    assert call("count", "--backend", engine, "................").out == "288\n"
    assert call("count", "--backend", engine, "--limit", 7, "................").out == "at least 7\n"
    assert call("count", "--backend", engine, CLASH).code == 1
    late = call("count", "--backend", engine, "--timeout", 0.3, "." * 81)
    assert late.code == 3
    assert late.out.startswith("at least ")


# --- compare ----------------------------------------------------------------------------------------------------


def test_compare_tells_agreement(call, tmp_path) -> None:
    """There is a table for people, JSON for programs, and exit code 0 if all agree."""
    (tmp_path / "three.txt").write_text(lines(HARD, SEVERAL, CLASH))
    people = call("compare", "three.txt", "--backends", "native,sat,cpsat")
    assert people.code == 0
    assert "3 puzzles: all engines agree" in people.out
    for name in ("native", "sat", "cpsat", "median ms", "p95 ms", "nodes"):
        assert name in people.out
    (told,) = call("compare", "--json", "three.txt").json_lines
    assert told["agreed"] is True
    assert [row["backend"] for row in told["backends"]] == ["native", "sat", "cpsat"]
    assert {row["solved"] for row in told["backends"]} == {3}


def test_compare_shows_a_disagreement(run, tmp_path) -> None:
    """A wrong engine of another package is found: exit 1 and a shrunk puzzle, in words and in JSON."""
    (tmp_path / "broken.py").write_text(
        "from sudoku_cp.backends import backend\n"
        "class Broken:\n"
        "    name, takes = 'broken', backend('native').takes\n"
        "    def open(self, model):\n"
        "        sound = backend('native').open(model)\n"
        "        class Session:\n"
        "            def solutions(self, assume={}, *, limits):\n"
        "                yield from list(sound.solutions(assume, limits=limits))[:1]\n"
        "        return Session()\n"
    )
    info = tmp_path / "broken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[sudoku_cp.backends]\nbroken = broken:Broken\n")
    puzzle = "1...34...4.3..2."[:16]
    ended = run("compare", "--backends", "sat,broken", SEVERAL, puzzle, PYTHONPATH=str(tmp_path))
    assert ended.code == 1, ended.err
    assert "DISAGREEMENT" in ended.out
    assert "it still shows" in ended.out
    (told,) = run("compare", "--json", "--backends", "sat,broken", SEVERAL, PYTHONPATH=str(tmp_path)).json_lines
    (finding,) = told["disagreements"]
    assert {verdict["status"] for verdict in finding["shrunk_verdicts"]} == {"unique", "multiple"}
    assert sum(sign != "." for sign in finding["shrunk"]) <= 1


def test_compare_needs_engines_that_exist(call) -> None:
    """An unknown engine, or only one, is bad usage."""
    assert call("compare", "--backends", "native,gurobi", HARD).code == 2
    assert call("compare", "--backends", "native", HARD).code == 2


# --- convert, show and the lists --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["line", "grid", "comma", "csv", "json", "euler"])
def test_convert_there_and_back(call, tmp_path, name: str) -> None:
    """A puzzle written in any format is read back as it was."""
    assert call("convert", "--to", name, "--out", "out.txt", HARD).code == 0
    assert call("convert", "--to", "line", "out.txt").out.split()[0] == HARD


def test_convert_writes_a_formula(call) -> None:
    """The DIMACS formula has its header line and a map of its variables."""
    out = call("convert", "--to", "dimacs", "1...............").out
    assert re.search(r"^p cnf \d+ \d+$", out, re.MULTILINE)
    assert re.search(r"^c var \d+ r1c1=1$", out, re.MULTILINE)


def test_convert_refuses_what_a_format_cannot_say(call) -> None:
    """A rule that a format cannot express is an error, never dropped."""
    ended = call("convert", "--to", "line", "--rules", "diagonals", HARD)
    assert ended.code == 1
    assert ended.out == ""
    assert call("convert", "--to", "poem", HARD).code == 2


def test_show_draws_and_names_rules(call) -> None:
    """The verb show draws the givens and lists the rules that a drawing cannot show."""
    out = call("show", "--rules", "diagonals", HARD).out
    assert "│ 4 . . │ . . . │ 8 . 5 │" in out
    assert out.splitlines()[-2:] == ["houses", "diagonals"]
    assert call("show", "--ascii", HARD).out.isascii()


@pytest.mark.parametrize(
    ("verb", "key", "some"), [("rules", "kind", "killer-cage"), ("formats", "format", "euler"), ("backends", "backend", "sat")]
)
def test_the_lists_tell_what_there_is(call, verb: str, key: str, some: str) -> None:
    """Rules, formats and backends are listed for people and for programs."""
    assert some in call(verb).out
    told = call(verb, "--json").json_lines
    assert some in {row[key] for row in told}


def test_a_rules_example_can_be_used(call) -> None:
    """--rules takes every example of the list, one by one and all at once."""
    rows = call("rules", "--json").json_lines
    assert all(row["meaning"] for row in rows)
    examples = [row["example"] for row in rows if row["values"] == [1, 9]]  # plain text cannot give a board other values
    for example in examples:
        (record,) = input_records(["." * 81], Reading(rules=json.dumps([example])))
        assert record.error is None
        assert record.puzzle.rules[1:] == (rule_from_json(example, record.puzzle.grid),)
    ended = call("show", "--rules", json.dumps(examples), "." * 81)
    assert ended.code == 0, ended.err
    assert [line.split()[0] for line in ended.out.splitlines()[-len(examples) :]] == [one["kind"] for one in examples]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(call, verb: str) -> None:
    """--help explains each verb."""
    ended = call(verb, "--help")
    assert ended.code == 0
    assert f"sudoku-cp {verb}" in ended.out


def test_the_list_of_verbs_is_whole(call) -> None:
    """--help alone names every verb, in the order of the registry."""
    out = call("--help").out
    assert [word for word in re.findall(r"^│ (\w+) ", out, re.MULTILINE) if word in VERBS] == [*VERBS]


FULL = "1234341221434321"
IN_A_PROCESS = {
    "doctor": (),
    "solve": (FULL,),
    "count": (FULL,),
    "check": (FULL,),
    "candidates": (FULL,),
    "compare": (FULL, "--backends", "native:readable,sat"),
    "audit": ("--ignore", "isomorphic", FULL),
    "fewest": (FULL,),
    "hint": ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",),
    "steps": (FULL,),
    "explain": (FULL, "r1c1=1"),
    "rate": ("--scale", "words,hodoku", FULL),
    "generate": ("--size", 4, "--seed", 1),
    "prove": (FULL, "--out", "certificate"),
    "convert": (FULL, "--to", "json"),
    "show": (FULL,),
    "print": (FULL, "--out", "sheet.pdf"),
    "rules": ("houses",),
    "formats": (),
    "backends": (),
}
"""A call of each verb; `verify` checks what `prove` writes, and `bench` has tests of its own."""


@pytest.mark.parametrize("verb", IN_A_PROCESS)
def test_every_verb_runs_in_a_process(run, verb: str) -> None:
    """Each verb answers in a fresh process; most other tests call verbs in this one."""
    ended = run(verb, *IN_A_PROCESS[verb])
    assert ended.code in {0, 1}, ended.err
    assert ended.out
    if verb == "prove":
        assert run("verify", "certificate").out.startswith("certificate: verified")


def test_no_verb_is_without_a_process() -> None:
    """A new verb needs a call in `IN_A_PROCESS`; `serve`, which does not end by itself, has tests of its own."""
    assert {*IN_A_PROCESS, "verify", "bench", "serve"} == {*VERBS}, "write a call of the new verb into IN_A_PROCESS"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(call, shell: str) -> None:
    """The program provides completion for the usual shells."""
    ended = call(_SUDOKU_CP_COMPLETE=f"source_{shell}")
    assert "SUDOKU_CP_COMPLETE" in ended.out


def test_json_puzzles_can_be_read_back(call) -> None:
    """The puzzle in a JSON answer is the puzzle of the input."""
    told = call("solve", "--json", "--rules", "diagonals", "--first", HARD.replace("4", ".")).json_lines[0]
    assert isinstance(from_json(told["puzzle"]), Puzzle)


def test_the_module_and_the_command_are_one() -> None:
    """``sudoku-cp`` and ``python -m sudoku_cp`` say the same version, and need no Numba to know all verbs."""
    command = Path(sys.executable).with_name("sudoku-cp")
    ended = [
        subprocess.run(call, capture_output=True, text=True, check=True)
        for call in ([command, "--version"], [sys.executable, "-X", "importtime", "-m", "sudoku_cp", "--version"])
    ]
    assert ended[0].stdout == ended[1].stdout
    assert ended[0].stdout.startswith("sudoku-cp ")
    assert "sudoku_cp.questions.generate" in ended[1].stderr
    assert "numba" not in ended[1].stderr
