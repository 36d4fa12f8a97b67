"""The blocks of rules: those of cells that differ are made anew, all others are compared with their meaning."""

from __future__ import annotations

import json
import re
from itertools import chain, combinations
from typing import TYPE_CHECKING

from .comparison import compare_meanings
from .differing import DIFFERING, differing
from .formula import Block, Clauses, Formula, Part, clauses_in, compare
from .report import Findings, Tick, is_number, need
from .rules import JOINED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .grid import Cells
    from .grids import KnownStatements
    from .puzzle import Puzzle

CONSTRAINTS = {"AllDifferent", "DigitSet", "Linear", "Table", "Automaton", "Clause", "Count"}
_NAMED = re.compile(r"\br[1-9][0-9]*c[1-9][0-9]*\b")


def wrong_label(puzzle: Puzzle, block: Block, *, known: bool) -> Iterator[str]:
    """Yield what is wrong with the label of a rule's block; the cells in its name are those of a ``known`` rule."""
    label, number, rules = block.label, block.label["rule"], puzzle.rules
    if number is not None and not (is_number(number) and 0 <= number < len(rules)):
        yield f"{block.at}: the puzzle has no rule {number!r:.40}"
    elif number is not None and label["kind"] != rules[number].kind:
        yield f"{block.at}: rule {number} is of the kind {rules[number].kind!r:.80}, not {label['kind']!r:.80}"
    part, right = label["part"], label["constraint"] in [*CONSTRAINTS] and isinstance(label["cells"], list)
    need(right and isinstance(part, str) and part, f"{block.at}: expected its part, constraint and cells")
    cells = [puzzle.cell(name) for name in label["cells"]]
    if known and label["kind"] not in JOINED and (named := set(_NAMED.findall(part.lower()))):
        named -= {puzzle.names[cell] for cell in cells} | set(_NAMED.findall(json.dumps([rule.told for rule in rules]).lower()))
        yield from (f"{block.at}: the part {part!r:.80} names {name}, which its rule does not" for name in sorted(named))
    if label["kind"] == "houses" and puzzle.houses.get(part) != cells:
        yield f"{block.at}: {part!r:.80} is not the name of these cells"


def rule_blocks(
    formula: Formula, puzzle: Puzzle, statements: KnownStatements, found: Findings, tick: Tick
) -> tuple[list[tuple[int, Block]], dict[int | None, list[Part]]]:
    """Return the blocks of rules of cells that differ, and the clauses of every other rule (None: of several rules)."""
    kinds = {number: rule.kind for number, rule in enumerate(puzzle.rules)}
    parts: dict[int | None, list[Part]] = {number: [] for number, kind in kinds.items() if kind not in DIFFERING}
    differing: list[tuple[int, Block]] = []
    owners: dict[int, int | None] = {}
    for block in (block for block in formula.blocks if block.label["block"] == "rule"):
        tick()
        told = block.label["rule"]
        number = told if is_number(told) and told in kinds else None
        found.problems += wrong_label(puzzle, block, known=number is not None and statements[number] is not None)
        if number is not None and number not in parts:
            differing.append((number, block))
            continue
        clauses = clauses_in(block, formula.size)
        variables = {abs(literal) for clause in clauses for literal in clause}
        order = tuple(map(puzzle.cell, block.label["cells"]))
        named = frozenset(order)
        spoken = {(one - 1) // len(puzzle.values) for one in variables if one <= formula.board}
        if not spoken <= named:
            found.problems.append(f"{block.at}: the clauses speak of cells that the label does not name")
        for auxiliary in sorted(one for one in variables if one > formula.board):
            if owners.setdefault(auxiliary, number) != number:
                found.problems.append(f"formula.cnf: two rules share the auxiliary {auxiliary}")
        parts.setdefault(number, []).append(Part(named | spoken, block.line, clauses, [], order))
    return differing, parts


def compare_rules(
    formula: Formula, puzzle: Puzzle, statements: KnownStatements, solution: list[int] | None, found: Findings, tick: Tick
) -> None:
    """Compare the blocks of every rule with what it says: clause by clause where cells differ, else by their meaning."""
    differing, parts = rule_blocks(formula, puzzle, statements, found, tick)
    said = [clause for some in parts.values() for part in some for clause in part.clauses]
    formula.clauses += said
    made: list[Part] = []
    found.problems += compare_differing(formula, puzzle, differing, said, made, tick)
    left = {number: sum(len(part.clauses) for part in some) for number, some in parts.items()}
    found.facts |= {"rebuilt": formula.rebuilt, "compared": 0, "walks": 0}
    if parts:
        left |= compare_meanings(formula, puzzle, statements, parts, made, solution, found, tick)
    found.facts["trusted"] = sum(left.values())
    for number, count in left.items():
        known = number is not None and statements[number] is not None
        why = "too much would have to be walked through" if known else "the checker does not know what it means"
        told = f"{count} clauses taken on trust, as {why}"
        if number is not None and (count or not known):
            found.trusted.append(f"rule {number} ({puzzle.rules[number].kind}): {told}")
        elif count and None in statements:
            found.trusted.append(f"several rules: {told}")
        elif count:
            found.problems.append("formula.cnf: clauses that follow from several rules, where there are none such")


def at_most_one(formula: Formula, cells: Cells) -> tuple[Clauses, Clauses]:
    """Return what it means that cells differ: for each value, its variables, of which one at most is true, and one at least."""
    if len(set(cells)) < len(cells) or len(formula.values) < len(cells):
        return [], [[]]
    if not formula.board:
        return [], []
    groups = [[formula.literal(cell, value) for cell in cells] for value in formula.values]
    return groups, [list(group) for group in groups] if len(cells) == len(formula.values) else []


def compare_differing(
    formula: Formula, puzzle: Puzzle, blocks: list[tuple[int, Block]], said: Clauses, made: list[Part], tick: Tick
) -> Iterator[str]:
    """Yield what is wrong with the blocks of rules that say that cells differ, which are ``made`` anew.

    What two rules say stands there once, and what other rules have ``said`` as well need not stand there. A label names a
    cell once, also where its rule says of a cell that it differs from itself.
    """
    wanted: dict[tuple[int, ...], set[int]] = {}
    by_names: dict[tuple[int, ...], dict[tuple[int, ...], None]] = {}
    for number, rule in enumerate(puzzle.rules):
        for cells in differing(puzzle, rule) or ():
            wanted.setdefault(cells, set()).add(number)
            by_names.setdefault(tuple(dict.fromkeys(cells)), {})[cells] = None
    for number, block in blocks:
        meant = by_names.get(tuple(map(puzzle.cell, block.label["cells"])), {})
        own = next((cells for cells in meant if number in wanted.get(cells, ())), None)
        what = f"rule {number} ({puzzle.rules[number].kind}), {block.label['part']:.80}"
        if own is None or block.label["constraint"] != "AllDifferent":
            yield f"{block.at}: {what}: the rule says no such thing, or said it already"
            continue
        del wanted[own]
        groups, others = at_most_one(formula, own)
        yield from compare(formula, block, groups, others, what, tick)
        made.append(Part(frozenset(own), block.line, others, groups, own))
    known = {frozenset(clause) for clause in said} if wanted else set()
    for cells, numbers in wanted.items():
        groups, others = at_most_one(formula, cells)
        pairs = ((-one, -two) for group in groups for one, two in combinations(group, 2))
        if not known.issuperset(map(frozenset, chain(pairs, others))):
            yield f"formula.cnf: rule {min(numbers)}: expected a block that says that {puzzle.told(cells):.80} differ"
