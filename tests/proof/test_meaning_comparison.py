"""Whether clauses state a rule's meaning: walk and set comparison, tested against every way to fill the cells."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from sudoku_cp.model import Automaton, Constraint, DigitSet, Literal
from sudoku_cp.model.rewrite import as_clauses
from sudoku_cp.proof import prove
from sudoku_cp.proof.checker import check, meaning_comparison
from sudoku_cp.proof.checker.clause_automata import read_automaton
from sudoku_cp.proof.checker.clause_remainders import WorkBudget, group_by_shared
from sudoku_cp.proof.checker.clause_tracks import AutomatonTrack
from sudoku_cp.proof.checker.joint_walk import walk
from sudoku_cp.proof.checker.meanings_of_lines import loop_machine
from sudoku_cp.proof.checker.report import CheckBudget
from sudoku_cp.proof.checker.rule_machines import all_different, conjunction
from sudoku_cp.proof.checker.rule_machines import keep_all as keeping_all
from sudoku_cp.proof.checker.set_comparison import compare_sets
from sudoku_cp.puzzle import from_json
from sudoku_cp.rules.automata import with_start_choice
from tests.proof.conftest import Folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

MUCH = WorkBudget(10**9, lambda: None)
Clauses = list[list[int]]


# --- against every way to fill the cells --------------------------------------------------------------------------


def satisfiable(clauses: Iterable[Sequence[int]], auxiliaries: Iterable[int], true: set[int]) -> bool:
    """Return whether some choice of auxiliaries makes all clauses true, by trying all of them."""
    open_ = [clause for clause in clauses if not any(literal in true for literal in clause)]
    names = sorted(auxiliaries)
    choices = itertools.product(*((name, -name) for name in names))
    return any(all(not chosen.isdisjoint(clause) for clause in open_) for chosen in map(set, choices))


def differences(size: int, values: range, clauses: Clauses, holds: Callable[..., bool]) -> tuple[bool, bool]:
    """Return whether clauses forbid anything that holds, and whether they allow anything that does not."""
    width = len(values)
    auxiliaries = {abs(literal) for clause in clauses for literal in clause if abs(literal) > size * width}
    lost = loose = False
    for chosen in itertools.product(range(width), repeat=size):
        board = {(place * width + number + 1): chosen[place] == number for place in range(size) for number in range(width)}
        true = {variable if is_true else -variable for variable, is_true in board.items()}
        possible = satisfiable(clauses, auxiliaries, true)
        right = holds(*(values[number] for number in chosen))
        lost |= right and not possible
        loose |= possible and not right
    return lost, loose


CLAUSES = st.lists(st.lists(st.integers(1, 12).flatmap(lambda n: st.sampled_from([n, -n])), max_size=4), max_size=14)


@settings(max_examples=30)
@given(clauses=CLAUSES, some=st.integers(0, 511), size=st.integers(1, 3))
def test_the_walk_finds_what_trying_everything_finds(clauses: Clauses, some: int, size: int) -> None:
    """Any clauses over a few cells of three values and auxiliaries, and any rule: lost and loose are exact."""
    values = range(3)

    def holds(*own: int) -> bool:
        return bool(some >> sum(value * 3**place for place, value in enumerate(own)) % 9 & 1)

    found = walk(keeping_all(holds), size, values, clauses, MUCH)
    assert (found.lost is not None, found.loose is not None) == differences(size, values, clauses, holds)


def allowed_values(size: int, values: range, clauses: Clauses) -> set[tuple[int, ...]]:
    """Return all values that clauses allow some cells, by trying everything."""
    width = len(values)
    found = set()
    for chosen in itertools.product(range(width), repeat=size):
        units = [
            [(1 if chosen[place] == number else -1) * (place * width + number + 1)]
            for place in range(size)
            for number in range(width)
        ]
        with Solver("glucose4", bootstrap_with=[*filter(None, clauses), *units]) as solver:
            if [] not in clauses and solver.solve():
                found.add(tuple(values[number] for number in chosen))
    return found


def of_automaton(chance: random.Random, size: int, width: int) -> Clauses:
    """Return the program's clauses of a random automaton of several layers, in the checker's variables."""
    states, values = range(5), range(width)
    edges = frozenset((state, value, chance.choice(states)) for state in states for value in values if chance.random() < 0.8)
    machine = Automaton(tuple(range(size)), 0, edges, frozenset(chance.sample(states, 2)))
    return number_literals(machine, [(1 << width) - 1] * size, size, values)


@pytest.mark.parametrize("seed", range(25))
def test_the_walk_is_exact_for_the_clauses_of_automata(seed: int) -> None:
    """Clauses with states as auxiliaries, spoilt or not: no difference from what they allow, and each single one is found."""
    chance = random.Random(seed)  # noqa: S311
    size, width = chance.choice([(3, 3), (4, 3), (4, 2)])
    values = range(width)
    clauses = of_automaton(chance, size, width)
    for _ in range(chance.randrange(3)):
        clauses = changed(clauses, size, width, chance) if clauses else clauses
    allowed = allowed_values(size, values, clauses)
    whole = sorted(itertools.product(values, repeat=size))
    assert walk(keeping_all(lambda *own: own in allowed), size, values, clauses, MUCH) == (None, None)
    for odd in chance.sample(whole, 6):
        found = walk(keeping_all(lambda *own, odd=odd: (own in allowed) != (own == odd)), size, values, clauses, MUCH)
        assert found == ((None, odd) if odd in allowed else (odd, None))


def of_choice(total: int, size: int, values: range) -> Clauses:
    """Return the program's clauses of a closed sum line: an automaton whose start is chosen by auxiliaries."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        carried, partial = state
        return (carried, (partial + value) % total) if partial + value <= total else None

    starts = [(carried, carried) for carried in range(total)]
    bits, template = with_start_choice(starts, step, lambda state: state[0] == state[1], values)
    domains = [sum(1 << value for value in values)] * size + [0b11] * bits
    automaton = template.on_cells((*range(size, size + bits), *range(size)))
    return number_literals(automaton, domains, size, values)


def number_literals(constraint: Constraint, domains: list[int], size: int, values: range) -> Clauses:
    """Return the program's clauses of a constraint on some cells and auxiliaries, in the checker's variables."""

    def fresh() -> int:
        domains.append(0b11)
        return len(domains) - 1

    def number(literal: Literal) -> int:
        if literal.cell >= size:
            variable = 1 + size * len(values) + literal.cell - size
            return variable if literal.equal == (literal.value == 1) else -variable
        variable = 1 + literal.cell * len(values) + values.index(literal.value)
        return variable if literal.equal else -variable

    return [[number(one) for one in said] for said in as_clauses(constraint, domains, fresh)]


def of_sets(size: int, values: range, sets: Iterable[int]) -> Clauses:
    """Return the program's clauses that some cells hold one of some sets of values, in the checker's variables."""
    constraint = DigitSet(tuple(range(size)), frozenset(sets))
    return number_literals(constraint, [sum(1 << value for value in values)] * size, size, values)


def shift_auxiliaries(clauses: Clauses, board: int, by: int) -> Clauses:
    """Return the clauses with other auxiliaries."""
    return [[one if abs(one) <= board else one + by if one > 0 else one - by for one in clause] for clause in clauses]


def parts_with_auxiliaries(clauses: Clauses, board: int) -> list[Clauses]:
    """Return the clauses with auxiliaries, those together that share some."""
    some = [clause for clause in clauses if max(map(abs, clause), default=0) > board]
    names = [[abs(literal) for literal in clause if abs(literal) > board] for clause in some]
    return [[some[place] for place in places] for places in group_by_shared(names)]


def of_layers(chance: random.Random, size: int, width: int) -> Clauses:
    """Return clauses of random layers of auxiliaries, not always of an automaton, with several starts and several ends."""
    names = itertools.count(1 + size * width)
    layer = [next(names) for _ in range(chance.choice([0, 2, 3]))]
    clauses = [layer[:]] if layer else []
    for place in range(size):
        behind = [next(names) for _ in range(chance.choice([1, 2, 3]) if place < size - 1 else 0)]
        clauses += [behind[:]] * bool(behind)
        for one, index in itertools.product(layer or [0], range(width)):
            goals = chance.sample(behind, min(len(behind), chance.choice([0, 1, 1, 2])))
            clauses.append([*([-one] if one else []), -(1 + place * width + index), *goals])
        for end in behind:
            clauses.append([-end, *(1 + place * width + index for index in range(width) if chance.random() < 0.8)])
        clauses = [clause for clause in clauses if chance.random() < 0.95]
        layer = behind
    return clauses


@pytest.mark.parametrize("seed", range(40))
def test_an_automaton_read_off_clauses_accepts_what_they_allow(seed: int) -> None:
    """Clauses of layers, spoilt or not, with several starts and ends: where an automaton is read off them, it is exact."""
    chance = random.Random(seed)  # noqa: S311
    size, width = chance.choice([(3, 3), (4, 2), (3, 2)])
    made = [of_automaton(chance, size, width), of_layers(chance, size, width), of_choice(3, size, range(1, 1 + width))]
    for clauses in made:
        for _ in range(chance.choice([0, 0, 1, 2])):
            clauses = changed(clauses, size, width, chance) if clauses else clauses  # noqa: PLW2901
        for part in parts_with_auxiliaries(clauses, size * width):
            automaton = read_automaton(part, size, width, MUCH)
            if automaton is None:
                continue
            track = AutomatonTrack(automaton, MUCH)
            found = set()
            for chosen in itertools.product(range(width), repeat=size):
                state = track.start()
                for place, index in enumerate(chosen):
                    state = track.move(state, place, index) if state >= 0 else -1
                if state >= 0:
                    found.add(chosen)
            assert found == allowed_values(size, range(width), part)


def test_the_programs_automata_are_read_off_their_clauses() -> None:
    """Automata of one start and of a choice of starts: no part of their clauses is left to a longer comparison."""
    made = [of_automaton(random.Random(seed), 4, 3) for seed in range(10)]  # noqa: S311
    for clauses in (*made, of_choice(5, 4, range(1, 4))):
        for part in parts_with_auxiliaries(clauses, 12):
            assert read_automaton(part, 4, 3, MUCH) is not None


@pytest.mark.parametrize("seed", range(12))
def test_the_walk_is_exact_for_sets_and_an_automaton_together(seed: int) -> None:
    """Cells with one of some sets of values and an automaton, as in a lunchbox, spoilt or not: each difference is found."""
    chance = random.Random(seed)  # noqa: S311
    size, values = 3, range(4)
    sets = [sum(1 << value for value in some) for some in itertools.combinations(values, size) if chance.random() < 0.7]
    clauses = of_sets(size, values, sets)
    clauses += shift_auxiliaries(of_automaton(chance, size, len(values)), size * len(values), 50)
    for _ in range(chance.randrange(3)):
        clauses = changed(clauses, size, len(values), chance)
    allowed = allowed_values(size, values, clauses)
    assert walk(keeping_all(lambda *own: own in allowed), size, values, clauses, MUCH) == (None, None)
    for odd in chance.sample(sorted(itertools.product(values, repeat=size)), 6):
        found = walk(keeping_all(lambda *own, odd=odd: (own in allowed) != (own == odd)), size, values, clauses, MUCH)
        assert found == ((None, odd) if odd in allowed else (odd, None))


@pytest.mark.parametrize("seed", range(30))
def test_a_loop_is_compared_with_its_clauses_exactly(seed: int) -> None:
    """The clauses of a closed sum line, spoilt or not: the comparison by branches overlooks no difference."""
    chance = random.Random(seed)  # noqa: S311
    size, values, total = 4, range(1, 4), chance.choice([3, 4, 5])
    clauses, machine = of_choice(total, size, values), loop_machine(total)
    assert walk(machine, size, values, clauses, MUCH) == (None, None)
    clauses = changed(clauses, size, len(values), chance)
    allowed = allowed_values(size, values, clauses)
    right = {own for own in itertools.product(values, repeat=size) if machine(own)}
    lost, loose = walk(machine, size, values, clauses, MUCH)
    assert (lost is None) == (right <= allowed)
    assert (loose is None) == (allowed <= right)
    assert lost is None or lost in right - allowed
    assert loose is None or loose in allowed - right


@given(some=st.lists(st.lists(st.integers(0, 12), max_size=4), max_size=8))
def test_groups_share_nothing_and_cannot_be_split(some: list[list[int]]) -> None:
    """Sets of numbers are grouped as by joining any two groups with a number in common until none is left."""
    groups: list[tuple[list[int], set[int]]] = []
    for place, numbers in enumerate(some):
        near = [group for group in groups if not group[1].isdisjoint(numbers)]
        apart = [group for group in groups if group[1].isdisjoint(numbers)]
        members = sorted({place}.union(*(group[0] for group in near)))
        groups = [*apart, (members, set(numbers).union(*(group[1] for group in near)))]
    assert sorted(group_by_shared(some)) == sorted(members for members, _ in groups)


def changed(clauses: Clauses, size: int, width: int, chance: random.Random) -> Clauses:
    """Return the clauses after a small change, the same for all cells or for one alone."""
    clauses = [list(clause) for clause in clauses]
    place = chance.randrange(len(clauses))
    last = max((abs(literal) for clause in clauses for literal in clause), default=1)
    match chance.randrange(7):
        case 0:
            del clauses[place]
        case 1 if clauses[place]:
            clauses[place].remove(chance.choice(clauses[place]))
        case 2 if clauses[place]:
            clauses[place].append(chance.choice((1, -1)) * chance.randint(1, last))
        case 3:
            number, extra = chance.randrange(width), [chance.randint(1, last)] * chance.randrange(2)
            clauses += [[-(1 + cell * width + number), *extra] for cell in range(size)]
        case 4:
            number = chance.randrange(width)
            clauses.append([1 + cell * width + number for cell in range(size)])
        case 5 if last > size * width:
            auxiliary = chance.randint(size * width + 1, last)
            clauses = [clause for clause in clauses if -auxiliary not in clause]
        case _:
            clauses.append([chance.choice((1, -1)) * chance.randint(1, last + 1)])
    return clauses


@settings(max_examples=30)
@given(seed=st.integers(0, 10**9), size=st.integers(1, 3), width=st.integers(2, 4), changes=st.integers(0, 2))
def test_sets_of_values_are_told_as_trying_everything_tells_them(seed: int, size: int, width: int, changes: int) -> None:
    """For clauses of a cage, changed or not, comparing sets of values gives the same result as comparing values."""
    chance, values = random.Random(seed), range(1, width + 1)  # noqa: S311
    every = [sum(1 << value for value in some) for some in itertools.combinations(values, size)]
    sets = {one for one in every if chance.random() < 0.6}
    clauses = of_sets(size, values, sets)
    for _ in range(changes):
        clauses = changed(clauses, size, width, chance) if clauses else clauses

    def of_set(some: list[int]) -> bool:
        return sum(1 << value for value in some) in sets

    found = compare_sets(of_set, size, values, clauses, MUCH)
    if changes == 0 and size <= width:
        assert found == (None, None)
    if found is not None:
        differing = (found.lost is not None, found.loose is not None)
        assert differing == differences(size, values, clauses, lambda *own: len(set(own)) == size and of_set(sorted(own)))


def test_cells_that_need_not_differ_are_not_told_by_sets() -> None:
    """If a clause that makes two cells differ is missing, sets are not compared."""
    values = range(1, 5)
    clauses = of_sets(3, values, [0b1110, 0b11100])
    pairs = [clause for clause in clauses if len(clause) == 2 and max(clause) < 0]
    assert compare_sets(lambda _: True, 3, values, clauses, MUCH) is not None
    for pair in pairs[:6]:
        assert compare_sets(lambda _: True, 3, values, [clause for clause in clauses if clause != pair], MUCH) is None


def test_a_free_machine_reads_in_any_order() -> None:
    """A sum or a set accepts the same values in any order of reading, and with a cell that counts twice."""
    from sudoku_cp.proof.checker.rule_machines import weighted_sum  # noqa: PLC0415

    machine = weighted_sum(lambda found: found == 7, [1, 10, -1, 2])
    for order in itertools.permutations((4, 8, 9)):
        turned = conjunction(order, [((8, 4, 9, 8), machine)], CheckBudget())
        for values in itertools.product(range(3), repeat=3):
            at = dict(zip(order, values, strict=True))
            assert turned(values) == machine([at[8], at[4], at[9], at[8]])
    cage = all_different(lambda some: sum(some) == 6)
    assert conjunction((2, 1, 3), [((1, 2, 3), cage)], CheckBudget()).of_set is cage.of_set
    assert conjunction((2, 1, 3), [((1, 2), cage)], CheckBudget()).of_set is None
    assert conjunction((1, 2, 3), [((1, 2), cage)], CheckBudget()).of_set is None


# --- in certificates ------------------------------------------------------------------------------------------------


def line(size: int, most: int, *rules: dict[str, Any], rows: int = 1) -> Folder:
    """Return the certificate of a puzzle of a line of cells without houses, of which all but one are given."""
    puzzle = from_json({"grid": {"rows": rows, "columns": size, "values": [1, most]}, "rules": list(rules)})
    solution = next(iter(puzzle.solutions()))
    return Folder(prove(puzzle.with_givens(dict(enumerate(solution)))).files())


def cells(size: int) -> list[str]:
    """Return the names of the first cells of a row."""
    return [f"r1c{column}" for column in range(1, size + 1)]


LARGE: dict[str, Callable[[], Folder]] = {
    "a cage of 5 of 16 values": lambda: line(5, 16, {"kind": "killer-cage", "cells": cells(5), "total": 40}),
    "a cage of 8 of 16 values": lambda: line(8, 16, {"kind": "killer-cage", "cells": cells(8), "total": 68}),
    "a cage of 5 of 25 values": lambda: line(5, 25, {"kind": "killer-cage", "cells": cells(5), "total": 40}),
    "a renban of 8 of 16 values": lambda: line(8, 16, {"kind": "renban", "cells": cells(8)}),
    "a rellik cage of 4 of 12 values": lambda: line(4, 12, {"kind": "rellik-cage", "cells": cells(4), "total": 9}),
    "two totals of 5 of 16 values": lambda: line(5, 16, {"kind": "multi-sum-cage", "cells": cells(5), "totals": [20, 60]}),
    "sums with a cell in common": lambda: line(7, 9, {"kind": "equal-sums", "groups": [cells(7)[:4], cells(7)[3:]]}),
    "sums of six groups": lambda: line(
        9, 4, {"kind": "equal-sums", "groups": [["r1c1", "r1c2"], *([name] for name in cells(9)[2:7])]}
    ),
    "a lunchbox of 5": lambda: line(5, 7, {"kind": "lunchbox", "cells": cells(5), "total": 2}),
    "a pill and a long shaft": lambda: line(7, 9, {"kind": "pill-arrow", "bulb": cells(2), "shafts": [cells(7)[2:]]}),
}
"""Certificates of rules about many cells."""


SLOW = {"a cage of 8 of 16 values", "a cage of 5 of 25 values", "a renban of 8 of 16 values", "sums of six groups"}
"""Larger ones of a sort with others."""


@pytest.mark.parametrize(
    "make", [pytest.param(make, id=name, marks=[pytest.mark.slow] * (name in SLOW)) for name, make in LARGE.items()]
)
def test_rules_about_many_cells_are_compared_with_little_work(
    make: Callable[[], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large cage, or sums that share cells, are verified completely, well within the work budget."""
    monkeypatch.setattr(meaning_comparison, "MAX_WORK", 400_000)
    report = check(make().write(tmp_path))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


@pytest.fixture(scope="module")
def cage() -> Callable[[], Folder]:
    """Return the certificate of a cage of five cells of 16 values."""
    folder = LARGE["a cage of 5 of 16 values"]()
    return folder.copy


FORGED: dict[str, Callable[[list[str]], list[str]]] = {
    "a set less": lambda lines: [*lines, f"-{lines[480].split()[1]} 0"],
    "no set": lambda lines: [*lines, "81 0", "-81 0"],
    "any set": lambda lines: [one for one in lines if len(one.split()) == 3],
    "no choice of a set": lambda lines: [one for one in lines if one.startswith("-")],
    "a value that no set has": lambda lines: [*lines, *(f"-{1 + 16 * cell + 3} 0" for cell in range(5))],
    "a value in one cell alone": lambda lines: [*lines, "-4 0"],
    "a value that every set has": lambda lines: [*lines, " ".join(str(1 + 16 * cell + 3) for cell in range(5)) + " 0"],
    "a pair less": lambda lines: lines[1:],
}
"""What is done to the clauses of a cage."""


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_forged_clauses_of_a_large_cage_are_never_verified(
    cage: Callable[[], Folder], change: Callable[[list[str]], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clauses that say more or less than the cage are found, or the folder is unchecked if that would take too long."""
    monkeypatch.setattr(meaning_comparison, "MAX_WORK", 20_000)
    folder = cage()
    folder.change_blocks(lambda label, lines: change(lines) if label["block"] == "rule" else lines)
    report = check(folder.write(tmp_path))
    assert report.verdict in {"rejected", "unchecked"}
    if report.verdict == "unchecked":
        assert "too much would have to be walked through" in report.trusted[0]


def test_what_takes_too_much_work_is_unchecked_and_says_why(
    cage: Callable[[], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A comparison that is given up is accepted only with ``trust``."""
    monkeypatch.setattr(meaning_comparison, "MAX_WORK", 1000)
    folder = cage().write(tmp_path)
    report = check(folder)
    assert report.verdict == "unchecked"
    assert "too much would have to be walked through" in report.trusted[0]
    assert check(folder, trust=True).verdict == "verified"


def test_a_rule_without_clauses_that_is_not_compared_is_not_passed_over(
    cage: Callable[[], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a rule's clauses are left out and the comparison is given up, that is reported as well."""
    monkeypatch.setattr(meaning_comparison, "MAX_WORK", 1000)
    folder = cage()
    folder.change_blocks(lambda label, lines: [] if label["block"] == "rule" else lines)
    report = check(folder.write(tmp_path))
    assert report.verdict == "unchecked"
    assert report.trusted
