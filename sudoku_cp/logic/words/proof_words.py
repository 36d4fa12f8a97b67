"""Proof groups in words."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, assert_never

from sudoku_cp.logic.step import MOST_FACTS, ProofGroup, ProofStatement, Technique
from sudoku_cp.logic.words.clue_words import clue_name
from sudoku_cp.logic.words.variant_words import describe_part, part_title
from sudoku_cp.logic.words.wording import MOST_PLACES, PLACES, enumerate_words, numeral, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.step import Claim, ProofLine, Step, Supposition
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Domain
    from sudoku_cp.symbols import Symbols


def describe_group(layout: Layout, symbols: Symbols, group: ProofGroup) -> str:
    """Return a proof group as a sentence without its full stop: ``2 has a place in row 1``."""
    match group.statement:
        case ProofStatement.HAS_VALUE:
            return f"{layout.grid.cell_name(group.subject)} has a value"
        case ProofStatement.ONE_VALUE:
            return f"{layout.grid.cell_name(group.subject)} has only one value"
        case ProofStatement.HAS_PLACE:
            return f"{symbols.sign(group.value)} has a place in {layout.groups[group.subject].name}"
        case ProofStatement.ONCE:
            return f"{symbols.sign(group.value)} stands once in {layout.groups[group.subject].name}"
        case ProofStatement.PART:
            return part_title(layout, layout.parts[group.subject])
        case _:
            assert_never(group.statement)


# Lines of a proof in words: a sentence each, with what is left and what follows.


def describe_line(symbols: Symbols, board: CandidateBoard, line: ProofLine) -> str:
    """Return a line of a proof as a sentence: the fact, what is left of it, and what follows or that nothing is left."""
    layout, group = board.layout, line.group
    then = _consequence(symbols, board, line.forces)
    sign = symbols.sign(group.value) if group.statement in {ProofStatement.HAS_PLACE, ProofStatement.ONCE} else ""
    match group.statement:
        case ProofStatement.HAS_VALUE:
            cell = layout.grid.cell_name(group.subject)
            fact, clash = f"{cell} has a value, and only one is left", f"{cell} has no value left"
        case ProofStatement.ONE_VALUE:
            cell = layout.grid.cell_name(group.subject)
            fact, clash = f"{cell} has only one value", f"{cell} would have two values"
        case ProofStatement.HAS_PLACE:
            house = layout.groups[group.subject].name
            fact, clash = f"{sign} has a place in {house}, and only one is left", f"{sign} has no place left in {house}"
        case ProofStatement.ONCE:
            house = layout.groups[group.subject].name
            fact, clash = f"{sign} stands once in {house}", f"{sign} would stand twice in {house}"
        case ProofStatement.PART:
            fact = describe_part(layout, symbols, layout.parts[group.subject], _domains(board, line.uses))
            clash = f"{fact}, which cannot be"
        case _:
            assert_never(group.statement)
    return f"{fact}: {then}" if then else clash


def _domains(board: CandidateBoard, uses: Iterable[Claim]) -> dict[Cell, Domain]:
    """Return what the cells may hold by a board and by claims about it."""
    domains = {cell: board.candidates[cell] if value is None else 1 << value for cell, value in enumerate(board.values)}
    for cell, value, holds in uses:
        domains[cell] &= 1 << value if holds else ~(1 << value)
    return domains


def _consequence(symbols: Symbols, board: CandidateBoard, claims: Iterable[Claim]) -> str:
    """Return claims as ``r1c2 = 3; r1c4 is not 5 or 6``."""
    name = board.layout.grid.cell_name
    placed: list[str] = []
    refused: dict[Cell, list[int]] = defaultdict(list)
    for cell, value, holds in claims:
        if holds:
            placed.append(f"{name(cell)} = {symbols.sign(value)}")
        else:
            refused[cell].append(value)
    alike: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for cell, values in refused.items():
        alike[tuple(sorted(values))].append(name(cell))
    for refused_values, cells in alike.items():
        verb = "are" if len(cells) > 1 else "is"
        signs = list(map(symbols.sign, refused_values))
        placed.append(f"{enumerate_words(cells, 'and')} {verb} not {enumerate_words(signs, 'or')}")
    return "; ".join(placed)


# Refutations in order: what is supposed, the values that follow, and what cannot be in the end.


_TWO = 2
NO_NAMED_STEP = "no named step leads on here"
_UPKEEP = frozenset({ProofStatement.ONE_VALUE, ProofStatement.ONCE})
"""What people do not count as a step: a value leaves the cells that see it, and its cell has no other."""


def is_named(step: Step) -> bool:
    """Return whether a step is one that people know, or a refutation that is short enough to be followed."""
    if step.technique is not Technique.REFUTATION:
        return True
    return not step.pattern.by_cases and len(step.proof) <= MOST_FACTS


def refutation(say: Wording) -> str:
    """Return what follows from the candidate; where that is long, how long it is and how it ends."""
    step = say.step
    supposition = step.pattern.supposition
    if supposition is None:
        if step.placements:
            ((cell, value),) = step.placements
            return f"{NO_NAMED_STEP}. A search shows that {say.cell(cell)} can hold nothing but {say.sign(value)}"
        return f"{NO_NAMED_STEP}. A search shows that this candidate leads to no solution"
    if is_named(step):
        return f"{_suppose(say, supposition)}. {_refuted(say, supposition)}"
    if not supposition.cases:
        return f"{NO_NAMED_STEP}. {_capital(_suppose(say, supposition))}: {_ending(say, supposition)}"
    choice = supposition.choice
    assert choice is not None  # noqa: S101  # cases are of a choice
    cases = "; ".join(f"with {_claim(say, case)}, {_ending(say, case)}" for case in supposition.cases)
    none = "neither" if len(supposition.cases) == _TWO else "none of them"
    steps = _steps_before(supposition)
    then = f"{steps} later, " if steps else ""
    told = f"{_capital(_suppose(say, supposition))}: {then}{_choice(say, choice, supposition.cases)}, and {none} works"
    return f"{NO_NAMED_STEP}. {told}: {cases}"


def _suppose(say: Wording, supposition: Supposition) -> str:
    return f"suppose {_claim(say, supposition)}"


def _claim(say: Wording, supposition: Supposition) -> str:
    cell, value = supposition.candidate
    return f"{say.cell(cell)} = {say.sign(value)}"


def _refuted(say: Wording, supposition: Supposition) -> str:
    """Return the lines of a short refutation as a sentence: ``Then r1c7 = 5 (...), and row 8 has no place for 3``."""
    lines = [line for line in supposition.lines if line.group.statement not in _UPKEEP and line.forces]
    told, placed = [], {supposition.candidate[0]}
    for line in lines:
        placed |= {claim.cell for claim in line.forces if claim.holds}
        news = tuple(claim for claim in line.forces if claim.holds or claim.cell not in placed)
        if news:
            told.append(line_words(say, line._replace(forces=news)))
    end = clash_words(say, supposition.lines[-1])
    known = {*PLACES.findall(end), *PLACES.findall(_claim(say, supposition))}
    shown, rest = [], 0
    for words in told:
        places = known | {*PLACES.findall(words)}
        if rest or len(places) > MOST_PLACES:
            rest += 1
        else:
            known = places
            shown.append(words)
    if not told:
        return f"Then {end}"
    further = [f"{plural(rest, 'more step')}"] if rest else []
    return f"Then {', '.join([*shown, *further])}, and {end}"


def _ending(say: Wording, supposition: Supposition) -> str:
    """Return how many steps lead to which contradiction."""
    steps = _steps_before(supposition)
    end = clash_words(say, supposition.lines[-1])
    return f"{steps} later, {end}" if steps else end


def _steps_before(supposition: Supposition) -> str:
    """Return how many steps, upkeep aside, a supposition takes; nothing if there is none."""
    count = sum(line.group.statement not in _UPKEEP and bool(line.forces) for line in supposition.lines)
    return plural(count, "step") if count else ""


def _choice(say: Wording, choice: ProofGroup, cases: Sequence[Supposition]) -> str:
    """Return what the cases are: the values left of a cell, or the places left of a value."""
    left = numeral(len(cases))
    if choice.statement is ProofStatement.HAS_VALUE:
        return f"{say.cell(choice.subject)} has {left} values left"
    return f"{say.sign(choice.value)} has {left} places left in {say.houses([choice.subject])}"


# A line of a proof in few words: what follows, and why.


def line_words(say: Wording, line: ProofLine) -> str:
    """Return what a line forces: ``r1c7 = 5 (its last place in row 1)``; nothing where that is only upkeep."""
    claims = _claims(say, line.forces)
    match line.group.statement:
        case ProofStatement.HAS_VALUE:
            return f"{claims} (nothing else is left)"
        case ProofStatement.HAS_PLACE:
            return f"{claims} (the last place in {say.houses([line.group.subject])})"
        case ProofStatement.PART:
            return f"{claims} (by the {clue_name(say.layout, say.layout.parts[line.group.subject])})" if claims else ""
        case ProofStatement.ONCE:
            return f"{claims} (only one {say.sign(line.group.value)} in {say.houses([line.group.subject])})"
        case ProofStatement.ONE_VALUE:
            return f"{claims} (it has a value already)"
        case _:
            assert_never(line.group.statement)


def clash_words(say: Wording, line: ProofLine) -> str:
    """Return what cannot be: ``3 has no place left in row 8``."""
    group = line.group
    match group.statement:
        case ProofStatement.HAS_VALUE:
            return f"{say.cell(group.subject)} has no value left"
        case ProofStatement.ONE_VALUE:
            return f"{say.cell(group.subject)} would need two values"
        case ProofStatement.HAS_PLACE:
            return f"{say.sign(group.value)} has no place left in {say.houses([group.subject])}"
        case ProofStatement.ONCE:
            return f"{say.houses([group.subject])} would hold {say.sign(group.value)} twice"
        case ProofStatement.PART:
            return f"the {clue_name(say.layout, say.layout.parts[group.subject])} cannot be filled any more"
        case _:
            assert_never(group.statement)


def _claims(say: Wording, claims: Iterable[Claim]) -> str:
    """Return claims as ``r1c2 = 3 and r1c4 is not 5 or 6``."""
    placed, refused = [], dict[int, int]()
    for cell, value, holds in claims:
        if holds:
            placed.append(f"{say.cell(cell)} = {say.sign(value)}")
        else:
            refused[cell] = refused.get(cell, 0) | 1 << value
    alike: dict[Domain, int] = {}
    for cell, values in refused.items():
        alike[values] = alike.get(values, 0) | 1 << cell
    further = [f"{say.cells(cells)} {_verb(cells)} not {say.values(values, 'or')}" for values, cells in alike.items()]
    return enumerate_words([*placed, *further], "and")


def _verb(cells: int) -> str:
    return "are" if cells & (cells - 1) else "is"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def end_of(supposition: Supposition) -> ProofLine:
    """Return the line that cannot hold, of the first case where there are several."""
    return (supposition.cases[0] if supposition.cases else supposition).lines[-1]
