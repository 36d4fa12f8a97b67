"""A real service on a bound socket, in a thread of the tests' process."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.pool.fork_client import LaunchedForkServer, launch_fork_server
from sudoku_cp.service.questions import QUESTIONS
from sudoku_cp.service.server import Server, Verbs, address_of, bind, make_application, open_service
from sudoku_cp.service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sudoku_cp.service.running_service import RunningService


WANTED_BY_STUBS = ("sudoku_cp.service.questions.declared_run", "tests.service.http.stub_functions")


class RunningServer:
    """The address of a service, and the service itself."""

    def __init__(self, settings: Settings, verbs: Verbs, launched: LaunchedForkServer | None) -> None:
        """Bind a free port."""
        self._launched = launched
        self._listener = bind("127.0.0.1", 0)
        self.url = address_of(self._listener)
        self.settings, self._verbs = settings, verbs
        self.service: RunningService
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start, and return when it answers."""
        self._thread.start()
        assert self._ready.wait(60), "the service did not start"
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """End as on SIGTERM."""
        self.loop.call_soon_threadsafe(self._server.handle_exit, 15, None)
        self._thread.join(30)
        assert not self._thread.is_alive(), "the service did not end"

    def call(self, function: Any) -> None:
        """Run a function in the service's loop."""
        self.loop.call_soon_threadsafe(function)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001  # the test reports it
            self._failure = error
            self._ready.set()

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        async with open_service(self.settings, self._verbs, self._launched) as self.service:
            self._server = Server(self.service, make_application(self.service), self._ready.set)
            await self._server.serve(sockets=[self._listener])


@contextmanager
def running_server(
    data: Path, questions: Mapping[str, Any], *, listings: Mapping[str, Any] | None = None, **settings: Any
) -> Iterator[RunningServer]:
    """Run a service on a free port until the end of the block; workers for other questions than ours load no engine."""
    usual = replace(Settings(data=data, workers=2, compile_kernels=False), **settings)
    ours = questions.keys() <= QUESTIONS.keys()
    launched = None if ours else launch_fork_server(WANTED_BY_STUBS, (), usual.limits.worker_bytes)
    server = RunningServer(usual, Verbs(questions, listings or {}), launched)
    server.start()
    try:
        yield server
    finally:
        server.stop()
