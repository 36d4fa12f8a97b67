"""The rules of a puzzle in words, for a player who sees only the drawing."""

from __future__ import annotations

from collections import Counter
from dataclasses import MISSING, fields, replace
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.cosmetics import Chevron, Clue, Dot, Mark, unconditional_drawables
from sudoku_cp.grid import Cell
from sudoku_cp.model import DigitSet, Linear, Table, members
from sudoku_cp.rules.base import cell_groups
from sudoku_cp.rules.composite import AllOf, Repeated
from sudoku_cp.rules.descriptions import describe_numbers
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.wording import RuleWording, listed, title_of
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from dataclasses import Field

    from sudoku_cp.cosmetics import Drawable
    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.model import Constraint
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules import Rule
    from sudoku_cp.rules.base import Cells
    from sudoku_cp.symbols import Symbols


_SIGNS = Chevron | Dot | Mark
"""What needs no legend on edges and corners, as the sentence describes it."""


def ruleset_text(puzzle: Puzzle) -> str:
    """Return the puzzle's own words for its rules, or else our description, a paragraph a line."""
    return puzzle.ruleset or describe_rules(puzzle.rules, puzzle.grid, puzzle.symbols)


def describe_rules(rules: Iterable[Rule], grid: Grid, symbols: Symbols | None = None) -> str:
    """Return a sentence for each kind of rule, and one for the values where no rule's sentence has them.

    What the rule's drawing does not show is in its sentence; if sentences of one kind differ in that, each lists its cells. Where
    rules of several kinds are drawn, a sentence begins with the title of its kind, as the legend has it.
    """
    single = [*_flatten_rules(rules, grid)]
    kinds = Counter(rule.kind for rule in single)
    recurring = frozenset(kind for kind, number in kinds.items() if number > 1)
    wording = RuleWording(grid, symbols or numerals(grid.values), _marked_pairs(single, grid), recurring)
    hidden = [_hidden_fields(rule, grid) for rule in single]
    valued = {(rule.kind, _field_values(rule, names)) for rule, names in zip(single, hidden, strict=True)}
    versions = Counter(kind for kind, _ in valued)
    drawn = {rule.kind for rule in single if _needs_key(rule, grid)}
    named = drawn if len(drawn) > 1 else ()
    cells_of: dict[str, list[str]] = {}
    for rule, names in zip(single, hidden, strict=True):
        ambiguous = versions[rule.kind] > 1 or (rule.sets_differ and rule.kind in recurring)
        cells = rule.cells_in_words(wording, names | _cell_fields(rule) if ambiguous else names)
        sentence = f"{title_of(rule.kind)}: " * (rule.kind in named) + wording.adapt(rule.sentence(wording))
        cells_of.setdefault(sentence, []).extend([cells] if cells else [])
    sentences = (
        f"{text.rstrip('.')} ({' / '.join(dict.fromkeys(cells))})." if cells else text for text, cells in cells_of.items()
    )
    longest = max(max(board.rows, board.columns) for board in grid.boards)
    unusual = grid.values != range(1, longest + 1) and not any(isinstance(rule, Houses) for rule in single)
    values = [wording.adapt(f"The values are {wording.alphabet}.")] * unusual
    return "\n".join(dict.fromkeys([*values, *sentences]))


def _needs_key(rule: Rule, grid: Grid) -> bool:
    """Return whether anything is drawn for a rule that looks like what is drawn for others."""
    drawn = unconditional_drawables(rule.cosmetics(grid))
    return not all(isinstance(thing, _SIGNS) and len(thing.cells) > 1 for thing in drawn)


def _marked_pairs(rules: Iterable[Rule], grid: Grid) -> dict[str, frozenset[frozenset[Cell]]]:
    """Return the pairs of cells that each kind of rule draws a sign between."""
    found: dict[str, set[frozenset[Cell]]] = {}
    for rule in rules:
        signs = (thing for thing in unconditional_drawables(rule.cosmetics(grid)) if isinstance(thing, Dot | Mark))
        found.setdefault(rule.kind, set()).update(frozenset(sign.cells) for sign in signs)
    return {kind: frozenset(pairs) for kind, pairs in found.items()}


def _flatten_rules(rules: Iterable[Rule], grid: Grid) -> Iterator[Rule]:
    """Yield the rules, with rules that only join others replaced by these."""
    for rule in rules:
        match rule:
            case AllOf():
                yield from _flatten_rules(rule.rules, grid)
            case Repeated():
                yield from _flatten_rules(rule.everywhere(grid), grid)
            case _:
                yield rule


def _field_values(rule: Rule, names: frozenset[str]) -> frozenset[tuple[str, Any]]:
    return frozenset((name, getattr(rule, name)) for name in names)


# --- what a cell belongs to, for those who hear the board ---------------------------------------------------------


MOST_NAMED = 5
"""The most cells of a cage that are named one by one; more are named by rows."""
DIRECTIONS = MappingProxyType(
    {
        (down, right): " ".join(filter(None, [("up", "", "down")[down + 1], ("left", "", "right")[right + 1]]))
        for down, right in product((-1, 0, 1), repeat=2)
    }
)


class FixedSum(NamedTuple):
    """Cells with a factor each, whose values always have one total."""

    terms: tuple[tuple[Cell, int], ...]
    total: int


class SpokenRule(NamedTuple):
    """A rule that speaks of a cell: "killer cage, total 11, with row 2 column 1", and the sums by which it binds the cell."""

    text: str
    sums: tuple[FixedSum, ...]


def describe_cells(rules: Iterable[Rule], grid: Grid) -> dict[Cell, list[SpokenRule]]:
    """Return for each cell the rules that speak of it.

    Rules about the whole board speak of no cell, not even of those that are exempt from them.
    """
    found: dict[Cell, list[SpokenRule]] = {}
    for rule in _flatten_rules(rules, grid):
        title = title_of(rule.kind).lower()
        numbers = [title, *filter(None, [describe_numbers(rule, grid)])]
        places = [*_places_in_rule(rule, grid)]
        sums = fixed_sums(constraint for _, constraint in rule.lower(grid)) if places else []
        for cell, place in places:
            own = tuple(one for one in sums if any(term == cell for term, _ in one.terms))
            found.setdefault(cell, []).append(SpokenRule(", ".join([*numbers, *filter(None, [place])]), own))
    return found


def fixed_sums(constraints: Iterable[Constraint]) -> list[FixedSum]:
    """Return the sums over cells of the board that constraints fix."""
    found = []
    for one in constraints:
        match one:
            case Linear(terms, "==", total) if all(cell >= 0 for cell, _ in terms):
                found.append(FixedSum(terms, total))
            case DigitSet(cells, sets) if len(totals := {sum(members(values)) for values in sets}) == 1:
                found.append(FixedSum(tuple((cell, 1) for cell in cells), totals.pop()))
            case Table((_, _) as cells, tuples) if len(totals := {sum(values) for values in tuples}) == 1:
                found.append(FixedSum(tuple((cell, 1) for cell in cells), totals.pop()))
    return found


def _places_in_rule(rule: Rule, grid: Grid) -> Iterator[tuple[Cell, str]]:
    """Yield the cells of a rule, each with its place in it."""
    for name in rule.field_types:
        if name not in _cell_fields(rule) or rule.gesture == "switch":
            continue
        groups = cell_groups(getattr(rule, name))
        one = f"{name[:-3]}y" if name.endswith("ies") else name.rstrip("s")
        for number, cells in enumerate(groups, 1):
            noun = f"{one} {number}" if len(groups) > 1 else "" if name == "cells" else one
            for index, cell in enumerate(cells):
                yield cell, ", ".join(filter(None, [noun, _place_among(rule.gesture, cells, index, grid)]))


def _place_among(gesture: str, cells: Cells, index: int, grid: Grid) -> str:
    """Return the place of a cell among the cells that a rule draws together."""
    if gesture in {"line", "outside", "stem"} and len(cells) > 1:
        before, after = cells[:index][-1:], cells[index + 1 :][:1]
        ways = [f"previous {_way(cells[index], cell, grid)}" for cell in before]
        ways += [f"next {_way(cells[index], cell, grid)}" for cell in after]
        return ", ".join([f"cell {index + 1} of {len(cells)}", *ways])
    if gesture in {"cage", "edge", "corner"}:
        others = [grid.places[cell] for cell in cells if cell != cells[index]]
        return f"with {_named_places(others)}" if others else ""
    return ""


def _way(cell: Cell, other: Cell, grid: Grid) -> str:
    """Return the direction from a cell to a neighbour, or the place of a cell that is none."""
    (row, column), (to_row, to_column) = grid.places[cell], grid.places[other]
    return DIRECTIONS.get((to_row - row, to_column - column)) or _named_places([(to_row, to_column)])


def _named_places(places: Sequence[Place]) -> str:
    """Name places one by one, or by rows where they are many."""
    if len(places) <= MOST_NAMED:
        return listed([f"row {row + 1} column {column + 1}" for row, column in places], "and")
    rows: dict[int, list[str]] = {}
    for row, column in places:
        rows.setdefault(row, []).append(str(column + 1))
    return listed([f"row {row + 1} column{'s' * (len(columns) > 1)} {' '.join(columns)}" for row, columns in rows.items()], "and")


# --- what a drawing shows ---------------------------------------------------------------------------------------


def _hidden_fields(rule: Rule, grid: Grid) -> frozenset[str]:
    """Return the names of the fields that the rule's drawing does not show: all of them if it has none."""
    drawn = [*unconditional_drawables(rule.cosmetics(grid))]
    if not drawn:
        return frozenset(field.name for field in fields(rule))
    names = {field.name for field in fields(rule) if field.name not in _cell_fields(rule) and _is_hidden(rule, field, grid)}
    repeats = {name for name in _cell_fields(rule) if _repeats_beyond_drawing(getattr(rule, name), drawn)}
    beside = {len(getattr(rule, name)) for name in names if isinstance(getattr(rule, name), tuple)}
    matched = {name for name in _cell_fields(rule) if isinstance(cells := getattr(rule, name), tuple) and len(cells) in beside}
    return frozenset(names | repeats | matched)


def _cell_fields(rule: Rule) -> frozenset[str]:
    """Return the names of the fields that hold cells."""
    return frozenset(name for name, field in rule.field_types.items() if field.plain is Cell)


def _repeats_beyond_drawing(cells: object, drawn: Iterable[Drawable]) -> bool:
    """Return whether a list repeats a cell more often than any drawn thing does, so that the drawing does not show it."""
    if not isinstance(cells, tuple) or not all(isinstance(cell, int) for cell in cells):
        return False
    shown: Counter[int] = Counter()
    for thing in drawn:
        shown |= Counter(thing.cells)
    return any(count > max(1, shown[cell]) for cell, count in Counter(cells).items())


def _is_hidden(rule: Rule, field: Field[Any], grid: Grid) -> bool:
    """Return whether the drawing, colours aside, is the same with this field at its default (or at another value)."""
    value = getattr(rule, field.name)
    if value == field.default:
        return False
    other = replace(rule, **{field.name: _changed_value(value) if field.default is MISSING else field.default})
    return _drawing_without_colours(rule, grid) == _drawing_without_colours(other, grid)


def _drawing_without_colours(rule: Rule, grid: Grid) -> list[Drawable]:
    """Return what is drawn for a rule, without colours."""
    drawn = unconditional_drawables(rule.cosmetics(grid))
    return [thing if isinstance(thing, Chevron | Clue) else replace(thing, colour="") for thing in drawn]


def _changed_value(value: Any) -> Any:
    """Return the value with each of its numbers one higher."""
    if isinstance(value, tuple):
        return tuple(map(_changed_value, value))
    return value + 1 if isinstance(value, int) else value
