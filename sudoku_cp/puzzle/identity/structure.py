"""A puzzle as a coloured graph: two puzzles are isomorphic exactly where their graphs are.

There is a vertex for each cell, for each constraint that the rules lower to, and, where all constraints only tell cells apart,
for each value that is used. Elsewhere values are fixed, as words of a vertex's colour; `mirrored` constraints are what
they say once every value v is called lowest + highest - v.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, assert_never

from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Table,
    block,
    cells_of,
    joined,
    members,
    to_mask,
)
from sudoku_cp.puzzle.identity.labelling import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule

FLIPPED = {"<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


class Said(NamedTuple):
    """A constraint in words, and each of its cells with the part it plays there; cells with the same part can be swapped."""

    words: str
    parts: tuple[tuple[str, Cell], ...]


class Structure(NamedTuple):
    """What the rules of a puzzle say on its grid: how many cells (auxiliaries last), how many of the board, the constraints.

    ``is_blind`` where values can be renamed at will; ``mirror`` is the constraints after every value has been mirrored, None
    where that cannot be told.
    """

    cells: int
    board: int
    said: frozenset[Said]
    is_blind: bool
    mirror: frozenset[Said] | None


def structure(grid: Grid, rules: tuple[Rule, ...], tick: Callable[[], object] = int) -> Structure:
    """Return what the rules say on the grid, kept for the next puzzle."""
    key = grid, rules
    if key not in _kept:
        if len(_kept) >= KEPT:
            _kept.pop(next(iter(_kept)), None)
        _kept[key] = _structure(grid, rules, tick)
    return _kept[key]


KEPT = 64
_kept: dict[tuple[Grid, tuple[Rule, ...]], Structure] = {}


def _structure(grid: Grid, rules: tuple[Rule, ...], tick: Callable[[], object]) -> Structure:
    blocks = [block(rule.kind, rule.lower(grid), tick) for rule in rules]
    model = joined([to_mask(grid.values)] * len(grid.cells), blocks, tick)
    ends = grid.values[0] + grid.values[-1]
    mirrors = [] if model.is_houses else [_mirrored(constraint, ends, model.board) for constraint in model.constraints]
    known = [constraint for constraint in mirrors if constraint is not None]
    mirror = _meeting(map(said, known)) if len(known) == len(mirrors) else None
    said_here = _meeting(map(said, model.constraints))
    return Structure(len(model.domains), model.board, said_here, model.is_houses, said_here if model.is_houses else mirror)


def _meeting(constraints: Iterable[Said]) -> frozenset[Said]:
    """Return constraints whose words tell how many cells each shares with others: refinement would not see rows from boxes."""
    ordered = sorted(set(constraints))
    through: dict[Cell, list[int]] = {}
    for number, (_, parts) in enumerate(ordered):
        for cell in {cell for _, cell in parts}:
            through.setdefault(cell, []).append(number)
    found = set()
    for words, parts in ordered:
        shared = Counter(Counter(other for cell in {cell for _, cell in parts} for other in through[cell]).values())
        found.add(Said(f"{words} meets {sorted(shared.items())}", parts))
    return frozenset(found)


# --- a constraint in words ----------------------------------------------------------------------------------------


def said(constraint: Constraint) -> Said:
    """Return a constraint in words, the same for constraints that say the same of the same cells in another order."""
    match constraint:
        case AllDifferent(cells):
            return Said("different", _alike(cells))
        case DigitSet(cells, sets):
            return Said(f"sets {sorted(sets)}", _alike(cells))
        case Count(cells, values, relation, number):
            return Said(f"count {sorted(values)} {relation} {number}", _alike(cells))
        case Linear():
            return _linear(constraint)
        case Table(cells, tuples):
            return _table(cells, tuples)
        case Automaton(cells, start, edges, accepting):
            return Said(f"automaton {start} {sorted(edges)} {sorted(accepting)}", _in_order(cells))
        case Clause(literals):
            return Said("clause", _parts((f"{'is' if equal else 'not'} {value}", cell) for cell, value, equal in literals))
        case _:
            assert_never(constraint)


def _parts(parts: Iterable[tuple[str, Cell]]) -> tuple[tuple[str, Cell], ...]:
    return tuple(sorted(parts))


def _alike(cells: Iterable[Cell]) -> tuple[tuple[str, Cell], ...]:
    return _parts(("", cell) for cell in cells)


def _in_order(cells: Iterable[Cell]) -> tuple[tuple[str, Cell], ...]:
    return _parts((f"{number:03}", cell) for number, cell in enumerate(cells))


def _linear(constraint: Linear) -> Said:
    terms, relation, total = constraint.terms, constraint.relation, constraint.total
    negated = [(cell, -factor) for cell, factor in terms], FLIPPED[relation], -total
    ways = (
        (sorted(factor for _, factor in way[0]), way[1], way[2], way[0]) for way in ((list(terms), str(relation), total), negated)
    )
    _, sign, right, chosen = min(ways, key=lambda way: way[:3])
    return Said(f"sum {sign} {right}", _parts((str(factor), cell) for cell, factor in chosen))


def _table(cells: tuple[Cell, ...], tuples: frozenset[tuple[int, ...]]) -> Said:
    rows, back = sorted(tuples), sorted(row[::-1] for row in tuples)
    if len(cells) == 2 and rows == back:  # noqa: PLR2004
        return Said(f"pairs {rows}", _alike(cells))
    return Said(f"table {rows}", _in_order(cells)) if rows <= back else Said(f"table {back}", _in_order(cells[::-1]))


# --- a constraint after every value has been mirrored -------------------------------------------------------------


def _mirrored(constraint: Constraint, ends: int, board: int) -> Constraint | None:
    """Return what a constraint says once every value v of the board's cells is called ``ends`` - v, None if not told."""

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
        case DigitSet() | Count() | Automaton():
            return None if max(cells_of(constraint), default=0) >= board else _renamed_values(constraint, ends)
        case _:
            assert_never(constraint)


def _renamed_values(constraint: DigitSet | Count | Automaton, ends: int) -> Constraint:
    match constraint:
        case DigitSet(cells, sets):
            return DigitSet(cells, frozenset(to_mask(ends - value for value in members(some)) for some in sets))
        case Count(cells, values, relation, number):
            return Count(cells, frozenset(ends - value for value in values), relation, number)
        case Automaton(cells, start, edges, accepting):
            turned = frozenset((before, ends - value, after) for before, value, after in edges)
            return Automaton(cells, start, turned, accepting)


# --- the graph ----------------------------------------------------------------------------------------------------


class Content(NamedTuple):
    """What stands in the cells: givens and candidates, as sets of values."""

    givens: tuple[tuple[Cell, int], ...]
    candidates: tuple[tuple[Cell, Domain], ...]

    def mirrored(self, ends: int) -> Content:
        """Return the same with every value v called ``ends`` - v."""
        givens = tuple((cell, ends - value) for cell, value in self.givens)
        marks = ((cell, to_mask(ends - value for value in members(domain))) for cell, domain in self.candidates)
        return Content(givens, tuple(marks))

    def used(self) -> tuple[int, ...]:
        """Return the values that occur, in order."""
        return tuple(sorted({*(value for _, value in self.givens), *chain(*(members(some) for _, some in self.candidates))}))


NOTHING = Content((), ())


def content(puzzle: Puzzle) -> Content:
    """Return what stands in the cells of a puzzle."""
    return Content(tuple(puzzle.givens.items()), tuple(puzzle.candidates.items()))


def graph(cells: int, board: int, constraints: frozenset[Said], inside: Content, *, is_blind: bool) -> Graph:
    """Return the graph: cells first, then the values used (of blind rules), then constraints."""
    values = inside.used() if is_blind else ()
    place = {value: cells + number for number, value in enumerate(values)}
    colours = ["cell"] * board + ["auxiliary"] * (cells - board)
    edges: set[tuple[int, str, int]] = set()
    for cell, value in inside.givens:
        colours[cell] += " given" if is_blind else f" given {value}"
        edges |= {(cell, "given", place[value])} if is_blind else set()
    for cell, domain in inside.candidates:
        colours[cell] += " marked" if is_blind else f" marked {members(domain)}"
        edges |= {(cell, "marked", place[value]) for value in members(domain)} if is_blind else set()
    colours += ["value"] * len(values)
    for words, parts in sorted(constraints):
        edges |= set(_numbered(len(colours), parts))
        colours.append(f"constraint {words}")
    return Graph(tuple(colours), frozenset(edges))


def _numbered(vertex: int, parts: Iterable[tuple[str, Cell]]) -> Iterator[tuple[int, str, int]]:
    """Yield an edge for each part; a part that a cell plays twice says so."""
    before: dict[tuple[str, Cell], int] = {}
    for part, cell in parts:
        before[part, cell] = before.get((part, cell), 0) + 1
    for (part, cell), times in before.items():
        yield vertex, f"{part} x{times}", cell
