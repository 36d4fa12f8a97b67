"""The request, the results, and the two protocols of this package: generators of puzzles, and targets that measure them.

Puzzle ``number`` of a seed and a request is always the same puzzle: it depends neither on time, nor on the number of workers,
nor on which other numbers are made with it. So a run can be split, stopped and resumed. Another request draws other random
numbers from the same seed (`api.request_seed`), so that two requests do not share their solutions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sudoku_cp.arguments import CheckedFields, ShortRepr
from sudoku_cp.generate.difficulty_mix import DifficultyMix
from sudoku_cp.generate.requested_ratings import Needed, RatingSpan, techniques_of
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.logic.rating.levels import LEVELS, LevelBand, Levels
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.isomorphism.canonical_labelling import label_graph, puzzle_graph, rule_structure
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules.base import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.errors import Reason


# The symmetries of rules: permutations of the cells, and renamings of the values.


CELLS = 100
"""On larger boards it takes seconds to find out whether values can be mirrored."""


def can_rename_values(puzzle: Puzzle, tick: Callable[[], object] = int) -> bool:
    """Return whether every renaming of the values maps solutions of the puzzle without givens to solutions."""
    return not puzzle.candidates and puzzle.model(tick).is_houses


def can_mirror_values(puzzle: Puzzle, tick: Callable[[], object] = int) -> bool:
    """Return whether v -> lowest + highest - v maps solutions of the puzzle without givens to solutions.

    On boards of more than `CELLS` cells it returns False.
    """
    if len(puzzle.grid.cells) > CELLS:
        return False
    structured = rule_structure(puzzle.grid, puzzle.rules, tick)
    return not puzzle.candidates and structured.mirror == structured.constraints


def symmetry_generators(puzzle: Puzzle, tick: Callable[[], object] = int) -> Sequence[Sequence[Cell]]:
    """Return generators of the cell permutations that keep the rules, each as the images of cell 0, cell 1, ..."""
    structured = rule_structure(puzzle.grid, puzzle.rules, tick)
    return [generator[: structured.board] for generator in label_graph(puzzle_graph(structured), tick).generators]


GENERATION = 2
"""Part of every seed; raised whenever the plain puzzles of a seed change."""


class Span(NamedTuple):
    """The numbers from ``least`` to ``most``, both included; None is no upper bound."""

    least: int
    most: int | None = None

    def __str__(self) -> str:
        """Return the span as people write it: ``3``, ``3..7``, ``3..``."""
        if self.least == self.most:
            return str(self.least)
        return f"{self.least}..{'' if self.most is None else self.most}"

    def miss(self, number: int) -> int:
        """Return the distance of a number from the span, 0 within it."""
        if number < self.least:
            return self.least - number
        return 0 if self.most is None or number <= self.most else number - self.most


SINGLES_LEVELS = LEVELS.names[:2]
"""The usual levels of puzzles that singles solve: with hidden ones alone, and with naked ones too."""


@dataclass(frozen=True)
class GenerateRequest(CheckedFields):
    """What each puzzle of a run must be like.

    All puzzles obey ``rules``. Each has its own clues of every family in ``families`` (kinds of rules that have cells:
    killer-cage, thermometer, ...), chosen in a ``style``, and its own irregular regions with ``jigsaw``. ``symmetry`` and
    ``pattern`` (the cells given) say where the givens stand, ``givens`` how many there are; in a ``minimal`` puzzle no given and
    no clue can be left out. Named steps solve a puzzle with clues, unless it may have ``any_path``. The other fields are about
    difficulty: in a ``mix`` several levels take turns, a ``rating`` is a span on a scale, and the path by the easiest steps
    ``needs`` these techniques, or one of each tuple of them. A ``difficulty`` is the name of one of the ``levels``.
    """

    grid: Grid = field(default_factory=Grid.square)
    rules: tuple[Rule, ...] = CLASSIC
    families: tuple[str, ...] = ()
    style: str = ""
    jigsaw: bool = False
    symmetry: str = "none"
    pattern: tuple[Cell, ...] | None = None
    givens: Span | None = None
    minimal: bool = False
    any_path: bool = False
    difficulty: str | None = None
    guesses: Span | None = None
    singles_only: bool = False
    mix: DifficultyMix | None = None
    rating: RatingSpan | None = None
    needs: tuple[Needed, ...] = ()
    levels: Levels = LEVELS

    @property
    def band(self) -> LevelBand | None:
        """The level requested for every puzzle; None without one, and for those that singles decide."""
        if self.difficulty is None or (self.levels == LEVELS and self.difficulty in SINGLES_LEVELS):
            return None
        return self.levels.named(self.difficulty)

    @property
    def has_difficulty(self) -> bool:
        """Whether a difficulty is requested for every puzzle."""
        return self.difficulty is not None or self.guesses is not None or self.singles_only or self.is_rated

    @property
    def measured(self) -> dict[str, str | None]:
        """What is asked for and can be measured on a puzzle, by its name, as people write it."""
        return {
            "givens": None if self.givens is None else str(self.givens),
            "difficulty": str(self.mix) if self.mix else self.difficulty,
            "guesses": None if self.guesses is None else str(self.guesses),
            "rating": None if self.rating is None else str(self.rating),
        }

    def unmet_words(self, names: Collection[str] | None = None) -> str:
        """Name the wishes that a puzzle misses: those of these names, or all that make it easy or hard."""
        needs = " or ".join(str(one) for needed in self.needs for one in techniques_of(needed))
        wishes: dict[str, object] = {**self.measured, "singles_only": self.singles_only, "needs": needs}
        wishes |= {"minimal": self.minimal and names is not None}
        wanted = {name: text for name, text in wishes.items() if text and (names is None or name in names)}
        return f"not as asked for: {', '.join(name if text is True else f'{name} {text}' for name, text in wanted.items())}"

    @property
    def is_rated(self) -> bool:
        """Whether every puzzle must be rated, which takes much longer than to make it."""
        return self.rating is not None or bool(self.needs) or self.band is not None


@dataclass(frozen=True, repr=False)
class GeneratedPuzzle(ShortRepr):
    """A generated puzzle, which states its solution, and its ``number`` in the run.

    ``tries`` is the number of attempts that it took. A ``reason`` names the limit that came first: the puzzle is valid and has
    one solution, but does not fulfil the whole request, and ``missed`` says in words what is missing.
    """

    number: int
    puzzle: Puzzle
    tries: int = 1
    reason: Reason | None = None
    missed: str = ""


@dataclass(frozen=True)
class PuzzleArray:
    """Many puzzles as arrays: their ``numbers`` (N,), ``givens`` (N, cells), 0 in blank cells, ``solutions`` and ``tries`` (N,).

    All have the grid and rules of ``base``, which has no givens, and fulfil the whole request.
    """

    base: Puzzle
    numbers: NDArray[np.int64]
    givens: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    tries: NDArray[np.int64]

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp] | slice) -> PuzzleArray:
        """Return the selected puzzles."""
        return PuzzleArray(self.base, self.numbers[which], self.givens[which], self.solutions[which], self.tries[which])

    def each(self) -> Iterator[GeneratedPuzzle]:
        """Yield the puzzles one by one."""
        grid, rules = self.base.grid, self.base.rules
        rows = zip(self.numbers.tolist(), self.givens.tolist(), self.solutions.tolist(), self.tries.tolist(), strict=True)
        for number, givens, solution, tries in rows:
            given = {cell: value for cell, value in enumerate(givens) if value}
            yield GeneratedPuzzle(number, Puzzle(grid, rules, given, solution=tuple(solution)), tries)


class Generator(Protocol):
    """Makes puzzles; one object serves a whole run.

    ``engine`` names the engine that found their solutions to be unique, so that another one can prove it. ``chunk_size`` is
    the best number of puzzles to make in one call.
    """

    engine: str
    chunk_size: int

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzle of each number, in the order in which they are finished.

        The seconds of ``limits`` are for each puzzle; where many are made at a time they count from the last one finished.
        Raises `LimitReached` after everything finished was yielded, if the limit left some numbers without a puzzle.
        """
        ...


class Target(Protocol):
    """A property that puzzles must have beyond a unique solution; any measure of puzzles can be a target."""

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the distance of each puzzle from the target, 0 where it is reached.

        ``givens`` (N, cells), 0 in blank cells, belong to puzzles with the grid and rules of ``base``, each with one solution.
        """
        ...


# Independent random streams: one for each puzzle and purpose, whatever was drawn before.


def random_stream(seed: int, number: int, *purpose: object) -> Random:
    """Return the random generator for one purpose of puzzle ``number`` of ``seed``."""
    return Random(":".join(map(str, (GENERATION, seed, number, *purpose))))  # noqa: S311  # it must be reproducible
