"""Limits and cancellations, on which every engine relies."""

from __future__ import annotations

from threading import Thread

import pytest

from sudoku_cp.backends import UNLIMITED, Cancellation, Limits
from sudoku_cp.errors import InvalidInput, LimitReached


@pytest.mark.parametrize("wrong", [{"seconds": -1}, {"seconds": float("nan")}, {"nodes": -1}])
def test_limits_below_nothing_are_refused(wrong: dict[str, float]) -> None:
    """A negative limit, or one that is not a number, is an error."""
    with pytest.raises(InvalidInput, match="expected a"):
        Limits(**wrong)


def test_a_clock_without_limits_never_stops() -> None:
    """Without limits none is ever reached, and what is left of them is None."""
    clock = UNLIMITED.started()
    clock.nodes = 10**12
    clock.check()
    assert clock.seconds_left is None
    assert clock.nodes_left() is None


def test_as_many_nodes_as_allowed_may_be_spent() -> None:
    """The limit is reached by the node after the last one allowed."""
    clock = Limits(nodes=3).started()
    clock.nodes = 3
    assert clock.reached() is None
    assert clock.nodes_left() == 0
    clock.nodes = 4
    with pytest.raises(LimitReached) as reached:
        clock.check()
    assert reached.value.reason == "nodes"
    assert clock.nodes_left() == 0


def test_what_is_left_goes_to_the_next_part() -> None:
    """The limits of a part are what is left of those of the whole."""
    cancel = Cancellation()
    clock = Limits(seconds=100, nodes=10, cancel=cancel).started()
    clock.nodes = 4
    left = clock.left()
    assert left.nodes == 6
    assert left.cancel is cancel
    assert left.seconds is not None
    assert 99 < left.seconds <= 100


def test_a_cancellation_outranks_the_other_limits() -> None:
    """A cancellation is reported as such, even after a deadline."""
    cancel = Cancellation()
    cancel.cancel()
    assert Limits(seconds=0, nodes=0, cancel=cancel).started().reached() == "cancelled"
    assert Limits(seconds=0).started().reached() == "deadline"


def test_a_cancellation_calls_those_who_listen() -> None:
    """A listener is called on a cancellation from another thread, at once if it came before, and never after its block."""
    calls: list[str] = []
    cancel = Cancellation()
    with cancel.calling(lambda: calls.append("gone")):
        pass
    with cancel.calling(lambda: calls.append("there")):
        thread = Thread(target=cancel.cancel)
        thread.start()
        thread.join()
    with cancel.calling(lambda: calls.append("late")):
        pass
    assert calls == ["there", "late"]
    assert cancel.cancelled
