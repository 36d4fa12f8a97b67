"""Sessions of the compiled tier: a model's arrays, and for each question its own domains, weights and stack."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Clock, Limits, Solution
from sudoku_cp.backends.native.constraint_tables import KEPT
from sudoku_cp.backends.native.kernel import connections, layered_graphs, memory, sum_bounds
from sudoku_cp.backends.native.kernel.search import ALL_FOUND, BACKTRACKING, OUT_OF_TIME, TOO_DEEP
from sudoku_cp.backends.native.kernel_loading import KERNEL, kernel_cache_dir
from sudoku_cp.backends.native.model_arrays import VALUES, ModelArrays, make_arrays
from sudoku_cp.model import AllDifferent, Model, build_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray


COUNTERS = {"nodes": memory.NODES, "backtracks": memory.FAILS, "depth": memory.DEEPEST, "propagations": memory.RUNS}
FIRST_STEPS = 1000
"""Propagator runs and nodes before the first check of the clock; later adjusted so that it is checked every `SLICE` seconds."""
SLICE = 0.02
DEEP = 64
"""Saved states for which there is room at first."""
COPIED = 1 << 18
"""Words of saved states that are copied between two checks of the clock: a board of 12,960 cells can have a gigabyte of them."""
ROOM = 64
"""The most solutions fetched at a time; the first calls fetch fewer."""
NO_LIMIT = 1 << 62
WORD = 64
NUMBERS = 64 + 4 * sum_bounds.GROUPS


class CompiledSession:
    """One model, searched by the compiled kernel."""

    def __init__(self, model: Model) -> None:
        """Keep the model; the first question makes its arrays, within its own limits."""
        self._model = model
        self._arrays: ModelArrays | None = None
        self._ready = False
        self._room: dict[str, NDArray[Any]] = {}
        self._fixed: dict[str, int] = {}
        self._last: _CompiledSearch | None = None
        self._unstarted: list[Assumed] = []

    def counters(self) -> Mapping[str, int]:
        """Return nodes, contradictions, the greatest depth and propagator runs of the last question."""
        control = self._last.control.tolist() if self._last else [0] * memory.CONTROLS
        return {name: control[place] for name, place in COUNTERS.items()}

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``."""
        yield from self.search(assume, limits.started())

    def search(self, assume: Assumed, clock: Clock) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``, within the limits of a running clock."""
        self._last, self._unstarted = None, [assume]
        yield from self.resume(clock)

    def resume(self, clock: Clock) -> Iterator[Solution]:
        """Go on with the last question, which a limit has stopped, within the limits of another clock."""
        clock.check()
        self.prepare(clock)
        if self._arrays and self._unstarted:
            self._last = _CompiledSearch(self._arrays, self._fixed, *self._unstarted)
        self._unstarted = []
        if question := self._last:
            for solution in question.solutions(clock):
                yield solution
                self._last = question  # other questions may have been asked meanwhile

    def unsearched(self) -> list[Assumed]:
        """Return grids, as candidates, that together have the solutions not yet found when a limit stopped the last question."""
        return self._last.leaves() if self._last else self._unstarted

    def prepare(self, clock: Clock) -> None:
        """Make the arrays, and the scratch memory that all questions share: it holds nothing between calls of the kernel."""
        if self._ready:
            return
        self._arrays = arrays = make_arrays(self._model, clock.check)
        self._ready = True
        if arrays:
            self._room = {
                "numbers": np.empty(NUMBERS + 2 * arrays.groups, np.int64),
                "kept_masks": np.empty(KEPT, np.uint64),
                "kept_amounts": np.empty(KEPT, np.int64),
                "sums": np.empty(sum_bounds.ROWS * sum_bounds.WORDS, np.uint64),
                "marks": np.zeros(arrays.longest, np.uint8),
                "seen": np.empty(arrays.longest, np.int32),
                "entered": np.empty(arrays.longest, np.int32),
                "taken": np.empty(arrays.longest, np.int32),
                "missing": np.empty(arrays.longest, np.uint64),
                "memory": np.zeros(2 * layered_graphs.REMEMBERED * arrays.remembered + 1, np.uint64),
                "visits": np.empty(connections.ROWS * arrays.widest, np.int32),
                "areas": np.zeros(arrays.areas + 1, np.int32),
                "seen_labels": np.zeros(arrays.seen_labels + 1, np.uint64),
            }
            self._fixed = arrays.sizes | _addresses_of(arrays.arrays | self._room)


class _CompiledSearch:
    """One search, which can pause and resume at any time."""

    def __init__(self, arrays: ModelArrays, fixed: dict[str, int], assume: Assumed) -> None:
        size, board = arrays.sizes["size"], arrays.sizes["board"]
        self.board = board
        self.flags = arrays.flags
        self.control = np.zeros(memory.CONTROLS, np.int64)
        state_size = arrays.sizes["state_size"]
        self.domains = np.zeros(state_size, np.uint64)
        self.domains[:size] = arrays.domains
        for cell, allowed in assume.items():
            self.domains[cell] &= np.uint64(allowed & VALUES)
        depth = min(size, DEEP)
        self.control[memory.GUESSED] = memory.NOBODY
        self.control[memory.NODES] = 1
        self.control[memory.MOST_DEPTH] = depth
        self._own: dict[str, NDArray[Any]] = {
            "control": self.control,
            "domains": self.domains,
            "weights": arrays.weights.copy(),
            "solutions": np.empty(ROOM * board, np.int64),
            "saved": np.empty(depth * state_size, np.uint64),
            "guesses": np.empty(depth, np.int32),
            "chosen": np.empty(depth, np.uint64),
            "lost": arrays.arrays["house_values"].copy(),
            "changed": np.empty(2 * size, np.int32),  # those that start on it may come twice
            "removed": np.zeros(size, np.uint64),
            "waiting": np.zeros(arrays.sizes["constraints"] // WORD + 1, np.uint64),
        }
        self._fixed = fixed
        self._addresses = memory.Addresses(**fixed, **_addresses_of(self._own))

    def solutions(self, clock: Clock) -> Iterator[Solution]:
        """Yield the solutions not found so far; raise `LimitReached` at a limit."""
        control = self.control
        before, left = int(control[memory.NODES]) - 1, clock.nodes_left()
        spent = clock.nodes - before
        control[memory.MOST_NODES] = NO_LIMIT if left is None else min(before + left + 1, NO_LIMIT)
        control[memory.MOST_FOUND] = 1
        steps, outcome, call = FIRST_STEPS, None, KERNEL.call
        while outcome != ALL_FOUND:
            clock.nodes = spent + int(control[memory.NODES])
            clock.check()
            control[memory.SLICE_END] = control[memory.RUNS] + control[memory.NODES] + steps
            start = clock.elapsed
            outcome = call("search", self._addresses)
            if outcome == OUT_OF_TIME:
                steps = max(FIRST_STEPS, steps * 2 if clock.elapsed - start < SLICE else steps // 2)
            elif outcome == TOO_DEEP:
                self._grow_stack(clock)
            if control[memory.FOUND]:
                yield from self._fetch_solutions()

    def _fetch_solutions(self) -> list[Solution]:
        """Empty the buffer of solutions and return them; allow more of them the next time."""
        control = self.control
        found = int(control[memory.FOUND])
        values = self._own["solutions"][: found * self.board].reshape(found, self.board).tolist()
        control[memory.FOUND] = 0
        control[memory.MOST_FOUND] = min(ROOM, 2 * int(control[memory.MOST_FOUND]))
        return [tuple(one) for one in values]

    def _grow_stack(self, clock: Clock) -> None:
        """Make room for twice as many saved states, unless a limit comes while they are copied: then nothing has changed."""
        depth = int(self.control[memory.MOST_DEPTH])
        grown = {name: np.empty(2 * len(self._own[name]), self._own[name].dtype) for name in ("saved", "guesses", "chosen")}
        for name, larger in grown.items():
            states = self._own[name]
            for start in range(0, len(states), COPIED):
                clock.check()
                larger[start : min(start + COPIED, len(states))] = states[start : start + COPIED]
        self._own |= grown
        self.control[memory.MOST_DEPTH] = 2 * depth
        self._addresses = memory.Addresses(**self._fixed, **_addresses_of(self._own))

    def leaves(self) -> list[Assumed]:
        """Return the saved states and the current one, as candidates of the board and of the flags, which are decided first."""
        size, depth = len(self.domains), int(self.control[memory.DEPTH])
        saved = self._own["saved"].reshape(-1, size)[:depth].tolist()
        # States that guess only other auxiliaries, with the board filled, are all the same grid.
        kept = [*range(self.board), *self.flags]
        states = [state for state, cell in zip(saved, self._own["guesses"].tolist(), strict=False) if cell in kept]
        if len(states) < depth or self.control[memory.PHASE] < BACKTRACKING:
            states.append(self.domains.tolist())
        return [{cell: state[cell] for cell in kept} for state in states if all(state[: self.board])]


def _addresses_of(arrays: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    """Return the addresses of the arrays; the caller must keep them alive."""
    return {name: array.__array_interface__["data"][0] for name, array in arrays.items()}


# The child process that compiles the kernel into the cache.


CODE_SIZE = 4_000_000
"""Bytes that the code may take: if they do not fit on the disk, it is not compiled in vain."""


def compile_kernel() -> None:
    """Compile the kernel into the cache by solving a tiny model, unless another process does so."""
    cache_dir = kernel_cache_dir()
    if cache_dir is None:
        return
    with TemporaryFile(dir=cache_dir) as file:
        file.write(bytes(CODE_SIZE))
    list(CompiledSession(build_model([0b110] * 2, [("warm", [("up", AllDifferent((0, 1)))])])).solutions())
