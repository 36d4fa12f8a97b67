"""Generators of other Python packages. Each runs in its own process: ``python -m`` this module, its name, seconds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from time import process_time
from types import MappingProxyType
from typing import Any


def _py_sudoku(share: float) -> Callable[[int], str]:
    board: Any = import_module("sudoku").Sudoku

    def make(seed: int) -> str:
        rows = board(3, 3, seed=seed).difficulty(share).board
        return "".join(str(value or ".") for row in rows for value in row)

    return make


def _sudokutools() -> Callable[[int], str]:
    generate: Any = import_module("sudokutools.generate").generate
    return lambda _: str(generate().encode())


def _dokusan(rank: int) -> Callable[[int], str]:
    generators: Any = import_module("dokusan.generators")
    return lambda _: str(generators.random_sudoku(avg_rank=rank))


GENERATORS: Mapping[str, Callable[[], Callable[[int], str]]] = MappingProxyType(
    {
        "py-sudoku 0.5": lambda: _py_sudoku(0.5),
        "py-sudoku 0.7": lambda: _py_sudoku(0.7),
        "sudokutools": _sudokutools,
        "dokusan 150": lambda: _dokusan(150),
    }
)
"""The generators by their names in the tables; each makes the puzzle of a seed as a line of text."""


def main(name: str, seconds: float) -> None:
    """Make puzzles for that many seconds of CPU, one at least, and print them with the seconds they took."""
    make = GENERATORS[name]()
    make(0)  # off the clock: imports and tables
    lines: list[str] = []
    start = process_time()
    while not lines or process_time() - start < seconds:
        lines.append(make(len(lines) + 1))
    sys.stdout.write(json.dumps({"seconds": process_time() - start, "lines": lines}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
