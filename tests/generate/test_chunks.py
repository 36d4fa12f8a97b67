"""Chunks and their deadlines: time is reserved for the proof, and only seconds of compilation are made up for."""

from __future__ import annotations

from time import sleep

import numpy as np
import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate import chunks
from sudoku_cp.generate.base import GeneratedPuzzle
from sudoku_cp.generate.chunks import GeneratedChunk, ProvedPuzzles, generate_chunk
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import Answer

FOUR = Grid.square(4)
SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
ONE = Puzzle(FOUR, givens=dict(enumerate(SOLVED[1:], 1)), solution=SOLVED)
LATE = LimitReached("deadline", "over")


class Noting:
    """A generator that records its limits."""

    generate_chunk = 1

    def __init__(self, engine: str, takes: float = 0.0) -> None:
        """``takes`` is the seconds for each puzzle, whatever the limits are."""
        self.engine, self.limits, self._takes = engine, Limits(), takes

    def make(self, numbers, limits):
        """Yield the same puzzle for each number."""
        self.limits = limits
        for number in numbers:
            sleep(self._takes)
            yield GeneratedPuzzle(number, ONE)


@pytest.mark.parametrize(
    ("engine", "seconds", "share", "left"),
    [
        ("sat", 2.0, 1.0, 1.6),
        ("sat", 10.0, 1.0, 9.0),
        ("sat", 60.0, 1.0, 57.0),
        ("sat", 2.0, 0.0, 2.0),
        ("fast:lanes", 2.0, 1.0, 1.9),
        ("sat", None, 1.0, None),
    ],
)
def test_time_is_kept_for_a_proof(engine: str, seconds: float | None, share: float, left: float | None) -> None:
    """Puzzles whose proof takes long get less than the whole time for making."""
    generator = Noting(engine)
    assert generate_chunk(generator, 0, [0], share, Limits(seconds)).cut is None
    assert generator.limits.seconds == (None if left is None else pytest.approx(left))


def test_a_puzzle_made_at_the_last_moment_is_proved() -> None:
    """Even if no time is left, a short proof is not cut off."""
    assert len(generate_chunk(Noting("sat", takes=0.3), 0, [0], 1.0, Limits(0.3)).parts) == 1


def test_a_puzzle_and_its_proof_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However late the puzzle is made, its proof ends with the time for it; the engines that are tried share that."""
    now = [0.0]
    monkeypatch.setattr("sudoku_cp.time_limits.perf_counter", lambda: now[0])
    given = []

    def solve(puzzle, *, backend, limits):
        given.append(limits.seconds)
        now[0] += limits.seconds / 2
        return Answer("unknown", 0, exact=False, backend=backend, seconds=0.0, reason="nodes")

    monkeypatch.setattr("sudoku_cp.queries.solve", solve)
    for late in (0.1, 0.4, 0.5):
        now[0] = 0.0
        given.clear()
        generator = Noting("sat")
        monkeypatch.setattr("tests.generate.test_chunks.sleep", lambda _, late=late: now.__setitem__(0, late))
        generate_chunk(generator, 0, [0], 1.0, Limits(0.5))
        assert len(given) == 2
        assert now[0] <= 0.5 + chunks.SPARE


def _cut(made: bool) -> GeneratedChunk:
    """Return a chunk that a deadline cut: with a puzzle dug less than requested, or with none."""
    less = ProvedPuzzles(GeneratedPuzzle(0, ONE, reason="deadline", missed="less dug"), ("cpsat",), np.zeros((1, 2), np.int64))
    return GeneratedChunk(1, (less,) if made else (), None if made else LATE)


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize(("compiling", "again"), [(0.2, []), (4.0, [4.0]), (30.0, [6.0])])
def test_as_many_seconds_are_given_again_as_compiling_took(monkeypatch, made: bool, compiling: float, again: list[float]) -> None:
    """Compilation that left less than half the time is made up for; shorter compilation is not."""
    given, spent = [], iter([0.0, compiling, compiling, compiling])
    monkeypatch.setattr(chunks, "loading_seconds", lambda: next(spent))
    monkeypatch.setattr(chunks, "_generate_chunk", lambda *asked: given.append(asked[-1].seconds) or _cut(made))
    assert generate_chunk(Noting("sat"), 0, [0], 1.0, Limits(6.0)).is_late
    assert given == [6.0, *again]
