"""One group of many boards, as vector instructions that Numba code calls: LLVM would find few of them by itself.

A row of an array is one cell, and is one vector; each of its lanes is a board (see `singles_kernel`).
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.backends.fast.kernel.lane_expressions import INT, Condition, Lanes, constant, select
from sudoku_cp.backends.fast.kernel.vector_memory import Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

Builder: TypeAlias = Any
Value: TypeAlias = Any
"""llvmlite's, which has no types."""


def lanes_of(bits: int) -> int:
    """Return how many boards are worked on at a time, if their sets have so many bits."""
    return host_instruction_set().lanes(bits)


@intrinsic  # type: ignore[untyped-decorator]
def settle_group(_context: Any, candidates: Any, placed: Any, cells: Any, start: Any, stop: Any, house: Any, naked: Any) -> Any:
    """Take what is placed in a group from its candidates, and place its singles; return whether there were any, as Numba code.

    The group is ``cells[start:stop]``. Hidden singles are looked for in a ``house`` only, naked ones only if wanted.
    """

    def codegen(context: Any, builder: Builder, signature: Any, values: list[Value]) -> Value:
        data = [context.make_array(signature.args[number])(context, builder, values[number]).data for number in range(3)]
        bits = signature.args[0].dtype.bitwidth
        instructions = host_instruction_set()
        rows = [Vectors(builder, builder.ptrtoint(where, INT), bits, lanes_of(bits), instructions) for where in data[:2]]
        return _settled(builder, _GroupLoop(builder, data[2], values[3], values[4]), rows[0], rows[1], values[5], values[6])

    return types.boolean(candidates, placed, cells, start, stop, house, naked), codegen


@dataclass(frozen=True)
class _GroupLoop:
    """The cells of a group, which are some of an array."""

    builder: Builder
    cells: Value
    start: Value
    stop: Value

    @contextmanager
    def each(self) -> Iterator[Value]:
        """Emit a loop whose body is what is emitted within: for each of the cells."""
        with cgutils.for_range_slice(self.builder, self.start, self.stop, ir.Constant(INT, 1), INT) as (index, _):
            yield self.builder.load(self.builder.gep(self.cells, [index]))


def _settled(builder: Builder, group: _GroupLoop, candidates: Vectors, placed: Vectors, house: Value, naked: Value) -> Value:
    """Emit the instructions of `settle_group`."""
    kind = ir.VectorType(ir.IntType(candidates.bits), candidates.count)
    nothing = constant(0, kind)

    def lanes(value: Value) -> Lanes:
        return Lanes(builder, value, candidates.instruction_set)

    gone, once, twice, some = (cgutils.alloca_once_value(builder, nothing) for _ in range(4))
    with group.each() as here:
        builder.store((lanes(builder.load(gone)) | placed[here]).value, gone)
    with group.each() as here:
        left = candidates[here] & ~lanes(builder.load(gone))
        candidates[here] = left
        builder.store((lanes(builder.load(twice)) | lanes(builder.load(once)) & left).value, twice)
        builder.store((lanes(builder.load(once)) | left).value, once)
    found = lanes(builder.load(once)) & ~lanes(builder.load(twice))
    found = lanes(builder.select(house, found.value, nothing))
    with builder.if_then(builder.or_(_any(builder, found), naked)), group.each() as here:
        left = candidates[here]
        alone = select((left & left - 1).equals(0), left, 0)
        single = left & found | lanes(builder.select(naked, alone.value, nothing))
        candidates[here] = select(single.equals(0), left, 0)
        placed[here] = placed[here] | single
        builder.store((lanes(builder.load(some)) | single).value, some)
    return _any(builder, lanes(builder.load(some)))


def _any(builder: Builder, sets: Lanes) -> Value:
    """Return whether any set has a member."""
    return builder.icmp_unsigned("!=", Condition.bits(sets.differs(0)), ir.Constant(INT, 0))
