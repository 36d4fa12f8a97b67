"""The application: Starlette with the endpoints of one service, behind the log and the door that admits requests.

A request goes through `RequestLog` (its id, its line, its count), `Admission` (may it come in?) and, for pages of other origins,
CORS, all of them plain ASGI; then Starlette finds the endpoint. Whatever is not answered becomes a problem here.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.endpoints.jobs import job_routes
from sudoku_cp.service.endpoints.pages import WorkerDocument, listing_routes, operation_routes, page_routes
from sudoku_cp.service.endpoints.questions import question_routes
from sudoku_cp.service.jobs.store import StoreFailed
from sudoku_cp.service.pool.tasks import Control, Task
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_error, problem_of_status, request_id
from sudoku_cp.service.request_log import RequestLog

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from sudoku_cp.service.questions import Listing, ServedQuestion
    from sudoku_cp.service.running_service import RunningService
    from sudoku_cp.service.settings import Settings


# Who may ask, and how often: names of the service, origins of pages, keys, and rates.


# The door of the service: a request that may not come in is answered here, before anything of its body is read.


OPEN_PATHS = frozenset({"/", "/healthz", "/readyz", "/docs", "/openapi.json"})
"""What is answered without a key, and not counted."""
OPEN_FOLDER = "/static/"


class Admission:
    """Lets requests in that are meant for this service, come with a key where one is needed, and do not come too often.

    Who asks stands in the request's state as ``client``: the name of the key, or the address.
    """

    def __init__(self, app: ASGIApp, settings: Settings, keys: ApiKeys | None) -> None:
        """Guard ``app``; without ``keys`` nobody needs one."""
        self._app, self._keys = app, keys
        self._meant = MeantForUs(settings)
        counted = keys is not None or not settings.is_local
        limits = settings.limits
        self._rates = RequestRates(limits.requests_a_minute, limits.requests_at_once) if counted else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or its problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            client = scope["state"]["client"] = self._client(scope)
            rates = None if _is_open(scope["path"]) else self._rates
            rate_headers = rates.begin(client) if rates else {}
        except HttpProblem as problem:
            await problem.response(request_id(scope))(scope, receive, send)
            return
        try:
            await self._app(scope, receive, _with_headers(send, rate_headers) if rate_headers else send)
        finally:
            if rates:
                rates.end(client)

    def _client(self, scope: Scope) -> str:
        """Return who asks; raise a `HttpProblem` for clients that may not."""
        headers = Headers(scope=scope)
        self._meant.check(headers.get("host", ""), headers.get("origin"))
        if self._keys is None or _is_open(scope["path"]) or _is_preflight(scope, headers):
            address = scope.get("client")
            return address[0] if address else "local"
        key = _key_of(headers)
        if key is None:
            detail = "expected a key, as in 'Authorization: Bearer KEY', got none"
            raise HttpProblem("key-missing", detail, headers={"WWW-Authenticate": "Bearer"})
        name = self._keys.name_of(key)
        if name is None:
            detail = "expected a key of this service, got another"
            raise HttpProblem("key-unknown", detail, headers={"WWW-Authenticate": "Bearer"})
        return name


def _key_of(headers: Headers) -> str | None:
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" and key.strip() else headers.get("x-api-key")


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDER)


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    """Return whether a browser asks if it may ask; it sends no key with that."""
    return scope["method"] == "OPTIONS" and "access-control-request-method" in headers


def _with_headers(send: Send, fields: dict[str, str]) -> Send:
    """Return ``send`` that adds header fields to the answer."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(fields)
        await send(message)

    return send_with_headers


# Keys of clients, from a file with one a line: ``NAME KEY``; lines that are empty or begin with ``#`` are passed over.


SHORTEST = 16
"""Characters of a key, at least."""


class ApiKeys:
    """The keys that a service knows. Only their digests are kept, and neither is ever logged."""

    def __init__(self, lines: list[str]) -> None:
        """Read the lines of a key file; raise `InvalidInput` with everything that is wrong with them."""
        self._names: dict[str, bytes] = {}
        problems = []
        for number, line in enumerate(lines, 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) != 2 or len(words[1]) < SHORTEST:  # noqa: PLR2004  # a name and a key
                came = f"a key of {len(words[1])}" if len(words) == 2 else f"{len(words)} words"  # noqa: PLR2004
                problems.append(f"line {number}: expected a name and a key of at least {SHORTEST} characters, got {came}")
            elif words[0] in self._names:
                problems.append(f"line {number}: expected a name that is new, got {words[0]!r:.40}")
            else:
                self._names[words[0]] = _digest(words[1])
        if problems or not self._names:
            raise InvalidInput(problems or "expected at least one line with a name and a key, got none")

    def name_of(self, key: str) -> str | None:
        """Return the name of a key, None if it is unknown; the time this takes says nothing about the keys."""
        digest = _digest(key)
        found = None
        for name, known in self._names.items():
            if hmac.compare_digest(digest, known):
                found = name
        return found


def read_key_file(path: Path) -> ApiKeys:
    """Return the keys of a file; raise `InvalidInput` if it cannot be read, or a line is not as expected."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"expected a key file that can be read, got {str(path)!r}: {error}") from None
    try:
        return ApiKeys(lines)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {problem}" for problem in error.problems) from None


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


# Whether a request was meant for this service: the name in ``Host``, and the page in ``Origin``.
#
# A page of another site can make a browser send requests here. It cannot hide its origin; but if its own name is made to
# resolve to this machine (DNS rebinding), the browser takes the service for a part of that site. Then ``Host`` has that name.
# An address in figures cannot be made to resolve to anything, so every one of those may stand in ``Host``.


class MeantForUs:
    """Checks the ``Host`` and the ``Origin`` of requests."""

    def __init__(self, settings: Settings) -> None:
        """Take the names and the origins that the service answers to."""
        self._names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.host_names)}
        self._origins = {origin.lower().rstrip("/") for origin in settings.origins}

    def check(self, host: str, origin: str | None) -> None:
        """Raise a `HttpProblem` unless the service goes by the name, and pages of the origin may ask."""
        name = host_name(host)
        if name not in self._names and not _is_address(name):
            raise HttpProblem("host-unknown", f"expected the address of the service or a name that it goes by, got {name!r:.80}")
        if origin is None:
            return
        same = origin.lower().partition("://")[2] == host.lower()
        if not same and origin.lower() not in self._origins:
            raise HttpProblem(
                "origin-unknown", f"expected a page of this service or of an origin that it allows, got {origin!r:.80}"
            )


def host_name(host: str) -> str:
    """Return the name or address in a ``Host`` field, without its port and brackets."""
    name, _, port = host.rpartition(":")
    bare = name if name and port.isdigit() and (":" not in name or name.endswith("]")) else host
    return bare.strip("[]").lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


# How often each client asks: requests in progress, and requests in a minute.


WINDOW = 60.0
"""Seconds for which requests are counted."""


class RequestRates:
    """Counts the requests of clients, in windows of a minute that begin for all of them together."""

    def __init__(self, a_minute: int, at_once: int, clock: Callable[[], float] = monotonic) -> None:
        """Let each client ask so many times ``a_minute``, and have so many requests in progress ``at_once``."""
        self._a_minute, self._at_once, self._clock = a_minute, at_once, clock
        self._window = clock()
        self._asked: Counter[str] = Counter()
        self._in_progress: Counter[str] = Counter()

    def begin(self, client: str) -> dict[str, str]:
        """Count a request and return the ``RateLimit`` fields for its answer; raise a `HttpProblem` if it is one too many."""
        now = self._clock()
        if now >= self._window + WINDOW:
            self._window = now
            self._asked.clear()
        seconds = max(1, round(self._window + WINDOW - now))
        left = self._a_minute - self._asked[client]
        headers = self._headers(max(left - 1, 0), seconds)
        if left <= 0:
            raise _too_many(f"expected at most {self._a_minute} requests a minute, got one more", seconds, headers)
        if self._in_progress[client] >= self._at_once:
            raise _too_many(f"expected at most {self._at_once} requests at once, got one more", 1, headers)
        self._asked[client] += 1
        self._in_progress[client] += 1
        return headers

    def end(self, client: str) -> None:
        """Count a request no longer as in progress."""
        self._in_progress[client] -= 1
        if not self._in_progress[client]:
            del self._in_progress[client]

    def _headers(self, left: int, seconds: int) -> dict[str, str]:
        return {"RateLimit-Limit": str(self._a_minute), "RateLimit-Remaining": str(left), "RateLimit-Reset": str(seconds)}


def _too_many(detail: str, seconds: int, headers: dict[str, str]) -> HttpProblem:
    return HttpProblem("rate-limit", detail, headers=headers | {"Retry-After": str(seconds)})


_log = logging.getLogger(__name__)


def make_application(service: RunningService) -> ASGIApp:
    """Return the application of a service; raise `InvalidInput` if its key file is not as expected."""
    settings = service.settings
    keys = read_key_file(settings.key_file) if settings.key_file else None
    application: ASGIApp = make_endpoints(service)
    if settings.origins:
        application = CORSMiddleware(
            application,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "X-API-Key"],
            expose_headers=["Location", "Retry-After", "X-Request-Id"],
        )
    return RequestLog(Admission(application, settings, keys), service.metrics)


def make_endpoints(service: RunningService) -> Starlette:
    """Return the endpoints alone."""
    document = WorkerDocument(service.pool, Task(make_document, (dict(service.questions), dict(service.listings)), is_quick=True))
    return Starlette(
        routes=[
            *operation_routes(service),  # looked through in this order: what is asked most often stands first
            *question_routes(service),
            *job_routes(service),
            *listing_routes(service),
            *page_routes(document),
        ],
        exception_handlers=dict.fromkeys((HTTPException, InvalidInput, StoreFailed, Exception), _answer_problem),
    )


async def _answer_problem(request: Request, error: Exception) -> Response:
    """Answer an error as a problem."""
    match error:
        case HttpProblem():
            problem = error
        case HTTPException():
            problem = problem_of_status(error.status_code, error.headers)
        case InvalidInput():
            problem = problem_of_error(error)
        case StoreFailed():
            _log.error("the store of jobs fails: %s", error, extra={"request": request_id(request.scope)})
            problem = busy("the store of jobs cannot be written or read at the moment", 30)
        case _:
            problem = HttpProblem("internal", "the service failed at this request; its log, by the request id, says more")
    return problem.response(request_id(request.scope))


def make_document(questions: Mapping[str, ServedQuestion], listings: Mapping[str, Listing], control: Control) -> dict[str, Any]:
    """Return the OpenAPI document; a worker makes it, since what it takes is slow to load."""
    del control
    from sudoku_cp.service.endpoints.openapi_document import describe_service  # noqa: PLC0415

    return describe_service(questions, listings)
