"""Drawing grids for a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.errors import Unsupported
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.render import Look, draw, draw_outlined, terminal_grid
from sudoku_cp.render.terminal_grid import close_gaps, draw_candidates, region_borders
from sudoku_cp.rules import AnyOf, KillerCage
from sudoku_cp.symbols import alphabet, hexadecimal, letters, numerals

if TYPE_CHECKING:
    from collections.abc import Iterator

PUZZLE = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
ANSI = re.compile(r"\x1b\[\d+m")

PICTURE = """\
┌───────┬───────┬───────┐
│ 4 . . │ . . . │ 8 . 5 │
│ . 3 . │ . . . │ . . . │
│ . . . │ 7 . . │ . . . │
├───────┼───────┼───────┤
│ . 2 . │ . . . │ . 6 . │
│ . . . │ . 8 . │ 4 . . │
│ . . . │ . 1 . │ . . . │
├───────┼───────┼───────┤
│ . . . │ 6 . 3 │ . 7 . │
│ 5 . . │ 2 . . │ . . . │
│ 1 . 4 │ . . . │ . . . │
└───────┴───────┴───────┘"""


def test_a_classic_board_has_boxes() -> None:
    """A 9x9 board is drawn with a border around each box."""
    assert draw(PUZZLE) == PICTURE


def test_ascii_is_ascii() -> None:
    """With ascii_only every sign is ASCII, and the rows say the same."""
    drawn = draw(PUZZLE, Look(ascii_only=True))
    assert drawn.isascii()
    assert drawn.splitlines()[1] == "| 4 . . | . . . | 8 . 5 |"


def test_irregular_regions_have_their_borders() -> None:
    """A line runs exactly between cells of different regions."""
    puzzle = Puzzle(Grid.jigsaw("AAAB ACBB CCDB CDDD"), givens={0: 1, 15: 4})
    assert draw(puzzle) == (
        "┌───────────┬───┐\n│ 1   .   . │ . │\n│   ┌───┬───┘   │\n│ . │ . │ .   . │\n├───┘   ├───┐   │\n"
        "│ .   . │ . │ . │\n│   ┌───┘   └───┤\n│ . │ .   .   4 │\n└───┴───────────┘"
    )


def test_overlapping_boards_leave_holes() -> None:
    """Places without a cell are blank, and every cell is drawn once."""
    grid = Grid(tuple(Board(4, 4, (2, 2), at=at) for at in ((0, 0), (2, 2))), range(1, 5))
    lines = draw(Puzzle(grid, givens={0: 1})).splitlines()
    assert lines[1] == "│ 1 . │ . . │"
    assert lines[-2] == "      │ . . │ . . │"
    assert sum(line.count(".") for line in lines) == len(grid.cells) - 1


@pytest.mark.parametrize("size", [2, 3, 4, 6, 9, 16, 25, 36])
@pytest.mark.parametrize("symbols", [numerals, letters, hexadecimal])
def test_every_size_and_alphabet_shows_every_value(size: int, symbols: object) -> None:
    """A full grid of any side shows each cell's sign, in reading order."""
    grid = Grid.square(size)
    values = [grid.values[(row + column) % size] for row in range(size) for column in range(size)]
    puzzle = Puzzle(grid, symbols=symbols(grid.values))  # type: ignore[operator]
    drawn = draw(Position.of(puzzle, values))
    assert "".join(re.findall(r"\w", drawn)) == puzzle.line(values)
    assert len({len(line) for line in drawn.splitlines()}) == 1


def test_own_alphabets_are_drawn() -> None:
    """Signs outside ASCII are drawn like any others."""
    puzzle = Puzzle(Grid.square(4), givens={0: 1, 5: 4}, symbols=alphabet("♠♥♦♣", range(1, 5)))
    assert "♠" in draw(puzzle)
    assert "♣" in draw(puzzle)


def position() -> Position:
    """Return a 4x4 position with one value of each origin."""
    puzzle = Puzzle(Grid.square(4), givens={0: 1})
    return Position(puzzle, (1, 2, 3, *[None] * 13), (Origin.GIVEN, Origin.FORCED, Origin.GUESSED, *[None] * 13))


def test_marks_tell_origins_apart_by_signs() -> None:
    """Given values stand plain, forced ones are circled, guessed ones stand in parentheses."""
    assert draw(position(), Look(marks=True)).splitlines()[1] == "│  1   ②  │ (3)  .  │"
    assert draw(position(), Look(marks=True, ascii_only=True)).splitlines()[1] == "|  1  [2] | (3)  .  |"


def test_colours_change_nothing_but_colour() -> None:
    """Without its escapes a coloured grid is the plain one, and the three origins have three colours."""
    coloured = draw(position(), Look(colour=True))
    assert ANSI.sub("", coloured) == draw(position())
    assert len(set(ANSI.findall(coloured))) == 4  # three colours and the reset


@pytest.mark.parametrize("sign", ["0", "5", "G", "b", "♠"])
def test_circles_keep_the_sign_recognisable(sign: str) -> None:
    """A forced value of any alphabet is marked differently from a given one."""
    puzzle = Puzzle(Grid.square(2), symbols=alphabet(f"{sign}?", range(1, 3)))
    forced = draw(Position.of(puzzle, (1, None, None, None)), Look(marks=True))
    given = draw(puzzle.with_givens({0: 1}), Look(marks=True))
    assert forced != given


def test_restricted_candidates_are_shown() -> None:
    """An open cell with restricted candidates shows them, and the borders fit the widest cell."""
    puzzle = Puzzle(Grid.square(4), givens={0: 1}, candidates={1: 0b11100, 2: 0b00110})
    lines = draw(puzzle).splitlines()
    assert lines[1] == "│ 1   234 │ 12  .   │"
    assert {len(line) for line in lines} == {len(lines[0])}


def test_cages_have_outlines() -> None:
    """Outlines are broken lines, heavy where a border is too; totals stand above the first cell that has none yet."""
    rules = (KillerCage((0, 1, 4), 7), KillerCage((6, 10), 5), KillerCage((6, 7), 123456))
    drawn = draw_outlined(Puzzle(Grid.square(4), rules, givens={0: 1}))
    assert drawn == CAGES


CAGES = """\
┏7━━━━━━━━━━━━┱─────────────┐
┃  1      .   ┃  .      .   │
┃      ┌┄┄┄┄┄┄╂5┄┄┄┄┄┬123456┧
┃  .   ┆  .   ┃  .   ┆  .   ┃
┡━━━━━━┵──────╊━━━━━━┿━━━━━━┩
│  .      .   ┃  .   ┆  .   │
│             ┞┄┄┄┄┄┄┘      │
│  .      .   │  .      .   │
└─────────────┴─────────────┘"""


def test_outlines_can_be_ascii() -> None:
    """With ascii_only every sign is ASCII, and the values and totals are the same."""
    puzzle = Puzzle(Grid.square(4), (KillerCage((5, 6, 9), 12),), givens={0: 1, 15: 4})
    plain = draw_outlined(puzzle, Look(ascii_only=True))
    assert plain.isascii()
    assert re.findall(r"\d+", plain) == re.findall(r"\d+", draw_outlined(puzzle)) == ["1", "12", "4"]
    assert len({len(line) for line in plain.splitlines()}) == 1


def test_a_grid_without_certain_cages_is_drawn_as_ever() -> None:
    """Cages that need not hold have no outline here, where nothing is faint."""
    for rules in ((), (AnyOf((KillerCage((0, 1), 3),)),)):
        puzzle = Puzzle(Grid.square(4), rules, givens={0: 1})
        assert draw_outlined(puzzle) == draw(puzzle)


SINGLES = Grid((Board(2, 2), *(Board(1, 1, at=(40, column)) for column in (0, 20, 40))), range(1, 3))


@pytest.mark.parametrize("rules", [(), (KillerCage((0, 1), 3),)], ids=["plain", "cages"])
@pytest.mark.parametrize("draw_one", [draw, draw_outlined])
def test_gaps_between_boards_are_narrow(draw_one, rules) -> None:
    """Boards and single cells that lie far apart are drawn close, in the order of their cells."""
    drawn = draw_one(Position.of(Puzzle(SINGLES, rules), [1, 2, 2, 1, 1, 2, 1]), Look(ascii_only=True))
    assert max(map(len, drawn.splitlines())) < 40
    assert len(drawn.splitlines()) < 12
    rows = [line.replace(" ", "") for line in drawn.splitlines() if set(line) & set("|:#")]
    assert "".join(re.findall(r"\d", "".join(rows))) == "1221121"


def test_pencil_marks_close_gaps_too() -> None:
    """The grid of candidates leaves no more room between boards than that of values."""
    puzzle = Puzzle(SINGLES)
    assert max(map(len, draw_candidates(puzzle, [{1: "", 2: ""}] * 7).splitlines())) < 60


def test_boards_that_overlap_stay_where_they_are() -> None:
    """A samurai, which has no empty rows or columns, is drawn as it lies."""
    corners = ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))
    grid = Grid(tuple(Board(9, 9, (3, 3), at=at) for at in corners), range(1, 10))
    assert close_gaps(grid) == grid


class CountedBorders(frozenset[tuple[int, int, bool]]):
    """Borders that count how often they are looked up, one by one or all of them."""

    lookups = 0

    def __contains__(self, side: object) -> bool:
        """Count one."""
        CountedBorders.lookups += 1
        return super().__contains__(side)

    def __iter__(self) -> Iterator[tuple[int, int, bool]]:
        """Count all."""
        CountedBorders.lookups += len(self)
        return super().__iter__()


@pytest.mark.parametrize("rules", [(), (KillerCage((0, 1), 3),)], ids=["plain", "cages"])
def test_the_work_grows_with_the_cells_and_not_with_the_space_between_them(
    monkeypatch: pytest.MonkeyPatch, rules: tuple[KillerCage, ...]
) -> None:
    """Forty boards on a diagonal take twice the work of twenty, though the space around them is four times as large."""
    corners: list[object] = []
    corner_sign = terminal_grid._corner_sign
    monkeypatch.setattr(terminal_grid, "_corner_sign", lambda *args: corners.append(args) or corner_sign(*args))
    for module in (terminal_grid, terminal_grid):
        monkeypatch.setattr(module, "region_borders", lambda grid: CountedBorders(region_borders(grid)))

    def work(number: int) -> int:
        boards = tuple(Board(2, 2, at=(5 * one, 5 * one)) for one in range(number))
        CountedBorders.lookups = 0
        corners.clear()
        draw_outlined(Puzzle(Grid.of(boards, range(1, 5)), rules))
        return CountedBorders.lookups + len(corners)

    assert work(40) <= 2.1 * work(20)


def test_a_drawing_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size is known before a line is made."""
    monkeypatch.setattr("sudoku_cp.render.terminal_grid.MOST_SIGNS", 100)
    with pytest.raises(Unsupported, match=r"expected a drawing of at most 100 characters, got 325 characters \(13 lines of 25\)"):
        draw(Puzzle(Grid.square(9)))
