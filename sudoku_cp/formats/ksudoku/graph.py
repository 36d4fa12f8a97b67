"""A graph of KSudoku (groups of different cells) as a grid with rules.

Cells are numbered down the columns; its "sudoku groups" are the rows and columns of a board, with or without blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isqrt
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.grid import MAX_SIDE, MAX_VALUE, Board, Grid
from sudoku_cp.rules import Houses

if TYPE_CHECKING:
    from sudoku_cp.grid import Place
    from sudoku_cp.rules import Rule

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
