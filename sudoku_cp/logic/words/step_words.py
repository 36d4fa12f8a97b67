"""A step of any technique as a sentence: its short name, why it holds, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import ascii_uppercase
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.words import technique_words, variant_words
from sudoku_cp.logic.words.proof_words import refutation
from sudoku_cp.logic.words.technique_words import chain
from sudoku_cp.logic.words.wording import Wording, plural
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.step import CellsAndValues, Step
    from sudoku_cp.model import Domain
    from sudoku_cp.symbols import Symbols


# Sentences of wings and of almost locked sets: cells with few values, of which one set or another has to hold a value.


_DOUBLY = 2


def wing(say: Wording) -> str:
    """Say of a pivot and two cells that one of them holds the value they share."""
    pivot, *pincers = say.step.pattern.sets
    lost = say.lost
    cases = [
        f"if it is {say.values(pivot.values & pincer.values & ~lost)}, then {say.cells(pincer.cells)} is {say.values(lost)}"
        for pincer in pincers
    ]
    if pivot.values & lost:
        cases.append(f"otherwise it is {say.values(lost)} itself")
    wings = " and ".join(map(say.set, pincers))
    ends = "all three" if pivot.values & lost else "both ends"
    return f"{say.set(pivot)} sees {wings}: {'; '.join(cases)}. {say.cells_of_result} {say.verb('see')} {ends}"


def w_wing(say: Wording) -> str:
    """Say of two cells of the same two candidates that they are not both the value of a conjugate pair."""
    step = say.step
    links = step.pattern.links
    first, last, pair = links[0].start.cells, links[-1].end.cells, links[2]
    kept = say.sign(pair.start.value)
    return (
        f"{say.every(first | last)} can each only hold {say.values(step.values, 'or')}. {kept} in "
        f"{say.houses(step.pattern.bases)} stands in {say.either(pair.start.cells | pair.end.cells)}, which they see: "
        f"{chain(say, links)}. Therefore one of them is {say.values(say.lost)}. {say.seen_both}"
    )


# --- almost locked sets -------------------------------------------------------------------------------------------------


def als_xz(say: Wording) -> str:
    """Say of two sets that share a value once that one of them is locked; if they share two once, both are."""
    sets, common = say.step.pattern.sets, _restricted_commons(say)
    names = _lettered(say, sets)
    if len(common) == _DOUBLY:
        return (
            f"{names} have {_signs(say, common)} in common, each of which only one of them can hold. "
            "Each set gives up just one of these, and holds all its other values"
        )
    others = f"all its other values, {say.values(say.lost)} among them"
    return f"{names} cannot both hold {_signs(say, common)}, and the one without it holds {others}. {say.seen_both}"


def als_chain(say: Wording) -> str:
    """Say of sets of which neighbours share a value once that the first or the last is locked."""
    sets, common = say.step.pattern.sets, _restricted_commons(say)
    names = _lettered(say, sets)
    letters, lost = ascii_uppercase, say.values(say.lost)
    if len(common) != len(sets) - 1:
        joints = ", in which neighbours share values that only one of them can hold"
    else:
        joints = ": " + ", ".join(
            f"{letters[index]} and {letters[index + 1]} cannot both hold {say.sign(value)}" for index, value in enumerate(common)
        )
    return f"{names}{joints}. Therefore {letters[0]} or {letters[len(sets) - 1]} holds all its other values, {lost} among them"


def death_blossom(say: Wording) -> str:
    """Say of a cell each of whose candidates would lock another set that one of these sets is locked."""
    stem, *petals = say.step.pattern.sets
    return (
        f"whatever value the stem {say.set(stem)} has, one of {_lettered(say, petals)} loses it and holds all its other values, "
        f"{say.values(say.lost)} among them"
    )


def sue_de_coq(say: Wording) -> str:
    """Say of cells in a crossing, in the line and in the box that together have as many values as cells."""
    pattern = say.step.pattern
    crossed, line, box = pattern.sets
    houses = [say.houses([house]) for house in pattern.bases]
    count = (crossed.cells | line.cells | box.cells).bit_count()
    return (
        f"{say.set(crossed)} in {' and '.join(houses)}, {say.set(line)} in {houses[0]} and {say.set(box)} in {houses[1]} are "
        f"{plural(count, 'cell')} with just enough room for their values, and use them up: those of {say.cells(line.cells)} in "
        f"{houses[0]}, those of {say.cells(box.cells)} in {houses[1]}, all others in both"
    )


def _lettered(say: Wording, sets: Sequence[CellsAndValues]) -> str:
    """Return sets as ``A = r1c2 {3,5} and B = ...``."""
    parts = [f"{letter} = {say.set(one)}" for letter, one in zip(ascii_uppercase, sets, strict=False)]
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def _restricted_commons(say: Wording) -> list[int]:
    """Return the values that the links of the step say neighbours share; else what two sets share and the step leaves."""
    pattern = say.step.pattern
    weak = [link.start.value for link in pattern.links if not link.strong]
    shared: Domain = pattern.sets[0].values & pattern.sets[-1].values & ~say.lost
    return weak or members(shared)


def _signs(say: Wording, values: Sequence[int]) -> str:
    return " and ".join(map(say.sign, values))


# Sentences of the techniques that argue from uniqueness: otherwise values could be exchanged, and there were two solutions.


_TWO = 2


def _deadly(say: Wording) -> str:
    """Explain what must not happen."""
    rectangle = say.step.pattern.sets[0]
    pair = say.values(rectangle.values)
    return f"if {say.cells(rectangle.cells)} held nothing but {pair}, these could be exchanged and there would be two solutions"


def rectangle_1(say: Wording) -> str:
    """Explain that the roof is one cell."""
    return f"{_deadly(say)}. Only {say.cells(say.step.pattern.fins)} can hold anything else"


def rectangle_2(say: Wording) -> str:
    """Explain that the roof has one extra value."""
    roof = say.step.pattern.fins
    sight = f"{say.cells_of_result} {say.verb('see')} {'both' if roof.bit_count() == _TWO else 'them all'}"
    return f"{_deadly(say)}. Therefore {say.either(roof)} is {say.values(say.lost)}. {sight}"


def rectangle_3(say: Wording) -> str:
    """Explain that the roof's extra values make a subset with other cells."""
    pattern = say.step.pattern
    rectangle, subset = pattern.sets
    extras = say.step.values & ~rectangle.values
    return (
        f"{_deadly(say)}. Therefore {say.either(pattern.fins)} holds {say.values(extras, 'or')}, "
        f"and makes with {say.set(subset)} a naked subset of {say.values(subset.values | extras)} in {say.houses(pattern.bases)}"
    )


def rectangle_4(say: Wording) -> str:
    """Explain that a value must stand in the roof."""
    pattern = say.step.pattern
    kept = say.values(pattern.sets[0].values & ~say.lost)
    return (
        f"{_deadly(say)}. {kept} in {say.houses(pattern.bases)} has to stand in {say.either(pattern.fins)}, and with "
        f"{say.values(say.lost)} in the other one the four cells would hold nothing else"
    )


def rectangle_6(say: Wording) -> str:
    """Explain that a value has no place outside the rectangle in its four lines."""
    pattern = say.step.pattern
    lost = say.values(say.lost)
    return (
        f"{_deadly(say)}. {lost} in {say.houses(pattern.bases)} can only stand in these cells: "
        f"if one of {say.every(pattern.fins)} were {lost}, both would be, and the four cells would hold nothing else"
    )


def hidden_rectangle(say: Wording) -> str:
    """Explain that a value has no place outside the rectangle in the two lines of a corner."""
    pattern = say.step.pattern
    pair, lost = pattern.sets[0].values, say.lost
    corner = 1 << say.step.eliminations[0][0]
    return (
        f"{_deadly(say)}. {say.values(pair & ~lost)} in {say.houses(pattern.bases)} can only stand in these cells: if "
        f"{say.cells(corner)} were {say.values(lost)}, the two beside it would be {say.values(pair & ~lost)} and the fourth "
        f"{say.values(lost)}"
    )


def avoidable_1(say: Wording) -> str:
    """Explain that the last open cell would complete the rectangle."""
    last = say.step.pattern.fins
    return (
        f"none of {say.cells(say.step.pattern.sets[0].cells)} is given. If {say.cells(last)} were {say.values(say.lost)}, "
        f"{say.values(say.step.pattern.sets[0].values)} could be exchanged in them and there would be two solutions"
    )


def avoidable_2(say: Wording) -> str:
    """Explain that one of the two open cells has the extra value."""
    pattern = say.step.pattern
    lost, pair = say.values(say.lost), say.values(pattern.sets[0].values)
    return (
        f"none of {say.cells(pattern.sets[0].cells)} is given. If neither of {say.every(pattern.fins)} were {lost}, "
        f"{pair} could be exchanged in them and there would be two solutions. {say.seen_both}"
    )


def bug_plus_1(say: Wording) -> str:
    """Explain that all other open cells have two candidates, and all values two places."""
    cell = say.cells(say.step.cells)
    return (
        f"if {cell} were not {say.value}, all open cells would have two candidates, and all values two places or none in every "
        "house. Such a grid never has just one solution"
    )


Reason: TypeAlias = Callable[[Wording], str]
"""Explains why a step of a technique holds."""


def plain(say: Wording) -> str:
    """Name cells, values and houses of the pattern."""
    houses = say.houses(say.step.pattern.bases)
    return f"{say.value} in {say.cells(say.step.cells)}{f' ({houses})' if houses else ''}"


_T = Technique
_REASONS: Mapping[Technique, Reason] = MappingProxyType(
    {
        _T.FULL_HOUSE: technique_words.full_house,
        _T.HIDDEN_SINGLE: technique_words.hidden_single,
        _T.NAKED_SINGLE: technique_words.naked_single,
        _T.POINTING: technique_words.locked_candidates,
        _T.CLAIMING: technique_words.locked_candidates,
        _T.SKYSCRAPER: technique_words.two_pairs,
        _T.TWO_STRING_KITE: technique_words.two_pairs,
        _T.TURBOT_FISH: technique_words.two_pairs,
        _T.EMPTY_RECTANGLE: technique_words.empty_rectangle,
        _T.DUAL_TWO_STRING_KITE: technique_words.two_chains,
        _T.DUAL_EMPTY_RECTANGLE: technique_words.two_chains,
        _T.COLOUR_TRAP: technique_words.colour_trap,
        _T.COLOUR_WRAP: technique_words.colour_wrap,
        _T.MULTI_COLOURS_1: technique_words.multi_colours_1,
        _T.MULTI_COLOURS_2: technique_words.multi_colours_2,
        _T.UNIQUE_RECTANGLE_1: rectangle_1,
        _T.UNIQUE_RECTANGLE_2: rectangle_2,
        _T.UNIQUE_RECTANGLE_3: rectangle_3,
        _T.UNIQUE_RECTANGLE_4: rectangle_4,
        _T.UNIQUE_RECTANGLE_5: rectangle_2,
        _T.UNIQUE_RECTANGLE_6: rectangle_6,
        _T.HIDDEN_RECTANGLE: hidden_rectangle,
        _T.AVOIDABLE_RECTANGLE_1: avoidable_1,
        _T.AVOIDABLE_RECTANGLE_2: avoidable_2,
        _T.BUG_PLUS_1: bug_plus_1,
        _T.X_CHAIN: technique_words.alternating_chain,
        _T.XY_CHAIN: technique_words.alternating_chain,
        _T.AIC: technique_words.alternating_chain,
        _T.GROUPED_AIC: technique_words.alternating_chain,
        _T.REMOTE_PAIR: technique_words.remote_pair,
        _T.CONTINUOUS_LOOP: technique_words.continuous_loop,
        _T.GROUPED_CONTINUOUS_LOOP: technique_words.continuous_loop,
        _T.DISCONTINUOUS_LOOP: technique_words.discontinuous_loop,
        _T.GROUPED_DISCONTINUOUS_LOOP: technique_words.discontinuous_loop,
        _T.XY_WING: wing,
        _T.XYZ_WING: wing,
        _T.W_WING: w_wing,
        _T.ALS_XZ: als_xz,
        _T.ALS_XY_WING: als_chain,
        _T.ALS_CHAIN: als_chain,
        _T.DEATH_BLOSSOM: death_blossom,
        _T.SUE_DE_COQ: sue_de_coq,
        _T.TEMPLATE_SET: variant_words.template_set,
        _T.TEMPLATE_DELETE: variant_words.template_delete,
        _T.FORCING_CHAIN_CONTRADICTION: variant_words.forcing_contradiction,
        _T.FORCING_CHAIN_VERITY: variant_words.forcing_verity,
        _T.FORCING_NET_CONTRADICTION: variant_words.forcing_contradiction,
        _T.FORCING_NET_VERITY: variant_words.forcing_verity,
        _T.REFUTATION: refutation,
        **variant_words.REASONS,
    }
)
"""The words of techniques that have a code of their own; families are in `_FAMILIES`."""
_FAMILIES: Mapping[str, Reason] = MappingProxyType(
    {
        "011": technique_words.locked_subset,
        "020": technique_words.naked_subset,
        "021": technique_words.hidden_subset,
        "030": technique_words.plain_fish,
        "031": technique_words.finned_fish,
        "032": technique_words.finned_fish,
        "033": technique_words.plain_fish,
        "034": technique_words.finned_fish,
        "035": technique_words.plain_fish,
        "036": technique_words.finned_fish,
    }
)
"""The words of families of techniques that differ in size, by the first figures of their codes."""


def reason_of(technique: Technique) -> Reason:
    """Return the function that explains why steps of a technique hold."""
    return _REASONS.get(technique) or _FAMILIES.get(technique.code[:3], plain)


def describe_step(layout: Layout, symbols: Symbols, step: Step) -> str:
    """Return a step as a sentence: ``X-wing: 2 in rows 3 and 7 can only stand in columns 4 and 8, so r1c4, r5c8 lose 2.``"""
    title = step.technique.title
    say = Wording(layout, symbols, step)
    reason = reason_of(step.technique)(say)
    return f"{title[0].upper()}{title[1:]}: {reason}, so {_proved(say)}{say.effect_beside(reason)}."


def _proved(say: Wording) -> str:
    """Return what a cell is, where a technique proves that and so eliminates all its other candidates."""
    step = say.step
    links = step.pattern.links
    if step.technique is Technique.BUG_PLUS_1:
        return f"{say.cells(step.cells)} is {say.value}: "
    if step.technique in {_T.DISCONTINUOUS_LOOP, _T.GROUPED_DISCONTINUOUS_LOOP} and links[0].strong:
        return f"{say.node(links[0].start)}: "
    return ""
