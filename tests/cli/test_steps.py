"""The verb ``steps``: what a machine reads, exactly, and what people see."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FORUM = "98.7.....6.....97.....9.6..8.4..5.....9.6..4....3....2..8....6.....1...9.....2.1."
LIBRARY = ":0003-2:x:53.+67....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:124 125::"

WRONG = ":0003-2:x:53.+17....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:::"


def test_a_path_to_the_solution(call) -> None:
    """An easy puzzle is solved step by step: numbered lines, the last of which says so."""
    ended = call("steps", EASY)
    assert ended.code == 0
    *path, last = ended.out.splitlines()
    assert last == "solved in 51 steps"
    assert path[0] == " 1. Hidden single: in box 9 the 1s in r5c9 and r8c5 see all open cells but r9c7, so r9c7 is 1."
    assert path[50].startswith("51. Full house: ")


def test_the_fields_of_a_step(call) -> None:
    """Everything that programs are promised."""
    (told,) = call("steps", "--json", EASY).json_lines
    assert (told["index"], told["status"], told["complete"], told["solutions"]) == (0, "ok", True, "unique")
    assert len(told["steps"]) == 51
    (step,) = [step for step in told["steps"] if step["cells"] == ["r5c3"]]
    text = step.pop("text")
    assert "r5c3" in text
    assert step == {
        "technique": "hidden single",
        "code": "0002",
        "eliminations": [],
        "placements": [["r5c3", 6]],
        "values": [6],
        "cells": ["r5c3"],
        "needs_uniqueness": False,
        "proof": ["6 has a place in box 4"],
        "blockers": [["r4c5", 6], ["r7c2", 6]],
    }


def test_one_line_of_input_one_object(call, tmp_path) -> None:
    """Indices run on over lines that are refused, and these have their error in their place."""
    file = tmp_path / "cases.txt"
    file.write_text(f"{LIBRARY}\n:0000:x:123:::\n{LIBRARY}\n")
    ended = call("steps", "--json", "--all", "--technique", "0003", "--from", "hodoku", file)
    assert [line["index"] for line in ended.json_lines] == [0, 1, 2]
    assert [line["status"] for line in ended.json_lines] == ["ok", "error", "ok"]
    assert ended.json_lines[1]["error"]
    assert ended.code == 2


def test_a_library_line_is_a_position(call) -> None:
    """What was placed and eliminated counts, and an elimination of what is true is named."""
    (told,) = call(
        "steps", "--json", "--all", "--technique", "0002", "--technique", "0003", "--from", "hodoku", LIBRARY
    ).json_lines
    assert not any(["r1c4", 6] in step["placements"] for step in told["steps"])
    assert told["wrong_eliminations"] == [["r2c4", 1]]
    assert any(["r1c4", 6] in step["placements"] for step in call("steps", "--json", EASY).json_lines[0]["steps"])


def test_technique_by_code_and_name(call) -> None:
    """A code and a name ask for the same; both may be repeated, and nothing else is listed."""
    by_code = call("steps", "--json", "--all", "--technique", "0003", "--technique", "0002", EASY).json_lines
    by_name = call("steps", "--json", "--all", "--technique", "naked single", "--technique", "Hidden-Single", EASY).json_lines
    assert by_code == by_name
    assert {step["code"] for step in by_code[0]["steps"]} == {"0002", "0003"}


def test_an_unknown_technique_is_named(call) -> None:
    """A message and exit code 2."""
    ended = call("steps", "--technique", "zz-wing", EASY)
    assert ended.code == 2
    assert "zz-wing" in ended.err


def test_what_is_wrong_with_a_puzzle_is_told(call) -> None:
    """No solution and several solutions are told with the steps."""
    assert call("steps", "--json", "11" + "." * 14).json_lines[0]["solutions"] == "none"
    assert call("steps", "--json", "1" + "." * 15).json_lines[0]["solutions"] == "multiple"
    assert "several solutions" in call("steps", "1" + "." * 15).out


@pytest.mark.parametrize(
    ("arguments", "end", "words"),
    [
        ((EASY,), "solved", "solved in 51 steps"),
        (("1" + "." * 15,), "ambiguous", "left open, and each candidate there holds in some solution"),
        (("11" + "." * 14,), "none", "no steps: the puzzle has no solution"),
        (("--from", "hodoku", WRONG), "wrong", "no steps: entries are wrong"),
        (("--technique", "0300", EASY), "stuck", "none of these techniques leads further: 51 cells left open"),
    ],
)
def test_a_path_says_why_it_ends(call, arguments: tuple[str, ...], end: str, words: str) -> None:
    """The end is a word for programs and a sentence for people; a list has none."""
    assert call("steps", "--json", *arguments).json_lines[0]["end"] == end
    assert words in call("steps", *arguments).out.splitlines()[-1]
    assert "end" not in call("steps", "--all", "--json", "--technique", "0003", EASY).json_lines[0]


def test_what_clashes_is_told_instead_of_a_path(call) -> None:
    """A puzzle without a solution and a position with wrong entries have no steps, but a smallest clash; a list is still one."""
    (told,) = call("steps", "--json", "11" + "." * 14).json_lines
    assert (told["steps"], told["complete"], told["clash"]["givens"]) == ([], True, ["r1c1=1", "r1c2=1"])
    assert "r1c1=1 and r1c2=1 cannot both stand in" in call("steps", "11" + "." * 14).out
    (told,) = call("steps", "--json", "--from", "hodoku", WRONG).json_lines
    assert (told["steps"], told["wrong_values"]) == ([], [["r1c4", 1]])
    assert "r1c4=1" in told["clash"]["givens"]
    (told,) = call("steps", "--json", "--all", "--technique", "0002", "--from", "hodoku", WRONG).json_lines
    assert told["steps"]


def test_time_runs_out(call) -> None:
    """What was found until then is printed, marked as incomplete, and the exit code is 3."""
    ended = call("steps", "--json", "--timeout", 0, FORUM)
    assert ended.json_lines[0]["reason"] == "deadline"
    assert ended.code == 3
    assert ended.json_lines[0]["complete"] is False
    assert ended.json_lines[0]["end"] == "limit"


def test_a_path_as_a_page_and_as_a_strip(call, tmp_path) -> None:
    """Each step has a picture and its sentence; the second puzzle has files of its own; other endings are refused."""
    ended = call("steps", "--html", tmp_path / "path.html", "--svg", tmp_path / "path.svg", EASY, EASY)
    assert ended.code == 0
    page = (tmp_path / "path.html").read_text()
    assert page.count("<svg") == 51
    assert "hidden single" in page.lower()
    assert "http://" not in page.replace("http://www.w3.org", "")
    fromstring((tmp_path / "path.svg").read_text())  # noqa: S314  # our own
    assert (tmp_path / "path-2.html").exists()
    for option, name in (("--html", "path.svg"), ("--svg", "path.html"), ("--html", "path"), ("--svg", "path.pdf")):
        ended = call("steps", option, tmp_path / name, EASY)
        assert ended.code == 2
        assert f"{option}: expected a file that ends in .{option[2:]}, got" in ended.err
    assert call("steps", "--all", "--svg", tmp_path / "path.svg", EASY).code == 2


def test_a_path_without_time_to_draw_it_keeps_no_puzzle_from_its_answer(call, tmp_path) -> None:
    """Whether there is a picture or not, each puzzle is answered, and the exit code is that of the limit."""
    ended = call("steps", "--json", "--timeout", 0, "--svg", tmp_path / "path.svg", FORUM, FORUM)
    assert [line["reason"] for line in ended.json_lines] == ["deadline", "deadline"]
    assert ended.code == 3
    assert ended.err.count("the path was not drawn: ") == 2


@pytest.mark.slow
def test_where_no_technique_leads_further_a_refutation_does(call) -> None:
    """A puzzle of the forum's hardest is walked on by proofs, each with the groups that it takes."""
    told = call("steps", "--json", "--timeout", 20, FORUM).json_lines[0]
    assert any(step["technique"] == "refutation" and step["proof"] for step in told["steps"])
