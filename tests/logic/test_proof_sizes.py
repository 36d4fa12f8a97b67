"""The proof-size engine: one answer from both searches, every refutation proved and true, rounds as defined, for any rules."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pysat.solvers import Solver

from sudoku_cp import Puzzle, formats, generate, solve
from sudoku_cp.backends import Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic import Step, Technique, make_board
from sudoku_cp.logic.proofs import next_round, proof_profile, smallest_refutations
from sudoku_cp.logic.proofs.array_refutation import board_refutation
from sudoku_cp.logic.proofs.part_clauses import group_clauses, literal_numbers, propagate_units
from sudoku_cp.logic.proofs.refutation_search import UNBOUNDED, RefutationSearch
from sudoku_cp.logic.proofs.refutations import lone_refutations, open_candidates
from sudoku_cp.logic.proofs.rounds import apply_round
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.logic.techniques.forcing import refutations
from tests.logic.proof_check import unproved_results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic import CandidateBoard
    from sudoku_cp.logic.proofs import Refutation, Round

WIKIPEDIA = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NORVIG = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
FORUM = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
HARD_FOR_SEARCH = {"global-entropy", "global-mod", "nonconsecutive"}
"""Variants with so few clues that propagation refutes nothing for many rounds, and SAT takes minutes."""
QUICK = {"anti-knight", "arrow", "counting-circles", "killer", "lunchbox", "mixed", "sandwich", "thermometer", "whisper"}
"""Variants of every kind of part, whose paths are walked in the quick tests too."""
EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [
    pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else [pytest.mark.slow])
    for path in sorted((EXAMPLES / "variants").glob("*.jsonl"))
]


def variant(name: str) -> Puzzle:
    """Return the first example of a variant."""
    return puzzle_of(Path(__file__).parents[2] / "examples" / "variants" / f"{name}.jsonl")


def puzzle_of(path: Path) -> Puzzle:
    """Return the first puzzle of a file."""
    puzzle = next(iter(formats.read_records(path))).puzzle
    assert puzzle
    return puzzle


def walk(board: CandidateBoard, seconds: float = 60) -> Iterator[Round]:
    """Yield the rounds of a board, each before it is made."""
    clock = Limits(seconds=seconds).started()
    while board.open and (found := next_round(board, clock)):
        yield found
        apply_round(board, found)


def as_step(refutation: Refutation) -> Step:
    """Return a refutation as a step, so that its proof can be checked."""
    eliminations = ((refutation.cell, refutation.value),)
    return Step(Technique.FORCING_NET_CONTRADICTION, 0, 0, eliminations, proof=refutation.proof)


def boards_on_the_way(puzzle: Puzzle, most: int = 6) -> Iterator[CandidateBoard]:
    """Yield the boards on which refutations are looked for, no more than ``most``."""
    board = make_board(puzzle)
    hard = (board.copy() for found in walk(board) if found.refutations)
    return islice(hard, most)


# --- the two searches ---------------------------------------------------------------------------------------------


@pytest.mark.slow  # compiling the search takes half a minute
@pytest.mark.parametrize("text", [NORVIG, ESCARGOT, FORUM])
def test_the_readable_and_the_compiled_search_agree_on_plain_grids(text: str) -> None:
    """The same candidates with the same cones, and both number the groups alike."""
    for board in boards_on_the_way(Puzzle.parse(text), most=3):
        assert_searches_agree(board)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES)
def test_the_readable_and_the_compiled_search_agree_on_variants(path: Path) -> None:
    """Whatever the rules: auxiliaries of parts, and groups that are no houses, included."""
    board = make_board(puzzle_of(path))
    if len(board.values) > 81:
        pytest.skip("the readable search takes long")
    assert_searches_agree(board, every=7)


def assert_searches_agree(board: CandidateBoard, every: int = 1) -> None:
    """Compare the least refutations, and those of every n-th candidate alone, without any bound."""
    numbers, groups = literal_numbers(board.layout), group_clauses(board)
    readable, compiled = RefutationSearch(groups), board_refutation(board)
    targets = [numbers.literal(*candidate) for candidate in open_candidates(board)][::every]
    expected = readable.least(targets, UNBOUNDED, int)
    assert compiled.least(targets, UNBOUNDED, int) == expected
    assert compiled.least(targets, 4, int) == readable.least(targets, 4, int)
    for target in targets[:20]:
        assert compiled.least([target], UNBOUNDED, int) == readable.least([target], UNBOUNDED, int)
    for _, cone in expected:
        assert compiled.proof(cone) == readable.proof(cone)


@pytest.mark.slow  # where the search is not compiled, there is no queue
def test_a_queue_that_is_too_short_is_made_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers do not depend on the length of the queue, nor on how often the clock is looked at."""
    board = next(boards_on_the_way(Puzzle.parse(ESCARGOT)))
    expected = smallest_refutations(board)
    monkeypatch.setattr("sudoku_cp.logic.proofs.array_refutation.QUEUE", 1)
    monkeypatch.setattr("sudoku_cp.logic.proofs.array_refutation.SLICE", 1)
    assert smallest_refutations(board) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["killer", "thermometer", "counting-circles"])
def test_without_a_compiler_the_answers_are_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Numba is turned off, or its code is not worth compiling, the readable search answers."""
    board = make_board(variant(name))
    answers = []
    for compiled in (True, False):
        monkeypatch.setattr("sudoku_cp.logic.proofs.refutations._is_compiled", lambda _, compiled=compiled: compiled)
        answers.append((lone_refutations(board), smallest_refutations(board)))
    assert answers[0] == answers[1]


def test_a_refutation_counts_shared_groups_once() -> None:
    """A pair of values in two cells: locking a value takes two groups, whose sets of groups are what is counted."""
    board = next(boards_on_the_way(Puzzle.parse(NORVIG)))
    (first, *_) = smallest_refutations(board)
    assert first.size == len(set(first.proof)) == 2


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ([(2,), (3, 4), (5, 6, 8)], [(2,), (4,), (6, 8)]),
        ([(2,), (3,)], [()]),
        ([(2,), (3, 5), (4,)], [()]),
        ([(2, 4), ()], [()]),
        ([(20,), (21, 4), (6, 20)], [(4,)]),
        ([(2, 4), (3, 5)], [(2, 4), (3, 5)]),
    ],
)
def test_units_are_propagated_within_a_part(clauses: list[tuple[int, ...]], expected: list[tuple[int, ...]]) -> None:
    """What is decided goes, but for claims about candidates; from literal 20 on auxiliaries are the part's own."""
    assert propagate_units(clauses, 20) == expected


# --- rounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [WIKIPEDIA, NORVIG])
def test_a_path_is_the_same_twice(text: str) -> None:
    """Nothing depends on caches, clocks or the order of sets."""
    puzzle = Puzzle.parse(text)
    assert proof_profile(puzzle) == proof_profile(puzzle)


def test_rounds_come_in_their_order() -> None:
    """Hidden singles of boxes, then of lines, then naked ones; refutations only on boards without any single."""
    for found in walk(board := make_board(Puzzle.parse(NORVIG))):
        sizes = single_sizes(board)
        if found.placements:
            assert found.size == min(sizes)
        else:
            assert not sizes
            assert found.size == min(refutation.size for refutation in found.refutations) >= 2


def single_sizes(board: CandidateBoard) -> set[float]:
    """Return the sizes of the singles on a board, in a few words of its own."""
    sizes: set[float] = {2 for cell, domain in enumerate(board.candidates) if board.open >> cell & 1 and domain.bit_count() == 1}
    for house in range(board.layout.houses):
        group = board.layout.groups[house]
        if any((places & group.mask).bit_count() == 1 for places in board.places):
            sizes.add(1 if group.kind == "box" else 1.25)
    return sizes


def test_numbers_of_a_profile() -> None:
    """The largest size, the sum of squares, and how many rounds are above 2."""
    profile = proof_profile(Puzzle.parse(NORVIG))
    sizes = [found.size for found in profile.path]
    assert profile.solved
    assert not profile.search
    assert profile.largest == max(sizes)
    assert profile.squares == sum(size * size for size in sizes)
    assert (profile.rounds, profile.hard) == (len(sizes), sum(size > 2 for size in sizes))


@pytest.mark.parametrize("givens", ["", NORVIG.replace("5", ".", 1)])
def test_a_path_without_one_solution_ends_early(givens: str) -> None:
    """Of an ambiguous puzzle, what is true in all solutions is shown at most."""
    profile = proof_profile(Puzzle.parse(givens or "." * 81))
    assert not profile.solved


def test_a_contradictory_puzzle_is_not_solved() -> None:
    """Two equal values in a row leave some cell or value without a place."""
    assert not proof_profile(Puzzle.parse("5" + "." * 7 + "5" + "." * 72)).solved
    assert not proof_profile(Puzzle.parse("12345678." + "." * 8 + "9" + "." * 63)).solved


def test_a_limit_is_kept() -> None:
    """No time at all raises at once."""
    with pytest.raises(LimitReached):
        proof_profile(Puzzle.parse(ESCARGOT), Limits(seconds=0))


# --- every refutation is proved --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [NORVIG, pytest.param(ESCARGOT, marks=pytest.mark.slow)])
def test_every_refutation_is_proved(text: str) -> None:
    """Pencil marks, the groups of the cone and the candidate contradict each other, says a SAT solver."""
    for board in boards_on_the_way(Puzzle.parse(text), most=10):
        for refutation in smallest_refutations(board)[:10]:
            assert not unproved_results(board, as_step(refutation))


@pytest.mark.parametrize("path", FILES)
def test_paths_of_variants_are_true_and_proved(path: Path) -> None:
    """The path leads to the solution, and the refutations of its rounds are proved (three of each of the first rounds)."""
    puzzle = puzzle_of(path)
    solution = solve(puzzle).solution
    assert solution
    rounds, board = 0, make_board(puzzle)
    try:
        for rounds, found in enumerate(walk(board, 1 if path.stem in HARD_FOR_SEARCH else 60), 1):
            assert all(solution[cell] == value for cell, value in found.placements)
            assert all(solution[refutation.cell] != refutation.value for refutation in found.refutations)
            if rounds <= 12:
                for refutation in found.refutations[:3]:
                    assert not unproved_results(board, as_step(refutation))
    except LimitReached:
        assert path.stem in HARD_FOR_SEARCH
    else:
        assert tuple(board.values) == solution
    assert rounds


def refutes(board: CandidateBoard, refutation: Refutation, without: ProofGroup | None = None) -> bool:
    """Return whether what the groups of a proof state refutes its candidate, one of them perhaps left out.

    They state what the engine loads. `unproved_results` takes rule parts to say besides that their cells have a value, and would
    find groups that say just that superfluous.
    """
    kept = {group for group in refutation.proof if group != without}
    clauses = []
    for group in group_clauses(board):
        if group.group in kept:
            clauses += group.clauses
            clauses += [(one ^ 1, other ^ 1) for one, other in combinations(group.exclusive, 2)]
    target = literal_numbers(board.layout).literal(refutation.cell, refutation.value)
    signed = [[-(one // 2) - 1 if one & 1 else one // 2 + 1 for one in clause] for clause in [*clauses, (target,)]]
    with Solver("cadical153", bootstrap_with=signed) as solver:
        return not solver.solve()


@pytest.mark.slow
def test_what_propagation_cannot_refute_deletion_does() -> None:
    """Of a board on which propagation finds nothing, the round is flagged, and its proofs are minimal."""
    puzzle = variant("global-entropy")
    board, clock = make_board(puzzle), Limits(seconds=60).started()
    while not (found := next_round(board, clock)) or not found.search:
        assert found
        apply_round(board, found)
    assert not smallest_refutations(board)
    assert found.refutations
    for refutation in found.refutations:
        assert not unproved_results(board, as_step(refutation))
        assert refutes(board, refutation)
        assert not any(refutes(board, refutation, without=group) for group in refutation.proof)


def test_a_rule_part_refutes_alone() -> None:
    """A cage of 3 in two cells holds 1 and 2: all other values go, each by one group."""
    puzzle = variant("killer")
    board = make_board(puzzle)
    alone = lone_refutations(board)
    assert alone
    assert {refutation.size for refutation in alone} == {1}
    assert all(refutation.proof[0].statement is ProofStatement.PART for refutation in alone)
    assert [step.eliminations for step in refutations(board)] == [((one.cell, one.value),) for one in alone]


def test_groups_of_filled_cells_and_placed_values_are_gone() -> None:
    """No group is about a filled cell, or about a value that its house has."""
    board = make_board(Puzzle.parse(NORVIG))
    groups = [group.group for group in group_clauses(board)]
    assert ProofGroup(ProofStatement.HAS_VALUE, 1) in groups
    assert ProofGroup(ProofStatement.HAS_VALUE, 0) not in groups
    row = next(index for index, group in enumerate(board.layout.groups) if group.name == "row 1")
    assert ProofGroup(ProofStatement.HAS_PLACE, row, 1) in groups
    assert ProofGroup(ProofStatement.HAS_PLACE, row, 4) not in groups
    assert len(set(groups)) == len(groups)


# --- how far symmetric images differ ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_report_of_symmetric_images() -> None:
    """Ties are broken by numbers, so images of 100 puzzles may differ: the report says how far, and that most do not."""
    rng, differences = random.Random(5), []  # noqa: S311
    hardest = (EXAMPLES / "hardest.txt").read_text(encoding="utf-8").split()
    made = [one.puzzle.line() for one in generate(100 - 3 - len(hardest), seed=5)]
    for text in (NORVIG, ESCARGOT, FORUM, *hardest, *made):
        largest = [proof_profile(Puzzle.parse(image)).largest for image in (text, image_of(text, rng))]
        differences.append(max(largest) - min(largest))
    print("largest of symmetric images differs by", sorted(Counter(differences).items()))
    assert len(differences) == 100
    assert sum(difference <= 1 for difference in differences) >= 90


def image_of(text: str, rng: random.Random) -> str:
    """Return a puzzle with rows and columns of bands, bands, and values exchanged at random; perhaps transposed."""
    rows, columns = ([3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)] for _ in range(2))
    values = dict(zip("123456789", rng.sample("123456789", 9), strict=True)) | {".": "."}
    cells = [values[text[9 * row + column]] for row in rows for column in columns]
    return "".join(cells if rng.random() < 0.5 else [cells[9 * (index % 9) + index // 9] for index in range(81)])
