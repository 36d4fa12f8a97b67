"""The rules that a request names: rules of the whole board, families of clues, irregular regions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput, UnknownName, placed
from sudoku_cp.formats.project_json import unique_fields
from sudoku_cp.name_table import NameTable
from sudoku_cp.rules import RULES, rule_from_json
from sudoku_cp.rules.base import Rule, kind_names, names_elsewhere, needed_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Grid

Ruled: TypeAlias = str | Rule | Iterable[str | Mapping[str, Any] | Rule]
"""Names separated by commas, or JSON; or a rule; or names, rules as JSON, and rules."""

_SEPARATORS = re.compile(r"[;|+&/]|\band\b")
JIGSAW = "jigsaw"
"""The name that asks for irregular regions."""


@dataclass(frozen=True)
class RequestedRules:
    """What rule names mean: ``rules`` of every puzzle, ``families`` of clues, irregular regions (``jigsaw``)."""

    rules: tuple[Rule, ...] = ()
    families: tuple[str, ...] = ()
    jigsaw: bool = False


def parse_requested_rules(names: Ruled, grid: Grid) -> RequestedRules:
    """Return the rules that are requested; raise `InvalidInput` with every name and rule that is unknown or invalid."""
    problems: list[str] = []
    rules: list[Rule] = []
    families: list[str] = []
    items = [names] if isinstance(names, Rule) else list(_items(names))
    for index, item in enumerate(items):
        if isinstance(item, Rule):
            rules.append(item)
        elif isinstance(item, str) and (family := family_of(item)):
            families.append(family)
        elif item != JIGSAW:
            try:
                rules.append(_parse_rule(item, grid))
            except InvalidInput as error:
                problems += error.problems if isinstance(names, str) else [placed(one, index) for one in error.problems]
    if problems:
        raise InvalidInput(dict.fromkeys(problems))
    return RequestedRules(tuple(rules), tuple(dict.fromkeys(families)), JIGSAW in items)


def _items(names: str | Iterable[Any]) -> Iterator[Any]:
    if not isinstance(names, str):
        yield from [names] if isinstance(names, Mapping) else names
    elif names.lstrip().startswith(("[", "{")):
        yield from _parse_json(names)
    else:
        yield from (name.strip().lower() for name in names.split(",") if name.strip())


def _parse_json(text: str) -> list[Any]:
    try:
        data = json.loads(text, object_pairs_hook=unique_fields)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"expected rules as JSON, got an error at column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise InvalidInput("expected rules as JSON, got brackets nested too deeply") from error
    return data if isinstance(data, list) else [data]


def _parse_rule(data: Any, grid: Grid) -> Rule:
    if isinstance(data, str):
        kind = find_kind(data)
        if kind is None:
            raise unknown_rule(data, JIGSAW)
        if kind in RULES and (needed := ", ".join(needed_fields(kind))):
            raise InvalidInput(f"expected a rule of the whole board, or one as JSON, got {data!r}, which needs its {needed}")
    return rule_from_json(data, grid)


def whole_board_rules() -> list[str]:
    """Return the kinds of rules that a name alone describes."""
    return [kind for kind in RULES if not needed_fields(kind)]


def family_of(word: str) -> str | None:
    """Return the name of the family of clues that a word asks for, None for any other word."""
    from sudoku_cp.generate.variants.families import family_names  # noqa: PLC0415  # plain boards need none of them

    family = family_names().find(word) or (family_names().find(kind) if (kind := kind_names().find(word)) else None)
    return None if family is None else family.name


def find_kind(word: str) -> str | None:
    """Return the kind of rule or family of clues that a name means, in any spelling, here or elsewhere; else None."""
    return word if word in RULES else family_of(word) or kind_names().find(word)


def unknown_rule(name: str, *further: str) -> InvalidInput:
    """Return the error for a name that is no rule's or family's; it suggests the nearest ones, ``further`` names among them.

    Of several names with another sign than a comma between them, it says how to separate them.
    """
    parts = [part.strip() for part in _SEPARATORS.split(name) if part.strip()]
    if len(parts) > 1 and all(part in further or find_kind(part.lower()) for part in parts):
        return InvalidInput(f"expected a comma between the names of rules, got {name!r:.80}: write {','.join(parts)}")
    from sudoku_cp.generate.variants.families import FAMILIES  # noqa: PLC0415  # as above

    families = [(title, family.words) for title, family in FAMILIES.items()]
    table = NameTable(
        "rule", [(title, names, title) for title, names in (*names_elsewhere(), *families, *((one, ()) for one in further))]
    )
    return UnknownName("rule", name, [*RULES, *FAMILIES, *further], table.nearest(name))
