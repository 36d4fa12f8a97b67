"""Automata over the values along a line, built from a step function; a rule applies them to its cells.

Rules cache them by parameters and values, and so share the same objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from sudoku_cp.model import Automaton

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

STATES = 600
"""The most states of one automaton: a SAT formula forbids every pair of them at every cell."""
FEW_VALUES = 16
"""The most values for which an automaton may have a state for each pair of them."""

S = TypeVar("S", bound="Hashable")
ValuesRead: TypeAlias = tuple[int, ...]
"""The state of an automaton that remembers some of the values it has read."""
NOTHING_READ: ValuesRead = ()


class AutomatonTemplate(NamedTuple):
    """An automaton not yet applied to cells; it starts in state 0."""

    edges: frozenset[tuple[int, int, int]]
    accepting: frozenset[int]

    def on_cells(self, cells: Iterable[int]) -> Automaton:
        """Return the automaton that reads ``cells``."""
        return Automaton(tuple(cells), 0, self.edges, self.accepting)


def make_automaton(
    start: S, step: Callable[[S, int], S | None], accepts: Callable[[S], bool], values: Iterable[int]
) -> AutomatonTemplate:
    """Return the automaton of all states that ``step`` reaches from ``start``; a step to None is a dead end."""
    span = tuple(values)
    numbers = {start: 0}
    edges = set()
    waiting = [start]
    for state in waiting:  # grows while it is walked
        for value in span:
            after = step(state, value)
            if after is None:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            edges.add((numbers[state], value, numbers[after]))
    return AutomatonTemplate(frozenset(edges), frozenset(number for state, number in numbers.items() if accepts(state)))


def marked_automaton(values: range, step: Callable[[int, int], int | None], accepts: Callable[[int], bool]) -> AutomatonTemplate:
    """Return an automaton that reads a mark (0 or 1), a cell and other cells; with mark 0 it accepts any values.

    With mark 1 its state is the value of the first cell, then the result of ``step`` for each further value; None is a dead end.
    """

    def read_on(read: ValuesRead, value: int) -> ValuesRead | None:
        match read:
            case ():
                return (value,) if value in {0, 1} else None
            case (0,):
                return read
            case (_,):
                return 1, value
            case _:
                after = step(read[1], value)
                return None if after is None else (1, after)

    def ends(read: ValuesRead) -> bool:
        return read == (0,) or (len(read) > 1 and accepts(read[1]))

    return make_automaton(NOTHING_READ, read_on, ends, sorted({0, 1, *values}))


@dataclass(frozen=True)
class StartChoice:
    """The state of an automaton that is still reading which start state to take: the count of bits read, and their value.

    It is not a tuple, because other states may be tuples and none of them may equal it.
    """

    read: int
    number: int


def with_start_choice(
    beginnings: Sequence[S], step: Callable[[S, int], S | None], accepts: Callable[[S], bool], values: Iterable[int]
) -> tuple[int, AutomatonTemplate]:
    """Return an automaton with several start states, after the number of bits (auxiliaries) that it reads first to choose one.

    The bits keep it deterministic: engines that need that would otherwise use the subset construction.
    """
    width = (len(beginnings) - 1).bit_length()

    def after_reading(choice: StartChoice) -> S | StartChoice | None:
        if choice.read < width:
            return choice
        return beginnings[choice.number] if choice.number < len(beginnings) else None

    def next_state(state: S | StartChoice, value: int) -> S | StartChoice | None:
        if isinstance(state, StartChoice):
            return after_reading(StartChoice(state.read + 1, state.number << 1 | value)) if value in {0, 1} else None
        return step(state, value)

    start = after_reading(StartChoice(0, 0))
    if start is None:
        return 0, AutomatonTemplate(frozenset(), frozenset())
    both = sorted({0, 1, *values})
    return width, make_automaton(start, next_state, lambda state: not isinstance(state, StartChoice) and accepts(state), both)
