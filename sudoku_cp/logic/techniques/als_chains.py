"""Chains of four or more almost locked sets, in which neighbours have a restricted common, never the same twice running.

What they eliminate depends on the first set, its restricted common, the last set and its own. So the search finds, longer and
longer, which (last set, restricted common by which it is entered) each (first set, restricted common) leads to; such a pair is a
*state*, a bit in an integer, and all that a pair leads to is one integer. Only chains with something new to show are walked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.restricted_commons import restricted_commons
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.als_steps import row_step
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.restricted_commons import Reach, RestrictedCommons
    from sudoku_cp.logic.step import Step

_SHORTEST, _AT_LEAST = 3, 7
"""Restricted commons in the shortest chain; and how many are tried even if no chain leads to a further state."""
_TRIES = 200
"""Sets looked at for one chain without a repeated set, before it is left to longer chains."""

States: TypeAlias = int
"""Pairs of a set and the value by which it is entered: a bit for each set, in a field for each value."""
Ways: TypeAlias = "list[dict[int, States]]"
"""For each set and each value by which it is left, the states in which chains of one length end."""


class _Ends(NamedTuple):
    """First and last set of a chain, and the values by which the one is left and the other entered."""

    first: int
    way_out: int
    last: int
    entry: int


class _Chain(NamedTuple):
    """The numbers of sets in a row, and the restricted commons by which they are left; a whole chain ends with a set."""

    numbers: tuple[int, ...]
    between: tuple[int, ...]


class _ChainSearch:
    """Which ends chains of each length have: ``ways[k]`` by first set and value, of those with k + 1 restricted commons.

    ``entered[k]`` has for each set and each value by which it is entered the ends of chains with k further restricted commons.
    """

    def __init__(self, commons: RestrictedCommons) -> None:
        """Begin with chains of one restricted common."""
        self.commons = commons
        self.size = len(commons.sets)
        self.ways: list[Ways] = [
            [{value: partners << value * self.size for value, partners in one.items()} for one in commons.partners]
        ]
        self.entered: list[Ways] = [[]]
        self.useful = [self._useful_states(first) for first in range(self.size)]

    def _useful_states(self, first: int) -> States:
        """Return the states of later sets whose reach meets that of the first: a chain backwards is the same chain."""
        reaches, ends = self.commons.reaches, self.commons.ends
        if not ends >> first & 1:
            return 0
        useful = to_mask(number for number in members(ends & -2 << first) if reaches[first] & reaches[number])
        return sum(useful << value * self.size for value in range(self.commons.highest + 1))

    def lengthen(self) -> None:
        """Find the ends of chains with one restricted common more. Sets with the same partners lead to the same states."""
        entered = [_unions_of_others(own) for own in self.ways[-1]]
        self.entered.append(entered)
        known: dict[tuple[int, int], States] = {}
        longer: Ways = [{} for _ in entered]
        for one, own in enumerate(self.commons.partners):
            for value, partners in own.items():
                if (value, partners) not in known:
                    union = 0
                    for number in members(partners):
                        union |= entered[number][value]
                    known[value, partners] = union
                longer[one][value] = known[value, partners]
        self.ways.append(longer)

    def chain(self, ends: _Ends) -> _Chain | None:
        """Return a chain of the present length that repeats no set, if one is soon found."""
        target = 1 << ends.entry * self.size + ends.last
        stack = [iter([_Chain((ends.first,), (ends.way_out,))])]
        for _ in range(_TRIES):
            start = next(stack[-1], None)
            if start is None:
                stack.pop()
                if not stack:
                    return None
            elif len(start.between) == len(self.ways):
                return _Chain((*start.numbers, ends.last), start.between)
            else:
                stack.append(self._longer(start, target))
        return None

    def _longer(self, start: _Chain, target: States) -> Iterator[_Chain]:
        """Yield a start of a chain with a further set and a value to leave it, from which the target can be reached."""
        entry, left = start.between[-1], len(self.ways) - len(start.between)  # restricted commons still to come
        last = (target.bit_length() - 1) % self.size
        unused = self.commons.partners[start.numbers[-1]][entry] & ~to_mask((*start.numbers, last))
        for number in members(unused):
            if self.entered[left][number][entry] & target:
                for value, states in self.ways[left - 1][number].items():
                    if value != entry and states & target:
                        yield _Chain((*start.numbers, number), (*start.between, value))


def als_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield chains of four or more sets, shorter ones first: any further common value of the ends is in one of them."""
    commons = restricted_commons(board)
    if not commons.ends:
        return
    search = _ChainSearch(commons)
    done = [dict.fromkeys(own, 0) for own in search.commons.partners]
    found: set[Reach] = set()
    reached = None
    while len(search.ways) < _AT_LEAST or reached != [list(own.values()) for own in done]:
        reached = [list(own.values()) for own in done]
        board.tick()
        search.lengthen()
        if len(search.ways) >= _SHORTEST:
            yield from _new_steps(board, search, done, found)


def _new_steps(board: CandidateBoard, search: _ChainSearch, done: Ways, found: set[Reach]) -> Iterator[Step]:
    """Yield the chains of the present length with a new reach; ``done`` are the states that need no longer chain."""
    for ends, reach in _new_ends(search, done):
        if reach not in found:
            board.tick()
            chain = search.chain(ends)
            if chain is None and len(search.ways) < _AT_LEAST:
                continue
            if chain:
                found.add(reach)
                yield row_step(board, Technique.ALS_CHAIN, search.commons, *chain, reach)
        done[ends.first][ends.way_out] |= 1 << ends.entry * search.size + ends.last


def _new_ends(search: _ChainSearch, done: Ways) -> Iterator[tuple[_Ends, Reach]]:
    """Yield the ends of chains of the present length that are not done, with what they rule out together."""
    commons, size = search.commons, search.size
    for first, own in enumerate(search.ways[-1]):
        later = search.useful[first]
        for way_out, states in own.items():
            own_field = commons.field(1 << way_out)
            for state in members(states & later & ~done[first][way_out]):
                entry, last = divmod(state, size)
                reach = commons.reaches[first] & commons.reaches[last] & ~own_field & ~commons.field(1 << entry)
                if reach:
                    yield _Ends(first, way_out, last, entry), reach
                else:
                    done[first][way_out] |= 1 << state


def _unions_of_others(ways: dict[int, States]) -> dict[int, States]:
    """Return for each value by which a set is entered the states to which all others lead."""
    unions = {}
    for entry in ways:
        unions[entry] = 0
        for way_out, states in ways.items():
            if way_out != entry:
                unions[entry] |= states
    return unions
