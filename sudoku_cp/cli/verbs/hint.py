"""The verb ``hint``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.answer_json.hints import hint_to_json
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_positions
from sudoku_cp.cli.inputs import input_records, refuse_to_overwrite
from sudoku_cp.cli.options import Ascii, Json, Puzzles, QuestionTimeout, Quiet
from sudoku_cp.errors import InvalidInput
from sudoku_cp.logic.hint_search import hint as find_hint
from sudoku_cp.logic.hints import HintLevel
from sudoku_cp.output_files import existing_numbered_paths, numbered_path, write_text
from sudoku_cp.questions.exit_codes import NO, RAN_OUT, YES
from sudoku_cp.questions.options import Reading
from sudoku_cp.render import draw
from sudoku_cp.render.picture_files import picture_name_problems

if TYPE_CHECKING:
    from sudoku_cp.formats import SolvingState
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
    skip: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="Skip this many steps, easiest first, and give the next one.")
    ] = 0,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Draw as much to FILE.svg as --level tells; the second puzzle to FILE-2.svg."),
    ] = None,
    timeout: QuestionTimeout = 60.0,
    input_options: Reading = Reading(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Give a hint: the next step by the easiest technique, in as much detail as --level asks for.

    A library line of HoDoKu is a position. If entries are wrong, they are named first, with the smallest clash and (as JSON, or
    with --level 5) the position without them. The exit code is 1 if there is no step to take, 3 if the time ran out first.
    """
    if wrong := picture_name_problems(svg):
        raise InvalidInput(f"--svg: {problem}" for problem in wrong)
    pictures = Path(svg) if svg is not None else None
    if pictures:
        refuse_to_overwrite(existing_numbered_paths(pictures), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, position: Position, _state: SolvingState | None, extra_fields: JsonFields, *, alone: bool) -> int:
        found = find_hint(position, skip=skip, limits=Limits(seconds=timeout))
        if pictures:
            write_text(numbered_path(pictures, index), f"{found.svg(level)}\n")
        if as_json:
            output.print_json({"index": index} | hint_to_json(found, HintLevel(level)) | extra_fields)
        else:
            words = found.text(level)
            output.print_text(words if alone else f"{index}\t{words}")
            if found.position and level == HintLevel.APPLY:
                placed = [cell for cell, _ in found.step.placements] if found.step else []
                output.print_text(draw(found.position, look, pointed=placed))
        return {"step": YES, "unknown": RAN_OUT}.get(found.answer, NO)

    return answer_positions(input_records(puzzles, input_options), answer, as_json=as_json, quiet=quiet)
