"""`refutation_search` in Numba's language, with the same answers: the same number and the same cone.

Rules of this file.

- A problem is a `ProofArrays`. Clause i is ``literals[starts[i] : starts[i + 1]]`` and says what group ``owners[i]`` says;
  exclusive sets are the same in ``exclusive_...``. ``denied`` lists for each literal the clauses in which it is denied, and
  ``excluding`` the exclusive sets that it is in, both behind ``..._starts``.
- A cone is a row of 64-bit words. Only settled literals have one written down. The queue holds for each entry a key (size and
  literal) and a reason, from which its cone is computed where needed: a clause, or an exclusive set and the literal in it, or
  `ASSUMED`.
- ``state`` holds the length of the queue, the bound, the work done, and whether the queue was too short.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sudoku_cp.backends.native.kernel.bits import size_of
from sudoku_cp.backends.native.kernel.memory import numbers_at, words_at

# `part_clauses` in Numba's language, for all groups but rule parts: the same groups in the same order, as arrays.


HAS_VALUE, ONE_VALUE, HAS_PLACE, ONCE, PART = range(5)
"""Statements of proof groups, in the order of `Statement`."""
CLAUSES, LITERALS, SETS, SET_LITERALS, GROUPS = range(5)
"""The counts of what has been listed."""
ZERO, ONE = np.uint64(0), np.uint64(1)


class LayoutArrays(NamedTuple):
    """The groups of a layout: ``cells[starts[g] : starts[g + 1]]``, the first ``houses`` of them houses.

    ``differing`` are those that say of a value that it stands once. A cell has ``values`` possible values, from ``first`` on;
    on boards, and inside this file, the first counts as 0.
    """

    cells: Any
    starts: Any
    differing: Any
    houses: int
    values: int
    first: int


class GroupLists(NamedTuple):
    """Room for clauses, exclusive sets, and the groups (statement, subject, value); ``counts`` says how much is used."""

    starts: Any
    literals: Any
    owners: Any
    exclusive_starts: Any
    exclusive_literals: Any
    exclusive_owners: Any
    groups: Any
    counts: Any


def make_room(layout: Any, cells: int) -> Any:
    """Return lists with room for all that a layout can say."""
    pairs = len(layout.starts) * layout.values + cells
    literals = (len(layout.cells) + cells) * layout.values
    return GroupLists(
        np.zeros(pairs + 1, np.int64),
        np.empty(literals, np.int64),
        np.empty(pairs, np.int64),
        np.zeros(pairs + 1, np.int64),
        np.empty(literals, np.int64),
        np.empty(pairs, np.int64),
        np.empty((2 * pairs, 3), np.int64),
        np.zeros(5, np.int64),
    )


def add_group(out: Any, statement: int, subject: int, value: int, literals: Any) -> None:
    """Add a group that says something of these literals: that one is true, or at most one."""
    counts = out.counts
    group = counts[GROUPS]
    out.groups[group, 0], out.groups[group, 1], out.groups[group, 2] = statement, subject, value
    counts[GROUPS] += 1
    if statement in (HAS_VALUE, HAS_PLACE):  # a set would take seconds to compile
        end = counts[LITERALS] + len(literals)
        out.literals[counts[LITERALS] : end] = literals
        out.owners[counts[CLAUSES]] = group
        counts[CLAUSES] += 1
        counts[LITERALS] = out.starts[counts[CLAUSES]] = end
    else:
        end = counts[SET_LITERALS] + len(literals)
        out.exclusive_literals[counts[SET_LITERALS] : end] = literals
        out.exclusive_owners[counts[SETS]] = group
        counts[SETS] += 1
        counts[SET_LITERALS] = out.exclusive_starts[counts[SETS]] = end


def add_cell_groups(layout: Any, candidates: Any, filled: Any, out: Any) -> None:
    """Add that each open cell has a value, and only one."""
    literals = np.empty(layout.values, np.int64)
    for cell in range(len(candidates)):
        if filled[cell] >= 0:
            continue
        length = 0
        for value in range(layout.values):
            if candidates[cell] >> np.uint64(value) & ONE:
                literals[length] = 2 * (cell * layout.values + value)
                length += 1
        add_group(out, HAS_VALUE, cell, 0, literals[:length])
        if length > 1:
            add_group(out, ONE_VALUE, cell, 0, literals[:length])


def placed_values(layout: Any, filled: Any, group: int) -> Any:
    """Return the values that cells of a group are filled with, as bits."""
    placed = ZERO
    for place in range(layout.starts[group], layout.starts[group + 1]):
        if filled[layout.cells[place]] >= 0:
            placed |= ONE << np.uint64(filled[layout.cells[place]])
    return placed


def list_places(layout: Any, candidates: Any, group: int, value: int, literals: Any) -> int:
    """List the literals that open cells of a group hold a value; return how many there are."""
    length = 0
    for place in range(layout.starts[group], layout.starts[group + 1]):
        cell = layout.cells[place]
        if candidates[cell] >> np.uint64(value) & ONE:
            literals[length] = 2 * (cell * layout.values + value)
            length += 1
    return length


def add_house_groups(layout: Any, candidates: Any, filled: Any, out: Any) -> None:
    """Add that each value has a place in each house, and stands once in each group."""
    literals = np.empty(len(candidates), np.int64)
    for group in range(len(layout.starts) - 1):
        placed = placed_values(layout, filled, group)
        if group >= layout.houses and not layout.differing[group]:
            continue
        for value in range(layout.values):
            length = list_places(layout, candidates, group, value, literals)
            if group < layout.houses and not placed >> np.uint64(value) & ONE:
                add_group(out, HAS_PLACE, group, layout.first + value, literals[:length])
            if layout.differing[group] and length > 1:
                add_group(out, ONCE, group, layout.first + value, literals[:length])


def list_groups(layout: Any, candidates: Any, filled: Any) -> Any:
    """Return the groups of a board, with the clauses and exclusive sets that they say."""
    out = make_room(layout, len(candidates))
    add_cell_groups(layout, candidates, filled, out)
    add_house_groups(layout, candidates, filled, out)
    counts = out.counts
    return (
        out.starts[: counts[CLAUSES] + 1],
        out.literals[: counts[LITERALS]],
        out.owners[: counts[CLAUSES]],
        out.exclusive_starts[: counts[SETS] + 1],
        out.exclusive_literals[: counts[SET_LITERALS]],
        out.exclusive_owners[: counts[SETS]],
        out.groups[: counts[GROUPS]],
    )


def index_literals(starts: Any, literals: Any, number: int, negate: int) -> Any:
    """Return for each of ``number`` literals in which lists it occurs, or its negation if ``negate`` is 1, as two arrays."""
    ends = np.zeros(number + 1, np.int64)
    for literal in literals:
        ends[(literal ^ negate) + 1] += 1
    for literal in range(number):
        ends[literal + 1] += ends[literal]
    places, found = ends.copy(), np.empty(len(literals), np.int64)
    for index in range(len(starts) - 1):
        for place in range(starts[index], starts[index + 1]):
            literal = literals[place] ^ negate
            found[places[literal]] = index
            places[literal] += 1
    return ends, found


ASSUMED = -(1 << 62)
"""The reason of the literal that is refuted."""
NONE = -1
"""No literal: a whole clause is denied."""
LENGTH, BOUND, WORK, OVERFLOW = range(4)
"""The numbers in the state."""
SHIFT = 32
"""The literal's bits in a key."""


class ProofArrays(NamedTuple):
    """The proof groups of a board as arrays (or their addresses)."""

    starts: Any
    literals: Any
    owners: Any
    exclusive_starts: Any
    exclusive_literals: Any
    exclusive_owners: Any
    denied_starts: Any
    denied: Any
    excluding_starts: Any
    excluding: Any


class Workspace(NamedTuple):
    """Room for one search: ``sizes`` is -1 for literals that are not settled, ``unsettled`` counts in each clause."""

    sizes: Any
    unsettled: Any
    keys: Any
    reasons: Any
    state: Any
    cones: Any
    best: Any


class Counts(NamedTuple):
    """How many there are: ``words`` of a cone, ``queue`` entries at most."""

    clauses: int
    sets: int
    literals: int
    words: int
    queue: int


class RefutationTargets(NamedTuple):
    """The literals to refute, and for each the size of its cone (0 without one) and the cone."""

    targets: Any
    sizes: Any
    cones: Any


class RefutationProblem(NamedTuple):
    """What is searched: arrays as pointers (see `ProofArrays`), and their lengths."""

    starts: Any
    literals: Any
    owners: Any
    exclusive_starts: Any
    exclusive_literals: Any
    exclusive_owners: Any
    denied_starts: Any
    denied: Any
    excluding_starts: Any
    excluding: Any
    counts: Any


def problem_at(addresses: Any, counts: Any) -> Any:
    """Return the problem whose arrays lie at these addresses."""
    return RefutationProblem(
        numbers_at(addresses.starts),
        numbers_at(addresses.literals),
        numbers_at(addresses.owners),
        numbers_at(addresses.exclusive_starts),
        numbers_at(addresses.exclusive_literals),
        numbers_at(addresses.exclusive_owners),
        numbers_at(addresses.denied_starts),
        numbers_at(addresses.denied),
        numbers_at(addresses.excluding_starts),
        numbers_at(addresses.excluding),
        counts,
    )


def workspace_at(addresses: Any) -> Any:
    """Return the workspace that lies at these addresses."""
    return Workspace(
        numbers_at(addresses.sizes),
        numbers_at(addresses.unsettled),
        numbers_at(addresses.keys),
        numbers_at(addresses.reasons),
        numbers_at(addresses.state),
        words_at(addresses.cones),
        words_at(addresses.best),
    )


def has_group(problem: Any, work: Any, literal: int, group: int) -> Any:
    """Return whether a group is in the cone of a settled literal."""
    return (work.cones[literal * problem.counts.words + (group >> 6)] >> np.uint64(group & 63)) & ONE != ZERO


# --- cones of queue entries -------------------------------------------------------------------------------------------


def cone_word(problem: Any, work: Any, reason: int, literal: int, index: int) -> Any:
    """Return a word of the cone of an entry."""
    word = ZERO
    if reason >= 0:
        group = problem.owners[reason]
        for place in range(problem.starts[reason], problem.starts[reason + 1]):
            other = problem.literals[place]
            if other != literal:
                word |= work.cones[(other ^ 1) * problem.counts.words + index]
    elif reason == ASSUMED:
        return word
    else:
        source, chosen = divmod(-1 - reason, problem.counts.sets)
        group = problem.exclusive_owners[chosen]
        word = work.cones[source * problem.counts.words + index]
    if group >> 6 == index:
        word |= ONE << np.uint64(group & 63)
    return word


def cone_size(problem: Any, work: Any, reason: int, literal: int) -> int:
    """Return the size of the cone of an entry that a clause forced; `NONE` stands for its contradiction."""
    size = 0
    for index in range(problem.counts.words):
        size += size_of(cone_word(problem, work, reason, literal, index))
    return size


def is_before(problem: Any, work: Any, key: int, reason: int, other_key: int, other_reason: int) -> Any:
    """Return whether an entry comes before another: by key, then by the cone as a number."""
    if key != other_key or reason == other_reason:
        return key < other_key
    literal = key & ((1 << SHIFT) - 1)
    for index in range(problem.counts.words - 1, -1, -1):
        word = cone_word(problem, work, reason, literal, index)
        other = cone_word(problem, work, other_reason, literal, index)
        if word != other:
            return word < other
    return False


# --- the queue, a binary heap -----------------------------------------------------------------------------------------


def push(problem: Any, work: Any, size: int, literal: int, reason: int) -> None:
    """Add an entry; an entry that reaches the bound is not added."""
    keys, reasons, state = work.keys, work.reasons, work.state
    if size >= state[BOUND]:
        return
    if state[LENGTH] == problem.counts.queue:
        state[OVERFLOW] = 1
        return
    place = state[LENGTH]
    state[LENGTH] += 1
    key: Any = np.int64(size) << SHIFT | literal
    while place > 0:
        parent = (place - 1) >> 1
        if not is_before(problem, work, key, reason, keys[parent], reasons[parent]):
            break
        keys[place], reasons[place] = keys[parent], reasons[parent]
        place = parent
    keys[place], reasons[place] = key, reason


def pop(problem: Any, work: Any) -> None:
    """Remove the first entry."""
    keys, reasons, state = work.keys, work.reasons, work.state
    state[LENGTH] -= 1
    length = state[LENGTH]
    key, reason = keys[length], reasons[length]
    place, child = 0, 1
    while child < length:
        if child + 1 < length and is_before(problem, work, keys[child + 1], reasons[child + 1], keys[child], reasons[child]):
            child += 1
        if not is_before(problem, work, keys[child], reasons[child], key, reason):
            break
        keys[place], reasons[place] = keys[child], reasons[child]
        place, child = child, 2 * child + 1
    keys[place], reasons[place] = key, reason


# --- propagation ------------------------------------------------------------------------------------------------------


def contradict(problem: Any, work: Any, reason: int, literal: int, opposite: int) -> None:
    """Note the contradiction between an entry and a settled literal (or none) if it is smaller than those before."""
    size, words = 0, problem.counts.words
    for index in range(words):
        word = cone_word(problem, work, reason, literal, index)
        if opposite >= 0:
            word |= work.cones[opposite * problem.counts.words + index]
        size += size_of(word)
    if size >= work.state[BOUND]:
        return
    work.state[BOUND] = size
    for index in range(words):
        work.best[index] = cone_word(problem, work, reason, literal, index)
        if opposite >= 0:
            work.best[index] |= work.cones[opposite * problem.counts.words + index]


def follow_clause(problem: Any, work: Any, clause: int) -> None:
    """Push what a clause forces whose literals are all denied but one, or note that all are."""
    last = NONE
    for place in range(problem.starts[clause], problem.starts[clause + 1]):
        if work.sizes[problem.literals[place] ^ 1] < 0:
            last = problem.literals[place]
    if last == NONE:
        contradict(problem, work, clause, NONE, NONE)
    elif work.sizes[last] < 0:
        push(problem, work, cone_size(problem, work, clause, last), last, clause)


def follow_literal(problem: Any, work: Any, literal: int) -> None:
    """Push what a literal that has just been settled forces."""
    size = work.sizes[literal]
    sets = problem.counts.sets
    for index in range(problem.excluding_starts[literal], problem.excluding_starts[literal + 1]):
        chosen = problem.excluding[index]
        larger = size if has_group(problem, work, literal, problem.exclusive_owners[chosen]) else size + 1
        for place in range(problem.exclusive_starts[chosen], problem.exclusive_starts[chosen + 1]):
            other = problem.exclusive_literals[place]
            if other != literal and work.sizes[other ^ 1] < 0:
                push(problem, work, larger, other ^ 1, -1 - (literal * sets + chosen))
    for index in range(problem.denied_starts[literal], problem.denied_starts[literal + 1]):
        clause = problem.denied[index]
        work.unsettled[clause] -= 1
        if work.unsettled[clause] <= 1:
            follow_clause(problem, work, clause)


def begin(problem: Any, work: Any, start: int, bound: int) -> None:
    """Assume a literal, and what clauses force without it."""
    for literal in range(problem.counts.literals):
        work.sizes[literal] = -1
    work.state[LENGTH], work.state[BOUND] = 0, bound
    push(problem, work, 0, start, ASSUMED)
    for clause in range(problem.counts.clauses):
        work.unsettled[clause] = problem.starts[clause + 1] - problem.starts[clause]
        if work.unsettled[clause] <= 1:
            follow_clause(problem, work, clause)


def refute(problem: Any, work: Any, start: int, bound: int) -> int:
    """Return the size of a cone below ``bound`` that refutes a literal, and write it to ``best``; 0 if there is none."""
    begin(problem, work, start, bound)
    state = work.state
    while state[LENGTH] > 0:
        key, reason = work.keys[0], work.reasons[0]
        size, literal = key >> SHIFT, key & ((1 << SHIFT) - 1)
        if size >= state[BOUND]:
            break
        state[WORK] += 1
        pop(problem, work)
        if work.sizes[literal] >= 0:
            continue
        if work.sizes[literal ^ 1] >= 0:
            contradict(problem, work, reason, literal, literal ^ 1)
            continue
        for index in range(problem.counts.words):
            work.cones[literal * problem.counts.words + index] = cone_word(problem, work, reason, literal, index)
        work.sizes[literal] = size
        follow_literal(problem, work, literal)
    return state[BOUND] if state[BOUND] < bound else 0


def refute_many(arrays: Any, room: Any, counts: Any, task: Any, first: int, bound: int, most: int) -> tuple[int, int]:
    """Refute targets from ``first`` on, each by no more groups than the best before it; ``bound`` is one more than that.

    Returns the next target, and the bound for it; ends early after ``most`` queue
    entries, or before a target for which the queue is too short.
    """
    problem, work = problem_at(arrays, counts), workspace_at(room)
    work.state[WORK] = work.state[OVERFLOW] = 0
    while first < len(task.targets) and work.state[WORK] < most:
        task.sizes[first] = refute(problem, work, task.targets[first], bound)
        if work.state[OVERFLOW]:
            break
        if task.sizes[first]:
            bound = min(bound, task.sizes[first] + 1)
            for index in range(counts.words):
                task.cones[first, index] = work.best[index]
        first += 1
    return first, bound
