"""Recognises clauses that unroll a finite automaton, and reads values with the automaton instead of the clauses.

Such clauses have a layer of auxiliaries behind each cell, of which those are true whose states the automaton is in, and each
clause is about one *window*: a cell, the layer before it and the layer behind it. The automaton is read off the clauses, and
accepts exactly the values that they allow:

- *Whatever the clauses allow, the automaton accepts.* In any assignment that satisfies the clauses, the auxiliaries of layer 0
  form one of the starts, which are all models of the clauses about layer 0 alone. If an auxiliary is true and the cell has a
  value, a clause says that one of some auxiliaries of the next layer is true; the automaton has an edge to each of them
  but those that a clause excludes with this value. So by induction some path of true auxiliaries leads to the end.
- *Whatever the automaton accepts, the clauses allow.* The auxiliaries on a path are made true and all others false. As each
  clause is about one window, its literals depend on one edge of the path alone, and each clause was found true of every edge.

Clauses that do not pass these tests are no mistake; `joint_walk` follows what is left of them instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .clause_remainders import BITS_OF_WORK, ClauseRemainders, WorkBudget, to_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


MAX_STARTS = 64
"""The most starts of an automaton."""
EDGE_WORK = 4
"""The work of an edge, for the memory that it takes."""
Node: TypeAlias = frozenset[int]
"""A state of an automaton, as the auxiliaries of its layer that are true."""
Edge: TypeAlias = tuple[Node, int, Node]
"""An edge from a node to another one with a value, counted from 1."""


def due_auxiliaries(clauses: Iterable[Sequence[int]], size: int, width: int) -> dict[int, list[int]]:
    """Return by number of cells read the auxiliaries that no value of a later cell can force to be true."""
    last: dict[int, int] = {}
    board = size * width
    for clause in clauses:
        reached = 0
        for literal in clause:
            if -board <= literal <= board:
                reached = max(reached, (abs(literal) - 1) // width + 1)
        for literal in clause:
            if literal > board:
                last[literal] = max(last.get(literal, 0), reached)
            elif literal < -board:
                last.setdefault(-literal, 0)
    due: dict[int, list[int]] = {}
    for auxiliary, place in last.items():
        due.setdefault(place, []).append(auxiliary)
    return due


class Window(NamedTuple):
    """The clauses about one cell (its place), the layer of auxiliaries before it, and the layer behind it.

    In them, 1 is the variable of the cell's first value, and so on; auxiliaries have numbers above those of all values.
    """

    place: int
    before: Sequence[int]
    behind: Sequence[int]
    clauses: list[list[int]]


class ClauseAutomaton(NamedTuple):
    """An automaton read off clauses: where it may start, and where it may go from a node with the value of an index, by place."""

    starts: list[Node]
    edges: dict[int, dict[tuple[Node, int], list[Node]]]


def read_automaton(clauses: Sequence[Sequence[int]], size: int, width: int, work: WorkBudget) -> ClauseAutomaton | None:
    """Return the automaton that accepts what the clauses allow; None if they do not unroll one.

    The variable of the k-th cell's v-th value is 1 + k * width + v; all others are auxiliaries.
    """
    windows = _split_into_windows(clauses, size, width, work)
    starts = _starts(windows[0], work) if windows else None
    if starts is None:
        return None
    found = ClauseAutomaton(starts, {})
    nodes = dict.fromkeys(starts)
    for window in windows:
        edges = _edges(window, nodes, width, work)
        if edges is None or not _hold_on_all(window.clauses, edges, work):
            return None
        own = found.edges.setdefault(window.place, {})
        for start, value, end in edges:
            own.setdefault((start, value - 1), []).append(end)
        nodes = dict.fromkeys(end for _, _, end in edges)
    return found


def _split_into_windows(clauses: Sequence[Sequence[int]], size: int, width: int, work: WorkBudget) -> list[Window]:
    """Return the clauses by windows, in the order of cells; nothing if one fits no window, or if they are about no cells."""
    board = size * width
    work.spend(sum(map(len, clauses)))
    due = due_auxiliaries(clauses, size, width)
    places = sorted({(abs(one) - 1) // width for clause in clauses for one in clause if -board <= one <= board})
    layers = [due.get(0, []), *(due.get(place + 1, []) for place in places)]
    windows = [Window(place, layers[number], layers[number + 1], []) for number, place in enumerate(places)]
    of_place = {place: number for number, place in enumerate(places)}
    layer_of = {auxiliary: number for number, layer in enumerate(layers) for auxiliary in layer}
    for clause in clauses:
        cells = {of_place[(abs(one) - 1) // width] for one in clause if -board <= one <= board}
        around = {layer_of[abs(one)] for one in clause if not -board <= one <= board}
        last = max(0, *cells, *(layer - 1 for layer in around)) if cells or around else 0
        if not windows or not cells <= {last} or not around <= {last, last + 1}:
            return []
        base = windows[last].place * width
        own = [one if not -board <= one <= board else one - base if one > 0 else one + base for one in clause]
        windows[last].clauses.append(own)
    return windows


def _starts(first: Window, work: WorkBudget) -> list[Node] | None:
    """Return the models of the clauses about layer 0 alone; None if there are too many."""
    layer = set(first.before)
    alone = [clause for clause in first.clauses if layer.issuperset(map(abs, clause))]
    remainders, unread = ClauseRemainders(alone, work), range(max(layer, default=0) + 1)
    waiting, found = [remainders.begin(unread)], list[Node]()
    while waiting:
        rest = waiting.pop()
        if rest is None:
            continue
        work.spend(1 + len(layer))
        false = rest[1]
        open_ = next((one for one in first.before if one not in false and -one not in false), None)
        if open_ is None:
            found.append(frozenset(-one for one in false if one < 0))
        else:
            waiting += [remainders.after(rest, [-open_], unread), remainders.after(rest, [open_], unread)]
        if len(waiting) + len(found) > MAX_STARTS:
            return None
    return found


def _edges(window: Window, nodes: Iterable[Node], width: int, work: WorkBudget) -> list[Edge] | None:
    """Return the edges from some nodes: with each value, to states of which a clause requires one; None where there is none."""
    before, behind = set(window.before), set(window.behind)
    goals: dict[tuple[int, int], list[int]] = {}  # by a state before and a value (0: any)
    possible: dict[int, set[int]] = {}  # the values that a state behind needs
    for clause in window.clauses:
        goal, given = [one for one in clause if one > 0], [-one for one in clause if one < 0]
        own, letters = [one for one in given if one in before], [one for one in given if one <= width]
        if len(own) <= 1 and len(letters) <= 1 and len(own) + len(letters) == len(given) and behind.issuperset(goal):
            key = sum(own), sum(letters)
            if key not in goals or len(goal) < len(goals[key]):
                goals[key] = goal
        elif len(given) == 1 and given[0] in behind and max(goal, default=0) <= width:
            possible[given[0]] = possible.get(given[0], set(goal)).intersection(goal)
    edges: list[Edge] = []
    ends = {end: frozenset({end}) for end in window.behind}
    for node in nodes:
        for value in range(1, width + 1):
            said = [goals[key] for one in (*node, 0) for letter in (value, 0) if (key := (one, letter)) in goals]
            goal = min(said, key=len) if said else []
            work.spend(1 + len(node) + EDGE_WORK * len(goal))
            if said:
                left = (end for end in goal if end not in possible or value in possible[end])
                edges += [(node, value, ends[end]) for end in left]
            elif behind:
                return None
            else:
                edges.append((node, value, frozenset()))
    return edges


def _hold_on_all(clauses: Iterable[Sequence[int]], edges: Sequence[Edge], work: WorkBudget) -> bool:
    """Return whether each clause of a window is true on every edge, where the auxiliaries of no node of the edge are false."""
    numbers: dict[int, list[int]] = {}
    for number, (start, value, end) in enumerate(edges):
        for one in (*start, value, *end):
            numbers.setdefault(one, []).append(number)
    effort = 1 + len(edges) // BITS_OF_WORK
    work.spend(len(numbers) * effort)
    where = {one: to_bits(some, len(edges)) for one, some in numbers.items()}
    for clause in clauses:
        work.spend(1 + len(clause) * effort // 4)
        false_on = (1 << len(edges)) - 1
        for literal in clause:
            true_on = where.get(abs(literal), 0)
            false_on &= true_on if literal < 0 else ~true_on
        if false_on:
            return False
    return True
