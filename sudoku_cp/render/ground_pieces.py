"""What lies on the grid's ground, as pieces: lines, arrows, outlines, shades. `picture_layers` places what has letters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import IntEnum
from itertools import pairwise, product
from math import dist, hypot
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.cosmetics import Cage, Chevron, Clue, Dot, DrawnArrow, DrawnCage, Line, Mark, NestedDrawing, Note, Pill, Shade
from sudoku_cp.render.colours import FORMS, ColourUse, Form, confusable_names, distinct_colours
from sudoku_cp.render.geometry import Piece, Point, arrow_head, box_around, circle, diamond, polygon, rectangle, stroke

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import Cosmetic, End
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules import Rule


# What rules draw: the cosmetics of all rules, each with the rule it comes from, in distinguishable colours.


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


NO_RULE = -1
"""The owner of what no rule draws."""
MOST_CAGE_TEXTS = 4
"""The most drawn cages that begin in a cell and have a text: more could not be read, and room for each takes long to find."""


def drawn_cages(puzzle: Puzzle, things: Iterable[RuleCosmetic]) -> list[RuleCosmetic]:
    """Return the cages among the drawings of a puzzle, with levels that the ``things`` of its rules leave."""
    own = [one for one in puzzle.drawings if isinstance(one, DrawnCage)]
    others = [thing for thing in things if isinstance(thing.drawn, Cage)] if own else []
    texts: Counter[Cell] = Counter()
    cages = []
    for one in own:
        texts[min(one.cells)] += 1
        text = one.text if texts[min(one.cells)] <= MOST_CAGE_TEXTS else ""
        cages.append(RuleCosmetic(Cage(one.cells, text, one.colour), NO_RULE, "drawing"))
    return [*_assign_levels([*others, *cages])][len(others) :]


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


BULB = 0.38
"""The radius of a circle that fills a cell."""
STEP, DISC_STEP = 0.055, 0.1
"""How much smaller an outline, or a disc, is for each other one around it."""
EDGED = 0.08
"""The white edge on both sides of a line that meets another."""
DIAMOND = 0.46
"""The distance from the centre of a diamond to its corners."""


def cell_centre(grid: Grid, cell: Cell) -> Point:
    """Return the centre of a cell."""
    row, column = grid.places[cell]
    return Point(column + 0.5, row + 0.5)


def centroid(points: Sequence[Point]) -> Point:
    """Return the centroid of some points."""
    return Point(sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points))


class Depth(IntEnum):
    """Drawing order, lowest first, so that of several things in one cell each can be seen."""

    GROUND = 0
    PILL = 1
    DISC = 2
    BROAD = 3
    THIN = 4
    RING = 5
    OUTLINE = 6


def ground_pieces(
    thing: RuleCosmetic, grid: Grid, shared: Mapping[Cell, Sequence[str]] = MappingProxyType({}), aside: Offset | None = None
) -> Iterator[tuple[Depth, Piece]]:
    """Yield the pieces of what a thing draws on the ground, each with its depth.

    ``shared`` has the colours of each cell's ground; a line that meets another is moved ``aside`` and has a white edge.
    """
    drawn, level = thing.drawn, thing.level
    middles = [cell_centre(grid, cell).moved(*aside or (0, 0)) for cell in drawn.cells]
    match drawn:
        case Shade():
            depth = Depth.GROUND if drawn.shape == "cell" else Depth.DISC
            for cell in dict.fromkeys(drawn.cells):
                yield depth, _shade(drawn, cell_centre(grid, cell), shared.get(cell, ()), level)
        case Line():
            yield from _line(drawn, middles, level, edged=aside is not None)
        case DrawnArrow():
            bulb = [cell_centre(grid, cell) for cell in drawn.bulb] or middles[:1]
            yield from ((Depth.THIN, piece) for piece in _arrow(middles, bulb, drawn.colour, edged=aside is not None))
        case Pill():
            yield from ((Depth.PILL, piece) for piece in _loop(middles, drawn.colour))
        case Cage():
            places = [grid.places[cell] for cell in drawn.cells]
            yield from ((Depth.OUTLINE, piece) for piece in draw_cage(places, drawn.colour, level))
        case Dot((_,)):
            inside = drawn.colour if drawn.filled else None
            yield Depth.RING, circle(middles[0], BULB - STEP * level, inside, drawn.colour, 0.06)
        case Dot() | Mark() | Chevron() | Clue() | Note() | NestedDrawing():
            pass


def ground_colours(things: Sequence[RuleCosmetic]) -> dict[Cell, list[str]]:
    """Return the ground colours of each cell that has any."""
    found: dict[Cell, dict[str, None]] = {}
    for thing in things:
        if isinstance(thing.drawn, Shade) and thing.drawn.shape == "cell":
            for cell in thing.drawn.cells:
                found.setdefault(cell, {})[thing.drawn.colour] = None
    return {cell: [*colours] for cell, colours in found.items()}


def _shade(thing: Shade, at: Point, shared: Sequence[str], level: int) -> Piece:
    smaller = DISC_STEP * min(level, 3)
    match thing.shape:
        case "cell" if len(shared) > 1:
            return polygon(_wedge(at, shared.index(thing.colour), len(shared)), thing.colour)
        case "cell":
            return rectangle(box_around([at], 0.5), thing.colour)
        case "circle":
            return circle(at, 0.4 - smaller, thing.colour)
        case "diamond":
            return diamond(at, 0.45 - smaller, thing.colour)
        case "square":
            return rectangle(box_around([at], 0.36 - smaller), thing.colour)


def _wedge(at: Point, number: int, parts: int) -> list[Point]:
    """Return the corners of wedge ``number`` of ``parts`` that a cell is cut into around its centre."""
    corners = [at.moved(x / 2, y / 2) for x, y in ((-1, 1), (-1, -1), (1, -1), (1, 1))]

    def rim(turn: float) -> Point:
        side, along = divmod(turn % 4, 1)
        one, other = corners[int(side)], corners[(int(side) + 1) % 4]
        return Point(one.x + along * (other.x - one.x), one.y + along * (other.y - one.y))

    start, end = 4 * number / parts, 4 * (number + 1) / parts
    between = [rim(turn) for turn in range(int(start) + 1, int(end) + (end % 1 > 0))]
    return [at, rim(start), *between, rim(end)]


def _line(thing: Line, middles: Sequence[Point], level: int, *, edged: bool) -> Iterator[tuple[Depth, Piece]]:
    route = [*middles, *middles] if len(middles) == 1 else [*middles]
    if thing.beyond:
        route[0], route[-1] = route[0].towards(route[1], -thing.beyond), route[-1].towards(route[-2], -thing.beyond)
    ring, depth = BULB - STEP * level, Depth.BROAD if thing.width >= BROAD else Depth.THIN
    wide = thing.width + EDGED
    if edged:  # round ends of a white edge would show within a bulb
        yield depth, stroke(_trim_ends(thing, route, ring, BULB + wide / 2), "#FFFFFF", wide)
    yield depth, stroke(_trim_ends(thing, route, ring, 0), thing.colour, thing.width)
    for end, at in ((thing.start, middles[0]), (thing.end, middles[-1])):
        match end:
            case "bulb":
                yield Depth.DISC, circle(at, BULB - DISC_STEP * min(level, 3), thing.colour)
            case "circle":
                yield Depth.RING, circle(at, ring, None, thing.colour, 0.06)
            case "diamond":
                yield Depth.RING, diamond(at, DIAMOND, None, thing.colour)
            case "plain":
                pass


def _trim_ends(thing: Line, route: Sequence[Point], ring: float, bulb: float) -> list[Point]:
    """Return a route without the part inside open ends, and without ``bulb`` from the centre of a bulb."""
    radii = {"circle": ring, "bulb": bulb}
    first = _line_start(thing.start, route[0], route[1], radii.get(thing.start, 0))
    return [first, *route[1:-1], _line_start(thing.end, route[-1], route[-2], radii.get(thing.end, 0))]


def _line_start(end: End, at: Point, towards: Point, radius: float) -> Point:
    """Return where a line begins: at the edge of an open end, so that nothing below it is hidden."""
    match end:
        case "circle" | "bulb":
            return at.towards(towards, radius)
        case "diamond":
            sides = abs(towards.x - at.x) + abs(towards.y - at.y)
            return at.towards(towards, DIAMOND * hypot(towards.x - at.x, towards.y - at.y) / sides if sides else 0)
        case "plain":
            return at


def _arrow(middles: Sequence[Point], bulb: Sequence[Point], colour: str, *, edged: bool) -> Iterator[Piece]:
    if len(middles) > 1:
        route = _route_outside(middles, bulb)
        if edged:
            yield stroke(route, "#FFFFFF", 0.06 + EDGED)
        yield stroke(route, colour, 0.06)
        yield arrow_head(route[-1], route[-2], colour)


def _route_outside(route: Sequence[Point], spine: Sequence[Point]) -> list[Point]:
    """Return the rest of a route from the point where it leaves the pill around a spine."""
    for place in range(len(route) - 1):
        inside, beyond = route[place], route[place + 1]
        if _distance(beyond, spine) <= BULB:
            continue
        for _ in range(20):  # bisection finds the edge to a millionth of a cell
            half = centroid([inside, beyond])
            inside, beyond = (half, beyond) if _distance(half, spine) <= BULB else (inside, half)
        return [beyond, *route[place + 1 :]]
    return [*route]


def _distance(point: Point, spine: Sequence[Point]) -> float:
    """Return the distance from a point to a polyline."""
    found = [hypot(point.x - at.x, point.y - at.y) for at in spine]
    for one, other in pairwise(spine):
        across, down = other.x - one.x, other.y - one.y
        along = ((point.x - one.x) * across + (point.y - one.y) * down) / (across**2 + down**2 or 1)
        if 0 < along < 1:
            found.append(hypot(point.x - one.x - along * across, point.y - one.y - along * down))
    return min(found)


def _loop(middles: Sequence[Point], colour: str) -> Iterator[Piece]:
    box = box_around(middles, BULB)
    if min(box.right - box.left, box.bottom - box.top) <= 2 * BULB + 0.01:
        yield rectangle(box, None, colour, round_by=BULB)
    else:  # cells that are not in one row or column: a broad line with a white one on it
        yield stroke(middles, colour, 2 * BULB + 0.06)
        yield stroke(middles, "#FFFFFF", 2 * BULB - 0.06)


# Dashed outlines around cells: one around each connected part, and links between parts.


INSET, OUTLINE_STEP, DEEPEST = 0.07, 0.055, 4
"""How far inside its cells a cage is drawn, how much farther for each cage around it, and up to how many of these."""
DASHES = ((0.09, 0.06), (0.2, 0.05), (0.035, 0.045), (0.14, 0.04, 0.035, 0.04))
"""The dashes of a cage by its level, so that each of several nested cages can be followed."""


def draw_cage(places: Sequence[Place], colour: str, level: int) -> Iterator[Piece]:
    """Yield the sides of a cage, and links between its parts."""
    inside, inset = frozenset(places), INSET + OUTLINE_STEP * (level % DEEPEST)
    dashes = DASHES[level % DEEPEST]
    for place in dict.fromkeys(places):
        for side in _sides(place, inside, inset):
            yield stroke(side, colour, 0.03, dashes)
    for link in _links(_connected_parts(inside), 0.5 - inset):
        yield stroke(link, colour, 0.03, dashes)


def _sides(place: Place, inside: frozenset[Place], inset: float) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a cell that lie on the border of the cage, long enough to meet at every corner."""
    row, column = place

    def reach(along: Place, aslant: Place) -> float:
        """Return how far a side extends beyond its cell: less than to its edge, to it, or past it around an inner corner."""
        return -inset if along not in inside else inset if aslant in inside else 0.0

    for out in (-1, 1):
        edge = 0.5 + out * (0.5 - inset)
        if (row + out, column) not in inside:
            left, right = (reach((row, column + step), (row + out, column + step)) for step in (-1, 1))
            yield Point(column - left, row + edge), Point(column + 1 + right, row + edge)
        if (row, column + out) not in inside:
            up, down = (reach((row + step, column), (row + step, column + out)) for step in (-1, 1))
            yield Point(column + edge, row - up), Point(column + edge, row + 1 + down)


def _connected_parts(inside: Iterable[Place]) -> list[list[Place]]:
    """Return the places in parts that are connected by edges."""
    left, found = {*inside}, []
    while left:
        part = [min(left)]
        left.discard(part[0])
        for row, column in part:  # grows while it is walked
            near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
            part += [place for place in near if place in left]
            left.difference_update(near)
        found.append(part)
    return found


def _links(parts: list[list[Place]], half: float) -> Iterator[tuple[Point, Point]]:
    """Yield the shortest link of each part to one before it, from edge to edge; ``half`` is from a cell's middle to the cage."""
    joined: list[Place] = []
    for part in parts:
        if joined:
            one, other = min(product(joined, part), key=lambda pair: (dist(*pair), pair))
            yield _nearest_point(one, other, half), _nearest_point(other, one, half)
        joined += part


def _nearest_point(place: Place, other: Place, half: float) -> Point:
    """Return the point of a cell's outline that is nearest to another cell."""
    down, across = (max(-half, min(half, far - near)) for near, far in zip(place, other, strict=True))
    return Point(place[1] + 0.5 + across, place[0] + 0.5 + down)


# Offsets of lines that share a stretch, so that they run side by side: each later line is moved a little as a whole.


Offset: TypeAlias = tuple[float, float]
"""How far a line is moved: right, down."""
Stretch: TypeAlias = "frozenset[Cell]"

MIN_CLEARANCE = 0.12
"""Lines this far apart can be followed separately."""
_STEP = 0.14
_OFFSETS: tuple[Offset, ...] = (
    (0, 0), (_STEP, -_STEP), (-_STEP, _STEP), (_STEP, _STEP), (-_STEP, -_STEP),
    (2 * _STEP, -_STEP), (-2 * _STEP, _STEP), (_STEP, 2 * _STEP), (-_STEP, -2 * _STEP),
)  # fmt: skip
"""The offsets to try, in order."""


def line_offsets(things: Sequence[RuleCosmetic], grid: Grid) -> Mapping[RuleCosmetic, Offset]:
    """Return the offset of each line that meets an earlier one in a cell; (0, 0) if they share no stretch."""
    lines = [thing for thing in things if isinstance(thing.drawn, Line | DrawnArrow) and len(set(thing.drawn.cells)) > 1]
    users: dict[Stretch, list[RuleCosmetic]] = {}
    visitors: dict[Cell, list[RuleCosmetic]] = {}
    found: dict[RuleCosmetic, Offset] = {}
    for line in lines:
        stretches = [*_stretches(line)]
        met = [(stretch, other) for stretch in stretches for other in users.get(stretch, ()) if not _share_a_bulb(line, other)]
        ways = [(_direction(stretch, grid), found.get(other, (0, 0))) for stretch, other in met]
        aside = next((aside for aside in _OFFSETS if _clearance(aside, ways) >= MIN_CLEARANCE), None)
        aside = aside or max(_OFFSETS, key=lambda one: _clearance(one, ways))
        if any(not _share_a_bulb(line, other) for cell in line.drawn.cells for other in visitors.get(cell, ())):
            found[line] = aside
        for cell in line.drawn.cells:
            visitors.setdefault(cell, []).append(line)
        for stretch in stretches:
            users.setdefault(stretch, []).append(line)
    return found


def _stretches(line: RuleCosmetic) -> Iterator[Stretch]:
    """Yield the two cells of each stretch of a line."""
    return (frozenset(pair) for pair in pairwise(line.drawn.cells) if pair[0] != pair[1])


def _share_a_bulb(one: RuleCosmetic, other: RuleCosmetic) -> bool:
    """Return whether two lines leave one bulb together before they part: these are drawn as one line that branches."""
    lines = one.drawn, other.drawn
    if one.name != other.name or not all(isinstance(line, Line) and line.start == "bulb" for line in lines):
        return False
    routes = [line.cells for line in lines]
    common = next((n for n, pair in enumerate(zip(*routes, strict=False)) if pair[0] != pair[1]), min(map(len, routes)))
    return common > 0 and not set(routes[0][common:]) & set(routes[1])


def _direction(stretch: Stretch, grid: Grid) -> tuple[float, float]:
    """Return the direction of a stretch: right, down, of length 1."""
    (row, column), (other, across) = sorted(grid.places[cell] for cell in stretch)
    length = hypot(other - row, across - column)
    return (across - column) / length, (other - row) / length


def _clearance(aside: Offset, ways: Sequence[tuple[tuple[float, float], Offset]]) -> float:
    """Return the least distance to the other lines, measured across any shared stretch."""
    return min(
        (abs(right * (aside[1] - other[1]) - down * (aside[0] - other[0])) for (right, down), other in ways),
        default=MIN_CLEARANCE,
    )
