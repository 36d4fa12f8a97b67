"""Steps as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.logic.step_reasons import blockers_of
from sudoku_cp.logic.words import describe_group, describe_step
from sudoku_cp.logic.words.clue_words import clue_name
from sudoku_cp.logic.words.proof_words import clash_words, line_words
from sudoku_cp.logic.words.wording import Wording
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Grid
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.step import Candidate, ChainNode, Link, Step, Supposition
    from sudoku_cp.symbols import Symbols


def step_to_json(layout: Layout, symbols: Symbols, step: Step) -> dict[str, Any]:
    """Return the JSON fields of a step; values are integers, whatever symbols they are written with."""
    fields = {
        "technique": step.technique.title,
        "code": step.technique.code,
        "eliminations": _candidates_to_json(layout.grid, step.eliminations),
        "placements": _candidates_to_json(layout.grid, step.placements),
        "values": members(step.values),
        "cells": [layout.grid.cell_name(cell) for cell in members(step.cells)],
        "needs_uniqueness": step.needs_uniqueness,
        "proof": [describe_group(layout, symbols, group) for group in step.proof],
        "text": describe_step(layout, symbols, step),
    }
    pattern = step.pattern
    if blockers := blockers_of(layout, step).placed:
        fields["blockers"] = _candidates_to_json(layout.grid, blockers)
    if pattern.links:
        fields["links"] = [_link_to_json(layout, link) for link in pattern.links]
    if pattern.supposition:
        fields["supposition"] = _supposition_to_json(Wording(layout, symbols, step), pattern.supposition)
    return fields


def _link_to_json(layout: Layout, link: Link) -> dict[str, Any]:
    """Return a link as it is drawn: both of its nodes, its kind, and the clue by which it holds, if there is one."""
    clue = {} if link.part is None else {"clue": clue_name(layout, layout.parts[link.part])}
    return {
        "start": _node_to_json(layout.grid, link.start),
        "end": _node_to_json(layout.grid, link.end),
        "kind": "strong" if link.strong else "weak",
        **clue,
    }


def _node_to_json(grid: Grid, node: ChainNode) -> dict[str, Any]:
    return {"cells": [grid.cell_name(cell) for cell in members(node.cells)], "value": node.value}


def _supposition_to_json(say: Wording, supposition: Supposition) -> dict[str, Any]:
    """Return what is supposed, how deep, and the lines that follow, then those of each case."""
    cases = [_case_to_json(say, case) for case in supposition.cases]
    return {**_case_to_json(say, supposition), "depth": supposition.depth, **({"cases": cases} if cases else {})}


def _case_to_json(say: Wording, supposition: Supposition) -> dict[str, Any]:
    cell, value = supposition.candidate
    lines = [line_words(say, line) if line.forces else clash_words(say, line) for line in supposition.lines]
    return {"cell": say.cell(cell), "value": value, "lines": [line for line in lines if line]}


def _candidates_to_json(grid: Grid, candidates: Iterable[Candidate]) -> list[list[Any]]:
    return [[grid.cell_name(cell), value] for cell, value in candidates]
