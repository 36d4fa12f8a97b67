"""No encoding of a terminal, and no stream that cannot be written, makes a verb end in an undocumented way."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sudoku_cp
from sudoku_cp.cli.output import ESCAPES, _make_bar
from sudoku_cp.cli.verbs import VERBS

CHECKOUT = str(Path(sudoku_cp.__file__).parents[1])
ENCODINGS = ("ascii", "latin-1", "cp1252")
TITLE = "é─☃\U0001f600 ①│"
"""A title with signs of two, three and four bytes, two of which draw borders."""
GIVENS = {"r1c1": 1, "r1c2": 2, "r2c1": 3, "r3c2": 1, "r4c3": 1}
PUZZLE = {
    "format": "sudoku-cp puzzle",
    "version": 1,
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2], "values": [1, 4]},
    "givens": GIVENS,
    "title": TITLE,
    "author": "Łukasz",
}
SUM = {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}
CALLS = {
    "solve": [["P"], ["P", "--json"], ["P", "P"], ["P", "--marks", "--trace", "-"], ["V", "--json"], ["V", "V"]],
    "count": [["P"], ["P", "--json"]],
    "check": [["P"], ["P", "--json"], ["V"]],
    "candidates": [["P"], ["P", "--json"]],
    "compare": [["P", "--backends", "native,sat"], ["P", "--backends", "native,sat", "--json"]],
    "audit": [["P", "P"], ["P", "P", "--json"]],
    "fewest": [["--size", "4", "--timeout", "5"]],
    "bench": [[__file__, "--help"]],
    "hint": [["P"], ["P", "--level", "5"], ["V", "--json"]],
    "steps": [["P"], ["V", "--json"]],
    "explain": [["P", "r1c3=1"], ["P", "r1c3=1", "--json"]],
    "rate": [["P", "--scale", "words"], ["P", "--scale", "words", "--json"]],
    "generate": [["--size", "4", "--seed", "1"], ["--size", "4", "--seed", "1", "--json"], ["--size", "4", "--to", "opensudoku"]],
    "prove": [["P", "--out", "C"]],
    "verify": [["C"], ["nowhere ─"]],
    "convert": [["P", "--to", "json"], ["P", "--to", "fpuzzles"], ["NINE", "--to", "opensudoku"], ["nowhere ─", "--to", "line"]],
    "show": [["P"], ["V"], ["P", "--svg", "-"], ["nowhere ─"]],
    "print": [["P", "--out", "sheet.pdf"], ["nowhere ─", "--out", "sheet.pdf"]],
    "rules": [[], ["--json"], ["thermometer"]],
    "formats": [[], ["--json"]],
    "backends": [[], ["--json"]],
    "doctor": [[], ["--json"]],
    "serve": [["--host", "─"]],
}
"""What each verb is asked: P is a puzzle with an odd title, V one with a rule, C a folder for a certificate."""


@pytest.fixture
def words(tmp_path: Path) -> dict[str, str]:
    """Return the meaning of the capital words of `CALLS`."""
    nine = {name: value for name, value in PUZZLE.items() if name != "grid"} | {"givens": {"r1c1": 1}}
    files = {"P": PUZZLE, "V": PUZZLE | {"rules": [SUM]}, "NINE": nine}
    for name, told in files.items():
        (tmp_path / f"{name} é.json").write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    return {name: f"{name} é.json" for name in files}


@pytest.mark.parametrize(
    ("verb", "encoding"),
    [
        pytest.param(verb, encoding, marks=() if encoding == "ascii" or verb in {"solve", "show", "prove"} else pytest.mark.slow)
        for verb in VERBS
        for encoding in ENCODINGS
    ],
)
def test_no_encoding_ends_a_verb(call, words: dict[str, str], verb: str, encoding: str) -> None:
    """Every verb ends as in UTF-8, writes characters of the terminal's encoding, and its JSON is equivalent."""
    for number, arguments in enumerate([*CALLS[verb], ["--help"]]):
        spelt = [words.get(word, word) for word in arguments]
        both = {
            one: call(verb, *(f"{word}{one}" if word == "C" else word for word in spelt), encoding=one)
            for one in ("utf-8", encoding)
        }
        assert both[encoding].code == both["utf-8"].code, (number, both[encoding].err)
        if "--json" in arguments or arguments[-1:] == ["json"]:
            told, expected = both[encoding].json_lines, both["utf-8"].json_lines
            assert both[encoding].out.isascii()
            assert [sorted(one) for one in told] == [sorted(one) for one in expected]
            assert [one.get("title") for one in told] == [one.get("title") for one in expected]
            assert [one.get("puzzle") for one in told] == [one.get("puzzle") for one in expected]


@pytest.mark.parametrize(("encoding", "title"), [("ascii", "\\u00e9-"), ("latin-1", "é-"), ("cp437", "é─"), ("utf-8", "é─")])
def test_titles_are_said_as_well_as_can_be(call, words: dict[str, str], encoding: str, title: str) -> None:
    """Characters that the terminal has are kept; borders become + - |; the rest is escaped."""
    out = call("show", words["P"], encoding=encoding).out
    assert out.startswith(title), out
    assert ("☃" if encoding == "utf-8" else "\\u2603") in out
    assert ("\U0001f600" if encoding == "utf-8" else "\\ud83d\\ude00") in out


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("format_", ["json", "fpuzzles", "opensudoku"])
def test_what_programs_read_stays_exact(call, words: dict[str, str], tmp_path: Path, encoding: str, format_: str) -> None:
    """A document on standard output is read back with the same title, whatever the encoding."""
    out = call("convert", words["NINE"], "--to", format_, encoding=encoding).out
    (tmp_path / "back").write_bytes(out.encode("ascii"))
    assert call("convert", "back", "--to", "json").json_lines[0]["title"] == TITLE


@pytest.mark.parametrize("known", [True, False])
def test_a_progress_bar_has_no_signs_that_a_terminal_has_not(monkeypatch: pytest.MonkeyPatch, known: bool) -> None:
    """Bars and spinners are drawn in ASCII if the terminal has nothing else."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict", write_through=True)
    monkeypatch.setattr(sys, "stderr", stream)
    bar = _make_bar("puzzles", known=known)
    bar.add_task("", total=10 if known else None, completed=5, puzzles=5, rate=1.0, words="")
    bar.console.print(bar.get_renderable())
    assert b"5 puzzles" in stream.buffer.getvalue()


@pytest.mark.parametrize("handler", [ESCAPES])
def test_escapes_are_those_of_json(call, handler: str) -> None:
    """Any text that an encoding lacks is escaped so that JSON reads it back, undecodable bytes included."""
    call("formats", "--json")  # which has registered the handler
    for text in ("é", "─", "\U0001f600", "a\udcffb", "\ud83d"):
        assert json.loads(f'"{text.encode("ascii", handler).decode()}"') == text


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        pytest.param({"PYTHONIOENCODING": "latin-1"}, marks=pytest.mark.slow),  # of one byte as cp1252 is
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=lambda environment: next(iter(environment.values())),
)
def test_the_environment_chooses_the_encoding(environment: dict[str, str], tmp_path: Path) -> None:
    """Without UTF-8 in the environment, puzzles are still read as UTF-8: files, standard input and arguments."""
    told = json.dumps(PUZZLE, ensure_ascii=False)
    (tmp_path / "é.json").write_text(told, encoding="utf-8")
    for argument in (told, "é.json", "-"):
        done = subprocess.run(
            [sys.executable, "-m", "sudoku_cp", "convert", "--to", "json", argument],
            input=told.encode(),
            capture_output=True,
            cwd=tmp_path,
            check=False,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": CHECKOUT, **environment},
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout.decode("ascii"))["title"] == TITLE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["check", "1" + "." * 15], ["check", "--nonsense"], ["--help"], ["show", "nowhere.txt"], ["rules"]]
)
def test_nothing_can_be_written_anywhere(arguments: list[str]) -> None:
    """If both streams are full, only the exit code shows it."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "sudoku_cp", *arguments], stdout=full, stderr=full, check=False)
    assert done.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently on Windows")
@pytest.mark.parametrize("verb", ["formats", "rules"])
def test_remarks_that_nobody_reads_change_no_exit_code(verb: str) -> None:
    """A closed standard error does not affect the answer."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "sudoku_cp", verb, "--json"], stdout=subprocess.PIPE, stderr=writing, check=False
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stdout
