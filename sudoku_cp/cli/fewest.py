"""The verb ``fewest``."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answering import Told, answered
from sudoku_cp.cli.completions import complete_rules_to_generate
from sudoku_cp.cli.inputs import Wish, entries
from sudoku_cp.cli.options import Alphabet, Ascii, From, Json, Quiet, Strict
from sudoku_cp.cli.output import BAD_INPUT, NO, RAN_OUT, YES
from sudoku_cp.errors import InvalidInput, LimitReached, ParseError
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, puzzle_told, solution_told, to_json
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.render import draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.generate.fewest import Fewest
    from sudoku_cp.grid import Cell
    from sudoku_cp.render import Look

Given = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PUZZLE]...", help="Full grids or puzzles with one solution, or files of them.", show_default=False),
]
Side = Annotated[str | None, typer.Option(metavar="SIDE", help="The board where no PUZZLE is: 6, or ROWSxCOLUMNS.")]
Boxes = Annotated[str | None, typer.Option(metavar="HEIGHTxWIDTH", help="Its boxes, such as 3x2; 'none' for no boxes.")]
Named = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Rules to add, with commas, or JSON; with --no-givens families of clues too.",
        autocompletion=complete_rules_to_generate,
    ),
]
Drawn = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Givens may stand in these cells alone: drawn as a puzzle, . for other cells."),
]
Nothing = Annotated[bool, typer.Option("--no-givens", help="Do the rules need no givens at all?")]
Long = Annotated[float, typer.Option(metavar="SECONDS", min=0, help="Give up after so many seconds, a puzzle each.")]
Seed = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="Another seed finds other puzzles.")]


def fewest(
    puzzles: Given = None,
    *,
    pattern: Drawn = None,
    no_givens: Nothing = False,
    seed: Seed = 0,
    timeout: Long = 60.0,
    from_: From = None,
    size: Side = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Named = None,
    strict: Strict = False,
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Find the fewest givens that leave a solution alone; or whether a pattern, or no givens at all, can.

    PUZZLE: the fewest givens of its solution (those in the cells of --pattern alone). --pattern without PUZZLE: a puzzle with
    givens in its cells, or why there is none. --no-givens: do the rules alone have one solution? The exit code is 0 for a number
    that is exact and for yes, 1 for no, 3 where the limit came first: bounds are told.
    """
    _refuse(asked=bool(puzzles), pattern=pattern is not None, no_givens=no_givens)
    wish = Wish(from_, size, boxes, alphabet, None if no_givens else rules, strict)
    show = _Show(Limits(timeout), output.look_of(ascii_only=ascii_only), seed, as_json, quiet)
    if puzzles:

        def answer(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
            cells = None if pattern is None else _cells(pattern, puzzle.grid)
            return show.grid(index, puzzle, cells, told, alone=alone)

        return answered(entries(puzzles, wish), answer, as_json=as_json, quiet=quiet)
    grid = wish.grid() or Grid.square()
    if pattern is not None:
        return show.pattern(_ruled(grid, rules), _cells(pattern, grid))
    return show.without(grid, rules or "")


def _refuse(*, asked: bool, pattern: bool, no_givens: bool) -> None:
    if no_givens and (asked or pattern):
        raise InvalidInput("expected --no-givens without PUZZLE and --pattern")
    if not (asked or pattern or no_givens):
        raise InvalidInput("expected PUZZLE, --pattern or --no-givens")


def _cells(path: Path, grid: Grid) -> tuple[Cell, ...]:
    from sudoku_cp.generate.patterns import parse_pattern  # noqa: PLC0415

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InvalidInput(f"--pattern: expected a file with a pattern, got {str(path)!r}: {reason}") from error
    return parse_pattern(text, grid)


def _ruled(grid: Grid, rules: str | None) -> Puzzle:
    """Return the empty board with rules of the whole board, or with cells as JSON."""
    from sudoku_cp.generate.requested_rules import asked_rules  # noqa: PLC0415

    asked = asked_rules(rules or "", grid)
    if asked.families or asked.jigsaw:
        raise InvalidInput(f"expected rules of the whole board, or JSON, got {rules!r}")
    return Puzzle(grid, (*CLASSIC, *asked.rules))


class _Show:
    """Asks one of the three questions and shows the answer."""

    def __init__(self, limits: Limits, look: Look, seed: int, as_json: bool, quiet: bool) -> None:  # noqa: FBT001
        self._limits, self._look, self._seed = limits, look, seed
        self._as_json, self._quiet = as_json, quiet
        self._start = perf_counter()

    # --- of a solution ----------------------------------------------------------------------------------------------

    def grid(self, index: int, puzzle: Puzzle, cells: Sequence[Cell] | None, told: Told, *, alone: bool) -> int:
        """Tell the fewest givens of a solution."""
        from sudoku_cp.generate.fewest import fewest_givens  # noqa: PLC0415

        self._start = perf_counter()
        try:
            found = fewest_givens(puzzle, among=cells, seed=self._seed, limits=self._limits)
        except LimitReached as reached:
            self._tell({"index": index, "status": "unknown", "reason": reached.reason} | told, None, str(reached), index, alone)
            return RAN_OUT
        except InvalidInput as error:
            self._tell(output.error_told(index, ParseError(error.problems)) | told, None, f"error: {error}", index, alone)
            return BAD_INPUT
        givens = found.givens
        best = None if givens is None else puzzle.with_givens({cell: found.solution[cell] for cell in givens})
        status = "none" if givens is None else "exact" if found.exact else "bounds"
        fields = {"index": index, "status": status, "least": found.least, "most": found.most}
        self._tell(fields | _why(found.why, found.reason) | told, best, _sentence(found), index, alone)
        return NO if best is None else YES if found.exact else RAN_OUT

    # --- of a pattern -------------------------------------------------------------------------------------------------

    def pattern(self, bare: Puzzle, cells: Sequence[Cell]) -> int:
        """Tell whether a pattern admits a puzzle."""
        from sudoku_cp.generate.fewest import pattern_puzzle  # noqa: PLC0415

        found = pattern_puzzle(bare.grid, bare.rules, cells, limits=self._limits)
        number = f"{len(cells)} givens"
        if found.possible is None:
            words = f"unknown: the limit ({found.reason}) came first, after {found.guesses:,} solutions were looked at"
        else:
            words = f"{number} in these cells: one solution" if found.puzzle else f"no puzzle: {found.why}"
        status = {None: "unknown", True: "possible", False: "impossible"}[found.possible]
        fields = {"status": status, "cells": len(cells), "guesses": found.guesses}
        self._tell(fields | _why(found.why, found.reason), found.puzzle, words)
        return {None: RAN_OUT, True: YES, False: NO}[found.possible]

    # --- of no givens -------------------------------------------------------------------------------------------------

    def without(self, grid: Grid, rules: str) -> int:
        """Tell whether rules need no givens; of families of clues, show a puzzle that needs none."""
        from sudoku_cp.generate.fewest import made_without_givens, needs_no_givens  # noqa: PLC0415
        from sudoku_cp.generate.requested_rules import asked_rules  # noqa: PLC0415

        asked = asked_rules(rules, grid)
        if asked.families or asked.jigsaw:
            made = made_without_givens(grid, rules, seed=self._seed, limits=self._limits)
            self._tell({"status": "unique"}, made, "a puzzle without givens, which 'sudoku-cp show' can draw:")
            if not self._as_json:
                output.say_json(to_json(made))
            return YES
        bare = Puzzle(grid, (*CLASSIC, *asked.rules))
        found = needs_no_givens(grid, bare.rules, limits=self._limits)
        status = {None: "unknown", True: "unique", False: "multiple" if found.solutions or found.reason else "none"}[found.alone]
        solutions = [solution_told(bare, solution) for solution in found.solutions]
        fields = {"status": status, "solutions": solutions} | _why(found.why, found.reason)
        self._tell(fields, bare, _words(found.alone, found.why, len(solutions), found.reason))
        if not self._as_json:
            for solution in found.solutions:
                output.say(draw(bare.with_givens(dict(enumerate(solution))), self._look))
        return {None: RAN_OUT, True: YES, False: NO}[found.alone]

    def _tell(self, fields: Told, puzzle: Puzzle | None, words: str, index: int = 0, alone: bool = True) -> None:  # noqa: FBT001, FBT002
        seconds = perf_counter() - self._start
        if self._as_json:
            shown = {} if puzzle is None else {"puzzle": puzzle_told(puzzle)}
            output.say_json(fields | shown | {"seconds": round(seconds, 6)})
        elif not alone:
            told = "" if puzzle is None else puzzle_told(puzzle)
            output.say(f"{index}\t{words}" + (f"\t{told}" if isinstance(told, str) else ""))
        else:
            if puzzle is not None and puzzle.givens:
                output.say(draw(puzzle, self._look))
            output.say(words if self._quiet else f"{words} ({seconds * 1e3:.3g} ms)")


def _why(why: str, reason: str | None) -> dict[str, Any]:
    return ({"why": why} if why else {}) | ({"reason": reason} if reason else {})


def _sentence(found: Fewest) -> str:
    if found.most is None:
        return "no givens in these cells would do: another solution has the same values there"
    if found.exact:
        words = f"{found.most} givens, and no fewer would do"
    else:
        words = f"{found.least} to {found.most} givens: the limit ({found.reason}) came first"
    return f"{words}; {found.why}" if found.why else words


def _words(alone: bool | None, why: str, solutions: int, reason: str | None) -> str:  # noqa: FBT001
    if alone is None:
        return f"unknown: the limit ({reason}) came first"
    if alone:
        return "these rules need no givens: they have one solution"
    if why:
        known = "" if solutions else f"; whether there is any is not known: the limit ({reason}) came first" if reason else ""
        return f"these rules need givens: {why}{known}"
    return "these rules need givens: they have several solutions" if solutions else "these rules have no solution"
