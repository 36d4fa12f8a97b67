"""The service from its start to its end: the pool, the jobs, the sockets, and what a signal does.

SIGTERM closes the door (`RunningService.close_door`): ``/readyz`` says 503, no new work is taken, streams end. Short questions
that are running end; jobs that are running go back into the queue, for the next service on the same store.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from asyncio.subprocess import DEVNULL
from collections import deque
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.service.application import make_application
from sudoku_cp.service.batching import SeriesMemory, SolveBatcher
from sudoku_cp.service.jobs.job_runner import JobRunner
from sudoku_cp.service.jobs.store import StoreFailed, StoreThread
from sudoku_cp.service.pool.supervised_pool import Pool
from sudoku_cp.service.pool.tasks import Answered, Task, WorkerFunction
from sudoku_cp.service.preload import PRELOAD, PRELOAD_LATER
from sudoku_cp.service.problems import HttpProblem
from sudoku_cp.service.questions.declared_run import EncodedRun
from sudoku_cp.service.request_log import LogWriter, json_log
from sudoku_cp.service.running_service import RunningService
from sudoku_cp.service.settings import PORT, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from starlette.types import ASGIApp

    from sudoku_cp.service.cluster_pool import ClusterPool
    from sudoku_cp.service.pool.fork_client import LaunchedForkServer
    from sudoku_cp.service.questions import Listing, ServedQuestion


LAST_SECONDS = 15
"""How long requests that are running have at the end."""
PLAIN_GRIDS = ("-c", "from sudoku_cp.service.questions.plain_grids import warm_up; warm_up()")
"""The program of the process that compiles the code for plain grids."""
COMMON_KERNELS = ("-m", "sudoku_cp.service.common_kernels")
"""The program of the process that compiles whatever else is often needed."""
HAS_CODE = WorkerFunction("sudoku_cp.service.questions.plain_grids", "has_plain_grid_code")
"""What a worker is asked about that code."""
FIRST_TASK_SECONDS = 60.0
"""How long a worker may take to report what it has loaded."""
_log = logging.getLogger(__name__)


class Verbs(NamedTuple):
    """What a service answers."""

    questions: Mapping[str, ServedQuestion]
    listings: Mapping[str, Listing] = MappingProxyType({})


@asynccontextmanager
async def open_service(
    settings: Settings, verbs: Verbs, launched: LaunchedForkServer | None = None
) -> AsyncIterator[RunningService]:
    """Start the pool and the jobs, and stop them at the end of the block; raise `InvalidInput` if the store is in use.

    ``launched`` is the pool's fork server, if it has been started already (`start`).
    """
    limits = settings.limits
    async with AsyncExitStack() as stack:
        store = StoreThread(settings.data)
        stack.push_async_callback(store.close)
        pool = Pool(
            settings.workers,
            queue=limits.queue,
            memory=limits.worker_bytes,
            tasks_per_worker=limits.questions_a_worker,
            preload=PRELOAD,
            preload_later=PRELOAD_LATER,
            launched=launched,
        )
        await pool.start()
        stack.push_async_callback(pool.stop, grace=1.0)
        memory = SeriesMemory()
        submit, at_once = pool.submit, max(1, settings.workers - 1)  # a worker stays free for short questions, if there are more
        if settings.cluster is not None:
            cluster = await _connect(settings.cluster, stack)
            submit, at_once = cluster.submit, cluster.workers
        jobs = JobRunner(store, submit, verbs.questions, limits, memory, at_once=at_once)
        try:
            await jobs.start()
        except StoreFailed as error:
            raise InvalidInput(f"expected a folder for jobs that can be used, got {str(settings.data)!r}: {error}") from None
        stack.push_async_callback(jobs.stop)
        service = RunningService(settings, verbs.questions, pool, jobs, listings=verbs.listings, memory=memory, ready=True)
        if "solve" in verbs.questions:
            await stack.enter_async_context(_compiling(service, EncodedRun(verbs.questions["solve"].run)))
        try:
            yield service
        finally:
            service.close_door()


async def _connect(address: str, stack: AsyncExitStack) -> ClusterPool:
    """Return the workers of a cluster, until the end of the service; raise `InvalidInput` if there is none at the address."""
    from sudoku_cp.service.cluster_pool import ClusterPool  # noqa: PLC0415  # few have one

    cluster = await ClusterPool.connect(address)
    stack.push_async_callback(cluster.stop)
    return cluster


@asynccontextmanager
async def _compiling(service: RunningService, solve: Callable[..., Any]) -> AsyncIterator[None]:
    """Compile in other processes inside the block, once on a machine, what questions need; solve plain grids together.

    Plain grids come first and take some 20 seconds; until then they are solved one by one. A worker that compiles is stopped at
    its deadline, and would begin anew with each question.
    """
    loop = asyncio.get_running_loop()
    asked = service.pool.submit(Task(HAS_CODE), deadline=loop.time() + FIRST_TASK_SECONDS)
    compiled = await asked.outcome() == Answered(value=True)
    if compiled:
        service.batcher = SolveBatcher(service.pool, solve)

    async def compile_all() -> None:
        if not compiled and await _runs(*PLAIN_GRIDS):
            service.batcher = SolveBatcher(service.pool, solve)
        if service.settings.compile_kernels:
            await _runs(*COMMON_KERNELS)

    compiling = asyncio.create_task(compile_all())
    try:
        yield
    finally:
        compiling.cancel()
        with suppress(asyncio.CancelledError):
            await compiling


async def _runs(*arguments: str) -> bool:
    """Run Python in a process to its end, and return whether it succeeded; if the task is cancelled, the process is killed."""
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=DEVNULL, stderr=DEVNULL)
    try:
        if await process.wait():
            _log.warning("what compiles code in the background ended with exit code %s", process.returncode)
        return process.returncode == 0
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def serve(
    settings: Settings,
    verbs: Verbs,
    listener: socket.socket,
    launched: LaunchedForkServer,
    on_ready: Callable[[str, str | None], None],
    log: LogWriter,
) -> None:
    """Answer the requests that come to ``listener`` until a signal comes; the rest is as in `start.run`."""
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(open_service(settings, verbs, launched))
        service.log = log
        ws_address = await _start_socket(service, stack)
        server = Server(service, make_application(service), lambda: on_ready(address_of(listener), ws_address))
        await server.serve(sockets=[listener])


class Server(uvicorn.Server):
    """Uvicorn, which closes the door of the service first when a signal comes."""

    def __init__(self, service: RunningService, application: ASGIApp, on_started: Callable[[], None]) -> None:
        """Serve an application; ``on_started`` is called once it can be reached."""
        super().__init__(
            uvicorn.Config(
                application,
                http=BoundedHeadProtocol,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=LAST_SECONDS,
            )
        )
        self._service, self._on_started = service, on_started
        self._loop = asyncio.get_running_loop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self._on_started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; a second signal does not wait for a load balancer to turn away."""
        del sig, frame
        seconds = 0.0 if self._service.closing else self._service.settings.drain_seconds
        self._loop.call_soon_threadsafe(self._begin_to_end, seconds)

    def _begin_to_end(self, seconds: float) -> None:
        _log.info("the service ends", extra={"drain_seconds": seconds})
        self._service.close_door()
        self._loop.call_later(seconds, self._end)

    def _end(self) -> None:
        self.should_exit = True


async def _start_socket(service: RunningService, stack: AsyncExitStack) -> str | None:
    """Start the f-puzzles socket, and return its address; None if there is none."""
    settings = service.settings
    if settings.ws_port is None:
        return None
    from sudoku_cp.service.fpuzzles_socket.server import ORIGINS, start  # noqa: PLC0415  # not with --no-ws

    try:
        server = await start(service.pool, settings.ws_host, settings.ws_port, (*ORIGINS, *settings.origins))
    except OSError as error:
        words = (
            f"expected port {settings.ws_port} of {settings.ws_host} to be free for the f-puzzles socket: {error.strerror}; "
            "`no_ws` starts the service without it"
        )
        raise InvalidInput(OptionProblem(words)) from None
    stack.push_async_callback(server.wait_closed)
    stack.callback(server.close)
    return address_of(next(iter(server.sockets)), "ws")


def run(
    settings: Settings,
    verbs: Verbs,
    listener: socket.socket,
    launched: LaunchedForkServer,
    on_ready: Callable[[str, str | None], None],
) -> None:
    """Run `serve` with the log on standard error."""
    config = uvicorn.Config(None, log_config=None)  # type: ignore[arg-type]  # asked for its loop alone
    with json_log() as log, asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(serve(settings, verbs, listener, launched, on_ready, log))


# HTTP/1.1 as uvicorn speaks it, with an end to the lines before and between the bodies, and answers for half-closed
# connections.
#
# The parser keeps a header until it is whole, however long it is, so whoever sends one without an end would fill the memory.
#
# The end of what a client sends may mean that it has finished sending, and waits for the answer, or that it has gone: the
# system tells them apart only when something is sent to it. So a request that is not answered soon gets an interim response
# (102), which every client of HTTP/1.1 passes over. If the client has gone, the system reports that, and the question is
# cancelled.


MOST_HEAD_BYTES: Final = 1 << 16
"""Bytes of a request's first line and headers, and of what stands between two pieces of its body."""
PROBE_SECONDS: Final = 0.3
"""Seconds after the end of what a client sends until it is asked, by an interim response, whether it is there."""
LOOK_SECONDS: Final = 0.1
"""Between two looks at whether the system has learnt that it has gone."""
PROBE: Final = b"HTTP/1.1 102 Processing\r\n\r\n"


class BoundedHeadProtocol(HttpToolsProtocol):
    """A connection that is closed once more than `MOST_HEAD_BYTES`, or a read more, are neither a whole head nor a body."""

    _head_bytes = 0
    _is_half_closed = _is_probed = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's is
        """Begin with a connection, on which nothing has come yet."""
        super().connection_made(transport)
        self._unanswered: deque[RequestResponseCycle] = deque()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            detail = f"expected headers of at most {MOST_HEAD_BYTES:,} bytes, got more"
            self._refuse(HttpProblem("head-too-large", detail))

    def on_headers_complete(self) -> None:
        """Begin to answer a request whose head is whole."""
        self._head_bytes = 0
        super().on_headers_complete()
        self._unanswered.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, whose bytes its reader counts."""
        self._head_bytes = 0
        super().on_body(body)

    def connection_lost(self, exc: Exception | None) -> None:
        """Disconnect every request of the connection: uvicorn disconnects only the one that came last."""
        super().connection_lost(exc)
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn's closes every connection here
        """Keep a connection on which requests wait to be answered; its client may have closed only its own half."""
        if not self._is_answering() or self.cycle.more_body:  # the rest of a body will not come
            return False
        if self._is_streaming():
            return False
        self._is_half_closed = True
        self.loop.call_later(PROBE_SECONDS, self._look)
        return True

    def on_response_complete(self) -> None:
        """Go on with the next request; after the last one of a half-closed connection, close it."""
        self._unanswered.popleft()  # responses come in the order of their requests
        super().on_response_complete()
        if self._is_half_closed and not self._is_answering():
            self.transport.close()

    def _is_answering(self) -> bool:
        """Return whether a response is not complete: the cycle is that of the last request, and those before end first."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _is_streaming(self) -> bool:
        """Return whether a response waits for what is still to come, as events do: too seldom to learn from them who is there."""
        return self._unanswered[0].response_started and not self.transport.get_write_buffer_size()

    def _look(self) -> None:
        """Give up a connection whose client has gone, while there is something to be answered."""
        if not self._is_answering() or self.transport.is_closing():
            return
        if self.transport.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self.transport.abort()
            return
        if self._is_streaming():
            self.transport.close()
            return
        is_silent = not self.pipeline and not self.cycle.response_started
        if is_silent and not self._is_probed and self.scope["http_version"] == "1.1":
            self._is_probed = True
            self.transport.write(PROBE)
        self.loop.call_later(LOOK_SECONDS, self._look)

    def send_400_response(self, msg: str) -> None:
        """Answer that what has come is no request of HTTP."""
        del msg
        self._refuse(HttpProblem("bad-request", "expected a request of HTTP/1.1, got bytes that are none"))

    def _refuse(self, problem: HttpProblem) -> None:
        """Answer with a problem, unless another answer is on its way, and close the connection."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete or not cycle.response_started:
            response = problem.response("")
            fields = (b"%b: %b\r\n" % field for field in (*response.raw_headers, (b"connection", b"close")))
            self.transport.write(b"".join([STATUS_LINE[response.status_code], *fields, b"\r\n", bytes(response.body)]))
        self.transport.close()


# The socket on which a service listens, and the address that it has for people.


PORTS_TRIED = 20
"""Ports that are tried, one after the other, if none was asked for."""


def bind(host: str, port: int | None) -> socket.socket:
    """Return a socket that is bound; raise `InvalidInput` if the port is in use, or no port near the usual one is free."""
    wanted = range(PORT, PORT + PORTS_TRIED) if port is None else [port]
    problem = ""
    for number in wanted:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
            listener = socket.socket(family, kind, protocol)
        except (OSError, UnicodeError) as error:  # the latter for what cannot be a name
            reason = error.strerror if isinstance(error, OSError) else "it cannot be a name"
            raise InvalidInput(f"expected a host to listen on, got {host!r:.80}: {reason}") from None
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(2048)
        except OSError as error:
            listener.close()
            problem = error.strerror or str(error)
        else:
            listener.setblocking(False)  # noqa: FBT003  # the standard library's way
            return listener
    named = f"port {wanted[0]}" if port is not None else f"one of the ports {wanted[0]} to {wanted[-1]}"
    raise InvalidInput(f"expected {named} of {host} to be free: {problem}")


def address_of(listener: socket.socket, scheme: str = "http") -> str:
    """Return the address at which clients on this machine reach a socket."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # any address of this machine
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
