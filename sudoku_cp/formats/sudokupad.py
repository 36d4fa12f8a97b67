"""The documents of SudokuPad (plain JSON data): read, written with its exact parts alone, and drawn for people."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, assert_never

from sudoku_cp.cosmetics import Cage, Chevron, Clue, Dot, DrawnArrow, Line, Mark, Pill, Shade, unconditional_drawables
from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.document_fields import ProblemCollector, is_empty, iter_elements, parse_whole_number, short_repr
from sudoku_cp.formats.drawing_fields import DrawingCollector
from sudoku_cp.formats.fpuzzles.document import make_grid, read_solution
from sudoku_cp.formats.sudokupad_drawings import DRAWN, PIXELS, drawn_cage, drawn_piece, read_drawings
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.rules_in_words import describe_rules

if TYPE_CHECKING:
    from sudoku_cp.cosmetics import Drawable
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules import Rule


# The puzzle of a SudokuPad document: its exact parts, and a warning about what it only draws.
#
# SudokuPad shows puzzles to people; its lines, shapes and symbols have no meaning in the file. The exact parts are givens,
# regions, cages with a sum or with different values, and texts.


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
    drawn = DrawingCollector(grid)
    read_drawings(data, drawn)
    rules = (make_rule("houses"), *_rules_of_flags(data, notes), *_read_cages(cages, grid, collector, drawn))
    texts: dict[str, Any] = {
        field: collector.read(key, partial(_parse_text, notes.get(key))) or "" for key, field in _TEXTS.items()
    }
    if {*texts["ruleset"].splitlines()} == {*describe_rules(rules, grid).splitlines()}:  # ours, in whatever order the rules were
        texts["ruleset"] = ""
    solution = collector.read("solution", lambda: read_solution(notes.get("solution"), grid, warnings))
    warnings += [*drawn.loss_warnings(), *drawn.meaning_warnings()]
    _warn_of_unread(data, notes, collector)
    fields = texts | {"solution": solution, "drawings": drawn.drawings()}
    return collector.require("", lambda: Puzzle(grid, rules, givens, **fields))


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


def _read_cages(cages: list[Any], grid: Grid, collector: ProblemCollector, drawn: DrawingCollector) -> Iterator[Rule]:
    """Yield the rules of cages that have a meaning; the others are drawn."""
    for number, cage in enumerate(cages, 1):
        path = f"cages[{number}]"
        if not isinstance(cage, dict):
            collector.problems.append(f"{path}: expected an object, got {short_repr(cage)}")
        elif not is_empty(cage.get("cells")):
            cells = collector.read(path, partial(_cells_of_cage, cage, grid)) or ()
            rule = collector.read(path, partial(_rule_of_cage, cells, cage)) if cells else None
            if rule:
                yield rule
            elif cells and not cage.get("hidden"):
                drawn.add("cage", partial(drawn_cage, cells, cage))


def _cells_of_cage(cage: Mapping[str, Any], grid: Grid) -> tuple[Cell, ...]:
    size = (grid.boards[0].rows, grid.boards[0].columns)
    return tuple(grid.cell_at[place] for place in _parse_places(cage["cells"], size, "cells"))


def _rule_of_cage(cells: tuple[Cell, ...], cage: Mapping[str, Any]) -> Rule | None:
    """Return the rule of a cage: a sum, different values, or both; None if it is only drawn."""
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
    play = [key for key in _PLAY if not is_empty(data.get(key))]
    if play:
        collector.warnings.append(f"what only matters in play is not read: {', '.join(play)}")
    known = {"cells", "regions", "cages", *DRAWN, *_PLAY, *_SILENT}
    unknown = [f"{key!r:.40}" for key, raw in data.items() if key not in known and not is_empty(raw)]
    read = _NOTES if _parse_values(notes) else _NOTES - {"values"}
    unknown += [f"{key!r:.40}" for key, raw in notes.items() if key not in read and not is_empty(raw)]
    if unknown:
        collector.warnings.append(f"not read: {', '.join(unknown[:20])}")


# The SudokuPad document that shows a puzzle: its exact parts, a drawing of its other rules, and its own drawings.


_INVISIBLE = "#00000000"
_WHITE, _BLACK = "#FFFFFF", "#000000"
_CHEVRONS = {(0, 1): ">", (0, -1): "<", (1, 0): "\N{LOGICAL OR}", (-1, 0): "\N{LOGICAL AND}"}
"""The characters that point right, left, down and up."""
_Point = tuple[float, float]


def draw_document(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of a puzzle; raise `Unsupported` with everything that SudokuPad has no place for."""
    data = document_without_rules(puzzle)
    for rule in puzzle.rules:
        if add_exact_rule(rule, puzzle.grid, data):
            continue
        for cosmetic in unconditional_drawables(rule.cosmetics(puzzle.grid)):
            for layer, drawn in _draw(cosmetic, puzzle.grid):
                data[layer].append(drawn)
    _add_drawings(puzzle, data)
    return data


def _add_drawings(puzzle: Puzzle, data: dict[str, Any]) -> None:
    for one in puzzle.drawings:
        layer, drawn = drawn_piece(one, puzzle.grid)
        data[layer].append(drawn)


# --- drawing ----------------------------------------------------------------------------------------------------


def _draw(cosmetic: Drawable, grid: Grid) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: C901  # one case each
    """Yield the pieces of a drawing, each with its layer."""
    points = [_centre(grid, cell) for cell in cosmetic.cells]
    if not points:
        return
    match cosmetic:
        case Line():
            yield "lines", _line(points, cosmetic.colour, cosmetic.width)
            yield from _draw_ends(cosmetic, points)
        case DrawnArrow():
            yield "arrows", _line(points, cosmetic.colour, 0.08) | {"headLength": 0.3}
        case Cage():
            cells = [list(grid.places[cell]) for cell in cosmetic.cells]
            yield "cages", {"cells": cells, "value": cosmetic.text, "unique": False, "outlineC": cosmetic.colour}
        case Pill():
            yield from _draw_loop(points, cosmetic.colour)
        case Dot():
            size = 0.35 if len(points) == 2 else 0.7  # noqa: PLR2004
            colours = (_BLACK, _WHITE) if cosmetic.filled else (_WHITE, _BLACK)
            ring = _shape(_middle(points), size, colours[0], _BLACK, rounded=True)
            yield "overlays", ring | _text(cosmetic.text, colours[1], size / max(1, (len(cosmetic.text) + 1) / 2))
        case Mark():
            size = 0.35 if len(points) > 1 else 0.6
            yield "overlays", _shape(_middle(points), 0.3) | _text(cosmetic.text, cosmetic.colour, size)
        case Chevron():
            (row, column), (other, across) = points
            sign = _CHEVRONS.get((_sign(other - row), _sign(across - column)), ">")
            yield "overlays", _shape(_middle(points), 0.3) | _text(sign, _BLACK, 0.4)
        case Clue():
            yield from _draw_clue(cosmetic.text, points, grid)
        case Shade():
            size = 1 if cosmetic.shape == "cell" else 0.75
            for point in points:
                shape = _shape(point, size, cosmetic.colour, rounded=cosmetic.shape == "circle")
                yield "underlays", shape | ({"angle": 45} if cosmetic.shape == "diamond" else {})
        case _:
            assert_never(cosmetic)


def _draw_ends(line: Line, points: Sequence[_Point]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the bulbs, circles and diamonds at the ends of a line, and its text in a corner of the first cell."""
    if line.text:
        corner = (points[0][0] - 0.32, points[0][1] - 0.32)
        yield "overlays", _shape(corner, 0.3) | _text(line.text, _BLACK, 0.25)
    for end, point in ((line.start, points[0]), (line.end, points[-1])):
        if end == "bulb":
            yield "underlays", _shape(point, 0.85, line.colour, line.colour, rounded=True)
        elif end == "circle":
            yield "overlays", _shape(point, 0.75, _INVISIBLE, line.colour, rounded=True)
        elif end == "diamond":
            yield "overlays", _shape(point, 0.6, _INVISIBLE, line.colour) | {"angle": 45}


def _draw_loop(points: Sequence[_Point], colour: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a pill around cells in a row or column; around others, a thick line with a thinner white one on it."""
    height, width = (max(numbers) - min(numbers) for numbers in zip(*points, strict=True))
    if not height or not width:
        pill = _shape(_middle(points), 0.75, _INVISIBLE, colour, rounded=True)
        yield "overlays", pill | {"width": 0.75 + width, "height": 0.75 + height}
        return
    yield "lines", _line(points, colour, 0.75)
    yield "lines", _line(points, _WHITE, 0.65)


def _draw_clue(text: str, points: Sequence[_Point], grid: Grid) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the number before the first cell, or small in its corner if a cell is there; then, or diagonally, with an arrow."""
    (row, column), (other, across) = points[0], points[min(1, len(points) - 1)]
    down, right = _sign(other - row), _sign(across - column)
    if not (down or right):
        down = 1
    place, size, tail = (row - down, column - right), 0.5, 0.3
    inside = (int(place[0] // 1), int(place[1] // 1)) in grid.cell_at
    if inside:
        place, size, tail = (row - 0.32, column - 0.32), 0.25, 0.15
    yield "overlays", _shape(place, 0.3) | _text(text, _BLACK, size)
    if inside or (down and right):
        ends = [(place[0] + far * down, place[1] + far * right) for far in (tail, tail + 0.18)]
        yield "arrows", _line(ends, _BLACK, 0.03) | {"headLength": 0.1}


def _centre(grid: Grid, cell: Cell) -> _Point:
    row, column = grid.places[cell]
    return row + 0.5, column + 0.5


def _middle(points: Sequence[_Point]) -> _Point:
    rows, columns = zip(*points, strict=True)
    return sum(rows) / len(points), sum(columns) / len(points)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _line(points: Sequence[_Point], colour: str, width: float) -> dict[str, Any]:
    return {"color": colour, "thickness": max(1, round(width * PIXELS)), "wayPoints": [list(point) for point in points]}


def _shape(
    centre: _Point, size: float, inside: str = _INVISIBLE, border: str = _INVISIBLE, *, rounded: bool = False
) -> dict[str, Any]:
    colours = {"backgroundColor": inside, "borderColor": border}
    return {"center": list(centre), "width": size, "height": size, "rounded": rounded} | colours


def _text(text: str, colour: str, size: float) -> dict[str, Any]:
    return {"text": text, "color": colour, "fontSize": max(8, round(size * PIXELS))} if text else {}


# The SudokuPad document of a puzzle from exact parts alone: board, givens, texts, cages, anti-knight and anti-king.
#
# SudokuPad has no place for the values of a board: they are a note of our own (``values: 0-8``) if they are not the usual ones.


def puzzle_to_sudokupad(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of the puzzle; raise `Unsupported` with everything that it cannot express."""
    data = document_without_rules(puzzle)
    rules = [rule for rule in puzzle.rules if rule.kind != "houses"]
    refused = [rule.kind for rule in rules if not add_exact_rule(rule, puzzle.grid, data)]
    _add_drawings(puzzle, data)
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
    words = puzzle.ruleset or describe_rules(puzzle.rules, puzzle.grid, puzzle.symbols)
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


# SudokuPad's two short forms: JSON with most punctuation left out, and plain 9x9 givens in a word.
#
# In the short JSON, the commonest names are one or two letters, names have no quotes, texts have single ones, true and false
# are ``t`` and ``f``, colours have neither quotes nor ``#``, and empty objects are left out.


_NAMES = MappingProxyType(
    {
        "c": "color",
        "ca": "cages",
        "ct": "center",
        "c1": "borderColor",
        "c2": "backgroundColor",
        "ce": "cells",
        "cs": "cellSize",
        "a": "arrows",
        "o": "overlays",
        "u": "underlays",
        "w": "width",
        "h": "height",
        "v": "value",
        "vd": "videos",
        "l": "lines",
        "r": "rounded",
        "re": "regions",
        "fs": "fontSize",
        "th": "thickness",
        "hl": "headLength",
        "wp": "wayPoints",
        "t": "title",
        "te": "text",
        "d": "duration",
    }
)
_TOKEN = re.compile(
    r"""\s*(?:(?P<mark>[][{},:])|'(?P<text>(?:[^'\\]|\\.)*)'|"(?P<usual>(?:[^"\\]|\\.)*)"|(?P<bare>[^][{},:'"\s]+))"""
)
_LONGEST = 1 << 19
_COLOUR = re.compile(r"[0-9a-fA-F]{6}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = MappingProxyType({"t": "true", "f": "false", "true": "true", "false": "false", "null": "null"})
_COLOURS = MappingProxyType({"#0": '"#000000"', "#F": '"#FFFFFF"'})


def short_to_json(text: str) -> str:
    """Return the JSON of the short form, or raise `ParseError` with the column of the first error."""
    if len(text) > _LONGEST:
        raise ParseError(f"expected a short JSON of at most {_LONGEST} signs, got {len(text)}")
    out: list[str] = []
    last, at = "", 0
    end = len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if not found:
            raise ParseError(f"expected the short JSON of SudokuPad, got {text[at : at + 20]!r} in it", column=at + 1)
        at = found.end()
        if mark := found["mark"]:
            if last in {"{", "[", ","} and mark in {",", "]", "}"} and not (last == "{" and mark == "}"):
                out.append("{}")
            out.append(mark)
            last = mark
            continue
        named = text[at : at + 1] == ":" and last in {"{", ","}
        out.append(_value_to_json(found, named=named, behind=last))
        last = "value"
    return "".join(out)


def _value_to_json(found: re.Match[str], *, named: bool, behind: str) -> str:
    """Return a name or a value as JSON writes it."""
    inside = found["text"] if found["text"] is not None else found["usual"]
    if inside is not None:
        inside = re.sub(r"\\'", "'", inside)
        return json.dumps(_NAMES.get(inside, inside)) if named else f'"{_escape_quotes(inside)}"'
    bare = found["bare"]
    if named:
        return json.dumps(_NAMES.get(bare, bare))
    if behind == ":" and _COLOUR.fullmatch(bare):
        return f'"#{bare}"'
    if bare in _COLOURS:
        return _COLOURS[bare]
    if bare in _WORDS:
        return _WORDS[bare]
    return bare if _NUMBER.fullmatch(bare) else json.dumps(bare)


def _escape_quotes(inside: str) -> str:
    """Return the inside of a text with its double quotes escaped, unless they already are."""
    return re.sub(r'\\.|"', lambda found: '\\"' if found[0] == '"' else found[0], inside, flags=re.DOTALL)


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
_CELLS = 81
_SIDE = 9
RULES_OF_WORD = MappingProxyType({"w": "windoku", "x": "diagonals"})
"""The meaning of the letters after the cells of a word."""


def document_from_word(word: str) -> dict[str, Any]:
    """Return the document of a word in which each character is a digit (0: blank) with up to five blanks after it."""
    word = word.removesuffix(".scf")
    digits: list[int] = []
    at = 0
    while at < len(word) and len(digits) < _CELLS:
        number = _DIGITS.find(word[at])
        if number < 0:
            raise ParseError(f"expected digits and letters up to x, got {word[at]!r}", column=at + 1)
        digits += [number % 10, *[0] * (number // 10)]
        at += 1
    if len(digits) != _CELLS:
        raise ParseError(f"expected {_CELLS} cells, got {len(digits)}")
    strange = sorted(set(word[at:]) - RULES_OF_WORD.keys())
    if strange:
        raise ParseError(f"expected only w (windoku) or x (diagonals) after the cells, got {strange[0]!r}")
    cells = [[{"value": digit} if digit else {} for digit in digits[at : at + _SIDE]] for at in range(0, _CELLS, _SIDE)]
    boxes = [[[3 * (box // 3) + k // 3, 3 * (box % 3) + k % 3] for k in range(_SIDE)] for box in range(_SIDE)]
    return {"cells": cells, "regions": boxes, "rules of the word": [RULES_OF_WORD[sign] for sign in sorted(set(word[at:]))]}
