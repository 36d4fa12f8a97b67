"""Vector expressions: a rule written once as plain Python over `Lanes`, compiled to SIMD instructions.

A function given to `intrinsics.vector_intrinsic` runs once, while Numba compiles its caller. Its `Lanes` are LLVM vectors under
construction: ``a & ~b | c`` emits instructions instead of computing anything, loops are unrolled, and tuples, dictionaries and
functions cost nothing at run time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir
from numba.core import cgutils

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet

Builder: TypeAlias = Any
Value: TypeAlias = Any
"""Objects of llvmlite, which has no type annotations."""

INT = ir.IntType(64)
BYTE = 8


@dataclass(frozen=True, eq=False)
class Lanes:
    """A vector of unsigned numbers, with the usual operators lane by lane."""

    builder: Builder
    value: Value
    instruction_set: InstructionSet

    def _with(self, value: Value) -> Lanes:
        return Lanes(self.builder, value, self.instruction_set)

    def _operand(self, other: Lanes | int) -> Value:
        return constant(other, self.value.type) if isinstance(other, int) else other.value

    def _emit(self, instruction: str, other: Lanes | int) -> Lanes:
        return self._with(getattr(self.builder, instruction)(self.value, self._operand(other)))

    def __and__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("and_", other)

    def __or__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("or_", other)

    def __xor__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("xor", other)

    def __add__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("add", other)

    def __sub__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("sub", other)

    def __mul__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("mul", other)

    def __lshift__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("shl", other)

    def __rshift__(self, other: Lanes | int) -> Lanes:  # noqa: D105
        return self._emit("lshr", other)

    def __rlshift__(self, number: int) -> Lanes:  # noqa: D105
        return self._with(constant(number, self.value.type)) << self

    def __invert__(self) -> Lanes:  # noqa: D105
        return self ^ -1

    def equals(self, other: Lanes | int) -> Condition:
        """Return in which lanes the two are equal."""
        return self._compare("==", other)

    def differs(self, other: Lanes | int) -> Condition:
        """Return in which lanes they are not."""
        return self._compare("!=", other)

    def exceeds(self, other: Lanes | int) -> Condition:
        """Return in which lanes this is the greater."""
        return self._compare(">", other)

    def _compare(self, operator: str, other: Lanes | int) -> Condition:
        return Condition(self.builder, self.builder.icmp_unsigned(operator, self.value, self._operand(other)))

    def size(self) -> Lanes:
        """Return the number of bits set in each lane."""
        return self._with(call_llvm(self.builder, "ctpop", self.value.type, [self.value]))

    def maximum(self, other: Lanes) -> Lanes:
        """Return the greater of the two, lane by lane."""
        return self._with(call_llvm(self.builder, "umax", self.value.type, [self.value, other.value]))

    def minimum(self, other: Lanes) -> Lanes:
        """Return the lesser of the two, lane by lane."""
        return self._with(call_llvm(self.builder, "umin", self.value.type, [self.value, other.value]))

    def total(self) -> Value:
        """Return the sum of all lanes, as an integer."""
        item = self.value.type.element
        name = f"llvm.vector.reduce.add.{_suffix(self.value.type)}"
        function = cgutils.get_or_insert_function(self.builder.module, ir.FunctionType(item, [self.value.type]), name)
        found = self.builder.call(function, [self.value])
        return found if item.width == INT.width else self.builder.zext(found, INT)

    def join(self, other: Lanes) -> Lanes:
        """Return the lanes of both, one vector after the other."""
        count = self.value.type.count
        return self.shuffle(range(2 * count), other)

    def shuffle(self, order: Iterable[int], other: Lanes | None = None) -> Lanes:
        """Return the lanes with these indices; those of ``other`` are numbered after these."""
        places = list(order)
        spread = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
        more = self.value if other is None else other.value
        return self._with(self.builder.shuffle_vector(self.value, more, spread))

    def broadcast(self, number: Value) -> Lanes:
        """Return an integer known only at run time, in every lane."""
        kind = self.value.type
        item = self.builder.trunc(number, kind.element) if kind.element.width < INT.width else number
        undefined = ir.Constant(kind, ir.Undefined)
        one = self.builder.insert_element(undefined, item, ir.Constant(ir.IntType(32), 0))
        return self._with(one).shuffle([0] * kind.count)

    def constants(self, each: Sequence[int]) -> Lanes:
        """Return the constants ``each``, one in each lane."""
        return self._with(ir.Constant(self.value.type, list(each)))

    def cast(self, bits: int) -> Lanes:
        """Return the same bits as lanes of another width."""
        own = self.value.type
        kind = ir.VectorType(ir.IntType(bits), own.count * own.element.width // bits)
        return self._with(self.builder.bitcast(self.value, kind))

    def resize(self, bits: int) -> Lanes:
        """Return the same numbers in lanes of ``bits`` bits, truncated if those are narrower."""
        own = self.value.type
        if bits == own.element.width:
            return self
        change = self.builder.zext if bits > own.element.width else self.builder.trunc
        return self._with(change(self.value, ir.VectorType(ir.IntType(bits), own.count)))


@dataclass(frozen=True, eq=False)
class Condition:
    """A truth value for each lane."""

    builder: Builder
    value: Value

    def __and__(self, other: Condition) -> Condition:  # noqa: D105
        return Condition(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Condition) -> Condition:  # noqa: D105
        return Condition(self.builder, self.builder.or_(self.value, other.value))

    def __invert__(self) -> Condition:  # noqa: D105
        return Condition(self.builder, self.builder.not_(self.value))

    def number(self, like: Lanes) -> Lanes:
        """Return the truth values as a vector of one number, with lane 0 in the lowest bit."""
        return replace(like, value=self.builder.bitcast(self.bits(), ir.VectorType(INT, 1)))

    def bits(self) -> Value:
        """Return the truth values as an integer of 64 bits, with lane 0 in the lowest."""
        mask = self.builder.bitcast(self.value, ir.IntType(self.value.type.count))
        return mask if mask.type.width == INT.width else self.builder.zext(mask, INT)


def constant(number: int, vector: Any) -> Any:
    """Return the same number in every lane of a vector of that type."""
    return ir.Constant(vector, [number % (1 << vector.element.width)] * vector.count)


def call_llvm(builder: Builder, name: str, result: Any, operands: Sequence[Value]) -> Value:
    """Emit a call of the LLVM intrinsic of that name on vectors of one type."""
    function = ir.FunctionType(result, [operand.type for operand in operands])
    full = f"llvm.{name}.{_suffix(operands[0].type)}"
    return builder.call(cgutils.get_or_insert_function(builder.module, function, full), operands)


def _suffix(vector: Any) -> str:
    return f"v{vector.count}i{vector.element.width}"


def select(condition: Condition, then: Lanes | int, otherwise: Lanes | int) -> Lanes:
    """Return ``then`` or ``otherwise``, lane by lane; at least one of the two must be `Lanes`."""
    model = then if isinstance(then, Lanes) else otherwise
    assert isinstance(model, Lanes)  # noqa: S101
    then, otherwise = (model._operand(choice) for choice in (then, otherwise))  # noqa: SLF001
    return model._with(condition.builder.select(condition.value, then, otherwise))  # noqa: SLF001


def fuse(formula: Callable[..., Any], a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """Return a formula of three sets; with ternary logic it is one instruction, whose operand is the formula's truth table."""
    if not a.instruction_set.ternary:
        result: Lanes = formula(a, b, c)
        return result
    table = ir.Constant(ir.IntType(32), formula(0xF0, 0xCC, 0xAA) & 0xFF)
    own = a.value.type
    count = own.count * own.element.width // INT.width
    quads = ir.VectorType(INT, count)
    sets = [a.builder.bitcast(one.value, quads) for one in (a, b, c)]
    name = f"llvm.x86.avx512.pternlog.q.{count * INT.width}"
    function = ir.FunctionType(quads, [quads, quads, quads, table.type])
    found = a.builder.call(cgutils.get_or_insert_function(a.builder.module, function, name), [*sets, table])
    return a._with(a.builder.bitcast(found, own))  # noqa: SLF001


def union(sets: Iterable[Lanes]) -> Lanes:
    """Return the bits set in any of the sets."""
    first, *rest = sets
    while len(rest) > 1:
        first, rest = fuse(lambda a, b, c: a | b | c, first, rest[0], rest[1]), rest[2:]
    return first | rest[0] if rest else first


def unions_of_others(sets: Sequence[Lanes]) -> list[Lanes]:
    """Return for each of several sets the bits that are set in any other."""
    before, after = [list(accumulate(some[:-1], or_)) for some in (sets, sets[::-1])]
    inner = [one | other for one, other in zip(before[:-1], after[-2::-1], strict=True)]
    return [after[-1], *inner, before[-1]]


def parity(sets: Iterable[Lanes]) -> Lanes:
    """Return the bits set in an odd number of the sets."""
    first, *rest = sets
    while len(rest) > 1:
        first, rest = fuse(lambda a, b, c: a ^ b ^ c, first, rest[0], rest[1]), rest[2:]
    return first ^ rest[0] if rest else first


def maximum_of(numbers: Iterable[Lanes]) -> Lanes:
    """Return the greatest of the numbers, lane by lane."""
    return reduce(Lanes.maximum, numbers)


def at_least_two(sets: Sequence[Lanes]) -> Lanes:
    """Return the bits set in at least two of the sets."""
    if len(sets) == 2:  # noqa: PLR2004
        return sets[0] & sets[1]
    found = fuse(lambda a, b, c: a & b | c & (a | b), *sets[:3])
    seen = union(sets[:3])
    for one in sets[3:]:
        found, seen = fuse(lambda found, seen, one: found | seen & one, found, seen, one), seen | one
    return found


def concatenate(parts: Sequence[Lanes]) -> Lanes:
    """Return the lanes of all parts, one after the other. The number of parts must be a power of two."""
    whole = list(parts)
    while len(whole) > 1:
        whole = [one.join(other) for one, other in zip(whole[::2], whole[1::2], strict=True)]
    return whole[0]


def transpose_bytes(rows: Sequence[Lanes]) -> list[Lanes]:
    """Transpose 16 vectors of bytes in squares of 16 x 16, each within 128 bits: byte k of row i becomes byte i of row k."""
    whole, side = list(rows), 16
    count = whole[0].value.type.count
    # Four times: interleave the first half of the rows with the second.
    halves = [
        [square + start + place // 2 + place % 2 * count for square in range(0, count, side) for place in range(side)]
        for start in (0, side // 2)
    ]
    for _ in range(4):
        pairs = zip(whole[: side // 2], whole[side // 2 :], strict=True)
        whole = [one.shuffle(half, other) for one, other in pairs for half in halves]
    return whole
