"""The types of a rule's fields are resolved on first use; one that no field may have is refused then."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar

import pytest

from sudoku_cp.grid import Cell
from sudoku_cp.rules import RULES
from sudoku_cp.rules.base import PLAIN, READERS, FieldType, field_types_of


def test_every_field_has_a_type(kind: str) -> None:
    """The types are those of the dataclass's fields, in the same order, and each prints as it was declared."""
    rule = RULES[kind]
    assert [*rule.field_types] == [field.name for field in fields(rule)]
    for field in fields(rule):
        assert str(rule.field_types[field.name]) == str(field.type).replace("Cells", "tuple[Cell, ...]")


def test_every_plain_type_has_a_reader() -> None:
    """What a field may hold can be read from JSON."""
    assert PLAIN.keys() == READERS.keys()


def _types(**annotations: Any) -> dict[str, FieldType]:
    return dict(field_types_of(type("New", (), {"__annotations__": annotations})))


def test_types_are_told_apart() -> None:
    """Cells and numbers are different though both are ``int`` to type checkers; any spelling of a type will do."""
    found = _types(a=Cell, b=int, c=tuple[tuple[Cell, ...], ...], d=tuple[int, ...] | None, e=ClassVar[float], f="int | None")
    assert found == {
        "a": FieldType(Cell),
        "b": FieldType(int),
        "c": FieldType(Cell, 2),
        "d": FieldType(int, 1, optional=True),
        "f": FieldType(int, 0, optional=True),
    }


@pytest.mark.parametrize(
    "hint", [float, "list[int]", tuple[int, int], tuple[int | None, ...], int | str, dict[str, int], Any], ids=str
)
def test_another_type_is_refused(hint: object) -> None:
    """The message names class, field and type, and says where a new type is to be added."""
    with pytest.raises(TypeError, match=r"New, total: expected a field of type Cell, int, .* needs a reader in"):
        _types(total=hint)
