"""Sets of values as the bits of a machine word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types, uint64
from numba.extending import intrinsic

from sudoku_cp.callee_compiler import compiled_callee

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Mask: TypeAlias = np.uint64
"""A set of values: bit v is set if it contains value v."""

NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = ~NONE
LAST = 63
"""The highest bit of a word."""

compiled = compiled_callee()
inlined = compiled_callee(forceinline=True)


def _of_a_word(emit: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the types and the code of an intrinsic that turns a word into a number."""

    def codegen(_context: Any, builder: Any, _signature: Any, values: Sequence[Any]) -> Any:
        return emit(builder, values[0])

    return types.int64(types.uint64), codegen


@intrinsic
def smallest(_context: Any, mask: Any) -> Any:  # noqa: ARG001
    """Return the smallest value of a set that is not empty."""
    return _of_a_word(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))


@intrinsic
def leading_zeros(_context: Any, mask: Any) -> Any:  # noqa: ARG001
    """Return the number of zeros before the highest bit of a set that is not empty."""
    return _of_a_word(lambda builder, word: builder.ctlz(word, ir.Constant(ir.IntType(1), 1)))


@intrinsic
def size_of(_context: Any, mask: Any) -> Any:  # noqa: ARG001
    """Return how many values a set has."""
    return _of_a_word(lambda builder, word: builder.ctpop(word))


@intrinsic
def mirrored(_context: Any, mask: Any) -> Any:  # noqa: ARG001
    """Return the set with the value 63 - v for each value v."""
    return types.uint64(types.uint64), lambda _context, builder, _signature, values: builder.bitreverse(values[0])


@inlined
def largest(mask: Mask) -> int:
    """Return the largest value of a set that is not empty."""
    return LAST - leading_zeros(mask)


@inlined
def bit(value: int) -> Mask:
    """Return the set of one value."""
    return ONE << uint64(value)


@inlined
def lowest(mask: Mask) -> Mask:
    """Return the set of the smallest value alone."""
    return mask & (~mask + ONE)


@inlined
def without_lowest(mask: Mask) -> Mask:
    """Return the set without its smallest value."""
    return mask & (mask - ONE)


@inlined
def is_single(mask: Mask) -> bool:
    """Return whether a set that is not empty has one value."""
    return mask & (mask - ONE) == NONE


@inlined
def from_value(value: int) -> Mask:
    """Return the set of all values from ``value`` on."""
    return ALL << uint64(value)


@inlined
def up_to(value: int) -> Mask:
    """Return the set of all values up to ``value``."""
    return ALL >> uint64(LAST - value)
