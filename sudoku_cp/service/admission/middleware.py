"""The door of the service: a request that may not come in is answered here, before anything of its body is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from sudoku_cp.service.admission.origins import MeantForUs
from sudoku_cp.service.admission.request_rates import RequestRates
from sudoku_cp.service.problems import HttpProblem, request_id

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from sudoku_cp.service.admission.api_keys import ApiKeys
    from sudoku_cp.service.settings import Settings

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
