"""Sentences of the techniques that read the rules of variants: cages, sums, thermometers, leftovers."""

from __future__ import annotations

from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.logic.house_totals import part_sums
from sudoku_cp.logic.step import ProofStatement, Technique
from sudoku_cp.logic.step_reasons import sandwich_lengths
from sudoku_cp.logic.words.clue_case_words import CLUE_REASONS, needed_in_clue
from sudoku_cp.logic.words.clue_words import clue_name, reasons
from sudoku_cp.logic.words.implied_words import IMPLIED_REASONS
from sudoku_cp.logic.words.technique_words import chain, plain_fish
from sudoku_cp.logic.words.wording import MOST_PLACES, PLACES, enumerate_words, numeral, plural
from sudoku_cp.model import AllDifferent, DigitSet, Linear, Table, cells_of, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import Layout, RulePart
    from sudoku_cp.logic.step import Bound, CellsAndValues, Link
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Constraint, Domain
    from sudoku_cp.rules import Rule
    from sudoku_cp.symbols import Symbols


# What a rule part demands and what it is left with, in words: ``cage 13 of r1c1 r1c2 r2c1 needs 1+3+9 or 1+4+8``.


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
        "entropic-line": "every three neighbouring cells of the line are low, middle and high",
        "modular-line": "neighbouring cells of the line leave different remainders",
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
        "ratio": "one value is {times} the other",
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


_TIMES = {2: "twice"}


class _Fields(dict[str, object]):
    """The fields of a rule, with the default that depends on how many values there are."""

    def __init__(self, rule: Rule, values: int) -> None:
        super().__init__()
        self._rule, self._values = rule, values

    def __missing__(self, name: str) -> object:
        value = getattr(self._rule, "ratio" if name == "times" else name, None)
        if name == "times":
            return _TIMES.get(value or 2, f"{value} times")
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


_SUM_SIGN = "+"
_FEW_SUMS = 3
"""The most sums of cages that a calculation names."""
_APART = "cells that see each other differ"
_FEW = 4
"""If several cages are listed, no more combinations of each."""


def cage_combinations(say: Wording) -> str:
    """List what a cage can hold: ``13 in the cage r1c123 is 1+3+9 or 1+4+8``."""
    part, sets = _part(say), say.step.pattern.sets
    if not sets or len(sets) > MOST:
        return f"in {_name(say, part)}, {reasons(say)}"
    total = getattr(part.rule, "total", None)
    listed = _combinations(say, sets, _SUM_SIGN if total is not None else "")
    held = f"{_name(say, part)} can only hold {listed}"
    if part.rule.kind == "killer-cage":
        held = f"{_name(say, part)} can only be {listed}"
    common = sets[0].values
    for one in sets:
        common |= one.values
    if all(not common >> value & 1 for _, value in say.step.eliminations):
        return held
    return f"{held}, a value for every cell: {reasons(say)}"


def needed_digit(say: Wording) -> str:
    """Explain that all combinations of a cage have a value."""
    pattern, cells = say.step.pattern, say.step.cells
    if pattern.domains:
        return needed_in_clue(say)
    places = say.either(pattern.fins) if pattern.fins.bit_count() <= _FEW else say.cells(pattern.fins)
    place = f", which can only stand in {places} there"
    if pattern.total is None:
        return f"every combination of {_name(say, _part(say))} needs {say.value}{place}"
    listed = _combinations(say, pattern.sets, _SUM_SIGN)
    known = _outside_sum(say) if _sticks_out(say, cells) else f"{_arithmetic(say)} = {pattern.total}:"
    return f"{known} {_sum_of(say, cells)} {pattern.total}, which is {listed}, always with {say.value}{place}"


def killer_subset(say: Wording) -> str:
    """Explain what cages and cells take up of a house."""
    sets = say.step.pattern.sets
    written = {to_mask(part.cells): _name(say, part) for part in _parts(say)}
    cages = [
        written.get(one.cells, f"{say.cells(one.cells)} (whose sum the 45 rule gives)")
        for one in sets
        if one.cells in written or one.cells & (one.cells - 1)
    ]
    alone = to_mask(one.cells.bit_length() - 1 for one in sets if one.cells not in written and not one.cells & (one.cells - 1))
    noun = plural(alone.bit_count(), "cell").removeprefix("one ")
    cells = [f"the {noun} {say.cells(alone)}"] if alone else []
    taken = enumerate_words([*cages, *cells], "and")
    together = len(cages) + alone.bit_count() > 1
    held, use = ("they hold", "use") if together else ("it holds", "uses")
    return f"whatever else {held}, {taken} {use} up {say.value} of {say.houses(say.step.pattern.bases)}"


def house_combinations(say: Wording) -> str:
    """Explain which combinations of cages leave a house a way to share out its values."""
    listed: dict[int, list[CellsAndValues]] = {}
    for one in say.step.pattern.sets:
        listed.setdefault(one.cells, []).append(one)
    few = {cells: sets for cells, sets in listed.items() if len(sets) <= _FEW}
    told = enumerate_words(
        [f"{say.cells(cells)} {_combinations(say, tuple(sets), '')}" for cells, sets in list(few.items())[:PAIR]], "and"
    )
    house = say.houses(say.step.pattern.bases)
    clues = enumerate_words([_name(say, part) for part in dict.fromkeys(_parts(say))][:PAIR], "and")
    (cell, value), *_ = say.step.eliminations
    example = f"with {say.sign(value)} in {say.cell(cell)}, for instance, {clues} would have no combination that fits the rest"
    if not told:
        return f"the cages of {house} share out its values. {_sentence(example)}"
    return f"the values of {house} can only be shared out with {told}. {_sentence(example)}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def house_total(say: Wording) -> str:
    """Show the arithmetic: ``box 3: 45 - 12 (12-cage at r1c8) - 9 (filled cells) = 24, the sum of r12c7``."""
    pattern, step = say.step.pattern, say.step
    total, inside, outside = pattern.total or 0, step.cells & ~pattern.fins, pattern.fins
    if not inside:
        return f"{_arithmetic(say)} = {total}: {_sum_of(say, outside)} {-total}"
    if not outside:
        return f"{_arithmetic(say)} = {total}: {_sum_of(say, inside)} {total}"
    return f"{_arithmetic(say)} = {total}: {_sum_of(say, inside)} {_more_than(say, outside, total)}"


def _arithmetic(say: Wording) -> str:
    """Return what houses add up to less what is known: ``box 3: 45 - 12 (12-cage at r1c8) - 9 (filled cells)``."""
    houses, grid = say.step.pattern.bases, say.layout.grid
    whole = len(houses) * sum(grid.values)
    written = {one.cells: one for one in part_sums(say.layout)}
    sums = [written[one.cells] for one in say.step.pattern.sets if one.cells in written and not one.values]
    rest = whole - sum(one.total for one in sums) - (say.step.pattern.total or 0)
    told = [f" - {one.total} ({clue_name(say.layout, say.layout.parts[one.part])})" for one in sums[:_FEW_SUMS]]
    if further := sums[_FEW_SUMS:]:
        told.append(f" - {sum(one.total for one in further)} ({numeral(len(further))} more)")
    if rest:
        told.append(f" {'-' if rest > 0 else '+'} {abs(rest)} ({'filled cells' if sums else 'what is known'})")
    return f"{say.houses(houses)}: {whole}{''.join(told)}"


def parity(say: Wording) -> str:
    """Explain that the sum of many cells fixes what one of them leaves as a remainder."""
    cells, total = say.step.cells, say.step.pattern.total or 0
    ((last, _), *_) = say.step.eliminations
    kept = next((one.values for one in say.step.pattern.domains if one.cells == 1 << last), 0) & ~say.lost
    remainders = {value % PAIR for value in members(kept)}
    known, has = "whether they are odd or even", "even" if remainders == {0} else "odd"
    if len(remainders) != 1:
        known, has = "what they leave when divided by 3", f"{', '.join(map(say.sign, members(kept)))}"
    outside = say.step.pattern.fins
    sums = f"the sum of {say.cells(cells & ~outside)}{f' less that of {say.cells(outside)}' if outside else ''}"
    return (
        f"{_arithmetic(say)} = {total}, {sums}. Of all these but {say.cell(last)} it is known {known}: {say.cell(last)} is {has}"
    )


def minimum_and_maximum(say: Wording) -> str:
    """Explain what a sum makes of its cells: ``by the arrow r5c789 (each shaft adds up to the circle), r5c7 is at least 3``."""
    return f"by {_demand(say, _name(say, _part(say)))}, {_bounds(say, _sum)}"


def thermometer(say: Wording) -> str:
    """Explain that values rise."""
    part = _part(say)
    how = "never fall" if part.rule.kind.startswith("slow") else "rise"
    reckoned = _bounds(say, _distance) if say.step.pattern.bounds else reasons(say)
    return f"values {how} from the bulb along {_name(say, part)}{_apart(say)}: {reckoned}"


def whisper(say: Wording) -> str:
    """Explain that neighbours are far apart."""
    part = _part(say)
    least = getattr(part.rule, "difference", None)
    apart = (len(say.layout.grid.values) + 1) // 2 if least is None else least
    return f"neighbours on {_name(say, part)} are at least {apart} apart{_apart(say)}: {reasons(say)}"


def rule_part(say: Wording) -> str:
    """Explain what few candidates of a part would need of its other cells."""
    part, index = _part(say), _part_index(say)
    title = _demand(say, _name(say, part))
    return f"{title}{_lengths(say, part, index)}: {reasons(say)}"


def _lengths(say: Wording, part: RulePart, index: int) -> str:
    """Say of a sandwich how far apart its crusts stand."""
    counts = sandwich_lengths(say.layout, index)
    if not counts or len(counts) > _FEW:
        return ""
    if list(counts) == [0]:
        return ". The crusts stand side by side"
    only = {count: f" ({_SUM_SIGN.join(map(say.sign, ways[0]))})" for count, ways in counts.items() if len(ways) == 1 < count}
    cells = enumerate_words([f"{numeral(count)}{only.get(count, '')}" for count in counts], "or")
    apart = enumerate_words([str(count + 1) for count in counts], "or")
    noun = "cell" if list(counts) == [1] else "cells"
    return f". {getattr(part.rule, 'total', '')} takes {cells} {noun}, so the crusts stand {apart} apart"


def common_sight(say: Wording) -> str:
    """Explain that a cell sees all places of a value in a house, and by which rules."""
    step = say.step
    seeing = to_mask(cell for cell, _ in step.eliminations)
    places = f"{say.value} in {say.houses(step.pattern.bases)} can only stand in {say.cells(step.cells)}"
    groups = [group.subject for group in step.proof if group.statement is ProofStatement.ONCE]
    further = [say.layout.groups[index] for index in groups if say.layout.groups[index].kind is None]
    ways = [*dict.fromkeys(f"a {group.name.partition(' r')[0]}" for group in further if len(group.cells) == PAIR)]
    ways += [*dict.fromkeys(say.houses([index]) for index in groups if _is_long_group(say, index))]
    ways += [*dict.fromkeys(_name(say, part) for part in _parts(say))]
    how = f" ({enumerate_words(ways[:_FEW], 'and')} included)" if ways else ""
    return f"{places}, all of which {say.cells(seeing)} {_verb('see', seeing)}{how}"


def _is_long_group(say: Wording, index: int) -> bool:
    group = say.layout.groups[index]
    return group.kind is None and len(group.cells) > PAIR


def set_equivalence(say: Wording) -> str:
    """Explain which cells hold the same values because houses have the rest in common."""
    pattern = say.step.pattern
    one, other = pattern.sets
    hold = "hold" if len(pattern.bases) > 1 else "holds"
    return (
        f"{say.houses(pattern.bases)} {hold} the same values as {say.houses(pattern.covers)}, and so do the cells that only one "
        f"side has: {say.cells(one.cells)} {_verb('hold', one.cells)} those of {say.cells(other.cells)}"
    )


def _verb(verb: str, cells: int) -> str:
    """Return a verb as it follows the names of cells: ``hold`` or ``holds``."""
    return verb if cells & (cells - 1) else f"{verb}s"


def _combinations(say: Wording, sets: tuple[CellsAndValues, ...], sign: str) -> str:
    """Return sets of values as ``1+3+9, 1+4+8 or 2+3+8``, or, where they are no sums, as ``{1,2} or {2,3}``."""
    if not sign and all(not one.cells & (one.cells - 1) for one in sets):
        union = 0
        for one in sets:
            union |= one.values
        return say.values(union, "or")
    texts = [sign.join(map(say.sign, members(one.values))) if sign else say.value_set(one.values) for one in sets]
    return enumerate_words(texts, "or")


def _outside_sum(say: Wording) -> str:
    return f"the sums over {say.houses(say.step.pattern.bases)} are more than their total by what sticks out, so"


def _sticks_out(say: Wording, cells: int) -> bool:
    return not any(cells & say.layout.groups[house].mask for house in say.step.pattern.bases)


def _sum_of(say: Wording, cells: int) -> str:
    return f"{say.cells(cells)} {'add up to' if cells & (cells - 1) else 'is'}"


def _more_than(say: Wording, cells: int, total: int) -> str:
    what = f"the sum of {say.cells(cells)}" if cells & (cells - 1) else say.cells(cells)
    return f"{abs(total)} {'more' if total > 0 else 'less'} than {what}" if total else f"as much as {what}"


def _parts(say: Wording) -> list[RulePart]:
    """Return the rule parts that a step rests on."""
    return [say.layout.parts[group.subject] for group in say.step.proof if group.statement is ProofStatement.PART]


def _part(say: Wording) -> RulePart:
    return _parts(say)[0]


def _part_index(say: Wording) -> int:
    return next(group.subject for group in say.step.proof if group.statement is ProofStatement.PART)


def _name(say: Wording, part: RulePart) -> str:
    """Return how a part is called and found: ``the 13-cage at r1c1``."""
    return f"the {clue_name(say.layout, part)}"


def _demand(say: Wording, title: str) -> str:
    """Return the title of the part with what must hold in brackets."""
    demands = [demand_of(say.layout, _part(say).rule), _APART if _needs_sight(say) else ""]
    told = "; ".join(filter(None, demands))
    return f"{title} ({told})" if told else title


def _bounds(say: Wording, reckoning: Callable[[Wording, Bound], str]) -> str:
    """Return ``r5c7 is at least 1+2 = 3 and r5c8 is at most 8``, of a few bounds."""
    bounds = say.step.pattern.bounds
    told = [
        f"{say.cell(bound.cell)} is at {'least' if bound.is_least else 'most'} {reckoning(say, bound)}" for bound in bounds[:_FEW]
    ]
    return enumerate_words([*told, *["so on"] * (len(bounds) > _FEW)], "and")


def _sum(_say: Wording, bound: Bound) -> str:
    """Return ``1+2 = 3``, what is added in front."""
    terms = sorted((term for term in bound.terms if term), key=lambda term: term < 0)
    if not terms or terms == [bound.value]:
        return str(bound.value)
    return f"{''.join(f'{term:+}' for term in terms).removeprefix('+')} = {bound.value}"


def _distance(say: Wording, bound: Bound) -> str:
    """Return ``4 (five cells follow)``, or what another cell on the thermometer leaves: ``4 (r5c5 is at most 6)``."""
    assert bound.beside is not None  # noqa: S101  # thermometers say which cell it is
    most, distance = bound.terms
    if most == (min if bound.is_least else max)(say.layout.grid.values):
        verb = "come" if bound.is_least else "follow"
        return (
            f"{bound.value} ({plural(abs(distance), 'cell')} {verb}{'s' * (abs(distance) == 1)}{' before it' * bound.is_least})"
        )
    return f"{bound.value} ({say.cell(bound.beside)} is at {'least' if bound.is_least else 'most'} {most})"


def _apart(say: Wording) -> str:
    """Return a remark where cells differ because they see each other."""
    return f", and {_APART}" if _needs_sight(say) else ""


def _needs_sight(say: Wording) -> bool:
    return any(group.statement is ProofStatement.ONCE for group in say.step.proof) or len(_parts(say)) > 1


REASONS: Mapping[Technique, Callable[[Wording], str]] = MappingProxyType(
    {
        Technique.RULE_PART: rule_part,
        Technique.JOINT_RULE_PART: rule_part,
        Technique.CAGE_COMBINATIONS: cage_combinations,
        Technique.NEEDED_DIGIT: needed_digit,
        Technique.KILLER_SUBSET: killer_subset,
        Technique.HOUSE_COMBINATIONS: house_combinations,
        Technique.CAGE_X_WING: plain_fish,
        Technique.HOUSE_TOTAL: house_total,
        Technique.PARITY: parity,
        Technique.MINIMUM_AND_MAXIMUM: minimum_and_maximum,
        Technique.THERMOMETER_ENDS: thermometer,
        Technique.WHISPER: whisper,
        Technique.LEFTOVERS: set_equivalence,
        Technique.SET_EQUIVALENCE: set_equivalence,
        Technique.COMMON_SIGHT: common_sight,
        **IMPLIED_REASONS,
        **CLUE_REASONS,
    }
)
"""The words of techniques that read the rules of variants."""


# Sentences of templates, and of forcing chains and nets: several chains that lead to a contradiction, or all to the same.


_MOST = 6
"""The most chains that a sentence shows."""


def template_set(say: Wording) -> str:
    """Explain that all ways to place a value agree."""
    return f"every {_way(say)} has it in {say.cells_of_result}"


def template_delete(say: Wording) -> str:
    """Explain that no way to place a value uses some cells."""
    return f"no {_way(say)} has it in {say.cells_of_result}"


def _way(say: Wording) -> str:
    return f"way to place {say.value} in the whole grid that leaves all other values a way"


def forcing_contradiction(say: Wording) -> str:
    """Explain that an assumption contradicts itself."""
    cell, value = (*say.step.eliminations, *say.step.placements)[0]
    verb = "were" if say.step.eliminations else "were not"
    return f"if {say.cell(cell)} {verb} {say.sign(value)}, {_clash(say)}{_shown(say)}"


def _clash(say: Wording) -> str:
    """Return what would be left without a candidate."""
    choice = say.step.pattern.choice
    if choice is None:
        return "a contradiction would follow"
    if choice.statement is ProofStatement.HAS_VALUE:
        return f"no value would be left for {say.cell(choice.subject)}"
    return f"no place would be left for {say.sign(choice.value)} in {say.houses([choice.subject])}"


def forcing_verity(say: Wording) -> str:
    """Explain that all cases lead to the same."""
    choice = say.step.pattern.choice
    assert choice is not None  # noqa: S101  # the cases are those of a cell or a house
    if choice.statement is ProofStatement.HAS_VALUE:
        cases = f"whatever value {say.cell(choice.subject)} has"
    else:
        cases = f"wherever {say.sign(choice.value)} stands in {say.houses([choice.subject])}"
    return f"{cases}, the same follows{_shown(say)}"


def _shown(say: Wording) -> str:
    """Return the chains, if they are few; each that continues another begins where it leaves that."""
    chains = list(_chains(say.step.pattern.links))
    if not chains:
        return ""
    shown = "; ".join(chain(say, links) for links in chains)
    if len(chains) > _MOST or len(set(PLACES.findall(f"{shown} {say.effect}"))) > MOST_PLACES:
        return f", as {plural(len(say.step.pattern.links), 'link')} in {plural(len(chains), 'chain')} show"
    return f": {shown}"


def _chains(links: tuple[Link, ...]) -> Iterator[list[Link]]:
    """Yield the links in runs, in each of which one begins where the last ends."""
    run: list[Link] = []
    for link in links:
        if run and run[-1].end != link.start:
            yield run
            run = []
        run.append(link)
    if run:
        yield run
