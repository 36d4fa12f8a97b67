"""The decompressed bytes of Zstandard files; truncation is an error, whereas the library's own reader ends silently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

import zstandard

_STEP = 1 << 10
"""Compressed bytes processed at a time: few, since each may expand to many."""


def decompress_zstd(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the decompressed bytes of the frames in ``file``; raise EOFError if a frame is truncated."""
    frame: Any = None
    while packed := file.read(_STEP):
        while packed:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(packed)
            packed, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise EOFError
