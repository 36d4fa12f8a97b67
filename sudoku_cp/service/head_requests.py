"""HEAD: what GET would answer, without the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

ENDLESS = "/events"
"""How paths end whose answer goes on as long as a job does; it is not asked for to be thrown away."""


class HeadRequests:
    """Has HEAD answered as GET wherever GET is; the server below leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        """Pass requests on to ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["method"] == "HEAD" and not scope["path"].endswith(ENDLESS):
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)
