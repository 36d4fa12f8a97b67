"""Each flaw of a puzzle's looks is measured by itself."""

from __future__ import annotations

import pytest

from sudoku_cp.generate.api import generate
from sudoku_cp.generate.variants import beauty
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import Arrow, Difference, KillerCage, LittleKiller, Ratio, Rule, Sandwich, Thermometer, Whisper

GRID = Grid.square(9)


def cells(text: str) -> tuple[int, ...]:
    """Return the cells named, as ``11 12 13``."""
    return tuple(GRID.cell_at[int(name[0]) - 1, int(name[1]) - 1] for name in text.split())


def puzzle(*rules: Rule, givens: str = "") -> Puzzle:
    """Return a puzzle with these clues, and with 1 in the cells given; it need not have a solution."""
    return Puzzle(GRID, (*CLASSIC, *rules), dict.fromkeys(cells(givens), 1))


LINE, OPPOSITE = Thermometer(cells("11 12 13 14")), Thermometer(cells("99 98 97 96"))
ROW = GRID.lines


@pytest.mark.parametrize(
    ("rules", "givens", "share"),
    [
        ((LINE, OPPOSITE), "", 0),
        ((LINE, OPPOSITE), "37 73", 0),
        ((LINE, Thermometer(cells("19 18 17 16"))), "55", 0),  # mirrored
        ((LINE,), "", 6 / 7),  # the corner is in the diagonal
        ((), "11", 0),  # in the diagonal
        ((), "12", 1),
        ((LINE, OPPOSITE), "37", 1 / 15),
        ((Difference(cells("11 12")), Ratio(cells("99 98"))), "", 0),  # only places count
        ((Sandwich(ROW[0], 5), Sandwich(ROW[8], 7)), "", 0),
        ((KillerCage(cells("11 12 21 22"), 10), KillerCage(cells("13 14 23 24"), 10)), "", 0.5),  # so is the first cage
    ],
)
def test_asymmetry(rules: tuple[Rule, ...], givens: str, share: float) -> None:
    """The share of spots without an image under the best symmetry, clues and givens together."""
    assert beauty.asymmetry(puzzle(*rules, givens=givens)) == pytest.approx(share)


def test_cages_that_cover_the_board_are_symmetric_only_by_their_outlines() -> None:
    """A board covered by cages is no more symmetric than their outlines."""
    rows = [KillerCage(line, 45) for line in ROW[:9]]
    assert beauty.asymmetry(puzzle(*rows)) == 0
    cut = [KillerCage(ROW[0][:4], 10), KillerCage(ROW[0][4:], 35)]
    assert beauty.asymmetry(puzzle(*cut, *rows[1:])) > 0


def test_givens_on_clues() -> None:
    """The share of givens under lines and in cages; where cages cover the board, they have no other place."""
    assert beauty.givens_on_clues(puzzle(LINE, givens="11 12 55 56")) == 0.5
    assert beauty.givens_on_clues(puzzle(LINE)) == 0
    assert beauty.givens_on_clues(puzzle(*(KillerCage(line, 45) for line in ROW[:9]), givens="11")) == 0


def test_crossings() -> None:
    """Shared cells, and lines that cross between cells, for each clue."""
    assert beauty.crossings(puzzle(LINE, OPPOSITE)) == 0
    assert beauty.crossings(puzzle(LINE, KillerCage(cells("14 24"), 9))) == 0.5
    assert beauty.crossings(puzzle(Whisper(cells("11 22 33")), Whisper(cells("12 21 31")))) == 0.5


def test_touching() -> None:
    """The share of cells under lines next to another line."""
    assert beauty.touching(puzzle(LINE, OPPOSITE)) == 0
    assert beauty.touching(puzzle(LINE, Thermometer(cells("21 22 23 24")))) == 1
    assert beauty.touching(puzzle(LINE, Thermometer(cells("24 34 44 54")))) == 2 / 8


def test_scatter() -> None:
    """The share of lines of three cells and cages of two."""
    assert beauty.scatter(puzzle(LINE, OPPOSITE)) == 0
    assert beauty.scatter(puzzle(LINE, Thermometer(cells("21 22 23")))) == 0.5
    assert beauty.scatter(puzzle(KillerCage(cells("11 12"), 5))) == 1


def test_several_ideas() -> None:
    """Kinds of clues beyond two."""
    three = [LINE, KillerCage(cells("51 52 53"), 9), Arrow(cells("91")[0], (cells("92 93"),))]
    assert [beauty.several_ideas(puzzle(*three[:number])) for number in (1, 2, 3)] == [0, 0, 1]


def test_many_givens() -> None:
    """A third of the board is 1."""
    assert beauty.many_givens(puzzle(givens="11 12 13 14 15 16 17 18 19")) == pytest.approx(1 / 3)


def test_monotony() -> None:
    """Totals of which most are the same; four different ones are no flaw."""
    cages = [cells(f"{row}1 {row}2 {row}3") for row in range(1, 5)]
    assert beauty.monotony(puzzle(*(KillerCage(cage, 10) for cage in cages))) == pytest.approx(1)
    assert beauty.monotony(puzzle(*(KillerCage(cage, 10 + number) for number, cage in enumerate(cages)))) == 0


def test_repetition() -> None:
    """A diagonal with its sum at both ends says it twice."""
    diagonal = cells("13 22 31")
    assert beauty.repetition(puzzle(LittleKiller(diagonal, 10), LittleKiller(diagonal[::-1], 10))) == 0.5
    assert beauty.repetition(puzzle(LittleKiller(diagonal, 10))) == 0


def test_every_flaw_has_a_weight_and_counts() -> None:
    """All measures of the module are weighed, and the sum is made of them."""
    one = puzzle(LINE, givens="11")
    named = "asymmetry givens_on_clues crossings touching scatter several_ideas many_givens monotony repetition"
    assert [name for name, _ in beauty.flaws(one)] == named.split()
    weights = {flaw.__name__: weight for flaw, weight in beauty.FLAWS.items()}
    assert min(weights.values()) > 0
    assert beauty.ugliness(one) == pytest.approx(sum(weights[name] * flaw for name, flaw in beauty.flaws(one)))


@pytest.mark.parametrize("rules", ["thermometer", "kropki", "sandwich"])
def test_the_usual_style_is_more_beautiful_than_any(rules: str) -> None:
    """Composed puzzles have fewer flaws than those with clues wherever they fit; half their weight, or less."""
    sums = {
        style: sum(beauty.ugliness(made.puzzle) for made in generate(3, seed=1, size=6, rules=rules, style=style, prove=False))
        for style in ("", "any")
    }
    assert 2 * sums[""] < sums["any"]
