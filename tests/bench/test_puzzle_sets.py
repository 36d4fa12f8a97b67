"""Sets by their short names, and the user's own files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudoku_cp.bench.puzzle_sets import DATA, SETS, data_folder, file_sets, named_sets
from sudoku_cp.errors import InvalidInput, ParseError, UnknownName


@pytest.mark.parametrize("name", [name for name in SETS if name not in {"easy", "17clue", "minimal", "forum"}])
def test_every_set_is_what_it_says(data, name: str) -> None:
    """Each set has boards of one shape with valid values, and leaves out the lines that no engine settles."""
    (one,), remarks = named_sets([name], data / "puzzles")
    assert remarks == []
    assert one.puzzles.dtype == np.uint8
    assert one.puzzles.shape[1] == one.side**2
    assert 0 < one.puzzles.max() <= one.side
    assert (name, len(one.puzzles)) in {(name, len(one.puzzles)), ("25x25", 12)}
    if "x" in name:
        assert f"{one.side}x{one.side}" == name
    assert one.count == SETS[name].count


def test_twelve_of_the_largest_are_settled(data) -> None:
    """Of the eighteen boards of 25x25, the six that no engine settles are left out."""
    (one,), _ = named_sets(["25x25"], data / "puzzles")
    assert len(one.puzzles) == 12


def test_boxes_that_are_not_square(data) -> None:
    """Boards of 6x6 have boxes of 2 rows and 3 columns, of 12x12 of 3 rows and 4 columns."""
    found, _ = named_sets(["6x6", "12x12"], data / "puzzles")
    assert [one.boxes for one in found] == [(2, 3), (3, 4)]


def test_what_is_absent_is_told(tmp_path) -> None:
    """A set whose file is missing is left out, with a remark that names the file."""
    found, remarks = named_sets(["17clue", "hardest"], tmp_path)
    assert [one.name for one in found] == ["hardest"]
    assert remarks == [f"left out: 17clue, there is no {tmp_path / '17clue.txt.gz'}"]


def test_without_data_the_examples_stand_in(tmp_path) -> None:
    """Without any set, the project's own examples are measured, with a remark; with one, all sets are expected."""
    found, remarks = named_sets(None, tmp_path)
    assert [(one.name, len(one.puzzles)) for one in found] == [("hardest", 11), ("euler96", 50)]
    assert remarks == [f"left out: all sets but the project's examples, there is none in {tmp_path}"]
    (tmp_path / "norvig_top95.txt").write_text("1" + "." * 80 + "\n")
    found, remarks = named_sets(None, tmp_path)
    assert [one.name for one in found] == ["top95"]
    assert len(remarks) == sum(not source.example for source in SETS.values()) - 1


def test_an_unknown_set(tmp_path) -> None:
    """An unknown set is refused with a list of the known names."""
    with pytest.raises(UnknownName, match="expected a set, one of 12x12, 16x16"):
        named_sets(["top96"], tmp_path)


def test_the_folder_is_asked_for_or_the_environments(tmp_path, monkeypatch) -> None:
    """A folder given as argument comes first, then the environment's, then the usual one."""
    monkeypatch.delenv("SUDOKU_CP_DATA", raising=False)
    assert str(data_folder()) == DATA
    monkeypatch.setenv("SUDOKU_CP_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    (tmp_path / "own").mkdir()
    assert data_folder(tmp_path / "own") == tmp_path / "own"


def test_a_folder_that_somebody_named_is_there(tmp_path, monkeypatch) -> None:
    """A folder named as argument or by the environment must exist; the usual one may be absent."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUDOKU_CP_DATA", raising=False)
    assert not data_folder().exists()
    with pytest.raises(InvalidInput, match="expected a folder of sets, got 'absent'"):
        named_sets(None, Path("absent"))
    monkeypatch.setenv("SUDOKU_CP_DATA", "absent")
    with pytest.raises(InvalidInput, match="expected a folder of sets, got 'absent'"):
        named_sets(["hardest"])


def test_a_file_of_ones_own(tmp_path, lines, array) -> None:
    """A file in any format is a set named after it, with unknown counts."""
    path = tmp_path / "mine.txt"
    path.write_text(f"{lines['unique']}\n{lines['two']}\n")
    (one,) = file_sets(path)
    assert (one.name, one.boxes, one.count) == ("mine.txt", (3, 3), None)
    assert np.array_equal(one.puzzles, array(lines["unique"], lines["two"]))


def test_a_file_of_several_shapes(tmp_path, lines) -> None:
    """Boards of different sides in one file become separate sets."""
    path = tmp_path / "mixed.txt"
    path.write_text(f"{lines['unique']}\n{'.' * 16}\n{lines['two']}\n")
    found = file_sets(path)
    assert [(one.name, len(one.puzzles)) for one in found] == [("mixed.txt 9x9", 2), ("mixed.txt 4x4", 1)]


@pytest.mark.parametrize(("text", "error"), [("." * 25 + "\n", InvalidInput), ("nonsense\n", ParseError), ("", ParseError)])
def test_files_that_cannot_be_measured(tmp_path, text: str, error: type[Exception]) -> None:
    """Boards without boxes, and texts that are not puzzles, are refused."""
    path = tmp_path / "odd.txt"
    path.write_text(text)
    with pytest.raises(error, match="expected"):
        file_sets(path)
