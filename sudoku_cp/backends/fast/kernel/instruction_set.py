"""The processor's vector instructions that the kernel uses."""

from __future__ import annotations

from dataclasses import dataclass

import llvmlite.binding
from numba import config


@dataclass(frozen=True)
class InstructionSet:
    """The instruction set in use: the bits of a vector, and which special instructions there are.

    ``ternary``: any logical function of three sets; ``counting``: set sizes.
    """

    name: str
    vector_bits: int
    ternary: bool = False
    counting: bool = False

    def lanes(self, bits: int) -> int:
        """Return how many numbers of ``bits`` bits a vector holds."""
        return self.vector_bits // bits


def host_instruction_set() -> InstructionSet:
    """Return the instruction set of this processor, or the one that ``NUMBA_CPU_FEATURES`` describes."""
    chosen = config.CPU_FEATURES
    if chosen is None:
        has = {name for name, there in llvmlite.binding.get_host_cpu_features().items() if there}
    else:
        has = {name[1:] for name in chosen.split(",") if name.startswith("+")}
    if {"avx512bw", "avx512vl"} <= has:
        counting = {"avx512bitalg", "avx512vpopcntdq"} <= has
        return InstructionSet("avx512", 512, ternary=True, counting=counting)
    return InstructionSet("avx2", 256) if "avx2" in has else InstructionSet("128-bit", 128)
