"""The question ``trace``: by which search was it solved?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from sudoku_cp import queries
from sudoku_cp.backends.search_tree import Fate, Node, PathTree
from sudoku_cp.errors import InvalidInput, placed
from sudoku_cp.model import cells_of
from sudoku_cp.questions.answer import ABSENT, FoundAnswer, answer_field, unknown_fields
from sudoku_cp.questions.question import AUTO, EASY, Fields, Run, Solving, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.puzzle import Puzzle

MOST_NODES = 100_000
"""Guesses of a path tree."""
FATES: tuple[str, ...] = get_args(Fate)
KINDS = ("root", "guessed")
NONE = -1
"""What stands for no parent, no cell, no reason."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TraceQuestion(Solving):
    """Return the answer of <solve> with the path tree of the search that found it; a tree that grew too large is cut."""

    name = "trace"
    example: ClassVar[Fields] = {"puzzle": EASY}

    limit: int = option("Stop after this many solutions.", 2, ge=1, le=1_000, metavar="NUMBER")
    nodes: int | None = option(f"Guesses at most; {MOST_NODES:,} in any case.", None, ge=0, le=MOST_NODES, metavar="NUMBER")

    def answer(self, subject: Puzzle, run: Run) -> TraceAnswer:
        """Solve by an engine that records its search."""
        most = min(self.nodes or MOST_NODES, MOST_NODES)
        engine = "native" if self.backend == AUTO else self.backend
        try:  # only some engines record their search
            answer, tree = queries.solve_traced(
                subject, backend=engine, limits=replace(run.limits, nodes=most), solution_limit=self.limit
            )
        except InvalidInput as error:
            raise InvalidInput(placed(problem, "backend") for problem in error.problems) from error
        truncated = tree.stopped == "nodes" and most != self.nodes
        return TraceAnswer.of(subject, answer, tree=TreeJson.of(subject, tree), truncated=truncated)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> TraceAnswer:
        """Return that no solution has been found yet."""
        return TraceAnswer(**unknown_fields(body))


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeJson:
    """A path tree as columns: an entry a node, the root first, then the guesses in the order of the search."""

    stopped: str | None = answer_field()
    kinds: list[str] = answer_field()
    fates: list[str] = answer_field()
    cells: list[str] = answer_field("The name of each cell; what a number beyond them stands for is no cell of the board.")
    parent: list[int] = answer_field("The index of the node before; -1 for the root.")
    depth: list[int] = answer_field("The number of guesses.")
    cell: list[int] = answer_field()
    value: list[int] = answer_field()
    kind: list[int] = answer_field("An index of 'kinds'.")
    fate: list[int] = answer_field("An index of 'fates'.")
    forced: list[list[int]] = answer_field("Cell, value and index of 'reasons' of each placement that followed.")
    contradiction: list[int] = answer_field("The index in 'reasons' of what refuted it at once, or -1.")
    reasons: list[str] = answer_field()
    reason_cells: list[list[int]] = answer_field("The cells of the board that each reason speaks of.")

    @classmethod
    def of(cls, puzzle: Puzzle, tree: PathTree) -> TreeJson:
        """Return the tree; a few arrays say of 10,000 nodes in 200 kB what objects would say in megabytes.

        Auxiliary cells of rules follow those of the board.
        """
        runs = _runs(tree)
        index_of = {run[0].number: index for index, run in enumerate(runs)}
        head_of = {node.number: run[0].number for run in runs for node in run}
        parents = [NONE if run[0].parent is None else index_of[head_of[run[0].parent]] for run in runs]
        depths: list[int] = []
        for parent in parents:
            depths.append(0 if parent == NONE else depths[parent] + 1)
        reasons = _Reasons(puzzle)
        return cls(
            stopped=tree.stopped,
            kinds=list(KINDS),
            fates=list(FATES),
            cells=[puzzle.grid.cell_name(cell) for cell in puzzle.grid.cells],
            parent=parents,
            depth=depths,
            cell=[_or_none(run[0].cell) for run in runs],
            value=[_or_none(run[0].value) for run in runs],
            kind=[KINDS.index(run[0].kind) for run in runs],
            fate=[FATES.index(run[-1].fate) for run in runs],
            forced=[
                [number for node in run[1:] for number in (_or_none(node.cell), _or_none(node.value), reasons.index(node.reason))]
                for run in runs
            ],
            contradiction=[reasons.index(run[-1].contradiction) for run in runs],
            reasons=reasons.texts,
            reason_cells=reasons.cells,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class TraceAnswer(FoundAnswer):
    """The answer of ``trace``."""

    tree: TreeJson = answer_field("", ABSENT)
    truncated: bool = answer_field("Whether the tree grew larger than what is sent.", False)


def _or_none(number: int | None) -> int:
    return NONE if number is None else number


def _runs(tree: PathTree) -> list[list[Node]]:
    """Return each guess, and the root, with the placements that it forced, in the order of the search."""
    run_of: dict[int, list[Node]] = {}
    runs: list[list[Node]] = []
    for node in tree.nodes:
        if node.kind == "forced" and node.parent is not None:
            run = run_of[node.parent]
        else:
            run = []
            runs.append(run)
        run.append(node)
        run_of[node.number] = run
    return runs


class _Reasons:
    """The statements that a tree refers to, each once: their texts, and their cells on the board."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._statements = puzzle.model().statements
        self._board = puzzle.grid.cells
        self._known: dict[int, int] = {}
        self.texts: list[str] = []
        self.cells: list[list[int]] = []

    def index(self, statement: int | None) -> int:
        """Return the index of a statement's text."""
        if statement is None:
            return NONE
        if statement not in self._known:
            self._known[statement] = len(self.texts)
            found = self._statements[statement]
            self.texts.append(str(found))
            self.cells.append(sorted(cell for cell in {*cells_of(found.constraint)} if cell in self._board))
        return self._known[statement]
