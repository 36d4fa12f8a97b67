"""A puzzle as a coloured graph: two puzzles are isomorphic exactly if their graphs are.

There is a vertex for each cell, for each constraint that the rules lower to, and, where all constraints only say that cells
differ, for each value that is used. Otherwise values are fixed, as words in a vertex's colour; mirrored constraints are what
the constraints become when every value v is renamed lowest + highest - v.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple, assert_never

from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Partition,
    Table,
    cells_of,
    join_blocks,
    make_block,
    members,
    to_mask,
)
from sudoku_cp.puzzle.isomorphism.canonical_labelling import ColouredGraph
from sudoku_cp.puzzle.puzzle import LruCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule

FLIPPED = {"<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


class ConstraintForm(NamedTuple):
    """A constraint in normal form: a label, and each of its cells with its role; cells with the same role can be swapped."""

    label: str
    roles: tuple[tuple[str, Cell], ...]


class RuleStructure(NamedTuple):
    """The rules of a puzzle on its grid: the number of cells (auxiliaries last) and of those of the board, and the constraints.

    ``mirror`` is the constraints after every value has been mirrored, None if that is not known.
    """

    cells: int
    board: int
    constraints: frozenset[ConstraintForm]
    values_are_interchangeable: bool
    mirror: frozenset[ConstraintForm] | None


def rule_structure(grid: Grid, rules: tuple[Rule, ...], tick: Callable[[], object] = int) -> RuleStructure:
    """Return the structure of the rules on the grid, from a cache."""
    return _structures.get((grid, rules), lambda: _build_structure(grid, rules, tick))


_structures: LruCache[tuple[Grid, tuple[Rule, ...]], RuleStructure] = LruCache(64)


def _build_structure(grid: Grid, rules: tuple[Rule, ...], tick: Callable[[], object]) -> RuleStructure:
    blocks = [make_block(rule.kind, rule.lower(grid), tick) for rule in rules]
    model = join_blocks([to_mask(grid.values)] * len(grid.cells), blocks, tick)
    ends = grid.values[0] + grid.values[-1]
    mirrors = [] if model.is_houses else [_mirror_constraint(constraint, ends, model.board) for constraint in model.constraints]
    known = [constraint for constraint in mirrors if constraint is not None]
    size = len(model.domains)
    mirror = _add_intersections(_normal_forms(known, size)) if len(known) == len(mirrors) else None
    own = _add_intersections(_normal_forms(model.constraints, size))
    areas = sum(isinstance(constraint, Connected) for constraint in model.constraints)
    return RuleStructure(size + areas, model.board, own, model.is_houses, own if model.is_houses else mirror)


def _add_intersections(constraints: Iterable[ConstraintForm]) -> frozenset[ConstraintForm]:
    """Add to each label how many cells it shares with others: refinement alone would not distinguish rows from boxes."""
    ordered = sorted(set(constraints))
    through: dict[Cell, list[int]] = {}
    for number, (_, parts) in enumerate(ordered):
        for cell in {cell for _, cell in parts}:
            through.setdefault(cell, []).append(number)
    found = set()
    for words, parts in ordered:
        shared = Counter(Counter(other for cell in {cell for _, cell in parts} for other in through[cell]).values())
        found.add(ConstraintForm(f"{words} meets {sorted(shared.items())}", parts))
    return frozenset(found)


def rename_cells(constraints: Iterable[ConstraintForm], names: Sequence[Cell]) -> frozenset[ConstraintForm]:
    """Return the constraints with each cell renamed to ``names[cell]``."""
    renamed = ((label, sorted((role, names[cell]) for role, cell in roles)) for label, roles in constraints)
    return frozenset(ConstraintForm(label, tuple(roles)) for label, roles in renamed)


# --- normal forms ------------------------------------------------------------------------------------------------


def _normal_forms(constraints: Iterable[Constraint], size: int) -> Iterator[ConstraintForm]:
    """Yield the normal forms of constraints about ``size`` cells.

    For connected cells there is one for each two that touch, and an auxiliary after the others that joins them.
    """
    areas = count(size)
    for constraint in constraints:
        if isinstance(constraint, Connected):
            yield from _connected_forms(constraint, next(areas))
        else:
            yield normal_form(constraint)


def _connected_forms(constraint: Connected, area: Cell) -> Iterator[ConstraintForm]:
    cells = constraint.cells
    yield ConstraintForm(f"connected {sorted(constraint.values)}", _sorted_roles([("area", area), *_equal_roles(cells)]))
    for cell, others in zip(cells, constraint.beside, strict=True):
        for other in (cells[place] for place in others):
            yield ConstraintForm("beside", _sorted_roles([("area", area), *_equal_roles((cell, other))]))


def normal_form(constraint: Constraint) -> ConstraintForm:  # noqa: PLR0911  # one for each kind
    """Return the normal form of a constraint, equal for constraints that say the same about the same cells in another order."""
    match constraint:
        case AllDifferent(cells):
            return ConstraintForm("different", _equal_roles(cells))
        case DigitSet(cells, sets):
            return ConstraintForm(f"sets {sorted(sets)}", _equal_roles(cells))
        case Count(cells, values, relation, number):
            return ConstraintForm(f"count {sorted(values)} {relation} {number}", _equal_roles(cells))
        case Linear():
            return _linear_form(constraint)
        case Table(cells, tuples):
            return _table_form(cells, tuples)
        case Automaton(cells, start, edges, accepting):
            return ConstraintForm(f"automaton {start} {sorted(edges)} {sorted(accepting)}", _ordered_roles(cells))
        case Connected():
            raise TypeError("connected cells have several normal forms")
        case Partition(cells, labels, beside, size, first):  # the order of the cells is part of its meaning
            return ConstraintForm(f"partition {beside} {size} {first}", _ordered_roles(cells + labels))
        case Clause(literals):
            roles = ((f"{'is' if equal else 'not'} {value}", cell) for cell, value, equal in literals)
            return ConstraintForm("clause", _sorted_roles(roles))
        case _:
            assert_never(constraint)


def _sorted_roles(parts: Iterable[tuple[str, Cell]]) -> tuple[tuple[str, Cell], ...]:
    return tuple(sorted(parts))


def _equal_roles(cells: Iterable[Cell]) -> tuple[tuple[str, Cell], ...]:
    return _sorted_roles(("", cell) for cell in cells)


def _ordered_roles(cells: Iterable[Cell]) -> tuple[tuple[str, Cell], ...]:
    return _sorted_roles((f"{number:03}", cell) for number, cell in enumerate(cells))


def _linear_form(constraint: Linear) -> ConstraintForm:
    terms, relation, total = constraint.terms, constraint.relation, constraint.total
    negated = [(cell, -factor) for cell, factor in terms], FLIPPED[relation], -total
    ways = (
        (sorted(factor for _, factor in way[0]), way[1], way[2], way[0]) for way in ((list(terms), str(relation), total), negated)
    )
    _, sign, right, chosen = min(ways, key=lambda way: way[:3])
    return ConstraintForm(f"sum {sign} {right}", _sorted_roles((str(factor), cell) for cell, factor in chosen))


def _table_form(cells: tuple[Cell, ...], tuples: frozenset[tuple[int, ...]]) -> ConstraintForm:
    rows, back = sorted(tuples), sorted(row[::-1] for row in tuples)
    if len(cells) == 2 and rows == back:  # noqa: PLR2004
        return ConstraintForm(f"pairs {rows}", _equal_roles(cells))
    if rows <= back:
        return ConstraintForm(f"table {rows}", _ordered_roles(cells))
    return ConstraintForm(f"table {back}", _ordered_roles(cells[::-1]))


# --- a constraint after every value has been mirrored -------------------------------------------------------------


def _mirror_constraint(constraint: Constraint, ends: int, board: int) -> Constraint | None:
    """Return the constraint after renaming every value v of the board's cells to ``ends`` - v; None if that is not known."""

    def turned(cell: Cell, value: int) -> int:
        return value if cell >= board else ends - value

    match constraint:
        case AllDifferent():
            return constraint
        case Linear(terms, relation, total):
            own = [(cell, -factor if cell < board else factor) for cell, factor in terms]
            return Linear(tuple(own), relation, total - ends * sum(factor for cell, factor in terms if cell < board))
        case Table(cells, tuples):
            return Table(cells, frozenset(tuple(map(turned, cells, row)) for row in tuples))
        case Clause(literals):
            return Clause(tuple(one._replace(value=turned(one.cell, one.value)) for one in literals))
        case DigitSet() | Count() | Automaton() | Connected():
            return None if max(cells_of(constraint), default=0) >= board else _mirror_values(constraint, ends)
        case Partition():  # numbers that count downwards
            return None
        case _:
            assert_never(constraint)


def _mirror_values(constraint: DigitSet | Count | Automaton | Connected, ends: int) -> Constraint:
    match constraint:
        case DigitSet(cells, sets):
            return DigitSet(cells, frozenset(to_mask(ends - value for value in members(some)) for some in sets))
        case Count(cells, values, relation, number):
            return Count(cells, frozenset(ends - value for value in values), relation, number)
        case Connected(cells, values, beside, steps):
            return Connected(cells, frozenset(ends - value for value in values), beside, steps)
        case Automaton(cells, start, edges, accepting):
            turned = frozenset((before, ends - value, after) for before, value, after in edges)
            return Automaton(cells, start, turned, accepting)


# --- the graph ----------------------------------------------------------------------------------------------------


class CellContents(NamedTuple):
    """The contents of cells: givens, and candidates as sets of values."""

    givens: tuple[tuple[Cell, int], ...]
    candidates: tuple[tuple[Cell, Domain], ...]

    def mirrored(self, ends: int) -> CellContents:
        """Return the contents with every value v renamed to ``ends`` - v."""
        givens = tuple((cell, ends - value) for cell, value in self.givens)
        marks = ((cell, to_mask(ends - value for value in members(domain))) for cell, domain in self.candidates)
        return CellContents(givens, tuple(marks))

    def used(self) -> tuple[int, ...]:
        """Return the values that occur, in order."""
        return tuple(sorted({*(value for _, value in self.givens), *chain(*(members(some) for _, some in self.candidates))}))


EMPTY_CELLS = CellContents((), ())


def cell_contents(puzzle: Puzzle) -> CellContents:
    """Return the givens and candidates of a puzzle."""
    return CellContents(tuple(puzzle.givens.items()), tuple(puzzle.candidates.items()))


def puzzle_graph(rules: RuleStructure, inside: CellContents = EMPTY_CELLS) -> ColouredGraph:
    """Return the graph: cells first, then the values used if they are interchangeable, then constraints."""
    free = rules.values_are_interchangeable
    values = inside.used() if free else ()
    place = {value: rules.cells + number for number, value in enumerate(values)}
    colours = ["cell"] * rules.board + ["auxiliary"] * (rules.cells - rules.board)
    edges: set[tuple[int, str, int]] = set()
    for cell, value in inside.givens:
        colours[cell] += " given" if free else f" given {value}"
        edges |= {(cell, "given", place[value])} if free else set()
    for cell, domain in inside.candidates:
        colours[cell] += " marked" if free else f" marked {members(domain)}"
        edges |= {(cell, "marked", place[value]) for value in members(domain)} if free else set()
    colours += ["value"] * len(values)
    for words, parts in sorted(rules.constraints):
        edges |= set(_constraint_edges(len(colours), parts))
        colours.append(f"constraint {words}")
    return ColouredGraph(tuple(colours), frozenset(edges))


def _constraint_edges(vertex: int, parts: Iterable[tuple[str, Cell]]) -> Iterator[tuple[int, str, int]]:
    """Yield an edge for each role, labelled with how often the cell has it."""
    before: dict[tuple[str, Cell], int] = {}
    for part, cell in parts:
        before[part, cell] = before.get((part, cell), 0) + 1
    for (part, cell), times in before.items():
        yield vertex, f"{part} x{times}", cell
