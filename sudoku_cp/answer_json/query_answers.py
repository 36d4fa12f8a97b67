"""Answers of queries as JSON: candidates, checks, comparisons of engines, path trees, readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from sudoku_cp.answer_json.fields import answer_to_json, cell_names, format_values, with_values
from sudoku_cp.backends.search_tree import Fate
from sudoku_cp.errors import BackendFailed, InvalidInput, ParseError, Problem, SudokuError, Unsupported
from sudoku_cp.model import cells_of, members
from sudoku_cp.puzzle import Puzzle, from_json, puzzle_to_short_json, solution_to_short_json
from sudoku_cp.queries import Answer
from sudoku_cp.rules.descriptions import describe_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.backends.search_tree import Node, PathTree
    from sudoku_cp.compare import Comparison, Verdict
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain
    from sudoku_cp.queries import Check, Conflict, TrueCandidates


def candidates_to_json(found: TrueCandidates, *, partial: bool) -> dict[str, Any]:
    """Return the JSON fields of an answer; values are integers, whatever symbols they are written with."""
    puzzle = found.puzzle
    allowed = puzzle.assume()
    excluded = [domain & allowed.get(cell, -1) for cell, domain in enumerate(found.impossible)]
    fields: dict[str, Any] = {
        "puzzle": puzzle_to_short_json(puzzle),
        "status": found.status,
        "solutions": [solution_to_short_json(puzzle, solution) for solution in found.solutions[:2]],
        "count": len(found.solutions),
        "exact": found.complete and found.status in {"unique", "none"},
        "candidates": _domains_to_json(puzzle, found.possible),
    }
    if found.cap > 1:
        fields |= {"cap": found.cap, "counts": _counts_to_json(found)}
    fields |= {
        "forced": {puzzle.grid.cell_name(cell): value for cell, value in found.forced.items()},
        "impossible": _domains_to_json(puzzle, excluded),
        "undecided": _domains_to_json(puzzle, found.undecided),
        "complete": found.complete,
        "backend": found.backend,
        "calls": found.calls,
        "seconds": round(found.seconds, 6),
    }
    return fields | with_values(reason=found.reason, partial=partial)


def _domains_to_json(puzzle: Puzzle, sets: Sequence[Domain]) -> dict[str, list[int]]:
    return {puzzle.grid.cell_name(cell): list(members(domain)) for cell, domain in enumerate(sets) if domain}


def _counts_to_json(found: TrueCandidates) -> dict[str, dict[str, int]]:
    counted = enumerate(found.counts)
    return {
        found.puzzle.grid.cell_name(cell): {str(value): counts[value] for value in sorted(counts)}
        for cell, counts in counted
        if counts
    }


# The answer of ``check`` as JSON, and clashes as JSON.


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


# The verdicts of several engines on puzzles as JSON.


def comparison_to_json(compared: Comparison) -> dict[str, Any]:
    """Return the JSON fields of a comparison: each engine's tally, and every disagreement with the least puzzle that shows it."""
    return {
        "puzzles": compared.puzzles,
        "agreed": compared.agreed if compared.puzzles else None,
        "disagreed": compared.disagreed,
        "unknown": compared.unknown,
        "refused": compared.refused,
        "failed": compared.failed,
        "backends": [
            tally.to_json() | with_values(failure=compared.failures.get(tally.engine, "")) for tally in compared.tallies
        ],
        "disagreements": [
            {
                "index": one.index,
                "puzzle": puzzle_to_short_json(one.puzzle),
                "verdicts": verdicts_to_json(one.puzzle, one.verdicts),
                "shrunk": puzzle_to_short_json(one.least),
                "shrunk_verdicts": verdicts_to_json(one.least, one.least_verdicts),
            }
            for one in compared.disagreements
        ],
    }


def verdicts_to_json(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the verdicts as plain data."""
    return [_verdict_to_json(puzzle, verdict) for verdict in verdicts]


def _verdict_to_json(puzzle: Puzzle, verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {"backend": verdict.engine, "status": verdict.status}
    if verdict.answer:
        fields["solutions"] = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions]
    return fields | ({"error": verdict.problem} if verdict.problem else {})


# The path tree of a search as columns: a few arrays say of 10,000 nodes in 200 kB what objects would say in megabytes.


FATES: tuple[str, ...] = get_args(Fate)
KINDS = ("root", "guessed")
NONE = -1
"""What stands for no parent, no cell, no reason."""


def tree_to_json(puzzle: Puzzle, tree: PathTree) -> dict[str, Any]:
    """Return the tree as columns, an entry a node: the root, then the guesses in the order of the search, parents first.

    ``parent`` is the index of a node, ``depth`` the guesses above it, ``cell`` a number (auxiliary cells of rules follow those
    of the board), ``kind`` and ``fate`` indices of ``kinds`` and ``fates``. ``forced`` has for each node what followed from it:
    cell, value and reason, three numbers for each placement. ``contradiction`` and those reasons are indices of ``reasons``;
    ``reason_cells`` has the cells of the board that each of them speaks of. -1 stands for none.
    """
    runs = _runs(tree)
    index_of = {run[0].number: index for index, run in enumerate(runs)}
    head_of = {node.number: run[0].number for run in runs for node in run}
    parents = [NONE if run[0].parent is None else index_of[head_of[run[0].parent]] for run in runs]
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent == NONE else depths[parent] + 1)
    reasons = _Reasons(puzzle)
    return {
        "stopped": tree.stopped,
        "kinds": list(KINDS),
        "fates": list(FATES),
        "cells": [puzzle.grid.cell_name(cell) for cell in puzzle.grid.cells],
        "parent": parents,
        "depth": depths,
        "cell": [_or_none(run[0].cell) for run in runs],
        "value": [_or_none(run[0].value) for run in runs],
        "kind": [KINDS.index(run[0].kind) for run in runs],
        "fate": [FATES.index(run[-1].fate) for run in runs],
        "forced": [
            [number for node in run[1:] for number in (_or_none(node.cell), _or_none(node.value), reasons.index(node.reason))]
            for run in runs
        ],
        "contradiction": [reasons.index(run[-1].contradiction) for run in runs],
        "reasons": reasons.texts,
        "reason_cells": reasons.cells,
    }


def _or_none(number: int | None) -> int:
    return NONE if number is None else number


def _runs(tree: PathTree) -> list[list[Node]]:
    """Return each guess, and the root, with the placements that it forced, in the order of the search."""
    run_of: dict[int, list[Node]] = {}
    runs: list[list[Node]] = []
    for node in tree.nodes:
        if node.kind == "forced" and node.parent is not None:
            run = run_of[node.parent]
        else:
            run = []
            runs.append(run)
        run.append(node)
        run_of[node.number] = run
    return runs


class _Reasons:
    """The statements that a tree refers to, each once: their texts, and their cells on the board."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._statements = puzzle.model().statements
        self._board = puzzle.grid.cells
        self._known: dict[int, int] = {}
        self.texts: list[str] = []
        self.cells: list[list[int]] = []

    def index(self, statement: int | None) -> int:
        """Return the index of a statement's text."""
        if statement is None:
            return NONE
        if statement not in self._known:
            self._known[statement] = len(self.texts)
            found = self._statements[statement]
            self.texts.append(str(found))
            self.cells.append(sorted(cell for cell in {*cells_of(found.constraint)} if cell in self._board))
        return self._known[statement]


# The answer to ``solve``, and errors, read back from JSON.


def answer_from_json(told: Mapping[str, Any], puzzle: Puzzle | None = None) -> Answer:
    """Return the answer that an object of ``solve`` holds; the ``puzzle`` is read from it unless given."""
    text = told["puzzle"]
    asked = puzzle or (Puzzle.parse(text) if isinstance(text, str) else from_json(text))
    return Answer(
        status=told["status"],
        count=told.get("count", 0),
        exact=told.get("exact", False),
        backend=told.get("backend", ""),
        seconds=told.get("seconds", 0.0),
        solutions=tuple(_solution(asked, one) for one in told.get("solutions", ())),
        reason=told.get("reason"),
        stated=told.get("stated_solution"),
        counters=told.get("counters", {}),
    )


def error_from_json(status: int, told: Mapping[str, Any]) -> SudokuError:
    """Return the error that a problem of the service (RFC 9457) stands for, by its HTTP status."""
    kinds: dict[int, type[InvalidInput]] = {kind.http_status: kind for kind in (ParseError, Unsupported)}
    if status >= SudokuError.http_status and status not in kinds:
        return BackendFailed(f"{told['detail']} (request {told.get('instance')})")
    problems = [Problem(one["detail"], _steps(one["pointer"]), one.get("cell", "")) for one in told.get("errors", ())]
    return kinds.get(status, InvalidInput)(problems or told["detail"])


def _steps(pointer: str) -> list[str]:
    """Return the steps of a JSON pointer."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _solution(puzzle: Puzzle, told: str | dict[str, int]) -> tuple[int, ...]:
    """Return the values of a solution in the order of the cells."""
    if isinstance(told, dict):
        return tuple(told[puzzle.grid.cell_name(cell)] for cell in puzzle.grid.cells)
    values = [puzzle.symbols.parse(sign) for sign in told]
    if len(values) != len(puzzle.grid.cells):
        raise Unsupported("expected a value for every cell, got a solution without the cells beside the board")
    return tuple(value for value in values if value is not None)
