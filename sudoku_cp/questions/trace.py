"""The question ``trace``: by which search was it solved?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp import queries
from sudoku_cp.answer_json.fields import answer_to_json
from sudoku_cp.errors import InvalidInput, placed
from sudoku_cp.questions.answer import ABSENT, FoundAnswer, answer_field, nothing_found
from sudoku_cp.questions.options import AUTO, Solving
from sudoku_cp.questions.question import EASY, Fields, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.questions.question import Run

MOST_NODES = 100_000
"""Guesses of a path tree."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TraceQuestion(Solving):
    """Return the answer of <solve> with the path tree of the search that found it; a tree that grew too large is cut."""

    name = "trace"
    example: ClassVar[Fields] = {"puzzle": EASY}

    limit: int = option("Stop after this many solutions.", 2, ge=1, le=1_000, metavar="NUMBER")
    nodes: int | None = option(f"Guesses at most; {MOST_NODES:,} in any case.", None, ge=0, le=MOST_NODES, metavar="NUMBER")

    def answer(self, subject: Puzzle, run: Run) -> TraceAnswer:
        """Solve by an engine that records its search."""
        from sudoku_cp.answer_json.query_answers import tree_to_json  # noqa: PLC0415  # for answers alone

        most = min(self.nodes or MOST_NODES, MOST_NODES)
        engine = "native" if self.backend == AUTO else self.backend
        try:  # only some engines record their search
            answer, tree = queries.solve_traced(
                subject, backend=engine, limits=replace(run.limits, nodes=most), solution_limit=self.limit
            )
        except InvalidInput as error:
            raise InvalidInput(placed(problem, "backend") for problem in error.problems) from error
        truncated = tree.stopped == "nodes" and most != self.nodes
        return TraceAnswer(**answer_to_json(subject, answer), tree=TreeTold(**tree_to_json(subject, tree)), truncated=truncated)

    @classmethod
    def unanswered(cls, body: Mapping[str, Any]) -> TraceAnswer:
        """Return that no solution has been found yet."""
        return TraceAnswer(**nothing_found(body))


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeTold:
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


@dataclass(frozen=True, eq=False, kw_only=True)
class TraceAnswer(FoundAnswer):
    """The answer of ``trace``."""

    tree: TreeTold = answer_field("", ABSENT)
    truncated: bool = answer_field("Whether the tree grew larger than what is sent.", False)
