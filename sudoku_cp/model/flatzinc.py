"""A model in FlatZinc, the language that MiniZinc's solvers read: an integer for each cell, Booleans where clauses need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from sudoku_cp.model.model import AUXILIARY, AllDifferent, Clause, Count, Linear, members
from sudoku_cp.model.rewrite import live_literals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.model import Constraint, Domain, Literal, Model, Relation

TAKES: frozenset[type[Constraint]] = frozenset({AllDifferent, Linear, Count, Clause})


class FlatZincModel:
    """A model in FlatZinc: the variables declared and the constraints stated so far.

    The board's cells are called by ``names``; ``output`` is the annotation of their declarations, ``different`` the predicate
    for lists whose elements all differ.
    """

    def __init__(
        self, model: Model, names: Sequence[str], *, output: str = " :: output_var", different: str = "all_different_int"
    ) -> None:
        """Declare all cells."""
        self.model = model
        board = model.board
        self.names = [*names, *(f"aux{number}" for number in range(1, len(model.domains) - board + 1))]
        self.different = different
        self.declared: list[str] = []
        self.lines: list[str] = []
        self.truths: dict[tuple[Cell, int], str] = {}
        self.extra = 0
        for cell, domain in enumerate(model.domains):
            annotation = output if cell < board else ""
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
        """Return the name of a new integer variable."""
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


def post_constraint(sheet: FlatZincModel, constraint: Constraint) -> None:
    """State one of the constraints in `TAKES`."""
    match constraint:
        case AllDifferent(cells):
            sheet.say(f"{sheet.different}({_list(sheet.names[cell] for cell in cells)})")
        case Linear(terms, relation, total):
            _linear(sheet, [(factor, sheet.names[cell]) for cell, factor in terms], relation, total)
        case Count(cells, values, relation, number):
            _count(sheet, cells, values, relation, number)
        case Clause(literals):
            kept = live_literals(literals, sheet.model.domains)
            if kept is not None:
                booleans = [sheet.literal(literal) for literal in kept]
                positive = [name for name, equal in booleans if equal]
                negative = [name for name, equal in booleans if not equal]
                sheet.say(f"bool_clause({_list(positive)}, {_list(negative)})")
        case _:
            raise TypeError(f"a {type(constraint).__name__} is rewritten before it comes here")


def _linear(sheet: FlatZincModel, terms: Iterable[tuple[int, str]], relation: Relation, total: int) -> None:
    """State a sum, each variable once and none with the factor 0, by which some readers divide."""
    factors: dict[str, int] = {}
    for factor, name in terms:
        factors[name] = factors.get(name, 0) + factor
    kept = {name: factor for name, factor in factors.items() if factor}
    if not kept:
        _fixed(sheet, 0, relation, total)
        return
    sign = -1 if relation == ">=" else 1
    kind = {"==": "eq", "!=": "ne", "<=": "le", ">=": "le"}[relation]
    sheet.say(f"int_lin_{kind}({_list(sign * factor for factor in kept.values())}, {_list(kept)}, {sign * total})")


def _fixed(sheet: FlatZincModel, amount: int, relation: Relation, number: int) -> None:
    """State a comparison of two numbers: nothing if it is true, else a contradiction."""
    if not {"==": amount == number, "!=": amount != number, "<=": amount <= number, ">=": amount >= number}[relation]:
        sheet.say("bool_clause([], [])")


def _count(sheet: FlatZincModel, cells: Sequence[Cell], values: frozenset[int], relation: Relation, number: int) -> None:
    """State a count of cells with one of the values as a sum of Booleans, for ``==`` and ``!=`` by way of an integer."""
    domains = sheet.model.domains
    inside = [sheet.truth(cell, value) for cell in cells for value in sorted(values) if value >= 0 and domains[cell] >> value & 1]
    most = len(inside)
    if not inside:
        _fixed(sheet, 0, relation, number)
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


def membership(name: str, values: Sequence[int]) -> str:
    """Return the constraint that a variable has one of these values."""
    if len(values) == 1:
        return f"int_eq({name}, {values[0]})"
    return f"set_in({name}, {{{','.join(map(str, values))}}})" if values else "bool_clause([], [])"
