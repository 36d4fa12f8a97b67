"""``-`` where an output is named: standard output, or a refusal; never a file of that name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.cli.conftest import ENVIRONMENT, KERNELS

PUZZLE = "1..." + "..2." + ".3.." + "...4"


def test_a_pdf_goes_to_standard_output(call, tmp_path) -> None:
    """The bytes are a PDF and nothing else, so that a pipe can take them."""
    ended = call("print", PUZZLE, "--out", "-", encoding="latin-1")
    assert ended.out.startswith("%PDF")
    assert ended.out.rstrip().endswith("%%EOF")
    assert [*tmp_path.iterdir()] == []


def test_no_pdf_is_written_to_a_terminal(tmp_path) -> None:
    """A terminal would show signs without sense."""
    ours, theirs = os.openpty()
    environment = {"PATH": "/usr/bin:/bin", **KERNELS, **ENVIRONMENT}
    arguments = [sys.executable, "-m", "sudoku_cp", "print", PUZZLE, "--out", "-"]
    ended = subprocess.run(
        arguments, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert ended.returncode == 2
    assert "--out: expected a file for the PDF, or a pipe for '-', got a terminal" in ended.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_converted_texts_go_to_standard_output(call, tmp_path, more: list[str]) -> None:
    """It is what happens without --out."""
    ended = call("convert", PUZZLE, "--to", "line", "--out", "-", *more)
    assert ended == call("convert", PUZZLE, "--to", "line", *more)
    assert ended.out
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", PUZZLE, "--out", "-"],
        ["rate", PUZZLE, "--out", "-"],
        ["generate", "--size", "4", "--out", "-"],
        ["generate", "--size", "4", "--certificates-to", "-"],
        ["generate", "--size", "4", "--svg", "-"],
        ["prove", PUZZLE, "--out", "-"],
        ["compare", "--fuzz", "1", "--out", "-"],
        ["rules", "--gallery", "-"],
        ["check", PUZZLE, "--svg", "-"],
        ["hint", PUZZLE, "--svg", "-"],
        ["show", PUZZLE, "--png", "-"],
        ["steps", PUZZLE, "--html", "-"],
        ["steps", PUZZLE, "--svg", "-"],
    ],
    ids=lambda arguments: f"{arguments[0]}{arguments[-2]}",
)
def test_what_standard_output_cannot_take_is_refused(call, tmp_path, arguments: list[str]) -> None:
    """The error names the option, and no file or folder is made."""
    ended = call(*arguments)
    assert ended.code == 2
    assert f"{arguments[-2]}: expected a " in ended.err
    assert "got '-'" in ended.err
    assert [*tmp_path.iterdir()] == []


HORIZONTAL = "\N{BOX DRAWINGS LIGHT HORIZONTAL}"
PRINTED = """
import sys
from sudoku_cp.cli import output
output.PATIENCE = -1.0
with output.ProgressBar(None, quiet=False) as bar:
    for number in range(1, 6):
        bar.show(number, number)
        output.print_text(f"line {number} " + "\\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 90)
"""


@pytest.mark.parametrize("is_file", [True, False], ids=["a file", "the terminal"])
def test_what_is_printed_while_a_bar_is_shown_arrives_whole(tmp_path, is_file) -> None:
    """A bar on the terminal of standard error takes nothing of standard output, be that a file or the same terminal, 60 wide."""
    master, slave = os.openpty()
    target = tmp_path / "printed.txt"
    with target.open("wb") as file:
        out = file if is_file else slave
        environment = {**os.environ, "COLUMNS": "60", "TERM": "xterm"}
        process = subprocess.Popen([sys.executable, "-c", PRINTED], stdout=out, stderr=slave, stdin=slave, env=environment)
    os.close(slave)
    shown = b""
    with suppress(OSError):  # Linux: the other end is closed
        while piece := os.read(master, 1 << 16):
            shown += piece
    os.close(master)
    assert process.wait(60) == 0, shown
    text = (target.read_bytes() if is_file else shown).decode()
    lines = [line for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", text).splitlines() if "line" in line]
    assert [line[line.index("line") :] for line in lines] == [f"line {number} {HORIZONTAL * 90}" for number in range(1, 6)]
