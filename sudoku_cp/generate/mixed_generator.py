"""Generates puzzles of several difficulties: one generator for each level, which take turns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.generate.difficulty_mix import DifficultyMix, Quota

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.backends import Limits
    from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, Generator, PuzzleArray


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
