"""Converters between a word of constraint strings and a kind of rule, with factories for the simplest forms of words.

A converter reads the arguments of its word as rules, and writes a rule as words; it returns None for a rule that it cannot write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.iss.board_layout import IssLayout, number
from sudoku_cp.formats.iss.word_syntax import word_text

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule

ReadWord: TypeAlias = "Callable[[IssLayout, Sequence[str]], list[Rule]]"
WriteRule: TypeAlias = "Callable[[IssLayout, Any], list[str] | None]"


@dataclass(frozen=True)
class WordConverter:
    """A word and the kind of rule that it means; ``nests``: it may stand inside Or and And."""

    name: str
    kind: str
    read: ReadWord
    write: WriteRule
    nests: bool = True


def allow_values(cell: Cell, values: Sequence[int]) -> Rule:
    """Return the rule that a cell has one of these values: a cage of one cell with several totals."""
    return make_rule("multi-sum-cage", cells=(cell,), totals=tuple(values))


def write_only(_layout: IssLayout, _arguments: Sequence[str]) -> list[Rule]:
    """Fail: a converter without a word of its own only writes."""
    raise AssertionError


def headed(what: str, read: Callable[[IssLayout, str, Sequence[str]], list[Rule]]) -> ReadWord:
    """Return the reader of a word whose first argument means something else than the others; ``what`` is expected in all."""

    def read_word(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        if not arguments:
            raise ParseError(f"expected {what}, got nothing")
        return read(layout, arguments[0], arguments[1:])

    return read_word


# --- forms of words ---------------------------------------------------------------------------------------------

Unless: TypeAlias = "Callable[[IssLayout, Any], bool]"
"""Reports that a word and a rule differ in meaning."""


def _never(_layout: IssLayout, _rule: Any) -> bool:
    return False


def flag(name: str, kind: str, unless: Unless = _never) -> WordConverter:
    """Return the converter of a word without arguments."""

    def read(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        if arguments:
            raise ParseError(f"expected no arguments, got {'~'.join(arguments)[:40]!r}")
        rule = make_rule(kind)
        if unless(layout, rule):
            raise ParseError(f"expected a board on which {name!r} has a meaning, got {layout.grid}")
        return [rule]

    return WordConverter(name, kind, read, lambda layout, rule: None if unless(layout, rule) else [word_text(name)], nests=False)


ChooseCells: TypeAlias = "Callable[[IssLayout, tuple[Cell, ...]], tuple[Cell, ...]]"
"""Chooses the cells of our rule from those that a word lists, perhaps some twice."""


def as_listed(_layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells as they are."""
    return cells


def distinct(_layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return each cell once."""
    return tuple(dict.fromkeys(cells))


def listed_once(layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells; refuse repeated cells, with which the word makes no sense."""
    twice = [cell for cell, times in Counter(cells).items() if times > 1]
    if twice:
        raise Unsupported(f"expected each cell once, got {', '.join(layout.names(twice))} more than once")
    return cells


def repeats(_layout: IssLayout, rule: Any) -> bool:
    """Return whether a rule lists a cell twice."""
    return len(set(rule.cells)) < len(rule.cells)


def line(name: str, kind: str, unless: Unless = _never, choose: ChooseCells = as_listed) -> WordConverter:
    """Return the converter of a word whose arguments are the cells."""

    def read(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        return [make_rule(kind, cells=choose(layout, layout.cells(arguments)))]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        cells = rule.cells if choose is as_listed else dict.fromkeys(rule.cells)
        return [word_text(name, *layout.names(cells))] if rule.cells and not unless(layout, rule) else None

    return WordConverter(name, kind, read, write)


def numbered(
    name: str, kind: str, field: str, least: int = 0, unless: Unless = _never, choose: ChooseCells = as_listed
) -> WordConverter:
    """Return the converter of a word whose arguments are a number and the cells."""

    def read(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
        return [make_rule(kind, cells=choose(layout, layout.cells(names)), **{field: number(spec)})]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        spec = getattr(rule, field)
        fits = rule.cells and spec >= least and not unless(layout, rule)
        return [word_text(name, spec, *layout.names(rule.cells))] if fits else None

    return WordConverter(name, kind, headed("a number and cells", read), write)


def mark(name: str, kind: str, **fields: int) -> WordConverter:
    """Return the converter of a mark between neighbours: its arguments are cells, those that touch are marked."""

    def read(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        pairs = layout.touching(layout.cells(arguments))
        if not pairs:
            raise ParseError("expected cells that share an edge, got none that do")
        return [make_rule(kind, cells=pair, **fields) for pair in pairs]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        fits = all(getattr(rule, field) == value for field, value in fields.items()) and is_edge(layout, rule.cells)
        return [word_text(name, *layout.names(rule.cells))] if fits else None

    return WordConverter(name, kind, read, write)


def is_edge(layout: IssLayout, cells: Sequence[Cell]) -> bool:
    """Return whether these are two cells that share an edge."""
    return len(cells) == 2 and bool(layout.touching(cells))  # noqa: PLR2004


def digits(name: str, kind: str) -> WordConverter:
    """Return the converter of a word whose arguments are values (``1_1_5``) and the cells."""

    def read(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
        return [make_rule(kind, cells=layout.cells(names), digits=tuple(map(number, spec.split("_"))))]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        if not rule.cells or not rule.digits or not set(rule.digits) <= set(layout.values):
            return None
        return [word_text(name, "_".join(map(str, rule.digits)), *layout.names(rule.cells))]

    return WordConverter(name, kind, headed("values and cells", read), write)


def clue(name: str, kind: str, field: str, *, zero: bool) -> WordConverter:
    """Return the converter of a clue outside: a row or column, the number before its first cell, and the one after its last."""

    def read(layout: IssLayout, where: str, spec: Sequence[str]) -> list[Rule]:
        cells = layout.line(where)
        if not any(spec) or len(spec) > 2:  # noqa: PLR2004
            raise ParseError(f"expected one or two clues, got {'~'.join(spec)[:40]!r}")
        more = {"ties": layout.ties} if kind == "full-rank" else {}
        found = [
            make_rule(kind, cells=ordered, **{field: number(text)}, **more)
            for text, ordered in zip(spec, (cells, cells[::-1]), strict=False)
            if text
        ]
        if not zero and any(getattr(rule, field) == 0 for rule in found):
            raise ParseError("expected a clue other than 0, got 0")
        return found

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        where = layout.line_name(rule.cells)
        spec = getattr(rule, field)
        if where is None or (not zero and spec == 0) or spec < 0:
            return None
        return [word_text(name, where[0], *([spec, ""] if where[1] else ["", spec]))]

    return WordConverter(name, kind, headed("a row or column and clues", read), write)
