"""Rule parts by themselves: candidates of a cage, a thermometer, an arrow that no filling of that part alone has.

Each technique looks at parts of some kinds of rules. It takes the plainest reasoning that eliminates anything from a part: its
constraints one at a time, then all of them together, then with the cells that see each other, whatever makes them differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.part_candidates import left_by_all, left_by_each, left_with_sight, part_domains, part_proof, possible_sets
from sudoku_cp.logic.step import Bound, CellsAndValues, Pattern, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import DigitSet, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import PartIndex, RulePart
    from sudoku_cp.logic.part_candidates import Narrow
    from sudoku_cp.logic.step import Candidate

_THERMOMETERS = frozenset({"thermometer", "slow-thermometer"})
_WHISPERS = frozenset({"whisper"})
_MOST_SETS = 12
"""More combinations are not listed in a step."""


def cage_combinations(board: CandidateBoard) -> Iterator[Step]:
    """Yield what no combination of values of a cage has, as those of its total are; also of other rules that list sets."""
    return _narrowed_parts(board, Technique.CAGE_COMBINATIONS, (left_by_each, left_by_all))


def thermometer_ends(board: CandidateBoard) -> Iterator[Step]:
    """Yield what is too high for its distance from the tip of a thermometer, or too low for that from the bulb."""
    return _narrowed_parts(board, Technique.THERMOMETER_ENDS, (left_by_each, left_with_sight))


def whispers(board: CandidateBoard) -> Iterator[Step]:
    """Yield what has no value far enough from it for its neighbours on a whisper line, or too few where those see each other."""
    return _narrowed_parts(board, Technique.WHISPER, (left_by_each, left_with_sight))


def rule_parts(board: CandidateBoard) -> Iterator[Step]:
    """Yield what no filling of any other rule part has, its constraints taken one at a time."""
    return _narrowed_parts(board, Technique.RULE_PART, (left_by_each,))


def joint_rule_parts(board: CandidateBoard) -> Iterator[Step]:
    """Yield what no filling of any rule part has, in which cells that see each other differ."""
    return _narrowed_parts(board, Technique.JOINT_RULE_PART, (left_by_all, left_with_sight))


def technique_of(part: RulePart) -> Technique:
    """Return the technique that looks first at the candidates of a rule part."""
    if any(isinstance(constraint, DigitSet) for constraint in part.constraints):
        return Technique.CAGE_COMBINATIONS
    if part.rule.kind in _THERMOMETERS:
        return Technique.THERMOMETER_ENDS
    return Technique.WHISPER if part.rule.kind in _WHISPERS else Technique.RULE_PART


def _narrowed_parts(board: CandidateBoard, technique: Technique, ways: tuple[Narrow, ...]) -> Iterator[Step]:
    layout = board.layout
    for index, part in enumerate(layout.parts):
        if technique is not Technique.JOINT_RULE_PART and technique_of(part) is not technique:
            continue
        domains = part_domains(board, index)
        if all(domain & (domain - 1) == 0 for domain in domains):
            continue
        board.tick()
        for narrow in ways:
            left = narrow(layout, index, domains)
            if left != domains:
                yield from _narrowed(board, technique, index, tuple(zip(part.cells, left, strict=True)), narrow)
                break


def _narrowed(
    board: CandidateBoard, technique: Technique, part: PartIndex, left: tuple[Candidate, ...], narrow: Narrow
) -> Iterator[Step]:
    """Yield the step that keeps of each cell only what is ``left`` of it, unless all that goes are values of filled cells."""
    gone = tuple((cell, value) for cell, kept in left for value in members(board.candidates[cell] & ~kept))
    if not gone:
        return
    cells = to_mask(board.layout.parts[part].cells)
    values = to_mask(value for _, value in gone)
    bounds = _rising_bounds(board, part, gone) if technique is Technique.THERMOMETER_ENDS else ()
    pattern = Pattern(sets=_combinations(board, part, narrow), bounds=bounds)
    yield Step(technique, values, cells, gone, (), pattern, part_proof(board, part, narrow))


def _rising_bounds(board: CandidateBoard, part: PartIndex, gone: Sequence[Candidate]) -> tuple[Bound, ...]:
    """Return what the cells before and behind each cell of a thermometer leave it: bounds that rule out what goes.

    Values of a slow thermometer need not rise: what goes there by sight has no such bounds.
    """
    own = board.layout.parts[part]
    line = getattr(own.rule, "cells", ())
    if own.rule.kind != "thermometer" or set(line) != set(own.cells):
        return ()
    domains = dict(zip(own.cells, part_domains(board, part), strict=True))
    found: list[Bound] = []
    for cell in dict.fromkeys(cell for cell, _ in gone):
        place, lost = line.index(cell), to_mask(value for other, value in gone if other == cell)
        lows = [_bound_beside(cell, other, members(domains[other])[0], place - at) for at, other in enumerate(line[:place])]
        after = enumerate(line[place + 1 :], 1)
        highs = [_bound_beside(cell, other, domains[other].bit_length() - 1, -distance) for distance, other in after]
        tightest = [*sorted(lows, key=_value_of)[-1:], *sorted(highs, key=_value_of)[:1]]
        found += [bound for bound in tightest if any(bound.rules_out(value) for value in members(lost))]
    return tuple(found)


def _bound_beside(cell: Cell, other: Cell, end: int, distance: int) -> Bound:
    """Return what another cell, so many cells before it (after it if negative), leaves a cell of a thermometer."""
    return Bound(cell, distance > 0, end + distance, (end, distance), other)


def _value_of(bound: Bound) -> int:
    return bound.value


def _combinations(board: CandidateBoard, part: PartIndex, narrow: Narrow) -> tuple[CellsAndValues, ...]:
    """Return the sets of values that a part's cells may hold, if it lists any and they are few."""
    own = board.layout.parts[part]
    known = dict(zip(own.cells, part_domains(board, part), strict=True))
    for constraint in own.constraints:
        if isinstance(constraint, DigitSet) and max(constraint.cells) in known:
            sets = possible_sets(constraint, known, strict=narrow is not left_by_each)
            return tuple(CellsAndValues(to_mask(constraint.cells), one) for one in sets) if len(sets) <= _MOST_SETS else ()
    return ()
