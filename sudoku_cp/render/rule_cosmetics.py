"""What rules draw: the cosmetics of all rules, each with the rule it comes from, in distinguishable colours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.cosmetics import Cage, Dot, DrawnArrow, Line, NestedDrawing, Note, Pill, Shade
from sudoku_cp.render.colours import FORMS, ColourUse, Form, confusable_names, distinct_colours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules import Rule

BROAD = 0.15
"""Lines from this width on are broad."""


class RuleCosmetic(NamedTuple):
    """Something to draw, with the index of the rule that draws it (``owner``), the name of its kind, and if it is ``faint``.

    ``level`` is how many things of its sort it is drawn inside of, so that it does not lie on them.
    """

    drawn: Cosmetic
    owner: int
    name: str
    faint: bool = False
    level: int = 0


def cosmetics_of(puzzle: Puzzle) -> list[RuleCosmetic]:
    """Return what the rules of a puzzle draw, with levels; equal rules draw once."""
    owners: dict[Rule, int] = {}
    for owner, rule in enumerate(puzzle.rules):
        owners.setdefault(rule, owner)
    found = dict.fromkeys(
        _unwrap_parts(RuleCosmetic(drawn, owner, rule.kind))
        for rule, owner in owners.items()
        for drawn in rule.cosmetics(puzzle.grid)
        if drawn.cells or isinstance(drawn, Note)
    )
    return [*_assign_levels(found)]


def _unwrap_parts(thing: RuleCosmetic) -> RuleCosmetic:
    """Return the thing inside nested parts of a rule."""
    part = thing.drawn
    if not isinstance(part, NestedDrawing):
        return thing
    return _unwrap_parts(thing._replace(drawn=part.thing, name=part.name, faint=thing.faint or part.faint))


# --- levels -----------------------------------------------------------------------------------------------------


def _assign_levels(things: Iterable[RuleCosmetic]) -> Iterator[RuleCosmetic]:
    """Yield the things with levels: of outlines in the same cell each gets the lowest level that no earlier one has."""
    used: dict[tuple[str, Cell], set[int]] = {}
    for thing in things:
        sort, cells = _outline_cells(thing.drawn)
        taken = set[int]().union(*(used.get((sort, cell), ()) for cell in cells))
        level = next(level for level in range(len(taken) + 1) if level not in taken)
        for cell in cells:
            used.setdefault((sort, cell), set()).add(level)
        yield thing._replace(level=level)


def _outline_cells(drawn: Cosmetic) -> tuple[str, tuple[Cell, ...]]:
    """Return the sort of outline or disc that a thing has, if any, and its cells."""
    match drawn:
        case Cage(cells):
            return "cage", cells
        case Dot((cell,)):
            return "ring", (cell,)
        case Shade(cells) if drawn.shape != "cell":
            return "disc", cells
        case Line(cells):
            sort = "disc" if "bulb" in {drawn.start, drawn.end} else "ring"
            ends = ((drawn.start, cells[0]), (drawn.end, cells[-1]))
            return sort, tuple(cell for end, cell in ends if end in {"bulb", "circle"})
    return "", ()


# --- colours ----------------------------------------------------------------------------------------------------


def distinguish_colours(
    things: Sequence[RuleCosmetic], *, keyed: bool = False
) -> tuple[list[RuleCosmetic], dict[str, list[RuleCosmetic]]]:
    """Return the things in distinguishable colours, and by name those whose looks need an explanation.

    That is those that had nearly the same colour; ``keyed`` adds all that are of one sort, such as lines, with other names.
    """
    cages = {thing.name for thing in things if isinstance(thing.drawn, Cage) and not thing.faint}
    paints = [_colour_use(thing, by_level=len(cages) == 1) for thing in things]
    uses = [paint for paint in paints if paint]
    colours = distinct_colours(uses)
    coloured = [_recolour(thing, colours[paint]) if paint else thing for thing, paint in zip(things, paints, strict=True)]
    unclear = _names_of_same_form(confusable_names(uses), uses) | (_names_of_one_sort(uses) if keyed else set())
    explained: dict[str, list[RuleCosmetic]] = {name: [] for name in sorted(unclear)}
    for thing, paint in zip(coloured, paints, strict=True):
        if paint and thing.name in unclear:
            explained[thing.name].append(thing)
    return coloured, explained


def _names_of_same_form(names: set[str], uses: Sequence[ColourUse]) -> set[str]:
    """Add the names of everything of the same sort: a legend that names one kind of line should name all."""
    sorts = {FORMS[use.form].sort for use in uses if use.name in names}
    return {use.name for use in uses if FORMS[use.form].sort in sorts}


def _names_of_one_sort(uses: Sequence[ColourUse]) -> set[str]:
    """Return the names of everything whose sort has several names."""
    names: dict[str, set[str]] = {}
    for use in uses:
        names.setdefault(FORMS[use.form].sort, set()).add(use.name)
    return set().union(*(several for several in names.values() if len(several) > 1))


def _colour_use(thing: RuleCosmetic, *, by_level: bool) -> ColourUse | None:
    """Return the use of the thing's colour; None for faint things, which keep their colour and do not affect others.

    With ``by_level`` nested cages have other colours; without it, colours only say which kind they are.
    """
    form = None if thing.faint else _form(thing.drawn)
    if form is None:
        return None
    return ColourUse(form, thing.name, _group(thing, by_level=by_level), getattr(thing.drawn, "colour", "#000000"))


def _group(thing: RuleCosmetic, *, by_level: bool) -> tuple[int | str, ...]:
    """Return what distinguishes a thing from others of its name; mostly nothing."""
    match thing.drawn:
        case Cage() if thing.level and by_level:
            return (thing.level,)
        case Shade(group=True, colour=colour):
            return thing.owner, colour
    return ()


def _form(drawn: Cosmetic) -> Form | None:
    match drawn:
        case Line():
            return "broad" if drawn.width >= BROAD else "thin"
        case DrawnArrow() | Pill() | Dot((_,)):
            return "thin"
        case Cage():
            return "outline"
        case Shade():
            return "ground" if drawn.shape == "cell" else drawn.shape
    return None


def _recolour(thing: RuleCosmetic, colour: str) -> RuleCosmetic:
    match thing.drawn:
        case Line() | DrawnArrow() | Cage() | Pill() | Dot() | Shade() as drawn if drawn.colour != colour:
            return thing._replace(drawn=replace(drawn, colour=colour))
    return thing
