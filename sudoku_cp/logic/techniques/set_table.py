"""Sets as bits, for searches that run on integers of any size, and compiled on words; and a hash table of such sets.

What is defined here is for integers. `compiled_fish` puts in its place what words of 64 bits need.
"""

from __future__ import annotations

from typing import Any

NONE, ONE = 0, 1
"""The empty set, and the set of 0 alone."""
WORD = 1 << 30
"""The members of a set in one word: more than there will be."""
as_set = as_number = int
"""A number in an array of sets, and the number that was put there."""


def set_of(member: int) -> Any:
    """Return the set of one member."""
    return 1 << member


def smallest(members: Any) -> int:
    """Return the smallest member of a set that is not empty."""
    number: int = (members & -members).bit_length() - 1
    return number


def largest(members: Any) -> int:
    """Return the largest member of a set that is not empty."""
    number: int = members.bit_length() - 1
    return number


def size_of(members: Any) -> int:
    """Return how many members a set has."""
    number: int = members.bit_count()
    return number


def mix(mixed: Any, word: Any) -> Any:
    """Return a hash of sets, and of one more."""
    return hash((mixed, word)) & (1 << 60) - 1


# The table: open addressing, a row of words for each set with two more behind, the last not 0.


def find_slot(table: Any, rows: Any, row: int, words: int) -> int:
    """Return the slot of a set, or the free one where it belongs."""
    mixed, last = NONE, len(table) - 1
    for word in range(words):
        mixed = mix(mixed, rows[row, word])
    slot = as_number(mixed & as_set(last))
    while table[slot, words + 1] != NONE:
        differences = NONE
        for word in range(words):
            differences |= table[slot, word] ^ rows[row, word]
        if differences == NONE:
            break
        slot = (slot + 1) & last
    return slot


def move_slots(table: Any, larger: Any) -> None:
    """Copy what a table holds into an empty larger one."""
    words = table.shape[1] - 2
    for row in range(len(table)):
        if table[row, words + 1] != NONE:
            slot = find_slot(larger, table, row, words)
            for index in range(words + 2):
                larger[slot, index] = table[row, index]
