"""Rules that a position breaks, compared with the rules' own ``holds`` for every filling of the open cells."""

from __future__ import annotations

import random
from itertools import product

import pytest

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Position, Puzzle, from_json
from sudoku_cp.queries import broken_rules
from sudoku_cp.rules.base import RULES

GRID = Grid.square(4)
OPEN = 3
CASES = 12


def _example(kind):
    """The example of a kind on the small board; None for kinds that this board cannot have."""
    try:
        return Puzzle(GRID, (RULES[kind].example(GRID),)).rules[0]
    except ValueError:
        return None


@pytest.mark.parametrize("kind", [kind for kind in RULES if kind != "houses" and _example(kind) is not None])
def test_a_rule_is_broken_if_no_filling_obeys_it(kind):
    """What is called broken has no filling that holds, and what has none is called broken or undecided."""
    rule, chance = _example(kind), random.Random(kind)  # noqa: S311  # cases that can be repeated
    puzzle = Puzzle(GRID, (rule,))
    for _ in range(CASES):
        values = [chance.choice(GRID.values) for _ in GRID.cells]
        opened = chance.sample(GRID.cells, OPEN)
        fillings = product(GRID.values, repeat=OPEN)
        obeyed = any(rule.holds(GRID, _filled(values, opened, filling)) for filling in fillings)
        shown = [None if cell in opened else value for cell, value in enumerate(values)]
        found = broken_rules(Position.of(puzzle, shown))
        assert not (found.broken and obeyed), (shown, rule)
        assert obeyed or found.broken or found.undecided, (shown, rule)


def _filled(values, opened, filling):
    """The values with other ones in the open cells."""
    chosen = dict(zip(opened, filling, strict=True))
    return tuple(chosen.get(cell, value) for cell, value in enumerate(values))


def test_each_rule_is_looked_at_alone():
    """A cage that only its houses make impossible is not broken, one whose rest cannot reach its sum is; houses never are."""
    cages = [
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3},
        {"kind": "killer-cage", "cells": ["r2c1", "r2c2"], "total": 6},
        {"kind": "killer-cage", "cells": ["r4c1", "r4c2"], "total": 7},
    ]
    puzzle = from_json({"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}, "rules": ["houses", *cages]})
    values = [None] * 16
    values[2] = values[3] = 1  # the first cage cannot have its 1
    values[4] = 1
    assert broken_rules(Position.of(puzzle, values)).broken == (2,)


def _cancelled():
    """Limits whose question nobody waits for any more."""
    cancellation = Cancellation()
    cancellation.cancel()
    return Limits(cancel=cancellation)


@pytest.mark.parametrize("limits", [Limits(seconds=0), _cancelled()], ids=["deadline", "cancelled"])
def test_a_limit_leaves_rules_undecided(limits):
    """What there was no time to look at is undecided: neither broken nor obeyed, even where it is broken."""
    puzzle = Puzzle(GRID, (*Puzzle(GRID).rules, RULES["killer-cage"].example(GRID)))
    found = broken_rules(Position.of(puzzle, [1] * 16), limits=limits)
    assert (found.broken, found.undecided) == ((), (1,))


def test_an_argument_that_is_no_position_is_refused():
    """A puzzle in the place of a position is told as such."""
    with pytest.raises(InvalidInput, match="expected a Position"):
        broken_rules(Puzzle(GRID))
