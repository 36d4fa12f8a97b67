"""Names that a package looks up when they are first used, so that importing it costs only what is needed."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def late(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` (PEP 562) of ``package``; ``homes`` gives for each module the names that live in it.

    A name that a module of the package has too, such as ``generate``, is never that module, whichever is imported first.
    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def getattr_late(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found: object = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    class Package(ModuleType):
        """A package whose exported names are not hidden by its modules."""

        def __setattr__(self, name: str, value: object) -> None:
            # The import system sets each module that it has imported as an attribute of its package.
            if name in home_of and value is sys.modules.get(f"{package}.{name}"):
                return
            super().__setattr__(name, value)

    sys.modules[package].__class__ = Package
    return getattr_late
