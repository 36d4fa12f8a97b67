"""What a new rule needs besides its class; each test that fails says the next step in words.

The class alone brings JSON, help, drawing and the tests of this folder: they iterate over the registry.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path

import sudoku_cp
from sudoku_cp.grid import Cell
from sudoku_cp.proof.checker import all_different_rules, certified_rules, rule_meanings, rule_statements
from sudoku_cp.rules import RULES, Rule
from sudoku_cp.rules.base import FieldType
from tests.rules.rule_exports import exports

ROOT = Path(sudoku_cp.__file__).parents[1]
CHECKER = "sudoku_cp/proof/checker"
CHECKER_TYPES = {
    FieldType(Cell): "cell",
    FieldType(Cell, 1): "cells",
    FieldType(Cell, 2): "groups",
    FieldType(int): "number",
    FieldType(int, 1): "numbers",
    FieldType(int, 2): "pairs",
    FieldType(bool): "flag",
    FieldType(str): "text",
    FieldType(Rule, 1): "json_array",
}
"""What the checker calls the types of fields."""


def _checker_line(rule: type[Rule]) -> str:
    """Return the line for the checker's table of fields."""
    entries = []
    for field in fields(rule):
        field_type = rule.field_types[field.name]
        read = CHECKER_TYPES.get(field_type._replace(optional=False), "a new type")
        read = f"or_null({read})" if field_type.optional else read
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        entries.append(f'"{field.name}": {read if field.default is MISSING else f"OptionalField({read}, {default!r})"}')
    return f'"{rule.kind}": {{{", ".join(entries)}}},'


def test_it_is_exported() -> None:
    """What `sudoku_cp.rules` exports, and where it finds each kind, is written from the classes."""
    stale = [str(path.relative_to(ROOT)) for path, text in exports().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"run `make docs-rules`: a rule was added, renamed or moved, and {' and '.join(stale)} do not know it"


def test_the_checker_knows_its_fields(kind: str) -> None:
    """The independent checker of certificates imports nothing of ours, so it has a table of its own."""
    line = _checker_line(RULES[kind])
    assert kind in certified_rules.FIELDS, f"write into FIELDS in {CHECKER}/rule_fields.py:\n    {line}"


def test_the_checker_knows_its_meaning(kind: str) -> None:
    """The checker says what a rule means, or that it takes it on trust."""
    known = rule_meanings.MEANINGS.keys() | all_different_rules.ALL_DIFFERENT_RULES.keys() | rule_statements.JOINED.keys()
    assert kind in known | rule_meanings.UNEXPLAINED, (
        f"say what {kind!r} means in {CHECKER}, in the file that suits it: an entry of MEANINGS (see meanings_of_lines.py), or "
        f"of ALL_DIFFERENT_RULES (all_different_rules.py) if it only says that cells differ; or write the kind into UNEXPLAINED "
        f"in {CHECKER}/rule_meanings.py: then certificates that need it can only be taken on trust"
    )


def test_the_gallery_shows_it(kind: str) -> None:
    """docs/rules.md has a picture and an example of each rule; tests/cli/test_pictures.py compares every word."""
    shown = (ROOT / f"docs/rules/{kind}.svg").exists() and f"### {kind}\n" in (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert shown, f"run `make docs-rules`: docs/rules.md does not show {kind!r}"
