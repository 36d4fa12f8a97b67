"""Requests that can never be fulfilled: contradictions, and what is known to have no puzzle with one solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import OptionProblem
from sudoku_cp.generate.difficulty_mix import DIFFICULTIES
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.generate.base import GenerateRequest, Span

FEWEST: Mapping[tuple[int, int], int] = {(2, 2): 4, (3, 3): 17}
"""The fewest givens of a plain board with one solution, by its boxes: 4x4 by exhaustive search, 9x9 by G. McGuire, B. Tugemann
and G. Civario, There is no 16-clue sudoku, 2012. Elsewhere all values but one must be given, or two could change places."""


def contradictions(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield contradictions within a request, and what fits no board."""
    grid, givens, pattern = request.grid, request.givens, request.pattern
    if request.jigsaw and len(grid.boards) > 1:
        yield OptionProblem(f"expected one board for irregular regions, got {grid}", "rules")
    if pattern is not None and not is_symmetric(grid, request.symmetry, pattern):
        yield OptionProblem(f"expected a pattern with the `symmetry` {request.symmetry!r}, got one without", "pattern")
    if pattern is not None and givens is not None and givens.miss(len(pattern)):
        yield OptionProblem(
            f"expected a pattern of {format_span(givens)} givens, as `givens` says, got {len(pattern)}", "pattern"
        )
    if givens is not None and givens.least > len(grid.cells):
        yield OptionProblem(f"expected at most {len(grid.cells)} givens on {grid}, got {givens.least}", "givens")
    singles = ["`singles_only`"] * request.singles_only
    singles += [f"`difficulty` {request.difficulty}"] * (request.difficulty in DIFFICULTIES[:2])
    if request.guesses is not None and request.guesses.least > 0 and singles:
        words = f"expected no guesses with {' and '.join(singles)}: singles alone solve such puzzles"
        yield OptionProblem(f"{words}; got {format_span(request.guesses)}", "guesses")
    if request.singles_only and request.difficulty == "hard":
        words = "expected another difficulty with `singles_only`, got 'hard': singles alone do not solve such puzzles"
        yield OptionProblem(words, "difficulty")


def impossibilities(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield what is impossible under the rules and on the board asked for, both of which are valid."""
    if request.style and not request.families:
        yield OptionProblem(f"expected families of clues among `rules` with a style, got {request.style!r} alone", "style")
    yield from _too_few_givens(request)
    yield from _all_given(request)
    bare = request.pattern == () or (request.givens is not None and request.givens.most == 0)
    if bare and request.families:
        from sudoku_cp.generate.variants.reversible_clues import never_unique  # noqa: PLC0415  # plain boards need none of it

        if never_unique(request.grid, request.rules, request.families):
            words = (
                f"expected givens with the `rules` {', '.join(request.families)}, got none: each solution has another, its"
                f" reverse (every value v is {request.grid.values[0] + request.grid.values[-1]} - v)"
            )
            yield OptionProblem(words, "pattern" if request.pattern == () else "givens")


def _all_given(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield a problem if all cells are given in a minimal puzzle: in a house of all values, one follows from the others."""
    cells, values = len(request.grid.cells), len(request.grid.values)
    given = len(request.pattern) if request.pattern is not None else request.givens.least if request.givens else 0
    if request.minimal and given == cells and any(len(house) == values for house in request.grid.houses.values()):
        words = f"expected fewer than {cells} givens with `minimal`, got {given}: the last of a row follows from the others"
        yield OptionProblem(words, "givens" if request.pattern is None else "pattern")


def _too_few_givens(request: GenerateRequest) -> Iterator[OptionProblem]:
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
        words = f"expected at least {fewest} givens, fewer never have one solution on {request.grid}{why}; got {most}"
        yield OptionProblem(words, "givens" if request.pattern is None else "pattern")


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
