"""Which givens, candidates and rules does a unique puzzle need? Each is left out alone, to look for another solution."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.backends.fast.box_shapes import LOADED, shape_of
from sudoku_cp.errors import Reason, WrongAnswer
from sudoku_cp.load_time import loading
from sudoku_cp.model import to_mask
from sudoku_cp.queries.conflicts import step_limits
from sudoku_cp.queries.solution_search import solve
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries.session_pool import Engine

_K = TypeVar("_K")
MakePuzzle: TypeAlias = "Callable[[], Puzzle | None]"
"""Makes a puzzle to solve, or returns None if it plainly has no solution."""

GLANCE = 0.2
"""Seconds for each question at first, so that a hard one does not hold up the others; then all the time that is left."""
WIDE = 256
"""Cells up to which the array engine is quicker."""


@dataclass(frozen=True)
class Necessity:
    """Which givens a puzzle needs.

    ``witnesses`` has, for each given that is needed, a solution of the puzzle without it and with another value there. Each of
    the ``unnecessary`` can be left out alone. If a limit came first, which is the ``reason``, givens in neither are undecided.
    """

    witnesses: Mapping[Cell, Solution] = field(default_factory=dict, hash=False)
    unnecessary: tuple[Cell, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True)
class RedundantParts:
    """The ``rules`` (as indices of the puzzle's) and the cells' ``candidates`` that can be left out, each alone.

    If a limit came first, it is the ``reason``, and left the ``undecided_...`` undecided.
    """

    rules: tuple[int, ...] = ()
    candidates: tuple[Cell, ...] = ()
    undecided_rules: tuple[int, ...] = ()
    undecided_candidates: tuple[Cell, ...] = ()
    reason: Reason | None = None


def necessary_givens(puzzle: Puzzle, solution: Solution, *, backend: Engine = "auto", limits: Limits = UNLIMITED) -> Necessity:
    """Return which givens the puzzle needs to have ``solution`` as its only solution, as it must have.

    One question for each given: is there a solution without it that has another value there? Every witness is checked.
    """
    clock = limits.started()
    variants = {cell: partial(_other_given, puzzle, cell, solution[cell]) for cell in puzzle.givens}
    found = _ask_array_engine(puzzle, solution, clock) if backend == "auto" and _array_engine_serves(puzzle, limits) else {}
    _ask(variants, found, None, backend, clock)
    witnesses = {cell: other for cell in variants if (other := found.get(cell))}
    spare = tuple(cell for cell in variants if cell in found and cell not in witnesses)
    return Necessity(MappingProxyType(witnesses), spare, None if len(found) == len(variants) else clock.reached() or "deadline")


def redundant_parts(
    puzzle: Puzzle, solution: Solution, *, backend: Engine = "auto", limits: Limits = UNLIMITED
) -> RedundantParts:
    """Return which rules other than the houses, and which candidates, can be left out; ``solution`` is the only one."""
    clock = limits.started()
    cells = {cell: partial(_other_candidates, puzzle, cell) for cell in puzzle.candidates}
    rules = {
        index: partial(replace, puzzle, rules=puzzle.rules[:index] + puzzle.rules[index + 1 :])
        for index, rule in enumerate(puzzle.rules)
        if not isinstance(rule, Houses)
    }
    by_cell: dict[Cell, Solution | None] = {}
    by_rule: dict[int, Solution | None] = {}
    _ask(cells, by_cell, None, backend, clock)
    _ask(rules, by_rule, solution, backend, clock)
    whole = len(by_cell) == len(cells) and len(by_rule) == len(rules)
    return RedundantParts(
        tuple(index for index in rules if index in by_rule and not by_rule[index]),
        tuple(cell for cell in cells if cell in by_cell and not by_cell[cell]),
        tuple(index for index in rules if index not in by_rule),
        tuple(cell for cell in cells if cell not in by_cell),
        None if whole else clock.reached() or "deadline",
    )


def _other_given(puzzle: Puzzle, cell: Cell, value: int) -> Puzzle | None:
    """Return the puzzle with any value in a cell but its given ``value``; None if the candidates leave none."""
    others = puzzle.candidates.get(cell, to_mask(puzzle.grid.values)) & ~(1 << value)
    givens = {other: given for other, given in puzzle.givens.items() if other != cell}
    return replace(puzzle, givens=givens, candidates={**puzzle.candidates, cell: others}) if others else None


def _other_candidates(puzzle: Puzzle, cell: Cell) -> Puzzle | None:
    """Return the puzzle with the values in a cell that its candidates exclude; None if its given is not one of them."""
    others = to_mask(puzzle.grid.values) & ~puzzle.candidates[cell]
    if cell in puzzle.givens:
        others &= 1 << puzzle.givens[cell]
    return replace(puzzle, candidates={**puzzle.candidates, cell: others}) if others else None


def _ask(
    variants: Mapping[_K, MakePuzzle], found: dict[_K, Solution | None], known: Solution | None, backend: Engine, clock: Clock
) -> None:
    """Write into ``found`` a solution of each puzzle other than the ``known`` one, None if there is none.

    What the limits leave undecided is not written. Puzzles are made when they are asked about; None stands for one without
    solutions.
    """
    solution_limit = 1 if known is None else 2
    for patience in (GLANCE, None):
        for key, make in variants.items():
            if key in found or clock.reached():
                continue
            puzzle = make()
            if puzzle is None:
                found[key] = None
                continue
            left = clock.left() if patience is None else step_limits(clock.left(), patience)
            answer = solve(puzzle, backend=backend, limits=left, solution_limit=solution_limit, expected_count=len(variants))
            clock.nodes += answer.counters.get("nodes", 0)
            other = next((solution for solution in answer.solutions if solution != known), None)
            if other or answer.status in {"none", "unique"}:
                found[key] = other


# --- the array engine ---------------------------------------------------------------------------------------------


def _array_engine_serves(puzzle: Puzzle, limits: Limits) -> bool:
    """Return whether the array engine takes such puzzles and is loaded: loading takes longer than all these questions."""
    return limits.nodes is None and len(puzzle.grid.cells) <= WIDE and shape_of(puzzle.model()) in LOADED


def _ask_array_engine(puzzle: Puzzle, solution: Solution, clock: Clock) -> dict[Cell, Solution | None]:
    """Return what the array engine finds out about the givens within its budget, in the form of `_ask`."""
    import numpy as np  # noqa: PLC0415  # loaded with the kernel

    with loading():
        from sudoku_cp.queries.array_solver import domain_arrays, solve_without_each_given  # noqa: PLC0415  # imports NumPy

    boxes = shape_of(puzzle.model())
    if not puzzle.givens or clock.reached() or boxes is None:
        return {}
    rows, cells = np.zeros(len(puzzle.givens), np.intp), np.array(list(puzzle.givens), np.intp)
    arrays, solutions = domain_arrays([puzzle], boxes), np.array([solution], np.uint8)
    many = solve_without_each_given(*arrays, solutions, (rows, cells), boxes=boxes, limits=clock.left())
    found: dict[Cell, Solution | None] = {}
    for cell, values, count, stopped in zip(puzzle.givens, many.solutions.tolist(), many.counts, many.stopped(1), strict=True):
        if not stopped:
            found[cell] = tuple(values) if count else None
            variant = _other_given(puzzle, cell, solution[cell])
            if count and not (variant and variant.holds(values)):
                raise WrongAnswer(f"expected a solution of {variant!r}, got {values!r}")
    return found
