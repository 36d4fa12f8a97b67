"""The files of a report: JSON, Markdown between markers, and the chart."""

from __future__ import annotations

import json
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from sudoku_cp.bench.chart import drawn
from sudoku_cp.bench.generation_chart import drawn as generation_drawn
from sudoku_cp.bench.tables import SHAPES, document
from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import check_writable, write_text

if TYPE_CHECKING:
    from pathlib import Path

    from sudoku_cp.bench.report import Report

NAME = "benchmarks"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
"""What stands between these lines of a Markdown file is measured; all else is somebody's own words."""


def ready(folder: Path) -> None:
    """Make the folder of a report, or raise `InvalidInput` where it could not be written: before measuring, not after."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InvalidInput(f"expected a folder to write to, got {str(folder)!r}: {error.strerror}") from error
    for path in outputs(folder):
        check_writable(path)
    replaced(_before(folder), "")


def outputs(folder: Path) -> list[Path]:
    """Return the files of a report: JSON, Markdown, the chart, and the chart of generation."""
    return [*(folder / f"{NAME}.{ending}" for ending in ("json", "md", "svg")), folder / SHAPES]


def _before(folder: Path) -> str:
    """Return the Markdown that the figures are put into."""
    words = folder / f"{NAME}.md"
    return words.read_text(encoding="utf-8") if words.exists() else f"# Benchmarks\n\n{BEGIN}\n{END}\n"


def written(report: Report, folder: Path) -> list[Path]:
    """Write ``benchmarks.json``, ``.md`` and ``.svg`` into a folder, ``generation.svg`` too where that was measured.

    In Markdown that is there only what its markers enclose is replaced.
    """
    ready(folder)
    told, words, picture, shapes = outputs(folder)
    write_text(words, replaced(_before(folder), document(report, picture.name)))
    write_text(told, json.dumps(report.to_json(), indent=1, ensure_ascii=False) + "\n")
    write_text(picture, drawn(report))
    if report.statistics is None:
        return [told, words, picture]
    write_text(shapes, generation_drawn(report.generation, report.statistics, report.machine.get("processor", "")))
    return [told, words, picture, shapes]


def replaced(text: str, between: str) -> str:
    """Return a text with other words between its markers, or raise `InvalidInput` where it has not one pair of them."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end) or BEGIN in tail or END in head:
        raise InvalidInput(f"expected one {BEGIN} and one {END} behind it, got none or others")
    return f"{head}{BEGIN}\n\n{between.strip()}\n\n{END}{tail}"
