"""What is true of every rule: it says what it is, shows an example, draws what can be drawn, and finds what is wrong."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import MISSING, FrozenInstanceError, fields, replace
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, get_args

import pytest

from sudoku_cp import rules
from sudoku_cp.backends import backend
from sudoku_cp.cosmetics import Cosmetic
from sudoku_cp.grid import Board, Cell, Grid
from sudoku_cp.model import cells_of
from sudoku_cp.questions.listings import rules_to_json
from sudoku_cp.rules import (
    RULES,
    ChaosConstruction,
    ConnectedValues,
    Diagonals,
    Houses,
    KillerCage,
    Rule,
    Sandwich,
    Thermometer,
    Windoku,
    rule_from_json,
)
from sudoku_cp.rules.base import PLAIN, READERS, FieldType, field_types_of, rule_to_json
from sudoku_cp.rules.descriptions import LONGEST, WHOLE, describe_part, describe_rule
from sudoku_cp.rules.gestures import GESTURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Finding = Callable[[Rule, Grid], list[str]]

    from sudoku_cp.model import Model


# --- rules ------------------------------------------------------------------------------------------------------------


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


# --- field types ------------------------------------------------------------------------------------------------------


def test_every_field_has_a_type(kind: str) -> None:
    """The types are those of the dataclass's fields, in the same order, and each prints as it was declared."""
    rule = RULES[kind]
    assert [*rule.field_types] == [field.name for field in fields(rule)]
    for field in fields(rule):
        assert str(rule.field_types[field.name]) == str(field.type).replace("Cells", "tuple[Cell, ...]")


def test_every_plain_type_has_a_reader() -> None:
    """What a field may hold can be read from JSON."""
    assert PLAIN.keys() == READERS.keys()


def _types(**annotations: Any) -> dict[str, FieldType]:
    return dict(field_types_of(type("New", (), {"__annotations__": annotations})))


def test_types_are_told_apart() -> None:
    """Cells and numbers are different though both are ``int`` to type checkers; any spelling of a type will do."""
    found = _types(a=Cell, b=int, c=tuple[tuple[Cell, ...], ...], d=tuple[int, ...] | None, e=ClassVar[float], f="int | None")
    assert found == {
        "a": FieldType(Cell),
        "b": FieldType(int),
        "c": FieldType(Cell, 2),
        "d": FieldType(int, 1, optional=True),
        "f": FieldType(int, 0, optional=True),
    }


@pytest.mark.parametrize(
    "hint", [float, "list[int]", tuple[int, int], tuple[int | None, ...], int | str, dict[str, int], Any], ids=str
)
def test_another_type_is_refused(hint: object) -> None:
    """The message names class, field and type, and says where a new type is to be added."""
    with pytest.raises(TypeError, match=r"New, total: expected a field of type Cell, int, .* needs a reader in"):
        _types(total=hint)


# --- gestures ---------------------------------------------------------------------------------------------------------


KNOWN = {
    "thermometer": "line",
    "arrow": "stem",
    "pill-arrow": "stem",
    "killer-cage": "cage",
    "odd": "cells",
    "maximum": "cells",
    "difference": "edge",
    "inequality": "edge",
    "quadruple": "corner",
    "little-killer": "outside",
    "sandwich": "outside",
    "clone": "groups",
    "equal-sums": "groups",
    "value-indexing": "stages",
    "count-distinct": "stages",
    "any-of": "joined",
    "repeated": "joined",
    "anti-knight": "switch",
    "negative-difference": "switch",
    "connected-values": "switch",
}


@pytest.mark.parametrize(("known", "gesture"), KNOWN.items())
def test_gestures_people_expect(known, gesture):
    """A rule is made as setters are used to."""
    assert RULES[known].gesture == gesture


def test_every_kind_has_a_gesture(kind):
    """A kind has a known gesture, and a switch is exactly a kind that needs neither cells nor rules."""
    rule = RULES[kind]
    assert rule.gesture in GESTURES
    needed = [rule.field_types[field.name].plain for field in fields(rule) if field.default is MISSING]
    assert (rule.gesture == "switch") == all(plain in (int, bool, str) for plain in needed)
    assert (rule.gesture in ("stem", "groups", "stages", "joined")) or needed.count(Cell) <= 1


def test_every_gesture_is_of_use():
    """No gesture is there for nothing."""
    assert set(Counter(rule.gesture for rule in RULES.values())) == set(GESTURES)


def test_listing_tells_what_tools_need():
    """A listed rule has fields and defaults that cover its example, and a thumbnail where it draws something."""
    for row in rules_to_json():
        given = row["example"].keys() - {"kind"}
        assert row["fields"].keys() >= given | row["defaults"].keys()
        assert row["fields"].keys() == given | row["defaults"].keys()
        if row["thumbnail"]:
            assert row["thumbnail"]["cells"]
            assert "<" in row["thumbnail"]["under"] + row["thumbnail"]["over"] + row["thumbnail"]["outside"]
        else:
            assert row["gesture"] == "switch"


# --- descriptions -----------------------------------------------------------------------------------------------------


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


# --- construction -----------------------------------------------------------------------------------------------------


BESIDE = tuple(Board(1, 1, at=(30, 20 * number)) for number in range(6))
TWO_BY_THREE = Grid.of((Board(2, 3), *BESIDE), range(1, 4))
"""Six cells, and as many far from them and from each other."""
HOSTED = [
    ChaosConstruction(),
    ChaosConstruction(tuple(range(6, 12))),
    ChaosConstruction(tuple(range(11, 5, -1)), 2),
    ConnectedValues((1, 3), None, (0, 1, 2, 8)),
    ConnectedValues((1, 2), 3, tuple(range(6, 12)), 3),
    ConnectedValues((2,), None, (11, 6, 10, 7, 0), 2),
]


@pytest.mark.parametrize("rule", HOSTED)
def test_engines_and_meaning_agree(rule: Rule, model_of: Callable[..., Model]) -> None:
    """What a rule lowers to has exactly the solutions for which the rule holds."""
    assert not list(rule.problems(TWO_BY_THREE))
    assert rule_from_json(rule_to_json(rule, TWO_BY_THREE), TWO_BY_THREE) == rule
    free = set(range(12))
    if isinstance(rule, ChaosConstruction) and not rule.regions:
        free = set(range(6))
    elif isinstance(rule, ConnectedValues):
        free = set(rule.cells)
    session = backend("sat").open(model_of(TWO_BY_THREE, rule))
    first = (1, 2, 3, 3, 1, 2) if len(free) == 12 else ()
    known = {cell: 1 << value for cell, value in enumerate(first)} | dict.fromkeys({*range(12)} - free, 1 << 1)
    open_cells = [cell for cell in range(12) if cell not in known]
    expected = set()
    for chosen in product(TWO_BY_THREE.values, repeat=len(open_cells)):
        at = dict(zip(open_cells, chosen, strict=True)) | {cell: domain.bit_length() - 1 for cell, domain in known.items()}
        values = tuple(at[cell] for cell in range(12))
        if rule.holds(TWO_BY_THREE, values):
            expected.add(values)
    assert expected
    assert {tuple(solution) for solution in session.solutions(known)} == expected


def test_numbers_of_regions_are_those_of_their_first_cells() -> None:
    """The same cut with other numbers, or an invalid cut, is refused."""
    rule = ChaosConstruction(tuple(range(6, 12)))
    board = (1, 2, 3, 2, 3, 1)
    assert rule.holds(TWO_BY_THREE, (*board, 1, 1, 1, 2, 2, 2))
    assert not rule.holds(TWO_BY_THREE, (*board, 2, 2, 2, 1, 1, 1))
    assert not rule.holds(TWO_BY_THREE, (*board, 1, 1, 2, 2, 2, 1))
    assert not rule.holds(TWO_BY_THREE, (*board, 1, 1, 1, 1, 1, 1))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (ChaosConstruction((6, 7)), "regions: expected a cell beside the board for each of 6 cells on it, got 2 such cells"),
        (ChaosConstruction((0, 1, 2, 3, 4, 5)), "regions: expected a cell beside the board for each of 6 cells on it, got 0"),
        (ChaosConstruction((6,) * 6), "regions: expected a cell beside the board for each of 6 cells on it, got 1 such"),
        (ChaosConstruction((), 4), "size: expected 1 to 3 cells, got 4"),
        (ChaosConstruction(tuple(range(6, 12)), 1), "regions: expected at most as many regions as values, got 6"),
        (ConnectedValues((1,), None, (6, 6)), "expected each cell once"),
        (ConnectedValues((1,), None, (), 2), "columns: expected 1 or more with a list of cells, got 2"),
        (ConnectedValues((1,), None, (6, 7), 0), "columns: expected 1 or more with a list of cells, got 0"),
    ],
)
def test_lists_that_fit_no_board_are_named(rule: Rule, words: str) -> None:
    """What is wrong with listed cells and sizes is reported."""
    assert words in "\n".join(rule.problems(TWO_BY_THREE))
