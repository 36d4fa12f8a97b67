"""Singles, step by step and on arrays: every step has the right name, both agree, and the levels mean what they say."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Puzzle, hint, read_puzzles
from sudoku_cp.backends import Limits
from sudoku_cp.backends.fast import singles_kernel
from sudoku_cp.errors import BackendMissing, LimitReached, UnknownName, Unsupported
from sudoku_cp.grid import Board, Grid
from sudoku_cp.logic import Level, OpenCells, Technique, level_of, make_board, open_cells_of, parse_level
from sudoku_cp.logic.array_singles import groups_of, levels, open_cells_of_arrays
from sudoku_cp.logic.hints import HintLevel
from sudoku_cp.logic.ladder import HIDDEN_ONLY, RUNGS, SINGLES, apply_steps
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.words import describe_step
from sudoku_cp.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.ladder import Rung
    from sudoku_cp.logic.step import Step

HOUSES = RULES["houses"]()
SHAPES = {
    "4x4": Puzzle(Grid.square(4)),
    "4x4 from 3": Puzzle(Grid.square(4, values=range(3, 7))),
    "4x4 with a value more": Puzzle(Grid.square(4, values=range(1, 6))),
    "4x4 with the highest values": Puzzle(Grid.square(4, values=range(1, 62))),
    "5x5 jigsaw": Puzzle(Grid.jigsaw("bbbbb dddde ccdae ccaae caaee")),
    "6x6": Puzzle(Grid.square(6)),
    "2x5": Puzzle(Grid.rectangle(2, 5)),
    "two boards": Puzzle(Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))),
    "even cells": Puzzle(Grid.square(4), (HOUSES, RULES["even"]((0, 7)))),
    "pencil marks": Puzzle(Grid.square(4), candidates={0: 0b00110, 5: 0b11100}),
    "9x9": Puzzle(),
    "9x9 diagonals": Puzzle(rules=(HOUSES, RULES["diagonals"]())),
    "9x9 windows": Puzzle(rules=(HOUSES, RULES["windoku"]())),
    "9x9 anti-knight": Puzzle(rules=(HOUSES, RULES["anti-knight"]())),
    "16x16": Puzzle(Grid.square(16)),
    "25x25": Puzzle(Grid.square(25)),
    "36x36": Puzzle(Grid.square(36)),
}
SMALL = [name for name, base in SHAPES.items() if len(base.grid.cells) <= 36]
NINES = [name for name in SHAPES if name.startswith("9x9")]
EXACT = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")


def walk(puzzle: Puzzle, rungs: tuple[Rung, ...]) -> Iterator[Step]:
    """Yield step after step by some techniques, until none finds any."""
    return apply_steps(make_board(puzzle), rungs)


@cache
def solved(shape: str) -> tuple[int, ...]:
    """Return a solution of the shape's rules; of large boards the one with shifted rows, which needs no search."""
    board = SHAPES[shape].grid.boards[0]
    if board.rows <= 16:
        return next(SHAPES[shape].solutions())
    height, width = board.boxes
    rows = [row % height * width + row // height for row in range(board.rows)]
    return tuple((first + column) % board.rows + 1 for first in rows for column in range(board.rows))


def some_of(shape: str, seed: int, share: float) -> Puzzle:
    """Return a share of the cells of a solution as givens."""
    base, random = SHAPES[shape], Random(f"{shape} {seed}")  # noqa: S311
    cells = random.sample(base.grid.cells, round(share * len(base.grid.cells)))
    return base.with_givens({cell: solved(shape)[cell] for cell in cells})


def row_of(puzzle: Puzzle) -> list[int]:
    """Return the givens as a row of an array."""
    return [puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]


def arrays_of(puzzles: list[Puzzle]) -> np.ndarray:
    """Return the givens of puzzles of one shape as an array."""
    return np.array([row_of(puzzle) for puzzle in puzzles], np.uint8)


# --- step by step -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [name for name, base in SHAPES.items() if len(base.grid.cells) <= 256])
@pytest.mark.parametrize("share", [0.35, 0.5, 0.8])
def test_every_step_is_sound(shape, share):
    """Whatever solution the givens came from, no step contradicts it."""
    found = [step.placements[0] for step in walk(some_of(shape, 1, share), SINGLES)]
    assert all(solved(shape)[cell] == value for cell, value in found)
    assert len({cell for cell, _ in found}) == len(found)


@pytest.mark.parametrize("shape", [*SMALL, "9x9 diagonals"])
def test_every_step_is_what_it_is_called(shape):
    """Checked by the values so far and the rules alone: one open cell, one place in a house, or one value in a cell."""
    puzzle = some_of(shape, 2, 0.4)
    base, values = SHAPES[shape], dict(puzzle.givens)
    groups = [
        (set(s.constraint.cells), s.part) for s in puzzle.model().statements if type(s.constraint).__name__ == "AllDifferent"
    ]
    singly = {s.constraint.cells[0]: s.constraint for s in puzzle.model().statements if type(s.constraint).__name__ == "Table"}

    def possible(cell: int, value: int) -> bool:
        seen = {values.get(other) for group, _ in groups if cell in group for other in group}
        unary = singly.get(cell)
        marked = base.candidates.get(cell, -1) >> value & 1
        return cell not in values and value not in seen and bool(marked) and (unary is None or (value,) in unary.tuples)

    for step in walk(puzzle, SINGLES):
        technique, ((cell, value),) = step.technique, step.placements
        name = layout_of(puzzle).groups[step.pattern.bases[0]].name if step.pattern.bases else ""
        houses = {part: group for group, part in groups if len(group) == len(base.grid.values)}
        places = {
            (part, digit): [c for c in group if possible(c, digit)]
            for part, group in houses.items()
            for digit in base.grid.values
        }
        assert possible(cell, value)
        if technique is Technique.FULL_HOUSE:
            assert [c for c in houses[name] if c not in values] == [cell]
        elif technique is Technique.HIDDEN_SINGLE:
            assert places[name, value] == [cell]
        else:
            assert [digit for digit in base.grid.values if possible(cell, digit)] == [value]
            assert all(len(one) != 1 for one in places.values()), "a hidden single was there"
        values[cell] = value


@pytest.mark.parametrize("shape", SMALL)
def test_what_singles_solve_has_one_solution(shape):
    """No puzzle with several solutions is easy or medium."""
    seen = set()
    for seed in range(12):
        puzzle = some_of(shape, seed, min(1, 0.2 + seed / 12))
        several = len(list(islice(puzzle.solutions(), 2))) > 1
        seen.add(several)
        assert not several or level_of(puzzle) is Level.HARD
    assert seen == {False, True}


def test_hidden_singles_alone_are_the_easy_ladder():
    """A ladder without naked singles goes as far as hidden singles do."""
    puzzle = Puzzle.parse("38.75...2..........2..3.....98.........847...26..9.3....1........56..14....1.39.7")
    found = list(walk(puzzle, HIDDEN_ONLY))
    assert level_of(puzzle) is Level.MEDIUM
    assert {step.technique for step in found} <= {Technique.FULL_HOUSE, Technique.HIDDEN_SINGLE}
    assert len(puzzle.givens) + len(found) + open_cells_of(puzzle).after_hidden == 81
    assert any(step.technique is Technique.NAKED_SINGLE for step in walk(puzzle, SINGLES))


def test_what_is_said_of_one_cell_counts():
    """Rules about single cells, and pencil marks, remove candidates, which can be decisive."""
    even, marked = groups_of(SHAPES["even cells"]).domains, groups_of(SHAPES["pencil marks"]).domains
    assert (even[0], even[1], even[7]) == (0b10100, 0b11110, 0b10100)
    assert (marked[0], marked[1], marked[5]) == (0b00110, 0b11110, 0b11100)
    given = {cell: value for cell, value in enumerate((0, 0, 3, 4, 3, 4, 1, 2, 0, 0, 4, 3, 4, 3, 2, 1)) if value}
    assert level_of(Puzzle(Grid.square(4), givens=given)) is Level.HARD
    assert level_of(Puzzle(Grid.square(4), (HOUSES, RULES["even"]((8,))), given)) is Level.EASY
    assert level_of(Puzzle(Grid.square(4), givens=given, candidates={9: 0b00010})) is Level.EASY


def test_clashing_givens_are_hard():
    """A full grid that breaks a rule or its pencil marks counts as hard."""
    values = dict(enumerate(solved("4x4")))
    wrong = Puzzle(Grid.square(4), givens=values | {0: values[1]})
    marked = Puzzle(Grid.square(4), givens=values, candidates={3: 0b11110 & ~(1 << values[3])})
    assert open_cells_of(wrong) == (16, 16)
    assert level_of(marked) is Level.HARD
    assert level_of(Puzzle(Grid.square(4), givens=values)) is Level.EASY


def test_other_rules_are_refused_by_name():
    """The error names the rule that singles on arrays do not support."""
    killer = RULES["killer-cage"].example(Grid.square(9))
    with pytest.raises(Unsupported, match="on arrays of boards; got killer-cage"):
        groups_of(Puzzle(rules=(HOUSES, killer)))


@pytest.mark.parametrize("level", Level)
def test_words(level):
    """Writing and parsing a level undo each other."""
    assert parse_level(str(level)) is level
    assert parse_level(f" {level} ".upper()) is level


def test_an_unknown_word_is_told_the_others():
    """The message lists the known words."""
    with pytest.raises(UnknownName, match="easy, hard, medium"):
        parse_level("evil")


def test_a_step_in_words():
    """A step reads as people say it."""
    puzzle = EXACT.with_givens({cell: value for cell, value in EXACT.givens.items() if cell})
    hidden, naked = (next(rung.find(make_board(puzzle))) for rung in SINGLES[1:])
    layout = layout_of(puzzle)
    texts = [describe_step(layout, puzzle.symbols, step) for step in (hidden, naked)]
    assert texts == [
        "Hidden single: in row 5 the 6s in r4c5, r6c9 and r7c2 see all open cells but r5c3, so r5c3 is 6.",
        "Naked single: r5c5 sees 1, 2, 6, 7, 8 and 9 in its column and 3 and 4 in its row: only 5 is left, so r5c5 is 5.",
    ]


# --- many -------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.sampled_from([*SMALL, *NINES]), st.data())
def test_arrays_agree_with_the_steps(shape, data):
    """The compiled code leaves as many cells open as the readable one, whatever the shape and the givens."""
    drawn = data.draw(st.lists(st.tuples(st.integers(0, 999), st.floats(0, 1)), min_size=1, max_size=5))
    puzzles = [some_of(shape, *one) for one in drawn]
    told = open_cells_of_arrays(groups_of(SHAPES[shape]), arrays_of(puzzles))
    assert [OpenCells(*row) for row in told.tolist()] == [open_cells_of(puzzle) for puzzle in puzzles]


@settings(max_examples=40)
@given(st.sampled_from(SMALL), st.data())
def test_arrays_agree_where_givens_clash(shape, data):
    """With any values at all, both give the same level, even where there is no solution."""
    base = SHAPES[shape]
    row = [data.draw(st.sampled_from([0, *base.grid.values])) for _ in base.grid.cells]
    puzzle = base.with_givens({cell: value for cell, value in enumerate(row) if value})
    assert levels(groups_of(base), np.array([row], np.uint8)).tolist() == [level_of(puzzle)]


@pytest.mark.parametrize(
    ("shape", "shares"),
    [("16x16", (0.4, 0.9)), *(pytest.param(*one, marks=pytest.mark.slow) for one in (("25x25", (0.6, 0.9)), ("36x36", (0.9,))))],
)
def test_large_boards_agree(shape, shares):
    """Boards with sets of 16, 32 and 64 bits agree."""
    puzzles = [some_of(shape, seed, share) for seed, share in enumerate(shares)]
    assert SHAPES[shape].holds(solved(shape))
    told = open_cells_of_arrays(groups_of(SHAPES[shape]), arrays_of(puzzles))
    assert [OpenCells(*row) for row in told.tolist()] == [open_cells_of(puzzle) for puzzle in puzzles]


def test_what_stands_beside_a_board_does_not_matter():
    """Each of many boards gets the same answer as alone."""
    puzzles = arrays_of([some_of("9x9", seed, 0.25 + seed % 7 / 20) for seed in range(100)])
    together = open_cells_of_arrays(groups_of(Puzzle()), puzzles)
    alone = [open_cells_of_arrays(groups_of(Puzzle()), row[None])[0].tolist() for row in puzzles]
    assert together.tolist() == alone
    assert len({tuple(row) for row in alone}) > 5


def test_no_boards_are_no_trouble():
    """An empty array has an empty answer."""
    assert levels(groups_of(Puzzle()), np.zeros((0, 81), np.uint8)).tolist() == []


def test_arrays_obey_a_deadline():
    """A deadline raises."""
    with pytest.raises(LimitReached, match="deadline"):
        levels(groups_of(Puzzle()), np.zeros((1, 81), np.uint8), limits=Limits(seconds=0))


def test_without_a_compiler_there_are_no_arrays(monkeypatch):
    """Where Numba may not compile, the error says so."""
    monkeypatch.setattr("numba.config.DISABLE_JIT", True)
    singles_kernel.singles_code.cache_clear()
    with pytest.raises(BackendMissing, match="NUMBA_DISABLE_JIT"):
        levels(groups_of(Puzzle()), np.zeros((1, 81), np.uint8))


# --- known puzzles ----------------------------------------------------------------------------------------------

SETS = {
    "17clue.txt.gz": (17233, 4672, 27253),
    "generated_easy_100k.txt.gz": (84129, 5816, 10055),
    "generated_minimal_50k.txt.gz": (12231, 8690, 29079),
    "forum_hardest_11plus_20k.txt.gz": (0, 0, 20000),
    "magictour_top1465.txt": (0, 0, 1465),
    "euler96.txt": (32, 8, 10),
    "gen_6x6_2x3_minimal.txt": (467, 9, 24),
    "gecode_16x16.txt": (32, 11, 12),
}
"""How many of each set are easy, medium and hard, according to both implementations."""


SIGNS = bytes(int(chr(sign), 36) if chr(sign).isalnum() and sign < 128 else 0 for sign in range(256))
"""The value of each sign."""


def levels_of_lines(lines: list[str]) -> list[int]:
    """Return the levels of puzzles of one size, by the compiled code."""
    base = Puzzle(Puzzle.parse(lines[0]).grid)
    cells = np.frombuffer("".join(lines).encode().translate(SIGNS), np.uint8)
    return levels(groups_of(base), cells.reshape(len(lines), -1)).tolist()


LONG_SETS = {"17clue.txt.gz", "generated_easy_100k.txt.gz"}


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one in LONG_SETS)) for one in SETS])
def test_known_sets(name, puzzle_lines: Callable[[str], list[str]]):
    """The counts do not change, and some puzzles of each set are checked step by step."""
    lines = puzzle_lines(name)
    told = levels_of_lines(lines)
    assert tuple(np.bincount(told, minlength=3).tolist()) == SETS[name]
    some = range(0, len(lines), -(-len(lines) // 20))
    assert [level_of(Puzzle.parse(lines[number])) for number in some] == [told[number] for number in some]


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_known_sets_step_by_step(name, puzzle_lines: Callable[[str], list[str]]):
    """The readable implementation gives the same levels for up to 5000 puzzles of each set."""
    lines = puzzle_lines(name)[:5000]
    assert [level_of(Puzzle.parse(line)) for line in lines] == levels_of_lines(lines)


def test_a_known_puzzle_is_solved_to_its_solution():
    """The steps of an easy puzzle fill it."""
    filled = dict(EXACT.givens) | dict(step.placements[0] for step in walk(EXACT, RUNGS))
    assert EXACT.holds([filled[cell] for cell in EXACT.grid.cells])
    assert level_of(EXACT) is not Level.HARD


def test_a_single_names_the_clue_by_which_a_blocker_sees() -> None:
    """Where a cell is blocked along a clue's line or a knight's move, not in a house, the sentence says so."""
    nabner = [*read_puzzles(Path(__file__).parents[2] / "examples" / "variants" / "nabner.jsonl")][-1]
    assert "(the nabner from r4c4 to r6c3 included)" in hint(nabner).text(HintLevel.STEP)
