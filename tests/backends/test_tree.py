"""The path tree records the search correctly, and a node that it calls dead has no solution."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import NOTHING, UNLIMITED, Cancellation, Limits, SupportsTracing, backend
from sudoku_cp.backends.conformance.checks import AUXILIARIES, HARD, MAKERS, Case, empty_board, givens, random_cases, small_board
from sudoku_cp.backends.native.tiers import Native
from sudoku_cp.model import cells_of, members

if TYPE_CHECKING:
    from sudoku_cp.backends import Assumed
    from sudoku_cp.backends.search_tree import Node, PathTree
    from sudoku_cp.model import Domain, Model

TOP95 = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
"""The first of Peter Norvig's 95."""
QUESTIONS: dict[str, tuple[Model, Assumed]] = {
    "one solution, hard": (empty_board(9), givens(HARD)),
    "one solution": (empty_board(9), givens(TOP95)),
    "several solutions": (empty_board(4), {0: 0b10, 5: 0b1100, 15: 0b11000}),
    "all solutions": (empty_board(4), NOTHING),
    "no solution": (empty_board(9), {**givens(HARD), 1: 1 << 2}),
    "no candidates": (empty_board(9), {**givens(HARD), 1: 0}),
    "solved by propagation": (empty_board(4), {0: 0b10, 1: 0b100, 2: 0b1000, 4: 0b1000, 9: 0b10, 14: 0b100}),
}


def naming(cell: int, value: int) -> str:
    """Return the name of a cell's value."""
    return f'c"{cell}={value}'


def whole(model: Model, assume: Assumed, order: str = "readable") -> PathTree:
    """Return the tree of all solutions."""
    return Native(order).open(model).trace(assume, stop_after=None)


@pytest.fixture(params=QUESTIONS)
def question(request: pytest.FixtureRequest) -> tuple[Model, Assumed]:
    """A model and the givens assumed."""
    return QUESTIONS[request.param]


def placed(tree: PathTree, number: int) -> dict[int, Domain]:
    """Return the placements on the way to a node, as givens."""
    return {node.cell: 1 << node.value for node in tree.path(number) if node.cell is not None and node.value is not None}


# --- the shape --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["readable", "first"])
def test_parents_come_before_their_children(question: tuple[Model, Assumed], order: str) -> None:
    """Nodes are numbered in the order they were made, from a single root without a placement."""
    tree = whole(*question, order)
    assert [node.number for node in tree.nodes] == list(range(len(tree.nodes)))
    assert tree.nodes[0].kind == "root"
    assert tree.nodes[0].parent is None
    for node in tree.nodes[1:]:
        assert node.parent is not None
        assert node.parent < node.number
        assert node.kind in {"guessed", "forced"}
        assert (node.reason is not None) == (node.kind == "forced")
    assert all(child > number for number, children in tree.children().items() for child in children)


@pytest.mark.parametrize("order", ["readable", "first"])
def test_nothing_is_removed_twice(question: tuple[Model, Assumed], order: str) -> None:
    """Along every path only candidates that were still there are lost, and a placement leaves only its value."""
    model, assume = question
    tree = whole(model, assume, order)
    left: dict[int, list[Domain]] = {}
    for node in tree.nodes:
        domains = list(tree.start) if node.parent is None else left[node.parent].copy()
        for cell, lost in node.removed:
            assert lost
            assert lost & domains[cell] == lost
            domains[cell] ^= lost
        left[node.number] = domains
    for node, state in tree.replay():
        assert list(state) == left[node.number][: tree.board]
        if node.cell is not None and node.value is not None and node.contradiction is None:
            assert state[node.cell] == 1 << node.value


def test_a_forced_placement_names_a_statement_about_its_cell(question: tuple[Model, Assumed]) -> None:
    """The reason for a placement, or a contradiction, is a statement about the cell."""
    model, assume = question
    for node in whole(model, assume).nodes:
        if node.reason is not None:
            assert node.cell in cells_of(model.constraints[node.reason])
        if node.contradiction is not None:
            assert node.contradiction in range(len(model.constraints))
            assert node.fate == "dead"


def test_guesses_at_a_point_are_all_that_was_possible_there(question: tuple[Model, Assumed]) -> None:
    """The guesses that follow a node are one cell's candidates, each once."""
    tree = whole(*question)
    states = {node.number: state for node, state in tree.replay()}
    for number, children in tree.children().items():
        guesses = [tree.nodes[child] for child in children if tree.nodes[child].kind == "guessed"]
        if guesses:
            assert len(guesses) == len(children)
            (cell,) = {guess.cell for guess in guesses}
            assert sorted(guess.value for guess in guesses) == members(states[number][cell])
        else:
            assert len(children) <= 1


# --- the truth --------------------------------------------------------------------------------------------------


def _rest(tree: PathTree, children: dict[int, list[int]], node: Node) -> Node:
    """Return the last of the placements that were forced after ``node``."""
    while (after := children[node.number]) and tree.nodes[after[0]].kind == "forced":
        node = tree.nodes[after[0]]
    return node


@pytest.mark.parametrize("order", ["readable", "first"])
def test_a_replay_gives_what_the_search_had(question: tuple[Model, Assumed], order: str) -> None:
    """The candidates after each guess and all that it forced are those of propagation without a recorder."""
    model, assume = question
    session = Native(order).open(model)._readable
    tree = session.trace(assume, stop_after=None)
    states = {node.number: state for node, state in tree.replay()}
    children = tree.children()
    compared = 0
    for node in tree.nodes:
        end = _rest(tree, children, node)
        if node.kind == "forced" or (end.fate == "dead" and not children[end.number]):
            continue
        domains = list(tree.start if node.parent is None else states[node.parent])
        first = range(len(model.statements)) if node.parent is None else session._watchers[node.cell]
        if node.parent is not None:
            domains[node.cell] = 1 << node.value
        assert session._propagate(domains, first, None, UNLIMITED.started())
        assert states[end.number] == tuple(domains)
        compared += 1
    assert compared or not tree.solutions


@pytest.mark.parametrize("order", ["readable", "first"])
def test_all_solutions_are_in_the_tree(question: tuple[Model, Assumed], order: str) -> None:
    """Each solution is a leaf, in the order found, and each such leaf is a solution; another engine finds the same."""
    model, assume = question
    tree = whole(model, assume, order)
    leaves = [state for node, state in tree.replay() if node.fate == "solution"]
    assert leaves == [tuple(1 << value for value in solution) for solution in tree.solutions]
    assert sorted(tree.solutions) == sorted(backend("sat").open(model).solutions(assume))
    for index, solution in enumerate(tree.solutions):
        path = tree.solution_path(index)
        assert path[0].kind == "root"
        assert all(solution[node.cell] == node.value for node in path[1:])


def test_dead_is_dead_and_alive_is_alive(question: tuple[Model, Assumed]) -> None:
    """Assuming the placements on the way to a node there is a solution exactly if the tree does not call it dead."""
    model, assume = question
    tree = whole(model, assume)
    session = backend("sat").open(model)
    for node in tree.nodes:
        assert node.fate != "open"
        told = {**assume, **placed(tree, node.number)}
        if all(assume.get(cell, -1) & allowed for cell, allowed in told.items()):
            assert (next(session.solutions(told), None) is not None) == (node.fate != "dead")


@pytest.mark.parametrize("case", [*random_cases(tuple(MAKERS), 3), *random_cases(tuple(MAKERS), 3, AUXILIARIES)])
def test_trees_of_random_models_are_true(case: Case) -> None:
    """With all constraints, and auxiliaries beside the board, the tree has each solution once and its dead ends are dead."""
    model = case.model
    tree = whole(model, NOTHING)
    assert len(tree.solutions) == len(case.solutions)
    assert set(tree.solutions) == case.solutions
    for node in tree.nodes:
        told = {cell: allowed for cell, allowed in placed(tree, node.number).items() if cell < model.board}
        if not case.under(told):
            assert node.fate == "dead"
        if node.fate in {"alive", "solution"}:
            assert case.under(told)
    assert tree.stopped is None


# --- ending early -----------------------------------------------------------------------------------------------


def _cancelled() -> Cancellation:
    cancel = Cancellation()
    cancel.cancel()
    return cancel


@pytest.mark.parametrize(
    ("limits", "stop_after", "stopped"),
    [
        (Limits(nodes=20), None, "nodes"),
        (Limits(seconds=0), None, "deadline"),
        (Limits(cancel=_cancelled()), None, "cancelled"),
        (Limits(), 1, "solutions"),
        (Limits(), 7, "solutions"),
        (Limits(), 288, "solutions"),
        (Limits(), 289, None),
        (Limits(), None, None),
    ],
)
def test_a_tree_says_why_it_ended(limits: Limits, stop_after: int | None, stopped: str | None) -> None:
    """A limit or enough solutions end a tree early, and it says which; what was not searched is open, never dead."""
    session = backend("native").open(small_board().model)
    assert isinstance(session, SupportsTracing)
    tree = session.trace(limits=limits, stop_after=stop_after)
    assert tree.stopped == stopped
    if stopped == "solutions":
        readable = backend("native:readable").open(small_board().model)  # the tier that records; the other has its own order
        assert list(tree.solutions) == list(islice(readable.solutions(), stop_after))
    if stopped in {"nodes", "deadline", "cancelled"}:
        assert any(node.fate == "open" for node in tree.nodes)
    assert "dead" not in {node.fate for node in tree.nodes}
    assert set(tree.solutions) <= small_board().solutions


@pytest.mark.usefixtures("ticking_clock")
def test_a_deadline_ends_a_tree_in_time() -> None:
    """The tree of an endless search ends at its deadline, with the solutions found so far."""
    session = backend("native").open(empty_board(9))
    assert isinstance(session, SupportsTracing)
    tree = session.trace(limits=Limits(seconds=4.0), stop_after=None)
    assert tree.stopped == "deadline"
    assert tree.solutions
    assert sum(node.fate == "solution" for node in tree.nodes) == len(tree.solutions)


# --- as data and as text ----------------------------------------------------------------------------------------


def test_json_tells_the_whole_tree(question: tuple[Model, Assumed]) -> None:
    """The tree survives JSON: every node with its parent, kind, fate, placement, reason and losses."""
    model, assume = question
    tree = whole(model, assume)
    told = json.loads(json.dumps(tree.to_json(naming, model.statements)))
    assert told["format"] == "sudoku-cp path tree"
    assert told["stopped"] is None
    assert told["solutions"] == [list(solution) for solution in tree.solutions]
    assert len(told["nodes"]) == len(tree.nodes)
    for data, node in zip(told["nodes"], tree.nodes, strict=True):
        assert (data["node"], data["parent"], data["kind"], data["fate"]) == (node.number, node.parent, node.kind, node.fate)
        assert data.get("placed") == (None if node.cell is None else naming(node.cell, node.value))
        assert data.get("because") == (None if node.reason is None else str(model.statements[node.reason]))
        assert data.get("contradiction") == (None if node.contradiction is None else str(model.statements[node.contradiction]))
        assert len(data["removed"]) == sum(lost.bit_count() for _, lost in node.removed)
    assert tree.to_json(naming)["nodes"][-1].get("because") == tree.nodes[-1].reason


NODE = re.compile(r'  n(\d+) \[shape=(?:box|ellipse), color="#[0-9a-f]{6}", label="([^"]*)"\];')
EDGE = re.compile(r"  n(\d+) -> n(\d+);")


def test_dot_is_a_tree(question: tuple[Model, Assumed]) -> None:
    """The DOT text is nodes and edges between them, one edge fewer than nodes, with every placement in some label."""
    tree = whole(*question)
    lines = tree.to_dot(naming).splitlines()
    assert lines[0] == "digraph path_tree {"
    assert lines[-1] == "}"
    nodes = {match[1]: match[2] for line in lines if (match := NODE.fullmatch(line))}
    edges = [(match[1], match[2]) for line in lines if (match := EDGE.fullmatch(line))]
    assert len(nodes) + len(edges) == len(lines) - 3
    assert len(edges) == len(nodes) - 1
    assert {end for edge in edges for end in edge} <= nodes.keys()
    assert len({child for _, child in edges}) == len(edges)
    words = [word for label in nodes.values() for word in re.split(r"\\n| ", label)]
    assert sorted(words) == sorted(["start", *(f"c'{node.cell}={node.value}" for node in tree.nodes[1:])])


def test_text_has_a_line_for_each_guess() -> None:
    """The text has each guess on its own line, marks dead ends and solutions, and says how much it left out."""
    tree = whole(*QUESTIONS["one solution, hard"])
    guesses = sum(node.kind != "forced" for node in tree.nodes)
    lines = tree.to_text(naming, most=10**6).splitlines()
    assert len(lines) == guesses
    assert sum(line.endswith("x dead end") for line in lines) == sum(node.contradiction is not None for node in tree.nodes)
    assert sum(line.endswith("* solution") for line in lines) == 1
    cut = tree.to_text(naming, most=5).splitlines()
    assert cut == [*lines[:5], f"... and {guesses - 5} more lines"]
