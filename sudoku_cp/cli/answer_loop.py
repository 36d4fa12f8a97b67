"""The loop of the verbs that answer one puzzle after another, and the exit code of an answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias

from sudoku_cp import batch
from sudoku_cp.cli import output
from sudoku_cp.cli.output import Remarks, Warnings, discard, remark, with_progress
from sudoku_cp.errors import InvalidInput, SudokuError, WrongAnswer
from sudoku_cp.formats import Record
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json
from sudoku_cp.questions.answer import BAD_INPUT, ENGINE_ERRED, INTERRUPTED, YES, error_to_json, with_values, worst

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
        from sudoku_cp.cli.typed_names import spell_error  # noqa: PLC0415  # errors alone need it

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
