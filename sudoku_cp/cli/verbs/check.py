"""The verb ``check``: sentences, a table of what is needed, and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.check_report import check_sentences, minimality_sentence, needs_table
from sudoku_cp.cli.inputs import input_records, refuse_to_overwrite
from sudoku_cp.cli.typed_names import refuse_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import existing_numbered_paths
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.questions.check import CheckQuestion
from sudoku_cp.questions.found_answers import answer_sentence
from sudoku_cp.questions.question import Run
from sudoku_cp.render import draw
from sudoku_cp.render.picture_files import picture_name_problems, write_picture

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet, Words
    from sudoku_cp.queries import Check


def check(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE, with the cells highlighted that clash or differ."),
    ] = None,
    words: Words = False,
    question: CheckQuestion = CheckQuestion(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Check puzzles, and show why they are not as they should be."""
    if wrong := picture_name_problems(svg):
        raise InvalidInput(wrong)
    if words and svg is None:
        raise InvalidInput("--words needs --svg FILE")
    refuse_typed(question.contradictions())
    if svg is not None:
        refuse_to_overwrite(existing_numbered_paths(Path(svg)), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        found = question.answer(puzzle, Run(question.limits()))
        checked = found.checked
        if svg is not None:
            below = ruleset_text(puzzle) if words else None
            write_picture(puzzle, Path(svg), index, pointed=checked.cells_to_show, words=below)
        if as_json:
            output.print_json({"index": index} | found.to_json() | extra_fields)
        elif alone:
            if cells := checked.cells_to_show:
                output.print_text(draw(puzzle, look, pointed=cells))
            _print_in_full(puzzle, checked)
        else:
            sentences = [f"well-formed; {answer_sentence(checked.answer)}", *check_sentences(puzzle, checked)]
            output.print_text("\t".join([str(index), *sentences]))
        return found.exit_code

    return answer_records(input_records(puzzles, question), answer, as_json=as_json, quiet=quiet)


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
