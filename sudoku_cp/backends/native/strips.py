"""Strips of squares that all need every kind of value, each strip read cell by cell by one automaton.

Each square of a strip shares a pair of cells with the next, so every kind occurs in two neighbouring pairs. The first cells of
the pairs are a line, and so are the second ones: the cells of a line differ, so that a kind occurs there no more often than it
has values. Squares and lines together leave far fewer ways to fill a strip than either do.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.model import Automaton, Constraint, Count, Domain, members, to_mask
from sudoku_cp.model.cliques import CellSet, cell_set, is_clique
from sudoku_cp.model.model import union_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell

Kinds: TypeAlias = frozenset[frozenset[int]]
SQUARE, PAIR = 4, 2
MOST_STATES = 6000
"""The most states of an automaton: three kinds in lines of nine cells need some 4,000."""


class Strip(NamedTuple):
    """The cells of a strip, the kinds of values that its squares need, and the automaton that reads it."""

    cells: CellSet
    kinds: Kinds
    automaton: Automaton


def strip_automata(constraints: Iterable[Constraint], different: Sequence[CellSet], domains: Sequence[Domain]) -> Iterator[Strip]:
    """Yield each strip of several squares whose lines are cells that differ."""
    for kinds, squares in _squares(constraints, domains).items():
        for strip in _strips(squares):
            if all(is_clique(cell_set(line), different) for line in zip(*strip, strict=True)):
                reader = _reader(kinds, len(strip))
                if reader is not None:
                    cells = tuple([cell for pair in strip for cell in pair])
                    yield Strip(cell_set(cells), kinds, Automaton(cells, 0, *reader))


def _squares(constraints: Iterable[Constraint], domains: Sequence[Domain]) -> dict[Kinds, list[CellSet]]:
    """Return the squares whose cells need a value of each kind, by the kinds: sets of values that leave out none."""
    needs: dict[tuple[Cell, ...], list[frozenset[int]]] = {}
    for constraint in constraints:
        match constraint:
            case Count(cells, values, "==" | ">=", number) if number == 1 and len({*cells}) == SQUARE:
                needs.setdefault(cells, []).append(values)
            case _:
                pass
    found: dict[Kinds, list[CellSet]] = {}
    for cells, kinds in needs.items():
        together = frozenset[int]().union(*kinds)
        if (
            len(kinds) > 1
            and len(together) == sum(map(len, kinds))
            and not union_of(cells, domains) & ~to_mask(value for value in together if value >= 0)
        ):
            found.setdefault(frozenset(kinds), []).append(cell_set(cells))
    return found


def _strips(squares: Sequence[CellSet]) -> Iterator[list[list[Cell]]]:
    """Yield strips of squares as their pairs: a pair leads on to the other two cells of each square that it is in."""
    squares_of: dict[CellSet, list[CellSet]] = {}
    for square in squares:
        for cells in combinations(members(square), PAIR):
            squares_of.setdefault(cell_set(cells), []).append(square)
    beside: dict[CellSet, list[CellSet]] = {}
    for pair, own in squares_of.items():
        for square in own if len(own) > 1 else ():
            beside.setdefault(pair, []).append(square ^ pair)
            if len(squares_of[square ^ pair]) == 1:
                beside[square ^ pair] = [pair]
    passed: set[CellSet] = set()
    for end, near in beside.items():
        if len(near) > 1 or end in passed:
            continue
        strip = [end]
        while strip[-1] not in passed:
            passed.add(strip[-1])
            strip += [pair for pair in beside[strip[-1]] if pair not in passed][:1]
        yield [members(pair) for pair in strip]


class _StripState(NamedTuple):
    """What has been read: the kinds of the pair before, and of this one so far, as bits; how often each kind is in each line."""

    before: int
    now: int
    line: int
    counts: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=16)
def _reader(kinds: Kinds, length: int) -> tuple[frozenset[tuple[int, int, int]], frozenset[int]] | None:
    """Return the edges and the accepting states of the automaton for strips of that length; None for too many states."""
    ordered = sorted(kinds, key=sorted)
    none_yet = tuple([0] * len(ordered))
    start = _StripState((1 << len(ordered)) - 1, 0, 0, (none_yet, none_yet))
    numbers = {start: 0}
    edges: list[tuple[int, int, int]] = []
    layer = [start]
    for _ in range(PAIR * length):
        after: dict[_StripState, int] = {}
        for state in layer:
            for kind, values in enumerate(ordered):
                read = _read(state, kind, len(values))
                if read is not None:
                    number = after[read] = numbers.setdefault(read, len(numbers))
                    edges += [(numbers[state], value, number) for value in values]
        layer = [*after]
        if len(numbers) > MOST_STATES:
            return None
    return frozenset(edges), frozenset(numbers[state] for state in layer)


def _read(state: _StripState, kind: int, most: int) -> _StripState | None:
    """Return the state after a value of that kind, of which there are ``most``; None if it must not follow."""
    before, now, line, counts = state
    own = counts[line]
    if own[kind] == most:
        return None
    now |= 1 << kind
    raised = (*own[:kind], own[kind] + 1, *own[kind + 1 :])
    if line == 0:
        return _StripState(before, now, 1, (raised, counts[1]))
    if before | now != (1 << len(own)) - 1:
        return None
    return _StripState(now, 0, 0, (counts[0], raised))
