"""Functions in Numba's language, compiled together and kept."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import BackendMissing
from sudoku_cp.kept import Code, folder_for, has_code

if TYPE_CHECKING:
    from collections.abc import Callable


@lru_cache(maxsize=32)
def code_of(name: str, modules: tuple[ModuleType, ...], called: str) -> Code:
    """Return the code of the functions that ``modules`` list as their ``FUNCTIONS``, of which one is to be ``called`` and kept.

    A function may call those before it. ``modules`` are all that the code is made of. ``name`` is for the folder and the log;
    code for other types needs another name. Raises `BackendMissing` where Numba's compiler is turned off.
    """
    from numba import config  # noqa: PLC0415

    if config.DISABLE_JIT:
        raise BackendMissing(f"{name} needs Numba's compiler, which NUMBA_DISABLE_JIT turns off")
    return Code(lambda folder: _made(modules, called, folder), lambda: _folder(name, modules), name)


def is_kept(name: str, modules: tuple[ModuleType, ...]) -> bool:
    """Say whether that code is on disk, so that it need not be compiled."""
    return has_code(_folder(name, modules))


def _folder(name: str, modules: tuple[ModuleType, ...]) -> Path | None:
    from llvmlite import binding  # noqa: PLC0415

    from sudoku_cp.backends.fast.machine import machine  # noqa: PLC0415

    sources = [Path(str(module.__file__)) for module in modules]
    features = binding.get_host_cpu_features().flatten()
    # Numba itself looks where the source lies and when it changed.
    times = [(source, source.stat().st_mtime_ns) for source in sources]
    return folder_for(name, sources, binding.get_host_cpu_name(), features, machine(), *times)


def _made(modules: tuple[ModuleType, ...], called: str, folder: Path | None) -> Any:
    from numba import njit  # noqa: PLC0415

    namespace: dict[str, Any] = {}
    functions: list[Callable[..., Any]] = []
    for module in modules:
        if hasattr(module, "FUNCTIONS"):
            namespace |= vars(module)
            functions += module.FUNCTIONS
    for function in functions:
        keep = folder is not None and function.__name__ == called
        own = FunctionType(function.__code__, namespace, function.__name__)
        namespace[function.__name__] = njit(nogil=True, error_model="numpy", cache=keep)(own)
    return SimpleNamespace(**{called: namespace[called]})
