"""Which labels a picture has: totals, letters of groups that belong together, signs of notes, clues without room outside."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage, Clue, Dot, Line, Note, Shade
from sudoku_cp.render.colours import ink
from sudoku_cp.render.labels import Label
from sudoku_cp.render.outside import ARROWS, look_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Grid
    from sudoku_cp.render.things import Thing


def labels_of(things: Sequence[Thing], inner: Collection[Thing], grid: Grid) -> list[tuple[Thing, Label]]:
    """Return the label of each thing that has one, those first that can stand in one cell alone."""
    letters = {**_letters(things), **_signs(things)}
    found = [(thing, one) for thing in things for one in _label(thing, letters.get(thing, ""), inner, grid)]
    return sorted(found, key=lambda one: len(one[1].places) > 1)


def notes_of(things: Sequence[Thing]) -> list[tuple[str, str]]:
    """Return the sign and the words of each note, once of those that say the same."""
    signs = _signs(things)
    return [*dict.fromkeys((signs[thing], thing.drawn.text) for thing in things if isinstance(thing.drawn, Note))]


def _label(thing: Thing, letter: str, inner: Collection[Thing], grid: Grid) -> Iterator[Label]:
    places = tuple(grid.places[cell] for cell in thing.drawn.cells)
    match thing.drawn:
        case Cage(_, said, colour) if said:
            yield Label(said, tuple(sorted(set(places))), ink(colour))
        case Line(_, colour) as line if line.text:
            yield Label(line.text, places, ground=colour)
        case Dot((_,), said) if said:
            yield Label(said, places)
        case Clue(_, said) as clue if thing in inner:
            yield Label(f"{said}{ARROWS[look_of(clue, grid)]}", places[:1])
        case Shade(_, colour) if letter:
            yield Label(letter, tuple(sorted(set(places))), ground=colour)
        case Note() if letter and places:
            yield Label(letter, places)


def _letters(things: Sequence[Thing]) -> Mapping[Thing, str]:
    """Return a letter for each group of a rule that has several, where another rule of that kind has several too."""
    groups: dict[tuple[str, int], list[Thing]] = {}
    for thing in things:
        if isinstance(thing.drawn, Shade) and thing.drawn.group:
            groups.setdefault((thing.name, thing.owner), []).append(thing)
    several = {key: found for key, found in groups.items() if len(found) > 1}
    names = [name for name, _ in several]
    told = [key for key in several if names.count(key[0]) > 1]
    return {thing: _letter(number) for number, key in enumerate(told) for thing in several[key]}


def _signs(things: Sequence[Thing]) -> Mapping[Thing, str]:
    """Return the sign of each note, with a letter where one sign stands for several texts."""
    notes = [(thing, thing.drawn) for thing in things if isinstance(thing.drawn, Note)]
    texts: dict[str, list[str]] = {}
    for _, note in notes:
        told = texts.setdefault(note.sign, [])
        told += [note.text] * (note.text not in told)
    return {
        thing: note.sign + (_letter(texts[note.sign].index(note.text)) if note.sign and len(texts[note.sign]) > 1 else "")
        for thing, note in notes
    }


def _letter(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ..."""
    before, last = divmod(number, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]
