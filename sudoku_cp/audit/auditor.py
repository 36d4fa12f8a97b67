"""The audit, puzzle by puzzle: what is wrong with each, and whether it repeats an earlier one, up to symmetry if asked."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, islice
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.audit.findings import KINDS, Audited, Finding, Kind
from sudoku_cp.audit.puzzle_status import QUESTIONS, PuzzleVerdict, VerdictRequest, plain_boxes, verdict
from sudoku_cp.backends import UNLIMITED, Clock, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, ParseError, Reason, UnknownName
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.logic.rating.levels import LEVELS, LevelBand, Levels, make_levels
from sudoku_cp.logic.rating.puzzle_levels import band_of
from sudoku_cp.model import AllDifferent, DigitSet, Values, cells_of
from sudoku_cp.puzzle import Puzzle, canonical_keys, to_json
from sudoku_cp.queries.solution_search import Engine, array_engine_serves, limits_for_all

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.formats import Record
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.queries import Answer
    from sudoku_cp.rules import Rule


# Short keys of puzzles, by which repetitions are recognised.


SIZE = 16
"""Bytes of a digest: among a billion puzzles, two share one with a probability of 10**-20."""


def earlier_puzzle(indices: dict[bytes, int], key: bytes, index: int) -> int | None:
    """Return the index of the first puzzle with this key; if there is none, note ``index`` in ``indices`` and return None."""
    found = indices.setdefault(key, index)
    return None if found == index else found


def digest(puzzle: Puzzle) -> bytes:
    """Return a short key of the grid, the rules (in any order), the givens and the candidates, whatever their signs."""
    key = blake2b(_rules_digest(puzzle.grid, puzzle.rules), digest_size=SIZE)
    key.update(repr((tuple(puzzle.givens.items()), tuple(puzzle.candidates.items()))).encode())
    return key.digest()


def question_digest(puzzle: Puzzle) -> bytes:
    """Return a short key of the grid, the rules and the candidates; puzzles with equal ones differ only in their givens."""
    key = _rules_digest(puzzle.grid, puzzle.rules)
    return blake2b(key + repr(tuple(puzzle.candidates.items())).encode(), digest_size=SIZE).digest() if puzzle.candidates else key


def canonical_digests(puzzles: Iterable[Puzzle], clock: Clock) -> list[bytes]:
    """Return a short key for each puzzle, equal for isomorphic puzzles; raises `LimitReached`."""
    return [blake2b(repr(key).encode(), digest_size=SIZE).digest() for key in canonical_keys(puzzles, clock.check)]


@lru_cache(maxsize=64)
def _rules_digest(grid: Grid, rules: tuple[Rule, ...]) -> bytes:
    key = to_json(Puzzle(grid, rules))
    parts = sorted(json.dumps(rule, sort_keys=True) for rule in key.pop("rules", ()))
    return blake2b("\n".join([json.dumps(key, sort_keys=True), *parts]).encode(), digest_size=SIZE).digest()


# --- solution grids ---------------------------------------------------------------------------------------------


class GridRelation(NamedTuple):
    """What a puzzle has of puzzle ``first``: the ``same`` solution, all its givens and ``more``, or ``fewer`` of them."""

    kind: Literal["same", "more", "fewer"]
    first: int


class _Member(NamedTuple):
    """A puzzle with one solution: its number, its givens as bits, the digest of all but these; whether it is minimal."""

    number: int
    givens: int
    question: bytes
    is_minimal: bool


class SolutionGrids:
    """The solution grids of earlier puzzles, and the givens of these; a lookup is all that a new solution costs."""

    def __init__(self) -> None:
        """Begin with none."""
        self._first: dict[bytes, _Member] = {}
        self._groups: dict[bytes, dict[bytes, GivensGroup]] = {}

    def add(self, number: int, puzzle: Puzzle, solution: Values, *, is_minimal: bool) -> list[GridRelation]:
        """Add a puzzle; return what it has of earlier ones, the first of each kind."""
        key = blake2b(_places_digest(puzzle.grid) + bytes(solution), digest_size=SIZE).digest()
        new = _Member(number, sum(1 << cell for cell in puzzle.givens), question_digest(puzzle), is_minimal)
        first = self._first.setdefault(key, new)
        if first is new:
            return []
        groups, cells = self._groups.setdefault(key, {}), len(puzzle.grid.cells)
        if not groups:
            _add_givens(groups, first, cells)
        found = [GridRelation("same", first.number)]
        if group := groups.get(new.question):
            # A puzzle in which every given is needed contains no other with one solution.
            more = None if is_minimal else group.contained(new.givens)
            both: list[tuple[Literal["more", "fewer"], int | None]] = [("more", more), ("fewer", group.containing(new.givens))]
            found += [GridRelation(kind, other) for kind, other in both if other is not None]
        _add_givens(groups, new, cells)
        return found


def _add_givens(groups: dict[bytes, GivensGroup], member: _Member, cells: int) -> None:
    group = groups.get(member.question) or groups.setdefault(member.question, GivensGroup(cells))
    group.add(member.number, member.givens, is_minimal=member.is_minimal)


@lru_cache(maxsize=64)
def _places_digest(grid: Grid) -> bytes:
    return blake2b(repr(grid.places).encode(), digest_size=SIZE).digest()


# Puzzles of one solution grid whose givens contain one another.
#
# Theory of operation. If all givens of one puzzle with one solution are among those of another, the two have the same solution,
# so that only puzzles with the same grid, rules and solution are compared: their givens as bits, 64 cells a word, all earlier
# ones at a time. And a puzzle in which every given is needed contains no other with one solution, so those that are known to be
# minimal are only looked for in others. What is left is quadratic in a group of puzzles that are not minimal, at some
# nanoseconds a pair.


WORD = 64
"""Cells in a word."""


class GivensGroup:
    """The givens of puzzles with the same grid, rules, candidates and solution, and their numbers."""

    def __init__(self, cells: int) -> None:
        """Begin with no puzzle of a board of so many ``cells``."""
        words = -(-cells // WORD)
        self._all, self._larger = _BitRows(words), _BitRows(words)

    def add(self, number: int, givens: int, *, is_minimal: bool) -> None:
        """Add a puzzle, whose ``givens`` are bits; others can be parts of it unless it is minimal."""
        self._all.add(number, givens)
        if not is_minimal:
            self._larger.add(number, givens)

    def contained(self, givens: int) -> int | None:
        """Return the first puzzle with fewer givens, all of them among these."""
        return self._all.first_without(~givens)

    def containing(self, givens: int) -> int | None:
        """Return the first puzzle that has all these givens and more, if it is not known to be minimal."""
        return self._larger.first_with(givens)


class _BitRows:
    """Sets of cells as words of bits, a row for each word, with room for more; the number of each."""

    def __init__(self, words: int) -> None:
        self._words, self._used = words, 0
        self._bits, self._numbers = np.zeros((words, 1), np.uint64), np.zeros(1, np.int64)

    def add(self, number: int, cells: int) -> None:
        """Add a set of cells."""
        if self._used == len(self._numbers):
            self._bits = np.concatenate([self._bits, np.zeros_like(self._bits)], axis=1)
            self._numbers = np.concatenate([self._numbers, np.zeros_like(self._numbers)])
        self._bits[:, self._used], self._numbers[self._used] = self._split(cells), number
        self._used += 1

    def first_without(self, cells: int) -> int | None:
        """Return the number of the first set that has none of these cells."""
        return self._first_zero(self._bits[:, : self._used] & self._split(cells)[:, None])

    def first_with(self, cells: int) -> int | None:
        """Return the number of the first set that has all these cells."""
        return self._first_zero(~self._bits[:, : self._used] & self._split(cells)[:, None])

    def _first_zero(self, bits: NDArray[np.uint64]) -> int | None:
        found = np.flatnonzero(np.bitwise_or.reduce(bits, axis=0) == 0)
        return int(self._numbers[found[0]]) if len(found) else None

    def _split(self, cells: int) -> NDArray[np.uint64]:
        """Return the words of a set of cells."""
        whole = cells & ((1 << WORD * self._words) - 1)
        return np.frombuffer(whole.to_bytes(self._words * (WORD // 8), "little"), "<u8")


_Repetition: TypeAlias = "tuple[Finding | None, Reason | None]"

MOST = 100
"""Solutions up to which those of an ambiguous puzzle are counted."""
FIRST, LARGEST = 16, 4096
"""Puzzles in a block, at first and at most: each block has twice as many as the last, so that the first findings come soon."""
LONG, TOO_LONG = 10.0, 20.0
"""Seconds for a block after which the next one is no larger, and after which it is smaller."""
_ABOUT_GRIDS: frozenset[Kind] = frozenset({"same-solution", "contains"})
_ABOUT_UNIQUENESS: frozenset[Kind] = frozenset({"not-unique", "not-minimal", "wrong-label", *_ABOUT_GRIDS})
_ABOUT_SOLUTIONS: frozenset[Kind] = frozenset({"contradictory", *_ABOUT_UNIQUENESS})
_ABOUT_TWINS: frozenset[Kind] = frozenset({"duplicate", "isomorphic"})


def audit(
    records: Iterable[Record],
    *,
    checks: Collection[str] = tuple(KINDS),
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    most: int = MOST,
    minimal: bool = False,
    levels: str | Levels = LEVELS,
    block: int | None = None,
) -> Iterator[Audited]:
    """Yield what is found out about every record, in order; `read_records` reads them.

    ``checks`` are the kinds of findings to look for, a subset of `KINDS` (an unreadable source is always reported);
    ``limits`` are for each puzzle; solutions are counted up to ``most``. Few puzzles with symmetric givens are minimal, so those
    are checked for it only with ``minimal``. Stated difficulties that are names of ``levels`` are compared with the level of the
    puzzle. Records are taken ``block`` at a time; without it, in growing blocks. Of earlier
    puzzles only short keys and givens as bits are kept. Raises `InvalidInput` for unknown checks.
    """
    problems = [str(UnknownName("kind of finding", name, KINDS)) for name in checks if name not in set(KINDS)]
    least = {"solutions to count, 2 or more": (most, 2), "records at a time, 1 or more": (1 if block is None else block, 1)}
    problems += [f"expected {what}, got {number!r}" for what, (number, lowest) in least.items() if number < lowest]
    if problems:
        raise InvalidInput(problems)
    wanted = frozenset(kind for kind in KINDS if kind in checks)
    counted = most if wanted & _ABOUT_UNIQUENESS else 1
    request = VerdictRequest(backend, limits, counted, minimal="not-minimal" in wanted, symmetric_too=minimal)
    return _audit_blocks(_Auditor(wanted, request, make_levels(levels)), records, block)


def _audit_blocks(auditor: _Auditor, records: Iterable[Record], size: int | None) -> Iterator[Audited]:
    """Audit the records in blocks of ``size``, or of a size adapted to the time that blocks take."""
    rest, first = iter(records), 0
    wanted, start = size or FIRST, perf_counter()
    while block := list(islice(rest, wanted)):
        yield from auditor.audit_block(first, block)
        first += len(block)
        seconds, start = perf_counter() - start, perf_counter()
        if size is None:
            wanted = min(LARGEST, 2 * wanted) if seconds < LONG else max(1, wanted // 2) if seconds > TOO_LONG else wanted


class _Auditor:
    """The kinds of findings wanted, and the keys of earlier puzzles."""

    def __init__(self, wanted: frozenset[Kind], request: VerdictRequest, levels: Levels) -> None:
        """Start with no earlier puzzles; report the ``wanted`` kinds of findings, looked for as ``request`` asks."""
        self._wanted, self._request, self._levels = wanted, request, levels
        self._digests: dict[bytes, int] = {}
        self._keys: dict[bytes, int] = {}
        self._grids = SolutionGrids()
        self._amounts: Counter[tuple[int, int]] = Counter()

    def audit_block(self, first: int, records: Sequence[Record]) -> Iterator[Audited]:
        """Yield what is found out about records, the first of which is number ``first``; plain puzzles are solved together."""
        puzzles = {index: record.puzzle for index, record in enumerate(records, first) if record.puzzle is not None}
        looked_up = puzzles if self._wanted & (_ABOUT_TWINS | _ABOUT_GRIDS) else {}
        earlier = {index: earlier_puzzle(self._digests, digest(puzzle), index) for index, puzzle in looked_up.items()}
        verdicts = self._plain_verdicts(puzzles)
        levels = self._plain_levels(first, records)
        keys = self._plain_keys({index: puzzles[index] for index in puzzles if earlier.get(index) is None})
        for index, record in enumerate(records, first):
            if record.puzzle is None:
                yield self._audit_error(index, record)
            else:
                clock = self._request.limits.started()
                found = self._verdict(record.puzzle, verdicts.get(index), clock)
                twin = self._repetition(index, record.puzzle, earlier.get(index), keys, clock)
                related = self._relations(index, record.puzzle, found) if earlier.get(index) is None else []
                label, unlabelled = self._label(record, levels.get(index), found, clock)
                again = (twin[0], label, *related)
                left: dict[Kind, Reason | None] = {"isomorphic": twin[1], "wrong-label": unlabelled}
                yield self._audit_puzzle(index, record, record.puzzle, found, again, left)

    # --- in bulk ------------------------------------------------------------------------------------------------

    def _plain_verdicts(self, puzzles: Mapping[int, Puzzle]) -> dict[int, PuzzleVerdict | None]:
        """Return the verdicts on the puzzles for which the batch kernel is the engine."""
        found: dict[int, PuzzleVerdict | None] = {}
        groups: dict[tuple[int, int], list[int]] = {}
        for index, puzzle in puzzles.items() if self._wanted & _ABOUT_SOLUTIONS else ():
            if boxes := plain_boxes(puzzle.grid, puzzle.rules):
                groups.setdefault(boxes, []).append(index)
        for boxes, indices in groups.items():
            # As many puzzles again as have been seen are likely to come.
            self._amounts[boxes] += len(indices)
            model = puzzles[indices[0]].model()
            if array_engine_serves(self._request.engine, model, self._amounts[boxes] * QUESTIONS):
                from sudoku_cp.audit import array_verdicts  # noqa: PLC0415  # imports NumPy

                answers = array_verdicts.verdicts([puzzles[index] for index in indices], boxes, self._request)
                found.update(zip(indices, answers, strict=True))
        return found

    def _plain_keys(self, puzzles: Mapping[int, Puzzle]) -> dict[int, bytes]:
        """Return the canonical keys of plain puzzles; those of others can take long, and are computed one by one."""
        if "isomorphic" not in self._wanted:
            return {}
        plain = {index: puzzle for index, puzzle in puzzles.items() if plain_boxes(puzzle.grid, puzzle.rules)}
        limits = limits_for_all(self._request.limits, len(plain))
        try:
            found = canonical_digests(plain.values(), limits.started())
        except LimitReached:
            return {}
        return dict(zip(plain, found, strict=True))

    def _plain_levels(self, first: int, records: Sequence[Record]) -> dict[int, LevelBand]:
        """Return the levels of plain puzzles that singles solve, if their difficulty is stated; others are rated one by one."""
        if self._levels != LEVELS:
            return {}
        shapes: dict[tuple[int, int], dict[int, Puzzle]] = {}
        for index, record in enumerate(records, first) if "wrong-label" in self._wanted else ():
            if (
                record.puzzle
                and self._stated_level(record) is not None
                and (boxes := plain_boxes(record.puzzle.grid, record.puzzle.rules))
            ):
                shapes.setdefault(boxes, {})[index] = record.puzzle
        found: dict[int, LevelBand] = {}
        for same in shapes.values():
            from sudoku_cp.audit import array_verdicts  # noqa: PLC0415  # imports NumPy

            with suppress(LimitReached):
                levels = array_verdicts.levels([*same.values()], self._request.limits) or ()
                easy = {index: level for index, level in zip(same, levels, strict=False) if level is not Level.HARD}
                found.update((index, LEVELS.named(str(level))) for index, level in easy.items())
        return found

    # --- one by one ---------------------------------------------------------------------------------------------

    def _verdict(self, puzzle: Puzzle, known: PuzzleVerdict | None, clock: Clock) -> PuzzleVerdict | None:
        """Return the known verdict, or compute one if a wanted finding depends on it."""
        if known is None and self._wanted & _ABOUT_SOLUTIONS:
            return verdict(puzzle, self._request, clock)
        return known

    def _repetition(
        self, index: int, puzzle: Puzzle, earlier: int | None, keys: Mapping[int, bytes], clock: Clock
    ) -> _Repetition:
        """Return the finding that the puzzle repeats an earlier one, if it does, or the limit that left that open."""
        if earlier is not None:
            return repetition_finding(earlier, exactly=True), None
        if "isomorphic" not in self._wanted:
            return None, None
        try:
            key = keys[index] if index in keys else canonical_digests([puzzle], clock)[0]
        except LimitReached as reached:
            return None, reached.reason
        twin = earlier_puzzle(self._keys, key, index)
        return None if twin is None else repetition_finding(twin, exactly=False), None

    def _relations(self, index: int, puzzle: Puzzle, found: PuzzleVerdict | None) -> list[Finding]:
        """Return the findings that earlier puzzles have the same solution, or givens that contain or are contained."""
        if found is None or found.solution is None or not self._wanted & _ABOUT_GRIDS:
            return []
        relations = self._grids.add(index, puzzle, found.solution, is_minimal=found.is_minimal)
        return [relation_finding(relation) for relation in relations]

    def _label(
        self, record: Record, level: LevelBand | None, found: PuzzleVerdict | None, clock: Clock
    ) -> tuple[Finding | None, Reason | None]:
        """Return the finding that the stated difficulty is wrong, if it is, or the limit that left that open."""
        stated = self._stated_level(record) if "wrong-label" in self._wanted else None
        if stated is None or record.puzzle is None or (found and found.answer.status in {"none", "multiple"}):
            return None, None
        try:
            return label_finding(stated, level or band_of(record.puzzle, self._levels, limits=clock.left())), None
        except LimitReached as reached:
            return None, reached.reason

    def _stated_level(self, record: Record) -> LevelBand | None:
        """Return the difficulty that the source states, None if it states none or in other words."""
        try:
            return self._levels.named(record.difficulty) if record.difficulty else None
        except UnknownName:
            return None

    def _audit_error(self, index: int, record: Record) -> Audited:
        found = [error_finding(record.error)] if record.error else []
        return Audited(index, record, tuple(one for one in found if one.kind in {*self._wanted, "unreadable"}))

    def _audit_puzzle(
        self,
        index: int,
        record: Record,
        puzzle: Puzzle,
        found: PuzzleVerdict | None,
        others: Sequence[Finding | None],
        stopped: Mapping[Kind, Reason | None],
    ) -> Audited:
        """Return everything that was found, ``others`` besides the verdict; limits ``stopped`` the search for some kinds."""
        answer = found.answer if found else None
        findings: list[Finding | None] = [*warning_findings(record.warnings)]
        if answer:
            findings += answer_findings(puzzle, answer)
        findings.append(stated_finding(puzzle, found.solution if found else None))
        if found:
            findings += unnecessary_findings(puzzle, found.unnecessary)
        findings += others
        kinds = self._kinds_for(puzzle, found)
        wanted = tuple(one for one in findings if one and one.kind in kinds)
        left = [*(found.undecided if found else ()), *(kind for kind, reason in stopped.items() if reason)]
        reasons = [reason for reason in ((found and found.reason), *stopped.values()) if reason]
        undecided = tuple(kind for kind in KINDS if kind in left and kind in kinds)
        return Audited(index, record, wanted, answer, undecided, reasons[0] if undecided else None)

    def _kinds_for(self, puzzle: Puzzle, found: PuzzleVerdict | None) -> frozenset[Kind]:
        """Return the kinds of findings wanted for this puzzle; the batch kernel checks all givens, even of symmetric puzzles."""
        matters = found is not None and (found.unnecessary or "not-minimal" in found.undecided)
        return self._wanted - {"not-minimal"} if matters and not self._request.is_about_givens(puzzle) else self._wanted


# Findings in words: each function makes the findings of one kind about one puzzle.


SHOWN = 12
"""Cells named in words, at most; the details have them all."""


def error_finding(error: ParseError) -> Finding:
    """Return the finding of a record that cannot be read; an error that names no line is about the source as a whole."""
    details = str(ParseError(error.problems, column=error.column))
    text = details.encode("utf-8", "backslashreplace").decode()  # undecodable bytes stay visible
    return Finding("malformed" if error.line else "unreadable", text, {"column": error.column} if error.column else {})


def warning_findings(warnings: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each warning of the reader."""
    for warning in warnings:
        yield Finding("warning", warning)


def answer_findings(puzzle: Puzzle, answer: Answer) -> Iterator[Finding]:
    """Yield a finding if there is not exactly one solution."""
    if answer.status == "none":
        clash = _find_clash(puzzle)
        details = {"clash": _cell_names(puzzle, clash[0]), "part": clash[1]} if clash else {}
        yield Finding("contradictory", f"no solution{_describe_clash(puzzle, *clash) if clash else ''}", details)
    elif answer.status == "multiple":
        number = f"{answer.count:,} solutions" if answer.exact else f"{answer.count:,} solutions or more"
        stated = ", the stated one among them" if answer.stated == "right" else ""
        yield Finding("not-unique", number + stated, {"solutions": answer.count, "exact": answer.exact})


def stated_finding(puzzle: Puzzle, solution: Values | None) -> Finding | None:
    """Return what is wrong with the solution that the source states, if anything; ``solution`` is the only one, if known."""
    stated = puzzle.solution
    if stated is None or stated == solution or puzzle.holds(stated):
        return None
    details = {}
    others = [cell for cell, value in puzzle.givens.items() if stated[cell] != value]
    if others:
        cell = others[0]
        sign, given = (puzzle.symbols.sign(value) for value in (stated[cell], puzzle.givens[cell]))
        text = f"the stated solution has {sign} in {puzzle.grid.cell_name(cell)}, where {given} is given"
        details["givens"] = _cell_names(puzzle, others)
    elif part := _broken(puzzle, stated):
        text = f"the stated solution breaks {part}"
        details["part"] = [part]
    else:
        text = "the stated solution is not a solution"
    if solution:
        wrong = [cell for cell in puzzle.grid.cells if stated[cell] != solution[cell]]
        details["wrong"] = _cell_names(puzzle, wrong)
        text += f"; it is wrong in {_format_names(details['wrong'])}"
    return Finding("wrong-solution", text, details)


def label_finding(stated: LevelBand, level: LevelBand | None) -> Finding | None:
    """Return the finding that a puzzle of a level (None: of none) is labelled otherwise, None if it is not."""
    if stated == level:
        return None
    found = "of no level" if level is None else f"{level}: its hardest step is rated {level.span}"
    details = {"stated": str(stated)} | ({} if level is None else {"difficulty": str(level)})
    return Finding("wrong-label", f"labelled {stated}, but {found}", details)


def unnecessary_findings(puzzle: Puzzle, unnecessary: Sequence[Cell]) -> Iterator[Finding]:
    """Yield a finding if there are givens that could each be left out."""
    if unnecessary:
        names = _cell_names(puzzle, unnecessary)
        text = f"{len(names)} of {len(puzzle.givens)} givens could be left out, each by itself: {_format_names(names)}"
        yield Finding("not-minimal", text, {"unnecessary": names})


def repetition_finding(first: int, *, exactly: bool) -> Finding:
    """Return the finding of a puzzle that repeats puzzle ``first``."""
    if exactly:
        return Finding("duplicate", f"the same as puzzle {first}", {"first": first})
    return Finding("isomorphic", f"puzzle {first} in another guise", {"first": first})


def relation_finding(relation: GridRelation) -> Finding:
    """Return the finding that a puzzle has the solution of an earlier one, or that one contains the other."""
    first = relation.first
    if relation.kind == "same":
        return Finding("same-solution", f"the solution of puzzle {first}", {"first": first})
    text = f"all givens of puzzle {first} and more" if relation.kind == "more" else f"some of the givens of puzzle {first}"
    return Finding("contains", text, {"first": first, "givens": relation.kind})


# --- parts of them ----------------------------------------------------------------------------------------------


def _find_clash(puzzle: Puzzle) -> tuple[list[Cell], str] | None:
    """Return a given that is not a candidate of its cell, or two equal ones that must differ, and the part of the rule broken."""
    for cell, domain in puzzle.assume().items():
        if not domain:
            return [cell], "candidates"
    for statement in puzzle.model().statements:
        if isinstance(statement.constraint, AllDifferent | DigitSet):
            given = [cell for cell in statement.constraint.cells if cell in puzzle.givens]
            for pair in combinations(given, 2):
                if puzzle.givens[pair[0]] == puzzle.givens[pair[1]]:
                    return [*pair], str(statement)
    return None


def _describe_clash(puzzle: Puzzle, cells: Sequence[Cell], part: str) -> str:
    sign = puzzle.symbols.sign(puzzle.givens[cells[0]])
    if len(cells) == 1:
        return f": {sign} is given in {puzzle.grid.cell_name(cells[0])} but is not one of its candidates"
    return f": {sign} is given in {' and '.join(_cell_names(puzzle, cells))}, {part}"


def _broken(puzzle: Puzzle, values: Values) -> str | None:
    """Return the first part of a rule that a filled grid visibly breaks, by the cells of the board alone."""
    for statement in puzzle.model().statements:
        on_board = all(cell < len(values) for cell in cells_of(statement.constraint))
        if on_board and not statement.constraint.holds(values):
            return str(statement)
    return next((rule.kind for rule in puzzle.rules if not rule.holds(puzzle.grid, values)), None)


def _cell_names(puzzle: Puzzle, cells: Iterable[Cell]) -> list[str]:
    return [puzzle.grid.cell_name(cell) for cell in cells]


def _format_names(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return " ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
