"""The page's scripts as texts: what each exports is wanted elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPTS = {path: path.read_text(encoding="utf-8") for path in (ROOT / "sudoku_cp/service/static").rglob("*.js")}
TESTS = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/page").rglob("*.mjs")]
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


def test_every_export_is_wanted_elsewhere():
    """A name that a script exports stands in another script, or in a test that node runs; others are the script's own."""
    exported = [(path.name, name) for path, text in SCRIPTS.items() for name in EXPORT.findall(text)]
    unwanted = [
        f"{file}: {name}"
        for file, name in exported
        if not any(re.search(rf"\b{name}\b", text) for text in [*(SCRIPTS[one] for one in SCRIPTS if one.name != file), *TESTS])
    ]
    assert len(exported) > 100
    assert unwanted == []
