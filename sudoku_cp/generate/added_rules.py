"""Rules that are added to puzzles where they are read: names of rules of the whole board, or rules as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, Problem, of_option, placed, require_type
from sudoku_cp.formats.project_json import unique_fields
from sudoku_cp.rules import rule_from_json
from sudoku_cp.rules.base import parse_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.formats import Record
    from sudoku_cp.rules import Rule


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
        from sudoku_cp.generate.rule_names import rules_by_name  # noqa: PLC0415  # most calls name no rules

        rules: list[Any] = rules_by_name(name for name in text.split(",") if name.strip())
    else:
        rules = _rules_of_json(text)
    for rule in rules:
        parse_kind(require_type("a kind of rule", str, rule.get("kind") if isinstance(rule, dict) else rule))
    return tuple(rules)


def _rules_of_json(text: str) -> list[Any]:
    import json  # noqa: PLC0415  # 1 ms that few calls need

    try:
        data = json.loads(text, object_pairs_hook=unique_fields)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"expected JSON, got an error at column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise InvalidInput("expected JSON, got brackets within brackets without end") from error
    return data if isinstance(data, list) else [data]


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
