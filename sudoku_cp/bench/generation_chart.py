"""The chart of generation as SVG: on the left all rates, on the right statistics of minimal puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sudoku_cp.bench.generation import GenerationResult, Statistics
from sudoku_cp.bench.report_tables import format_number
from sudoku_cp.bench.svg_bars import GAP, HEAD, MARGIN, PANEL, ROW, TOP, draw_bar, draw_heading, draw_page, scale_of

NAMES, FIGURES, FOOT = 170, 110, 40
APART = 6
"""The space above each kind of puzzle."""
TITLE = "Puzzles made a CPU second, on one thread"


def draw_generation_chart(found: Sequence[GenerationResult], shapes: Statistics, processor: str = "") -> str:
    """Return the SVG."""
    groups = {"givens": shapes.givens, "difficulty": shapes.words, "guesses": shapes.guesses}
    left = TOP + HEAD + ROW * len(found) + APART * len({one.kind for one in found}) + FOOT
    right = TOP + sum(HEAD + ROW * len(counted) + FOOT // 2 for counted in groups.values())
    panels = [*_rates(found), *_all_shares(groups, shapes.puzzles)]
    more = ", and what minimal puzzles are like"
    return draw_page(TITLE, _description(found, groups), processor, max(left, right) + MARGIN, panels, more_title=more)


# --- rates ------------------------------------------------------------------------------------------------------


def _rates(found: Sequence[GenerationResult]) -> Iterator[str]:
    scale, bars = scale_of((one.rate for one in found), PANEL - NAMES - FIGURES), MARGIN + NAMES
    tops = list(_row_tops(found))
    bottom = max(tops, default=TOP) + ROW
    yield from scale.draw(bars, TOP + 20, bottom)
    for one, top in zip(found, tops, strict=True):
        name = one.kind if one.ours else one.name
        figure = f"{format_number(one.rate)}{_flag(one)}" if one.rate else '<tspan class="amiss">not measured</tspan>'
        yield from draw_bar(name, scale.length(one.rate), figure, bars, top, own=one.ours)
    yield f'<text class="about" x="{MARGIN}" y="{bottom + 36}">not unique: so many of the puzzles have several solutions</text>'


def _row_tops(found: Sequence[GenerationResult]) -> Iterator[int]:
    """Yield the top of each row, with a space between kinds."""
    top, kind = TOP + 20, ""
    for one in found:
        top += APART if one.kind != kind else 0
        kind = one.kind
        yield top
        top += ROW


def _flag(one: GenerationResult) -> str:
    if one.unique is None or one.unique == 1:
        return ""
    return f' <tspan class="amiss" dx="5">{1 - one.unique:.0%} not unique</tspan>'


# --- shares -----------------------------------------------------------------------------------------------------


def _all_shares(groups: Mapping[str, Mapping[str, int]], puzzles: int) -> Iterator[str]:
    top, words = TOP, f"share of {puzzles:,} minimal puzzles of 9x9, one from each grid drawn"
    for name, counted in groups.items():
        yield from _shares(name, words, counted, top, puzzles)
        top += HEAD + ROW * len(counted) + FOOT // 2


def _shares(name: str, about: str, counted: Mapping[str, int], top: int, whole: int) -> Iterator[str]:
    left, room = MARGIN + PANEL + GAP, PANEL - NAMES // 2 - FIGURES
    yield from draw_heading(name, about, left, top)
    largest = max(counted.values(), default=1)
    for index, (value, times) in enumerate(counted.items()):
        figure = f"{times / whole:.1%}" if times * 1000 >= whole else f"{times / whole:.2%}"
        yield from draw_bar(value, room * times / largest, figure, left + NAMES // 2, top + HEAD - 6 + ROW * index, own=True)


def _description(found: Sequence[GenerationResult], groups: Mapping[str, Mapping[str, int]]) -> str:
    rates = ", ".join(f"{one.kind} by {one.name} {format_number(one.rate) or 'not measured'}" for one in found)
    shares = "; ".join(
        f"{name}: " + ", ".join(f"{value} {times}" for value, times in counts.items()) for name, counts in groups.items()
    )
    return f"Puzzles a CPU second: {rates}. Minimal puzzles of 9x9 by {shares}."
