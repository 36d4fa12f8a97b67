"""The chart of rates as SVG: bars of puzzles a second on a logarithmic scale, a panel for each set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from sudoku_cp.bench.measurement import ContestantResult
from sudoku_cp.bench.report_tables import BenchReport, SetResult, format_marks, format_number, quickest_first
from sudoku_cp.bench.svg_bars import GAP, HEAD, MARGIN, PANEL, ROW, TOP, LogScale, draw_bar, draw_heading, draw_page, scale_of

COLUMNS = 2
NAMES, FIGURES, FOOT = 150, 92, 26
"""Widths left and right of the bars, for the names and for the figures; the height of the scale."""
TITLE = "Puzzles a second: find the solution and prove that it is the only one"


def draw_chart(report: BenchReport) -> str:
    """Return the SVG of a report."""
    columns = _columns(report.sets)
    height = TOP + max((sum(map(_height, column)) for column in columns), default=0) + MARGIN
    return draw_page(TITLE, _description(report.sets), report.machine.get("processor", ""), height, _panels(report.sets, columns))


def _panels(sets: Sequence[SetResult], columns: Sequence[Sequence[SetResult]]) -> Iterator[str]:
    scale = scale_of((result.rate for one in sets for result in one.results), PANEL - NAMES - FIGURES)
    for number, column in enumerate(columns):
        top, left = TOP, MARGIN + number * (PANEL + GAP)
        for one in column:
            yield from _panel(one, left, top, scale)
            top += _height(one)


def _columns(sets: Sequence[SetResult]) -> list[list[SetResult]]:
    """Return the panels of each column, in order down the columns, so that the columns are about equally high."""
    columns: list[list[SetResult]] = [[] for _ in range(COLUMNS)]
    total, done = sum(map(_height, sets)), 0
    for one in sets:
        columns[min(COLUMNS - 1, (done + _height(one) // 2) * COLUMNS // total)].append(one)
        done += _height(one)
    return columns


def _height(one: SetResult) -> int:
    return HEAD + ROW * len(one.results) + FOOT + 10


def _panel(one: SetResult, left: int, top: int, scale: LogScale) -> Iterator[str]:
    yield f'<g role="group" aria-label="{escape(one.name)}">'
    yield from draw_heading(one.name, f"{one.about}; {one.total:,} puzzles", left, top)
    yield from scale.draw(left + NAMES, top + HEAD - 4, top + HEAD + ROW * len(one.results))
    for index, result in enumerate(quickest_first(one)):
        figure = f"{format_number(result.rate)}{_flag(result)}"
        tooltip = f"{result.name}: {format_number(result.rate)} puzzles a second {format_marks(result)}".strip()
        place = left + NAMES, top + HEAD + ROW * index
        yield from draw_bar(result.name, scale.length(result.rate), figure, *place, own=result.ours, tooltip=tooltip)
    yield "</g>"


def _flag(result: ContestantResult) -> str:
    words = "wrong" if result.wrong else "first" if result.first else "" if result.rate else "no answer"
    return f' <tspan class="amiss" dx="{5 if result.rate else 0}">{words}</tspan>' if words else ""


def _description(sets: Sequence[SetResult]) -> str:
    parts = (f"{one.name}: " + ", ".join(f"{r.name} {format_number(r.rate) or 'no answer'}" for r in one.results) for one in sets)
    return "Puzzles a second. " + "; ".join(parts) + "."
