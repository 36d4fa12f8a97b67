"""Open files and streams as text: compression, encoding, lines, and everything that can be wrong with them."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import HEAD
from sudoku_cp.output_files import open_output
from sudoku_cp.symbols import BLANKS, ascii_forms

Source: TypeAlias = str | Path | IO[str] | IO[bytes]
"""A path, or a stream of text or of bytes."""

LONGEST = 1 << 26
"""The longest line that is held in memory."""

_LONGEST_PATH = 4096
_PEEKED = 64
"""Bytes by which UTF-16 is recognised."""
_SOLID = re.compile(r"[\d.*_?．－＊＿？-]{16,}")  # noqa: RUF001  # the wide signs are meant
"""A board in one word, among words of other kinds."""
_LEAST_DIGITS = 2
"""Foreign digits in a line of cells, at least."""
_MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "lzma"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
    (b"PAR1", "pyarrow"),
)
EXTRAS = {"zstandard": (".zst", "zstd"), "pyarrow": (".parquet", "parquet")}
"""For optional packages: the ending of the files that need it, and the extra that installs it."""
ENDINGS = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": "zstandard"}
"""The module that decompresses files of each ending."""
_TABLES = {".parquet": "Parquet"}
_FAILURES = (("zlib", "error"), ("lzma", "LZMAError"), ("zstandard", "ZstdError"))


_NEVER_IN_TEXT = frozenset(range(0x20)) - {*b"\t\n\v\f\r\x1a\x1b"}
"""Bytes that are not in the beginning of a text; other control characters are blanks, DOS's end of file and escape."""
_BINARY = {
    b"PK\x03\x04": "a ZIP archive, such as an XLSX table: save what is in it as text",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF-": "a PDF",
    b"\x7fELF": "a program",
    b"SQLite f": "an SQLite database",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
}
"""What files that hold no text begin with."""


def is_file(name: str) -> bool:
    """Return whether a text names something on disk."""
    try:
        return 0 < len(name) <= _LONGEST_PATH and Path(name).exists()
    except (OSError, ValueError):  # too long a name, or a NUL in it: no file
        return False


@contextmanager
def open_text(source: Source) -> Iterator[IO[str]]:
    """Open the source as text, decompressed; bytes that are not UTF-8 become lone surrogates."""
    if not isinstance(source, str | Path) and not isinstance(source.read(0), bytes):
        yield source  # type: ignore[misc]  # it yielded text
        return
    with open_bytes(source) as inner:  # type: ignore[arg-type]  # a path or a stream of bytes
        stream = io.TextIOWrapper(inner, encoding="utf-8-sig", errors="surrogateescape")
        try:
            yield stream
        finally:
            stream.detach()  # whoever opened the file closes it


@contextmanager
def open_bytes(source: str | Path | IO[bytes], ending: str = "") -> Iterator[Any]:
    """Open the source as a buffered byte stream, decompressed; ``ending`` is the file ending that belongs to a stream."""
    if not isinstance(source, str | Path):
        with _decompress(source, ending) as stream:
            yield stream
        return
    if "\0" in str(source):
        raise ParseError("expected the name of a file, got one with a NUL in it")
    with Path(source).open("rb") as file, _decompress(file, Path(source).suffix) as stream:
        yield stream


@contextmanager
def _decompress(file: Any, ending: str) -> Iterator[Any]:
    peekable = file if hasattr(file, "peek") else io.BufferedReader(file)
    start = peekable.peek(8)[:8]
    packing = next((module for magic, module in _MAGIC if start.startswith(magic)), None)
    if packing is None and start and ending in ENDINGS | _TABLES:
        raise ParseError(f"expected {(ENDINGS | _TABLES)[ending]} data as the ending {ending} says, got {start!r}")
    if packing is None and (kind := next((kind for magic, kind in _BINARY.items() if start.startswith(magic)), None)):
        raise ParseError(f"expected text, got {kind}")
    try:
        yield _as_utf8(_open_packed(packing, peekable) if packing else peekable)
    finally:
        if peekable is not file:
            peekable.detach()


def _open_packed(packing: str, file: Any) -> Any:
    package = _import_package(packing)
    if packing == "zstandard":
        return io.BufferedReader(_ChunkStream(decompress_zstd(file)))
    if packing == "pyarrow":
        from sudoku_cp.formats.parquet_reader import parquet_to_csv  # noqa: PLC0415  # it needs the package

        return io.BufferedReader(_ChunkStream(parquet_to_csv(file)))
    return package.open(file, "rb")


def _as_utf8(stream: Any) -> Any:
    """Return a stream of text as UTF-8 if it is UTF-16, else as it is."""
    start = stream.peek(_PEEKED)[:_PEEKED]
    encoding = _utf16_name(start)
    if encoding is None:
        if not _NEVER_IN_TEXT.isdisjoint(start):
            raise ParseError("expected text, got bytes that are no text")
        return stream
    decoder = codecs.getincrementaldecoder(encoding)()
    parts = iter(partial(stream.read, HEAD), b"")
    decoded = (decoder.decode(part, final=not part) for part in chain(parts, [b""]))
    return io.BufferedReader(_ChunkStream(text.encode() for text in decoded if text))


def _utf16_name(start: bytes) -> str | None:
    """Return the name of the UTF-16 that a text begins in, by its mark or by the zero bytes of plain signs; None for others."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = {*start[::2]}, {*start[1::2]}
    if len(start) < len(codecs.BOM_UTF16) or 0 in even & odd:
        return None
    return "utf-16-le" if odd == {0} else "utf-16-be" if even == {0} else None


class _ChunkStream(io.RawIOBase):
    """The stream of the bytes in ``chunks``."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from the current chunk."""
        while not self._ready and (chunk := next(self._chunks, None)) is not None:
            self._ready = memoryview(chunk)
        number = min(len(buffer), len(self._ready))
        buffer[:number] = self._ready[:number]
        self._ready = self._ready[number:]
        return number


def _import_package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        ending, extra = EXTRAS[name]
        words = f"expected the package {name} for {ending} files (pip install 'sudoku_cp[{extra}]'), got none"
        raise ParseError(words) from error


@contextmanager
def create_text(path: Path) -> Iterator[IO[str]]:
    """Open a text file for writing, compressed as its ending says; it gets its name once it is complete."""
    packing = ENDINGS.get(path.suffix.lower())
    packer = _import_package(packing) if packing else None
    with open_output(path) as file, packer.open(file, "wb") if packer else nullcontext(file) as inner:
        stream = io.TextIOWrapper(inner, encoding="utf-8", newline="\n")
        try:
            yield stream
        finally:
            stream.detach()  # whoever opened the file closes it


# --- lines ------------------------------------------------------------------------------------------------------


def read_head(stream: IO[str]) -> tuple[str, ParseError | None]:
    """Return the first `HEAD` characters of a text, and the error that cut them short."""
    parts: list[str] = []
    size = 0
    try:
        while size < HEAD and (part := stream.read(HEAD - size)):
            parts.append(part)
            size += len(part)
    except read_errors() as error:
        return plain_text("".join(parts)), ParseError(explain_read_error(error), line="".join(parts).count("\n") + 1)
    return plain_text("".join(parts)), None


def plain_text(text: str) -> str:
    """Return a text with digits of other scripts, and full-width signs, as ASCII wherever they are cells; titles stay."""
    return text if text.isascii() else "\n".join(map(plain_line, text.split("\n")))


def plain_line(line: str) -> str:
    """Return a line with its cells in ASCII: the whole line if it has no words, else the boards in one word."""
    if line.isascii() or sum(sign.isdecimal() and not sign.isascii() for sign in line) < _LEAST_DIGITS:
        return line
    if any(sign.isalpha() and sign not in BLANKS for sign in line):
        return _SOLID.sub(lambda found: ascii_forms(found[0]), line)
    return ascii_forms(line)


def iter_lines(head: str, failure: ParseError | None, stream: IO[str]) -> Iterator[str]:
    """Yield the lines, without line ends, of a text whose head has been read already."""
    *whole, part = head.removeprefix("\ufeff").split("\n")
    yield from whole
    number = len(whole) + 1
    if failure:
        if part:
            yield part
        raise failure
    try:
        line = part + stream.readline(LONGEST)
        while line:
            if len(line) >= LONGEST:
                raise ParseError(f"expected lines of at most {LONGEST} characters, got a longer one", line=number)
            yield plain_line(line.removesuffix("\n"))
            number += 1
            line = stream.readline(LONGEST)
    except read_errors() as error:
        raise ParseError(explain_read_error(error), line=number) from error


def read_errors() -> tuple[type[Exception], ...]:
    """Return the errors that reading a file can raise; of compression modules only those that are loaded."""
    used = [getattr(sys.modules[module], name) for module, name in _FAILURES if module in sys.modules]
    return (OSError, EOFError, UnicodeError, *used)


def explain_read_error(error: Exception) -> str:
    """Return a message for an error of reading: what was expected and what came."""
    if isinstance(error, FileNotFoundError):
        return "expected a file, but there is none of that name"
    if isinstance(error, IsADirectoryError):
        return "expected a file, got a directory"
    if isinstance(error, EOFError):
        return "expected a whole compressed file, got a truncated one"
    if isinstance(error, UnicodeDecodeError):
        return f"expected {error.encoding.upper()} text, got the byte {error.object[error.start]:#04x}"
    if isinstance(error, OSError) and error.strerror:
        return f"expected a file that can be read, got {error.strerror.lower()!r}"
    return f"expected a whole file, got a damaged one ({error})"


# The decompressed bytes of Zstandard files; truncation is an error, whereas the library's own reader ends silently.


_STEP = 1 << 10
"""Compressed bytes processed at a time: few, since each may expand to many."""


def decompress_zstd(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the decompressed bytes of the frames in ``file``; raise EOFError if a frame is truncated."""
    import zstandard  # noqa: PLC0415  # the package may be missing, and few files need it

    frame: Any = None
    while packed := file.read(_STEP):
        while packed:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(packed)
            packed, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise EOFError
