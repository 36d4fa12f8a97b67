"""Pictures that answers show in notebooks, and pictures as PNG."""

from __future__ import annotations

import struct
from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import Puzzle, check, solve, trace, true_candidates
from sudoku_cp.backends.search_tree import MOST_ROWS, Branch, PathTree, branches_svg
from sudoku_cp.render import svg
from sudoku_cp.render.png_picture import svg_to_png

EMPTY = Puzzle.parse("." * 16)
UNIQUE = Puzzle.parse("1234341221......")
CLASH = Puzzle.parse("11..............")
RED = "#FFB3B3"
SVG = "{http://www.w3.org/2000/svg}"


def highlighted(picture: str) -> int:
    """Return how many cells have a red ground."""
    paths = ET.fromstring(picture).iter(f"{SVG}path")  # noqa: S314  # our own
    return sum(path.get("d", "").count("z") for path in paths if path.get("fill") == RED)


def texts(picture: str) -> list[str]:
    """Return the texts of a picture."""
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314  # our own


@pytest.mark.parametrize("ask", [solve, check, true_candidates, trace])
def test_answers_are_pictures_in_notebooks(ask) -> None:
    """Answers, checks, true candidates and path trees each show an SVG, whatever they found."""
    for puzzle in (EMPTY, UNIQUE, CLASH):
        assert ET.fromstring(ask(puzzle)._repr_svg_()).tag == f"{SVG}svg"  # noqa: S314  # our own


def test_an_answer_shows_its_solution() -> None:
    """All cells are filled, and of two solutions the cells that differ are highlighted; without any there is the puzzle."""
    assert len(texts(solve(UNIQUE)._repr_svg_())) == 16
    assert highlighted(solve(UNIQUE)._repr_svg_()) == 0
    one, other = solve(EMPTY).solutions[:2]
    assert highlighted(solve(EMPTY)._repr_svg_()) == sum(a != b for a, b in zip(one, other, strict=True))
    assert texts(solve(CLASH)._repr_svg_()) == ["1", "1"]


def test_a_check_highlights_what_clashes() -> None:
    """The two equal givens of a row have a red ground."""
    assert highlighted(check(CLASH)._repr_svg_()) == 2


def test_true_candidates_show_what_is_possible() -> None:
    """Forced cells have their value, others a mark for each candidate that occurs in a solution."""
    found = true_candidates(Puzzle.parse("12..34..2......."))
    forced = len(found.forced)
    marks = sum(possible.bit_count() for possible in found.possible) - forced
    assert 0 < forced < 16
    assert len(texts(found._repr_svg_())) == forced + marks


def test_a_tree_has_a_row_for_each_guess() -> None:
    """The start and every guess have a line that says what came of it."""
    tree = trace(EMPTY)
    guesses = sum(node.kind == "guessed" for node in tree.nodes)
    assert isinstance(tree, PathTree)
    assert len(texts(tree._repr_svg_())) == guesses + 1
    assert sum("solution" in text for text in texts(tree._repr_svg_())) == len(tree.solutions)


def test_a_large_tree_says_what_it_leaves_out() -> None:
    """At most so many guesses are drawn, and the others counted."""
    many = [Branch(None, "start", "#000000"), *[Branch(0, "guess", "#000000")] * (MOST_ROWS + 6)]
    assert texts(branches_svg(many))[MOST_ROWS:] == ["... and 7 more guesses"]


def test_a_png_has_the_size_of_its_svg() -> None:
    """Width and height in the header are those of the SVG times the zoom; values are drawn, so a full grid is a larger file."""
    picture = svg(UNIQUE)
    sizes = [struct.unpack(">II", svg_to_png(picture, zoom=zoom)[16:24]) for zoom in (1, 2)]
    assert sizes == [(210, 210), (420, 420)]
    assert len(svg_to_png(solve(UNIQUE)._repr_svg_())) > len(svg_to_png(picture)) > len(svg_to_png(svg(EMPTY)))


def test_a_png_is_the_same_everywhere() -> None:
    """The same picture makes the same bytes: no font of the machine is used."""
    assert svg_to_png(svg(UNIQUE)) == svg_to_png(svg(UNIQUE))
