"""The verbs: those of questions are made from their declarations; each other has a module with a function of its name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from sudoku_cp.questions.registry import NAMES, question_named

VERBS = (
    "solve",
    "count",
    "check",
    "candidates",
    "compare",
    "audit",
    "fewest",
    "bench",
    "hint",
    "steps",
    "explain",
    "rate",
    "generate",
    "prove",
    "verify",
    "convert",
    "show",
    "print",
    "rules",
    "formats",
    "backends",
    "doctor",
    "serve",
)
"""Every verb, in the order of ``--help``."""


def verb_function(verb: str) -> Callable[..., int]:
    """Import a verb and return its function, which returns the exit code."""
    if verb in NAMES:
        from sudoku_cp.cli.question_verbs import verb_of  # noqa: PLC0415  # other verbs need no questions

        return verb_of(question_named(verb))
    function: Callable[..., int] = getattr(import_module(f"{__name__}.{verb}"), verb)
    return function
