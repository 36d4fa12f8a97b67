"""The call that makes puzzles into a file."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp import __version__
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.batch import manifest
from sudoku_cp.batch.execution.journal import journal_of, stamp_of
from sudoku_cp.batch.execution.worker_pool import cores
from sudoku_cp.batch.generate_run import Generating, Listening, Outcome, Shard
from sudoku_cp.batch.generate_tasks import Making
from sudoku_cp.batch.rows.generated_format import Telling
from sudoku_cp.batch.rows.run_output import KINDS, Output, kind_of
from sudoku_cp.batch.seen_keys import beside
from sudoku_cp.errors import InvalidInput, UnknownName, expect
from sudoku_cp.formats import FORMATS, read_puzzles, write_puzzles
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.formats.sources import ENDINGS
from sudoku_cp.generate.base import Wishes
from sudoku_cp.generate.difficulty_mix import checked_total
from sudoku_cp.generate.making import checked_number, checked_share, some_seed
from sudoku_cp.generate.wishing import Problems, wishes_of
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.batch.rows.run_output import Turn

LONG = 40
"""A part of a run is told in fewer signs."""


@checked
def generate_files(
    number: int,
    out: str | Path,
    *,
    seed: int | None = None,
    wishes: Wishes | None = None,
    prove: bool | float = True,
    limits: Limits = UNLIMITED,
    stop_after: float | None = None,
    shard: str = "1/1",
    to: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    force: bool = False,
    listening: Listening | None = None,
    **wished: Any,
) -> Outcome:
    """Make ``number`` puzzles and write them to ``out``, with a manifest beside it.

    The ending of ``out`` says what is written, or the name of a format (``to``). Wishes are those of `generate`, by name, or
    ``wishes``. The seconds of ``limits`` are each puzzle's, ``stop_after`` those of the whole run; a `Cancellation` in
    ``limits`` ends it. ``shard`` is ``2/4`` for the second of four parts of the run. ``workers``, ``cluster``, ``resume`` and
    ``force`` are as in `solve_files`. Seed and wishes say what is written, to the byte: not the number of workers, nor how
    often it was stopped.

    Raises `InvalidInput` where that can never be or the output cannot be written, and `LimitReached` when cancelled; a limit that
    came first is told in the outcome, and what was found till then is written.
    """
    run: dict[str, Any] = {"seed": seed, "prove": prove, "shard": shard, "to": to, "workers": workers}
    problems = Problems()
    path: Path | None = problems.read(lambda: Path(expect("an output as a path", str | Path, out)), None)  # type: ignore[arg-type]
    problems.found += run_problems(number, path, **run, limits=limits, stop_after=stop_after)
    asked = problems.read(lambda: _wishes(wishes, wished), Wishes())
    problems.read(lambda: checked_total(str(asked.mix) if asked.mix else wished.get("difficulty"), number), None)
    problems.end()
    assert path is not None  # noqa: S101  # or there would be a problem
    kind, packing, turn = kind_of_made(path, to)
    if isinstance(turn, ToFormat):
        check_said(asked, turn.name)
    known = (stamp_of(path) or manifest.read_manifest(path)) if resume and seed is None else None
    making = Making(asked, some_seed(known["seed"] if known else seed), number, checked_share(prove), limits.seconds)
    part = parse_shard(shard)
    output = Output(path, turn)
    output.check_whole()
    manifest.check_free(path)
    with ExitStack() as stack:
        telling = Telling(kind, making.seed, asked)
        running = Generating(output, making, part, telling, packing, listening or Listening())
        stack.callback(running.close)
        wanted = manifest.asked(making, part, to)
        stamp = {"version": __version__, **wanted, "output": path.suffixes}
        running.keeper.look(stamp, resume=resume, force=force, whole=lambda: manifest.puzzles_in(path, wanted))
        last = partial(manifest.write_manifest, path, making, part, to)
        return running.through(workers or cores(), cluster, Limits(stop_after, cancel=limits.cancel), last)


def run_problems(
    number: int,
    out: Path | None,
    *,
    seed: int | None,
    prove: float,
    shard: str,
    to: str | None,
    workers: int | None,
    limits: Limits = UNLIMITED,
    stop_after: float | None = None,
) -> list[str]:
    """Return everything that is wrong with a run, but for its wishes; one without ``out`` writes no file."""
    problems = Problems()
    problems.read(lambda: checked_number(number), None)
    if out is not None:
        problems.read(lambda: _writable(out, to), None)
    elif to is not None:
        problems.read(lambda: format_to_write(to), None)
    problems.read(lambda: some_seed(seed), 0)
    problems.read(lambda: checked_share(prove), 0.0)
    problems.read(lambda: parse_shard(shard), None)
    problems.read(lambda: Limits(stop_after), limits, of="stop_after")
    if workers is not None:
        problems.read(lambda: _some(workers), None)
    return problems.found


def _some(workers: int) -> None:
    if workers < 1:
        raise InvalidInput(f"expected 1 worker or more, got {workers!r}")


def _writable(path: Path, to: str | None) -> None:
    """Refuse at once a place where nothing can be written, and a name that says no format."""
    problems = Problems()
    if path.is_dir():
        problems.found.append(f"expected a file to write, got the folder {path}")
    elif not path.parent.is_dir():
        problems.found.append(f"expected an output in a folder that is there, got {path}")
    if to is not None or not path.is_dir():
        problems.read(lambda: kind_of_made(path, to), None)
    problems.end()


def files_of_run(out: str | Path) -> tuple[Path, ...]:
    """Return every file that a run may write for this output, whatever is written into it."""
    path = Path(out)
    data = {file for turn in (None, _to_parquet) for file in Output(path, turn).files}
    return (*data, journal_of(path), beside(path), manifest.manifest_of(path))


def _wishes(wishes: Wishes | None, wished: dict[str, Any]) -> Wishes:
    known = signature(wishes_of).parameters
    if strange := [name for name in wished if name not in known]:
        raise UnknownName("wish", strange[0], known)
    if wishes is not None and wished:
        raise InvalidInput(f"expected wishes as one object or by name, got both: {', '.join(wished)}")
    return wishes_of(**wished) if wishes is None else expect("wishes as Wishes", Wishes, wishes)


def parse_shard(text: str) -> Shard:
    """Return the part of a run that ``2/4`` means: the second of four."""
    first, slash, second = expect("a part of the run as a text", str, text).partition("/")
    if not (slash and len(text) <= LONG and first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
        raise InvalidInput(f"expected a part of the run such as 2/4, from 1/4 to 4/4, got {text!r:.40}")
    return Shard(int(first) - 1, int(second))


# --- what is written --------------------------------------------------------------------------------------------


def kind_of_made(path: Path, to: str | None) -> tuple[str, str, Turn | None]:
    """Return how puzzles are told while the run lasts, what packs them, and what makes the output of them at its end.

    Raises `InvalidInput` for a name that does not say it.
    """
    if to is None and _bare(path).suffix.lower() in KINDS:
        kind, packing = kind_of(path)
        return kind, packing, _to_parquet if kind == "parquet" else None
    name = format_to_write(to or _format_of(path)).name
    return "json", "", ToFormat(name)


def check_said(wishes: Wishes, name: str) -> None:
    """Raise `Unsupported` for boards that the format of that name cannot say; of clues to come only the first puzzle tells."""
    write_puzzles([Puzzle(wishes.grid, wishes.rules)], StringIO(), name)


def _bare(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in ENDINGS else path


def _format_of(path: Path) -> str:
    """Return the format whose files end as this one does."""
    ending = _bare(path).suffix.lower()
    found = [name for name, one in FORMATS.items() if one.write and ending in one.extensions]
    found.sort(key=lambda name: ending != f".{name}")
    if not found:
        kinds = ", ".join(KINDS)
        raise InvalidInput(f"expected an output that ends in {kinds} or as the files of a format do, got {path.name!r}")
    return found[0]


def _to_parquet(waiting: Path, target: Path) -> None:
    from sudoku_cp.batch.rows import arrow_rows  # noqa: PLC0415  # few need it

    arrow_rows.to_parquet(waiting, target, arrow_rows.made_schema())


@dataclass(frozen=True)
class ToFormat:
    """Writes the puzzles that wait, our documents a line each, in another format, packed as the target's ending says."""

    name: str

    def __call__(self, waiting: Path, target: Path) -> None:
        """Write them."""
        write_puzzles(read_puzzles(waiting, format="json") if waiting.stat().st_size else (), target, format=self.name)
