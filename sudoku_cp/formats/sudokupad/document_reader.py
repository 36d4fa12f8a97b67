"""The puzzle of a SudokuPad document: its exact parts, and a warning about what it only draws.

SudokuPad shows puzzles to people; its lines, shapes and symbols have no meaning in the file. The exact parts are givens, regions,
cages with a sum or with different values, and texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.document_fields import ProblemCollector, is_empty, iter_elements, parse_whole_number, short_repr
from sudoku_cp.formats.fpuzzles.grid_fields import make_grid, read_solution
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.rules_in_words import describe_rules

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules import Rule

_DRAWN = ("lines", "arrows", "underlays", "overlays")
_PLAY = ("foglight", "fogofwar", "foglink", "triggereffect", "triggereffects")
_SILENT = {"id", "cellSize", "settings", "videos", "video", "src", "sudokuPad", "global", "metadata", "rules of the word"}
_RANGE = re.compile(r"\s*([0-9]{1,2})\s*-\s*([0-9]{1,2})\s*")
_NOTE = re.compile(r"([A-Za-z]+)\s*:\s*(.*)", re.DOTALL)
FLAGS = {"antiknight": "anti-knight", "antiking": "anti-king"}
_NOTES = {"title", "author", "rules", "solution", "values", *FLAGS}
"""The notes that are read."""
_MARKS = ("pencilMarks", "centremarks", "cornermarks", "candidates", "colours", "colors")
_TEXTS = {"title": "title", "author": "author", "rules": "ruleset"}


def puzzle_from_sudokupad(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a document, or raise `InvalidInput` with everything that is wrong with it."""
    if not isinstance(data, dict):
        raise InvalidInput(f"expected a SudokuPad document as a JSON object, got {short_repr(data)}")
    collector = ProblemCollector(warnings)
    rows = collector.require("cells", lambda: _parse_rows(data.get("cells")))
    cages = [one for _, one in collector.read("cages", lambda: list(iter_elements(data.get("cages") or [], "cages"))) or ()]
    notes = collector.read("", lambda: _read_notes(data, cages)) or {}
    grid = collector.require("regions", lambda: _make_grid(rows, data.get("regions"), _parse_values(notes)))
    givens = _read_givens(rows, collector)
    rules = (make_rule("houses"), *_rules_of_flags(data, notes), *_read_cages(cages, grid, collector))
    texts: dict[str, Any] = {
        field: collector.read(key, partial(_parse_text, notes.get(key))) or "" for key, field in _TEXTS.items()
    }
    if {*texts["ruleset"].splitlines()} == {*describe_rules(rules, grid).splitlines()}:  # ours, in whatever order the rules were
        texts["ruleset"] = ""
    solution = collector.read("solution", lambda: read_solution(notes.get("solution"), grid, warnings))
    _warn_of_unread(data, notes, collector)
    return collector.require("", lambda: Puzzle(grid, rules, givens, **texts, solution=solution))


# --- cells and regions ------------------------------------------------------------------------------------------


def _parse_rows(raw: Any) -> list[list[dict[str, Any]]]:
    if not isinstance(raw, list) or not raw:
        raise InvalidInput(f"expected an array of rows, got {short_repr(raw)}")
    columns = len(raw[0]) if isinstance(raw[0], list) else 0
    if not (1 <= len(raw) <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise InvalidInput(f"expected 1 to {MAX_SIDE} rows and columns, got {len(raw)} and {columns}")
    problems = []
    for number, row in enumerate(raw, 1):
        if not isinstance(row, list) or len(row) != columns:
            problems.append(f"row {number}: expected an array of {columns} cells, got {short_repr(row)}")
        elif strange := [one for one in row if not isinstance(one, dict | None)]:
            problems.append(f"row {number}: expected objects, got {short_repr(strange[0])}")
    if problems:
        raise InvalidInput(problems)
    return [[one or {} for one in row] for row in raw]


def usual_values(rows: int, columns: int, sizes: Iterable[int]) -> range:
    """Return the values of a board with regions of these sizes if no note states them."""
    return range(1, max(rows, columns, *(sizes if rows != columns else ())) + 1)


def _parse_values(notes: Mapping[str, Any]) -> range | None:
    """Return the values that a note states, None if none does."""
    found = _RANGE.fullmatch(str(notes.get("values", "")))
    return range(int(found[1]), int(found[2]) + 1) if found and int(found[1]) < int(found[2]) else None


def _make_grid(rows: list[list[dict[str, Any]]], raw: Any, values: range | None) -> Grid:
    """Return the grid with these regions."""
    labels: dict[Place, int] = {}
    size = (len(rows), len(rows[0]))
    for number, (path, region) in enumerate(iter_elements(raw or [], "regions")):
        for place in _parse_places(region, size, path):
            if place in labels:
                got = f"row {place[0] + 1}, column {place[1] + 1} twice"
                raise Unsupported(f"{path}: expected each cell in one region, got {got}")
            labels[place] = number
    outside = [f"row {row + 1}" for row in range(size[0]) if not any(place[0] == row for place in labels)]
    outside += [f"column {column + 1}" for column in range(size[1]) if not any(place[1] == column for place in labels)]
    if labels and outside:
        raise Unsupported(f"expected a grid whose rows and columns all have regions, got none in {', '.join(outside)}")
    found = [labels.get((row, column)) for row in range(size[0]) for column in range(size[1])]
    sizes = [found.count(label) for label in {*found} - {None}]
    return make_grid(*size, found, values or usual_values(*size, sizes))


def _parse_places(raw: Any, size: tuple[int, int], path: str) -> list[Place]:
    """Parse the places of cells: pairs of a row and a column from 0."""
    found = []
    for where, pair in iter_elements(raw, path):
        if not isinstance(pair, list) or len(pair) != 2:  # noqa: PLR2004
            raise InvalidInput(f"{where}: expected a row and a column, got {short_repr(pair)}")
        row, column = (parse_whole_number(number) for number in pair)
        if not (0 <= row < size[0] and 0 <= column < size[1]):
            expected = f"a cell of {size[0]} rows and {size[1]} columns, from 0"
            raise InvalidInput(f"{where}: expected {expected}, got {short_repr(pair)}")
        found.append((row, column))
    return found


def _read_givens(rows: list[list[dict[str, Any]]], collector: ProblemCollector) -> dict[Cell, int]:
    givens, entered, marked = {}, 0, 0
    for cell, entry in enumerate(entry for row in rows for entry in row):
        marked += any(not is_empty(entry.get(key)) for key in _MARKS)
        if is_empty(entry.get("value")):
            continue
        row, column = divmod(cell, len(rows[0]))
        value = collector.read(f"r{row + 1}c{column + 1}", partial(parse_whole_number, entry["value"], "a value"))
        if entry.get("given") is False:
            entered += 1
        elif value is not None:
            givens[cell] = value
    if entered:
        collector.warnings.append(f"values that a player has filled in are not read: {entered}")
    if marked:
        collector.warnings.append(f"not read: pencil marks and colours in {marked} cell{'s' * (marked > 1)}")
    return givens


# --- cages, which are also notes --------------------------------------------------------------------------------


def _read_cages(cages: list[Any], grid: Grid, collector: ProblemCollector) -> Iterator[Rule]:
    """Yield the rules of cages that have a meaning, and warn of the others."""
    drawn = 0
    for number, cage in enumerate(cages, 1):
        path = f"cages[{number}]"
        if not isinstance(cage, dict):
            collector.problems.append(f"{path}: expected an object, got {short_repr(cage)}")
        elif not is_empty(cage.get("cells")):
            rule = collector.read(path, partial(_rule_of_cage, cage, grid))
            drawn += rule is None and not cage.get("hidden")
            if rule:
                yield rule
    if drawn:
        collector.warnings.append(f"{drawn} cage{'s' * (drawn > 1)} whose meaning the drawing does not show")


def _rule_of_cage(cage: Mapping[str, Any], grid: Grid) -> Rule | None:
    """Return the rule of a cage: a sum, different values, or both; None if it is only drawn."""
    size = (grid.boards[0].rows, grid.boards[0].columns)
    cells = tuple(grid.cell_at[place] for place in _parse_places(cage["cells"], size, "cells"))
    unique, raw = cage.get("unique"), cage.get("sum")
    if cage.get("style") not in {None, "", "killer"}:
        return None
    if is_empty(raw) and unique is not False and re.fullmatch(r"\s*[0-9]{1,6}\s*", str(cage.get("value"))):
        raw = cage["value"]
    total = None if is_empty(raw) else parse_whole_number(raw, "a sum")
    if unique is False:
        return None if total is None else make_rule("sum-cage", cells, total)
    if total is None and (unique is not True or not is_empty(cage.get("value"))):
        return None
    return make_rule("killer-cage", cells, total or None)


def _read_notes(data: Mapping[str, Any], cages: list[Any]) -> dict[str, Any]:
    """Return the notes about the puzzle, from its field ``metadata`` and from cages without cells."""
    raw = data.get("metadata") or {}
    if not isinstance(raw, dict):
        raise InvalidInput(f"metadata: expected an object, got {short_repr(raw)}")
    notes = dict(raw)
    for cage in cages:
        if isinstance(cage, dict) and is_empty(cage.get("cells")) and isinstance(cage.get("value"), str):
            note = _NOTE.match(cage["value"])
            if note and isinstance(notes.setdefault(note[1].lower(), note[2]), str) and notes[note[1].lower()] != note[2]:
                notes[note[1].lower()] += f"\n{note[2]}"
    return notes


def _parse_text(raw: Any) -> str:
    if isinstance(raw, list):
        raw = "\n".join(_parse_text(one) for one in raw)
    if not is_empty(raw) and not isinstance(raw, str | int):
        raise InvalidInput(f"expected a text, got {short_repr(raw)}")
    return "" if is_empty(raw) else str(raw)


def _rules_of_flags(data: Mapping[str, Any], notes: Mapping[str, Any]) -> Iterator[Rule]:
    whole_grid = data.get("global")
    on = [flag for flag in whole_grid if isinstance(flag, str)] if isinstance(whole_grid, list | dict) else []
    for flag, kind in FLAGS.items():
        if notes.get(flag) in (True, "true") or flag in on:
            yield make_rule(kind)
    yield from (make_rule(kind) for kind in data.get("rules of the word", ()))


def _warn_of_unread(data: Mapping[str, Any], notes: Mapping[str, Any], collector: ProblemCollector) -> None:
    counts = [(key, len(data[key])) for key in _DRAWN if isinstance(data.get(key), list) and data[key]]
    if counts:
        drawings = ", ".join(f"{count} {key if count > 1 else key[:-1]}" for key, count in counts)
        collector.warnings.append(f"{drawings} whose meaning the drawing does not show")
    play = [key for key in _PLAY if not is_empty(data.get(key))]
    if play:
        collector.warnings.append(f"what only matters in play is not read: {', '.join(play)}")
    known = {"cells", "regions", "cages", *_DRAWN, *_PLAY, *_SILENT}
    unknown = [f"{key!r:.40}" for key, raw in data.items() if key not in known and not is_empty(raw)]
    read = _NOTES if _parse_values(notes) else _NOTES - {"values"}
    unknown += [f"{key!r:.40}" for key, raw in notes.items() if key not in read and not is_empty(raw)]
    if unknown:
        collector.warnings.append(f"not read: {', '.join(unknown[:20])}")
