"""The machine that the figures are measured on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sudoku_cp.bench.contestants import cores

SIMD = ("sse4_2", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vpopcntdq", "asimd", "sve", "sve2")
"""The instruction sets that matter, as the Linux kernel names them."""
LIBRARIES = ("sudoku_cp", "numpy", "numba", "llvmlite", "ortools", "python-sat", "cpmpy", "dlxsudoku", "sudokutools", "py-sudoku")
CPUINFO = Path("/proc/cpuinfo")


def describe_machine() -> dict[str, str]:
    """Return the processor, its instruction sets, the system and the versions of libraries."""
    info = _parse_cpuinfo(CPUINFO.read_text(encoding="utf-8") if CPUINFO.is_file() else "")
    flags = (info.get("flags") or info.get("Features") or "").split()
    return {
        "processor": f"{info.get('model name') or platform.processor() or platform.machine()}, {cores()} cores",
        "instructions": " ".join(flag for flag in SIMD if flag in flags) or platform.machine(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": ", ".join([f"Python {platform.python_version()}", *_library_versions()]),
    }


def _parse_cpuinfo(text: str) -> dict[str, str]:
    """Return the fields of the first processor."""
    pairs = (line.partition(":") for line in text.partition("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _library_versions() -> list[str]:
    found = []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
