"""Steps in words: every technique has a sentence of its own that names all that goes, on boards of any size and symbols."""

from __future__ import annotations

import re
from itertools import product

import pytest

from sudoku_cp import Grid, Puzzle
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import apply_steps
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.rungs import RUNGS
from sudoku_cp.logic.step import Link, Node, Pattern, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.words import describe_step
from sudoku_cp.logic.words.step_words import plain, reason_of
from sudoku_cp.logic.words.wording import Wording
from sudoku_cp.model import to_mask
from tests.logic.technique_examples import EXAMPLES

NINE = Puzzle()
JIGSAW = Grid.jigsaw("AABB ACBB ACCD CDDD")
SIXTEEN = Puzzle(Grid.square(16))
CELLS = re.compile(r"r(\d+)c(\d+)")


def describe(technique: Technique) -> str:
    """Return the sentence of the technique's example."""
    example = EXAMPLES[technique]
    return describe_step(example.board.layout, example.puzzle.symbols, example.step)


def named_cells(text: str) -> set[str]:
    """Return the cells of a text, ``r12c3`` as two of them."""
    return {f"r{row}c{column}" for rows, columns in CELLS.findall(text) for row, column in product(rows, columns)}


@pytest.mark.parametrize("technique", EXAMPLES, ids=str)
def test_a_sentence_names_all_that_goes(technique: Technique) -> None:
    """It begins with the technique and ends with the effect: each candidate that goes or is placed, by cell and value."""
    example, text = EXAMPLES[technique], describe(technique)
    assert text.casefold().startswith(f"{technique.title}: ".casefold())
    effect = text.rpartition(", so ")[2]
    cells = named_cells(effect)
    for cell, value in (*example.step.eliminations, *example.step.placements):
        assert example.puzzle.grid.cell_name(cell) in cells
        assert str(value) in effect
    assert len(cells) == len({cell for cell, _ in (*example.step.eliminations, *example.step.placements)})
    assert text.endswith(".")
    assert "  " not in text
    assert ".." not in text


@pytest.mark.parametrize("technique", Technique, ids=str)
def test_every_technique_has_words_of_its_own(technique: Technique) -> None:
    """None is left to the words that only name cells and values."""
    assert reason_of(technique) is not plain


# --- the parts of sentences -------------------------------------------------------------------------------------------


def wording(puzzle: Puzzle, step: Step | None = None) -> Wording:
    """Return how parts of a step on a puzzle are written."""
    return Wording(layout_of(puzzle), puzzle.symbols, step or Step(Technique.AIC, 0, 0))


@pytest.mark.parametrize(
    ("names", "short"),
    [
        ("r1c2", "r1c2"),
        ("r1c2 r1c5", "r1c25"),
        ("r1c4 r5c4", "r15c4"),
        ("r1c2 r1c5 r2c5", "r1c25, r2c5"),
        ("r3c4 r3c8 r7c4 r7c8", "r37c48"),
        ("r1c1 r2c2 r3c3", "r1c1, r2c2, r3c3"),
        ("r1c1 r1c2 r1c3 r2c1 r3c1", "r1c123, r23c1"),
    ],
)
def test_cells_are_written_shortly(names: str, short: str) -> None:
    """Cells of the same rows and columns are written as one, and the same cells come back."""
    grid = NINE.grid
    cells = to_mask(map(grid.parse_cell, names.split()))
    assert wording(NINE).cells(cells) == short
    assert named_cells(short) == set(names.split())


def test_numbers_of_two_digits_are_never_joined() -> None:
    """On a large board every cell is written out: r1c12 is one cell."""
    cells = to_mask(map(SIXTEEN.grid.parse_cell, ["r1c1", "r1c2", "r12c3"]))
    assert wording(SIXTEEN).cells(cells) == "r1c1, r1c2, r12c3"


def test_houses_are_counted_by_kind() -> None:
    """Houses of a kind share its noun, in the order of the layout."""
    say = wording(NINE)
    assert say.houses([6, 2]) == "rows 3 and 7"
    assert say.houses([18, 0, 9, 11]) == "row 1, columns 1 and 3 and box 1"


@pytest.mark.parametrize(
    ("eliminations", "placements", "effect"),
    [
        ([("r1c4", 2)], [], "r1c4 loses 2"),
        ([("r1c4", 2), ("r5c8", 2)], [], "r1c4, r5c8 lose 2"),
        ([("r1c4", 2), ("r1c5", 2), ("r1c4", 3), ("r1c5", 3)], [], "r1c45 lose 2 and 3"),
        ([("r1c4", 2), ("r1c4", 3), ("r2c4", 3), ("r9c9", 1)], [], "r1c4 loses 2 and 3, r2c4 loses 3 and r9c9 loses 1"),
        ([], [("r5c3", 6)], "r5c3 is 6"),
    ],
)
def test_effects_join_cells_that_lose_the_same(eliminations, placements, effect) -> None:
    """What several cells lose is said once."""
    both = [tuple((NINE.grid.parse_cell(name), value) for name, value in part) for part in (eliminations, placements)]
    assert wording(NINE, Step(Technique.AIC, 0, 0, *both)).effect == effect


def test_symbols_are_those_of_the_puzzle() -> None:
    """Values are written with the puzzle's own signs, on a board of any size."""
    puzzle = Puzzle(Grid.square(16))
    layout = layout_of(puzzle)
    step = Step(Technique.X_WING, 1 << 12, 0, ((33, 12),), (), Pattern((0, 1), (17, 18)))
    text = "X-wing: C in rows 1 and 2 can only stand in columns 2 and 3, so r3c2 loses C."
    assert describe_step(layout, puzzle.symbols, step) == text


def test_a_path_on_a_jigsaw_reads_well() -> None:
    """Every step has a sentence that ends with its effect, and irregular regions go by their names."""
    puzzle = Puzzle(JIGSAW, givens={0: 1, 3: 4, 6: 3})
    board = make_board(puzzle)
    texts = [describe_step(board.layout, puzzle.symbols, step) for step in apply_steps(board, RUNGS[:9])]
    assert texts
    assert all(", so r" in text for text in texts)
    assert any("region" in text for text in texts)


# --- chains -----------------------------------------------------------------------------------------------------------


def link(start: tuple[int, str], end: tuple[int, str], *, strong: bool) -> Link:
    """Return a link between two nodes, each a value and cells."""
    nodes = [Node(value, to_mask(map(NINE.grid.parse_cell, cells.split()))) for value, cells in (start, end)]
    return Link(*nodes, strong)


def test_chains_are_written_as_people_write_them() -> None:
    """Links have their value between their signs; values of one cell follow each other; groups and sets are named."""
    links = (
        link((3, "r1c1"), (4, "r1c1"), strong=True),
        link((4, "r1c1"), (4, "r1c5 r1c6"), strong=False),
        link((4, "r1c5 r1c6"), (4, "r3c5"), strong=True),
        link((4, "r3c5"), (5, "r3c5"), strong=False),
        link((5, "r3c5"), (3, "r3c9"), strong=True),
    )
    step = Step(Technique.GROUPED_AIC, 0, 0, ((20, 3),), (), Pattern(links=links))
    text = describe_step(layout_of(NINE), NINE.symbols, step)
    assert "3= r1c1 -4- r1c56 =4= r3c5 =5|3= r3c9. " in text
    assert text.endswith("r1c1 or r3c9 is 3. r3c3 sees both, so r3c3 loses 3.")
