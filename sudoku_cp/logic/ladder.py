"""The ladder of techniques: the first step on it, all steps of a technique, and walks of step after step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.logic.candidate_board import CandidateBoard
from sudoku_cp.logic.step import Step, Technique, parse_techniques
from sudoku_cp.logic.techniques.als import als_chains, als_xy_wings, als_xz, death_blossoms, sue_de_coqs
from sudoku_cp.logic.techniques.basic import (
    claiming,
    full_houses,
    hidden_pairs,
    hidden_quads,
    hidden_singles,
    hidden_triples,
    locked_pairs,
    locked_triples,
    naked_pairs,
    naked_quads,
    naked_singles,
    naked_triples,
    pointing,
    scanned_hidden_singles,
    w_wings,
    xy_wings,
    xyz_wings,
)
from sudoku_cp.logic.techniques.chains import (
    alternating_chains,
    colour_traps,
    colour_wraps,
    continuous_loops,
    discontinuous_loops,
    grouped_chains,
    grouped_continuous_loops,
    grouped_discontinuous_loops,
    multi_colours_1,
    multi_colours_2,
    remote_pairs,
    x_chains,
    xy_chains,
)
from sudoku_cp.logic.techniques.clue_cases import clue_and_house, two_clues
from sudoku_cp.logic.techniques.clue_choices import value_and_clues
from sudoku_cp.logic.techniques.fish import FISH, cage_x_wings, fish_finder
from sudoku_cp.logic.techniques.forcing import (
    contradiction_chains,
    contradiction_nets,
    refutations,
    refutations_by_cases,
    small_refutations,
    verity_chains,
    verity_nets,
)
from sudoku_cp.logic.techniques.house_clues import houses_with_clues
from sudoku_cp.logic.techniques.house_sums import (
    house_combinations,
    house_sums,
    killer_subsets,
    minimum_and_maximum,
    needed_digits,
    parities,
)
from sudoku_cp.logic.techniques.implied import implied_locked_candidates, implied_singles, implied_subsets
from sudoku_cp.logic.techniques.rule_parts import (
    cage_combinations,
    common_sights,
    joint_rule_parts,
    leftovers,
    rule_parts,
    set_equivalences,
    thermometer_ends,
    whispers,
)
from sudoku_cp.logic.techniques.single_digit import (
    dual_empty_rectangles,
    dual_two_string_kites,
    empty_rectangles,
    skyscrapers,
    template_deletes,
    template_sets,
    turbot_fish,
    two_string_kites,
)
from sudoku_cp.logic.techniques.unique_rectangles import (
    avoidable_rectangles_1,
    avoidable_rectangles_2,
    bug_plus_1,
    hidden_rectangles,
    unique_rectangles_1,
    unique_rectangles_2,
    unique_rectangles_3,
    unique_rectangles_4,
    unique_rectangles_5,
    unique_rectangles_6,
)
from sudoku_cp.model import members
from sudoku_cp.time_limits import ticking

if TYPE_CHECKING:
    from sudoku_cp.errors import Reason


def apply_steps(board: CandidateBoard, rungs: tuple[Rung, ...]) -> Iterator[Step]:
    """Yield the steps, each once it has been made on the board; then the lowest rung is tried again.

    Several steps of a rung are made where finding them takes long: each stays proved when the others are made.
    """
    while found := _first_found(board, rungs, lambda rung: rung.most_steps(board)):
        for step in found:
            if board.is_changed_by(step):
                board.apply(step)
                yield step


def next_step(board: CandidateBoard, rungs: Iterable[Rung]) -> Step | None:
    """Return the first step of the lowest rung that has one; None if no rung has, as on a full grid."""
    return next(iter(_first_found(board, rungs, lambda _: 1)), None)


def _first_found(board: CandidateBoard, rungs: Iterable[Rung], most: Callable[[Rung], int | None]) -> list[Step]:
    """Return the first steps of the lowest rung that has any, at most as many as ``most`` says; none on a full grid."""
    with ticking(board.tick):
        for rung in rungs if board.open else ():
            board.tick()
            if found := list(islice(rung.find(board), most(rung))):
                return found
    return []


def possible_steps(board: CandidateBoard, rungs: Iterable[Rung]) -> Iterator[Step]:
    """Yield the steps that are possible on a board, those of the lowest rung in front; of steps with one result the first.

    The caller sets the board's tick around it (see `time_limits`), as for `find_steps`.
    """
    seen = set()
    for rung in rungs if board.open else ():
        board.tick()
        for step in rung.find(board):
            if step.result not in seen:
                seen.add(step.result)
                yield step


PathEnd: TypeAlias = Literal["solved", "none", "wrong", "contradiction", "limit", "ambiguous", "stuck"]
"""Why a path ends: the board is full; the puzzle has no solution; entries are wrong; a cell has no candidate left, or two cells
clash; a limit came first; each candidate left holds in some solution; none of the techniques that were tried leads further."""


class FoundSteps(NamedTuple):
    """Steps on one board, or on the way from it; not ``complete`` if a limit, the ``reason``, came first."""

    steps: list[Step]
    reason: Reason | None = None

    @property
    def complete(self) -> bool:
        """Whether no limit came first."""
        return self.reason is None


def all_steps(board: CandidateBoard, technique: Technique) -> list[Step]:
    """Return every step of a technique on a board, with one for each result: that of the fewest cells, then links."""
    best: dict[object, Step] = {}
    _collect_steps(board, rung_of(technique), best)
    return list(best.values())


def list_steps(board: CandidateBoard, rungs: Iterable[Rung]) -> FoundSteps:
    """Return every step of some rungs on a board, as `all_steps` does for one, and whatever is known when a limit is reached."""
    found: list[Step] = []
    for rung in rungs:
        best: dict[object, Step] = {}
        try:
            board.tick()
            _collect_steps(board, rung, best)
        except LimitReached as reached:
            return FoundSteps([*found, *best.values()], reached.reason)
        found += best.values()
    return FoundSteps(found)


def _collect_steps(board: CandidateBoard, rung: Rung, best: dict[object, Step]) -> None:
    """Find every step of a rung, and keep the smallest for each result; raises what the board's tick raises."""
    with ticking(board.tick):
        for step in rung.find(board):
            other = best.get(step.result)
            if other is None or _size(step) < _size(other):
                best[step.result] = step


def walk(board: CandidateBoard, rungs: tuple[Rung, ...]) -> FoundSteps:
    """Make steps until no rung finds one, or a limit is reached; return them."""
    found: list[Step] = []
    try:
        found.extend(apply_steps(board, rungs))  # keeps what came before an error
    except LimitReached as reached:
        return FoundSteps(found, reached.reason)
    return FoundSteps(found)


def path_end(board: CandidateBoard, found: FoundSteps, rungs: Iterable[Rung]) -> PathEnd:
    """Return why a walk of these rungs ended with this board."""
    if any(not board.candidates[cell] for cell in members(board.open)) or not board.is_consistent():
        return "contradiction"
    if not board.open:
        return "solved"
    if not found.complete:
        return "limit"
    return "ambiguous" if any(rung is LAST_RESORT for rung in rungs) else "stuck"


def find_steps(board: CandidateBoard, technique: Technique) -> Iterator[Step]:
    """Yield every step of a technique as it is found; results may repeat."""
    return rung_of(technique).find(board)


def _size(step: Step) -> tuple[int, int]:
    return step.cells.bit_count(), len(step.pattern.links)


# The table of the ladder: techniques, those tried first in front, with what finds them, and score and level of a path's steps.
#
# A further technique is a function in `techniques`, a name in `Technique`, and a line here. Scores, levels and their order are
# those of HoDoKu 2.2 (B. Hobiger). It knows no variants: the place, score and level of a technique with a code from 2000 on are
# ours, set beside those that ask about as much of a person. On plain grids these find nothing and take no time.


Finder: TypeAlias = Callable[[CandidateBoard], Iterator[Step]]
"""A technique's search: yields the steps it finds on a board, which it does not change."""


class Rung(NamedTuple):
    """A technique on the ladder, what finds it, and its score and level after HoDoKu (E easy, M, H, U, X extreme).

    A walk makes one step before it tries lower rungs again; where finding them takes long, all steps ``together``, or on boards
    with rule parts so many ``at_once``.
    """

    technique: Technique
    find: Finder
    score: int
    level: str
    together: bool = False
    at_once: int = 1

    def most_steps(self, board: CandidateBoard) -> int | None:
        """Return how many of its steps a walk makes on a board before it tries lower rungs again; None for all."""
        return None if self.together else self.at_once if board.layout.parts else 1


def _fish(technique: Technique, score: int, level: str) -> Rung:
    return Rung(technique, fish_finder(technique), score, level)


RUNGS: tuple[Rung, ...] = (
    Rung(Technique.FULL_HOUSE, full_houses, 4, "E"),
    Rung(Technique.HIDDEN_SINGLE, hidden_singles, 14, "E"),
    Rung(Technique.NAKED_SINGLE, naked_singles, 4, "E"),
    Rung(Technique.IMPLIED_SINGLE, implied_singles, 20, "E"),
    Rung(Technique.LOCKED_PAIR, locked_pairs, 40, "M"),
    Rung(Technique.LOCKED_TRIPLE, locked_triples, 60, "M"),
    Rung(Technique.POINTING, pointing, 50, "M"),
    Rung(Technique.CLAIMING, claiming, 50, "M"),
    Rung(Technique.IMPLIED_LOCKED, implied_locked_candidates, 50, "M"),
    Rung(Technique.COMMON_SIGHT, common_sights, 50, "M"),
    Rung(Technique.LEFTOVERS, leftovers, 60, "M"),
    Rung(Technique.CAGE_COMBINATIONS, cage_combinations, 50, "M"),
    Rung(Technique.THERMOMETER_ENDS, thermometer_ends, 50, "M"),
    Rung(Technique.WHISPER, whispers, 50, "M"),
    Rung(Technique.NEEDED_DIGIT, needed_digits, 60, "M"),
    Rung(Technique.MINIMUM_AND_MAXIMUM, minimum_and_maximum, 50, "M"),
    Rung(Technique.RULE_PART, rule_parts, 60, "M"),
    Rung(Technique.NAKED_PAIR, naked_pairs, 60, "M"),
    Rung(Technique.HOUSE_TOTAL, house_sums, 80, "M"),
    Rung(Technique.NAKED_TRIPLE, naked_triples, 80, "M"),
    Rung(Technique.HIDDEN_PAIR, hidden_pairs, 70, "M"),
    Rung(Technique.HIDDEN_TRIPLE, hidden_triples, 100, "M"),
    Rung(Technique.IMPLIED_SUBSET, implied_subsets, 100, "M"),
    Rung(Technique.PARITY, parities, 110, "M"),
    Rung(Technique.KILLER_SUBSET, killer_subsets, 110, "M"),
    Rung(Technique.HOUSE_COMBINATIONS, house_combinations, 130, "H"),
    Rung(Technique.JOINT_RULE_PART, joint_rule_parts, 110, "M"),
    Rung(Technique.CLUE_AND_HOUSE, clue_and_house, 120, "M", at_once=8),
    Rung(Technique.TWO_CLUES, two_clues, 140, "H", at_once=8),
    Rung(Technique.VALUE_AND_CLUES, value_and_clues, 150, "H", at_once=8),
    Rung(Technique.HOUSE_WITH_CLUES, houses_with_clues, 160, "H"),
    Rung(Technique.NAKED_QUAD, naked_quads, 120, "H"),
    Rung(Technique.HIDDEN_QUAD, hidden_quads, 150, "H"),
    _fish(Technique.X_WING, 140, "H"),
    _fish(Technique.SWORDFISH, 150, "H"),
    _fish(Technique.JELLYFISH, 160, "H"),
    Rung(Technique.CAGE_X_WING, cage_x_wings, 160, "H"),
    Rung(Technique.REMOTE_PAIR, remote_pairs, 110, "H"),
    Rung(Technique.BUG_PLUS_1, bug_plus_1, 100, "H"),
    Rung(Technique.SKYSCRAPER, skyscrapers, 130, "H"),
    Rung(Technique.TWO_STRING_KITE, two_string_kites, 150, "H"),
    Rung(Technique.DUAL_TWO_STRING_KITE, dual_two_string_kites, 150, "H"),
    Rung(Technique.TURBOT_FISH, turbot_fish, 120, "H"),
    Rung(Technique.EMPTY_RECTANGLE, empty_rectangles, 120, "H"),
    Rung(Technique.DUAL_EMPTY_RECTANGLE, dual_empty_rectangles, 120, "H"),
    Rung(Technique.W_WING, w_wings, 150, "H"),
    Rung(Technique.XY_WING, xy_wings, 160, "H"),
    Rung(Technique.XYZ_WING, xyz_wings, 180, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_1, unique_rectangles_1, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_2, unique_rectangles_2, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_3, unique_rectangles_3, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_4, unique_rectangles_4, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_5, unique_rectangles_5, 100, "H"),
    Rung(Technique.UNIQUE_RECTANGLE_6, unique_rectangles_6, 100, "H"),
    Rung(Technique.HIDDEN_RECTANGLE, hidden_rectangles, 100, "H"),
    Rung(Technique.AVOIDABLE_RECTANGLE_1, avoidable_rectangles_1, 100, "H"),
    Rung(Technique.AVOIDABLE_RECTANGLE_2, avoidable_rectangles_2, 100, "H"),
    _fish(Technique.FINNED_X_WING, 130, "H"),
    _fish(Technique.SASHIMI_X_WING, 150, "H"),
    _fish(Technique.FINNED_SWORDFISH, 200, "U"),
    _fish(Technique.SASHIMI_SWORDFISH, 240, "U"),
    _fish(Technique.FINNED_JELLYFISH, 250, "U"),
    _fish(Technique.SASHIMI_JELLYFISH, 260, "U"),
    Rung(Technique.SUE_DE_COQ, sue_de_coqs, 250, "U"),
    Rung(Technique.COLOUR_TRAP, colour_traps, 150, "H"),
    Rung(Technique.COLOUR_WRAP, colour_wraps, 150, "H"),
    Rung(Technique.MULTI_COLOURS_1, multi_colours_1, 200, "H"),
    Rung(Technique.MULTI_COLOURS_2, multi_colours_2, 200, "H"),
    Rung(Technique.X_CHAIN, x_chains, 260, "U"),
    Rung(Technique.XY_CHAIN, xy_chains, 260, "U"),
    Rung(Technique.CONTINUOUS_LOOP, continuous_loops, 280, "U"),
    Rung(Technique.DISCONTINUOUS_LOOP, discontinuous_loops, 280, "U"),
    Rung(Technique.AIC, alternating_chains, 280, "U"),
    Rung(Technique.GROUPED_DISCONTINUOUS_LOOP, grouped_discontinuous_loops, 300, "U"),
    Rung(Technique.GROUPED_AIC, grouped_chains, 300, "U"),
    Rung(Technique.GROUPED_CONTINUOUS_LOOP, grouped_continuous_loops, 300, "U"),  # takes longest, and finds little more
    Rung(Technique.ALS_XZ, als_xz, 300, "U"),
    Rung(Technique.ALS_XY_WING, als_xy_wings, 320, "U"),
    Rung(Technique.ALS_CHAIN, als_chains, 340, "U"),
    Rung(Technique.DEATH_BLOSSOM, death_blossoms, 360, "U"),
    _fish(Technique.FRANKEN_X_WING, 300, "U"),
    _fish(Technique.FRANKEN_SWORDFISH, 350, "U"),
    _fish(Technique.FRANKEN_JELLYFISH, 370, "U"),
    _fish(Technique.FINNED_FRANKEN_X_WING, 390, "U"),
    _fish(Technique.FINNED_FRANKEN_SWORDFISH, 410, "U"),
    _fish(Technique.FINNED_FRANKEN_JELLYFISH, 430, "U"),
    Rung(Technique.FORCING_CHAIN_CONTRADICTION, contradiction_chains, 500, "X", at_once=8),
    Rung(Technique.FORCING_CHAIN_VERITY, verity_chains, 500, "X", at_once=8),
    Rung(Technique.FORCING_NET_CONTRADICTION, contradiction_nets, 700, "X", at_once=8),
    Rung(Technique.FORCING_NET_VERITY, verity_nets, 700, "X", at_once=8),
    Rung(Technique.TEMPLATE_SET, template_sets, 10000, "X"),
    Rung(Technique.TEMPLATE_DELETE, template_deletes, 10000, "X"),
)
"""The techniques of a path, those tried first in front."""
ON_DEMAND: tuple[Rung, ...] = (
    Rung(Technique.SET_EQUIVALENCE, set_equivalences, 350, "U"),
    _fish(Technique.MUTANT_X_WING, 450, "X"),
    _fish(Technique.MUTANT_SWORDFISH, 450, "X"),
    _fish(Technique.MUTANT_JELLYFISH, 450, "X"),
    _fish(Technique.FINNED_MUTANT_X_WING, 470, "X"),
    _fish(Technique.FINNED_MUTANT_SWORDFISH, 470, "X"),
    _fish(Technique.FINNED_MUTANT_JELLYFISH, 470, "X"),
    *(_fish(technique, 470, "X") for technique in FISH if technique.code[3] > "2"),
)
"""Techniques found only where they are asked for: each takes longer than all of a path."""
LAST_RESORT = Rung(Technique.REFUTATION, refutations, 10_000, "X", together=True)
"""What goes on where no technique does: a guess to HoDoKu, a proof to us."""
BY_CASES = Rung(Technique.REFUTATION, refutations_by_cases, 10_000, "X")
"""A supposition all of whose cases fail, for hints alone: a path of such steps would not end."""
HIDDEN_ONLY: tuple[Rung, ...] = RUNGS[:2]
"""The techniques of easy puzzles."""
SINGLES: tuple[Rung, ...] = RUNGS[:3]
"""The techniques of medium puzzles: the words for difficulty mean these alone, however long the ladder is."""
_OF_ONE_PART = {Technique.CAGE_COMBINATIONS, Technique.THERMOMETER_ENDS, Technique.WHISPER, Technique.RULE_PART}
OF_ONE_PART: tuple[Rung, ...] = tuple(rung for rung in RUNGS if rung.technique in _OF_ONE_PART)
"""What a rule part rules out by itself, which is to a variant what upkeep is to a plain puzzle; plain ones have none."""


# What people are taught: the order of hints, and of the path that `steps` shows unasked. No rating follows it.
#
# Hidden singles are looked for in boxes first. A candidate that at most a dozen facts refute comes before forcing chains, and of
# these only short ones are steps: nets, templates and others that people cannot follow are left to refutations, which say what
# they are.


_UNREADABLE = {
    Technique.FORCING_NET_CONTRADICTION,
    Technique.FORCING_NET_VERITY,
    Technique.TEMPLATE_SET,
    Technique.TEMPLATE_DELETE,
}
MOST_LINKS = 10
"""The links of a forcing chain that people can follow, all its chains together."""


def _short(find: Finder) -> Finder:
    """Return a search that finds only those steps that have few links."""
    return lambda board: (step for step in find(board) if len(step.pattern.links) <= MOST_LINKS)


def _taught(rung: Rung) -> Iterator[Rung]:
    """Yield what is taught in place of a rung."""
    if rung.technique is Technique.HIDDEN_SINGLE:
        yield rung._replace(find=scanned_hidden_singles)
    elif rung.technique in {Technique.FORCING_CHAIN_CONTRADICTION, Technique.FORCING_CHAIN_VERITY}:
        if rung.technique is Technique.FORCING_CHAIN_CONTRADICTION:
            yield LAST_RESORT._replace(find=small_refutations, together=False, at_once=8)
        yield rung._replace(find=_short(rung.find))
    elif rung.technique not in _UNREADABLE:
        yield rung


TAUGHT: tuple[Rung, ...] = tuple(taught for rung in RUNGS for taught in _taught(rung))
"""The techniques of hints, those tried first in front."""


def rungs_named(names: Iterable[str]) -> list[Rung]:
    """Return the rungs of the techniques and families with these names, each once; raises `InvalidInput`."""
    return list(dict.fromkeys(rung_of(technique) for name in names for technique in _searchable(name)))


def _searchable(name: str) -> tuple[Technique, ...]:
    """Return the techniques that a name means; of a family, those that are searched for."""
    named = parse_techniques(name)
    known = {rung.technique for rung in (*RUNGS, *ON_DEMAND, LAST_RESORT)}
    return tuple(technique for technique in named if technique in known) or named


def rung_of(technique: Technique) -> Rung:
    """Return the rung of a technique; raise `Unsupported` if nothing finds it."""
    for rung in (*RUNGS, *ON_DEMAND, LAST_RESORT):
        if rung.technique is technique:
            return rung
    raise Unsupported(f"expected a technique that can be searched for, got {technique}, which nothing finds yet")
