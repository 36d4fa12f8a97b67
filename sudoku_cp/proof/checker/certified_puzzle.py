"""The puzzle, read from its JSON by code of the checker's own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from .certificate_files import read_json
from .certified_grid import CertifiedGrid, read_grid
from .certified_rules import MAX_INNER_RULES, CertifiedRule, measure, read_rule
from .report import CheckBudget, CheckFindings, CheckLimitReached, Rejected, is_number, require, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from .rule_machines import Statement

_TEXTS = ("title", "author", "source", "ruleset")
_FIELDS = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", *_TEXTS}


@dataclass
class CertifiedPuzzle(CertifiedGrid):
    """A grid with rules, givens, and the values that are still allowed in some cells.

    ``statements`` are those of each rule, None where its meaning is not known; they are built once everything has been read.
    ``symbols`` are the signs for the values as JSON, which only the drawing uses.
    """

    rules: list[CertifiedRule] = field(default_factory=list)
    givens: dict[int, int] = field(default_factory=dict)
    candidates: dict[int, set[int]] = field(default_factory=dict)
    statements: list[list[Statement] | None] = field(default_factory=list)
    symbols: Any = None

    def description(self) -> str:
        """Return in words what the claim is about: everything but the texts, with the givens and rules as numbers."""
        kinds = Counter(rule.kind for rule in self.rules)
        rules = ", ".join(f"{kind} ({count} times)" if count > 1 else kind for kind, count in sorted(kinds.items()))
        parts = [f"{len(self.names)} cells with values from {self.values[0]} to {self.values[-1]}", f"{len(self.givens)} given"]
        if self.candidates:
            parts.append(
                f"only some candidates in {len(self.candidates)} cells ({self.cell_names(sorted(self.candidates)):.200})"
            )
        return "; ".join([*parts, f"rules: {rules or 'none'}"])


MAX_RULES = 100_000
"""More rules are not read; copies of repeated ones count."""


def read_puzzle(data: bytes | bytearray, budget: CheckBudget | None = None) -> CertifiedPuzzle:
    """Read a puzzle from the bytes of its JSON, or raise `Rejected` with everything that is wrong with it."""
    budget, findings = budget or CheckBudget(), CheckFindings()
    document = read_json("puzzle.json", data, budget)
    require(isinstance(document, dict), "puzzle.json: expected an object")
    try:
        return _puzzle_of_document(document, budget, findings)
    except Rejected as bad:  # of too many problems the first are listed, too
        raise Rejected(*dict.fromkeys((*findings.problems, *bad.args))) from bad


def _puzzle_of_document(document: dict[str, Any], budget: CheckBudget, findings: CheckFindings) -> CertifiedPuzzle:
    problems = findings.problems
    findings.add_problems(
        f"puzzle.json: {shown(key)} is not a field of a certified puzzle" for key in sorted(document.keys() - _FIELDS)
    )

    def read(path: str, parse: Callable[[Any], Any], data: Any) -> Any:
        budget.tick()
        try:
            return parse(data)
        except Rejected as bad:
            findings.add_problems(f"puzzle.json: {path}: {problem}" for problem in bad.args)
            return None

    format_, version = document.get("format", "sudoku-cp puzzle"), document.get("version", 1)
    right = format_ == "sudoku-cp puzzle" and is_number(version) and version == 1
    problems += [] if right else ["puzzle.json: expected a puzzle of version 1"]
    problems += [f"puzzle.json: {key}: expected a text" for key in _TEXTS if not isinstance(document.get(key, ""), str)]
    grid = read("grid", partial(read_grid, budget=budget), document.get("grid"))
    if grid is None:
        raise Rejected(*problems)
    rules = document.get("rules", ["houses"])
    if not isinstance(rules, list):
        problems.append("puzzle.json: rules: expected a list of rules")
        rules = []
    sizes = [size for _, size in map(measure, rules) if size <= MAX_INNER_RULES]  # a larger one is refused where it is read
    if sum(sizes) > MAX_RULES:
        raise CheckLimitReached(f"puzzle.json: more than {MAX_RULES:,} rules, copies counted")
    rules = [read(f"rules[{number}]", partial(read_rule, grid), one) for number, one in enumerate(rules)]
    givens = read("givens", partial(_read_by_cell, grid, grid.value), document.get("givens", {}))
    values = read("candidates", partial(_read_by_cell, grid, partial(_read_candidates, grid)), document.get("candidates", {}))
    if "symbols" in document:
        read("symbols", partial(_check_symbols, grid), document["symbols"])
    if problems:
        raise Rejected(*problems)
    own = {one.name: getattr(grid, one.name) for one in fields(CertifiedGrid)}
    return CertifiedPuzzle(**own, rules=rules, givens=givens, candidates=values, symbols=document.get("symbols"))


def _read_by_cell(grid: CertifiedGrid, read: Callable[[Any], Any], entries: Any) -> dict[int, Any]:
    """Read an object whose keys are names of cells."""
    require(isinstance(entries, dict), f"expected an object of cells, got {shown(entries)}")
    found = {grid.cell(name): read(data) for name, data in entries.items()}
    require(len(found) == len(entries), "a cell is named twice")
    return found


def _read_candidates(grid: CertifiedGrid, values: Any) -> set[int]:
    require(isinstance(values, list) and values, f"expected the candidates of a cell as a list of values, got {shown(values)}")
    return set(map(grid.value, values))


def _check_symbols(grid: CertifiedGrid, symbols: Any) -> None:
    """Raise `Rejected` if the signs for the values, which are only for people, are not as the format requires."""
    lowest, count = grid.values[0], len(grid.values)
    if isinstance(symbols, str):
        if symbols in {"digits", "letters", "hex"}:
            return
        require(len(symbols) == count, f"expected the name of an alphabet, or {count} signs, got {shown(symbols)}")
        symbols = {"signs": symbols}
    known = isinstance(symbols, dict) and not symbols.keys() - {"signs", "first"}
    require(known, f"expected signs and the first, got {shown(symbols)}")
    signs, first = symbols.get("signs"), symbols.get("first", lowest)
    require(isinstance(signs, str) and signs, f"expected signs as a text, got {shown(signs)}")
    require(is_number(first), f"expected the first value as a whole number, got {shown(first)}")
    require(len(set(signs)) == len(signs) and "." not in signs, f"expected different signs, and no '.', got {shown(signs)}")
    require(all(sign.isprintable() and sign != " " for sign in signs), f"expected visible signs, got {shown(signs)}")
    require(first <= lowest and lowest + count <= first + len(signs), f"expected a sign for every value, got {shown(signs)}")
