"""The verb ``hint``: a sentence, a picture, or at the last level the grid after the step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_positions, input_records, refuse_to_overwrite
from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet
from sudoku_cp.cli.typed_options import option_problems, refuse_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.logic.hints import HintLevel
from sudoku_cp.output_files import existing_numbered_paths, numbered_path, write_text
from sudoku_cp.questions.hint import HintQuestion
from sudoku_cp.questions.question import Run, Start
from sudoku_cp.render import draw
from sudoku_cp.render.png_picture import picture_name_problems

if TYPE_CHECKING:
    from sudoku_cp.formats import SolvingState
    from sudoku_cp.puzzle import Position


def hint(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Draw the hint to FILE.svg, up to --level; the second puzzle to FILE-2.svg."),
    ] = None,
    question: HintQuestion = HintQuestion(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Give hints."""
    if wrong := picture_name_problems(svg):
        raise InvalidInput(wrong)
    refuse_typed(option_problems(question))
    pictures = Path(svg) if svg is not None else None
    if pictures:
        refuse_to_overwrite(existing_numbered_paths(pictures), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, position: Position, _state: SolvingState | None, extra_fields: JsonFields, *, alone: bool) -> int:
        reply = question.answer(Start(position), Run(question.limits()))
        found = reply.hint
        if pictures:
            write_text(numbered_path(pictures, index), f"{found.svg(question.level)}\n")
        if as_json:
            output.print_json({"index": index} | reply.to_json() | extra_fields)
        else:
            output.print_text(reply.text if alone else f"{index}\t{reply.text}")
            if found.position and question.level == HintLevel.APPLY:
                placed = [cell for cell, _ in found.step.placements] if found.step else []
                output.print_text(draw(found.position, look, pointed=placed))
        return reply.exit_code

    return answer_positions(input_records(puzzles, question), answer, as_json=as_json, quiet=quiet)
