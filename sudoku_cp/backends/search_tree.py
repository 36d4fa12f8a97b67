"""The path tree: a whole search as data, as JSON, DOT and text.

A node is one placement: a value guessed in a cell, or forced there by a constraint. A node's children continue from it:
the next forced placement, or each value guessed next.

The search calls a `Recorder` at each guess, change and contradiction; the recorder numbers the nodes and stores, for each, the
candidates lost between it and the next (a trail), so that `PathTree.replay` can restore any state without copies of the board.
When the search ends, fates (dead, alive) propagate from the leaves to their ancestors.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from sudoku_cp.arguments import ShortRepr
from sudoku_cp.model import Domain, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell


Kind: TypeAlias = Literal["root", "guessed", "forced"]
Stop: TypeAlias = Literal["solutions", "deadline", "nodes", "cancelled"]
"""Why a search ended before its tree was complete: as many solutions as wanted, or a limit."""
Fate: TypeAlias = Literal["open", "dead", "alive", "solution"]
"""Whether the search found a solution at this node, or below it (alive), refuted it (dead), or stopped first (open)."""
Naming: TypeAlias = "Callable[[Cell, int], str]"
"""Formats a cell and its value, as ``r1c1=5``."""


@dataclass(slots=True)
class Node:
    """One placement of the search.

    ``reason`` is the number of the statement that forced it; ``contradiction`` that of the one that refuted it at once;
    ``removed`` has (cell, values as bits) for each loss between this placement and the next.
    """

    number: int
    parent: int | None
    kind: Kind
    cell: Cell | None = None
    value: int | None = None
    reason: int | None = None
    removed: list[tuple[Cell, Domain]] = field(default_factory=list)
    contradiction: int | None = None
    fate: Fate = "open"


@dataclass(frozen=True, repr=False)
class PathTree(ShortRepr):
    """The nodes in the order of the search (a parent before its children), and where the search began and ended.

    ``stopped`` says why the search ended early: ``solutions`` (as many as wanted), ``deadline``, ``nodes`` or ``cancelled``;
    None if the tree is complete.
    """

    start: tuple[Domain, ...]
    board: int
    nodes: tuple[Node, ...]
    solutions: tuple[tuple[int, ...], ...]
    stopped: Stop | None

    def path(self, number: int) -> list[Node]:
        """Return the nodes from the root to node ``number``."""
        found = [self.nodes[number]]
        while (parent := found[-1].parent) is not None:
            found.append(self.nodes[parent])
        return found[::-1]

    def solution_path(self, index: int = 0) -> list[Node]:
        """Return the path to the solution of that index."""
        leaves = [node.number for node in self.nodes if node.fate == "solution"]
        return self.path(leaves[index])

    def replay(self) -> Iterator[tuple[Node, tuple[Domain, ...]]]:
        """Yield every node with the candidates of the board just after its deductions, in the order of the search."""
        states: dict[int, list[Domain]] = {}
        for node in self.nodes:
            domains = list(self.start if node.parent is None else states[node.parent])
            for cell, lost in node.removed:
                domains[cell] &= ~lost
            states[node.number] = domains
            yield node, tuple(domains[: self.board])

    def children(self) -> dict[int, list[int]]:
        """Return the numbers of every node's children."""
        found: dict[int, list[int]] = {node.number: [] for node in self.nodes}
        for node in self.nodes:
            if node.parent is not None:
                found[node.parent].append(node.number)
        return found

    # --- as data and as text ------------------------------------------------------------------------------------

    def to_json(self, naming: Naming, reasons: Sequence[object] = ()) -> dict[str, Any]:
        """Return the tree as plain data; ``reasons`` are the model's statements, whose text explains forced placements."""
        return {
            "format": "sudoku-cp path tree",
            "version": 1,
            "stopped": self.stopped,
            "solutions": [list(solution) for solution in self.solutions],
            "nodes": [self._node_to_json(node, naming, reasons) for node in self.nodes],
        }

    def _node_to_json(self, node: Node, naming: Naming, reasons: Sequence[object]) -> dict[str, Any]:
        data: dict[str, Any] = {"node": node.number, "parent": node.parent, "kind": node.kind, "fate": node.fate}
        if node.cell is not None and node.value is not None:
            data["placed"] = naming(node.cell, node.value)
        if node.reason is not None:
            data["because"] = str(reasons[node.reason]) if reasons else node.reason
        if node.contradiction is not None:
            data["contradiction"] = str(reasons[node.contradiction]) if reasons else node.contradiction
        data["removed"] = [naming(cell, value) for cell, lost in node.removed for value in members(lost)]
        return data

    def to_dot(self, naming: Naming) -> str:
        """Return the tree in Graphviz' DOT: guesses as ellipses, runs of forced placements as one box, dead ends red."""
        head: dict[int, int] = {}
        runs: dict[int, list[Node]] = {}
        edges: list[str] = []
        for node in self.nodes:
            above = None if node.parent is None else head[node.parent]
            joined = above is not None and node.kind == "forced" and self.nodes[above].kind == "forced"
            head[node.number] = above if joined and above is not None else node.number
            runs.setdefault(head[node.number], []).append(node)
            if above is not None and not joined:
                edges.append(f"  n{above} -> n{node.number};")
        shapes = [self._shape(number, run, naming) for number, run in runs.items()]
        return "\n".join(["digraph path_tree {", "  node [fontname=monospace];", *shapes, *edges, "}", ""])

    @staticmethod
    def _shape(number: int, run: Sequence[Node], naming: Naming) -> str:
        texts = [_placed(node, naming) for node in run]
        rows = [" ".join(texts[start : start + 4]) for start in range(0, len(texts), 4)]
        label = "\\n".join(rows).replace('"', "'")
        shape = "box" if run[0].kind == "forced" else "ellipse"
        return f'  n{number} [shape={shape}, color="{_COLOURS[run[-1].fate]}", label="{label}"];'

    def to_text(self, naming: Naming, *, most: int = 200) -> str:
        """Return the tree for a terminal: a line for each guess, with what it forced; at most ``most`` lines."""
        depth: dict[int | None, int] = {None: 0}
        lines: list[str] = []
        for node in self.nodes:
            depth[node.number] = depth[node.parent] + (node.kind == "guessed")
            placed = _placed(node, naming)
            if node.kind == "forced":
                lines[-1] += f" {placed}"
            else:
                lines.append("  " * depth[node.number] + (placed if node.kind == "root" else f"({placed})"))
            if node.contradiction is not None:
                lines[-1] += "  x dead end"
            elif node.fate == "solution":
                lines[-1] += "  * solution"
        return "\n".join(lines[:most] + [f"... and {len(lines) - most} more lines"] * (len(lines) > most))

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks: a row for each guess, cells by their numbers; dead ends are red."""
        return branches_svg(self._branches())

    def _branches(self) -> list[Branch]:
        """Return each guess with how much it forced and how it ended."""
        heads: list[Node] = []
        branch_of: dict[int | None, int] = {}
        forced: list[int] = []
        ends: list[str] = []
        for node in self.nodes:
            if node.kind != "forced":
                heads.append(node)
                forced.append(0)
                ends.append("")
            branch = branch_of[node.number] = len(heads) - 1 if node.kind != "forced" else branch_of[node.parent]
            forced[branch] += node.kind == "forced"
            ends[branch] = ends[branch] or _end_of(node)
        return [
            Branch(
                branch_of.get(node.parent), f"{_guess(node)}{f', {number} forced' if number else ''}{end}", _COLOURS[node.fate]
            )
            for node, number, end in zip(heads, forced, ends, strict=True)
        ]


def _guess(node: Node) -> str:
    return "start" if node.cell is None else f"cell {node.cell} = {node.value}"


def _end_of(node: Node) -> str:
    """Return how a branch ends at a node, if it does."""
    return ", dead end" if node.contradiction is not None else ", solution" if node.fate == "solution" else ""


_COLOURS: Mapping[Fate, str] = MappingProxyType({"dead": "#c0392b", "solution": "#1e8449", "alive": "#1e8449", "open": "#7f8c8d"})


def _placed(node: Node, naming: Naming) -> str:
    return "start" if node.cell is None or node.value is None else naming(node.cell, node.value)


class Recorder:
    """Builds the path tree while the search runs."""

    def __init__(self, start: Sequence[Domain]) -> None:
        """Begin at the root with the domains ``start``, before any deduction."""
        self._start = tuple(start)
        self._known = list(start)
        self._nodes = [Node(0, None, "root")]
        self.here = 0

    def _add(self, kind: Kind, cell: Cell, value: int, reason: int | None = None) -> None:
        self._nodes.append(Node(len(self._nodes), self.here, kind, cell, value, reason))
        self.here = len(self._nodes) - 1

    def guess(self, parent: int, cell: Cell, bit: Domain, domains: Sequence[Domain]) -> None:
        """Record a guess made at node ``parent``, where ``domains`` were still possible."""
        self.here = parent
        self._known = list(domains)
        self._add("guessed", cell, bit.bit_length() - 1)
        self._lose(cell, domains[cell] & ~bit)

    def changed(self, cells: Sequence[Cell], domains: Sequence[Domain], reason: int) -> None:
        """Record the candidates that statement ``reason`` removed, and the placements it forced."""
        for cell in dict.fromkeys(cells):
            self._lose(cell, self._known[cell] & ~domains[cell])
        for cell in dict.fromkeys(cells):
            domain = domains[cell]
            if domain and not domain & (domain - 1):
                self._add("forced", cell, domain.bit_length() - 1, reason)

    def _lose(self, cell: Cell, lost: Domain) -> None:
        self._known[cell] &= ~lost
        if lost:
            self._nodes[self.here].removed.append((cell, lost))

    def contradiction(self, reason: int) -> None:
        """Record that statement ``reason`` can no longer hold."""
        self._nodes[self.here].contradiction = reason

    def end_branch(self, fate: Literal["dead", "solution"]) -> None:
        """Record that this branch ended in a solution or a dead end."""
        self._nodes[self.here].fate = fate

    def tree(self, board: int, solutions: tuple[tuple[int, ...], ...], stopped: Stop | None) -> PathTree:
        """Return the tree, with the fate of every inner node derived from its children's."""
        below: dict[int, list[Fate]] = {}
        for node in reversed(self._nodes):
            fates = below.get(node.number)
            if node.fate == "open" and fates:
                node.fate = "alive" if {"solution", "alive"} & {*fates} else "open" if "open" in fates else "dead"
            if node.parent is not None:
                below.setdefault(node.parent, []).append(node.fate)
        return PathTree(self._start, board, tuple(self._nodes), solutions, stopped)


# A path tree as a picture: a row for each guess, to the right of the one that it continues.


ROW, STEP, DOT, SIGN = 22, 30, 5, 7.5
"""Pixels: the height of a row, how far a guess is to the right of its parent, the radius of a dot, the width of a sign."""
MOST_ROWS = 300
"""Guesses that are drawn at most; the others are only counted."""


class Branch(NamedTuple):
    """A guess, or the start, with what it forced: the index of the branch that it continues, its label and its colour."""

    parent: int | None
    label: str
    colour: str


def branches_svg(branches: Sequence[Branch]) -> str:
    """Return branches, a parent before its children, as one SVG element."""
    shown, left_out = branches[:MOST_ROWS], len(branches[MOST_ROWS:])
    columns: list[int] = []
    for branch in shown:
        columns.append(0 if branch.parent is None else columns[branch.parent] + 1)
    dots = [(STEP * column + 2 * DOT, ROW * index + ROW / 2) for index, column in enumerate(columns)]
    edges = [_edge(dots[branch.parent], dot) for branch, dot in zip(shown, dots, strict=True) if branch.parent is not None]
    nodes = [_node(dot, branch) for branch, dot in zip(shown, dots, strict=True)]
    if left_out:
        nodes.append(_text((2 * DOT, ROW * len(shown) + ROW / 2), f"... and {left_out:,} more guesses", "#444444"))
    width = max((x + 3 * DOT + SIGN * len(branch.label) for branch, (x, _) in zip(shown, dots, strict=True)), default=0)
    height = ROW * len(nodes)
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif" role="img">'
    return "\n".join([opening, "<title>The path tree of a search</title>", *edges, *nodes, "</svg>"])


def _edge(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f'<path d="M{start[0]:g} {start[1]:g}V{end[1]:g}H{end[0]:g}" fill="none" stroke="#BBBBBB"/>'


def _node(dot: tuple[float, float], branch: Branch) -> str:
    x, y = dot
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{DOT}" fill="{branch.colour}"/>'
    return circle + _text((x + 2 * DOT, y), branch.label, branch.colour)


def _text(at: tuple[float, float], text: str, colour: str) -> str:
    return f'<text x="{at[0]:g}" y="{at[1] + 4.5:g}" font-size="13" fill="{colour}">{escape(text)}</text>'
