"""Puzzles in chunks: made, put in order, proved by another engine, and without repetitions.

Theory of operation. `generate_chunk` makes the puzzles of some numbers and proves them; the result depends on these numbers, the
request and the seed alone, so chunks can be made anywhere and in any order. A `RepeatFilter` sees finished chunks in the order
of their numbers and drops puzzles that are isomorphic to earlier ones. `generate_in_chunks` runs both in this process; `batch`
runs `generate_chunk` in workers.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import Cancellation, Clock, Limits, backend
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.base import GeneratedPuzzle, Generator, PuzzleArray
from sudoku_cp.generate.cross_proofs import iter_proofs, prover_names, sample_to_prove
from sudoku_cp.generate.difficulty_mix import DifficultyMix, Quota
from sudoku_cp.generate.distinct_puzzles import SeenPuzzles, keys_of
from sudoku_cp.interrupts import start_thread
from sudoku_cp.time_limits import loading_seconds, time_without_loading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.puzzle import Puzzle


PATIENCE = 5_000
"""After this number of repetitions in a row it is assumed that there are hardly any other puzzles."""
PROVING, MOST_PROVING, LONG_PROVING = 0.2, 1.0, 0.05
"""The time reserved for a proof: the last share of the limit, as large boards dug for minutes are hard to prove. For one that
needs an engine loaded and a search, the first share if that is more, but not more than the second number of seconds."""
SPARE = 0.05
"""Seconds that a proof gets at least: what makes puzzles may be a little late, and the last one is not lost by that."""
BEGUN_AGAIN = 10
"""The most times a chunk is restarted because code was compiled: fewer pieces of code are ever compiled."""


@contextmanager
def cancel_after(seconds: float | None) -> Iterator[Cancellation]:
    """Yield a cancellation that fires after so many seconds (None: never), not counting those in which code is compiled."""
    cancel, done = Cancellation(), Event()
    if seconds is None:
        yield cancel
        return
    until = time_without_loading() + seconds

    def watch() -> None:
        while (left := until - time_without_loading()) > 0:
            if done.wait(left):
                return
        cancel.cancel()

    start_thread(Thread(target=watch, daemon=True))
    try:
        yield cancel
    finally:
        done.set()


@dataclass(frozen=True)
class ProvedPuzzles:
    """Puzzles in the order of their numbers; the engine that proved each to have one solution, or ""; the key of each."""

    part: PuzzleArray | GeneratedPuzzle
    by: tuple[str, ...]
    keys: NDArray[np.int64]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.by)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The number of each puzzle."""
        return _numbers(self.part)

    @property
    def tries(self) -> int:
        """The attempts that all of them took."""
        return int(self.part.tries.sum()) if isinstance(self.part, PuzzleArray) else self.part.tries

    def each(self) -> Iterator[tuple[GeneratedPuzzle, str]]:
        """Yield each puzzle and the engine that proved it."""
        made = self.part.each() if isinstance(self.part, PuzzleArray) else iter([self.part])
        return zip(made, self.by, strict=True)

    def puzzle(self, index: int) -> Puzzle:
        """Return the puzzle at an index."""
        if isinstance(self.part, GeneratedPuzzle):
            return self.part.puzzle
        return next(self.part.only(slice(index, index + 1)).each()).puzzle

    def only(self, which: NDArray[np.bool_]) -> ProvedPuzzles | None:
        """Return the selected puzzles, None for none."""
        if which.all() or not which.any():
            return self if which.any() else None
        assert isinstance(self.part, PuzzleArray)  # noqa: S101  # of a single puzzle all or none are selected
        by = tuple(name for name, wanted in zip(self.by, which.tolist(), strict=True) if wanted)
        return ProvedPuzzles(self.part.only(which), by, self.keys[which])


@dataclass(frozen=True)
class GeneratedChunk:
    """The puzzles of a chunk of ``numbers`` numbers; ``cut`` is the limit that was reached before the rest were made."""

    numbers: int
    parts: tuple[ProvedPuzzles, ...]
    cut: LimitReached | None = None
    seconds: float = 0.0

    @property
    def is_late(self) -> bool:
        """Whether a deadline left a number without a puzzle, or with one that does not fulfil the request."""
        less = {part.part.reason for part in self.parts if isinstance(part.part, GeneratedPuzzle)}
        return "deadline" in less or (self.cut is not None and self.cut.reason == "deadline")


START, USUAL = 8, 1.0
"""The size of the first chunk; chunks grow while the next one should take less than this many seconds."""


@dataclass
class ChunkSize:
    """The size of the next chunk: small at first, growing up to ``most`` while chunks take little time."""

    most: int
    now: int = START

    def adapt(self, made: GeneratedChunk) -> None:
        """Adapt to the seconds that a chunk took."""
        if made.seconds < USUAL / 2 and made.numbers >= self.now:
            self.now *= 2

    def __call__(self) -> int:
        """Return the size of the next chunk."""
        return min(self.now, self.most)


def generate_chunk(generator: Generator, seed: int, numbers: Sequence[int], share: float, limits: Limits) -> GeneratedChunk:
    """Return the puzzles of these numbers, a share of them proved by another engine.

    Seconds in which code was compiled do not count, since that happens once: a chunk that missed its deadline
    because of them is started again with as many seconds as they took, unless that is less than half of the limit.
    """
    again = limits
    for _ in range(BEGUN_AGAIN):
        compiled = loading_seconds()
        made = _generate_chunk(generator, seed, numbers, share, again)
        took = loading_seconds() - compiled
        if not made.is_late or again.seconds is None or took <= again.seconds / 2:
            return made
        again = replace(again, seconds=min(again.seconds, took))
    return _generate_chunk(generator, seed, numbers, share, again)


def _generate_chunk(generator: Generator, seed: int, numbers: Sequence[int], share: float, limits: Limits) -> GeneratedChunk:
    found: list[PuzzleArray | GeneratedPuzzle] = []
    cut = None
    start, clock = perf_counter(), limits.started()
    try:
        found.extend(generator.make(numbers, _limits_for_making(generator, share, limits)))
    except LimitReached as reached:
        cut = reached
    parts: list[ProvedPuzzles] = []
    for part in in_order(found):
        # The seconds are those without a new puzzle, so making the first one and proving it share them.
        which = sample_to_prove(seed, _numbers(part), share)
        if not parts and which.any():
            _load_prover(part, generator.engine)
        first = limits if parts else _limits_for_proof(clock)
        done, late = _prove_in_time(part, which, generator.engine, limits, first)
        parts += [done] if done else []
        if late:
            cut = late
            break
    return GeneratedChunk(len(numbers), tuple(parts), cut, perf_counter() - start)


def _limits_for_making(generator: Generator, share: float, limits: Limits) -> Limits:
    """Return the limits for making puzzles; they leave time for a proof, little where that is quick, as after the lane kernel."""
    if limits.seconds is None or not share:
        return limits
    kept = LONG_PROVING * limits.seconds
    if not generator.engine.startswith("fast"):
        kept = max(min(PROVING * limits.seconds, MOST_PROVING), kept)
    return replace(limits, seconds=limits.seconds - kept)


def _load_prover(part: PuzzleArray | GeneratedPuzzle, engine: str) -> None:
    """Load the first proving engine beforehand, so that a short proof does not pay for it."""
    backend(prover_names(engine, part.base if isinstance(part, PuzzleArray) else part.puzzle)[0])


def _limits_for_proof(clock: Clock) -> Limits:
    """Return the limits for the first proof: what is left of the time for the puzzle."""
    left = clock.left()
    if left.seconds is None:
        return left
    return replace(clock.limits, seconds=max(left.seconds, min(clock.limits.seconds or 0.0, SPARE)))


def _prove_in_time(
    part: PuzzleArray | GeneratedPuzzle, which: NDArray[np.bool_], engine: str, limits: Limits, first: Limits
) -> tuple[ProvedPuzzles | None, LimitReached | None]:
    """Return the puzzles before the first that a limit left unproved (None for none), and that limit."""
    by: list[str] = []
    late = None
    try:
        by.extend(iter_proofs(part, which, engine, limits, first))
    except LimitReached as reached:
        late = reached
    if len(by) < len(which) and isinstance(part, PuzzleArray):
        part = part.only(slice(0, len(by)))
    return (ProvedPuzzles(part, tuple(by), keys_of(part)) if by else None), late


def _numbers(part: PuzzleArray | GeneratedPuzzle) -> NDArray[np.int64]:
    return part.numbers if isinstance(part, PuzzleArray) else np.array([part.number], np.int64)


def in_order(found: Sequence[PuzzleArray | GeneratedPuzzle]) -> list[PuzzleArray | GeneratedPuzzle]:
    """Return puzzles in the order of their numbers, in as few arrays as possible."""
    singles = sorted((one for one in found if isinstance(one, GeneratedPuzzle)), key=lambda one: one.number)
    sheet = _concatenate([one for one in found if isinstance(one, PuzzleArray)])
    if sheet is None:
        return [*singles]
    cuts = np.searchsorted(sheet.numbers, [one.number for one in singles]).tolist()
    pieces = [sheet.only(slice(*span)) for span in pairwise([0, *cuts, len(sheet.numbers)])]
    mixed = [one for pair in zip(pieces, [*singles, None], strict=True) for one in pair]
    return [one for one in mixed if one is not None and (isinstance(one, GeneratedPuzzle) or len(one.numbers))]


def _concatenate(sheets: Sequence[PuzzleArray]) -> PuzzleArray | None:
    """Return all arrays as one in order, None for none; they share the same base."""
    if not sheets:
        return None
    numbers, tries = (np.concatenate(arrays) for arrays in zip(*((one.numbers, one.tries) for one in sheets), strict=True))
    givens, solutions = (np.concatenate(arrays) for arrays in zip(*((one.givens, one.solutions) for one in sheets), strict=True))
    return PuzzleArray(sheets[0].base, numbers, givens, solutions, tries).only(np.argsort(numbers, kind="stable"))


# --- no repetitions ---------------------------------------------------------------------------------------------


class RepeatFilter:
    """Drops puzzles that are isomorphic to an earlier one."""

    def __init__(self, generator: Generator, limits: Limits, wanted: range | None = None) -> None:
        """Begin with no puzzles; ``generator`` makes earlier ones again where they must be compared.

        ``wanted`` holds the first numbers of the run, one for each puzzle wanted; their levels are those to keep.
        """
        self._generator, self._limits = generator, limits
        self._quota = generator.quota(wanted) if isinstance(generator, MixedGenerator) and wanted is not None else None
        self.seen = SeenPuzzles(self._remake)
        self.in_a_row = 0

    def resume(self, keys: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        """Add puzzles that were kept before the run was interrupted."""
        self.seen.add(keys, numbers)
        if self._quota:
            self._quota.take(numbers.tolist())

    def through(self, made: GeneratedChunk) -> list[ProvedPuzzles]:
        """Return the new puzzles of the next chunk."""
        kept: list[ProvedPuzzles] = []
        for part in made.parts if self._quota is None else self._of_wanted_levels(made.parts, self._quota):
            fresh = self.seen.fresh(part.keys, part.numbers, part.puzzle)
            last = np.flatnonzero(fresh)
            self.in_a_row = len(fresh) - 1 - int(last[-1]) if len(last) else self.in_a_row + len(fresh)
            if self._quota is not None:
                fresh[fresh] = self._quota.take(part.numbers[fresh].tolist())
            new = part.only(fresh)
            kept += [new] if new else []
        return kept

    def _of_wanted_levels(self, parts: Iterable[ProvedPuzzles], quota: Quota) -> Iterator[ProvedPuzzles]:
        """Yield the puzzles of levels that are still wanted; the others are not repetitions, and do not count as such."""
        for part in parts:
            own = part.only(np.array(quota.wants(part.numbers.tolist()), np.bool_))
            if own is not None:
                yield own

    def check(self) -> None:
        """Raise `LimitReached` after so many repetitions in a row that there seem to be no other puzzles."""
        if self.in_a_row >= PATIENCE:
            words = f"the last {self.in_a_row:,} puzzles were all like earlier ones; perhaps there are no others"
            raise LimitReached("nodes", words)

    def _remake(self, number: int) -> Puzzle:
        for part in self._generator.make([number], self._limits):
            for made in part.each() if isinstance(part, PuzzleArray) else [part]:
                return made.puzzle
        raise AssertionError(f"puzzle {number} was made before and cannot be made again")


def generate_in_chunks(
    generator: Generator, seed: int, count: int | None, share: float, limits: Limits
) -> Iterator[ProvedPuzzles]:
    """Yield ``count`` puzzles (None: endlessly) in the order of their numbers, chunk by chunk.

    Raises `LimitReached`, after everything finished was yielded, if nothing new came for the seconds of ``limits``, or when
    cancelled.
    """
    repeats = RepeatFilter(generator, limits, None if count is None else range(count))
    number, found, last = 0, 0, time_without_loading()
    usual = ChunkSize(generator.chunk_size)
    while count is None or found < count:
        size = usual() if count is None else min(usual(), count - found)
        made = generate_chunk(generator, seed, range(number, number + size), share, limits)
        usual.adapt(made)
        for kept in repeats.through(made):
            found, last = found + len(kept), time_without_loading()
            yield kept
        if made.cut:
            raise made.cut
        repeats.check()
        if limits.seconds is not None and time_without_loading() - last > limits.seconds:
            raise LimitReached("deadline", f"{limits.seconds:.3g} s without a new puzzle")
        number += size


# Generates puzzles of several difficulties: one generator for each level, which take turns.


class MixedGenerator:
    """Makes puzzles of several levels in turn, none of them with the solutions of a run of one level."""

    def __init__(
        self, request: GenerateRequest, seed: int, mix: DifficultyMix, make_generator: Callable[[GenerateRequest, int], Generator]
    ) -> None:
        """Make a generator for each level of ``mix`` with ``make_generator``."""
        self._mix = mix
        self._generators = {word: make_generator(replace(request, difficulty=word, mix=None), seed) for word in mix.words}
        first = next(iter(self._generators.values()))
        self.engine, self.chunk_size = first.engine, min(one.chunk_size for one in self._generators.values())

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzle of each number, level by level."""
        for word, generator in self._generators.items():
            own = [number for number in numbers if self._mix.word(number) == word]
            if own:
                yield from generator.make(own, limits)

    def quota(self, numbers: Iterable[int]) -> Quota:
        """Return how many puzzles of each level a run of these numbers wants."""
        return Quota(self._mix, numbers)
