"""The verbs: those of questions are made from their declarations; the others are functions, most in a module of that name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import cleandoc

from sudoku_cp.questions.question import NAMES, question_named

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


QUESTION_OF = {"show": "picture"}
"""The questions of verbs that have another name."""
LISTINGS = ("rules", "formats", "backends")
"""The verbs that `listings` holds."""
MADE = ("count",)
"""Verbs that are wholly made from the declaration of their question; others draw, or write files."""


def verb_function(verb: str) -> Callable[..., int]:
    """Import a verb and return its function, which returns the exit code; the docstring is its help."""
    if verb in MADE:
        from sudoku_cp.cli.question_verbs import verb_of  # noqa: PLC0415  # other verbs need it not yet

        return verb_of(question_named(verb))
    module = "listings" if verb in LISTINGS else verb
    function: Callable[..., int] = getattr(import_module(f"{__name__}.{module}"), verb)
    return function


def verb_help(verb: str) -> str:
    """Return what a verb does: what its question says, then what else the verb says after its first paragraph."""
    words, question = verb_function(verb).__doc__ or "", QUESTION_OF.get(verb, verb)
    if question not in NAMES or verb in MADE:
        return cleandoc(words)
    from sudoku_cp.cli.typed_options import spell_typed  # noqa: PLC0415  # as above

    further = cleandoc(words).partition("\n\n")[2]
    return "\n\n".join([spell_typed(cleandoc(question_named(question).__doc__ or "")), *([further] if further else [])])
