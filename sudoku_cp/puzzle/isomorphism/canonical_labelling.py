"""Canonical labelling of a coloured graph by individualisation and refinement, with its automorphisms.

Refinement splits vertices by the colours of their neighbours until nothing splits. Where vertices still share a colour, one
of them is individualised, each in turn, and so on until all differ: a leaf, which is a labelling. The canonical one is the
least by what refinement saw on the way (the trace) and then by its relabelled edges. Two leaves with the same edges give an
automorphism, which spares the search equivalent subtrees (B. D. McKay, Practical graph isomorphism, 1981).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

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
from sudoku_cp.puzzle.puzzle import LruCache, Puzzle

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.rules.base import Rule


Vertex: TypeAlias = int
Colours: TypeAlias = "list[int]"
"""A number for each vertex; vertices with equal numbers are not distinguished."""
Permutation: TypeAlias = tuple[Vertex, ...]
Trace: TypeAlias = "list[tuple[int, tuple[int, ...]]]"
"""What a refinement sees, whatever the names of vertices: each vertex's colour, and the labels and colours of its neighbours."""


class ColouredGraph(NamedTuple):
    """The colour of each vertex, and edges (vertex, label, vertex), which go both ways; colours and labels are any words."""

    colours: tuple[str, ...]
    edges: frozenset[tuple[Vertex, str, Vertex]]


class Labelling(NamedTuple):
    """The canonical place of each vertex, the relabelled graph (``certificate``), and the automorphism group.

    The group is given by a base and a strong generating set: only the identity fixes all of ``base``, and the ``generators`` that
    fix its first vertices generate all automorphisms that do.
    """

    places: tuple[int, ...]
    certificate: tuple[object, ...]
    base: tuple[Vertex, ...]
    generators: tuple[Permutation, ...]

    def orbit(self, level: int) -> dict[Vertex, Permutation]:
        """Return the orbit of base vertex ``level`` under the stabilizer of those before it, with a permutation to each."""
        size = len(self.places)
        fixing = _stabilizer(self.generators, self.base[:level])
        found: dict[Vertex, Permutation] = {self.base[level]: tuple(range(size))}
        waiting = [self.base[level]]
        while waiting:
            vertex = waiting.pop()
            for generator in fixing:
                if generator[vertex] not in found:
                    found[generator[vertex]] = tuple(generator[place] for place in found[vertex])
                    waiting.append(generator[vertex])
        return found

    def order(self) -> int:
        """Return the number of automorphisms."""
        product = 1
        for level in range(len(self.base)):
            product *= len(self.orbit(level))
        return product


def label_graph(graph: ColouredGraph, tick: Callable[[], object] = int) -> Labelling:
    """Return the canonical labelling of a graph; ``tick`` is called at each refinement and may raise to give up."""
    search = _LabellingSearch(graph, tick)
    search.run()
    first, best = search.first, search.best
    assert first is not None  # noqa: S101  # there is a leaf
    assert best is not None  # noqa: S101
    names = sorted(zip(best.colours, graph.colours, strict=True))
    certificate = (tuple(name for _, name in names), tuple(search.labels), best.edges)
    return Labelling(tuple(best.colours), certificate, first.path, tuple(search.generators))


class _Leaf(NamedTuple):
    """A labelling, the vertices individualised on the way, the traces there, and the relabelled edges."""

    colours: Colours
    path: tuple[Vertex, ...]
    traces: list[Trace]
    edges: tuple[tuple[int, int, int], ...]


@dataclass
class _LabellingNode:
    """A node of the search tree: refined colours, vertices to individualise next, comparison with the first and the best path."""

    colours: Colours
    trace: Trace
    choices: list[Vertex]
    like_first: bool
    than_best: int
    tried: list[Vertex] = field(default_factory=list)


class _LabellingSearch:
    """Depth-first search through the tree of individualised vertices, without recursion."""

    def __init__(self, graph: ColouredGraph, tick: Callable[[], object]) -> None:
        self.labels = sorted({label for _, label, _ in graph.edges})
        number = {label: place for place, label in enumerate(self.labels)}
        self._edges = [(one, number[label], other) for one, label, other in graph.edges]
        self._size = len(graph.colours)
        self._beside: list[list[tuple[int, Vertex]]] = [[] for _ in graph.colours]
        for one, label, other in self._edges:
            self._beside[one].append((label * self._size, other))
            self._beside[other].append((label * self._size, one))
        ranks = {name: rank for rank, name in enumerate(sorted(set(graph.colours)))}
        self._start = [ranks[name] for name in graph.colours]
        self._tick = tick
        self.generators: list[Permutation] = []
        self.first: _Leaf | None = None
        self.best: _Leaf | None = None
        self._stack: list[_LabellingNode] = []
        self._path: list[Vertex] = []

    def run(self) -> None:
        """Search the tree."""
        self._visit(self._start, like_first=True, than_best=0)
        while self._stack:
            node = self._stack[-1]
            del self._path[len(self._stack) - 1 :]
            vertex = self._next_choice(node)
            if vertex is None:
                self._stack.pop()
                continue
            self._path.append(vertex)
            colours = [2 * colour for colour in node.colours]
            colours[vertex] -= 1
            self._visit(colours, like_first=node.like_first, than_best=node.than_best)

    def _next_choice(self, node: _LabellingNode) -> Vertex | None:
        """Return a vertex that no known automorphism maps to one tried before, None where there is none."""
        fixing = _stabilizer(self.generators, self._path)
        seen = _orbit_of(node.tried, fixing)
        while node.choices:
            vertex = node.choices.pop(0)
            if vertex not in seen:
                node.tried.append(vertex)
                return vertex
        return None

    def _visit(self, start: Colours, *, like_first: bool, than_best: int) -> None:
        """Refine, and push the node unless its subtree can hold neither an automorphism nor a better leaf."""
        self._tick()
        colours, trace = self._refine(start)
        level = len(self._stack)
        if self.first is not None:
            like_first = like_first and _trace_at(self.first.traces, level) == trace
        if self.best is not None and than_best == 0:
            best = _trace_at(self.best.traces, level)
            than_best = (trace > best) - (trace < best)
        if than_best > 0 and not like_first:
            return
        choices = _smallest_class(colours)
        if choices:
            self._stack.append(_LabellingNode(colours, trace, choices, like_first, than_best))
        else:
            self._visit_leaf(colours, trace, like_first=like_first, than_best=than_best)

    def _visit_leaf(self, colours: Colours, trace: Trace, *, like_first: bool, than_best: int) -> None:
        traces = [*(node.trace for node in self._stack), trace]
        named = ((colours[one], label, colours[other]) for one, label, other in self._edges)
        edges = tuple(sorted((min(one, other), label, max(one, other)) for one, label, other in named))
        leaf = _Leaf(colours, tuple(self._path), traces, edges)
        if self.first is None or self.best is None:
            self.first = self.best = leaf
        elif like_first and leaf.edges == self.first.edges:
            self._note_automorphism(leaf, self.first)
        elif than_best == 0 and leaf.edges == self.best.edges:
            self._note_automorphism(leaf, self.best)
        elif than_best < 0 or (than_best == 0 and leaf.edges < self.best.edges):
            self.best = leaf
            for node in self._stack:
                node.than_best = 0

    def _note_automorphism(self, leaf: _Leaf, before: _Leaf) -> None:
        """Record the automorphism between two leaves, and backtrack to where their paths part."""
        at = {colour: vertex for vertex, colour in enumerate(leaf.colours)}
        self.generators.append(tuple(at[colour] for colour in before.colours))
        parting = next(level for level, (one, other) in enumerate(zip(leaf.path, before.path, strict=True)) if one != other)
        del self._stack[parting + 1 :]

    def _refine(self, colours: Colours) -> tuple[Colours, Trace]:
        """Return the colours refined until stable, numbered from 0, and the trace of the last round."""
        rank: dict[Any, int] = {colour: place for place, colour in enumerate(sorted(set(colours)))}
        colours = [rank[colour] for colour in colours]
        number = 0
        while True:
            seen = [
                (colour, tuple(sorted([label + colours[other] for label, other in beside])))
                for colour, beside in zip(colours, self._beside, strict=True)
            ]
            ordered = sorted(set(seen))
            if len(ordered) == number:
                return colours, sorted(seen)
            number = len(ordered)
            rank = {one: place for place, one in enumerate(ordered)}
            colours = [rank[one] for one in seen]


def _trace_at(traces: Sequence[Trace], level: int) -> Trace:
    return traces[level] if level < len(traces) else []


def _smallest_class(colours: Colours) -> list[Vertex]:
    """Return the vertices of the first smallest class with several vertices; none if all differ."""
    classes: dict[int, list[Vertex]] = {}
    for vertex, colour in enumerate(colours):
        classes.setdefault(colour, []).append(vertex)
    several = ((len(some), colour) for colour, some in classes.items() if len(some) > 1)
    least = min(several, default=None)
    return classes[least[1]] if least else []


def _stabilizer(generators: Iterable[Permutation], vertices: Sequence[Vertex]) -> list[Permutation]:
    """Return the permutations that fix these vertices."""
    return [generator for generator in generators if all(generator[vertex] == vertex for vertex in vertices)]


def _orbit_of(vertices: Iterable[Vertex], generators: Sequence[Permutation]) -> set[Vertex]:
    """Return the union of the vertices' orbits under the generated group."""
    found = set(vertices)
    waiting = list(found)
    while waiting:
        vertex = waiting.pop()
        for generator in generators:
            if generator[vertex] not in found:
                found.add(generator[vertex])
                waiting.append(generator[vertex])
    return found


# Equal lines of a board, and equal groups of lines: swapping them changes nothing, so one order of them is enough.
#
# The conventions are those of `minlex`. A line is given by its first cell, the step from each of its cells to the next, and its
# length; a group by its first line, the number of its lines, and the pitch from each to the next.


Numbers: TypeAlias = list[int]
"""A flat sequence of whole numbers that is written to: a list in Python, an array in compiled code."""
Given: TypeAlias = Sequence[int]
"""A flat sequence of whole numbers that is only read."""
Shape: TypeAlias = tuple[int, int, int, int, int]
"""Rows, columns, height and width of boxes, number of values."""


def are_equal_lines(given: Given, one: int, other: int, step: int, length: int) -> bool:
    """Return whether two lines of ``length`` cells, each ``step`` from the one before, are equal."""
    for cell in range(0, length * step, step):  # noqa: SIM110  # Numba compiles no generator
        if given[one + cell] != given[other + cell]:
            return False
    return True


def are_equal_groups(given: Given, one: int, other: int, lines: int, pitch: int, step: int, length: int) -> bool:
    """Return whether two groups of ``lines`` lines, each ``pitch`` from the one before, have equal lines in some order."""
    for line in range(one, one + lines * pitch, pitch):
        more = 0
        for number in range(0, lines * pitch, pitch):
            more += are_equal_lines(given, line, one + number, step, length)
            more -= are_equal_lines(given, line, other + number, step, length)
        if more:
            return False
    return True


def equal_group_before(given: Given, start: int, number: int, lines: int, pitch: int, step: int, length: int) -> int:
    """Return the last group before group ``number`` that equals it, -1 if there is none."""
    own = start + number * lines * pitch
    for other in range(number - 1, -1, -1):
        if are_equal_groups(given, own, start + other * lines * pitch, lines, pitch, step, length):
            return other
    return -1


def find_equal_lines(given: Given, turns: int, after: Numbers, shape: Shape) -> None:
    """Write to ``after``, for each row and band of each turn and then each stack, the last equal one before it, or -1."""
    rows, columns, height, width, _ = shape
    bands, stacks = rows // height, columns // width
    likes = turns * (rows + bands)
    for turn in range(turns):
        start, own = turn * rows * columns, turn * (rows + bands)
        for row in range(rows):
            band = row // height * height
            like = equal_group_before(given, start + band * columns, row - band, 1, columns, 1, columns)
            after[own + row] = like if like < 0 else band + like
        for band in range(bands):
            after[own + rows + band] = equal_group_before(given, start, band, height, columns, 1, columns)
        for stack in range(stacks):
            after[likes + turn * stacks + stack] = equal_group_before(given, start, stack, width, 1, columns, rows)


def equal_lines_size(turns: int, shape: Shape) -> int:
    """Return how many numbers `find_equal_lines` writes."""
    rows, columns, height, width, _ = shape
    return turns * (rows + rows // height + columns // width)


def in_order(orders: Given, start: int, after: Given, likes: int, stacks: int) -> bool:
    """Return whether every stack that equals an earlier one comes after it."""
    seen = 0
    for place in range(stacks):
        stack = orders[start + place]
        like = after[likes + stack]
        if like >= 0 and not seen >> like & 1:
            return False
        seen |= 1 << stack
    return True


# A puzzle as a coloured graph: two puzzles are isomorphic exactly if their graphs are.
#
# There is a vertex for each cell, for each constraint that the rules lower to, and, where all constraints only say that cells
# differ, for each value that is used. Otherwise values are fixed, as words in a vertex's colour; mirrored constraints are what
# the constraints become when every value v is renamed lowest + highest - v.


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
