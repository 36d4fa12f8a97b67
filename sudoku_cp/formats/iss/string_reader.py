"""Read a puzzle from its constraint string; the problems of all words are reported together, each with its column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats.base import first_problems, make_rule
from sudoku_cp.formats.iss import automaton_words, cell_set_words, region_words
from sudoku_cp.formats.iss.automaton_words import parse_set
from sudoku_cp.formats.iss.board_layout import COMPOSITES, GIVEN, REGIONS, parse_words
from sudoku_cp.formats.iss.cell_set_words import (
    WordConverter,
    digits,
    distinct,
    line,
    listed_once,
    mark,
    numbered,
    parse_given,
    repeats,
)
from sudoku_cp.formats.iss.region_words import joined_diagonals, read_board, rules_of_region_numbers
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout, Word
    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.rules.base import Rule


# Every word of constraint strings that is a rule: the one table for reading and writing.


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
STRICT_WORDS = frozenset({"StrictKropki", "StrictXV"})
"""Words about all neighbours that other words have not marked."""
IGNORED = frozenset({"SearchPriority", "Priority"})
"""Words that guide a solver's search and do not affect the solutions."""
TIES = "FullRankTies"
AROUND = SHAPES | STRICT_WORDS | IGNORED | {TIES}
"""Words about the whole puzzle, which stand inside no other word."""
OUTSIDE = frozenset({"little-killer", "x-sum", "sandwich", "skyscraper", "hidden-skyscraper", "numbered-room", "full-rank"})
"""Kinds of rules whose words stand for clues outside the board."""
ONCE = OUTSIDE | {"quadruple"}
"""Of these rules, a later one on the same cells replaces an earlier one."""
LAST_COUNTS = frozenset(converter.name for converter in CONVERTERS if converter.kind in ONCE)
"""The words for them."""


Pairs: TypeAlias = "tuple[tuple[Cell, ...], ...]"
Marks: TypeAlias = Mapping[str, tuple[str, Collection[int]]]

MOST_WORDS = 20_000
"""Words read at most; repeated words count each time."""
_ALIKE_FOR_ALL_NUMBERS = frozenset({"ChaosArrow", "ChaosCount", "AllDifferent", "SameValues", "CountDistinct", "Palindrome"})
"""Words about extra cells that mean the same however unknown regions are numbered."""
_TIES = ("none", "only-unclued", "any")


@dataclass
class _ReadState:
    """What has been read so far."""

    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    allowed: dict[Cell, list[int]] = field(default_factory=dict)
    numbers: dict[Cell, int] = field(default_factory=dict)
    words: int = 0


def parse_puzzle(text: str, column: int, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a constraint string that begins in ``column``; add to ``warnings``."""
    words = parse_words(text, column)
    try:
        layout, regions = read_board(words)
        layout = replace(layout, ties=_read_ties(words))
    except ParseError as error:
        raise ParseError(error.problems, column=error.column or column) from error
    state = _ReadState(warnings=warnings)
    rules: list[Rule] = [*([] if layout.raw else [Houses()]), *regions]
    for word in words:
        if word.name not in AROUND:
            rules += _read_word(state, layout, word, given=True)
    if layout.ties == "none" and not any(rule.kind == "full-rank" for rule in rules):
        state.problems.append("FullRankTies: expected clues of FullRank with 'none', got none")
    if state.problems:
        raise ParseError(first_problems(state.problems, noun="such problems"))
    rules = [*joined_diagonals(_last_of_each(rules, warnings)), *rules_of_region_numbers(state.numbers)]
    rules += _strict_rules(layout, words, rules)
    givens = {cell: sets[0] for cell, sets in state.allowed.items() if len(members(sets[0])) == 1}
    return Puzzle(
        layout.grid,
        tuple(rules),
        {cell: members(one)[0] for cell, one in givens.items()},
        _find_candidates(layout, state.allowed, givens),
    )


def _find_candidates(layout: IssLayout, allowed: dict[Cell, list[int]], givens: dict[Cell, int]) -> dict[Cell, int]:
    found = {}
    for cell, sets in allowed.items():
        rest = sets[1:] if cell in givens else sets
        if rest and rest[0] != to_mask(layout.values):
            found[cell] = rest[0]
    return found


def _read_ties(words: Iterable[Word]) -> str:
    present = [word for word in words if word.name == TIES]
    ties = "~".join(present[-1].arguments) if present else _TIES[1]
    if ties not in _TIES:
        raise ParseError(f"{TIES}: expected one of {', '.join(_TIES)}, got {ties!r:.20}", column=present[-1].column)
    return ties


# --- words ------------------------------------------------------------------------------------------------------


def _read_word(state: _ReadState, layout: IssLayout, word: Word, *, given: bool) -> list[Rule]:
    """Return the rules of a word; with ``given``, values of cells are noted as givens and candidates instead."""
    state.words += 1
    if state.words > MOST_WORDS:
        raise ParseError(f"expected at most {MOST_WORDS} words, those repeated counted each time, got more")
    try:
        if word.name in COMPOSITES:
            return _read_composite(state, layout, word, given=given)
        if word.name == GIVEN and given:
            _note_values(state, layout, word)
            return []
        if word.name not in _ALIKE_FOR_ALL_NUMBERS and any(argument.startswith(REGIONS) for argument in word.arguments):
            state.warnings.append(f"{word.name} at column {word.column}: unknown regions are numbered by their first cells")
        if word.name not in WORDS:
            raise ParseError(f"expected a word of the Interactive Sudoku Solver, got {word.name!r:.40}")
        return WORDS[word.name].read(layout, word.arguments)
    except InvalidInput as error:
        state.problems += [f"{word.name} at column {word.column}: {problem}" for problem in error.problems]
        return []


def _note_values(state: _ReadState, layout: IssLayout, word: Word) -> None:
    """Note the values a cell may have; if none is left, keep a value and a set without it, which contradict each other."""
    for argument in word.arguments:
        cell, values = parse_given(layout, argument)
        if cell in layout.region_numbers:
            _note_number(state, layout, cell, values)
            continue
        before, now = state.allowed.get(cell, [to_mask(layout.values)]), to_mask(values)
        both = before[0] & now
        if len(before) == 1:
            state.allowed[cell] = [both] if both else [to_mask(members(before[0])[:1]), now]


def _note_number(state: _ReadState, layout: IssLayout, cell: Cell, values: tuple[int, ...]) -> None:
    """Note the number of a cell's region. Numbers mean only that cells with equal ones share a region and others do not."""
    if len(values) != 1 or state.numbers.setdefault(cell, values[0]) != values[0]:
        got = f"{'_'.join(map(str, values))} for {layout.name(cell)}"
        raise Unsupported(f"expected one number of the region of a cell, got {got}")


def _read_composite(state: _ReadState, layout: IssLayout, word: Word, *, given: bool) -> list[Rule]:
    if word.name == "Replicate":
        return _read_replicate(state, layout, word, given=given)
    if word.arguments:
        raise ParseError(f"expected no arguments, got {'~'.join(word.arguments)[:40]!r}")
    if word.name == "Or" and not word.inside:  # an empty disjunction is false
        return [make_rule("sum-cage", cells=(0,), total=-1)]
    if word.name == "Or":
        choices = (_read_inside(state, layout, child, given=False) for child in word.inside)
        return [make_rule("any-of", rules=tuple(map(_join_rules, choices)))]
    inside = [rule for child in word.inside for rule in _read_inside(state, layout, child, given=given)]
    found = _last_of_each(inside, state.warnings)
    return [make_rule("all-of", rules=tuple(found))] if found or not given else []


def _read_inside(state: _ReadState, layout: IssLayout, word: Word, *, given: bool) -> list[Rule]:
    if word.name in AROUND or (word.name in WORDS and not WORDS[word.name].nests):
        state.problems.append(f"{word.name} at column {word.column}: expected outside of Or, And and Replicate, got inside")
        return []
    return _read_word(state, layout, word, given=given)


def _join_rules(rules: Sequence[Rule]) -> Rule:
    return rules[0] if len(rules) == 1 else make_rule("all-of", rules=tuple(rules))


def _read_replicate(state: _ReadState, layout: IssLayout, word: Word, *, given: bool) -> list[Rule]:
    """Return the rules inside once for each target, shifted from the origin to the target."""
    bits, origin_name, *more = (*word.arguments, "", "")[: max(2, len(word.arguments))]
    if more:
        raise ParseError(f"expected targets and perhaps an origin, got {'~'.join(word.arguments)[:40]!r}")
    origin = replace(layout, shift=(0, 0)).cell(origin_name or "R1C1")
    moving, (top, left) = layout.home(origin)
    shifts = []
    for offset in parse_set(bits):
        home, (row, column) = layout.home(origin + offset) if origin + offset in layout.grid.cells else ("?", (0, 0))
        if home != moving:
            raise ParseError(f"expected targets on {layout.board_name}, or in the group of the origin, got some outside it")
        shifts.append((row - top, column - left))
    before = len(state.problems)
    found = []
    for shift in shifts:
        if len(state.problems) == before:
            moved = layout.shifted(shift, moving)
            copy = [rule for child in word.inside for rule in _read_inside(state, moved, child, given=given)]
            found.append(_last_of_each(copy, state.warnings))
    if not found or not found[0] or len(state.problems) > before:
        return []
    if moving:  # on our grid these cells do not lie beside each other
        return [make_rule("all-of", rules=tuple(rule for copy in found for rule in copy))]
    return _make_repeated(found, shifts)


def _make_repeated(found: list[list[Rule]], shifts: list[Place]) -> list[Rule]:
    if len(found) == 1:
        return [make_rule("all-of", rules=tuple(found[0]))]
    (top, left), *others = shifts
    moves = tuple((row - top, column - left) for row, column in others)
    return [make_rule("repeated", rules=tuple(found[0]), shifts=moves)]


# --- words that depend on others --------------------------------------------------------------------------------


def _last_of_each(rules: list[Rule], warnings: list[str]) -> list[Rule]:
    places: dict[object, int] = {}
    kept: list[Rule | None] = []
    for rule in rules:
        key = (rule.kind, getattr(rule, "cells", ())) if rule.kind in ONCE else None
        if key in places:
            kept[places[key]] = None
            warnings.append(f"a clue {rule.kind!r} is stated more than once for the same cells; the last one counts")
        if key is not None:
            places[key] = len(kept)
        kept.append(rule)
    return [rule for rule in kept if rule is not None]


def _strict_rules(layout: IssLayout, words: Iterable[Word], rules: Sequence[Rule]) -> list[Rule]:
    present = {word.name for word in words}
    problems, found = [], []
    for name, (marks, negatives) in STRICT.items():
        if name in present:
            problems += [f"{name}: expected no marks inside Or, got {kind!r}" for kind in in_alternatives(rules, marks)]
            exempt = marked_pairs(layout, rules, marks)
            found += [make_rule(kind, **{field: values}, exempt=exempt) for kind, (field, values) in negatives.items()]
    if problems:
        raise Unsupported(problems)
    return found


STRICT: Mapping[str, tuple[Marks, Marks]] = MappingProxyType(
    {
        "StrictKropki": (
            {"difference": ("difference", (1,)), "ratio": ("ratio", (2,))},
            {"negative-difference": ("differences", (1,)), "negative-ratio": ("ratios", (2,))},
        ),
        "StrictXV": ({"pair-sum": ("total", (5, 10))}, {"negative-sum": ("sums", (5, 10))}),
    }
)
"""For each word about all unmarked neighbours the marks and the rules that forbid their values, as kind, field and values."""


def marked_pairs(layout: IssLayout, rules: Iterable[Any], marks: Marks) -> Pairs:
    """Return the neighbours on the board with one of these marks, be it inside And or Replicate, in state order."""
    found: set[tuple[Cell, ...]] = set()
    for rule in rules:
        if rule.kind == "all-of":
            found.update(marked_pairs(layout, rule.rules, marks))
        elif rule.kind == "repeated":
            found.update(marked_pairs(layout, rule.everywhere(layout.grid), marks))
        elif _is_mark(rule, marks) and layout.touching(rule.cells) and max(rule.cells) < layout.size:
            found.add(tuple(sorted(rule.cells)))
    return tuple(sorted(found))


def in_alternatives(rules: Iterable[Any], marks: Marks, *, inside: bool = False) -> list[str]:
    """Return the kinds of marks inside alternatives, for which it is unknown which neighbours they mark."""
    found = []
    for rule in rules:
        if inside and _is_mark(rule, marks):
            found.append(rule.kind)
        found += in_alternatives(getattr(rule, "rules", ()), marks, inside=inside or rule.kind == "any-of")
    return list(dict.fromkeys(found))


def _is_mark(rule: Any, marks: Marks) -> bool:
    field, values = marks.get(rule.kind, ("kind", ()))
    return getattr(rule, field) in values
