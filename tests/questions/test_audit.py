"""The question ``audit`` by the plain call: puzzles in a body, with what is wrong with each."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput, Problem
from sudoku_cp.questions import Run, ask
from sudoku_cp.questions.audit import AuditAnswer, AuditSummary

ONE, TURNED, SEVERAL = "12..3412..434.21", "1.3.24..34.2..21", "1" + "." * 15
KINDLESS = {"rules": ["houses", "nonsense"]}


def findings_of(answer: dict[str, Any]) -> list[list[str]]:
    """Return the kinds of findings of each puzzle."""
    return [[finding["kind"] for finding in one["findings"]] for one in answer["puzzles"]]


def test_every_puzzle_of_a_text_is_audited() -> None:
    """Lines that cannot be read are findings, not a refusal; repetitions name the first, with its line."""
    answer = ask("audit", {"puzzle": f"{ONE}\n{ONE[:-1]}\n{SEVERAL}\n{ONE}\n", "ignore": "not-minimal"})
    assert findings_of(answer) == [[], ["malformed"], ["not-unique"], ["duplicate"]]
    assert [one["line"] for one in answer["puzzles"]] == [1, 2, 3, 4]
    assert answer["puzzles"][3]["findings"][0]["of"] == {"line": 1}
    summary = answer["summary"]
    assert (summary["puzzles"], summary["fine"], summary["faulty"], summary["undecided"]) == (4, 1, 3, 0)
    assert summary["found"] == {"malformed": 1, "not-unique": 1, "duplicate": 1}


def test_puzzles_of_a_list_are_audited_each() -> None:
    """Texts, documents and rows may be mixed; what is no puzzle at all is unreadable, and a wrong document malformed."""
    rows = [[int(sign) if sign.isdigit() else 0 for sign in ONE[4 * row : 4 * row + 4]] for row in range(4)]
    answer = ask("audit", {"puzzle": [ONE, rows, KINDLESS, "hello"], "ignore": ["not-minimal"]})
    assert findings_of(answer) == [[], ["duplicate"], ["malformed"], ["unreadable"]]
    assert "nonsense" in answer["puzzles"][2]["error"]


def test_added_rules_that_do_not_fit_are_findings() -> None:
    """A rule that a puzzle's board has no room for is wrong with that puzzle, as on the command line."""
    cage = [{"kind": "killer-cage", "cells": ["r5c5", "r5c6"], "total": 3}]
    answer = ask("audit", {"puzzle": [ONE, "." * 81], "rules": cage, "ignore": "not-minimal"})
    first, second = answer["puzzles"]
    assert (first["status"], "r5c5" in first["error"]) == ("error", True)
    assert [finding["kind"] for finding in second["findings"]] == ["not-unique"]


def test_what_a_limit_leaves_open_is_undecided() -> None:
    """The time is for the whole answer; without any, nothing is fine and nothing is wrong."""
    answer = ask("audit", {"puzzle": [ONE, "." * 81]}, Run(Limits(0)))
    assert answer["reason"] == "deadline"
    assert not any(findings_of(answer))
    assert all(one["undecided"] and one["reason"] == "deadline" for one in answer["puzzles"])
    assert answer["summary"]["undecided"] == len(answer["puzzles"])
    assert answer["summary"]["interrupted"] == (len(answer["puzzles"]) < 2)


def test_what_was_known_at_the_deadline_is_told() -> None:
    """Of many long puzzles the first have their findings; those that were not begun are missing, and that is said."""
    several = [f"{'.' * cell}{cell % 9 + 1}{'.' * (80 - cell)}" for cell in range(81)] * 10
    answer = ask("audit", {"puzzle": several, "limit": 10**9, "backend": "native:readable"}, Run(Limits(2)))
    assert answer["reason"] == "deadline"
    assert 0 < len(answer["puzzles"]) < len(several)
    assert answer["summary"]["interrupted"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"puzzle": ONE, "ignore": "ugly"}, "/ignore"),
        ({"puzzle": ONE, "ignore": ["unreadable"]}, "/ignore"),
        ({"puzzle": ONE, "backend": "nonsense"}, "/backend"),
        ({"puzzle": ONE, "from": "nonsense"}, "/from"),
        ({"puzzle": ONE, "size": "x"}, "/size"),
        ({"puzzle": ONE, "rules": "nonsense"}, "/rules"),
        ({"puzzle": [ONE] * 1001}, "/puzzle/1000"),
    ],
)
def test_what_is_wrong_with_options_is_no_finding(body: dict[str, Any], place: str) -> None:
    """A wrong option is refused with its place, however wrong the puzzles are."""
    with pytest.raises(InvalidInput) as refused:
        ask("audit", body)
    assert [problem.pointer for problem in refused.value.problems if isinstance(problem, Problem)] == [place]


@pytest.mark.parametrize(
    ("counts", "code"),
    [({"fine": 1}, 0), ({"faulty": 1}, 1), ({"undecided": 1}, 3), ({"faulty": 1, "found": {"unreadable": 1}}, 2)],
)
def test_the_exit_code_is_that_of_the_worst(counts: dict[str, Any], code: int) -> None:
    """0 no findings, 1 findings, 2 a source without puzzles, 3 a limit left something open."""
    nothing: dict[str, Any] = {"puzzles": 1, "fine": 0, "faulty": 0, "undecided": 0, "found": {}, "seconds": 0.0}
    summary = AuditSummary(**nothing | counts, interrupted=False)
    assert AuditAnswer(puzzles=[], summary=summary).exit_code == code
