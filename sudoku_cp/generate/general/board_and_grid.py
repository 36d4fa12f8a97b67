"""A board together with a full grid of it; a jigsaw gets its own irregular regions.

On small boards random regions are drawn first and then filled. Of large random layouts hardly any has a full grid that can be
found. There a board with boxes is filled, and cells with the same value are swapped across borders, which keeps the grid valid.
In between the grid is resampled under the current regions, so that other swaps become possible. Such regions are less irregular.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.generate.general.random_solution import random_solution_within, resample_values
from sudoku_cp.generate.general.rule_solver import encode_rules
from sudoku_cp.generate.random_regions import random_regions, straight_regions, swap_regions
from sudoku_cp.grid import Board, Grid, default_boxes
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.base import GenerateRequest

LAYOUTS = 100
"""After this number of layouts without a full grid the rules are assumed to allow none."""
CONFLICTS = 20_000
"""Conflicts after which a layout is given up for another: some have no full grid, which is hard to prove."""
ROUNDS = 24
"""How often the grid of a large board is resampled between swaps: twice as many make regions no more irregular."""


def draw_board_and_grid(request: GenerateRequest, random: Random, clock: Clock) -> tuple[Puzzle, Solution]:
    """Return a board without givens and a full grid of it.

    Raises `InvalidInput` where there seems to be no grid, and `LimitReached`.
    """
    if not request.jigsaw:
        base = Puzzle(request.grid, request.rules)
        rules = encode_rules(base.model(clock.check))
        solution = random_solution_within(rules, rules.domains, random, clock)
        if solution is None:
            raise InvalidInput(f"expected rules that have a solution, got some that have none on {request.grid}")
        return base, solution
    refused = 0
    while refused < LAYOUTS:
        patient = replace(clock.left(), nodes=CONFLICTS).started()
        try:
            found = _draw_jigsaw(request, random, patient)
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
            continue
        if found is not None:
            return found
        refused += 1
    raise InvalidInput(f"expected rules that have a solution, got some that have none on {LAYOUTS} layouts of irregular regions")


def _draw_jigsaw(request: GenerateRequest, random: Random, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Return a board with irregular regions and a grid of it, None where that layout has none."""
    board = request.grid.boards[0]
    size = board.rows, board.columns
    base = _with_regions(request, straight_regions(*size))
    if encode_rules(base.model(clock.check)).is_small or default_boxes(board.rows) is None:
        base = _with_regions(request, random_regions(random, *size))
        rules = encode_rules(base.model(clock.check))
        solution = random_solution_within(rules, rules.domains, random, clock)
        return None if solution is None else (base, solution)
    return _loosen_regions(request, base, random, clock)


def _loosen_regions(request: GenerateRequest, base: Puzzle, random: Random, clock: Clock) -> tuple[Puzzle, Solution] | None:
    """Return a board and a grid, after swaps across borders and resampling in turn, starting from boxes."""
    board = request.grid.boards[0]
    labels = straight_regions(board.rows, board.columns)
    rules = encode_rules(base.model(clock.check))
    solution = random_solution_within(rules, rules.domains, random, clock)
    if solution is None:
        return None
    for _ in range(ROUNDS):
        labels = swap_regions(random, board.rows, board.columns, labels, solution)
        base = _with_regions(request, labels)
        rules = encode_rules(base.model(clock.check))
        solution = resample_values(rules, rules.domains, solution, random, clock)
    return base, solution


def _with_regions(request: GenerateRequest, labels: tuple[int, ...]) -> Puzzle:
    board = request.grid.boards[0]
    grid = Grid.of((Board(board.rows, board.columns, None, labels, board.at),), request.grid.values)
    return Puzzle(grid, request.rules)
