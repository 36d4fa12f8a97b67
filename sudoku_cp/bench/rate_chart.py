"""The chart of rates as SVG: bars of puzzles a second on a logarithmic scale, a panel for each set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from sudoku_cp.bench.bench_report import BenchReport, SetResult
from sudoku_cp.bench.measurement import ContestantResult
from sudoku_cp.bench.report_tables import format_marks, format_number

WIDTH, COLUMNS, GAP, MARGIN = 1120, 2, 36, 24
NAMES, FIGURES = 150, 92
"""Widths left and right of the bars, for the names and for the figures."""
ROW, BAR, HEAD, FOOT = 19, 12, 48, 26
"""The heights of a row, of its bar, of a panel's title and of its scale."""
TOP = 76

STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.title { font-size: 19px; font-weight: 600; }
.set { font-size: 14px; font-weight: 600; }
.about, .scale { fill: #59636e; font-size: 11px; }
.name, .end { text-anchor: end; }
.own { font-weight: 600; }
.page { fill: #ffffff; }
.grid { stroke: #d1d9e0; stroke-width: 1; }
.bar { fill: #8c96a0; }
.ours { fill: #0f6fc5; }
.amiss { fill: #b3261e; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .about, .scale { fill: #9da7b1; }
  .page { fill: #0d1117; }
  .grid { stroke: #30363d; }
  .bar { fill: #6e7781; }
  .ours { fill: #4b9fea; }
  .amiss { fill: #ff8f86; }
}
"""


def draw_chart(report: BenchReport) -> str:
    """Return the SVG of a report; it follows the reader's light or dark scheme, and has its figures as text too."""
    return "\n".join(_svg(report)) + "\n"


def _svg(report: BenchReport) -> Iterator[str]:
    low, high = _decades(report.sets)
    columns = _columns(report.sets)
    height = TOP + max((sum(map(_height, column)) for column in columns), default=0) + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title about">'
    )
    yield '<title id="title">Puzzles a second: find the solution and prove that it is the only one</title>'
    yield f'<desc id="about">{escape(_description(report.sets))}</desc>'
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="page" width="{WIDTH}" height="{height}"/>'
    yield f'<text class="title" x="{MARGIN}" y="34">Puzzles a second: find the solution and prove that it is the only one</text>'
    yield from _legend(report)
    for number_, column in enumerate(columns):
        top, left = TOP, MARGIN + number_ * (_panel_width() + GAP)
        for one in column:
            yield from _panel(one, left, top, low, high)
            top += _height(one)
    yield "</svg>"


def _legend(report: BenchReport) -> Iterator[str]:
    yield f'<rect class="ours" x="{MARGIN}" y="48" width="12" height="12"/><text x="{MARGIN + 18}" y="58">sudoku_cp</text>'
    yield f'<rect class="bar" x="{MARGIN + 96}" y="48" width="12" height="12"/><text x="{MARGIN + 114}" y="58">others</text>'
    words = f"logarithmic scale; {report.machine.get('processor', '')}"
    yield f'<text class="about" x="{MARGIN + 170}" y="58">{escape(words)}</text>'


def _columns(sets: Sequence[SetResult]) -> list[list[SetResult]]:
    """Return the panels of each column, in order down the columns, so that the columns are about equally high."""
    columns: list[list[SetResult]] = [[] for _ in range(COLUMNS)]
    total, done = sum(map(_height, sets)), 0
    for one in sets:
        columns[min(COLUMNS - 1, (done + _height(one) // 2) * COLUMNS // total)].append(one)
        done += _height(one)
    return columns


def _panel_width() -> int:
    return (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) // COLUMNS


def _height(one: SetResult) -> int:
    return HEAD + ROW * len(one.results) + FOOT + 10


def _decades(sets: Sequence[SetResult]) -> tuple[int, int]:
    """Return the powers of ten below and above all rates."""
    rates = [result.rate for one in sets for result in one.results if result.rate]
    return (floor(log10(min(rates))), ceil(log10(max(rates)))) if rates else (0, 1)


def _panel(one: SetResult, left: int, top: int, low: int, high: int) -> Iterator[str]:
    bars, room = left + NAMES, _panel_width() - NAMES - FIGURES
    step = room / max(high - low, 1)
    bottom = top + HEAD + ROW * len(one.results)
    yield f'<g role="group" aria-label="{escape(one.name)}">'
    yield f'<text class="set" x="{left}" y="{top + 18}">{escape(one.name)}</text>'
    yield f'<text class="about" x="{left}" y="{top + 34}">{escape(f"{one.about}; {one.total:,} puzzles")}</text>'
    for power in range(low, high + 1):
        x = bars + step * (power - low)
        yield f'<line class="grid" x1="{x:.1f}" y1="{top + HEAD - 4}" x2="{x:.1f}" y2="{bottom + 4}"/>'
        yield f'<text class="scale" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{format_power(power)}</text>'
    ordered = sorted(one.results, key=lambda result: result.best if result.best is not None else float("inf"))
    for index, result in enumerate(ordered):
        yield from _row(result, bars, top + HEAD + ROW * index, step, low)
    yield "</g>"


def format_power(power: int) -> str:
    """Return a power of ten such as ``10k``."""
    for least, sign in ((6, "M"), (3, "k"), (0, "")):
        if power >= least:
            return f"{10 ** (power - least)}{sign}"
    return f"{10.0**power:g}"


def _row(result: ContestantResult, bars: int, top: int, step: float, low: int) -> Iterator[str]:
    middle = top + ROW // 2 + 4
    length = step * max(log10(result.rate) - low, 0.02) if result.rate else 0.0
    own = " own" if result.ours else ""
    yield f'<text class="name{own}" x="{bars - 8}" y="{middle}">{escape(result.name)}</text>'
    if result.rate:
        kind = "ours" if result.ours else "bar"
        tooltip = f"{result.name}: {format_number(result.rate)} puzzles a second {format_marks(result)}".strip()
        place = f'x="{bars}" y="{top + (ROW - BAR) // 2}" width="{length:.1f}" height="{BAR}"'
        yield f'<rect class="{kind}" {place} rx="1.5"><title>{escape(tooltip)}</title></rect>'
    yield f'<text x="{bars + length + 6:.1f}" y="{middle}">{format_number(result.rate)}{_flag(result)}</text>'


def _flag(result: ContestantResult) -> str:
    words = "wrong" if result.wrong else "first" if result.first else "" if result.rate else "no answer"
    return f' <tspan class="amiss" dx="{5 if result.rate else 0}">{words}</tspan>' if words else ""


def _description(sets: Sequence[SetResult]) -> str:
    parts = (f"{one.name}: " + ", ".join(f"{r.name} {format_number(r.rate) or 'no answer'}" for r in one.results) for one in sets)
    return "Puzzles a second. " + "; ".join(parts) + "."
