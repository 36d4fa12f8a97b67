"""A line of JSON in the log for each request, by which an answer's request id can be found again."""

from __future__ import annotations

import json
import logging
import logging.handlers
import sys
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from queue import SimpleQueue
from random import getrandbits
from threading import Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, TextIO

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from sudoku_cp.service.metrics import Metrics

CLIENT_GONE = 499
"""The status that is counted, and never sent, where the client did not wait for the answer."""
PAUSE = 0.02
"""Seconds in which lines gather."""
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


@contextmanager
def json_log(level: int = logging.INFO) -> Iterator[None]:
    """Write the service's log to standard error inside the block, from a thread of its own: who reads it slowly delays nobody."""
    records: SimpleQueue[logging.LogRecord | None] = SimpleQueue()
    writer = Thread(target=_write_lines, args=(records, sys.stderr), daemon=True)
    sender = logging.handlers.QueueHandler(records)
    sender.prepare = lambda record: record  # type: ignore[method-assign]  # it stays in this process
    loggers = [logging.getLogger(name) for name in ("sudoku_cp", "uvicorn", "websockets")]
    writer.start()
    for logger in loggers:
        logger.addHandler(sender)
        logger.setLevel(level if logger.name == "sudoku_cp" else logging.WARNING)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(sender)
        records.put(None)
        writer.join()


def _write_lines(records: SimpleQueue[logging.LogRecord | None], stream: TextIO) -> None:
    """Write records until None comes; those of a moment together, since to be woken for each costs more than to write it."""
    formatter = _JsonLines()
    found: list[logging.LogRecord | None] = []
    while None not in found:
        found = [records.get()]
        sleep(PAUSE if found[0] else 0)
        while not records.empty():
            found.append(records.get())
        with suppress(OSError, ValueError):  # nobody reads the log any more
            stream.write("".join(f"{formatter.format(record)}\n" for record in found if record))
            stream.flush()
