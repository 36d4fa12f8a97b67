"""The cells that all solutions share, and the givens that would leave one solution, are those that brute force finds."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random

import pytest

from sudoku_cp.errors import WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.queries.puzzle_check import ambiguity
from sudoku_cp.rules import Diagonals, Houses, KillerCage

GRID4 = Grid.square(4)
BANDS = [(*one, *other) for one, other in product(permutations(range(1, 5)), repeat=2) if not {*one[:2]} & {*other[:2]}]
GRIDS_OF_4 = [top + low for top, low in product(BANDS, BANDS) if all(len({*(top + low)[c::4]}) == 4 for c in range(4))]
SETS = [(Houses(),), (Houses(), Diagonals()), (Houses(), KillerCage((0, 1, 2), 6))]


@pytest.mark.parametrize("seed", range(12))
def test_frozen_cells_and_fewest_additions_are_those_of_brute_force(seed: int) -> None:
    """On 4x4: no other cell is the same in all solutions, and no fewer cells single out the first solution."""
    random = Random(seed)  # noqa: S311
    while True:
        known = random.choice(GRIDS_OF_4)
        cells = random.sample(range(16), seed % 4)
        puzzle = Puzzle(GRID4, SETS[seed % 3], {cell: known[cell] for cell in cells}, {random.randrange(16): 0b1110})
        every = [values for values in GRIDS_OF_4 if puzzle.holds(values)]
        if len(every) > 1:
            break
    first = every[0]
    found = ambiguity(puzzle, every[:2])
    open_ = [cell for cell in range(16) if cell not in puzzle.givens]
    assert found.whole
    assert found.frozen == tuple(cell for cell in open_ if len({values[cell] for values in every}) == 1)
    assert found.fewest
    assert found.additions is not None

    def single(chosen: tuple[int, ...]) -> bool:
        return sum(all(values[cell] == first[cell] for cell in chosen) for values in every) == 1

    assert single(found.additions)
    assert not any(single(fewer) for fewer in combinations(open_, len(found.additions) - 1))
    assert found.reason is None


def test_a_deadline_leaves_additions_that_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty board whose fewest additions are not found in time gets some that leave one solution."""
    monkeypatch.setattr("sudoku_cp.queries.puzzle_check.smallest_core", lambda _question, _number, core, _clock: core)
    board = Puzzle()
    solutions = solve(board).solutions
    found = ambiguity(board, solutions)
    assert (found.fewest, found.reason) == (False, "deadline")
    assert found.additions is not None
    assert 17 <= len(found.additions) < 81
    assert solve(board.with_givens({cell: solutions[0][cell] for cell in found.additions})).solutions == solutions[:1]


def test_a_first_solution_that_is_none_is_found_out() -> None:
    """A first solution that breaks a rule is reported as wrong."""
    wrong = (1, 2, 3, 4) * 4
    with pytest.raises(WrongAnswer):
        ambiguity(Puzzle(GRID4, givens={0: 1}), [wrong, GRIDS_OF_4[0]])
