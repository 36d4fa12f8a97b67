"""Locked candidates, subsets, almost locked sets, Sue de Coq and templates read as they are defined, with nothing clever.

Each function yields what one instance removes or places, as pairs (cell, value).
"""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard

Row = frozenset[tuple[int, int]]


class SlowBoard:
    """Candidates as Python sets."""

    def __init__(self, board: CandidateBoard) -> None:
        """Copy what the definitions speak of."""
        self.houses = [(group.kind, frozenset(group.cells)) for group in board.layout.groups]
        self.candidates = {cell: set(members(board.candidates[cell])) for cell in members(board.open)}
        self.values = list(board.values)
        self.size = len(self.houses[0][1])
        self.seen = {(one, other) for _, house in self.houses for one in house for other in house if one != other}

    def sees(self, one: int, other: int) -> bool:
        """Return whether two cells must differ."""
        return (one, other) in self.seen

    def lines(self) -> list[frozenset[int]]:
        """Return rows and columns."""
        return [house for kind, house in self.houses if kind != HouseKind.BOX]

    def boxes(self) -> list[frozenset[int]]:
        """Return boxes."""
        return [house for kind, house in self.houses if kind == HouseKind.BOX]

    def places(self, value: int, cells: Iterable[int]) -> frozenset[int]:
        """Return the cells that may hold a value."""
        return frozenset(cell for cell in cells if value in self.candidates.get(cell, ()))

    def union(self, cells: Iterable[int]) -> set[int]:
        """Return the values that may stand in cells."""
        return {value for cell in cells for value in self.candidates[cell]}

    def seeing(self, value: int, cells: Iterable[int]) -> frozenset[int]:
        """Return the places of a value that see all of ``cells``."""
        return frozenset(cell for cell in self.places(value, self.candidates) if all(self.sees(cell, one) for one in cells))

    def open(self, cells: Iterable[int]) -> list[int]:
        """Return the open ones of ``cells``."""
        return [cell for cell in sorted(cells) if cell in self.candidates]


def pairs(value: int, cells: Iterable[int]) -> Row:
    """Return cells with a value."""
    return frozenset((cell, value) for cell in cells)


def locked(board: SlowBoard, *, box_first: bool) -> Iterator[Row]:
    """All places of a value in a box, two or more, lie in a line: it leaves the line's rest; or the reverse."""
    for one, other in product(board.boxes(), board.lines()) if box_first else product(board.lines(), board.boxes()):
        for value in range(1, board.size + 1):
            places = board.places(value, one)
            if len(places) > 1 and places <= other:
                yield pairs(value, board.places(value, other - one))


def locked_subsets(board: SlowBoard, size: int) -> Iterator[Row]:
    """Some cells of box and line with as many candidates: these leave box and line."""
    for box, line in product(board.boxes(), board.lines()):
        for cells in combinations(board.open(box & line), size):
            values = board.union(cells)
            if len(values) == size:
                yield frozenset().union(*(pairs(value, board.places(value, (box | line) - set(cells))) for value in values))


def naked(board: SlowBoard, size: int) -> Iterator[Row]:
    """In one house; and everything that sees the whole subset."""
    for _, house in board.houses:
        for cells in combinations(board.open(house), size):
            values = board.union(cells)
            if len(values) == size:
                yield frozenset().union(*(pairs(value, board.places(value, house - set(cells))) for value in values))
                yield frozenset().union(*(pairs(value, board.seeing(value, cells)) for value in values))


def hidden(board: SlowBoard, size: int) -> Iterator[Row]:
    """As many values of a house as cells that may hold them: the cells lose all others."""
    for _, house in board.houses:
        present = sorted(board.union(board.open(house)))
        for values in combinations(present, size):
            cells = frozenset().union(*(board.places(value, house) for value in values))
            if len(cells) == size:
                yield frozenset((cell, value) for cell in cells for value in board.candidates[cell] - set(values))


class SlowSet(NamedTuple):
    """An almost locked set."""

    cells: frozenset[int]
    values: frozenset[int]


def slow_sets(board: SlowBoard) -> list[SlowSet]:
    """Return n cells of a house with n + 1 values."""
    found = {
        frozenset(cells)
        for _, house in board.houses
        for size in range(1, board.size + 1)
        for cells in combinations(board.open(house), size)
        if len(board.union(cells)) == size + 1
    }
    return [SlowSet(cells, frozenset(board.union(cells))) for cells in sorted(found, key=sorted)]


def restricted(board: SlowBoard, one: SlowSet, other: SlowSet) -> list[int]:
    """Return the values of both of which every place in one sees every place in the other, none in the overlap."""
    if one.cells <= other.cells or other.cells <= one.cells:
        return []
    return [
        value
        for value in one.values & other.values
        if not board.places(value, one.cells & other.cells)
        and all(board.sees(*two) for two in product(board.places(value, one.cells), board.places(value, other.cells)))
    ]


def common(board: SlowBoard, sets: Iterable[SlowSet], without: Iterable[int]) -> Row:
    """Return what sees all places, in all sets, of each value that they have in common."""
    sets = list(sets)
    values = frozenset.intersection(*(one.values for one in sets)) - set(without)
    cells = frozenset().union(*(one.cells for one in sets))
    return frozenset().union(*(pairs(value, board.seeing(value, board.places(value, cells)) - cells) for value in values))


def als_xz(board: SlowBoard) -> Iterator[Row]:
    """One restricted common; or two, which lock all values."""
    for one, other in combinations(slow_sets(board), 2):
        values = restricted(board, one, other)
        for value in values:
            yield common(board, (one, other), {value})
        for x, y in combinations(values, 2):
            row = common(board, (one, other), {x}) | common(board, (one, other), {y})
            for own in (one, other):
                for value in own.values - {x, y}:
                    row |= pairs(value, board.seeing(value, board.places(value, own.cells)) - one.cells - other.cells)
            yield row


def als_xy_wing(board: SlowBoard) -> Iterator[Row]:
    """Two sets with different restricted commons with a third."""
    sets = slow_sets(board)
    table = {(one, other): restricted(board, one, other) for one in sets for other in sets}
    for middle, (one, other) in product(sets, combinations(sets, 2)):
        first, second = table[one, middle], table[middle, other]
        if not (one.cells <= other.cells or other.cells <= one.cells) and any(x != y for x, y in product(first, second)):
            yield common(board, (one, other), {*first, *second})
            for x, y in product(first, second):
                if x != y:
                    yield common(board, (one, other), {x, y})


def als_chain(board: SlowBoard) -> Iterator[Row]:
    """Four or more different sets in a row, neighbouring restricted commons differ."""
    sets = slow_sets(board)
    partners = {one: [(other, value) for other in sets for value in restricted(board, one, other)] for one in sets}
    stack = [((one,), ()) for one in sets]
    while stack:
        row, between = stack.pop()
        if len(row) > 3:
            yield common(board, (row[0], row[-1]), {between[0], between[-1]})
        stack += [
            ((*row, other), (*between, value))
            for other, value in partners[row[-1]]
            if other not in row and (not between or value != between[-1])
        ]


def death_blossom(board: SlowBoard) -> Iterator[Row]:
    """A petal for every candidate of a stem."""
    sets = slow_sets(board)
    for stem, domain in board.candidates.items():
        choices = [
            [
                one
                for one in sets
                if value in one.values and stem not in one.cells
                and all(board.sees(stem, cell) for cell in board.places(value, one.cells))
            ]
            for value in sorted(domain)
        ]  # fmt: skip
        for petals in product(*choices) if domain else ():
            yield common(board, petals, domain) - {(stem, value) for value in domain}


def subsets_of(cells: Iterable[int]) -> Iterator[frozenset[int]]:
    """Yield the sets of one or more cells."""
    cells = sorted(cells)
    return (frozenset(some) for size in range(1, len(cells) + 1) for some in combinations(cells, size))


def sue_de_coq(board: SlowBoard) -> Iterator[Row]:
    """Cells of a crossing, of the line's rest and of the box's rest that have just as many values as they are."""
    for line, box in product(board.lines(), board.boxes()):
        crossing = board.open(line & box)
        for crossed in (frozenset(some) for size in (2, 3) for some in combinations(crossing, size)):
            shared = board.union(crossed)
            if len(shared) < len(crossed) + 2:
                continue
            for on_line, in_box in product(subsets_of(board.open(line - crossed)), subsets_of(board.open(box - crossed))):
                yield from _sue_de_coq(board, (line, box), (crossed, on_line, in_box), shared)


def _sue_de_coq(
    board: SlowBoard, houses: tuple[frozenset[int], ...], sets: tuple[frozenset[int], ...], shared: set[int]
) -> Iterator[Row]:
    (line, box), (crossed, on_line, in_box) = houses, sets
    line_values, box_values = board.union(on_line), board.union(in_box)
    rooms = [len(on_line) - len(line_values - shared), len(in_box) - len(box_values - shared)]
    if on_line & in_box or line_values & box_values & shared or not (line_values & shared and box_values & shared):
        return
    if min(rooms) > 0 and sum(rooms) == len(shared) - len(crossed):
        both = (line_values & box_values) - shared
        rest = frozenset().union(*sets)
        row = [pairs(value, board.places(value, line - rest)) for value in ((shared | line_values) - box_values) | both]
        row += [pairs(value, board.places(value, box - rest)) for value in ((shared | box_values) - line_values) | both]
        yield frozenset().union(*row)


def templates(board: SlowBoard, *, placed: bool) -> Iterator[Row]:
    """What all templates of a value have in common; or the candidates in none."""
    size = board.size
    whole = [[row * size + column for row, column in enumerate(columns)] for columns in permutations(range(size))]
    whole = [cells for cells in whole if all(len(box & set(cells)) == 1 for box in board.boxes())]
    lists = {
        value: [
            frozenset(cells)
            for cells in whole
            if all(board.values[cell] == value or value in board.candidates.get(cell, ()) for cell in cells)
        ]
        for value in range(1, size + 1)
    }
    before = None
    while before != (before := sum(map(len, lists.values()))):
        fixed = {value: frozenset.intersection(*own) for value, own in lists.items()}
        lists = {
            value: [one for one in own if not any(one & fixed[other] for other in fixed if other != value)]
            for value, own in lists.items()
        }
    for value, own in lists.items():
        places = board.places(value, board.candidates)
        yield pairs(value, frozenset.intersection(*own) & places if placed else places - frozenset().union(*own))


def rows_of(instances: Iterable[Row]) -> set[Row]:
    """Return the instances that have an effect."""
    return {row for row in instances if row}


DEFINITIONS: dict[str, Callable[[SlowBoard], Iterator[Row]]] = {
    "0100": lambda board: locked(board, box_first=True),
    "0101": lambda board: locked(board, box_first=False),
    "0110": lambda board: locked_subsets(board, 2),
    "0111": lambda board: locked_subsets(board, 3),
    "0200": lambda board: naked(board, 2),
    "0201": lambda board: naked(board, 3),
    "0202": lambda board: naked(board, 4),
    "0210": lambda board: hidden(board, 2),
    "0211": lambda board: hidden(board, 3),
    "0212": lambda board: hidden(board, 4),
    "0901": als_xz,
    "0902": als_xy_wing,
    "0903": als_chain,
    "0904": death_blossom,
    "1101": sue_de_coq,
    "1201": lambda board: templates(board, placed=True),
    "1202": lambda board: templates(board, placed=False),
}
