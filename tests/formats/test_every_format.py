"""What is true of every format."""

from __future__ import annotations

import contextlib
import re
from io import StringIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import ParseError, UnknownName, Unsupported
from sudoku_cp.formats import FORMATS, read_records, records_of_text, sniff, write_puzzles
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import rule_from_json
from sudoku_cp.symbols import hexadecimal, letters, numerals

READ = [name for name, found in FORMATS.items() if found.read]
WRITTEN = [name for name, found in FORMATS.items() if found.write]
BOTH = [name for name in READ if name in WRITTEN]
SAYS_MORE = {"json", "dimacs", "opb", "flatzinc", "cpsat", "fpuzzles", "sudokupad", "sudokupad-drawing", "iss", "solo", "ksudoku"}
SAYS_MORE |= {"killer-ps", "sumocue", "killer81", "jigsaw", "pencilmarks", "candidates", "sdx", "hodoku"}
"""Formats that express more than plain puzzles; what they refuse is tested separately."""
NINE = ("euler", "sdk", "opensudoku", "hodoku", "sudokuwiki", "sudokuexchange", "ss", "sdx", "sdm", "msk", "spf")
SIZES = dict.fromkeys(NINE, (9,)) | {"candidates": (4, 6, 9), "pencilmarks": (4, 6, 9), "solo": (4, 6, 9, 12, 16, 25)}
"""The sides of the boards of a format, if it does not have all."""
SIZES |= {"iss": (4, 5, 6, 9, 12, 16), "jigsaw": (4, 6, 9, 12, 16, 25)} | dict.fromkeys(
    ("killer-ps", "sumocue", "killer81"), (9,)
)
DIALECTS = {
    "sudokupad": "fpuzzles",
    "killer81": "line",
    "sdm": "line",
    "ss": "grid",
    "msk": "grid",
    "spf": "grid",
    "sdx": "candidates",
}
"""Formats that are recognised, and read, as the more general one that they belong to."""
DOCUMENTS = {"json", "opensudoku", "ksudoku"}
"""Formats whose files are one document, not puzzles one after the other."""


def _text_of(puzzles, name):
    target = StringIO()
    write_puzzles(puzzles, target, name)
    return target.getvalue()


def _read(text, name=None, **options):
    return list(records_of_text(text, format=name, **options))


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_tells_what_it_is(name):
    """Each format knows its name, says in one line what it is, and can read or write."""
    found = FORMATS[name]
    assert found.name == name
    assert found.summary
    assert "\n" not in found.summary
    assert found.read or found.write
    assert all(ending.startswith(".") for ending in found.extensions)


@pytest.mark.parametrize("name", BOTH)
@given(data=st.data())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_back(name, data, plain):
    """Whatever a format writes without refusing, it reads back as the same puzzles, file after file."""
    strategy = plain(SIZES[name]) if name in SIZES else plain()
    puzzles = data.draw(st.lists(strategy, min_size=1, max_size=4))
    try:
        text = _text_of(puzzles, name)
    except Unsupported as error:
        error.add_note(f"if {name!r} does not say every plain board, write what it says into SIZES or NINE above")
        raise
    records = _read(text, name)
    assert [record.error for record in records] == [None] * len(puzzles)
    for record, puzzle in zip(records, puzzles, strict=True):
        # If a format only knows candidates, a given is a cell with one of them.
        given = {"candidates": puzzle.assume()} if name == "pencilmarks" else {"givens": puzzle.givens}
        assert record.puzzle == Puzzle(puzzle.grid, **given, symbols=record.puzzle.symbols, title=record.puzzle.title)


@pytest.mark.parametrize("name", ["line", "grid", "csv", "json"])
@given(data=st.data())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_formats_of_signs_keep_the_alphabet(name, data, plain):
    """The signs of a puzzle come back, even those that a reader could mistake: letters without digits, 0-based numerals."""
    puzzles = data.draw(st.lists(plain(sizes=(4, 9, 12, 16, 25)), min_size=1, max_size=4))
    assert [record.puzzle.symbols for record in _read(_text_of(puzzles, name), name)] == [one.symbols for one in puzzles]


@pytest.mark.parametrize("name", ["line", "comma", "csv", "json"])
@given(data=st.data())
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_formats_with_room_for_a_title_keep_it(name, data, plain):
    """A title of one line comes back as it was."""
    puzzle = data.draw(plain())
    expected = " ".join(puzzle.title.replace(",", " ").split()) if name == "comma" else puzzle.title
    assert [record.puzzle.title for record in _read(_text_of([puzzle], name), name)] == [expected]


@pytest.mark.parametrize("name", BOTH)
def test_a_format_recognises_its_own(name, easy):
    """What a format writes is recognised as its own."""
    text = _text_of(easy, name)
    assert sniff(text).name == DIALECTS.get(name, name)
    assert [record.puzzle.assume() for record in _read(text)] == [puzzle.assume() for puzzle in easy]


@pytest.mark.parametrize("name", sorted(set(WRITTEN) - SAYS_MORE))
@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(rules=(*CLASSIC, rule_from_json({"kind": "diagonals"}, Grid.square()))), "diagonals"),
        (Puzzle(Grid.jigsaw("AABB AABB CCDD CCDD")), "not one square board"),
        (Puzzle(Grid.rectangle(6, 6, (3, 2))), "not one square board"),
        (Puzzle(Grid.rectangle(6, 8)), "not one square board"),
        (Puzzle(Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))), "not one square board"),
        (Puzzle(givens={0: 1}, candidates={1: 0b110}), "candidates"),
    ],
    ids=["rules", "jigsaw", "boxes", "rectangle", "boards", "candidates"],
)
def test_what_cannot_be_said_is_refused(name, puzzle, named):
    """A format for plain puzzles names what it cannot express, and never writes another puzzle."""
    with pytest.raises(Unsupported, match=named):
        _text_of([puzzle], name)


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("text", ["", "\n\n \n", "\ufeff"])
def test_nothing_is_no_puzzle(name, text):
    """A text without any puzzle is one error, whatever it is read as."""
    (record,) = _read(text, name)
    assert "expected at least one puzzle, got none" in str(record.error)


@pytest.mark.parametrize("name", READ)
@given(text=st.text(st.sampled_from("0123456789ABG.,|-+\"'{}[]:#x \n\t\ud800\x00é"), max_size=300))
@settings(max_examples=40)
def test_any_text_is_records(name, text):
    """However strange the text, a reader yields puzzles and errors with lines, and raises nothing."""
    for record in _read(text, name):
        assert (record.puzzle is None) != (record.error is None)
        assert record.line >= 1


@given(text=st.text(st.sampled_from("0123456789ABG.,|-+\"'{}[]:#x \n\t\ud800\x00é"), max_size=300))
@settings(max_examples=40)
def test_any_text_is_recognised_or_refused(text):
    """A text has a format, or is refused with one of our errors."""
    with contextlib.suppress(ParseError):
        assert sniff(text).name in FORMATS


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("hello", "as line, expected one sign for each cell .* got 5; as grid, got no puzzle"),
        (
            "12345",
            "as line, expected one sign for each cell .* got 5; as grid, expected 5 rows, got 1",
        ),
        ("[1, 2", "as json, expected a puzzle as a JSON object, got 1; as fpuzzles, .*"),
        ("<html>", "as opensudoku, expected the element 'opensudoku', got 'html'; as ksudoku, expected .*"),
        ("a, b", "as csv, expected a puzzle in one of the fields, got none .*; as comma, expected .*"),
        ("two\nlines", "as grid, got no puzzle; as sdk, expected 9 rows, got 2"),
    ],
)
def test_a_text_of_no_format_is_told_what_it_lacks(text: str, lacks: str) -> None:
    """The two formats that are the nearest to a text are named with what it lacks to be one of theirs, in one problem."""
    with pytest.raises(ParseError, match=rf"a known format .*, got one that begins {re.escape(repr(text))}: {lacks}$") as caught:
        sniff(text)
    assert len(caught.value.problems) == 1


LETTERED = "OC..A....N..DYO....YR....N.R...N...CT..R.C..DA...I...N.N....IR....TDY..O....R..AY"


@pytest.mark.parametrize("mark", ["", " "])
@pytest.mark.parametrize("rows", [False, True])
def test_a_wordoku_without_its_alphabet_names_the_option_once(rows, mark):
    """Letters of a puzzle's own are one problem with one remedy, not a problem for each letter; with the alphabet it is read."""
    if mark and not rows:
        pytest.skip("cells of a line are not parted")
    width = 9 if rows else 81
    text = "\n".join(mark.join(LETTERED[at : at + width]) for at in range(0, 81, width))
    (record,) = records_of_text(text)
    assert record.error.problems == (
        "expected the signs of the values, got only the letters ACDINORTY: state them with `alphabet` ACDINORTY",
    )
    (read,) = records_of_text(text, alphabet="ACDINORTY")
    assert read.puzzle.line() == LETTERED
    (fewer,) = records_of_text(text.replace("Y", "."))
    assert str(fewer.error).count("`alphabet`") == 1
    assert "`alphabet` ACDINORT?" in str(fewer.error)


@pytest.mark.parametrize("name", READ)
def test_noise_is_an_error(name, tmp_path):
    """Bytes that are not text are an error, not a traceback."""
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(256)) * 50)
    records = list(read_records(path, format=name))
    assert records
    assert all(record.error and str(path) in str(record.error) for record in records)


@pytest.mark.parametrize("name", sorted(set(BOTH) - DOCUMENTS))
def test_a_huge_line_is_refused_in_few_words(name, easy):
    """Two million characters in one line are refused with their number; the puzzles around them are read."""
    block = _text_of(easy[:1], name)
    header, body = ("", block) if name != "csv" else block.split("\n", 1)
    text = f"{header}\n" * bool(header) + f"{body}{'7' * 2_000_000}\n{body}"
    records = _read(text, name)
    (error,) = [record.error for record in records if record.error]
    assert "got 2000" in str(error)  # or so: if a line has more than its signs, all are counted
    assert len(str(error)) < 200
    assert error.line == text[: text.index("7" * 100)].count("\n") + 1
    assert [record.puzzle.assume() for record in records if record.puzzle] == [easy[0].assume()] * 2


@pytest.mark.parametrize("name", BOTH)
def test_bytes_that_are_not_utf8_are_named(name, easy, tmp_path):
    """A byte of another encoding is named, with its line."""
    path = tmp_path / "latin"
    text = _text_of(easy, name).encode()
    spot = max(index for index, byte in enumerate(text) if byte in b"123456789")
    path.write_bytes(text[:spot] + b"\xe9" + text[spot + 1 :])
    records = list(read_records(path, format=name))
    error = next(record.error for record in records if record.error)
    assert "the byte 0xe9 (not UTF-8: save the text as UTF-8)" in str(error) or name == "json"
    assert error.line == text[:spot].count(b"\n") + 1
    assert records[0].puzzle.assume() == easy[0].assume()


def test_unknown_names_are_told_what_there_is():
    """An unknown format is refused at once, with the names of the known ones."""
    with pytest.raises(UnknownName, match=r"expected a format, one of .*line.*; got 'nonsense'"):
        read_records("nowhere", format="nonsense")


def test_a_format_only_written_is_not_read():
    """Reading a format that can only be written is a specific error."""
    (record,) = _read("p cnf 1 1\n1 0\n", "dimacs")
    assert "only written" in str(record.error)


@pytest.mark.parametrize("name", BOTH)
@given(data=st.data())
@settings(max_examples=8)
def test_sparse_puzzles_in_one_file_keep_their_alphabet(name, data):
    """Large boards with few givens, in one file and in any alphabets, come back with the same values."""
    if name in SIZES and 25 not in SIZES[name]:
        pytest.skip("the layout of small boards alone")
    grid = Grid.square(data.draw(st.sampled_from([12, 16, 25])))
    givens = st.dictionaries(st.sampled_from(grid.cells), st.sampled_from(grid.values), max_size=2)
    symbols = st.sampled_from([numerals(grid.values), letters(grid.values), hexadecimal(grid.values)])
    puzzles = [Puzzle(grid, givens=data.draw(givens), symbols=data.draw(symbols)) for _ in range(data.draw(st.integers(2, 4)))]
    found = [record.puzzle for record in _read(_text_of(puzzles, name), name)]
    assert [dict(puzzle.givens) for puzzle in found] == [dict(puzzle.givens) for puzzle in puzzles]


def test_a_title_with_a_bracket_is_no_json():
    """A grid under a title that begins with a brace is still a grid."""
    text = _text_of([Puzzle(Grid.square(9), givens={0: 1}, title="{")], "grid")
    assert sniff(text).name == "grid"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_is_recognised_before_formats_that_search_drawings(monkeypatch, delimiter) -> None:
    """Recognising a table takes no search for blocks or drawings in it, which takes seconds."""
    monkeypatch.setattr("sudoku_cp.formats.stacked_blocks.FORMAT", None)
    board = "53..7....".ljust(81, ".")
    assert sniff(f"key{delimiter}start\n" + f"a{delimiter}{board}\n" * 500).name == "csv"
