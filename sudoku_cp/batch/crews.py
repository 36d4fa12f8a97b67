"""The two seams of a run: what is done with each piece, and who does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from sudoku_cp.backends import Cancellation


class Divisible(Protocol):
    """A piece: some things to be done, in order."""

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    def parts(self, spans: Iterable[tuple[int, int]]) -> Iterator[Self]:
        """Yield those of each span (from, to before)."""
        ...


P = TypeVar("P", bound=Divisible)
D = TypeVar("D")
_P_contra = TypeVar("_P_contra", bound=Divisible, contravariant=True)
_D_co = TypeVar("_D_co", covariant=True)


class Work(Protocol[_P_contra, _D_co]):
    """What is done with each piece. It can be pickled, and so can pieces and what comes of them."""

    def do(self, piece: _P_contra, cancel: Cancellation | None = None) -> _D_co:
        """Return what comes of a piece."""
        ...

    def stays(self, piece: _P_contra) -> bool:
        """Say whether a piece stays in this process: it lets go of the interpreter's lock, or is too little to send."""
        ...

    def portion(self, piece: _P_contra, *, far: bool) -> int:
        """Return how much of a piece is sent to another process, or ``far`` away, at a time."""
        ...

    def given_up(self, piece: _P_contra) -> _D_co:
        """Return what comes of one thing that nobody survives."""
        ...


class Crew(Protocol[_P_contra, D]):
    """Those who do the work."""

    workers: int

    def portion(self, piece: _P_contra) -> int:
        """Return how much of a piece is sent at a time."""
        ...

    def submit(self, piece: _P_contra) -> Future[D]:
        """Have a piece done."""
        ...

    def is_lost(self, error: BaseException) -> bool:
        """Say whether an error means that a worker was lost."""
        ...

    def restart(self) -> None:
        """Replace workers that were lost."""
        ...

    def close(self, *, at_once: bool) -> None:
        """Let the workers go."""
        ...
