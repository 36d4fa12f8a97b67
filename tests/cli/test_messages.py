"""Messages of the command line: short enough to read, and about what was typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.cli.output import Warnings
from sudoku_cp.errors import MAX_MESSAGE, InvalidInput, ParseError

if TYPE_CHECKING:
    from pathlib import Path

LONG = "x" * 50_000
PUZZLE = "1" + "." * 15
BAD = json.dumps({"givens": {f"r{number}c1": 99 for number in range(3000)}, "rules": [{"kind": LONG}]})
MOST = 2000


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", LONG],
        ["solve", BAD],
        ["solve", "--json", BAD],
        ["check", BAD],
        ["show", BAD],
        ["show", "--svg", LONG, PUZZLE],
        ["solve", PUZZLE, "--timeout", LONG],
        ["solve", PUZZLE, f"--{LONG}"],
        ["solve", PUZZLE, "--size", LONG],
        ["solve", PUZZLE, "--boxes", LONG],
        ["solve", PUZZLE, "--rules", LONG],
        ["solve", PUZZLE, "--backend", LONG],
        ["solve", PUZZLE, "--from", LONG],
        ["solve", PUZZLE, "--alphabet", LONG],
        ["solve", PUZZLE, "--out", LONG],
        ["convert", PUZZLE, "--to", LONG],
        ["generate", "--difficulty", LONG],
        ["generate", "--pattern", LONG],
        ["rules", LONG],
        ["verify", LONG],
        ["bench", "--sets", LONG],
        [LONG],
    ],
    ids=lambda arguments: " ".join(word[:12] for word in arguments),
)
def test_no_message_is_longer_than_people_read(call, arguments: list[str]) -> None:
    """Whatever is wrong, no line of a message is longer than people read."""
    ended = call(*arguments)
    assert ended.code != 0
    told = (ended.err + ended.out).strip()
    assert told
    # Messages of the option parser have a frame and may be wrapped.
    assert len("".join(told.replace("│", "").split())) <= MOST


def test_all_problems_are_kept_though_few_are_said() -> None:
    """The message lists the first problems and counts the others; programs get them all, and the place comes first."""
    error = ParseError([f"problem {number}" for number in range(10_000)], source="file.txt", line=7)
    assert str(error).startswith("file.txt, line 7: problem 0; problem 1; ")
    assert str(error).endswith("more problems")
    assert len(str(error)) <= MAX_MESSAGE
    assert len(error.problems) == 10_000
    assert len(str(error.at(source=LONG))) <= MAX_MESSAGE
    assert str(InvalidInput(["a", "b"])) == "a; b"
    assert str(InvalidInput(LONG)).endswith(" more characters)")


@pytest.mark.parametrize("name", ["pic.png", "pic.pdf", "pic.svg.gz", "pic.svgz", "pic"])
@pytest.mark.parametrize("verb", [("show", PUZZLE), ("check", PUZZLE), ("generate", "--size", 4)])
def test_a_picture_is_called_what_it_is(call, tmp_path: Path, verb: tuple[object, ...], name: str) -> None:
    """SVG is not written to a file with another ending; the message names the right one."""
    ended = call(*verb, "--svg", name)
    assert ended.code == 2
    assert "ends in .svg" in ended.err
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("verb", ["show", "check"])
def test_the_ending_of_a_picture_may_be_in_capitals(call, tmp_path: Path, verb: str) -> None:
    """A file that ends in .SVG is a picture too."""
    assert call(verb, PUZZLE, "--svg", "pic.SVG").code in {0, 1}
    assert (tmp_path / "pic.SVG").read_text().startswith("<svg")


@pytest.mark.parametrize("verb", ["solve", "count", "check", "candidates", "show", "convert"])
def test_a_size_is_read_alike_everywhere(call, verb: str) -> None:
    """``--size 4`` is a side both for reading and for generating, and wrong ones give the same message."""
    options = ["--to", "json"] if verb == "convert" else []
    short, long = (call(verb, "1234341221434321", "--size", size, *options) for size in ("4", "4x4"))
    assert (short.code, len(short.out.splitlines())) == (long.code, len(long.out.splitlines()))
    assert short.code == 0
    for size in ("0", "37", "x", "4x", "abc"):
        told = call(verb, PUZZLE, "--size", size, *options)
        assert told.code == 2
        assert told.err == call("generate", "--size", size).err


def test_a_long_text_is_no_classic_board(call) -> None:
    """A side alone gives a text its shape: 36 characters are a 6x6 board."""
    told = call("convert", "." * 36, "--size", 6, "--to", "json").json_lines
    assert (told[0]["grid"]["rows"], told[0]["grid"]["boxes"]) == (6, [2, 3])


def test_who_wants_a_set_that_is_absent_is_told_how_to_get_it(call, tmp_path: Path) -> None:
    """A fresh clone has two sets; the message names them, the folder for others, and the way to use one's own files."""
    ended = call("bench", "--sets", "17clue", "--data", tmp_path)
    assert ended.code == 2
    for words in ("17clue", "hardest and euler96", "--data DIR", "SUDOKU_CP_DATA", "sudoku-cp bench FILE"):
        assert words in ended.err


@pytest.mark.parametrize(
    "arguments",
    [["show"], ["compare", "--backends", "native,sat"], ["convert", "--to", "line"], ["solve", "--out", "o.txt"]],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("name", ["quotes.csv", "long.csv"])
def test_many_records_in_trouble_are_told_by_some_and_a_number(call, tmp_path, arguments: list[str], name: str) -> None:
    """Of a file of errors the first are printed, and the others counted."""
    told = '"4.....8.5...,a' if name == "quotes.csv" else "4" * 500 + ",a"
    (tmp_path / name).write_text("puzzle,x\n" + f"{told}\n" * 1000)
    ended = call(*arguments, name)
    assert ended.code == 2
    assert len(ended.err) <= MOST
    lines = ended.err.splitlines()
    number = sum("line " in line and "expected" in line for line in lines)
    assert 0 < number <= 20
    assert f"and {1000 - number} more records that failed" in lines


def test_many_puzzles_that_cannot_be_written_are_told_by_some_and_a_number(call, tmp_path) -> None:
    """So it is with puzzles that a format refuses."""
    lines = [json.dumps({"puzzle": PUZZLE, "rules": [{"kind": "diagonals"}]}) for _ in range(300)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    ended = call("convert", "--to", "sdm", "many.jsonl")
    assert ended.code == 1
    assert len(ended.err) <= MOST
    number = ended.err.count("not written: puzzle ")
    assert 0 < number <= 20
    assert f"and {300 - number} more records that failed" in ended.err


def test_many_warnings_are_told_by_some_and_a_number(capsys) -> None:
    """Warnings are limited too, and leave room for errors; a single one is printed however long it is."""
    warnings = Warnings(quiet=False)
    for index in range(500):
        warnings.add_all(index, ["expected nothing of the sort"])
    warnings.end()
    *told, last = capsys.readouterr().err.splitlines()
    assert told[0] == "puzzle 0: expected nothing of the sort"
    assert last == f"and {500 - len(told)} more warnings"
    assert sum(map(len, told)) < MOST // 4
    alone = Warnings(quiet=False)
    alone.add_all(7, [LONG])
    alone.end()
    assert capsys.readouterr().err.startswith("puzzle 7: xxx")


@pytest.mark.parametrize(
    "rules", ["diagonals;anti-knight", "diagonals | anti-knight", "X-Sudoku + knight", "windoku and anti-king"]
)
@pytest.mark.parametrize("words", [["solve", PUZZLE], ["generate"]], ids=["solve", "generate"])
def test_names_of_rules_between_other_signs_are_told_to_take_commas(call, words, rules) -> None:
    """The message says which sign stands between names, as the next try will have it."""
    ended = call(*words, "--rules", rules)
    assert ended.code == 2
    written = ended.err.partition("expected a comma between the names of rules")[2].partition(": write ")[2].strip()
    assert len(written.split(",")) == 2
    assert call("solve", "." * 81, "--rules", written).code != 2


def test_a_kind_of_finding_may_be_spelled_as_people_do(call) -> None:
    """Underscores and capitals do not matter; of another name the nearest is suggested."""
    assert (
        call("audit", PUZZLE, "--ignore", "Not_Minimal,not unique").code
        == call("audit", PUZZLE, "--ignore", "not-minimal,not-unique").code
    )
    assert "did you mean wrong-label?" in call("audit", PUZZLE, "--ignore", "wrng_lable").err


WORDOKU = "A..C.D...INO...RT......................................................" + "." * 8 + "Y."
"""A board in letters without its alphabet."""


@pytest.mark.parametrize("verb", ["solve", "count", "check", "audit", "convert", "print", "rate", "hint", "prove", "out"])
def test_every_verb_names_an_option_as_it_is_typed(call, tmp_path, verb) -> None:
    """What the library names in backquotes has its dashes on the terminal, in JSON and in files of answers."""
    (tmp_path / "two.txt").write_text(f"{WORDOKU}\n{PUZZLE}\n")
    more = {"convert": ["--to", "line"], "print": ["--out", "two.pdf"], "prove": ["--out", "two"]}
    if verb == "out":
        call("solve", "two.txt", "--out", "two.jsonl")
        told = (tmp_path / "two.jsonl").read_text()
    else:
        ended = call(verb, *([] if verb == "print" else ["--json"]), "two.txt", *more.get(verb, []))
        told = ended.out + ended.err
    assert "state them with --alphabet ACDINORTY" in told
    assert "`" not in told


@pytest.mark.parametrize("where", ["argument", "file", "out"])
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--rules", '{"kind": "thermometer", "cells": ["r1c1", "r99c1"]}'], "--rules: thermometer, cells: expected a cell of a"),
        (["--rules", "windouk"], "--rules: expected a rule, got 'windouk'"),
        (["--size", "6"], "--size: expected 36 cells, got 16"),
        (["--boxes", "2x3"], "--boxes: expected 36 cells, got 16"),
        (["--alphabet", "ABC"], "--alphabet: expected a name of an alphabet or 4 signs"),
    ],
    ids=["json", "name", "size", "boxes", "alphabet"],
)
def test_an_option_that_does_not_fit_is_named_as_it_is_typed(call, tmp_path, where, arguments, expected) -> None:
    """The puzzle is not blamed: neither an argument, nor the first line of a file."""
    (tmp_path / "one.txt").write_text(f"{PUZZLE}\n")
    ended = call("solve", PUZZLE if where == "argument" else "one.txt", *arguments, *["--out", "o.csv"] * (where == "out"))
    assert ended.code == 2
    assert expected in ended.err
    assert "no such file" not in ended.err
    assert "line 1: thermometer" not in ended.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (
            "solve PUZZLE --backend foo --size x --boxes 7 --rules nonsense,foo --from bar --alphabet zz --timeout abc --seed 1",
            "--backend --size --boxes --rules --from --alphabet --timeout --seed",
        ),
        ("solve PUZZLE --from bar --backend baz --resume", "--from --backend --resume"),
        ("solve PUZZLE --nodes -5 --limit 0 --timeout -1 --backend foo", "--nodes --limit --timeout --backend"),
        ("generate -n -3 --difficulty insane --symmetry foo --givens 5..3", "--count --difficulty --symmetry --givens"),
        (
            "print PUZZLE --out x.pdf --per-page 5 --paper a9 --numbering q --margin -4 --from bar",
            "--per-page --paper --numbering --margin --from",
        ),
        *[
            (f"{verb} PUZZLE --from bar --timeout abc --size x", "--from --timeout --size")
            for verb in ("check", "count", "candidates", "hint", "steps", "rate", "audit", "compare", "fewest")
        ],
        ("explain PUZZLE r1c1=1 --from bar --timeout abc --size x", "--from --timeout --size"),
        ("prove PUZZLE --out x --from bar --timeout abc --size x", "--from --timeout --size"),
    ],
)
def test_every_option_at_fault_is_named_at_once(call, words: str, named: str) -> None:
    """All options that are wrong are reported together, a line each, numbers and ranges too, with exit code 2."""
    ended = call(*[PUZZLE if word == "PUZZLE" else word for word in words.split()])
    assert ended.code == 2
    lines = ended.err.splitlines()
    assert all(line.startswith("sudoku-cp: --") for line in lines), ended.err
    assert {line.split()[1].strip(":") for line in lines} == set(named.split())


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (b"PK\x03\x04\x14\0", "a ZIP archive"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"%PDF-1.4\n1 0 obj", "a PDF"),
        (bytes(range(1, 200)), "bytes that are no text"),
        (b"1" * 60 + b"\0\1" * 60, "bytes that are no text"),
    ],
)
@pytest.mark.parametrize("source", ["file", "stdin"])
def test_binary_input_is_called_what_it_is(call, tmp_path: Path, content: bytes, got: str, source: str) -> None:
    """A file that holds no text is refused as that, not read as a puzzle with odd signs."""
    (tmp_path / "input").write_bytes(content)
    ended = call("solve", "input") if source == "file" else call("solve", "-", text=content)
    assert ended.code == 2
    assert f"expected text, got {got}" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explain", PUZZLE, "A1=2"], "expected a question such as r5c7=4, got 'A1=2'"),
        (["explain", PUZZLE, "r1c1=12"], "got 'r1c1=12': a value is one sign of the puzzle"),
        (["explain", PUZZLE, "r1c1=7"], "r1c1=7: expected a value of the puzzle, one of 1234, got '7'"),
        (["explain", PUZZLE, "r10c1=1"], "r10c1=1: expected a cell of a 4x4 grid, got 'r10c1'"),
        (["generate", "--rating", "se:99"], "on the scale se from 1.0 to 12.0, got se:99"),
        (["generate", "--rating", "se:0..0.5"], "on the scale se from 1.0 to 12.0, got se:0..0.5"),
        (["solve", "--rules", "pair-sum", PUZZLE], "a pair-sum needs its cells and total"),
        (
            ["solve", "RSTUVWYZ" + "." * 73],
            "state them with --alphabet RSTUVWYZ?, with the one that is not written in place of ?",
        ),
    ],
)
def test_a_message_names_what_was_typed(call, arguments: list[str], words: str) -> None:
    """Questions, ratings and alphabets that cannot be meant are refused in words about what was typed."""
    ended = call(*arguments)
    assert words in ended.err + ended.out
    if arguments[0] != "solve" or "--rules" in arguments:
        assert (ended.code, ended.out) == (2, "")
        assert "--cell" not in ended.err


@pytest.mark.parametrize(
    ("more", "words", "agreed"),
    [((), "1 puzzle: all engines agree", True), (("--timeout", "0"), "1 puzzle: no engine answered", None)],
)
def test_engines_agree_where_they_answer(call, more: tuple[str, ...], words: str, agreed: bool | None) -> None:
    """Of engines that did not answer it is not reported that they agree."""
    assert words in call("compare", PUZZLE, *more).out
    assert call("compare", PUZZLE, "--json", *more).json_lines[0]["agreed"] is agreed
