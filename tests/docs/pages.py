"""The pages of the project, and the blocks of code on them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
}
"""The text of each page by its path."""
PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SECOND = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"^    +(?:\$ )?(sudoku-cp .*)$", re.MULTILINE)


class Block(NamedTuple):
    """A block of code: its language and its text."""

    language: str
    text: str


class Command(NamedTuple):
    """A line for a shell, and what the page shows of its output: nothing, or lines in which ``...`` stands for anything."""

    line: str
    shown: str = ""


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [Block(language, dedent(text)) for _, language, text in FENCED.findall(page)]


def commands(page: str) -> list[Command]:
    """Return the lines for a shell on a page, in order: of ``sh`` and ``console`` blocks, and indented ones."""
    found = [(match.start(), _commands_of(Block(match[2], dedent(match[3])))) for match in FENCED.finditer(page)]
    rest = FENCED.sub(lambda match: " " * len(match[0]), page)
    found += [(match.start(), [Command(match[1])]) for match in INDENTED.finditer(rest)]
    return [command for _, several in sorted(found) for command in several]


def _commands_of(block: Block) -> list[Command]:
    lines = block.text.splitlines()
    if block.language == "sh":
        return [Command(line) for line in lines if line.strip() and not line.startswith("#")]
    if block.language != "console":
        return []
    found: list[Command] = []
    for line in lines:
        if line.startswith("$ "):
            found.append(Command(line[2:]))
        else:
            found[-1] = Command(found[-1].line, f"{found[-1].shown}{line}\n")
    return found


def matches(shown: str, printed: str) -> bool:
    """Return whether output is as shown; a line ``...`` stands for any lines, and ``...`` in a line for anything in it."""
    patterns = (map(re.escape, line.split("...")) for line in shown.splitlines())
    lines = ("(?:.*\n)*?" if pattern == ["", ""] else f"{'.*'.join(pattern)}\n" for pattern in map(list, patterns))
    return re.fullmatch("".join(lines), printed) is not None


FIRST = [page for page in PAGES if page in {"README.md", "docs/index.md", "docs/tour.md"} or page.startswith("docs/for-")]
"""The pages that people meet first: what they show runs in an empty folder, for a reader who has installed the package."""
FROM_THE_WHEEL = {"README.md", "docs/tour.md"}
"""Those of them that every run of the tests reads with nothing of the checkout but what the wheel holds."""
IN_A_CHECKOUT = {"CONTRIBUTING.md", "examples/README.md"}
"""Pages for people who have the sources."""


def furnish(folder: Path, page: str) -> None:
    """Put into a folder what a page takes for granted: nothing, the examples, or files that stand for a reader's own."""
    if page in FIRST:
        return
    if page in IN_A_CHECKOUT:
        (folder / "examples").symlink_to(ROOT / "examples")
    plain = f"{PUZZLE}\n{SECOND}\n"
    for name in ("puzzles.txt", "a.csv", "b.csv", "my.txt"):
        (folder / name).write_text(plain, encoding="utf-8")
    for name in ("more.csv.gz", "big.txt.gz"):
        (folder / name).write_bytes(gzip.compress(plain.encode()))
    (folder / "collection").mkdir()
    (folder / "collection/one.txt").write_text(plain, encoding="utf-8")
    (folder / "cells.txt").write_text("1" * 8 + "." * 28 + "\n", encoding="utf-8")
