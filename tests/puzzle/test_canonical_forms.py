"""Isomorphic puzzles share a canonical form and a key, other puzzles do not, and symmetries are counted exactly."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from math import factorial
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import Linear, Table
from sudoku_cp.puzzle import Puzzle, automorphism_count, canonical, canonical_key, canonical_keys, scramble
from sudoku_cp.puzzle.isomorphism import canonical_forms
from sudoku_cp.puzzle.isomorphism.canonical_labelling import ColouredGraph, label_graph, normal_form, rule_structure
from sudoku_cp.rules import (
    RULES,
    AntiKnight,
    Diagonals,
    Even,
    ExtraRegion,
    GlobalEntropy,
    Houses,
    KillerCage,
    Palindrome,
    Thermometer,
    Windoku,
)
from sudoku_cp.symbols import letters

MOST = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
"""The most symmetric of all full grids."""
WELL_KNOWN = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
if TYPE_CHECKING:
    from sudoku_cp.puzzle.isomorphism.canonical_labelling import Shape

TWINS = Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
JIGSAW = Grid.jigsaw("aab. .abb ccdd ccdd")
GRIDS = {
    "4x4": Grid.square(4),
    "6x6": Grid.square(6),
    "6x6 of upright boxes": Grid.square(6, (3, 2)),
    "9x9": Grid.square(9),
    "9x9 from 0": Grid.square(9, values=range(9)),
    "16x16": Grid.square(16),
    "a latin square": Grid.square(5),
    "a rectangle": Grid.rectangle(4, 6, (2, 3)),
    "more values than cells": Grid.square(4, values=range(1, 8)),
}
RULED = {
    "jigsaw": Puzzle(JIGSAW, givens={3: 4, 5: 1}),
    "diagonal": Puzzle(rules=(Houses(), Diagonals()), givens={0: 1, 10: 2, 35: 4}),
    "windoku": Puzzle(rules=(Houses(), Windoku()), givens={0: 1, 80: 2}),
    "killer": Puzzle(Grid.square(6), rules=(Houses(), KillerCage((0, 1), 5), KillerCage((3, 9, 10), 8)), givens={35: 4}),
    "thermometers": Puzzle(Grid.square(6), rules=(Houses(), Thermometer((0, 1, 2)), Thermometer((35, 34))), givens={7: 3}),
    "palindrome": Puzzle(Grid.square(4), rules=(Houses(), Palindrome((1, 6, 7))), givens={4: 3}),
    "knights": Puzzle(Grid.square(6), rules=(Houses(), AntiKnight()), givens={3: 5}),
    "even": Puzzle(Grid.square(4), rules=(Houses(), Even((0, 3)))),
    "thirds": Puzzle(Grid.square(6), rules=(Houses(), GlobalEntropy()), givens={0: 1}),
    "candidates": Puzzle(Grid.square(6), givens={0: 5}, candidates={1: 0b110, 35: 0b10}),
    "two boards": Puzzle(TWINS, givens={0: 1, 5: 2}),
    "no rules": Puzzle(Grid.square(2), rules=(), givens={0: 1}),
}
DEAR = {"windoku", "thirds", "candidates", "two boards"}
"""These take long, and are of a sort with others: windows with a diagonal, candidates and several boards with the keys below."""
SEEDS = st.integers(0, 2**32)


def cells_of(text: str) -> list[int]:
    """The values of a line, 0 for blanks."""
    return [int(sign) if sign.isdigit() else 0 for sign in text]


@st.composite
def boards(draw) -> Puzzle:
    """Boards with boxes and any givens, few or many, even clashing ones."""
    grid = draw(st.sampled_from(list(GRIDS.values())))
    number = draw(st.sampled_from([0, 1, 2, 5, len(grid.cells) // 3]))
    random = draw(st.randoms(use_true_random=False))
    givens = {cell: random.choice(grid.values) for cell in random.sample(grid.cells, number)}
    return Puzzle(grid, givens=givens)


def every_arrangement(cells: list[int], shape: Shape):
    """Yield a board in every arrangement, relabelled in order of appearance: the definition, without any search."""
    rows, columns, height, width, _ = shape

    def orders(lines: int, size: int):
        for groups in permutations(range(lines // size)):
            for inner in product(permutations(range(size)), repeat=lines // size):
                yield [group * size + line for group, own in zip(groups, inner, strict=True) for line in own]

    for turn in range(canonical_forms.turns_of(shape)):
        own = canonical_forms.transpose(cells, shape) if turn else cells
        for down, right in product(orders(rows, height), orders(columns, width)):
            labels = {0: 0}
            arranged = (own[row * columns + column] for row in down for column in right)
            yield tuple(labels.setdefault(value, len(labels)) for value in arranged)


def with_first_row(side: int) -> list[Puzzle]:
    """The filled grids of that side whose first row is 1, 2, 3, ...: every grid is one of these, with its values renamed."""
    first = dict(enumerate(range(1, side + 1)))
    board = Puzzle(Grid.square(side), givens=first)
    return [Puzzle(board.grid, givens=dict(enumerate(values))) for values in board.solutions()]


# --- the meaning, by brute force ----------------------------------------------------------------------------------


@settings(max_examples=20)
@given(st.lists(st.sampled_from([0, 0, 1, 2, 3, 4]), min_size=16, max_size=16))
def test_the_form_is_the_smallest_of_all_arrangements(cells: list[int]) -> None:
    """On 4x4, no arrangement is smaller than the form, and as many produce it as the board has symmetries."""
    shape = (4, 4, 2, 2, 4)
    every = list(every_arrangement(cells, shape))
    assert canonical_forms.smallest(cells, shape).cells == min(every)
    unused = 4 - len(set(cells) - {0})
    assert canonical_forms.board_automorphism_count(cells, shape) == every.count(min(every)) * factorial(unused)


@pytest.mark.parametrize("shape", [(4, 6, 2, 3, 6), (4, 2, 2, 1, 4), (3, 3, 3, 3, 3), (4, 4, 1, 4, 4)])
def test_other_shapes_too(shape: Shape) -> None:
    """The same on rectangles, on boards without boxes, and on boxes that are rows."""
    random = Random(5)  # noqa: S311
    for _ in range(3):
        cells = [random.choice([0, 0, 1, 2, 3]) for _ in range(shape[0] * shape[1])]
        every = list(every_arrangement(cells, shape))
        assert canonical_forms.smallest(cells, shape).cells == min(every)
        assert canonical_forms.board_automorphism_count(cells, shape) == every.count(min(every)) * factorial(
            shape[4] - len(set(cells) - {0})
        )


def test_the_grids_of_side_4_fall_in_two_classes() -> None:
    """A class has as many members as the empty grid has symmetries for each of its own: 288 grids in all."""
    grids = with_first_row(4)
    labels = factorial(4)
    assert len(grids) * labels == 288
    classes = Counter(canonical_keys(grids))
    assert len(classes) == 2
    everything = 128 * labels
    assert automorphism_count(Puzzle(Grid.square(4))) == everything
    for grid in grids:
        assert classes[canonical_key(grid)] * labels * automorphism_count(grid) == everything


# --- one form for all that are isomorphic -------------------------------------------------------------------------


@settings(max_examples=8)
@given(boards(), SEEDS)
def test_isomorphic_boards_are_one(puzzle: Puzzle, seed: int) -> None:
    """Scrambling keeps key, form and number of symmetries; the form has its own key and is its own form, and none is smaller."""
    copy, form = scramble(puzzle, seed), puzzle.canonical()
    assert canonical_key(copy) == canonical_key(puzzle) == canonical_key(form)
    assert copy.canonical() == form == form.canonical()
    assert copy.automorphism_count() == puzzle.automorphism_count()
    assert canonical_forms.givens_of(form) <= canonical_forms.givens_of(copy)


@settings(max_examples=8)
@given(boards().filter(lambda board: len(board.grid.cells) <= 36), SEEDS, st.booleans())
def test_two_methods_agree(one: Puzzle, seed: int, changed: bool) -> None:
    """Row by row and by the graph, the same boards are isomorphic, and have as many symmetries."""
    other = scramble(one, seed)
    if changed and other.givens:
        cell, value = next(iter(other.givens.items()))
        other = other.with_givens({**other.givens, cell: value % 4 + 1})
    assert automorphism_count(one) == canonical_forms.general_automorphism_count(one)
    assert (canonical_key(one) == canonical_key(other)) == (
        canonical_forms.general_key(one) == canonical_forms.general_key(other)
    )
    assert changed or canonical_forms.general_key(one) == canonical_forms.general_key(other)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in DEAR)) for name in RULED])
def test_isomorphic_puzzles_under_other_rules_are_one(name: str) -> None:
    """Keys survive symmetries of the rules and turns of the plane; forms survive symmetries of the rules."""
    puzzle = RULED[name]
    key, form, number = canonical_key(puzzle), puzzle.canonical(), puzzle.automorphism_count()
    assert canonical_key(form) == key
    assert form.canonical() == form
    assert (form.grid, form.rules) == (puzzle.grid, puzzle.rules)
    for seed in range(3 if len(puzzle.grid.cells) < 81 else 1):
        moved = canonical_forms.random_general_symmetry(puzzle, Random(seed)).of(puzzle)  # noqa: S311
        assert moved.canonical() == form
        copy = scramble(puzzle, seed)
        assert canonical_key(copy) == key
        assert copy.automorphism_count() == number


MANY_CONSTRAINTS = {"chaos-construction", "connected-values", "same-values-in-regions", "doppelganger"}
"""Rules whose graphs are large."""


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind in MANY_CONSTRAINTS)) for kind in RULES])
def test_every_rule_has_keys(kind: str) -> None:
    """A scrambled copy of the example of every rule has the same key, and rules of the same kinds."""
    grid = Grid.square(4)
    try:
        puzzle = Puzzle(grid, (Houses(), RULES[kind].example(grid)), {0: 1})
    except InvalidInput:
        pytest.skip("the example is for another grid")
    if rule_structure(puzzle.grid, puzzle.rules).cells > 100:
        pytest.skip("so many auxiliaries take long")
    copy = scramble(puzzle, 3)
    assert canonical_key(copy) == canonical_key(puzzle)
    assert [rule.kind for rule in copy.rules] == [rule.kind for rule in puzzle.rules]


def test_a_solution_is_moved_along() -> None:
    """The stated solution of a scrambled puzzle solves it, and the puzzle differs from the original."""
    solution = tuple(cells_of(MOST))
    puzzle = Puzzle(givens=dict(list(enumerate(solution))[:30]), solution=solution)
    copies = {scramble(puzzle, seed) for seed in range(5)}
    assert len(copies) == 5
    assert all(copy.solution is not None and copy.holds(copy.solution) for copy in copies)
    assert scramble(puzzle, 1) == scramble(puzzle, 1)


def test_cages_turn_with_the_plane() -> None:
    """Some copy of a killer has its cages elsewhere, with its solution transformed too."""
    grid = Grid.square(4)
    puzzle = Puzzle(grid, (Houses(), KillerCage((0, 1), 3)), solution=tuple(cells_of("1234341221434321")))
    copies = [scramble(puzzle, seed) for seed in range(12)]
    assert any(copy.rules != puzzle.rules for copy in copies)
    assert all(copy.solution is not None and copy.holds(copy.solution) for copy in copies)


# --- different puzzles --------------------------------------------------------------------------------------------


def test_puzzles_that_are_not_isomorphic_differ() -> None:
    """A change of a given, its place, a rule, a total, the values or a candidate makes another puzzle."""
    six = Grid.square(6)
    different = [
        Puzzle.parse(WELL_KNOWN),
        Puzzle.parse(WELL_KNOWN.replace("4.....8", "8.....4")),
        Puzzle.parse(WELL_KNOWN[::-1].replace("4", "3", 1)),
        Puzzle(),
        Puzzle(Grid.square(9, values=range(1, 11))),
        Puzzle(rules=(Houses(), Diagonals())),
        Puzzle(rules=(Houses(), Diagonals(up=False))),
        Puzzle(six),
        Puzzle(Grid.square(6, (3, 2)), givens={0: 1, 1: 2}),
        Puzzle(six, givens={0: 1, 1: 2}),
        Puzzle(six, givens={0: 1, 1: 1}),
        Puzzle(six, candidates={0: 0b10}),
        Puzzle(six, candidates={0: 0b110}),
        Puzzle(six, (Houses(), KillerCage((0, 1), 5))),
        Puzzle(six, (Houses(), KillerCage((0, 1), 6))),
        Puzzle(six, (Houses(), KillerCage((0, 6), 5))),
        Puzzle(six, (Houses(), ExtraRegion((0, 7)))),
        Puzzle(six, (Houses(), Thermometer((0, 1))), givens={0: 2}),
        Puzzle(six, (Houses(), Thermometer((0, 1))), givens={1: 2}),
        Puzzle(six, (Houses(), Thermometer((0, 1))), givens={0: 3}),
        Puzzle(TWINS),
    ]
    keys = canonical_keys(different)
    assert len(set(keys)) == len(different)


def test_what_only_looks_different_is_one() -> None:
    """Alphabet, texts, a cage listed backwards, a table read from its other end, and mirrored values make no difference."""
    puzzle = Puzzle.parse(WELL_KNOWN)
    assert replace(puzzle, symbols=letters(range(1, 10)), title="T").canonical() == puzzle.canonical()
    six = Grid.square(6)
    for one, other in [
        (KillerCage((0, 1), 5), KillerCage((1, 0), 5)),
        (KillerCage((0, 1), 5), KillerCage((6, 7), 9)),
        (Thermometer((0, 1)), Thermometer((7, 6))),
        (Palindrome((0, 1, 8)), Palindrome((8, 1, 0))),
    ]:
        assert canonical_key(Puzzle(six, (Houses(), one))) == canonical_key(Puzzle(six, (Houses(), other)))


def test_constraints_that_say_the_same_have_the_same_words() -> None:
    """A sum and its negation, a table and its columns swapped."""
    assert normal_form(Linear(((0, 1), (1, -2)), "<=", 3)) == normal_form(Linear(((1, 2), (0, -1)), ">=", -3))
    assert normal_form(Linear(((0, 1), (1, -2)), "<=", 3)) != normal_form(Linear(((1, 2), (0, -1)), "<=", -3))
    assert normal_form(Table((0, 1), frozenset({(1, 2)}))) == normal_form(Table((1, 0), frozenset({(2, 1)})))
    assert normal_form(Table((0, 1), frozenset({(1, 2)}))) != normal_form(Table((0, 1), frozenset({(2, 1)})))


# --- known numbers ------------------------------------------------------------------------------------------------


def test_known_numbers_of_symmetries() -> None:
    """The empty board has 3,359,232 x 9!, a hard puzzle none but the identity."""
    assert Puzzle().automorphism_count() == 3_359_232 * factorial(9)
    assert Puzzle.parse(WELL_KNOWN).automorphism_count() == 1
    assert Puzzle(Grid.square(4), (Houses(), Thermometer((0, 1)))).automorphism_count() > 1


@pytest.mark.slow
def test_the_most_symmetric_grid_is_its_own_form() -> None:
    """Though 648 arrangements of it tie, as many as it has symmetries, it is the smallest."""
    assert Puzzle.parse(MOST).automorphism_count() == 648
    assert Puzzle.parse(MOST).canonical().line() == MOST


def test_automorphisms_of_a_graph_are_counted() -> None:
    """The Petersen graph has 120, a cycle of 7 has 14, and their labellings do not depend on the names of vertices."""
    pairs = [(one, other) for one in range(5) for other in range(one)]
    petersen = [(a, b) for a, b in product(range(10), repeat=2) if a < b and not {*pairs[a]} & {*pairs[b]}]
    cycle = [(vertex, (vertex + 1) % 7) for vertex in range(7)]
    for size, edges, number in ((10, petersen, 120), (7, cycle, 14)):
        found = set()
        for seed in range(4):
            names = Random(seed).sample(range(size), size)  # noqa: S311
            graph = ColouredGraph(("",) * size, frozenset((names[one], "", names[other]) for one, other in edges))
            labelling = label_graph(graph)
            assert labelling.order() == number
            found.add(labelling.certificate)
        assert len(found) == 1


# --- how it is done -----------------------------------------------------------------------------------------------


def test_a_tick_can_give_the_work_up() -> None:
    """A tick that raises ends the work, on a board with boxes and under other rules."""

    def tick() -> None:
        raise LimitReached("deadline")

    for puzzle in (Puzzle.parse(MOST), RULED["killer"]):
        for ask in (canonical, canonical_key, automorphism_count):
            with pytest.raises(LimitReached):
                ask(puzzle, tick)


def test_keys_are_the_same_in_every_process() -> None:
    """No key depends on the seed of Python's hashes."""
    code = (
        "from sudoku_cp.puzzle import *; from sudoku_cp.grid import Grid; from sudoku_cp.rules import *;"
        "print(canonical_key(Puzzle(Grid.square(4), (Houses(), KillerCage((0, 1), 5)), {5: 2})))"
    )
    here = canonical_key(Puzzle(Grid.square(4), (Houses(), KillerCage((0, 1), 5)), {5: 2}))
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    finished = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
    )
    assert finished.stdout == f"{here}\n"


def test_a_state_that_has_no_room_gets_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many arrangements tie, the answer is the same."""
    most = Puzzle.parse("1234341221434321")
    number = most.automorphism_count()
    monkeypatch.setattr(canonical_forms, "INITIAL_STATES", 1)
    assert most.automorphism_count() == number == canonical_forms.general_automorphism_count(most)


@pytest.mark.slow
def test_compiled_and_plain_forms_agree(puzzle_lines, data, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled code finds the same forms, also of boards for whose states it has no room, of every shape."""
    boards = [cells_of(line[:81]) for line in puzzle_lines("17clue.txt.gz")[:200]]
    rows = gzip.decompress((data / "puzzles" / "kaggle_10k.csv.gz").read_bytes()).decode().split()[1:60]
    boards += [cells_of(row.split(",")[1]) for row in rows] + [[0] * 81, cells_of(MOST)]
    shape = (9, 9, 3, 3, 9)
    plain = [bytes(canonical_forms.smallest(cells, shape).cells) for cells in boards]
    assert canonical_forms.smallest_of(boards, shape) == plain
    monkeypatch.setattr(canonical_forms, "STATES", 1)
    assert canonical_forms.smallest_of(boards[-3:], shape) == plain[-3:]
    assert canonical_forms.smallest_of([[0, 1, 0, 2] * 4], (4, 4, 2, 2, 4)) == [
        bytes(canonical_forms.smallest([0, 1, 0, 2] * 4, (4, 4, 2, 2, 4)).cells)
    ]


@pytest.mark.slow
def test_no_two_17_clue_puzzles_are_isomorphic(puzzle_lines) -> None:
    """The puzzles of the collection are essentially different; a scrambled copy of each is recognised."""
    puzzles = [Puzzle.parse(line[:81]) for line in puzzle_lines("17clue.txt.gz")]
    keys = canonical_keys(puzzles)
    assert len(set(keys)) == len(puzzles)
    assert canonical_keys([scramble(puzzle, seed) for seed, puzzle in enumerate(puzzles)]) == keys


@pytest.mark.slow
def test_the_grids_of_side_6_are_of_49_kinds() -> None:
    """28,200,960 filled grids of 2x3 boxes, 49 of them essentially different (Jarvis and Russell): the classes add up exactly."""
    grid = Grid.square(6)
    everything = 3456 * factorial(6)
    assert automorphism_count(Puzzle(grid)) == everything
    filled = with_first_row(6)
    assert len(filled) * factorial(6) == 28_200_960
    kinds = dict(zip(canonical_keys(filled), filled, strict=True))
    assert len(kinds) == 49
    assert sum(everything // automorphism_count(one) for one in kinds.values()) == 28_200_960
