"""The tables of a report for people: rows of text, and the same as Markdown."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sudoku_cp.bench.analysis_times import AnalysisTime, logic_rows, trust_rows
from sudoku_cp.bench.contestant_process import ContestantFailed, ContestantProcess
from sudoku_cp.bench.contestants import KERNEL, Contestant, engine_contestants, kernel_contestant
from sudoku_cp.bench.generation import GenerationResult, Statistics, generation_rows, statistics_rows
from sudoku_cp.bench.machine import cores
from sudoku_cp.bench.measurement import BenchPlan, ContestantResult, RunningContestant, measure_set
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.bench.runners import Clock, givens_to_lines
from sudoku_cp.bench.variants import VariantTime, family_rows, puzzle_rows

BLANK = ""
GENERATION_CHART = "generation.svg"
"""The chart of generation, a file next to the report."""


def format_number(value: float | None) -> str:
    """Return a figure with two or three digits: ``4.21M``, ``12.3k``, ``0.037``."""
    if value is None:
        return BLANK
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            return f"{_three_digits(value / size)}{sign}"
    return _three_digits(value)


def _three_digits(value: float) -> str:
    if value < 0.995:  # noqa: PLR2004
        return f"{value:.2g}"
    places = 0 if value >= 99.95 else 1 if value >= 9.995 else 2  # noqa: PLR2004
    return f"{value:.{places}f}"


def format_marks(result: ContestantResult) -> str:
    """Return the remarks on a contestant's figures."""
    remarks = [
        "first" * result.first,
        f"wrong: {result.wrong} of {result.puzzles:,}" if result.wrong else "",
        f"unanswered: {result.unanswered} of {result.puzzles:,}" if result.unanswered else "",
        result.failed,
    ]
    return "; ".join(one for one in remarks if one)


def quickest_first(one: SetResult) -> list[ContestantResult]:
    """Return the results on a set by their times, those without at the end."""
    return sorted(one.results, key=lambda result: float("inf") if result.best is None else result.best)


def set_rows(one: SetResult) -> list[dict[str, str]]:
    """Return the rows of one set's table, the quickest contestant first."""
    return [
        {
            "contestant": result.name,
            "puzzles/s": format_number(result.rate),
            "a CPU second": format_number(1 / result.cpu_seconds if result.cpu_seconds else None),
            "puzzles": f"{result.puzzles:,}" if result.puzzles else BLANK,
            "spread": BLANK if result.spread is None else f"{result.spread:.0%}",
            f"times {one.reference}": format_number(result.ratio),
            "remarks": format_marks(result),
        }
        for result in quickest_first(one)
    ]


def set_title(one: SetResult) -> str:
    """Return the title of one set's table."""
    return f"{one.name}: {one.about} ({one.total:,} puzzles of {one.side}x{one.side})"


def markdown(table: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the lines of a Markdown table; all columns but the first and the remarks are aligned right."""
    if not table:
        return []
    names = list(table[0])
    rules = [":---" if name in {names[0], "remarks"} else "---:" for name in names]
    return [_line(names), _line(rules), *(_line(row.values()) for row in table)]


def _line(words: Iterable[str]) -> str:
    return f"| {' | '.join(word.replace('|', '/') for word in words)} |"


def summary_rows(sets: Sequence[SetResult], ratios: bool) -> list[dict[str, str]]:  # noqa: FBT001
    """Return a row for each contestant and a column for each set: puzzles a second, or the ratio to the reference's time."""
    names = dict.fromkeys(result.name for one in sets for result in one.results)
    found = {(one.name, result.name): result for one in sets for result in one.results}
    return [
        {"contestant": name} | {one.name: _summary_cell(found.get((one.name, name)), ratios=ratios) for one in sets}
        for name in names
    ]


def _summary_cell(result: ContestantResult | None, *, ratios: bool) -> str:
    if result is None:
        return "-"
    figure = format_number(result.ratio if ratios else result.rate)
    return figure + ("*" if result.wrong or result.unanswered or result.failed or result.first else "") or "*"


def scaling_rows(sets: Sequence[SetResult]) -> list[dict[str, str]]:
    """Return a row for each number of threads and a column for each set: puzzles a second, and the gain over one thread."""
    names = dict.fromkeys(result.name for one in sets for result in one.results)
    return [
        {"threads": name.partition(" x")[2] or "1"}
        | {one.name: _scaling_cell(result) for one in sets for result in one.results if result.name == name}
        for name in names
    ]


def _scaling_cell(result: ContestantResult) -> str:
    return (
        f"{format_number(result.rate)} ({format_number(result.ratio and 1 / result.ratio)}x)"
        if result.rate
        else format_marks(result)
    )


def cold_rows(times: Sequence[ContestantResult]) -> list[dict[str, str]]:
    """Return the rows of the table of cold processes."""
    return [
        {
            "process": f"`{result.name}`",
            "ms": f"{(result.best or 0) * 1e3:.1f}",
            "spread": f"{result.spread or 0:.0%}",
            "times `python -c pass`": format_number(result.ratio),
        }
        for result in times
    ]


def file_rows(files: Sequence[FileTime]) -> list[dict[str, str]]:
    """Return the rows of the table of files, with the rate of the kernel alone; both use all cores and check solutions."""
    return [
        {
            "set": one.name,
            "puzzles": f"{one.puzzles:,}",
            "process s": f"{one.whole:.3f}",
            "start s": f"{one.starting:.3f}",
            "files/s": format_number(one.rate),
            "kernel/s": format_number(one.alone),
            "ratio": format_number(one.ratio),
        }
        for one in files
    ]


class Section(NamedTuple):
    """A table of a report, shown on the terminal and in Markdown; ``rows`` is empty where that was not measured.

    On the terminal ``unit`` ends the title, and of a table too wide there come several, each with the columns that end in one of
    ``split_by``; in Markdown ``note`` is printed below.
    """

    title: str
    unit: str
    rows: Sequence[Mapping[str, str]]
    note: str = ""
    split_by: tuple[str, ...] = ()


def report_sections(report: BenchReport) -> list[Section]:
    """Return the tables of a report besides those of its sets."""
    shapes = statistics_rows(report.statistics) if report.statistics else []
    picture = f"\n\n![Puzzles made a second, and the givens and difficulty of minimal puzzles]({GENERATION_CHART})"
    return [
        Section("Threads", " of the batch kernel: puzzles a second", scaling_rows(report.scaling)),
        Section(
            "From file to file",
            "",
            file_rows(report.files),
            "`start s` is a process with 1,000 puzzles, `files/s` are puzzles a second past that start, `kernel/s` those of the "
            "checked kernel alone on as many threads; `ratio`: the seconds past the start that go into all else, for each second "
            "of solving.",
        ),
        Section("A cold process", "", cold_rows(report.cold)),
        Section(
            "Other rules: median ms a family",
            ", with the rules",
            family_rows(report.variants),
            "`new`: the rules are translated from the start, as for a puzzle out of the blue; `known`: a puzzle of the same "
            "rules was asked before. The shortest of all rounds, of each puzzle in examples/variants.",
            ("new", "known"),
        ),
        Section(
            "What trust costs",
            ": ms of CPU a puzzle",
            trust_rows(report.trust),
            "Milliseconds of CPU a puzzle, the shortest of all rounds, the rules known; `bytes` are those of the compressed "
            "proof. `verify` reads the folder, makes the formula anew, and checks every lemma. Audits do everything: uniqueness, "
            "minimality, twins by canonical form.",
        ),
        _logic_section(report),
        Section(
            "Puzzles made",
            ": a CPU second",
            generation_rows(report.generation),
            "Puzzles a CPU second on one thread, the best of all rounds, each of new puzzles; of a sample, the shares that our "
            "solver finds to have one solution, and none of whose givens can be left out (rules aside). `tries`: how many were "
            "begun for each." + (picture if shapes else ""),
        ),
        Section("What minimal puzzles are like", "", shapes),
    ]


def _logic_section(report: BenchReport) -> Section:
    """Return the table of paths, ratings and hints."""
    return Section(
        "What a person could deduce",
        ": ms of CPU a puzzle",
        logic_rows(report.logic),
        "Milliseconds of CPU a puzzle, the shortest of all rounds, by rating on the scale of Sudoku Explainer 1.2.1 (ER); the "
        "`goal` is for the median. `path`: by the ladder, to the end or until no technique goes on. `hint by proof "
        "size`: where singles end, all candidates that the fewest facts refute.",
    )


def report_markdown(report: BenchReport, chart: str = "") -> str:
    """Return the whole report as Markdown; ``chart`` is the name of the picture next to it."""
    return "\n".join(_markdown_lines(report, chart)) + "\n"


def _markdown_lines(report: BenchReport, chart: str) -> Iterator[str]:
    yield from (f"- {name}: {words}" for name, words in report.machine.items())
    yield f"- measured {report.date} by `{report.command}`"
    plan = report.plan
    yield f"- {plan.rounds} rounds, {plan.seconds:g} s a contestant and round, the shortest round counts"
    yield from (f"- {remark}" for remark in report.remarks)
    if chart:
        yield from ("", f"![Puzzles a second of every contestant, by set; the figures are in the tables below]({chart})")
    yield from _section("Puzzles a second", markdown(summary_rows(report.sets, ratios=False)))
    yield "\n`*`: see the remark in the set's own table below."
    yield from _section(
        f"Times the time of {_reference(report)} on the same puzzles", markdown(summary_rows(report.sets, ratios=True))
    )
    for section in report_sections(report):
        yield from _section(section.title, markdown(section.rows))
        if section.rows and section.note:
            yield f"\n{section.note}"
    proofs = [{"contestant": one.name, "how it knows that a solution is the only one": one.proof} for one in report.contestants]
    yield from _section("How uniqueness is proved", [line.replace("---:", ":---") for line in markdown(proofs)])
    yield from ("", "### Every set")
    for one in report.sets:
        yield from _folded(set_title(one), set_rows(one))
    if report.variants:
        yield from _folded("every puzzle of other rules: ms", puzzle_rows(report.variants))


def _folded(title: str, rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    yield from ("", f"<details><summary>{title}</summary>", "", *markdown(rows), "", "</details>")


def _reference(report: BenchReport) -> str:
    return next(iter(dict.fromkeys(one.reference for one in report.sets)), "the first")


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"### {title}", "", *lines)


# A whole run of the benchmark: the contestants, the results and the machine.


@dataclass(frozen=True)
class SetResult:
    """The results on one set; ``reference`` names the contestant that ratios compare with."""

    name: str
    about: str
    side: int
    total: int
    reference: str
    results: tuple[ContestantResult, ...]


@dataclass
class BenchReport:
    """Everything that a run measured."""

    plan: BenchPlan
    contestants: Sequence[Contestant]
    machine: dict[str, str] = field(default_factory=dict)
    command: str = ""
    date: str = ""
    sets: list[SetResult] = field(default_factory=list)
    scaling: list[SetResult] = field(default_factory=list)
    cold: list[ContestantResult] = field(default_factory=list)
    files: list[FileTime] = field(default_factory=list)
    variants: list[VariantTime] = field(default_factory=list)
    trust: list[AnalysisTime] = field(default_factory=list)
    logic: list[AnalysisTime] = field(default_factory=list)
    generation: list[GenerationResult] = field(default_factory=list)
    statistics: Statistics | None = None
    remarks: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        contestants = [{key: getattr(one, key) for key in ("name", "proof", "first", "ours")} for one in self.contestants]
        names = ("sets", "scaling", "cold", "files", "variants", "trust", "logic", "generation")
        parts = {name: [result_to_json(one) for one in getattr(self, name)] for name in names}
        facts = {name: getattr(self, name) for name in ("machine", "command", "date", "remarks")}
        shapes = self.statistics and result_to_json(self.statistics)
        return facts | {"plan": asdict(self.plan), "contestants": contestants} | parts | {"statistics": shapes}


def result_to_json(one: Any) -> dict[str, Any]:
    """Return any result as plain data, with those figures that follow from its times."""
    fields: dict[str, Any] = dict(vars(one))
    if isinstance(one, SetResult):
        return fields | {"results": [result_to_json(result) for result in one.results]}
    return fields | {name: getattr(one, name) for name in ("rate", "spread", "ratio", "alone") if hasattr(one, name)}


def measure_sets(
    sets: Sequence[PuzzleSet],
    contestants: Sequence[Contestant],
    plan: BenchPlan,
    *,
    reference: str = "",
    progress: Callable[[str], object] = str,
    done: Callable[[SetResult], object] = repr,
) -> list[SetResult]:
    """Return the results of all contestants on all sets.

    ``progress`` is called with a line about what is being measured, ``done`` with the results of each set.
    """
    found = []
    with ExitStack() as stack:
        children = [stack.enter_context(ContestantProcess(contestant)) for contestant in contestants]
        for one in sets:
            found.append(_measure_one_set(one, children, plan, reference, progress))
            done(found[-1])
    return found


def _measure_one_set(
    one: PuzzleSet, children: Sequence[ContestantProcess], plan: BenchPlan, reference: str, progress: Callable[[str], object]
) -> SetResult:
    results = measure_set(one, children, plan, reference, progress)
    names = [result.name for result in results]
    present = reference if reference in names else next(iter(names), "")
    return SetResult(one.name, one.about, one.side, len(one.puzzles), present, tuple(results))


def thread_scaling(sets: Sequence[PuzzleSet], plan: BenchPlan, progress: Callable[[str], object] = str) -> list[SetResult]:
    """Return the results of the batch kernel with 1, 2, 4, ... threads and on all cores; nothing where there is no kernel."""
    if KERNEL not in engine_contestants() or cores() == 1:
        return []
    threads = sorted({1 << power for power in range(cores().bit_length())} | {cores()})
    return measure_sets(sets, [kernel_contestant(number) for number in threads], plan, progress=progress)


def process_times(
    sets: Sequence[PuzzleSet], progress: Callable[[str], object] = str
) -> tuple[list[ContestantResult], list[FileTime], list[str]]:
    """Return the times of cold processes and of files solved into files, and a remark on each that cannot be measured."""
    progress("cold processes")
    times = cold_process_times()
    if KERNEL not in engine_contestants() or not can_write_files():
        return times, [], ["left out: file to file, which this `sudoku-cp solve` cannot do"]
    found, remarks = [], []
    for one in sets:
        if len(one.puzzles) >= TINY:
            progress(f"file to file: {one.name}")
            try:
                found.append(file_to_file(one))
            except (OSError, ContestantFailed) as error:
                remarks.append(f"left out: {one.name} from file to file, {error}")
    return times, found, remarks


# Whole processes: a cold call, and a file solved into a file.


LINE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
RUNS = 15
WARMING = 2
"""The first runs, not counted, warm the disk's cache."""
TINY = 1000
"""Puzzles of the file that shows the time of the start: enough for the batch kernel; smaller sets are left out."""
MANY, LASTING = 500_000, 0.5
"""A set is repeated until it has about this many puzzles or takes the kernel this many seconds, to outlast the start."""
PATIENCE = 60.0
"""Seconds that a process may take."""


@dataclass(frozen=True)
class FileTime:
    """A set, repeated, solved from file to file: seconds of the whole process, and of one with only `TINY` puzzles.

    ``solving`` is the time of the checked kernel for all puzzles from array to array, on as many threads.
    """

    name: str
    puzzles: int
    whole: float
    starting: float
    solving: float

    @property
    def rate(self) -> float | None:
        """Puzzles a second after the start of the process; None where it ended too soon to measure."""
        seconds = self.whole - self.starting
        return (self.puzzles - TINY) / seconds if seconds > self.starting / 10 else None

    @property
    def alone(self) -> float:
        """Puzzles a second of the kernel from array to array."""
        return self.puzzles / self.solving

    @property
    def ratio(self) -> float | None:
        """Seconds after the start spent on all else, for each second of solving."""
        return self.alone / self.rate - 1 if self.rate else None


def run_command(words: Sequence[str]) -> str:
    """Run a command and return its output; raise `OSError` if it gives no answer (an exit code above 1, or a timeout)."""
    try:
        done = subprocess.run(words, capture_output=True, check=False, text=True, timeout=PATIENCE)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise OSError(f"expected {' '.join(words)} to answer in {PATIENCE:g} s, got nothing") from error
    if done.returncode > 1:
        raise OSError(f"expected {' '.join(words)} to answer, got exit code {done.returncode}")
    return done.stdout


def program() -> str:
    """Return the command ``sudoku-cp`` that belongs to this Python."""
    return which("sudoku-cp", path=str(Path(sys.executable).parent)) or "sudoku-cp"


def cold_process_times(
    runs: int = RUNS, run: Callable[[Sequence[str]], object] = run_command, clock: Clock = perf_counter
) -> list[ContestantResult]:
    """Return the times of whole processes, run in turn, with ``python -c pass`` as the reference."""
    commands: Mapping[str, Sequence[str]] = {
        "python -c pass": [sys.executable, "-c", "pass"],
        'python -c "import sudoku_cp"': [sys.executable, "-c", "import sudoku_cp"],
        "sudoku-cp solve LINE": [program(), "solve", LINE],
    }
    results = [ContestantResult(name, 1, ours="sudoku" in name) for name in commands]
    for number in range(runs + WARMING):
        for result, words in zip(results, commands.values(), strict=True):
            start = clock()
            run(words)
            if number >= WARMING:
                result.seconds.append(clock() - start)
    for result in results:
        result.shared, result.against = result.seconds, results[0].seconds
    return results


def can_write_files() -> bool:
    """Return whether this ``sudoku-cp solve`` has ``--out``."""
    return "--out" in run_command([program(), "solve", "--help"])


def file_to_file(one: PuzzleSet, rounds: int = 3, clock: Clock = perf_counter) -> FileTime:
    """Return the times of ``sudoku-cp solve SET --out FILE.csv`` and of the kernel alone, the shortest of some rounds."""
    with TemporaryDirectory() as folder, ContestantProcess(kernel_contestant(cores())) as kernel:
        copies = _copies(one, kernel)
        puzzles, lines = np.tile(one.puzzles, (copies, 1)), givens_to_lines(one.puzzles) * copies
        whole, tiny = _write_lines(Path(folder, "set.txt"), lines), _write_lines(Path(folder, "tiny.txt"), lines[:TINY])
        _time_solving(tiny, clock)  # compiles what is not compiled yet, and warms the disk's cache
        times = [
            (_time_solving(whole, clock), _time_solving(tiny, clock), kernel.ask(puzzles, one.boxes, PATIENCE).seconds)
            for _ in range(rounds)
        ]
    return FileTime(one.name, len(lines), *map(min, zip(*times, strict=True)))


def _copies(one: PuzzleSet, kernel: RunningContestant) -> int:
    seconds = kernel.ask(one.puzzles, one.boxes, PATIENCE).seconds
    return ceil(min(LASTING / seconds, MANY / len(one.puzzles)))


def _write_lines(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _time_solving(path: Path, clock: Clock) -> float:
    answers = path.with_suffix(".csv")
    answers.unlink(missing_ok=True)
    start = clock()
    words = [program(), "solve", "--quiet", "--backend", KERNEL, "--workers", str(cores()), "--out", str(answers), str(path)]
    run_command(words)
    seconds = clock() - start
    if not answers.stat().st_size:
        raise OSError(f"expected answers in {answers.name}, got none")
    return seconds
