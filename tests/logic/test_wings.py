"""Wings: positions by hand for each clause of the definitions, near misses, proofs, and symmetries."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import all_steps
from sudoku_cp.logic.step import Technique
from sudoku_cp.model import members, to_mask
from tests.logic.proof_check import unproved_results
from tests.logic.value_boards import VALUE, board_of, image_of, names, random_board, random_symmetry, rows_of

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard


# --- wings ------------------------------------------------------------------------------------------------------------


XY_WING = {"r1c1": "12", "r1c5": "13", "r5c1": "23"}
XYZ_WING = {"r1c1": "123", "r1c5": "13", "r2c2": "23"}
W_WING = {"r1c1": "12", "r5c5": "12", "row 9 of 1": "r9c1 r9c5"}
PATTERNS = [(Technique.XY_WING, XY_WING), (Technique.XYZ_WING, XYZ_WING), (Technique.W_WING, W_WING)]


def board_with(cells: dict[str, str]) -> CandidateBoard:
    """Return an open board with these candidates; ``row 9 of 1`` keeps the places of 1 in a row to some cells."""
    board = make_board(Puzzle())
    parse = board.layout.grid.parse_cell
    for name, text in cells.items():
        if name.startswith("row"):
            row, value = int(name[4]) - 1, int(name[-1])
            kept = to_mask(parse(cell) for cell in text.split())
            board.remove(board.layout.groups[row].mask & ~kept, value)
        else:
            board.keep_candidates(parse(name), to_mask(map(int, text)))
    return board


def results(board: CandidateBoard, technique: Technique) -> set[str]:
    """Return what each step eliminates, as words."""
    name = board.layout.grid.cell_name
    return {" ".join(f"{name(cell)}<>{value}" for cell, value in sorted(row)) for row in rows_of(board, technique)}


def test_xy_wing() -> None:
    """Pivot 12, pincers 13 and 23: 3 leaves what sees both pincers, the pivot's own cell apart, which does not hold it."""
    assert results(board_with(XY_WING), Technique.XY_WING) == {"r5c5<>3"}


def test_xyz_wing() -> None:
    """Pivot 123: 3 leaves only what sees the pivot too."""
    assert results(board_with(XYZ_WING), Technique.XYZ_WING) == {"r1c2<>3 r1c3<>3"}


def test_w_wing() -> None:
    """Two cells 12 at the ends of a conjugate pair of 1: 2 leaves what sees both."""
    assert results(board_with(W_WING), Technique.W_WING) == {"r1c5<>2 r5c1<>2"}


@pytest.mark.parametrize(
    ("technique", "cells"),
    [
        (Technique.XY_WING, XY_WING | {"r5c1": "13"}),  # both pincers hold the same
        (Technique.XY_WING, XY_WING | {"r5c1": "24"}),  # no value in common
        (Technique.XY_WING, XY_WING | {"r1c1": "123"}),  # a pivot of three
        (Technique.XY_WING, {"r1c1": "12", "r1c5": "13", "r5c2": "23"}),  # a pincer that the pivot does not see
        (Technique.XY_WING, XY_WING | {"r5c5": "12456789"}),  # nothing to eliminate
        (Technique.XYZ_WING, XYZ_WING | {"r1c1": "1234"}),
        (Technique.XYZ_WING, XYZ_WING | {"r2c2": "13"}),
        (Technique.XYZ_WING, {"r1c1": "123", "r1c5": "13", "r5c1": "23"}),  # nothing sees all three
        (Technique.W_WING, W_WING | {"row 9 of 1": "r9c1 r9c5 r9c7"}),  # three places
        (Technique.W_WING, W_WING | {"row 9 of 1": "r9c1 r9c7"}),  # one end is not seen
        (Technique.W_WING, W_WING | {"r5c5": "13"}),
        (Technique.W_WING, {"r1c1": "12", "r5c5": "12", "row 1 of 1": "r1c1 r1c5"}),  # an end in one of the cells
    ],
)
def test_near_misses(technique: Technique, cells: dict[str, str]) -> None:
    """One candidate more or less, and there is no wing."""
    assert not results(board_with(cells), technique)


def test_both_values_of_a_w_wing() -> None:
    """A pair of either value removes the other."""
    found = results(board_with(W_WING | {"row 8 of 2": "r8c1 r8c5"}), Technique.W_WING)
    assert found == {"r1c5<>2 r5c1<>2", "r1c5<>1 r5c1<>1"}


def test_ends_must_be_different() -> None:
    """Two cells that both see one end only are no wing."""
    assert not results(board_with({"r1c1": "12", "r5c1": "12", "row 9 of 1": "r9c1 r9c5"}), Technique.W_WING)


@pytest.mark.parametrize(("technique", "cells"), PATTERNS)
def test_wings_are_proved_and_move_with_the_board(technique: Technique, cells: dict[str, str]) -> None:
    """Each result follows from the proof groups; the steps of a board's image are the images of its steps."""
    rng, board = Random(1), board_with(cells)  # noqa: S311
    for step in all_steps(board, technique):
        assert not unproved_results(board, step)
        assert step.cells
    for _ in range(5):
        images, values = random_symmetry(rng), [0, *rng.sample(range(1, 10), 9)]
        expected = {frozenset((images[cell], values[value]) for cell, value in row) for row in rows_of(board, technique)}
        assert rows_of(image_of(board, images, values), technique) == expected


# --- colouring --------------------------------------------------------------------------------------------------------


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
