"""A client of the HTTP service, with nothing but the standard library.

    >>> client = Client("http://127.0.0.1:8080")  # doctest: +SKIP
    >>> client.solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......").status  # doctest: +SKIP
    'unique'

`Client.solve` returns the library's own `Answer`; `Client.ask` returns the object that any other question is answered with, as
the command line prints it with ``--json``. What takes long is a `RemoteJob`, an iterator of its events. Errors are the library's
own.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from sudoku_cp.errors import BackendFailed, InvalidInput, LimitReached, ParseError, Problem, SudokuError, Unsupported
from sudoku_cp.puzzle import Puzzle, from_json, to_json
from sudoku_cp.queries import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PuzzleLike: TypeAlias = "Puzzle | str | dict[str, Any]"

SILENCE = 75.0
"""Seconds to wait for the service to say anything; a question is a job long before, and a stream of events is never so silent."""
ATTEMPTS = 5
"""How often a question is asked while the service has no room."""
ENDS = frozenset({"done", "failed", "cancelled"})
_ACCEPTED = 202
_REFUSALS = frozenset({401, 403, 429, 502, 503, 504})


class ServiceFailed(SudokuError, ConnectionError):
    """The service cannot be reached, refuses this client, or has no room for ``retry_after`` seconds."""

    def __init__(self, problem: str, retry_after: float | None = None) -> None:
        """Keep what was wrong; it is no use to ask again where there is no ``retry_after``."""
        self.retry_after = retry_after
        super().__init__(problem)


class JobEvent(NamedTuple):
    """Something that happened to a job: ``name`` is progress, item, done, failed or cancelled."""

    number: int
    name: str
    data: Any


@dataclass(frozen=True)
class Client:
    """A service at ``url``; a ``key`` where it needs one."""

    url: str
    key: str | None = None

    def solve(self, puzzle: PuzzleLike, **options: Any) -> Answer:
        """Find the solutions of a puzzle, by default up to two; the answer is as from `sudoku_cp.solve`."""
        return answer_from_json(self.ask("solve", puzzle, **options), puzzle if isinstance(puzzle, Puzzle) else None)

    def ask(self, verb: str, puzzle: PuzzleLike | None = None, **options: Any) -> Any:
        """Return the answer to a question, waiting for its job if it becomes one. Options are those of the command line."""
        status, answer = self.request("POST", f"/v1/{verb}", _body(puzzle, options))
        return RemoteJob(self, answer["id"]).result() if status == _ACCEPTED else answer

    def start(self, verb: str, puzzle: PuzzleLike | None = None, **options: Any) -> RemoteJob:
        """Ask a question as a job, and return that at once."""
        return RemoteJob(self, self.request("POST", "/v1/jobs", {"verb": verb, "body": _body(puzzle, options)})[1]["id"])

    def request(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status and the JSON of a response."""
        with self.open(method, path, body) as response:
            try:
                return response.status, json.loads(response.read() or b"null")
            except (OSError, HTTPException, ValueError) as error:
                raise ServiceFailed(f"expected an answer in JSON from {self.url}, got: {error}") from None

    def open(self, method: str, path: str, body: Any = None, **headers: str) -> HTTPResponse:
        """Return the open response to a request, which is repeated while the service has no room."""
        if not self.url.startswith(("http://", "https://")):
            raise InvalidInput(f"expected the address of a service such as 'http://127.0.0.1:8080', got {self.url!r:.80}")
        headers |= {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.key}"} if self.key else {}
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url.rstrip("/") + path, data, headers, method=method)  # noqa: S310  # checked above
        for left in reversed(range(ATTEMPTS)):
            try:
                return _send(request)
            except ServiceFailed as error:
                if error.retry_after is None or not left:
                    raise
                time.sleep(min(error.retry_after, 30.0))
        raise AssertionError("the last attempt returns or raises")


@dataclass(frozen=True)
class RemoteJob:
    """A question that the service works on; iterating yields its events as they come, up to the last."""

    client: Client
    id: str

    def __iter__(self) -> Iterator[JobEvent]:
        """Yield every event from the first; where the connection ends before the job, go on in a new one."""
        last = 0
        while True:
            with (
                suppress(TimeoutError, ConnectionResetError, HTTPException),
                self.client.open("GET", f"/v1/jobs/{self.id}/events", **{"Last-Event-ID": str(last)}) as stream,
            ):
                for event in _parse_events(stream):
                    yield event
                    last = event.number
                    if event.name in ENDS:
                        return
            time.sleep(0.2)

    def state(self) -> Any:
        """Return what has become of the job."""
        return self.client.request("GET", f"/v1/jobs/{self.id}")[1]

    def result(self) -> Any:
        """Wait for the end of the job, and return the answer; raise `LimitReached` if it was cancelled."""
        *_, end = self
        if end.name == "cancelled":
            raise LimitReached("cancelled")
        if end.name == "failed":
            raise BackendFailed(f"expected an answer, got: {end.data.get('reason')}")
        return self.client.request("GET", f"/v1/jobs/{self.id}/result")[1]

    def cancel(self) -> None:
        """Cancel the job; one that has ended stays as it is."""
        self.client.request("DELETE", f"/v1/jobs/{self.id}")


def _body(puzzle: PuzzleLike | None, options: dict[str, Any]) -> dict[str, Any]:
    sent = {} if puzzle is None else {"puzzle": to_json(puzzle) if isinstance(puzzle, Puzzle) else puzzle}
    return sent | options


def _send(request: Request) -> HTTPResponse:
    """Return the open response; raise the library's error for a problem of the service, or of a proxy before it."""
    try:
        response: HTTPResponse = urlopen(request, timeout=SILENCE)  # noqa: S310  # the caller has looked
    except HTTPError as error:
        problem = {"detail": str(error)}
        with error, suppress(OSError, HTTPException, ValueError):
            problem |= json.loads(error.read())
        if error.code in _REFUSALS:
            seconds = error.headers.get("Retry-After", "")
            raise ServiceFailed(problem["detail"], float(seconds) if seconds.isdecimal() else None) from None
        raise error_from_json(error.code, problem) from None
    except (OSError, HTTPException) as error:
        raise ServiceFailed(f"expected a service at {request.full_url}: {getattr(error, 'reason', error)}") from None
    return response


def _parse_events(lines: Iterable[bytes]) -> Iterator[JobEvent]:
    """Yield the events of a stream; comments are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.decode().rstrip("\r\n").partition(": ")
        if name and colon:
            fields[name] = value
        elif "data" in fields:
            yield JobEvent(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}


# What the service answers, as the library's own values and errors.


def answer_from_json(answer: Mapping[str, Any], puzzle: Puzzle | None = None) -> Answer:
    """Return the answer that an object of ``solve`` holds; the ``puzzle`` is read from it unless given."""
    text = answer["puzzle"]
    solved = puzzle or (Puzzle.parse(text) if isinstance(text, str) else from_json(text))
    return Answer(
        status=answer["status"],
        count=answer.get("count", 0),
        exact=answer.get("exact", False),
        backend=answer.get("backend", ""),
        seconds=answer.get("seconds", 0.0),
        solutions=tuple(_solution_from_json(solved, one) for one in answer.get("solutions", ())),
        reason=answer.get("reason"),
        stated=answer.get("stated_solution"),
        counters=answer.get("counters", {}),
    )


def _solution_from_json(puzzle: Puzzle, solution: str | dict[str, int]) -> tuple[int, ...]:
    """Return the values of a solution in the order of the cells."""
    if isinstance(solution, dict):
        return tuple(solution[puzzle.grid.cell_name(cell)] for cell in puzzle.grid.cells)
    values = [puzzle.symbols.parse(sign) for sign in solution]
    if len(values) != len(puzzle.grid.cells):
        raise Unsupported("expected a value for every cell, got a solution without the cells beside the board")
    return tuple(value for value in values if value is not None)


def error_from_json(status: int, problem: Mapping[str, Any]) -> SudokuError:
    """Return the error that a problem of the service (RFC 9457) stands for, by its HTTP status."""
    kinds: dict[int, type[InvalidInput]] = {kind.http_status: kind for kind in (ParseError, Unsupported)}
    if status >= SudokuError.http_status and status not in kinds:
        return BackendFailed(f"{problem['detail']} (request {problem.get('instance')})")
    problems = [Problem(one["detail"], _pointer_steps(one["pointer"]), one.get("cell", "")) for one in problem.get("errors", ())]
    return kinds.get(status, InvalidInput)(problems or problem["detail"])


def _pointer_steps(pointer: str) -> list[str]:
    """Return the steps of a JSON pointer."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
