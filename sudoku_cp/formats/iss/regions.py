"""Words about what hangs together, and about regions that are to be found or that miss a value: some bring cells with them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.iss.cells import BREAK, runs
from sudoku_cp.formats.iss.groups import DOPPELGANGERS
from sudoku_cp.formats.iss.places import number
from sudoku_cp.formats.iss.strings import word_text
from sudoku_cp.formats.iss.words import Saying, flag, holds, made
from sudoku_cp.rules.base import moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sudoku_cp.formats.iss.places import Plan
    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.rules.base import Rule

_NONE = -1
"""No region."""


class _State(NamedTuple):
    """What an automaton that counts cells of a region knows: the place on its line, the region, how many, and if it is in."""

    place: int
    region: int
    counted: int
    inside: bool


# --- connected values -------------------------------------------------------------------------------------------


def _read_connected(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    prefix, said, *more = (*arguments, "", "")[: max(2, len(arguments))]
    if prefix and prefix not in plan.groups:
        raise Unsupported(f"expected the values of the board or of cells beside it that a word says, got those of {prefix!r:.20}")
    if len(more) > 1 or not said:
        raise ParseError(f"expected values such as '1_2' and perhaps a number of cells, got {'~'.join(arguments)[:40]!r}")
    size = number(more[0]) if more and more[0] else 0
    digits = tuple(map(plan.value, said.split("_")))
    group = plan.groups.get(prefix)
    listed: dict[str, Any] = {"cells": tuple(range(plan.size))} if plan.groups else {}
    if group:
        listed = {"cells": group.cells, "columns": group.columns}
    return [made("connected-values", digits=digits, size=size or None, **listed)]


def _write_connected(plan: Plan, rule: Any) -> list[str] | None:
    if not rule.digits or not set(rule.digits) <= set(plan.values) or rule.size == 0:
        return None
    board = tuple(range(plan.size))
    whole = tuple(sorted(rule.cells or plan.grid.cells)) == board if rule.columns is None else rule.cells == board
    where = [""] * (whole and rule.columns in {None, plan.columns})
    where += [group.prefix for group in plan.groups.values() if (group.cells, group.columns) == (rule.cells, rule.columns)]
    size = [] if rule.size is None else [rule.size]
    return [word_text("ConnectedValues", where[0], "_".join(map(str, rule.digits)), *size)] if where else None


# --- doppelgangers ----------------------------------------------------------------------------------------------

_PLAIN = flag("Doppelganger", "doppelganger", lambda plan, _: not plan.regions or plan.grid.boards[0].regions is not None)


def _read_doppelganger(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    """Return the rule; or, where cells beside the board hold what is missed, what it says about those."""
    if not plan.groups:
        return _PLAIN.read(plan, arguments)
    if arguments or plan.values != range(plan.rows + 1) or not plan.is_square or plan.raw:
        raise ParseError(f"expected a square board with values from 0 to its side and no arguments, got {plan.grid}")
    zero, columns, rows, *boxes = (plan.groups[prefix] for prefix in DOPPELGANGERS if prefix in plan.groups)
    misses = [*rows.cells, *columns.cells, *chain.from_iterable(group.cells for group in boxes)]
    houses = list(plan.grid.houses.values())[: len(misses)]  # those of the board: its rows, its columns, its boxes
    found = [made("extra-region", cells=(*house, miss)) for house, miss in zip(houses, misses, strict=True)]
    found += [made("extra-region", cells=(*group.cells, *zero.cells)) for group in (rows, columns, *boxes)]
    others = plan.values[1:]
    for cell in range(plan.size):
        around = tuple(miss for house, miss in zip(houses, misses, strict=True) if cell in house)
        found.append(made("any-of", rules=(holds(cell, others), made("extra-region", cells=around))))
    return [*found, holds(zero.cells[0], (0,))]


# --- chaos construction -----------------------------------------------------------------------------------------


def _read_chaos(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    if arguments:
        raise ParseError(f"expected no arguments, got {'~'.join(arguments)[:40]!r}")
    size = plan.region_size or plan.longest
    return [made("chaos-construction", size=None if size == len(plan.values) else size, regions=plan.region_numbers)]


def _write_chaos(plan: Plan, rule: Any) -> list[str] | None:
    fits = (rule.size or len(plan.values)) == (plan.region_size or plan.longest)
    return [word_text("ChaosConstruction")] if fits and rule.regions in {(), plan.region_numbers} else None


def _read_arrow(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    control, more, rest = _split(plan, arguments)
    arms = [plan.cells(run) for run in runs(rest) if run] or _ways(plan, control)
    _all_regions(plan, chain.from_iterable(arms))
    if len({arm[0] for arm in arms}) > 1:
        raise ParseError("expected arms that begin in the same region cell, got others")
    longer = [arm[1:] for arm in arms if len(arm) > 1]
    return [_run(plan, control, arms[0][0], longer, more)]


def _ways(plan: Plan, control: Cell) -> list[tuple[Cell, ...]]:
    """Return the numbers of the regions of a cell and of those left, right, above and below it."""
    row, column = _place_on_board(plan, control)
    lefts, rights = range(column, -1, -1), range(column, plan.columns)
    ups, downs = range(row, -1, -1), range(row, plan.rows)
    places = [[(row, at) for at in way] for way in (lefts, rights)] + [[(at, column) for at in way] for way in (ups, downs)]
    return [tuple(plan.region_numbers[row * plan.columns + column] for row, column in way) for way in places]


def _run(plan: Plan, control: Cell, start: Cell, arms: list[tuple[Cell, ...]], more: int) -> Rule:
    """Return that the cell counts those at the beginning of each arm in the region of the start, which counts once."""
    cells = (start, *chain.from_iterable(arms))
    begins = {1 + sum(map(len, arms[:index])) for index in range(len(arms))} if len(arms) > 1 else set()

    def step(state: _State, value: int) -> _State | None:
        place, region, count, inside = state
        if place == 0:
            return _State(1, value, 1, inside=True)
        if begins and place == len(cells):
            return None
        inside = (inside or place in begins) and value == region
        place += bool(begins)  # a single arm needs no places
        return _State(place, region if inside or begins else _NONE, count + inside, inside)

    return _counted(plan, cells, control, more, step)


def _read_count(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    control, more, rest = _split(plan, arguments)
    cells = plan.cells(rest) if rest else _block(plan, control)
    _all_regions(plan, cells)
    return [_region_count(plan, control, cells, more)]


def _region_count(plan: Plan, control: Cell, cells: tuple[Cell, ...], more: int) -> Rule:
    """Return that the cell counts those in the region of the first."""

    def step(state: _State, value: int) -> _State:
        if state.place == 0:
            return _State(1, value, 1, inside=True)
        return state._replace(counted=state.counted + (value == state.region))

    return _counted(plan, cells, control, more, step)


def _counted(plan: Plan, cells: tuple[Cell, ...], control: Cell, more: int, step: Callable[[_State, int], _State | None]) -> Rule:
    """Return the automaton that counts cells, and then reads the cell that says how many they are, ``more`` left out."""
    most = plan.values[-1] + more
    start = _State(0, _NONE, 0, inside=False)
    numbers, waiting = {start: 0}, [start]
    edges = []
    for state in waiting:  # grows while it is walked
        for value in plan.values:
            after = step(state, value)
            if after is None or after.counted > most:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            edges.append((numbers[state], value, numbers[after]))
    end = len(numbers)
    edges += [(number, value, end) for state, number in numbers.items() for value in plan.values if value + more == state.counted]
    return made("automaton", cells=(*cells, control), start=(0,), edges=tuple(edges), accepting=(end,))


def _split(plan: Plan, arguments: Sequence[str]) -> tuple[Cell, int, Sequence[str]]:
    """Return the cell that counts, how many cells it leaves out, and the names of the others."""
    if not plan.region_numbers:
        raise ParseError("expected the word ChaosConstruction beside it, got none")
    first, more, *rest = (*arguments, "", "")[: max(2, len(arguments))]
    if more not in {"", "0", "1"} or not first:
        raise ParseError(f"expected a cell, and 0 or 1 for a first cell that counts or not, got {'~'.join(arguments)[:40]!r}")
    return plan.cell(first), int(more or 0), rest


def _all_regions(plan: Plan, cells: Iterable[Cell]) -> None:
    others = [cell for cell in dict.fromkeys(cells) if cell not in plan.region_numbers]
    if others:
        raise ParseError(f"expected cells such as 'CC1' for the numbers of regions, got {', '.join(plan.names(others))[:40]}")


def _place_on_board(plan: Plan, cell: Cell) -> Place:
    prefix, place = plan.home(cell)
    if prefix:
        raise ParseError(f"expected a cell of the board where no others are named, got {plan.name(cell)!r}")
    return place


def _block(plan: Plan, control: Cell) -> tuple[Cell, ...]:
    """Return the numbers of the regions of a cell and of the eight around it."""
    row, column = _place_on_board(plan, control)
    around = [(0, 0), *((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))]
    places = ((row + down, column + right) for down, right in around)
    return tuple(plan.region_numbers[cell] for place in places if (cell := plan.at("", place)) is not None)


def _write_arrow(plan: Plan, rule: Any) -> list[str] | None:
    """Write an automaton as the arrow that it was read from; an arm is taken to end where the next cell does not touch it."""
    start, *others, control = (*rule.cells, -1, -1)[: max(2, len(rule.cells))]
    if not {start, *others} <= {*plan.region_numbers} or control in plan.region_numbers:
        return None
    arms: list[list[Cell]] = []
    for cell in others:
        if arms and plan.touching((arms[-1][-1], cell)):
            arms[-1].append(cell)
        else:
            arms.append([cell])
    for more in (0, 1):
        if _run(plan, control, start, [tuple(arm) for arm in arms], more) == rule:
            names = [name for arm in arms or [[]] for name in (BREAK, *plan.names((start, *arm)))]
            return [word_text("ChaosArrow", plan.name(control), more, *names[1:])]
    return None


def _write_count(plan: Plan, rule: Any) -> list[str] | None:
    """Write an automaton as the count that it was read from."""
    *cells, control = rule.cells or (-1,)
    if not cells or not {*cells} <= {*plan.region_numbers} or control in plan.region_numbers:
        return None
    for more in (0, 1):
        if _region_count(plan, control, tuple(cells), more) == rule:
            return [word_text("ChaosCount", plan.name(control), more, *plan.names(cells))]
    return None


_ALIKE = frozenset({"extra-region", "same-value-sets", "count-distinct", "palindrome", "chaos-construction"})
_JOINED = frozenset({"any-of", "all-of"})


def compares_numbers(plan: Plan, rule: Any) -> bool:
    """Say whether a rule may mean something else where unknown regions are numbered otherwise, as in a string they may be."""
    if not plan.region_numbers or rule.kind in _JOINED:
        return False
    cells = set[int]()

    def note(cell: Cell) -> Cell:
        cells.add(cell)
        return cell

    moved(rule, note)
    if rule.kind == "automaton":
        return _write_arrow(plan, rule) is None and _write_count(plan, rule) is None and bool(cells & {*plan.region_numbers})
    alike = rule.kind in _ALIKE and getattr(rule, "cell", -1) not in plan.region_numbers
    return bool(cells & {*plan.region_numbers}) and not alike


def numbered_regions(numbers: Mapping[Cell, int]) -> list[Rule]:
    """Return that cells for which a string gives the same number of a region lie in one region, those with others in others."""
    together: dict[int, list[Cell]] = {}
    for cell, number_of in numbers.items():
        together.setdefault(number_of, []).append(cell)
    same = [made("same-value-sets", groups=tuple((cell,) for cell in cells)) for cells in together.values() if cells[1:]]
    apart = [made("extra-region", cells=tuple(cells[0] for cells in together.values()))] if len(together) > 1 else []
    return [*same, *apart]


SAYINGS = (
    Saying("ConnectedValues", "connected-values", _read_connected, _write_connected, nests=False),
    Saying("Doppelganger", "doppelganger", _read_doppelganger, _PLAIN.write, nests=False),
    Saying("ChaosConstruction", "chaos-construction", _read_chaos, _write_chaos, nests=False),
    Saying("ChaosArrow", "automaton", _read_arrow, _write_arrow),
    Saying("ChaosCount", "automaton", _read_count, _write_count),
)
