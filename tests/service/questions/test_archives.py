"""A certificate travels as a tar.gz, and nothing else does: no paths, no links, nothing that grows without end."""

from __future__ import annotations

import gzip
import io
import tarfile
from base64 import b64encode
from contextlib import suppress

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.questions.archives import pack, unpack
from sudoku_cp.service.sizes import MOST_CERTIFICATE_BYTES, MOST_CERTIFICATE_FILES


def packed(*members: tuple[str, bytes, bytes]) -> str:
    """Return an archive of members: name, content, and kind as tar has it."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content, kind in members:
            about = tarfile.TarInfo(name)
            about.type, about.size, about.linkname = kind, len(content), "/etc/passwd"
            archive.addfile(about, io.BytesIO(content))
    return b64encode(stream.getvalue()).decode()


def test_what_is_packed_is_unpacked(tmp_path):
    """Files come out as they went in, and the same files always make the same bytes."""
    files = {"b.txt": b"2" * 100_000, "a.txt": b"1", "README.md": b""}
    assert pack(files) == pack(dict(reversed(files.items())))
    unpack(b64encode(pack(files)).decode(), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files


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
    "many": packed(*((f"file{number}", b"x", tarfile.REGTYPE) for number in range(MOST_CERTIFICATE_FILES + 1))),
    "no base64": "%%%",
    "no gzip": b64encode(b"plain").decode(),
    "no tar": b64encode(gzip.compress(b"plain" * 1000)).decode(),
    "cut": packed(("a", b"x" * 5000, tarfile.REGTYPE))[:60],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_anything_else_is_refused(name, tmp_path):
    """Whatever is no plain file of a certificate is refused, and nothing is written outside, or at all."""
    folder = tmp_path / "certificate"
    folder.mkdir()
    with pytest.raises(InvalidInput, match="expected"):
        unpack(HOSTILE[name], folder)
    assert [*folder.iterdir()] == []
    assert [*tmp_path.iterdir()] == [folder]


def bomb(header: bytes = b"") -> str:
    """Return a small text of an archive that is huge once it is decompressed."""
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=6) as file:
        file.write(header)
        for _ in range(2 * MOST_CERTIFICATE_BYTES // (1 << 20)):
            file.write(bytes(1 << 20))
    return b64encode(stream.getvalue()).decode()


def test_bombs_end_at_the_limit(tmp_path):
    """An archive that says it is huge, and one that does not say it, are both refused."""
    about = tarfile.TarInfo("certificate/proof")
    about.size = 2 * MOST_CERTIFICATE_BYTES
    for text in (bomb(about.tobuf()), bomb()):
        assert len(text) < 1_000_000
        with suppress(InvalidInput):  # an empty archive is what many zeros are
            unpack(text, tmp_path)
        assert [*tmp_path.iterdir()] == []
