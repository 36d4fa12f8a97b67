"""The start of a service: workers load in a process of their own while this one loads the rest.

So nothing is imported here before that process has been started; what a service needs takes this one most of a second.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.pool.fork_client import launch_fork_server
from sudoku_cp.service.preload import PRELOAD, PRELOAD_LATER
from sudoku_cp.service.server import Verbs, bind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.service.settings import Settings


def run(settings: Settings, on_ready: Callable[[str, str | None], None], verbs: Verbs | None = None) -> None:
    """Answer requests, by default to all ``verbs`` that there are, until a signal comes.

    ``on_ready`` is called once with the address of the service and that of the f-puzzles socket, None if there is none. Raises
    `InvalidInput` if a setting, or what the system has for the service, does not allow it to run.
    """
    with _told_as_want_of_the_system(), closing(bind(settings.host, settings.port)) as listener:
        launched = launch_fork_server(PRELOAD, PRELOAD_LATER, settings.limits.worker_bytes)
        try:
            from sudoku_cp.service import server  # noqa: PLC0415  # see above

            server.run(settings, verbs or _all_verbs(), listener, launched, on_ready)
        finally:
            launched.process.kill()  # it has ended, unless the service never began
            launched.end()


@contextmanager
def _told_as_want_of_the_system() -> Iterator[None]:
    """Raise `InvalidInput` for what the system does not give the service: processes, open files, room for temporary ones."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"expected a system with what the service needs to run, got: {error}") from error


def _all_verbs() -> Verbs:
    from sudoku_cp.service.questions import LISTINGS, QUESTIONS  # noqa: PLC0415  # see above
    from sudoku_cp.service.server import Verbs  # noqa: PLC0415

    return Verbs(QUESTIONS, LISTINGS)
