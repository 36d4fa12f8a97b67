"""Ratings on several scales share the time fairly; the ways along a path are those that its techniques offered."""

from __future__ import annotations

import pytest

from sudoku_cp import Limits, Puzzle, rate
from sudoku_cp.errors import InvalidInput, LimitReached, Unsupported
from sudoku_cp.formats import read_records
from sudoku_cp.logic import Technique, make_board
from sudoku_cp.logic.difficulty_level import level_of
from sudoku_cp.logic.rating import ratings
from sudoku_cp.logic.rating.explainer import ExplainerRating
from sudoku_cp.logic.rating.path_score import score_puzzle
from sudoku_cp.logic.rating.ratings import SCALES, parse_scales, ways_forward
from sudoku_cp.logic.rating.ratings_json import COLUMNS, error_values, ratings_to_values, values_to_row

EASY = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
HARD = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


@pytest.mark.parametrize(
    ("names", "scales"),
    [("all", SCALES), (["hodoku", "se"], ("se", "hodoku")), ("HoDoKu, words", ("words", "hodoku")), (("se,se", "all"), SCALES)],
)
def test_scales_by_name(names, scales) -> None:
    """In any case, repeated or separated by commas, in the usual order."""
    assert parse_scales(names) == scales


@pytest.mark.parametrize("names", ["", [], "stars", ["se", "stars,moons"]])
def test_other_scales_are_refused(names) -> None:
    """All unknown ones at once."""
    with pytest.raises(InvalidInput, match="expected a scale, one of"):
        parse_scales(names)


def test_what_was_not_asked_for_is_none() -> None:
    """Nothing is missing of it, either."""
    found = rate(EASY, "words")
    assert (found.status, found.word, found.missing, found.ran_out) == ("unique", "easy", {}, False)
    assert found.explainer is found.sukaku is found.profile is found.score is found.ways is None


def test_each_scale_gets_an_equal_share_of_what_is_left(monkeypatch) -> None:
    """One that fails or needs little leaves its time to those behind it; a reason says what became of it."""
    shares: dict[str, float] = {}

    def rater(name: str, error: Exception | None):
        def run(_puzzle: Puzzle, limits: Limits, _found: object) -> str:
            shares[name] = limits.seconds or 0
            if error:
                raise error
            return name

        return run

    errors = {
        "words": None,
        "se": LimitReached("deadline", "0.1 s"),
        "sukaku": None,
        "proof": Unsupported("plain rules only"),
        "hodoku": None,
    }
    monkeypatch.setattr(ratings, "_RATERS", {name: rater(name, error) for name, error in errors.items()})
    found = rate(EASY, limits=Limits(seconds=100))
    assert [round(shares[name]) for name in (*SCALES[1:], "words")] == [20, 25, 33, 50, 100]
    assert found.missing == {"se": "deadline", "proof": "plain rules only"}
    assert found.ran_out
    assert (found.word, found.score) == ("words", "hodoku")


@pytest.mark.parametrize(("name", "number", "level"), [("killer", 0, "easy"), ("killer", 2, "hard"), ("arrow", 0, "medium")])
def test_the_level_of_a_variant_reads_its_parts_first(name: str, number: int, level: str) -> None:
    """What a cage rules out by itself is gone before singles are looked for, so not every killer is hard."""
    puzzle = [record.puzzle for record in read_records(f"examples/variants/{name}.jsonl")][number]
    assert puzzle
    assert rate(puzzle, "words").word == level
    with pytest.raises(LimitReached):
        level_of(puzzle, limits=Limits(seconds=0))


def test_without_one_solution_there_are_no_ratings() -> None:
    """Nor where a limit comes before that is known."""
    assert rate(Puzzle.parse("1...............")).status == "multiple"
    assert rate(Puzzle.parse("11..............")).status == "none"
    late = rate(HARD, limits=Limits(seconds=0))
    assert (late.status, late.ran_out, late.word) == ("unknown", True, None)


def test_ways_are_the_different_results_of_the_same_technique() -> None:
    """Of hidden singles, for example, the candidates that have just one place in some house, each counted once."""
    path = score_puzzle(HARD).steps
    found = ways_forward(HARD, path)
    board = make_board(HARD)
    for step, number in zip(path, found.numbers, strict=True):
        assert number >= 1
        if step.technique is Technique.HIDDEN_SINGLE:
            houses = board.layout.groups[: board.layout.houses]
            lone = {(board.places[value] & house.mask, value) for value in range(1, 10) for house in houses}
            assert number == sum(cells.bit_count() == 1 for cells, _ in lone)
        board.apply(step)
    assert found.bottleneck == 1
    assert found.narrow <= found.numbers.count(1)


def test_steps_at_which_every_cell_can_be_filled_are_no_bottleneck() -> None:
    """A grid in which one cell is open offers one way, and no choice."""
    solved = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
    last = Puzzle.parse("." + solved[1:])
    found = ways_forward(last, score_puzzle(last).steps)
    assert (found.numbers, found.bottleneck, found.narrow) == ((1,), None, 0)


def test_rows_of_a_table() -> None:
    """As many fields as columns, with or without ratings."""
    row = dict(zip(COLUMNS, values_to_row(ratings_to_values(rate(EASY, "words,proof", ways=True))), strict=True))
    assert (row["status"], row["word"], row["proof_search"], row["se_er"], row["bottleneck"]) == ("ok", "easy", "no", "", "1")
    assert dict(zip(COLUMNS, values_to_row(error_values("nothing there")), strict=True))["reason"] == "nothing there"


def test_a_puzzle_beyond_the_techniques_of_a_scale_has_no_number_there(monkeypatch) -> None:
    """What Sudoku Explainer's techniques do not solve, as far as they are there, is left out of its scale with the reason."""
    unsolved = ExplainerRating(20.0, 20.0, 8.3, "beyond them", ())
    monkeypatch.setattr("sudoku_cp.logic.rating.explainer.explainer_rating", lambda _puzzle, **_: unsolved)
    found = rate(Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"), "se")
    assert found.explainer is None
    assert found.missing["se"].endswith("got one beyond them")
