"""What people say they wish, as `Wishes`: everything that is wrong with it, or can never be, is told at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.generate.base import Span, Wishes
from sudoku_cp.generate.patterns import parse_pattern
from sudoku_cp.generate.symmetry import is_symmetric, orbits
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES, rule_from_json
from sudoku_cp.rules.base import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Cell

Spanned: TypeAlias = "int | tuple[int, int | None] | Span | None"
"""A number, from one number to another (None: no bound), or no wish."""
Ruled: TypeAlias = "str | Iterable[str | Mapping[str, Any] | Rule]"
"""Names with commas between them, or JSON; or names, rules as JSON, and rules."""

FEWEST: Mapping[tuple[int, int], int] = {(2, 2): 4, (3, 3): 17}
"""The fewest givens of a plain board with one solution, by its boxes: 4x4 by trying all, 9x9 by G. McGuire, B. Tugemann and
G. Civario, There is no 16-clue sudoku, 2012. Elsewhere all values but one must be given, or two could change places."""
WORDS = ("easy", "medium", "hard")
JIGSAW = "jigsaw"
_T = TypeVar("_T")


class _Problems:
    """What is wrong so far; reading goes on without what could not be read."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def read(self, read: Callable[[], _T], otherwise: _T) -> _T:
        try:
            return read()
        except InvalidInput as error:
            self.found += error.problems
            return otherwise

    def end(self) -> None:
        if self.found:
            raise InvalidInput(dict.fromkeys(self.found))


def wishes_of(
    *,
    size: int = 9,
    boxes: tuple[int, int] | None = None,
    grid: Grid | None = None,
    rules: Ruled = (),
    style: str = "",
    difficulty: str | None = None,
    givens: Spanned = None,
    guesses: Spanned = None,
    singles_only: bool = False,
    symmetry: str = "none",
    pattern: str | Iterable[Cell] | None = None,
    minimal: bool = False,
) -> Wishes:
    """Return the wishes, or raise `InvalidInput` with everything that is wrong with them.

    ``pattern`` is a text as `parse_pattern` reads it, or the cells given. What is known to be impossible is refused.
    """
    problems = _Problems()
    shape = grid or problems.read(lambda: Grid.square(size, boxes), None)
    if shape is None:
        problems.end()
        raise AssertionError
    asked = problems.read(lambda: asked_rules(rules, shape), Asked())
    if style:
        problems.read(lambda: _known_style(style), None)
    problems.read(lambda: len(orbits(shape, symmetry)), 0)
    given = problems.read(lambda: _pattern(pattern, shape), None)
    spans = {"givens": givens, "guesses": guesses}
    read = {name: problems.read(lambda name=name: _span(name, spans[name]), None) for name in spans}  # type: ignore[misc]
    if difficulty is not None and difficulty not in WORDS:
        problems.read(lambda: _refused(UnknownName("difficulty", difficulty, WORDS)), None)
    wishes = Wishes(
        shape,
        (*CLASSIC, *asked.rules),
        asked.families,
        style,
        asked.jigsaw,
        symmetry,
        given,
        read["givens"],
        minimal,
        difficulty,
        read["guesses"],
        singles_only,
    )
    problems.read(lambda: Puzzle(shape, wishes.rules), None)
    problems.end()
    problems.found += _contradictions(wishes)
    problems.read(lambda: _judged(wishes), None)
    problems.end()
    return wishes


def _refused(error: InvalidInput) -> None:
    raise error


# --- rules ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What is meant by the rules named: rules of every puzzle, families of clues, irregular regions."""

    rules: tuple[Rule, ...] = ()
    families: tuple[str, ...] = ()
    jigsaw: bool = False


def asked_rules(told: Ruled, grid: Grid) -> Asked:
    """Return what rules are asked for; raises `InvalidInput` for names and rules that are none."""
    problems = _Problems()
    rules: list[Rule] = []
    families: list[str] = []
    items = list(_items(told))
    for item in items:
        if isinstance(item, Rule):
            rules.append(item)
        elif isinstance(item, str) and (family := _family(item)):
            families.append(family)
        elif item != JIGSAW:
            rules += problems.read(lambda item=item: [_rule(item, grid)], [])  # type: ignore[misc]
    problems.end()
    return Asked(tuple(rules), tuple(dict.fromkeys(families)), JIGSAW in items)


def _items(told: Ruled) -> Iterator[Any]:
    if not isinstance(told, str):
        yield from [told] if isinstance(told, Mapping | Rule) else told
    elif told.lstrip().startswith(("[", "{")):
        yield from _json(told)
    else:
        yield from (name.strip().lower() for name in told.split(",") if name.strip())


def _json(text: str) -> list[Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"expected rules as JSON, got an error at column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise InvalidInput("expected rules as JSON, got brackets within brackets without end") from error
    return data if isinstance(data, list) else [data]


def _rule(told: Any, grid: Grid) -> Rule:
    if isinstance(told, str):
        whole = [kind for kind in RULES if not _needs(kind)]
        if told not in RULES:
            raise UnknownName("rule", told, {*whole, *_families(), JIGSAW})
        if told not in whole:
            needed = ", ".join(_needs(told))
            raise InvalidInput(f"expected a rule of the whole board, or one as JSON, got {told!r}, which needs its {needed}")
    return rule_from_json(told, grid)


def _needs(kind: str) -> list[str]:
    """Return the fields that a rule of that kind must have."""
    return [field.name for field in fields(RULES[kind]) if field.default is MISSING and field.default_factory is MISSING]


def _family(word: str) -> str | None:
    """Return the family that a word asks for, None where it asks for none."""
    from sudoku_cp.generate.variants.families import family_named  # noqa: PLC0415  # plain boards need none of them

    try:
        return family_named(word).name
    except UnknownName:
        return None


def _families() -> set[str]:
    from sudoku_cp.generate.variants.families import FAMILIES  # noqa: PLC0415  # as above

    return {word for name, family in FAMILIES.items() for word in (name, *family.words)}


def _known_style(name: str) -> None:
    from sudoku_cp.generate.variants.proposals import style_named  # noqa: PLC0415  # as above

    style_named(name)


# --- where givens stand, and how many ---------------------------------------------------------------------------


def _pattern(told: str | Iterable[Cell] | None, grid: Grid) -> tuple[Cell, ...] | None:
    if told is None:
        return None
    if isinstance(told, str):
        return parse_pattern(told, grid)
    cells = tuple(sorted(set(told)))
    if strange := [cell for cell in cells if cell not in grid.cells]:
        raise InvalidInput(f"expected cells of {grid} (0 to {len(grid.cells) - 1}) as a pattern, got {strange[0]!r}")
    return cells


def _span(name: str, told: Spanned) -> Span | None:
    if told is None:
        return None
    least, most = (told, told) if isinstance(told, int) else told
    if least < 0 or (most is not None and most < least):
        raise InvalidInput(f"expected {name} from one number to the same or a larger one, none below 0, got {least}..{most}")
    return Span(least, most)


def _contradictions(wishes: Wishes) -> Iterator[str]:
    """Yield what cannot be together, or cannot be at all."""
    grid, givens, pattern = wishes.grid, wishes.givens, wishes.pattern
    if wishes.jigsaw and len(grid.boards) > 1:
        yield f"expected one board for irregular regions, got {grid}"
    if wishes.style and not wishes.families:
        yield f"expected families of clues beside a style, got the style {wishes.style!r} alone"
    if pattern is not None and not is_symmetric(grid, wishes.symmetry, pattern):
        yield f"expected a pattern with the symmetry {wishes.symmetry!r} that is asked for, got one without"
    if pattern is not None and givens is not None and givens.miss(len(pattern)):
        yield f"expected a pattern of {span_told(givens)} givens as asked for, got one of {len(pattern)}"
    if givens is not None and givens.least > len(grid.cells):
        yield f"expected at most {len(grid.cells)} givens on {grid}, got {givens.least}"
    yield from _too_few(wishes)
    if wishes.guesses is not None and wishes.guesses.least > 0 and (wishes.singles_only or wishes.difficulty in WORDS[:2]):
        yield f"expected no guesses where singles alone are to solve it, got {span_told(wishes.guesses)}"
    if wishes.singles_only and wishes.difficulty == "hard":
        yield "expected another difficulty than 'hard' with singles only: it means that singles alone do not solve it"


def _too_few(wishes: Wishes) -> Iterator[str]:
    """Yield that no board has one solution with so few givens; under more rules it may."""
    board = wishes.grid.boards[0]
    plain = wishes.rules == CLASSIC and not (wishes.families or wishes.jigsaw) and len(wishes.grid.boards) == 1
    if not plain or {len(house) for house in wishes.grid.houses.values()} != {len(wishes.grid.values)}:
        return
    known = FEWEST.get(board.boxes or (0, 0))
    fewest = known or len(wishes.grid.values) - 1
    most = len(wishes.pattern) if wishes.pattern is not None else wishes.givens.most if wishes.givens else None
    if most is not None and most < fewest:
        why = "" if known else ": all values but one must be given"
        yield f"expected at least {fewest} givens, fewer never have one solution on {wishes.grid}{why}; got {most}"


def span_told(span: Span) -> str:
    """Return a span as people write it: ``3``, ``3..7``, ``3..``."""
    if span.least == span.most:
        return str(span.least)
    return f"{span.least}..{'' if span.most is None else span.most}"


def _judged(wishes: Wishes) -> None:
    """Raise `InvalidInput` where the difficulty asked for means nothing under the rules."""
    if wishes.difficulty is None and wishes.guesses is None and not wishes.singles_only:
        return
    from sudoku_cp.generate.targets import target_of  # noqa: PLC0415  # it needs arrays

    target_of(wishes)


def told(wishes: Wishes) -> dict[str, Any]:
    """Return wishes as plain data; what is not wished is left out."""
    from sudoku_cp.puzzle import to_json  # noqa: PLC0415  # only files need it

    board = to_json(Puzzle(wishes.grid, wishes.rules))
    spoken: Sequence[tuple[str, Any]] = [
        ("grid", board["grid"]),
        ("rules", board.get("rules")),
        ("families", list(wishes.families)),
        ("style", wishes.style),
        ("jigsaw", wishes.jigsaw),
        ("symmetry", "" if wishes.symmetry == "none" else wishes.symmetry),
        ("pattern", None if wishes.pattern is None else [wishes.grid.cell_name(cell) for cell in wishes.pattern]),
        ("givens", wishes.givens and span_told(wishes.givens)),
        ("minimal", wishes.minimal),
        ("difficulty", wishes.difficulty),
        ("guesses", wishes.guesses and span_told(wishes.guesses)),
        ("singles_only", wishes.singles_only),
    ]
    return {name: value for name, value in spoken if value}
