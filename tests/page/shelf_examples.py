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
TIMES = "\N{MULTIPLICATION SIGN}"
NAMES = {
    "16x16": f"Killer, 16 {TIMES} 16",
    "6x6": f"Killer, 6 {TIMES} 6",
    "6x8": f"Arrows, 6 {TIMES} 8",
    "arrow": "Arrows",
    "arrow-double": "Double arrows",
    "arrow-pill": "Pill arrows",
    "clone": "Clones",
    "diagonals": "Diagonals (X)",
    "entropic": "Entropic lines",
    "equality": "Equality cages",
    "from-0": "Killer from 0 to 8",
    "hardest": "One of the hardest",
    "kropki": "Kropki dots",
    "mixed": "Killer and little killer",
    "modular": "Modular lines",
    "odd-even": "Odd and even",
    "parity": "Parity lines",
    "quadruple": "Quadruples",
    "region-sum": "Region sum lines",
    "rellik": "Rellik cages",
    "renban": "Renban lines",
    "skyscraper": "Skyscrapers",
    "skyscraper-hidden": "Hidden skyscrapers",
    "sum-line": "Sum lines",
    "thermometer": "Thermometers",
    "thermometer-slow": "Slow thermometers",
    "whisper": "German whispers",
    "wide": "Arrows from 0 to 9",
    "x-sum": "X-sums",
    "xv": "XV",
    "zipper": "Zipper lines",
}
"""What people call the examples whose file has another name."""
FIRST = [
    "diagonals",
    "jigsaw",
    "windoku",
    "killer",
    "thermometer",
    "arrow",
    "kropki",
    "xv",
    "odd-even",
    "anti-knight",
    "sandwich",
    "palindrome",
    "whisper",
    "renban",
    "little-killer",
    "between",
    "quadruple",
    "inequality",
    "skyscraper",
    "x-sum",
    "region-sum",
    "nonconsecutive",
]
"""The kinds that most people know, in the order in which they are offered; all others follow by name."""
LAST = ("6x6", "6x8", "16x16", "wide", "samurai", "hardest")
"""What is not 9x9, or for nobody's first hour."""
SHAPES = {"Jigsaw": "kinds.jsonl", "Samurai": "variants/samurai.jsonl"}
"""Empty boards that no number describes, and the files with puzzles on such boards."""


def document() -> str:
    """Return ``{"boards": [{"name", "grid"}], "puzzles": [puzzle, ...]}``, a board or a puzzle a line."""
    boards = [{"name": name, "grid": _titled(EXAMPLES / file, name)["grid"]} for name, file in SHAPES.items()]
    files = sorted(
        [EXAMPLES / "hardest.txt", *(EXAMPLES / "variants").glob("*.jsonl")], key=_place
    )  # euler96.txt has another licence
    parts = {"boards": boards, "puzzles": [_first_puzzle(file) for file in files]}
    listed = {name: ",\n".join(json.dumps(one, ensure_ascii=False) for one in found) for name, found in parts.items()}
    return "{" + ",\n".join(f'"{name}": [\n{lines}\n]' for name, lines in listed.items()) + "}\n"


def _titled(file: Path, title: str) -> dict[str, Any]:
    """Return the first puzzle of a file whose title begins so."""
    puzzles = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return next(puzzle for puzzle in puzzles if puzzle["title"].lower().startswith(title.lower()))


def _first_puzzle(file: Path) -> dict[str, Any]:
    """Return the first puzzle of a file, with the name that people use as its title; of jigsaws that with nine values."""
    if file.stem == "jigsaw":
        return _titled(EXAMPLES / SHAPES["Jigsaw"], "Jigsaw") | {"title": "Jigsaw"}
    line = file.read_text(encoding="utf-8").splitlines()[0]
    puzzle = json.loads(line) if file.suffix == ".jsonl" else to_json(Puzzle.parse(line))
    return puzzle | {"title": NAMES.get(file.stem, file.stem.replace("-", " ").capitalize())}


def _place(file: Path) -> tuple[int, int, str]:
    """Return where a file's example stands on the shelf."""
    name = file.stem
    known = FIRST.index(name) if name in FIRST else len(FIRST)
    return (1 + LAST.index(name) if name in LAST else 0), known, NAMES.get(name, name).lower()


if __name__ == "__main__":
    FILE.write_text(document(), encoding="utf-8")
