"""Two, three or four strong links of one digit in a row: skyscrapers, kites, turbot fish, empty rectangles, and loops of them.

Theory of operation. A *link* is a house whose places of the digit are split between two **ends**, of which one has it: two places
or, *grouped*, two groups of places. Two ends are *joined* if all their cells lie in one house, and their links have no place in
common: then not both have the digit. In a **chain** of joined links one of the two outer ends has it; in a **loop**, whose outer
ends are joined too, one of any two ends that are joined. What sees both loses the digit.

All chains are found, depth first. The best has the lowest rating, then removes most (a loop counts a candidate for every pair of
ends that it sees), then has the lowest *pattern*, a number made of the kinds of its houses; `order_of` decides among the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import (
    ASTERISK,
    BOX,
    CELL,
    CENTRE_DOTS,
    COLUMN,
    DIGIT,
    FALLING,
    GIRANDOLA,
    GROUP,
    GROUPED_LINKS,
    NAME,
    PLAIN_KINDS,
    RATING,
    RISING,
    ROW,
    STRONG_LINKS,
    WINDOW,
    RatedGrid,
    clear_hint,
    copy,
    fill,
    lowest_of,
    size_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


SIDE, BAND = 9, 3
"""Sukaku Explainer has boards of 9x9 alone, where a line crosses a box in three cells."""
MOST_PLACES = 6
"""More places than these are in no two groups of three."""
LONGEST = 4
GROUPED_FROM = (0, 0, 100, 1_000, 10_000)
"""By the number of links: patterns from here on are those of grouped links."""
RATINGS = (0, 0, 40, 54, 58)
"""By the number of links."""
EXTRA_TENTHS = 3
"""What grouped links add, and links in houses other than boxes, rows and columns."""
HALF = 45
"""Sets of cells are two words: the first five rows, and the others."""
MEETING_ORDER = (COLUMN, ROW, BOX, GROUP, WINDOW, GIRANDOLA, ASTERISK, CENTRE_DOTS, FALLING, RISING)
"""The order of kinds in which the house is looked for in which two ends are joined."""
WALKS = (1, 12, 102, 21, 123, 1023, 2013, 213, 1203, 2103, 321, 231, 1032, 132, 1302, 312)
"""In which orders the program walks two, three or four links, which have the numbers 0 to 3: each walk as a decimal number."""


class StrongLinks(NamedTuple):
    """The links of a digit, in the order of their houses. End 2 * link + 1 is the second of a link.

    ``links`` (links, 3): kind, house, whether it is grouped. ``seen`` (ends, 2) are the candidates that all cells of an end see.
    ``lines`` (ends, kinds): the house of each kind that has the whole end, or -1. ``joints`` (ends, ends): the house in which two
    ends are joined, as 9 * kind + house, or -1. ``apart`` (links, links): whether two have no place in common. ``places``
    (9 * kinds, 2) are the candidates of every house. ``number`` is how many links there are.
    """

    links: NDArray[np.int64]
    seen: NDArray[np.int64]
    lines: NDArray[np.int64]
    joints: NDArray[np.int64]
    apart: NDArray[np.bool_]
    places: NDArray[np.int64]
    number: NDArray[np.int64]


KIND, HOUSE, IS_GROUPED = range(3)
"""The fields of a link."""


class BestChain(NamedTuple):
    """The best chain so far: its ``key`` (rank by rating, eliminations and pattern; place in the order), and what it removes."""

    key: NDArray[np.int64]
    removed: NDArray[np.int64]


def make_strong_links(grid: RatedGrid) -> StrongLinks:
    """Return room for the links of a digit: two for each house."""
    kinds = grid.houses.shape[0]
    most = 0
    for kind in range(kinds):
        most += 2 * grid.counts[kind]
    return StrongLinks(
        np.zeros((most, 3), np.int64),
        np.zeros((2 * most, 2), np.int64),
        np.zeros((2 * most, kinds), np.int64),
        np.empty((2 * most, 2 * most), np.int64),
        np.empty((most, most), np.bool_),
        np.zeros((kinds * SIDE, 2), np.int64),
        np.zeros(1, np.int64),
    )


# How the places of a house are split; a ``second`` way leads to the same groups, but begins at the other, or is another split.


def split_two(places: int) -> tuple[int, int]:
    """Return the lowest place and the others."""
    return places & -places, places & (places - 1)


def split_cross(places: int, heart: int, second: bool) -> tuple[int, int]:
    """Return the ends in a box whose places lie on the row and the column of one cell, the *heart*.

    A single place is an end of its own, and the heart belongs to the other, whether it is a place or not.
    """
    own = 1 << heart
    column, row = places & 0o111 << heart % BAND & ~own, places & 7 << heart // BAND * BAND & ~own
    if not column or not row:
        return 0, 0
    if size_of(column) > 1 and size_of(row) > 1:
        return (0, 0) if second else (column | places & own, row | places & own)
    if size_of(row) == 1:
        starts_second = size_of(column) > 1
        return (row, column | own) if second == starts_second else (0, 0)
    return (0, 0) if second else (column, row | own)


def split_bands(places: int, band: int, step: int) -> tuple[int, int]:
    """Return the places in two of three parallel bands, if the third has none; ``step`` leads from one to the next."""
    for empty in range(BAND):
        if not places & band << step * empty:
            first, last = (1 if empty == 0 else 0), (1 if empty == 2 else 2)
            return places & band << step * first, places & band << step * last
    return 0, 0


def split_box(places: int, second: bool, hearts: int) -> tuple[int, int]:
    """Return the ends in a box: two places that are not in line, a cross, or what two rows or two columns have.

    Four places at the corners of a rectangle may be split both ways. In a disjoint group or a window there is a cross around the
    first three places alone (``hearts``), and nothing else.
    """
    if size_of(places) == 2:
        first, last = lowest_of(places), lowest_of(places & (places - 1))
        in_line = first // BAND == last // BAND or first % BAND == last % BAND
        return (0, 0) if second or in_line else split_two(places)
    for heart in range(hearts):
        if not places & ~(0o111 << heart % BAND | 7 << heart // BAND * BAND):
            return split_cross(places, heart, second)
    if hearts < SIDE:
        return 0, 0
    for step, band in ((BAND, 7), (1, 0o111)):
        one, other = split_bands(places, band, step)
        if one and other and size_of(places) > BAND:
            if not second:
                return one, other
            if size_of(one) == 2 and other in (one << step, one << 2 * step):
                return one & -one | other & -other, one & (one - 1) | other & (other - 1)
            return 0, 0
    return 0, 0


def split_line(places: int, second: bool) -> tuple[int, int]:
    """Return the ends in a line: two places, or what it has in two boxes; a single place in the latter comes first."""
    if size_of(places) == 2:
        return (0, 0) if second else split_two(places)
    one, other = split_bands(places, 7, BAND)
    if not one or not other:
        return 0, 0
    if size_of(other) == 1:
        return (other, one) if second else (0, 0)
    return (0, 0) if second else (one, other)


# The links of a digit.


def add_cell(cells: NDArray[np.int64], cell: int) -> None:
    """Add a cell to a set of two words."""
    cells[cell // HALF] |= 1 << cell % HALF


def fill_places(grid: RatedGrid, links: StrongLinks, digit: int) -> None:
    """Fill in the candidates of every house."""
    for kind in range(grid.houses.shape[0]):
        for house in range(grid.counts[kind]):
            own = links.places[SIDE * kind + house]
            own[0] = own[1] = 0
            places = grid.places[kind, house, digit]
            while places:
                add_cell(own, grid.houses[kind, house, lowest_of(places)])
                places &= places - 1


def add_end(grid: RatedGrid, links: StrongLinks, digit: int, end: int, kind: int, house: int, places: int) -> None:
    """Fill in an end: what all its cells see, and the houses that have them all."""
    lines, seen = links.lines[end], links.seen[end]
    seen[0] = seen[1] = 0
    first = grid.houses[kind, house, lowest_of(places)]
    for other_kind in range(len(lines)):
        own = grid.house_of[first, other_kind]
        lines[other_kind] = own if own < grid.counts[other_kind] else -1
    for at in range(grid.degrees[first]):
        cell = grid.peers[first, at]
        sees_all = grid.candidates[cell] >> digit & 1
        left = places & (places - 1)
        while left and sees_all:
            sees_all = grid.sees[cell, grid.houses[kind, house, lowest_of(left)]]
            left &= left - 1
        if sees_all:
            add_cell(seen, cell)
    left = places & (places - 1)
    while left:
        cell = grid.houses[kind, house, lowest_of(left)]
        for other_kind in range(len(lines)):
            if grid.house_of[cell, other_kind] != lines[other_kind]:
                lines[other_kind] = -1
        left &= left - 1


def add_links(grid: RatedGrid, links: StrongLinks, digit: int) -> None:
    """Fill in the links of all houses."""
    links.number[0] = 0
    for kind in range(grid.houses.shape[0]):
        hearts = SIDE if kind == BOX else BAND if kind in (GROUP, WINDOW) else 0
        for house in range(grid.counts[kind]):
            places = grid.places[kind, house, digit]
            if not 2 <= size_of(places) <= MOST_PLACES:
                continue
            for second in range(2):
                one, other = split_box(places, second == 1, hearts) if hearts else split_line(places, second == 1)
                if one:
                    link = links.number[0]
                    links.links[link, KIND], links.links[link, HOUSE] = kind, house
                    links.links[link, IS_GROUPED] = size_of(places) > 2
                    add_end(grid, links, digit, 2 * link, kind, house, one)
                    add_end(grid, links, digit, 2 * link + 1, kind, house, other)
                    links.number[0] += 1


def house_of_ends(links: StrongLinks, one: int, other: int) -> int:
    """Return the house that has two ends, or -1."""
    for kind in MEETING_ORDER:
        if kind >= links.lines.shape[1]:
            continue
        house = links.lines[one, kind]
        if house >= 0 and house == links.lines[other, kind]:
            return SIDE * kind + house
    return -1


def join_ends(links: StrongLinks) -> None:
    """Fill in which links have no place in common, and where their ends are joined."""
    for one in range(links.number[0]):
        for other in range(links.number[0]):
            own = links.places[SIDE * links.links[one, KIND] + links.links[one, HOUSE]]
            others = links.places[SIDE * links.links[other, KIND] + links.links[other, HOUSE]]
            is_apart = own[0] & others[0] == 0 and own[1] & others[1] == 0
            links.apart[one, other] = is_apart
            for end in (2 * one, 2 * one + 1):
                for second in (2 * other, 2 * other + 1):
                    links.joints[end, second] = house_of_ends(links, end, second) if is_apart else -1


# Chains: a way is the ends by which each of its links is entered; it leaves by the other end of the link.


def fits(links: StrongLinks, way: NDArray[np.int64], depth: int, length: int) -> bool:
    """Return whether the last link of a way is joined to the one before, and has no place in common with the others.

    Of a chain and its reverse, one has its first link before its last.
    """
    if depth == 0:
        return True
    if links.joints[way[depth - 1] ^ 1, way[depth]] < 0:
        return False
    if depth == length - 1 and way[0] >> 1 >= way[depth] >> 1:
        return False
    for i in range(depth - 1):
        if not links.apart[way[i] >> 1, way[depth] >> 1]:
            return False
    return True


def loop_house(links: StrongLinks, way: NDArray[np.int64], length: int) -> int:
    """Return the house in which the outer ends are joined, or -1."""
    return links.joints[way[length - 1] ^ 1, way[0]]


def is_first_turn(way: NDArray[np.int64], length: int) -> bool:
    """Return whether a loop begins with the first end of its first link, as just one of its turns does."""
    for i in range(1, length):
        if way[i] >> 1 < way[0] >> 1:
            return False
    return way[0] & 1 == 0


def turn_kind(kind: int) -> int:
    """Return the kind of a house when rows become columns and columns rows."""
    return PLAIN_KINDS - kind if kind in (ROW, COLUMN) else kind


def pattern_of(links: StrongLinks, way: NDArray[np.int64], length: int) -> int:
    """Return the pattern: how many links are grouped, then the kinds of houses, as digits.

    It is the least of those read from either end, and with rows as columns and columns as rows; without rows, columns count as
    rows.
    """
    grouped = forward = backward = turned = turned_back = 0
    has_row, place = False, 1
    for i in range(length):
        own, last = links.links[way[i] >> 1], links.links[way[length - 1 - i] >> 1, KIND]
        kind = own[KIND]
        grouped += own[IS_GROUPED]
        has_row |= kind == ROW
        forward, backward = 10 * forward + kind, 10 * backward + last
        turned, turned_back = 10 * turned + turn_kind(kind), 10 * turned_back + turn_kind(last)
        place *= 10
    name = min(turned, turned_back)
    if has_row:
        name = min(name, forward, backward)
    return grouped * place + name


def mixture_of(links: StrongLinks, way: NDArray[np.int64], length: int) -> tuple[int, bool]:
    """Return 0 for parallel lines alone, 1 for lines of both kinds or for boxes, 2 for all three, and whether there are boxes.

    With houses of other kinds it is 3.
    """
    kinds = 0
    for i in range(length):
        kinds |= 1 << links.links[way[i] >> 1, KIND]
    has_both, has_boxes = kinds & 6 == 6, kinds & 1 == 1
    return EXTRA_TENTHS if kinds >> PLAIN_KINDS else has_both + has_boxes, has_boxes


def order_of(links: StrongLinks, way: NDArray[np.int64], length: int, digit: int) -> int:
    """Return the place of a chain in the order: by the kinds of its houses, digit, links, walk and ends."""
    kinds, numbers, walk, sides, turn = 0, 0, 0, 0, 0
    for i in range(length):
        rank = 0
        for j in range(length):
            rank += way[j] >> 1 < way[i] >> 1
        kinds |= links.links[way[i] >> 1, KIND] << 4 * rank
        numbers |= (way[i] >> 1) << 7 * (length - 1 - rank)
        walk = 10 * walk + rank
        sides = 2 * sides + (way[i] & 1)
    while WALKS[turn] != walk:
        turn += 1
    return ((kinds << 4 | digit) << 28 | numbers) << 8 | turn << 4 | sides


# What a chain removes, and the best chain.


def remove_between(links: StrongLinks, one: int, other: int, kept: NDArray[np.int64], removed: NDArray[np.int64]) -> int:
    """Add what two ends see, but for the candidates that are ``kept``, to a set; return how much that is."""
    count = 0
    for word in range(2):
        gone = links.seen[one, word] & links.seen[other, word] & ~kept[word]
        removed[word] |= gone
        count += size_of(gone)
    return count


def remove_by_chain(
    links: StrongLinks, way: NDArray[np.int64], length: int, kept: NDArray[np.int64], removed: NDArray[np.int64]
) -> int:
    """Fill ``removed`` with what a chain or loop removes, nothing from its own houses; return how much that is.

    A chain removes nothing from the houses that join its links either; a loop does.
    """
    is_loop = loop_house(links, way, length) >= 0
    fill(kept, 0)
    fill(removed, 0)
    for i in range(length):
        link = links.links[way[i] >> 1]
        own = links.places[SIDE * link[KIND] + link[HOUSE]]
        kept[0], kept[1] = kept[0] | own[0], kept[1] | own[1]
        if i and not is_loop:
            own = links.places[links.joints[way[i - 1] ^ 1, way[i]]]
            kept[0], kept[1] = kept[0] | own[0], kept[1] | own[1]
    count = remove_between(links, way[0], way[length - 1] ^ 1, kept, removed)
    if is_loop:
        for i in range(1, length):
            count += remove_between(links, way[i - 1] ^ 1, way[i], kept, removed)
    return count


def use_chain(
    grid: RatedGrid, links: StrongLinks, way: NDArray[np.int64], length: int, digit: int, best: BestChain, sets: NDArray[np.int64]
) -> None:
    """Keep a chain as the hint if it is better than the best so far; ``sets`` is room for two sets of cells."""
    pattern = pattern_of(links, way, length)
    is_grouped = pattern >= GROUPED_FROM[length]
    mixture, has_boxes = mixture_of(links, way, length)
    rating = RATINGS[length] + (EXTRA_TENTHS if is_grouped else mixture)
    if grid.hint[RATING] and rating > grid.hint[RATING]:
        return
    if loop_house(links, way, length) >= 0 and not is_first_turn(way, length):
        return
    count = remove_by_chain(links, way, length, sets[0], sets[1])
    rank = ((rating << 12) - count << 20) | pattern
    if count == 0 or (best.key[0] and rank > best.key[0]):
        return
    order = order_of(links, way, length, digit)
    if rank != best.key[0] or order < best.key[1]:
        best.key[0], best.key[1] = rank, order
        copy(sets[1], best.removed)
        shape = length if length > 2 else 2 if has_boxes or mixture == EXTRA_TENTHS else mixture
        grid.hint[RATING], grid.hint[NAME] = rating, (GROUPED_LINKS if is_grouped else STRONG_LINKS) + shape
        grid.hint[CELL], grid.hint[DIGIT] = -1, digit


def walk_chains(grid: RatedGrid, links: StrongLinks, length: int, digit: int, best: BestChain) -> None:
    """Go through all chains of so many links of a digit."""
    way, sets = np.zeros(LONGEST, np.int64), np.zeros((2, 2), np.int64)
    depth, way[0] = 0, -1
    while depth >= 0:
        way[depth] += 1
        if way[depth] == 2 * links.number[0]:
            depth -= 1
        elif fits(links, way, depth, length):
            if depth == length - 1:
                use_chain(grid, links, way, length, digit, best, sets)
            else:
                depth += 1
                way[depth] = -1


def find_strong_links(grid: RatedGrid, length: int) -> bool:
    """Look for the best chain of so many strong links."""
    links, best = make_strong_links(grid), BestChain(np.zeros(2, np.int64), np.zeros(2, np.int64))
    clear_hint(grid)
    for digit in range(SIDE):
        add_links(grid, links, digit)
        fill_places(grid, links, digit)
        join_ends(links)
        walk_chains(grid, links, length, digit, best)
    for cell in range(len(grid.removed)):
        grid.removed[cell] = (best.removed[cell // HALF] >> cell % HALF & 1) << grid.hint[DIGIT]
    return bool(grid.hint[RATING] > 0)
