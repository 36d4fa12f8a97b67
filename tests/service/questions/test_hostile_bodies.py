"""Bodies of any shape are answered or refused, and never break a worker: a seeded walk through what can be sent."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from sudoku_cp.errors import BackendMissing, InvalidInput, LimitReached, Problem
from sudoku_cp.service.questions import QUESTIONS

VARIANTS = Path(__file__).parents[3] / "examples" / "variants"
JUNK: list[Any] = [
    *(None, True, False, 0, -1, 2**70, 1.5, float("nan"), float("inf")),
    *("", "r1c1", "r99c9", "\ud800", "\0", "x" * 3000, "houses", "1" * 81),
    *([], {}, [[]], [1], ["r1c1"], {"kind": "houses"}, {"kind": []}, {"kind": "any-of", "rules": ["houses"]}, {"r1c1": 1}),
]
TRIES = 150
QUICK = ["solve", "candidates", "hint", "explain", "convert", "picture", "verify", "count"]


def places_in(data: Any) -> list[tuple[Any, Any]]:
    """Return every (object or array, key or index) within data."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting:
        inner = waiting.pop()
        keys = list(inner) if isinstance(inner, dict) else range(min(30, len(inner)))
        found += [(inner, key) for key in keys]
        waiting += [inner[key] for key in keys if isinstance(inner[key], dict | list)]
    return found


def spoiled(body: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a body in which a few values are something else."""
    spoilt = copy.deepcopy(body)
    for _ in range(random.choice([1, 1, 2, 4])):
        holder, key = random.choice(places_in(spoilt))
        holder[key] = copy.deepcopy(random.choice(JUNK))
        if not spoilt:
            break
    return spoilt


@pytest.mark.parametrize("seed", range(3))
def test_any_body_is_answered_or_refused(seed, control):
    """Whatever is sent, the answer has its form, or each problem its place; nothing else is ever raised."""
    random = Random(seed)  # noqa: S311  # not used for secrets
    names = ("jigsaw", "killer", "samurai", "thermometer", "kropki")
    puzzles = [json.loads(line) for name in names for line in (VARIANTS / f"{name}.jsonl").read_text().splitlines()]
    problems: list[str] = []
    for _ in range(TRIES):
        question = QUESTIONS[random.choice(QUICK)]
        body = question.example
        if "puzzle" in body and random.random() < 0.7:
            body["puzzle"] = random.choice(puzzles)
        try:
            asked = question.request.model_validate(spoiled(body, random) | {"timeout": 0.3})
        except ValidationError:
            continue
        try:
            answer = question.run(asked.model_dump(mode="json", exclude_unset=True), control)
        except InvalidInput as error:
            problems += error.problems
        except (LimitReached, BackendMissing):
            pass
        else:
            question.answer.model_validate_json(json.dumps(answer))
    assert len(problems) > TRIES // 4
    assert [one for one in problems if not isinstance(one, Problem) or not one.pointer] == []
