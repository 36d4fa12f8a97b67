"""Variants of a kernel: its functions over again, with something else in the place of some of what they use.

So one source is compiled in two ways, or runs both compiled and as plain Python. (This is not in `compile_cache`, whose text is
part of every kernel's: what changes there is compiled anew everywhere.)
"""

from __future__ import annotations

from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def kernel_variant(module: ModuleType, others: Mapping[str, Any]) -> Any:
    """Return a copy of a module in which some names stand for something else, for its functions too."""
    copy = ModuleType(module.__name__)
    names = vars(copy)
    names |= vars(module)
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            names[name] = FunctionType(function.__code__, names, name)
    names |= others
    return copy
