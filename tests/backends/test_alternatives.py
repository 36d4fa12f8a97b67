"""Puzzles with choices of rules have the same solutions in all engines, whatever the choices lower to."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Grid, Puzzle, solutions
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.model import Automaton, Clause
from sudoku_cp.puzzle import forget_models
from sudoku_cp.rules import (
    AllOf,
    AnyOf,
    ConnectedValues,
    Houses,
    KillerCage,
    LittleKiller,
    Renban,
    Sandwich,
    Skyscraper,
    Thermometer,
    Whisper,
    composite,
)

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule

FOUR = Grid.square(4)
EMPTY = Puzzle(FOUR, (Houses(),)).with_givens({cell: cell + 1 for cell in range(4)})
GRIDS = [grid for grid in sorted(small_board().solutions) if EMPTY.holds(grid)]


def random_rule(random: Random) -> Rule:
    """Return a rule about a few cells."""
    cells = tuple(random.sample(FOUR.cells, random.randint(2, 4)))
    line = random.choice(list(FOUR.houses.values()))[:: random.choice((1, -1))]
    return random.choice(
        (
            Thermometer(cells),
            Whisper(cells, 2),
            Renban(cells),
            LittleKiller(cells, random.randint(4, 12)),
            KillerCage(line[:3], random.randint(6, 9)),
            Skyscraper(line, random.randint(1, 4)),
            Sandwich(line, random.randint(0, 5)),
        )
    )


def random_choice(random: Random) -> AnyOf:
    """Return a choice of several rules, some of them joined."""
    return AnyOf(
        tuple(
            AllOf((random_rule(random), random_rule(random))) if random.random() < 0.3 else random_rule(random)
            for _ in range(random.randint(2, 4))
        )
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("most", [0, 60, composite.LARGEST])
@pytest.mark.parametrize("engine", ["native:readable", "native:compiled", "sat", "cpsat", "cpsat:alldifferent"])
def test_choices_have_the_solutions_that_obey_them(engine: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random choices leave those of the 4x4 grids with a given first row in which one rule of each holds."""
    monkeypatch.setattr(composite, "LARGEST", most)
    forget_models()
    random = Random(f"choices {most}")  # noqa: S311
    kinds: set[type] = set()
    for _ in range(12):
        rules = tuple(random_choice(random) for _ in range(random.randint(1, 3)))
        puzzle = replace(EMPTY, rules=(*EMPTY.rules, *rules))
        kinds |= {type(constraint) for constraint in puzzle.model().constraints}
        expected = [grid for grid in GRIDS if all(rule.holds(FOUR, grid) for rule in rules)]
        assert sorted(tuple(one) for one in solutions(puzzle, backend=engine)) == sorted(expected)
    assert (Automaton in kinds) == (most > 0)
    assert (Clause in kinds) or most > 0


@pytest.mark.parametrize("engine", ["native:compiled", "sat", "cpsat", "cpsat:alldifferent"])
def test_areas_may_be_chosen(engine: str) -> None:
    """Connected values, which no automaton reads beside other rules, are an alternative like any other."""
    rules = (
        AnyOf((ConnectedValues((1, 2), cells=FOUR.cells[:8]), Thermometer((15, 11)))),
        AnyOf((ConnectedValues((4,)), Thermometer((4, 8)))),
    )
    puzzle = replace(EMPTY, rules=(*EMPTY.rules, *rules))
    expected = [grid for grid in GRIDS if all(rule.holds(FOUR, grid) for rule in rules)]
    assert 0 < len(expected) < len(GRIDS)
    assert sorted(tuple(one) for one in solutions(puzzle, backend=engine)) == sorted(expected)
