"""What the formats for solvers share: one puzzle a file, what stands at its head, its model, and what the cells begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.encoder import Encoder, keep_changed, one_line
from sudoku_cp.model import Model, members
from sudoku_cp.model.rewrite import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint, Domain
    from sudoku_cp.puzzle import Puzzle


KEEPS = keep_changed(one_line, "title", "author", "source")
"""What `heading` says of the texts."""


def single_puzzle_encoder(name: str, lines_of: Callable[[Puzzle], Iterable[str]]) -> Encoder:
    """Return the page of a format whose files hold one puzzle; every other is refused."""
    taken = False

    def text_of(puzzle: Puzzle) -> str:
        nonlocal taken
        if taken:
            raise Unsupported(f"expected one puzzle for a file of the format {name!r}, got another")
        text = "".join(lines_of(puzzle))
        taken = True
        return text

    return Encoder(text_of)


def heading_lines(puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines that say what the puzzle is, for comments."""
    yield f"sudoku_cp: {puzzle.grid}, rules {', '.join(rule.kind for rule in puzzle.rules) or '(none)'}"
    for noun in ("title", "author", "source"):
        text = one_line(getattr(puzzle, noun))
        if text:
            yield f"{noun}: {text}"


def model_for(puzzle: Puzzle, takes: frozenset[type[Constraint]]) -> Model:
    """Return the puzzle's rules (without its givens) in these constraints only."""
    return rewritten(puzzle.model(), takes)


def clue_domains(puzzle: Puzzle) -> Iterator[tuple[str, Cell, Domain]]:
    """Yield what is given and what is left as candidates: in words, the cell, and the values (bits) that it keeps."""
    name = puzzle.grid.cell_name
    for cell, value in puzzle.givens.items():
        yield f"given {name(cell)}={value}", cell, 1 << value
    for cell, allowed in puzzle.candidates.items():
        yield f"candidates of {name(cell)}: {' '.join(map(str, members(allowed)))}", cell, allowed
