"""HTTP/1.1 as uvicorn speaks it, with an end to the lines before and between the bodies of requests.

The parser keeps a header until it is whole, however long it is, so whoever sends one without an end would fill the memory.
"""

from __future__ import annotations

from typing import Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from sudoku_cp.service.problems import HttpProblem

MOST_HEAD_BYTES: Final = 1 << 16
"""Bytes of a request's first line and headers, and of what stands between two pieces of its body."""


class BoundedHeadProtocol(HttpToolsProtocol):
    """A connection that is closed once more than `MOST_HEAD_BYTES`, or a read more, are neither a whole head nor a body."""

    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self._refuse()

    def on_headers_complete(self) -> None:
        """Begin to answer a request whose head is whole."""
        self._head_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body, whose bytes are counted by whoever reads it."""
        self._head_bytes = 0
        super().on_body(body)

    def _refuse(self) -> None:
        """Answer that the head is too large, unless another answer is on its way, and close the connection."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete or not cycle.response_started:
            detail = f"expected headers of at most {MOST_HEAD_BYTES:,} bytes, got more"
            problem = HttpProblem("head-too-large", detail).response("")
            fields = (b"%b: %b\r\n" % field for field in (*problem.raw_headers, (b"connection", b"close")))
            self.transport.write(b"".join([STATUS_LINE[problem.status_code], *fields, b"\r\n", bytes(problem.body)]))
        self.transport.close()
