"""Proof groups in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.logic.words.rule_words import part_title

if TYPE_CHECKING:
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.symbols import Symbols


def describe_group(layout: Layout, symbols: Symbols, group: ProofGroup) -> str:
    """Return a proof group as a sentence without its full stop: ``2 has a place in row 1``."""
    match group.statement:
        case ProofStatement.HAS_VALUE:
            return f"{layout.grid.cell_name(group.subject)} has a value"
        case ProofStatement.ONE_VALUE:
            return f"{layout.grid.cell_name(group.subject)} has only one value"
        case ProofStatement.HAS_PLACE:
            return f"{symbols.sign(group.value)} has a place in {layout.groups[group.subject].name}"
        case ProofStatement.ONCE:
            return f"{symbols.sign(group.value)} stands once in {layout.groups[group.subject].name}"
        case ProofStatement.PART:
            return part_title(layout, layout.parts[group.subject])
        case _:
            assert_never(group.statement)
