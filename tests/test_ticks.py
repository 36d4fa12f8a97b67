"""Long work ticks: translating rules, and laying out what techniques see, can be stopped at any moment."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import time_limits
from sudoku_cp.backends import Clock, Limits
from sudoku_cp.backends.native.model_arrays import make_arrays
from sudoku_cp.backends.native.readable_search import propagator
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import RUNGS, list_steps
from sudoku_cp.logic.proofs.part_clauses import group_clauses
from sudoku_cp.logic.proofs.refutation_search import RefutationSearch
from sudoku_cp.model import different_cells, strengthen_model
from sudoku_cp.model.cnf import cnf
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import RULES, AntiKing, AntiKnight, AnyOf, ConnectedValues, Houses, LittleKiller, Rule, SelfTaxicab, SumLine
from sudoku_cp.time_limits import tick, ticked, ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

MOST_CALLS = 400_000
"""Calls of functions between two ticks: some 0.1 s of work."""
ENOUGH, ENOUGH_BY_FAR = 600_000, 1_000_000
"""Calls after which work is stopped, usually and by `make test-all`: what it would do later is more of the same."""


# --- ticks ----------------------------------------------------------------------------------------------------------------


def test_work_that_nobody_asked_for_ticks_without_effect() -> None:
    """Outside of a question a tick does nothing."""
    tick()
    assert list(ticked("abc")) == ["a", "b", "c"]


def test_a_question_within_a_question_keeps_the_limits_of_both() -> None:
    """A tick reaches all blocks around it, the outermost first, and none that has ended."""
    heard: list[str] = []
    with ticking(lambda: heard.append("outer")):
        with ticking(lambda: heard.append("inner")):
            tick()
        tick()
    tick()
    assert heard == ["outer", "inner", "outer"]


def test_items_are_ticked_now_and_then() -> None:
    """There is a tick before the first item, and then before each so-many-th."""
    heard: list[int] = []
    done: list[int] = []
    with ticking(lambda: heard.append(len(done))):
        done.extend(ticked(range(7), every=3))
    assert heard == [0, 3, 6]


def test_another_thread_does_not_hear_the_ticks_of_this_one() -> None:
    """What other threads do is no part of this one's question."""
    heard: list[int] = []
    with ticking(lambda: heard.append(1)):
        other = Thread(target=tick)
        other.start()
        other.join()
    assert not heard


# --- work that ticks ------------------------------------------------------------------------------------------------------


class _Enough(Exception):
    """Raised by a tick once there has been enough work to judge it."""


class _CallCounter:
    """Counts calls of functions, Python's and C's, and remembers the most between two ticks."""

    def __init__(self, enough: int) -> None:
        self.all = self.most = self._since = 0
        self._enough = enough

    def count(self, _frame: FrameType, event: str, _argument: object) -> None:
        """Count a call (see sys.setprofile)."""
        if event in {"call", "c_call"}:
            self.all += 1
            self._since += 1

    def tick(self) -> None:
        """Note how many calls there have been since the tick before."""
        self.most, self._since = max(self.most, self._since), 0
        if self.all > self._enough:
            raise _Enough


def calls_between_ticks(work: Callable[[], object], enough: int) -> tuple[int, bool]:
    """Return the most calls between two ticks of some work, its beginning and its end, and whether it came to its end."""
    counter, whole, before = _CallCounter(enough), False, sys.getprofile()
    try:
        with ticking(counter.tick):
            sys.setprofile(counter.count)
            work()
            whole = True
            counter.tick()
    except _Enough:
        pass
    finally:
        sys.setprofile(before)
    return counter.most, whole


class TickingClock(Clock):
    """A clock whose every check is a tick of the question around it, so that work with a clock of its own is counted too."""

    def __init__(self) -> None:
        """Begin in a question."""
        super().__init__(Limits(seconds=1e6))
        self.check = time_limits._current.get()


def every_step(puzzle: Puzzle) -> object:
    """Look for every step of every technique on a puzzle."""
    return list_steps(make_board(puzzle, TickingClock()), RUNGS)


WORK: dict[str, Callable[[Puzzle], object]] = {
    "model": lambda puzzle: puzzle.model(),
    "stronger model": lambda puzzle: strengthen_model(puzzle.model()),
    "arrays": lambda puzzle: make_arrays(puzzle.model()),
    "formula": lambda puzzle: cnf(strengthen_model(puzzle.model()), different=different_cells(puzzle.model())),
    "propagators": lambda puzzle: [propagator(one, puzzle.model().domains) for one in ticked(puzzle.model().constraints, 1)],
    "board": make_board,
    "steps": every_step,
    "proof groups": lambda puzzle: RefutationSearch(group_clauses(make_board(puzzle))),
}
"""What is made of a puzzle before it is searched, each from what came before it."""


def ticks_too_rarely(rule: Rule, grid: Grid, enough: int) -> dict[str, int]:
    """Return the work on an empty grid with a rule that goes on for too long without a tick, with the calls between two."""
    puzzle = Puzzle(grid, (Houses(), rule))
    found = {}
    for name, work in WORK.items():
        most, whole = calls_between_ticks(partial(work, puzzle), enough)
        if most > MOST_CALLS:
            found[name] = most
        if not whole and name in {"model", "board"}:
            return found  # nothing can be made of it in a moment
    return found


def large_rule(kind: str, grid: Grid) -> Rule:
    """Return an instance of a kind about all cells, in the order of a snake; its example where that is impossible."""
    example = RULES[kind].example(grid)
    rows = [row[::-1] if number % 2 else row for number, row in enumerate(batches(grid.cells, len(grid.values)))]
    snake = tuple(cell for row in rows for cell in row)
    cells = {name: snake for name, field in RULES[kind].field_types.items() if field.plain is Cell and field.depth == 1}
    rule = replace(example, **cells)
    return example if any(True for _ in (*Rule.problems(rule, grid), *rule.problems(grid))) else rule


def batches(cells: range, size: int) -> Iterator[range]:
    """Yield the cells, so many at a time."""
    return (cells[start : start + size] for start in range(0, len(cells), size))


@pytest.mark.parametrize(
    ("rule", "side"),
    [
        (AnyOf((SelfTaxicab(), AntiKing())), 16),
        (AnyOf((SelfTaxicab(), AntiKing(), AntiKnight())), 25),
        (SumLine(tuple(range(625)), 325), 25),
        (ConnectedValues(tuple(range(1, 9))), 16),
        (LittleKiller(tuple(range(256)), 2176), 16),
    ],
    ids=["a large choice", "a larger choice", "a sum of all cells", "half of the values, connected", "bounds of a long sum"],
)
def test_what_takes_longest_ticks(rule: Rule, side: int) -> None:
    """Nothing that is made of rules takes long without a tick, however large it becomes."""
    assert not ticks_too_rarely(rule, Grid.square(side), ENOUGH)


@pytest.mark.slow
@pytest.mark.parametrize("side", [16, 25])
@pytest.mark.parametrize("kind", RULES)
def test_every_kind_of_rule_ticks(kind: str, side: int) -> None:
    """Nothing that is made of a rule takes long without a tick, however many cells it is about."""
    try:
        found = ticks_too_rarely(large_rule(kind, Grid.square(side)), Grid.square(side), ENOUGH_BY_FAR)
    except InvalidInput as error:
        pytest.skip(f"no rule of this kind on such a board: {error}")
    assert not found
