"""Proof groups in words."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, assert_never

from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.logic.words.variant_words import describe_part, part_title
from sudoku_cp.logic.words.wording import enumerate_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.proofs import Claim, ProofLine
    from sudoku_cp.model import Domain
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


# Lines of a proof in words: a sentence each, with what is left and what follows.


def describe_line(symbols: Symbols, board: CandidateBoard, line: ProofLine) -> str:
    """Return a line of a proof as a sentence: the fact, what is left of it, and what follows or that nothing is left."""
    layout, group = board.layout, line.group
    then = _consequence(symbols, board, line.forces)
    sign = symbols.sign(group.value) if group.statement in {ProofStatement.HAS_PLACE, ProofStatement.ONCE} else ""
    match group.statement:
        case ProofStatement.HAS_VALUE:
            cell = layout.grid.cell_name(group.subject)
            fact, clash = f"{cell} has a value, and only one is left", f"{cell} has no value left"
        case ProofStatement.ONE_VALUE:
            cell = layout.grid.cell_name(group.subject)
            fact, clash = f"{cell} has only one value", f"{cell} would have two values"
        case ProofStatement.HAS_PLACE:
            house = layout.groups[group.subject].name
            fact, clash = f"{sign} has a place in {house}, and only one is left", f"{sign} has no place left in {house}"
        case ProofStatement.ONCE:
            house = layout.groups[group.subject].name
            fact, clash = f"{sign} stands once in {house}", f"{sign} would stand twice in {house}"
        case ProofStatement.PART:
            fact = describe_part(layout, symbols, layout.parts[group.subject], _domains(board, line.uses))
            clash = f"{fact}, which cannot be"
        case _:
            assert_never(group.statement)
    return f"{fact}: {then}" if then else clash


def _domains(board: CandidateBoard, uses: Iterable[Claim]) -> dict[Cell, Domain]:
    """Return what the cells may hold by a board and by claims about it."""
    domains = {cell: board.candidates[cell] if value is None else 1 << value for cell, value in enumerate(board.values)}
    for cell, value, holds in uses:
        domains[cell] &= 1 << value if holds else ~(1 << value)
    return domains


def _consequence(symbols: Symbols, board: CandidateBoard, claims: Iterable[Claim]) -> str:
    """Return claims as ``r1c2 = 3; r1c4 is not 5 or 6``."""
    name = board.layout.grid.cell_name
    placed: list[str] = []
    refused: dict[Cell, list[int]] = defaultdict(list)
    for cell, value, holds in claims:
        if holds:
            placed.append(f"{name(cell)} = {symbols.sign(value)}")
        else:
            refused[cell].append(value)
    alike: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for cell, values in refused.items():
        alike[tuple(sorted(values))].append(name(cell))
    for refused_values, cells in alike.items():
        verb = "are" if len(cells) > 1 else "is"
        signs = list(map(symbols.sign, refused_values))
        placed.append(f"{enumerate_words(cells, 'and')} {verb} not {enumerate_words(signs, 'or')}")
    return "; ".join(placed)
