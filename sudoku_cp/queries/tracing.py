"""How an engine came to its answer: the path tree, and the marks given / forced / guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits, Traces
from sudoku_cp.errors import InvalidInput, Unsupported, WrongAnswer
from sudoku_cp.puzzle import Origin, Position
from sudoku_cp.queries.sessions import Engine, engine_of, session_of

if TYPE_CHECKING:
    from sudoku_cp.backends.tree import PathTree
    from sudoku_cp.puzzle import Puzzle


def trace(puzzle: Puzzle, *, backend: Engine = "native", limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
    """Return the whole path tree of the search for ``stop_after`` solutions (None: all).

    A limit ends the tree early, as its ``stopped`` says. Raises `Unsupported` for an engine that cannot record its search.
    """
    if stop_after is not None and stop_after < 1:
        raise InvalidInput(f"expected to stop after 1 solution or more, got {stop_after!r}")
    model = puzzle.model()
    engine = engine_of(backend, model)
    with session_of(engine, model) as session:
        if not isinstance(session, Traces):
            raise Unsupported(f"expected an engine that records its search, such as native; got {engine.name}")
        tree = session.trace(puzzle.assume(), limits=limits, stop_after=stop_after)
    for solution in tree.solutions:
        if not puzzle.holds(solution):
            raise WrongAnswer(f"expected a solution of {puzzle!r}, got {solution!r}")
    return tree


def marked(puzzle: Puzzle, tree: PathTree, index: int = 0) -> Position:
    """Return the solution of that index with every value marked given, forced or guessed, as the search came to it."""
    if not 0 <= index < len(tree.solutions):
        raise InvalidInput(f"expected one of the {len(tree.solutions)} solutions in the tree, got the one of index {index}")
    guessed = {
        node.cell: Origin.GUESSED for node in tree.solution_path(index) if node.kind == "guessed" and node.cell is not None
    }
    return Position.of(puzzle, tree.solutions[index], guessed)


def statements(puzzle: Puzzle) -> list[str]:
    """Return the words of each statement of the puzzle's model, for a path tree's reasons."""
    return [str(statement) for statement in puzzle.model().statements]
