"""What one writes with ortools or python-sat alone: the model built afresh for every puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

from sudoku_cp.bench.runners import LIMIT, AskLine, Boxes, LineAnswer, parse_line
from sudoku_cp.grid import Grid

SOLVED = {cp_model.OPTIMAL, cp_model.FEASIBLE}


def _model(houses: Iterable[Sequence[int]], values: Sequence[int], side: int) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, side, f"cell{cell}") for cell in range(len(values))]
    for house in houses:
        model.add_all_different([cells[cell] for cell in house])
    for cell, value in zip(cells, values, strict=True):
        if value:
            model.add(cell == value)
    return model, cells


class _UpToTwo(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells: list[cp_model.IntVar]) -> None:
        super().__init__()
        self._cells = cells
        self.found: list[list[int]] = []

    def on_solution_callback(self) -> None:
        """Keep the solution; stop at the second."""
        self.found.append([self.value(cell) for cell in self._cells])
        if len(self.found) >= LIMIT:
            self.stop_search()


def make_enumerating_solver(boxes: Boxes) -> AskLine:
    """Return the solver that enumerates all solutions and stops at the second."""
    side = boxes[0] * boxes[1]
    houses = list(Grid.square(side, boxes).houses.values())

    def ask(line: str) -> LineAnswer:
        model, cells = _model(houses, parse_line(line), side)
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        callback = _UpToTwo(cells)
        solver.solve(model, callback)
        return (callback.found[0] if callback.found else ()), len(callback.found)

    return ask


def make_twice_solver(boxes: Boxes) -> AskLine:
    """Return the solver that solves, forbids the grid and solves again, with default settings."""
    side = boxes[0] * boxes[1]
    houses = list(Grid.square(side, boxes).houses.values())

    def ask(line: str) -> LineAnswer:
        model, cells = _model(houses, parse_line(line), side)
        solver = cp_model.CpSolver()
        if solver.solve(model) not in SOLVED:
            return (), 0
        solution = [solver.value(cell) for cell in cells]
        differs = []
        for cell, value in zip(cells, solution, strict=True):
            other = model.new_bool_var("")
            model.add(cell != value).only_enforce_if(other)
            differs.append(other)
        model.add_bool_or(differs)
        return solution, 1 + (solver.solve(model) in SOLVED)

    return ask


# What one writes with python-sat alone: the formula built afresh for every puzzle, in a fresh Glucose 4.


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
