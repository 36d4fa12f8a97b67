"""Ratings as Sudoku Explainer 1.2.1 gives them: ER, EP and ED of known puzzles, and the rules of its order that decide them."""

from __future__ import annotations

import ast
import inspect

import pytest

import sudoku_cp
from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.grid import Grid
from sudoku_cp.logic.rating.explainer import LADDER, NETS, explainer_rating
from sudoku_cp.logic.rating.kernel.grid import length_rating, lowest_of, make_houses, next_subset, size_of
from sudoku_cp.puzzle import Puzzle

SOLVED = "123456789456789123789123456231674895875912364694538217317265948542897631968341572"

RATED = """
.....41..7......56..127...4...95......5.8..7.82.....3.1....5..9.............48.65 1.2 1.2 1.2 Hidden Single
..1..3..5...1..27...45..........5...7.52...3.....8..6..3..2......2.....16...7...8 1.5 1.2 1.2 Hidden Single
......9..9..1.83.5...34.61.23..5......18...398..2......16.....4..8..1......43.... 1.7 1.2 1.2 Direct Pointing
...2.9...8.....241..4.3..7.....7.41......5..6......387..8..3....1.6...3...25.4... 2.0 1.2 1.2 Direct Hidden Pair
7.6...2.............41.869.4.3....2....8..7....723.9.6.........3.2...45...94.1..8 2.3 1.2 1.2 Naked Single
4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4...... 2.6 1.2 1.2 Pointing
.2.3......63.....58.......15....9.3....7........1....8.879..26......6.7...6..7..4 2.8 1.2 1.2 Claiming
......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3. 3.0 1.2 1.2 Naked Pair
45.....3....8.1....9...........5..9.2..7.....8.........1..4..........7.2...6..8.. 3.4 1.5 1.5 Hidden Pair
......41.9..3.....3...2.....48..7..........52.1.......5..2....6.7....8......9.... 3.6 1.2 1.2 Naked Triplet
.8..1......5....3.......4.....6.5.7.89....2.....3.....2.....1.9..67........4..... 4.0 1.5 1.5 Hidden Triplet
...46.3....37...9.5...2..7..9.6...........2...4.8.5.........123.8...1...9.....8.4 4.2 1.2 1.2 XY-Wing
1...4...69.....7........58.........7...8.....7916....2...2......52.7..3.3.7.98.1. 4.4 1.2 1.2 XYZ-Wing
....14....3....2...7..........9...3.6.1.............8.2.....1.4....5.6.....7.8... 6.6 1.2 1.2 Forcing X-Chain
5............491.3.....54.9.........28.67...17...9..2...53.7.1...85..2....2.1.... 6.7 1.2 1.2 Forcing X-Chain
5..73..8.4......6......5.93.2.6....7..7..2.1..8.41.....1.2.4..62.8.....5......... 7.0 1.2 1.2 Bidirectional Cycle
48.3............71.2.......7.5....6....2..8.............1.76...3.....4......5.... 7.1 1.2 1.2 Forcing Chain
.524.........7.1..............8.2...3.....6...9.5.....1.6.3...........897........ 7.2 1.2 1.2 Forcing Chain
5...3..24.2...76....9........6......8..4...1....6.19.72.5....7...3.59..8.9..4.... 7.3 1.2 1.2 Forcing Chain
....8..........4356..2...9....3..7..71...9..29..1.8....2..6.........15.3..65....7 4.5 1.2 1.2 Unique Loop
.9.82.....1.5.6..9.2..1..46.......8.5.7..46...6..7...284..9.2...........2...8..3. 4.7 1.2 1.2 Unique Loop
"""
"""Ratings that another reading of the same definitions, in plain Python, gives too; checked on published ones."""

CHAINED = """
.237....68...6.59.9.....7......4.97.3.7.96..2.........5..47.........2....8....... 7.7 1.2 1.2 Nishio Forcing Chains
8.9...3.....7.1...5.........7.....263...9.......1...4..6.2....4....8.5........... 8.3 1.2 1.2 Region Forcing Chains
..84...3....3.....9....157479...8........7..514.....2...9.6...2.5....4......9..56 8.4 2.6 2.6 Cell Forcing Chains
38.6.......9.......2..3.51......5....3..1..6....4......17.5..8.......9.......7.32 8.8 1.2 1.2 Dynamic Cell Forcing Chains
1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.. 10.5 1.2 1.2 (+ Forcing Chains)
98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6 11.1 11.1 11.1 (+ Multiple Forcing Chains)
"""
"""The last but one is AI Escargot, whose rating of 10.5 is published; the last is on a list of puzzles rated 11 or more."""

KEEPING_NOTHING = """
......41.9..3.....3...2.....48..7..........52.1.......5..2....6.7....8......9.... 3.6
...6...79..49.......7.514..3.25.6.....6...29.74.......2...3.56..8....1.........2. 2.6
9.....7..2...94......6.7.1........41.873..........95...9...58..3..8...5...2.....7 2.3
"""
"""Puzzles that would be rated 3.0, 2.5 and 2.0 if direct hints kept what they eliminate."""


def rows_of(table: str) -> list[list[str]]:
    """Return the fields of each line; the last is a name, with spaces."""
    return [line.split(maxsplit=4) for line in table.split("\n") if line]


def rating_of(line: str) -> tuple[float, float, float, str]:
    """Rate a puzzle."""
    rating = explainer_rating(Puzzle.parse(line))
    return rating.er, rating.ep, rating.ed, rating.hardest


@pytest.mark.parametrize(("line", "er", "ep", "ed", "name"), rows_of(RATED))
def test_known_puzzles_have_their_ratings(line: str, er: str, ep: str, ed: str, name: str):
    """ER, EP, ED and the hardest technique are those of the definition, on puzzles of every level up to 7.3."""
    assert rating_of(line) == (float(er), float(ep), float(ed), name.replace("Loop", "Rectangle or Loop"))


@pytest.mark.slow
@pytest.mark.parametrize(("line", "er", "ep", "ed", "name"), rows_of(CHAINED))
def test_multiple_and_dynamic_chains_are_rated(line: str, er: str, ep: str, ed: str, name: str):
    """Puzzles beyond simple forcing chains are solved by Nishio, multiple or dynamic ones, and rated by their length."""
    assert rating_of(line)[:3] == (float(er), float(ep), float(ed))
    assert rating_of(line)[3].endswith(name)


@pytest.mark.parametrize(("line", "er"), rows_of(KEEPING_NOTHING))
def test_a_direct_hint_keeps_no_elimination(line: str, er: str):
    """A direct hint places a digit; what it removed on the way comes back, and may have to be found again by a harder step."""
    rating = explainer_rating(Puzzle.parse(line))
    assert rating.er == float(er)
    direct = [step for step in rating.steps if step.name.startswith("Direct")]
    assert direct
    assert all(step.placement and not step.eliminations for step in direct)


def blank(cells: list[int]) -> str:
    """Return the solved grid without some cells."""
    return "".join("." if cell in cells else sign for cell, sign in enumerate(SOLVED))


def test_the_last_value_of_a_house_comes_before_hidden_singles_in_boxes():
    """1.0 is tried in all houses before 1.2 is tried in any: row 9 comes before box 1."""
    rating = explainer_rating(Puzzle.parse(blank([0, 1, 9, 10, 80])))
    first, second = rating.steps[0], rating.steps[1]
    assert (first.rating, first.name, first.placement) == (1.0, "Last Value", (80, 2))
    assert (second.rating, second.name) == (1.2, "Hidden Single")
    assert (rating.er, rating.ep, rating.ed) == (1.2, 1.0, 1.0)


def test_boxes_come_before_columns_and_columns_before_rows():
    """A last value is found in box 1 before column 9, and in column 9 before row 5."""
    rating = explainer_rating(Puzzle.parse(blank([0, 44])))
    assert [step.placement for step in rating.steps] == [(0, 1), (44, 4)]
    assert all(step.rating == 1.0 for step in rating.steps)


@pytest.mark.parametrize(
    ("complexity", "tenths"),
    [(4, 0), (6, 0), (7, 1), (8, 1), (9, 2), (10, 2), (11, 3), (14, 3), (15, 4), (18, 4), (19, 5), (26, 5), (27, 6), (35, 7)],
)
def test_length_adds_a_tenth_for_each_bound_that_it_exceeds(complexity: int, tenths: int):
    """The bounds of complexity - 2 are 4, 6, 8, 12, 16, 24, 32."""
    assert length_rating(complexity) == tenths


def test_sets_of_bits():
    """Sizes, lowest members and the next set of the same size, which are those in increasing binary order."""
    sets = [mask for mask in range(1, 512) if mask.bit_count() == 3]
    assert [next_subset(mask) for mask in sets[:-1]] == sets[1:]
    assert [lowest_of(mask) for mask in (1, 2, 12, 256)] == [0, 1, 2, 8]
    assert all(size_of(mask) & 255 == mask.bit_count() for mask in range(512))


@pytest.mark.parametrize(
    "module", sorted({*LADDER, *NETS}, key=lambda module: module.__name__), ids=lambda module: module.__name__
)
def test_no_kernel_assigns_to_a_slice(module):
    """Numba compiles such an assignment with all the words of its errors: seconds for each kernel. `fill` and `copy` do it."""
    assigned = [
        target
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Assign)
        for target in node.targets
    ]
    parts = [part for target in assigned if isinstance(target, ast.Subscript) for part in ast.walk(target.slice)]
    assert not any(isinstance(part, ast.Slice) for part in parts)


@pytest.mark.parametrize(("height", "width"), [(3, 3), (2, 3), (3, 4)])
def test_houses_are_those_of_the_grid(height: int, width: int):
    """Boxes, rows and columns have the cells that `Grid` says, in reading order."""
    side = height * width
    grid = Grid.square(side, (height, width))
    names = [f"{noun} {number}" for noun in ("box", "row", "column") for number in range(1, side + 1)]
    assert make_houses(height, width).reshape(3 * side, side).tolist() == [sorted(grid.houses[name]) for name in names]


@pytest.mark.parametrize("line", [row[0] for row in rows_of(RATED)][::4])
def test_steps_lead_to_the_solution(line: str):
    """No step eliminates a value of the solution, every placement is one, and every elimination was a candidate."""
    puzzle = Puzzle.parse(line)
    solution = next(iter(sudoku_cp.solutions(puzzle)))
    gone: set[tuple[int, int]] = set()
    placed = dict(puzzle.givens)
    for step in explainer_rating(puzzle).steps:
        assert all(solution[cell] != value and cell not in placed for cell, value in step.eliminations)
        assert not gone & set(step.eliminations)
        gone |= set(step.eliminations)
        if step.placement:
            cell, value = step.placement
            assert solution[cell] == value
            assert cell not in placed
            placed[cell] = value
    assert len(placed) == 81


def test_a_full_grid_is_rated_zero():
    """Nothing is left to do."""
    assert rating_of(SOLVED) == (0.0, 0.0, 0.0, "")


@pytest.mark.slow
def test_puzzles_that_cannot_be_solved_are_rated_as_the_program_does():
    """Two solutions that no technique tells apart end the way: ER is 20."""
    line = rows_of(RATED)[0][0]
    two = next(cell for cell, sign in enumerate(line) if sign != ".")
    rating = explainer_rating(Puzzle.parse(line[:two] + "." + line[two + 1 :]), limits=Limits(seconds=60))
    assert (rating.er, rating.hardest, rating.is_solved) == (20.0, "beyond dynamic chains with nested multiple chains", False)


def test_limits_are_kept():
    """A deadline that has come and a cancellation raise, and never pass for an answer."""
    puzzle = Puzzle.parse(rows_of(RATED)[0][0])
    with pytest.raises(LimitReached, match="deadline"):
        explainer_rating(puzzle, limits=Limits(seconds=0))
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        explainer_rating(puzzle, limits=Limits(cancel=cancellation))


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle(Grid.square(7)),
        Puzzle(Grid.square(25)),
        Puzzle(Grid.square(9, values=range(10))),
        Puzzle(candidates={0: 0b110}),
        Puzzle(rules=()),
    ],
    ids=["no boxes", "25x25", "ten values", "candidates", "no rules"],
)
def test_other_puzzles_are_refused(puzzle: Puzzle):
    """The program knows boxes, rows and columns only; the message says what is expected."""
    with pytest.raises(Unsupported, match="plain puzzle with boxes"):
        explainer_rating(puzzle)


@pytest.mark.slow
def test_other_sizes_with_boxes_are_rated():
    """A 4x4 board has hidden singles as 9x9 boards do."""
    rating = explainer_rating(Puzzle.parse("1.....3.2......4", Grid.square(4)))
    assert rating.er <= 2.3
    assert rating.is_solved
