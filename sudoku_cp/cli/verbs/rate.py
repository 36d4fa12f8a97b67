"""The verb ``rate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.inputs import input_records
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.rating_table import RatingTable
from sudoku_cp.cli.typed_names import refuse_typed
from sudoku_cp.questions.question import Run
from sudoku_cp.questions.rate import RateQuestion

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def rate(
    puzzles: Puzzles,
    *,
    question: RateQuestion = RateQuestion(),
    as_json: Json = False,
    batch_options: BatchOptions = BatchOptions(),
    quiet: Quiet = False,
) -> int:
    """Rate puzzles.

    With --out, many puzzles are rated from file to file.
    """
    refuse_typed(question.contradictions(), batch_options.contradictions({"--json": as_json}))
    scales, ways, limits = question.scales(), question.ways, question.limits()
    if batch_options.out is not None:
        from sudoku_cp.cli.rate_to_file import rate_to_file  # noqa: PLC0415  # most calls write no file

        return rate_to_file(puzzles, batch_options, question, scales=scales, ways=ways, limits=limits, quiet=quiet)
    table = RatingTable(scales, ways=ways)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:  # noqa: ARG001  # a table in any case
        answered = question.answer(puzzle, Run(limits))
        if as_json:
            output.print_json({"index": index} | answered.to_json() | extra_fields)
        else:
            for line in table.lines(index, answered.ratings):
                output.print_text(line)
        return answered.exit_code

    return answer_records(input_records(puzzles, question), answer, as_json=as_json, quiet=quiet)
