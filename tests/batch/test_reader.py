"""The batch reader reads exactly what `read_records` reads, however the text is cut into blocks."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.batch.rows import reader
from sudoku_cp.batch.rows.reader import ByteSource, Input, Reader, ReadOptions
from sudoku_cp.batch.rows.row_format import BoardArray
from sudoku_cp.batch.worker_pool import split_chunk
from sudoku_cp.formats import Options, read_records
from sudoku_cp.grid import Grid

if TYPE_CHECKING:
    from pathlib import Path

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
HEX = "1G" + "." * 254
LETTERS = "AG" + "." * 254
FILES = [
    "17clue.txt.gz",
    "kaggle_10k.csv.gz",
    "multi_16clue_5000.txt.gz",
    "p096_sudoku.txt",
    "gecode_16x16.txt",
    "gecode_25x25.txt",
    "gen_6x6_2x3_minimal.txt",
]


def told(records):
    """Return records as plain values for comparison."""
    return [(one.line, one.puzzle and (one.puzzle, one.puzzle.solution), one.error and str(one.error)) for one in records]


def read(text: bytes, options: Options | None = None, *, keep: bool = False):
    """Return the records that the batch reader yields, without titles, which it need not keep."""
    read = Reader([Input(io.BytesIO(text))], ReadOptions(None, options or Options()), keep_rows=keep)
    return [entry.record for piece in read.chunks() for entry in piece.entries()]


def expected(text: bytes, options: Options | None = None):
    """Return the records that the general reader yields."""
    options = options or Options()
    return list(read_records(io.BytesIO(text), grid=options.grid, alphabet=options.alphabet))


def same(text: bytes, options: Options | None = None) -> None:
    """Assert that both readers agree, except for titles and other texts."""
    ours, theirs = (
        [
            (line, told and (told[0].grid, dict(told[0].givens), told[0].symbols, told[1]), error)
            for line, told, error in told(found)
        ]
        for found in (read(text, options), expected(text, options))
    )
    assert ours == theirs


LINES = st.sampled_from(
    [
        HARD,
        HARD.replace(".", "0"),
        SOLVED,
        HARD[:-1],
        HARD + ".",
        HARD + " a title",
        " " + HARD,
        HARD.replace(".", " "),
        HARD + " # a comment",
        HARD + "#",
        HARD.replace("8", "A"),
        HARD[:40] + "\0" + HARD[41:],
        HARD[:40] + "\x0b" + HARD[41:],
        HARD[:40] + "é" + HARD[41:],
        HARD[:40] + "\udcff" + HARD[41:],
        "12..34..21..43..",
        "AB..CD..BA..DC..",
        "0" * 16,
        HEX,
        LETTERS,
        "",
        "  ",
        "# a comment",
        "# signs: ABCDEFGHI",
        "# signs: 987654321",
        "\ufeff",
        "rubbish",
        "X" * 81,
        "-" * 81,
    ]
)
TABLES = st.sampled_from(
    [
        f"{HARD},{SOLVED}",
        f"{HARD.replace('.', '0')},{SOLVED}",
        f"{HARD},{SOLVED[:-1]}",
        f"{HARD},{HARD}",
        f"{HARD},",
        HARD,
        f'"{HARD}",{SOLVED}',
        f'"{HARD},{SOLVED}',
        f"{HARD},{SOLVED},more",
        f"{HARD[:-1]}Z,{SOLVED}",
        f"{HARD}, {SOLVED} ",
        "12..34..21..43..,",
        "",
        "# a comment",
        f"#{HARD[1:]},{SOLVED}",
        f"é{HARD[1:]},{SOLVED}",
        ",",
    ]
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def text_of(lines, ends, last) -> bytes:
    """Return lines with their line ends, the last one perhaps without."""
    body = "".join(line + end for line, end in zip(lines, ends * len(lines), strict=False))
    return (body if last else body.rstrip("\r\n")).encode("utf-8", "surrogateescape")


@pytest.fixture
def small_blocks(monkeypatch) -> None:
    """Make blocks of about three lines, and parts of single lines."""
    monkeypatch.setattr(reader, "BLOCK_BYTES", 256)
    monkeypatch.setattr(reader, "PART_BYTES", (170, 90))


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=100)
@given(lines=st.lists(LINES, min_size=1, max_size=12), ends=st.lists(ENDS, min_size=1, max_size=3), last=st.booleans())
def test_lines_are_read_as_ever(lines, ends, last) -> None:
    """For any mixture of good and odd lines, both readers give the same puzzles and the same errors on the same lines."""
    text = text_of([HARD, HARD, HARD, *lines], ends, last)
    same(text)


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=100)
@given(lines=st.lists(TABLES, min_size=1, max_size=12), ends=st.lists(ENDS, min_size=1, max_size=3), last=st.booleans())
def test_tables_are_read_as_ever(lines, ends, last) -> None:
    """For any mixture of good and odd rows below a header, both readers agree."""
    same(text_of(["quizzes,solutions", *lines], ends, last))


@pytest.mark.usefixtures("small_blocks")
@settings(max_examples=50)
@given(lines=st.lists(LINES, min_size=1, max_size=8), alphabet=st.sampled_from(["digits", "letters", "987654321"]))
def test_options_are_heeded_as_ever(lines, alphabet) -> None:
    """A requested grid or alphabet means the same to both readers."""
    text = text_of([HARD, *lines], ["\n"], last=True)
    same(text, Options(Grid.square(9), alphabet))
    same(text, Options(Grid.rectangle(9, 9, None), None))


@pytest.mark.parametrize("lines", [1500, pytest.param(None, marks=pytest.mark.slow)], ids=["head", "whole"])
@pytest.mark.parametrize("name", FILES)
def test_real_files_are_read_as_ever(data: Path, tmp_path, name: str, lines: int | None) -> None:
    """Real files of every kind give the same puzzles on the same lines."""
    path = data / "puzzles" / name
    if lines is not None and path.suffix == ".gz":
        text = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
        path = tmp_path / name
        path.write_bytes(gzip.compress(b"".join(text[:lines])))
    read = Reader([Input.of(path)], ReadOptions(), keep_rows=True)
    ours = [entry.record for piece in read.chunks() for entry in piece.entries()]
    pairs = list(zip(ours, read_records(path), strict=True))
    step = max(1, len(pairs) // 500)
    for one, other in pairs[::step]:
        assert (one.line, one.error) == (other.line, other.error)
        assert one.puzzle is not None
        assert other.puzzle is not None
        assert one.puzzle.givens == other.puzzle.givens
        assert one.puzzle.solution == other.puzzle.solution


def test_plain_files_are_arrays(data: Path) -> None:
    """All 49,158 puzzles of 17 clues are read as arrays, none as an object."""
    reader = Reader([Input.of(data / "puzzles" / "17clue.txt.gz")], ReadOptions(), keep_rows=False)
    pieces = list(reader.chunks())
    assert all(isinstance(piece, BoardArray) for piece in pieces)
    assert sum(map(len, pieces)) == 49_158
    assert [piece.first for piece in pieces] == [sum(map(len, pieces[:index])) for index in range(len(pieces))]


def test_one_odd_line_costs_only_its_neighbours_their_speed() -> None:
    """Around a comment in a large file, all but a few lines stay arrays."""
    text = f"{HARD}\n".encode() * 5000 + b"# odd\n" + f"{HARD}\n".encode() * 5000
    pieces = list(Reader([Input(io.BytesIO(text))], ReadOptions(), keep_rows=False).chunks())
    assert sum(map(len, pieces)) == 10_000
    assert sum(len(piece) for piece in pieces if not isinstance(piece, BoardArray)) < 50


@pytest.mark.parametrize("step", [1, 7, 100, 1 << 20])
def test_blocks_do_not_depend_on_how_bytes_arrive(step: int) -> None:
    """A pipe that delivers a byte at a time is cut into the same blocks as a file."""

    class Slow(io.BytesIO):
        def read1(self, size=-1):
            return super().read1(min(step, size))

    text = (f"{HARD}\r\n" * 100).encode()
    assert list(reader.line_blocks(ByteSource(Slow(text)))) == list(reader.line_blocks(ByteSource(io.BytesIO(text))))


def test_bytes_come_in_the_portions_that_are_asked_for() -> None:
    """Unread bytes are read again, in portions of any size, before those that follow."""
    source = ByteSource(io.BytesIO(b"efgh"))
    source.unread(b"abcd")
    assert [source.read(size) for size in (1, 2, 3, 9)] == [b"a", b"bc", b"def", b"gh"]


def test_a_file_that_breaks_off_gives_what_it_has(tmp_path) -> None:
    """The whole lines of a truncated archive are read, followed by its error with a line number."""
    packed = gzip.compress(f"{HARD}\n".encode() * 20_000, 0)
    (tmp_path / "cut.txt.gz").write_bytes(packed[: len(packed) // 2])
    *good, last = [
        entry.record
        for piece in Reader([Input.of(tmp_path / "cut.txt.gz")], ReadOptions(), keep_rows=False).chunks()
        for entry in piece.entries()
    ]
    assert len(good) > 5000
    assert all(record.puzzle for record in good)
    assert last.error is not None
    assert "truncated" in str(last.error)
    assert last.error.line == len(good) + 1


@pytest.mark.parametrize("text", [b"", b"\n\n", b"# only a comment\n", b"\xff\xfeU\0", b"rubbish\n"])
def test_nothing_to_read_is_an_error_as_ever(text: bytes) -> None:
    """A text without puzzles is one record with the general reader's error."""
    assert told(read(text)) == told(expected(text))


def test_portions_are_the_whole() -> None:
    """A chunk cut into slices keeps every record, its number, its line and its columns."""
    text = "puzzle,note\n" + "".join(f"{HARD},{number}\n" for number in range(100))
    reader = Reader([Input(io.BytesIO(text.encode()))], ReadOptions(), keep_rows=True)
    pieces = list(reader.chunks())
    whole = [entry for piece in pieces for entry in piece.entries()]
    parts = [part for piece in pieces for part in split_chunk(piece, 7)]
    assert [entry for part in parts for entry in part.entries()] == whole
    assert [part.first for part in parts] == [sum(map(len, parts[:index])) for index in range(len(parts))]
    assert whole[41].line == f"{HARD},41"


@pytest.mark.parametrize(
    "text",
    [
        f"key,start,filled\na,{HARD},{SOLVED}\nb,{HARD[:-1]},{SOLVED}\nc,{HARD},{SOLVED}\n",
        f"a;{HARD};7.2\nb;{HARD}\n{HARD};c;1\n\n# x\nd;{HARD};8\n",
        f"0a  {HARD}  7.2\n0b  {HARD}x 1\n0c\t{HARD}\t7.3 \n=d {HARD} +e\n",
        f"{HARD} {SOLVED} 7.2\n{HARD} {SOLVED} 7.3\n",
        f"start\n{HARD}\n{HARD}\n",
        f"| key | start |\n|-----|-------|\n| a | {HARD} |\n",
        f"sep=;\nkey;start\na;{HARD}\n",
    ],
    ids=["by content", "ragged", "blanks", "solutions", "one column", "markdown", "delimiter told"],
)
@pytest.mark.parametrize("times", [1, 50])
def test_any_table_is_read_as_ever(text: str, times: int, monkeypatch) -> None:
    """Both readers find the same header and the same columns, and agree about every line."""
    monkeypatch.setattr(reader, "PART_BYTES", (300, 100))
    *top, last = text.splitlines(keepends=True)
    same(("".join(top) + last * times).encode())


def _pairs_text(puzzles: int, solved: set[int], blank: str = ".") -> str:
    """Return a text of puzzles, those ``solved`` with their solution on the next line."""
    full = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    lines = []
    for number in range(puzzles):
        holes = {(number * 7 + step * 11) % 81 for step in range(20)}
        lines.append("".join(blank if cell in holes else sign for cell, sign in enumerate(full)))
        lines += [full] * (number in solved)
    return "\n".join(lines) + "\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("blank", [".", "0"])
@pytest.mark.parametrize(
    "solved",
    [set(), {0}, {60}, set(range(400)), {399}, set(range(0, 400, 3)), set(range(13, 400))],
    ids=["none", "the first", "a late one", "all", "the last", "some", "from a line on"],
)
def test_a_solution_below_its_puzzle_is_read_wherever_it_stands(tmp_path, monkeypatch, solved, blank) -> None:
    """Neither the first lines nor the ends of blocks decide: arrays and lines say what the reader of records says."""
    text = _pairs_text(400, solved, blank)
    (tmp_path / "pairs.txt").write_text(text)
    records = [*read_records(tmp_path / "pairs.txt")]
    assert [bool(one.puzzle and one.puzzle.solution) for one in records] == [number in solved for number in range(400)]
    for size in (1 << 20, 1000, 777):
        monkeypatch.setattr(reader, "BLOCK_BYTES", size)
        chunks = [*Reader([Input(tmp_path / "pairs.txt")], ReadOptions(), keep_rows=False).chunks()]
        entries = [entry.record for chunk in chunks for entry in chunk.entries()]
        assert [(one.puzzle, one.line) for one in entries] == [(one.puzzle, one.line) for one in records]
    if len(solved) in {0, 400}:
        assert all(isinstance(chunk, BoardArray) for chunk in chunks)
