"""What the charts share: a page of SVG with its title and legend, a logarithmic scale, and a bar with its name and figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, floor, log10
from typing import NamedTuple
from xml.sax.saxutils import escape

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
        title = f"<title>{escape(tooltip)}</title>" * bool(tooltip)
        yield f'<rect class="{"ours" if own else "bar"}" {place} rx="1.5">{title}</rect>'
    yield f'<text x="{left + length + 6:.1f}" y="{middle}">{figure}</text>'
