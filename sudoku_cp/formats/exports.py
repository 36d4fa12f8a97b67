"""What the formats for solvers share: one puzzle a file, what stands at its head, its model, and what the cells begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import one_line
from sudoku_cp.model import Model, members
from sudoku_cp.model.rewrite import rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint, Domain
    from sudoku_cp.puzzle import Puzzle


def the_only(name: str, puzzles: Iterable[Puzzle]) -> Puzzle:
    """Return the one puzzle for a format whose files hold one."""
    one, *others = (*puzzles,)[:2] or (None,)
    if one is None:
        raise InvalidInput(f"expected one puzzle for the format {name!r}, got none")
    if others:
        raise Unsupported(f"expected one puzzle for the format {name!r}, got several")
    return one


def heading(puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines that say what the puzzle is, for comments."""
    yield f"sudoku_cp: {puzzle.grid}, rules {', '.join(rule.kind for rule in puzzle.rules) or '(none)'}"
    for noun in ("title", "author", "source"):
        text = one_line(getattr(puzzle, noun))
        if text:
            yield f"{noun}: {text}"


def model_for(puzzle: Puzzle, takes: frozenset[type[Constraint]]) -> Model:
    """Return the puzzle's rules (without its givens) in these constraints only."""
    return rewritten(puzzle.model(), takes)


def asked(puzzle: Puzzle) -> Iterator[tuple[str, Cell, Domain]]:
    """Yield what is given and what is left as candidates: in words, the cell, and the values (bits) that it keeps."""
    name = puzzle.grid.cell_name
    for cell, value in puzzle.givens.items():
        yield f"given {name(cell)}={value}", cell, 1 << value
    for cell, allowed in puzzle.candidates.items():
        yield f"candidates of {name(cell)}: {' '.join(map(str, members(allowed)))}", cell, allowed
