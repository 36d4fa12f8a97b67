"""Levels of difficulty: named spans of ratings, seven of our own or those of a TOML file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sudoku_cp.errors import InvalidInput, UnknownName, require_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.logic.step import Technique


@dataclass(frozen=True)
class LevelBand:
    """A level: its ``name``, the ratings from ``least`` to ``most``, both included (inf: no upper bound).

    If there are ``techniques``, the path by the easiest steps may use no others: a puzzle that does is of the next level.
    """

    name: str
    least: float
    most: float = inf
    techniques: frozenset[Technique] = frozenset()

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def span(self) -> str:
        """The ratings in words."""
        return f"{self.least:.1f} and more" if self.most == inf else f"{self.least:.1f} to {self.most:.1f}"


@dataclass(frozen=True)
class Levels:
    """Levels, the easiest first, by ratings on one ``scale``."""

    scale: Literal["se", "sukaku"]
    bands: tuple[LevelBand, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each."""
        return tuple(band.name for band in self.bands)

    def named(self, name: str) -> LevelBand:
        """Return the level of a name in any case, or raise `UnknownName`."""
        for band in self.bands:
            if band.name.lower() == name.strip().lower():
                return band
        raise UnknownName("difficulty", name, self.names)

    def of_rating(self, rating: float) -> LevelBand | None:
        """Return the level of a rating, None if it lies in none."""
        return next((band for band in self.bands if band.least <= rating <= band.most), None)

    @property
    def highest(self) -> float:
        """The highest rating that must be known: beyond it lies only the last level, or none."""
        last = self.bands[-1]
        return round(last.least - 0.1, 1) if last.most == inf else last.most


LEVELS = Levels(
    "se",
    (
        LevelBand("easy", 1.0, 1.5),
        LevelBand("medium", 1.6, 2.5),
        LevelBand("hard", 2.6, 3.6),
        LevelBand("expert", 3.7, 5.5),
        LevelBand("fiendish", 5.6, 7.0),
        LevelBand("diabolical", 7.1, 8.4),
        LevelBand("extreme", 8.5),
    ),
)
"""The usual levels: hidden singles; naked ones, and what places a value at once; locked candidates, pairs and X-wings; wings,
unique rectangles and quads; graves, aligned pairs and short chains; long chains; nets."""


class SpanPath(NamedTuple):
    """A path that ends before the first step beyond a span: the highest rating on it, and the cells that it leaves ``open``.

    ``met`` is whether a step of it lies in the span. Where no cell is open, ``top`` is the rating of the puzzle.
    """

    top: float
    open: int
    met: bool


# Levels of one's own: a TOML file.


def make_levels(levels: str | Levels) -> Levels:
    """Return levels as they are, the usual ones for an empty text, or those of a TOML text."""
    if isinstance(levels, Levels):
        return levels
    text = require_type("levels as TOML", str, levels)
    return parse_levels(text) if text.strip() else LEVELS


def levels_to_json(levels: Levels) -> dict[str, Any]:
    """Return levels as plain data for JSON, with the fields of the TOML file."""
    bands = [
        {"name": band.name, "rating": [band.least] if band.most == inf else [band.least, band.most]}
        | ({"techniques": sorted(one.code for one in band.techniques)} if band.techniques else {})
        for band in levels.bands
    ]
    return {"scale": levels.scale, "level": bands}


LONGEST, MOST_LEVELS = 100_000, 50
_FIELDS = ("name", "rating", "techniques")
_RATED = (1.0, 20.0)


class _Source:
    """The lines at which the fields of each ``[[level]]`` stand."""

    def __init__(self, text: str) -> None:
        self.top: dict[str, int] = {}
        self.levels: list[dict[str, int]] = []
        current = self.top
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(r"\s*\[\[\s*level\s*\]\]", line):
                current = {"": number}
                self.levels.append(current)
            elif found := re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line):
                current.setdefault(found[1], number)

    def at(self, level: int | None, field: str = "") -> str:
        """Return the place of a field in words."""
        lines = self.top if level is None else self.levels[level] if level < len(self.levels) else {}
        line = lines.get(field, lines.get("", 1))
        return f"line {line}" + (f", {field}" if field else "")


def parse_levels(text: str) -> Levels:
    """Return the levels of a TOML text; raise `InvalidInput` with all that is wrong, by line and field."""
    import tomllib  # noqa: PLC0415  # several milliseconds, for levels of one's own alone

    if len(text) > LONGEST:
        raise InvalidInput(f"expected levels as TOML of at most {LONGEST:,} characters, got more")
    try:
        document = tomllib.loads(text)
    except RecursionError as error:
        raise InvalidInput("expected levels as TOML, got brackets nested too deeply") from error
    except ValueError as error:  # numbers of thousands of digits raise it too
        raise InvalidInput(f"expected levels as TOML, got {text.strip()[:40]!r}: {error}") from error
    source = _Source(text)
    problems = [
        f"{source.at(None, key)}: expected scale and [[level]] alone" for key in document if key not in {"scale", "level"}
    ]
    scale = document.get("scale", "se")
    if scale not in ("se", "sukaku"):  # a list is in no set
        problems.append(f"{source.at(None, 'scale')}: expected se or sukaku, got {scale!r:.40}")
    tables = document.get("level", [])
    if not isinstance(tables, list) or not 1 <= len(tables) <= MOST_LEVELS or not all(isinstance(one, dict) for one in tables):
        words = f"expected 1 to {MOST_LEVELS} tables [[level]], each with a name and a rating"
        raise InvalidInput([*problems, f"{words}, got {str(len(tables)) if isinstance(tables, list) else repr(tables):.40}"])
    bands = [_parse_band(table, place, source, problems) for place, table in enumerate(tables)]
    problems += _clashes(bands, source)
    if problems:
        raise InvalidInput(problems)
    return Levels(scale, tuple(band for band in bands if band))


def _parse_band(table: Mapping[str, Any], place: int, source: _Source, problems: list[str]) -> LevelBand | None:
    before = len(problems)
    problems += [f"{source.at(place, key)}: expected one of {', '.join(_FIELDS)}" for key in table if key not in _FIELDS]
    name = table.get("name")
    if not isinstance(name, str) or not name.strip() or re.search(r"[,:\n]", name):
        problems.append(f"{source.at(place, 'name')}: expected a name without commas and colons, got {_show(table, 'name')}")
    rating = table.get("rating")
    ends = rating if isinstance(rating, list) else [rating, rating]
    numbers = [one for one in ends if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) != len(ends) or not 1 <= len(ends) <= len(_RATED) or not _RATED[0] <= numbers[0] <= numbers[-1] <= _RATED[1]:
        problems.append(
            f"{source.at(place, 'rating')}: expected [least, most] or [least], ratings from {_RATED[0]} on, got"
            f" {_show(table, 'rating')}"
        )
    techniques = _parse_allowed(table.get("techniques", []), place, source, problems)
    if len(problems) > before:
        return None
    return LevelBand(str(name).strip(), float(numbers[0]), float(numbers[1]) if len(numbers) > 1 else inf, techniques)


def _show(table: Mapping[str, Any], field: str) -> str:
    return f"{table[field]!r:.60}" if field in table else "none"


def _parse_allowed(names: Any, place: int, source: _Source, problems: list[str]) -> frozenset[Technique]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        problems.append(f"{source.at(place, 'techniques')}: expected a list of names or codes of techniques, got {names!r:.60}")
        return frozenset()
    from sudoku_cp.logic.step import parse_techniques  # noqa: PLC0415  # names, which few files have

    found: set[Technique] = set()
    for name in names:
        try:
            found.update(parse_techniques(name))
        except UnknownName as error:
            problems += [f"{source.at(place, 'techniques')}: {problem}" for problem in error.problems]
    return frozenset(found)


def _clashes(bands: list[LevelBand | None], source: _Source) -> Iterator[str]:
    """Yield names that come twice, and ratings that do not go up."""
    seen: dict[str, int] = {}
    last: LevelBand | None = None
    for place, band in enumerate(bands):
        if band is None:
            continue
        if band.name.lower() in seen:
            yield f"{source.at(place, 'name')}: expected each name once, got {band.name!r:.40} again"
        seen[band.name.lower()] = place
        if last is not None and band.least <= last.most:
            yield (
                f"{source.at(place, 'rating')}: expected ratings above those of the level before ({last.name}, {last.span}),"
                f" got {band.span}"
            )
        last = band
