"""The pages for people: the front page, and the reference of the API, which fetches nothing from anywhere else."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi import APIRouter, Response

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from sudoku_cp.service.endpoints.worker_documents import WorkerDocument

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
MEDIA_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


def page_router() -> APIRouter:
    """Return the endpoints of the pages and of what belongs to them."""
    router = APIRouter(include_in_schema=False)
    folder = files("sudoku_cp.service") / "pages"
    known = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}

    @router.get("/")
    async def front() -> Response:
        return _page(known, "front.html")

    @router.get("/docs")
    async def docs() -> Response:
        return _page(known, "docs.html")

    @router.get("/static/{name}")
    async def static(name: str) -> Response:
        return _page(known, name)

    return router


def document_router(document: WorkerDocument) -> APIRouter:
    """Return the endpoint of the OpenAPI document, from which the page of the API is made."""
    router = APIRouter(include_in_schema=False)

    @router.get("/openapi.json")
    async def tell() -> Response:
        return Response((await document.read()).content, media_type="application/json")

    return router


def _page(known: dict[str, str], name: str) -> Response:
    """Return a file of the pages; raise a `HttpProblem` if there is none of this name."""
    if name not in known:
        raise HttpProblem("not-found", f"expected a file of the pages, got {name!r:.80}")
    headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
    return Response(known[name], 200, headers, MEDIA_TYPES[name.rpartition(".")[2]])
