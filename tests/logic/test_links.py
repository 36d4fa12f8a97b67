"""What follows by links, found all at once: the same as walks find from each node, and enough to pass over sets in rows."""

from __future__ import annotations

from itertools import islice, product
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.formats import read_records
from sudoku_cp.grid import Grid
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import RUNGS, SINGLES, all_steps, apply_steps
from sudoku_cp.logic.links.consequences import Consequences, grouped_consequences
from sudoku_cp.logic.links.link_table import candidate_links, grouped_links, part_links
from sudoku_cp.logic.links.loops import Walk
from sudoku_cp.logic.restricted_commons import restricted_commons
from sudoku_cp.logic.step import ProofStatement, Technique
from sudoku_cp.logic.techniques.forcing import contradiction_nets, net_of, verity_nets
from sudoku_cp.model import members, to_mask
from sudoku_cp.rules import RULES
from tests.logic.proof_check import unproved_results
from tests.logic.test_forcing import PUZZLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.links.link_table import LinkTable


# --- consequences -----------------------------------------------------------------------------------------------------


def board_after_singles(text: str) -> CandidateBoard:
    """Return the board of a puzzle with all its singles placed."""
    board = make_board(Puzzle.parse(text))
    list(apply_steps(board, SINGLES))
    return board


def whole_walk(table: LinkTable, start: int, *, strong_first: bool) -> Walk:
    """Return a walk that has met all it can."""
    walk = Walk(table, start, strong_first=strong_first)
    while walk.advance():
        pass
    return walk


@pytest.mark.parametrize("links", [candidate_links, grouped_links])
@pytest.mark.parametrize("text", PUZZLES)
def test_walks_meet_the_consequences(text: str, links: Callable[[CandidateBoard], LinkTable]) -> None:
    """A walk from a candidate meets as false just what follows, and its opposite if that is refuted, or proved."""
    table = links(board_after_singles(text))
    found = Consequences(table)
    for start in members(table.candidates):
        if_true, if_false = (whole_walk(table, start, strong_first=strong_first) for strong_first in (False, True))
        assert found.false_if_true[start] == if_true.met[1]
        assert found.false_if_false[start] | 1 << start == if_false.met[0]
        assert (found.refuted >> start & 1) == (if_true.met[1] >> start & 1) == bool(if_true.met[0] & if_true.met[1])
        assert (found.proved >> start & 1) == (if_false.met[1] >> start & 1)


@pytest.mark.parametrize("text", PUZZLES)
def test_cycles_are_what_leads_back(text: str) -> None:
    """Two nodes are in one cycle just if each, being false, makes the other false."""
    table = grouped_links(board_after_singles(text))
    found = Consequences(table)
    together = {(one, other) for cycle in found.cycles for one in members(cycle) for other in members(cycle) if one != other}
    follows = {(one, other) for one, false in enumerate(found.false_if_false) for other in members(false) if one != other}
    assert together == {(one, other) for one, other in follows if (other, one) in follows}
    assert together


@pytest.mark.parametrize("text", PUZZLES)
def test_no_sets_end_a_chain_where_nothing_is_refuted(text: str) -> None:
    """The sets at the ends of chains are those that rule out a candidate which links through sets refute."""
    board = board_after_singles(text)
    commons, nodes = restricted_commons(board), grouped_links(board).nodes
    refuted = {nodes[number] for number in members(grouped_consequences(board).refuted)}
    for number in range(len(commons.sets)):
        reach = {
            (value, 1 << cell) for value, cells in commons.cells_by_value(commons.reaches[number]) for cell in members(cells)
        }
        assert (commons.ends >> number & 1) == bool(reach & refuted)


# --- part links -------------------------------------------------------------------------------------------------------


HOUSES = RULES["houses"]()
PARTS = {
    "dot": RULES["difference"]((0, 1), 1),
    "black dot": RULES["ratio"]((0, 9), 2),
    "cage of two": RULES["killer-cage"]((0, 1), 9),
    "cage": RULES["killer-cage"]((0, 1, 2), 12),
    "thermometer": RULES["thermometer"]((0, 10, 20)),
    "whisper": RULES["whisper"]((0, 10, 20), None),
    "palindrome": RULES["palindrome"]((0, 13, 24, 35)),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("seed", range(4))
def test_links_are_what_completions_say(name: str, seed: int) -> None:
    """A weak link's candidates never meet in a completion, and of a strong link's each completion has one."""
    board, random = make_board(Puzzle(Grid.square(9), (HOUSES, PARTS[name]))), Random(seed)  # noqa: S311
    (part,) = board.layout.parts
    for cell in part.cells:
        board.keep_candidates(cell, to_mask(random.sample(range(1, 10), 3 + seed)))
    values: list[int] = [0] * 81
    completions = []
    for chosen in product(*(members(board.candidates[cell]) for cell in part.cells)):
        for cell, value in zip(part.cells, chosen, strict=True):
            values[cell] = value
        if all(constraint.holds(values) for constraint in part.constraints):
            completions.append(set(zip(part.cells, chosen, strict=True)))
    links = part_links(board, 0)
    for one, other, strong in links:
        assert one[0] != other[0]
        assert all(({one, other} & found if strong else not {one, other} <= found) for found in completions)
    if len(part.cells) == 2 and completions:
        first, second = ([(cell, value) for value in members(board.candidates[cell])] for cell in part.cells)
        live = {one for found in completions for one in found}  # the part alone refutes all others
        apart = {pair for pair in product(first, second) if set(pair) <= live and not any(set(pair) <= f for f in completions)}
        assert apart <= {(link.start, link.end) for link in links if not link.strong}


def test_a_chain_goes_through_a_dot() -> None:
    """Two cells of two candidates beside each other on a dot: a chain of one value ends on a cell that sees only one of them."""
    board = make_board(Puzzle(Grid.square(9), (HOUSES, RULES["difference"]((13, 22), 1))))
    for cell, domain in ((9, "14"), (13, "45"), (22, "58"), (26, "18")):
        board.keep_candidates(cell, to_mask(map(int, domain)))
    found = all_steps(board, Technique.AIC)
    through = [step for step in found if any(group.statement is ProofStatement.PART for group in step.proof)]
    assert through
    assert not any(unproved_results(board, step) for step in found)
    plain = make_board(Puzzle())
    for cell, domain in ((9, "14"), (13, "45"), (22, "58"), (26, "18")):
        plain.keep_candidates(cell, to_mask(map(int, domain)))
    assert {step.eliminations for step in all_steps(plain, Technique.AIC)} < {step.eliminations for step in found}


def test_nets_go_through_a_dot() -> None:
    """What two cells on a dot imply of each other belongs to a net; the same cells without a dot imply nothing."""
    dot = RULES["difference"]((13, 22), 1)
    domains = {9: "14", 13: "45", 22: "58", 26: "18"}
    nets = []
    for rules in ((HOUSES, dot), (HOUSES,)):
        board = make_board(Puzzle(Grid.square(9), rules))
        for cell, domain in domains.items():
            board.keep_candidates(cell, to_mask(map(int, domain)))
        nets.append(net_of(board, (13, 4)))
    assert nets[0].true[5] >> 22 & 1, "4 beside the dot leaves 5, not 8"
    assert not nets[1].true[5] >> 22 & 1


@pytest.mark.parametrize(("name", "number"), [("thermometer", 1), ("killer", 1)])
def test_nets_through_rule_parts_are_proved(name: str, number: int) -> None:
    """Each is true, and its parts with the values of their cells, and what else it names, suffice."""
    puzzle = list(read_records(f"examples/variants/{name}.jsonl"))[number].puzzle
    assert puzzle
    solution, board = solve(puzzle).solution, make_board(puzzle)
    assert solution
    list(apply_steps(board, tuple(rung for rung in RUNGS if rung.level in "EM")))
    found = [*islice(contradiction_nets(board), 20), *islice(verity_nets(board), 10)]
    through = [step for step in found if any(group.statement is ProofStatement.PART for group in step.proof)]
    assert through
    for step in through[::3]:
        assert all(solution[cell] != value for cell, value in step.eliminations)
        assert not unproved_results(board, step)
