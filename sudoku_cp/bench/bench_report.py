"""A whole run of the benchmark: the contestants, the results and the machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any

from sudoku_cp.bench.analysis_times import AnalysisTime
from sudoku_cp.bench.contestant_process import ContestantFailed, ContestantProcess
from sudoku_cp.bench.contestants import KERNEL, Contestant, cores, engine_contestants, kernel_contestant
from sudoku_cp.bench.generation import GenerationResult
from sudoku_cp.bench.generation_statistics import Statistics
from sudoku_cp.bench.measurement import BenchPlan, ContestantResult, measure_set
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.bench.variants import VariantTime
from sudoku_cp.bench.whole_processes import TINY, FileTime, can_write_files, cold_process_times, file_to_file


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
