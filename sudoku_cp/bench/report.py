"""A whole run: who took part, what was measured, on what."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_cp.bench.children import Child, Failed
from sudoku_cp.bench.contestants import KERNEL, Contestant, cores, engines, kernel
from sudoku_cp.bench.processes import TINY, FileTime, cold, file_to_file, writes_files
from sudoku_cp.bench.timing import Plan, Result, measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sudoku_cp.bench.generation import Making
    from sudoku_cp.bench.generation_statistics import Statistics
    from sudoku_cp.bench.sets import PuzzleSet
    from sudoku_cp.bench.trust import TrustTime
    from sudoku_cp.bench.variants import VariantTime


@dataclass(frozen=True)
class Measured:
    """The results on one set; ``reference`` names the contestant that ratios are to."""

    name: str
    about: str
    side: int
    total: int
    reference: str
    results: tuple[Result, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return vars(self) | {"results": [result.to_json() for result in self.results]}


@dataclass
class Report:
    """Everything that a run found out."""

    plan: Plan
    contestants: Sequence[Contestant]
    machine: dict[str, str] = field(default_factory=dict)
    command: str = ""
    date: str = ""
    sets: list[Measured] = field(default_factory=list)
    scaling: list[Measured] = field(default_factory=list)
    cold: list[Result] = field(default_factory=list)
    files: list[FileTime] = field(default_factory=list)
    variants: list[VariantTime] = field(default_factory=list)
    trust: list[TrustTime] = field(default_factory=list)
    generation: list[Making] = field(default_factory=list)
    statistics: Statistics | None = None
    remarks: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        shown = [{key: getattr(one, key) for key in ("name", "proof", "first", "ours")} for one in self.contestants]
        names = ("sets", "scaling", "cold", "files", "variants", "trust", "generation")
        parts = {name: [one.to_json() for one in getattr(self, name)] for name in names}
        told = {name: getattr(self, name) for name in ("machine", "command", "date", "remarks")}
        shapes = self.statistics and self.statistics.to_json()
        return told | {"plan": asdict(self.plan), "contestants": shown} | parts | {"statistics": shapes}


def measure(
    sets: Sequence[PuzzleSet],
    contestants: Sequence[Contestant],
    plan: Plan,
    *,
    reference: str = "",
    report: Callable[[str], object] = str,
    done: Callable[[Measured], object] = repr,
) -> list[Measured]:
    """Return how all contestants did on all sets; ``report`` hears what goes on, ``done`` each set's results."""
    found = []
    with ExitStack() as stack:
        children = [stack.enter_context(Child(contestant)) for contestant in contestants]
        for one in sets:
            found.append(_measured(one, children, plan, reference, report))
            done(found[-1])
    return found


def _measured(one: PuzzleSet, children: Sequence[Child], plan: Plan, reference: str, report: Callable[[str], object]) -> Measured:
    results = measured(one, children, plan, reference, report)
    names = [result.name for result in results]
    shown = reference if reference in names else next(iter(names), "")
    return Measured(one.name, one.about, one.side, len(one.puzzles), shown, tuple(results))


def scaling(sets: Sequence[PuzzleSet], plan: Plan, report: Callable[[str], object] = str) -> list[Measured]:
    """Return how the batch kernel gains by threads: 1, 2, 4, ... and all cores; nothing where there is no kernel."""
    if KERNEL not in engines() or cores() == 1:
        return []
    threads = sorted({1 << power for power in range(cores().bit_length())} | {cores()})
    return measure(sets, [kernel(number) for number in threads], plan, report=report)


def process_times(
    sets: Sequence[PuzzleSet], report: Callable[[str], object] = str
) -> tuple[list[Result], list[FileTime], list[str]]:
    """Return the times of cold processes, of files solved into files, and a remark where that cannot be done."""
    report("cold processes")
    times = cold()
    if KERNEL not in engines() or not writes_files():
        return times, [], ["left out: file to file, which this `sudoku-cp solve` cannot do"]
    found, remarks = [], []
    for one in sets:
        if len(one.puzzles) >= TINY:
            report(f"file to file: {one.name}")
            try:
                found.append(file_to_file(one))
            except (OSError, Failed) as error:
                remarks.append(f"left out: {one.name} from file to file, {error}")
    return times, found, remarks
