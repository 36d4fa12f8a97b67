"""Findings as files: the smallest puzzle with all verdicts on it, and a test that fails while engines differ."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.compare.engine_comparison import Verdict, contradict
from sudoku_cp.compare.fuzzing import BY_HAND, FuzzFinding
from sudoku_cp.output_files import write_text
from sudoku_cp.puzzle import Puzzle, solution_to_short_json, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


_TEST = '''\
"""{title}, found by {said}."""

import json
from pathlib import Path

from sudoku_cp.compare.fuzzing import start_fuzz
from sudoku_cp.puzzle import from_json


def test_{name}() -> None:
    """All engines agree on the smallest puzzle on which they once differed."""
    puzzle = from_json(json.loads(Path(__file__).with_name("{file}").read_text(encoding="utf-8")))
    assert not start_fuzz({engines!r}).look(puzzle).wrong
'''


def write_finding(finding: FuzzFinding, folder: Path) -> Path:
    """Write ``finding-SEED-NUMBER.json``, the puzzle in our JSON, and return its path.

    A test is written beside it, unless only an additional check complained, which such a test would not know.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"finding-{finding.seed}-{finding.number}"
    said = "; ".join(describe_verdicts(finding.least, finding.least_verdicts, finding.least_complaints))
    puzzle = replace(finding.least, title=name, source=f"sudoku-cp compare {finding.again}", ruleset=f"verdicts: {said}")
    path = folder / f"{name}.json"
    write_text(path, json.dumps(to_json(puzzle), ensure_ascii=False, indent=1) + "\n")
    if contradict(finding.least_verdicts):
        engines = [verdict.engine for verdict in finding.least_verdicts if verdict.engine != BY_HAND]
        words = {"title": name, "said": puzzle.source, "name": name.replace("-", "_"), "file": path.name, "engines": engines}
        write_text(folder / f"test_{words['name']}.py", _TEST.format(**words))
    return path


def describe_verdicts(puzzle: Puzzle, verdicts: Sequence[Verdict], complaints: Sequence[str] = ()) -> list[str]:
    """Return the verdicts in words, with the first two solutions of each, and the complaints."""
    return [*(_describe_verdict(puzzle, verdict) for verdict in verdicts), *complaints]


def _describe_verdict(puzzle: Puzzle, verdict: Verdict) -> str:
    if verdict.answer is None:
        return f"{verdict.engine}: {verdict.problem}"
    answer = verdict.answer
    found = " ".join(str(solution_to_short_json(puzzle, solution)) for solution in answer.solutions[:2])
    return f"{verdict.engine}: {answer.status}, {answer.count} found{f' {found}' if found else ''}"
