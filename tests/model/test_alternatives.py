"""One automaton for alternatives accepts what any conjunction of constraints allows, and nothing else."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sudoku_cp.backends.conformance.checks import MAKERS
from sudoku_cp.model import (
    Automaton,
    Clause,
    Connected,
    Constraint,
    Linear,
    Literal,
    Partition,
    Table,
    cells_of,
    members,
    to_mask,
)
from sudoku_cp.model.alternatives import automaton_of_any

FEW = range(1, 4)


def test_the_automaton_accepts_what_any_branch_allows() -> None:
    """For random branches of random constraints of all kinds on four cells, it accepts a filling if some branch does."""
    random = Random(7)  # noqa: S311
    merged = accepted = 0
    for _ in range(400):
        domains = [to_mask(random.sample(FEW, random.randint(1, 3))) for _ in range(4)]
        kinds = random.choices(list(MAKERS), k=random.randint(1, 4))
        branches: list[list[Constraint]] = [[] for _ in range(random.randint(1, 3))]
        for kind in kinds:
            random.choice(branches).append(MAKERS[kind](random, range(4)))
        found = automaton_of_any(branches, domains, 20_000)
        if found is None:  # an area, a constraint that names a cell twice, or automata that read cells in orders that clash
            clashing = kinds.count(Automaton) > 1 or not {Connected, Partition}.isdisjoint(kinds)
            assert clashing or any(len(cells_of(one)) < len(getattr(one, "cells", "")) for branch in branches for one in branch)
            continue
        merged += 1
        assert len(set(found.cells)) == len(found.cells)
        for values in product(*map(members, domains)):
            expected = any(all(one.holds(values) for one in branch) for branch in branches)
            assert found.holds(values) == expected
            accepted += expected
    assert merged > 150
    assert accepted > 500


def test_auxiliaries_are_projected_out() -> None:
    """Of random branches about three cells and two auxiliaries, it accepts a filling if some values of these suit some branch."""
    random = Random(8)  # noqa: S311
    merged = accepted = 0
    for _ in range(400):
        domains = [*(to_mask(random.sample(FEW, random.randint(1, 3))) for _ in range(3)), 0b11, 0b11]
        kinds = random.choices([kind for kind in MAKERS if kind not in {Connected, Partition}], k=random.randint(1, 4))
        branches: list[list[Constraint]] = [[] for _ in range(random.randint(1, 3))]
        for kind in kinds:
            random.choice(branches).append(MAKERS[kind](random, random.sample(range(5), 5)))
        found = automaton_of_any(branches, domains, 20_000, 3)
        if found is None:  # as above, or all cells are auxiliaries
            continue
        merged += 1
        assert max(found.cells, default=0) < 3
        for values in product(*map(members, domains[:3])):
            filled = [values + auxiliaries for auxiliaries in product((0, 1), repeat=2)]
            expected = any(all(one.holds(full) for one in branch) for branch in branches for full in filled)
            assert found.holds(values) == expected
            accepted += expected
    assert merged > 150
    assert accepted > 500


def test_automata_may_be_read_backwards_or_cross() -> None:
    """Two automata that read some cells in opposite orders, or share one cell in their middles, are read together."""
    rising = frozenset((state, value, value) for state in range(4) for value in range(state + 1, 4))
    line = Automaton((0, 1, 2), 0, rising, frozenset(range(4)))
    back, crossing = Automaton((2, 1, 0), 0, rising, line.accepting), Automaton((3, 1, 4), 0, rising, line.accepting)
    for branches in ([[line], [back]], [[line], [crossing]], [[line, crossing]], [[line, back], [crossing]]):
        found = automaton_of_any(branches, [0b1110] * 5, 1000)
        assert found is not None
        for values in product(FEW, repeat=5):
            assert found.holds(values) == any(all(one.holds(values) for one in branch) for branch in branches)


def test_orders_that_clash_are_refused() -> None:
    """Three automata of which no order of the cells suits all, forwards or backwards, make no single automaton."""
    edges = frozenset((state, value, value) for state in range(4) for value in FEW)
    orders = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    branches = [[Automaton(cells, 0, edges, frozenset(FEW))] for cells in orders]
    assert automaton_of_any(branches, [0b1110] * 3, 1000) is None


@pytest.mark.parametrize(("copies", "is_made"), [(20, True), (2_000, False)])
def test_what_takes_too_many_steps_is_refused(copies: int, is_made: bool) -> None:
    """Thousands of constraints make no automaton even where it would be small: nobody waits for that."""
    clause = Clause(tuple(Literal(cell, 1) for cell in range(40)))
    assert (automaton_of_any([[clause] * copies], [0b1110] * 40, 1000) is not None) == is_made


def test_alike_continuations_are_one() -> None:
    """Alternatives about different cells leave the others' cells free: their automaton grows with their sum, not product."""
    sums = [[Linear(tuple((cell, 1) for cell in range(first, first + 4)), "==", 10)] for first in range(0, 32, 4)]
    one, all_ = (automaton_of_any(some, [0b1111111110] * 32, 20_000) for some in (sums[:1], sums))
    assert one is not None
    assert all_ is not None
    assert len(all_.edges) < len(sums) * (len(one.edges) + 9 * 32)
    assert automaton_of_any(sums, [0b1111111110] * 32, 100) is None


@pytest.mark.parametrize("false", [Clause(()), Table((), frozenset()), Linear((), "==", 1)])
def test_branches_that_cannot_hold_are_left_out(false: Clause | Table | Linear) -> None:
    """A constraint without cells that is false makes its branch impossible; without other branches nothing is accepted."""
    single = Table((0,), frozenset({(2,)}))
    found = automaton_of_any([[false, Table((1,), frozenset({(1,)}))], [single]], [0b1110] * 2, 1000)
    assert found is not None
    assert found.cells == (0,)
    assert [value for value in FEW if found.holds((value, 1))] == [2]
    nothing = automaton_of_any([[false]], [0b1110] * 2, 1000)
    assert nothing is not None
    assert not nothing.holds((1, 1))
