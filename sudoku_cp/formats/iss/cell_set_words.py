"""Words about single cells and sets of cells: givens, sums, contents, groups, indexing, arrows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.iss.board_layout import GIVEN, IssLayout, composite_text, number, word_text

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule


# Converters between a word of constraint strings and a kind of rule, with factories for the simplest forms of words.
#
# A converter reads the arguments of its word as rules, and writes a rule as words; it returns None for a rule that it cannot
# write.


ReadWord: TypeAlias = "Callable[[IssLayout, Sequence[str]], list[Rule]]"
WriteRule: TypeAlias = "Callable[[IssLayout, Any], list[str] | None]"


@dataclass(frozen=True)
class WordConverter:
    """A word and the kind of rule that it means; ``nests``: it may stand inside Or and And."""

    name: str
    kind: str
    read: ReadWord
    write: WriteRule
    nests: bool = True


def allow_values(cell: Cell, values: Sequence[int]) -> Rule:
    """Return the rule that a cell has one of these values: a cage of one cell with several totals."""
    return make_rule("multi-sum-cage", cells=(cell,), totals=tuple(values))


def write_only(_layout: IssLayout, _arguments: Sequence[str]) -> list[Rule]:
    """Fail: a converter without a word of its own only writes."""
    raise AssertionError


def headed(what: str, read: Callable[[IssLayout, str, Sequence[str]], list[Rule]]) -> ReadWord:
    """Return the reader of a word whose first argument means something else than the others; ``what`` is expected in all."""

    def read_word(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        if not arguments:
            raise ParseError(f"expected {what}, got nothing")
        return read(layout, arguments[0], arguments[1:])

    return read_word


# --- forms of words ---------------------------------------------------------------------------------------------

Unless: TypeAlias = "Callable[[IssLayout, Any], bool]"
"""Reports that a word and a rule differ in meaning."""


def _never(_layout: IssLayout, _rule: Any) -> bool:
    return False


def flag(name: str, kind: str, unless: Unless = _never) -> WordConverter:
    """Return the converter of a word without arguments."""

    def read(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        if arguments:
            raise ParseError(f"expected no arguments, got {'~'.join(arguments)[:40]!r}")
        rule = make_rule(kind)
        if unless(layout, rule):
            raise ParseError(f"expected a board on which {name!r} has a meaning, got {layout.grid}")
        return [rule]

    return WordConverter(name, kind, read, lambda layout, rule: None if unless(layout, rule) else [word_text(name)], nests=False)


ChooseCells: TypeAlias = "Callable[[IssLayout, tuple[Cell, ...]], tuple[Cell, ...]]"
"""Chooses the cells of our rule from those that a word lists, perhaps some twice."""


def as_listed(_layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells as they are."""
    return cells


def distinct(_layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return each cell once."""
    return tuple(dict.fromkeys(cells))


def listed_once(layout: IssLayout, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells; refuse repeated cells, with which the word makes no sense."""
    twice = [cell for cell, times in Counter(cells).items() if times > 1]
    if twice:
        raise Unsupported(f"expected each cell once, got {', '.join(layout.names(twice))} more than once")
    return cells


def repeats(_layout: IssLayout, rule: Any) -> bool:
    """Return whether a rule lists a cell twice."""
    return len(set(rule.cells)) < len(rule.cells)


def line(name: str, kind: str, unless: Unless = _never, choose: ChooseCells = as_listed) -> WordConverter:
    """Return the converter of a word whose arguments are the cells."""

    def read(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        return [make_rule(kind, cells=choose(layout, layout.cells(arguments)))]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        cells = rule.cells if choose is as_listed else dict.fromkeys(rule.cells)
        return [word_text(name, *layout.names(cells))] if rule.cells and not unless(layout, rule) else None

    return WordConverter(name, kind, read, write)


def numbered(
    name: str, kind: str, field: str, least: int = 0, unless: Unless = _never, choose: ChooseCells = as_listed
) -> WordConverter:
    """Return the converter of a word whose arguments are a number and the cells."""

    def read(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
        return [make_rule(kind, cells=choose(layout, layout.cells(names)), **{field: number(spec)})]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        spec = getattr(rule, field)
        fits = rule.cells and spec >= least and not unless(layout, rule)
        return [word_text(name, spec, *layout.names(rule.cells))] if fits else None

    return WordConverter(name, kind, headed("a number and cells", read), write)


def mark(name: str, kind: str, **fields: int) -> WordConverter:
    """Return the converter of a mark between neighbours: its arguments are cells, those that touch are marked."""

    def read(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
        pairs = layout.touching(layout.cells(arguments))
        if not pairs:
            raise ParseError("expected cells that share an edge, got none that do")
        return [make_rule(kind, cells=pair, **fields) for pair in pairs]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        fits = all(getattr(rule, field) == value for field, value in fields.items()) and is_edge(layout, rule.cells)
        return [word_text(name, *layout.names(rule.cells))] if fits else None

    return WordConverter(name, kind, read, write)


def is_edge(layout: IssLayout, cells: Sequence[Cell]) -> bool:
    """Return whether these are two cells that share an edge."""
    return len(cells) == 2 and bool(layout.touching(cells))  # noqa: PLR2004


def digits(name: str, kind: str) -> WordConverter:
    """Return the converter of a word whose arguments are values (``1_1_5``) and the cells."""

    def read(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
        return [make_rule(kind, cells=layout.cells(names), digits=tuple(map(number, spec.split("_"))))]

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        if not rule.cells or not rule.digits or not set(rule.digits) <= set(layout.values):
            return None
        return [word_text(name, "_".join(map(str, rule.digits)), *layout.names(rule.cells))]

    return WordConverter(name, kind, headed("values and cells", read), write)


def clue(name: str, kind: str, field: str, *, zero: bool) -> WordConverter:
    """Return the converter of a clue outside: a row or column, the number before its first cell, and the one after its last."""

    def read(layout: IssLayout, where: str, spec: Sequence[str]) -> list[Rule]:
        cells = layout.line(where)
        if not any(spec) or len(spec) > 2:  # noqa: PLR2004
            raise ParseError(f"expected one or two clues, got {'~'.join(spec)[:40]!r}")
        more = {"ties": layout.ties} if kind == "full-rank" else {}
        found = [
            make_rule(kind, cells=ordered, **{field: number(text)}, **more)
            for text, ordered in zip(spec, (cells, cells[::-1]), strict=False)
            if text
        ]
        if not zero and any(getattr(rule, field) == 0 for rule in found):
            raise ParseError("expected a clue other than 0, got 0")
        return found

    def write(layout: IssLayout, rule: Any) -> list[str] | None:
        where = layout.line_name(rule.cells)
        spec = getattr(rule, field)
        if where is None or (not zero and spec == 0) or spec < 0:
            return None
        return [word_text(name, where[0], *([spec, ""] if where[1] else ["", spec]))]

    return WordConverter(name, kind, headed("a row or column and clues", read), write)


LOOP = "LOOP"
BREAK = "-"
"""Stands between runs of cells."""
_DIGIT = 9
_PILLS = (2, 3)
_LARGEST_FACTOR = 100


# --- given values -----------------------------------------------------------------------------------------------


def parse_given(layout: IssLayout, argument: str) -> tuple[Cell, tuple[int, ...]]:
    """Return a cell and the values it may have."""
    name, *spec = argument.split("_")
    if not spec:
        raise ParseError(f"expected a cell and its values such as 'R1C2_5', got {argument!r:.40}")
    cell = layout.cell(name)
    return cell, tuple(sorted(set(map(layout.value, spec))))


def given_text(layout: IssLayout, cell: Cell, values: Sequence[int]) -> str:
    """Return the word that limits the values of a cell."""
    return word_text(GIVEN, "_".join([layout.name(cell), *map(str, values)]))


def _read_givens(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    return [allow_values(*parse_given(layout, argument)) for argument in arguments]


def _write_givens(layout: IssLayout, rule: Any) -> list[str] | None:
    values = [value for value in sorted(set(rule.totals)) if value in layout.values]
    return [given_text(layout, rule.cells[0], values)] if len(rule.cells) == 1 and values else None


def _write_parity(layout: IssLayout, rule: Any) -> list[str] | None:
    values = [value for value in layout.values if value % 2 == (rule.kind == "odd")]
    return [given_text(layout, cell, values) for cell in rule.cells] if layout.values[1:] else None


# --- cages and sums ---------------------------------------------------------------------------------------------


def _read_cage(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    cells, total = layout.cells(names), number(spec or "0") or None
    distinct = tuple(dict.fromkeys(cells))
    if total is None or distinct == cells:
        return [make_rule("killer-cage", cells=distinct, total=total)]
    # the sum counts a cell twice
    return [make_rule("killer-cage", cells=distinct), make_rule("sum-cage", cells=cells, total=total)]


def _write_cage(layout: IssLayout, rule: Any) -> list[str] | None:
    # a sum of 0 would be read as no sum, and a cell listed twice as one where values must differ
    fits = rule.cells and rule.total != 0 and not repeats(layout, rule)
    return [word_text("Cage", rule.total or 0, *layout.names(rule.cells))] if fits else None


def _write_totals(layout: IssLayout, rule: Any) -> list[str] | None:
    return None if repeats(layout, rule) else _one_total_of(layout, rule.cells, rule.totals)


def _write_root(layout: IssLayout, rule: Any) -> list[str] | None:
    return None if repeats(layout, rule) else _one_total_of(layout, rule.cells, rule.totals(layout.grid))


def _one_total_of(layout: IssLayout, cells: Sequence[Cell], totals: Iterable[int]) -> list[str] | None:
    """Return alternatives of cages, one for each total that can be reached; None if no total can."""
    size = len(cells)
    reached = range(sum(layout.values[:size]), sum(layout.values[-size:]) + 1) if 1 < size <= len(layout.values) else range(0)
    words = [word_text("Cage", total, *layout.names(cells)) for total in sorted(set(totals)) if total in reached]
    if len(words) > 1:
        return [composite_text("Or", words)]
    return words or None


def _read_sum(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    total, *factors = spec.split("_")
    cells = layout.cells(names)
    if not factors:
        return [make_rule("sum-cage", cells=cells, total=number(total))]
    if factors[0] != "=" or len(factors) != len(cells) + 1:
        raise ParseError(f"expected a sum such as '9_=_1_-2' with a factor for each of {len(cells)} cells, got {spec!r:.40}")
    return [make_rule("sum-cage", cells=cells, total=number(total), factors=tuple(map(number, factors[1:])))]


def _write_sum(layout: IssLayout, rule: Any) -> list[str] | None:
    fits = rule.cells and all(abs(factor) <= _LARGEST_FACTOR for factor in rule.factors)
    return [sum_text(layout, rule.cells, rule.factors, rule.total)] if fits else None


def sum_text(layout: IssLayout, cells: Sequence[Cell], factors: Sequence[int], total: int) -> str:
    """Return the word of a weighted sum; without factors each is 1."""
    return word_text("Sum", "_".join(map(str, [total, "=", *factors] if factors else [total])), *layout.names(cells))


def _read_look_and_say(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    if not spec.isascii() or not spec.isdecimal() or len(spec) % 2:
        raise ParseError(f"expected a clue of counts and values such as '1223', got {spec!r:.40}")
    clue = tuple((int(spec[place]), int(spec[place + 1])) for place in range(0, len(spec), 2))
    return [make_rule("look-and-say", cells=layout.cells(names), clue=clue)]


def _write_look_and_say(layout: IssLayout, rule: Any) -> list[str] | None:
    numbers = [part for pair in rule.clue for part in pair]
    fits = rule.cells and numbers and all(0 <= part <= _DIGIT for part in numbers)
    return [word_text("LookAndSay", "".join(map(str, numbers)), *layout.names(rule.cells))] if fits else None


# --- contents ---------------------------------------------------------------------------------------------------


def _square(layout: IssLayout, corner: Cell) -> tuple[Cell, ...]:
    prefix, (row, column) = layout.home(corner)
    found = [layout.at(prefix, (row + down, column + right)) for down in (0, 1) for right in (0, 1)]
    if None in found:
        raise ParseError(f"expected the top-left cell of four, got {layout.name(corner)!r} on the border")
    return tuple(cell for cell in found if cell is not None)


def _read_quad(layout: IssLayout, corner: str, spec: Sequence[str]) -> list[Rule]:
    return [make_rule("quadruple", cells=_square(layout, layout.cell(corner)), digits=tuple(map(number, spec)))]


def _write_quad(layout: IssLayout, rule: Any) -> list[str] | None:
    if not rule.cells or not set(rule.digits) <= set(layout.values):
        return None
    prefix, (row, column) = layout.home(min(rule.cells))
    inner = layout.at(prefix, (row + 1, column + 1)) is not None and layout.at(prefix, (row, column + 1)) is not None
    if inner and sorted(rule.cells) == sorted(_square(layout, min(rule.cells))):
        return [word_text("Quad", layout.name(min(rule.cells)), *rule.digits)]
    spec = "_".join(map(str, rule.digits))
    return [word_text("ContainAtLeast", spec, *layout.names(rule.cells))] if rule.digits else None


def _read_count_distinct(layout: IssLayout, control: str, names: Sequence[str]) -> list[Rule]:
    return [make_rule("count-distinct", cell=layout.cell(control), cells=layout.cells(names))]


def _write_count_distinct(layout: IssLayout, rule: Any) -> list[str] | None:
    return [word_text("CountDistinct", *layout.names((rule.cell, *rule.cells)))] if rule.cells else None


# --- groups -----------------------------------------------------------------------------------------------------


def _read_same_values(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    cells, count = layout.cells(names), number(spec)
    if count < 1 or len(cells) % count:
        raise ParseError(f"expected a number of sets that divides {len(cells)} cells, got {spec!r:.20}")
    size = len(cells) // count
    return [make_rule("same-value-sets", groups=tuple(cells[start : start + size] for start in range(0, len(cells), size)))]


def _write_same_values(layout: IssLayout, rule: Any) -> list[str] | None:
    names = layout.names(cell for group in rule.groups for cell in group)
    return [word_text("SameValues", len(rule.groups), *names)] if rule.groups and all(rule.groups) else None


def _write_clone(layout: IssLayout, rule: Any) -> list[str] | None:
    rows = (cells for cells in zip(rule.cells, *rule.copies, strict=True) if len(set(cells)) > 1)
    return [word_text("SameValues", len(cells), *layout.names(cells)) for cells in rows]


def _read_equal_sums(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    return [make_rule("equal-sums", groups=tuple(layout.cells(run) for run in runs(arguments) if run))]


def _write_equal_sums(layout: IssLayout, rule: Any) -> list[str] | None:
    names = [name for group in rule.groups for name in (BREAK, *layout.names(group))]
    return [word_text("EqualSum", *names[1:])] if rule.groups and all(rule.groups) else None


def runs(names: Sequence[str]) -> list[list[str]]:
    """Return the names before, between and after breaks; runs may be empty."""
    found: list[list[str]] = [[]]
    for name in names:
        if name == BREAK:
            found.append([])
        else:
            found[-1].append(name)
    return found


# --- indexing, arrows, lines ------------------------------------------------------------------------------------


def _read_indexing(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    if spec not in {"R", "C"}:
        raise ParseError(f"expected 'R' (rows) or 'C' (columns), got {spec!r:.20}")
    cells = layout.cells(names)
    beside = ", ".join(layout.names(cell for cell in cells if cell >= layout.size))[:40]
    if beside:
        raise ParseError(f"expected cells of the board, which have a row and a column, got {beside}")
    return [make_rule("indexer", cells=cells, rows=spec == "R")]


def _write_indexing(layout: IssLayout, rule: Any) -> list[str] | None:
    return [word_text("Indexing", "R" if rule.rows else "C", *layout.names(rule.cells))] if rule.cells else None


def _read_value_indexing(layout: IssLayout, arguments: Sequence[str]) -> list[Rule]:
    value, index, *cells = (*layout.cells(arguments), -1, -1)[: max(2, len(arguments))]
    if not cells:
        raise ParseError(f"expected at least three cells, got {len(arguments)}")
    return [make_rule("value-indexing", value=value, index=index, cells=tuple(cells))]


def _write_value_indexing(layout: IssLayout, rule: Any) -> list[str] | None:
    return [word_text("ValueIndexing", *layout.names((rule.value, rule.index, *rule.cells)))] if rule.cells else None


def _read_arrow(layout: IssLayout, bulb: str, names: Sequence[str]) -> list[Rule]:
    return [make_rule("arrow", bulb=layout.cell(bulb), shafts=(layout.cells(names),))]


def _write_arrow(layout: IssLayout, rule: Any) -> list[str] | None:
    return [word_text("Arrow", *layout.names((rule.bulb, *shaft))) for shaft in rule.shafts] if all(rule.shafts) else None


def _read_pill(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    size, cells = number(spec), layout.cells(names)
    if size not in _PILLS or len(cells) <= size:
        raise ParseError(f"expected 2 or 3 digits and more cells than digits, got {spec!r:.20} and {len(cells)} cells")
    bulb = tuple(sorted(cells[:size]))
    found = [make_rule("pill-arrow", bulb=bulb, shafts=(cells[size:],))]
    if len(layout.values) > _DIGIT:  # then all but the first digit are 1 to 9
        found += [allow_values(cell, range(1, _DIGIT + 1)) for cell in bulb[1:]]
    return found


def _write_pill(layout: IssLayout, rule: Any) -> list[str] | None:
    if (
        len(rule.bulb) not in _PILLS
        or list(rule.bulb) != sorted(rule.bulb)
        or not all(rule.shafts)
        or len(layout.values) > _DIGIT
    ):
        return None
    return [word_text("PillArrow", len(rule.bulb), *layout.names((*rule.bulb, *shaft))) for shaft in rule.shafts]


def _read_whisper(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    if spec[:1].isalpha():  # a German whisper states no difference
        usual = None if -(-len(layout.values) // 2) == _GERMAN else _GERMAN
        return [make_rule("whisper", cells=layout.cells((spec, *names)), difference=usual)]
    return [make_rule("whisper", cells=layout.cells(names), difference=number(spec))]


_GERMAN = 5


def _write_whisper(layout: IssLayout, rule: Any) -> list[str] | None:
    if not rule.cells:
        return None
    usual = -(-len(layout.values) // 2)
    silent = rule.difference is None and usual == _GERMAN
    spec = [] if silent else [usual if rule.difference is None else rule.difference]
    return [word_text("Whisper", *spec, *layout.names(rule.cells))]


def _read_sum_line(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    loop = list(names[-1:]) == [LOOP]
    return [make_rule("sum-line", cells=layout.cells(names[:-1] if loop else names), total=number(spec), loop=loop)]


def _write_sum_line(layout: IssLayout, rule: Any) -> list[str] | None:
    names = [*layout.names(rule.cells), *[LOOP] * rule.loop]
    return [word_text("SumLine", rule.total, *names)] if rule.cells and rule.total > 0 else None


CONVERTERS = (
    WordConverter(GIVEN, "multi-sum-cage", _read_givens, _write_givens),
    WordConverter("", "odd", write_only, _write_parity),
    WordConverter("", "even", write_only, _write_parity),
    WordConverter("Cage", "killer-cage", headed("a sum and cells", _read_cage), _write_cage),
    WordConverter("", "multi-sum-cage", write_only, _write_totals),
    WordConverter("", "digital-root-cage", write_only, _write_root),
    WordConverter("Sum", "sum-cage", headed("a sum and cells", _read_sum), _write_sum),
    WordConverter("LookAndSay", "look-and-say", headed("a clue and cells", _read_look_and_say), _write_look_and_say),
    WordConverter("Quad", "quadruple", headed("a cell and values", _read_quad), _write_quad),
    WordConverter("CountDistinct", "count-distinct", headed("cells", _read_count_distinct), _write_count_distinct),
    WordConverter("SameValues", "same-value-sets", headed("a number of sets and cells", _read_same_values), _write_same_values),
    WordConverter("", "clone", write_only, _write_clone),
    WordConverter("EqualSum", "equal-sums", _read_equal_sums, _write_equal_sums),
    WordConverter("Indexing", "indexer", headed("R or C and cells", _read_indexing), _write_indexing),
    WordConverter("ValueIndexing", "value-indexing", _read_value_indexing, _write_value_indexing),
    WordConverter("Arrow", "arrow", headed("cells", _read_arrow), _write_arrow),
    WordConverter("PillArrow", "pill-arrow", headed("a number of digits and cells", _read_pill), _write_pill),
    WordConverter("Whisper", "whisper", headed("a difference and cells", _read_whisper), _write_whisper),
    WordConverter("SumLine", "sum-line", headed("a sum and cells", _read_sum_line), _write_sum_line),
)
"""Converters without a name only write: rules for which strings have no word of their own."""
