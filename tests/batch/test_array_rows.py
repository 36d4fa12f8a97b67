"""Rows made from arrays equal rows made one by one."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.batch.rows.array_rows import append_columns, format_decimals, join_columns, take_texts


def rows(number: int, column) -> list[bytes]:
    """Return each row of a column."""
    return join_columns(number, [column, b"\n"]).split(b"\n")[:-1]


@given(st.lists(st.integers(0, 10**18), min_size=1, max_size=20))
def test_numbers_are_written_as_ever(numbers) -> None:
    """Any numbers are written in decimal digits without leading zeros."""
    assert rows(len(numbers), format_decimals(np.array(numbers))) == [str(number).encode() for number in numbers]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=20), st.lists(st.text("ab,", max_size=4), min_size=3, max_size=3))
def test_words_are_chosen_by_number(which, texts) -> None:
    """Each row gets the text that its number chooses, whatever the lengths."""
    assert rows(len(which), take_texts(np.array(which), texts)) == [texts[number].encode() for number in which]


@pytest.mark.parametrize("longest", [20, 60_000])
def test_columns_stand_behind_lines_of_any_length(longest: int) -> None:
    """Each line gets its own columns, in memory proportional to the text, whether the lines are equally long or not."""
    lines = [b"a" * (longest if number == 7 else 10 + number % 5) for number in range(1000)]
    kept = b"".join(line + b"\n" for line in lines)
    tracemalloc.start()
    found = append_columns(kept, [b",", format_decimals(np.arange(1000)), b"\n"])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == b"".join(b"%b,%d\n" % (line, number) for number, line in enumerate(lines))
    assert most < 5 * len(kept) + 300_000
