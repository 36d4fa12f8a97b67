"""Generates puzzles on plain boards, many at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import Limits
from sudoku_cp.backends.fast.box_shapes import shape_of, side_of
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, PuzzleArray
from sudoku_cp.generate.plain.dig_strategy import LARGE, UNJUDGED, BatchJudge, DigStrategy
from sudoku_cp.generate.plain.dig_with_probes import minimal_boards
from sudoku_cp.generate.plain.hill_climbing import ClimbResult, climb
from sudoku_cp.generate.plain.pattern_strategy import PatternStrategy
from sudoku_cp.generate.plain.uniform_grids import TRIED
from sudoku_cp.generate.targets import make_target, with_limits
from sudoku_cp.logic.difficulty_level import Level, parse_level
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Clock
    from sudoku_cp.generate.base import Target

AT_A_TIME, CLIMBING, FEWEST = 4096, 512, 32
"""Puzzles made at a time: 9x9; 9x9 where each takes a search; the largest boards. They fill the lanes and are done in some tenths
of a second, searches in a few seconds."""
WHEN_RATED = 4
"""Puzzles made at a time where each change is rated, one after the other."""
UNCHECKED = "not checked in time"
SOON = 0.1
"""Seconds for finding out which parts of the request a puzzle misses, once its time is over."""
GROWTH, SEARCHED = 1.8, 3.5
"""The number made at a time falls with these powers of the cells, without and with a search. The time to dig a single board grows
faster; but few boards leave lanes idle, so a 16x16 puzzle takes twice as long among 32 as among 512."""


class PlainGenerator:
    """Generates puzzles on a plain board by the lane kernel."""

    engine = "fast:lanes"

    def __init__(self, request: GenerateRequest, seed: int) -> None:
        """Choose the strategy for the request; raises `Unsupported` for boards and rules that the kernel does not take."""
        self._request, self._base = request, Puzzle(request.grid, request.rules)
        boxes = shape_of(self._base.model())
        if boxes is None or request.families or request.jigsaw:
            raise Unsupported(f"expected a plain board with boxes for the lane kernel, got {request.grid} with {request.rules}")
        is_large = side_of(boxes) >= LARGE
        asks = request.givens is not None or request.has_difficulty
        is_minimal_when_dug = request.symmetry == "none" and request.pattern is None and not is_large
        # Large boards are dug with few guesses; if they only have to be minimal, SAT continues from there.
        self._polishes = request.minimal and is_large and not asks and request.pattern is None and request.symmetry == "none"
        minimal = request.minimal and not is_minimal_when_dug and not self._polishes
        judge = BatchJudge(self._base, boxes, make_target(request) if asks else None, minimal)
        self._digging = DigStrategy(request, seed, judge, _level(request), by_rows=self._polishes)
        self._strategy = self._digging if request.pattern is None else PatternStrategy(request, seed, judge)
        searches = asks or minimal or request.pattern is not None
        most, growth = (CLIMBING, SEARCHED) if searches else (AT_A_TIME, GROWTH)
        self.chunk_size = max(FEWEST, min(most, int(AT_A_TIME * (81 / len(request.grid.cells)) ** growth)))
        if request.is_rated:
            self.chunk_size = WHEN_RATED
        if self._polishes:
            self.chunk_size = 1
        # The most common requests are made in one go.
        self._is_quick = boxes in TRIED and replace(request, minimal=False) == GenerateRequest(request.grid, request.rules)
        self._seed = seed

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzle of each number, in the order in which they are finished."""
        timed = replace(limits, nodes=None)
        if self._is_quick:
            who = np.unique(np.asarray(numbers, np.int64))
            givens, grids = minimal_boards(self._seed, who, boxes=self._digging.judge.boxes, limits=timed)
            yield PuzzleArray(self._base, who, givens, grids, np.ones_like(who))
            return
        if self._polishes:
            for number in numbers:
                yield self._dig_to_minimal(number, timed.started())
            return
        for done in climb(self._strategy, numbers, timed):
            yield from self._make_results(done)

    def _make_results(self, done: ClimbResult) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzles of a climb: as arrays, or one by one where a limit came first."""
        rows = done.rows
        sheet = PuzzleArray(self._base, rows.numbers, rows.givens, rows.grids, done.total_tries)
        if done.reached is None:
            yield sheet
            return
        for made, row, miss in zip(sheet.each(), rows.givens, rows.miss, strict=True):
            yield replace(made, reason=done.reached.reason, missed=self._missed(row, judged=miss != UNJUDGED))

    def _missed(self, row: NDArray[np.uint8], *, judged: bool) -> str:
        """Describe which fields of the request a puzzle does not fulfil, and which were not checked in time."""
        request, base = self._request, self._base
        names = ("givens", "difficulty", "guesses", "singles_only", "rating", "needs")
        alone = {name: GenerateRequest(request.grid, request.rules, **{name: getattr(request, name)}) for name in names}
        met: dict[str, bool | None] = {name: _is_met_soon(make_target(one), base, row) for name, one in alone.items()}
        unmet = [name for name, so in met.items() if so is False]
        unchecked = [name for name, so in met.items() if so is None]
        if request.minimal and not judged:
            unchecked.append("minimal")
        elif request.minimal and not unmet and not unchecked:
            unmet.append("minimal")
        words = {"not as asked for": unmet, UNCHECKED: unchecked}
        return "; ".join(f"{what}: {', '.join(which)}" for what, which in words.items() if which) or UNCHECKED

    def _dig_to_minimal(self, number: int, clock: Clock) -> GeneratedPuzzle:
        """Return a minimal puzzle of a large board: dug by probes with few guesses, then by SAT."""
        from sudoku_cp.generate.general.dig_with_cores import dig_with_cores  # noqa: PLC0415  # a SAT solver that only large boards need

        rows = self._digging.begin(np.array([number]), np.zeros(1, np.int64), clock.left())
        solution = tuple(rows.grids[0].tolist())
        units = [(cell,) for cell in self._digging.orders(rows.numbers, rows.tries)[0].tolist() if rows.givens[0, cell]]
        found = dig_with_cores(self._base, solution, units, minimal=True, limits=clock.left())
        puzzle = replace(self._base, givens=found.givens, solution=solution)
        missed = "" if found.reason is None else "it has one solution, but some givens could perhaps be left out"
        return GeneratedPuzzle(number, puzzle, 1, found.reason, missed)


def _is_met_soon(target: Target, base: Puzzle, row: NDArray[np.uint8]) -> bool | None:
    """Return whether a puzzle reaches a target, None where finding out takes longer than `SOON`."""
    try:
        return bool(with_limits(target, Limits(SOON)).miss(base, row[None])[0] == 0)
    except LimitReached:
        return None


def _level(request: GenerateRequest) -> Level | None:
    """Return the level whose singles must solve the puzzle while it is dug; None where only uniqueness matters."""
    level = parse_level(request.difficulty) if request.difficulty else Level.MEDIUM if request.singles_only else Level.HARD
    return None if request.minimal or level is Level.HARD else level
