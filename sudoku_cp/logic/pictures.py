"""Steps as pictures: what of a position they mark, link and shade, by the parts of their pattern.

Shapes carry the meaning, colours only help: of a chain circles and squares alternate (of each two linked by a strong link one is
true), diamonds are fins, what goes is struck out, what is placed is a filled circle. Strong links are solid, weak ones dashed;
base houses are shaded, cover houses hatched.
"""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.cosmetics import Annotation, CandidateLink, CandidateMark, CellGround
from sudoku_cp.logic.step import ProofStatement, Technique
from sudoku_cp.logic.step_reasons import blockers_of
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle import Origin, Position
from sudoku_cp.render import svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import MarkShape
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.step import CellsAndValues, ChainNode, Step
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle


class _Style(NamedTuple):
    """The shape of a mark, and its colour."""

    shape: MarkShape
    colour: str


KEY = (
    "Circles and squares make the pattern. Along a chain they alternate: of two that a solid line joins at least one is true, "
    "of two that a dashed line joins at most one. Diamonds are fins and extra candidates. What is struck out goes, "
    "and a filled circle is placed. Base houses, and the cell or house whose cases are tried, are shaded, cover houses hatched. "
    "Placed values that rule out what a single needs to be ruled out are shaded, too."
)
"""What the shapes mean, in words."""
_PLACED, _GONE = _Style("filled", "#1B7F4B"), _Style("struck", "#CC1111")
_STYLES: tuple[_Style, ...] = (
    _Style("circle", "#0072B2"),
    _Style("square", "#C77700"),
    _Style("diamond", "#9B2F8F"),
    _Style("hexagon", "#007F62"),
    _Style("circle", "#7A4B2A"),
    _Style("square", "#4F6D8A"),
    _Style("diamond", "#7A7A00"),
    _Style("hexagon", "#B0356B"),
)
"""Of parts that differ, in order: sets, or the two sides of a chain."""
_PATTERN, _FIN = _STYLES[0], _STYLES[2]
_BASE, _COVER = "#DDEBF7", "#EDC07F"
_RECTANGLE = "#FBEFD9"
_TINTS = ("#E6F0F8", "#FBEFD9", "#F4E4F2", "#DDF1EA", "#EFE6DF", "#E4E9EF", "#F0F0D8", "#F6E0EA")
"""The grounds of sets, in the order of `_STYLES`."""
_COLOURING = frozenset(
    {Technique.COLOUR_TRAP, Technique.COLOUR_WRAP, Technique.MULTI_COLOURS_1, Technique.MULTI_COLOURS_2, Technique.REMOTE_PAIR}
)
"""Techniques whose houses are too many to shade."""
_OF_RULES = frozenset(technique for technique in Technique if technique.code >= "2000") - {
    Technique.CAGE_X_WING,
    Technique.LEFTOVERS,
    Technique.SET_EQUIVALENCE,
}
"""Techniques that read one part of a rule, or a few: their sets are ways to fill its cells, which are shaded."""
_LETTERED = frozenset({Technique.ALS_XZ, Technique.ALS_XY_WING, Technique.ALS_CHAIN, Technique.DEATH_BLOSSOM})
"""Techniques whose sets have letters in sentences; only what joins these sets is drawn, not the links within them."""


def position_of(puzzle: Puzzle, board: CandidateBoard) -> Position:
    """Return a board of a puzzle as a position, with all candidates as pencil marks."""
    origins = [
        None if value is None else Origin.GIVEN if board.givens >> cell & 1 else Origin.FORCED
        for cell, value in enumerate(board.values)
    ]
    return Position(puzzle, tuple(board.values), tuple(origins), tuple(board.candidates))


def draw_step(position: Position, step: Step, board: CandidateBoard, *, cell: int = 50) -> str:
    """Return the picture of a step on a position, the one that ``board`` stands for, as SVG; ``cell`` pixels per cell."""
    return svg(position, cell=cell, annotation=annotate_step(board, step))


def annotate_step(board: CandidateBoard, step: Step) -> Annotation:
    """Return what a picture of the board marks to show a step."""
    gone = [CandidateMark(candidate, *_GONE) for candidate in step.eliminations]
    placed = [CandidateMark(candidate, *_PLACED) for candidate in step.placements]
    shown = [mark for mark in dict.fromkeys(_pattern_marks(board, step)) if mark.candidate not in step.placements]
    return Annotation((*gone, *shown, *placed), tuple(_links(step)), tuple(_grounds(board, step)), tuple(_key(step)))


# --- candidates ---------------------------------------------------------------------------------------------------------


def _pattern_marks(board: CandidateBoard, step: Step) -> Iterator[CandidateMark]:
    """Yield the marks of a pattern. Candidates of several sets have several."""
    pattern = step.pattern
    if pattern.links and step.technique not in _LETTERED:
        both = step.technique is Technique.REMOTE_PAIR
        sides = [
            _marks(board, node.cells, step.values if both else 1 << node.value, style) for node, style in _sides(step).items()
        ]
        yield from {mark.candidate: mark for marks in reversed(sides) for mark in marks}.values()  # the first of each counts
    elif pattern.cases or pattern.ends:
        yield from _case_marks(board, step)
    elif step.technique in _OF_RULES:
        alone = step.values if step.values.bit_count() == 1 else 0  # of several, all in the cells could be meant
        yield from _marks(board, pattern.fins, alone, _FIN)
        yield from _marks(board, step.cells & ~pattern.fins, alone, _PATTERN)
    elif pattern.sets:
        yield from _set_marks(board, step)
    else:
        yield from _marks(board, pattern.fins, step.values, _FIN)
        yield from _marks(board, step.cells & ~pattern.fins, step.values, _PATTERN)


def _case_marks(board: CandidateBoard, step: Step) -> Iterator[CandidateMark]:
    """Yield the marks of cases and of what clues then put where; or of what a clue makes of cells, and what is left without."""
    pattern = step.pattern
    lost = to_mask(value for _, value in step.eliminations)
    for case in pattern.cases:
        yield CandidateMark(case.candidate, *_PATTERN)
        yield from _marks(board, case.cells if case.part is not None else 0, lost, _FIN)
    for one in pattern.domains:
        yield from _marks(board, one.cells, one.values, _PATTERN)
    for one in pattern.sets:
        yield from _marks(board, one.cells, one.values, _FIN)


def _set_marks(board: CandidateBoard, step: Step) -> Iterator[CandidateMark]:
    """Yield the marks of the values of sets, and of further values in the roof of a rectangle."""
    sets, fins = step.pattern.sets, step.pattern.fins
    if step.needs_uniqueness:
        yield from _marks(board, fins, step.values & ~sets[0].values, _FIN)
    for index, one in enumerate(sets):
        own = step.values if step.technique is Technique.BUG_PLUS_1 else one.values
        yield from _marks(board, one.cells, own, _STYLES[index % len(_STYLES)])


def _marks(board: CandidateBoard, cells: CellSet, values: Domain, style: _Style) -> Iterator[CandidateMark]:
    for cell in members(cells):
        for value in members(board.candidates[cell] & values):
            yield CandidateMark((cell, value), *style)


def _sides(step: Step) -> dict[ChainNode, _Style]:
    """Return the style of each node: along links two of them alternate, and parts that no link joins have others."""
    found: dict[ChainNode, int] = {}
    parts = 0
    for link in step.pattern.links:
        if link.start not in found and link.end not in found:
            found[link.start] = 2 * parts
            parts += 1
        if link.start in found:
            found.setdefault(link.end, found[link.start] ^ 1)
        else:
            found[link.start] = found[link.end] ^ 1
    return {node: _STYLES[side % len(_STYLES)] for node, side in found.items()}


# --- links, grounds, key ------------------------------------------------------------------------------------------------


def _links(step: Step) -> Iterator[CandidateLink]:
    shown = (link for link in step.pattern.links if not link.strong or step.technique not in _LETTERED)
    for link in shown:
        starts, ends = (tuple((cell, node.value) for cell in members(node.cells)) for node in (link.start, link.end))
        yield CandidateLink(starts, ends, dashed=not link.strong)


def _grounds(board: CandidateBoard, step: Step) -> Iterator[CellGround]:
    """Yield base houses shaded, cover houses hatched, and sets in their tints; cells of a second set are hatched too."""
    pattern, groups = step.pattern, board.layout.groups
    if step.technique not in _COLOURING:
        yield from (CellGround(groups[house].cells, _BASE) for house in pattern.bases)
    if blockers := blockers_of(board.layout, step).placed:
        yield CellGround(tuple(cell for cell, _ in blockers), _RECTANGLE)
    if pattern.choice is not None:
        of_cell = pattern.choice.statement is ProofStatement.HAS_VALUE
        yield CellGround((pattern.choice.subject,) if of_cell else groups[pattern.choice.subject].cells, _BASE)
    if step.needs_uniqueness:
        yield CellGround(tuple(members(pattern.sets[0].cells)), _RECTANGLE)
    elif step.technique in _OF_RULES:
        yield CellGround(tuple(members(step.cells)), _RECTANGLE)
    elif pattern.sets and (not pattern.bases or step.technique in {Technique.LEFTOVERS, Technique.SET_EQUIVALENCE}):
        yield from _set_grounds(pattern.sets)
    yield from (CellGround(groups[house].cells, _COVER, hatched=True) for house in pattern.covers)


def _set_grounds(sets: tuple[CellsAndValues, ...]) -> Iterator[CellGround]:
    taken = 0
    for index, one in enumerate(sets):
        yield CellGround(tuple(members(one.cells & ~taken)), _TINTS[index % len(_TINTS)])
        yield CellGround(tuple(members(one.cells & taken)), _STYLES[index % len(_STYLES)].colour, hatched=True)
        taken |= one.cells


def _key(step: Step) -> Iterator[tuple[CandidateMark, str]]:
    """Yield the letters by which a sentence calls the sets."""
    if step.technique in _LETTERED:
        names = ascii_uppercase if step.technique is not Technique.DEATH_BLOSSOM else ("stem", *ascii_uppercase)
        for index, name in enumerate(names[: len(step.pattern.sets)]):
            yield CandidateMark((0, 0), *_STYLES[index % len(_STYLES)]), name
