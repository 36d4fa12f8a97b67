"""Levels of difficulty: the usual seven, and those of a TOML file."""

from __future__ import annotations

from math import inf

import pytest

from sudoku_cp import Puzzle, generate, rate
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.formats import read_puzzles
from sudoku_cp.logic import Technique
from sudoku_cp.logic.ladder import RUNGS
from sudoku_cp.logic.rating.explainer import PROGRAMS, explainer_rating
from sudoku_cp.logic.rating.levels import LEVELS, LevelBand, Levels, levels_to_json, make_levels, parse_levels
from sudoku_cp.logic.rating.puzzle_levels import band_of, path_within, technique_rating, used_techniques

LINES = {
    "easy": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "hard": "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "expert": "..65....75..........4.9.3......2.5..1...837.42.3..4...7.2..9.......3.....6....8.5",
    "diabolical": ".97.523.6..8.7......2..6..7.......71..6...49.37.......2...6..........845.417.....",
    "extreme": "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
}
OWN = """
scale = "sukaku"

[[level]]
name = "Gentle"
rating = [1.0, 1.5]

[[level]]
name = "No wings"
rating = [1.6, 5.5]
techniques = ["full house", "hidden single", "naked single", "0100", "claiming"]

[[level]]
name = "Tough"
rating = [5.6]
"""


@pytest.mark.parametrize("name", LINES)
def test_a_plain_puzzle_has_the_level_of_its_rating(name: str) -> None:
    """Whether the rating is known beforehand, asked for too, or only searched up to the last level."""
    puzzle = Puzzle.parse(LINES[name])
    assert band_of(puzzle) == LEVELS.named(name)
    assert rate(puzzle, "words").word == name
    for program in PROGRAMS if name != "extreme" else ():
        assert rate(puzzle, [program, "words"]).word == name
        own = Levels(program, LEVELS.bands)
        assert band_of(puzzle, own) == own.of_rating(explainer_rating(puzzle, PROGRAMS[program]).er)


def test_the_usual_levels_leave_no_gap() -> None:
    """Every tenth from 1.0 on is of one level, and names are found in any case."""
    assert all(sum(band.least <= tenth / 10 <= band.most for band in LEVELS.bands) == 1 for tenth in range(10, 130))
    assert LEVELS.named(" Expert ") == LEVELS.bands[3]
    assert len(LEVELS.bands) == 7


def test_every_technique_of_a_path_has_a_rating() -> None:
    """So a variant has a level by its hardest step, whatever that is."""
    ratings = {rung.technique: technique_rating(rung.technique) for rung in RUNGS}
    assert all(1.0 <= rating <= 8.5 for rating in ratings.values())
    assert ratings[Technique.HIDDEN_SINGLE] < ratings[Technique.X_WING] < ratings[Technique.XY_CHAIN]


@pytest.mark.parametrize(("name", "number", "level"), [("killer", 0, "easy"), ("killer", 2, "hard"), ("arrow", 0, "medium")])
def test_a_variant_has_the_level_of_its_hardest_step(name: str, number: int, level: str) -> None:
    """However many steps there are; a limit ends the search."""
    puzzle = list(read_puzzles(f"examples/variants/{name}.jsonl"))[number]
    assert str(band_of(puzzle)) == level
    band = LEVELS.named(level)
    path = path_within(puzzle, "se", band.least, band.most)
    assert (path.open, path.met) == (0, True)
    assert band.least <= path.top <= band.most
    with pytest.raises(LimitReached):
        band_of(puzzle, limits=Limits(seconds=0))


def test_levels_of_ones_own() -> None:
    """A TOML file has a scale, and levels with names, ratings and techniques; it can be written again as data."""
    levels = parse_levels(OWN)
    assert levels.names == ("Gentle", "No wings", "Tough")
    assert levels.bands[0] == LevelBand("Gentle", 1.0, 1.5)
    assert levels.bands[2].most == inf
    assert Technique.POINTING in levels.bands[1].techniques
    assert levels_to_json(levels)["level"][2] == {"name": "Tough", "rating": [5.6]}
    assert make_levels(levels) is levels
    assert make_levels("") == LEVELS


def test_a_level_allows_its_techniques_alone() -> None:
    """A puzzle with another technique is of the next level."""
    levels, wing = parse_levels(OWN), Puzzle.parse(LINES["expert"])
    assert Technique.SKYSCRAPER in used_techniques(wing, UNLIMITED)
    assert str(band_of(wing, levels)) == "Tough"
    assert rate(Puzzle.parse(LINES["easy"]), "words", levels=levels).word == "Gentle"


def test_a_puzzle_of_no_level_says_so() -> None:
    """Levels need not reach from end to end."""
    levels = parse_levels('[[level]]\nname = "Some"\nrating = [2.0, 3.0]\n')
    for name in ("easy", "extreme"):
        found = rate(Puzzle.parse(LINES[name]), "words", levels=levels)
        assert found.word is None
        assert "Some" in found.missing["words"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\nname = \n", r"expected levels as TOML, got 'name =': .*line 2"),
        ("scale = 1\n[[level]]\nname='a'\nrating=[1]", "line 1, scale: expected se or sukaku, got 1"),
        ("", "expected 1 to 50 tables"),
        ("[[level]]\nname = 'a'\nratings = [1, 2]", "line 3, ratings: expected one of name, rating, techniques"),
        ("[[level]]\n\nname = 'a'\nrating = [3, 2]", r"line 4, rating: expected \[least, most\] .* got \[3, 2\]"),
        ("[[level]]\nname = 'a,b'\nrating = [1]", "line 2, name: expected a name without commas and colons, got 'a,b'"),
        ("[[level]]\nrating = [1]", "line 1, name: expected a name .* got none"),
        (
            "[[level]]\nname = 'a'\nrating = [1, 2]\n[[level]]\nname = 'b'\nrating = [2, 3]",
            "line 6, rating: expected ratings above those of the level before .a, 1.0 to 2.0., got 2.0 to 3.0",
        ),
        ("[[level]]\nname='a'\nrating=[1,2]\n[[level]]\nname='A'\nrating=[3]", "line 5, name: expected each name once, got 'A'"),
        ("[[level]]\nname='a'\nrating=[1]\ntechniques=['x-wingg']", "line 4, techniques: .*x-wingg"),
        ("[[level]]\nname='a'\nrating=[1]\ntechniques='x'", "line 4, techniques: expected a list"),
        ("scale = [1]\n[[level]]\nname='a'\nrating=[1]", r"line 1, scale: expected se or sukaku, got \[1\]"),
        ("level = 3", "expected 1 to 50 tables .* got 3"),
        pytest.param("a = " + "[" * 3000, "got brackets nested too deeply", id="brackets"),
        pytest.param("a = " + "1" * 5000, "expected levels as TOML, got 'a = 111", id="digits"),
    ],
)
def test_errors_name_line_and_field(text: str, problem: str) -> None:
    """What was expected, what came, and where."""
    with pytest.raises(InvalidInput, match=problem):
        parse_levels(text)


@pytest.mark.parametrize(("word", "least", "most"), [("hard", 2.6, 3.6), ("fiendish", 5.6, 7.0)])
def test_puzzles_are_made_of_a_level(word: str, least: float, most: float) -> None:
    """Their rating lies in its span; so do those of levels of one's own."""
    (made,) = generate(1, seed=3, difficulty=word)
    assert least <= explainer_rating(made.puzzle).er <= most
    (made,) = generate(1, seed=3, difficulty="no wings", levels=OWN)
    assert used_techniques(made.puzzle, UNLIMITED) <= parse_levels(OWN).bands[1].techniques
    with pytest.raises(InvalidInput, match="Gentle, No wings, Tough"):
        generate(1, difficulty="easy", levels=OWN)
