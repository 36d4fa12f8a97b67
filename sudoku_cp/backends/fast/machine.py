"""What the processor can do with vectors, and what that means for the kernel."""

from __future__ import annotations

from dataclasses import dataclass

import llvmlite.binding
from numba import config


@dataclass(frozen=True)
class Machine:
    """The instruction set in use: the bits of a vector, and what it has beyond the usual.

    ``ternary``: any logic of three sets at once; ``counting``: the bits of sets; ``galois``: products of matrices of bits.
    """

    name: str
    vector: int
    ternary: bool = False
    counting: bool = False
    galois: bool = False

    def lanes(self, bits: int) -> int:
        """Return how many numbers of so many bits a vector holds."""
        return self.vector // bits


def machine() -> Machine:
    """Return what this processor can do, or what ``NUMBA_CPU_FEATURES`` says that it can."""
    told = config.CPU_FEATURES
    if told is None:
        has = {name for name, there in llvmlite.binding.get_host_cpu_features().items() if there}
    else:
        has = {name[1:] for name in told.split(",") if name.startswith("+")}
    if {"avx512bw", "avx512vl"} <= has:
        counting = {"avx512bitalg", "avx512vpopcntdq"} <= has
        return Machine("avx512", 512, ternary=True, counting=counting, galois={"gfni", "avx512vbmi"} <= has)
    return Machine("avx2", 256) if "avx2" in has else Machine("128-bit", 128)
