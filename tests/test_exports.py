"""Packages that import their names lazily list them three times: for the program, for type checkers and for readers."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

import sudoku_cp

ROOT = Path(sudoku_cp.__file__).parent.parent
PACKAGES = sorted(
    ".".join(path.parent.relative_to(ROOT).parts)
    for path in (ROOT / "sudoku_cp").rglob("__init__.py")
    if "lazy_exports(" in path.read_text(encoding="utf-8")
)


def _imports(package: str) -> dict[str, set[str]]:
    """Return the names that a package imports from each of its modules for type checkers alone."""
    tree = ast.parse(Path(import_module(package).__file__).read_text(encoding="utf-8"))
    blocks = [node.body for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    found: dict[str, set[str]] = {}
    for node in (node for block in blocks for node in block):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}."):
            found.setdefault(node.module.removeprefix(f"{package}."), set()).update(alias.name for alias in node.names)
    return found


def test_all_lazy_packages_are_found() -> None:
    """The tests below are about the packages people import from; the root is one of them."""
    assert {"sudoku_cp", "sudoku_cp.rules", "sudoku_cp.queries"} <= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_is_exported_to_all_three(package: str) -> None:
    """A name in ``EXPORTS`` is imported under ``TYPE_CHECKING`` from the same module, and is in ``__all__``."""
    module = import_module(package)
    exports = {home: set(names.split()) for home, names in module.EXPORTS.items()}
    imports = {home: names for home, names in _imports(package).items() if names & set(module.__all__)}
    where = module.__file__
    for home in sorted(exports | imports):
        missing = exports.get(home, set()) ^ imports.get(home, set())
        assert not missing, f"{where}: write {missing} of {home!r} both in EXPORTS and in the imports under TYPE_CHECKING"
    unlisted = {name for names in exports.values() for name in names} - set(module.__all__)
    assert not unlisted, f"{where}: write {unlisted} in __all__"
    assert len(module.__all__) == len(set(module.__all__))


@pytest.mark.parametrize("package", PACKAGES)
def test_an_exported_name_can_be_had(package: str) -> None:
    """Every name in ``__all__`` can be imported from the package; a wrong one fails as in any module."""
    module = import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = module.nonsense
