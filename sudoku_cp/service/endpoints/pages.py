"""The page to play and design on, the reference of the API, listings, and what operators ask. Nothing is fetched from elsewhere.

The front page names its files below a folder whose name is the version of the page, so that a browser that has them need not ask
again: after a change, the front page names another folder. Modules name each other by relative paths, and so stay in theirs.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sudoku_cp.service.endpoints.questions import require_accepted
from sudoku_cp.service.jobs.store import JobStore, StoreFailed
from sudoku_cp.service.pool.tasks import Answered, Failed, Refused, Task
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_outcome
from sudoku_cp.service.question_runs import refused_as_busy
from sudoku_cp.service.request_log import MEDIA_TYPE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.questions import Listing
    from sudoku_cp.service.running_service import RunningService


# ``GET /v1/rules`` and other listings: what there is, which never changes while the program runs.


def listing_routes(service: RunningService) -> list[Route]:
    """Return the endpoints of all listings."""
    return [Route(f"/v1/{listing.name}", _endpoint(service, listing), methods=["GET"]) for listing in service.listings.values()]


def _endpoint(service: RunningService, listing: Listing) -> Callable[..., Awaitable[Response]]:
    def complete(answer: dict[str, Any]) -> None:
        if listing.name == "limits":
            answer["limits"] |= service.settings.limits.to_json()

    document = WorkerDocument(service.pool, Task(listing.run, ({},), is_quick=True), complete)

    async def tell(request: Request) -> Response:
        request.state.verb = listing.name
        require_accepted(request, "application/json")
        content, tag = await document.read()
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        return Response(content, 200, headers, "application/json")

    return tell


# For those who run the service: is it alive, is it ready, and what has it done?


PROBE_SECONDS = 1.0
"""How long ``/readyz`` waits for the store of jobs."""


def operation_routes(service: RunningService) -> list[Route]:
    """Return the endpoints for operation."""

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_request: Request) -> Response:
        service.require_open()
        if not service.ready:
            raise HttpProblem("closing", "no worker has started yet", headers={"Retry-After": "1"})
        store = service.jobs.store
        with suppress(StoreFailed, TimeoutError):  # a damaged store has been replaced then; one that is busy is no less ready
            await asyncio.wait_for(store.call(JobStore.queued), PROBE_SECONDS)
        if not store.is_usable:
            raise busy("the store of jobs is damaged and cannot be replaced; see the log", 30)
        await _require_room(service)
        remark = f"the store of jobs was damaged: it is kept as {store.damaged}, and a new one is used\n" if store.damaged else ""
        return PlainTextResponse(f"ready\n{remark}")

    async def metrics(_request: Request) -> Response:
        jobs = await service.jobs.count()
        lost = 0 if service.log is None else service.log.lost
        return Response(service.metrics.render(asdict(service.pool.statistics), jobs, lost), media_type=MEDIA_TYPE)

    return [Route("/healthz", health), Route("/readyz", ready), Route("/metrics", metrics)]


async def _require_room(service: RunningService) -> None:
    """Raise a `HttpProblem` if no job could be accepted, because its store cannot be written."""
    most = service.settings.limits.most_bytes(may_be_large=True)
    with suppress(TimeoutError):
        try:
            await asyncio.wait_for(service.jobs.store.call(JobStore.require_room, most), PROBE_SECONDS)
        except StoreFailed as error:
            raise busy(f"the store of jobs cannot be written: {error}", 30) from None


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
