"""Families of clues: their proposals are true, drawable and of their own kinds."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.errors import UnknownName
from sudoku_cp.generate.base import random_stream
from sudoku_cp.generate.variants.families import FAMILIES, family_named
from sudoku_cp.generate.variants.layouts import draft_clues
from sudoku_cp.generate.variants.proposals import STYLES, Proposal, Spot, Style
from sudoku_cp.generate.variants.variant_generator import Tiler
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import random_solution
from sudoku_cp.rules import RULES, Arrow
from sudoku_cp.rules.base import Rule

if TYPE_CHECKING:
    from sudoku_cp.backends import Solution

GRIDS = {
    "4x4": Grid.square(4),
    "6x6": Grid.square(6),
    "9x9": Grid.square(9),
    "from 0": Grid.square(6, values=range(6)),
    "jigsaw": Grid.jigsaw("AAABBBB ACABBBD ACCCCDD EECCFDD EEEFFFD EGGGFGD EGGGFGF".replace(" ", "")),
}
USUAL = STYLES["any"]
ALONE = {"all-kropki", "all-xv", "counting-circles"}
"""Families that have one clue on a board."""
WORDS = (
    "killer thermo thermos arrow kropki whispers renban sandwich sandwiches little-killer Little_Killer x-sum xsum skyscraper "
    "skyscrapers xv palindromes zipper between region-sum inequality quadruples odd even nabner"
)
TILES = sorted(name for name, family in FAMILIES.items() if family.tile)


@pytest.fixture(scope="module")
def solutions() -> dict[str, Solution]:
    """A solution of each grid."""
    found = {}
    for name, grid in GRIDS.items():
        found[name] = random_solution(Puzzle(grid), seed=5, backend="sat").solutions[0]
    return found


def _proposed(
    name: str, grid: Grid, solution: Solution, style: Style = USUAL, seed: int = 1, symmetry: str = "none"
) -> list[Proposal]:
    return list(FAMILIES[name].propose(random_stream(seed, 1), grid, solution, style, symmetry))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", GRIDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_truth(name: str, shape: str, solutions: dict[str, Solution]) -> None:
    """Every clue holds for the solution according to its rule, and is valid on the grid."""
    grid, solution = GRIDS[shape], solutions[shape]
    for proposal in _proposed(name, grid, solution):
        assert proposal.rules
        assert proposal.spots
        assert proposal.cost > 0
        assert all(rule.holds(grid, solution) for rule in proposal.rules)
        assert not [problem for rule in proposal.rules for problem in (*Rule.problems(rule, grid), *rule.problems(grid))]


@pytest.mark.parametrize("name", FAMILIES)
def test_same_chance_same_clues(name: str, solutions: dict[str, Solution]) -> None:
    """The same random stream gives the same clues in the same order, none of them twice."""
    grid, solution = GRIDS["6x6"], solutions["6x6"]
    found = _proposed(name, grid, solution)
    assert found == _proposed(name, grid, solution)
    assert len({proposal.rules for proposal in found}) == len(found)


@pytest.mark.parametrize("name", FAMILIES)
def test_kind(name: str, solutions: dict[str, Solution]) -> None:
    """A family with the name of a rule proposes that rule and no other."""
    if name in RULES:
        found = _proposed(name, GRIDS["6x6"], solutions["6x6"])
        assert {rule.kind for proposal in found for rule in proposal.rules} <= {name}


@pytest.mark.parametrize("name", FAMILIES)
def test_enough(name: str, solutions: dict[str, Solution]) -> None:
    """On the usual board every family has clues to choose from."""
    found = _proposed(name, GRIDS["9x9"], solutions["9x9"])
    assert len(found) >= (1 if name in ALONE else 4)
    assert FAMILIES[name].most(GRIDS["9x9"]) == 1 if name in ALONE else FAMILIES[name].most(GRIDS["9x9"]) > 1


def _turned(grid: Grid, spot: Spot, symmetry: str) -> Spot:
    """Return the spot after half a turn, a quarter turn or a mirroring, from formulas of its own."""
    layer, row, column = spot
    down, right = {"corner": (1, 1), "right": (0.5, 1), "below": (1, 0.5)}.get(layer, (0.5, 0.5))
    size, y, x = grid.boards[0].rows, row + down, column + right
    y, x = {"rot180": (size - y, size - x), "rot90": (x, size - y), "mirror": (y, size - x), "diagonal": (x, y)}[symmetry]
    if layer in {"right", "below"}:
        layer = "right" if x == int(x) else "below"
        down, right = {"right": (0.5, 1), "below": (1, 0.5)}[layer]
    return layer, int(y - down), int(x - right)


@pytest.mark.parametrize("symmetry", ["rot180", "rot90", "mirror", "diagonal"])
@pytest.mark.parametrize("name", FAMILIES)
def test_proposals_with_a_symmetry(name: str, symmetry: str, solutions: dict[str, Solution]) -> None:
    """With a symmetry every proposal holds and looks the same after each of its moves."""
    grid, solution = GRIDS["6x6"], solutions["6x6"]
    for proposal in _proposed(name, grid, solution, symmetry=symmetry):
        assert all(rule.holds(grid, solution) for rule in proposal.rules)
        assert {_turned(grid, spot, symmetry) for spot in proposal.spots} == proposal.spots


def test_half_a_turn_is_found(solutions: dict[str, Solution]) -> None:
    """Clues of which only the place must be symmetric are found in pairs, and some lines too."""
    for name, least in (("killer-cage", 20), ("inequality", 30), ("skyscraper", 10), ("sandwich", 6), ("thermometer", 1)):
        found = _proposed(name, GRIDS["9x9"], solutions["9x9"], symmetry="rot180")
        assert len([proposal for proposal in found if len(proposal.rules) == proposal.count == 2]) >= least


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.draft])
def test_drafts_are_symmetric_and_valid(name: str) -> None:
    """Clues drafted without a solution are valid on the grid, however long, and look the same after half a turn."""
    grid = GRIDS["9x9"]
    several = [
        draft_clues(random_stream(1, number), grid, {name: FAMILIES[name]}, STYLES["beautiful"], "rot180") for number in range(3)
    ]
    assert min(map(len, several)) >= 4
    for draft in chain.from_iterable(several):
        assert not [problem for rule in draft.rules for problem in (*Rule.problems(rule, grid), *rule.problems(grid))]
        assert {_turned(grid, spot, "rot180") for spot in draft.spots} == set(draft.spots)


def _line_of(rule: Rule) -> tuple[int, ...]:
    return (rule.bulb, *rule.shafts[0]) if isinstance(rule, Arrow) else getattr(rule, "cells", ())


@pytest.mark.parametrize("name", ["thermometer", "whisper", "renban", "palindrome", "arrow", "region-sum-line"])
def test_lines_are_clear(name: str, solutions: dict[str, Solution]) -> None:
    """A line goes from cell to touching cell, and never touches itself."""
    grid = GRIDS["9x9"]
    for proposal in _proposed(name, grid, solutions["9x9"]):
        places = [grid.places[cell] for cell in _line_of(proposal.rules[0])]
        assert len(places) > 2
        assert all(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in pairwise(places))
        far = [abs(a - c) + abs(b - d) for index, (a, b) in enumerate(places) for c, d in places[index + 2 :]]
        assert min(far) > 1


def test_two_shafts(solutions: dict[str, Solution]) -> None:
    """Some arrows have two shafts, which meet at the bulb and nowhere else."""
    found = [rule for proposal in _proposed("arrow", GRIDS["9x9"], solutions["9x9"]) for rule in proposal.rules]
    two = [rule for rule in found if isinstance(rule, Arrow) and len(rule.shafts) == 2]
    assert two
    assert all(len({rule.bulb, *rule.shafts[0], *rule.shafts[1]}) == 1 + sum(map(len, rule.shafts)) for rule in two)


def test_compact_is_cheaper(solutions: dict[str, Solution]) -> None:
    """Of cages with four cells, squares cost least."""
    grid = GRIDS["9x9"]
    costs: dict[int, set[float]] = {}
    for proposal in _proposed("killer-cage", grid, solutions["9x9"]):
        cells = _line_of(proposal.rules[0])
        if len(cells) == 4:
            costs.setdefault(sum({one, other} <= {*cells} for one, other in grid.pairs((0, 1), (1, 0))), set()).add(proposal.cost)
    assert len(costs) == 2
    assert max(costs[4]) < min(costs[3])


def test_lines_are_no_mirrored_twins(solutions: dict[str, Solution]) -> None:
    """A line that reads the same from both ends is not proposed from both."""
    for name in ("whisper", "renban", "palindrome", "zipper-line"):
        lines = [_line_of(proposal.rules[0]) for proposal in _proposed(name, GRIDS["9x9"], solutions["9x9"])]
        assert not {line[::-1] for line in lines} & set(lines)


@pytest.mark.parametrize("shape", GRIDS)
@pytest.mark.parametrize("symmetry", ["none", "rot180", "mirror"])
@pytest.mark.parametrize("name", TILES)
def test_cover(name: str, symmetry: str, shape: str, solutions: dict[str, Solution]) -> None:
    """Clues that cover a board hold, never overlap, and leave out at most one cell in ten."""
    family, grid = FAMILIES[name], GRIDS[shape]
    for seed in range(3):
        tiler = Tiler(family.tile, name, random_stream(seed, 1), solutions[shape], USUAL, symmetry)
        found = tiler.cover(grid, grid.cells)
        cells = Counter(cell for proposal in found for rule in proposal.rules for cell in _line_of(rule))
        assert all(rule.holds(grid, solutions[shape]) for proposal in found for rule in proposal.rules)
        assert set(cells.values()) == {1}
        assert len(cells) >= 0.9 * len(grid.cells)


@pytest.mark.parametrize("name", TILES)
def test_cover_some(name: str, solutions: dict[str, Solution]) -> None:
    """Clues that cover some cells keep to them; there is more than one way."""
    family, grid, some = FAMILIES[name], GRIDS["9x9"], {0, 1, 2, 9, 10, 11, 18, 19, 20}
    ways = set()
    for seed in range(6):
        found = Tiler(family.tile, name, random_stream(seed, 1), solutions["9x9"], USUAL).cover(grid, some)
        assert {cell for proposal in found for rule in proposal.rules for cell in _line_of(rule)} <= some
        ways.add(tuple(proposal.rules for proposal in found))
    assert len(ways) > 1


# --- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", WORDS.split())
def test_words(word: str) -> None:
    """Families can be named by the words that people use, in the singular and the plural."""
    assert family_named(word) in FAMILIES.values()


def test_words_are_told_apart() -> None:
    """No word stands for two families."""
    words = Counter(word for family in FAMILIES.values() for word in (family.name, *family.words))
    assert set(words.values()) == {1}


def test_unknown_word() -> None:
    """An unknown word is refused, and similar ones are suggested."""
    with pytest.raises(UnknownName, match=r"expected a family of clues, got 'thermonuclear'; did you mean thermometer"):
        family_named("thermonuclear")
