"""Variants of a kernel: its functions over again, with something else in the place of some of what they use.

So one source is compiled in two ways, or runs both compiled and as plain Python. (This is not in `compile_cache`, whose text is
part of every kernel's: what changes there is compiled anew everywhere.)
"""

from __future__ import annotations

from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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


def renamed_kernel(modules: Sequence[ModuleType], name: str) -> tuple[Any, ...]:
    """Return copies of modules whose functions call one another, and have qualified names that begin with ``name``.

    Numba names machine code after function and module, and records by a number: code of one function for two records, each
    compiled in a process of its own, may have one name. Where both are loaded, one would be called for the other.
    """
    copies = {module: ModuleType(module.__name__) for module in modules}
    functions: dict[FunctionType, FunctionType] = {}
    for module, copy in copies.items():
        vars(copy).update(vars(module))
        functions |= {
            function: FunctionType(_rename(function, name), vars(copy), function.__name__)
            for function in vars(module).values()
            if isinstance(function, FunctionType) and function.__module__ == module.__name__
        }
    for copy in copies.values():
        vars(copy).update(
            {key: functions[value] for key, value in vars(copy).items() if isinstance(value, FunctionType) and value in functions}
        )
    return tuple(copies.values())


def _rename(function: FunctionType, name: str) -> CodeType:
    """Return the code of a function with another qualified name."""
    return function.__code__.replace(co_qualname=f"{name}.{function.__name__}")
