"""A model as the arrays that the kernel works on: constraints in the order of their propagators, with cells and parameters.

Data that depend on the shape of a constraint and not on its cells (sets of a sum, tables, graphs) are made once for all models.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.backends.native import constraint_tables
from sudoku_cp.backends.native.kernel import connections, fixpoint, layered_graphs, regions, sum_bounds
from sudoku_cp.backends.native.kernel.sum_bounds import ENDLESS
from sudoku_cp.backends.native.strips import Strip, strip_automata
from sudoku_cp.errors import Unsupported
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Count,
    DigitSet,
    Linear,
    Partition,
    Table,
    members,
    strengthen_model,
)
from sudoku_cp.model.cliques import CellSet, cell_set, clique_cover, clique_terms, different_cells, is_clique
from sudoku_cp.model.model import IMPLIED, union_of
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint, Domain, Model, Statement


VALUES = (1 << 62) - 1
"""All values that a cell can have, as bits."""
PAIR = 2
WATCH, LATE, ENDS = (tuple(f"{when}_{part}" for part in ("starts", "words", "bits")) for when in ("watch", "late", "ends"))
"""The names of the arrays of watchers: of every change of a cell, only of its decision, only of its least and greatest values."""
LARGE = 1 << 38
"""The largest sum supported with machine words."""
LABEL_WEIGHT = 3.0
"""The factor of the first weights of labels of regions to be found. A search that decides values first settles little: the same
puzzle then takes a thousand failures or a million."""


@dataclass(frozen=True)
class ModelArrays:
    """A model's arrays, by the names of `memory.Addresses`, and its sizes."""

    arrays: dict[str, NDArray[Any]]
    sizes: dict[str, int]
    domains: NDArray[np.uint64]
    weights: NDArray[np.float64]
    longest: int
    groups: int
    widest: int
    remembered: int
    areas: int
    seen_labels: int
    flags: tuple[Cell, ...]


def make_arrays(model: Model, tick: Callable[[], object] = int) -> ModelArrays | None:
    """Return the arrays of a model, None if it obviously has no solution.

    ``tick`` is called now and then, and may raise an exception to give up.
    """
    with ticking(tick):
        return _build_arrays(strengthen_model(model))


def _build_arrays(strong: Model) -> ModelArrays | None:
    builder = _ArrayBuilder(strong)
    strips = [*strip_automata(strong.constraints, builder.differ, strong.domains)]
    for statement in ticked(strong.statements, every=16):
        if not _is_left_to_strips(statement, strips):
            _ADD[type(statement.constraint)](builder, statement.constraint)
    for strip in strips:
        builder.strip(strip)
    return None if builder.impossible or not all(builder.domains) else builder.to_arrays()


def _is_left_to_strips(statement: Statement, strips: Sequence[Strip]) -> bool:
    """Return whether a statement is an implied count of a square in a strip, whose automaton knows it."""
    match statement:
        case (Count(cells), rule, _) if strips and rule == IMPLIED:
            own = cell_set(cells)
            return any(not own & ~strip.cells for strip in strips)
        case _:
            return False


class _ArrayBuilder:
    """Collects the constraints of a model by their propagators."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.domains = list(model.domains)
        self.full = union_of(range(model.board), model.domains)
        self.impossible = False
        self.differ = different_cells(model)
        self.conflicts: dict[int, list[CellSet]] = {}
        self.cells: list[list[Sequence[Cell]]] = [[] for _ in fixpoint.KINDS]
        self.parameters: list[list[Sequence[int]]] = [[] for _ in fixpoint.KINDS]
        self.house_values: list[Domain] = []
        self.splits: dict[Domain, None] = {}
        self.splits_first = False
        self.masks = SharedArrays()
        self.tables = SharedArrays()
        self.arcs = SharedArrays()
        self.memories: dict[int, int] = {}
        self.groups = 2
        self.longest = self.widest = 1
        self.areas = self.seen_labels = 0
        self.labels: list[Cell] = []
        self.counted = _counted_auxiliaries(model)
        self.flags: dict[Cell, None] = {}
        self.table_bytes = max(model.domains, default=0).bit_length() + 7 >> 3

    def _add_constant(self, constraint: Constraint) -> None:
        """Add a constraint without cells: if it is false, the model has no solution."""
        self.impossible |= not constraint.holds(())

    def _add_propagator(self, kind: int, cells: Sequence[Cell], parameters: Sequence[int] = ()) -> None:
        self.cells[kind].append(cells)
        self.parameters[kind].append(parameters)

    def _narrow(self, constraint: Constraint, cell: Cell) -> None:
        """Apply a constraint on a single cell to its domain."""
        filled = [0] * (cell + 1)
        kept = 0
        for value in members(self.domains[cell]):
            filled[cell] = value
            kept |= constraint.holds(filled) << value
        self.domains[cell] = kept

    def _union(self, cells: Sequence[Cell]) -> Domain:
        union = 0
        for cell in cells:
            union |= self.model.domains[cell]
        return union

    # --- one method for each kind of constraint -----------------------------------------------------------------

    def all_different(self, constraint: AllDifferent) -> None:
        """Add cells that differ: two are only neighbours, more also get propagators of their own."""
        cells = constraint.cells
        if len(set(cells)) < len(cells):
            self.impossible = True
        elif len(cells) > PAIR:
            values = self._union(cells)
            if values.bit_count() == len(cells) and max(cells) < self.model.board:
                self._add_propagator(fixpoint.HOUSE, cells)
                self.house_values.append(values)
            else:
                self._add_propagator(fixpoint.DIFFERENT, cells)
                self._add_propagator(fixpoint.EXCLUSION, cells)

    def digit_set(self, constraint: DigitSet) -> None:
        """Add a digit set, with those of its sets that have as many values as there are cells."""
        cells = constraint.cells
        if len(set(cells)) < len(cells) or not cells:
            self.impossible |= bool(cells) or 0 not in constraint.sets
            return
        masks = constraint_tables.set_masks(constraint.sets, len(cells))
        first = self.masks.place(masks, masks, np.zeros(len(masks), np.int64))
        self._add_propagator(fixpoint.DIGIT_SET, cells, (first, first + len(masks)))

    def linear(self, constraint: Linear) -> None:
        """Add a sum: of two cells as a relation, of more by the bounds and the sets of groups of cells that differ."""
        factors: dict[Cell, int] = {}
        for cell, factor in constraint.terms:
            factors[cell] = factors.get(cell, 0) + factor
        terms = [(cell, factor) for cell, factor in factors.items() if factor]
        total = constraint.total
        if not terms:
            self._add_constant(Linear((), constraint.relation, total))
            return
        if sum(map(abs, factors.values())) * WORD > LARGE:
            raise Unsupported(
                f"expected factors whose sum is at most {LARGE // WORD} for machine words, got {constraint.terms!r:.200}"
            )
        total = min(max(total, -LARGE), LARGE)
        if len(terms) == 1:
            self._narrow(Linear(tuple(terms), constraint.relation, total), terms[0][0])
        elif len(terms) == PAIR:
            (one, factor), (other, opposite) = terms
            span = self._union((one, other))
            self._add_relation(one, other, constraint_tables.sum_pairs(factor, opposite, constraint.relation, total, span))
        elif constraint.relation == "!=":
            self._add_propagator(fixpoint.UNEQUAL, [cell for cell, _ in terms], (total, *(factor for _, factor in terms)))
        else:
            self._add_bounds(clique_terms(terms, self.differ), constraint.relation, total)

    def _add_bounds(self, parts: Sequence[tuple[int, Sequence[Cell]]], relation: str, total: int) -> None:
        cells = [cell for _, own in parts for cell in own]
        low = -ENDLESS if relation == "<=" else total
        high = ENDLESS if relation == ">=" else total
        about = chain.from_iterable((factor, len(own)) for factor, own in parts)
        self._add_propagator(fixpoint.BOUNDS, cells, (low, high, len(parts), *about))
        self.groups = max(self.groups, len(parts))
        if relation == "==" and 1 < len(parts) <= sum_bounds.GROUPS:
            self._add_set_sums(parts, cells, total)

    def _add_set_sums(self, parts: Sequence[tuple[int, Sequence[Cell]]], cells: Sequence[Cell], total: int) -> None:
        """Add the sets that each group may take, unless there are too many of them."""
        parameters: list[int] = []
        amount = 0
        for factor, own in parts:
            sums = constraint_tables.sums_of_sets(self._union(own), len(own), factor)
            if sums is None:
                return
            masks, amounts, least = sums
            first = self.masks.place(amounts, masks, amounts)
            parameters += (factor, len(own), least, first, first + len(masks))
            total -= least
            amount += len(masks)
        if 0 <= total < sum_bounds.WORDS * WORD and amount <= constraint_tables.KEPT:
            self._add_propagator(fixpoint.SET_SUMS, cells, (total, len(parts), total // WORD + 1, *parameters))

    def table(self, constraint: Table) -> None:
        """Add a table: of two cells as a relation, of more as a graph."""
        cells, tuples = constraint.cells, constraint.tuples
        if not cells:
            self._add_constant(constraint)
        elif len(cells) == PAIR and cells[0] != cells[1]:
            self._add_relation(cells[0], cells[1], tuples)
        else:
            self._add_graph(cells, constraint_tables.table_graph(tuples, tuple(self.model.domains[cell] for cell in cells)))

    def _add_relation(self, one: Cell, other: Cell, pairs: frozenset[tuple[int, ...]]) -> None:
        table = constraint_tables.pair_table(pairs, self.table_bytes)
        self._add_propagator(fixpoint.RELATION, (one, other), (self.tables.place(table, table), self.table_bytes))

    def automaton(self, constraint: Automaton) -> None:
        """Add an automaton as a graph, shared by all automata that differ only in their cells."""
        if not constraint.cells:
            self._add_constant(constraint)
            return
        cells = constraint.cells
        # Cells of the board are taken to have all values: an automaton then has one graph wherever it stands, made once.
        domains = tuple([self.full if cell < self.model.board else self.model.domains[cell] for cell in cells])
        distinct = self._distinct(cells)
        graph = constraint_tables.automaton_graph(constraint.start, constraint.edges, constraint.accepting, domains, distinct)
        self._add_graph(cells, graph)
        flags = [*takewhile(self.counted.__contains__, cells)]
        if flags and constraint_tables.has_disjoint_prefixes(
            constraint.start, constraint.edges, constraint.accepting, len(flags)
        ):
            self.flags |= dict.fromkeys(flags)

    def strip(self, strip: Strip) -> None:
        """Add a strip of squares. It distinguishes only kinds of values, so cells are decided between these first."""
        self.automaton(strip.automaton)
        self.splits |= dict.fromkeys(map(constraint_tables.wanted, sorted(strip.kinds, key=sorted)))
        self.splits_first = True

    def _distinct(self, cells: Sequence[Cell]) -> tuple[bool, ...]:
        """Say of each cell whether it is one of several, of the board, that all differ: none if some of them do not."""
        on_board = [cell for cell in cells if cell < self.model.board]
        if len(set(on_board)) < len(on_board) or not is_clique(cell_set(on_board), self.differ):
            return ()
        return tuple([cell < self.model.board for cell in cells])

    def _add_graph(self, cells: Sequence[Cell], graph: constraint_tables.LayeredGraph | None) -> None:
        if graph is None:
            self.impossible = True
            return
        self.longest = max(self.longest, len(graph.labels))
        place = self.arcs.place(graph.labels, *graph.arcs)
        memory = self.memories.setdefault(place, 2 * layered_graphs.REMEMBERED * len(self.memories)) if graph.kinds else 0
        self._add_propagator(fixpoint.WALK, cells, (place, memory, len(graph.kinds), *graph.kinds))

    def clause(self, constraint: Clause) -> None:
        """Add a clause: for each cell, the values that make it true. That two of the board do not share a value is a conflict."""
        match constraint.literals:
            case ((one, value, False), (other, same, False)) if (
                one != other and value == same and max(one, other) < self.model.board and 0 <= value < WORD
            ):
                conflicts = self.conflicts.setdefault(value, list(self.differ))
                conflicts[one] |= 1 << other
                conflicts[other] |= 1 << one
                return
            case _:
                pass
        wanted: dict[Cell, Domain] = {}
        for cell, value, equal in constraint.literals:
            own = 1 << value & VALUES if 0 <= value < WORD else 0
            wanted[cell] = wanted.get(cell, 0) | (own if equal else VALUES & ~own)
        self.impossible |= not wanted
        self._add_propagator(fixpoint.CLAUSE, tuple(wanted), tuple(wanted.values()))

    def count(self, constraint: Count) -> None:
        """Add a count: of a single value over groups that differ, otherwise over single cells."""
        cells, most = constraint.cells, len(constraint.cells)
        if not cells:
            self._add_constant(constraint)
            return
        wanted = constraint_tables.wanted(constraint.values)
        number = min(max(constraint.number, -1), most + 1)
        low, high, but = _AMOUNTS[constraint.relation](number, most)
        if wanted & (wanted - 1) == 0 and len(set(cells)) == most:
            parts = clique_cover(cells, self.differ)
        else:
            parts = [(cell,) for cell in cells]
        grouped = [cell for part in parts for cell in part]
        self._add_propagator(fixpoint.COUNT, grouped, (wanted, low, high, but, len(parts), *map(len, parts)))

    def connected(self, constraint: Connected) -> None:
        """Add connected cells, with as many as houses and counts say there are at least."""
        cells = constraint.cells
        if not cells:
            self._add_constant(constraint)
            return
        wanted = constraint_tables.wanted(constraint.values)
        self.splits[wanted] = None
        starts = starts_of(constraint.beside).tolist()
        about = (wanted, self._least(constraint, wanted), self.areas)
        self.widest = max(self.widest, len(cells))
        self.areas += 1 + len(cells)
        self._add_propagator(fixpoint.CONNECTED, cells, (*about, *starts, *chain.from_iterable(constraint.beside)))

    def partition(self, constraint: Partition) -> None:
        """Add regions to be found."""
        cells, labels, size = constraint.cells, constraint.labels, constraint.size
        number, count = len(cells), len(cells) // size
        if number % size or constraint.first < 0 or constraint.first + count > VALUES.bit_length():
            self.impossible = True
            return
        for label in labels:
            self.domains[label] &= (1 << count) - 1 << constraint.first
        about = (number, size, constraint.first, count, self.seen_labels)
        self.seen_labels += number + 1
        self.labels += labels
        self.widest = max(self.widest, -(-(2 * regions.MOST + regions.ROWS * number + 1) // connections.ROWS))
        starts = starts_of(constraint.beside).tolist()
        self._add_propagator(fixpoint.REGIONS, cells + labels, (*about, *starts, *chain.from_iterable(constraint.beside)))

    def _least(self, connected: Connected, wanted: Domain) -> int:
        """Return how many of the connected cells hold a wanted value at least: a house without spare values has all of them."""
        least, counted, left = 1, 0, cell_set(connected.cells)
        for constraint in self.model.constraints:
            match constraint:
                case AllDifferent(cells) if not cell_set(cells) & ~left and self._union(cells).bit_count() == len(cells):
                    counted += (self._union(cells) & wanted).bit_count()
                    left &= ~cell_set(cells)
                case Count(cells, values, "==" | ">=", number) if (cells, values) == (connected.cells, connected.values):
                    least = max(least, number)
        return max(least, counted)

    # --- the arrays ---------------------------------------------------------------------------------------------

    def to_arrays(self) -> ModelArrays:
        """Return the arrays of all that has been added."""
        size, counts = len(self.domains), [len(own) for own in self.cells]
        cells = concatenate(chain.from_iterable(self.cells), np.int32)
        parameters = concatenate(chain.from_iterable(self.parameters), np.int64)
        cell_starts = starts_of(chain.from_iterable(self.cells))
        parameter_starts = starts_of(chain.from_iterable(self.parameters))
        own_cells, owners = cells[: cell_starts[-1]], np.repeat(np.arange(sum(counts)), np.diff(cell_starts))
        arrays: dict[str, Any] = {
            "kinds": np.repeat(np.arange(len(counts), dtype=np.int32), counts),
            "cell_starts": cell_starts,
            "cells": cells,
            "parameter_starts": parameter_starts,
            "parameters": parameters,
            "house_values": np.array(self.house_values, np.uint64),
            "splits": np.array([*self.splits], np.uint64),
            "flags": np.array([*self.flags], np.int32),
            "tables": self.tables.array(0, np.uint64),
            "masks": self.masks.array(0, np.uint64),
            "amounts": self.masks.array(1, np.int64),
            "targets": self.arcs.array(0, np.int32),
            "labels": self.arcs.array(1, np.uint64),
            "degrees": self.arcs.array(2, np.int32),
        }
        late = self._watches_decisions(own_cells, cell_starts, parameters, parameter_starts)
        arrays |= self._watchers(own_cells, owners, late, self._span(fixpoint.BOUNDS, cell_starts))
        arrays |= self._neighbours(size)
        houses = self._span(fixpoint.HOUSE, cell_starts)
        arrays |= house_arrays(own_cells[houses], owners[houses], size)
        return ModelArrays(
            arrays,
            self._sizes(counts),
            np.array(self.domains, np.uint64),
            _starting_weights(own_cells, own_cells[houses], size, self.labels),
            self.longest,
            self.groups,
            self.widest,
            len(self.memories),
            self.areas,
            self.seen_labels,
            tuple(self.flags),
        )

    def _watchers(self, cells: NDArray[Any], owners: NDArray[Any], late: NDArray[np.bool_], bounded: slice) -> dict[str, Any]:
        """Return which constraints watch a cell for anything, for its decision alone, and for its ends alone."""
        eager, found = ~late, dict[str, Any]()
        eager[bounded] = False
        for names, own in ((WATCH, eager), (LATE, late), (ENDS, bounded)):
            found |= dict(zip(names, watcher_arrays(cells[own], owners[own], len(self.domains)), strict=True))
        return found

    def _sizes(self, counts: Sequence[int]) -> dict[str, int]:
        size = len(self.domains)
        words, values = -(-size // WORD), max(1, max(self.domains, default=0).bit_length())
        return {
            "size": size,
            "board": self.model.board,
            "constraints": sum(counts),
            "words": words,
            "state_size": size + values * words,
            "house_count": counts[fixpoint.HOUSE],
            "first_house": sum(counts[: fixpoint.HOUSE]),
            "split_count": len(self.splits),
            "splits_first": int(self.splits_first),
            "flag_count": len(self.flags),
        }

    def _neighbours(self, size: int) -> dict[str, Any]:
        """Return the rows of cells that differ, those of each value that has conflicts, and where those of each value start."""
        first_rows = np.zeros(WORD, np.int64)
        first_rows[[*self.conflicts]] = range(size, size * (len(self.conflicts) + 1), size)
        return {"first_rows": first_rows, "rows": neighbour_rows(size, tuple(chain(self.differ, *self.conflicts.values())))}

    def _span(self, kind: int, starts: NDArray[np.int32]) -> slice:
        """Return where the cells (or parameters) of all constraints of a kind lie."""
        first = sum(map(len, self.cells[:kind]))
        return slice(starts[first], starts[first + len(self.cells[kind])])

    def _watches_decisions(
        self,
        cells: NDArray[np.int32],
        cell_starts: NDArray[np.int32],
        parameters: NDArray[np.int64],
        parameter_starts: NDArray[np.int32],
    ) -> NDArray[np.bool_]:
        """Return for each cell of each constraint whether the constraint has to be run only once the cell is decided.

        Until then, "the cell does not hold this value" cannot become false.
        """
        late = np.zeros(len(cells), np.bool_)
        for kind in (fixpoint.CLAUSE, fixpoint.UNEQUAL):
            own = self._span(kind, cell_starts)
            if kind == fixpoint.CLAUSE:
                ruled_out = VALUES & ~parameters[self._span(kind, parameter_starts)]
                late[own] = ruled_out & (ruled_out - 1) == 0
            else:
                late[own] = True
        return late


def _counted_auxiliaries(model: Model) -> frozenset[Cell]:
    """Return the auxiliaries of which a certain number are 1."""
    counts = (one for one in model.constraints if isinstance(one, Count) and one.relation == "==" and one.values == {1})
    return frozenset(chain.from_iterable(one.cells for one in counts if min(one.cells, default=0) >= model.board))


def _starting_weights(
    cells: NDArray[np.int32], housed: NDArray[np.int32], size: int, labels: Sequence[Cell]
) -> NDArray[np.float64]:
    """Return the weights before any failure: 1, 2 for each constraint of a cell, and 4 for each house; labels are heavier."""
    weights = np.ones(size)
    weights += 2.0 * (np.bincount(cells, minlength=size) + np.bincount(housed, minlength=size))
    weights[labels] *= LABEL_WEIGHT
    return weights


_ADD: dict[type, Any] = {
    AllDifferent: _ArrayBuilder.all_different,
    DigitSet: _ArrayBuilder.digit_set,
    Linear: _ArrayBuilder.linear,
    Table: _ArrayBuilder.table,
    Automaton: _ArrayBuilder.automaton,
    Clause: _ArrayBuilder.clause,
    Count: _ArrayBuilder.count,
    Connected: _ArrayBuilder.connected,
    Partition: _ArrayBuilder.partition,
}
_AMOUNTS: dict[str, Any] = {
    "==": lambda number, most: (number, number, -1),  # noqa: ARG005
    "<=": lambda number, most: (0, number, -1),  # noqa: ARG005
    ">=": lambda number, most: (number, most, -1),
    "!=": lambda number, most: (0, most, number),
}


# Helpers that concatenate arrays, and invert the index from constraints to cells, in bulk.


WORD, BYTES = 64, 8
SINGLE = np.uint64(1) << np.arange(WORD, dtype=np.uint64)
"""For each bit, the word with only that bit set."""


class SharedArrays:
    """Arrays concatenated column by column, each of them once."""

    def __init__(self) -> None:
        """Start empty."""
        self._columns: list[tuple[NDArray[Any], ...]] = []
        self._places: dict[int, int] = {}
        self._end = 0

    def place(self, key: NDArray[Any], *columns: NDArray[Any]) -> int:
        """Return where the columns start; the same ``key`` array always means the same columns, which are added once."""
        found = self._places.get(id(key))
        if found is None:
            found = self._places[id(key)] = self._end
            self._columns.append(columns)
            self._end += len(columns[0])
        return found

    def array(self, column: int, kind: type) -> NDArray[Any]:
        """Return one of the columns as a whole."""
        return np.concatenate([own[column] for own in self._columns]) if self._columns else np.zeros(1, kind)


def concatenate(parts: Iterable[Sequence[int]], kind: type) -> NDArray[Any]:
    """Return all parts as one array; [0] if they are empty, so that it has an address."""
    return np.array(list(chain.from_iterable(parts)) or [0], kind)


def starts_of(parts: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    """Return where each part starts, and where the last one ends."""
    starts = np.array([0, *map(len, parts)], np.int32)
    return np.cumsum(starts, out=starts)


class Watchers(NamedTuple):
    """For each cell the constraints that watch it, as bits: where its entries start, their word numbers, and their bits."""

    starts: NDArray[np.int32]
    words: NDArray[np.int32]
    bits: NDArray[np.uint64]


def watcher_arrays(cells: NDArray[np.int32], owners: NDArray[np.int64], size: int) -> Watchers:
    """Return the watchers of each cell, where ``owners`` (ascending) has for each of ``cells`` the constraint it belongs to."""
    if not len(cells):
        return _no_watchers(size)
    order = np.argsort(cells, kind="stable")
    cells, owners = cells[order], owners[order]
    words = owners // WORD
    fresh = np.ones(len(cells), np.bool_)
    fresh[1:] = (cells[1:] != cells[:-1]) | (words[1:] != words[:-1])
    firsts = np.flatnonzero(fresh)
    starts = np.zeros(size + 1, np.int32)
    np.cumsum(np.bincount(cells[firsts], minlength=size), out=starts[1:])
    return Watchers(starts, words[firsts].astype(np.int32), np.bitwise_or.reduceat(SINGLE[owners % WORD], firsts))


def house_arrays(cells: NDArray[np.int32], owners: NDArray[np.int64], size: int) -> dict[str, NDArray[Any]]:
    """Return the houses of each cell, numbered from 0, and the cells of each as bits.

    ``owners`` (ascending) has for each of ``cells`` the house that it belongs to.
    """
    starts = np.zeros(size + 1, np.int32)
    np.cumsum(np.bincount(cells, minlength=size), out=starts[1:])
    numbers = owners - owners[:1] if len(cells) else owners
    rows = np.zeros((1 + numbers.max(initial=0), -(-size // WORD)), np.uint64)
    np.bitwise_or.at(rows, (numbers, cells // WORD), SINGLE[cells % WORD])
    by_cell = numbers[np.argsort(cells, kind="stable")].astype(np.int32)
    return {"house_starts": starts, "house_numbers": by_cell, "house_rows": rows}


@lru_cache(maxsize=16)
def _no_watchers(size: int) -> Watchers:
    return Watchers(np.zeros(size + 1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.uint64))


@lru_cache(maxsize=16)
def neighbour_rows(size: int, rows: tuple[int, ...]) -> NDArray[np.uint64]:
    """Return sets of ``size`` cells as rows of bits."""
    width = -(-size // WORD) * BYTES
    return np.frombuffer(b"".join([row.to_bytes(width, "little") for row in rows]), np.uint64).reshape(len(rows), -1)
