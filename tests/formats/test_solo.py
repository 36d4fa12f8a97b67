"""Game IDs of Solo."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.formats.solo import format_numbers, format_regions, parse_numbers, parse_regions
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DIAGONALS, CAGE = RULES["diagonals"], RULES["killer-cage"]
FOUR = Grid.jigsaw("AAAB CCAB CCBB DDDD")


def _read(text, name=None):
    return list(records_of_text(text, format=name))


def _written(puzzles):
    target = StringIO()
    write_puzzles(puzzles, target, "solo")
    return target.getvalue()


def test_the_samples_say_what_their_letters_say(data):
    """Jigsaw regions and cages come out as they were put in."""
    (jigsaw,) = _read(data("formats/self_made/solo_jigsaw.txt").read_text())
    assert jigsaw.puzzle.line() == LINE
    assert set(jigsaw.puzzle.grid.regions) == set(Grid.square().regions)
    (killer,) = _read(data("formats/self_made/solo_killer.txt").read_text())
    assert len(killer.puzzle.rules) == 1 + 36 + 9
    assert CAGE((0, 1), 8) in killer.puzzle.rules
    assert CAGE((8,), 2) in killer.puzzle.rules


PUZZLES = {
    "classic": Puzzle.parse(LINE),
    "wide boxes": Puzzle(Grid.rectangle(6, 6, (3, 2)), givens={0: 6, 35: 1}),
    "nothing": Puzzle(Grid.square(16)),
    "double figures": Puzzle(Grid.square(12), givens={0: 12, 1: 10, 143: 11}),
    "diagonals": Puzzle(rules=(*CLASSIC, DIAGONALS()), givens={80: 9}),
    "jigsaw": Puzzle(FOUR),
    "jigsaw with diagonals": Puzzle(Grid.jigsaw("AAAA BBBB CCDD CCDD"), (*CLASSIC, DIAGONALS()), {5: 4}),
    "killer": Puzzle(Grid.square(4), (*CLASSIC, CAGE((0, 1), 5), CAGE((2, 3, 7), 6), CAGE((15,), 2)), {4: 3}),
    "jigsaw killer": Puzzle(Grid.jigsaw("AAAA BBBB CCDD CCDD"), (*CLASSIC, DIAGONALS(), CAGE((0, 1), 5), CAGE((2, 3, 7)))),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_a_puzzle_comes_back(name):
    """Whatever Solo can express is read back as the same puzzle, and recognised."""
    text = _written([PUZZLES[name]] * 2)
    assert sniff(text).name == "solo"
    assert [record.puzzle for record in _read(text)] == [PUZZLES[name]] * 2


@given(data=st.data())
@settings(max_examples=20)
def test_regions_and_numbers_come_back(data):
    """Any cells grouped by the lines between them, and any numbers, survive; runs of more than 25 too."""
    side = data.draw(st.integers(2, 9))
    labels = data.draw(st.lists(st.integers(0, data.draw(st.integers(0, 3))), min_size=side * side, max_size=side * side))
    found = parse_regions(format_regions(labels, side), "the regions", side)
    near = [(cell, cell + 1) for cell in range(side * side) if (cell + 1) % side] + [
        (cell, cell + side) for cell in range(side * (side - 1))
    ]
    # Touching cells with one label are in one region.
    assert all(found[one] == found[other] for one, other in near if labels[one] == labels[other])
    assert parse_regions(format_regions(found, side), "the regions", side) == found
    numbers = data.draw(st.dictionaries(st.integers(0, side * side - 1), st.integers(1, 31)))
    assert parse_numbers(format_numbers(numbers, side), "the givens", range(side * side), 31) == numbers


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("3x3#12345", "line 2: expected a game ID with the puzzle in it"),
        ("3x3:a", "line 2: expected the givens to fill 81 cells, got 1"),
        ("3x3:zzzd", "line 2: expected the givens to fill 81 cells, got 82"),
        (
            "2x2:5n9",
            "line 2: expected numbers from 1 to 4 in the givens, got 5; expected numbers from 1 to 4 in the givens, got 9",
        ),
        ("2x2:p!", "line 2: expected letters for blanks and numbers in the givens, got '!' as sign 2"),
        ("9x9:a", "line 2: expected a board of 2 to 31 cells a side, got 81"),
        ("2x2q:p", "line 2: expected j, x, k, a symmetry or a difficulty after the size, got 'q'"),
        ("2x2k:p", "line 2: expected the givens, the cages, the sums of the cages after the colon, got 1 part"),
        ("4j:p,aaaa", "line 2: expected the regions to encode 24 lines and one after them, got 8"),
        ("4j:p,_________________________", "line 2: expected 4 regions of 4 cells, got region 1 of 1, "),
        ("2x2k:p,aaaaaaaa____________,p", "line 2: expected the cages to encode 24 lines and one after them, got 28"),
        ("2x2k:p,aaaaaaaa_________,a5n", "line 2: expected sums in the first cells of cages, got one in r1c2"),
        ("nonsense", "line 2: expected a game ID of Solo such as '3x3:5_3b7...', got 'nonsense'"),
    ],
)
def test_a_bad_id_is_told_and_passed(bad, message):
    """An ID that is wrong is named; those around it are read."""
    before, record, after = _read(f"2x2:p\n{bad}\n2x2:p", "solo")
    assert before.puzzle == after.puzzle == Puzzle(Grid.square(4))
    assert message in str(record.error)


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(rules=(*CLASSIC, RULES["anti-knight"]())), "the rule anti-knight"),
        (Puzzle(rules=(*CLASSIC, DIAGONALS(up=False))), "the rule diagonals"),
        (Puzzle(rules=(DIAGONALS(),)), "no rule 'houses'"),
        (Puzzle(candidates={0: 6}), "candidates"),
        (Puzzle(Grid.square(5)), "regions that are not in one piece"),
        (Puzzle(Grid.rectangle(6, 8)), "not one square board"),
        (Puzzle(Grid.square(9, values=range(9))), "values from 1"),
        (Puzzle(Grid.square(36)), "a side above 31"),
        (Puzzle(Grid((Board(4, 4), Board(4, 4, at=(2, 2))), range(1, 5))), "not one square board"),
        (Puzzle(Grid.square(4), (*CLASSIC, CAGE((0, 1), 5), CAGE((1, 2), 5))), "cages that overlap"),
        (Puzzle(Grid.square(4), (*CLASSIC, CAGE((0, 5), 5))), "cages that are not in one piece"),
        (Puzzle(Grid.square(4), (*CLASSIC, CAGE((0, 1), 11))), "sums of cages that are not between 1 and 10"),
    ],
)
def test_what_solo_cannot_say_is_refused(puzzle, named):
    """A puzzle that an ID cannot express is refused with the reason."""
    with pytest.raises(Unsupported, match=named):
        _written([puzzle])


SAVED = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :4:Solo
PARAMS  :3:3x4
CPARAMS :3:2x2
DESC    :7:1_2b3j4
NSTATES :1:3
STATEPOS:1:3
MOVE    :6:R0,1,3
MOVE    :6:P0,2,3
"""


def test_saved_games_are_read():
    """A saved game is the puzzle of its own parameters; the player's moves are a warning, other games an error."""
    assert sniff(SAVED).name == "solo"
    one, other, last = records_of_text(SAVED + SAVED.replace("Solo", "Keen") + SAVED.replace("CPARAMS :3:2x2\n", ""))
    assert one.puzzle.line() == "12..3..........4"
    assert one.warnings == ("moves of a player are not read: 2",)
    assert (other.line, str(other.error)) == (11, "line 11: expected a saved game of Solo, got one of 'Keen'")
    assert "144 cells" in str(last.error)  # of the parameters for the next game
