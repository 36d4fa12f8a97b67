"""The SudokuPad document of a puzzle from exact parts alone: board, givens, texts, cages, anti-knight and anti-king.

SudokuPad has no place for the values of a board: they are a note of our own (``values: 0-8``) if they are not the usual ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.sudokupad.document_reader import FLAGS, puzzle_from_sudokupad, usual_values
from sudoku_cp.puzzle.rules_in_words import describe_rules

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle import Puzzle


def puzzle_to_sudokupad(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of the puzzle; raise `Unsupported` with everything that it cannot express."""
    data = document_without_rules(puzzle)
    rules = [rule for rule in puzzle.rules if rule.kind != "houses"]
    refused = [rule.kind for rule in rules if not add_exact_rule(rule, puzzle.grid, data)]
    if not refused:
        refused = list(_what_changes(puzzle, data))
    if refused:
        counts = ", ".join(f"{kind} ({count})" if count > 1 else kind for kind, count in Counter(refused).items())
        raise Unsupported(f"expected rules that SudokuPad itself knows, got {counts}")
    return data


def _what_changes(puzzle: Puzzle, data: dict[str, Any]) -> Iterator[str]:
    """Yield what changes when the document is read back."""
    try:
        back = puzzle_from_sudokupad(data, [])
    except InvalidInput as error:
        raise Unsupported([f"expected a puzzle that SudokuPad itself can express; {one}" for one in error.problems]) from error
    yield from (rule.kind for rule in puzzle.rules if rule not in back.rules)
    if _grid_meaning(back.grid) != _grid_meaning(puzzle.grid):
        yield "its regions"


def _grid_meaning(grid: Grid) -> tuple[object, ...]:
    """Return what defines a grid, whether its regions are called boxes or not."""
    return grid.places, grid.values, {frozenset(house) for house in grid.houses.values()}


def document_without_rules(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document without rules; raise `Unsupported` with everything that SudokuPad has no place for."""
    _require_board(puzzle)
    grid = puzzle.grid
    data: dict[str, Any] = {"cellSize": 50, "metadata": _make_notes(puzzle), "cells": _make_cells(puzzle)}
    data["regions"] = [[list(grid.places[cell]) for cell in region] for region in grid.regions]
    data |= {key: [] for key in ("cages", "lines", "arrows", "underlays", "overlays")}
    return data


def add_exact_rule(rule: Any, grid: Grid, data: dict[str, Any]) -> bool:
    """Add the exact piece of a rule to the document; return whether there is one."""
    flag = next((flag for flag, kind in FLAGS.items() if kind == rule.kind and rule == type(rule)()), None)
    cage = _cage_of_rule(rule, grid)
    if flag:
        data["metadata"][flag] = True
    if cage:
        data["cages"].append(cage)
    return bool(flag or cage)


def _require_board(puzzle: Puzzle) -> None:
    problems = []
    if len(puzzle.grid.boards) > 1 or puzzle.grid.boards[0].at != (0, 0):
        problems.append(f"one board, got {puzzle.grid}")
    if puzzle.candidates:
        problems.append("no candidates, got some")
    if not any(rule.kind == "houses" for rule in puzzle.rules):
        problems.append("the rule houses, got a puzzle without it")
    if problems:
        raise Unsupported([f"expected for the format 'sudokupad' {one} (json can express everything)" for one in problems])


def _make_notes(puzzle: Puzzle) -> dict[str, Any]:
    words = puzzle.ruleset or describe_rules(puzzle.rules, puzzle.grid)
    values = puzzle.grid.values
    notes = {"title": puzzle.title, "author": puzzle.author, "rules": words}
    if puzzle.solution is not None:
        width = len(str(values[-1]))
        notes["solution"] = "".join(f"{value:0{width}}" for value in puzzle.solution)
    board = puzzle.grid.boards[0]
    if values != usual_values(board.rows, board.columns, map(len, puzzle.grid.regions)):
        notes["values"] = f"{values[0]}-{values[-1]}"
    return {name: value for name, value in notes.items() if value}


def _make_cells(puzzle: Puzzle) -> list[list[dict[str, Any]]]:
    columns = puzzle.grid.boards[0].columns
    entries: list[dict[str, Any]] = [
        {"value": puzzle.givens[cell]} if cell in puzzle.givens else {} for cell in puzzle.grid.cells
    ]
    return [entries[start : start + columns] for start in range(0, len(entries), columns)]


def _cage_of_rule(rule: Any, grid: Grid) -> dict[str, Any] | None:
    """Return the cage that expresses the rule exactly, if there is one."""
    if rule.kind not in {"killer-cage", "sum-cage"} or len(set(rule.cells)) < len(rule.cells) or rule.total == 0:
        return None
    if rule.kind == "sum-cage" and rule.factors:
        return None
    cage: dict[str, Any] = {"cells": [list(grid.places[cell]) for cell in rule.cells], "unique": rule.kind == "killer-cage"}
    return cage if rule.total is None else cage | {"sum": rule.total, "value": str(rule.total)}
