"""Ratings as Sukaku Explainer 1.18.1 gives them, and what its own techniques eliminate."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import sudoku_cp
from sudoku_cp import Puzzle
from sudoku_cp.errors import Unsupported
from sudoku_cp.grid import Grid
from sudoku_cp.logic.rating import explainer
from sudoku_cp.logic.rating.explainer import (
    SUDOKU_EXPLAINER,
    SUKAKU_EXPLAINER,
    ExplainerRating,
    KnownNets,
    explainer_rating,
    is_same_way,
    link_and_wing_code,
)
from sudoku_cp.logic.rating.kernel.bent_wings import text_rank
from sudoku_cp.logic.rating.kernel.grid import NAME, NAMES, RATING, make_grid

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

RATED = """
.8931.5..5......29.1......3...754.82872.....594.8....149...2..6.....9.57751.4...8 1.2 1.0 1.0 Hidden Single
..............1.23.45..6...........41.....5..2...78.......2.....3.4.....6......8. 1.5 1.5 1.5 Hidden Single
.382...9..76...83.......74.....5..8.........4.29..3.1..5.8.43.9...7.1...86.3..1.. 1.7 1.2 1.2 Direct Pointing
..............1..2..3.2..4.........5....6...1.783........8..3...4.....7.1....5... 2.0 1.5 1.5 Direct Hidden Pair
.5..72..3.21.8..6.4...9..8.....4...717..........9...48..5....3.............6.52.1 2.3 1.2 1.2 Naked Single
48....3..5..3..4..9....765...5.3.9.....7........492...1.........3...6....26...8.1 2.5 1.2 1.2 Direct Hidden Triplet
................12..3.45...........6..7.34....2.1....7......3........5...6.2.8... 2.6 1.5 1.5 Pointing
........4...9....51.85....2..4..9.8..26..89.3...25..7.....925...728.....69.7..12. 2.8 1.2 1.2 Claiming
..............1..2.34....5......6.....1...37.2....8....8........9.35....6.......1 3.0 1.5 1.5 Naked Pair
3..2........1.7...7.6.3.5...7...9.8.9...2...4.1.8...5...9.4.3.1...7.2........8..6 3.2 1.2 1.2 X-Wing
...9...612.7...3.....8....54.9....5.....5...9.7.6..........314.3.......6.1...2... 3.4 3.4 2.6 Hidden Pair
......41.9..3.....3...2.....48..7..........52.1.......5..2....6.7....8......9.... 3.6 1.2 1.2 Naked Triplet
..4....6.....15...6....7.5..9..2.3..3..7....9.....62........8.14..1...7...9..3... 4.0 1.2 1.2 Hidden Triplet
7..3..4..2.....57...4..18......9.....3.1.4.6...7....2....6.87....15....9....196.. 4.0 1.5 1.5 Skyscraper
..2...1...8....39....8.4.....3.7.2...79316..........7..3......6....6.5....529..4. 4.1 1.2 1.2 Turbot Fish
9..4..5....3..2..8.......1.5.41..6...87.39..41......57...2....18......6..51....3. 4.1 1.2 1.2 Two-String Kite
327.4.56148.......159..........381.....92..84..4.6...9.4.1.27....83...422......15 4.2 1.0 1.0 XY-Wing
...........1..2..3.4..5..6.......1....5...2..7...6.........14..5........6..3...8. 4.3 1.5 1.5 Grouped Skyscraper
78....4.2...786.................42.5.9..61.4..152....8.68...5.7.........17......9 4.4 1.2 1.2 XYZ-Wing
249.6...3.3....2..8.......5.....6......2......1..4.82..9.5..7....4.....1.7...3... 4.5 1.5 1.5 Unique Rectangle or Loop
..............1..2.34....5.........6..734....28......1....7..4.1........6....8... 5.4 1.5 1.5 Three Strong Links
......1.9.....6...75.9.1....8.......3..5..8.16..8.34.7.7.26....9.......51.5...3.. 5.5 1.2 1.2 Three Strong Links
87.........53.6..1...2.9...68.......7..1..84....9.......1..42.52.....43.......... 5.5 1.7 1.7 WXYZ-Wing
6....1.4.8.......7.91...238.6.53........1..7.5.2..7...3..95..1....8...2.........9 5.6 1.2 1.2 Bivalue Universal Grave
.47.8...1............6..7..6....357......5....1..6....28..4.....9.1...4.....2.69. 5.6 1.5 1.5 WXYZ-Wing
....43..1...7915....6..2........78....73...1.65.....3...51..3...6.....59..8.7.14. 5.7 1.2 1.2 Grouped Three Strong Links
....3....6....984...8.4....9..1......5..6.4...3..84...3..........9..8..2.7.21.5.. 6.2 1.2 1.2 VWXYZ-Wing
......7.2..7.5.....3..69...5..6....8.....413..1........768......5..9.42..9..3.... 6.3 1.2 1.2 VWXYZ-Wing
.3.....16.....3..4..281....9.....5.2.2..76...5..........8..2.4...79..8.3....5.1.. 6.4 1.2 1.2 VWXYZ-Wing
....54.9....9.......8...71..36...4.........75..78...6....5.8.4.2..3.....6..79...1 6.6 1.2 1.2 Bidirectional Y-Cycle
2.4...8.......8.36...9..4.5..7...6.....3.7...16........7...1...4...8..9..82..93.. 6.6 1.2 1.2 UVWXYZ-Wing
32..4......7.2........1...38..9..13.......92..51.....8.65..8..22.41...8....7...9. 6.7 1.2 1.2 Bidirectional Y-Cycle
8..2.9..5.6..18.....1...29.....7.5.....69....63.....2...5......49......3......984 6.8 1.2 1.2 Bidirectional Y-Cycle
.83....9..5..4...2...9.1.78..8..3...32...9.6....51...........299.....6....4....31 7.1 1.2 1.2 Bidirectional Cycle
......8..2..4.......12...45.4..7....5.2.....98.3...6.....3..5..1.85...9....74.16. 7.1 2.6 2.6 Forcing Chain
.2..5.1.....1.3.8.4.3........5.4.9...3..91..6..............4......5..82356......4 7.2 1.2 1.2 Bidirectional Cycle
85.29..........7..3........7....21.35.......9.2.6...........8.1.6.75..9.98...6... 7.2 1.2 1.2 Forcing Chain
.8...4.2.35..9....7.......5..8..3..7...4...8..9.....12.2.1.5..46.18..........6.7. 7.3 6.3 2.6 Forcing Chain
1..74...69...8...2...3..5..6...9...7..8...15............1...7..4..2......5..643.. 7.4 1.5 1.5 Forcing Chain
"""
"""Ratings by the program, one for each of its numbers and names up to simple forcing chains."""

CHAINED = """
.........3.6...2..4..39...5.3...2..9.......6.6.9..5.....8.6.9....52.9..3.7...4.1. 7.8 1.2 1.2 Nishio Forcing Chains
39....1.............648....5.8.....1.7..2..562..7....3...9.3.6.......2......57..8 7.9 1.2 1.2 Nishio Forcing Chains
.6.5...2...7......4..67..9....2.6.7.3...4.5.2......8.......8.4...819...7.9..5...8 8.3 1.2 1.2 Cell Forcing Chains
8..41..97....6.2..7....8..6......6.....37....5.7.....415..2........4...2.96...3.. 8.3 1.2 1.2 Region Forcing Chains
..84...3....3.....9....157479...8........7..514.....2...9.6...2.5....4......9..56 8.4 2.6 2.6 Cell Forcing Chains
.6.........428........31..5....4.39...79....2..8..27....6.2..1948.......7..5..... 8.4 2.6 2.6 Region Forcing Chains
......7..8..3....19.5.8....2...7..4.3...4...6..9..3.5......48..6.89...1...2.5.... 8.5 1.5 1.5 Cell Forcing Chains
....3.9.1.28.9....7..5......8.......5.49.....91..5..7.......6.4...6.....3...7..5. 8.5 2.0 2.0 Region Forcing Chains
35.6.......2.......9..5.48......5....6..1..9....4......18.6..5.......7.......7.32 8.6 1.2 1.2 Region Forcing Chains
..1.......6......73...6.89.8....93...3.4..2..2..8.5......1....4.2..4.........8526 8.8 1.2 1.2 Dynamic Region Forcing Chains
..26..8......1.4...5.....3......5.....1...7.4.6..382....7..6.............982..56. 8.9 1.5 1.5 Dynamic Region Forcing Chains
..6..3....97..513..2..91.8........7.6.........41.....9...5..8.....3.47....4.16..5 9.0 9.0 2.8 Dynamic Contradiction Forcing Chains
.8.7..2..19.........5.98..1.4.9..7.2..7..2.4.6.........1.8..5..3...5...6.....93.. 9.1 2.3 2.3 Dynamic Contradiction Forcing Chains
3...9...8.2.6..5.9.......4.8.423........5...7.....12...8614...........7.15...9.6. 9.2 9.1 2.6 Dynamic Cell Forcing Chains
7.....4...2..7..8...3..8..9...5..3...6..2..9...1..7..6...3..9...3..4..6...9..1..5 9.8 1.2 1.2 (+)
"""
"""The same, where it takes nets."""

IN_READING_ORDER = """
....1.78.5....9..........4..2..........6....3.74.8.........3..2.8..4..1.6..5..... 4.2
.2..........6....3.74.8.........3..2.8..4..1.6..5.........1.78.5....9..........4. 4.2
"""
"""Puzzles on whose way the two programs choose different XY-wings."""

BY_CANDIDATES = [
    (
        (
            "02017519410106608116b0ff05f17917d03f0b71871f31561870670620a10971d716c1df1b81ac18e0131df1091c804018a04905e12913b1ca166062"
            "09f14a10a1861511d80c31fe0711921ce1ae0761c30f912a1060981b01720dc02009106f19f00f02b16d04607002209609703a05302a0fd1dc14e0cb0fd"
        ),
        2.3,
        1.2,
        1.2,
        "Naked Single",
    ),
    (
        (
            "1130e30fe0e316f05813412d0c30bd11606e08414307d1941e90d21e90a20c403e12e16905b1090141a90760ac0bb16c0b11130e80780141f30c01e6"
            "12806219f0170960f219d1ec0ec13c1b31b906f0d41bb0eb18405916901d0da0d815b0290961981d219c01f14814712008214512719007701b14c1c416b"
        ),
        5.7,
        1.5,
        1.5,
        "Grouped Three Strong Links",
    ),
    (
        (
            "0c715100b1df0f61b017e19a03904409e0c21dd15f01306c05414d0fe0af1941ec0a412f1770720060200691af0ad0e515c0b014805b14509e19e191"
            "0481740861a41091f818e1440991ca01907b1a01e603214f1fa12e06f1650191a111e19319c1050421980e704c05b1a907204302b19106d0a513008a082"
        ),
        4.0,
        1.2,
        1.2,
        "Skyscraper",
    ),
]
"""Puzzles by the candidates of their cells, as hexadecimal numbers whose lowest bit is 1, rated by the program."""


def rows_of(table: str) -> list[list[str]]:
    """Return the fields of each line; the last is a name, with spaces."""
    return [line.split(maxsplit=4) for line in table.split("\n") if line]


def rating_of(line: str) -> ExplainerRating:
    """Rate a puzzle."""
    return explainer_rating(Puzzle.parse(line), SUKAKU_EXPLAINER)


@pytest.mark.parametrize(("line", "er", "ep", "ed", "name"), rows_of(RATED))
def test_known_puzzles_have_their_ratings(line: str, er: str, ep: str, ed: str, name: str) -> None:
    """ER, EP, ED and the hardest technique are those of the program."""
    rating = rating_of(line)
    assert (rating.er, rating.ep, rating.ed, rating.hardest) == (float(er), float(ep), float(ed), name)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "er", "ep", "ed", "name"), rows_of(CHAINED))
def test_known_puzzles_that_take_nets_have_their_ratings(line: str, er: str, ep: str, ed: str, name: str) -> None:
    """As far as nets are needed, too."""
    rating = rating_of(line)
    assert (rating.er, rating.ep, rating.ed) == (float(er), float(ep), float(ed))
    assert rating.hardest.endswith(name)


@pytest.mark.slow
@pytest.mark.parametrize("line", [row[0] for row in rows_of(CHAINED)][:4])
def test_nets_that_the_other_program_found_are_not_searched_again(line: str, monkeypatch) -> None:
    """In the same position both find the same; a rating with those that are known is that without."""
    puzzle = Puzzle.parse(line)
    nets: KnownNets = {}
    other = explainer_rating(puzzle, nets=nets)
    assert nets
    monkeypatch.setattr(explainer, "find_forcing_chains", lambda *_: pytest.fail("a net was searched again"))
    assert explainer_rating(puzzle, nets=nets) == other
    monkeypatch.undo()
    assert explainer_rating(puzzle, SUKAKU_EXPLAINER, nets=nets) == rating_of(line)


@pytest.mark.parametrize("line", [row[0] for row in rows_of(RATED)][13::2])
def test_steps_lead_to_the_solution(line: str) -> None:
    """No step eliminates a value of the solution, every placement is one, and every elimination was a candidate."""
    puzzle = Puzzle.parse(line)
    solution = next(iter(sudoku_cp.solutions(puzzle)))
    gone: set[tuple[int, int]] = set()
    placed = dict(puzzle.givens)
    for step in rating_of(line).steps:
        assert all(solution[cell] != value and cell not in placed for cell, value in step.eliminations)
        assert not gone & set(step.eliminations)
        gone |= set(step.eliminations)
        if step.placement:
            cell, value = step.placement
            assert solution[cell] == value
            placed[cell] = value
    assert len(placed) == 81


def is_rated_as(row: dict[str, str]) -> bool:
    """Return whether the rating of a puzzle is that of a row of a table."""
    rating = rating_of(row["puzzle"])
    return (rating.er, rating.ep, rating.ed) == (float(row["ER"]), float(row["EP"]), float(row["ED"]))


def test_a_sample_of_puzzles_has_the_ratings_of_the_program(data: Path) -> None:
    """Of a table that the program made, one row in ten of those that take no nets."""
    with (data / "ratings/sukaku_explainer_half.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if float(row["ER"]) < 7.5]
    assert [row["puzzle"] for row in rows[::10] if not is_rated_as(row)] == []


@pytest.mark.slow
def test_all_puzzles_have_the_ratings_of_the_program(data: Path) -> None:
    """All rows of the table."""
    with (data / "ratings/sukaku_explainer_half.csv").open() as file:
        assert [row["puzzle"] for row in csv.DictReader(file) if not is_rated_as(row)] == []


@pytest.mark.parametrize(("cells", "er", "ep", "ed", "name"), BY_CANDIDATES)
def test_puzzles_by_candidates_have_their_ratings(cells: str, er: float, ep: float, ed: float, name: str) -> None:
    """Without givens, as the program rates 729 pencil marks; a lone candidate that no cell in sight has counts as given."""
    domains = {cell: int(cells[3 * cell : 3 * cell + 3], 16) << 1 for cell in range(81)}
    rating = explainer_rating(Puzzle(candidates=domains), SUKAKU_EXPLAINER)
    assert (rating.er, rating.ep, rating.ed, rating.hardest) == (er, ep, ed, name)
    with pytest.raises(Unsupported, match="without candidates, for the rating of Sudoku Explainer"):
        explainer_rating(Puzzle(candidates=domains))


def test_the_candidates_of_a_plain_puzzle_change_nothing() -> None:
    """Givens with what they leave to the open cells are the same puzzle."""
    line = rows_of(RATED)[13][0]
    puzzle = Puzzle.parse(line)
    marks = {cell: 0b1111111110 for cell in range(81) if cell not in puzzle.givens}
    assert explainer_rating(Puzzle(givens=puzzle.givens, candidates=marks), SUKAKU_EXPLAINER) == rating_of(line)
    lone = marks | {cell: 1 << value for cell, value in puzzle.givens.items()}
    assert rating_of(line).er == explainer_rating(Puzzle(candidates=lone), SUKAKU_EXPLAINER).er


@pytest.mark.parametrize(("line", "er"), rows_of(IN_READING_ORDER))
def test_wings_are_looked_for_in_reading_order(line: str, er: str) -> None:
    """Sudoku Explainer goes through the cells that a pivot sees house by house, Sukaku Explainer row by row."""
    ours, other = rating_of(line), explainer_rating(Puzzle.parse(line), SUDOKU_EXPLAINER)
    wings = [next(step.eliminations for step in found.steps if step.name == "XY-Wing") for found in (ours, other)]
    assert ours.er == float(er)
    assert wings[0] != wings[1]


def test_up_to_hidden_triplets_both_programs_go_the_same_way() -> None:
    """Such a rating of one is that of the other: strong links, which only one has, come behind hidden triplets."""
    for line, er, *_ in rows_of(RATED):
        rating = explainer_rating(Puzzle.parse(line))
        assert is_same_way(rating) == (float(er) <= 4.0 and rating.er <= 4.0)
        if is_same_way(rating):
            assert rating_of(line) == rating


@pytest.mark.parametrize(
    "puzzle",
    [Puzzle(Grid.square(16)), Puzzle(Grid.square(4)), Puzzle(Grid.square(7)), Puzzle(rules=())],
    ids=["16x16", "4x4", "no boxes", "no rules"],
)
def test_other_puzzles_are_refused(puzzle: Puzzle) -> None:
    """The program has boards of 9x9 alone; the message says what is expected, for which program."""
    with pytest.raises(Unsupported, match=r"plain puzzle with boxes, 9x9, or one with .* rating of Sukaku Explainer 1\.18\.1"):
        explainer_rating(puzzle, SUKAKU_EXPLAINER)


# Positions: candidates of all cells, without any value, in which a technique is looked for alone.


class Found(NamedTuple):
    """A hint: its rating, name and eliminations."""

    rating: float
    name: str
    eliminations: set[tuple[int, int]]


def find(function: str, size: int, candidates: NDArray[np.int64]) -> Found | None:
    """Return the hint of compiled code for candidates (bits, the lowest for 1) of an open grid, or None."""
    grid: Any = make_grid(3, 3, ascending=True)
    grid["candidates"], grid["open_cells"] = candidates, 9
    for kind, house, digit in np.ndindex(3, 9, 9):
        held = candidates[grid["houses"][kind, house]] >> digit & 1
        grid["places"][kind, house, digit] = sum(1 << place for place in held.nonzero()[0].tolist())
    if not link_and_wing_code("3x3").call(function, grid, size):
        return None
    removed = grid["removed"].tolist()
    gone = {(cell, digit + 1) for cell in range(81) for digit in range(9) if removed[cell] >> digit & 1}
    return Found(grid["hint"][RATING] / 10, NAMES[grid["hint"][NAME]], gone)


def is_proved(candidates: NDArray[np.int64], eliminations: Iterable[tuple[int, int]]) -> bool:
    """Return whether the grid has a solution, and none with any of the eliminations."""
    domains = {cell: own << 1 for cell, own in enumerate(candidates.tolist())}
    if sudoku_cp.solve(Puzzle(candidates=domains)).status == "none":
        return False
    return all(sudoku_cp.solve(Puzzle(candidates=domains | {cell: 1 << value})).status == "none" for cell, value in eliminations)


def board_of(rows: str) -> NDArray[np.int64]:
    """Return candidates in which 1 has the places marked, and every other digit has all."""
    return np.array([511 if sign == "1" else 510 for sign in rows.replace("/", "")])


LINKS = [
    (
        2,
        4.0,
        "Skyscraper",
        "1...1..../111111111/111111111/111111111/1....1.../111111111/111111111/111111111/111111111",
        [14, 23, 31, 49],
        8,
    ),
    (
        2,
        4.0,
        "Skyscraper",
        "1...1..../111111111/111111111/111111111/1...1..../111111111/111111111/111111111/111111111",
        [9, 13, 18, 22, 27, 31, 45, 49, 54, 58, 63, 67, 72, 76],
        8,
    ),
    (
        2,
        4.1,
        "Two-String Kite",
        "111111111/1111111.1/1111111.1/1111111.1/1111111.1/1111111.1/1111111.1/111111111/..1...1..",
        [2],
        16,
    ),
    (2, 4.1, "Turbot Fish", "1111111../.11111.../.11111..1/.11111111/.11111111/.11111111/.11111111/111111111/.11111111", [71], 9),
    (
        2,
        4.3,
        "Grouped Skyscraper",
        "111111111/111111111/111111111/111...111/111..1111/......1../111111111/111111111/111111111",
        [5, 14, 23, 59, 68, 77],
        39,
    ),
    (
        2,
        4.3,
        "Grouped Turbot Fish",
        "111111111/111111111/111111111/111111111/....11.../111111111/111111111/111111111/1.1..1..1",
        [30, 31, 32, 48, 49, 50],
        36,
    ),
    (
        2,
        4.3,
        "Grouped Two-String Kite",
        "111.11111/111.11111/111111111/111.11111/111.11111/111.11111/111111111/111111111/.....1.1.",
        [25],
        3,
    ),
    (
        3,
        5.4,
        "Three Strong Links",
        "111..1111/1.1.11111/1.1..1111/1111.1111/1.1..1111/1.1..1111/1.1..1111/1.1111111/1.1..1111",
        [5, 9, 11],
        3,
    ),
    (
        3,
        5.5,
        "Three Strong Links",
        "111111111/11......./111111111/111111..1/111111.../111111.1./1......1./111111111/111111111",
        [28],
        11,
    ),
    (
        3,
        5.6,
        "Three Strong Links",
        "11111111./11111111./11111111./.1.111111/1..11111./...11111./11111111./....1.1../111111111",
        [40],
        8,
    ),
    (
        3,
        5.7,
        "Grouped Three Strong Links",
        "1111.1111/1111.1111/1111.1111/1111.1111/1111.1111/111111111/...1..1../1.1111111/...1.1111",
        [30, 39, 48],
        4,
    ),
    (
        4,
        5.9,
        "Four Strong Links",
        "11111111./11111111./111111111/1....1.../.1.1...../11111111./11111111./...1..1../111111111",
        [23],
        8,
    ),
    (
        4,
        6.0,
        "Four Strong Links",
        "..1111111/111111111/.11111111/1.1..1111/..1.1.111/..1...111/..1111111/....1.1../..1111111",
        [24],
        1,
    ),
    (
        4,
        6.1,
        "Grouped Four Strong Links",
        "111111111/....11.1./1......1./1..111.11/1..111.11/...111.11/111111.11/111111.11/111111111",
        [61, 70, 79],
        19,
    ),
]
"""How many links, rating, name, board, the cells that lose 1, and a cell with which there is no such chain any more."""

WINGS = [
    (3, 5.5, "WXYZ-Wing", {3: "4589", 4: "59", 6: "49", 21: "59"}, {5: "9"}, (3, 1)),
    (
        3,
        5.5,
        "WXYZ-Wing",
        {26: "2359", 35: "35", 44: "29", 71: "29"},
        {8: "2359", 17: "2359", 53: "2359", 62: "2359", 80: "2359"},
        (26, 1),
    ),
    (3, 5.6, "WXYZ-Wing", {57: "248", 66: "23", 68: "48", 21: "24"}, {75: "4"}, (57, 1)),
    (4, 6.3, "VWXYZ-Wing", {58: "49", 59: "1456", 76: "19", 77: "1459", 50: "46"}, {68: "4"}, (58, 2)),
    (
        4,
        6.3,
        "VWXYZ-Wing",
        {74: "27", 76: "489", 79: "2489", 80: "2478", 75: "79"},
        {72: "24789", 73: "24789", 77: "24789", 78: "24789"},
        (74, 1),
    ),
    (4, 6.4, "VWXYZ-Wing", {74: "49", 76: "34", 78: "369", 80: "239", 62: "24"}, {79: "4"}, (74, 1)),
    (5, 6.6, "UVWXYZ-Wing", {31: "159", 40: "23", 41: "26", 49: "359", 50: "159", 5: "69"}, {32: "9"}, (31, 4)),
    (
        5,
        6.6,
        "UVWXYZ-Wing",
        {18: "1237", 19: "169", 21: "136", 22: "12", 26: "67", 25: "29"},
        {20: "123679", 23: "123679", 24: "123679"},
        (18, 4),
    ),
    (6, 7.5, "TUVWXYZ-Wing", {6: "246", 7: "47", 15: "3469", 17: "679", 24: "46", 25: "2357", 9: "39"}, {16: "3"}, (6, 1)),
]
"""Cells of the set, rating, name, candidates of set and pair (the last), eliminations, and a candidate that spoils the wing."""


@pytest.mark.parametrize(("length", "rating", "name", "rows", "cells", "spoiler"), LINKS)
def test_strong_links(length: int, rating: float, name: str, rows: str, cells: list[int], spoiler: int) -> None:
    """A chain of links eliminates what sees both ends; with one place more in a house that was a link, there is none."""
    candidates = board_of(rows)
    found = find("find_strong_links", length, candidates)
    assert found == (rating, name, {(cell, 1) for cell in cells})
    assert is_proved(candidates, found.eliminations)
    candidates[spoiler] |= 1
    assert find("find_strong_links", length, candidates) is None


@pytest.mark.parametrize(("size", "rating", "name", "cells", "lost", "spoiler"), WINGS)
def test_bent_wings(
    size: int, rating: float, name: str, cells: dict[int, str], lost: dict[int, str], spoiler: tuple[int, int]
) -> None:
    """A wing leaves its digits no place that sees all of theirs; with one candidate more in the set, it has none to lose."""
    candidates = np.full(81, 511)
    for cell, digits in cells.items():
        candidates[cell] = sum(1 << int(digit) - 1 for digit in digits)
    found = find("find_bent_wing", size, candidates)
    assert found == (rating, name, {(cell, int(digit)) for cell, digits in lost.items() for digit in digits})
    assert is_proved(candidates, found.eliminations)
    candidates[spoiler[0]] |= 1 << spoiler[1] - 1
    assert find("find_bent_wing", size, candidates) is None


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("length", [2, 3, 4])
def test_strong_links_are_proved_on_random_boards(seed: int, length: int) -> None:
    """Whatever the places of a digit, groups and loops included, no solution has what a chain eliminates."""
    random = np.random.default_rng(seed)
    candidates = np.full(81, 510)
    candidates[[9 * row + (3 * row + row // 3) % 9 for row in range(9)]] = 511
    candidates[random.choice(81, 14, replace=False)] = 511
    found = find("find_strong_links", length, candidates)
    assert found is None or is_proved(candidates, found.eliminations)


def test_numbers_are_ordered_as_texts() -> None:
    """10 comes between 1 and 2."""
    assert sorted(range(1, 100), key=text_rank) == sorted(range(1, 100), key=str)
