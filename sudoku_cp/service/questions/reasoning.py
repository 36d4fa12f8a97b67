"""The questions about what a person could deduce: rate, hint, steps, explain."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.explanations import explanation_to_json
from sudoku_cp.answer_json.hints import hint_to_json
from sudoku_cp.answer_json.paths import path_to_json
from sudoku_cp.errors import InvalidInput, LimitReached, Problem
from sudoku_cp.logic.explanations import explain as explain_value
from sudoku_cp.logic.hint_search import hint as find_hint
from sudoku_cp.logic.hints import HintLevel
from sudoku_cp.logic.paths import PathFinder
from sudoku_cp.logic.rating import ratings
from sudoku_cp.logic.rating.ratings_json import ratings_to_json
from sudoku_cp.logic.rungs import LAST_RESORT, RUNGS, rungs_named
from sudoku_cp.service.questions.asked import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.explanations import Explanation
    from sudoku_cp.logic.rungs import Rung
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.service.pool.tasks import Control


def rate(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Rate the puzzle on several scales."""
    asked = Asked(body, control)
    puzzle = asked.puzzle()
    scales = asked.read(lambda: ratings.parse_scales(asked.get("scale", ratings.EVERY)), ratings.SCALES, "scale")
    asked.end()
    found = ratings.rate(puzzle, scales, ways=bool(asked.get("ways")), limits=asked.limits())
    return ratings_to_json(found) | asked.remarks()


def hint(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Give the next step, in as much detail as ``level`` asks for."""
    asked = Asked(body, control)
    position = asked.position()
    asked.end()
    found = find_hint(position, skip=asked.get("skip", 0), limits=asked.limits())
    return hint_to_json(found, HintLevel(asked.get("level", 1))) | asked.remarks()


def steps(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Return the steps that a person could take: a path, or with ``all`` every step that is possible now."""
    asked = Asked(body, control)
    position, state = asked.position(), asked.record().state
    every = bool(asked.get("all"))
    rungs = _rungs(asked) or ([*RUNGS] if every else [*RUNGS, LAST_RESORT])
    asked.end()
    searched = state.values if state and asked.get("position") is None else None
    finder = PathFinder(position, asked.limits(), searched=searched)
    path = finder.possible(rungs) if every else finder.path(rungs)
    return path_to_json(path) | asked.remarks()


def _rungs(asked: Asked) -> list[Rung]:
    """Return the techniques that are asked for, none for all of them."""
    names = asked.get("technique", [])
    several = [names] if isinstance(names, str) else names
    found: list[Rung] = []
    for index, name in enumerate(several):
        place = ("technique",) if isinstance(names, str) else ("technique", index)
        found += asked.read(partial(rungs_named, [name]), [], *place)
    return list(dict.fromkeys(found))


def explain(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Say why a cell cannot hold a value, or that it can."""
    asked = Asked(body, control)
    position = asked.position()
    puzzle, cell, value = position.puzzle, 0, 0
    if asked.is_readable:
        cell = asked.read(lambda: _parse_cell(puzzle, asked.get("cell", "")), 0, "cell")
        value = asked.read(lambda: _parse_value(puzzle, asked.get("value")), 0, "value")
    asked.end()
    patience, limits = asked.get("patience", 1.0), asked.limits()
    try:
        found: Explanation | LimitReached = explain_value(position, cell, value, patience=patience, limits=limits)
    except LimitReached as reached:
        found = reached
    return {"answers": [explanation_to_json(puzzle, (cell, value), found)]} | asked.remarks()


def _parse_cell(puzzle: Puzzle, name: str) -> Cell:
    try:
        return puzzle.grid.parse_cell(name)
    except InvalidInput as error:
        raise InvalidInput(Problem(problem, cell=name[:20]) for problem in error.problems) from error


def _parse_value(puzzle: Puzzle, sent: int | str | None) -> int:
    """Return a value, which is sent as a number or as its sign in the puzzle."""
    value = puzzle.symbols.parse(sent) if isinstance(sent, str) else sent
    if value is None or value not in puzzle.grid.values:
        raise InvalidInput(f"expected a value of the puzzle, got {sent!r:.40}")
    return value
