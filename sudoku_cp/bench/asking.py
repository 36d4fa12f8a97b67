"""How a contestant is asked: a puzzle at a time, all at once, or as a whole process. Only the answering is timed.

A contestant of the first kind is a function that returns what answers lines of text on boards with given boxes; of the
second kind, what answers arrays; of the third, a `Tool`; of the fourth, it answers arrays itself. All become a `Runner`:
puzzles in, answers and seconds out.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Boxes: TypeAlias = tuple[int, int]
"""The height and width of a box; a board has as many rows and columns as a box has cells."""
Puzzles: TypeAlias = NDArray[np.uint8]
"""(N, cells): the value of every given, 0 in blank cells."""
Clock: TypeAlias = Callable[[], float]
"""Returns seconds, from any start."""
Found: TypeAlias = tuple[Sequence[int], int]
"""A solution (nothing where none is shown) and how many there are: 0, 1 or several."""
One: TypeAlias = Callable[[str], Found]
Many: TypeAlias = Callable[[Puzzles, int], tuple[NDArray[np.uint8], NDArray[np.int64]]]

SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The sign of each value in a line of text, a point for a blank."""
VALUES = {sign: value for value, sign in enumerate(SIGNS)}
NO_ANSWER = -1
"""The count where a contestant failed on a puzzle."""
LIMIT = 2
"""The question: how many solutions are there, counted up to 2, and which is the first?"""


class Answers(NamedTuple):
    """What a contestant said of N puzzles, and the seconds it took.

    ``solutions`` (N, cells) is 0 in every cell where no solution was shown; a negative count is no answer, for the reason that
    ``error`` gives, where one is known.
    """

    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    seconds: float
    error: str = ""


class Runner(Protocol):
    """A contestant that is ready."""

    def __call__(self, puzzles: Puzzles, boxes: Boxes) -> Answers:
        """Answer every puzzle."""
        ...


class Call(NamedTuple):
    """A process to run: its words, and the text it reads."""

    words: tuple[str, ...]
    text: str


class Tool(Protocol):
    """A program that is run as a whole."""

    def empty(self) -> Call:
        """Return the call that only starts and ends."""
        ...

    def calls(self, lines: Sequence[str]) -> list[Call]:
        """Return the calls that answer these puzzles."""
        ...

    def read(self, outputs: Sequence[str]) -> Iterable[Found]:
        """Return the answers that the calls printed."""
        ...


def lines_of(puzzles: Puzzles) -> list[str]:
    """Return each puzzle as a line of text, a sign a cell."""
    signs = np.frombuffer(SIGNS.encode(), np.uint8)
    return [bytes(row).decode() for row in signs[puzzles]]


def values_of(line: str) -> list[int]:
    """Return the value of every cell of a line of text, 0 for a blank."""
    return [VALUES[sign] for sign in line]


def one_by_one(opened: Callable[[Boxes], One], clock: Clock = perf_counter) -> Runner:
    """Return the runner of a contestant that takes a line of text at a time; it is opened anew before the clock starts."""

    def run(puzzles: Puzzles, boxes: Boxes) -> Answers:
        ask, lines, found = opened(boxes), lines_of(puzzles), []
        errors: list[str] = []
        start = clock()
        for line in lines:
            try:
                found.append(ask(line))
            except Exception as error:  # noqa: BLE001  # whatever a contestant raises is a mark against it
                found.append(((), NO_ANSWER))
                errors.append(f"{type(error).__name__}: {error}".strip(": "))
        seconds = clock() - start
        return _answers(found, puzzles, seconds, errors)

    return run


def at_once(opened: Callable[[Boxes], Many], clock: Clock = perf_counter) -> Runner:
    """Return the runner of a contestant that takes an array of puzzles."""

    def run(puzzles: Puzzles, boxes: Boxes) -> Answers:
        ask = opened(boxes)
        start = clock()
        solutions, counts = ask(puzzles, LIMIT)
        seconds = clock() - start
        if np.shape(solutions) != puzzles.shape or np.shape(counts) != puzzles.shape[:1]:
            shapes = f"{puzzles.shape} and {puzzles.shape[:1]}"
            raise ValueError(
                f"expected solutions and counts of shapes {shapes}, got {np.shape(solutions)} and {np.shape(counts)}"
            )
        return Answers(np.asarray(solutions, np.uint8), np.asarray(counts, np.int64), seconds)

    return run


def outright(ask: Many, clock: Clock = perf_counter) -> Runner:
    """Return the runner of somebody's function that takes an array of puzzles and a limit, and of the boards sees no more."""
    if not callable(ask):
        raise TypeError(f"expected a function, got {ask!r:.80}")
    return at_once(lambda boxes: ask, clock)  # noqa: ARG005


def whole_process(opened: Callable[[Boxes], Tool], clock: Clock = perf_counter) -> Runner:
    """Return the runner of a program; the shortest of three empty runs is taken off the time of every call."""

    def run(puzzles: Puzzles, boxes: Boxes) -> Answers:
        tool = opened(boxes)
        calls = tool.calls(lines_of(puzzles))
        starting = min(_called(tool.empty(), clock)[1] for _ in range(3))
        outputs, seconds = zip(*(_called(call, clock) for call in calls), strict=True)
        # A call can seem quicker than an empty one; the time of a tenth of a start is as small as can be told.
        took = max(sum(seconds) - starting * len(calls), starting / 10)
        return _answers(list(tool.read(outputs)), puzzles, took, [])

    return run


def _called(call: Call, clock: Clock) -> tuple[str, float]:
    start = clock()
    done = subprocess.run(call.words, input=call.text, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout, clock() - start


def _answers(found: Sequence[Found], puzzles: Puzzles, seconds: float, errors: Sequence[str]) -> Answers:
    solutions = np.zeros(puzzles.shape, np.uint8)
    for row, (solution, _) in zip(solutions, found, strict=True):
        if len(solution) == len(row):
            row[:] = solution
    counts = np.array([count for _, count in found], np.int64)
    return Answers(solutions, counts, seconds, errors[0] if errors else "")


RUNNERS: dict[str, Callable[..., Runner]] = {"one": one_by_one, "many": at_once, "process": whole_process, "callable": outright}
"""The ways to ask, by the word that a contestant names its own by."""
