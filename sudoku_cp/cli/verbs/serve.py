"""The verb ``serve``."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.cli.output import remark
from sudoku_cp.errors import BackendMissing
from sudoku_cp.questions.answer import YES

if TYPE_CHECKING:
    from collections.abc import Callable

NEEDED = ("fastapi", "uvicorn", "websockets")
"""What the service is made with, and the package can do without."""
WS_PORT = 4545


def serve(
    *,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=0, max=65535, help="The port (0: any free one).", show_default="8080, or the next free one"
        ),
    ] = None,
    ws_port: Annotated[
        int, typer.Option("--ws-port", metavar="NUMBER", min=0, max=65535, help="The port of the f-puzzles websocket.")
    ] = WS_PORT,
    no_ws: Annotated[bool, typer.Option("--no-ws", help="Start no f-puzzles websocket.")] = False,
    workers: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help="Questions that run at the same time.", show_default="all cores")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where jobs are kept; one service at a time uses it.", show_default="~/.local/share/sudoku_cp"
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run jobs on a Dask cluster (tcp://host:8786), or on local:4.", show_default=False),
    ] = None,
    no_compile: Annotated[
        bool, typer.Option("--no-compile", help="Compile nothing in the background, only when a question needs it.")
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answer only clients with a key: a NAME and a KEY a line.", show_default=False),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="Let pages of this origin ask, such as https://example.org; repeatable.", show_default=False
        ),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name of the service, as clients write it in addresses; repeatable.", show_default=False
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="The longest time that a question may ask for.")
    ] = 60.0,
    job_timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="The longest time that a job may ask for.")
    ] = 3600.0,
    body_bytes: Annotated[
        int, typer.Option(metavar="NUMBER", min=1000, help="The largest body that holds one puzzle.")
    ] = 1_000_000,
    list_bytes: Annotated[
        int, typer.Option(metavar="NUMBER", min=1000, help="The largest body that may hold many puzzles.")
    ] = 5_000_000,
    queue: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Questions that may wait, for each worker.")] = 64,
    requests_a_minute: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="Requests allowed per client (not limited on 127.0.0.1 without keys).")
    ] = 600,
    worker_memory: Annotated[int, typer.Option(metavar="MB", min=200, help="Memory of a worker.")] = 2048,
    drain: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="How long to keep listening after SIGTERM.")] = 0.0,
) -> int:
    """Answer questions over HTTP, and those of the f-puzzles page.

    The address is printed once the service can answer. Ctrl-C or SIGTERM ends it: running questions end, and jobs
    continue at the next start. See docs/service.md.
    """
    _require_service()
    from sudoku_cp.service.settings import ServiceLimits, Settings  # noqa: PLC0415  # no other verb needs it
    from sudoku_cp.service.start import run  # noqa: PLC0415

    limits = ServiceLimits(
        body_bytes=body_bytes,
        list_bytes=list_bytes,
        timeout_default=min(10.0, timeout),
        timeout_most=timeout,
        job_seconds=job_timeout,
        queue=queue,
        requests_a_minute=requests_a_minute,
        worker_bytes=worker_memory << 20,
    )
    settings = Settings(
        host=host,
        port=port,
        ws_port=None if no_ws else ws_port,
        cluster=cluster,
        key_file=key_file,
        origins=tuple(origin or ()),
        host_names=tuple(host_name or ()),
        compile_kernels=not no_compile,
        drain_seconds=drain,
        limits=limits,
    )
    options: dict[str, Any] = {"workers": workers, "data": data}
    settings = replace(settings, **{name: value for name, value in options.items() if value is not None})
    run(settings, _announce(open_page=open_page))
    return YES


def _require_service() -> None:
    """Raise `BackendMissing` if the extra ``service`` is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        names = ", ".join(missing)
        raise BackendMissing(f"the service needs {names}: pip install 'sudoku_cp[service]'")


def _announce(*, open_page: bool) -> Callable[[str, str | None], None]:
    """Return what is called when the service can answer."""

    def announce(address: str, ws_address: str | None) -> None:
        remark(f"sudoku-cp: listening on {address}" + (f", and for f-puzzles on {ws_address}" if ws_address else ""))
        if open_page:
            import webbrowser  # noqa: PLC0415  # only then

            webbrowser.open(address)

    return announce
