"""A puzzle as an element of KSudoku's XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sudoku_cp.formats.encoder import refuse_any
from sudoku_cp.formats.ksudoku.graph import ADD
from sudoku_cp.formats.xml_events import escape_attribute
from sudoku_cp.rules import Houses

if TYPE_CHECKING:
    from sudoku_cp.grid import Board, Cell, Grid, House
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules import Rule

_SAID = ("houses", "diagonals", "extra-region", "killer-cage", "sum-cage")
_MOST = 25
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
    if any((board.rows, board.columns) != (order, order) for board in grid.boards) or grid.values.start != 1 or order > _MOST:
        problems.append(f"boards that are not squares of as many cells a side as there are values, from 1, at most {_MOST}")
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
