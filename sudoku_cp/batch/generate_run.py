"""Generating puzzles by the million into a file: on every core, none twice, proved."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from inspect import signature
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from sudoku_cp import __version__
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.batch import manifest
from sudoku_cp.batch.execution.journal import unfinished_fingerprint
from sudoku_cp.batch.file_run import Callbacks, FileRun, RunSummary, check_workers
from sudoku_cp.batch.generate_output import FormatConverter, check_expressible, check_output, parse_generated_output
from sudoku_cp.batch.generate_tasks import GenerateTask, NumberRange, Shard, parse_shard
from sudoku_cp.batch.rows.generated_format import GeneratedFormat
from sudoku_cp.batch.rows.run_output import RunOutput, compress
from sudoku_cp.batch.seen_keys import SeenKeysFile
from sudoku_cp.errors import InvalidInput, LimitReached, UnknownName, require_type
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.generate.api import check_count, check_share, choose_seed, is_plain
from sudoku_cp.generate.base import GenerateRequest
from sudoku_cp.generate.chunks import ChunkSize, GeneratedChunk, ProvedPuzzles, RepeatFilter
from sudoku_cp.generate.difficulty_mix import check_total
from sudoku_cp.generate.request_parsing import Problems, parse_request
from sudoku_cp.load_time import time_without_loading

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    problems.read(
        lambda: check_total(str(request.mix) if request.mix else options.get("difficulty"), number), None, of="difficulty"
    )
    problems.end()
    assert path is not None  # noqa: S101  # or there would be a problem
    known = (unfinished_fingerprint(path) or manifest.read_manifest(path)) if resume and seed is None else None
    task = GenerateTask(request, choose_seed(known["seed"] if known else seed), number, check_share(prove), limits.seconds)
    part = parse_shard(shard)
    with closing(GenerateRun(path, task, part, to, stop_after, callbacks)) as generating:
        stamp = {"version": __version__, **manifest.run_parameters(task, part, to), "output": path.suffixes}
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
        manifest.check_free(path)
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
        parameters = manifest.run_parameters(self._task, self._shard, self._to)
        return manifest.puzzles_in(self._output.output.path, parameters)

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
        manifest.write_manifest(self._output.output.path, self._task, self._shard, self._to, self._summary())

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
