"""Links of Penpa+."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode

import pytest

from sudoku_cp.formats import records_of_text, sniff
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES

CELLS = [18 if not cell else 1 if cell % 4 else 5 for cell in range(16)]
"""A board of 4x4 on paper of 4x4: the first cell is two rows down and two right, a row is eight cells of paper."""
BOXES = {f"{64 + 8 * row + 3},{64 + 8 * (row + 1) + 3}": 2 for row in range(1, 5)} | {
    f"{64 + 24 + column + 1},{64 + 24 + column + 2}": 2 for column in range(4)
}
"""The vertical line and the horizontal one that separate four boxes."""


def _link(drawn, head="square,4,4,38,0,1,1,0,0,0,0,0,0,0,0,Title: One%2C two,Author: Me,a book,All rules,OFF,false", cells=CELLS):
    lines = [head, "[0,0,0,0]", "{}", re.sub(r'"(z\w)"', r"\1", json.dumps(drawn)), "{}", json.dumps(cells)]
    packing = zlib.compressobj(wbits=-15)
    packed = packing.compress("\n".join(lines).encode()) + packing.flush()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={b64encode(packed).decode()}"


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def test_digits_regions_cages_and_thermometers_are_read():
    """What the file states exactly becomes the puzzle: the cage's sum stands in the corner of its first cell."""
    drawn = {
        "zN": {"18": ["3", 1, "1"]},
        "zE": BOXES,
        "z6": [[19, 20]],
        "z1": {str(4 * (64 + 19)): ["5", 1]},
        "zT": [[34, 35, 36]],
    }
    assert sniff(_link(drawn)).name == "penpa"
    (record,) = _read(_link(drawn))
    rules = (*CLASSIC, RULES["killer-cage"]((1, 2), 5), RULES["thermometer"]((8, 9, 10)))
    assert record.puzzle == Puzzle(
        Grid.square(4), rules, {0: 3}, title="One, two", author="Me", source="a book", ruleset="All rules"
    )
    assert not record.warnings


def test_what_is_drawn_without_meaning_is_a_warning():
    """Lines, small numbers, numbers beside the board and missing regions are named."""
    drawn = {"zN": {"18": ["3", 1, "5"], "0": ["7", 1, "1"]}, "zL": {"1,2": 3}, "zS": {"18": 1}, "z6": [[0, 1]]}
    (record,) = _read(_link(drawn))
    assert record.puzzle.givens == {}
    assert record.warnings == (
        "the edges drawn make no regions of 4 cells: boxes of 2 x 2 cells are assumed",
        "a killer cage beside the board is not read",
        "drawings whose meaning the file does not show are not read: shaded cells, lines",
        "words, small numbers and numbers beside the board are not read: 2",
    )


def test_real_drawings_are_read(data):
    """Published drawings of 6x6 boards have their boxes and digits; other paper is refused."""
    text = data("formats/third_party/penpa_test_puzzles.ts").read_text()
    links = dict(re.findall(r"export const (\w+)\s*=\s*'([^']+)'", text))
    (six,) = _read(links["square6x6_sudoku_nosol"])
    assert six.puzzle.line() == "5...6..4.1.31.3.4...2.1..146.5.6.4.."
    assert six.puzzle.grid == Grid.square(6)
    (four,) = _read(links["sudoku4x4_outside_features_on_all_sides"])
    assert "expected each killer cage on the board, got one that leaves it" in str(four.error)
    (other,) = _read(links["triPuzzle"])
    assert "expected a drawing on square paper, got 'tri'" in str(other.error)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://penpa-edit/#m=edit&p=????", "expected a link of Penpa+ with 'p=' in it"),
        ("https://penpa-edit/#m=edit&p=/////w==", "expected base64 of deflated text"),
        (_link({})[:-30], "expected "),
        (_link({}, head="square,x,4"), "expected the width and the height of the paper, got 'x,4'"),
        (_link({}, cells=[18, 1, 1]), "expected a square board of 2 to 36 cells a side, got 3 cells of another shape"),
        (_link({}, cells=["a"]), "expected the numbers of the board's cells, got others"),
        (_link({"z6": [[18, 0]]}), "expected each killer cage on the board, got one that leaves it"),
        (_link({"zN": [], "z6": True}), "expected a layer of zN in the drawing, got '[]'; expected a layer of z6"),
        (_link([]), "expected JSON for what is drawn, got '[]'"),
    ],
)
def test_a_bad_link_is_told_and_passed(link, message):
    """A link that is damaged, or not a sudoku, is a short error; the others are read."""
    good = _link({"zE": BOXES})
    before, record, after = _read(f"{good}\n{link}\n{good}", "penpa")
    assert before.puzzle == after.puzzle
    assert message in str(record.error)
    assert len(str(record.error)) < 250


def test_a_bomb_is_refused():
    """A short link that unpacks to much is refused before it does."""
    packing = zlib.compressobj(wbits=-15)
    packed = packing.compress(b"square" * 5_000_000) + packing.flush()
    (record,) = _read(f"https://penpa-edit/#p={b64encode(packed).decode()}", "penpa")
    assert "got more than 1048576 bytes" in str(record.error) or "expected a line of at most" in str(record.error)
