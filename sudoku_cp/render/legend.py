"""What is below a grid: a legend of what is drawn and, if wanted, the title and the rules in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.cosmetics import Cage, DrawnArrow, Line, Pill, Shade
from sudoku_cp.render.cage_outlines import DASHES
from sudoku_cp.render.candidate_marks import mark_shape, strike
from sudoku_cp.render.geometry import Box, Point, box_around
from sudoku_cp.render.outside_clues import CLUE_SIZE, draw_clue
from sudoku_cp.render.pieces import Piece, arrow_head, centred_text, circle, left_text, rectangle, stroke

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import CandidateMark, Cosmetic
    from sudoku_cp.render.outside_clues import ClueStyle, PlacedClue
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic

LINE_HEIGHT, LETTER_LINE_HEIGHT = 0.9, 0.55
"""The height of an entry of the legend, in cells, and that of one whose sample is a letter."""
LETTER = 0.3
"""The size of its letters."""
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
        yield LegendEntry(name, partial(draw_clue, text="n", look=(1, 1) if aslant else (0, 1), style=style))


def kind_entries(kinds: Mapping[str, Sequence[RuleCosmetic]]) -> Iterator[LegendEntry]:
    """Yield an entry for each kind whose colour needs an explanation, with samples in its colours."""
    for name, things in kinds.items():
        shades = [*dict.fromkeys((thing.drawn.shape, thing.drawn.colour) for thing in things if isinstance(thing.drawn, Shade))]
        others = [thing.drawn for thing in things if not isinstance(thing.drawn, Shade)]
        yield LegendEntry(name, partial(_cosmetic_sample, others[0]) if others else partial(_colour_samples, shades[:SWATCHES]))


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
    yield centred_text(at, text, LETTER)


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


def lay_out_entries(entries: Iterable[LegendEntry], left: float, top: float, right: float) -> Iterator[tuple[Piece, ...]]:
    """Yield the pieces of each entry below ``top``: as many side by side as fit, long texts wrapped."""
    x, y, high = left, top + 0.1, 0.0
    for entry in entries:
        wide = CLUE_SIZE + RUNNING * LETTER * len(entry.text) + 0.3
        if x == left or x + wide > right or entry.high != high:
            x, y, high = left, y + (high + entry.high) / 2, entry.high
        sample = entry.sample(Point(x + CLUE_SIZE / 2, y)) if entry.sample else ()
        lines = _wrap_text(entry.text, right - left - CLUE_SIZE, LETTER)
        start = x + (CLUE_SIZE if entry.sample else 0.1)
        yield (*sample, *(running_text(Point(start, y + number * SPACED * LETTER), line) for number, line in enumerate(lines)))
        x += wide
        if len(lines) > 1:
            x, y = left, y + (len(lines) - 1) * SPACED * LETTER


def lay_out_words(heading: str, words: str, left: float, top: float, right: float) -> Iterator[Piece]:
    """Yield a heading and paragraphs below ``top``, wrapped to the width from ``left`` to ``right``."""
    y = top + 0.2
    for number, paragraph in enumerate([heading, *words.splitlines()]):
        size = LETTER if number else 1.4 * LETTER
        for line in _wrap_text(paragraph, right - left, size) if paragraph else ():
            y += SPACED * size
            yield running_text(Point(left, y - size / 2), line, size, bold=not number)
        y += 0.4 * size


def running_text(at: Point, text: str, size: float = LETTER, *, bold: bool = False) -> Piece:
    """Return a line of running text, whose letters are narrower than digits."""
    piece = left_text(at, text, size, bold=bold)
    return piece._replace(box=piece.box._replace(right=at.x + RUNNING * size * len(text)))


def _wrap_text(text: str, width: float, size: float) -> list[str]:
    """Wrap a text to lines of at most this width."""
    return wrap(text, max(8, int(width / (RUNNING * size)))) or [""]
