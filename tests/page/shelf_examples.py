"""Writes what the page's shelf offers: the first puzzle of each file of examples, and boards of unusual shapes.

``make docs-pages`` runs this file. The page is installed without `examples`, so it has a copy of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sudoku_cp.puzzle import Puzzle, to_json

ROOT = Path(__file__).parents[2]
FILE = ROOT / "sudoku_cp" / "service" / "pages" / "examples.json"
EXAMPLES = ROOT / "examples"
SHAPES = {"Jigsaw": "kinds.jsonl", "Samurai": "variants/samurai.jsonl"}
"""Empty boards that no number describes, and the files with puzzles on such boards."""


def document() -> str:
    """Return ``{"boards": [{"name", "grid"}], "puzzles": [puzzle, ...]}``, a board or a puzzle a line."""
    boards = [{"name": name, "grid": _titled(EXAMPLES / file, name)["grid"]} for name, file in SHAPES.items()]
    files = [EXAMPLES / "hardest.txt", *sorted((EXAMPLES / "variants").glob("*.jsonl"))]  # euler96.txt has a licence of its own
    parts = {"boards": boards, "puzzles": [_first_puzzle(file) for file in files]}
    listed = {name: ",\n".join(json.dumps(one, ensure_ascii=False) for one in found) for name, found in parts.items()}
    return "{" + ",\n".join(f'"{name}": [\n{lines}\n]' for name, lines in listed.items()) + "}\n"


def _titled(file: Path, title: str) -> dict[str, Any]:
    """Return the first puzzle of a file whose title begins so."""
    puzzles = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return next(puzzle for puzzle in puzzles if puzzle["title"].lower().startswith(title.lower()))


def _first_puzzle(file: Path) -> dict[str, Any]:
    """Return the first puzzle of a file, with the file's name as its title."""
    line = file.read_text(encoding="utf-8").splitlines()[0]
    puzzle = json.loads(line) if file.suffix == ".jsonl" else to_json(Puzzle.parse(line))
    return puzzle | {"title": file.stem.replace("-", " ").capitalize()}


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
