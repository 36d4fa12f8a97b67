"""The tables for people: rows of words, and the same as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.bench.generation import generation_rows
from sudoku_cp.bench.generation_statistics import statistics_rows
from sudoku_cp.bench.trust import trust_rows
from sudoku_cp.bench.variants import family_rows, puzzle_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.bench.processes import FileTime
    from sudoku_cp.bench.report import Measured, Report
    from sudoku_cp.bench.timing import Result

NONE = ""
SHAPES = "generation.svg"
"""The picture of what is made, beside the report."""
FILES = (
    "`start s` is a process with 1,000 puzzles, `files/s` are puzzles a second past that start, `kernel/s` those of the checked "
    "kernel alone on as many threads; `ratio`: the seconds past the start that go into all else, for each second of solving."
)
"""What the columns of the table of files mean."""
VARIANTS = (
    "`new`: the rules are translated from the start, as for a puzzle out of the blue; `known`: a puzzle of the same rules was "
    "asked before. The shortest of all rounds, of each puzzle in examples/variants."
)
"""What the columns of the table of other rules mean."""
TRUST = (
    "Milliseconds of CPU a puzzle, the shortest of all rounds, the rules known; `bytes` are those of the compressed proof. "
    "`verify` reads the folder, makes the formula anew, and checks every lemma. Audits do everything: uniqueness, minimality, "
    "twins by canonical form."
)
"""What the columns of the table of trust mean."""
GENERATION = (
    "Puzzles a CPU second on one thread, the best of all rounds, each of new puzzles; of a sample, the shares that our solver "
    "finds to have one solution, and none of whose givens can be left out (rules aside). `tries`: how many were begun for each."
)
"""What the columns of the table of generation mean."""


def number(value: float | None) -> str:
    """Return a figure as people write it, in three digits or two: ``4.21M``, ``12.3k``, ``0.037``."""
    if value is None:
        return NONE
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            return f"{_three(value / size)}{sign}"
    return _three(value)


def _three(value: float) -> str:
    if value < 0.995:  # noqa: PLR2004
        return f"{value:.2g}"
    places = 0 if value >= 99.95 else 1 if value >= 9.995 else 2  # noqa: PLR2004
    return f"{value:.{places}f}"


def marks(result: Result) -> str:
    """Return what must be said beside a contestant's figures."""
    told = [
        "first" * result.first,
        f"wrong: {result.wrong} of {result.puzzles:,}" * bool(result.wrong),
        f"unanswered: {result.unanswered} of {result.puzzles:,}" * bool(result.unanswered),
        result.failed,
    ]
    return "; ".join(one for one in told if one)


def rows(one: Measured) -> list[dict[str, str]]:
    """Return the rows of one set's table, the quickest first."""
    ordered = sorted(one.results, key=lambda result: result.best if result.best is not None else float("inf"))
    return [
        {
            "contestant": result.name,
            "puzzles/s": number(result.rate),
            "puzzles": f"{result.puzzles:,}" if result.puzzles else NONE,
            "spread": NONE if result.spread is None else f"{result.spread:.0%}",
            f"times {one.reference}": number(result.ratio),
            "remarks": marks(result),
        }
        for result in ordered
    ]


def markdown(table: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the lines of a Markdown table; all columns but the first and the remarks stand to the right."""
    if not table:
        return []
    names = list(table[0])
    rules = [":---" if name in {names[0], "remarks"} else "---:" for name in names]
    return [_line(names), _line(rules), *(_line(row.values()) for row in table)]


def _line(words: Iterable[str]) -> str:
    return f"| {' | '.join(word.replace('|', '/') for word in words)} |"


def summary(sets: Sequence[Measured], ratios: bool) -> list[dict[str, str]]:  # noqa: FBT001
    """Return a row a contestant and a column a set: puzzles a second, or times the reference's time."""
    names = dict.fromkeys(result.name for one in sets for result in one.results)
    found = {(one.name, result.name): result for one in sets for result in one.results}
    return [
        {"contestant": name} | {one.name: _cell(found.get((one.name, name)), ratios=ratios) for one in sets} for name in names
    ]


def _cell(result: Result | None, *, ratios: bool) -> str:
    if result is None:
        return "-"
    figure = number(result.ratio if ratios else result.rate)
    return figure + "*" * bool(result.wrong or result.unanswered or result.failed or result.first) or "*"


def scaling_rows(sets: Sequence[Measured]) -> list[dict[str, str]]:
    """Return a row a number of threads and a column a set: puzzles a second, and the gain over one thread."""
    names = dict.fromkeys(result.name for one in sets for result in one.results)
    return [
        {"threads": name.partition(" x")[2] or "1"}
        | {one.name: _gain(result) for one in sets for result in one.results if result.name == name}
        for name in names
    ]


def _gain(result: Result) -> str:
    return f"{number(result.rate)} ({number(result.ratio and 1 / result.ratio)}x)" if result.rate else marks(result)


def cold_rows(times: Sequence[Result]) -> list[dict[str, str]]:
    """Return the rows of the table of cold processes."""
    return [
        {
            "process": f"`{result.name}`",
            "ms": f"{(result.best or 0) * 1e3:.1f}",
            "spread": f"{result.spread or 0:.0%}",
            "times `python -c pass`": number(result.ratio),
        }
        for result in times
    ]


def file_rows(files: Sequence[FileTime]) -> list[dict[str, str]]:
    """Return the rows of the table of files, beside the rate of the kernel alone; both work on all cores, and check."""
    return [
        {
            "set": one.name,
            "puzzles": f"{one.puzzles:,}",
            "process s": f"{one.whole:.3f}",
            "start s": f"{one.starting:.3f}",
            "files/s": number(one.rate),
            "kernel/s": number(one.alone),
            "ratio": number(one.ratio),
        }
        for one in files
    ]


def document(report: Report, chart: str = "") -> str:
    """Return the whole report as Markdown; ``chart`` is the name of the picture beside it."""
    return "\n".join(_document(report, chart)) + "\n"


def _document(report: Report, chart: str) -> Iterator[str]:
    yield from (f"- {name}: {words}" for name, words in report.machine.items())
    yield f"- measured {report.date} by `{report.command}`"
    plan = report.plan
    yield f"- {plan.rounds} rounds, {plan.seconds:g} s a contestant and round, the shortest round counts"
    yield from (f"- {remark}" for remark in report.remarks)
    if chart:
        yield from ("", f"![Puzzles a second of every contestant, by set; the figures are in the tables below]({chart})")
    yield from _part("Puzzles a second", markdown(summary(report.sets, ratios=False)))
    yield "\n`*`: see the remark in the set's own table below."
    yield from _part(f"Times the time of {_reference(report)} on the same puzzles", markdown(summary(report.sets, ratios=True)))
    yield from _part("Threads", markdown(scaling_rows(report.scaling)))
    yield from _part("From file to file", markdown(file_rows(report.files)))
    if report.files:
        yield f"\n{FILES}"
    yield from _part("A cold process", markdown(cold_rows(report.cold)))
    yield from _part("Other rules: median ms a family", markdown(family_rows(report.variants)))
    if report.variants:
        yield f"\n{VARIANTS}"
    yield from _part("What trust costs", markdown(trust_rows(report.trust)))
    if report.trust:
        yield f"\n{TRUST}"
    yield from _part("Puzzles made", markdown(generation_rows(report.generation)))
    if report.generation:
        yield f"\n{GENERATION}"
    if report.statistics:
        yield f"\n![Puzzles made a second, and how many givens minimal puzzles have, and how difficult they are]({SHAPES})"
        yield from _part("What minimal puzzles are like", markdown(statistics_rows(report.statistics)))
    proofs = [{"contestant": one.name, "how it knows that a solution is the only one": one.proof} for one in report.contestants]
    yield from _part("How uniqueness is proved", [line.replace("---:", ":---") for line in markdown(proofs)])
    yield from ("", "### Every set")
    for one in report.sets:
        title = f"{one.name}: {one.about} ({one.total:,} puzzles of {one.side}x{one.side})"
        yield from ("", f"<details><summary>{title}</summary>", "", *markdown(rows(one)), "", "</details>")
    if report.variants:
        title = "every puzzle of other rules: ms"
        yield from ("", f"<details><summary>{title}</summary>", "", *markdown(puzzle_rows(report.variants)), "", "</details>")


def _reference(report: Report) -> str:
    return next(iter(dict.fromkeys(one.reference for one in report.sets)), "the first")


def _part(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"### {title}", "", *lines)
