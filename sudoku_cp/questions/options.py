"""Groups of options that questions share: how puzzles are read, when to give up, which engine answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp.backends import Limits, backend, known_backends
from sudoku_cp.errors import InvalidInput, Problem, UnknownName, of_option, placed, require_seed
from sudoku_cp.formats.grid_text import parse_grid
from sudoku_cp.formats.registry import format_named
from sudoku_cp.generate.requested_rules import parse_added_rules
from sudoku_cp.questions.question import Question, option
from sudoku_cp.symbols import ALPHABETS, Symbols

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Grid

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
