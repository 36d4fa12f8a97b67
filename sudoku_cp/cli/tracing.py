"""Where ``--trace`` writes path trees: a JSON array, Graphviz' DOT, or the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from sudoku_cp.cli import output
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import puzzle_told
from sudoku_cp.queries import statements

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from sudoku_cp.backends.tree import Naming, PathTree
    from sudoku_cp.puzzle import Puzzle

ENDINGS = (".json", ".dot", ".gv")


class TraceFile:
    """A file that takes one tree after the other; of the name ``-``, it shows them."""

    def __init__(self, name: str) -> None:
        """Refuse a name whose ending says no format."""
        self._path = Path(name) if name and name != "-" else None
        if self._path and self._path.suffix not in ENDINGS:
            raise InvalidInput(f"--trace: expected a file that ends in {', '.join(ENDINGS)}, or '-'; got {name!r}")
        self._shown = name == "-"
        self._file: TextIO | None = None
        self._number = 0

    def __enter__(self) -> Self:
        """Open the file."""
        if self._path:
            try:
                self._file = self._path.open("w", encoding="utf-8")
            except OSError as error:
                raise InvalidInput(f"--trace: expected a file to write, got {self._path}: {error.strerror}") from error
        return self

    def add(self, index: int, puzzle: Puzzle, tree: PathTree) -> None:
        """Write the tree of one puzzle."""

        def naming(cell: int, value: int) -> str:
            return (
                f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(value)}" if cell in puzzle.grid.cells else f"a{cell}={value}"
            )

        if self._shown:
            output.say(tree.to_text(naming))
        elif self._file and self._path:
            self._file.write(self._written(index, puzzle, tree, naming))
        self._number += 1

    def _written(self, index: int, puzzle: Puzzle, tree: PathTree, naming: Naming) -> str:
        if self._path and self._path.suffix == ".json":
            told = {"index": index, "puzzle": puzzle_told(puzzle)} | tree.to_json(naming, statements(puzzle))
            return ("[\n" if self._number == 0 else ",\n") + json.dumps(told, ensure_ascii=False)
        return tree.to_dot(naming)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """Close the file; the array ends even when the work broke off."""
        if self._file and self._path:
            if self._path.suffix == ".json":
                self._file.write("\n]\n" if self._number else "[]\n")
            self._file.close()
