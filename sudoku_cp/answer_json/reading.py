"""The answer to ``solve``, and errors, read back from JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import BackendFailed, InvalidInput, ParseError, Problem, SudokuError, Unsupported
from sudoku_cp.puzzle import Puzzle, from_json
from sudoku_cp.queries import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping


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
