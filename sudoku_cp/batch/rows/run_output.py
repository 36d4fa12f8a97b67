"""The output file of a run: what its name says it holds, its compression, and the partial file that it grows in."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import copyfileobj
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import BackendMissing, InvalidInput
from sudoku_cp.formats.text_files import ENDINGS
from sudoku_cp.output_files import OutputFile, check_writable, is_stream, open_output, part_path, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Conversion: TypeAlias = "Callable[[Path, Path], None]"
"""Makes the second file from the first, whole or not at all."""

KINDS = {".txt": "text", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""Endings of outputs, and what is written into them."""


def parse_output_name(path: Path) -> tuple[str, str]:
    """Return the kind of output that a file's name asks for, and the module that compresses it (empty for none).

    Raises `InvalidInput` for other names and `BackendMissing` if a library is not installed.
    """
    compressor = ENDINGS.get(path.suffix.lower(), "")
    kind = KINDS.get((path.with_suffix("") if compressor else path).suffix.lower(), "")
    if not kind or (compressor and kind == "parquet"):
        raise InvalidInput(
            f"expected an output that ends in {', '.join(KINDS)}, all but the last perhaps followed by {', '.join(ENDINGS)}; "
            f"got {path.name!r}"
        )
    if kind == "parquet":
        import_module("sudoku_cp.batch.rows.array_rows").import_pyarrow()
    try:
        import_module(compressor or "gzip")
    except ImportError as error:
        raise BackendMissing(
            f"expected the package {compressor} for {path.suffix} files (pip install 'sudoku_cp[zstd]'), got none"
        ) from error
    return kind, compressor


def table_conversion(kind: str, inputs: Sequence[str | Path | IO[bytes]], schema: Callable[[], Any]) -> Conversion | None:
    """Return what makes the output of a run from the partial file, None if that only takes its name.

    ``schema`` returns the columns of a run without records.
    """
    return partial(_rows_to_parquet, inputs, schema) if kind == "parquet" else None


def _rows_to_parquet(inputs: Sequence[str | Path | IO[bytes]], schema: Callable[[], Any], waiting: Path, target: Path) -> None:
    """Convert rows from Arrow to Parquet; kept columns get the types that they have in the ``inputs``."""
    arrow = import_module("sudoku_cp.batch.rows.array_rows")
    known = [one for one in inputs if isinstance(one, str | Path)]
    arrow.write_parquet(waiting, target, schema(), arrow.common_types(known) if len(known) == len(inputs) else {})


def partial_output(path: Path) -> Path | None:
    """Return the partial file that an unfinished run has left for an output, None if there is none."""
    return next((data for data in (part_path(path), _rows_path(path)) if data.exists()), None)


def _rows_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.rows")


def compress(body: bytes | bytearray, compressor: str) -> bytes | bytearray:
    """Return the bytes compressed by the module of that name (empty for none).

    They are a whole member (frame, stream), so that one may follow the other in a file.
    """
    if not (compressor and body):
        return body
    module = import_module(compressor)
    if compressor == "zstandard":
        module = module.ZstdCompressor(level=3)
    found: bytes = module.compress(body, **_COMPRESS_OPTIONS.get(compressor, {}))
    return found


# Level 1 of gzip takes a tenth of the time of level 6, which is more than solving, and leaves files a third larger.
_COMPRESS_OPTIONS: dict[str, dict[str, int]] = {"gzip": {"compresslevel": 1, "mtime": 0}, "lzma": {"preset": 1}}


class RunOutput:
    """The output of a run and the partial file next to it, in which the bytes grow, always by whole chunks.

    The partial file ends in ``.part`` and takes the output's name at the end; if it is converted instead (to Parquet, say), it
    ends in ``.rows``. A device or a pipe cannot be replaced and is written to directly.
    """

    def __init__(self, path: Path, convert: Conversion | None = None) -> None:
        """Open nothing yet; ``convert`` makes the output (its second argument) from the partial file (its first)."""
        self.path = path
        self._convert = convert
        self._is_stream = convert is None and is_stream(path)
        self.data = _rows_path(path) if convert else path if self._is_stream else part_path(path)
        self.length = 0
        self._file: OutputFile | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The output and its partial file."""
        return tuple(dict.fromkeys((self.path, self.data)))

    @property
    def is_open(self) -> bool:
        """Whether the partial file is open."""
        return self._file is not None

    def is_there(self) -> bool:
        """Return whether there is an output already, ours or not, that is not empty."""
        return self.path.exists() and self.path.stat().st_size > 0

    def check(self) -> None:
        """Refuse an output that cannot be written, before there is anything to write."""
        check_writable(self.path)

    def check_replaceable(self) -> None:
        """Refuse outputs that cannot be replaced: devices and pipes."""
        self.check()
        if is_stream(self.path):
            raise InvalidInput(f"{self.path}: expected a regular file, or none yet, got a device or a pipe")

    def check_free(self) -> None:
        """Refuse to overwrite a partial file without a journal, which is not ours."""
        if not self._is_stream and self.data.exists() and self.data.stat().st_size:
            raise InvalidInput(
                f"expected no file {self.data} without the journal of the run that left it, got one; "
                "if nobody needs it any more, remove it"
            )

    def open(self, length: int) -> None:
        """Open the partial file, and keep only the first ``length`` bytes of it."""
        file = OutputFile(self.data, lambda: os.open(self.data, os.O_RDWR | os.O_CREAT, 0o666))
        there = os.fstat(file.fileno())
        if there.st_size < length:
            file.close()
            raise InvalidInput(f"{self.data}: expected the {length} bytes of the unfinished run, got {there.st_size}")
        if stat.S_ISREG(there.st_mode):
            file.truncate(length)
            file.seek(length)
        self._file = file
        self.length = length

    def append(self, body: bytes | bytearray) -> None:
        """Append whole chunks."""
        assert self._file is not None  # noqa: S101  # it was opened
        rest = memoryview(body)
        while rest:
            rest = rest[self._file.write(rest) :]
        self.length += len(body)

    def sync(self) -> None:
        """Flush what was written to the disk, so that it survives a power failure."""
        if self._file is not None:
            with suppress(InvalidInput):  # a device cannot be synced
                self._file.settle()

    def publish(self) -> None:
        """Make an output of what was written so far; the run can still be resumed."""
        if self._convert:
            self._convert(self.data, self.path)
        elif not self._is_stream:
            with open_output(self.path, keep=False) as whole, self.data.open("rb") as data:
                copyfileobj(data, whole)

    def finish(self) -> None:
        """Make the output, now that everything is written; do nothing if that was done already."""
        if self._is_stream or not self.data.exists():
            return
        if self._convert:
            self._convert(self.data, self.path)
        else:
            replace_file(self.data, self.path)

    def remove_partial(self) -> None:
        """Remove the partial file."""
        if not self._is_stream:
            self.data.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove the partial file if this run has opened it, as it holds no answers."""
        if self.is_open:
            self.remove_partial()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
