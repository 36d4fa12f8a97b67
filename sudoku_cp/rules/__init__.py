"""Every rule, one class each, in a file per family. A new class in one of these files is all there is to add."""

from sudoku_cp.rules import cages, chess, counting, houses, indexing, lines, outside
from sudoku_cp.rules.base import RULES, Lowered, Rule, rule_from_json, rule_to_json
from sudoku_cp.rules.cages import KillerCage
from sudoku_cp.rules.chess import AntiKnight
from sudoku_cp.rules.counting import Quadruple
from sudoku_cp.rules.houses import Diagonals, ExtraRegion, Houses, Windoku
from sudoku_cp.rules.indexing import Indexer
from sudoku_cp.rules.lines import Arrow, Thermometer
from sudoku_cp.rules.outside import Skyscraper

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
    "cages",
    "chess",
    "counting",
    "houses",
    "indexing",
    "lines",
    "outside",
    "rule_from_json",
    "rule_to_json",
]
