"""Steps as pictures: well-formed, within the board, and with a mark on every candidate that goes or is placed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import Grid, Puzzle
from sudoku_cp.logic import make_board, steps
from sudoku_cp.logic.ladder import RUNGS, apply_steps
from sudoku_cp.logic.paths import steps_html, steps_svg
from sudoku_cp.logic.pictures import annotate_step, draw_step, position_of
from sudoku_cp.render.picture_layers import make_picture
from tests.logic.technique_examples import EXAMPLES

LAYERS = ("grounds", "links", "marks", "strikes")
EASY = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
BOARD_EDGE = 9


@pytest.mark.parametrize("technique", EXAMPLES, ids=str)
def test_all_that_goes_is_struck_out(technique) -> None:
    """Each elimination is struck out, each placement filled, and a pattern is marked beside them."""
    example = EXAMPLES[technique]
    annotation = annotate_step(example.board, example.step)
    by_shape = {shape: {mark.candidate for mark in annotation.marks if mark.shape == shape} for shape in ("struck", "filled")}
    assert by_shape["struck"] == set(example.step.eliminations)
    assert by_shape["filled"] == set(example.step.placements)
    assert example.step.placements or annotation.grounds or any(mark.shape not in by_shape for mark in annotation.marks)
    assert all(example.board.candidates[cell] >> value & 1 for cell, value in (mark.candidate for mark in annotation.marks))


@pytest.mark.parametrize("technique", EXAMPLES, ids=str)
def test_pictures_stay_within_the_board(technique) -> None:
    """Whatever is drawn of a step lies within the board, and the whole is XML."""
    example = EXAMPLES[technique]
    annotation = annotate_step(example.board, example.step)
    layers = make_picture(example.position, annotation=annotation).layers
    boxes = [piece.box for name in LAYERS for item in layers[name] for piece in item.pieces]
    assert boxes
    for box in boxes:
        assert min(box.left, box.top) >= -0.02
        assert max(box.right, box.bottom) <= BOARD_EDGE + 0.02
    ET.fromstring(draw_step(example.position, example.step, example.board))  # noqa: S314  # our own


@pytest.mark.parametrize("technique", EXAMPLES, ids=str)
def test_meaning_is_not_in_colour_alone(technique) -> None:
    """Marks of another colour on the board have another shape too, up to the four shapes there are; links differ in dashes."""
    annotation = annotate_step(EXAMPLES[technique].board, EXAMPLES[technique].step)
    colours = {mark.colour for mark in annotation.marks}
    shapes = {mark.shape for mark in annotation.marks}
    assert len(shapes) == min(len(colours), 6) or len(colours) > 6
    assert len({link.colour for link in annotation.links}) <= 1


def test_large_boards_have_pictures() -> None:
    """On a 16x16 board, with letters, a step is drawn with all pencil marks in their places."""
    grid = Grid.square(16)
    puzzle = Puzzle(grid, givens={cell: 1 + cell for cell in range(15)})
    board = make_board(puzzle)
    step = next(apply_steps(board.copy(), RUNGS))
    position = position_of(puzzle, board)
    root = ET.fromstring(draw_step(position, step, board))  # noqa: S314  # our own
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(texts) == 15 + sum(domain.bit_count() for domain in board.candidates)
    assert {"A", "G"} <= set(texts)


# --- pages ------------------------------------------------------------------------------------------------------------


def test_a_page_has_a_picture_and_a_sentence_for_each_step() -> None:
    """All steps are there in order, and nothing is fetched from elsewhere: no address, no script, no import."""
    path = steps(EASY).steps
    page = steps_html(EASY, path)
    assert page.count("<svg") == page.count("<section>") == len(path)
    assert page.index("<h2>1. ") < page.index("<h2>2. ") < page.index(f"<h2>{len(path)}. ")
    for word in ("<script", "<link", "<img", "url(", "@import", "href=", "src="):
        assert word not in page
    assert page.replace("http://www.w3.org/2000/svg", "").count("://") == 0
    body = page[page.index("<body>") : page.index("</body>") + len("</body>")]
    ET.fromstring(body)  # noqa: S314  # our own


def test_texts_of_a_page_are_escaped() -> None:
    """A title cannot add elements."""
    page = steps_html(replace(EASY, title="<b>&"), [])
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_a_strip_has_a_picture_for_each_step() -> None:
    """The pictures stand in rows, none over another, all within the frame."""
    path = steps(EASY).steps[:5]
    root = ET.fromstring(steps_svg(EASY, path, columns=2))  # noqa: S314  # our own
    groups = [one for one in root if one.tag.endswith("}g")]
    assert len(groups) == len(path)
    spots = [tuple(map(float, one.attrib["transform"][len("translate(") : -1].split())) for one in groups]
    assert len({left for left, _ in spots}) == 2
    assert len({top for _, top in spots}) == 3
    *_, width, height = map(float, root.attrib["viewBox"].split())
    assert all(left + 900 <= width and top + 900 <= height for left, top in spots)


def test_panels_show_the_position_before_each_step() -> None:
    """The first panel is the puzzle itself; what a step places stands in the next panel."""
    panels = list(steps(EASY).panels())
    assert panels[0].position.values == tuple(map(EASY.givens.get, EASY.grid.cells))
    for before, after in pairwise(panels):
        for cell, value in before.step.placements:
            assert before.position.values[cell] is None
            assert after.position.values[cell] == value
    assert all(panel.sentence and panel.proof for panel in panels)


def test_panels_are_drawn_in_notebooks() -> None:
    """A step of a path shows itself on the position before it: what is placed is marked there, not yet a value."""
    panel = next(steps(EASY).panels())
    root = ET.fromstring(panel._repr_svg_())  # noqa: S314  # our own
    assert len([one for one in root.iter("{http://www.w3.org/2000/svg}text") if one.text]) > len(EASY.givens)
