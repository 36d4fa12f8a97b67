"""Files, streams, compression, encodings, and what can be wrong with them."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
import lzma
import sys

import pytest

from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.cli.answer_loop import input_records
from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats import read_puzzles, read_records, records_of_text, write_puzzles
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.questions.body_reader import BodyReader
from sudoku_cp.questions.question import Reading

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
    """A Latin-1 byte in a title is read with a warning, in a comment it is ignored; among other encodings it is refused."""
    path = tmp_path / "latin.txt"
    path.write_bytes(f"# caf\xe9\n{LINE}\n{LINE} caf\xe9\n{LINE}\n".encode("latin-1") + f"{LINE} caf\xe9 ".encode() + b"\xe9\n")
    first, decoded, third, second = read_records(path)
    assert decoded.puzzle.title == "caf\xe9"
    assert decoded.warnings == ("not UTF-8, read as Windows-1252: caf\xe9",)
    assert first.puzzle == third.puzzle
    assert str(second.error) == f"{path}, line 5: expected UTF-8 text, got the byte 0xe9 (not UTF-8: save the text as UTF-8)"


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


ROWS = "\n".join(LINE[start : start + 9] for start in range(0, 81, 9))
MARKS = "".join(digit if sign in {".", digit} else "." for sign in LINE for digit in "123456789")
WAYS_IN = {
    "Puzzle.parse": Puzzle.parse,
    "read_puzzles": lambda text: next(read_puzzles(text)),
    "read_records": lambda text: next(read_records(text)).puzzle,
    "records_of_text": lambda text: next(records_of_text(text)).puzzle,
    "input_records": lambda text: next(input_records([text], Reading())).puzzle,
    "BodyReader": lambda text: BodyReader({"puzzle": text}).records(1)[0].puzzle,
}
TEXTS = {
    "a line": (LINE, Puzzle.parse(LINE)),
    "rows": (ROWS, Puzzle.parse(LINE)),
    "pencil marks": (MARKS, Puzzle(candidates={at: 1 << int(sign) for at, sign in enumerate(LINE) if sign != "."})),
    "regions": ("AAABACBBCCDBCDDD", Puzzle(Grid.jigsaw("AAABACBBCCDBCDDD"))),
    "a board and regions": ("1...............AAABACBBCCDBCDDD", Puzzle(Grid.jigsaw("AAABACBBCCDBCDDD"), givens={0: 1})),
    "a string of another solver": (".Shape~4x4.~R1C1_1", Puzzle(Grid.square(4), givens={0: 1})),
    "a 27x27 board": ("." * 729, Puzzle(Grid.square(27))),
    "spaces": (" " * 80 + "1", Puzzle(givens={80: 1})),
}


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_means_the_same_at_every_way_in(kind, way):
    """One recogniser stands behind every way in: library, command line, service."""
    text, puzzle = TEXTS[kind]
    assert WAYS_IN[way](text) == puzzle


def test_a_text_of_several_puzzles_is_not_one_puzzle():
    """`Puzzle.parse` refuses what `read_puzzles` yields one by one."""
    assert len(list(read_puzzles(f"{LINE}\n{LINE}\n"))) == 2
    with pytest.raises(ParseError, match="expected one puzzle, got several: read_puzzles"):
        Puzzle.parse(f"{LINE}\n{LINE}\n")


@pytest.mark.parametrize("mark", [", ", ": ", "{"])
@pytest.mark.parametrize("indent", [None, 1])
def test_objects_may_be_broken_into_lines_anywhere(mark, indent):
    """Line breaks inside an object are JSON, wherever they stand; another object follows, a broken one costs only itself."""
    text = json.dumps(to_json(Puzzle.parse("1...............")), indent=indent)
    broken = text.replace(mark, f"{mark}\n") if indent is None else text.replace("{\n", "{", 1)
    found = list(records_of_text(f"{text[:60]}\n" * (indent is None) + f"{broken}\n{text}\n{broken}\n", format="json"))
    assert [record.error is None for record in found] == [False] * (indent is None) + [True] * 3


def test_the_reported_lines_are_one_puzzle(data):
    """An object whose line breaks after a comma."""
    (record,) = read_records(data("reports/users/lines.json"))
    assert len(record.puzzle.rules) == 8


UTF16 = [
    pytest.param(codecs.BOM_UTF16_LE, "utf-16-le", id="LE with its mark"),
    pytest.param(codecs.BOM_UTF16_BE, "utf-16-be", id="BE with its mark"),
    pytest.param(b"", "utf-16-le", id="LE"),
    pytest.param(b"", "utf-16-be", id="BE"),
]


@pytest.mark.parametrize(("mark", "encoding"), UTF16)
@pytest.mark.parametrize("text", [f"{LINE}\r\n{LINE} Rätsel 2\n", f"{ROWS}\n", f"id,puzzle\n1,{LINE}\n2,{LINE}\n"])
def test_utf_16_is_read(mark, encoding, text, tmp_path):
    """Text as Windows saves it is read like UTF-8, also compressed and in runs from file to file."""
    path = tmp_path / "wide.txt"
    path.write_bytes(mark + text.encode(encoding))
    packed = tmp_path / "wide.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    expected = [(record.puzzle, record.line) for record in records_of_text(text)]
    for source in (path, packed):
        assert [(record.puzzle, record.line) for record in read_records(source)] == expected
        chunks = Reader([Input.of(source)], ReadOptions(), keep_rows=False).chunks()
        assert [entry.record.puzzle.line() for chunk in chunks for entry in chunk.entries()] == [LINE] * len(expected)


def test_utf_16_that_is_damaged_is_named(tmp_path):
    """Half a pair of code units is no text."""
    path = tmp_path / "wide.txt"
    path.write_bytes(codecs.BOM_UTF16_LE + LINE.encode("utf-16-le") + b"\x00\xd8")
    assert "expected UTF-16" in _error(path)


ZEROS = {"full-width": "０", "Arabic-Indic": "٠", "Persian": "۰", "Devanagari": "०"}  # noqa: RUF001  # what is tested


@pytest.mark.sampled(3)
@pytest.mark.parametrize("script", ZEROS)
@pytest.mark.parametrize(
    "text", [LINE, ROWS, f"{LINE} 問１", f"id,puzzle\n1,{LINE}\n", str([[*row] for row in ROWS.split()]), ROWS.replace(".", "0")]
)
@pytest.mark.parametrize("way", WAYS_IN)
def test_digits_of_other_scripts_are_digits(script, text, way):
    """Cells may be written in the decimal digits of any script, in every format and at every way in; titles stay as they are."""
    written = text.translate({ord("0") + digit: ord(ZEROS[script]) + digit for digit in range(10)})
    puzzle = WAYS_IN[way](written)
    assert puzzle.line() == LINE
    assert puzzle.title in {"", written.partition(" ")[2]}


def test_python_rows_have_digits_of_any_script():
    """`Puzzle.of_rows` reads the same signs."""
    assert Puzzle.of_rows([[*row] for row in ROWS.translate({ord("5"): "５"}).split()]).line() == LINE  # noqa: RUF001


def test_full_width_rows_have_full_width_blanks():
    """Dots and spaces as wide as the digits are empty cells."""
    wide = ROWS.translate({sign: sign - 0x21 + 0xFF01 for sign in range(0x21, 0x7F)})
    assert Puzzle.parse(wide).line() == LINE


def test_an_error_of_an_unknown_format_knows_what_is_nearest():
    """What a text lacks is data on the error, so that no message is taken apart, also once the error has its place."""
    (record,) = records_of_text("this is, no puzzle\n")
    assert record.error.nearest.startswith("as ")
    assert str(record.error).endswith(record.error.nearest)
    assert record.error.at(source="here").nearest == record.error.nearest
