"""Streams of bytes cut into blocks of whole lines: about a megabyte each, and the same however the bytes arrive."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.formats.jigsaws import is_solution
from sudoku_cp.formats.text_files import LONGEST, read_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK_BYTES = 1 << 20
"""Bytes of a block, its last line aside."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class LineBlock:
    """Whole lines, each ending in one line feed; ``offset`` and ``crc`` are those of all bytes up to the end of the block."""

    text: bytes
    offset: int
    crc: int


class ByteSource:
    """A stream that returns as many bytes as asked for, takes bytes back, and holds its failure until its bytes are used up."""

    def __init__(self, stream: Any) -> None:
        """Read from ``stream``, which has ``read1``."""
        self._stream = stream
        self._unread = memoryview(b"")
        self.failure: Exception | None = None

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes, fewer only at the end or before a failure."""
        parts: list[bytes | memoryview] = [self._unread[:size]]
        self._unread = self._unread[size:]
        missing = size - len(parts[0])
        try:
            while missing > 0 and self.failure is None and (part := self._stream.read1(missing)):
                parts.append(part)
                missing -= len(part)
        except read_errors() as error:
            self.failure = error
        return b"".join(parts)

    def unread(self, data: bytes) -> None:
        """Take bytes back, to be read again."""
        self._unread = memoryview(b"".join((data, self._unread)))


class ByteSourceFile(io.RawIOBase):
    """The rest of a `ByteSource` as a file, which raises its failure where the bytes end."""

    def __init__(self, source: ByteSource) -> None:
        """Read from ``source``."""
        self._source = source

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; raises the failure at which the bytes end."""
        data = self._source.read(len(buffer))
        if not data and self._source.failure:
            raise self._source.failure
        buffer[: len(data)] = data
        return len(data)


def line_blocks(source: ByteSource) -> Iterator[LineBlock]:
    """Yield the lines; a line in which the stream breaks off is left out, with the reason in ``source.failure``."""
    rest, offset, crc, wanted = b"", 0, 0, BLOCK_BYTES
    while True:
        text = rest + source.read(wanted - len(rest))
        ended = len(text) < wanted
        cut = len(text) if ended and source.failure is None else last_cut(text)
        if not cut and not ended and wanted < LONGEST:
            rest, wanted = text, wanted + BLOCK_BYTES
            continue
        if cut:
            lines, first = text[:cut], not offset
            offset, crc = offset + cut, crc32(lines, crc)
            yield LineBlock(_normalize_line_ends(lines, first=first), offset, crc)
        elif not ended:
            source.failure = ParseError(f"expected lines of at most {LONGEST} characters, got a longer one")
        if ended or not cut:
            return
        rest, wanted = text[cut:], BLOCK_BYTES


def last_cut(text: bytes) -> int:
    """Return where the last whole line but one ends, or a line earlier: a board and its solution below it stay together.

    A carriage return at the very end may be half of a line end.
    """
    mark = b"\n" if b"\n" in text else b"\r"
    last = text.rfind(mark, 0, -1) + 1
    second = text.rfind(mark, 0, max(0, last - 1)) + 1
    if not second:
        return last
    third = text.rfind(mark, 0, second - 1) + 1
    return third if third and are_solved(text[third:second], text[second:last]) else second


def are_solved(above: bytes, below: bytes) -> bool:
    """Return whether a line is the solution of the board on the line above."""
    cells, full = (line[:LONGEST_LINE].decode("latin-1").split(None, 1) for line in (above, below))
    return bool(cells and full) and is_solution(cells[0], full[0])


def _normalize_line_ends(text: bytes, *, first: bool) -> bytes:
    if first:
        text = text.removeprefix(_BOM).removeprefix(_BOM)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text if text.endswith(b"\n") or not text else text + b"\n"
