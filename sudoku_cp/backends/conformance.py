"""The kit that every backend passes, ours and a third party's alike: what the contract promises, asked of an engine.

``check(backend)`` returns what is wrong, an empty list where nothing is; `CHECKS` has the same questions by name, for a
test runner. An engine that takes only some models raises `Unsupported` when another is opened, and is asked about the rest;
plain grids every engine takes. Rules of this file: answers are held against brute force over ``holds``, never against another
engine; random models come from fixed seeds; a limit has `LATE` seconds to take effect.
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

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Cancellation, Counters, Limits, Solution, Traces
from sudoku_cp.errors import LimitReached, Reason, Unsupported
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Model,
    Relation,
    Table,
    build,
    members,
    to_mask,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.base import Backend, Session

Check: TypeAlias = "Callable[[Backend], None]"
"""Asks an engine something, and raises `AssertionError` with what is wrong with the answer."""
Maker: TypeAlias = Callable[[Random, Sequence[Cell]], Constraint]
"""Makes a random constraint on some of the cells it is shown."""

_T = TypeVar("_T")

LATE = 1.0
"""Seconds that an engine may go on after a limit."""
VALUES = range(7)
"""What cells of random models may hold."""
RELATIONS: tuple[Relation, ...] = ("==", "!=", "<=", ">=")
AUXILIARIES = (-1, -2)
CANCELLED = Cancellation()
CANCELLED.cancel()
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
"""Arto Inkala's "AI Escargot" of 2006."""
SOLVED = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"


def check(backend: Backend) -> list[str]:
    """Return every promise of the contract that ``backend`` breaks, in words."""
    problems = []
    for name, asked in CHECKS.items():
        try:
            asked(backend)
        except AssertionError as error:
            problems.append(f"{name}: {error}")
        except Exception as error:  # noqa: BLE001  # whatever an engine dies of is its failure, and the next check's no matter
            problems.append(f"{name}: raised {error!r}")
    return problems


# --- models with known answers ----------------------------------------------------------------------------------


class Case(NamedTuple):
    """A model and its solutions, found by trying everything."""

    model: Model
    solutions: frozenset[Solution]

    @staticmethod
    def of(model: Model) -> Case:
        """Return the case of ``model``, trying all values of all its cells."""
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
    return build([to_mask(grid.values)] * len(grid.cells), [("houses", houses)])


@lru_cache
def small_board() -> Case:
    """Return the empty 4x4 board and its 288 grids, each two bands that agree with each other."""
    rows = tuple(permutations(range(1, 5)))
    bands = [(*one, *other) for one in rows for other in rows if len({*one[:2], *other[:2]}) == len(one)]
    columns = [range(column, 16, 4) for column in range(4)]
    grids = (top + bottom for top in bands for bottom in bands)
    whole = (grid for grid in grids if all(len({grid[cell] for cell in column}) == len(column) for column in columns))
    return Case(empty_board(4), frozenset(whole))


@lru_cache
def pigeons(holes: int = 11) -> Model:
    """Return one pigeon too many for the holes: no solution, and long to refute in clauses that speak of two pigeons each."""
    apart = (
        Clause((Literal(one, hole, equal=False), Literal(other, hole, equal=False)))
        for one, other in combinations(range(holes + 1), 2)
        for hole in range(holes)
    )
    return build([to_mask(range(holes))] * (holes + 1), [("pigeons", (("apart", clause) for clause in apart))])


@lru_cache
def crowded() -> Assumed:
    """Return pigeons in a row of the 16x16 board: twelve cells share eleven values."""
    return dict.fromkeys(range(12), to_mask(range(1, 12)))


def cyclic(height: int, width: int) -> Assumed:
    """Return all givens of a grid with boxes of that size, each row the one above it, moved on."""
    side = height * width
    return {cell: 2 << (row % height * width + row // height + cell) % side for cell in range(side**2) for row in [cell // side]}


def givens(line: str) -> Assumed:
    """Return what a line of digits and dots assumes."""
    return {cell: 1 << int(sign) for cell, sign in enumerate(line) if sign != "."}


# --- random models ----------------------------------------------------------------------------------------------


def _apart(random: Random, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Some cells, seldom one of them twice, which no solution survives."""
    found = random.sample(cells, random.randint(0, min(4, len(cells))))
    return (*found, *(found[:1] if random.randrange(5) == 0 else ()))


def _any(random: Random, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Some cells, perhaps one of them twice, perhaps none."""
    return tuple(random.choices(cells, k=random.choice((0, 1, 2, 2, 2, 3, 3, 3, 3, 4))))


def _many(random: Random, most: int, one: Callable[[], _T]) -> frozenset[_T]:
    """None, a few or many things."""
    return frozenset(one() for _ in range(random.choice((0, most // 10, most // 2, most))))


MAKERS: Mapping[type[Constraint], Maker] = MappingProxyType(
    {
        AllDifferent: lambda random, cells: AllDifferent(_apart(random, cells)),
        DigitSet: lambda random, cells: DigitSet(
            own := _apart(random, cells),
            _many(random, 40, lambda: to_mask(random.sample(VALUES, max(0, len(own) + random.choice((-1, 0, 0, 0, 1)))))),
        ),
        Linear: lambda random, cells: Linear(
            tuple((cell, random.randint(-3, 3)) for cell in _any(random, cells)), random.choice(RELATIONS), random.randint(-6, 12)
        ),
        Table: lambda random, cells: Table(
            own := _any(random, cells), _many(random, 150, lambda: tuple(random.choices(VALUES, k=len(own))))
        ),
        Automaton: lambda random, cells: Automaton(
            _any(random, cells),
            random.randrange(4),
            _many(random, 80, lambda: (random.randrange(4), random.choice(VALUES), random.randrange(4))),
            frozenset(random.sample(range(4), random.randint(0, 2))),
        ),
        Clause: lambda random, cells: Clause(
            tuple(Literal(cell, random.choice(VALUES), random.choice((True, True, False))) for cell in _any(random, cells))
        ),
        Count: lambda random, cells: Count(
            _any(random, cells), frozenset(random.sample(VALUES, 3)), random.choice(RELATIONS), random.randint(-1, 4)
        ),
    }
)
"""How to make a random one of each of the seven."""


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
        case = Case.of(build(domains, [("first", parts[:1]), ("second", parts[1:])]))
        if case.solutions or 3 * sum(not one.solutions for one in found) < len(found):
            found.append(case)
    return found


def _require(truth: object, problem: str) -> None:
    if not truth:
        raise AssertionError(problem)


def _expect(session: Session, case: Case, assume: Assumed = NOTHING, limits: Limits = UNLIMITED) -> None:
    """Require that the session finds what there is, each solution once."""
    wanted = case.under(assume)
    # One more than there are, and no further: an engine that repeats itself may never end.
    found = list(islice(session.solutions(assume, limits=limits), len(wanted) + 1))
    wrong = [one for one in found if one not in wanted]
    about = f"under {dict(assume)} of {case.model.constraints!r:.500} on {case.model.domains!r:.100}"
    _require(not wrong, f"expected solutions, got {wrong[:1]}, which is none, {about}")
    _require(len(set(found)) == len(found), f"expected each solution once, got one again, {about}")
    _require(len(found) == len(wanted), f"expected {len(wanted)} solutions, got {len(found)}, {about}")


def _stopped(found: Iterable[Solution], reason: Reason, seconds: float, *, endless: bool = True) -> None:
    """Require `LimitReached` for that reason within that time; only where the search is not ``endless`` may it end."""
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


def _solved(session: Session) -> None:
    """Require that a session on the empty 9x9 board solves `HARD`."""
    found = list(session.solutions(givens(HARD)))
    _require(found == [tuple(map(int, SOLVED))], f"expected the one solution of a hard puzzle, got {found!r:.500}")


def _taken(backend: Backend, model: Model) -> Session | None:
    """Return a session on the model, None where the engine does not take it."""
    with suppress(Unsupported):
        return backend.open(model)
    return None


def _without_end(backend: Backend) -> list[tuple[Session, Assumed, bool]]:
    """Return questions that take for ever: solutions without end, and (where that is not told) a search without a solution.

    Each session has answered another question before: an engine may have to prepare itself for a shape of board.
    """
    many = backend.open(empty_board(9))
    _solved(many)
    none, crowd = _taken(backend, pigeons()), NOTHING
    if none is None:
        none, crowd = backend.open(empty_board(16)), crowded()
        _require(len(list(none.solutions(cyclic(4, 4)))) == 1, "expected the one solution of a full 16x16 grid")
    return [(many, NOTHING, True), (none, crowd, False)]


# --- the checks -------------------------------------------------------------------------------------------------


def _small_board(backend: Backend) -> None:
    """The engine takes a plain grid and finds all its solutions."""
    _expect(backend.open(small_board().model), small_board())


def _solutions(cases: Callable[[], Iterable[Case]], backend: Backend) -> None:
    """The engine finds the solutions that trying everything finds, of the models that it takes."""
    for case in cases():
        session = _taken(backend, case.model)
        if session:
            _expect(session, case)


def _random_givens(random: Random, case: Case) -> Assumed:
    """Single values and sets of them, values that the cell never had, sometimes nothing at all."""
    cells = random.sample(range(case.model.board), random.randint(1, min(5, case.model.board)))
    return {cell: random.choice((1 << random.choice(VALUES), random.getrandbits(7), 2**7 - 3, -1)) for cell in cells}


def _assumptions(backend: Backend) -> None:
    """A session answers question after question, each under its own givens alone, the contradictory among them."""
    random = Random(1)  # noqa: S311
    small = [*random_cases(tuple(MAKERS), 3), *random_cases(tuple(MAKERS), 3, AUXILIARIES)]
    for case, questions in (*((case, 6) for case in small), (small_board(), 80)):
        session = backend.open(case.model) if case is small_board() else _taken(backend, case.model)
        if session is None:
            continue
        whole = [{cell: 1 << value for cell, value in enumerate(one)} for one in sorted(case.solutions)[:2]]
        for assume in (*(_random_givens(random, case) for _ in range(questions)), {0: 0}, NOTHING, *whole):
            _expect(session, case, assume)


def _abandoned(backend: Backend) -> None:
    """An enumeration given up in the middle leaves no trace."""
    session = backend.open(small_board().model)
    for many in (1, 5, 100):
        _require(len(list(islice(session.solutions(), many))) == many, f"expected {many} solutions of 288")
        _expect(session, small_board(), {0: 0b10})
        _expect(session, small_board())


def _interleaved(backend: Backend) -> None:
    """Two enumerations that are open at a time, and a third one in between, do not disturb each other; nor do two sessions."""
    board = small_board()
    session, another = backend.open(board.model), backend.open(board.model)
    asked: list[tuple[Session, Assumed]] = [(session, {0: 0b10}), (session, {0: 0b110, 5: 0b11000}), (another, {3: 0b10})]
    running = [iter(one.solutions(assume)) for one, assume in asked]
    found: list[list[Solution]] = [[] for _ in asked]
    for step in range(len(board.solutions) + 1):
        for number, one in enumerate(running):
            found[number] += islice(one, 1)
        if step % 20 == 0:
            _expect(session, board, {7: 1 << 1 + step % 4, 8: 0b110})
    for (_, assume), solutions in zip(asked, found, strict=True):
        wanted = board.under(assume)
        _require(
            len(solutions) == len(wanted) and set(solutions) == wanted,
            f"expected {len(wanted)} solutions under {dict(assume)} beside other questions, got {len(solutions)}",
        )


def _at_once(limits: Limits, reason: Reason, backend: Backend) -> None:
    """Limits that leave nothing stop a question at once, and do not stop the next one."""
    session = backend.open(small_board().model)
    _stopped(session.solutions(limits=limits), reason, 0)
    _expect(session, small_board(), {0: 0b10})


def _no_nodes(backend: Backend) -> None:
    """A search that may spend nothing is stopped, and does not stop the next one; what takes no search may be answered."""
    for session, assume, endless in _without_end(backend):
        _stopped(session.solutions(assume, limits=Limits(nodes=0)), "nodes", 0)
        if endless:
            _solved(session)


def _deadline(backend: Backend) -> None:
    """A deadline stops an enumeration without end, and a search without a solution."""
    for session, assume, endless in _without_end(backend):
        _stopped(session.solutions(assume, limits=Limits(seconds=0.3)), "deadline", 0.3, endless=endless)
        if endless:
            _solved(session)


def _cancelled_meanwhile(backend: Backend) -> None:
    """A cancellation from another thread stops an enumeration without end, and a search without a solution."""
    for session, assume, endless in _without_end(backend):
        cancel = Cancellation()
        timer = Timer(0.2, cancel.cancel)
        timer.start()
        _stopped(session.solutions(assume, limits=Limits(cancel=cancel)), "cancelled", 0.2, endless=endless)
        if endless:
            _solved(session)


def _generous(backend: Backend) -> None:
    """A limit that is not reached changes nothing."""
    session = backend.open(small_board().model)
    for limits in (Limits(seconds=600), Limits(nodes=10**9), Limits(cancel=Cancellation()), Limits(600, 10**9, Cancellation())):
        _expect(session, small_board(), limits=limits)


def _never_silent(backend: Backend) -> None:
    """However small a limit is, the answer is whole or the limit says that it is not."""
    limits = [Limits(nodes=nodes) for nodes in (0, 1, 2, 3, 5, 8, 20, 50, 200, 400)]
    limits += [Limits(seconds=10**exponent) for exponent in (-5, -4, -3.5, -3, -2.5, -2, -1.5)]
    hard = Case(empty_board(9), frozenset({tuple(map(int, SOLVED))}))
    for case, assume in ((small_board(), NOTHING), (hard, givens(HARD))):
        session = backend.open(case.model)
        for limit in limits:
            try:
                _expect(session, case, assume, limit)
            except LimitReached as reached:
                reason = "nodes" if limit.seconds is None else "deadline"
                _require(reached.reason == reason, f"expected {reason!r} under {limit}, got {reached.reason!r}")
        _expect(session, case, assume)


def _clock(backend: Backend) -> None:
    """The clock starts with the first solution that is wanted, not before."""
    found = iter(backend.open(small_board().model).solutions(limits=Limits(seconds=0.5)))
    sleep(0.6)
    with suppress(LimitReached):
        next(found)
        return
    _require(truth=False, problem="expected the clock to start with the first next, got a deadline before it")


def _counters(backend: Backend) -> None:
    """The counts of the last question are whole numbers from 0, nodes among them."""
    session = backend.open(empty_board(9))
    if not isinstance(session, Counters):
        return
    for assume in (NOTHING, givens(HARD), {0: 0}):
        list(islice(session.solutions(assume), 2))
        counts = session.counters()
        _require("nodes" in counts, f"expected a count of nodes, got {dict(counts)}")
        _require(min(counts.values()) >= 0, f"expected counts from 0, got {dict(counts)}")
        _require(assume != givens(HARD) or counts["nodes"] > 0, "expected a hard puzzle to take more than 0 nodes")


def _traces(backend: Backend) -> None:
    """A path tree has the solutions of the enumeration, at its leaves too, and says why it ended."""
    session = backend.open(small_board().model)
    if not isinstance(session, Traces):
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
    }
)
"""Every question of the kit by its name."""
