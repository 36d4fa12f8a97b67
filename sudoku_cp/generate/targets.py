"""Targets of the search for puzzles: properties beyond a unique solution, each a measure of how far a puzzle is from it.

A target is any object with the method ``miss`` of `Target`. A new rating is one more class:

    @dataclass(frozen=True)
    class Rated:
        span: Span

        def miss(self, base, givens):
            return np.array([self.span.miss(rating(puzzle)) for puzzle in iter_puzzles(base, givens)], np.float64)

Hill climbing needs a slope: of two puzzles that miss the target, the one that is fewer changes
away should miss by less.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sudoku_cp.backends import UNLIMITED, Clock, Limits, SupportsCounters
from sudoku_cp.backends.fast.scalar_solver import count_nodes, make_tables
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.generate.requested_ratings import Needed, RatingSpan, techniques_of
from sudoku_cp.logic.array_singles import CellGroups, groups_of, open_cells_of_arrays
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.difficulty_level import Level, open_cells_of, parse_level
from sudoku_cp.logic.ladder import RUNGS, apply_steps
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.rating.path_score import ORDER
from sudoku_cp.logic.rating.puzzle_levels import allows, path_within, used_techniques
from sudoku_cp.logic.rating.ratings import Scale, rate_on
from sudoku_cp.logic.step import Technique
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.solution_search import engine_of, session_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.scalar_kernel import BoardTables
    from sudoku_cp.generate.base import GenerateRequest, Span, Target
    from sudoku_cp.logic.rating.levels import LevelBand, SpanPath


FURTHER = 64
"""Guesses are counted up to this number beyond the span, to give the climb a slope."""


def make_target(request: GenerateRequest) -> Target:
    """Return the target for the difficulty and number of givens requested: the sum of all misses.

    Raises `InvalidInput` where a rating is requested on a scale that does not apply to the rules.
    """
    targets: list[Target] = []
    if request.difficulty is not None:
        band = request.band
        targets.append(BandTarget(band, request.levels.scale) if band else LevelTarget(parse_level(request.difficulty)))
    if request.singles_only:
        targets.append(SinglesOnlyTarget())
    if request.guesses is not None:
        targets.append(GuessesTarget(request.guesses))
    if request.givens is not None:
        targets.append(GivensTarget(request.givens))
    if request.rating is not None:
        check_scale(request)
        targets.append(RatingTarget(request.rating))
    if request.needs:
        targets.append(NeedsTarget(request.needs))
    return targets[0] if len(targets) == 1 else CombinedTarget(tuple(targets))


def with_limits(target: Target, limits: Limits) -> Target:
    """Return the same target within limits: measuring difficulty may raise `LimitReached`."""
    match target:
        case CombinedTarget(targets):
            return CombinedTarget(tuple(with_limits(one, limits) for one in targets))
        case LevelTarget() | SinglesOnlyTarget() | GuessesTarget() | RatingTarget() | NeedsTarget() | BandTarget():
            return replace(target, limits=limits)
        case _:
            return target


@dataclass(frozen=True)
class CombinedTarget:
    """The sum of the misses of several targets; without any it is always reached."""

    targets: tuple[Target, ...]

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the sum of the misses."""
        total = np.zeros(len(givens))
        for target in self.targets:
            total += target.miss(base, givens)
        return total


@dataclass(frozen=True)
class LevelTarget:
    """A level of difficulty: a puzzle of another level misses by 1 to 3.

    The slope: towards easy, the fewer cells hidden singles leave open, the smaller the miss; from hard to medium, the fewer cells
    all singles leave open; upwards, the more cells hidden singles leave open, and the fewer givens an easy puzzle has.
    """

    level: Level
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles of the level."""
        left = _open_cells(base, givens, self.limits)
        cells = givens.shape[1]
        after_hidden, after_all = left.T / cells
        clues = np.count_nonzero(givens, axis=1) / cells
        level = np.where(after_all > 0, Level.HARD, np.where(after_hidden > 0, Level.MEDIUM, Level.EASY))
        share = {
            Level.EASY: np.where(level == Level.HARD, 1 + (after_hidden + after_all) / 2, after_hidden),
            Level.MEDIUM: np.where(level == Level.HARD, after_all, clues),
            Level.HARD: np.where(level == Level.EASY, 1 + clues, 1 - after_hidden),
        }[self.level]
        return np.where(level == self.level, 0, 1 + share)


@dataclass(frozen=True)
class SinglesOnlyTarget:
    """Naked and hidden singles solve the puzzle; others miss by 1 to 2, the less the fewer cells singles leave open."""

    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles that singles solve."""
        after_all = _open_cells(base, givens, self.limits)[:, 1] / givens.shape[1]
        return np.where(after_all > 0, 1 + after_all, 0)


def _open_cells(base: Puzzle, givens: NDArray[np.uint8], limits: Limits) -> NDArray[np.int64]:
    """Return how many cells hidden singles leave open, and all singles do, in each puzzle (N, 2). Raises `LimitReached`."""
    if not layout_of(base).parts:
        return open_cells_of_arrays(groups_of(base), givens, limits=limits)
    clock = limits.started()
    return np.array([open_cells_of(puzzle, limits=clock.left()) for puzzle in iter_puzzles(base, givens)], np.int64).reshape(
        -1, 2
    )


@dataclass(frozen=True)
class GuessesTarget:
    """The guesses of the reference engine (see `count_guesses`), under any rules.

    A puzzle misses by log2 of the ratio of its guesses + 1 to the nearer bound + 1. Where guesses are wanted and none is needed,
    it misses by up to 1 more: the fewer cells hidden singles leave open, the more.
    """

    span: Span
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles within the span."""
        least, most = self.span.least, self.span.most
        guesses = count_guesses(base, givens, least if most is None else 2 * most + FURTHER, limits=self.limits)
        over = np.zeros(len(givens)) if most is None else np.log2((1 + guesses) / (1 + most))
        missed: NDArray[np.float64] = np.maximum(0, np.maximum(over, np.log2((1 + least) / (1 + guesses))))
        none = np.flatnonzero((guesses == 0) & (missed > 0))
        if len(none) and base.model().is_houses:
            left = open_cells_of_arrays(groups_of(base), givens[none], limits=self.limits)
            missed[none] += 1 - left[:, 0] / givens.shape[1]
        return missed


@dataclass(frozen=True)
class GivensTarget:
    """The number of givens: a puzzle misses by as many as are too many or too few."""

    span: Span

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:  # noqa: ARG002  # part of the protocol
        """Return 0 for puzzles within the span."""
        number = np.count_nonzero(givens, axis=1)
        most = self.span.most
        over = np.zeros(len(givens)) if most is None else np.maximum(0.0, number - most)
        missed: NDArray[np.float64] = np.maximum(over, self.span.least - number)
        return missed


# Targets for puzzles that are rated one by one: a rating on a scale, and techniques that must occur.
#
# What is rated takes a thousand times as long as what the lane kernel does, so few puzzles are rated at a time, and the miss is
# made for few changes rather than for many: the distance of the rating itself, or of the hardest technique on the path.


UNRATED = 1000.0
"""The miss of a puzzle to which the scale does not apply."""
EXPLAINED = frozenset({"se", "sukaku"})
"""The scales of the Explainers."""
HIGHEST = 20.0
"""A rating that no puzzle has."""
SEED, BEYOND = 0.0, 1.5
"""The least miss of puzzles beyond the span with and without a step in it."""
_POINTS = {"hodoku": 100.0}
"""What counts as a miss by 1, where it is more than 1: scores are sums of tens and hundreds."""

_RANK: Mapping[Technique, int] = {rung.technique: rank for rank, rung in enumerate(RUNGS)}
_NUMBER: Mapping[str, Callable[[Any], float]] = {
    "se": lambda found: found.er,
    "sukaku": lambda found: found.er,
    "proof": lambda found: found.largest,
    "hodoku": lambda found: found.score,
}
"""The number of a rating that people mean by it."""


def iter_puzzles(base: Puzzle, givens: NDArray[np.uint8]) -> Iterator[Puzzle]:
    """Yield the puzzles of an array one by one, for targets that rate single puzzles."""
    for row in givens.tolist():
        yield base.with_givens({cell: value for cell, value in enumerate(row) if value})


def check_scale(request: GenerateRequest) -> None:
    """Raise `Unsupported` where the scale of the rating requested does not apply to the puzzles."""
    if request.rating is None or request.rating.scale not in EXPLAINED:
        return
    from sudoku_cp.logic.rating.explainer import PROGRAMS, check_rules  # noqa: PLC0415  # compiled code, which others do without

    scale = request.rating.scale
    if request.families or request.jigsaw:
        raise Unsupported(
            f"expected a rating on the scale proof or hodoku with the clues or irregular regions of `rules`, got {scale}"
        )
    check_rules(Puzzle(request.grid, request.rules), PROGRAMS[scale])


def span_misses(
    base: Puzzle, givens: NDArray[np.uint8], scale: str, least: float, most: float, clock: Clock
) -> NDArray[np.float64]:
    """Return how far puzzles are from a span of an Explainer, or of the ladder's ratings where no Explainer rates them.

    It is less than 1 where the path has a step of the span and something beyond it: then the fewer cells are open there, the
    less. Below the span it is 1 more than the distance, elsewhere more the more cells are open. Raises `LimitReached`.
    """
    cells = int(givens.shape[1])

    def miss(path: SpanPath) -> float:
        if not path.open:
            return 0.0 if path.top >= least else 1 + least - path.top
        return (SEED if path.met else BEYOND) + path.open / cells

    return np.array([miss(path) for path in _paths(base, givens, scale, least, most, clock)], np.float64)


def _paths(base: Puzzle, givens: NDArray[np.uint8], scale: str, least: float, most: float, clock: Clock) -> Iterator[SpanPath]:
    from sudoku_cp.logic.rating.explainer import PROGRAMS, rated_board  # noqa: PLC0415  # compiled code, which others do without
    from sudoku_cp.logic.rating.span_ratings import walk_within  # noqa: PLC0415  # as above

    try:
        board = rated_board(base, PROGRAMS[scale])
    except Unsupported:
        return (path_within(puzzle, scale, least, most, limits=clock.left()) for puzzle in iter_puzzles(base, givens))
    first = base.grid.values[0]
    rows = np.where(givens > 0, givens.astype(np.int64) - first + 1, 0)
    return (walk_within(row, board, scale, least, most, clock) for row in rows)


@dataclass(frozen=True)
class BandTarget:
    """A level beyond what singles decide: a span of ratings, on the ladder where no Explainer rates the puzzles.

    A puzzle of that span with techniques that the level does not allow misses by 1.
    """

    band: LevelBand
    scale: str
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles of the level. Raises `LimitReached`."""
        clock, band = self.limits.started(), self.band
        if band.most == inf:  # what is beyond is not searched
            below = _paths(base, givens, self.scale, 1.0, round(band.least - 0.1, 1), clock)
            missed = np.array([0.0 if path.open else 1 + band.least - path.top for path in below], np.float64)
        else:
            missed = span_misses(base, givens, self.scale, band.least, band.most, clock)
        for row in np.flatnonzero(missed == 0) if band.techniques else ():
            (puzzle,) = iter_puzzles(base, givens[row : row + 1])
            missed[row] = 0.0 if allows(band, used_techniques(puzzle, clock.left())) else 1.0
        return missed


@dataclass(frozen=True)
class RatingTarget:
    """A rating on a scale: a puzzle misses by the distance of its own from the span.

    On the scales of the Explainers no step beyond the span is searched, see `span_misses`.
    """

    span: RatingSpan
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles within the span. Raises `LimitReached`."""
        clock, span = self.limits.started(), self.span
        if span.scale in EXPLAINED:
            most = HIGHEST if span.most is None else span.most
            return span_misses(base, givens, span.scale, span.least, most, clock)
        return np.array([self._miss(puzzle, clock.left()) for puzzle in iter_puzzles(base, givens)], np.float64)

    def _miss(self, puzzle: Puzzle, limits: Limits) -> float:
        scale = self.span.scale
        try:
            found = rate_on(cast("Scale", scale), puzzle, limits=limits)
        except Unsupported:
            return UNRATED
        return self.span.miss(_NUMBER[scale](found)) / _POINTS.get(scale, 1.0)


@dataclass(frozen=True)
class NeedsTarget:
    """Techniques that occur on the path that HoDoKu's score is taken from: the easiest step each time.

    Of several in a tuple, one will do. The path is followed until all have occurred, or none up to the hardest of them leads on.
    A puzzle misses by 1 for each that does not occur, and by up to 1 more the farther its hardest technique is from it.
    """

    techniques: tuple[Needed, ...]
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles whose path has all of the techniques. Raises `LimitReached`."""
        clock = self.limits.started()
        return np.array([self._miss(puzzle, clock.left()) for puzzle in iter_puzzles(base, givens)], np.float64)

    def _miss(self, puzzle: Puzzle, limits: Limits) -> float:
        wanted = [frozenset(techniques_of(one)) for one in self.techniques]
        highest = max(place for place, rung in enumerate(ORDER) if any(rung.technique in needed for needed in wanted))
        board, used = make_board(puzzle, limits.started()), set[Technique]()
        for step in apply_steps(board, ORDER[: highest + 1]):
            used.add(step.technique)
            if all(used & needed for needed in wanted):
                return 0.0
        hardest = len(RUNGS) if board.open else max((_RANK[technique] for technique in used), default=0)
        missing = [needed for needed in wanted if not used & needed]
        return sum(1 + min(abs(hardest - _RANK[one]) for one in needed) / len(RUNGS) for needed in missing)


# Search effort: how many values the reference engine tries before it knows that a puzzle has one solution.
#
# The engine is ``native:readable``. Where propagation alone finds the solution it tries none, so puzzles that singles solve
# take 0 guesses. Its search is deterministic, so the number is a property of the puzzle. The scalar kernel visits the same nodes
# where all groups are houses or pairs: the fixpoint of singles does not depend on their order, and both guess the first cell with
# the fewest candidates, values in increasing order.


PAIR = SEVERAL = 2
MOST_VALUES = 31
"""The scalar kernel has a bit of a word for each value, and one more."""


def count_guesses(base: Puzzle, givens: NDArray[np.uint8], most: int, *, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return how many guesses prove each puzzle (N, cells), with the rules of ``base``, to have one solution; at most ``most``.

    Raises `LimitReached`.
    """
    clock = limits.started()
    if base.model(clock.check).is_houses and (tables := _scalar_tables(groups_of(base))):
        domains = _domains_of(base, givens)
        found, possible = np.zeros(len(givens), np.int64), domains.all(axis=1)
        found[possible] = count_nodes(tables, domains[possible], most + 1, clock) - 1
        return found
    return np.array([_count_by_engine(base, row, most, clock) for row in givens.tolist()], np.int64)


@lru_cache(maxsize=16)
def _scalar_tables(groups: CellGroups) -> BoardTables | None:
    """Return groups as the scalar kernel reads them, if it visits the nodes of the reference engine under them."""
    houses, others = groups.cells[: groups.houses], groups.cells[groups.houses :]
    distinct = all(len(set(cells)) == len(cells) for cells in groups.cells)
    covered = len(set().union(*groups.cells)) == len(groups.domains)
    if not houses or len(houses[0]) > MOST_VALUES or any(len(cells) > PAIR for cells in others) or not distinct or not covered:
        return None
    return make_tables(houses, groups.cells, len(groups.domains))


def _domains_of(base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the set (bits) of what each cell (N, cells) may hold, with the first value as 1."""
    first, *_ = values = base.grid.values
    sets = np.zeros(1 + np.iinfo(np.uint8).max, np.uint32)
    sets[values] = [2 << value - first for value in values]
    sets[0] = (2 << len(values)) - 2
    own = np.array([domain >> first << 1 for domain in groups_of(base).domains], np.uint32)
    domains: NDArray[np.uint32] = sets[givens] & own
    return domains


def _count_by_engine(base: Puzzle, row: list[int], most: int, clock: Clock) -> int:
    """Return the guesses that the engine itself makes."""
    puzzle = base.with_givens({cell: value for cell, value in enumerate(row) if value})
    engine = engine_of("native:readable", base.model())
    with session_of(engine, base.model()) as session:
        try:
            for _ in islice(session.solutions(puzzle.assume(), limits=replace(clock.left(), nodes=most)), SEVERAL):
                pass
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
        assert isinstance(session, SupportsCounters)  # noqa: S101  # the engine is our own
        return min(most, session.counters()["guesses"])
