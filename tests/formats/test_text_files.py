"""Files, streams, compression, encodings, and what can be wrong with them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys

import pytest

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats import read_puzzles, read_records, write_puzzles
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = "".join(f"{LINE[at:]}{LINE[:at]}\n" for at in range(81)) * 12
PACKED = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def _error(source, **options):
    *_, record = read_records(source, **options)
    assert record.puzzle is None
    return str(record.error)


@pytest.mark.parametrize("ending", PACKED)
def test_packed_files_are_read_through(ending, tmp_path):
    """A file is decompressed as its first bytes say, from a path or a stream, and written compressed as its name says."""
    path = tmp_path / f"puzzles.txt{ending}"
    path.write_bytes(PACKED[ending](MANY.encode()))
    assert len(list(read_puzzles(path))) == 81 * 12
    assert len(list(read_records(io.BytesIO(path.read_bytes())))) == 81 * 12
    write_puzzles(read_puzzles(path), tmp_path / f"again{ending}")
    assert list(read_puzzles(tmp_path / f"again{ending}")) == list(read_puzzles(path))


@pytest.mark.parametrize("ending", PACKED)
def test_a_truncated_file_is_told(ending, tmp_path):
    """A packed file that breaks off is an error with its name; what came before is read."""
    path = tmp_path / f"cut{ending}"
    packed = PACKED[ending](MANY.encode())
    path.write_bytes(packed[: len(packed) * 9 // 10])
    assert _error(path).startswith(f"{path}")
    assert "expected a whole compressed file, got a truncated one" in _error(path)


@pytest.mark.parametrize("ending", PACKED)
def test_a_damaged_file_is_told(ending, tmp_path):
    """Noise in a packed file, or after its end, is an error with its name."""
    path = tmp_path / f"damaged{ending}"
    packed = bytearray(PACKED[ending](MANY.encode()))
    packed[len(packed) // 2 : len(packed) // 2 + 9] = b"\xff" * 9
    path.write_bytes(packed)
    assert _error(path).startswith(f"{path}")
    path.write_text(LINE)
    assert "data as the ending" in _error(path)


def test_records_before_the_damage_survive(tmp_path):
    """Whole lines before the place where a file breaks off are read."""
    path = tmp_path / "cut.gz"
    lines = [LINE[at:] + LINE[:at] for at in range(81)] * 40
    packed = gzip.compress("\n".join(lines).encode(), compresslevel=0)
    path.write_bytes(packed[: len(packed) // 2])
    records = list(read_records(path))
    good = [record for record in records if record.puzzle]
    assert len(good) > 81 * 15
    assert [record.puzzle.line() for record in good] == lines[: len(good)]


def test_zstandard_needs_its_package(tmp_path, monkeypatch):
    """Without the package, a .zst file is an error that says what to install."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "puzzles.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    assert "pip install 'sudoku_cp[zstd]'" in _error(path)
    with pytest.raises(ParseError, match="pip install"):
        write_puzzles([Puzzle.parse(LINE)], tmp_path / "new.zst")


def test_zstandard_is_read_through(tmp_path):
    """With the package, .zst files are read and written, and a truncated one is noticed."""
    pytest.importorskip("zstandard", reason="the optional package zstandard is not installed")
    path = tmp_path / "puzzles.txt.zst"
    write_puzzles(map(Puzzle.parse, MANY.split()), path)
    assert [puzzle.line() for puzzle in read_puzzles(path)] == MANY.split()
    path.write_bytes(path.read_bytes()[:-5])
    assert "expected a whole compressed file, got a truncated one" in _error(path)


def test_marks_of_other_systems_are_accepted(tmp_path):
    """A byte order mark, CRLF and CR are not part of a puzzle."""
    path = tmp_path / "windows.txt"
    for end in ("\r\n", "\r", "\n"):
        path.write_bytes(b"\xef\xbb\xbf" + f"{LINE}{end}{LINE}{end}".encode())
        assert [record.line for record in read_records(path)] == [1, 2]
        assert [puzzle.line() for puzzle in read_puzzles(path)] == [LINE, LINE]


def test_another_encoding_is_named_where_it_matters(tmp_path):
    """A Latin-1 byte in a title is named with its line, in a comment it is ignored; UTF-16 is named as such."""
    path = tmp_path / "latin.txt"
    path.write_bytes(f"# caf\xe9\n{LINE}\n{LINE} caf\xe9\n{LINE}\n".encode("latin-1"))
    first, second, third = read_records(path)
    assert first.puzzle == third.puzzle
    assert str(second.error) == f"{path}, line 3: expected UTF-8 text, got the byte 0xe9 (not UTF-8)"
    path.write_text(LINE, encoding="utf-16")
    assert _error(path) == f"{path}: expected UTF-8 text, got UTF-16"


def test_what_is_no_file_is_told(tmp_path):
    """A directory, a missing file and an impossible name are errors, not tracebacks."""
    assert _error(tmp_path) == f"{tmp_path}: expected a file, got a directory"
    missing = tmp_path / "missing"
    assert _error(missing) == f"{missing}: expected a file, but there is none of that name"
    assert _error(str(missing)) == _error(missing)
    assert "NUL" in _error("a\0b")
    with pytest.raises(ParseError, match="there is none of that name"):
        list(read_puzzles(missing))


def test_an_empty_file_is_told(tmp_path):
    """A file without a puzzle is an error of that file."""
    path = tmp_path / "empty"
    for text in ("", "# nothing\n"):
        path.write_text(text)
        assert _error(path, format="line") == f"{path}: expected at least one puzzle, got none"


def test_streams_have_the_name_they_are_given():
    """A stream is called by its name in errors, and is not closed."""
    stream = io.BytesIO(LINE[:-1].encode())
    assert _error(stream, name="standard input").startswith("standard input, line 1: ")
    assert not stream.closed


def test_streams_are_read_as_they_come():
    """A long stream yields its first puzzles before it ends: no more of it is held than its head."""
    taken = 0

    def lines():
        nonlocal taken
        for line in MANY.split() * 3:
            taken += 1
            yield f"{line}\n"

    class Stream(io.TextIOBase):
        source = lines()

        def read(self, size=-1):
            return next(self.source, "") if size else ""

        def readline(self, size=-1):
            return next(self.source, "")

    records = read_records(Stream())
    assert next(records).puzzle.line() == LINE
    assert taken < 2000


def test_a_refused_puzzle_leaves_no_file(tmp_path):
    """A file is begun only when its first puzzle can be written; a path that cannot be written is an error."""
    path = tmp_path / "new.txt"
    with pytest.raises(Unsupported):
        write_puzzles([Puzzle(Grid((Board(4, 4),), range(1, 5)))], path)
    assert not path.exists()
    with pytest.raises(InvalidInput, match="expected a file that can be written"):
        write_puzzles([Puzzle.parse(LINE)], tmp_path / "nowhere" / "new.txt")
