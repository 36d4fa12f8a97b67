"""What messages of errors say, read in the source: many of them are about things that hardly ever happen."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import sudoku_cp

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(sudoku_cp.__file__).parent
APART = ("proof/checker/", "backends/conformance/")
"""Rooms with messages of their own: the checker says what is wrong with a certificate, the test kit with an engine."""
EXPECTED = re.compile(r"(^|: )expected ")
"""How a message, or what follows the place in it, begins."""
WHAT_CAME = re.compile(r"\bgot\b|which is missing|, but |[:;] \{\}")
"""How a message says what came; a value behind a colon or semicolon is what another error said of it."""
BORROWED = re.compile(r"expected [\w' ]*\{\}( \([\w ]+\))?$")
"""A message of which another part of the program has said most."""


def literal_text(node: ast.AST) -> str | None:
    """Return what a string in the source says, {} for each value in it; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(literal_text(part) or "{}" for part in parts)
    return None


def texts_within(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the strings within an expression with their lines, each whole."""
    text = literal_text(node)
    if text is not None:
        yield node.lineno, text  # type: ignore[attr-defined]
        return
    for inner in ast.iter_child_nodes(node):
        yield from texts_within(inner)


def trees(pattern: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules whose source has something to be found in it, by their paths in the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if re.search(pattern, source):
            yield path.relative_to(PACKAGE).as_posix(), ast.parse(source)


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts in a module that errors are raised with, are yielded, or are collected to be raised together."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.Call(args=found)) | ast.Call(func=ast.Attribute(attr="append"), args=found):
                for argument in found:
                    yield from texts_within(argument)
            case ast.Yield(value=ast.expr() as value):
                yield from texts_within(value)


def test_who_says_what_was_expected_says_what_came() -> None:
    """Every message that begins with what was expected goes on with what came."""
    found = {
        f"{name}:{line}": text
        for name, tree in trees("expected")
        if not name.startswith(APART)
        for line, text in messages(tree)
        if EXPECTED.search(text) and not WHAT_CAME.search(text) and not BORROWED.search(text)
    }
    assert not found


OF_THE_TERMINAL = ("cli/", "proof/checker/__main__.py", "bench/", "backends/external.py", "compare/fuzzing.py")
"""Where options are typed: the command line, and commands that are run, or shown to be run again."""


def test_messages_of_the_library_name_no_option_as_it_is_typed() -> None:
    """Python and HTTP have no ``--size``: words name an option in backquotes, and only the command line adds dashes."""
    option = r"(?<!`)--[a-z]"
    found = [
        (name, node.value)
        for name, tree in trees(option)
        if not name.startswith(OF_THE_TERMINAL)
        for node in _texts_of(tree)
        if re.search(option, node.value)
    ]
    assert found == []


def _texts_of(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the texts of a module that are no docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node
