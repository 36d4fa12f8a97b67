"""The verbs that answer one puzzle after another: the PUZZLE arguments, the loop over them, and the exit code of an answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, wraps
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias

from sudoku_cp import batch
from sudoku_cp.backends import MANY
from sudoku_cp.cli import output
from sudoku_cp.cli.output import (
    ProgressBar,
    Remarks,
    Warnings,
    discard,
    print_json,
    remark,
    trouble_remarks,
    utf8_text,
    with_progress,
)
from sudoku_cp.cli.typed_options import BatchOptions, spell_error, spell_options
from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, SudokuError, WrongAnswer
from sudoku_cp.formats import Record, read_records, records_of_text
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.generate.requested_rules import parse_added_rules, with_added_rules
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json
from sudoku_cp.questions.answer import BAD_INPUT, ENGINE_ERRED, INTERRUPTED, YES, error_to_json, with_values, worst
from sudoku_cp.questions.question import Reading

if TYPE_CHECKING:
    from sudoku_cp.compare import Verdict
    from sudoku_cp.generate import GeneratedPuzzle
    from sudoku_cp.generate.chunks import ProvedPuzzles


JsonFields: TypeAlias = "dict[str, Any]"
"""Further JSON fields of an answer: here the reader's warnings."""


def answer_records(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    """Answer every puzzle; a record that cannot be read is reported in its place. Return the worst exit code.

    ``answer(index, puzzle, extra_fields, alone=...)`` shows one answer and returns its exit code; ``alone`` says that there is
    no other puzzle.
    """

    def answer_puzzle(index: int, record: Record, extra_fields: JsonFields, *, alone: bool) -> int:
        return answer(index, record.puzzle, extra_fields, alone=alone)

    return _answer_each(records, answer_puzzle, as_json=as_json, quiet=quiet)


def answer_positions(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    """Answer every position, as `answer_records` answers puzzles: what was placed and eliminated is part of the question."""

    def answer_position(index: int, record: Record, extra_fields: JsonFields, *, alone: bool) -> int:
        return answer(index, record.position(), record.state, extra_fields, alone=alone)

    known = (replace(record, warnings=record.position_warnings) for record in records)
    return _answer_each(known, answer_position, as_json=as_json, quiet=quiet)


def _answer_each(records: Iterator[Record], answer: Callable[..., int], *, as_json: bool, quiet: bool) -> int:
    # Programs want an answer as soon as a puzzle has been read; for people a single puzzle is drawn.
    ahead = [] if as_json else list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {YES}
    warnings = Warnings(quiet=as_json or quiet)
    for index, record in enumerate(with_progress(chain(ahead, records), quiet=quiet)):
        if record.puzzle is not None:
            warnings.add_all(index, record.warnings)
            extra_fields = with_values(warnings=list(record.warnings))
            try:
                codes.add(answer(index, record, extra_fields, alone=alone))
            except WrongAnswer as error:
                codes.add(ENGINE_ERRED)
                _report_error(index, error, as_json=as_json, alone=alone)
        elif record.error is not None:
            codes.add(BAD_INPUT)
            _report_error(index, record.error, as_json=as_json, alone=alone)
    warnings.end()
    return worst(codes)


def _report_error(index: int, error: SudokuError, *, as_json: bool, alone: bool) -> None:
    """Report in the place of an answer why there is none; raise the error of a puzzle that is ``alone``."""
    if as_json:
        output.print_json({"index": index} | error_to_json(error))
    elif alone:
        raise error
    else:
        output.print_text(f"{index}\terror\t{error}")


# How every verb ends: with an exit code and, for people, a message instead of a traceback.


def writing_failed(error: OSError) -> str:
    """Return in words that answers could not be written."""
    reason = error.strerror or str(error)
    return f"could not write the answers: {reason[:1].lower()}{reason[1:]}"


_P = ParamSpec("_P")


def exit_with_code(verb: Callable[_P, int]) -> Callable[_P, None]:
    """Wrap a verb: exit with the code that it returns; report an error that it raises, and exit with the error's code."""

    @wraps(verb)
    def run_and_exit(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            code = _exit_code(verb, *args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has closed the pipe: nothing more can be written, not even by the interpreter's last flush.
            discard(sys.stdout)
            code = YES
        except OSError as error:
            remark(f"sudoku-cp: {writing_failed(error)}")
            discard(sys.stdout)
            code = BAD_INPUT
        try:
            sys.stderr.flush()
        except OSError:
            discard(sys.stderr)
        sys.exit(code)

    return run_and_exit


def _exit_code(verb: Callable[_P, int], *args: _P.args, **kwargs: _P.kwargs) -> int:
    try:
        return verb(*args, **kwargs)
    except SudokuError as error:
        from sudoku_cp.cli.typed_options import spell_error  # noqa: PLC0415  # errors alone need it

        spelled = spell_error(error)
        # Problems of options get a line each; those of a text stay behind its place.
        _report(*(spelled.listed() if type(spelled) is InvalidInput else [spelled]), error=error)
        return error.exit_code
    except KeyboardInterrupt as error:
        _report("interrupted", error=error)
        return INTERRUPTED


def _report(*messages: object, error: BaseException) -> None:
    """Print the messages, and the notes added to the error on its way (where the half-written file is, say), a line each."""
    lines = (*messages, *getattr(error, "__notes__", ()))
    remark("\n".join(f"sudoku-cp: {line}" for line in lines))


# Remarks and summaries of runs of many puzzles, for people.


def format_speed(puzzles: int, seconds: float) -> str:
    """Return the seconds and the rate, whose decimals are shown below ten: ``0.42 s, 48 a second``."""
    rate = puzzles / max(seconds, 1e-3)
    return f"{seconds:.3g} s, {f'{rate:,.0f}' if rate >= 10 else f'{rate:.2g}'} a second"  # noqa: PLR2004


# --- from file to file ------------------------------------------------------------------------------------------


@contextmanager
def remarks_of_run(remarks: Remarks, out: str, *, quiet: bool) -> Iterator[None]:
    """End the remarks with the block; if a run breaks off in it, print how to resume it."""
    try:
        yield
    except (InvalidInput, KeyboardInterrupt):
        remarks.end()
        print_resume_hint(out, quiet=quiet)
        raise
    remarks.end()


def print_resume_hint(out: str, *, quiet: bool) -> None:
    """Print where the work of an unfinished run is kept, and which options resume or discard it."""
    if batch.is_unfinished(out) and not quiet:
        where = batch.partial_output(Path(out)) or out
        remark(f"sudoku-cp: what was done is kept in {where}: --resume goes on with it, --force begins anew")


def format_run(summary: batch.RunSummary, words: Mapping[str, str]) -> str:
    """Return the summary, with words for each status: ``49,158 puzzles: 49,158 unique; 0.42 s, 117,000 a second``."""
    if summary.already:
        return f"already finished: {summary.records:,} puzzles"
    statuses = summary.counts
    parts = [f"{statuses[status]:,} {word}" for status, word in words.items() if statuses[status]]
    if statuses["error"]:
        parts.append(f"{statuses['error']:,} error{'s' * (statuses['error'] > 1)}")
    fresh = summary.records - summary.before
    earlier = f", {summary.before:,} of them done before" if summary.before else ""
    return f"{summary.records:,} puzzles: {', '.join(parts)}{earlier}; {format_speed(fresh, summary.seconds)}"


# --- generated puzzles ------------------------------------------------------------------------------------------


def shortfalls(part: ProvedPuzzles) -> list[GeneratedPuzzle]:
    """Return the puzzles that miss a part of the request, as a limit came first."""
    return [made for made, _ in part.each() if made.reason] if len(part) == 1 else []


def format_shortfall(made: GeneratedPuzzle) -> str:
    """Return in words what a puzzle misses."""
    return f"puzzle {made.number}: a limit ({made.reason}) came first" + (f": {made.missed}" if made.missed else "")


def format_yield(puzzles: int, tries: int) -> str:
    """Return the share of tries that became puzzles, nothing where all did."""
    return f", {puzzles / tries:.3%} of those begun" if tries > puzzles else ""


def format_summary(puzzles: int, tries: int, seconds: float) -> str:
    """Return the summary of a run: ``20 puzzles; 0.42 s, 48 a second, 12% of those begun``."""
    return f"{puzzles:,} puzzle{'s' * (puzzles != 1)}; {format_speed(puzzles, seconds)}{format_yield(puzzles, tries)}"


# The verdicts of several engines on a puzzle, for ``compare``.


def print_verdicts(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> None:
    """Print a puzzle and the verdict of each engine, a line each."""
    document = puzzle_to_short_json(puzzle)
    output.print_text(f"  {document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)}")
    for verdict in verdicts:
        solutions = [solution_to_short_json(puzzle, solution) for solution in verdict.answer.solutions] if verdict.answer else []
        output.print_text(f"  {verdict.engine}: {verdict.status} {verdict.problem or ' '.join(map(str, solutions))}")


# The PUZZLE arguments: texts, files or standard input, read one puzzle at a time.


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
