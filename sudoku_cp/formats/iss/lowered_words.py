"""Rules without a word in constraint strings, written as the constraints they lower to."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import TYPE_CHECKING, assert_never

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.iss.automaton_words import nfa_text, pair_text
from sudoku_cp.formats.iss.cell_set_words import given_text, sum_text
from sudoku_cp.formats.iss.word_syntax import composite_text, word_text
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Count,
    DigitSet,
    Linear,
    Partition,
    Table,
    cells_of,
    members,
    to_mask,
)
from sudoku_cp.model.layered_graph import layered_graph

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint
    from sudoku_cp.rules.base import Rule

NEVER = word_text("Sum", -1, "R1C1")
"""A contradiction: no value is below 0."""
_LARGEST_FACTOR = 100
_MANY = 20
"""More alternative sets of values for one area than this are hard to solve when they are read back."""


def lowered_words(layout: IssLayout, rule: Rule) -> list[str]:
    """Return words that together mean a rule; refuse a rule that needs auxiliary variables or connected cells."""
    words: list[str] = []
    pairs: dict[frozenset[tuple[int, ...]], list[tuple[Cell, ...]]] = {}
    for _, constraint in rule.lower(layout.grid):
        cells = cells_of(constraint)
        if min(cells, default=0) < 0 or isinstance(constraint, Connected | Partition):
            raise Unsupported(
                f"expected rules that constraint strings can express, got {rule.kind!r} (json can express everything)"
            )
        if len(cells) == 2 and not isinstance(constraint, AllDifferent):  # noqa: PLR2004
            pairs.setdefault(_allowed_tuples(layout, constraint, cells), []).append(cells)
        else:
            words += _words_of_constraint(layout, constraint, cells)
    everything = len(layout.values) ** 2
    tables = [(table, groups) for table, groups in pairs.items() if len(table) < everything]
    return words + [pair_text(layout, ((one, other) for one, other in table), groups) for table, groups in tables]


def _allowed_tuples(layout: IssLayout, constraint: Constraint, cells: tuple[Cell, ...]) -> frozenset[tuple[int, ...]]:
    values = [0] * len(layout.grid.cells)
    found = []
    for chosen in product(layout.values, repeat=len(cells)):
        for cell, value in zip(cells, chosen, strict=True):
            values[cell] = value
        if constraint.holds(values):
            found.append(chosen)
    return frozenset(found)


def _words_of_constraint(layout: IssLayout, constraint: Constraint, cells: tuple[Cell, ...]) -> list[str]:
    if len(cells) < 2:  # noqa: PLR2004
        allowed = _allowed_tuples(layout, constraint, cells)
        if len(allowed) == len(layout.values) ** len(cells):
            return []
        return [given_text(layout, cells[0], [value for (value,) in sorted(allowed)])] if allowed else [NEVER]
    match constraint:
        case AllDifferent(named):
            return [word_text("AllDifferent", *layout.names(named)) if len(named) == len(cells) else NEVER]
        case DigitSet():
            return [_word_of_digit_set(layout, constraint)]
        case Clause():
            return _words_of_clause(layout, constraint)
        case Linear(terms, "==", total) if all(abs(factor) <= _LARGEST_FACTOR for _, factor in terms):
            return [sum_text(layout, [cell for cell, _ in terms], [factor for _, factor in terms], total)]
        case Linear() | Count() | Table() | Automaton():
            return [_word_of_graph(layout, constraint)]
        case Connected() | Partition():
            raise TypeError("connected cells are refused before they come here")
        case _:
            assert_never(constraint)


def _word_of_digit_set(layout: IssLayout, constraint: DigitSet) -> str:
    cells, sets = constraint.cells, [one for one in constraint.sets if not one & ~to_mask(layout.values)]
    whole = [members(one) for one in sets if one.bit_count() == len(cells)]
    if len(set(cells)) < len(cells) or not whole:
        return NEVER
    if len(whole) == comb(len(layout.values), len(cells)):
        return word_text("AllDifferent", *layout.names(cells))
    if len(whole) > _MANY:
        raise Unsupported(f"expected at most {_MANY} sets of values for one area for the format 'iss', got {len(whole)}")
    words = [word_text("ContainExact", "_".join(map(str, one)), *layout.names(cells)) for one in sorted(whole)]
    return words[0] if len(words) == 1 else composite_text("Or", words)


def _words_of_clause(layout: IssLayout, constraint: Clause) -> list[str]:
    allowed: dict[Cell, set[int]] = {}
    for cell, value, equal in constraint.literals:
        allowed.setdefault(cell, set()).update({value} & {*layout.values} if equal else {*layout.values} - {value})
    if any(len(values) == len(layout.values) for values in allowed.values()):
        return []
    return [composite_text("Or", [given_text(layout, cell, sorted(values)) for cell, values in allowed.items() if values])]


def _word_of_graph(layout: IssLayout, constraint: Linear | Count | Table | Automaton) -> str:
    """Return an automaton whose states are those of each layer of the graph."""
    cells, graph = layered_graph(constraint, [to_mask(layout.values)] * len(layout.grid.cells))
    if not all(graph):
        return NEVER
    edges: list[tuple[int, int, int]] = []
    offset, ends = 0, set[int]()
    for layer in graph:
        size = 1 + max(before for before, _, _ in layer)
        edges += [(offset + before, value, offset + size + after) for before, value, after in layer]
        ends = {offset + size + after for _, _, after in layer}
        offset += size
    return nfa_text(layout, cells, (0,), edges, sorted(ends))
