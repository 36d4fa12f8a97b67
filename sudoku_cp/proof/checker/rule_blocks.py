"""The blocks of rules: those that keep cells different are rebuilt, all others are compared with their meaning."""

from __future__ import annotations

import json
import re
from itertools import combinations
from typing import TYPE_CHECKING

from .all_different_rules import ALL_DIFFERENT_RULES, all_different_cells
from .certified_rules import JOINED
from .dimacs_formula import Clauses, DimacsFormula, FormulaBlock, RuleClauses, compare_block, parse_clauses
from .meaning_comparison import compare_meanings
from .report import CheckFindings, is_number, require, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .certified_grid import Cells
    from .certified_puzzle import CertifiedPuzzle

CONSTRAINTS = {"AllDifferent", "DigitSet", "Linear", "Table", "Automaton", "Clause", "Count", "Connected", "Partition"}
_NAMED = re.compile(r"\br[1-9][0-9]*c[1-9][0-9]*\b")


def label_problems(puzzle: CertifiedPuzzle, block: FormulaBlock, named_in_rules: set[str] | None) -> Iterator[str]:
    """Yield what is wrong with the label of a rule's block; cells named in its part must be its own or ``named_in_rules``."""
    label, number, rules = block.label, block.label["rule"], puzzle.rules
    if number is not None and not (is_number(number) and 0 <= number < len(rules)):
        yield f"{block.at}: the puzzle has no rule {number!r:.40}"
    elif number is not None and label["kind"] != rules[number].kind:
        yield f"{block.at}: rule {number} is of the kind {rules[number].kind!r:.80}, not {shown(label['kind'])}"
    part, right = label["part"], label["constraint"] in [*CONSTRAINTS] and isinstance(label["cells"], list)
    require(right and isinstance(part, str) and part, f"{block.at}: expected its part, constraint and cells")
    cells = [puzzle.cell(name) for name in label["cells"]]
    if named_in_rules is not None and (named := set(_NAMED.findall(part.lower()))):
        named -= {puzzle.names[cell] for cell in cells} | named_in_rules
        yield from (f"{block.at}: the part {shown(part)} names {name}, which its rule does not" for name in sorted(named))
    if label["kind"] == "houses" and puzzle.houses.get(part) != cells:
        yield f"{block.at}: {shown(part)} is not the name of these cells"


def split_rule_blocks(
    formula: DimacsFormula, found: CheckFindings
) -> tuple[list[tuple[int, FormulaBlock]], dict[int | None, list[RuleClauses]]]:
    """Return the blocks of rules that keep cells different, and the clauses of every other rule (None: of several rules)."""
    puzzle, budget = formula.puzzle, formula.puzzle.budget
    named_in_rules = set(_NAMED.findall(json.dumps([rule.source for rule in puzzle.rules]).lower()))
    kinds = {number: rule.kind for number, rule in enumerate(puzzle.rules)}
    parts: dict[int | None, list[RuleClauses]] = {number: [] for number, kind in kinds.items() if kind not in ALL_DIFFERENT_RULES}
    differing: list[tuple[int, FormulaBlock]] = []
    owners: dict[int, int | None] = {}
    for block in (block for block in formula.blocks if block.label["block"] == "rule"):
        budget.tick()
        rule = block.label["rule"]
        number = rule if is_number(rule) and rule in kinds else None
        known = number is not None and puzzle.statements[number] is not None and kinds[number] not in JOINED
        found.add_problems(label_problems(puzzle, block, named_in_rules if known else None))
        if number is not None and number not in parts:
            differing.append((number, block))
            continue
        clauses = parse_clauses(block, formula.size, budget)
        variables = {abs(literal) for clause in clauses for literal in clause}
        order = tuple(map(puzzle.cell, block.label["cells"]))
        named = frozenset(order)
        spoken = {(one - 1) // len(puzzle.values) for one in variables if one <= formula.board}
        if not spoken <= named:
            found.add_problems([f"{block.at}: the clauses concern cells that the label does not name"])
        for auxiliary in sorted(one for one in variables if one > formula.board):
            if owners.setdefault(auxiliary, number) != number:
                found.add_problems([f"formula.cnf: two rules share the auxiliary {auxiliary}"])
        parts.setdefault(number, []).append(RuleClauses(named | spoken, block.line, clauses, [], order))
    return differing, parts


def compare_rules(formula: DimacsFormula, solution: list[int] | None, found: CheckFindings) -> None:
    """Compare the blocks of every rule with the rule: clause by clause if it keeps cells different, else by meaning."""
    puzzle, statements = formula.puzzle, formula.puzzle.statements
    differing, parts = split_rule_blocks(formula, found)
    clauses = [clause for some in parts.values() for part in some for clause in part.clauses]
    formula.clauses += clauses
    rebuilt: list[RuleClauses] = []
    found.add_problems(compare_all_different(formula, differing, clauses, rebuilt))
    left = {number: sum(len(part.clauses) for part in some) for number, some in parts.items()}
    found.facts |= {"rebuilt": formula.rebuilt, "compared": 0, "walks": 0}
    if parts:
        left |= compare_meanings(formula, parts, rebuilt, solution, found)
    found.facts["trusted"] = sum(left.values())
    for number, count in left.items():
        known = number is not None and statements[number] is not None
        why = "too much would have to be walked through" if known else "the checker does not know what it means"
        trusted = f"{count} clauses taken on trust, as {why}"
        if number is not None and (count or not known):
            found.trust(f"rule {number} ({puzzle.rules[number].kind}): {trusted}")
        elif count and None in statements:
            found.trust(f"several rules: {trusted}")
        elif count:
            found.problems.append("formula.cnf: clauses labelled as following from several rules, but none can")


def all_different_clauses(formula: DimacsFormula, cells: Cells) -> tuple[Clauses, Clauses]:
    """Return how clauses keep cells different: groups of variables of which at most one is true, and clauses that one is."""
    values = formula.puzzle.values
    if len(set(cells)) < len(cells) or len(values) < len(cells):
        return [], [[]]
    if not formula.board:
        return [], []
    groups = [[formula.literal(cell, value) for cell in cells] for value in values]
    return groups, [list(group) for group in groups] if len(cells) == len(values) else []


def compare_all_different(
    formula: DimacsFormula, blocks: list[tuple[int, FormulaBlock]], stated: Clauses, rebuilt: list[RuleClauses]
) -> Iterator[str]:
    """Yield what is wrong with the blocks of rules that keep cells different; the rebuilt clauses are appended to ``rebuilt``.

    A group of cells that two rules state occurs once; one that the clauses of other rules (``stated``) cover need not occur.
    A label names a cell once, even where its rule says that a cell differs from itself.
    """
    puzzle, budget = formula.puzzle, formula.puzzle.budget
    wanted: dict[tuple[int, ...], set[int]] = {}
    by_names: dict[tuple[int, ...], dict[tuple[int, ...], None]] = {}
    for number, rule in enumerate(puzzle.rules):
        budget.spend(2)
        for cells in all_different_cells(puzzle, rule):
            if cells not in wanted:
                budget.hold(GROUP_BYTES + 16 * len(cells))
            wanted.setdefault(cells, set()).add(number)
            by_names.setdefault(tuple(dict.fromkeys(cells)), {})[cells] = None
    for number, block in blocks:
        budget.tick()
        candidates = by_names.get(tuple(map(puzzle.cell, block.label["cells"])), {})
        own = next((cells for cells in candidates if number in wanted.get(cells, ())), None)
        what = f"rule {number} ({puzzle.rules[number].kind}), {block.label['part']:.80}"
        if own is None or block.label["constraint"] != "AllDifferent":
            yield f"{block.at}: {what}: the rule says no such thing, or the block is a repetition"
            continue
        del wanted[own]
        groups, others = all_different_clauses(formula, own)
        yield from compare_block(formula, block, groups, others, what)
        rebuilt.append(RuleClauses(frozenset(own), block.line, others, groups, own))
    if wanted:
        yield from _unstated_groups(formula, wanted, stated)


GROUP_BYTES = 800
"""The memory that a group of cells that differ takes without its cells."""


def _unstated_groups(formula: DimacsFormula, wanted: dict[tuple[int, ...], set[int]], stated: Clauses) -> Iterator[str]:
    """Yield the groups of cells that differ by a rule, but by none of the ``stated`` clauses of other rules."""
    puzzle, budget = formula.puzzle, formula.puzzle.budget
    pairs, longer = set[tuple[int, int]](), set[frozenset[int]]()
    for clause in stated:  # two literals are both false together, or all values of some cells occur
        budget.spend(1)
        if len(clause) == 2 and max(clause) < 0:
            budget.hold(200)
            pairs.add((max(clause), min(clause)))
        elif len(clause) in {0, len(puzzle.values)} and min(clause, default=0) >= 0:
            budget.hold(300 + 80 * len(clause))
            longer.add(frozenset(clause))
    for cells, numbers in wanted.items():
        groups, others = all_different_clauses(formula, cells)
        budget.spend(len(cells) * len(cells))
        apart = all((-one, -two) in pairs for group in groups for one, two in combinations(sorted(group), 2))
        if not apart or not longer.issuperset(map(frozenset, others)):
            yield f"formula.cnf: rule {min(numbers)}: expected a block that says that {puzzle.cell_names(cells):.80} differ"
