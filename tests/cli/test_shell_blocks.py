"""What pages show of the command line is true: every line for a shell is run, and prints what is shown."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.docs.pages import FROM_THE_WHEEL, PAGES, PUZZLE, Command, commands, furnish, matches

NOT_RUN = {
    r"serve\b": "does not end; tests/service tests it",
    r"--cluster tcp:": "needs a cluster",
    r"bench\b": "takes minutes; tests/cli/test_bench.py runs it",
    r"dimacs:|minizinc": "needs programs that are not ours",
    r"--fuzz 2000": "takes many minutes; tests/compare/test_fuzz.py fuzzes",
    r"https://f-puzzles.com/\?load=\.\.\.": "a link that is cut short",
    r"myengine": "the engine of a reader",
}
"""Lines that are not run here, and why."""
STANDINS = {"PUZZLE": PUZZLE, "PUZZLES": "puzzles.txt", "FILE": "puzzles.txt", "FILE...": "puzzles.txt", "FOLDER": "certificate"}
"""What a reader would write for a word in capitals."""
QUICK = {"docs/index.md", "docs/check.md", "docs/for-teachers.md", "docs/true-candidates.md"}
"""Pages whose lines take a second or two together; the others are slow."""
ELSEWHERE = {"docs/cli.md", "CHANGELOG.md", *FROM_THE_WHEEL}
"""Pages of usage, which the parser makes, and those whose lines tests/test_distribution.py runs."""
LINES = {
    page: [
        one for one in commands(text) if one.line.startswith("sudoku-cp ") and not any(re.search(no, one.line) for no in NOT_RUN)
    ]
    for page, text in PAGES.items()
    if page not in ELSEWHERE
}


def parts(line: str) -> list[list[str]]:
    """Return the words behind ``sudoku-cp`` of each command in a line."""
    words = [STANDINS.get(word, word) for word in shlex.split(line, comments=True)]
    found: list[list[str]] = []
    for word in words:
        if word == "sudoku-cp":
            found.append([])
        elif word not in {"&&", "|"}:
            found[-1].append(word)
    return found


def expanded(words: list[str], folder) -> list[str]:
    """Return words with the files that a pattern matches in its place, as a shell does."""
    found = []
    for word in words:
        files = sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if re.search(r"/\*\.", word) else []
        found += files or [word]
    return found


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.slow] * (page not in QUICK)) for page in LINES if LINES[page]]
)
def test_lines_for_a_shell_are_true(call, tmp_path, page: str) -> None:
    """Each line ends with an answer, yes or no, and prints what is shown; those below find what those above wrote."""
    furnish(tmp_path, page)
    for command in LINES[page]:
        for words in parts(command.line):
            ended = call(*expanded(words, tmp_path), text=f"{PUZZLE}\n")
            assert ended.code in {0, 1}, (command.line, ended)
        assert not command.shown or matches(command.shown, ended.out), (command, ended.out)


def test_output_that_is_not_shown_does_not_match() -> None:
    """Dots stand for anything where they are, and nothing else does."""
    assert matches("a\n...\nb ... ms\n", "a\nx\ny\nb 4.3 ms\n")
    assert matches("a\n...\n", "a\n")
    assert not matches("a\nb\n", "a\nc\n")
    assert not matches("a ... ms\n", "a 4 s\n")


def test_lines_are_found() -> None:
    """Blocks with and without prompts, and indented lines, are read, each with what it shows."""
    page = "```sh\nsudoku-cp a  # note\n```\n\n```console\n$ sudoku-cp b\nshown\n$ sudoku-cp c\n```\n\n    $ sudoku-cp d\n"
    expected = [Command("sudoku-cp a  # note"), Command("sudoku-cp b", "shown\n"), Command("sudoku-cp c"), Command("sudoku-cp d")]
    assert commands(page) == expected
    assert parts("sudoku-cp a x && sudoku-cp b  # note") == [["a", "x"], ["b"]]
