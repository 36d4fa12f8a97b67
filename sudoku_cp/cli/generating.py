"""The verb ``generate``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.batch.side_outputs import SideOutputs
from sudoku_cp.cli import output
from sudoku_cp.cli.batching import Filing
from sudoku_cp.cli.completions import (
    complete_difficulty,
    complete_format_written,
    complete_rules_to_generate,
    complete_style,
    complete_symmetry,
)
from sudoku_cp.cli.inputs import is_file
from sudoku_cp.cli.made_words import ended_told, limited, missed_told, yield_told
from sudoku_cp.cli.options import (
    Ascii,
    ClusterAddress,
    Force,
    Json,
    Out,
    Quiet,
    Resume,
    Words,
    Workers,
)
from sudoku_cp.cli.progress import Bar
from sudoku_cp.cli.remarks import missed
from sudoku_cp.cli.streams import stream_for_programs
from sudoku_cp.cli.wished import Given, wishes_given
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.formats import write_puzzles
from sudoku_cp.generate.difficulty_mix import checked_total, total_of
from sudoku_cp.generate.making import checked_share, maker_of, some_seed
from sudoku_cp.generate.wishing import Problems
from sudoku_cp.output_files import all_numbered, refuse_inputs
from sudoku_cp.render import draw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.generate import Wishes
    from sudoku_cp.generate.portions import Proved

DRAWN = 4
"""So many puzzles at most are drawn for people on a terminal; more are a line each."""


def generate(
    *,
    number: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            metavar="NUMBER",
            min=1,
            help="How many puzzles.",
            show_default="1, or as --difficulty counts",
        ),
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="SIDE", help="The side of the board, such as 16; or ROWSxCOLUMNS.", show_default="9")
    ] = "",
    boxes: Annotated[
        str | None, typer.Option(metavar="HEIGHTxWIDTH", help="The boxes, such as 3x2 at 6; 'none' for no boxes.")
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Rules of the whole board (diagonals), kinds of clues (killer, thermo), jigsaw, with commas; or JSON.",
            autocompletion=complete_rules_to_generate,
        ),
    ] = "",
    style: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="How clues look together: usual, sparse, rich, symmetric.", autocompletion=complete_style
        ),
    ] = "",
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="easy (hidden singles solve it), medium (naked ones too), hard (singles do not); several: easy,hard;"
            " or so many of each: easy:50,hard:50.",
            autocompletion=complete_difficulty,
        ),
    ] = None,
    guesses: Annotated[
        str | None, typer.Option(metavar="MIN..MAX", help="How many guesses the reference search takes: 2..5, 3.., or 0.")
    ] = None,
    givens: Annotated[str | None, typer.Option(metavar="MIN..MAX", help="How many givens: 24, 22..25, ..22.")] = None,
    singles_only: Annotated[bool, typer.Option("--singles-only", help="Singles alone are to solve it.")] = False,
    symmetry: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Where givens stand: rot180, rot90, mirror, diagonal, mirrors, diagonals, full.",
            autocompletion=complete_symmetry,
        ),
    ] = "none",
    pattern: Annotated[
        str | None, typer.Option(metavar="FILE", help="The cells given: a file or a text, # for given and . for blank cells.")
    ] = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="No given, and no clue, can be left out.")] = False,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="The same puzzles again.", show_default="of chance")] = None,
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
        bool, typer.Option("--certificates", help="Write a certificate of each: into FILE.certificates, or certificates/ here.")
    ] = False,
    certificates_to: Annotated[str | None, typer.Option(metavar="FOLDER", help="Write certificates into this folder.")] = None,
    cross_check: Annotated[
        float, typer.Option(metavar="SHARE", help="Prove only this share by another engine: 0.01, say.", min=0, max=1)
    ] = 1.0,
    shard: Annotated[str, typer.Option(metavar="PART/PARTS", help="Make a part of the run only: 1/4 to 4/4.")] = "1/1",
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, help="Give up when no puzzle came for so many seconds.", show_default=False),
    ] = None,
    stop_after: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="End the whole run after so many seconds.", show_default=False)
    ] = None,
    out: Out = None,
    resume: Resume = False,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Make new puzzles, each proved to have one solution, none twice; the same again for the same seed.

    The exit code is 3 where a limit came first: what was found is kept.
    """
    # With arrays, which the help of all verbs need not load.
    from sudoku_cp.batch.generate_output import check_expressible  # noqa: PLC0415
    from sudoku_cp.batch.generate_run import run_problems  # noqa: PLC0415

    given = Given(
        size, boxes, rules, style, difficulty, guesses, givens, singles_only=singles_only, symmetry=symmetry, pattern=pattern,
        minimal=minimal,
    )  # fmt: skip
    filing = Filing(out, resume, force, workers, cluster)
    others = {"--json": as_json, "--ascii": ascii_only}
    contradictions = filing.contradictions(others) | {
        "--shard with --out FILE, got it alone": shard != "1/1" and out is None,
        "--words with --svg FILE, got it alone": words and svg is None,
        "--to FORMAT without --json, got both": to is not None and as_json,
        "a folder behind --certificates-to, got ''": certificates_to == "",
    }
    problems = Problems(f"expected {words}" for words, wrong in contradictions.items() if wrong)
    folder = certificates_to or (f"{out}.certificates" if out else "certificates") * certificates
    limits = problems.read(lambda: Limits(timeout), UNLIMITED, of="--timeout")
    problems.read(lambda: Limits(stop_after), UNLIMITED, of="--stop-after")
    extras = SideOutputs(
        Path(svg) if svg else None, Path(folder) if folder else None, limits, force=force or resume, captions=words
    )
    problems.read(extras.check, None)
    count = number or total_of(difficulty) or 1
    problems.read(lambda: checked_total(difficulty, count), None, of="--difficulty")
    run: dict[str, Any] = {"seed": seed, "prove": cross_check, "shard": shard, "to": to}
    problems.found += run_problems(count, None if out is None else Path(out), **run, workers=workers)
    problems.read(lambda: _refuse_to_overwrite(out, svg, pattern), None)
    wishes = wishes_given(given, problems)
    if out is not None:
        from sudoku_cp.cli.making import make_to_file  # noqa: PLC0415  # most calls write no file

        return make_to_file(count, filing, wishes, extras, limits, quiet=quiet, stop_after=stop_after, **run)
    if to is not None:
        check_expressible(wishes, to)
    shown = _Shown(to, ascii_only=ascii_only, as_json=as_json)
    order = _Order(wishes, some_seed(seed), count, checked_share(cross_check), timeout, Limits(stop_after).seconds)
    return _make(order, shown, extras, quiet=quiet)


def _refuse_to_overwrite(out: str | None, svg: str | None, pattern: str | None) -> None:
    """Refuse outputs that are the pattern or each other."""
    from sudoku_cp.batch.generate_output import run_files  # noqa: PLC0415  # with arrays, as above

    files = run_files(out) if out else ()
    pictures = all_numbered(Path(svg)) if svg else []
    refuse_inputs([*files, *pictures], [pattern] if pattern and is_file(pattern) else [])
    if svg and any(path.resolve() == Path(svg).resolve() for path in files):
        raise InvalidInput(f"--svg: expected a file of its own, got {svg}, which --out writes")


@dataclass(frozen=True)
class _Order:
    """What is to be made."""

    wishes: Wishes
    seed: int
    count: int
    share: float
    timeout: float | None
    stop_after: float | None


class _Shown:
    """Shows puzzles on standard output: drawn, a line each, as JSON, or in a format."""

    def __init__(self, to: str | None, *, ascii_only: bool, as_json: bool) -> None:
        """Show in the format ``to``, None for lines or pictures."""
        self.to, self._as_json = to, as_json
        self._look = output.look_of(ascii_only=ascii_only)

    def add(self, index: int, part: Proved, order: _Order) -> None:
        """Show puzzles, and let them go at once."""
        if sys.stdout.isatty() and order.count <= DRAWN and not self._as_json:
            for place, (made, _) in enumerate(part.each(), index):
                output.say("\n" * bool(place) + draw(made.puzzle, self._look))
        else:
            from sudoku_cp.batch.rows.generated_format import GeneratedFormat  # noqa: PLC0415  # with arrays, as above

            telling = GeneratedFormat("jsonl" if self._as_json else "text", order.seed, order.wishes)
            with stream_for_programs() as stream:
                stream.write(telling.format(part, index).decode())
        sys.stdout.flush()


def _make(order: _Order, shown: _Shown, extras: SideOutputs, *, quiet: bool) -> int:
    """Make puzzles here, show them, and return the exit code."""
    found = _Found(order, extras, quiet=quiet)
    try:
        if shown.to is not None:
            with stream_for_programs() as stream:
                write_puzzles((made.puzzle for part in found.parts() for made, _ in part.each()), stream, format=shown.to)
        else:
            for part in found.parts():
                shown.add(found.puzzles - len(part), part, order)
    except KeyboardInterrupt:
        found.say_interrupted()
        raise
    found.say()
    return found.code


class _Found:
    """The puzzles of a call that writes no file, and what is to be said of them."""

    def __init__(self, order: _Order, extras: SideOutputs, *, quiet: bool) -> None:
        self._order, self._extras, self._quiet = order, extras, quiet
        self._start = perf_counter()
        self._missed = missed(quiet=quiet)
        self.puzzles = self.shown = self._tries = 0
        self.code = output.YES
        self._cut: LimitReached | None = None

    def parts(self) -> Iterator[Proved]:
        """Yield the puzzles as they come; a limit ends them."""
        from sudoku_cp.generate.portions import over_after, series  # noqa: PLC0415  # with arrays, as above

        order = self._order
        try:
            with Bar(order.count, quiet=self._quiet) as bar, over_after(order.stop_after) as cancel:
                maker = maker_of(order.wishes, order.seed)
                for part in series(maker, order.seed, order.count, order.share, Limits(order.timeout, cancel=cancel)):
                    self.puzzles += len(part)
                    self._tries += part.tries
                    bar.show(self.puzzles, self.puzzles, yield_told(self.puzzles, self._tries))
                    self._extras.add(self.puzzles - len(part), part)
                    self._warn(part)
                    yield part
                    self.shown = self.puzzles
        except LimitReached as reached:
            self._cut, self.code = reached, output.RAN_OUT

    def _warn(self, part: Proved) -> None:
        for made in limited(part):
            self.code = output.RAN_OUT
            self._missed.add(missed_told(made))

    def say_interrupted(self) -> None:
        """Say how many puzzles are sure to have been written."""
        order = self._order
        self._missed.end()
        output.remark(f"sudoku-cp: at least {self.shown:,} of {order.count:,} puzzles are written; --seed {order.seed}")

    def say(self) -> None:
        """Say how it went."""
        self._missed.end()
        if self._cut is not None:
            why = "stopped by --stop-after" if self._cut.reason == "cancelled" else str(self._cut)
            output.remark(f"sudoku-cp: {self.puzzles:,} of {self._order.count:,} puzzles were found: {why}")
        if not self._quiet:
            seconds = perf_counter() - self._start
            output.remark(ended_told(self.puzzles, self._tries, seconds) + f"; --seed {self._order.seed}")
