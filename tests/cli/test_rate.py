"""The verb ``rate``: what a machine reads, exactly, and what people see."""

from __future__ import annotations

import csv
import json

import pytest

from sudoku_cp.batch import rate_run
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.rating import ratings
from sudoku_cp.logic.rating.ratings import SCALES

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CHAINS = "48.3............71.2.......7.5....6....2..8.............1.76...3.....4......5...."
SEVERAL = "1..............."
CLASH = "11.............."


def test_the_fields_that_programs_read(call, tmp_path) -> None:
    """One object an input line, in order, also for lines that are refused; no ratings without just one solution."""
    (tmp_path / "in.txt").write_text(f"{EASY}\n123\n{SEVERAL}\n{CLASH}\n{HARD}\n")
    ended = call("rate", "--json", "--scale", "words,hodoku", "--scale", "proof", "--timeout", 60, "in.txt")
    easy, refused, *without, hard = ended.json_lines
    assert easy == {
        "index": 0,
        "status": "ok",
        "proof_size": {"largest": 1, "squares": 10, "rounds": 10, "hard": 0, "search": False},
        "hodoku": {"score": 204, "level": "easy"},
        "word": "easy",
    }
    assert (refused["index"], refused["status"]) == (1, "error")
    assert "expected 81 cells, got 3" in refused["error"]
    assert without == [{"index": 2, "status": "multiple"}, {"index": 3, "status": "none"}]
    assert (hard["index"], hard["status"], hard["word"]) == (4, "ok", "hard")
    assert ended.code == 2


@pytest.mark.slow
def test_all_scales(call) -> None:
    """Every field that is promised, for a puzzle that takes chains."""
    ended = call("rate", "--json", "--scale", "all", "--timeout", 60, CHAINS)
    (found,) = ended.json_lines
    assert list(found) == ["index", "status", "se", "sukaku", "proof_size", "hodoku", "word"]
    assert found["se"] == {"er": 7.1, "ep": 1.2, "ed": 1.2, "hardest": "Forcing Chain"}
    assert set(found["proof_size"]) == {"largest", "squares", "rounds", "hard", "search"}
    assert set(found["hodoku"]) == {"score", "level"}
    assert ended.code == 0


def test_other_rules(call) -> None:
    """The scales of the Explainers are left out with the reason, which is no failure; the others apply."""
    ended = call("rate", "--json", "--rules", "diagonals", "123............2")
    (found,) = ended.json_lines
    assert list(found) == ["index", "status", "proof_size", "hodoku", "word", "missing"]
    assert list(found["missing"]) == ["se", "sukaku"]
    assert ended.code == 0


@pytest.mark.parametrize("verb", ["rate", "generate", "audit"])
def test_levels_that_cannot_be_read_are_named(call, tmp_path, verb) -> None:
    """A folder, bytes that are no text, and what is not there: the option, what was given and why it is refused."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "in.txt").write_text(EASY)
    for levels, why in ((tmp_path, "is a directory"), (tmp_path / "bytes.toml", "UTF-8"), (tmp_path / "no.toml", "no such file")):
        ended = call(verb, "--levels", levels, *(() if verb == "generate" else (tmp_path / "in.txt",)))
        assert (ended.code, ended.out) == (2, "")
        assert "--levels: " in ended.err
        assert why in ended.err


def test_scales_that_do_not_apply_are_named_briefly(call) -> None:
    """A table of all scales says in a few words which do not apply; the one that was asked for says what it expects."""
    diagonals = ("rate", "--rules", "diagonals", "123............2")
    assert call(*diagonals).out.splitlines()[1].endswith("(se, sukaku: not for these rules)")
    assert "expected a plain puzzle" in call(*diagonals, "--scale", "se").out


@pytest.mark.parametrize(
    ("texts", "code"), [((EASY,), 0), ((SEVERAL,), 1), ((EASY, CLASH), 1)], ids=["rated", "several", "one of two without"]
)
def test_the_exit_code(call, texts, code: int) -> None:
    """0 if every puzzle was rated, 1 if one has not just one solution."""
    assert call("rate", "--scale", "words", *texts).code == code


def test_a_line_a_puzzle_for_people(call) -> None:
    """A header, then the ratings in columns; only those of the scales asked for."""
    ended = call("rate", "--scale", "words,hodoku", EASY, HARD, CLASH)
    header, *lines = ended.out.splitlines()
    assert header.split() == ["puzzle", "word", "HoDoKu", "2.2", "level"]
    assert lines[0].split() == ["0", "easy", "204", "easy"]
    assert lines[1].split()[:2] == ["1", "hard"]
    assert lines[2].split() == ["2", "no", "solution"]


def test_a_full_grid_has_no_ratings(call) -> None:
    """Nothing is left to rate, which is said instead of a rating of 0."""
    full = "1234341221434321"
    (found,) = call("rate", "--json", "--ways", full).json_lines
    reason = "nothing is left to solve: all cells are given"
    assert found == {"index": 0, "status": "ok", "missing": dict.fromkeys([*SCALES, "ways"], reason)}
    shown = call("rate", full)
    assert reason in shown.out
    assert shown.code == 0


def test_ways_forward(call) -> None:
    """--ways counts, for every step of the path, the steps that the same technique offered."""
    (found,) = call("rate", "--json", "--scale", "hodoku", "--ways", EASY).json_lines
    ways = found["ways"]
    assert len(ways["steps"]) == 51
    assert ways["steps"][-1] == 1
    assert ways["bottleneck"] == 1
    assert 0 < ways["narrow"] < 51
    assert "hodoku" in found
    assert "of 51" in call("rate", "--scale", "words", "--ways", EASY).out


def test_unknown_scales_are_refused(call) -> None:
    """Bad input: the message names all scales."""
    ended = call("rate", "--scale", "words,stars", EASY)
    assert ended.code == 2
    assert "expected a scale, one of all, hodoku, proof, se, sukaku, words; got 'stars'" in ended.err


def test_a_scale_that_runs_out_of_time_is_left_out_with_a_reason(call, monkeypatch) -> None:
    """The others stay, and the exit code is 3."""

    def rate_slowly(_puzzle, _limits, _found) -> None:
        raise LimitReached("deadline")

    monkeypatch.setitem(ratings._RATERS, "proof", rate_slowly)
    ended = call("rate", "--json", "--scale", "words,proof,hodoku", EASY)
    (found,) = ended.json_lines
    assert found["missing"] == {"proof": "deadline"}
    assert (found["word"], found["hodoku"]["score"]) == ("easy", 204)
    assert ended.code == 3
    shown = call("rate", "--scale", "words,proof,hodoku", EASY)
    assert shown.out.splitlines()[1].endswith("(proof: deadline)")


def test_time_that_runs_out_before_the_solution(call) -> None:
    """Then there are no ratings, and the status says that nothing is known."""
    ended = call("rate", "--json", "--timeout", 0, EASY)
    assert ended.json_lines == [{"index": 0, "status": "unknown", "reason": "deadline"}]
    assert ended.code == 3


def test_from_file_to_file(call, tmp_path, monkeypatch) -> None:
    """--out writes the same ratings into a table or JSON lines, and keeps the columns of the input."""
    monkeypatch.setattr(rate_run, "FEW", 1000)  # starts no processes
    (tmp_path / "in.csv").write_text(f"id,puzzle\na,{EASY}\nb,{HARD}\n")
    options = ("--scale", "words,hodoku", "--workers", 1)
    assert call("rate", "in.csv", "--out", "o.csv", *options).code == 0
    rows = list(csv.DictReader((tmp_path / "o.csv").read_text().splitlines()))
    assert [(row["id"], row["status"], row["word"], row["hodoku_score"]) for row in rows] == [
        ("a", "ok", "easy", "204"),
        ("b", "ok", "hard", "646"),
    ]
    assert call("rate", "in.csv", "--out", "o.jsonl", *options).code == 0
    told = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert told == call("rate", "--json", "--scale", "words,hodoku", "in.csv").json_lines
    ended = call("rate", "in.csv", "--out", "o.rubbish", *options)
    assert ended.code == 2
    assert "expected an output that ends in .txt" in ended.err
    assert call("rate", "--resume", EASY).code == 2
