"""Tables of the names that people use for something: a technique, a rule. Spelling, hyphens and plurals do not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from sudoku_cp.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_T = TypeVar("_T")

NEAREST = 3
"""Names that are suggested for an unknown one, at most."""
ALIKE = 0.6
"""The similarity of two names, from 0 to 1, from which one is suggested for the other."""
FURTHER = 0.5
"""The similarity from which names are suggested after one that is alike."""
SHORTEST = 2
"""A name of up to so many letters is contained in too many others to be suggested for these."""
COMMON = ("square", "circle", "line", "cage", "sudoku")
"""Last words of many names."""
MOST_OF = 0.6
"""The share of a name from which a part of it that is not its beginning makes the two alike."""
LONGEST = 80
"""Letters of a name that are compared."""


def fold_name(text: str) -> str:
    """Return the letters and figures alone, in lower case and American spelling."""
    folded = "".join(sign for sign in text[:LONGEST].lower() if sign.isalnum())
    return folded.replace("colour", "color")


class NameTable(Generic[_T]):
    """Things by their names; each has a ``title``, by which it is suggested, and any number of further names.

    Where two things have a name in common, it means the one that has it as its title; without such a one it means neither, and
    both are suggested. A name is also recognised in the plural, and with one of the ``endings``: an arrow sudoku is an arrow.
    """

    def __init__(self, noun: str, entries: Iterable[tuple[str, Iterable[str], _T]], endings: tuple[str, ...] = ()) -> None:
        """Make the table of ``entries`` (title, further names, thing); ``noun`` says in errors what they are."""
        self._noun, self._endings = noun, endings
        self._titles: dict[str, tuple[str, _T]] = {}
        self._others: dict[str, dict[str, _T]] = {}
        for title, names, thing in entries:
            self._titles.setdefault(fold_name(title), (title, thing))
            for name in names:
                self._others.setdefault(fold_name(name), {})[title] = thing

    def find(self, name: str) -> _T | None:
        """Return what a name means, None if that is nothing, or not one thing."""
        for key in self._spellings(fold_name(name)):
            if key in self._titles:
                return self._titles[key][1]
            if len(others := self._others.get(key, {})) == 1:
                return next(iter(others.values()))
        return None

    def parse(self, name: str) -> _T:
        """Return what a name means, or raise `UnknownName`, which suggests the nearest names."""
        found = self.find(name)
        if found is None:
            raise UnknownName(self._noun, name, [title for title, _ in self._titles.values()], self.nearest(name))
        return found

    def nearest(self, name: str) -> list[str]:
        """Return the titles of the things with the most similar names, the most similar first."""
        wanted = fold_name(name)
        scores: dict[str, float] = {}
        for key, titles in self._keys():
            score = _similarity(wanted, key)
            for title in titles:
                scores[title] = max(score, scores.get(title, 0.0))
        if max(scores.values(), default=0.0) < ALIKE:
            return []  # not a near miss
        return sorted((title for title, score in scores.items() if score >= FURTHER), key=lambda title: -scores[title])[:NEAREST]

    def _spellings(self, key: str) -> Iterator[str]:
        for one in (key, key.removesuffix("s"), key.removesuffix("es")):
            yield one
            yield from (one.removesuffix(ending) for ending in self._endings if one.endswith(ending) and one != ending)

    def _keys(self) -> Iterator[tuple[str, Iterable[str]]]:
        yield from ((key, (title,)) for key, (title, _) in self._titles.items())
        yield from self._others.items()


def _similarity(one: str, other: str) -> float:
    """Return how similar two folded names are: up to 0.9 by their letters, more where one is most or the beginning of the other.

    A word that is the last of many names makes no two of them alike.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415  # 1 ms that only unknown names need

    for word in COMMON:
        if one.endswith(word) and other.endswith(word) and word not in {one, other}:
            one, other = one.removesuffix(word), other.removesuffix(word)
    ratio = SequenceMatcher(None, one, other).ratio()
    shorter, longer = sorted((one, other), key=len)
    is_part = longer.startswith(shorter) or (shorter in longer and len(shorter) >= MOST_OF * len(longer))
    return 0.9 + ratio / 10 if len(shorter) > SHORTEST and is_part else 0.9 * ratio
