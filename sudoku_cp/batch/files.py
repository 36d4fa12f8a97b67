"""The one call of this room: millions of puzzles from file to file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any

from sudoku_cp import __version__
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends import backend as engine_named
from sudoku_cp.batch.execution.journal import journal_of
from sudoku_cp.batch.execution.worker_pool import cores
from sudoku_cp.batch.rows.reader import Input, Reading
from sudoku_cp.batch.rows.run_output import Output, kind_of, turned
from sudoku_cp.batch.solve_request import Task
from sudoku_cp.batch.solve_run import Hearing, Run, Summary
from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats import Options
from sudoku_cp.formats.registry import format_named
from sudoku_cp.grid import Grid
from sudoku_cp.output_files import refuse_inputs

_HEAD = 1 << 16
"""Bytes of a file by which it is known again."""


@checked
def solve_files(
    sources: Iterable[Input | str | Path | IO[bytes]],
    out: str | Path,
    *,
    backend: str = "auto",
    limit: int | None = 2,
    several: bool = False,
    limits: Limits = UNLIMITED,
    format: str | None = None,  # noqa: A002
    grid: Grid | None = None,
    alphabet: str | None = None,
    rules: Sequence[str | Mapping[str, Any]] = (),
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    force: bool = False,
    strict: bool = False,
    hearing: Hearing | None = None,
) -> Summary:
    """Answer every puzzle of files and streams of bytes, and write the answers to ``out`` in the order of the input.

    The ending of ``out`` says what is written. ``limit`` is the number of solutions to look for (None: all), ``several`` asks
    JSON lines to tell all that were found. ``limits`` are each puzzle's; a cancellation ends the run. ``rules`` (as JSON) are
    added to each puzzle. ``workers`` is by default the number of cores; ``cluster`` is a Dask scheduler's address or ``local:4``.

    A run that did not end can go on with ``resume``; it is only begun anew, and an output that is there only replaced, with
    ``force``. ``strict`` turns warnings into
    errors and ends at the first record in trouble. Raises `InvalidInput` where the output cannot be written or does not belong
    to this run, and `LimitReached` when cancelled; the run can then be resumed.
    """
    path = Path(out)
    kind, packing = kind_of(path)
    inputs = [Input.of(source) for source in sources]
    reading = Reading(format, Options(grid, alphabet, strict), tuple(rules))
    task = Task(backend, limit, several and kind == "jsonl", limits.seconds, limits.nodes, kind=kind, packing=packing)
    output = Output(path, turned(kind, [one.source for one in inputs]))
    _check(reading, task, workers)
    _check_files(output, inputs)
    stamp = _stamp(inputs, reading, task)
    with ExitStack() as stack:
        run = Run(output, inputs, reading, task, hearing or Hearing())
        stack.callback(run.close)
        run.look(stamp, resume=resume, force=force)
        return run.through(workers or cores(), cluster, limits.cancel, strict=strict)


def _check(reading: Reading, task: Task, workers: int | None) -> None:
    """Refuse at once what would only fail later."""
    if task.backend != "auto":
        engine_named(task.backend)
    if reading.format and format_named(reading.format).read is None:
        raise Unsupported(f"expected a format that can be read, got {reading.format!r}, which is only written")
    if task.limit is not None and task.limit < 1:
        raise InvalidInput(f"expected a limit of 1 solution or more, got {task.limit!r}")
    if workers is not None and workers < 1:
        raise InvalidInput(f"expected 1 worker or more, got {workers!r}")


def _check_files(output: Output, inputs: Sequence[Input]) -> None:
    """Refuse an output that cannot be written, and one that would be written over an input."""
    output.check()
    refuse_inputs((*output.files, journal_of(output.path)), [one.source for one in inputs])


def _stamp(inputs: Sequence[Input], reading: Reading, task: Task) -> dict[str, Any]:
    """Return what must be the same for a run to go on, as plain data."""
    told = {name: getattr(task, name) for name in ("backend", "limit", "several", "seconds", "nodes")}
    grid = repr(reading.options.grid) if reading.options.grid else None
    options = {"format": reading.format, "grid": grid, "alphabet": reading.options.alphabet, "rules": list(reading.rules)}
    return {"version": __version__, "input": [_known_by(one) for one in inputs], **told, **options}


def _known_by(one: Input) -> str | None:
    """Return a file's size and the hash of its head; streams are known by what they give, and what cannot be read by nothing."""
    if not isinstance(one.source, str | Path) or not Path(one.source).is_file():
        return None
    with suppress(OSError), Path(one.source).open("rb") as file:
        head = hashlib.sha256(file.read(_HEAD)).hexdigest()[:16]
        return f"{Path(one.source).stat().st_size} bytes, {head}"
    return None
