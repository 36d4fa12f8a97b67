"""Every rule, one class each, in a file per family; `make docs-pages` writes the lists of names.

A family is imported when one of its rules is first used: most puzzles need only one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports
from sudoku_cp.rules.base import RULES, Lowered, Rule, rule_from_json, rule_to_json
from sudoku_cp.rules.kinds import CLASS_OF

if TYPE_CHECKING:
    from sudoku_cp.rules.arrows import Arrow, DoubleArrow, PillArrow
    from sudoku_cp.rules.between_lines import BetweenLine, LockoutLine
    from sudoku_cp.rules.cages import DigitalRootCage, EqualityCage, KillerCage, LookAndSay, MultiSumCage, RellikCage, SumCage
    from sudoku_cp.rules.chess import (
        AntiKing,
        AntiKnight,
        AntiLeaper,
        DiagonallyNonconsecutive,
        DutchFlatmates,
        Knightmare,
        Nonconsecutive,
        SelfTaxicab,
        Taxicab,
    )
    from sudoku_cp.rules.clones import Clone, EqualSums, SameValueSets
    from sudoku_cp.rules.composite import AllOf, AnyOf, Repeated
    from sudoku_cp.rules.counting import (
        ConnectedValues,
        ContainsAtLeast,
        ContainsExactly,
        CountDistinct,
        CountingCircles,
        Quadruple,
    )
    from sudoku_cp.rules.custom import Automata, PairsInOrder, PairsOfAll, RegularExpression
    from sudoku_cp.rules.houses import Houses
    from sudoku_cp.rules.indexing import BoxIndexer, Indexer, ValueIndexing
    from sudoku_cp.rules.lines import (
        EntropicLine,
        ModularLine,
        Nabner,
        Palindrome,
        ParityLine,
        Renban,
        SlowThermometer,
        Thermometer,
        Whisper,
    )
    from sudoku_cp.rules.marked_cells import Even, Maximum, Minimum, Odd
    from sudoku_cp.rules.neighbour_pairs import (
        Difference,
        Inequality,
        NegativeDifference,
        NegativeRatio,
        NegativeSum,
        PairSum,
        Ratio,
    )
    from sudoku_cp.rules.outside_clues import HiddenSkyscraper, LittleKiller, NumberedRoom, Sandwich, Skyscraper, XSum
    from sudoku_cp.rules.ranks import FullRank
    from sudoku_cp.rules.regions import Diagonals, DisjointGroups, ExtraRegion, GlobalEntropy, GlobalMod, Windoku
    from sudoku_cp.rules.sequence_lines import (
        AmbiguousArrow,
        ArithmeticSequence,
        IndexLine,
        OddEvenLot,
        SameDifferenceLine,
        SuccessorArrow,
    )
    from sudoku_cp.rules.sum_lines import Lunchbox, RegionSumLine, SumLine, ZipperLine
    from sudoku_cp.rules.unknown_regions import ChaosConstruction, Doppelganger, RegionCount, SameValuesInRegions

__all__ = [
    "RULES",
    "AllOf",
    "AmbiguousArrow",
    "AntiKing",
    "AntiKnight",
    "AntiLeaper",
    "AnyOf",
    "ArithmeticSequence",
    "Arrow",
    "Automata",
    "BetweenLine",
    "BoxIndexer",
    "ChaosConstruction",
    "Clone",
    "ConnectedValues",
    "ContainsAtLeast",
    "ContainsExactly",
    "CountDistinct",
    "CountingCircles",
    "DiagonallyNonconsecutive",
    "Diagonals",
    "Difference",
    "DigitalRootCage",
    "DisjointGroups",
    "Doppelganger",
    "DoubleArrow",
    "DutchFlatmates",
    "EntropicLine",
    "EqualSums",
    "EqualityCage",
    "Even",
    "ExtraRegion",
    "FullRank",
    "GlobalEntropy",
    "GlobalMod",
    "HiddenSkyscraper",
    "Houses",
    "IndexLine",
    "Indexer",
    "Inequality",
    "KillerCage",
    "Knightmare",
    "LittleKiller",
    "LockoutLine",
    "LookAndSay",
    "Lowered",
    "Lunchbox",
    "Maximum",
    "Minimum",
    "ModularLine",
    "MultiSumCage",
    "Nabner",
    "NegativeDifference",
    "NegativeRatio",
    "NegativeSum",
    "Nonconsecutive",
    "NumberedRoom",
    "Odd",
    "OddEvenLot",
    "PairSum",
    "PairsInOrder",
    "PairsOfAll",
    "Palindrome",
    "ParityLine",
    "PillArrow",
    "Quadruple",
    "Ratio",
    "RegionCount",
    "RegionSumLine",
    "RegularExpression",
    "RellikCage",
    "Renban",
    "Repeated",
    "Rule",
    "SameDifferenceLine",
    "SameValueSets",
    "SameValuesInRegions",
    "Sandwich",
    "SelfTaxicab",
    "Skyscraper",
    "SlowThermometer",
    "SuccessorArrow",
    "SumCage",
    "SumLine",
    "Taxicab",
    "Thermometer",
    "ValueIndexing",
    "Whisper",
    "Windoku",
    "XSum",
    "ZipperLine",
    "rule_from_json",
    "rule_to_json",
]

EXPORTS: dict[str, str] = {}
for _path in CLASS_OF.values():
    _module, _, _name = _path.partition(".")
    EXPORTS[_module] = f"{EXPORTS.get(_module, '')} {_name}"

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
