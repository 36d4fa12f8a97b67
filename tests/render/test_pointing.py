"""Cells that are pointed at stand out, and nothing else changes."""

from __future__ import annotations

import re

from sudoku_cp.puzzle import Puzzle
from sudoku_cp.render import Look, draw, svg

PUZZLE = Puzzle.parse("11.............3")


def test_pointed_cells_have_a_star_or_are_red() -> None:
    """Without colour a star takes the place of a blank; in colour the sign is red, be it given or open."""
    plain = draw(PUZZLE)
    assert draw(PUZZLE, pointed=()) == plain
    starred = draw(PUZZLE, pointed=(0, 6))
    assert starred.count("*") == 2
    assert starred.replace("*", " ") == plain
    red = draw(PUZZLE, Look(colour=True), pointed=(0, 6))
    assert re.findall("\x1b\\[1;31m(.)\x1b\\[0m", red) == ["1", "."]
    assert re.sub("\x1b\\[[0-9;]*m", "", red) == plain


def test_pointed_cells_lie_on_a_ground_of_their_own() -> None:
    """The picture is the same but for one path of squares."""
    ground = '<path d="M0 0h100v100h-100zM200 100h100v100h-100z" fill="#FFB3B3"/>\n'
    assert svg(PUZZLE, pointed=(6, 0)).replace(ground, "") == svg(PUZZLE)
