"""Standard output and standard error, which no encoding, full disk or closed pipe turns into a traceback.

Rules of this file: what people read is said as well as the stream can, with ASCII borders and escapes for the signs it has
not; what programs read stays exact, as JSON's own escapes in ASCII.
"""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPES, BORDERS = "sudoku-cp-escapes", "sudoku-cp-borders"
"""How signs are said that an encoding has not (see `codecs.register_error`): by escapes; borders by + - |, others by escapes."""
_BOX = range(0x2500, 0x2580)
_ASCII_OF = {chr(sign): "+" for sign in _BOX} | dict.fromkeys("─━═╌╍┄┅┈┉╴╶╸╺╼╾", "-") | dict.fromkeys("│┃║╎╏┆┇┊┋╵╷╹╻╽╿", "|")


def prepare_streams() -> None:
    """Have both streams escape what their encodings cannot say."""
    codecs.register_error(ESCAPES, _escaped)
    codecs.register_error(BORDERS, _bordered)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ESCAPES)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Return the sign that cannot be encoded as JSON would escape it: ``\u2500``, or two of those beyond 16 bits."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start].encode("utf-16-be", "surrogatepass")
    pairs = (units[place : place + 2].hex() for place in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.start + 1


def _bordered(error: UnicodeError) -> tuple[str, int]:
    """Return the sign that stands for a border, or the escape of the sign that is none."""
    if not isinstance(error, UnicodeEncodeError) or error.object[error.start] not in _ASCII_OF:
        return _escaped(error)
    return _ASCII_OF[error.object[error.start]], error.start + 1


def is_unicode(stream: TextIO) -> bool:
    """Say whether the stream can say every sign."""
    return (stream.encoding or "ascii").lower().startswith("utf")


def with_borders(text: str, stream: TextIO) -> str:
    """Return a text for people with its borders as the stream can draw them."""
    if text.isascii() or is_unicode(stream):
        return text
    return text.encode(stream.encoding, BORDERS).decode(stream.encoding)


@contextmanager
def stream_for_programs() -> Iterator[TextIO]:
    """Lend standard output for what programs read: in ASCII, with escapes, where it cannot say every sign."""
    stream = sys.stdout
    if is_unicode(stream) or not isinstance(stream, TextIOWrapper):
        yield stream
        return
    encoding = stream.encoding
    stream.reconfigure(encoding="ascii", errors=ESCAPES)
    try:
        yield stream
    finally:
        stream.reconfigure(encoding=encoding, errors=ESCAPES)


def discard(stream: TextIO) -> None:
    """Let what the stream still holds, and all that comes, go nowhere: it cannot be written, and nobody is to be told again."""
    with suppress(OSError, ValueError):  # a stream without a file, or a closed one
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    with suppress(OSError, ValueError):
        stream.flush()
