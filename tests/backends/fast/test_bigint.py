"""Big integers find all solutions and nothing else, on every shape of box, within every limit."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from random import Random
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import Cancellation, Limits, backend
from sudoku_cp.backends.conformance.checks import cyclic_grid
from sudoku_cp.backends.fast import SHAPES, session, side_of
from sudoku_cp.backends.fast.session import bitplane_board
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.backends import Assumed, Session, Solution

NINE = Puzzle().model()
IMPOSSIBLE = (
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    "....3....18...........1..........2........6....46......974....2.......7.28.9.7.4.",
)
"""Grids with few clues and no solution; the first takes 600,000 nodes without last-conflict reasoning."""


def _sessions(boxes=(3, 3)) -> tuple[Session, Session]:
    """Return a session of big integers and one of SAT, on the same grid."""
    model = Puzzle(Grid.square(side_of(boxes), boxes)).model()
    return backend("fast:bigint").open(model), backend("sat").open(model)


def _first(session: Session, assume: Assumed, limit: int) -> list[Solution]:
    return list(islice(session.solutions(assume), limit))


def _agree(sessions: tuple[Session, Session], assume: Assumed, limit: int) -> int:
    """Require that both find equally many solutions, and the same ones below the limit; return how many."""
    ours, theirs = (_first(session, assume, limit) for session in sessions)
    assert len(set(ours)) == len(ours) == len(theirs)
    assert len(ours) == limit or set(ours) == set(theirs)
    return len(ours)


def test_puzzles_of_16x16(puzzle_lines) -> None:
    """Some 16x16 puzzles made by others have one solution each (`test_sets` has the other sets)."""
    for line in puzzle_lines("sudaco_16x16.txt")[::4]:
        puzzle = Puzzle.parse(line)
        found = _first(backend("fast:bigint").open(puzzle.model()), puzzle.assume(), 2)
        assert len(found) == 1
        assert puzzle.holds(found[0])


@pytest.mark.parametrize("boxes", SHAPES)
def test_every_shape_of_box(boxes) -> None:
    """On grids of every shape, with some givens of a full grid taken away or changed, SAT finds the same."""
    random, sessions, side = Random(3), _sessions(boxes), side_of(boxes)  # noqa: S311
    whole = cyclic_grid(*boxes)
    assert _agree(sessions, whole, 2) == 1
    counts = set()
    for _ in range(100 // side if side < 20 else 2):
        kept = random.sample(sorted(whole), random.randint(side**2 * 2 // 5, side**2 * 4 // 5))
        assume = {cell: whole[cell] for cell in kept}
        if random.randrange(3) == 0:
            assume[random.choice(kept)] = 2 << random.randrange(side)
        counts.add(_agree(sessions, assume, random.choice((1, 2, 100 if side < 10 else 3))))
    assert len(counts) > 1 or side > 16


def _few(random: Random, clues: int, side: int = 9) -> Assumed:
    """Return random clues; half of the time none obviously breaks a rule."""
    grid, houses = {}, Grid.square(side).houses.values()
    careful = random.randrange(2)
    for cell in random.sample(range(side**2), clues):
        seen = {grid.get(other, 0) for house in houses if cell in house for other in house} if careful else set()
        values = [value for value in range(1, side + 1) if 1 << value not in seen]
        if values:
            grid[cell] = 1 << random.choice(values)
    return grid


@pytest.mark.parametrize("seed", range(3))
def test_grids_of_few_clues(seed: int) -> None:
    """Grids of 0 to 30 clues, right or wrong, have the solutions that SAT finds, up to 1, 2 and 100."""
    random, sessions = Random(seed), _sessions()  # noqa: S311
    for _ in range(120):
        _agree(sessions, _few(random, random.randint(0, 30)), random.choice((1, 2, 2, 100)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_thousands_of_grids_of_few_clues(seed: int) -> None:
    """More of the same, and with sets of candidates."""
    random, sessions = Random(seed + 100), _sessions()  # noqa: S311
    for _ in range(2000):
        assume = _few(random, random.randint(0, 30))
        for cell in random.sample(range(81), random.randint(0, 40)):
            assume[cell] = assume.get(cell, 0) | random.getrandbits(10)
        _agree(sessions, assume, random.choice((1, 2, 2, 100)))


@settings(max_examples=60)
@given(st.dictionaries(st.integers(0, 35), st.integers(0, 127), max_size=36), st.sampled_from([1, 2, 100]))
def test_any_candidates(assume: dict[int, int], limit: int) -> None:
    """Any sets of candidates of 6x6 cells, including impossible values and empty sets, give the same solutions as SAT."""
    _agree(_sessions((2, 3)), assume, limit)


@settings(max_examples=30)
@given(st.dictionaries(st.integers(0, 80), st.integers(1, 1022), min_size=30, max_size=81))
def test_any_candidates_of_the_usual_grid(assume: dict[int, int]) -> None:
    """The same for 9x9 cells."""
    _agree(_sessions(), assume, 2)


# --- what is hard -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_what_cannot_be_filled_is_found_out_once(line: str) -> None:
    """A contradiction among a few cells is not found again under every guess elsewhere."""
    session = backend("fast:bigint").open(NINE)
    puzzle = Puzzle.parse(line)
    assert list(session.solutions(puzzle.assume(), limits=Limits(nodes=3000))) == []


@pytest.mark.parametrize("size", [9, 16, 25])
@pytest.mark.parametrize("missing", [0, 1])
def test_the_empty_grid_has_solutions(size: int, missing: int) -> None:
    """A solution of the empty grid, or of one without a value in its top half, is found within limits."""
    puzzle = Puzzle(Grid.square(size))
    without = dict.fromkeys(range(size * 3), ~(2 << size - 1)) if missing else {}
    session = backend("fast:bigint").open(puzzle.model())
    found = session.solutions(without, limits=Limits(seconds=30))
    if missing:
        assert list(found) == []
    else:
        assert puzzle.holds(next(found))


def test_limits_stop_a_search_in_the_middle() -> None:
    """Nodes, a deadline and a cancellation stop twelve cells that share eleven values."""
    session, _ = _sessions((4, 4))
    crowd = dict.fromkeys(range(12), 0b111111111110)
    cancel = Cancellation()
    for limits, reason in ((Limits(nodes=50), "nodes"), (Limits(seconds=0.1), "deadline"), (Limits(cancel=cancel), "cancelled")):
        Timer(0.1, cancel.cancel).start()
        with pytest.raises(LimitReached) as caught:
            list(session.solutions(crowd, limits=limits))
        assert caught.value.reason == reason
        assert reason != "nodes" or session.counters()["nodes"] > 50


def test_what_a_limit_left_is_left() -> None:
    """The solutions found before a limit and those of the unsearched grids are all solutions, each once."""
    session = backend("fast:bigint").open(Puzzle(Grid.square(4)).model())
    whole = list(session.solutions())
    assert (len(whole), session.unsearched()) == (288, [])
    for nodes in (0, 1, 2, 7, 50, 200, 400):
        found = []
        with pytest.raises(LimitReached):
            found.extend(session.solutions(limits=Limits(nodes=nodes)))
        left = [list(session.solutions(rest)) for rest in session.unsearched()]
        assert sorted([*found, *(one for part in left for one in part)]) == sorted(whole)


def test_counters_add_up() -> None:
    """Every node is a contradiction, a guess or a solution."""
    session = backend("fast:bigint").open(NINE)
    for line, solutions in (
        (IMPOSSIBLE[0], 0),
        ("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......", 1),
    ):
        found = list(session.solutions(Puzzle.parse(line).assume()))
        counts = session.counters()
        assert len(found) == solutions
        assert counts["nodes"] == counts["guesses"] + counts["backtracks"] + solutions


# --- the parts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boxes", SHAPES)
def test_loading_and_reading_undo_each_other(boxes) -> None:
    """A full grid is read back as it was loaded, and so are candidates."""
    board, whole = bitplane_board(*boxes), cyclic_grid(*boxes)
    grid = session.grid_from(board, whole)
    assert session.values_of(board, grid) == tuple(allowed.bit_length() - 1 for allowed in whole.values())
    assert session.candidates(board, grid) == whole
    assert session.propagate(board, grid) == grid
    assert session.candidates(board, session.grid_from(board, {})) == dict.fromkeys(whole, (2 << side_of(boxes)) - 2)


@pytest.mark.parametrize("boxes", [(2, 2), (2, 3), (3, 2)])
def test_narrowing_loses_no_solution(boxes) -> None:
    """No solution has a candidate that propagation excludes; if it excludes all, there is none."""
    random, side = Random(5), side_of(boxes)  # noqa: S311
    board, (_, oracle) = bitplane_board(*boxes), _sessions(boxes)
    for _ in range(60):
        assume = {cell: random.getrandbits(side) << 1 | 2 << random.randrange(side) for cell in range(side**2)}
        narrowed = session.propagate(board, session.grid_from(board, assume))
        solutions = _first(oracle, assume, 300)
        assert narrowed or not solutions
        left = session.candidates(board, narrowed)
        assert all(left[cell] >> value & 1 for solution in solutions for cell, value in enumerate(solution))
        assert all(left[cell] & ~assume[cell] == 0 for cell in left)


def test_one_puzzle_needs_nothing_imported() -> None:
    """Big integers work with the standard library alone."""
    code = """
import sys
from sudoku_cp import Puzzle, solve
puzzle = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
print(solve(puzzle).backend, *(name for name in ("numpy", "numba", "pysat", "ortools", "rich") if name in sys.modules))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["fast:bigint"]
