"""The options of ``generate`` that say what the puzzles are to be like, and the request that they make."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sudoku_cp.cli.completions import (
    complete_difficulty,
    complete_rules_to_generate,
    complete_style,
    complete_symmetry,
    complete_technique,
)
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.grid_text import parse_grid
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.generate import GenerateRequest
from sudoku_cp.generate.pattern_text import MAX_LENGTH, parse_pattern
from sudoku_cp.generate.request_parsing import Problems, parse_request_options, parse_span_text
from sudoku_cp.grid import Cell, Grid

_LOOKS_LIKE_PATH = re.compile(r"[/\\]|\.[A-Za-z]\w*$")


@dataclass(frozen=True)
class GenerateOptions:
    """What the puzzles are to be like, as typed."""

    size: Annotated[
        str, typer.Option(metavar="SIDE", help="The side of the board, such as 16; or ROWSxCOLUMNS.", show_default="9")
    ] = ""
    boxes: Annotated[
        str | None, typer.Option(metavar="HEIGHTxWIDTH", help="The boxes, such as 3x2 at 6; 'none' for no boxes.")
    ] = None
    rules: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Rules of the whole board (diagonals), kinds of clues (killer, thermo), jigsaw, comma-separated; or JSON.",
            autocompletion=complete_rules_to_generate,
        ),
    ] = ""
    style: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="How clues look together: usual, sparse, rich, symmetric.", autocompletion=complete_style
        ),
    ] = ""
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="easy (hidden singles solve it), medium (naked ones too), hard (singles do not); several: easy,hard;"
            " or a number of each: easy:50,hard:50.",
            autocompletion=complete_difficulty,
        ),
    ] = None
    guesses: Annotated[
        str | None, typer.Option(metavar="MIN..MAX", help="How many guesses the reference search takes: 2..5, 3.., or 0.")
    ] = None
    givens: Annotated[str | None, typer.Option(metavar="MIN..MAX", help="How many givens: 24, 22..25, ..22.")] = None
    singles_only: Annotated[bool, typer.Option("--singles-only", help="Singles alone solve the puzzle.")] = False
    symmetry: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The symmetry of the givens: rot180, rot90, mirror, diagonal, mirrors, diagonals, full.",
            autocompletion=complete_symmetry,
        ),
    ] = "none"
    pattern: Annotated[
        str | None, typer.Option(metavar="FILE", help="The cells of givens: a file or a text, # for given and . for blank cells.")
    ] = None
    minimal: Annotated[bool, typer.Option("--minimal", help="No given, and no clue, can be left out.")] = False
    rating: Annotated[
        str | None,
        typer.Option(
            metavar="SCALE:MIN..MAX",
            help="The rating: se:6.6..7.2 (Sudoku Explainer 1.2.1), proof:5..9, hodoku:1000..1600 (see 'sudoku-cp rate').",
        ),
    ] = None
    needs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A technique (name or code) that the path by the easiest steps needs; may be repeated.",
            autocompletion=complete_technique,
        ),
    ] = None


def parse_request(options: GenerateOptions, problems: Problems) -> GenerateRequest:
    """Return the request; raise `InvalidInput` with all its problems, after those found already."""
    grid = problems.read(lambda: _grid(options.size, options.boxes), None)
    if grid is None:  # a board without boxes will do to find the other problems
        grid = Problems().read(lambda: _grid(options.size, "none"), None)
    parsed: dict[str, Any] = {
        "givens": problems.read(lambda: parse_span_text("--givens", options.givens), None),
        "guesses": problems.read(lambda: parse_span_text("--guesses", options.guesses), None),
        "needs": options.needs or (),
        "pattern": grid and problems.read(lambda: _parse_pattern(options.pattern, grid), None),
    }
    unchanged = ("rules", "style", "difficulty", "singles_only", "symmetry", "minimal", "rating")
    return parse_request_options(problems, grid, parsed | {name: getattr(options, name) for name in unchanged})


def _grid(size: str, boxes: str | None) -> Grid:
    return parse_grid(size.strip() or None, boxes) or Grid.square()


def _parse_pattern(text: str | None, grid: Grid) -> tuple[Cell, ...] | None:
    """Return the cells of givens of a pattern, or of the file of that name; an error says so where there is no such file."""
    if text is None:
        return None
    if is_file(text):
        return _parse_pattern_file(text, grid)
    try:
        return parse_pattern(text, grid)
    except InvalidInput as error:
        if "\n" in text:
            raise
        no_file = f"--pattern: expected a pattern or a file, got {text!r:.60}: there is no such file"
        raise InvalidInput([no_file, *(() if _LOOKS_LIKE_PATH.search(text) else error.problems)]) from error


def _parse_pattern_file(name: str, grid: Grid) -> tuple[Cell, ...]:
    try:
        with Path(name).open(encoding="utf-8") as file:
            return parse_pattern(file.read(MAX_LENGTH + 1), grid)
    except InvalidInput as error:
        raise InvalidInput(f"--pattern {name}: {problem}" for problem in error.problems) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"--pattern: expected a file that can be read, got {name}: {error}") from error
