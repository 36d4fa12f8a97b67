"""What one writes with python-sat alone: the formula built afresh for every puzzle, in a fresh Glucose 4."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from pysat.formula import CNF
from pysat.solvers import Solver

from sudoku_cp.bench.runners import AskLine, Boxes, LineAnswer, parse_line
from sudoku_cp.grid import Grid


def formula(boxes: Boxes) -> AskLine:
    """Return the solver that appends clause after clause to a ``CNF``, as the library's examples do."""

    def gather(clauses: Iterator[list[int]]) -> CNF:
        formula = CNF()
        for clause in clauses:
            formula.append(clause)
        return formula

    return _make_solver(boxes, gather)


def clauses(boxes: Boxes) -> AskLine:
    """Return the solver that hands python-sat a list of all clauses."""
    return _make_solver(boxes, list)


def _make_solver(boxes: Boxes, gather: Callable[[Iterator[list[int]]], object]) -> AskLine:
    side = boxes[0] * boxes[1]
    houses = list(Grid.square(side, boxes).houses.values())

    def ask(line: str) -> LineAnswer:
        with Solver(name="glucose4", bootstrap_with=gather(_clauses(houses, parse_line(line), side))) as solver:
            if not solver.solve():
                return (), 0
            model = [literal for literal in solver.get_model() if literal > 0]
            solver.add_clause([-literal for literal in model])
            return [(literal - 1) % side + 1 for literal in model], 1 + solver.solve()

    return ask


def _clauses(houses: Sequence[Sequence[int]], values: Sequence[int], side: int) -> Iterator[list[int]]:
    """Yield the clauses; variable ``cell * side + value`` means that the cell has the value."""
    for cell in range(len(values)):
        own = [side * cell + value for value in range(1, side + 1)]
        yield own
        yield from ([-one, -other] for one, other in combinations(own, 2))
    for house in houses:
        for value in range(1, side + 1):
            places = [side * cell + value for cell in house]
            yield places
            yield from ([-one, -other] for one, other in combinations(places, 2))
    for cell, value in enumerate(values):
        if value:
            yield [side * cell + value]
