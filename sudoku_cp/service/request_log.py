"""A line of JSON in the log for each request, by which an answer's request id can be found again."""

from __future__ import annotations

import json
import logging
import os
import select
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from contextlib import contextmanager
from datetime import UTC, datetime
from io import UnsupportedOperation
from queue import SimpleQueue
from random import getrandbits
from threading import Thread
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING, Any, TextIO

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


CLIENT_GONE = 499
"""The status that is counted, and never sent, where the client did not wait for the answer."""
PAUSE = 0.02
"""Seconds in which lines gather."""
MOST_WAITING = 5000
"""Lines that wait to be written; more are lost."""
MOST_AT_ONCE = 500
"""Lines that are written together."""
LAST_SECONDS = 1.0
"""Seconds that a reader has at the end for the lines that wait."""
_log = logging.getLogger("sudoku_cp.service.requests")


class RequestLog:
    """Gives each request an id and its time of arrival, and logs and counts its answer.

    An exception that nobody below has caught ends here: the log gets the traceback, the client a problem.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        """Log what ``app`` answers."""
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        state = scope.setdefault("state", {})
        state["request_id"] = f"{getrandbits(64):016x}"
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = state["request_id"]
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except ClientDisconnect:
            status = CLIENT_GONE
        except Exception:  # noqa: BLE001  # it is logged
            _log.exception("request failed", extra={"request": state["request_id"]})
            if not status:
                problem = HttpProblem("internal", "the service failed at this request; its log, by the request id, says more")
                await problem.response(state["request_id"])(scope, receive, send_with_id)
        finally:
            self._write(scope, status or CLIENT_GONE, perf_counter() - began)

    def _write(self, scope: Scope, status: int, seconds: float) -> None:
        state = scope["state"]
        verb = state.get("verb", "other")
        self._metrics.observe(verb, status, seconds, state.get("engine", ""))
        fields = {
            "request": state["request_id"],
            "client": state.get("client"),
            "method": scope["method"],
            "path": scope["path"][:200],
            "verb": verb,
            "status": status,
            "seconds": round(seconds, 6),
        }
        _log.info("request", extra=fields)


class _JsonLines(logging.Formatter):
    """A line of JSON for each record: time, level, message, and what was added to it."""

    _OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        fields |= {name: value for name, value in vars(record).items() if name not in self._OWN}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


class LogWriter(logging.Handler):
    """Writes records as lines of JSON, in a thread of its own: a slow or stalled reader delays nobody.

    Lines that find no room are lost, and counted. The thread writes only where the system has room for what it writes, so that
    it ends although nobody reads.
    """

    def __init__(self, stream: TextIO) -> None:
        """Begin to write to a stream."""
        super().__init__()
        self._lost_before, self._lost_behind = 0, 0  # the queue, each counted by one thread at a time
        self._records: SimpleQueue[logging.LogRecord | None] = SimpleQueue()
        self._stream, self._formatter = stream, _JsonLines()
        self._deadline: float | None = None
        self._thread = Thread(target=self._write_all, daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        """Lines that have been lost."""
        return self._lost_before + self._lost_behind

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record."""
        if self._records.qsize() < MOST_WAITING:
            self._records.put(record)
        else:
            self._lost_before += 1

    def end(self, seconds: float = LAST_SECONDS) -> None:
        """Write what waits, for so many seconds, and end."""
        self._deadline = monotonic() + seconds
        self._records.put(None)
        self._thread.join(seconds + 1.0)

    def _write_all(self) -> None:
        """Write records until None comes; those of a moment together, since to be woken for each costs more than to write it."""
        found: list[logging.LogRecord | None] = []
        while None not in found:
            found = [self._records.get()]
            sleep(PAUSE if found[0] else 0)
            while not self._records.empty() and len(found) < MOST_AT_ONCE:
                found.append(self._records.get())
            text = "".join(f"{self._formatter.format(record)}\n" for record in found if record)
            try:
                left = self._write(text.encode())
            except (OSError, ValueError):  # nobody reads the log any more
                left = text.encode()
            self._lost_behind += left.count(b"\n")

    def _write(self, data: bytes) -> bytes:
        """Write lines as the reader takes them; return what is left at the deadline."""
        descriptor = _descriptor_of(self._stream)
        if descriptor is None:
            self._stream.write(data.decode())
            return b""
        room = select.poll()
        room.register(descriptor, select.POLLOUT)
        while data:
            is_late = self._deadline is not None and monotonic() > self._deadline
            if room.poll(0 if is_late else 100):
                data = data[os.write(descriptor, data[: select.PIPE_BUF]) :]
            elif is_late:
                break
        return data


def _descriptor_of(stream: TextIO) -> int | None:
    try:
        stream.flush()
        return stream.fileno()
    except UnsupportedOperation:
        return None


@contextmanager
def json_log(level: int = logging.INFO) -> Iterator[LogWriter]:
    """Write the service's log to standard error inside the block."""
    writer = LogWriter(sys.stderr)
    loggers = [logging.getLogger(name) for name in ("sudoku_cp", "uvicorn", "websockets", "asyncio")]
    for logger in loggers:
        logger.addHandler(writer)
        logger.setLevel(level if logger.name == "sudoku_cp" else logging.WARNING)
    try:
        yield writer
    finally:
        for logger in loggers:
            logger.removeHandler(writer)
        writer.end()


# What the service counts, in the text format of Prometheus.


BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0)
"""Upper bounds of the histogram, in seconds."""
MEDIA_TYPE = "text/plain; version=0.0.4"


class Metrics:
    """Requests by verb and status, and their seconds by verb and engine."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * (len(BUCKETS) + 2))

    def observe(self, verb: str, status: int, seconds: float, engine: str = "") -> None:
        """Count an answered request; ``engine`` is the one that answered it."""
        self._requests[verb, status] += 1
        row = self._seconds[verb, engine]
        row[bisect_left(BUCKETS, seconds)] += 1
        row[-1] += seconds

    def render(self, pool: Mapping[str, float], jobs: Mapping[str, int], lost_lines: int) -> str:
        """Return everything counted, with the pool's figures, the number of jobs in each state, and the lost lines of the log."""
        return "".join(f"{line}\n" for line in self._lines(pool, jobs, lost_lines))

    def _lines(self, pool: Mapping[str, float], jobs: Mapping[str, int], lost_lines: int) -> Iterator[str]:
        yield "# HELP sudoku_requests_total Requests answered, by verb and status; 499 when the client had gone."
        yield "# TYPE sudoku_requests_total counter"
        for (verb, status), number in sorted(self._requests.items()):
            yield f'sudoku_requests_total{{verb="{verb}",status="{status}"}} {number}'
        yield "# HELP sudoku_request_seconds Seconds until a request was answered, by verb and engine."
        yield "# TYPE sudoku_request_seconds histogram"
        for (verb, engine), row in sorted(self._seconds.items()):
            yield from _histogram(f'verb="{verb}",engine="{engine}"', row)
        yield "# HELP sudoku_jobs Jobs in the store, by state."
        yield "# TYPE sudoku_jobs gauge"
        for state, number in sorted(jobs.items()):
            yield f'sudoku_jobs{{state="{state}"}} {number}'
        yield "# HELP sudoku_log_lines_lost_total Lines of the log that were lost because nobody read them in time."
        yield "# TYPE sudoku_log_lines_lost_total counter"
        yield f"sudoku_log_lines_lost_total {lost_lines}"
        for name, figure in pool.items():
            yield f"# TYPE sudoku_pool_{name} {_kind_of(name)}"
            yield f"sudoku_pool_{name} {figure}"


def _kind_of(name: str) -> str:
    return "gauge" if name in {"waiting", "running", "memory", "workers", "spares", "ready"} else "counter"


def _histogram(labels: str, row: list[float]) -> Iterator[str]:
    """Yield the lines of a histogram: cumulative counts, then the sum and the count of all."""
    total = 0.0
    for bound, number in zip((*BUCKETS, "+Inf"), row, strict=False):
        total += number
        yield f'sudoku_request_seconds_bucket{{{labels},le="{bound}"}} {total:.0f}'
    yield f"sudoku_request_seconds_sum{{{labels}}} {row[-1]:.6f}"
    yield f"sudoku_request_seconds_count{{{labels}}} {total:.0f}"
