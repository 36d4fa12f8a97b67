"""What a rule part demands and what it is left with, in words: ``cage 13 of r1c1 r1c2 r2c1 needs 1+3+9 or 1+4+8``."""

from __future__ import annotations

from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.logic.words.wording import enumerate_words
from sudoku_cp.model import AllDifferent, DigitSet, Linear, Table, cells_of, members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import Layout, RulePart
    from sudoku_cp.model import Constraint, Domain
    from sudoku_cp.rules import Rule
    from sudoku_cp.symbols import Symbols

MOST = 6
"""Sets or pairs that are listed; of more, only how many there are."""
PAIR = 2
WORK = 200_000
"""Pairs of a set and a cell that are looked at for a sentence, at most."""

SIDES = MappingProxyType({"arrow": ("the shaft", "the circle"), "pill-arrow": ("the shaft", "the pill")})
"""The two sides of a sum."""
DEMANDS: Mapping[str, str] = MappingProxyType(
    {
        "killer-cage": "different values that add up to {total}",
        "sum-cage": "values that add up to {total}",
        "multi-sum-cage": "different values that add up to one of its totals",
        "digital-root-cage": "different values whose sum has the digital root {root}",
        "rellik-cage": "different values of which none, and no sum of several, is {total}",
        "equality-cage": "different values, as many odd as even and as many low as high",
        "look-and-say": "the values that the clue names, as often as it says",
        "arrow": "each shaft adds up to the circle",
        "pill-arrow": "the shaft adds up to the number in the pill",
        "double-arrow": "the cells between add up to the sum of the two circles",
        "ambiguous-arrow": "the greatest value is the sum of the others",
        "successor-arrow": "the value N stands N cells before N + 1",
        "between-line": "the values lie strictly between those of the circles",
        "lockout-line": "no value lies between the diamonds, which are far apart",
        "thermometer": "values rise from the bulb",
        "slow-thermometer": "values never fall from the bulb on",
        "whisper": "neighbours differ by at least {difference}",
        "renban": "consecutive values in any order",
        "nabner": "no values that are equal or consecutive",
        "palindrome": "it reads the same from both ends",
        "entropic-line": "every three cells in a row are low, middle and high",
        "modular-line": "cells in a row leave different remainders",
        "parity-line": "odd and even alternate",
        "same-difference-line": "all neighbours differ by the same amount",
        "arithmetic-sequence": "values change by the same amount at every step",
        "region-sum-line": "each stretch inside a region has the same sum",
        "zipper-line": "cells equally far from the middle have the same sum",
        "sum-line": "stretches that add up to {total} each",
        "index-line": "the value of cell N is the position of N",
        "lunchbox": "what lies between the smallest and the largest adds up to {total}",
        "clone": "both hold the same values in the same order",
        "same-value-sets": "all groups hold the same values",
        "equal-sums": "all groups have the same sum",
        "difference": "the values differ by {difference}",
        "ratio": "one value is {ratio} times the other",
        "pair-sum": "the values add up to {total}",
        "inequality": "the first is greater",
        "negative-difference": "the values do not differ by what a dot would say",
        "negative-ratio": "the values are not in the ratio that a dot would say",
        "negative-sum": "the values do not add up to what a mark would say",
        "nonconsecutive": "neighbours are not consecutive",
        "diagonally-nonconsecutive": "cells that touch at a corner are not consecutive",
        "minimum": "a marked cell holds less than its neighbours",
        "maximum": "a marked cell holds more than its neighbours",
        "quadruple": "the cells hold all digits of the circle",
        "contains-at-least": "the cells hold all digits listed",
        "contains-exactly": "the cells hold the digits listed as often as they are listed",
        "counting-circles": "a digit in a circle is the number of circles that hold it",
        "count-distinct": "the cell holds the number of different values",
        "sandwich": "the values between the crusts add up to {total}",
        "x-sum": "the first X values add up to {total}, where X is the first of them",
        "little-killer": "the values add up to {total}",
        "skyscraper": "{visible} values are higher than all before them",
        "hidden-skyscraper": "the first hidden value is {value}",
        "numbered-room": "the first value is the place of the cell that holds {value}",
        "global-entropy": "a low, a middle and a high value",
        "global-mod": "a value of each remainder",
        "dutch-flatmates": "the middle value has the smallest above it or the largest below it",
        "self-taxicab": "equal values are never as far apart as they say",
        "knightmare": "a knight's move apart, values do not add up to the sums forbidden",
    }
)
"""What a part of each kind of rule demands; fields of the rule are filled in."""


def part_title(layout: Layout, part: RulePart) -> str:
    """Return the name of a part with all its cells, in the order of the rule: ``thermometer r8c2 r7c2 r6c2``."""
    cells = getattr(part.rule, "cells", ())
    if not set(part.cells) <= set(cells) or len(cells) != len(part.cells):
        return part.name
    names = {layout.grid.cell_name(cell) for cell in layout.grid.cells}
    noun = " ".join(word for word in part.name.split() if word not in names)
    return " ".join([noun, *map(layout.grid.cell_name, cells)])


def describe_part(layout: Layout, symbols: Symbols, part: RulePart, domains: Mapping[Cell, Domain]) -> str:
    """Return what a part demands, and what is left of that when its cells hold values of these ``domains``."""
    demand = demand_of(layout, part.rule)
    title = part_title(layout, part)
    says_more = [constraint for constraint in part.constraints if not isinstance(constraint, AllDifferent)]
    left = _left(symbols, says_more[0], part.rule, domains) if len(says_more) == 1 else ""
    start = f"{title} ({demand})" if demand else title
    return f"{start} {left}" if left else start


def demand_of(layout: Layout, rule: Rule) -> str:
    """Return what a part of a rule demands; nothing for kinds without such words."""
    demand = DEMANDS.get(rule.kind, "").format_map(_Fields(rule, len(layout.values)))
    return "" if "None" in demand else demand


class _Fields(dict[str, object]):
    """The fields of a rule, with the default that depends on how many values there are."""

    def __init__(self, rule: Rule, values: int) -> None:
        super().__init__()
        self._rule, self._values = rule, values

    def __missing__(self, name: str) -> object:
        value = getattr(self._rule, name, None)
        if value is not None:
            return value
        return {"difference": 1 if self._rule.kind == "difference" else (self._values + 1) // 2, "ratio": 2}.get(name)


def _left(symbols: Symbols, constraint: Constraint, rule: Rule, domains: Mapping[Cell, Domain]) -> str:
    if any(cell not in domains for cell in cells_of(constraint)):
        return ""  # it speaks of auxiliaries
    match constraint:
        case DigitSet():
            return _sets_left(symbols, constraint, domains, "+" if "total" in rule.field_types else ",")
        case Table() if len(constraint.cells) == PAIR:
            return _pairs_left(symbols, constraint, domains)
        case Linear():
            return _sums_left(constraint, domains, rule.kind)
        case _:
            return ""


def _sets_left(symbols: Symbols, constraint: DigitSet, domains: Mapping[Cell, Domain], joint: str) -> str:
    """Return the sets of values that fit, and the values that all of them have."""
    if len(constraint.sets) * len(constraint.cells) > WORK:
        return ""
    own = [domains[cell] for cell in constraint.cells]
    fitting = sorted((allowed for allowed in constraint.sets if _fits(allowed, own)), key=members)
    if not fitting:
        return "has no set of values left"
    if len(fitting) <= MOST:
        return f"needs {enumerate_words([joint.join(map(symbols.sign, members(allowed))) for allowed in fitting], 'or')}"
    common, union = fitting[0], 0
    for allowed in fitting:
        common, union = common & allowed, union | allowed
    needed = f", each with {enumerate_words([symbols.sign(value) for value in members(common)], 'and')}" if common else ""
    return f"has {len(fitting)} sets of values left{needed}"


def _fits(allowed: Domain, domains: Sequence[Domain]) -> bool:
    """Return whether cells of these domains can hold the values of a set, each of them one: by sets of values used up."""
    reached = {0}
    for domain in sorted((domain & allowed for domain in domains), key=int.bit_count):
        reached = {used | 1 << value for used in reached for value in members(domain & ~used)}
    return bool(reached)


def _pairs_left(symbols: Symbols, constraint: Table, domains: Mapping[Cell, Domain]) -> str:
    first, second = (domains[cell] for cell in constraint.cells)
    pairs = sorted((one, other) for one, other in constraint.tuples if first >> one & 1 and second >> other & 1)
    if not pairs:
        return "has no pair of values left"
    words = [f"{symbols.sign(one)}-{symbols.sign(other)}" for one, other in pairs]
    return f"is left with {enumerate_words(words, 'or')}" if len(pairs) <= MOST else ""


def _sums_left(constraint: Linear, domains: Mapping[Cell, Domain], kind: str) -> str:
    """Return between what the cells on both sides of an equation, or all of them, can add up to."""
    if prod(domains[cell] for cell, _ in constraint.terms) == 0:
        return ""
    ends = [[factor * value for value in members(domains[cell])] for cell, factor in constraint.terms]
    plus = [end for end, (_, factor) in zip(ends, constraint.terms, strict=True) if factor > 0]
    minus = [end for end, (_, factor) in zip(ends, constraint.terms, strict=True) if factor < 0]
    low, high = (sum(bound(end) for end in plus) for bound in (min, max))
    if not minus:
        return f"can add up to {low} to {high}"
    other_low, other_high = (constraint.total - sum(bound(end) for end in minus) for bound in (max, min))
    one, other = SIDES.get(kind, ("one side", "the other"))
    return f"leaves {low} to {high} for {one} and {other_low} to {other_high} for {other}"
