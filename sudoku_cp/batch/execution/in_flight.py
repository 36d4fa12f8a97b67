"""Pieces under way: sent out as there is room, taken back in their order, none lost with a worker that dies."""

from __future__ import annotations

from collections import deque
from concurrent.futures import CancelledError, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from sudoku_cp.batch.crews import Crew, D, P, Work
from sudoku_cp.batch.execution.worker_pool import AHEAD
from sudoku_cp.batch.rows.record_chunks import portions
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

TICK = 0.1
"""Seconds between looks at the clock and the cancellation while a piece is waited for."""
ATTEMPTS = 2
"""So often a piece may lose its worker while nothing else is under way, before it is halved or, at last, given up."""


@dataclass
class Flight(Generic[P, D]):
    """A piece, and what is to come of it; None where that has to be asked for again."""

    piece: P
    future: Future[D] | None


class Flights(Generic[P, D]):
    """The pieces under way."""

    def __init__(self, pieces: Iterator[P], crew: Crew[P, D], work: Work[P, D], tick: Callable[[], None]) -> None:
        """Send nothing yet; ``tick`` is called while we wait, and may raise."""
        self._pieces = (part for piece in pieces for part in portions(piece, crew.portion(piece)))
        self._crew, self._work, self._tick = crew, work, tick
        self._flights: deque[Flight[P, D]] = deque()

    def landed(self) -> Iterator[tuple[P, D]]:
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

    def _sent(self, piece: P) -> Future[D] | None:
        """Return the answers to come, None where the workers turn out to be lost."""
        try:
            return self._crew.submit(piece)
        except Exception as error:
            if not self._crew.is_lost(error):
                raise
            return None

    def _waited(self, future: Future[D]) -> D | None:
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

    def _alone(self, piece: P) -> Iterator[tuple[P, D]]:
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
                yield part, self._work.given_up(part)

    def _tried(self, piece: P) -> D | None:
        for _ in range(ATTEMPTS):
            future = self._sent(piece)
            done = self._waited(future) if future else None
            if done is not None:
                return done
            self._crew.restart()
        return None
