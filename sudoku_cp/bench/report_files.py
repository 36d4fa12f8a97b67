"""The files of a report: JSON, Markdown between markers, and the chart."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryFile

from sudoku_cp.bench.charts import draw_chart, draw_generation_chart
from sudoku_cp.bench.report_tables import GENERATION_CHART, BenchReport, report_markdown
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import check_writable, write_text

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
