"""Small labels in cells: which there are, and where they keep clear of all other letters.

They are totals of cages and lines, letters of groups, signs of notes, and clues that have no room outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage, Clue, Dot, Line, Note, Shade
from sudoku_cp.render.colours import readable_ink
from sudoku_cp.render.geometry import Box, Point
from sudoku_cp.render.outside_clues import ARROWS, clue_direction
from sudoku_cp.render.pieces import DIGIT_HEIGHT, LETTER_WIDTH, Piece, left_text, rectangle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic
    from sudoku_cp.render.taken_space import TakenSpace

LETTER = 0.24
"""The size of label letters, in cells."""
SIZES = (LETTER, 0.2, 0.17, 0.14)
"""Smaller ones are for crowded cells and long texts."""
PAD, EDGE = 0.025, 0.04
"""The ground around the letters, and its distance from the cell's edge."""
MAX_TRIED_CELLS = 12
"""The most cells of a thing that are tried for a spot."""
STRIP = EDGE + 2 * PAD + DIGIT_HEIGHT * LETTER
"""The height of the strip at the top of a cell that labels take."""


@dataclass(frozen=True)
class CellLabel:
    """A text that belongs in one of ``places``, preferably the first; in a colour, on a ground."""

    text: str
    places: tuple[Place, ...]
    colour: str = "#000000"
    ground: str = "#FFFFFF"


# --- which labels a picture has -------------------------------------------------------------------------------


def cell_labels(
    things: Sequence[RuleCosmetic], inner: Collection[RuleCosmetic], grid: Grid
) -> list[tuple[RuleCosmetic, CellLabel]]:
    """Return the label of each thing that has one; those with a single possible cell come first."""
    letters = {**_group_letters(things), **_note_signs(things)}
    found = [(thing, one) for thing in things for one in _labels_for(thing, letters.get(thing, ""), inner, grid)]
    return sorted(found, key=lambda one: len(one[1].places) > 1)


def note_texts(things: Sequence[RuleCosmetic]) -> list[tuple[str, str]]:
    """Return the sign and the text of each note, equal ones once."""
    signs = _note_signs(things)
    return [*dict.fromkeys((signs[thing], thing.drawn.text) for thing in things if isinstance(thing.drawn, Note))]


def _labels_for(thing: RuleCosmetic, letter: str, inner: Collection[RuleCosmetic], grid: Grid) -> Iterator[CellLabel]:
    places = tuple(grid.places[cell] for cell in thing.drawn.cells)
    match thing.drawn:
        case Cage(_, text, colour) if text:
            yield CellLabel(text, tuple(sorted(set(places))), readable_ink(colour))
        case Line(_, colour) as line if line.text:
            yield CellLabel(line.text, places, ground=colour)
        case Dot((_,), text) if text:
            yield CellLabel(text, places)
        case Clue(_, text) as clue if thing in inner:
            yield CellLabel(f"{text}{ARROWS[clue_direction(clue, grid)]}", places[:1])
        case Shade(_, colour) if letter:
            yield CellLabel(letter, tuple(sorted(set(places))), ground=colour)
        case Note() if letter and places:
            yield CellLabel(letter, places)


def _group_letters(things: Sequence[RuleCosmetic]) -> Mapping[RuleCosmetic, str]:
    """Return a letter for each group of a rule that has several, where another rule of that kind has several too."""
    groups: dict[tuple[str, int], list[RuleCosmetic]] = {}
    for thing in things:
        if isinstance(thing.drawn, Shade) and thing.drawn.group:
            groups.setdefault((thing.name, thing.owner), []).append(thing)
    several = {key: found for key, found in groups.items() if len(found) > 1}
    names = [name for name, _ in several]
    lettered = [key for key in several if names.count(key[0]) > 1]
    return {thing: _letter(number) for number, key in enumerate(lettered) for thing in several[key]}


def _note_signs(things: Sequence[RuleCosmetic]) -> Mapping[RuleCosmetic, str]:
    """Return the sign of each note, with a letter if one sign stands for several texts."""
    notes = [(thing, thing.drawn) for thing in things if isinstance(thing.drawn, Note)]
    texts: dict[str, list[str]] = {}
    for _, note in notes:
        known = texts.setdefault(note.sign, [])
        known += [note.text] * (note.text not in known)
    return {
        thing: note.sign + (_letter(texts[note.sign].index(note.text)) if note.sign and len(texts[note.sign]) > 1 else "")
        for thing, note in notes
    }


def _letter(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ..."""
    before, last = divmod(number, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]


# --- where they are placed ------------------------------------------------------------------------------------


def place_label(one: CellLabel, room: TakenSpace, others: Sequence[Place]) -> tuple[tuple[Piece, ...], Place]:
    """Return the pieces of a label at the first free spot, and its place; places that ``others`` use come last."""
    size, box, place = room.place(_spots(one, {*others}), lambda spot: spot[1:2])
    words = left_text(Point(box.left + PAD, (box.top + box.bottom) / 2), one.text, size, one.colour)
    return (rectangle(box, one.ground), words), place


def _spots(one: CellLabel, others: set[Place]) -> Iterator[tuple[float, Box, Place]]:
    """Yield the spots for a label, best first: the top left of its first place, elsewhere in it, then its other places."""
    places = one.places[:MAX_TRIED_CELLS]
    alone = [place for place in places if place not in others]
    widest = (1 - 2 * EDGE - 2 * PAD) / (LETTER_WIDTH * len(one.text))
    sizes = [size for size in SIZES if size <= widest] or [widest]
    for size in sizes:
        width, height = LETTER_WIDTH * size * len(one.text) + 2 * PAD, DIGIT_HEIGHT * size + 2 * PAD
        for place in (*alone, *(place for place in places if place in others)):
            for left, top in _corners(width, height):
                at = Point(place[1] + left, place[0] + top)
                yield size, Box(at.x, at.y, at.x + width, at.y + height), place


def _corners(width: float, height: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of a label's top left corner in a cell: along its top, its left and right side, its bottom."""
    low, right = 1 - EDGE - height, 1 - EDGE - width
    across = [EDGE + step * 0.06 for step in range(1 + int((right - EDGE + 1e-9) / 0.06))]
    down = [EDGE + step * 0.06 for step in range(1, 1 + int((low - EDGE) / 0.06))]
    yield from ((left, EDGE) for left in (*across, right))
    yield from ((left, top) for left in (EDGE, right) for top in down)
    yield from ((left, low) for left in (*across, right))
