"""All code that common questions need, compiled once on a machine: ``python -m sudoku_cp.service.common_kernels``.

A worker that is still compiling when its deadline comes is stopped, and what it compiled is lost. A process of its own, which no
deadline stops, spares every later question that; an image is built with it, too.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sudoku_cp
from sudoku_cp.backends import Limits
from sudoku_cp.compile_cache import cache_dir_for, can_compile
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic import make_board
from sudoku_cp.logic.proofs.part_clauses import literal_numbers
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.service.questions.plain_grids import warm_up

if TYPE_CHECKING:
    from collections.abc import Callable

POLITE = 5
"""How far the process stands back behind others (``nice``): not much, since they may wait for what it compiles."""
HARD = "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1"
"""A puzzle (AI Escargot) for which every technique of a path and every kind of chain in a rating is tried."""
HARD_WITH_DIAGONALS = "..3.27....2..5....7..........248......8..92.3........4...1.5..9.......5.6........"
"""The same for a rating of variants, whose code is another."""
_SECONDS = 20.0
"""For each question; while code compiles, clocks stand still."""
_WISHES: tuple[dict[str, Any], ...] = (
    *({}, {"difficulty": "easy"}, {"difficulty": "hard"}, {"guesses": (1, 3)}),
    *({"size": 6}, {"size": 4}, {"size": 16}),
)
"""Requests of new puzzles, each of which needs code of its own."""


def compile_common_kernels() -> None:
    """Ask what needs each kernel, unless that has been done with these sources on this machine."""
    folder = cache_dir_for("common-kernels", sorted(Path(sudoku_cp.__file__).parent.rglob("*.py"))) if can_compile() else None
    if folder is None or (folder / "done").exists():
        return
    for question in QUESTIONS:
        question()
    (folder / "done").touch()


def _walk() -> None:
    sudoku_cp.steps(Puzzle.parse(HARD), limits=Limits(seconds=_SECONDS))


def _refute() -> None:
    from sudoku_cp.logic.proofs.array_refutation import NO_BOUND, board_refutation  # noqa: PLC0415  # imports NumPy

    # Asked for rating, explanation or hint, this would be searched without compiled code until it has taken long.
    board = make_board(Puzzle.parse(HARD))
    board_refutation(board).least([literal_numbers(board.layout).literal(1, 1)], NO_BOUND, board.tick)


def _search_natively() -> None:
    from sudoku_cp.backends.native.compiled_session import compile_kernel  # noqa: PLC0415  # imports Numba

    compile_kernel()


def _generate() -> None:
    for wishes in _WISHES:
        list(sudoku_cp.generate(1, seed=3, limits=Limits(seconds=_SECONDS), **wishes))


def _count() -> None:
    with suppress(LimitReached):
        sudoku_cp.count(Puzzle(), limits=Limits(seconds=1))


def _rate() -> None:
    sudoku_cp.rate(Puzzle.parse(HARD), "se,sukaku", limits=Limits(seconds=_SECONDS))


def _rate_variants() -> None:
    from sudoku_cp.rules.regions import Diagonals  # noqa: PLC0415  # only what is needed

    puzzle = Puzzle.parse(HARD_WITH_DIAGONALS)
    limits = Limits(seconds=_SECONDS)
    sudoku_cp.rate(Puzzle(puzzle.grid, (*puzzle.rules, Diagonals()), puzzle.givens), "sukaku", limits=limits)


def _trim() -> None:
    from sudoku_cp.proof.lemma_trimming import needed_lemmas  # noqa: PLC0415  # imports NumPy

    needed_lemmas([[1, 2], [1, -2], [-1, 2], [-1, -2]], [[1], []], int)  # only long proofs are trimmed


QUESTIONS: tuple[Callable[[], object], ...] = (
    *(warm_up, _walk, _refute, _search_natively, _generate),
    *(_count, _rate, _rate_variants, _trim),
)
"""What is asked, that which somebody at the page asks first in front."""

if __name__ == "__main__":
    os.nice(POLITE)
    compile_common_kernels()
