"""What one writes with CPMpy: an array of integers and AllDifferent, solved by its default solver."""

from __future__ import annotations

import cpmpy
import numpy as np

from sudoku_cp.bench.runners import LIMIT, AskLine, Boxes, LineAnswer, parse_line
from sudoku_cp.grid import Grid


def make_solver(boxes: Boxes) -> AskLine:
    """Return the solver for puzzles with these boxes."""
    side = boxes[0] * boxes[1]
    houses = list(map(list, Grid.square(side, boxes).houses.values()))

    def ask(line: str) -> LineAnswer:
        values = np.array(parse_line(line))
        cells = cpmpy.intvar(1, side, shape=len(values))
        model = cpmpy.Model([cpmpy.AllDifferent(cells[house]) for house in houses], cells[values > 0] == values[values > 0])
        found: list[list[int]] = []
        model.solveAll(display=lambda: found.append(cells.value().tolist()), solution_limit=LIMIT)
        return (found[0] if found else ()), len(found)

    return ask
