"""The body of a request, read within its limits.

Bytes and seconds are counted while it arrives, and JSON is what RFC 8259 calls JSON.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from sudoku_cp.service.problems import HttpProblem, problem_of_fields
from sudoku_cp.service.sizes import MOST_DEPTH

if TYPE_CHECKING:
    from starlette.requests import Request

    from sudoku_cp.service.limits import ServiceLimits

_M = TypeVar("_M", bound=BaseModel)

_CLOSE = {"Connection": "close"}
"""What goes with a refusal of a body that nobody will read to its end."""


async def read_body(request: Request, limits: ServiceLimits, *, may_be_large: bool) -> bytes:
    """Return the body, which ``may_be_large`` or not; raise a `HttpProblem` as soon as it is too large or late."""
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
                pieces.append(piece)
    except TimeoutError:
        detail = f"expected a body within {seconds:g} seconds, got {size:,} bytes of it"
        raise HttpProblem("body-too-slow", detail, headers=_CLOSE) from None
    return b"".join(pieces)


def parse_fields(model: type[_M], body: Any, *place: str) -> _M:
    """Return a body, or what stands at a ``place`` in it, as a model; raise a `HttpProblem` that names all that does not fit."""
    if not isinstance(body, dict):
        raise problem_of_fields([{"loc": place, "msg": f"expected a JSON object, got {body!r:.40}"}])
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise problem_of_fields({"loc": (*place, *one["loc"]), "msg": one["msg"]} for one in error.errors()) from None


def require_size(size: int, most: int) -> None:
    """Raise a `HttpProblem` for a body of more than ``most`` bytes."""
    if size > most:
        raise HttpProblem("body-too-large", f"expected a body of at most {most:,} bytes, got at least {size:,}", headers=_CLOSE)


def parse_json(body: bytes, deepest: int = MOST_DEPTH) -> Any:
    """Return JSON parsed; raise a `HttpProblem` for anything else, numbers that are none and half characters included."""
    try:
        parsed = _DECODER.decode(body.decode())
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


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _too_deep(deepest: int) -> HttpProblem:
    return HttpProblem("not-json", f"expected arrays and objects at most {deepest} deep, got deeper ones")


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
