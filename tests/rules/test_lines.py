"""Rules along lines where the registry's tests do not reach: exact meanings, loops, regions, and boards with many values."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp.backends import backend
from sudoku_cp.grid import Grid
from sudoku_cp.model import Automaton, DigitSet, Linear, Table, build_model, cells_of, to_mask
from sudoku_cp.rules import (
    AmbiguousArrow,
    ArithmeticSequence,
    BetweenLine,
    EntropicLine,
    IndexLine,
    LockoutLine,
    Lunchbox,
    ModularLine,
    Nabner,
    OddEvenLot,
    Palindrome,
    ParityLine,
    PillArrow,
    RegionSumLine,
    Renban,
    SameDifferenceLine,
    SlowThermometer,
    SuccessorArrow,
    SumLine,
    Thermometer,
    Whisper,
    ZipperLine,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.model import Constraint
    from sudoku_cp.rules import Rule

NINE = Grid.square(9)
MANY = Grid.rectangle(3, 9, boxes=(3, 3), values=range(1, 28))


def line(text: str) -> tuple[int, ...]:
    """Return as many cells of a winding path over a 9x9 board as there are values in ``text``."""
    path = [row * 9 + (column if row % 2 == 0 else 8 - column) for row in range(9) for column in range(9)]
    return tuple(path[: len(text)])


def filled(cells: Sequence[int], values: Sequence[int]) -> list[int]:
    """Return 81 values: the given ones in the cells, and 1 in all others."""
    told = [1] * 81
    for cell, value in zip(cells, values, strict=True):
        told[cell] = value
    return told


def met(grid: Grid, rule: Rule, values: Sequence[int]) -> bool:
    """Return whether the rule's constraints can be met with these values; an engine is used only if there are auxiliaries."""
    lowered = list(rule.lower(grid))
    constraints: list[Constraint] = [constraint for _, constraint in lowered]
    if all(min(cells_of(constraint), default=0) >= 0 for constraint in constraints):
        return all(constraint.holds(values) for constraint in constraints)
    model = build_model([to_mask([value]) for value in values], [(rule.kind, lowered)])
    return bool(list(backend("native").open(model).solutions()))


LINES = [
    (Thermometer, "1359 4", "1335 9531"),
    (SlowThermometer, "1159", "1153"),
    (Whisper, "16161 493", "15 9384"),
    (Renban, "4657 21 5", "4679 44 4656"),
    (Nabner, "159 4 7391", "1592 33"),
    (Palindrome, "12321 1221 4", "1223 12"),
    (BetweenLine, "2345 91 3568 66", "2341 2245 242"),
    (LockoutLine, "2197 19 5129", "2454 14 2226 5829"),
    (EntropicLine, "147 15 258147 5", "11 1478 156 1426"),
    (ModularLine, "123 95 753426 15", "1245 14 1243"),
    (ParityLine, "1234 9 21", "13 1224"),
    (ZipperLine, "363 25947 4321 19 7", "333 25943 4311"),
    (SameDifferenceLine, "1357 5353 19 111", "1356 5358"),
    (ArithmeticSequence, "1357 951 444 28", "1356 5353"),
    (SuccessorArrow, "12 2734 31745", "13 2374 91234"),
    (IndexLine, "3214 21 1 54321", "312 22 2"),
    (OddEvenLot, "1 124 273", "2 123 22"),
    (AmbiguousArrow, "4211 1236 66 4923", "1235 9919"),
]
WORDS = [
    (make, word, good)
    for make, obeying, failing in LINES
    for words, good in ((obeying, True), (failing, False))
    for word in words.split()
]


@pytest.mark.parametrize(("make", "word", "good"), WORDS)
def test_a_line_means_what_setters_say(make: Any, word: str, good: bool) -> None:
    """The values along the line obey or break the rule, both by its meaning and by what it lowers to."""
    rule = make(line(word))
    values = filled(rule.cells, [int(sign) for sign in word])
    assert rule.holds(NINE, values) is good
    assert met(NINE, rule, values) is good


@pytest.mark.parametrize(
    ("rule", "values", "good"),
    [
        # Regions: r1c1 r1c2 | r1c4 | r1c3 r2c3 of a 9x9 board; the first region is entered again, which is a new stretch.
        (RegionSumLine((0, 1, 3, 2, 11)), (2, 3, 5, 1, 4), True),
        (RegionSumLine((0, 1, 3, 2, 11)), (2, 3, 5, 1, 1), False),
        (RegionSumLine((0, 1, 2)), (1, 2, 9), True),
        # A loop through r1c2 r1c3 | r1c4 | and back to r1c2 through r2c3: one stretch runs through its join.
        (RegionSumLine((1, 2, 3, 11, 1)), (2, 3, 9, 4, 2), True),
        (RegionSumLine((1, 2, 3, 11, 1)), (2, 3, 5, 3, 2), False),
        (RegionSumLine((0, 1, 2, 0)), (1, 2, 9, 1), True),
        (SumLine((0, 1, 2, 3), 10), (4, 6, 1, 9), True),
        (SumLine((0, 1, 2, 3), 10), (6, 1, 9, 4), False),
        (SumLine((0, 1, 2, 3), 10, loop=True), (6, 1, 9, 4), True),
        (SumLine((0, 1, 2, 3, 0), 10, loop=True), (6, 1, 9, 4, 6), True),
        (SumLine((0, 1, 2, 3), 10, loop=True), (6, 5, 5, 3), False),
        (SumLine((0, 1, 2), 10, loop=True), (2, 1, 7), True),
        (SumLine((0, 1, 2), 7), (2, 1, 4), True),
        (Lunchbox((0, 1, 2, 3, 4), 5), (7, 1, 2, 3, 9), True),
        (Lunchbox((0, 1, 2, 3, 4), 6), (4, 8, 6, 1, 5), True),
        (Lunchbox((0, 1, 2, 3, 4), 6), (4, 8, 6, 1, 4), False),
        (Lunchbox((0, 1), 0), (4, 8), True),
        (PillArrow((0, 1), ((2, 3),)), (1, 7, 8, 9), True),
        (PillArrow((1, 0), ((2, 3),)), (1, 7, 8, 9), False),
        (PillArrow((0, 1), ((2, 3), (4, 5, 6))), (1, 2, 8, 4, 3, 4, 5), True),
        (PillArrow((0, 1), ((2, 3), (4, 5, 6))), (1, 2, 8, 4, 3, 4, 6), False),
        (OddEvenLot((0, 1, 2), even=True), (2, 5, 8), True),
        (OddEvenLot((0, 1, 2), even=True), (2, 4, 8), False),
    ],
)
def test_sums_and_lots_mean_what_setters_say(rule: Rule, values: tuple[int, ...], good: bool) -> None:
    """Stretches, loops, boxes and numbers read in a bulb add up as specified."""
    cells = getattr(rule, "cells", range(len(values)))
    told = filled(cells, values)
    assert rule.holds(NINE, told) is good
    assert met(NINE, rule, told) is good


def test_cells_in_no_region_are_a_stretch_of_their_own() -> None:
    """On a grid where only some cells lie in regions, the sum of those outside counts like any other."""
    grid = Grid.jigsaw("AA..AA CC..BB CC..BB ......")
    rule = RegionSumLine((0, 1, 2, 3, 4))
    values = [1] * 24
    values[:5] = 2, 4, 5, 1, 6
    assert rule.holds(grid, values)
    assert met(grid, rule, values)
    values[3] = 2
    assert not rule.holds(grid, values)
    assert not met(grid, rule, values)


@pytest.mark.parametrize(("size", "groups"), [(4, "LMMH"), (5, "LLMHH"), (7, "LLMMMHH"), (8, "LLLMMHHH"), (9, "LLLMMMHHH")])
def test_the_middle_group_takes_what_is_over(size: int, groups: str) -> None:
    """Low and high values are equally many, whatever the number of values is."""
    grid = Grid.rectangle(2, 9, values=range(1, size + 1))
    rule = EntropicLine((0, 1))
    for one in grid.values:
        for other in grid.values:
            values = [one, other, *[1] * 16]
            assert rule.holds(grid, values) == met(grid, rule, values) == (groups[one - 1] != groups[other - 1])


CELLS = (0, 1, 2, 12, 11)
BROAD = [
    Thermometer(CELLS),
    SlowThermometer(CELLS),
    Whisper(CELLS),
    Renban(CELLS),
    Nabner((*CELLS, 10, 9)),
    Nabner(CELLS[:3]),
    Palindrome(CELLS),
    BetweenLine(CELLS),
    LockoutLine(CELLS),
    EntropicLine(CELLS),
    ModularLine(CELLS, 4),
    ParityLine(CELLS),
    RegionSumLine((1, 2, 3, 12)),
    ZipperLine(CELLS),
    SumLine(CELLS, 12, loop=True),
    SumLine(CELLS, 26, loop=True),
    SumLine(CELLS, 30),
    Lunchbox(CELLS, 20),
    PillArrow(CELLS[:2], (CELLS[2:], (20, 21, 22, 23))),
    SameDifferenceLine(CELLS),
    ArithmeticSequence(CELLS[:3]),
    SuccessorArrow(CELLS),
    IndexLine(CELLS),
    OddEvenLot(CELLS),
    AmbiguousArrow(CELLS),
]


@pytest.mark.parametrize("rule", BROAD, ids=str)
def test_many_values_change_no_meaning(rule: Rule) -> None:
    """With 27 values, where sets, pairs and sums are too many to list, a rule still means what it lowers to."""
    random = Random(27)  # noqa: S311
    lowered = list(rule.lower(MANY))
    model = build_model([to_mask(MANY.values)] * 27, [(rule.kind, lowered)])
    session = backend("sat").open(model)
    named = sorted({cell for constraint in model.constraints for cell in cells_of(constraint) if cell < 27})
    heard = set()
    for _ in range(2):
        hints = {cell: to_mask(random.sample(MANY.values, 6)) for cell in random.sample(named, 2)}
        solution = next(iter(session.solutions(hints)), None)
        assert solution is None or rule.holds(MANY, solution)
        for moved in (0, 1, 1, 2, 4):
            values = list(solution or random.choices(MANY.values, k=27))
            for cell in random.sample(named, min(moved, len(named))):
                values[cell] = random.choice([*MANY.values, *(values[one] + 1 for one in named if values[one] < 27)])
            heard.add(rule.holds(MANY, values))
            assert met(MANY, rule, values) == rule.holds(MANY, values), values
    assert heard == {True, False}


def test_what_engines_like() -> None:
    """Sets are digit sets, steps are tables, equal sums are linear, ends are read first; like rules share their objects."""

    def said(rule: Rule) -> list[Constraint]:
        return [constraint for _, constraint in rule.lower(NINE)]

    assert said(Renban((0, 1, 2))) == [DigitSet((0, 1, 2), frozenset(0b1110 << first for first in range(7)))]
    assert said(RegionSumLine((0, 1, 3))) == [Linear(((0, 1), (1, 1), (3, -1)), "==", 0)]
    (between,) = said(BetweenLine((5, 6, 7, 8)))
    assert isinstance(between, Automaton)
    assert between.cells == (5, 8, 6, 7)
    one, other = said(Thermometer((0, 1)))[0], said(Thermometer((7, 8)))[0]
    assert isinstance(one, Table)
    assert isinstance(other, Table)
    assert one.tuples is other.tuples


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Thermometer((0, 1, 0)), "thermometer: expected each cell once, got r1c1 more than once"),
        (Thermometer(tuple(range(10))), "thermometer: expected at most 9 cells (one per value), got 10"),
        (Thermometer(()), "thermometer: expected at least 1 cell, got 0"),
        (Whisper((0, 1), 9), "whisper: expected a difference from 0 to 8, got 9"),
        (Nabner((0, 1, 2, 3, 4, 5)), "nabner: expected at most 5 cells (every second value), got 6"),
        (BetweenLine((0, 1, 2, 0)), "between-line: expected each cell once, got r1c1 more than once"),
        (BetweenLine((0, 1, 0, 2)), "between-line: expected each cell once, got r1c1 more than once"),
        (LockoutLine((0,)), "lockout-line: expected at least 2 cells, got 1"),
        (ModularLine((0, 1), 1), "modular-line: expected a modulus of at least 2, got 1"),
        (SumLine((0, 1), 0), "sum-line: expected a total of at least 1, got 0"),
        (Lunchbox((0, 1), -1), "lunchbox: expected a total of at least 0, got -1"),
        (PillArrow((), ((1,),)), "pill-arrow, bulb: expected 1 to 4 cells, got 0"),
        (IndexLine((0, 1, 0)), "index-line: expected each cell once, got r1c1 more than once"),
    ],
)
def test_what_cannot_be_is_told(rule: Rule, words: str) -> None:
    """A line that no grid can obey, or that means nothing, is reported."""
    assert [*rule.problems(NINE)] == [words]


def test_ends_may_be_named_twice_only_between_them() -> None:
    """A line may cross itself between its ends."""
    assert not [*BetweenLine((0, 1, 2, 1, 3)).problems(NINE)]
