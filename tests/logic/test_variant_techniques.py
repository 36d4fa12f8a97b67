"""Techniques that read the rules of variants: hand-made cases, near-misses, and proofs on every file of examples."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.formats import read_records
from sudoku_cp.logic import make_board
from sudoku_cp.logic.clue_fillings import fillings_of
from sudoku_cp.logic.implied_houses import implied_houses
from sudoku_cp.logic.ladder import RUNGS, SINGLES, all_steps, apply_steps, next_step, rung_of
from sudoku_cp.logic.part_candidates import part_domains
from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.words.step_words import describe_step
from sudoku_cp.logic.words.variant_words import REASONS
from sudoku_cp.model import members, to_mask
from sudoku_cp.rules import (
    AntiKnight,
    Arrow,
    Difference,
    Houses,
    KillerCage,
    LittleKiller,
    Palindrome,
    Ratio,
    Renban,
    Sandwich,
    SlowThermometer,
    Thermometer,
    Whisper,
    Windoku,
)
from sudoku_cp.rules.base import move_rule
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Step
    from sudoku_cp.rules import Rule

VARIANTS = sorted(Path("examples/variants").glob("*.jsonl"))
OWN = [technique for technique in Technique if "2000" <= technique.code < "2900"]
BOX_1 = [0, 1, 2, 9, 10, 11, 18, 19, 20]
ALL = to_mask(range(1, 10))


def _board(
    *rules: Rule, without: Mapping[int, str] | None = None, only: Mapping[int, str] | None = None, **givens: int
) -> CandidateBoard:
    """Return a 9x9 board under houses and other rules, cells ``without`` some digits or with ``only`` some; givens as r1c1=5."""
    candidates = {cell: ALL & ~to_mask(map(int, digits)) for cell, digits in (without or {}).items()}
    candidates |= {cell: to_mask(map(int, digits)) for cell, digits in (only or {}).items()}
    filled = {9 * int(name[1]) + int(name[3]) - 10: value for name, value in givens.items()}
    return make_board(Puzzle(rules=(Houses(), *rules), candidates=candidates, givens=filled))


def _removed(steps: list[Step]) -> dict[str, str]:
    """Return the digits that each cell loses, by its name; the steps together."""
    found = defaultdict(set)
    for step in steps:
        for cell, value in step.eliminations:
            found[f"r{cell // 9 + 1}c{cell % 9 + 1}"].add(str(value))
    return {name: "".join(sorted(digits)) for name, digits in sorted(found.items())}


def _found(board: CandidateBoard, technique: Technique) -> dict[str, str]:
    """Return what a technique removes from each cell; every step is proved and has a sentence."""
    steps = all_steps(board, technique)
    for step in steps:
        assert step.technique is technique
        assert not unproved_results(board, step)
        assert describe_step(board.layout, Puzzle().symbols, step).endswith(".")
    return _removed(steps)


# --- rule parts -------------------------------------------------------------------------------------------------------


def test_a_cage_of_two_cells_with_3_holds_1_and_2() -> None:
    """Only 1+2 makes 3."""
    assert _found(_board(KillerCage((0, 1), 3)), Technique.CAGE_COMBINATIONS) == {"r1c1": "3456789", "r1c2": "3456789"}


def test_a_cage_of_two_cells_with_10_has_no_5() -> None:
    """5+5 would repeat."""
    assert _found(_board(KillerCage((0, 1), 10)), Technique.CAGE_COMBINATIONS) == {"r1c1": "5", "r1c2": "5"}


@pytest.mark.parametrize("total", [None, 15])
def test_a_cage_that_may_hold_every_digit_says_nothing(total: int | None) -> None:
    """All digits are in some combination of 15 in three cells, and a cage without a total only says that its cells differ."""
    assert not _found(_board(KillerCage((0, 1, 9), total)), Technique.CAGE_COMBINATIONS)


def test_combinations_for_which_a_cell_has_no_value_drop_out_in_a_second_step() -> None:
    """13 in two cells is 4+9, 5+8 or 6+7; where one cell holds only 4 or 6, the other holds only 9 or 7."""
    board = _board(KillerCage((0, 1), 13), only={0: "46"})
    first, *rest = all_steps(board, Technique.CAGE_COMBINATIONS)
    assert not rest
    assert _removed([first]) == {"r1c2": "123"}
    board.apply(first)
    assert _found(board, Technique.CAGE_COMBINATIONS) == {"r1c2": "4568"}


def test_a_renban_of_five_cells_holds_5() -> None:
    """The sets of consecutive values are combinations too: 5 is in each of five of them, and leaves the rest of the row."""
    board = _board(Renban((0, 1, 2, 3, 4)))
    assert not _found(board, Technique.CAGE_COMBINATIONS)
    assert _found(board, Technique.NEEDED_DIGIT) == dict.fromkeys(("r1c6", "r1c7", "r1c8", "r1c9"), "5")


def test_a_thermometer_of_six_cells_leaves_each_four_values() -> None:
    """The bulb is at most 4, the tip at least 6, and all between in proportion."""
    board = _board(Thermometer((0, 10, 20, 30, 40, 50)))
    found = _found(board, Technique.THERMOMETER_ENDS)
    for place, cell in enumerate((0, 10, 20, 30, 40, 50)):
        lost = ALL & ~to_mask(range(place + 1, place + 5))
        assert found[f"r{cell // 9 + 1}c{cell % 9 + 1}"] == "".join(map(str, members(lost)))


def test_slow_thermometers_rise_only_where_cells_see_each_other() -> None:
    """In a row three cells of a slow thermometer rise; cells that do not see each other may be equal, so nothing goes."""
    assert _found(_board(SlowThermometer((0, 1, 2))), Technique.THERMOMETER_ENDS) == {"r1c1": "89", "r1c2": "19", "r1c3": "12"}
    assert not _found(_board(SlowThermometer((0, 12, 24))), Technique.THERMOMETER_ENDS)


def test_there_is_no_5_on_a_whisper_and_4_and_6_need_9_and_1_beside_them() -> None:
    """4 and 6 cannot stand between two cells that see each other: both would be 9, or 1; between others they can."""
    for cells, more in (((0, 1, 2), True), ((0, 10, 18), True), ((0, 10, 20), False)):
        board = _board(Whisper(cells))
        first = all_steps(board, Technique.WHISPER)
        assert set(_removed(first).values()) == {"5"}
        board.apply(first[0])
        middle = f"r{cells[1] // 9 + 1}c{cells[1] % 9 + 1}"
        assert _found(board, Technique.WHISPER) == (
            {middle: "46"} if more or board.layout.sight[cells[0]] >> cells[2] & 1 else {}
        )


def test_equal_cells_share_their_candidates() -> None:
    """A palindrome is a rule part without a technique of its own."""
    board = _board(Palindrome((0, 40, 80)), only={0: "123"})
    assert _found(board, Technique.RULE_PART) == {"r9c9": "456789"}
    assert not _found(_board(Palindrome((0, 40, 80))), Technique.RULE_PART)


def test_cells_of_a_part_that_see_each_other_differ() -> None:
    """An arrow of two cells in a row that both hold 2 or 3, and 4 to 6 in its circle: 2+2 and 3+3 would repeat."""
    board = _board(Arrow(0, ((9, 10),)), only={0: "456", 9: "23", 10: "23"})
    assert not _found(board, Technique.RULE_PART)
    assert _found(board, Technique.JOINT_RULE_PART) == {"r1c1": "46"}


# --- cages and houses -------------------------------------------------------------------------------------------------


def test_values_in_every_combination_leave_what_sees_their_places() -> None:
    """3 in two cells of row 1 and box 1 needs 1 and 2: they leave the rest of both. 5 is 1+4 or 2+3, and needs nothing."""
    found = _found(_board(KillerCage((0, 1), 3)), Technique.NEEDED_DIGIT)
    assert set(found.values()) == {"12"}
    assert len(found) == 7 + 6
    assert not _found(_board(KillerCage((0, 1), 5)), Technique.NEEDED_DIGIT)


def test_a_cage_that_needs_one_of_two_values_counts_as_one_cell_of_a_pair() -> None:
    """5 in two cells has 1 or 2 in it: with a cell of 1 and 2 in the same row they take up both; with a cell of 1, 2, 3 not."""
    found = _found(_board(KillerCage((0, 1), 5), only={4: "12"}), Technique.KILLER_SUBSET)
    assert {name: digits for name, digits in found.items() if "1" in digits and "2" in digits} == dict.fromkeys(
        ("r1c3", "r1c4", "r1c6", "r1c7", "r1c8", "r1c9"), "12"
    )
    assert not _found(_board(KillerCage((0, 1), 6), only={4: "123"}), Technique.KILLER_SUBSET)


def test_cells_whose_sum_houses_leave_are_cages_of_subsets() -> None:
    """Cages leave r3c23 of box 1 with 5, so 1 or 2 there: a cell of 1 and 2 in row 3 uses up the other; with 7 not."""
    for over, expected in ((25, "12"), (23, "")):
        cages = [KillerCage((0, 1, 2), 15), KillerCage((9, 10, 11, 18), over)]
        steps = all_steps(_board(*cages, only={22: "12"}), Technique.KILLER_SUBSET)
        removed = _removed([step for step in steps if step.pattern.bases == (2,)])
        assert removed.get("r3c9", "") == expected
    board = _board(KillerCage((0, 1, 2), 15), KillerCage((9, 10, 11, 18), 25), only={22: "12"})
    steps = all_steps(board, Technique.KILLER_SUBSET)
    assert not any(unproved_results(board, step) for step in steps)
    text = describe_step(board.layout, Puzzle().symbols, next(step for step in steps if step.pattern.bases == (2,)))
    assert "r3c23 (whose sum the 45 rule gives) and the cell r3c5 use up 1 and 2 of row 3" in text


def test_cells_that_stick_out_need_values_too() -> None:
    """Cages over box 1 hold 48 and stick out in r1c4 and r2c4, which add up to 3: 1 and 2 leave column 4 and the box."""
    cages = [KillerCage((0, 1, 2, 3), 16), KillerCage((9, 10, 11, 12), 17), KillerCage((18, 19, 20), 15)]
    board = _board(*cages)
    steps = [step for step in all_steps(board, Technique.NEEDED_DIGIT) if step.pattern.total == 3]
    assert {name for name, digits in _removed(steps).items() if digits == "12"} >= {"r9c4", "r3c6"}
    assert not any(unproved_results(board, step) for step in steps)
    text = describe_step(board.layout, Puzzle().symbols, steps[0])
    assert "the sums over box 1 are more than their total by what sticks out, so r12c4 add up to 3" in text


@pytest.mark.parametrize(
    ("cages", "found"),
    [
        ({(0, 1, 2): 15, (9, 10, 11): 15, (18, 19): 9}, {"r3c3": "12345789"}),
        ({(0, 1, 2): 15, (9, 10, 11): 15, (18, 19, 20, 21): 20}, {"r3c4": "12346789"}),
        ({(0, 1, 2): 15, (9, 10): 9, (18, 19, 20, 21): 20}, {"r2c3": "1", "r3c4": "9"}),
        ({(0, 1, 2): 15, (9, 10, 11): 15, (18,): 9}, {"r3c2": "3678", "r3c3": "3678"}),
        ({(0, 1, 2): 15}, {}),
    ],
    ids=["innie", "outie", "difference", "two innies", "too many"],
)
def test_cages_leave_the_sum_of_a_few_cells_of_a_box(cages: dict[tuple[int, ...], int], found: dict[str, str]) -> None:
    """45 less the cages is what is left, and what sticks out of them is what they hold too much."""
    rules = [KillerCage(cells, total) for cells, total in cages.items() if len(cells) > 1]
    board = _board(*rules, r3c1=9) if (18,) in cages else _board(*rules)
    assert _found(board, Technique.HOUSE_TOTAL) == found


def test_cells_whose_sum_houses_leave_need_values_too() -> None:
    """Cages leave r3c2 and r3c3 of box 1 with 3: 1 and 2 leave row 3 and the rest of the box; with 5 nothing is needed."""
    cages = [KillerCage((0, 1, 2), 15), KillerCage((9, 10, 11, 18), 27)]
    found = _found(_board(*cages), Technique.NEEDED_DIGIT)
    assert {name for name, digits in found.items() if digits == "12"} >= {f"r3c{column}" for column in range(4, 10)}
    assert "r3c4" not in _found(_board(cages[0], KillerCage((9, 10, 11, 18), 25)), Technique.NEEDED_DIGIT)


def test_cages_of_a_house_share_out_its_values() -> None:
    """In a row 17 in two cells takes 8 and 9, so that 13 in two others is neither 4+9 nor 5+8."""
    board = _board(KillerCage((0, 1), 17), KillerCage((2, 3), 13))
    found = _found(board, Technique.HOUSE_COMBINATIONS)
    assert found["r1c3"] == found["r1c4"] == "1234589"


def test_what_a_cage_holds_outside_a_house_counts() -> None:
    """A cage of 6 in three cells is 1+2+3; if its cell in row 2 must be 3, those in row 1 are 1 and 2; box 1 has all three."""
    board = _board(KillerCage((0, 1, 9), 6), only={9: "39"})
    found = _found(board, Technique.HOUSE_COMBINATIONS)
    assert found["r1c1"] == found["r1c2"] == "3456789"
    assert (found["r1c3"], found["r1c4"]) == ("123", "12")


def test_two_rows_have_a_total_together() -> None:
    """Eight cages of 10 across the border of two rows leave 10 for the last column: not 5 and 5, and 6 if one cell is 4."""
    cages = [KillerCage((column, column + 9), 10) for column in range(8)]
    assert _found(_board(*cages), Technique.HOUSE_TOTAL) == {"r1c9": "5", "r2c9": "5"}
    assert _found(_board(*cages, r2c9=4), Technique.HOUSE_TOTAL) == {"r1c9": "1235789"}


def test_a_total_fixes_the_parity_of_the_only_cell_that_may_be_odd_or_even() -> None:
    """Six cells of box 1 add up to 30: if five of them are even, so is the sixth; if two may be odd, nothing follows."""
    cage, even = KillerCage((0, 1, 2), 15), dict.fromkeys((9, 10, 11, 18, 19), "2468")
    assert _found(_board(cage, only=even), Technique.PARITY)["r3c3"] == "13579"
    assert not _found(_board(cage, only=even | {19: "123468"}), Technique.PARITY)


def test_other_cells_of_a_sum_leave_a_cell_a_minimum_and_a_maximum() -> None:
    """17 in two cells is 8+9. An arrow of three cells in a row holds at least 1+2+3, so that none of them is more than 6."""
    assert _found(_board(LittleKiller((1, 9), 17)), Technique.MINIMUM_AND_MAXIMUM) == dict.fromkeys(("r1c2", "r2c1"), "1234567")
    board = _board(Arrow(40, ((0, 1, 2),)))
    board.apply(all_steps(board, Technique.MINIMUM_AND_MAXIMUM)[0])
    found = _found(board, Technique.MINIMUM_AND_MAXIMUM)
    assert found == {"r1c1": "7", "r1c2": "7", "r1c3": "7", "r5c5": "345"}


# --- houses -----------------------------------------------------------------------------------------------------------


def test_a_cell_that_sees_all_places_of_a_value_loses_it() -> None:
    """7 in row 1 stands in r1c3 or r1c5: r3c4 sees both if knights see each other, else only one of them."""
    without = {cell: "7" for cell in range(9) if cell not in {2, 4}}
    assert _found(_board(AntiKnight(), without=without), Technique.COMMON_SIGHT)["r3c4"] == "7"
    assert not _found(_board(without=without), Technique.COMMON_SIGHT)


def test_the_ring_around_the_centre_box_holds_what_the_corner_squares_do() -> None:
    """No 5 in the sixteen cells of the corners: none in the sixteen of the ring. If one corner cell may be 5, nothing follows."""
    edge = (0, 1, 7, 8)
    corners = [9 * row + column for row in edge for column in edge]
    board = _board(without=dict.fromkeys(corners, "5"))
    ring = {f"r{row}c{column}" for row in range(3, 8) for column in range(3, 8) if {row, column} & {3, 7}}
    found = [step for step in all_steps(board, Technique.SET_EQUIVALENCE) if set(_removed([step])) == ring]
    assert [_removed([step]) for step in found] == [dict.fromkeys(sorted(ring), "5")]
    assert not unproved_results(board, found[0])
    board = _board(without=dict.fromkeys(corners[1:], "5"))
    assert not [step for step in all_steps(board, Technique.SET_EQUIVALENCE) if set(_removed([step])) == ring]


# --- all of them ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("technique", OWN, ids=str)
def test_each_has_words_and_a_rung(technique: Technique) -> None:
    """What the ladder finds can be said."""
    assert rung_of(technique).technique is technique
    assert technique in REASONS


def _check_walk(puzzle: Puzzle) -> None:
    """Walk by singles and our own techniques, and check each of these."""
    rungs = (*SINGLES, *(rung for rung in RUNGS if rung.technique in OWN))
    solution = solve(puzzle).solution
    assert solution is not None
    board = make_board(puzzle)
    while step := next_step(board, rungs):
        assert all(solution[cell] != value for cell, value in step.eliminations), step
        assert step.technique not in OWN or not unproved_results(board, step), step
        assert describe_step(board.layout, puzzle.symbols, step)
        board.apply(step)


BY_FEW_CLUES = {Technique.CLUE_AND_HOUSE, Technique.TWO_CLUES, Technique.HOUSE_WITH_CLUES}


def _left_by(board: CandidateBoard, technique: Technique, turn: Callable[[int], int] = int) -> dict[int, int]:
    """Return the candidates of open cells that are left where nothing is found any more, cells as they are ``turn``ed."""
    after = board.copy()
    while steps := all_steps(after, technique):
        for step in steps:
            after.apply(step)
    return {turn(cell): after.candidates[cell] for cell in members(after.open)}


def _turned(cell: int) -> int:
    return 9 * (cell % 9) + cell // 9


@pytest.mark.parametrize("name", ["killer", "thermometer", "whisper", "renban", "little-killer"])
def test_rows_and_columns_exchanged_give_the_image_of_each_step(name: str) -> None:
    """Each technique finds the same on the mirrored board after the same steps.

    Where a step is explained by few of many clues, what goes with it depends on which of them are looked at first: there the
    same goes in the end.
    """
    record = next(read_records(Path(f"examples/variants/{name}.jsonl")))
    assert record.puzzle is not None
    givens = {_turned(cell): value for cell, value in record.puzzle.givens.items()}
    rules = tuple(move_rule(rule, _turned) for rule in record.puzzle.rules)
    board, image = make_board(record.puzzle), make_board(replace(record.puzzle, rules=rules, givens=givens, solution=None))
    rungs = (*SINGLES, *(rung for rung in RUNGS if rung.technique in OWN))
    for _ in range(4):
        for technique in OWN:
            found = {
                tuple(sorted((_turned(cell), value) for cell, value in step.eliminations)) for step in all_steps(board, technique)
            }
            mirrored = {step.eliminations for step in all_steps(image, technique)}
            assert found == mirrored or (
                technique in BY_FEW_CLUES and _left_by(board, technique, _turned) == _left_by(image, technique)
            )
        for step in [step for rung in rungs for step in rung.find(board)][:20]:
            for one, turn in ((board, int), (image, _turned)):
                for cell, value in step.eliminations:
                    one.remove(1 << turn(cell), value)
                for cell, value in step.placements:
                    if one.values[turn(cell)] is None:
                        one.place(turn(cell), value)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_each_step_on_variants_is_proved(path: Path) -> None:
    """Whatever the rules: no step removes a value of the solution, and each follows from its groups."""
    for record in read_records(path):
        assert record.puzzle is not None
        _check_walk(record.puzzle)


@pytest.mark.parametrize("name", ["killer", "thermometer", "arrow"])
def test_rule_parts_lead_on_where_singles_stop(name: str) -> None:
    """Singles do not solve the first example of each; the ladder does."""
    record = next(read_records(Path(f"examples/variants/{name}.jsonl")))
    assert record.puzzle is not None
    board = make_board(record.puzzle)
    for rungs, solved in ((SINGLES, False), (RUNGS, True)):
        list(apply_steps(board, rungs))
        assert bool(board.open) is not solved


# --- implied houses -------------------------------------------------------------------------------------------------------


_HIDDEN = [9 * row + column for row in (1, 2, 3) for column in (0, 4, 8)]
"""The cells of rows 2, 3 and 4 between the windows, which hold each value once."""
_IMPLIED = [
    # what its cells can hold, what goes (or is placed), and the same with one place more, which shows nothing
    (Technique.IMPLIED_SINGLE, dict.fromkeys(_HIDDEN[1:], "12346789"), {}, dict.fromkeys(_HIDDEN[2:], "12346789")),
    (
        Technique.IMPLIED_LOCKED,
        {cell: "12346789" for cell in _HIDDEN if cell % 9},
        {f"r{row}c1": "5" for row in (1, 5, 6, 7, 8, 9)},
        {cell: "12346789" for cell in _HIDDEN if cell % 9 and cell != _HIDDEN[-1]},
    ),
    (
        Technique.IMPLIED_SUBSET,
        {_HIDDEN[0]: "12", _HIDDEN[4]: "12"},
        {f"r{row}c{column}": "12" for row in (2, 3, 4) for column in (1, 5, 9) if (row, column) not in {(2, 1), (3, 5)}},
        {_HIDDEN[0]: "12", _HIDDEN[4]: "123"},
    ),
]


@pytest.mark.parametrize(("technique", "only", "removed", "nearly"), _IMPLIED)
def test_what_windows_leave_of_rows_is_a_house(
    technique: Technique, only: dict[int, str], removed: dict[str, str], nearly: dict[int, str]
) -> None:
    """Three rows without the two windows in them hold each value once: singles, locked candidates and subsets are found there."""

    def steps_in(only: dict[int, str]) -> list[Step]:
        board = _board(Windoku(), only=only)
        _found(board, technique)
        return [step for step in all_steps(board, technique) if step.pattern.sets[0].cells == to_mask(_HIDDEN)]

    assert _removed(steps_in(only)) == removed
    assert [step.placements for step in steps_in(only) if step.placements] == ([((9, 5),)] if not removed else [])
    assert not steps_in(nearly)


def test_plain_boards_have_no_implied_houses() -> None:
    """Rows without boxes leave boxes."""
    assert not implied_houses(_board().layout)
    assert len(implied_houses(_board(Windoku()).layout)) == 5


# --- clues case by case ---------------------------------------------------------------------------------------------------


_CAGE_OF_4 = {cell: "123456789".replace("4", "") for cell in range(2, 9)}
"""Row 1 with 4 in its first two cells alone."""
_NINE = dict.fromkeys(range(2, 9), "12345678")
"""Row 1 with 9 in its first two cells alone."""
_BESIDE_9 = (
    {"r1c1": "1234567", "r1c2": "1234567"}
    | {f"r1c{column}": "8" for column in range(3, 10)}
    | {f"r{row}c{column}": "8" for row in (2, 3) for column in (1, 2, 3)}
)
"""What goes if 9 and 8 stand there."""
_TWO_EIGHTS = dict.fromkeys(range(4), "123567") | {4: "12", 5: "34"}
"""Of 1+7, 2+6 and 3+5 two have to be left for two cages of 8 in row 1."""
_CLUE_CASES = [
    # rules, what cells hold or have lost, what goes, the same with one thing more, and what goes then
    (Technique.CLUE_AND_HOUSE, [Thermometer((0, 1, 2))], {3: "89"}, {"r1c1": "7", "r1c2": "8"}, {3: "69"}),
    (Technique.CLUE_AND_HOUSE, [KillerCage((0, 1), 5)], _CAGE_OF_4, {"r1c1": "23", "r1c2": "23"}, _CAGE_OF_4 | {8: "45"}),
    (Technique.VALUE_AND_CLUES, [Difference((0, 1))], _NINE, _BESIDE_9, _NINE | dict.fromkeys((6, 7), "123456789")),
    (
        Technique.HOUSE_WITH_CLUES,
        [KillerCage((0, 1), 8), KillerCage((2, 3), 8)],
        _TWO_EIGHTS,
        {"r1c6": "3", "r1c7": "12345", "r1c8": "12345", "r1c9": "12345"},
        None,
    ),
    (Technique.HOUSE_WITH_CLUES, [KillerCage((0, 1), 8)], _TWO_EIGHTS, {}, None),
    (
        Technique.TWO_CLUES,
        [KillerCage((0, 1), 5), KillerCage((7, 8), 6)],
        {},
        {"r1c1": "14", "r1c2": "14", "r1c8": "24", "r1c9": "24"},
        None,
    ),
    (Technique.TWO_CLUES, [KillerCage((0, 1), 5), KillerCage((7, 8), 8)], {}, {}, None),
    (
        Technique.NEEDED_DIGIT,
        [Ratio((0, 1))],
        {0: "248", 1: "248"},
        {f"r1c{c}": "4" for c in range(3, 10)} | {f"r{r}c{c}": "4" for r in (2, 3) for c in (1, 2, 3)},
        {0: "1248", 1: "1248"},
    ),
]


@pytest.mark.parametrize(("technique", "rules", "only", "removed", "nearly"), _CLUE_CASES)
def test_what_the_ways_to_fill_a_clue_leave_without(
    technique: Technique, rules: list[Rule], only: dict[int, str], removed: dict[str, str], nearly: dict[int, str] | None
) -> None:
    """A value goes where each way to fill its clue with it leaves a cell, a house or another clue without; one spare saves it.

    What every way has in common leaves the cells that see it.
    """
    assert _found(_board(*rules, only=only), technique) == removed
    if nearly is not None:
        assert not _found(_board(*rules, only=nearly), technique)


def test_only_short_clues_are_listed() -> None:
    """The ways to fill a dot are listed, those of a whole row are not even looked for."""
    board = _board(Ratio((0, 1)), Sandwich(tuple(range(9)), 20))
    dot, sandwich = (fillings_of(board.layout, part, part_domains(board, part)) for part in range(2))
    assert dot is not None
    assert dot.every.bit_count() == 8  # 1-2, 2-4, 3-6 and 4-8, either way
    assert sandwich is None


def test_a_needed_digit_of_a_dot_names_the_dot() -> None:
    """A dot left with 2-4 and 4-8 needs its 4."""
    board = _board(Ratio((0, 1)), only={0: "248", 1: "248"})
    (step,) = all_steps(board, Technique.NEEDED_DIGIT)
    text = describe_step(board.layout, Puzzle().symbols, step)
    assert (
        "the black dot r1c1-r1c2, left with r1c1 {2,4,8} and r1c2 {2,4,8}, has 4 in one of r1c12 in every way to fill it" in text
    )


# --- sentences ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "technique", "words"),
    [
        (Arrow(0, ((10, 20),)), Technique.MINIMUM_AND_MAXIMUM, "r1c1 is at least 1+1 = 2, r2c2 is at most 9-1 = 8"),
        (Arrow(0, ((9, 18),)), Technique.MINIMUM_AND_MAXIMUM, "cells that see each other differ), r1c1 is at least 1+2 = 3"),
        (Thermometer((0, 10, 20, 30, 40, 50)), Technique.THERMOMETER_ENDS, ": r1c1 is at most 4 (five cells follow), r2c2"),
        (Thermometer((0, 10)), Technique.THERMOMETER_ENDS, "r2c2 is at least 2 (one cell comes before it), so"),
    ],
)
def test_sentences_tell_the_reckoning(rule: Rule, technique: Technique, words: str) -> None:
    """What a sum or a thermometer leaves a cell is told with the numbers it comes from."""
    board = _board(rule)
    told = [describe_step(board.layout, Puzzle().symbols, step) for step in apply_steps(board, (rung_of(technique),))]
    assert any(words in text for text in told), told


def test_bounds_rule_out_just_what_goes() -> None:
    """A step's bounds and its eliminations say the same, and each bound is the sum of its terms."""
    for board, technique in (
        (_board(Arrow(0, ((9, 18),))), Technique.MINIMUM_AND_MAXIMUM),
        (_board(Thermometer((0, 10, 20)), only={10: "456"}), Technique.THERMOMETER_ENDS),
    ):
        for step in all_steps(board, technique):
            gone = {
                (bound.cell, value)
                for bound in step.pattern.bounds
                for value in members(board.candidates[bound.cell])
                if bound.rules_out(value)
            }
            assert gone == set(step.eliminations)
            assert all(sum(bound.terms) == bound.value for bound in step.pattern.bounds)
