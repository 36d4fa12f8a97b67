"""From every format to every other and back: nothing disappears without an error or a remark, and the docs say what does."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import FORMATS, format_puzzles, read_records, records_of_text
from sudoku_cp.formats.base import TEXTS
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import solve
from sudoku_cp.rules import RULES

sys.path.insert(0, str(Path(__file__).parent))

import format_matrix as matrix

WRITTEN_IN_THE_OPEN = ["opb", "flatzinc", "cpsat"]
IN_OTHER_WORDS = {"iss"}
"""Formats that express rules as others with the same meaning."""
NOT_TEXTS = {"rules", "regions", "givens"}
"""What may come back as others with the same meaning."""
PAIRS = [("fpuzzles", "sudokupad"), ("sudokupad", "fpuzzles"), ("fpuzzles", "iss"), ("json", "ksudoku"), ("csv", "sdk")]
"""Pairs of formats that represent all in the tests that always run."""
SAMPLES = [
    *("candidate_grid.txt", "collection.sdm", "comma_rows.csv", "fpuzzles.json", "fpuzzles_url.txt", "grid9.txt", "iss.txt"),
    *("hodoku_library.txt", "jigsaw_162.txt", "jigsaw_2x81.txt", "kaggle.csv", "kaggle_rating.csv", "killer_ps.txt"),
    *("killer_short81.txt", "line81.txt", "opensudoku_v1.opensudoku", "opensudoku_v2.opensudoku", "pencilmark729.txt"),
    *("ptax_gsf.txt", "sadman_full.sdk", "simple_sudoku.ss", "simple_sudoku_clip.txt", "solo_classic.txt", "solo_jigsaw.txt"),
    *(
        "solo_killer.txt",
        "sudocue.sdk",
        "sudokupad_ctc.json",
        "sudokupad_scl_url.txt",
        "sumocue_jigsaw.txt",
        "sumocue_killer.txt",
    ),
]


def _unexplained(start, end, told, *names):
    """Return what is lost and was not reported; rules that mean the same are not a loss."""
    excused = NOT_TEXTS if IN_OTHER_WORDS.intersection(names) else set()
    return matrix.lost(start, end) - told - excused


def _check(puzzle, name):
    passage = matrix.through(puzzle, name)
    assert (passage.back is None) == bool(passage.error)
    if passage.back:
        assert not _unexplained(puzzle, passage.back, passage.left_out, name)
        assert puzzle.solution is None or passage.back.holds(puzzle.solution) == puzzle.holds(puzzle.solution)


@pytest.mark.parametrize("name", matrix.BOTH)
def test_nothing_disappears(name):
    """Each puzzle of the examples and each kind of board is refused, or comes back except for what is reported."""
    for puzzle in matrix.corpus():
        _check(puzzle, name)


@pytest.mark.parametrize("name", matrix.BOTH)
def test_the_table_of_formats_is_current(name):
    """The row of each format in docs/formats.md says what is true today (else: make docs-pages)."""
    assert matrix.markdown_row(matrix.row_of(name)) in matrix.table_on_page("formats").splitlines(), "run `make docs-pages`"


def _names_in(text):
    return re.findall(r"`(.*?)`", text)


def test_the_page_introduces_every_format_and_no_other():
    """The first table and the sections of docs/formats.md are about the formats of the registry, each once."""
    page = matrix.PAGE.read_text(encoding="utf-8")
    rows = re.search(r"^\| name \|.*?\n\n", page, re.MULTILINE | re.DOTALL)[0].splitlines()[2:]
    introduced = [(name, row.split("|")[2:4]) for row in rows if row for name in _names_in(row.split("|")[1])]
    sections = [name for heading in re.findall(r"^## (.*)$", page, re.MULTILINE) for name in heading.split(", ")]
    hint = "mend the first table and the sections of docs/formats.md by hand, then run `make docs-pages` for its other tables"
    assert [name for name, _ in introduced] == list(FORMATS), hint
    assert sorted({*sections, "sudokupad-drawing"}) == sorted(FORMATS), hint  # told in the section of SudokuPad
    for name, (read, written) in introduced:
        assert (read.strip() != "no", written.strip() != "no") == (bool(FORMATS[name].read), bool(FORMATS[name].write)), hint


def test_the_tables_have_every_format():
    """Each format that is read and written has a row in both tables, and no other has."""
    first = [line.split("|")[1] for line in matrix.table_on_page("formats").splitlines()[2:]]
    second = [line.split("|")[1] for line in matrix.table_on_page("pairs").splitlines()[2:]]
    assert [_names_in(one) for one in first] == [[name] for name in matrix.BOTH], "run `make docs-pages`"
    assert sorted(name for one in second for name in _names_in(one)) == sorted(matrix.BOTH), "run `make docs-pages`"


def _check_pair(name, other):
    for one in matrix.journeys(name, other):
        if one.end:
            assert not _unexplained(one.start, one.end, one.told, name, other)


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_nothing_disappears_on_the_way_to_another_format_and_back(name, other):
    """What one format expresses goes to another and back, except for what is refused or reported."""
    _check_pair(name, other)


@pytest.mark.slow
@pytest.mark.parametrize("name", matrix.BOTH)
def test_nothing_disappears_on_any_way(name):
    """The same of every pair of formats."""
    for other in matrix.BOTH:
        _check_pair(name, other)


@pytest.mark.slow
def test_the_table_of_pairs_is_current():
    """The table of pairs in docs/formats.md says what is true today (else: make docs-pages)."""
    assert matrix.table_on_page("pairs") == matrix.table_of_pairs(), "run `make docs-pages`"


def _said_otherwise():
    made = [(puzzle, matrix.through(puzzle, name).back) for name in IN_OTHER_WORDS for puzzle in matrix.examples()]
    return [(puzzle, back) for puzzle, back in made if back and matrix.lost(puzzle, back) & NOT_TEXTS]


def test_other_words_have_the_same_solution():
    """An example that comes back as other rules is solved by its own solution."""
    assert all(back.holds(puzzle.solution) for puzzle, back in _said_otherwise())


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 8))])
def test_other_words_mean_the_same(part):
    """An example that comes back as other rules has the same unique solution, which is found without long search."""
    for puzzle, back in _said_otherwise()[part::8]:
        answer = solve(back, limits=Limits(nodes=50_000))
        assert (answer.status, answer.solutions) == ("unique", (puzzle.solution,)), puzzle.title


GRIDS = [Grid.square(4), Grid.square(9), Grid.square(6, (3, 2)), Grid.square(6, (2, 2)), Grid.jigsaw("AAA. ABBB CCBD CCDD")]
GRIDS += [Grid.rectangle(4, 6, (2, 3)), Grid.square(9, values=range(9)), Grid.square(4, values=range(1, 6)), Grid.rectangle(5, 5)]
GRIDS += [Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))]


@st.composite
def _puzzles(draw):
    """Draw puzzles with cages of every odd kind: cells twice, sums of nothing or out of reach, in pieces, overlapping."""
    grid = draw(st.sampled_from(GRIDS))
    cells = st.lists(st.sampled_from(grid.cells), min_size=2, max_size=4).map(tuple)
    killers = st.builds(RULES["killer-cage"], cells, st.sampled_from([None, 0, 3, 7, 20, 50]))
    sums = st.builds(RULES["sum-cage"], cells, st.sampled_from([0, 9, -2]))
    others = st.sampled_from([RULES["diagonals"](), RULES["diagonals"](up=False), RULES["anti-king"]()])
    rules = draw(st.lists(killers | sums | st.builds(RULES["extra-region"], cells) | others, max_size=3, unique=True))
    givens = draw(st.dictionaries(st.sampled_from(grid.cells), st.sampled_from(grid.values), max_size=4))
    title = draw(st.sampled_from(["", "x", "12 34", "a: b", "---", "# y", "· z", "Grid 01", "a,b", "[Puzzle]", "5 3 4 . . ."]))
    try:
        return Puzzle(grid, (*CLASSIC, *rules), givens, title=title)
    except InvalidInput:
        return Puzzle(grid, givens=givens, title=title)


@given(puzzle=_puzzles(), name=st.sampled_from(matrix.BOTH))
@settings(max_examples=60)
def test_odd_cages_and_titles_lose_nothing(puzzle, name):
    """Whatever the cages, the board and the title: refused, or read back except for what is reported."""
    passage = matrix.through(puzzle, name)
    if passage.back:
        # KSudoku's groups that are not boxes come back as regions that hold different values.
        excused = {"rules", "regions"} if name in {"iss", "ksudoku"} else set()
        assert not matrix.lost(puzzle, passage.back) - passage.left_out - excused


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_lose_nothing(sample, data):
    """The puzzles of other programs' files go into each format and back, except for what is refused or reported."""
    for record in read_records(data(f"formats/self_made/{sample}")):
        for name in matrix.BOTH:
            _check(record.puzzle, name)


@pytest.mark.parametrize("sample", ["Jigsaw.xml", "Samurai.xml", "TinySamurai.xml"])
def test_shapes_lose_nothing(sample, data):
    """Boards that overlap go into each format and back, or are refused."""
    for record in read_records(data(f"formats/third_party/{sample}")):
        for name in matrix.BOTH:
            _check(record.puzzle, name)


@pytest.mark.slow
def test_documents_of_setters_lose_nothing(data):
    """The f-puzzles documents that SudokuPad is tested with go into each format and back."""
    rows = json.loads(data("formats/third_party/sudokupad_testfpuzzles.json").read_text())
    records = [record for row in rows for record in records_of_text(row[1], format="fpuzzles")]
    puzzles = [record.puzzle for record in records if record.puzzle]
    assert len(puzzles) > len(rows) // 2
    for puzzle in puzzles:
        for name in matrix.BOTH:
            _check(puzzle, name)


@pytest.mark.slow
def test_strings_of_other_formats_lose_nothing(data):
    """Killers, jigsaws and pencil marks as another solver's tests have them go into each format and back."""
    lines = data("formats/third_party/iss_nonnative_strings.txt").read_text().splitlines()
    puzzles = [record.puzzle for line in lines for record in records_of_text(line) if record.puzzle]
    assert len(puzzles) > len(lines) // 2
    for puzzle in puzzles:
        for name in matrix.BOTH:
            _check(puzzle, name)


@pytest.mark.parametrize("name", WRITTEN_IN_THE_OPEN)
def test_texts_stand_in_formats_that_are_only_written(name):
    """What such a format declares to keep is in its text."""
    one, *_ = format_puzzles([matrix.told()], name)
    for field, noun in TEXTS.items():
        if noun not in one.left_out:
            kept = FORMATS[name].keeps[field](matrix.told())
            assert f"{field}: {kept}" in one.text
