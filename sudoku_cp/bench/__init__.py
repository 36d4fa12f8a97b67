"""Speed here and now: every engine of ours and every installed peer on the same puzzles, side by side.

The question is always the same: find the solution and prove that it is the only one. Every answer is checked, and what is
wrong, slow beyond measure or broken is marked instead of hidden. Importing this room imports no peer.
"""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.bench.bench_report import BenchReport, SetResult, measure_sets, process_times, thread_scaling
    from sudoku_cp.bench.contestant_process import check_callables
    from sudoku_cp.bench.contestants import PEERS, Contestant, choose_contestants, choose_reference, engine_contestants
    from sudoku_cp.bench.generation import generation_rows, generation_times
    from sudoku_cp.bench.generation_statistics import statistics, statistics_rows
    from sudoku_cp.bench.machine_info import describe_machine
    from sudoku_cp.bench.measurement import BenchPlan, ContestantResult
    from sudoku_cp.bench.puzzle_sets import SETS, PuzzleSet, file_sets, named_sets
    from sudoku_cp.bench.report_files import prepare_folder, report_paths, write_report
    from sudoku_cp.bench.report_tables import report_markdown
    from sudoku_cp.bench.trust import trust_rows, trust_times
    from sudoku_cp.bench.variants import ENGINES, variant_puzzles, variant_times

__all__ = [
    "ENGINES",
    "PEERS",
    "SETS",
    "BenchPlan",
    "BenchReport",
    "Contestant",
    "ContestantResult",
    "PuzzleSet",
    "SetResult",
    "check_callables",
    "choose_contestants",
    "choose_reference",
    "describe_machine",
    "engine_contestants",
    "file_sets",
    "generation_rows",
    "generation_times",
    "measure_sets",
    "named_sets",
    "prepare_folder",
    "process_times",
    "report_markdown",
    "report_paths",
    "statistics",
    "statistics_rows",
    "thread_scaling",
    "trust_rows",
    "trust_times",
    "variant_puzzles",
    "variant_times",
    "write_report",
]

EXPORTS = {
    "bench_report": "BenchReport SetResult measure_sets process_times thread_scaling",
    "contestant_process": "check_callables",
    "contestants": "PEERS Contestant choose_contestants choose_reference engine_contestants",
    "generation": "generation_rows generation_times",
    "generation_statistics": "statistics statistics_rows",
    "machine_info": "describe_machine",
    "measurement": "BenchPlan ContestantResult",
    "puzzle_sets": "SETS PuzzleSet file_sets named_sets",
    "report_files": "prepare_folder report_paths write_report",
    "report_tables": "report_markdown",
    "trust": "trust_rows trust_times",
    "variants": "ENGINES variant_puzzles variant_times",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
