"""Certificates as files in memory, which a test can tamper with and write."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from dataclasses import dataclass
from functools import cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.proof import certificate as certification
from sudoku_cp.proof import prove
from sudoku_cp.puzzle import from_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sudoku_cp.proof import Certificate

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
FOUR = {"rows": 4, "columns": 4, "boxes": [2, 2]}
SIX = {"rows": 6, "columns": 6, "boxes": [2, 3]}
JIGSAW = [[0, 0, 0, 1, 1], [0, 2, 1, 1, 1], [0, 2, 2, 2, 3], [4, 4, 2, 3, 3], [4, 4, 4, 3, 3]]
DOCUMENTS: dict[str, dict[str, Any]] = {
    "4x4": {"grid": FOUR, "givens": {"r1c1": 1, "r1c2": 2, "r2c3": 1, "r3c1": 3, "r4c4": 3}},
    "6x6": {"grid": SIX},
    "jigsaw": {"grid": {"rows": 5, "columns": 5, "regions": JIGSAW}},
    "two boards": {"grid": {"boards": [FOUR, FOUR | {"at": [2, 2]}], "values": [1, 4]}},
    "latin": {"grid": {"rows": 4, "columns": 4}},
    "from zero": {"grid": FOUR | {"values": [0, 5]}},
    "candidates": {
        "grid": FOUR,
        "givens": {"r1c1": 1, "r2c3": 1, "r3c1": 3, "r4c4": 3},
        "candidates": {"r1c2": [2, 3], "r1c3": [3]},
    },
    "killer": {
        "grid": FOUR,
        "rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 7}],
    },
    "thermometer": {"grid": SIX, "rules": ["houses", {"kind": "thermometer", "cells": ["r1c1", "r2c1", "r3c1", "r3c2"]}]},
    "arrow": {
        "grid": SIX,
        "rules": ["houses", "anti-knight", {"kind": "arrow", "bulb": "r1c1", "shafts": [["r1c2", "r1c3"], ["r2c1", "r3c1"]]}],
    },
    "diagonals": {"grid": SIX, "rules": ["houses", "diagonals", {"kind": "difference", "cells": ["r1c1", "r1c2"]}]},
    "marks": {"grid": SIX, "rules": ["houses", {"kind": "negative-sum", "sums": [4], "exempt": [["r1c1", "r1c2"]]}]},
    "sandwich": {"grid": SIX, "rules": ["houses", {"kind": "sandwich", "cells": [f"r2c{c}" for c in range(1, 7)], "total": 5}]},
    "regular expression": {
        "grid": FOUR,
        "rules": ["houses", {"kind": "regular-expression", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"], "pattern": "[12].*"}],
    },
    "a row said twice": {
        "grid": FOUR,
        "rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]}, "diagonals", "diagonals"],
    },
    "a cage that is a row": {
        "grid": FOUR,
        "rules": [{"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]}, "houses"],
    },
    "none": {"grid": FOUR, "givens": {"r1c1": 1, "r1c2": 1}},
    "none, by a cage": {"grid": FOUR, "rules": ["houses", {"kind": "killer-cage", "cells": ["r4c1", "r4c2"], "total": 99}]},
    "one cell": {"grid": {"rows": 1, "columns": 1}},
}
"""Puzzles with the givens stated, or with enough of a solution's that there is no other."""
NAMES = [*DOCUMENTS, "hard", "hard, minimal", "hard, hinted", "4x4, minimal"]


@dataclass
class Folder:
    """The files of a certificate by name; written with the right hashes whatever was done to them."""

    files: dict[str, bytes]

    def copy(self) -> Folder:
        """Return the same files for another test to spoil."""
        return Folder(dict(self.files))

    def write(self, path: Path, *, repaired: bool = True) -> Path:
        """Write the folder; if ``repaired``, first bring the manifest up to date with its files."""
        path.mkdir(parents=True, exist_ok=True)
        if repaired:
            self.repair()
        for name, data in self.files.items():
            (path / name).write_bytes(data)
        return path

    def repair(self) -> None:
        """Bring the manifest's hashes and sizes up to date."""
        others = {name: data for name, data in self.files.items() if name != "manifest.json"}
        about = {name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in others.items()}
        self.put("manifest.json", self.json("manifest.json") | {"files": about})

    def json(self, name: str) -> Any:
        """Return the data of a JSON file."""
        return json.loads(self.files[name])

    def put(self, name: str, data: Any) -> None:
        """Write plain data to a file."""
        self.files[name] = json.dumps(data).encode()

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace the first occurrence of a text, which must be there."""
        assert old in self.files[name].decode()
        self.files[name] = self.files[name].decode().replace(old, new, 1).encode()

    # --- the formula ----------------------------------------------------------------------------------------------

    def parts(self) -> tuple[list[str], list[str]]:
        """Return the lines before the line p, and those after it."""
        lines = self.files["formula.cnf"].decode().splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith("p "))
        return lines[:start], lines[start + 1 :]

    def map(self) -> dict[int, str]:
        """Return the meaning of each variable."""
        words = [line.split(maxsplit=3) for line in self.parts()[0] if line.startswith("c var")]
        return {int(number): what for _, _, number, what in words}

    def variable(self, what: str) -> int:
        """Return the variable that means ``r1c1=1``."""
        return next(number for number, meaning in self.map().items() if meaning == what)

    def blocks(self) -> list[tuple[dict[str, Any], list[str]]]:
        """Return the label (without the numbers of its clauses) and the clauses of each block."""
        head, clauses = self.parts()
        labels = [
            json.loads(line[8:]) for line in "\n".join(head).replace("\nc + ", "").split("\n") if line.startswith("c block ")
        ]
        numbers = [label.pop("clauses") for label in labels]
        return [(label, clauses[first - 1 : last]) for label, (first, last) in zip(labels, numbers, strict=True)]

    def change_blocks(self, change: Callable[[dict[str, Any], list[str]], list[str] | None]) -> None:
        """Let ``change`` return the clauses of each block, None to leave it out; the line p is corrected."""
        changed = [(label, change(label, list(lines))) for label, lines in self.blocks()]
        self.put_blocks([(label, lines) for label, lines in changed if lines is not None])

    def put_blocks(self, blocks: list[tuple[dict[str, Any], list[str]]]) -> None:
        """Write other blocks, with the right line p."""
        head = [line for line in self.parts()[0] if not line.startswith(("c block ", "c + "))]
        size = max(self.map(), default=1)
        body: list[str] = []
        for label, lines in blocks:
            text = json.dumps(label | {"clauses": [len(body) + 1, len(body) + len(lines)]})
            head += [
                f"c {sign} {piece}"
                for sign, piece in zip(chain(["block"], repeat("+")), re.findall(".{1,900}", text), strict=False)
            ]
            body += lines
        self.files["formula.cnf"] = "".join(f"{line}\n" for line in (*head, f"p cnf {size} {len(body)}", *body)).encode()

    # --- the proof ------------------------------------------------------------------------------------------------

    @property
    def proof(self) -> str:
        """The name of the first proof's file."""
        return str(self.json("manifest.json")["proofs"][0]["file"])

    def lemmas(self) -> list[str]:
        """Return the lines of the first proof."""
        return lzma.decompress(self.files[self.proof]).decode().splitlines()

    def put_lemmas(self, lemmas: list[str]) -> None:
        """Write another proof, and its length to the manifest."""
        self.put_proof("".join(f"{line}\n" for line in lemmas).encode())
        manifest = self.json("manifest.json")
        manifest["proofs"][0]["lemmas"] = sum(not line.startswith("d") for line in lemmas)
        self.put("manifest.json", manifest)

    def put_proof(self, text: bytes) -> None:
        """Write any text as the proof."""
        self.files[self.proof] = lzma.compress(text)


@cache
def _made(name: str) -> Folder:
    if name == "hard, hinted":
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(certification, "HINTS_FROM", 1)
            return Folder(prove(Puzzle.parse(HARD)).files())
    if name.startswith("hard"):
        return Folder(prove(Puzzle.parse(HARD), claim="minimal" if "minimal" in name else "auto").files())
    document = DOCUMENTS[name.removesuffix(", minimal")]
    puzzle = from_json(document)
    if "givens" not in document and "none" not in name:
        solution = next(iter(puzzle.solutions()))
        givens = dict(enumerate(solution))
        for cell in range(0, len(solution), 2):  # as many as can be left out, of every second one
            fewer = {other: value for other, value in givens.items() if other != cell}
            if len([None for _, _ in zip(range(2), puzzle.with_givens(fewer).solutions(), strict=False)]) == 1:
                givens = fewer
        puzzle = puzzle.with_givens(givens)
    if "minimal" in name:
        puzzle = from_json({"grid": FOUR, "givens": {"r1c1": 1, "r2c3": 1, "r3c2": 3, "r4c4": 2}})
    return Folder(prove(puzzle, claim="minimal" if "minimal" in name else "auto").files())


@pytest.fixture(scope="session")
def honest() -> Callable[[str], Folder]:
    """Return a copy of the files of an honest certificate, by the name of its puzzle."""
    return lambda name: _made(name).copy()


@pytest.fixture(scope="session")
def folder() -> Callable[[Certificate], Folder]:
    """Turn a certificate into files."""
    return lambda certificate: Folder(certificate.files())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a ``name`` with each honest certificate."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", NAMES)
