"""A model is built from lowered rules: each rule has its own auxiliaries, and no constraint occurs twice."""

from __future__ import annotations

import pytest

from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Count,
    DigitSet,
    Linear,
    Literal,
    Model,
    Partition,
    Statement,
    Table,
    build_model,
    join_blocks,
    make_block,
)
from sudoku_cp.model.model import AUXILIARY


def test_auxiliaries_of_each_rule_come_behind_the_board() -> None:
    """-1 and -2 of one rule and -1 of the next are three different cells after the board, each 0 or 1."""
    one, other = Clause((Literal(0, 3), Literal(-1, 1))), Count((-2, 1), frozenset({1}), "==", 1)
    model = build_model([0b1000, 0b110], [("first", [("a", one), ("b", other)]), ("second", [("c", one)])])
    assert model.board == 2
    assert model.domains == (0b1000, 0b110, AUXILIARY, AUXILIARY, AUXILIARY)
    assert model.constraints == [
        Clause((Literal(0, 3), Literal(2, 1))),
        Count((3, 1), frozenset({1}), "==", 1),
        Clause((Literal(0, 3), Literal(4, 1))),
    ]


def test_auxiliaries_that_nobody_names_are_there_too() -> None:
    """A rule that names only -3 has three auxiliaries, and the next rule's follow them."""
    model = build_model([0b11], [("first", [("", Clause((Literal(-3, 1),)))]), ("second", [("", Clause((Literal(-1, 1),)))])])
    assert len(model.domains) == 5
    assert [constraint.literals[0].cell for constraint in model.constraints] == [3, 4]


def test_every_kind_of_constraint_is_renamed() -> None:
    """Auxiliaries may occur in each of the nine constraints."""
    own = [
        AllDifferent((0, -1)),
        DigitSet((-1, 0), frozenset({0b11})),
        Linear(((-1, 2), (0, 1)), "<=", 2),
        Table((0, -2), frozenset({(0, 1)})),
        Automaton((-1, -2), 0, frozenset({(0, 1, 0)}), frozenset({0})),
        Clause((Literal(-2, 0, equal=False),)),
        Count((-1, -2), frozenset({1}), ">=", 1),
        Connected((-2, 0, -1), frozenset({0}), ((1,), (0, 2), (1,)), 2),
        Partition((0, -1), (-2, 0), ((1,), (0,)), 1, 0),
    ]
    model = build_model([0b11], [("all", [("", one) for one in own])])
    assert len(model.domains) == 3
    filled = (0, 1, 1)
    mirrored = {0: 0, -1: 1, -2: 1}
    assert [one.holds(filled) for one in model.constraints] == [one.holds(mirrored) for one in own]  # type: ignore[arg-type]


def test_what_is_said_twice_is_kept_once() -> None:
    """A constraint that two rules state is the first one's; equal ones about each rule's own auxiliaries are two."""
    pair, own = AllDifferent((0, 1)), Clause((Literal(-1, 1), Literal(0, 1)))
    model = build_model([0b11, 0b11], [("first", [("a", pair), ("b", own)]), ("second", [("c", pair), ("d", own), ("e", own)])])
    assert [(statement.rule, statement.part) for statement in model.statements] == [
        ("first", "a"),
        ("first", "b"),
        ("second", "d"),
    ]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (DigitSet((), frozenset({0})), DigitSet((), frozenset())),
        (Linear((), "==", 0), Linear((), "==", 1)),
        (Table((), frozenset({()})), Table((), frozenset())),
        (Automaton((), 0, frozenset(), frozenset({0})), Automaton((), 0, frozenset(), frozenset())),
        (Count((), frozenset({1}), "<=", 0), Count((), frozenset({1}), ">=", 1)),
        (AllDifferent(()), Clause(())),
    ],
)
def test_a_constraint_without_cells_is_the_empty_clause_or_nothing(true: Table, false: Table) -> None:
    """A constraint without cells is dropped if it is true, and makes the model contradictory if not."""
    assert build_model([0b11], [("r", [("p", true)])]).statements == ()
    assert build_model([0b11], [("r", [("p", false)])]).statements == (Statement(Clause(()), "r", "p"),)


def test_a_block_serves_many_models() -> None:
    """A block made once is the same statements in each model, with auxiliaries after that model's other cells."""
    pair, own = AllDifferent((0, 1)), Clause((Literal(-1, 1), Literal(0, 1)))
    first, second = make_block("first", [("a", pair), ("b", own), ("c", own)]), make_block("second", [("d", pair), ("e", own)])
    assert (first.auxiliaries, len(first.statements)) == (1, 2)
    alone, both = join_blocks([0b11] * 2, [first]), join_blocks([0b11] * 2, [second, first])
    assert alone.statements[0] is first.statements[pair]
    assert alone.constraints == [pair, Clause((Literal(2, 1), Literal(0, 1)))]
    assert [statement[1:] for statement in both.statements] == [("second", "d"), ("second", "e"), ("first", "b")]
    assert both.constraints == [pair, Clause((Literal(2, 1), Literal(0, 1))), Clause((Literal(3, 1), Literal(0, 1)))]
    assert len(both.domains) == 4


def test_rules_are_read_once() -> None:
    """Rules and parts may be generators."""
    model = build_model((0b11 for _ in range(2)), ((name, ((part, AllDifferent((0, 1))) for part in "ab")) for name in "xy"))
    assert len(model.statements) == 1
    assert model.domains == (0b11, 0b11)


def test_a_model_holds_within_its_domains() -> None:
    """A filled model holds if every value is in its domain and every constraint holds."""
    model = build_model([0b110, 0b110], [("r", [("p", AllDifferent((0, 1)))])])
    assert model.holds((1, 2))
    assert not model.holds((1, 1))
    assert not model.holds((0, 1))
    assert model.is_houses
    assert not Model(model.domains, (*model.statements, Statement(Clause(()), "r", "q")), 2).is_houses


def test_models_are_compared_by_identity() -> None:
    """Two equal models are different keys, so that a table of open sessions need not read them."""
    assert build_model([0b11], []) != build_model([0b11], [])


@pytest.mark.parametrize(("part", "words"), [("row 1", "row 1 (houses)"), ("houses", "houses")])
def test_a_statement_is_told_by_its_part_and_rule(part: str, words: str) -> None:
    """A statement is shown as its part and rule, once if they are the same."""
    assert str(Statement(AllDifferent(()), "houses", part)) == words


def test_a_table_names_each_cell_once() -> None:
    """A table that names a cell twice keeps its consistent tuples, with each cell once."""
    table = Table((0, 1, 0), frozenset({(1, 2, 1), (1, 2, 2), (2, 1, 2)}))
    model = build_model([0b110] * 2, [("test", [("part", table)])])
    assert model.constraints == [Table((0, 1), frozenset({(1, 2), (2, 1)}))]
    rising = Table((0, 0), frozenset({(1, 2)}))
    assert build_model([0b110], [("test", [("part", rising)])]).constraints == [Table((0,), frozenset())]
