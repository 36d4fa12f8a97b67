"""The puzzle in FlatZinc, the language that MiniZinc's solvers read, with variables named after their cells.

Beside FlatZinc's own constraints only ``all_different_int`` is used, by the name that Gecode and Chuffed know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudoku_cp.formats.solver_export import clue_domains, export_format, heading_lines
from sudoku_cp.model import members
from sudoku_cp.model.flatzinc import TAKES, FlatZincModel, membership, post_constraint
from sudoku_cp.model.rewrite import rewrite_model

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def format_model(puzzle: Puzzle) -> Iterator[str]:
    """Yield a puzzle: predicates, variables named after their cells, then each rule's constraints."""
    model = rewrite_model(puzzle.model(), TAKES)
    sheet = FlatZincModel(model, [puzzle.grid.cell_name(cell) for cell in puzzle.grid.cells])
    for statement in model.statements:
        sheet.lines.append(f"% rule {statement.rule}: {statement.part}\n")
        post_constraint(sheet, statement.constraint)
    for words, cell, kept in clue_domains(puzzle):
        sheet.lines.append(f"% {words}\n")
        sheet.say(membership(sheet.names[cell], members(model.domains[cell] & kept)))
    yield "".join(f"% {line}\n" for line in heading_lines(puzzle))
    yield "% A solution of the puzzle is the values of the variables named after its cells.\n"
    yield "predicate all_different_int(array [int] of var int: x);\n"
    yield "".join(sheet.declared)
    yield "".join(sheet.lines)
    yield "solve satisfy;\n"


FORMAT = export_format(
    "flatzinc",
    "the puzzle in FlatZinc for solvers such as Gecode and Chuffed; one puzzle a file",
    (".fzn",),
    format_model,
)
