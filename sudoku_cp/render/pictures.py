"""A puzzle or a position as a picture: SVG that stands alone, in a page or a file."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import chain
from math import ceil, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Arrow, Cage, Chevron, Clue, Dot, Line, Loop, Mark, Shade
from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.render.borders import borders_of
from sudoku_cp.render.outside import LINE, ROOM, drawn, legend, placed, styles, told
from sudoku_cp.render.shapes import UNITS, Element, Point, number, printable, shapes, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid, Place

CELL = 50
"""Pixels of a cell's side, unless told."""
MARGIN = 0.1
"""Cells of white around everything."""

UNDER: tuple[type[Cosmetic], ...] = (Shade, Line, Loop, Arrow, Cage)
"""What lies under the grid's own lines, the lowest first."""
OVER: tuple[type[Cosmetic], ...] = (Dot, Mark, Chevron)
"""What lies over them."""

_INKS: Mapping[Origin | None, str] = MappingProxyType(
    {Origin.GIVEN: "#000000", Origin.FORCED: "#1D6AE5", Origin.GUESSED: "#B35C00"}
)


def svg(shown: Puzzle | Position, *, cell: int = CELL, pointed: Collection[Cell] = ()) -> str:
    """Return the picture as one SVG element: what the rules draw, the grid, the values, the marks; ``cell`` pixels a cell.

    Cells that are ``pointed`` at lie on a red ground. Clues outside that are of several kinds have forms of their own, and
    a legend below says which is which.
    """
    position = Position.of(shown) if isinstance(shown, Puzzle) else shown
    puzzle = position.puzzle
    things = [thing for rule in puzzle.rules for thing in rule.cosmetics(puzzle.grid)]
    clues = placed(_clues(puzzle), puzzle.grid)
    looks = styles(clues)
    left, top, right, bottom = _frame(puzzle.grid, [one.at for one in clues])
    entries = legend(clues, looks, left, bottom, right)
    body = chain(
        _paper(puzzle.grid, puzzle.grid.cells, "#FFFFFF"),
        _paper(puzzle.grid, sorted(pointed), "#FFB3B3") if pointed else (),
        _drawn(things, UNDER, puzzle.grid),
        _grid_lines(puzzle.grid),
        _drawn(things, OVER, puzzle.grid),
        chain.from_iterable(drawn(one, looks[one.clue.name]) for one in clues),
        chain.from_iterable(_content(position, one) for one in puzzle.grid.cells),
        chain.from_iterable(map(told, entries)),
    )
    right = max(right, *(entry.right for entry in entries)) if entries else right
    bottom = entries[-1].at.y + LINE / 2 if entries else bottom
    return _page(puzzle, (left, top, right, bottom), cell, body)


def _clues(puzzle: Puzzle) -> Iterator[Clue]:
    """Yield the clues outside; those without a name are called what their rule is."""
    for rule in puzzle.rules:
        for thing in rule.cosmetics(puzzle.grid):
            if isinstance(thing, Clue) and thing.text and thing.cells:
                yield thing if thing.name else replace(thing, name=rule.kind)


def _page(puzzle: Puzzle, frame: tuple[float, float, float, float], cell: int, body: Iterator[Element]) -> str:
    name = " by ".join(part for part in (puzzle.title, puzzle.author) if part) or f"A sudoku on {puzzle.grid}"
    left, top, right, bottom = (edge + MARGIN * out for edge, out in zip(frame, (-1, -1, 1, 1), strict=True))
    box = " ".join(map(number, (left, top, right - left, bottom - top)))
    size = f'width="{(right - left) * cell:g}" height="{(bottom - top) * cell:g}"'
    font = 'font-family="Helvetica, Arial, sans-serif"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} {font} role="img">'
    return "\n".join([opening, f"<title>{escape(printable(name))}</title>", *body, "</svg>"])


def _frame(grid: Grid, outside: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom end of the grid and the clues around it."""
    ends = (-ROOM / 2, ROOM / 2)
    across = [x for _, column in grid.places for x in (column, column + 1)] + [point.x + end for point in outside for end in ends]
    down = [y for row, _ in grid.places for y in (row, row + 1)] + [point.y + end for point in outside for end in ends]
    return min(across), min(down), max(across), max(down)


# --- the grid ---------------------------------------------------------------------------------------------------


def _paper(grid: Grid, cells: Iterable[Cell], colour: str) -> Iterator[Element]:
    yield f'<path d="{_squares(map(grid.places.__getitem__, cells))}" fill="{colour}"/>'


def _squares(places: Iterable[Place]) -> str:
    return "".join(f"M{UNITS * column} {UNITS * row}h{UNITS}v{UNITS}h-{UNITS}z" for row, column in places)


def _grid_lines(grid: Grid) -> Iterator[Element]:
    """Thin lines around every cell, thick ones around every region and the whole."""
    yield f'<path d="{_squares(grid.places)}" fill="none" stroke="#888888" stroke-width="{number(0.02)}"/>'
    sides = ((UNITS * column, UNITS * row, "v" if upright else "h") for row, column, upright in sorted(borders_of(grid)))
    thick = "".join(f"M{x} {y}{way}{UNITS}" for x, y, way in sides)
    yield f'<path d="{thick}" fill="none" stroke="#000000" stroke-width="{number(0.06)}" stroke-linecap="square"/>'


def _drawn(things: Sequence[Cosmetic], kinds: Sequence[type[Cosmetic]], grid: Grid) -> Iterator[Element]:
    for kind in kinds:
        for thing in dict.fromkeys(thing for thing in things if isinstance(thing, kind) and thing.cells):
            yield from shapes(thing, grid)


# --- cells ------------------------------------------------------------------------------------------------------


def _content(position: Position, cell: Cell) -> Iterator[Element]:
    """Yield the value of a cell, or else its pencil marks, or else the candidates that the puzzle restricts it to."""
    puzzle, value = position.puzzle, position.values[cell]
    row, column = puzzle.grid.places[cell]
    if value is not None:
        origin = position.origins[cell]
        ink = _INKS.get(origin, "#000000")
        yield text(Point(column + 0.5, row + 0.5), puzzle.symbols.sign(value), 0.68, ink, bold=origin is Origin.GIVEN)
        return
    marks = (position.marks[cell] if position.marks else 0) or puzzle.candidates.get(cell, 0)
    across = max(3, ceil(sqrt(len(puzzle.grid.values))))
    for mark in members(marks):
        down, right = divmod(mark - puzzle.grid.values[0], across)
        at = Point(column + (right + 0.5) / across, row + (down + 0.5) / across)
        yield text(at, puzzle.symbols.sign(mark), 0.75 / across, "#555555")
