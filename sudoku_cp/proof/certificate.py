"""A certificate: a claim about a puzzle, the formula, the proofs; and the folder of plain files that it is written to."""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp.arguments import checked
from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.output_files import PART
from sudoku_cp.proof.readme_page import readme_page
from sudoku_cp.puzzle import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Solution
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

Claim: TypeAlias = Literal["unique", "none", "minimal"]

FORMAT, VERSION, MANIFEST = "sudoku-cp certificate", 1, "manifest.json"
MIN_DICTIONARY = 1 << 16
"""The smallest dictionary of xz (bytes): a larger one than the proof needs only takes time to clear."""


@dataclass(frozen=True)
class Proof:
    """A proof: ``text`` has ``lemmas`` lines, the last of which is the empty clause; in DRUP, or with hints in LRAT.

    ``name`` distinguishes the proofs of one certificate; ``prover`` is the name of the prover that made it.
    """

    name: str
    prover: str
    text: bytes = field(repr=False)
    lemmas: int
    format: Literal["drup", "lrat"] = "drup"

    @property
    def file(self) -> str:
        """The name of its file: ``proof-sat.drup.xz``."""
        return f"proof-{self.name}.{self.format}.xz"

    def compress(self) -> bytes:
        """Return the text as the bytes of an xz file."""
        size = max(MIN_DICTIONARY, 1 << (len(self.text) - 1).bit_length()) if self.text else MIN_DICTIONARY
        preset = {"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": min(size, 1 << 23)}
        return lzma.compress(self.text, check=lzma.CHECK_CRC32, filters=[preset])


@dataclass(frozen=True)
class Certificate:
    """A claim about a puzzle, with everything that a sceptic needs to check it.

    ``solution`` is there for the claims ``unique`` and ``minimal``. For ``minimal``, ``others`` has for each given a grid that
    obeys everything else and has another value there. ``formula`` is the DIMACS text that the ``proofs`` refute.
    """

    puzzle: Puzzle
    claim: Claim
    solution: Solution | None
    formula: bytes = field(repr=False)
    proofs: tuple[Proof, ...]
    others: Mapping[Cell, Solution] = field(default_factory=dict, repr=False)

    def files(self) -> dict[str, bytes]:
        """Return the bytes of every file of the folder, by name."""
        puzzle = replace(self.puzzle, solution=None)
        files = {
            "README.md": self._readme().encode(),
            "puzzle.json": _json_bytes(to_json(puzzle)),
            "puzzle.txt": f"{puzzle}\n".encode(),
            "formula.cnf": self.formula,
        }
        if self.solution is not None:
            files["solution.txt"] = self._solution_rows().encode()
        if self.claim == "minimal":
            name = puzzle.grid.cell_name
            files["others.json"] = _json_bytes({name(cell): list(values) for cell, values in sorted(self.others.items())})
        files |= {proof.file: proof.compress() for proof in self.proofs}
        return files | {MANIFEST: _json_bytes(self._manifest(files))}

    def _readme(self) -> str:
        contents = {one.file: f"{one.lemmas} lemma{'s' * (one.lemmas > 1)}, found by `{one.prover}`" for one in self.proofs}
        return readme_page(self.claim, contents, describe_conditions(self.puzzle))

    def _manifest(self, files: Mapping[str, bytes]) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "claim": self.claim,
            "proofs": [{"file": one.file, "prover": one.prover, "lemmas": one.lemmas} for one in self.proofs],
            "versions": _versions(),
            "files": {name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()},
        }

    def _solution_rows(self) -> str:
        """Return the solution as numbers, a line for each row of cells."""
        rows: dict[int, list[str]] = {}
        for (row, _), value in zip(self.puzzle.grid.places, self.solution or (), strict=True):
            rows.setdefault(row, []).append(str(value))
        return "".join(" ".join(row) + "\n" for row in rows.values())

    @checked
    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write the folder, whole or not at all, and return it.

        It must not exist yet, or be empty; with ``force`` it may hold an older certificate, and nothing else.
        """
        target = resolve_folder(Path(folder))
        old = _is_certificate(target, force=force)
        above = [one for one in target.parents if not one.exists()]
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(
                prefix=f"{target.name}.", suffix=PART, dir=target.parent, ignore_cleanup_errors=True
            ) as beside:
                self._exchange(target, Path(beside), old=old)
        except OSError as error:
            with suppress(OSError):  # remove the parents that were made for it
                for one in above:
                    one.rmdir()
            raise InvalidInput(f"{target}: expected a folder that can be written, got {error.strerror or error}") from error
        return target

    def _exchange(self, target: Path, beside: Path, *, old: bool) -> None:
        """Write the folder inside a temporary one, and rename it."""
        new = beside / "new"
        new.mkdir()
        for name, data in self.files().items():
            (new / name).write_bytes(data)
        if old:
            target.rename(beside / "old")
        try:
            new.rename(target)
        except BaseException:
            if old:
                (beside / "old").rename(target)
            raise


def _json_bytes(data: Any) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=True) + "\n").encode()


@cache
def _versions() -> dict[str, str]:
    """Return the versions of the programs that made the certificate."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name, package in (("sudoku_cp", "sudoku-cp"), ("python-sat", "python-sat")):
        with suppress(PackageNotFoundError):
            found[name] = version(package)
    return found


def describe_conditions(puzzle: Puzzle) -> str:
    """Return in words what the claim depends on besides the givens: the kinds of rules, and cells with some candidates only."""
    kinds = Counter(rule.kind for rule in puzzle.rules)
    rules = ", ".join(f"{kind} ({count} times)" if count > 1 else kind for kind, count in sorted(kinds.items()))
    cells = f"; only some candidates in {len(puzzle.candidates)} cells" if puzzle.candidates else ""
    return f"rules: {rules or 'none'}{cells}"


def resolve_folder(folder: Path) -> Path:
    """Return the path of a folder without symbolic links; raise `InvalidInput` where they lead in a circle."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: before Python 3.13
        raise InvalidInput(f"{folder}: expected a folder to write, got symbolic links that lead in a circle") from error


def check_target_folder(target: Path, *, force: bool) -> bool:
    """Return whether a certificate written to ``target`` replaces an older one; raise `InvalidInput` for anything else there."""
    return _is_certificate(resolve_folder(target), force=force)


def _is_certificate(target: Path, *, force: bool) -> bool:
    if not target.exists():
        return False
    if not target.is_dir():
        raise InvalidInput(f"expected a folder for the certificate, got the file {target}")
    names = sorted(path.name for path in target.iterdir())
    foreign = [name for name in names if name not in _own_files(target)]
    if foreign:
        listed = ", ".join(foreign[:5]) + ", ..." * (len(foreign) > 5)  # noqa: PLR2004
        raise InvalidInput(f"expected a new or empty folder for the certificate, got {target}, which holds {listed}")
    if names and not force:
        words = f"expected a new or empty folder, or `force` to replace the certificate that is there, got {target}"
        raise InvalidInput(OptionProblem(words))
    return bool(names)


def _own_files(folder: Path) -> set[str]:
    """Return the names of the files that belong to a certificate in the folder; none if there is no certificate."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return set()
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or not isinstance(manifest.get("files"), dict):
        return set()
    return {MANIFEST, *manifest["files"]}
