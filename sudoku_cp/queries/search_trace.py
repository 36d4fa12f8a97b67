"""How an engine arrived at its answer: the path tree, and each value as given, forced or guessed."""

from __future__ import annotations

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits, SupportsCounters, SupportsTracing
from sudoku_cp.backends.search_tree import PathTree
from sudoku_cp.errors import InvalidInput, Unsupported, WrongAnswer
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.queries.solution_search import Answer, Engine, engine_of, is_solution, make_answer, session_of


@checked
def trace(puzzle: Puzzle, *, backend: Engine = "native", limits: Limits = UNLIMITED, stop_after: int | None = 1) -> PathTree:
    """Return the path tree of the search for ``stop_after`` solutions (None: all).

    A limit ends the tree early, as its ``stopped`` says. Raises `Unsupported` for an engine that cannot record its search.
    """
    _, tree = solve_traced(puzzle, backend=backend, limits=limits, solution_limit=stop_after)
    return tree


def solve_traced(
    puzzle: Puzzle, *, backend: Engine = "native", limits: Limits = UNLIMITED, solution_limit: int | None = 2
) -> tuple[Answer, PathTree]:
    """Return what `solve` returns, with the path tree of the one search that found it.

    Raises `LimitReached` if a limit comes before the search begins, while the rules are translated.
    """
    if solution_limit is not None and solution_limit < 1:
        raise InvalidInput(f"expected to stop after 1 solution or more, got {solution_limit!r}")
    clock = limits.started()
    model = puzzle.model(clock.check)
    engine = engine_of(backend, model)
    with session_of(engine, model, clock.check) as session:
        if not isinstance(session, SupportsTracing):
            raise Unsupported(f"expected an engine that records its search, such as native; got {engine.name}")
        tree = session.trace(puzzle.assume(), limits=clock.left(), stop_after=solution_limit)
        counters = session.counters() if isinstance(session, SupportsCounters) else {}
    for solution in tree.solutions:
        if not is_solution(puzzle, solution):
            raise WrongAnswer(f"expected a solution of {puzzle!r}, got {solution!r}")
    answer = make_answer(
        puzzle,
        count=len(tree.solutions),
        exact=tree.stopped is None,
        reason=None if tree.stopped == "solutions" else tree.stopped,
        backend=engine.name,
        seconds=clock.elapsed,
        solutions=tree.solutions,
        counters=counters,
    )
    return answer, tree


@checked
def mark_origins(puzzle: Puzzle, tree: PathTree, index: int = 0) -> Position:
    """Return the solution at ``index``, every value marked as given, forced or guessed in the search."""
    if not 0 <= index < len(tree.solutions):
        raise InvalidInput(f"expected one of the {len(tree.solutions)} solutions in the tree, got the one of index {index}")
    guessed = {
        node.cell: Origin.GUESSED for node in tree.solution_path(index) if node.kind == "guessed" and node.cell is not None
    }
    return Position.of(puzzle, tree.solutions[index], guessed)


def statement_texts(puzzle: Puzzle) -> list[str]:
    """Return each statement of the puzzle's model in words, for the reasons in a path tree."""
    return [str(statement) for statement in puzzle.model().statements]
