"""The question ``fewest``: how few givens leave one solution, in any cells, in those of a pattern, or none at all?"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

from sudoku_cp.errors import InvalidInput, LimitReached, Problem, placed
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.questions.answer import (
    ABSENT,
    NO,
    RAN_OUT,
    YES,
    PuzzleJson,
    QuestionAnswer,
    Solution,
    answer_field,
    with_values,
)
from sudoku_cp.questions.question import Fields, PacedReports, Patient, Reading, Run, option, seed_option, seed_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from sudoku_cp.generate.fewest import GivenBounds, NoGivensAnswer, PatternAnswer
    from sudoku_cp.generate.requested_rules import RequestedRules


@dataclass(frozen=True, eq=False, kw_only=True)
class FewestQuestion(Patient, Reading):
    """Find the fewest givens that leave one solution, or whether a pattern of givens, or none at all, can.

    With a puzzle: the fewest givens of its solution (with `pattern`, in its cells alone). `pattern` without a puzzle: a puzzle
    with givens in its cells, or why there is none. `no_givens`: do the rules alone have one solution? The exit code is 0 for an
    exact number and for yes, 1 for no, 3 if the limit came first: bounds are printed.
    """

    name = "fewest"
    adds_clues = True
    subject = "puzzle or board"
    example: ClassVar[Fields] = {"puzzle": "1234341221434321"}

    pattern: str | None = option(
        "Allow givens in these cells alone: drawn as a puzzle, . for other cells; on the command line, a file of that too.",
        None,
        is_long=True,
        metavar="FILE",
    )
    no_givens: bool = option("Ask whether the rules need no givens at all.", False)
    seed: int = seed_option("Another seed finds other puzzles.", 0)
    size: int | str | None = option("The board if there is no puzzle: 6, or ROWSxCOLUMNS.", None, metavar="SIDE")
    boxes: str | None = option("Its boxes, such as 3x2; 'none' for no boxes.", None, metavar="HEIGHTxWIDTH")
    rules: str | list[str | dict[str, Any]] = option(
        "Rules to add, comma-separated, or JSON; with `no_givens` families of clues too.",
        "",
        is_long=True,
        metavar="NAMES",
        completion="complete_rules_to_generate",
    )

    @property
    def unit(self) -> str:
        """What its reports count."""
        return "givens"

    def contradictions(self) -> Iterator[Problem]:
        """Yield seeds out of range."""
        yield from seed_problems(self.seed)

    def choice_problems(self, *, has_puzzle: bool) -> Iterator[Problem]:
        """Yield that none of the three questions is asked, or two at once."""
        others = (["a puzzle"] if has_puzzle else []) + (["`pattern`"] if self.pattern is not None else [])
        if self.no_givens and others:
            yield Problem(f"expected `no_givens` alone, got {' and '.join(others)} too", ["no_givens"])
        if not (self.no_givens or others):
            yield Problem("expected a puzzle, `pattern` or `no_givens`, got none of them", ["puzzle"])

    def misfits(self, subject: Puzzle | None) -> Iterator[Problem]:
        """Yield that nothing is asked, or two things at once, and what is wrong with the pattern or the rules of a board."""
        yield from self.choice_problems(has_puzzle=subject is not None)
        grid = self.board_grid() if subject is None else subject.grid
        readers: dict[str, Callable[[Grid], Any]] = {"pattern": self._pattern_cells}
        if subject is None:  # rules that are added to a puzzle have been read with it
            readers["rules"] = self._requested_rules
        for field, read in readers.items():
            try:
                read(grid)
            except InvalidInput as error:
                yield from (placed(problem, field) for problem in error.problems)

    def board_grid(self) -> Grid:
        """Return the board of a question without a puzzle."""
        return self.grid() or Grid.square()

    def _pattern_cells(self, grid: Grid) -> tuple[Cell, ...] | None:
        from sudoku_cp.generate.request_parsing import parse_pattern  # noqa: PLC0415  # for answers alone

        return None if self.pattern is None else parse_pattern(self.pattern, grid)

    def _requested_rules(self, grid: Grid) -> RequestedRules:
        """Return the rules on a board without a puzzle; only those without givens may have families of clues."""
        from sudoku_cp.generate.requested_rules import parse_requested_rules  # noqa: PLC0415  # for answers alone

        requested = parse_requested_rules(self.rules, grid)
        if not self.no_givens and (requested.families or requested.jigsaw):
            raise InvalidInput(f"expected rules of the whole board, or JSON, got {self.rules!r}")
        return requested

    def answer(self, subject: Puzzle | None, run: Run) -> FewestAnswer:
        """Search; the bounds, or the number of solutions that were looked at, are reported on the way."""
        return self.search(subject, self._pattern_cells(self.board_grid() if subject is None else subject.grid), run)

    def search(self, puzzle: Puzzle | None, cells: Collection[Cell] | None, run: Run) -> FewestAnswer:
        """Answer one of the three questions; ``cells`` are those of the pattern, if there is one."""
        start = perf_counter()
        if puzzle is not None:
            found = self._search_solution(puzzle, cells, run)
        elif cells is not None:
            found = self._search_pattern(cells, run)
        else:
            found = self._search_rules(run)
        return FewestAnswer(**found.fields(), seconds=round(perf_counter() - start, 6), found=found)

    def _search_solution(self, puzzle: Puzzle, cells: Collection[Cell] | None, run: Run) -> Found:
        from sudoku_cp.generate.fewest import fewest_givens  # noqa: PLC0415  # for answers alone

        reports = PacedReports(run.report)

        def progress(least: int, most: int) -> None:
            reports.show(most, lambda: {"least": least, "most": most})

        try:
            found = fewest_givens(puzzle, among=cells, seed=self.seed, limits=run.limits, progress=progress)
        except LimitReached as reached:
            return Found(reached)
        except InvalidInput as error:
            raise InvalidInput(placed(problem, "puzzle") for problem in error.problems) from error
        if found.givens is None:
            return Found(found)
        return Found(found, puzzle.with_givens({cell: found.solution[cell] for cell in found.givens}))

    def _search_pattern(self, cells: Collection[Cell], run: Run) -> Found:
        from sudoku_cp.generate.fewest import pattern_puzzle  # noqa: PLC0415  # for answers alone

        grid, reports = self.board_grid(), PacedReports(run.report)
        rules = (*CLASSIC, *self._requested_rules(grid).rules)

        def progress(guesses: int) -> None:
            reports.show(guesses, lambda: {"guesses": guesses})

        found = pattern_puzzle(grid, rules, cells, limits=run.limits, progress=progress)
        return Found(found, found.puzzle, len(cells))

    def _search_rules(self, run: Run) -> Found:
        from sudoku_cp.generate.fewest import make_puzzle_without_givens, needs_no_givens  # noqa: PLC0415  # as above

        grid = self.board_grid()
        requested = self._requested_rules(grid)
        if not (requested.families or requested.jigsaw):
            board = Puzzle(grid, (*CLASSIC, *requested.rules))
            return Found(needs_no_givens(grid, board.rules, limits=run.limits), board)
        try:
            rules: Any = self.rules  # names or JSON, as `generate` takes both
            return Found(None, make_puzzle_without_givens(grid, rules, seed=self.seed, limits=run.limits))
        except LimitReached as reached:
            return Found(reached)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> FewestAnswer:
        """Return that no bound is known."""
        del body
        return FewestAnswer(status="unknown", seconds=0.0)

    @classmethod
    def reported_fields(cls, report: Mapping[str, Any]) -> Fields:
        """Return the bounds, or how many solutions of a pattern were looked at."""
        known = {name: report[name] for name in ("least", "most", "guesses") if name in report}
        return known | ({"status": "bounds"} if "most" in known else {})


Outcome: TypeAlias = "GivenBounds | PatternAnswer | NoGivensAnswer | LimitReached | None"


class Found(NamedTuple):
    """What the library has found, and the puzzle with the givens, or without any; the ``cells`` of a pattern."""

    outcome: Outcome
    """None if a puzzle without givens was to be made, and was."""
    puzzle: Puzzle | None = None
    cells: int = 0

    def fields(self) -> Fields:
        """Return the fields of the answer."""
        own = {} if self.puzzle is None else {"puzzle": puzzle_to_short_json(self.puzzle)}
        return self._own_fields() | own

    def _own_fields(self) -> Fields:
        from sudoku_cp.generate.fewest import (  # noqa: PLC0415  # as above
            GivenBounds,  # as above
            NoGivensAnswer,
            PatternAnswer,
        )

        match self.outcome:
            case LimitReached() as reached:
                return {"status": "unknown", "reason": reached.reason}
            case GivenBounds() as bounds:
                status = "none" if bounds.givens is None else "exact" if bounds.exact else "bounds"
                own = {"status": status, "least": bounds.least, "most": bounds.most, "reason": bounds.reason}
                return own | with_values(why=bounds.why)
            case PatternAnswer() as found:
                status = {None: "unknown", True: "possible", False: "impossible"}[found.possible]
                own = {"status": status, "cells": self.cells, "guesses": found.guesses, "reason": found.reason}
                return own | with_values(why=found.why)
            case NoGivensAnswer() as alone:
                several = "multiple" if alone.solutions or alone.reason else "none"
                status = {None: "unknown", True: "unique", False: several}[alone.alone]
                assert self.puzzle is not None  # noqa: S101  # it is the board
                solutions = [solution_to_short_json(self.puzzle, one) for one in alone.solutions]
                return {"status": status, "solutions": solutions, "reason": alone.reason} | with_values(why=alone.why)
            case None:
                return {"status": "unique"}

    def in_words(self) -> str:
        """Return it in a sentence."""
        from sudoku_cp.generate.fewest import (  # noqa: PLC0415  # as above
            GivenBounds,  # as above
            NoGivensAnswer,
            PatternAnswer,
        )

        match self.outcome:
            case LimitReached() as reached:
                return str(reached)
            case GivenBounds() as bounds:
                return _bounds_sentence(bounds)
            case PatternAnswer(possible=None) as found:
                return f"unknown: the limit ({found.reason}) came first, after {found.guesses:,} solutions were looked at"
            case PatternAnswer() as found:
                return f"{self.cells} givens in these cells: one solution" if found.puzzle else f"no puzzle: {found.why}"
            case NoGivensAnswer() as alone:
                return _no_givens_sentence(alone)
            case None:
                return "a puzzle without givens, which <show> can draw:"


def _bounds_sentence(found: GivenBounds) -> str:
    if found.most is None:
        return "no givens in these cells would do: another solution has the same values there"
    if found.exact:
        words = f"{found.most} givens, and no fewer would do"
    else:
        words = f"{found.least} to {found.most} givens: the limit ({found.reason}) came first"
    return f"{words}; {found.why}" if found.why else words


def _no_givens_sentence(found: NoGivensAnswer) -> str:
    if found.alone is None:
        return f"unknown: the limit ({found.reason}) came first"
    if found.alone:
        return "these rules need no givens: they have one solution"
    if found.why:
        limit = f"; whether there is any is not known: the limit ({found.reason}) came first"
        return f"these rules need givens: {found.why}{limit if found.reason and not found.solutions else ''}"
    return "these rules need givens: they have several solutions" if found.solutions else "these rules have no solution"


@dataclass(frozen=True, eq=False, kw_only=True)
class FewestAnswer(QuestionAnswer):
    """The answer of ``fewest``: of a solution, of a pattern, or of rules alone."""

    status: Literal["exact", "bounds", "none", "possible", "impossible", "unique", "multiple", "unknown"] = answer_field(
        "Of a solution: exact, bounds, or none if its pattern never suffices; of a pattern alone: possible or impossible; of"
        " rules alone: how many solutions they have."
    )
    least: int = answer_field("The fewest givens of the solution are not fewer than this.", ABSENT, ge=0)
    most: int | None = answer_field("The number of givens of 'puzzle'; null if those of the pattern never suffice.", ABSENT, ge=0)
    cells: int = answer_field("The number of cells of a pattern without a puzzle.", ABSENT, ge=0)
    guesses: int = answer_field("How many solutions were looked at for it.", ABSENT, ge=0)
    solutions: list[Solution] = answer_field("Solutions of the rules alone: the only one, or two.", ABSENT)
    why: str = answer_field("What shows that it is so, where that is not the search itself.", ABSENT)
    puzzle: PuzzleJson = answer_field("With the givens that were found, or without any.", ABSENT)
    seconds: float = answer_field()

    @property
    def exit_code(self) -> int:
        """Yes for an exact number, a puzzle with such givens, and rules that need none; bounds are no answer yet."""
        return {"exact": YES, "possible": YES, "unique": YES, "bounds": RAN_OUT, "unknown": RAN_OUT}.get(self.status, NO)

    def in_words(self) -> str:
        """Return the number, or whether there is such a puzzle, and why."""
        found: Found = self.found
        return found.in_words()
