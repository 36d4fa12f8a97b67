"""The verb ``hint``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_positions
from sudoku_cp.cli.check_report import clash_words, conflict_to_json
from sudoku_cp.cli.exit_codes import NO, RAN_OUT, YES
from sudoku_cp.cli.inputs import input_records
from sudoku_cp.cli.option_groups import InputOptions
from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet
from sudoku_cp.logic.hints import HintLevel, clashing_puzzle, find_hint, place_to_look
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.step_json import step_to_json
from sudoku_cp.logic.words import announce_technique, describe_step
from sudoku_cp.logic.words.wording import enumerate_words
from sudoku_cp.model import members
from sudoku_cp.render import draw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.formats import SolvingState
    from sudoku_cp.logic.hints import Hint
    from sudoku_cp.puzzle import Position


def hint(
    puzzles: Puzzles,
    *,
    level: Annotated[
        int,
        typer.Option(
            metavar="LEVEL",
            min=1,
            max=5,
            help="How much to tell: 1 where to look, 2 the technique, 3 its cells, 4 the step, 5 the grid after it.",
        ),
    ] = 1,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="Give up a puzzle after this many seconds.")] = 60.0,
    input_options: InputOptions = InputOptions(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Give a hint: the next step by the easiest technique, told as far as --level says.

    A library line of HoDoKu is a position. If entries are wrong, they are named first, with the smallest clash. The exit code
    is 1 if there is no step to take, 3 if the time ran out first.
    """
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, position: Position, _state: SolvingState | None, extra_fields: JsonFields, *, alone: bool) -> int:
        found = find_hint(position, limits=Limits(seconds=timeout))
        if as_json:
            output.print_json({"index": index} | hint_to_json(position, found, HintLevel(level)) | extra_fields)
        else:
            words = " ".join(hint_sentences(position, found, HintLevel(level)))
            output.print_text(words if alone else f"{index}\t{words}")
            if found.position and level == HintLevel.APPLY:
                placed = [cell for cell, _ in found.step.placements] if found.step else []
                output.print_text(draw(found.position, look, pointed=placed))
        return {"step": YES, "unknown": RAN_OUT}.get(found.answer, NO)

    return answer_positions(input_records(puzzles, input_options), answer, as_json=as_json, quiet=quiet)


def hint_to_json(position: Position, found: Hint, level: HintLevel) -> dict[str, Any]:
    """Return the JSON fields of a hint: nothing that its level does not tell."""
    puzzle, layout = position.puzzle, layout_of(position.puzzle)
    name = puzzle.grid.cell_name
    fields: dict[str, Any] = {"status": found.answer, "level": int(level), "solutions": found.check.status}
    wrong = {"wrong_values": found.check.wrong_values, "wrong_eliminations": found.check.wrong_marks}
    fields |= output.with_values(
        **{field: [[name(cell), value] for cell, value in candidates] for field, candidates in wrong.items()}
    )
    if found.clash:
        fields["clash"] = conflict_to_json(clashing_puzzle(position, found.answer), found.clash)
    if step := found.step:
        told = step_to_json(layout, puzzle.symbols, step)
        fields["place"] = place_to_look(layout, puzzle.symbols, step)
        for field, needed in (("technique", HintLevel.TECHNIQUE), ("code", HintLevel.TECHNIQUE), ("cells", HintLevel.CELLS)):
            fields |= {field: told[field]} if level >= needed else {}
        fields |= {"step": told} if level >= HintLevel.STEP else {}
    if found.position and level >= HintLevel.APPLY:
        fields["values"] = {name(cell): value for cell, value in enumerate(found.position.values) if value is not None}
        fields["candidates"] = {name(cell): members(marks) for cell, marks in enumerate(found.position.marks) if marks}
    return fields | {"text": " ".join(hint_sentences(position, found, level))}


def hint_sentences(position: Position, found: Hint, level: HintLevel) -> Iterator[str]:
    """Yield the hint in words."""
    puzzle, layout = position.puzzle, layout_of(position.puzzle)
    if found.check.status == "multiple":
        yield "The puzzle has several solutions, so techniques that argue from uniqueness were left out."
    if found.step is None:
        yield from _ending_sentences(position, found)
        return
    step = found.step
    if level >= HintLevel.STEP:
        yield describe_step(layout, puzzle.symbols, step)
        return
    yield f"Look at {place_to_look(layout, puzzle.symbols, step)}."
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
    ends = {
        "none": "The puzzle has no solution.",
        "solved": "The grid is full and right.",
        "stuck": "No technique leads further.",
        "unknown": "The time ran out before a step was found.",
    }
    if found.answer in ends:
        yield ends[found.answer]
    if found.clash:
        yield f"Clash: {clash_words(clashing_puzzle(position, found.answer), found.clash)}."
