"""Bad input, broken pipes, full disks and Ctrl-C: a clear message, a documented exit code, nothing lost."""

from __future__ import annotations

import gzip
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
def test_bad_input_is_named(call, text: str, expected: str) -> None:
    """The message says what was expected and what came, with exit code 2."""
    ended = call("solve", "-", text=text)
    assert ended.code == 2
    assert expected in ended.err + ended.out


@pytest.mark.parametrize("verb", ["solve", "count", "check", "compare", "show"])
def test_the_rest_goes_on_after_a_bad_line(call, verb: str) -> None:
    """A line that cannot be read is reported with its number, and the good ones around it are answered."""
    ended = call(verb, "-", text=f"{HARD}\n{HARD[:-2]}\n{HARD}\n")
    assert ended.code == 2
    assert "line 2" in ended.err + ended.out
    assert "81" in ended.err + ended.out
    if verb == "solve":
        assert [line.split("\t")[1] for line in ended.out.splitlines()] == ["unique", "error", "unique"]


def test_errors_have_a_place_in_json(call) -> None:
    """In JSON a bad line has an object of its own, in its place."""
    told = call("solve", "--json", "-", text=f"{HARD}\nrubbish rubbish\n{HARD}\n").json_lines
    assert [one["status"] for one in told] == ["unique", "error", "unique"]
    assert [one["index"] for one in told] == [0, 1, 2]
    assert "line 2" in told[1]["error"]


def test_missing_files_folders_and_packed_rubbish(call, tmp_path) -> None:
    """A missing file, a folder, or a broken archive is bad input."""
    assert "no such file" in call("solve", "nowhere.txt").err
    (tmp_path / "folder").mkdir()
    packed = gzip.compress(f"{HARD}\n".encode() * 2000)
    (tmp_path / "cut.txt.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "fake.txt.gz").write_text("not gzip")
    (tmp_path / "latin.txt").write_bytes(b"\xe9\xe8\xff\n")
    for name in ("nowhere.txt", "folder", "cut.txt.gz", "fake.txt.gz", "latin.txt"):
        assert call("solve", name, "--quiet").code == 2, name


def test_packed_files_are_read_through(call, tmp_path) -> None:
    """A .gz file is read like any other."""
    (tmp_path / "one.txt.gz").write_bytes(gzip.compress(f"{HARD}\n".encode()))
    assert call("solve", "one.txt.gz").code == 0


def test_a_huge_line_is_refused_in_a_short_message(call, tmp_path) -> None:
    """A line of ten million characters is not echoed."""
    (tmp_path / "huge.txt").write_text("1" * 10_000_000)
    ended = call("solve", "huge.txt")
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
def test_bad_usage_is_exit_2(call, arguments: list[str]) -> None:
    """Wrong arguments on the command line are reported with exit code 2."""
    ended = call(*arguments)
    assert ended.code == 2
    assert ended.err.strip()


def test_an_empty_25x25_board_is_solved_or_given_up(call) -> None:
    """A large empty board gets a first solution in time, or an answer that the time ran out."""
    ended = call("solve", "--first", "--timeout", "20", "--json", "." * 625)
    assert ended.json_lines[0]["status"] in {"solved", "unknown"}
    assert ended.code in {0, 3}


def wait_until_handled(process: subprocess.Popen[str]) -> None:
    """Wait until a process handles SIGTERM, which takes long on a busy machine; where Linux does not tell, half a second."""
    status = Path("/proc", str(process.pid), "status")
    if not status.exists():
        time.sleep(0.5)
        return
    while process.poll() is None and not int(status.read_text().split("SigCgt:")[1].split()[0], 16) >> signal.SIGTERM - 1 & 1:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("engine", "rules"),
    [("native", "diagonals"), ("native:compiled", "houses"), ("race", "diagonals"), ("sat", "houses"), ("cpsat", "diagonals")],
)
def test_ctrl_c_ends_with_130(start, engine: str, rules: str) -> None:
    """An interrupt ends any engine within moments, whatever the rules, with exit code 130 and no traceback."""
    process = start("count", "--backend", engine, "--rules", rules, "." * 81)
    wait_until_handled(process)
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=3000)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupted" in err


def test_a_program_that_starts_with_sigint_ignored_leaves_it_ignored(start) -> None:
    """Under nohup, or in the background of a script, Ctrl-C is meant for others: the call goes on to its answer."""
    process = start("count", "--backend", "native", "--timeout", 1, "--rules", "diagonals", "." * 81, sigint=signal.SIG_IGN)
    assert process.poll() is None
    for _ in range(10):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    out, err = process.communicate(timeout=3000)
    assert (process.returncode, "interrupted" in err) == (3, False)
    assert out.startswith("at least ")


@pytest.mark.parametrize("verb", [("count", "." * 81), ("generate", "-n", 10**9, "--cross-check", 0)])
def test_sigterm_is_heard_as_ctrl_c(start, verb: tuple[object, ...]) -> None:
    """SIGTERM, which job queues send, ends any verb as an interrupt does."""
    process = start(*verb)
    wait_until_handled(process)
    time.sleep(0.4)
    process.terminate()
    _, err = process.communicate(timeout=3000)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupted" in err


@pytest.mark.parametrize("engine", ["native:compiled", "race"])
def test_a_deadline_ends_a_count_of_other_rules(call, engine: str) -> None:
    """An engine with threads and compiled code keeps its time limit too, and the count is a lower bound."""
    assert call("solve", "--backend", engine, "12..34..2.......").code == 1  # compiles if necessary; limited questions do not
    ended = call("count", "--backend", engine, "--timeout", 0.5, "--rules", "diagonals,anti-knight", "." * 81)
    assert ended.code == 3
    assert ended.out.startswith("at least ")
    assert "deadline" in ended.err


def test_what_was_answered_before_ctrl_c_is_there(start) -> None:
    """JSON answers are flushed at once, so an interrupt loses none that were found."""
    process = start("solve", "--json", "--all", HARD, "." * 81)
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=3000)
    assert '"unique"' in first
    assert process.returncode == 130


def test_a_reader_that_stops_is_no_error(start, tmp_path: Path) -> None:
    """``sudoku-cp ... | head -1`` ends quietly."""
    many = tmp_path / "many.txt"
    many.write_text(f"{HARD}\n" * 3000)
    process = start("solve", "--backend", "sat", many)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=3000) == 0
    assert err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["solve", HARD], ["solve", "--json", HARD], ["convert", "--to", "json", HARD], ["rules", "--json"]]
)
def test_a_full_disk_is_told(arguments: list[str]) -> None:
    """When the answers cannot be written, the program says so and ends with exit code 2."""
    with Path("/dev/full").open("w") as full:
        call = [sys.executable, "-m", "sudoku_cp", *arguments]
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert "could not write the answers: no space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_colour_is_only_for_terminals(call) -> None:
    """Output to a file or a pipe has no escape sequences."""
    assert "\x1b" not in call("solve", HARD).out
    assert "\x1b" not in call("solve", HARD, FORCE_COLOR="").out


def test_ascii_locales_get_ascii(run) -> None:
    """If the terminal cannot show box-drawing characters, the grid is drawn without them."""
    assert run("solve", HARD, PYTHONUTF8="0", PYTHONIOENCODING="ascii").out.isascii()


INTERRUPTED_IMPORT = """
import os, signal, sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            sys.argv[1:] = sys.argv[2:]
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

from sudoku_cp.__main__ import main
sys.meta_path.insert(0, Interrupter())
main()
"""
"""Calls the program, with Ctrl-C when it begins to import the module that the first argument names."""


@pytest.mark.parametrize(
    "module",
    ["contextlib", "sudoku_cp.interrupts", "sudoku_cp.cli", "typer", "sudoku_cp.questions.count", "sudoku_cp.grid", "json"],
)
def test_ctrl_c_while_starting_is_130_too(module: str) -> None:
    """An interrupt in any import, from our first line on, ends the program with 130 and no traceback.

    Pressed a few milliseconds earlier, Python itself may lose it in a callback of its import system, and nobody can tell it to.
    """
    call = [sys.executable, "-c", INTERRUPTED_IMPORT, module, "count", "." * 81]
    ended = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert "Traceback" not in ended.stderr
    assert "interrupted" in ended.stderr


INTERRUPTED_PARSING = """
import typer.core
from sudoku_cp.__main__ import main

def interrupted(*_, **__):
    raise KeyboardInterrupt

typer.core.TyperCommand.make_context = interrupted
main()
"""
"""Calls the program, with Ctrl-C while typer parses the arguments."""


def test_ctrl_c_while_arguments_are_parsed_is_told() -> None:
    """Typer ends silently then; the program says that it was interrupted, once."""
    call = [sys.executable, "-c", INTERRUPTED_PARSING, "solve", "--json", HARD]
    ended = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "sudoku-cp: interrupted\n")


INTERRUPTED_STRING = """
import sudoku_cp.cli
from sudoku_cp.__main__ import main

def interrupted():
    exec("raise KeyboardInterrupt")

sudoku_cp.cli.main = interrupted
main()
"""
"""Calls the program, with Ctrl-C while code in a string runs."""


def test_ctrl_c_in_a_string_of_code_is_130_too(tmp_path) -> None:
    """Under ``python -m``, a parent process gets 130 from the program, too, where Python itself would die of the signal."""
    (tmp_path / "interrupted_string.py").write_text(INTERRUPTED_STRING)
    call = [sys.executable, "-m", "interrupted_string"]
    ended = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "sudoku-cp: interrupted\n")


def test_nothing_large_is_imported_before_ctrl_c_is_handled() -> None:
    """What the program imports before it handles Ctrl-C takes a millisecond."""
    loaded = "import sys, signal; before = {*sys.modules}; import sudoku_cp.__main__; print(*{*sys.modules} - before)"
    ended = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, timeout=300, check=True)
    assert "sudoku_cp.__main__" in ended.stdout
    assert not {*ended.stdout.split()} & {"collections", "contextlib", "functools", "re", "threading", "typing"}


PRINTING = {
    "solve": ["solve", HARD],
    "solve as JSON": ["solve", "--json", HARD],
    "convert": ["convert", "--to", "json", HARD],
    "generate": ["generate", "--size", "4", "--seed", "1"],
    "rules": ["rules"],
    "help": ["--help"],
    "version": ["--version"],
}
"""Calls that print and end with exit code 0, those that are parsed and written in ways of their own among them."""


def end_with(redirection: str, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the program with a stream redirected as the shell does it."""
    call = ["sh", "-c", f'"$@" {redirection}', "sh", sys.executable, "-m", "sudoku_cp", *arguments]
    return subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_a_closed_standard_output_cannot_be_written(arguments: list[str]) -> None:
    """Answers that nobody can get are no success: a message, no traceback, and exit code 2."""
    done = end_with(">&-", arguments)
    said = done.stderr.splitlines()  # on a new machine, before it, that a kernel is compiled
    assert (done.returncode, said[-1]) == (2, "sudoku-cp: could not write the answers: bad file descriptor")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(arguments, id=name, marks=[pytest.mark.slow] * (name in {"solve as JSON", "convert", "version"}))
        for name, arguments in PRINTING.items()
    ],
)
def test_a_closed_standard_error_changes_no_answer(arguments: list[str]) -> None:
    """Remarks that nobody can get are no failure: the exit code is that of the answer, which is printed."""
    done = end_with("2>&-", arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_nothing_to_print_needs_no_standard_output(tmp_path: Path) -> None:
    """A call that writes a file ends well with every standard stream closed, and bad usage keeps its exit code."""
    written = tmp_path / "puzzle.json"
    done = end_with("<&- >&- 2>&-", ["convert", "--to", "json", "--out", str(written), HARD])
    assert done.returncode == 0
    assert written.read_text().startswith("{")
    assert end_with("<&- >&- 2>&-", ["solve", "--nonsense"]).returncode == 2


def test_help_to_a_full_disk_is_told() -> None:
    """Help that cannot be written ends with a message and exit code 2."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    call = ["sh", "-c", f"{sys.executable} -m sudoku_cp --help >/dev/full"]
    done = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--first", "--all"],
        ["--random", "--limit", "3"],
        ["--seed", "3"],
        ["--random", "--marks"],
        ["--random", "--trace", "t.json"],
        ["--json", "--trace", "-"],
        ["--rules", "[" * 50_000],
        ["--rules", '[{"kind": "quadruple", "cells": ["r1c1", "r1c2"], "digits": [-1]}]'],
        ["--rules", '[{"kind": "killer-cage", "cells": ["r1c1"], "total": 1000000000000}]'],
        ["--size", "9" * 5000 + "x9"],
    ],
)
def test_options_that_contradict_are_refused(call, options: list[str]) -> None:
    """Contradictory or meaningless options are reported, never silently ignored."""
    ended = call("solve", *options, HARD)
    assert ended.code == 2
    assert any(words in ended.err for words in ("expected", "needs", "cannot be combined"))


def test_a_rule_that_does_not_fit_one_puzzle_spares_the_others(call) -> None:
    """With --rules, a board that a rule does not fit is reported in its place, and the rest goes on."""
    ended = call("count", "--limit", 1, "--rules", "windoku", "-", text=f"{'.' * 81}\n{'.' * 25}\n{'.' * 81}\n")
    assert ended.code == 2
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert [row[1] for row in rows] == ["at least 1", "error", "at least 1"]


def test_a_field_said_twice_is_refused(call) -> None:
    """JSON that gives a cell twice is bad input, as either may be meant."""
    ended = call("solve", '{"givens": {"r1c1": 1, "r1c1": 2}}')
    assert ended.code == 2
    assert "once" in ended.err


def test_titles_cannot_steer_the_terminal(call) -> None:
    """Control characters in a title are not printed."""
    ended = call("show", r'{"title": "a\u001b[31mX"}')
    assert ended.code == 0
    assert "\x1b" not in ended.out


@pytest.mark.parametrize("engine", ["native", "sat:cadical153", "cpsat", "cpsat:alldifferent"])
@pytest.mark.parametrize("nodes", [0, 2**63, 10**30])
def test_any_node_limit_is_understood(call, engine: str, nodes: int) -> None:
    """Zero nodes are too few for a hard puzzle, and a limit beyond 64 bits is as good as none."""
    ended = call("solve", "--json", "--backend", engine, "--nodes", nodes, HARD)
    if nodes:
        assert (ended.json_lines[0]["status"], ended.code) == ("unique", 0)
    elif engine != "cpsat:alldifferent":  # its presolve answers without a conflict
        assert (ended.json_lines[0]["status"], ended.json_lines[0].get("reason"), ended.code) == ("unknown", "nodes", 3)


@pytest.mark.parametrize("seconds", ["inf", "1e300"])
def test_endless_time_limits_are_none(call, seconds: str) -> None:
    """An infinite time limit is no limit, also for an engine that takes a while."""
    ended = call("count", "--backend", "sat", "--limit", 2000, "--timeout", seconds, "." * 81)
    assert ended.code == 0
