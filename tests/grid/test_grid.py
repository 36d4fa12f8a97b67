"""A grid knows where its cells are, what they are called, and which of them form houses."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import deepcopy
from itertools import combinations
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import MAX_SIDE, MAX_START, MAX_VALUE, Board, Grid, default_boxes

SIZES = range(2, MAX_SIDE + 1)
SAMURAI = Grid(tuple(Board(9, 9, (3, 3), at=at) for at in ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))), range(1, 10))
JIGSAW = Grid.jigsaw("aabb aabb ccdd ccdd")
GRIDS = {
    "4x4": Grid.square(4),
    "9x9": Grid.square(),
    "7x7 without boxes": Grid.square(7),
    "12x12 in 2x6": Grid.square(12, (2, 6)),
    "16x16": Grid.square(16),
    "36x36": Grid.square(36),
    "9x9 from 0": Grid.square(9, values=range(9)),
    "9x9 of 0 to 12": Grid.square(9, values=range(13)),
    "6x8": Grid.rectangle(6, 8),
    "6x8 in 2x4": Grid.rectangle(6, 8, (2, 4)),
    "4x7": Grid.rectangle(4, 7),
    "1x5": Grid.rectangle(1, 5),
    "jigsaw": JIGSAW,
    "jigsaw with holes": Grid.jigsaw("aab. .abb ccdd ccdd"),
    "samurai": SAMURAI,
    "away from the corner": Grid((Board(4, 4, (2, 2), at=(3, 5)),), range(1, 5)),
    "different boards": Grid((Board(4, 4, (2, 2)), Board(2, 6, at=(3, 3))), range(1, 7)),
}
every_grid = pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS.keys())


# --- cells and names --------------------------------------------------------------------------------------------


@every_grid
def test_names_and_cells_undo_each_other(grid: Grid) -> None:
    """Every cell has a name of its own, which leads back to it."""
    assert [grid.parse_cell(grid.cell_name(cell)) for cell in grid.cells] == list(grid.cells)


@pytest.mark.parametrize("size", SIZES)
def test_names_and_cells_undo_each_other_at_any_side(size: int) -> None:
    """The names of a square board count rows and columns from 1, in reading order."""
    grid = Grid.square(size)
    names = [grid.cell_name(cell) for cell in grid.cells]
    assert names == [f"r{row}c{column}" for row in range(1, size + 1) for column in range(1, size + 1)]
    assert [grid.parse_cell(name) for name in names] == list(range(size * size))


@every_grid
def test_places_and_cells_undo_each_other(grid: Grid) -> None:
    """Cells are in reading order, one per place."""
    assert list(grid.places) == sorted(set(grid.places))
    assert [grid.cell_at[place] for place in grid.places] == list(grid.cells)


@pytest.mark.parametrize("name", ["r4c7", "R4C7", "R4c7"])
def test_a_cell_is_read_in_any_case(name: str) -> None:
    """Case does not matter."""
    assert Grid.square().parse_cell(name) == 33


@pytest.mark.parametrize(
    "name",
    [
        "",
        "r44",
        "4c7",
        "rr4c7",
        "r4c",
        "rc7",
        "r-1c1",
        "r4c7x",
        "r4 c7",
        " r4c7",
        "r4c7 ",
        "r4c7\n",
        "r4c7\u00a0",
        "r0c1",
        "r4c\u0667",
        "r²c1",
        "r99999c1",
        None,
        33,
    ],
)
def test_what_is_no_name_is_refused(name: object) -> None:
    """A name that no cell could have is distinguished from one outside the grid."""
    with pytest.raises(InvalidInput, match=r"^expected a cell such as 'r4c7', got "):
        Grid.square().parse_cell(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["r10c1", "r1c10", "r999c999"])
def test_a_cell_elsewhere_is_refused(name: str) -> None:
    """The message says which grid has no such cell."""
    with pytest.raises(InvalidInput, match=f"^expected a cell of a 9x9 grid, got '{name}'$"):
        Grid.square().parse_cell(name)


@given(st.text() | st.from_regex(r"\s?[rR][0-9]{1,5}[cC][0-9]{1,5}\s?", fullmatch=True))
def test_any_text_is_a_cell_or_refused(name: str) -> None:
    """Reading a name gives a cell or `InvalidInput`, nothing else."""
    grid = Grid.square(4)
    try:
        cell = grid.parse_cell(name)
    except InvalidInput:
        return
    assert grid.cell_name(cell) == name.strip().lower()


# --- houses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_the_houses_of_a_square_board(size: int) -> None:
    """Rows, columns and boxes each cut the board into as many houses as it is long, with as many cells."""
    grid = Grid.square(size)
    kinds = ["row", "column", "box"] if default_boxes(size) else ["row", "column"]
    assert list(grid.houses) == [f"{kind} {number}" for kind in kinds for number in range(1, size + 1)]
    for kind in kinds:
        cells = [cell for name, house in grid.houses.items() if name.startswith(kind) for cell in house]
        assert sorted(cells) == list(grid.cells)
    assert {len(house) for house in grid.houses.values()} == {size}


@pytest.mark.parametrize("size", SIZES)
def test_usual_boxes_are_as_square_as_they_can_be(size: int) -> None:
    """The usual boxes have one cell per value, are no taller than wide, and nothing squarer would fit; a prime side has none."""
    found = default_boxes(size)
    heights = [height for height in range(2, isqrt(size) + 1) if size % height == 0]
    assert found == ((max(heights), size // max(heights)) if heights else None)


@pytest.mark.parametrize("boxes", [(2, 6), (6, 2), (3, 4), (4, 3), (1, 12), (12, 1)], ids=str)
def test_boxes_are_cells_in_a_rectangle(boxes: tuple[int, int]) -> None:
    """Boxes of R x C, and lying the other way, are R rows and C columns of neighbours."""
    grid = Grid.square(12, boxes)
    assert len(grid.regions) == 12
    for house in grid.regions:
        rows, columns = ({grid.places[cell][axis] for cell in house} for axis in (0, 1))
        assert (len(rows), len(columns)) == boxes
        assert (max(rows) - min(rows) + 1, max(columns) - min(columns) + 1) == boxes


def test_boxes_count_in_reading_order() -> None:
    """Box 1 is at the top left, box 2 to its right, box 9 at the bottom right; cells in it are in reading order."""
    houses = Grid.square().houses
    assert houses["box 2"] == (3, 4, 5, 12, 13, 14, 21, 22, 23)
    assert houses["box 5"][4] == 40
    assert houses["box 9"][-1] == 80
    assert houses["row 2"] == tuple(range(9, 18))
    assert houses["column 2"] == tuple(range(1, 81, 9))


@every_grid
def test_rows_and_columns_are_lines_of_neighbours(grid: Grid) -> None:
    """The houses of a board called row and column are its cells in one row or column, from its first to its last."""
    for number, board in enumerate(grid.boards, 1):
        (top, left), suffix = board.at, f" of board {number}" if len(grid.boards) > 1 else ""
        for row in range(board.rows):
            told = [grid.places[cell] for cell in grid.houses[f"row {row + 1}{suffix}"]]
            assert told == [(top + row, left + column) for column in range(board.columns)]
        for column in range(board.columns):
            told = [grid.places[cell] for cell in grid.houses[f"column {column + 1}{suffix}"]]
            assert told == [(top + row, left + column) for row in range(board.rows)]


@every_grid
def test_lines_and_regions_are_all_the_houses(grid: Grid) -> None:
    """Every house is a line or a region, and holds each of its cells once."""
    assert Counter(grid.lines + grid.regions) == Counter(grid.houses.values())
    assert len(grid.lines) == sum(board.rows + board.columns for board in grid.boards)
    assert all(len(set(house)) == len(house) for house in grid.houses.values())


@pytest.mark.parametrize(
    ("rows", "columns", "boxes"), [(6, 8, None), (6, 8, (2, 4)), (6, 8, (3, 2)), (4, 7, None), (4, 6, (2, 3))]
)
def test_a_rectangle_has_values_for_its_longest_house(rows: int, columns: int, boxes: tuple[int, int] | None) -> None:
    """Values run from 1 to the length of the longest row, column or box."""
    grid = Grid.rectangle(rows, columns, boxes)
    assert len(grid.cells) == rows * columns
    assert grid.values == range(1, max(map(len, grid.houses.values())) + 1)
    assert len(grid.regions) == (rows * columns // (boxes[0] * boxes[1]) if boxes else 0)
    assert len(grid.lines) == rows + columns


def test_a_box_may_be_the_longest_house() -> None:
    """Boxes larger than a row need more values."""
    assert Grid.rectangle(4, 6, (4, 3)).values == range(1, 13)


def test_values_may_start_at_0_and_outnumber_a_house() -> None:
    """Values are those given, one run between 0 and the largest that has a sign."""
    assert Grid.square(9, values=range(9)).values == range(9)
    assert Grid.square(9, values=range(13)).values == range(13)
    assert Grid.jigsaw("aabb", range(5, 8)).values == range(5, 8)
    assert Grid.rectangle(2, 3, None, range(MAX_VALUE + 1)).values[-1] == 61


# --- jigsaws ----------------------------------------------------------------------------------------------------


def test_a_jigsaw_is_cut_as_its_letters_say() -> None:
    """The same letter in each cell of a region; regions count by their first cells."""
    grid = Grid.jigsaw("aab cab ccb")
    assert grid.regions == ((0, 1, 4), (2, 5, 8), (3, 6, 7))
    assert [name for name in grid.houses if name.startswith("region")] == ["region 1", "region 2", "region 3"]
    assert grid.values == range(1, 4)


def test_a_jigsaw_may_leave_cells_in_no_region() -> None:
    """A dot is a cell of its rows and columns only."""
    grid = Grid.jigsaw("aa. a.b .bb")
    assert grid.regions == ((0, 1, 3), (5, 7, 8))
    assert {cell for house in grid.lines for cell in house} == set(range(9))


def test_a_jigsaw_of_dots_has_no_regions() -> None:
    """Dots alone make rows and columns."""
    assert Grid.jigsaw(".... .... .... ....").regions == ()


@pytest.mark.parametrize(
    "layout", ["aabbaabbccddccdd", "aabb aabb ccdd ccdd", "aabb\naabb\nccdd\nccdd\n", "  aabbaabbccddccdd\n"]
)
def test_a_layout_in_one_word_is_a_square(layout: str) -> None:
    """Blanks and line ends separate rows, and one word of n*n letters is a square; which letters does not matter."""
    assert Grid.jigsaw(layout) == JIGSAW
    assert Grid.jigsaw(layout.translate(str.maketrans("abcd", "1x2y"))) == JIGSAW


def test_a_layout_in_one_word_of_another_length_is_one_row() -> None:
    """A word that is no square is a board of one row."""
    assert Grid.jigsaw("aabbc").boards[0].columns == 5
    assert Grid.jigsaw("aabbc").boards[0].rows == 1


def test_a_region_may_be_the_longest_house() -> None:
    """A region larger than a row needs more values."""
    assert Grid.jigsaw("aaa aab bbb").values == range(1, 6)


@pytest.mark.parametrize("layout", ["", "  ", "aab aa", "a aa aaa"])
def test_a_ragged_layout_is_refused(layout: str) -> None:
    """There must be rows, of the same length; the message gives the lengths."""
    with pytest.raises(InvalidInput, match="expected rows of the same length, got lengths"):
        Grid.jigsaw(layout)


# --- several boards ---------------------------------------------------------------------------------------------


def test_a_samurai() -> None:
    """Five boards share their corners: 5 * 81 - 4 * 9 cells, 5 * 27 houses, all of nine cells."""
    assert len(SAMURAI.cells) == 369
    assert len(SAMURAI.houses) == 135
    assert len(set(SAMURAI.houses.values())) == 131  # four boxes are those of two boards
    assert {len(house) for house in SAMURAI.houses.values()} == {9}
    assert Counter(Counter(cell for house in SAMURAI.houses.values() for cell in house).values()) == {3: 333, 6: 36}
    assert SAMURAI.houses["box 9 of board 1"] == SAMURAI.houses["box 1 of board 3"]
    assert SAMURAI.houses["row 1 of board 2"] == tuple(range(9, 18))
    assert (0, 10) not in SAMURAI.cell_at


def test_a_board_lies_where_it_is_put() -> None:
    """Names count from the corner of the plane, not of the board."""
    grid = GRIDS["away from the corner"]
    assert [grid.cell_name(cell) for cell in grid.houses["row 1"]] == ["r4c6", "r4c7", "r4c8", "r4c9"]


def test_the_order_of_boards_counts() -> None:
    """Boards have numbers, so another order is another grid of the same cells."""
    other = Grid(SAMURAI.boards[::-1], SAMURAI.values)
    assert other != SAMURAI
    assert other.places == SAMURAI.places
    assert Counter(other.houses.values()) == Counter(SAMURAI.houses.values())


# --- pairs ------------------------------------------------------------------------------------------------------

STEPS = {
    "king": ((0, 1), (1, -1), (1, 0), (1, 1)),
    "knight": ((1, 2), (2, 1), (1, -2), (2, -1)),
    "neighbour": ((0, 1), (1, 0)),
}


@every_grid
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS.keys())
def test_pairs_are_all_that_lie_a_step_apart(grid: Grid, steps: tuple[tuple[int, int], ...]) -> None:
    """Every two cells one of the steps apart, either way, occur once."""
    apart = {*steps, *((-down, -right) for down, right in steps)}
    places = grid.places if len(grid.places) < 400 else grid.places[:400]
    told = Counter(frozenset(pair) for pair in grid.pairs(*steps) if max(pair) < len(places))
    brute = {
        frozenset((grid.cell_at[one], grid.cell_at[other]))
        for one, other in combinations(places, 2)
        if (other[0] - one[0], other[1] - one[1]) in apart
    }
    assert told == Counter(brute)


# --- values that travel -----------------------------------------------------------------------------------------


@every_grid
def test_repr_rebuilds_a_grid(grid: Grid) -> None:
    """Repr is an expression for an equal grid."""
    assert eval(repr(grid)) == grid  # noqa: S307


@every_grid
@pytest.mark.parametrize("travel", [lambda grid: pickle.loads(pickle.dumps(grid)), deepcopy], ids=["pickle", "copy"])  # noqa: S301
def test_a_grid_travels_as_its_shape(grid: Grid, travel) -> None:
    """Pickled with or without its geometry computed, a grid arrives equal, with the same hash and houses."""
    assert grid.houses
    arrived = travel(grid)
    assert arrived == grid
    assert hash(arrived) == hash(grid)
    assert arrived.houses == grid.houses


def test_a_travelling_grid_is_small() -> None:
    """The geometry is not pickled."""
    assert SAMURAI.houses
    assert len(pickle.dumps(SAMURAI)) < 1000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Grid.square(9), Grid.square()),
        (Grid.square(9), Grid.square(9, (3, 3), range(1, 10))),
        (Grid.square(9), Grid.rectangle(9, 9, (3, 3))),
        (Grid.square(9), pickle.loads(pickle.dumps(Grid.square(9)))),  # noqa: S301
        (Grid.square(7), Grid.rectangle(7, 7)),
        (JIGSAW, Grid.jigsaw("wwxxwwxxyyzzyyzz")),
        (SAMURAI.of(SAMURAI.boards, SAMURAI.values), Grid.of(SAMURAI.boards, range(1, 10))),
    ],
)
def test_a_shape_is_one_object(one: Grid, other: Grid) -> None:
    """However a grid is made, its shape is one object, so that its geometry is computed once."""
    assert one is other


def test_geometry_is_kept() -> None:
    """Asking twice gives the same objects."""
    grid = Grid(JIGSAW.boards, JIGSAW.values)
    for name in ("places", "cell_at", "houses", "regions", "lines"):
        assert getattr(grid, name) is getattr(grid, name)


def test_grids_are_equal_by_shape_and_values() -> None:
    """Another box, another value or another place is another grid."""
    different = {
        Grid.square(6),
        Grid.square(6, (3, 2)),
        Grid.square(6, values=range(6)),
        Grid.rectangle(6, 6),
        Grid((Board(6, 6, (2, 3), at=(0, 1)),), range(1, 7)),
        Grid.jigsaw("aaabbb aaabbb cccddd cccddd eeefff eeefff"),
    }
    assert len(different) == 6
    assert Grid((Board(6, 6, (2, 3)),), range(1, 7)) in different


def test_a_grid_cannot_be_changed() -> None:
    """Neither the grid nor its geometry can be changed."""
    grid = Grid.square(4)
    with pytest.raises(AttributeError):
        grid.values = range(4)  # type: ignore[misc]
    with pytest.raises(TypeError):
        grid.houses["row 1"] = ()  # type: ignore[index]
    with pytest.raises(TypeError):
        grid.cell_at[0, 0] = 1  # type: ignore[index]


@pytest.mark.parametrize("size", SIZES)
def test_a_usual_board_is_plain(size: int) -> None:
    """The usual square board is plain, and its repr is short."""
    assert Grid.square(size).is_plain
    assert repr(Grid.square(size)) == f"Grid.square({size})"


@pytest.mark.parametrize("name", [name for name in GRIDS if name not in {"4x4", "9x9", "7x7 without boxes", "16x16", "36x36"}])
def test_other_boards_are_not_plain(name: str) -> None:
    """Other boxes, values, sides, regions, places or numbers of boards cannot be written as a line of text."""
    assert not GRIDS[name].is_plain


def test_a_grid_is_shown_by_its_shape() -> None:
    """Str describes the shape."""
    assert str(Grid.rectangle(6, 8)) == "a 6x8 grid"
    assert str(SAMURAI) == "a 9x9 + 9x9 + 9x9 + 9x9 + 9x9 grid"


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        ({"rows": 0, "columns": 9}, ["expected 1 to 36 rows, got 0"]),
        ({"rows": 37, "columns": -1}, ["expected 1 to 36 rows, got 37", "expected 1 to 36 columns, got -1"]),
        ({"rows": 9, "columns": 9, "boxes": (2, 3)}, ["expected boxes that tile 9 x 9 cells, got boxes of 2 rows x 3 columns"]),
        ({"rows": 9, "columns": 9, "boxes": (0, 3)}, ["expected boxes that tile 9 x 9 cells, got boxes of 0 rows x 3 columns"]),
        ({"rows": 9, "columns": 9, "boxes": (3, -3)}, ["expected boxes that tile 9 x 9 cells, got boxes of 3 rows x -3 columns"]),
        ({"rows": 2, "columns": 2, "regions": (0, 0, 1)}, ["expected a region for each of 4 cells, got 3"]),
        ({"rows": 2, "columns": 2, "regions": ()}, ["expected a region for each of 4 cells, got 0"]),
        (
            {"rows": 2, "columns": 2, "boxes": (1, 2), "regions": (0, 0, 1, 1)},
            ["expected boxes or irregular regions, got both"],
        ),
        (
            {"rows": 4, "columns": 4, "at": (-1, 0)},
            [f"expected a board to start at a row and a column from 0 to {MAX_START}, got (-1, 0)"],
        ),
        (
            {"rows": 4, "columns": 4, "at": (0, 1000)},
            [f"expected a board to start at a row and a column from 0 to {MAX_START}, got (0, 1000)"],
        ),
        (
            {"rows": 99, "columns": 5, "boxes": (2, 2), "regions": (1,), "at": (0, -2)},
            [
                "expected 1 to 36 rows, got 99",
                "expected boxes or irregular regions, got both",
                "expected boxes that tile 99 x 5 cells, got boxes of 2 rows x 2 columns",
                "expected a region for each of 495 cells, got 1",
                f"expected a board to start at a row and a column from 0 to {MAX_START}, got (0, -2)",
            ],
        ),
    ],
)
def test_everything_wrong_with_a_board_is_said_at_once(fields: dict[str, object], problems: list[str]) -> None:
    """A shape that is no board is refused with all its problems."""
    with pytest.raises(InvalidInput) as caught:
        Board(**fields)  # type: ignore[arg-type]
    assert list(caught.value.problems) == problems


@pytest.mark.parametrize("values", [range(0), range(5, 5), range(1, 10, 2), range(-1, 8), range(1, 63), range(9, 0, -1)], ids=str)
def test_values_outside_the_signs_are_refused(values: range) -> None:
    """Values must be one run, and each must have a sign."""
    with pytest.raises(InvalidInput, match="expected values in one run between 0 and 61, got"):
        Grid((Board(9, 9),), values)


def test_a_grid_has_a_board() -> None:
    """A grid needs a board, and has no more than 1000."""
    with pytest.raises(InvalidInput, match="expected a grid of 1 to 1000 boards, got 1001"):
        Grid(tuple(Board(2, 2, at=(0, number)) for number in range(999)) + (Board(2, 2),) * 2, range(1, 3))
    with pytest.raises(InvalidInput, match="expected a grid of 1 to 1000 boards, got none"):
        Grid((), range(1, 10))


@pytest.mark.parametrize("size", [-1, 0, 1, 37])
def test_a_side_out_of_reach_is_refused(size: int) -> None:
    """Square boards have sides of 2 to 36."""
    with pytest.raises(InvalidInput, match=f"expected a side of 2 to 36, got {size}"):
        Grid.square(size)


@pytest.mark.parametrize(("rows", "columns"), [(0, 4), (4, 37), (-3, 4)])
def test_a_rectangle_out_of_reach_is_refused(rows: int, columns: int) -> None:
    """Rectangles have sides of 1 to 36."""
    with pytest.raises(InvalidInput, match="expected 1 to 36"):
        Grid.rectangle(rows, columns)


@pytest.mark.parametrize(
    ("boards", "words"),
    [
        ([Board(4, 4)], "a 4x4 grid"),
        ([Board(9, 9), Board(9, 9, at=(6, 6))], "a 9x9 + 9x9 grid"),
        ([Board(4, 4), Board(1, 1, at=(20, 0))], "a 4x4 grid and a single cell"),
        ([Board(4, 4), *(Board(1, 1, at=(20, 2 * number)) for number in range(120))], "a 4x4 grid and 120 single cells"),
        ([Board(1, 1, at=(20, 2 * number)) for number in range(3)], "3 single cells"),
        ([Board(2, 2, at=(0, 3 * number)) for number in range(200)], "a grid of 200 boards"),
    ],
)
def test_a_grid_in_words_is_short(boards, words):
    """Messages name the boards and count the cells that lie alone; only repr lists them all."""
    grid = Grid(tuple(boards), range(1, 10))
    assert str(grid) == words
    assert repr(grid).count("Board(") == len(boards) * (not grid.is_plain)
