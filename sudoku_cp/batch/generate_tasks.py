"""The work of a run that makes puzzles: numbers go out, puzzles come back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from threading import local
from time import time
from typing import TYPE_CHECKING

from sudoku_cp.backends import Limits
from sudoku_cp.errors import BackendFailed
from sudoku_cp.generate.making import is_plain, maker_of
from sudoku_cp.generate.portions import Portion, over_after, portion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.backends import Cancellation
    from sudoku_cp.generate import Maker, Wishes

FEW, RARE = 5000, 0.1
"""So many plain boards, or such a share, are proved beside the kernel; more of them are worth other processes."""
FAR = 100
"""Numbers sent to a cluster at a time."""


@dataclass(frozen=True)
class Numbers:
    """The numbers of puzzles to be made, ``until`` a time of the day (None: however long that takes), ``near`` or anywhere."""

    each: range
    until: float | None = None
    near: bool = False

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.each)

    def parts(self, spans: Iterable[tuple[int, int]]) -> Iterator[Numbers]:
        """Yield those of each span (from, to before)."""
        return (replace(self, each=self.each[start:stop]) for start, stop in spans)


@dataclass(frozen=True)
class Making:
    """Making puzzles of a seed as wished, ``count`` of them, a ``share`` of which is proved; ``seconds`` are each puzzle's."""

    wishes: Wishes
    seed: int
    count: int
    share: float
    seconds: float | None = None

    def do(self, piece: Numbers, cancel: Cancellation | None = None) -> Portion:
        """Return the puzzles of these numbers, those that are done when a cancellation comes or the time is over."""
        if cancel is not None or piece.until is None:
            return portion(self.maker(), self.seed, piece.each, self.share, Limits(self.seconds, cancel=cancel))
        with over_after(piece.until - time()) as over:
            return self.do(piece, over)

    def maker(self) -> Maker:
        """Return this thread's own maker."""
        key = self.wishes, self.seed
        known: tuple[object, Maker] | None = getattr(_own, "known", None)
        if known is None or known[0] != key:
            known = _own.known = key, maker_of(*key)
        return known[1]

    @cached_property
    def is_light(self) -> bool:
        """Whether it is not worth other processes: the kernel makes the puzzles and there is little to prove, or one puzzle."""
        return self.count == 1 or (is_plain(self.wishes) and (self.count <= FEW or self.share <= RARE))

    def stays(self, piece: Numbers) -> bool:
        """Say whether puzzles are made in this process."""
        return piece.near or self.is_light

    def portion(self, piece: Numbers, *, far: bool) -> int:
        """Return how many numbers are sent at a time: as many as are made at a time, few of them far away."""
        return min(len(piece), FAR) if far else len(piece)

    def given_up(self, piece: Numbers) -> Portion:
        """Raise `BackendFailed`: no puzzle can stand for one that nobody can make."""
        raise BackendFailed(f"expected puzzle {piece.each[0]}, but every worker that was asked to make it ended")

    def within(self, seconds: float | None) -> Making:
        """Return the same with another limit."""
        return replace(self, seconds=seconds)


_own = local()
