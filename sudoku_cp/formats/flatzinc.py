"""The puzzle in FlatZinc, the language that MiniZinc's solvers read: an integer for each cell, Booleans where clauses need them.

Beside FlatZinc's own constraints only ``all_different_int`` is used, by the name that Gecode and Chuffed know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from sudoku_cp.formats.base import Format
from sudoku_cp.formats.exports import asked, heading, live, model_for, the_only
from sudoku_cp.model import AllDifferent, Clause, Count, Linear, members
from sudoku_cp.model.model import AUXILIARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint, Domain, Literal, Model, Relation
    from sudoku_cp.puzzle import Puzzle

_TAKES = frozenset({AllDifferent, Linear, Count, Clause})


class _Sheet:
    """The variables declared and the constraints said so far."""

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self.model = model
        name = puzzle.grid.cell_name
        board = model.board
        self.names = [name(cell) if cell < board else f"aux{cell - board + 1}" for cell in range(len(model.domains))]
        self.declared: list[str] = []
        self.lines: list[str] = []
        self.truths: dict[tuple[Cell, int], str] = {}
        self.extra = 0
        for cell, domain in enumerate(model.domains):
            annotation = " :: output_var" if cell < board else ""
            self.declared.append(f"var {_domain(domain)}: {self.names[cell]}{annotation};\n")

    def say(self, constraint: str) -> None:
        """State a constraint."""
        self.lines.append(f"constraint {constraint};\n")

    def truth(self, cell: Cell, value: int) -> str:
        """Return the Boolean "cell = value", declared and tied to the cell when it is first needed."""
        key = (cell, value)
        if key not in self.truths:
            self.truths[key] = boolean = f"{self.names[cell]}_is_{value}"
            self.declared.append(f"var bool: {boolean};\n")
            if cell >= self.model.board and self.model.domains[cell] == AUXILIARY and value == 1:
                self.say(f"bool2int({boolean}, {self.names[cell]})")
            else:
                self.say(f"int_eq_reif({self.names[cell]}, {value}, {boolean})")
        return self.truths[key]

    def literal(self, literal: Literal) -> tuple[str, bool]:
        """Return the Boolean of a literal, and whether it must be true; an auxiliary has one for both its values."""
        if literal.cell >= self.model.board and self.model.domains[literal.cell] == AUXILIARY:
            return self.truth(literal.cell, 1), literal.equal == (literal.value == 1)
        return self.truth(literal.cell, literal.value), literal.equal

    def number(self, least: int, most: int) -> str:
        """Return a new integer."""
        self.extra += 1
        self.declared.append(f"var {least}..{most}: number{self.extra};\n")
        return f"number{self.extra}"


def _domain(domain: Domain) -> str:
    values = members(domain)
    if len(values) == values[-1] - values[0] + 1:
        return f"{values[0]}..{values[-1]}"
    return f"{{{','.join(map(str, values))}}}"


def _list(parts: Iterable[object]) -> str:
    return f"[{', '.join(map(str, parts))}]"


def _post(sheet: _Sheet, constraint: Constraint) -> None:
    match constraint:
        case AllDifferent(cells):
            sheet.say(f"all_different_int({_list(sheet.names[cell] for cell in cells)})")
        case Linear(terms, relation, total):
            _linear(sheet, [(factor, sheet.names[cell]) for cell, factor in terms], relation, total)
        case Count(cells, values, relation, number):
            _count(sheet, cells, values, relation, number)
        case Clause(literals):
            kept = live(literals, sheet.model.domains)
            if kept is not None:
                told = [sheet.literal(literal) for literal in kept]
                positive = [name for name, equal in told if equal]
                negative = [name for name, equal in told if not equal]
                sheet.say(f"bool_clause({_list(positive)}, {_list(negative)})")
        case _:
            raise TypeError(f"a {type(constraint).__name__} is rewritten before it comes here")


def _linear(sheet: _Sheet, terms: Sequence[tuple[int, str]], relation: Relation, total: int) -> None:
    sign = -1 if relation == ">=" else 1
    kind = {"==": "eq", "!=": "ne", "<=": "le", ">=": "le"}[relation]
    factors = _list(sign * factor for factor, _ in terms)
    sheet.say(f"int_lin_{kind}({factors}, {_list(name for _, name in terms)}, {sign * total})")


def _count(sheet: _Sheet, cells: Sequence[Cell], values: frozenset[int], relation: Relation, number: int) -> None:
    """State how many cells have one of the values: as a sum of Booleans, with an integer for the sum where it is not bounded."""
    domains = sheet.model.domains
    inside = [sheet.truth(cell, value) for cell in cells for value in sorted(values) if value >= 0 and domains[cell] >> value & 1]
    most = len(inside)
    if not inside:
        holds = {"==": number == 0, "!=": number != 0, "<=": number >= 0, ">=": number <= 0}[relation]
        if not holds:
            sheet.say("bool_clause([], [])")
        return
    match relation:
        case "<=" | ">=":
            sign = 1 if relation == "<=" else -1
            sheet.say(f"bool_lin_le({_list([sign] * most)}, {_list(inside)}, {sign * number})")
        case "==" | "!=":
            total = sheet.number(0, most)
            sheet.say(f"bool_lin_eq({_list([1] * most)}, {_list(inside)}, {total})")
            sheet.say(f"int_lin_{'eq' if relation == '==' else 'ne'}([1], [{total}], {number})")
        case _:
            assert_never(relation)


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the only puzzle: predicates, variables by the names of their cells, then each rule's constraints."""
    puzzle = the_only("flatzinc", puzzles)
    model = model_for(puzzle, _TAKES)
    sheet = _Sheet(puzzle, model)
    for statement in model.statements:
        sheet.lines.append(f"% rule {statement.rule}: {statement.part}\n")
        _post(sheet, statement.constraint)
    for words, cell, kept in asked(puzzle):
        sheet.lines.append(f"% {words}\n")
        allowed = members(model.domains[cell] & kept)
        sheet.say(f"int_eq({sheet.names[cell]}, {allowed[0]})" if len(allowed) == 1 else _among(sheet.names[cell], allowed))
    yield "".join(f"% {line}\n" for line in heading(puzzle))
    yield "% A solution of the puzzle is the values of the variables named after its cells.\n"
    yield "predicate all_different_int(array [int] of var int: x);\n"
    yield "".join(sheet.declared)
    yield "".join(sheet.lines)
    yield "solve satisfy;\n"


def _among(name: str, values: Sequence[int]) -> str:
    return f"set_in({name}, {{{','.join(map(str, values))}}})" if values else "bool_clause([], [])"


FORMAT = Format(
    "flatzinc",
    "the puzzle in FlatZinc for solvers such as Gecode and Chuffed; one puzzle a file",
    (".fzn",),
    lambda _head: False,
    None,
    write,
)
