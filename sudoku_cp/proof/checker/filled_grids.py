"""Filled grids: the solution, and the grids that show that each given is needed."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from .certificate_files import read_json
from .report import Rejected, is_number, require, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .certified_puzzle import CertifiedPuzzle

_ROW = re.compile(r" *(0|[1-9][0-9]?)( +(0|[1-9][0-9]?))* *")
NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def read_solution(puzzle: CertifiedPuzzle, data: bytes | bytearray) -> list[int]:
    """Parse the values of all cells: numbers separated by blanks, a line for every row of cells."""
    try:
        lines = data.decode("ascii").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise Rejected("solution.txt: expected a text of numbers") from error
    sizes = [count for _, count in sorted(Counter(row for row, _ in puzzle.places).items())]
    shape = "solution.txt: expected a number for every cell, and a line for every row of cells"
    require(len(lines) == len(sizes), shape)
    for number, line in enumerate(lines, 1):
        problem = f"solution.txt: line {number}: expected whole numbers and blanks between them, got {shown(line)}"
        require(_ROW.fullmatch(line), problem)
    rows = [list(map(int, line.split())) for line in lines]
    require([len(row) for row in rows] == sizes, shape)
    return [value for row in rows for value in row]


def grid_problems(puzzle: CertifiedPuzzle, values: list[int], name: str, free: int | None = None) -> Iterator[str]:
    """Yield what is wrong with a filled grid; the cell ``free`` may differ from its given."""
    if not set(values) <= set(puzzle.values):
        yield f"{name}: expected values from {puzzle.values[0]} to {puzzle.values[-1]}"
        return
    for cell, value in puzzle.givens.items():
        if values[cell] != value and cell != free:
            yield f"{name}: {puzzle.names[cell]} is {values[cell]}, but {value} is given"
    for cell, allowed in puzzle.candidates.items():
        if values[cell] not in allowed:
            yield f"{name}: {puzzle.names[cell]} is {values[cell]}, which is not a candidate there"
    for number, own in enumerate(puzzle.statements):
        for cells, holds in own or ():
            puzzle.budget.spend(3 + 2 * len(cells))
            if not holds([values[cell] for cell in cells]):
                yield f"{name}: rule {number} ({puzzle.rules[number].kind}) is broken by {puzzle.cell_names(cells):.80}"
                break


def other_grids_problems(puzzle: CertifiedPuzzle, solution: list[int], data: bytes | bytearray) -> Iterator[str]:
    """Yield what is wrong with the grids that show that each given is needed."""
    grids = read_json("others.json", data, puzzle.budget)
    require(isinstance(grids, dict), "others.json: expected a grid for every given")
    yield from (
        f"others.json: {name:.40} is not given" for name in grids.keys() - {*map(puzzle.names.__getitem__, puzzle.givens)}
    )
    for cell in puzzle.givens:
        puzzle.budget.tick()
        name = puzzle.names[cell]
        values = grids.get(name)
        if not isinstance(values, list) or len(values) != len(puzzle.names) or not all(map(is_number, values)):
            yield f"others.json: expected a value for every cell, in the grid without {name}"
            continue
        if values[cell] == solution[cell]:
            yield f"others.json: the grid without {name} has the same value there"
        yield from grid_problems(puzzle, values, f"others.json, without {name}", cell)


def drawing_problems(puzzle: CertifiedPuzzle, data: bytes | bytearray) -> Iterator[str]:
    """Yield what is wrong with the drawing for people: its blanks, and its signs where they are numerals."""
    signs = "".join(data.decode("utf-8").split())
    drawn = {(value, signs[cell]) for cell, value in puzzle.givens.items() if cell < len(signs)}
    if len(signs) != len(puzzle.names):
        yield f"puzzle.txt: expected a sign for each of {len(puzzle.names)} cells, got {len(signs)}"
    elif {cell for cell, sign in enumerate(signs) if sign != "."} != puzzle.givens.keys():
        yield "puzzle.txt: its givens are not those of puzzle.json"
    elif len({value for value, _ in drawn}) < len(drawn) or len({sign for _, sign in drawn}) < len(drawn):
        yield "puzzle.txt: a sign or a value stands for two"
    elif puzzle.symbols is None and any(NUMERALS[value] != sign for value, sign in drawn):
        yield "puzzle.txt: its signs are not the values of the givens in puzzle.json"
