"""Which stated option is at fault where a puzzle cannot be read: the one without which it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import OptionProblem, ParseError

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options, Record

Read: TypeAlias = "Callable[[Options], Iterator[Record]]"
"""Reads the text from its beginning."""


class FaultyOptions:
    """Names the options at fault in the errors of records, which come in their order.

    The text is read once more without an option, as far as the last record with an error; none of this happens before
    the first error.
    """

    def __init__(self, options: Options, read: Read) -> None:
        """Take what is stated: the grid and the alphabet of plain texts."""
        stated = {"grid": options.grid, "alphabet": options.alphabet}
        self._stated = [name for name, value in stated.items() if value is not None]
        self._options, self._read = options, read
        self._others: dict[frozenset[str], Iterator[Record]] = {}
        self._last: dict[frozenset[str], Record | None] = {}

    def name_in(self, record: Record) -> Record:
        """Return a record; an error that comes from options alone is theirs."""
        error = record.error
        if error is None or not self._stated:
            return record
        numbers = range(1, len(self._stated) + 1)
        for omitted in map(frozenset, chain.from_iterable(combinations(self._stated, number) for number in numbers)):
            if (other := self._without(omitted, record.line)) and other.error is None:
                problems = [
                    OptionProblem(words, name) for name in sorted(omitted) for words in self._problems(name, omitted, record)
                ]
                return replace(record, error=ParseError(problems, source=error.source, line=error.line))
        return record

    def _problems(self, name: str, omitted: frozenset[str], record: Record) -> tuple[str, ...]:
        """Return what is wrong with an option alone, of several without which the text can be read."""
        alone = record if len(omitted) == 1 else self._without(omitted - {name}, record.line)
        return alone.error.problems if alone and alone.error else ()

    def _without(self, omitted: frozenset[str], line: int) -> Record | None:
        """Return what is read at a line without some options, or the last thing above; None if nothing is."""
        if omitted not in self._others:
            grid = None if "grid" in omitted else self._options.grid
            alphabet = None if "alphabet" in omitted else self._options.alphabet
            self._others[omitted] = self._read(replace(self._options, grid=grid, alphabet=alphabet))
            self._last[omitted] = None
        last = self._last[omitted]
        while last is None or last.line < line:
            following = next(self._others[omitted], None)
            if following is None:
                break
            last = following
        self._last[omitted] = last
        return last
