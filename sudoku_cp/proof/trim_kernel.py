"""Backward checking of lemmas in Numba's language: which of them the refutation needs.

Rules of this file (Heule, Hunt and Wetzler, "Trimming while checking clausal proofs", 2013).

- Literal l of a variable v is 2v if positive and 2v + 1 if negative. Clause c is ``literals[starts[c] : starts[c + 1]]``; the
  first ``own`` clauses are the formula's, the others lemmas in their order. A clause watches its first two literals.
- The clauses that watch a literal are a list: ``heads[l]`` is its first entry, ``nexts[n]`` the one after ``n``, -1 the end;
  entry 2c + s stands for the s-th literal of clause c.
- ``value[l]`` is 1 while a literal is true. ``trail`` holds the true literals in the order in which they became so, and
  ``reasons[v]`` the clause that forced one; -1 for assumptions. ``before[c]`` is how long the trail was when lemma c was added.
- `add_clauses` adds clause by clause until they contradict each other; `check_lemmas` goes back, takes lemma after lemma away,
  and checks those that are ``needed``, marking what that uses. Needed clauses propagate first, so that few others are marked.
- The trail is shortened only to lengths of ``before``, between which everything has been propagated. So wherever a clause watches
  a false literal, its other one became true no later, or the clause has been visited.
- What is true between two lemmas (the trail up to ``state[ROOT]``) is explained once, by a lemma of one literal: a unit.
- ``hints`` is a record of what each needed lemma or unit follows from (LRAT), written backwards: its hints, the last one first,
  each a clause or a unit, then END and what follows from them. A unit is written as -2 - literal. The caller takes the record out
  between two calls.
- ``state`` holds the length of the trail, how far needed and other clauses have propagated, the work done, the number of entries
  in ``hints``, and how much of the trail is explained by units.
"""

from __future__ import annotations

from typing import Any, NamedTuple

LENGTH, NEEDED_DONE, OTHER_DONE, WORK, HINTS, ROOT = range(6)
"""The numbers in the state."""
NONE = -1
"""No clause, no entry, no reason."""
END = -1
"""Stands between hints and what follows from them."""
OTHER, NEEDED, ANY = range(3)
"""Which clauses propagate."""


class TrimArrays(NamedTuple):
    """What is propagated; see the rules of this file."""

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
