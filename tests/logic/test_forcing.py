"""Forcing chains and nets: what they find is true and proved, chains find what loops find, and nets what singles find."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Limits, Puzzle, solve
from sudoku_cp.backends import Clock
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import SINGLES, apply_steps, next_step
from sudoku_cp.logic.links.consequences import ImpliedLiteral, Net, grouped_consequences
from sudoku_cp.logic.pictures import annotate_step
from sudoku_cp.logic.step import ProofStatement
from sudoku_cp.logic.techniques.chains import grouped_discontinuous_loops
from sudoku_cp.logic.techniques.forcing import (
    choices,
    contradiction_chains,
    contradiction_nets,
    verity_chains,
    verity_nets,
)
from sudoku_cp.logic.words import describe_step
from sudoku_cp.model import members, to_mask
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Step

GROUPS = "5..7.........3..7...8..5..36..1.94...8..2..9...9..8..1...4..3...6..9..4...2..6..9"
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
PUZZLES = [GROUPS, HARD, "1......6..4.36.1..7.6.2...5.......1.6..2.....4..68.3.2918472...375..6..8264538..1"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("find", [contradiction_chains, verity_chains, contradiction_nets, verity_nets])
@pytest.mark.parametrize("text", PUZZLES)
def test_every_step_is_true_and_proved(find: Callable[[CandidateBoard], Iterator[Step]], text: str) -> None:
    """No step contradicts the solution, and the groups of its proof suffice."""
    puzzle = Puzzle.parse(text)
    board, solution = make_board(puzzle), solve(puzzle).solution
    found = list(find(board))
    assert all(solution[cell] != value for step in found for cell, value in step.eliminations)
    assert all(solution[cell] == value for step in found for cell, value in step.placements)
    assert all(step.eliminations or step.placements for step in found)
    assert not any(unproved_results(board, step) for step in found[::7])


@pytest.mark.parametrize("text", PUZZLES)
def test_chains_refute_what_loops_refute(text: str) -> None:
    """A candidate whose truth leads to its falsity leads to a contradiction."""
    board = make_board(Puzzle.parse(text))
    loops = {step.eliminations for step in grouped_discontinuous_loops(board) if not step.pattern.links[0].strong}
    assert loops <= {step.eliminations for step in contradiction_chains(board)}


def test_all_candidates_of_a_cell_lead_to_the_same() -> None:
    """In a cell of 1, 2 and 3 each candidate removes 4 from another cell, by a cell of two; with a candidate more they do not."""
    removed = []
    for last in ("34", "345"):
        board = make_board(Puzzle())
        for cell, values in ((0, "123"), (1, "14"), (2, "24"), (9, last)):
            board.keep_candidates(cell, to_mask(map(int, values)))
        removed.append({step.eliminations for step in verity_chains(board)})
    assert ((10, 4),) in removed[0]
    assert ((10, 4),) not in removed[1]


def by_singles(board: CandidateBoard, cell: int, value: int) -> CandidateBoard | None:
    """Place a value and all singles after it; return None if a cell or a house keeps no candidate, or has a value twice."""
    board = board.copy()
    board.place(cell, value)
    while _is_possible(board):
        step = next_step(board, SINGLES)
        if step is None:
            return board
        board.apply(step)
    return None


def _is_possible(board: CandidateBoard) -> bool:
    for group in board.layout.groups[: board.layout.houses]:
        filled = {board.values[cell] for cell in group.cells} - {None}
        if any(not board.places[value] & group.mask for value in board.layout.values if value not in filled):
            return False
    return all(board.candidates[cell] for cell in members(board.open)) and board.is_consistent()


@pytest.mark.parametrize("text", PUZZLES)
def test_nets_are_singles(text: str) -> None:
    """A net holds just the values and eliminations that singles make after its start, and contradicts itself where they do."""
    board = make_board(Puzzle.parse(text))
    list(apply_steps(board, SINGLES))
    refuted = 0
    for cell in members(board.open):
        for value in members(board.candidates[cell]):
            net, after = Net(board, ImpliedLiteral(cell, value, is_true=True)), by_singles(board, cell, value)
            refuted += after is None
            assert (net.contradiction is None) == (after is not None)
            if after is not None:
                for digit in board.layout.values:
                    assert net.false[digit] | net.true[digit] == board.places[digit] & ~after.places[digit]
                    assert all(after.values[one] == digit for one in members(net.true[digit]))
    assert refuted


@pytest.mark.parametrize("find", [verity_chains, verity_nets])
def test_the_cases_are_those_of_a_cell_or_a_house(find: Callable[[CandidateBoard], Iterator[Step]]) -> None:
    """A verity names the cell or the house whose candidates it tries; words say which, and the picture shades it."""
    puzzle = Puzzle.parse(PUZZLES[2])
    board = make_board(puzzle)
    names = set()
    for step in islice(find(board), 40):
        choice = step.pattern.choice
        assert choice in step.proof
        assert choice
        text, (ground, *_) = describe_step(board.layout, puzzle.symbols, step), annotate_step(board, step).grounds
        if choice.statement is ProofStatement.HAS_VALUE:
            assert f"whatever value {puzzle.grid.cell_name(choice.subject)} has, the same follows" in text
            assert ground.cells == (choice.subject,)
        else:
            house = board.layout.groups[choice.subject]
            assert f"wherever {choice.value} stands in {house.name}, the same follows" in text
            assert ground.cells == house.cells
        names.add(choice.statement)
    assert names == {ProofStatement.HAS_VALUE, ProofStatement.HAS_PLACE}


def test_a_contradiction_names_what_is_left_without_a_candidate() -> None:
    """Where a cell or a house is left without a candidate it is named, also where the chains are too many to be shown."""
    puzzle = Puzzle.parse(PUZZLES[2])
    board = make_board(puzzle)
    ends = {ProofStatement.HAS_VALUE: "no value would be left for ", ProofStatement.HAS_PLACE: "no place would be left for "}
    told = set()
    for step in (*contradiction_chains(board), *contradiction_nets(board)):
        choice, text = step.pattern.choice, describe_step(board.layout, puzzle.symbols, step)
        assert (ends[choice.statement] if choice else "a contradiction would follow") in text
        told.add(choice and choice.statement)
    assert len(told) == 3


@pytest.mark.parametrize("find", [contradiction_chains, verity_chains])
def test_forcing_looks_at_the_clock_at_each_choice(find: Callable[[CandidateBoard], Iterator[Step]]) -> None:
    """On an empty board, where nothing is forced and every cell and place is a choice, limits are still kept."""

    class CountedClock(Clock):
        def check(self) -> None:
            self.nodes += 1

    board = make_board(Puzzle())
    grouped_consequences(board)  # what chains show at all is found before any is walked
    board.clock = CountedClock(Limits(seconds=0))
    assert not list(find(board))
    assert board.clock.nodes >= len([*choices(board)])
