"""The answer of ``check`` as JSON, and clashes as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import answer_to_json, cell_names, format_values, with_values
from sudoku_cp.rules.descriptions import describe_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Check, Conflict


def check_to_json(puzzle: Puzzle, checked: Check) -> dict[str, Any]:
    """Return the JSON fields of a check: those of its answer, and the reasons for it; empty ones are left out."""
    fields = answer_to_json(puzzle, checked.answer)
    if checked.conflict:
        fields["conflict"] = conflict_to_json(puzzle, checked.conflict)
    if checked.answer.status == "multiple":
        fields["differ"] = {puzzle.grid.cell_name(cell): [one, other] for cell, one, other in differing_values(checked)}
        fields["frozen"] = format_values(puzzle, checked.frozen)
        fields["additions"] = None if checked.additions is None else format_values(puzzle, checked.additions)
        fields["fewest"] = checked.fewest
    if checked.answer.status == "unique":
        fields["minimal"] = checked.minimal
        fields["unnecessary"] = format_values(puzzle, puzzle.givens, checked.unnecessary)
        fields["unnecessary_rules"] = [rule_to_json(puzzle, index) for index in checked.unnecessary_rules]
        fields["unnecessary_candidates"] = cell_names(puzzle, checked.unnecessary_candidates)
    if checked.undecided:
        fields["undecided"] = list(checked.undecided)
        fields["reason"] = checked.answer.reason or checked.reason
    return fields


def rule_to_json(puzzle: Puzzle, index: int) -> dict[str, Any]:
    """Return a rule of the puzzle; ``index`` counts its ``rules`` from 0."""
    rule = puzzle.rules[index]
    return {"kind": rule.kind, "part": describe_part(rule, puzzle.grid), "index": index}


def conflict_to_json(puzzle: Puzzle, conflict: Conflict) -> dict[str, Any]:
    """Return the JSON fields of a clash of the puzzle's givens."""
    fields = {"givens": format_values(puzzle, puzzle.givens, conflict.givens), "rules": list(conflict.rules)}
    fields |= with_values(candidates=cell_names(puzzle, conflict.candidates))
    return fields | {"minimal": conflict.minimal, "smallest": conflict.smallest}


def differing_values(checked: Check) -> Iterator[tuple[Cell, int, int]]:
    """Yield each cell in which the first two solutions differ, with its value in either."""
    one, other = checked.answer.solutions[:2]
    return ((cell, one[cell], other[cell]) for cell in checked.differ)
