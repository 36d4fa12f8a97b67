"""How rules speak to solvers: what a board's values and regions are called, and how lists of them are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.symbols import Symbols

LONGEST_LIST = 60
"""The most entries of a list in a sentence; a rule's own tables may have thousands."""
HYPHENATED = frozenset({"anti-king", "anti-knight", "anti-leaper", "look-and-say", "x-sum"})
"""The kinds that are written with hyphens in English; all others are words."""


@dataclass(frozen=True)
class RuleWording:
    """The words for one puzzle: its grid and alphabet, the pairs of cells that each kind of rule marks, and the kinds that recur.

    Sentences of rules say "value"; `adapt` makes it "digit" where all values of the board are digits.
    """

    grid: Grid
    symbols: Symbols
    marked: Mapping[str, frozenset[frozenset[Cell]]] = field(default_factory=dict)
    recurring: frozenset[str] = frozenset()

    @cached_property
    def region(self) -> str:
        """What a region of the board is called: "box" where every board has boxes."""
        return "box" if all(board.boxes for board in self.grid.boards) else "region"

    @cached_property
    def regions(self) -> str:
        """The plural."""
        return "boxes" if self.region == "box" else "regions"

    @property
    def alphabet(self) -> str:
        """The board's values: "1 to 9", "1 to 9 and A to G"."""
        signs = [self.sign(value) for value in self.grid.values]
        digits, others = ([sign for sign in signs if sign.isdecimal() is wanted] for wanted in (True, False))
        return " and ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else part[0] for part in (digits, others) if part)

    def adapt(self, text: str) -> str:
        """Return a sentence about values as one about digits, unless the board has other values."""
        digits = all(len(sign := self.sign(value)) == 1 and sign.isdecimal() for value in self.grid.values)
        return text.replace("value", "digit").replace("Value", "Digit") if digits else text

    def sign(self, value: int) -> str:
        """Return how a value is written; a number that is no value of the alphabet as a numeral."""
        alphabet = range(self.symbols.first, self.symbols.first + len(self.symbols.signs))
        return self.symbols.sign(value) if value in alphabet else str(value)

    def signs(self, values: Iterable[int]) -> str:
        """Return values side by side: ``1 4 7``."""
        return " ".join(map(self.sign, values))

    def either(self, values: Iterable[int]) -> str:
        """Return values as alternatives: ``1, 2 or 3``."""
        return listed([self.sign(value) for value in values])

    def cells(self, cells: Iterable[Cell]) -> str:
        """Return the names of cells: ``r1c1 r1c2``."""
        return " ".join(map(self.grid.cell_name, cells))

    def exceptions(self, pairs: Sequence[tuple[Cell, ...]], signs: Signs) -> str:
        """Return what follows a rule about all neighbours from which pairs are exempt, with a space before it.

        ``signs`` has names for the signs of some kinds: "a white dot". A name is used where just those pairs have such a sign.
        """
        if not pairs:
            return ""
        exempt = {frozenset(pair) for pair in pairs}
        for kinds, name in signs.items():
            if exempt == frozenset().union(*(self.marked.get(kind, frozenset()) for kind in kinds)):
                return f" unless {name} is drawn between them"
        return f" except {listed([self.cells(pair) for pair in pairs], 'and')}"


Signs: TypeAlias = "Mapping[tuple[str, ...], str]"
DOTS: Signs = {("difference",): "a white dot", ("difference", "ratio"): "a dot"}
BLACK_DOTS: Signs = {("ratio",): "a black dot", ("difference", "ratio"): "a dot"}
SUMS: Signs = {("pair-sum",): "a sum"}
"""How signs are called that let neighbours off a rule about differences, ratios or sums, by the kinds that draw them."""


def with_article(sign: str) -> str:
    """Return a sign with its article as it is read aloud: ``a 5``, ``an 8``, ``an F``."""
    vowel = sign[0] in "AEFHILMNORSX" if sign.isalpha() and len(sign) == 1 else sign.startswith(("8", "11", "18"))
    return f"{'an' if vowel else 'a'} {sign}"


def title_of(kind: str) -> str:
    """Return a kind of rule as a heading: ``killer-cage`` is "Killer cage"."""
    words = kind if kind in HYPHENATED else kind.replace("-", " ")
    return words[:1].upper() + words[1:]


def listed(parts: Sequence[str], joint: str = "or") -> str:
    """Return parts as a list in a sentence: ``a, b or c``; a very long one ends with how many more there are."""
    if len(parts) > LONGEST_LIST:
        return f"{', '.join(parts[:LONGEST_LIST])} {joint} {len(parts) - LONGEST_LIST:,} more"
    return f" {joint} ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def remainder_classes(values: range, modulus: int) -> list[list[int]]:
    """Return the values by the remainder that they leave, those of the smallest value first."""
    return [[value for value in values if (value - first) % modulus == 0] for first in values[:modulus]]
