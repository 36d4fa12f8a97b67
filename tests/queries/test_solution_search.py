"""Solve, count and enumerate, on every engine."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module
from itertools import islice, permutations, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp import backends
from sudoku_cp.backends import UNLIMITED, Limits, backend, fallbacks
from sudoku_cp.errors import InvalidInput, LimitReached, UnknownName, WrongAnswer
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import count, is_unique, solution_search, solutions, solve
from sudoku_cp.rules import RULES, AntiKnight, Diagonals, Houses, KillerCage, Rule

if TYPE_CHECKING:
    from sudoku_cp.backends import Solution

ENGINES = ("native", "sat", "cpsat")
BANDS = [(*one, *other) for one, other in product(permutations(range(1, 5)), repeat=2) if not {*one[:2]} & {*other[:2]}]
GRIDS_OF_4 = [top + low for top, low in product(BANDS, BANDS) if all(len({*(top + low)[c::4]}) == 4 for c in range(4))]
CYCLIC = tuple((3 * row + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9))
TWO_SAMURAI = Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))


def brute_count(puzzle: Puzzle) -> int:
    """Count the solutions of a plain puzzle cell by cell, knowing only which cells share a house."""
    houses = puzzle.grid.houses.values()
    seen_from = [{other for house in houses if cell in house for other in house} - {cell} for cell in puzzle.grid.cells]

    def below(values: dict[int, int]) -> int:
        options = {
            cell: set(puzzle.grid.values) - {values.get(other) for other in seen_from[cell]}
            for cell in puzzle.grid.cells
            if cell not in values
        }
        if not options:
            return 1
        cell = min(options, key=lambda cell: len(options[cell]))
        return sum(below({**values, cell: value}) for value in options[cell])

    return below(dict(puzzle.givens))


# --- statuses ---------------------------------------------------------------------------------------------------


def test_one_solution_is_unique(engine: str, unique: Puzzle) -> None:
    """With no second solution, the first is the only one, and the count is exact."""
    answer = solve(unique, backend=engine)
    assert (answer.status, answer.count, answer.exact, answer.reason) == ("unique", 1, True, None)
    assert answer.solution is not None
    assert unique.holds(answer.solution)
    assert answer.solutions == (answer.solution,)
    assert answer.backend == engine
    assert answer.seconds > 0
    assert answer.counters["nodes"] >= 0
    assert answer.stated is None
    assert is_unique(unique, backend=engine)


def test_two_solutions_are_multiple(engine: str, twofold: Puzzle) -> None:
    """Both solutions are found, and `solve` stops at the second without knowing whether there is a third."""
    answer = solve(twofold, backend=engine)
    assert (answer.status, answer.count, answer.exact) == ("multiple", 2, False)
    assert set(answer.solutions) == {grid for grid in GRIDS_OF_4 if twofold.holds(grid)}
    assert not is_unique(twofold, backend=engine)


def test_no_solution_is_none(engine: str) -> None:
    """Clashing givens leave no solution, which is an exact answer."""
    answer = solve(Puzzle(givens={0: 5, 1: 5}), backend=engine)
    assert (answer.status, answer.count, answer.exact, answer.reason) == ("none", 0, True, None)
    assert answer.solution is None
    assert not is_unique(Puzzle(givens={0: 5, 1: 5}), backend=engine)


def test_a_solution_that_was_all_that_was_asked_is_solved(engine: str, unique: Puzzle) -> None:
    """With a limit of 1 it is unknown whether there is another."""
    answer = solve(unique, backend=engine, solution_limit=1)
    assert (answer.status, answer.count, answer.exact, answer.reason) == ("solved", 1, False, None)


# --- how many ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "number", "exact", "status"),
    [
        (1, 1, False, "solved"),
        (2, 2, False, "multiple"),
        (5, 5, False, "multiple"),
        (288, 288, False, "multiple"),
        (289, 288, True, "multiple"),
        (None, 288, True, "multiple"),
    ],
)
def test_a_limit_is_the_number_of_solutions_to_look_for(
    engine: str, board: Puzzle, limit: int | None, number: int, exact: bool, status: str
) -> None:
    """Solve and count look no further than the limit, and are exact only if the engine has finished."""
    for ask in (solve, count):
        answer = ask(board, backend=engine, solution_limit=limit)
        assert (answer.count, answer.exact, answer.status, answer.reason) == (number, exact, status, None)


def test_a_count_keeps_two_solutions(engine: str, board: Puzzle) -> None:
    """`solve` keeps every solution it looked for, `count` only enough to show that there are several."""
    assert set(solve(board, backend=engine, solution_limit=None).solutions) == set(GRIDS_OF_4)
    counted = count(board, backend=engine)
    assert len(set(counted.solutions)) == 2
    assert counted.solution == counted.solutions[0]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(board: Puzzle, limit: int) -> None:
    """A limit of no solutions is refused."""
    for ask in (solve, count):
        with pytest.raises(InvalidInput, match=f"expected a limit of 1 solution or more, got {limit}"):
            ask(board, solution_limit=limit)


@pytest.mark.parametrize(("size", "number"), [(2, 2), (3, 12 // 6), (4, 288 // 24), (5, 161280 // 120)])
def test_small_boards_have_as_many_solutions_as_is_known(engine: str, size: int, number: int) -> None:
    """Latin squares (OEIS A002860) and the 4x4 sudoku, by relabelling with a given first row."""
    givens = {column: column + 1 for column in range(size)} if size > 2 else {}
    answer = count(Puzzle(Grid.square(size), givens=givens), backend=engine)
    assert (answer.count, answer.exact) == (number, True)


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(GRIDS_OF_4), st.sets(st.integers(0, 15)))
def test_a_4x4_puzzle_has_the_grids_that_agree_with_it(name: str, grid: Solution, kept: set[int]) -> None:
    """Whatever cells of a solved grid are left, the solutions are all grids that agree there, each once."""
    puzzle = Puzzle(Grid.square(4), givens={cell: grid[cell] for cell in kept})
    found = list(solutions(puzzle, backend=name))
    assert len(found) == len(set(found))
    assert set(found) == {other for other in GRIDS_OF_4 if all(other[cell] == grid[cell] for cell in kept)}


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.integers(0, 80), max_size=36))
def test_a_9x9_puzzle_is_counted_exactly(name: str, open_cells: set[int]) -> None:
    """A very regular grid with some cells open has as many solutions as brute force finds."""
    puzzle = Puzzle(givens={cell: value for cell, value in enumerate(CYCLIC) if cell not in open_cells})
    answer = count(puzzle, backend=name)
    assert (answer.count, answer.exact) == (brute_count(puzzle), True)


@pytest.mark.parametrize(
    "puzzle",
    [
        Puzzle(Grid.jigsaw("aabbaabbccddccdd"), givens={0: 1}),
        Puzzle(Grid.rectangle(3, 4), givens={0: 1, 5: 1}),
        Puzzle(Grid.rectangle(2, 4, (2, 2)), givens={0: 1}),
        Puzzle(Grid.square(4, values=range(4)), givens={0: 0}),
        Puzzle(Grid.square(3, values=range(2, 6))),
        Puzzle(Grid.jigsaw("aab abb bcc", range(1, 5)), givens={0: 2}),
        Puzzle(TWO_SAMURAI, givens=dict(enumerate(GRIDS_OF_4[0][:8]))),
    ],
    ids=["jigsaw", "rectangle", "boxes", "from 0", "values to spare", "regions of any size", "overlapping"],
)
def test_every_kind_of_grid_is_counted(engine: str, puzzle: Puzzle) -> None:
    """Shapes, values from 0, values to spare and overlapping boards are counted as by brute force."""
    assert count(puzzle, backend=engine).count == brute_count(puzzle) > 1


@pytest.mark.parametrize(
    "rules",
    [
        (Houses(), Diagonals()),
        (Houses(), AntiKnight(), KillerCage((0, 1, 4), 7)),
        (Houses(), KillerCage((0, 5), 5), Diagonals(up=False)),
    ],
    ids=["diagonals", "knights and a cage", "cage and a diagonal"],
)
def test_variants_are_counted(engine: str, rules) -> None:
    """The solutions of a variant are the grids for which the `holds` of its rules is true."""
    puzzle = Puzzle(Grid.square(4), rules)
    assert set(solve(puzzle, backend=engine, solution_limit=None).solutions) == {
        grid for grid in GRIDS_OF_4 if puzzle.holds(grid)
    }


def test_candidates_narrow_the_solutions(engine: str) -> None:
    """Candidates of a cell leave out solutions just as givens do."""
    puzzle = Puzzle(Grid.square(4), givens={0: 1}, candidates={1: 0b1100, 15: 0b10010, 0: 0b110})
    found = solve(puzzle, backend=engine, solution_limit=None).solutions
    assert set(found) == {grid for grid in GRIDS_OF_4 if grid[0] == 1 and grid[1] in {2, 3} and grid[15] in {1, 4}}


# --- the stated solution ----------------------------------------------------------------------------------------


def test_a_stated_solution_is_compared_with_the_rules(engine: str, twofold: Puzzle) -> None:
    """Any solution is right, whichever the engine finds; a grid that breaks a rule or a given is wrong."""
    for grid in solve(twofold, solution_limit=None).solutions:
        assert solve(replace(twofold, solution=grid), backend=engine).stated == "right"
    other = next(grid for grid in GRIDS_OF_4 if not twofold.holds(grid))
    assert solve(replace(twofold, solution=other), backend=engine).stated == "wrong"
    assert count(replace(twofold, solution=(1,) * 16), backend=engine).stated == "wrong"


# --- one after the other ----------------------------------------------------------------------------------------


def test_solutions_come_as_they_are_found(engine: str) -> None:
    """The first solutions of the empty board, which has 6.67e21, are there at once, and all are different."""
    found = list(islice(solutions(Puzzle(), backend=engine), 20))
    assert len(set(found)) == 20
    assert all(Puzzle().holds(grid) for grid in found)


def test_nothing_is_searched_ahead(board: Puzzle, scripted) -> None:
    """The engine is asked for a solution only when one is wanted."""
    asked = []

    class Watched(scripted):
        def solutions(self, assume=None, *, limits=None):
            for grid in GRIDS_OF_4:
                asked.append(grid)
                yield grid

    found = solutions(board, backend=Watched([]))
    assert asked == []
    assert [next(found), next(found)] == asked
    assert solve(board, backend=Watched([]), solution_limit=3).count == 3
    assert len(asked) == 2 + 3


# --- engines that err -------------------------------------------------------------------------------------------

RIGHT, OTHER = GRIDS_OF_4[:2]
WRONG = {
    "a rule broken": (1,) * 16,
    "a given changed": next(grid for grid in GRIDS_OF_4 if grid[0] != RIGHT[0]),
    "too short": RIGHT[:15],
    "too long": (*RIGHT, 1),
    "out of range": tuple(value + 1 for value in RIGHT),
    "nothing": (),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
@pytest.mark.parametrize("before", [0, 1], ids=["at first", "later"])
def test_a_wrong_grid_is_never_shown(scripted, wrong: Solution, before: int) -> None:
    """Whatever an engine answers is checked by the rules' own `holds` before it is returned."""
    puzzle = Puzzle(Grid.square(4), givens={0: RIGHT[0]})
    engine = scripted([RIGHT] * before + [wrong])
    for ask in (solve, count, lambda puzzle, **options: list(solutions(puzzle, **options))):
        with pytest.raises(WrongAnswer, match=r"expected a (solution of Puzzle|whole number)"):
            ask(puzzle, backend=engine)


def test_a_grid_that_comes_twice_is_noticed(scripted, board: Puzzle) -> None:
    """Two equal answers must not make a puzzle look ambiguous, nor a count too large."""
    for ask in (solve, count):
        with pytest.raises(WrongAnswer, match=r"expected each solution of Puzzle.* once"):
            ask(board, backend=scripted([RIGHT, RIGHT]))


def test_an_engine_may_answer_with_any_iterator(scripted, board: Puzzle) -> None:
    """A third-party engine need not use generators."""
    assert solve(board, backend=scripted([RIGHT])).status == "unique"
    assert list(solutions(board, backend=scripted([RIGHT, OTHER]))) == [RIGHT, OTHER]


# --- choosing an engine -----------------------------------------------------------------------------------------


WINNERS = {"native", "sat"}
"""Who may win the race on other houses and rules: it is timed, so either."""


def test_an_engine_is_named_in_the_answer(unique: Puzzle) -> None:
    """A name, an engine of a kind, the engine itself and ``auto`` all work; the answer names the engine, or the race's winner."""
    assert solve(unique, backend="native:first").backend == "native:first"
    assert solve(unique, backend=backend("sat")).backend == "sat"
    assert solve(unique).backend == "fast:bigint"
    assert solve(Puzzle(Grid.square(5), givens={0: 1}), expected_count=1000).backend in WINNERS


STUBBORN = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
"""No solution; big integers take hundreds of nodes to find that out, SAT next to none."""
PENTAGON = Puzzle(Grid.square(5))
"""A board without boxes, which the fast engine does not take."""


@pytest.mark.parametrize(
    ("puzzle", "limits", "expected"),
    [
        (Puzzle(givens=dict(enumerate(CYCLIC[:70]))), UNLIMITED, ({"fast:bigint"}, "unique", None)),
        (Puzzle(), UNLIMITED, ({"fast:bigint"}, "multiple", None)),
        (Puzzle.parse(STUBBORN), UNLIMITED, ({"sat", "fast:lanes"}, "none", None)),
        (Puzzle.parse(STUBBORN), Limits(nodes=5), ({"fast:bigint"}, "unknown", "nodes")),
        (Puzzle.parse(STUBBORN), Limits(nodes=100), ({"fast:bigint"}, "unknown", "nodes")),
        (Puzzle(), Limits(seconds=0), ({"fast:bigint"}, "unknown", "deadline")),
        (
            replace(PENTAGON, givens=dict(enumerate((1, 2, 3, 4, 5, 2, 1, 4, 5, 3, 3, 4, 5, 1)))),
            UNLIMITED,
            (WINNERS, "multiple", None),
        ),
        (PENTAGON, UNLIMITED, (WINNERS, "multiple", None)),
    ],
    ids=["quick", "many", "stubborn", "few nodes", "quick nodes", "no time", "quick elsewhere", "many elsewhere"],
)
def test_a_question_that_gets_nowhere_goes_to_sat(monkeypatch, puzzle: Puzzle, limits: Limits, expected) -> None:
    """``auto`` starts with the engine that is quick to begin, and goes on with SAT if that finds nothing, within the limits.

    Under other rules engines race, so any of them may answer.
    """
    monkeypatch.delitem(sys.modules, "pysat", raising=False)
    monkeypatch.setattr(solution_search, "FALLBACK_NODES", 100)
    answer = solve(puzzle, limits=limits, solution_limit=2000)
    engines, *rest = expected
    assert answer.backend in engines
    assert [answer.status, answer.reason] == rest
    if answer.status == "multiple":
        assert len(set(answer.solutions)) == answer.count > 1


@pytest.mark.parametrize("patience", [0, 1, 2, 5, 20, 100, 280, 400])
@pytest.mark.parametrize("kind", ["fast:bigint", "fast:lanes", "native"])
def test_no_solution_is_lost_or_told_twice_where_engines_change(monkeypatch, board: Puzzle, patience: int, kind: str) -> None:
    """Wherever the node budget of the first engine ends, the other one yields exactly the solutions not yet found."""
    monkeypatch.setattr(solution_search, "FALLBACK_NODES", patience)
    monkeypatch.setattr(solution_search, "engine_of", lambda engine, *_, **__: backend(kind if engine == "auto" else engine))
    found = list(solutions(board))
    assert len(found) == len(set(found)) == 288


@pytest.mark.parametrize("budget", [1, 5, 50, 1000])
@pytest.mark.parametrize("is_loaded", [False, True])
def test_every_engine_on_the_way_to_sat_keeps_what_is_known(monkeypatch, budget: int, is_loaded: bool) -> None:
    """Wherever big integers, a few conflicts of SAT and the lane kernel end, every solution comes once; SAT has the last word."""
    puzzle = Puzzle.parse("1...............")
    expected = set(solutions(puzzle, backend="native"))
    box_shapes = import_module("sudoku_cp.backends.fast")
    monkeypatch.setattr(box_shapes, "LOADED", {(2, 2)} if is_loaded else set())
    monkeypatch.setattr(backends, "_has_lane_kernel", lambda _: True)
    monkeypatch.setattr(backends, "SHORT_CONFLICTS", budget)
    monkeypatch.setattr(backends, "LANE_NODES", budget)
    monkeypatch.setattr(solution_search, "FALLBACK_NODES", 0)
    found = list(solutions(puzzle))
    assert (len(found), set(found)) == (72, expected)


def test_hard_plain_grids_go_to_the_lane_kernel_before_sat(monkeypatch) -> None:
    """Loaded, it is next; otherwise SAT first has a few conflicts. It is compiled for nobody, and huge boards are SAT's."""
    box_shapes = import_module("sudoku_cp.backends.fast")
    plain, huge = Puzzle().model(), Puzzle.parse("." * 625).model()
    short, lanes, last = ("sat", backends.SHORT_CONFLICTS), ("fast:lanes", backends.LANE_NODES), ("sat", None)
    monkeypatch.setattr(box_shapes, "LOADED", {(3, 3)})
    assert list(fallbacks("fast:bigint", plain)) == [lanes, last]
    monkeypatch.setattr(box_shapes, "LOADED", set())
    monkeypatch.setattr(backends, "_has_lane_kernel", lambda _: True)
    assert list(fallbacks("fast:bigint", plain)) == [short, lanes, last]
    monkeypatch.setattr(backends, "_has_lane_kernel", lambda _: False)
    assert list(fallbacks("fast:bigint", plain)) == [short, last]
    assert list(fallbacks("fast:bigint", huge)) == list(fallbacks("fast:lanes", plain)) == [last]


def test_the_lane_kernel_is_compiled_for_the_next_question(monkeypatch) -> None:
    """Where it is not on disk, a child compiles it, and this question goes on without it."""
    lane_kernel = import_module("sudoku_cp.backends.fast.lane_kernel")
    started: list[str] = []
    monkeypatch.setattr(lane_kernel, "is_cached", lambda _: False)
    monkeypatch.setattr(lane_kernel, "start_compiler", started.append)
    assert not backends._has_lane_kernel((3, 3))
    (statement,) = started
    compiled: list[tuple[int, int]] = []
    monkeypatch.setattr("sudoku_cp.backends.fast.lane_solver.solve_checked", lambda *_, boxes, **__: compiled.append(boxes))
    exec(statement)  # noqa: S102  # what the child runs
    assert compiled == [(3, 3)]


def test_an_engine_that_begins_anew_may_begin_with_what_is_known(monkeypatch, scripted, board: Puzzle) -> None:
    """If the first engine cannot report what it has not searched, the next may find first what that one found last."""

    class Impatient(scripted):
        def solutions(self, *args, **options):
            yield from super().solutions(*args, **options)
            raise LimitReached("nodes", "enough")

    engines = {"auto": Impatient([RIGHT]), "sat": scripted([RIGHT, OTHER])}
    monkeypatch.setattr(solution_search, "NON_LEARNING", {scripted.name})
    monkeypatch.setattr(solution_search, "engine_of", lambda engine, *_, **__: engines[engine])
    assert list(solutions(board)) == [RIGHT, OTHER]


def test_patience_lasts_while_solutions_come(monkeypatch, board: Puzzle) -> None:
    """An engine that finds solutions now and then may go on, in as many parts as needed."""
    monkeypatch.setattr(solution_search, "FALLBACK_NODES", 30)
    answer = count(board)
    assert (answer.backend, answer.count, answer.exact) == ("fast:bigint", 288, True)
    assert answer.counters["nodes"] > 288


def test_an_unknown_engine_is_refused(unique: Puzzle) -> None:
    """The message lists the known engines."""
    with pytest.raises(UnknownName, match=r"expected a backend, one of .*cpsat.*; got 'gurobi'"):
        solve(unique, backend="gurobi")


@pytest.mark.parametrize("kind", sorted(RULES))
def test_values_that_no_candidate_allows_leave_the_model(kind: str) -> None:
    """On a board of 1 to 4 with 0 and 5 ruled out everywhere, each rule has the solutions that it has among the 288 grids."""
    grid = Grid.of((Board(4, 4, (2, 2)),), range(6))
    rule = RULES[kind].example(grid)
    if [*Rule.problems(rule, grid), *rule.problems(grid)]:
        pytest.skip(f"the example of {kind} does not suit the board")
    puzzle = Puzzle(grid, (Houses(), rule), candidates=dict.fromkeys(grid.cells, 0b11110))
    assert {*puzzle.searched_model().domains[: len(grid.cells)]} <= {0b11110, 0b111111}
    wanted = sorted(values for values in GRIDS_OF_4 if rule.holds(grid, values))
    for engine in ("native:readable", "sat"):
        assert sorted(solutions(puzzle, backend=engine)) == wanted


def test_a_value_that_some_cell_allows_stays_in_the_model() -> None:
    """Without candidates in every cell, or if one allows the value, the model is that of the rules; givens count too."""
    grid, rules = Grid.of((Board(4, 4, (2, 2)),), range(6)), (Houses(), KillerCage((0, 1), 5))
    narrow = dict.fromkeys(grid.cells, 0b11110)
    for candidates in ({}, narrow | {5: 0b111111}, dict.fromkeys(grid.cells[1:], 0b11110)):
        puzzle = Puzzle(grid, rules, candidates=candidates)
        assert puzzle.searched_model() is puzzle.model()
    puzzle = Puzzle(grid, rules, {0: 2}, dict.fromkeys(grid.cells[1:], 0b11110))
    assert {*puzzle.searched_model().domains} == {0b11110}
    assert puzzle.searched_model() is Puzzle(grid, rules, candidates=narrow).searched_model()
