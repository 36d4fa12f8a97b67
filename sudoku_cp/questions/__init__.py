"""Questions, each declared once: what may be asked, how it is answered, and what the answer holds, in JSON and in words."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.questions.plain_call import ask
    from sudoku_cp.questions.question import Question, Run, question_named

__all__ = ["Question", "Run", "ask", "question_named"]

EXPORTS = {
    "plain_call": "ask",
    "question": "Question Run question_named",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
