"""Parses options into a `GenerateRequest`; everything wrong or impossible in them is reported at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from sudoku_cp.arguments import checked
from sudoku_cp.errors import InvalidInput, OptionProblem, distinct, of_option
from sudoku_cp.generate.base import GenerateRequest, Span
from sudoku_cp.generate.difficulty_mix import parse_mix
from sudoku_cp.generate.requested_ratings import parse_needs, parse_rating, techniques_of
from sudoku_cp.generate.requested_rules import Ruled, parse_requested_rules
from sudoku_cp.grid import MAX_SIDE, Cell, Grid
from sudoku_cp.logic.rating.levels import LEVELS, Levels, levels_to_json, make_levels
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric, orbits
from sudoku_cp.puzzle.puzzle import CLASSIC, draw_rows

SpanLike: TypeAlias = int | tuple[int, int | None] | Span | None
"""A number, a pair (from, to), where None is no upper bound, or None: anything will do."""
_T = TypeVar("_T")
_LONGEST_SPAN = 100


class Problems:
    """Collects what is wrong, so that parsing can continue without what could not be read."""

    def __init__(self, found: Iterable[str] = ()) -> None:
        """Begin with the problems already ``found``."""
        self.found: list[str] = list(found)

    def read(self, read: Callable[[], _T], otherwise: _T, *, of: str = "") -> _T:
        """Return ``read()``, or ``otherwise`` where it raises `InvalidInput`; the problems are those ``of`` an option."""
        try:
            return read()
        except InvalidInput as error:
            self.found += [of_option(one, of) if of else one for one in error.problems]
            return otherwise

    def end(self) -> None:
        """Raise `InvalidInput` with all problems, if there are any."""
        if self.found:
            raise InvalidInput(distinct(self.found))


@checked
def parse_request(
    *,
    size: int = 9,
    boxes: tuple[int, int] | None = None,
    grid: Grid | None = None,
    rules: Ruled = (),
    style: str = "",
    difficulty: str | None = None,
    givens: SpanLike = None,
    guesses: SpanLike = None,
    singles_only: bool = False,
    symmetry: str = "none",
    pattern: str | Iterable[Cell] | None = None,
    minimal: bool = False,
    any_path: bool = False,
    rating: str | None = None,
    needs: str | Sequence[str] = (),
    levels: str | Levels = LEVELS,
) -> GenerateRequest:
    """Return the request, or raise `InvalidInput` with everything that is wrong with it or known to be impossible.

    ``pattern`` is a text as `parse_pattern` reads it, or the cells that are given; ``rating`` one as `parse_rating` reads it,
    ``needs`` names or codes of techniques, and ``levels`` levels of one's own, as TOML.
    """
    problems = Problems()
    board = problems.read(lambda: _board(size, boxes, grid), None)
    words = {"style": style, "symmetry": symmetry, "difficulty": difficulty, "rating": rating, "needs": needs, "levels": levels}
    switches = {"singles_only": singles_only, "minimal": minimal, "any_path": any_path}
    spans = {"givens": givens, "guesses": guesses}
    return parse_request_options(problems, board, {"rules": rules, "pattern": pattern, **words, **switches, **spans})


def parse_request_options(problems: Problems, board: Grid | None, options: Mapping[str, Any]) -> GenerateRequest:
    """Return the request of ``options``, which are named like the parameters of `parse_request`.

    Raises `InvalidInput` with what is wrong, after ``problems``. ``board`` is None where it could not be
    read: what is wrong otherwise is found all the same.
    """
    grid = board or Grid.square(MAX_SIDE)
    symmetry = problems.read(lambda: _known_symmetry(options["symmetry"], grid), "none", of="symmetry")
    named = problems.read(lambda: parse_requested_rules(options["rules"], grid), None, of="rules")
    if options["style"]:
        problems.read(lambda: _check_style(options["style"]), None, of="style")
    pattern = problems.read(lambda: _parse_cells(options["pattern"], grid), None, of="pattern") if board else None
    givens = problems.read(lambda: _parse_span(options["givens"]), None, of="givens")
    guesses = problems.read(lambda: _parse_span(options["guesses"]), None, of="guesses")
    levels = problems.read(lambda: make_levels(options["levels"]), LEVELS, of="levels")
    mix = problems.read(
        lambda: None if options["difficulty"] is None else parse_mix(options["difficulty"], levels.names), None, of="difficulty"
    )
    rating = problems.read(lambda: None if options["rating"] is None else parse_rating(options["rating"]), None, of="rating")
    request = GenerateRequest(
        grid,
        (*CLASSIC, *(named.rules if named else ())),
        named.families if named else (),
        options["style"],
        bool(named and named.jigsaw),
        symmetry,
        pattern,
        givens,
        options["minimal"],
        options["any_path"],
        mix.words[0] if mix and len(mix.words) == 1 else None,
        guesses,
        options["singles_only"],
        mix if mix and len(mix.words) > 1 else None,
        rating,
        problems.read(lambda: parse_needs(options["needs"]), (), of="needs"),
        levels,
    )
    by_word = [replace(request, difficulty=word, mix=None) for word in request.mix.words] if request.mix else [request]
    problems.found += chain.from_iterable(map(contradictions, by_word))
    if board and named:
        problems.read(lambda: Puzzle(grid, request.rules), None, of="rules")
        problems.found += problems.read(lambda: list(impossibilities(request)), [])
        problems.read(lambda: check_difficulty(by_word[0]), None, of="rating")
    problems.end()
    return request


def _board(size: int, boxes: tuple[int, int] | None, grid: Grid | None) -> Grid:
    if grid is not None:
        if boxes is not None or size != 9:  # noqa: PLR2004  # the default
            words = f"expected a grid, or `size` and `boxes`, got both: {grid}, size {size!r:.40}, boxes {boxes!r:.40}"
            raise InvalidInput(OptionProblem(words, "grid"))
        return grid
    if boxes is not None and min(boxes) <= 0:
        raise InvalidInput(OptionProblem(f"expected a pair of whole numbers (height, width), got {boxes!r:.80}", "boxes"))
    board = Problems()
    found = board.read(lambda: Grid.square(size), Grid.square(), of="size")
    if boxes is not None and not board.found:
        found = board.read(lambda: Grid.square(size, boxes), found, of="boxes")
    board.end()
    return found


def _known_symmetry(name: str, grid: Grid) -> str:
    orbits(grid, name)
    return name


def _check_style(name: str) -> None:
    from sudoku_cp.generate.variants.proposals import style_named  # noqa: PLC0415  # plain boards need none of them

    style_named(name)


def _parse_cells(pattern: str | Iterable[Cell] | None, grid: Grid) -> tuple[Cell, ...] | None:
    if pattern is None:
        return None
    if isinstance(pattern, str):
        return parse_pattern(pattern, grid)
    cells: list[Any] = list(pattern)
    if strange := [cell for cell in cells if not (isinstance(cell, int) and cell in grid.cells)]:
        raise InvalidInput(f"expected cells of {grid} (0 to {len(grid.cells) - 1}) as a pattern, got {strange[0]!r:.80}")
    return tuple(sorted(set(cells)))


def _parse_span(span: SpanLike) -> Span | None:
    if span is None:
        return None
    least, most = (span, span) if isinstance(span, int) else span
    if least < 0 or (most is not None and most < least):
        raise InvalidInput(f"expected numbers from 0, the second at least as large as the first, got {least}..{most}")
    return Span(least, most)


def parse_span_text(option: str, text: str | None) -> int | tuple[int, int | None] | None:
    """Return what ``24``, ``22..25``, ``..22`` or ``22..`` means."""
    if text is None:
        return None
    first, dots, second = (part.strip() for part in text.partition(".."))
    if not all(part.isdecimal() or (dots and not part) for part in (first, second if dots else first)) or not first + second:
        words = f"expected a number such as 24, or a range such as 22..25, got {text!r:.40}"
        raise InvalidInput(OptionProblem(words, option))
    if len(text) > _LONGEST_SPAN:
        raise InvalidInput(OptionProblem(f"expected numbers that a board can have, got {text!r:.40}", option))
    if not dots:
        return int(first)
    return int(first or 0), int(second) if second else None


def request_to_json(request: GenerateRequest) -> dict[str, Any]:
    """Return a request as plain data for JSON; unset fields are left out."""
    from sudoku_cp.puzzle import to_json  # noqa: PLC0415  # only files need it

    board, wishes = to_json(Puzzle(request.grid, request.rules)), request.measured
    entries: Sequence[tuple[str, Any]] = [
        ("grid", board["grid"]),
        ("rules", board.get("rules")),
        ("families", list(request.families) or None),
        ("style", request.style),
        ("jigsaw", request.jigsaw),
        ("symmetry", "" if request.symmetry == "none" else request.symmetry),
        ("pattern", None if request.pattern is None else [request.grid.cell_name(cell) for cell in request.pattern]),
        ("givens", wishes["givens"]),
        ("minimal", request.minimal),
        ("any_path", request.any_path),
        ("difficulty", wishes["difficulty"]),
        ("levels", None if request.levels == LEVELS else levels_to_json(request.levels)),
        ("guesses", wishes["guesses"]),
        ("singles_only", request.singles_only),
        ("rating", wishes["rating"]),
        ("needs", ["|".join(one.code for one in techniques_of(needed)) for needed in request.needs] or None),
    ]
    return {name: value for name, value in entries if value not in (None, "", False)}  # a pattern may have no cells at all


# Requests that can never be fulfilled: contradictions, and what is known to have no puzzle with one solution.


SINGLES_RATING = 2.5
"""The highest rating of puzzles that what places a value solves."""
FEWEST: Mapping[tuple[int, int], int] = {(2, 2): 4, (3, 3): 17}
"""The fewest givens of a plain board with one solution, by its boxes: 4x4 by exhaustive search, 9x9 by G. McGuire, B. Tugemann
and G. Civario, There is no 16-clue sudoku, 2012. Elsewhere all values but one must be given, or two could change places."""


def contradictions(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield contradictions within a request, and what fits no board."""
    grid, givens, pattern = request.grid, request.givens, request.pattern
    if request.jigsaw and len(grid.boards) > 1:
        yield OptionProblem(f"expected one board for irregular regions, got {grid}", "rules")
    if pattern is not None and not is_symmetric(grid, request.symmetry, pattern):
        yield OptionProblem(f"expected a pattern with the `symmetry` {request.symmetry!r}, got one without", "pattern")
    if pattern is not None and givens is not None and givens.miss(len(pattern)):
        yield OptionProblem(f"expected a pattern of {givens} givens, as `givens` says, got {len(pattern)}", "pattern")
    if givens is not None and givens.least > len(grid.cells):
        yield OptionProblem(f"expected at most {len(grid.cells)} givens on {grid}, got {givens.least}", "givens")
    singles = ["`singles_only`"] * request.singles_only
    singles += [f"`difficulty` {request.difficulty}"] * (request.difficulty is not None and request.band is None)
    if request.guesses is not None and request.guesses.least > 0 and singles:
        words = f"expected no guesses with {' and '.join(singles)}: singles alone solve such puzzles"
        yield OptionProblem(f"{words}; got {request.guesses}", "guesses")
    if request.singles_only and request.band is not None and request.band.least > SINGLES_RATING:
        words = f"expected another difficulty with `singles_only`, got {request.difficulty!r}: singles do not solve such puzzles"
        yield OptionProblem(words, "difficulty")
    if request.rating is not None and request.difficulty is not None and request.rating.scale == request.levels.scale:
        level = request.levels.named(request.difficulty)
        if request.rating.least > level.most or (request.rating.most is not None and request.rating.most < level.least):
            words = f"expected ratings of the `difficulty` {level} ({level.span}), got {request.rating}"
            yield OptionProblem(words, "rating")


def impossibilities(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield what is impossible under the rules and on the board asked for, both of which are valid."""
    if request.style and not request.families:
        yield OptionProblem(f"expected families of clues among `rules` with a style, got {request.style!r} alone", "style")
    yield from _too_few_givens(request)
    yield from _all_given(request)
    bare = request.pattern == () or (request.givens is not None and request.givens.most == 0)
    if bare and request.families:
        from sudoku_cp.generate.variants.select_clues import never_unique  # noqa: PLC0415  # plain boards need none of it

        if never_unique(request.grid, request.rules, request.families):
            words = (
                f"expected givens with the `rules` {', '.join(request.families)}, got none: each solution has another, its"
                f" reverse (every value v is {request.grid.values[0] + request.grid.values[-1]} - v)"
            )
            yield OptionProblem(words, "pattern" if request.pattern == () else "givens")


def _all_given(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield a problem if all cells are given in a minimal puzzle: in a house of all values, one follows from the others."""
    cells, values = len(request.grid.cells), len(request.grid.values)
    given = len(request.pattern) if request.pattern is not None else request.givens.least if request.givens else 0
    if request.minimal and given == cells and any(len(house) == values for house in request.grid.houses.values()):
        words = f"expected fewer than {cells} givens with `minimal`, got {given}: the last of a row follows from the others"
        yield OptionProblem(words, "givens" if request.pattern is None else "pattern")


def _too_few_givens(request: GenerateRequest) -> Iterator[OptionProblem]:
    """Yield a problem if so few givens never leave one solution on a plain board; with more rules they may."""
    board = request.grid.boards[0]
    plain = request.rules == CLASSIC and not (request.families or request.jigsaw) and len(request.grid.boards) == 1
    if not plain or {len(house) for house in request.grid.houses.values()} != {len(request.grid.values)}:
        return
    known = FEWEST.get(board.boxes or (0, 0))
    fewest = known or len(request.grid.values) - 1
    most = len(request.pattern) if request.pattern is not None else request.givens.most if request.givens else None
    if most is not None and most < fewest:
        why = "" if known else ": all values but one must be given"
        words = f"expected at least {fewest} givens, fewer never have one solution on {request.grid}{why}; got {most}"
        yield OptionProblem(words, "givens" if request.pattern is None else "pattern")


def check_difficulty(request: GenerateRequest) -> None:
    """Raise `InvalidInput` where the difficulty asked for is not defined under the rules."""
    if request.has_difficulty:
        from sudoku_cp.generate.targets import make_target  # noqa: PLC0415  # it needs arrays

        make_target(request)


# Patterns of givens as text: the given cells, drawn like a puzzle.


BLANK = "0.-_"
MARKS = "#*"
"""Signs of a given cell, besides letters and digits."""
RULER = frozenset("-+|=")
"""A line of these characters with a + in it separates boxes and stands for no cells."""

MAX_LENGTH = 100_000
"""Longer texts are refused: no board is so large."""


def parse_pattern(text: str, grid: Grid) -> tuple[Cell, ...]:
    """Return the cells that a pattern gives; its rows may be in one line or in many.

    ``0 . - _`` stand for blank cells; ``# *``, letters and other digits for given ones. White space and ``|`` are ignored.
    Raises `InvalidInput` with everything that is wrong.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"expected a pattern of {len(grid.cells)} cells for {grid}, got more than {MAX_LENGTH:,} characters")
    lines = [line for line in text.splitlines() if not ("+" in line and RULER.issuperset(line.replace(" ", "")))]
    signs = [(sign, row, column) for row, line in enumerate(lines, 1) for column, sign in enumerate(line, 1)]
    signs = [sign for sign in signs if not (sign[0].isspace() or sign[0] == "|")]
    problems = [
        f"expected one of {' '.join(BLANK)} or one of {' '.join(MARKS)}, a letter or a digit, got {sign!r}"
        f" (line {row}, column {column} of the pattern)"
        for sign, row, column in signs
        if not (sign in BLANK + MARKS or sign.isalnum())
    ]
    if len(signs) != len(grid.cells):
        problems.append(f"expected a pattern of {len(grid.cells)} cells for {grid}, got {len(signs)}")
    if problems:
        raise InvalidInput(problems)
    return tuple(cell for cell, (sign, _, _) in enumerate(signs) if sign not in BLANK)


def pattern_text(grid: Grid, cells: Iterable[Cell]) -> str:
    """Return the pattern drawn, a row a line: ``#`` for given cells, ``.`` for blank ones."""
    return draw_rows(grid, dict.fromkeys(cells, "#"))
