"""The exit codes: what an answer, or the want of one, means to a script.

0 done, the answer is yes; 1 done, the answer is no; 2 bad usage, bad input, or an output that cannot be written; 3 a limit
came before the answer; 4 an engine failed, which is a defect; 130 interrupted. With many puzzles the worst wins: 4, then 2,
then 3, then 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import WrongAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable

YES, NO, BAD_INPUT, RAN_OUT, ENGINE_ERRED, INTERRUPTED = 0, 1, 2, 3, WrongAnswer.exit_code, 130
_BETTER_TO_WORSE = (YES, NO, RAN_OUT, BAD_INPUT, ENGINE_ERRED)


def worst(codes: Iterable[int]) -> int:
    """Return the exit code that stands for all of them."""
    return max(codes, key=_BETTER_TO_WORSE.index, default=YES)
