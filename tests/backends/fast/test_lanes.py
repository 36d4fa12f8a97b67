"""Vector expressions do lane by lane what Python does number by number."""

from __future__ import annotations

import operator
import platform
from functools import partial, reduce

import numpy as np
import pytest
from numba import njit

from sudoku_cp.backends.fast.kernel import lane_expressions
from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet, host_instruction_set
from sudoku_cp.backends.fast.kernel.intrinsics import align_stack, vector_intrinsic
from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

SHAPE = BoardLayout(3, 3, counting=False)
HOST = host_instruction_set()
COUNT = HOST.lanes(SHAPE.bits)
MOST = (1 << SHAPE.bits) - 1
MACHINES = {"host": HOST, "plain": InstructionSet("plain", HOST.vector_bits)}
"""The instructions of this processor, and those of any."""


def applied(kernel, *rows):
    """Return the result of a kernel on vectors: it reads them from index 1 on and writes index 0."""
    memory = np.zeros((1 + len(rows), COUNT), np.uint16)
    memory[1:] = rows
    njit(lambda address: kernel(address))(  # noqa: PLW0108  # an intrinsic is called from compiled code only
        memory.ctypes.data
    )
    return memory[0]


def kernel_of(expression, number, host=HOST):
    """Return a kernel that evaluates an expression of ``number`` vectors."""

    def run(shape, board):
        board[0] = expression(*(board[1 + k] for k in range(number)))

    run.__annotations__ = {"board": "Vectors", "return": "None"}
    return vector_intrinsic(run, SHAPE, host)


def numbers(seed, *shape):
    """Random numbers, the extremes among them."""
    found = np.random.default_rng(seed).integers(0, MOST + 1, shape).astype(np.uint16)
    found[..., :3] = 0, MOST, 1
    return found


OPERATORS = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "not": lambda a, _b: ~a,
    "with a number": lambda a, b: (a & 5) + (b | 3) - 1,
}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    """An operator on lanes is the operator on each, modulo the width."""
    a, b = numbers(1, 2, COUNT)
    wanted = [OPERATORS[name](int(one), int(other)) & MOST for one, other in zip(a, b, strict=True)]
    assert applied(kernel_of(OPERATORS[name], 2), a, b).tolist() == wanted


@pytest.mark.sampled(2)
@pytest.mark.parametrize("host", MACHINES)
@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_union_and_several(number, host):
    """`union` has the bits of any set, `at_least_two` those of at least two, on every machine."""
    rows = numbers(number, number, COUNT)
    rows[:, 5:] &= numbers(9, number, COUNT)[:, 5:]  # fewer bits
    union = applied(kernel_of(lambda *sets: lane_expressions.union(sets), number, MACHINES[host]), *rows)
    assert union.tolist() == reduce(operator.or_, rows).tolist()
    several = applied(kernel_of(lambda *sets: lane_expressions.at_least_two(sets), number, MACHINES[host]), *rows)
    bits = np.unpackbits(rows.view(np.uint8).reshape(number, -1), axis=1).sum(axis=0) >= 2
    assert several.tolist() == np.packbits(bits).view(np.uint16).tolist()


@pytest.mark.parametrize("host", MACHINES)
def test_fused(host):
    """A fused formula gives the formula's result, whether it becomes one instruction or several."""
    rows = numbers(7, 3, COUNT)

    def formula(a, b, c):
        return a & ~b | c & (a ^ b)

    found = applied(kernel_of(partial(lane_expressions.fuse, formula), 3, MACHINES[host]), *rows)
    assert found.tolist() == [formula(*map(int, column)) & MOST for column in rows.T]


def test_select_size_and_order():
    """Conditions choose lane by lane, sizes count bits, the greater of two is the greater, the lesser the lesser."""
    a, b = numbers(3, 2, COUNT)
    found = applied(kernel_of(lambda a, b: lane_expressions.select(a.exceeds(b), a.size(), b), 2), a, b)
    assert found.tolist() == [int(x).bit_count() if x > y else int(y) for x, y in zip(a, b, strict=True)]
    assert applied(kernel_of(lambda a, b: lane_expressions.maximum_of([a, b]), 2), a, b).tolist() == np.maximum(a, b).tolist()
    assert applied(kernel_of(lane_expressions.Lanes.minimum, 2), a, b).tolist() == np.minimum(a, b).tolist()


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_unions_of_others(number):
    """`unions_of_others` has for each set the bits of all the others."""
    rows = numbers(number, number, COUNT)
    for own in range(number):
        found = applied(kernel_of(lambda *sets, own=own: lane_expressions.unions_of_others(sets)[own], number), *rows)
        assert found.tolist() == reduce(operator.or_, np.delete(rows, own, axis=0)).tolist()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="looks for an instruction of x86-64")
def test_stack_is_aligned():
    """A function that calls `align_stack` rounds its stack pointer to a cache line, whoever calls it."""

    @njit
    def run():
        align_stack()

    run()
    assert any("andq\t$-64, %rsp" in code for code in run.inspect_asm().values())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 9])
@pytest.mark.parametrize("host", MACHINES)
def test_parity(number, host):
    """`parity` has the bits of an odd number of the sets."""
    rows = numbers(number, number, COUNT)
    found = applied(kernel_of(lambda *sets: lane_expressions.parity(sets), number, MACHINES[host]), *rows)
    assert found.tolist() == reduce(operator.xor, rows).tolist()


@pytest.mark.parametrize("squares", [1, 2, 4])
def test_bytes_transposed(squares):
    """16 vectors of bytes are transposed in squares; `concatenate` puts the squares of a row side by side."""
    table = np.random.default_rng(6).integers(0, 256, (squares, 16, 16)).astype(np.uint8)
    out = np.zeros((16, squares, 16), np.uint8)

    def run(shape, board, result):
        given = board.of(16, 8)
        rows = [lane_expressions.concatenate([given[16 * square + row] for square in range(squares)]) for row in range(16)]
        for number, column in enumerate(lane_expressions.transpose_bytes(rows)):
            result.of(16 * squares, 8)[number] = column

    run.__annotations__ = {"board": "Vectors", "result": "Vectors", "return": "None"}
    kernel = vector_intrinsic(run, SHAPE, HOST)
    njit(lambda one, other: kernel(one, other))(  # noqa: PLW0108
        table.ctypes.data, out.ctypes.data
    )
    assert (out == table.transpose(2, 0, 1)).all()
