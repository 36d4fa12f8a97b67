"""Unit propagation on candidates instead of clauses: what is left of a houses-only formula, without building the formula.

Unit propagation on the extended pairwise CNF is naked singles (a cell's last value), hidden singles (a full house's last place
for a value) and what a placed value rules out. This file does exactly that, so every clause it returns is a clause of the formula
without the literals that are false at the root, and every clause left out is true there: what follows from one by unit
propagation follows from the other too. A proof over these clauses is a proof over the formula.

With other rules beside the houses, what is propagated here still follows in the formula, but it is not all that does.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.model import AllDifferent, Model, members

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain

TICK = 256
"""Houses between two calls of ``tick``."""


class HouseCells(NamedTuple):
    """The houses of a model: those with as many cells as there are values, the others, and the peers of each cell.

    ``alone`` says whether the model has no other constraints.
    """

    full: Sequence[Sequence[Cell]]
    other: Sequence[Sequence[Cell]]
    peers: Sequence[Sequence[Cell]]
    alone: bool


@lru_cache(maxsize=8)
def houses_of(model: Model) -> HouseCells | None:
    """Return the houses of a model; None if cells have different domains, or a house has more cells than values."""
    board = model.domains[: model.board]
    values = board[0] if board else 0
    sides = [one.cells for one in model.constraints if isinstance(one, AllDifferent) and max(one.cells) < model.board]
    plain = all(len(set(cells)) == len(cells) <= values.bit_count() for cells in sides)
    if not plain or set(board) != {values} or values.bit_count() <= 1:
        return None
    peers: list[set[Cell]] = [set() for _ in board]
    for cells in sides:
        for cell in cells:
            peers[cell].update(cells)
    full = [cells for cells in sides if len(cells) == values.bit_count()]
    other = [cells for cells in sides if len(cells) < values.bit_count()]
    return HouseCells(full, other, [sorted(seen - {cell}) for cell, seen in enumerate(peers)], model.is_houses)


def propagate(
    houses: HouseCells, domains: Sequence[Domain], tick: Callable[[], None], changed: Cell | None = None
) -> list[Domain] | None:
    """Return the candidates that unit propagation leaves, None for a contradiction.

    With ``changed``, everything but that cell has been propagated before, and only its consequences are followed.
    """
    live = list(domains)
    cells = range(len(live)) if changed is None else (changed,)
    decided = [cell for cell in cells if not live[cell] & (live[cell] - 1)]
    done = 0
    while all(live):
        for cell in decided[done:]:
            done += 1
            if done % TICK == 0:
                tick()
            if not _rule_out(live[cell], houses.peers[cell], live, decided):
                return None
        if done == len(decided) and not _place_hidden_singles(houses.full, live, decided):
            return live
    return None


def _rule_out(value: Domain, peers: Sequence[Cell], live: list[Domain], decided: list[Cell]) -> bool:
    """Remove a placed value from all peers; return False if one has nothing left."""
    for peer in peers:
        domain = live[peer]
        if domain & value:
            live[peer] = domain = domain & ~value
            if not domain & (domain - 1):
                if not domain:
                    return False
                decided.append(peer)
    return True


def _place_hidden_singles(full: Sequence[Sequence[Cell]], live: list[Domain], decided: list[Cell]) -> bool:
    """Place hidden singles: values with a single place in a full house; return whether anything changed."""
    before = len(decided)
    for cells in full:
        once = twice = 0
        for cell in cells:
            twice |= once & live[cell]
            once |= live[cell]
        if once.bit_count() < len(cells):
            live[cells[0]] = 0
            return True
        once &= ~twice
        for cell in cells if once else ():
            single = live[cell] & once
            if single and single != live[cell]:
                # Of two values with this one place, the second finds it taken: nothing is left.
                live[cell] = 0 if single & (single - 1) else single
                decided.append(cell)
    return len(decided) > before


def live_clauses(
    houses: HouseCells, live: Sequence[Domain], variables: Mapping[tuple[Cell, int], int], tick: Callable[[], None]
) -> list[Sequence[int]]:
    """Return the formula's clauses over the candidates of open cells."""
    numbers = [_variables_of(cell, domain, variables) for cell, domain in enumerate(live)]
    found: list[Sequence[int]] = []
    pairs: dict[tuple[int, ...], None] = {}  # a row and a box often share pairs
    for own in numbers:
        if own:
            found.append(list(own.values()))
            pairs.update(dict.fromkeys(combinations([-literal for literal in own.values()], 2)))
    for index, cells in enumerate((*houses.full, *houses.other)):
        if index % TICK == 0:
            tick()
        places: dict[int, list[int]] = {}
        for cell in cells:
            for value, literal in numbers[cell].items():
                places.setdefault(value, []).append(literal)
        for literals in places.values():
            if index < len(houses.full):
                found.append(literals)
            pairs.update(dict.fromkeys(combinations([-literal for literal in literals], 2)))
    found += pairs
    return found


def _variables_of(cell: Cell, domain: Domain, variables: Mapping[tuple[Cell, int], int]) -> dict[int, int]:
    """Return the variable of each candidate of an open cell, none of a decided one."""
    if not domain & (domain - 1):
        return {}
    return {value: variables[cell, value] for value in members(domain)}
