"""Locked candidates, subsets, uniqueness, almost locked sets, Sue de Coq and templates: what they find, and what they must not.

`library_sets.txt` holds positions of public puzzles; on small random boards everything is compared with `slow_sets`.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.grid import Grid
from sudoku_cp.logic import all_steps, make_board, parse_technique
from sudoku_cp.logic.almost_locked_sets import almost_locked_sets
from sudoku_cp.logic.techniques.basic import naked_pairs
from sudoku_cp.model import members
from tests.logic import slow_sets
from tests.logic.library_lines import (
    image_of_row,
    library_cases,
    parse_board,
    parse_case,
    random_symmetry,
    rows_of,
    symmetric_image,
)
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard

CASES = library_cases("library_sets.txt")
_MOST_SETS = {"0901": 60, "0902": 45, "0903": 14, "0904": 42}
"""The slow readings take too long with more almost locked sets than that."""
SMALL = [Grid.square(6), Grid.jigsaw("bbbbb dddde ccdae ccaae caaee")]


def case_name(line: str) -> str:
    """Code and effects."""
    fields = line.split(":")
    return f"{fields[1]} {fields[5]}{fields[6]}"


def rows(board: CandidateBoard, code: str) -> set[frozenset[tuple[str, int, int]]]:
    """Return all that a technique finds."""
    return rows_of(all_steps(board, parse_technique(code)))


def eliminated(*words: str) -> frozenset[tuple[str, int, int]]:
    """Return eliminations from words: value, row, column."""
    return frozenset(("-", 9 * int(row) + int(column) - 10, int(value)) for value, row, column in words)


@cache
def small_board(seed: int) -> CandidateBoard:
    """Return a board of 6x6 (or a 5x5 jigsaw) with random cells filled, and candidates around a solution."""
    random = Random(seed)  # noqa: S311
    puzzle = Puzzle(SMALL[seed % 5 == 4])
    size = len(puzzle.grid.values)
    first = dict(enumerate(random.sample(range(1, size + 1), size)))
    solution = solve(Puzzle(puzzle.grid, givens=first)).solution
    assert solution is not None
    board = make_board(puzzle)
    for cell, value in enumerate(solution):
        if random.random() < 0.35:
            board.place(cell, value)
    share = random.random() * 0.6
    for cell in members(board.open):
        for value in members(board.candidates[cell] & ~(1 << solution[cell])):
            if random.random() < share:
                board.remove(1 << cell, value)
    return board


@pytest.mark.parametrize("line", CASES, ids=case_name)
def test_cases_are_found_and_proved(line: str) -> None:
    """What the line names is among the rows, exactly; and each row has its proof, which a SAT solver checks."""
    case = parse_case(line)
    found = all_steps(case.board, case.technique)
    assert case.row in rows_of(found)
    for step in found[:20]:
        assert step.needs_uniqueness or not unproved_results(case.board, step)


@pytest.mark.parametrize("line", CASES, ids=case_name)
def test_symmetric_positions_have_symmetric_rows(line: str) -> None:
    """Turning, mirroring, exchanging lines and renaming values changes nothing but names."""
    case = parse_case(line)
    symmetry = random_symmetry(len(line))
    expected = {image_of_row(row, *symmetry) for row in rows_of(all_steps(case.board, case.technique))}
    assert rows(symmetric_image(case.board, *symmetry), case.code) == expected


@pytest.mark.parametrize("code", slow_sets.DEFINITIONS)
def test_small_boards_by_definition(code: str) -> None:
    """On random small boards the rows are those of the definition read slowly, no more, no less."""
    compared = 0
    for seed in range(60 if code in _MOST_SETS else 25):
        board = small_board(seed)
        sets = len(almost_locked_sets(board))
        if (code[:2] == "12" and seed % 5 == 4) or sets > _MOST_SETS.get(code, sets):
            continue  # templates are read on the grid with boxes alone, and chains only where they are few
        expected = slow_sets.rows_of(slow_sets.DEFINITIONS[code](slow_sets.SlowBoard(board)))
        sign = "+" if code == "1201" else "-"
        assert rows(board, code) == {frozenset((sign, *one) for one in row) for row in expected}, seed
        compared += len(expected)
    assert compared or code in {"0111", "0202", "0212", "0903", "1101"}, "some techniques need more room than 6x6 has"


def test_naked_subset_of_two_houses_is_listed_for_each_and_for_both() -> None:
    """A pair in box and row: what leaves the row, what leaves the box, and both together."""
    board = parse_board("." * 81)
    for cell in (0, 1):
        board.keep_candidates(cell, 1 << 1 | 1 << 2)
    for value in (1, 2):
        kept = 1 << 0 | 1 << 1 | 1 << 8 | 1 << 18  # r1c9 and r3c1
        board.remove(board.places[value] & ~kept & (board.layout.groups[0].mask | board.layout.seen_by_all(3)), value)
    expected = {eliminated("119", "219"), eliminated("131", "231"), eliminated("119", "219", "131", "231")}
    assert rows(board, "0200") == expected
    assert rows(board, "0110") == {eliminated("119", "219", "131", "231")}


def test_pairs_are_found_in_groups_that_are_no_houses() -> None:
    """Two cells a knight's move apart with two values: what sees both loses them, outside their houses too."""
    from sudoku_cp.rules import RULES  # noqa: PLC0415

    board = make_board(Puzzle(rules=(RULES["houses"](), RULES["anti-knight"]())))
    for cell in (0, 11):  # r1c1 and r2c3: one box
        board.keep_candidates(cell, 1 << 1 | 1 << 2)
    found = [step for step in naked_pairs(board) if not unproved_results(board, step)]
    assert any(cell == 4 for step in found for cell, _ in step.eliminations), (
        "r1c5: in the row of one, a knight's move from the other"
    )


@pytest.mark.parametrize("line", [line for line in CASES if line[1:5] in {"0200", "0201", "0202"}], ids=case_name)
def test_no_naked_subset_with_a_value_more(line: str) -> None:
    """A further candidate in a cell of the subset ends it."""
    case = parse_case(line)
    for step in all_steps(case.board, case.technique):
        board = case.board.copy()
        cell, extra = members(step.cells)[0], next(value for value in range(1, 10) if not step.values >> value & 1)
        board.candidates[cell] |= 1 << extra
        board.places[extra] |= 1 << cell
        assert not any(other.cells == step.cells for other in all_steps(board, case.technique))


@pytest.mark.parametrize("line", [line for line in CASES if line[1:5] in {"0210", "0211", "0212", "0100", "0101"}], ids=case_name)
def test_nothing_hidden_or_locked_with_a_place_more(line: str) -> None:
    """A further place of one of its values in the house ends a hidden subset, and locked candidates."""
    case = parse_case(line)
    for step in all_steps(case.board, case.technique):
        board = case.board.copy()
        value, (house,) = members(step.values)[0], step.pattern.bases
        outside = (
            board.layout.groups[house].mask
            & ~step.cells
            & ~(board.layout.groups[step.pattern.covers[0]].mask if step.pattern.covers else 0)
        )
        for cell in members(outside & board.open)[:1]:
            board.candidates[cell] |= 1 << value
            board.places[value] |= 1 << cell
            assert not any(
                (other.cells, other.values, other.pattern.bases) == (step.cells, step.values, (house,))
                for other in all_steps(board, case.technique)
            )


def test_one_place_is_no_locked_candidate() -> None:
    """A value with a single place in a box is a hidden single: pointing needs two."""
    board = parse_board("." * 81)
    board.remove(board.layout.groups[18].mask & ~1, 1)
    assert board.places[1] & board.layout.groups[18].mask == 1
    assert rows(board, "0100") == set()


def test_sets_may_share_cells() -> None:
    """Wings, chains and petals with sets that overlap are in the cases."""
    for code in ("0902", "0903", "0904"):
        overlapping = 0
        for case in map(parse_case, [line for line in CASES if line[1:5] == code]):
            for step in all_steps(case.board, case.technique):
                sizes = sum(one.cells.bit_count() for one in step.pattern.sets)
                overlapping += sizes > step.cells.bit_count()
        assert overlapping


def test_chains_alternate_and_repeat_no_set() -> None:
    """Four or more different sets; neighbours share a restricted common that differs from the one before."""
    lengths = set()
    for case in map(parse_case, [line for line in CASES if line[1:5] == "0903"]):
        for step in all_steps(case.board, case.technique):
            sets = step.pattern.sets
            commons = [link.start.value for link in step.pattern.links if not link.strong]
            assert len({one.cells for one in sets}) == len(sets) == len(commons) + 1 >= 4
            assert all(one != other for one, other in pairwise(commons))
            lengths.add(len(sets))
    assert max(lengths) > 5


def test_templates_need_those_of_other_values() -> None:
    """Templates that meet a cell which another value holds in all of its own are dropped: without that, rows would be missing."""
    needed = 0
    for case in map(parse_case, [line for line in CASES if line[1:5] in {"1201", "1202"}]):
        for step in all_steps(case.board, case.technique):
            values = {group.value for group in step.proof if group.value}
            needed += len(values) > 1
            alone = case.board.copy()
            for value in range(1, 10):
                if not step.values >> value & 1:
                    alone.places[value] = 0
            assert (step.result in {other.result for other in all_steps(alone, case.technique)}) == (len(values) == 1)
    assert needed


def test_a_board_without_solution_has_no_templates() -> None:
    """Where a value has no template left nothing is said of it."""
    board = parse_board("1" + "." * 80)
    board.remove(board.places[1] & board.layout.groups[1].mask, 1)
    assert all(not any(value == 1 for _, _, value in row) for code in ("1201", "1202") for row in rows(board, code))


def test_large_boards_are_no_trouble() -> None:
    """On an empty 16x16 board each search ends soon, with nothing."""
    board = make_board(Puzzle(Grid.square(16)))
    for code in ("0200", "0212", "0600", "0901", "0903", "0904", "1101", "1202"):
        assert rows(board, code) == set()
