"""Tables fit the terminal, and every word in them stays whole."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.cli.output import print_table

VERBS = {
    "backends": ("backends",),
    "formats": ("formats",),
    "rules": ("rules", "thermometer", "automaton", "regular-expression"),
    "compare": ("compare", "1234341221434321", "--backends", "native,sat"),
    "check": ("check", "12343412214343..", "--rules", '[{"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}]'),
}


def _words(out: str) -> set[str]:
    """Return all words; times differ from call to call."""
    out = re.sub(r"\b\d+\.\d+\b", "TIME", out)
    return set(re.sub(r"[─│┌┐└┘├┤┬┴┼━┃┏┓┗┛┡┩╇┳┻]", " ", out).split())


@pytest.mark.parametrize("verb", VERBS)
def test_a_narrow_table_leaves_out_columns_and_breaks_no_word(call, verb: str) -> None:
    """At 40 columns no line of a table is longer, no word is cut, and what is missing is named."""
    wide, narrow = (call(*VERBS[verb], COLUMNS=columns) for columns in ("400", "40"))
    table = [line for line in narrow.out.splitlines() if line[:1] in "│┃├┌└┏┡"]
    assert table
    assert max(map(len, table)) <= 40
    assert "…" not in narrow.out
    assert _words("\n".join(table)) <= _words(wide.out)
    missing = re.search(r"\(left out, as 40 columns are too few: (.*)\)", narrow.out)
    heads = wide.out.split("┡")[0]
    assert "left out, as" not in wide.out
    assert missing is None or all(name in heads for name in missing[1].split(", "))


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault of the table
@given(
    st.lists(st.lists(st.text("ab \n", max_size=40), min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(12, 60),
)
def test_any_table_fits_where_its_longest_words_do(rows: list[list[str]], width: int) -> None:
    """No line exceeds the width if the first column's words fit, whatever the words of the others."""
    with redirect_stdout(StringIO()) as out:
        print_table([dict(zip(("one", "two", "three"), row, strict=True)) for row in rows], width=width)
    table = [line for line in out.getvalue().splitlines() if not line.startswith("(left out")]
    assert max(map(len, table)) <= width
    longest = max(len(word) for row in rows for word in [*row[0].split(), "one"])
    if longest <= width - 4:
        assert {word for row in rows for word in row[0].split()} <= _words("\n".join(table))


def test_backends_are_those_that_are_there_and_a_line_of_others(call) -> None:
    """The table has the installed engines, one line names those that could be installed, and JSON has all of them."""
    told = {one["backend"]: one["installed"] for one in call("backends", "--json").json_lines}
    out = call("backends").out
    first = {line.split("│")[1].strip() for line in out.splitlines() if line.startswith("│")} - {""}
    assert first == {name for name, installed in told.items() if installed}
    lines = [line for line in out.splitlines() if line.startswith("not installed: ")]
    named = [name for line in lines for name in line.removeprefix("not installed: ").partition(" (")[0].split(", ")]
    missing = {name for name, installed in told.items() if not installed}
    assert len(lines) == bool(missing)
    assert {name.partition(":")[0] for name in named} == {name.partition(":")[0] for name in missing}
