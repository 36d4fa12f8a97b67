"""Proofs that puzzles have one solution, by a different engine from the one that made them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp import queries
from sudoku_cp.backends import Limits, SupportsArrays, backend
from sudoku_cp.backends.fast import house_cells, shape_of, side_of
from sudoku_cp.errors import LimitReached, WrongAnswer
from sudoku_cp.generate.base import GENERATION, GeneratedPuzzle, PuzzleArray
from sudoku_cp.puzzle import puzzle_to_short_json
from sudoku_cp.queries.solution_search import limits_for_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer

SMALL = 100
"""Up to this number of cells search without learning is far quicker than SAT."""
BUDGET = 2000
"""Nodes after which the next engine is tried."""
ARRAY_PROVER = "fast:scalar"
"""The engine that proves arrays of plain boards at once: some microseconds for each."""


def prover_names(engine: str, puzzle: Puzzle) -> tuple[str, ...]:
    """Return the engines to try in turn on a puzzle that ``engine`` made; none of them shares its search."""
    small = len(puzzle.grid.cells) <= SMALL
    if engine.startswith("fast"):
        engines = [ARRAY_PROVER, "sat"] if small else ["sat"]
    else:
        engines = ["native", "cpsat"] if small and puzzle.model().is_houses else ["cpsat", "sat"]
    return tuple(name for name in engines if name not in {engine, engine.partition(":")[0]})


def iter_proofs(
    part: PuzzleArray | GeneratedPuzzle, which: NDArray[np.bool_], engine: str, limits: Limits, first: Limits
) -> Iterator[str]:
    """Yield the name of the engine that proved each puzzle to have one solution, empty where ``which`` is false.

    ``engine`` made the puzzles; ``limits`` are for each proof but the first. Raises `LimitReached`, and `WrongAnswer` with the
    puzzle where the engines disagree, which is a defect.
    """
    engines = prover_names(engine, part.base if isinstance(part, PuzzleArray) else part.puzzle)
    proved = np.zeros(len(which), np.bool_)
    if isinstance(part, PuzzleArray) and engines[0] == ARRAY_PROVER:
        proved[which] = _prove_array(part.only(which), limits)
    rest = which & ~proved
    made = iter(part.only(rest).each() if isinstance(part, PuzzleArray) else [part])
    for wanted, is_proved in zip(which.tolist(), proved.tolist(), strict=True):
        if is_proved:
            yield ARRAY_PROVER
        else:
            yield _prove_puzzle(next(made), engines, engine, first) if wanted else ""
        first = limits if wanted else first


def _prove_array(part: PuzzleArray, limits: Limits) -> NDArray[np.bool_]:
    """Return which puzzles the array engine proves to have the stated solution and no other, within `BUDGET` nodes each.

    The others are left to proofs one by one, which say what is the matter with them.
    """
    session = backend(ARRAY_PROVER).open(part.base.model())
    assert isinstance(session, SupportsArrays)  # noqa: S101  # it is its purpose
    answer = session.solve_many(part.givens, 2, limits=limits_for_all(replace(limits, nodes=BUDGET), len(part.numbers)))
    agrees: NDArray[np.bool_] = (answer.solutions == part.solutions).all(axis=1)
    agrees &= answer.exact & (answer.counts == 1)
    return agrees & _obey_houses(part)


def _obey_houses(part: PuzzleArray) -> NDArray[np.bool_]:
    """Return which stated solutions have every value in each row, column and box and agree with their givens."""
    boxes = shape_of(part.base.model())
    assert boxes  # noqa: S101  # the array engine takes the model
    full = (2 << side_of(boxes)) - 2
    sets = np.left_shift(np.uint32(1), part.solutions, dtype=np.uint32)
    right: NDArray[np.bool_] = ((part.givens == 0) | (part.givens == part.solutions)).all(axis=1)
    for house in house_cells(boxes):
        right &= np.bitwise_or.reduce(sets[:, house], axis=1) == full
    return right


def _prove_puzzle(made: GeneratedPuzzle, engines: Sequence[str], engine: str, limits: Limits) -> str:
    """Return the name of the engine that proved a puzzle; all that are tried share its time."""
    clock = limits.started()
    for name in engines:
        nodes = limits.nodes if name == engines[-1] else BUDGET
        answer = queries.solve(made.puzzle, backend=name, limits=replace(clock.left(), nodes=nodes))
        if answer.reason is None:
            _check_agreement(made, answer, engine)
            return name
        if answer.reason != "nodes" or name == engines[-1]:
            raise LimitReached(answer.reason, f"no other engine has yet proved that puzzle {made.number} has one solution")
    raise AssertionError(engines)


def _check_agreement(made: GeneratedPuzzle, answer: Answer, engine: str) -> None:
    if answer.status != "unique" or answer.solution != made.puzzle.solution:
        raise WrongAnswer(
            f"expected puzzle {made.number} to have the one solution that {engine} found, got from {answer.backend}:"
            f" {answer.status}; it is {puzzle_to_short_json(made.puzzle)}"
        )


def sample_to_prove(seed: int, numbers: NDArray[np.int64], share: float) -> NDArray[np.bool_]:
    """Choose the sample of puzzles to be proved: about that share of them, the same in every run."""
    if share in {0, 1}:
        return np.full(len(numbers), bool(share))
    drawn = _mix_bits(numbers.astype(np.uint64) ^ _mix_bits(np.array([seed % (1 << 64) ^ GENERATION], np.uint64)))
    return drawn < np.uint64(share * 2.0**64)


def _mix_bits(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return 64 bits that depend on all bits of each number (the finaliser of SplitMix64: G. L. Steele and others, 2014)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)
