"""Every contestant answers correctly on every kind of puzzle it claims to take."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from sudoku_cp.bench.contestant_process import filled_board
from sudoku_cp.bench.contestants import (
    PEERS,
    callable_contestant,
    choose_contestants,
    choose_reference,
    cores,
    engine_contestants,
    kernel_contestant,
)
from sudoku_cp.bench.measurement import are_contradictory
from sudoku_cp.bench.peers import norvig
from sudoku_cp.bench.runners import givens_to_lines, line_runner
from sudoku_cp.errors import InvalidInput, UnknownName

EVERYBODY = [*(one for several in engine_contestants().values() for one in several), *PEERS.values()]


def runner_of(contestant):
    """Return the runner of a contestant, or skip the test where it is not installed."""
    if contestant.missing:
        pytest.skip(f"{contestant.name} needs the {contestant.needs}, which is not installed")
    return contestant.runner()


@pytest.mark.parametrize("contestant", EVERYBODY, ids=lambda one: one.name)
def test_one_two_and_no_solutions(contestant, array, lines) -> None:
    """Every contestant distinguishes one, several and no solutions, as far as it claims to, and shows true solutions."""
    puzzles = array(lines["unique"], lines["two"], lines["none"])
    answers = runner_of(contestant)(puzzles, (3, 3))
    assert np.minimum(answers.counts, 1 if contestant.first else 2).tolist() == ([1, 1, 0] if contestant.first else [1, 2, 0])
    assert givens_to_lines(answers.solutions)[0] == lines["solved"]
    assert not are_contradictory(puzzles, answers.solutions, answers.counts, (3, 3)).any()
    assert answers.seconds > 0


@pytest.mark.parametrize(
    "boxes", [(2, 2), (2, 3), pytest.param((3, 2), marks=pytest.mark.slow), pytest.param((4, 4), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("contestant", EVERYBODY, ids=lambda one: one.name)
def test_other_boards(contestant, boxes) -> None:
    """Boards of other sides, with tall or wide boxes, are answered by all contestants that take them."""
    side = boxes[0] * boxes[1]
    if not contestant.takes(side):
        pytest.skip(f"{contestant.name} knows boards of the sides {contestant.sides} only")
    puzzles = filled_board(boxes)
    puzzles[0, :: side - 1] = 0
    answers = runner_of(contestant)(puzzles, boxes)
    assert answers.counts.tolist() == [1]
    assert np.array_equal(answers.solutions, filled_board(boxes))


def test_listing_imports_no_peer() -> None:
    """Listing contestants imports no peer, no solver library, not even numpy."""
    heavy = ["numpy", "numba", "ortools", "pysat", "cpmpy", "dlxsudoku", "sudoku", "sudokutools", "rich"]
    code = (
        "import sys; from sudoku_cp.bench.contestants import choose_contestants; choose_contestants();"
        f" print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_names_choose() -> None:
    """Engines, kinds of engines and peers are chosen by name, in the order of the names."""
    found, remarks = choose_contestants(["sat:cadical153", "native"], ["norvig-style"], ["a.b:c"])
    assert [one.name for one in found] == ["sat:cadical153", "native", "norvig-style", "a.b:c"]
    assert remarks == []
    assert [one.ours for one in found] == [True, True, False, False]
    assert choose_contestants([], []) == ([], [])


def test_every_name_that_is_shown_chooses() -> None:
    """Each contestant takes part by the name that the tables show, and once, even where its engine is named beside it."""
    shown = [one.name for one in choose_contestants(peer_names=[])[0]]
    assert len({*shown}) == len(shown)
    found, _ = choose_contestants([*shown, "fast:lanes unchecked"], [])
    assert sorted(one.name for one in found) == sorted(shown)
    assert [one.name for one in choose_contestants(["fast:lanes unchecked"], [])[0]] == ["fast:lanes unchecked"]


def test_what_is_not_installed_is_left_out_with_a_remark(monkeypatch) -> None:
    """A peer whose module or command is missing is left out, with a remark."""
    monkeypatch.setattr("sudoku_cp.bench.contestants.which", lambda name: None)
    found, remarks = choose_contestants([], ["qqwing", "norvig-style"])
    assert [one.name for one in found] == ["norvig-style"]
    assert remarks == ["left out: qqwing, which needs the command qqwing, not installed"]


def test_a_peer_of_an_extra_names_the_extra(monkeypatch) -> None:
    """The remark on a missing module has the line that installs it."""
    monkeypatch.setattr("sudoku_cp.bench.contestants.find_spec", lambda name: None)
    _, remarks = choose_contestants([], ["dlxsudoku"])
    assert remarks == ["left out: dlxsudoku, which needs the module dlxsudoku (pip install 'sudoku_cp[bench]'), not installed"]


@pytest.mark.parametrize(("engine_names", "peer_names"), [(["mrv"], []), ([], ["tdoku"])])
def test_names_that_nobody_has(engine_names, peer_names) -> None:
    """An unknown engine or peer is refused with a list of the known names."""
    with pytest.raises(UnknownName, match=r"expected a (backend|peer), one of"):
        choose_contestants(engine_names, peer_names)


def test_ratios_are_to_somebody_who_takes_part() -> None:
    """The reference is the one named, or the batch kernel, or the first; unknown names are refused with a list of the others."""
    contestants, _ = choose_contestants(["native", "fast:lanes"], [])
    assert choose_reference(contestants) == "fast:lanes"
    assert choose_reference(contestants, "native") == "native"
    assert choose_reference(contestants[:1]) == "native"
    assert choose_reference([]) == ""
    with pytest.raises(UnknownName, match="expected a contestant, one of native; got 'fast:lanes'"):
        choose_reference(contestants[:1], "fast:lanes")


@pytest.mark.parametrize("where", ["", "module", "module:", ":function"])
def test_an_outside_callable_needs_module_and_function(where) -> None:
    """Anything but module:function is refused at once, before any measuring."""
    with pytest.raises(InvalidInput, match="expected a callable such as module:function"):
        callable_contestant(where)


def test_an_engine_of_another_package_joins(monkeypatch) -> None:
    """Every engine in the registry takes part, without a line here."""
    monkeypatch.setattr("sudoku_cp.bench.contestants.known_backends", lambda: {"sat": "", "fast": "", "theirs": ""})
    assert list(engine_contestants()) == ["fast:lanes", "fast:scalar", "fast:bigint", "sat", "theirs"]
    monkeypatch.setattr("sudoku_cp.bench.contestants.available_widths", lambda: ("avx2", "128-bit"))
    kernels = ["fast:lanes", "fast:lanes unchecked", "fast:lanes 128-bit", f"fast:lanes x{cores()}"]
    assert [one.name for one in engine_contestants()["fast:lanes"]] == kernels[: 3 + (cores() > 1)]
    assert kernel_contestant(4).argument == "4"


def test_norvig_style_finds_every_solution(array) -> None:
    """The baseline's search is complete: it finds all 288 grids of 4x4, each once."""
    found = ["".join(values) for values in norvig.NorvigSolver((2, 2)).solutions("." * 16)]
    assert len(found) == len(set(found)) == 288


def test_norvig_style_stops_at_two(array) -> None:
    """On the empty board it answers two at once."""
    answers = line_runner(norvig.NorvigSolver)(array("." * 81), (3, 3))
    assert answers.counts.tolist() == [2]
