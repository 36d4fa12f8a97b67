"""Hints tell what their level says and no more, in words and pictures, and say first what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import InvalidInput, Position, Puzzle, formats, hint, solve, steps
from sudoku_cp.logic import HintLevel, Step, Technique, make_board
from sudoku_cp.logic.explanations import explain
from sudoku_cp.logic.layout import layout_of
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.logic.words import describe_group
from sudoku_cp.logic.words.variant_words import DEMANDS, describe_part, part_title
from sudoku_cp.model import members, to_mask
from sudoku_cp.rules.kinds import CLASS_OF
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from sudoku_cp.logic.explanations import Explanation


# --- hints ------------------------------------------------------------------------------------------------------------


PUZZLE = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
NEARLY_FULL = Puzzle.parse("534678912672195348198342567859761423426853791713924856961537284287419635.........")
"""The same with all but its last row, so that there are few steps."""


def filled(cell: int, value: int) -> Position:
    """Return the puzzle with one more value."""
    return Position.of(PUZZLE, [value if one == cell else PUZZLE.givens.get(one) for one in PUZZLE.grid.cells])


@pytest.mark.parametrize("level", HintLevel)
def test_a_level_tells_no_more_than_it_should(level: HintLevel) -> None:
    """Place, technique, cells and result appear in the words from their level on."""
    found = hint(PUZZLE)
    assert found.step is not None
    name = PUZZLE.grid.cell_name
    result = [f"{name(cell)} is {value}" for cell, value in found.step.placements]
    words = {
        HintLevel.TECHNIQUE: found.step.technique.title.lower(),
        HintLevel.CELLS: name(next(iter(members(found.step.cells)))),
        HintLevel.STEP: result[0],
    }
    text = found.text(level)
    assert {least for least, word in words.items() if word in text or word in text.lower()} == {
        one for one in words if level >= one
    }


@pytest.mark.parametrize("level", HintLevel)
def test_every_level_has_a_picture(level: HintLevel) -> None:
    """The position stands unchanged below the last level, which shows the value placed."""
    texts = [one.text for one in ET.fromstring(hint(PUZZLE).svg(level)).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314  # our own
    marks = 0 if level < HintLevel.STEP else len(texts) - len(PUZZLE.givens)
    assert len(texts) == len(PUZZLE.givens) + marks
    assert (marks > 0) == (level >= HintLevel.STEP)


def test_notebooks_draw_the_step() -> None:
    """An answer draws itself: a hint its step, a path all of them."""
    assert hint(PUZZLE)._repr_svg_() == hint(PUZZLE).svg(HintLevel.STEP)
    assert steps(PUZZLE, "0000")._repr_svg_().startswith("<svg")


def test_what_is_wrong_comes_first() -> None:
    """A wrong entry is named with what it clashes with, and the position without it is offered."""
    found = hint(filled(2, 7))
    assert found.answer == "wrong"
    assert found.text() == "r1c3 = 7 is wrong. Clash: r1c3=7 and r1c5=7 cannot both stand in row 1."
    assert found.position is not None
    assert found.position.values[2] is None


def test_another_hint_is_another_step() -> None:
    """Steps that are passed over have other results; when all are, that is said."""
    first, second = hint(PUZZLE), hint(PUZZLE, skip=1)
    assert first.step is not None
    assert second.step is not None
    assert first.step.result != second.step.result
    assert hint(NEARLY_FULL, skip=10**6).text() == "No other step is possible."


@pytest.mark.parametrize("level", [0, 6, -1])
def test_levels_out_of_range_are_refused(level: int) -> None:
    """What is no level is named with what is one."""
    for ask in (hint(PUZZLE).text, hint(PUZZLE).svg):
        with pytest.raises(InvalidInput, match=f"expected a level of 1 to 5, got {level}"):
            ask(level)


def test_steps_keep_to_techniques() -> None:
    """A path of some techniques ends where they do; a list has every step that is possible now, and no end."""
    only = steps(PUZZLE, ["0000", "Hidden Single"])
    assert {step.technique.title for step in only.steps} <= {"full house", "hidden single"}
    possible = steps(PUZZLE, "naked single", every=True)
    assert possible.end is None
    assert len({step.result for step in possible.steps}) == len(possible.steps) > 1
    with pytest.raises(InvalidInput):
        steps(PUZZLE, "no such technique")


# --- explanation ------------------------------------------------------------------------------------------------------


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
        ("thermometer", "thermometer r1c2 r1c3 r1c4 r1c5 r1c6 (values rise from the bulb)"),
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
