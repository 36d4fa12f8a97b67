"""A rule's description tells it from others of its kind."""

from __future__ import annotations

from sudoku_cp.grid import Cell, Grid
from sudoku_cp.rules import RULES, KillerCage, Sandwich, Thermometer
from sudoku_cp.rules.descriptions import LONGEST, WHOLE, describe_part, describe_rule

GRID = Grid.square(9)


def test_every_rule_names_its_cells(kind: str) -> None:
    """The description begins with the kind, names every cell of the rule, and is no longer than a sentence."""
    rule = RULES[kind].example(GRID)
    described = describe_rule(rule, GRID)
    assert described.split()[0] == kind
    assert len(described) <= LONGEST + len(kind) + 1
    cells = [cell for name, field in rule.field_types.items() if field == (Cell, 1, False) for cell in getattr(rule, name)]
    assert all(GRID.cell_name(cell) in described for cell in cells)


def test_numbers_have_their_field_beside_them() -> None:
    """Totals and the like are named; what has neither cells nor numbers is of the whole board."""
    assert describe_rule(KillerCage((0, 1), 5), GRID) == "killer-cage r1c1 r1c2, total 5"
    assert describe_part(Sandwich(tuple(range(9)), 0), GRID).endswith("r1c9, total 0")
    assert describe_part(Thermometer((0, 10)), GRID) == "r1c1 r2c2"
    assert describe_part(RULES["anti-knight"].example(GRID), GRID) == WHOLE
