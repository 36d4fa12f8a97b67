"""Compiled code, kept on disk.

Numba keeps compiled code by the file of the function that was called, and would not notice a change in what that calls. So
the folder it is kept in is named after everything that the code depends on: a kernel can never run that its sources did not make.
What cannot be read there is compiled anew; where nothing can be kept, nothing is.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import AbstractContextManager, contextmanager, nullcontext
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.compile_lock import may_say_again, say_once, shown, turn_to_compile
from sudoku_cp.interrupts import interrupts_held
from sudoku_cp.load_time import hear_numba, loading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Module: TypeAlias = Any
"""What has the compiled functions by their names."""

_log = logging.getLogger("sudoku_cp")
_running = RLock()


class Code:
    """What ``make`` makes of Numba functions, each compiled or loaded when it is first called.

    ``make`` is called with the folder that ``folder`` finds for the code, None where there is none, so that nothing is kept.
    What is compiled, and how long that ``lasts``, is said before it begins. Of several
    processes one compiles, and the others wait for it.
    """

    def __init__(
        self,
        make: Callable[[Path | None], Module],
        folder: Callable[[], Path | None],
        what: str = "code",
        lasts: str = "some seconds",
    ) -> None:
        """Make the functions."""
        self._make, self._find, self._what, self._lasts = make, folder, what, lasts
        self._words = f"compiling {what}"
        self._folder = folder()
        self._mended = False
        self._called: set[str] = set()
        with loading():
            hear_numba()
            self.module = self._made()

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function of the module; if its code cannot be loaded or kept, mend that first."""
        while True:
            module = self.module
            try:
                with nullcontext() if function in self._called else self._first_call(function):
                    found = getattr(module, function)(*arguments)
            except Exception as error:  # noqa: BLE001  # the code itself raises nothing; what it was kept as may raise anything
                self._mend(module, error)
            else:
                self._called.add(function)
                return found

    @contextmanager
    def _first_call(self, function: str) -> Iterator[None]:
        """Load or compile a function in the block, in which Numba would swallow Ctrl-C."""
        folder = self._folder
        if folder is None:
            with self._shown(True, lambda: False), interrupts_held():  # noqa: FBT003
                yield
            return

        def is_done() -> bool:
            return has_code(folder, function)

        if is_done():
            with interrupts_held():
                yield
            return
        with turn_to_compile(folder, self._what, is_done) as mine, self._shown(mine, is_done), interrupts_held():
            yield

    def _shown(self, is_mine: bool, is_done: Callable[[], bool]) -> AbstractContextManager[object]:  # noqa: FBT001
        """Say that this process compiles, if it does, once for each thing, and return what shows it meanwhile."""
        if not is_mine:
            return nullcontext()
        once = "once" if self._folder else f"and not kept: {cache_folder() or 'a cache'} cannot be written"
        say_once(self._words, f": {self._lasts}, {once}")
        return shown(self._words, is_done)

    def _mend(self, module: Module, error: Exception) -> None:
        """Throw away what is kept and try again; after that, keep nothing."""
        with _running:
            if self.module is not module:  # another thread has mended it
                return
            if self._folder is None:
                raise error
            _log.warning("what is kept of the kernel in %s cannot be used (%s): compiling it anew", self._folder, error)
            rmtree(self._folder, ignore_errors=True)
            self._called.clear()
            may_say_again(self._words)
            self._folder = None if self._mended else self._find()
            self._mended = True
            self.module = self._made()

    def _made(self) -> Module:
        """Make the functions; Numba looks for its kept code, and where to keep it, while that happens."""
        from numba import config  # noqa: PLC0415  # half a second, which who only asks for folders need not wait

        with _running:
            before, config.CACHE_DIR = config.CACHE_DIR, str(self._folder or "")
            try:
                return self._make(self._folder)
            finally:
                config.CACHE_DIR = before


def cache_folder() -> Path | None:
    """Return where compiled kernels are kept: ``$SUDOKU_CP_CACHE``, or a folder of the user's own cache; None without one."""
    told = os.environ.get("SUDOKU_CP_CACHE")
    if told:
        return Path(told)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sudoku_cp"
    except RuntimeError:  # nobody's home
        return None


def has_code(folder: Path | None, function: str = "*") -> bool:
    """Say whether the code of a function, or of any, is in a folder."""
    return folder is not None and any(folder.rglob(f"*.{function}-*.nbc"))


def folder_for(name: str, sources: Iterable[Path], *about: object) -> Path | None:
    """Return the folder of code made of these sources and of what else it is ``about``; None where none can be made."""
    cache = cache_folder()
    if cache is None:
        return None
    made_of = [source.read_bytes() for source in sources]
    made_of.append(f"{version('numba')} {version('llvmlite')} {sys.version} {' '.join(map(str, about))}".encode())
    digest = sha256(b"\0".join(made_of)).hexdigest()[:16]
    folder = cache / f"{name}-{digest}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
