"""The tables shared by constraints of a shape are equivalent to the constraints."""

from __future__ import annotations

import os
import shutil
from itertools import product
from random import Random

import numpy as np
import pytest

from sudoku_cp import compile_cache
from sudoku_cp.backends.native import constraint_tables, kernel_loading, model_arrays
from sudoku_cp.backends.native.kernel.fixpoint import KINDS
from sudoku_cp.model import Automaton, Clause, Linear, Literal, Table, build_model, members, to_mask

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
