"""What the pages say is true: links lead somewhere, Python runs, the names of the library are all there."""

from __future__ import annotations

import ast
import doctest
import json
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

import sudoku_cp
from sudoku_cp.model import Constraint
from sudoku_cp.proof.checker.rule_meanings import UNEXPLAINED
from sudoku_cp.rules import RULES
from tests.docs.pages import PAGES, ROOT, blocks, furnish

if TYPE_CHECKING:
    from collections.abc import Callable

WITH_PROMPTS = [page for page, text in PAGES.items() if ">>> " in text]
ELSEWHERE = {
    "docs/architecture.md": "the signatures of an interface",
    "docs/service.md": "asks a service; tests/service/http/test_service_page.py runs it",
    "docs/plugins.md": "packages of a reader; tests/cli/test_plugin_page.py installs them",
    "CONTRIBUTING.md": "the engine of a reader",
}
"""Pages whose programs without prompts are not run here, and why."""
PROGRAMS = {
    f"{page}-{number}": block.text
    for page, text in PAGES.items()
    if page not in ELSEWHERE
    for number, block in enumerate(blocks(text))
    if block.language == "python" and ">>> " not in block.text
}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)", re.MULTILINE)
CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def links(page: str) -> list[str]:
    """Return the targets of the links and pictures on a page."""
    return [one or other for one, other in LINK.findall(CODE.sub("", PAGES[page]))]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub and the site make them."""
    found: dict[str, int] = {}
    every: set[str] = set()
    for heading in HEADING.findall(re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
        number = found[slug] = found.get(slug, -1) + 1
        every.add(f"{slug}-{number}" if number else slug)
    return every


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """Files and headings that links name exist; links to other sites are by https, but for this machine's own service."""
    for link in links(page):
        target, _, anchor = link.partition("#")
        if link.startswith(("https://", "http://127.0.0.1")):
            continue
        assert "://" not in link, link
        path = (ROOT / page).parent / target if target else ROOT / page
        assert path.exists(), link
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), link


def test_every_page_has_a_place_in_the_site() -> None:
    """The contents of the site name every page in docs once."""
    text = PAGES["docs/index.md"] + PAGES["docs/notebooks.md"]
    named = " ".join(re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)).split()
    pages = {Path(page).relative_to("docs").with_suffix("").as_posix() for page in PAGES if page.startswith("docs/")}
    assert sorted(name for name in named if name in pages) == sorted(pages - {"index"})


COUNTED = {
    r"(\w+) (?:kinds of |types of )?constraints\b": len(get_args(Constraint)),
    r"(\w+) kinds of\s+rules\]": sum(rule.__module__.startswith("sudoku_cp.") for rule in RULES.values()),
    r"no meaning for (\w+) kinds of rules": len(UNEXPLAINED),
}
"""How texts tell a count, and the count."""
WORDS = {word: number for number, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], 1)}
SOURCES = [*(ROOT / "sudoku_cp").rglob("*.py"), *(ROOT / "notebooks").glob("*.ipynb")]


@pytest.mark.parametrize("counted", COUNTED)
def test_counts_in_texts_are_right(counted: str) -> None:
    """Wherever a page, a notebook or a docstring says how many there are of something that is listed, it is that many."""
    texts = {page: text for page, text in PAGES.items() if page != "CHANGELOG.md"}  # which tells of the past
    texts |= {path.name: path.read_text(encoding="utf-8") for path in SOURCES}
    told = [(name, found) for name, text in texts.items() for found in re.findall(counted, text, re.MULTILINE)]
    numbers = [(name, WORDS.get(found) or int(found)) for name, found in told if found in WORDS or found.isdigit()]
    assert numbers
    wrong = [f"{name} says {number}" for name, number in numbers if number != COUNTED[counted]]
    assert not wrong, f"there are {COUNTED[counted]} now: write that where another number stands ({', '.join(wrong)})"


SCALE = re.compile(r"\b(?:rat|scor|scale)[^|]{0,80}\b(Su[dk]\w+ Explainer|HoDoKu)\b|\b(Su[dk]\w+ Explainer)\b")
"""Where a text speaks of the ratings of another program."""
VERSIONS = {"Sudoku Explainer": "1.2.1", "Sukaku Explainer": "1.18.1", "HoDoKu": "2.2"}
SHOWN = [
    path for room in ("cli", "service/questions", "service/static") for path in (ROOT / "sudoku_cp" / room).rglob("*.[jp][sy]")
]


def test_scales_of_ratings_are_named_with_their_version() -> None:
    """Each page, help text and answer that shows a rating says which version of a program rates so: others rate otherwise."""
    texts = {page: text for page, text in PAGES.items() if page not in {"CHANGELOG.md", "docs/architecture.md"}}
    texts |= {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in SHOWN}
    named = {(where, found[1] or found[2]) for where, text in texts.items() for found in SCALE.finditer(text)}
    assert {"README.md", "docs/cli.md", "docs/http.md", "sudoku_cp/service/static/designwords.js"} <= {
        where for where, _ in named
    }
    assert [(where, scale) for where, scale in sorted(named) if f"{scale} {VERSIONS[scale]}" not in texts[where]] == []


def test_the_library_page_has_every_public_name() -> None:
    """Each name of ``sudoku_cp.__all__`` is described once, and nothing else."""
    described = re.findall(r"^\.\. auto\w+:: sudoku_cp\.(\w+)$", PAGES["docs/python.md"], re.MULTILINE)
    assert sorted(described) == sorted(sudoku_cp.__all__)


NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_keep_what_they_printed(path: Path) -> None:
    """Every notebook was run from its first cell to its last, without an error, and its pictures and texts are kept."""
    code = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs)
    assert (ROOT / f"docs/notebooks/{path.stem}.md").exists()


def test_the_notebook_of_millions_was_run_with_a_million() -> None:
    """What is shown is of a million puzzles; only tests take fewer."""
    assert "1,000,000 puzzles in " in (ROOT / "notebooks/a_million_puzzles.ipynb").read_text(encoding="utf-8")


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A folder in which a reader works, and a function that puts there what a page takes for granted."""
    monkeypatch.chdir(tmp_path)
    return partial(furnish, tmp_path)


@pytest.mark.parametrize("page", WITH_PROMPTS)
def test_what_is_typed_gives_what_is_shown(page: str, reader: Callable[[str], None]) -> None:
    """Every Python example with prompts gives what the page says."""
    reader(page)
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert tried
    assert failed == 0


SLOW = "docs/generate.md"
TRIED = [pytest.param(text, id=name, marks=[pytest.mark.slow] * name.startswith(SLOW)) for name, text in PROGRAMS.items()]


@pytest.mark.parametrize("program", TRIED)
def test_programs_run(program: str, reader: Callable[[str], None]) -> None:
    """Programs run to their end, after those above them on their page."""
    page = next(name for name, text in PROGRAMS.items() if text == program).rpartition("-")[0]
    reader(page)
    before = [text for name, text in PROGRAMS.items() if name.rpartition("-")[0] == page]
    space: dict[str, object] = {}
    for text in before[: before.index(program) + 1]:
        exec(compile(ast.parse(text), page, "exec"), space)  # noqa: S102  # our own page
