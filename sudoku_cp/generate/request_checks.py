"""Requests that can never be fulfilled: contradictions, and what is known to have no puzzle with one solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.difficulty_mix import DIFFICULTIES
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.generate.base import GenerateRequest, Span

FEWEST: Mapping[tuple[int, int], int] = {(2, 2): 4, (3, 3): 17}
"""The fewest givens of a plain board with one solution, by its boxes: 4x4 by exhaustive search, 9x9 by G. McGuire, B. Tugemann
and G. Civario, There is no 16-clue sudoku, 2012. Elsewhere all values but one must be given, or two could change places."""


def contradictions(request: GenerateRequest) -> Iterator[str]:
    """Yield contradictions within a request, and what fits no board."""
    grid, givens, pattern = request.grid, request.givens, request.pattern
    if request.jigsaw and len(grid.boards) > 1:
        yield f"expected one board for irregular regions, got {grid}"
    if pattern is not None and not is_symmetric(grid, request.symmetry, pattern):
        yield f"expected a pattern with the symmetry {request.symmetry!r} that is asked for, got one without"
    if pattern is not None and givens is not None and givens.miss(len(pattern)):
        yield f"expected a pattern of {format_span(givens)} givens as asked for, got one of {len(pattern)}"
    if givens is not None and givens.least > len(grid.cells):
        yield f"expected at most {len(grid.cells)} givens on {grid}, got {givens.least}"
    if (
        request.guesses is not None
        and request.guesses.least > 0
        and (request.singles_only or request.difficulty in DIFFICULTIES[:2])
    ):
        yield f"expected no guesses where singles alone are to solve it, got {format_span(request.guesses)}"
    if request.singles_only and request.difficulty == "hard":
        yield "expected another difficulty than 'hard' with singles only, got 'hard': singles alone do not solve such puzzles"


def impossibilities(request: GenerateRequest) -> Iterator[str]:
    """Yield what is impossible under the rules and on the board asked for, both of which are valid."""
    if request.style and not request.families:
        yield f"expected families of clues with a style, got the style {request.style!r} alone"
    yield from _too_few_givens(request)
    bare = request.pattern == () or (request.givens is not None and request.givens.most == 0)
    if bare and request.families:
        from sudoku_cp.generate.variants.reversible_clues import never_unique  # noqa: PLC0415  # plain boards need none of it

        if never_unique(request.grid, request.rules, request.families):
            yield (
                f"expected givens with {', '.join(request.families)}, got none: each solution has another, its reverse"
                f" (every value v is {request.grid.values[0] + request.grid.values[-1]} - v)"
            )


def _too_few_givens(request: GenerateRequest) -> Iterator[str]:
    """Yield a problem if so few givens never leave one solution on a plain board; with more rules they may."""
    board = request.grid.boards[0]
    plain = request.rules == CLASSIC and not (request.families or request.jigsaw) and len(request.grid.boards) == 1
    if not plain or {len(house) for house in request.grid.houses.values()} != {len(request.grid.values)}:
        return
    known = FEWEST.get(board.boxes or (0, 0))
    fewest = known or len(request.grid.values) - 1
    most = len(request.pattern) if request.pattern is not None else request.givens.most if request.givens else None
    if most is not None and most < fewest:
        why = "" if known else ": all values but one must be given"
        yield f"expected at least {fewest} givens, fewer never have one solution on {request.grid}{why}; got {most}"


def check_difficulty(request: GenerateRequest) -> None:
    """Raise `InvalidInput` where the difficulty asked for is not defined under the rules."""
    if request.has_difficulty:
        from sudoku_cp.generate.targets import make_target  # noqa: PLC0415  # it needs arrays

        make_target(request)


def format_span(span: Span) -> str:
    """Return a span as people write it: ``3``, ``3..7``, ``3..``."""
    if span.least == span.most:
        return str(span.least)
    return f"{span.least}..{'' if span.most is None else span.most}"
