"""Input other than puzzles: warnings and folders; output other than answers: pictures and the gallery."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree.ElementTree import fromstring

import pytest

from sudoku_cp.rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SEVERAL = "1..............."
DRAWING = "drawings are not read: 1 line (line: expected the width from 0 to 50, got 999.0)"


@pytest.fixture
def folder(tmp_path) -> Path:
    """Return a folder with two files of puzzles, a file of text and a subfolder."""
    folder = tmp_path / "folder"
    (folder / "deeper").mkdir(parents=True)
    (folder / "b.txt").write_text(f"{SEVERAL}\n{HARD}\n")
    (folder / "a.json").write_text(drawn())
    (folder / "README.md").write_text("words")
    return folder


def drawn() -> str:
    """Return a puzzle as an f-puzzles document with a line that is too wide to be kept."""
    rows = [HARD[start : start + 9] for start in range(0, 81, 9)]
    grid = [[{} if sign == "." else {"value": int(sign), "given": True} for sign in row] for row in rows]
    return json.dumps({"size": 9, "grid": grid, "line": [{"lines": [["R1C1", "R2C2"]], "outlineC": "#000000", "width": 999}]})


MATRIX = [["0123456789".index(sign.replace(".", "0")) for sign in HARD[start : start + 9]] for start in range(0, 81, 9)]
MATRICES = {
    "Python": f"board = {MATRIX}",
    "NumPy": str(MATRIX).replace(",", "").replace("] [", "]\n ["),
    "JSON": json.dumps({"board": MATRIX, "difficulty": "hard"}),
    "C": str(MATRIX).replace("[", "{").replace("]", "}"),
    "MiniZinc": "array[1..9,1..9] of int: start = [|" + "|".join(str(row)[1:-1].replace("0", "_") for row in MATRIX) + "|];",
}


@pytest.mark.parametrize("notation", MATRICES)
def test_a_matrix_is_a_puzzle_wherever_puzzles_are_read(call, notation: str, tmp_path) -> None:
    """As an argument, in a file and on standard input, brackets hold the same puzzle as a line of signs."""
    (tmp_path / "matrix.txt").write_text(MATRICES[notation])
    expected = call("solve", "--json", HARD).json_lines[0]["solutions"]
    for argument, text in ((MATRICES[notation], ""), ("matrix.txt", ""), ("-", MATRICES[notation])):
        ended = call("solve", "--json", argument, text=text)
        assert (ended.code, ended.err) == (0, "")
        assert ended.json_lines[0]["solutions"] == expected


@pytest.mark.parametrize("verb", ["solve", "count", "check"])
def test_what_is_not_read_is_told(call, verb: str) -> None:
    """A drawing that may be a rule is a warning: a field in JSON, a line on standard error for people, nothing with --quiet."""
    ask = (verb, "--backend", "native")
    told = call(*ask, "--json", "-", text=drawn())
    assert (told.code, told.json_lines[0]["warnings"], told.err) == (0, [DRAWING], "")
    people = call(*ask, "-", text=drawn())
    assert (people.code, people.err) == (0, f"puzzle 0: {DRAWING}\n")
    assert call(*ask, "--quiet", "-", text=drawn()).err == ""
    assert "warnings" not in call(*ask, "--json", HARD).json_lines[0]


@pytest.mark.parametrize("verb", ["solve", "count", "check", "compare", "show"])
def test_strict_makes_errors_of_warnings(call, verb: str) -> None:
    """With --strict, anything that is not read is bad input for every verb."""
    ended = call(verb, "--strict", "-", text=drawn())
    assert ended.code == 2
    assert DRAWING in ended.err
    assert "unique" not in ended.out


def test_strict_has_its_place_in_json(call) -> None:
    """In JSON it is an error in place of the puzzle."""
    ended = call("solve", "--json", "--strict", "-", text=drawn())
    (told,) = ended.json_lines
    assert (ended.code, told["index"], told["status"]) == (2, 0, "error")
    assert DRAWING in told["error"]


def test_a_folder_is_its_files(call, folder) -> None:
    """A folder as PUZZLE is every file in it in order of names, without documents, code and subfolders."""
    told = call("solve", "--json", folder).json_lines
    assert [(one["puzzle"], one["status"]) for one in told] == [(HARD, "unique"), (SEVERAL, "multiple"), (HARD, "unique")]
    rows = call("count", "--quiet", "folder", HARD).out.split()
    assert rows == ["0", "1", "1", "72", "2", "1", "3", "1"]


def test_a_folder_without_puzzles_is_bad_input(call, folder) -> None:
    """An empty folder is reported, not answered with nothing."""
    for verb in ("solve", "show"):
        ended = call(verb, folder / "deeper")
        assert ended.code == 2
        assert "expected a folder with files of puzzles, got none" in ended.err


def test_a_folder_is_compared(call, folder) -> None:
    """Engines are compared on all puzzles of a folder."""
    ended = call("compare", "folder", "--backends", "native,sat", "--quiet")
    assert ended.code == 0
    assert "3 puzzles: all engines agree" in ended.out
    (told,) = call("compare", "--json", "folder", "--backends", "native,sat").json_lines
    assert (told["puzzles"], told["agreed"]) == (3, True)


def test_pictures_are_files_with_numbers(call, folder, tmp_path) -> None:
    """The first picture has the given name, the others a number in it; each shows its givens."""
    assert call("show", "--svg", "it.svg", folder).out == ""
    signs = {
        path.name: "".join(one.text or "" for one in fromstring(path.read_text()).iter("{http://www.w3.org/2000/svg}text"))  # noqa: S314
        for path in sorted(tmp_path.glob("*.svg"))
    }
    given = HARD.replace(".", "")
    assert signs == {"it-2.svg": "1", "it-3.svg": given, "it.svg": given}
    ended = call("show", "--svg", "nowhere/it.svg", HARD)
    assert ended.code == 2
    assert "nowhere/it.svg: expected a file that can be written, got No such file" in ended.err


def test_a_picture_can_be_had_here(call, tmp_path) -> None:
    """With '-' the picture goes to standard output, with cells of the given size; no file is created."""
    small, large = (call("show", "--svg", "-", "--cell", size, HARD) for size in (10, 100))
    widths = [float(fromstring(ended.out).attrib["width"]) for ended in (small, large)]  # noqa: S314
    assert widths[1] == pytest.approx(widths[0] * 10)
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_the_gallery_is_written(call, tmp_path) -> None:
    """``rules --gallery`` writes a page and a picture of every rule into a folder, which it creates."""
    ended = call("rules", "--gallery", "made/docs")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    page = (tmp_path / "made/docs/rules.md").read_text()
    for kind in RULES:
        assert f"### {kind}\n" in page
        fromstring((tmp_path / f"made/docs/rules/{kind}.svg").read_text())  # noqa: S314
    (tmp_path / "file").write_text("")
    refused = call("rules", "--gallery", "file")
    assert refused.code == 2
    assert "--gallery: expected a folder that can be written, got file" in refused.err


@pytest.mark.parametrize("lines", [[HARD, HARD], [HARD[at : at + 9] for at in range(0, 81, 9)]], ids=["lines", "rows"])
def test_a_quotation_is_solved(lines, call):
    """What is quoted in a mail is read without its marks, by the reader of many lines and by that of drawings."""
    plain, quoted = (call("solve", "-", "--json", text="".join(f"{mark}{line}\n" for line in lines)) for mark in ("", "> "))
    assert (quoted.code, quoted.err) == (0, "")
    solutions = [[line["solutions"] for line in ended.json_lines] for ended in (plain, quoted)]
    assert solutions[0] == solutions[1] != []
