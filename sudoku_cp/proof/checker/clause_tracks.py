"""Clauses in tracks, which share no auxiliaries: what is left of each while values are read has a number."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from .clause_automata import ClauseAutomaton, Node, due_auxiliaries, read_automaton
from .clause_remainders import ClauseRemainders, Remainder, ValueEffect, WorkBudget, group_by_shared
from .set_comparison import allowed_sets, set_clauses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_TRACK_CHOICES = 32
"""In how many ways the free auxiliaries of a track are chosen before it is read."""
MAX_TRACK_SETS = 40_000
"""The most sets of values that are listed for a track."""
Bound: TypeAlias = Literal["exact", "allowed", "not forbidden"]
"""What the remainders of clauses say: exactly what they allow, something that they allow, or something more than they allow."""


class Track(Protocol):
    """Some clauses and what is left of them after some values have been read: remainders, which have numbers."""

    def start(self) -> int:
        """Return the number of the remainder when no value has been read; -1 for a contradiction."""

    def move(self, number: int, place: int, index: int, /) -> int:
        """Return the remainder's number once the cell at ``place`` has the value with this index; -1 for a contradiction."""

    def satisfiable(self, number: int, /) -> bool:
        """Return whether some choice of auxiliaries makes the remainder true, once all cells have been read."""


class ClauseTrack:
    """Clauses that share no auxiliaries with others, and their remainders, which have numbers.

    The variable of the k-th cell's v-th value is 1 + k * width + v.
    """

    def __init__(self, clauses: Iterable[Sequence[int]], size: int, width: int, work: WorkBudget, bound: Bound) -> None:
        """Start with no value read."""
        self.remainders, self.size, self.width, self.bound = ClauseRemainders(clauses, work), size, width, bound
        self.places = {(abs(literal) - 1) // width for literal in self.remainders.where}
        due = due_auxiliaries(self.remainders.clauses, size, width)
        self.free, self.due = due.get(0, []), due if bound != "exact" else {}
        self.rests: list[Remainder] = []
        self.by_rest: dict[tuple[int, Remainder], int] = {}
        self.by_content: dict[tuple[int, Any], int] = {}
        self.effects: dict[tuple[int, int], ValueEffect] = {}
        self.moves: dict[tuple[int, int, int], int] = {}
        self.good: dict[int, bool] = {}

    def start(self) -> int:
        """Return the number of the remainder after unit propagation; -1 for a contradiction."""
        unread = range(1, self.size * self.width + 1)
        return self._number(0, self.remainders.begin(unread), unread)

    def _number(self, place: int, rest: Remainder | None, unread: range) -> int:
        if rest is None:
            return -1
        if (place, rest) not in self.by_rest:
            settled = self._settle(place, rest, unread)
            if settled is None:
                self.by_rest[place, rest] = -1
                return -1
            content = self.remainders.content(settled, unread)
            number = self.by_content.setdefault((place, content), len(self.rests))
            if number == len(self.rests):
                self.rests.append(settled)
            self.by_rest[place, rest] = number
        return self.by_rest[place, rest]

    def _settle(self, place: int, rest: Remainder, unread: range) -> Remainder | None:
        """Return the remainder with nothing left of the auxiliaries that are due, as the bound wants it."""
        due = self.due.get(place, ())
        self.remainders.work.spend(len(due))
        undecided = [auxiliary for auxiliary in due if auxiliary not in rest[1] and -auxiliary not in rest[1]]
        if not undecided:
            return rest
        if self.bound == "allowed":
            return self.remainders.after(rest, [-auxiliary for auxiliary in undecided], unread)
        return self.remainders.forget(rest, undecided, unread)

    def starts(self) -> list[int]:
        """Return the numbers of the remainders for every choice of the free auxiliaries, which no value of a cell can force.

        Return that of `start` alone if there are too many.
        """
        unread = range(1, self.size * self.width + 1)
        waiting, chosen = [self.remainders.begin(unread)], list[Remainder]()
        while waiting and len(waiting) + len(chosen) <= MAX_TRACK_CHOICES:
            rest = waiting.pop()
            if rest is None:
                continue
            literals = self.remainders.choices(rest, self.free)
            waiting += [self.remainders.after(rest, [literal], unread) for literal in literals]
            chosen += [] if literals else [rest]
        return [self._number(0, rest, unread) for rest in chosen] if not waiting else [self.start()]

    def move(self, number: int, place: int, index: int) -> int:
        """Return the remainder's number once the cell at ``place`` has the value with this index; -1 for a contradiction."""
        if place not in self.places and place + 1 not in self.due:
            return number
        key = number, place, index
        if key not in self.moves:
            base, unread = 1 + place * self.width, range(1 + (place + 1) * self.width, 1 + self.size * self.width)
            if (place, index) not in self.effects:
                literals = [base + k if k == index else -base - k for k in range(self.width)]
                self.effects[place, index] = self.remainders.effect_of(literals)
            rest = self.remainders.apply(self.rests[number], self.effects[place, index], unread)
            self.moves[key] = self._number(place + 1, rest, unread)
        return self.moves[key]

    def satisfiable(self, number: int) -> bool:
        """Return whether some choice of auxiliaries makes the remainder true."""
        if number not in self.good:
            self.good[number] = self.remainders.satisfiable(self.rests[number])
        return self.good[number]


class SubsetTrack:
    """A track read in several ways at once: a remainder is a set of those left, of which one must hold (subset construction)."""

    def __init__(self, starts: Iterable[Any], work: WorkBudget) -> None:
        """Start with no value read, in one of these ways."""
        self.starts, self.work = frozenset(starts), work
        self.sets: list[frozenset[Any]] = []
        self.numbers: dict[frozenset[Any], int] = {}
        self.moves: dict[tuple[int, int, int], int] = {}

    def ends(self, some: frozenset[Any], place: int, index: int) -> frozenset[Any]:
        """Return what becomes of some ways once the cell at ``place`` has the value with this index."""
        raise NotImplementedError

    def start(self) -> int:
        """Return the number of the set at the start; -1 for a contradiction."""
        return self._number(self.starts)

    def branches(self) -> list[int]:
        """Return the numbers of the sets of a single way to start."""
        return [self._number(frozenset({one})) for one in self.starts]

    def _number(self, some: frozenset[Any]) -> int:
        if not some:
            return -1
        if some not in self.numbers:
            self.numbers[some] = len(self.sets)
            self.sets.append(some)
        return self.numbers[some]

    def move(self, number: int, place: int, index: int) -> int:
        """Return the number of the set once the cell at ``place`` has the value with this index; -1 for a contradiction."""
        key = number, place, index
        if key not in self.moves:
            self.work.spend(len(self.sets[number]))
            self.moves[key] = self._number(self.ends(self.sets[number], place, index))
        return self.moves[key]


class ChoiceTrack(SubsetTrack):
    """A track after its free auxiliaries were chosen in every way: a set of its remainders."""

    def __init__(self, track: ClauseTrack, starts: Iterable[int]) -> None:
        """Start with no value read, and one of these remainders."""
        super().__init__({*starts} - {-1}, track.remainders.work)
        self.track = track

    def ends(self, some: frozenset[int], place: int, index: int) -> frozenset[int]:
        """Return the remainders once the cell at ``place`` has the value with this index."""
        return frozenset(self.track.move(one, place, index) for one in some) - {-1}

    def satisfiable(self, number: int) -> bool:
        """Return whether one of the remainders can be made true."""
        return any(map(self.track.satisfiable, self.sets[number]))


class AutomatonTrack(SubsetTrack):
    """A track whose clauses unroll an automaton: a set of its nodes."""

    def __init__(self, automaton: ClauseAutomaton, work: WorkBudget) -> None:
        """Start with no value read."""
        super().__init__(automaton.starts, work)
        self.edges = automaton.edges

    def ends(self, some: frozenset[Node], place: int, index: int) -> frozenset[Node]:
        """Return the nodes once the cell at ``place`` has the value with this index."""
        edges = self.edges.get(place)
        if edges is None:
            return some
        found = [edges.get((one, index), ()) for one in some]
        self.work.spend(sum(map(len, found)))
        return frozenset(end for ends in found for end in ends)

    def satisfiable(self, _: int) -> bool:
        """Return that the auxiliaries can be chosen as the nodes say."""
        return True


class SetTrack:
    """All clauses about the set of values that some cells hold, which must differ; a remainder is the set of values read."""

    def __init__(self, allowed: Iterable[int] | None, work: WorkBudget) -> None:
        """Start with no value read; ``allowed`` are the sets (bits) of as many values as there are cells, None for all."""
        self.work = work
        self.masks = [0]
        self.left = [None if allowed is None else list(allowed)]
        self.numbers = {0: 0}

    def start(self) -> int:
        """Return the number of the empty set; -1 for a contradiction."""
        return -1 if self.left[0] == [] else 0

    def move(self, number: int, _: int, index: int) -> int:
        """Return the number of the set with one more value; -1 for a contradiction."""
        bit = 1 << index
        chosen, left = self.masks[number] | bit, self.left[number]
        if chosen == self.masks[number]:
            return -1
        if chosen not in self.numbers:
            self.work.spend(1 + len(left or ()) // 8)
            if left is not None:
                left = [one for one in left if one & bit]
            self.numbers[chosen] = -1 if left == [] else len(self.masks)
            if left != []:
                self.masks.append(chosen)
                self.left.append(left)
        return self.numbers[chosen]

    def satisfiable(self, _: int) -> bool:
        """Return that the auxiliaries can be chosen: the set is one of those allowed."""
        return True


def split_into_tracks(clauses: Sequence[Sequence[int]], size: int, width: int, work: WorkBudget, bound: Bound) -> list[Track]:
    """Split clauses into tracks that share no auxiliaries; those without any, into tracks that share no variables."""
    parts = sorted(_split_by_auxiliaries(clauses, size * width), key=len)
    tracks = [ClauseTrack(part, size, width, work, bound) for part in parts]
    starts = [track.starts() for track in tracks]
    return [ChoiceTrack(track, own) if len(own) > 1 else track for track, own in zip(tracks, starts, strict=True)]


def _split_by_auxiliaries(clauses: Sequence[Sequence[int]], board: int) -> list[list[Sequence[int]]]:
    """Return the clauses that share auxiliaries together, and those without any that share variables."""

    def shared(clause: Sequence[int]) -> list[int]:
        auxiliaries = [abs(literal) for literal in clause if abs(literal) > board]
        return auxiliaries or [-abs(literal) for literal in clause] or [0]

    return [[clauses[place] for place in part] for part in group_by_shared(map(shared, clauses))]


def split_off_exact(
    clauses: Sequence[Sequence[int]], size: int, width: int, work: WorkBudget
) -> tuple[list[Track], list[Sequence[int]]]:
    """Return tracks whose remainders need no bounds, and the clauses in none of them, which have auxiliaries."""
    board = size * width
    plain = [clause for clause in clauses if max(map(abs, clause), default=0) <= board]
    others = [clause for clause in clauses if max(map(abs, clause), default=0) > board]
    tracks: list[Track] = []
    left: list[Sequence[int]] = []
    differing = size <= width and set_clauses(plain, size, width, work) == []
    is_listed = differing and comb(width, size) <= MAX_TRACK_SETS
    allowed: set[int] | None = None
    for part in _split_by_auxiliaries(others, board):
        sets = allowed_sets([*plain, *part], size, width, work) if is_listed else None
        automaton = read_automaton(part, size, width, work) if sets is None else None
        if sets is not None:
            allowed = sets if allowed is None else sets & allowed
        elif automaton is not None:
            tracks.append(AutomatonTrack(automaton, work))
        else:
            left += part
    before = [SetTrack(allowed, work)] if differing else split_into_tracks(plain, size, width, work, "exact")
    return [*before, *tracks], left
