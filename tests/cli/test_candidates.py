"""The verb ``candidates``: a grid of pencil marks for people, sets and counts for programs, partial where a limit comes first."""

from __future__ import annotations

import json
import signal
import sys

import pytest

SEVERAL = "1..............."
UNIQUE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CLASH = "11.............."


def test_people_see_pencil_marks(call) -> None:
    """Each candidate is at its place, a given alone in its cell; --ascii is ASCII; counts follow the symbols."""
    ended = call("candidates", SEVERAL)
    assert ended.code == 0
    assert ended.out.splitlines()[1:3] == ["│      . 2  │ . 2  . 2  │", "│  1   3 4  │ 3 4  3 4  │"]
    assert ended.out.splitlines()[-1].startswith("54 true candidates, 1 of 16 cells forced (sat, ")
    drawn = call("candidates", "--ascii", "--cap", "20", SEVERAL).out
    assert drawn.isascii()
    assert "4:20+" in drawn
    assert "[4]" in call("candidates", "--ascii", "12..34..2.......").out


def test_programs_are_told_sets_and_counts(call) -> None:
    """The object has the candidates, their counts up to the cap, what is forced, impossible and undecided."""
    (told,) = call("candidates", "--json", "--cap", "2", "12..34..2.......").json_lines
    assert (told["status"], told["complete"], told["cap"]) == ("multiple", True, 2)
    assert told["candidates"]["r1c3"] == [3, 4]
    assert told["counts"]["r1c1"] == {"1": 2}
    assert told["counts"]["r1c3"] == {"3": 2, "4": 2}
    assert told["forced"] == {"r1c1": 1, "r1c2": 2, "r2c1": 3, "r2c2": 4, "r3c1": 2, "r4c1": 4}
    assert told["impossible"]["r4c1"] == [1, 2, 3]
    assert told["undecided"] == {}
    assert "reason" not in told


@pytest.mark.parametrize(
    ("puzzle", "options", "code", "status"),
    [
        (UNIQUE, [], 0, "unique"),
        (CLASH, [], 1, "none"),
        (UNIQUE, ["--timeout", "0"], 3, "unknown"),
        (SEVERAL, ["--rules", "diagonals", "--backend", "native"], 0, "multiple"),
    ],
)
def test_the_exit_code_is_the_answer(call, puzzle: str, options: list[str], code: int, status: str) -> None:
    """0 if there is a solution, 1 if there is none, 3 if a limit came first; undecided candidates are marked as such."""
    ended = call("candidates", "--json", *options, puzzle)
    (told,) = ended.json_lines
    assert (ended.code, told["status"], told["complete"]) == (code, status, code != 3)
    assert told.get("reason") == ("deadline" if code == 3 else None)
    assert bool(told["undecided"]) == (code == 3)


def test_a_stream_tells_more_and_more(call, monkeypatch) -> None:
    """With --stream partial objects come before the complete one; without --json it is refused, as people see one grid."""
    monkeypatch.setattr("sudoku_cp.questions.candidates.PAUSE", 0.0)
    *parts, whole = call("candidates", "--json", "--stream", "--cap", "5", "--backend", "native", SEVERAL).json_lines
    assert len(parts) > 3
    assert all(part["partial"] and not part["complete"] for part in parts)
    assert "partial" not in whole
    for before, after in zip(parts, [*parts[1:], whole], strict=True):
        assert all(set(values) <= set(after["candidates"][cell]) for cell, values in before["candidates"].items())
    assert call("candidates", "--stream", SEVERAL).code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_what_is_known_is_told_at_an_interrupt(start) -> None:
    """Ctrl-C ends the call with 130, and prints what is known until then."""
    process = start("candidates", "--json", "--stream", "--cap", "100000", "--backend", "sat", "." * 81)
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in err
    last = json.loads(rest.splitlines()[-1])
    assert first["partial"]
    assert last["partial"]
    assert last["count"] >= first["count"]


def test_several_puzzles_are_told_apart(call) -> None:
    """Each grid follows the number of its puzzle; the worst exit code wins, and an unreadable record is reported in its place."""
    ended = call("candidates", "--backend", "sat", "-", text=f"{SEVERAL}\n{CLASH}\n")
    assert ended.code == 1
    assert [line for line in ended.out.splitlines() if line.startswith("puzzle")] == ["puzzle 0:", "puzzle 1:"]
    assert [
        told["status"]
        for told in call("candidates", "--json", "--backend", "sat", "-", text=f"{SEVERAL}\n{SEVERAL}1\n").json_lines
    ] == [
        "multiple",
        "error",
    ]
