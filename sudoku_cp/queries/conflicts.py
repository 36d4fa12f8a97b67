"""A puzzle without a solution: which givens, candidates and parts of rules clash?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution, open_session
from sudoku_cp.backends import backend as backend_named
from sudoku_cp.errors import LimitReached, WrongAnswer
from sudoku_cp.model import (
    Clause,
    Literal,
    Model,
    Statement,
    cells_of,
    join_blocks,
    make_block,
    members,
    shift_auxiliaries,
    to_mask,
)
from sudoku_cp.model.model import AllDifferent
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from sudoku_cp.backends.assumption_cores import AssumptionSolver, HittingSets
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries.solution_search import Engine


HOUSES = CLASSIC[0].kind
SURE = 1.0
"""Seconds that another engine gets to confirm a conflict."""


@dataclass(frozen=True)
class Conflict:
    """Givens, cells' candidates and parts of rules that cannot all hold.

    If ``minimal``, leaving out any one of them resolves the clash; if ``smallest``, no fewer clash. Without givens, the rules
    (with the candidates) have no solution by themselves. ``cells`` are those to highlight: the cells of givens, of candidates
    and of rules other than houses; those of houses if there is nothing else.
    """

    givens: tuple[Cell, ...] = ()
    rules: tuple[str, ...] = ()
    candidates: tuple[Cell, ...] = ()
    minimal: bool = True
    smallest: bool = False
    cells: tuple[Cell, ...] = ()


class ConflictItem(NamedTuple):
    """An item that can be left out of a puzzle: a given or the candidates of a ``cell``, or (None) a part of a rule."""

    kind: str
    cell: Cell | None
    statements: tuple[Statement, ...]

    @property
    def name(self) -> str:
        """The part of the rule in words."""
        return str(self.statements[0])


def conflict(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED) -> Conflict:
    """Return what clashes in a puzzle without a solution, in as few items as can be found within the limits.

    Raises `LimitReached` if no conflict is found within them.
    """
    clock = limits.started()
    plain = _equal_givens(puzzle)
    if plain is not None and puzzle.rules == CLASSIC and not puzzle.candidates:
        return plain  # nothing less than two givens and a house can clash
    model, items = items_of(puzzle, clock.check)
    question = _ItemOracle(model, items, clock)
    core = question.ask(_item_numbers(items, plain) if plain else range(len(items)), clock=clock)
    if not isinstance(core, frozenset):
        raise WrongAnswer(f"expected no solution of {puzzle!r}, got {core!r}")
    found = minimal_core(question, core, clock)
    if found.minimal:
        found = smallest_core(question, len(items), found, clock)
    chosen = [items[number] for number in sorted(found.parts)]
    if found.minimal and not clock.reached():
        _confirm(puzzle, model, chosen, backend, clock)
    return _make_conflict(puzzle, chosen, found)


# --- what can be left out ---------------------------------------------------------------------------------------


def items_of(puzzle: Puzzle, tick: Callable[[], object] = int) -> tuple[Model, list[ConflictItem]]:
    """Return a model without statements, and the items of the puzzle.

    Each named part of a rule is an item: ``row 1``, ``cage r1c1 r1c2``. Givens come last.
    """
    domains = [to_mask(puzzle.grid.values)] * len(puzzle.grid.cells)
    board = len(domains)
    items: list[ConflictItem] = []
    for rule in puzzle.rules:
        own = join_blocks(domains[:board], [make_block(rule.kind, rule.lower(puzzle.grid), tick)], tick)
        moved = shift_auxiliaries(own, len(domains) - board)
        domains += own.domains[board:]
        parts: dict[str, list[Statement]] = {}
        for statement in moved:
            parts.setdefault(statement.part, []).append(statement)
        items += [ConflictItem("rule", None, tuple(statements)) for statements in parts.values()]
    for cell, domain in puzzle.candidates.items():
        items.append(ConflictItem("candidates", cell, (_one_of(cell, members(domain)),)))
    for cell, value in puzzle.givens.items():
        items.append(ConflictItem("given", cell, (_one_of(cell, [value]),)))
    return Model(tuple(domains), (), board), items


def _one_of(cell: Cell, values: Sequence[int]) -> Statement:
    return Statement(Clause(tuple(Literal(cell, value) for value in values)), "given", "given")


class _ItemOracle:
    """Answers which items can all hold, using a solver in which each can be switched off."""

    def __init__(self, model: Model, items: Sequence[ConflictItem], clock: Clock) -> None:
        with loading():
            from sudoku_cp.backends.assumption_cores import AssumptionSolver  # noqa: PLC0415  # imports a solver library

        self._parts: AssumptionSolver = AssumptionSolver(model, [item.statements for item in items], limits=clock.left())
        # A solution has no values for auxiliaries, so whether it obeys a part with auxiliaries is unknown.
        self._seen = [
            (number, [statement.constraint for statement in item.statements])
            for number, item in enumerate(items)
            if all(max(cells_of(one.constraint), default=0) < model.board for one in item.statements)
        ]

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return a solution that obeys the items ``held``, or some of them that clash."""
        return self._parts.ask(held, clock=clock)

    def obeyed(self, solution: Solution) -> Iterator[int]:
        """Return the items that a solution obeys."""
        return (number for number, constraints in self._seen if all(one.holds(solution) for one in constraints))


# --- what is found ----------------------------------------------------------------------------------------------


def _equal_givens(puzzle: Puzzle) -> Conflict | None:
    """Return the conflict of two equal givens in cells that must all differ, None if there are none."""
    for rule in puzzle.rules:
        for part, constraint in rule.lower(puzzle.grid) if rule in CLASSIC else ():
            given = [cell for cell in cells_of(constraint) if cell in puzzle.givens]
            for pair in combinations(given, 2) if isinstance(constraint, AllDifferent) else ():
                if puzzle.givens[pair[0]] == puzzle.givens[pair[1]]:
                    name = str(Statement(constraint, rule.kind, part))
                    return Conflict(pair, (name,), smallest=True, cells=pair)
    return None


def _item_numbers(items: Sequence[ConflictItem], found: Conflict) -> list[int]:
    """Return the numbers of the items that a conflict names."""
    return [
        number
        for number, item in enumerate(items)
        if (item.kind == "given" and item.cell in found.givens) or (item.kind == "rule" and item.name in found.rules)
    ]


def _confirm(puzzle: Puzzle, model: Model, chosen: Sequence[ConflictItem], backend: Engine, clock: Clock) -> None:
    """Have another engine look briefly for a solution of the conflict; it must find none."""
    engine = backend_named("native" if backend in {"auto", "sat"} else backend) if isinstance(backend, str) else backend
    alone = Model(model.domains, tuple(statement for item in chosen for statement in item.statements), model.board)
    try:
        session = open_session(engine, alone, clock.check)
        found = next(iter(session.solutions(limits=step_limits(clock.left(), SURE))), None)
    except LimitReached:
        return
    if found is not None:
        raise WrongAnswer(f"expected a conflict in {puzzle!r}, got {found!r}, which obeys {[item.name for item in chosen]}")


def _make_conflict(puzzle: Puzzle, chosen: Sequence[ConflictItem], found: Core) -> Conflict:
    own = [item for item in chosen if item.statements[0].rule != HOUSES] or chosen
    board = len(puzzle.grid.cells)
    cells = {cell for item in own for one in item.statements for cell in cells_of(one.constraint) if cell < board}
    return Conflict(
        tuple(item.cell for item in chosen if item.kind == "given" and item.cell is not None),
        tuple(item.name for item in chosen if item.kind == "rule"),
        tuple(item.cell for item in chosen if item.kind == "candidates" and item.cell is not None),
        minimal=found.minimal,
        smallest=found.smallest,
        cells=tuple(sorted(cells)),
    )


# Delta debugging: make something smaller while it keeps a property.


_T = TypeVar("_T")

STEP = 5.0
"""Seconds for each question during shrinking: with fewer givens, some never end, and so decide nothing."""


def step_limits(limits: Limits, seconds: float = STEP) -> Limits:
    """Return the limits of one step of a longer question: at most ``seconds``, within ``limits``."""
    return replace(limits, seconds=seconds if limits.seconds is None else min(seconds, limits.seconds))


def shrink(items: Iterable[_T], still: Callable[[list[_T]], bool]) -> list[_T]:
    """Return some of ``items`` for which ``still`` holds, but fails without any single one of them; it must hold for all items.

    Halves, quarters and so on are removed first, so that few calls remove many items (Zeller and Hildebrandt, 2002).
    """
    kept = list(items)
    size = len(kept)
    while size:
        start, before = 0, len(kept)
        while start < len(kept):
            fewer = kept[:start] + kept[start + size :]
            if still(fewer):
                kept = fewer
            else:
                start += size
        # Removing one item may allow removing another, so single items are tried until none can go.
        if size > 1 or len(kept) == before:
            size //= 2
    return kept


# Minimal and smallest cores of parts that clash.
#
# Theory of operation. A part is a number, and an oracle decides whether a set of parts is consistent. A minimal core is found
# by deletion: parts are left out one by one. A smallest core is found by hitting sets: every core shares a part with every
# correction set, which is a set of parts without which the others are consistent; so a smallest hitting set of the correction
# sets known so far either clashes, and is a smallest core, or leads to another correction set (Ignatiev, Previti, Liffiton and
# Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization", 2015).


class CoreOracle(Protocol):
    """Decides whether parts are consistent, before a clock runs out."""

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return a solution that obeys the parts ``held``, or some of them that clash; raises `LimitReached`."""
        ...

    def obeyed(self, solution: Solution) -> Iterable[int]:
        """Return parts that a solution obeys, those that are easily recognised."""
        ...


@dataclass(frozen=True)
class Core:
    """Parts that clash: ``minimal`` if none can be left out alone, ``smallest`` if no fewer parts clash."""

    parts: frozenset[int]
    minimal: bool = False
    smallest: bool = False


def minimal_core(oracle: CoreOracle, core: frozenset[int], clock: Clock) -> Core:
    """Return a minimal core within ``core``, which clashes; it may not be minimal if a limit comes first."""
    needed: set[int] = set()
    for patience in (GLANCE, STEP):
        undecided: set[int] = set()
        while open_ := core - needed - undecided:
            part = max(open_)
            try:
                found = oracle.ask(core - {part}, clock=_clock_of(patience, clock))
            except LimitReached:
                if clock.reached():
                    return Core(core)
                undecided.add(part)
                continue
            if isinstance(found, frozenset):
                core = found
            else:
                needed.add(part)
        if not undecided:
            return Core(core, minimal=True)
    return Core(core)


GLANCE = 0.1
"""Seconds for each question at first; those that take longer wait until the others have made the core smaller."""


def _clock_of(seconds: float, clock: Clock) -> Clock:
    """Return a clock for one question of at most ``seconds``: with fewer parts, some questions never end."""
    return step_limits(clock.left(), seconds).started()


def smallest_core(oracle: CoreOracle, number: int, known: Core, clock: Clock) -> Core:
    """Return a smallest core of ``number`` parts; ``known`` or a better one if a limit comes first."""
    with loading():
        from sudoku_cp.backends.assumption_cores import HittingSets  # noqa: PLC0415  # imports a solver library

    hitting, best = HittingSets(), known
    try:
        while True:
            hit = hitting.smallest(clock)
            if len(hit) >= len(best.parts):
                return replace(best, smallest=True)
            found = oracle.ask(hit, clock=clock)
            if isinstance(found, frozenset):
                return Core(found, minimal=True, smallest=True)
            core = _add_correction_sets(oracle, number, (hit, found), hitting, clock, most=len(best.parts))
            if core is not None and len(core) <= len(best.parts) + SLACK:
                better = minimal_core(oracle, core, clock)
                best = better if better.minimal and len(better.parts) < len(best.parts) else best
    except LimitReached:
        return best


SLACK = 3
"""A core of up to this many more parts than the best may still be minimized to a smaller one."""


def _add_correction_sets(
    oracle: CoreOracle, number: int, seed: tuple[frozenset[int], Solution], hitting: HittingSets, clock: Clock, *, most: int
) -> frozenset[int] | None:
    """Add at most ``most`` disjoint correction sets to ``hitting``, until the held parts clash; return a core of them, if any.

    As the sets are disjoint, as many of them as the best core has parts prove that it is a smallest one, if nothing was held at
    first. ``seed`` is what is held at first, with a solution that obeys it.
    """
    held, answer = seed
    for _ in range(most):
        correction = _correction_set(oracle, number, held, answer, clock)
        hitting.add(correction)
        held |= correction
        found = _ask_briefly(oracle, held, clock)
        if found is None or isinstance(found, frozenset):
            return found
        answer = found
    return None


def _correction_set(oracle: CoreOracle, number: int, held: frozenset[int], found: Solution, clock: Clock) -> frozenset[int]:
    """Return a nearly minimal correction set without any of the ``held`` parts, which ``found`` obeys.

    A part that is not decided quickly is included: the set may be larger than necessary, but is still a correction set.
    """
    obeyed = {*held, *oracle.obeyed(found)}
    correction = set()
    for part in range(number):
        if part not in obeyed:
            other = _ask_briefly(oracle, {*obeyed, part}, clock)
            if other is None or isinstance(other, frozenset):
                correction.add(part)
            else:
                obeyed |= {part, *oracle.obeyed(other)}
    return frozenset(correction)


def _ask_briefly(oracle: CoreOracle, held: Collection[int], clock: Clock) -> Solution | frozenset[int] | None:
    """Return the answer, None if it takes too long; raises `LimitReached` only for the limits of the clock itself."""
    try:
        return oracle.ask(held, clock=_clock_of(GLANCE, clock))
    except LimitReached:
        clock.check()
        return None
