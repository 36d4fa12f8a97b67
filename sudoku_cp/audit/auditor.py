"""Puzzle after puzzle: what is wrong with it, and has it been there before?"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.audit import finding_text
from sudoku_cp.audit.findings import KINDS, Audited, Finding, Kind
from sudoku_cp.audit.puzzle_verdicts import QUESTIONS, PuzzleVerdict, VerdictRequest, shape, verdict
from sudoku_cp.audit.seen_puzzles import KeyIndex, canonical_digests, digest
from sudoku_cp.backends import UNLIMITED, Clock, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, Reason, UnknownName
from sudoku_cp.queries.array_policy import array_engine_serves, limits_for_all

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.formats import Record
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries.session_pool import Engine

_Repetition: TypeAlias = "tuple[Finding | None, Reason | None]"

MOST = 100
"""So many solutions are counted of a puzzle that has several."""
FIRST, LARGEST = 16, 4096
"""Puzzles that are looked through at once, at first and at most: twice as many each time, so that findings come soon."""
LONG, TOO_LONG = 10.0, 20.0
"""Seconds for which findings may be waited for: then no more puzzles, or fewer, are taken at once."""
_ABOUT_SOLUTIONS: frozenset[Kind] = frozenset({"contradictory", "not-unique", "not-minimal"})
_ABOUT_TWINS: frozenset[Kind] = frozenset({"duplicate", "isomorphic"})


def audit(
    records: Iterable[Record],
    *,
    checks: Collection[str] = tuple(KINDS),
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    most: int = MOST,
    minimal: bool = False,
    block: int | None = None,
) -> Iterator[Audited]:
    """Yield what is found out about every record, in order; `read_records` gives them.

    ``checks`` are the kinds of findings looked for, a subset of `KINDS` (a source that cannot be read at all is always one);
    ``limits`` hold for each puzzle; solutions are counted up to ``most``. Puzzles whose givens are symmetric, which few can be
    with no given to spare, are to be ``minimal`` only where that is asked. Records are taken ``block`` at a time, or more and
    more. Of earlier puzzles only short keys are kept. Raises `InvalidInput` for checks that there are not.
    """
    problems = [str(UnknownName("kind of finding", name, KINDS)) for name in checks if name not in set(KINDS)]
    least = {"solutions to count, 2 or more": (most, 2), "records at a time, 1 or more": (1 if block is None else block, 1)}
    problems += [f"expected {what}, got {number!r}" for what, (number, lowest) in least.items() if number < lowest]
    if problems:
        raise InvalidInput(problems)
    wanted = frozenset(kind for kind in KINDS if kind in checks)
    counted = most if wanted & {"not-unique", "not-minimal"} else 1
    asking = VerdictRequest(backend, limits, counted, minimal="not-minimal" in wanted, symmetric_too=minimal)
    return _audit_blocks(_Auditor(wanted, asking), records, block)


def _audit_blocks(auditor: _Auditor, records: Iterable[Record], size: int | None) -> Iterator[Audited]:
    """Take records a block at a time: of one size, or of one that follows the time they take."""
    rest, first = iter(records), 0
    wanted, start = size or FIRST, perf_counter()
    while block := list(islice(rest, wanted)):
        yield from auditor.audit_block(first, block)
        first += len(block)
        seconds, start = perf_counter() - start, perf_counter()
        if size is None:
            wanted = min(LARGEST, 2 * wanted) if seconds < LONG else max(1, wanted // 2) if seconds > TOO_LONG else wanted


class _Auditor:
    """What is looked for, and which puzzles have been there."""

    def __init__(self, wanted: frozenset[Kind], asking: VerdictRequest) -> None:
        """Begin with no puzzles."""
        self._wanted, self._asking = wanted, asking
        self._digests, self._keys = KeyIndex(), KeyIndex()
        self._amounts: Counter[tuple[int, int]] = Counter()

    def audit_block(self, first: int, records: Sequence[Record]) -> Iterator[Audited]:
        """Yield what is found out about records, the first of which is number ``first``; plain puzzles are asked all at once."""
        puzzles = {index: record.puzzle for index, record in enumerate(records, first) if record.puzzle is not None}
        earlier = {index: self._digests.first(digest(puzzle), index) for index, puzzle in puzzles.items() if self._wants_twins}
        verdicts = self._plain_verdicts(puzzles)
        keys = self._plain_keys({index: puzzles[index] for index in puzzles if earlier.get(index) is None})
        for index, record in enumerate(records, first):
            if record.puzzle is None:
                yield self._audit_error(index, record)
            else:
                clock = self._asking.limits.started()
                found = self._verdict(record.puzzle, verdicts.get(index), clock)
                twin = self._repetition(index, record.puzzle, earlier.get(index), keys, clock)
                yield self._audit_puzzle(index, record, record.puzzle, found, twin)

    # --- in bulk ------------------------------------------------------------------------------------------------

    def _plain_verdicts(self, puzzles: Mapping[int, Puzzle]) -> dict[int, PuzzleVerdict | None]:
        """Return the verdicts on the puzzles for which the batch kernel is the engine."""
        found: dict[int, PuzzleVerdict | None] = {}
        groups: dict[tuple[int, int], list[int]] = {}
        for index, puzzle in puzzles.items() if self._wanted & _ABOUT_SOLUTIONS else ():
            if boxes := shape(puzzle.grid, puzzle.rules):
                groups.setdefault(boxes, []).append(index)
        for boxes, indices in groups.items():
            # Where there have been so many, there are likely to be as many again.
            self._amounts[boxes] += len(indices)
            model = puzzles[indices[0]].model()
            if array_engine_serves(self._asking.engine, model, self._amounts[boxes] * QUESTIONS):
                from sudoku_cp.audit import array_verdicts  # noqa: PLC0415  # imports NumPy

                answers = array_verdicts.verdicts([puzzles[index] for index in indices], boxes, self._asking)
                found.update(zip(indices, answers, strict=True))
        return found

    def _plain_keys(self, puzzles: Mapping[int, Puzzle]) -> dict[int, bytes]:
        """Return the canonical keys of plain puzzles; others are asked for theirs one by one, they can take long."""
        if "isomorphic" not in self._wanted:
            return {}
        plain = {index: puzzle for index, puzzle in puzzles.items() if shape(puzzle.grid, puzzle.rules)}
        limits = limits_for_all(self._asking.limits, len(plain))
        try:
            found = canonical_digests(plain.values(), limits.started())
        except LimitReached:
            return {}
        return dict(zip(plain, found, strict=True))

    # --- one by one ---------------------------------------------------------------------------------------------

    @property
    def _wants_twins(self) -> bool:
        return bool(self._wanted & _ABOUT_TWINS)

    def _verdict(self, puzzle: Puzzle, known: PuzzleVerdict | None, clock: Clock) -> PuzzleVerdict | None:
        """Return the verdict that is known, or ask for one, if it matters."""
        if known is None and self._wanted & _ABOUT_SOLUTIONS:
            return verdict(puzzle, self._asking, clock)
        return known

    def _repetition(
        self, index: int, puzzle: Puzzle, earlier: int | None, keys: Mapping[int, bytes], clock: Clock
    ) -> _Repetition:
        """Return the finding that the puzzle was there before, if it was, or the limit that came before that was known."""
        if earlier is not None:
            return finding_text.repetition_finding(earlier, exactly=True), None
        if "isomorphic" not in self._wanted:
            return None, None
        try:
            key = keys[index] if index in keys else canonical_digests([puzzle], clock)[0]
        except LimitReached as reached:
            return None, reached.reason
        twin = self._keys.first(key, index)
        return None if twin is None else finding_text.repetition_finding(twin, exactly=False), None

    def _audit_error(self, index: int, record: Record) -> Audited:
        found = [finding_text.error_finding(record.error)] if record.error else []
        return Audited(index, record, tuple(one for one in found if one.kind in {*self._wanted, "unreadable"}))

    def _audit_puzzle(
        self, index: int, record: Record, puzzle: Puzzle, found: PuzzleVerdict | None, twin: _Repetition
    ) -> Audited:
        answer = found.answer if found else None
        again, reason = twin
        findings: list[Finding | None] = [*finding_text.warning_findings(record.warnings)]
        if answer:
            findings += finding_text.answer_findings(puzzle, answer)
        findings.append(finding_text.stated_finding(puzzle, answer.solution if answer and answer.status == "unique" else None))
        if found:
            findings += finding_text.unnecessary_findings(puzzle, found.unnecessary)
        findings.append(again)
        kinds = self._kinds_for(puzzle, found)
        wanted = tuple(one for one in findings if one and one.kind in kinds)
        left: list[Kind] = [*(found.undecided if found else ())]
        if reason:
            left.append("isomorphic")
        undecided = tuple(kind for kind in left if kind in kinds)
        return Audited(index, record, wanted, answer, undecided, ((found and found.reason) or reason) if undecided else None)

    def _kinds_for(self, puzzle: Puzzle, found: PuzzleVerdict | None) -> frozenset[Kind]:
        """Return what is looked for in this puzzle; the batch kernel asks about all givens, of symmetric puzzles too."""
        matters = found is not None and (found.unnecessary or "not-minimal" in found.undecided)
        return self._wanted - {"not-minimal"} if matters and not self._asking.is_about_givens(puzzle) else self._wanted
