"""Checks of constraints that rules defined outside this package yield: types, relations, cells, and what can never hold.

They cost more than making a constraint, so those of this package's own rules, which its tests look at, go without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import get_args

from sudoku_cp.arguments import coerce_fields
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model.model import Clause, Connected, Constraint, DigitSet, Partition, Table, cells_of

SHOWN = 5
"""Problems of a constraint that are listed, at most."""


def checked_parts(rule: str, parts: object, cells: int) -> Iterator[tuple[str, Constraint]]:
    """Yield the (part, constraint) pairs that a rule states on a grid of so many ``cells``.

    A list is converted to the expected tuple, a NumPy number to a Python one. Raises `InvalidInput` with everything that is wrong
    with a constraint.
    """
    if not isinstance(parts, Iterable):
        raise InvalidInput(f"{rule}: expected 'lower' to yield pairs of a part in words and a constraint, got {parts!r:.80}")
    for pair in parts:
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)):  # noqa: PLR2004
            raise InvalidInput(f"{rule}: expected 'lower' to yield pairs of a part in words and a constraint, got {pair!r:.80}")
        part, stated = pair
        if not isinstance(stated, get_args(Constraint)):
            names = ", ".join(one.__name__ for one in get_args(Constraint))
            raise InvalidInput(f"{rule}, {part}: expected a constraint of sudoku_cp.model ({names}), got {stated!r:.80}")
        problems: list[str] = []
        constraint = coerce_fields(stated, problems)
        if problems := problems or list(islice(_problems(constraint, cells), SHOWN)):
            raise InvalidInput(f"{rule}, {part}: {problem}" for problem in problems)
        yield part, constraint


def _problems(constraint: Constraint, cells: int) -> Iterator[str]:
    """Yield what is wrong with a constraint whose fields have the expected types."""
    literals = _literal_problems(constraint) if isinstance(constraint, Clause) else ()
    if found := list(literals):
        yield from found
        return
    name = type(constraint).__name__
    for cell in cells_of(constraint):
        if cell >= cells:
            yield f"{name}: expected cells from 0 to {cells - 1}, or auxiliaries (-1, -2, ...), got {cell}"
    match constraint:
        case DigitSet():
            yield from _set_problems(constraint)
        case Table():
            yield from _tuple_problems(constraint)
        case Connected():
            yield from _connection_problems(constraint)
        case Partition():
            yield from _partition_problems(constraint)


def _literal_problems(clause: Clause) -> Iterator[str]:
    for place, literal in enumerate(clause.literals):
        if [type(part) for part in literal] != [int, int, bool]:
            yield f"Clause, literals[{place}]: expected a cell, a value, and True or False, got {tuple(literal)!r:.80}"


def _set_problems(constraint: DigitSet) -> Iterator[str]:
    size = len(constraint.cells)
    for one in constraint.sets:
        if one < 0 or one.bit_count() != size:
            yield f"DigitSet, sets: expected sets of {size} values, as bits (see to_mask), got {one!r:.40}"


def _tuple_problems(table: Table) -> Iterator[str]:
    size = len(table.cells)
    for row in table.tuples:
        if len(row) != size:
            yield f"Table, tuples: expected tuples of {size} values, one for each cell, got {row!r:.80}"


def _connection_problems(constraint: Connected) -> Iterator[str]:
    steps = constraint.steps
    yield from _place_problems(constraint)
    if steps is not None and steps < 0:
        yield f"Connected, steps: expected a number from 0, or None, got {steps}"


def _partition_problems(partition: Partition) -> Iterator[str]:
    size, cells = partition.size, len(partition.cells)
    yield from _place_problems(partition)
    if len(partition.labels) != cells:
        yield f"Partition, labels: expected a cell for each of {cells} cells, got {partition.labels!r:.80}"
    if size < 1 or cells % max(size, 1):
        yield f"Partition, size: expected a number from 1 that divides {cells} cells, got {size}"


def _place_problems(constraint: Connected | Partition) -> Iterator[str]:
    size, beside = len(constraint.cells), constraint.beside
    if len(beside) != size or any(not 0 <= place < size for place in chain.from_iterable(beside)):
        name = type(constraint).__name__
        yield f"{name}, `beside`: expected places from 0 to {size - 1} for each of {size} cells, got {beside!r:.80}"
