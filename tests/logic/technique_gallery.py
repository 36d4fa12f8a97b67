"""Write docs/techniques.md and its pictures, from the examples and the code; `make docs-techniques` runs this."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.logic import make_board
from sudoku_cp.logic.pictures import KEY, draw_step
from sudoku_cp.logic.words import describe_step
from tests.logic.technique_examples import EXAMPLES

if TYPE_CHECKING:
    from tests.logic.technique_examples import Example

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURES = Path("techniques.md"), Path("techniques")
CELL = 36
"""The side of a cell in pixels."""
FAMILIES = {
    "00": "Singles",
    "01": "Locked candidates",
    "02": "Subsets",
    "03": "Fish",
    "04": "Patterns of one value",
    "05": "Colouring",
    "06": "Uniqueness",
    "07": "Chains and loops",
    "08": "Wings",
    "09": "Almost locked sets",
    "11": "Sue de Coq",
    "12": "Templates",
    "13": "Forcing chains and nets",
    "20": "Rules of variants",
}
"""The headings, by the first figures of codes."""
_HEAD = f"""# Sudoku solving techniques

Every technique with its code, and an example: a picture, and the sentence that `steps` and `hint` write for it. Codes are those
of HoDoKu's library of cases, from 2000 on our own. Techniques under "{FAMILIES["06"]}" hold only for puzzles that have just one
solution. This page is written by `make docs-techniques`.

{KEY}
"""


def gallery_files() -> dict[Path, str]:
    """Return the page and its pictures, by their paths in docs."""
    examples = sorted(EXAMPLES.values(), key=lambda example: example.technique.code)
    page, files = [_HEAD], {}
    for family, members in groupby(examples, key=lambda example: example.technique.code[:2]):
        page.append(f"## {FAMILIES[family]}\n")
        for example in members:
            picture = PICTURES / f"{example.technique.code}.svg"
            page.append(_entry(example, picture))
            files[picture] = draw_step(example.position, example.step, example.board, cell=CELL) + "\n"
    return {PAGE: "\n".join(page), **files}


def _entry(example: Example, picture: Path) -> str:
    """Return the part of the page about a technique."""
    technique = example.technique
    sentence = describe_step(make_board(example.puzzle).layout, example.puzzle.symbols, example.step)
    return f"### {technique.code} {technique.title}\n\n![{technique.title}]({picture.as_posix()})\n\n{sentence}\n"


def write_gallery() -> None:
    """Write the files, and remove pictures that no technique has."""
    files = gallery_files()
    (DOCS / PICTURES).mkdir(exist_ok=True)
    for old in (DOCS / PICTURES).glob("*.svg"):
        if old.relative_to(DOCS) not in files:
            old.unlink()
    for path, text in files.items():
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_gallery()
