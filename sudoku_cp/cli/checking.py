"""The verb ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answering import Told, answered, code_of
from sudoku_cp.cli.check_report import check_sentences, check_to_json, minimality, needs_table
from sudoku_cp.cli.inputs import Wish, entries, refuse_to_overwrite
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import all_numbered
from sudoku_cp.puzzle.ruleset import ruleset_of
from sudoku_cp.render import draw
from sudoku_cp.render.picture_files import name_problems, write_picture

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import (
        Alphabet,
        Ascii,
        Backend,
        Boxes,
        From,
        Json,
        Nodes,
        Puzzles,
        Quiet,
        Rules,
        Size,
        Strict,
        Timeout,
        Words,
    )
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Check


def check(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE, with the cells that clash or are open pointed at."),
    ] = None,
    words: Words = False,
    backend: Backend = "auto",
    timeout: Timeout = None,
    nodes: Nodes = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Say whether a puzzle is well-formed, consistent, unique and minimal, and if not, why.

    No solution: the fewest givens and rules that clash. Several: where two differ, what is the same in all, and the fewest
    further givens that would leave one. One: what could be left out. Without --timeout these questions end after 10 seconds.
    """
    if wrong := name_problems(svg):
        raise InvalidInput(f"--svg: {problem}" for problem in wrong)
    limits = Limits(timeout, nodes)
    if words and svg is None:
        raise InvalidInput("expected --words with --svg FILE, got it alone")
    if svg is not None:
        refuse_to_overwrite(all_numbered(Path(svg)), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
        checked = queries.check(puzzle, backend=backend, limits=limits)
        if svg is not None:
            below = ruleset_of(puzzle) if words else None
            write_picture(puzzle, Path(svg), index, pointed=_pointed(checked), words=below)
        if as_json:
            output.say_json(output.answer_told(index, puzzle, checked.answer) | check_to_json(puzzle, checked) | told)
        elif alone:
            if pointed := _pointed(checked):
                output.say(draw(puzzle, look, pointed=pointed))
            _say_alone(puzzle, checked)
        else:
            said = [f"well-formed; {output.sentence(checked.answer)}", *check_sentences(puzzle, checked)]
            output.say("\t".join([str(index), *said]))
        return code_of(checked.answer)

    records = entries(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))
    return answered(records, answer, as_json=as_json, quiet=quiet)


def _say_alone(puzzle: Puzzle, checked: Check) -> None:
    """Print a sentence a line, and of a puzzle with one solution a table of what it needs."""
    output.say(f"well-formed; {output.sentence(checked.answer)}")
    rows = needs_table(puzzle, checked) if checked.answer.status == "unique" else []
    if rows:
        from sudoku_cp.cli.tables import say_table  # noqa: PLC0415  # the library that draws it costs 40 ms

        output.say(minimality(checked))
        say_table(rows, least=["needed"])
        return
    for sentence in check_sentences(puzzle, checked):
        output.say(sentence)


def _pointed(checked: Check) -> tuple[Cell, ...]:
    return checked.conflict.cells if checked.conflict else checked.differ
