"""The child process that compiles the kernel into the cache."""

from __future__ import annotations

from tempfile import TemporaryFile

from sudoku_cp.backends.native.compiled_session import CompiledSession
from sudoku_cp.backends.native.kernel_loading import kernel_cache_dir
from sudoku_cp.model import AllDifferent, build_model

CODE_SIZE = 4_000_000
"""Bytes that the code may take: if they do not fit on the disk, it is not compiled in vain."""


def compile_kernel() -> None:
    """Compile the kernel into the cache by solving a tiny model, unless another process does so."""
    cache_dir = kernel_cache_dir()
    if cache_dir is None:
        return
    with TemporaryFile(dir=cache_dir) as file:
        file.write(bytes(CODE_SIZE))
    list(CompiledSession(build_model([0b110] * 2, [("warm", [("up", AllDifferent((0, 1)))])])).solutions())
