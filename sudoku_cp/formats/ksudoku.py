"""KSudoku's XML: games, and shapes without a game. Boards that overlap (samurai) are graphs with several sudoku groups.

Values are letters (``b`` is 1), ``_`` a blank, ``.`` a place without a cell, counted down the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats.base import (
    Format,
    Options,
    Record,
    collapse_space,
    error_record,
    first_problems,
    keep_changed,
    keep_unchanged,
    make_rule,
    record_or_error,
    refuse_any,
    write_each,
)
from sudoku_cp.formats.xml_events import XmlEvent, escape_attribute, iter_events
from sudoku_cp.grid import MAX_SIDE, MAX_START, MAX_VALUE, Board, Cell, Grid, House, Place
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Houses

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule


# A graph of KSudoku (groups of different cells) as a grid with rules.
#
# Cells are numbered down the columns; its "sudoku groups" are the rows and columns of a board, with or without blocks.


Clique: TypeAlias = "tuple[Place, ...]"
OPERATORS = ("none", "divide", "subtract", "multiply", "add")
"""The operators of cages, by KSudoku's numbers."""
ADD = OPERATORS.index("add")


@dataclass(frozen=True)
class GraphCage:
    """Cells with a target value; ``operator`` is an index of `OPERATORS`."""

    places: Clique
    operator: int
    value: int


@dataclass
class CellGraph:
    """A graph: its size, the places of its boards (and whether they have blocks), its cliques and cages."""

    order: int
    rows: int
    columns: int
    kind: str = ""
    boards: list[tuple[Place, bool]] = field(default_factory=list)
    cliques: list[Clique] = field(default_factory=list)
    cages: list[GraphCage] = field(default_factory=list)

    def place(self, index: int) -> Place:
        """Return the place of the cell that KSudoku numbers ``index``."""
        if not 0 <= index < self.rows * self.columns:
            raise ParseError(f"expected cells from 0 to {self.rows * self.columns - 1}, got {index}")
        return index % self.rows, index // self.rows


def graph_to_rules(graph: CellGraph) -> tuple[Grid, tuple[Rule, ...]]:
    """Return the grid and the rules of a graph."""
    if not 2 <= graph.order <= MAX_VALUE:  # noqa: PLR2004
        raise Unsupported(f"expected an order from 2 to {MAX_VALUE}, got {graph.order}")
    boards, cliques = _find_boards(graph)
    covered = {place for board in boards for place in board.places()}
    if not boards or not covered.issuperset(chain(*cliques, *(cage.places for cage in graph.cages))):
        return _cells_without_boards(graph)
    grid = Grid.of(tuple(boards), range(1, graph.order + 1))
    return grid, (Houses(), *_rules_of_cliques(grid, cliques), *_rules_of_cages(graph, grid))


def _find_boards(graph: CellGraph) -> tuple[list[Board], list[Clique]]:
    """Return the boards with their regions, and the cliques that are not a house of a board."""
    cliques = list(dict.fromkeys(tuple(sorted(clique)) for clique in graph.cliques))
    starts = list(graph.boards)
    if not starts and graph.rows == graph.columns == graph.order:
        lines = _rows_and_columns(Board(graph.order, graph.order))
        if set(lines) <= set(cliques):
            starts = [((0, 0), False)]
            cliques = [clique for clique in cliques if clique not in set(lines)]
    base = isqrt(graph.order)
    if any(blocks for _, blocks in starts) and (base * base != graph.order or base < 2):  # noqa: PLR2004
        raise Unsupported(f"expected blocks on boards of 4, 9, 16 or 25 values, got {graph.order}")
    if graph.order > MAX_SIDE:
        raise Unsupported(f"expected boards of at most {MAX_SIDE} cells a side, got {graph.order}")
    boards = _boards_with_blocks(graph.order, starts)
    for number, (_, blocks) in enumerate(starts):
        if not blocks:
            boards[number], cliques = _with_regions(boards, number, cliques)
    return boards, cliques


def _boards_with_blocks(order: int, starts: Sequence[tuple[Place, bool]]) -> list[Board]:
    base = isqrt(order)
    return [Board(order, order, (base, base) if blocks else None, at=at) for at, blocks in starts]


def _rows_and_columns(board: Board) -> list[Clique]:
    places = board.places()
    rows = [tuple(places[start : start + board.columns]) for start in range(0, len(places), board.columns)]
    return rows + [tuple(places[column :: board.columns]) for column in range(board.columns)]


def _with_regions(boards: list[Board], number: int, cliques: list[Clique]) -> tuple[Board, list[Clique]]:
    """Return a board with disjoint cliques in it as its regions, and the other cliques."""
    board = boards[number]
    inside, taken, kept = set(board.places()), set[tuple[int, int]](), []
    for clique in cliques:
        if len(clique) == board.rows and set(clique) <= inside and taken.isdisjoint(clique) and clique not in _diagonals(board):
            kept.append(clique)
            taken.update(clique)
    rest = [clique for clique in cliques if clique not in kept]
    others = {one for other in boards[:number] + boards[number + 1 :] if other.boxes for one in _region_cliques(other)}
    for height in range(2, board.rows):
        if board.rows % height == 0:
            boxed = Board(board.rows, board.columns, (height, board.rows // height), at=board.at)
            # Boxes that a board shares with another are listed once.
            if kept and set(kept) <= set(_region_cliques(boxed)) <= {*kept, *others}:
                return boxed, rest
    if taken != inside:
        return board, cliques
    label = {place: index for index, clique in enumerate(kept) for place in clique}
    regions = tuple(label[place] for place in board.places())
    return Board(board.rows, board.columns, None, regions, board.at), rest


def _region_cliques(board: Board) -> list[Clique]:
    found: dict[int | None, list[Place]] = {}
    for place, label in zip(board.places(), board.labels(), strict=True):
        found.setdefault(label, []).append(place)
    return [tuple(places) for places in found.values()]


def _diagonals(board: Board) -> tuple[Clique, Clique]:
    """Return the diagonals down and up, their places in reading order."""
    (top, left), side = board.at, range(board.rows)
    return tuple((top + row, left + row) for row in side), tuple((top + row, left + board.rows - 1 - row) for row in side)


def _rules_of_cliques(grid: Grid, cliques: Sequence[Clique]) -> Iterator[Rule]:
    """Yield the diagonals, if a clique is one, and a rule for each other clique."""
    down, up = _diagonals(grid.boards[0])
    found = {clique for clique in cliques if len(grid.boards) == 1 and clique in (down, up)}
    if found:
        yield make_rule("diagonals", down in found, up in found)
    for clique in cliques:
        if clique not in found:
            yield make_rule("extra-region", tuple(grid.cell_at[place] for place in clique))


def _rules_of_cages(graph: CellGraph, grid: Grid) -> Iterator[Rule]:
    killer = graph.kind.lower() == "killersudoku"
    problems = [f"cages that {OPERATORS[cage.operator]}" for cage in graph.cages if cage.operator not in (0, ADD)]
    bare = any(cage.operator == 0 and len(cage.places) > 1 for cage in graph.cages)
    problems += ["a cage of several cells with a number and no operator"] * bare
    if problems:
        raise Unsupported([f"expected cages with sums, got {problem}" for problem in dict.fromkeys(problems)])
    for cage in graph.cages:
        cells = tuple(grid.cell_at[place] for place in cage.places)
        # In a killer the values of a cage differ; in a calculation puzzle they may repeat.
        kind = "killer-cage" if killer or len(cells) == 1 else "sum-cage"
        yield make_rule(kind, cells, cage.value)


def _cells_without_boards(graph: CellGraph) -> tuple[Grid, tuple[Rule, ...]]:
    """Return a grid of single rows of cells, and a rule for each group, for a graph without boards."""
    lines = []
    for board in _boards_with_blocks(graph.order, graph.boards):
        lines += [*_rows_and_columns(board), *(_region_cliques(board) if board.boxes else ())]
    cliques = list(dict.fromkeys([*lines, *(tuple(sorted(clique)) for clique in graph.cliques)]))
    used = sorted({place for clique in (*cliques, *(cage.places for cage in graph.cages)) for place in clique})
    if not used:
        raise InvalidInput("expected groups of cells in the graph, got none")
    pieces: list[list[Place]] = []
    for row, column in used:
        if pieces and pieces[-1][-1] == (row, column - 1) and len(pieces[-1]) < MAX_SIDE:
            pieces[-1].append((row, column))
        else:
            pieces.append([(row, column)])
    boards = tuple(Board(1, len(piece), at=piece[0]) for piece in pieces)
    grid = Grid.of(boards, range(1, graph.order + 1))
    groups = (tuple(grid.cell_at[place] for place in clique) for clique in cliques)
    return grid, (*(make_rule("extra-region", cells) for cells in groups), *_rules_of_cages(graph, grid))


# A puzzle as an element of KSudoku's XML.


_SAID = ("houses", "diagonals", "extra-region", "killer-cage", "sum-cage")
_LARGEST_ORDER = 25
"""The most values for which KSudoku has letters."""


def format_game(puzzle: Puzzle) -> str:
    """Return the game of a puzzle, or refuse what KSudoku cannot express."""
    _require_expressible(puzzle)
    grid, order = puzzle.grid, len(puzzle.grid.values)
    rows = 1 + max(row for row, _ in grid.places)
    columns = 1 + max(column for _, column in grid.places)
    index = {cell: column * rows + row for cell, (row, column) in enumerate(grid.places)}
    plain = grid.is_plain and puzzle.rules == (Houses(),) and _has_blocks(grid.boards[0], order)
    size = f' order="{order}" type="{"sudoku" if plain else "custom"}" specific-type="{_graph_kind(puzzle)}"'
    stated = [(key, " ".join(text.split())) for key, text in (("name", puzzle.title), ("author", puzzle.author)) if text]
    texts = "".join(f' {key}="{escape_attribute(text)}"' for key, text in stated)
    custom = "" if plain else f' sizeX="{columns}" sizeY="{rows}" sizeZ="1"'
    lines = ["<game>", "<puzzle>", f"<graph{size}{custom}{texts}>", *([] if plain else _format_groups(puzzle, index)), "</graph>"]
    lines.append(f"<values>{_format_values(puzzle.givens, index, rows * columns)}</values>")
    if puzzle.solution:
        lines.append(f"<solution>{_format_values(dict(enumerate(puzzle.solution)), index, rows * columns)}</solution>")
    return "\n".join([*lines, "</puzzle>", "</game>", ""])


def _cage_problems(rule: Any) -> Iterator[str]:
    """Yield the properties of a cage that KSudoku does not support."""
    if rule.kind == "killer-cage" and rule.total is None:
        yield "a cage without a total"
    if rule.kind in {"killer-cage", "sum-cage"} and (rule.total or 0) < 0:
        yield "a cage with a negative total"
    if rule.kind == "sum-cage" and rule.factors:
        yield "a sum with factors"
    if rule.kind in {"killer-cage", "sum-cage", "extra-region"} and len(set(rule.cells)) < len(rule.cells):
        yield "a cell twice in a cage or region"


def _require_expressible(puzzle: Puzzle) -> None:
    grid, order = puzzle.grid, len(puzzle.grid.values)
    problems = [f"the rule {rule.kind}" for rule in puzzle.rules if rule.kind not in _SAID]
    if (
        any((board.rows, board.columns) != (order, order) for board in grid.boards)
        or grid.values.start != 1
        or order > _LARGEST_ORDER
    ):
        problems.append(
            f"boards that are not squares of as many cells a side as there are values, from 1, at most {_LARGEST_ORDER}"
        )
    if Houses() not in puzzle.rules:
        problems.append("no rule 'houses'")
    if puzzle.candidates:
        problems.append("candidates")
    kinds = {rule.kind for rule in puzzle.rules}
    if {"killer-cage", "sum-cage"} <= kinds:
        problems.append("cages with and without repeated values")
    if "diagonals" in kinds and len(grid.boards) > 1:
        problems.append("diagonals of several boards")
    problems += [words for rule in puzzle.rules for words in _cage_problems(rule)]
    refuse_any(dict.fromkeys(problems), "a puzzle that the format 'ksudoku' can express")


def _graph_kind(puzzle: Puzzle) -> str:
    kinds = {rule.kind for rule in puzzle.rules}
    if "killer-cage" in kinds:
        return "KillerSudoku"
    if "sum-cage" in kinds:
        return "Mathdoku"
    if "diagonals" in kinds:
        return "XSudoku"
    if len(puzzle.grid.boards) > 1:
        return "Samurai"
    return "Jigsaw" if puzzle.grid.boards[0].regions else "Plain"


def _has_blocks(board: Board, order: int) -> bool:
    """Return whether the boxes are KSudoku's blocks."""
    return board.boxes is not None and board.boxes[0] == board.boxes[1] and board.boxes[0] ** 2 == order


def _format_groups(puzzle: Puzzle, index: dict[Cell, int]) -> Iterator[str]:
    grid, order = puzzle.grid, len(puzzle.grid.values)
    for number, board in enumerate(grid.boards, 1):
        corner = index[grid.cell_at[board.at]]
        blocks = _has_blocks(board, order)
        yield f'<sudokugroups at="{corner}" withblocks="{int(blocks)}" />'
        for cells in [] if blocks else _regions(grid, number):
            yield _format_element("clique", cells, index)
    for rule in puzzle.rules:
        yield from _elements_of_rule(rule, grid, index)


def _regions(grid: Grid, number: int) -> list[House]:
    last = f" of board {number}" if len(grid.boards) > 1 else ""
    return [
        cells for name, cells in grid.houses.items() if name.startswith(("box", "region")) and (not last or name.endswith(last))
    ]


def _elements_of_rule(rule: Rule, grid: Grid, index: dict[Cell, int]) -> Iterator[str]:
    match rule.kind:
        case "diagonals":
            for _, constraint in rule.lower(grid):
                yield _format_element("clique", constraint.cells, index)  # type: ignore[union-attr]
        case "extra-region":
            yield _format_element("clique", rule.cells, index)  # type: ignore[attr-defined]
        case "killer-cage" | "sum-cage":
            yield _format_element("cage", rule.cells, index, f' operator="{ADD}" value="{rule.total}"')  # type: ignore[attr-defined]
        case _:
            return


def _format_element(name: str, cells: Iterable[Cell], index: dict[Cell, int], more: str = "") -> str:
    numbers = [str(index[cell]) for cell in cells]
    return f'<{name} size="{len(numbers)}"{more}>{" ".join(numbers)}</{name}>'


def _format_values(values: Mapping[Cell, int], index: dict[Cell, int], size: int) -> str:
    signs = ["."] * size
    for cell, place in index.items():
        value = values.get(cell)
        signs[place] = "_" if value is None else chr(ord("a") + value)
    return "".join(signs)


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
    warnings = ["the moves of a player (history) are not read"] if game.played else []
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
