"""A plain solver in the style of Peter Norvig's essay "Solving Every Sudoku Puzzle": a baseline, not one of our engines.

The digits left in a cell are a string. Two rules propagate (a cell with one digit left denies it to its peers; a digit
with one place left in a unit goes there), and search tries the digits of a cell with fewest. Unlike the essay's, it goes
on to a second solution, and keeps its work on lists instead of recursing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from sudoku_cp.bench.runners import LIMIT, SIGNS, VALUES, Boxes, LineAnswer

Values: TypeAlias = list[str]
"""The digits left in each cell."""


class NorvigSolver:
    """The units and peers of every cell of a board, and the search over them."""

    def __init__(self, boxes: Boxes) -> None:
        """Lay out the board with these boxes."""
        height, width = boxes
        side = height * width
        self.digits = SIGNS[1 : side + 1]
        cells = [(row, column) for row in range(side) for column in range(side)]
        keys = [(("row", r), ("column", c), ("box", r // height, c // width)) for r, c in cells]
        members: dict[tuple[object, ...], list[int]] = {}
        for cell, own in enumerate(keys):
            for key in own:
                members.setdefault(key, []).append(cell)
        self.units = [[members[key] for key in own] for own in keys]
        self.peers = [set().union(*units) - {cell} for cell, units in enumerate(self.units)]

    def __call__(self, line: str) -> LineAnswer:
        """Return the first solution of the puzzle and whether there are none, one or more."""
        found = list(islice(self.solutions(line), LIMIT))
        return ([VALUES[digit] for digit in found[0]] if found else ()), len(found)

    def solutions(self, line: str) -> Iterator[Values]:
        """Yield every solution."""
        values = [self.digits] * len(line)
        if not all(self.assign(values, cell, sign) for cell, sign in enumerate(line) if sign != "."):
            return
        waiting = [values]
        while waiting:
            values = waiting.pop()
            cell = min((cell for cell, left in enumerate(values) if len(left) > 1), key=lambda c: len(values[c]), default=None)
            if cell is None:
                yield values
                continue
            for digit in reversed(values[cell]):
                tried = values.copy()
                if self.assign(tried, cell, digit):
                    waiting.append(tried)

    def assign(self, values: Values, cell: int, digit: str) -> bool:
        """Leave only ``digit`` in the cell and propagate; return whether that is possible."""
        if digit not in values[cell]:
            return False
        denied = [(cell, other) for other in values[cell] if other != digit]
        while denied:
            cell, digit = denied.pop()
            if digit not in values[cell]:
                continue
            values[cell] = left = values[cell].replace(digit, "")
            if not left:
                return False
            if len(left) == 1:
                denied.extend((peer, left) for peer in self.peers[cell])
            for unit in self.units[cell]:
                places = [place for place in unit if digit in values[place]]
                if not places:
                    return False
                if len(places) == 1:
                    denied.extend((places[0], other) for other in values[places[0]] if other != digit)
        return True
