"""Trimming: a refutation without the lemmas that it does not need, which are often most of what a solver has learned.

What each lemma follows from is known then, too: with these hints the proof is one in LRAT, checked in a fraction of the time.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.proof import trim_kernel
from sudoku_cp.proof.trim_kernel import END, HINTS, NONE, TrimArrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

KERNEL = CachedModule.of_functions(
    "trimming", (trim_kernel,), ("add_clauses", "check_lemmas", "explain"), "the kernel of proof trimming", lean=True
)
"""The compiled checks."""
SLICE = 5_000_000
"""Clauses looked at between two looks at the clock: some hundredths of a second."""
WRONG = -2
"""What the kernel returns of a lemma that does not follow."""
CONTRADICTION, UNIT = -1, -2
"""What stands for the empty clause, and for the unit of literal 0, among the numbers of clauses."""
ROOM = 1 << 18
"""How many entries of hints are taken from the kernel at once, besides those of one lemma and of units."""


def needed_lemmas(
    formula: Iterable[Sequence[int]], lemmas: Sequence[Sequence[int]], tick: Callable[[], object]
) -> list[int] | None:
    """Return the indices of the lemmas that are enough to refute the formula by unit propagation, in order.

    None if the lemmas do not refute it, or one of those does not follow. ``tick`` is called now and then.
    """
    own = list(formula)
    record = _refutation_record(own, lemmas, tick, prefer_few=True)
    return None if record is None else [one - len(own) for one, _ in reversed(record) if one >= len(own)]


def lrat_lines(formula: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]], tick: Callable[[], object]) -> list[str] | None:
    """Return the lemmas and the empty clause as the lines of a proof in LRAT; None if the lemmas refute nothing.

    Clauses of the formula are numbered from 1, and lemmas after them. What unit propagation finds from the formula and some
    lemmas becomes a lemma itself, so that no other needs more hints than it must.
    """
    record = _refutation_record(formula, lemmas, tick, prefer_few=False)
    if record is None or not all(hints for _, hints in record):  # a lemma that is always true has no hints
        return None
    numbers: dict[int, int] = {}
    lines: list[str] = []
    for one, hints in reversed(record):
        own = [hint + 1 if 0 <= hint < len(formula) else numbers[hint] for hint in hints]
        if one <= UNIT and len(own) == 1:  # a clause of one literal
            numbers[one] = own[0]
            continue
        numbers[one] = number = len(formula) + len(lines) + 1
        if one <= UNIT:
            literals: Sequence[int] = [_signed(UNIT - one)]
        else:
            literals = [] if one == CONTRADICTION else [*dict.fromkeys(lemmas[one - len(formula)])]
        lines.append(" ".join(map(str, (number, *literals, 0, *own, 0))))
    return lines


def _signed(literal: int) -> int:
    """Return the literal of the kernel as it is written in DIMACS."""
    return -(literal >> 1) if literal & 1 else literal >> 1


Record: TypeAlias = list[tuple[int, list[int]]]
"""From the end of a refutation back: a lemma, a unit (`UNIT` - literal) or `CONTRADICTION`, each with its hints in order."""


def _refutation_record(
    formula: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]], tick: Callable[[], object], *, prefer_few: bool
) -> Record | None:
    """Return what each lemma and unit of a refutation follows from; None if the lemmas do not refute the formula.

    To ``prefer_few`` clauses, those that something follows from already, takes more hints; otherwise all lemmas are kept.
    """
    own = [tuple(dict.fromkeys(clause)) for clause in formula]
    clauses = [*own, *(tuple(dict.fromkeys(lemma)) for lemma in lemmas if lemma)]
    arrays = _make_arrays(clauses)
    arrays.needed[:] = not prefer_few
    clause, clash = 0, NONE
    while clash == NONE and clause < len(clauses):
        tick()
        clause, clash = KERNEL.call("add_clauses", arrays, clause, len(clauses), SLICE)
    if clash == NONE:
        return None
    KERNEL.call("explain", arrays, clash)
    entries = [*arrays.hints[: arrays.state[HINTS]].tolist(), END, CONTRADICTION]
    last = clause - 1
    while True:
        tick()
        arrays.state[HINTS] = 0
        last = KERNEL.call("check_lemmas", arrays, last, len(own), SLICE, ROOM)
        if last == WRONG:
            return None
        entries += arrays.hints[: arrays.state[HINTS]].tolist()
        if last < len(own):
            return _parse_record(entries)


def _parse_record(entries: Sequence[int]) -> Record:
    """Parse what the kernel wrote of hints and what follows from them."""
    record, start = Record(), 0
    while start < len(entries):
        end = entries.index(END, start)
        record.append((entries[end + 1], [*reversed(entries[start:end])]))
        start = end + 2
    return record


def _make_arrays(clauses: Sequence[Sequence[int]]) -> TrimArrays:
    """Return the arrays of clauses of which none has been added."""
    starts = np.zeros(len(clauses) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, clauses), np.int64, len(clauses)), out=starts[1:])
    signed = np.fromiter(chain.from_iterable(clauses), np.int64, int(starts[-1]))
    literals = 2 * np.abs(signed) + (signed < 0)
    size = int(literals.max(initial=0)) // 2 + 1
    return TrimArrays(
        literals=literals,
        starts=starts,
        heads=np.full(2 * size, NONE, np.int64),
        nexts=np.full(2 * len(clauses), NONE, np.int64),
        value=np.zeros(2 * size, np.uint8),
        trail=np.zeros(size, np.int64),
        reasons=np.full(size, NONE, np.int64),
        before=np.zeros(len(clauses), np.int64),
        needed=np.zeros(len(clauses), np.uint8),
        gone=np.zeros(len(clauses), np.uint8),
        seen=np.zeros(size, np.uint8),
        units=np.zeros(size, np.uint8),
        hints=np.zeros(ROOM + len(literals) + 5 * size, np.int64),
        state=np.zeros(6, np.int64),
    )
