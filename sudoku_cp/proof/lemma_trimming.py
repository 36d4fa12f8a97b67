"""Trimming: a refutation without the lemmas that it does not need, which are often most of what a solver has learned.

What each lemma follows from is known then, too: with these hints the proof is one in LRAT, checked in a fraction of the time.
"""

from __future__ import annotations

import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.compile_cache import CachedModule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


KERNEL = CachedModule.of_functions(
    "trimming", (sys.modules[__name__],), ("add_clauses", "check_lemmas", "explain"), "the kernel of proof trimming", lean=True
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


# Backward checking of lemmas in Numba's language: which of them the refutation needs.
#
# Rules of this part (Heule, Hunt and Wetzler, "Trimming while checking clausal proofs", 2013).
#
# - Literal l of a variable v is 2v if positive and 2v + 1 if negative. Clause c is ``literals[starts[c] : starts[c + 1]]``; the
#   first ``own`` clauses are the formula's, the others lemmas in their order. A clause watches its first two literals.
# - The clauses that watch a literal are a list: ``heads[l]`` is its first entry, ``nexts[n]`` the one after ``n``, -1 the end;
#   entry 2c + s stands for the s-th literal of clause c.
# - ``value[l]`` is 1 while a literal is true. ``trail`` holds the true literals in the order in which they became so, and
#   ``reasons[v]`` the clause that forced one; -1 for assumptions. ``before[c]`` is how long the trail was when lemma c was
#   added.
# - `add_clauses` adds clause by clause until they contradict each other; `check_lemmas` goes back, takes lemma after lemma
#   away, and checks those that are ``needed``, marking what that uses. Needed clauses propagate first, so that few others are
#   marked.
# - The trail is shortened only to lengths of ``before``, between which everything has been propagated. So wherever a clause
#   watches a false literal, its other one became true no later, or the clause has been visited.
# - What is true between two lemmas (the trail up to ``state[ROOT]``) is explained once, by a lemma of one literal: a unit.
# - ``hints`` is a record of what each needed lemma or unit follows from (LRAT), written backwards: its hints, the last one
#   first, each a clause or a unit, then END and what follows from them. A unit is written as -2 - literal. The caller takes the
#   record out between two calls.
# - ``state`` holds the length of the trail, how far needed and other clauses have propagated, the work done, the number of
#   entries in ``hints``, and how much of the trail is explained by units.


LENGTH, NEEDED_DONE, OTHER_DONE, WORK, HINTS, ROOT = range(6)
"""The numbers in the state."""
NONE = -1
"""No clause, no entry, no reason."""
END = -1
"""Stands between hints and what follows from them."""
OTHER, NEEDED, ANY = range(3)
"""Which clauses propagate."""


class TrimArrays(NamedTuple):
    """What is propagated; see the rules of this part."""

    literals: Any
    starts: Any
    heads: Any
    nexts: Any
    value: Any
    trail: Any
    reasons: Any
    before: Any
    needed: Any
    gone: Any
    seen: Any
    units: Any
    hints: Any
    state: Any


def watch(arrays: Any, clause: int, side: int) -> None:
    """Let a clause watch its first or second literal."""
    literal = arrays.literals[arrays.starts[clause] + side]
    entry = 2 * clause + side
    arrays.nexts[entry] = arrays.heads[literal]
    arrays.heads[literal] = entry


def assign(arrays: Any, literal: int, reason: int) -> None:
    """Make a literal true."""
    arrays.value[literal] = 1
    arrays.trail[arrays.state[LENGTH]] = literal
    arrays.reasons[literal >> 1] = reason
    arrays.state[LENGTH] += 1


def retract(arrays: Any, length: int) -> None:
    """Shorten the trail to a length."""
    for place in range(length, arrays.state[LENGTH]):
        arrays.value[arrays.trail[place]] = 0
    arrays.state[LENGTH] = length
    arrays.state[NEEDED_DONE] = min(arrays.state[NEEDED_DONE], length)
    arrays.state[OTHER_DONE] = min(arrays.state[OTHER_DONE], length)


def find_free(arrays: Any, clause: int) -> int:
    """Return the place of a literal behind the first two that is not false, NONE if there is none."""
    for place in range(arrays.starts[clause] + 2, arrays.starts[clause + 1]):
        if not arrays.value[arrays.literals[place] ^ 1]:
            return place
    return NONE


def visit(arrays: Any, false: int, which: int) -> Any:
    """Let the clauses that watch a false literal find others or force their last one; return one that cannot, or NONE."""
    entry, last = arrays.heads[false], NONE
    while entry != NONE:
        clause, side, after = entry >> 1, entry & 1, arrays.nexts[entry]
        arrays.state[WORK] += 1
        moved = arrays.gone[clause]
        if not moved and (which == ANY or arrays.needed[clause] == which):
            first = arrays.starts[clause]
            other = arrays.literals[first + 1 - side]
            if not arrays.value[other]:
                place = find_free(arrays, clause)
                if place != NONE:
                    arrays.literals[first + side], arrays.literals[place] = arrays.literals[place], false
                    watch(arrays, clause, side)
                    moved = 1
                elif arrays.value[other ^ 1]:
                    return clause
                else:
                    assign(arrays, other, clause)
        if not moved:
            last = entry
        elif last == NONE:
            arrays.heads[false] = after
        else:
            arrays.nexts[last] = after
        entry = after
    return NONE


def propagate(arrays: Any) -> int:
    """Propagate what is new on the trail, by needed clauses first; return a clause that is false, or NONE."""
    state = arrays.state
    while state[OTHER_DONE] < state[LENGTH]:
        if state[NEEDED_DONE] < state[LENGTH]:
            state[NEEDED_DONE] += 1
            clash: int = visit(arrays, arrays.trail[state[NEEDED_DONE] - 1] ^ 1, NEEDED)
        else:
            state[OTHER_DONE] += 1
            clash = visit(arrays, arrays.trail[state[OTHER_DONE] - 1] ^ 1, OTHER)
        if clash != NONE:
            return clash
    return NONE


def propagate_any(arrays: Any) -> int:
    """Propagate what is new on the trail; return a clause that is false, or NONE."""
    state = arrays.state
    while state[OTHER_DONE] < state[LENGTH]:
        state[OTHER_DONE] += 1
        state[NEEDED_DONE] = state[OTHER_DONE]
        clash: int = visit(arrays, arrays.trail[state[OTHER_DONE] - 1] ^ 1, ANY)
        if clash != NONE:
            return clash
    return NONE


def write(arrays: Any, entry: int) -> None:
    """Write an entry of the hints."""
    arrays.hints[arrays.state[HINTS]] = entry
    arrays.state[HINTS] += 1


def use_unit(arrays: Any, literal: int) -> None:
    """Mark a unit as needed, and write it as a hint."""
    arrays.units[literal >> 1] = 1
    write(arrays, -2 - literal)


def mark(arrays: Any, clause: int) -> int:
    """Mark a clause as needed, write it as a hint, and mark its literals as seen; return how many were not seen before."""
    arrays.needed[clause] = 1
    write(arrays, clause)
    count = 0
    for place in range(arrays.starts[clause], arrays.starts[clause + 1]):
        variable = arrays.literals[place] >> 1
        if not arrays.seen[variable]:
            arrays.seen[variable] = 1
            count += 1
    return count


def explain(arrays: Any, clash: int) -> None:
    """Mark the clauses and units that a contradiction follows from."""
    count = mark(arrays, clash)
    place = arrays.state[LENGTH]
    while count and place:
        place -= 1
        literal = arrays.trail[place]
        if arrays.seen[literal >> 1]:
            arrays.seen[literal >> 1] = 0
            count -= 1
            reason = arrays.reasons[literal >> 1]
            if place < arrays.state[ROOT]:
                use_unit(arrays, literal)
            elif reason != NONE:
                arrays.seen[literal >> 1] = 1
                count += mark(arrays, reason)
                arrays.seen[literal >> 1] = 0
    arrays.state[WORK] += arrays.state[LENGTH] - place


def explain_units(arrays: Any, length: int) -> None:
    """Write what the needed units follow from that the trail has behind a length, and shorten it."""
    for place in range(arrays.state[LENGTH] - 1, length - 1, -1):
        true = arrays.trail[place]
        if arrays.units[true >> 1]:
            arrays.units[true >> 1] = 0
            reason = arrays.reasons[true >> 1]
            arrays.needed[reason] = 1
            write(arrays, reason)
            for where in range(arrays.starts[reason], arrays.starts[reason + 1]):
                if arrays.literals[where] != true:
                    use_unit(arrays, arrays.literals[where] ^ 1)
            write(arrays, END)
            write(arrays, -2 - true)
    retract(arrays, length)
    arrays.state[ROOT] = length


def add_clause(arrays: Any, clause: int) -> int:
    """Add a clause, with literals that are not false first; return it if all are, or what it contradicts, or NONE."""
    first, end = arrays.starts[clause], arrays.starts[clause + 1]
    free = first
    for place in range(first, end):
        literal = arrays.literals[place]
        if not arrays.value[literal ^ 1]:
            arrays.literals[place], arrays.literals[free] = arrays.literals[free], literal
            free += 1
            if free == first + 2:
                break
    if end - first > 1:
        watch(arrays, clause, 0)
        watch(arrays, clause, 1)
    if free == first:
        return clause
    if free == first + 1 and not arrays.value[arrays.literals[first]]:
        assign(arrays, arrays.literals[first], clause)
        return propagate_any(arrays)
    return NONE


def add_clauses(arrays: Any, first: int, count: int, most: int) -> tuple[int, int]:
    """Add clauses from ``first`` on for some work; return the next clause, and one that is false then, or NONE."""
    arrays.state[WORK] = 0
    clause = first
    while clause < count and arrays.state[WORK] < most:
        arrays.before[clause] = arrays.state[ROOT] = arrays.state[LENGTH]
        arrays.state[WORK] += 1
        clash = add_clause(arrays, clause)
        clause += 1
        if clash != NONE:
            return clause, clash
    return clause, NONE


def follows(arrays: Any, clause: int) -> bool:
    """Check a lemma by unit propagation, and mark what that uses."""
    for place in range(arrays.starts[clause], arrays.starts[clause + 1]):
        literal = arrays.literals[place]
        if arrays.value[literal]:  # it is true already, or the lemma is always true
            if arrays.reasons[literal >> 1] != NONE:
                use_unit(arrays, literal)
            return True
        if not arrays.value[literal ^ 1]:
            assign(arrays, literal ^ 1, NONE)
    clash = propagate(arrays)
    if clash == NONE:
        return False
    explain(arrays, clash)
    return True


def check_lemmas(arrays: Any, last: int, own: int, most: int, room: int) -> int:
    """Check needed lemmas from ``last`` back for some work; return the next, below ``own`` at the end, and -2 if one is wrong.

    It stops as well after ``room`` entries of the hints. What is left of the trail at the end is explained, too.
    """
    arrays.state[WORK] = 0
    clause = last
    while clause >= own and arrays.state[WORK] < most and arrays.state[HINTS] < room:
        arrays.state[WORK] += 1
        explain_units(arrays, arrays.before[clause])
        arrays.gone[clause] = 1
        if arrays.needed[clause]:
            if not follows(arrays, clause):
                return -2
            retract(arrays, arrays.before[clause])
            write(arrays, END)
            write(arrays, clause)
        clause -= 1
    if clause < own:
        explain_units(arrays, 0)
    return clause
