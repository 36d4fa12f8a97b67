"""The output of ``--trace``: path trees as a JSON array, as Graphviz' DOT, or on the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import refuse_to_overwrite
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import open_output
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json
from sudoku_cp.queries import statement_texts

if TYPE_CHECKING:
    from sudoku_cp.backends.search_tree import Naming, PathTree

ENDINGS = (".json", ".dot", ".gv")


@contextmanager
def open_trace(name: str, puzzles: Iterable[str]) -> Iterator[TraceWriter]:
    """Open a file for the trees of the puzzles; the name ``-`` prints them.

    Raises `InvalidInput` for an ending that is no format, and for a file that puzzles are read from.
    """
    if name == "-":
        yield TraceWriter()
        return
    path = Path(name)
    if path.suffix not in ENDINGS:
        raise InvalidInput(f"--trace: expected a file that ends in {', '.join(ENDINGS)}, or '-'; got {name!r}")
    refuse_to_overwrite([path], puzzles)
    with open_output(path) as file:
        trace = TraceWriter(file, as_json=path.suffix == ".json")
        try:
            yield trace
        finally:
            trace.end()


class TraceWriter:
    """Writes one tree after the other to a file, or to the terminal."""

    def __init__(self, file: IO[bytes] | None = None, *, as_json: bool = False) -> None:
        """Take the open file, or None for the terminal; write nothing yet."""
        self._file, self._as_json = file, as_json
        self._number = 0

    def add(self, index: int, puzzle: Puzzle, tree: PathTree) -> None:
        """Write the tree of one puzzle."""

        def naming(cell: int, value: int) -> str:
            return (
                f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(value)}" if cell in puzzle.grid.cells else f"a{cell}={value}"
            )

        if self._file is None:
            output.print_text(tree.to_text(naming))
        else:
            self._file.write(self._format(index, puzzle, tree, naming).encode())
        self._number += 1

    def _format(self, index: int, puzzle: Puzzle, tree: PathTree, naming: Naming) -> str:
        if self._as_json:
            document = {"index": index, "puzzle": puzzle_to_short_json(puzzle)} | tree.to_json(naming, statement_texts(puzzle))
            return ("[\n" if self._number == 0 else ",\n") + json.dumps(document, ensure_ascii=False)
        return tree.to_dot(naming)

    def end(self) -> None:
        """End the JSON array, even when the work broke off."""
        if self._file and self._as_json:
            self._file.write(b"\n]\n" if self._number else b"[]\n")
