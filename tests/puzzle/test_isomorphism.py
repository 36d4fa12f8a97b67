"""Keys and canonical forms are equal exactly for isomorphic puzzles, which is decided here by trying all symmetries."""

from __future__ import annotations

from itertools import permutations, product
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sudoku_cp.generate.distinct_puzzles import board_keys
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, canonical, canonical_key, canonical_keys, scramble
from sudoku_cp.rules import Diagonals, ExtraRegion, Houses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

THREE = tuple(permutations(range(3)))
COLUMNS = tuple(
    tuple(3 * stack + column for stack, inside in zip(stacks, orders, strict=True) for column in inside)
    for stacks in THREE
    for orders in product(THREE, repeat=3)
)
"""The 1,296 orders of the columns of a 9x9 board that keep its stacks together."""


# --- deciding without any canonical form ------------------------------------------------------------------------


def isomorphic(one: Puzzle, other: Puzzle) -> bool:
    """Try all of the 2 x 1,296 x 1,296 symmetries of a 9x9 board, abandoning one when places or values of givens do not fit."""
    rows, wanted = _rows(one), _rows(other)
    counts = _counts(wanted)
    for board in (rows, list(zip(*rows, strict=True))):
        have = _counts(board)
        for order in COLUMNS:
            if [have[column] for column in order] == counts:
                moved = [tuple(row[column] for column in order) for row in board]
                if _rows_fit(moved, wanted, [], {}, {}):
                    return True
    return False


def _rows(puzzle: Puzzle) -> list[tuple[int, ...]]:
    side = puzzle.grid.boards[0].columns
    cells = [puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]
    return [tuple(cells[start : start + side]) for start in range(0, len(cells), side)]


def _counts(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(map(bool, column)) for column in zip(*rows, strict=True)]


def _rows_fit(rows: list[tuple[int, ...]], wanted: list[tuple[int, ...]], used: list[int], to: dict, back: dict) -> bool:
    """Return whether the rows can become the wanted rows that are left, bands together, under one renaming of values."""
    if len(used) == 9:
        return True
    for row in set(range(9)) - set(used):
        begun, done = used[len(used) // 3 * 3 :], {one // 3 for one in used}
        if row // 3 == begun[0] // 3 if begun else row // 3 not in done:
            names = _renamed(rows[row], wanted[len(used)], to, back)
            if names and _rows_fit(rows, wanted, [*used, row], *names):
                return True
    return False


def _renamed(row: Sequence[int], wanted: Sequence[int], to: dict, back: dict) -> tuple[dict, dict] | None:
    to, back = dict(to), dict(back)
    for one, other in zip(row, wanted, strict=True):
        if bool(one) != bool(other) or (one and (to.setdefault(one, other) != other or back.setdefault(other, one) != one)):
            return None
    return to, back


def isomorphic_sets(one: Puzzle, other: Puzzle) -> bool:
    """Try all permutations of cells that turn the sets of cells that differ into those of the other, one cell after the other."""
    sets, sets_there = (
        {frozenset(statement.constraint.cells) for statement in puzzle.model().statements} for puzzle in (one, other)
    )
    pairs = list(product(one.grid.cells, repeat=2))
    near, near_there = ({pair: sum(some.issuperset(pair) for some in all_of) for pair in pairs} for all_of in (sets, sets_there))

    def extended(images: list[int], to: dict, back: dict) -> bool:
        if len(images) == len(one.grid.cells):
            return {frozenset(images[cell] for cell in some) for some in sets} == sets_there
        cell = len(images)
        for image in set(one.grid.cells) - set(images):
            if all(near[before, cell] == near_there[there, image] for before, there in enumerate([*images, image])):
                names = _renamed([one.givens.get(cell, 0)], [other.givens.get(image, 0)], to, back)
                if names and extended([*images, image], *names):
                    return True
        return False

    return len(one.givens) == len(other.givens) and extended([], {}, {})


# --- what is compared with it -----------------------------------------------------------------------------------


def changed(puzzle: Puzzle, random: Random) -> Puzzle:
    """Return the puzzle with another value in one of its givens."""
    cell = random.choice(sorted(puzzle.givens))
    others = [value for value in puzzle.grid.values if value != puzzle.givens[cell]]
    return puzzle.with_givens({**puzzle.givens, cell: random.choice(others)})


def short_keys(*puzzles: Puzzle) -> list[int]:
    """Return the keys by which generation first distinguishes its puzzles."""
    boards = [[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells] for puzzle in puzzles]
    return board_keys(np.array(boards), puzzles[0]).tolist()


def check(one: Puzzle, other: Puzzle, same: bool) -> None:
    """Require that keys and forms of two puzzles agree with the truth; short keys of isomorphic puzzles are equal too."""
    assert (canonical_key(one) == canonical_key(other)) == same
    assert (len(set(canonical_keys([one, other]))) == 1) == same
    if (one.grid, one.rules) == (other.grid, other.rules):  # a form stands for puzzles under the same rules
        assert (canonical(one) == canonical(other)) == same


def _walk(lines: Sequence[str], number: int, seed: int) -> Iterator[bool]:
    """Check scrambled puzzles, and those with a given changed; yield whether the change gave an isomorphic puzzle."""
    random = Random(seed)  # noqa: S311
    for _ in range(number):
        puzzle = Puzzle.parse(random.choice(lines)[:81])
        copy = scramble(puzzle, random.randrange(2**32))
        assert isomorphic(puzzle, copy)
        check(puzzle, copy, same=True)
        assert len(set(short_keys(puzzle, copy))) == 1
        other = changed(copy, random)
        same = isomorphic(puzzle, other)
        check(puzzle, other, same=same)
        assert not same or len(set(short_keys(puzzle, other))) == 1
        yield same


SOURCES = ("17clue.txt.gz", "multi_16clue_5000.txt.gz", "generated_minimal_50k.txt.gz", "forum_hardest_11plus_20k.txt.gz")


@pytest.mark.parametrize("name", SOURCES)
def test_a_given_changed_makes_another_puzzle_or_a_copy(name: str, puzzle_lines: Callable[[str], list[str]]) -> None:
    """Whatever the change, keys and forms are equal exactly if the puzzles are isomorphic."""
    assert len(list(_walk(puzzle_lines(name), 3, 1))) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
def test_a_thousand_givens_changed(name: str, puzzle_lines: Callable[[str], list[str]]) -> None:
    """Of a thousand such changes the few that give a copy are those that only rename a value (see the next test)."""
    assert sum(_walk(puzzle_lines(name), 250, 2)) <= 10


def test_a_value_that_is_there_once_can_become_the_absent_one() -> None:
    """Puzzles that differ in one given and have equal keys: 1 to 8 are given, and the only 4 becomes a 9, another name for it."""
    puzzle = Puzzle.parse("..............1.23..4.5...6........1....4.6..27..........48.......6.....12.....7.")
    (cell,) = [cell for cell, value in puzzle.givens.items() if value == 3]
    other = puzzle.with_givens({**puzzle.givens, cell: 9})
    assert puzzle.line() != other.line()
    assert isomorphic(puzzle, other)
    check(puzzle, other, same=True)
    assert len(set(short_keys(puzzle, other))) == 1


RULED = {
    "diagonals": (Grid.square(4), (Houses(), Diagonals())),
    "one diagonal": (Grid.square(4), (Houses(), Diagonals(up=False))),
    "an extra region": (Grid.square(4), (Houses(), ExtraRegion((0, 5, 10, 13)))),
    "a jigsaw": (Grid.jigsaw("aaab acbb ccdb cddd"), (Houses(),)),
    "no boxes": (Grid.rectangle(4, 4), (Houses(),)),
}


@pytest.mark.parametrize("name", RULED)
def test_other_rules_too(name: str) -> None:
    """The same under other rules that say which cells differ, whose forms come from a graph."""
    grid, rules = RULED[name]
    random = Random(name)  # noqa: S311
    seen = set()
    for number in range(5):
        chosen = random.sample(grid.cells, 5 + number % 3 + len(grid.cells) // 8)
        puzzle = Puzzle(grid, rules, {cell: random.choice(grid.values) for cell in chosen})
        copy = scramble(puzzle, number)
        assert isomorphic_sets(puzzle, copy)
        check(puzzle, copy, same=True)
        other = changed(copy, random)
        same = isomorphic_sets(puzzle, other)
        seen.add(same)
        check(puzzle, other, same=same)
    assert False in seen
