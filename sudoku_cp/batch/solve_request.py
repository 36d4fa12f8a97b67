"""What runs that answer records are asked for, and the results for a chunk. All of it can be pickled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.backends import MANY

if TYPE_CHECKING:
    from collections import Counter

ENGINE_ERRED = "engine erred"
"""Counts, among the statuses, the records of status ``error`` at which an engine failed."""
TABLES = frozenset(["csv", "parquet"])
"""Kinds of output that keep the columns of the input."""


@dataclass(frozen=True, kw_only=True)
class RecordRequest:
    """The limits for each puzzle, and how the answers are written.

    ``seconds`` and ``nodes`` are the limits, ``expected_count`` is about how many puzzles there are. ``kind`` and ``compressor``
    say how the output is written; if columns of the input are kept, ``header`` is its own and ``delimiter`` separates them.
    """

    seconds: float | None = None
    nodes: int | None = None
    expected_count: int = MANY
    kind: str = "text"
    compressor: str = ""
    header: str = ""
    delimiter: str = ","


@dataclass(frozen=True, kw_only=True)
class SolveRequest(RecordRequest):
    """What to find for every puzzle.

    ``solution_limit`` is the number of solutions to look for (None: all); with ``all_solutions`` JSON lists all that were found
    and not only the first.
    """

    backend: str = "auto"
    solution_limit: int | None = 2
    all_solutions: bool = False


@dataclass(frozen=True)
class FailedRecord:
    """A record that cannot be answered: its number, and why."""

    index: int
    message: str


@dataclass(frozen=True)
class SolvedChunk:
    """The rows for a chunk, the number of records in it, and how they ended.

    ``counts`` has the number of records of each status (``error`` is one), and of `ENGINE_ERRED`; ``stopped`` is how many of them
    a limit stopped.
    """

    body: bytes | bytearray
    records: int
    counts: Counter[str]
    stopped: int = 0
    failed: tuple[FailedRecord, ...] = ()
