"""Fish against their definition, the compiled search against the plain one, and a picture for each rule of the definition."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.backends import Clock, Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import Board, Grid
from sudoku_cp.logic import make_board, parse_technique
from sudoku_cp.logic.ladder import all_steps, find_steps
from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.techniques.compiled_fish import find_compiled
from sudoku_cp.logic.techniques.fish import FISH, find_fish, find_fish_steps, fish_query
from sudoku_cp.logic.techniques.fish_search import FishKind, find_plainly, space_of
from sudoku_cp.logic.words import describe_step
from sudoku_cp.model import members, to_mask
from sudoku_cp.rules import RULES
from tests.logic.proof_check import unproved_results
from tests.logic.value_boards import VALUE, board_of, image_of, names, random_board, random_symmetry, rows_of

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard


class StubClock(Clock):
    """A clock that reaches its limit when it is asked for the ``most``-th time."""

    def __init__(self, most: int) -> None:
        """Count from 0."""
        super().__init__(Limits(nodes=most))
        self.most = most

    def check(self) -> None:
        """Count, and raise at the end."""
        self.nodes += 1
        if self.nodes == self.most:
            raise LimitReached("nodes")


DefinedFish: TypeAlias = tuple[str, tuple[int, ...], frozenset[int]]
SMALL = [technique for technique in FISH if technique.code[3] in "01"]
NOT_LARGE = [technique for technique in FISH if technique.code[3] <= "2"]


def title(technique: Technique) -> str:
    """Return the name of a technique, for the names of tests."""
    return technique.title


# --- the definition ---------------------------------------------------------------------------------------------------


def defined_kind(kinds: list[HouseKind | None], cover_kinds: list[HouseKind | None]) -> str:
    """Return "0" for a basic fish, "3" for a franken one, "5" for a mutant, from the kinds of its houses."""
    row, column, box = HouseKind.ROW, HouseKind.COLUMN, HouseKind.BOX
    for one, other in ((row, column), (column, row)):
        if set(kinds) <= {one} and set(cover_kinds) <= {other}:
            return "0"
        if set(kinds) <= {one, box} and set(cover_kinds) <= {other, box}:
            return "3"
    return "5"


def defined_fish(board: CandidateBoard, size: int) -> list[DefinedFish]:
    """Return the first three figures of the code, the bases, and what is eliminated of each fish: tries all sets of houses."""
    layout, places = board.layout, set(members(board.places[VALUE]))
    houses = [house for house in range(layout.houses) if places & set(layout.groups[house].cells)]
    inside = {house: places & set(layout.groups[house].cells) for house in houses}
    found = []
    for bases in combinations(houses, size):
        counts = {place: sum(place in inside[base] for base in bases) for place in places}
        endo_fins = {place for place in places if counts[place] > 1}
        in_bases = {place for place in places if counts[place]}
        useful = [house for house in houses if house not in bases and inside[house] & in_bases]
        for covers in combinations(useful, size) if len(endo_fins) <= 2 else ():
            held = {place: sum(place in inside[cover] for cover in covers) for place in places}
            fins = {place for place in in_bases if not held[place]} | endo_fins
            removed = {place for place in places if (held[place] and not counts[place]) or held[place] > 1}
            removed = {place for place in removed if all(layout.sight[place] >> fin & 1 for fin in fins)}
            if not removed or len(fins) > 5:
                continue
            kind = defined_kind([layout.groups[h].kind for h in bases], [layout.groups[h].kind for h in covers])
            if fins and kind == "0":
                code = "032" if any(len(inside[base] - fins) <= 1 for base in bases) else "031"
            else:
                code = "03" + (str(int(kind) + 1) if fins else kind)
            found.append((code, bases, frozenset(removed)))
    return found


@cache
def chance_boards(size: int, bases: int, extras: tuple[int, ...]) -> list[tuple[CandidateBoard, list[DefinedFish]]]:
    """Return boards of places by chance with all their fish of so many bases."""
    rng = Random(size)  # noqa: S311
    boards = [random_board(rng, size, more) for more in extras]
    return [(board, defined_fish(board, bases)) for board in boards]


def defined_rows(fish: list[DefinedFish], family: str) -> set[frozenset[int]]:
    """Return what the fish of a family eliminate, siamese ones among those with fins."""
    rows = {removed for code, _, removed in fish if code == family}
    paired = {"031": ("030", "031", "032"), "032": ("030", "031", "032"), "034": ("034",), "036": ("036",)}.get(family, ())
    by_bases: dict[tuple[int, ...], set[frozenset[int]]] = {}
    for code, bases, removed in fish:
        if code in paired:
            by_bases.setdefault(bases, set()).add(removed)
    for own in by_bases.values():
        rows |= {one | other for one, other in combinations(own, 2)}
    return rows


def cells_of_rows(board: CandidateBoard, technique: Technique) -> set[frozenset[int]]:
    """Return the cells that each step clears."""
    return {frozenset(cell for cell, _ in row) for row in rows_of(board, technique)}


@pytest.mark.parametrize("technique", SMALL, ids=title)
def test_small_fish_are_those_of_the_definition(technique: Technique) -> None:
    """On boards by chance each technique finds what all sets of two or three bases and covers give, and nothing else."""
    bases = int(technique.code[3]) + 2
    for board, fish in chance_boards(6, 2, (4, 8, 14, 20)) if bases == 2 else chance_boards(4, 3, (0, 2, 4, 6)):
        assert cells_of_rows(board, technique) == defined_rows(fish, technique.code[:3])


@pytest.mark.slow
@pytest.mark.parametrize("technique", SMALL, ids=title)
def test_fish_of_larger_boards_are_those_of_the_definition(technique: Technique) -> None:
    """The same on 9x9 for two bases, on 6x6 for three."""
    bases = int(technique.code[3]) + 2
    for board, fish in chance_boards(9, 2, (6, 12, 24, 36)) if bases == 2 else chance_boards(6, 3, (4, 8, 16)):
        assert cells_of_rows(board, technique) == defined_rows(fish, technique.code[:3])


# --- one search, compiled and plain -------------------------------------------------------------------------------------


@pytest.mark.parametrize("technique", NOT_LARGE, ids=title)
def test_compiled_and_plain_search_agree(technique: Technique) -> None:
    """They find the same fish in the same order; also where places fill more than a word."""
    rng, query = Random(technique.code), fish_query(technique)  # noqa: S311
    is_basic = query.kind is FishKind.BASIC
    boards = [random_board(rng, 9 if is_basic else 6 if query.size == 2 else 4, more) for more in (5, 10)]
    if is_basic:
        boards.append(board_of("xxxxxxxxx " * 6 + "xxxx..xx. " + ".......x. " * 2))
    for board in boards:
        space = space_of(board, VALUE)
        assert list(find_compiled(space, query, int)) == list(find_plainly(space, query, int))


@pytest.mark.slow
@pytest.mark.parametrize("code", ["0303", "0313", "0335", "0345", "0353", "0364", "0365"])
def test_compiled_and_plain_search_agree_on_large_fish(code: str) -> None:
    """So they do for five to seven bases."""
    rng, query = Random(code), fish_query(parse_technique(code))  # noqa: S311
    for size, more in ((4, 4), (4, 8), (6, 4)) if query.kind is not FishKind.MUTANT else ((4, 4), (4, 8)):
        space = space_of(random_board(rng, size, more), VALUE)
        assert list(find_compiled(space, query, int)) == list(find_plainly(space, query, int))


@pytest.mark.parametrize("code", ["0300", "0301", "0302", "0303"])
def test_fish_in_plain_lines_are_those_of_the_search(code: str) -> None:
    """The short way for basic fish without fins eliminates what the search for all fish does."""
    rng, technique = Random(code), parse_technique(code)  # noqa: S311
    for more in (6, 10, 14, 18) * 3:
        board = random_board(rng, 9, more)
        space, query = space_of(board, VALUE), fish_query(technique)
        assert set(find_fish(space, query, int)) == set(find_plainly(space, query, int))


def test_arrays_grow() -> None:
    """A crowded board has more fish than fit into the first arrays; none is lost."""
    board = board_of("xx.xx.xx. xx.xx.xx. ......... xx.xx.xx. xx.xx.xx. ......... ......x.. ..x...... .....x...")
    space, query = space_of(board, VALUE), fish_query(Technique.FINNED_FRANKEN_SWORDFISH)
    compiled = list(find_compiled(space, query, int))
    assert len(compiled) > 64
    assert compiled == list(find_plainly(space, query, int))


# --- pictures ---------------------------------------------------------------------------------------------------------

FULL = "xxxxxxxxx "
X_WING = ".x....x.. " + 3 * FULL + ".x....x.. " + 4 * FULL
CANNIBAL = """
x....x... xxxx.xx.x .xx....xx x.x..xx.. x.....xx. x.xx.x... x...x..xx xx.x..x.x x...xx.xx
"""
PLAIN_CANNIBAL = """
.x......x .xx..xx.. x.xxx.... x...x...x x...xx... x.x...x.. ..x.xx... .x..xxx.. xxxxx.xx.
"""
ENDO_FIN = """
x..x...x. x.xx....x ...x..xxx .....xxx. ..x.x...x .xx..x... .xx.x...x x..xxx..x .x..xxxxx
"""
SIAMESE = """
.......xx xxxx.x... ..x....xx x.x..xx.. .x.....xx .xxx..... xx.xx...x .xx.x.x.. ....xx...
"""


def with_first_row(row: str) -> CandidateBoard:
    """Return the board of the X-wing in rows 1 and 5 with another row 1."""
    return board_of(row + X_WING[9:])


def test_an_x_wing() -> None:
    """Two places in each of two rows, in two columns: the value leaves the columns' rest."""
    rest = " ".join(f"r{row}c2 r{row}c7" for row in (2, 3, 4, 6, 7, 8, 9))
    assert names(board_of(X_WING), Technique.X_WING) == {rest}
    assert not names(board_of(X_WING), Technique.FINNED_X_WING)


@pytest.mark.parametrize(("row", "cleared"), [(".xx...x..", {"r2c2 r3c2"}), (".x.x..x..", set()), (".xx...xx.", set())])
def test_a_place_more_is_a_fin(row: str, cleared: set[str]) -> None:
    """With a third place in one of the rows only what sees that fin goes: nothing if it is far away, or if two fins are."""
    board = with_first_row(row)
    assert names(board, Technique.X_WING) == names(board, Technique.SASHIMI_X_WING) == set()
    assert names(board, Technique.FINNED_X_WING) == cleared


def test_without_the_corner_it_is_sashimi() -> None:
    """When the corner beside the fin is gone, its row keeps one place without fins; both ways round, and united."""
    board = with_first_row("..x...x..")
    assert names(board, Technique.SASHIMI_X_WING) == {"r2c2 r3c2", "r4c3 r6c3", "r2c2 r3c2 r4c3 r6c3"}
    assert names(board, Technique.FINNED_X_WING) == {"r2c2 r3c2 r4c3 r6c3"}, "siamese fish are listed under both codes"


def test_a_cannibal_loses_a_place_of_its_own_bases() -> None:
    """A place in a base and in two covers that sees all fins goes."""
    steps = all_steps(board_of(CANNIBAL), Technique.FINNED_FRANKEN_SWORDFISH)
    (step,) = (step for step in steps if step.eliminations == ((45, VALUE),))
    assert step.cells >> 45 & 1
    steps = all_steps(board_of(PLAIN_CANNIBAL), Technique.MUTANT_SWORDFISH)
    assert any(step.cells & to_mask(cell for cell, _ in step.eliminations) for step in steps)


def test_a_covered_endo_fin_is_a_fin() -> None:
    """A place in two bases is a fin even where a cover holds it: only what sees it goes."""
    board = board_of(ENDO_FIN)
    (step,) = all_steps(board, Technique.FINNED_FRANKEN_X_WING)
    assert board.layout.grid.cell_name(step.eliminations[0][0]) == "r8c4"
    covered = 0
    for cover in step.pattern.covers:
        covered |= board.layout.groups[cover].mask
    assert step.pattern.fins & covered == step.pattern.fins == 1 << 21


def test_siamese_fish_are_listed_beside_their_parts() -> None:
    """Two sashimi swordfish of the same bases are listed united too, as finned and as sashimi; alone under their own code."""
    board = board_of(SIAMESE)
    union = "r2c2 r4c3 r6c3"
    assert {"r2c2", "r4c3 r6c3", union} == names(board, Technique.FINNED_SWORDFISH)
    assert union in names(board, Technique.SASHIMI_SWORDFISH)
    step = next(step for step in all_steps(board, Technique.FINNED_SWORDFISH) if len(step.eliminations) == 3)
    assert len(step.pattern.bases) == 3
    assert len(step.pattern.covers) == 4


# --- what holds of all ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("technique", NOT_LARGE, ids=title)
def test_every_fish_is_proved(technique: Technique) -> None:
    """The places, the proof groups and a candidate that is eliminated contradict each other."""
    rng = Random(technique.code)  # noqa: S311
    for more in (8, 20):
        board = random_board(rng, 9 if technique.code[2] < "3" else 6, more)
        for step in all_steps(board, technique)[:20]:
            assert step.eliminations
            assert not unproved_results(board, step)


@pytest.mark.parametrize("technique", [one for one in NOT_LARGE if one.code[2] < "5"], ids=title)
def test_symmetries_move_the_steps(technique: Technique) -> None:
    """The steps of a board's image are the images of its steps."""
    rng = Random(technique.code)  # noqa: S311
    board = random_board(rng, 9, 14)
    images, values = random_symmetry(rng), [0, *rng.sample(range(1, 10), 9)]
    expected = {frozenset((images[cell], values[value]) for cell, value in row) for row in rows_of(board, technique)}
    assert rows_of(image_of(board, images, values), technique) == expected


def test_only_searched_values_are_looked_at() -> None:
    """A value that is not searched for has no fish."""
    board = board_of(X_WING)
    board.searched = 1 << 2
    assert not list(find_steps(board, Technique.X_WING))


def test_places_known_to_be_barren_are_not_searched_again() -> None:
    """A search that found nothing is not repeated while the places stay; when they change it is."""
    board = board_of(X_WING)
    assert not list(find_steps(board, Technique.FINNED_X_WING))
    board.clock = StubClock(1)
    assert not list(find_steps(board, Technique.FINNED_X_WING))
    board = with_first_row(".xx...x..")
    assert list(find_steps(board, Technique.FINNED_X_WING))
    assert list(find_steps(board, Technique.FINNED_X_WING)), "found twice"


def test_a_deadline_stops_a_large_fish() -> None:
    """The board's clock is looked at while a mutant whale is sought, and may end that; what was found before stays."""
    board = random_board(Random(5), 9, 20)  # noqa: S311
    board.clock = StubClock(3)
    with pytest.raises(LimitReached):
        list(find_steps(board, Technique.FINNED_MUTANT_WHALE))


# --- other boards -----------------------------------------------------------------------------------------------------


def test_a_diagonal_makes_a_mutant() -> None:
    """Diagonals are houses: a fish with one is a mutant, and it is proved."""
    board = make_board(Puzzle(rules=(RULES["houses"](), RULES["diagonals"]())))
    rng = Random(3)  # noqa: S311
    board.remove(to_mask(cell for cell in range(81) if rng.random() < 0.75), VALUE)
    board.searched = 1 << VALUE
    steps = [*find_steps(board, Technique.MUTANT_X_WING), *find_steps(board, Technique.FINNED_MUTANT_X_WING)]
    groups = board.layout.groups
    with_diagonal = [step for step in steps if any(groups[house].kind is HouseKind.EXTRA for house in step.pattern.bases)]
    assert with_diagonal
    assert not any(unproved_results(board, step) for step in with_diagonal[:20])


def test_boards_with_many_houses_and_places() -> None:
    """Overlapping boards have places in several rows; on large boards places fill several words."""
    overlap = Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
    for grid, share in ((overlap, 0.5), (Grid.square(16), 0.3)):
        board, rng = make_board(Puzzle(grid)), Random(1)  # noqa: S311
        board.remove(to_mask(cell for cell in range(len(grid.cells)) if rng.random() < share), VALUE)
        board.searched = 1 << VALUE
        for technique in (Technique.X_WING, Technique.FINNED_X_WING, Technique.FRANKEN_X_WING, Technique.FINNED_FRANKEN_X_WING):
            space, query = space_of(board, VALUE), fish_query(technique)
            assert set(find_fish(space, query, int)) == set(find_plainly(space, query, int))
            assert not any(unproved_results(board, step) for step in list(find_fish_steps(board, technique, query))[:10])


def test_a_cage_that_needs_the_value_makes_a_fish() -> None:
    """A cage of 6, 9, 1 and 2 in box 1 and a row whose 1 stands in the same columns make an X-wing; with 2 and 3 they do not."""
    removed = []
    for total in (3, 5):
        board = make_board(Puzzle(rules=(RULES["houses"](), RULES["killer-cage"]((0, 9, 10, 1), total + 15))))
        for cell, domain in ((0, "69"), (1, "69"), (9, "12" if total == 3 else "23"), (10, "12" if total == 3 else "23")):
            board.keep_candidates(cell, to_mask(map(int, domain)))
        row = [cell for cell in range(63, 72) if cell not in {63, 64}]
        board.remove(to_mask(row), 1)
        board.searched = 1 << 1
        steps = list(find_steps(board, Technique.MUTANT_X_WING))
        caged = [step for step in steps if any(house >= board.layout.houses for house in step.pattern.bases)]
        removed.append({cell for step in caged for cell, _ in step.eliminations})
        found = list(find_steps(board, Technique.CAGE_X_WING))
        assert {step.eliminations for step in found} >= {step.eliminations for step in caged}
        assert not any(unproved_results(board, step) for step in found)
        assert bool(found) == bool(caged)
        assert not any(unproved_results(board, step) for step in caged)
        if caged:
            assert "cage" in describe_step(board.layout, Puzzle().symbols, caged[0])
    assert removed[0] >= {18, 19, 27, 28}, "1 leaves the rest of columns 1 and 2"
    assert not removed[1]
