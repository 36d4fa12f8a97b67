"""The engines that solve models. Importing this package imports no engine and no solver library.

An engine is named ``sat``, or ``sat:cadical153`` if it comes in several kinds: the part after the colon is passed to the engine.
Other packages add engines through the entry-point group ``sudoku_cp.backends``.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.backends.base import (
    NOTHING,
    UNLIMITED,
    ArrayAnswer,
    Assumed,
    Backend,
    Cancellation,
    Clock,
    Harvest,
    Limits,
    Session,
    Solution,
    SupportsAnsweredBy,
    SupportsArrays,
    SupportsCounters,
    SupportsHarvest,
    SupportsResuming,
    SupportsTracing,
    SupportsUnsearched,
)
from sudoku_cp.backends.guarded_sessions import load_engine
from sudoku_cp.errors import BackendMissing, UnknownName
from sudoku_cp.interrupts import defer_interrupts
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.model import Model

BUILT_IN = MappingProxyType(
    {
        "fast": "sudoku_cp.backends.fast.session:Fast",
        "cpsat": "sudoku_cp.backends.cpsat:CpSat",
        "sat": "sudoku_cp.backends.sat:Sat",
        "native": "sudoku_cp.backends.native.tiers:Native",
        "race": "sudoku_cp.backends.race:Race",
        "dimacs": "sudoku_cp.backends.external:Dimacs",
        "minizinc": "sudoku_cp.backends.external:MiniZinc",
    }
)
"""The class of each engine of this package."""


@lru_cache(maxsize=1)
def known_backends() -> dict[str, str]:
    """Return the class of every engine, including those of other packages, which cannot replace ours."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # 12 ms that few calls need

    return {point.name: point.value for point in entry_points(group="sudoku_cp.backends")} | BUILT_IN


@checked
@lru_cache(maxsize=32)
def backend(name: str) -> Backend:
    """Return the engine of that name, the same object each time; its library is imported only now."""
    return new_backend(name)


def new_backend(name: str) -> Backend:
    """Return a new engine of that name: what a shared one has learnt can change which solution comes first."""
    family, _, kind = name.partition(":")
    where = BUILT_IN.get(family) or known_backends().get(family)
    if where is None:
        raise UnknownName("backend", name, known_backends())

    def load() -> Backend:
        engine = _engine_class(family, where)
        found: Backend = engine(kind) if kind else engine()
        return found

    return load() if family in BUILT_IN else load_engine(load, name)


def _engine_class(family: str, where: str) -> Callable[..., Backend]:
    """Return the class of an engine; ``where`` is its module and its name."""
    module, _, attribute = where.partition(":")
    try:
        with defer_interrupts(), loading():
            found: Callable[..., Backend] = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        # A package that has been imported is installed: a module missing from it, as from ours, is a defect to be shown.
        if error.name is None or sys.modules.get(error.name.partition(".")[0]) is not None:
            raise
        raise BackendMissing(f"backend {family!r} needs {error.name!r}, which is not installed") from error
    return found


# --- what ``auto`` means ------------------------------------------------------------------------------------------


def _plain(model: Model) -> bool:
    """Return whether the model is a plain grid that `fast` supports."""
    if not model.is_houses:
        return False
    from sudoku_cp.backends.fast.box_shapes import shape_of  # noqa: PLC0415  # other models need none of it

    return shape_of(model) is not None


MANY, MANY_LOADED = 1000, 50
"""How many plain puzzles make the kernel worth while, and how many once it is loaded. It takes 0.3 s to load (seconds, once a
machine, to compile), 0.1 ms for a call, and then 0.0002 ms for a puzzle of 17 clues and 0.01 for one of the hardest, for which
big integers take 0.17 and 4: it pays from 1,700 of the former or 70 of the latter; once it is loaded, from a few."""
WIDE = 256
"""The most cells for which the kernel is faster: it solves 16x16 40 to 130 times as fast as SAT, but of the twelve settled 25x25
boards of Gecode only three within 40 s, while SAT, which learns from conflicts, solves each in 2 s."""


def _for_lanes(model: Model, expected_count: int) -> bool:
    if expected_count < MANY_LOADED or model.board > WIDE or not _plain(model):
        return False
    from sudoku_cp.backends.fast.box_shapes import LOADED, shape_of  # noqa: PLC0415  # as above

    return expected_count >= MANY or shape_of(model) in LOADED


CHOICES: tuple[tuple[str, Callable[[Model, int], bool], str], ...] = (
    ("plain grids by the thousand, up to 16x16", _for_lanes, "fast:lanes"),
    ("plain grids", lambda model, expected_count: _plain(model), "fast:bigint"),  # noqa: ARG005
    ("other rules", lambda model, expected_count: True, "race"),  # noqa: ARG005
    ("all else", lambda model, expected_count: True, "sat"),  # noqa: ARG005
)
"""What ``auto`` means: the engine of the first line that fits.

Measured on cold processes (ms until the last answer, minima):

| puzzles | fast:bigint | native | sat | cpsat |
|---|---:|---:|---:|---:|
| 1 easy | 1.3 | 1.7 | 27 | 347 |
| 100 easy | 15 | 47 | 48 | 751 |
| 1 of 17 clues | 1.8 | 12 | 27 | |
| 100 of 17 clues | 21 | 143 | 50 | |
| 1 of the hardest | 6 | 55 | 28 | |
| 100 of the hardest | 426 | 3104 | 224 | |
| 1 of 16x16 | 4 | 19 | 143 | |
| 100 of 16x16 | 488 | 9907 | 356 | |

On other rules native is faster for three puzzles out of four, and SAT for some that take native a long time: see `race`.
"""

NON_LEARNING = frozenset(["fast:lanes", "fast:bigint"])
"""Engines that do not learn from conflicts: fast as a rule, and hopeless on a few grids, most of them large."""
TEAMS = frozenset(["race"])
"""Engines in which several compete: which of them answers first depends on timing."""
FALLBACK_NODES = 500
"""Nodes without a solution after which ``auto`` turns from a `NON_LEARNING` engine to SAT: 20 ms at 9x9, 0.3 s at 25x25,
about what SAT takes to load there."""


LANE_NODES = 4_000_000
"""Nodes without a solution after which ``auto`` turns from the lane kernel to SAT: about two seconds."""
SHORT_CONFLICTS = 2_000
"""Conflicts that SAT has where the lane kernel would have to be loaded first; they answer most questions about 9x9."""


def fallbacks(engine: str, model: Model) -> Iterator[tuple[str, int | None]]:
    """Yield the engines to which ``auto`` turns when a `NON_LEARNING` one spends its nodes, each with nodes of its own.

    SAT has the last word. Before it, the lane kernel answers in milliseconds what takes SAT seconds: plain grids with many
    solutions to refute. It is compiled for nobody's question.
    """
    if engine == "fast:bigint" and model.board <= WIDE:
        from sudoku_cp.backends.fast.box_shapes import LOADED, shape_of  # noqa: PLC0415  # as above

        boxes = shape_of(model)
        if boxes in LOADED:
            yield "fast:lanes", LANE_NODES
        else:
            yield "sat", SHORT_CONFLICTS
            if boxes is not None and _has_lane_kernel(boxes):
                yield "fast:lanes", LANE_NODES
    yield "sat", None


def _has_lane_kernel(boxes: tuple[int, int]) -> bool:
    """Return whether the lane kernel for grids with such boxes has been compiled; if not, begin that for the next question."""
    try:
        from sudoku_cp.backends.fast.lane_kernel import cached_or_started  # noqa: PLC0415  # NumPy, for hard puzzles alone
    except ImportError:
        return False
    return cached_or_started(boxes)


def choose(model: Model, expected_count: int = 1, *, learning_only: bool = False) -> str:
    """Return the name of the engine that ``auto`` means for so many puzzles of a model; ``learning_only`` gives SAT."""
    refused = NON_LEARNING | TEAMS if learning_only else frozenset()
    return next(engine for _, fits, engine in CHOICES if engine not in refused and fits(model, expected_count))


__all__ = [
    "BUILT_IN",
    "FALLBACK_NODES",
    "MANY",
    "NON_LEARNING",
    "NOTHING",
    "TEAMS",
    "UNLIMITED",
    "ArrayAnswer",
    "Assumed",
    "Backend",
    "Cancellation",
    "Clock",
    "Harvest",
    "Limits",
    "Session",
    "Solution",
    "SupportsAnsweredBy",
    "SupportsArrays",
    "SupportsCounters",
    "SupportsHarvest",
    "SupportsResuming",
    "SupportsTracing",
    "SupportsUnsearched",
    "backend",
    "choose",
    "fallbacks",
    "known_backends",
    "new_backend",
]
