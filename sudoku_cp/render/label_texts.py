"""Which labels a picture has: totals, letters of groups, signs of notes, and clues that have no room outside."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage, Clue, Dot, Line, Note, Shade
from sudoku_cp.render.cell_labels import CellLabel
from sudoku_cp.render.colours import readable_ink
from sudoku_cp.render.outside_clues import ARROWS, clue_direction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Grid
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic


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
