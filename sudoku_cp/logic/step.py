"""A step of reasoning: what it eliminates or places, by which pattern, and what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.logic.technique import Technique
    from sudoku_cp.model import Domain


Candidate: TypeAlias = "tuple[Cell, int]"
"""A value that a cell may hold."""


class ProofStatement(Enum):
    """What a proof group says; ``subject`` and ``value`` of the group fill the sentence."""

    HAS_VALUE = "cell subject has a value"
    ONE_VALUE = "cell subject has only one value"
    HAS_PLACE = "value has a place in house subject"
    ONCE = "value stands at most once in group subject"
    PART = "rule part subject holds"


class ProofGroup(NamedTuple):
    """One of the facts that a proof uses, each a piece of a rule: the unit in which the size of a proof is counted."""

    statement: ProofStatement
    subject: int
    value: int = 0


class ChainNode(NamedTuple):
    """The claim that one of ``cells`` holds ``value``."""

    value: int
    cells: CellSet


class Link(NamedTuple):
    """Between two nodes: at least one of them is true (strong), or at most one (weak).

    ``part`` is the rule part by which the link holds, None if houses and cells alone make it.
    """

    start: ChainNode
    end: ChainNode
    strong: bool
    part: PartIndex | None = None


class CellsAndValues(NamedTuple):
    """Cells with all the values that are candidates in them: an (almost) locked set."""

    cells: CellSet
    values: Domain


class Bound(NamedTuple):
    """The least (or the most) that a cell can hold, and the numbers that add up to it; none where it is no plain sum.

    On a thermometer the first number is what the cell ``beside`` can hold, the second how far that is away.
    """

    cell: Cell
    is_least: bool
    value: int
    terms: tuple[int, ...]
    beside: Cell | None = None

    def rules_out(self, value: int) -> bool:
        """Return whether a value of the cell is too small or too large."""
        return value < self.value if self.is_least else value > self.value


class Claim(NamedTuple):
    """That a cell holds a value, or (``holds`` False) that it does not."""

    cell: int
    value: int
    holds: bool


class ProofLine(NamedTuple):
    """What a group forces from the claims ``uses`` of earlier lines; the last line forces nothing: the group cannot hold.

    In a proof by cases, which propagation cannot follow, no line says what is forced.
    """

    group: ProofGroup
    uses: tuple[Claim, ...] = ()
    forces: tuple[Claim, ...] = ()


MOST_FACTS = 12
"""A refutation by more facts is no step that people take, but a supposition to be tried."""


@dataclass(frozen=True)
class Supposition:
    """That a candidate is true, and the ``lines`` that follow in order: to a contradiction, or to a choice of ``cases``.

    The candidates of the cases are all that is left of a cell or of the places of a value, the group ``choice``; each of them
    leads to a contradiction, and has no cases of its own.
    """

    candidate: Candidate
    lines: tuple[ProofLine, ...]
    choice: ProofGroup | None = None
    cases: tuple[Supposition, ...] = ()

    @property
    def depth(self) -> int:
        """How many candidates are supposed one upon the other, at most."""
        return 2 if self.cases else 1


@dataclass(frozen=True)
class Pattern:
    """What words and pictures show of a step besides its result: each technique fills what it has.

    ``bases`` and ``covers`` are houses (of fish, and of all techniques that look at a house), ``links`` a chain in order, a
    strong link first, ``sets`` (almost) locked sets, or the sets of values that cells of a cage may hold, ``total`` a sum,
    ``bounds`` what rules out values too small or too large. ``choice`` is the cell or the house, and its value, one of whose
    candidates must be true: the cases of a forcing chain or net, or what would be left without any. ``by_cases`` says that
    propagation alone does not follow the proof.

    ``filled`` are the values of all cells before a single, among which are those that block its other places or values (see
    `blockers_of`), and ``domains`` is what the cells of a rule part may hold. ``supposition`` is how a refutation is read.
    """

    bases: tuple[GroupIndex, ...] = ()
    covers: tuple[GroupIndex, ...] = ()
    fins: CellSet = 0
    links: tuple[Link, ...] = ()
    sets: tuple[CellsAndValues, ...] = ()
    total: int | None = None
    choice: ProofGroup | None = None
    by_cases: bool = False
    bounds: tuple[Bound, ...] = ()
    filled: tuple[int | None, ...] = ()
    domains: tuple[CellsAndValues, ...] = ()
    supposition: Supposition | None = None


@dataclass(frozen=True)
class Step:
    """What one instance of a technique shows.

    ``cells`` are those of the pattern and ``values`` its values; ``eliminations`` and ``placements`` are in the order of cells
    and values. The pencil marks, the groups of the ``proof`` and the negation of any result contradict each other, except for a
    technique that needs uniqueness, whose argument speaks of a second solution.
    """

    technique: Technique
    values: Domain
    cells: CellSet
    eliminations: tuple[Candidate, ...] = ()
    placements: tuple[Candidate, ...] = ()
    pattern: Pattern = Pattern()
    proof: tuple[ProofGroup, ...] = ()

    @property
    def needs_uniqueness(self) -> bool:
        """Whether the step holds only for puzzles that have one solution."""
        return self.technique.needs_uniqueness

    @property
    def result(self) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
        """What it eliminates and what it places."""
        return self.eliminations, self.placements


# The proof groups by which cells differ: what most techniques state about the cells that they eliminate.


def once_in(layout: Layout, value: int, group: GroupIndex) -> ProofGroup:
    """Return the reason why a value stands at most once in a group: the rule part, where the group is part of one."""
    part = layout.groups[group].part
    return ProofGroup(ProofStatement.ONCE, group, value) if part is None else ProofGroup(ProofStatement.PART, part)


def once(layout: Layout, value: int, cells: CellSet) -> ProofGroup:
    """Return the reason why a value stands at most once in ``cells``, all in some group: a house if possible."""
    return once_in(layout, value, next(layout.groups_over(cells)))


def sees(layout: Layout, value: int, cell: Cell, cells: CellSet) -> Iterator[ProofGroup]:
    """Yield the reasons why no cell of ``cells``, all seen by ``cell``, holds a value if ``cell`` does: few, houses first."""
    while cells:
        group = max(layout.groups_of[cell], key=lambda index: (cells & layout.groups[index].mask).bit_count())
        if not cells & layout.groups[group].mask:
            return
        yield once_in(layout, value, group)
        cells &= ~layout.groups[group].mask


def sees_each_other(layout: Layout, value: int, some: CellSet, others: CellSet) -> tuple[ProofGroup, ...]:
    """Return the reasons why no cell of ``some`` and one of ``others``, all of which it sees, both hold a value."""
    common = next(layout.groups_over(some | others), None) if some | others else None
    if common is not None:
        return (once_in(layout, value, common),)
    return distinct(group for cell in members(some) for group in sees(layout, value, cell, others & ~(1 << cell)))


def part_in(groups: Iterable[ProofGroup]) -> PartIndex | None:
    """Return the first rule part among some proof groups, None if there is none."""
    return next((group.subject for group in groups if group.statement is ProofStatement.PART), None)


def distinct(groups: Iterable[ProofGroup]) -> tuple[ProofGroup, ...]:
    """Return proof groups in their order, each once."""
    return tuple(dict.fromkeys(groups))


# Merge two steps into one.


def united(technique: Technique, one: Step, other: Step) -> Step:
    """Return the step that shows what both of two steps of a board show."""
    pattern = Pattern(
        tuple(dict.fromkeys(one.pattern.bases + other.pattern.bases)),
        tuple(dict.fromkeys(one.pattern.covers + other.pattern.covers)),
        one.pattern.fins | other.pattern.fins,
        one.pattern.links + other.pattern.links,
        one.pattern.sets + other.pattern.sets,
    )
    return Step(
        technique,
        one.values | other.values,
        one.cells | other.cells,
        tuple(sorted({*one.eliminations, *other.eliminations})),
        tuple(sorted({*one.placements, *other.placements})),
        pattern,
        distinct(one.proof + other.proof),
    )
