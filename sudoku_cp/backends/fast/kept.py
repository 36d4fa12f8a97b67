"""Compiled code, kept on disk.

Numba keeps compiled code by the file of the function that was called, and would not notice a change in the rules behind it. So
the folder it is kept in is named after everything that the code depends on: a kernel can never run that its sources did not make.
What cannot be read there is compiled anew; where nothing can be kept, nothing is.
"""

from __future__ import annotations

import logging
import os
import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import rmtree
from threading import RLock
from typing import TYPE_CHECKING, Any

import llvmlite
import numba

from sudoku_cp.backends.fast import template

if TYPE_CHECKING:
    from types import ModuleType

    from sudoku_cp.backends.fast.machine import Machine
    from sudoku_cp.backends.fast.rules import Shape

HERE = Path(__file__).parent
SOURCES = ("checking", "columns", "kernels", "lanes", "machine", "rules", "search", "vectors")
"""Everything that a template's code is made of."""
_log = logging.getLogger("sudoku_cp")
_running = RLock()


class Code:
    """A template run for a shape of grid and a machine: ``module`` has its functions, compiled when they are first called."""

    def __init__(self, name: str, shape: Shape, host: Machine) -> None:
        """Run the template."""
        self._name, self._shape, self._host = name, shape, host
        self._folder = folder_of(shape, host)
        self._mended = False
        self.module = self._run()

    def call(self, function: str, *arguments: Any) -> None:
        """Call a function of the module; if its code cannot be loaded or kept, mend that first."""
        while True:
            module = self.module
            try:
                getattr(module, function)(*arguments)
            except Exception as error:  # noqa: BLE001  # the code itself raises nothing; what it was kept as may raise anything
                self._mend(module, error)
            else:
                return

    def _mend(self, module: ModuleType, error: Exception) -> None:
        """Throw away what is kept and try again; after that, keep nothing."""
        with _running:
            if self.module is not module:  # another thread has mended it
                return
            if self._folder is None:
                raise error
            _log.warning("what is kept of the kernel in %s cannot be used (%s): compiling it anew", self._folder, error)
            rmtree(self._folder, ignore_errors=True)
            self._folder = None if self._mended else folder_of(self._shape, self._host)
            self._mended = True
            self.module = self._run()

    def _run(self) -> ModuleType:
        """Run the template; Numba looks for its kept code, and where to keep it, while that happens."""
        shape, host, folder = self._shape, self._host, self._folder
        full = f"sudoku_cp.backends.fast.{self._name}_{shape.height}x{shape.width}"
        spec = spec_from_file_location(full, HERE / f"{self._name}.py")
        assert spec  # noqa: S101  # the file lies beside this one
        assert spec.loader  # noqa: S101
        with _running:
            code = sys.modules[full] = module_from_spec(spec)
            template.SHAPE, template.MACHINE, template.KEPT = shape, host, folder is not None
            if self._name == "search" and not (folder and any(folder.rglob("*.nbi"))):
                self._announce()
            before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
            try:
                spec.loader.exec_module(code)
            finally:
                numba.config.CACHE_DIR = before
        return code

    def _announce(self) -> None:
        once = "once" if self._folder else f"and not kept: {cache_folder() or 'a cache'} cannot be written"
        boxes = f"{self._shape.height}x{self._shape.width}"
        _log.warning("compiling the %s kernel for boxes of %s: a few seconds, %s", self._host.name, boxes, once)


def cache_folder() -> Path | None:
    """Return where compiled kernels are kept: ``$SUDOKU_CP_CACHE``, or a folder of the user's own cache; None without one."""
    told = os.environ.get("SUDOKU_CP_CACHE")
    if told:
        return Path(told)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sudoku_cp"
    except RuntimeError:  # nobody's home
        return None


def folder_of(shape: Shape, host: Machine) -> Path | None:
    """Return the folder of a kernel, named after what it is made of; None where none can be made."""
    cache = cache_folder()
    if cache is None:
        return None
    made_of = [(HERE / f"{name}.py").read_bytes() for name in SOURCES]
    made_of += [f"{numba.__version__} {llvmlite.__version__} {sys.version} {host} {shape}".encode()]
    digest = sha256(b"\0".join(made_of)).hexdigest()[:16]
    folder = cache / f"{shape.height}x{shape.width}-{host.name}-{host.lanes(shape.bits)}-{digest}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
