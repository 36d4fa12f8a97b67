"""Real files: each is recognised, and read whole."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sudoku_cp.formats import read_puzzles, read_records

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

SAMPLES = ["line81.txt", "grid9.txt", "comma_rows.csv", "kaggle.csv", "kaggle_rating.csv", "collection.sdm", "simple_sudoku.ss"]
SAMPLES += ["simple_sudoku_clip.txt", "ptax_gsf.txt", "sudocue.sdk"]
SAMPLES += ["sadman_full.sdk", "hodoku_library.txt", "opensudoku_v1.opensudoku", "opensudoku_v2.opensudoku"]
SAMPLES += ["iss.txt", "jigsaw_162.txt", "jigsaw_2x81.txt", "sumocue_jigsaw.txt"]
SAMPLES += ["solo_classic.txt", "solo_jigsaw.txt", "candidate_grid.txt"]

SAMPLES += ["fpuzzles.json", "fpuzzles_url.txt", "sudokupad_ctc.json", "sudokupad_scl_url.txt"]

OTHERS = ["README.txt"]

COUNTS = {
    "17clue.txt.gz": 49158,
    "euler96.txt": 50,
    "p096_sudoku.txt": 50,
    "norvig_easy50.txt": 50,
    "norvig_top95.txt": 95,
    "norvig_hardest.txt": 11,
    "magictour_top1465.txt": 1465,
    "kaggle_10k.csv.gz": 10000,
    "multi_16clue_5000.txt.gz": 5000,
    "no_solution_5000.txt.gz": 5000,
    "gecode_9x9.txt": 18,
    "gecode_16x16.txt": 55,
    "gecode_25x25.txt": 18,
    "sudaco_16x16.txt": 100,
    "gen_6x6_2x3_minimal.txt": 500,
    "gen_12x12_3x4_minimal.txt": 60,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_of_a_format_is_its_puzzle(name, data):
    """Every sample begins with the same well-known puzzle, whatever it is written in."""
    puzzles = list(read_puzzles(data(f"formats/self_made/{name}")))
    assert puzzles[0].line() == LINE


@pytest.mark.parametrize("name", OTHERS)
def test_other_formats_are_refused_clearly(name, data):
    """A file in a format that is not read is an error, never a puzzle that is not in it."""
    path = data(f"formats/self_made/{name}")
    (record,) = read_records(path)
    assert record.puzzle is None
    assert str(record.error).startswith(str(path))


LARGE = ("17clue.txt.gz", "kaggle_10k.csv.gz", "multi_16clue_5000.txt.gz", "no_solution_5000.txt.gz")


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow) if one in LARGE else one for one in COUNTS])
def test_every_puzzle_of_a_file_is_read(name, data):
    """Each file of the collection is recognised and read whole, in one alphabet."""
    puzzles = list(read_puzzles(data(f"puzzles/{name}")))
    assert len(puzzles) == COUNTS[name]
    assert len({puzzle.symbols for puzzle in puzzles}) == 1
    assert puzzles[0].grid.is_plain
    assert name != "kaggle_10k.csv.gz" or all(puzzle.holds(puzzle.solution) for puzzle in puzzles[:100])


def test_euler_in_lines_and_in_blocks_are_the_same(data):
    """The two files of Project Euler's puzzles have the same puzzles."""
    lines, blocks = (list(read_puzzles(data(f"puzzles/{name}"))) for name in ("euler96.txt", "p096_sudoku.txt"))
    assert [puzzle.givens for puzzle in lines] == [puzzle.givens for puzzle in blocks]
    assert blocks[49].title == "Grid 50"


def test_a_line_loads_no_other_format():
    """Reading one line imports what lines need: no other format and no search for labels, so that a start stays cheap."""
    code = (
        "import json, sys\nfrom sudoku_cp.formats import records_of_text\n"
        f"assert next(records_of_text({LINE!r})).puzzle\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('sudoku_cp.formats.')]))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    own = {"base", "stated_rules", "text_files", "grid_text", "puzzle_lines", "jigsaws", "board_text", "board_text.alphabets"}
    assert {name.removeprefix("sudoku_cp.formats.") for name in json.loads(out)} <= own | {"board_text.candidate_marks"}
