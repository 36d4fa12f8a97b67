"""Clues outside the grid on boards too wide for an automaton, and rows and columns read as numbers."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import backend
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import Automaton
from sudoku_cp.proof import prove
from sudoku_cp.proof.checker import check
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solutions
from sudoku_cp.rules import (
    BoxIndexer,
    FullRank,
    Houses,
    Indexer,
    Rule,
    Sandwich,
    Skyscraper,
    ValueIndexing,
    XSum,
    indexing,
    outside_clues,
)
from sudoku_cp.rules.ranks import TIES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sudoku_cp.model import Model

LINE = Grid.rectangle(1, 8, values=range(11))
"""One line with more values than cells."""


@pytest.mark.parametrize(
    "rule",
    [
        XSum(tuple(LINE.cells), 15),
        Sandwich(tuple(LINE.cells), 9),
        Sandwich(tuple(LINE.cells), 12, (7, 3)),
        ValueIndexing(0, 1, tuple(LINE.cells[2:])),
    ],
)
def test_clues_mean_the_same_where_automata_are_too_large(
    rule: Rule, model_of: Callable[..., Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its automaton would be large a clue lowers to something else, which an engine can satisfy exactly where it holds."""
    usual = [constraint for _, constraint in rule.lower(LINE)]
    monkeypatch.setattr(outside_clues, "STATES", 5)
    monkeypatch.setattr(indexing, "MOST_EDGES", 5)
    model = model_of(LINE, rule)
    assert len(model.constraints) > len(usual)
    session = backend("sat").open(model)
    random, heard = Random(3), set()  # noqa: S311
    found = [next(iter(session.solutions({0: 1 << value})), None) for value in LINE.values]
    for _ in range(60):
        tried = list(random.choice([answer for answer in found if answer]))
        for _ in range(random.randint(0, 2)):
            tried[random.choice(LINE.cells)] = random.choice(LINE.values)
        heard.add(rule.holds(LINE, tried))
        assert bool(list(session.solutions({cell: 1 << value for cell, value in enumerate(tried)}))) == rule.holds(LINE, tried)
    assert heard == {True, False}


def test_clues_share_their_automata() -> None:
    """Two clues of the same number have the same edges, so that an engine compiles them once."""
    grid = Grid.square(9)
    one, other = (next(Skyscraper(line, 4).lower(grid))[1] for line in (grid.lines[0], grid.lines[5][::-1]))
    assert isinstance(one, Automaton)
    assert isinstance(other, Automaton)
    assert one.edges is other.edges


COLUMNS = tuple(tuple(range(column, 16, 4)) for column in range(4))
CYCLIC = tuple((row + column) % 4 + 1 for row in range(4) for column in range(4))
"""Four rows, each rotated by one from the row above: each of the eight numbers occurs twice."""


@pytest.mark.parametrize(
    ("line", "ties", "ranks"),
    [
        # 1234 is read from the left in row 1 and from the top in column 1: smallest, and with a tie.
        ((0, 1, 2, 3), "any", {1}),
        ((0, 1, 2, 3), "only-unclued", set()),
        ((0, 1, 2, 3), "none", set()),
        # 4321 is read from the right and from below. Two equal numbers are the largest.
        ((3, 2, 1, 0), "any", {15}),
        # 2341, the second row: 1234, 1432 and 2143 are less, each twice.
        ((4, 5, 6, 7), "any", {7}),
    ],
)
def test_ranks_of_numbers(line: tuple[int, ...], ties: str, ranks: set[int]) -> None:
    """A number's rank is one more than there are smaller ones; ties may be forbidden for it or for all."""
    grid = Grid.square(4)
    assert {rank for rank in range(1, 17) if FullRank(line, rank, ties).holds(grid, CYCLIC)} == ranks


def test_ties_of_others_count_where_none_are_allowed(model_of: Callable[..., Model]) -> None:
    """With "none" two other numbers must not be equal either; with "only-unclued" they may be."""
    grid = Grid.square(4)
    # Rows 1 and 2 are 1432 and 3124; column 2 read downwards and row 4 read from the left are both 4132.
    filled = (1, 4, 3, 2, 3, 1, 2, 4, 2, 3, 4, 1, 4, 2, 1, 3)
    numbers = sorted(tuple(filled[cell] for cell in read) for line in grid.lines for read in (line, line[::-1]))
    for index, number in enumerate(numbers):
        line = next(read for line in grid.lines for read in (line, line[::-1]) if tuple(filled[c] for c in read) == number)
        rank = numbers.index(number) + 1
        wanted = {
            "any": True,
            "only-unclued": numbers.count(number) == 1,
            "none": len(set(numbers)) == len(numbers),
        }
        for ties, holds in wanted.items():
            rule = FullRank(line, rank, ties)
            assert rule.holds(grid, filled) == holds
            if index % 8 == 0:
                session = backend("sat").open(model_of(grid, rule))
                assert bool(list(session.solutions({cell: 1 << v for cell, v in enumerate(filled)}))) == holds


@pytest.mark.parametrize(
    ("ties", "clues", "possible"),
    [
        ("none", ((COLUMNS[0], 10), (COLUMNS[1], 15), (COLUMNS[3], 3), (COLUMNS[2][::-1], 4)), False),
        ("any", ((COLUMNS[0], 10), (COLUMNS[1], 15), ((12, 13, 14, 15), 5)), True),
        ("any", (((0, 1, 2, 3), 2), (COLUMNS[2], 15)), True),
        ("only-unclued", (((0, 1, 2, 3), 2), (COLUMNS[2], 15)), False),
        ("any", (((0, 1, 2, 3), 1), ((7, 6, 5, 4), 1)), True),
    ],
)
def test_ranks_mean_what_they_mean_elsewhere(ties: str, clues: tuple[tuple[tuple[int, ...], int], ...], possible: bool) -> None:
    """Some 4x4 grid has such clues exactly where the Interactive Sudoku Solver's own tests say so."""
    grid = Grid.square(4)
    rules = [FullRank(line, rank, ties) for line, rank in clues]
    assert any(all(rule.holds(grid, values) for rule in rules) for values in small_board().solutions) == possible


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (FullRank((0, 1, 3, 2), 3), "full-rank: expected all cells of a row or a column in order, got (0, 1, 3, 2)"),
        (FullRank((0, 1, 2, 3), 17), "full-rank: expected a rank from 1 to 16, got 17"),
        (FullRank((0, 1, 2, 3), 1, "some"), "full-rank: expected ties to be one of none, only-unclued, any, got 'some'"),
        (Sandwich((0, 1, 2, 3), 1, (2, 2)), "sandwich: expected two different crusts or none, got (2, 2)"),
        (Sandwich((0, 1, 2, 3), 1, (2, 7)), "sandwich: expected digits from 1 to 4, got 7"),
    ],
)
def test_what_cannot_be_is_told(rule: Rule, words: str) -> None:
    """Lines, ranks, ties and crusts that make no sense are reported."""
    assert list(rule.problems(Grid.square(4))) == [words]


def test_a_box_indexer_needs_a_box() -> None:
    """A cell in no region cannot say where its position in the region stands."""
    grid = Grid.jigsaw("A.AA .BBB CCCD C.DD")
    assert list(BoxIndexer((0, 1, 5)).problems(grid)) == ["box-indexer: expected cells in a box, got r1c2"]


def test_a_box_indexer_points_within_its_box() -> None:
    """The cell third in its box that holds 7 says that the box's seventh cell holds 3."""
    grid = Grid.square(9)
    values = [0] * 81
    cell, seventh = grid.cell_at[0, 5], grid.cell_at[2, 3]
    values[cell], values[seventh] = 7, 3
    assert BoxIndexer((cell,)).holds(grid, values)
    values[seventh] = 4
    assert not BoxIndexer((cell,)).holds(grid, values)


@pytest.mark.parametrize("rows", [False, True])
def test_an_indexer_counts_on_its_own_boards(rows: bool) -> None:
    """Columns count from the first of the board, wherever that lies; in a cell of two boards the rule holds on both."""
    boards = [Board(*((3, 1) if rows else (1, 3)), at=(7 + 2 * step, 7) if rows else (7, 7 + 2 * step)) for step in (0, 1)]
    grid = Grid.of(tuple(boards), range(1, 4))
    meant = {
        filled
        for filled in product(grid.values, repeat=5)
        if filled[:3][filled[2] - 1] == 3 and filled[2:][filled[2] - 1] == 1 and filled[2:][filled[4] - 1] == 3
    }
    rule = Indexer((2, 4), rows)
    assert {filled for filled in product(grid.values, repeat=5) if rule.holds(grid, filled)} == meant
    assert {*solutions(Puzzle(grid, (rule,)))} == meant


def test_a_second_boards_indexer_is_proved(tmp_path: Path) -> None:
    """The checker of certificates reads an indexer as the rule does: a puzzle of two boards apart has its one solution."""
    grid = Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(5, 10))), range(1, 5))
    rules = (Houses(), Indexer((16, 20)), Indexer((17,), rows=True))
    solution = next(iter(solutions(Puzzle(grid, rules))))
    puzzle = Puzzle(grid, rules, {cell: solution[cell] for cell in grid.cells if cell not in range(16, 22)})
    certificate = prove(puzzle, claim="auto")
    assert check(certificate.write(tmp_path / "certificate")).verdict == "verified"


@pytest.mark.parametrize("ties", TIES)
def test_ranks_mean_the_same_beside_the_houses(ties: str) -> None:
    """Where only readings of the same first digit compete, two clues have the solutions for which they hold, ties included."""
    grid = Grid.square(4)
    lines = [reading for line in grid.lines for reading in (line, line[::-1])]
    random, sizes = Random(ties), set()  # noqa: S311
    for _ in range(12):
        values = random.choice(sorted(small_board().solutions))
        rules = []
        for line in random.sample(lines, 2):
            rules += [rule for rank in range(1, 17) if (rule := FullRank(line, rank, ties)).holds(grid, values)]
        wanted = {one for one in small_board().solutions if all(rule.holds(grid, one) for rule in rules)}
        session = backend("native:readable").open(Puzzle(grid, (Houses(), *rules)).model())
        assert set(session.solutions()) == wanted
        sizes.add(len(wanted))
    assert len(sizes) > 1


def test_a_rank_relies_on_houses_only_where_they_are_rules() -> None:
    """Without the houses, or beside others, all readings are compared."""
    grid = Grid.square(4)
    rule = FullRank(grid.lines[0], 3)
    general = [*rule.lower(grid)]
    assert [*rule.lower_beside(grid, (rule,))] == general
    assert [*rule.lower_beside(grid, (Houses(), rule))] != general
