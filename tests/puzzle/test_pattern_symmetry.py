"""The kinds of symmetry as orbits of cells."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle.pattern_symmetry import SYMMETRIES, is_symmetric, orbits

CORNERS = ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))
SAMURAI = Grid.of(tuple(Board(9, 9, (3, 3), at=at) for at in CORNERS), range(1, 10))
GRIDS = (*map(Grid.square, range(2, 13)), SAMURAI, Grid.of((Board(6, 6, (2, 3), at=(3, 7)),), range(1, 7)))


def turned(place, name, last):
    """Return where the named kinds move a place, from turned arrays and not from formulas of the module."""
    row, column = place
    return {
        "none": [(row, column)],
        "rot180": [(last - row, last - column)],
        "rot90": [(column, last - row), (last - column, row)],
        "mirror": [(row, last - column)],
        "mirror-down": [(last - row, column)],
        "diagonal": [(column, row)],
        "antidiagonal": [(last - column, last - row)],
        "mirrors": [(row, last - column), (last - row, column)],
        "diagonals": [(column, row), (last - column, last - row)],
        "full": [(row, last - column), (last - row, column), (column, row)],
    }[name]


@settings(max_examples=30)
@given(st.sampled_from(GRIDS), st.sampled_from(sorted(SYMMETRIES)))
def test_orbits_partition_the_cells(grid, name):
    """Each cell lies in one orbit, and the orbits come in the order of their first cells."""
    found = orbits(grid, name)
    assert sorted(cell for orbit in found for cell in orbit) == list(grid.cells)
    assert [orbit[0] for orbit in found] == sorted(min(orbit) for orbit in found)


@settings(max_examples=30)
@given(st.sampled_from(GRIDS), st.sampled_from(sorted(SYMMETRIES)))
def test_orbits_are_closed_under_the_symmetry(grid, name):
    """What the symmetry moves a cell to lies in the cell's own orbit, wherever on the plane the grid stands."""
    top, left = map(min, zip(*grid.places, strict=True))
    last = max(row for row, _ in grid.places) - top
    of = {cell: orbit for orbit in orbits(grid, name) for cell in orbit}
    for cell, (row, column) in enumerate(grid.places):
        for down, right in turned((row - top, column - left), name, last):
            assert grid.cell_at[down + top, right + left] in of[cell]


SIZES = {"none": 1, "rot180": 2, "rot90": 4, "mirror": 2, "mirror-down": 2, "diagonal": 2, "antidiagonal": 2}


@pytest.mark.parametrize("name", SYMMETRIES)
def test_orbits_are_no_larger_than_the_symmetry_makes_them(name):
    """The largest orbit has as many cells as the symmetry has moves."""
    largest = max(map(len, orbits(Grid.square(9), name)))
    assert largest == (SIZES | {"mirrors": 4, "diagonals": 4, "full": 8})[name]


@pytest.mark.parametrize("name", SYMMETRIES)
def test_every_symmetry_says_what_it_means(name):
    """Each kind has a sentence."""
    assert SYMMETRIES[name].endswith(".")


@pytest.mark.parametrize("name", ["rot90", "diagonal", "antidiagonal", "diagonals", "full"])
def test_a_symmetry_that_the_grid_does_not_have_is_refused(name):
    """A quarter turn of an oblong falls outside of it, and the error names a cell that does."""
    with pytest.raises(InvalidInput, match=rf"'{name}'.*moves r\dc\d out of a 4x6 grid"):
        orbits(Grid.rectangle(4, 6), name)


def test_an_oblong_has_the_symmetries_that_leave_its_shape():
    """Half turns and mirrors do not need a square."""
    assert len(orbits(Grid.rectangle(4, 6), "mirrors")) == 6
    assert len(orbits(Grid.rectangle(4, 6), "rot180")) == 12


def test_an_unknown_symmetry_is_refused():
    """The error names the known ones."""
    with pytest.raises(UnknownName, match=r"expected a symmetry, one of antidiagonal, diagonal.*'round'"):
        orbits(Grid.square(9), "round")


def test_patterns_are_judged_by_whole_orbits():
    """A pattern is symmetric if no orbit is only partly in it."""
    grid = Grid.square(9)
    assert is_symmetric(grid, "rot180", (0, 80, 40))
    assert not is_symmetric(grid, "rot180", (0, 40))
    assert is_symmetric(grid, "none", (0, 40))
