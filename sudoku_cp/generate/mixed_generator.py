"""Makes puzzles of several difficulties: a maker for each word, each puzzle by that whose turn it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.generate.difficulty_mix import DifficultyMix, Quota

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.backends import Limits
    from sudoku_cp.generate.base import Made, Maker, Sheet, Wishes


class MixedGenerator:
    """Puzzle ``number`` is the one that a run of its word alone would have under that number."""

    def __init__(self, wishes: Wishes, seed: int, mix: DifficultyMix, maker_of: Callable[[Wishes, int], Maker]) -> None:
        """Make the makers, by ``maker_of``."""
        self._mix = mix
        self._makers = {word: maker_of(replace(wishes, difficulty=word, mix=None), seed) for word in mix.words}
        first = next(iter(self._makers.values()))
        self.engine, self.portion = first.engine, min(maker.portion for maker in self._makers.values())

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[Sheet | Made]:
        """Yield the puzzle of each number, word by word."""
        for word, maker in self._makers.items():
            own = [number for number in numbers if self._mix.word(number) == word]
            if own:
                yield from maker.make(own, limits)

    def quota(self, numbers: Iterable[int]) -> Quota:
        """Return what a run of these numbers wants."""
        return Quota(self._mix, numbers)
