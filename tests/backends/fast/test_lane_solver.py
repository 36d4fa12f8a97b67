"""The lane kernel counts what other engines count, keeps correct solutions, and never takes a limit for an answer."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Timer

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Grid, InvalidInput, Limits, Puzzle, WrongAnswer, backend, read_puzzles
from sudoku_cp.backends import Cancellation
from sudoku_cp.backends.base import ArrayAnswer
from sudoku_cp.backends.conformance.checks import cyclic_grid
from sudoku_cp.backends.fast import SHAPES, house_cells, lane_kernel, lane_solver, side_of
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.compile_cache import cache_root
from sudoku_cp.queries import solve_many

SIGNS = np.zeros(256, np.uint8)
SIGNS[[*b"123456789ABCDEFGHIJKLMNOP"]] = range(1, 26)
SETS = {
    "euler96.txt": (81, 1),
    "norvig_top95.txt": (81, 1),
    "magictour_top1465.txt": (81, 1),
    "17clue.txt.gz": (81, 1),
    "forum_hardest_11plus_20k.txt.gz": (81, 1),
    "generated_minimal_50k.txt.gz": (81, 1),
    "generated_easy_100k.txt.gz": (81, 1),
    "multi_16clue_5000.txt.gz": (81, 2),
    "no_solution_5000.txt.gz": (81, 0),
    "gen_6x6_2x3_minimal.txt": (36, 1),
    "gen_12x12_3x4_minimal.txt": (144, 1),
    "gecode_16x16.txt": (256, 1),
    "sudaco_16x16.txt": (256, 1),
}
"""The cells of a puzzle, and how many solutions each of a set has, 2 for several."""
QUICK_BOXES = {(2, 2), (2, 3), (3, 3)}
"""Boxes whose kernels the quick tests compile; those of the others are compiled by slow tests."""


def shapes(boxes=SHAPES):
    """Parameters for each of the boxes, slow where their kernel is."""
    return [pytest.param(one, marks=[] if one in QUICK_BOXES else pytest.mark.slow, id=str(one)) for one in boxes]


def sets():
    """Parameters for each set, slow where its kernel is."""
    return [pytest.param(name, marks=[] if cells in {36, 81} else pytest.mark.slow) for name, (cells, _) in SETS.items()]


def array_of(lines, cells):
    """Return lines as an array of values."""
    return SIGNS[np.frombuffer("".join(lines).encode(), np.uint8)].reshape(-1, cells)


def counted(engine, puzzles, limit, boxes, *, candidates=False):
    """Return the counts of another engine, puzzle by puzzle, and whether it found the solutions that the kernel kept."""
    session = backend(engine).open(Puzzle(Grid.square(side_of(boxes), boxes)).model())
    counts = []
    for puzzle in puzzles.tolist():
        assume = {cell: value if candidates else 1 << value for cell, value in enumerate(puzzle) if value or candidates}
        counts.append(len(list(islice(session.solutions(assume), limit))))
    return counts


def few_clues(boxes, number, seed, most):
    """Random clues in random cells: most grids with more than a few have no solution."""
    random = np.random.default_rng(seed)
    side = side_of(boxes)
    puzzles = random.integers(1, side + 1, (number, side**2)).astype(np.uint8)
    shown = random.random(puzzles.shape).argsort(axis=1) < random.integers(0, most + 1, (number, 1))
    return puzzles * shown


# --- the right answers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sets())
def test_sets(puzzle_lines, name):
    """Every puzzle of every set has the known number of solutions; each solution is checked as well."""
    cells, count = SETS[name]
    found = solve_many(array_of(puzzle_lines(name), cells), threads=2)
    assert (found.counts == count).all()
    assert (found.solutions.min(axis=1) > 0).all() == bool(count)


@pytest.mark.parametrize("name", sets())
def test_sets_against_sat(puzzle_lines, name):
    """A sample of every set counts as `sat` counts it, up to 1, 2 or 100 in turn."""
    cells, _ = SETS[name]
    limit = (1, 2, 100)[list(SETS).index(name) % 3]
    lines = puzzle_lines(name)
    puzzles = array_of(lines[:: max(1, len(lines) // 12)][:12], cells)
    boxes = {36: (2, 3), 81: (3, 3), 144: (3, 4), 256: (4, 4)}[cells]
    assert solve_many(puzzles, limit).counts.tolist() == counted("sat", puzzles, limit, boxes)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 2, 100])
@pytest.mark.parametrize("name", SETS)
def test_whole_sets_against_sat(puzzle_lines, name, limit):
    """The same for every puzzle of every set; for 2,000 of each set where the limit is not 2."""
    cells, _ = SETS[name]
    lines = puzzle_lines(name)
    most = len(lines) if limit == 2 else 2000
    puzzles = array_of(lines[:: max(1, len(lines) // most)][:most], cells)
    boxes = {36: (2, 3), 81: (3, 3), 144: (3, 4), 256: (4, 4)}[cells]
    assert solve_many(puzzles, limit).counts.tolist() == counted("sat", puzzles, limit, boxes)


def test_kaggle(data):
    """The stated solutions of a published set are found."""
    import gzip  # noqa: PLC0415

    rows = gzip.decompress((data / "puzzles/kaggle_10k.csv.gz").read_bytes()).decode().split()[1:]
    puzzles, stated = (array_of([row.split(",")[column] for row in rows], 81) for column in (0, 1))
    found = solve_many(puzzles)
    assert (found.counts == 1).all()
    assert (found.solutions == stated).all()


@pytest.mark.parametrize("boxes", shapes())
def test_every_shape(boxes):
    """Few-clue grids of every shape, valid and not, count as `sat` counts them."""
    puzzles = few_clues(boxes, 6 if side_of(boxes) > 9 else 60, seed=1, most=side_of(boxes))
    found = solve_many(puzzles, boxes=boxes, limits=Limits(nodes=3000))
    for puzzle, count, stopped in zip(puzzles, found.counts, found.stopped(2), strict=True):
        wanted = counted("sat", puzzle[None], 2, boxes)[0]
        # Large boards with contradictions far apart may well be too hard; then what was found must be too little.
        assert count == wanted or (stopped and count <= wanted)
    assert found.stopped(2).mean() < 0.5


@pytest.mark.parametrize(
    ("boxes", "number", "most", "limit"), [((2, 2), 300, 9, 100), ((2, 3), 100, 12, 2), ((3, 3), 100, 26, 1)], ids=str
)
def test_few_clues(boxes, number, most, limit):
    """Hundreds of random grids, valid and not, count as another engine counts them."""
    puzzles = few_clues(boxes, number, seed=most, most=most)
    engine = "native" if boxes != (3, 3) else "sat"
    assert solve_many(puzzles, limit, boxes=boxes).counts.tolist() == counted(engine, puzzles, limit, boxes)


@pytest.mark.slow
@pytest.mark.parametrize(("boxes", "number", "most"), [((2, 2), 40_000, 10), ((3, 2), 20_000, 14), ((3, 3), 20_000, 27)], ids=str)
def test_many_few_clues(boxes, number, most):
    """Tens of thousands of random grids count as `sat` counts them."""
    puzzles = few_clues(boxes, number, seed=2, most=most)
    assert solve_many(puzzles, boxes=boxes).counts.tolist() == counted("sat", puzzles, 2, boxes)


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(0, 15).map(lambda bits: bits << 1), min_size=16, max_size=16), min_size=1, max_size=40))
def test_candidates(grids):
    """Sets of candidates in the cells of a 4x4 board count as the native engine counts them."""
    puzzles = np.array(grids, np.uint32)
    found = solve_many(puzzles, 300, candidates=True)
    assert found.counts.tolist() == counted("native", puzzles, 300, (2, 2), candidates=True)


@pytest.mark.parametrize("boxes", shapes([(3, 3), (4, 4), (5, 5)]))
def test_given_as_candidates(boxes):
    """A puzzle is the same puzzle as values and as sets of candidates."""
    puzzles = few_clues(boxes, 40, seed=8, most=side_of(boxes))
    everything = (2 << side_of(boxes)) - 2
    sets = np.where(puzzles == 0, everything, np.left_shift(1, puzzles.astype(np.int64)))
    limits = Limits(nodes=1000)
    by_values = solve_many(puzzles, 5, boxes=boxes, limits=limits)
    by_sets = solve_many(sets, 5, boxes=boxes, candidates=True, limits=limits)
    assert by_values.counts.tolist() == by_sets.counts.tolist()
    assert by_values.solutions.tolist() == by_sets.solutions.tolist()


def test_all_of_4x4():
    """The empty 4x4 board has its 288 grids, and a count stops at its limit."""
    empty = np.zeros((3, 16), np.uint8)
    for limit, count in ((None, 288), (10**30, 288), (289, 288), (288, 288), (287, 287)):
        found = solve_many(empty, limit)
        assert found.counts.tolist() == [count] * 3
        assert found.exact.tolist() == [limit is None or limit > 288] * 3
        assert not found.stopped(limit).any()


@pytest.mark.parametrize(
    ("number", "threads"), [(0, 1), (0, 3), (1, 2), (31, 1), (32, 2), (33, 3), (100, 1), (4097, 2), (4097, 3)]
)
def test_any_number(puzzle_lines, number, threads):
    """However many puzzles there are, on however many threads, the answers are in the puzzles' order."""
    puzzles = array_of(puzzle_lines("17clue.txt.gz")[:number], 81) if number else np.zeros((0, 81), np.uint8)
    found = solve_many(puzzles, threads=threads)
    assert found.counts.tolist() == [1] * number
    assert ((puzzles == 0) | (puzzles == found.solutions)).all()


def test_few_puzzles_wake_no_thread(puzzle_lines, monkeypatch):
    """Up to 256 classic grids are searched and checked in the calling thread; more of them, and hard ones, are not."""

    def refuse(threads):
        raise RuntimeError(f"expected no thread, got {threads}")

    puzzles = array_of(puzzle_lines("17clue.txt.gz")[:512], 81)
    hard = np.zeros((1, 81), np.uint8)
    expected = solve_many(puzzles)
    monkeypatch.setattr("sudoku_cp.backends.fast.puzzle_arrays.thread_pool", refuse)
    few = solve_many(puzzles[:256])
    assert (few.solutions == expected.solutions[:256]).all()
    assert few.exact.all()
    assert (few.counts == 1).all()
    for array, limit in ((puzzles, 2), (hard, 10**6)):
        with pytest.raises(RuntimeError, match="expected no thread"):
            solve_many(array, limit)


# --- limits -----------------------------------------------------------------------------------------------------


def test_node_limit(puzzle_lines):
    """A puzzle that needs more guesses is marked unknown, with the solutions found; the others are answered."""
    hard, easy = array_of(puzzle_lines("forum_hardest_11plus_20k.txt.gz")[:40], 81), array_of(puzzle_lines("euler96.txt"), 81)
    mixed = np.concatenate([hard, easy])
    found = solve_many(mixed, limits=Limits(nodes=3))
    stopped = found.stopped(2)
    assert stopped[:40].sum() > 30
    assert (found.exact & (found.counts == 1))[40:].sum() > 40
    full = solve_many(mixed)
    assert ((found.counts == full.counts) | stopped).all()
    assert (found.counts[stopped] <= 1).all()


@pytest.mark.parametrize("boxes", shapes())
def test_no_worst_case(boxes):
    """Empty boards, and boards that lack a place for a value, end within the node limit."""
    side = side_of(boxes)
    puzzles = np.zeros((3, side**2), np.uint8)
    # The last value of a row cannot be placed: it stands in the column of the only blank.
    puzzles[1, : side - 1] = range(1, side)
    puzzles[1, 2 * side - 1 + (boxes[0] - 1) * side] = side
    puzzles[2, : side - 2] = range(1, side - 1)
    found = solve_many(puzzles, 10**6, boxes=boxes, limits=Limits(nodes=5000))
    assert found.counts[1] == 0
    assert found.stopped(10**6)[:2].tolist() == [side > 4, False]


def test_deadline():
    """A deadline ends endless work, and leaves unfinished puzzles unknown."""
    found = solve_many(np.zeros((200, 81), np.uint8), 10**9, limits=Limits(seconds=0.1), threads=2)
    assert found.stopped(10**9).all()


def test_no_time():
    """With no time, no puzzle that takes any is answered."""
    assert solve_many(np.zeros((100, 81), np.uint8), 10**9, limits=Limits(seconds=0)).stopped(10**9).all()


@pytest.mark.parametrize("delay", [None, 0.1])
def test_cancellation(delay):
    """A cancellation, before or from another thread, ends the work."""
    cancel = Cancellation()
    if delay is None:
        cancel.cancel()
    else:
        Timer(delay, cancel.cancel).start()
    found = solve_many(np.zeros((100, 81), np.uint8), 10**9, limits=Limits(cancel=cancel))
    assert found.stopped(10**9).all()


# --- bad arrays -------------------------------------------------------------------------------------------------

WRONG = {
    "no integers": (np.zeros((2, 81)), {}, "expected an array of integers, got float64"),
    "objects": (np.full((1, 81), None), {}, "got object"),
    "truth values": (np.zeros((2, 81), bool), {}, "got bool"),
    "one puzzle": (np.zeros(81, np.uint8), {}, r"got \(81,\)"),
    "no square": (np.zeros((2, 80), np.uint8), {}, r"got \(2, 80\)"),
    "a side nobody knows": (np.zeros((2, 49), np.uint8), {}, "with 16, 36, 64, 81, 144, 225, 256, 625 cells"),
    "other boxes": (np.zeros((2, 81), np.uint8), {"boxes": (4, 4)}, r"expected an array of shape \(N, 256\)"),
    "unknown boxes": (np.zeros((2, 81), np.uint8), {"boxes": (1, 9)}, r"got \(1, 9\)"),
    "one side of a box": (np.zeros((2, 81), np.uint8), {"boxes": (3,)}, r"got \(3,\)"),
    "too large a value": (np.full((2, 81), 10, np.uint8), {}, "values from 0 to 9, got 10 in cell 0 of puzzle 0, and 162 such"),
    "negative": (np.full((1, 81), -1), {}, "got -1"),
    "a value 0 as candidate": (np.full((1, 81), 3), {"candidates": True}, "sets of the values 1 to 9"),
    "a value 10 as candidate": (np.full((1, 81), 1024), {"candidates": True}, "got 1024"),
    "no limit": (np.zeros((1, 81), np.uint8), {"solution_limit": 0}, "from 1, got 0"),
    "half a limit": (np.zeros((1, 81), np.uint8), {"solution_limit": 1.5}, "limit: expected a whole number or None, got 1.5"),
    "no threads": (np.zeros((1, 81), np.uint8), {"threads": 0}, "threads from 1, got 0"),
    "half a thread": (np.zeros((1, 81), np.uint8), {"threads": 0.5}, "threads: expected a whole number, got 0.5"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arrays(name):
    """An array that holds no puzzles is refused with what was expected, what was given, and where."""
    array, options, words = WRONG[name]
    with pytest.raises(InvalidInput, match=words):
        solve_many(array, **options)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint64])
def test_any_integers(puzzle_lines, kind):
    """Any integers will do, in any layout."""
    puzzles = array_of(puzzle_lines("euler96.txt"), 81)
    assert (solve_many(np.asfortranarray(puzzles.astype(kind))).counts == 1).all()
    assert (solve_many(puzzles[::-3]).counts == 1).all()


# --- the check --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("candidates", [False, True])
def test_wrong_solutions_are_caught(puzzle_lines, candidates):
    """A single wrong value, in any cell, and the correct grid of another puzzle are not taken for a solution."""
    puzzles = array_of(puzzle_lines("17clue.txt.gz")[:81], 81)
    found = solve_many(puzzles)
    if candidates:
        puzzles = np.where(puzzles == 0, 1022, np.left_shift(1, puzzles.astype(np.int64)))
    wrong = found.solutions.copy()
    wrong[range(81), range(81)] = wrong[range(81), range(81)] % 9 + 1
    told = lane_solver.check_solutions(puzzles, found._replace(solutions=wrong), boxes=(3, 3), candidates=candidates)
    assert not told.any()
    told = lane_solver.check_solutions(
        puzzles, found._replace(solutions=np.roll(found.solutions, 1, axis=0)), boxes=(3, 3), candidates=candidates
    )
    assert not told.any()
    swapped = found.solutions[:, np.r_[0:72, 73, 72, 74:81]]
    assert not lane_solver.check_solutions(puzzles, found._replace(solutions=swapped), boxes=(3, 3), candidates=candidates).any()
    assert lane_solver.check_solutions(puzzles, found, boxes=(3, 3), candidates=candidates).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("number", [200, 300, 1003, 4000])
def test_each_thread_checks_what_it_found(puzzle_lines, monkeypatch, threads, number):
    """However many threads search, every wrong solution is caught and no other, and a puzzle without one needs none."""
    puzzles = np.resize(array_of(puzzle_lines("17clue.txt.gz")[:50], 81), (number, 81))
    wrong = np.random.default_rng(threads).random(number) < 0.1
    wrong[7] = False
    search = lane_kernel.LaneKernel.search

    def err(kernel, fields):
        starts = search(kernel, fields)
        own = np.zeros(number, np.bool_)
        for start in starts.tolist():
            own[start : start + fields["share"]] = True
        fields["solutions"][own & wrong, 40] = fields["solutions"][own & wrong, 40] % 9 + 1
        if own[7]:
            fields["counts"][7], fields["solutions"][7] = 0, 0
        return starts

    monkeypatch.setattr(lane_kernel.LaneKernel, "search", err)
    told = lane_solver.solve_checked(puzzles, boxes=(3, 3), threads=threads).right
    assert (told == ~wrong).all()


def verdicts(puzzles, grids, boxes, *, candidates=False):
    """Return what the check says of filled grids."""
    ones = np.ones(len(grids), np.int64)
    found = ArrayAnswer(np.ascontiguousarray(grids, np.uint8), ones, ones == 1)
    return lane_solver.check_solutions(puzzles, found, boxes=boxes, candidates=candidates)


def full_grid(boxes):
    """Return the values of a full grid."""
    return np.array([allowed.bit_length() - 1 for _, allowed in sorted(cyclic_grid(*boxes).items())], np.uint8)


@pytest.mark.parametrize("boxes", shapes())
def test_any_byte_in_any_cell_is_caught(boxes):
    """A full grid with any other byte in any one cell is no solution, even of an empty puzzle; those between them are."""
    side, right = side_of(boxes), full_grid(boxes)
    grids, wrong = [], []
    for cell, value in enumerate(right.tolist()):
        telling = {
            *range(side + 2),
            *(value ^ 1 << bit for bit in range(8)),
            127,
            128,
            255,
            (value + 8) % 256,
            (value + 16) % 256,
        }
        for byte in range(256) if side <= 9 else sorted(telling):
            grids.append(right.copy())
            grids[-1][cell] = byte
            wrong.append(byte != value)
    found = verdicts(np.zeros((len(grids), side**2), np.uint8), np.array(grids), boxes)
    assert found.tolist() == [not one for one in wrong]


def move_about(board, boxes, random):
    """Move something on a full board: rows, single cells or values."""
    side = len(board)
    one, other = random.choice(side, 2, replace=False)
    near, far = random.integers(boxes[1]) * boxes[0] + random.choice(boxes[0], 2, replace=False)
    along = random.integers(side)
    match random.integers(6):
        case 0:  # keeps all houses
            board[[near, far]] = board[[far, near]]
        case 1:  # breaks boxes alone, unless the rows lie in one band
            board[[one, other]] = board[[other, one]]
        case 2:  # breaks two rows alone
            board[[near, far], along] = board[[far, near], along]
        case 3:  # breaks columns, and boxes unless both cells lie in one
            board[along, [one, other]] = board[along, [other, one]]
        case 4:
            board[board == one + 1] = other + 1
        case 5:  # keeps all houses
            board[:] = (random.permutation(side) + 1)[board - 1]


@pytest.mark.parametrize("candidates", [False, True])
@pytest.mark.parametrize("boxes", shapes())
def test_the_check_agrees_with_the_definition(boxes, candidates):
    """Full grids whose lines, boxes and values were moved about, rightly or wrongly, are judged as house by house."""
    random, side, right = np.random.default_rng(9), side_of(boxes), full_grid(boxes)
    grids = np.repeat(right[None], 600 if side < 20 else 60, 0)
    for grid in grids:
        for _ in range(random.integers(3)):
            move_about(grid.reshape(side, side), boxes, random)
    houses = grids[:, house_cells(boxes)]
    full = (np.sort(houses, axis=2) == np.arange(1, side + 1)).all((1, 2))
    puzzles = grids * (random.random(grids.shape) < 0.4)
    puzzles[::3, :] = right * (puzzles[::3, :] > 0)  # not the givens of this grid, perhaps
    kept = ((puzzles == 0) | (puzzles == grids)).all(1)
    assert 0.1 < (full & kept).mean() < 0.9
    assert (~full & kept).any()
    assert (full & ~kept).any()
    if candidates:
        others = random.integers(0, 1 << side, puzzles.shape) << 1
        given = np.left_shift(1, puzzles.astype(np.int64))
        puzzles = np.where(puzzles == 0, np.left_shift(1, grids.astype(np.int64)) | others, given)
    for number in (1, 2, 15, 16, 17, 63, 64, 65, len(grids)):
        assert (verdicts(puzzles[:number], grids[:number], boxes, candidates=candidates) == (full & kept)[:number]).all()


def test_wrong_answers_are_refused(monkeypatch):
    """A kernel that errs is never believed."""

    def err(kernel, fields):
        fields["solutions"][:] = fields["counts"][:] = 1
        return np.zeros(1, np.int64)

    monkeypatch.setattr(lane_kernel.LaneKernel, "search", err)
    with pytest.raises(WrongAnswer, match="expected a solution of puzzle 0"):
        solve_many(np.zeros((2, 81), np.uint8))


# --- processors, and cached code --------------------------------------------------------------------------------

CHILD = """
import os
import numpy as np
from sudoku_cp import read_puzzles
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.queries import solve_many
rows = [[puzzle.givens.get(cell, 0) for cell in range(81)] for puzzle in read_puzzles("examples/euler96.txt")]
puzzles = {"3x3": np.array(rows), "2x2": np.eye(16, dtype=int)}
for boxes in os.environ.get("BOXES", "2x2").split():
    found = solve_many(puzzles[boxes], 5)
    print(host_instruction_set().name, len(found.counts), set(found.counts.tolist()), found.solutions[:, :3].sum())
"""
"""Small boards, which compile quickly, unless it matters."""


def in_a_child(tmp_path, **environment):
    """Run the kernel in a new process."""
    root = Path(__file__).parents[3]
    env = {**os.environ, "SUDOKU_CP_CACHE": str(tmp_path / "kept"), **environment}
    done = subprocess.run([sys.executable, "-c", CHILD], cwd=root, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


PROCESSORS = {
    "avx2": "+sse2,+ssse3,+sse4.1,+sse4.2,+popcnt,+avx,+avx2,+bmi,+bmi2",
    "128-bit": "+sse2,+ssse3,+sse4.1,+sse4.2,+popcnt",
    "avx512": "+sse2,+ssse3,+sse4.1,+sse4.2,+popcnt,+avx,+avx2,+bmi,+bmi2,+avx512f,+avx512bw,+avx512vl,+avx512dq,+avx512cd",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["avx2", "128-bit", "avx512"])
def test_processors(tmp_path, name):
    """Processors with narrower vectors, or without the newest instructions, give the same answers."""
    if name == "avx512" and host_instruction_set().vector_bits < 512:
        pytest.skip("this processor has no AVX-512")
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        pytest.skip("these are names of features of x86-64")
    puzzles = [[puzzle.givens.get(cell, 0) for cell in range(81)] for puzzle in read_puzzles("examples/euler96.txt")]
    found = solve_many(np.array(puzzles), 5)
    here = f"{len(found.counts)} {set(found.counts.tolist())} {found.solutions[:, :3].sum()}"
    there, said = in_a_child(tmp_path, BOXES="3x3", NUMBA_CPU_FEATURES=PROCESSORS[name], NUMBA_CPU_NAME="generic")
    assert there == [f"{name} {here}"]
    assert f"compiling the {name} kernel" in said


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The standard output and error of a process that compiled a shape, and its cache directory."""
    folder = tmp_path_factory.mktemp("first")
    return *in_a_child(folder), folder


@pytest.mark.slow
def test_compiled_once(first):
    """The first process announces once that it compiles; the next finds the code and is silent."""
    printed, said, folder = first
    assert said.count("compiling the") == 1
    assert in_a_child(folder) == (printed, "")


def test_what_is_compiled_is_found(tmp_path):
    """A process that finds the code where others have kept it is silent."""
    kept = {"SUDOKU_CP_CACHE": str(cache_root())}
    printed, _ = in_a_child(tmp_path, **kept)
    assert in_a_child(tmp_path, **kept) == (printed, "")


@pytest.mark.slow
def test_nowhere_to_keep_it(tmp_path):
    """If the cache cannot be written, the kernel works all the same, and a message says that it is not kept."""
    (tmp_path / "file").write_text("in the way")
    found, said = in_a_child(tmp_path, SUDOKU_CP_CACHE=str(tmp_path / "file"))
    assert found
    assert "not kept" in said


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "damage"), [(".nbi", b""), (".nbi", b"\x80"), (".nbc", b"no pickle")])
def test_damaged_cache(first, tmp_path, ending, damage):
    """Cached code that cannot be read is reported, deleted and compiled anew; the next process finds it intact."""
    (small,), _, folder = first
    shutil.copytree(folder / "kept", tmp_path / "kept")
    files = [*(tmp_path / "kept").rglob(f"*{ending}")]
    assert files
    for file in files:
        file.write_bytes(damage)
    again, said = in_a_child(tmp_path)
    assert again == [small]
    assert "cannot be used" in said
    assert in_a_child(tmp_path) == ([small], "")


@pytest.mark.slow
def test_nobodys_home(tmp_path):
    """Without a home directory, a cache directory or an entry in the list of users, nothing is cached and all works."""
    code = "import pwd\npwd.getpwuid = lambda _: (_ for _ in ()).throw(KeyError())\n" + CHILD
    env = {name: told for name, told in os.environ.items() if name not in {"HOME", "XDG_CACHE_HOME", "SUDOKU_CP_CACHE"}}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[3], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "not kept" in done.stderr


def test_the_cache_directory_depends_on_the_sources(monkeypatch, tmp_path):
    """A change in any source, the processor or the layout leads to another directory: old code can never run."""
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path / "cache"))
    copy = shutil.copytree(lane_kernel.SOURCES, tmp_path / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(lane_kernel, "SOURCES", copy)
    host, layout = host_instruction_set(), lane_kernel.lane_kernel(3, 3).layout
    directories = {lane_kernel.kernel_cache_dir(layout, host)}
    directories.add(lane_kernel.kernel_cache_dir(replace(layout, height=2), host))
    directories.add(lane_kernel.kernel_cache_dir(layout, replace(host, vector_bits=64)))
    sources = [*copy.glob("*.py")]
    for source in sources:
        source.write_text(source.read_text() + "#")
        directories.add(lane_kernel.kernel_cache_dir(layout, host))
    assert len(directories) == 3 + len(sources)
