"""The rules that a request names: rules of the whole board, families of clues, irregular regions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, Problem, UnknownName, of_option, placed, require_type
from sudoku_cp.name_table import NameTable
from sudoku_cp.rules import RULES, Rule, rule_from_json
from sudoku_cp.rules.base import kind_names, names_elsewhere, needed_fields, parse_kind

if TYPE_CHECKING:
    from sudoku_cp.formats import Record
    from sudoku_cp.grid import Grid


Ruled: TypeAlias = str | Rule | Iterable[str | Mapping[str, Any] | Rule]
"""Names separated by commas, or JSON; or a rule; or names, rules as JSON, and rules."""

_SEPARATORS = re.compile(r"[;|+&/]|\band\b")
JIGSAW = "jigsaw"
"""The name that asks for irregular regions."""
SHAPES = frozenset({JIGSAW, "irregular", "nonomino"})
"""Names of boards with irregular regions, which are no rules."""


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
    import json  # noqa: PLC0415  # few calls need it, and the reader of JSON

    from sudoku_cp.formats.project_json import unique_fields  # noqa: PLC0415

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
        if kind in RULES and (needed := listed_with_and(needed_fields(kind))):
            raise InvalidInput(f"expected a rule of the whole board, or one as JSON, got {data!r}, which needs its {needed}")
    return rule_from_json(data, grid)


def listed_with_and(names: Sequence[str]) -> str:
    """Return names in a sentence: ``cells and total``."""
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + [*names[-1:]])


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


# Rules that are added to puzzles where they are read: names of rules of the whole board, or rules as JSON.


def parse_added_rules(rules: str | Iterable[Any]) -> tuple[Any, ...]:
    """Return rules, a text of names or of JSON, or several of which each is a text or JSON's object, as data of known kinds.

    Raises `InvalidInput` with problems of the option ``rules``.
    """
    if isinstance(rules, str):
        try:
            return _parse_text(rules)
        except InvalidInput as error:
            raise InvalidInput(of_option(problem, "rules") for problem in error.problems) from error
    found: list[Any] = []
    problems: list[str] = []
    for index, rule in enumerate(rules):
        try:
            found += _parse_text(rule) if isinstance(rule, str) else [rule]
        except InvalidInput as error:
            problems += [placed(of_option(problem, "rules"), index) for problem in error.problems]
    if problems:
        raise InvalidInput(problems)
    return tuple(found)


def _parse_text(text: str) -> tuple[Any, ...]:
    if not text.strip():
        return ()
    if not text.lstrip().startswith(("[", "{")):
        rules: list[Any] = rules_by_name(name for name in text.split(",") if name.strip())
    else:
        rules = _parse_json(text)
    for rule in rules:
        parse_kind(require_type("a kind of rule", str, rule.get("kind") if isinstance(rule, dict) else rule))
    return tuple(rules)


def with_added_rules(record: Record, rules: tuple[Any, ...]) -> Record:
    """Add rules to a record's puzzle; where they do not fit it, that is the record's error, of the option ``rules``."""
    if record.puzzle is None:
        return record
    added: list[Rule] = []
    problems: list[OptionProblem] = []
    for index, rule in enumerate(rules):
        try:
            added.append(rule_from_json(rule, record.puzzle.grid))
        except InvalidInput as error:
            problems += [of_option(placed(problem, index), "rules") for problem in error.problems]
    own = record.puzzle.rules
    if not problems:
        try:
            return replace(record, puzzle=replace(record.puzzle, rules=(*own, *added)))
        except InvalidInput as error:
            problems += [of_option(_among_added(problem, len(own)), "rules") for problem in error.problems]
    return replace(record, puzzle=None, error=ParseError(problems, line=record.line if record.line > 1 else None))


def _among_added(problem: str, own: int) -> str:
    """Return a problem of a puzzle with the index that its rule has among those added."""
    if isinstance(problem, Problem) and problem.path[:1] == ("rules",):
        return Problem(problem, (int(problem.path[1]) - own, *problem.path[2:]), problem.cell)
    return problem


# The names that the option ``rules`` takes where puzzles are read, with a helpful error for those of `generate` alone.


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
    if word in SHAPES:
        raise InvalidInput(OptionProblem(_shape_words(word), "rules"))
    kind = find_kind(word)
    if kind is None:
        raise unknown_rule(name.strip())
    if kind in RULES and not needed_fields(kind):
        return {"kind": kind}
    hint = _family_words(word) if family_of(word) else ""
    refused = f"expected a rule of the whole board, or one as JSON, got {word!r}"
    if kind not in RULES:
        raise InvalidInput(OptionProblem(f"{refused}, a family of clues: {hint}", "rules"))
    article = "an" if kind[0] in "aeiou" else "a"
    needed = f"{article} {kind} needs its {listed_with_and(needed_fields(kind))} ('sudoku-cp rules {kind}' shows one)"
    raise InvalidInput(OptionProblem(f"{refused}: {needed}" + (f"; {hint}" if hint else ""), "rules"))


def parse_rule_kind(name: str) -> str:
    """Return the kind of rule that a name means, or raise `InvalidInput`."""
    word = name.strip().lower()
    if word in SHAPES:
        raise InvalidInput(OptionProblem(_shape_words(word)))
    kind = find_kind(word)
    if kind is None:
        raise unknown_rule(name)
    if kind not in RULES:
        words = f"expected a rule, got {name!r}, a family of clues of several kinds, or with a number of its own"
        raise InvalidInput(OptionProblem(f"{words}: {_family_words(word)}"))
    return kind


def _shape_words(word: str) -> str:
    """Return that a word is no rule but a shape of the regions, and how to have it."""
    shape = f"expected rules, got {word!r}, which is a shape of the regions: read a format that gives them"
    return f"{shape}; generate with `rules` {JIGSAW} makes such boards"


def _family_words(word: str) -> str:
    """Return how to have clues of a family."""
    return f"generate with `rules` {word.replace(' ', '-')} makes puzzles with such clues"
