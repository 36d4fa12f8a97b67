"""Rules that cannot hold, stated by the empty clause: they are verified, and no rule that can hold is accepted as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp.errors import InvalidInput, NotProved
from sudoku_cp.grid import Grid
from sudoku_cp.proof import prove
from sudoku_cp.proof.checker import check, meaning_comparison
from sudoku_cp.proof.checker.rule_meanings import MEANINGS
from sudoku_cp.puzzle import Puzzle, from_json, to_json
from sudoku_cp.rules import RULES
from tests.proof.conftest import FOUR, Folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JsonRule = dict[str, Any]

WITHOUT_CELLS: list[JsonRule] = [
    {"kind": "killer-cage", "cells": [], "total": 3},
    {"kind": "sum-cage", "cells": [], "total": 3},
    {"kind": "multi-sum-cage", "cells": [], "totals": [3]},
    {"kind": "digital-root-cage", "cells": [], "root": 3},
    {"kind": "contains-exactly", "cells": [], "digits": [3]},
    {"kind": "look-and-say", "cells": [], "clue": [[1, 3]]},
    {"kind": "x-sum", "cells": [], "total": 3},
    {"kind": "sandwich", "cells": [], "total": 3},
    {"kind": "numbered-room", "cells": [], "value": 3},
    {"kind": "skyscraper", "cells": [], "visible": 3},
]
NO_CELL_MATTERS: list[JsonRule] = [
    {"kind": "sum-cage", "cells": ["r1c1"], "total": 5, "factors": [0]},
    {"kind": "counting-circles", "cells": ["r1c1", "r1c2", "r2c1", "r2c2", "r3c3"]},
]
NONE_OR_NOTHING: JsonRule = {"kind": "sum-cage", "cells": [], "total": 0}
NEVER = WITHOUT_CELLS[1]


def folder(*rules: JsonRule) -> Folder:
    """Return the certificate that a puzzle of these rules has no solution."""
    certificate = prove(from_json({"grid": FOUR, "rules": ["houses", *rules]}))
    assert certificate.claim == "none"
    return Folder(certificate.files())


def with_rules(made: Folder, *rules: JsonRule) -> Folder:
    """Return the same certificate with other rules in its puzzle."""
    made.put("puzzle.json", made.json("puzzle.json") | {"rules": ["houses", *rules]})
    return made


@pytest.mark.parametrize("rule", [*WITHOUT_CELLS, *NO_CELL_MATTERS], ids=lambda rule: f"{rule['kind']} of {rule['cells']}")
def test_a_rule_that_cannot_hold_is_verified(rule: JsonRule, tmp_path: Path) -> None:
    """It concerns no cell, so the empty clause is in a block without cells, and is the meaning of the rule."""
    report = check(folder(rule).write(tmp_path))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


@pytest.mark.parametrize(
    "others", [[NEVER], [WITHOUT_CELLS[0]], [NONE_OR_NOTHING], [{"kind": "thermometer", "cells": ["r1c1", "r1c2"]}]]
)
def test_other_rules_beside_it_are_compared_as_ever(others: list[JsonRule], tmp_path: Path) -> None:
    """Also with a rule that means the same, so that the clause occurs only once for both."""
    report = check(folder(NEVER, *others).write(tmp_path))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


def emptied(kind: str) -> Iterator[JsonRule]:
    """Yield the example of a rule with each of its lists in turn emptied, and with its first item twice."""
    grid = Grid.square(6)
    rule = to_json(Puzzle(grid, (RULES[kind].example(grid),)))["rules"][0]
    for name, value in rule.items() if isinstance(rule, dict) else ():
        if isinstance(value, list) and value:
            yield rule | {name: []}
            yield rule | {name: [value[0], *value]}


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(RULES) & MEANINGS.keys()))
def test_whatever_is_left_of_a_rule_its_certificate_of_none_is_verified(kind: str, tmp_path: Path) -> None:
    """Rules without cells, or with the same cell twice, mean the same to the library and the checker."""
    for number, rule in enumerate(emptied(kind)):
        try:
            certificate = prove(
                from_json({"grid": {"rows": 6, "columns": 6, "boxes": [2, 3]}, "rules": ["houses", rule]}), claim="none"
            )
        except (InvalidInput, NotProved):
            continue
        report = check(certificate.write(tmp_path / str(number)))
        assert (report.verdict, report.problems, report.trusted) == ("verified", (), ()), rule


# --- forged ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "holds",
    [
        NONE_OR_NOTHING,
        {"kind": "sum-cage", "cells": ["r1c1"], "total": 3},
        {"kind": "sum-cage", "cells": ["r1c1"], "total": 0, "factors": [0]},
        {"kind": "sum-cage", "cells": ["r1c1", "r1c2", "r2c1", "r2c2", "r3c3"], "total": 12},
    ],
)
@pytest.mark.parametrize("extra", [[], [NEVER]])
def test_the_empty_clause_of_a_rule_that_can_hold_is_rejected(holds: JsonRule, extra: list[JsonRule], tmp_path: Path) -> None:
    """Whatever cells the rule has, and also beside a rule that cannot hold."""
    forged = with_rules(folder(NEVER, *extra), holds, *extra)
    report = check(forged.write(tmp_path))
    assert report.verdict == "rejected"
    assert any("rule 1 (sum-cage)" in problem and "cannot hold, of a rule that can" in problem for problem in report.problems)


def never_added(label: JsonRule, lines: list[str]) -> list[str]:
    """Add the empty clause to the first other rule."""
    return [*lines, "1 0", "-1 0"] if label.get("rule") == 1 else lines


@pytest.mark.parametrize("named", [True, False])
def test_an_empty_clause_added_to_an_honest_rule_is_rejected(named: bool, tmp_path: Path) -> None:
    """Whether its label names the rule's cells or none, it is rejected, and a lemma that follows from it proves nothing."""
    forged = folder({"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 4}, NEVER)
    label = next(label for label, _ in forged.blocks() if label.get("rule") == 1)
    forged.put_blocks([*forged.blocks(), (label | ({} if named else {"cells": []}), ["1 0", "-1 0"])])
    assert check(forged.write(tmp_path)).verdict == "rejected"


def test_auxiliaries_that_contradict_each_other_are_an_empty_clause(tmp_path: Path) -> None:
    """Contradictory clauses over auxiliaries alone are rejected, however they are written."""
    forged = folder({"kind": "sum-cage", "cells": ["r1c1", "r2c3", "r3c2", "r4c4"], "total": 9}, NEVER)
    size = max(forged.map())
    label = next(label for label, _ in forged.blocks() if label.get("rule") == 1)
    forged.replace("formula.cnf", "c block", f"c var {size + 1} auxiliary {size - 63}\nc block")
    forged.put_blocks([*forged.blocks(), (label | {"cells": []}, [f"{size + 1} 0", f"-{size + 1} 0"])])
    report = check(forged.write(tmp_path))
    assert report.verdict == "rejected"
    assert "cannot hold, of a rule that can" in str(report.problems)


def test_an_empty_clause_that_follows_from_several_rules_is_rejected(tmp_path: Path) -> None:
    """Clauses may be labelled as following from several rules only if some rule has no known meaning."""
    forged = with_rules(folder(NEVER), {"kind": "sum-cage", "cells": [], "total": 0})
    forged.replace("formula.cnf", '"rule": 1, "kind"', '"rule": null, "kind"')
    assert check(forged.write(tmp_path)).verdict == "rejected"


def test_a_rule_that_cannot_hold_without_its_clause_is_rejected(tmp_path: Path) -> None:
    """It is rejected: its clauses allow what it forbids."""
    forged = folder(NEVER, {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 99})
    forged.change_blocks(lambda label, lines: [] if label.get("rule") == 1 else lines)
    # Another rule's clause, which names cells of its own, does not stand for it.
    report = check(forged.write(tmp_path))
    assert report.verdict == "rejected"
    assert any("allow any values, which the rule forbids" in problem for problem in report.problems)


def test_a_rule_too_large_to_see_whether_it_can_hold_is_unchecked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The empty clause of such a rule is accepted only with ``trust``."""
    forged = with_rules(
        folder(NEVER), {"kind": "sum-cage", "cells": [f"r{r}c{c}" for r in (1, 2, 3) for c in (1, 2, 3, 4)], "total": 12}
    )
    monkeypatch.setattr(meaning_comparison, "MAX_WORK", 50)
    report = check(forged.write(tmp_path))
    assert report.verdict == "unchecked"
    assert any("1 clauses taken on trust, as too much would have to be walked through" in one for one in report.trusted)
