"""Uniqueness: rectangles in which two values can be exchanged, on any layout, and what that depends on."""

from __future__ import annotations

from itertools import islice

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.grid import Grid
from sudoku_cp.logic import all_steps, make_board, parse_technique
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.techniques.unique_rectangles import allows_other_candidates, rectangles_of
from sudoku_cp.model import members
from sudoku_cp.rules import RULES
from tests.logic.library_lines import library_cases, parse_board, parse_case

HOUSES = RULES["houses"]()
LAYOUTS = {
    "6x6": (Puzzle(Grid.square(6)), 99),
    "9x9": (Puzzle(), 486),
    "diagonals": (Puzzle(rules=(HOUSES, RULES["diagonals"]())), None),
    "windows": (Puzzle(rules=(HOUSES, RULES["windoku"]())), None),
    "anti-knight": (Puzzle(rules=(HOUSES, RULES["anti-knight"]())), 0),
    "cage": (Puzzle(Grid.square(6), rules=(HOUSES, RULES["killer-cage"]((0, 1), 7))), None),
    "cage of three": (Puzzle(Grid.square(6), rules=(HOUSES, RULES["killer-cage"]((0, 1, 6), 9))), None),
    "thermometer": (Puzzle(Grid.square(6), rules=(HOUSES, RULES["thermometer"]((0, 1)))), None),
    "even": (Puzzle(Grid.square(6), rules=(HOUSES, RULES["even"]((0,)))), 99),
}
UNIQUENESS = [line for line in library_cases("library_sets.txt") if line.startswith(":06") and line[1:5] != "0610"]


@pytest.mark.parametrize("name", LAYOUTS)
def test_exchanging_two_values_breaks_no_rule(name: str) -> None:
    """Where a solution has a, b / b, a in such a rectangle, the grid with b, a / a, b satisfies every rule."""
    puzzle, number = LAYOUTS[name]
    rectangles = list(rectangles_of(layout_of(puzzle)))
    assert number is None or len(rectangles) == number
    layout = layout_of(puzzle)
    for solution in islice(puzzle.solutions(), 20):
        for rectangle in rectangles:
            p, q, r, s = rectangle.corners
            pair = {solution[p], solution[q]}
            if (solution[p], solution[q]) != (solution[s], solution[r]):
                continue
            if any(not layout.domains[cell] >> value & 1 for cell in rectangle.corners for value in pair):
                continue  # such a cell cannot have both values among its candidates
            other = list(solution)
            other[p], other[q], other[r], other[s] = (solution[cell] for cell in (q, p, s, r))
            assert all(rule.holds(puzzle.grid, other) for rule in puzzle.rules), rectangle


def test_rectangles_keep_away_from_rules_that_tell_their_solutions_apart() -> None:
    """A cage must hold both cells of a side, a thermometer none; a diagonal takes those that it meets in one colour alone."""
    caged = rectangles_of(layout_of(LAYOUTS["cage"][0]))
    assert {rectangle.mask & 0b11 for rectangle in caged} == {0, 0b11}
    larger = {rectangle.mask & 0b1000011 for rectangle in rectangles_of(layout_of(LAYOUTS["cage of three"][0]))}
    assert larger == {0, 0b11, 0b1000001}
    assert {rectangle.mask & 0b11 for rectangle in rectangles_of(layout_of(LAYOUTS["thermometer"][0]))} == {0}
    diagonal = list(rectangles_of(layout_of(LAYOUTS["diagonals"][0])))
    assert 0 < len(diagonal) < 486


@pytest.mark.parametrize("line", UNIQUENESS, ids=lambda line: line[1:5])
def test_a_given_corner_ends_it(line: str) -> None:
    """Whatever corner is given, the rectangle shows nothing: no second solution can differ there."""
    case = parse_case(line)
    for step in all_steps(case.board, case.technique):
        rectangle = step.pattern.sets[0].cells
        for cell in members(rectangle):
            board = case.board.copy()
            board.givens |= 1 << cell
            board.open &= ~(1 << cell)
            found = all_steps(board, case.technique)
            assert not any(other.pattern.sets[0].cells == rectangle for other in found)


def test_the_pair_counts_where_the_filled_cells_allow_it() -> None:
    """One of the two values may be gone from a corner by deduction, but not by a filled cell; one corner has both."""
    case = parse_case(next(line for line in UNIQUENESS if line.startswith(":0600")))
    (step,) = [step for step in all_steps(case.board, case.technique) if step.eliminations]
    rectangle, pair = step.pattern.sets[0]
    floor = members(rectangle & ~step.pattern.fins)
    first = members(pair)[0]
    deduced = case.board.copy()
    deduced.remove(1 << floor[0], first)
    assert step.result in {other.result for other in all_steps(deduced, case.technique)}
    filled = deduced.copy()
    filled.allowed[floor[0]] &= ~(1 << first)
    assert not all_steps(filled, case.technique)
    for cell in floor[1:]:
        deduced.remove(1 << cell, first)
    assert not all_steps(deduced, case.technique)


def test_no_grave_with_two_extra_candidates() -> None:
    """BUG+1 is one extra candidate in all: a second one ends it, and so does a rule on an open cell."""
    case = parse_case(next(line for line in library_cases("library_sets.txt") if line.startswith(":0610")))
    assert len(all_steps(case.board, case.technique)) == 1
    board = case.board.copy()
    cell = next(cell for cell in members(board.open) if board.candidates[cell].bit_count() == 2)
    extra = next(value for value in range(1, 10) if not board.candidates[cell] >> value & 1)
    board.candidates[cell] |= 1 << extra
    board.places[extra] |= 1 << cell
    assert not all_steps(board, case.technique)


@pytest.mark.parametrize(
    ("rule", "filled", "expected"),
    [
        (RULES["killer-cage"]((0, 1, 2), 6), (), True),
        (RULES["killer-cage"]((0, 1, 2), 6), (0,), True),
        (RULES["killer-cage"]((0, 1, 2), 6), (0, 1), False),
        (RULES["thermometer"]((0, 1, 2)), (), False),
    ],
)
def test_a_grave_on_rules_of_totals(rule, filled: tuple[int, ...], expected: bool) -> None:
    """A cage of which two cells or more are open cannot tell a grave's two solutions apart; one open cell, and orders, can."""
    board = make_board(Puzzle(Grid.square(6), (HOUSES, rule)))
    for cell, value in zip(filled, (1, 2), strict=False):
        board.place(cell, value)
    assert allows_other_candidates(board) == expected


def test_nothing_unique_in_an_empty_grid() -> None:
    """Without cells of two candidates there is no rectangle."""
    board = parse_board("." * 81)
    for code in ("0600", "0601", "0602", "0603", "0604", "0605", "0606", "0607", "0608", "0610"):
        assert not all_steps(board, parse_technique(code))
