"""Numba intrinsics: they make functions over vectors callable from Numba code, and give such code access to memory."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sudoku_cp.backends.fast.kernel.lane_expressions import INT
from sudoku_cp.backends.fast.kernel.vector_memory import Vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet
    from sudoku_cp.backends.fast.kernel.lane_expressions import Builder, Value
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

CACHE_LINE = 64
"""Bytes."""
Intrinsic: TypeAlias = Any
"""A function that Numba code may call."""


def vector_intrinsic(
    function: Callable[..., Any], layout: BoardLayout, instruction_set: InstructionSet, *, masks: int = 0
) -> Intrinsic:
    """Make ``function(layout, *parameters)`` callable from Numba code, every parameter an integer.

    Parameters annotated as `Vectors` are addresses of vectors with an item of the layout in each lane. The result is ``masks``
    conditions, as bit masks; or, without masks, an integer or nothing, as the function is annotated.
    """
    names = list(inspect.signature(function).parameters)[1:]
    annotations = inspect.get_annotations(function)
    returned = types.UniTuple(types.uint64, masks) if masks else types.void if annotations["return"] == "None" else types.int64

    def emit(_context: Any, *_arguments: Any) -> Any:
        def codegen(context: Any, builder: Builder, signature: Any, values: Sequence[Value]) -> Value:
            lanes = instruction_set.lanes(layout.bits)
            arguments = [
                Vectors(builder, value, layout.bits, lanes, instruction_set) if annotations[name] == "Vectors" else value
                for name, value in zip(names, values, strict=True)
            ]
            results = function(layout, *arguments)
            if masks:
                return context.make_tuple(builder, signature.return_type, [mask.bits() for mask in results])
            return context.get_dummy_value() if results is None else results

        return returned(*(types.uintp if annotations[name] == "Vectors" else types.intp for name in names)), codegen

    # Numba reads the names of an intrinsic's parameters.
    scope = {"emit": emit}
    parameters = ", ".join(["context", *names])
    exec(f"def {function.__name__}({parameters}): return emit({parameters})", scope)  # noqa: S102
    return intrinsic(scope[function.__name__])


@intrinsic  # type: ignore[untyped-decorator]
def trailing_zeros(_context: Any, number: Any) -> Any:  # noqa: ARG001
    """Return the index of the lowest bit that is set, as Numba code."""

    def codegen(_context: Any, builder: Builder, _signature: Any, values: Sequence[Value]) -> Value:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def address_of(_context: Any, pointer: Any, index: Any) -> Any:  # noqa: ARG001
    """Return the address of an item of an array given by a pointer, as Numba code."""

    def codegen(_context: Any, builder: Builder, _signature: Any, values: Sequence[Value]) -> Value:
        return builder.ptrtoint(builder.gep(values[0], [values[1]]), INT)

    return types.uintp(pointer, types.intp), codegen


@intrinsic  # type: ignore[untyped-decorator]
def fetch_and_add(_context: Any, pointer: Any, number: Any) -> Any:  # noqa: ARG001
    """Add a number to the first item of an array in one step, whatever other threads do; return what it was, as Numba code."""

    def codegen(_context: Any, builder: Builder, _signature: Any, values: Sequence[Value]) -> Value:
        return builder.atomic_rmw("add", *values, "monotonic")

    return types.int64(pointer, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def align_stack(_context: Any) -> Any:
    """Let the function that calls this begin its stack frame on a cache line, as Numba code.

    Else a caller's frame decides whether the vectors kept there lie across cache lines, which takes up to half as long again.
    """

    def codegen(context: Any, builder: Builder, _signature: Any, _values: Sequence[Value]) -> Value:
        room = cgutils.alloca_once(builder, ir.IntType(8))
        room.align = CACHE_LINE
        # No instruction, but a use that LLVM cannot see through: the variable stays.
        builder.asm(ir.FunctionType(ir.VoidType(), [room.type]), "", "r", [room], side_effect=True)
        return context.get_dummy_value()

    return types.void(), codegen


def pointer_to(item: Any) -> Intrinsic:
    """Return an intrinsic that turns an address into a pointer to an array of such items."""

    def pointer(_context: Any, address: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Builder, signature: Any, values: Sequence[Value]) -> Value:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(item)(types.uintp), codegen

    return intrinsic(pointer)
