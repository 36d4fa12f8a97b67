"""Rules made of rules: any of several, all of several, and copies elsewhere on the grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import NestedDrawing, Note
from sudoku_cp.model import (
    AllDifferent,
    Clause,
    Constraint,
    DigitSet,
    Domain,
    Literal,
    Model,
    Table,
    Values,
    build_model,
    cells_of,
    members,
    to_mask,
)
from sudoku_cp.model.alternatives import automaton_of_any
from sudoku_cp.model.model import AUXILIARY, rename_cells
from sudoku_cp.model.rewrite import as_clauses
from sudoku_cp.rules.base import Cells, Lowered, Rule, move_rule, part_name
from sudoku_cp.rules.descriptions import note_text
from sudoku_cp.rules.marked_cells import Even, Odd
from sudoku_cp.rules.neighbour_pairs import Difference
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.rules.wording import RuleWording

DEEPEST = 8
"""The deepest nesting of composite rules."""
MOST = 10_000
"""The most simple rules inside a composite one, copies counted."""
RELATION = 2
"""Alternatives about at most this many cells are a table, which suits every engine best."""
LARGEST = 20_000
"""The most edges of an automaton that stands for several alternatives; those of larger ones are selected by auxiliaries."""


def _depth(rule: Rule) -> int:
    """Return how deep composite rules are nested."""
    return 1 + max(map(_depth, rule.rules), default=0) if isinstance(rule, AnyOf | AllOf | Repeated) else 0


def _size_problems(rule: Rule) -> Iterator[str]:
    if _depth(rule) > DEEPEST:
        yield f"{rule.kind}: expected at most {DEEPEST} joined rules inside one another, got {_depth(rule)}"
    elif _rule_count(rule) > MOST:
        yield f"{rule.kind}: expected at most {MOST:,} rules, copies counted, got {_rule_count(rule):,}"


def _rule_count(rule: Rule) -> int:
    """Return the number of simple rules inside, copies counted."""
    if not isinstance(rule, AnyOf | AllOf | Repeated):
        return 1
    return sum(map(_rule_count, rule.rules)) * (1 + len(rule.shifts) if isinstance(rule, Repeated) else 1)


def _lower_all(rules: Iterable[Rule], grid: Grid) -> Lowered:
    """Lower all ``rules``, numbering the auxiliaries of each after those of the rules before it."""
    used = 0
    for rule in rules:
        highest = 0
        for part, constraint in rule.lower(grid):
            lowest = min(cells_of(constraint), default=0)
            highest = max(highest, -lowest)
            yield part, _renumber_auxiliaries(constraint, used) if lowest < 0 and used else constraint
        used += highest


def _renumber_auxiliaries(constraint: Constraint, used: int) -> Constraint:
    return rename_cells(constraint, lambda cell: cell - used if cell < 0 else cell)


def _nested_cosmetics(rules: Iterable[Rule], grid: Grid, *, faint: bool = False) -> Iterator[NestedDrawing]:
    """Yield what nested rules draw."""
    for rule in rules:
        yield from (NestedDrawing(thing, rule.kind, faint) for thing in rule.cosmetics(grid))


def _is_note(thing: Cosmetic) -> bool:
    return _is_note(thing.thing) if isinstance(thing, NestedDrawing) else isinstance(thing, Note)


@dataclass(frozen=True)
class AnyOf(Rule):
    """At least one of the rules holds."""

    kind = "any-of"
    elsewhere = MappingProxyType({"ISS": "Or"})
    rules: tuple[Rule, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One constraint that allows what any of them allows; if that is too large, clauses that state the rule they select.

        If all rules require the same cells to differ, that is a constraint of its own, and the choice is between what is left.
        """
        models = [_model_of(rule.kind, rule.lower(grid), grid) for rule in self.rules]
        possible = [number for number, model in enumerate(models) if not _is_impossible(model)]
        if len(possible) == 1:
            yield from self.rules[possible[0]].lower(grid)
            return
        rules, models = [self.rules[number] for number in possible], [models[number] for number in possible]
        joined = _join_few(models)
        if joined is None and (factored := _factor_distinct(rules, models, grid)):
            distinct, models = factored
            yield part_name("any of", grid, distinct.cells), distinct
        if joined is None and models:
            joined = automaton_of_any([model.constraints for model in models], _longest_domains(models), LARGEST, len(grid.cells))
        if joined is None:
            yield from _lower_choice(models)
        else:
            yield part_name("any of", grid, cells_of(joined)), joined

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look for one that holds."""
        return any(rule.holds(grid, values) for rule in self.rules)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"At least one of these is true: {'; or '.join(rule.clause(wording) for rule in self.rules)}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find rules nested too deep, and no rule at all."""
        yield from _size_problems(self)
        if not self.rules:
            yield f"{self.kind}, rules: expected at least one rule, got none"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """What the first rule draws, faintly, as it need not hold; the legend has all of them in words."""
        things = [thing for thing in _nested_cosmetics(self.rules[:1], grid, faint=True) if not _is_note(thing)]
        yield from things
        cells = tuple(dict.fromkeys(cell for thing in things for cell in thing.cells))
        yield Note(cells, f"any of: {'; or '.join(note_text(rule, grid, None) for rule in self.rules)}", "?")

    @classmethod
    def example(cls, grid: Grid) -> AnyOf:
        """Return a choice: the first two cells are odd, or a dot stands between the second and the third."""
        one, two, three = (grid.cell_at[0, column] for column in range(3))
        return cls((Odd((one, two)), Difference((two, three))))


def _model_of(kind: str, lowered: Lowered, grid: Grid) -> Model:
    return build_model([to_mask(grid.values)] * len(grid.cells), [(kind, lowered)])


def _is_impossible(model: Model) -> bool:
    return any(
        constraint == Clause(()) or (isinstance(constraint, DigitSet) and not constraint.sets) for constraint in model.constraints
    )


def _factor_distinct(
    rules: Iterable[Rule], models: Iterable[Model], grid: Grid
) -> tuple[AllDifferent | DigitSet, list[Model]] | None:
    """Return that cells differ, as all the rules require of the same cells, and models of what else each requires; or None."""
    found = [(rule.kind, rule.lower_distinct(grid)) for rule in rules]
    rests = [(kind, rest) for kind, rest in found if rest is not None]
    if len(rests) < len(found) or len({frozenset(cells) for _, (cells, _) in rests}) != 1:
        return None
    cells = rests[0][1][0]
    sets = [_sets_of(cells, model) for model in models]
    union = frozenset(chain.from_iterable(own for own in sets if own is not None))
    distinct = AllDifferent(cells) if None in sets else DigitSet(cells, union)
    return distinct, [_model_of(kind, rest, grid) for kind, (_, rest) in rests]


def _sets_of(cells: Cells, model: Model) -> frozenset[Domain] | None:
    """Return the sets of values of which the cells hold one by a digit set of the model; None if it has none about them."""
    own = (one.sets for one in model.constraints if isinstance(one, DigitSet) and frozenset(one.cells) == frozenset(cells))
    return next(own, None)


def _longest_domains(models: Iterable[Model]) -> tuple[Domain, ...]:
    """Return the domains of the model that has the most auxiliaries."""
    return max((model.domains for model in models), key=len)


def _join_few(models: list[Model]) -> Constraint | None:
    """Return a table for models about few cells, a digit set for models that are one of the same cells; None for others."""
    cells = sorted({cell for model in models for constraint in ticked(model.constraints) for cell in cells_of(constraint)})
    if not cells:
        return None
    if len(cells) <= RELATION and cells[-1] < models[0].board:
        return _any_table(tuple(cells), models)
    alone = [model.constraints[0] for model in models if len(model.constraints) == 1]
    sets = [one.sets for one in alone if isinstance(one, DigitSet) and set(one.cells) == set(cells)]
    return DigitSet(tuple(cells), frozenset().union(*sets)) if len(sets) == len(models) else None


def _any_table(cells: Cells, models: list[Model]) -> Table:
    """Return the values of a few cells that obey all constraints of some model."""
    rows = product(members(models[0].domains[cells[0]]), repeat=len(cells))
    found = ((row, dict(zip(cells, row, strict=True))) for row in rows)
    return Table(cells, frozenset(row for row, at in found if any(_obeys(model, at) for model in models)))


def _obeys(model: Model, at: dict[Cell, int]) -> bool:
    # A constraint looks up its own cells alone, so a mapping of those few is enough.
    return all(constraint.holds(at) for constraint in model.constraints)  # type: ignore[arg-type]


def _lower_choice(models: list[Model]) -> Lowered:
    """Yield clauses: one of the models is selected (auxiliary -1 the first, -2 the second, ...), and its constraints hold."""
    yield "any of", Clause(tuple(Literal(-number, 1) for number in range(1, len(models) + 1)))
    used = len(models)
    for number, model in enumerate(models, 1):
        unless, domains = Literal(-number, 0), list(model.domains)

        def fresh(domains: list[int] = domains) -> Cell:
            domains.append(AUXILIARY)
            return len(domains) - 1

        def name(cell: Cell, board: int = model.board, used: int = used) -> Cell:
            return cell if cell < board else board - 1 - cell - used

        for statement in model.statements:
            for literals in as_clauses(statement.constraint, domains, fresh):
                own = (literal._replace(cell=name(literal.cell)) for literal in literals)
                yield f"any of: {statement.part}", Clause((unless, *own))
        used += len(domains) - model.board


@dataclass(frozen=True)
class AllOf(Rule):
    """All of the rules hold: several rules where one is wanted, as inside a choice."""

    kind = "all-of"
    elsewhere = MappingProxyType({"ISS": "And"})
    rules: tuple[Rule, ...]

    def lower(self, grid: Grid) -> Lowered:
        """One rule after the other."""
        return _lower_all(self.rules, grid)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look at each."""
        return all(rule.holds(grid, values) for rule in self.rules)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"All of these are true: {'; and '.join(rule.clause(wording) for rule in self.rules)}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find rules nested too deep, or too many."""
        return _size_problems(self)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """What all the rules draw."""
        yield from _nested_cosmetics(self.rules, grid)

    @classmethod
    def example(cls, grid: Grid) -> AllOf:
        """Return two rules of which the first is itself a choice."""
        return cls((AnyOf.example(grid), Even((grid.cell_at[1, 0],))))


@dataclass(frozen=True)
class Repeated(Rule):
    """The rules hold where they stand, and also moved by each shift (rows down, columns right) that keeps them on the grid."""

    kind = "repeated"
    elsewhere = MappingProxyType({"ISS": "Replicate"})
    rules: tuple[Rule, ...]
    shifts: tuple[tuple[int, ...], ...]

    def everywhere(self, grid: Grid) -> list[Rule]:
        """Return the rules and their shifted copies; a copy that would partly leave the grid is left out."""
        found = dict.fromkeys(self.rules)
        for (down, right), rule in product(self.shifts, self.rules):
            try:
                found[move_rule(rule, partial(_shift_cell, grid, down, right))] = None
            except KeyError:
                continue
        return list(found)

    def lower(self, grid: Grid) -> Lowered:
        """One copy after the other."""
        return _lower_all(self.everywhere(grid), grid)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look at each copy."""
        return all(rule.holds(grid, values) for rule in self.everywhere(grid))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"All of these are true: {'; and '.join(rule.clause(wording) for rule in self.everywhere(wording.grid))}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find shifts that are not two numbers, rules nested too deep, and copies that are impossible where they are."""
        odd = [f"{self.kind}, shifts: expected rows and columns, got {list(by)!r:.80}" for by in self.shifts if len(by) != 2]  # noqa: PLR2004
        yield from odd
        yield from _size_problems(self)
        if not odd and not [*_size_problems(self), *Rule.problems(self, grid)]:
            for rule in self.everywhere(grid)[len(dict.fromkeys(self.rules)) :]:
                yield from (f"{self.kind}: {problem}" for problem in rule.problems(grid))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """What all the copies draw."""
        yield from _nested_cosmetics(self.everywhere(grid), grid)

    @classmethod
    def example(cls, grid: Grid) -> Repeated:
        """Return a choice in the top-left corner, repeated one row and two rows below."""
        return cls((AnyOf.example(grid),), ((1, 0), (2, 0)))


def _shift_cell(grid: Grid, down: int, right: int, cell: Cell) -> Cell:
    """Return the cell that far down and right, or raise `KeyError` where there is none."""
    row, column = grid.places[cell]
    return grid.cell_at[row + down, column + right]
