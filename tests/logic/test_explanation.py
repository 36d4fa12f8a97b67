"""Explanations: what they answer, that their proofs hold, and how they read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, formats, solve
from sudoku_cp.errors import InvalidInput
from sudoku_cp.logic import Step, Technique, make_board
from sudoku_cp.logic.explanations import explain
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.logic.words import describe_group
from sudoku_cp.logic.words.variant_words import DEMANDS, describe_part, part_title
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Position
from sudoku_cp.rules.kinds import CLASS_OF
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from sudoku_cp.logic.explanations import Explanation

WIKIPEDIA = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
NORVIG = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
EXAMPLES = Path(__file__).parents[2] / "examples" / "variants"
QUICK = {"arrow", "killer", "renban", "sandwich", "thermometer", "whisper"}
FILES = [
    pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else [pytest.mark.slow])
    for path in sorted(EXAMPLES.glob("*.jsonl"))
]


def unproved(found: Explanation, proof: tuple[ProofGroup, ...]) -> list[tuple[int, int]]:
    """Return the candidate if it is not refuted by a proof, says a SAT solver."""
    step = Step(Technique.FORCING_NET_CONTRADICTION, 0, 0, ((found.cell, found.value),), proof=proof)
    return unproved_results(found.board, step)


def assert_proved(found: Explanation) -> None:
    """The proof holds and each of its groups is needed; unless it needs cases, each line follows from those before it."""
    assert not unproved(found, found.proof)
    if found.smallest:
        for group in found.proof:
            assert unproved(found, tuple(other for other in found.proof if other != group))
    if found.by_cases:
        return
    known = {(found.cell, found.value, True)}
    for line in found.lines:
        assert set(line.uses) <= known
        known |= set(line.forces)
    assert not found.lines[-1].forces


@pytest.mark.parametrize("puzzle", [WIKIPEDIA, NORVIG], ids=["easy", "hard"])
def test_every_candidate_is_answered(puzzle: Puzzle) -> None:
    """Of some cells every value: the one of the solution holds, all others are refuted, and no proof can be cut."""
    solution = solve(puzzle).solution
    assert solution
    for cell in (1, 2, 30):
        for value in puzzle.grid.values:
            found = explain(puzzle, cell, value, patience=0.2)
            if value == solution[cell]:
                assert found.reply in {"given", "holds"}
                assert found.solution in {None, solution}
            elif cell in puzzle.givens:
                assert found.reply == "filled"
            else:
                assert found.reply in {"seen", "refuted"}
                assert found.reply == "seen" or found.size > 1
                assert found.reply == "seen" or not unproved(found, found.proof)


@pytest.mark.parametrize("path", FILES)
def test_variants_are_explained(path: Path) -> None:
    """Two wrong values of open cells: the proofs hold, and every line can be read."""
    puzzle = next(iter(formats.read_records(path))).puzzle
    assert puzzle
    solution = solve(puzzle).solution
    assert solution
    open_cells = [cell for cell in puzzle.grid.cells if cell not in puzzle.givens]
    for cell in (open_cells[0], open_cells[len(open_cells) // 2]):
        value = next(value for value in puzzle.grid.values if value != solution[cell])
        found = explain(puzzle, cell, value, patience=0.1)
        if found.reply == "refuted":
            assert_proved(found)
        words = found.sentences()
        assert all("None" not in line and "{" not in line for line in words)


def test_a_smallest_proof_is_smallest() -> None:
    """No proof of fewer groups is found where it is said that there is none: propagation alone finds this one of four."""
    found = explain(WIKIPEDIA, 26, 2, patience=60)
    assert (found.size, found.smallest, found.by_cases) == (4, True, False)
    assert_proved(found)


def test_a_position_counts() -> None:
    """Values that were placed and marks are what proofs begin with; the candidate that is asked about is never left out."""
    values = tuple(map(NORVIG.givens.get, NORVIG.grid.cells))
    marks = tuple(to_mask([1, 6] if cell == 1 else [2, 7] if cell == 2 else []) for cell in NORVIG.grid.cells)
    position = Position(NORVIG, values, Position.of(NORVIG).origins, marks)
    asked = explain(position, 1, 7)
    assert asked.reply in {"refuted", "holds"}
    assert explain(Position.of(NORVIG, [1 if cell == 1 else value for cell, value in enumerate(values)]), 1, 1).reply == "placed"


def test_what_is_no_candidate_is_refused() -> None:
    """A cell or value outside the grid is an error of whoever asks."""
    for cell, value in ((81, 1), (0, 10), (-1, 1), (0, 0)):
        with pytest.raises(InvalidInput):
            explain(WIKIPEDIA, cell, value)


def test_a_value_that_the_rules_leave_out() -> None:
    """An even cell has no odd value, whatever else stands in the grid."""
    puzzle = next(iter(formats.read_records(EXAMPLES / "odd-even.jsonl"))).puzzle
    assert puzzle
    board = make_board(puzzle)
    cell = next(cell for cell, domain in enumerate(board.layout.domains) if domain.bit_count() < 9 and board.open >> cell & 1)
    values = [value for value in puzzle.grid.values if not board.layout.domains[cell] >> value & 1]
    replies = {explain(puzzle, cell, value).reply for value in values}
    assert "excluded" in replies
    assert replies <= {"excluded", "seen"}


def test_a_contradictory_position_is_explained() -> None:
    """Where a value has no place left, that alone refutes whatever is asked."""
    found = explain(Puzzle.parse("12345678." + "." * 17 + "9" + "." * 54), 40, 3)
    assert (found.reply, found.size, found.smallest) == ("refuted", 1, True)
    assert found.sentences()[0] == "r5c5 cannot be 3: one fact contradicts it"


# --- words ----------------------------------------------------------------------------------------------------------


def test_every_demand_is_of_a_rule() -> None:
    """No kind is misspelt."""
    assert set(DEMANDS) <= set(CLASS_OF)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("killer", "(different values that add up to "),
        ("thermometer", "thermometer r8c2 r7c2 r6c2 r6c1 (values rise from the bulb)"),
        ("arrow", "for the shaft and"),
        ("whisper", "(neighbours differ by at least 5)"),
        ("renban", "(consecutive values in any order)"),
        ("kropki", "dot "),
        ("palindrome", "(it reads the same from both ends)"),
        ("between", "(the values lie strictly between those of the circles)"),
        ("sandwich", "(the values between the crusts add up to "),
        ("xv", "(the values add up to "),
    ],
)
def test_parts_in_words(name: str, words: str) -> None:
    """Each family says what it demands, by the numbers of its rule, and names its cells in their order."""
    puzzle = next(iter(formats.read_records(EXAMPLES / f"{name}.jsonl"))).puzzle
    assert puzzle
    layout, board = layout_of(puzzle), make_board(puzzle)
    domains = {cell: domain or 1 << (board.values[cell] or 0) for cell, domain in enumerate(board.candidates)}
    told = [describe_part(layout, puzzle.symbols, part, domains) for part in layout.parts]
    assert any(words in line for line in told), told
    for number, part in enumerate(layout.parts):
        assert describe_group(layout, puzzle.symbols, ProofGroup(ProofStatement.PART, number)) == part_title(layout, part)


def test_a_cage_says_what_it_is_left_with() -> None:
    """Its sets by the live candidates, each tried as a whole; what all sets have where there are many."""
    puzzle = next(iter(formats.read_records(EXAMPLES / "killer.jsonl"))).puzzle
    assert puzzle
    layout = layout_of(puzzle)
    part = next(part for part in layout.parts if "r7c3" in part.name)
    assert describe_part(layout, puzzle.symbols, part, dict.fromkeys(part.cells, to_mask(range(1, 10)))).endswith(
        "needs 2+8+9, 3+7+9, 4+6+9, 4+7+8 or 5+6+8"
    )
    two = {cell: to_mask([8, 9] if cell != part.cells[0] else [8, 9, 2]) for cell in part.cells}
    assert describe_part(layout, puzzle.symbols, part, two).endswith("needs 2+8+9")
    none = dict.fromkeys(part.cells, to_mask([8, 9]))
    assert describe_part(layout, puzzle.symbols, part, none).endswith("has no set of values left")


def test_long_proofs_fold() -> None:
    """No more lines are told unasked than are wanted; the last says how many there are besides."""
    found = explain(WIKIPEDIA, 26, 2, patience=60)
    words, whole = (found.sentences(most) for most in (3, None))
    assert (len(words), len(whole)) == (6, 6)
    assert words[:5] == whole[:5]
    assert words[-1] == "... and 1 more"
