"""Requests that can never come true: contradictions, and what is known to have no puzzle with one solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.difficulty_mix import WORDS
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.puzzle.symmetry import is_symmetric

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.generate.base import Span, Wishes

FEWEST: Mapping[tuple[int, int], int] = {(2, 2): 4, (3, 3): 17}
"""The fewest givens of a plain board with one solution, by its boxes: 4x4 by exhaustive search, 9x9 by G. McGuire, B. Tugemann
and G. Civario, There is no 16-clue sudoku, 2012. Elsewhere all values but one must be given, or two could change places."""


def contradictions(wishes: Wishes) -> Iterator[str]:
    """Yield wishes that exclude each other, or that no board can fulfil."""
    grid, givens, pattern = wishes.grid, wishes.givens, wishes.pattern
    if wishes.jigsaw and len(grid.boards) > 1:
        yield f"expected one board for irregular regions, got {grid}"
    if pattern is not None and not is_symmetric(grid, wishes.symmetry, pattern):
        yield f"expected a pattern with the symmetry {wishes.symmetry!r} that is asked for, got one without"
    if pattern is not None and givens is not None and givens.miss(len(pattern)):
        yield f"expected a pattern of {format_span(givens)} givens as asked for, got one of {len(pattern)}"
    if givens is not None and givens.least > len(grid.cells):
        yield f"expected at most {len(grid.cells)} givens on {grid}, got {givens.least}"
    if wishes.guesses is not None and wishes.guesses.least > 0 and (wishes.singles_only or wishes.difficulty in WORDS[:2]):
        yield f"expected no guesses where singles alone are to solve it, got {format_span(wishes.guesses)}"
    if wishes.singles_only and wishes.difficulty == "hard":
        yield "expected another difficulty than 'hard' with singles only: it means that singles alone do not solve it"


def impossibilities(wishes: Wishes) -> Iterator[str]:
    """Yield what is impossible under the rules and on the board asked for, both of which are valid."""
    if wishes.style and not wishes.families:
        yield f"expected families of clues beside a style, got the style {wishes.style!r} alone"
    yield from _too_few_givens(wishes)
    bare = wishes.pattern == () or (wishes.givens is not None and wishes.givens.most == 0)
    if bare and wishes.families and _is_reversible(wishes):
        yield (
            f"expected givens beside {', '.join(wishes.families)}, got none: each solution has another, its reverse"
            f" (every value v is {wishes.grid.values[0] + wishes.grid.values[-1]} - v)"
        )


def _is_reversible(wishes: Wishes) -> bool:
    from sudoku_cp.generate.variants.reversible_clues import never_unique  # noqa: PLC0415  # plain boards need none of it

    return never_unique(wishes.grid, wishes.rules, wishes.families)


def _too_few_givens(wishes: Wishes) -> Iterator[str]:
    """Yield that so few givens never leave one solution on a plain board; under more rules they may."""
    board = wishes.grid.boards[0]
    plain = wishes.rules == CLASSIC and not (wishes.families or wishes.jigsaw) and len(wishes.grid.boards) == 1
    if not plain or {len(house) for house in wishes.grid.houses.values()} != {len(wishes.grid.values)}:
        return
    known = FEWEST.get(board.boxes or (0, 0))
    fewest = known or len(wishes.grid.values) - 1
    most = len(wishes.pattern) if wishes.pattern is not None else wishes.givens.most if wishes.givens else None
    if most is not None and most < fewest:
        why = "" if known else ": all values but one must be given"
        yield f"expected at least {fewest} givens, fewer never have one solution on {wishes.grid}{why}; got {most}"


def check_difficulty(wishes: Wishes) -> None:
    """Raise `InvalidInput` where the difficulty asked for is not defined under the rules."""
    if wishes.difficulty is None and wishes.guesses is None and not wishes.singles_only:
        return
    from sudoku_cp.generate.targets import make_target  # noqa: PLC0415  # it needs arrays

    make_target(wishes)


def format_span(span: Span) -> str:
    """Return a span as people write it: ``3``, ``3..7``, ``3..``."""
    if span.least == span.most:
        return str(span.least)
    return f"{span.least}..{'' if span.most is None else span.most}"
