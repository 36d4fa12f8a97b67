"""A reader of Zstandard files that notices truncation: the library's own reader ends silently."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import zstandard

if TYPE_CHECKING:
    from typing import IO

_STEP = 1 << 10
"""Compressed bytes processed at a time: few, since each may expand to many."""


class ZstdReader(io.RawIOBase):
    """The decompressed bytes of the frames in ``file``."""

    def __init__(self, file: IO[bytes]) -> None:
        """Begin before the first frame."""
        self._file = file
        self._frame: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as one step of unpacking goes; raises EOFError where a frame breaks off."""
        while not self._ready:
            self._packed = self._packed or self._file.read(_STEP)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError
                return 0
            self._unpack()
        number = min(len(buffer), len(self._ready))
        buffer[:number] = self._ready[:number]
        self._ready = self._ready[number:]
        return number

    def _unpack(self) -> None:
        self._frame = self._frame or zstandard.ZstdDecompressor().decompressobj()
        self._ready = memoryview(self._frame.decompress(self._packed))
        self._packed = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = None
