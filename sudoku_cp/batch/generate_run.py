"""Generating puzzles by the million into a file: on every core, none twice, proved."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from io import StringIO
from pathlib import Path
from threading import local
from time import time
from typing import TYPE_CHECKING, Any

from sudoku_cp import __version__
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Cancellation, Limits
from sudoku_cp.batch.file_run import Callbacks, FileRun, RunSummary, SeenKeysFile, check_workers, seen_keys_path
from sudoku_cp.batch.journal import journal_path, unfinished_fingerprint
from sudoku_cp.batch.rows.generated_format import GeneratedFormat
from sudoku_cp.batch.rows.run_output import KINDS, Conversion, RunOutput, compress, parse_output_name
from sudoku_cp.errors import BackendFailed, InvalidInput, LimitReached, UnknownName, Unsupported, of_option, require_type
from sudoku_cp.formats import FORMATS, format_to_write, read_puzzles, write_puzzles
from sudoku_cp.formats.text_files import ENDINGS
from sudoku_cp.generate import GenerateRequest
from sudoku_cp.generate.api import check_count, check_share, choose_seed, is_plain, make_generator
from sudoku_cp.generate.chunks import ChunkSize, GeneratedChunk, ProvedPuzzles, RepeatFilter, cancel_after, generate_chunk
from sudoku_cp.generate.cross_proofs import SMALL
from sudoku_cp.generate.difficulty_mix import check_total
from sudoku_cp.generate.request_parsing import Problems, parse_request, request_to_json
from sudoku_cp.output_files import write_text
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.time_limits import time_without_loading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sudoku_cp.generate import Generator


# The task of a run that generates: numbers go out to workers, puzzles come back. Also the shards of a run.


FEW, RARE = 5000, 0.1
"""Up to this many large plain boards, or this share of them, are proved in threads; more are worth processes."""
REMOTE_CHUNK_NUMBERS = 100
"""Numbers sent to a cluster at a time."""
MAX_SHARD_TEXT = 40
"""Characters that name a shard, at most."""


@dataclass(frozen=True)
class Shard:
    """Every ``of``-th number from ``index`` (from 0) on: one part of a run whose other parts are generated elsewhere."""

    index: int = 0
    of: int = 1

    def __str__(self) -> str:
        """Return ``2/4`` for the second of four."""
        return f"{self.index + 1}/{self.of}"

    def share(self, count: int) -> int:
        """Return how many of ``count`` puzzles are in this shard."""
        return len(range(self.index, count, self.of))

    def numbers(self, start: int, stop: int) -> range:
        """Return the numbers of this shard from its own ``start`` to before its ``stop``, counted from 0."""
        return range(self.index + start * self.of, self.index + stop * self.of, self.of)


def parse_shard(text: str) -> Shard:
    """Return the shard that ``2/4`` names: the second of four."""
    first, slash, second = require_type("a part of the run as a text", str, text).partition("/")
    short = len(text) <= MAX_SHARD_TEXT
    if not (slash and short and first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second)):
        raise InvalidInput(f"expected a part of the run such as 2/4, from 1/4 to 4/4, got {text!r:.40}")
    return Shard(int(first) - 1, int(second))


@dataclass(frozen=True)
class NumberRange:
    """Numbers of puzzles to generate ``until`` a time of the day (None: however long it takes), ``local`` or anywhere."""

    numbers: range
    until: float | None = None
    local: bool = False

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self.numbers)

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[NumberRange]:
        """Yield the numbers of each span (start, stop)."""
        return (replace(self, numbers=self.numbers[start:stop]) for start, stop in spans)


@dataclass(frozen=True)
class GenerateTask:
    """Generates ``count`` puzzles of a seed, for this request, and proves a ``share`` of them; see `ChunkTask`.

    ``seconds`` are for each puzzle.
    """

    request: GenerateRequest
    seed: int
    count: int
    share: float
    seconds: float | None = None

    def run(self, chunk: NumberRange, cancel: Cancellation | None = None) -> GeneratedChunk:
        """Return those puzzles of these numbers that are done when time runs out or a cancellation comes."""
        if cancel is not None or chunk.until is None:
            return generate_chunk(self.generator(), self.seed, chunk.numbers, self.share, Limits(self.seconds, cancel=cancel))
        with cancel_after(chunk.until - time()) as over:
            return self.run(chunk, over)

    def generator(self) -> Generator:
        """Return this thread's own generator."""
        key = self.request, self.seed
        known: tuple[object, Generator] | None = getattr(_of_thread, "known", None)
        if known is None or known[0] != key:
            known = _of_thread.known = key, make_generator(*key)
        return known[1]

    @cached_property
    def is_light(self) -> bool:
        """Whether processes are not worth starting: for one puzzle, or if kernels generate and prove, or have little to prove."""
        quick = is_plain(self.request) and not self.request.is_rated
        proves_arrays = len(self.request.grid.cells) <= SMALL
        return self.count == 1 or (quick and (proves_arrays or self.count <= FEW or self.share <= RARE))

    def runs_in_thread(self, chunk: NumberRange) -> bool:
        """Return whether puzzles are generated in this process."""
        return chunk.local or self.is_light

    def chunk_size(self, chunk: NumberRange, *, remote: bool) -> int:
        """Return how many numbers are sent at a time: all to another process, few to another machine."""
        return min(len(chunk), REMOTE_CHUNK_NUMBERS) if remote else len(chunk)

    def result_after_loss(self, chunk: NumberRange) -> GeneratedChunk:
        """Raise `BackendFailed`: no other puzzle can stand in for one that kills every worker."""
        raise BackendFailed(f"expected puzzle {chunk.numbers[0]}, but every worker that was asked to make it ended")


_of_thread = local()


GRACE = 0.3
"""Seconds in which workers may hand over what they have, once the time for the whole run is over."""
SOON, BRIEF = 1.0, 5.0
"""If the kernel generates the puzzles, no processes are started in the first `SOON` seconds, nor at all in a run of less than
`BRIEF` seconds: they would hardly have begun."""


@checked
def generate_files(
    number: int,
    out: str | Path,
    *,
    seed: int | None = None,
    request: GenerateRequest | None = None,
    prove: bool | float = True,
    limits: Limits = UNLIMITED,
    stop_after: float | None = None,
    shard: str = "1/1",
    to: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    force: bool = False,
    callbacks: Callbacks | None = None,
    **options: Any,
) -> RunSummary:
    """Generate ``number`` puzzles and write them to ``out``, with a manifest next to it.

    The ending of ``out`` decides what is written, or the name of a format (``to``). ``options`` are those of `generate`; a
    ``request`` takes their place. The seconds of ``limits`` are for each puzzle, ``stop_after`` for the whole run; a
    `Cancellation` in ``limits`` ends it. ``shard`` is ``2/4`` for the second of four parts of the run. ``workers``, ``cluster``,
    ``resume`` and ``force`` are as in `solve_files`. Seed and request determine what is written, to the byte, whatever the number
    of workers and however often the run was stopped.

    Raises `InvalidInput` for requests that cannot be fulfilled and outputs that cannot be written, and `LimitReached` when
    cancelled. Any other limit is reported in the summary, and the puzzles found until then are written.
    """
    run: dict[str, Any] = {"seed": seed, "prove": prove, "shard": shard, "to": to, "workers": workers}
    problems = Problems()
    path: Path | None = problems.read(lambda: Path(require_type("an output as a path", str | Path, out)), None)  # type: ignore[arg-type]
    problems.found += problems_of_run(number, path, **run, limits=limits, stop_after=stop_after)
    request = problems.read(lambda: _make_request(request, options), GenerateRequest())
    stated = str(request.mix) if request.mix else options.get("difficulty")
    problems.read(lambda: check_total(stated, number, names=request.levels.names), None, of="difficulty")
    problems.end()
    assert path is not None  # noqa: S101  # or there would be a problem
    known = (unfinished_fingerprint(path) or read_manifest(path)) if resume and seed is None else None
    task = GenerateTask(request, choose_seed(known["seed"] if known else seed), number, check_share(prove), limits.seconds)
    part = parse_shard(shard)
    with closing(GenerateRun(path, task, part, to, stop_after, callbacks)) as generating:
        stamp = {"version": __version__, **run_parameters(task, part, to), "output": path.suffixes}
        generating.prepare(stamp, resume=resume, force=force)
        return generating.run(workers, cluster, limits.cancel)


def problems_of_run(
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
    """Return everything that is wrong with a run, except for its request; without ``out`` it writes no file."""
    problems = Problems()
    problems.read(lambda: check_count(number), None, of="number")
    if out is not None:
        problems.read(lambda: check_output(out, to), None, of="out")
    elif to is not None:
        problems.read(lambda: format_to_write(to), None, of="to")
    problems.read(lambda: choose_seed(seed), 0, of="seed")
    problems.read(lambda: check_share(prove), 0.0, of="prove")
    problems.read(lambda: parse_shard(shard), None, of="shard")
    problems.read(lambda: Limits(stop_after), limits, of="stop_after")
    problems.read(lambda: check_workers(workers), None, of="workers")
    return problems.found


def _make_request(request: GenerateRequest | None, options: dict[str, Any]) -> GenerateRequest:
    known = signature(parse_request).parameters
    if strange := [name for name in options if name not in known]:
        raise UnknownName("option", strange[0], known)
    if request is not None and options:
        raise InvalidInput(f"expected a request as one object or by name, got both: {', '.join(options)}")
    return parse_request(**options) if request is None else require_type("a request as GenerateRequest", GenerateRequest, request)


class GenerateRun(FileRun[NumberRange, GeneratedChunk]):
    """A run that generates."""

    def __init__(
        self, path: Path, task: GenerateTask, shard: Shard, to: str | None, seconds: float | None, callbacks: Callbacks | None
    ) -> None:
        """Lock the journal of the output at ``path``, in the format ``to``; ``seconds`` are for the whole run."""
        kind, self._compressor, convert = parse_generated_output(path, to)
        if isinstance(convert, FormatConverter):
            check_expressible(task.request, convert.name)
        output = RunOutput(path, convert)
        output.check_replaceable()
        check_free(path)
        super().__init__(output, callbacks or Callbacks())
        self._task, self._shard, self._to = task, shard, to
        self._format = GeneratedFormat(kind, task.seed, task.request)
        self._wanted = shard.share(task.count)
        self._seconds = Limits(seconds).seconds
        self._until: float | None = None
        self._start = self._last_new = time_without_loading()
        self._is_first_round = True
        self._keys = SeenKeysFile(path)
        self._sieve = RepeatFilter(task.generator(), Limits(cancel=self._cancel), shard.numbers(0, self._wanted))
        self._size = ChunkSize(task.generator().chunk_size)

    def _records_if_whole(self) -> int | None:
        parameters = run_parameters(self._task, self._shard, self._to)
        return puzzles_in(self._output.output.path, parameters)

    def _begin(self) -> GenerateTask:
        self._until = None if self._seconds is None else time_without_loading() + self._seconds
        self._output.header = compress(self._format.header(), self._compressor)
        self._output.before_checkpoint = self._keys.sync
        if done := self._output.checkpoint.records:
            self._sieve.resume(*self._keys.open(done))
        return self._task

    def _rounds(self) -> Iterator[Iterator[NumberRange]]:
        # Once the number of duplicates that were left out is known, that many more puzzles are generated.
        while self._output.checkpoint.records < self._wanted:
            yield self._missing_numbers()
            self._is_first_round = False

    def _missing_numbers(self) -> Iterator[NumberRange]:
        """Yield the numbers of as many puzzles as are missing now; the first ones of a run are generated here, before all others.

        So the first puzzles come soon, and what has to be compiled is compiled once.
        """
        checkpoint = self._output.checkpoint
        start = checkpoint.position.offset
        stop = start + self._wanted - checkpoint.records
        local = self._stays_local()
        stop = min(stop, start + self._size()) if local else stop
        while start < stop:
            size = min(self._size(), stop - start)
            # Other processes and machines have other monotonic clocks, but the same time of day.
            until = None if self._until is None else time() + self._until - time_without_loading()
            yield NumberRange(self._shard.numbers(start, start + size), until, local=local)
            start += size

    def _stays_local(self) -> bool:
        """Return whether a few puzzles are now to be generated here, and nothing else meanwhile."""
        if self._task.is_light or not is_plain(self._task.request):
            return self._is_first_round and is_plain(self._task.request)
        return time_without_loading() < self._start + SOON or (self._until is not None and self._until < self._start + BRIEF)

    def _accept(self, chunk: NumberRange, result: GeneratedChunk) -> None:
        """Write new puzzles and advance the checkpoint; a chunk that a limit cut short is generated again when resumed."""
        self._size.adapt(result)
        records, counts = 0, Counter({"numbers": len(chunk)})
        for part in self._sieve.through(result):
            self._write(part, self._output.checkpoint.records + records)
            records += len(part)
            counts += _count(part)
        if records:
            self._last_new = time_without_loading()
        if result.cut and self._is_run_limit(result.cut):
            self._limit_reached = _time_is_over()
        else:
            self._limit_reached = result.cut or self._exhaustion()
        if self._limit_reached is not None:
            self._tail = counts
        else:
            position = self._output.checkpoint.position
            self._output.advance(records, position._replace(offset=position.offset + len(chunk)), counts)

    def _write(self, part: ProvedPuzzles, index: int) -> None:
        if not self._output.output.is_open and not self._output.checkpoint.records:
            self._keys.open(0)
        self._output.write(compress(self._format.format(part, index), self._compressor))
        self._keys.add(part)
        self._callbacks.generated(index, part)

    def _exhaustion(self) -> LimitReached | None:
        """Return the limit that is reached when nothing new comes any more, None if there is none."""
        try:
            self._sieve.check()
        except LimitReached as reached:
            return reached
        seconds = self._task.seconds
        if seconds is not None and time_without_loading() - self._last_new > seconds:
            return LimitReached("deadline", f"{seconds:.3g} s without a new puzzle")
        return None

    def _check_limits(self) -> None:
        """Stop the workers when the time is over, and the run itself a moment later; raise `LimitReached` if cancelled."""
        if not self._is_over():
            super()._check_limits()
            return
        self._cancel.cancel()
        if self._until is not None and time_without_loading() > self._until + GRACE:
            self._limit_reached = _time_is_over()
            raise self._limit_reached

    def _is_over(self) -> bool:
        return self._until is not None and time_without_loading() > self._until

    def _is_run_limit(self, cut: LimitReached) -> bool:
        """Return whether the end of the run cut a chunk short, seen here or, a moment earlier, by the worker."""
        return self._is_over() or (cut.reason == "cancelled" and not self._cancel.cancelled)

    def _when_whole(self) -> None:
        write_manifest(self._output.output.path, self._task, self._shard, self._to, self._summary())

    def close(self) -> None:
        """Write a last checkpoint; leave no trace of a run that is complete or never began."""
        gone = False
        try:
            gone = self._output.close()
        finally:
            self._keys.close(remove=gone)


def _time_is_over() -> LimitReached:
    return LimitReached("deadline", "the time for the whole run is over")


def _count(part: ProvedPuzzles) -> Counter[str]:
    """Return the counts of puzzles for the summary."""
    counts = Counter({"puzzles": len(part), "tries": part.tries})
    counts.update(f"proved {name}" for name in part.by if name)
    counts["limited"] += sum(made.reason is not None for made, _ in part.each()) if len(part) == 1 else 0
    return counts


# The manifest of a run that generates, a file next to its output: all it takes to make the same puzzles again.


FORMAT, VERSION = "sudoku-cp run", 1
GENERATION = 3
"""Raised whenever the puzzles of a seed change, those of any request: what another version began is not resumed."""


def manifest_path(output: Path) -> Path:
    """Return where the manifest of an output is."""
    return output.with_name(f"{output.name}.manifest.json")


def run_parameters(task: GenerateTask, shard: Shard, to: str | None) -> dict[str, Any]:
    """Return all that the output of a run depends on, as plain data."""
    parts = {
        "generation": GENERATION,
        "seed": task.seed,
        "wishes": request_to_json(task.request),
        "count": task.count,
    }
    return parts | {"shard": str(shard), "cross_check": task.share, "to": to}


def read_manifest(output: Path) -> dict[str, Any] | None:
    """Return the manifest of an output, None if there is none of ours."""
    with suppress(OSError, ValueError):
        data = json.loads(manifest_path(output).read_bytes())
        return data if isinstance(data, dict) and data.get("format") == FORMAT else None
    return None


def puzzles_in(output: Path, parameters: Mapping[str, Any]) -> int | None:
    """Return how many puzzles an output holds if its manifest shows a finished run of these parameters, else None."""
    data = read_manifest(output)
    if not data or not data.get("complete") or any(data.get(name) != value for name, value in parameters.items()):
        return None
    found: int | None = data.get("puzzles")
    return found if data.get("file") == _describe_file(output) else None


def check_free(output: Path) -> None:
    """Refuse to write a manifest over a file that is no manifest."""
    if manifest_path(output).exists() and read_manifest(output) is None:
        raise InvalidInput(f"expected the manifest of a run, or no file, got {manifest_path(output)}, which is neither")


def write_manifest(output: Path, task: GenerateTask, shard: Shard, to: str | None, summary: RunSummary) -> None:
    """Write the manifest, without times, so that equal runs have equal manifests."""
    counts = summary.counts
    proved = {name.removeprefix("proved "): number for name, number in sorted(counts.items()) if name.startswith("proved ")}
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "package": __version__} | run_parameters(task, shard, to)
    data |= {"puzzles": counts["puzzles"], "complete": summary.limit_reached is None, "numbers": counts["numbers"]}
    data |= {"tries": counts["tries"], "yield": _ratio(counts["puzzles"], counts["tries"]), "limited": counts["limited"]}
    data |= {"uniqueness": {"found by": task.generator().engine, "proved by": proved, "puzzles proved": sum(proved.values())}}
    if summary.limit_reached is not None:
        data["cut"] = {"reason": summary.limit_reached.reason, "words": str(summary.limit_reached)}
    data["file"] = _describe_file(output)
    write_text(manifest_path(output), json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _describe_file(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"name": path.name, "bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


# Outputs of runs that generate: what a name or a format asks for, and every file that such a run may write.


def parse_generated_output(path: Path, to: str | None) -> tuple[str, str, Conversion | None]:
    """Return the kind of the partial file, its compressor (empty for none), and the conversion to the final output, if any.

    ``to`` is the name of a format; without one the ending of the path decides, or `InvalidInput` is raised.
    """
    if to is None and _uncompressed(path).suffix.lower() in KINDS:
        kind, compressor = parse_output_name(path)
        return kind, compressor, _generated_to_parquet if kind == "parquet" else None
    return "json", "", FormatConverter(format_to_write(to or _format_by_ending(path)).name)


def _uncompressed(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in ENDINGS else path


def _format_by_ending(path: Path) -> str:
    """Return the format whose files end as this one does."""
    ending = _uncompressed(path).suffix.lower()
    found = [name for name, one in FORMATS.items() if one.write and ending in one.extensions]
    found.sort(key=lambda name: ending != f".{name}")
    if not found:
        kinds = ", ".join(KINDS)
        raise InvalidInput(f"expected an output that ends in {kinds} or as the files of a format do, got {path.name!r}")
    return found[0]


def _generated_to_parquet(waiting: Path, target: Path) -> None:
    from sudoku_cp.batch.rows import array_rows  # noqa: PLC0415  # few need it

    array_rows.write_parquet(waiting, target, array_rows.generated_schema())


@dataclass(frozen=True)
class FormatConverter:
    """Converts a partial file of our documents, one a line, to the format ``name``, compressed as the target's ending says."""

    name: str

    def __call__(self, waiting: Path, target: Path) -> None:
        """Convert."""
        write_puzzles(read_puzzles(waiting, format="json") if waiting.stat().st_size else (), target, format=self.name)


def check_expressible(request: GenerateRequest, name: str) -> None:
    """Raise `Unsupported` for boards that a format cannot express; for clues only the first puzzle shows that."""
    try:
        write_puzzles([Puzzle(request.grid, request.rules)], StringIO(), name)
    except Unsupported as error:
        raise Unsupported(of_option(problem, "to") for problem in error.problems) from error


def check_output(path: Path, to: str | None) -> None:
    """Refuse a place where nothing can be written, and a name that asks for no format."""
    problems = Problems()
    if path.is_dir():
        problems.found.append(f"expected a file to write, got the folder {path}")
    elif not path.parent.is_dir():
        problems.found.append(f"expected an output in a folder that is there, got {path}")
    if to is not None or not path.is_dir():
        problems.read(lambda: parse_generated_output(path, to), None)
    problems.end()


def output_paths_of_run(out: str | Path) -> tuple[Path, ...]:
    """Return every file that a run may write for this output, whatever its format."""
    path = Path(out)
    data = {file for convert in (None, _generated_to_parquet) for file in RunOutput(path, convert).files}
    return (*data, journal_path(path), seen_keys_path(path), manifest_path(path))
