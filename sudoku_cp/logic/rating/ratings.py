"""The ratings of a puzzle on several scales, each within its share of the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, UnknownName, Unsupported
from sudoku_cp.logic.difficulty_level import level_of
from sudoku_cp.logic.rating.score import score_puzzle
from sudoku_cp.logic.rating.ways_forward import ways_forward
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.logic.difficulty_level import Level
    from sudoku_cp.logic.proofs.profile import ProofProfile
    from sudoku_cp.logic.rating.explainer import ExplainerRating
    from sudoku_cp.logic.rating.score import Score
    from sudoku_cp.logic.rating.ways_forward import WaysForward
    from sudoku_cp.queries import Status

Scale: TypeAlias = Literal["words", "se", "proof", "hodoku"]
SCALES: tuple[Scale, ...] = ("words", "se", "proof", "hodoku")
"""The scales: three words after the singles that solve a puzzle; Sudoku Explainer 1.2.1; the sizes of proofs; HoDoKu 2.2."""
EVERY = "all"
"""The name of all scales together."""
NOTHING_TO_SOLVE = "nothing is left to solve: all cells are given"
"""Why a full grid has no ratings."""
_WAYS = "ways"
"""What is rated besides the scales, under a name of its own: the number of ways forward at each step."""


@dataclass(frozen=True)
class Ratings:
    """How hard a puzzle is. What was not asked for is None, and so is what is ``missing``, by its name, with a reason.

    Only a puzzle with one solution (``status`` "unique") has ratings. A reason is that of a limit (``deadline``, ...), or
    says in words why the scale does not apply.
    """

    status: Status
    word: Level | None = None
    explainer: ExplainerRating | None = None
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
def rate(puzzle: Puzzle, scales: str | Sequence[str] = EVERY, *, ways: bool = False, limits: Limits = UNLIMITED) -> Ratings:
    """Rate a puzzle on ``scales``, of which ``all`` stands for every one; with ``ways``, count ways forward.

    ``words`` is easy, medium or hard, ``se`` the rating of Sudoku Explainer 1.2.1, ``proof`` the sizes of proofs, for any rules,
    ``hodoku`` the score of HoDoKu 2.2.
    Of the time that is left, each scale gets an equal share, and leaves what it does not need to the next; one that does not
    suffice, or does not apply to the rules, is missing with a reason. A full grid has no ratings.
    """
    wanted: list[str] = [*parse_scales(scales), *[_WAYS] * ways]
    clock = limits.started()
    answer = queries.solve(puzzle, limits=limits)
    status = answer.status
    if status != "unique":
        return Ratings(status, reason=answer.reason)
    if len(puzzle.givens) == len(puzzle.grid.cells):
        return Ratings(status, missing=dict.fromkeys(wanted, NOTHING_TO_SOLVE))
    found: dict[str, Any] = {}
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
    return Ratings(status, get("words"), get("se"), get("proof"), get("hodoku"), get(_WAYS), missing)


def rate_on(scale: Scale, puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> Any:
    """Return the rating of a puzzle with one solution on one scale; raises `LimitReached` and `Unsupported`."""
    return _RATERS[scale](puzzle, limits, {})


def _explainer(puzzle: Puzzle, limits: Limits, _found: object) -> ExplainerRating:
    from sudoku_cp.logic.rating.explainer import explainer_rating  # noqa: PLC0415  # compiled code, which the others do without

    rating = explainer_rating(puzzle, limits=limits)
    if not rating.is_solved:
        raise Unsupported(f"expected a puzzle that the techniques of this scale solve, got one {rating.hardest}")
    return rating


def _profile(puzzle: Puzzle, limits: Limits, _found: object) -> ProofProfile:
    from sudoku_cp.logic.proofs.profile import proof_profile  # noqa: PLC0415  # as above

    return proof_profile(puzzle, limits=limits)


def _ways(puzzle: Puzzle, limits: Limits, found: Mapping[str, Any]) -> WaysForward:
    clock = limits.started()
    score = found.get("hodoku") or score_puzzle(puzzle, limits=limits)
    return ways_forward(puzzle, score.steps, limits=clock.left())


_RATERS: Mapping[str, Callable[[Puzzle, Limits, Mapping[str, Any]], Any]] = {
    "words": lambda puzzle, limits, _found: level_of(puzzle, limits=limits),
    "se": _explainer,
    "proof": _profile,
    "hodoku": lambda puzzle, limits, _found: score_puzzle(puzzle, limits=limits),
    _WAYS: _ways,
}
"""What rates a puzzle within limits; the last argument is what is known already."""
