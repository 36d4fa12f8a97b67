"""The fewest givens of a solution, puzzles in a pattern, rules that need no givens: compared with brute force on small boards."""

from __future__ import annotations

import re
from itertools import combinations, count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.generate.fewest import fewest_givens, needs_no_givens, pattern_puzzle
from sudoku_cp.generate.request_parsing import parse_pattern
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import solve
from sudoku_cp.rules import rule_from_json

SMALL = Grid.square(4)
JIGSAW = Grid.jigsaw("AAAB CABB CCDB CDDD")
GRID9 = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
RULED = {
    "plain": (SMALL, ()),
    "diagonals": (SMALL, ({"kind": "diagonals"},)),
    "anti-knight": (SMALL, ({"kind": "anti-knight"},)),
    "cage": (SMALL, ({"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 8},)),
    "thermometer": (SMALL, ({"kind": "thermometer", "cells": ["r1c1", "r2c2", "r3c3"]},)),
    "even": (SMALL, ({"kind": "even", "cells": ["r1c1", "r4c4"]},)),
    "jigsaw": (JIGSAW, ()),
    "a value too many": (Grid.rectangle(3, 3, None, range(4)), ()),
}


def board(name: str) -> Puzzle:
    """Return the empty board of one of the rule sets."""
    grid, told = RULED[name]
    return Puzzle(grid, (*CLASSIC, *(rule_from_json(rule, grid) for rule in told)))


def all_solutions(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Return every solution, found one by one."""
    return list(solve(puzzle, solution_limit=None).solutions)


def fewest_by_trying(solution: tuple[int, ...], others: list[tuple[int, ...]], cells: list[int]) -> int | None:
    """Return the fewest of ``cells`` that tell a solution from all others, by trying all choices."""
    differing = [{cell for cell in cells if one[cell] != solution[cell]} for one in others if one != solution]
    if not all(differing):
        return None
    return next(
        n for n in count() if any(all(one.intersection(chosen) for one in differing) for chosen in combinations(cells, n))
    )


@pytest.mark.parametrize("name", RULED)
@given(data=st.data())
@settings(max_examples=4)
def test_the_fewest_are_those_of_brute_force(name: str, data: st.DataObject) -> None:
    """Among all cells, or some that may not suffice, no choice is smaller, and the givens found leave only the solution."""
    puzzle = board(name)
    solutions = all_solutions(puzzle)
    solution = data.draw(st.sampled_from(solutions))
    cells = data.draw(st.none() | st.sets(st.sampled_from(list(puzzle.grid.cells)), min_size=4).map(sorted))
    found = fewest_givens(puzzle.with_givens(dict(enumerate(solution))), among=cells)
    assert found.most == fewest_by_trying(solution, solutions, list(puzzle.grid.cells) if cells is None else cells)
    if found.most is None:
        assert found.givens is None
        assert found.other in solutions
        assert found.other != solution
        assert all(found.other[cell] == solution[cell] for cell in cells or ())
    else:
        assert found.exact
        assert found.givens is not None
        assert len(found.givens) == found.most
        assert set(found.givens) <= set(puzzle.grid.cells if cells is None else cells)
        assert all_solutions(puzzle.with_givens({cell: solution[cell] for cell in found.givens})) == [solution]


@pytest.mark.slow
def test_every_grid_of_4x4_needs_four_givens() -> None:
    """All 288 of them need exactly four."""
    for solution in all_solutions(board("plain")):
        found = fewest_givens(Puzzle(SMALL, givens=dict(enumerate(solution))))
        assert (found.least, found.most) == (4, 4)


@pytest.mark.parametrize(
    ("line", "number"),
    [("123456456123231564564231312645645312", 9), ("621435354261465312213654132546546123", 8)],
)
def test_grids_of_6x6_are_exact(line: str, number: int) -> None:
    """The fewest givens of 6x6 grids are found and proved, and found again from the puzzle that they make."""
    full = Puzzle.parse(line)
    found = fewest_givens(full)
    assert (found.least, found.most, found.reason) == (number, number, None)
    puzzle = full.with_givens({cell: found.solution[cell] for cell in found.givens or ()})
    assert solve(puzzle).solutions == (found.solution,)
    assert fewest_givens(puzzle, seed=1).most == number


def test_bounds_at_9x9_are_valid_and_told_with_the_limit() -> None:
    """The lower bound is the known 17, with its source; the upper one is a puzzle with one solution."""
    full = Puzzle.parse(GRID9)
    found = fewest_givens(full, limits=Limits(nodes=200))
    assert (found.least, found.reason, found.exact) == (17, "nodes", False)
    assert "McGuire" in found.why
    assert found.givens is not None
    assert found.most == len(found.givens) < 81
    assert solve(full.with_givens({cell: found.solution[cell] for cell in found.givens})).status == "unique"


def test_limits_and_bad_input_are_told_apart() -> None:
    """No bound before the limit raises `LimitReached`; puzzles without exactly one solution, and unknown cells, are bad input."""
    cancel = Cancellation()
    cancel.cancel()
    with pytest.raises(LimitReached):
        fewest_givens(Puzzle.parse(GRID9), limits=Limits(cancel=cancel))
    with pytest.raises(InvalidInput, match="several"):
        fewest_givens(Puzzle(SMALL))
    with pytest.raises(InvalidInput, match="none"):
        fewest_givens(Puzzle(SMALL, givens={0: 1, 1: 1}))
    with pytest.raises(InvalidInput, match=r"0 to 15.*\[16\]"):
        fewest_givens(Puzzle.parse("1234341221434321"), among=[1, 16])
    with pytest.raises(InvalidInput, match=r"0 to 15.*\[16\]"):
        pattern_puzzle(SMALL, CLASSIC, [1, 16])


@pytest.mark.parametrize("name", RULED)
@given(data=st.data())
@settings(max_examples=4)
def test_patterns_admit_a_puzzle_as_brute_force_says(name: str, data: st.DataObject) -> None:
    """A puzzle is found in a pattern exactly where some solution is the only one with its values there."""
    puzzle = board(name)
    cells = sorted(data.draw(st.sets(st.sampled_from(list(puzzle.grid.cells)), max_size=7)))
    shown = [tuple(solution[cell] for cell in cells) for solution in all_solutions(puzzle)]
    found = pattern_puzzle(puzzle.grid, puzzle.rules, cells)
    assert found.possible == any(shown.count(one) == 1 for one in set(shown)), (cells, found)
    if found.puzzle is None:
        assert found.why
    else:
        assert sorted(found.puzzle.givens) == cells
        assert all_solutions(found.puzzle) == [found.puzzle.solution]


SEVEN = "##....\n#.....\n..#...\n...#..\n....#.\n.....#"
TWELVE = "#..#..\n.#..#.\n..#..#\n#....#\n.#..#.\n..##.."


@pytest.mark.parametrize(
    ("side", "text", "words"),
    [
        (4, "#...\n..#.\n....\n...#", "3 givens|every solution has another"),
        (4, "##..\n##..\n....\n....", "can change places"),
        pytest.param(6, SEVEN, "every solution has another", marks=pytest.mark.slow),
        (6, "######\n######\n######\n......\n######\n######", None),
        (6, TWELVE, None),
        (6, "......\n......\n######\n######\n######\n######", "row 1 and row 2 have no givens"),
        (9, "#" * 16 + "." * 65, "McGuire"),
    ],
)
def test_patterns_are_answered_with_the_argument(side: int, text: str, words: str | None) -> None:
    """Where there is no puzzle, the answer says why; where there is one, it is returned."""
    grid = Grid.square(side)
    cells = parse_pattern(text, grid)
    found = pattern_puzzle(grid, CLASSIC, cells)
    if words is None:
        assert found.puzzle is not None
        assert tuple(found.puzzle.givens) == cells
        assert solve(found.puzzle).status == "unique"
    else:
        assert found.possible is False
        assert re.search(words, found.why), found.why


def test_a_pattern_that_takes_too_long_is_unknown() -> None:
    """The limit comes first: neither yes nor no."""
    found = pattern_puzzle(Grid.square(16), CLASSIC, range(0, 256, 3), limits=Limits(seconds=0.1))
    assert (found.possible, found.reason, found.puzzle) == (None, "deadline", None)


@pytest.mark.parametrize("name", RULED)
def test_rules_that_need_no_givens_have_one_solution(name: str) -> None:
    """The answer agrees with counting; of several solutions two are returned."""
    puzzle = board(name)
    number = len(all_solutions(puzzle))
    found = needs_no_givens(puzzle.grid, puzzle.rules)
    assert found.alone is (number == 1)
    assert len(set(found.solutions)) == min(number, 2)
    assert all(puzzle.holds(solution) for solution in found.solutions)


def test_symmetries_of_values_need_no_search() -> None:
    """Values that can be renamed or mirrored turn every solution into a second one, found or not; clues can leave only one."""
    renamed = needs_no_givens(Grid.square(9), CLASSIC, limits=Limits(nodes=0))
    assert (renamed.alone, "change places" in renamed.why) == (False, True)
    nonconsecutive = (*CLASSIC, rule_from_json({"kind": "nonconsecutive"}, Grid.square(9)))
    mirrored = needs_no_givens(Grid.square(9), nonconsecutive)
    assert (mirrored.alone, len(mirrored.solutions)) == (False, 2)
    assert "10 - v" in mirrored.why
    cages = [
        {"kind": "killer-cage", "cells": cells, "total": total}
        for cells, total in ((["r1c1", "r1c2"], 3), (["r1c1", "r2c1"], 4), (["r3c3", "r3c4"], 7))
    ]
    small = Puzzle(SMALL, (*CLASSIC, *(rule_from_json(cage, SMALL) for cage in cages)))
    assert needs_no_givens(SMALL, small.rules).alone is (len(all_solutions(small)) == 1)
