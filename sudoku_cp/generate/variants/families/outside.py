"""Clues outside the board, which look along a row, a column or a diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.finder_family import Finder, FinderContext, FinderFamily
from sudoku_cp.generate.variants.proposals import Proposal, Spot, spots_of
from sudoku_cp.rules.outside_clues import HiddenSkyscraper, LittleKiller, NumberedRoom, Sandwich, Skyscraper, XSum
from sudoku_cp.rules.ranks import FullRank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules.base import Cells, Rule

    Look = Callable[[Sequence[int], FinderContext, Cells], Rule | None]
    """Returns the clue for the values along a line of sight."""

PLAIN = 1.4
"""The cost of a clue that reveals its first cell, and is as good as a given."""
LONG = 81
"""The most cells times summands of an X-sum: longer sums are no fun, and take seconds to translate."""


# --- along rows and columns -------------------------------------------------------------------------------------


def _both_ways(context: FinderContext) -> Iterator[Cells]:
    """Yield every row and column, read from both ends."""
    for cells in context.grid.lines:
        yield from (cells, cells[::-1]) if len(cells) > 1 else ()


def _from_the_left(context: FinderContext) -> Iterator[Cells]:
    """Yield every row and column once: clues that mean the same from both ends stand on the left and above."""
    yield from (cells for cells in context.grid.lines if len(cells) > 1)


def _diagonals(context: FinderContext) -> Iterator[Cells]:
    """Yield all diagonals of at least two cells from a random end, with a symmetry from ends that are each other's images."""
    grid, at = context.grid, context.grid.cell_at
    seen: set[frozenset[Cell]] = set()
    for start, (row, column) in enumerate(grid.places):
        for down, right in ((1, 1), (1, -1)):
            cells = [start]
            while (place := (row + down * len(cells), column + right * len(cells))) in at:
                cells.append(at[place])
            if len(cells) > 1 and (row - down, column - right) not in at and frozenset(cells) not in seen:
                end = context.random.choice((tuple(cells), tuple(reversed(cells))))
                images = context.images(end)
                seen.update(map(frozenset, images))
                yield from () if context.is_moved_onto_itself(end) else images


def _clue_place(grid: Grid, cells: Cells) -> Place:
    """Return the place of a clue, before the first cell."""
    (row, column), (below, right) = grid.places[cells[0]], grid.places[cells[1]]
    return 2 * row - below, 2 * column - right


def _spots(grid: Grid, place: Place, first: Cell) -> frozenset[Spot]:
    """Return the spots of a clue: its place, and for a diagonal the corner on the border that its arrow points to."""
    row, column = grid.places[first]
    corner = (min(row, place[0]), min(column, place[1]))
    return spots_of("outside", [place]) | spots_of("corner", [corner] if row != place[0] and column != place[1] else [])


def _outside_finder(ways: Callable[[FinderContext], Iterable[Cells]], look: Look, *, both: bool = False) -> Finder:
    """Return a finder that proposes a clue for each line of sight that begins outside the grid; ``both`` ends mean the same."""

    def find(context: FinderContext) -> Iterator[Proposal]:
        grid, values = context.grid, context.values
        for cells in ways(context):
            place = _clue_place(grid, cells)
            line = [values[cell] for cell in cells]
            rule = None if place in grid.cell_at else look(line, context, cells)
            if rule is not None:
                reveals_first = line[0] == 1 and isinstance(rule, XSum | NumberedRoom)
                spots = _spots(grid, place, cells[0])
                if both:
                    spots |= _spots(grid, _clue_place(grid, cells[::-1]), cells[-1])
                yield Proposal((rule,), PLAIN if reveals_first else 1.0, spots)

    return find


# --- what is seen -----------------------------------------------------------------------------------------------


def _sandwich(line: Sequence[int], context: FinderContext, cells: Cells) -> Rule | None:
    crusts = context.grid.values[0], context.grid.values[-1]
    if any(line.count(crust) != 1 for crust in crusts):
        return None
    start, end = sorted(map(line.index, crusts))
    return Sandwich(cells, sum(line[start + 1 : end])) if start < end else None


def _skyscraper(line: Sequence[int], _: FinderContext, cells: Cells) -> Rule:
    return Skyscraper(cells, sum(value > max(line[:place], default=0) for place, value in enumerate(line)))


def _hidden(line: Sequence[int], _: FinderContext, cells: Cells) -> Rule | None:
    hidden = [value for place, value in enumerate(line) if value < max(line[:place], default=0)]
    return HiddenSkyscraper(cells, hidden[0]) if hidden else None


def _x_sum(line: Sequence[int], _: FinderContext, cells: Cells) -> Rule | None:
    return XSum(cells, sum(line[: line[0]])) if 1 <= line[0] <= min(len(line), LONG // len(line)) else None


def _room(line: Sequence[int], _: FinderContext, cells: Cells) -> Rule | None:
    return NumberedRoom(cells, line[line[0] - 1]) if 1 <= line[0] <= len(line) else None


def _rank(line: Sequence[int], context: FinderContext, cells: Cells) -> Rule | None:
    grid, values = context.grid, context.values
    others = (one for same in grid.lines if len(same) == len(cells) for one in (same, same[::-1]))
    rule = FullRank(cells, 1 + sum([values[cell] for cell in one] < [*line] for one in others))
    return rule if len(grid.boards) == 1 and not [*rule.problems(grid)] else None


OUTSIDE_FAMILIES = (
    FinderFamily("sandwich", (), _outside_finder(_from_the_left, _sandwich, both=True), 4.5),
    FinderFamily(
        "little-killer", ("lk",), _outside_finder(_diagonals, lambda line, _, cells: LittleKiller(cells, sum(line))), 3.4
    ),
    FinderFamily("x-sum", ("xsum",), _outside_finder(_both_ways, _x_sum), 4),
    FinderFamily("skyscraper", (), _outside_finder(_both_ways, _skyscraper), 3),
    FinderFamily("hidden-skyscraper", (), _outside_finder(_both_ways, _hidden), 3),
    FinderFamily("numbered-room", ("room",), _outside_finder(_both_ways, _room), 4),
    FinderFamily("full-rank", ("rank",), _outside_finder(_both_ways, _rank), 5),
)
