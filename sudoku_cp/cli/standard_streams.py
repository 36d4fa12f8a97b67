"""Standard output and standard error, set up so that no encoding, full disk or closed pipe ends in a traceback.

Rules of this file: text for people is written as well as the stream's encoding can, with ASCII borders and escapes for
characters that it lacks; text for programs stays exact, with JSON's own escapes in ASCII.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TextIO

ESCAPES, BORDERS = "sudoku-cp-escapes", "sudoku-cp-borders"
"""Names of error handlers (see `codecs.register_error`): the one escapes all, the other draws borders with + - | first."""
_BOX = range(0x2500, 0x2580)
_ASCII_OF = {chr(sign): "+" for sign in _BOX} | dict.fromkeys("─━═╌╍┄┅┈┉╴╶╸╺╼╾", "-") | dict.fromkeys("│┃║╎╏┆┇┊┋╵╷╹╻╽╿", "|")


def prepare_streams() -> None:
    """Make both streams escape what their encodings lack."""
    codecs.register_error(ESCAPES, _escape)
    codecs.register_error(BORDERS, _draw_border)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ESCAPES)


def _escape(error: UnicodeError) -> tuple[str, int]:
    r"""Return the character that cannot be encoded as JSON escapes it: ``\u2500``, or two of those beyond 16 bits."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start].encode("utf-16-be", "surrogatepass")
    pairs = (units[place : place + 2].hex() for place in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.start + 1


def _draw_border(error: UnicodeError) -> tuple[str, int]:
    """Return the ASCII sign of a border, or the escape of any other character."""
    if not isinstance(error, UnicodeEncodeError) or error.object[error.start] not in _ASCII_OF:
        return _escape(error)
    return _ASCII_OF[error.object[error.start]], error.start + 1


def is_unicode(stream: TextIO) -> bool:
    """Return whether the stream can encode every character."""
    return (stream.encoding or "ascii").lower().startswith("utf")


def with_borders(text: str, stream: TextIO) -> str:
    """Return a text for people with borders that the stream can encode."""
    if text.isascii() or is_unicode(stream):
        return text
    return text.encode(stream.encoding, BORDERS).decode(stream.encoding)


@contextmanager
def stream_for_programs() -> Iterator[TextIO]:
    """Yield standard output for text that programs read: in ASCII with escapes where it cannot encode every character."""
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
    """Send what the stream still holds, and all that comes, to the null device, as it cannot be written."""
    with suppress(OSError, ValueError):  # a stream without a file, or a closed one
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    with suppress(OSError, ValueError):
        stream.flush()


def utf8_text(argument: str) -> str:
    """Return an argument that is a puzzle, decoded as UTF-8 even where the locale is ASCII."""
    return argument if argument.isascii() else argument.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
