"""A puzzle: a grid, the rules on it, and what is given."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from threading import RLock
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from sudoku_cp.arguments import CheckedFields, checked
from sudoku_cp.errors import InvalidInput, ParseError, Problem, Unsupported, placed
from sudoku_cp.grid import Cell, Grid, Place
from sudoku_cp.model import Block, Constraint, Domain, Model, Values, join_blocks, make_block, to_mask
from sudoku_cp.puzzle import upward_calls
from sudoku_cp.puzzle.line_text import can_only_be_line, detect_symbols, parse_line
from sudoku_cp.rules.base import Rule
from sudoku_cp.rules.houses import Houses
from sudoku_cp.symbols import Symbols, numerals

_K = TypeVar("_K")
_V = TypeVar("_V")

DEFAULT_SYMBOLS = Symbols("?")
"""Placeholder for the numerals of the grid's values, until the grid is known."""
CLASSIC: tuple[Rule, ...] = (Houses(),)
"""The rules of a plain sudoku."""


@dataclass(frozen=True)
class Puzzle(CheckedFields):
    """A puzzle; immutable.

    ``givens`` maps cells to values; ``candidates`` maps cells to the set (bits) of the values still allowed there. ``ruleset`` is
    the source's own words for the rules. ``solution`` is the solution that the source states: never trusted, only compared.
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
        return upward_calls.puzzle_of_text(text, grid, symbols)

    @staticmethod
    @checked
    def of_rows(rows: Any, grid: Grid | None = None, symbols: Symbols | None = None) -> Puzzle:
        """Make a plain puzzle of rows of cells: lists, a NumPy array, a data frame, or strings of signs.

        A cell is a number or a sign; 0, None, NaN, "" and ``.`` are empty. One flat list of all cells will do too. Raises
        `InvalidInput` with the row and column of what is wrong.
        """
        return upward_calls.puzzle_of_rows(rows, grid, symbols)

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
        return upward_calls.solutions(self, **options)

    # --- symmetries --------------------------------------------------------------------------------------------

    def canonical(self) -> Puzzle:
        """Return the one puzzle that stands for all isomorphic ones; on boards with boxes, the one with the smallest line."""
        return upward_calls.canonical(self)

    def automorphism_count(self) -> int:
        """Return how many symmetries of the rules, relabellings included, keep the puzzle as it is."""
        return upward_calls.automorphism_count(self)

    # --- as text ------------------------------------------------------------------------------------------------

    @property
    def is_plain(self) -> bool:
        """Whether `line` says everything but the texts: the usual board and rules, no candidates, signs that are detected."""
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
        return upward_calls.svg(self)

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
    _blocks.clear()
