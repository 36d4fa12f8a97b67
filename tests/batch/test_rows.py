"""Rows made of arrays are what they would be if they were made one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.batch.rows import assembled, decimals, words


def rows(number: int, column) -> list[bytes]:
    """Return each row of a column."""
    return assembled(number, [column, b"\n"]).split(b"\n")[:-1]


@given(st.lists(st.integers(0, 10**18), min_size=1, max_size=20))
def test_numbers_are_written_as_ever(numbers) -> None:
    """Any numbers come out in decimal digits without leading zeros."""
    assert rows(len(numbers), decimals(np.array(numbers))) == [str(number).encode() for number in numbers]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=20), st.lists(st.text("ab,", max_size=4), min_size=3, max_size=3))
def test_words_are_chosen_by_number(which, texts) -> None:
    """Each row gets the text of its number, whatever their lengths."""
    assert rows(len(which), words(np.array(which), texts)) == [texts[number].encode() for number in which]
