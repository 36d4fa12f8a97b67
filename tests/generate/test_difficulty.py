"""The difficulty of each generated puzzle, and runs of several difficulties."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate import distinct_puzzles, generate
from sudoku_cp.generate.api import make_generator
from sudoku_cp.generate.base import GeneratedPuzzle, PuzzleArray
from sudoku_cp.generate.chunks import GeneratedChunk, ProvedPuzzles, RepeatFilter
from sudoku_cp.generate.difficulty_mix import DIFFICULTIES, Quota, check_total, parse_mix
from sudoku_cp.generate.difficulty_words import difficulty_words
from sudoku_cp.generate.distinct_puzzles import SeenPuzzles
from sudoku_cp.generate.request_parsing import parse_request, request_to_json
from sudoku_cp.logic.difficulty_level import level_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import Houses, KillerCage

MIXES = st.lists(st.sampled_from(DIFFICULTIES), min_size=2, max_size=3, unique=True)
SHARES = st.integers(1, 40)


@pytest.mark.parametrize("worthwhile", [True, False])
def test_words_are_those_of_singles(monkeypatch, worthwhile: bool) -> None:
    """Puzzles in an array get the levels that they get singly, compiled or not; so do puzzles under other rules."""
    monkeypatch.setattr(import_module("sudoku_cp.generate.difficulty_words"), "is_worthwhile", lambda *_: worthwhile)
    (sheet,) = make_generator(parse_request(minimal=True), 3).make(range(40), UNLIMITED)
    assert isinstance(sheet, PuzzleArray)
    expected = [str(level_of(made.puzzle)) for made in sheet.each()]
    assert difficulty_words(sheet) == expected
    assert len({*expected}) > 1
    assert [difficulty_words(made) for made in sheet.each()] == [[word] for word in expected]
    assert difficulty_words(GeneratedPuzzle(0, Puzzle(rules=(Houses(), KillerCage((0, 1), 3))))) == ["hard"]


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
