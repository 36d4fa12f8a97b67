"""Something shrunk still shows what it showed, and would not without any one part of it."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.queries import shrink

ITEMS = range(10)


def assert_least(found: list[int], items, still) -> None:
    """What was found is a part of the items in their order, shows it still, and nothing can be left out alone."""
    places = iter(items)
    assert all(item in places for item in found)
    assert still(found)
    assert not any(still([*found[:place], *found[place + 1 :]]) for place in range(len(found)))


@given(st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=5), st.permutations(ITEMS))
def test_one_of_several_causes_is_left(causes: list[set[int]], items: list[int]) -> None:
    """Where any of several sets of items is enough, what is left is one of them."""

    def still(some: list[int]) -> bool:
        return any(cause <= set(some) for cause in causes)

    found = shrink(items, still)
    assert_least(found, items, still)
    assert set(found) in causes


@given(st.sets(st.sampled_from([frozenset(some) for size in range(6) for some in combinations(range(6), size)])))
def test_nothing_can_be_left_out_whatever_the_question(showing: set[frozenset[int]]) -> None:
    """That holds too where less shows what more does not, as with two engines that disagree."""
    items = list(range(6))

    def still(some: list[int]) -> bool:
        return len(some) == 6 or frozenset(some) in showing

    assert_least(shrink(items, still), items, still)


def test_equal_items_are_apart() -> None:
    """Items are left out by their place."""
    assert shrink([1, 1, 1, 1, 1], lambda some: len(some) >= 2) == [1, 1]


def test_nothing_is_left_of_what_shows_without_any() -> None:
    """No items stay where none are needed, and no items are shrunk to none."""
    assert shrink(ITEMS, lambda some: True) == []
    assert shrink([], lambda some: True) == []


def test_much_is_left_out_with_few_questions() -> None:
    """One needle in a thousand straws is found in some dozens of questions."""
    asked = []

    def still(some: list[int]) -> bool:
        asked.append(len(some))
        return 617 in some

    assert shrink(range(1000), still) == [617]
    assert len(asked) < 50
