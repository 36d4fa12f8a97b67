"""Steps in words: every technique has a sentence of its own that names all that goes, on boards of any size and symbols."""

from __future__ import annotations

import re
from itertools import islice, product
from pathlib import Path

import pytest

from sudoku_cp import Grid, Puzzle, read_puzzles
from sudoku_cp.formats import read_records
from sudoku_cp.logic import make_board, parse_technique
from sudoku_cp.logic.ladder import RUNGS, TAUGHT, apply_steps
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.part_candidates import left_by_each
from sudoku_cp.logic.step import ChainNode, Link, Pattern, Step, Technique
from sudoku_cp.logic.words import describe_step
from sudoku_cp.logic.words.step_words import plain, reason_of
from sudoku_cp.logic.words.wording import Wording
from sudoku_cp.model import to_mask
from sudoku_cp.rules import Houses
from sudoku_cp.rules.outside_clues import Sandwich
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
    assert text.endswith(".")
    assert "  " not in text
    assert ".." not in text


@pytest.mark.parametrize("technique", Technique, ids=str)
def test_every_technique_has_words_of_its_own(technique: Technique) -> None:
    """None is left to the words that only name cells and values."""
    assert reason_of(technique) is not plain, (
        f"a sentence for {technique.name} goes into sudoku_cp/logic/words: _REASONS of step_words.py, or if it reads the "
        "rules of variants, REASONS of variant_words.py"
    )


SENTENCES = [
    ("0000", "Full house: all other cells of box 2 are filled, so r1c6 is 5."),
    ("0100", "Locked candidates (pointing): 8 in box 7 can only stand in row 8 (r8c12), so r8c69 lose 8."),
    (
        "0111",
        ("Locked triple: r5c123, in both row 5 and box 4, can only hold 5, 6 and 7, and use them up in both, so r4c23 lose 5."),
    ),
    (
        "0201",
        (
            "Naked triple: r8c5, r9c46 in box 8 can only hold 1, 3 and 4, three cells for three values, so r7c4 loses 1 and 3 "
            "and r7c6 loses 3."
        ),
    ),
    (
        "0210",
        (
            "Hidden pair: 6 and 7 in row 7 can only stand in r7c46, which then hold nothing else, so r7c4 loses 1 and 3 and "
            "r7c6 loses 3."
        ),
    ),
    ("0301", "Swordfish: 7 in rows 3, 4 and 7 can only stand in columns 4, 5 and 6, so r1c6, r2c56 lose 7."),
    (
        "0320",
        (
            "Sashimi X-wing: 1 in columns 3 and 9 can only stand in rows 6 and 7 or in the fin r5c9. Either the fin is 1, or "
            "the fish holds. r6c78 see the fin, so r6c78 lose 1."
        ),
    ),
    (
        "0401",
        (
            "Two-string kite: 8 can stand in row 2 only in r2c1 and r2c6 and in column 2 only in r1c2 and r8c2. As r1c2 and "
            "r2c1 see each other, r2c6 or r8c2 is 8. r8c6 sees both, so r8c6 loses 8."
        ),
    ),
    (
        "0402",
        (
            "Empty rectangle: 8 in box 2 can only stand in row 1 and column 6, and in column 2 only in r1c2 and r8c2. If r1c2 "
            "is 8, box 2 has its 8 in column 6; if not, row 8 has it in r8c2. r8c6 sees both, so r8c6 loses 8."
        ),
    ),
    (
        "0501",
        (
            "Simple colours (wrap): 9 is either in all of r2c8, r3c4 or in all of r1c4, r2c9, r3c8. Two cells of r1c4, r2c9, "
            "r3c8 see each other, which makes that colour false, so r1c4, r2c9, r3c8 lose 9."
        ),
    ),
    (
        "0602",
        (
            "Unique rectangle 3: if r27c78 held nothing but 1 and 7, these could be exchanged and there would be two "
            "solutions. Therefore r2c7 or r2c8 holds 6 or 9, and makes with r2c3 {6,9} a naked subset of 6 and 9 in row 2, so "
            "r2c2 loses 6 and 9 and r2c45 lose 6."
        ),
    ),
    (
        "0607",
        (
            "Avoidable rectangle 1: none of r47c89 is given. If r7c8 were 8, 2 and 8 could be exchanged in them and there "
            "would be two solutions, so r7c8 loses 8."
        ),
    ),
    (
        "0701",
        (
            "X-chain: r1c2 =7= r3c2 -7- r3c5 =7= r9c5 -7- r9c7 =7= r1c7. If one end is false, the other is true: r1c2 or r1c7 "
            "is 7. r1c49 see both, so r1c49 lose 7."
        ),
    ),
    (
        "0702",
        (
            "XY-chain: 4= r6c1 -3- r6c6 -4- r9c6 -7- r9c2 =4. If one end is false, the other is true: r6c1 or r9c2 is 4. "
            "r4c2, r8c1 see both, so r4c2, r8c1 lose 4."
        ),
    ),
    (
        "0706",
        (
            "Continuous nice loop: r1c4 =6= r8c4 =7= r8c9 -7- r2c9 =7= r2c4 -7- r3c5 -6- r1c4. The chain closes: of any two "
            "neighbours in it one is true and the other false, so r13c9 lose 7."
        ),
    ),
    (
        "0711",
        (
            "Grouped AIC: r6c9 =7= r4c7 -7- r4c2 =7= r8c2 -7- r8c56 =7= r7c5. If one end is false, the other is true: r6c9 or "
            "r7c5 is 7. r6c5, r7c9 see both, so r6c5, r7c9 lose 7."
        ),
    ),
    (
        "0801",
        (
            "XYZ-wing: r8c5 {1,3,4} sees r9c4 {1,3} and r9c6 {3,4}: if it is 1, then r9c4 is 3; if it is 4, then r9c6 is 3; "
            "otherwise it is 3 itself. r7c46 see all three, so r7c46 lose 3."
        ),
    ),
    (
        "0803",
        (
            "W-wing: r7c3 and r8c6 can each only hold 5 or 9. 9 in row 9 stands in r9c3 or r9c6, which they see: 5= r7c3 -9- "
            "r9c3 =9= r9c6 -9- r8c6 =5. Therefore one of them is 5. r7c4, r8c13 see both, so r7c4, r8c13 lose 5."
        ),
    ),
    (
        "0901",
        (
            "ALS-XZ: A = r7c7 {3,5} and B = r27c9 {3,4,5} cannot both hold 5, and the one without it holds all its other "
            "values, 3 among them. r89c9 see both, so r89c9 lose 3."
        ),
    ),
    (
        "0904",
        (
            "Death blossom: whatever value the stem r2c1 {3,8} has, one of A = r8c126 {3,5,8,9} and B = r258c6 {3,5,8,9} "
            "loses it and holds all its other values, 9 among them, so r8c39 lose 9."
        ),
    ),
    (
        "1101",
        (
            "Sue de Coq: r1c45 {3,4,7,9} in row 1 and box 2, r1c12 {8,9} in row 1 and r1c6 {3,4,7} in box 2 are five cells "
            "with just enough room for their values, and use them up: those of r1c12 in row 1, those of r1c6 in box 2, all "
            "others in both, so r2c5 loses 3 and 4."
        ),
    ),
    (
        "1201",
        (
            "Template set: every way to place 3 in the whole grid that leaves all other values a way has it in r1c1, r5c3, "
            "so r1c1 is 3 and r5c3 is 3."
        ),
    ),
]
"""The sentences of the examples of some techniques of each family."""


@pytest.mark.parametrize(("code", "text"), SENTENCES)
def test_sentences_say_why(code: str, text: str) -> None:
    """The name, why it holds, and the effect."""
    assert describe(parse_technique(code)) == text


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
    nodes = [ChainNode(value, to_mask(map(NINE.grid.parse_cell, cells.split()))) for value, cells in (start, end)]
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


@pytest.mark.parametrize(
    ("name", "number", "sentence"),
    [
        (
            "killer",
            2,
            (
                "Needed digit: every combination of the 29-cage at r7c8 needs 5, which can only stand in r7c8, r8c8 or "
                "r8c9 there, so r78c7, r9c789 lose 5."
            ),
        ),
        (
            "thermometer",
            1,
            (
                "Thermometer ends: values rise from the bulb along the thermometer from r4c6 to r6c5: r4c6 is at most 5 (r5c5 "
                "is at most 6), r5c5 is at least 6 (r4c6 is at least 5) and r6c5 is at least 7 (r4c6 is at least 5), so r4c6 "
                "loses 9, r5c5 loses 2 and 4 and r6c5 loses 5."
            ),
        ),
        (
            "arrow",
            2,
            (
                "Minimum and maximum: by the arrow from r4c6 to r5c6 (each shaft adds up to the circle), r4c6 is at least 1+1 "
                "= 2, r4c7 is at most 9-1 = 8 and r5c6 is at most 9-1 = 8, so r4c6 loses 1 and r4c7, r5c6 lose 9."
            ),
        ),
    ],
)
def test_steps_of_variants_give_the_numbers(name: str, number: int, sentence: str) -> None:
    """On the way to the solution of a killer, a thermometer and an arrow a step says with which cells and sums it reckons."""
    puzzle = [record.puzzle for record in read_records(f"examples/variants/{name}.jsonl")][number]
    assert puzzle
    board = make_board(puzzle)
    path = apply_steps(board, RUNGS)
    assert any(describe_step(board.layout, puzzle.symbols, step) == sentence for step in path)


def test_reasons_of_a_rule_about_the_whole_board_are_found_quickly() -> None:
    """The words of steps by a part of 81 cells look at single constraints: they search no fillings of the part."""
    puzzle = next(iter(read_puzzles(Path(__file__).parents[2] / "examples" / "variants" / "self-taxicab.jsonl")))
    layout, board = layout_of(puzzle), make_board(puzzle)
    said, searched = [], 0
    for step in islice(apply_steps(board, TAUGHT), 25):
        before = left_by_each.cache_info().misses
        said.append(describe_step(layout, puzzle.symbols, step))
        searched += left_by_each.cache_info().misses - before
    assert any("taxicab" in one for one in said)
    assert searched == 0


def test_what_a_crust_would_need_stands_as_far_apart_as_the_sentence_says() -> None:
    """A value is named as what another would need only where both leave a filling: between them the values differ, too."""
    rule = Sandwich(tuple(range(45, 54)), 33)
    puzzle = Puzzle(Grid.square(9), (Houses(), rule), candidates={45: to_mask([2, 3, 9])})
    told = [describe_step(layout_of(puzzle), puzzle.symbols, step) for step in apply_steps(make_board(puzzle), TAUGHT)]
    assert any("the crusts stand 7 apart" in text and "r6c8 = 9 would need 1 in r6c1" in text for text in told)
    assert not any("r6c7 = 9 would need" in text for text in told)
