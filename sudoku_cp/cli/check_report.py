"""The report of ``check``: JSON for programs, sentences and a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.cli import output
from sudoku_cp.grid import Cell
from sudoku_cp.model import members
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules.descriptions import describe_part, describe_rule
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from sudoku_cp.queries import Check, Conflict

MOST_NAMES = 12
"""Names in a sentence at most; JSON and tables have all."""
_TOGETHER = {1: "", 2: " both"}


def _format_values(puzzle: Puzzle, values: Mapping[Cell, int], cells: Iterable[Cell] | None = None) -> list[str]:
    """Return ``r1c1=5`` for each cell."""
    chosen = values if cells is None else cells
    return [f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(values[cell])}" for cell in chosen]


# --- for programs -----------------------------------------------------------------------------------------------


def check_to_json(puzzle: Puzzle, checked: Check) -> dict[str, Any]:
    """Return the JSON fields of a check besides those of its answer; empty ones are left out."""
    fields: dict[str, Any] = {}
    if checked.conflict:
        fields["conflict"] = conflict_to_json(puzzle, checked.conflict)
    if checked.answer.status == "multiple":
        fields["differ"] = {puzzle.grid.cell_name(cell): [one, other] for cell, one, other in _differing_values(checked)}
        fields["frozen"] = _format_values(puzzle, checked.frozen)
        fields["additions"] = None if checked.additions is None else _format_values(puzzle, checked.additions)
        fields["fewest"] = checked.fewest
    if checked.answer.status == "unique":
        fields["minimal"] = checked.minimal
        fields["unnecessary"] = _format_values(puzzle, puzzle.givens, checked.unnecessary)
        fields["unnecessary_rules"] = [_rule_to_json(puzzle, index) for index in checked.unnecessary_rules]
        fields["unnecessary_candidates"] = output.cell_names(puzzle, checked.unnecessary_candidates)
    if checked.undecided:
        fields["undecided"] = list(checked.undecided)
        fields["reason"] = checked.answer.reason or checked.reason
    return fields


def _rule_to_json(puzzle: Puzzle, index: int) -> dict[str, Any]:
    """Return a rule of the puzzle; ``index`` counts its ``rules`` from 0."""
    rule = puzzle.rules[index]
    return {"kind": rule.kind, "part": describe_part(rule, puzzle.grid), "index": index}


def conflict_to_json(puzzle: Puzzle, conflict: Conflict) -> dict[str, Any]:
    """Return the JSON fields of a clash of the puzzle's givens."""
    fields = {"givens": _format_values(puzzle, puzzle.givens, conflict.givens), "rules": list(conflict.rules)}
    fields |= output.with_values(candidates=output.cell_names(puzzle, conflict.candidates))
    return fields | {"minimal": conflict.minimal, "smallest": conflict.smallest}


def _differing_values(checked: Check) -> Iterator[tuple[Cell, int, int]]:
    """Yield each cell in which the first two solutions differ, with its value in either."""
    one, other = checked.answer.solutions[:2]
    return ((cell, one[cell], other[cell]) for cell in checked.differ)


# --- for people -------------------------------------------------------------------------------------------------


def check_sentences(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    """Yield the findings, a sentence each; a limit is named in the sentence about what it left undecided."""
    match checked.answer.status:
        case "none":
            yield _clash_sentence(puzzle, checked)
        case "multiple":
            yield from _ambiguity_sentences(puzzle, checked)
        case "unique":
            yield minimality_sentence(checked)
            yield from (sentence for need in needs(puzzle, checked) for sentence in need.sentences())


def _undecided_clause(checked: Check) -> str:
    return f"undecided, as the limit ({checked.reason}) came first"


def _clash_sentence(puzzle: Puzzle, checked: Check) -> str:
    """Return ``clash: r1c1=1 and r1c2=1 cannot both stand in row 1``, and whether fewer clash."""
    conflict = checked.conflict
    if conflict is None:
        return f"clash: what clashes is {_undecided_clause(checked)}"
    words = clash_words(puzzle, conflict)
    if conflict.smallest:
        return f"clash: {words}; no fewer clash"
    if conflict.minimal:
        return f"clash: {words}; none of these can be left out, and whether fewer others clash is {_undecided_clause(checked)}"
    return f"clash: {words}; which of these could be left out is {_undecided_clause(checked)}"


def clash_words(puzzle: Puzzle, conflict: Conflict) -> str:
    """Return ``r1c1=1 and r1c2=1 cannot both stand in row 1``: the givens of the puzzle, or entries, that clash."""
    givens = _format_values(puzzle, puzzle.givens, conflict.givens)
    givens += [f"the candidates of {name}" for name in output.cell_names(puzzle, conflict.candidates)]
    rules = [rule.removesuffix(" (houses)") for rule in conflict.rules]
    if not givens:
        return f"the rules by themselves: {_join_names(rules)}"
    clash = f"{_join_names(givens)} cannot{_TOGETHER.get(len(givens), ' all')} stand"
    if len(rules) == 1 and rules[0] != conflict.rules[0]:
        return f"{clash} in {rules[0]}"
    return f"{clash}: {_join_names(rules)} {'forbids' if len(rules) == 1 else 'forbid'} it" if rules else clash


def _join_names(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1} more"]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _ambiguity_sentences(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    sign, name = puzzle.symbols.sign, puzzle.grid.cell_name
    both = [f"{name(cell)}={sign(one)}|{sign(other)}" for cell, one, other in _differing_values(checked)]
    yield f"two solutions differ in {len(both)} cells (the one's value | the other's): {' '.join(both)}"
    same = "the same in every solution, besides the givens"
    if "frozen" in checked.undecided:
        yield f"{same}: {_undecided_clause(checked)}"
    else:
        yield f"{same}: {' '.join(_format_values(puzzle, checked.frozen)) or 'nothing'}"
    if checked.additions is None:
        yield f"the further givens that would leave one solution: {_undecided_clause(checked)}"
        return
    number = len(checked.additions)
    words = "further given" if number == 1 else "further givens"
    least = ", and no fewer," if checked.fewest else f" (whether fewer do is {_undecided_clause(checked)})"
    yield f"{number} {words}{least} would leave one solution: {' '.join(_format_values(puzzle, checked.additions))}"


# --- what is needed ---------------------------------------------------------------------------------------------


def minimality_sentence(checked: Check) -> str:
    """Say whether every given of a puzzle with one solution is needed."""
    if checked.minimal:
        return "minimal: every given is needed"
    if checked.minimal is None:
        return f"minimal: {_undecided_clause(checked)}"
    return "not minimal: some givens can be left out, each alone"


@dataclass(frozen=True)
class Need:
    """The givens, rules or candidates of a puzzle: their number, the names of those not needed, and of those undecided."""

    kind: str
    number: int
    spare: list[str]
    undecided: list[str]
    limit: str

    def sentences(self) -> Iterator[str]:
        """Yield which can be left out, and for which that is undecided."""
        if self.spare:
            yield f"each of these {self.kind} can be left out alone: {', '.join(self.spare)}"
        if self.undecided:
            yield f"whether these {self.kind} can be left out is {self.limit}: {', '.join(self.undecided)}"

    def row(self) -> dict[str, str]:
        """Return the row of a table."""
        needed = self.number - len(self.spare) - len(self.undecided)
        separator = "\n" if self.kind == "rules" else " "
        row = {"": self.kind, "needed": f"{needed} of {self.number}", "can be left out, each alone": separator.join(self.spare)}
        return row | {self.limit: separator.join(self.undecided)}


def needs(puzzle: Puzzle, checked: Check) -> list[Need]:
    """Return what a puzzle with one solution needs: of its givens, its rules other than houses, and its candidates."""
    limit = _undecided_clause(checked)
    rules = sum(not isinstance(rule, Houses) for rule in puzzle.rules)
    givens, cells = partial(_format_values, puzzle, puzzle.givens), partial(_format_candidates, puzzle)
    return [
        Need("givens", len(puzzle.givens), givens(checked.unnecessary), givens(checked.undecided_givens), limit),
        Need(
            "rules",
            rules,
            _describe_rules(puzzle, checked.unnecessary_rules),
            _describe_rules(puzzle, checked.undecided_rules),
            limit,
        ),
        Need(
            "candidates",
            len(puzzle.candidates),
            cells(checked.unnecessary_candidates),
            cells(checked.undecided_candidates),
            limit,
        ),
    ]


def needs_table(puzzle: Puzzle, checked: Check) -> list[dict[str, str]]:
    """Return the rows of a table of what is needed; none if the puzzle has only givens and needs them all."""
    found = needs(puzzle, checked)
    if checked.minimal and not any(need.number for need in found[1:]):
        return []
    is_open = any(need.undecided for need in found)
    return [{name: cell for name, cell in need.row().items() if is_open or name != need.limit} for need in found]


def _describe_rules(puzzle: Puzzle, which: Iterable[int]) -> list[str]:
    return [describe_rule(puzzle.rules[index], puzzle.grid) for index in which]


def _format_candidates(puzzle: Puzzle, cells: Iterable[Cell]) -> list[str]:
    """Return ``r1c1=1/2`` for each cell."""
    signs = {cell: map(puzzle.symbols.sign, members(puzzle.candidates[cell])) for cell in cells}
    return [f"{puzzle.grid.cell_name(cell)}={'/'.join(own)}" for cell, own in signs.items()]
