"""Hints as JSON and in words, told as far as their level says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.checks import clash_words, conflict_to_json
from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.logic.hints import HintLevel, place_to_look
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.position_check import clashing_puzzle
from sudoku_cp.logic.step_json import step_to_json
from sudoku_cp.logic.words import announce_technique, describe_step
from sudoku_cp.logic.words.wording import enumerate_words
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.hints import Hint
    from sudoku_cp.puzzle import Position


def hint_to_json(position: Position, found: Hint, level: HintLevel) -> dict[str, Any]:
    """Return the JSON fields of a hint: nothing that its level does not tell; on a wrong position what is left without errors."""
    puzzle, layout = position.puzzle, layout_of(position.puzzle)
    name = puzzle.grid.cell_name
    fields: dict[str, Any] = {"status": found.answer, "level": int(level), "solutions": found.check.status}
    wrong = {"wrong_values": found.check.wrong_values, "wrong_eliminations": found.check.wrong_marks}
    fields |= with_values(**{field: [[name(cell), value] for cell, value in candidates] for field, candidates in wrong.items()})
    if found.clash:
        fields["clash"] = conflict_to_json(clashing_puzzle(position, found.check), found.clash)
    if step := found.step:
        told = step_to_json(layout, puzzle.symbols, step)
        fields["place"] = place_to_look(layout, puzzle.symbols, step).name
        for field, needed in (("technique", HintLevel.TECHNIQUE), ("code", HintLevel.TECHNIQUE), ("cells", HintLevel.CELLS)):
            fields |= {field: told[field]} if level >= needed else {}
        fields |= {"step": told} if level >= HintLevel.STEP else {}
    if found.position and (level >= HintLevel.APPLY or not found.step):
        fields["values"] = {name(cell): value for cell, value in enumerate(found.position.values) if value is not None}
        fields["candidates"] = {name(cell): members(marks) for cell, marks in enumerate(found.position.marks) if marks}
    return fields | {"text": " ".join(hint_sentences(position, found, level))}


def hint_sentences(position: Position, found: Hint, level: HintLevel) -> Iterator[str]:
    """Yield the hint in words."""
    puzzle, layout = position.puzzle, layout_of(position.puzzle)
    if found.check.status == "multiple" and not found.check.is_dead:
        yield "The puzzle has several solutions, so techniques that argue from uniqueness were left out."
    if found.step is None:
        yield from _ending_sentences(position, found)
        return
    step = found.step
    if level >= HintLevel.STEP:
        yield describe_step(layout, puzzle.symbols, step)
        return
    yield f"Look at {place_to_look(layout, puzzle.symbols, step).name}."
    if level >= HintLevel.TECHNIQUE:
        yield f"{announce_technique(step.technique)}."
    if level >= HintLevel.CELLS:
        names = [puzzle.grid.cell_name(cell) for cell in members(step.cells)]
        yield f"Its {'cells are' if len(names) > 1 else 'cell is'} {enumerate_words(names, 'and')}."


def _ending_sentences(position: Position, found: Hint) -> Iterator[str]:
    """Yield why there is no step."""
    puzzle = position.puzzle
    name, sign = puzzle.grid.cell_name, puzzle.symbols.sign
    yield from (f"{name(cell)} = {sign(value)} is wrong." for cell, value in found.check.wrong_values)
    yield from (f"{name(cell)} cannot do without {sign(value)}." for cell, value in found.check.wrong_marks)
    if found.check.is_dead:
        yield "No solution of the puzzle has all these entries."
    ends = {
        "none": "The puzzle has no solution.",
        "solved": "The grid is full and right.",
        "stuck": "No other step is possible." if found.skip else "No technique leads further.",
        "unknown": "The time ran out before a step was found.",
    }
    if found.answer in ends:
        yield ends[found.answer]
    if found.clash:
        yield f"Clash: {clash_words(clashing_puzzle(position, found.check), found.clash)}."
