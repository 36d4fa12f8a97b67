"""Is a puzzle consistent, unique and minimal, and if not, why? And which of its parts are needed?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.backends.fast import LOADED, shape_of
from sudoku_cp.errors import LimitReached, Reason, WrongAnswer
from sudoku_cp.model import Clause, Literal, Model, Statement, to_mask
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries.conflicts import Conflict, Core, minimal_core, smallest_core, step_limits
from sudoku_cp.queries.solution_search import Answer, Engine, is_solution, solve
from sudoku_cp.rules.descriptions import describe_rule
from sudoku_cp.rules.houses import Houses
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from sudoku_cp.backends.assumption_cores import AssumptionSolver
    from sudoku_cp.grid import Cell


# Which givens, candidates and rules does a unique puzzle need? Each is left out alone, to look for another solution.


_K = TypeVar("_K")
MakePuzzle: TypeAlias = "Callable[[], Puzzle | None]"
"""Makes a puzzle to solve, or returns None if it plainly has no solution."""

GLANCE = 0.2
"""Seconds for each question at first, so that a hard one does not hold up the others; then all the time that is left."""
WIDE = 256
"""Cells up to which the array engine is quicker."""


@dataclass(frozen=True)
class Necessity:
    """Which givens a puzzle needs.

    ``witnesses`` has, for each given that is needed, a solution of the puzzle without it and with another value there. Each of
    the ``unnecessary`` can be left out alone. If a limit came first, which is the ``reason``, givens in neither are undecided.
    """

    witnesses: Mapping[Cell, Solution] = field(default_factory=dict, hash=False)
    unnecessary: tuple[Cell, ...] = ()
    reason: Reason | None = None


@dataclass(frozen=True)
class RedundantParts:
    """The ``rules`` (as indices of the puzzle's) and the cells' ``candidates`` that can be left out, each alone.

    If a limit came first, it is the ``reason``, and left the ``undecided_...`` undecided.
    """

    rules: tuple[int, ...] = ()
    candidates: tuple[Cell, ...] = ()
    undecided_rules: tuple[int, ...] = ()
    undecided_candidates: tuple[Cell, ...] = ()
    reason: Reason | None = None


def necessary_givens(puzzle: Puzzle, solution: Solution, *, backend: Engine = "auto", limits: Limits = UNLIMITED) -> Necessity:
    """Return which givens the puzzle needs to have ``solution`` as its only solution, as it must have.

    One question for each given: is there a solution without it that has another value there? Every witness is checked.
    """
    clock = limits.started()
    variants = {cell: partial(_other_given, puzzle, cell, solution[cell]) for cell in puzzle.givens}
    found = _ask_array_engine(puzzle, solution, clock) if backend == "auto" and _array_engine_serves(puzzle, limits) else {}
    _ask(variants, found, None, backend, clock)
    witnesses = {cell: other for cell in variants if (other := found.get(cell))}
    spare = tuple(cell for cell in variants if cell in found and cell not in witnesses)
    return Necessity(MappingProxyType(witnesses), spare, None if len(found) == len(variants) else clock.reached() or "deadline")


def redundant_parts(
    puzzle: Puzzle, solution: Solution, *, backend: Engine = "auto", limits: Limits = UNLIMITED
) -> RedundantParts:
    """Return which rules other than the houses, and which candidates, can be left out; ``solution`` is the only one."""
    clock = limits.started()
    cells = {cell: partial(_other_candidates, puzzle, cell) for cell in puzzle.candidates}
    rules = {
        index: partial(replace, puzzle, rules=puzzle.rules[:index] + puzzle.rules[index + 1 :])
        for index, rule in enumerate(puzzle.rules)
        if not isinstance(rule, Houses)
    }
    by_cell: dict[Cell, Solution | None] = {}
    by_rule: dict[int, Solution | None] = {}
    _ask(cells, by_cell, None, backend, clock)
    _ask(rules, by_rule, solution, backend, clock)
    whole = len(by_cell) == len(cells) and len(by_rule) == len(rules)
    return RedundantParts(
        tuple(index for index in rules if index in by_rule and not by_rule[index]),
        tuple(cell for cell in cells if cell in by_cell and not by_cell[cell]),
        tuple(index for index in rules if index not in by_rule),
        tuple(cell for cell in cells if cell not in by_cell),
        None if whole else clock.reached() or "deadline",
    )


def _other_given(puzzle: Puzzle, cell: Cell, value: int) -> Puzzle | None:
    """Return the puzzle with any value in a cell but its given ``value``; None if the candidates leave none."""
    others = puzzle.candidates.get(cell, to_mask(puzzle.grid.values)) & ~(1 << value)
    givens = {other: given for other, given in puzzle.givens.items() if other != cell}
    return replace(puzzle, givens=givens, candidates={**puzzle.candidates, cell: others}) if others else None


def _other_candidates(puzzle: Puzzle, cell: Cell) -> Puzzle | None:
    """Return the puzzle with the values in a cell that its candidates exclude; None if its given is not one of them."""
    others = to_mask(puzzle.grid.values) & ~puzzle.candidates[cell]
    if cell in puzzle.givens:
        others &= 1 << puzzle.givens[cell]
    return replace(puzzle, candidates={**puzzle.candidates, cell: others}) if others else None


def _ask(
    variants: Mapping[_K, MakePuzzle], found: dict[_K, Solution | None], known: Solution | None, backend: Engine, clock: Clock
) -> None:
    """Write into ``found`` a solution of each puzzle other than the ``known`` one, None if there is none.

    What the limits leave undecided is not written. Puzzles are made when they are asked about; None stands for one without
    solutions.
    """
    solution_limit = 1 if known is None else 2
    for patience in (GLANCE, None):
        for key, make in variants.items():
            if key in found or clock.reached():
                continue
            puzzle = make()
            if puzzle is None:
                found[key] = None
                continue
            left = clock.left() if patience is None else step_limits(clock.left(), patience)
            answer = solve(puzzle, backend=backend, limits=left, solution_limit=solution_limit, expected_count=len(variants))
            clock.nodes += answer.counters.get("nodes", 0)
            other = next((solution for solution in answer.solutions if solution != known), None)
            if other or answer.status in {"none", "unique"}:
                found[key] = other


# --- the array engine ---------------------------------------------------------------------------------------------


def _array_engine_serves(puzzle: Puzzle, limits: Limits) -> bool:
    """Return whether the array engine takes such puzzles and is loaded: loading takes longer than all these questions."""
    return limits.nodes is None and len(puzzle.grid.cells) <= WIDE and shape_of(puzzle.model()) in LOADED


def _ask_array_engine(puzzle: Puzzle, solution: Solution, clock: Clock) -> dict[Cell, Solution | None]:
    """Return what the array engine finds out about the givens within its budget, in the form of `_ask`."""
    import numpy as np  # noqa: PLC0415  # loaded with the kernel

    with loading():
        from sudoku_cp.queries.array_solver import domain_arrays, solve_without_each_given  # noqa: PLC0415  # imports NumPy

    boxes = shape_of(puzzle.model())
    if not puzzle.givens or clock.reached() or boxes is None:
        return {}
    rows, cells = np.zeros(len(puzzle.givens), np.intp), np.array(list(puzzle.givens), np.intp)
    arrays, solutions = domain_arrays([puzzle], boxes), np.array([solution], np.uint8)
    many = solve_without_each_given(*arrays, solutions, (rows, cells), boxes=boxes, limits=clock.left())
    found: dict[Cell, Solution | None] = {}
    for cell, values, count, stopped in zip(puzzle.givens, many.solutions.tolist(), many.counts, many.stopped(1), strict=True):
        if not stopped:
            found[cell] = tuple(values) if count else None
            variant = _other_given(puzzle, cell, solution[cell])
            if count and not (variant and variant.holds(values)):
                raise WrongAnswer(f"expected a solution of {variant!r}, got {values!r}")
    return found


PATIENCE = 10.0
"""Seconds for everything that follows the answer if there is no time limit: some of it may never end."""


@dataclass(frozen=True, repr=False)
class Check(ShortRepr):
    """The answer, and the reasons for it.

    - No solution: the ``conflict``, None if a limit came before one was found.
    - Several: the cells in which the first two ``differ``; the open cells that are ``frozen``, with their value in every
      solution; ``additions``, givens that would leave only the first solution, the ``fewest`` that do or some that suffice
      (None: a limit came before any were found).
    - One: the ``unnecessary`` givens, rules other than houses (as indices) and cells' candidates, each of which can be left out
      alone; ``minimal`` says whether every given is needed, None if that is unknown. The ``undecided_givens``,
      ``undecided_rules`` and ``undecided_candidates`` have the same form.

    ``undecided`` names what the limit, ``reason``, left open: nothing is guessed.
    """

    answer: Answer
    conflict: Conflict | None = None
    differ: tuple[Cell, ...] = ()
    frozen: Mapping[Cell, int] = field(default_factory=dict, hash=False)
    additions: Mapping[Cell, int] | None = field(default=None, hash=False)
    fewest: bool = False
    minimal: bool | None = None
    unnecessary: tuple[Cell, ...] = ()
    unnecessary_rules: tuple[int, ...] = ()
    unnecessary_candidates: tuple[Cell, ...] = ()
    undecided_givens: tuple[Cell, ...] = ()
    undecided_rules: tuple[int, ...] = ()
    undecided_candidates: tuple[Cell, ...] = ()
    undecided: tuple[str, ...] = ()
    reason: Reason | None = None

    @property
    def cells_to_show(self) -> tuple[Cell, ...]:
        """The cells that clash, or in which two solutions differ."""
        return self.conflict.cells if self.conflict else self.differ

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks: the puzzle with `cells_to_show` highlighted, or its one solution."""
        if self.answer.puzzle is None:
            return None
        from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

        solution = self.answer.solution if self.answer.status == "unique" else None
        return svg(Position.of(self.answer.puzzle, solution or ()), pointed=self.cells_to_show)


@checked
def check(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED, patience: float = PATIENCE) -> Check:
    """Return whether the puzzle has exactly one solution, and why or why not, all within ``limits``.

    Without a time limit, everything that follows the answer itself ends after ``patience`` seconds.
    """
    clock = limits.started()
    answer = solve(puzzle, backend=backend, limits=limits)
    clock.nodes += answer.counters.get("nodes", 0)
    left = clock.left()
    behind = replace(left, seconds=patience if left.seconds is None else left.seconds).started()
    match answer.status:
        case "none":
            return _check_contradictory(puzzle, answer, backend, behind)
        case "multiple":
            return _check_ambiguous(puzzle, answer, behind)
        case "unique":
            return _check_unique(puzzle, answer, backend, behind)
        case _:
            return Check(answer, reason=answer.reason)


def _check_contradictory(puzzle: Puzzle, answer: Answer, backend: Engine, clock: Clock) -> Check:
    from sudoku_cp.queries.conflicts import conflict  # noqa: PLC0415  # most puzzles have a solution

    try:
        found = conflict(puzzle, backend=backend, limits=clock.left())
    except LimitReached as reached:
        return Check(answer, undecided=("conflict",), reason=reached.reason)
    undecided = () if found.smallest else ("smallest conflict",) if found.minimal else ("minimal conflict",)
    return Check(answer, found, undecided=undecided, reason=clock.reached() or "deadline" if undecided else None)


def _check_ambiguous(puzzle: Puzzle, answer: Answer, clock: Clock) -> Check:
    first, second = answer.solutions[:2]
    found = ambiguity(puzzle, answer.solutions, limits=clock.left())
    open_ = {"frozen": found.whole, "fewest additions" if found.additions is not None else "additions": found.fewest}
    return Check(
        answer,
        differ=tuple(cell for cell in puzzle.grid.cells if first[cell] != second[cell]),
        frozen=MappingProxyType({cell: first[cell] for cell in found.frozen}),
        additions=None if found.additions is None else MappingProxyType({cell: first[cell] for cell in found.additions}),
        fewest=found.fewest,
        undecided=tuple(name for name, decided in open_.items() if not decided),
        reason=found.reason,
    )


def _check_unique(puzzle: Puzzle, answer: Answer, backend: Engine, clock: Clock) -> Check:

    solution = answer.solutions[0]
    givens = necessary_givens(puzzle, solution, backend=backend, limits=clock.left())
    spare = redundant_parts(puzzle, solution, backend=backend, limits=clock.left())
    open_ = [cell for cell in puzzle.givens if cell not in givens.witnesses and cell not in givens.unnecessary]
    undecided = [puzzle.grid.cell_name(cell) for cell in open_]
    undecided += [f"candidates of {puzzle.grid.cell_name(cell)}" for cell in spare.undecided_candidates]
    undecided += [describe_rule(puzzle.rules[index], puzzle.grid) for index in spare.undecided_rules]
    return Check(
        answer,
        minimal=False if givens.unnecessary else None if open_ else True,
        unnecessary=givens.unnecessary,
        unnecessary_rules=spare.rules,
        unnecessary_candidates=spare.candidates,
        undecided_givens=tuple(open_),
        undecided_rules=spare.undecided_rules,
        undecided_candidates=spare.undecided_candidates,
        undecided=tuple(undecided),
        reason=givens.reason or spare.reason,
    )


# A puzzle with several solutions: which cells are the same in all of them, and which further givens would make it unique?


SURE = 1.0
"""Seconds that another engine gets to confirm that the additions leave one solution."""


@dataclass(frozen=True)
class Ambiguity:
    """The cells that are the same in all solutions, and further givens that would leave only one.

    The ``frozen`` cells, givens aside, hold one value in every solution; if not ``whole``, a limit came first, and they do so in
    all solutions seen. The ``additions``, cells of further givens, would leave only the first solution: the ``fewest``
    that do so, or some that suffice, or None if a limit came before any were found.
    """

    frozen: tuple[Cell, ...] = ()
    whole: bool = False
    additions: tuple[Cell, ...] | None = None
    fewest: bool = False
    reason: Reason | None = None


def ambiguity(puzzle: Puzzle, solutions: Sequence[Solution], *, limits: Limits = UNLIMITED) -> Ambiguity:
    """Return what all solutions have in common, and which givens would leave only the first of the two known ``solutions``."""
    clock = limits.started()
    first = solutions[0]
    open_ = [cell for cell in puzzle.grid.cells if cell not in puzzle.givens]
    same = {cell: first[cell] for cell in open_ if all(other[cell] == first[cell] for other in solutions)}
    try:
        question = _AdditionOracle(puzzle, first, open_, clock)
    except LimitReached as reached:
        return Ambiguity(tuple(same), reason=reached.reason)
    same, whole = _drop_unfrozen(question, same, _half_clock(clock))
    chosen = _fewest_additions(question, len(open_), clock)
    if chosen is None:
        return Ambiguity(tuple(same), whole, reason=clock.reached())
    additions = tuple(open_[number] for number in sorted(chosen.parts))
    _confirm(puzzle.with_givens({**puzzle.givens, **{cell: first[cell] for cell in additions}}), clock)
    sure = whole and chosen.smallest
    return Ambiguity(tuple(same), whole, additions, chosen.smallest, None if sure else clock.reached() or "deadline")


class _AdditionOracle:
    """Answers which open cells can keep the values of the first solution in another one."""

    def __init__(self, puzzle: Puzzle, first: Solution, cells: Sequence[Cell], clock: Clock) -> None:
        with loading():
            from sudoku_cp.backends.assumption_cores import AssumptionSolver  # noqa: PLC0415  # imports a solver library

        model = puzzle.model(clock.check)
        assume = puzzle.assume()
        domains = tuple(domain & assume.get(cell, -1) for cell, domain in enumerate(model.domains))
        held = [[Statement(Clause((Literal(cell, first[cell]),)), "added", "added")] for cell in cells]
        self._parts: AssumptionSolver = AssumptionSolver(Model(domains, model.statements, model.board), held, limits=clock.left())
        self._puzzle, self._first, self._cells = puzzle, first, cells
        self._whole = dict(enumerate(first))

    def ask(self, held: Collection[int], *, clock: Clock) -> Solution | frozenset[int]:
        """Return another solution with the first one's values in the cells ``held``, or some of these that exclude any other."""
        return self._checked(self._parts.ask(held, self._whole, clock=clock))

    def obeyed(self, solution: Solution) -> Iterator[int]:
        """Return the cells that have the value of the first solution."""
        return (number for number, cell in enumerate(self._cells) if solution[cell] == self._first[cell])

    def other(self, same: Mapping[Cell, int], clock: Clock) -> Solution | None:
        """Return a solution that differs from ``same`` in some cell, None if there is none."""
        found = self._checked(self._parts.ask((), same, clock=clock))
        return None if isinstance(found, frozenset) else found

    def _checked(self, found: Solution | frozenset[int]) -> Solution | frozenset[int]:
        if not isinstance(found, frozenset) and not is_solution(self._puzzle, found):
            raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {found!r}")
        return found


def _half_clock(clock: Clock) -> Clock:
    """Return a clock with half of the remaining time."""
    left = clock.left()
    return replace(left, seconds=None if left.seconds is None else left.seconds / 2).started()


def _drop_unfrozen(question: _AdditionOracle, same: dict[Cell, int], clock: Clock) -> tuple[dict[Cell, int], bool]:
    """Drop the cells that differ in another solution; return the rest, and whether no such solution remains."""
    try:
        while same and (other := question.other(same, clock)):
            same = {cell: value for cell, value in same.items() if other[cell] == value}
    except LimitReached:
        return same, False
    return same, True


def _fewest_additions(question: _AdditionOracle, number: int, clock: Clock) -> Core | None:
    """Return the fewest cells whose values exclude all other solutions; a few that do so, or None, if a limit comes first."""
    try:
        core = question.ask(range(number), clock=clock)
    except LimitReached:
        return None
    assert isinstance(core, frozenset)  # noqa: S101  # another solution differs somewhere
    found = minimal_core(question, core, clock)
    return smallest_core(question, number, found, clock) if found.minimal else found


def _confirm(puzzle: Puzzle, clock: Clock) -> None:
    """Have another engine look briefly for a second solution; it must find none."""
    answer = solve(puzzle, limits=step_limits(clock.left(), SURE))
    if answer.status not in {"unique", "unknown"}:
        raise WrongAnswer(f"expected one solution of {puzzle!r}, got {answer.status}")


# Which rules does a position break already, each by itself?


NODES = 1000
"""Guesses for a rule, at most: alone it hardly needs any, and a player is waiting."""
SECONDS = 0.25
"""The same as time; a few kinds, such as unknown regions, are as hard alone as a puzzle."""


@dataclass(frozen=True)
class BrokenRules:
    """The indices of the rules that no filling of the open cells obeys, and of those ``undecided`` at a limit."""

    broken: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()


@checked
def broken_rules(position: Position, *, limits: Limits = UNLIMITED) -> BrokenRules:
    """Return the rules that the values of a position break, each looked at without the others; houses are not looked at.

    A cage whose cells are full and have another sum is broken, and so is one whose rest cannot reach it; a cage that only the
    houses around it make impossible is not.
    """
    puzzle, clock = position.puzzle, limits.started()
    filled = {cell: value for cell, value in enumerate(position.values) if value is not None}
    found: dict[str, list[int]] = {}
    for index, rule in enumerate(puzzle.rules):
        if rule in CLASSIC:
            continue
        left = clock.left()
        short = replace(left, nodes=NODES, seconds=SECONDS if left.seconds is None else min(SECONDS, left.seconds))
        alone = Puzzle(puzzle.grid, (rule,), filled, symbols=puzzle.symbols)
        found.setdefault(solve(alone, limits=short, solution_limit=1).status, []).append(index)
    return BrokenRules(tuple(found.get("none", ())), tuple(found.get("unknown", ())))


# Clashes in words.


_MOST_NAMES = 12
"""Names in a sentence at most; JSON and tables have all."""
_TOGETHER = {1: "", 2: " both"}


def clash_words(puzzle: Puzzle, conflict: Conflict) -> str:
    """Return ``r1c1=1 and r1c2=1 cannot both stand in row 1``: the givens of the puzzle, or entries, that clash."""
    name, sign = puzzle.grid.cell_name, puzzle.symbols.sign
    givens = [f"{name(cell)}={sign(puzzle.givens[cell])}" for cell in conflict.givens]
    givens += [f"the candidates of {name(cell)}" for cell in conflict.candidates]
    rules = [rule.removesuffix(" (houses)") for rule in conflict.rules]
    if not givens:
        return f"the rules by themselves: {_join_names(rules)}"
    clash = f"{_join_names(givens)} cannot{_TOGETHER.get(len(givens), ' all')} stand"
    if len(rules) == 1 and rules[0] != conflict.rules[0]:
        return f"{clash} in {rules[0]}"
    return f"{clash}: {_join_names(rules)} {'forbids' if len(rules) == 1 else 'forbid'} it" if rules else clash


def _join_names(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
