"""The puzzle as a model of CP-SAT (OR-tools) in protobuf's text form: an integer for each cell, named after it.

It is written without OR-tools; there, ``google.protobuf.text_format`` or ``CpModel.proto.parse_text_format`` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, assert_never

from sudoku_cp.formats.solver_export import clue_domains, export_format, heading_lines
from sudoku_cp.model import AllDifferent, Automaton, Clause, Count, Linear, Literal, Table, members
from sudoku_cp.model.model import AUXILIARY
from sudoku_cp.model.rewrite import live_literals, rewrite_model

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint, Domain, Model, Relation
    from sudoku_cp.puzzle import Puzzle

_TAKES = frozenset({AllDifferent, Linear, Count, Clause, Table, Automaton})
_LEAST, _MOST = -(2**63), 2**63 - 1


class _ModelText:
    """The variables and constraints so far; a variable is its index among them, its negation -index - 1."""

    def __init__(self, puzzle: Puzzle, model: Model) -> None:
        self.model = model
        name = puzzle.grid.cell_name
        board = model.board
        self.names = [name(cell) if cell < board else f"auxiliary {cell - board + 1}" for cell in range(len(model.domains))]
        self.variables = [
            _format_variable(self.names[cell], _domain_intervals(domain)) for cell, domain in enumerate(model.domains)
        ]
        self.lines: list[str] = []
        self.truths: dict[tuple[Cell, int], int] = {}

    def add_line(self, kind: str, body: str, name: str = "", enforced: int | None = None) -> None:
        """Add a constraint, which holds only if the literal ``enforced`` is true."""
        title = f"name: {json.dumps(name)} " if name else ""
        condition = "" if enforced is None else f"enforcement_literal: {enforced} "
        self.lines.append(f"constraints {{ {title}{condition}{kind} {{ {body} }} }}\n")

    def literal(self, literal: Literal) -> int:
        """Return a literal, "cell = value" declared and tied to the cell when it is first needed."""
        cell, value, equal = literal
        if cell >= self.model.board and self.model.domains[cell] == AUXILIARY:
            return cell if (value == 1) == equal else -cell - 1
        if (cell, value) not in self.truths:
            self.truths[cell, value] = truth = len(self.variables)
            self.variables.append(_format_variable(f"{self.names[cell]}={value}", [0, 1]))
            own = f"vars: {cell} coeffs: 1 "
            self.add_line("linear", own + _format_domain([value, value]), enforced=truth)
            self.add_line("linear", own + _format_domain([_LEAST, value - 1, value + 1, _MOST]), enforced=-truth - 1)
        truth = self.truths[cell, value]
        return truth if equal else -truth - 1


def _format_variable(name: str, intervals: Sequence[int]) -> str:
    return f"variables {{ name: {json.dumps(name)} {_format_domain(intervals)} }}\n"


def _format_domain(intervals: Sequence[int]) -> str:
    return f"domain: {_format_list(intervals)}"


def _format_list(numbers: Iterable[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def _domain_intervals(domain: Domain) -> list[int]:
    """Return a set of values as lowest, highest, lowest, highest, ..."""
    found: list[int] = []
    for value in members(domain):
        if found and found[-1] == value - 1:
            found[-1] = value
        else:
            found += [value, value]
    return found


def _format_expressions(cells: Iterable[Cell]) -> str:
    return " ".join(f"exprs {{ vars: {cell} coeffs: 1 }}" for cell in cells)


def _intervals_of_relation(relation: Relation, total: int) -> list[int]:
    match relation:
        case "==":
            return [total, total]
        case "!=":
            return [_LEAST, total - 1, total + 1, _MOST]
        case "<=":
            return [_LEAST, total]
        case ">=":
            return [total, _MOST]
        case _:
            assert_never(relation)


def _format_sum(terms: Sequence[tuple[int, int]], relation: Relation, total: int) -> str:
    """Return the body of a linear constraint over (variable, coefficient); a negated variable is one minus itself."""
    variables = [at if at >= 0 else -at - 1 for at, _ in terms]
    factors = [factor if at >= 0 else -factor for at, factor in terms]
    constant = sum(factor for at, factor in terms if at < 0)
    domain = _format_domain(_intervals_of_relation(relation, total - constant))
    return f"vars: {_format_list(variables)} coeffs: {_format_list(factors)} {domain}"


def _add_constraint(text: _ModelText, constraint: Constraint, name: str) -> None:
    domains = text.model.domains
    match constraint:
        case AllDifferent(cells):
            text.add_line("all_diff", _format_expressions(cells), name)
        case Linear(terms, relation, total):
            text.add_line("linear", _format_sum(terms, relation, total), name)
        case Count(cells, values, relation, number):
            inside = [
                (text.literal(Literal(cell, value)), 1)
                for cell in cells
                for value in sorted(values)
                if value >= 0 and domains[cell] >> value & 1
            ]
            text.add_line("linear", _format_sum(inside, relation, number), name)
        case Table(cells, tuples):
            if not tuples:
                text.add_line("bool_or", "", name)
            else:
                flat = [value for row in sorted(tuples) for value in row]
                text.add_line("table", f"values: {_format_list(flat)} {_format_expressions(cells)}", name)
        case Automaton():
            _add_automaton(text, constraint, name)
        case Clause(literals):
            kept = live_literals(literals, domains)
            if kept is not None:
                body = f"literals: {_format_list(map(text.literal, kept))}" if kept else ""
                text.add_line("bool_or", body, name)
        case _:
            raise TypeError(f"a {type(constraint).__name__} is rewritten before it comes here")


def _add_automaton(text: _ModelText, automaton: Automaton, name: str) -> None:
    edges = sorted(automaton.edges)
    if not edges or not automaton.accepting:
        text.add_line("bool_or", "", name)
        return
    tails, labels, heads = zip(*edges, strict=True)
    body = (
        f"starting_state: {automaton.start} final_states: {_format_list(sorted(automaton.accepting))} "
        f"transition_tail: {_format_list(tails)} transition_label: {_format_list(labels)} transition_head: {_format_list(heads)} "
    )
    text.add_line("automaton", body + _format_expressions(automaton.cells), name)


def format_model(puzzle: Puzzle) -> Iterator[str]:
    """Yield the model of a puzzle: variables named after cells, then constraints named after rules."""
    model = rewrite_model(puzzle.model(), _TAKES)
    text = _ModelText(puzzle, model)
    for statement in model.statements:
        _add_constraint(text, statement.constraint, f"{statement.rule}: {statement.part}")
    for words, cell, kept in clue_domains(puzzle):
        left = _domain_intervals(model.domains[cell] & kept)
        if left:
            text.add_line("linear", f"vars: {cell} coeffs: 1 {_format_domain(left)}", words)
        else:
            text.add_line("bool_or", "", words)
    yield "".join(f"# {line}\n" for line in heading_lines(puzzle))
    yield "# A solution of the puzzle is the values of the variables named after its cells.\n"
    yield f"name: {json.dumps(' '.join(puzzle.title.split()) or 'puzzle')}\n"
    yield "".join(text.variables)
    yield "".join(text.lines)


FORMAT = export_format(
    "cpsat",
    "the puzzle as a model of OR-tools' CP-SAT in protobuf's text form; one puzzle a file",
    (".pbtxt",),
    format_model,
)
