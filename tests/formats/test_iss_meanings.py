"""What the words of the Interactive Sudoku Solver mean, according to its own sources: by brute force, and for every engine."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from itertools import chain, combinations, permutations, product
from random import Random

import pytest

from sudoku_cp import queries
from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats import records_of_text, write_puzzles
from sudoku_cp.formats.iss.automaton_words import PackedAutomaton, automaton_text, pairs_text
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import (
    AnyOf,
    ChaosConstruction,
    ConnectedValues,
    Difference,
    DutchFlatmates,
    Houses,
    NegativeDifference,
    NegativeRatio,
)

ENGINES = ("native", "sat", "cpsat")
LINE = ".Shape~1x3~4~Raw"
"""Three cells in a row, with values from 1 to 4 and no houses: 64 ways to fill them."""


def read(text):
    """Return the puzzle of a string, or raise what is wrong with it."""
    (record,) = records_of_text(text + "\n", format="iss")
    if record.error:
        raise record.error
    return record.puzzle


def text_of(puzzle):
    """Return a puzzle as a string."""
    target = StringIO()
    write_puzzles([puzzle], target, "iss")
    return target.getvalue().strip()


def found(puzzle, backend, cells):
    """Return every way in which an engine fills the first cells, which the rules themselves must confirm."""
    solutions = list(queries.solutions(puzzle, backend=backend))
    assert all(puzzle.holds(solution) for solution in solutions)
    assert len({tuple(solution) for solution in solutions}) == len(solutions)
    return {tuple(solution)[:cells] for solution in solutions}


def agrees(puzzle, meaning, cells=3, values=range(1, 5), engines=ENGINES):
    """Compare rules and engines, on every way to fill some cells, with a meaning stated independently of both."""
    expected = {filled for filled in product(values, repeat=cells) if meaning(*filled)}
    for backend in engines:
        assert found(puzzle, backend, cells) == expected


# --- cells listed twice -----------------------------------------------------------------------------------------


def _different(*values):
    return len(set(values)) == len(values)


TWICE = {
    "Cage~5~R1C1~R1C1~R1C2": lambda a, b, _: 2 * a + b == 5 and a != b,
    "Cage~0~R1C1~R1C1~R1C2": lambda a, b, _: a != b,
    "Cage~~R1C1~R1C2~R1C1": lambda a, b, _: a != b,
    "Cage~12~R1C3~R1C3~R1C3": lambda _a, _b, c: 3 * c == 12,
    "AllDifferent~R1C1~R1C2~R1C1": lambda a, b, _: a != b,
    "Sum~5~R1C1~R1C1~R1C2": lambda a, b, _: 2 * a + b == 5,
    "Sum~1_=_2_-1_-3~R1C1~R1C1~R1C2": lambda a, b, _: a - 3 * b == 1,
    "Arrow~R1C1~R1C2~R1C2": lambda a, b, _: a == 2 * b,
    "Arrow~R1C1~R1C1~R1C2": lambda a, b, _: a == a + b,
    "DoubleArrow~R1C1~R1C2~R1C2~R1C3": lambda a, b, c: a + c == 2 * b,
    "PillArrow~2~R1C1~R1C2~R1C3~R1C3": lambda a, b, c: 10 * a + b == 2 * c,
    "Zipper~R1C1~R1C2~R1C1": lambda a, b, _: b == 2 * a,
    "SumLine~4~R1C1~R1C1~R1C2": lambda a, b, _: (a, b) in {(1, 2), (2, 4), (4, 4)},
    "EqualSum~R1C1~R1C1~-~R1C2~R1C3": lambda a, b, c: 2 * a == b + c,
    "EqualSum~-~R1C1~-~-~R1C2~R1C3~-": lambda a, b, c: a == b + c,
    "SameValues~2~R1C1~R1C1~R1C2~R1C3": lambda a, b, c: a == b == c,
    "Palindrome~R1C1~R1C2~R1C1": lambda _a, _b, _c: True,
    "Between~R1C1~R1C2~R1C2~R1C3": lambda a, b, c: a < b < c or a > b > c,
    "Lockout~2~R1C1~R1C2~R1C2~R1C3": lambda a, b, c: abs(a - c) >= 2 and not min(a, c) <= b <= max(a, c),
    "Whisper~2~R1C1~R1C2~R1C1": lambda a, b, _: abs(a - b) >= 2,
    "Whisper~2~R1C1~R1C1~R1C2": lambda _a, _b, _c: False,
    "Modular~3~R1C1~R1C2~R1C3~R1C1": lambda a, b, c: _different(a % 3, b % 3, c % 3),
    "Modular~3~R1C1~R1C2~R1C1": lambda _a, _b, _c: False,
    "Modular~2~R1C1~R1C2~R1C1": lambda a, b, _: a % 2 != b % 2,
    "CountDistinct~R1C1~R1C1~R1C2~R1C2": lambda a, b, _: a == len({a, b}),
    "ContainExact~1_1~R1C1~R1C1~R1C2": lambda a, b, _: a == 1 != b,
    "ContainAtLeast~1_1~R1C1~R1C1~R1C2": lambda a, _b, _c: a == 1,
    "LookAndSay~21~R1C1~R1C1~R1C2": lambda a, b, _: a == 1 != b,
    "WhiteDot~R1C1~R1C2~R1C1": lambda a, b, _: abs(a - b) == 1,
    "GreaterThan~R1C1~R1C2~R1C1": lambda a, b, _: a > b,
}


@pytest.mark.parametrize("word", TWICE)
def test_a_cell_listed_twice_counts_twice_and_is_one_cell(word):
    """Sums and counts take a cell as often as it is listed; only different cells must have different values."""
    agrees(read(f"{LINE}.{word}"), TWICE[word])


@pytest.mark.parametrize(
    "word",
    [
        "EqualityCage~R1C1~R1C1~R1C2",
        "RellikCage~3~R1C1~R1C1",
        "CountingCircles~R1C1~R1C1",
        "Lunchbox~2~R1C1~R1C2~R1C1",
        "Renban~R1C1~R1C2~R1C2",
    ],
)
def test_words_that_mean_nothing_certain_with_a_cell_listed_twice_are_refused(word):
    """If the meaning of a word with a cell listed twice is unknown, the cell is named."""
    with pytest.raises(InvalidInput, match=r"(?i)expected each cell once, got R1C[12] more than once"):
        read(f"{LINE}.{word}")


# --- breaks -----------------------------------------------------------------------------------------------------

COUNTS_BREAKS = automaton_text(
    PackedAutomaton(5, (0,), tuple((breaks, sign, breaks) for breaks in range(5) for sign in range(4))
            + tuple((breaks, 4, breaks + 1) for breaks in range(4)) + (), (3,))
)  # fmt: skip
"""An automaton over four values that accepts whatever has three breaks in it."""
RISES = automaton_text(
    PackedAutomaton(5, (0,), (*((low, value - 1, value) for low, value in combinations(range(5), 2)),
            *((low, 4, 0) for low in range(5))), (0,))
)  # fmt: skip
"""An automaton over four values that reads rising runs, and accepts only after a break."""


@pytest.mark.parametrize(
    ("line", "breaks"),
    [
        ("R1C1~-~R1C2~-~R1C3", 2),
        ("-~R1C1~-~R1C2~-~R1C3", 3),
        ("R1C1~-~R1C2~R1C3~-~-", 3),
        ("-~-~R1C1~R1C2~-~R1C3", 3),
        ("R1C1~-~-~-~R1C2~R1C3", 3),
        ("-~R1C1~R1C2~R1C3~-", 2),
        ("-~R1C1~R1C2~R1C3", 1),
        ("R1C1~R1C2~R1C3", 0),
    ],
)
def test_every_break_is_read(line, breaks):
    """An automaton reads a break before, between and after the cells wherever there is one, even between no cells."""
    puzzle = read(f"{LINE}.NFA~{COUNTS_BREAKS}~_~{line}")
    assert len(found(puzzle, "native", 3)) == (64 if breaks == 3 else 0)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("-~R1C1~R1C2~-~R1C3~-", lambda a, b, _: a < b),
        ("R1C1~R1C2~R1C3~-", lambda a, b, c: a < b < c),
        ("R1C1~R1C2~R1C3", lambda _a, _b, _c: False),
        ("R1C1~-~R1C2~R1C3~-~-", lambda _a, b, c: b < c),
    ],
)
def test_runs_are_read_one_after_the_other(line, meaning):
    """An automaton begins each run in the state after the break, and ends in the state after the last one."""
    agrees(read(f"{LINE}.NFA~{RISES}~_~{line}"), meaning)


# --- marks inside other words -----------------------------------------------------------------------------------

PAIRS = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]
"""The neighbours on two rows of three cells."""


def _strict(marks, allowed, forbidden):
    """Return the meaning of marks if no other neighbours may have their property."""
    return lambda *values: all(
        (allowed if pair in marks else lambda a, b: not forbidden(a, b))(*(values[cell] for cell in pair)) for pair in PAIRS
    )


def _like_dots(a, b):
    return abs(a - b) == 1 or a in {2 * b, b / 2}


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        (".And.WhiteDot~R1C1~R1C2.End", {(0, 1)}),
        (".And.And.WhiteDot~R1C1~R1C2~R1C3.End.End", {(0, 1), (1, 2)}),
        (".Replicate~J.WhiteDot~R1C1~R1C2.End", {(0, 1), (3, 4)}),
        (".And.Replicate~J.WhiteDot~R1C1~R1C2.End.End", {(0, 1), (3, 4)}),
        (".WhiteDot~R1C1~R1C2.Or.Cage~9~R1C1~R1C2.Cage~0~R1C3.End", {(0, 1)}),
    ],
)
def test_marks_inside_and_and_replicate_are_marks(words, marks):
    """All neighbours are checked except those with a dot, whichever word contains the dot; the written string means the same."""
    puzzle = read(f".Shape~2x3~4~Raw.StrictKropki{words}")
    meaning = _strict(marks, lambda a, b: abs(a - b) == 1, _like_dots)
    agrees(puzzle, meaning, 6, engines=("native",))
    agrees(read(text_of(puzzle)), meaning, 6, engines=("sat",))


def test_letters_inside_and_are_letters():
    """All neighbours are checked except those with an X or a V."""
    puzzle = read(".Shape~2x3~4~Raw.StrictXV.And.V~R1C1~R2C1.End")
    agrees(puzzle, _strict({(0, 3)}, lambda a, b: a + b == 5, lambda a, b: a + b in {5, 10}), 6, engines=("native",))


@pytest.mark.parametrize(
    "words",
    [
        ".StrictKropki.Or.WhiteDot~R1C1~R1C2.WhiteDot~R2C1~R2C2.End",
        ".StrictKropki.And.Or.And.BlackDot~R1C1~R1C2.End.~R1C1_1.End.End",
        ".StrictXV.Or.X~R1C1~R1C2.V~R2C1~R2C2.End",
    ],
)
def test_marks_inside_or_beside_a_strict_word_are_refused(words):
    """If a mark is one of several alternatives, it is unknown which neighbours are marked; the solver refuses it as well."""
    with pytest.raises(InvalidInput, match=r"Strict(Kropki|XV): expected no marks inside Or, got '(difference|ratio|pair-sum)'"):
        read(f".Shape~4x4{words}")


def test_marks_inside_or_are_no_marks_for_the_writer():
    """Rules about unmarked neighbours beside alternatives with marks are written as their meaning."""
    dot = Difference((0, 1))
    rules = (AnyOf((dot, Difference((3, 4)))), NegativeDifference((1,), ((0, 1),)), NegativeRatio((2,), ((0, 1),)))
    puzzle = Puzzle(Grid.rectangle(2, 3, values=range(1, 5)), rules)
    text = text_of(puzzle)
    assert "Strict" not in text
    assert found(read(text), "native", 6) == found(puzzle, "native", 6)


# --- cells beside the board -------------------------------------------------------------------------------------

TWO_BY_THREE = {(row, column): 3 * row + column for row in range(2) for column in range(3)}
"""Six cells, in rows of three."""


def _around(cell, places=TWO_BY_THREE):
    row, column = divmod(cell, 3)
    beside = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    return {places[place] for place in beside if place in places}


def _hangs_together(cells):
    """Return whether cells of two rows of three are in one piece; no cells are not."""
    reached, waiting = set(), [*sorted(cells)[:1]]
    for cell in waiting:
        reached.add(cell)
        waiting += sorted(_around(cell) & cells - reached - {*waiting})
    return bool(cells) and reached == cells


@pytest.mark.parametrize(("size", "said"), [(None, ""), (3, "~3")])
@pytest.mark.parametrize("count", ["2x3", "6"])
def test_values_beside_the_board_hang_together(size, said, count):
    """Cells beside the board are connected as rows of their own, and some of them hold the value; so does the written string."""
    shape = ".Shape~1x1~2~Raw" if "x" in count else ".Shape~1x3~3~Raw.~R1C1_1~R1C2_1~R1C3_1"
    puzzle = read(f"{shape}.Var~A~~{count}.ConnectedValues~VA~1_2{said}" if "x" not in count else
                  f"{shape}.Var~A~~{count}.ConnectedValues~VA~1{said}")  # fmt: skip
    digits = {1} if "x" in count else {1, 2}
    values = puzzle.grid.values
    before = len(puzzle.grid.cells) - 6
    expected = set()
    for filled in product(values, repeat=6):
        inside = {cell for cell, value in enumerate(filled) if value in digits}
        if _hangs_together(inside) and size in {None, len(inside)}:
            expected.add(filled)
    for one, backend in ((puzzle, "native"), (puzzle, "sat"), (read(text_of(puzzle)), "sat")):
        solutions = found(one, backend, before + 6)
        assert {solution[before:] for solution in solutions} == expected
        assert len(solutions) == len(expected) * (len(values) if before == 1 else 1)


def test_values_of_the_board_hang_together_beside_other_cells():
    """Cells beside the board do not belong to it."""
    puzzle = read(".Shape~2x3.Var~A~~2.ConnectedValues~~1_2")
    alone = read(".Shape~2x3.ConnectedValues~~1_2")
    expected = found(alone, "native", 6)
    assert 0 < len(expected) < len(found(read(".Shape~2x3"), "native", 6))
    assert found(puzzle, "native", 6) == expected


WHOLE = [
    "AntiKnight", "AntiKing", "AntiConsecutive", "AntiTaxicab", "DisjointSets", "Windoku", "Diagonal~1", "GlobalEntropy",
    "GlobalMod", "DutchFlatmates", "RegionSameValues", "StrictKropki", "StrictXV",
    "FullRank~C1~3~", "Indexing~C~R1C1~R5C5", "RegionSumLine~R1C1~R5C5", "Sandwich~5~R1",
]  # fmt: skip


@pytest.mark.parametrize("word", WHOLE)
def test_words_about_the_whole_board_do_not_mean_cells_beside_it(word):
    """They accept the same boards, right and wrong ones, whatever values the cells beside the board have."""
    alone, beside = read(f".{word}.AntiKing"), read(f".Var~A~~3.{word}.AntiKing")
    chance = Random(5)  # noqa: S311  # for tests
    solved = list(next(iter(queries.solutions(read(f".{word}"), backend="sat"))))
    rules, others = ([rule for rule in puzzle.rules if rule.kind not in {"houses", "anti-king"}] for puzzle in (alone, beside))
    for faults in (0, 1, 1, 2, 2, 3, 4, 4):
        filled = solved[:]
        for _ in range(faults):
            filled[chance.randrange(81)] = chance.randrange(1, 10)
        whole = [*filled, *(chance.choice([1, 5, 5, 9]) for _ in range(3))]
        assert all(rule.holds(alone.grid, filled) for rule in rules) == all(rule.holds(beside.grid, whole) for rule in others)


def test_hundreds_of_cells_beside_the_board_are_solved():
    """There may be as many cells beside the board as the solver allows."""
    puzzle = read(".Shape~4x4.Var~A~~120.Pair~" + pairs_text([(v, v) for v in range(1, 5)], range(1, 5)) + "~_~"
                  + "~".join(["R1C1", *(f"VA{number}" for number in range(1, 121))]) + ".~R1C1_3")  # fmt: skip
    solution = next(iter(queries.solutions(puzzle, backend="native")))
    assert set(solution[16:]) == {3}


def test_words_are_repeated_among_the_cells_beside_the_board():
    """Cells move in their own rows; those of the board do not move with them."""
    puzzle = read(".Shape~1x1~4~Raw.Var~A~~2x2.Replicate~D~VA1.Thermo~VA1~VA3.End")
    agrees(puzzle, lambda _, a, b, c, d: a < c and b < d, 5, engines=("native",))
    with pytest.raises(InvalidInput, match="expected cells of the board inside Replicate, got 'VA1'"):
        read(".Shape~4x4.Var~A~~2x2.Replicate~D.Thermo~R1C1~VA1.End")
    with pytest.raises(InvalidInput, match="expected targets"):
        read(".Shape~4x4.Var~A.Replicate~D~VA.Thermo~VA~VA.End")


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("Quad~VA1~1~2", lambda _, *four: {1, 2} <= {*four}),
        ("Modular~1~VA1~VA2", lambda *_: True),
        ("Or.Modular~1~VA1.Cage~3~VA1.End", lambda *_: True),
        ("SearchPriority~3~VA1~VA2", lambda *_: True),
    ],
)
def test_words_about_cells_beside_the_board(word, meaning):
    """They mean there what they mean on the board; some mean nothing, without a remark."""
    (record,) = records_of_text(f".Shape~1x1~3~Raw.Var~A~~2x2.{word}", format="iss")
    assert record.warnings == ()
    agrees(record.puzzle, meaning, 5, values=range(1, 4), engines=("native", "sat"))


def _misses(house, values):
    return {*values} - {*house}


def test_what_doppelgangers_miss_has_cells():
    """Beside doppelgangers cells hold what each column (DGR) and each row (DGC) misses, and 0 (DGZ)."""
    values, known = range(5), ((0, 1, 2, 3), (1, 3, 0, 4))
    givens = "~".join(f"R{row}C{column}_{value}" for row, line in enumerate(known, 1) for column, value in enumerate(line, 1))
    puzzle = read(f".Shape~4x4~0-4.NoBoxes.Doppelganger.~{givens}.AllDifferent~DGR1~DGC3~DGZ.~DGR2_1_2_4")
    expected = set()
    for rows in product(permutations(values, 4), repeat=2):
        rows = (*known, *rows)  # noqa: PLW2901
        columns = list(zip(*rows, strict=True))
        missed = [_misses(house, values) for house in (*rows, *columns)]
        if any(len(miss) != 1 or 0 in miss for miss in missed):
            continue
        row_misses, column_misses = [min(miss) for miss in missed[:4]], [min(miss) for miss in missed[4:]]
        zeros = [(row, column) for row, column in product(range(4), repeat=2) if rows[row][column] == 0]
        apart = all(row_misses[row] != column_misses[column] for row, column in zeros)
        fits = apart and len({*row_misses}) == len({*column_misses}) == 4
        if fits and row_misses[2] != column_misses[0] and column_misses[1] != 3:
            expected.add((*chain(*rows), 0, *column_misses, *row_misses))
    assert expected
    for backend in ("native", "sat"):
        assert found(puzzle, backend, 25) == expected
    assert found(read(text_of(puzzle)), "sat", 25) == expected


def test_doppelgangers_with_boxes_miss_the_same_with_and_without_cells_for_it():
    """What boxes miss has cells too (DGB); the boards are those of the rule without such cells."""
    text = ".Shape~4x4~0-4.Doppelganger.~R1C1_0~R1C2_1~R2C1_3~R2C4_0~R3C3_0"
    alone = found(read(text), "sat", 16)
    assert alone
    assert found(read(f"{text}.~DGB1_1_2_3_4"), "sat", 16) == alone


# --- unknown regions --------------------------------------------------------------------------------------------

CUTS = [
    cut
    for cut in product((1, 2), repeat=6)
    if cut[0] == 1 and cut.count(1) == 3 and all(_hangs_together({i for i in range(6) if cut[i] == n}) for n in (1, 2))
]
"""The ways to cut two rows of three into two regions of three, numbered by their first cells."""


def _constructions(shape_values=(1, 2, 3)):
    """Yield each board of two rows of three, without repeats in rows, columns and regions, with the numbers of its regions."""
    for filled in product(shape_values, repeat=6):
        lines = (filled[:3], filled[3:], filled[0::3], filled[1::3], filled[2::3])
        if not all(_different(*line) for line in lines):
            continue
        for cut in CUTS:
            if all(_different(*(value for value, own in zip(filled, cut, strict=True) if own == number)) for number in (1, 2)):
                yield filled, cut


def _run(cut, *arms):
    """Count the cells at the beginning of arms that lie in the region of the first; it counts once."""
    return 1 + sum(next((n for n, cell in enumerate(arm) if cut[cell] != cut[arm[0]]), len(arm)) - 1 for arm in arms)


CLUES = {
    "AllDifferent~CC1~CC6": lambda _, cut: cut[0] != cut[5],
    "SameValues~2~CC2~CC4": lambda _, cut: cut[1] == cut[3],
    "CountDistinct~R1C1~CC2~CC3~CC6": lambda filled, cut: filled[0] == len({cut[1], cut[2], cut[5]}),
    "~CC2_1~CC4_2": lambda _, cut: cut[1] != cut[3],
    "~CC6_1~CC3_1": lambda _, cut: cut[5] == cut[2],
    "ChaosCount~R1C2~~CC2~CC1~CC3~CC5": lambda filled, cut: filled[1] == sum(cut[i] == cut[1] for i in (1, 0, 2, 4)),
    "ChaosCount~R1C2~1~CC2~CC1~CC3~CC5": lambda filled, cut: filled[1] + 1 == sum(cut[i] == cut[1] for i in (1, 0, 2, 4)),
    "ChaosCount~R2C1": lambda filled, cut: filled[3] == sum(cut[i] == cut[3] for i in (3, 0, 1, 4)),
    "ChaosArrow~R1C1~~CC1~CC2~CC3": lambda filled, cut: filled[0] == _run(cut, (0, 1, 2)),
    "ChaosArrow~R2C3~1~CC1~CC2~CC3~CC6": lambda filled, cut: filled[5] + 1 == _run(cut, (0, 1, 2, 5)),
    "ChaosArrow~R1C2~0~CC2~CC1~-~CC2~CC5~-~CC2~CC3~CC6": lambda filled, cut: filled[1] == _run(cut, (1, 0), (1, 4), (1, 2, 5)),
    "ChaosArrow~R2C2": lambda filled, cut: filled[4] == _run(cut, (4, 3), (4, 5), (4, 1)),
    "ChaosArrow~R1C1~0~CC1~-~CC1": lambda filled, _: filled[0] == 1,
    "Or.ChaosCount~R1C1~~CC1~CC2.ChaosArrow~R1C1~1~CC1~CC4.End": lambda filled, cut: filled[0] in {
        1 + (cut[0] == cut[1]), int(cut[0] == cut[3])
    },
}  # fmt: skip


@pytest.mark.parametrize("word", CLUES)
def test_words_about_unknown_regions(word):
    """Cells beside the board (CC) hold the numbers of the regions, and words refer to them."""
    puzzle = read(f".Shape~2x3.NoBoxes.ChaosConstruction.{word}")
    expected = {(*filled, *cut) for filled, cut in _constructions() if CLUES[word](filled, cut)}
    assert expected
    for backend in ("native", "sat"):
        assert found(puzzle, backend, 12) == expected
    text = text_of(puzzle)
    words = ("ChaosArrow", "ChaosCount") if word.startswith("Chaos") else ("Or",) if word.startswith("Or") else ("",)
    assert any(f".{one}" in text for one in words)  # an arrow of single cells is a count
    assert found(read(text), "native", 12) == expected


def test_unknown_regions_have_their_size():
    """Regions have as many cells as the longer side, or as stated; other values are unused, other cells are in no region."""
    expected = {(*filled, *cut) for filled, cut in _constructions((1, 2, 3, 4))}
    puzzle = read(".Shape~2x3~4.NoBoxes.ChaosConstruction.AllDifferent~CC1")
    assert found(puzzle, "sat", 12) == expected
    assert found(read(text_of(puzzle)), "sat", 12) == expected
    boards = {filled for filled, _ in _constructions((1, 2, 3, 4))}
    assert found(read(".Shape~2x3~4.Var~A.NoBoxes.ChaosConstruction.~VA_1"), "sat", 6) == boards
    small = ".Shape~2x3~4.RegionSize~2.ChaosConstruction"
    assert sorted(text_of(read(small)).split(".")) == sorted(small.split("."))
    pairs = found(read(small), "sat", 6)
    assert pairs == found(read(".Shape~2x3~4.NoBoxes"), "native", 6)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (".ChaosArrow~R1C1", "expected the word ChaosConstruction with it"),
        (".ChaosConstruction.ChaosCount~R1C1~2~CC1", "0 or 1"),
        (".ChaosConstruction.ChaosCount~R1C1~~R1C1~R1C2", "cells such as 'CC1'.*got R1C1"),
        (".ChaosConstruction.ChaosArrow~R1C1~~CC1~-~CC2", "begin in the same"),
        (".ChaosConstruction.~CC1_1_2", "one number of the region of a cell, got 1_2 for CC1"),
        (".Doppelganger.Var~A", "values from 0 to its side"),
        (".ConnectedValues~VA~1", "ConnectedValues.*'VA'"),
        (".Var~VA~4.Quad~VA1~1~2", "'VA1', a cell beside it that no word declares .beside it are VVA.$"),
        (".Var~B~~4.Var~C.Thermo~VA1~VB1", "'VA1', a cell beside it that no word declares .beside it are VB1 to VB4, VC.$"),
        (".AllDifferent~DGC1~R1C1", "'DGC1', a cell beside it that no word declares"),
        (".AllDifferent~CC1~R1C1", "'CC1', a cell beside it that no word declares"),
    ],
)
def test_what_words_about_regions_need_is_named(line, named):
    """An error names the word and what it lacks."""
    with pytest.raises(InvalidInput, match=named):
        read(line)


def test_words_about_the_numbers_of_regions_come_with_a_remark():
    """The solver's numbers of unknown regions mean nothing: for a word that compares them, a warning states how we count."""
    (record,) = records_of_text(".Shape~4x4.ChaosConstruction.Thermo~CC1~CC16", format="iss")
    assert record.warnings == ("Thermo at column 30: unknown regions are numbered by their first cells",)


# --- cells beside the board, written ----------------------------------------------------------------------------

BESIDE = [
    ".Shape~4x4.Var~A.Sum~5~VA~R1C1.~VA_1_2",
    ".Shape~4x4.Var~A~~12.WhiteDot~VA1~VA5.Thermo~VA1~VA2~R1C1.Quad~VA3~1~2.~R1C1_4~VA12_3",
    ".Shape~4x4.Var~A~~2x3.ConnectedValues~VA~1_2~3.Or.Cage~3~VA1~VA2.AllDifferent~VA1~R1C1.End",
    ".Shape~4x4.Var~A~~2x3.Var~B~~3.ConnectedValues~VA~1_2~3.Cage~3~VB1~VB2.WhiteDot~VB2~VB3",
    ".Shape~2x3.ChaosConstruction.Var~A~~2.ChaosCount~VA1~0~CC1~CC2.Arrow~R1C1~VA1~VA2",
    ".Shape~4x4~8.NoBoxes.RegionSize~2.ChaosConstruction.AllDifferent~CC1~CC3",
    ".Shape~4x4~6.NoBoxes.ChaosConstruction",
    ".Shape~4x4.Var~A~~5.AntiKnight.AntiKing.Diagonal~1.Diagonal~-1",
]


@pytest.mark.parametrize("line", BESIDE)
def test_cells_beside_the_board_are_written(line):
    """A string with cells beside the board is written as it was, and read as the same puzzle."""
    puzzle = read(line)
    assert sorted(text_of(puzzle).split(".")) == sorted(line.split("."))
    assert read(text_of(puzzle)) == puzzle


@pytest.mark.parametrize("line", [".Var~SUM~total~2.Cage~5~VSUM1~VSUM2", ".Var~B~~3x2.WhiteDot~VB1~VB3"])
def test_cells_beside_the_board_have_other_names_then(line):
    """Their names and rows are not part of a puzzle: their meaning is."""
    puzzle = read(line)
    assert read(text_of(puzzle)).grid == puzzle.grid
    rules, again = ([rule for rule in one.rules if rule.kind != "houses"] for one in (puzzle, read(text_of(puzzle))))
    for values in product((1, 3, 4), repeat=len(puzzle.grid.cells) - 81):
        filled = [*[1] * 81, *values]
        assert all(rule.holds(puzzle.grid, filled) for rule in rules) == all(rule.holds(puzzle.grid, filled) for rule in again)


def test_flatmates_beside_other_cells_are_written():
    """A rule that is stricter than its word is written as its meaning."""
    puzzle = Puzzle(Grid.of((*Grid.square(9).boards, Board(1, 1, at=(30, 0))), range(1, 10)), (Houses(), DutchFlatmates()))
    back = read(text_of(puzzle))
    assert "Dutch" not in text_of(puzzle)
    again = replace(back, rules=tuple(rule for rule in back.rules if rule.kind != "houses"))
    for filled in ([5] * 82, [1, 5, 9] * 27 + [5], [*[1] * 81, 5], [1] * 82):
        assert again.holds(filled) == DutchFlatmates().holds(puzzle.grid, filled)


FAR = Board(1, 1, at=(24, 0))
TWO_CUTS = Grid.of((Board(2, 2), *(Board(1, 1, at=(24, 20 * number)) for number in range(8))), range(1, 3))


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (
            Puzzle(Grid.of((Board(4, 4, (2, 2)), Board(1, 1, at=(5, 0))), range(1, 5))),
            "and single cells.*, got a 4x4 grid",
        ),
        (Puzzle(Grid.of((Board(4, 4, (2, 2)), FAR, Board(1, 1, at=(24, 3))), range(1, 5))), "one board, and single cells"),
        (Puzzle(Grid.of((Board(4, 4, (2, 2)), FAR), range(1, 5)), (Houses(), ConnectedValues((1,)))), "'connected-values'"),
        (Puzzle(TWO_CUTS, (ChaosConstruction((4, 5, 6, 7)), ChaosConstruction((8, 9, 10, 11)))), "about the same"),
        (Puzzle(TWO_CUTS, (ConnectedValues((1,), 2, (0, 2, 1, 3), 2),)), "'connected-values'"),
        (read(".Shape~4x4.ChaosConstruction.ConnectedValues~CC~1_2"), "numbered, got 'connected-values'"),
        (read(".Shape~4x4.ChaosConstruction.Thermo~CC1~CC16"), "however unknown regions are numbered, got 'thermometer'"),
        (read(".Shape~4x4.ChaosConstruction.Or.Thermo~CC1~CC16.End"), "numbered, got 'thermometer'"),
        (replace(read(".Shape~4x4.ChaosConstruction.AllDifferent~CC1~CC16"), givens={16: 1}), "no given numbers.*, got r25c1"),
    ],
)
def test_cells_beside_the_board_that_strings_have_not_are_refused(puzzle, named):
    """What strings cannot express about cells beside the board is named."""
    with pytest.raises(Unsupported, match=named):
        text_of(puzzle)
