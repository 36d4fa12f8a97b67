"""The formats for solvers that are written here (FlatZinc, OPB, DIMACS), and what all share."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias, assert_never

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import Encoder, Format, KeptTexts, keep_changed, one_line
from sudoku_cp.model import AllDifferent, Clause, Count, Linear, cells_of, make_block, members
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.flatzinc import TAKES, FlatZincModel, membership, post_constraint
from sudoku_cp.model.model import AUXILIARY, rename_cells
from sudoku_cp.model.rewrite import live_literals, rewrite_model
from sudoku_cp.rules import Rule
from sudoku_cp.time_limits import ticked, ticking

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint, Domain, Literal, Model, Relation
    from sudoku_cp.puzzle import Puzzle


KEEPS = keep_changed(one_line, "title", "author", "source")
"""The texts that `heading_lines` includes."""


def export_format(
    name: str, summary: str, extensions: tuple[str, ...], lines_of: Callable[[Puzzle], Iterable[str]], keeps: KeptTexts = KEEPS
) -> Format:
    """Return a format that is only written; its files hold one puzzle."""
    return Format(name, summary, extensions, lambda _head: False, None, partial(_single_puzzle_encoder, name, lines_of), keeps)


def _single_puzzle_encoder(name: str, lines_of: Callable[[Puzzle], Iterable[str]]) -> Encoder:
    """Return the encoder of a file of one puzzle; a second one is refused."""
    taken = False

    def text_of(puzzle: Puzzle) -> str:
        nonlocal taken
        if taken:
            raise Unsupported(f"expected one puzzle for a file of the format {name!r}, got another")
        text = "".join(lines_of(puzzle))
        taken = True
        return text

    return Encoder(text_of)


def heading_lines(puzzle: Puzzle) -> Iterator[str]:
    """Yield lines that describe the puzzle, for comments."""
    yield f"sudoku_cp: {puzzle.grid}, rules {', '.join(rule.kind for rule in puzzle.rules) or '(none)'}"
    for noun in ("title", "author", "source"):
        text = one_line(getattr(puzzle, noun))
        if text:
            yield f"{noun}: {text}"


def clue_domains(puzzle: Puzzle) -> Iterator[tuple[str, Cell, Domain]]:
    """Yield givens and candidates: a description, the cell, and its remaining values (bits)."""
    name = puzzle.grid.cell_name
    for cell, value in puzzle.givens.items():
        yield f"given {name(cell)}={value}", cell, 1 << value
    for cell, allowed in puzzle.candidates.items():
        yield f"candidates of {name(cell)}: {' '.join(map(str, members(allowed)))}", cell, allowed


# The puzzle in FlatZinc, the language that MiniZinc's solvers read, with variables named after their cells.
#
# Beside FlatZinc's own constraints only ``all_different_int`` is used, by the name that Gecode and Chuffed know.


def format_model(puzzle: Puzzle) -> Iterator[str]:
    """Yield a puzzle: predicates, variables named after their cells, then each rule's constraints."""
    model = rewrite_model(puzzle.model(), TAKES)
    sheet = FlatZincModel(model, [puzzle.grid.cell_name(cell) for cell in puzzle.grid.cells])
    for statement in model.statements:
        sheet.lines.append(f"% rule {statement.rule}: {statement.part}\n")
        post_constraint(sheet, statement.constraint)
    for words, cell, kept in clue_domains(puzzle):
        sheet.lines.append(f"% {words}\n")
        sheet.say(membership(sheet.names[cell], members(model.domains[cell] & kept)))
    yield "".join(f"% {line}\n" for line in heading_lines(puzzle))
    yield "% A solution of the puzzle is the values of the variables named after its cells.\n"
    yield "predicate all_different_int(array [int] of var int: x);\n"
    yield "".join(sheet.declared)
    yield "".join(sheet.lines)
    yield "solve satisfy;\n"


FLATZINC = export_format(
    "flatzinc",
    "the puzzle in FlatZinc for solvers such as Gecode and Chuffed; one puzzle a file",
    (".fzn",),
    format_model,
)


# The puzzle as a pseudo-Boolean formula (OPB): a variable for each candidate, each cell exactly one, sums as they are.
#
# Only ``=`` and ``>=`` over plain variables, which every solver of the competitions reads.


_TAKES = frozenset({AllDifferent, Linear, Count, Clause})
Term: TypeAlias = tuple[int, int]
"""A coefficient and the number of a variable."""


class _Formula:
    """The variables of the candidates, and the lines so far."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.numbers: dict[tuple[Cell, int], int] = {}
        for cell, domain in enumerate(model.domains):
            for value in [1] if self.is_auxiliary(cell) else members(domain):
                self.numbers[cell, value] = len(self.numbers) + 1
        self.size = len(self.numbers)
        self.lines: list[str] = []
        self.count = 0

    def is_auxiliary(self, cell: Cell) -> bool:
        """Return whether a cell is a single variable: true is 1."""
        return cell >= self.model.board and self.model.domains[cell] == AUXILIARY

    def add_line(self, terms: Sequence[Term], relation: str, total: int) -> None:
        """Add a line: a sum, the ``relation`` ``=`` or ``>=``, and ``total``."""
        joined: dict[int, int] = {}
        for factor, number in terms:
            joined[number] = joined.get(number, 0) + factor
        kept = [(factor, number) for number, factor in joined.items() if factor]
        if not kept:
            if total == 0 or (relation == ">=" and total < 0):
                return
            # "Never": no line may be without a variable.
            self.add_line([(1, 1)], ">=", 1)
            kept, relation, total = [(-1, 1)], ">=", 0
        summands = " ".join(f"{factor:+d} x{number}" for factor, number in kept)
        self.lines.append(f"{summands} {relation} {total} ;\n")
        self.count += 1

    def add_comparison(self, terms: Sequence[Term], relation: Relation, total: int) -> None:
        """Add a sum in any relation; for ``!=`` a new variable states on which side the sum is."""
        match relation:
            case "==":
                self.add_line(terms, "=", total)
            case ">=":
                self.add_line(terms, ">=", total)
            case "<=":
                self.add_line(_negate(terms), ">=", -total)
            case "!=":
                least = sum(min(factor, 0) for factor, _ in terms)
                most = sum(max(factor, 0) for factor, _ in terms)
                self.size += 1
                side = self.size  # the new variable
                self.add_line([*terms, (total + 1 - least, side)], ">=", total + 1)
                self.add_line([*_negate(terms), (-(most - total + 1), side)], ">=", -(total - 1) - (most - total + 1))
            case _:
                assert_never(relation)

    def literal(self, literal: Literal) -> tuple[int, bool]:
        """Return the variable of a literal, and whether it must be true."""
        if self.is_auxiliary(literal.cell):
            return self.numbers[literal.cell, 1], literal.equal == (literal.value == 1)
        return self.numbers[literal.cell, literal.value], literal.equal


def _negate(terms: Iterable[Term]) -> list[Term]:
    return [(-factor, number) for factor, number in terms]


def _add_constraint(formula: _Formula, constraint: Constraint) -> None:
    numbers, domains = formula.numbers, formula.model.domains
    match constraint:
        case AllDifferent(cells):
            _add_all_different(formula, cells)
        case Linear(terms, relation, total):
            weighted = [
                (factor * value, numbers[cell, value])
                for cell, factor in terms
                for value in members(domains[cell])
                if value and (cell, value) in numbers
            ]
            formula.add_comparison(weighted, relation, total)
        case Count(cells, values, relation, number):
            inside, sure = _counting_sum(formula, cells, values)
            formula.add_comparison(inside, relation, number - sure)
        case Clause(literals):
            kept = live_literals(literals, domains)
            if kept is not None:
                signed = [formula.literal(literal) for literal in kept]
                least = 1 - sum(not positive for _, positive in signed)
                formula.add_line([(1 if positive else -1, number) for number, positive in signed], ">=", least)
        case _:
            raise TypeError(f"a {type(constraint).__name__} is rewritten before it comes here")


def _counting_sum(formula: _Formula, cells: Iterable[Cell], values: frozenset[int]) -> tuple[list[Term], int]:
    """Return a sum that counts the cells with one of the values, and the constant to add to it."""
    terms: list[Term] = []
    sure = 0
    for cell in cells:
        if formula.is_auxiliary(cell):
            sure += 0 in values
            terms.append(((1 in values) - (0 in values), formula.numbers[cell, 1]))
        else:
            terms += [(1, formula.numbers[cell, value]) for value in sorted(values) if (cell, value) in formula.numbers]
    return terms, sure


def _add_all_different(formula: _Formula, cells: Sequence[Cell]) -> None:
    """State that each value occurs at most once, or exactly once if there are as many values as cells."""
    union = 0
    for cell in cells:
        union |= formula.model.domains[cell]
    if union.bit_count() < len(cells) or len(set(cells)) < len(cells):
        formula.add_line([], ">=", 1)
        return
    for value in members(union):
        terms, sure = _counting_sum(formula, cells, frozenset({value}))
        if union.bit_count() == len(cells):
            formula.add_line(terms, "=", 1 - sure)
        else:
            formula.add_comparison(terms, "<=", 1 - sure)


def format_opb(puzzle: Puzzle) -> Iterator[str]:
    """Yield the formula of a puzzle: the meaning of the variables, then the lines of each rule."""
    formula = _Formula(rewrite_model(puzzle.model(), _TAKES))
    formula.lines.append("* cells: each has exactly one value\n")
    for cell, domain in enumerate(formula.model.domains):
        if not formula.is_auxiliary(cell):
            formula.add_line([(1, formula.numbers[cell, value]) for value in members(domain)], "=", 1)
    for statement in formula.model.statements:
        formula.lines.append(f"* rule {statement.rule}: {statement.part}\n")
        _add_constraint(formula, statement.constraint)
    for words, cell, kept in clue_domains(puzzle):
        formula.lines.append(f"* {words}\n")
        terms = [(1, formula.numbers[cell, value]) for value in members(formula.model.domains[cell] & kept)]
        formula.add_line(terms, "=", 1)
    yield f"* #variable= {formula.size} #constraint= {formula.count}\n"
    yield "".join(f"* {line}\n" for line in heading_lines(puzzle))
    yield "* A solution of the puzzle is the candidates (cell = value) whose variables are 1.\n"
    yield from _opb_variable_comments(puzzle, formula)
    yield "".join(formula.lines)


def _opb_variable_comments(puzzle: Puzzle, formula: _Formula) -> Iterator[str]:
    """Yield what each variable means."""
    board = formula.model.board
    for (cell, value), number in formula.numbers.items():
        meaning = f"{puzzle.grid.cell_name(cell)}={value}" if cell < board else f"auxiliary {cell - board + 1}"
        yield f"* var x{number} {meaning}\n"


OPB = export_format(
    "opb",
    "the puzzle as a pseudo-Boolean formula for solvers such as RoundingSat; one puzzle a file",
    (".opb",),
    format_opb,
)


# The exact-cover CNF of one puzzle in DIMACS, for any SAT solver: each clause listed under the rule and the part it states.
#
# Rules of this file: a comment ``c var`` names each variable, ``c fixed`` each cell that needs none. The clauses stand in
# blocks. A comment ``c block`` states for each, as JSON, its meaning and its clauses (the first and the last, from 1): that
# cells have one value, the rules, givens and candidates, and last, if a certificate needs it, a forbidden solution. All but the
# last two are the same for every puzzle of the same rules.
#
# Other programs read this file, and some of them badly: all comments stand before the line p (drat-trim may take a later one
# for a clause), none contains the word ``cnf`` (drat-trim may take it for that line), and none is long (lrat-check gives up at
# 1,024 characters).


if TYPE_CHECKING:
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


def format_dimacs(puzzle: Puzzle) -> Iterator[str]:
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


DIMACS = export_format(
    "dimacs",
    "the puzzle as an exact-cover formula (CNF in DIMACS) for any SAT solver; one puzzle a file",
    (".cnf", ".dimacs"),
    format_dimacs,
    {},
)
