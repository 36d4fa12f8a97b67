"""What is shrunk still has the property, and would lose it without any single item."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.queries import shrink

ITEMS = range(10)


def assert_least(found: list[int], items, still) -> None:
    """The result is a subsequence of the items, has the property, and no single item can be left out."""
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
    """The same for properties that are not monotonic, as with two engines that disagree."""
    items = list(range(6))

    def still(some: list[int]) -> bool:
        return len(some) == 6 or frozenset(some) in showing

    assert_least(shrink(items, still), items, still)


def test_equal_items_are_apart() -> None:
    """Equal items are left out one by one, by position."""
    assert shrink([1, 1, 1, 1, 1], lambda some: len(some) >= 2) == [1, 1]


def test_nothing_is_left_of_what_shows_without_any() -> None:
    """No items remain if none are needed, and an empty list shrinks to itself."""
    assert shrink(ITEMS, lambda some: True) == []
    assert shrink([], lambda some: True) == []


def test_much_is_left_out_with_few_questions() -> None:
    """One needed item among a thousand is found in a few dozen calls."""
    asked = []

    def still(some: list[int]) -> bool:
        asked.append(len(some))
        return 617 in some

    assert shrink(range(1000), still) == [617]
    assert len(asked) < 50
