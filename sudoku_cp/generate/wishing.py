"""What people say they wish, as `Wishes`: everything that is wrong with it, or can never be, is told at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sudoku_cp.errors import InvalidInput, UnknownName, expect
from sudoku_cp.generate.base import Span, Wishes
from sudoku_cp.generate.difficulty_mix import WORDS, DifficultyMix, parse_mix
from sudoku_cp.generate.patterns import parse_pattern
from sudoku_cp.grid import MAX_SIDE, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.puzzle.symmetry import is_symmetric, orbits
from sudoku_cp.rules import RULES, rule_from_json
from sudoku_cp.rules.base import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Cell

Spanned: TypeAlias = int | tuple[int, int | None] | Span | None
"""A number, from one number to another (None: no bound), or no wish."""
Ruled: TypeAlias = str | Iterable[str | Mapping[str, Any] | Rule]
"""Names with commas between them, or JSON; or names, rules as JSON, and rules."""

FEWEST: Mapping[tuple[int, int], int] = {(2, 2): 4, (3, 3): 17}
"""The fewest givens of a plain board with one solution, by its boxes: 4x4 by trying all, 9x9 by G. McGuire, B. Tugemann and
G. Civario, There is no 16-clue sudoku, 2012. Elsewhere all values but one must be given, or two could change places."""
JIGSAW = "jigsaw"
_SWITCH = (bool, "True or False")
PLAIN: Mapping[str, tuple[type, str]] = {
    "style": (str, "a name"),
    "symmetry": (str, "a name"),
    "singles_only": _SWITCH,
    "minimal": _SWITCH,
}
"""What other wishes are told as."""
_T = TypeVar("_T")


class Problems:
    """What is wrong so far; reading goes on without what could not be read."""

    def __init__(self, found: Iterable[str] = ()) -> None:
        """Begin with those that are known."""
        self.found: list[str] = list(found)

    def read(self, read: Callable[[], _T], otherwise: _T, *, of: str = "") -> _T:
        """Return what is read, or ``otherwise`` if nothing can be; ``of`` says what, where the problem does not."""
        try:
            return read()
        except InvalidInput as error:
            self.found += [f"{of}: {problem}" if of else problem for problem in error.problems]
            return otherwise

    def end(self) -> None:
        """Raise `InvalidInput` with all of them, if there are any."""
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
    problems = Problems()
    shape = problems.read(lambda: _shape(size, boxes, grid), None)
    words = {"style": style, "symmetry": symmetry, "difficulty": difficulty}
    switches = {"singles_only": singles_only, "minimal": minimal}
    spans = {"givens": givens, "guesses": guesses}
    return wishes_read(problems, shape, {"rules": rules, "pattern": pattern, **words, **switches, **spans})


def wishes_read(problems: Problems, shape: Grid | None, told: Mapping[str, Any]) -> Wishes:
    """Return the wishes told, as `wishes_of` takes them; raises `InvalidInput` with what is wrong, behind what there is.

    ``shape`` is None where it could not be read: what else is wrong is found all the same.
    """
    grid = shape or Grid.square(MAX_SIDE)
    plain = {name: problems.read(lambda name=name: _plain(name, told[name]), None) for name in PLAIN}  # type: ignore[misc]
    symmetry = problems.read(lambda: _symmetry("none" if plain["symmetry"] is None else plain["symmetry"], grid), "none")
    asked = problems.read(lambda: asked_rules(told["rules"], grid), None)
    if plain["style"]:
        problems.read(lambda: _known_style(plain["style"]), None)
    pattern = problems.read(lambda: _pattern(told["pattern"], grid), None) if shape else None
    spans = {name: problems.read(lambda name=name: _span(name, told[name]), None) for name in ("givens", "guesses")}  # type: ignore[misc]
    mix = problems.read(lambda: _mix(told["difficulty"]), None)
    rules, families, jigsaw = (asked.rules, asked.families, asked.jigsaw) if asked else ((), (), False)
    wishes = Wishes(
        grid,
        (*CLASSIC, *rules),
        families,
        plain["style"] or "",
        jigsaw,
        symmetry,
        pattern,
        spans["givens"],
        bool(plain["minimal"]),
        mix.words[0] if mix and len(mix.words) == 1 else None,
        spans["guesses"],
        bool(plain["singles_only"]),
        mix if mix and len(mix.words) > 1 else None,
    )
    each = [replace(wishes, difficulty=word, mix=None) for word in wishes.mix.words] if wishes.mix else [wishes]
    for one in each:
        problems.found += _contradictions(one)
    if shape and asked:
        problems.read(lambda: Puzzle(grid, wishes.rules), None)
        problems.found += problems.read(lambda: list(_alone(wishes)), [])
        problems.read(lambda: _judged(each[0]), None)
    problems.end()
    return wishes


def _plain(name: str, told: Any) -> Any:
    kind, words = PLAIN[name]
    return expect(f"{name} as {words}", kind, told)


def _symmetry(name: str, grid: Grid) -> str:
    orbits(grid, name)
    return name


def _shape(size: int, boxes: tuple[int, int] | None, grid: Grid | None) -> Grid:
    if grid is not None:
        if boxes is not None or size != 9:  # noqa: PLR2004  # the usual
            raise InvalidInput(f"expected a grid, or a size and boxes, got both: {grid}, size {size!r:.40}, boxes {boxes!r:.40}")
        return expect("a Grid", Grid, grid)
    expect("a side as a whole number", int, size)
    if boxes is None:
        return Grid.square(size)
    pair = "boxes as a pair of whole numbers (height, width)"
    sides = expect(pair, tuple | list, boxes)  # type: ignore[arg-type]
    if len(sides) != 2 or not all(isinstance(side, int) and side > 0 for side in sides):  # noqa: PLR2004
        raise InvalidInput(f"expected {pair}, got {boxes!r:.80}")
    return Grid.square(size, (sides[0], sides[1]))


def _mix(difficulty: object) -> DifficultyMix | None:
    return None if difficulty is None else parse_mix(expect("a difficulty as text", str, difficulty))


# --- rules ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What is meant by the rules named: rules of every puzzle, families of clues, irregular regions."""

    rules: tuple[Rule, ...] = ()
    families: tuple[str, ...] = ()
    jigsaw: bool = False


def asked_rules(told: Ruled, grid: Grid) -> Asked:
    """Return what rules are asked for; raises `InvalidInput` for names and rules that are none."""
    problems = Problems()
    rules: list[Rule] = []
    families: list[str] = []
    items = [told] if isinstance(told, Rule) else list(_items(told))
    for item in items:
        if isinstance(item, Rule):
            rules.append(item)
        elif isinstance(item, str) and (family := family_of(item)):
            families.append(family)
        elif item != JIGSAW:
            rules += problems.read(lambda item=item: [_rule(item, grid)], [])  # type: ignore[misc]
    problems.end()
    return Asked(tuple(rules), tuple(dict.fromkeys(families)), JIGSAW in items)


def _items(told: Ruled) -> Iterator[Any]:
    if not isinstance(told, str):
        expect("rules as names, as JSON or as Rules", Iterable, told)  # type: ignore[type-abstract]
        yield from [told] if isinstance(told, Mapping) else told
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
        whole = whole_board_rules()
        if told not in RULES:
            raise UnknownName("rule", told, {*whole, *_families(), JIGSAW})
        if told not in whole:
            needed = ", ".join(needed_fields(told))
            raise InvalidInput(f"expected a rule of the whole board, or one as JSON, got {told!r}, which needs its {needed}")
    return rule_from_json(told, grid)


def whole_board_rules() -> list[str]:
    """Return the kinds of rules that a name alone says."""
    return [kind for kind in RULES if not needed_fields(kind)]


def needed_fields(kind: str) -> list[str]:
    """Return the fields that a rule of that kind must have."""
    return [field.name for field in fields(RULES[kind]) if field.default is MISSING and field.default_factory is MISSING]


def family_of(word: str) -> str | None:
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
    expect("a pattern as a text or as cells", Iterable, told)  # type: ignore[type-abstract]
    cells: list[Any] = list(told)
    if strange := [cell for cell in cells if not (isinstance(cell, int) and cell in grid.cells)]:
        raise InvalidInput(f"expected cells of {grid} (0 to {len(grid.cells) - 1}) as a pattern, got {strange[0]!r:.80}")
    return tuple(sorted(set(cells)))


def _span(name: str, told: Spanned) -> Span | None:
    if told is None:
        return None
    pair: Any = (told, told) if isinstance(told, int) else told
    if not (isinstance(pair, tuple | list) and len(pair) == 2 and _whole(pair[0]) and (pair[1] is None or _whole(pair[1]))):  # noqa: PLR2004
        raise InvalidInput(f"expected {name} as a whole number or a pair of them (the second None: no bound), got {told!r:.80}")
    least, most = pair
    if least < 0 or (most is not None and most < least):
        raise InvalidInput(f"expected {name} from one number to the same or a larger one, none below 0, got {least}..{most}")
    return Span(least, most)


def _whole(told: object) -> bool:
    return isinstance(told, int) and not isinstance(told, bool)


def _contradictions(wishes: Wishes) -> Iterator[str]:
    """Yield what cannot be together, or cannot be at all."""
    grid, givens, pattern = wishes.grid, wishes.givens, wishes.pattern
    if wishes.jigsaw and len(grid.boards) > 1:
        yield f"expected one board for irregular regions, got {grid}"
    if pattern is not None and not is_symmetric(grid, wishes.symmetry, pattern):
        yield f"expected a pattern with the symmetry {wishes.symmetry!r} that is asked for, got one without"
    if pattern is not None and givens is not None and givens.miss(len(pattern)):
        yield f"expected a pattern of {span_told(givens)} givens as asked for, got one of {len(pattern)}"
    if givens is not None and givens.least > len(grid.cells):
        yield f"expected at most {len(grid.cells)} givens on {grid}, got {givens.least}"
    if wishes.guesses is not None and wishes.guesses.least > 0 and (wishes.singles_only or wishes.difficulty in WORDS[:2]):
        yield f"expected no guesses where singles alone are to solve it, got {span_told(wishes.guesses)}"
    if wishes.singles_only and wishes.difficulty == "hard":
        yield "expected another difficulty than 'hard' with singles only: it means that singles alone do not solve it"


def _alone(wishes: Wishes) -> Iterator[str]:
    """Yield what cannot be under the rules and on the board asked for, both of which could be read."""
    if wishes.style and not wishes.families:
        yield f"expected families of clues beside a style, got the style {wishes.style!r} alone"
    yield from _too_few(wishes)
    bare = wishes.pattern == () or (wishes.givens is not None and wishes.givens.most == 0)
    if bare and wishes.families and _reversed(wishes):
        yield (
            f"expected givens beside {', '.join(wishes.families)}, got none: each solution has another, its reverse"
            f" (every value v is {wishes.grid.values[0] + wishes.grid.values[-1]} - v)"
        )


def _reversed(wishes: Wishes) -> bool:
    from sudoku_cp.generate.variants.reversible_clues import never_unique  # noqa: PLC0415  # as above

    return never_unique(wishes.grid, wishes.rules, wishes.families)


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
    from sudoku_cp.generate.targets import make_target  # noqa: PLC0415  # it needs arrays

    make_target(wishes)


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
        ("difficulty", str(wishes.mix) if wishes.mix else wishes.difficulty),
        ("guesses", wishes.guesses and span_told(wishes.guesses)),
        ("singles_only", wishes.singles_only),
    ]
    return {name: value for name, value in spoken if value}
