"""How beautiful a puzzle with clues is: named flaws, each a number from a small function, and their weighted sum.

People who edit puzzles look before they solve. A flaw that a puzzle does not have is 0, one that spoils it about 1.
Nothing here knows how a puzzle was made: everything is read off what its rules draw, so any puzzle can be measured.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.cosmetics import Cage, Clue, DrawnArrow, Line, Pill, Shade, unconditional_drawables
from sudoku_cp.generate.variants.proposals import Spot, move_spot, spots_of, spots_of_cells, spots_of_edge, spots_of_line
from sudoku_cp.puzzle.pattern_symmetry import symmetry_moves, symmetry_names
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.outside_clues import Sandwich

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sudoku_cp.cosmetics import Drawable
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule

SIMPLE = ("rot180", "mirror", "mirror-down", "diagonal", "antidiagonal")
"""The symmetries of one move: every other one has one of them too."""
FULL = 0.9
"""Where clues cover more of the board than this, givens have no other place than on clues."""
LONG, LARGE = 4, 3
"""Lines and cages of so many cells are not tiny."""
KINDS = 2
"""One or two kinds of clues make one idea."""
VARIED = 4
"""From so many totals on, it matters whether they are the same."""


@dataclass(frozen=True)
class DrawnClue:
    """What a rule draws: the ``spots`` that it takes, the cells of its ``lines`` and ``areas``, and its ``texts``."""

    kind: str
    spots: frozenset[Spot]
    lines: tuple[tuple[Cell, ...], ...] = ()
    areas: tuple[tuple[Cell, ...], ...] = ()
    texts: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """The cells that it covers."""
        return frozenset(cell for cells in (*self.lines, *self.areas) for cell in cells)


def drawn_clues(puzzle: Puzzle) -> list[DrawnClue]:
    """Return what each rule draws; rules that draw nothing are left out."""
    found = (_drawn_clue(puzzle.grid, rule) for rule in puzzle.rules if not isinstance(rule, Houses))
    return [clue for clue in found if clue.spots]


def _drawn_clue(grid: Grid, rule: Rule) -> DrawnClue:
    things = [*unconditional_drawables(rule.cosmetics(grid))]
    spots = frozenset(spot for thing in things for spot in _spots_of(grid, thing))
    if isinstance(rule, Sandwich):  # it says the same from the other end
        spots |= spots_of("outside", [_place_before(grid, rule.cells[::-1])])
    return DrawnClue(
        rule.kind,
        spots,
        tuple(thing.cells for thing in things if isinstance(thing, Line | DrawnArrow)),
        tuple(thing.cells for thing in things if isinstance(thing, Cage | Pill | Shade)),
        tuple(text for thing in things if (text := getattr(thing, "text", ""))),
    )


def _spots_of(grid: Grid, thing: Drawable) -> frozenset[Spot]:
    match thing:
        case Line() | DrawnArrow():
            return spots_of_line(grid, thing.cells)
        case Cage() | Pill() | Shade():
            inner = (spots_of_edge(grid, *pair) for pair in grid.pairs((0, 1), (1, 0)) if set(pair) <= set(thing.cells))
            return spots_of_cells("cage", grid, thing.cells).union(*inner)
        case Clue():
            return spots_of("outside", [_place_before(grid, thing.cells)])
    if len(thing.cells) == 2:  # noqa: PLR2004  # on an edge
        return spots_of_edge(grid, *thing.cells)
    return spots_of_cells("corner" if len(thing.cells) > 1 else "sign", grid, (min(thing.cells),))


def _place_before(grid: Grid, cells: tuple[Cell, ...]) -> Place:
    (row, column), (below, right) = grid.places[cells[0]], grid.places[cells[min(1, len(cells) - 1)]]
    return 2 * row - below, 2 * column - right


# --- flaws ------------------------------------------------------------------------------------------------------


def asymmetry(puzzle: Puzzle) -> float:
    """Return the share of clues and givens whose image is missing, under the symmetry that fits best."""
    grid = puzzle.grid
    marks = {spot for clue in drawn_clues(puzzle) for spot in clue.spots} | spots_of_cells("given", grid, puzzle.givens)
    if not marks:
        return 0.0
    names = [name for name in SIMPLE if name in symmetry_names(grid)]
    missing = [sum(move_spot(spot, move) not in marks for spot in marks) for name in names for move in symmetry_moves(grid, name)]
    return min(missing, default=len(marks)) / len(marks)


def givens_on_clues(puzzle: Puzzle) -> float:
    """Return the share of givens that are on a line or in a cage; 0 where clues leave no other place."""
    covered = {cell for clue in drawn_clues(puzzle) for cell in clue.cells}
    if not puzzle.givens or len(covered) > FULL * len(puzzle.grid.cells):
        return 0.0
    return len(covered.intersection(puzzle.givens)) / len(puzzle.givens)


def crossings(puzzle: Puzzle) -> float:
    """Return how often clues share a cell, or lines cross, for each clue."""
    clues = drawn_clues(puzzle)
    cells = Counter(cell for clue in clues for cell in clue.cells)
    corners = Counter(spot for clue in clues if clue.lines for spot in clue.spots if spot[0] in {"corner", "right", "below"})
    return sum(number - 1 for counter in (cells, corners) for number in counter.values()) / (len(clues) or 1)


def touching(puzzle: Puzzle) -> float:
    """Return the share of the cells under lines that have a cell of another line next to them."""
    home = {cell: number for number, clue in enumerate(drawn_clues(puzzle)) if clue.lines for cell in clue.cells}
    pairs = [pair for pair in puzzle.grid.pairs((0, 1), (1, 0)) if all(cell in home for cell in pair)]
    found = {cell for one, other in pairs if home[one] != home[other] for cell in (one, other)}
    return len(found) / (len(home) or 1)


def scatter(puzzle: Puzzle) -> float:
    """Return the share of lines and cages that are tiny; cages that cover the board may be small."""
    clues = drawn_clues(puzzle)
    covered = {cell for clue in clues for cell in clue.cells}
    sizes = [len(line) < LONG for clue in clues for line in clue.lines]
    if len(covered) <= FULL * len(puzzle.grid.cells):
        sizes += [len(area) < LARGE for clue in clues if not clue.lines for area in clue.areas]
    return sum(sizes) / (len(sizes) or 1)


def several_ideas(puzzle: Puzzle) -> float:
    """Return how many more kinds of clues there are than two."""
    return float(max(0, len({clue.kind for clue in drawn_clues(puzzle)}) - KINDS))


def many_givens(puzzle: Puzzle) -> float:
    """Return the share of cells that are given, 1 for a third of the board."""
    return 3 * len(puzzle.givens) / len(puzzle.grid.cells)


def monotony(puzzle: Puzzle) -> float:
    """Return the share of totals, and of other texts, that are as the most frequent one, beyond a third."""
    by_kind: dict[str, list[str]] = {}
    for clue in drawn_clues(puzzle):
        if clue.texts and any(spot[0] in {"cage", "outside"} for spot in clue.spots):
            by_kind.setdefault(clue.kind, []).extend(clue.texts)
    shares = [Counter(texts).most_common(1)[0][1] / len(texts) for texts in by_kind.values() if len(texts) >= VARIED]
    return max(0.0, max(shares, default=0.0) - 1 / 3) * 1.5


def repetition(puzzle: Puzzle) -> float:
    """Return the share of clues that another clue of the same kind says too: about the same cells, or more of the same line."""
    groups: dict[str, list[frozenset[Cell]]] = {}
    for rule in puzzle.rules:
        if (cells := getattr(rule, "cells", None)) and not isinstance(rule, Houses):
            groups.setdefault(rule.kind, []).append(frozenset(cells))
    pairs = [pair for sets in groups.values() for pair in combinations(sets, 2)]
    return sum(one == other for one, other in pairs) / (sum(map(len, groups.values())) or 1)


Flaw: TypeAlias = "Callable[[Puzzle], float]"

FLAWS: Mapping[Flaw, float] = MappingProxyType(
    {
        asymmetry: 3.0,
        givens_on_clues: 1.0,
        crossings: 2.0,
        touching: 0.3,
        scatter: 0.5,
        several_ideas: 0.5,
        many_givens: 1.0,
        monotony: 0.5,
        repetition: 3.0,
    }
)
"""Every flaw and its weight."""


def flaws(puzzle: Puzzle) -> Iterator[tuple[str, float]]:
    """Yield every flaw with its name, without its weight."""
    for flaw in FLAWS:
        yield flaw.__name__, flaw(puzzle)


def ugliness(puzzle: Puzzle) -> float:
    """Return the weighted sum of all flaws: the less, the more beautiful."""
    return sum(weight * flaw(puzzle) for flaw, weight in FLAWS.items())
