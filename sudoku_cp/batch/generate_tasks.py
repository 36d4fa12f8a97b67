"""The task of a run that generates: numbers go out to workers, puzzles come back. Also the shards of a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from threading import local
from time import time
from typing import TYPE_CHECKING

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import BackendFailed, InvalidInput, require_type
from sudoku_cp.generate.api import is_plain, make_generator
from sudoku_cp.generate.chunks import GeneratedChunk, cancel_after, generate_chunk
from sudoku_cp.generate.cross_proofs import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.generate import GenerateRequest, Generator

FEW, RARE = 5000, 0.1
"""Up to this many large plain boards, or this share of them, are proved in threads; more are worth processes."""
REMOTE_CHUNK_NUMBERS = 100
"""Numbers sent to a cluster at a time."""
MAX_SHARD_TEXT = 40
"""Characters that name a shard, at most."""


@dataclass(frozen=True)
class Shard:
    """Every ``of``-th number from ``index`` (from 0) on: one part of a run whose other parts are generated elsewhere."""

    index: int = 0
    of: int = 1

    def __str__(self) -> str:
        """Return ``2/4`` for the second of four."""
        return f"{self.index + 1}/{self.of}"

    def share(self, count: int) -> int:
        """Return how many of ``count`` puzzles are in this shard."""
        return len(range(self.index, count, self.of))

    def numbers(self, start: int, stop: int) -> range:
        """Return the numbers of this shard from its own ``start`` to before its ``stop``, counted from 0."""
        return range(self.index + start * self.of, self.index + stop * self.of, self.of)


def parse_shard(text: str) -> Shard:
    """Return the shard that ``2/4`` names: the second of four."""
    first, slash, second = require_type("a part of the run as a text", str, text).partition("/")
    short = len(text) <= MAX_SHARD_TEXT
    if not (slash and short and first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
        raise InvalidInput(f"expected a part of the run such as 2/4, from 1/4 to 4/4, got {text!r:.40}")
    return Shard(int(first) - 1, int(second))


@dataclass(frozen=True)
class NumberRange:
    """Numbers of puzzles to generate ``until`` a time of the day (None: however long it takes), ``local`` or anywhere."""

    numbers: range
    until: float | None = None
    local: bool = False

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self.numbers)

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[NumberRange]:
        """Yield the numbers of each span (start, stop)."""
        return (replace(self, numbers=self.numbers[start:stop]) for start, stop in spans)


@dataclass(frozen=True)
class GenerateTask:
    """Generates ``count`` puzzles of a seed, for this request, and proves a ``share`` of them; see `ChunkTask`.

    ``seconds`` are for each puzzle.
    """

    request: GenerateRequest
    seed: int
    count: int
    share: float
    seconds: float | None = None

    def run(self, chunk: NumberRange, cancel: Cancellation | None = None) -> GeneratedChunk:
        """Return those puzzles of these numbers that are done when time runs out or a cancellation comes."""
        if cancel is not None or chunk.until is None:
            return generate_chunk(self.generator(), self.seed, chunk.numbers, self.share, Limits(self.seconds, cancel=cancel))
        with cancel_after(chunk.until - time()) as over:
            return self.run(chunk, over)

    def generator(self) -> Generator:
        """Return this thread's own generator."""
        key = self.request, self.seed
        known: tuple[object, Generator] | None = getattr(_of_thread, "known", None)
        if known is None or known[0] != key:
            known = _of_thread.known = key, make_generator(*key)
        return known[1]

    @cached_property
    def is_light(self) -> bool:
        """Whether processes are not worth starting: for one puzzle, or if kernels generate and prove, or have little to prove."""
        quick = is_plain(self.request) and not self.request.is_rated
        proves_arrays = len(self.request.grid.cells) <= SMALL
        return self.count == 1 or (quick and (proves_arrays or self.count <= FEW or self.share <= RARE))

    def runs_in_thread(self, chunk: NumberRange) -> bool:
        """Return whether puzzles are generated in this process."""
        return chunk.local or self.is_light

    def chunk_size(self, chunk: NumberRange, *, remote: bool) -> int:
        """Return how many numbers are sent at a time: all to another process, few to another machine."""
        return min(len(chunk), REMOTE_CHUNK_NUMBERS) if remote else len(chunk)

    def result_after_loss(self, chunk: NumberRange) -> GeneratedChunk:
        """Raise `BackendFailed`: no other puzzle can stand in for one that kills every worker."""
        raise BackendFailed(f"expected puzzle {chunk.numbers[0]}, but every worker that was asked to make it ended")


_of_thread = local()
