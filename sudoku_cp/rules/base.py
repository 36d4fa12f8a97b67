"""What a rule is, the registry of rules, their JSON, and the types of their fields.

A rule is a frozen dataclass with a ``kind``. Its fields are its JSON, its docstring is its help text, and everything
else (tests, gallery, listing, drawing) finds it in `RULES`.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache, wraps
from importlib import import_module
from inspect import get_annotations
from itertools import chain
from types import MappingProxyType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, Union, get_args, get_origin

from sudoku_cp.arguments import CheckedFields
from sudoku_cp.errors import InvalidInput, SudokuError, WrongAnswer, placed, require_type, shorten
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.model import Constraint, Values
from sudoku_cp.name_table import NameTable
from sudoku_cp.rules.kinds import CLASS_OF

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Self

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.rules.gestures import Gesture
    from sudoku_cp.rules.wording import RuleWording


# The types that fields of rules may have: a plain type or nested tuples of it, either of them optional.


PLAIN: dict[object, str] = {Cell: "Cell", int: "int", bool: "bool", str: "str"}
"""The plain types and their names; `base` adds Rule. A new one needs a reader in `base.READERS`."""


class FieldType(NamedTuple):
    """The type of a field: ``plain`` in tuples that are ``depth`` deep (0: no tuple); ``optional`` if it may be None."""

    plain: object
    depth: int = 0
    optional: bool = False

    def __str__(self) -> str:
        """Return the type as a rule would declare it: ``tuple[Cell, ...] | None``."""
        return "tuple[" * self.depth + PLAIN[self.plain] + ", ...]" * self.depth + " | None" * self.optional

    @property
    def each(self) -> FieldType:
        """The type of a tuple's elements."""
        return FieldType(self.plain, self.depth - 1)

    def plain_values(self, value: Any) -> Iterable[Any]:
        """Return everything plain in a field with this type and value."""
        if value is None:
            return ()
        found = (value,)
        for _ in range(self.depth):
            found = tuple(chain.from_iterable(found))
        return found


class LazyFieldTypes:
    """A class attribute (descriptor): the type of each field by its name, resolved on first use; most classes never need it."""

    def __get__(self, rule: object, owner: type) -> Mapping[str, FieldType]:
        """Return the types of a class."""
        return field_types_of(owner)


@cache
def field_types_of(rule: type) -> Mapping[str, FieldType]:
    """Return the name and type of each field that a rule's class declares or inherits, in the order of declaration.

    Raise `TypeError` for a type that no field may have; a `NameError` means that its import is under ``TYPE_CHECKING``.
    """
    types: dict[str, FieldType] = {}
    for owner in reversed(rule.__mro__):
        for name, hint in get_annotations(owner).items():
            found = _evaluated(hint, owner.__module__)
            if found is None:
                raise TypeError(
                    f"{rule.__name__}, {name}: expected a field of type {', '.join(PLAIN.values())}, tuple[TYPE, ...] or "
                    f"TYPE | None of one of these, got {hint}; a new type needs a reader in sudoku_cp/rules/base.py"
                )
            if found is not ClassVar:
                types[name] = found
    return MappingProxyType(types)


@cache
def _evaluated(hint: Any, module: str) -> FieldType | Any:
    """Return the type of a field; ClassVar for a class attribute, None for a type that no field may have."""
    inner = eval(hint, vars(sys.modules[module])) if isinstance(hint, str) else hint  # noqa: S307  # source code of our own
    if ClassVar in (inner, get_origin(inner)):
        return ClassVar
    optional = get_origin(inner) in (Union, UnionType) and NoneType in get_args(inner)
    if optional:
        inner = Union[tuple(one for one in get_args(inner) if one is not NoneType)]  # noqa: UP007  # of as many as there are
    depth = 0
    while get_origin(inner) is tuple and get_args(inner)[1:] == (...,):
        depth, inner = depth + 1, get_args(inner)[0]
    return FieldType(inner, depth, optional) if inner in PLAIN else None


GROUP = "sudoku_cp.rules"
"""The entry points by which other packages name modules of rules."""


class Registry(Mapping[str, "type[Rule]"]):
    """Every kind of rule by its name, in alphabetical order; the file of a rule is imported on first use.

    Rules of other packages are found by their entry points, which are looked up when a kind is not ours, or all are wanted.
    """

    def __init__(self) -> None:
        """Start empty; defining a rule's class adds it."""
        self.defined: dict[str, type[Rule]] = {}
        self._has_plugins = False

    def _load(self, *kinds: str) -> None:
        """Import the files of these kinds; all files if no kind is given, or none of them is in the table yet."""
        paths = [CLASS_OF[kind] for kind in kinds if kind in CLASS_OF] or CLASS_OF.values()
        for family in sorted({path.partition(".")[0] for path in paths}):
            import_module(f"sudoku_cp.rules.{family}")

    def load_plugins(self) -> None:
        """Import the modules of rules of other packages, once; one that does not load is named in the log, and hides no other."""
        if self._has_plugins:
            return
        self._has_plugins = True
        import logging  # noqa: PLC0415  # 4 ms that few calls need
        from importlib.metadata import entry_points  # noqa: PLC0415  # 12 ms, as above

        for point in entry_points(group=GROUP):
            try:
                point.load()
            except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever another package raises
                words = "the rules of %r (%s) are left out, as they do not load: %s: %s"
                logging.getLogger("sudoku_cp").warning(words, point.name, point.value, type(error).__name__, error)

    def __getitem__(self, kind: str) -> type[Rule]:
        """Return the class of that kind."""
        if kind not in self.defined:
            self._load(kind)
        if kind not in self.defined:
            self.load_plugins()
        return self.defined[kind]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the kinds in alphabetical order."""
        self._load()
        self.load_plugins()
        return iter(sorted(self.defined))

    def __len__(self) -> int:
        """Count the kinds."""
        self._load()
        self.load_plugins()
        return len(self.defined)


RULES = Registry()

LARGEST = 1_000_000
"""The largest number in a rule; engines rely on it."""
NESTED = 100
"""The deepest nesting of lists and objects in the data of a rule; rules made of rules never need more."""

Cells: TypeAlias = tuple[Cell, ...]
Lowered: TypeAlias = Iterator[tuple[str, Constraint]]
"""What a rule lowers to: constraints, each with the part of the rule that it states."""


class DerivedGesture:
    """A class attribute (descriptor): the gesture of a kind of rule, derived on first use; a class may state its own instead."""

    def __get__(self, rule: object, owner: type) -> Gesture:
        """Return the gesture of a class."""
        from sudoku_cp.rules.gestures import derive_gesture  # noqa: PLC0415  # it needs all that can be drawn

        return derive_gesture(owner)


@dataclass(frozen=True)
class Rule(CheckedFields, ABC):
    """Something that a solved grid must obey."""

    kind: ClassVar[str]
    elsewhere: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What other tools call it, by the tool's name: ``ISS``, ``f-puzzles``, ``SudokuSolver``, ``SudokuPad``, ...; and what people
    ``also`` do. Commas separate several names. Wherever a kind of rule is named, these are understood."""
    sets_differ: ClassVar[bool] = False
    """Whether words about several rules of this kind, which are drawn alike, must name the cells of each."""
    stated: ClassVar[frozenset[str]] = frozenset()
    """The fields whose cells its `sentence` names, if they need be named."""
    field_types: ClassVar[LazyFieldTypes] = LazyFieldTypes()
    """The type of each field by its name."""
    gesture = DerivedGesture()
    """How a person makes it on a drawn board. No annotation: with one, `dataclass` would derive it before there are fields."""

    def __init_subclass__(cls, *, family: bool = False, **kwargs: object) -> None:
        """Add the new kind to the registry; a ``family`` is not a kind but the base class of several."""
        super().__init_subclass__(**kwargs)
        if family:
            return
        if cls.kind in RULES.defined:
            raise TypeError(f"expected a kind of its own for {cls.__name__}, got {cls.kind!r}, which another rule has")
        RULES.defined[cls.kind] = cls
        if not cls.__module__.startswith(f"{__package__}."):
            _guard(cls)

    @abstractmethod
    def lower(self, grid: Grid) -> Lowered:
        """Yield the rule as constraints on the grid's cells, each with the name of the part it states."""

    @abstractmethod
    def holds(self, grid: Grid, values: Values) -> bool:
        """Return whether a filled grid obeys the rule; written independently of ``lower``, so that each can check the other."""

    def lower_beside(self, grid: Grid, beside: tuple[Rule, ...]) -> Lowered:
        """Yield what ``lower`` does, or for engines constraints that are equivalent given the other rules (``beside``)."""
        yield from self.lower(grid)

    def lower_distinct(self, grid: Grid) -> tuple[Cells, Lowered] | None:
        """Return cells that the rule requires to differ, and constraints that are equivalent to it if they do; here None.

        A choice of rules about the same cells states once that these differ.
        """

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """Yield what to draw for the rule; nothing for a rule that is only described in words."""
        yield from ()

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it for solvers, who see the drawing, with the numbers that it does not show.

        It says "value" where `RuleWording.adapt` may write "digit". Here: the first paragraph of the class's docstring,
        followed by all fields without cells that are not at their defaults.
        """
        text = " ".join((type(self).__doc__ or self.kind).split("\n\n")[0].split()).replace("`", "")
        plain = (one for one in fields(self) if self.field_types[one.name].plain not in (Cell, Rule))
        told = ((one.name.replace("_", " "), getattr(self, one.name)) for one in plain if getattr(self, one.name) != one.default)
        numbers = "; ".join(f"{name}: {value}" for name, value in told)
        return f"{text} ({numbers})" if numbers else text

    def clause(self, wording: RuleWording) -> str:
        """Return its sentence as a part of another, with its cells: "the line reads the same in both directions (r1c1 r1c2)"."""
        sentence, cells = self.sentence(wording).rstrip("."), self.cells_in_words(wording)
        return f"{sentence[:1].lower()}{sentence[1:]}{f' ({cells})' * bool(cells)}"

    def cells_in_words(self, wording: RuleWording, only: Collection[str] | None = None) -> str:
        """Return the cells of its fields (of ``only`` these), unless its sentence names them: ``r1c1 r1c2 / r3c1 r3c2``."""
        named = [name for name, one in self.field_types.items() if one.plain is Cell and name not in self.stated]
        groups = (cell_groups(getattr(self, name)) for name in named if only is None or name in only)
        return " / ".join(filter(None, map(wording.cells, chain.from_iterable(groups))))

    @classmethod
    def example(cls, grid: Grid) -> Self:
        """Return a small instance on ``grid``, which has at least 4 rows and 4 columns; here, the rule with its defaults."""
        return cls()

    def problems(self, grid: Grid) -> Iterator[str]:
        """Yield what is wrong with the rule on ``grid``, in words."""
        for name, field in self.field_types.items():
            where = f"{self.kind}, {name}"
            for value in field.plain_values(getattr(self, name)):
                if field.plain is Cell and value not in grid.cells:
                    yield f"{where}: expected cells of {grid} (0 to {len(grid.cells) - 1}), got {value!r}"
                elif field.plain is int and abs(value) > LARGEST:
                    yield f"{where}: expected numbers of at most {LARGEST:,}, got {value!r:.80}"
                elif field.plain is Rule:
                    yield from (f"{where}: {problem}" for problem in (*Rule.problems(value, grid), *value.problems(grid)))


PLAIN[Rule] = "Rule"


def cell_groups(cells: Any) -> Sequence[Cells]:
    """Return the cells of a field (a cell, cells, lists of cells, or None) as lists of cells."""
    if isinstance(cells, int):
        return [(cells,)]
    return cells if cells and isinstance(cells[0], tuple) else [cells or ()]


def _guard(kind: type[Rule]) -> None:
    """Check the constraints that rules of another package's ``kind`` lower to, and name the rule in whatever they raise."""
    for name in ("lower", "lower_beside"):
        if lower := vars(kind).get(name):
            setattr(kind, name, _guarded_parts(_with_checks(lower)))
    for name, guarded in (("cosmetics", _guarded_parts), ("problems", _guarded_parts), ("holds", _guarded_call)):
        if method := vars(kind).get(name):
            setattr(kind, name, guarded(method))


def _guarded_call(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(rule: Rule, *args: Any) -> Any:
        try:
            return method(rule, *args)
        except Exception as error:
            raise _failure_of(rule, error) from error

    return call


def _guarded_parts(method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @wraps(method)
    def parts(rule: Rule, *args: Any) -> Iterator[Any]:
        try:
            yield from method(rule, *args)
        except Exception as error:
            raise _failure_of(rule, error) from error

    return parts


def _failure_of(rule: Rule, error: Exception) -> SudokuError:
    """Return an error of this package as it is, and another as the failure of its rule, with its place."""
    if isinstance(error, SudokuError):
        return error
    import traceback  # noqa: PLC0415  # for failures alone
    from pathlib import PurePath  # noqa: PLC0415  # as above

    last = traceback.extract_tb(error.__traceback__)[-1]
    words = f"expected a rule {rule.kind!r} that works, got {type(error).__name__}: {error}"
    return WrongAnswer(f"{shorten(words, 400)} ({PurePath(last.filename).name}, line {last.lineno})")


def _with_checks(lower: Callable[..., Lowered]) -> Callable[..., Lowered]:
    @wraps(lower)
    def lower_checked(rule: Rule, grid: Grid, *beside: tuple[Rule, ...]) -> Lowered:
        from sudoku_cp.model.constraint_checks import checked_parts  # noqa: PLC0415  # for rules of other packages only

        return checked_parts(rule.kind, lower(rule, grid, *beside), len(grid.cells))

    return lower_checked


def part_name(noun: str, grid: Grid, cells: Cells) -> str:
    """Return the name of a part: ``cage r1c1 r1c2``."""
    return f"{noun} {' '.join(map(grid.cell_name, cells))}"


def move_rule(rule: Rule, to: Callable[[Cell], Cell]) -> Rule:
    """Return the rule with ``to`` applied to each of its cells, those of nested rules included."""
    return replace(rule, **{name: _move_value(field, getattr(rule, name), to) for name, field in rule.field_types.items()})


def _move_value(field: FieldType, value: Any, to: Callable[[Cell], Cell]) -> Any:
    if value is None or field.plain not in (Cell, Rule):
        return value
    if field.depth:
        return tuple(_move_value(field.each, one, to) for one in value)
    return to(value) if field.plain is Cell else move_rule(value, to)


# --- JSON -------------------------------------------------------------------------------------------------------


READERS: Mapping[object, Callable[[Any, Grid], Any]] = MappingProxyType(
    {
        Cell: lambda data, grid: grid.parse_cell(data),
        int: lambda data, _: require_type("a whole number", int, data),
        bool: lambda data, _: require_type("true or false", bool, data),
        str: lambda data, _: require_type("a text", str, data),
        Rule: lambda data, grid: rule_from_json(data, grid),  # noqa: PLW0108  # defined below
    }
)
"""How a value of each plain type is read from JSON."""
AS_IN_JSON = frozenset({int, bool, str})
"""The plain types whose values are the same in JSON."""


def _field_from_json(field: FieldType, data: Any, grid: Grid) -> Any:
    if field.optional and data is None:
        return None
    if field.depth:
        return _elements_from_json(field.each, require_type("an array", list, data), grid)
    try:
        return READERS[field.plain](data, grid)
    except InvalidInput as error:
        if field.plain is not Cell or not isinstance(data, str):
            raise
        raise InvalidInput(placed(one, cell=data[:20]) for one in error.problems) from error


def _elements_from_json(field: FieldType, data: list[Any], grid: Grid) -> tuple[Any, ...]:
    # Automata have thousands of edges: where all is as expected, a few calls in C suffice.
    if field.plain in AS_IN_JSON:
        alike = {field.plain}.issuperset
        if not field.depth and alike(map(type, data)):
            return tuple(data)
        if field.depth == 1 and {list}.issuperset(map(type, data)) and alike(map(type, chain.from_iterable(data))):
            return tuple(map(tuple, data))
    found: list[Any] = []
    problems: list[str] = []
    for index, one in enumerate(data):
        try:
            found.append(_field_from_json(field, one, grid))
        except InvalidInput as error:
            problems += [placed(problem, index) for problem in error.problems]
    if problems:
        raise InvalidInput(problems)
    return tuple(found)


def _field_to_json(field: FieldType, value: Any, grid: Grid) -> Any:
    if value is None:
        return None
    if field.depth:
        return [_field_to_json(field.each, one, grid) for one in value]
    if field.plain is Rule:
        return rule_to_json(value, grid)
    return grid.cell_name(value) if field.plain is Cell else value


def rule_to_json(rule: Rule, grid: Grid) -> dict[str, Any]:
    """Return the rule as plain data; fields at their defaults are omitted, cells are written by name."""
    return {"kind": rule.kind} | {
        field.name: _field_to_json(rule.field_types[field.name], getattr(rule, field.name), grid)
        for field in fields(rule)
        if getattr(rule, field.name) != field.default
    }


def _refuse_deep_nesting(data: Any) -> None:
    """Raise `InvalidInput` for data nested so deeply that reading or showing it would end in a RecursionError."""
    level = [data] if isinstance(data, dict | list) else []
    for _ in range(NESTED):
        level = [
            inner for one in level for inner in (one.values() if isinstance(one, dict) else one) if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise InvalidInput(f"expected a rule of at most {NESTED} lists and objects inside one another, got more")


def kind_names() -> NameTable[str]:
    """Return the kinds by all their names: their own, and those in other tools."""
    return NameTable(
        "rule", [(kind, names, kind) for kind, names in names_elsewhere()], ("sudoku", "line", "cage", "clue", "dot")
    )


def names_elsewhere() -> list[tuple[str, list[str]]]:
    """Return every kind of rule with its names in other tools."""
    return [(kind, [name for names in rule.elsewhere.values() for name in names.split(", ")]) for kind, rule in RULES.items()]


def needed_fields(kind: str) -> list[str]:
    """Return the fields that have no default in rules of this kind."""
    return [field.name for field in fields(RULES[kind]) if field.default is MISSING and field.default_factory is MISSING]


def parse_kind(name: str) -> str:
    """Return the kind of rule that a name means; raises `UnknownName`, which suggests the nearest ones."""
    return name if name in RULES else kind_names().parse(name)


def rule_from_json(data: Any, grid: Grid) -> Rule:
    """Return the rule that plain data describes, or raise `InvalidInput` with everything that is wrong with it."""
    if isinstance(data, str):
        data = {"kind": data}
    _refuse_deep_nesting(data)
    if not isinstance(data, dict) or "kind" not in data:
        raise InvalidInput(f"expected a rule such as {{'kind': 'houses'}}, got {data!r:.80}")
    kind = parse_kind(require_type("a kind of rule", str, data["kind"]))
    by_name = {field.name: field for field in fields(RULES[kind])}
    problems: list[str] = [
        placed(f"{kind}: expected only {', '.join(by_name) or 'its kind'}, got {name!r:.80}", str(name))
        for name in data.keys() - by_name.keys() - {"kind"}
    ]
    values: dict[str, Any] = {}
    for name, field in by_name.items():
        if name in data:
            try:
                values[name] = _field_from_json(RULES[kind].field_types[name], data[name], grid)
            except InvalidInput as error:
                problems += [placed(one, name, words=f"{kind}, {name}: {one}") for one in error.problems]
        elif field.default is MISSING:
            problems.append(f"{kind}: expected the field {name!r}, which is missing")
    if problems:
        raise InvalidInput(sorted(problems))
    return RULES[kind](**values)
