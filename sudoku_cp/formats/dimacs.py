"""The exact-cover CNF of one puzzle in DIMACS, for any SAT solver: each clause listed under the rule and the part it states.

Rules of this file: a comment ``c var`` names each variable, ``c fixed`` each cell that needs none. The clauses stand in blocks. A
comment ``c block`` states for each, as JSON, its meaning and its clauses (the first and the last, from 1): that cells have one
value, the rules, givens and candidates, and last, if a certificate needs it, a forbidden solution. All but the last two
are the same for every puzzle of the same rules.

Other programs read this file, and some of them badly: all comments stand before the line p (drat-trim may take a later one for
a clause), none contains the word ``cnf`` (drat-trim may take it for that line), and none is long (lrat-check gives up at
1,024 characters).
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.formats.solver_export import export_format
from sudoku_cp.model import cells_of, make_block, members
from sudoku_cp.model.cnf import cnf
from sudoku_cp.model.constraints import rename_cells
from sudoku_cp.rules import Rule
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from sudoku_cp.model import Model
    from sudoku_cp.model.cnf import Cnf
    from sudoku_cp.puzzle import Puzzle

    Clauses: TypeAlias = Sequence[Sequence[int]]

CACHE_SIZE = 4_000_000
"""Characters of rules' formulas in the cache: many of 9x9 fit, one of 25x25 is too long."""
LONGEST = 900
"""Longest comment, in characters."""
TICK = 8192
"""Clauses of a block between two ticks."""


@dataclass(frozen=True, eq=False)
class RulesText:
    """The part of the formula that all puzzles of the same rules share, as text, with what the rest of the formula needs.

    ``variables``, ``domains`` and ``size`` are those of `Cnf`; ``variables`` are the board's only. ``clauses`` counts lines.
    """

    head: str
    body: str
    clauses: int
    variables: Mapping[tuple[int, int], int]
    domains: Sequence[int]
    size: int
    formula: Clauses | None


@dataclass(frozen=True)
class PuzzleClauses:
    """The clauses of one puzzle besides those of its rules: givens, candidates, and perhaps a forbidden solution."""

    blocks: Sequence[tuple[Mapping[str, Any], Clauses]]

    @property
    def clauses(self) -> list[Sequence[int]]:
        """All these clauses."""
        return [clause for _, clauses in self.blocks for clause in clauses]


_cache: OrderedDict[Model, RulesText] = OrderedDict()
_lock = Lock()


def format_formula(puzzle: Puzzle) -> Iterator[str]:
    """Yield the formula of a puzzle, block by block."""
    rules = rules_text(puzzle)
    yield from formula_text(puzzle, rules, puzzle_clauses(puzzle, rules))


def formula_text(puzzle: Puzzle, rules: RulesText, own: PuzzleClauses) -> Iterator[str]:
    """Yield the text of a puzzle's formula from the parts of its rules and its own clauses."""
    text = _BlockText(rules.clauses)
    for label, clauses in own.blocks:
        text.add(label, clauses)
    yield from _heading_comments(puzzle)
    yield rules.head
    yield from text.head
    yield f"p cnf {max(rules.size, 1)} {text.clauses}\n"
    yield rules.body
    yield from text.body


# --- the rules --------------------------------------------------------------------------------------------------


def rules_text(puzzle: Puzzle, tick: Callable[[], None] = lambda: None) -> RulesText:
    """Return the formula of the puzzle's rules; ``tick`` is called now and then and may raise to stop the work."""
    model = puzzle.model(tick)
    with _lock:
        if model in _cache:
            _cache.move_to_end(model)
            return _cache[model]
    rules = _make_rules_text(puzzle, model, tick)
    if len(rules.body) > CACHE_SIZE:
        return rules
    with _lock:
        _cache[model] = rules
        while sum(len(one.body) for one in _cache.values()) > CACHE_SIZE:
            _cache.popitem(last=False)
    return rules


def _make_rules_text(puzzle: Puzzle, model: Model, tick: Callable[[], None]) -> RulesText:
    formula = cnf(model, None, tick)
    numbers = _rule_numbers(puzzle, model, tick)
    text = _BlockText(0)
    text.add({"block": "cells"}, formula.cells, tick)
    for index, (statement, clauses) in enumerate(formula.blocks):
        cells = cells_of(statement.constraint)
        label = {
            "block": "rule",
            "rule": numbers[index],
            "kind": statement.rule,
            "part": statement.part,
            "constraint": type(statement.constraint).__name__,
            "cells": [puzzle.grid.cell_name(cell) for cell in cells if cell < model.board],
        }
        text.add(label, clauses, tick)
    board = {candidate: literal for candidate, literal in formula.variables.items() if candidate[0] < model.board}
    return RulesText(
        head="".join([*_variable_comments(puzzle, formula), *text.head]),
        body="".join(text.body),
        clauses=text.clauses,
        variables=board,
        domains=formula.domains[: model.board],
        size=formula.size,
        formula=None if model.is_houses else formula.clauses,
    )


def _rule_numbers(puzzle: Puzzle, model: Model, tick: Callable[[], None]) -> list[int | None]:
    """Return for each statement of the model the number of the first rule that states it, None if no rule states it by itself."""
    first: dict[object, int] = {}
    behind = model.board
    for number, rule in enumerate(puzzle.rules):
        own = alone = make_block(rule.kind, rule.lower_beside(puzzle.grid, puzzle.rules), tick)
        if type(rule).lower_beside is not Rule.lower_beside:
            alone = make_block(rule.kind, rule.lower_beside(puzzle.grid, (rule,)), tick)
        with ticking(tick):
            for constraint in ticked(own.statements.keys() & alone.statements.keys()):
                moved = rename_cells(constraint, partial(_cell_in_model, behind)) if own.auxiliaries else constraint
                first.setdefault(moved, number)
        behind += own.auxiliaries
    with ticking(tick):
        return [first.get(statement.constraint) for statement in ticked(model.statements)]


def _cell_in_model(base: int, cell: int) -> int:
    """Return the cell of the model for a cell of a rule whose auxiliaries begin at ``base``."""
    return cell if cell >= 0 else base - 1 - cell


def _variable_comments(puzzle: Puzzle, formula: Cnf) -> Iterator[str]:
    """Yield the meaning of each variable, and the cells that need none."""
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


# --- the puzzle -------------------------------------------------------------------------------------------------


def puzzle_clauses(puzzle: Puzzle, rules: RulesText, forbidden: Sequence[int] | None = None) -> PuzzleClauses:
    """Return the clauses of givens and candidates, and one that forbids the solution ``forbidden``."""
    name = puzzle.grid.cell_name
    blocks: list[tuple[Mapping[str, Any], Clauses]] = []
    for cell, value in puzzle.givens.items():
        blocks.append(({"block": "given", "cell": name(cell), "value": value}, _given_clauses(cell, value, rules)))
    for cell, allowed in puzzle.candidates.items():
        excluded = members(rules.domains[cell] & ~allowed)
        clauses = [[-rules.variables[cell, value]] if (cell, value) in rules.variables else [] for value in excluded]
        blocks.append(({"block": "candidates", "cell": name(cell), "not": excluded}, clauses))
    if forbidden is not None:
        pairs = enumerate(forbidden)
        clause = [-rules.variables[cell, value] for cell, value in pairs if (cell, value) in rules.variables]
        blocks.append(({"block": "solution"}, [clause]))
    return PuzzleClauses(blocks)


def _given_clauses(cell: int, value: int, rules: RulesText) -> list[Sequence[int]]:
    """Return the clauses of a given; a cell with only this value needs none."""
    if (cell, value) in rules.variables:
        return [[rules.variables[cell, value]]]
    return [] if rules.domains[cell] == 1 << value else [[]]


def _heading_comments(puzzle: Puzzle) -> Iterator[str]:
    yield f"c sudoku_cp: a puzzle on {puzzle.grid!s:.900}\n"
    yield "c A solution of the puzzle is the candidates (cell = value) whose variables are true.\n"
    yield "c Auxiliary variables may leave several models for one solution.\n"


# --- text -------------------------------------------------------------------------------------------------------


class _BlockText:
    """Blocks as text: labels for the head of the file, clauses for its body; ``clauses`` counts all so far."""

    def __init__(self, clauses: int) -> None:
        self.head: list[str] = []
        self.body: list[str] = []
        self.clauses = clauses

    def add(self, label: Mapping[str, Any], clauses: Clauses, tick: Callable[[], None] = lambda: None) -> None:
        """Add a block; an empty clause, which readers do not accept, becomes two that contradict each other."""
        first = self.clauses + 1
        for start in range(0, len(clauses), TICK):
            tick()
            some = clauses[start : start + TICK]
            self.body += [" ".join(map(str, clause)) + " 0\n" if clause else "1 0\n-1 0\n" for clause in some]
            self.clauses += len(some) + sum(not clause for clause in some)
        self.head.append(format_label({**label, "clauses": [first, self.clauses]}))


def format_label(label: Mapping[str, Any]) -> str:
    """Return the label of a block as comments, a long one on several lines."""
    encoded = json.dumps(label).replace("cnf", "\\u0063nf")
    pieces = [encoded[start : start + LONGEST] for start in range(0, len(encoded), LONGEST)]
    return f"c block {pieces[0]}\n" + "".join(f"c + {piece}\n" for piece in pieces[1:])


FORMAT = export_format(
    "dimacs",
    "the puzzle as an exact-cover formula (CNF in DIMACS) for any SAT solver; one puzzle a file",
    (".cnf", ".dimacs"),
    format_formula,
    {},
)
