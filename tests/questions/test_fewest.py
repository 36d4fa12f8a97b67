"""The question ``fewest`` by the plain call: of a solution, of a pattern, of rules alone."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput, Problem
from sudoku_cp.puzzle import Puzzle, from_json
from sudoku_cp.queries import solve
from sudoku_cp.questions import Run, ask
from sudoku_cp.questions.question import PAUSE

FULL4 = "1234341221434321"
FULL9 = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TOP = "####" + "." * 12
SUM99: list[Any] = [{"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 99}]


def test_the_fewest_givens_of_a_solution() -> None:
    """An exact number comes with a puzzle of so many givens and that one solution."""
    answer = ask("fewest", {"puzzle": FULL4})
    assert (answer["status"], answer["least"], answer["most"]) == ("exact", 4, 4)
    puzzle = Puzzle.parse(answer["puzzle"])
    assert (len(puzzle.givens), puzzle.line(solve(puzzle).solution)) == (4, FULL4)


def test_a_pattern_says_where_givens_may_be() -> None:
    """With a puzzle, in its cells alone; without, whether there is a puzzle with givens there, and why not."""
    assert ask("fewest", {"puzzle": FULL4, "pattern": TOP})["status"] == "none"
    alone = ask("fewest", {"pattern": TOP, "size": 4})
    assert (alone["status"], alone["cells"]) == ("impossible", 4)
    assert "row 3 and row 4" in alone["why"]
    found = ask("fewest", {"pattern": "####" * 3 + "....", "size": 4})
    assert found["status"] == "possible"
    assert solve(Puzzle.parse(found["puzzle"])).status == "unique"


def test_rules_alone() -> None:
    """Several solutions are shown, none is said, and families of clues make a puzzle that needs no givens."""
    several = ask("fewest", {"no_givens": True, "size": 4})
    assert (several["status"], len(several["solutions"])) == ("multiple", 2)
    none = ask("fewest", {"no_givens": True, "size": 4, "rules": SUM99})
    assert (none["status"], none["solutions"]) == ("none", [])
    made = ask("fewest", {"no_givens": True, "size": 4, "rules": "killer", "seed": 1})
    assert made["status"] == "unique"
    assert solve(from_json(made["puzzle"])).status == "unique"


@pytest.mark.parametrize(
    "body", [{"puzzle": "1" + "." * 15}, {"pattern": "#" * 81}, {"no_givens": True, "size": 4, "rules": "killer"}]
)
def test_a_limit_is_never_an_answer(body: dict[str, Any]) -> None:
    """Without time none of the three questions is answered, and the limit is named."""
    answer = ask("fewest", body, Run(Limits(0)))
    assert (answer["status"], answer["reason"]) == ("unknown", "deadline")


def test_bounds_are_reported_as_they_come() -> None:
    """Whoever waits hears of the bounds, and those at the deadline are no worse."""
    heard: list[tuple[int, dict[str, int]]] = []
    answer = ask("fewest", {"puzzle": FULL9}, Run(Limits(10 * PAUSE), lambda number, part: heard.append((number, part))))
    assert (answer["status"], answer["reason"]) == ("bounds", "deadline")
    assert heard
    for number, part in heard:
        assert number == part["most"] >= answer["most"] >= answer["least"] >= part["least"]


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({}, {"/puzzle"}),
        ({"puzzle": FULL4, "no_givens": True}, {"/no_givens"}),
        ({"pattern": TOP, "no_givens": True, "size": 4, "seed": -1}, {"/no_givens", "/seed"}),
        ({"pattern": TOP}, {"/pattern"}),
        ({"puzzle": FULL4, "pattern": "#"}, {"/pattern"}),
        ({"pattern": TOP, "size": 4, "rules": ["killer"]}, {"/rules"}),
        ({"no_givens": True, "rules": ["houses", "nonsense"]}, {"/rules/1"}),
        ({"no_givens": True, "size": "x"}, {"/size"}),
        ({"puzzle": "." * 16}, {"/puzzle"}),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_place(body: dict[str, Any], places: set[str]) -> None:
    """Nothing, two things at once, a pattern of another size, unknown rules, a puzzle with several solutions."""
    with pytest.raises(InvalidInput) as refused:
        ask("fewest", body)
    assert {problem.pointer for problem in refused.value.problems if isinstance(problem, Problem)} == places


def test_families_of_clues_may_stand_in_a_list() -> None:
    """Rules as JSON has them are taken where their names are."""
    made = ask("fewest", {"no_givens": True, "size": 4, "rules": ["killer"], "seed": 1})
    assert made["puzzle"] == ask("fewest", {"no_givens": True, "size": 4, "rules": "killer", "seed": 1})["puzzle"]
