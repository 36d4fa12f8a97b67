"""Strips of squares are found where lines differ, and allow just what squares and lines allow."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

from sudoku_cp.backends.base import Limits
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.backends.native import strips
from sudoku_cp.backends.native.compiled_session import CompiledSession
from sudoku_cp.backends.native.kernel import fixpoint
from sudoku_cp.backends.native.model_arrays import make_arrays
from sudoku_cp.backends.native.strips import strip_automata
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent, Automaton, Constraint, Count, Model, build_model
from sudoku_cp.model.cliques import different_cells
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import GlobalEntropy, GlobalMod, Houses

GRIDS = sorted(small_board().solutions)
HOUSES = [("houses", constraint) for constraint in small_board().model.constraints]
PARITIES = (frozenset({1, 3}), frozenset({2, 4}))


def squares(rows: int, columns: int, kinds: tuple[frozenset[int], ...]) -> list[Count]:
    """Every 2x2 square of a board needs every kind."""
    corners = product(range(rows - 1), range(columns - 1))
    places = [
        tuple(columns * (row + down) + column + right for down, right in product((0, 1), repeat=2)) for row, column in corners
    ]
    return [Count(cells, kind, ">=", 1) for cells in places for kind in kinds]


def automata(model: Model) -> list[Automaton]:
    """All strips of a model."""
    return [strip.automaton for strip in strip_automata(model.constraints, different_cells(model), model.domains)]


@pytest.mark.parametrize(("rule", "side", "most"), [(GlobalEntropy(), 9, 18), (GlobalMod(), 9, 18), (GlobalMod(2), 6, 12)])
def test_two_neighbouring_rows_or_columns_are_a_strip(rule: GlobalEntropy | GlobalMod, side: int, most: int) -> None:
    """A board has a strip for every two rows and every two columns that touch, each with all of their cells in turn."""
    found = automata(Puzzle(Grid.square(side), (Houses(), rule)).model())
    lines = [[side * row + column for column in range(side)] for row in range(side)]
    lines += [list(line) for line in zip(*lines, strict=True)]
    wanted = {frozenset(one + other) for one, other in pairwise(lines) if one[1] - one[0] == other[1] - other[0]}
    assert {frozenset(one.cells) for one in found} == wanted
    assert {len(one.cells) for one in found} == {most}
    assert len(found) == 2 * (side - 1)


def test_a_strip_allows_what_its_squares_and_lines_allow() -> None:
    """Of all ways to fill two lines of four different values, a strip keeps those with both parities in every square."""
    lines = [("line", AllDifferent((0, 1, 2, 3))), ("line", AllDifferent((4, 5, 6, 7)))]
    own = squares(2, 4, PARITIES)
    (strip,) = automata(build_model([0b11110] * 8, [("strip", [*lines, *(("square", one) for one in own)])]))
    kept = 0
    for values in product(range(1, 5), repeat=8):
        different = len({*values[:4]}) == len({*values[4:]}) == 4
        wanted = different and all(one.holds(values) for one in own)
        kept += wanted
        if different:
            assert strip.holds(values) == wanted
    assert kept > 0


@pytest.mark.skipif(not can_compile(), reason="Numba's compiler is turned off")
@pytest.mark.parametrize("seed", range(30))
def test_boards_with_squares_lose_no_solution(seed: int) -> None:
    """Whatever squares of a board need every kind, the compiled tier finds the grids that brute force finds."""
    random = Random(seed)  # noqa: S311
    kinds = random.choice((PARITIES, (frozenset({1, 2}), frozenset({3, 4})), (frozenset({1}), frozenset({2, 3, 4}))))
    own: list[Constraint] = [*squares(4, 4, kinds)]
    if random.random() < 0.7:
        cells = random.sample(sorted({one.cells for one in own}), random.randint(2, 8))
        own = [one for one in own if one.cells in cells]
    model = build_model([0b11110] * 16, [("houses", HOUSES), ("squares", [("square", one) for one in own])])
    assert sorted(CompiledSession(model).solutions()) == [grid for grid in GRIDS if all(one.holds(grid) for one in own)]


def test_upper_bounds_of_squares_are_left_to_strips() -> None:
    """What other kinds leave in a square is no count of its own where a strip reads the square, and is one elsewhere."""
    lines: list[tuple[str, Constraint]] = [("line", AllDifferent((0, 1, 2, 3))), ("line", AllDifferent((4, 5, 6, 7)))]
    own: list[tuple[str, Constraint]] = [("square", one) for one in squares(2, 4, PARITIES)]
    for statements, counts in (([*lines, *own], len(own)), (own, 2 * len(own))):
        arrays = make_arrays(build_model([0b11110] * 8, [("strip", statements)]))
        assert arrays is not None
        assert [*arrays.arrays["kinds"]].count(fixpoint.COUNT) == counts


@pytest.mark.skipif(not can_compile(), reason="Numba's compiler is turned off")
def test_cells_of_a_strip_are_decided_between_kinds() -> None:
    """The first decision about cells of which squares need both parities leaves one parity and saves the other."""
    lines: list[tuple[str, Constraint]] = [("line", AllDifferent((0, 1, 2, 3))), ("line", AllDifferent((4, 5, 6, 7)))]
    own: list[tuple[str, Constraint]] = [("square", one) for one in squares(2, 4, PARITIES)]
    session = CompiledSession(build_model([0b11110] * 8, [("strip", [*lines, *own])]))
    with pytest.raises(LimitReached):
        list(session.solutions(limits=Limits(nodes=2)))
    saved, *_ = session.unsearched()
    assert min(saved.values()) in {0b01010, 0b10100}


def test_no_strip_where_lines_may_repeat_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rows that differ there is no strip, nor where a value is of no kind, nor one of too many states."""
    lines = [("line", AllDifferent((0, 1, 2, 3))), ("line", AllDifferent((4, 5, 6, 7)))]
    own = [("square", one) for one in squares(2, 4, PARITIES)]
    assert automata(build_model([0b11110] * 8, [("strip", own)])) == []
    assert automata(build_model([0b111110] * 8, [("strip", [*lines, *own])])) == []
    monkeypatch.setattr(strips, "MOST_STATES", 3)
    strips._reader.cache_clear()
    assert automata(build_model([0b11110] * 8, [("strip", [*lines, *own])])) == []
    strips._reader.cache_clear()
