"""Why a cell cannot hold a value, or that it can: for any cell, value and rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.proofs.part_clauses import group_clauses, literal_numbers
from sudoku_cp.logic.proofs.refutations import smallest_refutations
from sudoku_cp.logic.proofs.suppositions import proof_lines
from sudoku_cp.logic.step import Claim, ProofGroup, ProofLine, ProofStatement
from sudoku_cp.logic.words import describe_group, describe_line
from sudoku_cp.logic.words.wording import numeral
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.time_limits import loading, ticking

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.part_clauses import GroupClauses, LiteralNumbers, ProofLiteral

Reply: TypeAlias = Literal["given", "placed", "holds", "filled", "excluded", "seen", "refuted"]
"""The value is given; is placed; holds in a solution. Or the cell has another value; the rules or the puzzle's own candidates
leave the value out; a cell that sees it has the value; groups contradict it."""
PATIENCE = 1.0
"""Seconds for finding the smallest proof."""


@dataclass(frozen=True, repr=False)
class Explanation(ShortRepr):
    """The answer to "why not this value here?", in a position, ``start``.

    ``lines`` are the proof, to be read in order, on ``board``; ``smallest`` says whether it was proved that no fewer groups
    suffice, ``by_cases`` that propagation alone does not follow the proof. ``solution`` is one in which the value holds.
    """

    start: Position
    cell: int
    value: int
    reply: Reply
    board: CandidateBoard
    lines: tuple[ProofLine, ...] = ()
    smallest: bool = False
    by_cases: bool = False
    solution: Solution | None = None

    @property
    def proof(self) -> tuple[ProofGroup, ...]:
        """The groups of the proof, each once."""
        return tuple(dict.fromkeys(line.group for line in self.lines))

    @property
    def size(self) -> int:
        """How many groups the proof takes."""
        return len(self.proof)

    @checked
    def sentences(self, most: int | None = None) -> list[str]:
        """Return the answer in words, and then the lines of its proof; of these at most so many, and how many more there are."""
        layout, symbols = self.board.layout, self.start.puzzle.symbols
        lines = [
            describe_group(layout, symbols, line.group) if self.by_cases else describe_line(symbols, self.board, line)
            for line in self.lines
        ]
        claim = f"{layout.grid.cell_name(self.cell)} = {symbols.sign(self.value)}"
        told = lines if most is None else lines[:most]
        if self.by_cases:
            told = ["together they leave no way, as trying all cases shows:", *told]
        elif self.reply == "refuted":
            told = [f"suppose {claim}", *told]
        folded = [f"... and {len(lines) - most} more"] if most is not None and most < len(lines) else []
        return [self._reply_words(claim), *told, *folded]

    def _reply_words(self, claim: str) -> str:
        name, sign = claim.split(" = ")
        return {
            "given": f"{claim} is given",
            "placed": f"{claim} is filled in",
            "holds": f"{claim} holds in a solution",
            "filled": f"{name} holds another value",
            "excluded": f"{name} cannot be {sign}: the rules or the puzzle's own candidates leave it out",
            "seen": f"{name} cannot be {sign}: a cell that it sees has it",
            "refuted": f"{name} cannot be {sign}: {self._size_words()}",
        }[self.reply]

    def _size_words(self) -> str:
        if self.size == 1:
            return "one fact contradicts it"
        few = "no fewer would do" if self.smallest else "none of them can be left out"
        return f"{numeral(self.size)} facts contradict it; {few}"


@checked
def explain(
    start: Puzzle | Position, cell: int, value: int, *, patience: float = PATIENCE, limits: Limits = UNLIMITED
) -> Explanation:
    """Explain why a cell cannot hold a value, from the values and marks of a position, or report that it can.

    ``patience`` is how many seconds to look for the smallest proof. Raises `LimitReached`.
    """
    position = start if isinstance(start, Position) else Position.of(start)
    _check_question(position, cell, value)
    clock = limits.started()
    board = make_board(position, clock)
    if known := _known(position, board, cell, value):
        return known
    _restore(board, cell, value)
    solution = _solution_with(position, cell, value, clock)
    if solution is not None:
        return Explanation(position, cell, value, "holds", board, solution=solution)
    with ticking(clock.check):
        return _refute(position, board, cell, value, clock, patience)


def _check_question(position: Position, cell: int, value: int) -> None:
    grid = position.puzzle.grid
    if cell not in grid.cells or value not in grid.values:
        raise InvalidInput(f"expected a cell and a value of the grid, got cell {cell} and value {value}")


def _known(position: Position, board: CandidateBoard, cell: int, value: int) -> Explanation | None:
    """Return the answer if it needs no search: the cell is filled, or the value is plainly excluded."""
    filled = position.values[cell]
    if filled is not None:
        reply: Reply = "filled" if filled != value else "given" if position.origins[cell] is Origin.GIVEN else "placed"
        return Explanation(position, cell, value, reply, board)
    layout = board.layout
    for group in layout.groups_of[cell]:
        for other in layout.groups[group].cells:
            if board.values[other] == value:
                part = layout.groups[group].part
                proof = ProofGroup(ProofStatement.ONCE, group, value) if part is None else ProofGroup(ProofStatement.PART, part)
                line = ProofLine(proof, (Claim(other, value, holds=True),))
                return Explanation(position, cell, value, "seen", board, (line,), smallest=True)
    if not board.allowed[cell] >> value & 1:
        return Explanation(position, cell, value, "excluded", board)
    return None


def _restore(board: CandidateBoard, cell: int, value: int) -> None:
    """Put back a candidate that pencil marks leave out: the proof must not begin with what it is to show."""
    board.candidates[cell] |= 1 << value
    board.places[value] |= 1 << cell


def _solution_with(position: Position, cell: int, value: int, clock: Clock) -> Solution | None:
    """Return a solution with the values of the position and this one."""
    values = {other: known for other, known in enumerate(position.values) if known is not None} | {cell: value}
    puzzle = replace(position.puzzle, givens=values, solution=None)
    return next(queries.solutions(puzzle, limits=clock.left()), None)


def _refute(position: Position, board: CandidateBoard, cell: int, value: int, clock: Clock, patience: float) -> Explanation:
    with loading():
        from sudoku_cp.logic.proofs.searched_refutations import SmallProofs  # noqa: PLC0415  # imports a solver library

    known = smallest_refutations(board, [(cell, value)])
    groups, numbers = group_clauses(board), literal_numbers(board.layout)
    target = numbers.literal(cell, value)
    proofs = SmallProofs(board, groups, target, clock)
    index = {group.group: number for number, group in enumerate(groups)}
    found = proofs.smallest(frozenset(index[group] for group in known[0].proof) if known else None, patience)
    lines = _lines(groups, found.parts, target, numbers)
    if lines is None and known:  # the smaller set needs cases, the larger one can be read
        parts = _shrink_readable(groups, [index[group] for group in known[0].proof], target, numbers)
        found, lines = replace(found, parts=parts, smallest=False), _lines(groups, parts, target, numbers)
    by_cases = lines is None
    unread = (ProofLine(groups[number].group) for number in sorted(found.parts))
    return Explanation(position, cell, value, "refuted", board, lines or tuple(unread), found.smallest, by_cases)


def _lines(
    groups: Sequence[GroupClauses], chosen: Collection[int], target: ProofLiteral, numbers: LiteralNumbers
) -> tuple[ProofLine, ...] | None:
    """Return the lines of a proof in which each chosen group is used; None if propagation alone does not lead to that."""
    own = [groups[number] for number in sorted(chosen)]
    lines = proof_lines(own, target, numbers)
    return lines if lines and {line.group for line in lines} == {group.group for group in own} else None


def _shrink_readable(
    groups: Sequence[GroupClauses], chosen: Sequence[int], target: ProofLiteral, numbers: LiteralNumbers
) -> frozenset[int]:
    """Leave out groups, in the order of their numbers, without which propagation still refutes the literal."""
    kept = list(chosen)
    for number in chosen:
        fewer = [other for other in kept if other != number]
        if proof_lines([groups[other] for other in fewer], target, numbers):
            kept = fewer
    return frozenset(kept)
