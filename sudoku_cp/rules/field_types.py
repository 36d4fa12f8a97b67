"""The types that fields of rules may have: a plain type or nested tuples of it, either of them optional."""

from __future__ import annotations

import sys
from functools import cache
from inspect import get_annotations
from itertools import chain
from types import MappingProxyType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Union, get_args, get_origin

from sudoku_cp.grid import Cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PLAIN: dict[object, str] = {Cell: "Cell", int: "int", bool: "bool", str: "str"}
"""The plain types and their names; `base` adds Rule. A new one needs a reader in `base.READERS`."""


class FieldType(NamedTuple):
    """The type of a field: ``plain`` in tuples that are ``depth`` deep (0: no tuple); ``optional`` if it may be None."""

    plain: object
    depth: int = 0
    optional: bool = False

    def __str__(self) -> str:
        """Return the type as a rule would declare it: ``tuple[Cell, ...] | None``."""
        return "tuple[" * self.depth + PLAIN[self.plain] + ", ...]" * self.depth + " | None" * self.optional

    @property
    def each(self) -> FieldType:
        """The type of a tuple's elements."""
        return FieldType(self.plain, self.depth - 1)

    def plain_values(self, value: Any) -> Iterable[Any]:
        """Return everything plain in a field with this type and value."""
        if value is None:
            return ()
        found = (value,)
        for _ in range(self.depth):
            found = tuple(chain.from_iterable(found))
        return found


class LazyFieldTypes:
    """A class attribute (descriptor): the type of each field by its name, resolved on first use; most classes never need it."""

    def __get__(self, rule: object, owner: type) -> Mapping[str, FieldType]:
        """Return the types of a class."""
        return field_types_of(owner)


@cache
def field_types_of(rule: type) -> Mapping[str, FieldType]:
    """Return the name and type of each field that a rule's class declares or inherits, in the order of declaration.

    Raise `TypeError` for a type that no field may have; a `NameError` means that its import is under ``TYPE_CHECKING``.
    """
    types: dict[str, FieldType] = {}
    for owner in reversed(rule.__mro__):
        for name, hint in get_annotations(owner).items():
            found = _evaluated(hint, owner.__module__)
            if found is None:
                raise TypeError(
                    f"{rule.__name__}, {name}: expected a field of type {', '.join(PLAIN.values())}, tuple[TYPE, ...] or "
                    f"TYPE | None of one of these, got {hint}; a new type needs a reader in sudoku_cp/rules/base.py"
                )
            if found is not ClassVar:
                types[name] = found
    return MappingProxyType(types)


@cache
def _evaluated(hint: Any, module: str) -> FieldType | Any:
    """Return the type of a field; ClassVar for a class attribute, None for a type that no field may have."""
    inner = eval(hint, vars(sys.modules[module])) if isinstance(hint, str) else hint  # noqa: S307  # source code of our own
    if ClassVar in (inner, get_origin(inner)):
        return ClassVar
    optional = get_origin(inner) in (Union, UnionType) and NoneType in get_args(inner)
    if optional:
        inner = Union[tuple(one for one in get_args(inner) if one is not NoneType)]  # noqa: UP007  # of as many as there are
    depth = 0
    while get_origin(inner) is tuple and get_args(inner)[1:] == (...,):
        depth, inner = depth + 1, get_args(inner)[0]
    return FieldType(inner, depth, optional) if inner in PLAIN else None
