"""The exact-cover CNF of one puzzle in DIMACS, for any SAT solver: each clause under the rule and the part it states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import Format, one_line
from sudoku_cp.model import members
from sudoku_cp.model.cnf import Cnf, cnf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.puzzle import Puzzle


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the formula of the only puzzle, block after block."""
    one, *others = (*puzzles,)[:2] or (None,)
    if one is None:
        raise InvalidInput("expected one puzzle for the format 'dimacs', got none")
    if others:
        raise Unsupported("expected one puzzle for the format 'dimacs', got several")
    formula = cnf(one.model())
    blocks = [(title, [_said(clause) for clause in clauses]) for title, clauses in _blocks(one, formula)]
    yield from _heading(one)
    yield from _map(one, formula)
    yield f"p cnf {max(formula.size, 1)} {sum(len(said.splitlines()) for _, clauses in blocks for said in clauses)}\n"
    for title, clauses in blocks:
        yield f"c {title}\n"
        yield "".join(clauses)


def _blocks(puzzle: Puzzle, formula: Cnf) -> Iterator[tuple[str, list[Sequence[int]]]]:
    """Yield every block of clauses under its name: the cells, the rules, the givens, the candidates ruled out."""
    name = puzzle.grid.cell_name
    yield "cells: each has exactly one value", list(formula.cells)
    for statement, clauses in formula.blocks:
        yield f"rule {statement.rule}: {statement.part}", list(clauses)
    yield "givens", [clause for cell, value in puzzle.givens.items() for clause in _given(cell, value, formula)]
    for cell, allowed in puzzle.candidates.items():
        excluded = members(formula.domains[cell] & ~allowed)
        yield (
            f"candidates of {name(cell)}: not {', '.join(map(str, excluded)) or '(none)'}",
            [[-formula.variables[cell, value]] if (cell, value) in formula.variables else [] for value in excluded],
        )


def _given(cell: int, value: int, formula: Cnf) -> list[Sequence[int]]:
    """Return the clauses of a given; a cell that can be nothing else needs none."""
    if (cell, value) in formula.variables:
        return [[formula.variables[cell, value]]]
    return [] if formula.domains[cell] == 1 << value else [[]]


def _said(clause: Sequence[int]) -> str:
    """Return the line of a clause; "never", for which many readers of DIMACS know no line, as two that clash."""
    return " ".join(map(str, (*clause, 0))) + "\n" if clause else "1 0\n-1 0\n"


def _heading(puzzle: Puzzle) -> Iterator[str]:
    yield f"c sudoku_cp: {puzzle.grid}, rules {', '.join(rule.kind for rule in puzzle.rules) or '(none)'}\n"
    for noun in ("title", "author", "source"):
        text = one_line(getattr(puzzle, noun))
        yield f"c {noun}: {text}\n" * bool(text)
    yield "c A solution of the puzzle is the candidates (cell = value) whose variables are true.\n"
    yield "c Auxiliary variables may leave several models for one solution.\n"


def _map(puzzle: Puzzle, formula: Cnf) -> Iterator[str]:
    """Yield what each variable means, and the cells that need none."""
    board = formula.board
    for (cell, value), number in formula.variables.items():
        if cell < board:
            yield f"c var {number} {puzzle.grid.cell_name(cell)}={value}\n"
        elif number > 0:
            binary = formula.variables.get((cell, 0), 0) < 0
            yield f"c var {number} auxiliary {cell - board + 1}{f'={value}' * (not binary)}\n"
    for cell in range(board):
        domain = formula.domains[cell]
        if domain and not domain & (domain - 1):
            yield f"c fixed {puzzle.grid.cell_name(cell)}={members(domain)[0]}\n"


FORMAT = Format(
    "dimacs",
    "the puzzle as an exact-cover formula (CNF in DIMACS) for any SAT solver; one puzzle a file",
    (".cnf", ".dimacs"),
    lambda _head: False,
    None,
    write,
)
