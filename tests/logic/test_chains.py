"""Chains and nice loops: known cases, each clause of their definitions, and a slow reading of these on small boards."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.grid import Grid
from sudoku_cp.logic import make_board, parse_technique
from sudoku_cp.logic.ladder import all_steps
from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.links import link_table
from sudoku_cp.logic.step import ProofStatement
from sudoku_cp.model import members, to_mask
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Step

    Rows = set[tuple[tuple[int, int], ...]]


def board_of(position: str) -> CandidateBoard:
    """Return a 9x9 position: its values, then the candidates deleted as value, row and column."""
    values, *deleted = position.split()
    board = make_board(Puzzle.parse(values))
    for value, row, column in (map(int, word) for word in deleted):
        board.remove(1 << (9 * row + column - 10), value)
    return board


def removed(words: str) -> tuple[tuple[int, int], ...]:
    """Return eliminations that are written as value, row and column."""
    return tuple(sorted((9 * int(row) + int(column) - 10, int(value)) for value, row, column in words.split()))


def steps_of(board: CandidateBoard, code: str) -> dict[tuple[tuple[int, int], ...], Step]:
    """Return the steps of a technique by what they eliminate."""
    return {step.eliminations: step for step in all_steps(board, parse_technique(code))}


# --- known cases --------------------------------------------------------------------------------------------------

PAIRS = "4..519..29526.8...81.2..95..841926.52.1.56...5..48..2..298.15..1.5.64298.489257.."
LOOP = "3..5..1...7.....8...8..4..66..4..9...3..6..5...7..16.48..1..3....3.2..6...2..9..."
LOOP_CELLS = (
    "...41.7535.3..7184147358629.5......6...1365.86....5..2...7238.58725.4..1..5.812.7 "
    "212 912 913 622 241 441 443 945 448 458 962 463 965 468 972 992 398"
)
TRUE_IF_FALSE = "1......6..4.36.1..7.6.2...5.......1.6..2.....4..68.3.2918472...375..6..8264538..1 987 988"
TWICE = "4..2..9...37..4....9267.384....67.42...8........5.2.....17...6.7...16..89.64...1."
GROUPS = "5..7.........3..7...8..5..36..1.94...8..2..9...9..8..1...4..3...6..9..4...2..6..9"
EXIT = "213947685.....3419.4.16.3277...3..9...1.9.5...8......2.5.3.92.6..6..49...9.....5."
EXIT_TO_OWN_VALUE = "6.....7.334.8.7....7..........5341877.42.1...1.37......27....51....7.9......1..7."
SETS = ".2......43.54.6..9...3..6.......9...2...5...7..8.415..78.562..31629..7.5...1..... 245 395 396"
CASES = [
    ("0701", "..3...6.......1.9..7..5....718....5..2..7.1..6.9....72...83..1....2.....4...673..", "364"),
    ("0702", "4..53...9258...13..9..1854.6.7.8..............84.63...8..69..71...8.14..1..3.7.9.", "612 613"),
    ("0703", PAIRS, "362 762"),
    ("0706", LOOP, "324 325 345 348"),
    ("0707", ".2...3..48..7..39...7....61..3.7...8..6..213.5.........4.8....6..8.1..2..5...9...", "517"),
    ("0707", TRUE_IF_FALSE, "342 542 842 942"),
    ("0708", "...3....2.62..7....91....5.....9..83..3.......29843.16...43.8.....1...3..35.2..64", "437"),
    ("0708", LOOP, "229"),
    ("0709", GROUPS, "412 415 421 422 451"),
    ("0709", SETS, "715 815 725 825 735 835"),
    ("0710", GROUPS, "422"),
    ("0710", EXIT, "891"),
    ("0711", GROUPS, "415"),
    ("0711", EXIT, "893"),
    ("0710", EXIT_TO_OWN_VALUE, "877"),
    ("0711", EXIT_TO_OWN_VALUE, "914"),
]


@pytest.mark.parametrize(("code", "position", "expected"), CASES)
def test_known_cases(code: str, position: str, expected: str) -> None:
    """The technique finds the row, all its steps are proved, and its chain begins with a strong link, if it can."""
    board = board_of(position)
    found = steps_of(board, code)
    assert removed(expected) in found
    assert not any(unproved_results(board, step) for step in found.values())
    for step in found.values():
        links = step.pattern.links
        assert code == "0703" or all(one.strong != other.strong for one, other in pairwise(links))
        assert code == "0703" or all(one.end == other.start for one, other in pairwise(links))
        assert links[0].strong or code in {"0707", "0710"}
        assert not any(node.cells & ~step.cells for link in links for node in link[:2])


@pytest.mark.parametrize(("code", "position", "expected"), [one for one in CASES if one[0] != "0709"])
def test_images_of_a_position_have_the_images_of_its_rows(code: str, position: str, expected: str) -> None:
    """Transposed, with rows and columns of the board in another order and values exchanged, it gives the same."""
    board, random = board_of(position), Random(expected)  # noqa: S311
    values = [0, *random.sample(range(1, 10), 9)]
    rows, columns = (
        [3 * band + line for band in random.sample(range(3), 3) for line in random.sample(range(3), 3)] for _ in range(2)
    )
    cells = [9 * columns[cell % 9] + rows[cell // 9] for cell in range(81)]
    image = make_board(Puzzle())
    for cell, value in enumerate(board.values):
        if value is not None:
            image.place(cells[cell], values[value])
    for cell in members(board.open):
        image.keep_candidates(cells[cell], to_mask(values[value] for value in members(board.candidates[cell])))
    mapped = {tuple(sorted((cells[cell], values[value]) for cell, value in row)) for row in steps_of(board, code)}
    assert mapped == set(steps_of(image, code))


# --- clauses ------------------------------------------------------------------------------------------------------


def test_single_candidates_do_not_find_what_groups_find() -> None:
    """Where only groups of candidates lead on, the plain techniques find nothing, and grouped ones no less than plain ones."""
    board = board_of(GROUPS)
    assert not any(steps_of(board, code) for code in ("0701", "0702", "0703", "0706", "0707", "0708"))
    for position in (LOOP, TRUE_IF_FALSE, TWICE):
        board = board_of(position)
        assert set(steps_of(board, "0708")) <= set(steps_of(board, "0711"))
        assert set(steps_of(board, "0707")) <= set(steps_of(board, "0710"))


def test_an_x_chain_keeps_to_the_values_searched() -> None:
    """Where only 3 is searched no other value is eliminated, and where another is, nothing."""
    board = board_of(CASES[0][1])
    board.searched = 1 << 3
    assert set(steps_of(board, "0701")) == {removed("354"), removed("364")}
    board.searched = 1 << 4
    assert not steps_of(board, "0701")


def hand_made(**domains: str) -> CandidateBoard:
    """Return an empty 9x9 board whose named cells have but a few candidates."""
    board = make_board(Puzzle())
    for name, values in domains.items():
        board.keep_candidates(9 * int(name[1]) + int(name[3]) - 10, to_mask(map(int, values)))
    return board


def test_a_third_candidate_breaks_an_xy_chain() -> None:
    """Three cells of two candidates in a chain remove the value of both ends; with one candidate more there is no chain."""
    assert set(steps_of(hand_made(r1c1="12", r1c9="23", r5c9="13"), "0702")) == {removed("151")}
    assert not steps_of(hand_made(r1c1="12", r1c9="234", r5c9="13"), "0702")
    assert not steps_of(hand_made(r1c1="12", r1c9="23", r5c9="34"), "0702")


def test_remote_pairs_need_ends_of_two_colours() -> None:
    """From four cells in a chain both values leave what sees the ends; three cells only make naked pairs."""
    four = steps_of(hand_made(r1c1="12", r4c1="12", r5c2="12", r5c9="12"), "0703")
    assert any(set(removed("119 219")) <= set(row) for row in four)
    three = steps_of(hand_made(r1c1="12", r4c1="12", r5c2="12"), "0703")
    assert not any(set(removed("112 212")) & set(row) for row in three)


def test_a_chain_may_pass_a_cell_twice() -> None:
    """Only the ends matter: some chain comes back to a cell that it has left."""
    chains = [step.pattern.links for step in steps_of(board_of(TWICE), "0708").values()]
    paths = [[links[0].start.cells, *(link.end.cells for link in links)] for links in chains]
    stays = [[cell for cell, before in zip(path[1:], path, strict=False) if cell != before] for path in paths]
    assert any(len(set(cells)) < len(cells) for cells in stays)


def test_remote_pairs_are_components() -> None:
    """All cells of a component have two candidates, the same; its values leave the cells that see both colours."""
    (step, *_) = steps_of(board_of(PAIRS), "0703").values()
    board = board_of(PAIRS)
    assert {board.candidates[cell] for cell in members(step.cells)} == {step.values}
    assert step.cells.bit_count() >= 4
    assert {group.statement for group in step.proof} == {ProofStatement.HAS_VALUE, ProofStatement.ONCE}


def test_a_loop_removes_nothing_of_its_weak_links_from_its_own_cells() -> None:
    """A candidate that sees both ends of a weak link stays, if its cell is one of a node of the loop."""
    board = board_of(LOOP_CELLS)
    stayed = 0
    for eliminations, step in steps_of(board, "0706").items():
        cells = to_mask(cell for link in step.pattern.links for cell in members(link.start.cells))
        for (value, some), (other, others), strong, _ in step.pattern.links:
            if not strong and value == other:
                seen = board.layout.seen_by_all(some | others) & board.places[value]
                assert all((cell, value) in eliminations for cell in members(seen & ~cells))
                stayed += sum((cell, value) not in eliminations for cell in members(seen & cells))
    assert stayed


def test_the_other_values_of_a_set_in_a_loop_have_their_places_there() -> None:
    """A loop through an almost locked set removes the set's other values from what sees all their cells in it."""
    board = board_of(SETS)
    step = steps_of(board, "0709")[removed("715 815 725 825 735 835")]
    (almost,) = step.pattern.sets
    linked = to_mask(node.value for link in step.pattern.links for node in link[:2] if not node.cells & ~almost.cells)
    for value in members(almost.values & ~linked):
        seen = board.layout.seen_by_all(almost.cells & board.places[value]) & board.places[value]
        assert all((cell, value) in step.eliminations for cell in members(seen))


@pytest.mark.parametrize(("code", "row"), [("0711", "893"), ("0710", "891")])
def test_exit_links_are_needed(code: str, row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without links from a set to the value that it leaves to a cell outside the row is not found."""
    monkeypatch.setattr(link_table, "_add_exit", lambda *_: None)
    assert removed(row) not in steps_of(board_of(EXIT), code)


@pytest.mark.parametrize(("code", "row"), [("0711", "893"), ("0710", "891")])
def test_a_set_is_named_with_the_cell_that_it_leaves_a_value_to(code: str, row: str) -> None:
    """One more value than cells, those of the links that go through it among them."""
    pattern = steps_of(board_of(EXIT), code)[removed(row)].pattern
    assert pattern.sets
    assert all(one.values.bit_count() == one.cells.bit_count() + 1 for one in pattern.sets)
    for start, end, is_strong, *_ in pattern.links:
        if is_strong and start.value != end.value and start.cells != end.cells:
            nodes, pair = start.cells | end.cells, 1 << start.value | 1 << end.value
            assert any(not nodes & ~one.cells and not pair & ~one.values for one in pattern.sets)


# --- a slow reading of the definitions ------------------------------------------------------------------------------

Node = tuple[int, frozenset[int]]


class SlowLinks:
    """Nodes and links of a board, each pair tried by the words of its definition."""

    def __init__(self, board: CandidateBoard, *, grouped: bool) -> None:
        """Try all pairs."""
        self.board = board
        self.groups = [frozenset(group.cells) for group in board.layout.groups]
        self.houses = self.groups[: board.layout.houses]
        self.places = {value: frozenset(members(board.places[value])) for value in board.layout.values}
        base = {(value, frozenset([cell])) for value, cells in self.places.items() for cell in cells}
        if grouped:
            lines, boxes = (
                [frozenset(group.cells) for group in board.layout.groups if (group.kind is HouseKind.BOX) == is_box]
                for is_box in (False, True)
            )
            shared = [(value, box & line & cells) for value, cells in self.places.items() for box in boxes for line in lines]
            base |= {node for node in shared if len(node[1]) > 1}
        self.strong = {
            (one, other)
            for one, other in permutations(base, 2)
            if self._fill_cell(one, other) or (one[0] == other[0] and self._fill_house(one[0], one[1], other[1]))
        }
        if grouped:
            for pair in self._through_sets():
                self.strong |= {pair, pair[::-1]}
        self.nodes = base | {node for pair in self.strong for node in pair}
        self.weak = {(one, other) for one, other in permutations(self.nodes, 2) if self._exclude(one, other)}
        self.ends: dict[bool, dict[Node, set[Node]]] = {}
        for true, links in ((True, self.weak), (False, self.strong)):
            self.ends[true] = {node: {other for one, other in links if one == node} for node in self.nodes}

    def sees(self, cell: int, other: int) -> bool:
        """Return whether a group holds both cells."""
        return cell != other and any(cell in group and other in group for group in self.groups)

    def _fill_cell(self, one: Node, other: Node) -> bool:
        domains = self.board.candidates
        return one[1] == other[1] and len(one[1]) == 1 and domains[min(one[1])] == 1 << one[0] | 1 << other[0]

    def _fill_house(self, value: int, some: frozenset[int], others: frozenset[int]) -> bool:
        return not some & others and any(house & self.places[value] == some | others for house in self.houses)

    def _exclude(self, one: Node, other: Node) -> bool:
        if one[0] == other[0]:
            return all(self.sees(cell, seen) for cell in one[1] for seen in other[1])
        return one[1] == other[1] and len(one[1]) == 1

    def _through_sets(self) -> Iterator[tuple[Node, Node]]:
        board = self.board
        for house in self.houses:
            for size in range(2, len(house)):
                for cells in combinations(sorted(house), size):
                    values = members(board.values_in(to_mask(cells)))
                    if len(values) == size + 1 and all(board.values[cell] is None for cell in cells):
                        own = {value: frozenset(cells) & self.places[value] for value in values}
                        yield from combinations(own.items(), 2)
                        yield from self._exits(own, frozenset(cells))

    def _exits(self, own: dict[int, frozenset[int]], cells: frozenset[int]) -> Iterator[tuple[Node, Node]]:
        for cell in set(range(len(self.board.values))) - cells:
            domain = set(members(self.board.candidates[cell]))
            taken = {value for value in domain & set(own) if all(self.sees(cell, one) for one in own[value])}
            for left in domain - taken if len(domain - taken) == 1 else ():
                for value in set(own) - taken:
                    yield (value, own[value]), (left, frozenset([cell]))

    def follows(self, start: Node, *, true: bool) -> set[tuple[Node, bool]]:
        """Return all that links lead to from a node that is true, or false, the start only if they lead back to it."""
        found: set[tuple[Node, bool]] = set()
        waiting = [(start, true)]
        while waiting:
            node, is_true = waiting.pop()
            new = {(other, not is_true) for other in self.ends[is_true][node]} - found
            found |= new
            waiting += new
        return found


def slow_chains(links: SlowLinks) -> tuple[Rows, Rows]:
    """Return the rows of AICs and those of discontinuous loops."""
    places, chains, loops = links.places, set(), set()
    for value, cells in [node for node in links.nodes if len(node[1]) == 1]:
        start, (cell,) = (value, cells), cells
        if (start, False) in links.follows(start, true=True):
            loops.add(((cell, value),))
        implied = links.follows(start, true=False)
        if (start, True) in implied:
            loops.add(tuple((cell, other) for other in members(links.board.candidates[cell]) if other != value))
        for (other, others), is_true in implied:
            if is_true and len(others) == 1 and others != cells:
                (end,) = others
                if value == other:
                    row = {(one, value) for one in places[value] if links.sees(one, cell) and links.sees(one, end)}
                else:
                    row = {(cell, other), (end, value)} if links.sees(cell, end) else set()
                chains.add(tuple(sorted((one, digit) for one, digit in row if one in places[digit])))
    return chains - {()}, loops - {()}


def random_board(seed: int, size: int = 6) -> CandidateBoard:
    """Return a board with half of all candidates, which need not have a solution."""
    board, random = make_board(Puzzle(Grid.square(size))), Random(seed)  # noqa: S311
    for cell in range(size * size):
        own = [value for value in range(1, size + 1) if random.random() < 0.45 + seed / 40] or [1 + cell % size]
        board.keep_candidates(cell, to_mask(own))
    return board


@pytest.mark.parametrize("seed", range(8))
def test_chains_agree_with_a_slow_reading(seed: int) -> None:
    """On random boards AICs and discontinuous loops are those of the definitions, one candidate and ends tried after another."""
    board = random_board(seed)
    chains, loops = slow_chains(SlowLinks(board, grouped=False))
    assert chains == set(steps_of(board, "0708"))
    assert loops == set(steps_of(board, "0707"))


@pytest.mark.parametrize("seed", range(8))
def test_grouped_chains_agree_with_a_slow_reading(seed: int) -> None:
    """The same with groups, almost locked sets and exits."""
    board = random_board(seed, 4)
    chains, loops = slow_chains(SlowLinks(board, grouped=True))
    assert chains == set(steps_of(board, "0711"))
    assert loops == set(steps_of(board, "0710"))


@pytest.mark.parametrize("seed", range(8))
def test_every_loop_of_four_nodes_is_found(seed: int) -> None:
    """However many loops start alike, all rows of p = q - r = s - p are listed."""
    board = random_board(seed)
    links, found = SlowLinks(board, grouped=False), steps_of(board, "0706")
    for (p, q), (r, s) in permutations(links.strong, 2):
        if len({p, q, r, s}) == 4 and (q, r) in links.weak and (s, p) in links.weak:
            cells, row = {cell for node in (p, q, r, s) for cell in node[1]}, set()
            for (value, some), (other, others) in ((q, r), (s, p)):
                if value != other:
                    (cell,) = some
                    row |= {(cell, rest) for rest in members(board.candidates[cell]) if rest not in {value, other}}
                else:
                    ends = some | others
                    row |= {(cell, value) for cell in links.places[value] - cells if all(links.sees(cell, end) for end in ends)}
            assert not row or tuple(sorted(row)) in found
