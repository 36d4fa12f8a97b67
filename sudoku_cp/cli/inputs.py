"""What the PUZZLE arguments mean: texts, files or standard input, read one puzzle at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from json import JSONDecodeError, loads
from pathlib import Path
from typing import Any

from sudoku_cp.cli.output import BAD_INPUT, YES, remark
from sudoku_cp.cli.progress import watched
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats import Record, read_records, records_of_text
from sudoku_cp.grid import Grid, default_boxes
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Rule, rule_from_json

MANY = 1000
"""How many puzzles a file is taken to hold, for choosing an engine before it is read."""
_LONGEST_PATH = 4096


@dataclass(frozen=True)
class Wish:
    """How the user wants the input read."""

    format: str | None = None
    size: str | None = None
    boxes: str | None = None
    alphabet: str | None = None
    rules: str | None = None

    def grid(self) -> Grid | None:
        """Return the grid of plain texts, None where their length is to say it."""
        if self.size is None and self.boxes is None:
            return None
        boxes = None if self.boxes in {None, "none"} else _pair("--boxes", "HEIGHTxWIDTH such as 3x4", self.boxes)
        if self.size is not None:
            rows, columns = _pair("--size", "ROWSxCOLUMNS such as 6x8", self.size)
        elif boxes:
            rows = columns = boxes[0] * boxes[1]
        else:
            raise InvalidInput("expected --size beside --boxes none")
        if self.boxes is None and rows == columns:
            boxes = default_boxes(rows)
        return Grid.rectangle(rows, columns, boxes)


def _pair(option: str, expected: str, text: str | None) -> tuple[int, int]:
    first, letter, second = str(text).lower().partition("x")
    if not (letter and first.isdecimal() and second.isdecimal() and int(first) and int(second)):
        raise InvalidInput(f"{option}: expected {expected}, got {text!r}")
    return int(first), int(second)


def entries(arguments: Iterable[str], wish: Wish) -> Iterator[Record]:
    """Yield every puzzle of every argument, or the error in its place, with the rules asked for added."""
    for argument in arguments:
        for record in _records(argument, wish):
            yield record if record.puzzle is None else _with_rules(record, wish.rules)


def amount(arguments: Iterable[str]) -> int:
    """Return about how many puzzles there will be."""
    return sum(MANY if argument == "-" or _is_file(argument) else 1 for argument in arguments)


def _is_file(argument: str) -> bool:
    try:
        return len(argument) <= _LONGEST_PATH and Path(argument).exists()
    except (OSError, ValueError):  # too long a name, or a NUL in it: no file
        return False


def _records(argument: str, wish: Wish) -> Iterator[Record]:
    options: dict[str, Any] = {"format": wish.format, "grid": wish.grid(), "alphabet": wish.alphabet}
    if argument == "-":
        return read_records(sys.stdin.buffer, name="standard input", **options)
    if _is_file(argument):
        return read_records(Path(argument), **options)
    return _records_of_argument(argument, options)


def _records_of_argument(argument: str, options: dict[str, Any]) -> Iterator[Record]:
    """Read the argument itself; what is neither a puzzle nor a file may have been meant as either."""
    try:
        for record in records_of_text(argument, **options):
            yield record if record.error is None else replace(record, error=_neither(argument, record.error))
    except ParseError as error:
        raise _neither(argument, error) from error


def _neither(argument: str, error: ParseError) -> ParseError:
    problems = (f"expected a puzzle or a file, got {argument!r:.60}", "there is no such file", *error.problems)
    return ParseError(problems, column=error.column)


def _with_rules(record: Record, wanted: str | None) -> Record:
    if not wanted or record.puzzle is None:
        return record
    puzzle = record.puzzle
    return replace(record, puzzle=replace(puzzle, rules=(*puzzle.rules, *_rules(wanted, puzzle.grid))))


@lru_cache(maxsize=64)
def _rules(wanted: str, grid: Grid) -> tuple[Rule, ...]:
    if not wanted.lstrip().startswith(("[", "{")):
        told: list[Any] = [name.strip() for name in wanted.split(",") if name.strip()]
    else:
        try:
            data = loads(wanted)
        except JSONDecodeError as error:
            raise InvalidInput(f"--rules: expected JSON, got an error at column {error.colno}: {error.msg}") from error
        told = data if isinstance(data, list) else [data]
    return tuple(rule_from_json(one, grid) for one in told)


class Readable:
    """The puzzles of the arguments; what cannot be read is told on standard error, counted in ``bad``, and left out."""

    def __init__(self, arguments: Iterable[str], wish: Wish, *, quiet: bool) -> None:
        """Read nothing yet."""
        self._records = watched(entries(arguments, wish), quiet=quiet)
        self.bad = 0

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles."""
        for record in self._records:
            if record.puzzle is not None:
                yield record.puzzle
            else:
                self.bad += 1
                remark(f"left out: {record.error}")

    @property
    def code(self) -> int:
        """The exit code that what was left out asks for."""
        return BAD_INPUT if self.bad else YES
