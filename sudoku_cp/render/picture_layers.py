"""A puzzle or a position as layers of pieces, each with the box it takes: what a picture is before it is written.

It is made from the ground up: what rules draw, in colours that can be told apart; values; signs between cells; labels, which
keep clear of values, signs and each other; clues outside; the legend below all that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product, starmap
from math import ceil, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.model import members
from sudoku_cp.puzzle import Origin
from sudoku_cp.render.borders import borders_of
from sudoku_cp.render.labels import STRIP, labelled
from sudoku_cp.render.lanes import asides
from sudoku_cp.render.legend import clue_entries, kind_entries, laid_out, note_entries, written
from sudoku_cp.render.marking import labels_of, notes_of
from sudoku_cp.render.outside import drawn, placed, styles
from sudoku_cp.render.pieces import UNITS, WIDE, Box, Piece, Point, box_around, number, text, union
from sudoku_cp.render.room import Room
from sudoku_cp.render.shapes import ground_of, shapes
from sudoku_cp.render.signs import signs
from sudoku_cp.render.things import things_of, told_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle import Position
    from sudoku_cp.render.things import Thing

Name: TypeAlias = Literal["paper", "under", "lines", "over", "outside", "values", "legend", "words"]

_INKS: Mapping[Origin | None, str] = MappingProxyType(
    {Origin.GIVEN: "#000000", Origin.FORCED: "#1D6AE5", Origin.GUESSED: "#B35C00"}
)


@dataclass(frozen=True)
class Item:
    """Pieces that belong together, the number of the rule of the puzzle that draws them, and whether it need not hold."""

    pieces: tuple[Piece, ...]
    rule: int | None = None
    faint: bool = False


@dataclass(frozen=True)
class Picture:
    """The box around everything, and the items of each layer, the lowest layer first."""

    frame: Box
    layers: Mapping[Name, tuple[Item, ...]]

    def pieces(self) -> Iterator[tuple[Item, Piece]]:
        """Yield every piece with the item it belongs to, in the order in which they are drawn."""
        for items in self.layers.values():
            for item in items:
                for piece in item.pieces:
                    yield item, piece


def picture(position: Position, *, pointed: Collection[Cell] = (), heading: str = "", words: str = "") -> Picture:
    """Return the picture of a position; ``pointed`` cells lie on red, a heading and paragraphs of words stand below."""
    grid = position.puzzle.grid
    things, explained = told_apart(things_of(position.puzzle))
    clues, inner = placed(things, grid)
    looks = styles(clues)
    values = _values(position)
    room = Room(piece.box for piece in values.values())
    board = [box_around([Point(column, row), Point(column + 1, row + 1)]) for row, column in grid.places]
    frame = union([*board, *(clue.box for clue in clues)])
    entries = (*clue_entries(clues, looks), *kind_entries(explained), *note_entries(notes_of(things)))
    legend = [Item(pieces) for pieces in laid_out(entries, frame.left, frame.bottom, frame.right)]
    frame = _around(frame, legend)
    below = [Item(tuple(written(heading, words, frame.left, frame.bottom, frame.right)))] if heading or words else []
    # Signs and labels take their room before pencil marks look for what is left.
    over = tuple(_over(things, inner, grid, room))
    return Picture(
        _around(frame, below),
        {
            "paper": tuple(_paper(grid, sorted(pointed))),
            "under": tuple(_under(things, grid)),
            "lines": (Item(tuple(_grid_lines(grid))),),
            "over": over,
            "outside": tuple(
                Item(tuple(drawn(one.at, one.clue.text, one.look, looks[one.name])), one.owner, one.faint) for one in clues
            ),
            "values": tuple(Item((piece,)) for piece in (*values.values(), *_marks(position, room))),
            "legend": tuple(legend),
            "words": tuple(below),
        },
    )


def _around(frame: Box, items: Iterable[Item]) -> Box:
    return union([frame, *(piece.box for item in items for piece in item.pieces)])


# --- what rules draw --------------------------------------------------------------------------------------------


def _under(things: Sequence[Thing], grid: Grid) -> Iterator[Item]:
    """Yield what lies on the ground, by its depth; of what is equally deep, what lies within others above them."""
    shared, moved = ground_of(things), asides(things, grid)
    found: dict[tuple[int, int, int], list[Piece]] = {}
    for place, thing in enumerate(things):
        for depth, piece in shapes(thing, grid, shared, moved.get(thing)):
            found.setdefault((depth, thing.level, place), []).append(piece)
    for (_, _, place), pieces in sorted(found.items(), key=lambda one: one[0]):
        yield Item(tuple(pieces), things[place].owner, things[place].faint)


def _over(things: Sequence[Thing], inner: Collection[Thing], grid: Grid, room: Room) -> Iterator[Item]:
    """Yield signs and labels, each where there is room for it."""
    for thing, pieces in signs(things, grid):
        room.take(union(piece.box for piece in pieces))
        yield Item(pieces, thing.owner, thing.faint)
    crowded: list[Place] = []
    for thing, label in labels_of(things, inner, grid):
        pieces, place = labelled(label, room, crowded)
        crowded.append(place)
        yield Item(pieces, thing.owner, thing.faint)


# --- the grid ---------------------------------------------------------------------------------------------------


def _paper(grid: Grid, pointed: Sequence[Cell]) -> Iterator[Item]:
    for cells, colour in ((grid.cells, "#FFFFFF"), (pointed, "#FFB3B3")):
        if cells:
            places = [grid.places[cell] for cell in cells]
            yield Item((_path(_squares(places), places, f'fill="{colour}"'),))


def _squares(places: Iterable[Place]) -> str:
    return "".join(f"M{UNITS * column} {UNITS * row}h{UNITS}v{UNITS}h-{UNITS}z" for row, column in places)


def _path(route: str, places: Sequence[Place], look: str) -> Piece:
    corners = (Point(column + far, row + far) for row, column in places for far in (0, 1))
    return Piece(f'<path d="{route}" {look}/>', box_around(corners))


def _grid_lines(grid: Grid) -> Iterator[Piece]:
    """Thin lines around every cell, thick ones around every region and the whole."""
    thin = f'fill="none" stroke="#888888" stroke-width="{number(0.02)}"'
    yield _path(_squares(grid.places), grid.places, thin)
    sides = ((UNITS * column, UNITS * row, "v" if upright else "h") for row, column, upright in sorted(borders_of(grid)))
    thick = "".join(f"M{x} {y}{way}{UNITS}" for x, y, way in sides)
    yield _path(thick, grid.places, f'fill="none" stroke="#000000" stroke-width="{number(0.06)}" stroke-linecap="square"')


# --- cells ------------------------------------------------------------------------------------------------------


def _values(position: Position) -> dict[Cell, Piece]:
    """Return the value of each cell that has one; of several digits, so narrow that what stands on edges has room."""
    puzzle = position.puzzle
    found = {}
    for cell, value in enumerate(position.values):
        if value is not None:
            row, column = puzzle.grid.places[cell]
            origin, said = position.origins[cell], puzzle.symbols.sign(value)
            size = min(0.68, 0.66 / (WIDE * len(said)))
            ink = _INKS.get(origin, "#000000")
            found[cell] = text(Point(column + 0.5, row + 0.5), said, size, ink, bold=origin is Origin.GIVEN)
    return found


_AREAS = sorted(
    starmap(Box, product((0, 0.3), (0, STRIP, 0.3), (1, 0.7), (1, 0.7))),
    key=lambda box: (-(box.right - box.left) * (box.bottom - box.top), box),
)
"""Where the pencil marks of a cell can be, the widest first."""


def _marks(position: Position, room: Room) -> Iterator[Piece]:
    """Yield the pencil marks of cells without a value, or else the candidates that the puzzle restricts them to."""
    puzzle = position.puzzle
    for cell, value in enumerate(position.values):
        marks = (position.marks[cell] if position.marks else 0) or puzzle.candidates.get(cell, 0)
        if value is None and marks:
            layouts = ([*_marked(position, cell, marks, area)] for area in _AREAS)
            yield from room.place(layouts, lambda layout: [piece.box for piece in layout])


def _marked(position: Position, cell: Cell, marks: int, area: Box) -> Iterator[Piece]:
    """Yield pencil marks, each at its own place of an area of the cell."""
    puzzle = position.puzzle
    row, column = puzzle.grid.places[cell]
    across = max(3, ceil(sqrt(len(puzzle.grid.values))))
    wide, high = (area.right - area.left) / across, (area.bottom - area.top) / across
    for mark in members(marks):
        down, right = divmod(mark - puzzle.grid.values[0], across)
        at = Point(column + area.left + (right + 0.5) * wide, row + area.top + (down + 0.5) * high)
        said = puzzle.symbols.sign(mark)
        yield text(at, said, min(0.75 * high, wide / (WIDE * len(said))), "#555555")
