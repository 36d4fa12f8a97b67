"""Files to write: never one that is being read, and never half a file under its own name.

What is written grows in ``NAME.part`` and takes the name in one step once it is whole, so that whatever ends the program
leaves the older file, the whole new one, or a ``.part``. Devices, pipes and our own standard streams cannot be replaced: they
are written to as they are. A ``.part`` that is there already is somebody's, and never written over.
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
"""What stands behind a file's name until it is whole."""

Read: TypeAlias = "str | Path | IO[Any]"
"""What is read: a file by its name, or an open stream."""


# --- before anything is touched ---------------------------------------------------------------------------------


def refuse_inputs(outputs: Iterable[str | Path], inputs: Iterable[Read]) -> None:
    """Raise `InvalidInput` where an output is one of the inputs, by whatever name: links lead to the same file."""
    read = [found for one in inputs if (found := _stat(_file_of(one))) and not stat.S_ISCHR(found.st_mode)]
    same = [path for path in outputs if (there := _stat(path)) and any(os.path.samestat(there, one) for one in read)]
    if same:
        raise InvalidInput(f"expected an output that is not the input, got {path} for both" for path in same)


def check_writable(path: Path) -> None:
    """Raise `InvalidInput` at once for what could only be refused when there is something to write."""
    if path.is_dir() or (path.exists() and not os.access(path, os.W_OK)):
        raise refused(path, "a directory" if path.is_dir() else "one that must not be written")


def refused(path: Path, why: OSError | str) -> InvalidInput:
    """Return the error of a file that cannot be written."""
    words = why if isinstance(why, str) else why.strerror or why
    return InvalidInput(f"{path}: expected a file that can be written, got {words}")


def _file_of(one: Read) -> str | Path | int:
    """Return the name or the number by which the system knows a file; -1 for a stream that is no file."""
    if isinstance(one, str | Path):
        return one
    with suppress(AttributeError, OSError, ValueError):  # a stream that only looks like a file
        return one.fileno()
    return -1


def _stat(file: str | Path | int) -> os.stat_result | None:
    with suppress(OSError, ValueError):
        return os.stat(file)  # noqa: PTH116  # of a path or of an open file
    return None


# --- where it goes ----------------------------------------------------------------------------------------------


def is_stream(path: Path) -> bool:
    """Say whether a name stands for what cannot be replaced: a device, a pipe, or one of our own standard streams."""
    there = _stat(path)
    return there is not None and (not stat.S_ISREG(there.st_mode) or _own_stream(path) is not None)


def _own_stream(path: Path) -> int | None:
    """Return the number of our own standard stream that a name leads to (``/dev/stdout`` does), None for any other file."""
    there = _stat(path)
    numbers = [_file_of(stream) for stream in (sys.stdout, sys.stderr)]
    found = (number for number in numbers if there and (own := _stat(number)) and os.path.samestat(there, own))
    return next((number for number in found if isinstance(number, int)), None)


def part_of(path: Path) -> Path:
    """Return where an output grows: beside the file that it is to replace, which a link may lead to."""
    target = _replaced(path)
    return target.with_name(target.name + PART)


def _replaced(path: Path) -> Path:
    """Return the file that a name stands for, be it the end of a link."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def replace_by(part: Path, path: Path) -> None:
    """Give a whole file its name; it may be read and written by whom the older one of that name was."""
    target = _replaced(path)
    if there := _stat(target):
        with suppress(OSError):
            part.chmod(stat.S_IMODE(there.st_mode))
    try:
        part.replace(target)
    except OSError as error:
        raise refused(path, error) from error


# --- writing ----------------------------------------------------------------------------------------------------


@contextmanager
def open_output(path: str | Path, *, keep: bool = True) -> Iterator[IO[bytes]]:
    """Open a file for bytes, which takes its name at the end of the block.

    Where the block raises, the older file stays. What was written till then is removed or, with ``keep``, left in a ``.part``,
    which a note of the error names. Raises `InvalidInput` where the file cannot be written.
    """
    name = Path(path)
    check_writable(name)
    if is_stream(name):
        own = _own_stream(name)
        raw = OutputFile(name, lambda: os.open(name, os.O_WRONLY) if own is None else os.dup(own))
        with io.BufferedWriter(raw) as file:
            yield file
        return
    part, raw = _new_part(name)
    try:
        with io.BufferedWriter(raw) as file:
            yield file
            file.flush()
            if name.exists():
                raw.settle()  # the older file is only given up for one that is on the disk
        replace_by(part, name)
    except BaseException as error:
        _left(part, error, keep=keep)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write a text as a whole file, in UTF-8."""
    with open_output(path, keep=False) as file:
        file.write(text.encode())


class OutputFile(io.FileIO):
    """A file to write, whose errors are ours and say the name that it is to have."""

    def __init__(self, path: Path, opener: Callable[[], int]) -> None:
        """Take the open file that ``opener`` returns the number of; `FileExistsError` is for who made it to understand."""
        try:
            super().__init__(path, "wb", opener=lambda _name, _flags: opener())
        except FileExistsError:
            raise
        except OSError as error:
            raise refused(path, error) from error
        self._path = path

    def write(self, data: Any) -> int:
        """Write bytes."""
        try:
            return super().write(data) or 0
        except OSError as error:
            raise refused(self._path, error) from error

    def settle(self) -> None:
        """Return when what was written would outlive a failure of power."""
        try:
            os.fsync(self.fileno())
        except OSError as error:
            raise refused(self._path, error) from error


def _new_part(path: Path) -> tuple[Path, OutputFile]:
    """Return a part that nobody has yet, open."""
    usual = part_of(path)
    for number in count(1):
        part = usual if number == 1 else usual.with_name(f"{usual.stem}.{number}{PART}")
        with suppress(FileExistsError):
            file = OutputFile(path, partial(os.open, part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            if number > 1:
                _warn(f"{usual} is there, perhaps of a run that was killed: it is left alone")
            return part, file
    raise AssertionError  # one number is free


def _warn(words: str) -> None:
    import logging  # noqa: PLC0415  # 4 ms that few calls need

    logging.getLogger("sudoku_cp").warning(words)


def _left(part: Path, error: BaseException, *, keep: bool) -> None:
    """Remove what was written, or say where it is."""
    with suppress(OSError):
        if keep and part.stat().st_size:
            error.add_note(f"what was written so far is in {part}")
        else:
            part.unlink()


# --- several ----------------------------------------------------------------------------------------------------


def numbered(path: Path, index: int) -> Path:
    """Return where the output of puzzle ``index`` (from 0) goes: ``NAME.svg``, ``NAME-2.svg``, ..."""
    return path.with_name(f"{path.stem}-{index + 1}{path.suffix}") if index else path


def all_numbered(path: Path) -> list[Path]:
    """Return what `numbered` may write over: the files of such names that are there."""
    name = re.compile(rf"{re.escape(path.stem)}(-\d+)?{re.escape(path.suffix)}")
    with suppress(OSError):
        return [one for one in path.parent.iterdir() if name.fullmatch(one.name)]
    return []
