"""The cache of compiled code: Numba functions are compiled once a machine, and loaded from disk by every later process.

Theory of operation.

- **On disk**: a directory for each module, ``NAME-DIGEST`` under `cache_root`, in which Numba keeps its files. The digest covers
  all that the code depends on: the text of every source file, the versions of Numba, LLVM, NumPy and Python, and the
  processor (`cache_dir_for`). Numba's own index knows only the file of the function that is called: it would miss a change
  in what that calls, and take code for stale whose file was copied or touched. So it is told to keep code in this directory
  without looking at the file (`_FolderLocator`), and another installation or checkout of the same sources finds its code.
- **In the process**: a `CachedModule` holds the functions by name. It builds them when one is first needed; nothing here imports
  Numba before that.
- **A first call** loads the function if its file is there. If not, it waits for its turn (`process_locks`): one process
  compiles, the others wait and then load. Numba swallows Ctrl-C meanwhile, so it is deferred to the end of the call. Later
  calls cost a lookup.
- **Invariants**: code that was not compiled from the current sources never runs. A cache that cannot be read, written or created,
  and a full disk, cost time and never an answer: damaged code is deleted and compiled anew; if that does not help, nothing is
  cached.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from threading import RLock
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import BackendMissing
from sudoku_cp.interrupts import defer_interrupts
from sudoku_cp.process_locks import announce_once, exclusive_compile, forget_announcement, show_progress
from sudoku_cp.time_limits import listen_to_numba, loading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

Module: TypeAlias = Any
"""An object that has the compiled functions as attributes."""

SHORT = "some seconds"
"""How long most code takes to compile; what takes longer states its own time: measured on an idle core, all entries together."""

CALLEE_COMPILER = Path(__file__).with_name("callee_compiler.py")
"""A source of all code: what compiles its callees."""

_log = logging.getLogger("sudoku_cp")
_building = RLock()


class CachedModule:
    """Numba functions, each loaded or compiled when it is first called."""

    def __init__(
        self,
        build: Callable[[Path | None], Module],
        find_dir: Callable[[], Path | None],
        description: str = "code",
        duration: str = SHORT,
    ) -> None:
        """Store how to build the functions; they are built when the first of them is needed.

        ``build`` makes the functions, given the directory that ``find_dir`` returns: None where nothing can be cached.
        ``description`` and ``duration`` are shown to users before the code is compiled.
        """
        self._build, self._find_dir, self._description, self._duration = build, find_dir, description, duration
        self._announcement = f"compiling {description}"
        self._dir: Path | None = None
        self._module: Module = None
        self._repaired = False
        self._called: set[str] = set()

    @classmethod
    def of_functions(
        cls,
        name: str,
        modules: Sequence[ModuleType],
        entries: Sequence[str],
        description: str,
        *,
        duration: str = SHORT,
        inline: bool = False,
        lean: bool = False,
    ) -> CachedModule:
        """Return a module of the ``entries`` and of all functions in ``modules`` that they call, compiled together.

        ``modules`` are the sources of the code, including those that hold only constants. The ``entries`` are called from outside
        and cached; none of the others can be called from Python, and ``inline`` inlines them. ``name`` is that of the directory:
        code for other types needs another. With ``lean`` a constant as an argument is any integer, where Numba would compile the
        function for each constant: that takes more than twice as long.
        """
        sources = [Path(__file__), *(Path(str(module.__file__)) for module in modules)]

        def build(cache_dir: Path | None) -> Module:
            require_compiler(description)
            return _compile_together(
                _reached_functions(modules, entries), entries, cache=cache_dir is not None, inline=inline, lean=lean
            )

        return cls(build, lambda: cache_dir_for(name, sources, *entries, inline, lean), description, duration)

    @property
    def module(self) -> Module:
        """The object with the functions, and whatever else was built with them."""
        if self._module is None:
            with _building:
                if self._module is None:
                    with loading():
                        listen_to_numba()
                        self._dir = self._find_dir()
                        self._module = self._built()
        return self._module

    @property
    def is_loaded(self) -> bool:
        """Whether the functions have been built in this process."""
        return self._module is not None

    def is_cached(self, function: str = "*") -> bool:
        """Return whether the code of a function, or of any, is on disk."""
        return has_code(self._find_dir(), function)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function of the module; if its code cannot be loaded or cached, repair that first."""
        while True:
            module = self.module
            try:
                with nullcontext() if function in self._called else self._first_call(function):
                    result = getattr(module, function)(*arguments)
            except Exception as error:  # noqa: BLE001  # the code itself raises nothing; a damaged cache may raise anything
                self._repair(module, error)
            else:
                self._called.add(function)
                return result

    @contextmanager
    def _first_call(self, function: str) -> Iterator[None]:
        """Load or compile a function in the block, in which Numba would swallow Ctrl-C."""
        cache_dir = self._dir
        if cache_dir is None:
            with self._progress(lambda: False), defer_interrupts():
                yield
            return

        def is_done() -> bool:
            return has_code(cache_dir, function)

        if is_done():
            with defer_interrupts():
                yield
            return
        with (
            exclusive_compile(cache_dir, self._description, is_done) as mine,
            self._progress(is_done) if mine else nullcontext(),
            defer_interrupts(),
        ):
            yield

    def _progress(self, is_done: Callable[[], bool]) -> AbstractContextManager[object]:
        """Announce, once for each module, that this process compiles; return a block that shows it meanwhile."""
        once = "once on this machine" if self._dir else f"and not kept: {cache_root() or 'a cache'} cannot be written"
        announce_once(self._announcement, f": {self._duration}, {once}")
        return show_progress(self._announcement, is_done)

    def _repair(self, module: Module, error: Exception) -> None:
        """Delete the cached code and build anew; the second time, cache nothing."""
        with _building:
            if self._module is not module:  # another thread has repaired it
                return
            if self._dir is None:
                raise error
            _log.warning("the cached kernel in %s cannot be used (%s): compiling it anew", self._dir, error)
            rmtree(self._dir, ignore_errors=True)
            self._called.clear()
            forget_announcement(self._announcement)
            self._dir = None if self._repaired else self._find_dir()
            self._repaired = True
            self._module = self._built()

    def _built(self) -> Module:
        """Build the functions; Numba asks where to keep their code when they are decorated."""
        from numba.core.caching import CompileResultCacheImpl  # noqa: PLC0415  # half a second

        before = CompileResultCacheImpl._locator_classes  # noqa: SLF001
        CompileResultCacheImpl._locator_classes = [_FolderLocator(self._dir)]  # noqa: SLF001
        try:
            return self._build(self._dir)
        finally:
            CompileResultCacheImpl._locator_classes = before  # noqa: SLF001


class _FolderLocator:
    """Tells Numba to keep code in a directory whose name covers the sources: the locator of a function, and what makes them."""

    def __init__(self, folder: Path | None, line: int = 0) -> None:
        self._folder, self._line = folder, line

    def from_function(self, function: FunctionType, _file: str) -> _FolderLocator:
        """Return the locator of a function."""
        return _FolderLocator(self._folder, function.__code__.co_firstlineno)

    def ensure_cache_path(self) -> None:
        """Make the directory again if it has been deleted meanwhile."""
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the directory."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return the same for any file: the directory's name tells sources apart."""
        return ""

    def get_disambiguator(self) -> str:
        """Return what tells functions of the same name in one file apart."""
        return str(self._line)


def _reached_functions(modules: Sequence[ModuleType], entries: Sequence[str]) -> list[FunctionType]:
    """Return the entries, and the functions of these modules that they call, directly or through others."""
    names = {module.__name__ for module in modules}
    waiting = [vars(module)[entry] for module in modules for entry in entries if entry in vars(module)]
    reached: dict[FunctionType, None] = {}
    while waiting:
        function = waiting.pop()
        if isinstance(function, FunctionType) and function.__module__ in names and function not in reached:
            reached[function] = None
            waiting += [function.__globals__.get(name) for name in function.__code__.co_names]
    return [*reached]


def _compile_together(
    functions: Iterable[Callable[..., Any]], entries: Sequence[str], *, cache: bool, inline: bool, lean: bool
) -> SimpleNamespace:
    """Return the entries; each function is compiled as a copy whose global names refer to the other compiled functions."""
    from numba import njit  # noqa: PLC0415

    from sudoku_cp.callee_compiler import compiled_callee  # noqa: PLC0415  # it imports Numba

    namespaces: dict[str, dict[str, Any]] = {}
    compiled: dict[Callable[..., Any], Any] = {}
    for function in functions:
        name = function.__name__
        namespace = namespaces.setdefault(function.__module__, dict(function.__globals__))
        copy = FunctionType(function.__code__, namespace, name)
        if name in entries:
            compiled[function] = njit(nogil=True, error_model="numpy", cache=cache)(copy)
        else:
            compiled[function] = compiled_callee(forceinline=inline)(copy)
        if lean:
            _take_constants_as_integers(compiled[function])
    for namespace in namespaces.values():
        namespace |= {
            name: compiled[value] for name, value in namespace.items() if isinstance(value, FunctionType) and value in compiled
        }
    return SimpleNamespace(**{function.__name__: code for function, code in compiled.items() if function.__name__ in entries})


def _take_constants_as_integers(function: Any) -> None:
    """Let callers find one version of a function whatever constants they pass; Numba asks it by this method."""
    from numba import types  # noqa: PLC0415

    find = function.get_call_template

    def find_plain(arguments: Iterable[Any], by_name: dict[str, Any]) -> Any:
        return find(
            [types.unliteral(kind) for kind in arguments], {name: types.unliteral(kind) for name, kind in by_name.items()}
        )

    function.get_call_template = find_plain


# --- the compiler -------------------------------------------------------------------------------------------------


def can_compile() -> bool:
    """Return whether Numba's compiler is turned on, without importing Numba."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        return False
    # Another thread may be importing it just now.
    config = getattr(sys.modules.get("numba"), "config", None)
    return not getattr(config, "DISABLE_JIT", False)


def require_compiler(subject: str) -> None:
    """Raise `BackendMissing`, naming the ``subject``, if Numba's compiler is turned off."""
    if not can_compile():
        raise BackendMissing(f"{subject} needs Numba's compiler, which NUMBA_DISABLE_JIT turns off")


# --- the directories ----------------------------------------------------------------------------------------------


def cache_root() -> Path | None:
    """Return where compiled code is cached: ``$SUDOKU_CP_CACHE``, or a folder in the user's cache; None without a home."""
    chosen = os.environ.get("SUDOKU_CP_CACHE")
    if chosen:
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sudoku_cp"
    except RuntimeError:  # the user has no home directory
        return None


def cache_dir_for(name: str, sources: Iterable[Path], *about: object) -> Path | None:
    """Return the directory of code compiled from these source files and the parameters ``about``; None if it cannot be made."""
    from importlib.metadata import version  # noqa: PLC0415  # 10 ms that few calls need

    root = cache_root()
    if root is None:
        return None
    versions = (version(library) for library in ("numba", "llvmlite", "numpy"))
    parts = [" ".join(map(str, (*versions, sys.version, _processor(), *about))).encode()]
    for source in (CALLEE_COMPILER, *sources):
        parts += [source.name.encode(), source.read_bytes()]
    digest = sha256(b"\0".join(parts)).hexdigest()[:16]
    cache_dir = root / f"{name}-{digest}"
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return cache_dir if os.access(cache_dir, os.W_OK) else None


def has_code(cache_dir: Path | None, function: str = "*") -> bool:
    """Return whether the code of a function, or of any, is in a directory."""
    return cache_dir is not None and any(cache_dir.rglob(f"*.{function}-*.nbc"))


@lru_cache(maxsize=1)
def _processor() -> str:
    """Return the name and features of the processor that code is compiled for."""
    from llvmlite import binding  # noqa: PLC0415  # 50 ms

    chosen = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    return f"{chosen} {binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
