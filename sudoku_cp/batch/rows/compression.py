"""Compression of output, chunk by chunk: each becomes a whole member (frame, stream), so that one may follow the other."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def compress(body: bytes | bytearray, compressor: str) -> bytes | bytearray:
    """Return the bytes compressed by the module of that name; unchanged if it is empty."""
    return _COMPRESS[compressor](body) if compressor and body else body


def _zstandard(body: bytes | bytearray) -> bytes:
    found: bytes = import_module("zstandard").ZstdCompressor(level=3).compress(body)
    return found


def _by_module(name: str, **options: Any) -> Callable[[bytes | bytearray], bytes]:
    def compress_all(body: bytes | bytearray) -> bytes:
        found: bytes = import_module(name).compress(body, **options)
        return found

    return compress_all


# Level 1 of gzip takes a tenth of the time of level 6, which is more than solving, and leaves files a third larger.
_COMPRESS: dict[str, Callable[[bytes | bytearray], bytes]] = {
    "gzip": _by_module("gzip", compresslevel=1, mtime=0),
    "bz2": _by_module("bz2"),
    "lzma": _by_module("lzma", preset=1),
    "zstandard": _zstandard,
}
