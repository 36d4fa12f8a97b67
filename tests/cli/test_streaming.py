"""Answers are printed as they are found, and no more input is read ahead than choosing an engine needs."""

from __future__ import annotations

import io
import json
import re
import signal
import sys
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import backends
from sudoku_cp.backends import MANY, MANY_LOADED
from sudoku_cp.cli import answer_loop
from sudoku_cp.cli.answer_loop import CountedRecords
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record, records_of_text
from sudoku_cp.questions.question import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EMPTY = "." * 81
PLAIN, DIAGONALS = (json.dumps({"rules": rules, "givens": {"r1c1": 1}}) for rules in (["houses"], ["houses", "diagonals"]))


# --- how many puzzles there are ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "source"), [("solve", "one.txt"), ("solve", "-"), ("count", "-"), ("candidates", "one.txt")])
def test_one_puzzle_in_a_file_is_one(run, tmp_path: Path, verb: str, source: str) -> None:
    """A file or a standard input with one puzzle gets the engine for a single puzzle, and loads no kernel."""
    (tmp_path / "one.txt").write_text(f"{HARD}\n")
    told = run(verb, source, "--json", "--timeout", 300, text=f"{HARD}\n").json_lines
    assert told[0]["backend"] != "fast:lanes"
    assert "reason" not in told[0]


def test_many_puzzles_are_known_to_be_many(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with enough puzzles for the kernel gets it from the first puzzle on."""
    many = MANY_LOADED + 1
    for room in (backends, answer_loop):
        monkeypatch.setattr(room, "MANY", many)
    (tmp_path / "many.txt").write_text(f"{HARD}\n" * many)
    told = call("solve", "many.txt", "--json").json_lines
    assert len(told) == many
    assert {one["backend"] for one in told} == {"fast:lanes"}


@pytest.mark.parametrize(
    ("lines", "amount"),
    [
        ([HARD], 1),
        ([HARD] * 20, 20),
        ([HARD] * (MANY + 5), MANY),
        ([HARD, "rubbish", HARD], 3),
        ([PLAIN, DIAGONALS, PLAIN, PLAIN], 2),
    ],
)
def test_as_much_is_read_ahead_as_makes_a_difference(tmp_path: Path, lines: list[str], amount: int) -> None:
    """Plain grids are read ahead up to the number that decides the choice; other rules are not."""
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    records = CountedRecords([str(path)], Reading())
    found = iter(records)
    next(found)
    assert records.expected_count == amount
    assert 1 + len(list(found)) == len(lines)
    assert records.expected_count == max(amount, len(lines))


def test_what_stands_before_trouble_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that ends the reading is reported after the answers to the puzzles before it, although they are read ahead."""

    def broken(*arguments: object) -> Iterator[Record]:
        yield from records_of_text(f"{HARD}\n{HARD}\n")
        raise InvalidInput("expected more")

    monkeypatch.setattr(answer_loop, "input_records", broken)
    found = iter(CountedRecords(["in.txt"], Reading()))
    assert next(found).puzzle is not None
    assert next(found).puzzle is not None
    with pytest.raises(InvalidInput, match="expected more"):
        next(found)


def test_of_a_pipe_as_many_are_expected_as_have_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """If somebody may be typing, nothing is read ahead, and the expected count grows with the input."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Pipe(f"{HARD}\n".encode() * 9)))
    records = CountedRecords(["-"], Reading())
    assert [records.expected_count for _ in records] == list(range(1, 10))


# --- very many solutions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", [["--all"], ["--limit", "1000000"]])
def test_solutions_come_as_they_are_found(start, option: list[str]) -> None:
    """The solutions of an empty grid come in objects of at most a thousand, and Ctrl-C reports how many were printed."""
    with start("solve", *option, "--json", EMPTY) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = [json.loads(line) for line in islice(process.stdout, 3)]
        process.send_signal(signal.SIGINT)
        told += [json.loads(line) for line in process.stdout]
        err = process.stderr.read()
    assert process.returncode == 130
    assert [one["index"] for one in told] == [0] * len(told)
    assert all(one["partial"] and not one["exact"] and one["status"] == "multiple" for one in told)
    found = [solution for one in told for solution in one["solutions"]]
    assert all(len(one["solutions"]) <= 1000 for one in told)
    assert len(found) == len(set(found)) == told[-1]["count"]
    # One part may be printed at the moment of Ctrl-C, before it is counted.
    least = re.search(r"at least ([\d,]+) solutions of puzzle 0 were printed", err)
    assert least
    assert len(found) - 1000 <= int(least[1].replace(",", "")) <= len(found)


@pytest.mark.parametrize("arguments", [["--json", EMPTY], [EMPTY], [EMPTY, EMPTY]])
def test_a_reader_that_has_enough_ends_it_quietly(start, arguments: list[str]) -> None:
    """``| head -1`` is not an error in any kind of output."""
    with start("solve", "--all", *arguments) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(200)
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_few_solutions_are_one_object(call) -> None:
    """Solutions that fit into one part come in one object, without any field about parts."""
    (told,) = call("solve", "--all", "--json", "." * 16).json_lines
    assert (len(told["solutions"]), told["count"], told["exact"], "partial" in told) == (288, 288, True, False)


def test_a_line_is_finished_wherever_it_ends(call) -> None:
    """Each of several puzzles has one line, however many parts its answer has."""
    out = call("solve", "--limit", 2500, EMPTY, "." * 16).out
    first, second = (line.split("\t") for line in out.splitlines())
    assert (first[:2], len(set(first[2:]))) == (["0", "multiple"], 2500)
    assert (second[:2], len(set(second[2:]))) == (["1", "multiple"], 288)
