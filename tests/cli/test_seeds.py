"""Seeds and errors of estimates mean the same at every door: what cannot be meant is refused, and named."""

from __future__ import annotations

import pytest

from sudoku_cp import Limits, Puzzle, estimate, generate, random_solution
from sudoku_cp.errors import SEEDS, InvalidInput
from sudoku_cp.generate.fewest import fewest_givens

PUZZLE = "1..............."
SOLVED = "1234341221434321"
WORDS = f"expected a seed from 0 to {SEEDS - 1}, got "
WRONG = (-1, SEEDS)
LIBRARY = {
    "generate": lambda seed: next(generate(1, seed=seed, size=4)),
    "random_solution": lambda seed: random_solution(Puzzle.parse(PUZZLE), seed=seed),
    "estimate": lambda seed: estimate(Puzzle.parse(PUZZLE), seed=seed),
    "fewest_givens": lambda seed: fewest_givens(Puzzle.parse(SOLVED), seed=seed, limits=Limits(9)),
}
COMMANDS = {
    "generate": ["generate", "--size", "4"],
    "solve": ["solve", "--random", PUZZLE],
    "count": ["count", "--estimate", PUZZLE],
    "fewest": ["fewest", SOLVED],
    "compare": ["compare", "--fuzz", "1", "--backends", "native,sat"],
}


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_refuses_a_seed_out_of_range(name: str) -> None:
    """Every function that takes a seed takes the same ones, and says which."""
    for seed in WRONG:
        with pytest.raises(InvalidInput, match=WORDS + str(seed)):
            LIBRARY[name](seed)
    LIBRARY[name](SEEDS - 1)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_line_refuses_a_seed_out_of_range(call, name: str) -> None:
    """Every verb with --seed ends with exit code 2 and the same words."""
    for seed in WRONG:
        ended = call(*COMMANDS[name], "--seed", seed)
        assert (ended.code, ended.out) == (2, "")
        assert WORDS + str(seed) in ended.err


def test_an_error_without_an_estimate_is_refused(call) -> None:
    """The width of an interval, even the usual one, means nothing to an exact count."""
    for error in ("0.1", "0.05"):
        ended = call("count", PUZZLE, "--error", error)
        assert (ended.code, ended.out) == (2, "")
        assert "--error needs --estimate" in ended.err
    assert call("count", PUZZLE, "--error", "0.1", "--estimate").code == 0
