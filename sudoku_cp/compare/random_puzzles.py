"""Random puzzles of random rules on random boards, most of them with solutions, some with a deliberate defect.

Puzzle ``number`` of ``seed`` is always the same, as each has its own random stream. The kinds of rules take turns, so that
as many puzzles in a row as there are kinds contain every kind.
"""

from __future__ import annotations

import copy
from dataclasses import MISSING, Field, dataclass, fields, replace
from random import Random
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import Limits, Solution, new_backend
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.grid import Board, Cell, Grid, Place
from sudoku_cp.model import Values, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import RULES, Houses, Rule, rule_from_json, rule_to_json
from sudoku_cp.rules.base import LARGEST, FieldType, move_rule
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


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


# Random instances of any rule, made from the types of its fields alone, and clues that agree with a filled grid.
#
# An instance is made as the JSON of the rule, with random cells, numbers and Booleans. So a new rule, or one of another
# package, needs no code here.


TRIES = 30
"""Instances made before a rule is given up on a grid, or the last one is taken as it is."""
SMALL = 4
"""Rows and columns that a rule's example needs, at least."""
DEEP = 2
"""Levels of rules inside rules, at most."""
TEXTS = ("none", "only-unclued", "any")
"""Texts with a meaning in rules that have a text other than a pattern."""
STEPS: Sequence[Place] = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Steps to the neighbours along rows and columns, then to the diagonal ones."""


def random_rule(random: Random, kind: str, grid: Grid, solution: Values | None = None) -> Rule | None:
    """Return a well-formed rule of that kind on ``grid``, None if none was found.

    It holds for ``solution`` if that is given and such an instance was found.
    """
    last = None
    for _ in range(TRIES):
        rule = _random_instance(random, kind, grid)
        if rule is None:
            continue
        if solution is None or rule.holds(grid, solution):
            return rule
        last = rule
        agreeing = fit_to_solution(random, rule, grid, solution)
        if agreeing:
            return agreeing
    return last


def is_well_formed(rule: Rule, grid: Grid) -> bool:
    """Return whether the rule has no problems on the grid."""
    return next(Rule.problems(rule, grid), None) is None and next(iter(rule.problems(grid)), None) is None


def _random_instance(random: Random, kind: str, grid: Grid, depth: int = 0) -> Rule | None:
    """Return an instance: the rule's example elsewhere on the grid, or a random one."""
    board = grid.boards[0]
    if min(board.rows, board.columns) >= SMALL and random.random() < 0.5:  # noqa: PLR2004
        rule = _move_cells(random, RULES[kind].example(grid), grid)
    else:
        data_of_rule = {
            field.name: _field(random, field.name, RULES[kind].field_types[field.name], grid, depth)
            for field in fields(RULES[kind])
            if not _may_list_cells(RULES[kind], field) or random.random() < 0.5  # noqa: PLR2004
        }
        try:
            rule = rule_from_json({"kind": kind} | data_of_rule, grid)
        except InvalidInput:
            return None
    return rule if is_well_formed(rule, grid) else None


def _move_cells(random: Random, rule: Rule, grid: Grid) -> Rule:
    """Return the rule turned and moved, so that neighbours remain neighbours; unchanged if that does not fit."""
    board = grid.boards[0]
    flips = random.random() < 0.5, random.random() < 0.5, random.random() < 0.5  # noqa: PLR2004
    down, right = random.randint(-3, 3), random.randint(-3, 3)

    def to(cell: Cell) -> Cell:
        row, column = grid.places[cell]
        if flips[0]:
            row, column = column, row
        if flips[1]:
            row = board.rows - 1 - row
        if flips[2]:
            column = board.columns - 1 - column
        return grid.cell_at[row + down, column + right]

    try:
        return move_rule(rule, to)
    except KeyError:
        return rule


# --- any field --------------------------------------------------------------------------------------------------


def _field(random: Random, name: str, field: FieldType, grid: Grid, depth: int) -> Any:
    """Return random JSON for a field of that type."""
    if field.optional and random.random() < 0.2:  # noqa: PLR2004
        return None
    if field.depth == 1 and field.plain is Cell:
        return [grid.cell_name(cell) for cell in random_cells(random, grid)]
    if field.depth == 1 and field.plain is int:
        values = [*grid.values, grid.values.stop]
        return [random.choice(values) for _ in range(random.choice((0, 1, 2, 2, 3, 4)))]
    if field.depth:
        return [_field(random, name, field.each, grid, depth) for _ in range(random.choice((0, 1, 1, 2, 3)))]
    return _plain(random, name, field.plain, grid, depth)


def _plain(random: Random, name: str, plain: object, grid: Grid, depth: int) -> Any:
    if plain is Cell:
        return grid.cell_name(random.choice(grid.cells))
    if plain is bool:
        return random.random() < 0.5  # noqa: PLR2004
    if plain is int:
        return random.choice((random.randint(0, 5), random.randint(-1, 20)))
    if plain is Rule:
        return _inner(random, grid, depth + 1)
    return _pattern(random, grid) if name == "pattern" else random.choice(TEXTS)


def _inner(random: Random, grid: Grid, depth: int) -> Any:
    """Return a random rule to be nested in another; rules of the whole grid are not nested."""
    nested = {kind for kind, rule in RULES.items() if any(field.plain is Rule for field in rule.field_types.values())}
    kinds = [kind for kind in sorted(RULES) if not _stands_alone(kind) and (depth < DEEP or kind not in nested)]
    for _ in range(TRIES):
        rule = _random_instance(random, random.choice(kinds), grid, depth)
        if rule:
            return rule_to_json(rule, grid)
    return "houses"


def _may_list_cells(rule: type[Rule], field: Field[Any]) -> bool:
    """Return whether a field lists cells that can be left out, so that the rule is about the whole grid."""
    return rule.field_types[field.name] == (Cell, 1, False) and field.default is not MISSING


def _stands_alone(kind: str) -> bool:
    """Return whether a rule is about the whole grid: all its fields are optional, and cells are among them if there are any."""
    own = fields(RULES[kind])
    return all(field.default is not MISSING for field in own) and (
        not own or any(_may_list_cells(RULES[kind], field) for field in own)
    )


def _pattern(random: Random, grid: Grid) -> str:
    """Return a random regular expression over the signs of the grid's values."""
    signs = "".join(map(numerals(grid.values).sign, grid.values))

    def some() -> str:
        return "".join(random.sample(signs, min(len(signs), random.randint(1, 3))))

    atoms: Sequence[Callable[[], str]] = (
        lambda: ".",
        lambda: ".*",
        lambda: random.choice(signs),
        lambda: f"[{some()}]",
        lambda: f"[^{some()}]",
        lambda: f"({random.choice(signs)}|{some()})*",
        lambda: f"(?:{some()})?",
        lambda: f"[{some()}]+",
        lambda: f"[{some()}]{{1,2}}",
    )
    return "".join(random.choice(atoms)() for _ in range(random.randint(1, 4)))


def random_cells(random: Random, grid: Grid) -> list[Cell]:
    """Return random cells as rules use them: a path of neighbours, a house, an area, a diagonal, or any cells."""
    match random.randrange(8):
        case 0 | 1:
            return _walk(random, grid, STEPS[:4], random.randint(2, 6))
        case 2:
            return _walk(random, grid, STEPS, random.randint(2, 5))
        case 3:
            house = list(random.choice(list(grid.houses.values())))
            return house if random.random() < 0.5 else house[::-1]  # noqa: PLR2004
        case 4:
            house = list(random.choice(grid.lines or [tuple(grid.cells)]))
            start = random.randrange(len(house))
            return house[start : start + random.randint(1, 4)]
        case 5:
            return _area(random, grid, random.randint(1, 5))
        case 6:
            return _diagonal(random, grid)
        case _:
            some = random.sample(grid.cells, min(len(grid.cells), random.randint(1, 5)))
            return some if random.random() < 0.8 else [*some, random.choice(some)]  # noqa: PLR2004


def _near(grid: Grid, cell: Cell, steps: Sequence[Place]) -> list[Cell]:
    row, column = grid.places[cell]
    near = (grid.cell_at.get((row + down, column + right)) for down, right in steps)
    return [cell for cell in near if cell is not None]


def _walk(random: Random, grid: Grid, steps: Sequence[Place], length: int) -> list[Cell]:
    walked = [random.choice(grid.cells)]
    while len(walked) < length:
        ahead = [cell for cell in _near(grid, walked[-1], steps) if cell not in walked]
        if not ahead:
            break
        walked.append(random.choice(ahead))
    return walked


def _area(random: Random, grid: Grid, size: int) -> list[Cell]:
    area = [random.choice(grid.cells)]
    while len(area) < size:
        around = sorted({near for cell in area for near in _near(grid, cell, STEPS[:4])} - set(area))
        if not around:
            break
        area.append(random.choice(around))
    return sorted(area)


def _diagonal(random: Random, grid: Grid) -> list[Cell]:
    step = random.choice(STEPS[4:])
    found = [random.choice(grid.cells)]
    while ahead := _near(grid, found[-1], [step]):
        found += ahead
    return found


# --- clues that agree -------------------------------------------------------------------------------------------


def fit_to_solution(random: Random, rule: Rule, grid: Grid, solution: Values) -> Rule | None:
    """Return the rule with one number or Boolean changed so that it holds for ``solution``; None if no change does."""
    most = max(12, grid.values[-1] * 5)
    for other in vary_numbers(random, rule, grid, range(-1, most)):
        if other.holds(grid, solution):
            return other
    return None


def vary_numbers(random: Random, rule: Rule, grid: Grid, numbers: Sequence[int]) -> Iterator[Rule]:
    """Yield well-formed rules that differ from ``rule`` in one number (now one of ``numbers``) or Boolean, in random order."""
    data = rule_to_json(rule, grid)
    data |= {name: getattr(rule, name) for name, field in rule.field_types.items() if field.plain is bool}
    leaves = list(_leaves(data))
    random.shuffle(leaves)
    for path, value in leaves[:4]:
        options: list[Any] = [not value] if isinstance(value, bool) else random.sample(numbers, len(numbers))
        for option in options:
            data_of_rule = _replace_leaf(data, path, option)
            try:
                other = rule_from_json(data_of_rule, grid)
            except InvalidInput:
                continue
            if option != value and is_well_formed(other, grid):
                yield other


def _leaves(data: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the path and the value of every number and Boolean."""
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), data)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, int):
            yield path, one
        elif isinstance(one, dict | list):
            inner = one.items() if isinstance(one, dict) else enumerate(one)
            waiting += [((*path, key), value) for key, value in inner]


def _replace_leaf(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    data_of_rule = copy.deepcopy(data)
    *way, last = path
    one = data_of_rule
    for key in way:
        one = one[key]
    one[last] = value
    return data_of_rule
