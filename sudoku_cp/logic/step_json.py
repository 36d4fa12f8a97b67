"""Steps as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.logic.words import describe_group, describe_step
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Grid
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.step import Candidate, Step
    from sudoku_cp.symbols import Symbols


def step_to_json(layout: Layout, symbols: Symbols, step: Step) -> dict[str, Any]:
    """Return the JSON fields of a step; values are integers, whatever symbols they are written with."""
    return {
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


def _candidates_to_json(grid: Grid, candidates: Iterable[Candidate]) -> list[list[Any]]:
    return [[grid.cell_name(cell), value] for cell, value in candidates]
