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

from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.output_files import PART
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


@dataclass(frozen=True, repr=False)
class Certificate(ShortRepr):
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


# The README.md of a certificate: the claim, and how a sceptic checks it.


_CLAIMS = {
    "unique": "**exactly one solution**, the one in `solution.txt`.",
    "none": "**no solution**.",
    "minimal": "**exactly one solution**, the one in `solution.txt`, and\n"
    "it needs **each of its givens**: without any one of them it has another solution.",
}
_REASONS = {
    "unique": (
        "`formula.cnf` says: *every cell has one value, the rules are kept, the givens stand, and the grid is not the one in\n"
        "`solution.txt`*. A proof shows that this is contradictory. So no second solution exists; that `solution.txt` is one\n"
        "is easily seen."
    ),
    "none": (
        "`formula.cnf` says: *every cell has one value, the rules are kept, and the givens stand*. A proof shows that this is\n"
        "contradictory. So no solution exists."
    ),
}
_OTHERS = """
`others.json` has for each given a full grid that keeps the rules and all other givens, with another value in that cell. Each
can be checked by looking; so none of the givens can be left out.
"""


def readme_page(claim: str, proofs: Mapping[str, str], conditions: str) -> str:
    """Return the page that explains the folder to people; ``proofs`` maps file names to descriptions.

    ``conditions`` is what the claim depends on besides the givens.
    """
    solved = claim != "none"
    return _PAGE.format(
        claim=_CLAIMS[claim],
        conditions=conditions,
        reason=_REASONS["unique" if solved else "none"],
        others=_OTHERS if claim == "minimal" else "",
        proofs="\n".join(f"- `{name}`: {what}" for name, what in proofs.items()),
        checks="\n".join(map(_commands, proofs)),
        solution=_SOLUTION if solved else "",
    )


def _commands(packed: str) -> str:
    """Return the commands by which other programs check a proof."""
    name = packed.removesuffix(".xz")
    hinted = name.removesuffix(".drup").removesuffix(".lrat") + ".lrat"
    checks = f"    xz -dc {packed} > /tmp/{name}\n"
    if name != hinted:
        checks += f"    drat-trim formula.cnf /tmp/{name} -L /tmp/{hinted}        # must print: s VERIFIED\n"
    return f"{checks}    cake_lpr formula.cnf /tmp/{hinted}        # must print: s VERIFIED UNSAT"


_SOLUTION = '- `{"block": "solution"}`: one clause: not all of the cells have the value that `solution.txt` gives them.\n'
_PAGE = """# A certificate

The puzzle in `puzzle.json` has {claim}

`puzzle.txt` shows its givens alone. The claim depends on everything in `puzzle.json`: {conditions}.

## Why you need not believe us
{reason}
{others}
{proofs}

A lemma is a clause that follows from the formula and the lemmas before it by *unit propagation*: assume that all of its literals
are false, follow clauses with one literal left, and meet a contradiction. The last lemma is the empty clause (a lone `0`). This
is DRUP, the format of the proofs of the SAT competitions, for which others have written checkers. LRAT is the same with hints:
each lemma has a number, and names the clauses to follow.

## Check it without our program
[drat-trim](https://github.com/marijnheule/drat-trim) (one file of C: `gcc -O2 drat-trim.c -o drat-trim`) checks a proof in DRUP
and adds hints. [cake_lpr](https://github.com/tanyongkiam/cake_lpr), which is itself formally verified, checks a proof in LRAT;
so does `lrat-check`, which comes with drat-trim. Unpack a proof elsewhere, as this folder must hold nothing else:

{checks}

A SAT solver of your choice (such as `cadical formula.cnf`) must say UNSATISFIABLE as well.

Our own checker, a folder of plain Python that shares no code with what made this one, reads the rules from `puzzle.json`,
rebuilds the formula and compares it, and checks every lemma:

    python -m sudoku_cp.proof.checker .             # where the package is installed
    python3 -m checker HERE                         # or, in the parent folder of a copy of its folder `checker`

## What is left to trust
That the formula expresses the puzzle. It is plain text (DIMACS), so you can look:

- `c var 5 r1c1=5`: variable 5 is true if the cell in row 1, column 1 holds 5. `c fixed`: the cell can hold nothing else.
  `auxiliary` variables only help to say a rule in clauses.
- `c block ...` says what some clauses state, and which they are: the first and the last, counted from 1 after the line `p cnf`;
  a long one continues on lines that begin with `c +`. Each clause is on a line of its own (a minus negates, 0 ends).
- `{{"block": "cells"}}`: each cell has at least one value, and no two.
- `{{"block": "rule", ...}}`: one part of a rule. Of a row: no value is in two of its cells, and, if there are as many cells as
  values, each value is in one of them. `rule` counts the rules of `puzzle.json` from 0.
- `{{"block": "given", ...}}`, `{{"block": "candidates", ...}}`: the givens, and values ruled out in a cell.
{solution}
`manifest.json` has the SHA-256 of every file, what made them, and in which versions.
"""
