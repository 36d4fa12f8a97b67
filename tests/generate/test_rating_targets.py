"""New puzzles with a rating, and with techniques that they need."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_cp import Puzzle, generate
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.generate import targets
from sudoku_cp.generate.request_parsing import parse_request, request_to_json
from sudoku_cp.generate.requested_ratings import RatingSpan, parse_needs, parse_rating
from sudoku_cp.generate.targets import UNRATED, CombinedTarget, NeedsTarget, RatingTarget, make_target, with_limits
from sudoku_cp.grid import Grid
from sudoku_cp.logic import Technique
from sudoku_cp.logic.ladder import apply_steps
from sudoku_cp.logic.rating.explainer import PROGRAMS, SUDOKU_EXPLAINER, SUKAKU_EXPLAINER, Program, RatedBoard, explainer_rating
from sudoku_cp.logic.rating.path_score import score_puzzle
from sudoku_cp.logic.rating.span_ratings import walk_within
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SWORDFISH = ".3.9.......8.7149...7..21...........8.34.92...6.31.9..5..1...........75.7....3..1"
WING = "..65....75..........4.9.3......2.5..1...837.42.3..4...7.2..9.......3.....6....8.5"
CHAIN = ".97.523.6..8.7......2..6..7.......71..6...49.37.......2...6..........845.417....."


def rows(*lines: str) -> np.ndarray:
    """Return puzzles as an array."""
    return np.array([[int(sign) for sign in line.replace(".", "0")] for line in lines], np.uint8)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("se:6.6..7.2", RatingSpan("se", 6.6, 7.2)),
        ("SE: 6.6 .. 7.2", RatingSpan("se", 6.6, 7.2)),
        ("sukaku:6.2..6.8", RatingSpan("sukaku", 6.2, 6.8)),
        ("proof:5..", RatingSpan("proof", 5.0)),
        ("hodoku:..1600", RatingSpan("hodoku", 0.0, 1600.0)),
        ("se:7.2", RatingSpan("se", 7.2, 7.2)),
    ],
)
def test_a_rating_is_parsed_and_written(text: str, span: RatingSpan) -> None:
    """What people write is understood, and what we write can be parsed again."""
    assert parse_rating(text) == span
    assert parse_rating(str(span)) == span


@pytest.mark.parametrize(
    "text", ["", "se", "se:", "stars:1..2", "se:7..6", "se:a..b", "se:-1..2", "se:nan", "se:1..inf", "words:1"]
)
def test_other_ratings_are_refused(text: str) -> None:
    """The message shows what a rating looks like."""
    with pytest.raises(InvalidInput, match=r"expected a rating such as se:6\.6\.\.7\.2"):
        parse_rating(text)


def test_needs_are_names_or_codes() -> None:
    """Each technique once; everything wrong is reported at once."""
    assert parse_needs(["0800", "XY-wing", "hidden pair"]) == (Technique.XY_WING, Technique.HIDDEN_PAIR)
    assert parse_needs("0800") == (Technique.XY_WING,)
    with pytest.raises(InvalidInput, match=r"magic.*mystery"):
        parse_needs(["magic", "mystery"])
    with pytest.raises(InvalidInput, match="magic"):
        parse_request(needs=["magic"])
    with pytest.raises(InvalidInput, match="expected a technique that paths use, got finned mutant whale"):
        parse_needs("0364")


def test_a_request_says_what_it_asks_for() -> None:
    """A manifest of a run names rating and techniques."""
    request = parse_request(rating="hodoku:1000..1600", needs=["XY-wing"])
    assert request.has_difficulty
    assert request_to_json(request)["rating"] == "hodoku:1000..1600"
    assert request_to_json(request)["needs"] == ["0800"]
    assert make_target(request) == CombinedTarget(
        (RatingTarget(RatingSpan("hodoku", 1000, 1600)), NeedsTarget((Technique.XY_WING,)))
    )


def test_a_miss_is_the_distance_of_the_rating() -> None:
    """In hundreds of HoDoKu's points; 0 within the span."""
    easy, hard = (score_puzzle(Puzzle.parse(line)).score for line in (EASY, HARD))
    target = RatingTarget(RatingSpan("hodoku", easy, easy))
    assert target.miss(Puzzle(), rows(EASY, HARD)).tolist() == pytest.approx([0, (hard - easy) / 100])
    assert RatingTarget(RatingSpan("hodoku", 0)).miss(Puzzle(), rows(EASY, HARD)).tolist() == [0, 0]


def test_a_technique_that_does_not_occur_is_a_miss() -> None:
    """The more steps of the ladder lie between it and the hardest technique, the more."""
    far, near = (NeedsTarget((one,)).miss(Puzzle(), rows(EASY))[0] for one in (Technique.XY_WING, Technique.HIDDEN_PAIR))
    assert 1 < near < far < 2
    assert NeedsTarget((Technique.NAKED_SINGLE,)).miss(Puzzle(), rows(EASY)).tolist() == [0]


def test_no_technique_beyond_those_needed_is_searched(monkeypatch) -> None:
    """A path is followed up to the hardest technique that is needed, and no further than its first step of it."""
    tried, made = [], []

    def apply(board, rungs):
        tried.append(rungs[-1].technique)
        for step in apply_steps(board, rungs):
            made.append(step.technique)
            yield step

    monkeypatch.setattr(targets, "apply_steps", apply)
    missed = NeedsTarget((Technique.SWORDFISH,)).miss(Puzzle(), rows(SWORDFISH, CHAIN))
    assert (missed[0], missed[1] >= 1) == (0, True)
    assert tried == [Technique.SWORDFISH] * 2
    assert made.count(Technique.SWORDFISH) == 1


def test_what_cannot_be_rated_is_far_away(monkeypatch) -> None:
    """A puzzle to which a scale does not apply is no candidate, and no error."""

    def refuse(*_: object, **__: object) -> None:
        raise targets.Unsupported("expected something else")

    monkeypatch.setattr(targets, "rate_on", refuse)
    assert RatingTarget(RatingSpan("hodoku", 1)).miss(Puzzle(), rows(EASY)).tolist() == [UNRATED]


def test_limits_end_the_rating() -> None:
    """A target within limits raises when they are reached."""
    for target in (RatingTarget(RatingSpan("hodoku", 0)), NeedsTarget((Technique.XY_WING,))):
        with pytest.raises(LimitReached):
            with_limits(target, Limits(seconds=0)).miss(Puzzle(), rows(HARD))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"rating": "hodoku:600..1100"}, marks=pytest.mark.slow),
        {"rating": "proof:2..4"},
        {"needs": ["0100"]},
        pytest.param({"needs": "naked pair", "symmetry": "rot180"}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_generated_puzzles_have_what_is_asked_for(options) -> None:
    """The same ones again for the same seed."""
    found = [made.puzzle for made in generate(2, seed=5, **options)]
    target = make_target(parse_request(**options))
    for puzzle in found:
        assert target.miss(Puzzle(), rows(puzzle.line())).tolist() == [0]
    assert [made.puzzle for made in generate(2, seed=5, **options)] == found


def test_a_scale_that_does_not_apply_is_refused_at_once() -> None:
    """Both Explainers rate plain boards, one of them 9x9 alone, with more rules; the sizes of proofs apply to all."""
    with pytest.raises(InvalidInput, match="expected a plain puzzle"):
        parse_request(rating="se:1..2", rules="diagonals")
    for options in ({"rules": "global-entropy"}, {"rules": "killer"}, {"rules": "jigsaw"}, {"grid": Grid.square(5, None)}):
        for scale in ("se", "sukaku"):
            with pytest.raises(InvalidInput, match="expected a "):
                parse_request(rating=f"{scale}:1..2", **options)
    with pytest.raises(InvalidInput, match="9x9"):
        parse_request(rating="sukaku:1..2", size=16)
    assert parse_request(rating="proof:1..2", rules="diagonals").rating == RatingSpan("proof", 1, 2)


@pytest.mark.parametrize(
    ("scale", "program", "least", "most"), [("se", SUDOKU_EXPLAINER, 6.6, 7.2), ("sukaku", SUKAKU_EXPLAINER, 4.0, 4.3)]
)
def test_a_rating_of_an_explainer(scale: str, program: Program, least: float, most: float) -> None:
    """The ratings that people mostly ask for."""
    for made in generate(2, seed=3, rating=f"{scale}:{least}..{most}"):
        assert made.reason is None
        assert least <= explainer_rating(made.puzzle, program).er <= most


HALF_STEPS = [(1.2, 1.5), *((round(step / 2 + 0.1, 1), step / 2 + 0.5) for step in range(3, 18))]
RAREST = {(5.1, 5.5), (6.1, 6.5), (8.6, 9.0)}
MOST_TRIES = 150_000
"""A few seconds of CPU; the rarest half-steps, which were never reached, take 3,000 on the average."""


@pytest.mark.parametrize(
    ("least", "most"), [pytest.param(*one, marks=[] if one in RAREST else pytest.mark.slow) for one in HALF_STEPS], ids=str
)
def test_every_half_step_is_reached(least: float, most: float) -> None:
    """With a symmetry, from 1.2 to 9.0 on the scale of Sudoku Explainer, in few tries."""
    (made,) = generate(1, seed=2, rating=f"se:{least}..{most}", symmetry="rot180")
    assert least <= explainer_rating(made.puzzle).er <= most
    assert is_symmetric(made.puzzle.grid, "rot180", made.puzzle.givens)
    assert made.tries < MOST_TRIES


@pytest.mark.parametrize("scale", ["se", "sukaku"])
@pytest.mark.parametrize("line", [EASY, SWORDFISH, WING, CHAIN, HARD], ids=["1.2", "3.8", "4.2", "7.1", "long chains"])
def test_a_span_gives_the_rating_of_the_program_or_less_of_its_path(line: str, scale: str) -> None:
    """A path within a span fills the grid just where the rating is not beyond it, and then has that rating."""
    clock = UNLIMITED.started()
    er = explainer_rating(Puzzle.parse(line), PROGRAMS[scale]).er
    for tenths in (12, 23, 38, 40, 42, 45, 55, 62, 66, 75, 84, 90):
        path = walk_within(rows(line)[0], RatedBoard(3, 3), scale, 1.0, tenths / 10, clock)
        assert (path.open == 0) == (er <= tenths / 10)
        assert path.top == er if path.open == 0 else path.top <= tenths / 10
        assert path.met == (path.top > 0)


def test_a_puzzle_beyond_a_span_is_near_where_its_path_has_a_step_of_it() -> None:
    """A swordfish and a chain: the chain is beyond the span of the swordfish, not the other way round."""
    chain, wing = rows(CHAIN), rows(WING)
    within = RatingTarget(RatingSpan("se", 1.7, 6.0)).miss(Puzzle(), chain)[0]
    without = RatingTarget(RatingSpan("se", 5.6, 6.0)).miss(Puzzle(), chain)[0]
    below = RatingTarget(RatingSpan("se", 8.6, 9.0)).miss(Puzzle(), wing)[0]
    assert 0 < within < 1 < without
    assert below == pytest.approx(1 + 8.6 - explainer_rating(Puzzle.parse(WING)).er)


def test_other_rules_and_sizes_can_be_rated_too() -> None:
    """Boards that the lane kernel does not take, and puzzles with clues."""
    (made,) = generate(1, seed=1, rules="diagonals", rating="sukaku:1.5..3.0")
    assert made.reason is None
    assert 1.5 <= explainer_rating(made.puzzle, SUKAKU_EXPLAINER).er <= 3.0
    (made,) = generate(1, seed=1, rules="diagonals", rating="proof:1..12")
    assert made.reason is None
    (made,) = generate(1, seed=1, size=6, needs=["pointing"])
    assert any(step.technique is Technique.POINTING for step in score_puzzle(made.puzzle).steps)


@pytest.mark.slow
def test_a_limit_yields_what_there_is_and_says_what_is_missing() -> None:
    """An unlikely rating within a short time."""
    (made,) = generate(1, seed=1, rating="hodoku:90000..", limits=Limits(seconds=1.5))
    assert made.reason == "deadline"
    assert "rating" in made.missed
