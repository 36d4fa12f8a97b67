"""Lazy imports (PEP 562): names that a package exports are imported when they are first used, so that importing it is cheap.

Such a package lists its names three times: in ``EXPORTS`` for the program, under ``TYPE_CHECKING`` for type checkers, and in
``__all__`` for readers. tests/test_exports.py checks that the three agree and prints what to write.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # type checkers know it by its name; importing `typing` for it takes 20 times as long as all this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_exports(package: str, exports: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of ``package``; ``exports`` gives, for each of its modules, the names to export.

    A name shared with a module, such as ``generate``, never means the module, whichever of them is imported first.
    """
    module_of = {name: module for module, names in exports.items() for name in names.split()}

    def import_name(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    class Package(ModuleType):
        """A package whose exported names are not hidden by its modules."""

        def __setattr__(self, name: str, value: object) -> None:
            # The import system sets each module that it has imported as an attribute of its package.
            if name in module_of and value is sys.modules.get(f"{package}.{name}"):
                return
            super().__setattr__(name, value)

    sys.modules[package].__class__ = Package
    return import_name
