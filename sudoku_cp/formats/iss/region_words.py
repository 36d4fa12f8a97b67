"""Words about connected cells, unknown regions and regions that miss a value; some of them bring extra cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.grid_text import board_of_regions
from sudoku_cp.formats.iss.board_layout import (
    DOPPELGANGERS,
    LONGEST,
    IssLayout,
    boards_of_extra_cells,
    box_sides,
    find_extra_cells,
    number,
    read_extra_cells,
    word_text,
    words_of_extra_cells,
)
from sudoku_cp.formats.iss.cell_set_words import BREAK, WordConverter, allow_values, clue, flag, headed, runs, sum_text
from sudoku_cp.grid import Board, Grid
from sudoku_cp.rules.base import move_rule
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import Word
    from sudoku_cp.grid import Cell, House, Place
    from sudoku_cp.puzzle import Puzzle
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


REGION_CONVERTERS = (
    WordConverter("ConnectedValues", "connected-values", _read_connected, _write_connected, nests=False),
    WordConverter("Doppelganger", "doppelganger", _read_doppelganger, _PLAIN.write, nests=False),
    WordConverter("ChaosConstruction", "chaos-construction", _read_chaos, _write_chaos, nests=False),
    WordConverter("ChaosArrow", "region-count", _read_arrow, _write_region_count),
    WordConverter("ChaosCount", "region-count", _read_count, _write_region_count),
)


# Words about the whole board and its border: diagonals, windows, boxes, clues outside.


_DIGITS = range(1, 10)


# --- areas ------------------------------------------------------------------------------------------------------


def _read_diagonal(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    if not layout.is_square or list(arguments) not in (["1"], ["-1"]):
        raise ParseError(f"expected 1 (/) or -1 (\\) on a square board, got {'~'.join(arguments)[:20]!r} on {layout.grid}")
    return [make_rule("diagonals", down=arguments[0] == "-1", up=arguments[0] == "1")]


def _write_diagonals(layout: IssLayout, rule: Any) -> list[str] | None:
    if not layout.is_square:
        return None
    return [word_text("Diagonal", 1)] * rule.up + [word_text("Diagonal", -1)] * rule.down


def joined_diagonals(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules with the two diagonals as one."""
    both: list[Any] = [rule for rule in rules if rule.kind == "diagonals"]
    if len(both) < 2:  # noqa: PLR2004
        return list(rules)
    joined = make_rule("diagonals", down=any(rule.down for rule in both), up=any(rule.up for rule in both))
    return [joined if rule is both[0] else rule for rule in rules if rule.kind != "diagonals" or rule is both[0]]


def _areas(houses: Sequence[House]) -> list[Rule]:
    return [make_rule("extra-region", cells=cells) for cells in houses]


def _read_windoku(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    if arguments or not layout.windows():
        raise ParseError(f"expected a square board with room for windows and no arguments, got {layout.grid}")
    return [make_rule("windoku")] if _has_windows(layout) else _areas(layout.windows())


def _has_windows(layout: IssLayout) -> bool:
    """Return whether our rule means the same windows: those between the boxes of the board."""
    boxes = layout.grid.boards[0].boxes
    spec = layout.region_size or len(layout.values)
    return boxes is not None and boxes == layout.assumed_boxes and boxes[0] * boxes[1] == spec and bool(layout.windows())


def _write_windoku(layout: IssLayout, _rule: Any) -> list[str] | None:
    return [word_text("Windoku")] if _has_windows(layout) else None


def _read_disjoint(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    if arguments or not layout.disjoint_sets():
        raise ParseError(f"expected a square board with boxes and no arguments, got {layout.grid}")
    same = layout.grid.boards[0].boxes == layout.assumed_boxes
    return [make_rule("disjoint-groups")] if same else _areas(layout.disjoint_sets())


def _write_disjoint(layout: IssLayout, _rule: Any) -> list[str] | None:
    boxes = layout.grid.boards[0].boxes
    return [word_text("DisjointSets")] if boxes and boxes == layout.assumed_boxes and layout.is_square else None


# --- clues outside ----------------------------------------------------------------------------------------------


def _read_little_killer(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    if layout.shift != (0, 0):
        raise ParseError(f"expected no clue outside the board inside Replicate, got {'~'.join([spec, *names])[:40]!r}")
    start = layout.name(layout.cell(names[0])) if names else ""
    if len(names) != 1 or start not in layout.diagonals:
        raise ParseError(f"expected the first cell of a diagonal, on the border, got {'~'.join(names)[:40]!r}")
    return [make_rule("little-killer", cells=layout.diagonals[start], total=number(spec))]


def _write_little_killer(layout: IssLayout, rule: Any) -> list[str] | None:
    for start, cells in layout.diagonals.items():
        if set(cells) == set(rule.cells) and len(cells) == len(rule.cells) and rule.total >= 0:
            return [word_text("LittleKiller", rule.total, start)]
    return [sum_text(layout, rule.cells, (), rule.total)] if rule.cells else None


def _read_sandwich(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    if len(names) != 1:
        raise ParseError(f"expected a row or column, got {'~'.join(names)[:40]!r}")
    cells = layout.line(names[0])
    # on a line that lacks some values, the crusts are the least and the largest of the line
    kind = "sandwich" if len(cells) == len(layout.values) and not layout.raw else "lunchbox"
    return [make_rule(kind, cells=cells, total=number(spec))]


def _write_sandwich(layout: IssLayout, rule: Any) -> list[str] | None:
    where = layout.line_name(rule.cells)
    usual = set(rule.crusts) in (set(), {layout.values[0], layout.values[-1]})
    fits = where and usual and len(rule.cells) == len(layout.values) and not layout.raw and rule.total >= 0
    return [word_text("Sandwich", rule.total, where[0])] if where and fits else None


def _odd_regions(layout: IssLayout, _rule: Any) -> bool:
    return not layout.regions


def _not_nine(layout: IssLayout, rule: Any) -> bool:
    return layout.values != _DIGITS or getattr(rule, "modulus", 3) != 3  # noqa: PLR2004  # GlobalMod is that of 3


_FLATMATES = flag("DutchFlatmates", "dutch-flatmates", _not_nine)


def _read_flatmates(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    found = _FLATMATES.read(layout, arguments)
    if not layout.groups:
        return found
    first, middle, last = layout.values[0], layout.values[len(layout.values) // 2], layout.values[-1]
    others = tuple(value for value in layout.values if value != middle)
    return [  # our rule would look at the cells beside the board too
        make_rule("any-of", rules=tuple(allow_values(at, values) for at, values in mates if at is not None))
        for row in range(layout.rows)
        for column in range(layout.columns)
        for mates in [
            (
                (layout.at("", (row, column)), others),
                (layout.at("", (row - 1, column)), (first,)),
                (layout.at("", (row + 1, column)), (last,)),
            )
        ]
    ]


def _write_flatmates(layout: IssLayout, rule: Any) -> list[str] | None:
    return None if layout.groups else _FLATMATES.write(layout, rule)


BOARD_CONVERTERS = (
    flag("AntiKnight", "anti-knight"),
    flag("AntiKing", "anti-king"),
    # without houses, these words mean a little more than the rules
    flag("AntiConsecutive", "nonconsecutive", lambda layout, rule: layout.raw or bool(rule.exempt)),
    flag("AntiTaxicab", "self-taxicab", lambda layout, _: layout.raw or layout.values[0] != 1),
    flag("GlobalEntropy", "global-entropy", _not_nine),
    flag("GlobalMod", "global-mod", lambda layout, rule: len(layout.values) != len(_DIGITS) or rule.modulus != 3),  # noqa: PLR2004
    WordConverter("DutchFlatmates", "dutch-flatmates", _read_flatmates, _write_flatmates, nests=False),
    flag("RegionSameValues", "same-values-in-regions", _odd_regions),
    WordConverter("Diagonal", "diagonals", _read_diagonal, _write_diagonals, nests=False),
    WordConverter("Windoku", "windoku", _read_windoku, _write_windoku, nests=False),
    WordConverter("DisjointSets", "disjoint-groups", _read_disjoint, _write_disjoint, nests=False),
    WordConverter("LittleKiller", "little-killer", headed("a sum and a cell", _read_little_killer), _write_little_killer),
    WordConverter("Sandwich", "sandwich", headed("a sum and a row or column", _read_sandwich), _write_sandwich),
    clue("XSum", "x-sum", "total", zero=False),
    clue("Skyscraper", "skyscraper", "visible", zero=False),
    clue("HiddenSkyscraper", "hidden-skyscraper", "value", zero=True),
    clue("NumberedRoom", "numbered-room", "value", zero=True),
    clue("FullRank", "full-rank", "rank", zero=False),
)


# The board of a constraint string: ``Shape``, ``NoBoxes``, ``Jigsaw``, ``RegionSize`` and ``Var``, read and written.


_SIDES = re.compile(r"(\d{1,4})x(\d{1,4})")
_RANGE = re.compile(r"(?:([01])-)?(\d{1,4})")
_LABELS = digits + ascii_lowercase + ascii_uppercase
_NONE = "_"
_USUAL = 9


# --- reading ----------------------------------------------------------------------------------------------------


def read_board(words: Iterable[Word]) -> tuple[IssLayout, list[Rule]]:
    """Return the board with its extra cells, and as rules the regions that it has besides its boxes."""
    words = list(words)
    present = {word.name: word for word in words}
    for name in ("Shape", "Jigsaw"):
        if len({word.arguments for word in words if word.name == name}) > 1:
            raise ParseError(f"{name}: expected once, got it twice with different arguments")
    rows, columns, values, raw = (
        _parse_shape(present["Shape"].arguments) if "Shape" in present else (_USUAL, _USUAL, range(1, 10), False)
    )
    size = None
    if "RegionSize" in present:
        size = number("~".join(present["RegionSize"].arguments))
        if not 1 <= size <= len(values):
            raise ParseError(f"RegionSize: expected 1 to {len(values)} cells, got {size}")
    boxes = None if raw or "NoBoxes" in present else box_sides(rows, columns, size or max(rows, columns))
    labels = None
    if "Jigsaw" in present:
        labels = _parse_regions(present["Jigsaw"].arguments, rows * columns, range(max(rows, columns), len(values) + 1), size)
    alone = labels is not None and boxes is None
    board = board_of_regions(rows, columns, labels) if labels and alone else Board(rows, columns, boxes)
    groups = read_extra_cells(words, board)
    grid = Grid.of((board, *boards_of_extra_cells(groups, rows)), values)
    regions = not raw and (labels is None or alone)
    layout = IssLayout(grid, raw, size, regions=regions, groups={group.prefix: group for group in groups})
    return layout, [] if labels is None or (alone and not raw) else _rules_of_regions(labels)


def _parse_shape(arguments: Sequence[str]) -> tuple[int, int, range, bool]:
    sides, span, kind = (*arguments, "", "", "")[:3]
    found, spanned = _SIDES.fullmatch(sides), _RANGE.fullmatch(span)
    if not found or not (spanned or not span) or kind not in {"", "Raw"} or len(arguments) > 3:  # noqa: PLR2004
        raise ParseError(f"Shape: expected sides and values such as '6x6' or '9x9~0-8', got {'~'.join(arguments)[:40]!r}")
    rows, columns = int(found[1]), int(found[2])
    if not (1 <= rows <= LONGEST and 1 <= columns <= LONGEST):
        raise ParseError(f"Shape: expected 1 to {LONGEST} rows and columns, got {sides}")
    longest = max(rows, columns)
    values = range(1, longest + 1)
    if spanned:
        values = range(int(spanned[1] or 1), int(spanned[2]) + 1)
    if not (1 if kind else longest) <= len(values) <= LONGEST:
        raise ParseError(f"Shape: expected {longest} to {LONGEST} values for {sides}, got {span!r}")
    return rows, columns, values, bool(kind)


def _parse_regions(arguments: Sequence[str], cells: int, sizes: range, size: int | None) -> tuple[int | None, ...] | None:
    """Return the label of each cell; None if all cells are in one region, which means nothing."""
    text = arguments[-1] if arguments else ""
    if len(text) != cells or len(arguments) > 2:  # noqa: PLR2004  # an old form has the sides first
        raise ParseError(f"Jigsaw: expected a sign for each of {cells} cells, got {len(text)}")
    counts = {sign: text.count(sign) for sign in dict.fromkeys(text)}
    if len(counts) == 1:
        return None
    wanted = size or sizes[0]
    odd = [sign for sign, count in counts.items() if count not in sizes]
    wrong = sorted({counts[sign] for sign in counts if sign not in odd and counts[sign] != wanted})
    if len(odd) > 1 or wrong:
        got = ", ".join(str(counts[sign]) for sign in counts if counts[sign] != wanted)
        raise ParseError(f"Jigsaw: expected regions of {wanted} cells, and perhaps cells in none, got some of {got}")
    numbers = {sign: index for index, sign in enumerate(sign for sign in counts if sign not in odd)}
    return tuple(numbers.get(sign) for sign in text)


def _rules_of_regions(labels: Sequence[int | None]) -> list[Rule]:
    present = dict.fromkeys(label for label in labels if label is not None)
    return [make_rule("extra-region", cells=tuple(cell for cell, own in enumerate(labels) if own == label)) for label in present]


# --- writing ----------------------------------------------------------------------------------------------------


def words_of_board(puzzle: Puzzle) -> tuple[IssLayout, list[str]]:
    """Return the layout of a puzzle's board and the words for it; refuse a board that strings cannot express."""
    board, grid = puzzle.grid.boards[0], puzzle.grid
    problems = []
    if board.at != (0, 0):
        problems.append(f"expected a board in the top-left corner for the format 'iss', got it at {board.at}")
    if max(board.rows, board.columns, len(grid.values)) > LONGEST:
        problems.append(f"expected at most {LONGEST} rows, columns and values for the format 'iss', got {grid}")
    if grid.values[0] > 1:
        problems.append(f"expected values from 0 or 1 for the format 'iss', got {grid.values[0]}")
    groups = []
    try:
        groups = find_extra_cells(puzzle)
    except Unsupported as error:
        problems += error.problems
    raw = Houses() not in puzzle.rules
    if not raw and len(grid.values) < max(board.rows, board.columns):
        problems.append("expected as many values as cells in a row and a column for the format 'iss', got fewer")
    if problems:
        raise Unsupported(problems)
    layout = IssLayout(grid, raw, regions=not raw, groups={group.prefix: group for group in groups})
    words = [*_words_of_shape(layout), *words_of_extra_cells(groups, layout.columns)]
    if raw or board.boxes or board.regions is not None:
        return (layout, words) if raw else _words_of_regions(layout, words)
    layout, words = _words_of_regions(layout, words)
    sizes = {rule.size for rule in puzzle.rules if rule.kind == "chaos-construction"}  # type: ignore[attr-defined]
    size = min((size or len(layout.values) for size in sizes), default=layout.longest)
    layout, size_words = _with_region_size(layout, size)
    return layout, [*dict.fromkeys([*words, *(_no_boxes(layout, size) if size_words else [])]), *size_words]


def _words_of_shape(layout: IssLayout) -> list[str]:
    usual = range(1, max(layout.rows, layout.columns) + 1)
    values = layout.values
    span = "" if values == usual else f"{values[0]}-{values[-1]}" if values[0] != 1 else str(len(values))
    more = [span, "Raw"] if layout.raw else [span] if span else []
    plain = (layout.rows, layout.columns, values) == (_USUAL, _USUAL, range(1, 10)) and not layout.raw
    return [] if plain else [word_text("Shape", f"{layout.rows}x{layout.columns}", *more)]


def _words_of_regions(layout: IssLayout, words: list[str]) -> tuple[IssLayout, list[str]]:
    board, longest = layout.grid.boards[0], max(layout.rows, layout.columns)
    if board.boxes is None and board.regions is None:
        return layout, words + _no_boxes(layout, longest)
    if board.boxes:
        size = board.boxes[0] * board.boxes[1]
        if box_sides(layout.rows, layout.columns, size) == board.boxes and size <= len(layout.values):
            layout, size_words = _with_region_size(layout, size)
            return layout, words + size_words
    labels = board.labels()
    sizes = {labels.count(label) for label in set(labels) - {None}}
    allowed = range(longest, len(layout.values) + 1)
    if len(sizes) != 1 or min(sizes) not in allowed or labels.count(None) in allowed or len({*labels}) < 2:  # noqa: PLR2004
        areas = _rules_of_regions(labels)
        texts = [word_text("AllDifferent", *layout.names(area.cells)) for area in areas]  # type: ignore[attr-defined]
        return replace(layout, regions=False), [*words, *_no_boxes(layout, longest), *texts]
    layout, size_words = _with_region_size(layout, min(sizes))
    return layout, [*words, *size_words, *_no_boxes(layout, min(sizes)), word_text("Jigsaw", _format_regions(labels))]


def _no_boxes(layout: IssLayout, size: int) -> list[str]:
    """Return the word that a board has no boxes of this size, if it would have them otherwise."""
    return [word_text("NoBoxes")] if box_sides(layout.rows, layout.columns, size) else []


def _with_region_size(layout: IssLayout, size: int) -> tuple[IssLayout, list[str]]:
    """Return the layout with regions of this size, and the word for it if it is not the usual one."""
    return (layout, []) if size == layout.longest else (replace(layout, region_size=size), [word_text("RegionSize", size)])


def _format_regions(labels: Sequence[int | None]) -> str:
    signs: dict[int | None, str] = {None: _NONE}
    for label in labels:
        signs.setdefault(label, _LABELS[len(signs) - 1])
    return "".join(signs[label] for label in labels)
