"""The blocks of rules: those that say that cells differ are rebuilt, all others are compared with their meaning."""

from __future__ import annotations

import json
import re
from itertools import chain, combinations
from typing import TYPE_CHECKING

from .all_different_rules import ALL_DIFFERENT_RULES, all_different_cells
from .certified_rules import JOINED
from .dimacs_formula import Clauses, DimacsFormula, FormulaBlock, RuleClauses, compare_block, parse_clauses
from .meaning_comparison import compare_meanings
from .report import CheckFindings, Tick, is_number, require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .certified_grid import Cells
    from .certified_puzzle import CertifiedPuzzle

CONSTRAINTS = {"AllDifferent", "DigitSet", "Linear", "Table", "Automaton", "Clause", "Count", "Connected"}
_NAMED = re.compile(r"\br[1-9][0-9]*c[1-9][0-9]*\b")


def label_problems(puzzle: CertifiedPuzzle, block: FormulaBlock, *, known: bool) -> Iterator[str]:
    """Yield what is wrong with the label of a rule's block; cells named in its part must be those of a ``known`` rule."""
    label, number, rules = block.label, block.label["rule"], puzzle.rules
    if number is not None and not (is_number(number) and 0 <= number < len(rules)):
        yield f"{block.at}: the puzzle has no rule {number!r:.40}"
    elif number is not None and label["kind"] != rules[number].kind:
        yield f"{block.at}: rule {number} is of the kind {rules[number].kind!r:.80}, not {label['kind']!r:.80}"
    part, right = label["part"], label["constraint"] in [*CONSTRAINTS] and isinstance(label["cells"], list)
    require(right and isinstance(part, str) and part, f"{block.at}: expected its part, constraint and cells")
    cells = [puzzle.cell(name) for name in label["cells"]]
    if known and label["kind"] not in JOINED and (named := set(_NAMED.findall(part.lower()))):
        named -= {puzzle.names[cell] for cell in cells} | set(_NAMED.findall(json.dumps([rule.source for rule in rules]).lower()))
        yield from (f"{block.at}: the part {part!r:.80} names {name}, which its rule does not" for name in sorted(named))
    if label["kind"] == "houses" and puzzle.houses.get(part) != cells:
        yield f"{block.at}: {part!r:.80} is not the name of these cells"


def split_rule_blocks(
    formula: DimacsFormula, found: CheckFindings, tick: Tick
) -> tuple[list[tuple[int, FormulaBlock]], dict[int | None, list[RuleClauses]]]:
    """Return the blocks of rules that say that cells differ, and the clauses of every other rule (None: of several rules)."""
    puzzle = formula.puzzle
    kinds = {number: rule.kind for number, rule in enumerate(puzzle.rules)}
    parts: dict[int | None, list[RuleClauses]] = {number: [] for number, kind in kinds.items() if kind not in ALL_DIFFERENT_RULES}
    differing: list[tuple[int, FormulaBlock]] = []
    owners: dict[int, int | None] = {}
    for block in (block for block in formula.blocks if block.label["block"] == "rule"):
        tick()
        rule = block.label["rule"]
        number = rule if is_number(rule) and rule in kinds else None
        found.problems += label_problems(puzzle, block, known=number is not None and puzzle.statements[number] is not None)
        if number is not None and number not in parts:
            differing.append((number, block))
            continue
        clauses = parse_clauses(block, formula.size)
        variables = {abs(literal) for clause in clauses for literal in clause}
        order = tuple(map(puzzle.cell, block.label["cells"]))
        named = frozenset(order)
        spoken = {(one - 1) // len(puzzle.values) for one in variables if one <= formula.board}
        if not spoken <= named:
            found.problems.append(f"{block.at}: the clauses concern cells that the label does not name")
        for auxiliary in sorted(one for one in variables if one > formula.board):
            if owners.setdefault(auxiliary, number) != number:
                found.problems.append(f"formula.cnf: two rules share the auxiliary {auxiliary}")
        parts.setdefault(number, []).append(RuleClauses(named | spoken, block.line, clauses, [], order))
    return differing, parts


def compare_rules(formula: DimacsFormula, solution: list[int] | None, found: CheckFindings, tick: Tick) -> None:
    """Compare the blocks of every rule with what it says: clause by clause if it says that cells differ, else by meaning."""
    puzzle, statements = formula.puzzle, formula.puzzle.statements
    differing, parts = split_rule_blocks(formula, found, tick)
    clauses = [clause for some in parts.values() for part in some for clause in part.clauses]
    formula.clauses += clauses
    rebuilt: list[RuleClauses] = []
    found.problems += compare_all_different(formula, differing, clauses, rebuilt, tick)
    left = {number: sum(len(part.clauses) for part in some) for number, some in parts.items()}
    found.facts |= {"rebuilt": formula.rebuilt, "compared": 0, "walks": 0}
    if parts:
        left |= compare_meanings(formula, parts, rebuilt, solution, found, tick)
    found.facts["trusted"] = sum(left.values())
    for number, count in left.items():
        known = number is not None and statements[number] is not None
        why = "too much would have to be walked through" if known else "the checker does not know what it means"
        trusted = f"{count} clauses taken on trust, as {why}"
        if number is not None and (count or not known):
            found.trusted.append(f"rule {number} ({puzzle.rules[number].kind}): {trusted}")
        elif count and None in statements:
            found.trusted.append(f"several rules: {trusted}")
        elif count:
            found.problems.append("formula.cnf: clauses labelled as following from several rules, but none can")


def all_different_clauses(formula: DimacsFormula, cells: Cells) -> tuple[Clauses, Clauses]:
    """Return how clauses say that cells differ: groups of variables of which at most one is true, and clauses that one is."""
    values = formula.puzzle.values
    if len(set(cells)) < len(cells) or len(values) < len(cells):
        return [], [[]]
    if not formula.board:
        return [], []
    groups = [[formula.literal(cell, value) for cell in cells] for value in values]
    return groups, [list(group) for group in groups] if len(cells) == len(values) else []


def compare_all_different(
    formula: DimacsFormula, blocks: list[tuple[int, FormulaBlock]], stated: Clauses, rebuilt: list[RuleClauses], tick: Tick
) -> Iterator[str]:
    """Yield what is wrong with the blocks of rules that say that cells differ; the rebuilt clauses are appended to ``rebuilt``.

    A group of cells that two rules state occurs once; one that the clauses of other rules (``stated``) cover need not occur.
    A label names a cell once, even where its rule says that a cell differs from itself.
    """
    puzzle = formula.puzzle
    wanted: dict[tuple[int, ...], set[int]] = {}
    by_names: dict[tuple[int, ...], dict[tuple[int, ...], None]] = {}
    for number, rule in enumerate(puzzle.rules):
        for cells in all_different_cells(puzzle, rule) or ():
            wanted.setdefault(cells, set()).add(number)
            by_names.setdefault(tuple(dict.fromkeys(cells)), {})[cells] = None
    for number, block in blocks:
        candidates = by_names.get(tuple(map(puzzle.cell, block.label["cells"])), {})
        own = next((cells for cells in candidates if number in wanted.get(cells, ())), None)
        what = f"rule {number} ({puzzle.rules[number].kind}), {block.label['part']:.80}"
        if own is None or block.label["constraint"] != "AllDifferent":
            yield f"{block.at}: {what}: the rule says no such thing, or the block is a repetition"
            continue
        del wanted[own]
        groups, others = all_different_clauses(formula, own)
        yield from compare_block(formula, block, groups, others, what, tick)
        rebuilt.append(RuleClauses(frozenset(own), block.line, others, groups, own))
    known = {frozenset(clause) for clause in stated} if wanted else set()
    for cells, numbers in wanted.items():
        groups, others = all_different_clauses(formula, cells)
        pairs = ((-one, -two) for group in groups for one, two in combinations(group, 2))
        if not known.issuperset(map(frozenset, chain(pairs, others))):
            yield f"formula.cnf: rule {min(numbers)}: expected a block that says that {puzzle.cell_names(cells):.80} differ"
