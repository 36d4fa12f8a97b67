"""Strengthening keeps the solutions; each pass adds statements that are true."""

from __future__ import annotations

import gc
from itertools import product
from operator import eq, lt, ne
from random import Random
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import backend
from sudoku_cp.backends.conformance.checks import AUXILIARIES, MAKERS, Case, empty_board, random_cases, small_board
from sudoku_cp.grid import Grid
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Model,
    Partition,
    Statement,
    Table,
    build_model,
    different_board_cells,
    different_cells,
    members,
    pair_table,
    strengthen_model,
    to_mask,
)
from sudoku_cp.model.innies import MOST_CELLS, combined_sums, innies, sets_of_sum
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.model.rewrite import rewrite_model
from sudoku_cp.model.strengthen import covered_occurrences, implied_counts, region_facts, sum_differences
from sudoku_cp.rules import CountingCircles, Houses

GRID = tuple((row % 3 * 3 + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))
"""A solved 9x9."""
HOUSES = [(statement.part, statement.constraint) for statement in empty_board(9).statements]


def _nine(*constraints: Constraint) -> Model:
    return build_model(empty_board(9).domains, [("houses", HOUSES), ("r", [("p", one) for one in constraints])])


def _cage(cells: tuple[int, ...], total: int, values: int = 0b1111111110) -> DigitSet:
    return DigitSet(cells, sets_of_sum(values, len(cells), 1, "==", total))


def _cut(random: Random, side: int, grid: tuple[int, ...], most: int) -> list[DigitSet]:
    """Return cages with their totals in ``grid``, which cover it: parts of rows and of columns."""
    left = set(range(side * side))
    found = []
    values = to_mask(grid)
    while left:
        start = min(left)
        step = random.choice((1, side))
        cells = [start]
        while len(cells) < random.randint(1, most):
            after = cells[-1] + step
            if after not in left or (step == 1 and after % side == 0):
                break
            cells.append(after)
        left -= set(cells)
        found.append(_cage(tuple(cells), sum(grid[cell] for cell in cells), values))
    return found


# --- the whole --------------------------------------------------------------------------------------------------


def test_a_stronger_model_has_the_same_solutions() -> None:
    """Random models of every constraint have the solutions found by brute force, before and after."""
    each = (case for kind in MAKERS for case in random_cases((kind,), 2))
    for case in (*each, *random_cases(tuple(MAKERS), 4), *random_cases(tuple(MAKERS), 3, AUXILIARIES)):
        strong = strengthen_model(case.model)
        assert strong.board == case.model.board
        assert len(strong.domains) == len(case.model.domains)
        assert all(after & ~before == 0 for after, before in zip(strong.domains, case.model.domains, strict=True))
        assert Case.of(strong).solutions == case.solutions


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_a_stronger_board_has_the_same_solutions(seed: int) -> None:
    """On 4x4, cages and random constraints allow the same grids, of 288, before and after."""
    random = Random(seed)  # noqa: S311
    small = small_board()
    grid = random.choice(sorted(small.solutions))
    said: list[Constraint] = random.choice(([], _cut(random, 4, grid, 4)))
    said += [one for one in (MAKERS[random.choice(tuple(MAKERS))](random, range(16)) for _ in range(5)) if one.holds(grid)]
    said += [pair_table(*random.sample(range(16), 2), range(1, 5), random.choice((lt, ne))) for _ in range(2)]
    model = build_model(
        small.model.domains,
        [("houses", [("house", one) for one in small.model.constraints]), ("r", [("p", one) for one in said])],
    )
    strong = strengthen_model(model)
    assert {one for one in small.solutions if strong.holds(one)} == {one for one in small.solutions if model.holds(one)}


def test_a_model_is_strengthened_once() -> None:
    """The same model gives the same stronger one, which is as strong as it gets; houses alone stay as they are."""
    model = _nine(_cage((0, 1), 3))
    strong = strengthen_model(model)
    assert strengthen_model(model) is strong
    assert strengthen_model(strong) is strong
    assert different_cells(strong) == different_cells(model)
    assert strengthen_model(empty_board(9)) is empty_board(9)


def test_a_stronger_model_goes_with_its_model() -> None:
    """Unused models are freed, and so are their strengthened ones."""
    model = _nine(_cage((0, 1), 3))
    gone = ref(model), ref(strengthen_model(model))
    del model
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_a_cell_without_values_is_told_as_the_empty_clause() -> None:
    """If a cell has no values left, the domains stay as they were and a statement makes the model contradictory."""
    model = _nine(_cage((0, 1), 3), Linear(((0, 1),), ">=", 5))
    strong = strengthen_model(model)
    assert strong.domains == model.domains
    assert strong.statements[-1] == Statement(Clause(()), IMPLIED, "a cell without values")


# --- innies and outies ------------------------------------------------------------------------------------------


def test_the_cell_that_cages_leave_over_is_known() -> None:
    """If the other cells of a row are in cages, the last cell holds what is missing from 45."""
    strong = strengthen_model(_nine(_cage((0, 1, 2, 3), 10), _cage((4, 5, 6, 7), 26)))
    assert strong.domains[8] == 1 << 9


def test_the_cell_that_sticks_out_is_known() -> None:
    """If a cage leaves a row by one cell, that cell holds what is more than 45."""
    model = _nine(_cage((0, 1, 2, 3), 10), _cage((4, 5, 6), 18), _cage((7, 8, 17), 19))
    assert [str(one) for one in innies(model, different_cells(model))] == [
        "innies of row 1 (implied)",
        "innies of box 3 (implied)",
    ]
    assert strengthen_model(model).domains[17] == 1 << 2


def test_houses_that_cages_connect_are_taken_together() -> None:
    """Two rows with a cage across their border, and one cell left over, determine that cell, although neither row alone does."""
    cages = [(0, 1, 2, 9, 10, 11), (3, 4, 5), (6, 7, 8), (12, 13, 14), (15, 16)]
    model = _nine(*(_cage(cells, sum(GRID[cell] for cell in cells)) for cells in cages if cells != cages[0]), *_sums(cages[:1]))
    assert strengthen_model(model).domains[17] == 1 << GRID[17]


def _sums(sums: list[tuple[int, ...]]) -> list[Linear]:
    return [Linear(tuple((cell, 1) for cell in cells), "==", sum(GRID[cell] for cell in cells)) for cells in sums]


@pytest.mark.parametrize("seed", range(6))
def test_innies_hold_wherever_houses_and_cages_do(seed: int) -> None:
    """In a killer cut from a solved grid, every implied sum is true of the grid, is new, and has few cells."""
    model = _nine(*_cut(Random(seed), 9, GRID, 5))  # noqa: S311
    found = list(innies(model, different_cells(model)))
    assert len(found) == len({statement.constraint for statement in found}) > 3
    for constraint, rule, part in found:
        assert isinstance(constraint, Linear)
        assert constraint.holds(GRID)
        assert len(constraint.terms) <= MOST_CELLS
        assert rule == IMPLIED
        assert part.startswith("innies of ")


def test_tight_sums_of_more_cells_are_kept() -> None:
    """Seven cells, six of them in a row, whose sum is nearly the least say much; in the middle they are left out."""
    for slack, kept in ((1, True), (12, False)):
        cells = (0, 1, 3, 4, 6, 7, 9)
        outside = [cell for cell in range(27) if cell not in cells]
        total = 3 * 45 - (1 + 2 + 3 + 4 + 5 + 6 + 1) - slack
        model = _nine(Linear(tuple((cell, 1) for cell in outside), "==", total))
        long = [one for one in innies(model, different_cells(model)) if len(one.constraint.terms) > MOST_CELLS]
        assert bool(long) == kept, slack


@pytest.mark.parametrize("seed", range(12))
def test_sums_of_several_sums_hold_wherever_these_do(seed: int) -> None:
    """Long lines across a board, in any solved grid of it: whatever is joined is true, and of different cells."""
    random = Random(seed)  # noqa: S311
    lines = [tuple(random.sample(range(81), random.randint(6, 12))) for _ in range(8)]
    model = _nine(*(Linear(tuple((cell, 1) for cell in line), "==", sum(GRID[cell] for cell in line)) for line in lines))
    for statement in combined_sums(model.statements, different_cells(model), model.domains):
        assert statement.rule == IMPLIED
        assert isinstance(statement.constraint, Linear)
        assert statement.constraint.holds(GRID)
        assert len(set(statement.constraint.cells)) == len(statement.constraint.cells)


def test_two_long_sums_are_nearly_the_most_together() -> None:
    """Each of two diagonal lines could be more by itself; together they fill rows whose largest values they need."""
    model = _nine(*(Linear(tuple((cell, 1) for cell in line), "==", 52) for line in (range(8), range(9, 17))))
    (joined,) = combined_sums(model.statements, different_cells(model), model.domains)
    assert joined.constraint == Linear(tuple((cell, 1) for cell in (*range(8), *range(9, 17))), "==", 104)
    few = _nine(*(Linear(tuple((cell, 1) for cell in line), "==", 20) for line in (range(5), range(9, 14))))
    assert list(combined_sums(few.statements, different_cells(few), few.domains)) == []


def test_of_two_sums_with_a_common_cell_the_difference_is_known() -> None:
    """The cells that only one of two sums has differ by as much as the sums do; sums with no common cell say nothing."""
    three, two, far = (Linear(tuple((cell, 1) for cell in cells), "==", 12) for cells in ((0, 1, 2), (2, 5), (6, 7, 8)))
    parts = [("three", three), ("two", two), ("far", far)]
    (found,) = sum_differences(build_model([0b1111111110] * 9, [("line", parts)]).statements)
    assert found == (Linear(((0, 1), (1, 1), (5, -1)), "==", 0), IMPLIED, "three (line) minus two (line)")


@pytest.mark.parametrize("seed", range(20))
def test_differences_hold_wherever_the_sums_do(seed: int) -> None:
    """Every difference is true of values that the sums are true of, and names few cells, each once."""
    random = Random(seed)  # noqa: S311
    values = [random.randint(1, 9) for _ in range(12)]
    lines = [random.sample(range(12), random.randint(2, 6)) for _ in range(8)]
    sums = [Linear(tuple((cell, 1) for cell in cells), "==", sum(values[cell] for cell in cells)) for cells in lines]
    found = list(sum_differences(build_model([0b1111111110] * 12, [("r", [("p", one) for one in sums])]).statements))
    assert found
    for constraint, _, _ in found:
        assert isinstance(constraint, Linear)
        assert constraint.holds(values)
        assert len(constraint.terms) == len(dict(constraint.terms)) <= MOST_CELLS


def test_totals_that_do_not_add_up_have_no_solution() -> None:
    """Cages that fill a row and do not add up to 45 are a contradiction, found without search."""
    strong = strengthen_model(_nine(_cage((0, 1, 2, 3, 4), 20), _cage((5, 6, 7, 8), 26)))
    assert Clause(()) in strong.constraints


# --- sums and counts --------------------------------------------------------------------------------------------


def _said(*constraints: Constraint, domains: tuple[int, ...] = (0b111111,) * 4) -> tuple[list[Constraint], tuple[int, ...]]:
    strong = strengthen_model(build_model(domains, [("r", [("p", one) for one in constraints])]))
    return strong.constraints, strong.domains


@pytest.mark.parametrize("relation_", ["==", "!=", "<=", ">="])
@pytest.mark.parametrize("factor", [1, -2])
def test_a_sum_of_cells_that_differ_is_a_choice_of_sets(relation_: str, factor: int) -> None:
    """If all cells of a sum differ, exactly the sets that satisfy it are listed."""
    apart = AllDifferent((0, 1, 2))
    sum_ = Linear(tuple((cell, factor) for cell in (0, 1, 2)), relation_, 6 * factor)  # type: ignore[arg-type]
    found, _ = _said(apart, sum_)
    sets = [one for one in found if isinstance(one, DigitSet)]
    assert len(sets) == 1
    assert sets[0].cells == (0, 1, 2)
    for values in product(range(6), repeat=3):
        assert (apart.holds(values) and sum_.holds(values)) == sets[0].holds(values)


def test_a_sum_of_no_cells_is_nothing_or_false() -> None:
    """Terms that cancel out leave no statement, or the empty clause."""
    assert _said(Linear(((0, 1), (1, 0), (0, -1)), "<=", 0)) == ([], (0b111111,) * 4)
    assert _said(Linear(((0, 1), (1, 0), (0, -1)), ">=", 1))[0] == [Clause(())]
    for total, found in ((0, ()), (1, (Clause(()),))):
        model = Model((0b11,), (Statement(Linear((), "==", total), "r", "p"),), 1)
        assert strengthen_model(model).constraints == [*found]


def test_a_sum_of_two_cells_is_a_table() -> None:
    """A difference of two cells, and a sum of two that need not differ, list their pairs."""
    found, _ = _said(Linear(((2, 1), (0, -1)), ">=", 4), Linear(((1, 1), (3, 2)), "==", 5))
    assert found == [
        Table((0, 2), frozenset({(0, 4), (0, 5), (1, 5)})),
        Table((1, 3), frozenset({(1, 2), (3, 1), (5, 0)})),
    ]


def test_a_sum_narrows_its_cells() -> None:
    """Values too large or too small for the total are removed, given the least and the most that cliques add."""
    apart = AllDifferent((0, 1, 2))
    _, domains = _said(apart, Linear(((0, 1), (1, 1), (2, 1), (3, -1)), "==", 0))
    assert domains == (0b11111, 0b11111, 0b11111, 0b111000)
    _, domains = _said(apart, Linear(((0, 1), (1, 1), (2, 1), (3, 3)), "<=", 4))
    assert domains == (0b1111, 0b1111, 0b1111, 0b1)


def test_statements_about_one_cell_become_its_domain() -> None:
    """A constraint on one cell, or on values that none of several cells has, narrows the domains and is dropped."""
    found, domains = _said(
        Linear(((0, 2), (1, 1), (1, -1)), "==", 6),
        Table((1,), frozenset({(2,), (4,)})),
        Clause((Literal(2, 5, equal=False),)),
        Count((2, 3), frozenset({0, 1}), "==", 0),
    )
    assert found == []
    assert domains == (0b1000, 0b10100, 0b011100, 0b111100)


def test_a_count_that_its_cliques_can_just_reach_is_told_clique_by_clique() -> None:
    """Two cliques hold a value twice at most: twice means once in each, three times is impossible, and the rest stays."""
    cliques = AllDifferent((0, 1)), AllDifferent((2, 3))
    found, _ = _said(*cliques, Count((0, 1, 2, 3), frozenset({3}), "==", 2))
    assert set(found) == {*cliques, Clause((Literal(0, 3), Literal(1, 3))), Clause((Literal(2, 3), Literal(3, 3)))}
    found, _ = _said(*cliques, Count((0, 1, 2, 3), frozenset({3}), ">=", 3))
    assert Clause(()) in found
    once = Count((0, 1, 2, 3), frozenset({3}), "==", 1)
    assert once in _said(*cliques, once)[0]


# --- relations --------------------------------------------------------------------------------------------------


def test_what_other_values_need_is_not_left() -> None:
    """Four cells that hold a low, a middle and a high value have room for two low ones; values that overlap imply nothing."""
    cells, low, middle, high = (0, 1, 4, 5), frozenset({1, 2}), frozenset({3, 4}), frozenset({5, 6})
    needs = [Count(cells, low, ">=", 1), Count(cells, middle, "==", 1), Count(cells, high, ">=", 1)]
    assert [statement.constraint for statement in implied_counts(needs)] == [
        Count(cells, low, "<=", 2),
        Count(cells, middle, "<=", 2),
        Count(cells, high, "<=", 2),
    ]
    assert not [*implied_counts(needs[:1])]
    assert not [*implied_counts([needs[0], Count(cells, frozenset({2, 3}), ">=", 1)])]


@pytest.mark.parametrize("seed", range(20))
def test_shares_hold_wherever_the_needs_do(seed: int) -> None:
    """Over all values of a few cells, some of them named twice, what is added follows from the needs."""
    random = Random(seed)  # noqa: S311
    cells = tuple(random.choice(range(3)) for _ in range(random.randint(2, 4)))
    kinds = random.choice(((frozenset({1, 2}), frozenset({3, 4})), (frozenset({1, 4}), frozenset({2, 3, 5}))))
    needs = [Count(cells, kind, random.choice(("==", ">=")), random.randint(1, 2)) for kind in kinds]
    for values in product(range(1, 6), repeat=3):
        if all(need.holds(values) for need in needs):
            assert all(statement.constraint.holds(values) for statement in implied_counts(needs))


def test_relations_of_a_pair_are_one_table() -> None:
    """Tables of the same cells, in either order, and an all-different of them, become one table named after the tables."""
    low = Table((1, 0), frozenset(product(range(3), range(4))))
    close = pair_table(0, 1, range(6), lambda one, other: abs(one - other) <= 1)
    model = build_model([0b111111] * 2, [("a", [("low", low)]), ("b", [("close", close), ("apart", AllDifferent((1, 0)))])])
    assert strengthen_model(model).statements == (
        Statement(Table((0, 1), frozenset({(0, 1), (1, 0), (1, 2), (2, 1), (3, 2)})), IMPLIED, "low (a), close (b)"),
    )


def test_a_relation_alone_keeps_its_words() -> None:
    """A table alone on its cells stays the rule's own statement."""
    rising = Statement(pair_table(0, 1, range(6), lt), "thermometer", "thermometer r1c1 r1c2")
    model = build_model([0b111111] * 2, [(rising.rule, [(rising.part, rising.constraint)])])
    assert strengthen_model(model).statements == (rising,)


def test_cells_related_alike_have_a_choice_of_sets() -> None:
    """Four cells of which every two are at least 2 apart hold one of the sets of such values."""
    cells = (0, 1, 2, 3)
    far = [
        pair_table(one, other, range(8), lambda low, high: abs(low - high) > 1) for one in cells for other in cells if one < other
    ]
    found, _ = _said(*far, domains=(0b11111111,) * 4)
    sets = [one for one in found if isinstance(one, DigitSet)]
    assert [one.cells for one in sets] == [cells]
    assert sorted(map(members, sets[0].sets)) == [[0, 2, 4, 6], [0, 2, 4, 7], [0, 2, 5, 7], [0, 3, 5, 7], [1, 3, 5, 7]]


def test_sets_too_many_to_list_are_left_out() -> None:
    """If cells related alike have too many sets of values, or these take too long to find, their tables stay alone."""
    for test in (lambda low, high: abs(low - high) > 1, lambda low, high: low // 3 != high // 3):
        cells = range(14)
        far = [pair_table(one, other, range(36), test) for one in cells for other in cells if one < other]
        found, _ = _said(*far, domains=(2**36 - 1,) * 14)
        assert set(found) == set(far)


# --- values that occur several times or not at all ----------------------------------------------------------------


THREE = 81 + 2
"""The auxiliary that says whether the value 3 occurs in circles."""


def _circles(*cells: int) -> list[Statement]:
    """Return what counting circles in these cells state about the value 3, whether it occurs being an auxiliary behind them."""
    rule = CountingCircles(cells)
    stated = build_model(empty_board(9).domains, [("circles", rule.lower(Grid.square(9)))]).statements
    # The auxiliaries of the values 1, 2, 3, ... follow each other.
    return [one for one in stated if isinstance(one.constraint, Automaton) and one.constraint.cells[0] == THREE]


def _covered(*cells: int) -> list[Clause]:
    statements = [*empty_board(9).statements, *_circles(*cells)]
    domains = (*empty_board(9).domains, *[0b11] * 9)
    differ = different_board_cells([one.constraint for one in statements], len(domains))
    return [one.constraint for one in covered_occurrences(statements, differ, domains, 81)]


def test_a_value_that_too_few_houses_cover_does_not_occur() -> None:
    """Three 3s cannot stand in circles that two rows cover; in three rows, each has one; in four, of each two one has one."""
    no_three = Literal(THREE, 0)
    assert _covered(0, 1, 2, 9, 10, 11, 3, 4) == [Clause((no_three,))]
    in_three = _covered(0, 4, 9, 13, 31, 35)
    assert Clause((no_three, Literal(0, 3), Literal(4, 3))) in in_three
    assert all(clause.literals[0] == no_three for clause in in_three)
    assert any(len(clause.literals) == 5 for clause in _covered(0, 4, 13, 17, 29, 33, 57, 61))
    assert _covered(0, 12, 24, 28, 40, 52, 56, 68) == []


@pytest.mark.parametrize("seed", range(6))
def test_circles_hold_wherever_their_houses_do(seed: int) -> None:
    """What is known of circles holds in every one of the 288 grids of 4x4 that obey them."""
    random = Random(seed)  # noqa: S311
    grid, cells = Grid.square(4), tuple(random.sample(range(16), random.randint(3, 9)))
    rules = (Houses(), CountingCircles(cells))
    model = build_model([to_mask(grid.values)] * 16, [(rule.kind, rule.lower(grid)) for rule in rules])
    wanted = {one for one in small_board().solutions if rules[1].holds(grid, one)}
    for strong in (model, strengthen_model(model)):
        assert set(backend("sat").open(rewrite_model(strong, frozenset({Clause}))).solutions()) == wanted


def test_cells_of_one_region_differ() -> None:
    """Cells whose labels are equal, also over a third, are known to differ; those of other labels are not."""
    near = ((1,), (0, 2), (1, 3), (2,))
    cut = Partition((0, 1, 2, 3), (4, 5, 6, 7), near, 2, 1)
    same = [pair_table(one, other, (1, 2), eq) for one, other in ((4, 6), (7, 6))]
    assert [one.constraint for one in region_facts([cut, *same])] == [AllDifferent((0, 2, 3))]
    assert [*region_facts(same)] == []
    assert [*region_facts([cut, pair_table(4, 5, (1, 2), ne)])] == []
