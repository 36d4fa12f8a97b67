"""A body as it came, read: the puzzle, the position, the options; everything that is wrong is reported at once.

The readers of the library are the only judges of puzzles. What is wrong is a `Problem`, whose path begins at the body: the
pointer of the third cell of a rule is ``/puzzle/rules/3/cells/2``. No text of a body is ever taken for the name of a file.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.backends.external import NAMES
from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, Problem, UnknownName, distinct, placed
from sudoku_cp.formats import FORMATS, Record, format_named, records_of_text
from sudoku_cp.formats.grid_text import parse_grid
from sudoku_cp.generate.requested_rules import parse_added_rules, with_added_rules
from sudoku_cp.puzzle import Position, Puzzle, from_json
from sudoku_cp.puzzle.json_document import position_from_json
from sudoku_cp.questions.question import CertificateSizes, Start, reading_names, spell_for_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sudoku_cp.grid import Grid

_T = TypeVar("_T")
_EMPTY = Puzzle.parse("." * 16)
"""What stands for a puzzle that cannot be read, so that the rest is checked."""
PROGRAMS = frozenset({"dimacs", "minizinc"})
"""Engines that run a program whose name follows a colon."""


@dataclass(frozen=True)
class Restrictions:
    """What those who ask may not ask, because they are strangers."""

    cells: int = sys.maxsize
    """Cells of a puzzle at most."""
    rules: int = sys.maxsize
    """Rules of a puzzle at most."""
    puzzles: int = sys.maxsize
    """New puzzles at most."""
    certificate: CertificateSizes = CertificateSizes()
    """What a certificate may have at most."""
    only_listed_programs: bool = False
    """Whether engines run only programs that are listed."""

    def require(self, record: Record) -> Record:
        """Return a record whose puzzle is not larger than allowed, or raise `InvalidInput`."""
        puzzle = record.puzzle
        assert puzzle is not None  # noqa: S101  # the others have raised
        cells, rules = len(puzzle.grid.cells), len(puzzle.rules)
        problems: list[str] = []
        if cells > self.cells:
            problems.append(Problem(f"expected a grid of at most {self.cells:,} cells, got {cells:,}", ["grid"]))
        if rules > self.rules:
            problems.append(Problem(f"expected at most {self.rules:,} rules, got {rules:,}", ["rules"]))
        if problems:
            raise InvalidInput(problems)
        return record


FREE = Restrictions()


class BodyReader:
    """Reads the body of a question; `end` raises what was found wrong until then."""

    def __init__(self, body: Mapping[str, Any], restrictions: Restrictions = FREE) -> None:
        """Take the body, whose fields have the right types; options that were not sent are not in it."""
        self.warnings: tuple[str, ...] = ()
        self.is_readable = False
        """Whether the one puzzle has been read; if it cannot be, what refers to its cells says nothing."""
        self._body = body
        self._restrictions = restrictions
        self._problems: list[str] = []
        self._record: Record | None = None

    # --- problems -----------------------------------------------------------------------------------------------

    def read(self, read: Callable[[], _T], otherwise: _T, *steps: str | int) -> _T:
        """Return ``read()``, or ``otherwise`` where it raises `InvalidInput`; the problems are placed inside of ``steps``."""
        try:
            return read()
        except InvalidInput as error:
            self._problems += [_placed(problem, *steps) for problem in error.problems]
            return otherwise

    def add(self, problems: Iterable[str]) -> None:
        """Note what is wrong; it holds its own place."""
        self._problems += [_placed(problem) for problem in problems]

    def end(self) -> None:
        """Raise `InvalidInput` with everything that is wrong."""
        if self._problems:
            raise InvalidInput(distinct(self._problems))

    # --- options ------------------------------------------------------------------------------------------------

    def get(self, name: str, default: Any = None) -> Any:
        """Return an option."""
        found = self._body.get(name)
        return default if found is None else found

    def require_listed_programs(self, field: str) -> bool:
        """Note the engines in an option that run a program which may not be run; return whether there are none."""
        if not self._restrictions.only_listed_programs:
            return True
        unlisted = [name for name in self.get(field, "").split(",") if _runs_program(name.strip()) and name.strip() not in NAMES]
        self.add(placed(problem, field) for name in unlisted for problem in UnknownName("program", name, NAMES).problems)
        return not unlisted

    # --- puzzles ------------------------------------------------------------------------------------------------

    def record(self) -> Record:
        """Return the one puzzle of the question, with rules added, and what its text says of a position."""
        if self._record is None:
            found = self.records(most=1)
            self.is_readable = bool(found)
            self._record = found[0] if found else Record(_EMPTY, None, 1)
        return self._record

    def puzzle(self) -> Puzzle:
        """Return the one puzzle of the question."""
        record = self.record()
        self.warnings = record.warnings
        return record.puzzle or _EMPTY

    def puzzle_if_any(self) -> Puzzle | None:
        """Return the one puzzle of the question; None for a question about a board, which `size` and `boxes` describe."""
        if self.get("puzzle") is not None:
            return self.puzzle()
        problems = len(self._problems)
        self.read(self._grid, None, "size")
        self.is_readable = len(self._problems) == problems
        return None

    def position(self) -> Position:
        """Return the position that is sent, or the one in the puzzle's text."""
        record = self.record()
        self.warnings = record.position_warnings
        sent = self.get("position")
        if sent is None or not self.is_readable:
            return record.position()
        puzzle = record.puzzle or _EMPTY
        return self.read(lambda: position_from_json(puzzle, sent), Position.of(puzzle), "position")

    def start(self) -> Start:
        """Return the position, with what a library line searches if it is that of one."""
        position, state = self.position(), self.record().state
        return Start(position, state.values if state and self.get("position") is None else None)

    def certificate(self) -> dict[str, bytes]:
        """Return the files of the certificate."""
        from sudoku_cp.questions.archives import unpack  # noqa: PLC0415  # few questions have one

        nothing: dict[str, bytes] = {}
        return self.read(lambda: unpack(self.get("certificate", ""), self._restrictions.certificate), nothing, "certificate")

    def require_few(self, number: int) -> None:
        """Note that more puzzles are to be made than is allowed."""
        if number > self._restrictions.puzzles:
            self.add([Problem(f"expected at most {self._restrictions.puzzles:,} puzzles, got {number:,}", ["count"])])

    def sheets(self, most: int) -> list[Position]:
        """Return what is printed of each puzzle: the position that is sent with it, or the one in its text."""
        records = self.several(most, "puzzles")
        self.warnings = tuple(dict.fromkeys(warning for record in records for warning in record.position_warnings))
        found = [record.position() for record in records]
        for index, (position, sent) in enumerate(zip(found, self.get("positions", []), strict=False)):
            if sent is not None:
                found[index] = self.read(partial(position_from_json, position.puzzle, sent), position, "positions", index)
        return found

    def several(self, most: int, field: str = "puzzle") -> list[Record]:
        """Return the puzzles of the question, at most so many."""
        records = self.records(most, field)
        self.is_readable = bool(records)
        self.warnings = tuple(dict.fromkeys(warning for record in records for warning in record.warnings))
        return records

    def collection(self, most: int) -> list[Record]:
        """Return the puzzles of a question about what is wrong with them, those that cannot be read with their errors."""
        records = self.records(most, keep_errors=True)
        self.is_readable = bool(records)
        return records

    def records(self, most: int, field: str = "puzzle", *, keep_errors: bool = False) -> list[Record]:
        """Return the puzzles in a field of the question, at most so many, or none if anything is wrong with them.

        With ``keep_errors``, those that cannot be read are records like others; what is wrong with options never is.
        """
        sent = self.get(field, "")
        steps: tuple[str | int, ...] = (field,)
        found: list[Record] = []
        keywords = self._reader_options()
        added = self.read(lambda: parse_added_rules(self.get("rules", "")), (), "rules")
        if keywords["format"] and self.read(lambda: format_named(keywords["format"]), None, "from") is None:
            return []
        is_list = isinstance(sent, list) and not _is_matrix(sent, most)
        for index, one in enumerate(sent if is_list else [sent]):
            place = (*steps, index) if is_list else steps
            found += self.read(partial(self._read_records, one, keywords, most, keep_errors=keep_errors), [], *place)
            if len(found) > most:
                self._problems.append(Problem(_too_many(most), place))
                break
        return self._with_rules(found[:most], added, steps, keep_errors=keep_errors)

    def _with_rules(
        self, records: list[Record], added: tuple[Any, ...], steps: tuple[str | int, ...], *, keep_errors: bool
    ) -> list[Record]:
        """Return records with the rules of ``rules`` added."""
        if not added:
            return records
        if keep_errors:
            return [with_added_rules(one, added) for one in records]
        return [self.read(partial(self._with_added, one, added), one, *steps) for one in records]

    def _read_records(
        self, sent: str | dict[str, Any] | list[Any], keywords: dict[str, Any], most: int, *, keep_errors: bool
    ) -> list[Record]:
        """Return the puzzles of a text, an object (ours or one with a matrix) or an array, one more than wanted if there are.

        The first error is raised, unless errors are kept.
        """
        if isinstance(sent, list) or ("format" not in sent and isinstance(sent, dict) and _has_cells(sent)):
            sent = json.dumps(sent)
            keywords = {**keywords, "format": "cells" if FORMATS["cells"].sniff(sent) else "matrix"}
        if isinstance(sent, dict):
            return [self._read_document(sent, keep_errors=keep_errors)]
        found = []
        for record in islice(records_of_text(sent, **keywords), most + 1):
            if record.error is None:
                found.append(self._restrictions.require(record))
            elif keep_errors and not _is_about_options(record.error):
                found.append(record)
            else:
                error = record.error.renamed(reading_names(self.get("size")))
                raise InvalidInput(_with_place_in_text(error, several=most > 1))
        return found

    def _read_document(self, sent: dict[str, Any], *, keep_errors: bool) -> Record:
        try:
            puzzle = from_json(sent)
        except InvalidInput as error:
            if not keep_errors:
                raise
            return Record(None, ParseError(error.problems, line=1), 1)
        return self._restrictions.require(Record(puzzle, None, 1))

    def _with_added(self, record: Record, added: tuple[Any, ...]) -> Record:
        """Return a record with rules added; what is wrong with those is raised, placed in ``rules`` as they were sent."""
        found = with_added_rules(record, added)
        if found.error is not None:
            raise InvalidInput(_with_place_in_text(found.error, several=False))
        return self._restrictions.require(found)

    def _reader_options(self) -> dict[str, Any]:
        return {
            "format": self.get("from"),
            "grid": self.read(self._grid, None, "size"),
            "alphabet": self.get("alphabet"),
            "strict": bool(self.get("strict")),
        }

    def _grid(self) -> Grid | None:
        size = self.get("size")
        return parse_grid(None if size is None else str(size), self.get("boxes"))


def _runs_program(engine: str) -> bool:
    """Return whether an engine runs a program that its name says."""
    family, _, kind = engine.partition(":")
    return family in PROGRAMS and bool(kind)


def _is_matrix(sent: list[Any], most: int) -> bool:
    """Return whether an array is rows of cells, or all cells, rather than several puzzles (texts, objects and matrices)."""
    rows = [row for row in sent if isinstance(row, list)]
    if most == 1 or not all(isinstance(one, str | dict | list) for one in sent):
        return True
    return 0 < len(rows) == len(sent) and not any(isinstance(cell, list | dict) for row in rows for cell in row)


def _has_cells(sent: dict[str, Any]) -> bool:
    text = json.dumps(sent)
    return FORMATS["matrix"].sniff(text) or FORMATS["cells"].sniff(text)


def _with_place_in_text(error: ParseError, *, several: bool) -> Iterator[str]:
    """Yield the problems of a text with their line, if it has several, and their column, where these are known."""
    line = f"line {error.line}: " if error.line and (several or error.line > 1) else ""
    for problem in error.problems:
        yield placed(problem, words=f"{line}{problem}")


def _is_about_options(error: InvalidInput) -> bool:
    return any(isinstance(problem, OptionProblem) and problem.option for problem in error.problems)


def _too_many(most: int) -> str:
    if most > 1:
        return f"expected at most {most:,} puzzles, got more"
    return "expected one puzzle, got several: ask about each by itself"


def _placed(problem: str, *steps: str | int) -> Problem:
    """Return a problem inside of ``steps``, or of the option that it is about, with options as a body has them."""
    if not isinstance(problem, OptionProblem):
        return placed(problem, *steps)
    return OptionProblem(
        spell_for_json(problem), problem.option, ((problem.option,) if problem.option else steps) + problem.path, problem.cell
    )
