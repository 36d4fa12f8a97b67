"""Why a rule part rules candidates out: what each would need of few other cells of the part, and that these do not have it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.part_candidates import left_by_all, left_by_each, left_with_sight
from sudoku_cp.logic.words.wording import enumerate_words, numeral
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, Layout, PartIndex
    from sudoku_cp.logic.part_candidates import Narrow
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Domain

_MOST_REASONS = 3
"""So many reasons are told; what is left goes for others of the same kind."""
_FEW = 3
"""The most cells, and the most values, that a reason lists."""


class _Need(NamedTuple):
    """What a candidate needs: the other cells that matter, and if that is one cell, the values that it would need there."""

    cells: tuple[Cell, ...]
    partners: Domain


def reasons(say: Wording, part: PartIndex) -> str:
    """Return why candidates of a part's cells go: ``r1c3 = 3 would need 6 in r2c3, which can only be 2``."""
    known = {one.cells.bit_length() - 1: one.values for one in say.step.pattern.domains}
    lost: dict[tuple[Cell, ...], dict[Cell, Domain]] = defaultdict(lambda: defaultdict(int))
    partners: dict[tuple[Cell, ...], Domain] = defaultdict(int)
    for cell, value in say.step.eliminations:
        need = _need_of(say.layout, part, known, cell, value)
        if need:
            lost[need.cells][cell] |= 1 << value
            partners[need.cells] |= need.partners
    ordered = sorted(lost, key=lambda cells: (len(cells), cells))
    told = [_reason(say, _Need(cells, partners[cells]), lost[cells], known) for cells in ordered[:_MOST_REASONS]]
    if not told:
        return "no filling of its cells has any of the candidates that go"
    return "; ".join([*told, *(["the others fail in the same way"] if len(ordered) > len(told) else [])])


def _reason(say: Wording, need: _Need, lost: dict[Cell, Domain], known: dict[Cell, Domain]) -> str:
    """Return why candidates go that need the same cells."""
    if not need.cells:
        return f"{_lists(say, lost, 'can never be')}"
    if all(known[other] & (known[other] - 1) == 0 for other in need.cells):
        held = [f"{say.cell(other)} = {say.values(known[other])}" for other in need.cells[:_FEW]]
        return f"with {enumerate_words(held, 'and')}, {_lists(say, lost, 'cannot be')}"
    cell, values = next(iter(lost.items()))
    claim = f"{say.cell(cell)} = {say.values(values, 'or')}"
    likewise = ", and so on" if len(lost) > 1 else ""
    if len(need.cells) == 1:
        (other,) = need.cells
        held = f"which can only be {say.values(known[other], 'or')}"
        if not need.partners:
            return f"{claim} goes with no value of {say.cell(other)}{likewise}"
        if len(lost) == 1 and need.partners.bit_count() <= _FEW:
            return f"{claim} would need {say.values(need.partners, 'or')} in {say.cell(other)}, {held}"
        return f"{claim} does not go with {say.cell(other)}, {held}{likewise}"
    if len(need.cells) <= _FEW:
        held = enumerate_words([f"{say.cell(other)} {say.value_set(known[other])}" for other in need.cells], "and")
        return f"{claim} leaves no way to fill {held}{likewise}"
    return f"{claim} leaves no way to fill {numeral(len(need.cells))} of the other cells{likewise}"


def _lists(say: Wording, lost: dict[Cell, Domain], verb: str) -> str:
    """Return ``r1c3 and r2c3 can never be 5, nor r2c7 4``: cells that lose the same are named together."""
    alike: dict[Domain, CellSet] = defaultdict(int)
    for cell, values in lost.items():
        alike[values] |= 1 << cell
    told = [f"{say.cells(cells)} {verb} {say.values(values, 'or')}" for values, cells in list(alike.items())[:_FEW]]
    return enumerate_words([*told, *(["so on"] if len(alike) > _FEW else [])], "and")


def _need_of(layout: Layout, part: PartIndex, known: dict[Cell, Domain], cell: Cell, value: int) -> _Need | None:
    """Return the fewest other cells whose candidates rule a candidate out, left out one after the other; None if none do."""
    domains = known | {cell: 1 << value}
    narrow = next((one for one in (left_by_each, left_by_all, left_with_sight) if _fails(layout, part, domains, one)), None)
    if narrow is None:
        return None
    needed = []
    for other in sorted((one for one in known if one != cell), key=lambda one: -known[one].bit_count()):
        wider = domains | {other: layout.domains[other]}
        if _fails(layout, part, wider, narrow):
            domains = wider
        else:
            needed.append(other)
    partners = 0
    if len(needed) == 1:
        for one in members(layout.domains[needed[0]]):
            if not _fails(layout, part, domains | {needed[0]: 1 << one}, narrow):
                partners |= 1 << one
    return _Need(tuple(sorted(needed)), partners)


def _fails(layout: Layout, part: PartIndex, domains: dict[Cell, Domain], narrow: Narrow) -> bool:
    """Return whether a part has no filling left with these domains."""
    own = tuple(domains[cell] for cell in layout.parts[part].cells)
    return not all(narrow(layout, part, own))


# What is special about sandwiches: how far apart the crusts stand.


def sandwich_lengths(layout: Layout, part: PartIndex) -> Iterator[int]:
    """Yield how many cells can lie between the crusts of a sandwich clue."""
    rule = layout.parts[part].rule
    total, crusts = getattr(rule, "total", None), getattr(rule, "crusts", None)
    if total is None:
        return
    ends = set(crusts or (min(layout.values), max(layout.values)))
    values = [value for value in layout.values if value not in ends]
    for count in range(len(values) + 1):
        if sum(values[:count]) <= total <= sum(values[len(values) - count :]):
            yield count
