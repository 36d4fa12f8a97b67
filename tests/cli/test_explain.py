"""The verb ``explain``: a few facts against a value, or that it can be there."""

from __future__ import annotations

from pathlib import Path

import pytest

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
KILLER = Path(__file__).parents[2] / "examples" / "variants" / "killer.jsonl"


def test_a_proof_is_told_line_by_line(call) -> None:
    """The answer, what is supposed, and a line a fact; the last is the contradiction."""
    ended = call("explain", EASY, "r3c9=2")
    lines = ended.out.splitlines()
    assert ended.code == 0
    assert lines[0] == "r3c9 cannot be 2: four facts contradict it; no fewer would do"
    assert lines[1] == "  suppose r3c9 = 2"
    assert lines[-1] == "  r3c6 has no value left"
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("question", "reply", "code"),
    [
        ("r1c1=5", "given", 1),
        ("r1c3=4", "holds", 1),
        ("r1c1=4", "filled", 0),
        ("r1c3=5", "seen", 0),
        ("R3C9=2", "refuted", 0),
    ],
)
def test_every_reply(call, question: str, reply: str, code: int) -> None:
    """One object a puzzle with an answer a question; whoever asks why not is told no where the value can be."""
    ended = call("explain", "--json", EASY, question)
    (told,) = ended.json_lines
    (answer,) = told["answers"]
    assert (told["index"], answer["answer"], ended.code) == (0, reply, code)
    assert answer["text"]
    assert ("solution" in answer) == (reply == "holds")


def test_a_proof_as_json(call) -> None:
    """What the lines use has been shown or supposed before, and their facts are the proof."""
    (told,) = call("explain", "--json", EASY, "r3c9=2").json_lines
    (answer,) = told["answers"]
    known = [["r3c9", 2, True]]
    for line in answer["lines"]:
        assert all(claim in known for claim in line["uses"])
        known += line["forces"]
    assert {line["fact"] for line in answer["lines"]} == set(answer["proof"])
    assert (answer["size"], answer["smallest"], answer["by_cases"]) == (4, True, False)


def test_variants_and_several_questions(call) -> None:
    """A cage says which sets of values it is left with."""
    ended = call("explain", KILLER, "r8c7=8", "r8c7=1")
    assert "cage r7c3 r8c2 r8c3 (different values that add up to 19) needs 5+6+8" in ended.out
    assert "r8c7 cannot be 8" in ended.out
    assert "puzzle 1:" in ended.out
    assert ended.out.count("r8c7 ") >= 4


def test_bad_questions(call) -> None:
    """No question, a cell or a value outside the puzzle: exit code 2, and a message."""
    for words in ([], ["r9c10=1"], ["r1c2=0"], ["r1c2=x"]):
        ended = call("explain", EASY, *words)
        assert ended.code == 2
        assert "expected" in ended.err


@pytest.mark.parametrize("words", ["r1c1=10", "r5c7", "R5C7x", "r5c7="])
def test_what_is_almost_a_question_is_named(call, words: str) -> None:
    """An argument that begins as a question does is no puzzle: the message repeats it, also beside questions."""
    for others in ([], ["r3c9=2"]):
        ended = call("explain", EASY, *others, words)
        assert ended.code == 2
        assert f"expected a question such as r5c7=4, got {words!r}" in ended.err


def test_the_time_may_run_out(call) -> None:
    """No time at all is no answer, with the reason."""
    ended = call("explain", "--json", "--timeout", 0, EASY, "r3c9=2")
    assert ended.json_lines[0]["answers"][0]["answer"] == "unknown"
    assert ended.code == 3
