"""Words about the whole board and about what lies along its border: diagonals, windows, boxes, clues outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.iss.cells import sum_text
from sudoku_cp.formats.iss.places import number
from sudoku_cp.formats.iss.strings import word_text
from sudoku_cp.formats.iss.words import Saying, clue, flag, holds, made, split_off

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.formats.iss.places import Plan
    from sudoku_cp.grid import House
    from sudoku_cp.rules.base import Rule

_DIGITS = range(1, 10)


# --- areas ------------------------------------------------------------------------------------------------------


def _read_diagonal(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    if not plan.is_square or list(arguments) not in (["1"], ["-1"]):
        raise ParseError(f"expected 1 (/) or -1 (\\) on a square board, got {'~'.join(arguments)[:20]!r} on {plan.grid}")
    return [made("diagonals", down=arguments[0] == "-1", up=arguments[0] == "1")]


def _write_diagonals(plan: Plan, rule: Any) -> list[str] | None:
    if not plan.is_square:
        return None
    return [word_text("Diagonal", 1)] * rule.up + [word_text("Diagonal", -1)] * rule.down


def joined_diagonals(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules with the two diagonals as one."""
    diagonals = [rule for rule in rules if rule.kind == "diagonals"]
    if len(diagonals) < 2:  # noqa: PLR2004
        return list(rules)
    both: Any = diagonals
    down, up = any(rule.down for rule in both), any(rule.up for rule in both)
    first = next(index for index, rule in enumerate(rules) if rule.kind == "diagonals")
    return [
        made("diagonals", down=down, up=up) if index == first else rule
        for index, rule in enumerate(rules)
        if rule.kind != "diagonals" or index == first
    ]


def _areas(houses: Sequence[House]) -> list[Rule]:
    return [made("extra-region", cells=cells) for cells in houses]


def _read_windoku(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    if arguments or not plan.windows():
        raise ParseError(f"expected a square board with room for windows and no arguments, got {plan.grid}")
    return [made("windoku")] if _has_windows(plan) else _areas(plan.windows())


def _has_windows(plan: Plan) -> bool:
    """Say whether our rule has the same windows: those of boxes that are there."""
    boxes = plan.grid.boards[0].boxes
    said = plan.region_size or len(plan.values)
    return boxes is not None and boxes == plan.assumed_boxes and boxes[0] * boxes[1] == said and bool(plan.windows())


def _write_windoku(plan: Plan, _rule: Any) -> list[str] | None:
    return [word_text("Windoku")] if _has_windows(plan) else None


def _read_disjoint(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    if arguments or not plan.disjoint_sets():
        raise ParseError(f"expected a square board with boxes and no arguments, got {plan.grid}")
    same = plan.grid.boards[0].boxes == plan.assumed_boxes
    return [made("disjoint-groups")] if same else _areas(plan.disjoint_sets())


def _write_disjoint(plan: Plan, _rule: Any) -> list[str] | None:
    boxes = plan.grid.boards[0].boxes
    return [word_text("DisjointSets")] if boxes and boxes == plan.assumed_boxes and plan.is_square else None


# --- clues outside ----------------------------------------------------------------------------------------------


def _read_little_killer(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a sum and a cell", arguments)
    if plan.shift != (0, 0):
        raise ParseError("expected no clue outside the board inside Replicate")
    start = plan.name(plan.cell(names[0])) if names else ""
    if len(names) != 1 or start not in plan.diagonals:
        raise ParseError(f"expected the first cell of a diagonal, on the border, got {'~'.join(names)[:40]!r}")
    return [made("little-killer", cells=plan.diagonals[start], total=number(said))]


def _write_little_killer(plan: Plan, rule: Any) -> list[str] | None:
    for start, cells in plan.diagonals.items():
        if set(cells) == set(rule.cells) and len(cells) == len(rule.cells) and rule.total >= 0:
            return [word_text("LittleKiller", rule.total, start)]
    return [sum_text(plan, rule.cells, (), rule.total)] if rule.cells else None


def _read_sandwich(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a sum and a row or column", arguments)
    if len(names) != 1:
        raise ParseError(f"expected a row or column, got {'~'.join(names)[:40]!r}")
    cells = plan.line(names[0])
    # on a line that lacks some values, the crusts are the least and the largest of the line
    kind = "sandwich" if len(cells) == len(plan.values) and not plan.raw else "lunchbox"
    return [made(kind, cells=cells, total=number(said))]


def _write_sandwich(plan: Plan, rule: Any) -> list[str] | None:
    where = plan.line_name(rule.cells)
    usual = set(rule.crusts) in (set(), {plan.values[0], plan.values[-1]})
    fits = where and usual and len(rule.cells) == len(plan.values) and not plan.raw and rule.total >= 0
    return [word_text("Sandwich", rule.total, where[0])] if where and fits else None


def _odd_regions(plan: Plan, _rule: Any) -> bool:
    return not plan.regions


def _not_nine(plan: Plan, rule: Any) -> bool:
    return plan.values != _DIGITS or getattr(rule, "modulus", 3) != 3  # noqa: PLR2004  # GlobalMod is that of 3


_FLATMATES = flag("DutchFlatmates", "dutch-flatmates", _not_nine)


def _read_flatmates(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    found = _FLATMATES.read(plan, arguments)
    if not plan.groups:
        return found
    first, middle, last = plan.values[0], plan.values[len(plan.values) // 2], plan.values[-1]
    others = tuple(value for value in plan.values if value != middle)
    return [  # our rule would look at the cells beside the board too
        made("any-of", rules=tuple(holds(at, values) for at, values in mates if at is not None))
        for row in range(plan.rows)
        for column in range(plan.columns)
        for mates in [
            (
                (plan.at("", (row, column)), others),
                (plan.at("", (row - 1, column)), (first,)),
                (plan.at("", (row + 1, column)), (last,)),
            )
        ]
    ]


def _write_flatmates(plan: Plan, rule: Any) -> list[str] | None:
    return None if plan.groups else _FLATMATES.write(plan, rule)


SAYINGS = (
    flag("AntiKnight", "anti-knight"),
    flag("AntiKing", "anti-king"),
    # where there are no houses, these words say a little more than the rules
    flag("AntiConsecutive", "nonconsecutive", lambda plan, rule: plan.raw or bool(rule.exempt)),
    flag("AntiTaxicab", "self-taxicab", lambda plan, _: plan.raw or plan.values[0] != 1),
    flag("GlobalEntropy", "global-entropy", _not_nine),
    flag("GlobalMod", "global-mod", lambda plan, rule: len(plan.values) != len(_DIGITS) or rule.modulus != 3),  # noqa: PLR2004
    Saying("DutchFlatmates", "dutch-flatmates", _read_flatmates, _write_flatmates, nests=False),
    flag("RegionSameValues", "same-values-in-regions", _odd_regions),
    Saying("Diagonal", "diagonals", _read_diagonal, _write_diagonals, nests=False),
    Saying("Windoku", "windoku", _read_windoku, _write_windoku, nests=False),
    Saying("DisjointSets", "disjoint-groups", _read_disjoint, _write_disjoint, nests=False),
    Saying("LittleKiller", "little-killer", _read_little_killer, _write_little_killer),
    Saying("Sandwich", "sandwich", _read_sandwich, _write_sandwich),
    clue("XSum", "x-sum", "total", zero=False),
    clue("Skyscraper", "skyscraper", "visible", zero=False),
    clue("HiddenSkyscraper", "hidden-skyscraper", "value", zero=True),
    clue("NumberedRoom", "numbered-room", "value", zero=True),
    clue("FullRank", "full-rank", "rank", zero=False),
)
