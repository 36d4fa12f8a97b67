"""The question ``rate``: how hard is a puzzle for a person?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp.errors import InvalidInput, Problem, placed
from sudoku_cp.questions.answer import ABSENT, NO, RAN_OUT, YES, QuestionAnswer, answer_field
from sudoku_cp.questions.question import EASY, Fields, Levelled, Patient, Reading, Run, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.logic.rating.ratings import Ratings
    from sudoku_cp.puzzle import Puzzle


@dataclass(frozen=True, eq=False, kw_only=True)
class RateQuestion(Levelled, Patient, Reading):
    """Rate puzzles: how hard they are for a person, on several scales.

    A scale that ran out of time, or does not apply to the rules, is left out with the reason. The exit code is 1 if a puzzle does
    not have exactly one solution, 3 if time ran out for some scale.
    """

    name = "rate"
    example: ClassVar[Fields] = {"puzzle": EASY, "scale": "words"}

    scale: str | list[str] = option(
        "se (Sudoku Explainer 1.2.1), sukaku (Sukaku Explainer 1.18.1), proof (sizes of proofs, any rules), hodoku (2.2),"
        " words (easy, medium, hard, ... or your own `levels`), or all; several are possible.",
        "all",
        metavar="NAMES",
        completion="complete_scale",
    )
    ways: bool = option("Count the ways forward at each step of the path that hodoku scores.", False)
    timeout: float | None = option("The time for a puzzle, shared among the scales.", 60.0, ge=0, metavar="SECONDS")

    def contradictions(self) -> Iterator[Problem]:
        """Yield the names that no scale has, and what is wrong with the levels."""
        yield from self.level_problems()
        try:
            self.scales()
        except InvalidInput as error:
            yield from (placed(problem, "scale") for problem in error.problems)

    def scales(self) -> tuple[str, ...]:
        """Return the scales that are asked for."""
        from sudoku_cp.logic.rating.ratings import parse_scales  # noqa: PLC0415  # techniques, for answers alone

        return tuple(parse_scales(self.scale))

    def answer(self, subject: Puzzle, run: Run) -> RateAnswer:
        """Rate."""
        from sudoku_cp.logic.rating.ratings import rate  # noqa: PLC0415  # as above
        from sudoku_cp.logic.rating.ratings_json import ratings_to_json  # noqa: PLC0415  # as above

        ratings = rate(subject, self.scales(), ways=self.ways, levels=self.find_levels(), limits=run.limits)
        return RateAnswer(**with_scales(ratings_to_json(ratings)), found=ratings)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, object]) -> RateAnswer:
        """Return that nothing is known."""
        del body
        return RateAnswer(status="unknown")


@dataclass(frozen=True, eq=False, kw_only=True)
class ExplainerJson:
    """The rating on the scale of Sudoku Explainer 1.2.1 (``se``) or Sukaku Explainer 1.18.1 (``sukaku``)."""

    er: float = answer_field()
    ep: float = answer_field()
    ed: float = answer_field()
    hardest: str = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class ProofSizeJson:
    """The sizes of proofs."""

    largest: float = answer_field()
    squares: float = answer_field()
    rounds: int = answer_field(ge=0)
    hard: int = answer_field(ge=0)
    search: bool = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreJson:
    """The score of HoDoKu 2.2."""

    score: int = answer_field(ge=0)
    level: str = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class WaysJson:
    """How many steps there were at each moment of the path."""

    bottleneck: int | None = answer_field(ge=0)
    narrow: int = answer_field(ge=0)
    steps: list[int] = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class ScalesJson:
    """A puzzle on the scales that were asked for; one that is missing has its reason in ``missing``."""

    se: ExplainerJson = answer_field("", ABSENT)
    sukaku: ExplainerJson = answer_field("", ABSENT)
    proof_size: ProofSizeJson = answer_field("", ABSENT)
    hodoku: ScoreJson = answer_field("", ABSENT)
    word: str = answer_field("", ABSENT)
    ways: WaysJson = answer_field("", ABSENT)
    missing: dict[str, str] = answer_field("", ABSENT)


_SCALES: dict[str, type] = {
    "se": ExplainerJson,
    "sukaku": ExplainerJson,
    "proof_size": ProofSizeJson,
    "hodoku": ScoreJson,
    "ways": WaysJson,
}


def with_scales(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON fields of ratings with those of each scale as an object of its class."""
    return {name: _SCALES[name](**value) if name in _SCALES else value for name, value in fields.items()}


@dataclass(frozen=True, eq=False, kw_only=True)
class RateAnswer(ScalesJson, QuestionAnswer):
    """The answer of ``rate``."""

    status: Literal["ok", "multiple", "none", "unknown"] = answer_field()

    @property
    def ratings(self) -> Ratings:
        """What the library has found."""
        found: Ratings = self.found
        return found

    @property
    def exit_code(self) -> int:
        """Yes for a puzzle with one solution for which no scale ran out of time."""
        if self.found is None or self.ratings.ran_out:
            return RAN_OUT
        return YES if self.ratings.status == "unique" else NO
