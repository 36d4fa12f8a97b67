"""Every rule, one class each, in a file per family.

To add a rule, write a class in a family's file and its name here; a new family is one more line in `base.FAMILIES`.
Families are imported when one of their rules is asked for: most puzzles need a single one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.late import late
from sudoku_cp.rules.base import RULES, Lowered, Rule, rule_from_json, rule_to_json

if TYPE_CHECKING:
    from sudoku_cp.rules.cages import KillerCage
    from sudoku_cp.rules.chess import AntiKnight
    from sudoku_cp.rules.counting import Quadruple
    from sudoku_cp.rules.houses import Houses
    from sudoku_cp.rules.indexing import Indexer
    from sudoku_cp.rules.lines import Arrow, Thermometer
    from sudoku_cp.rules.outside import Skyscraper
    from sudoku_cp.rules.regions import Diagonals, ExtraRegion, Windoku

__all__ = [
    "RULES",
    "AntiKnight",
    "Arrow",
    "Diagonals",
    "ExtraRegion",
    "Houses",
    "Indexer",
    "KillerCage",
    "Lowered",
    "Quadruple",
    "Rule",
    "Skyscraper",
    "Thermometer",
    "Windoku",
    "rule_from_json",
    "rule_to_json",
]


HOMES = {
    "cages": "KillerCage",
    "chess": "AntiKnight",
    "counting": "Quadruple",
    "houses": "Houses",
    "indexing": "Indexer",
    "lines": "Arrow Thermometer",
    "outside": "Skyscraper",
    "regions": "Diagonals ExtraRegion Windoku",
}

__getattr__ = late(__name__, HOMES)
