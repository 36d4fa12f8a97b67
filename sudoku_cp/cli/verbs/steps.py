"""The verb ``steps``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_positions, input_records, refuse_to_overwrite
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.typed_options import option_problems, refuse_typed, spell_error
from sudoku_cp.errors import InvalidInput, LimitReached, Unsupported
from sudoku_cp.logic.hints import PositionCheck, clashing_puzzle
from sudoku_cp.logic.ladder import PathEnd
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.paths import SolvePath
from sudoku_cp.logic.words import describe_step
from sudoku_cp.logic.words.wording import plural
from sudoku_cp.output_files import existing_numbered_paths, numbered_path, write_text
from sudoku_cp.queries.puzzle_check import clash_words
from sudoku_cp.questions.answer import YES, worst
from sudoku_cp.questions.question import Run, Start
from sudoku_cp.questions.steps import StepsQuestion
from sudoku_cp.time_limits import ticking

if TYPE_CHECKING:
    from sudoku_cp.backends import Clock
    from sudoku_cp.formats import SolvingState
    from sudoku_cp.logic.step import Step
    from sudoku_cp.puzzle import Position, Puzzle


_ENDS: Mapping[PathEnd, str] = {
    "solved": "solved in {steps}",
    "none": "no steps: the puzzle has no solution",
    "wrong": "no steps: entries are wrong",
    "contradiction": "a contradiction after {steps}: two cells clash, or one has no candidate left",
    "limit": "the time ran out after {steps}: {open} left open",
    "ambiguous": "no technique leads further: {open} left open, and each candidate there holds in some solution",
    "stuck": "none of these techniques leads further: {open} left open",
}
"""How a path ended in words."""
WRITERS = {".html": SolvePath.html, ".svg": SolvePath.svg}
"""What writes a path, by the ending of the file."""


def steps(
    puzzles: Puzzles,
    *,
    html: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the path as a page, to a FILE.html; the second to FILE-2.html.",
        ),
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the path as a strip of pictures, to a FILE.svg; the second to FILE-2.svg."),
    ] = None,
    question: StepsQuestion = StepsQuestion(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Show steps, and write paths as pages."""
    pages = {suffix: Path(name) for suffix, name in ((".html", html), (".svg", svg)) if name is not None}
    _check_pages(pages, puzzles, every=question.all)
    refuse_typed(option_problems(question))

    def answer(index: int, position: Position, state: SolvingState | None, extra_fields: JsonFields, *, alone: bool) -> int:
        clock = question.limits().started()
        finder = question.finder(Start(position, state.values if state else None), Run(question.limits()))
        if not as_json:  # told before the path, which may take long
            for line in [f"puzzle {index}:"] * (not alone) + _check_lines(position, finder.check):
                output.print_text(line)
            sys.stdout.flush()
        reply = question.answer_of(finder)
        path = reply.path
        if as_json:
            output.print_json({"index": index} | reply.to_json() | extra_fields)
        else:
            output.print_text("\n".join(_step_lines(path)))
        return worst((reply.exit_code, _write_pages(pages.values(), index, path, clock)))

    return answer_positions(input_records(puzzles, question), answer, as_json=as_json, quiet=quiet)


def _check_pages(pages: Mapping[str, Path], arguments: Sequence[str], *, every: bool) -> None:
    """Refuse files that do not end in what their option writes, pages of a list that is no path, and pages over the puzzles."""
    problems = [
        f"--{suffix[1:]}: expected a file that ends in {suffix}, got {str(path)!r}"
        for suffix, path in pages.items()
        if path.suffix != suffix
    ]
    if every and pages:
        problems.append("--html and --svg cannot be combined with --all")
    if problems:
        raise InvalidInput(problems)
    refuse_to_overwrite([one for path in pages.values() for one in existing_numbered_paths(path)], arguments)


def _write_pages(pages: Iterable[Path], index: int, path: SolvePath, clock: Clock) -> int:
    """Write the path of puzzle ``index`` as a page or a strip, numbered in its name from the second on, while there is time.

    Return the exit code: a path that cannot be drawn is no reason to leave out the next puzzles.
    """
    try:
        for page in pages:
            with ticking(clock.check):
                text = WRITERS[page.suffix](path)
            write_text(numbered_path(page, index), f"{text}\n")
    except (LimitReached, Unsupported) as error:
        output.remark(f"puzzle {index}: the path was not drawn: {spell_error(error)}")
        return error.exit_code
    return YES


def _step_lines(path: SolvePath) -> list[str]:
    """Return a line a step, numbered along a path, and the end of it in words."""
    texts = _step_texts(path.start.puzzle, path.steps) if path.steps else []
    if path.end is None:
        return [*texts, f"{len(texts)} steps" if path.complete else f"the time ran out after {len(texts)} steps"]
    lines = [f"{number:>{len(str(len(texts)))}}. {text}" for number, text in enumerate(texts, 1)]
    if path.clash:
        lines.append(clash_words(clashing_puzzle(path.start, path.check), path.clash))
    left = plural(path.open_cells, "cell")
    return [*lines, _ENDS[path.end].format(steps=plural(len(texts), "step"), open=left)]


def _step_texts(puzzle: Puzzle, steps: Sequence[Step]) -> list[str]:
    layout = layout_of(puzzle)
    return [describe_step(layout, puzzle.symbols, step) for step in steps]


def _check_lines(position: Position, check: PositionCheck) -> list[str]:
    """Return what is wrong with the puzzle or the position in words."""
    name, sign = position.puzzle.grid.cell_name, position.puzzle.symbols.sign
    words = {
        "none": "the puzzle has no solution",
        "multiple": "the puzzle has several solutions: techniques that argue from uniqueness were left out",
        "unknown": "whether the puzzle has one solution is not known: techniques that argue from it were left out",
    }
    wrong = [f"{name(cell)} = {sign(value)} is wrong" for cell, value in check.wrong_values]
    wrong += [f"{name(cell)} = {sign(value)} was eliminated and is true" for cell, value in check.wrong_marks]
    status = "the puzzle has several solutions, and none has all these entries" if check.is_dead else words.get(check.status)
    return [*([status] if status else []), *wrong]
