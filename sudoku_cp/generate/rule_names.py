"""The names that the option ``rules`` takes where puzzles are read, with a helpful error for those of `generate` alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.generate.requested_rules import JIGSAW, family_of, find_kind, unknown_rule
from sudoku_cp.rules import RULES
from sudoku_cp.rules.base import needed_fields


def rules_by_name(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return the rules of these names as JSON, or raise `InvalidInput` with every problem."""
    found: list[dict[str, Any]] = []
    problems: list[str] = []
    for name in names:
        try:
            found.append(rule_by_name(name))
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems)
    return found


def rule_by_name(name: str) -> dict[str, Any]:
    """Return a rule of the whole board as JSON by its name; refuse any other name with what it would need."""
    word = name.strip().lower()
    if word == JIGSAW:
        words = (
            "expected rules, got 'jigsaw', which is a shape of the regions: read a format that gives them;"
            " generate with `rules` jigsaw makes such boards"
        )
        raise InvalidInput(OptionProblem(words, "rules"))
    kind = find_kind(word)
    if kind is None:
        raise unknown_rule(name.strip())
    if kind in RULES and not needed_fields(kind):
        return {"kind": kind}
    hint = f"generate with `rules` {word} makes puzzles with such clues" if family_of(word) else ""
    refused = f"expected a rule of the whole board, or one as JSON, got {word!r}"
    if kind not in RULES:
        raise InvalidInput(OptionProblem(f"{refused}, a family of clues: {hint}", "rules"))
    article = "an" if kind[0] in "aeiou" else "a"
    needed = f"{article} {kind} needs its {', '.join(needed_fields(kind))} ('sudoku-cp rules {kind}' shows one)"
    raise InvalidInput(OptionProblem(f"{refused}: {needed}" + (f"; {hint}" if hint else ""), "rules"))


def parse_rule_kind(name: str) -> str:
    """Return the kind of rule that a name means, or raise `InvalidInput`."""
    kind = find_kind(name.strip().lower())
    if kind is None:
        raise unknown_rule(name)
    if kind not in RULES:
        raise InvalidInput(f"expected a rule, got {name!r}, a family of clues of several kinds, or with a number of its own")
    return kind
