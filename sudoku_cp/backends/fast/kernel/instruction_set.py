"""The vector instructions that the processor has, as far as the kernel uses them."""

from __future__ import annotations

from dataclasses import dataclass

import llvmlite.binding
from numba import config


@dataclass(frozen=True)
class InstructionSet:
    """The instruction set in use: the bits of a vector, and what it has beyond the usual.

    ``ternary``: any logic of three sets at once; ``counting``: the bits of sets; ``galois``: products of matrices of bits.
    """

    name: str
    vector_bits: int
    ternary: bool = False
    counting: bool = False
    galois: bool = False

    def lanes(self, bits: int) -> int:
        """Return how many numbers of so many bits a vector holds."""
        return self.vector_bits // bits


def host_instruction_set() -> InstructionSet:
    """Return what this processor can do, or what ``NUMBA_CPU_FEATURES`` says that it can."""
    chosen = config.CPU_FEATURES
    if chosen is None:
        has = {name for name, there in llvmlite.binding.get_host_cpu_features().items() if there}
    else:
        has = {name[1:] for name in chosen.split(",") if name.startswith("+")}
    if {"avx512bw", "avx512vl"} <= has:
        counting = {"avx512bitalg", "avx512vpopcntdq"} <= has
        return InstructionSet("avx512", 512, ternary=True, counting=counting, galois={"gfni", "avx512vbmi"} <= has)
    return InstructionSet("avx2", 256) if "avx2" in has else InstructionSet("128-bit", 128)
