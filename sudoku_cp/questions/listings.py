"""What the registries hold: an object of JSON for each rule, format and engine."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import backend, known_backends
from sudoku_cp.backends.external import NAMES
from sudoku_cp.errors import BackendFailed, BackendMissing
from sudoku_cp.formats import FORMATS
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.questions.answer import answer_field, to_json
from sudoku_cp.render import thumbnail
from sudoku_cp.rules import RULES, rule_to_json
from sudoku_cp.rules.gestures import GESTURES
from sudoku_cp.rules.wording import title_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from sudoku_cp.rules import Rule


@dataclass(frozen=True, kw_only=True)
class Thumbnail:
    """What the first rule of a small puzzle draws; lengths are in hundredths of a cell."""

    box: tuple[int, int, int, int] = answer_field("Left, top, width and height: a square around what is drawn.")
    cells: list[tuple[int, int]] = answer_field("Row and column of each cell in sight.")
    under: str = answer_field("Elements of SVG.")
    over: str = answer_field()
    outside: str = answer_field()

    @classmethod
    def of(cls, rule: type[Rule]) -> Thumbnail | None:
        """Return the picture of a rule's example on a small board, or on 9x9 where it does not fit that."""
        grids = (example_grid(rule, 4), example_grid(rule, 9))
        grid = next((one for one in grids if not [*rule.example(one).problems(one)]), grids[-1])
        drawn = thumbnail(Puzzle(grid, (rule.example(grid),)))
        return None if drawn is None else cls(**drawn)


@dataclass(frozen=True, kw_only=True)
class RuleListing:
    """A kind of rule."""

    kind: str = answer_field()
    title: str = answer_field("The kind as a heading.")
    meaning: str = answer_field()
    fields: dict[str, str] = answer_field("The type of each field.")
    defaults: dict[str, Any] = answer_field("The value that a field has when it is left out; the others are required.")
    gesture: str = answer_field("How it is made on a drawn board: " + ", ".join(GESTURES) + ".")
    family: str = answer_field()
    example: dict[str, Any] = answer_field()
    thumbnail: Thumbnail | None = answer_field("The picture of an example; null for a rule that draws nothing.")
    values: tuple[int, int] = answer_field("The lowest and the highest value of the example's board.")
    elsewhere: dict[str, str] = answer_field("Its names in other programs.")

    @classmethod
    def of(cls, kind: str) -> RuleListing:
        """Return what there is to know of a kind."""
        rule = RULES[kind]
        grid = example_grid(rule, 9)
        return cls(
            kind=kind,
            title=title_of(kind),
            meaning=class_summary(rule),
            fields={name: str(field) for name, field in rule.field_types.items()},
            defaults={field.name: field.default for field in fields(rule) if field.default is not MISSING},
            gesture=rule.gesture,
            family=rule.__module__.rpartition(".")[2].replace("_", " "),
            example=rule_to_json(rule.example(grid), grid),
            thumbnail=Thumbnail.of(rule),
            values=(grid.values[0], grid.values[-1]),
            elsewhere=dict(rule.elsewhere),
        )


def rules_to_json(kinds: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return an object for each rule, or for each of these kinds, in alphabetical order."""
    return [to_json(RuleListing.of(kind)) for kind in sorted(RULES) if not kinds or kind in kinds]


@dataclass(frozen=True, kw_only=True)
class FormatListing:
    """A format of puzzles."""

    format: str = answer_field()
    reads: bool = answer_field()
    writes: bool = answer_field()
    summary: str = answer_field()


def formats_to_json() -> list[dict[str, Any]]:
    """Return an object for each format, in the order in which they are tried."""
    found = [
        FormatListing(format=name, reads=one.read is not None, writes=one.write is not None, summary=one.summary)
        for name, one in FORMATS.items()
    ]
    return [to_json(one) for one in found]


@dataclass(frozen=True, kw_only=True)
class BackendListing:
    """An engine."""

    backend: str = answer_field()
    installed: bool = answer_field()
    takes: list[str] = answer_field("The constraints that it takes; others are rewritten for it.")
    summary: str = answer_field("What it is, or what it needs to be installed.")

    @classmethod
    def of(cls, name: str) -> BackendListing:
        """Return what there is to know of an engine."""
        try:
            engine = backend(name)
        except (BackendFailed, BackendMissing) as error:
            return cls(backend=name, installed=False, takes=[], summary=str(error))
        takes = sorted(constraint.__name__ for constraint in engine.takes)
        return cls(backend=name, installed=True, takes=takes, summary=class_summary(type(engine)))


def backends_to_json() -> list[dict[str, Any]]:
    """Return an object for each engine that is known, installed or not, in alphabetical order."""
    return [to_json(BackendListing.of(name)) for name in sorted({*known_backends(), *NAMES})]


@dataclass(frozen=True, kw_only=True)
class RulesAnswer:
    """Every kind of rule."""

    rules: list[RuleListing] = answer_field()


@dataclass(frozen=True, kw_only=True)
class FormatsAnswer:
    """Every format."""

    formats: list[FormatListing] = answer_field()


@dataclass(frozen=True, kw_only=True)
class BackendsAnswer:
    """Every engine that is known."""

    backends: list[BackendListing] = answer_field()


def class_summary(described: type) -> str:
    """Return the docstring of a class on one line, without markup."""
    return " ".join(cleandoc(described.__doc__ or "").replace("``", "'").split())


def example_grid(rule: type[Rule], side: int) -> Grid:
    """Return a square board of that side that the rule's example fits."""
    grids = [Grid.square(side), Grid.square(side, values=range(side + 1))]
    return next((grid for grid in grids if not [*rule.example(grid).problems(grid)]), grids[0])
