"""The pages for people: the page to play and design on, and the reference of the API. They fetch nothing from anywhere else.

The front page names its files below a folder whose name is the version of the page, so that a browser that has them need not ask
again: after a change, the front page names another folder. Modules name each other by relative paths, and so stay in theirs.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from sudoku_cp.service.pool.tasks import Answered, Failed, Refused
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_outcome
from sudoku_cp.service.question_runs import refused_as_busy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.pool.tasks import Task


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
MEDIA_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "json": "application/json"}
FOLDERS = ("pages", "static")
VERSION = re.compile(r"[0-9a-f]{16}")
"""The name of a folder of the page, present or past: a page that was opened before a change goes on with the present files."""


@dataclass(frozen=True)
class PageFile:
    """A file of the pages as it is sent."""

    content: bytes
    packed: bytes
    """The content as gzip."""
    media_type: str
    tag: str
    """What changes whenever the content does; weak, since both forms have it."""


def page_routes(document: WorkerDocument) -> list[Route]:
    """Return the endpoints of the pages and of what belongs to them, such as the OpenAPI ``document``."""
    service = files("sudoku_cp.service")
    known = {name: _read_file(path) for folder in FOLDERS for name, path in _files_below(service / folder)}

    version = page_version(known)
    known["index.html"] = _front_page(known["index.html"], version)

    async def front(request: Request) -> Response:
        return _answer(known, "index.html", request)

    async def docs(request: Request) -> Response:
        return _answer(known, "docs.html", request)

    async def static(request: Request) -> Response:
        folder, _, name = request.path_params["name"].partition("/")
        if not VERSION.fullmatch(folder):
            return _answer(known, request.path_params["name"], request)
        return _answer(known, name, request, lasting=folder == version)

    async def tell(_request: Request) -> Response:
        return Response((await document.read()).content, media_type="application/json")

    return [Route("/", front), Route("/docs", docs), Route("/static/{name:path}", static), Route("/openapi.json", tell)]


def page_version(known: Mapping[str, PageFile]) -> str:
    """Return what changes whenever any file of the page does."""
    return _digest("".join(known[name].tag for name in sorted(known)).encode())


def _front_page(file: PageFile, version: str) -> PageFile:
    """Return the front page with its files in their folder; an open page asks by its tag whether there is another one by now."""
    content = file.content.replace(b'"/static/', f'"/static/{version}/'.encode())
    return replace(file, content=content, packed=gzip.compress(content, mtime=0), tag=f'W/"{version}"')


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _files_below(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder and of its folders, by their paths, if pages may have them."""
    for path in folder.iterdir():
        if path.is_dir():
            yield from ((f"{path.name}/{one.name}", one) for one in path.iterdir() if _media_type(one.name))
        elif _media_type(path.name):
            yield path.name, path


def _media_type(name: str) -> str | None:
    return MEDIA_TYPES.get(name.rpartition(".")[2])


def _read_file(path: Traversable) -> PageFile:
    content = path.read_bytes()
    packed = gzip.compress(content, mtime=0)
    return PageFile(content, packed, MEDIA_TYPES[path.name.rpartition(".")[2]], f'W/"{_digest(content)}"')


def _answer(known: dict[str, PageFile], name: str, request: Request, *, lasting: bool = False) -> Response:
    """Return a file of the pages, or that it is as it was; raise a `HttpProblem` if there is none of this name.

    A browser may keep without asking what is ``lasting``.
    """
    if name not in known:
        raise HttpProblem("not-found", f"expected a file of the pages, got {name!r:.80}")
    file = known[name]
    headers = {
        "Cache-Control": "max-age=31536000, immutable" if lasting else "no-cache",
        "Content-Security-Policy": POLICY,
        "ETag": file.tag,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    headers["Vary"] = "Accept-Encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, 200, headers | {"Content-Encoding": "gzip"}, file.media_type)
    return Response(file.content, 200, headers, file.media_type)


# Documents that never change while the program runs: a worker makes each, once, when it is first asked for.


SECONDS = 60.0
"""How long a document may take; some load every engine."""


class Document(NamedTuple):
    """JSON as it is sent, and its entity tag."""

    content: bytes
    tag: str


class WorkerDocument:
    """A document that a worker makes, so that the service's own process loads neither engines nor models of answers."""

    def __init__(self, pool: Pool, task: Task, complete: Callable[[dict[str, object]], object] = lambda _: None) -> None:
        """Make nothing yet; ``task`` returns an object, to which ``complete`` adds what only this process knows."""
        self._pool, self._task, self._complete = pool, task, complete
        self._making = asyncio.Lock()
        self._known: Document | None = None

    async def read(self) -> Document:
        """Return the document; raise a `HttpProblem` if it cannot be made now."""
        async with self._making:
            if self._known is None:
                value = await self._make()
                self._complete(value)
                content = await asyncio.to_thread(lambda: json.dumps(value).encode())
                self._known = Document(content, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
            return self._known

    async def _make(self) -> dict[str, object]:
        with refused_as_busy():
            running = self._pool.submit(self._task, deadline=asyncio.get_running_loop().time() + SECONDS)
        match await running.outcome():
            case Answered(value):
                made: dict[str, object] = value
                return made
            case Refused() | Failed() as outcome:
                raise problem_of_outcome(outcome)
            case _:
                raise busy("the document took too long to make", 5)
