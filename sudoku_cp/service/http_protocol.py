"""HTTP/1.1 as uvicorn speaks it, with an end to the lines before and between the bodies, and answers for half-closed connections.

The parser keeps a header until it is whole, however long it is, so whoever sends one without an end would fill the memory.

The end of what a client sends may mean that it has finished sending, and waits for the answer, or that it has gone: the system
tells them apart only when something is sent to it. So a request that is not answered soon gets an interim response (102), which
every client of HTTP/1.1 passes over. If the client has gone, the system reports that, and the question is cancelled.
"""

from __future__ import annotations

import socket
from collections import deque
from typing import TYPE_CHECKING, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    import asyncio

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
