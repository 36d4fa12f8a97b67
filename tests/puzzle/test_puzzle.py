"""A puzzle is a grid, rules and givens: parsed from a line, fully checked and immutable."""

from __future__ import annotations

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle, parse_line, square_side
from sudoku_cp.rules import *  # noqa: F403  # what a repr may name
from sudoku_cp.rules import AntiKnight, Diagonals, Houses, KillerCage, Quadruple, Thermometer
from sudoku_cp.symbols import BLANKS, Symbols, hexadecimal, letters, numerals

WELL_KNOWN = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "1234341221434321"
SAMURAI = Grid(tuple(Board(9, 9, (3, 3), at=at) for at in ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))), range(1, 10))
PUZZLES = {
    "empty": Puzzle(),
    "plain": Puzzle.parse(WELL_KNOWN),
    "4x4": Puzzle.parse("1..." * 4),
    "16x16": Puzzle.parse("1.G." * 64),
    "16x16 whose givens look like letters": Puzzle(Grid.square(16), givens={0: 10, 5: 12}),
    "16x16 whose givens look like hexadecimal": Puzzle.parse("0.F1" * 64),
    "letters": Puzzle.parse("A.i." + "." * 77),
    "letters without a given": Puzzle(symbols=letters(range(1, 10))),
    "own signs": Puzzle(givens={0: 5}, symbols=Symbols("!@#$%^&*(")),
    "signs that look like blanks": Puzzle(Grid.square(4), givens={0: 1, 1: 2}, symbols=Symbols("X*_-")),
    "candidates": Puzzle(givens={0: 5}, candidates={1: 0b110, 80: 0b10}),
    "variant": Puzzle(rules=(Houses(), Diagonals(up=False), KillerCage((0, 1), 5), AntiKnight())),
    "no rules": Puzzle(Grid.square(4), rules=()),
    "titled": replace(Puzzle.parse(WELL_KNOWN), title="Platinum 'Blonde'", author="N. N.", source="a\nb"),
    "answered": Puzzle(Grid.square(4), solution=tuple(map(int, SOLVED))),
    "jigsaw": Puzzle(Grid.jigsaw("aab. .abb ccdd ccdd"), givens={3: 4}),
    "rectangle": Puzzle(Grid.rectangle(6, 8, (2, 4)), givens={3: 8}),
    "from 0": Puzzle(Grid.square(9, values=range(9)), givens={3: 0}),
    "samurai": Puzzle(SAMURAI, givens={0: 4, 368: 2}),
}
every_puzzle = pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES.keys())


# --- reading a line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", BLANKS)
def test_every_blank_is_read(blank: str) -> None:
    """Each sign for an empty cell means the same."""
    assert Puzzle.parse(WELL_KNOWN.replace(".", blank)) == Puzzle.parse(WELL_KNOWN)
    assert Puzzle.parse(blank * 81) == Puzzle()


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=[pytest.mark.slow] * (size > 16 and size % 6 > 0)) for size in range(2, 37)]
)
def test_every_side_is_read(size: int) -> None:
    """A line of n*n signs is a board of side n; each value is read in its place, and written back."""
    grid = Grid.square(size)
    text = numerals(grid.values).signs.ljust(size * size, ".")
    puzzle = Puzzle.parse(text)
    assert puzzle.grid is grid
    assert puzzle.givens == {cell: cell + 1 for cell in range(size)}
    assert puzzle.line() == text


@pytest.mark.parametrize("alphabet", [numerals, letters, hexadecimal])
@pytest.mark.parametrize("size", [4, 9, 16, 25, 36])
def test_every_alphabet_is_written_and_read(size: int, alphabet) -> None:
    """A full line in a stated alphabet reads as the same values."""
    grid = Grid.square(size)
    symbols = alphabet(grid.values)
    text = "".join(symbols.sign(value) for value in grid.values) * size
    puzzle = Puzzle.parse(text, symbols=symbols)
    assert list(puzzle.givens.values()) == [*grid.values] * size
    assert puzzle.line() == text


@settings(max_examples=30)
@given(st.dictionaries(st.integers(0, 255), st.integers(1, 16)), st.sampled_from([numerals, letters, hexadecimal]))
def test_a_line_is_read_as_it_was_written(givens: dict[int, int], alphabet) -> None:
    """Writing and reading undo each other over any givens, in any stated alphabet."""
    grid = Grid.square(16)
    puzzle = Puzzle(grid, givens=givens, symbols=alphabet(grid.values))
    assert Puzzle.parse(puzzle.line(), grid, puzzle.symbols) == puzzle


@settings(max_examples=30)
@given(st.dictionaries(st.integers(0, 255), st.integers(1, 16)), st.sampled_from([numerals, letters, hexadecimal]))
def test_a_plain_puzzle_is_told_by_its_line(givens: dict[int, int], alphabet) -> None:
    """Parsing the line of a plain puzzle, and nothing else, gives the same puzzle; repr relies on it."""
    grid = Grid.square(16)
    puzzle = Puzzle(grid, givens=givens, symbols=alphabet(grid.values))
    if puzzle.is_plain:
        assert Puzzle.parse(puzzle.line()) == puzzle
    assert eval(repr(puzzle)) == puzzle  # noqa: S307


def test_other_grids_are_read_when_stated() -> None:
    """With a grid, a line of its length is read: rectangles, jigsaws, values from 0 (where 0 is not a blank)."""
    assert Puzzle.parse("." * 47 + "8", Grid.rectangle(6, 8)).givens == {47: 8}
    assert Puzzle.parse("0" + "." * 80, Grid.square(9, values=range(9))).givens == {0: 0}
    assert Puzzle.parse("...4............", Grid.jigsaw("aabbaabbccddccdd")).givens == {3: 4}


def test_all_wrong_signs_are_named_with_their_columns() -> None:
    """A text of the right length is read to its end, and every wrong sign is reported."""
    with pytest.raises(ParseError) as caught:
        Puzzle.parse("12;4" + "........" + "1.5!")
    assert caught.value.column == 3
    assert [problem.rpartition(" got ")[2] for problem in caught.value.problems] == [
        "';' at column 3",
        "'5' at column 15",
        "'!' at column 16",
    ]


def test_a_text_that_is_all_wrong_is_told_in_short() -> None:
    """Ten wrong signs are listed, the others only counted."""
    with pytest.raises(ParseError) as caught:
        Puzzle.parse("!" * 81)
    assert len(caught.value.problems) == 11
    assert caught.value.problems[-1] == "and 71 more such signs"


@pytest.mark.parametrize("length", [0, 1, 2, 80, 82, 37 * 37])
def test_a_length_that_is_no_square_is_refused(length: int) -> None:
    """Without a grid, the length must be that of a square board of side 2 to 36."""
    assert square_side(length) is None
    with pytest.raises(ParseError, match=rf"one sign for each cell of a square board .* got {length}$"):
        Puzzle.parse("." * length)


def test_a_length_that_is_not_the_grids_is_refused() -> None:
    """With a grid, the length must be the number of its cells."""
    with pytest.raises(ParseError, match="expected 48 cells, got 81"):
        Puzzle.parse("." * 81, Grid.rectangle(6, 8))


@given(st.text(max_size=100))
def test_any_text_is_a_puzzle_or_refused(text: str) -> None:
    """Reading a line gives grid, alphabet and givens, or `ParseError`, nothing else."""
    try:
        grid, symbols, givens = parse_line(text)
    except ParseError:
        return
    assert len(grid.cells) == len(text)
    assert all(symbols.parse(text[cell]) == value for cell, value in givens.items())


# --- a value that travels ---------------------------------------------------------------------------------------


@every_puzzle
def test_repr_rebuilds_a_puzzle(puzzle: Puzzle) -> None:
    """Repr is an expression for an equal puzzle."""
    assert eval(repr(puzzle)) == puzzle  # noqa: S307


@every_puzzle
@pytest.mark.parametrize("travel", [lambda puzzle: pickle.loads(pickle.dumps(puzzle)), deepcopy], ids=["pickle", "copy"])  # noqa: S301
def test_a_puzzle_travels_whole(puzzle: Puzzle, travel) -> None:
    """A pickled or copied puzzle is equal, has the same hash, and is immutable too."""
    arrived = travel(puzzle)
    assert arrived == puzzle
    assert hash(arrived) == hash(puzzle)
    with pytest.raises(TypeError):
        arrived.givens[0] = 1


def test_repr_is_short_where_it_can_be() -> None:
    """The repr of a plain puzzle has its line; others list the fields that are not at their default."""
    assert repr(PUZZLES["plain"]) == f"Puzzle.parse('{WELL_KNOWN}')"
    assert repr(PUZZLES["no rules"]) == "Puzzle(grid=Grid.square(4), rules=())"


def test_only_a_puzzle_that_a_line_tells_is_plain() -> None:
    """Variants, candidates, other boards, and alphabets that the line does not show are not plain."""
    assert {name for name, puzzle in PUZZLES.items() if puzzle.is_plain} == {
        "empty",
        "plain",
        "4x4",
        "16x16",
        "16x16 whose givens look like hexadecimal",
        "letters",
        "titled",
        "answered",
    }


def test_puzzles_are_equal_by_all_they_say() -> None:
    """Each of these puzzles differs from all others, and the set finds each again."""
    assert len(set(PUZZLES.values())) == len(PUZZLES)
    assert all(pickle.loads(pickle.dumps(puzzle)) in set(PUZZLES.values()) for puzzle in PUZZLES.values())  # noqa: S301


def test_the_order_of_givens_does_not_count() -> None:
    """Givens are a mapping: the same cells and values are the same puzzle, in reading order."""
    one, other = Puzzle(givens={5: 1, 0: 2}), Puzzle(givens={0: 2, 5: 1})
    assert one == other
    assert hash(one) == hash(other)
    assert list(one.givens) == [0, 5]


def test_a_puzzle_cannot_be_changed() -> None:
    """Neither by its fields nor by its mappings, nor through the objects it was made from."""
    givens, candidates, rules = {0: 1}, {1: 0b110}, [Houses()]
    puzzle = Puzzle(rules=rules, givens=givens, candidates=candidates)  # type: ignore[arg-type]
    givens[0], candidates[1] = 2, 0b10
    rules.append(AntiKnight())  # type: ignore[arg-type]
    assert (puzzle.givens[0], puzzle.candidates[1], puzzle.rules) == (1, 0b110, (Houses(),))
    with pytest.raises(TypeError):
        puzzle.givens[0] = 2  # type: ignore[index]
    with pytest.raises(TypeError):
        puzzle.candidates[1] = 2  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        puzzle.title = "x"  # type: ignore[misc]


def test_other_givens_keep_the_rest() -> None:
    """Only the givens are replaced."""
    puzzle = PUZZLES["titled"]
    assert puzzle.with_givens({0: 4}) == replace(puzzle, givens={0: 4})
    assert puzzle.with_givens(puzzle.givens) == puzzle


# --- as text ----------------------------------------------------------------------------------------------------


def test_a_puzzle_is_drawn_in_rows() -> None:
    """Str is what a person would write down, in the puzzle's own signs."""
    assert str(Puzzle.parse("1..." + "." * 8 + "..34")) == "1 . . .\n. . . .\n. . . .\n. . 3 4"
    assert str(Puzzle(Grid.rectangle(1, 3), givens={1: 3}, symbols=Symbols("abc"))) == ". c ."


def test_several_boards_are_drawn_on_their_plane() -> None:
    """Places without a cell are left blank, and no line ends in blanks."""
    grid = Grid((Board(2, 2), Board(2, 2, at=(1, 3))), range(1, 10))
    assert str(Puzzle(grid, givens={0: 1, 7: 9})) == "1 .\n. .   . .\n      . 9"
    lines = str(PUZZLES["samurai"]).split("\n")
    assert len(lines) == 21
    assert lines[0] == ". . . . . . . . .       . . . . . . . . .".replace(".", "4", 1)


def test_a_line_shows_other_values_too() -> None:
    """Values given to it are written instead of the givens, None as a blank."""
    puzzle = Puzzle(Grid.square(4), symbols=Symbols("abcd"))
    assert puzzle.line(map(int, SOLVED)) == "abcdcdabbadcdcba"
    assert puzzle.line([1, *[None] * 15]) == "a..............."


def test_several_boards_have_no_line() -> None:
    """A line of text cannot show how boards overlap."""
    with pytest.raises(Unsupported, match="expected a grid of one board"):
        PUZZLES["samurai"].line()


# --- its meaning ------------------------------------------------------------------------------------------------


def test_holds_says_what_a_solution_is() -> None:
    """On all 4^4 fillings of a 2x2 board with values to spare, `holds` is true if rules, givens and candidates are obeyed."""
    puzzle = Puzzle(
        Grid.rectangle(2, 2, None, range(1, 5)),
        rules=(Houses(), Thermometer((0, 1))),
        givens={0: 2},
        candidates={3: 0b01110},
    )
    found = {values for values in product(range(6), repeat=4) if puzzle.holds(values)}
    brute = {
        (a, b, c, d)
        for a, b, c, d in product(range(1, 5), repeat=4)
        if a not in {b, c} and d not in {b, c} and a < b and a == 2 and d in {1, 2, 3}
    }
    assert found == brute
    assert brute


def test_the_solutions_of_a_small_board_are_those_that_hold() -> None:
    """Of all boards of four rows of 1 to 4 those that hold are the 288 known ones: 12 with the first row 1 2 3 4, times 4!."""
    puzzle = Puzzle(Grid.square(4))
    rows = list(permutations(range(1, 5)))
    boards = (sum(board, rows[0]) for board in product(rows, repeat=3))
    assert sum(len({*board[:2], *board[4:6]}) == 4 and puzzle.holds(board) for board in boards) == 288 // 24


@pytest.mark.parametrize("values", [(), (1, 2), tuple(map(int, SOLVED + "1"))], ids=len)
def test_a_filling_of_another_length_is_refused(values: tuple[int, ...]) -> None:
    """Too few or too many values are an error, not an answer of yes or no."""
    with pytest.raises(InvalidInput, match=f"^Puzzle.holds, values: expected a value for each of 16 cells, got {len(values)}$"):
        Puzzle(Grid.square(4)).holds(values)


def test_solutions_can_be_asked_of_the_puzzle() -> None:
    """The method passes its options on to the function."""
    puzzle = Puzzle.parse(SOLVED[:12] + "....")
    assert list(puzzle.solutions(backend="native")) == [tuple(map(int, SOLVED))]


def test_what_is_given_is_assumed() -> None:
    """Givens and candidates become sets of allowed values; a given beside its candidates leaves none."""
    puzzle = Puzzle(givens={0: 5, 1: 5}, candidates={1: 0b110, 2: 0b110})
    assert puzzle.assume() == {0: 1 << 5, 1: 0, 2: 0b110}
    assert next(puzzle.solutions(), None) is None


def test_the_model_is_made_once_for_the_same_rules() -> None:
    """Puzzles of the same rules on the same shape share one model, however they were made."""
    rules = (Houses(), KillerCage((0, 1), 5))
    one = Puzzle(Grid.square(9), rules, {0: 1}, title="one").model()
    other = Puzzle(Grid((Board(9, 9, (3, 3)),), range(1, 10)), (Houses(), KillerCage((0, 1), 5)), {5: 1}).model()
    assert one is other
    assert Puzzle(rules=(Houses(), KillerCage((0, 1), 6))).model() is not one
    assert Puzzle(rules=rules[::-1]).model() is not one


# --- what is refused --------------------------------------------------------------------------------------------


def test_everything_wrong_with_a_puzzle_is_said_at_once() -> None:
    """Cells, values, candidates, signs, rules and the stated solution are all checked before anything is reported."""
    with pytest.raises(InvalidInput) as caught:
        Puzzle(
            Grid.square(4),
            rules=(Houses(), KillerCage((0, 99), 5)),
            givens={0: 5, 1: 0, 16: 1, -1: 1},
            candidates={2: 0, 3: 0b100010, 77: 1, 4: -2},
            symbols=Symbols("abc"),
            solution=(1, 2, 3),
        )
    problems = caught.value.problems
    expected = (
        "killer-cage, cells: expected cells of a 4x4 grid (0 to 15), got 99",
        "expected signs for the values 1 to 4, got Symbols(signs='abc', first=1)",
        "expected cells of a 4x4 grid (0 to 15), got 16",
        "expected cells of a 4x4 grid (0 to 15), got -1",
        "expected cells of a 4x4 grid (0 to 15), got 77",
        "expected a value from 1 to 4 in r1c1, got 5",
        "expected a value from 1 to 4 in r1c2, got 0",
        "expected some of the values 1 to 4 as candidates of r1c3, got 0b0",
        "expected some of the values 1 to 4 as candidates of r1c4, got 0b100010",
        "expected some of the values 1 to 4 as candidates of r2c1, got -0b10",
        "expected a stated solution of 16 values from 1 to 4, got (1, 2, 3)",
    )
    assert sorted(problems) == sorted(expected)


def test_houses_need_values_enough() -> None:
    """Rows longer than there are values cannot be different."""
    with pytest.raises(InvalidInput) as caught:
        Puzzle(Grid.rectangle(2, 3, None, range(1, 3)))
    assert caught.value.problems == (
        "houses: expected at least 3 values for the cells of row 1, got 2",
        "houses: expected at least 3 values for the cells of row 2, got 2",
    )


def test_a_rule_says_itself_what_is_wrong() -> None:
    """Cells outside the grid are refused for every field that holds cells."""
    with pytest.raises(InvalidInput, match="quadruple, cells: expected cells of a 4x4 grid"):
        Puzzle(Grid.square(4), rules=(Quadruple((0, 1, 4, 16), (1,)),))


def test_clashing_givens_are_no_error() -> None:
    """Two equal givens in a row make a puzzle without a solution."""
    assert not Puzzle(givens={0: 5, 1: 5}).holds([5] * 81)
