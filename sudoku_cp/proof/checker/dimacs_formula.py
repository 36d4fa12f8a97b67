"""The formula: parsed, and compared clause by clause with what the puzzle says of cells, givens and candidates."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from .certificate_files import CHUNK, decode_lines, read_json
from .report import CheckBudget, CheckLimitReached, Rejected, is_number, require, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .certified_puzzle import CertifiedPuzzle

Clauses = list[list[int]]
EMPTY_CLAUSE: Clauses = [[1], [-1]]
"""The empty clause as it is written, since some readers of DIMACS do not accept an empty line."""
BLOCK_FIELDS = {
    "cells": set(),
    "rule": {"rule", "kind", "part", "constraint", "cells"},
    "given": {"cell", "value"},
    "candidates": {"cell", "not"},
    "solution": set(),
}
"""The fields in the label of each sort of block, besides ``block`` (its sort) and ``clauses`` (the first and the last)."""
_CLAUSE = re.compile(r" *(-?[0-9]{1,12} +)*0 *")


class FormulaBlock(NamedTuple):
    """Some clauses of the formula as lines of text, with their label and the number of the line before them."""

    label: dict[str, Any]
    lines: list[str]
    line: int

    @property
    def at(self) -> str:
        """The place to name in a problem."""
        return f"formula.cnf: line {self.line + 1}"


class RuleClauses(NamedTuple):
    """The clauses of a rule's block (or of several), and groups of variables of which at most one is true.

    ``cells`` are those of the board that it names, in the ``order`` of its label: only a hint for the order to read them in.
    """

    cells: frozenset[int]
    line: int
    clauses: Clauses
    groups: Clauses
    order: tuple[int, ...]


@dataclass
class DimacsFormula:
    """The formula of the file for a puzzle, and what has been checked of it.

    ``first`` is the variable of a cell's lowest value, 0 where cells have one value only; ``board`` is the last of these
    variables, ``size`` the last one of all. ``clauses`` and ``groups`` are the premises of the proof, collected while
    blocks are checked; a group stands for clauses of two negated variables: at most one of it is true.
    """

    puzzle: CertifiedPuzzle
    first: list[int]
    board: int
    size: int
    blocks: list[FormulaBlock]
    clauses: Clauses = field(default_factory=list)
    groups: Clauses = field(default_factory=list)
    rebuilt: int = 0

    def literal(self, cell: int, value: int) -> int:
        """Return the variable that is true if the cell has the value; 0 if cells have one value only."""
        return self.first[cell] + value - self.puzzle.values[0] if self.first[cell] else 0


LINE_BYTES, CLAUSE_BYTES, LITERAL_BYTES, VARIABLE_BYTES = 60, 120, 40, 260
"""The memory that a line takes beyond its text, a parsed clause and each of its literals, and a variable of the formula."""


def read_formula(data: bytes | bytearray, puzzle: CertifiedPuzzle) -> DimacsFormula:
    """Parse the formula into blocks, and compare its map of variables with the puzzle's cells."""
    lines: list[str] = []
    budget = puzzle.budget
    pieces = (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))
    for text in decode_lines("formula.cnf", pieces, budget):
        budget.hold(len(text) + LINE_BYTES * text.count("\n"))
        lines += text.split("\n")
    start = next((number for number, line in enumerate(lines) if line[:1] != "c"), len(lines))
    found = re.fullmatch(r"p cnf (0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})", lines[start]) if start < len(lines) else None
    require(found, "formula.cnf: expected comments, followed by a line 'p cnf VARIABLES CLAUSES'")
    size, count = map(int, found.groups()) if found else (0, 0)
    require(size <= len(lines), "formula.cnf: more variables than lines")
    budget.hold(VARIABLE_BYTES * size)
    clauses = len(lines) - start - 1
    require(clauses == count, f"formula.cnf: expected {count} clauses as the line p says, got {clauses}")
    for number, line in enumerate(lines[:start], 1):  # other programs misread long comments and the word cnf
        budget.spend(1)
        harmless = line.startswith("c ") and "cnf" not in line and len(line) < 1000
        require(harmless, f"formula.cnf: line {number}: expected a comment of less than 1,000 characters and without 'cnf'")
    first, board = _check_variables(lines[:start], puzzle, size)
    blocks, behind = [], start + 1
    for at, label in _read_labels(lines[:start], budget):
        begin, end = label.pop("clauses")
        require(
            begin == behind - start and begin - 1 <= end <= count, f"{at}: its clauses do not follow those of the block before"
        )
        blocks.append(FormulaBlock(label, lines[behind : start + 1 + end], behind))
        behind = start + 1 + end
    require(behind == len(lines), f"formula.cnf: {len(lines) - behind} clauses are in no block")
    return DimacsFormula(puzzle, first, board, size, blocks)


MAX_LABEL = 1 << 18
"""The most characters of a label."""


def _read_labels(head: list[str], budget: CheckBudget) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the label of each block; a long label continues on lines that begin with ``c +``."""
    number = 0
    while number < len(head):
        line, at = head[number], f"formula.cnf: line {number + 1}"
        number += 1
        budget.spend(1)
        if not line.startswith("c block "):
            continue
        pieces = [line[8:]]
        while number < len(head) and head[number].startswith("c + "):
            pieces.append(head[number][4:])
            number += 1
        text = "".join(pieces).encode()
        if len(text) > MAX_LABEL:
            raise CheckLimitReached(f"{at}: a label of more than {MAX_LABEL:,} characters")
        label = read_json(at, text, budget)
        fields = BLOCK_FIELDS.get(str(label.get("block"))) if isinstance(label, dict) else None
        right = fields is not None and fields | {"block", "clauses"} == label.keys()
        clauses = label["clauses"] if right else None
        right = isinstance(clauses, list) and len(clauses) == 2 and all(map(is_number, clauses))
        require(right, f"{at}: expected the label of a block, got {shown(line)}")
        yield at, label


def _check_variables(head: list[str], puzzle: CertifiedPuzzle, size: int) -> tuple[list[int], int]:
    """Return the first variable of each cell and the number of the board's variables, if the map is as expected."""
    cells, width = len(puzzle.names), len(puzzle.values)
    first, board = ([0] * cells, 0) if width == 1 else ([1 + width * cell for cell in range(cells)], width * cells)
    require(board <= size, f"formula.cnf: expected {board} variables of the board, got {size}")
    if width == 1:
        wanted = [f"c fixed {name}={puzzle.values[0]}" for name in puzzle.names]
    else:
        candidates = product(puzzle.names, puzzle.values)
        wanted = [f"c var {number} {name}={value}" for number, (name, value) in enumerate(candidates, 1)]
    behind = 1 if size == 1 and not board else board  # an empty clause is written with variable 1, even if there is no other
    puzzle.budget.hold(60 * size)
    puzzle.budget.tick()
    wanted += [f"c var {number} auxiliary {number - board}" for number in range(behind + 1, size + 1)]
    present = [line for line in head if line.startswith(("c var", "c fixed"))]
    if present != wanted:  # other lines before the line p are mere comments
        wrong = next((one for one, other in zip(present, wanted, strict=False) if one != other), f"{len(present)} lines of it")
        raise Rejected(f"formula.cnf: its map of variables is not that of the puzzle: {shown(wrong)}")
    return first, board


def parse_clauses(block: FormulaBlock, size: int, budget: CheckBudget) -> Clauses:
    """Parse the clauses of a block; an empty clause is written as two that contradict each other."""
    clauses: Clauses = []
    for number, line in enumerate(block.lines, block.line + 1):
        budget.spend(2 + len(line) // 4)
        budget.hold(CLAUSE_BYTES + LITERAL_BYTES * line.count(" "))
        if not _CLAUSE.fullmatch(line):
            raise Rejected(f"formula.cnf: line {number}: expected a clause, got {shown(line)}")
        *clause, _ = map(int, line.split())
        clause = list(dict.fromkeys(clause))  # a literal that occurs twice counts once
        if clause and (max(clause) > size or min(clause) < -size or 0 in clause):
            raise Rejected(f"formula.cnf: line {number}: expected literals up to {size} and a 0 at the end, got {shown(line)}")
        clauses.append(clause)
        if clauses[-2:] == EMPTY_CLAUSE:
            clauses[-2:] = [[]]
    return clauses


def compare_block(formula: DimacsFormula, block: FormulaBlock, groups: Clauses, others: Clauses, what: str) -> Iterator[str]:
    """Yield what is wrong with a block that must allow at most one true variable in each group, and hold the other clauses.

    The block is compared line by line with the usual text, in which each group follows the clause that one of it is true,
    if there are such clauses; if that fails, as a set of sets of literals.
    """
    budget = formula.puzzle.budget
    budget.hold(LITERAL_BYTES * (sum(map(len, groups)) + sum(map(len, others))))
    formula.groups += groups
    formula.clauses += others
    count = sum(len(group) * (len(group) - 1) // 2 for group in groups) + sum(1 if clause else 2 for clause in others)
    if count > 2 * len(block.lines) + 1000:
        yield f"{block.at}: {what}: expected {count} clauses, got {len(block.lines)}"
        return
    held = (LINE_BYTES + 16) * count
    budget.hold(held)
    wanted = _usual_lines(groups, others, budget)
    formula.rebuilt += len(wanted)
    if wanted != block.lines:
        yield from _block_differences(block, wanted, what, formula)
    budget.release(held)


def _usual_lines(groups: Clauses, others: Clauses, budget: CheckBudget) -> list[str]:
    """Return the lines of a block as they are usually written."""
    wanted: list[str] = []
    between = len(groups) == len(others)
    for group, clause in zip(groups, others if between else [[]] * len(groups), strict=True):
        budget.spend(len(group) * len(group) // 8)
        if between:
            wanted.append(" ".join(map(str, (*clause, 0))))
        ends = [f" -{variable} 0" for variable in group]
        for place, variable in enumerate(group, 1):
            one = f"-{variable}"
            wanted += [one + end for end in ends[place:]]
    if not between:
        wanted += [" ".join(map(str, (*written, 0))) for clause in others for written in ([clause] if clause else EMPTY_CLAUSE)]
    return wanted


def _block_differences(block: FormulaBlock, wanted: list[str], what: str, formula: DimacsFormula) -> Iterator[str]:
    """Yield the differences between a block and the clauses that it must have, in any order."""
    here = Counter(
        tuple(sorted(written))
        for clause in parse_clauses(block, formula.size, formula.puzzle.budget)
        for written in ([clause] if clause else EMPTY_CLAUSE)
    )
    there = {tuple(sorted(map(int, line.split()[:-1]))) for line in wanted}
    for noun, some in (("lacks", there - here.keys()), ("has too much:", here.keys() - there)):
        if some:
            yield f"{block.at}: {what}: {noun} {len(some)} clauses, such as '{' '.join(map(str, min(some)))} 0'"
    if max(here.values(), default=1) > 1:
        yield f"{block.at}: {what}: a clause occurs twice"


# --- cells, givens, candidates, the solution --------------------------------------------------------------------------


def expected_blocks(formula: DimacsFormula, claim: str | None, solution: list[int] | None) -> Iterator[tuple[Any, ...]]:
    """Yield the label of each block that no rule makes, its groups of variables, and its other clauses."""
    puzzle = formula.puzzle
    cells = [[formula.literal(cell, value) for value in puzzle.values] for cell in range(len(puzzle.names))]
    cells = cells if formula.board else []
    yield {"block": "cells"}, cells, [list(group) for group in cells]
    for cell, value in puzzle.givens.items():
        unit = [[formula.literal(cell, value)]] if formula.board else []
        yield {"block": "given", "cell": puzzle.names[cell], "value": value}, [], unit
    for cell, allowed in puzzle.candidates.items():
        gone = [value for value in puzzle.values if value not in allowed]
        units = [[-formula.literal(cell, value)] for value in gone]
        yield {"block": "candidates", "cell": puzzle.names[cell], "not": gone}, [], units
    if claim != "none" and solution is not None:
        other = [-formula.literal(cell, value) for cell, value in enumerate(solution) if formula.board]
        yield {"block": "solution"}, [], [other]


def compare_expected_blocks(formula: DimacsFormula, claim: str | None, solution: list[int] | None) -> Iterator[str]:
    """Yield what is wrong with the blocks that no rule makes: each must occur once, and no other."""

    def key(label: dict[str, Any]) -> str:
        return f"{label['block']} {label.get('cell', '')}".rstrip()

    wanted = {key(one[0]): one for one in expected_blocks(formula, claim, solution)}
    seen: Counter[str] = Counter()
    for block in formula.blocks:
        if block.label["block"] == "rule":
            continue
        what = key(block.label)
        seen[what] += 1
        if what not in wanted:
            yield f"{block.at}: {what} is not in the puzzle, or no part of the claim {claim!r}"
            continue
        label, groups, others = wanted[what]
        if json.dumps(block.label, sort_keys=True) != json.dumps(label, sort_keys=True):  # in Python, 1 == 1.0 == True
            yield f"{block.at}: expected the label {json.dumps(label)}"
        yield from compare_block(formula, block, groups, others, what)
    yield from (f"formula.cnf: expected the block {what} once, got it {seen[what]} times" for what in wanted if seen[what] != 1)
