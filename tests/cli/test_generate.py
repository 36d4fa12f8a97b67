"""``generate``: its options, its output, and its exit codes."""

from __future__ import annotations

import json

import pytest

from sudoku_cp import Puzzle, is_unique
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.request_parsing import parse_span_text


def test_a_puzzle_a_line_and_the_seed_beside_it(call) -> None:
    """Puzzles are lines on standard output, each unique; the seed on standard error reproduces them."""
    first = call("generate", "-n", 3)
    lines = first.out.split()
    assert first.code == 0
    assert len(lines) == 3
    assert all(is_unique(Puzzle.parse(line)) for line in lines)
    seed = first.err.rpartition("--seed ")[2].strip()
    assert call("generate", "-n", 3, "--seed", seed, "--quiet").out == first.out
    assert call("generate", "-n", 3, "--seed", seed, "--quiet").err == ""


def test_objects_say_all_of_a_puzzle(call) -> None:
    """An object has puzzle, solution, seed, number, givens, request, tries, and the engine that proved it."""
    ended = call("generate", "-n", 2, "--seed", 5, "--symmetry", "rot180", "--json")
    assert [one["index"] for one in ended.json_lines] == [0, 1]
    one = ended.json_lines[1]
    assert list(one) == [
        "index",
        "puzzle",
        "solution",
        "seed",
        "number",
        "givens",
        "symmetry",
        "difficulty",
        "tries",
        "proved_by",
    ]
    puzzle = Puzzle.parse(one["puzzle"])
    assert len(puzzle.givens) == one["givens"]
    assert {80 - cell for cell in puzzle.givens} == set(puzzle.givens)
    assert Puzzle.parse(one["solution"]).givens.items() >= puzzle.givens.items()
    assert one["proved_by"] != "fast:lanes"


def test_difficulties_are_mixed(call) -> None:
    """Counts of difficulties give the number of puzzles; --count must agree with their sum."""
    told = call("generate", "--difficulty", "easy:2,hard:1", "--seed", 3, "--json").json_lines
    assert sorted(one["difficulty"] for one in told) == ["easy", "easy", "hard"]
    refused = call("generate", "-n", 5, "--difficulty", "easy:2,hard:1", "--givens", "x")
    assert refused.code == 2
    assert "--difficulty: expected difficulties for 5 puzzles in all, as --count says, got easy:2,hard:1 for 3" in refused.err
    assert "--givens: expected a number" in refused.err


def test_a_sample_is_proved_and_says_so(call) -> None:
    """With --cross-check only the sample names the engine that proved it."""
    told = call("generate", "-n", 200, "--seed", 5, "--cross-check", 0.1, "--json").json_lines
    assert 5 < sum("proved_by" in one for one in told) < 50


@pytest.mark.parametrize("number", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_what_is_made_is_fine(call, number: int) -> None:
    """The audit finds nothing wrong with hundreds of minimal puzzles."""
    ended = call("generate", "-n", number, "--minimal", "--seed", 1, "--out", "m.txt")
    assert ended.code == 0, ended.err
    assert f"{number:,} puzzles" in ended.err
    ended = call("audit", "m.txt")
    assert ended.code == 0, ended.out
    assert f"{number:,} fine" in ended.out


@pytest.mark.parametrize("name", ["line", "sdm", "json", "grid", "csv"])
def test_formats_can_be_asked_for(call, name: str) -> None:
    """--to writes the same as 'sudoku-cp convert'."""
    lines = call("generate", "-n", 2, "--seed", 3).out.split()
    ended = call("generate", "-n", 2, "--seed", 3, "--to", name)
    assert ended.code == 0
    again = call("convert", "-", "--to", "line", text=ended.out)
    assert [line[:81].replace("0", ".") for line in again.out.splitlines()] == lines


def test_pictures_and_certificates(call, tmp_path) -> None:
    """Each puzzle gets a picture and a certificate, which is verified."""
    options = ("generate", "-n", 2, "--size", 4, "--seed", 1)
    ended = call(*options, "--svg", "p.svg", "--certificates")
    assert ended.code == 0, ended.err
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    assert (tmp_path / "p-2.svg").exists()
    assert call("verify", "certificates/0", "certificates/1").code == 0
    ended = call(*options, "--certificates")
    assert ended.code == 2
    assert "certificates" in ended.err
    assert call(*options, "--out", "x.txt", "--certificates").code == 0
    assert call("verify", "x.txt.certificates/1").code == 0


def test_clues_come_with_their_rules(call) -> None:
    """Puzzles with clues are written as our JSON, and can be read back."""
    ended = call("generate", "--size", 4, "--rules", "killer", "--givens", 0, "--seed", 1)
    assert ended.code == 0, ended.err
    assert {rule["kind"] for rule in json.loads(ended.out)["rules"]} == {"houses", "killer-cage"}
    assert json.loads(ended.out).get("givens", {}) == {}
    assert call("solve", "-", text=ended.out).code == 0


ALL_WRONG = (
    *("--guesses", "5..2", "--symmetry", "foo", "--rules", "bar", "--to", "baz", "--style", "zap", "--difficulty", "nope"),
    *("--givens", 90, "--pattern", "xx", "--boxes", "5x7", "--size", 3, "--shard", "9/2", "--seed", -4, "--timeout", "nan"),
    *("--stop-after", "nan", "--cross-check", "nan", "--svg", "p.png", "--resume"),
)
ALL_TOLD = (
    *(
        "5..2",
        "'foo'",
        "'bar'",
        "'baz'",
        "'zap'",
        "'nope'",
        "at most 9 givens",
        "a pattern of 9 cells",
        "tile",
        "'9/2'",
        "got -4",
    ),
    *("--timeout", "--stop-after", "share", "p.png", "--resume needs --out"),
)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (ALL_WRONG, ALL_TOLD),
        (("--resume", "--givens", "x", "--symmetry", "odd"), ("--resume needs --out", "--givens", "'odd'")),
        (("--out", "no/x.txt", "--seed", -1, "--givens", 82, "--shard", "5/4"), ("no/x.txt", "got -1", "at most 81", "'5/4'")),
        (("--size", 0, "--symmetry", "odd", "--givens", "3..2"), ("got '0'", "'odd'", "3..2")),
        (("--rules", "killer,jigsaw", "--size", 6, "--pattern", "xx", "--givens", 99), ("36 cells", "at most 36 givens")),
    ],
)
def test_everything_wrong_is_told_at_once(call, tmp_path, options, words) -> None:
    """Contradictory options, wrong numbers, ranges, shapes, names and files are all in one message; nothing is generated."""
    ended = call("generate", *options)
    assert ended.code == 2
    assert [word for word in words if word not in ended.err] == []
    assert ended.out == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("size", [0, 1, 37, "9" * 5000, "abc"])
def test_a_side_is_told_as_it_was_typed(call, size) -> None:
    """One fault is one problem, which quotes what was typed."""
    told = call("generate", "--size", size).err
    assert told.count("expected") == 1
    assert f"got '{str(size)[:50]}" in told


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("missing.txt", ["there is no such file"]),
        ("a/b", ["there is no such file"]),
        ("1.1", ["there is no such file", "got 3"]),
        ("here.txt", ["here.txt: expected a pattern of 81 cells", "'?'", "line 2"]),
        ("large.txt", ["large.txt: expected a pattern of 81 cells", "more than"]),
        (".", ["can be read"]),
    ],
)
def test_a_file_that_holds_no_pattern_is_named(call, tmp_path, pattern: str, words) -> None:
    """A text that is neither a pattern nor a file may have been meant as either; errors in a file name it."""
    (tmp_path / "here.txt").write_text("1.1\n..?")
    (tmp_path / "large.txt").write_text("1" * 200_000)
    ended = call("generate", "--pattern", pattern)
    assert ended.code == 2
    assert [word for word in words if word not in ended.err] == []


@pytest.mark.parametrize(
    "options",
    [("--pattern", "1" * 7 + "." * 74), ("--givens", 16)],
    ids=str,
)
def test_what_is_known_to_be_impossible_is_refused_at_once(call, options) -> None:
    """Impossible requests fail without a search."""
    ended = call("generate", *options)
    assert ended.code == 2
    assert "expected" in ended.err


def test_what_may_be_impossible_ends_at_the_deadline(call, tmp_path) -> None:
    """17 givens with full symmetry end with exit code 3 and a clear message; puzzles found are kept."""
    ended = call("generate", "-n", 3, "--givens", 17, "--symmetry", "full", "--timeout", 1, "--out", "x.txt")
    assert ended.code == 3
    assert "deadline" in ended.err
    if (tmp_path / "x.txt").exists():
        assert all(is_unique(Puzzle.parse(line)) for line in (tmp_path / "x.txt").read_text().split())


def test_the_time_for_all_ends_it(call) -> None:
    """--stop-after ends a call with 3; every line printed is a puzzle."""
    ended = call("generate", "-n", 10_000_000, "--cross-check", 0, "--stop-after", 0.5)
    assert ended.code == 3
    assert "--stop-after" in ended.err
    assert all(len(line) == 81 for line in ended.out.split())


def test_workers_and_files_are_options_of_a_run(call) -> None:
    """Options that need --out are refused without it, and the other way round."""
    assert "--workers needs --out" in call("generate", "--workers", 2).err
    assert "--shard needs --out" in call("generate", "--shard", "1/2").err
    assert "cannot be combined with --json" in call("generate", "--json", "--out", "x.jsonl").err


@pytest.mark.parametrize(
    ("text", "span"), [("24", 24), ("22..25", (22, 25)), ("..22", (0, 22)), ("22..", (22, None)), (" 3 .. 4 ", (3, 4))]
)
def test_spans_are_read(text: str, span) -> None:
    """A range is a number, or from one to another, with either end open."""
    assert parse_span_text("givens", text) == span


@pytest.mark.parametrize("text", ["", "..", "a", "3..b", "-3", "1...2", "3.5"])
def test_other_spans_are_refused(text: str) -> None:
    """The error of a wrong range names its option."""
    with pytest.raises(InvalidInput, match=r"^givens: expected"):
        parse_span_text("givens", text)


@pytest.mark.parametrize(
    ("options", "cells"),
    [
        (("--size", 6), 36),
        pytest.param(("--size", "6x6", "--boxes", "3x2"), 36, marks=pytest.mark.slow),
        (("--boxes", "2x2"), 16),
    ],
)
def test_shapes_are_read(call, options, cells) -> None:
    """A shape is a side, or rows and columns, with any boxes."""
    told = call("generate", *options, "--seed", 1, "--json").json_lines[0]
    assert len(told["solution"]) == cells


def test_the_rating_that_was_asked_for_is_told(call) -> None:
    """JSON has the rating reached on the scale of --rating, in the fields of `rate`; without --rating it has none."""
    (made,) = call("generate", "--json", "--seed", 3, "--rating", "proof:2..9").json_lines
    (rated,) = call("rate", "--json", "--scale", "proof", made["puzzle"]).json_lines
    assert made["proof_size"] == rated["proof_size"]
    assert 2 <= made["proof_size"]["largest"] <= 9
    assert "proof_size" not in call("generate", "--json", "--seed", 3).json_lines[0]
