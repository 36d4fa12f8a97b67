"""A certificate travels as a tar.gz, and nothing else does: no paths, no links, nothing that grows without end."""

from __future__ import annotations

import gzip
import io
import tarfile
from base64 import b64encode
from contextlib import suppress

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.questions.archives import pack, unpack
from sudoku_cp.questions.question import CertificateSizes

MOST = CertificateSizes(16, 1 << 24, 1_000_000)


def packed(*members: tuple[str, bytes, bytes]) -> str:
    """Return an archive of members: name, content, and kind as tar has it."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content, kind in members:
            about = tarfile.TarInfo(name)
            about.type, about.size, about.linkname = kind, len(content), "/etc/passwd"
            archive.addfile(about, io.BytesIO(content))
    return b64encode(stream.getvalue()).decode()


def test_what_is_packed_is_unpacked():
    """Files come out as they went in, and the same files always make the same bytes."""
    files = {"b.txt": b"2" * 100_000, "a.txt": b"1", "README.md": b""}
    assert pack(files) == pack(dict(reversed(files.items())))
    assert unpack(b64encode(pack(files)).decode(), MOST) == files


HOSTILE = {
    "path upwards": packed(("../evil", b"x", tarfile.REGTYPE)),
    "absolute path": packed(("/evil", b"x", tarfile.REGTYPE)),
    "deep path": packed(("a/b/c", b"x", tarfile.REGTYPE)),
    "hidden": packed((".bashrc", b"x", tarfile.REGTYPE)),
    "link": packed(("certificate/link", b"", tarfile.SYMTYPE)),
    "hard link": packed(("certificate/link", b"", tarfile.LNKTYPE)),
    "pipe": packed(("certificate/pipe", b"", tarfile.FIFOTYPE)),
    "device": packed(("certificate/null", b"", tarfile.CHRTYPE)),
    "twice": packed(("a", b"x", tarfile.REGTYPE), ("a", b"y", tarfile.REGTYPE)),
    "many": packed(*((f"file{number}", b"x", tarfile.REGTYPE) for number in range(MOST.files + 1))),
    "no base64": "%%%",
    "no gzip": b64encode(b"plain").decode(),
    "no tar": b64encode(gzip.compress(b"plain" * 1000)).decode(),
    "cut": packed(("a", b"x" * 5000, tarfile.REGTYPE))[:60],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_anything_else_is_refused(name):
    """Whatever is no plain file of a certificate is refused."""
    with pytest.raises(InvalidInput, match="expected"):
        unpack(HOSTILE[name], MOST)


def bomb(header: bytes = b"") -> str:
    """Return a small text of an archive that is huge once it is decompressed."""
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=6) as file:
        file.write(header)
        for _ in range(2 * MOST.content // (1 << 20)):
            file.write(bytes(1 << 20))
    return b64encode(stream.getvalue()).decode()


def test_bombs_end_at_the_limit():
    """An archive that says it is huge, and one that does not say it, are both refused."""
    about = tarfile.TarInfo("certificate/proof")
    about.size = 2 * MOST.content
    for text in (bomb(about.tobuf()), bomb()):
        assert len(text) < 1_000_000
        with suppress(InvalidInput):  # an empty archive is what many zeros are
            assert unpack(text, MOST) == {}
