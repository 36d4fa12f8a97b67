"""What the PUZZLE arguments mean: texts, files or standard input, read one puzzle at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from sudoku_cp.backends import MANY
from sudoku_cp.cli.output import BAD_INPUT, YES, error_told, say_json
from sudoku_cp.cli.progress import watched
from sudoku_cp.cli.remarks import Warnings, troubles
from sudoku_cp.errors import InvalidInput, ParseError, SudokuError, UnknownName
from sudoku_cp.formats import Record, read_records, records_of_text
from sudoku_cp.grid import MAX_SIDE, Grid, default_boxes
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import RULES, rule_from_json

NO_PUZZLES = {".md", ".py", ".part", ".resume", ".rows", ".seen"}
"""Endings of what may lie beside puzzles in a folder."""
_LONGEST_PATH = 4096
_DIGITS = 3


@dataclass(frozen=True)
class Wish:
    """How the user wants the input read."""

    format: str | None = None
    size: str | None = None
    boxes: str | None = None
    alphabet: str | None = None
    rules: str | None = None
    strict: bool = False

    def grid(self) -> Grid | None:
        """Return the grid of plain texts, None where their length is to say it."""
        if self.size is None and self.boxes is None:
            return None
        boxes = None if self.boxes in {None, "none"} else _pair("--boxes", "HEIGHTxWIDTH such as 3x4", self.boxes)
        if self.size is not None:
            rows, columns = _size(self.size.strip())
        elif boxes:
            rows = columns = boxes[0] * boxes[1]
        else:
            raise InvalidInput("expected --size beside --boxes none")
        if self.boxes is None and rows == columns:
            boxes = default_boxes(rows)
        return Grid.rectangle(rows, columns, boxes)


def _size(text: str) -> tuple[int, int]:
    """Return the rows and columns of ``9`` or ``6x8``."""
    if "x" in text.lower():
        return _pair("--size", "ROWSxCOLUMNS such as 6x8", text)
    if not text.isdecimal() or len(text) > _DIGITS or not 2 <= int(text) <= MAX_SIDE:  # noqa: PLR2004
        raise InvalidInput(f"--size: expected a side of 2 to {MAX_SIDE}, or ROWSxCOLUMNS such as 6x8, got {text!r:.60}")
    return int(text), int(text)


def _pair(option: str, expected: str, text: str | None) -> tuple[int, int]:
    first, letter, second = str(text).lower().partition("x")
    short = len(first) <= _DIGITS and len(second) <= _DIGITS
    if not (letter and short and first.isdecimal() and second.isdecimal() and int(first) and int(second)):
        raise InvalidInput(f"{option}: expected {expected}, got {text!r:.60}")
    return int(first), int(second)


def entries(arguments: Iterable[str], wish: Wish) -> Iterator[Record]:
    """Yield every puzzle of every argument, or the error in its place, with the rules asked for added."""
    told = rules_told(wish.rules or "")
    for name in [name for argument in arguments for name in files_of(argument)]:  # before anything is written among them
        for record in _records(name, wish):
            yield _with_rules(record, told) if told else record


class Counted:
    """The puzzles of the arguments, and about how many there are, for choosing an engine.

    So many plain grids are read ahead as make a difference to the choice. Of standard input that somebody may be typing
    nothing is: there as many are expected as have come.
    """

    def __init__(self, arguments: Sequence[str], wish: Wish) -> None:
        """Read nothing yet."""
        self._records = entries(arguments, wish)
        self._may_read_ahead = "-" not in arguments or sys.stdin.seekable()
        self._passed = self._ahead = 0

    @property
    def amount(self) -> int:
        """About how many puzzles there are."""
        return max(self._passed, self._ahead)

    def __iter__(self) -> Iterator[Record]:
        """Yield the puzzles, or the errors in their places."""
        ahead: list[Record] = []
        try:
            while self._may_read_ahead and len(ahead) < MANY and (record := next(self._records, None)) is not None:
                ahead.append(record)
                if record.puzzle is not None and not record.puzzle.is_plain:
                    break
        except SudokuError as error:
            trouble: SudokuError | None = error
        else:
            trouble = None
        self._ahead = len(ahead)
        for record in chain(ahead, self._records):
            self._passed += 1
            yield record
        if trouble:
            raise trouble


def refuse_to_overwrite(outputs: Iterable[str | Path], arguments: Iterable[str]) -> None:
    """Refuse an output that is one of the files of the arguments, or standard input."""
    names = [name for argument in arguments for name in files_of(argument)]
    refuse_inputs(outputs, [sys.stdin.buffer if name == "-" else name for name in names if name == "-" or is_file(name)])


def is_file(argument: str) -> bool:
    """Say whether an argument names something on disk."""
    try:
        return 0 < len(argument) <= _LONGEST_PATH and Path(argument).exists()
    except (OSError, ValueError):  # too long a name, or a NUL in it: no file
        return False


def utf8_text(argument: str) -> str:
    """Return an argument that is a text and no name of a file: UTF-8, also where the locale says that there is only ASCII."""
    return argument if argument.isascii() else argument.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def files_of(argument: str) -> list[str]:
    """Return the files of a folder, in the order of their names, or else the argument itself."""
    if not (is_file(argument) and Path(argument).is_dir()):
        return [argument]
    names = sorted(str(path) for path in Path(argument).iterdir() if path.is_file() and path.suffix not in NO_PUZZLES)
    if not names:
        raise InvalidInput(f"{argument}: expected a folder with files of puzzles, got none")
    return names


def _records(argument: str, wish: Wish) -> Iterator[Record]:
    options: dict[str, Any] = {
        "format": wish.format,
        "grid": wish.grid(),
        "alphabet": wish.alphabet and utf8_text(wish.alphabet),
        "strict": wish.strict,
    }
    if argument == "-":
        return read_records(sys.stdin.buffer, name="standard input", **options)
    if is_file(argument):
        return read_records(Path(argument), **options)
    return _records_of_argument(argument, options)


def _records_of_argument(argument: str, options: dict[str, Any]) -> Iterator[Record]:
    """Read the argument itself; what is neither a puzzle nor a file may have been meant as either."""
    for record in records_of_text(utf8_text(argument), **options):
        yield record if record.error is None else replace(record, error=neither(argument, record.error))


def neither(argument: str, error: ParseError) -> ParseError:
    """Return the error of an argument that is no puzzle and names no file."""
    no_file = [] if argument.lstrip().startswith(("{", "[")) else ["there is no such file"]
    problems = (f"expected a puzzle or a file, got {argument!r:.60}", *no_file, *error.problems)
    return ParseError(problems, column=error.column)


def rules_told(wanted: str) -> tuple[Any, ...]:
    """Return the rules of ``--rules`` as plain data, of kinds that there are."""
    wanted = utf8_text(wanted)
    if not wanted.lstrip().startswith(("[", "{")):
        from sudoku_cp.cli.rule_names import rules_by_name  # noqa: PLC0415  # most calls name no rules

        told: list[Any] = rules_by_name(name for name in wanted.split(",") if name.strip())
    else:
        import json  # noqa: PLC0415  # 1 ms that few calls need

        try:
            data = json.loads(wanted)
        except json.JSONDecodeError as error:
            raise InvalidInput(f"--rules: expected JSON, got an error at column {error.colno}: {error.msg}") from error
        except RecursionError as error:
            raise InvalidInput("--rules: expected JSON, got brackets within brackets without end") from error
        told = data if isinstance(data, list) else [data]
    for rule in told:
        kind = rule.get("kind") if isinstance(rule, dict) else rule
        if kind not in list(RULES):
            raise UnknownName("rule", kind, RULES)
    return tuple(told)


def _with_rules(record: Record, told: tuple[Any, ...]) -> Record:
    """Add rules to a record's puzzle; where they do not fit it, that is the record's error."""
    if record.puzzle is None:
        return record
    try:
        rules = tuple(rule_from_json(rule, record.puzzle.grid) for rule in told)
        return replace(record, puzzle=replace(record.puzzle, rules=(*record.puzzle.rules, *rules)))
    except InvalidInput as error:
        return replace(record, puzzle=None, error=ParseError(error.problems, line=record.line))


class Readable:
    """The puzzles of the arguments; what cannot be read is told on standard error, counted in ``bad``, and left out.

    ``index`` and ``record`` are those of the puzzle that came last; ``troubles`` tells of records in trouble.
    """

    def __init__(self, arguments: Iterable[str], wish: Wish, *, quiet: bool, as_json: bool = False) -> None:
        """Read nothing yet; ``as_json`` has what cannot be read told on standard output too."""
        self._records = watched(entries(arguments, wish), quiet=quiet)
        self._warnings = Warnings(quiet=quiet)
        self._as_json = as_json
        self.troubles = troubles()
        self.bad = 0
        self.index = 0
        self.record: Record | None = None

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles."""
        try:
            for index, record in enumerate(self._records):
                if record.puzzle is not None:
                    self._warnings.add(index, record.warnings)
                    self.index, self.record = index, record
                    yield record.puzzle
                elif record.error is not None:
                    self._leave_out(index, record.error)
        finally:
            self._warnings.end()
            self.troubles.end()

    def _leave_out(self, index: int, error: ParseError) -> None:
        self.bad += 1
        self.troubles.add(f"left out: {error}")
        if self._as_json:
            say_json(error_told(index, error))

    @property
    def code(self) -> int:
        """The exit code that what was left out asks for."""
        return BAD_INPUT if self.bad else YES
