"""The body of a request, read within its limits: bytes are counted while they arrive, and JSON is what RFC 8259 calls JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from fastapi import Request
from fastapi.routing import APIRoute

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from starlette.responses import Response

    from sudoku_cp.service.limits import ServiceLimits


class LimitedRequest(Request):
    """A request whose body is JSON, and no larger and no deeper than the service's limits."""

    async def body(self) -> bytes:
        """Read the body; raise a `HttpProblem` as soon as it is too large."""
        if not hasattr(self, "_body"):
            _require_json_type(self.headers.get("content-type", ""))
            most = self._limits.body_bytes
            declared = self.headers.get("content-length", "")
            if declared.isascii() and declared.isdigit() and int(declared[:20]) > most:
                raise _too_large(most)
            pieces, size = [], 0
            async for piece in self.stream():
                size += len(piece)
                if size > most:
                    raise _too_large(most)
                pieces.append(piece)
            self._body = b"".join(pieces)
        return self._body

    async def json(self) -> Any:
        """Return the body parsed."""
        return parse_json(await self.body(), self._limits.body_depth)

    @property
    def _limits(self) -> ServiceLimits:
        limits: ServiceLimits = self.app.state.limits
        return limits


class LimitedRoute(APIRoute):
    """A route whose requests are `LimitedRequest`s."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler, which gets the request in its limits."""
        handle = super().get_route_handler()

        async def handle_limited(request: Request) -> Response:
            return await handle(LimitedRequest(request.scope, request.receive))

        return handle_limited


def parse_json(body: bytes, deepest: int) -> Any:
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


def _too_large(most: int) -> HttpProblem:
    return HttpProblem("body-too-large", f"expected a body of at most {most:,} bytes", headers={"Connection": "close"})


def _too_deep(deepest: int) -> HttpProblem:
    return HttpProblem("not-json", f"expected arrays and objects at most {deepest} deep")


def _is_deeper(parsed: Any, deepest: int) -> bool:
    """Return whether arrays and objects lie deeper in each other than so much."""
    layer = [parsed]
    for _ in range(deepest):
        layer = [child for value in layer for child in _children(value)]
    return any(isinstance(value, dict | list) for value in layer)


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _require_whole_characters(parsed: Any) -> None:
    """Raise a `HttpProblem` for half of a surrogate pair, which no text can hold."""
    try:
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise HttpProblem("not-json", "expected text, got half of a surrogate pair") from None
