"""The verb ``generate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from sudoku_cp import batch
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.batch.file_run import SideOutputs
from sudoku_cp.batch.generate_run import manifest_path
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import (
    format_shortfall,
    format_summary,
    format_yield,
    print_resume_hint,
    remarks_of_run,
    shortfalls,
)
from sudoku_cp.cli.options import Ascii, Json, Quiet, Words, complete_format_written
from sudoku_cp.cli.output import ProgressBar, remark, shortfall_remarks, stream_for_programs
from sudoku_cp.cli.typed_options import BatchOptions, no_folder, read_typed_pattern, refuse_contradictions, with_levels_read
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.formats import write_puzzles
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.generate import GenerateRequest
from sudoku_cp.generate.api import check_share, choose_seed, make_generator
from sudoku_cp.generate.chunks import ProvedPuzzles
from sudoku_cp.generate.difficulty_mix import check_total
from sudoku_cp.generate.request_parsing import Problems
from sudoku_cp.output_files import existing_numbered_paths, refuse_inputs
from sudoku_cp.questions.answer import RAN_OUT, YES
from sudoku_cp.questions.generate import GenerateQuestion
from sudoku_cp.render import draw

MOST_DRAWN = 4
"""Puzzles that are drawn on a terminal at most; more are a line each."""


def generate(
    *,
    question: GenerateQuestion = GenerateQuestion(),
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Write this format (see 'sudoku-cp formats').",
            show_default=False,
            autocompletion=complete_format_written,
        ),
    ] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Write a picture to FILE.svg too, the second to FILE-2.svg.")
    ] = None,
    words: Words = False,
    certificates: Annotated[
        bool, typer.Option("--certificates", help="Write a certificate of each: into FILE.certificates, or ./certificates.")
    ] = False,
    certificates_to: Annotated[str | None, typer.Option(metavar="FOLDER", help="Write certificates into this folder.")] = None,
    shard: Annotated[str, typer.Option(metavar="PART/PARTS", help="Make one part of the run: 1/4 to 4/4.")] = "1/1",
    batch_options: BatchOptions = BatchOptions(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Generate puzzles."""
    from sudoku_cp.batch.generate_run import check_expressible, problems_of_run  # noqa: PLC0415  # numpy, not for --help

    out = batch_options.out
    typed_levels, question = question.levels, with_levels_read(question)
    contradictions = batch_options.contradictions({"--json": as_json, "--ascii": ascii_only}) | {
        "--shard needs --out FILE": shard != "1/1" and out is None,
        "--words needs --svg FILE": words and svg is None,
        "--to FORMAT cannot be combined with --json": to is not None and as_json,
        "expected a folder after --certificates-to, got ''": certificates_to == "",
        **no_folder("--certificates-to", certificates_to),
    }
    problems = Problems()
    problems.read(lambda: refuse_contradictions(contradictions), None)
    folder = certificates_to or (f"{out}.certificates" if out else "certificates") * certificates
    limits = problems.read(lambda: Limits(question.timeout), UNLIMITED, of="timeout")
    problems.read(lambda: Limits(question.stop_after), UNLIMITED, of="stop_after")
    extras = SideOutputs(
        Path(svg) if svg else None,
        Path(folder) if folder else None,
        limits,
        force=batch_options.force or batch_options.resume,
        captions=words,
    )
    problems.read(extras.check, None)
    count = question.puzzle_count
    names = question.find_levels().names
    problems.read(lambda: check_total(question.difficulty, count, "count", names), None, of="difficulty")
    run: dict[str, Any] = {"seed": question.seed, "prove": question.cross_check, "shard": shard, "to": to}
    found = problems_of_run(count, None if out in {None, "-"} else Path(str(out)), **run, workers=batch_options.workers)
    problems.found += InvalidInput(found).renamed({"number": "count", "prove": "cross_check"}).problems
    problems.read(lambda: _refuse_to_overwrite(out, svg, question.pattern, typed_levels), None)
    request = question.request(problems, read_typed_pattern)
    if out is not None:
        return generate_to_file(count, batch_options, request, extras, limits, quiet=quiet, stop_after=question.stop_after, **run)
    if to is not None:
        check_expressible(request, to)
    printer = _PuzzlePrinter(to, ascii_only=ascii_only, as_json=as_json)
    seconds, share = Limits(question.stop_after).seconds, check_share(question.cross_check)
    new = _Run(request, choose_seed(question.seed), count, share, question.timeout, seconds, extras, quiet=quiet)
    return new.print_all(printer)


def _refuse_to_overwrite(out: str | None, svg: str | None, *inputs: str | None) -> None:
    """Refuse outputs that are an input (the pattern, the levels) or each other."""
    from sudoku_cp.batch.generate_run import output_paths_of_run  # noqa: PLC0415  # with arrays, as above

    files = output_paths_of_run(out) if out else ()
    pictures = existing_numbered_paths(Path(svg)) if svg else []
    refuse_inputs([*files, *pictures], [one for one in inputs if one and is_file(one)])
    if svg and any(realpath(path) == realpath(svg) for path in files):  # unlike `resolve`, takes links in a circle
        raise InvalidInput(f"--svg: expected a file of its own, got {svg}, which --out writes")


class _PuzzlePrinter:
    """Prints puzzles on standard output: drawn, a line each, as JSON, or in a format."""

    def __init__(self, to: str | None, *, ascii_only: bool, as_json: bool) -> None:
        """Print in the format ``to``, None for lines or drawings."""
        self.to, self._as_json = to, as_json
        self._look = output.look_of(ascii_only=ascii_only)

    def add(self, index: int, part: ProvedPuzzles, run: _Run) -> None:
        """Print puzzles and flush them."""
        if sys.stdout.isatty() and run.count <= MOST_DRAWN and not self._as_json:
            for place, (made, _) in enumerate(part.each(), index):
                output.print_text(("\n" if place else "") + draw(made.puzzle, self._look))
        else:
            from sudoku_cp.batch.rows.generated_format import GeneratedFormat  # noqa: PLC0415  # with arrays, as above

            row_format = GeneratedFormat("jsonl" if self._as_json else "text", run.seed, run.request)
            with stream_for_programs() as stream:
                stream.write(row_format.format(part, index).decode())
        sys.stdout.flush()


@dataclass
class _Run:
    """A run that writes no file: what to generate, how much of it, its limits in seconds; and its results."""

    request: GenerateRequest
    seed: int
    count: int
    share: float
    timeout: float | None
    stop_after: float | None
    extras: SideOutputs
    quiet: bool
    puzzles: int = 0
    printed: int = 0
    tries: int = 0
    exit_code: int = YES
    cut: LimitReached | None = None

    def __post_init__(self) -> None:
        """Start the clock."""
        self._start = perf_counter()
        self._shortfalls = shortfall_remarks(quiet=self.quiet)

    def print_all(self, printer: _PuzzlePrinter) -> int:
        """Generate puzzles in this process, print them, and return the exit code."""
        try:
            if printer.to is not None:
                with stream_for_programs() as stream:
                    write_puzzles((made.puzzle for part in self.parts() for made, _ in part.each()), stream, format=printer.to)
            else:
                for part in self.parts():
                    printer.add(self.puzzles - len(part), part, self)
        except KeyboardInterrupt:
            self._shortfalls.end()
            output.remark(f"sudoku-cp: at least {self.printed:,} of {self.count:,} puzzles are written; --seed {self.seed}")
            raise
        self._report()
        return self.exit_code

    def parts(self) -> Iterator[ProvedPuzzles]:
        """Yield the puzzles as they come; a limit ends them."""
        from sudoku_cp.generate.chunks import cancel_after, generate_in_chunks  # noqa: PLC0415  # with arrays, as above

        try:
            with ProgressBar(self.count, quiet=self.quiet) as bar, cancel_after(self.stop_after) as cancel:
                generator = make_generator(self.request, self.seed)
                for part in generate_in_chunks(generator, self.seed, self.count, self.share, Limits(self.timeout, cancel=cancel)):
                    self.puzzles += len(part)
                    self.tries += part.tries
                    bar.show(self.puzzles, self.puzzles, format_yield(self.puzzles, self.tries))
                    self.extras.add(self.puzzles - len(part), part)
                    self._report_shortfalls(part)
                    yield part
                    self.printed = self.puzzles
        except LimitReached as reached:
            self.cut, self.exit_code = reached, RAN_OUT

    def _report_shortfalls(self, part: ProvedPuzzles) -> None:
        for made in shortfalls(part):
            self.exit_code = RAN_OUT
            self._shortfalls.add(format_shortfall(made))

    def _report(self) -> None:
        """Print the summary."""
        self._shortfalls.end()
        if self.cut is not None:
            why = "stopped by --stop-after" if self.cut.reason == "cancelled" else str(self.cut)
            output.remark(f"sudoku-cp: {self.puzzles:,} of {self.count:,} puzzles were found: {why}")
        if not self.quiet:
            seconds = perf_counter() - self._start
            output.remark(format_summary(self.puzzles, self.tries, seconds) + f"; --seed {self.seed}")


# ``generate --out``: puzzles by the million into a file.


def generate_to_file(
    count: int, options: BatchOptions, request: GenerateRequest, extras: SideOutputs, limits: Limits, *, quiet: bool, **run: Any
) -> int:
    """Generate puzzles into the file and return the exit code."""
    out = str(options.out)
    remarks = shortfall_remarks(quiet=quiet)
    with remarks_of_run(remarks, out, quiet=quiet), ProgressBar(count, quiet=quiet) as bar:

        def progress(done: batch.Progress) -> None:
            bar.show(done.records - done.before, done.records, format_yield(done.records, done.tries))

        def add_part(index: int, part: ProvedPuzzles) -> None:
            extras.add(index, part)
            for one in shortfalls(part):
                remarks.add(format_shortfall(one))

        outcome = batch.generate_files(
            count,
            out,
            request=request,
            limits=limits,
            workers=options.workers,
            cluster=options.cluster,
            resume=options.resume,
            force=options.force,
            callbacks=batch.Callbacks(progress, generated=add_part),
            **run,
        )
    _print_summary(out, count, outcome, quiet=quiet)
    return RAN_OUT if outcome.limit_reached or outcome.counts["limited"] else YES


def _print_summary(out: str, count: int, outcome: batch.RunSummary, *, quiet: bool) -> None:
    if outcome.already:
        if not quiet:
            remark(f"already finished: {outcome.records:,} puzzles in {out}")
        return
    if outcome.limit_reached is not None:
        remark(f"sudoku-cp: {outcome.records:,} of {count:,} puzzles were found: {outcome.limit_reached}")
        print_resume_hint(out, quiet=quiet)
    if not quiet and outcome.records:
        earlier = f", {outcome.before:,} of them done before" if outcome.before else ""
        fresh = outcome.records - outcome.before
        summary = format_summary(fresh, fresh, outcome.seconds) + format_yield(outcome.records, outcome.counts["tries"])
        remark(f"{outcome.records:,} in {out}{earlier}; {summary}; seed and all else in {manifest_path(Path(out))}")
