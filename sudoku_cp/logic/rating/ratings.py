"""The ratings of a puzzle on several scales, each within its share of the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, UnknownName, Unsupported
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import all_steps
from sudoku_cp.logic.rating.levels import LEVELS as USUAL
from sudoku_cp.logic.rating.levels import Levels, make_levels
from sudoku_cp.logic.rating.path_score import Score, score_puzzle
from sudoku_cp.logic.rating.puzzle_levels import band_of
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.logic.proofs.rounds import ProofProfile
    from sudoku_cp.logic.rating.explainer import ExplainerRating
    from sudoku_cp.logic.step import Step
    from sudoku_cp.queries import Status


Scale: TypeAlias = Literal["words", "se", "sukaku", "proof", "hodoku"]
SCALES: tuple[Scale, ...] = ("words", "se", "sukaku", "proof", "hodoku")
"""The scales: the names of levels (see `levels`); Sudoku Explainer 1.2.1; Sukaku Explainer 1.18.1; the sizes of
proofs; HoDoKu 2.2."""
EVERY = "all"
"""The name of all scales together."""
NOTHING_TO_SOLVE = "nothing is left to solve: all cells are given"
"""Why a full grid has no ratings."""
_WORDS, _LEVELS, _NETS = "words", "levels", "nets"
_WAYS = "ways"
"""What is rated besides the scales, under a name of its own: the number of ways forward at each step."""


@dataclass(frozen=True, repr=False)
class Ratings(ShortRepr):
    """How hard a puzzle is. What was not asked for is None, and so is what is ``missing``, by its name, with a reason.

    Only a puzzle with one solution (``status`` "unique") has ratings. A reason is that of a limit (``deadline``, ...), or
    says in words why the scale does not apply.
    """

    status: Status
    word: str | None = None
    explainer: ExplainerRating | None = None
    sukaku: ExplainerRating | None = None
    profile: ProofProfile | None = None
    score: Score | None = None
    ways: WaysForward | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    """The limit that came before the puzzle was solved, if its status is "unknown"."""

    @property
    def ran_out(self) -> bool:
        """Whether a limit came before something that was asked for."""
        return self.status == "unknown" or not _LIMITS.isdisjoint(self.missing.values())


_LIMITS = frozenset({"deadline", "nodes", "cancelled"})
"""Reasons that are limits; they read the same however fast the machine was."""


def parse_scales(names: str | Sequence[str]) -> tuple[Scale, ...]:
    """Return the scales of names, separated by commas or one by one, in the usual order; ``all`` is every scale."""
    texts = [names] if isinstance(names, str) else names
    wanted = {name.strip().lower() for text in texts for name in text.split(",") if name.strip()}
    unknown = sorted(wanted - {*SCALES, EVERY})
    problems = [problem for name in unknown for problem in UnknownName("scale", name, (*SCALES, EVERY)).problems]
    if not wanted:
        problems.append(f"expected a scale, one of {', '.join((*SCALES, EVERY))}; got none")
    if problems:
        raise InvalidInput(problems)
    return tuple(scale for scale in SCALES if scale in wanted or EVERY in wanted)


@checked
def rate(
    puzzle: Puzzle,
    scales: str | Sequence[str] = EVERY,
    *,
    ways: bool = False,
    levels: str | Levels = USUAL,
    limits: Limits = UNLIMITED,
) -> Ratings:
    """Rate a puzzle on ``scales``, of which ``all`` stands for every one; with ``ways``, count ways forward.

    ``words`` is the name of one of the ``levels`` (easy, medium, hard, expert, fiendish, diabolical, extreme; or your own, as
    TOML), ``se`` the rating of Sudoku Explainer 1.2.1, ``sukaku`` that of Sukaku Explainer 1.18.1, ``proof`` the sizes of proofs,
    for any rules, ``hodoku`` the score of HoDoKu 2.2.
    Of the time that is left, each scale gets an equal share, and leaves what it does not need to the next; one that does not
    suffice, or does not apply to the rules, is missing with a reason. A full grid has no ratings.
    """
    wanted: list[str] = [*parse_scales(scales), *[_WAYS] * ways]
    wanted.sort(key=lambda scale: scale == _WORDS)  # after the rating that decides it
    clock = limits.started()
    answer = queries.solve(puzzle, limits=limits)
    status = answer.status
    if status != "unique":
        return Ratings(status, reason=answer.reason)
    if len(puzzle.givens) == len(puzzle.grid.cells):
        return Ratings(status, missing=dict.fromkeys(wanted, NOTHING_TO_SOLVE))
    found: dict[str, Any] = {_LEVELS: make_levels(levels), _NETS: {}}
    missing: dict[str, str] = {}
    for number, scale in enumerate(wanted):
        left = clock.left()
        share = None if left.seconds is None else left.seconds / (len(wanted) - number)
        try:
            found[scale] = _RATERS[scale](puzzle, replace(left, seconds=share), found)
        except LimitReached as reached:
            missing[scale] = reached.reason
        except Unsupported as error:
            missing[scale] = str(error)
    get = found.get
    return Ratings(status, get(_WORDS), get("se"), get("sukaku"), get("proof"), get("hodoku"), get(_WAYS), missing)


def rate_on(scale: Scale, puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> Any:
    """Return the rating of a puzzle with one solution on one scale; raises `LimitReached` and `Unsupported`."""
    return _RATERS[scale](puzzle, limits, {})


def _word(puzzle: Puzzle, limits: Limits, found: Mapping[str, Any]) -> str:
    """Return the name of the level, which follows from the rating on its scale if that is known; raise `Unsupported` for none."""
    levels: Levels = found.get(_LEVELS, USUAL)
    known: ExplainerRating | None = found.get(levels.scale)
    band = band_of(puzzle, levels, rating=known.er if known else None, limits=limits)
    if band is None:
        spans = ", ".join(f"{one} {one.span}" for one in levels.bands)
        raise Unsupported(f"expected a puzzle of a level ({spans}), got one that is of none")
    return band.name


def _explainer(puzzle: Puzzle, limits: Limits, found: Mapping[str, Any]) -> ExplainerRating:
    from sudoku_cp.logic.rating.explainer import explainer_rating  # noqa: PLC0415  # compiled code, which the others do without

    return _solved(explainer_rating(puzzle, limits=limits, nets=found.get(_NETS)))


def _sukaku(puzzle: Puzzle, limits: Limits, found: Mapping[str, Any]) -> ExplainerRating:
    from sudoku_cp.logic.rating.explainer import (  # noqa: PLC0415  # as above
        SUKAKU_EXPLAINER,
        check_rules,
        explainer_rating,
        is_same_way,
    )

    check_rules(puzzle, SUKAKU_EXPLAINER)
    other: ExplainerRating | None = found.get("se")
    if other is not None and is_same_way(other):
        return other
    return _solved(explainer_rating(puzzle, SUKAKU_EXPLAINER, limits=limits, nets=found.get(_NETS)))


def _solved(rating: ExplainerRating) -> ExplainerRating:
    """Return a rating of a puzzle that was solved, or raise `Unsupported`."""
    if not rating.is_solved:
        raise Unsupported(f"expected a puzzle that the techniques of this scale solve, got one {rating.hardest}")
    return rating


def _profile(puzzle: Puzzle, limits: Limits, _found: object) -> ProofProfile:
    from sudoku_cp.logic.proofs.rounds import proof_profile  # noqa: PLC0415  # as above

    return proof_profile(puzzle, limits=limits)


def _ways(puzzle: Puzzle, limits: Limits, found: Mapping[str, Any]) -> WaysForward:
    clock = limits.started()
    score = found.get("hodoku") or score_puzzle(puzzle, limits=limits)
    return ways_forward(puzzle, score.steps, limits=clock.left())


_RATERS: Mapping[str, Callable[[Puzzle, Limits, Mapping[str, Any]], Any]] = {
    _WORDS: _word,
    "se": _explainer,
    "sukaku": _sukaku,
    "proof": _profile,
    "hodoku": lambda puzzle, limits, _found: score_puzzle(puzzle, limits=limits),
    _WAYS: _ways,
}
"""What rates a puzzle within limits; the last argument is what is known already."""


# How wide a path is: at each step, how many different steps the same technique offered.
#
# Where there are many, any of them will do and the next one is soon seen; where there is one, it must be found.


@dataclass(frozen=True)
class WaysForward:
    """For each step of a path, the ``numbers`` of ways: different results that its technique offered.

    The ``bottleneck`` is the least of them, met at ``narrow`` of the steps; None if there was no choice to make. Towards the end
    of every path any open cell can be filled at once, and fewer and fewer are left: these steps do not count.
    """

    numbers: tuple[int, ...]
    bottleneck: int | None
    narrow: int


def ways_forward(puzzle: Puzzle, steps: Iterable[Step], *, limits: Limits = UNLIMITED) -> WaysForward:
    """Return the ways along a path of ``steps`` from the givens of a puzzle. Raises `LimitReached`."""
    board = make_board(puzzle, limits.started())
    numbers, narrow = [], []
    for step in steps:
        board.tick()
        number = len(all_steps(board, step.technique))
        numbers.append(number)
        if number < board.open.bit_count():
            narrow.append(number)
        board.apply(step)
    bottleneck = min(narrow, default=None)
    return WaysForward(tuple(numbers), bottleneck, narrow.count(bottleneck) if bottleneck else 0)
