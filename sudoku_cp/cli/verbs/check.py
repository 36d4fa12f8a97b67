"""The verb ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sudoku_cp import queries
from sudoku_cp.answer_json.checks import check_to_json
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.check_report import check_sentences, minimality_sentence, needs_table
from sudoku_cp.cli.inputs import input_records, refuse_to_overwrite
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import existing_numbered_paths
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.questions.found_answers import answer_sentence, found_exit_code
from sudoku_cp.questions.options import Limited, Reading
from sudoku_cp.render import draw
from sudoku_cp.render.picture_files import picture_name_problems, write_picture

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import Ascii, Backend, Json, Puzzles, Quiet, Words
    from sudoku_cp.queries import Check


def check(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE, with the cells highlighted that clash or differ."),
    ] = None,
    words: Words = False,
    backend: Backend = "auto",
    limit_options: Limited = Limited(),
    input_options: Reading = Reading(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Check whether a puzzle is well-formed, consistent, unique and minimal, and if not, why.

    No solution: the fewest givens and rules that clash. Several: where two differ, what is the same in all, and the fewest
    further givens that would leave one. One: what could be left out. Without --timeout these searches end after 10 seconds.
    """
    if wrong := picture_name_problems(svg):
        raise InvalidInput(f"--svg: {problem}" for problem in wrong)
    limits = limit_options.limits()
    if words and svg is None:
        raise InvalidInput("expected --words with --svg FILE, got it alone")
    if svg is not None:
        refuse_to_overwrite(existing_numbered_paths(Path(svg)), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        checked = queries.check(puzzle, backend=backend, limits=limits)
        if svg is not None:
            below = ruleset_text(puzzle) if words else None
            write_picture(puzzle, Path(svg), index, pointed=checked.cells_to_show, words=below)
        if as_json:
            output.print_json({"index": index} | check_to_json(puzzle, checked) | extra_fields)
        elif alone:
            if cells := checked.cells_to_show:
                output.print_text(draw(puzzle, look, pointed=cells))
            _print_in_full(puzzle, checked)
        else:
            sentences = [f"well-formed; {answer_sentence(checked.answer)}", *check_sentences(puzzle, checked)]
            output.print_text("\t".join([str(index), *sentences]))
        return found_exit_code(checked.answer)

    records = input_records(puzzles, input_options)
    return answer_records(records, answer, as_json=as_json, quiet=quiet)


def _print_in_full(puzzle: Puzzle, checked: Check) -> None:
    """Print a sentence a line, and for a puzzle with one solution a table of what it needs."""
    output.print_text(f"well-formed; {answer_sentence(checked.answer)}")
    rows = needs_table(puzzle, checked) if checked.answer.status == "unique" else []
    if rows:
        from sudoku_cp.cli.text_tables import print_table  # noqa: PLC0415  # the library that draws it costs 40 ms

        output.print_text(minimality_sentence(checked))
        print_table(rows, least=["needed"])
        return
    for sentence in check_sentences(puzzle, checked):
        output.print_text(sentence)
