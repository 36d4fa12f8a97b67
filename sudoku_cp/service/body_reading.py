"""The body of a request, read within its limits.

Bytes and seconds are counted while it arrives, and JSON is what RFC 8259 calls JSON.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, NoReturn

from fastapi import Request
from fastapi.routing import APIRoute

from sudoku_cp.service.problems import HttpProblem
from sudoku_cp.service.sizes import MOST_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.responses import Response
    from starlette.types import Receive, Scope

    from sudoku_cp.service.limits import ServiceLimits


_CLOSE = {"Connection": "close"}
"""What goes with a refusal of a body that nobody will read to its end."""


class LimitedRequest(Request):
    """A request whose body is JSON, no larger, slower or deeper than the service's limits."""

    def __init__(self, scope: Scope, receive: Receive, *, may_list: bool) -> None:
        """Take more bytes where a body ``may_list`` many puzzles."""
        super().__init__(scope, receive)
        self._limits: ServiceLimits = self.app.state.limits
        self._most = self._limits.most_bytes(may_list=may_list)

    async def body(self) -> bytes:
        """Read the body; raise a `HttpProblem` as soon as it is too large or too late."""
        if not hasattr(self, "_body"):
            _require_json_type(self.headers.get("content-type", ""))
            declared = self.headers.get("content-length", "")
            if declared.isascii() and declared.isdigit():
                require_size(int(declared[:20]), self._most)
            seconds = self._limits.body_seconds
            try:
                async with asyncio.timeout(seconds):
                    self._body = await self._read()
            except TimeoutError:
                raise HttpProblem("body-too-slow", f"expected a body within {seconds:g} seconds", headers=_CLOSE) from None
        return self._body

    async def _read(self) -> bytes:
        pieces, size = [], 0
        async for piece in self.stream():
            size += len(piece)
            require_size(size, self._most)
            pieces.append(piece)
        return b"".join(pieces)

    async def json(self) -> Any:
        """Return the body parsed."""
        return parse_json(await self.body())


class LimitedRoute(APIRoute):
    """A route whose requests are `LimitedRequest`s."""

    may_list = False
    """Whether a body may be as large as a list of puzzles."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler, which gets the request in its limits."""
        handle = super().get_route_handler()

        async def handle_limited(request: Request) -> Response:
            return await handle(LimitedRequest(request.scope, request.receive, may_list=self.may_list))

        return handle_limited


class ListRoute(LimitedRoute):
    """A route whose requests may be about many puzzles."""

    may_list = True


def require_size(size: int, most: int) -> None:
    """Raise a `HttpProblem` for a body of more than ``most`` bytes."""
    if size > most:
        raise HttpProblem("body-too-large", f"expected a body of at most {most:,} bytes", headers=_CLOSE)


def parse_json(body: bytes, deepest: int = MOST_DEPTH) -> Any:
    """Return JSON parsed; raise a `HttpProblem` for anything else, numbers that are none and half characters included."""
    try:
        parsed = json.loads(body.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise HttpProblem("not-json", f"expected JSON as UTF-8, got byte 0x{body[error.start]:02x} at {error.start}") from None
    except json.JSONDecodeError as error:
        raise HttpProblem("not-json", f"expected JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _too_deep(deepest) from None
    except ValueError as error:  # a whole number of more digits than Python reads
        raise HttpProblem("not-json", f"expected JSON with numbers of a moderate length: {error}".partition(";")[0]) from None
    if body.count(b"[") + body.count(b"{") > deepest and _is_deeper(parsed, deepest):
        raise _too_deep(deepest)
    if b"\\ud" in body or b"\\uD" in body:
        _require_whole_characters(parsed)
    return parsed


def _require_json_type(content_type: str) -> None:
    """Raise a `HttpProblem` unless the media type is JSON. (Pages of other sites can send other types without being asked.)"""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type != "application/json" and not (media_type.startswith("application/") and media_type.endswith("+json")):
        raise HttpProblem("not-json-type", f"expected a body of type application/json, got {media_type or 'no type'!r:.80}")


def _refuse_constant(name: str) -> NoReturn:
    raise HttpProblem("not-json", f"expected JSON, got {name}, which is no number of JSON")


def _too_deep(deepest: int) -> HttpProblem:
    return HttpProblem("not-json", f"expected arrays and objects at most {deepest} deep")


def _is_deeper(data: Any, deepest: int) -> bool:
    """Say whether arrays and objects lie within each other at more than ``deepest`` levels."""
    level = [data] if isinstance(data, dict | list) else []
    for _ in range(deepest):
        inner = (value for one in level for value in (one.values() if isinstance(one, dict) else one))
        level = [value for value in inner if isinstance(value, dict | list)]
    return bool(level)


def _require_whole_characters(parsed: Any) -> None:
    """Raise a `HttpProblem` for half of a surrogate pair, which no text can hold."""
    try:
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise HttpProblem("not-json", "expected text, got half of a surrogate pair") from None
