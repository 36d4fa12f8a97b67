"""Marks on candidates: every shape is drawn around its pencil mark, within the board, and hides no text."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args
from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import Grid, Position, Puzzle
from sudoku_cp.cosmetics import Annotation, CandidateLink, CandidateMark, CellGround, MarkShape
from sudoku_cp.render import svg
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.svg_picture import StripPanel, svg_element, svg_strip
from sudoku_cp.rules import KillerCage

NINE = Grid.square(9)
BLUE = "#0072B2"
SHAPES = get_args(MarkShape)
MARKED = Position(Puzzle(), (None,) * 81, (None,) * 81, (0b1111111110,) * 81)


def pieces(annotation, layer, position=MARKED):
    """Return the pieces of a layer."""
    return [piece for item in make_picture(position, annotation=annotation).layers[layer] for piece in item.pieces]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("candidate", [(0, 1), (0, 9), (40, 5), (80, 9)])
def test_a_shape_lies_around_its_pencil_mark(shape, candidate):
    """The shape is below the text and around its middle, in the cell; what is struck out has a stroke above it as well."""
    annotation = Annotation((CandidateMark(candidate, shape, BLUE),))
    (piece,) = pieces(annotation, "marks")
    row, column = NINE.places[candidate[0]]
    assert column - 0.01 <= piece.box.left < piece.box.right <= column + 1.01
    assert row - 0.01 <= piece.box.top < piece.box.bottom <= row + 1.01
    texts = [one for one in pieces(annotation, "values") if one.text == str(candidate[1]) and one.box.meets(piece.box)]
    assert len(texts) == 1
    assert len(pieces(annotation, "strikes")) == (shape == "struck")


def test_shapes_differ_without_colour():
    """In one colour no two shapes are drawn alike."""
    drawn = {shape: svg_element(pieces(Annotation((CandidateMark((0, 1), shape, BLUE),)), "marks")[0].shape) for shape in SHAPES}
    drawn["struck"] += svg_element(pieces(Annotation((CandidateMark((0, 1), "struck", BLUE),)), "strikes")[0].shape)
    assert len(set(drawn.values())) == len(SHAPES)


def test_two_marks_on_a_candidate_are_both_seen():
    """The second is smaller than the first."""
    one, other = pieces(Annotation(tuple(CandidateMark((0, 1), shape, BLUE) for shape in ("circle", "square"))), "marks")
    assert other.box.right - other.box.left < one.box.right - one.box.left


def test_a_mark_adds_its_candidate():
    """A candidate that is no pencil mark is written once it is marked; one of a filled cell is not drawn."""
    position = Position.of(Puzzle(givens={1: 5}))
    annotation = Annotation((CandidateMark((0, 4), "circle", BLUE), CandidateMark((1, 5), "circle", BLUE)))
    assert [piece.text for piece in pieces(annotation, "values", position)] == ["5", "4"]
    assert len(pieces(annotation, "marks", position)) == 1


@pytest.mark.parametrize(("start", "end"), [*pairwise([(0, 1), (8, 3), (80, 9), (72, 7), (0, 1), (0, 9), (1, 1)])])
def test_links_stay_on_the_board(start, end):
    """A link along an edge bows inwards, and ends at the shapes, not in their middles."""
    (piece,) = pieces(Annotation(links=(CandidateLink((start,), (end,)),)), "links")
    assert min(piece.box.left, piece.box.top) >= -0.02
    assert max(piece.box.right, piece.box.bottom) <= 9.02


def test_strong_and_weak_links_differ_in_dashes():
    """A weak link is dashed."""
    strong, weak = pieces(
        Annotation(links=tuple(CandidateLink(((0, 1),), ((8, 1),), dashed=dashed) for dashed in (False, True))), "links"
    )
    assert "dasharray" not in svg_element(strong.shape)
    assert "dasharray" in svg_element(weak.shape)


def test_a_group_is_joined_and_linked_at_its_nearest_end():
    """The candidates of a group have a band through them; the link begins at that which is nearest."""
    band, curve = pieces(Annotation(links=(CandidateLink(((0, 1), (1, 1), (2, 1)), ((8, 1),)),)), "links")[-2:]
    assert band.box.right < 3
    assert curve.box.left > 2


def test_marks_keep_clear_of_labels():
    """Where a cage has a total, pencil marks and the shapes around them move aside."""
    position = Position(Puzzle(rules=(KillerCage((0, 1), 5),)), (None,) * 81, (None,) * 81, (0b1111111110,) * 81)
    annotation = Annotation(tuple(CandidateMark((0, value), "circle", BLUE) for value in range(1, 10)))
    (total,) = [piece for piece in pieces(annotation, "over", position) if piece.text == "5"]
    assert not any(piece.box.shared(total.box) > 0.001 for piece in pieces(annotation, "marks", position))


def test_grounds_are_shaded_or_hatched():
    """Both lie below all else of the cells, over exactly these."""
    annotation = Annotation(grounds=(CellGround((0, 1), "#DDEBF7"), CellGround((1, 10), "#EDC07F", hatched=True)))
    shaded, hatched = pieces(annotation, "grounds")
    assert (shaded.box, hatched.box) == ((0, 0, 2, 1), (1, 0, 2, 2))
    assert "stroke" in svg_element(hatched.shape)
    assert "stroke" not in svg_element(shaded.shape)


def test_the_key_explains_marks():
    """Each text of the key stands below the board, with its mark."""
    annotation = Annotation(key=((CandidateMark((0, 1), "square", BLUE), "A"), (CandidateMark((0, 1), "struck", BLUE), "goes")))
    texts = {piece.text: piece for piece in pieces(annotation, "legend") if piece.text}
    assert set(texts) == {"A", "goes"}
    assert all(piece.box.top > 9 for piece in texts.values())


def test_an_annotated_picture_is_svg():
    """All of it together is well-formed, alone and in a strip."""
    annotation = Annotation(
        tuple(CandidateMark((cell, 1), shape, BLUE) for cell, shape in enumerate(SHAPES)),
        (CandidateLink(((0, 1),), ((20, 4), (21, 4)), dashed=True),),
        (CellGround((3, 4), "#DDEBF7"),),
        ((CandidateMark((0, 1), "hexagon", BLUE), "A < B"),),
    )
    for text in (
        svg(MARKED, annotation=annotation),
        svg_strip([StripPanel(MARKED, annotation, "1 & 2", "words")] * 3, columns=2),
    ):
        ET.fromstring(text)  # noqa: S314  # our own
