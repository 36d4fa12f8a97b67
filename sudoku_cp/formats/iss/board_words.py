"""Words about the whole board and its border: diagonals, windows, boxes, clues outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.iss.board_layout import number
from sudoku_cp.formats.iss.cell_set_words import sum_text
from sudoku_cp.formats.iss.word_converters import WordConverter, allow_values, clue, flag, headed
from sudoku_cp.formats.iss.word_syntax import word_text

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout
    from sudoku_cp.grid import House
    from sudoku_cp.rules.base import Rule

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


CONVERTERS = (
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
