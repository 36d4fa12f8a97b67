"""Speed here and now: every engine of ours and every installed peer on the same puzzles, side by side.

The question is always the same: find the solution and prove that it is the only one. Every answer is checked, and what is
wrong, slow beyond measure or broken is marked instead of hidden. Importing this room imports no peer.
"""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.bench.children import expect_callables
    from sudoku_cp.bench.contestants import PEERS, Contestant, chosen, engines, reference_among
    from sudoku_cp.bench.files import outputs, ready, written
    from sudoku_cp.bench.generation import generation_rows, generation_times
    from sudoku_cp.bench.generation_statistics import statistics, statistics_rows
    from sudoku_cp.bench.machine import this_machine
    from sudoku_cp.bench.report import Measured, Report, measure, process_times, scaling
    from sudoku_cp.bench.sets import SETS, PuzzleSet, file_sets, named_sets
    from sudoku_cp.bench.tables import document
    from sudoku_cp.bench.timing import Plan, Result
    from sudoku_cp.bench.trust import trust_rows, trust_times
    from sudoku_cp.bench.variants import ENGINES, variant_puzzles, variant_times

__all__ = [
    "ENGINES",
    "PEERS",
    "SETS",
    "Contestant",
    "Measured",
    "Plan",
    "PuzzleSet",
    "Report",
    "Result",
    "chosen",
    "document",
    "engines",
    "expect_callables",
    "file_sets",
    "generation_rows",
    "generation_times",
    "measure",
    "named_sets",
    "outputs",
    "process_times",
    "ready",
    "reference_among",
    "scaling",
    "statistics",
    "statistics_rows",
    "this_machine",
    "trust_rows",
    "trust_times",
    "variant_puzzles",
    "variant_times",
    "written",
]

EXPORTS = {
    "children": "expect_callables",
    "contestants": "PEERS Contestant chosen engines reference_among",
    "files": "outputs ready written",
    "generation": "generation_rows generation_times",
    "generation_statistics": "statistics statistics_rows",
    "machine": "this_machine",
    "report": "Measured Report measure process_times scaling",
    "sets": "SETS PuzzleSet file_sets named_sets",
    "tables": "document",
    "timing": "Plan Result",
    "trust": "trust_rows trust_times",
    "variants": "ENGINES variant_puzzles variant_times",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
