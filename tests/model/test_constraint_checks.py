"""What a rule of another package lowers to is checked: every field of every constraint."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, get_args

import numpy as np
import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Partition,
    Table,
)
from sudoku_cp.rules import AllOf, Houses, Rule
from sudoku_cp.rules.base import RULES

SOUND = {
    AllDifferent: AllDifferent((0, 1)),
    DigitSet: DigitSet((0, 1), frozenset({0b110, 0b1010})),
    Linear: Linear(((0, 1), (1, -2)), "<=", 8),
    Table: Table((0, 1), frozenset({(1, 2), (2, 1)})),
    Automaton: Automaton((0, 1), 0, frozenset({(0, 1, 1), (1, 2, 2)}), frozenset({2})),
    Clause: Clause((Literal(0, 1), Literal(1, 2, equal=False))),
    Count: Count((0, 1), frozenset({1, 2}), "==", 1),
    Connected: Connected((0, 1), frozenset({1, 2}), ((1,), (0,)), 1),
    Partition: Partition((0, 1), (9, 10), ((1,), (0,)), 1, 1),
}
LITERALS = [(Literal("r1c1", 1),), (Literal(0, "1"),), (Literal(0, 1, "no"),), (Literal(81, 1),)]
WRONG: dict[tuple[type, str], list[Any]] = {
    (AllDifferent, "cells"): [7, (0, "r1c2"), (0, 81), (0.0, 1), None],
    (DigitSet, "cells"): ["01", (0, 99)],
    (DigitSet, "sets"): [{(1, 2)}, frozenset({1, 2}), frozenset({-3}), 6],
    (Linear, "terms"): [(0, 1), ((0, 1, 2),), ((0, 0.5),), ((100, 1),)],
    (Linear, "relation"): ["=", "<", ">", "eq", None, 0],
    (Linear, "total"): ["8", 8.5, None],
    (Table, "cells"): [((0, 1),), (0, 81)],
    (Table, "tuples"): [frozenset({(1, 2, 3)}), frozenset({(1, "2")}), frozenset({12})],
    (Automaton, "cells"): [None, (0, 500)],
    (Automaton, "start"): ["start", None],
    (Automaton, "edges"): [frozenset({(0, 1)}), frozenset({(0, "1", 1)}), 5],
    (Automaton, "accepting"): [2, frozenset({"end"})],
    (Clause, "literals"): [
        (1, 2),
        ((0, 1),),
        (Literal("r1c1", 1),),
        (Literal(0, "1"),),
        (Literal(0, 1, "no"),),
        (Literal(81, 1),),
    ],
    (Count, "cells"): [0, (None,), (81,)],
    (Count, "values"): [1, frozenset({"1"})],
    (Count, "relation"): ["=", "<", "at least", True],
    (Count, "number"): ["1", 1.5],
    (Connected, "cells"): [("a", "b"), (0, 81)],
    (Connected, "values"): [3, frozenset({None})],
    (Connected, "beside"): [((1,),), ((1,), (2,)), (1, 0), ((1,), (-1,))],
    (Connected, "steps"): ["1", -1],
    (Partition, "cells"): [("a", "b"), (0, 81)],
    (Partition, "labels"): [(9,), (9, 81), "ab"],
    (Partition, "beside"): [((1,),), ((1,), (2,))],
    (Partition, "size"): [0, 3, "1"],
    (Partition, "first"): ["1", None],
}
CASES = [(kind, field, value) for (kind, field), values in WRONG.items() for value in values]


@pytest.fixture
def rule_of(monkeypatch):
    """Return a function that makes a rule, of another package, which lowers to what it is given."""
    monkeypatch.setattr(RULES, "defined", {**RULES.defined})

    def made(stated: Any) -> Rule:
        @dataclass(frozen=True)
        class Stated(Rule):
            """States a constraint."""

            kind: ClassVar[str] = f"stated-{len(RULES.defined)}"
            elsewhere: ClassVar = MappingProxyType({})

            def lower(self, grid):
                return stated

            def holds(self, grid, values):
                return True

        return Stated()

    return made


def test_every_field_of_every_constraint_has_a_wrong_value_here() -> None:
    """A new field, or a tenth constraint, asks for its line above."""
    assert {(kind, field.name) for kind in get_args(Constraint) for field in fields(kind)} == set(WRONG)


@pytest.mark.parametrize(("kind", "field", "value"), CASES)
def test_a_field_that_cannot_be_meant_is_refused(rule_of, kind: type, field: str, value: Any) -> None:
    """The error names the rule, its part, the constraint and the value; no engine sees it."""
    rule = rule_of([("here", replace(SOUND[kind], **{field: value}))])
    for rules in ((rule,), (AllOf((rule,)),)):
        with pytest.raises(InvalidInput, match=rf"^stated-\d+, here: {kind.__name__}[,:]"):
            solve(Puzzle(rules=(Houses(), *rules)))


@pytest.mark.parametrize("kind", SOUND)
def test_sound_constraints_pass_as_they_are(rule_of, kind: type) -> None:
    """Every kind is solved; lists and the numbers of NumPy are taken as the tuples and numbers that they stand for."""
    assert solve(Puzzle(rules=(Houses(), rule_of([("here", SOUND[kind])]))), solution_limit=1).solution
    if "cells" in {field.name for field in fields(kind)}:
        loose = replace(SOUND[kind], cells=list(np.arange(2)))
        puzzle = Puzzle(rules=(Houses(), rule_of([("here", loose)])))
        assert SOUND[kind] in puzzle.model().constraints


@pytest.mark.parametrize(
    "stated", [None, 5, [AllDifferent((0, 1))], [("here",)], [(1, AllDifferent((0,)))], [("here", "x != y")]]
)
def test_what_is_no_pair_of_part_and_constraint_is_refused(rule_of, stated: Any) -> None:
    """What `lower` must yield is said where it yields something else."""
    with pytest.raises(InvalidInput, match=r"^stated-\d+.*: expected .*, got "):
        Puzzle(rules=(Houses(), rule_of(stated))).model()
