"""The service under load, as a table: `python -m sudoku_cp.bench.service_load [--seconds N] [--out FILE]`.

Machines are shared, so each row also shows the processor time of all the service's processes for each request, and the
load of the machine. The client's own time is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.pool.supervised_pool import Pool
from sudoku_cp.service.pool.tasks import Answered, Task

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = ("--no-ws", "--no-compile", "--workers", "1")
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DEADLINE = 0.5
"""Seconds that a deaf worker's caller is ready to wait."""


def main() -> None:
    """Measure everything, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each load lasts")
    parser.add_argument("--out", type=Path, help="the file for the table; the terminal without it")
    options = parser.parse_args()
    rows = [*start_rows(5), *load_rows(options.seconds), *asyncio.run(pool_rows(20, 200))]
    table = "\n".join(["| measured | figure | CPU, all processes | goal | load |", "|---|---|---|---|---|", *rows]) + "\n"
    if options.out:
        options.out.write_text(f"# The service under load\n\n{__doc__}\n\n{table}", encoding="utf-8")
    print(table)


def row(name: str, figure: str, cpu: str, goal: str) -> str:
    """Return a row, with the load of the machine at this moment."""
    return f"| {name} | {figure} | {cpu} | {goal} | {os.getloadavg()[0]:.1f} |"


# --- a service in processes of its own ----------------------------------------------------------------------------


class Service:
    """A service with one worker on a free port; ``seconds`` is what it took until /readyz answered."""

    def __init__(self, folder: str) -> None:
        """Start it, and wait until it is ready."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        began = time.perf_counter()
        command = [sys.executable, "-m", "sudoku_cp", "serve", *OPTIONS, "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--data", folder], stderr=subprocess.DEVNULL)  # noqa: S603
        while not self._is_ready():
            if self.process.poll() is not None:
                raise SystemExit("expected a service that starts, got one that ended: run `sudoku-cp serve` to see its error")
            time.sleep(0.005)
        self.seconds = time.perf_counter() - began

    def _is_ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.settimeout(30)
                connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return connection.recv(100).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def cpu_seconds(self) -> float:
        """Return the processor time of the service, its fork server and its workers until now."""
        return sum(map(_cpu_of, _family(self.process.pid)))


def _cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _family(process: int) -> list[int]:
    """Return a process with all below it."""
    found = [process]
    for one in found:
        found += map(int, Path(f"/proc/{one}/task/{one}/children").read_text(encoding="ascii").split())
    return found


@contextmanager
def running_service() -> Iterator[Service]:
    """Run a service until the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(folder)
        try:
            yield service
        finally:
            service.process.send_signal(signal.SIGTERM)
            service.process.wait()


def start_rows(times: int) -> Iterator[str]:
    """Start the service so many times."""
    seconds, cpu = [], []
    for _ in range(times):
        with running_service() as service:
            seconds.append(service.seconds)
            cpu.append(service.cpu_seconds())
    told = f"{statistics.median(seconds):.2f} s (least {min(seconds):.2f} s of {times})"
    yield row("from the start to /readyz", told, f"{statistics.median(cpu):.2f} s", "1.5 s")


# --- requests -----------------------------------------------------------------------------------------------------


def load_rows(seconds: float) -> Iterator[str]:
    """Ask over 1, 16 and 32 connections, and for nothing at all."""
    with running_service() as service:
        solve = _post(json.dumps({"puzzle": PUZZLE}))
        asyncio.run(_load(service, solve, 4, 1.0))  # whatever is loaded at the first request
        cases: list[tuple[str, bytes, int, str]] = [
            ("GET /healthz, 16 connections", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 16, "0.4 ms CPU"),
            ("solve, 1 connection", solve, 1, "3 ms median"),
            ("solve, 16 connections", solve, 16, "1,000 a second, 1 ms CPU"),
            ("solve, 32 connections", solve, 32, "1,000 a second, 1 ms CPU"),
        ]
        for name, request, connections, goal in cases:
            before = service.cpu_seconds()
            took = asyncio.run(_load(service, request, connections, seconds))
            cpu = (service.cpu_seconds() - before) / len(took)
            middle, late = statistics.median(took), sorted(took)[int(0.99 * len(took))]
            told = f"{len(took) / seconds:,.0f} a second; median {middle * 1e3:.2f} ms, p99 {late * 1e3:.2f} ms"
            yield row(name, told, f"{cpu * 1e6:,.0f} us a request", goal)


def _post(body: str) -> bytes:
    head = f"POST /v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


async def _load(service: Service, request: bytes, connections: int, seconds: float) -> list[float]:
    """Ask again and again over so many connections, and return how long each answer took."""
    end = time.perf_counter() + seconds
    took = await asyncio.gather(*(_ask(service.port, request, end) for _ in range(connections)))
    return [one for part in took for one in part]


async def _ask(port: int, request: bytes, end: float) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    took = []
    while (began := time.perf_counter()) < end:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"expected 200, got {head!r}")
        await reader.readexactly(int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]))
        took.append(time.perf_counter() - began)
    writer.close()
    return took


# --- the pool ------------------------------------------------------------------------------------------------------


def deaf(_control: Any) -> None:
    """Hear nothing for half a minute: C code that keeps the interpreter's lock."""
    ctypes.PyDLL(None).sleep(30)


def quick(_control: Any) -> bool:
    """Return at once."""
    return True


async def pool_rows(deadlines: int, cancellations: int) -> list[str]:
    """Ask deaf workers so many times until a deadline, and so many times cancel what they do."""
    from sudoku_cp.bench import service_load as here  # noqa: PLW0406  # the functions by the name that workers know

    loop = asyncio.get_running_loop()
    pool = Pool(1, preload=[here.__name__])
    await pool.start()
    late, free = [], []
    for _ in range(deadlines):
        began = loop.time()
        await pool.submit(Task(here.deaf), deadline=began + DEADLINE).outcome()
        late.append(loop.time() - began - DEADLINE)
    for _ in range(cancellations):
        running = pool.submit(Task(here.deaf), deadline=loop.time() + 30)
        await asyncio.sleep(random.uniform(0.05, 0.1))  # noqa: S311
        began = loop.time()
        running.cancel()
        outcome = await pool.submit(Task(here.quick), deadline=began + 30).outcome()
        if outcome != Answered(value=True):
            raise SystemExit(f"expected an answer from the next worker, got {outcome}")
        free.append(loop.time() - began)
    await pool.stop()
    return [
        row("a deaf worker's caller gets an answer, after the deadline", _spread(late), "", "100 ms"),
        row("from cancelling a deaf worker to the next answer", _spread(free), "", "50 ms p99"),
    ]


def _spread(seconds: list[float]) -> str:
    late = sorted(seconds)[int(0.99 * len(seconds))]
    return f"median {statistics.median(seconds) * 1e3:.0f} ms, p99 {late * 1e3:.0f} ms of {len(seconds)}"


if __name__ == "__main__":
    main()
