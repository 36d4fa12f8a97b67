"""The machine that figures are measured on: its processor, and the instruction sets that the batch kernel has code for."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from os import cpu_count
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
WIDTHS = ("avx512", "avx2", "128-bit")
"""The instruction sets, the widest first."""
_LEFT_OUT = {"avx2": ("avx512", "avx10", "gfni"), "128-bit": ("avx", "gfni", "fma", "f16c", "xop", "vaes", "vpclmul")}
"""How the features begin that a narrower set does without."""


def cores() -> int:
    """Return the number of cores."""
    return cpu_count() or 1


def processor_fields() -> dict[str, str]:
    """Return what Linux says of the first processor; nothing elsewhere."""
    return parse_cpuinfo(CPUINFO.read_text(encoding="utf-8") if CPUINFO.is_file() else "")


def parse_cpuinfo(text: str) -> dict[str, str]:
    """Return the fields of the first processor."""
    pairs = (line.partition(":") for line in text.partition("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def available_widths() -> tuple[str, ...]:
    """Return the known instruction sets of this processor; the first is the one that the kernel uses."""
    flags = set(processor_fields().get("flags", "").split())
    missing = 0 if {"avx512bw", "avx512vl"} <= flags else 1 if "avx2" in flags else 2
    return WIDTHS[missing:]


def environment_without_wider(width: str) -> dict[str, str]:
    """Return the environment in which Numba compiles for no more than an instruction set, if set before it is imported."""
    from llvmlite import binding  # 50 ms

    features = binding.get_host_cpu_features().items()
    return {
        "NUMBA_CPU_NAME": binding.get_host_cpu_name(),
        "NUMBA_CPU_FEATURES": ",".join(
            f"{'+' if present and not name.startswith(_LEFT_OUT[width]) else '-'}{name}" for name, present in sorted(features)
        ),
    }


# The machine that the figures are measured on.


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
