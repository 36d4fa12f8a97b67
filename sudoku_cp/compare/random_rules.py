"""Random instances of any rule, made from the types of its fields alone, and clues that agree with a filled grid.

An instance is made as the JSON of the rule, with random cells, numbers and Booleans. So a new rule, or one of another package,
needs no code here.
"""

from __future__ import annotations

import copy
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Cell, Grid, Place
from sudoku_cp.rules import RULES, rule_from_json, rule_to_json
from sudoku_cp.rules.base import Rule, move_rule
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from sudoku_cp.model import Values
    from sudoku_cp.rules.field_types import FieldType

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
