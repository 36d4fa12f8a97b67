"""The engines that can answer a model. Importing this room imports no engine and no solver library.

An engine is named ``sat``, or ``sat:cadical153`` where it comes in several kinds: what follows the colon is handed to
the engine. Other packages add engines through the entry-point group ``sudoku_cp.backends``.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import (
    NOTHING,
    UNLIMITED,
    Assumed,
    Backend,
    Cancellation,
    Clock,
    Counters,
    Limits,
    Session,
    Solution,
    Traces,
)
from sudoku_cp.errors import BackendMissing, UnknownName

if TYPE_CHECKING:
    from sudoku_cp.model import Model

BUILT_IN = MappingProxyType(
    {
        "cpsat": "sudoku_cp.backends.cpsat:CpSat",
        "sat": "sudoku_cp.backends.sat:Sat",
        "native": "sudoku_cp.backends.native.search:Native",
    }
)
"""Where each engine of ours is found."""

FEW = 16
"""So many plain puzzles are solved by the native engine before importing a solver library would have paid."""


@lru_cache(maxsize=1)
def known() -> dict[str, str]:
    """Return where every engine is found, those of other packages included; ours cannot be replaced."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # 12 ms that few calls need

    return {point.name: point.value for point in entry_points(group="sudoku_cp.backends")} | BUILT_IN


@lru_cache(maxsize=32)
def backend(name: str) -> Backend:
    """Return the engine of that name; its library is imported only now."""
    family, _, kind = name.partition(":")
    where = BUILT_IN.get(family) or known().get(family)
    if where is None:
        raise UnknownName("backend", name, known())
    module, _, attribute = where.partition(":")
    try:
        engine = getattr(import_module(module), attribute)
    except ImportError as error:
        raise BackendMissing(f"backend {family!r} needs {error.name!r}, which is not installed") from error
    found: Backend = engine(kind) if kind else engine()
    return found


def choose(model: Model, amount: int = 1) -> str:
    """Return the name of the engine that ``auto`` means for ``amount`` puzzles of this model.

    A few plain boards up to 9x9 go to the native engine, which has nothing to import (the SAT library and its formula
    cost a cold process about 35 ms, most puzzles cost the native engine 1 to 15); all else goes to SAT.
    """
    plain = model.is_houses and len(model.statements) <= 27 and model.board <= 81  # noqa: PLR2004
    return "native" if plain and amount < FEW and "pysat" not in sys.modules else "sat"


__all__ = [
    "BUILT_IN",
    "NOTHING",
    "UNLIMITED",
    "Assumed",
    "Backend",
    "Cancellation",
    "Clock",
    "Counters",
    "Limits",
    "Session",
    "Solution",
    "Traces",
    "backend",
    "choose",
    "known",
]
