"""What rules along a line share: tables of pairs, automata told by a step, sums that are equal, and faults of lines.

Everything that depends on parameters, values and lengths alone is made once, so that rules share the same objects.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, pairwise, product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from sudoku_cp.model import Automaton, Linear, Table
from sudoku_cp.rules.base import Cells, Lowered, Rule, named

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from sudoku_cp.grid import Grid

STATES = 600
"""More states than these are too many for one automaton: a SAT formula forbids each two of them at every cell."""
FEW_VALUES = 16
"""With more values than these there are too many pairs of them for a state each."""

S = TypeVar("S", bound="Hashable")
Known: TypeAlias = tuple[int, ...]
"""The state of an automaton that remembers some of the values it has read."""
NOTHING: Known = ()


def bend(grid: Grid) -> Cells:
    """Return the cells of the short line that most examples stand on."""
    return tuple(grid.cell_at[place] for place in ((0, 0), (0, 1), (1, 2)))


# --- pairs ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def allowed(test: Callable[..., bool], values: range, *numbers: int) -> frozenset[tuple[int, int]]:
    """Return the pairs of ``values`` that pass ``test(one, other, *numbers)``, the same object each time."""
    return frozenset(pair for pair in product(values, values) if test(*pair, *numbers))


def apart(one: int, other: int, least: int) -> bool:
    """Say whether two values differ by ``least`` or more."""
    return abs(one - other) >= least


def steps(noun: str, grid: Grid, cells: Cells, pairs: frozenset[tuple[int, int]]) -> Lowered:
    """State that every two neighbours on the line are one of ``pairs``."""
    for pair in pairwise(cells):
        yield named(noun, grid, pair), Table(pair, pairs)


def cyclic(part: str, cells: Cells, period: int, apart: frozenset[tuple[int, int]], alike: frozenset[tuple[int, int]]) -> Lowered:
    """State that cells less than ``period`` steps apart are ``apart``, and those whole periods apart ``alike``."""
    for (start, one), (end, other) in combinations(enumerate(cells), 2):
        if end - start < period:
            yield part, Table((one, other), apart)
        elif not (end - start) % period:
            yield part, Table((one, other), alike)


# --- automata ---------------------------------------------------------------------------------------------------


class Machine(NamedTuple):
    """An automaton that has not been laid on cells yet; it starts in state 0."""

    edges: frozenset[tuple[int, int, int]]
    accepting: frozenset[int]

    def over(self, cells: Iterable[int]) -> Automaton:
        """Return the automaton that reads ``cells``."""
        return Automaton(tuple(cells), 0, self.edges, self.accepting)


def machine(start: S, step: Callable[[S, int], S | None], accepts: Callable[[S], bool], values: Iterable[int]) -> Machine:
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
    return Machine(frozenset(edges), frozenset(number for state, number in numbers.items() if accepts(state)))


@dataclass(frozen=True)
class Choice:
    """The state of an automaton that still reads which of its beginnings to take: bits read, and their number.

    It is no tuple, as other states may be: none of them may equal it.
    """

    read: int
    number: int


def choosing(
    beginnings: Sequence[S], step: Callable[[S, int], S | None], accepts: Callable[[S], bool], values: Iterable[int]
) -> tuple[int, Machine]:
    """Return an automaton with several beginnings, and the number of bits (auxiliaries) it reads first to choose one.

    Bits keep it deterministic: engines that want that would make one state of every set of states otherwise.
    """
    width = (len(beginnings) - 1).bit_length()

    def begun(choice: Choice) -> S | Choice | None:
        if choice.read < width:
            return choice
        return beginnings[choice.number] if choice.number < len(beginnings) else None

    def chosen(state: S | Choice, value: int) -> S | Choice | None:
        if isinstance(state, Choice):
            return begun(Choice(state.read + 1, state.number << 1 | value)) if value in {0, 1} else None
        return step(state, value)

    start = begun(Choice(0, 0))
    if start is None:
        return 0, Machine(frozenset(), frozenset())
    both = sorted({0, 1, *values})
    return width, machine(start, chosen, lambda state: not isinstance(state, Choice) and accepts(state), both)


# --- sums -------------------------------------------------------------------------------------------------------


def equal_sums(parts: Sequence[Cells]) -> Iterator[Linear]:
    """State that all ``parts`` have the same sum: each that of the shortest, which has the fewest sums."""
    shortest, *others = sorted(parts, key=len) or [()]
    for one in others:
        yield difference(one, shortest)


def difference(one: Iterable[int], other: Iterable[int]) -> Linear:
    """State that two groups of cells have the same sum; a cell of both counts for nothing."""
    factors = Counter(one)
    factors.subtract(other)
    return Linear(tuple((cell, factor) for cell, factor in factors.items() if factor), "==", 0)


# --- faults -----------------------------------------------------------------------------------------------------


def too_few(rule: Rule, cells: Cells, least: int = 1) -> Iterator[str]:
    """Find a line with fewer cells than it needs."""
    if len(cells) < least:
        yield f"{rule.kind}: expected at least {least} {'cell' if least == 1 else 'cells'}, got {len(cells)}"


def too_many(rule: Rule, cells: Cells, most: int, why: str) -> Iterator[str]:
    """Find a line with more cells than it can have."""
    if len(cells) > most:
        yield f"{rule.kind}: expected at most {most} cells ({why}), got {len(cells)}"


def twice(rule: Rule, grid: Grid, *parts: Iterable[int]) -> Iterator[str]:
    """Find cells named more than once where none can be."""
    again = [cell for cell, times in Counter(chain(*parts)).items() if times > 1 and cell in grid.cells]
    if again:
        yield f"{rule.kind}: expected each cell once, got {' '.join(map(grid.cell_name, again))} more than once"
