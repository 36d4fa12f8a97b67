"""Colouring against its definition, with proofs and symmetries."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.logic.ladder import all_steps
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members
from tests.logic.proof_check import unproved_results
from tests.logic.value_boards import VALUE, board_of, image_of, names, random_board, random_symmetry, rows_of

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard

ALL = [technique for technique in Technique if technique.code.startswith("05")]
FULL = "xxxxxxxxx "


def defined_components(board: CandidateBoard) -> list[tuple[set[int], set[int]]]:
    """Return both colours of each component: grows a component cell by cell from any pair left."""
    places = set(members(board.places[VALUE]))
    pairs = [places & set(group.cells) for group in board.layout.groups[: board.layout.houses]]
    pairs = [pair for pair in pairs if len(pair) == 2]
    found = []
    while pairs:
        first = min(min(pair) for pair in pairs)
        colours: tuple[set[int], set[int]] = ({first}, set())
        grew = True
        while grew:
            grew = False
            for pair, colour in product(pairs, (0, 1)):
                if pair & colours[colour] and not pair - colours[colour] <= colours[1 - colour]:
                    colours[1 - colour].update(pair - colours[colour])
                    grew = True
        pairs = [pair for pair in pairs if not pair & (colours[0] | colours[1])]
        found.append(colours)
    return found


def defined_rows(board: CandidateBoard, technique: Technique) -> set[frozenset[int]]:
    """Return what each instance clears."""
    sight, places = board.layout.sight, set(members(board.places[VALUE]))

    def seen(cells: set[int]) -> set[int]:
        return {place for place in places if any(sight[place] >> cell & 1 for cell in cells)}

    components, rows = defined_components(board), set()
    if technique is Technique.COLOUR_TRAP:
        rows = {frozenset(seen(one) & seen(other) - one - other) for one, other in components}
    elif technique is Technique.COLOUR_WRAP:
        rows = {frozenset(colour) for colours in components for colour in colours if seen(colour) & colour}
    elif technique is Technique.MULTI_COLOURS_1:
        for one, other in combinations(components, 2):
            row: set[int] = set()
            for a, b in product((0, 1), (0, 1)):
                if seen(one[a]) & other[b]:
                    row |= seen(one[1 - a]) & seen(other[1 - b]) - one[1 - a] - other[1 - b]
            rows.add(frozenset(row))
    else:
        for one, other in permutations(components, 2):
            rows.add(frozenset().union(*(colour for colour in one if seen(colour) & other[0] and seen(colour) & other[1])))
    return rows - {frozenset()}


@pytest.mark.parametrize("technique", ALL, ids=str)
def test_steps_are_those_of_the_definition(technique: Technique) -> None:
    """On boards by chance each technique finds what its definition gives, and nothing else; each step is proved."""
    rng, met = Random(7), 0  # noqa: S311
    for number in range(60):
        board = random_board(rng, 9, (8, 12, 16)[number % 3])
        expected = defined_rows(board, technique)
        assert {frozenset(cell for cell, _ in row) for row in rows_of(board, technique)} == expected
        for step in all_steps(board, technique)[:3]:
            assert not unproved_results(board, step)
        met += len(expected)
    assert met >= 8


@pytest.mark.parametrize("technique", ALL, ids=str)
def test_symmetries_move_the_steps(technique: Technique) -> None:
    """The steps of a board's image are the images of its steps."""
    rng = Random(8)  # noqa: S311
    for _ in range(20):
        board = random_board(rng, 9, 12)
        images, values = random_symmetry(rng), [0, *rng.sample(range(1, 10), 9)]
        expected = {frozenset((images[cell], values[value]) for cell, value in row) for row in rows_of(board, technique)}
        assert rows_of(image_of(board, images, values), technique) == expected


def test_two_cells_are_a_component() -> None:
    """A single conjugate pair has two colours: what sees both of its cells goes."""
    board = board_of("x.x...... " + 8 * FULL)
    assert names(board, Technique.COLOUR_TRAP) == {"r2c1 r2c2 r2c3 r3c1 r3c2 r3c3"}
    assert not names(board, Technique.COLOUR_WRAP)


def test_multi_colours_unite_all_pairs_of_colours() -> None:
    """Two components that touch twice are one row, with what either touch clears."""
    # rows 1 and 5 are components; r1c2 sees r5c2, and r1c8 sees r5c8
    board = board_of(".x.....x. " + 3 * FULL + ".x.....x. " + 4 * FULL)
    rest = " ".join(f"r{row}c2 r{row}c8" for row in (2, 3, 4, 6, 7, 8, 9))
    assert names(board, Technique.MULTI_COLOURS_1) == {rest}
