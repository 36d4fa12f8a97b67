"""The documents of SudokuStudio (``?b=`` in its links), converted to those of f-puzzles, which has a key for what they state.

Cells are numbered row by row, and so are their corners. An edge below a cell is twice the cell's number and one, an edge right of
it twice its number without the last column. A clue outside is four times its row or column, 2 more for a row, 1 more at the far
side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.document_fields import short_repr
from sudoku_cp.grid import MAX_SIDE

_Entries: TypeAlias = "list[dict[str, Any]]"

_FLAGS = {"knight": "antiknight", "king": "antiking", "disjointGroups": "disjointgroups"}
_CELLS = {"min": "minimum", "max": "maximum", "odd": "odd", "even": "even"}
_LINES = {
    "thermo": "thermometer",
    "slowThermo": "slowthermometer",
    "between": "betweenline",
    "palindrome": "palindrome",
    "whisper": "whispers",
    "renban": "renban",
}
_EDGES = {"difference": "difference", "ratio": "ratio", "xv": "xv"}
_OUTSIDE = {"sandwich": "sandwichsum", "xsums": "xsum", "skyscraper": "skyscraper"}
_TEXTS = {"title": "title", "author": "author", "description": "ruleset"}
_PLAY = frozenset({"grid", "filled", "corner", "center", "colors"})
"""Elements that say nothing about the puzzle: its lines, and what a player has done."""


def studio_to_fpuzzles(data: Mapping[str, Any], warnings: list[str]) -> dict[str, Any]:
    """Return the f-puzzles document that says the same, or raise `InvalidInput` naming every element that has none."""
    side = data["grid"].get("width")
    if not isinstance(side, int) or side != data["grid"].get("height") or not 1 < side <= MAX_SIDE:
        raise InvalidInput(f"expected a square grid of SudokuStudio, got {short_repr(data['grid'])}")
    document = _Document(side)
    problems: list[str] = []
    elements = data["elements"].values() if isinstance(data["elements"], dict) else ()
    for element in elements:
        kind, value = (element.get("type"), element.get("value")) if isinstance(element, dict) else ("?", element)
        if value in (None, False, {}, []) or kind == "grid":
            continue
        try:
            document.add(str(kind), value)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            problems.append(f"expected an element of SudokuStudio that can be read, got {str(kind)!r}: {short_repr(value)}")
        if kind in _PLAY:
            warnings.append(f"what a player entered is not read: {kind}")
    if problems:
        raise InvalidInput(problems)
    meta = data.get("meta")
    texts = {key: meta[name] for name, key in _TEXTS.items() if meta.get(name)} if isinstance(meta, dict) else {}
    return document.fields | texts


class _Document:
    """An f-puzzles document that grows element by element."""

    def __init__(self, side: int) -> None:
        """Begin with an empty grid of this side."""
        self._side = side
        self._grid: list[list[dict[str, Any]]] = [[{} for _ in range(side)] for _ in range(side)]
        self.fields: dict[str, Any] = {"size": side, "grid": self._grid}

    def add(self, kind: str, value: Any) -> None:
        """Add an element; raises errors of any lookup for one that has no meaning here."""
        if kind in _PLAY:
            return
        if kind == "box":
            self._add_boxes(value["width"], value["height"])
        elif kind == "givens":
            for number, digit in value.items():
                row, column = self._place(number)
                self._grid[row][column] = self._grid[row][column] | {"value": digit, "given": True}
        elif kind in _FLAGS:
            self.fields[_FLAGS[kind]] = {True: True}[value]
        elif kind == "diagonal":
            self.fields |= {"diagonal+": bool(value.get("positive")), "diagonal-": bool(value.get("negative"))}
        elif kind == "consecutive" and not value.get("diag"):
            self.fields["nonconsecutive"] = bool(value.get("orth"))
        else:
            key, entries = self._clues(kind)
            self.fields.setdefault(key, []).extend(entries(value))

    def _clues(self, kind: str) -> tuple[str, Callable[[Any], _Entries]]:
        """Return the key of f-puzzles for clues of a kind, and what makes its entries."""
        others: dict[str, tuple[str, Callable[[Any], _Entries]]] = {
            "killer": ("killercage", self._cages),
            "clone": ("clone", self._clones),
            "quadruple": ("quadruple", self._quadruples),
            "arrow": ("arrow", self._arrows),
        }
        tables: tuple[tuple[Mapping[str, str], Callable[[Any], _Entries]], ...] = (
            (_CELLS, lambda value: [{"cell": self._name(number)} for number, on in value.items() if on]),
            (_LINES, lambda value: [{"lines": [self._names(line)]} for line in value.values()]),
            (_EDGES, lambda value: [self._edge(int(number), clue, roman=kind == "xv") for number, clue in value.items()]),
            (_OUTSIDE, lambda value: [self._outside(int(number), clue) for number, clue in value.items()]),
        )
        return next(((names[kind], entries) for names, entries in tables if kind in names), None) or others[kind]

    def _add_boxes(self, width: int, height: int) -> None:
        across = self._side // width
        for row, cells in enumerate(self._grid):
            for column, cell in enumerate(cells):
                cell["region"] = row // height * across + column // width

    def _cages(self, value: Any) -> _Entries:
        return [
            {"cells": [self._name(number) for number, on in cage["cells"].items() if on]} | _stated(cage.get("sum"))
            for cage in value.values()
        ]

    def _clones(self, value: Any) -> _Entries:
        return [{"cells": self._names(one["a"]), "cloneCells": self._names(one["b"])} for one in value.values()]

    def _quadruples(self, value: Any) -> _Entries:
        entries = []
        for number, digits in value.items():
            row, column = divmod(int(number), self._side + 1)
            cells = [self._cell_name(row + down, column + right) for down in (-1, 0) for right in (-1, 0)]
            entries.append({"cells": cells, "values": [] if digits is True else list(_in_order(digits))})
        return entries

    def _arrows(self, value: Any) -> _Entries:
        return [
            {"cells": self._names(one["bulb"]), "lines": [self._names(one["body"])]} for one in value.values() if one.get("body")
        ]

    def _edge(self, number: int, clue: Any, *, roman: bool) -> dict[str, Any]:
        half, below = divmod(number, 2)
        row, column = divmod(half, self._side if below else self._side - 1)
        cells = [self._cell_name(row, column), self._cell_name(row + below, column + 1 - below)]
        return {"cells": cells} | ({"value": {5: "V", 10: "X"}[clue]} if roman else _stated(clue))

    def _outside(self, number: int, clue: Any) -> dict[str, Any]:
        far = (self._side + 1) * (number & 1)
        place = number >> 2
        self._cell_name(place, 0)
        return {"cell": f"R{place + 1}C{far}" if number & 2 else f"R{far}C{place + 1}"} | _stated(clue)

    # --- cells --------------------------------------------------------------------------------------------------

    def _place(self, number: str | int) -> tuple[int, int]:
        row, column = divmod(int(number), self._side)
        self._cell_name(row, column)
        return row, column

    def _name(self, number: str | int) -> str:
        return self._cell_name(*self._place(number))

    def _names(self, cells: Any) -> list[str]:
        return [self._name(number) for number in _in_order(cells)]

    def _cell_name(self, row: int, column: int) -> str:
        if not (0 <= row < self._side and 0 <= column < self._side):
            raise IndexError(row, column)
        return f"R{row + 1}C{column + 1}"


def _in_order(items: Any) -> Iterator[Any]:
    """Yield the items of an array, or of an object with the keys 0, 1, 2, ..."""
    yield from items if isinstance(items, list) else (items[key] for key in sorted(items, key=int))


def _stated(clue: Any) -> dict[str, Any]:
    return {} if clue in (None, True) else {"value": str(clue)}
