"""Tables with puzzles in them."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.formats import format_puzzles, records_of_text
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.rules import Diagonals, Houses

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"quizzes,solutions\n{LINE},{SOLVED}\n", ("", "", True)),
        (f"id,puzzle,solution,clues,difficulty\n1,{LINE},{SOLVED},30,0.5\n", ("1", "difficulty 0.5", True)),
        (f"ID; Source; PUZZLE\n7;a book;{LINE}\n", ("7", "a book", False)),
        (f'Puzzle,Solution,Name,\n"{LINE}",,"the first, easy",\n', ("the first, easy", "", False)),
        (f"99480,99408,114,1895,{LINE},Sample,20.00s,0\n", ("Sample", "", False)),
        (f"{LINE},{SOLVED}\n", ("", "", True)),
    ],
    ids=["kaggle", "rated", "semicolons", "quoted", "gsf", "no header"],
)
def test_a_puzzle_is_found_in_its_column(text, told):
    """The header names the columns in any case and order; without one, the field that is a board is the puzzle."""
    (record,) = records_of_text(text)
    puzzle = record.puzzle
    assert puzzle.line() == LINE
    assert (puzzle.title, puzzle.source, puzzle.solution is not None) == told
    assert puzzle.solution is None or puzzle.line(puzzle.solution) == SOLVED


def test_what_no_line_can_say_is_a_document():
    """A puzzle with other rules is written in its field as JSON; an error in one affects no other line."""
    puzzle = Puzzle(Grid.square(4), (Houses(), Diagonals()), {0: 1}, solution=(1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    told = {name: value for name, value in to_json(puzzle).items() if name != "solution"}
    field = json.dumps(told).replace('"', '""')
    first, wrong, plain = records_of_text(f'puzzle,solution\n"{field}",1234341221434321\n"{{""format"": 3}}",\n{LINE},{SOLVED}\n')
    assert first.puzzle == puzzle
    assert "sudoku-cp puzzle" in str(wrong.error)
    assert plain.puzzle.line() == LINE


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (f"{LINE[:-1]},{SOLVED}", "line 3, column 1: expected 81 cells, got 80"),
        (f"{LINE},{SOLVED[:-1]}", "line 3, column 83: expected 81 cells, got 80"),
        (f"{LINE},{LINE[:-1]}?", "line 3, column 163: expected a sign"),
        (f"{LINE},{LINE}", "line 3, column 83: expected a stated solution without blanks"),
        (f"?{LINE[1:]},{SOLVED}", "line 3, column 1: expected a sign"),
        (f'{LINE},"{SOLVED}', "line 3: expected fields separated by ','"),
        (",", "line 3, column 1: expected 81 cells, got 0"),
        ("\x00", "line 3, column 1: expected one sign for each cell"),
    ],
)
def test_a_bad_line_is_told_and_passed(bad, message):
    """An invalid line, even one with an open quote, affects no other line."""
    before, record, after = records_of_text(f"quizzes,solutions\n{LINE},{SOLVED}\n{bad}\n{LINE},{SOLVED}\n")
    assert before.puzzle == after.puzzle
    assert record.line == 3
    assert message in str(record.error)


def test_a_table_says_all_about_a_plain_puzzle():
    """Title, author, source and stated solution come back from a table."""
    solution = tuple(map(int, SOLVED))
    puzzle = Puzzle.parse(LINE)
    puzzle = Puzzle(givens=puzzle.givens, title='a "first", easy', author="Nobody", source="here", solution=solution)
    (record,) = records_of_text("".join(one.text for one in format_puzzles([puzzle], "csv")))
    assert record.puzzle == puzzle


def test_a_header_alone_is_no_puzzle():
    """A table without lines is empty."""
    (record,) = records_of_text("quizzes,solutions\n")
    assert "expected at least one puzzle, got none" in str(record.error)
