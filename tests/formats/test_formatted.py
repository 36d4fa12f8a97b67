"""Writing continues after a refused puzzle, and reports what it leaves out."""

from __future__ import annotations

import logging
from dataclasses import replace
from io import StringIO

import pytest

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import FORMATS, format_puzzles, records_of_text, write_puzzles
from sudoku_cp.formats.base import LONGEST_MESSAGE, TEXTS
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES, Thermometer
from sudoku_cp.symbols import letters

WRITTEN = [name for name, found in FORMATS.items() if found.write]
BOTH = [name for name in WRITTEN if FORMATS[name].read]
SOLVED = tuple(map(int, "534678912672195348198342567859761423426853791713924856961537284287419635345286179"))
SAYS_ALL = {"json", "dimacs", "opb", "flatzinc", "cpsat"}
"""Formats that refuse no puzzle."""
_TWO_BOARDS = Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
ODD = Puzzle(_TWO_BOARDS, (*CLASSIC, RULES["sum-cage"]((0, 0), 7, factors=(2, 3))), candidates={0: 0b110})
"""A puzzle that hardly any format can express."""


def _told(easy):
    """Return a puzzle with every text that there is."""
    texts = {"title": "A # title,\nof: two · lines", "author": "Some  Body", "source": "a book", "ruleset": "Be\ngood."}
    return replace(easy[0], **texts, solution=SOLVED, symbols=letters(easy[0].grid.values))


@pytest.mark.parametrize("name", BOTH)
def test_what_is_not_read_back_is_told(name, easy):
    """Each text of the puzzle either comes back as it was or is reported as left out."""
    puzzle = _told(easy)
    one, *end = format_puzzles([puzzle], name)
    (record,) = records_of_text(one.text + "".join(piece.text for piece in end), format=name)
    assert record.puzzle.assume() == puzzle.assume()
    changed = {noun for field, noun in TEXTS.items() if getattr(record.puzzle, field) != getattr(puzzle, field)}
    assert {text.removesuffix(" as it is") for text in one.left_out} == changed


@pytest.mark.parametrize("name", BOTH)
def test_a_plain_puzzle_loses_nothing(name, easy):
    """If there is nothing to leave out, nothing is reported."""
    assert [one.left_out for one in format_puzzles(easy, name)] == [()] * 3


@pytest.mark.parametrize("name", sorted(set(WRITTEN) - SAYS_ALL))
def test_what_is_refused_does_not_end_the_file(name, easy):
    """Puzzles around one that the format cannot express are written, and are read back."""
    pieces = list(format_puzzles([ODD, easy[0], ODD, easy[1]], name))
    assert [one.index for one in pieces] == [0, 1, 2, 3, None]
    assert [one.error is None for one in pieces] == [False, True, False, True, True]
    assert [not one.text for one in pieces[:4]] == [True, False, True, False]
    if FORMATS[name].read:
        records = records_of_text("".join(one.text for one in pieces), format=name)
        assert [record.puzzle.assume() for record in records] == [one.assume() for one in easy]


@pytest.mark.parametrize("name", sorted(set(WRITTEN) - SAYS_ALL))
def test_a_file_of_refused_puzzles_is_empty(name):
    """Where every puzzle is refused there is no text, not even a heading."""
    assert "".join(one.text for one in format_puzzles([ODD, ODD], name)) == ""


@pytest.mark.parametrize("name", WRITTEN)
def test_strict_makes_errors_of_what_is_left_out(name, easy):
    """With strict, a puzzle that would lose a text is refused, and the error names it."""
    puzzle = replace(easy[0], source="a book", solution=SOLVED)
    kept, *_ = format_puzzles([puzzle], name)
    refused, *_ = format_puzzles([puzzle], name, strict=True)
    assert (refused.error is None) == (not kept.left_out)
    for noun in kept.left_out:
        assert noun in str(refused.error)


def test_write_puzzles_logs_what_it_leaves_out(easy, caplog):
    """The library is not silent either: one warning a file, with the puzzles."""
    told = [replace(easy[0], author="Some Body")] * 7
    with caplog.at_level(logging.WARNING, "sudoku_cp"):
        write_puzzles([easy[0], *told], StringIO(), "sdm")
        write_puzzles([easy[0]], StringIO(), "sdm")
    (message,) = caplog.messages
    assert message == ("left out, as the format 'sdm' has no place for it: the author (puzzles 1, 2, 3, 4, 5 and 2 more)")


def test_write_puzzles_raises_the_first_error(easy):
    """`write_puzzles` raises an error for a puzzle that the format cannot express."""
    with pytest.raises(Unsupported, match="thermometer"):
        write_puzzles([easy[0], Puzzle(rules=(*CLASSIC, Thermometer((0, 1))))], StringIO(), "sdm")


@pytest.mark.parametrize("name", sorted(set(WRITTEN) - SAYS_ALL - {"iss"}))
def test_refusals_are_short(name):
    """However much is wrong, the message has at most two thousand characters."""
    grid = Grid.square(9)
    examples = [rule.example(grid) for rule in RULES.values()]
    rules = [rule for rule in examples if not any(rule.problems(grid))]
    one, *_ = format_puzzles([Puzzle(rules=(*CLASSIC, *rules * 20), candidates={0: 0b110})], name)
    assert one.error is not None
    assert len(str(one.error)) <= LONGEST_MESSAGE
