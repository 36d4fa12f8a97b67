"""Bytes to blocks of whole lines: about a megabyte at a time, the same blocks however the bytes arrive."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.sources import LONGEST, failures

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 20
"""Bytes of a block, its last line aside."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Block:
    """Whole lines, each with its end, which is one line feed; ``offset`` and ``crc`` are of all bytes up to their end."""

    text: bytes
    offset: int
    crc: int


class Bytes:
    """A stream of bytes that gives as many as asked for, takes some back, and keeps its failure for the end."""

    def __init__(self, stream: Any) -> None:
        """Read from ``stream``, which has ``read1``."""
        self._stream = stream
        self._back = memoryview(b"")
        self.failure: Exception | None = None

    def take(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end or before a failure."""
        parts: list[bytes | memoryview] = [self._back[:size]]
        self._back = self._back[size:]
        missing = size - len(parts[0])
        try:
            while missing > 0 and self.failure is None and (part := self._stream.read1(missing)):
                parts.append(part)
                missing -= len(part)
        except failures() as error:
            self.failure = error
        return b"".join(parts)

    def put_back(self, data: bytes) -> None:
        """Give bytes back, to be taken again, in as many portions as you like."""
        self._back = memoryview(b"".join((data, self._back)))


class Handed(io.RawIOBase):
    """The rest of such a stream for a reader of files: it fails where the bytes do."""

    def __init__(self, source: Bytes) -> None:
        """Read from ``source``."""
        self._source = source

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; raises what was wrong where the bytes break off."""
        data = self._source.take(len(buffer))
        if not data and self._source.failure:
            raise self._source.failure
        buffer[: len(data)] = data
        return len(data)


def blocks(source: Bytes) -> Iterator[Block]:
    """Yield the lines; what breaks off within a line is left out, and ``source.failure`` says so."""
    rest, offset, crc, wanted = b"", 0, 0, BLOCK
    while True:
        text = rest + source.take(wanted - len(rest))
        ended = len(text) < wanted
        cut = len(text) if ended and source.failure is None else _end_of_lines(text)
        if not cut and not ended and wanted < LONGEST:
            rest, wanted = text, wanted + BLOCK
            continue
        if cut:
            lines, first = text[:cut], not offset
            offset, crc = offset + cut, crc32(lines, crc)
            yield Block(_plain_ends(lines, first=first), offset, crc)
        elif not ended:
            source.failure = ParseError(f"expected lines of at most {LONGEST} characters, got a longer one")
        if ended or not cut:
            return
        rest, wanted = text[cut:], BLOCK


def _end_of_lines(text: bytes) -> int:
    """Return where the last whole line ends; a carriage return at the very end may be half of a line end."""
    return text.rfind(b"\n") + 1 or text.rfind(b"\r", 0, -1) + 1


def _plain_ends(text: bytes, *, first: bool) -> bytes:
    if first:
        text = text.removeprefix(_BOM).removeprefix(_BOM)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text if text.endswith(b"\n") or not text else text + b"\n"
