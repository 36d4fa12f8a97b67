"""The checks of the kit: each tests an engine for one promise, and raises `AssertionError` with what is wrong.

A limit has `LATE` seconds to take effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import combinations, islice, permutations, product
from random import Random
from threading import Timer
from time import perf_counter, sleep
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from sudoku_cp.backends import taken_model
from sudoku_cp.backends.base import (
    NOTHING,
    UNLIMITED,
    Assumed,
    Cancellation,
    Limits,
    Solution,
    SupportsCounters,
    SupportsHarvest,
    SupportsTracing,
)
from sudoku_cp.backends.conformance.time_budget import iter_answers, remaining_limits
from sudoku_cp.errors import LimitReached, Reason, Unsupported
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Model,
    Partition,
    Relation,
    Table,
    build_model,
    members,
    to_mask,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.base import Backend, Session


# Models with known answers: boards whose solutions are known, and random models small enough to try everything.
#
# Random models come from fixed seeds. Answers come from brute force over ``holds``, never from another engine.


Maker: TypeAlias = Callable[[Random, Sequence[Cell]], Constraint]
"""Makes a random constraint on some of the given cells."""

_T = TypeVar("_T")

VALUES = range(7)
"""The values of cells in random models."""
RELATIONS: tuple[Relation, ...] = ("==", "!=", "<=", ">=")
AUXILIARIES = (-1, -2)
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
"""Arto Inkala's "AI Escargot" of 2006."""
SOLVED = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"


class Case(NamedTuple):
    """A model and its solutions, found by brute force."""

    model: Model
    solutions: frozenset[Solution]

    @staticmethod
    def of(model: Model) -> Case:
        """Return the case of ``model``: try all values of all its cells."""
        filled = product(*map(members, model.domains))
        return Case(model, frozenset(values[: model.board] for values in filled if model.holds(values)))

    def under(self, assume: Assumed) -> frozenset[Solution]:
        """Return the solutions that agree with ``assume``."""
        return frozenset(one for one in self.solutions if all(allowed >> one[cell] & 1 for cell, allowed in assume.items()))


@lru_cache
def empty_board(size: int) -> Model:
    """Return the model of an empty board with boxes."""
    grid = Grid.square(size)
    houses = [(name, AllDifferent(cells)) for name, cells in grid.houses.items()]
    return build_model([to_mask(grid.values)] * len(grid.cells), [("houses", houses)])


@lru_cache
def small_board() -> Case:
    """Return the empty 4x4 board and its 288 grids, each of two bands that fit together."""
    rows = tuple(permutations(range(1, 5)))
    bands = [(*one, *other) for one in rows for other in rows if len({*one[:2], *other[:2]}) == len(one)]
    columns = [range(column, 16, 4) for column in range(4)]
    grids = (top + bottom for top in bands for bottom in bands)
    whole = (grid for grid in grids if all(len({grid[cell] for cell in column}) == len(column) for column in columns))
    return Case(empty_board(4), frozenset(whole))


@lru_cache
def pigeons(holes: int = 13) -> Model:
    """Return the pigeonhole problem as clauses about two pigeons each: it has no solution, and takes minutes to refute."""
    apart = (
        Clause((Literal(one, hole, equal=False), Literal(other, hole, equal=False)))
        for one, other in combinations(range(holes + 1), 2)
        for hole in range(holes)
    )
    return build_model([to_mask(range(holes))] * (holes + 1), [("pigeons", (("apart", clause) for clause in apart))])


@lru_cache
def overfull_row() -> Assumed:
    """Return pigeons in a row of the 16x16 board: twelve cells share eleven values."""
    return dict.fromkeys(range(12), to_mask(range(1, 12)))


def cyclic_grid(height: int, width: int) -> Assumed:
    """Return all givens of a grid with boxes of that size, each row a shift of the one above."""
    side = height * width
    return {cell: 2 << (row % height * width + row // height + cell) % side for cell in range(side**2) for row in [cell // side]}


def givens(line: str) -> Assumed:
    """Return the givens in a line of digits and dots."""
    return {cell: 1 << int(sign) for cell, sign in enumerate(line) if sign != "."}


# --- random models ----------------------------------------------------------------------------------------------


def _distinct_cells(random: Random, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return some cells, now and then one of them twice (then there is no solution)."""
    found = random.sample(cells, random.randint(0, min(4, len(cells))))
    return (*found, *(found[:1] if random.randrange(5) == 0 else ()))


def _any_cells(random: Random, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return some cells, perhaps one of them twice, perhaps none."""
    return tuple(random.choices(cells, k=random.choice((0, 1, 2, 2, 2, 3, 3, 3, 3, 4))))


def _random_set(random: Random, most: int, one: Callable[[], _T]) -> frozenset[_T]:
    """Return a set of no, a few or many elements."""
    return frozenset(one() for _ in range(random.choice((0, most // 10, most // 2, most))))


def _random_area(random: Random, cells: Sequence[Cell]) -> Connected:
    """Return that some values of cells are connected, of which any two may touch."""
    size = len(cells)
    values = frozenset(random.sample(VALUES, random.choice((1, 3))))
    return Connected(tuple(cells), values, _random_neighbours(random, size), max(0, size - 1))


def _random_neighbours(random: Random, size: int) -> tuple[tuple[int, ...], ...]:
    touching = {pair for pair in combinations(range(size), 2) if random.random() < 0.5}  # noqa: PLR2004
    return tuple(tuple(other for other in range(size) if tuple(sorted((cell, other))) in touching) for cell in range(size))


def _random_partition(random: Random, cells: Sequence[Cell]) -> Partition:
    """Return that up to three cells, now and then one of them twice, are cut into regions that others of these cells number."""
    size = random.choice((0, 1, 2, 2, 2, 2, 3))
    chosen = random.sample(cells, min(2 * size, len(cells)))
    own, labels = chosen[:size], [*chosen[size:], *random.choices(cells, k=size)][:size]
    own += random.choices(cells, k=size - len(own))
    beside = _random_neighbours(random, size)
    return Partition(tuple(own), tuple(labels), beside, random.choice((1, 1, 2, 3)), random.choice((0, 1, 1, 2, 5)))


MAKERS: Mapping[type[Constraint], Maker] = MappingProxyType(
    {
        AllDifferent: lambda random, cells: AllDifferent(_distinct_cells(random, cells)),
        DigitSet: lambda random, cells: DigitSet(
            own := _distinct_cells(random, cells),
            _random_set(random, 40, lambda: to_mask(random.sample(VALUES, max(0, len(own) + random.choice((-1, 0, 0, 0, 1)))))),
        ),
        Linear: lambda random, cells: Linear(
            tuple((cell, random.randint(-3, 3)) for cell in _any_cells(random, cells)),
            random.choice(RELATIONS),
            random.randint(-6, 12),
        ),
        Table: lambda random, cells: Table(
            own := _any_cells(random, cells), _random_set(random, 150, lambda: tuple(random.choices(VALUES, k=len(own))))
        ),
        Automaton: lambda random, cells: Automaton(
            _any_cells(random, cells),
            random.randrange(4),
            _random_set(random, 80, lambda: (random.randrange(4), random.choice(VALUES), random.randrange(4))),
            frozenset(random.sample(range(4), random.randint(0, 2))),
        ),
        Clause: lambda random, cells: Clause(
            tuple(Literal(cell, random.choice(VALUES), random.choice((True, True, False))) for cell in _any_cells(random, cells))
        ),
        Count: lambda random, cells: Count(
            _any_cells(random, cells), frozenset(random.sample(VALUES, 3)), random.choice(RELATIONS), random.randint(-1, 4)
        ),
        Connected: lambda random, cells: _random_area(random, _any_cells(random, cells)),
        Partition: _random_partition,
    }
)
"""The maker of random constraints of each of the nine kinds."""


@lru_cache
def random_cases(kinds: tuple[type[Constraint], ...], most: int, beside: tuple[Cell, ...] = (), amount: int = 40) -> list[Case]:
    """Return models of up to ``most`` constraints of these kinds, on few cells and perhaps the auxiliaries ``beside`` them."""
    random = Random(f"{kinds} {most} {beside}")  # noqa: S311  # the same models each time are the point
    found: list[Case] = []
    while len(found) < amount:
        domains = [to_mask(random.sample(VALUES, random.randint(1, 4))) for _ in range(random.randint(2, 4))]
        cells = (*range(len(domains)), *beside)
        parts = [("random", MAKERS[random.choice(kinds)](random, cells)) for _ in range(random.randint(1, most))]
        # Two rules, so that each has auxiliaries of its own.
        case = Case.of(build_model(domains, [("first", parts[:1]), ("second", parts[1:])]))
        if case.solutions or 3 * sum(not one.solutions for one in found) < len(found):
            found.append(case)
    return found


Check: TypeAlias = "Callable[[Backend], None]"
"""Tests an engine, and raises `AssertionError` with what is wrong with its answers."""

LATE = 1.0
"""Seconds that an engine may go on after a limit."""
MOMENT = 0.2
"""Seconds after which a question is stopped midway."""
CANCELLED = Cancellation()
CANCELLED.cancel()


def _require(truth: object, problem: str) -> None:
    if not truth:
        raise AssertionError(problem)


def _require_solutions(session: Session, case: Case, assume: Assumed = NOTHING, limits: Limits = UNLIMITED) -> None:
    """Require that the session finds all solutions, each once."""
    wanted = case.under(assume)
    # At most one more than there are: an engine that repeats itself may never end.
    found = list(islice(iter_answers(session, assume, limits), len(wanted) + 1))
    wrong = [one for one in found if one not in wanted]
    about = f"under {dict(assume)} of {case.model.constraints!r:.500} on {case.model.domains!r:.100}"
    _require(not wrong, f"expected solutions, got {wrong[:1]}, which is none, {about}")
    _require(len(set(found)) == len(found), f"expected each solution once, got one again, {about}")
    _require(len(found) == len(wanted), f"expected {len(wanted)} solutions, got {len(found)}, {about}")


def _require_stopped(found: Iterable[Solution], reason: Reason, seconds: float, *, endless: bool = True) -> None:
    """Require `LimitReached` for that reason within that time; a search that is not ``endless`` may also end."""
    start = perf_counter()
    try:
        for _ in found:
            _require(perf_counter() - start < seconds + LATE, f"expected {reason!r}, got more solutions {LATE} s later")
    except LimitReached as reached:
        _require(reached.reason == reason, f"expected to be stopped by {reason!r}, got {reached.reason!r}")
    else:
        _require(not endless, f"expected LimitReached({reason!r}), got an end as if there were no more solutions")
    late = perf_counter() - start - seconds
    _require(late < LATE, f"expected an end at most {LATE} s after {reason!r}, got one {late:.1f} s after")


def _require_hard_solved(session: Session) -> None:
    """Require that a session on the empty 9x9 board solves `HARD`."""
    found = list(iter_answers(session, givens(HARD), remaining_limits()))
    _require(found == [tuple(map(int, SOLVED))], f"expected the one solution of a hard puzzle, got {found!r:.500}")


def _open(backend: Backend, model: Model) -> Session:
    """Return the engine's own session on a model, which is rewritten first as it always is."""
    return backend.open(taken_model(backend, model))


def _open_if_taken(backend: Backend, model: Model) -> Session | None:
    """Return a session on the model, None if the engine does not support it."""
    with suppress(Unsupported):
        return _open(backend, model)
    return None


def _endless_questions(backend: Backend) -> list[tuple[Session, Assumed, bool]]:
    """Return questions that take very long, and whether each is endless: endless solutions, and a search without a solution.

    Each session has already answered another question: an engine may have to prepare for a shape of board.
    """
    many = _open(backend, empty_board(9))
    _require_hard_solved(many)
    none, crowd = _open_if_taken(backend, pigeons()), NOTHING
    if none is None:
        none, crowd = _open(backend, empty_board(16)), overfull_row()
        _require(
            len(list(iter_answers(none, cyclic_grid(4, 4), remaining_limits()))) == 1,
            "expected the one solution of a full 16x16 grid",
        )
    return [(many, NOTHING, True), (none, crowd, False)]


# --- the checks -------------------------------------------------------------------------------------------------


def _small_board(backend: Backend) -> None:
    """The engine finds all solutions of a plain grid."""
    _require_solutions(_open(backend, small_board().model), small_board())


def _solutions(cases: Callable[[], Iterable[Case]], backend: Backend) -> None:
    """The engine finds the solutions that brute force finds, for the models that it supports."""
    for case in cases():
        session = _open_if_taken(backend, case.model)
        if session:
            _require_solutions(session, case)


def _random_givens(random: Random, case: Case) -> Assumed:
    """Return random givens: single values, sets, values that the cell never had, sometimes the empty set."""
    cells = random.sample(range(case.model.board), random.randint(1, min(5, case.model.board)))
    return {cell: random.choice((1 << random.choice(VALUES), random.getrandbits(7), 2**7 - 3, -1)) for cell in cells}


def _assumptions(backend: Backend) -> None:
    """A session answers question after question, each under its own givens alone, contradictory ones too."""
    random = Random(1)  # noqa: S311
    small = [*random_cases(tuple(MAKERS), 3)[::2], *random_cases(tuple(MAKERS), 3, AUXILIARIES)[::2]]
    for case, questions in (*((case, 6) for case in small), (small_board(), 40)):
        session = _open(backend, case.model) if case is small_board() else _open_if_taken(backend, case.model)
        if session is None:
            continue
        whole = [{cell: 1 << value for cell, value in enumerate(one)} for one in sorted(case.solutions)[:2]]
        for assume in (*(_random_givens(random, case) for _ in range(questions)), {0: 0}, NOTHING, *whole):
            _require_solutions(session, case, assume)


def _abandoned(backend: Backend) -> None:
    """An enumeration given up midway leaves no trace."""
    session = _open(backend, small_board().model)
    for many in (1, 5, 100):
        _require(len(list(islice(iter_answers(session), many))) == many, f"expected {many} solutions of 288")
        _require_solutions(session, small_board(), {0: 0b10})
        _require_solutions(session, small_board())


def _interleaved(backend: Backend) -> None:
    """Two enumerations that are open at the same time, and a third in between, do not disturb each other; nor do two sessions."""
    board = small_board()
    session, another = _open(backend, board.model), _open(backend, board.model)
    questions: list[tuple[Session, Assumed]] = [(session, {0: 0b10}), (session, {0: 0b110, 5: 0b11000}), (another, {3: 0b10})]
    running = [iter_answers(one, assume) for one, assume in questions]
    found: list[list[Solution]] = [[] for _ in questions]
    for step in range(len(board.solutions) + 1):
        for number, one in enumerate(running):
            found[number] += islice(one, 1)
        if step % 20 == 0:
            _require_solutions(session, board, {7: 1 << 1 + step % 4, 8: 0b110})
    for (_, assume), solutions in zip(questions, found, strict=True):
        wanted = board.under(assume)
        _require(
            len(solutions) == len(wanted) and set(solutions) == wanted,
            f"expected {len(wanted)} solutions under {dict(assume)} among other questions, got {len(solutions)}",
        )


def _at_once(limits: Limits, reason: Reason, backend: Backend) -> None:
    """Exhausted limits stop a question at once, and do not stop the next one."""
    session = _open(backend, small_board().model)
    _require_stopped(iter_answers(session, limits=limits), reason, 0)
    _require_solutions(session, small_board(), {0: 0b10})


def _no_nodes(backend: Backend) -> None:
    """A node limit of 0 stops a search, but not the next one; a question that needs no search may be answered."""
    for session, assume, endless in _endless_questions(backend):
        _require_stopped(iter_answers(session, assume, limits=Limits(nodes=0)), "nodes", 0)
        if endless:
            _require_hard_solved(session)


def _deadline(backend: Backend) -> None:
    """A deadline stops an endless enumeration, and a search without a solution."""
    for session, assume, endless in _endless_questions(backend):
        _require_stopped(iter_answers(session, assume, limits=Limits(seconds=MOMENT)), "deadline", MOMENT, endless=endless)
        if endless:
            _require_hard_solved(session)


def _cancelled_meanwhile(backend: Backend) -> None:
    """A cancellation from another thread stops an endless enumeration, and a search without a solution."""
    for session, assume, endless in _endless_questions(backend):
        cancel = Cancellation()
        timer = Timer(MOMENT, cancel.cancel)
        timer.start()
        _require_stopped(iter_answers(session, assume, limits=Limits(cancel=cancel)), "cancelled", MOMENT, endless=endless)
        if endless:
            _require_hard_solved(session)


def _generous(backend: Backend) -> None:
    """A limit that is not reached changes nothing."""
    session = _open(backend, small_board().model)
    for limits in (Limits(seconds=600), Limits(nodes=10**9), Limits(cancel=Cancellation()), Limits(600, 10**9, Cancellation())):
        _require_solutions(session, small_board(), limits=limits)


def _never_silent(backend: Backend) -> None:
    """However small a limit is, the answer is complete or the limit is raised."""
    limits = [Limits(nodes=nodes) for nodes in (0, 1, 2, 3, 5, 8, 20, 50, 200, 400)]
    limits += [Limits(seconds=10**exponent) for exponent in (-5, -4, -3.5, -3, -2.5, -2, -1.5)]
    hard = Case(empty_board(9), frozenset({tuple(map(int, SOLVED))}))
    for case, assume in ((small_board(), NOTHING), (hard, givens(HARD))):
        session = _open(backend, case.model)
        for limit in limits:
            try:
                _require_solutions(session, case, assume, limit)
            except LimitReached as reached:
                reason = "nodes" if limit.seconds is None else "deadline"
                _require(reached.reason == reason, f"expected {reason!r} under {limit}, got {reached.reason!r}")
        _require_solutions(session, case, assume)


def _clock(backend: Backend) -> None:
    """The clock starts when the first solution is requested, not before."""
    for seconds in (MOMENT, 5 * MOMENT, 25 * MOMENT):
        found = iter(_open(backend, small_board().model).solutions(limits=Limits(seconds=seconds)))
        sleep(seconds)
        start = perf_counter()
        with suppress(LimitReached):
            next(found)
            return
        late = perf_counter() - start < seconds
        _require(not late, "expected the clock to start with the first next, got a deadline before it")


def _counters(backend: Backend) -> None:
    """The counts of the last question are whole numbers from 0, nodes among them."""
    session = _open(backend, empty_board(9))
    if not isinstance(session, SupportsCounters):
        return
    for assume in (NOTHING, givens(HARD), {0: 0}):
        list(islice(iter_answers(session, assume), 2))
        counts = session.counters()
        _require("nodes" in counts, f"expected a count of nodes, got {dict(counts)}")
        _require(min(counts.values()) >= 0, f"expected counts from 0, got {dict(counts)}")
        _require(assume != givens(HARD) or counts["nodes"] > 0, "expected a hard puzzle to take more than 0 nodes")


def _traces(backend: Backend) -> None:
    """A path tree has the solutions of the enumeration, at its leaves too, and the reason why it ended."""
    session = _open(backend, small_board().model)
    if not isinstance(session, SupportsTracing):
        return
    wanted = small_board().under({0: 0b10})
    for stop_after, stopped in ((None, None), (2, "solutions")):
        tree = session.trace({0: 0b10}, stop_after=stop_after)
        _require(tree.stopped == stopped, f"expected a path tree stopped by {stopped}, got {tree.stopped}")
        _require(set(tree.solutions) <= wanted, "expected a path tree with solutions, got one that is none")
        amount = stop_after or len(wanted)
        _require(len(set(tree.solutions)) == amount, f"expected {amount} solutions traced, got {len(set(tree.solutions))}")
        leaves = [state for node, state in tree.replay() if node.fate == "solution"]
        grids = [tuple(1 << value for value in solution) for solution in tree.solutions]
        _require(leaves == grids, "expected the leaves of the path tree to be its solutions, got others")
    tree = session.trace(limits=Limits(seconds=0), stop_after=None)
    _require(tree.stopped == "deadline", f"expected a path tree stopped by a deadline, got {tree.stopped}")


def _harvests(backend: Backend) -> None:
    """A harvest shows each wanted candidate that has a solution; those it calls exhausted occur in no further one."""
    case, session = small_board(), _open(backend, small_board().model)
    if not isinstance(session, SupportsHarvest):
        return
    for assume, cap in ((NOTHING, 1), ({0: 0b10, 5: 0b1000}, 1), ({0: 0b10, 5: 0b1000}, 3), ({0: 0b10, 1: 0b10}, 1)):
        there = case.under(assume)
        wanted = {cell: assume.get(cell, 0b11110) & 0b11110 for cell in range(case.model.board)}
        seen: set[Solution] = set()
        for solution, exhausted, _ in session.harvest(assume, wanted, cap):
            if solution is not None:
                _require(solution in there, f"expected a solution under {dict(assume)}, got {solution!r}, which is none")
                _require(solution not in seen, f"expected solutions not shown before, got {solution!r} again")
                seen.add(solution)
            missed = [one for one in there - seen if any(sets >> one[cell] & 1 for cell, sets in exhausted.items())]
            _require(not missed, f"expected candidates that no further solution has, got some of {missed[:1]}")
        for cell, value in ((cell, value) for cell, domain in wanted.items() for value in range(5) if domain >> value & 1):
            shown, amount = (sum(one[cell] == value for one in some) for some in (seen, there))
            _require(shown >= min(cap, amount), f"expected {cap} of {amount} solutions with {value} in cell {cell}, got {shown}")


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "the 288 grids of 4x4": _small_board,
        **{f"{kind.__name__} against brute force": partial(_solutions, partial(random_cases, (kind,), 2)) for kind in MAKERS},
        "several constraints together": partial(_solutions, lambda: random_cases(tuple(MAKERS), 4)),
        "auxiliaries": partial(_solutions, lambda: random_cases(tuple(MAKERS), 3, AUXILIARIES)),
        "assumptions": _assumptions,
        "an abandoned enumeration": _abandoned,
        "interleaved enumerations": _interleaved,
        "no time": partial(_at_once, Limits(seconds=0), "deadline"),
        "no nodes": _no_nodes,
        "a deadline in the middle": _deadline,
        "cancelled before": partial(_at_once, Limits(seconds=60, nodes=10**9, cancel=CANCELLED), "cancelled"),
        "cancelled meanwhile": _cancelled_meanwhile,
        "generous limits": _generous,
        "never a silent end": _never_silent,
        "when the clock starts": _clock,
        "counters": _counters,
        "traces": _traces,
        "harvests": _harvests,
    }
)
"""Every check of the kit by its name."""
