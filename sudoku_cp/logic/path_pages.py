"""Paths of steps as pages: one HTML file with a picture and a sentence for each step, or all pictures in one SVG."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import OptionProblem, Unsupported
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.pictures import KEY, annotate_step, position_of
from sudoku_cp.logic.words import describe_group, describe_step
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.render import svg
from sudoku_cp.render.svg_strip import StripPanel, svg_strip
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.cosmetics import Annotation
    from sudoku_cp.logic.step import Step

CELL = 40
"""The side of a cell in the pictures of a page, in pixels."""
MOST_CELLS = 300_000
"""The most cells in all the pictures of a path, which take 200 bytes each: 25x25 cells with 480 steps."""

_STYLE = """
body { font: 16px/1.45 Helvetica, Arial, sans-serif; color: #111; background: #fff; margin: 1.5rem auto; max-width: 62rem;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
section { display: flex; flex-wrap: wrap; gap: 1.2rem; margin: 1.6rem 0; padding-top: 1.2rem; border-top: 1px solid #ccc;
  break-inside: avoid; }
section > div { flex: 1 1 18rem; }
svg { flex: none; max-width: 100%; height: auto; }
td { padding: 0 1rem 0 0; }
details { margin-top: .8rem; color: #444; font-size: .9rem; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; }
  section { flex-wrap: nowrap; margin: .6rem 0; padding-top: .6rem; }
  section > svg { width: 7.4cm; }
  details { display: none; }
}
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<table>
{techniques}
</table>
<p>{key}</p>
{sections}
</body>
</html>
"""
_SECTION = """<section>
{picture}
<div>
<h2>{number}. {technique}</h2>
<p>{sentence}</p>
<details><summary>Proof: {size}</summary>
<ul>
{groups}
</ul></details>
</div>
</section>"""


class PathPanel(NamedTuple):
    """A step of a path, the position before it, what is drawn on that, the step as a sentence, and its proof in words."""

    step: Step
    position: Position
    annotation: Annotation
    sentence: str
    proof: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the sentence: the fields are long."""
        return f"<PathPanel: {self.sentence}>"

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return svg(self.position, annotation=self.annotation)


def refuse_many_pictures(start: Puzzle | Position, steps: Sequence[Step]) -> None:
    """Raise `Unsupported` if the pictures of a path would have more than `MOST_CELLS` cells."""
    cells = len(start.grid.cells) if isinstance(start, Puzzle) else len(start.puzzle.grid.cells)
    if cells * len(steps) > MOST_CELLS:
        got = f"{cells * len(steps):,} ({len(steps):,} steps on {cells:,} cells)"
        words = f"expected pictures of at most {MOST_CELLS:,} cells in all, got {got}; `json` lists the steps without them"
        raise Unsupported(OptionProblem(words))


def path_panels(start: Puzzle | Position, steps: Iterable[Step]) -> Iterator[PathPanel]:
    """Yield the steps of a path from a puzzle or a position, each with the position in which it is made."""
    puzzle = start.puzzle if isinstance(start, Position) else start
    board = make_board(start)
    for step in ticked(steps, every=1):
        sentence = describe_step(board.layout, puzzle.symbols, step)
        proof = tuple(describe_group(board.layout, puzzle.symbols, group) for group in step.proof)
        yield PathPanel(step, position_of(puzzle, board), annotate_step(board, step), sentence, proof)
        board.apply(step)


def steps_html(start: Puzzle | Position, steps: Sequence[Step]) -> str:
    """Return a path as one HTML file that needs no other: a picture and a sentence for each step."""
    puzzle = start.puzzle if isinstance(start, Position) else start
    refuse_many_pictures(start, steps)
    panels = list(path_panels(start, steps))
    counts = Counter(panel.step.technique.title for panel in panels)
    return _PAGE.format(
        title=escape(puzzle.title or f"A path through a sudoku on {puzzle.grid}"),
        style=_STYLE,
        techniques="\n".join(f"<tr><td>{escape(name)}</td><td>{number:,}</td></tr>" for name, number in counts.items()),
        key=KEY,
        sections="\n".join(_section(number, panel) for number, panel in enumerate(panels, 1)),
    )


def _section(number: int, panel: PathPanel) -> str:
    """Return the section of a step."""
    title, _, reason = panel.sentence.partition(": ")
    size = len(panel.proof)
    return _SECTION.format(
        picture=svg(panel.position, cell=CELL, annotation=panel.annotation),
        number=number,
        technique=escape(title),
        sentence=escape(reason[0].upper() + reason[1:]),
        size=f"{size:,} group{'s' * (size != 1)}",
        groups="\n".join(f"<li>{escape(group)}</li>" for group in panel.proof),
    )


def steps_svg(start: Puzzle | Position, steps: Sequence[Step], *, columns: int = 4) -> str:
    """Return a path as one SVG with a picture and a sentence for each step, in rows of ``columns``."""
    refuse_many_pictures(start, steps)
    panels = enumerate(path_panels(start, steps), 1)
    return svg_strip(
        (StripPanel(panel.position, panel.annotation, "", f"{number}. {panel.sentence}") for number, panel in panels),
        columns=columns,
    )
