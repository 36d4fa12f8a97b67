"""The compiled tier finds what brute force finds, on boards whose cells differ, and can resume what a limit left."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from itertools import count, islice, product
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sudoku_cp import compile_cache
from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.backends.conformance.checks import AUXILIARIES, MAKERS, Case, empty_board, pigeons, random_cases, small_board
from sudoku_cp.backends.native import compiled_session, constraint_tables, kernel_loading, model_arrays
from sudoku_cp.backends.native.compiled_session import CompiledSession
from sudoku_cp.backends.native.kernel.fixpoint import KINDS
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.grid import Grid
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Model,
    Statement,
    Table,
    build_model,
    members,
    to_mask,
)
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import FullRank, Houses
from sudoku_cp.rules.ranks import TIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sudoku_cp.backends import Solution


# --- compiled session -------------------------------------------------------------------------------------------------


pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba's compiler is turned off")

GRIDS = sorted(small_board().solutions)
HOUSES = tuple(("houses", constraint) for constraint in small_board().model.constraints)
VALUES = range(1, 5)
RELATIONS = ("==", "==", "!=", "<=", ">=")


class Impatient(Cancellation):
    """Cancelled after being asked as often as it has ``patience``."""

    def __init__(self, patience: int) -> None:
        """Start with nobody having asked."""
        super().__init__()
        self.patience, self.asked = patience, 0

    @property
    def cancelled(self) -> bool:
        """Whether it is, now that somebody asks once more."""
        self.asked += 1
        return self.asked > self.patience

    @cancelled.setter
    def cancelled(self, value: bool) -> None:
        assert not value


def model_with(constraints: Sequence[Constraint]) -> Model:
    """The 4x4 board with more rules."""
    return build_model([0b11110] * 16, [("houses", HOUSES), ("random", [("random", one) for one in constraints])])


def expected(constraints: Sequence[Constraint]) -> list[Solution]:
    """Those of the 288 grids that obey the constraints."""
    return [grid for grid in GRIDS if all(one.holds(grid) for one in constraints)]


def found(model: Model, **options: object) -> list[Solution]:
    """All that the compiled tier finds, in order."""
    return sorted(CompiledSession(model).solutions(**options))


def some(random: Random, least: int, most: int) -> tuple[int, ...]:
    """Return some cells of the board."""
    return tuple(random.sample(range(16), random.randint(least, most)))


def line(random: Random) -> tuple[int, ...]:
    """A path of cells."""
    cells = [random.randrange(16)]
    while len(cells) < random.randint(3, 7):
        row, column = divmod(cells[-1], 4)
        near = [(row + one, column + other) for one in (-1, 0, 1) for other in (-1, 0, 1)]
        fresh = [4 * r + c for r, c in near if 0 <= r < 4 and 0 <= c < 4 and 4 * r + c not in cells]
        if not fresh:
            break
        cells.append(random.choice(fresh))
    return tuple(cells)


def a_sum(random: Random) -> Linear:
    """Return a sum that some grid has, or nearly has."""
    factors = (1, 1, 1, -1, 2) if random.random() < 0.5 else (1,)
    terms = tuple((cell, random.choice(factors)) for cell in some(random, 2, 8))
    grid = random.choice(GRIDS)
    return Linear(terms, random.choice(RELATIONS), sum(grid[c] * f for c, f in terms) + random.choice((0, 0, 0, 1)))


def a_set(random: Random) -> DigitSet:
    """Return a digit set on cells that may be in several houses."""
    cells = some(random, 2, 4)
    return DigitSet(cells, frozenset(to_mask(random.sample(VALUES, len(cells))) for _ in range(random.randint(1, 3))))


def an_automaton(random: Random) -> Automaton:
    """Return an automaton of a sum modulo something along a line."""
    cells, modulus = line(random), random.randint(2, 4)
    edges = frozenset((state, value, (state + value) % modulus) for state in range(modulus) for value in VALUES)
    return Automaton(cells, 0, edges, frozenset({random.randrange(modulus)}))


def area(random: Random, cells: Sequence[int], columns: int, values: Sequence[int]) -> Connected:
    """Return that some values are connected on cells of a board."""
    wanted = random.sample(values, random.randint(len(values) // 2, len(values) - 1))
    places = [divmod(cell, columns) for cell in cells]
    beside = tuple(
        tuple(number for number, (a, b) in enumerate(places) if abs(a - row) + abs(b - column) == 1) for row, column in places
    )
    return Connected(tuple(cells), frozenset(wanted), beside, len(cells))


ROUND: dict[str, Callable[[Random], Constraint]] = {
    "sums": a_sum,
    "sets": a_set,
    "different": lambda random: AllDifferent(some(random, 2, 4)),
    "counts": lambda random: Count(
        some(random, 2, 9),
        frozenset(random.sample(VALUES, random.choice((1, 1, 2)))),
        random.choice(RELATIONS),
        random.randint(0, 3),
    ),
    "relations": lambda random: Table(
        some(random, 2, 2), frozenset((random.choice(VALUES), random.choice(VALUES)) for _ in range(random.randint(2, 12)))
    ),
    "tables": lambda random: Table(
        cells := some(random, 3, 4),
        frozenset(tuple(random.choice(VALUES) for _ in cells) for _ in range(random.randint(40, 150))),
    ),
    "automata": an_automaton,
    "areas": lambda random: area(random, range(16) if random.random() < 0.7 else some(random, 1, 12), 4, VALUES),
    "clauses": lambda random: Clause(
        tuple(Literal(cell, random.choice(VALUES), random.random() < 0.5) for cell in some(random, 2, 4))
    ),
}


@pytest.mark.parametrize("kinds", [*((kind,) for kind in ROUND), tuple(ROUND)], ids="+".join)
def test_all_solutions_among_the_288_grids(kinds: tuple[str, ...]) -> None:
    """On a board with rows, columns and boxes the compiled tier finds exactly the grids that obey the other constraints."""
    random = Random(str(kinds))  # noqa: S311
    answers = 0
    for _ in range(60):
        constraints = [ROUND[random.choice(kinds)](random) for _ in range(random.randint(1, 4))]
        wanted = expected(constraints)
        assert found(model_with(constraints)) == wanted, constraints
        answers += bool(wanted)
    assert answers > 10


@pytest.mark.parametrize("seed", range(60))
def test_conflicts_of_single_values(seed: int) -> None:
    """That two cells do not both hold a value, said of many pairs and some values, leaves exactly the grids that obey it."""
    random = Random(seed)  # noqa: S311
    values = random.sample(VALUES, random.randint(1, 4))
    pairs = [(random.choice(values), *some(random, 2, 2)) for _ in range(random.randint(5, 60))]
    constraints: list[Constraint] = [
        Clause(tuple(Literal(cell, value, equal=False) for cell in cells)) for value, *cells in pairs
    ]
    random.shuffle(constraints)
    constraints += [ROUND["counts"](random)] * (seed % 2)
    assert found(model_with(constraints)) == expected(constraints)


@pytest.mark.parametrize("seed", range(120))
def test_areas_on_small_boards(seed: int) -> None:
    """Connected cells on boards of six to ten, of whatever candidates, counted or not: all solutions that brute force finds."""
    random = Random(seed)  # noqa: S311
    rows, columns = random.choice([(2, 3), (3, 3), (2, 4), (1, 6), (2, 5)])
    cells = range(rows * columns)
    constraints: list[Constraint] = []
    for _ in range(random.choice((1, 1, 2))):
        one = area(random, cells if random.random() < 0.7 else random.sample(cells, random.randint(1, 6)), columns, range(1, 4))
        constraints.append(one)
        if random.random() < 0.5:
            constraints.append(Count(one.cells, one.values, random.choice(RELATIONS), random.randint(1, len(one.cells))))
    if random.random() < 0.4:
        constraints.append(AllDifferent(tuple(cells)[:columns]))
    domains = [to_mask(random.sample(range(1, 4), random.choice((1, 2, 2, 3)))) for _ in cells]
    case = Case.of(build_model(domains, [("random", [("random", one) for one in constraints])]))
    assert set(found(case.model)) == case.solutions


@pytest.mark.parametrize(
    ("row", "least", "wanted"),
    [
        ("i..ix", 1, ["iiiix"]),
        ("ix...", 1, ["ixxxx"]),
        (".x...", 3, ["xxiii"]),
        ("i....", 3, ["iiiii", "iiiix", "iiixx"]),
        ("..x..", 3, []),
        ("i.x.i", 1, []),
    ],
)
def test_areas_are_found_without_a_contradiction(row: str, least: int, wanted: list[str]) -> None:
    """What cannot be reached is out; what lies between cells that are in, or without which too few are left, is in."""
    domains = [{"i": 0b10, "x": 0b100, ".": 0b110}[sign] for sign in row]
    beside = tuple(tuple(other for other in (cell - 1, cell + 1) if 0 <= other < len(row)) for cell in range(len(row)))
    cells, inside = tuple(range(len(row))), frozenset({1})
    parts = [("area", Connected(cells, inside, beside, len(row))), ("count", Count(cells, inside, ">=", least))]
    session = CompiledSession(build_model(domains, [("rule", parts)]))
    assert sorted("".join(".ix"[value] for value in solution) for solution in session.solutions()) == wanted
    assert session.counters()["backtracks"] == (not wanted)


@pytest.mark.parametrize("seed", range(40))
def test_automata_that_read_auxiliaries_too(seed: int) -> None:
    """Cells that differ, with auxiliaries among them, are read like any others: an auxiliary may have the value of a cell."""
    random = Random(seed)  # noqa: S311
    house = random.choice([constraint.cells for _, constraint in HOUSES])
    cells = random.sample(house, random.randint(2, 4))
    order = random.sample([*cells, *range(-1, -random.randint(1, 2) - 1, -1)], len(cells) + 1)
    edges = frozenset((random.randrange(3), random.randrange(5), random.randrange(3)) for _ in range(random.randint(10, 30)))
    reader = Automaton(tuple(order), 0, edges, frozenset({random.randrange(3)}))
    ends = [(one, other) for one in (0, 1) for other in (0, 1)]
    wanted = [grid for grid in GRIDS if any(reader.holds((*grid, *end)) for end in ends)]
    assert found(model_with([reader])) == wanted


def grouped_sum(random: Random) -> Model:
    """A sum over groups of different cells with factors of their own, each cell with a few values, as some filling has it."""
    sizes = random.choice(((3, 2, 1), (4, 2), (3, 3), (2, 2, 2), (5, 1), (4, 1, 1)))
    groups, first = [], 0
    for size in sizes:
        groups.append(tuple(range(first, first + size)))
        first += size
    domains = [to_mask(random.sample(range(1, 8), random.randint(1, 4))) for _ in range(first)]
    terms = tuple((cell, factor) for cells in groups for factor in (random.choice((1, 1, 2, -1)),) for cell in cells)
    total = sum(random.choice(members(domains[cell])) * factor for cell, factor in terms)
    different = [("group", AllDifferent(cells)) for cells in groups if len(cells) > 1]
    return build_model(domains, [("groups", [*different, ("sum", Linear(terms, "==", total))])])


def test_sums_over_groups_lose_no_solution() -> None:
    """However many cells of a group are open, its possible sets are those of some filling."""
    random = Random(5)  # noqa: S311
    answers = 0
    for _ in range(150):
        model = grouped_sum(random)
        wanted = sorted(filter(model.holds, product(*map(members, model.domains))))
        assert found(model) == wanted, model
        answers += len(wanted)
    assert answers > 500


def test_sums_of_few_open_cells_need_no_guess_twice() -> None:
    """Each open cell keeps just the values with which the others make the total, so that no guess leads to a contradiction."""
    random = Random(7)  # noqa: S311
    answers = 0
    for _ in range(200):
        pairs = [[0, 1], [2, 3], [4]] if random.random() < 0.5 else [[0, 1], [2], [3]]
        domains = [to_mask(random.sample(range(10), random.randint(2, 5))) for group in pairs for _ in group]
        factors = {cell: factor for group in pairs for factor in (random.choice((1, -1)),) for cell in group}
        total = sum(random.choice(members(domains[cell])) * factor for cell, factor in factors.items())
        different = [("pair", AllDifferent(tuple(group))) for group in pairs if len(group) > 1]
        model = build_model(domains, [("all", [*different, ("sum", Linear(tuple(factors.items()), "==", total))])])
        session = CompiledSession(model)
        solutions = sorted(session.solutions())
        assert solutions == sorted(filter(model.holds, product(*map(members, model.domains)))), model
        assert session.counters()["backtracks"] <= (not solutions), model
        answers += len(solutions)
    assert answers > 1000


@pytest.mark.parametrize("nodes", [1, 2, 5, 17])
def test_what_a_limit_left_is_told_as_parts(nodes: int) -> None:
    """After a limit the solutions found and those of the unsearched parts are all solutions, each once."""
    cases = [case for case in random_cases(tuple(MAKERS), 3, AUXILIARIES) if len(case.solutions) > 1][:8]
    for case in (*cases, small_board()):
        session, given = CompiledSession(case.model), []
        with pytest.raises(LimitReached) if case is small_board() else _either():
            given.extend(session.solutions(limits=Limits(nodes=nodes)))
            assert session.unsearched() == []
        for part in session.unsearched():
            given += CompiledSession(case.model).solutions(part)
        assert sorted(given) == sorted(case.solutions)


class _either:  # noqa: N801  # named as it reads in a with statement: a limit may come or not
    def __enter__(self) -> None: ...
    def __exit__(self, kind: object, *rest: object) -> bool:
        return kind is LimitReached


@pytest.mark.parametrize("ties", TIES)
def test_flags_are_decided_first(ties: str) -> None:
    """Which lines rank below a clue is decided before any cell; solutions and unsearched parts are still all, each once."""
    grid = Grid.square(4)
    random = Random(ties)  # noqa: S311
    lines = [reading for line in grid.lines for reading in (line, line[::-1])]
    guessed = 0
    for _ in range(10):
        values = random.choice(sorted(small_board().solutions))
        clues = [FullRank(line, rank, ties) for line in random.sample(lines, 2) for rank in range(1, 17)]
        rules = [rule for rule in clues if rule.holds(grid, values)]
        wanted = sorted(one for one in small_board().solutions if all(rule.holds(grid, one) for rule in rules))
        model = Puzzle(grid, (Houses(), *rules)).model()
        assert sorted(CompiledSession(model).solutions()) == wanted
        for nodes in (2, 5):
            session, given = CompiledSession(model), []
            with suppress(LimitReached):
                given.extend(session.solutions(limits=Limits(nodes=nodes)))
            parts = session.unsearched()
            guessed += any(part.get(cell, 0b11) != 0b11 for part in parts for cell in range(model.board, len(model.domains)))
            for part in parts:
                given += CompiledSession(model).solutions(part)
            assert sorted(given) == wanted
    assert guessed


@pytest.mark.parametrize("length", [1, 2])
def test_prefixes_that_the_rest_determines(length: int) -> None:
    """Of random automata it is known whether some rest is accepted after two different beginnings."""
    random, known = Random(length), set()  # noqa: S311
    for _ in range(300):
        count = random.randint(3, 7)
        edges = frozenset(
            (random.randrange(count), random.randrange(3), random.randrange(count)) for _ in range(random.randint(4, 14))
        )
        accepting = frozenset(random.sample(range(count), random.randint(1, 2)))
        rests: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
        for size in range(5):
            for rest in product(range(3), repeat=size):
                rests[rest] = {
                    first
                    for first in product((0, 1), repeat=length)
                    if Automaton(tuple(range(length + size)), 0, edges, accepting).holds(first + rest)
                }
        found = constraint_tables.has_disjoint_prefixes(0, edges, accepting, length)
        short = all(len(own) < 2 for own in rests.values())
        assert short or not found  # a rest that shows it may be longer than these
        known.add((found, short))
    assert {(True, True), (False, False)} <= known


def test_a_session_makes_its_arrays_once() -> None:
    """A second question does not make the arrays again."""
    session = CompiledSession(small_board().model)
    list(islice(session.solutions(), 1))
    arrays = session._arrays
    assert len(list(session.solutions({0: 0b10}))) == 72
    assert session._arrays is arrays


def test_counters_count() -> None:
    """An empty board takes nodes, depth and propagation; one without values takes none."""
    session = CompiledSession(empty_board(9))
    next(session.solutions())
    counts = session.counters()
    assert min(counts[name] for name in ("nodes", "depth", "propagations")) > 10
    assert list(session.solutions({0: 0})) == []
    assert session.counters()["propagations"] == 0


def test_a_search_without_propagators_pauses_too() -> None:
    """Cells that only differ from others wake no propagator: a search of nothing else stops when it is told to."""
    with pytest.raises(LimitReached, match="cancelled"):
        list(CompiledSession(pigeons()).solutions(limits=Limits(cancel=Impatient(5))))


def test_a_deep_search_gets_more_room() -> None:
    """The stack grows with the board: 625 cells are decided one after the other."""
    session = CompiledSession(empty_board(25))
    assert empty_board(25).holds(next(session.solutions()))
    assert session.counters()["depth"] > 64


def test_a_limit_may_come_while_a_stack_gets_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is checked for every piece that is copied, and a search that stops there goes on as if nothing had happened."""
    monkeypatch.setattr(compiled_session, "DEEP", 2)
    monkeypatch.setattr(compiled_session, "COPIED", 8)
    session, grids = CompiledSession(small_board().model), []
    impatient = (Impatient(patience) for patience in count(2))
    search = session.solutions(limits=Limits(cancel=next(impatient)))
    while len(grids) < len(GRIDS):
        with _either():
            grids += search
        search = session.resume(Limits(cancel=next(impatient)).started())
    assert sorted(grids) == GRIDS
    asked = []
    for pieces in (8, 1 << 18):
        monkeypatch.setattr(compiled_session, "COPIED", pieces)
        patient = Impatient(10**6)
        list(CompiledSession(small_board().model).solutions(limits=Limits(cancel=patient)))
        asked.append(patient.asked)
    assert asked[0] - asked[1] >= 2 * 16 // 8 - 1


def test_sums_that_are_too_large_are_refused() -> None:
    """Factors that no machine word holds are refused in words, not answered wrongly."""
    model = build_model([0b110] * 3, [("large", [("sum", Linear(((0, 10**30), (1, -1), (2, 1)), "==", 7))])])
    with pytest.raises(Unsupported, match="machine words"):
        list(CompiledSession(model).solutions())


@pytest.mark.parametrize("total", [10**30, -(10**30), 3])
@pytest.mark.parametrize("relation", ["==", "!=", "<=", ">="])
def test_totals_out_of_reach(total: int, relation: str) -> None:
    """A total of any size is compared correctly."""
    model = build_model([0b110] * 3, [("sum", [("sum", Linear(((0, 1), (1, 1), (2, 1)), relation, total))])])
    everything = [(one, two, three) for one in (1, 2) for two in (1, 2) for three in (1, 2)]
    assert found(model) == [values for values in everything if model.holds(values)]


def test_values_up_to_61() -> None:
    """The largest values work like any others, in every constraint."""
    top = [59, 60, 61]
    parts: list[Constraint] = [
        AllDifferent((0, 1, 2)),
        Linear(((0, 1), (1, 1), (3, -1)), "==", 60),
        Table((0, 3), frozenset({(60, 61), (59, 60), (59, 59)})),
        Count((0, 1, 2, 3), frozenset({61}), ">=", 1),
    ]
    model = build_model([to_mask(top)] * 4, [("top", [("part", part) for part in parts])])
    wanted = [(a, b, c, d) for a in top for b in top for c in top for d in top if all(part.holds((a, b, c, d)) for part in parts)]
    assert wanted
    assert found(model) == wanted


NOTHING_SAID = [
    AllDifferent(()),
    DigitSet((), frozenset({0})),
    DigitSet((), frozenset()),
    Linear(((0, 2), (0, -2)), "==", 0),
    Linear(((0, 2), (0, -2)), "!=", 0),
    Linear((), ">=", 1),
    Table((), frozenset({()})),
    Table((), frozenset()),
    Automaton((), 0, frozenset(), frozenset({0})),
    Automaton((), 0, frozenset(), frozenset()),
    Clause(()),
    Count((), frozenset({1}), "<=", 0),
    Count((), frozenset({1}), "==", 1),
]
ONE_CELL = [
    AllDifferent((0,)),
    AllDifferent((0, 0)),
    DigitSet((0,), frozenset({0b10, 0b1000, 0b110})),
    DigitSet((0, 0), frozenset({0b10})),
    Linear(((0, 2), (0, 1)), "<=", 6),
    Linear(((0, -1),), "!=", -3),
    Linear(((0, 2), (1, 3), (1, -3)), "==", 4),
    Table((0,), frozenset({(1,), (4,)})),
    Automaton((0,), 0, frozenset({(0, 2, 1), (0, 3, 2)}), frozenset({1})),
    Automaton((0, 0), 0, frozenset({(0, 2, 1), (1, 2, 1), (1, 3, 1)}), frozenset({1})),
    Clause((Literal(0, 1), Literal(0, 3, equal=False))),
    Clause((Literal(0, 99), Literal(0, -1, equal=False), Literal(0, 99, equal=False))),
    Count((0, 0), frozenset({1, 70}), "==", 2),
    Count((0,), frozenset({1, 2}), "!=", 1),
]


@pytest.mark.parametrize("constraint", NOTHING_SAID + ONE_CELL, ids=str)
def test_constraints_of_no_cell_or_one(constraint: Constraint) -> None:
    """A constraint of no cell is true or false, one of a single cell is a set of values, however often it names it."""
    model = Model((0b11110, 0b11110), (Statement(constraint, "rule", "part"),), 2)
    wanted = [(one, other) for one in VALUES for other in VALUES if constraint.holds((one, other))]
    assert found(model) == wanted


# --- shapes -----------------------------------------------------------------------------------------------------------


WIDE = (1 << 62) - 2


def accepted(graph: constraint_tables.LayeredGraph | None, domains: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the words along the paths of a graph, read in the simplest way."""
    if graph is None:
        return set()
    paths = {(): {constraint_tables.FIRST}}
    for layer, domain in enumerate(domains):
        longer: dict[tuple[int, ...], set[int]] = {}
        for word, states in paths.items():
            for arc in range(graph.starts[layer], graph.starts[layer + 1]):
                if graph.sources[arc] in states:
                    for value in members(int(graph.labels[arc]) & domain):
                        longer.setdefault((*word, value), set()).add(int(graph.targets[arc]))
        paths = longer
    return {word for word, states in paths.items() if constraint_tables.LAST in states}


@pytest.mark.parametrize("seed", range(60))
def test_graphs_of_automata_and_tables(seed: int) -> None:
    """A graph has exactly the words that its automaton or table accepts; there is no graph if it accepts none."""
    random = Random(seed)  # noqa: S311
    domains = tuple(to_mask(random.sample(range(6), random.randint(1, 5))) for _ in range(random.randint(1, 4)))
    words = [*product(*map(members, domains))]
    edges = frozenset((random.randrange(4), random.randrange(7), random.randrange(4)) for _ in range(random.randint(0, 40)))
    automaton = Automaton(tuple(range(len(domains))), random.randrange(4), edges, frozenset(random.sample(range(5), 2)))
    graph = constraint_tables.automaton_graph(automaton.start, edges, automaton.accepting, domains)
    wanted = {word for word in words if automaton.holds(word)}
    assert accepted(graph, domains) == wanted
    assert (graph is None) == (not wanted)
    distinct = tuple(random.random() < 0.7 for _ in domains)
    of_distinct = constraint_tables.automaton_graph(automaton.start, edges, automaton.accepting, domains, distinct)
    read = {word: [value for value, own in zip(word, distinct, strict=True) if own] for word in wanted}
    assert accepted(of_distinct, domains) == {word for word, values in read.items() if len(set(values)) == len(values)}
    table = Table(automaton.cells, frozenset(random.sample(words, random.randint(0, len(words)))))
    assert accepted(constraint_tables.table_graph(table.tuples, domains), domains) == set(table.tuples)


def test_a_graph_of_distinct_cells_may_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where remembering the values read takes too many arcs, the graph also has words that repeat one."""
    edges = frozenset((0, value, 0) for value in range(1, 6))
    monkeypatch.setattr(constraint_tables, "MOST_ARCS", 19)  # after one value there are 5 states, of 4 arcs each
    graph = constraint_tables.automaton_graph(0, edges, frozenset({0}), (0b111110,) * 3, (True,) * 3)
    assert len(accepted(graph, (0b111110,) * 3)) == 5**3


def test_states_with_the_same_way_on_are_one() -> None:
    """A table of everything needs a single state between two cells."""
    every = frozenset(product(range(1, 5), repeat=3))
    assert constraint_tables.table_graph(every, (0b11110,) * 3).states == 4
    assert len(constraint_tables.table_graph(every, (0b11110,) * 3).labels) == 3


@pytest.mark.parametrize(("values", "size"), [(WIDE, 8), (0b1111111110, 2), (1 << 61 | 1, 8)])
def test_tables_of_pairs(values: int, size: int) -> None:
    """Byte by byte a table says which partners a domain leaves, in both directions."""
    pairs = constraint_tables.sum_pairs(1, -1, ">=", 3, values)
    table = constraint_tables.pair_table(pairs, size).reshape(2, size, 256)
    random = Random(size)  # noqa: S311
    for _ in range(20):
        domain = random.getrandbits(62) & values
        for side in (0, 1):
            found = 0
            for place in range(size):
                found |= int(table[side, place, domain >> 8 * place & 255])
            assert found == to_mask({pair[1 - side] for pair in pairs if domain >> pair[side] & 1})


@pytest.mark.parametrize("factor", [1, -1, 3])
def test_sets_by_what_they_add(factor: int) -> None:
    """All sets of a size come in order of their sums, counted from the least."""
    masks, amounts, least = constraint_tables.sums_of_sets(0b1111111110, 3, factor)
    assert len(masks) == len(set(masks.tolist())) == 84
    assert amounts.tolist() == sorted(amounts.tolist())
    assert amounts[0] == 0
    told = [factor * sum(members(mask)) - least for mask in masks.tolist()]
    assert told == amounts.tolist()


def test_too_many_sets() -> None:
    """With too many sets, or none at all, there is no table of sums."""
    assert constraint_tables.sums_of_sets(WIDE, 8, 1) is None
    assert constraint_tables.sums_of_sets(0b110, 3, 1) is None


def test_sets_of_another_size_are_no_sets() -> None:
    """Only the sets of as many values as there are cells count."""
    assert constraint_tables.set_masks(frozenset({0b110, 0b1110, 0b1010, 1 << 70 | 1}), 2).tolist() == [0b110, 0b1010]


def test_the_same_shape_costs_nothing() -> None:
    """Two automata that differ only in their cells share one graph, within a model and between models."""
    edges = frozenset({(0, 1, 1), (1, 2, 0)})
    parts = [("line", Automaton(cells, 0, edges, frozenset({0}))) for cells in ((0, 1), (2, 3), (3, 4))]
    model = build_model([0b110] * 5, [("lines", parts)])
    graph = constraint_tables.automaton_graph(0, edges, frozenset({0}), (0b110, 0b110))
    assert len(model_arrays.make_arrays(model).arrays["labels"]) == len(graph.labels) == 2
    assert constraint_tables.automaton_graph(0, frozenset(set(edges)), frozenset({0}), (0b110, 0b110)) is graph


def test_constraints_are_numbered_from_the_quickest() -> None:
    """Kinds are in the order in which propagators are run, and each watcher of a cell is a constraint that has it."""
    parts = [("sum", Linear(((0, 1), (1, 1), (2, -1)), "==", 1)), ("line", Table((0, 1), frozenset({(1, 2), (2, 2), (1, 1)})))]
    made = model_arrays.make_arrays(build_model([0b1110] * 3, [("rule", parts)])).arrays
    assert made["kinds"].tolist() == sorted(made["kinds"].tolist())
    assert {KINDS[kind] for kind in made["kinds"]} >= {"relation", "bounds"}
    for cell in range(3):
        for number in watching(made, "watch", cell):
            assert cell in made["cells"][made["cell_starts"][number] : made["cell_starts"][number + 1]]
    assert made["rows"].dtype == np.uint64


def watching(made: dict[str, np.ndarray], when: str, cell: int) -> list[int]:
    """The constraints that watch a cell, for every change or (late) for its being decided."""
    places = range(made[f"{when}_starts"][cell], made[f"{when}_starts"][cell + 1])
    return [64 * int(made[f"{when}_words"][at]) + number for at in places for number in members(int(made[f"{when}_bits"][at]))]


def test_what_only_a_decision_makes_false_watches_late() -> None:
    """A clause watches the cell that is not to hold a value only for its decision, and the others for every change."""
    clause = Clause((Literal(0, 1, equal=False), Literal(1, 2), Literal(2, 3)))
    made = model_arrays.make_arrays(build_model([0b1110] * 3, [("rule", [("part", clause)])])).arrays
    assert [watching(made, "watch", cell) for cell in range(3)] == [[], [0], [0]]
    assert [watching(made, "late", cell) for cell in range(3)] == [[0], [], []]


def test_the_cache_directory_depends_on_the_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """A change in any file of the kernel, or another processor, leads to another directory: old code can never run."""
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path))
    sources = kernel_loading.KERNEL_SOURCES
    copy = tmp_path / "kernel"
    copy.mkdir()
    for file in sources.glob("*.py"):
        shutil.copy2(file, copy)
    monkeypatch.setattr(kernel_loading, "KERNEL_SOURCES", copy)
    directories = {kernel_loading.kernel_cache_dir()}
    for file in copy.glob("*.py"):
        times, text = file.stat(), file.read_text(encoding="utf-8")
        file.write_text(text + "#", encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        directories.add(kernel_loading.kernel_cache_dir())
        file.write_text(text, encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    monkeypatch.setattr(compile_cache, "_processor", lambda: "another")
    directories.add(kernel_loading.kernel_cache_dir())
    assert len(directories) == 2 + len([*copy.glob("*.py")])
    assert None not in directories
