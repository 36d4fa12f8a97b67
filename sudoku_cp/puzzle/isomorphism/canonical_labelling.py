"""Canonical labelling of a coloured graph by individualisation and refinement, with its automorphisms.

Refinement splits vertices by the colours of their neighbours until nothing splits. Where vertices still share a colour, one
of them is individualised, each in turn, and so on until all differ: a leaf, which is a labelling. The canonical one is the
least by what refinement saw on the way (the trace) and then by its relabelled edges. Two leaves with the same edges give an
automorphism, which spares the search equivalent subtrees (B. D. McKay, Practical graph isomorphism, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
