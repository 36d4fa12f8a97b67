"""The ways to run a contestant: on a puzzle at a time, on all at once, or as a command. Only the answering is timed.

A contestant names a function by ``module:function``. Of the kind "one" it takes boxes and returns an `AskLine`; "many", an
`AskArray`; "process", a `CommandLineTool`; of the kind "callable" it is an `AskArray` itself. All become a `Runner`: puzzles
in, answers and seconds out.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter, process_time
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Boxes: TypeAlias = tuple[int, int]
"""The height and width of a box; a board has as many rows and columns as a box has cells."""
GivensArray: TypeAlias = NDArray[np.uint8]
"""(N, cells): the value of every given, 0 in blank cells."""
Clock: TypeAlias = Callable[[], float]
"""Returns seconds, from any start."""
LineAnswer: TypeAlias = tuple[Sequence[int], int]
"""A solution (empty if none is shown) and the number of solutions: 0, 1 or several."""
AskLine: TypeAlias = Callable[[str], LineAnswer]
AskArray: TypeAlias = Callable[[GivensArray, int], tuple[NDArray[np.uint8], NDArray[np.int64]]]

SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The sign of each value in a line of text, a point for a blank cell."""
VALUES = {sign: value for value, sign in enumerate(SIGNS)}
NO_ANSWER = -1
"""The count where a contestant failed on a puzzle."""
LIMIT = 2
"""The question: how many solutions are there, counted up to 2, and which is the first?"""


class Answers(NamedTuple):
    """The answers of a contestant to N puzzles, the seconds it took, and those of CPU time in its process (None: not measured).

    ``solutions`` (N, cells) is 0 in every cell where no solution was shown; a negative count is no answer, and ``error`` says
    why if that is known.
    """

    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    seconds: float
    error: str = ""
    cpu_seconds: float | None = None


Runner: TypeAlias = Callable[[GivensArray, Boxes], Answers]
"""A contestant that is ready to answer puzzles."""


class CommandCall(NamedTuple):
    """A command to run: its words, and its standard input."""

    words: tuple[str, ...]
    text: str


class CommandLineTool(Protocol):
    """A program that answers puzzles on its command line or standard input."""

    def empty(self) -> CommandCall:
        """Return the call that only starts and ends, whose time is taken off the others."""
        ...

    def calls(self, lines: Sequence[str]) -> list[CommandCall]:
        """Return the calls that answer these puzzles."""
        ...

    def read(self, outputs: Sequence[str]) -> Iterable[LineAnswer]:
        """Return the answers that the calls printed."""
        ...


def givens_to_lines(puzzles: GivensArray) -> list[str]:
    """Return each puzzle as a line of text, a sign a cell."""
    signs = np.frombuffer(SIGNS.encode(), np.uint8)
    return [bytes(row).decode() for row in signs[puzzles]]


def parse_line(line: str) -> list[int]:
    """Return the value of every cell of a line of text, 0 for a blank."""
    return [VALUES[sign] for sign in line]


def line_runner(make: Callable[[Boxes], AskLine], clock: Clock = perf_counter) -> Runner:
    """Return the runner of a contestant that takes a line of text at a time; it is made afresh before the clock starts."""

    def run(puzzles: GivensArray, boxes: Boxes) -> Answers:
        ask, lines, found = make(boxes), givens_to_lines(puzzles), []
        errors: list[str] = []
        start, cpu_start = clock(), process_time()
        for line in lines:
            try:
                found.append(ask(line))
            except Exception as error:  # noqa: BLE001  # whatever a contestant raises is a mark against it
                found.append(((), NO_ANSWER))
                errors.append(f"{type(error).__name__}: {error}".strip(": "))
        seconds, cpu_seconds = clock() - start, process_time() - cpu_start
        return _gather_answers(found, puzzles, seconds, errors)._replace(cpu_seconds=cpu_seconds)

    return run


def array_runner(make: Callable[[Boxes], AskArray], clock: Clock = perf_counter) -> Runner:
    """Return the runner of a contestant that takes an array of puzzles."""

    def run(puzzles: GivensArray, boxes: Boxes) -> Answers:
        ask = make(boxes)
        start, cpu_start = clock(), process_time()
        solutions, counts = ask(puzzles, LIMIT)
        seconds, cpu_seconds = clock() - start, process_time() - cpu_start
        if np.shape(solutions) != puzzles.shape or np.shape(counts) != puzzles.shape[:1]:
            shapes = f"{puzzles.shape} and {puzzles.shape[:1]}"
            raise ValueError(
                f"expected solutions and counts of shapes {shapes}, got {np.shape(solutions)} and {np.shape(counts)}"
            )
        return Answers(np.asarray(solutions, np.uint8), np.asarray(counts, np.int64), seconds, cpu_seconds=cpu_seconds)

    return run


def callable_runner(ask: AskArray, clock: Clock = perf_counter) -> Runner:
    """Return the runner of a function that takes an array of puzzles and a limit, but no boxes."""
    if not callable(ask):
        raise TypeError(f"expected a function, got {ask!r:.80}")
    return array_runner(lambda boxes: ask, clock)  # noqa: ARG005


def command_runner(make: Callable[[Boxes], CommandLineTool], clock: Clock = perf_counter) -> Runner:
    """Return the runner of a program; the shortest of three empty calls is taken off the time of every call."""

    def run(puzzles: GivensArray, boxes: Boxes) -> Answers:
        tool = make(boxes)
        calls = tool.calls(givens_to_lines(puzzles))
        starting = min(_run_timed(tool.empty(), clock)[1] for _ in range(3))
        outputs, seconds = zip(*(_run_timed(call, clock) for call in calls), strict=True)
        # A call can seem quicker than an empty one; a tenth of a start is the shortest time that can be measured.
        took = max(sum(seconds) - starting * len(calls), starting / 10)
        return _gather_answers(list(tool.read(outputs)), puzzles, took, [])

    return run


def _run_timed(call: CommandCall, clock: Clock) -> tuple[str, float]:
    start = clock()
    done = subprocess.run(call.words, input=call.text, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout, clock() - start


def _gather_answers(found: Sequence[LineAnswer], puzzles: GivensArray, seconds: float, errors: Sequence[str]) -> Answers:
    solutions = np.zeros(puzzles.shape, np.uint8)
    for row, (solution, _) in zip(solutions, found, strict=True):
        if len(solution) == len(row):
            row[:] = solution
    counts = np.array([count for _, count in found], np.int64)
    return Answers(solutions, counts, seconds, errors[0] if errors else "")


RUNNERS: dict[str, Callable[..., Runner]] = {
    "one": line_runner,
    "many": array_runner,
    "process": command_runner,
    "callable": callable_runner,
}
"""The runners by the kind of contestant."""
