"""Patterns, automata and rules made of rules: what the tests of all rules cannot cover."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import backend
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent, Automaton, Clause, DigitSet, Table, build_model
from sudoku_cp.rules import (
    RULES,
    AllOf,
    AnyOf,
    Automata,
    ChaosConstruction,
    Difference,
    Houses,
    Inequality,
    KillerCage,
    Lunchbox,
    Odd,
    PairsInOrder,
    PairSum,
    RegularExpression,
    Repeated,
    Rule,
    SumCage,
    Thermometer,
    rule_from_json,
    rule_to_json,
)
from sudoku_cp.rules.custom import compile_regex, matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.model import Model

    Finding = Callable[[Rule, Grid], list[str]]

NINE = Grid.square(9)
VALUES = range(1, 4)

PATTERNS = st.recursive(
    st.sampled_from(["1", "2", "3", ".", "[12]", "[^1]", "[1-2]", "[^2-3]", "7", ""]),
    lambda inner: (
        st.lists(inner, max_size=3).map("".join)
        | st.lists(inner, min_size=1, max_size=3).map(lambda options: f"({'|'.join(options)})")
        | st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{0}"])).map(
            lambda two: "(?:{}){}".format(*two)
        )
    ),
    max_leaves=8,
)


@settings(max_examples=80)
@given(PATTERNS)
def test_a_pattern_means_what_it_means_elsewhere(pattern: str) -> None:
    """Matching, the compiled automaton and Python's own engine agree on every line of 0 to 4 values."""
    for length in range(5):
        machine = compile_regex(pattern, VALUES, length)
        after = {(state, value): end for state, value, end in machine.edges}
        assert len(after) == len(machine.edges)
        for line in product(VALUES, repeat=length):
            wanted = re.fullmatch(pattern, "".join(map(str, line))) is not None
            assert matches(pattern, VALUES, line) == wanted
            state: int | None = machine.start
            for value in line:
                state = None if state is None else after.get((state, value))
            assert (state in machine.accepting) == wanted


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("[]", "expected a value, got ']', sign 2 of '[]'"),
        ("(1", "expected ')', got 'the end', sign 3"),
        ("1)", "expected a value, '.', '[', '(' or the end, got ')', sign 2"),
        ("1**", "expected one sign of repetition, got '*', sign 3"),
        ("[3-1]", "expected a range that rises, not one from 3 to 1"),
        ("1{3,2}", "expected at least as many times as 3, not 2"),
        ("1{,2}", "expected a number of repetitions, got ','"),
        (r"\d", "expected a value such as '7' or 'A', got"),
        ("^1$", "expected a value such as '7' or 'A', got '^'"),
        ("(?=1)", "expected a value such as '7' or 'A', got '?'"),
        ("(" * 10_000, "expected a pattern of at most 1,000 signs, got 10,000"),
        ("(" * 900, "expected at most 50 groups inside one another"),
        ("((1{99}){99}){99}", "expected a pattern that expands to at most 1,000 values, got 970,299"),
        (".*1.{15}.*", "expected a pattern whose automaton has at most 4,096 states"),
    ],
)
def test_a_pattern_that_is_none_says_where(pattern: str, words: str, problems: Finding) -> None:
    """A pattern that is too large, or has signs that mean something elsewhere, is reported at once."""
    [problem] = problems(RegularExpression(tuple(range(40)), pattern), NINE)
    assert problem.startswith(f"regular-expression, pattern: {words}")


def test_a_malicious_pattern_takes_no_time() -> None:
    """A pattern on which backtracking engines take exponential time, thousands of years for this one, is decided at once."""
    rule = RegularExpression(tuple(range(81)), "((1|1)*)*2")
    assert not rule.holds(NINE, [1] * 81)
    assert rule.holds(NINE, [1] * 80 + [2])


def test_values_of_two_digits_are_letters() -> None:
    """A is 10, and a class may run from one kind of numeral into the other."""
    large = Grid.square(16)
    assert RegularExpression((0, 1), "A[9-B]").holds(large, [10, 11])
    assert not RegularExpression((0, 1), "A[9-B]").holds(large, [10, 12])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Automata((0,), (0,), ((0, 1),), (0,)), "automaton, edges: expected (state, value, next state), got [0, 1]"),
        (
            Automata((0,), (0,), tuple((n, 1, n + 1) for n in range(5000)), (0,)),
            "automaton: expected at most 4,096 states, got 5,001",
        ),
        (PairsInOrder((0, 1), ((1, 2, 3),)), "pairs-in-order, pairs: expected two values, got [1, 2, 3]"),
        (AnyOf(()), "any-of, rules: expected at least one rule, got none"),
        (AnyOf((KillerCage((0, 99)),)), "any-of, rules: killer-cage, cells: expected cells of a 9x9 grid"),
        (Repeated((Odd((0,)),), ((1,),)), "repeated, shifts: expected rows and columns, got [1]"),
    ],
)
def test_problems_are_told_in_words(rule: Rule, words: str, problems: Finding) -> None:
    """An impossible rule says why."""
    assert problems(rule, NINE)[0].startswith(words)


def test_rules_nest_to_a_sensible_depth(problems: Finding, model_of: Callable[..., Model]) -> None:
    """Eight joined rules inside one another lower and read; nine are a problem, and thousands in JSON are an error."""
    rule: Rule = Odd((0,))
    for depth in range(1, 9):
        rule = (AnyOf((rule, Odd((depth,)), Difference((depth, depth + 1)))), AllOf((rule,)))[depth % 2]
    assert problems(rule, NINE) == []
    assert model_of(NINE, rule).statements
    assert rule_from_json(json.loads(json.dumps(rule_to_json(rule, NINE))), NINE) == rule
    assert any(
        "expected at most 8 joined rules inside one another, got 9" in problem for problem in problems(AllOf((rule,)), NINE)
    )
    data: object = "houses"
    for _ in range(5000):
        data = {"kind": "all-of", "rules": [data]}
    with pytest.raises(InvalidInput, match="at most 100 lists and objects"):
        rule_from_json(data, NINE)


def test_alternatives_about_two_cells_are_one_table() -> None:
    """A choice between relations of the same two cells lowers to their union, which suits every engine best."""
    rule = AnyOf((PairSum((0, 1), 5), AllOf((Difference((1, 0)), Inequality((0, 1))))))
    [(_, table)] = rule.lower(Grid.square(4))
    assert table == Table((0, 1), frozenset({(1, 4), (2, 3), (3, 2), (4, 1), (2, 1), (4, 3)}))


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ((KillerCage((0, 5, 10), 6), KillerCage((10, 5, 0), 9)), DigitSet),
        (tuple(SumCage((0, 5, 10, 15), total) for total in (6, 9, 11)), Automaton),
        ((Thermometer((0, 5, 10)), Thermometer((10, 5, 0))), Automaton),
    ],
)
def test_alternatives_about_the_same_cells_are_one_constraint(rules: tuple[Rule, ...], told: type) -> None:
    """A choice between rules about the same cells lowers to one constraint that means the same."""
    grid, rule = Grid.square(4), AnyOf(rules)
    [(_, constraint)] = rule.lower(grid)
    assert isinstance(constraint, told)
    for values in product(grid.values, repeat=4):
        filled = [1] * 16
        for cell, value in zip((0, 5, 10, 15), values, strict=True):
            filled[cell] = value
        assert constraint.holds(filled) == rule.holds(grid, filled)


@pytest.mark.parametrize(
    "rules",
    [
        (KillerCage((0, 5, 10), 6), Lunchbox((0, 5, 10), 2)),
        (KillerCage((10, 15, 0, 5), 10), Lunchbox((0, 5, 10, 15), 2), Lunchbox((15, 5, 0, 10), 3)),
        (KillerCage((0, 5)), Lunchbox((0, 5), 0)),
        (KillerCage((0, 5, 10), 30), Lunchbox((0, 5, 10), 3)),
        (KillerCage((0, 5, 10), 30), Lunchbox((0, 5, 10), 30)),
        (Lunchbox((0, 5, 10), 2), SumCage((5, 10, 15), 6)),
    ],
)
def test_a_choice_of_rules_whose_cells_differ_means_any_of_them(rules: tuple[Rule, ...], model_of: Callable[..., Model]) -> None:
    """That the cells of cages and lunchboxes differ is stated once; with it, what is left allows what any rule allows."""
    grid, rule = Grid.square(4), AnyOf(rules)
    session = backend("native:readable").open(model_of(grid, rule))
    free = (0, 5, 10, 15)
    fillings = [
        tuple(dict(zip(free, values, strict=True)).get(cell, 1) for cell in grid.cells)
        for values in product(grid.values, repeat=len(free))
    ]
    assume = {cell: 0b11110 if cell in free else 0b10 for cell in grid.cells}
    assert sorted(session.solutions(assume)) == [filled for filled in fillings if rule.holds(grid, filled)]


@pytest.mark.parametrize("name", [kind for kind in sorted(RULES) if RULES[kind].lower_distinct is not Rule.lower_distinct])
def test_the_rest_of_a_rule_whose_cells_differ(name: str) -> None:
    """Of a rule whose cells differ in any case, that and the rest of it have the solutions of the rule itself."""
    grid = Grid.square(4)
    rule = RULES[name].example(grid)
    factored = rule.lower_distinct(grid)
    assert factored is not None
    cells, rest = factored
    assume = {cell: 0b11110 if cell in cells else 0b10 for cell in grid.cells}
    domains = [0b11110] * len(grid.cells)
    parts = ([("distinct", AllDifferent(cells)), *rest], rule.lower(grid))
    models = [build_model(domains, [(name, lowered)]) for lowered in parts]
    one, other = (sorted(backend("native:readable").open(model).solutions(assume)) for model in models)
    assert one == other != []


def test_a_choice_without_alternatives_is_the_rule() -> None:
    """A choice of which only one rule can hold lowers to what that rule lowers to; if none can, to a clause that cannot hold."""
    grid, box = Grid.square(4), Lunchbox((0, 5, 10, 15), 2)
    assert [*AnyOf((KillerCage((0, 5, 10, 15), 30), box)).lower(grid)] == [*box.lower(grid)]
    assert [constraint for _, constraint in AnyOf((KillerCage((0, 5), 30), KillerCage((3, 4), 1))).lower(grid)] == [Clause(())]


def test_a_copy_that_leaves_the_grid_is_left_out() -> None:
    """Of a rule in the last column, the copy to the right is left out, as a whole; the one below stays."""
    rule = Repeated((KillerCage((7, 8), 5),), ((0, 1), (1, 0)))
    assert rule.everywhere(NINE) == [KillerCage((7, 8), 5), KillerCage((16, 17), 5)]


def test_houses_that_are_to_be_found(model_of: Callable[..., Model]) -> None:
    """On a board without boxes, 6x6 grids are found that can be cut into regions, and one that cannot be is refused."""
    grid = Grid.rectangle(6, 6)
    rule = ChaosConstruction()
    session = backend("sat").open(model_of(grid, Houses(), rule))
    found = next(iter(session.solutions({cell: 1 << cell + 1 for cell in range(6)})))
    assert Houses().holds(grid, found)
    assert rule.holds(grid, found)
    cut_off = tuple(1 if cell in {1, 6} else value for cell, value in enumerate(found))  # the corner's region has 1 twice
    assert rule.holds(grid, cut_off) == bool(list(session.solutions({cell: 1 << value for cell, value in enumerate(cut_off)})))


def test_regions_are_not_looked_for_in_large_grids() -> None:
    """A grid whose formula would be millions of clauses is refused with a message, before the formula is built."""
    (problem,) = ChaosConstruction().problems(Grid.square(16))
    assert "expected at most 144 cells" in problem
    assert not [*ChaosConstruction().problems(Grid.square(12))]
