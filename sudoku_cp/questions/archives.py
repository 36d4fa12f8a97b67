"""Certificates as one file: a tar.gz in memory, packed from files, and unpacked within limits.

An archive may come from anybody: only plain files with plain names are taken, and no more or larger ones than a certificate has.
It is decompressed piece by piece, so that a small archive of something huge ends at the limit and not in memory.
"""

from __future__ import annotations

import gzip
import re
import tarfile
import zlib
from base64 import b64decode
from io import BufferedReader, BytesIO, RawIOBase
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.questions.question import CertificateSizes

FOLDER = "certificate"
"""The folder in the archive."""
_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,99}/)?([A-Za-z0-9_][A-Za-z0-9._-]{0,99})")
"""A plain name, perhaps in one folder."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return a tar.gz of files by name; the same files always make the same bytes."""
    packed = BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, data in sorted(files.items()):
            about = tarfile.TarInfo(f"{FOLDER}/{name}")
            about.size = len(data)
            archive.addfile(about, BytesIO(data))
    return packed.getvalue()


def unpack(text: str, most: CertificateSizes) -> dict[str, bytes]:
    """Return the files of a tar.gz in base64 by their names without the folder; raise `InvalidInput` for any but plain ones."""
    files: dict[str, bytes] = {}
    room = most.content
    try:
        packed = BytesIO(b64decode(text, validate=True))
        with (
            gzip.GzipFile(fileobj=packed) as stream,
            tarfile.open(fileobj=BufferedReader(_Bounded(stream, most.content)), mode="r|") as archive,
        ):
            for member in archive:
                if member.isdir():
                    continue
                name = _plain_name(member)
                if name in files or len(files) == most.files:
                    raise InvalidInput(f"expected at most {most.files} files, each once, got more: {name}")
                if member.size > room:
                    raise InvalidInput(f"expected files of at most {most.content:,} bytes together, got more: {name}")
                room -= member.size
                content = archive.extractfile(member)
                files[name] = content.read() if content else b""
    except (ValueError, OSError, EOFError, zlib.error, tarfile.TarError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"expected a certificate as a tar.gz of its folder, in base64, got something else: {error}") from error
    return files


def _plain_name(member: tarfile.TarInfo) -> str:
    """Return the name of a plain file without its folder."""
    found = _NAME.fullmatch(member.name.removeprefix("./"))
    if not member.isreg() or found is None:
        raise InvalidInput(f"expected plain files in one folder, got {member.name!r:.80}")
    return found[1]


class _Bounded(RawIOBase):
    """A stream that ends in an error after the bytes that a certificate may have, headers included."""

    def __init__(self, stream: gzip.GzipFile, most: int) -> None:
        super().__init__()
        self._stream = stream
        self._most = most
        self._room = most + (1 << 20)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer up to its size; raise `InvalidInput` when there is none left."""
        data = self._stream.read(min(len(buffer), self._room + 1))
        self._room -= len(data)
        if self._room < 0:
            raise InvalidInput(f"expected files of at most {self._most:,} bytes together, got more")
        buffer[: len(data)] = data
        return len(data)
