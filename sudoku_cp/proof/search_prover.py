"""The prover ``native``: the path tree of the readable search, as lemmas.

At each refuted node the guesses on its path cannot all be right: that is a lemma. Where the search concludes no more than unit
propagation does, each lemma follows by unit propagation from those of the nodes below it; the last one, of the root, is empty.
Of the values guessed in one cell the last needs no lemma: with the others refuted, propagation places it without a guess.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.backends import SupportsTracing, backend
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.model import AllDifferent, Model
from sudoku_cp.proof.prover import EMPTY_CLAUSE, find_solution
from sudoku_cp.queries.session_pool import session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.backends.search_tree import PathTree
    from sudoku_cp.model import Statement
    from sudoku_cp.proof.prover import RefutationTask
    from sudoku_cp.puzzle import Puzzle

PAIR = 2


class SearchProver:
    """The readable search, opened for a puzzle with no rules but houses."""

    def __init__(self, puzzle: Puzzle, kind: str) -> None:
        """Raise `Unsupported` for a puzzle with other rules; ``kind`` is the variant of the native engine."""
        if not puzzle.model().is_houses:
            raise Unsupported(
                "expected a puzzle of houses alone for the prover native, got other rules; the prover sat takes any"
            )
        self._puzzle = puzzle
        self._engine = backend(f"native:{kind}" if kind else "native")

    def solution(self, clock: Clock) -> Solution | None:
        """Return a solution from the engine that suits the puzzle, None if there is none."""
        return find_solution(self._puzzle, clock)

    def lemmas(self, task: RefutationTask, clock: Clock) -> list[str]:
        """Return the lemmas, ending in the empty clause; raise an error if the claim is wrong."""
        wanted = 1 if task.known is None else 2
        with session_of(self._engine, _split_into_pairs(self._puzzle.model())) as session:
            if not isinstance(session, SupportsTracing):
                raise Unsupported(f"expected an engine that records its search, got {self._engine.name}")
            tree = session.trace(self._puzzle.assume(), limits=clock.left(), stop_after=wanted)
        for solution in tree.solutions:
            if solution != task.known:
                raise task.refutation_error(solution)
        if tree.stopped is not None and tree.stopped != "solutions":
            raise LimitReached(tree.stopped, f"{clock.elapsed:.3g} s")
        return list(_lemmas(tree, task))


@lru_cache(maxsize=8)
def _split_into_pairs(model: Model) -> Model:
    """Return the model with "all different" over fewer cells than values split into pairs.

    On such cells the engine infers more than unit propagation on clauses: three cells with three values hold each of these.
    """
    statements: list[Statement] = []
    for statement in model.statements:
        cells = statement.constraint.cells if isinstance(statement.constraint, AllDifferent) else ()
        union = 0
        for cell in cells:
            union |= model.domains[cell]
        if PAIR < len(cells) < union.bit_count():
            statements += [statement._replace(constraint=AllDifferent(pair)) for pair in combinations(cells, PAIR)]
        else:
            statements.append(statement)
    return Model(model.domains, tuple(statements), model.board)


def _lemmas(tree: PathTree, task: RefutationTask) -> Iterator[str]:
    """Yield the negated path of every refuted guess except the last at its cell, deeper guesses first, then the empty clause."""
    depth: list[int] = []
    path: list[str] = []
    for node in tree.nodes:
        above = 0 if node.parent is None else depth[node.parent]
        depth.append(above + (node.kind == "guessed"))
        if node.kind != "guessed" or node.cell is None or node.value is None:
            continue
        if len(path) > above:
            # The guess before this one at its cell, with all that was tried below it, has been refuted.
            yield " ".join([*path[: above + 1], EMPTY_CLAUSE])
        path[above:] = [str(-task.rules.variables[node.cell, node.value])]
    yield EMPTY_CLAUSE
