"""Is a puzzle consistent, unique and minimal, and if not, why?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits
from sudoku_cp.errors import LimitReached, Reason
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries.session_pool import Engine
from sudoku_cp.queries.solution_search import Answer, solve
from sudoku_cp.rules.descriptions import describe_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.queries.conflicts import Conflict

PATIENCE = 10.0
"""Seconds for everything that follows the answer if there is no time limit: some of it may never end."""


@dataclass(frozen=True)
class Check:
    """The answer, and the reasons for it.

    - No solution: the ``conflict``, None if a limit came before one was found.
    - Several: the cells in which the first two ``differ``; the open cells that are ``frozen``, with their value in every
      solution; ``additions``, givens that would leave only the first solution, the ``fewest`` that do or some that suffice
      (None: a limit came before any were found).
    - One: the ``unnecessary`` givens, rules other than houses (as indices) and cells' candidates, each of which can be left out
      alone; ``minimal`` says whether every given is needed, None if that is unknown. The ``undecided_givens``,
      ``undecided_rules`` and ``undecided_candidates`` have the same form.

    ``undecided`` names what the limit, ``reason``, left open: nothing is guessed.
    """

    answer: Answer
    conflict: Conflict | None = None
    differ: tuple[Cell, ...] = ()
    frozen: Mapping[Cell, int] = field(default_factory=dict, hash=False)
    additions: Mapping[Cell, int] | None = field(default=None, hash=False)
    fewest: bool = False
    minimal: bool | None = None
    unnecessary: tuple[Cell, ...] = ()
    unnecessary_rules: tuple[int, ...] = ()
    unnecessary_candidates: tuple[Cell, ...] = ()
    undecided_givens: tuple[Cell, ...] = ()
    undecided_rules: tuple[int, ...] = ()
    undecided_candidates: tuple[Cell, ...] = ()
    undecided: tuple[str, ...] = ()
    reason: Reason | None = None

    @property
    def cells_to_show(self) -> tuple[Cell, ...]:
        """The cells that clash, or in which two solutions differ."""
        return self.conflict.cells if self.conflict else self.differ

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks: the puzzle with `cells_to_show` highlighted, or its one solution."""
        if self.answer.puzzle is None:
            return None
        from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

        solution = self.answer.solution if self.answer.status == "unique" else None
        return svg(Position.of(self.answer.puzzle, solution or ()), pointed=self.cells_to_show)


@checked
def check(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED, patience: float = PATIENCE) -> Check:
    """Return whether the puzzle has exactly one solution, and why or why not, all within ``limits``.

    Without a time limit, everything that follows the answer itself ends after ``patience`` seconds.
    """
    clock = limits.started()
    answer = solve(puzzle, backend=backend, limits=limits)
    clock.nodes += answer.counters.get("nodes", 0)
    left = clock.left()
    behind = replace(left, seconds=patience if left.seconds is None else left.seconds).started()
    match answer.status:
        case "none":
            return _check_contradictory(puzzle, answer, backend, behind)
        case "multiple":
            return _check_ambiguous(puzzle, answer, behind)
        case "unique":
            return _check_unique(puzzle, answer, backend, behind)
        case _:
            return Check(answer, reason=answer.reason)


def _check_contradictory(puzzle: Puzzle, answer: Answer, backend: Engine, clock: Clock) -> Check:
    from sudoku_cp.queries.conflicts import conflict  # noqa: PLC0415  # most puzzles have a solution

    try:
        found = conflict(puzzle, backend=backend, limits=clock.left())
    except LimitReached as reached:
        return Check(answer, undecided=("conflict",), reason=reached.reason)
    undecided = () if found.smallest else ("smallest conflict",) if found.minimal else ("minimal conflict",)
    return Check(answer, found, undecided=undecided, reason=clock.reached() or "deadline" if undecided else None)


def _check_ambiguous(puzzle: Puzzle, answer: Answer, clock: Clock) -> Check:
    from sudoku_cp.queries.ambiguity import ambiguity  # noqa: PLC0415  # most puzzles have one solution

    first, second = answer.solutions[:2]
    found = ambiguity(puzzle, answer.solutions, limits=clock.left())
    open_ = {"frozen": found.whole, "fewest additions" if found.additions is not None else "additions": found.fewest}
    return Check(
        answer,
        differ=tuple(cell for cell in puzzle.grid.cells if first[cell] != second[cell]),
        frozen=MappingProxyType({cell: first[cell] for cell in found.frozen}),
        additions=None if found.additions is None else MappingProxyType({cell: first[cell] for cell in found.additions}),
        fewest=found.fewest,
        undecided=tuple(name for name, decided in open_.items() if not decided),
        reason=found.reason,
    )


def _check_unique(puzzle: Puzzle, answer: Answer, backend: Engine, clock: Clock) -> Check:
    from sudoku_cp.queries.necessary_parts import necessary_givens, redundant_parts  # noqa: PLC0415  # only here

    solution = answer.solutions[0]
    givens = necessary_givens(puzzle, solution, backend=backend, limits=clock.left())
    spare = redundant_parts(puzzle, solution, backend=backend, limits=clock.left())
    open_ = [cell for cell in puzzle.givens if cell not in givens.witnesses and cell not in givens.unnecessary]
    undecided = [puzzle.grid.cell_name(cell) for cell in open_]
    undecided += [f"candidates of {puzzle.grid.cell_name(cell)}" for cell in spare.undecided_candidates]
    undecided += [describe_rule(puzzle.rules[index], puzzle.grid) for index in spare.undecided_rules]
    return Check(
        answer,
        minimal=False if givens.unnecessary else None if open_ else True,
        unnecessary=givens.unnecessary,
        unnecessary_rules=spare.rules,
        unnecessary_candidates=spare.candidates,
        undecided_givens=tuple(open_),
        undecided_rules=spare.undecided_rules,
        undecided_candidates=spare.undecided_candidates,
        undecided=tuple(undecided),
        reason=givens.reason or spare.reason,
    )
