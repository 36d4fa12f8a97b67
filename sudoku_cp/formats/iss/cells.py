"""Words about single cells and sets of cells: givens, sums, contents, groups, indexing, arrows, diagonals, windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.iss.places import number
from sudoku_cp.formats.iss.strings import GIVEN, composite_text, word_text
from sudoku_cp.formats.iss.words import Saying, holds, made, nothing, repeats, split_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.formats.iss.places import Plan
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule

LOOP = "LOOP"
BREAK = "-"
"""Stands between runs of cells."""
_DIGIT = 9
_PILLS = (2, 3)
_LARGEST_FACTOR = 100


# --- given values -----------------------------------------------------------------------------------------------


def parse_given(plan: Plan, argument: str) -> tuple[Cell, tuple[int, ...]]:
    """Return a cell and the values it may have."""
    name, *said = argument.split("_")
    if not said:
        raise ParseError(f"expected a cell and its values such as 'R1C2_5', got {argument!r:.40}")
    cell = plan.cell(name)
    return cell, tuple(sorted(set(map(plan.value, said))))


def given_text(plan: Plan, cell: Cell, values: Sequence[int]) -> str:
    """Return the word that says which values a cell may have."""
    return word_text(GIVEN, "_".join([plan.name(cell), *map(str, values)]))


def _read_givens(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    return [holds(*parse_given(plan, argument)) for argument in arguments]


def _write_givens(plan: Plan, rule: Any) -> list[str] | None:
    values = [value for value in sorted(set(rule.totals)) if value in plan.values]
    return [given_text(plan, rule.cells[0], values)] if len(rule.cells) == 1 and values else None


def _write_one_of(plan: Plan, rule: Any) -> list[str] | None:
    return [given_text(plan, cell, _odd(plan, rule.kind == "odd")) for cell in rule.cells] if plan.values[1:] else None


def _odd(plan: Plan, odd: bool) -> list[int]:  # noqa: FBT001
    return [value for value in plan.values if value % 2 == odd]


# --- cages and sums ---------------------------------------------------------------------------------------------


def _read_cage(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a sum and cells", arguments)
    cells, total = plan.cells(names), number(said or "0") or None
    distinct = tuple(dict.fromkeys(cells))
    if total is None or distinct == cells:
        return [made("killer-cage", cells=distinct, total=total)]
    return [made("killer-cage", cells=distinct), made("sum-cage", cells=cells, total=total)]  # the sum counts a cell twice


def _write_cage(plan: Plan, rule: Any) -> list[str] | None:
    # a sum of 0 would be read as none, and a cell that is listed twice as no value that occurs twice
    fits = rule.cells and rule.total != 0 and not repeats(plan, rule)
    return [word_text("Cage", rule.total or 0, *plan.names(rule.cells))] if fits else None


def _write_totals(plan: Plan, rule: Any) -> list[str] | None:
    return None if repeats(plan, rule) else _one_total_of(plan, rule.cells, rule.totals)


def _write_root(plan: Plan, rule: Any) -> list[str] | None:
    return None if repeats(plan, rule) else _one_total_of(plan, rule.cells, rule.totals(plan.grid))


def _one_total_of(plan: Plan, cells: Sequence[Cell], totals: Iterable[int]) -> list[str] | None:
    """Return a cage for each of the totals that can be reached, of which one holds; None where there is no such total."""
    size = len(cells)
    reached = range(sum(plan.values[:size]), sum(plan.values[-size:]) + 1) if 1 < size <= len(plan.values) else range(0)
    words = [word_text("Cage", total, *plan.names(cells)) for total in sorted(set(totals)) if total in reached]
    if len(words) > 1:
        return [composite_text("Or", words)]
    return words or None


def _read_sum(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a sum and cells", arguments)
    total, *factors = said.split("_")
    cells = plan.cells(names)
    if not factors:
        return [made("sum-cage", cells=cells, total=number(total))]
    if factors[0] != "=" or len(factors) != len(cells) + 1:
        raise ParseError(f"expected a sum such as '9_=_1_-2' with a factor for each of {len(cells)} cells, got {said!r:.40}")
    return [made("sum-cage", cells=cells, total=number(total), factors=tuple(map(number, factors[1:])))]


def _write_sum(plan: Plan, rule: Any) -> list[str] | None:
    if not rule.cells or any(abs(factor) > _LARGEST_FACTOR for factor in rule.factors):
        return None
    return [sum_text(plan, rule.cells, rule.factors, rule.total)]


def sum_text(plan: Plan, cells: Sequence[Cell], factors: Sequence[int], total: int) -> str:
    """Return the word of a weighted sum; without factors each is 1."""
    return word_text("Sum", "_".join(map(str, [total, "=", *factors] if factors else [total])), *plan.names(cells))


def _read_look_and_say(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a clue and cells", arguments)
    if not said.isascii() or not said.isdecimal() or len(said) % 2:
        raise ParseError(f"expected a clue of counts and values such as '1223', got {said!r:.40}")
    clue = tuple((int(said[place]), int(said[place + 1])) for place in range(0, len(said), 2))
    return [made("look-and-say", cells=plan.cells(names), clue=clue)]


def _write_look_and_say(plan: Plan, rule: Any) -> list[str] | None:
    numbers = [part for pair in rule.clue for part in pair]
    if not rule.cells or not numbers or not all(0 <= part <= _DIGIT for part in numbers):
        return None
    return [word_text("LookAndSay", "".join(map(str, numbers)), *plan.names(rule.cells))]


# --- contents ---------------------------------------------------------------------------------------------------


def _square(plan: Plan, corner: Cell) -> tuple[Cell, ...]:
    prefix, (row, column) = plan.home(corner)
    found = [plan.at(prefix, (row + down, column + right)) for down in (0, 1) for right in (0, 1)]
    if None in found:
        raise ParseError(f"expected the top-left cell of four, got {plan.name(corner)!r} on the border")
    return tuple(cell for cell in found if cell is not None)


def _read_quad(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    corner, said = split_off("a cell and values", arguments)
    return [made("quadruple", cells=_square(plan, plan.cell(corner)), digits=tuple(map(number, said)))]


def _write_quad(plan: Plan, rule: Any) -> list[str] | None:
    if not rule.cells or not set(rule.digits) <= set(plan.values):
        return None
    prefix, (row, column) = plan.home(min(rule.cells))
    inner = plan.at(prefix, (row + 1, column + 1)) is not None and plan.at(prefix, (row, column + 1)) is not None
    if inner and sorted(rule.cells) == sorted(_square(plan, min(rule.cells))):
        return [word_text("Quad", plan.name(min(rule.cells)), *rule.digits)]
    said = "_".join(map(str, rule.digits))
    return [word_text("ContainAtLeast", said, *plan.names(rule.cells))] if rule.digits else None


def _read_count_distinct(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    control, names = split_off("cells", arguments)
    return [made("count-distinct", cell=plan.cell(control), cells=plan.cells(names))]


def _write_count_distinct(plan: Plan, rule: Any) -> list[str] | None:
    return [word_text("CountDistinct", *plan.names((rule.cell, *rule.cells)))] if rule.cells else None


# --- groups -----------------------------------------------------------------------------------------------------


def _read_same_values(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a number of sets and cells", arguments)
    cells, count = plan.cells(names), number(said)
    if count < 1 or len(cells) % count:
        raise ParseError(f"expected a number of sets that divides {len(cells)} cells, got {said!r:.20}")
    size = len(cells) // count
    return [made("same-value-sets", groups=tuple(cells[start : start + size] for start in range(0, len(cells), size)))]


def _write_same_values(plan: Plan, rule: Any) -> list[str] | None:
    if not rule.groups or not all(rule.groups):
        return None
    return [word_text("SameValues", len(rule.groups), *plan.names(cell for group in rule.groups for cell in group))]


def _write_clone(plan: Plan, rule: Any) -> list[str] | None:
    rows = (cells for cells in zip(rule.cells, *rule.copies, strict=True) if len(set(cells)) > 1)
    return [word_text("SameValues", len(cells), *plan.names(cells)) for cells in rows]


def _read_equal_sums(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    return [made("equal-sums", groups=tuple(plan.cells(run) for run in runs(arguments) if run))]


def _write_equal_sums(plan: Plan, rule: Any) -> list[str] | None:
    if not rule.groups or not all(rule.groups):
        return None
    names = [name for group in rule.groups for name in (BREAK, *plan.names(group))]
    return [word_text("EqualSum", *names[1:])]


def runs(names: Sequence[str]) -> list[list[str]]:
    """Return the names before, between and behind breaks; runs may be empty."""
    found: list[list[str]] = [[]]
    for name in names:
        if name == BREAK:
            found.append([])
        else:
            found[-1].append(name)
    return found


# --- indexing, arrows, lines ------------------------------------------------------------------------------------


def _read_indexing(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("R or C and cells", arguments)
    if said not in {"R", "C"}:
        raise ParseError(f"expected 'R' (rows) or 'C' (columns), got {said!r:.20}")
    cells = plan.cells(names)
    beside = [cell for cell in cells if cell >= plan.size]
    if beside:
        raise ParseError(f"expected cells of the board, which have a row and a column, got {', '.join(plan.names(beside))[:40]}")
    return [made("indexer", cells=cells, rows=said == "R")]


def _write_indexing(plan: Plan, rule: Any) -> list[str] | None:
    return [word_text("Indexing", "R" if rule.rows else "C", *plan.names(rule.cells))] if rule.cells else None


def _read_value_indexing(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    value, index, *cells = (*plan.cells(arguments), -1, -1)[: max(2, len(arguments))]
    if not cells:
        raise ParseError(f"expected at least three cells, got {len(arguments)}")
    return [made("value-indexing", value=value, index=index, cells=tuple(cells))]


def _write_value_indexing(plan: Plan, rule: Any) -> list[str] | None:
    return [word_text("ValueIndexing", *plan.names((rule.value, rule.index, *rule.cells)))] if rule.cells else None


def _read_arrow(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    bulb, names = split_off("cells", arguments)
    return [made("arrow", bulb=plan.cell(bulb), shafts=(plan.cells(names),))]


def _write_arrow(plan: Plan, rule: Any) -> list[str] | None:
    if not all(rule.shafts):
        return None
    return [word_text("Arrow", *plan.names((rule.bulb, *shaft))) for shaft in rule.shafts]


def _read_pill(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a number of digits and cells", arguments)
    size, cells = number(said), plan.cells(names)
    if size not in _PILLS or len(cells) <= size:
        raise ParseError(f"expected 2 or 3 digits and more cells than digits, got {said!r:.20} and {len(cells)} cells")
    bulb = tuple(sorted(cells[:size]))
    found = [made("pill-arrow", bulb=bulb, shafts=(cells[size:],))]
    if len(plan.values) > _DIGIT:  # then all but the first digit are 1 to 9
        found += [made("multi-sum-cage", cells=(cell,), totals=tuple(range(1, _DIGIT + 1))) for cell in bulb[1:]]
    return found


def _write_pill(plan: Plan, rule: Any) -> list[str] | None:
    fits = len(rule.bulb) in _PILLS and list(rule.bulb) == sorted(rule.bulb) and all(rule.shafts)
    if not fits or len(plan.values) > _DIGIT:
        return None
    return [word_text("PillArrow", len(rule.bulb), *plan.names((*rule.bulb, *shaft))) for shaft in rule.shafts]


def _read_whisper(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a difference and cells", arguments)
    if said[:1].isalpha():  # the German one goes without
        usual = None if -(-len(plan.values) // 2) == _GERMAN else _GERMAN
        return [made("whisper", cells=plan.cells(arguments), difference=usual)]
    return [made("whisper", cells=plan.cells(names), difference=number(said))]


_GERMAN = 5


def _write_whisper(plan: Plan, rule: Any) -> list[str] | None:
    if not rule.cells:
        return None
    usual = -(-len(plan.values) // 2)
    silent = rule.difference is None and usual == _GERMAN
    said = [] if silent else [usual if rule.difference is None else rule.difference]
    return [word_text("Whisper", *said, *plan.names(rule.cells))]


def _read_sum_line(plan: Plan, arguments: Sequence[str]) -> list[Rule]:
    said, names = split_off("a sum and cells", arguments)
    loop = names[-1:] == [LOOP] or names[-1:] == (LOOP,)
    return [made("sum-line", cells=plan.cells(names[:-1] if loop else names), total=number(said), loop=loop)]


def _write_sum_line(plan: Plan, rule: Any) -> list[str] | None:
    loop = [LOOP] if rule.loop else []
    return [word_text("SumLine", rule.total, *plan.names(rule.cells), *loop)] if rule.cells and rule.total > 0 else None


SAYINGS = (
    Saying(GIVEN, "multi-sum-cage", _read_givens, _write_givens),
    Saying("", "odd", nothing, _write_one_of),
    Saying("", "even", nothing, _write_one_of),
    Saying("Cage", "killer-cage", _read_cage, _write_cage),
    Saying("", "multi-sum-cage", nothing, _write_totals),
    Saying("", "digital-root-cage", nothing, _write_root),
    Saying("Sum", "sum-cage", _read_sum, _write_sum),
    Saying("LookAndSay", "look-and-say", _read_look_and_say, _write_look_and_say),
    Saying("Quad", "quadruple", _read_quad, _write_quad),
    Saying("CountDistinct", "count-distinct", _read_count_distinct, _write_count_distinct),
    Saying("SameValues", "same-value-sets", _read_same_values, _write_same_values),
    Saying("", "clone", nothing, _write_clone),
    Saying("EqualSum", "equal-sums", _read_equal_sums, _write_equal_sums),
    Saying("Indexing", "indexer", _read_indexing, _write_indexing),
    Saying("ValueIndexing", "value-indexing", _read_value_indexing, _write_value_indexing),
    Saying("Arrow", "arrow", _read_arrow, _write_arrow),
    Saying("PillArrow", "pill-arrow", _read_pill, _write_pill),
    Saying("Whisper", "whisper", _read_whisper, _write_whisper),
    Saying("SumLine", "sum-line", _read_sum_line, _write_sum_line),
)
"""Those without a name say rules for which strings have no word of their own."""
