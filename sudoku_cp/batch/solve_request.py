"""What is asked of every puzzle, and what comes back of a piece of them. All of it can be pickled."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sudoku_cp.backends import MANY

KINDS = ("text", "csv", "jsonl", "parquet")
"""How answers can be written."""
TABLES = frozenset(["csv", "parquet"])
"""Those in which the columns of an input are kept."""


@dataclass(frozen=True)
class Task:
    """What is asked of every puzzle, and how the answers are to be written.

    ``limit`` is the number of solutions to look for (None: all), ``several`` whether all that are found are told and not the
    first alone. ``seconds`` and ``nodes`` are a puzzle's limits. ``amount`` is about how many puzzles there are. ``header`` is
    the input's own, where its columns are kept, and ``delimiter`` what separates them; ``packing`` names the module that
    compresses.
    """

    backend: str = "auto"
    limit: int | None = 2
    several: bool = False
    seconds: float | None = None
    nodes: int | None = None
    amount: int = MANY
    kind: str = "text"
    packing: str = ""
    header: str = ""
    delimiter: str = ","


@dataclass(frozen=True)
class Trouble:
    """A record that has no answer: its number, and why."""

    index: int
    told: str


@dataclass
class Tally:
    """How many records ended how: by status (``error`` is one), and how many a limit stopped, whatever is known of them."""

    statuses: Counter[str] = field(default_factory=Counter)
    stopped: int = 0

    def add(self, other: Tally) -> None:
        """Count another tally's records too."""
        self.statuses.update(other.statuses)
        self.stopped += other.stopped


@dataclass(frozen=True)
class Done:
    """The answers to a piece: the bytes to be written, how many of what they are, and the records in trouble."""

    body: bytes | bytearray
    number: int
    tally: Tally
    troubles: tuple[Trouble, ...] = ()
