"""The techniques, and a step of reasoning: what it eliminates or places, by which technique and pattern, and what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from re import sub
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import members
from sudoku_cp.name_table import NameTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.model import Domain


# The names and codes of all techniques. Codes below 2000 are those of HoDoKu's library of cases.
#
# Other programs use these too; the codes from 2000 on are ours.


class Technique(Enum):
    """A technique: its code and its name."""

    FULL_HOUSE = "0000", "full house"
    HIDDEN_SINGLE = "0002", "hidden single"
    NAKED_SINGLE = "0003", "naked single"

    POINTING = "0100", "locked candidates (pointing)"
    CLAIMING = "0101", "locked candidates (claiming)"
    LOCKED_PAIR = "0110", "locked pair"
    LOCKED_TRIPLE = "0111", "locked triple"
    NAKED_PAIR = "0200", "naked pair"
    NAKED_TRIPLE = "0201", "naked triple"
    NAKED_QUAD = "0202", "naked quad"
    HIDDEN_PAIR = "0210", "hidden pair"
    HIDDEN_TRIPLE = "0211", "hidden triple"
    HIDDEN_QUAD = "0212", "hidden quad"

    X_WING = "0300", "X-wing"
    SWORDFISH = "0301", "swordfish"
    JELLYFISH = "0302", "jellyfish"
    SQUIRMBAG = "0303", "squirmbag"
    WHALE = "0304", "whale"
    LEVIATHAN = "0305", "leviathan"
    FINNED_X_WING = "0310", "finned X-wing"
    FINNED_SWORDFISH = "0311", "finned swordfish"
    FINNED_JELLYFISH = "0312", "finned jellyfish"
    FINNED_SQUIRMBAG = "0313", "finned squirmbag"
    FINNED_WHALE = "0314", "finned whale"
    FINNED_LEVIATHAN = "0315", "finned leviathan"
    SASHIMI_X_WING = "0320", "sashimi X-wing"
    SASHIMI_SWORDFISH = "0321", "sashimi swordfish"
    SASHIMI_JELLYFISH = "0322", "sashimi jellyfish"
    SASHIMI_SQUIRMBAG = "0323", "sashimi squirmbag"
    SASHIMI_WHALE = "0324", "sashimi whale"
    SASHIMI_LEVIATHAN = "0325", "sashimi leviathan"
    FRANKEN_X_WING = "0330", "franken X-wing"
    FRANKEN_SWORDFISH = "0331", "franken swordfish"
    FRANKEN_JELLYFISH = "0332", "franken jellyfish"
    FRANKEN_SQUIRMBAG = "0333", "franken squirmbag"
    FRANKEN_WHALE = "0334", "franken whale"
    FRANKEN_LEVIATHAN = "0335", "franken leviathan"
    FINNED_FRANKEN_X_WING = "0340", "finned franken X-wing"
    FINNED_FRANKEN_SWORDFISH = "0341", "finned franken swordfish"
    FINNED_FRANKEN_JELLYFISH = "0342", "finned franken jellyfish"
    FINNED_FRANKEN_SQUIRMBAG = "0343", "finned franken squirmbag"
    FINNED_FRANKEN_WHALE = "0344", "finned franken whale"
    FINNED_FRANKEN_LEVIATHAN = "0345", "finned franken leviathan"
    MUTANT_X_WING = "0350", "mutant X-wing"
    MUTANT_SWORDFISH = "0351", "mutant swordfish"
    MUTANT_JELLYFISH = "0352", "mutant jellyfish"
    MUTANT_SQUIRMBAG = "0353", "mutant squirmbag"
    MUTANT_WHALE = "0354", "mutant whale"
    MUTANT_LEVIATHAN = "0355", "mutant leviathan"
    FINNED_MUTANT_X_WING = "0360", "finned mutant X-wing"
    FINNED_MUTANT_SWORDFISH = "0361", "finned mutant swordfish"
    FINNED_MUTANT_JELLYFISH = "0362", "finned mutant jellyfish"
    FINNED_MUTANT_SQUIRMBAG = "0363", "finned mutant squirmbag"
    FINNED_MUTANT_WHALE = "0364", "finned mutant whale"
    FINNED_MUTANT_LEVIATHAN = "0365", "finned mutant leviathan"

    SKYSCRAPER = "0400", "skyscraper"
    TWO_STRING_KITE = "0401", "two-string kite"
    EMPTY_RECTANGLE = "0402", "empty rectangle"
    TURBOT_FISH = "0403", "turbot fish"
    DUAL_TWO_STRING_KITE = "0404", "dual two-string kite"
    DUAL_EMPTY_RECTANGLE = "0405", "dual empty rectangle"
    COLOUR_TRAP = "0500", "simple colours (trap)"
    COLOUR_WRAP = "0501", "simple colours (wrap)"
    MULTI_COLOURS_1 = "0502", "multi-colours 1"
    MULTI_COLOURS_2 = "0503", "multi-colours 2"

    UNIQUE_RECTANGLE_1 = "0600", "unique rectangle 1"
    UNIQUE_RECTANGLE_2 = "0601", "unique rectangle 2"
    UNIQUE_RECTANGLE_3 = "0602", "unique rectangle 3"
    UNIQUE_RECTANGLE_4 = "0603", "unique rectangle 4"
    UNIQUE_RECTANGLE_5 = "0604", "unique rectangle 5"
    UNIQUE_RECTANGLE_6 = "0605", "unique rectangle 6"
    HIDDEN_RECTANGLE = "0606", "hidden rectangle"
    AVOIDABLE_RECTANGLE_1 = "0607", "avoidable rectangle 1"
    AVOIDABLE_RECTANGLE_2 = "0608", "avoidable rectangle 2"
    BUG_PLUS_1 = "0610", "BUG+1"

    X_CHAIN = "0701", "X-chain"
    XY_CHAIN = "0702", "XY-chain"
    REMOTE_PAIR = "0703", "remote pair"
    CONTINUOUS_LOOP = "0706", "continuous nice loop"
    DISCONTINUOUS_LOOP = "0707", "discontinuous nice loop"
    AIC = "0708", "AIC"
    GROUPED_CONTINUOUS_LOOP = "0709", "grouped continuous nice loop"
    GROUPED_DISCONTINUOUS_LOOP = "0710", "grouped discontinuous nice loop"
    GROUPED_AIC = "0711", "grouped AIC"

    XY_WING = "0800", "XY-wing"
    XYZ_WING = "0801", "XYZ-wing"
    W_WING = "0803", "W-wing"
    ALS_XZ = "0901", "ALS-XZ"
    ALS_XY_WING = "0902", "ALS-XY-wing"
    ALS_CHAIN = "0903", "ALS chain"
    DEATH_BLOSSOM = "0904", "death blossom"
    SUE_DE_COQ = "1101", "Sue de Coq"
    TEMPLATE_SET = "1201", "template set"
    TEMPLATE_DELETE = "1202", "template delete"
    FORCING_CHAIN_CONTRADICTION = "1301", "forcing chain (contradiction)"
    FORCING_CHAIN_VERITY = "1302", "forcing chain (verity)"
    FORCING_NET_CONTRADICTION = "1303", "forcing net (contradiction)"
    FORCING_NET_VERITY = "1304", "forcing net (verity)"

    # Our own codes, from 2000 on: what the rules of variants add.
    RULE_PART = "2000", "rule part"
    JOINT_RULE_PART = "2001", "rule part with sight"
    CAGE_COMBINATIONS = "2010", "cage combinations"
    NEEDED_DIGIT = "2011", "needed digit"
    KILLER_SUBSET = "2012", "killer subset"
    HOUSE_COMBINATIONS = "2013", "house combinations"
    CAGE_X_WING = "2014", "cage X-wing"
    HOUSE_TOTAL = "2020", "45 rule"
    PARITY = "2021", "parity and remainder"
    MINIMUM_AND_MAXIMUM = "2022", "minimum and maximum"
    THERMOMETER_ENDS = "2030", "thermometer ends"
    WHISPER = "2031", "whisper"
    LEFTOVERS = "2040", "law of leftovers"
    SET_EQUIVALENCE = "2041", "set equivalence"
    COMMON_SIGHT = "2042", "common sight"
    IMPLIED_SINGLE = "2043", "single in an implied house"
    IMPLIED_LOCKED = "2044", "locked candidates in an implied house"
    IMPLIED_SUBSET = "2045", "subset in an implied house"
    CLUE_AND_HOUSE = "2050", "clue and house"
    TWO_CLUES = "2051", "two clues"
    VALUE_AND_CLUES = "2052", "value and clues"
    HOUSE_WITH_CLUES = "2053", "house with its clues"
    REFUTATION = "2900", "refutation"

    @property
    def code(self) -> str:
        """Four figures."""
        return self.value[0]

    @property
    def title(self) -> str:
        """The name that people read."""
        return self.value[1]

    @property
    def needs_uniqueness(self) -> bool:
        """Whether its argument speaks of a second solution, and so holds only for puzzles that have one solution."""
        return self.code.startswith("06")

    def __str__(self) -> str:
        """Return the name."""
        return self.title


_FURTHER_NAMES: Mapping[Technique, tuple[str, ...]] = MappingProxyType(
    {
        Technique.FULL_HOUSE: ("last digit", "last cell", "lone single"),
        Technique.HIDDEN_SINGLE: ("unique candidate", "pinned digit"),
        Technique.NAKED_SINGLE: ("sole candidate", "forced digit"),
        Technique.POINTING: ("pointing", "pointing pair", "pointing triple", "locked candidates type 1", "locked candidates 1"),
        Technique.CLAIMING: (
            "claiming",
            "claiming pair",
            "claiming triple",
            "box line reduction",
            "line box reduction",
            "locked candidates type 2",
            "locked candidates 2",
        ),
        Technique.NAKED_TRIPLE: ("naked triplet",),
        Technique.NAKED_QUAD: ("naked quadruple", "naked quadruplet"),
        Technique.HIDDEN_TRIPLE: ("hidden triplet",),
        Technique.HIDDEN_QUAD: ("hidden quadruple", "hidden quadruplet"),
        Technique.SQUIRMBAG: ("starfish",),
        Technique.TWO_STRING_KITE: ("kite", "2-string kite"),
        Technique.DUAL_TWO_STRING_KITE: ("dual kite", "dual 2-string kite"),
        Technique.TURBOT_FISH: ("turbot",),
        Technique.COLOUR_TRAP: ("colour trap",),
        Technique.COLOUR_WRAP: ("colour wrap",),
        Technique.HIDDEN_RECTANGLE: ("hidden unique rectangle",),
        Technique.BUG_PLUS_1: ("BUG", "bivalue universal grave"),
        Technique.X_CHAIN: ("X-cycle",),
        Technique.AIC: ("alternating inference chain",),
        Technique.GROUPED_AIC: ("grouped alternating inference chain",),
        Technique.XY_WING: ("Y-wing",),
        Technique.SUE_DE_COQ: ("two-sector disjoint subsets",),
        Technique.HOUSE_TOTAL: ("rule of 45", "innies and outies"),
        Technique.LEFTOVERS: ("leftovers", "LoL"),
    }
)
"""What other programs and people call a technique."""
_MEMBERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "single": ("0000", "0002", "0003"),
        "locked candidates": ("0100", "0101"),
        "locked subset": ("0110", "0111"),
        "naked subset": ("0200", "0201", "0202"),
        "hidden subset": ("0210", "0211", "0212"),
        "fish": ("0300", "0301", "0302", "0303", "0304", "0305"),
        "finned fish": ("0310", "0311", "0312", "0313", "0314", "0315"),
        "sashimi fish": ("0320", "0321", "0322", "0323", "0324", "0325"),
        "franken fish": ("0330", "0331", "0332", "0333", "0334", "0335"),
        "mutant fish": ("0350", "0351", "0352", "0353", "0354", "0355"),
        "simple colours": ("0500", "0501"),
        "multi-colours": ("0502", "0503"),
        "unique rectangle": ("0600", "0601", "0602", "0603", "0604", "0605"),
        "avoidable rectangle": ("0607", "0608"),
        "nice loop": ("0706", "0707"),
        "grouped nice loop": ("0709", "0710"),
        "wing": ("0800", "0801", "0803"),
        "almost locked sets": ("0901", "0902", "0903", "0904"),
        "template": ("1201", "1202"),
        "forcing chain": ("1301", "1302"),
        "forcing net": ("1303", "1304"),
    }
)
"""Families by the names that people use for any of their members, which are listed by their codes."""
_NAMES_OF_FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "locked candidates": ("intersection removal", "intersection"),
        "simple colours": ("simple colouring", "colouring", "single's chain"),
        "multi-colours": ("multi-colouring",),
        "unique rectangle": ("UR", "uniqueness"),
        "avoidable rectangle": ("AR",),
        "almost locked sets": ("ALS", "almost locked set"),
        "forcing chain": ("forcing chains",),
        "wing": ("wings",),
    }
)


@cache
def _names() -> NameTable[tuple[Technique, ...]]:
    single = [
        (one.title, (one.code, one.name, sub(r" (\d)$", r" type \1", one.title), *_FURTHER_NAMES.get(one, ())), (one,))
        for one in Technique
    ]
    by_code = {one.code: one for one in Technique}
    several = [
        (name, _NAMES_OF_FAMILIES.get(name, ()), tuple(map(by_code.__getitem__, codes))) for name, codes in _MEMBERS.items()
    ]
    return NameTable("technique", [*single, *several])


def parse_techniques(text: str) -> tuple[Technique, ...]:
    """Return the technique of that code (``0300``) or name (``X-wing``), or those of a family (``unique rectangle``).

    Case, blanks, hyphens and plurals do not matter; a technique also has the names of other programs (``Y-wing``). Raises
    `UnknownName`, which names the nearest ones.
    """
    return _names().parse(text)


def parse_technique(text: str) -> Technique:
    """Return the only technique that a text means, as `parse_techniques` reads it; raises `InvalidInput` for a family."""
    found = parse_techniques(text)
    if len(found) > 1:
        raise InvalidInput(f"expected one technique, got {text!r:.80}, which may be {', '.join(map(str, found))}")
    return found[0]


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


class ClueCase(NamedTuple):
    """What a case of a choice makes of a value that goes in all of them: a clue, the ``part``, puts it in one of ``cells``.

    Without a part the case itself is seen, or takes the place; without cells a clue has no room for it, or the place is taken.
    """

    candidate: Candidate
    part: PartIndex | None
    cells: CellSet


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
    ``ends`` are the cell, the value of a house or the rule part of which one would be left without, in every case.
    ``cases`` are those of a ``choice`` that clues decide.
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
    ends: tuple[ProofGroup, ...] = ()
    cases: tuple[ClueCase, ...] = ()


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
