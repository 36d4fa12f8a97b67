"""What a hint says before it shows its step: a place that holds it, what kind of step it is, and a few of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.step import ProofStatement, Technique
from sudoku_cp.logic.words.clue_words import clue_name
from sudoku_cp.logic.words.proof_words import end_of, is_named
from sudoku_cp.logic.words.technique_words import announce_technique
from sudoku_cp.logic.words.wording import enumerate_words, plural
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.layout import CellSet, GroupIndex, RulePart
    from sudoku_cp.logic.step import ProofGroup, Step
    from sudoku_cp.logic.words.wording import Wording

MOST_CELLS = 6
"""The most cells that a hint lists before its step."""

_PAIR = 2


class HintPlace(NamedTuple):
    """Where to look: its name, and its cells unless it is the whole board or all places of a value.

    ``is_whole`` says that all cells of the step lie there; otherwise it begins there, or something can be ruled out there.
    """

    name: str
    cells: CellSet = 0
    is_whole: bool = True


# Where to look: the smallest place that holds the step.


def place_of(say: Wording) -> HintPlace:
    """Return a house, a clue, a value, or two houses that hold all of a step; else a box where it begins, or where it ends."""
    step, layout = say.step, say.layout
    cells = step.cells or _result(step)
    start = _start(step)
    if step.technique in _OF_CLUES:
        part = _parts(say)[0]
        mask = to_mask(part.cells)
        return HintPlace(f"the {clue_name(layout, part)}", mask, is_whole=not cells & ~mask)
    if start is not None:
        house = next(_houses_over(say, start))
        return HintPlace(layout.groups[house].name, layout.groups[house].mask, is_whole=False)
    if step.technique in _IMPLIED:
        mask = step.pattern.sets[0].cells
        return HintPlace(f"the implied house {say.cells(mask)}", mask, is_whole=not (cells | _result(step)) & ~mask)
    for house in (*step.pattern.bases[:1], *_houses_over(say, cells)):
        group = layout.groups[house]
        if not cells & ~group.mask and (house < layout.houses or (group.part is None and len(group.cells) > _PAIR)):
            return HintPlace(group.name, group.mask)
    parts = _parts(say)
    if len(parts) == 1 and not cells & ~(mask := to_mask(parts[0].cells)):
        return HintPlace(f"the {clue_name(layout, parts[0])}", mask)
    if step.values.bit_count() == 1:
        return HintPlace(f"the {say.value}s")
    return _two_houses(say, cells) or _place_of_result(say)


def _start(step: Step) -> CellSet | None:
    """Return the cells with which a refutation or forcing chain begins; None of other steps."""
    choice = step.pattern.choice
    if step.technique in _BY_CASES and choice is not None:
        if choice.statement is ProofStatement.HAS_VALUE:
            return 1 << choice.subject
        return _result(step)
    return _result(step) if step.technique in _SUPPOSING else None


_BY_CASES = frozenset({Technique.FORCING_CHAIN_VERITY, Technique.FORCING_NET_VERITY})
"""Techniques that begin with all candidates of a cell, or all places of a value."""
_OF_CLUES = frozenset({Technique.CLUE_AND_HOUSE, Technique.TWO_CLUES})
"""Techniques that try a value in a clue, which is the place to look at."""
_IMPLIED = frozenset({Technique.IMPLIED_SINGLE, Technique.IMPLIED_LOCKED, Technique.IMPLIED_SUBSET})
_SUPPOSING = _OF_CLUES | {*(Technique.REFUTATION, Technique.FORCING_CHAIN_CONTRADICTION, Technique.FORCING_NET_CONTRADICTION)}
"""Techniques that begin with the candidate that goes."""


def _houses_over(say: Wording, cells: CellSet) -> Iterator[GroupIndex]:
    """Yield the houses that hold some cells, boxes first; where there is none, those of the first of these cells."""
    layout = say.layout
    first = cells & -cells
    for some in (cells, first):
        found = [house for house in layout.groups_over(some) if house < layout.houses]
        yield from sorted(found, key=lambda house: layout.groups[house].kind is not HouseKind.BOX)
    yield from layout.groups_over(first)


def _two_houses(say: Wording, cells: CellSet) -> HintPlace | None:
    """Return two houses of a kind that hold some cells, boxes if possible."""
    groups = say.layout.groups
    for kind in (HouseKind.BOX, HouseKind.ROW, HouseKind.COLUMN):
        near = [house for house in say.layout.houses_of_kind(kind) if groups[house].mask & cells]
        for pair in combinations(near, 2):
            mask = groups[pair[0]].mask | groups[pair[1]].mask
            if not cells & ~mask:
                return HintPlace(say.houses(pair), mask)
    return None


def _place_of_result(say: Wording) -> HintPlace:
    """Return the house in which most is ruled out or placed, a box if possible."""
    layout, result = say.layout, _result(say.step)
    houses = [house for cell in members(result) for house in layout.houses_of[cell]]
    if not houses:
        return HintPlace("the board")
    best = max(
        houses,
        key=lambda house: ((layout.groups[house].mask & result).bit_count(), layout.groups[house].kind is HouseKind.BOX, -house),
    )
    return HintPlace(layout.groups[best].name, layout.groups[best].mask, is_whole=False)


def describe_place(say: Wording) -> str:
    """Return where to look as a sentence, and what to expect there where the step is larger than the place."""
    place = place_of(say)
    if place.is_whole:
        return f"Look at {place.name}."
    if say.step.placements:
        return f"Look at {place.name}: a value can be placed there."
    return f"Look at {place.name}: something can be ruled out there."


# What kind of step it is.


_OF_ONE_PART = frozenset(
    {
        *(Technique.RULE_PART, Technique.JOINT_RULE_PART, Technique.CAGE_COMBINATIONS),
        *(Technique.THERMOMETER_ENDS, Technique.WHISPER, Technique.MINIMUM_AND_MAXIMUM),
    }
)
QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "sandwich": "how far apart can its crusts stand",
        "killer-cage": "which values can add up to its sum",
        "sum-cage": "which values can add up to its sum",
        "arrow": "how small can its circle be, and how large its shaft",
        "pill-arrow": "how small can its pill be, and how large its shaft",
        "double-arrow": "how much do both circles leave for the cells between",
        "thermometer": "how low can its tip be, and how high its bulb",
        "slow-thermometer": "how low can its tip be, and how high its bulb",
        "whisper": "which values have a neighbour that is far enough away",
        "renban": "which runs of values does it have room for",
        "ratio": "which pairs of values are left",
        "difference": "which pairs of values are left",
        "pair-sum": "which pairs of values are left",
        "inequality": "how small can the larger value be",
        "between-line": "what lies between its circles",
        "little-killer": "how large and how small can its cells be",
        "x-sum": "how many cells does it count",
        "skyscraper": "where can the highest values stand",
        "palindrome": "what does each cell make of its counterpart",
        "clone": "what does each cell make of its counterpart",
        "equal-sums": "which sums are possible on all sides",
        "region-sum-line": "which sums are possible on all stretches",
        "zipper-line": "which sums are possible for all pairs",
        "minimum": "how large can its cell be",
        "maximum": "how small can its cell be",
        "lunchbox": "which values lie between its smallest and its largest",
        "quadruple": "where can its digits stand",
    }
)
"""What to ask of a clue that rules out candidates by itself."""


def describe_kind(say: Wording) -> str:
    """Return what kind of step it is as a sentence; of a clue that suffices, what to ask of it."""
    step, parts = say.step, _parts(say)
    if step.technique is Technique.REFUTATION:
        if step.pattern.supposition is None:
            return "Shall I show a value?" if step.placements else "A search has ruled out a candidate."
        cases = len(step.pattern.supposition.cases)
        if cases:
            return f"Suppose a value: it leads to {plural(cases, 'case')}, and each of them fails."
        return "Suppose a value that leads to a contradiction."
    if step.technique in _OF_CLUES:
        return f"The next step tries a value in the {clue_name(say.layout, parts[0])} ({step.technique.title})."
    if step.technique in _OF_ONE_PART and parts:
        question = QUESTIONS.get(parts[0].rule.kind, "what can its cells still hold")
        clue, title = clue_name(say.layout, parts[0]), step.technique.title
        if place_of(say).name == f"the {clue}":
            return f"The next step needs nothing else ({title}): {question}?"
        return f"The next step needs only the {clue}{'' if clue.startswith(title) else f' ({title})'}: {question}?"
    return f"{announce_technique(step.technique)}."


# A few of its cells, or what to try.


def key_cells(say: Wording) -> CellSet:
    """Return at most `MOST_CELLS` cells of a step, those first with which it is found."""
    step = say.step
    if _start(step) is not None:
        return _few(_start(step) or 0)
    if step.cells.bit_count() <= MOST_CELLS:
        return step.cells or _few(_result(step))
    pattern, groups = step.pattern, say.layout.groups
    ends = (
        [link.cells for pair in (pattern.links[:1], pattern.links[-1:]) for link in (pair[0].start, pair[0].end)]
        if pattern.links
        else []
    )
    of_base = [groups[house].mask & step.cells for house in pattern.bases[:1]]
    found = 0
    for some in (pattern.fins, *of_base, *[one.cells for one in pattern.sets], *ends, _result(step) & step.cells, step.cells):
        if (found | some).bit_count() <= MOST_CELLS:
            found |= some
    return found or _few(step.cells)


def describe_cells(say: Wording) -> str:
    """Return the cells of a step as a sentence, or what to suppose and where to look then."""
    step = say.step
    choice, supposition = step.pattern.choice, step.pattern.supposition
    if step.technique is Technique.REFUTATION and supposition is None:
        return f"It is the value of {say.every(_result(step))}." if step.placements else f"Look at {say.every(_result(step))}."
    if supposition is not None:
        cell, value = supposition.candidate
        return f"Suppose {say.cell(cell)} = {say.sign(value)}. {_question(say, end_of(supposition).group)}"
    if choice is not None and (step.technique in _BY_CASES or step.pattern.cases):
        if choice.statement is ProofStatement.HAS_VALUE:
            return f"Try every value of {say.cell(choice.subject)}."
        return f"Try every place of {say.sign(choice.value)} in {say.houses([choice.subject])}."
    if _start(step) is not None:
        (cell, value), *_ = (*step.eliminations, *step.placements)
        what = "=" if step.eliminations else "is not"
        return f"Suppose {say.cell(cell)} {what} {say.sign(value)}. {_question(say, next(iter(step.pattern.ends), choice))}"
    cells = [say.cell(cell) for cell in members(key_cells(say))]
    if step.cells.bit_count() > MOST_CELLS:
        return f"Among its cells {'are' if len(cells) > 1 else 'is'} {enumerate_words(cells, 'and')}."
    return f"Its {'cells are' if len(cells) > 1 else 'cell is'} {enumerate_words(cells, 'and')}."


def _question(say: Wording, group: ProofGroup | None) -> str:
    """Return a question that leads to a contradiction."""
    if group is None:
        return "Where does that lead?"
    match group.statement:
        case ProofStatement.HAS_VALUE | ProofStatement.ONE_VALUE:
            return f"What is left for {say.cell(group.subject)}?"
        case ProofStatement.HAS_PLACE | ProofStatement.ONCE:
            return f"What happens to the {say.sign(group.value)}s of {say.houses([group.subject])}?"
        case _:
            return f"What is left for the {clue_name(say.layout, say.layout.parts[group.subject])}?"


def _few(cells: CellSet) -> CellSet:
    return to_mask(members(cells)[:MOST_CELLS])


def _result(step: Step) -> CellSet:
    return to_mask(cell for cell, _ in (*step.placements, *step.eliminations))


def _parts(say: Wording) -> list[RulePart]:
    """Return the rule parts that a step rests on."""
    parts = dict.fromkeys(group.subject for group in say.step.proof if group.statement is ProofStatement.PART)
    return [say.layout.parts[part] for part in parts]


__all__ = ["HintPlace", "describe_cells", "describe_kind", "describe_place", "is_named", "key_cells", "place_of"]
