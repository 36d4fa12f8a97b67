"""Sums, counts, tables and automata unrolled: the paths of the graph are the values that satisfy the constraint."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sudoku_cp.backends.conformance.checks import MAKERS, VALUES
from sudoku_cp.model import Automaton, Count, Linear, Table, cells_of, members, to_mask
from sudoku_cp.model.layered_graph import layered_graph

UNROLLED = (Linear, Count, Table, Automaton)


def _instances(kind: type) -> list[tuple[Linear | Count | Table | Automaton, list[int]]]:
    random = Random(kind.__name__)  # noqa: S311
    return [
        (MAKERS[kind](random, range(4)), [to_mask(random.sample(VALUES, random.randint(1, 5))) for _ in range(4)])
        for _ in range(300)
    ]


@pytest.mark.parametrize("kind", UNROLLED)
def test_paths_are_the_satisfying_values(kind: type) -> None:
    """The paths that give each cell one value wherever it is read are exactly the values that satisfy the constraint."""
    satisfied = 0
    for constraint, domains in _instances(kind):
        read, graph = layered_graph(constraint, domains)
        assert set(read) == set(cells_of(constraint))
        assert len(graph) == len(read)
        paths: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for layer in graph:
            paths = [(end, (*told, value)) for state, told in paths for start, value, end in layer if start == state]
        spelt = {told for _, told in paths}
        agreeing = {told for told in spelt if len(set(zip(read, told, strict=True))) == len(set(read))}
        wanted = {tuple(values[cell] for cell in read) for values in product(*map(members, domains)) if constraint.holds(values)}
        assert agreeing == wanted or not read
        satisfied += bool(wanted)
    assert 50 < satisfied < 300


@pytest.mark.parametrize("kind", UNROLLED)
def test_every_arc_lies_on_a_path(kind: type) -> None:
    """Each layer's states are numbered from 0, begin where the last layer ended, and all are on a path."""
    for constraint, domains in _instances(kind):
        read, graph = layered_graph(constraint, domains)
        before = {0}
        for cell, layer in zip(read, graph, strict=True):
            assert {value for _, value, _ in layer} <= set(members(domains[cell]))
            assert len(set(layer)) == len(layer)
            if layer:
                assert {start for start, _, _ in layer} == before
                before = {end for _, _, end in layer}
                assert before == set(range(len(before)))
        assert len({bool(layer) for layer in graph}) <= 1


def test_a_sum_that_is_decided_has_a_single_state() -> None:
    """A sum that holds whatever the rest is stops counting, so that its layers stay narrow."""
    cells = tuple((cell, 1) for cell in range(10))
    _, graph = layered_graph(Linear(cells, "<=", 90), [0b11] * 10)
    assert [len({end for _, _, end in layer}) for layer in graph] == [1] * 10
    _, graph = layered_graph(Count(tuple(range(10)), frozenset({1}), ">=", 1), [0b11] * 10)
    assert max(len({end for _, _, end in layer}) for layer in graph) == 2


def test_unrolling_is_the_same_each_time() -> None:
    """The same constraint gives the same graph."""
    for constraint, domains in (*_instances(Automaton)[:50], *_instances(Table)[:50]):
        assert layered_graph(constraint, domains) == layered_graph(constraint, domains)


def test_rows_that_go_on_alike_are_one_state() -> None:
    """A table has no more states than there are ways to go on: all rows of two values twice need one a layer."""
    table = Table((0, 1, 2), frozenset((a, b, c) for a in (1, 2) for b in (1, 2) for c in (1, 2)))
    _, graph = layered_graph(table, [0b110] * 3)
    assert [{end for _, _, end in layer} for layer in graph] == [{0}, {0}, {0}]
