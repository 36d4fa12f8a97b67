"""A puzzle or a position as a picture: SVG that stands alone, in a page or a file."""

from __future__ import annotations

from html import escape
from itertools import chain
from math import ceil, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Arrow, Cage, Chevron, Clue, Dot, Line, Loop, Mark, Shade
from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.render.borders import borders_of
from sudoku_cp.render.shapes import Element, Point, arrow_head, number, printable, shapes, stroke, text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid, Place

CELL = 50
"""Pixels of a cell's side, unless told."""
MARGIN = 0.1
"""Cells of white around everything."""
ROOM = 0.8
"""Cells that a clue outside the grid takes."""

UNDER: tuple[type[Cosmetic], ...] = (Shade, Line, Loop, Arrow, Cage)
"""What lies under the grid's own lines, the lowest first."""
OVER: tuple[type[Cosmetic], ...] = (Dot, Mark, Chevron)
"""What lies over them."""

_INKS: Mapping[Origin | None, str] = MappingProxyType(
    {Origin.GIVEN: "#000000", Origin.FORCED: "#1D6AE5", Origin.GUESSED: "#B35C00"}
)


def svg(shown: Puzzle | Position, *, cell: int = CELL, pointed: Collection[Cell] = ()) -> str:
    """Return the picture as one SVG element: what the rules draw, the grid, the values, the marks; ``cell`` pixels a cell.

    Cells that are ``pointed`` at lie on a red ground.
    """
    position = Position.of(shown) if isinstance(shown, Puzzle) else shown
    puzzle = position.puzzle
    things = [thing for rule in puzzle.rules for thing in rule.cosmetics(puzzle.grid)]
    clues = _placed([thing for thing in things if isinstance(thing, Clue) and thing.text], puzzle.grid)
    body = chain(
        _paper(puzzle.grid, puzzle.grid.cells, "#FFFFFF"),
        _paper(puzzle.grid, sorted(pointed), "#FFB3B3") if pointed else (),
        _drawn(things, UNDER, puzzle.grid),
        _grid_lines(puzzle.grid),
        _drawn(things, OVER, puzzle.grid),
        chain.from_iterable(_clue(*clue) for clue in clues),
        chain.from_iterable(_content(position, one) for one in puzzle.grid.cells),
    )
    return _page(puzzle, _frame(puzzle.grid, [at for _, at, _ in clues]), cell, body)


def _page(puzzle: Puzzle, frame: tuple[float, float, float, float], cell: int, body: Iterator[Element]) -> str:
    name = " by ".join(part for part in (puzzle.title, puzzle.author) if part) or f"A sudoku on {puzzle.grid}"
    box = " ".join(map(number, frame))
    size = f'width="{number(frame[2] * cell)}" height="{number(frame[3] * cell)}"'
    font = 'font-family="Helvetica, Arial, sans-serif"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} {font} role="img">'
    return "\n".join([opening, f"<title>{escape(printable(name))}</title>", *body, "</svg>"])


def _frame(grid: Grid, outside: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return left, top, width and height of all there is to see."""
    half = ROOM / 2
    across = [x for _, column in grid.places for x in (column, column + 1)] + [
        point.x + s for point in outside for s in (-half, half)
    ]
    down = [y for row, _ in grid.places for y in (row, row + 1)] + [point.y + s for point in outside for s in (-half, half)]
    left, top = min(across) - MARGIN, min(down) - MARGIN
    return left, top, max(across) + MARGIN - left, max(down) + MARGIN - top


# --- the grid ---------------------------------------------------------------------------------------------------


def _paper(grid: Grid, cells: Iterable[Cell], colour: str) -> Iterator[Element]:
    squares = "".join(f"M{column} {row}h1v1h-1z" for row, column in map(grid.places.__getitem__, cells))
    yield f'<path d="{squares}" fill="{colour}"/>'


def _grid_lines(grid: Grid) -> Iterator[Element]:
    """Thin lines around every cell, thick ones around every region and the whole."""
    thin = "".join(f"M{column} {row}h1v1h-1z" for row, column in grid.places)
    yield f'<path d="{thin}" fill="none" stroke="#888888" stroke-width="0.02"/>'
    thick = "".join(f"M{column} {row}{'v' if upright else 'h'}1" for row, column, upright in sorted(borders_of(grid)))
    yield f'<path d="{thick}" fill="none" stroke="#000000" stroke-width="0.06" stroke-linecap="square"/>'


def _drawn(things: Sequence[Cosmetic], kinds: Sequence[type[Cosmetic]], grid: Grid) -> Iterator[Element]:
    for kind in kinds:
        for thing in dict.fromkeys(thing for thing in things if isinstance(thing, kind) and thing.cells):
            yield from shapes(thing, grid)


# --- clues outside ----------------------------------------------------------------------------------------------


def _placed(clues: Sequence[Clue], grid: Grid) -> list[tuple[Clue, Point, Place]]:
    """Return each clue with its point and the way it looks, (rows down, columns right); several at one place stand in a row."""
    taken: dict[tuple[Place, Place], int] = {}
    found = []
    for clue in dict.fromkeys(clues):
        (row, column), look = grid.places[clue.cells[0]], _look(clue, grid)
        before = taken.setdefault(((row, column), look), 0)
        taken[(row, column), look] += 1
        far = 0.5 + ROOM * (before + 0.55)
        found.append((clue, Point(column + 0.5 - look[1] * far, row + 0.5 - look[0] * far), look))
    return found


def _look(clue: Clue, grid: Grid) -> Place:
    """Return the step from the first cell to the second; a clue on one cell looks to the right."""
    places = [grid.places[cell] for cell in clue.cells[:2]]
    if len(places) == 1:
        return 0, 1
    (row, column), (below, right) = places
    return max(-1, min(1, below - row)), max(-1, min(1, right - column))


def _clue(clue: Clue, at: Point, look: Place) -> Iterator[Element]:
    aslant = all(look)
    yield text(at, clue.text, 0.4)
    if aslant:
        tail, tip = (Point(at.x + look[1] * far, at.y + look[0] * far) for far in (0.22, 0.4))
        yield stroke([tail, tip], "#000000", 0.04)
        yield arrow_head(tip, tail, "#000000", 0.12)


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
