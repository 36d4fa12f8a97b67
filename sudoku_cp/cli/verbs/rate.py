"""The verb ``rate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.completions import complete_scale
from sudoku_cp.cli.inputs import input_records
from sudoku_cp.cli.option_groups import BatchOptions, refuse_contradictions
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.rating_table import RatingTable
from sudoku_cp.logic.rating import ratings
from sudoku_cp.logic.rating.ratings_json import ratings_to_json
from sudoku_cp.questions.exit_codes import NO, RAN_OUT, YES
from sudoku_cp.questions.options import Reading

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def rate(
    puzzles: Puzzles,
    *,
    scale: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="se (Sudoku Explainer 1.2.1), proof (sizes of proofs, any rules), hodoku (2.2), words (easy, ...), "
            "or all; may be repeated.",
            show_default="all",
            autocompletion=complete_scale,
        ),
    ] = None,
    ways: Annotated[
        bool, typer.Option("--ways", help="Count the ways forward at each step of the path that hodoku scores.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Time for a puzzle, of which each scale gets its share.")
    ] = 60.0,
    input_options: Reading = Reading(),
    as_json: Json = False,
    batch_options: BatchOptions = BatchOptions(),
    quiet: Quiet = False,
) -> int:
    """Rate puzzles: how hard they are for a person, on several scales.

    A scale that ran out of time, or does not apply to the rules, is left out with the reason. With --out, many puzzles are rated
    from file to file. The exit code is 1 if a puzzle has not just one solution, 3 if the time ran out for some scale.
    """
    refuse_contradictions(batch_options.contradictions({"--json": as_json}))
    scales, limits = ratings.parse_scales(scale or [ratings.EVERY]), Limits(timeout)
    if batch_options.out is not None:
        from sudoku_cp.cli.rate_to_file import rate_to_file  # noqa: PLC0415  # most calls write no file

        return rate_to_file(puzzles, batch_options, input_options, scales=scales, ways=ways, limits=limits, quiet=quiet)
    table = RatingTable(scales, ways=ways)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:  # noqa: ARG001  # a table in any case
        found = ratings.rate(puzzle, scales, ways=ways, limits=limits)
        if as_json:
            output.print_json({"index": index} | ratings_to_json(found) | extra_fields)
        else:
            for line in table.lines(index, found):
                output.print_text(line)
        return RAN_OUT if found.ran_out else YES if found.status == "unique" else NO

    return answer_records(input_records(puzzles, input_options), answer, as_json=as_json, quiet=quiet)
