"""The verbs, a module each: the module is named after the verb, and so is the function in it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

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
    function: Callable[..., int] = getattr(import_module(f"{__name__}.{verb}"), verb)
    return function
