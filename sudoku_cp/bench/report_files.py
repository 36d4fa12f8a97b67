"""The files of a report: JSON, Markdown between markers, and the charts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple
from xml.sax.saxutils import escape

from sudoku_cp.bench.generation import GenerationResult, Statistics
from sudoku_cp.bench.measurement import ContestantResult
from sudoku_cp.bench.report_tables import (
    GENERATION_CHART,
    BenchReport,
    SetResult,
    format_marks,
    format_number,
    quickest_first,
    report_markdown,
)
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import check_writable, write_text

# The charts as SVG: bars on a logarithmic scale.
#
# One shows puzzles a second, a panel for each set; the other the rates of generation, and statistics of minimal puzzles.


WIDTH, GAP, MARGIN = 1120, 36, 24
PANEL = (WIDTH - 2 * MARGIN - GAP) // 2
"""The width of a panel; two stand side by side."""
ROW, BAR, HEAD, TOP = 19, 12, 48, 76
"""The heights of a row, of its bar, of a panel's title, and of the page's."""

_STYLE = """
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


def draw_page(title: str, description: str, processor: str, height: int, panels: Iterable[str], *, more_title: str = "") -> str:
    """Return the SVG; it follows the reader's light or dark scheme, and has its figures as text too, in the ``description``."""
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title about">',
        f'<title id="title">{title}{more_title}</title>',
        f'<desc id="about">{escape(description)}</desc>',
        f'<style>{_STYLE}</style><rect class="page" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="{MARGIN}" y="34">{title}</text>',
        f'<rect class="ours" x="{MARGIN}" y="48" width="12" height="12"/><text x="{MARGIN + 18}" y="58">sudoku_cp</text>',
        f'<rect class="bar" x="{MARGIN + 96}" y="48" width="12" height="12"/><text x="{MARGIN + 114}" y="58">others</text>',
        f'<text class="about" x="{MARGIN + 170}" y="58">{escape(f"logarithmic scale; {processor}")}</text>',
    )
    return "\n".join([*head, *panels, "</svg>"]) + "\n"


def draw_heading(name: str, about: str, left: int, top: int) -> Iterator[str]:
    """Yield the title of a panel, and the line below it."""
    yield f'<text class="set" x="{left}" y="{top + 18}">{escape(name)}</text>'
    yield f'<text class="about" x="{left}" y="{top + 34}">{escape(about)}</text>'


class LogScale(NamedTuple):
    """The powers of ten from ``low`` to ``high``, over a width of ``room``."""

    low: int
    high: int
    room: float

    @property
    def step(self) -> float:
        """The width of a power of ten."""
        return self.room / max(self.high - self.low, 1)

    def length(self, rate: float | None) -> float:
        """Return the length of a rate's bar, 0 where there is none."""
        return self.step * max(log10(rate) - self.low, 0.02) if rate else 0.0

    def draw(self, left: float, top: int, bottom: int) -> Iterator[str]:
        """Yield a line for each power, labelled at the bottom."""
        for power in range(self.low, self.high + 1):
            x = left + self.step * (power - self.low)
            yield f'<line class="grid" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom + 4}"/>'
            yield f'<text class="scale" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{_format_power(power)}</text>'


def scale_of(rates: Iterable[float | None], room: float) -> LogScale:
    """Return the scale from the power of ten below all rates to the one above."""
    known = [rate for rate in rates if rate]
    return LogScale(floor(log10(min(known))), ceil(log10(max(known))), room) if known else LogScale(0, 1, room)


def _format_power(power: int) -> str:
    """Return a power of ten such as ``10k``."""
    for least, sign in ((6, "M"), (3, "k"), (0, "")):
        if power >= least:
            return f"{10 ** (power - least)}{sign}"
    return f"{10.0**power:g}"


def draw_bar(name: str, length: float, figure: str, left: int, top: int, *, own: bool, tooltip: str = "") -> Iterator[str]:
    """Yield a bar that begins at ``left``, with its name before it and its figure, which is SVG, after it; ``own`` marks ours."""
    middle = top + ROW // 2 + 4
    yield f'<text class="name{" own" * own}" x="{left - 8}" y="{middle}">{escape(name)}</text>'
    if length:
        place = f'x="{left}" y="{top + (ROW - BAR) // 2}" width="{length:.1f}" height="{BAR}"'
        title = f"<title>{escape(tooltip)}</title>" if tooltip else ""
        yield f'<rect class="{"ours" if own else "bar"}" {place} rx="1.5">{title}</rect>'
    yield f'<text x="{left + length + 6:.1f}" y="{middle}">{figure}</text>'


# The chart of rates as SVG: bars of puzzles a second on a logarithmic scale, a panel for each set.


COLUMNS = 2
NAMES, FIGURES, FOOT = 150, 92, 26
"""Widths left and right of the bars, for the names and for the figures; the height of the scale."""
RATE_TITLE = "Puzzles a second: find the solution and prove that it is the only one"


def draw_chart(report: BenchReport) -> str:
    """Return the SVG of a report."""
    columns = _columns(report.sets)
    height = TOP + max((sum(map(_height, column)) for column in columns), default=0) + MARGIN
    return draw_page(
        RATE_TITLE, _describe_sets(report.sets), report.machine.get("processor", ""), height, _panels(report.sets, columns)
    )


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
        figure = f"{format_number(result.rate)}{_rate_flag(result)}"
        tooltip = f"{result.name}: {format_number(result.rate)} puzzles a second {format_marks(result)}".strip()
        place = left + NAMES, top + HEAD + ROW * index
        yield from draw_bar(result.name, scale.length(result.rate), figure, *place, own=result.ours, tooltip=tooltip)
    yield "</g>"


def _rate_flag(result: ContestantResult) -> str:
    words = "wrong" if result.wrong else "first" if result.first else "" if result.rate else "no answer"
    return f' <tspan class="amiss" dx="{5 if result.rate else 0}">{words}</tspan>' if words else ""


def _describe_sets(sets: Sequence[SetResult]) -> str:
    parts = (f"{one.name}: " + ", ".join(f"{r.name} {format_number(r.rate) or 'no answer'}" for r in one.results) for one in sets)
    return "Puzzles a second. " + "; ".join(parts) + "."


# The chart of generation as SVG: on the left all rates, on the right statistics of minimal puzzles.


SHARE_NAMES, SHARE_FIGURES, SHARE_FOOT = 170, 110, 40
APART = 6
"""The space above each kind of puzzle."""
GENERATION_TITLE = "Puzzles made a CPU second, on one thread"


def draw_generation_chart(found: Sequence[GenerationResult], shapes: Statistics, processor: str = "") -> str:
    """Return the SVG."""
    groups = {"givens": shapes.givens, "difficulty": shapes.words, "guesses": shapes.guesses}
    left = TOP + HEAD + ROW * len(found) + APART * len({one.kind for one in found}) + SHARE_FOOT
    right = TOP + sum(HEAD + ROW * len(counted) + SHARE_FOOT // 2 for counted in groups.values())
    panels = [*_rates(found), *_all_shares(groups, shapes.puzzles)]
    more = ", and what minimal puzzles are like"
    return draw_page(
        GENERATION_TITLE, _describe_generation(found, groups), processor, max(left, right) + MARGIN, panels, more_title=more
    )


# --- rates ------------------------------------------------------------------------------------------------------


def _rates(found: Sequence[GenerationResult]) -> Iterator[str]:
    scale, bars = scale_of((one.rate for one in found), PANEL - SHARE_NAMES - SHARE_FIGURES), MARGIN + SHARE_NAMES
    tops = list(_row_tops(found))
    bottom = max(tops, default=TOP) + ROW
    yield from scale.draw(bars, TOP + 20, bottom)
    for one, top in zip(found, tops, strict=True):
        name = one.kind if one.ours else one.name
        figure = f"{format_number(one.rate)}{_generation_flag(one)}" if one.rate else '<tspan class="amiss">not measured</tspan>'
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


def _generation_flag(one: GenerationResult) -> str:
    if one.unique is None or one.unique == 1:
        return ""
    return f' <tspan class="amiss" dx="5">{1 - one.unique:.0%} not unique</tspan>'


# --- shares -----------------------------------------------------------------------------------------------------


def _all_shares(groups: Mapping[str, Mapping[str, int]], puzzles: int) -> Iterator[str]:
    top, words = TOP, f"share of {puzzles:,} minimal puzzles of 9x9, one from each grid drawn"
    for name, counted in groups.items():
        yield from _shares(name, words, counted, top, puzzles)
        top += HEAD + ROW * len(counted) + SHARE_FOOT // 2


def _shares(name: str, about: str, counted: Mapping[str, int], top: int, whole: int) -> Iterator[str]:
    left, room = MARGIN + PANEL + GAP, PANEL - SHARE_NAMES // 2 - SHARE_FIGURES
    yield from draw_heading(name, about, left, top)
    largest = max(counted.values(), default=1)
    for index, (value, times) in enumerate(counted.items()):
        figure = f"{times / whole:.1%}" if times * 1000 >= whole else f"{times / whole:.2%}"
        yield from draw_bar(
            value, room * times / largest, figure, left + SHARE_NAMES // 2, top + HEAD - 6 + ROW * index, own=True
        )


def _describe_generation(found: Sequence[GenerationResult], groups: Mapping[str, Mapping[str, int]]) -> str:
    rates = ", ".join(f"{one.kind} by {one.name} {format_number(one.rate) or 'not measured'}" for one in found)
    shares = "; ".join(
        f"{name}: " + ", ".join(f"{value} {times}" for value, times in counts.items()) for name, counts in groups.items()
    )
    return f"Puzzles a CPU second: {rates}. Minimal puzzles of 9x9 by {shares}."


NAME = "benchmarks"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
"""Between these lines of the Markdown file are the measurements; the rest is written by hand and kept."""


def prepare_folder(folder: Path) -> None:
    """Make the folder of a report, or raise `InvalidInput` if it cannot be written: before measuring, not after."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InvalidInput(f"expected a folder to write to, got {str(folder)!r}: {error.strerror}") from error
    for path in report_paths(folder):
        check_writable(path)
    replace_between_markers(_current_markdown(folder), "")


def report_paths(folder: Path) -> list[Path]:
    """Return the files of a report: JSON, Markdown, the chart, and the chart of generation."""
    return [*(folder / f"{NAME}.{ending}" for ending in ("json", "md", "svg")), folder / GENERATION_CHART]


def _current_markdown(folder: Path) -> str:
    """Return the Markdown file that the figures are put into, or a new one."""
    words = folder / f"{NAME}.md"
    return words.read_text(encoding="utf-8") if words.exists() else f"# Benchmarks\n\n{BEGIN}\n{END}\n"


def write_report(report: BenchReport, folder: Path) -> list[Path]:
    """Write ``benchmarks.json``, ``.md`` and ``.svg`` into a folder, ``generation.svg`` too where that was measured.

    In a Markdown file that exists, only the text between its markers is replaced.
    """
    prepare_folder(folder)
    data, markdown, chart, generation_chart = report_paths(folder)
    write_text(markdown, replace_between_markers(_current_markdown(folder), report_markdown(report, chart.name)))
    write_text(data, json.dumps(report.to_json(), indent=1, ensure_ascii=False) + "\n")
    write_text(chart, draw_chart(report))
    if report.statistics is None:
        return [data, markdown, chart]
    write_text(generation_chart, draw_generation_chart(report.generation, report.statistics, report.machine.get("processor", "")))
    return [data, markdown, chart, generation_chart]


def replace_between_markers(text: str, between: str) -> str:
    """Return a text with its part between the markers replaced; raise `InvalidInput` unless it has one pair of them."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end) or BEGIN in tail or END in head:
        raise InvalidInput(f"expected one {BEGIN} and one {END} after it, got none or others")
    return f"{head}{BEGIN}\n\n{between.strip()}\n\n{END}{tail}"
