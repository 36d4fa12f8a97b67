"""What a question is: its options as the fields of a dataclass, what contradicts what, and how it is answered.

A question is declared once, in a file of this room. The command line, the service, the reference and the plain call read the
declaration, and none of them knows a single question. Words name an option in backquotes and a question in angle brackets;
each reader spells them in its own way: ``--limit`` or ``'limit'``, ``sudoku-cp rules`` or ``/v1/rules``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from importlib import import_module
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeAlias, get_type_hints

from sudoku_cp.backends import Cancellation, Limits, backend, known_backends
from sudoku_cp.errors import InvalidInput, Problem, UnknownName, of_option, placed, require_seed
from sudoku_cp.formats import format_named
from sudoku_cp.formats.grid_text import parse_grid
from sudoku_cp.generate.requested_rules import parse_added_rules
from sudoku_cp.questions.answer import PositionJson, QuestionAnswer
from sudoku_cp.symbols import ALPHABETS, Symbols

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid
    from sudoku_cp.logic.rating.levels import Levels
    from sudoku_cp.puzzle import Position


Fields: TypeAlias = dict[str, Any]
"""The fields of a JSON object."""
_NAMED = re.compile(r"`([a-z_]+)`|<([a-z]+)>")


class Option(NamedTuple):
    """One option as readers see it."""

    field: str
    """The field of the question."""
    name: str
    """As it is asked for, with underscores."""
    hint: Any
    """Its type, one that JSON has."""
    default: Any
    """`MISSING` if it is required."""
    words: str
    ge: float | None = None
    le: float | None = None
    lt: float | None = None
    metavar: str | None = None
    """What stands for a value in help."""
    shown_default: str | None = None
    """The default in words, where the field has none of its own."""
    short: str | None = None
    """Another name on the command line."""
    completion: str | None = None
    """The function of the command line that completes a value."""
    is_long: bool = False
    """Whether a text may have the length of a puzzle."""
    examples: tuple[Any, ...] = ()


PuzzleInput: TypeAlias = Annotated[str | dict[str, Any] | list[Any], "puzzle"]
"""A puzzle as it is asked about: text, our JSON, or rows of cells."""
PUZZLE = Option(
    "puzzle",
    "puzzle",
    PuzzleInput,
    MISSING,
    "A puzzle as text in any format that is read, in the project's JSON, or as rows of cells.",
)
PUZZLE_OR_BOARD = Option("puzzle", "puzzle", PuzzleInput | None, None, "The puzzle; without it, the question is about a board.")
POSITION = Option(
    "position", "position", PositionJson | None, None, "What has been filled in; without it, what the puzzle's text says."
)
SeveralInput: TypeAlias = Annotated[str | dict[str, Any] | list[Any], "puzzles"]
"""Puzzles as they are asked about: a text of several, or a list of what each may be."""
PUZZLES = Option("puzzle", "puzzle", SeveralInput, MISSING, "The puzzles: a text of several, or a list.")
TEXT = Option("puzzle", "puzzle", PuzzleInput, MISSING, "The puzzle, or a text of several.")
SheetsInput: TypeAlias = Annotated[list[Any], "puzzles to print"]
"""Puzzles in their order, each as it may be asked about alone."""
PositionsInput: TypeAlias = Annotated[list[Any], "positions"]
"""A position for each of several puzzles, or None."""
SHEETS = Option("puzzles", "puzzles", SheetsInput, MISSING, "The puzzles, in their order.")
POSITIONS = Option(
    "positions", "positions", PositionsInput, (), "What has been filled in, in the order of the puzzles, for `marks`."
)
CertificateInput: TypeAlias = Annotated[str, "certificate"]
"""A certificate: a tar.gz of its folder in base64."""
CERTIFICATE = Option(
    "certificate",
    "certificate",
    CertificateInput,
    MISSING,
    "The certificate: a tar.gz of its folder in base64, as 'prove' answers it.",
)
SUBJECTS: dict[str, tuple[Option, ...]] = {
    "nothing": (),
    "certificate": (CERTIFICATE,),
    "sheets": (SHEETS, POSITIONS),
    "puzzle": (PUZZLE,),
    "puzzle or board": (PUZZLE_OR_BOARD,),
    "position": (PUZZLE, POSITION),
    "puzzles": (PUZZLES,),
    "collection": (PUZZLES,),
    "text": (TEXT,),
}
"""The fields of a body with what a question is about, by the kind of subject."""


def option(words: str, default: Any = MISSING, **more: Any) -> Any:
    """Return a field of a question: its words, its default, and whatever else `Option` has."""
    return field(default=default, metadata={"words": words, **more})


def _options_of(question: type[Question]) -> tuple[Option, ...]:
    hints = get_type_hints(question)
    order = [name for kind in question.__mro__ for name in vars(kind).get("__annotations__", ())]
    found = []
    for one in sorted(fields(question), key=lambda one: order.index(one.name)):
        more = dict(one.metadata)
        found.append(Option(one.name, more.pop("name", one.name), hints[one.name], one.default, **more))
    return tuple(found)


options_of: Callable[[Any], tuple[Option, ...]] = cache(_options_of)
"""Return the options of a question: its own first, then those of the groups that it shares with others."""


def answer_type(question: type[Question]) -> type[QuestionAnswer]:
    """Return the class of the answers of a question: that of the annotation of its `answer`."""
    found: type[QuestionAnswer] = vars(sys.modules[question.__module__])[question.answer.__annotations__["return"]]
    return found


def spell(words: str, spell_option: Callable[[str], str], spell_question: Callable[[str], str]) -> str:
    """Return words with the options and questions that they name, spelled by a reader."""
    return _NAMED.sub(lambda found: spell_option(found[1]) if found[1] else spell_question(found[2]), words)


def named_options(words: str) -> frozenset[str]:
    """Return the options that words name."""
    return frozenset(option for option, _ in _NAMED.findall(words) if option)


def spell_for_json(problem: Problem) -> str:
    """Return what is wrong, with the options that it names as fields of JSON."""
    return spell(problem, lambda name: f"'{name}'", lambda name: f"<{name}>")


class Start(NamedTuple):
    """What a question about a position is about."""

    position: Position
    searched: int | None = None
    """The values (bits) of the step that a library line is about, if the position is that of such a line."""


class CertificateSizes(NamedTuple):
    """The most that a certificate may have as one file."""

    files: int = sys.maxsize
    content: int = sys.maxsize
    """Bytes of all files together."""
    text: int = sys.maxsize
    """Characters of the whole in base64."""


@dataclass(frozen=True)
class Run:
    """What a reader lends to the answer of one question."""

    limits: Limits = Limits()
    report: Callable[[int, Any], None] = lambda _number, _part: None
    """Takes what is known so far, a few times a second: how many have been counted, and a part of the answer."""
    expected_count: int = 1
    """About how many questions of the kind there will be, for choosing an engine."""
    earlier: Sequence[bytes] = ()
    """What answers to earlier questions of a series have learnt."""
    learn: Callable[[bytes], None] = lambda _: None
    """Takes what the next question of the series should know."""
    certificate: CertificateSizes = CertificateSizes()
    """The most that a certificate in the answer may have."""

    @contextmanager
    def cancellation(self, stop_after: float | None = None) -> Iterator[Cancellation]:
        """Yield a cancellation that fires when nobody waits any more, and when the time for the whole answer is over."""
        from sudoku_cp.generate.chunks import cancel_after  # noqa: PLC0415  # arrays, for answers alone

        seconds = [one for one in (self.limits.seconds, stop_after) if one is not None]
        with cancel_after(min(seconds, default=None)) as cancel:
            if self.limits.cancel is None:
                yield cancel
            else:
                with self.limits.cancel.calling(cancel.cancel):
                    yield cancel


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """A question with its options. The docstring of each kind is its help: a sentence on what it does, then what else helps."""

    name: ClassVar[str]
    subject: ClassVar[str] = "puzzle"
    """What it is about: one of `SUBJECTS`."""
    example: ClassVar[Fields]
    """A body that can be sent as it is."""
    most: ClassVar[int] = 1_000
    """The most puzzles that one question is about, if it is about several."""
    is_series: ClassVar[bool] = False
    """Whether it can go on from earlier answers of a series of questions."""

    @property
    def puzzle_count(self) -> int:
        """How many puzzles its answer will hold."""
        return 0

    @property
    def unit(self) -> str:
        """What its reports count."""
        return "puzzles"

    def limits(self) -> Limits:
        """Return the limits that its options set, as the engines take them."""
        return Limits()

    def answer(self, subject: Any, run: Run) -> QuestionAnswer:
        """Answer the question about a subject. Options that do not fit the subject raise `InvalidInput`."""
        raise NotImplementedError

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> QuestionAnswer:
        """Return the answer to a body of which nothing is known yet."""
        raise NotImplementedError

    @classmethod
    def reported_fields(cls, report: Mapping[str, Any]) -> Fields:
        """Return the fields of an answer that the last report has, for a question that was ended from outside."""
        del report
        return {}

    def contradictions(self) -> Iterator[Problem]:
        """Yield what cannot be asked together, and values that no question can have."""
        yield from ()

    def misfits(self, subject: Any) -> Iterator[Problem]:
        """Yield options that do not fit the subject."""
        del subject
        yield from ()

    def only_with(self, one: str, other: str) -> Iterator[Problem]:
        """Yield the problem that an option is given without another."""
        if self._is_given(one) and not self._is_given(other):
            yield Problem(f"`{one}` needs `{other}`", [one])

    def only_without(self, one: str, *others: str) -> Iterator[Problem]:
        """Yield the problem that an option is given together with others."""
        for other in others:
            if self._is_given(one) and self._is_given(other):
                yield Problem(f"`{one}` cannot be combined with `{other}`", [other])

    def only_one_of(self, *names: str) -> Iterator[Problem]:
        """Yield the problem that several options are given of which each answers another question."""
        given = [name for name in names if self._is_given(name)]
        if len(given) > 1:
            words = f"{', '.join(f'`{name}`' for name in names[:-1])} and `{names[-1]}`"
            yield Problem(f"expected only one of {words}, got several", [given[0]])

    def _is_given(self, name: str) -> bool:
        default = next(one.default for one in fields(self) if one.name == name)
        return bool(getattr(self, name) != default)


# Puzzles with which questions are shown.


EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12..3412..434.21"
KILLER: dict[str, Any] = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": [
        {"kind": "houses"},
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3},
        {"kind": "thermometer", "cells": ["r2c1", "r2c2"]},
    ],
    "givens": {"r1c1": 1, "r3c3": 4, "r4c2": 3},
}
"""A puzzle in our JSON."""


# Reports of what is known so far, a few times a second.


PAUSE = 0.2
"""Seconds between two reports, at least."""


class PacedReports:
    """Passes reports on, but not more often than somebody can follow."""

    def __init__(self, report: Callable[[int, Any], None]) -> None:
        """Report nothing yet."""
        self._report = report
        self._due = monotonic() + PAUSE

    def show(self, number: int, make_part: Callable[[], Any]) -> None:
        """Report how many have been counted, and what ``make_part`` returns, if it is time for it."""
        if monotonic() >= self._due:
            self._due = monotonic() + PAUSE
            self._report(number, make_part())


# Groups of options that questions share: how puzzles are read, when to give up, which engine answers.


AUTO = "auto"


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading(Question):
    """How puzzles are read, and the rules added to them."""

    format: str | None = option(
        "The format of the input; by default it is recognised.",
        None,
        name="from",
        metavar="FORMAT",
        completion="complete_format_read",
    )
    size: int | str | None = option("The side of plain grids, such as 16; or ROWSxCOLUMNS, such as 6x8.", None, metavar="SIDE")
    boxes: str | None = option(
        "The boxes of plain grids, such as 4x3 at 12x12; 'none' for no boxes.", None, metavar="HEIGHTxWIDTH"
    )
    alphabet: str | None = option("The symbols of values: digits, letters, hex (from 0), or your own.", None, metavar="NAME")
    rules: str | list[str | dict[str, Any]] = option(
        "Rules to add: names such as diagonals,anti-knight, or rules as JSON (see <rules>).",
        "",
        is_long=True,
        metavar="NAMES",
        completion="complete_rules",
    )
    strict: bool = option("Treat warnings about what cannot be read as errors.", False)
    adds_clues: ClassVar[bool] = False
    """Whether `rules` may name families of clues, which the question itself reads."""

    def grid(self) -> Grid | None:
        """Return the grid of plain texts, None where it follows from their length."""
        return parse_grid(None if self.size is None else str(self.size), self.boxes)

    def reading_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with these options whatever the puzzles are."""
        format_name = self.format
        readers: dict[str, Callable[[], object]] = {
            "from": lambda: format_named(format_name) if format_name else None,
            "size": self.grid,
            "alphabet": lambda: self.alphabet is None or self.alphabet in ALPHABETS or Symbols(self.alphabet),
            "rules": lambda: self.adds_clues or parse_added_rules(self.rules),
        }
        for name, read in readers.items():
            try:
                read()
            except InvalidInput as error:
                yield from (placed(of_option(problem, name), name) for problem in error.problems)

    @property
    def names(self) -> dict[str, str]:
        """The names of options by those of the library's parameters."""
        return reading_names(self.size)


def reading_names(size: object) -> dict[str, str]:
    """Return the names of `Reading`'s options by those of the library's parameters, of which the size and boxes are one."""
    return {"grid": "boxes" if size is None else "size"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Timed(Question):
    """When to give up on a puzzle."""

    timeout: float | None = option(
        "Give up on a puzzle after this many seconds in all, and report that time ran out.", None, ge=0, metavar="SECONDS"
    )

    def limits(self) -> Limits:
        """Return the limits as the engines take them."""
        return Limits(self.timeout)


@dataclass(frozen=True, eq=False, kw_only=True)
class Levelled(Question):
    """A question with names of difficulty in its answer."""

    levels: str = option(
        "Your own levels of difficulty, as TOML; on the command line, a file of that too (see levels.md).",
        "",
        is_long=True,
        metavar="FILE",
    )

    def find_levels(self) -> Levels:
        """Return the levels; raise `InvalidInput` with all that is wrong with them."""
        from sudoku_cp.logic.rating.levels import make_levels  # noqa: PLC0415  # for answers alone

        return make_levels(self.levels)

    def level_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the levels."""
        try:
            self.find_levels()
        except InvalidInput as error:
            yield from (placed(problem, "levels") for problem in error.problems)


@dataclass(frozen=True, eq=False, kw_only=True)
class Patient(Timed):
    """A question that is given up after a minute unless another time is wanted."""

    timeout: float | None = option("Give up on a puzzle after this many seconds in all.", 60.0, ge=0, metavar="SECONDS")


@dataclass(frozen=True, eq=False, kw_only=True)
class Limited(Timed):
    """When to give up on a puzzle: a time, or the work of an engine."""

    nodes: int | None = option(
        "Give up on a puzzle after this many nodes (guesses or conflicts, as the engine counts).",
        None,
        ge=0,
        lt=1 << 64,
        metavar="NUMBER",
    )

    def limits(self) -> Limits:
        """Return the limits as the engines take them."""
        return Limits(self.timeout, self.nodes)


@dataclass(frozen=True, eq=False, kw_only=True)
class Solving(Limited, Reading):
    """A question about puzzles that an engine answers."""

    backend: str = option(
        "The engine: fast (plain grids), native, sat, cpsat, race, a kind of one such as sat:cadical153, or auto.",
        AUTO,
        metavar="NAME",
        completion="complete_backend",
    )
    more_engines: ClassVar[tuple[str, ...]] = ()
    """Names, besides those of engines, that this question knows."""

    def contradictions(self) -> Iterator[Problem]:
        """Yield that there is no such engine."""
        if self.backend not in {AUTO, *self.more_engines}:
            try:
                backend(self.backend)
            except UnknownName:
                known = {AUTO, *known_backends(), *self.more_engines}
                yield from (placed(problem, "backend") for problem in UnknownName("backend", self.backend, known).problems)
            except InvalidInput as error:
                yield from (placed(problem, "backend") for problem in error.problems)


def seed_option(words: str, default: int | None = None) -> Any:
    """Return the option of a seed; `seed_problems` knows its range, so that every reader refuses others in the same words."""
    return option(words, default, metavar="NUMBER")


def seed_problems(seed: int | None) -> Iterator[Problem]:
    """Yield that a seed is out of range."""
    try:
        require_seed(0 if seed is None else seed)
    except InvalidInput as error:
        yield from (placed(problem, "seed") for problem in error.problems)


# The questions by name; each is imported when somebody asks for it.


NAMES = (
    "solve",
    "count",
    "check",
    "validate",
    "candidates",
    "rate",
    "hint",
    "steps",
    "explain",
    "trace",
    "prove",
    "verify",
    "compare",
    "audit",
    "generate",
    "fewest",
    "convert",
    "picture",
    "print",
)
"""Every question: the name of its file, whose class is called after it."""


def question_named(name: str) -> type[Question]:
    """Return the question of a name, or raise `UnknownName`."""
    if name not in NAMES:
        raise UnknownName("question", name, NAMES)
    found: type[Question] = getattr(import_module(f"sudoku_cp.questions.{name}"), f"{name.title()}Question")
    return found
