"""The question ``candidates``: which values of which cells occur in some solution?"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp import queries
from sudoku_cp.model import Domain, members
from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json
from sudoku_cp.questions.answer import (
    ABSENT,
    NO,
    RAN_OUT,
    YES,
    PuzzleJson,
    QuestionAnswer,
    Solution,
    Status,
    answer_field,
    unknown_fields,
)
from sudoku_cp.questions.question import KILLER, Fields, Run, Solving, option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import TrueCandidates

PAUSE = 0.1
"""Seconds between two partial answers."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CandidatesQuestion(Solving):
    """Find the true candidates: every value of every cell that occurs in some solution.

    With `cap` 10, also in how many solutions each occurs, up to 10. The exit code is 1 if there is no solution, 3 if a limit
    came first: what was found until then is printed, as it is after Ctrl-C.
    """

    name = "candidates"
    is_series = True
    example: ClassVar[Fields] = {"puzzle": KILLER, "cap": 8}

    cap: int = option("Count the solutions of each candidate up to this number.", 1, ge=1, le=1_000_000, metavar="NUMBER")

    def answer(self, subject: Puzzle, run: Run) -> CandidatesAnswer:
        """Find them; what is known so far is reported while they grow. Earlier questions of a series are gone on from."""
        earlier: list[TrueCandidates] = [pickle.loads(learnt) for learnt in run.earlier]  # noqa: S301  # written below
        known = next((one for one in earlier if one.covers(subject)), None)
        true = None
        for true in queries.true_candidate_stream(
            subject,
            cap=self.cap,
            backend=self.backend,
            limits=run.limits,
            known=known,
            pause=PAUSE,
            expected_count=run.expected_count,
        ):
            if not true.complete and true.reason in {None, "cancelled"}:
                run.report(len(true.solutions), CandidatesAnswer.of(true, partial=True))
        assert true is not None  # noqa: S101  # the last answer always comes
        if true.calls:
            run.learn(pickle.dumps(true))
        return CandidatesAnswer.of(true)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> CandidatesAnswer:
        """Return that no candidate has been found, or refuted, yet."""
        nothing: dict[str, Any] = {name: {} for name in ("candidates", "forced", "impossible", "undecided")}
        fields = unknown_fields(body) | nothing | {"complete": False, "calls": 0}
        del fields["counters"]
        return CandidatesAnswer(**fields)


@dataclass(frozen=True, eq=False, kw_only=True)
class CandidatesAnswer(QuestionAnswer):
    """The answer of ``candidates``; a ``partial`` one is an item on the way."""

    puzzle: PuzzleJson = answer_field()
    status: Status = answer_field()
    solutions: list[Solution] = answer_field()
    count: int = answer_field(ge=0)
    exact: bool = answer_field()
    candidates: dict[str, list[int]] = answer_field("The values of each cell that occur in some solution.")
    cap: int = answer_field("", ABSENT)
    counts: dict[str, dict[str, int]] = answer_field("In how many solutions each occurs, up to 'cap'.", ABSENT)
    forced: dict[str, int] = answer_field("The cells that have the same value in all solutions.")
    impossible: dict[str, list[int]] = answer_field()
    undecided: dict[str, list[int]] = answer_field()
    complete: bool = answer_field()
    backend: str = answer_field()
    calls: int = answer_field(ge=0)
    seconds: float = answer_field()
    partial: bool = answer_field("", False)

    @property
    def true(self) -> TrueCandidates:
        """What the library has found."""
        found: TrueCandidates = self.found
        return found

    @classmethod
    def of(cls, true: TrueCandidates, *, partial: bool = False) -> CandidatesAnswer:
        """Return the fields of an answer on true candidates."""
        puzzle = true.puzzle
        counts: dict[str, Any] = {"cap": true.cap, "counts": _counts_to_json(true)} if true.cap > 1 else {}
        allowed = puzzle.assume()
        excluded = [domain & allowed.get(cell, -1) for cell, domain in enumerate(true.impossible)]
        return cls(
            puzzle=puzzle_to_short_json(puzzle),
            status=true.status,
            solutions=[solution_to_short_json(puzzle, solution) for solution in true.solutions[:2]],
            count=len(true.solutions),
            exact=true.complete and true.status in {"unique", "none"},
            candidates=_domains_to_json(puzzle, true.possible),
            **counts,
            forced={puzzle.grid.cell_name(cell): value for cell, value in true.forced.items()},
            impossible=_domains_to_json(puzzle, excluded),
            undecided=_domains_to_json(puzzle, true.undecided),
            complete=true.complete,
            backend=true.backend,
            calls=true.calls,
            seconds=round(true.seconds, 6),
            reason=true.reason,
            partial=partial,
            found=true,
        )

    @property
    def exit_code(self) -> int:
        """Yes for a puzzle that has a solution."""
        return RAN_OUT if self.reason else NO if self.status == "none" else YES


def _domains_to_json(puzzle: Puzzle, sets: Sequence[Domain]) -> dict[str, list[int]]:
    """Return the values of each cell that has any, as integers, whatever symbols they are written with."""
    return {puzzle.grid.cell_name(cell): list(members(domain)) for cell, domain in enumerate(sets) if domain}


def _counts_to_json(found: TrueCandidates) -> dict[str, dict[str, int]]:
    return {
        found.puzzle.grid.cell_name(cell): {str(value): counts[value] for value in sorted(counts)}
        for cell, counts in enumerate(found.counts)
        if counts
    }
