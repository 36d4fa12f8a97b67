"""Killer sudokus in their three texts."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats import read_puzzles, records_of_text, sniff, write_puzzles
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Diagonals, Houses, KillerCage, Thermometer

NAMES = ("killer-ps", "sumocue", "killer81")
SAMPLES = {"killer_ps.txt": "killer-ps", "sumocue_killer.txt": "sumocue", "killer_short81.txt": "killer81"}
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
STRINGS = "formats/third_party/iss_nonnative_strings.txt"


def _text_of(puzzle, name):
    target = StringIO()
    write_puzzles([puzzle], target, name)
    return target.getvalue()


def _read(text, name=None):
    (record,) = records_of_text(text, format=name)
    if record.error:
        raise record.error
    return record.puzzle


@st.composite
def _killers(draw):
    """Draw cages that grow over neighbours, some cells given, some in no cage."""
    free = set(range(81))
    cages, givens = [], {}
    for _ in range(draw(st.integers(0, 12))):
        start = draw(st.sampled_from(sorted(free)))
        cells = [start]
        for _ in range(draw(st.integers(0, 6))):
            row, column = divmod(cells[-1], 9)
            near = [
                (row + down) * 9 + column + right
                for down in (-1, 0, 1)
                for right in (-1, 0, 1)
                if 0 <= row + down < 9 and 0 <= column + right < 9
            ]
            more = [cell for cell in near if cell in free and cell not in cells]
            if more:
                cells.append(draw(st.sampled_from(more)))
        free -= set(cells)
        if len(cells) == 1:
            givens[start] = draw(st.integers(1, 9))
        else:
            cages.append(KillerCage(tuple(sorted(cells)), draw(st.integers(1, 45))))
    return Puzzle(rules=(Houses(), *sorted(cages, key=lambda cage: cage.cells)), givens=givens)


@pytest.mark.parametrize("name", NAMES)
@given(puzzle=_killers())
@settings(max_examples=20)
def test_killers_survive(name, puzzle):
    """Cages, their sums and given values come back from each text, which is recognised where it has a cage."""
    text = _text_of(puzzle, name)
    back = _read(text, name)
    assert set(back.rules) == set(puzzle.rules)
    assert back.givens == puzzle.givens
    assert sniff(text).name == name or len(puzzle.rules) == 1


@pytest.mark.parametrize("name", ["sumocue", "killer81"])
def test_cages_without_a_sum_survive(name):
    """A cage that only holds different values is one with the sum 0."""
    puzzle = Puzzle(rules=(Houses(), KillerCage((0, 1, 9))))
    assert _read(_text_of(puzzle, name)) == puzzle


@pytest.mark.parametrize("name", ["killer-ps", "sumocue"])
def test_diagonals_survive(name):
    """The letter d says that the diagonals count."""
    puzzle = Puzzle(rules=(Houses(), Diagonals(), KillerCage((0, 1), 5)))
    assert _read(_text_of(puzzle, name)) == puzzle


def test_sumocue_has_regions():
    """SumoCue's text also states irregular regions; the usual boxes stay boxes."""
    layout = "000111222000111222000111222333444555333444555333444555666777888666777888666787878"
    puzzle = Puzzle(Grid.jigsaw(layout), (Houses(), KillerCage((0, 1), 5)), {80: 3})
    assert _read(_text_of(puzzle, "sumocue")) == puzzle
    boxes = "SumoCueV1" + "".join(f"=0J{row // 3 * 3 + column // 3}" for row in range(9) for column in range(9))
    assert _read(boxes) == Puzzle()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_are_one_killer(name, data):
    """The samples, each in its text, are the same cages over the same solution."""
    path = data(f"formats/self_made/{name}")
    (puzzle,) = read_puzzles(path)
    assert sniff(path.read_text()).name == SAMPLES[name]
    assert puzzle.holds(tuple(map(int, SOLUTION)))
    assert len(puzzle.rules) == 37


def test_real_killers_survive(data):
    """Published killers are recognised, read, and come back from their own text."""
    counts = dict.fromkeys(NAMES, 0)
    for line in data(STRINGS).read_text().split():
        name = sniff(line).name
        if name in counts:
            counts[name] += 1
            puzzle = _read(line)
            assert _read(_text_of(puzzle, name)) == puzzle
    assert counts == {"killer-ps": 14, "sumocue": 0, "killer81": 58}


def test_a_real_killer_has_one_solution(data):
    """A published killer is solved."""
    line = next(one for one in data(STRINGS).read_text().split() if sniff(one).name == "killer81")
    assert len(list(_read(line).solutions(backend="sat"))) == 1


@pytest.mark.slow
def test_all_real_killers_have_solutions(data):
    """Every published killer has a solution, and those in 81 signs have exactly one."""
    for line in data(STRINGS).read_text().split():
        if sniff(line).name in NAMES:
            found = _read(line).solutions(backend="sat")
            assert next(found)
            assert sniff(line).name != "killer81" or not next(found, None)


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(rules=(Houses(), KillerCage((0, 1), 5), KillerCage((1, 2), 5))), "cells in several cages"),
        (Puzzle(rules=(Houses(), KillerCage((0, 1), 5)), givens={0: 1}), "given and in a cage"),
        (Puzzle(rules=(Houses(), Thermometer((0, 1)))), "the rule thermometer"),
        (Puzzle(rules=(Houses(), KillerCage((0, 1), 99))), "between 1 and 45"),
        (Puzzle(rules=(KillerCage((0, 1), 5),)), "without its houses"),
        (Puzzle(Grid.square(6)), "not 9x9"),
    ],
    ids=["overlap", "given", "rule", "sum", "houses", "size"],
)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_killer_text_cannot_say_is_refused(name, puzzle, named):
    """Anything but a killer sudoku is refused by name."""
    with pytest.raises(Unsupported, match=named):
        _text_of(puzzle, name)


@pytest.mark.parametrize("name", NAMES)
def test_a_cage_of_one_cell_is_a_given_that_a_cell_can_have(name):
    """A cage of one cell is read as a given, so one with more than 9 is refused, as it could not be read back."""
    assert _read(_text_of(Puzzle(rules=(Houses(), KillerCage((7,), 9))), name), name).givens == {7: 9}
    with pytest.raises(Unsupported, match="one cell with more than 9"):
        _text_of(Puzzle(rules=(Houses(), KillerCage((7,), 12))), name)


def test_cages_in_pieces_have_no_ways():
    """The 81 signs cannot express a cage whose cells do not touch."""
    with pytest.raises(Unsupported, match="cages in one piece"):
        _text_of(Puzzle(rules=(Houses(), KillerCage((0, 80), 5))), "killer81")


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("killer-ps", "3x3::k:" + "0:" * 80, "81 numbers, each followed by ':', got 80"),
        ("killer-ps", "3x3:x:k:" + "0:" * 81, "begins with '3x3::k:'"),
        ("killer-ps", "3x3::k:" + "0:" * 79 + "-1:1e3:", "cell 80, got '-1'; expected a number for cell 81, got '1e3'"),
        ("killer-ps", "3x3::k:" + "513:257:" + "0:" * 79, "one sum for cage 1, got 2 and 1"),
        ("killer-ps", "4x4::k:" + "0:" * 81, "begins with"),
        ("sumocue", "SumoCueV1=5+0", "81 cells, got 2"),
        ("sumocue", "SumoCueV1=5*0", "got '\\*0' at column 12"),
        ("sumocue", "SumoCueV1" + "=0" * 80 + "+81", "a cell with a sum after '\\+', got 81 for cell 80"),
        ("sumocue", "SumoCueV1" + "=0J0" * 81, "nine cells in each of the regions"),
        ("killer81", "<" + "0" * 80, "stays on the board, got '<' at column 1"),
        ("killer81", "><" + "0" * 79, "a cycle at column 1"),
        ("killer81", "0" * 79 + "<z", "got 'z' at column 81"),
        ("killer81", "0<", "81 signs, got 2"),
        ("killer81", ">" * 8 + "v" + ("^" * 8 + "v") * 7 + "<" * 9, "stays on the board|a cycle"),
    ],
)
def test_errors_say_what_is_wrong(name, text, named):
    """A wrong text is an error that says what was expected and what came."""
    with pytest.raises(ParseError, match=named):
        _read(text, name)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(st.sampled_from("3x:k0256SumoCueV1=+JD<>^v`',.AZaj"), max_size=90))
@settings(max_examples=20)
def test_any_text_is_a_puzzle_or_an_error(name, text):
    """However strange the text, a reader yields puzzles and our errors."""
    for record in records_of_text(text, format=name):
        assert (record.puzzle is None) != (record.error is None)


SQUARES = [(row, column) for row in range(1, 10, 3) for column in range(1, 10, 3)]
CAGES = [
    [(row + down, column + right) for down in range(3) for right in range(3) if part == (down < 2)]
    for row, column in SQUARES
    for part in (0, 1)
]
"""Cages that fill each box: its last row, and the two above."""


def _total(places):
    return sum(int(SOLUTION[9 * row + column - 10]) for row, column in places)


FORMS = {
    "equals": (" + ", "{total} = {cells}"),
    "behind": (" + ", "{cells} = {total}"),
    "colon": (" ", "{total}: {cells}"),
    "colon behind": (",", "{cells}: {total}"),
    "csv": (" ", "{total},{cells}"),
    "quoted csv": (",", '{total},"{cells}"'),
    "arrow": (" ", "{cells} -> {total}"),
}


@pytest.mark.parametrize("header", ["", "sum,cells\n", "My killer\n\n"])
@pytest.mark.parametrize("form", FORMS)
def test_cages_are_listed_by_their_cells(form, header):
    """A list of sums with the names of cells is a killer if its cages fill the board, and says what it assumes."""
    join, line = FORMS[form]
    lines = [line.format(total=_total(cage), cells=join.join(f"r{row}c{column}" for row, column in cage)) for cage in CAGES]
    (record,) = records_of_text(header + "\n".join(lines))
    assert record.error is None
    cages = [KillerCage(tuple(9 * row + column - 10 for row, column in cage), _total(cage)) for cage in CAGES]
    assert record.puzzle == Puzzle(rules=(Houses(), *cages))
    assert "read as a killer: the values in a cage differ" in record.warnings


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (["3 = r1c1 + r1c2"] * 4, "got r1c1 in several"),
        ([f"9 = r{row}c1 + r{row}c2" for row in range(1, 5)], "expected a word such as 'killer'"),
        (["killer", *(f"9 = r{row}c1 + r{row}c3" for row in range(1, 5))], "got cells apart (line 2)"),
        (["killer", *(f"9 = r{row}c1 + r{row}c10" for row in range(1, 5))], "got r1c10 (line 2)"),
    ],
    ids=["twice", "not all cells", "apart", "outside"],
)
def test_sums_that_may_be_no_cages_are_refused(lines, named):
    """Sums that do not fill the board may be sums in which values repeat."""
    (record,) = records_of_text("\n".join(lines))
    assert named in str(record.error)
