"""A puzzle or a position as layers of pieces, each with its box: a picture before it is written as SVG.

It is built from the ground up: what rules draw, in distinguishable colours; values; signs between cells; labels, which keep clear
of values, signs and each other; clues outside; the legend below all that.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from math import sqrt
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.cosmetics import REACH as FARTHEST
from sudoku_cp.cosmetics import Annotation, Cage, Chevron, Dot, DrawnArrow, DrawnCage, Line, Mark, Pill, Shade
from sudoku_cp.puzzle import Origin
from sudoku_cp.render.candidate_marks import (
    ground_piece,
    link_pieces,
    mark_shape,
    place_pencil_marks,
    shape_pieces,
    strike,
    strike_pieces,
)
from sudoku_cp.render.cell_labels import (
    CLUE_SIZE,
    TakenSpace,
    cell_labels,
    clue_styles,
    draw_clue,
    note_texts,
    place_clues,
    place_label,
)
from sudoku_cp.render.drawing_pieces import drawing_pieces
from sudoku_cp.render.geometry import (
    LETTER_WIDTH,
    Box,
    Piece,
    Point,
    Stroke,
    arrow_head,
    box_around,
    centred_text,
    circle,
    left_text,
    rectangle,
    scaled,
    segments,
    squares,
    stroke,
    union,
)
from sudoku_cp.render.ground_pieces import (
    DASHES,
    NO_RULE,
    cell_centre,
    centroid,
    cosmetics_of,
    distinguish_colours,
    drawn_cages,
    ground_colours,
    ground_pieces,
    line_offsets,
)
from sudoku_cp.render.terminal_grid import region_borders
from sudoku_cp.rules.wording import title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import CandidateMark, Cosmetic
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle import Position, Puzzle
    from sudoku_cp.render.cell_labels import ClueStyle, PlacedClue
    from sudoku_cp.render.ground_pieces import RuleCosmetic


LayerName: TypeAlias = Literal[
    "paper", "grounds", "under", "lines", "over", "outside", "links", "marks", "values", "strikes", "legend", "words"
]

_INKS: Mapping[Origin | None, str] = MappingProxyType(
    {Origin.GIVEN: "#000000", Origin.FORCED: "#1D6AE5", Origin.GUESSED: "#B35C00"}
)

FAINT = 0.45
"""The opacity of what need not hold."""
_NOTHING = Annotation()
TEXTS_KEPT_CLEAR = 4
"""The most drawn texts in a cell that labels and pencil marks make way for."""


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
    below, above = drawing_items(position.puzzle)
    cages = drawn_cages(position.puzzle, things)
    clues, inner = place_clues(things, grid)
    looks = clue_styles(clues)
    values = _value_pieces(position)
    room = TakenSpace(piece.box for piece in values.values())
    board = [box_around([Point(column, row), Point(column + 1, row + 1)]) for row, column in grid.places]
    frame = _grow_frame(union([*board, *(clue.box for clue in clues)]), (*below, *above), union(board).grown(FARTHEST))
    entries = (
        *clue_entries(clues, looks),
        *kind_entries(explained),
        *note_entries(note_texts(things)),
        *key_entries(annotation.key),
    )
    legend = [PictureItem(pieces) for pieces in lay_out_legend(entries, frame, len(grid.places))]
    frame = _grow_frame(frame, legend)
    written = _written_items(heading, words, frame)
    # Signs and labels are placed before pencil marks, which take what space is left.
    for box in _boxes_of_texts(above):
        room.take(box)
    over = (*above, *_sign_items([*things, *cages], inner, grid, room))
    pencil = place_pencil_marks(position, annotation, room)
    return Picture(
        _grow_frame(frame, written),
        {
            "paper": tuple(_paper_items(grid, sorted(pointed))),
            "grounds": tuple(PictureItem((ground_piece(ground, grid),)) for ground in annotation.grounds if ground.cells),
            "under": (*below, *_ground_items([*things, *cages], grid)),
            "lines": (PictureItem(_grid_lines(grid)),),
            "over": over,
            "outside": tuple(_clue_items(clues, looks)),
            "links": tuple(map(PictureItem, link_pieces(annotation.links, pencil, union(board)))),
            "marks": tuple(PictureItem((piece,)) for piece in shape_pieces(annotation.marks, pencil)),
            "values": tuple(PictureItem((piece,)) for piece in (*values.values(), *(mark.piece for mark in pencil.values()))),
            "strikes": tuple(PictureItem((piece,)) for piece in strike_pieces(annotation.marks, pencil)),
            "legend": tuple(legend),
            "words": tuple(written),
        },
    )


def _written_items(heading: str, words: str, frame: Box) -> list[PictureItem]:
    """Return the heading and the words below everything else, nothing without them."""
    return [PictureItem(tuple(lay_out_words(heading, words, frame.left, frame.bottom, frame.right)))] if heading or words else []


def _clue_items(clues: Iterable[PlacedClue], looks: Mapping[str, ClueStyle]) -> Iterator[PictureItem]:
    """Yield the clues outside of the board."""
    for one in clues:
        yield PictureItem(tuple(draw_clue(one.at, one.clue.text, one.look, looks[one.name])), one.owner, one.faint)


def _grow_frame(frame: Box, items: Iterable[PictureItem], most: Box | None = None) -> Box:
    """Return the box around a frame and items, but not beyond the box ``most``."""
    boxes = [piece.box for item in items for piece in item.pieces]
    return union([frame, *(box.within(most) if most else box for box in boxes)])


# --- what sources and rules draw --------------------------------------------------------------------------------


def drawing_items(puzzle: Puzzle) -> tuple[list[PictureItem], list[PictureItem]]:
    """Return the drawings of a puzzle that lie under its grid, and those over it; cages are drawn like those of rules."""
    found: tuple[list[PictureItem], list[PictureItem]] = [], []
    for one in puzzle.drawings:
        if not isinstance(one, DrawnCage):
            found[one.over].append(PictureItem(tuple(drawing_pieces(one))))
    return found


def _boxes_of_texts(items: Iterable[PictureItem]) -> Iterator[Box]:
    """Yield the boxes of texts that labels keep clear of: the first few in each cell, none that is longer than a cell."""
    places: Counter[Place] = Counter()
    for box in (piece.box for item in items for piece in item.pieces if piece.text):
        place = int((box.top + box.bottom) // 2), int((box.left + box.right) // 2)
        places[place] += 1
        if places[place] <= TEXTS_KEPT_CLEAR and box.right - box.left <= 1 and box.bottom - box.top <= 1:
            yield box


def _item(thing: RuleCosmetic, pieces: tuple[Piece, ...]) -> PictureItem:
    return PictureItem(pieces, None if thing.owner == NO_RULE else thing.owner, thing.faint)


def _ground_items(things: Sequence[RuleCosmetic], grid: Grid) -> Iterator[PictureItem]:
    """Yield what lies on the ground, by depth; at equal depth, inner things above the outer ones."""
    shared, moved = ground_colours(things), line_offsets(things, grid)
    found: dict[tuple[int, int, int], list[Piece]] = {}
    for place, thing in enumerate(things):
        for depth, piece in ground_pieces(thing, grid, shared, moved.get(thing)):
            found.setdefault((depth, thing.level, place), []).append(piece)
    for (_, _, place), pieces in sorted(found.items(), key=lambda one: one[0]):
        yield _item(things[place], tuple(pieces))


def _sign_items(
    things: Sequence[RuleCosmetic], inner: Collection[RuleCosmetic], grid: Grid, room: TakenSpace
) -> Iterator[PictureItem]:
    """Yield signs and labels, each at a free spot."""
    for thing, pieces in place_signs(things, grid):
        room.take(union(piece.box for piece in pieces))
        yield _item(thing, pieces)
    crowded: list[Place] = []
    for thing, label in cell_labels(things, inner, grid):
        pieces, place = place_label(label, room, crowded)
        crowded.append(place)
        yield _item(thing, pieces)


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


# Signs between cells: dots with or without a text, marks, inequality signs. Those on one edge are placed side by side.


PAIR, FOUR = 2, 4
"""Cells around an edge and around a corner."""
SMALL, LARGE = 0.17, 0.27
"""The radius of a dot on an edge, and on a corner."""
SPARE, REACH = 0.03, 0.47
"""The space around a dot, and how far signs extend from the middle of their edge, or from their corner, to either side."""
STEPS = (0.0, 0.3, -0.3, 0.2, -0.2)
"""How far a sign may be moved along its edge to make way for those of other edges and corners."""
LETTER, ALONE = 0.24, 0.3
"""The size of letters in a dot, that of the totals of cages, and that of a single row of them on a corner."""


def is_sign(thing: RuleCosmetic) -> bool:
    """Return whether a thing is placed here: a dot in a single cell is a ring on the ground instead."""
    return isinstance(thing.drawn, Mark | Chevron) or (isinstance(thing.drawn, Dot) and len(thing.drawn.cells) > 1)


def place_signs(things: Sequence[RuleCosmetic], grid: Grid) -> Iterator[tuple[RuleCosmetic, tuple[Piece, ...]]]:
    """Yield each sign with its pieces: those of one edge or corner side by side, smaller if there are many."""
    room = TakenSpace()
    crowds: dict[frozenset[Cell], list[RuleCosmetic]] = {}
    for thing in filter(is_sign, things):
        crowds.setdefault(frozenset(thing.drawn.cells), []).append(thing)
    for thing in filter(is_sign, things):
        crowd = crowds[frozenset(thing.drawn.cells)]
        yield thing, _place_sign(thing, crowd.index(thing), len(crowd), grid, room)


def _place_sign(thing: RuleCosmetic, number: int, crowd: int, grid: Grid, room: TakenSpace) -> tuple[Piece, ...]:
    """Return the pieces of one sign of a crowd at its own spot, or at the first free spot along the edge."""
    middles = [cell_centre(grid, cell) for cell in thing.drawn.cells]
    at, (across, down) = centroid(middles), _edge_direction(middles)
    radius = SMALL if len(middles) == PAIR else LARGE
    size = min(1.0, (REACH / crowd - SPARE) / radius)
    far = (2 * number + 1 - crowd) * (radius * size + SPARE)
    asides = [(size * smaller, far + step) for step in STEPS for smaller in (1, 0.8, 0.6)]
    spots = (tuple(_draw_sign(thing, middles, at.moved(aside * across, aside * down), scale)) for scale, aside in asides)
    return room.place(spots, lambda pieces: [union(piece.box for piece in pieces)])


def _edge_direction(middles: Sequence[Point]) -> tuple[float, float]:
    """Return the direction in which signs are lined up: along the edge of two cells, else to the right."""
    if len(middles) != PAIR:
        return 1, 0
    return abs(middles[0].y - middles[1].y), abs(middles[1].x - middles[0].x)


def _draw_sign(thing: RuleCosmetic, middles: Sequence[Point], at: Point, scale: float) -> Iterator[Piece]:
    match thing.drawn:
        case Dot() as dot:
            yield from _draw_dot(dot, at, scale)
        case Mark(_, text, colour):
            yield centred_text(at, text, scale * (0.34 if len(middles) < FOUR else 0.26), colour, halo=True)
        case Chevron():
            yield from _draw_chevron(at, middles, scale)


KEPT_BLACK, KEPT_WHITE = "#010101", "#FEFEFE"
"""Black and white that mean themselves: pages with a dark theme turn the other blacks over, but not these."""


def _draw_dot(thing: Dot, at: Point, scale: float) -> Iterator[Piece]:
    on_edge = len(thing.cells) == PAIR
    radius = scale * (SMALL if on_edge else LARGE)
    dark, light = (KEPT_BLACK, KEPT_WHITE) if on_edge and thing.colour == "#000000" else (thing.colour, "#FFFFFF")
    yield circle(at, radius, dark if thing.filled else light, thing.colour, 0.03)
    words = thing.text.split()
    rows = [" ".join(words)] if len(words) <= PAIR else [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    letter = scale * (ALONE if len(rows) == 1 and len(thing.cells) == FOUR else LETTER)
    size = min(letter, *(1.8 * radius / (LETTER_WIDTH * max(1, len(row))) for row in rows))
    for line, text in enumerate(row for row in rows if row):
        down = scale * (line - (len(rows) - 1) / 2) * 0.2
        ink = light if thing.filled else KEPT_BLACK if on_edge else "#000000"
        yield centred_text(at.moved(0, down), text, size, ink)


def _draw_chevron(at: Point, middles: Sequence[Point], scale: float) -> Iterator[Piece]:
    larger, smaller = middles
    across, down = (scale * far / 14 for far in (smaller.x - larger.x, smaller.y - larger.y))
    tip, back = at.moved(across, down), at.moved(-across, -down)
    sides = [back.moved(2 * down, -2 * across), tip, back.moved(-2 * down, 2 * across)]
    yield stroke(sides, "#FFFFFF", 0.13 * scale)  # the line it lies on may be as black and as thick
    yield stroke(sides, "#000000", 0.045)


# What is below a grid: a legend of what is drawn and, if wanted, the title and the rules in words.


LEGEND_SHARE = 0.1
"""The most of a board's area that its legend takes."""
LEGEND_SCALES = (0.5, 0.42, 0.35)
"""The sizes of a legend below 81 cells, the largest first; the smallest leaves out entries that have no room."""
LINE_HEIGHT, LETTER_LINE_HEIGHT = 0.85, 0.7
"""The height of an entry of the legend at full size, in cells, and that of one whose sample is a letter."""
LEGEND_LETTER, WORD_LETTER = 0.46, 0.3
"""The size of its letters at full size, and of those of the rules in words."""
SWATCHES = 3
"""The most colours shown of one kind."""
_HALF, _MARK = 0.26, 0.16
"""Half the width of a sample, and the radius of that of a mark."""
RUNNING, SPACED = 0.58, 1.5
"""The width of letters in running text, and from line to line, in sizes of the font."""
NOTES = 12
"""The most notes shown; if there are more, the last entry counts them."""


Sample: TypeAlias = "Callable[[Point], Iterable[Piece]]"
"""Draws a small picture around a point."""


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend: a text, and a sample drawn before it."""

    text: str
    sample: Sample | None = None
    high: float = LINE_HEIGHT


# --- entries ----------------------------------------------------------------------------------------------------


def clue_entries(clues: Sequence[PlacedClue], looks: Mapping[str, ClueStyle]) -> Iterator[LegendEntry]:
    """Yield an entry for each kind of clue outside, with "n" for its number; none if there is one kind only."""
    for name, style in looks.items() if len(looks) > 1 else ():
        aslant = all(one.aslant for one in clues if one.name == name)
        yield LegendEntry(title_of(name), partial(draw_clue, text="n", look=(1, 1) if aslant else (0, 1), style=style))


def kind_entries(kinds: Mapping[str, Sequence[RuleCosmetic]]) -> Iterator[LegendEntry]:
    """Yield an entry for each kind whose colour needs an explanation, with samples in its colours."""
    for name, things in kinds.items():
        shades = [*dict.fromkeys((thing.drawn.shape, thing.drawn.colour) for thing in things if isinstance(thing.drawn, Shade))]
        others = [thing.drawn for thing in things if not isinstance(thing.drawn, Shade)]
        yield LegendEntry(
            title_of(name), partial(_cosmetic_sample, others[0]) if others else partial(_colour_samples, shades[:SWATCHES])
        )


def note_entries(notes: Sequence[tuple[str, str]]) -> Iterator[LegendEntry]:
    """Yield an entry for each sign and text; if there are too many, the last counts the rest."""
    few = notes if len(notes) <= NOTES else notes[: NOTES - 1]
    for sign, words in few:
        yield LegendEntry(words, partial(_sign_sample, sign) if sign else None, LETTER_LINE_HEIGHT)
    if len(few) < len(notes):
        yield LegendEntry(f"and {len(notes) - len(few):,} more", high=LETTER_LINE_HEIGHT)


def key_entries(key: Iterable[tuple[CandidateMark, str]]) -> Iterator[LegendEntry]:
    """Yield an entry for each mark on candidates that has a text."""
    for mark, text in key:
        yield LegendEntry(text, partial(_mark_sample, mark), LETTER_LINE_HEIGHT)


def _mark_sample(mark: CandidateMark, at: Point) -> Iterator[Piece]:
    yield mark_shape(mark, at, _MARK)
    if mark.shape == "struck":
        yield strike(mark, at, _MARK)


def _sign_sample(text: str, at: Point) -> Iterator[Piece]:
    yield centred_text(at, text, LEGEND_LETTER)


def _cosmetic_sample(thing: Cosmetic, at: Point) -> Iterator[Piece]:
    """Yield a small picture of a thing."""
    left, right = at.moved(-_HALF, 0), at.moved(_HALF, 0)
    match thing:
        case Line(_, colour, width):
            yield stroke([left, right], colour, width)
        case DrawnArrow(_, colour):
            yield stroke([left, right], colour, 0.06)
            yield arrow_head(right, left, colour)
        case Pill(_, colour):
            yield rectangle(box_around([left, right], 0.1), None, colour, round_by=0.1)
        case Cage(_, _, colour):
            corners = [at.moved(x * _HALF, y * _HALF) for x, y in ((-1, -0.7), (1, -0.7), (1, 0.7), (-1, 0.7), (-1, -0.7))]
            yield stroke(corners, colour, 0.03, DASHES[0])
        case _:
            yield circle(at, 0.24, None, getattr(thing, "colour", "#000000"), 0.06)


def _colour_samples(shades: Sequence[tuple[str, str]], at: Point) -> Iterator[Piece]:
    """Yield samples of several colours side by side."""
    wide = 2 * _HALF / len(shades)
    for number, (shape, colour) in enumerate(shades):
        left = at.x - _HALF + number * wide
        if shape == "circle":
            yield circle(Point(left + wide / 2, at.y), min(0.24, wide / 2), colour)
        else:
            yield rectangle(Box(left, at.y - 0.22, left + wide, at.y + 0.22), colour)


# --- layout -----------------------------------------------------------------------------------------------------


def lay_out_legend(entries: Sequence[LegendEntry], frame: Box, cells: int) -> list[tuple[Piece, ...]]:
    """Return the pieces of each entry, below a frame of so many cells and as large as fits; entries without room are counted."""
    unit = sqrt(cells) / 9  # boards of all sizes are shown about as large as each other
    corner, wide = Point(frame.left, frame.bottom), frame.right - frame.left
    laid: list[tuple[Piece, ...]] = []
    fewer = ((kept, LEGEND_SCALES[-1]) for kept in range(len(entries) - 1, 0, -1))
    for kept, size in chain(((len(entries), size) for size in LEGEND_SCALES), fewer):
        scale = unit * size
        rest = [LegendEntry(f"and {len(entries) - kept:,} more")] if kept < len(entries) else []
        unscaled = lay_out_entries([*entries[:kept], *rest], frame.left, frame.bottom, frame.left + wide / scale)
        laid = [tuple(scaled(piece, corner, scale) for piece in pieces) for pieces in unscaled]
        if wide * (max((piece.box.bottom for one in laid for piece in one), default=corner.y) - corner.y) <= LEGEND_SHARE * cells:
            break
    return laid


def lay_out_entries(entries: Iterable[LegendEntry], left: float, top: float, right: float) -> Iterator[tuple[Piece, ...]]:
    """Yield the pieces of each entry below ``top``: as many side by side as fit, long texts wrapped."""
    x, y, high = left, top + 0.05, 0.0
    for entry in entries:
        wide = CLUE_SIZE + RUNNING * LEGEND_LETTER * len(entry.text) + 0.3
        if x == left or x + wide > right or entry.high != high:
            x, y, high = left, y + (high + entry.high) / 2, entry.high
        sample = entry.sample(Point(x + CLUE_SIZE / 2, y)) if entry.sample else ()
        lines = _wrap_text(entry.text, right - left - CLUE_SIZE, LEGEND_LETTER)
        start = Point(x + (CLUE_SIZE if entry.sample else 0.1), y)
        spaced = SPACED * LEGEND_LETTER
        yield (*sample, *(running_text(start.moved(0, row * spaced), line, LEGEND_LETTER) for row, line in enumerate(lines)))
        x += wide
        if len(lines) > 1:
            x, y = left, y + (len(lines) - 1) * SPACED * LEGEND_LETTER


def lay_out_words(heading: str, words: str, left: float, top: float, right: float) -> Iterator[Piece]:
    """Yield a heading and paragraphs below ``top``, wrapped to the width from ``left`` to ``right``."""
    y = top + 0.2
    for number, paragraph in enumerate([heading, *words.splitlines()]):
        size = WORD_LETTER if number else 1.4 * WORD_LETTER
        for line in _wrap_text(paragraph, right - left, size) if paragraph else ():
            y += SPACED * size
            yield running_text(Point(left, y - size / 2), line, size, bold=not number)
        y += 0.4 * size


def running_text(at: Point, text: str, size: float = WORD_LETTER, *, bold: bool = False) -> Piece:
    """Return a line of running text, whose letters are narrower than digits."""
    piece = left_text(at, text, size, bold=bold)
    return piece._replace(box=piece.box._replace(right=at.x + RUNNING * size * len(text)))


def _wrap_text(text: str, width: float, size: float) -> list[str]:
    """Wrap a text to lines of at most this width."""
    return wrap(text, max(8, int(width / (RUNNING * size)))) or [""]
