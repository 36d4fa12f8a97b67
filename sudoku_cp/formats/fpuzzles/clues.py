"""The clue keys of an f-puzzles document and the rules they mean: one table for both directions.

A converter turns an entry of its key into rules, and a rule into entries. The keys are those of f-puzzles and those added by
dclamage/SudokuSolver and its user scripts.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.document_fields import is_empty, iter_elements, parse_all, parse_whole_number, short_repr

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules import Rule
    from sudoku_cp.rules.base import Cells


_T = TypeVar("_T")
_NAME = re.compile(r"R([0-9]{1,3})C([0-9]{1,3})", re.IGNORECASE)
STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
"""The directions of little killers: rows down, columns right."""


def place_name(place: Place) -> str:
    """Return ``R4C7`` for the place in row 4, column 7; row 0 is above the grid."""
    return f"R{place[0] + 1}C{place[1] + 1}"


def cell_names(grid: Grid, cells: Iterable[Cell]) -> list[str]:
    """Return the names of cells, in their order."""
    return [place_name(grid.places[cell]) for cell in cells]


def parse_place(name: Any) -> Place:
    """Return the place called ``R4C7``, inside a grid or outside it."""
    found = _NAME.fullmatch(name.strip()) if isinstance(name, str) else None
    if not found:
        raise InvalidInput(f"expected a cell such as 'R4C7', got {short_repr(name)}")
    return int(found[1]) - 1, int(found[2]) - 1


def cells_along(grid: Grid, start: Place, step: Place) -> Cells:
    """Return the cells met from ``start`` (in the grid or just outside of it) in steps, until the grid ends."""
    row, column = start if start in grid.cell_at else (start[0] + step[0], start[1] + step[1])
    found = []
    while (row, column) in grid.cell_at:
        found.append(grid.cell_at[row, column])
        row, column = row + step[0], column + step[1]
    return tuple(found)


class ClueEntry:
    """An entry of a clue key: an object with cells, lines or a value."""

    def __init__(self, grid: Grid, data: Any) -> None:
        """Take the ``data`` of an entry, which must be an object."""
        if not isinstance(data, dict):
            raise InvalidInput(f"expected an object, got {short_repr(data)}")
        self.grid = grid
        self._data = data

    def get(self, field: str) -> Any:
        """Return the field as it is, None if it is empty."""
        data = self._data.get(field)
        return None if is_empty(data) else data

    def number(self, field: str = "value") -> int | None:
        """Return the number in a field, None if there is none."""
        data = self.get(field)
        return None if data is None else self._in(field, lambda: parse_whole_number(data))

    def clue(self) -> int | None:
        """Return the number in ``value``, None if there is none or a question mark."""
        data = self.get("value")
        return None if isinstance(data, str) and not data.strip(" ?") else self.number()

    def numbers(self, field: str) -> tuple[int, ...]:
        """Return all numbers in a field."""
        return self._all(field, parse_whole_number)

    def cells(self, field: str = "cells") -> Cells:
        """Return the cells in a field; a single one may stand in ``cell`` instead."""
        if field == "cells" and self.get("cells") is None and self.get("cell") is not None:
            return (self._in("cell", lambda: self._cell(self._data["cell"])),)
        return self._all(field, self._cell)

    def lines(self) -> tuple[Cells, ...]:
        """Return the cells of every line; a single one may stand in ``cells`` instead."""

        def line(data: Any) -> Cells:
            return parse_all(iter_elements(data, "cell", "a line as an array of cells"), self._cell)

        return self._all("lines", line) if self.get("lines") is not None else (self.cells(),)

    def clue_place(self) -> Place:
        """Return the place of a clue."""
        return self._in("cell", lambda: parse_place(self._data.get("cell")))

    def _cell(self, name: Any) -> Cell:
        cell = self.grid.cell_at.get(parse_place(name))
        if cell is None:
            raise InvalidInput(f"expected a cell of {self.grid}, got {name!r:.80}")
        return cell

    def _all(self, field: str, parse: Callable[[Any], _T]) -> tuple[_T, ...]:
        if self.get(field) is None:
            return ()
        return parse_all(iter_elements(self._data[field], field), parse)

    def _in(self, field: str, parse: Callable[[], _T]) -> _T:
        try:
            return parse()
        except InvalidInput as error:
            raise InvalidInput([f"{field}: {problem}" for problem in error.problems]) from error


# --- converters -------------------------------------------------------------------------------------------------


Item = dict[str, Any]


@dataclass(frozen=True)
class ClueConverter(ABC):
    """Converts the entries of a key to rules of one ``kind`` and back; ``value`` is the field for an entry's value, if any."""

    kind: str
    value: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def make(self, *parts: Any, value: int | None = None) -> Rule:
        """Return the rule with these first fields, and its value if there is one."""
        extra = {self.value: value} if self.value and value is not None else {}
        return make_rule(self.kind, *parts, **extra, **self.fixed)

    def read(self, part: ClueEntry) -> list[Rule]:
        """Return the rules of an entry; an unexpected value may mean another rule, and is refused."""
        if part.get("value") is not None and not self.value:
            raise Unsupported(f"expected no value for this clue, got {short_repr(part.get('value'))}")
        return list(self.rules(part))

    @abstractmethod
    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the rules of an entry."""

    @abstractmethod
    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return the entries that express the rule, None if this key cannot."""

    def value_entry(self, rule: Rule, known: str) -> Item | None:
        """Return the part of a rule's entry besides its field ``known``: the value. None if other fields matter too."""
        for one in fields(rule):
            here = getattr(rule, one.name)
            if one.name not in {known, self.value} and here != self.fixed.get(one.name, one.default):
                return None
        found = getattr(rule, self.value) if self.value else None
        plain = {one.name: one.default for one in fields(rule)}.get(self.value)
        return {} if found is None or found == plain else {"value": str(found)}


class LineConverter(ClueConverter):
    """Each line of an entry is a rule of its own; a line of one cell is a slip of the mouse."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield a rule for each line."""
        value = part.number()
        for line in part.lines():
            if len(line) > 1:
                yield self.make(line, value=value)

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return an entry of one line."""
        extra = self.value_entry(rule, "cells")
        return None if extra is None else [{"lines": [cell_names(grid, rule.cells)], **extra}]


class CellsConverter(ClueConverter):
    """An entry is a group of cells."""

    def number(self, part: ClueEntry) -> int | None:
        """Return the value of an entry, None if it has none."""
        return part.number()

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the rule of the cells, if there are any."""
        if cells := part.cells():
            yield self.make(cells, value=self.number(part))

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return the cells and the value."""
        extra = self.value_entry(rule, "cells")
        return None if extra is None else [{"cells": cell_names(grid, rule.cells), **extra}]


class CageConverter(CellsConverter):
    """A cage whose total is missing, 0 or a question mark has none."""

    def number(self, part: ClueEntry) -> int | None:
        """Return the total."""
        return part.clue() or None


class PairConverter(CellsConverter):
    """An entry is two cells."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the rule of the two."""
        cells = part.cells()
        if len(cells) != 2:  # noqa: PLR2004
            raise InvalidInput(f"expected two cells, got {len(cells)}")
        yield from super().rules(part)


class LetterConverter(PairConverter):
    """An entry is two cells with an X (they add up to 10) or a V (5) between."""

    letters = MappingProxyType({"V": 5, "X": 10})

    def number(self, part: ClueEntry) -> int:
        """Return the sum that the letter means."""
        letter = part.get("value")
        total = self.letters.get(letter.strip().upper()) if isinstance(letter, str) else None
        if total is None:
            raise Unsupported(f"expected 'X' or 'V', got {short_repr(letter)}")
        return total

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the sum; an entry without a letter is ignored."""
        if part.get("value") is not None and self.number(part):
            yield from super().rules(part)

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return the entry with the letter of the sum, if there is one."""
        letter = next((letter for letter, total in self.letters.items() if total == rule.total), None)
        return [{"cells": cell_names(grid, rule.cells), "value": letter}] if letter else None


class MarkConverter(CellsConverter):
    """An entry is a marked cell; the reader puts all of a kind into one rule."""

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return an entry for each cell."""
        return [{"cell": name} for name in cell_names(grid, rule.cells)]


class QuadrupleConverter(ClueConverter):
    """An entry is the cells around a corner and the values in its circle."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the rule, unless the circle is empty."""
        cells, values = part.cells(), part.numbers("values")
        if values and not cells:
            raise InvalidInput("expected the cells around a corner, got none")
        if values:
            yield self.make(cells, values)

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return cells and values."""
        return [{"cells": cell_names(grid, rule.cells), "values": list(rule.digits)}]


class CloneConverter(ClueConverter):
    """An entry is two groups of cells that are equal, cell by cell."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the rule, without cells that are copies of themselves."""
        cells, copies = part.cells(), part.cells("cloneCells")
        if len(cells) != len(copies):
            raise InvalidInput(f"expected as many cells as cloneCells, got {len(cells)} and {len(copies)}")
        pairs = [(cell, copy) for cell, copy in zip(cells, copies, strict=True) if cell != copy]
        if pairs:
            yield self.make(tuple(cell for cell, _ in pairs), (tuple(copy for _, copy in pairs),))

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return an entry for each copy."""
        cells = cell_names(grid, rule.cells)
        return [{"cells": cells, "cloneCells": cell_names(grid, copy)} for copy in rule.copies]


class ArrowConverter(ClueConverter):
    """An entry is a bulb (one cell, or several read as a number) and lines that begin in it."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the arrow of all shafts; a line that never leaves the bulb is ignored."""
        bulb = tuple(sorted(part.cells()))
        shafts = tuple(shaft for line in part.lines() if (shaft := self._shaft(bulb, line)))  # a bulb without lines has none
        if not bulb and shafts:
            raise InvalidInput("expected the cells of a bulb, got none")
        if not shafts:
            return
        if len(bulb) == 1:
            yield make_rule("arrow", bulb[0], shafts)
        else:
            yield make_rule("pill-arrow", bulb, shafts)

    def _shaft(self, bulb: Cells, line: Cells) -> Cells:
        start = next((index for index, cell in enumerate(line) if cell not in bulb), len(line))
        return line[start:]

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return bulb and lines; each line begins in the bulb's cell next to it."""
        bulb = (rule.bulb,) if isinstance(rule.bulb, int) else rule.bulb
        lines = [cell_names(grid, (_nearest_cell(grid, bulb, shaft), *shaft)) for shaft in rule.shafts]
        return [{"cells": cell_names(grid, bulb), "lines": lines}]


def _nearest_cell(grid: Grid, bulb: Cells, shaft: Cells) -> int:
    def far(cell: int) -> int:
        (row, column), (other, across) = grid.places[cell], grid.places[shaft[0]]
        return max(abs(row - other), abs(column - across))

    return min(bulb, key=far)


class OutsideConverter(ClueConverter):
    """An entry is a number outside the grid."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the rule of the row or column that the number looks along; an entry without a number is ignored."""
        number = part.clue()
        if number is None:
            return
        row, column = part.clue_place()
        side = part.grid.boards[0].rows
        step = {(-1, False): (1, 0), (side, False): (-1, 0), (-1, True): (0, 1), (side, True): (0, -1)}
        beside = 0 <= row < side
        looks = step.get((column if beside else row, beside)) if beside or 0 <= column < side else None
        if looks is None:
            raise InvalidInput(f"expected a cell just outside {part.grid}, got {place_name((row, column))!r}")
        yield self.make(cells_along(part.grid, (row, column), looks), value=number)

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return the place before the first cell of a whole row or column."""
        extra = self.value_entry(rule, "cells")
        if extra is None or len(rule.cells) < 2:  # noqa: PLR2004
            return None
        (row, column), (other, across) = (grid.places[cell] for cell in rule.cells[:2])
        place = (2 * row - other, 2 * column - across)
        if place in grid.cell_at or cells_along(grid, place, (other - row, across - column)) != rule.cells:
            return None
        return [{"cell": place_name(place), "value": str(getattr(rule, self.value))}]


class LittleKillerConverter(ClueConverter):
    """An entry is a number outside the grid that looks along a diagonal."""

    def rules(self, part: ClueEntry) -> Iterator[Rule]:
        """Yield the sum; an entry with 0 or no number is ignored."""
        total = part.clue()
        if not total:
            return
        raw = part.get("direction")
        direction = raw.upper() if isinstance(raw, str) else ""
        if direction not in STEPS:
            raise InvalidInput(f"direction: expected one of {', '.join(STEPS)}, got {short_repr(raw)}")
        place = part.clue_place()
        cells = cells_along(part.grid, place, STEPS[direction])
        if not cells or place in part.grid.cell_at:
            raise InvalidInput(f"expected a cell just outside {part.grid}, got {place_name(place)!r} with {direction}")
        yield self.make(cells, value=total)

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return the place and the direction from which the cells are a whole diagonal."""
        for direction, (down, right) in STEPS.items():
            row, column = grid.places[rule.cells[0]]
            place = (row - down, column - right)
            if place not in grid.cell_at and cells_along(grid, place, (down, right)) == rule.cells:
                item = {"cell": place_name(place), "cells": cell_names(grid, rule.cells)}
                return [item | {"direction": direction, "value": str(rule.total)}]
        return None


class DigitalRootConverter(CellsConverter):
    """A cage that is drawn with ``DR5``: its digital root is 5. Other drawn cages have no meaning."""

    def number(self, part: ClueEntry) -> int:
        """Return the root."""
        return int(str(part.get("value")).strip()[2:])

    def write(self, rule: Any, grid: Grid) -> list[Item] | None:
        """Return the drawn cage."""
        drawing = {"outlineC": "#000000", "fontC": "#000000"}
        return [{"cells": cell_names(grid, rule.cells), "value": f"DR{rule.root}", **drawing}]


CLUES: Mapping[str, ClueConverter] = MappingProxyType(
    {
        "odd": MarkConverter("odd"),
        "even": MarkConverter("even"),
        "minimum": MarkConverter("minimum"),
        "maximum": MarkConverter("maximum"),
        "killercage": CageConverter("killer-cage", "total"),
        "cage": DigitalRootConverter("digital-root-cage", "root"),
        "extraregion": CellsConverter("extra-region"),
        "clone": CloneConverter("clone"),
        "quadruple": QuadrupleConverter("quadruple"),
        "difference": PairConverter("difference", "difference"),
        "ratio": PairConverter("ratio", "ratio"),
        "xv": LetterConverter("pair-sum", "total"),
        "thermometer": LineConverter("thermometer"),
        "slowthermometer": LineConverter("slow-thermometer"),
        "whispers": LineConverter("whisper", "difference"),
        "renban": LineConverter("renban"),
        "nabner": LineConverter("nabner"),
        "palindrome": LineConverter("palindrome"),
        "betweenline": LineConverter("between-line"),
        "lockout": LineConverter("lockout-line", "difference"),
        "regionsumline": LineConverter("region-sum-line"),
        "entropicline": LineConverter("entropic-line"),
        "modularline": LineConverter("modular-line"),
        "zipperline": LineConverter("zipper-line"),
        "doublearrow": LineConverter("double-arrow"),
        "arrow": ArrowConverter("arrow"),
        "littlekillersum": LittleKillerConverter("little-killer", "total"),
        "sandwichsum": OutsideConverter("sandwich", "total"),
        "xsum": OutsideConverter("x-sum", "total"),
        "skyscraper": OutsideConverter("skyscraper", "visible"),
        "rowindexer": CellsConverter("indexer", fixed=MappingProxyType({"rows": True})),
        "columnindexer": CellsConverter("indexer"),
        "boxindexer": CellsConverter("box-indexer"),
    }
)
"""The keys with entries, in the order in which rules are read and written."""

FLAGS: Mapping[str, str] = MappingProxyType(
    {"antiknight": "anti-knight", "antiking": "anti-king", "disjointgroups": "disjoint-groups"}
)
"""The keys that are on or off, and the rules they mean."""


# The negative constraints of f-puzzles, about neighbours without a mark, and the key nonconsecutive.
#
# Kropki dots of either colour exempt their cells from the negatives of both colours, X and V likewise.


@dataclass(frozen=True)
class Negative:
    """The rule ``kind`` that forbids ``values`` (those of rules ``mark``, if any), except at marks of the kinds ``off``."""

    kind: str
    values: str
    mark: str
    usual: tuple[int, ...]
    off: tuple[str, ...]
    always: bool = False

    def rule(self, rules: Iterable[Any]) -> Rule:
        """Return the negative rule for a puzzle with these other rules."""
        marks = [rule for rule in rules if rule.kind in self.off]
        field = {"difference": "difference", "ratio": "ratio", "pair-sum": "total"}[self.mark]
        there = () if self.always else tuple(sorted({getattr(rule, field) for rule in marks if rule.kind == self.mark}))
        values = {self.values: there or self.usual} if self.values else {}
        return make_rule(self.kind, **values, exempt=sorted_pairs(rule.cells for rule in marks))


def sorted_pairs(pairs: Iterable[Cells]) -> tuple[Cells, ...]:
    """Return the pairs in ascending order, each once."""
    return tuple(sorted({(min(pair), max(pair)) for pair in pairs}))


_DOTS = ("difference", "ratio")
NEGATIVES: Mapping[str, Negative] = MappingProxyType(
    {
        "nonconsecutive": Negative("nonconsecutive", "", "difference", (), _DOTS),
        "difference": Negative("negative-difference", "differences", "difference", (1,), _DOTS),
        "ratio": Negative("negative-ratio", "ratios", "ratio", (2,), _DOTS),
        "xv": Negative("negative-sum", "sums", "pair-sum", (5, 10), ("pair-sum",), always=True),
    }
)
"""The key ``nonconsecutive``, and the names allowed in the key ``negative``."""


def meanings(rules: Iterable[Any]) -> Iterator[object]:
    """Yield a normal form of rules: the order of cells, or splitting a rule in two, makes no difference."""
    for rule in rules:
        match rule.kind:
            case "odd" | "even":
                yield from ((rule.kind, cell) for cell in rule.cells)
            case "minimum" | "maximum":
                yield rule.kind, frozenset(rule.cells)
            case "diagonals":
                yield from ((rule.kind, name) for name in ("down", "up") if getattr(rule, name))
            case "clone":
                yield from ((rule.kind, frozenset(pair)) for copy in rule.copies for pair in zip(rule.cells, copy, strict=True))
            case "arrow" | "pill-arrow":
                yield from ((rule.kind, rule.bulb, shaft) for shaft in rule.shafts)
            case "nonconsecutive" | "negative-difference" | "negative-ratio" | "negative-sum":
                negative = next(one for one in NEGATIVES.values() if one.kind == rule.kind)
                values = frozenset(getattr(rule, negative.values)) if negative.values else None
                yield rule.kind, values, sorted_pairs(rule.exempt)
            case _:
                yield rule
