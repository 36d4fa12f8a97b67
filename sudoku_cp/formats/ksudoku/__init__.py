"""KSudoku's XML: games, and shapes without a game. Boards that overlap (samurai) are graphs with several sudoku groups.

Values are letters (``b`` is 1), ``_`` a blank, ``.`` a place without a cell, counted down the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import Format, Options, Record, error_record, first_problems, record_or_error
from sudoku_cp.formats.encoder import collapse_space, keep_changed, keep_unchanged, write_each
from sudoku_cp.formats.ksudoku.game_writer import format_game
from sudoku_cp.formats.ksudoku.graph import OPERATORS, CellGraph, GraphCage, graph_to_rules
from sudoku_cp.formats.xml_events import iter_events
from sudoku_cp.grid import MAX_START, MAX_VALUE
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.formats.xml_events import XmlEvent
    from sudoku_cp.grid import Place

_BEGINNING = re.compile(r"\s*(<\?xml[^>]*\?>\s*)?(<!DOCTYPE ksudoku|(<!--.*?-->\s*)*<ksudoku(-graph)?[\s>/])", re.DOTALL)
_ROOTS = ("ksudoku", "ksudoku-graph")
_ENDS = frozenset({"game", *_ROOTS})
_LARGEST = 10_000
"""Cells of a graph; the largest known has 441."""
_MOST = 5_000
"""Groups of a graph."""
_BOARDS = 64
"""Boards of a graph; the largest known has five."""


@dataclass
class _GameElements:
    """The elements of one puzzle that have been read so far."""

    line: int
    attributes: Mapping[str, str]
    groups: list[XmlEvent]
    values: str = ""
    solution: str = ""
    played: int = 0


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each game, or of each graph without one; an error in the XML itself is the last record."""
    game: _GameElements | None = None
    try:
        for event in iter_events(lines, _ROOTS):
            if event.text is None and event.name == "graph":
                game = _GameElements(event.line, event.attributes, [])
            elif event.text is not None and game:
                _add_element(game, event)
                if event.name in _ENDS:
                    yield _make_record(game)
                    game = None
    except ParseError as error:
        yield error_record(error.line or 1, error)


def _add_element(game: _GameElements, event: XmlEvent) -> None:
    text = event.text or ""
    match event.name:
        case "values":
            game.values = "".join(text.split())
        case "solution":
            game.solution = "".join(text.split())
        case "simple-event":
            game.played += 1
        case "clique" | "cage" | "sudokugroups" | "roxdokugroups":
            if len(game.groups) >= _MOST:
                raise ParseError(f"expected at most {_MOST} groups in a graph, got more", line=event.line)
            game.groups.append(event)
        case _:
            return


def _make_record(game: _GameElements) -> Record:
    warnings = ["the moves of a player (history) are not read"] * bool(game.played)
    return record_or_error(game.line, partial(_make_puzzle, game, warnings), warnings)


def _make_puzzle(game: _GameElements, warnings: list[str]) -> Puzzle:
    graph = _make_graph(game)
    grid, rules = graph_to_rules(graph)
    places = {graph.place(index): index for index in range(graph.rows * graph.columns)}
    givens = _parse_values(game.values, "values", graph.order, grid.places, places) if game.values else {}
    solution = _parse_values(game.solution, "solution", graph.order, grid.places, places) if game.solution else {}
    whole = len(solution) == len(grid.cells)
    warnings += ["the stated solution is not read: it is not complete"] * (bool(solution) and not whole)
    return Puzzle(
        grid,
        rules,
        givens,
        title=game.attributes.get("name", ""),
        author=game.attributes.get("author", ""),
        solution=tuple(solution.values()) if whole else None,
    )


def _parse_values(text: str, noun: str, order: int, cells: tuple[Place, ...], places: Mapping[Place, int]) -> dict[int, int]:
    if len(text) != len(places):
        raise ParseError(f"expected {len(places)} signs of {noun}, got {len(text)}")
    found = {}
    wrong = []
    for cell, place in enumerate(cells):
        sign = text[places[place]]
        value = ord(sign) - ord("a")
        if 1 <= value <= order:
            found[cell] = value
        elif sign not in "_.a":
            wrong.append(f"expected letters from 'b' (1) to {chr(ord('a') + order)!r}, '_' or '.' in {noun}, got {sign!r}")
    if wrong:
        raise ParseError(list(dict.fromkeys(wrong))[:10])
    return found


# --- the graph --------------------------------------------------------------------------------------------------


def _make_graph(game: _GameElements) -> CellGraph:
    attributes = game.attributes
    order = _parse_number(attributes, "order", 1, MAX_VALUE, "the graph")
    kind = attributes.get("type", "")
    if kind == "sudoku":
        return CellGraph(order, order, order, boards=[((0, 0), True)])
    if kind != "custom" or attributes.get("sizeZ", "1") != "1" or any(one.name == "roxdokugroups" for one in game.groups):
        got = "one in three dimensions (roxdoku)" if kind in {"custom", "roxdoku"} else f"{kind[:40]!r}"
        raise Unsupported(f"expected a flat graph of the type 'sudoku' or 'custom', got {got}")
    rows = _parse_number(attributes, "sizeY", 1, MAX_START, "the graph")
    columns = _parse_number(attributes, "sizeX", 1, MAX_START, "the graph")
    if rows * columns > _LARGEST:
        raise ParseError(f"expected a graph of at most {_LARGEST} places, got {rows * columns}")
    graph = CellGraph(order, rows, columns, attributes.get("specific-type", ""))
    problems: list[str] = []
    for group in game.groups:
        try:
            _add_group(graph, group)
        except ParseError as error:
            problems += [f"line {group.line}: {problem}" for problem in error.problems]
    if problems:
        raise ParseError(first_problems(problems))
    return graph


def _add_group(graph: CellGraph, group: XmlEvent) -> None:
    if group.name == "sudokugroups":
        if len(graph.boards) >= _BOARDS:
            raise ParseError(f"expected at most {_BOARDS} boards in a graph, got more")
        row, column = graph.place(_parse_number(group.attributes, "at", 0, graph.rows * graph.columns - 1, group.name, "0"))
        side = graph.order
        if row + side > graph.rows or column + side > graph.columns:
            raise ParseError(f"expected a board of {side} x {side} cells within the graph, got one at r{row + 1}c{column + 1}")
        graph.boards.append(((row, column), group.attributes.get("withblocks", "1") == "1"))
        return
    words = (group.text or "").split()
    wrong = [word for word in words if not (word.isascii() and word.isdecimal() and len(word) <= 9)]  # noqa: PLR2004
    if not words:
        raise ParseError(f"expected cells in a {group.name}, got none")
    if wrong:
        raise ParseError(f"expected the numbers of cells in a {group.name}, got {wrong[0][:12]!r}")
    size = _parse_number(group.attributes, "size", 1, _LARGEST, group.name)
    if size != len(words) or len(set(words)) < len(words):
        raise ParseError(f"expected {size} different cells in a {group.name}, got {' '.join(words)[:60]}")
    places = tuple(graph.place(int(word)) for word in words)
    if group.name == "clique":
        graph.cliques.append(places)
    else:
        operator = _parse_number(group.attributes, "operator", 0, len(OPERATORS) - 1, "a cage")
        graph.cages.append(GraphCage(places, operator, _parse_number(group.attributes, "value", 0, 999_999, "a cage")))


def _parse_number(attributes: Mapping[str, str], name: str, least: int, most: int, where: str, default: str = "") -> int:
    text = attributes.get(name, default)
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and least <= int(text) <= most):  # noqa: PLR2004
        raise ParseError(f"expected a number from {least} to {most} as {name!r} of {where}, got {text[:40]!r}")
    return int(text)


def sniff(head: str) -> bool:
    """Return whether the text begins as such XML."""
    return _BEGINNING.match(head) is not None


FORMAT = Format(
    "ksudoku",
    "KSudoku's XML: classic, jigsaw, X, killer and overlapping boards",
    (".ksudoku",),
    sniff,
    read,
    write_each(format_game, "<!DOCTYPE ksudoku>\n<ksudoku>\n", lambda: "</ksudoku>\n"),
    {**keep_changed(collapse_space, "title", "author"), **keep_unchanged("solution")},
)
