"""Paths from a position to the solution: what is wrong with the position first, then step after step and why they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import LimitReached, OptionProblem, Unsupported
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.hints import check_position, find_clash
from sudoku_cp.logic.ladder import LAST_RESORT, RUNGS, TAUGHT, FoundSteps, list_steps, path_end, rungs_named, walk
from sudoku_cp.logic.pictures import KEY, annotate_step, position_of
from sudoku_cp.logic.words import describe_group, describe_step
from sudoku_cp.logic.words.wording import plural
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.render import svg
from sudoku_cp.render.svg_picture import StripPanel, svg_strip
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.cosmetics import Annotation
    from sudoku_cp.errors import Reason
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.hints import PositionCheck
    from sudoku_cp.logic.ladder import PathEnd, Rung
    from sudoku_cp.logic.step import Step
    from sudoku_cp.model import Domain
    from sudoku_cp.queries.conflicts import Conflict


@dataclass(frozen=True)
class SolvePath:
    """The steps from a position, ``start``, or all that are possible there, which have no ``end``.

    ``reason`` is the limit that came first, if one did, and ``board`` is what the steps leave, None if the limit came before
    there was a board. ``check`` tells whether the puzzle has one solution and what is wrong with the position. Where the ``end``
    is "none" or "wrong" no step was looked for, and ``clash`` is what cannot be right together, if that was found within the
    limits.
    """

    start: Position
    check: PositionCheck
    steps: tuple[Step, ...]
    reason: Reason | None
    board: CandidateBoard | None = field(hash=False)
    end: PathEnd | None = None
    clash: Conflict | None = None

    @property
    def complete(self) -> bool:
        """Whether it ended by itself, and not at a limit."""
        return self.reason is None

    def __repr__(self) -> str:
        """Return how many steps there are and how they end: the fields are long."""
        return (
            f"<SolvePath: {plural(len(self.steps), 'step')}, {self.end or 'possible now'}{', incomplete' * (not self.complete)}>"
        )

    @property
    def open_cells(self) -> int:
        """How many cells the steps leave open."""
        return self.start.values.count(None) if self.board is None else self.board.open.bit_count()

    def panels(self) -> Iterator[PathPanel]:
        """Yield each step of a path with the position in which it is made, its sentence, its proof in words and its picture."""
        return path_panels(self.start, self.steps)

    def html(self) -> str:
        """Return a path as one HTML file that needs no other: a picture and a sentence for each step."""
        return steps_html(self.start, self.steps)

    @checked
    def svg(self, *, columns: int = 4) -> str:
        """Return a path as one SVG with a picture and a sentence for each step, in rows of ``columns``."""
        return steps_svg(self.start, self.steps, columns=columns)

    def _repr_svg_(self) -> str | None:
        """Return the pictures of a path for notebooks, nothing where they would be too large."""
        try:
            return self.svg()
        except Unsupported:
            return None


@checked
def steps(
    start: Puzzle | Position, techniques: str | Sequence[str] = (), *, every: bool = False, limits: Limits = UNLIMITED
) -> SolvePath:
    """Return the steps that a person could take, from the easiest technique upwards, each with what proves it.

    ``techniques`` are names or codes of those to use, all by default; with ``every``, each step that is possible at once is
    listed instead of a path. Techniques that argue from uniqueness are left out unless the puzzle has exactly one solution.
    """
    names = [techniques] if isinstance(techniques, str) else techniques
    rungs = rungs_named(names)
    finder = PathFinder(Position.of(start) if isinstance(start, Puzzle) else start, limits)
    return finder.possible(rungs or RUNGS) if every else finder.path(rungs or (*TAUGHT, LAST_RESORT))


class PathFinder:
    """Answers for one position which steps lead on: ``check`` is known at once, and ``path`` takes the time that is left."""

    def __init__(self, position: Position, limits: Limits, *, searched: Domain | None = None) -> None:
        """Check the position; techniques of one value keep to those ``searched``, all by default."""
        self.position = position
        self._clock = limits.started()
        self.check: PositionCheck = check_position(position, limits=self._clock.left())
        self._searched = searched

    def path(self, rungs: Sequence[Rung] = (*TAUGHT, LAST_RESORT)) -> SolvePath:
        """Walk step after step if the position can be completed; otherwise name what clashes."""
        board, reason = self._board()
        if self.check.is_wrong:
            clash = find_clash(self.position, self.check, limits=self._clock.left())
            end: PathEnd = "none" if self.check.status == "none" else "wrong"
            return self._path(FoundSteps([]), board, end, clash)
        if board is None:
            return self._path(FoundSteps([], reason), board, "limit")
        usable = self._usable(rungs)
        found = walk(board, tuple(usable))
        return self._path(found, board, path_end(board, found, usable))

    def possible(self, rungs: Sequence[Rung] = RUNGS) -> SolvePath:
        """List every step that is possible now, whether or not the position can be completed."""
        board, reason = self._board()
        return self._path(list_steps(board, self._usable(rungs)) if board else FoundSteps([], reason), board)

    def _path(
        self, found: FoundSteps, board: CandidateBoard | None, end: PathEnd | None = None, clash: Conflict | None = None
    ) -> SolvePath:
        return SolvePath(self.position, self.check, tuple(found.steps), found.reason, board, end, clash)

    def _board(self) -> tuple[CandidateBoard | None, Reason | None]:
        """Return the board of the position, or the limit that comes first."""
        try:
            board = make_board(self.position, self._clock)
        except LimitReached as reached:
            return None, reached.reason
        if self._searched:
            board.searched = self._searched
        return board, None

    def _usable(self, rungs: Sequence[Rung]) -> list[Rung]:
        return [rung for rung in rungs if self.check.is_sound or not rung.technique.needs_uniqueness]


# Paths of steps as pages: one HTML file with a picture and a sentence for each step, or all pictures in one SVG.


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
