"""What answers share: an answer of a query as JSON, an error in the place of one, names of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.puzzle import puzzle_to_short_json, solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.errors import SudokuError
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer


def answer_to_json(puzzle: Puzzle, answer: Answer) -> dict[str, Any]:
    """Return the JSON fields of an answer; empty ones are left out."""
    fields: dict[str, Any] = {
        "puzzle": puzzle_to_short_json(puzzle),
        "status": answer.status,
        "solutions": [solution_to_short_json(puzzle, solution) for solution in answer.solutions],
        "count": answer.count,
        "exact": answer.exact,
        "backend": answer.backend,
        "seconds": round(answer.seconds, 6),
    }
    fields |= with_values(reason=answer.reason, partial=answer.partial, stated_solution=answer.stated)
    return fields | {"counters": dict(answer.counters)}


def with_values(**fields: Any) -> dict[str, Any]:
    """Return those of the JSON fields that are not empty."""
    return {name: value for name, value in fields.items() if value}


def error_to_json(error: SudokuError) -> dict[str, Any]:
    """Return the JSON fields of a record that could not be read, or at which an engine failed."""
    message = str(error).encode("utf-8", "backslashreplace").decode()  # bytes that are not text stay visible
    return {"status": "error", "error": message}


def cell_names(puzzle: Puzzle, cells: Iterable[Cell]) -> list[str]:
    """Return the names of cells."""
    return [puzzle.grid.cell_name(cell) for cell in cells]


def format_values(puzzle: Puzzle, values: Mapping[Cell, int], cells: Iterable[Cell] | None = None) -> list[str]:
    """Return ``r1c1=5`` for each cell, or for some ``cells``."""
    chosen = values if cells is None else cells
    return [f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(values[cell])}" for cell in chosen]
