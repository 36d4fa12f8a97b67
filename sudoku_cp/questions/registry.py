"""The questions by name; each is imported when somebody asks for it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sudoku_cp.errors import UnknownName

if TYPE_CHECKING:
    from sudoku_cp.questions.question import Question

NAMES = (
    "solve",
    "count",
    "check",
    "validate",
    "candidates",
    "rate",
    "hint",
    "steps",
    "explain",
    "trace",
    "prove",
    "verify",
    "compare",
    "audit",
    "generate",
    "fewest",
    "convert",
    "picture",
    "print",
)
"""Every question: the name of its file, whose class is called after it."""


def question_named(name: str) -> type[Question]:
    """Return the question of a name, or raise `UnknownName`."""
    if name not in NAMES:
        raise UnknownName("question", name, NAMES)
    found: type[Question] = getattr(import_module(f"sudoku_cp.questions.{name}"), f"{name.title()}Question")
    return found
