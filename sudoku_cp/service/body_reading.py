"""The body of a request: its bytes, read within their limits, and the fields that are judged in them.

Bytes and seconds are counted while it arrives. The event loop parses small bodies alone. A large one goes to a worker
as bytes and comes back as bytes: the parser holds the interpreter's lock, so in a thread it would silence the loop all the same.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from sudoku_cp.service.body_judging import InvalidBody
from sudoku_cp.service.pool.tasks import Answered, Failed, Refused, Stopped, Task
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_outcome, request_id
from sudoku_cp.service.question_runs import submit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.settings import ServiceLimits

_T = TypeVar("_T")

SMALL = 1 << 14
"""The most bytes of a body that the event loop parses, in a few milliseconds at worst."""
JUDGE_SECONDS = 30.0
"""Seconds that a worker may take for a larger one."""
FURTHER_SECONDS = 2.0
"""Seconds that a worker may take to find what is wrong with a small body besides its fields."""
MOST_BODY_BYTES = 1 << 28
"""Bytes of the bodies of all requests in progress."""
_CLOSE = {"Connection": "close"}
"""What goes with a refusal of a body that nobody will read to its end."""
_log = logging.getLogger(__name__)


class BodyRoom:
    """Memory for the bodies of all requests together: clients that send them slowly would fill that of the machine."""

    def __init__(self, most: int = MOST_BODY_BYTES) -> None:
        """Have room for ``most`` bytes."""
        self._most = most
        self.taken = 0
        """Bytes of bodies that have come and whose requests have not been answered."""

    @contextmanager
    def share(self) -> Iterator[Callable[[int], None]]:
        """Yield what takes room for so many bytes, or raises a `HttpProblem`; all of it is free after the block."""
        own = 0

        def take(size: int) -> None:
            nonlocal own
            if self.taken + size > self._most:
                raise busy(f"expected room for a body among the {self._most:,} bytes for all of them, got none left", 5, _CLOSE)
            own += size
            self.taken += size

        try:
            yield take
        finally:
            self.taken -= own


async def read_body(request: Request, limits: ServiceLimits, take: Callable[[int], None], *, may_be_large: bool) -> bytes:
    """Return the body, which ``may_be_large`` or not; raise a `HttpProblem` as soon as it is too large or late.

    ``take`` is that of its share of a `BodyRoom`.
    """
    _require_json_type(request.headers.get("content-type", ""))
    most, seconds = limits.most_bytes(may_be_large=may_be_large), limits.body_seconds
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit():
        require_size(int(declared[:20]), most)
    pieces, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for piece in request.stream():
                size += len(piece)
                require_size(size, most)
                take(len(piece))
                pieces.append(piece)
    except TimeoutError:
        detail = f"expected a body within {seconds:g} seconds, got {size:,} bytes of it"
        raise HttpProblem("body-too-slow", detail, headers=_CLOSE) from None
    return b"".join(pieces)


async def judge_body(request: Request, pool: Pool, judge: Callable[[bytes], _T], content: bytes) -> _T:
    """Return what ``judge``, one of `body_judging`, makes of a body: in a worker if it is large, or something is wrong with it.

    Raises what ``judge`` raises of a small body, and a `HttpProblem` for a large one.
    """
    if len(content) > SMALL:
        return await _judge_in_worker(request, pool, judge, content, JUDGE_SECONDS)
    try:
        return judge(content)
    except InvalidBody as error:
        found = error
    try:  # a worker knows all that is wrong besides the fields
        return await _judge_in_worker(request, pool, judge, content, FURTHER_SECONDS)
    except HttpProblem as problem:
        raise problem if problem.kind == "invalid-request" else found from None


async def _judge_in_worker(request: Request, pool: Pool, judge: Callable[[bytes], _T], content: bytes, seconds: float) -> _T:
    deadline = asyncio.get_running_loop().time() + seconds
    match await submit(pool, Task(judge, (content,), is_quick=True), deadline).outcome():
        case Answered(value):
            judged: _T = value
            return judged
        case Refused() | Failed() as outcome:
            if isinstance(outcome, Failed):
                _log.error("a body could not be judged: %s", outcome.traceback, extra={"request": request_id(request.scope)})
            raise problem_of_outcome(outcome)
        case Stopped("memory"):
            raise HttpProblem(
                "invalid-request", "expected a body that a worker has the memory to read, got one with too many parts"
            )
        case Stopped("deadline"):
            raise busy("the body took too long to read", 5)
        case _:
            raise busy("the worker that read the body ended", 5)


def require_size(size: int, most: int) -> None:
    """Raise a `HttpProblem` for a body of more than ``most`` bytes."""
    if size > most:
        raise HttpProblem("body-too-large", f"expected a body of at most {most:,} bytes, got at least {size:,}", headers=_CLOSE)


def _require_json_type(content_type: str) -> None:
    """Raise a `HttpProblem` unless the media type is JSON. (Pages of other sites can send other types without being asked.)"""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type != "application/json" and not (media_type.startswith("application/") and media_type.endswith("+json")):
        raise HttpProblem("not-json-type", f"expected a body of type application/json, got {media_type or 'no type'!r:.80}")
