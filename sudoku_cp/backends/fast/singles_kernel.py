"""Singles on arrays of boards that have the same groups, in compiled code: how many cells of each they leave open.

A **group** is cells that all differ; a **house** is a group with as many cells as there are values, so that each value has a
place in it.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sudoku_cp.backends.fast.kernel import instruction_set, lane_expressions, vector_memory
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.backends.fast.kernel.lane_expressions import INT, Condition, Lanes, constant, select
from sudoku_cp.backends.fast.kernel.vector_memory import Vectors
from sudoku_cp.compile_cache import CachedModule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock


KERNEL = (lane_expressions, instruction_set, vector_memory, sys.modules[__name__])
"""The modules that the code is made of."""
SLICE = 16_000
"""Cells of groups, over all boards at a time, between two looks at the clock: far less than a tenth of a second."""


class FlatGroups(NamedTuple):
    """Groups as arrays: see `survey`. The lowest bit of the ``domains`` stands for the value ``first``."""

    domains: NDArray[Any]
    first: int
    cells: NDArray[np.int64]
    starts: NDArray[np.int64]
    houses: int

    @property
    def bits(self) -> int:
        """The bits of a set: 16, 32 or 64."""
        return 8 * self.domains.itemsize


@lru_cache(maxsize=3)
def singles_code(bits: int) -> CachedModule:
    """Return the compiled code for sets of so many bits."""
    return CachedModule.of_functions(f"singles-{bits}", KERNEL, ("survey",), "the kernel of singles")


def count_open_cells(shape: FlatGroups, boards: NDArray[np.uint8], clock: Clock) -> NDArray[np.int64]:
    """Return how many cells of each board (N, cells) hidden singles leave open, and all singles do (N, 2).

    ``boards`` has values, 0 in blank cells. All cells of a wrong board count as open. Raises `LimitReached`.
    """
    left = np.zeros((len(boards), 2), np.int64)
    together = lanes_of(shape.bits)
    piece = together * max(1, SLICE // (1 + len(shape.cells)))
    for start in range(0, len(boards), piece):
        clock.check()
        own = slice(start, start + piece)
        singles_code(shape.bits).call("survey", boards[own], *shape, together, left[own])
    return left


# Singles on many boards at a time, in Numba's language: a row of an array is one cell, a column (a *lane*) one board.
#
# Candidates and placed values are sets of bits, so that LLVM turns the inner loops, which run over the lanes, into vectors. An
# open cell has candidates and nothing placed, a filled one the other way round. Two bits placed in a cell, or one value twice
# in a group, happen only on boards without a solution; `wrong` finds them.
#
# Rules of this file: ``cells[starts[g] : starts[g + 1]]`` are the cells of group g, the first ``houses`` groups are houses;
# ``rows`` is room for as many rows as its functions name.


BITS = 64
"""The widest set."""


def sweep(candidates: Any, placed: Any, cells: Any, starts: Any, houses: int, naked: bool) -> bool:  # noqa: FBT001
    """Go through the groups once, take what is placed from their candidates and place singles; return whether there were any."""
    some = False
    for group in range(len(starts) - 1):
        some |= settle_group(candidates, placed, cells, starts[group], starts[group + 1], group < houses, naked)
    return some


def place_singles(candidates: Any, placed: Any, cells: Any, starts: Any, houses: int, naked: bool) -> None:  # noqa: FBT001
    """Place hidden singles, and naked ones if wanted, until no board has any; a last sweep updates all groups."""
    quiet = 0
    while quiet < 2:  # noqa: PLR2004
        quiet = 0 if sweep(candidates, placed, cells, starts, houses, naked) else quiet + 1


def begin(candidates: Any, placed: Any, given: Any, lane: int, domains: Any, first: int) -> None:
    """Write a board's givens, 0 in blank cells, into a lane; ``first`` is the value of the lowest bit."""
    for cell in range(len(given)):
        bit = given[cell] - first
        candidates[cell, lane] = domains[cell]
        placed[cell, lane] = 0
        if given[cell]:
            candidates[cell, lane] = 0
            if 0 <= bit < BITS:
                placed[cell, lane] = domains[cell] & np.uint64(1) << np.uint64(bit)


def left_open(placed: Any, lane: int) -> int:
    """Return how many cells of a board are open."""
    number = 0
    for cell in range(placed.shape[0]):
        number += placed[cell, lane] == 0
    return number


def wrong(placed: Any, cells: Any, starts: Any, rows: Any) -> Any:
    """Return for each board a number that is not 0 if it has a value twice in a group, or two in a cell."""
    lanes = placed.shape[1]
    seen, twice = rows[0], rows[1]
    twice[:] = 0
    for group in range(len(starts) - 1):
        seen[:] = 0
        for cell in cells[starts[group] : starts[group + 1]]:
            for lane in range(lanes):
                own = placed[cell, lane]
                twice[lane] |= (seen[lane] & own) | (own & (own - np.uint64(1)))
                seen[lane] |= own
    return twice


def survey(givens: Any, domains: Any, first: int, cells: Any, starts: Any, houses: int, lanes: int, left: Any) -> None:
    """Fill ``left`` (N, 2): how many cells of each board stay open after hidden singles, and after all singles."""
    number, size = givens.shape
    candidates = np.zeros((size, lanes), domains.dtype)
    placed = np.zeros((size, lanes), domains.dtype)
    rows = np.zeros((2, lanes), domains.dtype)
    for start in range(0, number, lanes):
        here = min(lanes, number - start)
        for lane in range(lanes):
            begin(candidates, placed, givens[start + min(lane, here - 1)], lane, domains, first)
        for stage in range(2):
            place_singles(candidates, placed, cells, starts, houses, stage == 1)
            clashes = wrong(placed, cells, starts, rows)
            for lane in range(here):
                opened = left_open(placed, lane)
                left[start + lane, stage] = size if opened == 0 and clashes[lane] else opened


# One group of many boards, as vector instructions that Numba code calls: LLVM would find few of them by itself.
#
# A row of an array is one cell, and is one vector; each of its lanes is a board (see `survey`).


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
