"""Colour refinement (B. Weisfeiler, A. Leman 1968): a fingerprint that isomorphic boards with boxes share.

Each given has a colour. In each round the colours within each row, column, box, band, stack and value are added up, and each
given gets a new colour from the sums that it is part of. Sums over all givens do not change when lines, bands or values change
places. Boards that are not isomorphic almost never have the same fingerprint.

Rules of this file: integers in flat sequences and nothing else, none above 2**62, so that Numba compiles it as it stands
(in `distinct_puzzles`) and Python runs it. A board has 0 in blank cells and values from 1.
"""

from __future__ import annotations

from typing import Any

ROUNDS = 3
"""After three rounds different 9x9 puzzles share a fingerprint as rarely as random numbers would."""
MASK = (1 << 30) - 1
LINE, BOX, BAND, VALUE, OWN, FIRST, SECOND = (
    1013904223,
    668265263,
    374761393,
    461845907,
    896273145,
    945164201,
    1037284753,
)
"""Odd factors of about 2**30 that keep the sums of different kinds apart; rows and columns share one, as they may be swapped."""


def mix_bits(number: int, factor: int) -> int:
    """Return 30 bits that depend on all bits of a number, differently for each factor."""
    number &= MASK
    number = (number * factor >> 13 ^ number) & MASK
    return (number * OWN >> 15 ^ number) & MASK


PARTS = 5
"""The parts of the board that a cell lies in: a row, a column, a box, a band, a stack."""


def parts_of(rows: int, columns: int, height: int, width: int) -> list[int]:
    """Return the parts of each cell as indices of their sums: lines, then boxes, then bands and stacks; values follow."""
    stacks, bands = columns // width, rows // height
    boxes = rows + columns
    lots = boxes + stacks * bands
    found: list[int] = []
    for row in range(rows):
        for column in range(columns):
            band, stack = row // height, column // width
            found += [row, rows + column, boxes + band * stacks + stack, lots + band, lots + bands + stack]
    return found


def refine_colours(board: Any, given: Any, number: int, parts: Any, ends: Any, colours: Any, sums: Any) -> None:
    """Give the first ``number`` cells of ``given`` new colours from the sums of the parts that they lie in."""
    for place in range(ends[3]):
        sums[place] = 0
    for index in range(number):
        cell = given[index]
        for part in range(cell * PARTS, cell * PARTS + PARTS):
            sums[parts[part]] += colours[index]
        sums[ends[2] + board[cell]] += colours[index]
    for place in range(ends[3]):
        factor = LINE if place < ends[0] else BOX if place < ends[1] else BAND if place < ends[2] else VALUE
        sums[place] = mix_bits(sums[place], factor)
    for index in range(number):
        cell = given[index]
        met = colours[index] * 3 + sums[ends[2] + board[cell]]
        for part in range(cell * PARTS, cell * PARTS + PARTS):
            met += sums[parts[part]]
        colours[index] = mix_bits(met, OWN)


def fingerprint(board: Any, parts: Any, ends: Any, given: Any, colours: Any, sums: Any) -> int:
    """Return the fingerprint of a board; ``ends`` are where the sums of lines, boxes, bands and stacks, and values end."""
    number = 0
    for cell in range(len(board)):
        if board[cell]:
            given[number] = cell
            colours[number] = 1
            number += 1
    for _ in range(ROUNDS):
        refine_colours(board, given, number, parts, ends, colours, sums)
    first = second = 0
    for index in range(number):
        first += mix_bits(colours[index], FIRST)
        second += mix_bits(colours[index], SECOND)
    return (first & MASK) << 30 | second & MASK


def fingerprints(boards: Any, parts: Any, ends: Any, given: Any, colours: Any, sums: Any, found: Any) -> None:
    """Write the fingerprint of each board into ``found``."""
    for index in range(len(boards)):
        found[index] = fingerprint(boards[index], parts, ends, given, colours, sums)
