"""The PUZZLE arguments: texts, files or standard input, read one puzzle at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from sudoku_cp import batch
from sudoku_cp.backends import MANY
from sudoku_cp.cli.answer_loop import format_run, remarks_of_run
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.output import ProgressBar, Warnings, print_json, remark, trouble_remarks, utf8_text, with_progress
from sudoku_cp.cli.typed_names import spell_error, spell_options
from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, SudokuError
from sudoku_cp.formats import Record, read_records, records_of_text
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.generate.requested_rules import parse_added_rules, with_added_rules
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.questions.answer import BAD_INPUT, YES, error_to_json
from sudoku_cp.questions.options import Reading

NO_PUZZLES = {".md", ".py", ".part", ".resume", ".rows", ".seen"}
"""Endings of other files that may be in a folder of puzzles."""


def input_records(arguments: Iterable[str], options: Reading) -> Iterator[Record]:
    """Yield every puzzle of every argument with the rules of ``--rules`` added, or the error in its place, options as typed."""
    rules = parse_added_rules(options.rules)
    for name in [name for argument in arguments for name in expand_folder(argument)]:  # before anything is written there
        for record in _records_of(name, options):
            found = with_added_rules(record, rules) if rules else record
            yield found if found.error is None else replace(found, error=spell_error(found.error.renamed(options.names)))


class CountedRecords:
    """The records of the arguments, and about how many there are, for choosing an engine.

    Plain grids are read ahead, up to the number that changes the choice. Standard input that somebody may be
    typing is not: its expected count is the number of records so far.
    """

    def __init__(self, arguments: Sequence[str], options: Reading) -> None:
        """Take the PUZZLE arguments; nothing is read yet."""
        self._records = input_records(arguments, options)
        self._may_read_ahead = "-" not in arguments or sys.stdin.seekable()
        self._passed = self._ahead = 0

    @property
    def expected_count(self) -> int:
        """About how many puzzles there are."""
        return max(self._passed, self._ahead)

    def __iter__(self) -> Iterator[Record]:
        """Yield the records."""
        ahead: list[Record] = []
        try:
            while self._may_read_ahead and len(ahead) < MANY and (record := next(self._records, None)) is not None:
                ahead.append(record)
                if record.puzzle is not None and not record.puzzle.is_plain:
                    break
        except SudokuError as error:
            failure: SudokuError | None = error
        else:
            failure = None
        self._ahead = len(ahead)
        for record in chain(ahead, self._records):
            self._passed += 1
            yield record
        if failure:
            raise failure


def refuse_to_overwrite(outputs: Iterable[str | Path], arguments: Iterable[str]) -> None:
    """Refuse an output that is one of the input files, or standard input."""
    names = [name for argument in arguments for name in expand_folder(argument)]
    refuse_inputs(outputs, [sys.stdin.buffer if name == "-" else name for name in names if name == "-" or is_file(name)])


def expand_folder(argument: str) -> list[str]:
    """Return the files of a folder in the order of their names, or the argument itself if it is no folder."""
    if not (is_file(argument) and Path(argument).is_dir()):
        return [argument]
    names = sorted(str(path) for path in Path(argument).iterdir() if path.is_file() and path.suffix not in NO_PUZZLES)
    if not names:
        raise InvalidInput(f"{argument}: expected a folder with files of puzzles, got none")
    return names


def _records_of(argument: str, options: Reading) -> Iterator[Record]:
    keywords: dict[str, Any] = {
        "format": options.format,
        "grid": options.grid(),
        "alphabet": options.alphabet,
        "strict": options.strict,
    }
    if argument == "-":
        return read_records(sys.stdin.buffer, name="standard input", **keywords)
    if is_file(argument):
        return read_records(Path(argument), **keywords)
    return _records_of_text(argument, keywords)


def _records_of_text(argument: str, keywords: dict[str, Any]) -> Iterator[Record]:
    """Read the argument itself as puzzles."""
    for record in records_of_text(utf8_text(argument), **keywords):
        yield record if record.error is None else replace(record, error=unreadable_argument_error(argument, record.error))


def unreadable_argument_error(argument: str, error: ParseError) -> ParseError:
    """Return the error of an argument that is no puzzle and names no file, as either may be meant; one of options stays."""
    if all(isinstance(problem, OptionProblem) and problem.option for problem in error.problems):
        return ParseError(error.problems)
    no_file = [] if argument.lstrip().startswith(("{", "[")) else ["there is no such file"]
    problems = [f"expected a puzzle or a file, got {argument!r:.60}", *no_file, *error.problems]
    if error.nearest:  # what came has been shown
        problems[-1] = f"{error.nearest} (`sudoku-cp formats` lists every format)"
    return ParseError(problems, column=error.column)


class ReadablePuzzles:
    """The puzzles of the arguments; records that cannot be read are reported on standard error and left out.

    ``index`` and ``record`` are those of the last puzzle yielded; ``troubles`` reports the records that fail.
    """

    def __init__(
        self, arguments: Iterable[str], options: Reading, *, quiet: bool, as_json: bool = False, positions: bool = False
    ) -> None:
        """Take the PUZZLE arguments, of which nothing is read yet.

        ``as_json`` reports errors on standard output too; ``positions`` leaves out warnings about what a player has placed.
        """
        self._records = with_progress(input_records(arguments, options), quiet=quiet)
        self._warnings = Warnings(quiet=quiet)
        self._as_json, self._positions = as_json, positions
        self.troubles = trouble_remarks()
        self.exit_code = YES
        self.index = 0
        self.record: Record | None = None

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles."""
        try:
            for index, record in enumerate(self._records):
                if record.puzzle is not None:
                    self._warnings.add_all(index, record.position_warnings if self._positions else record.warnings)
                    self.index, self.record = index, record
                    yield record.puzzle
                elif record.error is not None:
                    self._leave_out(index, record.error)
        finally:
            self._warnings.end()
            self.troubles.end()

    def _leave_out(self, index: int, error: ParseError) -> None:
        self.exit_code = BAD_INPUT
        self.troubles.add(f"left out: {error}")
        if self._as_json:
            print_json({"index": index} | error_to_json(error))


# Runs of the command line that answer records from file to file: what those that solve and those that rate share.


def answer_to_file(
    puzzles: Sequence[str],
    batch_options: BatchOptions,
    input_options: Reading,
    answer_files: Callable[..., batch.RunSummary],
    words: Mapping[str, str],
    *,
    quiet: bool,
) -> batch.RunSummary:
    """Answer every puzzle into the file of ``--out``, and return the summary, which is printed with ``words`` for each status.

    ``answer_files`` is `batch.solve_files` or `batch.rate_files` with its own options; it gets those that both have.
    """
    inputs = batch_inputs(puzzles)
    remarks = trouble_remarks(quiet=quiet)
    out = str(batch_options.out)
    with remarks_of_run(remarks, out, quiet=quiet), ProgressBar(total_bytes(inputs), quiet=quiet) as bar:
        summary = answer_files(
            inputs,
            out,
            format=input_options.format,
            grid=input_options.grid(),
            alphabet=input_options.alphabet,
            rules=parse_added_rules(input_options.rules),
            workers=batch_options.workers,
            cluster=batch_options.cluster,
            resume=batch_options.resume,
            force=batch_options.force,
            strict=input_options.strict,
            callbacks=batch.Callbacks(
                lambda done: bar.show(done.records, done.bytes_read),
                lambda one: remarks.add(f"record {one.index}: {one.message}"),
                spell=partial(spell_options, names=input_options.names),
            ),
        )
    if not quiet:
        remark(format_run(summary, words))
    return summary


# The PUZZLE arguments of runs from file to file.


def batch_inputs(puzzles: Sequence[str]) -> list[batch.Input]:
    """Return the files, standard input and texts that the arguments name."""
    return [_batch_input(name) for argument in puzzles for name in expand_folder(argument)]


def _batch_input(argument: str) -> batch.Input:
    if argument == "-":
        return batch.Input(sys.stdin.buffer, "standard input")
    if is_file(argument):
        return batch.Input(Path(argument), argument)
    for record in records_of_text(utf8_text(argument)):
        if record.error:
            raise unreadable_argument_error(argument, record.error)
    return batch.Input(BytesIO(argument.encode("utf-8", "surrogateescape")))


def total_bytes(inputs: Sequence[batch.Input]) -> int | None:
    """Return the size of all inputs in bytes, compressed ones as they are; None where one has no size."""
    paths = [one.source for one in inputs if isinstance(one.source, Path)]
    return sum(path.stat().st_size for path in paths) if len(paths) == len([*inputs]) else None
