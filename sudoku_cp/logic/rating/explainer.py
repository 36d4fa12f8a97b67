"""Sudoku Explainer's rating (version 1.2.1): how hard the hardest step is on that program's way through a puzzle.

Theory of operation. The program repeats one thing: it tries its techniques in a fixed order, takes the first hint of the first
that has one, and applies it alone. **ER** is the highest rating on the way, **EP** the highest up to the first placement,
**ED** that of the first step. The order of techniques, houses and cells decides which hints those are, so that the way here is
its own: it shares no technique with the ladder. `kernel` has it in compiled code; here its steps are called, and the clock is
looked at in between.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.arguments import ShortRepr
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.errors import Unsupported
from sudoku_cp.logic.kernel_variants import kernel_variant
from sudoku_cp.logic.rating.kernel import basic_techniques, cycles, grid, ladder, nested_chains, reductions, runs, uniqueness
from sudoku_cp.logic.rating.kernel.grid import CELL, DIGIT, HINT_FIELDS, NAME, NAMES, RATING, make_grid
from sudoku_cp.logic.rating.kernel.ladder import find_forcing_chains, level_suffix
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


# The compiled code: which modules it is made of, and what is called from outside.


BASICS = (grid, basic_techniques)
LADDER = (*BASICS, uniqueness, cycles, ladder)
NETS = (*BASICS, cycles, runs, nested_chains, reductions)
"""The modules of each unit."""


PLAIN_NETS = (*BASICS, runs, kernel_variant(reductions, {"use_nested": reductions.use_nothing}))
"""The same without nested chains, which take most of the time that it takes to compile the nets."""

LADDER_ENTRIES = ("begin", "advance", "find_unusual", "take")
NET_ENTRIES = ("clear_runs", "search_cell")
"""What is called from outside; each is compiled when it is first called."""
_TWENTY_SECONDS = "some 20 seconds"
"""The ladder compiles in 20 seconds on a busy machine, the nets in 40 for both kinds."""


@lru_cache(maxsize=8)
def ladder_code(box_height: int, box_width: int) -> CachedModule:
    """Return the code of the ladder, cycles and simple forcing chains included, for a size of board."""
    name = f"explainer-{box_height}x{box_width}"
    description = "Sudoku Explainer's rating"
    return CachedModule.of_functions(name, LADDER, LADDER_ENTRIES, description, duration=_TWENTY_SECONDS, lean=True)


@lru_cache(maxsize=8)
def net_code(box_height: int, box_width: int, *, nested: bool) -> CachedModule:
    """Return the code of multiple and dynamic forcing chains for a size of board, with or without nested chains."""
    name = f"explainer-{'nested' if nested else 'nets'}-{box_height}x{box_width}"
    description = f"Sudoku Explainer's {'nested' if nested else 'forcing'} chains"
    modules, duration = (NETS, "about half a minute") if nested else (PLAIN_NETS, _TWENTY_SECONDS)
    return CachedModule.of_functions(name, modules, NET_ENTRIES, description, duration=duration, lean=True)


STEPS_AT_A_TIME = 50
"""Steps that the compiled code takes between two looks at the clock: far less than a tenth of a second."""
UNSOLVED_RATING = 20.0
"""What the program says of a puzzle that it cannot solve."""
UNSOLVED_NAME = "beyond dynamic chains with nested multiple chains"
LARGEST_SIDE = 16
_NAMED = 4
"""The most kinds of rules that a message names."""


@dataclass(frozen=True)
class ExplainerStep:
    """A hint that was applied: its rating, the technique, the candidates that it eliminates or the one that it places."""

    rating: float
    name: str
    eliminations: tuple[tuple[Cell, int], ...]
    placement: tuple[Cell, int] | None


@dataclass(frozen=True, repr=False)
class ExplainerRating(ShortRepr):
    """A rating: ER, EP and ED, the name of the hardest technique, and all steps.

    Where the techniques do not suffice (or the puzzle has no solution, or several) ER is 20, as in the program. They end with
    multiple chains nested in dynamic ones, from 10.0: the program goes on with dynamic chains nested in dynamic ones.
    """

    er: float
    ep: float
    ed: float
    hardest: str
    steps: tuple[ExplainerStep, ...]

    @property
    def is_solved(self) -> bool:
        """Whether the steps fill the grid."""
        return self.er < UNSOLVED_RATING


def explainer_rating(puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> ExplainerRating:
    """Return the rating of a puzzle on a square board with boxes; the puzzle should have one solution, which is not checked.

    Raises `Unsupported` for other boards and rules, `LimitReached` when a limit comes first.
    """
    box_height, box_width = _box_of(puzzle)
    clock = limits.started()
    found = list(_hints(puzzle, box_height, box_width, clock))
    values = puzzle.grid.values
    steps = tuple(_make_step(hint, removed, suffix, values) for hint, removed, suffix in found[:-1])
    return _summarize(steps, is_solved=found[-1] is None)


def check_rules(puzzle: Puzzle) -> None:
    """Raise `Unsupported` for boards and rules that have no such rating."""
    _box_of(puzzle)


def _box_of(puzzle: Puzzle) -> tuple[int, int]:
    """Return height and width of the boxes, or raise `Unsupported`."""
    grid = puzzle.grid
    board = grid.boards[0]
    if (
        len(grid.boards) > 1
        or board.boxes is None
        or not board.rows == board.columns == board.boxes[0] * board.boxes[1] == len(grid.values) <= LARGEST_SIDE
        or puzzle.rules != (Houses(),)
        or puzzle.candidates
    ):
        counts = Counter(rule.kind for rule in puzzle.rules)
        every = [kind if number == 1 else f"{kind} ({number} times)" for kind, number in counts.items()] or ["no rules"]
        kinds = ", ".join([*every[:_NAMED], *([f"{len(every) - _NAMED} more kinds"] if len(every) > _NAMED else [])])
        raise Unsupported(
            "expected a plain puzzle with boxes, up to 16x16 and without candidates, for the rating of Sudoku Explainer 1.2.1,"
            f" got {kinds} on {grid}{' with candidates' if puzzle.candidates else ''};"
            " puzzles of any rules have a rating by the size of their proofs"
        )
    return board.boxes


def _hints(puzzle: Puzzle, box_height: int, box_width: int, clock: Clock) -> Iterator[Any]:
    """Yield each hint with what it removes and a suffix of its name; at the end whether cells are left, or None."""
    code = ladder_code(box_height, box_width)
    grid = make_grid(box_height, box_width)
    givens = np.zeros(len(puzzle.grid.cells), np.int64)
    for cell, value in puzzle.givens.items():
        givens[cell] = value - puzzle.grid.values[0] + 1
    hints = np.zeros((STEPS_AT_A_TIME, HINT_FIELDS), np.int64)
    removed = np.zeros((STEPS_AT_A_TIME, len(givens)), np.int64)
    clock.check()
    code.call("begin", grid, givens)
    while True:
        count = code.call("advance", grid, hints, removed)
        for step in range(count):
            yield hints[step].tolist(), removed[step].copy(), ""
        clock.check()
        if count == STEPS_AT_A_TIME:
            continue
        if not grid["open_cells"].any():
            yield None
            return
        suffix = ""
        if not code.call("find_unusual", grid):
            level = find_forcing_chains(partial(net_code, box_height, box_width), grid, make_grid(box_height, box_width), clock)
            if level is None:
                yield False
                return
            suffix = level_suffix(level)
        yield grid["hint"].tolist(), grid["removed"].copy(), suffix
        code.call("take", grid)
        clock.check()


def _make_step(hint: list[int], removed: NDArray[np.int64], suffix: str, values: range) -> ExplainerStep:
    first = values[0]
    eliminations = [
        (int(cell), first + digit)
        for cell in removed.nonzero()[0]
        for digit in range(len(values))
        if int(removed[cell]) >> digit & 1
    ]
    placement = (hint[CELL], first + hint[DIGIT]) if hint[CELL] >= 0 else None
    return ExplainerStep(hint[RATING] / 10, NAMES[hint[NAME]] + suffix, tuple(eliminations), placement)


def _summarize(steps: tuple[ExplainerStep, ...], *, is_solved: bool) -> ExplainerRating:
    """Return the rating that follows from the steps."""
    ratings = [step.rating for step in steps]
    placed = next((number for number, step in enumerate(steps, 1) if step.placement), None)
    ed = ratings[0] if ratings else 0.0
    ep = max(ratings[:placed], default=0.0) if placed or is_solved else UNSOLVED_RATING
    if not is_solved:
        return ExplainerRating(UNSOLVED_RATING, ep, ed or UNSOLVED_RATING, UNSOLVED_NAME, steps)
    er = max(ratings, default=0.0)
    return ExplainerRating(er, ep, ed, next((step.name for step in steps if step.rating == er), ""), steps)
