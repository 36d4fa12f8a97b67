"""The independent checker of certificates: the standard library alone, and nothing of the package that wrote them.

``python check.py FOLDER`` says whether the folder proves its claim. In the order of reading:

1. what is claimed, and the answer
2. the files and their hashes
3. the puzzle, read anew from its JSON, and the rules that only say that cells differ
4. filled grids: the solution, and those that show that each given is needed
5. the formula, read, and compared clause by clause with what the puzzle says
6. the proof: every lemma follows by unit propagation, and the last one is the empty clause
7. the check as a whole, and the command line

Other rules need `meanings.py` beside this file, which knows what they mean; without it their clauses are taken on trust.
Whoever trusts the two, Python, and SHA-256 need not trust the program, the solvers or the machine that made the folder.
`docs/certificates.md` tells the format and what is left to trust.
"""

# ruff: noqa: PLR2004  # clauses of two literals

from __future__ import annotations

import hashlib
import json
import lzma
import re
import stat
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain, combinations, product, takewhile
from pathlib import Path
from typing import Any, NamedTuple

# === 1. What is claimed, and the answer ===============================================================================

FORMAT, VERSION = "sudoku-cp certificate", 1
CLAIMS = {
    "unique": "the puzzle has exactly one solution",
    "none": "the puzzle has no solution",
    "minimal": "the puzzle has exactly one solution, and without any one of its givens more than one",
}
CODES = {"verified": 0, "rejected": 1, "absent": 2, "unchecked": 3}
"""The exit code of each verdict."""


@dataclass(frozen=True)
class Report:
    """The verdict on a folder, everything wrong with it, and what had to be taken on trust.

    "verified": the claim is proved. "rejected": something is wrong. "absent": no certificate is there. "unchecked": nothing is
    wrong with what was checked, but a limit came first, or the rest would have to be taken on trust.
    """

    verdict: str
    claim: str | None = None
    problems: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Findings:
    """What has been found so far."""

    claim: str | None = None
    problems: list[str] = field(default_factory=list)
    trusted: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


class Bad(Exception):
    """The certificate is wrong; each argument is a problem."""


class OutOfTime(Exception):
    """A limit came before the answer."""


def need(truth: object, problem: str) -> None:
    """Raise `Bad` unless something is as it must be."""
    if not truth:
        raise Bad(problem)


Tick = Callable[[], None]
"""Looks at the time, and raises `OutOfTime` when it is up."""

# === 2. The files and their hashes ====================================================================================

LARGEST, LONGEST, PIECE = 1 << 29, 1 << 26, 1 << 21
"""No file is read beyond so many bytes, and no proof beyond so many, unpacked; and so many are read at once."""
ALWAYS = {"README.md", "puzzle.json", "puzzle.txt", "formula.cnf"}
FOR_CLAIM: dict[str, set[str]] = {"unique": {"solution.txt"}, "none": set(), "minimal": {"solution.txt", "others.json"}}
_MANIFEST = {"format", "version", "claim", "proofs", "versions", "files"}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_PROOF_NAME = re.compile(r"proof-[A-Za-z0-9_.-]{1,80}\.drup\.xz")


def read_bytes(path: Path, tick: Tick) -> tuple[bytes, str]:
    """Return what is in a plain file, which is neither a link, a pipe nor too large, and its SHA-256."""
    try:
        about = path.lstat()
        need(stat.S_ISREG(about.st_mode), f"{path.name}: expected a plain file")
        need(about.st_size <= LARGEST, f"{path.name}: expected at most {LARGEST:,} bytes, got {about.st_size:,}")
        pieces, digest = [], hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(min(PIECE, about.st_size + 1)):
                pieces.append(piece)
                digest.update(piece)
                tick()
        return b"".join(pieces), digest.hexdigest()
    except OSError as error:
        raise Bad(f"{path.name}: cannot be read ({error.strerror})") from error


def read_json(name: str, data: bytes) -> Any:
    """Return plain data, in which no object names a field twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), f"{name}: a field stands twice in one object")
        return dict(pairs)

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Bad(f"{name}: expected JSON, got something else ({error!s:.80})") from error


def is_number(data: Any) -> bool:
    """Say whether plain data is a whole number; true and false are none."""
    return type(data) is int


def read_manifest(folder: Path, found: Findings, tick: Tick) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Return what is told of the proofs, and the bytes of every file that is as the manifest tells."""
    told = read_json("manifest.json", read_bytes(folder / "manifest.json", tick)[0])
    need(isinstance(told, dict) and told.get("format") == FORMAT, f"manifest.json: expected the format {FORMAT!r}")
    version, claim, proofs, files = map(told.get, ("version", "claim", "proofs", "files"))
    need(is_number(version) and version == VERSION, f"manifest.json: expected version {VERSION}, got {version!r:.80}")
    need(claim in [*CLAIMS], f"manifest.json: expected one of the claims {', '.join(CLAIMS)}, got {claim!r:.80}")
    found.claim = claim
    found.problems += [f"manifest.json: {key!r:.80} is no field of it" for key in told.keys() - _MANIFEST]
    right = isinstance(proofs, list) and proofs and all(map(_is_proof, proofs))
    need(right, "manifest.json: expected a list of proofs, each with its file, its prover and its number of lemmas")
    names = {proof["file"] for proof in proofs}
    if len(names) < len(proofs):
        found.problems.append("manifest.json: a proof is listed twice")
    right = isinstance(files, dict) and all(map(_PLAIN_NAME.fullmatch, files))
    need(right, "manifest.json: expected the files by their plain names")
    wanted = ALWAYS | FOR_CLAIM[claim] | names
    here = {path.name for path in folder.iterdir()} - {"manifest.json"}
    found.problems += [f"manifest.json: {name} is missing from its files" for name in sorted(wanted - files.keys())]
    found.problems += [f"manifest.json: {name} is no part of such a certificate" for name in sorted(files.keys() - wanted)]
    found.problems += [f"{name}: stands in the folder, but not in the manifest" for name in sorted(here - files.keys())]
    data: dict[str, bytes] = {}
    for name, about in sorted(files.items()):
        try:
            data[name] = _as_told(folder / name, about, tick)
        except Bad as bad:
            found.problems += bad.args
    return proofs, data


def _is_proof(told: Any) -> bool:
    file, prover, lemmas = map(told.get, ("file", "prover", "lemmas")) if isinstance(told, dict) else (None, None, None)
    named = isinstance(file, str) and _PROOF_NAME.fullmatch(file) and isinstance(prover, str) and prover
    return bool(named) and is_number(lemmas)


def _as_told(path: Path, about: Any, tick: Tick) -> bytes:
    right = isinstance(about, dict) and about.keys() == {"sha256", "bytes"}
    need(right, f"manifest.json: expected the hash and the size of {path.name}")
    (data, digest), size = read_bytes(path, tick), about["bytes"]
    need(is_number(size) and size == len(data), f"{path.name}: expected {size!r:.40} bytes, got {len(data)}")
    need(digest == about["sha256"], f"{path.name}: its SHA-256 is not the one in the manifest")
    return data


def texts(name: str, pieces: Iterable[bytes], tick: Tick) -> Iterator[str]:
    """Yield a text that comes in pieces as texts of whole lines, the last line end of each left out."""
    rest = b""
    for piece in pieces:
        tick()
        whole, end, rest = (rest + piece).rpartition(b"\n")
        need(len(rest) <= PIECE, f"{name}: expected lines, got one of more than {PIECE:,} bytes")
        try:
            text = whole.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Bad(f"{name}: expected a text in UTF-8") from error
        if end:
            yield text
    need(not rest, f"{name}: the last line is cut off")


# === 3. The puzzle ====================================================================================================

Cells = Sequence[int]
Statement = tuple[tuple[int, ...], Callable[[Sequence[int]], bool]]
"""Some cells, and what holds of their values, in this order; the rule holds where all of its statements do."""
_CELL = re.compile(r"r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", re.IGNORECASE)
_PUZZLE = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", "title", "author", "source", "ruleset"}
_FLAGS = {"down", "up", "even", "rows", "loop"}
"""The fields of rules that are true or false."""


class Board(NamedTuple):
    """A rectangle of cells in rows on the plane; ``labels`` give each cell, in reading order, its region or None."""

    rows: list[list[int]]
    box: tuple[int, int] | None
    labels: list[int | None]


@dataclass
class Puzzle:
    """A puzzle as the checker reads it: cells are numbered in reading order over the plane."""

    boards: list[Board]
    values: range
    places: list[tuple[int, int]]
    cell_at: dict[tuple[int, int], int]
    names: list[str]
    houses: dict[str, list[int]]
    rules: list[dict[str, Any]] = field(default_factory=list)
    givens: dict[int, int] = field(default_factory=dict)
    candidates: dict[int, set[int]] = field(default_factory=dict)

    def cell(self, name: Any) -> int:
        """Return the cell with that name."""
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        cell = self.cell_at.get((int(found[1]) - 1, int(found[2]) - 1), -1) if found else -1
        need(cell >= 0, f"puzzle.json: expected a cell of the grid, got {name!r:.80}")
        return cell

    def told(self, cells: Iterable[int]) -> str:
        """Return the names of cells."""
        return " ".join(self.names[cell] for cell in cells)

    def value(self, told: Any) -> int:
        """Return a value of the grid."""
        need(is_number(told) and told in self.values, f"puzzle.json: expected a value of the grid, got {told!r:.80}")
        return int(told)

    def by_cell(self, told: Any) -> dict[int, Any]:
        """Return an object of cells with the cells themselves instead of their names."""
        need(isinstance(told, dict), "puzzle.json: expected an object of cells")
        found = {self.cell(name): value for name, value in told.items()}
        need(len(found) == len(told), "puzzle.json: a cell is named twice")
        return found

    def apart(self, steps: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield every two cells that are one of the steps apart, in any direction, once."""
        turned = {(abs(one), abs(other)) for step in steps for one, other in (step, step[::-1])}
        ways = sorted({(down * one, right * other) for one, other in turned for down in (1, -1) for right in (1, -1)})
        for cell, (row, column) in enumerate(self.places):
            for down, right in ways:
                other_cell = self.cell_at.get((row + down, column + right), -1)
                if other_cell > cell:
                    yield cell, other_cell

    def fields(self, rule: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a rule with cells as numbers instead of names."""
        flags = {key for key, told in rule.items() if key in _FLAGS and isinstance(told, bool)}
        return {key: told if key in flags else self._plain(told) for key, told in rule.items() if key != "kind"}

    def _plain(self, told: Any) -> Any:
        if isinstance(told, list):
            return [self._plain(one) for one in told]
        if isinstance(told, str):
            return self.cell(told)
        need(told is None or is_number(told), f"puzzle.json: expected numbers and cells in a rule, got {told!r:.80}")
        return told

    def differing(self, rule: dict[str, Any]) -> list[tuple[int, ...]] | None:
        """Return the cells that differ by a rule that says only that; None for any other rule."""
        kind = rule["kind"]
        return [tuple(cells) for cells in DIFFERING[kind](self, **self.fields(rule))] if kind in DIFFERING else None


def read_puzzle(data: bytes) -> Puzzle:
    """Return the puzzle told by our JSON."""
    told = read_json("puzzle.json", data)
    need(isinstance(told, dict), "puzzle.json: expected an object")
    if unknown := sorted(map(repr, told.keys() - _PUZZLE)):
        raise Bad(*(f"puzzle.json: {key:.80} is no field of a certified puzzle" for key in unknown))
    format_, version = told.get("format", "sudoku-cp puzzle"), told.get("version", 1)
    need(format_ == "sudoku-cp puzzle" and is_number(version) and version == 1, "puzzle.json: expected a puzzle of version 1")
    need(isinstance(told.get("grid"), dict), "puzzle.json: expected a grid")
    puzzle, rules = read_grid(told["grid"]), told.get("rules", ["houses"])
    need(isinstance(rules, list), "puzzle.json: expected a list of rules")
    puzzle.rules = list(map(read_rule, rules))
    puzzle.givens = {cell: puzzle.value(value) for cell, value in puzzle.by_cell(told.get("givens", {})).items()}
    for cell, values in puzzle.by_cell(told.get("candidates", {})).items():
        need(isinstance(values, list) and values, "puzzle.json: expected the candidates of a cell as a list of values")
        puzzle.candidates[cell] = set(map(puzzle.value, values))
    return puzzle


def read_rule(told: Any) -> dict[str, Any]:
    """Return a rule as an object with its kind."""
    rule = {"kind": told} if isinstance(told, str) else told
    kind = rule.get("kind") if isinstance(rule, dict) else None
    need(isinstance(kind, str) and kind, f"puzzle.json: expected a rule, got {told!r:.80}")
    return dict(rule)


def read_grid(told: dict[str, Any]) -> Puzzle:
    """Return the empty puzzle on the grid that is told: its cells and houses."""
    only = "boards" not in told or not told.keys() - {"boards", "values"}
    need(only, "puzzle.json: expected only boards and values in a grid of several boards")
    shapes = told.get("boards", [{key: told[key] for key in told if key != "values"}])
    need(isinstance(shapes, list) and 1 <= len(shapes) <= 1000, "puzzle.json: expected 1 to 1000 boards")
    read = list(map(_board, shapes))
    places = sorted({place for rows, _, _ in read for row in rows for place in row})
    cell_at = {place: cell for cell, place in enumerate(places)}
    boards = [Board([[cell_at[place] for place in row] for row in rows], box, labels) for rows, box, labels in read]
    houses: dict[str, list[int]] = {}
    for number, (rows, box, labels) in enumerate(boards, 1):
        behind = f" of board {number}" if len(boards) > 1 else ""
        houses |= {f"row {row}{behind}": cells for row, cells in enumerate(rows, 1)}
        houses |= {f"column {column}{behind}": list(cells) for column, cells in enumerate(zip(*rows, strict=True), 1)}
        regions: dict[int, list[int]] = {}
        for cell, label in zip(chain.from_iterable(rows), labels, strict=True):
            if label is not None:
                regions.setdefault(label, []).append(cell)
        houses |= {f"{'box' if box else 'region'} {region}{behind}": own for region, own in enumerate(regions.values(), 1)}
    low, high = _numbers(told["values"], 0, 61, 2) if "values" in told else (1, max(map(len, houses.values())))
    need(low <= high, "puzzle.json: expected the lowest value before the highest")
    return Puzzle(boards, range(low, high + 1), places, cell_at, [f"r{row + 1}c{column + 1}" for row, column in places], houses)


def _board(told: Any) -> tuple[list[list[tuple[int, int]]], tuple[int, int] | None, list[int | None]]:
    """Return the places of a board in rows, the height and width of its boxes if it has any, and each cell's region."""
    known = isinstance(told, dict) and not told.keys() - {"rows", "columns", "boxes", "regions", "at"}
    need(known, "puzzle.json: expected a board with rows, columns, and boxes or regions")
    rows, columns = _numbers([told.get("rows"), told.get("columns")], 1, 36, 2)
    top, left = _numbers(told.get("at", [0, 0]), 0, 999, 2)
    places = [[(top + row, left + column) for column in range(columns)] for row in range(rows)]
    need("boxes" not in told or "regions" not in told, "puzzle.json: expected boxes or regions, got both")
    if "boxes" in told:
        height, width = _numbers(told["boxes"], 1, 36, 2)
        need(not rows % height and not columns % width, "puzzle.json: expected boxes that tile the board")
        boxes = [row // height * (columns // width) + column // width for row in range(rows) for column in range(columns)]
        return places, (height, width), [*boxes]
    lines = told.get("regions", [[None] * columns] * rows)
    shaped = isinstance(lines, list) and len(lines) == rows and all(isinstance(a, list) and len(a) == columns for a in lines)
    labels = [label for line in lines for label in line] if shaped else []
    right = shaped and all(label is None or is_number(label) for label in labels)
    need(right, "puzzle.json: expected a region, or null, for every cell of the board")
    return places, None, labels


def _numbers(told: Any, least: int, most: int, size: int) -> list[int]:
    right = isinstance(told, list) and len(told) == size and all(is_number(one) and least <= one <= most for one in told)
    need(right, f"puzzle.json: expected {size} whole numbers from {least} to {most}, got {told!r:.80}")
    return list(told)


# --- the rules that only say that cells differ ------------------------------------------------------------------------


def differ(values: Sequence[int]) -> bool:
    """Say whether no value stands twice."""
    return len(set(values)) == len(values)


def diagonals(puzzle: Puzzle, down: bool = True, up: bool = True) -> Iterator[list[int]]:  # noqa: FBT001, FBT002
    """Yield the long diagonals of every square board."""
    for rows, _, _ in puzzle.boards:
        if len(rows) == len(rows[0]):
            if down:
                yield [row[k] for k, row in enumerate(rows)]
            if up:
                yield [row[k] for k, row in enumerate(reversed(rows))]


def windows(puzzle: Puzzle) -> Iterator[list[int]]:
    """Yield blocks of the boxes' size, one cell inside the border and one cell from each other."""
    for rows, box, _ in puzzle.boards:
        high, wide = box or (len(rows), len(rows[0]))
        for top, left in product(range(1, len(rows) - high, high + 1), range(1, len(rows[0]) - wide, wide + 1)):
            yield [cell for row in rows[top : top + high] for cell in row[left : left + wide]]


def disjoint_groups(puzzle: Puzzle) -> Iterator[list[int]]:
    """Yield the cells in the same place of their regions."""
    for rows, _, labels in puzzle.boards:
        groups: dict[int, list[int]] = {}
        before: Counter[int] = Counter()
        for cell, label in zip(chain.from_iterable(rows), labels, strict=True):
            if label is not None:
                groups.setdefault(before[label], []).append(cell)
                before[label] += 1
        yield from groups.values()


def leaps(puzzle: Puzzle, steps: Iterable[Sequence[int]]) -> Iterator[Cells]:
    """Yield every two cells a step apart."""
    return puzzle.apart([(one, other) for one, other in steps])


FARTHEST = 4000
"""No two cells are so many steps apart."""


def taxi(distance: int) -> list[tuple[int, int]]:
    """Return the steps that are so many along rows and columns."""
    return [(down, distance - down) for down in range(distance + 1)] if 0 < distance < FARTHEST else []


DIFFERING: dict[str, Callable[..., Iterable[Cells]]] = {
    "houses": lambda puzzle: puzzle.houses.values(),
    "diagonals": diagonals,
    "windoku": windows,
    "disjoint-groups": disjoint_groups,
    "extra-region": lambda _, cells: [cells],
    "anti-king": partial(leaps, steps=[(1, 1)]),
    "anti-knight": partial(leaps, steps=[(1, 2)]),
    "anti-leaper": leaps,
    "taxicab": lambda puzzle, distance: leaps(puzzle, taxi(distance)),
}
"""The lists of cells that differ by each of these rules: the checker makes their clauses itself, and they must be the same."""


@cache
def meanings() -> Any:
    """Return the module that stands beside this one and knows the other rules; None where it does not stand there."""
    path = Path(__file__).with_name("meanings.py")
    spec = spec_from_file_location("meanings", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def statements_of(puzzle: Puzzle, rule: dict[str, Any]) -> list[Statement] | None:
    """Return what a rule says; None where that is not known."""
    try:
        cells = puzzle.differing(rule)
        if cells is not None:
            return [(some, differ) for some in cells]
        known: list[Statement] | None = meanings() and meanings().statements(puzzle, rule)
    except (TypeError, ValueError, LookupError, AttributeError, ZeroDivisionError, RecursionError) as error:
        raise Bad(f"puzzle.json: {rule['kind']}: expected the fields of such a rule ({error!s:.80})") from error
    return known


# === 4. Filled grids ==================================================================================================

Statements = Sequence[Sequence[Statement] | None]
NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def read_solution(puzzle: Puzzle, data: bytes) -> list[int]:
    """Return the values of all cells: numbers with blanks between, a line for every row of cells."""
    rows = [[int(word) for word in line.split()] for line in data.decode("ascii").splitlines()]
    sizes = [count for _, count in sorted(Counter(row for row, _ in puzzle.places).items())]
    need([len(row) for row in rows] == sizes, "solution.txt: expected a number for every cell, and a line for every row of cells")
    return [value for row in rows for value in row]


def wrong_in(puzzle: Puzzle, statements: Statements, values: list[int], name: str, free: int | None = None) -> Iterator[str]:
    """Yield what is wrong with a filled grid; the given of the cell ``free`` may be another one."""
    if not set(values) <= set(puzzle.values):
        yield f"{name}: expected values from {puzzle.values[0]} to {puzzle.values[-1]}"
        return
    for cell, value in puzzle.givens.items():
        if values[cell] != value and cell != free:
            yield f"{name}: {puzzle.names[cell]} is {values[cell]}, but {value} is given"
    for cell, allowed in puzzle.candidates.items():
        if values[cell] not in allowed:
            yield f"{name}: {puzzle.names[cell]} is {values[cell]}, which is no candidate there"
    for number, own in enumerate(statements):
        for cells, holds in own or ():
            if not holds([values[cell] for cell in cells]):
                yield f"{name}: rule {number} ({puzzle.rules[number]['kind']}) is broken by {puzzle.told(cells):.80}"
                break


def wrong_others(puzzle: Puzzle, statements: Statements, solution: list[int], data: bytes, tick: Tick) -> Iterator[str]:
    """Yield what is wrong with the grids that show that each given is needed."""
    told = read_json("others.json", data)
    need(isinstance(told, dict), "others.json: expected a grid for every given")
    yield from (f"others.json: {name:.40} is no given" for name in told.keys() - {*map(puzzle.names.__getitem__, puzzle.givens)})
    for cell in puzzle.givens:
        tick()
        name = puzzle.names[cell]
        values = told.get(name)
        if not isinstance(values, list) or len(values) != len(puzzle.names) or not all(map(is_number, values)):
            yield f"others.json: expected a value for every cell, in the grid without {name}"
            continue
        if values[cell] == solution[cell]:
            yield f"others.json: the grid without {name} has the same value there"
        yield from wrong_in(puzzle, statements, values, f"others.json, without {name}", cell)


def wrong_drawing(puzzle: Puzzle, data: bytes, symbols: Any) -> Iterator[str]:
    """Yield what is wrong with the puzzle as it is drawn for people: its blanks, and its signs where they are numerals."""
    signs = "".join(data.decode("utf-8").split())
    drawn = {(value, signs[cell]) for cell, value in puzzle.givens.items() if cell < len(signs)}
    if len(signs) != len(puzzle.names):
        yield f"puzzle.txt: expected a sign for each of {len(puzzle.names)} cells, got {len(signs)}"
    elif {cell for cell, sign in enumerate(signs) if sign != "."} != puzzle.givens.keys():
        yield "puzzle.txt: it has not the givens of puzzle.json"
    elif len({value for value, _ in drawn}) < len(drawn) or len({sign for _, sign in drawn}) < len(drawn):
        yield "puzzle.txt: a sign or a value stands for two"
    elif symbols is None and any(NUMERALS[value] != sign for value, sign in drawn):
        yield "puzzle.txt: its signs are not the givens of puzzle.json"


# === 5. The formula ===================================================================================================

Clauses = list[list[int]]
EMPTY: Clauses = [[1], [-1]]
"""The empty clause as it is written, since some readers of DIMACS do not take an empty line."""
CONSTRAINTS = {"AllDifferent", "DigitSet", "Linear", "Table", "Automaton", "Clause", "Count"}
BLOCKS = {
    "cells": set(),
    "rule": {"rule", "kind", "part", "constraint", "cells"},
    "given": {"cell", "value"},
    "candidates": {"cell", "not"},
    "solution": set(),
}
"""The fields of the label of each sort of block, beside ``block``, its sort, and ``clauses``, the first and the last of them."""
JOINED = {"any-of", "all-of", "repeated"}
"""Kinds of rules whose parts may be named after cells of which nothing is left to say."""
_CLAUSE = re.compile(r" *(-?[0-9]{1,12} +)*0 *")
_NAMED = re.compile(r"\br[1-9][0-9]*c[1-9][0-9]*\b")


class Block(NamedTuple):
    """Some clauses of the formula as lines of text, with what the file says of them and the number of the line before them."""

    label: dict[str, Any]
    lines: list[str]
    line: int

    @property
    def at(self) -> str:
        """The place to name in a problem."""
        return f"formula.cnf: line {self.line + 1}"


class Part(NamedTuple):
    """What the block of a rule says: its clauses, and groups of variables of which one at most is true."""

    cells: frozenset[int]
    line: int
    clauses: Clauses
    groups: Clauses


@dataclass
class Formula:
    """The formula as it stands in the file, and what is known of it.

    ``first`` is the variable of a cell's lowest value, 0 where cells have one value only; ``board`` is the last of these
    variables, ``size`` the last one of all. Behind what was checked stands ``clauses``; and of each of the ``groups`` of
    variables one at most is true, which is said by clauses of two negated variables.
    """

    first: list[int]
    values: range
    board: int
    size: int
    blocks: list[Block]
    clauses: Clauses = field(default_factory=list)
    groups: Clauses = field(default_factory=list)
    rebuilt: int = 0

    def literal(self, cell: int, value: int) -> int:
        """Return the variable that says that the cell has the value; 0 where it is certain."""
        return self.first[cell] + value - self.values[0] if self.first[cell] else 0


def read_formula(data: bytes, puzzle: Puzzle, tick: Tick) -> Formula:
    """Return the formula in blocks, after comparing its map of variables with the puzzle's cells."""
    lines: list[str] = []
    pieces = (data[start : start + PIECE] for start in range(0, len(data), PIECE))
    for text in texts("formula.cnf", pieces, tick):
        lines += text.split("\n")
    start = next((number for number, line in enumerate(lines) if line[:1] != "c"), len(lines))
    found = re.fullmatch(r"p cnf (0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})", lines[start]) if start < len(lines) else None
    need(found, "formula.cnf: expected comments, and behind them a line 'p cnf VARIABLES CLAUSES'")
    size, count = map(int, found.groups()) if found else (0, 0)
    need(size <= len(lines), "formula.cnf: more variables than lines")
    clauses = len(lines) - start - 1
    need(clauses == count, f"formula.cnf: expected {count} clauses as the line p says, got {clauses}")
    for number, line in enumerate(lines[:start], 1):  # other programs stumble over such
        harmless = line.startswith("c ") and "cnf" not in line and len(line) < 1000
        need(harmless, f"formula.cnf: line {number}: expected a comment of less than 1,000 signs and without 'cnf'")
    first, board = _variables(lines[:start], puzzle, size)
    blocks, behind = [], start + 1
    for at, label in _labels(lines[:start]):
        begin, end = label.pop("clauses")
        need(begin == behind - start and begin - 1 <= end <= count, f"{at}: its clauses do not follow those of the block before")
        blocks.append(Block(label, lines[behind : start + 1 + end], behind))
        behind = start + 1 + end
    need(behind == len(lines), f"formula.cnf: {len(lines) - behind} clauses stand in no block")
    return Formula(first, puzzle.values, board, size, blocks)


def _labels(head: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the label of each block, and where it stands; a long one goes on in lines that begin with ``c +``."""
    for number, line in enumerate(head):
        if line.startswith("c block "):
            more = takewhile(lambda line: line.startswith("c + "), head[number + 1 :])
            at, told = f"formula.cnf: line {number + 1}", line[8:] + "".join(one[4:] for one in more)
            label = read_json(at, told.encode())
            fields = BLOCKS.get(str(label.get("block"))) if isinstance(label, dict) else None
            right = fields is not None and fields | {"block", "clauses"} == label.keys()
            clauses = label["clauses"] if right else None
            right = isinstance(clauses, list) and len(clauses) == 2 and all(map(is_number, clauses))
            need(right, f"{at}: expected the label of a block, got {line!r:.80}")
            yield at, label


def _variables(head: list[str], puzzle: Puzzle, size: int) -> tuple[list[int], int]:
    """Return the first variable of each cell and the number of the board's variables, if the map is the right one."""
    cells, width = len(puzzle.names), len(puzzle.values)
    if width == 1:
        first, board = [0] * cells, 0
        wanted = [f"c fixed {name}={puzzle.values[0]}" for name in puzzle.names]
    else:
        first, board = [1 + width * cell for cell in range(cells)], width * cells
        meant = product(puzzle.names, puzzle.values)
        wanted = [f"c var {number} {name}={value}" for number, (name, value) in enumerate(meant, 1)]
    behind = 1 if size == 1 and not board else board  # an empty clause is written with variable 1, even if there is no other
    wanted += [f"c var {number} auxiliary {number - board}" for number in range(behind + 1, size + 1)]
    told = [line for line in head if line.startswith(("c var", "c fixed"))]
    if told != wanted:  # what else stands before the line p is a remark
        wrong = next((one for one, other in zip(told, wanted, strict=False) if one != other), f"{len(told)} lines of it")
        raise Bad(f"formula.cnf: its map of variables is not that of the puzzle: {wrong!r:.80}")
    return first, board


def clauses_in(block: Block, size: int) -> Clauses:
    """Return the clauses of a block as lists of literals; an empty one is written as two that contradict each other."""
    clauses: Clauses = []
    for number, line in enumerate(block.lines, block.line + 1):
        if not _CLAUSE.fullmatch(line):
            raise Bad(f"formula.cnf: line {number}: expected a clause, got {line!r:.80}")
        *clause, _ = map(int, line.split())
        if clause and (max(clause) > size or min(clause) < -size or 0 in clause):
            raise Bad(f"formula.cnf: line {number}: expected literals up to {size} and a 0 at the end, got {line!r:.80}")
        clauses.append(clause)
        if clauses[-2:] == EMPTY:
            clauses[-2:] = [[]]
    return clauses


def compare(formula: Formula, block: Block, groups: Clauses, others: Clauses, what: str, tick: Tick) -> Iterator[str]:
    """Yield what is wrong with a block that must say of each group that one variable at most is true, and the other clauses.

    The block is compared line by line with the text that is usual, in which each group stands behind the clause that one of
    it is true, if there are such clauses; where that fails, as a set of sets of literals.
    """
    formula.groups += groups
    formula.clauses += others
    wanted: list[str] = []
    between = len(groups) == len(others)
    for group, clause in zip(groups, others if between else [[]] * len(groups), strict=True):
        tick()
        if between:
            wanted.append(" ".join(map(str, (*clause, 0))))
        ends = [f" -{variable} 0" for variable in group]
        for place, variable in enumerate(group, 1):
            one = f"-{variable}"
            wanted += [one + end for end in ends[place:]]
    if not between:
        wanted += [" ".join(map(str, (*said, 0))) for clause in others for said in ([clause] if clause else EMPTY)]
    formula.rebuilt += len(wanted)
    if wanted == block.lines:
        return
    here = Counter(tuple(sorted(said)) for clause in clauses_in(block, formula.size) for said in ([clause] if clause else EMPTY))
    there = {tuple(sorted(map(int, line.split()[:-1]))) for line in wanted}
    for noun, some in (("lacks", there - here.keys()), ("has too much:", here.keys() - there)):
        if some:
            yield f"{block.at}: {what}: {noun} {len(some)} clauses, such as '{' '.join(map(str, min(some)))} 0'"
    if max(here.values(), default=1) > 1:
        yield f"{block.at}: {what}: a clause stands there twice"


# --- cells, givens, candidates, the solution --------------------------------------------------------------------------


def fixed_blocks(formula: Formula, puzzle: Puzzle, claim: str | None, solution: list[int] | None) -> Iterator[tuple[Any, ...]]:
    """Yield the label of each block that no rule makes, its groups of variables, and its other clauses."""
    cells = [[formula.literal(cell, value) for value in puzzle.values] for cell in range(len(puzzle.names))]
    cells = cells if formula.board else []
    yield {"block": "cells"}, cells, [list(group) for group in cells]
    for cell, value in puzzle.givens.items():
        unit = [[formula.literal(cell, value)]] if formula.board else []
        yield {"block": "given", "cell": puzzle.names[cell], "value": value}, [], unit
    for cell, allowed in puzzle.candidates.items():
        gone = [value for value in puzzle.values if value not in allowed]
        units = [[-formula.literal(cell, value)] for value in gone]
        yield {"block": "candidates", "cell": puzzle.names[cell], "not": gone}, [], units
    if claim != "none" and solution is not None:
        other = [-formula.literal(cell, value) for cell, value in enumerate(solution) if formula.board]
        yield {"block": "solution"}, [], [other]


def compare_fixed(formula: Formula, puzzle: Puzzle, claim: str | None, solution: list[int] | None, tick: Tick) -> Iterator[str]:
    """Yield what is wrong with the blocks that no rule makes: each of them stands there once, and no other."""

    def key(label: dict[str, Any]) -> str:
        return f"{label['block']} {label.get('cell', '')}".rstrip()

    wanted = {key(one[0]): one for one in fixed_blocks(formula, puzzle, claim, solution)}
    seen: Counter[str] = Counter()
    for block in formula.blocks:
        if block.label["block"] == "rule":
            continue
        what = key(block.label)
        seen[what] += 1
        if what not in wanted:
            yield f"{block.at}: {what} is not in the puzzle, or no part of the claim {claim!r}"
            continue
        label, groups, others = wanted[what]
        if block.label != label:
            yield f"{block.at}: expected the label {json.dumps(label)}"
        yield from compare(formula, block, groups, others, what, tick)
    yield from (f"formula.cnf: expected the block {what} once, got it {seen[what]} times" for what in wanted if seen[what] != 1)


# --- the rules --------------------------------------------------------------------------------------------------------


def wrong_label(puzzle: Puzzle, block: Block, *, known: bool) -> Iterator[str]:
    """Yield what is wrong with the label of a rule's block; the cells in its name are those of a ``known`` rule."""
    label, number, rules = block.label, block.label["rule"], puzzle.rules
    if number is not None and not (is_number(number) and 0 <= number < len(rules)):
        yield f"{block.at}: the puzzle has no rule {number!r:.40}"
    elif number is not None and label["kind"] != rules[number]["kind"]:
        yield f"{block.at}: rule {number} is of the kind {rules[number]['kind']!r:.80}, not {label['kind']!r:.80}"
    part, right = label["part"], label["constraint"] in [*CONSTRAINTS] and isinstance(label["cells"], list)
    need(right and isinstance(part, str) and part, f"{block.at}: expected its part, constraint and cells")
    cells = [puzzle.cell(name) for name in label["cells"]]
    if known and label["kind"] not in JOINED and (named := set(_NAMED.findall(part.lower()))):
        named -= {puzzle.names[cell] for cell in cells} | set(_NAMED.findall(json.dumps(rules).lower()))
        yield from (f"{block.at}: the part {part!r:.80} names {name}, which its rule does not" for name in sorted(named))
    if label["kind"] == "houses" and puzzle.houses.get(part) != cells:
        yield f"{block.at}: {part!r:.80} is not the name of these cells"


def rule_blocks(
    formula: Formula, puzzle: Puzzle, statements: Statements, found: Findings, tick: Tick
) -> tuple[list[tuple[int, Block]], dict[int | None, list[Part]]]:
    """Return the blocks of rules of cells that differ, and the clauses of every other rule (None: of several rules)."""
    kinds = {number: rule["kind"] for number, rule in enumerate(puzzle.rules)}
    parts: dict[int | None, list[Part]] = {number: [] for number, kind in kinds.items() if kind not in DIFFERING}
    differing: list[tuple[int, Block]] = []
    owners: dict[int, int | None] = {}
    for block in (block for block in formula.blocks if block.label["block"] == "rule"):
        tick()
        told = block.label["rule"]
        number = told if is_number(told) and told in kinds else None
        found.problems += wrong_label(puzzle, block, known=number is not None and statements[number] is not None)
        if number is not None and number not in parts:
            differing.append((number, block))
            continue
        clauses = clauses_in(block, formula.size)
        variables = {abs(literal) for clause in clauses for literal in clause}
        named = frozenset(map(puzzle.cell, block.label["cells"]))
        spoken = {(one - 1) // len(puzzle.values) for one in variables if one <= formula.board}
        if not spoken <= named:
            found.problems.append(f"{block.at}: the clauses speak of cells that the label does not name")
        for auxiliary in sorted(one for one in variables if one > formula.board):
            if owners.setdefault(auxiliary, number) != number:
                found.problems.append(f"formula.cnf: two rules share the auxiliary {auxiliary}")
        parts.setdefault(number, []).append(Part(named | spoken, block.line, clauses, []))
    return differing, parts


def compare_rules(
    formula: Formula, puzzle: Puzzle, statements: Statements, solution: list[int] | None, found: Findings, tick: Tick
) -> None:
    """Compare the blocks of every rule with what it says: clause by clause where cells differ, else by their meaning."""
    differing, parts = rule_blocks(formula, puzzle, statements, found, tick)
    said = [clause for some in parts.values() for part in some for clause in part.clauses]
    formula.clauses += said
    made: list[Part] = []
    found.problems += compare_differing(formula, puzzle, differing, said, made, tick)
    left = {number: sum(len(part.clauses) for part in some) for number, some in parts.items()}
    found.facts |= {"rebuilt": formula.rebuilt, "compared": 0, "walks": 0}
    if parts and meanings():
        left |= meanings().compare(formula, puzzle, statements, parts, made, solution, found, tick)
    found.facts["trusted"] = sum(left.values())
    for number, count in left.items():
        known = number is not None and statements[number] is not None
        why = "too much would have to be walked through" if known else "the checker does not know what it means"
        told = f"{count} clauses taken on trust, as {why if meanings() else 'meanings.py is not here'}"
        if number is not None and (count or not known):
            found.trusted.append(f"rule {number} ({puzzle.rules[number]['kind']}): {told}")
        elif count and None in statements:
            found.trusted.append(f"several rules: {told}")
        elif count:
            found.problems.append("formula.cnf: clauses that follow from several rules, where there are none such")


def at_most_one(formula: Formula, cells: Cells) -> tuple[Clauses, Clauses]:
    """Return what it means that cells differ: for each value, its variables, of which one at most is true, and one at least."""
    if len(set(cells)) < len(cells) or len(formula.values) < len(cells):
        return [], [[]]
    if not formula.board:
        return [], []
    groups = [[formula.literal(cell, value) for cell in cells] for value in formula.values]
    return groups, [list(group) for group in groups] if len(cells) == len(formula.values) else []


def compare_differing(
    formula: Formula, puzzle: Puzzle, blocks: list[tuple[int, Block]], said: Clauses, made: list[Part], tick: Tick
) -> Iterator[str]:
    """Yield what is wrong with the blocks of rules that say that cells differ, which are ``made`` anew.

    What two rules say stands there once, and what other rules have ``said`` as well need not stand there.
    """
    wanted: dict[tuple[int, ...], set[int]] = {}
    for number, rule in enumerate(puzzle.rules):
        for cells in puzzle.differing(rule) or ():
            wanted.setdefault(cells, set()).add(number)
    for number, block in blocks:
        cells = tuple(map(puzzle.cell, block.label["cells"]))
        what = f"rule {number} ({puzzle.rules[number]['kind']}), {block.label['part']:.80}"
        if number not in wanted.pop(cells, ()) or block.label["constraint"] != "AllDifferent":
            yield f"{block.at}: {what}: the rule says no such thing, or said it already"
            continue
        groups, others = at_most_one(formula, cells)
        yield from compare(formula, block, groups, others, what, tick)
        made.append(Part(frozenset(cells), block.line, others, groups))
    known = {frozenset(clause) for clause in said} if wanted else set()
    for cells, numbers in wanted.items():
        groups, others = at_most_one(formula, cells)
        pairs = ((-one, -two) for group in groups for one, two in combinations(group, 2))
        if not known.issuperset(map(frozenset, chain(pairs, others))):
            yield f"formula.cnf: rule {min(numbers)}: expected a block that says that {puzzle.told(cells):.80} differ"


# === 6. The proof =====================================================================================================


def unpacked(name: str, data: bytes, tick: Tick) -> Iterator[bytes]:
    """Yield the bytes that were packed, piece by piece."""
    unpacker, size, ended = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=1 << 30), 0, False
    while not ended:
        tick()
        try:
            piece = unpacker.decompress(data, max_length=PIECE)
        except lzma.LZMAError as error:
            raise Bad(f"{name}: expected an xz file ({error})") from error
        ended = unpacker.eof
        need(ended or not unpacker.needs_input, f"{name}: the xz file is cut off")
        data, size = b"", size + len(piece)
        if size > LONGEST:
            raise OutOfTime(f"{name}: larger than {LONGEST:,} bytes: let drat-trim check it (README.md tells how)")
        yield piece
    need(not unpacker.unused_data, f"{name}: the xz file goes on behind its end")


def read_proof(name: str, data: bytes, size: int, tick: Tick) -> Clauses:
    """Return the lemmas of a proof; deletions, which a checker might heed or not, are none of this format."""
    lemmas: Clauses = []
    for text in texts(name, unpacked(name, data, tick), tick):
        need(not re.search(r"[^-0-9 \n]", text), f"{name}: expected lines of numbers that end in 0")
        try:
            for line in text.split("\n"):
                *lemma, end = map(int, line.split())
                if end or (lemma and (max(lemma) > size or min(lemma) < -size or 0 in lemma)):
                    raise Bad(f"{name}: expected literals up to {size} and a 0 at the end, got {line!r:.80}")
                lemmas.append(lemma)
        except ValueError as error:
            raise Bad(f"{name}: expected lines of numbers that end in 0") from error
    need(lemmas and not lemmas[-1], f"{name}: it does not end with the empty clause")
    need([] not in lemmas[:-1], f"{name}: something follows the empty clause")
    return lemmas


class Propagation:
    """Unit propagation over clauses: what is true, and what waits for it.

    ``value`` and the lists are read with literals, negative ones from the end.
    """

    def __init__(self, size: int, clauses: Clauses, groups: Clauses, tick: Tick) -> None:
        """Take the clauses up, shortest first: what is decided by then makes the others shorter."""
        self.value = bytearray(2 * size + 1)  # 1 where a literal is true
        self.implied: Clauses = [[] for _ in range(2 * size + 1)]
        self.watching: list[Clauses] = [[] for _ in range(2 * size + 1)]
        self.trail: list[int] = []
        self.contradiction = False
        for number, group in enumerate(groups):
            if number % 256 == 0:
                tick()
            negative = [-variable for variable in group]
            for place, variable in enumerate(group):
                self.implied[variable] += negative[:place] + negative[place + 1 :]
        for clause in clauses:
            if len(clause) == 2:
                self.implied[-clause[0]].append(clause[1])
                self.implied[-clause[1]].append(clause[0])
        for clause in sorted((clause for clause in clauses if len(clause) != 2), key=len):
            self.add(clause)

    def add(self, clause: Iterable[int]) -> None:
        """Take a clause up that holds from now on."""
        value, rest = self.value, dict.fromkeys(clause)
        if self.contradiction or any(value[literal] or -literal in rest for literal in rest):
            return
        left = [literal for literal in rest if not value[-literal]]
        if len(left) < 2:
            self.contradiction = not left or self.conflict(left)
        elif len(left) == 2:
            self.implied[-left[0]].append(left[1])
            self.implied[-left[1]].append(left[0])
        else:
            self.watching[left[0]].append(left)
            self.watching[left[1]].append(left)

    def follows(self, lemma: Iterable[int]) -> bool:
        """Say whether the negation of a lemma leads to a contradiction by unit propagation; leave no trace of it."""
        if self.contradiction:
            return True
        mark = len(self.trail)
        found = self.conflict([-literal for literal in lemma])
        for literal in self.trail[mark:]:
            self.value[literal] = 0
        del self.trail[mark:]
        return found

    def conflict(self, literals: Iterable[int]) -> bool:
        """Make the literals true and follow what they imply; say whether that is a contradiction."""
        value, trail = self.value, self.trail
        place = len(trail)
        for literal in literals:
            if value[-literal]:
                return True
            if not value[literal]:
                value[literal] = 1
                trail.append(literal)
        while place < len(trail):
            literal = trail[place]
            place += 1
            for other in self.implied[literal]:
                if not value[other]:
                    if value[-other]:
                        return True
                    value[other] = 1
                    trail.append(other)
            if self.watching[-literal] and self._look(-literal):
                return True
        return False

    def _look(self, false: int) -> bool:
        """Find other literals to watch in the clauses that watch one that became false; say whether one has none left."""
        value, kept = self.value, []
        clauses = self.watching[false]
        for number, clause in enumerate(clauses):
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            first = clause[0]
            if value[first]:
                kept.append(clause)
                continue
            for place in range(2, len(clause)):
                literal = clause[place]
                if not value[-literal]:
                    clause[1], clause[place] = literal, false
                    self.watching[literal].append(clause)
                    break
            else:
                kept.append(clause)
                if value[-first]:
                    self.watching[false] = kept + clauses[number + 1 :]
                    return True
                value[first] = 1
                self.trail.append(first)
        self.watching[false] = kept
        return False


def wrong_proof(name: str, lemmas: Clauses, formula: Formula, tick: Tick) -> Iterator[str]:
    """Yield the first lemma that does not follow by unit propagation from the clauses and the lemmas before it."""
    propagation = Propagation(formula.size, formula.clauses, formula.groups, tick)
    for number, lemma in enumerate(lemmas, 1):
        if number % 16 == 1:
            tick()
        if not propagation.follows(lemma):
            told = " ".join(map(str, (*lemma, 0)))
            yield f"{name}: lemma {number} of {len(lemmas)} does not follow by unit propagation: '{told:.80}'"
            return
        propagation.add(lemma)


# === 7. The check as a whole, and the command line ====================================================================


def check(folder: str | Path, *, seconds: float | None = None, trust: bool = False) -> Report:
    """Return whether the folder proves its claim; only with ``trust`` may a part of it be taken on trust, which is told."""
    start, found, folder = time.monotonic(), Findings(), Path(folder)

    def tick() -> None:
        if seconds is not None and time.monotonic() > start + seconds:
            raise OutOfTime("the time limit came first")

    late = ""
    try:
        if not (folder / "manifest.json").is_file():
            return Report("absent", problems=(f"{folder}: no manifest.json is there",))
        judge(folder, found, tick)
    except Bad as bad:
        found.problems += bad.args
    except OutOfTime as limit:
        late = str(limit)
    except Exception as error:  # noqa: BLE001  # whatever a file makes go wrong here is the file's fault, and no proof
        found.problems.append(f"cannot be read: {type(error).__name__}: {error!s:.200}")
    if found.trusted and not trust:
        late = late or "a part of it can only be taken on trust, which must be asked for"
    verdict = "rejected" if found.problems else "unchecked" if late else "verified"
    found.facts["seconds"] = round(time.monotonic() - start, 3)
    problems = dict.fromkeys(found.problems or filter(None, [late]))
    return Report(verdict, found.claim, tuple(problems), tuple(found.trusted), found.facts)


def judge(folder: Path, found: Findings, tick: Tick) -> None:
    """Look at everything in a folder, as far as one thing being wrong lets the next one be looked at."""
    proofs, files = read_manifest(folder, found, tick)
    if missing := sorted({"puzzle.json", "formula.cnf"} - files.keys()):
        raise Bad(*(f"{name}: expected in the certificate" for name in missing))
    puzzle = read_puzzle(files["puzzle.json"])
    if "puzzle.txt" in files:
        found.problems += wrong_drawing(puzzle, files["puzzle.txt"], json.loads(files["puzzle.json"]).get("symbols"))
    statements = [statements_of(puzzle, rule) for rule in puzzle.rules]
    solution = None
    if found.claim != "none" and "solution.txt" in files:
        solution = read_solution(puzzle, files["solution.txt"])
        found.problems += wrong_in(puzzle, statements, solution, "solution.txt")
    if found.claim == "minimal" and solution and "others.json" in files:
        found.problems += wrong_others(puzzle, statements, solution, files["others.json"], tick)
        unknown = [number for number, known in enumerate(statements) if known is None]
        found.trusted += [f"rule {one} ({puzzle.rules[one]['kind']}): that the grids of others.json obey it" for one in unknown]
    formula = read_formula(files["formula.cnf"], puzzle, tick)
    found.facts |= {"variables": formula.size, "clauses": sum(len(block.lines) for block in formula.blocks), "lemmas": 0}
    found.problems += compare_fixed(formula, puzzle, found.claim, solution, tick)
    compare_rules(formula, puzzle, statements, solution, found, tick)
    for proof in proofs:
        if proof["file"] in files:
            lemmas = read_proof(proof["file"], files[proof["file"]], formula.size, tick)
            found.facts["lemmas"] += len(lemmas)
            if len(lemmas) != proof["lemmas"]:
                told = f"expected {proof['lemmas']} lemmas as the manifest says, got {len(lemmas)}"
                found.problems.append(f"{proof['file']}: {told}")
            found.problems += wrong_proof(proof["file"], lemmas, formula, tick)


def in_words(folder: str, report: Report) -> str:
    """Return a report for people."""
    claim = f": {CLAIMS[report.claim]}" if report.claim else ""
    lines = [f"{folder}: {report.verdict.upper()}{claim if report.verdict == 'verified' else ''}"]
    lines += [f"  {problem}" for problem in report.problems]
    lines += [f"  on trust: {one}" for one in report.trusted]
    if report.verdict == "verified":
        facts = report.facts
        lines.append(
            f"  {facts['clauses']} clauses ({facts['rebuilt']} made anew, {facts['compared']} compared with the rules' meaning,"
            f" {facts['trusted']} on trust), {facts['lemmas']} lemmas, {facts['seconds']:.2f} s"
        )
    return "\n".join(lines)


def seconds(text: str) -> float:
    """Return a time limit that is a positive number."""
    if not 0 < float(text) < float("inf"):
        raise ValueError
    return float(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Check the folders named on the command line, and return the exit code."""
    codes = (
        "Exit code: 0 all are verified, 1 one is rejected, 2 one is no certificate, or bad usage, 3 one is not wholly checked."
    )
    parser = ArgumentParser("check.py", description="Say whether each folder proves its claim about a puzzle.", epilog=codes)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="an object a line instead of words")
    parser.add_argument("--trust", action="store_true", help="verify although a part has to be taken on trust, which is told")
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="give up on a folder after so long")
    asked, seen = parser.parse_args(argv), set()
    for folder in asked.folders:
        report = check(folder, seconds=asked.timeout, trust=asked.trust)
        seen.add(CODES[report.verdict])
        told = json.dumps({"folder": folder, **report.__dict__}) if asked.json else in_words(folder, report)
        sys.stdout.write(told + "\n")
    return next(code for code in (1, 2, 3, 0) if code in seen)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
