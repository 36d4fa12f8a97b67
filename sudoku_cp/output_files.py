"""Output files: never one that is being read, and never half a file under its final name.

Output is written to ``NAME.part``, which is renamed once it is complete: however the program ends, it leaves the older file, the
whole new one, or a ``.part``. Devices, pipes and our own standard streams cannot be replaced: they are written directly. A
``.part`` that exists already belongs to another run, and is never overwritten.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PART = ".part"
"""The suffix of a file that is not complete yet."""

InputSource: TypeAlias = "str | Path | IO[Any]"
"""An input: a file name, or an open stream."""


# --- before anything is touched ---------------------------------------------------------------------------------


def refuse_inputs(outputs: Iterable[str | Path], inputs: Iterable[InputSource]) -> None:
    """Raise `InvalidInput` if an output is one of the inputs, under whatever name (links are followed)."""
    read = [found for one in inputs if (found := _stat(_file_identity(one))) and not stat.S_ISCHR(found.st_mode)]
    same = [path for path in outputs if (there := _stat(path)) and any(os.path.samestat(there, one) for one in read)]
    if same:
        raise InvalidInput(f"expected an output that is not the input, got {path} for both" for path in same)


def check_writable(path: Path) -> None:
    """Raise `InvalidInput` at once if the file cannot be written, rather than when there is something to write."""
    if path.is_dir() or (path.exists() and not os.access(path, os.W_OK)):
        raise not_writable_error(path, "a directory" if path.is_dir() else "one that must not be written")


def not_writable_error(path: Path, why: OSError | str) -> InvalidInput:
    """Return the error of a file that cannot be written."""
    words = why if isinstance(why, str) else why.strerror or why
    return InvalidInput(f"{path}: expected a file that can be written, got {words}")


def _file_identity(one: InputSource) -> str | Path | int:
    """Return the path or the descriptor of a file; -1 for a stream that is not a file."""
    if isinstance(one, str | Path):
        return one
    with suppress(AttributeError, OSError, ValueError):  # a stream that only looks like a file
        return one.fileno()
    return -1


def _stat(file: str | Path | int) -> os.stat_result | None:
    with suppress(OSError, ValueError):
        return os.stat(file)  # noqa: PTH116  # of a path or of an open file
    return None


# --- destinations -----------------------------------------------------------------------------------------------


def is_stream(path: Path) -> bool:
    """Return whether a path cannot be replaced: it is a device, a pipe, or one of our own standard streams."""
    there = _stat(path)
    return there is not None and (not stat.S_ISREG(there.st_mode) or _own_stream(path) is not None)


def _own_stream(path: Path) -> int | None:
    """Return the descriptor of our own standard stream that a path leads to (``/dev/stdout`` does), None for any other file."""
    there = _stat(path)
    numbers = [_file_identity(stream) for stream in (sys.stdout, sys.stderr)]
    found = (number for number in numbers if there and (own := _stat(number)) and os.path.samestat(there, own))
    return next((number for number in found if isinstance(number, int)), None)


def part_path(path: Path) -> Path:
    """Return the ``.part`` of an output: next to the file to be replaced, links followed."""
    target = _resolve_link(path)
    return target.with_name(target.name + PART)


def _resolve_link(path: Path) -> Path:
    """Return the path with links followed."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def replace_file(part: Path, path: Path) -> None:
    """Rename a complete file to its final name, with the permissions of the older file of that name."""
    target = _resolve_link(path)
    if there := _stat(target):
        with suppress(OSError):
            part.chmod(stat.S_IMODE(there.st_mode))
    try:
        part.replace(target)
    except OSError as error:
        raise not_writable_error(path, error) from error


# --- writing ----------------------------------------------------------------------------------------------------


@contextmanager
def open_output(path: str | Path, *, keep: bool = True) -> Iterator[IO[bytes]]:
    """Open a file for writing bytes; it gets its final name at the end of the block.

    If the block raises, the older file stays. The unfinished output is removed or, with ``keep``, left in a ``.part`` named in a
    note on the error. Raises `InvalidInput` if the file cannot be written.
    """
    name = Path(path)
    check_writable(name)
    if is_stream(name):
        own = _own_stream(name)
        raw = OutputFile(name, lambda: os.open(name, os.O_WRONLY) if own is None else os.dup(own))
        with io.BufferedWriter(raw) as file:
            yield file
        return
    part, raw = _create_part(name)
    try:
        with io.BufferedWriter(raw) as file:
            yield file
            file.flush()
            if name.exists():
                raw.settle()  # replace the older file only once the new one is on disk
        replace_file(part, name)
    except BaseException as error:
        _discard_part(part, error, keep=keep)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write a text as a whole file, in UTF-8."""
    with open_output(path, keep=False) as file:
        file.write(text.encode())


class OutputFile(io.FileIO):
    """A file to write, whose errors are `InvalidInput` with its final name."""

    def __init__(self, path: Path, opener: Callable[[], int]) -> None:
        """Wrap the descriptor that ``opener`` returns; errors name ``path``, the final name, except `FileExistsError`."""
        try:
            super().__init__(path, "wb", opener=lambda _name, _flags: opener())
        except FileExistsError:
            raise
        except OSError as error:
            raise not_writable_error(path, error) from error
        self._path = path

    def write(self, data: Any) -> int:
        """Write bytes."""
        try:
            return super().write(data) or 0
        except OSError as error:
            raise not_writable_error(self._path, error) from error

    def settle(self) -> None:
        """Flush to disk (fsync)."""
        try:
            os.fsync(self.fileno())
        except OSError as error:
            raise not_writable_error(self._path, error) from error


def _create_part(path: Path) -> tuple[Path, OutputFile]:
    """Create and open a ``.part`` that does not exist yet."""
    usual = part_path(path)
    for number in count(1):
        part = usual if number == 1 else usual.with_name(f"{usual.stem}.{number}{PART}")
        with suppress(FileExistsError):
            file = OutputFile(path, partial(os.open, part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            if number > 1:
                _warn(f"{usual} exists, perhaps from a run that was killed: it is left alone")
            return part, file
    raise AssertionError  # some number is free


def _warn(words: str) -> None:
    import logging  # noqa: PLC0415  # 4 ms that few calls need

    logging.getLogger("sudoku_cp").warning(words)


def _discard_part(part: Path, error: BaseException, *, keep: bool) -> None:
    """Remove the unfinished output, or add a note to the error with its path."""
    with suppress(OSError):
        if keep and part.stat().st_size:
            error.add_note(f"what was written so far is in {part}")
        else:
            part.unlink()


# --- several files ----------------------------------------------------------------------------------------------------


def numbered_path(path: Path, index: int) -> Path:
    """Return the path for the output of puzzle ``index`` (from 0): ``NAME.svg``, ``NAME-2.svg``, ..."""
    return path.with_name(f"{path.stem}-{index + 1}{path.suffix}") if index else path


def existing_numbered_paths(path: Path) -> list[Path]:
    """Return the existing files that outputs named by `numbered_path` may overwrite."""
    name = re.compile(rf"{re.escape(path.stem)}(-\d+)?{re.escape(path.suffix)}")
    with suppress(OSError):
        return [one for one in path.parent.iterdir() if name.fullmatch(one.name)]
    return []
