"""Fuzzing: random puzzles for several engines and the rules' own `holds`, to find whichever is wrong.

A finding is a puzzle on which engines contradict each other or the rules (by brute force, if there is little enough to try), on
which an engine crashes or exceeds its time limit by far, or about which an additional check complains. It is shrunk while it
remains a finding: rules, givens and candidates are left out, and the board stays.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_cp.backends import Backend, Limits, Solution, backend
from sudoku_cp.compare.engine_comparison import Tally, Verdict, contradict, verdict_of
from sudoku_cp.compare.random_puzzles import Draft, random_puzzle
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import members, to_mask
from sudoku_cp.output_files import write_text
from sudoku_cp.puzzle import Puzzle, solution_to_short_json, to_json
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import Answer, shrink

if TYPE_CHECKING:
    from pathlib import Path

    from sudoku_cp.grid import Cell
    from sudoku_cp.queries.solution_search import Status


_Part: TypeAlias = "tuple[str, Any]"
Check: TypeAlias = Callable[[Puzzle, Sequence[Verdict]], str | None]
"""Checks a puzzle and the verdicts on it; returns what is wrong, "" if nothing is, None if it cannot decide."""

ENGINES = ("native:readable", "native:compiled", "sat", "cpsat", "fast:bigint", "fast:scalar")
"""The default engines; external programs, which need a process for each question, are not among them."""
SHORT = Limits(seconds=2.0)
MANY = 40
"""Solutions to look for: if there are fewer, engines must find the very same."""
LATE, LONG_AFTER = 3.0, 60.0
"""Seconds of CPU, or of wall-clock time, past the limit after which an answer is a finding; a busy machine alone makes none."""
BY_HAND = "by hand"
"""The name of brute force among the engines."""


@dataclass(frozen=True)
class FuzzFinding:
    """Puzzle ``number`` of ``seed`` shows something wrong; ``least`` is the smallest part of it that still does."""

    seed: int
    number: int
    puzzle: Puzzle
    verdicts: tuple[Verdict, ...]
    complaints: tuple[str, ...]
    least: Puzzle
    least_verdicts: tuple[Verdict, ...]
    least_complaints: tuple[str, ...]

    @property
    def again(self) -> str:
        """The options of ``sudoku-cp compare`` that reproduce the puzzle."""
        return f"--fuzz 1 --seed {self.seed} --skip {self.number}"


class Assessment(NamedTuple):
    """The verdicts on a puzzle, of engines and brute force; how many additional checks had a result, and their complaints."""

    verdicts: tuple[Verdict, ...]
    checks: int
    complaints: tuple[str, ...]

    @property
    def wrong(self) -> bool:
        """Whether the puzzle is a finding."""
        return bool(self.complaints) or contradict(self.verdicts) or any(verdict.failure for verdict in self.verdicts)


@dataclass
class Fuzz:
    """A fuzzing run and its results so far: puzzles made, their kinds of rules and defects, the verdicts, and the findings."""

    engines: Sequence[Backend]
    limits: Limits = SHORT
    solution_limit: int = MANY
    also: Sequence[Check] = ()
    rounds: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    boards: Counter[str] = field(default_factory=Counter)
    defects: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    tried_by_hand: int = 0
    checked: int = 0
    findings: list[FuzzFinding] = field(default_factory=list)
    tallies: tuple[Tally, ...] = ()

    def __post_init__(self) -> None:
        """Start a tally for each engine."""
        self.tallies = tuple(Tally(engine.name) for engine in self.engines)

    @property
    def unknown(self) -> int:
        """How many questions a limit left without an answer."""
        return sum(tally.statuses["unknown"] for tally in self.tallies)

    def to_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        counters = {
            name: dict(sorted(getattr(self, name).items())) for name in ("kinds", "boards", "defects", "statuses", "refused")
        }
        return {
            "rounds": self.rounds,
            "agreed": not self.findings,
            "findings": len(self.findings),
            "unknown": self.unknown,
            "by_hand": self.tried_by_hand,
            "certificates": self.checked,
            "backends": [tally.to_json() for tally in self.tallies],
        } | counters

    def play(self, seed: int, number: int) -> FuzzFinding | None:
        """Make puzzle ``number`` of ``seed`` and assess it; return the finding, if it is one."""
        draft = random_puzzle(seed, number)
        assessment = self.look(draft.puzzle, self.also)
        finding = self._finding(seed, number, draft.puzzle, assessment) if assessment.wrong else None
        self._count(draft, assessment)
        if finding:
            self.findings.append(finding)
        return finding

    def look(self, puzzle: Puzzle, also: Sequence[Check] = ()) -> Assessment:
        """Ask the engines, brute force and the additional checks about a puzzle."""
        by_engines = (self._verdict(puzzle, engine) for engine in self.engines)
        verdicts = [verdict for verdict in (*by_engines, _brute_force_verdict(puzzle, self.solution_limit)) if verdict]
        checks = [complaint for check in also if (complaint := _run_check(check, puzzle, verdicts)) is not None]
        return Assessment(tuple(verdicts), len(checks), tuple(filter(None, checks)))

    def _verdict(self, puzzle: Puzzle, engine: Backend) -> Verdict | None:
        """Return an engine's verdict, None if it refuses such puzzles."""
        clock, processor = perf_counter(), process_time()
        verdict = verdict_of(puzzle, engine, self.limits, self.solution_limit)
        if verdict.refusal:
            return None
        spent, worked = perf_counter() - clock, process_time() - processor
        limit = self.limits.seconds
        if limit is not None and (worked > limit + LATE or spent > limit + LONG_AFTER):
            return Verdict(engine.name, None, f"expected an answer within {limit:g} s, got one after {spent:.1f} s")
        return verdict

    def _count(self, draft: Draft, assessment: Assessment) -> None:
        self.rounds += 1
        self.kinds.update(draft.kinds)
        self.boards[draft.board] += 1
        self.defects.update([draft.defect] if draft.defect else [])
        self.checked += assessment.checks
        verdicts = {verdict.engine: verdict for verdict in assessment.verdicts}
        self.tried_by_hand += BY_HAND in verdicts
        known = [verdict.status for verdict in assessment.verdicts if verdict.status not in {"unknown", "wrong", "failed"}]
        self.statuses[Counter(known).most_common(1)[0][0] if known else "unknown"] += 1
        for tally in self.tallies:
            if tally.engine in verdicts:
                tally.add(verdicts[tally.engine])
            else:
                self.refused[tally.engine] += 1

    def _finding(self, seed: int, number: int, puzzle: Puzzle, assessment: Assessment) -> FuzzFinding:
        """Return the finding, with the smallest part of the puzzle that is still one."""
        # Checks may be slow, and are not needed where engines differ.
        also = () if contradict(assessment.verdicts) else self.also

        def still(parts: list[_Part]) -> bool:
            return self.look(_of_parts(puzzle, parts), also).wrong

        least = _of_parts(puzzle, shrink(_parts(puzzle), still))
        last = self.look(least, also)
        if not last.wrong:  # a fault that comes and goes, such as an engine that was late once, is kept unshrunk
            least, last = puzzle, assessment
        first = (puzzle, assessment.verdicts, assessment.complaints)
        return FuzzFinding(seed, number, *first, least, last.verdicts, last.complaints)


def _brute_force_verdict(puzzle: Puzzle, solution_limit: int) -> Verdict | None:
    """Return the verdict of brute force, None if there is too much to try."""
    try:
        solved = solve_by_brute_force(puzzle, solution_limit)
    except Exception as error:  # noqa: BLE001  # a rule that fails is a finding too
        return Verdict(BY_HAND, None, f"{type(error).__name__}: {error}")
    if solved is None:
        return None
    found, whole = solved
    status: Status = "multiple" if len(found) > 1 else "none" if not found else "unique" if whole else "solved"
    return Verdict(BY_HAND, Answer(status, len(found), whole, BY_HAND, 0.0, tuple(found)))


def _run_check(check: Check, puzzle: Puzzle, verdicts: Sequence[Verdict]) -> str | None:
    """Return a check's complaint; one that fails complains."""
    try:
        return check(puzzle, verdicts)
    except Exception as error:  # noqa: BLE001  # a check that fails is a finding
        return f"{type(error).__name__}: {error}"


def _parts(puzzle: Puzzle) -> list[_Part]:
    """Return what can be left out: rules, givens, candidates."""
    return [
        *(("rule", rule) for rule in puzzle.rules),
        *(("given", given) for given in puzzle.givens.items()),
        *(("candidates", candidates) for candidates in puzzle.candidates.items()),
    ]


def _of_parts(puzzle: Puzzle, parts: Sequence[_Part]) -> Puzzle:
    """Return the puzzle of these parts on the same board."""

    def of(kind: str) -> list[Any]:
        return [part for own, part in parts if own == kind]

    return replace(puzzle, rules=tuple(of("rule")), givens=dict(of("given")), candidates=dict(of("candidates")))


def fuzz(
    rounds: int,
    seed: int,
    engines: Sequence[str | Backend] = ENGINES,
    *,
    skip: int = 0,
    limits: Limits = SHORT,
    solution_limit: int = MANY,
    also: Sequence[Check] = (),
) -> Fuzz:
    """Fuzz with ``rounds`` puzzles of ``seed``, from number ``skip`` on, and return the results.

    Each of ``also`` checks every puzzle too. ``limits`` are for each question, ``solution_limit`` is for each puzzle.
    """
    work = start_fuzz(engines, limits=limits, solution_limit=solution_limit, also=also)
    for number in range(skip, skip + rounds):
        work.play(seed, number)
    return work


def start_fuzz(
    engines: Sequence[str | Backend] = ENGINES, *, limits: Limits = SHORT, solution_limit: int = MANY, also: Sequence[Check] = ()
) -> Fuzz:
    """Return a fuzzing run before its first puzzle, to be played one by one; raises at once if an engine is missing."""
    opened = [backend(engine) if isinstance(engine, str) else engine for engine in engines]
    if not opened:
        raise InvalidInput("expected at least one engine to try, got none")
    return Fuzz(opened, limits, solution_limit, also)


# All solutions of a puzzle by brute force, with nothing but the rules' own `holds`: no model, no engine.
#
# Only houses prune the search, cell by cell, if the puzzle has that rule; every other rule is only tested on filled grids. So
# it can judge engines and translations alike, if few enough grids are left to try.


MOST = 4000
"""Values placed before it gives up, after about a quarter of a second."""


def solve_by_brute_force(
    puzzle: Puzzle, solution_limit: int | None = None, most: int = MOST
) -> tuple[list[Solution], bool] | None:
    """Return up to ``solution_limit`` solutions, and whether there are no others; None if there is too much to try."""
    allowed, every = puzzle.assume(), to_mask(puzzle.grid.values)
    options = {cell: members(every & allowed.get(cell, -1)) for cell in puzzle.grid.cells}
    # Cells that can have few values come first.
    cells = sorted(allowed, key=lambda cell: (allowed[cell].bit_count(), cell))
    cells += [cell for cell in puzzle.grid.cells if cell not in allowed]
    earlier_peers = _earlier_peers(puzzle, cells)
    values = [-1] * len(cells)
    found: list[Solution] = []
    placed = 0
    waiting = [(0, value) for value in options[cells[0]]]
    while waiting:
        depth, value = waiting.pop()
        # What was placed deeper belongs to another branch; only cells before this one count.
        if any(values[other] == value for other in earlier_peers[depth]):
            continue
        values[cells[depth]] = value
        placed += 1
        if placed > most:
            return None
        if depth + 1 < len(cells):
            waiting += [(depth + 1, value) for value in options[cells[depth + 1]]]
        elif puzzle.holds(values):
            found.append(tuple(values))
            if len(found) == solution_limit:
                return found, False
    return found, True


def _earlier_peers(puzzle: Puzzle, order: list[Cell]) -> list[list[Cell]]:
    """Return for each cell, in this order, the earlier ones that must differ from it."""
    houses = list(puzzle.grid.houses.values()) if CLASSIC[0] in puzzle.rules else []
    near = {cell: {other for house in houses if cell in house for other in house} for cell in order}
    return [[other for other in order[:place] if other in near[cell]] for place, cell in enumerate(order)]


# Findings as files: the smallest puzzle with all verdicts on it, and a test that fails while engines differ.


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
