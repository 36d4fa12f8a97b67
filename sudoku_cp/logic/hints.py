"""Hints: what is wrong with a position, or a person's next step, in words and pictures, up to the detail asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import LONGEST_REPR, checked, shortened
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.cosmetics import Annotation, CellGround
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.ladder import BY_CASES, LAST_RESORT, TAUGHT, possible_steps
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.pictures import draw_step
from sudoku_cp.logic.step_reasons import plainest
from sudoku_cp.logic.words import describe_step
from sudoku_cp.logic.words.hint_words import (
    HintPlace,
    describe_cells,
    describe_kind,
    describe_place,
    is_named,
    key_cells,
    place_of,
)
from sudoku_cp.logic.words.wording import Wording
from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.queries.conflicts import conflict
from sudoku_cp.queries.puzzle_check import clash_words
from sudoku_cp.render import svg
from sudoku_cp.time_limits import ticking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.errors import Reason
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.step import Candidate, Step
    from sudoku_cp.queries import Status
    from sudoku_cp.queries.conflicts import Conflict


# Whether a position can still be completed: how many solutions its puzzle has, which entries are wrong, and what clashes.


@dataclass(frozen=True)
class PositionCheck:
    """What is known of a position.

    ``status`` tells how many solutions the puzzle has. If it has just one, that is ``solution``, ``wrong_values`` are the values
    filled in that differ from it, and ``wrong_marks`` the candidates that were eliminated and are true. If it has several,
    ``is_dead`` says that the position leads to none of them. ``reason`` is the limit that came first if it is "unknown".
    """

    status: Status
    solution: tuple[int, ...] | None = None
    wrong_values: tuple[Candidate, ...] = ()
    wrong_marks: tuple[Candidate, ...] = ()
    is_dead: bool = False
    reason: Reason | None = None

    @property
    def is_sound(self) -> bool:
        """Whether the puzzle has one solution and the position leads to it."""
        return self.status == "unique" and not self.wrong_values and not self.wrong_marks

    @property
    def is_wrong(self) -> bool:
        """Whether the position is known to lead to no solution."""
        return self.status == "none" or self.is_dead or bool(self.wrong_values or self.wrong_marks)


def check_position(position: Position, *, limits: Limits = UNLIMITED) -> PositionCheck:
    """Solve the puzzle, and compare what was filled in and eliminated; "unknown" if a limit came first."""
    clock = limits.started()
    answer = queries.solve(position.puzzle, limits=clock.left())
    if answer.status == "multiple":
        return PositionCheck("multiple", is_dead=_is_dead(position, clock.left()))
    if answer.status != "unique":
        return PositionCheck(answer.status, reason=answer.reason)
    solution = answer.solution
    assert solution is not None  # noqa: S101  # a unique puzzle has one
    filled = ((cell, value) for cell, value in enumerate(position.values) if value is not None)
    wrong = ((cell, value) for cell, value in filled if value != solution[cell] and position.origins[cell] is not Origin.GIVEN)
    marks = ((cell, solution[cell]) for cell, marks in enumerate(position.marks) if marks and not marks >> solution[cell] & 1)
    return PositionCheck("unique", solution, tuple(wrong), tuple(marks))


def _is_dead(position: Position, limits: Limits) -> bool:
    """Return whether nothing completes the entries of a position; not if a limit comes first."""
    entries = with_entries(position)
    is_changed = entries.givens != position.puzzle.givens or entries.candidates != position.puzzle.candidates
    return is_changed and queries.solve(entries, limits=limits).status == "none"


def clashing_puzzle(position: Position, check: PositionCheck) -> Puzzle:
    """Return the puzzle that the clash of a wrong position is part of: its givens, or all entries if givens do not clash."""
    return position.puzzle if check.status == "none" else with_entries(position)


def find_clash(position: Position, check: PositionCheck, *, limits: Limits = UNLIMITED) -> Conflict | None:
    """Return a smallest set of entries of a wrong position that cannot all be right; None if a limit came first."""
    try:
        return conflict(clashing_puzzle(position, check), limits=limits)
    except LimitReached:
        return None


def with_entries(position: Position) -> Puzzle:
    """Return the puzzle whose givens and candidates are the entries of a position: what was filled in, and the marks."""
    puzzle = position.puzzle
    entries = {cell: value for cell, value in enumerate(position.values) if value is not None}
    marks = {cell: domain & puzzle.candidates.get(cell, domain) for cell, domain in enumerate(position.marks) if domain}
    left = {cell: domain for cell, domain in marks.items() if domain}
    return replace(puzzle, givens=entries, candidates={**puzzle.candidates, **left}, solution=None)


def without_errors(position: Position, check: PositionCheck) -> Position:
    """Return the position with what is wrong taken back: wrong values are gone, and true candidates are marks again."""
    values, origins, marks = list(position.values), list(position.origins), list(position.marks)
    for cell, _ in check.wrong_values:
        values[cell] = origins[cell] = None
    for cell, value in check.wrong_marks:
        marks[cell] |= 1 << value
    return replace(position, values=tuple(values), origins=tuple(origins), marks=tuple(marks))


HintAnswer: TypeAlias = Literal["step", "wrong", "none", "solved", "stuck", "unknown"]
"""A step; wrong entries; a puzzle without a solution; nothing left to do; no (other) technique helps; a limit came first."""

_SHADE = "#FBEFD9"
"""The ground of the cells to look at."""
_ENDS = {
    "none": "The puzzle has no solution.",
    "solved": "The grid is full and right.",
    "stuck": "No technique leads further.",
    "unknown": "The time ran out before a step was found.",
}


class HintLevel(IntEnum):
    """How much a hint gives away; each level includes those before it."""

    PLACE = 1
    TECHNIQUE = 2
    CELLS = 3
    STEP = 4
    APPLY = 5


@dataclass(frozen=True, repr=False)
class Hint:
    """What to do next in a position, ``start``.

    ``check`` tells whether the puzzle has one solution and what is wrong with the position; the ``clash`` is a smallest set of
    entries that cannot all be right, of givens where these clash; None if there is none or a limit came first. ``position`` is
    the one after the step, or the one without what is wrong. So many steps were passed over as ``skip`` says. ``reason`` is the
    limit that came before a step was found, if one did.
    """

    answer: HintAnswer
    start: Position
    check: PositionCheck
    step: Step | None = None
    clash: Conflict | None = None
    position: Position | None = None
    skip: int = 0
    reason: Reason | None = None

    @checked
    def text(self, level: int = HintLevel.STEP) -> str:
        """Return the hint in words, in the detail of a level from 1 to 5: where to look, technique, cells, step, step."""
        return " ".join(self._sentences(_parse_level(level)))

    @checked
    def svg(self, level: int = HintLevel.STEP, *, cell: int = 50) -> str:
        """Return the hint as a picture, in the detail of a level from 1 to 5, ``cell`` pixels per cell.

        It shades the place to look at, from level 3 on the step's cells instead; then it shows the step on all pencil marks, and
        last the position after it, with red grounds where values were placed. Without a step it is the position, with red grounds
        where values are wrong.
        """
        level = _parse_level(level)
        if self.step is None:
            return svg(self.start, cell=cell, pointed=[one for one, _ in self.check.wrong_values])
        if level >= HintLevel.APPLY and self.position is not None:
            return svg(self.position, cell=cell, pointed=[one for one, _ in self.step.placements])
        if level >= HintLevel.STEP:
            board = make_board(self.start)
            return draw_step(replace(self.start, marks=tuple(board.candidates)), self.step, board, cell=cell)
        cells = self.key_cells if level >= HintLevel.CELLS else self.place.cells
        shade = Annotation(grounds=(CellGround(tuple(members(cells)), _SHADE),))
        return svg(self.start, cell=cell, annotation=shade)

    def __repr__(self) -> str:
        """Return the sentence: the fields are long."""
        return f"<Hint: {shortened(self.text(), LONGEST_REPR)}>"

    def _repr_svg_(self) -> str:
        """Return the picture of the step for notebooks."""
        return self.svg()

    @property
    def place(self) -> HintPlace:
        """Where to look for the step, which that does not name: a house, a clue, a value; the board without a step."""
        return HintPlace("the board") if self.step is None else place_of(self._say(self.step))

    @property
    def key_cells(self) -> CellSet:
        """A few cells with which the step is found; none without a step."""
        return 0 if self.step is None else key_cells(self._say(self.step))

    @property
    def is_named(self) -> bool:
        """Whether people know such a step; otherwise it is a long supposition, or what a search shows."""
        return self.step is None or is_named(self.step)

    def _say(self, step: Step) -> Wording:
        return Wording(layout_of(self.start.puzzle), self.start.puzzle.symbols, step)

    def _sentences(self, level: HintLevel) -> Iterator[str]:
        if self.check.status == "multiple" and not self.check.is_dead:
            yield "The puzzle has several solutions, so techniques that argue from uniqueness were left out."
        if self.step is None:
            yield from self._ending_sentences()
            return
        say = self._say(self.step)
        if level >= HintLevel.STEP:
            sentence = describe_step(say.layout, say.symbols, self.step)
            reason = sentence.partition(": ")[2]
            yield sentence if self.is_named else f"{reason[0].upper()}{reason[1:]}"
            return
        if not self.is_named:
            yield "No named step leads on here."
        yield describe_place(say)
        if level >= HintLevel.TECHNIQUE:
            yield describe_kind(say)
        if level >= HintLevel.CELLS:
            yield describe_cells(say)

    def _ending_sentences(self) -> Iterator[str]:
        """Yield why there is no step."""
        name, sign = self.start.puzzle.grid.cell_name, self.start.puzzle.symbols.sign
        yield from (f"{name(cell)} = {sign(value)} is wrong." for cell, value in self.check.wrong_values)
        yield from (f"{name(cell)} cannot do without {sign(value)}." for cell, value in self.check.wrong_marks)
        if self.check.is_dead:
            yield "No solution of the puzzle has all these entries."
        if self.answer == "stuck" and self.skip:
            yield "No other step is possible."
        elif self.answer in _ENDS:
            yield _ENDS[self.answer]
        if self.clash:
            yield f"Clash: {clash_words(clashing_puzzle(self.start, self.check), self.clash)}."


def _parse_level(level: int) -> HintLevel:
    if level not in {*HintLevel}:
        raise InvalidInput(f"expected a level of {min(HintLevel):d} to {max(HintLevel):d}, got {level}")
    return HintLevel(level)


# The search for hints: what is wrong with a position before anything else, then the step by the lowest technique.


@checked
def hint(start: Puzzle | Position, *, skip: int = 0, limits: Limits = UNLIMITED) -> Hint:
    """Return the next step by the lowest technique, or what is wrong with a position.

    So many steps as ``skip`` says are passed over, those by the lowest techniques in front: each does something else.
    """
    position = Position.of(start) if isinstance(start, Puzzle) else start
    clock = limits.started()
    check = check_position(position, limits=clock.left())
    if check.is_wrong:
        return _what_is_wrong(position, check, clock.left())
    try:
        board = make_board(position, clock)
        if not board.open:
            return Hint("solved" if board.is_consistent() else "wrong", position, check)
        usable = [rung for rung in TAUGHT if check.is_sound or not rung.technique.needs_uniqueness]
        with ticking(board.tick):
            step = next(islice(possible_steps(board, [*usable, BY_CASES, LAST_RESORT]), skip, None), None)
    except LimitReached as reached:
        return Hint("unknown", position, check, reason=reached.reason)
    if step is None:
        return Hint("stuck", position, check, skip=skip)
    step = plainest(board.layout, step)
    return Hint("step", position, check, step, position=_position_after(position, board, step), skip=skip)


def _what_is_wrong(position: Position, check: PositionCheck, limits: Limits) -> Hint:
    right = without_errors(position, check) if check.status == "unique" else None
    clash = find_clash(position, check, limits=limits)
    return Hint("none" if check.status == "none" else "wrong", position, check, clash=clash, position=right)


def _position_after(position: Position, board: CandidateBoard, step: Step) -> Position:
    """Return the position in which a step has been made: values placed as forced, candidates marked as left."""
    after = board.copy()
    after.apply(step)
    values, origins = tuple(after.values), list(position.origins)
    for cell, _ in step.placements:
        origins[cell] = Origin.FORCED
    return replace(position, values=values, origins=tuple(origins), marks=tuple(after.candidates))
