"""A path tree as a picture: a row for each guess, to the right of the one that it continues."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW, STEP, DOT, SIGN = 22, 30, 5, 7.5
"""Pixels: the height of a row, how far a guess is to the right of its parent, the radius of a dot, the width of a sign."""
MOST_ROWS = 300
"""Guesses that are drawn at most; the others are only counted."""


class Branch(NamedTuple):
    """A guess, or the start, with what it forced: the index of the branch that it continues, its label and its colour."""

    parent: int | None
    label: str
    colour: str


def branches_svg(branches: Sequence[Branch]) -> str:
    """Return branches, a parent before its children, as one SVG element."""
    shown, left_out = branches[:MOST_ROWS], len(branches[MOST_ROWS:])
    columns: list[int] = []
    for branch in shown:
        columns.append(0 if branch.parent is None else columns[branch.parent] + 1)
    dots = [(STEP * column + 2 * DOT, ROW * index + ROW / 2) for index, column in enumerate(columns)]
    edges = [_edge(dots[branch.parent], dot) for branch, dot in zip(shown, dots, strict=True) if branch.parent is not None]
    nodes = [_node(dot, branch) for branch, dot in zip(shown, dots, strict=True)]
    if left_out:
        nodes.append(_text((2 * DOT, ROW * len(shown) + ROW / 2), f"... and {left_out:,} more guesses", "#444444"))
    width = max((x + 3 * DOT + SIGN * len(branch.label) for branch, (x, _) in zip(shown, dots, strict=True)), default=0)
    height = ROW * len(nodes)
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif" role="img">'
    return "\n".join([opening, "<title>The path tree of a search</title>", *edges, *nodes, "</svg>"])


def _edge(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f'<path d="M{start[0]:g} {start[1]:g}V{end[1]:g}H{end[0]:g}" fill="none" stroke="#BBBBBB"/>'


def _node(dot: tuple[float, float], branch: Branch) -> str:
    x, y = dot
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{DOT}" fill="{branch.colour}"/>'
    return circle + _text((x + 2 * DOT, y), branch.label, branch.colour)


def _text(at: tuple[float, float], text: str, colour: str) -> str:
    return f'<text x="{at[0]:g}" y="{at[1] + 4.5:g}" font-size="13" fill="{colour}">{escape(text)}</text>'
