"""A check reports what is wrong with a puzzle, correctly."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import Limits
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import Conflict, check, solve
from sudoku_cp.rules import Arrow, Diagonals, Houses, KillerCage, Quadruple, Thermometer
from sudoku_cp.rules.descriptions import describe_rule

GRID4 = Grid.square(4)
BANDS = [(*one, *other) for one, other in product(permutations(range(1, 5)), repeat=2) if not {*one[:2]} & {*other[:2]}]
GRIDS_OF_4 = [top + low for top, low in product(BANDS, BANDS) if all(len({*(top + low)[c::4]}) == 4 for c in range(4))]
RULES = [
    (Houses(),),
    (Houses(), Diagonals()),
    (Houses(), KillerCage((0, 1, 4), 7), Thermometer((10, 11, 15))),
    (Houses(), Arrow(0, ((1, 6), (4, 8))), Quadruple((5, 6, 9, 10), (1, 2))),
    (KillerCage((0, 1, 4), 6),),
    (Houses(), KillerCage((0, 1), 20)),
]


@pytest.mark.parametrize("name", ["native", "sat", "cpsat"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(RULES),
    st.dictionaries(st.integers(0, 15), st.integers(1, 4), max_size=8),
    st.dictionaries(st.integers(0, 15), st.integers(1, 15).map(lambda values: values << 1), max_size=3),
)
def test_a_check_is_right_about_any_4x4_puzzle(name: str, rules, givens: dict[int, int], candidates: dict[int, int]) -> None:
    """The status is that of the grids that hold; a conflict is named; solutions differ, are frozen and additions suffice."""
    puzzle = Puzzle(GRID4, rules, givens, candidates)
    found = check(puzzle, backend=name)
    if Houses() in rules:
        number = sum(map(puzzle.holds, GRIDS_OF_4))
        assert found.answer.status == ("none", "unique", "multiple")[min(number, 2)]
    if found.answer.status == "none":
        assert found.conflict is not None
        assert found.conflict.smallest
    else:
        assert found.conflict is None
    if found.answer.status == "multiple":
        one, other = found.answer.solutions
        assert found.differ == tuple(cell for cell in GRID4.cells if one[cell] != other[cell]) != ()
        assert found.additions is not None
        assert solve(puzzle.with_givens({**puzzle.givens, **found.additions}), backend="cpsat").solutions == (one,)
    else:
        assert (found.differ, found.frozen, found.additions) == ((), {}, None)
    assert (found.minimal is None) == (found.answer.status != "unique")
    assert (found.undecided, found.reason) == ((), None)


def test_a_good_puzzle_has_nothing_wrong(engine: str, unique: Puzzle) -> None:
    """One solution, no conflict, nowhere to differ, nothing to leave out."""
    found = check(unique, backend=engine)
    assert (found.answer.status, found.conflict, found.differ) == ("unique", None, ())
    assert (found.minimal, found.unnecessary, found.undecided) == (True, (), ())


def test_two_solutions_differ_where_they_can_be_turned(engine: str, twofold: Puzzle) -> None:
    """The cells in which two solutions differ are named."""
    found = check(twofold, backend=engine)
    assert [twofold.grid.cell_name(cell) for cell in found.differ] == ["r1c1", "r1c3", "r2c1", "r2c3"]


@pytest.mark.parametrize(
    ("givens", "cells", "part"),
    [
        ({0: 5, 4: 1, 8: 5}, (0, 8), "row 1 (houses)"),
        ({0: 5, 4: 1, 72: 5}, (0, 72), "column 1 (houses)"),
        ({0: 5, 4: 1, 20: 5}, (0, 20), "box 1 (houses)"),
    ],
)
def test_givens_that_plainly_clash_are_named_with_the_rule(engine: str, givens, cells, part: str) -> None:
    """Two equal givens in a house are the conflict, and the house is its rule."""
    puzzle = Puzzle(givens=givens)
    conflict = check(puzzle, backend=engine).conflict
    assert conflict == Conflict(cells, (part,), smallest=True, cells=cells)


def test_a_rule_broken_by_its_givens_is_named() -> None:
    """A full cage with the wrong sum is a conflict of its cells."""
    puzzle = Puzzle(GRID4, (Houses(), KillerCage((0, 1), 5)), {0: 1, 1: 3, 15: 2})
    found = check(puzzle).conflict
    assert found == Conflict((0, 1), ("cage r1c1 r1c2 (killer-cage)",), smallest=True, cells=(0, 1))


def test_fewer_givens_than_plainly_clash_may_be_enough() -> None:
    """A full cage of which one value alone is too large is a conflict of that value."""
    puzzle = Puzzle(rules=(Houses(), KillerCage((0, 1, 2), 6)), givens={0: 9, 1: 8, 2: 1})
    conflict = check(puzzle).conflict
    assert conflict is not None
    assert (len(conflict.givens), len(conflict.rules), conflict.smallest) == (1, 1, True)


def test_a_hidden_clash_is_found(engine: str) -> None:
    """Givens that break no house but leave a cell nothing are the conflict, without those that have no part in it."""
    puzzle = Puzzle.parse("12345678." + "." * 17 + "9" + "." * 9 + "5" + "." * 44)
    conflict = check(puzzle, backend=engine).conflict
    assert conflict is not None
    assert conflict.smallest
    assert conflict.rules == ("row 1 (houses)", "box 3 (houses)")
    assert set(conflict.givens) == {0, 1, 2, 3, 4, 5, 26}


def test_a_rule_that_says_nothing_new_is_told() -> None:
    """A rule is unnecessary if the puzzle is unique without it, and only then."""
    puzzle = Puzzle(GRID4, (Houses(), Diagonals(), KillerCage((0, 1), 3)), {0: 1, 2: 3, 7: 2})
    found = check(puzzle)
    spare = {
        index
        for index in (1, 2)
        if solve(Puzzle(GRID4, puzzle.rules[:index] + puzzle.rules[index + 1 :], puzzle.givens), backend="cpsat").status
        == "unique"
    }
    assert found.answer.status == "unique"
    assert set(found.unnecessary_rules) == spare == {2}
    assert describe_rule(puzzle.rules[2], GRID4) == "killer-cage r1c1 r1c2, total 3"


def test_questions_behind_the_answer_have_their_own_time() -> None:
    """A check of an empty board ends with its patience or its limits, and names what is left open."""
    for limit in ("patience", "limits"):
        for seconds in (0.4, 4.0, 40.0):  # a machine that pauses needs longer for the answer itself
            found = check(Puzzle(), **{limit: Limits(seconds=seconds) if limit == "limits" else seconds})
            if found.answer.status != "unknown":
                break
        assert found.answer.status == "multiple"
        assert not found.fewest
        assert found.reason == "deadline"
        assert found.undecided
        assert found.additions is None or solve(Puzzle(givens=found.additions)).status == "unique"


def test_what_is_undecided_is_not_guessed(unique: Puzzle) -> None:
    """Without patience, every given of a unique puzzle is undecided, and ``minimal`` is None."""
    found = check(unique, patience=0)
    assert (found.answer.status, found.minimal, found.unnecessary, found.reason) == ("unique", None, (), "deadline")
    assert found.undecided_givens == (*unique.givens,)
    assert found.undecided == tuple(unique.grid.cell_name(cell) for cell in unique.givens)
