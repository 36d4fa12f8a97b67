"""The instruction sets that the batch kernel has code for: which one this processor gets, and how to leave the wider ones out."""

from __future__ import annotations

from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")
WIDTHS = ("avx512", "avx2", "128-bit")
"""The instruction sets, the widest first."""
_LEFT_OUT = {"avx2": ("avx512", "avx10", "gfni"), "128-bit": ("avx", "gfni", "fma", "f16c", "xop", "vaes", "vpclmul")}
"""How the features begin that a narrower set does without."""


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
    from llvmlite import binding  # noqa: PLC0415  # 50 ms

    features = binding.get_host_cpu_features().items()
    return {
        "NUMBA_CPU_NAME": binding.get_host_cpu_name(),
        "NUMBA_CPU_FEATURES": ",".join(
            f"{'+' if present and not name.startswith(_LEFT_OUT[width]) else '-'}{name}" for name, present in sorted(features)
        ),
    }
