"""The sets of puzzles by short names, and sets from the user's own files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.bench.runners import Boxes, GivensArray
from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.formats import read_records
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle.puzzle import CLASSIC, Puzzle

DATA = "../shared/data/puzzles"
"""The folder of the sets, unless SUDOKU_CP_DATA names another."""
HOW = (
    "only the sets {examples} come with the project; other sets are files that you put into a folder, "
    "which `data` DIR or SUDOKU_CP_DATA names; 'sudoku-cp bench FILE' measures any file of puzzles"
)
"""How to get sets that are missing."""
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
"""The project's own few puzzles."""


@dataclass(frozen=True)
class SetSource:
    """The file of a set and what is known about its puzzles: each has ``count`` solutions, 0, 1 or 2 (two or more)."""

    file: str
    about: str
    count: int | None = 1
    without: tuple[int, ...] = ()
    example: bool = False


SETS: dict[str, SetSource] = {
    "easy": SetSource("generated_easy_100k.txt.gz", "generated, 28 to 36 clues"),
    "kaggle": SetSource("kaggle_10k.csv.gz", "first of the Kaggle million, easy"),
    "17clue": SetSource("17clue.txt.gz", "all known puzzles of 17 clues"),
    "minimal": SetSource("generated_minimal_50k.txt.gz", "generated, minimal, 20 to 29 clues"),
    "magictour": SetSource("magictour_top1465.txt", "magictour top 1465"),
    "forum": SetSource("forum_hardest_11plus_20k.txt.gz", "the forum's hardest, rated 11 and more"),
    "top95": SetSource("norvig_top95.txt", "Norvig's top 95"),
    "multi": SetSource("multi_16clue_5000.txt.gz", "two or more solutions: 17 clues less one", 2),
    "none": SetSource("no_solution_5000.txt.gz", "no solution: one wrong digit added", 0),
    "6x6": SetSource("gen_6x6_2x3_minimal.txt", "6x6, minimal"),
    "12x12": SetSource("gen_12x12_3x4_minimal.txt", "12x12, minimal"),
    "16x16": SetSource("gecode_16x16.txt", "16x16, Gecode's examples"),
    "sudaco": SetSource("sudaco_16x16.txt", "16x16, SudACO's instances"),
    "25x25": SetSource("gecode_25x25.txt", "25x25, Gecode's examples, less six that nobody settles", 1, (0, 8, 9, 10, 14, 15)),
    "hardest": SetSource("hardest.txt", "eleven hard ones collected by Norvig", example=True),
    "euler96": SetSource("euler96.txt", "Project Euler's fifty", example=True),
}
"""Every set by its short name; the last two are the project's own examples."""


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles of one shape, as an array; ``count`` is the number of solutions of each (2: or more), None if unknown."""

    name: str
    about: str
    puzzles: GivensArray
    boxes: Boxes
    count: int | None = None

    @property
    def side(self) -> int:
        """The number of rows."""
        return self.boxes[0] * self.boxes[1]


def data_folder(data: Path | None = None) -> Path:
    """Return the folder of the sets: ``data`` or the environment's, which must exist, or the usual one."""
    named = data or os.environ.get("SUDOKU_CP_DATA")
    folder = Path(named or DATA)
    if named and not folder.is_dir():
        raise InvalidInput(f"expected a folder of sets, got {str(folder)!r}")
    return folder


def named_sets(names: Iterable[str] | None = None, data: Path | None = None) -> tuple[list[PuzzleSet], list[str]]:
    """Return the sets of these names, and a remark on each whose file is missing.

    None means every set of the folder or, with a remark, the project's examples where the folder has none.
    """
    folder = data_folder(data)
    if names is None and not (names := _names_in(folder)):
        examples = [
            _read_set(name, folder) for name, source in SETS.items() if source.example and _path(source, folder).is_file()
        ]
        return examples, [f"left out: all sets but the project's examples, there is none in {folder}"]
    wanted = list(names)
    for name in wanted:
        if name not in SETS:
            raise UnknownName("set", name, SETS)
    present = [name for name in wanted if _path(SETS[name], folder).is_file()]
    remarks = [f"left out: {name}, there is no {_path(SETS[name], folder)}" for name in wanted if name not in present]
    return [_read_set(name, folder) for name in present], remarks


def puzzle_sets_help() -> str:
    """List the sets that are always there, and how to get others."""
    return HOW.format(examples=" and ".join(name for name, source in SETS.items() if source.example))


def _names_in(folder: Path) -> list[str]:
    """Return the names of all sets but the examples; none if the folder has no file of them."""
    usual = [name for name, source in SETS.items() if not source.example]
    return usual if any(_path(SETS[name], folder).is_file() for name in usual) else []


def _path(source: SetSource, folder: Path) -> Path:
    return (EXAMPLES if source.example else folder) / source.file


def _read_set(name: str, folder: Path) -> PuzzleSet:
    source = SETS[name]
    (found,) = _sets_by_shape(_path(source, folder), {"name": name, "about": source.about, "count": source.count}, source.without)
    return found


def file_sets(path: Path) -> list[PuzzleSet]:
    """Return the puzzles of a file, a set for each shape of board among them."""
    found = _sets_by_shape(path, {"name": path.name, "about": "a file of one's own"})
    return found if len(found) == 1 else [replace(one, name=f"{one.name} {one.side}x{one.side}") for one in found]


def _sets_by_shape(path: Path, fields: dict[str, Any], without: Sequence[int] = ()) -> list[PuzzleSet]:
    rows: dict[Boxes, list[list[int]]] = {}
    for index, puzzle in enumerate(_puzzles(path)):
        if index not in without:
            rows.setdefault(_boxes(puzzle, path), []).append([puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells])
    return [PuzzleSet(puzzles=np.array(own, np.uint8), boxes=boxes, **fields) for boxes, own in rows.items()]


def _puzzles(path: Path) -> Iterator[Puzzle]:
    for record in read_records(path):
        if record.error:
            raise record.error
        if record.puzzle:
            yield record.puzzle


def _boxes(puzzle: Puzzle, path: Path) -> Boxes:
    boxes = puzzle.grid.boards[0].boxes
    same = boxes is not None and puzzle.grid == Grid.square(boxes[0] * boxes[1], boxes)
    if boxes is None or not same or puzzle.candidates or puzzle.rules != CLASSIC:
        raise InvalidInput(f"{path}: expected plain square boards with boxes, got {puzzle!r:.80}")
    return boxes


def evenly_spaced(total: int, number: int) -> NDArray[np.int64]:
    """Return ``number`` of the indices 0 to ``total`` - 1: the last of each of that many equal parts."""
    return (np.arange(number) + 1) * total // number - 1
