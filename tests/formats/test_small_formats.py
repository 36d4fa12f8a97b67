"""The files of single programs for plain 9x9 puzzles: .sdk, .sdm, .ss, .spf, .msk, OpenSudoku, links."""

from __future__ import annotations

from io import StringIO

import pytest

from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(LINE[start : start + 9] for start in range(0, 81, 9))


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def _written(puzzles, name):
    target = StringIO()
    write_puzzles(puzzles, target, name)
    return target.getvalue()


# --- .sdk -------------------------------------------------------------------------------------------------------


def test_letters_say_who_and_what(data):
    """Both programs' letters are read, with a blank after them or not; a player's entries are a warning."""
    (cue,) = _read(data("formats/self_made/sudocue.sdk").read_text())
    (sad,) = _read(data("formats/self_made/sadman_full.sdk").read_text())
    assert (cue.puzzle.author, cue.puzzle.title) == (sad.puzzle.author, sad.puzzle.title) == ("Nobody", "Sample made here")
    assert cue.puzzle.source == "sudoku_cp lab http://127.0.0.1/"
    letters = "not read: #C (comment), #B (date), #L (level)"
    assert cue.warnings == (letters,)
    assert sad.warnings == ("[pencilmarks] is not read: pencil marks", *sad.warnings[1:])
    assert all(warning.startswith("not read: #") for warning in sad.warnings[1:])


def test_the_state_of_a_game_is_no_part_of_the_puzzle():
    """Digits in [State] that are not given are named in a warning, whatever the case of the section's name."""
    (record,) = _read(f"[PUZZLE]\r\n{ROWS}\r\n[STATE]\r\n{ROWS.replace('53.', '534', 1)}\r\n")
    assert record.puzzle == Puzzle.parse(LINE)
    assert record.warnings == ("[state] is not read: the digits of a player",)


def test_files_one_after_the_other_are_puzzles():
    """A letter or [Puzzle] after nine rows begins the next puzzle; an error in one affects no other."""
    text = f"#AOne\n#DFirst\n{ROWS}\n#ATwo\n{ROWS[:-10]}\n[Puzzle]\n{ROWS}\n"
    first, second, third = _read(text, "sdk")
    assert (first.puzzle.author, first.puzzle.title) == ("One", "First")
    assert str(second.error) == "line 13: expected 9 rows, got 8"
    assert third.puzzle == Puzzle.parse(LINE)
    (empty,) = _read("#A somebody\n[Puzzle]\n", "sdk")
    assert "got none" in str(empty.error)


def test_texts_come_back():
    """Title, author and source come back, each on one line."""
    puzzle = Puzzle.parse(LINE)
    puzzle = Puzzle(givens=puzzle.givens, title="one # two", author="x", source="a book")
    assert [record.puzzle for record in _read(_written([puzzle, puzzle], "sdk"))] == [puzzle] * 2


# --- rows -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("sdm", "530070000600195000"),
        ("ss", "53.|.7.|...\n6..|195|...\n.98|...|.6.\n-----------\n"),
        ("spf", "53.|.7.|...\n6..|195|...\n.98|...|.6.\n---+---+---\n"),
        ("msk", "53..7....\n6..195...\n"),
        ("sudokuwiki", "https://www.sudokuwiki.org/sudoku.htm?bd=530070000600195000"),
        ("sudokuexchange", "https://sudokuexchange.com/play/?s=530070000600195000"),
    ],
)
def test_a_format_looks_as_its_program_wants_it(name, beginning):
    """The layout is that of the program."""
    assert _written([Puzzle.parse(LINE)], name).startswith(beginning)


def test_blocks_that_go_on_are_one_puzzle(data):
    """Simple Sudoku copies givens, then the digits placed, then candidates: only the givens are the puzzle."""
    block = data("formats/self_made/simple_sudoku_clip.txt").read_text()
    placed = block.replace("53.", "534", 1)
    other = block.replace("53.", "35.", 1)
    assert sniff(block).name == "grid"
    assert sniff(f"{block}\n{placed}").name == "ss"
    first, second = _read(f"{block}\n{placed}\n{other}\n")
    assert first.puzzle == Puzzle.parse(LINE)
    assert "not read" in first.warnings[0]
    assert second.puzzle.givens[0] == 3


@pytest.mark.parametrize(
    "link",
    [
        f"https://www.sudokuwiki.org/sudoku.htm?bd={LINE}",
        f"http://sudokuwiki.org/Sudoku.asp?x=1&bd={LINE.replace('.', '0')}&y=2",
        f"https://sudokuexchange.com/play/?s={LINE.replace('.', '0')}&d=3",
    ],
)
def test_links_are_read(link):
    """The digits in a link are the puzzle; a link with other digits is an error with its column."""
    good, bad = _read(f"{link}\n{link.replace('53', '5!')}")
    assert good.puzzle == Puzzle.parse(LINE)
    assert f"column {link.index('53') + 2}: expected a sign" in str(bad.error) or "expected 81 cells" in str(bad.error)


@pytest.mark.parametrize(
    "link",
    [
        "https://sudoku.example.org/{}",
        "https://example.org/#/play/{}",
        "http://localhost:8000/solver?grid={}&level=3",
        "https://example.org/#{}",
        "?board={}",
        "example.com/s/{}?x=1",
        "see <https://example.org/play?p={}>.",
    ],
)
def test_digits_are_read_from_the_links_of_any_site(link):
    """81 digits in a path, a query or a fragment are the puzzle, whatever the site."""
    puzzles = [record.puzzle for text in (LINE, LINE.replace(".", "0")) for record in _read(link.format(text))]
    assert puzzles == [Puzzle.parse(LINE)] * 2


@pytest.mark.parametrize(
    "link",
    [
        "https://tinyurl.example/y7abc",
        "https://example.org/puzzle?id=12345",
        "https://sudokupad.app/abcd1234",
        "https://f-puzzles.com/?id=yhkyz63b",
        "https://www.sudokuwiki.org/sudoku.htm?n=17",
        "https://another-pad.web.app/sudoku/Qm3d",
    ],
)
def test_a_link_without_a_puzzle_says_so_whatever_its_site(link):
    """The error says that only the server knows the puzzle, and what to do instead."""
    (record,) = _read(link)
    assert "which only the server of that site can look up: open it there, and copy the puzzle" in str(record.error)


@pytest.mark.parametrize("names", [("given", "state"), ("puzzle", "current"), ("s", "user"), ("initial", "board")])
@pytest.mark.parametrize("turned", [False, True])
def test_a_players_board_in_a_link_is_no_puzzle(names, turned):
    """Of two boards in a link the one that the other goes on with is the puzzle; the other is a position."""
    digits = LINE.replace(".", "0")
    boards = [f"{names[0]}={digits}", f"{names[1]}={digits[:2]}4{digits[3:]}"]
    (record,) = _read(f"https://example.org/?{'&'.join(boards[:: -1 if turned else 1])}&level=3")
    assert record.puzzle == Puzzle.parse(LINE)
    assert record.position().values[:4] == (5, 3, 4, None)
    assert repr(names[1]) in record.warnings[0]


def test_two_puzzles_in_a_link_are_never_one():
    """Boards of which each may be the puzzle are refused by the names of both."""
    digits = LINE.replace(".", "0")
    (record,) = _read(f"https://example.org/?a={digits}&b={digits[::-1]}")
    assert "'a' and 'b'" in str(record.error)


STRING = (
    "S9B050f2e0i46015y020466026212064i0a095u0i4601070b0d4m0f4m4a4j4q027n03bu0g06360936164a4i0o010o02474u067n"
    "07bu4q4i464i0b0u0g09064q0a4y040i0a051g5w035w01071y080u1g181609"
)
START = "500001024020060090001700000000203006090000010200607000000009600040050030170800009"


@pytest.mark.parametrize(
    "link", ["{}", "https://www.sudokuwiki.org/sudoku.htm?bd={}", "https://sudokuwiki.org/Test?x=1&n={}&y=2"]
)
def test_strings_of_sudokuwiki_have_placed_digits_and_candidates(link):
    """Givens are the puzzle; digits placed and candidates are the state, and hold its solution."""
    (record,) = _read(link.format(STRING))
    solution = solve(Puzzle.parse(START)).solution
    assert record.puzzle.givens == Puzzle.parse(START).givens
    assert {cell: solution[cell] for cell in record.state.placed} == record.state.placed
    assert len(record.puzzle.givens) + len(record.state.placed) + len(record.state.left) == len(LINE)
    assert all(bits >> solution[cell] & 1 for cell, bits in record.state.left.items())


@pytest.mark.parametrize("base", [10, 32])
def test_older_strings_of_sudokuwiki_are_read_too(base):
    """Sets of candidates between commas, or in two digits each with a bit for givens, mean the same."""
    (known,) = _read(STRING)
    sets = {cell: 1 << value - 1 for cell, value in (known.puzzle.givens | known.state.placed).items()}
    sets |= {cell: bits >> 1 for cell, bits in known.state.left.items()}
    if base == 10:
        text = ",".join(str(sets[cell]) for cell in range(81))
    else:
        numbers = [sets[cell] << 1 | (cell in known.puzzle.givens) for cell in range(81)]
        text = "".join("0123456789abcdefghijklmnopqrstuv"[part] for number in numbers for part in divmod(number, 32))
    (record,) = _read(f"https://www.sudokuwiki.org/sudoku.htm?bd={text}")
    assert record.puzzle.givens | record.state.placed == known.puzzle.givens | known.state.placed
    assert record.state.left == known.state.left
    assert base == 10 or record.puzzle.givens == known.puzzle.givens


@pytest.mark.parametrize("text", ["S9B" + "00" * 81, "S9B" + "zz" * 81, "15" * 81, "00" * 81, ",".join(["512"] * 81)])
def test_strings_that_mean_nothing_are_errors(text):
    """A cell without candidates, or a given with several, is named."""
    (record,) = _read(f"https://www.sudokuwiki.org/sudoku.htm?bd={text}")
    assert "in cell 1" in str(record.error)


# --- OpenSudoku -------------------------------------------------------------------------------------------------

TRIPLES = "".join(f"{'0' if sign == '.' else sign}|0|{int(sign == '.')}|" for sign in LINE)


def test_the_texts_around_games_are_theirs(data):
    """A document of version 1 states name, author and source of all its games, one of version 2 has folders."""
    (first,) = _read(data("formats/self_made/opensudoku_v1.opensudoku").read_text())
    assert (first.puzzle.title, first.puzzle.author, first.puzzle.source) == ("Lab", "Nobody", "lab")
    second, third = _read(data("formats/self_made/opensudoku_v2.opensudoku").read_text())
    assert [second.puzzle, third.puzzle] == [Puzzle(givens=first.puzzle.givens, title="Lab")] * 2


def test_texts_without_a_field_are_named():
    """What a document states about all its games, and puzzles have no field for, is named."""
    texts = "<name>n</name><author>a</author><description>d</description><created>2020</created><level>hard</level>"
    (record,) = _read(f'<opensudoku>{texts}<game data="{LINE.replace(".", "0")}"/></opensudoku>')
    assert record.warnings == ("not read: description, level",)


@pytest.mark.parametrize(
    ("version", "blank"),
    [(1, "0|-|1|"), (1, "0|1,2,|1|"), (2, "0|3|1|"), (2, "0|3||1|"), (3, "4|0|1|"), (4, "0|1|2|1|"), (5, "0|1|2|0|1|")],
)
def test_each_version_of_the_data_keeps_givens_apart(version, blank):
    """What can be edited is a player's: digits and notes are warnings, in every version of the data."""
    zeros = "0|" * (blank.replace("||", "|").count("|") - 2)
    cells = "".join(blank if sign == "." else f"{sign}|{zeros if version > 1 else '-|'}0|" for sign in LINE)
    (record,) = _read(
        f'<opensudoku version="2"><folder name="x"><game data="version: {version}&#10;{cells}"/></folder></opensudoku>'
    )
    assert record.puzzle == Puzzle(givens=Puzzle.parse(LINE).givens, title="x")
    assert len(record.warnings) == (blank != "0|-|1|")


def test_titles_are_folders():
    """Puzzles of one title share a folder, and any title comes back."""
    puzzles = [Puzzle(givens={0: 1}, title=title) for title in ("a", "a", '<&">', "")]
    text = _written(puzzles, "opensudoku")
    assert text.count("<folder") == 3
    assert [record.puzzle for record in _read(text)] == puzzles


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ('<game data="12"/>', "line 3: expected 81 cells, got 2"),
        ("<game/>", "line 3: expected a game with the attribute 'data', got one without"),
        ('<game data="version: 9&#10;0|"/>', "line 3: expected data of a version from 1 to 5, got version 9"),
        (f'<game data="version: 2&#10;{TRIPLES[:-6]}"/>', "line 3: expected 81 cells of 3 parts with '|' after each, got 24"),
        (f'<game data="version: 2&#10;x{TRIPLES[1:-2]}7|"/>', "got 'x'; expected 0 or 1 (can be edited) for r9c9, got '7'"),
        ("<puzzle/>", "line 3: expected elements of OpenSudoku, got 'puzzle'"),
    ],
)
def test_a_bad_game_is_told_and_passed(game, message):
    """A game that is wrong is named with its line; those around it are read."""
    good = f'<game data="{LINE.replace(".", "0")}"/>'
    before, record, after = _read(f"<opensudoku>\n{good}\n{game}\n{good}\n</opensudoku>")
    assert before.puzzle == after.puzzle == Puzzle.parse(LINE)
    assert message in str(record.error)


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(20)
)


@pytest.mark.parametrize("root", ["opensudoku", "ksudoku"])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"{BOMB}]><ROOT>&t;</ROOT>", "expected XML without entities of its own, got the entity 'a'"),
        ("<ROOT>" + "<a>" * 100_000, "expected elements at most 32 deep"),
        ("<ROOT>" + "x" * 100_000 + "</ROOT>", "expected texts of at most 65536 characters"),
        (f'<ROOT x="{"y" * 100_000}"/>', "expected attributes of at most 65536 characters, got 100000 in 'x'"),
        ('<ROOT x="' + "y\n" * 1_000_000 + '"/>', "expected tags of at most 131072 bytes, got a longer one"),
        ("<ROOT>" + "<a/>" * 2_500_000, "expected lines of at most 1048576 characters in XML, got 10"),
        ("<ROOT><folder>", "no element found"),
        ("<ROOT>\x00</ROOT>", "not well-formed"),
        ("<ROOT></other>", "mismatched tag"),
        ("<html/>", "expected the element 'ROOT'"),
        ("<ROOT>\udce9</ROOT>", "expected UTF-8 text, got the byte 0xe9 (not UTF-8: save the text as UTF-8)"),
        ("", "expected at least one puzzle, got none"),
    ],
    ids=["bomb", "deep", "text", "attribute", "tag", "line", "open", "nul", "tags", "other", "bytes", "empty"],
)
def test_hostile_xml_is_refused_in_few_words(root, body, message):
    """Entities, deep nesting, huge texts and invalid XML end in one short error, at once."""
    *_, record = _read(body.replace("ROOT", root), root)
    assert record.puzzle is None
    assert message.replace("ROOT", root) in str(record.error)
    assert len(str(record.error)) < 250
