"""Hints narrow from a place to a step: every level is true, short, and tells more than the one before it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Limits, Puzzle, hint, solve
from sudoku_cp.formats import read_records
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import BY_CASES, LAST_RESORT, RUNGS, TAUGHT, next_step
from sudoku_cp.logic.layout import HouseKind, layout_of
from sudoku_cp.logic.step import MOST_FACTS, ProofStatement, Technique
from sudoku_cp.logic.step_json import step_to_json
from sudoku_cp.logic.step_reasons import blockers_of, plainest
from sudoku_cp.logic.techniques.basic import hidden_singles, naked_singles, scanned_hidden_singles
from sudoku_cp.logic.techniques.forcing import refutations_by_cases, small_refutations
from sudoku_cp.logic.words import describe_step
from sudoku_cp.logic.words.clue_words import clue_name
from sudoku_cp.logic.words.hint_words import MOST_CELLS, describe_cells, describe_kind, describe_place, key_cells, place_of
from sudoku_cp.logic.words.variant_words import DEMANDS, demand_of
from sudoku_cp.logic.words.wording import MOST_PLACES, PLACES, Wording
from sudoku_cp.model import members, to_mask
from sudoku_cp.rules import RULES, Houses
from tests.logic.proof_check import unproved_results
from tests.logic.technique_examples import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Step

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARDEST = [
    "98.7.....6.....97.....9.6..8.4..5.....9.6..4....3....2..8....6.....1...9.....2.1.",
    "..1....876.37.2.......4......94.7...2.7.85...53...67.9.7...19.6.26.....89....4.7.",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "12.3.....4.5...6...7.....2.6..1..3....453.........8..9...45.1.........8......2..7",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
]
QUICK = {"killer", "arrow", "thermometer", "whisper", "renban", "kropki", "sandwich", "little-killer", "between", "anti-knight"}
FILES = [
    pytest.param(path.stem, marks=[] if path.stem in QUICK else [pytest.mark.slow])
    for path in sorted(Path("examples/variants").glob("*.jsonl"))
    if path.stem != "16x16"  # there cells of a row are not written as one
]
UNREADABLE = re.compile(r"None|[{}][a-z_]|[a-z]_[a-z]|  |\.\.$|\bits its\b")


def variant(name: str) -> Puzzle:
    """Return the first puzzle of the examples of a kind."""
    puzzle = next(iter(read_records(f"examples/variants/{name}.jsonl"))).puzzle
    assert puzzle
    return puzzle


def result_cells(step: Step) -> int:
    """Return the cells of which a step eliminates or places something."""
    return to_mask(cell for cell, _ in (*step.placements, *step.eliminations))


def assert_narrows(say: Wording) -> None:
    """Each level names what is there: a place that holds the step, its kind, few of its cells, and a sentence of few places."""
    step = say.step
    place, cells = place_of(say), key_cells(say)
    own = step.cells | result_cells(step)
    if place.cells and place.is_whole:
        assert not (step.cells or result_cells(step)) & ~place.cells
    elif place.cells:
        assert place.cells & own, "something of the step lies there"
    else:
        assert step.values.bit_count() == 1
        assert place.name == f"the {say.value}s"
    assert cells
    assert cells.bit_count() <= MOST_CELLS
    assert not cells & ~own
    sentence = describe_step(say.layout, say.symbols, step)
    for text in (describe_place(say), describe_kind(say), describe_cells(say)):
        assert len(PLACES.findall(text)) <= MOST_CELLS
        assert not UNREADABLE.search(text), text
    assert len(set(PLACES.findall(sentence))) <= MOST_PLACES, sentence
    assert not UNREADABLE.search(sentence), sentence


@pytest.mark.parametrize("technique", EXAMPLES, ids=str)
def test_levels_of_every_technique_narrow(technique: Technique) -> None:
    """The example of each technique has levels that narrow."""
    example = EXAMPLES[technique]
    assert_narrows(Wording(example.board.layout, example.puzzle.symbols, example.step))


def steps_of_kinds(puzzle: Puzzle, most: int) -> Iterator[tuple[CandidateBoard, Step]]:
    """Yield the first step of each technique on the way that hints take, with its board, at most so many steps on."""
    board, seen = make_board(puzzle), set()
    for _ in range(most):
        step = next_step(board, (*TAUGHT, BY_CASES, LAST_RESORT))
        if step is None:
            return
        if step.technique not in seen:
            seen.add(step.technique)
            yield board, step
        board.apply(step)


@pytest.mark.parametrize("name", FILES)
def test_levels_of_variants_narrow(name: str) -> None:
    """So have the steps of rules, with a reason that names no parameter of theirs."""
    puzzle = variant(name)
    for board, step in steps_of_kinds(puzzle, 60):
        assert_narrows(Wording(board.layout, puzzle.symbols, step))
        told = plainest(board.layout, step)
        assert_narrows(Wording(board.layout, puzzle.symbols, told))
        assert set(told.eliminations) <= set(step.eliminations)
        assert told.eliminations or told.placements
        assert step.needs_uniqueness or not unproved_results(board, told)
        assert len(describe_step(board.layout, puzzle.symbols, told)) <= 330


@pytest.mark.parametrize("kind", DEMANDS)
def test_no_demand_names_a_parameter(kind: str) -> None:
    """Every field in what a rule demands is filled in, or the demand is left out."""
    layout = make_board(Puzzle()).layout
    demand = demand_of(layout, RULES[kind].example(layout.grid))
    assert not re.search(r"[{}]|None|_|\b(total|difference|visible|modulus)\b", demand), demand


@pytest.mark.parametrize("kind", sorted({*RULES} - {"doppelganger"}))  # whose values begin with 0
def test_every_clue_has_a_short_name(kind: str) -> None:
    """It is found by one cell, by two, or by a line, whatever the rule."""
    grid = Puzzle().grid
    layout = layout_of(Puzzle(grid, (Houses(), RULES[kind].example(grid))))
    for part in layout.parts:
        name = clue_name(layout, part)
        assert name.strip() == name != ""
        assert len(PLACES.findall(name)) <= 2
        assert not UNREADABLE.search(name)


@pytest.mark.parametrize("text", HARDEST)
def test_hard_puzzles_are_never_answered_by_a_dump(text: str) -> None:
    """Behind all singles and on: no level is long, and where no named step leads on, each says so."""
    puzzle = Puzzle.parse(text)
    for board, step in steps_of_kinds(puzzle, 120):
        assert_narrows(Wording(board.layout, puzzle.symbols, step))
        assert len(describe_step(board.layout, puzzle.symbols, step)) <= 420
    found = hint(puzzle, limits=Limits(seconds=60))
    for level in (1, 2, 3, 4):
        assert ("No named step leads on here." in found.text(level)) == (not found.is_named)


# --- singles ----------------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 60), st.sampled_from([EASY, *HARDEST]))
def test_blockers_block(steps: int, text: str) -> None:
    """Each is a placed value; together they see all other places of a hidden single but those that lost it, each is needed."""
    puzzle = Puzzle.parse(text)
    board, solution = make_board(puzzle), solve(puzzle).solution
    assert solution
    for cell in members(board.open)[:steps]:
        board.place(cell, solution[cell])
    sight = board.layout.sight
    for step in hidden_singles(board):
        (own, value), house = step.placements[0], board.layout.groups[step.pattern.bases[0]]
        others = house.mask & board.open & ~(1 << own)
        placed, cleared = blockers_of(board.layout, step)
        seen = [sight[cell] & others for cell, _ in placed]
        assert all(board.values[cell] == value == known for cell, known in placed)
        assert to_mask(cell for one in seen for cell in members(one)) == others & ~cleared
        for index, one in enumerate(seen):
            rest = to_mask(cell for other in (*seen[:index], *seen[index + 1 :]) for cell in members(other))
            assert one & ~rest
    for step in naked_singles(board):
        ((cell, value),) = step.placements
        placed = blockers_of(board.layout, step).placed
        assert all(board.values[other] == known for other, known in placed)
        assert all(sight[cell] >> other & 1 for other, _ in placed)
        assert len({known for _, known in placed} - {value}) == len(placed)


def test_cells_that_lost_a_value_are_named() -> None:
    """A hidden single that rests on an earlier elimination says where the value was ruled out."""
    board = make_board(Puzzle.parse("1........" + "." * 72))
    for cell in (14, 15, 16, 17, 24, 25):
        board.remove(1 << cell, 1)
    step = next(
        step for step in hidden_singles(board) if step.placements == ((26, 1),) or blockers_of(board.layout, step).cleared
    )
    assert "is already ruled out in" in describe_step(board.layout, Puzzle().symbols, step)


@pytest.mark.parametrize("text", [EASY, *HARDEST])
def test_boxes_come_first(text: str) -> None:
    """Hidden singles are those of the ladder, in an order of their own: boxes, then lines, those with few open cells first."""
    board = make_board(Puzzle.parse(text))
    scanned = list(scanned_hidden_singles(board))
    groups = board.layout.groups
    order = [
        (groups[house].kind is not HouseKind.BOX, (groups[house].mask & board.open).bit_count())
        for step in scanned
        for house in step.pattern.bases
    ]
    assert order == sorted(order)
    assert sorted(scanned, key=repr) == sorted(hidden_singles(board), key=repr)


def test_ratings_keep_their_order() -> None:
    """What is taught changes no rung that scores are counted by, and leaves out only what nobody can follow."""
    assert RUNGS[1].find is hidden_singles
    untaught = {rung.technique for rung in RUNGS} - {rung.technique for rung in TAUGHT}
    assert untaught == {
        Technique.FORCING_NET_CONTRADICTION,
        Technique.FORCING_NET_VERITY,
        Technique.TEMPLATE_SET,
        Technique.TEMPLATE_DELETE,
    }


# --- refutations ------------------------------------------------------------------------------------------------------


def below_chains(text: str) -> CandidateBoard:
    """Return a board on which nothing easier than chains leads further."""
    board = make_board(Puzzle.parse(text))
    while step := next_step(board, [rung for rung in TAUGHT if rung.level in "EMH"]):
        board.apply(step)
    return board


REFUTED = [
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    ".91......4.............8369..7.....5...9...8.6..2.....83..4..52....5.4..9..6....1",
    "..........2...91.5.4.51..37..9451....1.7...8.6....8..9..5.....2........6....34...",
]


@pytest.mark.parametrize("text", REFUTED)
def test_small_refutations_are_told_in_order(text: str) -> None:
    """Each line follows from what is supposed and the lines before it; the last cannot hold; a solver proves the whole."""
    board = below_chains(text)
    steps = list(small_refutations(board))
    assert steps
    for step in steps:
        supposition = step.pattern.supposition
        assert supposition
        assert step.eliminations == (supposition.candidate,)
        assert len(step.proof) <= MOST_FACTS
        assert not unproved_results(board, step)
        known = {(*supposition.candidate, True)}
        for line in supposition.lines:
            assert set(line.uses) <= known
            known |= set(line.forces)
        assert not supposition.lines[-1].forces


CASES = [
    ("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", 2),
    ("98.7..6..7...8..5......4...39.6..2....8..3.......1...352....7...7.5...26..9..75..", 2),
    ("98.7..6..5...9..7...7..6...4....3.....8.7.5.......4.2..1.2...3...9.6.7.........61", 3),
]


@pytest.mark.parametrize(("text", "cases"), CASES)
def test_all_cases_fail(text: str, cases: int) -> None:
    """The cases are all that is left of a cell or a value, each ends in what cannot be, and a solver proves the whole."""
    board = below_chains(text)
    steps = list(refutations_by_cases(board))
    assert steps
    for step in steps:
        supposition = step.pattern.supposition
        assert supposition
        assert (supposition.depth, len(supposition.cases)) == (2, cases)
        assert supposition.choice
        if supposition.choice.statement is ProofStatement.HAS_VALUE:
            assert {case.candidate[0] for case in supposition.cases} == {supposition.choice.subject}
        else:
            assert {case.candidate[1] for case in supposition.cases} == {supposition.choice.value}
        assert all(not case.lines[-1].forces for case in supposition.cases)
        assert not unproved_results(board, step)
        data = step_to_json(board.layout, Puzzle().symbols, step)["supposition"]
        assert (data["depth"], len(data["cases"])) == (2, cases)
        assert all(case["lines"] for case in data["cases"])


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kropki", "arrow-double", "whisper", "thermometer", "between"])
def test_links_by_a_clue_name_it(name: str) -> None:
    """In words a clue stands behind the link that it makes, and as JSON each link has its ends, its kind and its clue."""
    puzzle = variant(name)
    for board, step in steps_of_kinds(puzzle, 120):
        data = step_to_json(board.layout, puzzle.symbols, step)
        links = data.get("links", [])
        assert len(links) == len(step.pattern.links)
        for link, told in zip(step.pattern.links, links, strict=True):
            assert told["kind"] == ("strong" if link.strong else "weak")
            assert ("clue" in told) == (link.part is not None)
            if link.part is not None:
                part = board.layout.parts[link.part]
                assert not (link.start.cells | link.end.cells) & ~to_mask(part.cells)
        if any(group.statement is ProofStatement.PART for group in step.proof) and links and step.technique.code < "09":
            assert any("clue" in told for told in links)
