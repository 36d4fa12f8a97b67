"""The verb count: exact numbers, lower bounds and estimates, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import Estimate
from sudoku_cp.questions.count import CountAnswer

EMPTY = "." * 36
CLASH = "11.............."


def test_count_goes_beyond_what_can_be_enumerated(call) -> None:
    """All 28,200,960 grids of 6x6 are counted exactly, and the method is named; --limit caps the number."""
    told = call("count", "--json", EMPTY).json_lines[0]
    assert (told["count"], told["exact"], told["backend"], len(told["solutions"])) == (28_200_960, True, "frontier", 2)
    assert call("count", "--limit", 100_000, EMPTY).out == "at least 100000\n"


CAGED = ("--rules", '{"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 8}', "1234" + "." * 32)


def test_estimate_tells_an_interval(call) -> None:
    """Programs get the fields of an estimate, and a certain bound with it."""
    ended = call("count", "--estimate", "--seed", 1, "--error", 1, "--json", *CAGED)
    told = ended.json_lines[0]
    estimate = told["estimate"]
    assert ended.code == 0
    assert estimate["ci95_lower"] <= estimate["estimate"] <= estimate["ci95_upper"]
    assert estimate["stderr"] > 0
    assert estimate["iterations"] == 20
    assert told["count"] > 2
    assert (told["exact"], told["backend"]) == (False, "probes")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (6_670_903_752_021_072_936_960, "about 6.67e21 solutions (95%: 6.00e21 to 7.33e21; 20 probes; probes, 500 ms)"),
        (1000, "about 1,000 solutions (95%: 900 to 1,100; 20 probes; probes, 500 ms)"),
    ],
)
def test_people_read_an_estimate_with_its_interval(value: int, words: str) -> None:
    """Long numbers are shortened, and the limit that came first is named."""
    found = Estimate(value, value * 9 // 10, value * 11 // 10, 2, 0.95, 1.0, 20, 0.5, exact=False, backend="probes")
    assert in_words(found) == words
    assert "stopped by the limit (deadline)" in in_words(replace(found, reason="deadline"))
    assert in_words(replace(found, high=None)).startswith("at least 2 solutions")


def in_words(found: Estimate) -> str:
    """Return what people read of an estimate."""
    return CountAnswer.of_estimate(Puzzle.parse(EMPTY), found).in_words()


def test_few_solutions_are_exact_and_none_is_exit_1(call) -> None:
    """A number that is fully counted meanwhile is exact; no solution is exit 1."""
    exact = call("count", "--estimate", "." * 16)
    assert (exact.code, exact.out.startswith("288 solutions (fast:bigint, ")) == (0, True)
    none = call("count", "--estimate", "--json", CLASH)
    assert (none.code, none.json_lines[0]["count"], none.json_lines[0]["exact"]) == (1, 0, True)


def test_a_limit_first_is_exit_3_and_names_the_estimate(call) -> None:
    """A time limit gives a lower bound and suggests --estimate; an estimate without an interval is exit 3, and valid JSON."""
    late = call("count", "--timeout", 0.3, "." * 81)
    assert late.code == 3
    assert late.out.startswith("at least ")
    assert "--estimate" in late.err
    ended = call("count", "--estimate", "--json", "--timeout", 0, "." * 81)
    assert (ended.code, ended.json_lines[0]["reason"]) == (3, "deadline")
    short = call("count", "--estimate", "--json", "--timeout", 0.3, "." * 81)
    assert short.code == 3
    assert json.loads(short.out, parse_constant=lambda name: 1 / 0)["estimate"]["ci95_upper"] is None


def test_an_unknown_engine_is_refused_with_all_that_count_knows(call) -> None:
    """The list has the engine that only counts, and the default."""
    ended = call("count", "--backend", "nonsense", EMPTY)
    assert ended.code == 2
    assert all(name in ended.err for name in ("frontier", "auto", "native"))


def test_options_that_mean_nothing_together_are_refused(call) -> None:
    """--seed belongs to estimates, which take no --limit and no engine; all contradictions are reported."""
    assert call("count", "--seed", 1, EMPTY).code == 2
    ended = call("count", "--estimate", "--limit", 3, "--backend", "sat", EMPTY)
    assert ended.code == 2
    assert "--estimate cannot be combined with --limit\nsudoku-cp: --estimate cannot be combined with --backend" in ended.err
    refused = call("count", "--backend", "frontier", "--rules", '{"kind": "killer-cage", "cells": ["r1c1"], "total": 3}', EMPTY)
    assert refused.code == 2
    assert "only require cells to differ" in refused.err
