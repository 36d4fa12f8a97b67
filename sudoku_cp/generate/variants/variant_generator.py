"""Generates puzzles with clues of given families: solutions are drawn until the clues selected for one fulfil the request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, LimitReached, WrongAnswer
from sudoku_cp.generate.base import GeneratedPuzzle
from sudoku_cp.generate.general.random_solution import random_solution
from sudoku_cp.generate.random_regions import random_regions
from sudoku_cp.generate.random_streams import random_stream
from sudoku_cp.generate.variants.attempt import Attempt
from sudoku_cp.generate.variants.families import family_named
from sudoku_cp.generate.variants.proposals import style_named
from sudoku_cp.generate.variants.selection_spec import Occupancy
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Limits
    from sudoku_cp.generate.base import GenerateRequest, Target
    from sudoku_cp.generate.variants.clue_solver import CandidateClue
    from sudoku_cp.generate.variants.minimize_clues import SelectedClues
    from sudoku_cp.generate.variants.selection_spec import SelectionSpec

TRIES = 100
"""Solutions drawn for a puzzle before it is given up."""
BETTER = 4
"""Further tries for a puzzle whose clues are all known to be needed, after one for which that is not known."""
EASING, COMPARED = 40, 3
"""The most clues added to make a puzzle easier, and how many are compared for each."""
UNSURE = "some clues may not be needed: a question ran out of conflicts"
SPARE = "some givens are not needed, but stay for the symmetry or the number requested"
EARLY = "clues that are not needed may be left: the limit came first"
MISSED = "the puzzle is not as difficult, or not as easy, as asked for"


@dataclass(frozen=True)
class _Attempted:
    """A puzzle with one solution, and how far it is from the request."""

    puzzle: Puzzle
    selection: SelectedClues
    miss: float


class VariantGenerator:
    """Generates puzzles with clues of ``request.families``, one at a time."""

    engine = "sat"
    chunk_size = 1

    def __init__(self, request: GenerateRequest, seed: int) -> None:
        """Look up the families, style and symmetry that the request names; raises `InvalidInput`."""
        self._request, self._seed = request, seed
        found = [family_named(name) for name in request.families]
        self._families = {family.name: family for family in found}
        self._style = style_named(request.style)
        self._target = _difficulty_target(request)
        orbits(request.grid, request.symmetry)

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[GeneratedPuzzle]:
        """Yield the puzzle of each number, in order."""
        for number in numbers:
            yield self._generate(number, limits.started())

    def _generate(self, number: int, clock: Clock) -> GeneratedPuzzle:
        best: _Attempted | None = None
        last = TRIES
        tries = 0
        reason, why = None, "nothing was chosen yet"
        try:
            while tries < last:
                tries += 1
                tried = self._attempt(tries, random_stream(self._seed, number, "clues", tries), clock)
                if isinstance(tried, str):
                    why = tried
                    continue
                best = tried if best is None or self._badness(tried) < self._badness(best) else best
                if not self._badness(best) or best.selection.reason:
                    break
                if not best.miss:
                    last = min(last, tries + BETTER)
        except LimitReached as reached:
            if best is None or reached.reason == "cancelled":
                raise LimitReached(reached.reason, f"{clock.elapsed:.3g} s, {tries} tries; {why}") from reached
            reason = reached.reason
        if best is None:
            raise LimitReached("nodes", f"no puzzle in {tries} tries; {why}")
        missed = self._describe_missing(best)
        return GeneratedPuzzle(number, best.puzzle, tries, best.selection.reason or reason or "nodes" if missed else None, missed)

    def _badness(self, tried: _Attempted) -> tuple[float, int] | tuple[()]:
        """Return how far it is from the request, in order of weight, and () where it fulfils the request."""
        unneeded = self._request.minimal and (tried.selection.unsure + tried.selection.spare)
        return (tried.miss, int(unneeded)) if tried.miss or unneeded or tried.selection.reason else ()

    def _describe_missing(self, tried: _Attempted) -> str:
        selection, minimal = tried.selection, self._request.minimal
        flaws = {
            MISSED: tried.miss,
            EARLY: selection.reason,
            UNSURE: minimal and selection.unsure,
            SPARE: minimal and selection.spare,
        }
        return "; ".join(words for words, so in flaws.items() if so)

    # --- one try ------------------------------------------------------------------------------------------------

    def _attempt(self, tries: int, random: Random, clock: Clock) -> _Attempted | str:
        """Draw a solution and select clues for it; return the result, or in words why none were found."""
        request = self._request
        board = Puzzle(_with_random_regions(random, request.grid) if request.jigsaw else request.grid, request.rules)
        try:
            solution = random_solution(board, random, clock.left())
        except InvalidInput:
            if not request.jigsaw:
                raise
            return "the regions drawn allow no solution under the rules"
        attempt = Attempt(request, self._families, self._style, board, solution, random, clock, tries)
        chosen = attempt.run()
        if isinstance(chosen, str):
            return chosen
        clues: Sequence[CandidateClue] = chosen.selection.clues
        missed = 0.0
        if (target := self._target) is not None:
            pool = () if request.minimal else chosen.pool
            clues, missed = _ease_puzzle(
                random, clues, pool, chosen.spec, lambda clues: _miss(target, attempt.puzzle(clues), clock)
            )
        puzzle = attempt.puzzle(clues)
        if not puzzle.holds(solution):
            raise WrongAnswer(f"expected clues that hold for the solution {solution!r}, got {puzzle!r}")
        return _Attempted(puzzle, chosen.selection, missed)


def _ease_puzzle(
    random: Random,
    chosen: Sequence[CandidateClue],
    pool: Sequence[CandidateClue],
    spec: SelectionSpec,
    miss: Callable[[Sequence[CandidateClue]], float],
) -> tuple[list[CandidateClue], float]:
    """Return the ``chosen`` clues with some of the ``pool``, added one by one, that bring the puzzle closest to its target.

    Also return how far it is from the target.
    """
    held = list(chosen)
    missed = miss(held)
    for _ in range(EASING):
        occupancy, among = Occupancy(held, spec), set(held)
        able = [clue for clue in pool if clue not in among and occupancy.takes(clue)]
        if not missed or not able:
            break
        tried = [(miss([*held, clue]), clue) for clue in random.sample(able, min(COMPARED, len(able)))]
        least, clue = min(tried, key=lambda pair: pair[0])
        if least > missed:
            break
        held, missed = [*held, clue], least
    return held, missed


def _difficulty_target(request: GenerateRequest) -> Target | None:
    if not request.has_difficulty:
        return None
    from sudoku_cp.generate.targets import make_target  # noqa: PLC0415  # it loads compiled code, which few requests need

    return make_target(replace(request, givens=None))


def _with_random_regions(random: Random, grid: Grid) -> Grid:
    """Return the grid with irregular regions in place of its boxes."""
    boards = [
        replace(board, boxes=None, regions=random_regions(random, board.rows, board.columns, len(grid.values)))
        for board in grid.boards
    ]
    return Grid.of(tuple(boards), grid.values)


def _miss(target: Target, puzzle: Puzzle, clock: Clock) -> float:
    """Return how far a puzzle is from the difficulty requested."""
    import numpy as np  # noqa: PLC0415  # as above

    from sudoku_cp.generate.targets import with_limits  # noqa: PLC0415  # as above

    givens = np.array([[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]], dtype=np.uint8)
    return float(with_limits(target, clock.left()).miss(replace(puzzle, givens={}), givens)[0])
