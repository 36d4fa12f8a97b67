"""The machine that the figures are measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from sudoku_cp.bench.contestants import cores
from sudoku_cp.bench.vector_widths import available_widths, processor_fields

SIMD = ("sse4_2", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vpopcntdq", "asimd", "sve", "sve2")
"""The instruction sets that matter, as the Linux kernel names them."""
LIBRARIES = ("sudoku_cp", "numpy", "numba", "llvmlite", "ortools", "python-sat", "cpmpy", "dlxsudoku", "sudokutools", "py-sudoku")


def describe_machine() -> dict[str, str]:
    """Return the processor, its instruction sets, the one that the kernel uses, the load, the system and the libraries."""
    info = processor_fields()
    flags = (info.get("flags") or info.get("Features") or "").split()
    return {
        "processor": f"{info.get('model name') or platform.processor() or platform.machine()}, {cores()} cores",
        "instructions": " ".join(flag for flag in SIMD if flag in flags) or platform.machine(),
        "kernel": f"{available_widths()[0]} vectors",
        "load": _describe_load(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": ", ".join([f"Python {platform.python_version()}", *_library_versions()]),
    }


def _describe_load() -> str:
    """Return how busy the machine is before the run: on a busy one only CPU seconds and ratios can be compared."""
    return f"{os.getloadavg()[0]:.1f} processes in the minute before" if hasattr(os, "getloadavg") else "unknown"


def _library_versions() -> list[str]:
    found = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
