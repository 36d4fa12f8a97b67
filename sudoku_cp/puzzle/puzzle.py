"""A puzzle: a grid, the rules on it, and what is given."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import lru_cache, reduce
from math import isqrt
from operator import or_
from threading import RLock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from sudoku_cp.arguments import CheckedFields, checked
from sudoku_cp.errors import InvalidInput, ParseError, Problem, Unsupported, placed
from sudoku_cp.grid import MAX_SIDE, Cell, Grid, Place
from sudoku_cp.model import Block, Constraint, Domain, Model, Values, join_blocks, make_block, to_mask
from sudoku_cp.rules.base import Rule
from sudoku_cp.rules.houses import Houses
from sudoku_cp.symbols import BLANKS, DIGITS, Symbols, hexadecimal, letters, numerals, pictured_digit

if TYPE_CHECKING:
    from sudoku_cp.cosmetics import Drawing
else:
    Drawing = Any  # most puzzles have none, and do without the module; those of others are checked one by one

_K = TypeVar("_K")
_V = TypeVar("_V")

DEFAULT_SYMBOLS = Symbols("?")
"""Placeholder for the numerals of the grid's values, until the grid is known."""
CLASSIC: tuple[Rule, ...] = (Houses(),)
"""The rules of a plain sudoku."""

# People expect some methods here whose code is in a higher layer. They import it when they are called, so that a puzzle can be
# made without it; the import contracts in pyproject.toml list these imports as the only exceptions.


@dataclass(frozen=True)
class Puzzle(CheckedFields):
    """A puzzle; immutable.

    ``givens`` maps cells to values; ``candidates`` maps cells to the set (bits) of the values still allowed there. ``ruleset`` is
    the source's own words for the rules. ``solution`` is the solution that the source states: never trusted, only compared.
    ``drawings`` are what the source draws apart from rules (`sudoku_cp.cosmetics`); they mean nothing.
    Raises `InvalidInput` with everything that is wrong; givens that clash are not wrong, they make a puzzle without a solution.
    """

    such_as: ClassVar[str] = "Puzzle.parse(text)"
    grid: Grid = field(default_factory=Grid.square)
    rules: tuple[Rule, ...] = CLASSIC
    givens: Mapping[Cell, int] = field(default_factory=dict)
    candidates: Mapping[Cell, Domain] = field(default_factory=dict)
    symbols: Symbols = DEFAULT_SYMBOLS
    title: str = ""
    author: str = ""
    source: str = ""
    solution: tuple[int, ...] | None = None
    ruleset: str = ""
    drawings: tuple[Drawing, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the mappings, fill in the alphabet, and check everything."""
        super().__post_init__()
        freeze = object.__setattr__
        freeze(self, "givens", MappingProxyType(dict(sorted(self.givens.items()))))
        freeze(self, "candidates", MappingProxyType(dict(sorted(self.candidates.items()))))
        freeze(self, "symbols", numerals(self.grid.values) if self.symbols is DEFAULT_SYMBOLS else self.symbols)
        problems = tuple(self._problems())
        if problems:
            raise InvalidInput(problems)

    def _problems(self) -> Iterator[str]:
        cells, values = self.grid.cells, self.grid.values
        yield from _rule_problems(self.grid, self.rules)
        if self.symbols is not numerals(values) and not self.symbols.covers(values):
            yield Problem(f"expected signs for the values {values[0]} to {values[-1]}, got {self.symbols!r}", ["symbols"])
        for cell in self.givens.keys() | self.candidates.keys():
            if cell not in cells:
                yield f"expected cells of {self.grid} (0 to {len(cells) - 1}), got {cell!r}"
        for cell, value in self.givens.items():
            if value not in values and cell in cells:
                name = self.grid.cell_name(cell)
                words = f"expected a value from {values[0]} to {values[-1]} in {name}, got {value!r}"
                yield Problem(words, ["givens", name], name)
        for cell, domain in self.candidates.items():
            if cell in cells and (domain <= 0 or domain & ~to_mask(values)):
                name = self.grid.cell_name(cell)
                words = f"expected some of the values {values[0]} to {values[-1]} as candidates of {name}, got {domain:#b}"
                yield Problem(words, ["candidates", name], name)
        if self.solution is not None and (len(self.solution) != len(cells) or not set(self.solution) <= set(values)):
            words = f"expected a stated solution of {len(cells)} values from {values[0]} to {values[-1]}, got {self.solution!r}"
            yield Problem(words, ["solution"])
        if self.drawings:
            from sudoku_cp.cosmetics import drawing_problems  # noqa: PLC0415  # as above: most puzzles have none

            yield from drawing_problems(self.drawings, self.grid)

    # --- construction -----------------------------------------------------------------------------------------

    @staticmethod
    @checked
    def parse(text: str, grid: Grid | None = None, symbols: Symbols | None = None) -> Puzzle:
        """Parse a puzzle from its text: one sign per cell, row by row, or any format that files are read in.

        Blanks are any of ``0.X*_-`` or space. The format is recognised as in files, so that several rows, a link or 729 pencil
        marks mean here what they mean there. ``grid`` and ``symbols`` are those of plain texts. A text of several puzzles is
        refused: `read_puzzles` yields each.
        """
        if can_only_be_line(text, grid):
            with suppress(ParseError):
                found, own, givens = parse_line(text, grid, symbols)
                return Puzzle(found, CLASSIC, givens, symbols=own)
        from sudoku_cp import formats  # noqa: PLC0415  # a higher layer: see above

        return formats.puzzle_of_text(text, grid, symbols)

    @staticmethod
    @checked
    def of_rows(rows: Any, grid: Grid | None = None, symbols: Symbols | None = None) -> Puzzle:
        """Make a plain puzzle of rows of cells: lists, a NumPy array, a data frame, or strings of signs.

        A cell is a number or a sign; 0, None, NaN, "" and ``.`` are empty. One flat list of all cells will do too. Raises
        `InvalidInput` with the row and column of what is wrong.
        """
        from sudoku_cp.formats import matrices  # noqa: PLC0415  # a higher layer

        return matrices.puzzle_of_rows(rows, grid, symbols)

    @checked
    def with_givens(self, givens: Mapping[Cell, int]) -> Puzzle:
        """Return the same puzzle with other givens."""
        return replace(self, givens=givens)

    # --- meaning -----------------------------------------------------------------------------------------------

    @checked
    def model(self, tick: Callable[[], object] = int) -> Model:
        """Return the rules (without the givens) as a model; the same object for every puzzle of the same rules.

        ``tick`` is called now and then while it is built, and may raise to give up.
        """
        return _models.get((self.grid, self.rules), lambda: _build_model(self.grid, self.rules, tick))

    def searched_model(self, tick: Callable[[], object] = int) -> Model:
        """Return the model without the values that candidates exclude from every cell, otherwise the same as `model`.

        Where as many values are left as a house has cells, each house holds all of them, and engines infer more.
        """
        model, allowed = self.model(tick), self.assume() if self.candidates else {}
        span = reduce(or_, allowed.values(), 0)
        if len(allowed) < model.board or not to_mask(self.grid.values) & ~span or model.is_houses:
            return model
        narrow = [domain & span for domain in model.domains[: model.board]]
        return _narrowed_models.get(
            (self.grid, self.rules, span), lambda: replace(model, domains=(*narrow, *model.domains[model.board :]))
        )

    def assume(self) -> dict[Cell, Domain]:
        """Return givens and candidates as the set (bits) of the values that each cell may still take."""
        allowed = dict(self.candidates)
        for cell, value in self.givens.items():
            allowed[cell] = allowed.get(cell, -1) & 1 << value
        return allowed

    @checked
    def holds(self, values: Values) -> bool:
        """Return whether a filled grid is a solution: values in range, givens and candidates kept, every rule's `holds` true."""
        cells, within = len(self.grid.cells), self.grid.values
        if len(values) != cells:
            raise InvalidInput(f"Puzzle.holds, values: expected a value for each of {cells} cells, got {len(values)}")
        return (
            all(value in within for value in values)
            and all(values[cell] == value for cell, value in self.givens.items())
            and all(domain >> values[cell] & 1 for cell, domain in self.candidates.items())
            and all(rule.holds(self.grid, values) for rule in self.rules)
        )

    def solutions(self, **options: Any) -> Iterator[tuple[int, ...]]:
        """Yield every solution, as `sudoku_cp.solutions` does, with the same options."""
        from sudoku_cp import queries  # noqa: PLC0415  # a higher layer

        return queries.solutions(self, **options)

    # --- symmetries --------------------------------------------------------------------------------------------

    def canonical(self) -> Puzzle:
        """Return the one puzzle that stands for all isomorphic ones; on boards with boxes, the one with the smallest line."""
        from sudoku_cp.puzzle.isomorphism import canonical_forms  # noqa: PLC0415  # it makes puzzles

        return canonical_forms.canonical(self)

    def automorphism_count(self) -> int:
        """Return how many symmetries of the rules, relabellings included, keep the puzzle as it is."""
        from sudoku_cp.puzzle.isomorphism import canonical_forms  # noqa: PLC0415  # it reads puzzles

        return canonical_forms.automorphism_count(self)

    # --- as text ------------------------------------------------------------------------------------------------

    @property
    def is_plain(self) -> bool:
        """Whether `line` says everything but texts and drawings: usual board and rules, no candidates, detected signs."""
        return (
            self.grid.is_plain
            and self.rules == CLASSIC
            and not self.candidates
            and self.symbols == detect_symbols(self.line(), self.grid.values)
        )

    @checked
    def line(self, values: Iterable[int | None] | None = None) -> str:
        """Format as one line, one sign per cell and ``.`` for blanks; ``values`` replace the givens if passed."""
        if len(self.grid.boards) > 1:
            raise Unsupported("expected a grid of one board for a line of text, got several")
        shown = map(self.givens.get, self.grid.cells) if values is None else values
        return "".join("." if value is None else self.symbols.sign(value) for value in shown)

    def __str__(self) -> str:
        """Return what a person would write down: the givens, one row per line."""
        return draw_rows(self.grid, {cell: self.symbols.sign(value) for cell, value in self.givens.items()})

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from sudoku_cp import render  # noqa: PLC0415  # a higher layer

        return render.svg(self)

    def __repr__(self) -> str:
        """Return an expression that rebuilds the puzzle."""
        if self.is_plain and self == Puzzle(self.grid, CLASSIC, self.givens, symbols=self.symbols):
            return f"Puzzle.parse({self.line()!r})"
        state = [(f.name, getattr(self, f.name)) for f in fields(self)]
        default = {f.name: f.default for f in fields(self)} | {
            "symbols": numerals(self.grid.values),
            "givens": {},
            "candidates": {},
        }
        shown = [(name, dict(value) if isinstance(value, Mapping) else value) for name, value in state if value != default[name]]
        return f"Puzzle({', '.join(f'{name}={value!r}' for name, value in shown)})"

    def __hash__(self) -> int:
        """Hash the grid, rules, givens, candidates and symbols."""
        return hash((self.grid, self.rules, tuple(self.givens.items()), tuple(self.candidates.items()), self.symbols))

    def __getstate__(self) -> dict[str, Any]:
        """Return plain data: frozen mappings cannot be pickled."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {
            "givens": dict(self.givens),
            "candidates": dict(self.candidates),
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Rebuild from plain data."""
        self.__init__(**state)  # type: ignore[misc]


def draw_rows(grid: Grid, signs: Mapping[Cell, str]) -> str:
    """Return one line per row of the plane: the sign of each cell, ``.`` if it has none, a space where there is no cell."""
    rows = range(max(row for row, _ in grid.places) + 1)
    columns = range(max(column for _, column in grid.places) + 1)

    def sign(place: Place) -> str:
        return signs.get(grid.cell_at[place], ".") if place in grid.cell_at else " "

    return "\n".join(" ".join(sign((row, column)) for column in columns).rstrip() for row in rows)


@lru_cache(maxsize=256)
def _rule_problems(grid: Grid, rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """Return what is wrong with rules on a grid, each problem once, with the index of its rule and the field that it names."""
    found = (
        placed(problem, "rules", index, *_field_named(rule, problem))
        for index, rule in enumerate(rules)
        for problem in (*Rule.problems(rule, grid), *rule.problems(grid))
    )
    return tuple(dict.fromkeys(found))


def _field_named(rule: Rule, problem: str) -> list[str]:
    """Return the field of the rule that a problem is about, which it names after the kind; none for the rule as a whole."""
    return [name for name in rule.field_types if problem.startswith(f"{rule.kind}, {name}: ")]


class LruCache(Generic[_K, _V]):
    """A thread-safe cache of the most recently used values; all threads get the same object."""

    def __init__(self, size: int) -> None:
        """Keep at most ``size`` values."""
        self._size = size
        self._found: OrderedDict[_K, _V] = OrderedDict()
        self._lock = RLock()

    def get(self, key: _K, make: Callable[[], _V]) -> _V:
        """Return the value of a key, built by ``make`` if it is missing."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        value = make()
        with self._lock:
            value = self._found.setdefault(key, value)  # another thread may have built it meanwhile: one object for all
            while len(self._found) > self._size:
                self._found.popitem(last=False)
        return value

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._found.clear()


_models: LruCache[tuple[Grid, tuple[Rule, ...]], Model] = LruCache(64)
_narrowed_models: LruCache[tuple[Grid, tuple[Rule, ...], Domain], Model] = LruCache(64)
_blocks: LruCache[tuple[Grid, Rule], Block] = LruCache(1024)
"""The block of statements of each rule on a grid, shared by puzzles with the same rule."""


def _build_model(grid: Grid, rules: tuple[Rule, ...], tick: Callable[[], object]) -> Model:
    def rule_block(rule: Rule) -> Block:
        if type(rule).lower_beside is not Rule.lower_beside:
            return make_block(rule.kind, rule.lower_beside(grid, rules), tick)
        return _blocks.get((grid, rule), lambda: make_block(rule.kind, rule.lower(grid), tick))

    blocks = [rule_block(rule) for rule in rules]
    return join_blocks([to_mask(grid.values)] * len(grid.cells), blocks, tick)


def stated_constraints(puzzle: Puzzle) -> Iterator[Constraint]:
    """Yield what the rules state, before it becomes a model: a tenth of the work where only a few kinds of constraints matter."""
    for rule in puzzle.rules:
        for _, constraint in rule.lower_beside(puzzle.grid, puzzle.rules):
            yield constraint


def forget_models() -> None:
    """Clear the caches of models, so that the next puzzle's rules are lowered from scratch: for benchmarks."""
    _models.clear()
    _narrowed_models.clear()
    _blocks.clear()


# A position: a puzzle with some cells filled, and the origin of each value.


class Origin(StrEnum):
    """Where a value came from: the puzzle, a deduction, or a guess."""

    GIVEN = "given"
    FORCED = "forced"
    GUESSED = "guessed"


@dataclass(frozen=True)
class Position(CheckedFields):
    """For each cell a value (None if open), its origin, and pencil marks (a set of values as bits, 0 for none)."""

    such_as: ClassVar[str] = "Position.of(puzzle)"
    puzzle: Puzzle
    values: tuple[int | None, ...]
    origins: tuple[Origin | None, ...]
    marks: tuple[Domain, ...] = ()

    def __post_init__(self) -> None:
        """Refuse lengths that do not fit the grid, and values without an origin."""
        super().__post_init__()
        cells = self.puzzle.grid.cells
        lengths = len(self.values), len(self.origins), len(self.marks)
        if lengths not in {(len(cells), len(cells), marks) for marks in (0, len(cells))}:
            raise InvalidInput(f"expected a value, an origin and marks for each of {len(cells)} cells, got {lengths}")
        pairs = zip(cells, self.values, self.origins, strict=True)
        if wrong := [cell for cell, value, origin in pairs if (value is None) != (origin is None)]:
            name, origin = self.puzzle.grid.cell_name(wrong[0]), self.origins[wrong[0]]
            got = f"no origin of the value in {name}" if origin is None else f"{origin.value!r} for {name}, which is open"
            raise InvalidInput(f"expected an origin for every value and for no open cell, got {got}")

    @staticmethod
    @checked
    def of(puzzle: Puzzle, values: Iterable[int | None] = (), origins: Mapping[Cell, Origin] | None = None) -> Position:
        """Return the position of the givens, or of ``values``, whose origin is "forced" unless given or in ``origins``."""
        found = tuple(values) or tuple(map(puzzle.givens.get, puzzle.grid.cells))
        given = (cell for cell, value in puzzle.givens.items() if found[cell] == value)
        known = {**(origins or {}), **dict.fromkeys(given, Origin.GIVEN)}
        kinds = tuple(None if value is None else known.get(cell, Origin.FORCED) for cell, value in enumerate(found))
        return Position(puzzle, found, kinds)

    def __str__(self) -> str:
        """Return the values, one row per line."""
        sign = self.puzzle.symbols.sign
        return draw_rows(self.puzzle.grid, {cell: sign(value) for cell, value in enumerate(self.values) if value is not None})

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from sudoku_cp import render  # noqa: PLC0415  # a higher layer

        return render.svg(self)


# A puzzle as one line of text: a sign for each cell, row by row.


MAX_LISTED_PROBLEMS = 10
"""The most wrong signs of a text that are listed; the rest are only counted."""

_MOST_PLAIN = 64
"""Cells of a board that are never taken for pencil marks, though they may be as many as those of a smaller one."""
_LEAST_REGIONS = 4
"""The smallest side of a board with irregular regions."""


def square_side(length: int) -> int | None:
    """Return the side of the square board with ``length`` cells, None if there is none."""
    side = isqrt(length)
    return side if side * side == length and 2 <= side <= MAX_SIDE else None  # noqa: PLR2004


def can_only_be_line(text: str, grid: Grid | None = None) -> bool:
    """Return whether a text of as many signs as a board has cells can mean nothing else: a quick test that spares others.

    It could also be regions (each sign as often as there are rows), pencil marks (n signs a cell) or signs between spaces.
    """
    if grid is not None:
        return len(text) == len(grid.cells)
    side = square_side(len(text))
    if side is None or (len(text) > _MOST_PLAIN and round(len(text) ** (1 / 3)) ** 3 == len(text)):
        return False
    regions = side >= _LEAST_REGIONS and text.count(text[0]) == side
    return not regions and not (" " in text and {*text} & {*BLANKS} - {" "})


def detect_symbols(signs: Iterable[str], values: range) -> Symbols:
    """Return the alphabet that a text with these signs is written in.

    Letters if there are some and no digit, or if numerals cannot be read; 0-based if ``0`` occurs beside another sign for blanks
    on a board of more than nine values, and the last numeral does not occur; else numerals.
    """
    used = set(signs)
    written = used - set(BLANKS)
    lettered, usual = letters(values), numerals(values)
    if len(values) > 9 and "0" in used and used & set(".*_?- ") and values[-1] not in map(usual.parse, used):  # noqa: PLR2004
        usual = hexadecimal(values)
    only_letters = written and not used & set(DIGITS)
    return lettered if _can_read(lettered, written) and (only_letters or not _can_read(usual, written)) else usual


def _can_read(symbols: Symbols, signs: Iterable[str]) -> bool:
    return all(symbols.parse(sign) is not None for sign in signs)


def parse_line(
    text: str, grid: Grid | None = None, symbols: Symbols | None = None, start: int = 0
) -> tuple[Grid, Symbols, dict[Cell, int]]:
    """Parse the grid, the alphabet and the givens of a line of text.

    Without a grid, the length gives the side of a square board. Raises `ParseError` with the columns of all wrong signs,
    counted from ``start`` for a text inside a longer line.
    """
    if grid is None:
        side = square_side(len(text))
        if side is None:
            raise ParseError(f"expected one sign for each cell of a square board (81 for 9x9), got {len(text)}")
        grid = Grid.square(side)
    elif len(text) != len(grid.cells):
        raise ParseError(f"expected {len(grid.cells)} cells, got {len(text)}")
    used = set(text)
    symbols = symbols or detect_symbols(used, grid.values)
    value_of = _values_of(symbols, grid.values)
    unknown = used - value_of.keys() - set(BLANKS)
    if unknown:
        raise _unknown_signs(text, unknown, symbols, start)
    return grid, symbols, {cell: value_of[sign] for cell, sign in enumerate(text) if sign in value_of}


@lru_cache(maxsize=64)
def _values_of(symbols: Symbols, values: range) -> Mapping[str, int]:
    """Return the value of every sign for one of ``values``, in upper and lower case."""
    found = {sign: symbols.parse(sign) for sign in (*symbols.signs, *symbols.signs.swapcase())}
    return MappingProxyType({sign: value for sign, value in found.items() if value is not None and value in values})


def _unknown_signs(text: str, unknown: set[str], symbols: Symbols, start: int) -> ParseError:
    wrong = [(column, sign) for column, sign in enumerate(text, start + 1) if sign in unknown]
    expected = f"a sign of {symbols.signs!r} or a blank (one of {BLANKS!r})"
    problems = [
        f"expected {expected}, got {sign!r}{pictured_digit(sign)} at column {column}"
        for column, sign in wrong[:MAX_LISTED_PROBLEMS]
    ]
    if len(wrong) > MAX_LISTED_PROBLEMS:
        problems.append(f"and {len(wrong) - MAX_LISTED_PROBLEMS} more such signs")
    return ParseError(problems, column=wrong[0][0])
