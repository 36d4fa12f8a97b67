"""The verb ``fewest``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.inputs import input_records
from sudoku_cp.cli.options import Ascii, Json, QuestionTimeout, Quiet
from sudoku_cp.errors import InvalidInput, LimitReached, ParseError, require_seed
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json, to_json
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.questions.answer import BAD_INPUT, NO, RAN_OUT, YES, error_to_json, with_values
from sudoku_cp.questions.options import Reading
from sudoku_cp.questions.question import option
from sudoku_cp.render import Look, draw

if TYPE_CHECKING:
    from sudoku_cp.generate.fewest import FewestAnswer


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardOptions(Reading):
    """How puzzles are read; three of the options also describe the board if there is no PUZZLE."""

    size: int | str | None = option("The board if there is no PUZZLE: 6, or ROWSxCOLUMNS.", None, metavar="SIDE")
    boxes: str | None = option("Its boxes, such as 3x2; 'none' for no boxes.", None, metavar="HEIGHTxWIDTH")
    rules: str | list[str | dict[str, Any]] = option(
        "Rules to add, comma-separated, or JSON; with `no_givens` families of clues too.",
        "",
        metavar="NAMES",
        completion="complete_rules_to_generate",
    )


def fewest(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...", help="Full grids or puzzles with one solution, or files of them.", show_default=False
        ),
    ] = None,
    *,
    pattern: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Allow givens in these cells alone: drawn as a puzzle, . for other cells.")
    ] = None,
    no_givens: Annotated[bool, typer.Option("--no-givens", help="Ask whether the rules need no givens at all.")] = False,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Another seed finds other puzzles.")] = 0,
    timeout: QuestionTimeout = 60.0,
    board_options: BoardOptions = BoardOptions(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Find the fewest givens that leave one solution, or whether a pattern of givens, or none at all, can.

    PUZZLE: the fewest givens of its solution (with --pattern, in its cells alone). --pattern without PUZZLE: a puzzle with
    givens in its cells, or why there is none. --no-givens: do the rules alone have one solution? The exit code is 0 for an exact
    number and for yes, 1 for no, 3 if the limit came first: bounds are printed.
    """
    _check_question(puzzles=bool(puzzles), pattern=pattern is not None, no_givens=no_givens)
    require_seed(seed)
    show = _FewestPrinter(Limits(timeout), output.look_of(ascii_only=ascii_only), seed, as_json=as_json, quiet=quiet)
    if puzzles:

        def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
            cells = None if pattern is None else _read_pattern(pattern, puzzle.grid)
            return show.of_solution(index, puzzle, cells, extra_fields, alone=alone)

        return answer_records(input_records(puzzles, board_options), answer, as_json=as_json, quiet=quiet)
    grid, rules = board_options.grid() or Grid.square(), str(board_options.rules)
    if pattern is not None:
        return show.of_pattern(_empty_board(grid, rules), _read_pattern(pattern, grid))
    return show.of_no_givens(grid, rules)


def _check_question(*, puzzles: bool, pattern: bool, no_givens: bool) -> None:
    if no_givens and (puzzles or pattern):
        others = ["PUZZLE"] * puzzles + ["--pattern"] * pattern
        raise InvalidInput(f"expected --no-givens alone, got {' and '.join(others)} too")
    if not (puzzles or pattern or no_givens):
        raise InvalidInput("expected PUZZLE, --pattern or --no-givens, got none of them")


def _read_pattern(path: Path, grid: Grid) -> tuple[Cell, ...]:
    from sudoku_cp.generate.request_parsing import parse_pattern  # noqa: PLC0415

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidInput(f"--pattern: expected a file with a pattern, got {str(path)!r}: {reason}") from error
    return parse_pattern(text, grid)


def _empty_board(grid: Grid, rules: str) -> Puzzle:
    """Return the empty board with rules of the whole board by name, or with any rules as JSON."""
    from sudoku_cp.generate.requested_rules import parse_requested_rules  # noqa: PLC0415

    parsed = parse_requested_rules(rules, grid)
    if parsed.families or parsed.jigsaw:
        raise InvalidInput(f"expected rules of the whole board, or JSON, got {rules!r}")
    return Puzzle(grid, (*CLASSIC, *parsed.rules))


class _FewestPrinter:
    """Answers one of the three questions and prints the answer."""

    def __init__(self, limits: Limits, look: Look, seed: int, *, as_json: bool, quiet: bool) -> None:
        """Answer within the limits of each puzzle, and draw boards with that look."""
        self._limits, self._look, self._seed = limits, look, seed
        self._as_json, self._quiet = as_json, quiet
        self._start = perf_counter()

    # --- of a solution ----------------------------------------------------------------------------------------------

    def of_solution(
        self, index: int, puzzle: Puzzle, cells: Sequence[Cell] | None, extra_fields: JsonFields, *, alone: bool
    ) -> int:
        """Find the fewest givens of a solution."""
        from sudoku_cp.generate.fewest import fewest_givens  # noqa: PLC0415

        self._start = perf_counter()
        try:
            found = fewest_givens(puzzle, among=cells, seed=self._seed, limits=self._limits)
        except LimitReached as reached:
            self._print(
                {"index": index, "status": "unknown", "reason": reached.reason} | extra_fields, None, str(reached), index, alone
            )
            return RAN_OUT
        except InvalidInput as error:
            self._print(
                {"index": index} | error_to_json(ParseError(error.problems)) | extra_fields, None, f"error: {error}", index, alone
            )
            return BAD_INPUT
        givens = found.givens
        best = None if givens is None else puzzle.with_givens({cell: found.solution[cell] for cell in givens})
        status = "none" if givens is None else "exact" if found.exact else "bounds"
        fields = {"index": index, "status": status, "least": found.least, "most": found.most}
        self._print(
            fields | with_values(why=found.why, reason=found.reason) | extra_fields,
            best,
            _solution_sentence(found),
            index,
            alone,
        )
        return NO if best is None else YES if found.exact else RAN_OUT

    # --- of a pattern -------------------------------------------------------------------------------------------------

    def of_pattern(self, board: Puzzle, cells: Sequence[Cell]) -> int:
        """Find a puzzle with givens in the cells of a pattern, if there is one."""
        from sudoku_cp.generate.fewest import pattern_puzzle  # noqa: PLC0415

        found = pattern_puzzle(board.grid, board.rules, cells, limits=self._limits)
        number = f"{len(cells)} givens"
        if found.possible is None:
            words = f"unknown: the limit ({found.reason}) came first, after {found.guesses:,} solutions were looked at"
        else:
            words = f"{number} in these cells: one solution" if found.puzzle else f"no puzzle: {found.why}"
        status = {None: "unknown", True: "possible", False: "impossible"}[found.possible]
        fields = {"status": status, "cells": len(cells), "guesses": found.guesses}
        self._print(fields | with_values(why=found.why, reason=found.reason), found.puzzle, words)
        return {None: RAN_OUT, True: YES, False: NO}[found.possible]

    # --- of no givens -------------------------------------------------------------------------------------------------

    def of_no_givens(self, grid: Grid, rules: str) -> int:
        """Decide whether rules need no givens; for families of clues, find a puzzle that needs none."""
        from sudoku_cp.generate.fewest import make_puzzle_without_givens, needs_no_givens  # noqa: PLC0415
        from sudoku_cp.generate.requested_rules import parse_requested_rules  # noqa: PLC0415

        parsed = parse_requested_rules(rules, grid)
        if parsed.families or parsed.jigsaw:
            puzzle = make_puzzle_without_givens(grid, rules, seed=self._seed, limits=self._limits)
            self._print({"status": "unique"}, puzzle, "a puzzle without givens, which 'sudoku-cp show' can draw:")
            if not self._as_json:
                output.print_json(to_json(puzzle))
            return YES
        board = Puzzle(grid, (*CLASSIC, *parsed.rules))
        found = needs_no_givens(grid, board.rules, limits=self._limits)
        status = {None: "unknown", True: "unique", False: "multiple" if found.solutions or found.reason else "none"}[found.alone]
        solutions = [solution_to_short_json(board, solution) for solution in found.solutions]
        fields = {"status": status, "solutions": solutions} | with_values(why=found.why, reason=found.reason)
        self._print(fields, board, _no_givens_sentence(found.alone, found.why, len(solutions), found.reason))
        if not self._as_json:
            for solution in found.solutions:
                output.print_text(draw(board.with_givens(dict(enumerate(solution))), self._look))
        return {None: RAN_OUT, True: YES, False: NO}[found.alone]

    def _print(self, fields: JsonFields, puzzle: Puzzle | None, words: str, index: int = 0, alone: bool = True) -> None:  # noqa: FBT001, FBT002
        seconds = perf_counter() - self._start
        if self._as_json:
            own = {} if puzzle is None else {"puzzle": puzzle_to_short_json(puzzle)}
            output.print_json(fields | own | {"seconds": round(seconds, 6)})
        elif not alone:
            text = "" if puzzle is None else puzzle_to_short_json(puzzle)
            output.print_text(f"{index}\t{words}" + (f"\t{text}" if isinstance(text, str) else ""))
        else:
            if puzzle is not None and puzzle.givens:
                output.print_text(draw(puzzle, self._look))
            output.print_text(words if self._quiet else f"{words} ({seconds * 1e3:.3g} ms)")


def _solution_sentence(found: FewestAnswer) -> str:
    if found.most is None:
        return "no givens in these cells would do: another solution has the same values there"
    if found.exact:
        words = f"{found.most} givens, and no fewer would do"
    else:
        words = f"{found.least} to {found.most} givens: the limit ({found.reason}) came first"
    return f"{words}; {found.why}" if found.why else words


def _no_givens_sentence(alone: bool | None, why: str, solutions: int, reason: str | None) -> str:  # noqa: FBT001
    if alone is None:
        return f"unknown: the limit ({reason}) came first"
    if alone:
        return "these rules need no givens: they have one solution"
    if why:
        known = "" if solutions else f"; whether there is any is not known: the limit ({reason}) came first" if reason else ""
        return f"these rules need givens: {why}{known}"
    return "these rules need givens: they have several solutions" if solutions else "these rules have no solution"
