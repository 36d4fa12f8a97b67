"""The formats for solvers that are written here (FlatZinc, OPB), and what all share: a heading, the model, the domains left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, assert_never

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import Encoder, Format, keep_changed, one_line
from sudoku_cp.model import AllDifferent, Clause, Count, Linear, members
from sudoku_cp.model.flatzinc import TAKES, FlatZincModel, membership, post_constraint
from sudoku_cp.model.model import AUXILIARY
from sudoku_cp.model.rewrite import live_literals, rewrite_model

if TYPE_CHECKING:
    from sudoku_cp.formats.base import KeptTexts
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


def format_formula(puzzle: Puzzle) -> Iterator[str]:
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
    yield from _variable_comments(puzzle, formula)
    yield "".join(formula.lines)


def _variable_comments(puzzle: Puzzle, formula: _Formula) -> Iterator[str]:
    """Yield what each variable means."""
    board = formula.model.board
    for (cell, value), number in formula.numbers.items():
        meaning = f"{puzzle.grid.cell_name(cell)}={value}" if cell < board else f"auxiliary {cell - board + 1}"
        yield f"* var x{number} {meaning}\n"


OPB = export_format(
    "opb",
    "the puzzle as a pseudo-Boolean formula for solvers such as RoundingSat; one puzzle a file",
    (".opb",),
    format_formula,
)
