"""Texts as people paste them: mails, forums, chats, web pages, spreadsheets and code, with what stands around the cells."""

from __future__ import annotations

import json
import re

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.formats import records_of_text

PLAIN = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [PLAIN[row : row + 9] for row in range(0, 81, 9)]
DOTS = [row.replace("0", ".") for row in ROWS]
SPACED = [" ".join(row) for row in ROWS]

TEXTS: dict[str, str] = {
    "a mail with a line": f"Hi Bob,\n\ncan you solve this one?\n\n{PLAIN}\n\nCheers,\nAlice\n",
    "a mail with rows": "Hi Bob,\n\ncan you solve this one?\n\n" + "\n".join(ROWS) + "\n\nCheers,\nAlice\n",
    "a mail with a signature": "\n".join(DOTS) + "\n-- \nBob Smith\nExample Ltd.\n",
    "forum tags around rows": "[code]\n" + "\n".join(DOTS) + "\n[/code]\nany hints?",
    "forum tags around a line": f"[code]{PLAIN}[/code]",
    "backquotes in a sentence": f"solve `{PLAIN}` please",
    "a chat with times": f"[10:22] alice: {PLAIN}",
    "rows with labels in words": "\n".join(f"Row {number}: {row}" for number, row in enumerate(SPACED, 1)),
    "an element of XML": f"<sudoku><puzzle>{PLAIN}</puzzle></sudoku>",
    "an element of HTML": f"<div class='g'>{PLAIN}</div>",
    "SQL": f"INSERT INTO puzzles VALUES (17, 'easy', '{PLAIN}', '{SOLVED}');",  # noqa: S608  # nobody runs it
    "quotation marks of a word processor": f"“{PLAIN}”",
    "a full stop": f"{PLAIN}.",
    "escaped line ends": "\\n".join(DOTS),
    "breaks of HTML": "<br>".join(DOTS),
    "keycaps": "\n".join("".join(f"{sign}\ufe0f\u20e3" if sign != "0" else "⬜" for sign in row) for row in ROWS),
    "black squares": "\n".join(row.replace("0", "⬛") for row in ROWS),
    "names of columns": ",".join(f"c{number}" for number in range(1, 10)) + "\n" + "\n".join(",".join(row) for row in ROWS),
    "a title in a sheet": "My Sudoku\t\t\t\t\t\t\t\t\n" + "\n".join("\t".join(row).replace("0", "") for row in ROWS),
    "words in front of lines": f"Puzzle: {PLAIN}\nSolution: {SOLVED}",
    "a solution below": f"{PLAIN}\n{SOLVED}",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_board_is_read_whatever_stands_around_it(text: str) -> None:
    """One puzzle, the right one, with its solution where the text has that."""
    (record,) = records_of_text(text)
    assert record.error is None, record.error
    assert record.puzzle is not None
    assert record.puzzle.givens == Puzzle.parse(PLAIN).givens
    assert (record.puzzle.solution is not None) == (SOLVED in text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"Hello,\nhere is an anti-knight sudoku for you\n\n{PLAIN}\n\nenjoy!",
            "a board among words that name a rule, got 'anti-knight sudoku'",
        ),
        (f"<game><level>7</level><data>{PLAIN}</data></game>", "expected a puzzle in a known format"),
        (json.dumps({"board": PLAIN, "cages": [[1, 2]]}), "cages"),
        ("\n".join(DOTS).replace("1", "l"), r"got 'l' \(which pictures often give for 1\)"),
        (PLAIN.replace("0", "O"), r"got 'O' \(which pictures often give for 0\)"),
        ("\n".join(DOTS) + "\n--\n1.2.3.4.5\n", "expected"),
    ],
    ids=["a named rule", "markup with more", "data with more", "a picture", "a picture of a line", "no signature"],
)
def test_what_else_a_text_says_is_not_passed_over(text: str, expected: str) -> None:
    """A board among rules or other data is refused, and signs of pictures are explained."""
    errors = [str(record.error) for record in records_of_text(text) if record.error]
    assert errors
    assert re.search(expected, errors[0]), errors


def test_several_boards_among_words_are_several_puzzles() -> None:
    """The words around are named once."""
    other = PLAIN[::-1]
    first, second = records_of_text(f"Hello Bob,\n\nhere is Monday\n{PLAIN}\n\nand here is Tuesday\n{other}\n\nCheers\nAlice")
    assert first.puzzle == Puzzle.parse(PLAIN)
    assert second.puzzle == Puzzle.parse(other)
    assert (first.line, second.line) == (4, 7)
    assert "not read, around the board: 'Hello Bob,'" in first.warnings[0]
    assert second.warnings == ()


@pytest.mark.parametrize("text", [f"killer {PLAIN}", f"{PLAIN} anti-knight", f"This is an anti-knight sudoku: {PLAIN} enjoy"])
def test_a_rule_in_the_words_beside_a_board_is_named(text: str) -> None:
    """A plain answer to a variant comes with a word of it."""
    (record,) = records_of_text(text)
    assert record.error is not None or "which may be the name of a rule" in record.warnings[0]


@pytest.mark.parametrize("broken", [PLAIN[:-1], f"{PLAIN}1", f"{PLAIN[:9]}%{PLAIN[10:]}", f"{PLAIN[:-1]}.."])
def test_a_broken_line_of_a_file_is_never_words_around_a_board(broken: str) -> None:
    """A line that is a board but for a sign is an error in its place, also beside a single sound line."""
    sound, *others = records_of_text(f"{PLAIN}\n{broken}\n{broken}\n")
    assert sound.puzzle == Puzzle.parse(PLAIN)
    assert [(record.line, record.error is not None) for record in others] == [(2, True), (3, True)]
