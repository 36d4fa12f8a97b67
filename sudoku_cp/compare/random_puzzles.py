"""Random puzzles of random rules on random boards, most of them with solutions, some with a deliberate defect.

Puzzle ``number`` of ``seed`` is always the same, as each has its own random stream. The kinds of rules take turns, so that
as many puzzles in a row as there are kinds contain every kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from sudoku_cp.backends import Limits, Solution, new_backend
from sudoku_cp.compare.random_rules import is_well_formed, random_rule, vary_numbers
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import RULES, Houses, Rule
from sudoku_cp.rules.base import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


GRIDS: Mapping[str, tuple[int, Grid]] = {
    "4x4": (8, Grid.square(4)),
    "4x4 from 0": (4, Grid.square(4, values=range(4))),
    "4x4 with a value more": (4, Grid.square(4, values=range(5))),
    "5x5 without boxes": (3, Grid.rectangle(5, 5)),
    "5x5 jigsaw": (3, Grid.jigsaw("bbbbb dddde ccdae ccaae caaee")),
    "6x6": (6, Grid.square(6)),
    "6x6 from 3": (2, Grid.square(6, values=range(3, 9))),
    "7x7 jigsaw": (2, Grid.jigsaw("aaaaabb aacccbb ccccddb dddddbb eeeeggf egggggf eefffff")),
    "8x8": (1, Grid.square(8)),
    "9x9": (2, Grid.square(9)),
    "3x3": (1, Grid.rectangle(3, 3, (1, 3))),
    "2x5": (1, Grid.rectangle(2, 5)),
    "4x6": (3, Grid.rectangle(4, 6, (2, 3))),
    "6x4 without boxes": (2, Grid.rectangle(6, 4)),
    "holes in the regions": (1, Grid.jigsaw("aabb aabb .cc. .cc.")),
    "two boards": (3, Grid.of((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))),
}
"""Boards by name, with the weight of each."""
HEAVY = {"chaos-construction", "connected-values", "full-rank"}
"""Rules that take long on a board of more than `LIGHT` cells."""
LIGHT = 16
PLAIN = 5
"""Extra turns for plain grids, which most engines treat specially."""
EASY = 60
"""Nodes to search for a grid that the first rule allows."""
FILLS = 20_000
"""Values placed to fill a board, at most."""


@dataclass(frozen=True)
class Draft:
    """A random puzzle, the kinds of its rules, the name of its board, and its deliberate defect, if any."""

    puzzle: Puzzle
    kinds: tuple[str, ...]
    board: str
    defect: str = ""


def random_puzzle(seed: int | str, number: int) -> Draft:
    """Return puzzle ``number`` of ``seed``."""
    random = Random(f"{seed}:{number}")  # noqa: S311  # the same puzzle each time is the point
    kinds = [*sorted(RULES), *[Houses.kind] * PLAIN]
    first = kinds[(number + Random(f"{seed}").randrange(len(kinds))) % len(kinds)]  # noqa: S311
    while True:
        draft = _draft(random, first)
        if draft is not None:
            return draft


def _draft(random: Random, first: str) -> Draft | None:
    """Return a puzzle with a rule of the kind ``first``, None if the board drawn has no room for one."""
    board = random.choices(list(GRIDS), [weight for weight, _ in GRIDS.values()])[0]
    grid = GRIDS[board][1]
    if first in HEAVY and len(grid.cells) > LIGHT:
        return None
    rule = random_rule(random, first, grid)
    if rule is None:
        return None
    base: list[Rule] = [Houses()] if random.random() < 0.93 or first == Houses.kind else []  # noqa: PLR2004
    rules = [*base, *([rule] if rule not in base else [])]
    solution = _grid_of(random, grid, rules)
    if solution is None:
        solution = random_filled_grid(random, grid) or tuple(random.choices(grid.values, k=len(grid.cells)))
        rules[-1] = random_rule(random, first, grid, solution) or rule
    for kind in random.choices(_light(grid), k=random.choice((0, 0, 1, 1, 2))):
        more = random_rule(random, kind, grid, solution)
        rules += [more] if more and more not in rules and more.holds(grid, solution) else []
    return _dig_givens(random, Puzzle(grid, tuple(rules)), solution, board)


def _light(grid: Grid) -> list[str]:
    """Return the kinds that do not take long on that board, in an order that does not depend on imports."""
    return [kind for kind in sorted(RULES) if len(grid.cells) <= LIGHT or kind not in HEAVY]


def _grid_of(random: Random, grid: Grid, rules: list[Rule]) -> Solution | None:
    """Return a grid that the rules allow, None if none is found soon. A wrong one is harmless: any grid makes a puzzle."""
    model = Puzzle(grid, tuple(rules)).model()
    for hints in (3, 0):
        own = {cell: 1 << random.choice(grid.values) for cell in random.sample(grid.cells, min(hints, len(grid.cells)))}
        try:
            # A node limit, no clock, and a fresh engine: the same grid each time.
            return next(new_backend("native:readable").open(model).solutions(own, limits=Limits(nodes=EASY)))
        except (StopIteration, LimitReached):
            continue
    return None


def random_filled_grid(random: Random, grid: Grid) -> Solution | None:
    """Return a random grid with no value twice in a house, None if none was found soon."""
    near = [sorted({other for house in grid.houses.values() if cell in house for other in house} - {cell}) for cell in grid.cells]
    values: dict[int, int] = {}
    waiting: list[tuple[int, int, int]] = [(0, -1, -1)]
    for _ in range(FILLS):
        depth, cell, value = waiting.pop()
        values = dict(list(values.items())[: max(0, depth - 1)])
        if cell >= 0:
            values[cell] = value
        if len(values) == len(grid.cells):
            return tuple(values[cell] for cell in grid.cells)
        open_ = {one: set(grid.values) - {values.get(other) for other in near[one]} for one in grid.cells if one not in values}
        narrow = min(open_, key=lambda one: (len(open_[one]), one))
        options = sorted(open_[narrow])
        random.shuffle(options)
        waiting += [(depth + 1, narrow, option) for option in options]
        if not waiting:
            return None
    return None


# --- givens and defects ---------------------------------------------------------------------------------------------


def _dig_givens(random: Random, puzzle: Puzzle, solution: Solution, board: str) -> Draft:
    """Return the puzzle with part of the solution given, and perhaps a defect."""
    cells = puzzle.grid.cells
    few = random.randint(0, min(len(cells), 14))
    unknown = set(random.sample(cells, few if random.random() < 0.7 else random.randint(few, len(cells))))  # noqa: PLR2004
    share = random.choice((0, 0, 0.3, 0.8))
    candidates = {
        cell: to_mask([solution[cell], *random.sample(puzzle.grid.values, random.randint(0, len(puzzle.grid.values) - 1))])
        for cell in cells
        if random.random() < (share if cell in unknown else share / 10)
    }
    givens = {cell: solution[cell] for cell in cells if cell not in unknown}
    question = replace(puzzle, givens=givens, candidates=candidates)
    if random.random() < 0.25:  # noqa: PLR2004
        name = random.choice(list(DEFECTS))
        spoilt = DEFECTS[name](random, question, solution)
        if spoilt is not None:
            return Draft(spoilt, _kinds(spoilt), board, name)
    return Draft(question, _kinds(question), board)


def _kinds(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the kinds of the rules, including those inside others."""
    found: list[str] = []
    waiting = list(puzzle.rules)
    while waiting:
        rule = waiting.pop(0)
        found.append(rule.kind)
        waiting += getattr(rule, "rules", ())
    return tuple(dict.fromkeys(found))


def _wrong_given(random: Random, puzzle: Puzzle, solution: Solution) -> Puzzle | None:
    """Give a value other than the solution's."""
    cell = random.choice(puzzle.grid.cells)
    others = [value for value in puzzle.grid.values if value != solution[cell]]
    return puzzle.with_givens({**puzzle.givens, cell: random.choice(others)}) if others else None


def _clash(random: Random, puzzle: Puzzle, solution: Solution) -> Puzzle | None:
    """Give a value twice in a house."""
    house = random.choice(list(puzzle.grid.houses.values()))
    if len(house) < 2:  # noqa: PLR2004
        return None
    one, other = random.sample(house, 2)
    return puzzle.with_givens({**puzzle.givens, one: solution[one], other: solution[one]})


def _lost_candidate(random: Random, puzzle: Puzzle, solution: Solution) -> Puzzle | None:
    """Exclude the solution's value from a cell's candidates."""
    cell = random.choice(puzzle.grid.cells)
    kept = [value for value in puzzle.grid.values if value != solution[cell] and random.random() < 0.7]  # noqa: PLR2004
    return replace(puzzle, candidates={**puzzle.candidates, cell: to_mask(kept)}) if kept else None


def _bent_rule(random: Random, puzzle: Puzzle, solution: Solution) -> Puzzle | None:
    """Change a number of a rule, perhaps to an impossible one."""
    del solution
    places = [place for place, rule in enumerate(puzzle.rules) if not isinstance(rule, Houses)]
    if not places:
        return None
    place = random.choice(places)
    bent = next(vary_numbers(random, puzzle.rules[place], puzzle.grid, [*range(-2, 25), 99, 1000, LARGEST]), None)
    return _with_rules(puzzle, (*puzzle.rules[:place], bent, *puzzle.rules[place + 1 :])) if bent else None


def _contradiction(random: Random, puzzle: Puzzle, solution: Solution) -> Puzzle | None:
    """Repeat a rule with another number."""
    del solution
    rules = [rule for rule in puzzle.rules if not isinstance(rule, Houses)]
    other = next(vary_numbers(random, random.choice(rules), puzzle.grid, range(25)), None) if rules else None
    return _with_rules(puzzle, (*puzzle.rules, other)) if other else None


def _any_rule(random: Random, puzzle: Puzzle, solution: Solution) -> Puzzle | None:
    """Add a rule that ignores the solution."""
    del solution
    rule = random_rule(random, random.choice(_light(puzzle.grid)), puzzle.grid)
    return _with_rules(puzzle, (*puzzle.rules, rule)) if rule and is_well_formed(rule, puzzle.grid) else None


def _with_rules(puzzle: Puzzle, rules: tuple[Rule, ...]) -> Puzzle | None:
    try:
        return replace(puzzle, rules=rules)
    except InvalidInput:
        return None


DEFECTS: Mapping[str, Callable[[Random, Puzzle, Solution], Puzzle | None]] = {
    "wrong given": _wrong_given,
    "value twice": _clash,
    "lost candidate": _lost_candidate,
    "bent rule": _bent_rule,
    "contradicting rules": _contradiction,
    "any rule": _any_rule,
}
"""Deliberate defects. The puzzle may still have solutions."""
