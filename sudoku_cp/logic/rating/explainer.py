"""The ratings of Sudoku Explainer 1.2.1 and Sukaku Explainer 1.18.1: how hard the hardest step is on a program's way.

Theory of operation. A program repeats one thing: it tries its techniques in a fixed order, takes the first hint of the first
that has one, and applies it alone. **ER** is the highest rating on the way, **EP** the highest up to the first placement,
**ED** that of the first step. The order of techniques, houses and cells decides which hints those are, so that the way here is
its own: it shares no technique with the ladder. Sukaku Explainer goes the way of Sudoku Explainer with more techniques in
between. `kernel` has both in compiled code; here its steps are called, and the clock is looked at in between.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.arguments import ShortRepr
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.compile_cache import SHORT, CachedModule
from sudoku_cp.errors import Unsupported
from sudoku_cp.logic.kernel_variants import kernel_variant, renamed_kernel
from sudoku_cp.logic.rating.board_kinds import RATED_KINDS, BoardKind, board_kind, make_kind_grid
from sudoku_cp.logic.rating.kernel import (
    basic_techniques,
    bent_wings,
    cycles,
    grid,
    ladder,
    nested_chains,
    reductions,
    runs,
    strong_links,
    uniqueness,
)
from sudoku_cp.logic.rating.kernel.grid import CELL, DIGIT, HINT_FIELDS, NAME, NAMES, RATING, make_grid
from sudoku_cp.logic.rating.kernel.ladder import (
    CYCLES,
    GRAVES,
    LOOPS_AND_QUADS,
    PAIRS,
    TRIPLETS,
    WINGS,
    find_forcing_chains,
    level_suffix,
)
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


# The compiled code: which modules it is made of, and what is called from outside.


BASICS = (grid, basic_techniques)
LADDER = (*BASICS, uniqueness, cycles, ladder)
LINKS_AND_WINGS = (grid, strong_links, bent_wings)
NETS = (*BASICS, cycles, runs, nested_chains, reductions)
"""The modules of each unit."""


PLAIN_NETS = (*BASICS, runs, kernel_variant(reductions, {"use_nested": reductions.use_nothing}))
"""The same without nested chains, which take most of the time that it takes to compile the nets."""

LADDER_ENTRIES = ("begin", "advance", "find_rung", "take")
LINK_AND_WING_ENTRIES = ("find_strong_links", "find_bent_wing")
NET_ENTRIES = ("clear_runs", "search_cell")
"""What is called from outside; each is compiled when it is first called."""
_TWENTY_SECONDS = "some 20 seconds"
"""The ladder compiles in 20 seconds on a busy machine, the nets in 40 for both kinds."""


@lru_cache(maxsize=8)
def ladder_code(board: str) -> CachedModule:
    """Return the code of the ladder, cycles and simple forcing chains included, for a size of board or for boards of variants."""
    return _code(f"rating-{board}", LADDER, LADDER_ENTRIES, "Sudoku Explainer's rating", _TWENTY_SECONDS)


@lru_cache(maxsize=2)
def link_and_wing_code(board: str) -> CachedModule:
    """Return the code of what Sukaku Explainer adds: strong links and bent wings, on boards of 9x9."""
    return _code(f"rating-links-{board}", LINKS_AND_WINGS, LINK_AND_WING_ENTRIES, "Sukaku Explainer's techniques", SHORT)


@lru_cache(maxsize=8)
def net_code(board: str, *, nested: bool) -> CachedModule:
    """Return the code of multiple and dynamic forcing chains for such boards, with or without nested chains."""
    name = f"rating-{'nested' if nested else 'nets'}-{board}"
    description = f"Sudoku Explainer's {'nested' if nested else 'forcing'} chains"
    modules, duration = (NETS, "about half a minute") if nested else (PLAIN_NETS, _TWENTY_SECONDS)
    return _code(name, modules, NET_ENTRIES, description, duration)


def _code(name: str, modules: Sequence[ModuleType], entries: Sequence[str], description: str, duration: str) -> CachedModule:
    """Return the code of entries, under names of its own: that for several boards may be loaded in one process."""
    return CachedModule.of_functions(name, renamed_kernel(modules, name), entries, description, duration=duration, lean=True)


STEPS_AT_A_TIME = 50
"""Steps that the compiled code takes between two looks at the clock: far less than a tenth of a second."""
UNSOLVED_RATING = 20.0
"""What the program says of a puzzle that it cannot solve."""
HIDDEN_TRIPLETS = 4.0
"""The rating of the last technique below the rungs."""
UNSOLVED_NAME = "beyond dynamic chains with nested multiple chains"
_NAMED = 4
"""The most kinds of rules that a message names."""


class Rung(NamedTuple):
    """A call of compiled code that looks for techniques: the function, and which of them (their number, or their size)."""

    function: str
    argument: int


@dataclass(frozen=True)
class Program:
    """A program whose ratings are given: its ``name`` and version, its rungs between hidden triplets and nets, and its boards.

    Boards are square with boxes, their sides from ``smallest`` to ``largest``, or one of the known kinds of ``variants``; cells
    may have ``candidates`` to begin with. Wings and aligned triplets try the cells that a cell sees house by house, or in reading
    order (``ascending``).
    """

    name: str
    rungs: tuple[Rung, ...]
    candidates: bool
    variants: bool
    ascending: bool
    smallest: int
    largest: int

    @property
    def sizes(self) -> str:
        """The sizes of its boards in words."""
        return f"{'' if self.smallest == self.largest else 'up to '}{self.largest}x{self.largest}"


SUDOKU_EXPLAINER = Program(
    "Sudoku Explainer 1.2.1",
    tuple(Rung("find_rung", number) for number in (WINGS, LOOPS_AND_QUADS, GRAVES, PAIRS, CYCLES, TRIPLETS)),
    candidates=False,
    variants=False,
    ascending=False,
    smallest=1,
    largest=16,
)
SUKAKU_EXPLAINER = Program(
    "Sukaku Explainer 1.18.1",
    (
        Rung("find_strong_links", 2),
        Rung("find_rung", WINGS),
        Rung("find_rung", LOOPS_AND_QUADS),
        Rung("find_strong_links", 3),
        Rung("find_bent_wing", 3),
        Rung("find_rung", GRAVES),
        Rung("find_strong_links", 4),
        Rung("find_bent_wing", 4),
        Rung("find_rung", PAIRS),
        Rung("find_bent_wing", 5),
        Rung("find_rung", CYCLES),
        Rung("find_bent_wing", 6),
        Rung("find_rung", TRIPLETS),
    ),
    candidates=True,
    variants=True,
    ascending=True,
    smallest=9,
    largest=9,
)
PROGRAMS = {"se": SUDOKU_EXPLAINER, "sukaku": SUKAKU_EXPLAINER}
"""By the names of their scales."""


@dataclass(frozen=True)
class ExplainerStep:
    """A hint that was applied: its rating, the technique, the candidates that it eliminates or the one that it places."""

    rating: float
    name: str
    eliminations: tuple[tuple[Cell, int], ...]
    placement: tuple[Cell, int] | None


class RatedBoard(NamedTuple):
    """A board that a program rates: a plain one with boxes of this ``height`` and ``width``, or one of a ``kind``."""

    height: int
    width: int
    kind: BoardKind | None = None

    @property
    def name(self) -> str:
        """The name of the compiled code for it."""
        return f"{self.height}x{self.width}" if self.kind is None else "variants"

    def make_grid(self, *, ascending: bool) -> Any:
        """Return a record with the tables of the board."""
        return make_grid(self.height, self.width, ascending=ascending) if self.kind is None else make_kind_grid(self.kind)


class _Net(NamedTuple):
    """A hint of nets: its numbers, what it removes, and the level of help."""

    hint: NDArray[np.int64]
    removed: NDArray[np.int64]
    level: int


@dataclass(frozen=True, repr=False)
class ExplainerRating(ShortRepr):
    """A rating: ER, EP and ED, the name of the hardest technique, and all steps.

    Where the techniques do not suffice (or the puzzle has no solution, or several) ER is 20, as in the program. They end with
    multiple chains nested in dynamic ones, from 10.0: the program goes on with dynamic chains nested in dynamic ones.
    """

    er: float
    ep: float
    ed: float
    hardest: str
    steps: tuple[ExplainerStep, ...]

    @property
    def is_solved(self) -> bool:
        """Whether the steps fill the grid."""
        return self.er < UNSOLVED_RATING


KnownNets: TypeAlias = dict[bytes, _Net]
"""The nets of positions, by the candidates of all cells."""


def explainer_rating(
    puzzle: Puzzle, program: Program = SUDOKU_EXPLAINER, *, limits: Limits = UNLIMITED, nets: KnownNets | None = None
) -> ExplainerRating:
    """Return the rating of a puzzle on a square board with boxes; the puzzle should have one solution, which is not checked.

    Nets, which take most of the time, are not searched in positions where they are known, and those found are added: so the
    rating of another program need not find them again.
    Raises `Unsupported` for other boards and rules, `LimitReached` when a limit comes first.
    """
    board = rated_board(puzzle, program)
    clock = limits.started()
    found = list(_hints(puzzle, program, board, clock, {} if nets is None else nets))
    values = puzzle.grid.values
    steps = tuple(_make_step(hint, removed, suffix, values) for hint, removed, suffix in found[:-1])
    return _summarize(steps, is_solved=found[-1] is None)


def check_rules(puzzle: Puzzle, program: Program = SUDOKU_EXPLAINER) -> None:
    """Raise `Unsupported` for boards and rules that the program does not rate."""
    rated_board(puzzle, program)


def is_same_way(rating: ExplainerRating) -> bool:
    """Return whether a rating of Sudoku Explainer is that of Sukaku Explainer too: up to hidden triplets both go the same way."""
    return rating.er <= HIDDEN_TRIPLETS


def rated_board(puzzle: Puzzle, program: Program) -> RatedBoard:
    """Return the board of a puzzle, or raise `Unsupported`."""
    grid = puzzle.grid
    board = grid.boards[0]
    if puzzle.candidates and not program.candidates:
        raise _unrated(puzzle, program)
    if puzzle.rules == (Houses(),) and len(grid.boards) == 1 and board.boxes is not None:
        height, width = board.boxes
        is_square = board.rows == board.columns == height * width == len(grid.values)
        is_rated = program.smallest <= board.rows <= program.largest and (program.smallest < program.largest or height == width)
        if is_square and is_rated:
            return RatedBoard(height, width)
    kind = board_kind(grid, puzzle.rules) if program.variants else None
    if kind is None:
        raise _unrated(puzzle, program)
    return RatedBoard(3, 3, kind)


def _unrated(puzzle: Puzzle, program: Program) -> Unsupported:
    """Return the error for a puzzle that the program does not rate."""
    counts = Counter(rule.kind for rule in puzzle.rules)
    every = [kind if number == 1 else f"{kind} ({number} times)" for kind, number in counts.items()] or ["no rules"]
    kinds = ", ".join([*every[:_NAMED], *([f"{len(every) - _NAMED} more kinds"] if len(every) > _NAMED else [])])
    without = "" if program.candidates else " and without candidates"
    besides = f", or one with {RATED_KINDS}," if program.variants else ","
    return Unsupported(
        f"expected a plain puzzle with boxes, {program.sizes}{without}{besides} for the rating of {program.name},"
        f" got {kinds} on {puzzle.grid}{' with candidates' if puzzle.candidates else ''};"
        " puzzles of any rules have a rating by the size of their proofs"
    )


def _hints(puzzle: Puzzle, program: Program, board: RatedBoard, clock: Clock, nets: KnownNets) -> Iterator[Any]:
    """Yield each hint with what it removes and a suffix of its name; at the end whether cells are left, or None."""
    code = ladder_code(board.name)
    grid = board.make_grid(ascending=program.ascending)
    clock.check()
    _begin(puzzle, code, grid)
    hints = np.zeros((STEPS_AT_A_TIME, HINT_FIELDS), np.int64)
    removed = np.zeros((STEPS_AT_A_TIME, len(grid["values"])), np.int64)
    while True:
        count = code.call("advance", grid, hints, removed)
        for step in range(count):
            yield hints[step].tolist(), removed[step].copy(), ""
        clock.check()
        if count == STEPS_AT_A_TIME:
            continue
        if grid["values"].all():
            yield None
            return
        suffix = ""
        if not find_on_rungs(program.rungs, board, grid, clock):
            level = _find_net(board, grid, clock, nets)
            if level is None:
                yield False
                return
            suffix = level_suffix(level)
        yield grid["hint"].tolist(), grid["removed"].copy(), suffix
        code.call("take", grid)
        clock.check()


def _find_net(board: RatedBoard, grid: Any, clock: Clock, nets: KnownNets) -> int | None:
    """Leave the hint of nets in the grid, one that is known or a new one, and return the level of help; None without a hint."""
    position = grid["candidates"].tobytes()
    if position in nets:
        grid["hint"], grid["removed"], level = nets[position]
        return level
    found = find_forcing_chains(partial(net_code, board.name), grid, board.make_grid(ascending=False), clock)
    if found is not None:
        nets[position] = _Net(grid["hint"].copy(), grid["removed"].copy(), found)
    return found


def _begin(puzzle: Puzzle, code: CachedModule, grid: Any) -> None:
    """Set up a grid with givens and candidates; cells with one candidate that no cell they see has count as given."""
    first = puzzle.grid.values[0]
    givens = np.zeros(len(grid["values"]), np.int64)
    for cell, value in puzzle.givens.items():
        givens[cell] = value - first + 1
    code.call("begin", grid, givens)
    if not puzzle.candidates:
        return
    _restrict(puzzle, grid)
    own = grid["candidates"]
    lone = [cell for cell in range(len(own)) if own[cell].bit_count() == 1 and not _excludes(grid, cell)]
    givens[lone] = [int(own[cell]).bit_length() for cell in lone]
    code.call("begin", grid, givens)
    _restrict(puzzle, grid)


def _excludes(grid: Any, cell: int) -> bool:
    """Return whether the one candidate of a cell excludes others: the same digit in what it sees, consecutive ones near it."""
    own = grid["candidates"]
    digit = int(own[cell])
    peers, near = grid["peers"][cell, : grid["degrees"][cell]], grid["near"][cell, : grid["near_counts"][cell]]
    return bool((own[peers] & digit).any() or (own[near] & (digit << 1 | digit >> 1)).any())


def _restrict(puzzle: Puzzle, grid: Any) -> None:
    """Leave open cells only the candidates that the puzzle states."""
    own = grid["candidates"]
    for cell, domain in puzzle.candidates.items():
        own[cell] &= domain >> puzzle.grid.values[0]
    kinds, _, digits = grid["places"].shape
    for kind in range(kinds):
        for house, digit in np.ndindex(int(grid["counts"][kind]), digits):
            held = own[grid["houses"][kind, house]] >> digit & 1
            grid["places"][kind, house, digit] = sum(1 << place for place in held.nonzero()[0].tolist())


def find_on_rungs(rungs: Sequence[Rung], board: RatedBoard, grid: Any, clock: Clock) -> bool:
    """Leave the hint of the first rung that has one in the grid; return whether there is one."""
    for function, argument in rungs:
        compiled = ladder_code(board.name) if function in LADDER_ENTRIES else link_and_wing_code(board.name)
        if compiled.call(function, grid, argument):
            return True
        clock.check()
    return False


def _make_step(hint: list[int], removed: NDArray[np.int64], suffix: str, values: range) -> ExplainerStep:
    first = values[0]
    eliminations = [
        (int(cell), first + digit)
        for cell in removed.nonzero()[0]
        for digit in range(len(values))
        if int(removed[cell]) >> digit & 1
    ]
    placement = (hint[CELL], first + hint[DIGIT]) if hint[CELL] >= 0 else None
    return ExplainerStep(hint[RATING] / 10, NAMES[hint[NAME]] + suffix, tuple(eliminations), placement)


def _summarize(steps: tuple[ExplainerStep, ...], *, is_solved: bool) -> ExplainerRating:
    """Return the rating that follows from the steps."""
    ratings = [step.rating for step in steps]
    placed = next((number for number, step in enumerate(steps, 1) if step.placement), None)
    ed = ratings[0] if ratings else 0.0
    ep = max(ratings[:placed], default=0.0) if placed or is_solved else UNSOLVED_RATING
    if not is_solved:
        return ExplainerRating(UNSOLVED_RATING, ep, ed or UNSOLVED_RATING, UNSOLVED_NAME, steps)
    er = max(ratings, default=0.0)
    return ExplainerRating(er, ep, ed, next((step.name for step in steps if step.rating == er), ""), steps)
