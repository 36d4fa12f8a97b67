"""What one writes with ortools or python-sat alone: the model built afresh for every puzzle.

These are the baselines of the benchmark, written as the libraries' own examples are, each asked for the solution and for
a proof that it is the only one. They answer 9x9 only.
"""

from __future__ import annotations

from itertools import combinations

from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

HOUSES = (
    [[(row, column) for column in range(9)] for row in range(9)]
    + [[(row, column) for row in range(9)] for column in range(9)]
    + [[(top + row, left + column) for row in range(3) for column in range(3)] for top in (0, 3, 6) for left in (0, 3, 6)]
)


def plain_sat(text: str) -> bool:
    """Say whether the puzzle has exactly one solution: a fresh CNF in a fresh Glucose 4."""

    def variable(row: int, column: int, value: int) -> int:
        return 81 * row + 9 * column + value

    formula = CNF()
    for row in range(9):
        for column in range(9):
            formula.append([variable(row, column, value) for value in range(1, 10)])
            for one, other in combinations(range(1, 10), 2):
                formula.append([-variable(row, column, one), -variable(row, column, other)])
    for house in HOUSES:
        for value in range(1, 10):
            formula.append([variable(*place, value) for place in house])
            for one, other in combinations(house, 2):
                formula.append([-variable(*one, value), -variable(*other, value)])
    for index, sign in enumerate(text):
        if sign not in ".0":
            formula.append([variable(*divmod(index, 9), int(sign))])
    with Solver(name="glucose4", bootstrap_with=formula) as solver:
        if not solver.solve():
            return False
        solver.add_clause([-literal for literal in solver.get_model() if literal > 0])
        return not solver.solve()


def plain_sat_list(text: str) -> bool:
    """Say the same with the clauses gathered in a list, which python-sat takes in one go."""
    clauses = [[81 * row + 9 * column + value for value in range(1, 10)] for row in range(9) for column in range(9)]
    clauses += [[-one, -other] for cell in clauses[:81] for one, other in combinations(cell, 2)]
    for house in HOUSES:
        for value in range(1, 10):
            places = [81 * row + 9 * column + value for row, column in house]
            clauses.append(places)
            clauses += [[-one, -other] for one, other in combinations(places, 2)]
    clauses += [[9 * index + int(sign)] for index, sign in enumerate(text) if sign not in ".0"]
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        if not solver.solve():
            return False
        solver.add_clause([-literal for literal in solver.get_model() if literal > 0])
        return not solver.solve()


def _integers(text: str) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    cells = [model.new_int_var(1, 9, f"r{index // 9 + 1}c{index % 9 + 1}") for index in range(81)]
    for house in HOUSES:
        model.add_all_different([cells[9 * row + column] for row, column in house])
    for index, sign in enumerate(text):
        if sign not in ".0":
            model.add(cells[index] == int(sign))
    return model, cells


class _UpToTwo(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells: list[cp_model.IntVar]) -> None:
        super().__init__()
        self._cells = cells
        self.found: list[list[int]] = []

    def on_solution_callback(self) -> None:
        """Keep the grid; stop at the second."""
        self.found.append([self.value(cell) for cell in self._cells])
        if len(self.found) > 1:
            self.stop_search()


def plain_cpsat(text: str) -> bool:
    """Say whether the puzzle has exactly one solution: a fresh model, all solutions enumerated up to two."""
    model, cells = _integers(text)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    callback = _UpToTwo(cells)
    solver.solve(model, callback)
    return len(callback.found) == 1


def plain_cpsat_twice(text: str) -> bool:
    """Say the same by solving, forbidding the grid and solving again, with the solver's default settings."""
    model, cells = _integers(text)
    solver = cp_model.CpSolver()
    if solver.solve(model) not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return False
    differs = []
    for cell in cells:
        other = model.new_bool_var("")
        model.add(cell != solver.value(cell)).only_enforce_if(other)
        differs.append(other)
    model.add_bool_or(differs)
    return solver.solve(model) == cp_model.INFEASIBLE
