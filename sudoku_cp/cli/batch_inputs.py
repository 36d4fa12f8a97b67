"""The PUZZLE arguments of runs from file to file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from sudoku_cp import batch
from sudoku_cp.cli.inputs import expand_folder, unreadable_argument_error
from sudoku_cp.cli.standard_streams import utf8_text
from sudoku_cp.formats import records_of_text
from sudoku_cp.formats.text_files import is_file


def batch_inputs(puzzles: Sequence[str]) -> list[batch.Input]:
    """Return the files, standard input and texts that the arguments name."""
    return [_batch_input(name) for argument in puzzles for name in expand_folder(argument)]


def _batch_input(argument: str) -> batch.Input:
    if argument == "-":
        return batch.Input(sys.stdin.buffer, "standard input")
    if is_file(argument):
        return batch.Input(Path(argument), argument)
    for record in records_of_text(utf8_text(argument)):
        if record.error:
            raise unreadable_argument_error(argument, record.error)
    return batch.Input(BytesIO(argument.encode("utf-8", "surrogateescape")))


def total_bytes(inputs: Sequence[batch.Input]) -> int | None:
    """Return the size of all inputs in bytes, compressed ones as they are; None where one has no size."""
    paths = [one.source for one in inputs if isinstance(one.source, Path)]
    return sum(path.stat().st_size for path in paths) if len(paths) == len([*inputs]) else None
