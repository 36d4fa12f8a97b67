"""The reference engine keeps its own stack, and propagation never loses a solution."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sudoku_cp.backends.native
from sudoku_cp.backends import Limits, backend
from sudoku_cp.backends.conformance.checks import AUXILIARIES, MAKERS, empty_board, random_cases
from sudoku_cp.backends.native.readable_search import propagator

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOM = Path(sudoku_cp.backends.native.__file__).parent
NAMES = ("readable_search.py", "partition_propagator.py", "readable_search.py")
FILES = [*(ROOM / name for name in NAMES), *sorted(ROOM.glob("kernel/*.py"))]


def _functions() -> Iterator[tuple[str, set[str]]]:
    """Yield the name of every function that searches or propagates with the names it calls, as a function or as a method."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                called = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
                names = {one.id for one in called if isinstance(one, ast.Name)}
                # Methods of other objects have other names here, so a name identifies a function.
                yield node.name, names | {one.attr for one in called if isinstance(one, ast.Attribute)}


def test_nothing_calls_itself() -> None:
    """No function of the native engine calls itself, not even through others: the interpreter's stack never limits the depth."""
    calls: dict[str, set[str]] = {}
    for name, called in _functions():
        calls.setdefault(name, set()).update(called)
    assert {"_search", "_propagate", "trace", "_digit_set", "propagate", "digit_set"} <= calls.keys()
    for name in calls:
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            new = calls.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        assert name not in reached, f"{name} comes back to itself"


@pytest.mark.parametrize(
    "engine", ["native", "cpsat", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sat", "cpsat:alldifferent"))]
)
def test_a_board_of_36_has_a_first_solution(engine: str) -> None:
    """An empty 36x36 board, 1,296 cells deep, is filled within its deadline."""
    model = empty_board(36)
    solution = next(backend(engine).open(model).solutions(limits=Limits(seconds=120)))
    assert model.holds(solution)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_propagator_loses_no_solution_and_knows_a_filled_grid(kind: type) -> None:
    """Propagation keeps every solution of its constraint, names each cell that it changed, and is exact on decided cells."""
    for case in random_cases((kind,), 1, AUXILIARIES):
        for constraint in case.model.constraints:
            own = propagator(constraint, case.model.domains)
            domains = list(case.model.domains)
            changed: list[int] = []
            alive = own(domains, changed)
            assert alive or not case.solutions
            if alive:
                assert {cell for cell, domain in enumerate(domains) if domain != case.model.domains[cell]} <= set(changed)
            for solution in case.solutions:
                assert all(domains[cell] >> value & 1 for cell, value in enumerate(solution))
            for filled in (
                [domain & -domain for domain in case.model.domains],
                [1 << d.bit_length() - 1 for d in case.model.domains],
            ):
                values = [one.bit_length() - 1 for one in filled]
                assert own(filled.copy(), []) == constraint.holds(values)
