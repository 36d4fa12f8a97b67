"""Convert an f-puzzles document (plain JSON data) to a puzzle and back."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.document_fields import ProblemCollector, is_empty, iter_elements, short_repr
from sudoku_cp.formats.fpuzzles.grid_fields import (
    STEPS,
    ClueEntry,
    cell_names,
    cells_along,
    place_name,
    read_contents,
    read_grid,
    read_solution,
    write_cells,
)
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules import Rule
    from sudoku_cp.rules.base import Cells


# The clue keys of an f-puzzles document and the rules they mean: one table for both directions.
#
# A converter turns an entry of its key into rules, and a rule into entries. The keys are those of f-puzzles and those added by
# dclamage/SudokuSolver and its user scripts.


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


_TEXTS = ("title", "author", "ruleset")
_DIAGONALS = ("diagonal-", "diagonal+")
_KNOWN = {"size", "grid", "solution", "negative", "nonconsecutive", *_DIAGONALS, *_TEXTS, *FLAGS, *CLUES}
_IGNORED = {"highlightConflicts", "disabledlogic", "truecandidatesoptions", "id", "customcolors"}
"""How the site shows the puzzle."""
_WORDS = ("successMessage", "metadata")
"""Messages to people."""
_DRAWINGS = ("line", "rectangle", "circle", "text", "cage")
_PLAY = ("fogofwar", "foglight", "foglink", "triggereffect")
"""Keys that only matter while a person plays."""
_ROOT = re.compile(r"\s*DR[0-9]{1,2}\s*", re.IGNORECASE)
_NOTE = re.compile(r"[^: ]+:\s")
"""SudokuPad keeps notes such as ``msgcorrect: well done`` in cages."""
_OF_A_RULE = ("isNewConstraint", "fromRangskSolver", "fromConstraint")
"""How tools mark drawings of rules that the document states as well."""


# --- reading ----------------------------------------------------------------------------------------------------


def puzzle_from_fpuzzles(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a document, or raise `InvalidInput` with everything that is wrong with it."""
    if not isinstance(data, dict):
        raise InvalidInput(f"expected an f-puzzles document as a JSON object, got {short_repr(data)}")
    collector = ProblemCollector(warnings)
    texts: dict[str, Any] = {key: collector.read(key, partial(_parse_text, data.get(key))) or "" for key in _TEXTS}
    _report_unknown(data, collector)
    grid = read_grid(data, collector)
    if grid is None:
        collector.raise_problems()
        raise AssertionError  # a document without a grid has a problem
    contents = read_contents(data, grid, collector)
    clues = _split_cages(data, collector)
    rules: list[Rule] = [make_rule("houses"), *_flags(data, collector)]
    rules += [make_rule(kind, tuple(cells)) for kind, cells in sorted(contents.parity.items())]
    for key, clue in CLUES.items():
        for path, entry in collector.read(key, partial(_entries, key, clues.get(key))) or ():
            rules += collector.read(path, partial(_read_clue, clue, grid, entry)) or ()
    rules = _merge_marks(rules)
    rules += [NEGATIVES[name].rule(rules) for name in _negatives(data, collector)]
    solution = collector.read("solution", lambda: read_solution(data.get("solution"), grid, warnings))
    given = (contents.givens, contents.candidates)
    return collector.require("", lambda: Puzzle(grid, tuple(rules), *given, **texts, solution=solution))


def _read_clue(clue: ClueConverter, grid: Grid, entry: Any) -> list[Rule]:
    return clue.read(ClueEntry(grid, entry))


def _parse_text(raw: Any) -> str:
    if is_empty(raw):
        return ""
    if not isinstance(raw, str):
        raise InvalidInput(f"expected a text, got {short_repr(raw)}")
    return raw


def _entries(key: str, raw: Any) -> list[tuple[str, Any]]:
    """Return the entries of a key that are not empty, each with its path."""
    return [] if is_empty(raw) else [(path, one) for path, one in iter_elements(raw, key) if not is_empty(one)]


def _merge_marks(rules: list[Rule]) -> list[Rule]:
    """Return the rules with all marked cells of a kind in one rule: neighbours with the same mark are not compared."""
    cells: dict[str, list[int]] = {}
    for rule in rules:
        if rule.kind in {"odd", "even", "minimum", "maximum"}:
            cells.setdefault(rule.kind, []).extend(rule.cells)  # type: ignore[attr-defined]
    merged = [make_rule(kind, tuple(dict.fromkeys(found))) for kind, found in cells.items()]
    return [rule for rule in rules if rule.kind not in cells] + merged


def _flags(data: Mapping[str, Any], collector: ProblemCollector) -> Iterator[Rule]:
    """Yield the rules of keys that are on."""
    on = {key: collector.read(key, partial(_parse_flag, data.get(key))) for key in (*_DIAGONALS, *FLAGS)}
    down, up = (bool(on[key]) for key in _DIAGONALS)
    if down or up:
        yield make_rule("diagonals", down, up)
    yield from (make_rule(kind) for key, kind in FLAGS.items() if on[key])


def _parse_flag(raw: Any) -> bool:
    if not isinstance(raw, bool | None):
        raise InvalidInput(f"expected true or false, got {short_repr(raw)}")
    return bool(raw)


def _negatives(data: Mapping[str, Any], collector: ProblemCollector) -> Iterator[str]:
    """Yield the names of the negative rules."""
    if collector.read("nonconsecutive", partial(_parse_flag, data.get("nonconsecutive"))):
        yield "nonconsecutive"
    raw = data.get("negative")
    for path, name in collector.read("negative", lambda: list(iter_elements(raw or [], "negative"))) or ():
        if name in ("difference", "ratio", "xv"):
            yield name
        else:
            collector.problems.append(f"{path}: expected 'ratio', 'xv' or 'difference', got {short_repr(name)}")


def _split_cages(data: Mapping[str, Any], collector: ProblemCollector) -> dict[str, Any]:
    """Return the document with only those drawn cages that have a meaning, and warn of all other drawings."""
    clues, drawn = dict(data), []
    cages = data.get("cage")
    for key in _DRAWINGS:
        items = data.get(key)
        if isinstance(items, list):
            unsaid = [one for one in items if isinstance(one, dict) and not any(one.get(name) for name in _OF_A_RULE)]
            count = sum(key != "cage" or not (_is_root(one) or _is_note(one)) for one in unsaid)
            if count:
                drawn.append(f"{count} {key}{'s' * (count > 1)}")
    if isinstance(cages, list):
        notes = [str(one["value"]).split(":")[0][:40] for one in cages if isinstance(one, dict) and _is_note(one)]
        collector.warnings += [f"not read: {note!r}" for note in dict.fromkeys(notes)]
        clues["cage"] = [one for one in cages if _is_root(one)]
    if drawn:
        collector.warnings.append(f"drawings are not read: {', '.join(drawn)}")
    play = [key for key in _PLAY if not is_empty(data.get(key))]
    if play:
        collector.warnings.append(f"what only matters in play is not read: {', '.join(play)}")
    return clues


def _is_root(cage: Any) -> bool:
    return isinstance(cage, dict) and _ROOT.fullmatch(str(cage.get("value"))) is not None


def _is_note(cage: dict[str, Any]) -> bool:
    return _NOTE.match(str(cage.get("value"))) is not None


def _report_unknown(data: Mapping[str, Any], collector: ProblemCollector) -> None:
    for key, raw in data.items():
        if key in _KNOWN or key in _IGNORED or key in _DRAWINGS or key in _PLAY or is_empty(raw):
            continue
        if key in _WORDS or (isinstance(raw, str | int | float) and not isinstance(raw, bool)):
            collector.warnings.append(f"not read: {key!r:.40}")
        else:
            collector.problems.append(f"expected clues that are known, got {key!r:.40}, which may be a rule")


# --- writing ----------------------------------------------------------------------------------------------------


def puzzle_to_fpuzzles(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of the puzzle; raise `Unsupported` with everything that it cannot express."""
    grid = puzzle.grid
    _require_square(puzzle)
    data: dict[str, Any] = {"size": grid.boards[0].rows}
    data |= {key: getattr(puzzle, key) for key in _TEXTS if getattr(puzzle, key)}
    data["grid"] = write_cells(puzzle)
    refused: list[str] = []
    for rule in puzzle.rules:
        keys = list(_keys_of_rule(rule, grid))
        refused += [rule.kind] * (not keys)
        for key, stated in keys:
            data[key] = [*data.get(key, []), *stated] if isinstance(stated, list) else stated
    if puzzle.solution is not None:
        data["solution"] = list(puzzle.solution)
    # Entries can interact (a dot exempts its cells from a negative): only reading back shows what the document means.
    if not refused:
        refused = _changed_kinds(puzzle, data)
    if refused:
        counts = ", ".join(f"{kind} ({count})" if count > 1 else kind for kind, count in Counter(refused).items())
        raise Unsupported(f"expected rules that the format 'fpuzzles' can express (json can express everything), got {counts}")
    return data


def _require_square(puzzle: Puzzle) -> None:
    board, values = puzzle.grid.boards[0], puzzle.grid.values
    problems = []
    if len(puzzle.grid.boards) > 1 or board.rows != board.columns or board.at != (0, 0):
        problems.append(f"a grid of one square board, got {puzzle.grid}")
    if values != range(1, board.rows + 1):
        problems.append(f"the values 1 to {board.rows}, got {values[0]} to {values[-1]}")
    if not any(rule.kind == "houses" for rule in puzzle.rules):
        problems.append("the rule houses, got a puzzle without it")
    if problems:
        raise Unsupported([f"expected for the format 'fpuzzles' {one} (json can express everything)" for one in problems])


def _keys_of_rule(rule: Any, grid: Grid) -> Iterator[tuple[str, Any]]:
    """Yield the keys that express a rule, each with true or with entries."""
    if rule.kind == "houses":
        yield "size", grid.boards[0].rows
    elif rule.kind == "diagonals":
        yield from ((key, True) for key, on in zip(_DIAGONALS, (rule.down, rule.up), strict=True) if on)
    yield from ((key, True) for key, kind in FLAGS.items() if kind == rule.kind)
    for name, negative in NEGATIVES.items():
        if negative.kind == rule.kind:
            yield (name, True) if name == "nonconsecutive" else ("negative", [name])
    for key, clue in CLUES.items():
        if clue.kind == rule.kind or (clue.kind, rule.kind) == ("arrow", "pill-arrow"):
            entries = clue.write(rule, grid)
            if entries:
                yield key, entries


def _changed_kinds(puzzle: Puzzle, data: dict[str, Any]) -> list[str]:
    """Return the kinds of rules that change when the document is read back."""
    try:
        back = puzzle_from_fpuzzles(data, [])
    except InvalidInput as error:
        raise Unsupported([f"expected a puzzle for the format 'fpuzzles'; {problem}" for problem in error.problems]) from error
    if back.grid.regions != puzzle.grid.regions:
        return ["its regions"]
    there = set(meanings(back.rules))
    lost = [rule.kind for rule in puzzle.rules if not there.issuperset(meanings([rule]))]
    here = set(meanings(puzzle.rules))
    return lost or [rule.kind for rule in back.rules if not here.issuperset(meanings([rule]))]
