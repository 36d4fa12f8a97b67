"""Families of clues by name.

To add one, write a function that finds its clues and add a `FinderFamily` to the list of its file. Clues are found along random
paths, in random areas, or by looking at every edge, cell or line.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.generate.variants.families.cells import CAGE_FAMILIES, CELL_FAMILIES, DOT_FAMILIES
from sudoku_cp.generate.variants.families.lines import ARROW_FAMILIES, LINE_FAMILIES
from sudoku_cp.generate.variants.families.outside import OUTSIDE_FAMILIES
from sudoku_cp.name_table import NameTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.generate.variants.families.finder_family import FinderFamily

_ALL = chain(CAGE_FAMILIES, LINE_FAMILIES, ARROW_FAMILIES, DOT_FAMILIES, CELL_FAMILIES, OUTSIDE_FAMILIES)

FAMILIES: Mapping[str, FinderFamily] = MappingProxyType({family.name: family for family in _ALL})
"""Every family by its name: the kind of its rule, or a name of its own where it has several kinds."""


@cache
def family_names() -> NameTable[FinderFamily]:
    """Return the families by their names and short names."""
    return NameTable("family of clues", [(family.name, family.words, family) for family in FAMILIES.values()])


def family_named(name: str) -> FinderFamily:
    """Return the family of that name or short name, in the singular or the plural: ``killer``, ``thermos``, ``xv``."""
    return family_names().parse(name)
