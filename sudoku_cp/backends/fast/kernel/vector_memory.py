"""Vectors in memory, which are loaded and stored as `Lanes`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from sudoku_cp.backends.fast.kernel.lane_expressions import INT, Condition, Lanes, constant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet
    from sudoku_cp.backends.fast.kernel.lane_expressions import Builder, Value

START = ir.Constant(INT, 0)


@dataclass(frozen=True)
class Vectors:
    """Vectors in memory: ``vectors[i]`` is the i-th of ``count`` items of ``bits`` bits each.

    They are counted from ``first``, which may be known only at run time, and lie at multiples of an item's size.
    """

    builder: Builder
    address: Value
    bits: int
    count: int
    instruction_set: InstructionSet
    first: Value = START

    @property
    def _type(self) -> Any:
        return ir.VectorType(ir.IntType(self.bits), self.count)

    def of(self, count: int, bits: int | None = None) -> Vectors:
        """Return the same memory as vectors of ``count`` items."""
        return replace(self, count=count, bits=bits or self.bits)

    def lane(self, number: Value) -> Vectors:
        """Return the same memory as single items, counted from a lane known only at run time."""
        return replace(self, count=1, first=number)

    def gather(self, items: Sequence[Lanes]) -> Lanes:
        """Return the first items of these vectors as one vector, followed by zeros."""
        value = constant(0, self._type)
        zero = ir.Constant(ir.IntType(32), 0)
        for place, one in enumerate(items):
            item = self.builder.extract_element(one.value, zero)
            value = self.builder.insert_element(value, item, ir.Constant(ir.IntType(32), place))
        return Lanes(self.builder, value, self.instruction_set)

    def after(self, items: int | Value) -> Vectors:
        """Return the vectors that begin after so many single items."""
        number = ir.Constant(INT, items) if isinstance(items, int) else items
        distance = self.builder.mul(number, ir.Constant(INT, self.bits // 8))
        return replace(self, address=self.builder.add(self.address, distance))

    def starting_at(self, index: Value, step: int = 1) -> Vectors:
        """Return the same vectors counted from number ``index * step``."""
        return replace(self, first=self.builder.mul(index, ir.Constant(INT, step)))

    def pieces(self, items: int, widest: int = 64) -> Iterator[Vectors]:
        """Yield vectors that cover the first ``items`` items and no others, the widest first."""
        start = 0
        while start < items:
            count = min(widest, 1 << (items - start).bit_length() - 1)
            yield replace(self.after(start), count=count)
            start += count

    def _pointer(self, index: int | Value, kind: Any) -> Value:
        base = self.builder.inttoptr(self.address, kind.as_pointer())
        number = ir.Constant(INT, index) if isinstance(index, int) else index
        return self.builder.gep(base, [self.builder.add(self.first, number)])

    def __getitem__(self, index: int | Value) -> Lanes:
        """Load a vector."""
        loaded = self.builder.load(self._pointer(index, self._type), align=self.bits // 8)
        return Lanes(self.builder, loaded, self.instruction_set)

    def __setitem__(self, index: int | Value, lanes: Lanes | int) -> None:
        """Store a vector."""
        value = constant(lanes, self._type) if isinstance(lanes, int) else lanes.value
        self.builder.store(value, self._pointer(index, self._type), align=self.bits // 8)

    def condition(self, index: int) -> Condition:
        """Return the mask of ``count`` bits at ``index`` in an array of such masks."""
        mask = self.builder.load(self._pointer(index, ir.IntType(self.count)), align=1)
        return Condition(self.builder, self.builder.bitcast(mask, ir.VectorType(ir.IntType(1), self.count)))
