"""Words about connected cells, unknown regions and regions that miss a value; some of them bring extra cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.iss.board_layout import number
from sudoku_cp.formats.iss.cell_set_words import BREAK, runs
from sudoku_cp.formats.iss.extra_cells import DOPPELGANGERS
from sudoku_cp.formats.iss.word_converters import WordConverter, allow_values, flag
from sudoku_cp.formats.iss.word_syntax import word_text
from sudoku_cp.rules.base import move_rule

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout
    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.rules.base import Rule


# --- connected values -------------------------------------------------------------------------------------------


def _read_connected(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    prefix, spec, *more = (*arguments, "", "")[: max(2, len(arguments))]
    if prefix and prefix not in layout.groups:
        raise Unsupported(
            f"expected the values of the board or of cells beside it that a word declares, got those of {prefix!r:.20}"
        )
    if len(more) > 1 or not spec:
        raise ParseError(f"expected values such as '1_2' and perhaps a number of cells, got {'~'.join(arguments)[:40]!r}")
    size = number(more[0]) if more and more[0] else 0
    digits = tuple(map(layout.value, spec.split("_")))
    group = layout.groups.get(prefix)
    listed: dict[str, Any] = {"cells": tuple(range(layout.size))} if layout.groups else {}
    if group:
        listed = {"cells": group.cells, "columns": group.columns}
    return [make_rule("connected-values", digits=digits, size=size or None, **listed)]


def _write_connected(layout: IssLayout, rule: Any) -> list[str] | None:
    if not rule.digits or not set(rule.digits) <= set(layout.values) or rule.size == 0:
        return None
    board = tuple(range(layout.size))
    whole = tuple(sorted(rule.cells or layout.grid.cells)) == board if rule.columns is None else rule.cells == board
    where = [""] * (whole and rule.columns in {None, layout.columns})
    where += [group.prefix for group in layout.groups.values() if (group.cells, group.columns) == (rule.cells, rule.columns)]
    size = [] if rule.size is None else [rule.size]
    return [word_text("ConnectedValues", where[0], "_".join(map(str, rule.digits)), *size)] if where else None


# --- doppelgangers ----------------------------------------------------------------------------------------------

_PLAIN = flag("Doppelganger", "doppelganger", lambda layout, _: not layout.regions or layout.grid.boards[0].regions is not None)


def _read_doppelganger(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    """Return the rule; or, if extra cells hold the missing values, what it means for those."""
    if not layout.groups:
        return _PLAIN.read(layout, arguments)
    if arguments or layout.values != range(layout.rows + 1) or not layout.is_square or layout.raw:
        raise ParseError(f"expected a square board with values from 0 to its side and no arguments, got {layout.grid}")
    zero, columns, rows, *boxes = (layout.groups[prefix] for prefix in DOPPELGANGERS if prefix in layout.groups)
    misses = [*rows.cells, *columns.cells, *chain.from_iterable(group.cells for group in boxes)]
    houses = list(layout.grid.houses.values())[: len(misses)]  # those of the board: its rows, its columns, its boxes
    found = [make_rule("extra-region", cells=(*house, miss)) for house, miss in zip(houses, misses, strict=True)]
    found += [make_rule("extra-region", cells=(*group.cells, *zero.cells)) for group in (rows, columns, *boxes)]
    others = layout.values[1:]
    for cell in range(layout.size):
        around = tuple(miss for house, miss in zip(houses, misses, strict=True) if cell in house)
        found.append(make_rule("any-of", rules=(allow_values(cell, others), make_rule("extra-region", cells=around))))
    return [*found, allow_values(zero.cells[0], (0,))]


# --- chaos construction -----------------------------------------------------------------------------------------


def _read_chaos(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    if arguments:
        raise ParseError(f"expected no arguments, got {'~'.join(arguments)[:40]!r}")
    size = layout.region_size or layout.longest
    return [make_rule("chaos-construction", size=None if size == len(layout.values) else size, regions=layout.region_numbers)]


def _write_chaos(layout: IssLayout, rule: Any) -> list[str] | None:
    fits = (rule.size or len(layout.values)) == (layout.region_size or layout.longest)
    return [word_text("ChaosConstruction")] if fits and rule.regions in {(), layout.region_numbers} else None


def _read_arrow(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    control, more, rest = _split_arguments(layout, arguments)
    arms = [layout.cells(run) for run in runs(rest) if run] or _ways_from(layout, control)
    _require_region_cells(layout, chain.from_iterable(arms))
    if len({arm[0] for arm in arms}) > 1:
        raise ParseError("expected arms that begin in the same region cell, got others")
    longer = tuple(arm for arm in arms if len(arm) > 1) or (arms[0],)
    return [make_rule("region-count", cell=control, arms=longer, others=bool(more))]


def _ways_from(layout: IssLayout, control: Cell) -> list[tuple[Cell, ...]]:
    """Return the numbers of the regions of a cell and of those left, right, above and below it."""
    row, column = _place_on_board(layout, control)
    lefts, rights = range(column, -1, -1), range(column, layout.columns)
    ups, downs = range(row, -1, -1), range(row, layout.rows)
    places = [[(row, at) for at in way] for way in (lefts, rights)] + [[(at, column) for at in way] for way in (ups, downs)]
    return [tuple(layout.region_numbers[row * layout.columns + column] for row, column in way) for way in places]


def _read_count(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    control, more, rest = _split_arguments(layout, arguments)
    cells = layout.cells(rest) if rest else _cells_around(layout, control)
    _require_region_cells(layout, cells)
    arms = tuple((cells[0], other) for other in cells[1:]) or (cells,)
    return [make_rule("region-count", cell=control, arms=arms, others=bool(more))]


def _split_arguments(layout: IssLayout, arguments: Sequence[str]) -> tuple[Cell, int, Sequence[str]]:
    """Return the cell that counts, how many cells it leaves out, and the names of the others."""
    if not layout.region_numbers:
        raise ParseError("expected the word ChaosConstruction with it, got none")
    first, more, *rest = (*arguments, "", "")[: max(2, len(arguments))]
    if more not in {"", "0", "1"} or not first:
        raise ParseError(f"expected a cell, and 0 or 1 for a first cell that counts or not, got {'~'.join(arguments)[:40]!r}")
    return layout.cell(first), int(more or 0), rest


def _require_region_cells(layout: IssLayout, cells: Iterable[Cell]) -> None:
    others = [cell for cell in dict.fromkeys(cells) if cell not in layout.region_numbers]
    if others:
        raise ParseError(f"expected cells such as 'CC1' for the numbers of regions, got {', '.join(layout.names(others))[:40]}")


def _place_on_board(layout: IssLayout, cell: Cell) -> Place:
    prefix, place = layout.home(cell)
    if prefix:
        raise ParseError(f"expected a cell of the board where no others are named, got {layout.name(cell)!r}")
    return place


def _cells_around(layout: IssLayout, control: Cell) -> tuple[Cell, ...]:
    """Return the numbers of the regions of a cell and of the eight around it."""
    row, column = _place_on_board(layout, control)
    around = [(0, 0), *((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))]
    places = ((row + down, column + right) for down, right in around)
    return tuple(layout.region_numbers[cell] for place in places if (cell := layout.at("", place)) is not None)


def _write_region_count(layout: IssLayout, rule: Any) -> list[str] | None:
    """Write a count with arms to single cells as one of these cells, any other as an arrow."""
    if not {*chain.from_iterable(rule.arms)} <= {*layout.region_numbers} or rule.cell in layout.region_numbers:
        return None
    first = layout.name(rule.arms[0][0])
    if all(len(arm) == 2 for arm in rule.arms):  # noqa: PLR2004
        ends = layout.names([arm[1] for arm in rule.arms])
        return [word_text("ChaosCount", layout.name(rule.cell), int(rule.others), first, *ends)]
    names = [name for arm in rule.arms for name in (BREAK, *layout.names(arm))]
    return [word_text("ChaosArrow", layout.name(rule.cell), int(rule.others), *names[1:])]


_ALIKE = frozenset({"extra-region", "same-value-sets", "count-distinct", "palindrome", "chaos-construction", "region-count"})
_JOINED = frozenset({"any-of", "all-of"})


def compares_numbers(layout: IssLayout, rule: Any) -> bool:
    """Return whether a rule depends on how unknown regions are numbered, which a string does not fix."""
    if not layout.region_numbers or rule.kind in _JOINED:
        return False
    cells = set[int]()

    def note(cell: Cell) -> Cell:
        cells.add(cell)
        return cell

    move_rule(rule, note)
    alike = rule.kind in _ALIKE and getattr(rule, "cell", -1) not in layout.region_numbers
    return bool(cells & {*layout.region_numbers}) and not alike


def rules_of_region_numbers(numbers: Mapping[Cell, int]) -> list[Rule]:
    """Return the rules that cells with the same given region number lie in one region, and others in different ones."""
    together: dict[int, list[Cell]] = {}
    for cell, number_of in numbers.items():
        together.setdefault(number_of, []).append(cell)
    same = [make_rule("same-value-sets", groups=tuple((cell,) for cell in cells)) for cells in together.values() if cells[1:]]
    apart = [make_rule("extra-region", cells=tuple(cells[0] for cells in together.values()))] if len(together) > 1 else []
    return [*same, *apart]


CONVERTERS = (
    WordConverter("ConnectedValues", "connected-values", _read_connected, _write_connected, nests=False),
    WordConverter("Doppelganger", "doppelganger", _read_doppelganger, _PLAIN.write, nests=False),
    WordConverter("ChaosConstruction", "chaos-construction", _read_chaos, _write_chaos, nests=False),
    WordConverter("ChaosArrow", "region-count", _read_arrow, _write_region_count),
    WordConverter("ChaosCount", "region-count", _read_count, _write_region_count),
)
