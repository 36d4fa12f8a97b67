"""Skyscrapers, kites, turbot fish and empty rectangles: pictures, their definitions tried on all houses, proofs, symmetries."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.logic.ladder import all_steps
from sudoku_cp.logic.step import Technique
from sudoku_cp.model import members, to_mask
from tests.logic.proof_check import unproved_results
from tests.logic.value_boards import VALUE, board_of, image_of, names, random_board, random_symmetry, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard

ALL = [technique for technique in Technique if technique.code.startswith("04")]
FULL = "xxxxxxxxx "


def lines(board: CandidateBoard, cell: int) -> tuple[int, int, int]:
    """Return row, column and box of a cell, by number."""
    row, column = divmod(cell, 9)
    return row, column, 3 * (row // 3) + column // 3


def defined_pairs(board: CandidateBoard) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yield kinds of houses (0 row, 1 column, 2 box) and cells of all strong links a=b, c=e where b sees c."""
    places = list(members(board.places[VALUE]))
    pairs = []
    for kind, number in product(range(3), range(9)):
        inside = [place for place in places if lines(board, place)[kind] == number]
        pairs += [(kind, *inside)] if len(inside) == 2 else []
    for (kind, *one), (other_kind, *other) in permutations(pairs, 2):
        if not set(one) & set(other):
            for (a, b), (c, e) in product(permutations(one), permutations(other)):
                if board.layout.sight[b] >> c & 1:
                    yield kind, other_kind, a, b, c, e


def defined_steps(board: CandidateBoard, technique: Technique) -> list[tuple[frozenset[int], object]]:
    """Return what each instance clears, with what its duals share; reads the definitions on a square of nine."""
    found: list[tuple[frozenset[int], object]] = []
    for kind, other_kind, a, b, c, e in defined_pairs(board):
        near, far = lines(board, b), lines(board, c)
        is_skyscraper = kind == other_kind < 2 and near[1 - kind] == far[1 - kind]
        is_kite = (kind, other_kind) == (0, 1) and near[2] == far[2]
        if {Technique.SKYSCRAPER: is_skyscraper, Technique.TWO_STRING_KITE: is_kite}.get(technique, True):
            cells = board.layout.sight[a] & board.layout.sight[e] & board.places[VALUE] & ~to_mask((a, b, c, e))
            found += [(frozenset(members(cells)), frozenset((b, c)))] if cells else []
    return found


def defined_rectangles(board: CandidateBoard) -> list[tuple[frozenset[int], object]]:
    """Return what each empty rectangle clears, with its box."""
    places = set(members(board.places[VALUE]))
    found: list[tuple[frozenset[int], object]] = []
    for box, row, column in product(range(9), range(9), range(9)):
        inside = {place for place in places if lines(board, place)[2] == box}
        in_row = {place for place in inside if place // 9 == row}
        in_column = {place for place in inside if place % 9 == column}
        if inside - in_row - in_column or not in_row - in_column or not in_column - in_row:
            continue
        for line in range(9):
            upright = sorted(place for place in places if place % 9 == line)
            if line != column and len(upright) == 2 and sum(place // 9 == row for place in upright) == 1:
                near, far = sorted(upright, key=lambda place: place // 9 != row)
                target = far // 9 * 9 + column
                if target in places - inside - {far} and not {near, far} & inside:
                    found.append((frozenset({target}), box))
            level = sorted(place for place in places if place // 9 == line)
            if line != row and len(level) == 2 and sum(place % 9 == column for place in level) == 1:
                near, far = sorted(level, key=lambda place: place % 9 != column)
                target = row * 9 + far % 9
                if target in places - inside - {far} and not {near, far} & inside:
                    found.append((frozenset({target}), box))
    return found


def united(found: list[tuple[frozenset[int], object]]) -> set[frozenset[int]]:
    """Return the unions of two different results that share what duals share."""
    return {one | other for (one, key), (other, other_key) in combinations(found, 2) if key == other_key and one != other}


@pytest.mark.parametrize("technique", ALL, ids=str)
def test_steps_are_those_of_the_definition(technique: Technique) -> None:
    """On boards by chance each technique finds what its definition gives, and nothing else."""
    rng, met = Random(7), 0  # noqa: S311
    for number in range(60):
        board = random_board(rng, 9, (8, 12, 16)[number % 3])
        dual = {Technique.DUAL_TWO_STRING_KITE: Technique.TWO_STRING_KITE}.get(technique, technique)
        found = defined_rectangles(board) if "rectangle" in technique.title else defined_steps(board, dual)
        expected = united(found) if "dual" in technique.title else {cells for cells, _ in found}
        assert {frozenset(cell for cell, _ in row) for row in rows_of(board, technique)} == expected
        met += len(expected)
    assert met or technique is Technique.DUAL_TWO_STRING_KITE  # rare in one value


@pytest.mark.parametrize("technique", ALL, ids=str)
def test_steps_are_proved_and_move_with_the_board(technique: Technique) -> None:
    """Each result follows from the proof groups; the steps of a board's image are the images of its steps."""
    rng, met = Random(7), 0  # noqa: S311
    for _ in range(20):
        board = random_board(rng, 9, 12)
        for step in all_steps(board, technique):
            assert not unproved_results(board, step)
            met += 1
        images, values = random_symmetry(rng), [0, *rng.sample(range(1, 10), 9)]
        expected = {frozenset((images[cell], values[value]) for cell, value in row) for row in rows_of(board, technique)}
        assert rows_of(image_of(board, images, values), technique) == expected
    assert met or technique is Technique.DUAL_TWO_STRING_KITE  # rare in one value


def test_a_skyscraper_is_a_turbot_fish_too() -> None:
    """Codes are not subtracted from each other."""
    board = board_of(".x....x.. " + 3 * FULL + ".x.....x. " + 4 * FULL)
    assert names(board, Technique.SKYSCRAPER) == {"r2c8 r3c8 r4c7 r6c7"}
    assert names(board, Technique.SKYSCRAPER) <= names(board, Technique.TURBOT_FISH)


def test_two_candidates_make_an_empty_rectangle() -> None:
    """The box may hold two places only, one in the row and one in the column."""
    board = board_of(
        "..x.xxxxx " + "x..xxxxxx " + "...xxxxxx " + "xxxx.xxxx " + "xxxx.xxxx " * 2 + "xxxxxxxxx " + "xxxx.xxxx " * 2
    )
    board.remove(1 << 22, VALUE)
    board.remove(1 << 13, VALUE)
    # column 5 has its two places in rows 1 and 7
    assert "r7c1" in names(board, Technique.EMPTY_RECTANGLE)


def test_kites_of_different_values_are_dual() -> None:
    """Two kites on the same two cells of a box are listed united, also where their values differ and only one is searched for."""
    picture = ".x.....x. x..xxxxxx x..xxxxxx " + "xxxxxxxxx " * 3 + ".xxxxxxxx " + "xxxxxxxxx " * 2
    board = board_of(picture)
    kept = to_mask((1, 7))  # row 1 of 1: r1c2, r1c8
    assert board.places[VALUE] & 0x1FF == kept
    board.remove(to_mask(9 * row for row in range(9) if row not in {1, 7}), VALUE)
    board.remove(to_mask(cell for cell in range(9) if cell not in {1, 5}), 2)
    board.remove(to_mask(9 * row for row in range(9) if row not in {1, 4}), 2)
    board.searched = 1 << 1 | 1 << 2
    rows = rows_of(board, Technique.DUAL_TWO_STRING_KITE)
    assert not any(unproved_results(board, step) for step in all_steps(board, Technique.DUAL_TWO_STRING_KITE))
    assert frozenset({(7 * 9 + 7, 1), (4 * 9 + 5, 2)}) in rows
    assert frozenset({(7 * 9 + 7, 1)}) in rows_of(board, Technique.TWO_STRING_KITE)
    for searched, expected in ((1, rows), (2, rows), (3, set())):
        board.searched = 1 << searched
        assert rows_of(board, Technique.DUAL_TWO_STRING_KITE) == expected
