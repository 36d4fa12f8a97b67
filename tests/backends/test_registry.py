"""Engines are found by name, and nothing is imported before it is needed."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import BUILT_IN, CHOICES, MANY, MANY_LOADED, NON_LEARNING, backend, choose, known_backends, new_backend
from sudoku_cp.backends.conformance.checks import empty_board
from sudoku_cp.backends.fast import SHAPES, side_of
from sudoku_cp.errors import BackendFailed, BackendMissing, InvalidInput, UnknownName
from sudoku_cp.grid import Grid
from sudoku_cp.model import Clause, Linear, build_model
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sudoku_cp.backends import Session
    from sudoku_cp.model import Model


@dataclass
class Foreign:
    """An engine of another package."""

    kind: str = "plain"
    name: str = "foreign"
    takes: frozenset[type] = frozenset({Clause})

    def open(self, model: Model) -> Session:
        """Open nothing."""
        raise NotImplementedError


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The entry points of other packages, for a test to fill."""
    found: list[EntryPoint] = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point for point in found if point.group == group])
    known_backends.cache_clear()
    backend.__wrapped__.cache_clear()
    yield found
    known_backends.cache_clear()
    backend.__wrapped__.cache_clear()


def _point(name: str, value: str, group: str = "sudoku_cp.backends") -> EntryPoint:
    return EntryPoint(name, value, group)


@pytest.mark.parametrize(
    "name", [*BUILT_IN, "native:first", "sat:g4", "sat:cadical153", "cpsat:alldifferent", "fast:bigint", "fast:lanes"]
)
def test_a_name_finds_its_engine(name: str) -> None:
    """An engine has the name it was requested by, and is the same object each time; a program may be missing."""
    try:
        assert backend(name).name == name
    except BackendMissing:
        assert name in {"dimacs", "minizinc"}
        pytest.skip(f"{name} is not installed")
    assert backend(name) is backend(name)


@pytest.mark.parametrize("name", ["", "sta", "sat:nosuch", "native:last", ":first", "cpsat:cover:more", "SAT", "fast:slow"])
def test_unknown_names_are_refused_with_the_known_ones(name: str) -> None:
    """An unknown name raises `UnknownName`, which lists the known ones."""
    with pytest.raises(UnknownName, match=r"expected a .*one of"):
        backend(name)


@pytest.mark.parametrize("family", BUILT_IN)
def test_a_kind_that_no_engine_has_is_refused(family: str) -> None:
    """An engine without kinds says so, as one with others names them: never a TypeError of its class."""
    with pytest.raises((InvalidInput, BackendMissing), match="nosuch"):
        backend(f"{family}:nosuch")


def test_an_empty_kind_is_the_usual_one() -> None:
    """A name with nothing after the colon is the same as one without a colon."""
    assert backend("cpsat:").name == "cpsat"


def test_other_packages_add_engines(points: list[EntryPoint]) -> None:
    """An entry point is an engine, which may have kinds; those of another group are not."""
    points += [_point("foreign", f"{__name__}:Foreign"), _point("stranger", f"{__name__}:Foreign", "other.group")]
    assert set(known_backends()) == {*BUILT_IN, "foreign"}
    assert backend("foreign") == Foreign()
    assert backend("foreign:special") == Foreign("special")
    with pytest.raises(UnknownName):
        backend("stranger")


def test_our_engines_cannot_be_replaced(points: list[EntryPoint]) -> None:
    """An entry point with the name of one of ours is left out."""
    points.append(_point("native", f"{__name__}:Foreign"))
    assert known_backends()["native"] == BUILT_IN["native"]
    assert backend("native").name == "native"


def test_a_missing_library_is_said_to_be_missing(points: list[EntryPoint]) -> None:
    """An engine whose library cannot be imported raises `BackendMissing`, which names the library."""
    points.append(_point("foreign", "no_such_library.engine:Engine"))
    with pytest.raises(BackendMissing, match="'foreign' needs 'no_such_library'"):
        backend("foreign")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("from sudoku_cp.backends.base import NoSuchName", "cannot import name 'NoSuchName'"),
        ("import sudoku_cp.backends.no_such_module", "No module named 'sudoku_cp.backends.no_such_module'"),
        ("from json import no_such_name", "cannot import name 'no_such_name'"),
        ("import json.no_such_module", "No module named 'json.no_such_module'"),
    ],
)
def test_a_defect_in_an_import_shows_itself(
    points: list[EntryPoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, problem: str
) -> None:
    """An import that fails for a reason other than a missing package is not reported as one, but as the engine's failure."""
    (tmp_path / "defective_engine.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    points.append(_point("defective", "defective_engine:Engine"))
    with pytest.raises(BackendFailed, match=f"an engine that loads from engine 'defective', got .*Error: {problem}"):
        backend("defective")


@pytest.mark.parametrize(("name", "library"), [("sat", "pysat"), ("cpsat", "ortools")])
def test_our_engines_miss_their_libraries(name: str, library: str) -> None:
    """Without its library an engine is missing; the others work."""
    code = f"""
import sys
sys.modules[{library!r}] = None
from sudoku_cp.backends import backend
from sudoku_cp.errors import BackendMissing
print(backend("native").name)
try:
    backend({name!r})
except BackendMissing as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert told[0] == "native"
    assert f"backend {name!r} needs '{library}" in told[1]


@pytest.mark.parametrize("statement", ["import sudoku_cp", "import sudoku_cp.backends", "from sudoku_cp import Puzzle, solve"])
def test_importing_loads_no_solver(statement: str) -> None:
    """Importing the package, `sudoku_cp.backends` or the public names loads no solver library, nor NumPy."""
    heavy = {"pysat", "ortools", "numpy", "numba", "pandas"}
    code = f"{statement}\nimport sys\nprint(*(name for name in {heavy} if name in sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == ""


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A process that has loaded neither a solver library nor the kernel."""
    for name in [name for name in sys.modules if name.partition(".")[0] in {"pysat", "ortools"}]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("sudoku_cp.backends.fast.LOADED", set())
    return monkeypatch


def test_auto_takes_the_fast_engine_for_plain_grids(cold: pytest.MonkeyPatch) -> None:
    """Plain grids of every size go to the big integers; many, except the largest, to the kernel, and fewer if it has run."""
    for loaded in (None, "pysat", "sudoku_cp.backends.fast.lane_kernel", "kernel"):
        many = MANY_LOADED if loaded == "kernel" else MANY
        if loaded == "kernel":
            cold.setattr("sudoku_cp.backends.fast.LOADED", set(SHAPES))
        elif loaded:
            cold.setitem(sys.modules, loaded, sys)
        for boxes in SHAPES:
            model = Puzzle(Grid.square(side_of(boxes), boxes)).model()
            assert choose(model) == choose(model, many - 1) == "fast:bigint"
            assert choose(model, many) == ("fast:lanes" if side_of(boxes) <= 16 else "fast:bigint")


def test_auto_races_on_other_rules(cold: pytest.MonkeyPatch) -> None:
    """Other houses and rules go to native and SAT together, whatever is loaded; with ``learning_only`` to SAT alone."""
    seven = empty_board(7)  # has no boxes
    sums = build_model([0b110] * 4, [("odd", [("sum", Linear(((0, 1), (1, 1)), "==", 3))])])
    for loaded in (None, "ortools", "pysat"):
        if loaded:
            cold.setitem(sys.modules, loaded, sys)
        for model in (seven, sums, Puzzle(Grid.square(10, (2, 5))).model()):
            assert choose(model) == choose(model, MANY) == "race"
            assert choose(model, learning_only=True) == "sat"


def test_who_must_be_steady_gets_no_hasty_engine() -> None:
    """A question that cannot change engines is given to one that learns."""
    assert choose(empty_board(9), learning_only=True) == choose(empty_board(9), MANY, learning_only=True) == "sat"


def test_every_choice_is_an_engine() -> None:
    """The table names known engines, and its last line fits everything."""
    for _, _, engine in CHOICES:
        assert backend(engine).name == engine
    assert CHOICES[-1][1](empty_board(4), 10**9)
    assert {engine for _, _, engine in CHOICES} >= NON_LEARNING


def test_ctrl_c_is_heard_behind_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is not lost in the import of a library that swallows it, and the import is completed."""
    swallowing = "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    pass\n"
    swallowing += "class Engine:\n    name, takes, open = 'deaf', frozenset(), print\n"
    (tmp_path / "deaf_engine.py").write_text(swallowing, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sudoku_cp.backends.known_backends", lambda: {"deaf": "deaf_engine:Engine"})
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        new_backend("deaf")
    assert signal.getsignal(signal.SIGINT) is before
    assert new_backend("deaf").name == "deaf"
