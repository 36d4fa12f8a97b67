"""Automata over the values along a line, made from a step function; a rule lays them on its cells.

They are made once for their parameters and values, so that rules share the same objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from sudoku_cp.model import Automaton

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

STATES = 600
"""More states than these are too many for one automaton: a SAT formula forbids each two of them at every cell."""
FEW_VALUES = 16
"""With more values than these there are too many pairs of them for a state each."""

S = TypeVar("S", bound="Hashable")
ValuesRead: TypeAlias = tuple[int, ...]
"""The state of an automaton that remembers some of the values it has read."""
NOTHING_READ: ValuesRead = ()


class AutomatonTemplate(NamedTuple):
    """An automaton that has not been laid on cells yet; it starts in state 0."""

    edges: frozenset[tuple[int, int, int]]
    accepting: frozenset[int]

    def on_cells(self, cells: Iterable[int]) -> Automaton:
        """Return the automaton that reads ``cells``."""
        return Automaton(tuple(cells), 0, self.edges, self.accepting)


def make_automaton(
    start: S, step: Callable[[S, int], S | None], accepts: Callable[[S], bool], values: Iterable[int]
) -> AutomatonTemplate:
    """Return the automaton with all states that ``step`` leads to from ``start``; None is a dead end."""
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
    """Return an automaton that reads a mark (0 or 1), a cell and others, of which it demands nothing where the mark is 0.

    Else ``step`` is handed the value of the cell, then its own last result, with each further value; None is a dead end.
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
    """The state of an automaton that still reads which of its beginnings to take: bits read, and their number.

    It is no tuple, as other states may be: none of them may equal it.
    """

    read: int
    number: int


def with_start_choice(
    beginnings: Sequence[S], step: Callable[[S, int], S | None], accepts: Callable[[S], bool], values: Iterable[int]
) -> tuple[int, AutomatonTemplate]:
    """Return an automaton with several beginnings, and the number of bits (auxiliaries) it reads first to choose one.

    Bits keep it deterministic: engines that want that would make one state of every set of states otherwise.
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
