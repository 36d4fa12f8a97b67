"""What one candidate forces, all of it together: the net of facts that follow by cells and houses, each with its reason.

A literal says of a candidate that it is true, or that it is false. From a true one follow by a cell or a group that others are
false; from false ones, where a cell or a house keeps a single candidate, that this is true; and what the links of rule parts say.
Facts are found breadth first, so that reasons are short.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.link_reasons import part_with_cells
from sudoku_cp.logic.links.part_links import part_links
from sudoku_cp.logic.proof_groups import once_in
from sudoku_cp.logic.step import ChainNode, Link, ProofGroup, ProofStatement
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, PartIndex


class ImpliedLiteral(NamedTuple):
    """A candidate, said to be true or false."""

    cell: Cell
    value: int
    is_true: bool


class Reason(NamedTuple):
    """The proof groups that force a literal, or a contradiction, and the literals from which they do so."""

    groups: tuple[ProofGroup, ...]
    literals: tuple[ImpliedLiteral, ...]


class Net:
    """All that follows if a candidate is true: ``true`` and ``false`` cells by value, and the ``contradiction`` if any."""

    def __init__(self, board: CandidateBoard, start: ImpliedLiteral) -> None:
        """Follow what a true literal forces, until nothing is new or there is a contradiction."""
        self._board = board
        self._by_parts = board.derive(_implied_by_parts)
        self.true: list[CellSet] = [0] * len(board.places)
        self.false: list[CellSet] = [0] * len(board.places)
        self.reasons: dict[ImpliedLiteral, Reason | None] = {start: None}
        self.contradiction: Reason | None = None
        self._queue = [start]
        self.true[start.value] |= 1 << start.cell
        self._follow_all()

    def _follow_all(self) -> None:
        for literal in self._queue:
            if self.contradiction is not None:
                break
            if literal.is_true:
                self._follow_true(literal)
            else:
                self._follow_false(literal)
            for implied, part in self._by_parts.get(literal, ()):
                self._follow_part(literal, implied, part)

    def _follow_true(self, literal: ImpliedLiteral) -> None:
        """Make the other candidates of the cell false, and the value's other places in the groups of the cell."""
        board, (cell, value, _) = self._board, literal
        for other in members(board.candidates[cell] & ~(1 << value)):
            self._make_false(other, 1 << cell, Reason((ProofGroup(ProofStatement.ONE_VALUE, cell),), (literal,)))
        for group in board.layout.groups_of[cell]:
            cells = board.places[value] & board.layout.groups[group].mask & ~(1 << cell) & ~self.false[value]
            if cells:
                self._make_false(value, cells, Reason((once_in(board.layout, value, group),), (literal,)))

    def _make_false(self, value: int, cells: CellSet, reason: Reason) -> None:
        for cell in members(cells & self.true[value]):
            self.contradiction = Reason(reason.groups, (*reason.literals, ImpliedLiteral(cell, value, is_true=True)))
        for cell in members(cells & ~self.false[value] & ~self.true[value]):
            self._add(ImpliedLiteral(cell, value, is_true=False), reason)
        self.false[value] |= cells

    def _follow_false(self, literal: ImpliedLiteral) -> None:
        """Look for what is left in the cell, and of the value in the houses of the cell."""
        board, (cell, value, _) = self._board, literal
        if self._tells(cell):
            claims = [ImpliedLiteral(cell, other, is_true=True) for other in members(board.candidates[cell])]
            self._conclude(ProofGroup(ProofStatement.HAS_VALUE, cell), claims)
        for house in board.layout.houses_of[cell]:
            places = board.places[value] & board.layout.groups[house].mask
            left = places & ~self.false[value]
            if not left & (left - 1) and not left & self.true[value]:
                claims = [ImpliedLiteral(place, value, is_true=True) for place in members(places)]
                self._conclude(ProofGroup(ProofStatement.HAS_PLACE, house, value), claims)

    def _tells(self, cell: Cell) -> bool:
        """Return whether a cell brings news: no candidate is left, or only one that is not yet known to be true."""
        left = [value for value in members(self._board.candidates[cell]) if not self.false[value] >> cell & 1]
        return not left or (len(left) == 1 and not self.true[left[0]] >> cell & 1)

    def _conclude(self, group: ProofGroup, claims: list[ImpliedLiteral]) -> None:
        """Conclude from a group that one of the claims is true: the only one left, or a contradiction if none is."""
        left = [one for one in claims if not self.false[one.value] >> one.cell & 1]
        reason = Reason((group,), tuple(one._replace(is_true=False) for one in claims if one not in left))
        if not left:
            self.contradiction = reason
        else:
            self.true[left[0].value] |= 1 << left[0].cell
            self._add(left[0], reason)

    def _follow_part(self, literal: ImpliedLiteral, implied: ImpliedLiteral, part: PartIndex) -> None:
        """Add what a rule part implies."""
        if implied in self.reasons:
            return
        cell, value, is_true = implied
        reason = Reason(tuple(part_with_cells(self._board, part)), (literal,))
        if not is_true:
            self._make_false(value, 1 << cell, reason)
        elif self.false[value] >> cell & 1:
            self.contradiction = Reason(reason.groups, (literal, implied._replace(is_true=False)))
        else:
            self.true[value] |= 1 << cell
            self._add(implied, reason)

    def _add(self, literal: ImpliedLiteral, reason: Reason) -> None:
        if literal not in self.reasons:
            self.reasons[literal] = reason
            self._queue.append(literal)

    def explain(self, last: Reason) -> Iterator[tuple[ImpliedLiteral | None, Reason]]:
        """Yield the literals with their reasons on which a reason rests, the last first: that has no literal."""
        yield None, last
        waiting, seen = list(last.literals), set(last.literals)
        for literal in waiting:
            reason = self.reasons[literal]
            if reason is not None:
                yield literal, reason
                waiting += [one for one in reason.literals if one not in seen]
                seen.update(reason.literals)


def _implied_by_parts(board: CandidateBoard) -> dict[ImpliedLiteral, list[tuple[ImpliedLiteral, PartIndex]]]:
    """Return what each literal implies by a rule part alone, with that part."""
    found: dict[ImpliedLiteral, list[tuple[ImpliedLiteral, PartIndex]]] = defaultdict(list)
    for part in range(len(board.layout.parts)):
        board.tick()
        for start, end, strong in part_links(board, part):
            for one, other in ((start, end), (end, start)):
                found[ImpliedLiteral(*one, is_true=not strong)].append((ImpliedLiteral(*other, is_true=strong), part))
    return found


def links_of(literal: ImpliedLiteral, reason: Reason) -> Iterator[Link]:
    """Yield the links that lead to a literal: strong ones to what is true."""
    for before in reason.literals:
        yield Link(ChainNode(before.value, 1 << before.cell), ChainNode(literal.value, 1 << literal.cell), literal.is_true)
