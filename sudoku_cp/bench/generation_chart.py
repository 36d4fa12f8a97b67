"""The chart of generation as SVG: on the left all rates, on the right statistics of minimal puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from sudoku_cp.bench.generation import US, GenerationResult
from sudoku_cp.bench.generation_statistics import Statistics
from sudoku_cp.bench.rate_chart import BAR, GAP, MARGIN, ROW, STYLE, TOP, WIDTH, format_power
from sudoku_cp.bench.report_tables import format_number

PANEL = (WIDTH - 2 * MARGIN - GAP) // 2
NAMES, FIGURES, HEAD, FOOT = 170, 110, 48, 40
APART = 6
"""The space above each kind of puzzle."""
TITLE = "Puzzles made a CPU second, on one thread"


def draw_generation_chart(found: Sequence[GenerationResult], shapes: Statistics, processor: str = "") -> str:
    """Return the SVG; it follows the reader's light or dark scheme, and has its figures as text too."""
    return "\n".join(_svg(found, shapes, processor)) + "\n"


def _svg(found: Sequence[GenerationResult], shapes: Statistics, processor: str) -> Iterator[str]:
    kinds = len({one.kind for one in found})
    groups = {"givens": shapes.givens, "difficulty": shapes.words, "guesses": shapes.guesses}
    left = TOP + HEAD + ROW * len(found) + APART * kinds + FOOT
    right = TOP + sum(HEAD + ROW * len(counted) + FOOT // 2 for counted in groups.values())
    height = max(left, right) + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title about">'
    )
    yield f'<title id="title">{TITLE}, and what minimal puzzles are like</title>'
    yield f'<desc id="about">{escape(_description(found, groups))}</desc>'
    yield f'<style>{STYLE}</style><rect class="page" width="{WIDTH}" height="{height}"/>'
    yield f'<text class="title" x="{MARGIN}" y="34">{TITLE}</text>'
    yield f'<rect class="ours" x="{MARGIN}" y="48" width="12" height="12"/><text x="{MARGIN + 18}" y="58">{US}</text>'
    yield f'<rect class="bar" x="{MARGIN + 96}" y="48" width="12" height="12"/><text x="{MARGIN + 114}" y="58">others</text>'
    yield f'<text class="about" x="{MARGIN + 170}" y="58">{escape(f"logarithmic scale; {processor}")}</text>'
    yield from _rates(found)
    top, words = TOP, f"share of {shapes.puzzles:,} minimal puzzles of 9x9, one from each grid drawn"
    for name, counted in groups.items():
        yield from _shares(name, words, counted, top, shapes.puzzles)
        top += HEAD + ROW * len(counted) + FOOT // 2
    yield "</svg>"


# --- rates ------------------------------------------------------------------------------------------------------


def _rates(found: Sequence[GenerationResult]) -> Iterator[str]:
    rates = [one.rate for one in found if one.rate]
    low, high = (floor(log10(min(rates))), ceil(log10(max(rates)))) if rates else (0, 1)
    bars, step = MARGIN + NAMES, (PANEL - NAMES - FIGURES) / max(high - low, 1)
    tops = list(_row_tops(found))
    bottom = max(tops, default=TOP) + ROW
    for power in range(low, high + 1):
        x = bars + step * (power - low)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP + 20}" x2="{x:.1f}" y2="{bottom + 4}"/>'
        yield f'<text class="scale" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{format_power(power)}</text>'
    for one, top in zip(found, tops, strict=True):
        length = step * max(log10(one.rate) - low, 0.02) if one.rate else 0.0
        name = one.kind if one.ours else one.name
        figure = f"{format_number(one.rate)}{_flag(one)}" if one.rate else '<tspan class="amiss">not measured</tspan>'
        yield from _bar(name, length, figure, MARGIN, top, own=one.ours)
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


def _shares(name: str, about: str, counted: Mapping[str, int], top: int, whole: int) -> Iterator[str]:
    left, room = MARGIN + PANEL + GAP, PANEL - NAMES // 2 - FIGURES
    yield f'<text class="set" x="{left}" y="{top + 18}">{escape(name)}</text>'
    yield f'<text class="about" x="{left}" y="{top + 34}">{escape(about)}</text>'
    largest = max(counted.values(), default=1)
    for index, (value, times) in enumerate(counted.items()):
        figure = f"{times / whole:.1%}" if times * 1000 >= whole else f"{times / whole:.2%}"
        length = room * times / largest
        yield from _bar(value, length, figure, left, top + HEAD - 6 + ROW * index, names=NAMES // 2, own=True)


def _bar(name: str, length: float, figure: str, left: int, top: int, *, names: int = NAMES, own: bool = False) -> Iterator[str]:
    bars, middle = left + names, top + ROW // 2 + 4
    yield f'<text class="name{" own" * own}" x="{bars - 8}" y="{middle}">{escape(name)}</text>'
    if length:
        place = f'x="{bars}" y="{top + (ROW - BAR) // 2}" width="{length:.1f}" height="{BAR}"'
        yield f'<rect class="{"ours" if own else "bar"}" {place} rx="1.5"/>'
    yield f'<text x="{bars + length + 6:.1f}" y="{middle}">{figure}</text>'


def _description(found: Sequence[GenerationResult], groups: Mapping[str, Mapping[str, int]]) -> str:
    rates = ", ".join(f"{one.kind} by {one.name} {format_number(one.rate) or 'not measured'}" for one in found)
    shares = "; ".join(
        f"{name}: " + ", ".join(f"{value} {times}" for value, times in counts.items()) for name, counts in groups.items()
    )
    return f"Puzzles a CPU second: {rates}. Minimal puzzles of 9x9 by {shares}."
