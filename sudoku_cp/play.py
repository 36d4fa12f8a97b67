"""Games that people play: what a page saves of them, read, checked and replayed.

The rules of play themselves, what an entry does and what undo takes back, are the page's (`service/static/game.js`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Position

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


__all__ = [
    "CellState",
    "GameStatistics",
    "HistoryEntry",
    "PenMark",
    "SavedGame",
    "game_statistics",
    "parse_saved_game",
    "pen_marks",
    "position_of",
    "replay",
    "saved_game_to_json",
]

# Saved games: what a page writes of a game, as checked data, and back.
#
# The saved data are ``{"version": 1, "settings": {...}, "history": {"entries": [...], "at": 7, "last": [...]}}``. Entry 0 is
# the start; any other has a ``parent`` before it, and ``changes``: cell, state before, state after. A state is ``{"value",
# "corner", "centre", "colours"}``. An entry of the pen has ``pen``: a mark by its name, its colour before and after (null: none).
# So a game is a tree of entries, and what is on the board follows from the way to the entry ``at``.


VERSION = 1
COLOURS = 9
"""How many colours a cell or a mark of the pen can have."""
MOST_ENTRIES = 1_000_000
_MARKS = ("corner", "centre", "colours")


@dataclass(frozen=True)
class CellState:
    """What a player put into a cell: a value (None if it is open), corner marks, centre marks, colours from 1."""

    value: int | None = None
    corner: tuple[int, ...] = ()
    centre: tuple[int, ...] = ()
    colours: tuple[int, ...] = ()


EMPTY = CellState()
PenShape: TypeAlias = Literal["line", "cross", "circle", "letter"]
HalfPoint: TypeAlias = tuple[int, int]
"""Half cells down and right from the corner of the plane: cells have odd numbers, corners even ones, edges one of each."""


@dataclass(frozen=True)
class PenMark:
    """A mark of the pen: a line between cells or corners, a cross or a circle at a point, a letter in a cell."""

    shape: PenShape
    points: tuple[HalfPoint, ...]
    letter: str = ""

    def __str__(self) -> str:
        """Return the name of the mark, as saved games have it."""
        return " ".join((self.shape, *self.letter, *(f"{down},{right}" for down, right in self.points)))


_PEN_NAME = re.compile(r"(line|cross|circle|letter)(?: ([A-Z]))?((?: \d{1,4},\d{1,4}){1,2})")


def _pen_mark(name: object) -> PenMark | None:
    """Return the mark of a name; None if no mark has it."""
    found = _PEN_NAME.fullmatch(name) if isinstance(name, str) else None
    if not found:
        return None
    shape, letter, places = found.groups()
    points = tuple((int(down), int(right)) for down, right in (place.split(",") for place in places.split()))
    mark = PenMark(cast("PenShape", shape), points, letter or "")
    return mark if _is_drawn(mark) else None


def _is_drawn(mark: PenMark) -> bool:
    """Return whether a mark has what its shape needs, and no more: points, and a letter in a cell."""
    if mark.shape == "line":
        return len(mark.points) == 2 and not mark.letter and _is_step(*mark.points)  # noqa: PLR2004  # from, to
    is_letter = mark.shape == "letter"
    in_cell = all(axis % 2 for axis in mark.points[0])
    return len(mark.points) == 1 and bool(mark.letter) == is_letter and (in_cell or not is_letter)


def _is_step(start: HalfPoint, end: HalfPoint) -> bool:
    """Return whether a line goes from a cell to its neighbour, or along an edge, in the order of reading."""
    far = [abs(one - other) for one, other in zip(start, end, strict=True)]
    between_cells = all(one % 2 for one in start) and max(far) == _CELL and min(far) in {0, _CELL}
    along_edge = not any(one % 2 for one in start) and sorted(far) == [0, _CELL]
    return start < end and (between_cells or along_edge)


_CELL = 2
"""The side of a cell in half cells."""


@dataclass(frozen=True)
class HistoryEntry:
    """One gesture: the entry before it, what it changed, the cells that were selected, and what the page says of it.

    ``changes`` has for each cell its state before and after, ``pen`` for each mark of the pen its colour before and after;
    ``name`` is that of a checkpoint; ``seconds`` is what the clock showed.
    """

    parent: int | None
    changes: Mapping[Cell, tuple[CellState, CellState]] = field(default_factory=dict, hash=False)
    selected: tuple[Cell, ...] = ()
    words: Mapping[str, Any] | str = ""
    name: str = ""
    seconds: float | None = None
    pen: Mapping[PenMark, tuple[int | None, int | None]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class SavedGame:
    """A game of a puzzle: its history as a tree of ``entries``, the entry that it is ``at``, and the player's settings.

    ``last`` has for each entry the one that redo goes to.
    """

    puzzle: Puzzle
    entries: tuple[HistoryEntry, ...]
    at: int
    last: tuple[int | None, ...]
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def way(self, to: int | None = None) -> list[int]:
        """Return the entries from the start to one, or to the present one, both included."""
        found = []
        entry: int | None = self.at if to is None else to
        while entry is not None:
            found.append(entry)
            entry = self.entries[entry].parent
        return found[::-1]


# --- reading ----------------------------------------------------------------------------------------------------


def parse_saved_game(data: Any, puzzle: Puzzle) -> SavedGame:
    """Return the game of plain data about this puzzle; raise `InvalidInput` with everything that is wrong with it."""
    reader = _Reader(puzzle)
    document = reader.mapping(data, "a saved game")
    if document.get("version") != VERSION:
        raise InvalidInput(f"version: expected {VERSION}, got {document.get('version')!r:.40}")
    history = reader.mapping(document.get("history"), "history")
    raw = history.get("entries")
    if not isinstance(raw, list) or not 1 <= len(raw) <= MOST_ENTRIES:
        raise InvalidInput(f"history/entries: expected an array of 1 to {MOST_ENTRIES:,} entries, got {raw!r:.40}")
    entries = tuple(reader.entry(number, one) for number, one in enumerate(raw))
    at = reader.index(history.get("at"), "history/at", len(entries))
    last = history.get("last") or [None] * len(entries)
    if not isinstance(last, list) or len(last) != len(entries):
        reader.problems.append(f"history/last: expected an array of {len(entries)} entries or nulls, got {last!r:.40}")
        last = []
    redo = tuple(
        None if one is None else reader.index(one, f"history/last/{number}", len(entries)) for number, one in enumerate(last)
    )
    settings = reader.mapping(document.get("settings") or {}, "settings")
    if reader.problems:
        raise InvalidInput(reader.problems)
    return SavedGame(puzzle, entries, at, redo, dict(settings))


class _Reader:
    """Reads parts of a saved game, and collects what is wrong with them."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._places = frozenset(puzzle.grid.places)
        self.problems: list[str] = []

    def mapping(self, data: Any, where: str) -> Mapping[str, Any]:
        """Return a JSON object."""
        if not isinstance(data, Mapping):
            raise InvalidInput(f"{where}: expected a JSON object, got {data!r:.40}")
        return data

    def index(self, data: Any, where: str, stop: int) -> int:
        """Return a number from 0 to below ``stop``."""
        if isinstance(data, int) and not isinstance(data, bool) and 0 <= data < stop:
            return data
        self.problems.append(f"{where}: expected a number from 0 to {stop - 1}, got {data!r:.40}")
        return 0

    def entry(self, number: int, data: Any) -> HistoryEntry:
        """Return an entry; entry 0 has no parent and changes nothing."""
        where = f"history/entries/{number}"
        found = self.mapping(data, where)
        parent = found.get("parent")
        if number:
            parent = self.index(parent, f"{where}/parent", number)
        elif parent is not None or found.get("changes"):
            came = f"the parent {parent!r:.40} and the changes {found.get('changes')!r:.40}"
            self.problems.append(f"{where}: expected a start without a parent and changes, got {came}")
            parent = None
        changes: dict[Cell, tuple[CellState, CellState]] = {}
        for place, change in enumerate(self._array(found.get("changes"), f"{where}/changes")):
            changes |= self._change(change, f"{where}/changes/{place}") if number else {}
        cells = len(self._puzzle.grid.cells)
        selected = self._array(found.get("selected"), f"{where}/selected")
        words, name, seconds = found.get("words", ""), found.get("name", ""), found.get("seconds")
        if not isinstance(words, str | Mapping) or not isinstance(name, str) or not isinstance(seconds, int | float | None):
            came = ", ".join(f"{one!r:.40}" for one in (words, name, seconds))
            self.problems.append(f"{where}: expected words, a name as a text, and seconds as a number, got {came}")
        chosen = tuple(self.index(one, f"{where}/selected", cells) for one in selected)
        return HistoryEntry(parent, changes, chosen, words, str(name), seconds, self._pen(found.get("pen"), f"{where}/pen"))

    def _pen(self, data: Any, where: str) -> dict[PenMark, tuple[int | None, int | None]]:
        """Return what the pen changed: a mark by its name, its colour before and after."""
        changes: dict[PenMark, tuple[int | None, int | None]] = {}
        for place, one in enumerate(self._array(data, where)):
            name, *colours = one if isinstance(one, list) else [None]
            mark = _pen_mark(name)
            if mark is None or len(colours) != 2:  # noqa: PLR2004  # before, after
                words = f"expected a mark such as 'cross 2,1', its colour before and after, got {one!r:.60}"
                self.problems.append(f"{where}/{place}: {words}")
            elif not all(self._touches(point) for point in mark.points):
                self.problems.append(f"{where}/{place}: expected a mark on {self._puzzle.grid}, got {name!r}")
            else:
                before, after = (None if each is None else self._colour(each, f"{where}/{place}") for each in colours)
                changes[mark] = (before, after)
        return changes

    def _touches(self, point: HalfPoint) -> bool:
        """Return whether a point lies on a cell, its edge or its corner."""
        rows, columns = ([axis // 2] if axis % 2 else [axis // 2 - 1, axis // 2] for axis in point)
        return any((row, column) in self._places for row in rows for column in columns)

    def _change(self, data: Any, where: str) -> dict[Cell, tuple[CellState, CellState]]:
        if not isinstance(data, list) or len(data) != 3:  # noqa: PLR2004  # cell, before, after
            self.problems.append(f"{where}: expected a cell, its state before and after, got {data!r:.40}")
            return {}
        wrong = len(self.problems)
        cell = self.index(data[0], f"{where}/0", len(self._puzzle.grid.cells))
        if len(self.problems) > wrong:
            return {}
        before, after = (self._state(one, f"{where}/{place}") for place, one in ((1, data[1]), (2, data[2])))
        if cell in self._puzzle.givens and any(replace(one, colours=()) != EMPTY for one in (before, after)):
            name = self._puzzle.grid.cell_name(cell)
            self.problems.append(f"{where}: expected only colours in {name}, which is given, got a value or marks")
        return {cell: (before, after)}

    def _state(self, data: Any, where: str) -> CellState:
        found = self.mapping(data, where)
        value = found.get("value")
        if value is not None:
            value = self._value(value, f"{where}/value")
        corner, centre = (self._marks(found.get(name), f"{where}/{name}", self._value) for name in _MARKS[:2])
        colours = self._marks(found.get("colours"), f"{where}/colours", self._colour)
        return CellState(value, corner, centre, colours)

    def _marks(self, data: Any, where: str, parse: Callable[[Any, str], int]) -> tuple[int, ...]:
        return tuple(sorted({parse(one, where) for one in self._array(data, where)}))

    def _value(self, data: Any, where: str) -> int:
        return self._number(data, where, self._puzzle.grid.values)

    def _colour(self, data: Any, where: str) -> int:
        return self._number(data, where, range(1, COLOURS + 1))

    def _number(self, data: Any, where: str, known: range) -> int:
        if isinstance(data, int) and not isinstance(data, bool) and data in known:
            return data
        self.problems.append(f"{where}: expected a number from {known.start} to {known.stop - 1}, got {data!r:.40}")
        return known.start

    def _array(self, data: Any, where: str) -> list[Any]:
        if data is None:
            return []
        if isinstance(data, list):
            return data
        self.problems.append(f"{where}: expected an array, got {data!r:.40}")
        return []


# --- writing ----------------------------------------------------------------------------------------------------


def saved_game_to_json(game: SavedGame) -> dict[str, Any]:
    """Return a game as the plain data that a page reads."""
    history = {"entries": [dict(_entry_fields(entry)) for entry in game.entries], "at": game.at, "last": list(game.last)}
    return {"version": VERSION, "settings": dict(game.settings), "history": history}


def _entry_fields(entry: HistoryEntry) -> Iterator[tuple[str, Any]]:
    yield "parent", entry.parent
    yield "changes", [[cell, _state_to_json(before), _state_to_json(after)] for cell, (before, after) in entry.changes.items()]
    yield "selected", list(entry.selected)
    yield "words", entry.words
    yield from (("name", entry.name),) if entry.name else ()
    yield from (("seconds", entry.seconds),) if entry.seconds is not None else ()
    yield from (("pen", [[str(mark), *colours] for mark, colours in entry.pen.items()]),) if entry.pen else ()


def _state_to_json(state: CellState) -> dict[str, Any]:
    return {"value": state.value, **{name: list(getattr(state, name)) for name in _MARKS}}


# Replay of saved games: the state of every cell after any entry of a history, and the position that it is.


def replay(game: SavedGame, entry: int | None = None) -> tuple[CellState, ...]:
    """Return what a player has in each cell after an entry, or after the present one.

    Raises `InvalidInput` if an entry on the way changes a cell from a state that it is not in.
    """
    puzzle = game.puzzle
    states = [EMPTY] * len(puzzle.grid.cells)
    problems = []
    for number in game.way(entry):
        for cell, (before, after) in game.entries[number].changes.items():
            if states[cell] != before:
                name = puzzle.grid.cell_name(cell)
                problems.append(f"history/entries/{number}: expected {name} to be as the entry before it left it, got {before}")
            states[cell] = after
    if problems:
        raise InvalidInput(problems)
    return tuple(states)


def pen_marks(game: SavedGame, entry: int | None = None) -> dict[PenMark, int]:
    """Return the colour of each mark of the pen after an entry, or after the present one.

    Raises `InvalidInput` if an entry on the way changes a mark from a colour that it does not have.
    """
    colours: dict[PenMark, int] = {}
    problems = []
    for number in game.way(entry):
        for mark, (before, after) in game.entries[number].pen.items():
            if (present := colours.pop(mark, None)) != before:
                problems.append(f"history/entries/{number}: expected the mark '{mark}' in colour {present}, got {before}")
            if after is not None:
                colours[mark] = after
    if problems:
        raise InvalidInput(problems)
    return colours


def position_of(game: SavedGame, entry: int | None = None) -> Position:
    """Return the position after an entry, or after the present one: givens, values entered, and centre marks of open cells."""
    puzzle, states = game.puzzle, replay(game, entry)
    values = [puzzle.givens.get(cell, state.value) for cell, state in enumerate(states)]
    position = Position.of(puzzle, values)
    marks = tuple(0 if value is not None else to_mask(state.centre) for value, state in zip(values, states, strict=True))
    return Position(puzzle, position.values, position.origins, marks)


# What a saved game shows of the way it was played.


@dataclass(frozen=True)
class GameStatistics:
    """Numbers about a game.

    ``moves`` are the gestures on the way to the present entry, ``undone`` those that are not on it; ``values`` and ``marks`` how
    many were entered on the way; ``wrong`` how many of the values entered on the way differ from the solution, None if that is
    unknown; ``seconds`` is what the clock showed, None if the page did not write it.
    """

    moves: int
    undone: int
    values: int
    marks: int
    filled: int
    cells: int
    wrong: int | None
    seconds: float | None


def game_statistics(game: SavedGame) -> GameStatistics:
    """Return the numbers about a game at its present entry."""
    puzzle, way = game.puzzle, game.way()
    changes = [change for number in way for change in game.entries[number].changes.items()]
    entered = [(cell, after.value) for cell, (before, after) in changes if after.value not in {None, before.value}]
    marks = sum(len({*after.corner, *after.centre} - {*before.corner, *before.centre}) for _, (before, after) in changes)
    solution = puzzle.solution
    states = replay(game)
    times = [seconds for number in way if (seconds := game.entries[number].seconds) is not None]
    return GameStatistics(
        moves=len(way) - 1,
        undone=len(game.entries) - len(way),
        values=len(entered),
        marks=marks,
        filled=len(puzzle.givens) + sum(state.value is not None for state in states),
        cells=len(puzzle.grid.cells),
        wrong=None if solution is None else sum(solution[cell] != value for cell, value in entered),
        seconds=max(times, default=None),
    )
