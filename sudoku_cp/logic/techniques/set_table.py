"""A hash table of sets, to be compiled: open addressing, a row of words for each set with two more behind, the last not 0."""

from __future__ import annotations

from typing import Any

import numpy as np

NONE = np.uint64(0)


def find_slot(table: Any, rows: Any, row: int, words: int) -> int:
    """Return the slot of a set, or the free one where it belongs."""
    mixed, last = NONE, len(table) - 1
    for word in range(words):
        mixed = (mixed ^ rows[row, word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(last))
    while table[slot, words + 1] != NONE:
        differences = NONE
        for word in range(words):
            differences |= table[slot, word] ^ rows[row, word]
        if differences == NONE:
            break
        slot = (slot + 1) & last
    return int(slot)


def move_slots(table: Any, larger: Any) -> None:
    """Copy what a table holds into an empty larger one."""
    words = table.shape[1] - 2
    for row in range(len(table)):
        if table[row, words + 1] != NONE:
            slot = find_slot(larger, table, row, words)
            for index in range(words + 2):
                larger[slot, index] = table[row, index]
