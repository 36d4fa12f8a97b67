"""Every word of constraint strings that is a rule: the one table for reading and writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.formats.iss import automaton_words, cell_set_words, region_words
from sudoku_cp.formats.iss.cell_set_words import WordConverter, digits, distinct, line, listed_once, mark, numbered, repeats

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule


def _not_one_to_nine(layout: IssLayout, _rule: Any) -> bool:
    return layout.values != range(1, 10)


def _loop(layout: IssLayout, rule: Any) -> bool:
    """Return whether our rule would join the ends of the line, or see regions that strings do not."""
    return not layout.regions or (len(rule.cells) > 1 and rule.cells[0] == rule.cells[-1])


def _once_inside(_layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells of a line without repeated ones between its ends, which the rule checks one by one."""
    return (*cells[:1], *dict.fromkeys(cells[1:-1]), *cells[1:][-1:])


_MODULAR = numbered("Modular", "modular-line", "modulus", least=1)


def _read_modular(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    if arguments[:1] in (["1"], ("1",)):
        layout.cells(arguments[1:])
        return []  # whole numbers leave no remainder when divided by 1: any line will do
    return _MODULAR.read(layout, arguments)


CONVERTERS = (
    line("Thermo", "thermometer"),
    line("Renban", "renban", choose=listed_once),
    line("Palindrome", "palindrome"),
    line("Between", "between-line", choose=_once_inside),
    line("Zipper", "zipper-line"),
    line("Entropic", "entropic-line", _not_one_to_nine),
    line("RegionSumLine", "region-sum-line", _loop),
    line("DoubleArrow", "double-arrow"),
    line("EqualityCage", "equality-cage", repeats, listed_once),
    line("CountingCircles", "counting-circles", choose=listed_once),
    line("AllDifferent", "extra-region", repeats, distinct),
    WordConverter("Modular", "modular-line", _read_modular, _MODULAR.write),
    numbered("Lockout", "lockout-line", "difference", choose=_once_inside),
    numbered("RellikCage", "rellik-cage", "total", unless=repeats, choose=listed_once),
    numbered("Lunchbox", "lunchbox", "total"),
    digits("ContainAtLeast", "contains-at-least"),
    digits("ContainExact", "contains-exactly"),
    mark("WhiteDot", "difference", difference=1),
    mark("BlackDot", "ratio", ratio=2),
    mark("X", "pair-sum", total=10),
    mark("V", "pair-sum", total=5),
    mark("GreaterThan", "inequality"),
    *cell_set_words.CONVERTERS,
    *region_words.BOARD_CONVERTERS,
    *region_words.REGION_CONVERTERS,
    *automaton_words.CONVERTERS,
)

WORDS: Mapping[str, WordConverter] = MappingProxyType({converter.name: converter for converter in CONVERTERS if converter.name})
"""The converter of each word."""

KINDS: Mapping[str, tuple[WordConverter, ...]] = MappingProxyType(
    {one.kind: tuple(converter for converter in CONVERTERS if converter.kind == one.kind) for one in CONVERTERS}
)
"""The converters of each kind of rule, in the order in which they are tried."""

SHAPES = frozenset({"Shape", "NoBoxes", "Jigsaw", "RegionSize", "Var"})
"""Words that describe the board."""
STRICT = frozenset({"StrictKropki", "StrictXV"})
"""Words about all neighbours that other words have not marked."""
IGNORED = frozenset({"SearchPriority", "Priority"})
"""Words that guide a solver's search and do not affect the solutions."""
TIES = "FullRankTies"
AROUND = SHAPES | STRICT | IGNORED | {TIES}
"""Words about the whole puzzle, which stand inside no other word."""
OUTSIDE = frozenset({"little-killer", "x-sum", "sandwich", "skyscraper", "hidden-skyscraper", "numbered-room", "full-rank"})
"""Kinds of rules whose words stand for clues outside the board."""
ONCE = OUTSIDE | {"quadruple"}
"""Of these rules, a later one on the same cells replaces an earlier one."""
LAST_COUNTS = frozenset(converter.name for converter in CONVERTERS if converter.kind in ONCE)
"""The words for them."""
