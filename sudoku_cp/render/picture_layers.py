"""A puzzle or a position as layers of pieces, each with its box: a picture before it is written as SVG.

It is built from the ground up: what rules draw, in distinguishable colours; values; signs between cells; labels, which keep clear
of values, signs and each other; clues outside; the legend below all that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.cosmetics import Annotation
from sudoku_cp.puzzle import Origin
from sudoku_cp.render.candidate_marks import ground_piece, link_pieces, shape_pieces, strike_pieces
from sudoku_cp.render.cell_labels import cell_labels, note_texts, place_label
from sudoku_cp.render.edge_signs import place_signs
from sudoku_cp.render.geometry import Box, Point, box_around, union
from sudoku_cp.render.ground_pieces import ground_colours, ground_pieces
from sudoku_cp.render.legend import clue_entries, key_entries, kind_entries, lay_out_entries, lay_out_words, note_entries
from sudoku_cp.render.line_offsets import line_offsets
from sudoku_cp.render.outside_clues import clue_styles, draw_clue, place_clues
from sudoku_cp.render.pencil_marks import place_pencil_marks
from sudoku_cp.render.pieces import LETTER_WIDTH, Piece, centred_text, segments, squares
from sudoku_cp.render.region_borders import region_borders
from sudoku_cp.render.rule_cosmetics import cosmetics_of, distinguish_colours
from sudoku_cp.render.shapes import Stroke
from sudoku_cp.render.taken_space import TakenSpace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle import Position
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic

LayerName: TypeAlias = Literal[
    "paper", "grounds", "under", "lines", "over", "outside", "links", "marks", "values", "strikes", "legend", "words"
]

_INKS: Mapping[Origin | None, str] = MappingProxyType(
    {Origin.GIVEN: "#000000", Origin.FORCED: "#1D6AE5", Origin.GUESSED: "#B35C00"}
)

FAINT = 0.45
"""The opacity of what need not hold."""
_NOTHING = Annotation()


@dataclass(frozen=True)
class PictureItem:
    """Pieces that belong together, the index of the rule that draws them, and whether it need not hold (``faint``)."""

    pieces: tuple[Piece, ...]
    rule: int | None = None
    faint: bool = False


@dataclass(frozen=True)
class Picture:
    """The box around everything, and the items of each layer, lowest layer first."""

    frame: Box
    layers: Mapping[LayerName, tuple[PictureItem, ...]]

    def pieces(self) -> Iterator[tuple[PictureItem, Piece]]:
        """Yield every piece with the item it belongs to, in the order in which they are drawn."""
        for items in self.layers.values():
            for item in items:
                for piece in item.pieces:
                    yield item, piece


def make_picture(
    position: Position,
    *,
    pointed: Collection[Cell] = (),
    annotation: Annotation = _NOTHING,
    heading: str = "",
    words: str = "",
    keyed: bool = False,
) -> Picture:
    """Return the picture of a position; ``pointed`` cells get a red ground; a heading and paragraphs of words go below.

    The ``annotation`` marks candidates, links them, and colours grounds of cells. If ``keyed``, the legend names every kind of
    which another is drawn alike, as words about rules, such as `rules_in_words`, name them.
    """
    grid = position.puzzle.grid
    things, explained = distinguish_colours(cosmetics_of(position.puzzle), keyed=keyed)
    clues, inner = place_clues(things, grid)
    looks = clue_styles(clues)
    values = _value_pieces(position)
    room = TakenSpace(piece.box for piece in values.values())
    board = [box_around([Point(column, row), Point(column + 1, row + 1)]) for row, column in grid.places]
    frame = union([*board, *(clue.box for clue in clues)])
    entries = (
        *clue_entries(clues, looks),
        *kind_entries(explained),
        *note_entries(note_texts(things)),
        *key_entries(annotation.key),
    )
    legend = [PictureItem(pieces) for pieces in lay_out_entries(entries, frame.left, frame.bottom, frame.right)]
    frame = _grow_frame(frame, legend)
    below = [PictureItem(tuple(lay_out_words(heading, words, frame.left, frame.bottom, frame.right)))] if heading or words else []
    # Signs and labels are placed before pencil marks, which take what space is left.
    over = tuple(_sign_items(things, inner, grid, room))
    pencil = place_pencil_marks(position, annotation, room)
    return Picture(
        _grow_frame(frame, below),
        {
            "paper": tuple(_paper_items(grid, sorted(pointed))),
            "grounds": tuple(PictureItem((ground_piece(ground, grid),)) for ground in annotation.grounds if ground.cells),
            "under": tuple(_ground_items(things, grid)),
            "lines": (PictureItem(_grid_lines(grid)),),
            "over": over,
            "outside": tuple(
                PictureItem(tuple(draw_clue(one.at, one.clue.text, one.look, looks[one.name])), one.owner, one.faint)
                for one in clues
            ),
            "links": tuple(map(PictureItem, link_pieces(annotation.links, pencil, union(board)))),
            "marks": tuple(PictureItem((piece,)) for piece in shape_pieces(annotation.marks, pencil)),
            "values": tuple(PictureItem((piece,)) for piece in (*values.values(), *(mark.piece for mark in pencil.values()))),
            "strikes": tuple(PictureItem((piece,)) for piece in strike_pieces(annotation.marks, pencil)),
            "legend": tuple(legend),
            "words": tuple(below),
        },
    )


def _grow_frame(frame: Box, items: Iterable[PictureItem]) -> Box:
    return union([frame, *(piece.box for item in items for piece in item.pieces)])


# --- what rules draw --------------------------------------------------------------------------------------------


def _ground_items(things: Sequence[RuleCosmetic], grid: Grid) -> Iterator[PictureItem]:
    """Yield what lies on the ground, by depth; at equal depth, inner things above the outer ones."""
    shared, moved = ground_colours(things), line_offsets(things, grid)
    found: dict[tuple[int, int, int], list[Piece]] = {}
    for place, thing in enumerate(things):
        for depth, piece in ground_pieces(thing, grid, shared, moved.get(thing)):
            found.setdefault((depth, thing.level, place), []).append(piece)
    for (_, _, place), pieces in sorted(found.items(), key=lambda one: one[0]):
        yield PictureItem(tuple(pieces), things[place].owner, things[place].faint)


def _sign_items(
    things: Sequence[RuleCosmetic], inner: Collection[RuleCosmetic], grid: Grid, room: TakenSpace
) -> Iterator[PictureItem]:
    """Yield signs and labels, each at a free spot."""
    for thing, pieces in place_signs(things, grid):
        room.take(union(piece.box for piece in pieces))
        yield PictureItem(pieces, thing.owner, thing.faint)
    crowded: list[Place] = []
    for thing, label in cell_labels(things, inner, grid):
        pieces, place = place_label(label, room, crowded)
        crowded.append(place)
        yield PictureItem(pieces, thing.owner, thing.faint)


# --- the grid ---------------------------------------------------------------------------------------------------


def _paper_items(grid: Grid, pointed: Sequence[Cell]) -> Iterator[PictureItem]:
    yield PictureItem((_paper(grid),))
    if pointed:
        yield PictureItem((squares((grid.places[cell] for cell in pointed), "#FFB3B3"),))


@lru_cache(maxsize=64)  # most pictures are of a few grids
def _paper(grid: Grid) -> Piece:
    return squares(grid.places, "#FFFFFF")


@lru_cache(maxsize=64)
def _grid_lines(grid: Grid) -> tuple[Piece, ...]:
    """Return thin lines around every cell, and thick ones around every region and the whole."""
    sides = sorted(region_borders(grid))
    borders = ((Point(column, row), Point(column + (not upright), row + upright)) for row, column, upright in sides)
    return squares(grid.places, None, Stroke("#888888", 0.02)), segments(borders, Stroke("#000000", 0.06), extended=True)


# --- cells ------------------------------------------------------------------------------------------------------


def _value_pieces(position: Position) -> dict[Cell, Piece]:
    """Return the value of each cell that has one; long values are narrow enough to leave room for signs on edges."""
    puzzle = position.puzzle
    found = {}
    for cell, value in enumerate(position.values):
        if value is not None:
            row, column = puzzle.grid.places[cell]
            origin, text = position.origins[cell], puzzle.symbols.sign(value)
            size = min(0.68, 0.66 / (LETTER_WIDTH * len(text)))
            ink = _INKS.get(origin, "#000000")
            found[cell] = centred_text(Point(column + 0.5, row + 0.5), text, size, ink, bold=origin is Origin.GIVEN)
    return found
