"""Write what `sudoku_cp.rules` exports, from the classes of rules themselves; `make docs-pages` runs this."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import sudoku_cp.rules
from sudoku_cp.rules import RULES, Rule

FOLDER = Path(sudoku_cp.rules.__file__).parent
BASE = ("RULES", "Lowered", "Rule", "rule_from_json", "rule_to_json")
"""What `base` exports; it is imported at once."""
LINE = 130
"""The longest line that ruff leaves as it is."""

_KINDS = '''"""The module and class of each kind of rule; written by `make docs-pages` from the classes."""

from types import MappingProxyType

CLASS_OF = MappingProxyType(
    {{
{kinds}
    }}
)
'''
_INIT = '''"""Every rule, one class each, in a file per family; `make docs-pages` writes the lists of names.

A family is imported when one of its rules is first used: most puzzles need only one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports
from sudoku_cp.rules.base import {base}
from sudoku_cp.rules.kinds import CLASS_OF

if TYPE_CHECKING:
{imports}

__all__ = [
{names}
]

EXPORTS: dict[str, str] = {{}}
for _path in CLASS_OF.values():
    _module, _, _name = _path.partition(".")
    EXPORTS[_module] = f"{{EXPORTS.get(_module, '')}} {{_name}}"

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
'''


def rules_by_family() -> dict[str, list[type[Rule]]]:
    """Return our rules by file, including files that no list names yet."""
    families: dict[str, list[type[Rule]]] = {}
    for module in iter_modules([str(FOLDER)]):
        import_module(f"{sudoku_cp.rules.__name__}.{module.name}")
    for _, rule in sorted(RULES.defined.items()):  # the table may name files that are gone
        package, _, family = rule.__module__.rpartition(".")
        if package == sudoku_cp.rules.__name__:
            families.setdefault(family, []).append(rule)
    return dict(sorted(families.items()))


def _import(family: str, rules: list[type[Rule]]) -> str:
    names = sorted(rule.__name__ for rule in rules)
    start = f"    from sudoku_cp.rules.{family} import "
    line = start + ", ".join(names)
    return line if len(line) <= LINE else "\n".join([f"{start}(", *(f"        {name}," for name in names), "    )"])


def exports() -> dict[Path, str]:
    """Return the text of each generated file by its path."""
    families = rules_by_family()
    found = {rule.kind: f"{family}.{rule.__name__}" for family, rules in families.items() for rule in rules}
    classes = [rule.__name__ for rules in families.values() for rule in rules]
    names = sorted({*classes, *BASE}, key=lambda name: (not name.isupper(), name[0].islower(), name))
    init = _INIT.format(
        base=", ".join(BASE),
        imports="\n".join(_import(family, rules) for family, rules in families.items()),
        names="\n".join(f'    "{name}",' for name in names),
    )
    kinds = "\n".join(f'        "{kind}": "{path}",' for kind, path in sorted(found.items()))
    return {FOLDER / "__init__.py": init, FOLDER / "kinds.py": _KINDS.format(kinds=kinds)}


if __name__ == "__main__":
    for path, text in exports().items():
        path.write_text(text, encoding="utf-8")
