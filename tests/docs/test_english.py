"""Habits of phrasing that readers stumbled over, counted wherever people read: docs, help, messages, the page, docstrings."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import PAGES, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

RELATIVES = "what|whether|how|why|which|where|when|who|that|so|as"
HABITS = {
    "tell, told": (r"\b(?:tell|tells|told|telling)\b", 5),
    "is said, is told": (r"\b(?:is|are|was|were|be|been|being)\s+(?:said|told)\b", 1),
    "says what, says whether": (rf"\b(?:say|says|said|saying)\s+(?:\w+\s+)?(?:{RELATIVES})\b", 25),
    "as far as, as long as": (r"\bas\s+(?:far|long)\s+as\b", 3),
    "whoever": (r"\bwhoever\b", 2),
    "beside": (r"\bbeside\b", 7),
}
"""Each habit: how it is found, and the most uses that are left."""
RIGHT = {
    "beside the board": "a place on the plane, in the messages of formats with such cells",
    "beside it would be": "a place on the board, in the words of a technique",
    "twice as long as": "a length compared",
}
"""Uses that are right, and why; each must still occur."""
CODE = re.compile(r"^ *```.*$|``.+?``|`[^`\n]+`", re.MULTILINE)
SCRIPT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.DOTALL)


def literals(source: str) -> Iterator[str]:
    """Yield the first line of each docstring of a module, and its other strings that hold more than a word."""
    waiting: list[ast.AST] = [ast.parse(source)]
    docstrings = set()
    while waiting:  # half the time of ast.walk
        node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node):
            docstrings.add(node.body[0].value)  # type: ignore[attr-defined]  # a docstring is an expression
            yield ast.get_docstring(node).partition("\n")[0]  # type: ignore[union-attr]  # it has one
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value and node not in docstrings:
            yield node.value
        for field in vars(node).values():
            if isinstance(field, ast.AST):
                waiting.append(field)
            elif isinstance(field, list):
                waiting += [one for one in field if isinstance(one, ast.AST)]


@cache
def texts() -> dict[str, str]:
    """Return everything that people read, by the name of its file."""
    found = dict(PAGES)
    for path in sorted((ROOT / "sudoku_cp").rglob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py":
            found[name] = "\n".join(literals(path.read_text(encoding="utf-8")))
        elif path.suffix == ".js":
            strings = (piece for piece in SCRIPT.findall(path.read_text(encoding="utf-8")) if piece[0] != "/" and " " in piece)
            found[name] = "\n".join(strings)
        elif path.suffix == ".html":
            found[name] = path.read_text(encoding="utf-8")
    return {name: text if name.endswith((".js", ".html")) else CODE.sub("``", text) for name, text in found.items()}


def uses(pattern: str) -> list[str]:
    """Return where a habit is found: file, and the words around it on its line."""
    every = [
        f"{name}: {words_around(text, found)}"
        for name, text in texts().items()
        for found in re.finditer(pattern, text, re.IGNORECASE)
    ]
    return [use for use in every if not any(right in use for right in RIGHT)]


def words_around(text: str, found: re.Match[str]) -> str:
    """Return what stands before and behind a use, on its line."""
    before = text[max(0, found.start() - 60) : found.start()].rpartition("\n")[2]
    return before + found[0] + text[found.end() : found.end() + 40].partition("\n")[0]


@pytest.mark.parametrize("habit", HABITS)
def test_habits_of_phrasing_are_rare(habit: str) -> None:
    """No habit comes back: a sentence that has it is written anew, or listed as right."""
    pattern, most = HABITS[habit]
    found = uses(pattern)
    assert len(found) <= most, "\n".join([f"reword one of these, or add it to RIGHT ({most} are allowed):", *found])


@pytest.mark.parametrize("phrase", RIGHT)
def test_uses_that_are_right_still_occur(phrase: str) -> None:
    """The list of exceptions holds nothing that is gone."""
    assert any(phrase in text for text in texts().values())
