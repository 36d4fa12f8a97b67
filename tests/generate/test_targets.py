"""A target misses by 0 exactly where the request is fulfilled, and by more the farther a puzzle is from it."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Puzzle
from sudoku_cp.backends import UNLIMITED, Limits, backend
from sudoku_cp.batch.rows.generated_format import difficulty_words
from sudoku_cp.errors import InvalidInput, LimitReached, UnknownName
from sudoku_cp.generate import GenerateRequest, Span, distinct_puzzles, generate
from sudoku_cp.generate.api import make_generator
from sudoku_cp.generate.base import PuzzleArray
from sudoku_cp.generate.chunks import GeneratedChunk, ProvedPuzzles, RepeatFilter
from sudoku_cp.generate.difficulty_mix import DIFFICULTIES, Quota, check_total, parse_mix
from sudoku_cp.generate.distinct_puzzles import SeenPuzzles
from sudoku_cp.generate.request_parsing import parse_request, request_to_json
from sudoku_cp.generate.targets import (
    BandTarget,
    CombinedTarget,
    GivensTarget,
    GuessesTarget,
    LevelTarget,
    SinglesOnlyTarget,
    count_guesses,
    iter_puzzles,
    make_target,
    with_limits,
)
from sudoku_cp.grid import Grid
from sudoku_cp.logic import Level, level_of, open_cells_of
from sudoku_cp.logic.rating.explainer import explainer_rating
from sudoku_cp.logic.rating.levels import LEVELS
from sudoku_cp.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable


# --- targets ----------------------------------------------------------------------------------------------------------


EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
MEDIUM = "38.75...2..........2..3.....98.........847...26..9.3....1........56..14....1.39.7"
NEAR = "..4......6..59.......3...8.8.36...2..2.7..6..4...5......9....1..6.2........8712.."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
LINES = (EASY, MEDIUM, NEAR, HARD)
BASES = {
    "4x4": Puzzle(Grid.square(4)),
    "6x6": Puzzle(Grid.square(6)),
    "5x5 jigsaw": Puzzle(Grid.jigsaw("bbbbb dddde ccdae ccaae caaee")),
    "2x5": Puzzle(Grid.rectangle(2, 5)),
    "pencil marks": Puzzle(Grid.square(4), candidates={0: 0b11000, 5: 0b11100, 6: 0b01010}),
    "6x6 diagonals": Puzzle(Grid.square(6), (RULES["houses"](), RULES["diagonals"]())),
    "9x9 windoku": Puzzle(Grid.square(9), (RULES["houses"](), RULES["windoku"]())),
    "4x4 from 3": Puzzle(Grid.square(4, values=range(3, 7))),
    "9 values for 6 cells": Puzzle(Grid.square(6, values=range(1, 10))),
    "6x6 anti-king": Puzzle(Grid.square(6), (RULES["houses"](), RULES["anti-king"]())),
    "6x6 nonconsecutive": Puzzle(Grid.square(6), (RULES["houses"](), RULES["nonconsecutive"]())),
}


def rows(*lines: str) -> np.ndarray:
    """Return puzzles as an array."""
    return np.array([[int(sign) for sign in line.replace(".", "0")] for line in lines], np.uint8)


def asked(puzzle: Puzzle) -> int:
    """Return the guesses that the reference engine itself counts while it checks for a second solution."""
    session = backend("native:readable").open(puzzle.model())
    list(islice(session.solutions(puzzle.assume()), 2))
    return session.counters()["guesses"]


@pytest.mark.parametrize("level", Level)
def test_words_are_reached_at_their_level(level):
    """A level misses by 0 exactly where the readable steps give that level, and by 1 to 3 elsewhere."""
    missed = LevelTarget(level).miss(Puzzle(), rows(*LINES))
    for line, miss in zip(LINES, missed, strict=True):
        assert (miss == 0) == (level_of(Puzzle.parse(line)) is level)
        assert miss == 0 or 1 <= miss <= 3


def test_words_have_a_slope():
    """A level two away is farther than one next to it; of two medium puzzles the one with more open cells is nearer to hard."""
    order = rows(*LINES)
    hard = LevelTarget(Level.HARD).miss(Puzzle(), order)
    easy = LevelTarget(Level.EASY).miss(Puzzle(), order)
    assert hard[0] > hard[1]
    assert hard[0] > hard[2]
    assert easy[3] > easy[1] > easy[2] > 0
    assert open_cells_of(Puzzle.parse(MEDIUM)).after_hidden > open_cells_of(Puzzle.parse(NEAR)).after_hidden
    assert hard[1] < hard[2]
    more = np.where(order[:1] == 0, 0, order[:1]).repeat(2, axis=0)
    solution = next(Puzzle.parse(EASY).solutions())
    more[1] = solution
    for level in (Level.MEDIUM, Level.HARD):
        fewer, full = LevelTarget(level).miss(Puzzle(), more)
        assert fewer < full


def test_singles_only():
    """Easy and medium puzzles reach the target."""
    missed = SinglesOnlyTarget().miss(Puzzle(), rows(*LINES))
    assert (missed[:3] == 0).all()
    assert missed[3] > 1


@settings(max_examples=60)
@given(st.sampled_from(sorted(BASES)), st.integers(0, 999), st.floats(0, 0.5))
def test_guesses_are_those_of_the_engine(name, seed, share):
    """Whatever the rules and however many solutions there are, the count is the engine's own, cut off at the maximum."""
    base, random = BASES[name], Random(seed)  # noqa: S311
    solution = next(
        base.solutions(backend="native:readable")
    )  # always the same one, so that no unlucky one takes minutes to refute
    some = {cell: solution[cell] for cell in base.grid.cells if random.random() < share}
    if seed % 4 == 0:  # most likely without a solution
        some[0] = random.choice(base.grid.values)
    puzzle = base.with_givens(some)
    row = np.array([[puzzle.givens.get(cell, 0) for cell in base.grid.cells]], np.uint8)
    number = asked(puzzle)
    assert count_guesses(base, row, 10_000).tolist() == [number]
    assert count_guesses(base, row, 3).tolist() == [min(3, number)]


def test_guesses_of_known_puzzles(puzzle_lines: Callable[[str], list[str]]):
    """The compiled search makes as many guesses as the readable one, on hard puzzles and many at once."""
    lines = [*LINES, *puzzle_lines("norvig_top95.txt")[:6], *puzzle_lines("generated_minimal_50k.txt.gz")[:30]]
    told = count_guesses(Puzzle(), rows(*lines), 100_000).tolist()
    assert told == [asked(Puzzle.parse(line)) for line in lines]
    assert told[:3] == [0, 0, 0]
    assert max(told) > 100


GUESSES_OF_SETS = {
    "magictour_top1465.txt": (134_507, 2_496),
    "norvig_top95.txt": (10_952, 468),
    "17clue.txt.gz": (31_794, 2_815),
    "generated_minimal_50k.txt.gz": (11_992, 74),
    "multi_16clue_5000.txt.gz": (69_565, 13_340),
    "no_solution_5000.txt.gz": (4_481, 400),
}
"""All guesses, and the most of a puzzle, of the first 3,000 of a set."""


@pytest.mark.parametrize("name", GUESSES_OF_SETS)
def test_guesses_are_those_of_earlier_versions(name: str, puzzle_lines: Callable[[str], list[str]]):
    """The number is a property of a puzzle: files that state it stay true, also without a solution or with several."""
    told = count_guesses(Puzzle(), rows(*puzzle_lines(name)[:3000]), 100_000)
    assert (told.sum(), told.max()) == GUESSES_OF_SETS[name]


def test_guesses_miss_by_doublings():
    """0 within the span, beyond it the number of doublings; without any guess, less where naked singles are needed."""
    number = asked(Puzzle.parse(HARD))
    missed = {span: GuessesTarget(span).miss(Puzzle(), rows(*LINES)) for span in (Span(0, 0), Span(1), Span(number, number))}
    assert missed[Span(0, 0)][:3].tolist() == [0, 0, 0]
    assert missed[Span(0, 0)][3] > 1
    assert missed[Span(1)][3] == 0
    assert missed[Span(number, number)][3] == 0
    assert missed[Span(1)][0] > missed[Span(1)][2] > missed[Span(1)][1] > 0
    twice = GuessesTarget(Span(2 * number + 1)).miss(Puzzle(), rows(HARD))
    assert twice == pytest.approx([1])


def test_guesses_of_any_rules():
    """Under rules that say more than which cells differ, the engine itself counts."""
    base = Puzzle(Grid.square(4), (RULES["houses"](), RULES["killer-cage"]((0, 1), 3)))
    solution = next(
        base.solutions(backend="native:readable")
    )  # always the same one, so that no unlucky one takes minutes to refute
    row = np.array([[value if cell % 3 else 0 for cell, value in enumerate(solution)]], np.uint8)
    number = asked(next(iter_puzzles(base, row)))
    assert GuessesTarget(Span(number, number)).miss(base, row).tolist() == [0]
    assert GuessesTarget(Span(number + 1)).miss(base, row)[0] > 0


def test_givens():
    """A puzzle misses by as many givens as are too few or too many."""
    numbers = [17, 20, 25, 30]
    puzzles = np.array([[1] * number + [0] * (81 - number) for number in numbers], np.uint8)
    assert GivensTarget(Span(20, 25)).miss(Puzzle(), puzzles).tolist() == [3, 0, 0, 5]
    assert GivensTarget(Span(25)).miss(Puzzle(), puzzles).tolist() == [8, 5, 0, 0]
    assert GivensTarget(Span(20, 25)).miss(Puzzle(), puzzles).tolist() == [Span(20, 25).miss(number) for number in numbers]


def test_targets_add_up():
    """Several targets miss by their sum; an empty request is always fulfilled."""
    puzzles = rows(*LINES)
    both = make_target(GenerateRequest(difficulty="hard", givens=Span(30, 40))).miss(Puzzle(), puzzles)
    one = BandTarget(LEVELS.named("hard"), "se").miss(Puzzle(), puzzles)
    other = GivensTarget(Span(30, 40)).miss(Puzzle(), puzzles)
    assert both.tolist() == (one + other).tolist()
    assert make_target(GenerateRequest()).miss(Puzzle(), puzzles).tolist() == [0] * 4


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (GenerateRequest(difficulty="easy"), LevelTarget(Level.EASY)),
        (GenerateRequest(difficulty="expert"), BandTarget(LEVELS.named("expert"), "se")),
        (GenerateRequest(singles_only=True), SinglesOnlyTarget()),
        (GenerateRequest(guesses=Span(1, 5)), GuessesTarget(Span(1, 5))),
        (GenerateRequest(givens=Span(20)), GivensTarget(Span(20))),
        (GenerateRequest(guesses=Span(1), givens=Span(20)), CombinedTarget((GuessesTarget(Span(1)), GivensTarget(Span(20))))),
    ],
)
def test_requests_become_targets(wanted, expected):
    """Each part of a request has its own target."""
    assert make_target(wanted) == expected


def test_words_of_any_rules():
    """Under rules that say more than which cells differ, levels are reached where the readable steps give them."""
    base = Puzzle(Grid.square(4), (RULES["houses"](), RULES["killer-cage"]((0, 1), 3)))
    solution = np.array(next(base.solutions()), np.uint8)
    order = solution * [[cell % 3 > 0 for cell in range(16)], [cell > 8 for cell in range(16)], [False] * 16]
    levels = [level_of(puzzle) for puzzle in iter_puzzles(base, order)]
    assert {*levels} >= {Level.EASY, Level.HARD}
    for level in (Level.EASY, Level.MEDIUM):
        missed = make_target(GenerateRequest(families=("killer-cage",), difficulty=str(level))).miss(base, order)
        assert [miss == 0 for miss in missed] == [one is level for one in levels]
    for name in DIFFICULTIES[2:-1]:
        missed = make_target(GenerateRequest(families=("killer-cage",), difficulty=name)).miss(base, order)
        assert not [miss for miss in missed if miss == 0]
    missed = SinglesOnlyTarget().miss(base, order)
    assert [miss == 0 for miss in missed] == [one is not Level.HARD for one in levels]
    with pytest.raises(LimitReached):
        with_limits(LevelTarget(Level.EASY), Limits(seconds=0)).miss(base, order)


def test_unknown_words_are_refused():
    """The message lists the known ones."""
    with pytest.raises(UnknownName, match="diabolical, easy, expert, extreme, fiendish, hard, medium"):
        make_target(GenerateRequest(difficulty="evil"))


def test_search_effort_obeys_a_deadline():
    """A target keeps to its limits."""
    together = with_limits(make_target(GenerateRequest(guesses=Span(1, 5), givens=Span(20))), Limits(seconds=0))
    with pytest.raises(LimitReached, match="deadline"):
        together.miss(Puzzle(), rows(HARD))
    with pytest.raises(LimitReached, match="deadline"):
        with_limits(GuessesTarget(Span(1, 5)), Limits(seconds=0)).miss(BASES["6x6 nonconsecutive"], np.zeros((1, 36), np.uint8))
    assert with_limits(GivensTarget(Span(3)), Limits(seconds=0)) == GivensTarget(Span(3))


# --- difficulty -------------------------------------------------------------------------------------------------------


MIXES = st.lists(st.sampled_from(DIFFICULTIES), min_size=2, max_size=3, unique=True)
SHARES = st.integers(1, 40)


@pytest.mark.parametrize("worthwhile", [True, False])
def test_words_follow_the_rating(monkeypatch, worthwhile: bool) -> None:
    """Proved puzzles get the level of their rating, in arrays and singly; of others only what singles solve is known."""
    monkeypatch.setattr(import_module("sudoku_cp.batch.rows.generated_format"), "is_worthwhile", lambda *_: worthwhile)
    (sheet,) = make_generator(parse_request(minimal=True), 3).make(range(40), UNLIMITED)
    assert isinstance(sheet, PuzzleArray)
    expected = [LEVELS.of_rating(explainer_rating(made.puzzle).er) for made in sheet.each()]
    request, keys = parse_request(minimal=True), np.zeros((40, 2), np.int64)
    assert difficulty_words(ProvedPuzzles(sheet, ("sat",) * 40, keys), request) == list(map(str, expected))
    assert len({*expected}) > 3
    singly = [ProvedPuzzles(made, ("sat",), keys[:1]) for made in sheet.each()]
    assert [difficulty_words(made, request) for made in singly] == [[str(band)] for band in expected]
    unproved = difficulty_words(ProvedPuzzles(sheet, ("",) * 40, keys), request)
    assert unproved == [
        word if word in {"easy", "medium"} else "" for word in (str(level_of(made.puzzle)) for made in sheet.each())
    ]


# --- mixes ------------------------------------------------------------------------------------------------------


@given(MIXES, st.data())
def test_words_take_turns_in_proportion(words: list[str], data) -> None:
    """Each level has its share of every round, and of every beginning of a run, give or take one."""
    shares = [data.draw(SHARES) for _ in words]
    text = ",".join(f"{word}:{share}" for word, share in zip(words, shares, strict=True))
    mix = parse_mix(text)
    assert (str(mix), mix.total, mix.words) == (text, sum(shares), tuple(words))
    start, length = data.draw(st.integers(0, 1000)), data.draw(st.integers(0, 200))
    assert mix.counts(range(start, start + sum(shares))) == Counter(dict(zip(words, shares, strict=True)))
    found = mix.counts(range(length))
    for word, share in zip(words, shares, strict=True):
        assert abs(found[word] - length * share / sum(shares)) <= 1


@given(MIXES, st.integers(1, 60), st.integers(1, 5))
def test_shards_want_what_the_run_wants(words: list[str], count: int, parts: int) -> None:
    """The quotas of the shards add up to that of the whole run."""
    mix = parse_mix(",".join(words))
    wanted = [mix.counts(range(part, count, parts)) for part in range(parts)]
    assert sum(wanted, Counter()) == +mix.counts(range(count))


def test_a_word_or_words_without_counts_are_as_many_of_each() -> None:
    """A single level is no mix; several take turns; a mix is written as it was requested."""
    assert parse_request(difficulty="Hard").difficulty == "hard"
    wanted = parse_request(difficulty="easy, hard")
    assert (wanted.difficulty, request_to_json(wanted)["difficulty"]) == (None, "easy,hard")
    assert [parse_mix("easy,hard").word(number) for number in range(4)] == ["easy", "hard", "easy", "hard"]
    assert request_to_json(parse_request(difficulty="easy:3,hard:1"))["difficulty"] == "easy:3,hard:1"


def test_everything_wrong_with_a_mix_is_told() -> None:
    """Unknown levels, missing or invalid counts and repeated levels are all reported at once; so are wrong sums."""
    with pytest.raises(InvalidInput) as raised:
        parse_mix("easy:3,nope,hard,easy:0,easy:1")
    said = str(raised.value)
    for words in ("got 'nope'", "got 'hard' without one", "after easy:, got '0'", "easy several times"):
        assert words in said
    with pytest.raises(InvalidInput, match=r"for 9 puzzles in all, as `number` says, got easy:5,hard:5 for 10"):
        check_total("easy:5,hard:5", 9)
    check_total("easy,hard", 9)
    check_total("easy:4,hard:5", 9)
    with pytest.raises(InvalidInput, match="for 3 puzzles in all"):
        generate(3, difficulty="easy:1,hard:1")
    with pytest.raises(InvalidInput, match=r"(?s)no guesses.*another difficulty|another difficulty.*no guesses"):
        parse_request(difficulty="easy,hard", guesses=(1, 2), singles_only=True)


def test_a_mixed_run_has_puzzles_of_each_word_of_its_own() -> None:
    """Puzzle k has the level whose turn it is, and not the solution that a run of this level alone has under that number."""
    mixed = list(generate(6, seed=7, difficulty="easy:4,hard:2", prove=False))
    mix = parse_mix("easy:4,hard:2")
    assert [made.number for made in mixed] == list(range(6))
    for made in mixed:
        assert str(level_of(made.puzzle)) == mix.word(made.number)
    for word in mix.words:
        alone = {made.puzzle.solution for made in islice(generate(6, seed=7, difficulty=word, prove=False), 6)}
        assert not any(made.puzzle.solution in alone for made in mixed)


def test_what_is_left_out_is_made_up_for_by_its_own_word(monkeypatch) -> None:
    """If an easy puzzle is a repetition, the next easy one is taken; hard ones beyond their quota are not."""
    sieve = RepeatFilter(make_generator(parse_request(difficulty="easy,hard"), 1), UNLIMITED, range(4))
    (sheet,) = make_generator(parse_request(minimal=True), 1).make(range(8), UNLIMITED)
    assert isinstance(sheet, PuzzleArray)
    monkeypatch.setattr(distinct_puzzles, "isomorphism_identity", lambda _: "what puzzles with equal keys are")
    sieve.seen = SeenPuzzles(lambda _: Puzzle())
    kept = sieve.through(GeneratedChunk(8, (ProvedPuzzles(sheet, ("",) * 8, np.array([1, 2, 1, 4, 5, 6, 7, 8], np.int64)),)))
    assert [number for part in kept for number in part.numbers.tolist()] == [0, 1, 3, 4]


def test_a_run_that_goes_on_wants_what_is_missing() -> None:
    """Puzzles from before the interruption count towards the quota."""
    quota = Quota(parse_mix("easy,hard"), range(6))
    assert quota.take([0, 1, 3]) == [True, True, True]
    assert quota.wants([6, 7]) == [True, True]
    assert quota.take([5, 7, 8, 10, 12]) == [True, False, True, True, False]
    assert quota.wants([6, 7]) == [False, False]
