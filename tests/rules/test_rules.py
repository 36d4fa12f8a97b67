"""What is true of every rule: it says what it is, shows an example, draws what can be drawn, and finds what is wrong."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING, get_args

import pytest

from sudoku_cp import rules
from sudoku_cp.cosmetics import Cosmetic
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import cells_of
from sudoku_cp.rules import RULES, Diagonals, Houses, KillerCage, Rule, Windoku

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Finding = Callable[[Rule, Grid], list[str]]

TOOLS = {"ISS", "f-puzzles", "SudokuSolver", "SudokuPad", "also"}
NAMES = {rule.__name__: rule for rule in RULES.values()}


def test_a_rule_is_in_the_registry_and_in_the_room(kind: str) -> None:
    """The registry has the class under its kind, and the package exports it by its name."""
    rule = RULES[kind]
    assert rule.kind == kind == kind.lower()
    assert getattr(rules, rule.__name__) is rule


def test_a_kind_imports_its_family_alone() -> None:
    """A rule is found without importing the files of others; one that no table names is looked for in all of them."""
    code = (
        "import sys\nfrom sudoku_cp.rules import RULES\nRULES['clone']\nassert 'sudoku_cp.rules.chess' not in sys.modules\n"
        "assert 'no rule' not in RULES and 'sudoku_cp.rules.chess' in sys.modules and list(RULES) == sorted(RULES)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_kind_belongs_to_one_rule() -> None:
    """A second class of the same kind is refused, and leaves the registry as it was."""
    before = dict(RULES)
    with pytest.raises(TypeError, match="of its own for Other, got 'killer-cage'"):
        type("Other", (Rule,), {"kind": "killer-cage"})
    assert before == RULES


def test_a_rule_says_what_it_is(kind: str) -> None:
    """The docstring, which is the help text, begins with a sentence of its own."""
    doc = RULES[kind].__doc__ or ""
    assert not doc.startswith(f"{RULES[kind].__name__}(")
    first = doc.split("\n\n")[0].rstrip()
    assert first.endswith(".")
    assert len(first) > 20


def test_a_rule_is_a_value(kind: str) -> None:
    """Two examples of a rule are equal and hash alike, ``repr`` rebuilds them, and nothing in them can be changed."""
    rule, again = (RULES[kind].example(Grid.square(4)) for _ in range(2))
    assert rule == again
    assert hash(rule) == hash(again)
    assert eval(repr(rule), dict(NAMES)) == rule  # noqa: S307
    with pytest.raises(FrozenInstanceError):
        rule.kind = "other"  # type: ignore[misc]


def test_an_example_is_possible(kind: str, possible: tuple[Grid, ...], problems: Finding) -> None:
    """An example has no problems on any grid of at least 4x4 on which the rule is possible at all, and there are such grids."""
    assert possible
    if Grid.square(4) in possible:
        assert problems(RULES[kind].example(Grid.square(9)), Grid.square(9)) == []
        if kind != "chaos-construction":  # two million clauses
            assert problems(RULES[kind].example(Grid.square(16)), Grid.square(16)) == []


def test_what_other_tools_call_it(kind: str) -> None:
    """Names elsewhere are those of tools that formats are read from, and what people also say."""
    assert set(RULES[kind].elsewhere) <= TOOLS
    assert all(RULES[kind].elsewhere.values())


def test_every_statement_has_a_part_and_cells(kind: str, grids: dict[str, Grid]) -> None:
    """What a rule lowers to has a name for each part, and speaks of cells of the grid (or of its own auxiliaries)."""
    for grid in grids.values():
        for part, constraint in RULES[kind].example(grid).lower(grid):
            assert part
            assert max(cells_of(constraint), default=0) < len(grid.cells), grid


def test_cosmetics_can_be_drawn(kind: str, grids: dict[str, Grid]) -> None:
    """A rule draws only the few things that renderers know, on cells of the grid."""
    for grid in grids.values():
        for thing in RULES[kind].example(grid).cosmetics(grid):
            assert isinstance(thing, get_args(Cosmetic))
            assert thing.cells, grid
            assert set(thing.cells) <= set(grid.cells), grid


def _spoilt(rule: Rule) -> Iterator[tuple[str, Rule]]:
    """Yield the rule once for each field of cells, with that field outside every grid."""
    outside = (999, (0, 999), ((0,), (1, -1)))
    for name, field in rule.field_types.items():
        if field.plain is Cell:
            yield name, replace(rule, **{name: outside[field.depth]})


def test_cells_outside_the_grid_are_problems(kind: str, grids: dict[str, Grid], problems: Finding) -> None:
    """A rule on cells that the grid does not have says which field names them."""
    for grid in (grids["4x4"], grids["two boards"]):
        for name, rule in _spoilt(RULES[kind].example(grid)):
            assert any(problem.startswith(f"{kind}, {name}: expected cells") for problem in problems(rule, grid)), grid


@pytest.mark.parametrize(
    ("rule", "grid", "words"),
    [
        (Houses(), Grid.square(9, values=range(1, 9)), "houses: expected at least 9 values for the cells of row 1, got 8"),
        (Diagonals(), Grid.rectangle(4, 6), "diagonals: expected a square board"),
        (Windoku(), Grid.jigsaw("AABB AABB CCDD CCDD"), "windoku: expected a board with rectangular boxes"),
        (KillerCage((0, 16), 5), Grid.square(4), "killer-cage, cells: expected cells of a 4x4 grid"),
    ],
)
def test_problems_are_told_in_words(rule: Rule, grid: Grid, words: str, problems: Finding) -> None:
    """A rule that is impossible on a grid says why."""
    assert problems(rule, grid)[0].startswith(words)
