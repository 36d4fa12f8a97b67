"""True candidates in a series of questions: what earlier ones found is not looked for again, whichever worker answered them."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from sudoku_cp.queries import TrueCandidates, true_candidates

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.service.pool.tasks import Control


def candidates_in_series(puzzle: Puzzle, control: Control, **options: Any) -> TrueCandidates:
    """Return the answer of `true_candidates` with its ``options``, which begins with the newest earlier answer that helps."""
    earlier = (pickle.loads(learnt) for learnt in control.known)  # noqa: S301  # written below, by a worker of this service
    known: TrueCandidates | None = next((answer for answer in earlier if answer.covers(puzzle)), None)
    found = true_candidates(puzzle, known=known, **options)
    if found.calls:
        control.learnt = pickle.dumps(found)
    return found
