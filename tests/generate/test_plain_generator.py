"""Puzzles on plain boards are as requested."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from hashlib import sha256
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.backends import UNLIMITED, Cancellation, Limits
from sudoku_cp.backends.fast import SHAPES, side_of
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.backends.fast.lane_solver import probe
from sudoku_cp.bench.machine import WIDTHS, available_widths, environment_without_wider
from sudoku_cp.errors import InvalidInput, LimitReached, Unsupported
from sudoku_cp.generate import targets
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, Span
from sudoku_cp.generate.plain import plain_generator
from sudoku_cp.generate.plain.dig import minimal_boards, random_orders_by_rows
from sudoku_cp.generate.plain.full_grids import (
    MOST_COMPLETIONS,
    UNIFORM,
    below,
    full_grids,
    gibbs_grids,
    random_words,
    shuffled_grids,
)
from sudoku_cp.generate.plain.plain_generator import PlainGenerator, count_redundant
from sudoku_cp.generate.request_parsing import parse_pattern, pattern_text
from sudoku_cp.generate.targets import make_target
from sudoku_cp.grid import Board, Grid
from sudoku_cp.logic.rating.levels import parse_levels
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric
from sudoku_cp.queries import is_unique
from sudoku_cp.rules import RULES

# --- plain generator --------------------------------------------------------------------------------------------------


SIX, NINE = Grid.square(6), Grid.square(9)
CHECKED = tuple(cell for cell in NINE.cells if sum(NINE.places[cell]) % 2 == 0)
PATTERN = parse_pattern(
    "##..#.#...#.#..#.....#....##.#...#....#.#.#....#...#.##....#.....#..#.#...#.#..##", NINE
)  # one grid in some ten thousand has one solution on these 28 cells
REQUESTS = {
    "nothing": GenerateRequest(),
    "sixes": GenerateRequest(SIX),
    "symmetric sixes": GenerateRequest(SIX, symmetry="rot180", minimal=True),
    "half turn": GenerateRequest(symmetry="rot180"),
    "all symmetries": GenerateRequest(symmetry="full"),
    "minimal and symmetric": GenerateRequest(symmetry="antidiagonal", minimal=True),
    "few givens": GenerateRequest(givens=Span(0, 22), minimal=True),
    "many givens": GenerateRequest(givens=Span(30, 32), symmetry="mirror"),
    "exactly": GenerateRequest(givens=Span(36, 36), symmetry="mirrors"),
    "from on": GenerateRequest(givens=Span(40)),
    "pattern": GenerateRequest(pattern=CHECKED),
    "hard pattern": GenerateRequest(pattern=PATTERN),
    "easy": GenerateRequest(difficulty="easy", symmetry="diagonal"),
    "medium": GenerateRequest(difficulty="medium", givens=Span(0, 27)),
    "hard": GenerateRequest(difficulty="hard", symmetry="rot90"),
    "easy and minimal": GenerateRequest(difficulty="easy", minimal=True),
    "singles": GenerateRequest(singles_only=True),
    "guesses": GenerateRequest(guesses=Span(3, 6)),
}
SEED, NUMBER = 5, 8
OTHERS = [boxes for boxes in SHAPES if boxes not in UNIFORM]


def made(wanted, numbers, limits=UNLIMITED):
    """Return the puzzle of each number."""
    found = {}
    for part in PlainGenerator(wanted, SEED).make(numbers, limits):
        for one in [part] if isinstance(part, GeneratedPuzzle) else part.each():
            found[one.number] = one
    return found


@pytest.fixture(scope="module")
def puzzles():
    """Gives the puzzles of a request, made together."""
    kept = {}

    def get(name):
        if name not in kept:
            kept[name] = made(REQUESTS[name], range(NUMBER))
        return kept[name]

    return get


def lines(found):
    """Return the puzzles in the order of their numbers, with solutions and tries."""
    return [(number, one.puzzle.line(), one.puzzle.solution, one.tries) for number, one in sorted(found.items())]


@pytest.mark.parametrize("name", REQUESTS)
def test_every_puzzle_has_one_solution_which_it_states(name, puzzles):
    """Another engine than the one that made them agrees, and the stated solution obeys the rules."""
    found = puzzles(name)
    assert sorted(found) == list(range(NUMBER))
    for one in found.values():
        assert one.puzzle.holds(one.puzzle.solution)
        assert is_unique(one.puzzle, backend="sat")
        assert one.reason is None


@pytest.mark.parametrize("name", REQUESTS)
def test_every_request_is_fulfilled(name, puzzles):
    """Symmetry, pattern, number of givens and difficulty are as asked for."""
    wanted = REQUESTS[name]
    for one in puzzles(name).values():
        given = tuple(one.puzzle.givens)
        assert is_symmetric(wanted.grid, wanted.symmetry, given)
        assert wanted.pattern is None or given == wanted.pattern
        assert wanted.givens is None or wanted.givens.miss(len(given)) == 0
        row = np.array([[one.puzzle.givens.get(cell, 0) for cell in wanted.grid.cells]], np.uint8)
        assert make_target(wanted).miss(Puzzle(wanted.grid), row)[0] == 0


@pytest.mark.parametrize("name", [name for name, wanted in REQUESTS.items() if wanted.minimal or wanted == GenerateRequest()])
def test_minimal_puzzles_are_minimal(name, puzzles):
    """Without any one of the givens there are several solutions, according to another engine."""
    for one in list(puzzles(name).values())[:3]:
        for cell in one.puzzle.givens:
            left = {other: value for other, value in one.puzzle.givens.items() if other != cell}
            assert not is_unique(one.puzzle.with_givens(left), backend="sat")


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("nothing", 1),
        ("sixes", 7),
        ("minimal and symmetric", 7),
        ("few givens", 1),
        ("pattern", 7),
        ("medium", 1),
        ("guesses", 7),
    ],
)
def test_a_puzzle_is_the_same_whatever_is_made_beside_it(name, size, puzzles):
    """Blocks of one, of seven and of all give the same puzzles, after as many tries."""
    cuts = [*range(0, NUMBER, size), NUMBER]
    parts = [made(REQUESTS[name], range(*span)) for span in pairwise(cuts)]
    assert lines({number: one for part in parts for number, one in part.items()}) == lines(puzzles(name))


def test_numbers_come_in_any_order_and_once():
    """Neither the order of the numbers nor asking for one twice makes a difference."""
    assert lines(made(REQUESTS["few givens"], [7, 3, 7])) == [
        one for one in lines(made(REQUESTS["few givens"], range(8))) if one[0] in {3, 7}
    ]


def test_where_nothing_is_asked_puzzles_are_those_of_the_fast_path():
    """Without further requests the generator gives the puzzles of `minimal_boards`."""
    givens, solutions = minimal_boards(SEED, range(NUMBER))
    for number, one in made(GenerateRequest(), range(NUMBER)).items():
        assert one.puzzle.solution == tuple(solutions[number].tolist())
        assert one.puzzle.givens == {cell: value for cell, value in enumerate(givens[number].tolist()) if value}


def test_other_seeds_and_numbers_give_other_puzzles(puzzles):
    """No two of the puzzles are the same."""
    others = [PlainGenerator(GenerateRequest(), SEED + 1).make(range(NUMBER), Limits())]
    found = {one.puzzle.line() for part in others for sheet in part for one in sheet.each()}
    assert len(found | {line for _, line, *_ in lines(puzzles("nothing"))}) == 2 * NUMBER


# --- limits -----------------------------------------------------------------------------------------------------


def test_an_impossible_pattern_ends_at_the_deadline():
    """Seven givens never have one solution; nothing with several solutions is returned."""
    made(GenerateRequest(pattern=CHECKED), [0])  # compiles the code beforehand
    with pytest.raises(LimitReached, match=r"deadline: .* s without a further puzzle"):
        made(GenerateRequest(pattern=tuple(range(0, 63, 9))), range(3), Limits(0.2))


def test_an_impossible_request_ends_with_the_puzzle_that_came_nearest():
    """At the deadline a puzzle with one solution is returned, which says what it misses."""
    made(GenerateRequest(givens=Span(0, 25)), [0])  # compiles the code beforehand
    found = made(GenerateRequest(givens=Span(0, 5)), range(2), Limits(0.6))
    for one in found.values():
        assert one.reason == "deadline"
        assert one.missed == "not as asked for: givens 0..5"
        assert is_unique(one.puzzle, backend="sat")
    assert sorted(found) == [0, 1]


def test_what_nobody_told_in_time_is_not_called_missed(monkeypatch):
    """Guesses that take too long to count are reported as unchecked, not as missed; what is known to be missed comes first."""

    def late(*_told, **_more):
        raise LimitReached("deadline", "while counting")

    monkeypatch.setattr(targets, "count_guesses", late)
    generator = PlainGenerator(GenerateRequest(guesses=Span(5), givens=Span(0, 20)), 1)
    told = generator._missed(np.array([1, 2] + [0] * 79, np.uint8), judged=True)
    assert told == "not checked in time: guesses"
    told = generator._missed(np.ones(81, np.uint8), judged=True)
    assert told == "not as asked for: givens 0..20; not checked in time: guesses"


def test_a_level_of_ones_own_that_was_not_reached_is_named():
    """What a puzzle misses at a deadline is judged by the levels of the request, and said with what was asked for."""
    levels = parse_levels('[[level]]\nname = "Tough"\nrating = [9.5]\n')
    generator = PlainGenerator(GenerateRequest(difficulty="Tough", levels=levels), 1)
    easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    told = generator._missed(np.array([0 if sign == "." else int(sign) for sign in easy], np.uint8), judged=True)
    assert told == "not as asked for: difficulty Tough"


@pytest.mark.parametrize(
    "wanted",
    [GenerateRequest(symmetry="full", minimal=True), GenerateRequest(pattern=CHECKED, minimal=True)],
    ids=["dug", "masked"],
)
def test_a_puzzle_that_nobody_could_judge_in_time_is_handed_out(monkeypatch, wanted):
    """A deadline while a puzzle is judged does not lose it: it has one solution, and the rest is reported as unchecked."""

    def late(*_told, **_more):
        raise LimitReached("deadline", "while judging")

    monkeypatch.setattr(plain_generator, "count_redundant", late)
    (one,) = made(wanted, [0], Limits(1)).values()
    assert (one.reason, one.missed) == ("deadline", "not checked in time: minimal")
    assert is_unique(one.puzzle, backend="sat")


def test_a_cancelled_run_makes_nothing_more():
    """A cancellation is not a deadline: unfinished puzzles are not returned."""
    cancelled = Cancellation()
    cancelled.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        made(GenerateRequest(givens=Span(0, 5)), range(2), Limits(cancel=cancelled))


def test_boards_that_the_kernel_does_not_take_are_refused():
    """Other rules are for other generators."""
    with pytest.raises(Unsupported, match="expected a plain board with boxes"):
        PlainGenerator(GenerateRequest(rules=(*GenerateRequest().rules, RULES["diagonals"]())), SEED)


def test_chains_that_come_to_nothing_give_way(monkeypatch):
    """A try without progress for some rounds is replaced by a new one, and the puzzle is still the same made alone."""
    monkeypatch.setattr(plain_generator, "PATIENCE", 3)
    wanted = GenerateRequest(givens=Span(0, 21), minimal=True)
    together = lines(made(wanted, range(4)))
    assert max(tries for *_, tries in together) > plain_generator.CHAINS
    assert [*lines(made(wanted, [0])), *lines(made(wanted, [1, 2, 3]))] == together


# --- grids and random words -------------------------------------------------------------------------------------------


def is_full(boxes, grids):
    """Return whether every row, column and box of every grid has all values, checked cell by cell."""
    houses = Grid.square(side_of(boxes), boxes).houses.values()
    expected = set(range(1, side_of(boxes) + 1))
    return all({grid[cell] for cell in house} == expected for grid in grids.tolist() for house in houses)


@pytest.mark.parametrize("boxes", SHAPES)
def test_shuffled_patterns_are_full_grids(boxes):
    """The grids that the moves start from are valid on boards of every shape, and hardly two are alike (there are 288 of 4x4)."""
    grids = shuffled_grids(boxes, SEED, np.arange(6), np.zeros(6, np.int64))
    assert is_full(boxes, grids)
    assert len({grid.tobytes() for grid in grids}) >= (4 if boxes == (2, 2) else 6)


@pytest.mark.parametrize(
    ("boxes", "steps"), [((3, 3), 12), *(pytest.param(boxes, None, marks=pytest.mark.slow) for boxes in OTHERS)]
)
def test_moved_grids_are_full_and_hang_on_nothing_else(boxes, steps):
    """A grid is the same alone as among others, another try gives another grid, and every move leaves a full one."""
    numbers, tries = np.arange(9), np.zeros(9, np.int64)
    grids = gibbs_grids(boxes, SEED, numbers, tries, steps=steps)
    assert is_full(boxes, grids)
    assert (grids != shuffled_grids(boxes, SEED, numbers, tries)).any(1).all()
    assert (gibbs_grids(boxes, SEED, numbers[4:5], tries[:1], steps=steps) == grids[4]).all()
    assert (gibbs_grids(boxes, SEED, numbers[4:5], tries[:1] + 1, steps=steps) != grids[4]).any()


@pytest.mark.parametrize("boxes", [(2, 3), pytest.param((3, 2), marks=pytest.mark.slow)])
def test_grids_of_six_are_full_and_each_as_likely(boxes):
    """Grids are valid, and each order of box 2 is as frequent as its share of the 28,200,960 completions."""
    numbers = np.arange(6000)
    grids = full_grids(boxes, SEED, numbers)
    assert is_full(boxes, grids[:200])
    assert (full_grids(boxes, SEED, [17]) == grids[17]).all()
    wide = grids.reshape(-1, 6, 6) if boxes == (2, 3) else grids.reshape(-1, 6, 6).swapaxes(1, 2)
    place = np.zeros((len(grids), 7), np.int64)
    np.put_along_axis(place, wide[:, :2, :3].reshape(-1, 6).astype(np.int64), np.arange(6)[None], 1)
    others = np.take_along_axis(place, wide[:, :2, 3:].reshape(-1, 6).astype(np.int64), 1)
    bands = [(*below, *above) for below in permutations((3, 4, 5)) for above in permutations((0, 1, 2))]
    starts = np.zeros((36, 36), np.uint8)
    for start, band in zip(starts, bands, strict=True):
        start[:12] = [1, 2, 3, *(one + 1 for one in band[:3]), 4, 5, 6, *(one + 1 for one in band[3:])]
    counts = probe(starts, 2 * MOST_COMPLETIONS, boxes=(2, 3)).found
    assert counts.sum() * 720 == 28_200_960
    assert counts.max() == MOST_COMPLETIONS
    seen = np.array([(others == band).all(1).sum() for band in bands])
    expected = counts / counts.sum() * len(grids)
    assert ((seen - expected) ** 2 / expected).sum() < 70  # 35 degrees of freedom: exceeded for one seed in 2,000


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 12, 15, 16, 25])
def test_puzzles_of_other_sizes_have_one_solution(size):
    """Puzzles of every size that the kernel takes are unique, and minimal where few guesses suffice to show it."""
    grid = Grid.square(size)
    for one in made(GenerateRequest(grid), range(3)).values():
        assert is_unique(one.puzzle, backend="sat")
        row = np.array([[one.puzzle.givens.get(cell, 0) for cell in grid.cells]], np.uint8)
        assert size == 25 or count_redundant(row, boxes=grid.boards[0].boxes)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_large_board_is_proved_minimal(seed):
    """A minimal puzzle of 25x25 has one solution, and several without any one of its givens (every tenth is tried)."""
    grid = Grid.square(25)
    (one,) = PlainGenerator(GenerateRequest(grid, minimal=True), seed).make([3], Limits(seconds=400))
    assert one.reason is None
    assert is_unique(one.puzzle, backend="sat")
    for cell in sorted(one.puzzle.givens)[::10]:
        fewer = {other: value for other, value in one.puzzle.givens.items() if other != cell}
        assert not is_unique(Puzzle(grid, givens=fewer), backend="sat")


def test_rows_are_dug_by_and_by():
    """Each order has all cells, depends on its number alone, and has some rows long before others, but no row in one go."""
    orders = random_orders_by_rows(SEED, range(40), 25)
    assert (np.sort(orders, 1) == np.arange(625)).all()
    assert (random_orders_by_rows(SEED, [7], 25)[0] == orders[7]).all()
    assert (orders[0] != orders[1]).mean() > 0.9
    time = orders.argsort(1).reshape(40, 25, 25)
    middle = np.sort(time.mean(2), 1)
    assert (middle[:, 0] < 230).all()
    assert (middle[:, -1] > 395).all()
    assert (np.ptp(time, 2) > 125).all()


def test_redundant_givens_are_counted():
    """The givens counted as redundant are those without which another engine still finds one solution."""
    givens, grids = minimal_boards(SEED, range(3))
    givens[1, np.flatnonzero(givens[1] == 0)[:3]] = grids[1, np.flatnonzero(givens[1] == 0)[:3]]
    counted = count_redundant(givens, boxes=(3, 3))
    for row, number in zip(givens.tolist(), counted.tolist(), strict=True):
        given = {cell: value for cell, value in enumerate(row) if value}
        left = [{other: value for other, value in given.items() if other != cell} for cell in given]
        assert sum(is_unique(Puzzle(NINE, givens=some), backend="sat") for some in left) == number
    assert counted[0] == counted[2] == 0
    assert counted[1] >= 3


def test_chance_hangs_on_seed_puzzle_try_and_purpose():
    """Each of them alone changes the words, and bounds are kept."""
    numbers, tries = np.arange(200), np.zeros(200, np.int64)
    words = random_words(SEED, numbers, tries, "a", 6)
    assert (random_words(SEED, numbers[7:8], tries[:1], "a", 6) == words[7]).all()
    for other in (
        random_words(SEED + 1, numbers, tries, "a", 6),
        random_words(SEED, numbers + 200, tries, "a", 6),
        random_words(SEED, numbers, tries + 1, "a", 6),
        random_words(SEED, numbers, tries, "b", 6),
    ):
        assert (other != words).mean() > 0.99
    assert set(below(words, 7).ravel().tolist()) == set(range(7))


# --- pattern text -----------------------------------------------------------------------------------------------------


TWO = Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
GRIDS = (Grid.square(4), Grid.square(9), Grid.rectangle(4, 6), TWO)


@given(st.sampled_from(GRIDS), st.data())
def test_a_pattern_written_and_read_is_the_same(grid, data):
    """Writing and reading undo each other, on grids of every shape."""
    cells = tuple(cell for cell in grid.cells if data.draw(st.booleans()))
    assert parse_pattern(pattern_text(grid, cells), grid) == cells


@given(st.text("1Xx#*9aZ0.-_", min_size=16, max_size=16))
def test_a_pattern_reads_the_same_in_one_line_and_in_rows(line):
    """Line breaks and spaces are ignored; blanks are 0, ., - and _."""
    rows = "\n".join(" ".join(line[start : start + 4]) for start in range(0, 16, 4))
    expected = tuple(cell for cell, sign in enumerate(line) if sign not in "0.-_")
    assert parse_pattern(line, Grid.square(4)) == parse_pattern(rows, Grid.square(4)) == expected


def test_lines_between_boxes_are_passed_over():
    """A pattern may be drawn as puzzles are, with lines between boxes; a line of blanks is not one of these."""
    drawn = "x.|..\n----\n--+--\n..|.x\n.1|..\n"
    assert parse_pattern(drawn, Grid.square(4)) == (0, 11, 13)


def test_everything_wrong_is_said_at_once():
    """Unknown characters are named with their places, together with a wrong number of cells."""
    with pytest.raises(InvalidInput) as caught:
        parse_pattern("x.?.\n..!", Grid.square(4))
    assert len(caught.value.problems) == 3
    assert "'?' (line 1, column 3" in caught.value.problems[0]
    assert "expected a pattern of 16 cells for a 4x4 grid, got 7" in caught.value.problems[2]


# --- vector widths ----------------------------------------------------------------------------------------------------


DIGESTS = {
    "": "a577bedc59a8db82623734bc993ee77d1b339ce055226e16af43c3b4672daa5d",
    "--symmetry rot180": "985a26b9df64d7fdea0b5bcd3fcdf9c2d9b6b834f1ca406f3e7ac7fdee994f7f",
    "--size 6": "beb1ebd71bc88de9e79de974a50994332977f55bbfc9b873a1af13cd7b4607b3",
}
"""The SHA-256 of 400 minimal puzzles of seed 7, with options; a change of the generator changes them, a processor does not."""


def digest(options: str, environment: dict[str, str]) -> str:
    """Generate puzzles in a new process."""
    command = [sys.executable, "-m", "sudoku_cp", "generate", "-n", "400", "--minimal", "--seed", "7", *options.split()]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True)
    assert done.stdout.count(b"\n") == 400
    return sha256(done.stdout).hexdigest()


@pytest.mark.parametrize("options", DIGESTS)
def test_this_processor_makes_the_known_puzzles(options: str) -> None:
    """The output is the same bytes as on the processor where it was recorded."""
    assert digest(options, {}) == DIGESTS[options]


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_makes_the_known_puzzles(width: str) -> None:
    """So is that of narrower vectors on the same processor, for which the kernel has other instructions and fewer lanes."""
    if platform.machine().lower() not in {"x86_64", "amd64"} or width not in available_widths():
        pytest.skip(f"this processor has no {width}, or cannot be told to do without more")
    environment = {} if width == host_instruction_set().name else environment_without_wider(width)
    assert [digest(options, environment) for options in DIGESTS] == list(DIGESTS.values())
