"""A conflict names what clashes in a puzzle without a solution, and nothing superfluous."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import UNLIMITED, Limits, backend
from sudoku_cp.backends.assumption_cores import AssumptionSolver
from sudoku_cp.errors import InvalidInput, LimitReached, WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.model import Model
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import Conflict, check, solve
from sudoku_cp.queries.conflicts import ConflictItem, conflict, items_of
from sudoku_cp.rules import RULES, AntiKnight, Arrow, Diagonals, Houses, KillerCage, Thermometer

GRID4 = Grid.square(4)
SETS = [
    (Houses(),),
    (Houses(), Diagonals()),
    (Houses(), KillerCage((0, 1, 4), 7), Thermometer((10, 11, 15))),
    (Houses(), Arrow(0, ((1, 6), (4, 8))), AntiKnight()),
    (KillerCage((0, 1, 4), 6), KillerCage((0, 1), 3)),
    (Houses(), KillerCage((0, 1), 9)),
]


def stand(model: Model, items: list[ConflictItem], engine: str = "native") -> bool:
    """Whether the items are consistent, according to an engine that had no part in finding the conflict."""
    said = tuple(statement for item in items for statement in item.statements)
    return next(iter(backend(engine).open(Model(model.domains, said, model.board)).solutions()), None) is not None


def chosen(puzzle: Puzzle, found: Conflict) -> tuple[Model, list[ConflictItem]]:
    """The items that a conflict names."""
    model, items = items_of(puzzle)
    told = {"given": found.givens, "candidates": found.candidates}
    rules = list(found.rules)
    own = [item for item in items if (item.cell in told[item.kind] if item.kind in told else item.name in rules)]
    assert len(own) == len(found.givens) + len(found.candidates) + len(found.rules)
    return model, own


def assert_true(puzzle: Puzzle, found: Conflict) -> None:
    """The conflict clashes, and no longer does without any one of its members."""
    assert found.minimal
    model, own = chosen(puzzle, found)
    assert not stand(model, own)
    for item in own:
        assert stand(model, [other for other in own if other is not item])


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(SETS),
    st.dictionaries(st.integers(0, 15), st.integers(1, 4), max_size=8),
    st.dictionaries(st.integers(0, 15), st.integers(1, 15).map(lambda values: values << 1), max_size=3),
)
def test_every_member_of_a_conflict_has_a_part_in_it(rules, givens: dict[int, int], candidates: dict[int, int]) -> None:
    """The members clash by themselves, and no longer once any one is left out."""
    puzzle = Puzzle(GRID4, rules, givens, candidates)
    if solve(puzzle, solution_limit=1).status == "none":
        assert_true(puzzle, conflict(puzzle))


@pytest.mark.parametrize("seed", range(5))
def test_a_smallest_conflict_is_as_small_as_brute_force_finds(seed: int) -> None:
    """No choice of fewer givens, candidates and parts of rules clashes."""
    random = Random(seed)  # noqa: S311
    rules = SETS[seed]
    while True:
        cells = random.sample(range(16), 5)
        puzzle = Puzzle(GRID4, rules, {cell: random.randint(1, 4) for cell in cells[1:]}, {cells[0]: 0b110})
        if solve(puzzle, solution_limit=1).status == "none":
            break
    found = conflict(puzzle)
    assert found.smallest
    assert_true(puzzle, found)
    model, items = items_of(puzzle)
    size = len(found.givens) + len(found.candidates) + len(found.rules)
    for fewer in combinations(items, min(size - 1, 3)):
        assert stand(model, list(fewer))


def test_a_smallest_conflict_may_be_smaller_than_the_first_minimal_one() -> None:
    """Of two conflicts the one with fewer members is named, whichever is met first."""
    wide = {0: 1, 1: 2, 6: 3, 7: 4, 3: 3}
    puzzle = Puzzle(GRID4, (Houses(), KillerCage((12, 13), 9)), wide)
    found = conflict(puzzle)
    assert (found.givens, found.rules, found.smallest) == ((), ("cage r4c1 r4c2 (killer-cage)",), True)


def test_rules_that_contradict_each_other_are_named_without_givens() -> None:
    """Two totals for the same cells clash whatever is given."""
    puzzle = Puzzle(GRID4, (Houses(), KillerCage((0, 1), 3), KillerCage((0, 1), 7)), {9: 1, 15: 2})
    found = conflict(puzzle)
    assert found.givens == ()
    assert [name.split(" (")[1] for name in found.rules] == ["killer-cage)", "killer-cage)"]
    assert found.cells == (0, 1)


def test_candidates_can_clash() -> None:
    """A given outside its own cell's candidates needs no rule to be wrong."""
    found = conflict(Puzzle(GRID4, givens={0: 1, 7: 2}, candidates={0: 0b1000, 3: 0b10}))
    assert (found.givens, found.candidates, found.rules, found.cells) == ((0,), (0,), (), (0,))


@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_rule_can_be_taken_apart(kind: str) -> None:
    """The parts of each rule together have a solution exactly if the rule has one."""
    try:
        puzzle = Puzzle(GRID4, (Houses(), RULES[kind].example(GRID4)))
    except InvalidInput as error:
        pytest.skip(f"its example does not fit a small grid: {error}")
    model, items = items_of(puzzle)
    parts = AssumptionSolver(model, [item.statements for item in items])
    found = parts.ask(range(len(items)), clock=UNLIMITED.started())
    assert isinstance(found, frozenset) == (solve(puzzle, backend="sat", solution_limit=1).status == "none")
    assert isinstance(found, frozenset) or puzzle.holds(found)


def test_a_limit_leaves_a_conflict_undecided() -> None:
    """Without time there is no conflict; the check still has its answer, and the reason why it is incomplete."""
    puzzle = Puzzle.parse("12345678." + "." * 17 + "9" + "." * 54)
    with pytest.raises(LimitReached):
        conflict(puzzle, limits=Limits(seconds=0))
    found = check(puzzle, patience=0)
    assert (found.answer.status, found.conflict, found.undecided, found.reason) == ("none", None, ("conflict",), "deadline")


def test_a_puzzle_with_solutions_has_no_conflict(scripted) -> None:
    """An engine that wrongly reports no solution is detected."""
    with pytest.raises(WrongAnswer, match="expected no solution"):
        check(Puzzle(GRID4, givens={0: 1}), backend=scripted([]))


@pytest.mark.slow
@pytest.mark.parametrize("side", [16, 25])
def test_large_boards_have_minimal_conflicts(side: int) -> None:
    """A value that is missing in a row and stands in the box of its only open cells clashes, on large boards too."""
    grid = Grid.square(side)
    box = round(side**0.5)
    givens = {cell: cell + 1 for cell in range(side - 1)} | {side + side - box: side}
    found = conflict(Puzzle(grid, givens=givens), limits=Limits(seconds=25))
    assert found.minimal
    assert found.smallest or side == 25
    assert set(found.givens) == {*range(side - box), side + side - box}
    assert found.rules == ("row 1 (houses)", f"box {box} (houses)")
