"""Pieces under way: sent out as there is room, taken back in their order, none lost with a worker that dies."""

from __future__ import annotations

from collections import deque
from concurrent.futures import CancelledError, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sudoku_cp.batch import work
from sudoku_cp.batch.executors import AHEAD
from sudoku_cp.batch.pieces import Entry, Records, portions
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from sudoku_cp.batch.pieces import Piece
    from sudoku_cp.batch.tasks import Done, Task

TICK = 0.1
"""Seconds between looks at the clock and the cancellation while a piece is waited for."""
ATTEMPTS = 2
"""So often a piece may lose its worker while nothing else is under way, before it is halved or, at last, given up."""


class Crew(Protocol):
    """Those who do the work."""

    workers: int

    def portion(self, piece: Piece) -> int:
        """Return how many records of a piece are sent at a time."""
        ...

    def submit(self, piece: Piece) -> Future[Done]:
        """Have a piece answered."""
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


@dataclass
class Flight:
    """A piece, and the answers to come; None where they have to be asked for again."""

    piece: Piece
    future: Future[Done] | None


class Flights:
    """The pieces under way."""

    def __init__(self, pieces: Iterator[Piece], crew: Crew, task: Task, tick: Callable[[], None]) -> None:
        """Send nothing yet; ``tick`` is called while we wait, and may raise."""
        self._pieces = (part for piece in pieces for part in portions(piece, crew.portion(piece)))
        self._crew, self._task, self._tick = crew, task, tick
        self._flights: deque[Flight] = deque()

    def landed(self) -> Iterator[tuple[Piece, Done]]:
        """Yield every piece with its answers, in order."""
        while True:
            self._fill()
            if not self._flights:
                return
            flight = self._flights[0]
            done = self._waited(flight.future) if flight.future else None
            if done is None:
                self._ground()
                yield from self._alone(flight.piece)
            else:
                yield flight.piece, done
            self._flights.popleft()

    def _fill(self) -> None:
        """Send out as many pieces as there is room for, unless some have to be asked for again by themselves first."""
        while len(self._flights) < 1 + AHEAD * self._crew.workers and all(flight.future for flight in self._flights):
            piece = next(self._pieces, None)
            if piece is None:
                return
            self._flights.append(Flight(piece, self._sent(piece)))

    def _sent(self, piece: Piece) -> Future[Done] | None:
        """Return the answers to come, None where the workers turn out to be lost."""
        try:
            return self._crew.submit(piece)
        except Exception as error:
            if not self._crew.is_lost(error):
                raise
            return None

    def _waited(self, future: Future[Done]) -> Done | None:
        """Return the answers when they are there, None where their worker was lost."""
        while not wait([future], TICK).done:
            self._tick()
        try:
            return future.result()
        except CancelledError as error:  # not by us
            raise InvalidInput("expected workers that answer, got none: the whole cluster is lost") from error
        except Exception as error:
            if not self._crew.is_lost(error):
                raise
            return None

    def _ground(self) -> None:
        """After a loss nobody knows whose fault it was: let the others land, and ask for what was lost by itself."""
        for flight in self._flights:
            if flight.future is not None and self._waited(flight.future) is None:
                flight.future = None
        self._crew.restart()

    def _alone(self, piece: Piece) -> Iterator[tuple[Piece, Done]]:
        """Yield a piece's answers, with nothing else under way; what loses its worker again is halved, then given up."""
        waiting = [piece]
        while waiting:
            part = waiting.pop()
            done = self._tried(part)
            middle = len(part) // 2
            if done is not None:
                yield part, done
            elif middle:
                waiting += reversed(list(part.parts([(0, middle), (middle, len(part))])))
            else:
                yield part, work.answer(_given_up(part), self._task)

    def _tried(self, piece: Piece) -> Done | None:
        for _ in range(ATTEMPTS):
            future = self._sent(piece)
            done = self._waited(future) if future else None
            if done is not None:
                return done
            self._crew.restart()
        return None


def _given_up(piece: Piece) -> Records:
    """Return a piece's records with the error in the place of each puzzle that nobody survives."""
    held = []
    for record, kept in piece.entries():
        error = ParseError("expected an answer, but every worker that was asked for it ended", line=record.line)
        held.append(Entry(Record(None, error, record.line), kept))
    return Records(tuple(held), piece.first, piece.place)
