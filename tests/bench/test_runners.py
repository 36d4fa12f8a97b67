"""Only the answering is timed, and whatever a contestant does is an answer or a mark."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from sudoku_cp.bench.runners import (
    SIGNS,
    CommandCall,
    array_runner,
    callable_runner,
    command_runner,
    givens_to_lines,
    line_runner,
    parse_line,
)


class Ticking:
    """A clock that the test advances."""

    def __init__(self) -> None:
        """Start at 0."""
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_lines_and_arrays_undo_each_other(array, lines) -> None:
    """Lines and values convert into each other, on boards of up to 35 values."""
    puzzles = array(lines["unique"], lines["two"])
    assert givens_to_lines(puzzles) == [lines["unique"], lines["two"]]
    assert parse_line(SIGNS) == list(range(len(SIGNS)))


def test_one_by_one_times_the_answers_and_not_the_opening(array, lines) -> None:
    """The setup before the first puzzle is off the clock; each puzzle's time is on it."""
    clock = Ticking()

    def opened(boxes):
        assert boxes == (3, 3)
        clock.now += 100

        def ask(line):
            clock.now += 0.5
            return parse_line(lines["solved"]), 1

        return ask

    answers = line_runner(opened, clock)(array(lines["unique"], lines["unique"]), (3, 3))
    assert answers.seconds == 1
    assert answers.counts.tolist() == [1, 1]
    assert givens_to_lines(answers.solutions) == [lines["solved"]] * 2


def test_what_raises_is_no_answer_and_the_rest_goes_on(array, lines) -> None:
    """An exception is a negative count for its puzzle alone, and its message is kept."""

    def opened(boxes):
        def ask(line):
            if line == lines["none"]:
                raise KeyError("row 1")
            return (), 0

        return ask

    answers = line_runner(opened, count().__next__)(array(lines["unique"], lines["none"], lines["two"]), (3, 3))
    assert answers.counts.tolist() == [0, -1, 0]
    assert answers.error == "KeyError: 'row 1'"
    assert not answers.solutions.any()


def test_at_once_hands_over_the_array_and_the_limit(array, lines) -> None:
    """A contestant for arrays gets all puzzles at once, with a limit of 2."""
    seen = []

    def ask(puzzles, limit):
        seen.append((puzzles.shape, limit))
        return puzzles, np.ones(len(puzzles))

    answers = array_runner(lambda boxes: ask, count().__next__)(array(lines["solved"], lines["solved"]), (3, 3))
    assert seen == [((2, 81), 2)]
    assert answers.seconds == 1
    assert answers.counts.dtype == np.int64


def test_arrays_of_other_shapes_are_refused(array, lines) -> None:
    """An outside callable that returns something else fails with what was expected."""
    run = array_runner(lambda boxes: lambda puzzles, limit: (puzzles[:1], np.ones(1)))
    with pytest.raises(
        ValueError, match=r"expected solutions and counts of shapes \(2, 81\) and \(2,\), got \(1, 81\) and \(1,\)"
    ):
        run(array(lines["solved"], lines["solved"]), (3, 3))


def test_a_function_outright_sees_the_array_and_the_limit_alone(array, lines) -> None:
    """An outside function is called as it is, without the boxes; anything else is refused before it is called."""
    answers = callable_runner(lambda puzzles, limit: (puzzles, np.full(len(puzzles), limit)))(array(lines["solved"]), (3, 3))
    assert answers.counts.tolist() == [2]
    with pytest.raises(TypeError, match="expected a function, got 'json'"):
        callable_runner("json")


class Echo:
    """A tool that echoes its input, one process for each line."""

    def empty(self) -> CommandCall:
        """Return the call that prints nothing."""
        return CommandCall(("cat",), "")

    def calls(self, lines) -> list[CommandCall]:
        """Return a call for each line."""
        return [CommandCall(("cat",), line) for line in lines]

    def read(self, outputs):
        """Take each line for a solution."""
        return [(parse_line(output), 1) for output in outputs]


def test_the_start_of_a_process_is_taken_off(array, lines) -> None:
    """The time of as many empty calls is subtracted from that of all calls."""
    # Three empty runs of 5, 3 and 4 seconds, then two calls of 10 and 7.
    clock = iter([0, 5, 5, 8, 8, 12, 12, 22, 22, 29]).__next__
    answers = command_runner(lambda boxes: Echo(), clock)(array(lines["solved"], lines["solved"]), (3, 3))
    assert answers.seconds == 10 + 7 - 2 * 3
    assert givens_to_lines(answers.solutions) == [lines["solved"]] * 2


def test_a_process_quicker_than_its_start_took_some_time_all_the_same(array, lines) -> None:
    """The remaining time is always positive, so that there is a rate."""
    clock = iter([0, 5, 5, 10, 10, 15, 15, 19]).__next__
    assert command_runner(lambda boxes: Echo(), clock)(array(lines["solved"]), (3, 3)).seconds == 0.5
