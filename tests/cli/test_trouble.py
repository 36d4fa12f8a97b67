"""Bad input, broken pipes, full disks and Ctrl-C: a clear word, a documented exit code, nothing lost."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "got none"),
        ("\n\n# only a comment\n", "got one that begins"),
        (HARD[:-2] + "\n" + HARD[:-1] + "\n", "79"),
        (HARD.replace("8", "Z", 1) + "\n", "'Z'"),
        ("{", "line 1"),
        ('{"format": "sudoku-cp puzzle", "version": 99}', "version"),
    ],
)
def test_bad_input_is_named(run, text: str, expected: str) -> None:
    """What was expected and what came is said, with exit code 2."""
    ended = run("solve", "-", text=text)
    assert ended.code == 2
    assert expected in ended.err + ended.out


@pytest.mark.parametrize("verb", ["solve", "count", "check", "compare", "show"])
def test_the_rest_goes_on_after_a_bad_line(run, verb: str) -> None:
    """A line that cannot be read is told with its number, and the good ones around it are answered."""
    ended = run(verb, "-", text=f"{HARD}\n{HARD[:-2]}\n{HARD}\n")
    assert ended.code == 2
    assert "line 2" in ended.err + ended.out
    assert "81" in ended.err + ended.out
    if verb == "solve":
        assert [line.split("\t")[1] for line in ended.out.splitlines()] == ["unique", "error", "unique"]


def test_errors_have_a_place_in_json(run) -> None:
    """In JSON a bad line is an object of its own, in its place."""
    told = run("solve", "--json", "-", text=f"{HARD}\nrubbish rubbish\n{HARD}\n").told
    assert [one["status"] for one in told] == ["unique", "error", "unique"]
    assert [one["index"] for one in told] == [0, 1, 2]
    assert "line 2" in told[1]["error"]


def test_missing_files_folders_and_packed_rubbish(run, tmp_path) -> None:
    """A file that is not there, a folder, or a broken archive is bad input."""
    assert "no such file" in run("solve", "nowhere.txt").err
    (tmp_path / "folder").mkdir()
    packed = gzip.compress(f"{HARD}\n".encode() * 2000)
    (tmp_path / "cut.txt.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "fake.txt.gz").write_text("not gzip")
    (tmp_path / "latin.txt").write_bytes(b"\xe9\xe8\xff\n")
    for name in ("nowhere.txt", "folder", "cut.txt.gz", "fake.txt.gz", "latin.txt"):
        assert run("solve", name, "--quiet").code == 2, name


def test_packed_files_are_read_through(run, tmp_path) -> None:
    """A .gz file is read like any other."""
    (tmp_path / "one.txt.gz").write_bytes(gzip.compress(f"{HARD}\n".encode()))
    assert run("solve", "one.txt.gz").code == 0


def test_a_huge_line_is_refused_in_a_short_message(run, tmp_path) -> None:
    """Ten million signs in a line are not printed back."""
    (tmp_path / "huge.txt").write_text("1" * 10_000_000)
    ended = run("solve", "huge.txt")
    assert ended.code == 2
    assert len(ended.err) < 1000


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve"],
        ["nonsense"],
        ["solve", "--limit", "0", HARD],
        ["solve", "--timeout", "-1", HARD],
        ["solve", "--backend", "gurobi", HARD],
        ["solve", "--backend", "sat:nosuch", HARD],
        ["solve", "--backend", "sat:lingeling", "--timeout", "5", HARD],
        ["solve", "--boxes", "3by3", HARD],
        ["solve", "--boxes", "2x3", HARD],
        ["solve", "--size", "0x9", HARD],
        ["solve", "--rules", "nosuch", HARD],
        ["solve", "--rules", "[{]", HARD],
        ["solve", "--rules", "killer-cage", HARD],
        ["solve", "--rules", '[{"kind": "thermometer", "cells": ["r1c1", "r10c1"]}]', HARD],
        ["solve", "--alphabet", "AABCDEFGH", HARD],
        ["solve", "--from", "nosuch", HARD],
        ["solve", "--trace", "nowhere/t.json", HARD],
        ["convert", HARD],
        ["convert", "--to", "line", "--out", "nowhere/out.txt", HARD],
        ["rules", "nosuch"],
    ],
)
def test_bad_usage_is_exit_2(run, arguments: list[str]) -> None:
    """Wrong words on the command line are told, and answered with exit code 2."""
    ended = run(*arguments)
    assert ended.code == 2
    assert ended.err.strip()


def test_an_empty_25x25_board_is_solved_or_given_up(run) -> None:
    """A large empty board has a first solution in time, or says that the time ran out."""
    ended = run("solve", "--first", "--timeout", "20", "--json", "." * 625)
    assert ended.told[0]["status"] in {"solved", "unknown"}
    assert ended.code in {0, 3}


def _start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "sudoku_cp", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1"},
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize("engine", ["native", "sat", "cpsat"])
def test_ctrl_c_ends_with_130(engine: str) -> None:
    """An interrupt ends any engine within moments, with exit code 130 and no traceback."""
    process = _start("count", "--backend", engine, "." * 81)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"interrupted" in err


def test_what_was_answered_before_ctrl_c_is_there() -> None:
    """JSON answers leave at once, so an interrupt loses none that were found."""
    process = _start("solve", "--json", "--all", HARD, "." * 81)
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert b'"unique"' in first
    assert process.returncode == 130


def test_a_reader_that_stops_is_no_error(tmp_path: Path) -> None:
    """``sudoku-cp ... | head -1`` ends quietly."""
    many = tmp_path / "many.txt"
    many.write_text(f"{HARD}\n" * 3000)
    process = _start("solve", "--backend", "sat", many)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 0
    assert err == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["solve", HARD], ["solve", "--json", HARD], ["convert", "--to", "json", HARD], ["rules", "--json"]]
)
def test_a_full_disk_is_told(arguments: list[str]) -> None:
    """When the answers cannot be written, the program says so and ends with exit code 2."""
    with Path("/dev/full").open("w") as full:
        call = [sys.executable, "-m", "sudoku_cp", *arguments]
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_colour_is_only_for_terminals(run) -> None:
    """Output that goes to a file or a pipe has no escapes."""
    assert "\x1b" not in run("solve", HARD).out
    assert "\x1b" not in run("solve", HARD, FORCE_COLOR="").out


def test_ascii_locales_get_ascii(run) -> None:
    """Where the terminal cannot show box-drawing signs, the grid is drawn without them."""
    assert run("solve", HARD, PYTHONUTF8="0", PYTHONIOENCODING="ascii").out.isascii()
