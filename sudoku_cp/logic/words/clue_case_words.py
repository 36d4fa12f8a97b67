"""Sentences of clues case by case: what a value makes of the rest of its clue, and what that leaves without."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.logic.step import ProofStatement, Technique
from sudoku_cp.logic.words.clue_words import clue_name, clue_noun
from sudoku_cp.logic.words.wording import enumerate_words, numeral
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.logic.step import CellsAndValues, ClueCase, ProofGroup
    from sudoku_cp.logic.words.wording import Wording

_FEW = 3
"""The most cells of a clue whose values a sentence gives."""


def clue_cases(say: Wording) -> str:
    """Explain what fails: ``with 8 in r1c2, the thermometer from r3c1 puts 9 in r1c3, and then r1c4 {8,9} has no value left``."""
    reasons = [f"{_case(say, most)}{_alike(say, most)}" for most in range(_FEW, -1, -1)]
    return say.first_that_fits(reasons)


def _case(say: Wording, most: int) -> str:
    """Return what the first value leads to, with the values of at most so many other cells of the clue."""
    (cell, value), *_ = say.step.eliminations
    clue = clue_name(say.layout, say.layout.parts[say.step.proof[0].subject])
    ends = [_end(say, end) for end in say.step.pattern.ends]
    then = ends[0] if len(ends) == 1 else f"either {' or '.join(ends)}"
    made = _made(say, most)
    if not made:
        return f"however the {clue} is filled with {say.sign(value)} in {say.cell(cell)}, {then}"
    return f"with {say.sign(value)} in {say.cell(cell)}, the {clue} {made}, and then {then}"


def _made(say: Wording, most: int) -> str:
    """Return what the clue makes of its other cells: ``puts 9 in r1c3 and leaves r1c5 {2,3}``; nothing if it is not that few."""
    known = say.step.pattern.domains
    forced = [f"{say.values(one.values)} in {say.cells(one.cells)}" for one in known if _is_single(one)]
    still_open = [say.set(one) for one in known if not _is_single(one)]
    puts = f"puts {enumerate_words(forced, 'and')}" if 0 < len(forced) <= most else ""
    leaves = f"leaves {enumerate_words(still_open, 'and')}" if 0 < len(still_open) <= most - len(forced) else ""
    return " and ".join(filter(None, (puts, leaves)))


def _alike(say: Wording, most: int) -> str:
    """Return which further values fail in the same way."""
    others = say.step.eliminations[1:]
    if not others:
        return ""
    if len(others) > most:
        return "; the others fail in the same way"
    named = [f"{say.sign(value)} in {say.cell(cell)}" for cell, value in others]
    return f"; {enumerate_words(named, 'and')} {'fail' if len(others) > 1 else 'fails'} in the same way"


def _is_single(one: CellsAndValues) -> bool:
    return one.values & (one.values - 1) == 0


def _end(say: Wording, end: ProofGroup) -> str:
    """Return what has nothing left: ``r1c4 {8,9} has no value left``."""
    match end.statement:
        case ProofStatement.HAS_VALUE:
            values = next((one.values for one in say.step.pattern.sets if one.cells == 1 << end.subject), 0)
            return f"{say.cell(end.subject)} {say.value_set(values)} has no value left"
        case ProofStatement.HAS_PLACE:
            return f"{say.sign(end.value)} has no place left in {say.houses([end.subject])}"
        case _:
            return f"the {clue_name(say.layout, say.layout.parts[end.subject])} has no way to be filled"


def needed_in_clue(say: Wording) -> str:
    """Explain that every way to fill a clue has a value: ``the black dot r1c5-r2c5 can only be 2-4 or 4-8, always with 4``."""
    part = say.layout.parts[say.step.proof[0].subject]
    domains = say.step.pattern.domains
    cells = [say.set(one) for one in domains]
    held = f", left with {enumerate_words(cells, 'and')}," if len(cells) <= _FEW else ""
    seen = say.cells(say.step.pattern.fins)
    several = "one of " if len(members(say.step.pattern.fins)) > 1 else ""
    return f"the {clue_name(say.layout, part)}{held} has {say.value} in {several}{seen} in every way to fill it"


def value_and_clues(say: Wording) -> str:
    """Explain what each case makes of a value: ``9 in row 2 can only stand in r2c7 or r2c8. With 9 in r2c7, the dot ...``."""
    reasons = [_choice(say, is_short=is_short) for is_short in (False, True)]
    return say.first_that_fits(reasons)


def _choice(say: Wording, *, is_short: bool) -> str:
    choice, cases = say.step.pattern.choice, say.step.pattern.cases
    assert choice is not None  # noqa: S101  # the cases are those of a cell or a house
    if choice.statement is ProofStatement.HAS_VALUE:
        values = [say.sign(case.candidate[1]) for case in cases]
        start = f"{say.cell(choice.subject)} can only be {enumerate_words(values, 'or')}"
    else:
        places = [say.cell(case.candidate[0]) for case in cases]
        start = f"{say.sign(choice.value)} in {say.houses([choice.subject])} can only stand in {enumerate_words(places, 'or')}"
    made = "; ".join(_made_of(say, alike, is_short=is_short) for alike in _alike_cases(cases))
    return f"{start}. {made[0].upper()}{made[1:]}"


def _alike_cases(cases: Sequence[ClueCase]) -> list[list[ClueCase]]:
    """Return the cases one by one; but the two cells of a clue each of which puts the value in the other together."""
    found: list[list[ClueCase]] = []
    for case in cases:
        last = found[-1][0] if found else None
        is_other = last is not None and (case.cells, last.cells) == (1 << last.candidate[0], 1 << case.candidate[0])
        if last and is_other and case.part is not None and case.part == last.part:
            found[-1].append(case)
        else:
            found.append([case])
    return found


def _made_of(say: Wording, cases: Sequence[ClueCase], *, is_short: bool) -> str:
    """Return what cases make of the value that goes, and by which clue."""
    case, lost = cases[0], say.values(say.lost)
    cell, value = say.cell(case.candidate[0]), say.sign(case.candidate[1])
    if case.part is None and case.cells:
        return f"if {cell} is {value}, {say.cells_of_result} {say.verb('see')} it"
    if case.part is None:
        return f"{value} in {cell} takes the place of {lost}"
    part = say.layout.parts[case.part]
    clue = f"{clue_noun(part)} there" if is_short else clue_name(say.layout, part)
    held = enumerate_words([say.cell(one.candidate[0]) for one in cases], "or")
    if len(cases) > 1:
        return f"with {value} in {held}, the {clue} puts {lost} in the other"
    if not case.cells:
        return f"with {value} in {held}, the {clue} has no {lost} in {say.cells_of_result}"
    return f"with {value} in {held}, the {clue} puts {lost} in {say.one_of(case.cells)}"


_MOST_WAYS = 60
"""More ways to fill a house are not counted in a sentence."""
_NAMED = 2
"""The most clues of a house that a sentence names."""


def house_with_clues(say: Wording) -> str:
    """Explain what a house and its clues leave: ``only 4 ways to fill box 9 obey the arrow from r9c7: they leave r7c8 {2,5}``."""
    reasons = [_left_in_house(say, most, named) for most, named in ((_FEW, _NAMED), (_NAMED, _NAMED), (1, _NAMED), (1, 1))]
    return say.first_that_fits(reasons)


def _left_in_house(say: Wording, most: int, named: int) -> str:
    step, house = say.step, say.houses(say.step.pattern.bases)
    parts = [say.layout.parts[group.subject] for group in step.proof if group.statement is ProofStatement.PART]
    names = [f"the {clue_name(say.layout, part)}" for part in parts[:named]]
    if further := len(parts) - named:
        names += [f"{numeral(further)} more of its clues"] if further > 0 else []
    clues = enumerate_words(names, "and")
    losing = {cell for cell, _ in step.eliminations}
    left = [say.set(one) for one in step.pattern.sets if one.cells.bit_length() - 1 in losing]
    some = enumerate_words(left[:most], "and")
    ways = step.pattern.total or 0
    if ways > _MOST_WAYS:
        return f"the ways to fill {house} that obey {clues} leave {some}"
    if ways == 1:
        return f"only one way to fill {house} obeys {clues}: it leaves {some}"
    return f"only {numeral(ways)} ways to fill {house} obey {clues}: they leave {some}"


CLUE_REASONS: Mapping[Technique, Callable[[Wording], str]] = MappingProxyType(
    {
        Technique.CLUE_AND_HOUSE: clue_cases,
        Technique.TWO_CLUES: clue_cases,
        Technique.VALUE_AND_CLUES: value_and_clues,
        Technique.HOUSE_WITH_CLUES: house_with_clues,
    }
)
"""The words of techniques that look at clues case by case, or at all clues of a house."""
