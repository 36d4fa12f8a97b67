"""What rules mean, in the words of the independent checker `check.py`, and whether clauses say the same.

Only puzzles with other rules than those of cells that differ need it. The standard library alone, and nothing of the package
that wrote the certificate: `check.py` hands over what is needed. In the order of reading:

1. machines, which read the values of some cells one after the other
2. the rules: a function for each kind, from the puzzle and the rule's own fields to its statements
3. whether clauses say what a rule means, by walking through all values with both at once
4. the comparison of all rules of a puzzle
"""

# ruff: noqa: E731, FBT001, FBT002, PLR2004  # rules in one line each, as their fields and the numbers in them are

from __future__ import annotations

import json
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the nouns of the other file, for those who check types
    from sudoku_cp.proof.check import Findings, Formula, Part, Puzzle

# === 1. Machines ======================================================================================================


class Machine(NamedTuple):
    """Reads values one after the other, from the state ``start``.

    ``step`` takes a state, the number of the cell in the list and its value to the next state, or to None where the rule is
    broken already; ``accept`` says whether the last state is a good one.
    """

    start: Any
    step: Callable[[Any, int, int], Any]
    accept: Callable[[Any], bool] = lambda _: True

    def __call__(self, values: Sequence[int]) -> bool:
        """Say whether the machine is content with these values."""
        state = self.start
        for place, value in enumerate(values):
            state = self.step(state, place, value)
            if state is None:
                return False
        return self.accept(state)


Cells = Sequence[int]
Statement = tuple[tuple[int, ...], Machine]
Statements = Iterable[Statement]


def test(holds: Callable[..., bool]) -> Machine:
    """Return the machine that keeps all values and asks in the end."""
    return Machine((), lambda state, _, value: (*state, value), lambda state: holds(*state))


def in_order(holds: Callable[[int, int], bool]) -> Machine:
    """Return the machine of what holds between each value and the next."""
    return Machine((), lambda state, _, value: (value,) if not state or holds(state[0], value) else None)


def adding(holds: Callable[[int], bool], factors: Sequence[int] = ()) -> Machine:
    """Return the machine of a sum that ``holds`` looks at, each value as often as its factor says."""
    return Machine(0, lambda state, place, value: state + value * (factors[place] if factors else 1), holds)


def different(holds: Callable[[list[int]], bool] = lambda _: True) -> Machine:
    """Return the machine of values that all differ; ``holds`` looks at them in order of size."""

    def members(mask: int) -> list[int]:
        return [value for value in range(mask.bit_length()) if mask >> value & 1]

    step = lambda state, _, value: None if state >> value & 1 else state | 1 << value
    return Machine(0, step, lambda mask: holds(members(mask)))


def last_differ(size: int, sort: Callable[[int], int]) -> Machine:
    """Return the machine of values of which any ``size`` in a row are of different sorts."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = sort(value)
        return None if own in state else (*state, own)[-(size - 1) :] if size > 1 else ()

    return Machine((), step)


def counting(digits: Sequence[int], holds: Callable[[int, int], bool]) -> Machine:
    """Return the machine that compares how often each of the digits is read with how often it is listed."""
    listed = Counter(digits)

    def step(state: tuple[int, ...], _: int, value: int) -> tuple[int, ...]:
        return tuple(min(count + (value == digit), listed[digit] + 1) for digit, count in zip(listed, state, strict=True))

    return Machine((0,) * len(listed), step, lambda state: all(map(holds, state, listed.values())))


def ends_first(ends: Callable[[int, int], bool], inner: Callable[[int, int, int], bool]) -> Machine:
    """Return the machine that reads a line's ends, then each value between, and compares it with the lower and higher end."""

    def step(state: tuple[int, ...], place: int, value: int) -> Any:
        if place < 2:
            after = tuple(sorted((*state, value)))
            return after if place == 0 or ends(*after) else None
        return state if inner(*state, value) else None  # type: ignore[call-arg]

    return Machine((), step)


def even_steps(size: Callable[[int], int]) -> Machine:
    """Return the machine of steps between values that are all of the same size."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = (value, *(size(value - last) for last in state[:1]))
        return own if len(state) < 2 or own[1] == state[1] else None

    return Machine((), step)


DIFFERENT = different()
EQUAL = in_order(operator.eq)


def together(cells: Cells, statements: Sequence[Statement]) -> Machine:
    """Return the machine that reads ``cells`` and accepts where every statement about some of them holds."""
    parts = [reordered(cells, own, machine) for own, machine in statements]
    if len(parts) == 1:
        return parts[0]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = []
        for own, part in zip(state, parts, strict=True):
            after.append(part.step(own, place, value))
            if after[-1] is None:
                return None
        return tuple(after)

    accept = lambda state: all(part.accept(own) for own, part in zip(state, parts, strict=True))
    return Machine(tuple(part.start for part in parts), step, accept)


def reordered(cells: Cells, own: Cells, machine: Machine) -> Machine:
    """Return a machine that reads ``cells``, each once, and says of them what ``machine`` says of its ``own``."""
    if tuple(cells) == tuple(own):
        return machine
    place_in = {cell: place for place, cell in enumerate(cells)}
    read = [place_in[cell] for cell in own]
    if read == sorted(set(read)):  # in the same order, and each once: the others are passed over
        turn = {place: number for number, place in enumerate(read)}
        step = lambda state, place, value: machine.step(state, turn[place], value) if place in turn else state
        return Machine(machine.start, step, machine.accept)
    wanted, last = set(read), max(read)

    def keep(state: tuple[Any, ...], place: int, value: int) -> Any:
        kept = (*state, value if place in wanted else None) if place <= last else state
        if place == last:
            return ("good",) if machine([kept[where] for where in read]) else None
        return kept

    return Machine((), keep)


# === 2. The rules =====================================================================================================


class Unknown(Exception):
    """It is not known what the rule means here."""


MEANINGS: dict[str, Callable[..., Statements]] = {}
"""What each kind of rule says of which cells."""
UNEXPLAINED = {
    "chaos-construction",
    "connected-values",
    "doppelganger",
    "full-rank",
    "regular-expression",
    "same-values-in-regions",
}
"""The kinds of rules whose meaning is told nowhere here: their clauses can only be taken on trust."""
MOST = 10_000
"""So many copies of rules are made of one that is repeated."""


def meaning(rule: Callable[..., Statements]) -> Callable[..., Statements]:
    """Enter a rule in the table by the kind that its name tells."""
    MEANINGS[rule.__name__.replace("_", "-")] = rule
    return rule


def statements(puzzle: Puzzle, rule: dict[str, Any]) -> list[Statement] | None:
    """Return what a rule says; None where that is not known."""
    try:
        return list(inside(puzzle, rule))
    except Unknown:
        return None


def inside(puzzle: Puzzle, rule: Any) -> Statements:
    """Return what a rule says that may be a part of another one."""
    rule = {"kind": rule} if isinstance(rule, str) else rule
    cells, kind = puzzle.differing(rule), rule["kind"]
    if cells is not None:
        return [(some, DIFFERENT) for some in cells]
    if kind in UNEXPLAINED:
        raise Unknown
    if kind not in MEANINGS:
        raise LookupError("there is no rule of this kind")
    made_of_rules = kind in {"all-of", "any-of", "repeated"}
    fields = {key: told for key, told in rule.items() if key != "kind"} if made_of_rules else puzzle.fields(rule)
    return list(MEANINGS[kind](puzzle, **fields))


def one(cells: Cells, machine: Machine) -> Statements:
    """Say one thing of some cells."""
    return [(tuple(cells), machine)]


def once(cells: Cells, machine: Machine) -> Statements:
    """Say one thing of some cells, each of them read once."""
    return [(tuple(dict.fromkeys(cells)), machine)]


def each(cells: Cells, holds: Callable[[int], bool]) -> Statements:
    """Say the same of every cell."""
    machine = test(holds)
    return [((cell,), machine) for cell in cells]


# --- pairs of cells everywhere ----------------------------------------------------------------------------------------


def every_two(some: Iterable[tuple[int, int]], holds: Callable[[int, int], bool]) -> Statements:
    """Say the same of every pair."""
    machine = in_order(holds)
    return [(pair, machine) for pair in some]


def neighbours(puzzle: Puzzle, exempt: Sequence[Cells], holds: Callable[[int, int], bool]) -> Statements:
    """Say the same of every two cells that share an edge and are not let off."""
    free = {frozenset(pair) for pair in exempt}
    return every_two([pair for pair in puzzle.apart([(0, 1)]) if frozenset(pair) not in free], holds)


def extreme(puzzle: Puzzle, cells: Cells, holds: Callable[[int, int], bool]) -> Statements:
    """Say the same of every marked cell and its neighbour that is not marked."""
    near = [(cell, other) for pair in puzzle.apart([(0, 1)]) for cell, other in (pair, pair[::-1])]
    return every_two([(cell, other) for cell, other in near if cell in cells and other not in cells], holds)


def squares(puzzle: Puzzle, sort: Callable[[int], int], sorts: int) -> Statements:
    """Every 2x2 square of a board has values of all sorts."""
    machine = Machine(frozenset(), lambda state, _, value: state | {sort(value)}, lambda state: len(state) == sorts)
    for rows, _, _ in puzzle.boards:
        for row, column in product(range(len(rows) - 1), range(len(rows[0]) - 1)):
            yield (*rows[row][column : column + 2], *rows[row + 1][column : column + 2]), machine


@meaning
def self_taxicab(puzzle: Puzzle) -> Statements:
    """No value stands as many steps from itself as it says."""
    for value in puzzle.values:
        steps = [(down, value - down) for down in range(value + 1)] if value else []
        yield from every_two(puzzle.apart(steps), lambda a, b, value=value: not a == b == value)  # type: ignore[misc]


@meaning
def global_entropy(puzzle: Puzzle) -> Statements:
    """All thirds of the values are in every 2x2 square."""
    low, third = puzzle.values[0], -(-len(puzzle.values) // 3)
    return squares(puzzle, lambda value: (value - low) // third, -(-len(puzzle.values) // third))


@meaning
def dutch_flatmates(puzzle: Puzzle) -> Statements:
    """The middle value has the lowest right above it or the highest right below it."""
    first, last = puzzle.values[0], puzzle.values[-1]
    middle = (first + last) // 2
    beside = {
        (True, True): test(lambda own, above, below: own != middle or above == first or below == last),
        (True, False): test(lambda own, above: own != middle or above == first),
        (False, True): test(lambda own, below: own != middle or below == last),
        (False, False): test(lambda own: own != middle),
    }
    for cell, (row, column) in enumerate(puzzle.places):
        near = [puzzle.cell_at.get((row - 1, column)), puzzle.cell_at.get((row + 1, column))]
        yield (cell, *(other for other in near if other is not None)), beside[near[0] is not None, near[1] is not None]


MEANINGS |= {
    "diagonally-nonconsecutive": lambda puzzle: every_two(puzzle.apart([(1, 1)]), lambda a, b: abs(a - b) != 1),
    "global-mod": lambda puzzle, modulus=3: squares(puzzle, lambda value: value % modulus, modulus),
    "knightmare": lambda puzzle, sums=(5, 15): every_two(puzzle.apart([(1, 2)]), lambda a, b: a + b not in sums),
    "maximum": partial(extreme, holds=operator.gt),
    "minimum": partial(extreme, holds=operator.lt),
    "negative-difference": lambda puzzle, differences=(1,), exempt=(): neighbours(
        puzzle, exempt, lambda a, b: abs(a - b) not in differences
    ),
    "negative-ratio": lambda puzzle, ratios=(2,), exempt=(): neighbours(
        puzzle, exempt, lambda a, b: all(max(a, b) != ratio * min(a, b) for ratio in ratios)
    ),
    "negative-sum": lambda puzzle, sums=(5, 10), exempt=(): neighbours(puzzle, exempt, lambda a, b: a + b not in sums),
    "nonconsecutive": lambda puzzle, exempt=(): neighbours(puzzle, exempt, lambda a, b: abs(a - b) != 1),
}


# --- cages, marks and clues -------------------------------------------------------------------------------------------


@meaning
def rellik_cage(_: Puzzle, cells: Cells, total: int) -> Statements:
    """Different values, of which none, alone or together, add up to the total."""

    def step(state: tuple[int, int], _: int, value: int) -> Any:
        used, sums = state[0], state[1] | state[1] << value
        fails = used >> value & 1 or (total > 0 and sums >> total & 1) or value == total
        return None if fails else (used | 1 << value, sums)

    return one(cells, Machine((0, 1), step))


@meaning
def equality_cage(puzzle: Puzzle, cells: Cells) -> Statements:
    """Different values, as many low as high ones, as many odd as even ones, and none in the middle."""
    middle = puzzle.values[0] + puzzle.values[-1]

    def balanced(some: list[int]) -> bool:
        low, high = sum(2 * value < middle for value in some), sum(2 * value > middle for value in some)
        return low == high and low + high == len(some) == 2 * sum(value % 2 for value in some)

    return one(cells, different(balanced))


@meaning
def look_and_say(_: Puzzle, cells: Cells, clue: Sequence[Sequence[int]]) -> Statements:
    """Each value named stands so many times."""
    for times, value in clue:
        step = lambda state, _, own, value=value: state + (own == value)
        yield tuple(cells), Machine(0, step, partial(operator.eq, times))


@meaning
def clone(_: Puzzle, cells: Cells, copies: Sequence[Cells]) -> Statements:
    """Cells and their copies are equal."""
    return [(pair, EQUAL) for copy in copies for pair in zip(cells, copy, strict=True)]


@meaning
def same_value_sets(_: Puzzle, groups: Sequence[Cells]) -> Statements:
    """All groups have the same values, each as often."""
    size = len(groups[0]) if groups else 0

    def step(state: tuple[tuple[int, ...], tuple[int, ...]], place: int, value: int) -> Any:
        first, left = state
        if place < size:
            first = left = tuple(sorted((*first, value)))
            return first, left
        left = left if place % size else first
        if value not in left:
            return None
        where = left.index(value)
        return first, left[:where] + left[where + 1 :]

    if any(len(group) != size for group in groups):
        raise Unknown
    return one(tuple(chain.from_iterable(groups)), Machine(((), ()), step))


def equal_parts(parts: Sequence[Cells]) -> Statements:
    """Each part adds up to the same."""
    if not all(parts):
        raise Unknown
    cells = tuple(chain.from_iterable(parts))
    ends = {sum(map(len, parts[: number + 1])) - 1 for number in range(len(parts))}

    def step(state: tuple[int | None, int], place: int, value: int) -> Any:
        wanted, found = state[0], state[1] + value
        if place not in ends:
            return wanted, found
        return (found, 0) if wanted in {None, found} else None

    return one(cells, Machine((None, 0), step) if len(parts) > 1 else Machine(0, lambda *_: 0))


@meaning
def region_sum_line(puzzle: Puzzle, cells: Cells) -> Statements:
    """The stretches of the line inside one region each add up to the same."""
    regions = [cells for name, cells in puzzle.houses.items() if name.startswith(("box", "region"))]
    inside = [[cell in region for region in regions] for cell in cells]
    borders = [place for place in range(1, len(cells)) if inside[place] != inside[place - 1]]
    if not borders:
        return []
    parts = [list(cells[start:end]) for start, end in zip([0, *borders], [*borders, len(cells)], strict=True)]
    if cells[0] == cells[-1]:
        parts = [*parts[1:-1], parts[-1][:-1] + parts[0]]
    return equal_parts(parts)


@meaning
def zipper_line(_: Puzzle, cells: Cells) -> Statements:
    """Cells as far from the middle have the same sum, that of the middle cell where there is one."""
    half = len(cells) // 2
    return equal_parts([*([cells[k], cells[-1 - k]] for k in range(half)), *([[cells[half]]] if len(cells) % 2 else [])])


@meaning
def counting_circles(_: Puzzle, cells: Cells) -> Statements:
    """Each value in a circle is the number of circles that have it."""
    step = lambda state, _, value: tuple(sorted((*state, value))) if state.count(value) < value else None
    return once(cells, Machine((), step, lambda state: all(state.count(value) == value for value in state)))


@meaning
def count_distinct(_: Puzzle, cell: int, cells: Cells) -> Statements:
    """The cell says how many values the cells have."""
    step = lambda state, place, value: (state[0], state[1] | 1 << value) if place else (value, 0)
    return one((cell, *cells), Machine((0, 0), step, lambda state: state[0] == state[1].bit_count()))


@meaning
def odd_even_lot(_: Puzzle, cells: Cells, even: bool = False) -> Statements:
    """The first cell counts the odd (or even) values on the line."""

    def step(state: Any, place: int, value: int) -> Any:
        told, found = state if place else (value, 0)
        found += value % 2 != even
        return (told, found) if found <= max(told, 1) else None

    return once(cells, Machine((), step, lambda state: state[0] == state[1]))


MEANINGS |= {
    "contains-at-least": lambda _, cells, digits: one(cells, counting(digits, operator.ge)),
    "contains-exactly": lambda _, cells, digits: one(cells, counting(digits, operator.eq)),
    "difference": lambda _, cells, difference=1: one(cells, test(lambda a, b: abs(a - b) == difference)),
    "digital-root-cage": lambda _, cells, root: one(
        cells, different(lambda some: (1 + (sum(some) - 1) % 9 if sum(some) else 0) == root)
    ),
    "equal-sums": lambda _, groups: equal_parts(groups),
    "even": lambda _, cells: each(cells, lambda own: own % 2 == 0),
    "inequality": lambda _, cells: one(cells, test(lambda a, b: a > b)),
    "killer-cage": lambda _, cells, total=None: one(cells, different(lambda some: total is None or sum(some) == total)),
    "little-killer": lambda _, cells, total: one(cells, adding(lambda found: found == total)),
    "multi-sum-cage": lambda _, cells, totals: one(cells, different(lambda some: sum(some) in totals)),
    "odd": lambda _, cells: each(cells, lambda own: own % 2 == 1),
    "pair-sum": lambda _, cells, total: one(cells, test(lambda a, b: a + b == total)),
    "quadruple": lambda _, cells, digits: one(cells, counting(digits, operator.ge)),
    "ratio": lambda _, cells, ratio=2: one(cells, test(lambda a, b: max(a, b) == ratio * min(a, b))),
    "sum-cage": lambda _, cells, total, factors=(): one(cells, adding(lambda found: found == total, factors)),
}


# --- lines ------------------------------------------------------------------------------------------------------------


@meaning
def whisper(puzzle: Puzzle, cells: Cells, difference: int | None = None) -> Statements:
    """Neighbours on the line are far apart."""
    least = -(-len(puzzle.values) // 2) if difference is None else difference
    return one(cells, in_order(lambda a, b: abs(a - b) >= least))


@meaning
def nabner(_: Puzzle, cells: Cells) -> Statements:
    """No two values are equal or consecutive."""
    return once(cells, Machine(0, lambda state, _, value: None if state >> value & 1 else state | (7 << value >> 1)))


@meaning
def entropic_line(puzzle: Puzzle, cells: Cells) -> Statements:
    """Any three cells in a row hold a low, a middle and a high value; of five values, two are low and two are high."""
    size, low = len(puzzle.values), puzzle.values[0]
    third = (size + 1) // 3
    return one(cells, last_differ(3, lambda value: 0 if value - low < third else 2 if value - low >= size - third else 1))


@meaning
def modular_line(_: Puzzle, cells: Cells, modulus: int = 3) -> Statements:
    """Any so many cells in a row leave different remainders."""
    return one(cells, last_differ(modulus, lambda value: value % modulus))


@meaning
def between_line(_: Puzzle, cells: Cells) -> Statements:
    """The values between the ends lie between them."""
    machine = ends_first(lambda *_: True, lambda low, high, own: low < own < high)
    return one((cells[0], cells[-1], *cells[1:-1]), machine) if len(cells) > 2 else []


@meaning
def lockout_line(_: Puzzle, cells: Cells, difference: int = 4) -> Statements:
    """The ends are far apart, and no value between them lies between them."""
    if len(cells) < 2:
        raise Unknown
    machine = ends_first(lambda low, high: high - low >= difference, lambda low, high, own: not low <= own <= high)
    return one((cells[0], cells[-1], *cells[1:-1]), machine)


@meaning
def arrow(_: Puzzle, bulb: Any, shafts: Sequence[Cells]) -> Statements:
    """The bulb, read as a number, is the sum of each shaft."""
    bulb = [bulb] if isinstance(bulb, int) else bulb
    factors = [10**place for place in reversed(range(len(bulb)))]
    for shaft in shafts:
        yield (*bulb, *shaft), adding(lambda found: found == 0, (*factors, *(-1 for _ in shaft)))


@meaning
def ambiguous_arrow(_: Puzzle, cells: Cells) -> Statements:
    """The greatest value is the sum of the others."""
    step = lambda state, _, value: (max(state[0], value), state[1] + value)
    return one(cells, Machine((0, 0), step, lambda state: 2 * state[0] == state[1]))


@meaning
def sum_line(_: Puzzle, cells: Cells, total: int, loop: bool = False) -> Statements:
    """The line falls into stretches that each add up to the total."""

    def step(state: frozenset[int], place: int, value: int) -> Any:
        longer = {value} if not place else {part + value for part in state} | ({value} if total in state else set())
        return frozenset(part for part in longer if part <= total) or None

    straight = Machine(frozenset(), step, lambda state: total in state)
    if not loop:
        return one(cells, straight)
    round_ = cells[:-1] if len(cells) > 1 and cells[0] == cells[-1] else cells
    return one(round_, test(lambda *line: any(straight(line[cut:] + line[:cut]) for cut in range(len(line)))))


@meaning
def lunchbox(_: Puzzle, cells: Cells, total: int) -> Statements:
    """Different values; those between the smallest and the largest add up to the total."""

    def holds(line: tuple[int, ...]) -> bool:
        start, end = sorted((line.index(min(line)), line.index(max(line))))
        return sum(line[start + 1 : end]) == total

    return one(cells, Machine((), lambda state, _, value: None if value in state else (*state, value), holds))


MEANINGS |= {
    "arithmetic-sequence": lambda _, cells: one(cells, even_steps(int)),
    "double-arrow": lambda _, cells: one(
        cells, adding(lambda found: found == 0, [1, *[-1] * (len(cells) - 2), 1] if len(cells) > 1 else [-1])
    ),
    "palindrome": lambda _, cells: [((cells[k], cells[-1 - k]), EQUAL) for k in range(len(cells) // 2)],
    "parity-line": lambda _, cells: one(cells, in_order(lambda a, b: a % 2 != b % 2)),
    "pill-arrow": arrow,
    "renban": lambda _, cells: once(cells, different(lambda some: some[-1] - some[0] < len(some))),
    "same-difference-line": lambda _, cells: one(cells, even_steps(abs)),
    "slow-thermometer": lambda _, cells: one(cells, in_order(operator.le)),
    "thermometer": lambda _, cells: one(cells, in_order(operator.lt)),
}


# --- clues at the border ----------------------------------------------------------------------------------------------


@meaning
def sandwich(puzzle: Puzzle, cells: Cells, total: int, crusts: Sequence[int] = ()) -> Statements:
    """What is strictly between the two crusts adds up to the total; each stands once."""
    both = tuple(crusts) or (puzzle.values[0], puzzle.values[-1])
    if len(set(both)) != 2:
        raise Unknown

    def step(state: tuple[frozenset[int], int], _: int, value: int) -> Any:
        seen, found = state
        if value in both:
            return None if value in seen else (seen | {value}, found)
        return (seen, found + value) if len(seen) == 1 else state

    return one(cells, Machine((frozenset(), 0), step, lambda state: len(state[0]) == 2 and state[1] == total))


@meaning
def skyscraper(_: Puzzle, cells: Cells, visible: int) -> Statements:
    """So many values are higher than all before them."""
    step = lambda state, _, value: (max(state[0], value), state[1] + (value > state[0]))
    return one(cells, Machine((0, 0), step, lambda state: state[1] == visible))


@meaning
def hidden_skyscraper(_: Puzzle, cells: Cells, value: int) -> Statements:
    """The first value behind a higher one is the clue."""
    step = lambda state, _, own: state if state == -1 else own if own >= state else -1 if own == value else None
    return one(cells, Machine(0, step, lambda state: state == -1))


@meaning
def numbered_room(_: Puzzle, cells: Cells, value: int) -> Statements:
    """The cell whose number the first one says holds the clue."""

    def step(state: int, place: int, own: int) -> Any:
        room = own if place == 0 else state
        return room if 0 < room <= len(cells) and (place != room - 1 or own == value) else None

    return one(cells, Machine(0, step, lambda room: room > 0))


@meaning
def x_sum(_: Puzzle, cells: Cells, total: int) -> Statements:
    """As many values as the first one says, from the first on, add up to the total."""

    def step(state: tuple[int, int], place: int, own: int) -> Any:
        size, found = (own, 0) if place == 0 else state
        return (size, found + own * (place < size)) if 0 < size <= len(cells) else None

    return one(cells, Machine((0, 0), step, lambda state: state[0] > 0 and state[1] == total))


# --- cells that point to cells ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def implies(value: int, there: int) -> Machine:
    """Return the machine of a cell that has a value only if another one has the value ``there``."""
    return test(lambda own, other: own != value or other == there)


def pointing(puzzle: Puzzle, cell: int, targets: Mapping[int, int], there: Callable[[int], int]) -> Statements:
    """If the cell has a value, then that value's target has the value ``there``; no value may point nowhere, or to no value."""
    possible = {value for value in puzzle.values if value in targets and there(value) in puzzle.values}
    yield (cell,), test(lambda own: own in possible)
    for value in puzzle.values:
        if value in possible:
            yield (cell, targets[value]), implies(value, there(value))


def always(number: int, _: int) -> int:
    """Return the same whatever the value."""
    return number


@meaning
def indexer(puzzle: Puzzle, cells: Cells, rows: bool = False) -> Statements:
    """A cell in column C with value V: in its row, column V has C; or the same with rows and columns exchanged."""
    for cell in dict.fromkeys(cells):
        place = puzzle.places[cell]
        line = {there[not rows] + 1: other for there, other in puzzle.cell_at.items() if there[rows] == place[rows]}
        yield from pointing(puzzle, cell, line, partial(always, place[not rows] + 1))


@meaning
def box_indexer(puzzle: Puzzle, cells: Cells) -> Statements:
    """A cell at position P of its box with value V: position V of the box has P."""
    for cell, (name, box) in product(dict.fromkeys(cells), puzzle.houses.items()):
        if name.startswith(("box", "region")) and cell in box:
            yield from pointing(puzzle, cell, dict(enumerate(box, 1)), partial(always, box.index(cell) + 1))


@meaning
def index_line(puzzle: Puzzle, cells: Cells) -> Statements:
    """The Nth cell says where on the line N is."""
    for place, cell in enumerate(cells, 1):
        yield from pointing(puzzle, cell, dict(enumerate(cells, 1)), partial(always, place))


@meaning
def successor_arrow(puzzle: Puzzle, cells: Cells) -> Statements:
    """The first cell's N says that N + 1 is N cells further."""
    return pointing(puzzle, cells[0], dict(enumerate(cells[1:], 1)), lambda value: value + 1)


@meaning
def value_indexing(_: Puzzle, value: int, index: int, cells: Cells) -> Statements:
    """The value stands again as many cells on as the index says."""

    def step(state: tuple[int, ...], place: int, own: int) -> Any:
        if place < 2:
            return (*state, own) if place or 0 < own <= len(cells) else None
        return None if place - 1 == state[0] and own != state[1] else state

    return one((index, value, *cells), Machine((), step))


# --- rules of one's own -----------------------------------------------------------------------------------------------


MEANINGS |= {
    "pairs-in-order": lambda _, cells, pairs: one(cells, in_order(lambda a, b: [a, b] in pairs)),
    "pairs-of-all": lambda _, cells, pairs: every_two(combinations(cells, 2), lambda a, b: [a, b] in pairs),
}


@meaning
def automaton(
    _: Puzzle, cells: Cells, start: Sequence[int], edges: Sequence[Sequence[int]], accepting: Sequence[int]
) -> Statements:
    """The values lead from a start to an accepting state."""
    after: dict[tuple[int, int], set[int]] = {}
    for before, value, end in edges:
        after.setdefault((before, value), set()).add(end)

    def step(states: frozenset[int], _: int, value: int) -> Any:
        return frozenset().union(*(after.get((state, value), ()) for state in states)) or None

    return one(cells, Machine(frozenset(start), step, lambda states: not states.isdisjoint(accepting)))


@meaning
def all_of(puzzle: Puzzle, rules: Sequence[Any]) -> Statements:
    """Every rule holds."""
    return chain.from_iterable(inside(puzzle, rule) for rule in rules)


_QUOTED = re.compile(r'"(r[1-9]\d*c[1-9]\d*)"', re.IGNORECASE)


@meaning
def repeated(puzzle: Puzzle, rules: Sequence[Any], shifts: Sequence[Sequence[int]]) -> Statements:
    """Every rule holds, and every copy of it that stays on the grid."""
    said = 0
    for rule, (down, right) in product(map(json.dumps, rules), [(0, 0), *shifts]):
        to: dict[str, str | None] = {}
        for name in _QUOTED.findall(rule):
            row, column = puzzle.places[puzzle.cell(name)]
            cell = puzzle.cell_at.get((row + down, column + right))
            to[name] = None if cell is None else f'"{puzzle.names[cell]}"'
        if None not in to.values():
            copy = list(inside(puzzle, json.loads(_QUOTED.sub(lambda found, to=to: to[found[1]], rule))))  # type: ignore[misc]
            said += len(copy)
            if said > MOST:
                raise Unknown
            yield from copy


@meaning
def any_of(puzzle: Puzzle, rules: Sequence[Any]) -> Statements:
    """At least one of the rules holds."""
    branches = [list(inside(puzzle, rule)) for rule in rules]
    cells = tuple(dict.fromkeys(cell for branch in branches for own, _ in branch for cell in own))
    wholes = [together(cells, branch) for branch in branches]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = tuple(None if own is None else whole.step(own, place, value) for own, whole in zip(state, wholes, strict=True))
        return after if any(own is not None for own in after) else None

    def accept(state: tuple[Any, ...]) -> bool:
        return any(own is not None and whole.accept(own) for own, whole in zip(state, wholes, strict=True))

    return one(cells, Machine(tuple(whole.start for whole in wholes), step, accept))


# === 3. Whether clauses say what a rule means =========================================================================
#
# Machine and clauses read the same cells, value by value, and every pair of what they have come to is looked at once: a state
# of the machine, and what is left of the clauses. Clauses about a sum or an automaton have few such remainders, as they were
# made from one; so a line of nine cells takes thousands of steps and not millions. Auxiliaries may be chosen freely: what is
# left when all cells are read must be satisfiable.

STEPS = 100_000
"""So many steps are walked for one comparison before it is given up, and the clauses are taken on trust."""

Rest = tuple[int, frozenset[int]]
"""What is left of clauses: which are true, as bits; and the literals that are false in others."""


class TooLarge(Exception):
    """A comparison would take too many steps."""


class Remainders:
    """Clauses, and what is left of them when literals become true."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        """Note where each literal stands."""
        self.clauses = [tuple(dict.fromkeys(clause)) for clause in clauses]
        self.all = (1 << len(self.clauses)) - 1
        self.where: dict[int, int] = {}
        self.among: dict[int, list[int]] = {}
        for number, clause in enumerate(self.clauses):
            for literal in clause:
                self.where[literal] = self.where.get(literal, 0) | 1 << number
                self.among.setdefault(literal, []).append(number)

    def units(self) -> list[int]:
        """Return the literals that stand alone in a clause."""
        return [clause[0] for clause in self.clauses if len(clause) == 1]

    def begin(self, unread: range = range(0)) -> Rest | None:
        """Return what unit clauses leave; None where that is a contradiction."""
        return None if () in self.clauses else self.after((0, frozenset()), self.units(), unread)

    def after(self, rest: Rest, literals: Iterable[int], unread: range = range(0)) -> Rest | None:
        """Return what is left when these literals are true and units are followed; None where that is a contradiction.

        Of variables that are ``unread``, what was decided is remembered even where no clause is left that speaks of it.
        """
        true, false = rest[0], set(rest[1])
        now: set[int] = set()
        waiting = list(literals)
        for literal in waiting:  # grows while it is walked
            if literal in now:
                continue
            if literal in false or -literal in now:
                return None
            now.add(literal)
            true |= self.where.get(literal, 0)
            false.add(-literal)
            for number in self.among.get(-literal, ()):
                if not true >> number & 1:
                    open_ = [one for one in self.clauses[number] if one not in false]
                    if not open_:
                        return None
                    if len(open_) == 1:
                        waiting.append(open_[0])
        left = self.all & ~true
        return true, frozenset(literal for literal in false if self.where.get(literal, 0) & left or abs(literal) in unread)

    def content(self, rest: Rest, unread: range) -> Any:
        """Return what is left as it reads, the same for remainders that read the same."""
        left = self.all & ~rest[0]
        touched = 0
        for literal in rest[1]:
            touched |= self.where.get(literal, 0)
        shorter = set()
        waiting = touched & left
        while waiting:
            lowest = waiting & -waiting
            waiting ^= lowest
            shorter.add(frozenset(self.clauses[lowest.bit_length() - 1]) - rest[1])
        return left & ~touched, frozenset(shorter), frozenset(literal for literal in rest[1] if abs(literal) in unread)

    def satisfiable(self, rest: Rest | None) -> bool:
        """Say whether what is left can be made true; looks far enough for the auxiliaries of a rule."""
        waiting = [rest]
        tries = 0
        while waiting:
            found = waiting.pop()
            if found is None:
                continue
            left = self.all & ~found[0]
            if not left:
                return True
            tries += 1
            if tries > 1000:
                raise TooLarge
            clause = self.clauses[(left & -left).bit_length() - 1]
            literal = next(one for one in clause if one not in found[1])
            waiting += [self.after(found, [-literal]), self.after(found, [literal])]
        return False


class Verdict(NamedTuple):
    """Values that the rule allows and the clauses do not, and values that the clauses allow and the rule does not."""

    lost: tuple[int, ...] | None
    loose: tuple[int, ...] | None


def reachable(machine: Machine, size: int, values: range) -> list[set[Any]]:
    """Return, for each number of cells read, the states from which some values lead to acceptance."""
    layers: list[dict[Any, list[Any]]] = []
    states = {machine.start}
    steps = 0
    for place in range(size):
        steps += len(states) * len(values)
        if steps > STEPS:
            raise TooLarge
        layers.append({state: [machine.step(state, place, value) for value in values] for state in states})
        states = {after for ends in layers[-1].values() for after in ends if after is not None}
    alive = [{state for state in states if machine.accept(state)}]
    for layer in reversed(layers):
        alive.insert(0, {state for state, ends in layer.items() if not alive[0].isdisjoint(ends)})
    return alive


def walk(machine: Machine, size: int, values: range, clauses: Iterable[Sequence[int]], tick: Callable[[], None]) -> Verdict:
    """Compare a machine with clauses in which the variable of the k-th cell's v-th value is 1 + k * (number of values) + v."""
    alive = reachable(machine, size, values)
    remainders = Remainders(clauses)
    lost = loose = None
    width = len(values)
    first = remainders.begin(range(1, size * width + 1))
    now: list[tuple[Any, Rest | None, tuple[int, ...]]] = [(machine.start if machine.start in alive[0] else None, first, ())]
    steps = 0
    for place in range(size):
        after: dict[Any, tuple[Any, Rest | None, tuple[int, ...]]] = {}
        base, unread = 1 + place * width, range(1 + (place + 1) * width, 1 + size * width)
        for state, rest, read in now:
            steps += width
            if steps > STEPS:
                raise TooLarge
            tick()
            for number, value in enumerate(values):
                end = None if state is None else machine.step(state, place, value)
                end = end if end in alive[place + 1] else None
                own = None
                if rest is not None:
                    own = remainders.after(rest, [base + k if k == number else -base - k for k in range(width)], unread)
                if end is not None or own is not None:
                    after.setdefault((end, own and remainders.content(own, unread)), (end, own, (*read, value)))
        now = list(after.values())
    for state, rest, read in now:
        good = rest is not None and remainders.satisfiable(rest)
        if state is None and good:
            loose = read
        if state is not None and not good:
            lost = read
    return Verdict(lost, loose)


# === 4. The comparison of all rules of a puzzle =======================================================================


class Group(NamedTuple):
    """Clauses that share auxiliaries with no others, the board's cells that their blocks name, and the line of the first."""

    clauses: list[list[int]]
    cells: frozenset[int]
    line: int


def by_auxiliaries(parts: Sequence[Part], board: int) -> list[Group]:
    """Return the clauses of some blocks in groups that share no auxiliaries."""
    joined = list(range(len(parts)))  # each block's group goes by the least number in it, found by following these

    def leader(number: int) -> int:
        while joined[number] != number:
            number = joined[number]
        return number

    owner: dict[int, int] = {}
    for number, part in enumerate(parts):
        for auxiliary in {abs(literal) for clause in part.clauses for literal in clause if abs(literal) > board}:
            first, second = sorted((leader(number), leader(owner.setdefault(auxiliary, number))))
            joined[second] = first
    members: dict[int, list[Part]] = {}
    for number, part in enumerate(parts):
        members.setdefault(leader(number), []).append(part)
    groups = [
        Group(
            [clause for part in some for clause in part.clauses], frozenset().union(*(part.cells for part in some)), some[0].line
        )
        for some in members.values()
    ]
    return [group for group in groups if group.clauses]


def as_clauses(part: Part) -> Group:
    """Return a part with the clauses that its groups of variables stand for."""
    pairs = [[-first, -second] for group in part.groups for first, second in combinations(group, 2)]
    return Group(pairs + part.clauses, part.cells, part.line)


def compare(
    formula: Formula,
    puzzle: Puzzle,
    known: Sequence[Sequence[Statement] | None],
    parts: Mapping[int | None, Sequence[Part]],
    made: Sequence[Part],
    solution: Sequence[int] | None,
    found: Findings,
    tick: Callable[[], None],
) -> dict[int | None, int]:
    """Compare rules with their clauses, tell what is found, and return how many clauses of each have to be trusted.

    ``parts`` are the clauses of each rule (None: of several), ``made`` those of the rules of cells that differ.
    """
    groups = {number: by_auxiliaries(some, formula.board) for number, some in parts.items()}
    left = {number: sum(len(group.clauses) for group in own) for number, own in groups.items()}
    comparison = Comparison(formula, puzzle, tick)
    for number, own in groups.items():
        name = "several rules" if number is None else f"rule {number} ({puzzle.rules[number]['kind']})"
        statements_ = None if number is None else known[number]
        if statements_ is not None:
            others = [group for other, some in groups.items() if other != number for group in some]
            rest = partial(chain, others, map(as_clauses, made))
            problems, open_ = comparison.rule(statements_, own, rest, name)
            found.problems += problems
            found.facts["compared"] += left[number] - open_
            left[number] = open_
        if solution is not None:
            found.problems += comparison.unfit(own, solution, name, found.trusted)
    found.facts["walks"] = len(comparison.seen)
    return left


class Comparison:
    """Compares clauses with meanings, each shape of both once."""

    def __init__(self, formula: Formula, puzzle: Puzzle, tick: Callable[[], None]) -> None:
        """Begin with nothing compared."""
        self.formula, self.puzzle, self.tick = formula, puzzle, tick
        self.seen: dict[Any, Verdict] = {}

    def verdict(self, cells: Cells, machine: Machine, clauses: Sequence[Sequence[int]]) -> Verdict:
        """Return how clauses about ``cells`` differ from what the machine says of them."""
        formula, width = self.formula, len(self.formula.values)
        renamed: dict[int, int] = {}
        for place, cell in enumerate(cells):
            for number in range(width if formula.board else 0):
                renamed[formula.first[cell] + number] = 1 + place * width + number
        for auxiliary in sorted({abs(literal) for clause in clauses for literal in clause if abs(literal) > formula.board}):
            renamed[auxiliary] = 1 + len(cells) * width + len(renamed)
        renamed |= {-variable: -number for variable, number in renamed.items()}
        shape = frozenset(frozenset(map(renamed.__getitem__, clause)) for clause in clauses)
        key = (len(cells), machine, shape)
        if key not in self.seen:
            self.seen[key] = walk(machine, len(cells), formula.values, sorted(map(sorted, shape)), self.tick)
        return self.seen[key]

    def rule(
        self, known: Sequence[Statement], groups: list[Group], others: Callable[[], Iterable[Group]], name: str
    ) -> tuple[list[str], int]:
        """Return what is wrong with a rule's clauses, and how many of them could not be compared with its meaning.

        Each statement is compared with all clauses about its cells alone, together with the statements about some of these
        cells. ``others`` are the clauses of other rules: a model says once what two rules say.
        """
        problems: list[str] = []
        open_ = set(range(len(groups)))
        scopes = [tuple(dict.fromkeys(cells)) for cells, _ in known]
        groups_at, scopes_at = _by_cell([group.cells for group in groups]), _by_cell(scopes)
        wide = [
            tuple(sorted(group.cells))
            for group in groups
            if group.cells and not any(group.cells.issubset(scopes[k]) for k in scopes_at.get(min(group.cells), ()))
        ]
        wholes: dict[frozenset[int], tuple[int, ...]] = {}
        for cells in (*scopes, *wide):
            wholes.setdefault(frozenset(cells), cells)
        for whole, cells in wholes.items():
            self.tick()
            inside_ = sorted({k for cell in cells for k in scopes_at.get(cell, ()) if whole.issuperset(scopes[k])})
            own = sorted({k for cell in cells for k in groups_at.get(cell, ()) if groups[k].cells <= whole})
            machine = together(cells, [known[k] for k in inside_])
            clauses = [clause for k in own for clause in groups[k].clauses]
            try:
                lost, loose = self.verdict(cells, machine, clauses)
                if loose:
                    more = [clause for group in others() if group.cells <= whole for clause in group.clauses]
                    loose = self.verdict(cells, machine, clauses + more).loose
            except TooLarge:
                continue
            open_.difference_update(own)
            where = f"formula.cnf: line {min((groups[k].line for k in own), default=0)}: {name}: its clauses"
            for values, what in ((lost, "forbid {}, which the rule allows"), (loose, "allow {}, which the rule forbids")):
                if values is not None:
                    told = " ".join(f"{self.puzzle.names[cell]}={value}" for cell, value in zip(cells, values, strict=True))
                    problems.append(f"{where} {what.format(told)}")
        never = [group for group in groups if not group.cells and not _can_hold(group)]
        if never and all(map(self._possible, known)):
            problems += [f"formula.cnf: line {one.line}: {name}: clauses that cannot hold, of a rule that can" for one in never]
        return problems, sum(len(groups[k].clauses) for k in open_)

    def _possible(self, statement: Statement) -> bool:
        """Say whether some values are certain to satisfy a statement."""
        scope = tuple(dict.fromkeys(statement[0]))
        try:
            return bool(reachable(reordered(scope, *statement), len(scope), self.puzzle.values)[0])
        except TooLarge:
            return False

    def unfit(self, groups: Iterable[Group], solution: Sequence[int], name: str, trusted: list[str]) -> Iterator[str]:
        """Yield the groups of clauses that the solution does not satisfy."""
        formula = self.formula
        for group in groups:
            remainders = Remainders(group.clauses)
            true = [
                formula.literal(cell, value) * (1 if value == solution[cell] else -1)
                for cell, value in product(group.cells if formula.board else (), formula.values)
            ]
            try:
                if not remainders.satisfiable(remainders.after((0, frozenset()), [*true, *remainders.units()])):
                    yield f"formula.cnf: line {group.line}: {name}: the solution does not satisfy its clauses"
            except TooLarge:
                trusted.append(f"{name}: that the solution satisfies the clauses at line {group.line}, after a long search")


def _can_hold(group: Group) -> bool:
    """Say whether clauses can be satisfied; where that takes a long search, they are taken for some that cannot."""
    remainders = Remainders(group.clauses)
    try:
        return bool(remainders.satisfiable(remainders.begin()))
    except TooLarge:
        return False


def _by_cell(some: Sequence[Iterable[int]]) -> dict[int, list[int]]:
    """Return for each cell the numbers of the lists that it is in."""
    found: dict[int, list[int]] = {}
    for number, cells in enumerate(some):
        for cell in cells:
            found.setdefault(cell, []).append(number)
    return found
