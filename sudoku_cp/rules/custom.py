"""Rules that setters make up: patterns, automata and relations along a line."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, pairwise, product
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

from sudoku_cp.cosmetics import Line
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.grid import MAX_VALUE
from sudoku_cp.model import Automaton, Table, Values
from sudoku_cp.rules.base import Cells, Lowered, part_name
from sudoku_cp.rules.line_helpers import LineRule
from sudoku_cp.rules.wording import listed
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.wording import RuleWording


@dataclass(frozen=True)
class CustomLine(LineRule, family=True):
    """A line of any number of cells, whose meaning the setter defines."""

    drawn = Line((), "#9A9AE6", width=0.1)
    fewest = 0


@dataclass(frozen=True)
class RegularExpression(CustomLine):
    """The values read along the line match the pattern as a whole, each written as its numeral (A for 10, B for 11, ...).

    A pattern has values, ``.`` for any value, classes ``[1-47]`` and ``[^28]``, alternatives ``12|34``, groups ``(...)`` and
    repetitions ``*``, ``+``, ``?``, ``{2}``, ``{2,}``, ``{2,5}``.
    """

    kind = "regular-expression"
    elsewhere = MappingProxyType({"ISS": "Regex"})
    pattern: str

    def lower(self, grid: Grid) -> Lowered:
        """The pattern's automaton."""
        machine = compile_regex(self.pattern, grid.values, len(self.cells))
        yield part_name(f"pattern {self.pattern} on", grid, self.cells), Automaton(self.cells, *machine)

    def holds(self, grid: Grid, values: Values) -> bool:
        """Match from left to right."""
        return matches(self.pattern, grid.values, tuple(values[cell] for cell in self.cells))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        above = " (A stands for 10, B for 11, ...)" if wording.grid.values[-1] > 9 else ""  # noqa: PLR2004  # the last digit
        return f"Read along the line, the values match the pattern {self.pattern}{above}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a pattern that is invalid or too large."""
        try:
            compile_regex(self.pattern, grid.values, len(self.cells))
        except InvalidInput as error:
            yield from (f"{self.kind}, pattern: {problem}" for problem in error.problems)

    @classmethod
    def example(cls, grid: Grid) -> RegularExpression:
        """Return a line in the first row: somewhere the first value comes right before the second or the third."""
        first, second, third = map(SIGNS.sign, grid.values[:3])
        return cls(tuple(grid.cell_at[0, column] for column in range(4)), f".*{first}({second}|{third}).*")


@dataclass(frozen=True)
class Automata(CustomLine):
    """The values read along the line lead an automaton from one of its start states, along its edges, to an accepting state.

    An edge is (state, value, next state); there may be several for the same state and value.
    """

    kind = "automaton"
    elsewhere = MappingProxyType({"ISS": "NFA"})
    start: tuple[int, ...]
    edges: tuple[tuple[int, ...], ...]
    accepting: tuple[int, ...]

    def lower(self, grid: Grid) -> Lowered:
        """The automaton; several start states become one, with the edges of all of them."""
        edges: set[Any] = {edge for edge in self.edges if edge[1] in grid.values}
        accepting = set(self.accepting)
        start = self.start[0] if len(self.start) == 1 else max(self._states(), default=0) + 1
        if len(self.start) != 1:
            edges |= {(start, value, after) for state, value, after in edges if state in self.start}
            accepting |= {start} if accepting & set(self.start) else set()
        yield part_name("automaton", grid, self.cells), Automaton(self.cells, start, frozenset(edges), frozenset(accepting))

    def _states(self) -> set[int]:
        return {*self.start, *self.accepting, *(state for before, _, after in self.edges for state in (before, after))}

    def holds(self, grid: Grid, values: Values) -> bool:
        """Follow all possible states at once."""
        states = set(self.start)
        for cell in self.cells:
            states = {after for state, value, after in self.edges if state in states and value == values[cell]}
        return not states.isdisjoint(self.accepting)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        steps = listed([f"{state} -{wording.sign(value)}-> {to}" for state, value, to in self.edges], "and")
        first, last = (listed([*map(str, states)]) for states in (self.start, self.accepting))
        return f"Read along the line, the values lead from state {first} to state {last} by these steps: {steps}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find edges that are not three numbers, and too many states."""
        odd = [edge for edge in self.edges if len(edge) != 3]  # noqa: PLR2004
        for edge in odd:
            yield f"{self.kind}, edges: expected (state, value, next state), got {list(edge)!r:.80}"
        if not odd and len(self._states()) > STATES:
            yield f"{self.kind}: expected at most {STATES:,} states, got {len(self._states()):,}"

    @classmethod
    def example(cls, grid: Grid) -> Automata:
        """Return a line in the second row on which low and high values alternate, whichever comes first."""
        values, middle = grid.values, grid.values[len(grid.values) // 2]
        edges = tuple((int(value >= middle), value, int(value < middle)) for value in values)
        return cls(tuple(grid.cell_at[1, column] for column in range(4)), (0, 1), edges, (0, 1))


def _list_pairs(pairs: tuple[tuple[int, ...], ...], wording: RuleWording) -> str:
    """Return ``one of these pairs: 1 2, 1 3 or 2 3``."""
    return f"one of these pairs: {listed([*map(wording.signs, pairs)])}"


@lru_cache(maxsize=256)
def _allowed_pairs(pairs: tuple[tuple[int, int], ...], values: range) -> frozenset[tuple[int, int]]:
    return frozenset((one, other) for one, other in pairs if one in values and other in values)


@dataclass(frozen=True)
class ListedPairs(CustomLine, family=True):
    """Certain pairs of the cells hold one of the listed pairs of values."""

    pairs: tuple[tuple[int, ...], ...]

    @abstractmethod
    def cell_pairs(self) -> Iterable[Cells]:
        """Yield the pairs of cells."""

    def lower(self, grid: Grid) -> Lowered:
        """One table per pair of cells."""
        for pair in self.cell_pairs():
            yield part_name("pair", grid, pair), Table(pair, _allowed_pairs(self.pairs, grid.values))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Look at each pair."""
        return all((values[one], values[other]) in self.pairs for one, other in self.cell_pairs())

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find pairs that are not two values."""
        for pair in self.pairs:
            if len(pair) != 2:  # noqa: PLR2004
                yield f"{self.kind}, pairs: expected two values, got {list(pair)!r:.80}"


@dataclass(frozen=True)
class PairsInOrder(ListedPairs):
    """Every two cells that follow each other on the line hold one of the listed pairs of values, in that order."""

    kind = "pairs-in-order"
    elsewhere = MappingProxyType({"ISS": "Pair"})

    def cell_pairs(self) -> Iterable[Cells]:
        """Yield each cell with the next."""
        return pairwise(self.cells)

    @classmethod
    def example(cls, grid: Grid) -> PairsInOrder:
        """Return a line of three cells on which no value comes right after itself or after the one below it."""
        pairs = ((one, other) for one, other in product(grid.values, repeat=2) if other not in {one, one + 1})
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (1, 1), (1, 2))), tuple(pairs))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Neighbouring cells along the line hold, in this order, {_list_pairs(self.pairs, wording)}."


@dataclass(frozen=True)
class PairsOfAll(ListedPairs):
    """Any two cells of the group hold one of the listed pairs of values, in the order in which the cells are named."""

    kind = "pairs-of-all"
    elsewhere = MappingProxyType({"ISS": "PairX"})

    def cell_pairs(self) -> Iterable[Cells]:
        """Yield each cell with each of those after it."""
        return combinations(self.cells, 2)

    @classmethod
    def example(cls, grid: Grid) -> PairsOfAll:
        """Return three cells of which no later one holds more than an earlier one by exactly 1."""
        pairs = ((one, other) for one, other in product(grid.values, repeat=2) if other != one + 1)
        return cls(tuple(grid.cell_at[place] for place in ((0, 0), (1, 1), (2, 2))), tuple(pairs))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Any two cells of the line, the earlier one first, hold {_list_pairs(self.pairs, wording)}."


# Regular expressions over values: parsed into a tree, matched along it, and compiled to an automaton.
#
# Rules of this part: a value is written as its numeral (0-9, then A for 10 and so on), and a pattern describes the whole line.
# Matching and compiling share the tree and nothing else, so that each can test the other. No library's engine is used: those
# backtrack, which takes exponential time for a malicious pattern.


SIGNS = numerals(range(MAX_VALUE + 1))
LONGEST = 1000
"""The most signs in a pattern, and values in it with its repetitions written out; no line is longer."""
DEEPEST = 50
"""The deepest nesting of groups."""
STATES = 4096
"""The most states of an automaton; more than that is not a clue but a computation."""


# --- the tree ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneOf:
    """One value out of ``values``."""

    values: frozenset[int]


@dataclass(frozen=True)
class Sequence:
    """All ``parts``, one after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Alternation:
    """Any one of ``options``."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """``part`` at least ``least`` and at most ``most`` times; None is no upper bound."""

    part: Node
    least: int
    most: int | None


Node: TypeAlias = OneOf | Sequence | Alternation | Repeat


# --- reading ----------------------------------------------------------------------------------------------------


QUANTIFIERS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _RegexParser:
    """A recursive descent parser of a pattern; ``at`` is its position."""

    def __init__(self, pattern: str, values: range) -> None:
        self.pattern, self.values, self.at, self.depth = pattern, values, 0, 0

    def next(self) -> str:
        """Return the next sign, or an empty text at the end."""
        return self.pattern[self.at : self.at + 1]

    def accept(self, sign: str) -> bool:
        """Consume ``sign`` if it comes next, and return whether it did."""
        found = self.pattern.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def error(self, wanted: str) -> ParseError:
        """Return the error that something else was expected here."""
        return ParseError(f"expected {wanted}, got {self.next() or 'the end'!r}, sign {self.at + 1} of {self.pattern!r:.80}")

    def alternation(self) -> Node:
        """Read alternatives up to a closing bracket or the end."""
        options = [self.sequence()]
        while self.accept("|"):
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def sequence(self) -> Node:
        """Read parts that follow one another, up to a ``|``, a closing bracket or the end."""
        parts = []
        while self.next() not in {"", "|", ")"}:
            parts.append(self.quantified(self.atom()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def atom(self) -> Node:
        """Read a value, a class of values or a group."""
        if self.accept("."):
            return OneOf(frozenset(self.values))
        if self.accept("["):
            return self.character_class()
        if not self.accept("("):
            return OneOf(frozenset({self.value()}) & frozenset(self.values))
        self.accept("?:")
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"at most {DEEPEST} groups inside one another")
        inner = self.alternation()
        if not self.accept(")"):
            raise self.error("')'")
        self.depth -= 1
        return inner

    def character_class(self) -> Node:
        """Read a class of values up to its closing bracket: single ones and ranges."""
        others = self.accept("^")
        found: set[int] = set()
        while not found or not self.accept("]"):
            first = last = self.value("a value or ']'" if found else "a value")
            if self.accept("-"):
                last = self.value()
            if last < first:
                raise self.error(f"a range that rises, not one from {first} to {last}")
            found |= set(range(first, last + 1))
        return OneOf(frozenset(self.values) - found if others else frozenset(self.values) & found)

    def value(self, wanted: str = "a value such as '7' or 'A'") -> int:
        """Read one value."""
        value = SIGNS.parse(self.next())
        if value is None:
            raise self.error(wanted)
        self.at += 1
        return value

    def quantified(self, part: Node) -> Node:
        """Read how often ``part`` occurs, once if there is no quantifier."""
        if self.next() in QUANTIFIERS:
            least, most = QUANTIFIERS[self.next()]
            self.at += 1
        elif self.accept("{"):
            least, most = self.bounds()
        else:
            return part
        if self.next() in {"*", "+", "?", "{"}:
            raise self.error("one sign of repetition")
        return Repeat(part, least, most)

    def bounds(self) -> tuple[int, int | None]:
        """Read ``3}``, ``3,}`` or ``3,5}``."""
        least = self.number()
        most: int | None = least
        if self.accept(","):
            most = None if self.next() == "}" else self.number()
        if not self.accept("}"):
            raise self.error("'}'")
        if most is not None and most < least:
            raise self.error(f"at least as many times as {least}, not {most}, before")
        return least, most

    def number(self) -> int:
        """Read a whole number."""
        start = self.at
        while "0" <= self.next() <= "9":
            self.at += 1
        if not 1 <= self.at - start <= 4:  # noqa: PLR2004
            raise self.error("a number of repetitions")
        return int(self.pattern[start : self.at])


@lru_cache(maxsize=256)
def parse_regex(pattern: str, values: range) -> Node:
    """Return the tree of ``pattern`` over ``values``, or raise `InvalidInput` that says where it is wrong."""
    if len(pattern) > LONGEST:
        raise InvalidInput(f"expected a pattern of at most {LONGEST:,} signs, got {len(pattern):,}")
    reader = _RegexParser(pattern, values)
    tree = reader.alternation()
    if reader.next():
        raise reader.error("a value, '.', '[', '(' or the end")
    if _size(tree) > LONGEST:
        raise InvalidInput(f"expected a pattern that expands to at most {LONGEST:,} values, got {_size(tree):,}")
    return tree


def _size(node: Node) -> int:
    """Return how long the pattern is with its repetitions written out."""
    match node:
        case OneOf():
            return 1
        case Sequence(parts) | Alternation(parts):
            return max(1, sum(map(_size, parts)))
        case Repeat(part, least, most):
            return _size(part) * max(1, least if most is None else most)
        case _:
            assert_never(node)


# --- matching ---------------------------------------------------------------------------------------------------


def matches(pattern: str, values: range, line: tuple[int, ...]) -> bool:
    """Return whether the whole ``line`` matches the pattern."""
    return len(line) in _ends(parse_regex(pattern, values), line, frozenset({0}))


def _ends(node: Node, line: tuple[int, ...], starts: frozenset[int]) -> frozenset[int]:
    """Return the places in ``line`` where a match of the node that begins at one of ``starts`` can end."""
    match node:
        case OneOf(values):
            return frozenset(at + 1 for at in starts if at < len(line) and line[at] in values)
        case Sequence(parts):
            return reduce(lambda reached, part: _ends(part, line, reached), parts, starts)
        case Alternation(options):
            return frozenset().union(*(_ends(option, line, starts) for option in options))
        case Repeat(part, least, most):
            reached = reduce(lambda so_far, _: _ends(part, line, so_far), range(least), starts)
            times = least
            while most is None or times < most:
                farther = reached | _ends(part, line, reached)
                if farther == reached:
                    break
                reached, times = farther, times + 1
            return reached
        case _:
            assert_never(node)


# --- compiling --------------------------------------------------------------------------------------------------


class RegexAutomaton(NamedTuple):
    """A deterministic automaton: the fields of `model.Automaton` except the cells."""

    start: int
    edges: frozenset[tuple[int, int, int]]
    accepting: frozenset[int]


class _Span(NamedTuple):
    """The places that a part of the tree can begin and end with, as bit masks, and whether it can be empty."""

    empty: bool
    first: int
    last: int


class _GlushkovPositions:
    """The places of a pattern, one per value when written out (V. Glushkov, 1961): what each holds and which can follow it."""

    def __init__(self) -> None:
        self.held: list[frozenset[int]] = []
        self.follow: list[int] = []

    def span(self, node: Node) -> _Span:
        """Add the places of ``node``, and return its span."""
        match node:
            case OneOf(values):
                self.held.append(values)
                self.follow.append(0)
                return _Span(empty=False, first=1 << len(self.held) - 1, last=1 << len(self.held) - 1)
            case Sequence(parts):
                return reduce(self.concatenate, map(self.span, parts), _Span(empty=True, first=0, last=0))
            case Alternation(options):
                spans = [self.span(option) for option in options]
                return reduce(lambda a, b: _Span(a.empty or b.empty, a.first | b.first, a.last | b.last), spans)
            case Repeat(part, least, most):
                return self.repeat(part, least, most)
            case _:
                assert_never(node)

    def concatenate(self, before: _Span, after: _Span) -> _Span:
        """Let ``after`` follow ``before``."""
        for place in _bits(before.last):
            self.follow[place] |= after.first
        return _Span(
            before.empty and after.empty,
            before.first | (after.first if before.empty else 0),
            after.last | (before.last if after.empty else 0),
        )

    def repeat(self, part: Node, least: int, most: int | None) -> _Span:
        """Write a repetition out: the required copies, then the optional ones."""
        whole = _Span(empty=True, first=0, last=0)
        for time in range(max(1, least) if most is None else most):
            once = self.span(part)
            if most is None and time + 1 >= least:
                self.concatenate(once, once)
            whole = self.concatenate(whole, once._replace(empty=once.empty or time >= least))
        return whole


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


@lru_cache(maxsize=256)
def compile_regex(pattern: str, values: range, length: int) -> RegexAutomaton:
    """Return the smallest automaton that accepts the lines of ``length`` cells that match ``pattern``."""
    places = _GlushkovPositions()
    span = places.span(parse_regex(pattern, values))
    places.follow.append(span.first)  # a last place stands for the beginning
    holding = {value: sum(1 << place for place, held in enumerate(places.held) if value in held) for value in values}
    start = 1 << len(places.held)
    numbers, depths, after = {start: 0}, [0], list[dict[int, int]]()
    for state in (states := [start]):  # grows while it is walked, breadth first
        following = reduce(or_, (places.follow[place] for place in _bits(state)))
        # States farther from the start than the line is long are never reached.
        step = {value: following & held for value, held in holding.items()} if depths[len(after)] < length else {}
        for end in step.values():
            if end and end not in numbers:
                numbers[end] = len(numbers)
                depths.append(depths[len(after)] + 1)
                states.append(end)
        if len(numbers) > STATES:
            raise InvalidInput(f"expected a pattern whose automaton has at most {STATES:,} states, got one with more")
        after.append({value: numbers[end] for value, end in step.items() if end})
    last = span.last | (start if span.empty else 0)
    return _minimize(after, {number for state, number in numbers.items() if state & last})


def _minimize(after: list[dict[int, int]], accepting: set[int]) -> RegexAutomaton:
    """Return the automaton without states that lead nowhere, and with equivalent states merged (Moore, 1956)."""
    before: list[list[int]] = [[] for _ in after]
    for state, step in enumerate(after):
        for end in step.values():
            before[end].append(state)
    useful = dict.fromkeys(sorted(accepting))
    for end in (waiting := list(useful)):  # grows while it is walked
        fresh = dict.fromkeys(state for state in before[end] if state not in useful)
        useful |= fresh
        waiting += fresh
    if 0 not in useful:
        return RegexAutomaton(0, frozenset(), frozenset())
    block = {state: int(state in accepting) for state in useful}
    kinds = 0
    while kinds < (kinds := len(set(block.values()))):
        looks: dict[tuple[object, ...], int] = {}
        block = {
            state: looks.setdefault(
                (block[state], *((value, block[end]) for value, end in after[state].items() if end in useful)), len(looks)
            )
            for state in useful
        }
    edges = {(block[state], value, block[end]) for state in useful for value, end in after[state].items() if end in useful}
    return RegexAutomaton(block[0], frozenset(edges), frozenset(block[state] for state in accepting))
