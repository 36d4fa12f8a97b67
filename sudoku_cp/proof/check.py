"""The independent checker of certificates: one file, the standard library alone, and nothing of the package that wrote them.

``python check.py FOLDER`` says whether the folder proves its claim. In the order of reading:

1. what is claimed, and the answer
2. the files and their hashes
3. the puzzle, read anew from its JSON
4. the formula, read, and compared clause by clause with what the puzzle says
5. what the rules mean: small machines that read the values of some cells one after the other
6. whether clauses say what a rule means, by walking through all values with both at once
7. the proof: every lemma follows by unit propagation, and the last one is the empty clause
8. the check as a whole, and the command line

Whoever trusts this file, Python, and SHA-256 need not trust the program, the solvers or the machine that made the folder.
`docs/certificates.md` tells the format and what is left to trust.
"""

# ruff: noqa: C901, PLR2004  # one file to be read in one sitting: small numbers and tables of cases speak for themselves

from __future__ import annotations

import hashlib
import json
import lzma
import operator
import re
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, combinations, product
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

    "verified": the claim is proved. "rejected": something is wrong. "absent": no certificate is there. "unchecked": a limit
    came first, and nothing was found wrong until then.
    """

    verdict: str
    claim: str | None = None
    problems: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


class Bad(Exception):
    """The certificate is wrong; each argument is a problem."""


class OutOfTime(Exception):
    """A limit came before the answer."""


class Clock:
    """Raises `OutOfTime` when it is looked at after the deadline."""

    def __init__(self, seconds: float | None) -> None:
        """Begin to count."""
        self.start = time.monotonic()
        self.limited = seconds is not None
        self.end = float("inf") if seconds is None else self.start + seconds

    def tick(self) -> None:
        """Look at the time."""
        if time.monotonic() > self.end:
            raise OutOfTime("the time limit came first")


# === 2. The files and their hashes ====================================================================================

LARGEST = 1 << 29
"""No file is read beyond so many bytes, packed or unpacked."""
ALWAYS = {"README.md", "puzzle.json", "puzzle.txt", "formula.cnf"}
FOR_CLAIM = {"unique": {"solution.txt"}, "none": set[str](), "minimal": {"solution.txt", "others.json"}}
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_PROOF_NAME = re.compile(r"proof-[A-Za-z0-9_.-]{1,80}\.drup\.xz")


def read_bytes(path: Path) -> bytes:
    """Return what is in a plain file, which is neither a link, a pipe nor too large."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            raise Bad(f"{path.name}: expected a plain file")
        if about.st_size > LARGEST:
            raise Bad(f"{path.name}: expected at most {LARGEST:,} bytes, got {about.st_size:,}")
        return path.read_bytes()
    except OSError as error:
        raise Bad(f"{path.name}: cannot be read ({error.strerror})") from error


def read_json(name: str, data: bytes) -> Any:
    """Return plain data, in which no object names a field twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise Bad(f"{name}: a field stands twice in one object")
        return dict(pairs)

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Bad(f"{name}: expected JSON, got something else ({error!s:.80})") from error


def is_text(data: Any) -> bool:
    """Say whether plain data is a text that is not empty."""
    return isinstance(data, str) and bool(data)


def is_number(data: Any) -> bool:
    """Say whether plain data is a whole number; true and false are none."""
    return type(data) is int


def read_manifest(folder: Path) -> tuple[dict[str, Any], dict[str, bytes], list[str]]:
    """Return the manifest, the bytes of every file that it names, and what is wrong with either."""
    told = read_json("manifest.json", read_bytes(folder / "manifest.json"))
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise Bad(f"manifest.json: expected the format {FORMAT!r}")
    if not is_number(told.get("version")) or told["version"] != VERSION:
        raise Bad(f"manifest.json: expected version {VERSION}, got {told.get('version')!r:.80}")
    if told.get("claim") not in CLAIMS:
        raise Bad(f"manifest.json: expected one of the claims {', '.join(CLAIMS)}, got {told.get('claim')!r:.80}")
    problems = [f"manifest.json: {key!r:.80} is no field of it" for key in told.keys() - _MANIFEST]
    proofs = told.get("proofs")
    if not isinstance(proofs, list) or not proofs or not all(map(_is_proof, proofs)):
        raise Bad("manifest.json: expected a list of proofs, each with its file, its prover and its number of lemmas")
    if len({proof["file"] for proof in proofs}) < len(proofs):
        problems.append("manifest.json: a proof is listed twice")
    files = told.get("files")
    if not isinstance(files, dict) or not all(_PLAIN_NAME.fullmatch(name) for name in files):
        raise Bad("manifest.json: expected the files by their plain names")
    wanted = ALWAYS | FOR_CLAIM[told["claim"]] | {proof["file"] for proof in proofs}
    problems += [f"manifest.json: {name} is missing from its files" for name in sorted(wanted - files.keys())]
    problems += [f"manifest.json: {name} is no part of such a certificate" for name in sorted(files.keys() - wanted)]
    here = {path.name for path in folder.iterdir()} - {"manifest.json"}
    problems += [f"{name}: stands in the folder, but not in the manifest" for name in sorted(here - files.keys())]
    found: dict[str, bytes] = {}
    for name, about in sorted(files.items()):
        try:
            found[name] = _as_told(folder / name, about)
        except Bad as bad:
            problems += bad.args
    return told, found, problems


_MANIFEST = {"format", "version", "claim", "proofs", "versions", "files"}


def _is_proof(told: Any) -> bool:
    return (
        isinstance(told, dict)
        and isinstance(told.get("file"), str)
        and bool(_PROOF_NAME.fullmatch(told["file"]))
        and is_text(told.get("prover"))
        and is_number(told.get("lemmas"))
    )


def _as_told(path: Path, about: Any) -> bytes:
    if not isinstance(about, dict) or about.keys() != {"sha256", "bytes"}:
        raise Bad(f"manifest.json: expected the hash and the size of {path.name}")
    data = read_bytes(path)
    if len(data) != about["bytes"] or not is_number(about["bytes"]):
        raise Bad(f"{path.name}: expected {about['bytes']!r:.40} bytes, got {len(data)}")
    if hashlib.sha256(data).hexdigest() != about["sha256"]:
        raise Bad(f"{path.name}: its SHA-256 is not the one in the manifest")
    return data


# === 3. The puzzle ====================================================================================================

Places = dict[tuple[int, int], int]
_CELL = re.compile(r"r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", re.IGNORECASE)
_TEXTS = {"title", "author", "source", "ruleset"}


class Board(NamedTuple):
    """A rectangle on the plane; ``labels`` give each cell, in reading order, its region or None."""

    top: int
    left: int
    rows: int
    columns: int
    box: tuple[int, int] | None
    labels: list[int | None]

    def at(self, down: int, right: int) -> tuple[int, int]:
        """Return the place so many rows and columns from the board's first cell."""
        return self.top + down, self.left + right


@dataclass
class Puzzle:
    """A puzzle as the checker reads it: cells are numbered in reading order over the plane."""

    boards: list[Board]
    values: range
    places: list[tuple[int, int]]
    cell_at: Places
    names: list[str]
    houses: dict[str, list[int]]
    rules: list[dict[str, Any]]
    givens: dict[int, int]
    candidates: dict[int, set[int]]

    @property
    def regions(self) -> list[list[int]]:
        """The boxes and irregular regions."""
        return [cells for name, cells in self.houses.items() if name.startswith(("box", "region"))]

    def cell(self, name: Any) -> int:
        """Return the cell with that name."""
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        cell = self.cell_at.get((int(found[1]) - 1, int(found[2]) - 1)) if found else None
        if cell is None:
            raise Bad(f"puzzle.json: expected a cell of the grid, got {name!r:.80}")
        return cell

    def beside(self, cell: int) -> list[int]:
        """Return the cells that share an edge with one."""
        row, column = self.places[cell]
        near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [self.cell_at[place] for place in near if place in self.cell_at]

    def apart(self, steps: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield every two cells that are one of the steps apart, in either direction, once."""
        turned = {(abs(one), abs(other)) for step in steps for one, other in (step, step[::-1])}
        ways = sorted({(down * one, right * other) for one, other in turned for down in (1, -1) for right in (1, -1)})
        for cell, (row, column) in enumerate(self.places):
            for down, right in ways:
                other_cell = self.cell_at.get((row + down, column + right), -1)
                if other_cell > cell:
                    yield cell, other_cell


def read_puzzle(data: bytes) -> Puzzle:
    """Return the puzzle told by our JSON."""
    told = read_json("puzzle.json", data)
    if not isinstance(told, dict):
        raise Bad("puzzle.json: expected an object")
    known = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", *_TEXTS}
    unknown = sorted(map(repr, told.keys() - known))
    if unknown:
        raise Bad(*(f"puzzle.json: {key:.80} is no field of a certified puzzle" for key in unknown))
    if told.get("format", "sudoku-cp puzzle") != "sudoku-cp puzzle" or not _same(told.get("version", 1), 1):
        raise Bad("puzzle.json: expected a puzzle of version 1")
    if not isinstance(told.get("grid"), dict):
        raise Bad("puzzle.json: expected a grid")
    puzzle = read_grid(told["grid"])
    rules = told.get("rules", ["houses"])
    if not isinstance(rules, list):
        raise Bad("puzzle.json: expected a list of rules")
    puzzle.rules = [_rule(rule) for rule in rules]
    puzzle.givens = {cell: _value(puzzle, value) for cell, value in _by_cell(puzzle, told.get("givens", {})).items()}
    for cell, values in _by_cell(puzzle, told.get("candidates", {})).items():
        if not isinstance(values, list) or not values:
            raise Bad("puzzle.json: expected the candidates of a cell as a list of values")
        puzzle.candidates[cell] = {_value(puzzle, value) for value in values}
    return puzzle


def _same(data: Any, wanted: int) -> bool:
    return is_number(data) and bool(data == wanted)


def _rule(told: Any) -> dict[str, Any]:
    rule = {"kind": told} if isinstance(told, str) else told
    if not isinstance(rule, dict) or not is_text(rule.get("kind")):
        raise Bad(f"puzzle.json: expected a rule, got {told!r:.80}")
    return rule


def _by_cell(puzzle: Puzzle, told: Any) -> dict[int, Any]:
    if not isinstance(told, dict):
        raise Bad("puzzle.json: expected an object of cells")
    found = {puzzle.cell(name): value for name, value in told.items()}
    if len(found) < len(told):
        raise Bad("puzzle.json: a cell is named twice")
    return found


def _value(puzzle: Puzzle, value: Any) -> int:
    if not is_number(value) or value not in puzzle.values:
        raise Bad(f"puzzle.json: expected a value of the grid, got {value!r:.80}")
    return int(value)


def _numbers(told: Any, least: int, most: int, size: int) -> list[int]:
    if not isinstance(told, list) or len(told) != size or not all(is_number(one) and least <= one <= most for one in told):
        raise Bad(f"puzzle.json: expected {size} whole numbers from {least} to {most}, got {told!r:.80}")
    return told


def read_grid(told: dict[str, Any]) -> Puzzle:
    """Return the empty puzzle on the grid that is told: its cells and houses."""
    boards = told["boards"] if "boards" in told else [{key: told[key] for key in told if key != "values"}]
    if "boards" in told and told.keys() - {"boards", "values"}:
        raise Bad("puzzle.json: expected only boards and values in a grid of several boards")
    if not isinstance(boards, list) or not 1 <= len(boards) <= 100:
        raise Bad("puzzle.json: expected 1 to 100 boards")
    shapes = [_board(board) for board in boards]
    places = sorted({board.at(row, column) for board in shapes for row in range(board.rows) for column in range(board.columns)})
    cell_at = {place: cell for cell, place in enumerate(places)}
    houses: dict[str, list[int]] = {}
    for number, board in enumerate(shapes, 1):
        behind = f" of board {number}" if len(shapes) > 1 else ""
        cells = [cell_at[board.at(row, column)] for row in range(board.rows) for column in range(board.columns)]
        for row in range(board.rows):
            houses[f"row {row + 1}{behind}"] = cells[row * board.columns : (row + 1) * board.columns]
        for column in range(board.columns):
            houses[f"column {column + 1}{behind}"] = cells[column :: board.columns]
        labels = dict.fromkeys(label for label in board.labels if label is not None)
        for region, label in enumerate(labels, 1):
            own = [cell for cell, its in zip(cells, board.labels, strict=True) if its == label]
            houses[f"{'box' if board.box else 'region'} {region}{behind}"] = own
    low, high = _numbers(told["values"], 0, 61, 2) if "values" in told else (1, max(map(len, houses.values())))
    if low > high:
        raise Bad("puzzle.json: expected the lowest value before the highest")
    names = [f"r{row + 1}c{column + 1}" for row, column in places]
    return Puzzle(shapes, range(low, high + 1), places, cell_at, names, houses, [], {}, {})


def _board(told: Any) -> Board:
    if not isinstance(told, dict) or told.keys() - {"rows", "columns", "boxes", "regions", "at"}:
        raise Bad("puzzle.json: expected a board with rows, columns, and boxes or regions")
    rows, columns = _numbers([told.get("rows"), told.get("columns")], 1, 36, 2)
    top, left = _numbers(told.get("at", [0, 0]), 0, 999, 2)
    if "boxes" in told and "regions" in told:
        raise Bad("puzzle.json: expected boxes or regions, got both")
    labels: list[int | None] = [None] * (rows * columns)
    if "regions" in told:
        lines = told["regions"]
        shaped = isinstance(lines, list) and len(lines) == rows and all(isinstance(a, list) and len(a) == columns for a in lines)
        labels = [label for line in lines for label in line] if shaped else []
        if not shaped or not all(label is None or is_number(label) for label in labels):
            raise Bad("puzzle.json: expected a region, or null, for every cell of the board")
    if "boxes" not in told:
        return Board(top, left, rows, columns, None, labels)
    height, width = _numbers(told["boxes"], 1, 36, 2)
    if rows % height or columns % width:
        raise Bad("puzzle.json: expected boxes that tile the board")
    labels = [row // height * (columns // width) + column // width for row in range(rows) for column in range(columns)]
    return Board(top, left, rows, columns, (height, width), labels)


# === 4. The formula ===================================================================================================

Clauses = list[list[int]]
EMPTY: Clauses = [[1], [-1]]
"""The empty clause as it is written, since some readers of DIMACS do not take an empty line."""
CONSTRAINTS = {"AllDifferent", "DigitSet", "Linear", "Table", "Automaton", "Clause", "Count"}
_BLOCKS = {
    "cells": {"block"},
    "rule": {"block", "rule", "kind", "part", "constraint", "cells"},
    "given": {"block", "cell", "value"},
    "candidates": {"block", "cell", "not"},
    "solution": {"block"},
}
"""The fields of each sort of block."""


class Block(NamedTuple):
    """Some clauses of the formula as lines of text, with what the file says of them and the line they begin in."""

    label: dict[str, Any]
    lines: list[str]
    line: int


@dataclass
class Formula:
    """The formula as it stands in the file, and what is known of it.

    ``first`` is the variable of a cell's lowest value, 0 where cells have one value only. Of the clauses that were rebuilt,
    those of two negated variables are kept as ``apart``: of each of these lists no two variables are true.
    """

    first: list[int]
    values: range
    board: int
    size: int
    blocks: list[Block]
    clauses: Clauses = field(default_factory=list)
    apart: Clauses = field(default_factory=list)
    rebuilt: int = 0
    tick: Callable[[], object] = int

    def literal(self, cell: int, value: int) -> int:
        """Return the variable that says that the cell has the value; 0 where it is certain."""
        return self.first[cell] + value - self.values[0] if self.first[cell] else 0


def read_formula(data: bytes, puzzle: Puzzle) -> Formula:
    """Return the formula in blocks, after comparing its map of variables with the puzzle's cells."""
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise Bad("formula.cnf: expected a text in UTF-8") from error
    if lines.pop() != "":
        raise Bad("formula.cnf: expected a line end at the end")
    heads = [number for number, line in enumerate(lines) if not line or line[0] in "cp"]
    start = next((number for number in heads if lines[number].startswith("p ")), -1)
    found = re.fullmatch(r"p cnf (0|[1-9][0-9]{0,9}) (0|[1-9][0-9]{0,9})", lines[start]) if start >= 0 else None
    if not found:
        raise Bad("formula.cnf: expected a line 'p cnf VARIABLES CLAUSES'")
    size, count = int(found[1]), int(found[2])
    if size > len(lines):
        raise Bad("formula.cnf: more variables than lines")
    first, board = _variables(lines[:start], puzzle, size)
    heads = [number for number in heads if number > start]
    if len(lines) > start + 1 and heads[:1] != [start + 1]:
        raise Bad("formula.cnf: expected the label of a block before the first clause")
    blocks = []
    for head, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        if not lines[head].startswith("c block "):
            raise Bad(f"formula.cnf: line {head + 1}: expected a clause or the label of a block, got {lines[head]!r:.80}")
        label = read_json(f"formula.cnf: line {head + 1}", lines[head][8:].encode())
        if not isinstance(label, dict) or _BLOCKS.get(str(label.get("block"))) != label.keys():
            raise Bad(f"formula.cnf: line {head + 1}: expected the label of a block, got {lines[head]!r:.80}")
        blocks.append(Block(label, lines[head + 1 : end], head + 1))
    if len(lines) - start - 1 - len(heads) != count:
        raise Bad(f"formula.cnf: expected {count} clauses as the line p says, got {len(lines) - start - 1 - len(heads)}")
    return Formula(first, puzzle.values, board, size, blocks)


def _variables(head: list[str], puzzle: Puzzle, size: int) -> tuple[list[int], int]:
    """Return the first variable of each cell and the number of the board's variables, if the map is the right one."""
    width = len(puzzle.values)
    if width == 1:
        first = [0] * len(puzzle.names)
        wanted = [f"c fixed {name}={puzzle.values[0]}" for name in puzzle.names]
    else:
        first = [1 + width * cell for cell in range(len(puzzle.names))]
        meant = (f"{name}={value}" for name in puzzle.names for value in puzzle.values)
        wanted = [f"c var {number} {what}" for number, what in enumerate(meant, 1)]
    board = len(wanted) if width > 1 else 0
    behind = 1 if size == 1 and not board else board  # an empty clause is written with variable 1, even if there is no other
    wanted += [f"c var {number} auxiliary {number - board}" for number in range(behind + 1, size + 1)]
    told = [line for line in head if not line.startswith("c ") or line.startswith(("c var", "c fixed", "c block"))]
    if told != wanted:  # what else stands before the line p is a remark
        wrong = next((one for one, other in zip(told, wanted, strict=False) if one != other), f"{len(told)} lines of it")
        raise Bad(f"formula.cnf: its map of variables is not that of the puzzle: {wrong!r:.80}")
    return first, board


_CLAUSE = re.compile(r" *(-?[0-9]{1,12} +)*0 *")


def numbers(block: Block, size: int) -> Clauses:
    """Return the clauses of a block as lists of literals; an empty one is written as two that contradict each other."""
    clauses: Clauses = []
    for number, line in enumerate(block.lines, block.line + 1):
        if not _CLAUSE.fullmatch(line):
            raise Bad(f"formula.cnf: line {number}: expected a clause, got {line!r:.80}")
        *clause, end = map(int, line.split())
        if end or not all(-size <= literal <= size and literal for literal in clause):
            raise Bad(f"formula.cnf: line {number}: expected literals up to {size} and a 0 at the end, got {line!r:.80}")
        clauses.append(clause)
        if clauses[-2:] == EMPTY:
            clauses[-2:] = [[]]
    return clauses


def compared(formula: Formula, block: Block, groups: Clauses, others: Clauses, what: str) -> Iterator[str]:
    """Yield what is wrong with a block that must be ``others`` and, of each group, every two negated variables.

    First as text, as the clauses are usually written; where that fails, as sets of literals.
    """
    formula.tick()
    wanted = {" ".join(map(str, (*said, 0))) for clause in others for said in ([clause] if clause else EMPTY)}
    for group in groups:
        ends = [f" -{variable} 0" for variable in group]
        for place, variable in enumerate(group, 1):
            one = f"-{variable}"
            wanted.update([one + end for end in ends[place:]])
    formula.rebuilt += len(wanted)
    formula.apart += groups
    formula.clauses += others
    if wanted == set(block.lines) and len(wanted) == len(block.lines):
        return
    written = (map(int, line.split()[:-1]) for line in wanted)
    here = Counter(tuple(sorted(said)) for clause in numbers(block, formula.size) for said in ([clause] if clause else EMPTY))
    there = {tuple(sorted(clause)) for clause in written}
    for noun, some in (("lacks", there - here.keys()), ("has too much:", here.keys() - there)):
        if some:
            clause = " ".join(map(str, min(some)))
            yield f"formula.cnf: line {block.line}: {what}: {noun} {len(some)} clauses, such as '{clause} 0'"
    if max(here.values(), default=1) > 1:
        yield f"formula.cnf: line {block.line}: {what}: a clause stands there twice"


def at_most_one(formula: Formula, cells: Sequence[int]) -> tuple[Clauses, Clauses]:
    """Return what it means that cells differ: for each value, its variables, of which one at most is true, and one at least."""
    if len(set(cells)) < len(cells) or len(formula.values) < len(cells):
        return [], [[]]
    if not formula.board:
        return [], []
    groups = [[formula.literal(cell, value) for cell in cells] for value in formula.values]
    return groups, [list(group) for group in groups] if len(cells) == len(formula.values) else []


def check_fixed_blocks(formula: Formula, puzzle: Puzzle, claim: str, solution: list[int] | None) -> Iterator[str]:
    """Yield what is wrong with the blocks that no rule makes: cells, givens, candidates, the solution."""
    wanted = dict(_fixed_blocks(formula, puzzle, claim, solution))
    seen = Counter(key for block in formula.blocks for key in [_key(block.label)] if key)
    for block in formula.blocks:
        key = _key(block.label)
        if key and key not in wanted:
            yield f"formula.cnf: line {block.line}: {key} is not in the puzzle, or no part of the claim {claim!r}"
        elif key:
            label, groups, others = wanted[key]
            if block.label != label:
                yield f"formula.cnf: line {block.line}: expected the label {json.dumps(label)}"
            yield from compared(formula, block, groups, others, key)
    yield from (f"formula.cnf: expected the block {key} once, got it {seen[key]} times" for key in wanted if seen[key] != 1)


def _key(label: Mapping[str, Any]) -> str:
    sort = label["block"]
    return "" if sort == "rule" else f"{sort} {label['cell']}" if "cell" in label else str(sort)


def _fixed_blocks(
    formula: Formula, puzzle: Puzzle, claim: str, solution: list[int] | None
) -> Iterator[tuple[str, tuple[dict[str, Any], Clauses, Clauses]]]:
    """Yield each block that must be there: its key, its label, its groups of variables and its other clauses."""
    every = [[formula.literal(cell, value) for value in puzzle.values] for cell in range(len(puzzle.names))]
    groups = every if formula.board else []
    yield "cells", ({"block": "cells"}, groups, [list(group) for group in groups])
    for cell, value in puzzle.givens.items():
        unit = [[formula.literal(cell, value)]] if formula.board else []
        yield f"given {puzzle.names[cell]}", ({"block": "given", "cell": puzzle.names[cell], "value": value}, [], unit)
    for cell, allowed in puzzle.candidates.items():
        gone = [value for value in puzzle.values if value not in allowed]
        units = [[-formula.literal(cell, value)] for value in gone]
        label = {"block": "candidates", "cell": puzzle.names[cell], "not": gone}
        yield f"candidates {puzzle.names[cell]}", (label, [], units)
    if claim != "none" and solution is not None:
        other = [[-formula.literal(cell, value) for cell, value in enumerate(solution) if formula.board]]
        yield "solution", ({"block": "solution"}, [], other)


# === 5. What the rules mean ===========================================================================================
#
# A statement is some cells and a machine. The machine reads the cells' values in order: it begins in ``start``, ``step`` takes
# a state, the number of the cell in the list and its value to the next state, or to None where the rule is broken already, and
# ``accept`` says whether the last state is a good one. A rule is a function from the puzzle and the rule's own fields (as they
# are called in its JSON, cells as numbers) to its statements; the rule holds where all of them do.


class Machine(NamedTuple):
    """Reads values one after the other."""

    start: Any
    step: Callable[[Any, int, int], Any]
    accept: Callable[[Any], bool]


Statement = tuple[tuple[int, ...], Machine]
Statements = Iterable["Statement"]
Cells = Sequence[int]


class Unknown(Exception):
    """The checker does not know what the rule means here."""


def accepts(machine: Machine, values: Iterable[int]) -> bool:
    """Say whether the machine is content with these values."""
    state = machine.start
    for place, value in enumerate(values):
        state = machine.step(state, place, value)
        if state is None:
            return False
    return machine.accept(state)


def anything(_: Any) -> bool:
    """Accept every state."""
    return True


def test(holds: Callable[..., bool]) -> Machine:
    """Return the machine that keeps all values and asks in the end."""
    return Machine((), lambda state, _, value: (*state, value), lambda state: holds(*state))


def in_order(holds: Callable[[int, int], bool]) -> Machine:
    """Return the machine of what holds between each value and the next."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        return (value,) if not state or holds(state[0], value) else None

    return Machine((), step, anything)


def adding(holds: Callable[[int], bool], factors: Sequence[int] = ()) -> Machine:
    """Return the machine of a sum that ``holds`` looks at, each value as often as its factor says."""
    return Machine(0, lambda state, place, value: state + value * (factors[place] if factors else 1), holds)


def adding_up(sort: Callable[[int], bool], holds: Callable[[int], bool]) -> Machine:
    """Return the machine of how many values are of a sort."""
    return Machine(0, lambda state, _, value: state + sort(value), holds)


def different(holds: Callable[[int], bool] = anything) -> Machine:
    """Return the machine of values that all differ; ``holds`` looks at their set as bits."""
    return Machine(0, lambda state, _, value: None if state >> value & 1 else state | 1 << value, holds)


def members(mask: int) -> list[int]:
    """Return the values in a set of bits."""
    return [value for value in range(mask.bit_length()) if mask >> value & 1]


def last_differ(size: int, sort: Callable[[int], int]) -> Machine:
    """Return the machine of values of which any ``size`` in a row are of different sorts."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        own = sort(value)
        return None if own in state else (*state, own)[-(size - 1) :] if size > 1 else ()

    return Machine((), step, anything)


def counting(digits: Sequence[int], holds: Callable[[int, int], bool]) -> Machine:
    """Return the machine that compares how often each of the digits is read with how often it is listed."""
    listed = Counter(digits)

    def step(state: tuple[int, ...], _: int, value: int) -> tuple[int, ...]:
        return tuple(min(count + (value == digit), listed[digit] + 1) for digit, count in zip(listed, state, strict=True))

    return Machine((0,) * len(listed), step, lambda state: all(map(holds, state, listed.values())))


DIFFERENT = different()
EQUAL = in_order(lambda one, other: one == other)


# --- cells that differ: the checker makes the clauses of these rules itself, and they must be the same ones ------------


def houses(puzzle: Puzzle) -> Statements:
    """Every row, column and region has different values."""
    return [(tuple(cells), DIFFERENT) for cells in puzzle.houses.values()]


def diagonals(puzzle: Puzzle, down: bool = True, up: bool = True) -> Statements:  # noqa: FBT001, FBT002
    """The long diagonals of every square board."""
    for board in puzzle.boards:
        side = range(board.rows if board.rows == board.columns else 0)
        if down and side:
            yield tuple(puzzle.cell_at[board.at(k, k)] for k in side), DIFFERENT
        if up and side:
            yield tuple(puzzle.cell_at[board.at(len(side) - 1 - k, k)] for k in side), DIFFERENT


def windoku(puzzle: Puzzle) -> Statements:
    """Blocks of the boxes' size, one cell inside the border and one cell from each other."""
    for board in puzzle.boards:
        height, width = board.box or (board.rows, board.columns)
        for top, left in product(range(1, board.rows - height, height + 1), range(1, board.columns - width, width + 1)):
            yield tuple(puzzle.cell_at[board.at(top + k // width, left + k % width)] for k in range(height * width)), DIFFERENT


def disjoint_groups(puzzle: Puzzle) -> Statements:
    """Cells in the same place of their regions."""
    for board in puzzle.boards:
        groups: dict[int, list[int]] = {}
        before: Counter[int] = Counter()
        for place, label in enumerate(board.labels):
            if label is not None:
                cell = puzzle.cell_at[board.at(place // board.columns, place % board.columns)]
                groups.setdefault(before[label], []).append(cell)
                before[label] += 1
        yield from ((tuple(cells), DIFFERENT) for cells in groups.values())


def extra_region(_: Puzzle, cells: Cells) -> Statements:
    """Some cells."""
    yield tuple(cells), DIFFERENT


def leaps(puzzle: Puzzle, steps: Iterable[Sequence[int]]) -> Statements:
    """Every two cells a step apart."""
    return ((pair, DIFFERENT) for pair in puzzle.apart([(one, other) for one, other in steps]))


def taxi(distance: int) -> list[tuple[int, int]]:
    """Return the steps that are so many along rows and columns."""
    return [(down, distance - down) for down in range(distance + 1)] if distance > 0 else []


EXACT: dict[str, Callable[..., Statements]] = {
    "houses": houses,
    "diagonals": diagonals,
    "windoku": windoku,
    "disjoint-groups": disjoint_groups,
    "extra-region": extra_region,
    "anti-king": partial(leaps, steps=[(1, 1)]),
    "anti-knight": partial(leaps, steps=[(1, 2)]),
    "anti-leaper": leaps,
    "taxicab": lambda puzzle, distance: leaps(puzzle, taxi(distance)),
}


# --- pairs of cells everywhere ----------------------------------------------------------------------------------------


def pairwise(pairs: Iterable[tuple[int, int]], holds: Callable[[int, int], bool]) -> Statements:
    """Say the same of every pair."""
    machine = in_order(holds)
    return ((pair, machine) for pair in pairs)


def neighbours(puzzle: Puzzle, exempt: Sequence[Cells], holds: Callable[[int, int], bool]) -> Statements:
    """Say the same of every two cells that share an edge and are not let off."""
    free = {frozenset(pair) for pair in exempt}
    return pairwise([pair for pair in puzzle.apart([(0, 1)]) if frozenset(pair) not in free], holds)


def self_taxicab(puzzle: Puzzle) -> Statements:
    """No value stands as many steps from itself as it says."""
    for value in puzzle.values:
        yield from pairwise(puzzle.apart(taxi(value)), lambda one, other, value=value: not one == other == value)  # type: ignore[misc]


def extreme(puzzle: Puzzle, cells: Cells, sign: int) -> Statements:
    """A marked cell is above (or below) each neighbour that is not marked."""
    pairs = [(cell, other) for cell in dict.fromkeys(cells) for other in puzzle.beside(cell) if other not in cells]
    return pairwise(pairs, lambda one, other: sign * one > sign * other)


def squares(puzzle: Puzzle, sort: Callable[[int], int], sorts: int) -> Statements:
    """Every 2x2 square of a board has values of all sorts."""
    machine = Machine(frozenset(), lambda state, _, value: state | {sort(value)}, lambda state: len(state) == sorts)
    for board in puzzle.boards:
        for row, column in product(range(board.rows - 1), range(board.columns - 1)):
            yield tuple(puzzle.cell_at[board.at(row + k // 2, column + k % 2)] for k in range(4)), machine


def global_entropy(puzzle: Puzzle) -> Statements:
    """All thirds of the values are in every 2x2 square."""
    low, third = puzzle.values[0], -(-len(puzzle.values) // 3)
    return squares(puzzle, lambda value: (value - low) // third, -(-len(puzzle.values) // third))


def dutch_flatmates(puzzle: Puzzle) -> Statements:
    """The middle value has the lowest right above it or the highest right below it."""
    first, last = puzzle.values[0], puzzle.values[-1]
    middle = (first + last) // 2
    beside = {
        (True, True): test(lambda own, above, below: own != middle or above == first or below == last),
        (True, False): test(lambda own, above: own != middle or above == first),
        (False, True): test(lambda own, below: own != middle or below == last),
        (False, False): test(lambda own: own != middle),
    }
    for cell, (row, column) in enumerate(puzzle.places):
        near = [puzzle.cell_at.get((row - 1, column)), puzzle.cell_at.get((row + 1, column))]
        yield (cell, *(other for other in near if other is not None)), beside[near[0] is not None, near[1] is not None]


# --- cages, marks and clues -------------------------------------------------------------------------------------------


def one(cells: Cells, machine: Machine) -> Statements:
    """Say one thing of some cells."""
    return [(tuple(cells), machine)]


def killer_cage(_: Puzzle, cells: Cells, total: int | None = None) -> Statements:
    """Different values, with that total if there is one."""
    return one(cells, different(lambda mask: total is None or sum(members(mask)) == total))


def sum_cage(_: Puzzle, cells: Cells, total: int, factors: Sequence[int] = ()) -> Statements:
    """A weighted sum."""
    return one(cells, adding(lambda found: found == total, factors))


def rellik_cage(_: Puzzle, cells: Cells, total: int) -> Statements:
    """Different values, of which none, alone or together, add up to the total."""

    def step(state: tuple[int, int], _: int, value: int) -> Any:
        used, sums = state[0], state[1] | state[1] << value
        fails = state[0] >> value & 1 or value == total or (total >= 0 and sums >> total & 1 and total > 0)
        return None if fails else (used | 1 << value, sums)

    return one(cells, Machine((0, 1), step, anything))


def equality_cage(puzzle: Puzzle, cells: Cells) -> Statements:
    """Different values, as many low as high ones, as many odd as even ones, and none in the middle."""
    middle = puzzle.values[0] + puzzle.values[-1]

    def balanced(mask: int) -> bool:
        some = members(mask)
        sides = [(2 * value > middle) - (2 * value < middle) for value in some]
        return 0 not in sides and not sum(sides) and 2 * sum(value % 2 for value in some) == len(some)

    return one(cells, different(balanced))


def look_and_say(_: Puzzle, cells: Cells, clue: Sequence[Sequence[int]]) -> Statements:
    """Each value named stands so many times."""
    for times, value in clue:
        yield tuple(cells), adding_up(partial(operator.eq, value), partial(operator.eq, times))


def clone(_: Puzzle, cells: Cells, copies: Sequence[Cells]) -> Statements:
    """Cells and their copies are equal."""
    return ((pair, EQUAL) for copy in copies for pair in zip(cells, copy, strict=True))


def same_value_sets(_: Puzzle, groups: Sequence[Cells]) -> Statements:
    """All groups have the same values, each as often."""
    size = len(groups[0])

    def step(state: tuple[tuple[int, ...], tuple[int, ...]], place: int, value: int) -> Any:
        first, left = state
        if place < size:
            first = left = tuple(sorted((*first, value)))
            return first, left
        left = left if place % size else first
        if value not in left:
            return None
        where = left.index(value)
        return first, left[:where] + left[where + 1 :]

    if any(len(group) != size for group in groups):
        raise Unknown
    return one(tuple(chain.from_iterable(groups)), Machine(((), ()), step, anything))


def equal_parts(parts: Sequence[Cells]) -> Statements:
    """Each part adds up to the same."""
    if len(parts) < 2 or not all(parts):
        return one(tuple(chain.from_iterable(parts)), Machine(0, lambda *_: 0, anything)) if all(parts) else _never()
    ends = [number for number, part in enumerate(parts) for _ in part]
    last = [place + 1 == len(ends) or ends[place + 1] != ends[place] for place in range(len(ends))]

    def step(state: tuple[int | None, int], place: int, value: int) -> Any:
        wanted, found = state[0], state[1] + value
        if not last[place]:
            return wanted, found
        return (found if wanted is None else wanted, 0) if wanted in {None, found} else None

    return one(tuple(chain.from_iterable(parts)), Machine((None, 0), step, anything))


def _never() -> Statements:
    raise Unknown


def region_sum_line(puzzle: Puzzle, cells: Cells) -> Statements:
    """The stretches of the line inside one region each add up to the same."""
    inside = [frozenset(number for number, region in enumerate(puzzle.regions) if cell in region) for cell in cells]
    borders = [place for place in range(1, len(cells)) if inside[place] != inside[place - 1]]
    if not borders:
        return []
    parts = [list(cells[start:end]) for start, end in zip([0, *borders], [*borders, len(cells)], strict=True)]
    if cells[0] == cells[-1]:
        parts = [*parts[1:-1], parts[-1][:-1] + parts[0]]
    return equal_parts(parts)


def zipper_line(_: Puzzle, cells: Cells) -> Statements:
    """Cells as far from the middle have the same sum, that of the middle cell where there is one."""
    half = len(cells) // 2
    return equal_parts([*([cells[k], cells[-1 - k]] for k in range(half)), *([[cells[half]]] if len(cells) % 2 else [])])


def counting_circles(_: Puzzle, cells: Cells) -> Statements:
    """Each value in a circle is the number of circles that have it."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        return tuple(sorted((*state, value))) if state.count(value) < value else None

    return one(list(dict.fromkeys(cells)), Machine((), step, lambda state: all(state.count(value) == value for value in state)))


def count_distinct(_: Puzzle, cell: int, cells: Cells) -> Statements:
    """The cell says how many values the cells have."""

    def step(state: tuple[int, int], place: int, value: int) -> tuple[int, int]:
        return (state[0], state[1] | 1 << value) if place else (value, 0)

    return one((cell, *cells), Machine((0, 0), step, lambda state: state[0] == state[1].bit_count()))


def odd_even_lot(_: Puzzle, cells: Cells, even: bool = False) -> Statements:  # noqa: FBT001, FBT002
    """The first cell counts the odd (or even) values on the line."""

    def step(state: Any, _: int, value: int) -> Any:
        own = int(value % 2 != even)
        return (value, own) if not state else (state[0], state[1] + own) if state[1] + own <= state[0] else None

    return one(list(dict.fromkeys(cells)), Machine((), step, lambda state: state[0] == state[1]))


# --- lines ------------------------------------------------------------------------------------------------------------


def whisper(puzzle: Puzzle, cells: Cells, difference: int | None = None) -> Statements:
    """Neighbours on the line are far apart."""
    least = -(-len(puzzle.values) // 2) if difference is None else difference
    return one(cells, in_order(lambda a, b: abs(a - b) >= least))


def renban(_: Puzzle, cells: Cells) -> Statements:
    """Consecutive values without repeats."""
    return one(list(dict.fromkeys(cells)), different(lambda mask: max(members(mask)) - min(members(mask)) < mask.bit_count()))


def nabner(_: Puzzle, cells: Cells) -> Statements:
    """No two values are equal or consecutive."""
    near = Machine(0, lambda state, _, value: None if state >> value & 1 else state | (7 << value >> 1), anything)
    return one(list(dict.fromkeys(cells)), near)


def palindrome(_: Puzzle, cells: Cells) -> Statements:
    """The line reads the same both ways."""
    return (((cells[k], cells[-1 - k]), EQUAL) for k in range(len(cells) // 2))


def ends_first(cells: Cells, ends: Callable[[int, int], bool], inner: Callable[[int, int, int], bool]) -> Statements:
    """Say something of the line's ends, and of each value between together with the lower and the higher end."""

    def step(state: tuple[int, ...], place: int, value: int) -> Any:
        if place == 0:
            return (value,)
        if place == 1:
            low, high = sorted((state[0], value))
            return (low, high) if ends(low, high) else None
        return state if inner(state[0], state[1], value) else None

    return one((cells[0], cells[-1], *cells[1:-1]), Machine((), step, anything))


def entropic_line(puzzle: Puzzle, cells: Cells) -> Statements:
    """Any three cells in a row hold a low, a middle and a high value; of five values, two are low and two are high."""
    size, low = len(puzzle.values), puzzle.values[0]
    third = (size + 1) // 3
    return one(cells, last_differ(3, lambda value: 0 if value - low < third else 2 if value - low >= size - third else 1))


def modular_line(_: Puzzle, cells: Cells, modulus: int = 3) -> Statements:
    """Any so many cells in a row leave different remainders."""
    return one(cells, last_differ(modulus, lambda value: value % modulus))


def even_steps(cells: Cells, size: Callable[[int], int]) -> Statements:
    """All steps along the line are of the same size."""

    def step(state: tuple[int, ...], _: int, value: int) -> Any:
        if not state:
            return (value,)
        own = size(value - state[0])
        return (value, own) if state[1:] in {(), (own,)} else None

    return one(cells, Machine((), step, anything))


def arrow(_: Puzzle, bulb: Any, shafts: Sequence[Cells]) -> Statements:
    """The bulb, read as a number, is the sum of each shaft."""
    bulb = [bulb] if isinstance(bulb, int) else bulb
    factors = [10 ** (len(bulb) - 1 - place) for place in range(len(bulb))]
    for shaft in shafts:
        yield (*bulb, *shaft), adding(lambda found: found == 0, (*factors, *(-1 for _ in shaft)))


def double_arrow(_: Puzzle, cells: Cells) -> Statements:
    """The ends add up to the same as what is between them."""
    return one(cells, adding(lambda found: found == 0, [1, *[-1] * (len(cells) - 2), 1] if len(cells) > 1 else [-1]))


def ambiguous_arrow(_: Puzzle, cells: Cells) -> Statements:
    """The greatest value is the sum of the others."""
    step = lambda state, _, value: (max(state[0], value), state[1] + value)  # noqa: E731
    return one(cells, Machine((0, 0), step, lambda state: 2 * state[0] == state[1]))


def sum_line(_: Puzzle, cells: Cells, total: int, loop: bool = False) -> Statements:  # noqa: FBT001, FBT002
    """The line falls into stretches that each add up to the total."""
    if loop:
        round_ = cells[:-1] if len(cells) > 1 and cells[0] == cells[-1] else cells
        straight = next(iter(sum_line(_, round_, total)))[1]
        return one(round_, test(lambda *line: any(accepts(straight, line[cut:] + line[:cut]) for cut in range(len(line)))))

    def step(state: frozenset[int], place: int, value: int) -> Any:
        longer = {value} if not place else {part + value for part in state} | ({value} if total in state else set())
        return frozenset(part for part in longer if part <= total) or None

    return one(cells, Machine(frozenset(), step, lambda state: total in state))


def lunchbox(_: Puzzle, cells: Cells, total: int) -> Statements:
    """Different values; those between the smallest and the largest add up to the total."""

    def holds(line: tuple[int, ...]) -> bool:
        start, end = sorted((line.index(min(line)), line.index(max(line))))
        return sum(line[start + 1 : end]) == total

    return one(cells, Machine((), lambda state, _, value: None if value in state else (*state, value), holds))


# --- clues at the border ----------------------------------------------------------------------------------------------


def sandwich(puzzle: Puzzle, cells: Cells, total: int, crusts: Sequence[int] = ()) -> Statements:
    """What is strictly between the two crusts adds up to the total; each stands once."""
    both = tuple(crusts) or (puzzle.values[0], puzzle.values[-1])
    if len(set(both)) != 2:
        raise Unknown

    def step(state: tuple[frozenset[int], int], _: int, value: int) -> Any:
        seen, found = state
        if value in both:
            return None if value in seen else (seen | {value}, found)
        return (seen, found + value) if len(seen) == 1 else state

    return one(cells, Machine((frozenset(), 0), step, lambda state: len(state[0]) == 2 and state[1] == total))


def skyscraper(_: Puzzle, cells: Cells, visible: int) -> Statements:
    """So many values are higher than all before them."""
    step = lambda state, _, value: (max(state[0], value), state[1] + (value > state[0]))  # noqa: E731
    return one(cells, Machine((0, 0), step, lambda state: state[1] == visible))


def hidden_skyscraper(_: Puzzle, cells: Cells, value: int) -> Statements:
    """The first value behind a higher one is the clue."""

    def step(state: int, _: int, own: int) -> Any:
        return state if state == -1 else max(state, own) if own >= state else -1 if own == value else None

    return one(cells, Machine(0, step, lambda state: state == -1))


def numbered_room(_: Puzzle, cells: Cells, value: int) -> Statements:
    """The cell whose number the first one says holds the clue."""

    def step(state: int, place: int, own: int) -> Any:
        room = own if place == 0 else state
        if not 0 < room <= len(cells) or (place == room - 1 and own != value):
            return None
        return room

    return one(cells, Machine(0, step, anything))


def x_sum(_: Puzzle, cells: Cells, total: int) -> Statements:
    """As many values as the first one says, from the first on, add up to the total."""

    def step(state: tuple[int, int], place: int, own: int) -> Any:
        size, found = (own, 0) if place == 0 else state
        return (size, found + own * (place < size)) if 0 < size <= len(cells) else None

    return one(cells, Machine((0, 0), step, lambda state: state[1] == total))


# --- cells that point to cells ----------------------------------------------------------------------------------------


def pointing(cell: int, values: range, at: Callable[[int], int | None], there: Callable[[int], int]) -> Statements:
    """If the cell has a value, then the cell ``at`` that value has the value ``there``; no value may point nowhere."""
    yield (cell,), test(lambda own: at(own) is not None)
    for value in values:
        target = at(value)
        if target is not None:
            yield (cell, target), _implication(value, there(value))


@lru_cache(maxsize=4096)
def _implication(value: int, there: int) -> Machine:
    return test(lambda own, other: own != value or other == there)


def indexer(puzzle: Puzzle, cells: Cells, rows: bool = False) -> Statements:  # noqa: FBT001, FBT002
    """A cell in column C with value V: in its row, column V has C; or the same with rows and columns exchanged."""
    for cell in dict.fromkeys(cells):
        row, column = puzzle.places[cell]
        line = {place[not rows] + 1: other for other, place in enumerate(puzzle.places) if place[rows] == (row, column)[rows]}
        yield from pointing(cell, puzzle.values, line.get, partial(_always, (row if rows else column) + 1))


def _always(number: int, _: int) -> int:
    return number


def box_indexer(puzzle: Puzzle, cells: Cells) -> Statements:
    """A cell at position P of its box with value V: position V of the box has P."""
    for cell, box in ((cell, box) for cell in dict.fromkeys(cells) for box in puzzle.regions if cell in box):
        yield from pointing(cell, puzzle.values, dict(enumerate(box, 1)).get, partial(_always, box.index(cell) + 1))


def index_line(puzzle: Puzzle, cells: Cells) -> Statements:
    """The Nth cell says where on the line N is."""
    for place, cell in enumerate(cells, 1):
        yield from pointing(cell, puzzle.values, dict(enumerate(cells, 1)).get, partial(_always, place))


def successor_arrow(puzzle: Puzzle, cells: Cells) -> Statements:
    """The first cell's N says that N + 1 is N cells further."""
    return pointing(cells[0], puzzle.values, dict(enumerate(cells[1:], 1)).get, lambda value: value + 1)


def value_indexing(_: Puzzle, value: int, index: int, cells: Cells) -> Statements:
    """The value stands again as many cells on as the index says."""

    def step(state: tuple[int, ...], place: int, own: int) -> Any:
        if place < 2:
            return (*state, own) if place or 0 < own <= len(cells) else None
        return None if place - 1 == state[0] and own != state[1] else state

    return one((index, value, *cells), Machine((), step, anything))


# --- rules of one's own -----------------------------------------------------------------------------------------------


def pairs_in_order(_: Puzzle, cells: Cells, pairs: Sequence[Sequence[int]]) -> Statements:
    """Neighbours on the line are one of the pairs."""
    allowed = {(a, b) for a, b in pairs}
    return one(cells, in_order(lambda a, b: (a, b) in allowed))


def pairs_of_all(_: Puzzle, cells: Cells, pairs: Sequence[Sequence[int]]) -> Statements:
    """Any two cells are one of the pairs."""
    allowed = {(a, b) for a, b in pairs}
    return pairwise(combinations(cells, 2), lambda a, b: (a, b) in allowed)


def automaton(
    _: Puzzle, cells: Cells, start: Sequence[int], edges: Sequence[Sequence[int]], accepting: Sequence[int]
) -> Statements:
    """The values lead from a start to an accepting state."""
    after: dict[tuple[int, int], set[int]] = {}
    for before, value, end in edges:
        after.setdefault((before, value), set()).add(end)

    def step(states: frozenset[int], _: int, value: int) -> Any:
        return frozenset().union(*(after.get((state, value), ()) for state in states)) or None

    return one(cells, Machine(frozenset(start), step, lambda states: not states.isdisjoint(accepting)))


def all_of(puzzle: Puzzle, rules: Sequence[Any]) -> Statements:
    """Every rule holds."""
    return chain.from_iterable(statements_of(puzzle, _rule(rule)) for rule in rules)


def repeated(puzzle: Puzzle, rules: Sequence[Any], shifts: Sequence[Sequence[int]]) -> Statements:
    """Every rule holds, and every copy of it that stays on the grid."""
    for rule, (down, right) in product(rules, [(0, 0), *shifts]):
        shifted = _moved(puzzle, _rule(rule), down, right)
        if shifted is not None:
            yield from statements_of(puzzle, shifted)


def _moved(puzzle: Puzzle, told: Any, down: int, right: int) -> Any:
    """Return plain data with its cells, which are numbers, moved; None where one would leave the grid."""
    text = json.dumps(told)
    names = set(re.findall(r'"(r[1-9]\d*c[1-9]\d*)"', text, re.IGNORECASE))
    to: dict[str, str] = {}
    for name in names:
        row, column = puzzle.places[puzzle.cell(name)]
        if (row + down, column + right) not in puzzle.cell_at:
            return None
        to[name] = puzzle.names[puzzle.cell_at[row + down, column + right]]
    return json.loads(re.sub(r'"(r[1-9]\d*c[1-9]\d*)"', lambda found: f'"{to[found[1]]}"', text, flags=re.IGNORECASE))


def any_of(puzzle: Puzzle, rules: Sequence[Any]) -> Statements:
    """At least one of the rules holds."""
    branches = [list(statements_of(puzzle, _rule(rule))) for rule in rules]
    cells = tuple(dict.fromkeys(cell for branch in branches for own, _ in branch for cell in own))
    wholes = [together(cells, branch) for branch in branches]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = tuple(None if own is None else whole.step(own, place, value) for own, whole in zip(state, wholes, strict=True))
        return after if any(own is not None for own in after) else None

    def accept(state: tuple[Any, ...]) -> bool:
        return any(own is not None and whole.accept(own) for own, whole in zip(state, wholes, strict=True))

    return one(cells, Machine(tuple(whole.start for whole in wholes), step, accept))


def together(cells: Cells, statements: Sequence[Statement]) -> Machine:
    """Return the machine that reads ``cells`` and accepts where every statement about some of them holds."""
    parts = [reordered(cells, own, machine) for own, machine in statements]
    if len(parts) == 1:
        return parts[0]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = []
        for own, part in zip(state, parts, strict=True):
            after.append(part.step(own, place, value))
            if after[-1] is None:
                return None
        return tuple(after)

    accept = lambda state: all(part.accept(own) for own, part in zip(state, parts, strict=True))  # noqa: E731
    return Machine(tuple(part.start for part in parts), step, accept)


def reordered(cells: Cells, own: Cells, machine: Machine) -> Machine:
    """Return a machine that reads ``cells``, each once, and says of them what ``machine`` says of its ``own``."""
    if tuple(cells) == tuple(own):
        return machine
    place_in = {cell: place for place, cell in enumerate(cells)}
    read = [place_in[cell] for cell in own]
    if read == sorted(set(read)):  # in the same order, and each once: the others are passed over
        turn = {place: number for number, place in enumerate(read)}
        step = lambda state, place, value: machine.step(state, turn[place], value) if place in turn else state  # noqa: E731
        return Machine(machine.start, step, machine.accept)
    wanted, last = set(read), max(read, default=-1)

    def keep(state: tuple[Any, ...], place: int, value: int) -> Any:
        kept = (*state, value if place in wanted else None) if place <= last else state
        if place == last:
            return ("good",) if accepts(machine, [kept[where] for where in read]) else None
        return kept

    return Machine((), keep, anything if read else lambda _: accepts(machine, ()))


def _digital_root(number: int) -> int:
    return 1 + (number - 1) % 9 if number else 0


MEANINGS: dict[str, Callable[..., Statements]] = {
    **EXACT,
    "all-of": all_of,
    "ambiguous-arrow": ambiguous_arrow,
    "any-of": any_of,
    "arithmetic-sequence": lambda _, cells: even_steps(cells, int),
    "arrow": arrow,
    "automaton": automaton,
    "between-line": lambda _, cells: (
        ends_first(cells, lambda *_: True, lambda low, high, own: low < own < high) if len(cells) > 2 else []
    ),
    "box-indexer": box_indexer,
    "clone": clone,
    "contains-at-least": lambda _, cells, digits: one(cells, counting(digits, lambda found, listed: found >= listed)),
    "contains-exactly": lambda _, cells, digits: one(cells, counting(digits, lambda found, listed: found == listed)),
    "count-distinct": count_distinct,
    "counting-circles": counting_circles,
    "diagonally-nonconsecutive": lambda puzzle: pairwise(puzzle.apart([(1, 1)]), lambda a, b: abs(a - b) != 1),
    "difference": lambda _, cells, difference=1: one(cells, test(lambda a, b: abs(a - b) == difference)),
    "digital-root-cage": lambda _, cells, root: one(cells, different(lambda mask: _digital_root(sum(members(mask))) == root)),
    "double-arrow": double_arrow,
    "dutch-flatmates": dutch_flatmates,
    "entropic-line": entropic_line,
    "equal-sums": lambda _, groups: equal_parts(groups),
    "equality-cage": equality_cage,
    "even": lambda _, cells: [((cell,), test(lambda own: own % 2 == 0)) for cell in cells],
    "global-entropy": global_entropy,
    "global-mod": lambda puzzle, modulus=3: squares(puzzle, lambda value: value % modulus, modulus),
    "hidden-skyscraper": hidden_skyscraper,
    "index-line": index_line,
    "indexer": indexer,
    "inequality": lambda _, cells: one(cells, test(lambda a, b: a > b)),
    "killer-cage": killer_cage,
    "knightmare": lambda puzzle, sums=(5, 15): pairwise(puzzle.apart([(1, 2)]), lambda a, b: a + b not in sums),
    "little-killer": sum_cage,
    "lockout-line": lambda _, cells, difference=4: (
        ends_first(cells, lambda low, high: high - low >= difference, lambda low, high, own: not low <= own <= high)
        if len(cells) > 1
        else _never()
    ),
    "look-and-say": look_and_say,
    "lunchbox": lunchbox,
    "maximum": partial(extreme, sign=1),
    "minimum": partial(extreme, sign=-1),
    "modular-line": modular_line,
    "multi-sum-cage": lambda _, cells, totals: one(cells, different(lambda mask: sum(members(mask)) in totals)),
    "nabner": nabner,
    "negative-difference": lambda puzzle, differences=(1,), exempt=(): neighbours(
        puzzle, exempt, lambda a, b: abs(a - b) not in differences
    ),
    "negative-ratio": lambda puzzle, ratios=(2,), exempt=(): neighbours(
        puzzle, exempt, lambda a, b: all(max(a, b) != ratio * min(a, b) for ratio in ratios)
    ),
    "negative-sum": lambda puzzle, sums=(5, 10), exempt=(): neighbours(puzzle, exempt, lambda a, b: a + b not in sums),
    "nonconsecutive": lambda puzzle, exempt=(): neighbours(puzzle, exempt, lambda a, b: abs(a - b) != 1),
    "numbered-room": numbered_room,
    "odd": lambda _, cells: [((cell,), test(lambda own: own % 2 == 1)) for cell in cells],
    "odd-even-lot": odd_even_lot,
    "pair-sum": lambda _, cells, total: one(cells, test(lambda a, b: a + b == total)),
    "pairs-in-order": pairs_in_order,
    "pairs-of-all": pairs_of_all,
    "palindrome": palindrome,
    "parity-line": lambda _, cells: one(cells, in_order(lambda a, b: a % 2 != b % 2)),
    "pill-arrow": arrow,
    "quadruple": lambda _, cells, digits: one(cells, counting(digits, lambda found, listed: found >= listed)),
    "ratio": lambda _, cells, ratio=2: one(cells, test(lambda a, b: max(a, b) == ratio * min(a, b))),
    "region-sum-line": region_sum_line,
    "rellik-cage": rellik_cage,
    "renban": renban,
    "repeated": repeated,
    "same-difference-line": lambda _, cells: even_steps(cells, abs),
    "same-value-sets": same_value_sets,
    "sandwich": sandwich,
    "self-taxicab": self_taxicab,
    "skyscraper": skyscraper,
    "slow-thermometer": lambda _, cells: one(cells, in_order(lambda a, b: a <= b)),
    "successor-arrow": successor_arrow,
    "sum-cage": sum_cage,
    "sum-line": sum_line,
    "thermometer": lambda _, cells: one(cells, in_order(lambda a, b: a < b)),
    "value-indexing": value_indexing,
    "whisper": whisper,
    "x-sum": x_sum,
    "zipper-line": zipper_line,
}
"""The kinds of rules that the checker knows; what others say is taken on trust, and told."""


_FLAGS = {"down", "up", "even", "rows", "loop"}
"""The fields that are true or false."""


def statements_of(puzzle: Puzzle, rule: Mapping[str, Any]) -> Statements:
    """Return what a rule says, or raise `Unknown`, or `Bad` where its fields are not those of its kind."""
    kind = rule["kind"]
    if kind not in MEANINGS:
        raise Unknown
    try:
        if kind in {"all-of", "any-of", "repeated"}:
            return list(MEANINGS[kind](puzzle, **{key: told for key, told in rule.items() if key != "kind"}))
        flags = {key: bool(told) for key, told in rule.items() if key in _FLAGS and isinstance(told, bool)}
        fields = flags | {key: _cells_in(puzzle, told) for key, told in rule.items() if key not in {"kind", *flags}}
        return list(MEANINGS[kind](puzzle, **fields))
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, ZeroDivisionError, RecursionError) as error:
        raise Bad(f"puzzle.json: {kind}: expected the fields of such a rule ({error!s:.80})") from error


def _cells_in(puzzle: Puzzle, told: Any) -> Any:
    """Return plain data with cells as numbers instead of names."""
    if isinstance(told, list):
        return [_cells_in(puzzle, one) for one in told]
    if isinstance(told, str):
        return puzzle.cell(told)
    if told is None or is_number(told):
        return told
    raise Bad(f"puzzle.json: expected numbers and cells in a rule, got {told!r:.80}")


# === 6. Whether clauses say what a rule means =========================================================================
#
# Machine and clauses read the same cells, value by value, and every pair of what they have come to is looked at once: a state
# of the machine, and what is left of the clauses. Clauses about a sum or an automaton have few such remainders, as they were
# made from one; so a line of nine cells takes thousands of steps and not millions. Auxiliaries may be chosen freely: what is
# left when all cells are read must be satisfiable.

STEPS = 100_000
"""So many steps are walked for one comparison before it is given up, and the clauses are taken on trust."""

Rest = tuple[int, frozenset[int]]
"""What is left of clauses: which are true, as bits; and the literals that are false in others."""


class TooLarge(Exception):
    """A comparison would take too many steps."""


class Remainders:
    """Clauses, and what is left of them when literals become true."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        """Note where each literal stands."""
        self.clauses = [tuple(dict.fromkeys(clause)) for clause in clauses]
        self.all = (1 << len(self.clauses)) - 1
        self.where: dict[int, int] = {}
        self.among: dict[int, list[int]] = {}
        for number, clause in enumerate(self.clauses):
            for literal in clause:
                self.where[literal] = self.where.get(literal, 0) | 1 << number
                self.among.setdefault(literal, []).append(number)

    def units(self) -> list[int]:
        """Return the literals that stand alone in a clause."""
        return [clause[0] for clause in self.clauses if len(clause) == 1]

    def begin(self, unread: range = range(0)) -> Rest | None:
        """Return what unit clauses leave; None where that is a contradiction."""
        return None if () in self.clauses else self.after((0, frozenset()), self.units(), unread)

    def after(self, rest: Rest, literals: Iterable[int], unread: range = range(0)) -> Rest | None:
        """Return what is left when these literals are true and units are followed; None where that is a contradiction.

        Of variables that are ``unread``, what was decided is remembered even where no clause is left that speaks of it.
        """
        true, false = rest[0], set(rest[1])
        now: set[int] = set()
        waiting = list(literals)
        for literal in waiting:  # grows while it is walked
            if literal in now:
                continue
            if literal in false or -literal in now:
                return None
            now.add(literal)
            true |= self.where.get(literal, 0)
            false.add(-literal)
            for number in self.among.get(-literal, ()):
                if not true >> number & 1:
                    open_ = [one for one in self.clauses[number] if one not in false]
                    if not open_:
                        return None
                    if len(open_) == 1:
                        waiting.append(open_[0])
        left = self.all & ~true
        return true, frozenset(literal for literal in false if self.where.get(literal, 0) & left or abs(literal) in unread)

    def content(self, rest: Rest, unread: range) -> Any:
        """Return what is left as it reads, the same for remainders that read the same."""
        left = self.all & ~rest[0]
        touched = 0
        for literal in rest[1]:
            touched |= self.where.get(literal, 0)
        shorter = set()
        waiting = touched & left
        while waiting:
            lowest = waiting & -waiting
            waiting ^= lowest
            shorter.add(frozenset(self.clauses[lowest.bit_length() - 1]) - rest[1])
        return left & ~touched, frozenset(shorter), frozenset(literal for literal in rest[1] if abs(literal) in unread)

    def satisfiable(self, rest: Rest | None) -> bool:
        """Say whether what is left can be made true; looks far enough for the auxiliaries of a rule."""
        waiting = [rest]
        tries = 0
        while waiting:
            found = waiting.pop()
            if found is None:
                continue
            left = self.all & ~found[0]
            if not left:
                return True
            tries += 1
            if tries > 1000:
                raise TooLarge
            clause = self.clauses[(left & -left).bit_length() - 1]
            literal = next(one for one in clause if one not in found[1])
            waiting += [self.after(found, [-literal]), self.after(found, [literal])]
        return False


class Verdict(NamedTuple):
    """Values that the rule allows and the clauses do not, and values that the clauses allow and the rule does not."""

    lost: tuple[int, ...] | None
    loose: tuple[int, ...] | None


def reachable(machine: Machine, size: int, values: range) -> list[set[Any]]:
    """Return, for each number of cells read, the states from which some values lead to acceptance."""
    layers: list[dict[Any, list[Any]]] = []
    states = {machine.start}
    steps = 0
    for place in range(size):
        steps += len(states) * len(values)
        if steps > STEPS:
            raise TooLarge
        layers.append({state: [machine.step(state, place, value) for value in values] for state in states})
        states = {after for ends in layers[-1].values() for after in ends if after is not None}
    alive = [{state for state in states if machine.accept(state)}]
    for layer in reversed(layers):
        alive.insert(0, {state for state, ends in layer.items() if not alive[0].isdisjoint(ends)})
    return alive


def walk(machine: Machine, size: int, values: range, clauses: Iterable[Sequence[int]], clock: Clock) -> Verdict:
    """Compare a machine with clauses in which the variable of the k-th cell's v-th value is 1 + k * (number of values) + v."""
    alive = reachable(machine, size, values)
    remainders = Remainders(clauses)
    lost = loose = None
    width = len(values)
    first = remainders.begin(range(1, size * width + 1))
    now: list[tuple[Any, Rest | None, tuple[int, ...]]] = [(machine.start if machine.start in alive[0] else None, first, ())]
    steps = 0
    for place in range(size):
        after: dict[Any, tuple[Any, Rest | None, tuple[int, ...]]] = {}
        base, unread = 1 + place * width, range(1 + (place + 1) * width, 1 + size * width)
        for state, rest, read in now:
            steps += width
            if steps > STEPS:
                raise TooLarge
            clock.tick()
            for number, value in enumerate(values):
                end = None if state is None else machine.step(state, place, value)
                end = end if end in alive[place + 1] else None
                own = None
                if rest is not None:
                    own = remainders.after(rest, [base + k if k == number else -base - k for k in range(width)], unread)
                if end is not None or own is not None:
                    after.setdefault((end, own and remainders.content(own, unread)), (end, own, (*read, value)))
        now = list(after.values())
    for state, rest, read in now:
        good = rest is not None and remainders.satisfiable(rest)
        if state is None and good:
            loose = read
        if state is not None and not good:
            lost = read
    return Verdict(lost, loose)


def by_auxiliaries(blocks: Sequence[tuple[Block, Clauses]], board: int) -> list[list[tuple[Block, Clauses]]]:
    """Return the blocks in groups that share no auxiliaries."""
    joined = list(range(len(blocks)))  # each block's group goes by the least number in it, found by following these

    def leader(number: int) -> int:
        while joined[number] != number:
            number = joined[number]
        return number

    owner: dict[int, int] = {}
    for number, (_, clauses) in enumerate(blocks):
        for auxiliary in {abs(literal) for clause in clauses for literal in clause if abs(literal) > board}:
            one_, two = sorted((leader(number), leader(owner.setdefault(auxiliary, number))))
            joined[two] = one_
    groups: dict[int, list[tuple[Block, Clauses]]] = {}
    for number, block in enumerate(blocks):
        groups.setdefault(leader(number), []).append(block)
    return list(groups.values())


@dataclass
class Group:
    """Clauses that share auxiliaries with no others, and the board's cells in them; ``apart`` is as in `Formula`."""

    clauses: Clauses
    cells: frozenset[int]
    line: int
    apart: Clauses = field(default_factory=list)


class Comparer:
    """Compares clauses with meanings, each shape of both once."""

    def __init__(self, formula: Formula, clock: Clock) -> None:
        """Begin with nothing compared."""
        self.formula, self.clock = formula, clock
        self.seen: dict[Any, Verdict] = {}
        self.walks = 0

    def verdict(self, cells: Cells, machine: Machine, clauses: Clauses) -> Verdict:
        """Return how clauses about ``cells`` differ from what the machine says of them."""
        formula, width = self.formula, len(self.formula.values)
        places = {cell: place for place, cell in enumerate(cells)}
        numbers_: dict[int, int] = {}
        for cell, place in places.items():
            for number in range(width if formula.board else 0):
                numbers_[formula.first[cell] + number] = 1 + place * width + number
        for auxiliary in sorted({abs(literal) for clause in clauses for literal in clause if abs(literal) > formula.board}):
            numbers_[auxiliary] = 1 + len(cells) * width + len(numbers_)
        shape = frozenset(
            frozenset(numbers_[literal] if literal > 0 else -numbers_[-literal] for literal in clause) for clause in clauses
        )
        key = (len(cells), machine, shape)
        if key not in self.seen:
            self.walks += 1
            self.seen[key] = walk(machine, len(cells), formula.values, sorted(map(sorted, shape)), self.clock)
        return self.seen[key]


def check_rule(
    comparer: Comparer, puzzle: Puzzle, statements: Sequence[Statement], groups: list[Group], others: Sequence[Group], name: str
) -> tuple[list[str], int, int]:
    """Return what is wrong with a rule's clauses, how many were compared with its meaning, and how many could not be.

    Each statement is compared with all clauses about its cells alone, together with the statements about some of these cells.
    ``others`` are the clauses of other rules: a model says once what two rules say.
    """
    problems: list[str] = []
    scopes = [(tuple(dict.fromkeys(cells)), cells, machine) for cells, machine in statements]
    open_ = {id(group) for group in groups}
    touching: dict[int, list[Group]] = {}
    for group in groups:
        for cell in group.cells:
            touching.setdefault(cell, []).append(group)
    parts_at: dict[int, list[int]] = {}
    for number, (scope, _, _) in enumerate(scopes):
        for cell in scope:
            parts_at.setdefault(cell, []).append(number)
    loose_groups = [group for group in groups if not group.cells]
    wide = [
        group.cells
        for group in groups
        if group.cells and not any(group.cells <= set(scopes[number][0]) for number in parts_at.get(min(group.cells), ()))
    ]
    seen: set[frozenset[int]] = set()
    for cells in [*(scope for scope, _, _ in scopes), *map(sorted, wide)]:
        whole = frozenset(cells)
        if whole in seen:
            continue
        seen.add(whole)
        comparer.clock.tick()
        inside = {number for cell in cells for number in parts_at.get(cell, ()) if whole.issuperset(scopes[number][0])}
        own = {id(group): group for cell in cells for group in touching.get(cell, ()) if group.cells <= whole}
        machine = together(cells, [scopes[number][1:] for number in sorted(inside)])
        clauses = [clause for group in own.values() for clause in group.clauses]
        try:
            verdict = comparer.verdict(cells, machine, clauses)
            if verdict.loose and others:
                more = [clause for group in others if group.cells <= whole for clause in pairs_apart(group.apart, group.clauses)]
                verdict = verdict._replace(loose=comparer.verdict(cells, machine, clauses + more).loose)
        except TooLarge:
            continue
        open_ -= own.keys()
        where = min((group.line for group in own.values()), default=0)
        for values, what in ((verdict.lost, "forbid"), (verdict.loose, "allow")):
            if values is not None:
                told = " ".join(f"{puzzle.names[cell]}={value}" for cell, value in zip(cells, values, strict=True))
                against = "which the rule allows" if what == "forbid" else "which the rule forbids"
                problems.append(f"formula.cnf: line {where}: {name}: its clauses {what} {told}, {against}")
    if loose_groups and all(map(partial(_possible, puzzle), statements)):
        problems += [f"formula.cnf: line {group.line}: {name}: clauses without any cell" for group in loose_groups]
    trusted = sum(len(group.clauses) for group in groups if id(group) in open_)
    return problems, sum(len(group.clauses) for group in groups) - trusted, trusted


def _possible(puzzle: Puzzle, statement: Statement) -> bool:
    cells, machine = statement
    scope = tuple(dict.fromkeys(cells))
    try:
        return bool(reachable(reordered(scope, cells, machine), len(scope), puzzle.values)[0])
    except TooLarge:
        return False


# === 7. The proof =====================================================================================================


def read_proof(name: str, data: bytes, size: int, limited: bool) -> Clauses:  # noqa: FBT001
    """Return the lemmas of a proof; deletions are passed over, as a lemma that follows from less follows from more."""
    unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=1 << 30)
    try:
        text = unpacker.decompress(data, max_length=LARGEST)
        if not unpacker.eof and len(text) >= LARGEST:
            raise OutOfTime(f"{name}: larger than {LARGEST:,} bytes: let drat-trim check it (README.md tells how)")
    except lzma.LZMAError as error:
        raise Bad(f"{name}: expected an xz file ({error})") from error
    if not unpacker.eof or unpacker.unused_data:
        raise Bad(f"{name}: the xz file is cut off, or goes on behind its end")
    if len(text) > UNHURRIED and not limited:
        raise OutOfTime(f"{name}: {len(text):,} bytes: let drat-trim check it (README.md tells how), or give a --timeout")
    lemmas: Clauses = []
    try:
        if re.search(rb"[^-0-9 d\n]", text):
            raise Bad(f"{name}: expected lines of numbers that end in 0")
        lines = text.decode("ascii").split("\n")
        if lines.pop() != "":
            raise Bad(f"{name}: the last line is cut off")
        for number, line in enumerate(lines, 1):
            if line.startswith("d "):
                continue
            *lemma, end = map(int, line.split())
            if end or (lemma and (max(lemma) > size or min(lemma) < -size or 0 in lemma)):
                raise Bad(f"{name}: line {number}: expected literals up to {size} and a 0 at the end, got {line!r:.80}")
            lemmas.append(lemma)
    except ValueError as error:
        raise Bad(f"{name}: expected lines of numbers that end in 0") from error
    if not lemmas or lemmas[-1]:
        raise Bad(f"{name}: it does not end with the empty clause")
    if [] in lemmas[:-1]:
        raise Bad(f"{name}: something follows the empty clause")
    return lemmas


UNHURRIED = 2_000_000
"""A proof of more bytes is checked only under a time limit: it takes minutes here, and seconds in drat-trim."""


class Propagation:
    """Unit propagation over clauses: what is true, and what waits for it.

    ``value`` and the lists are read with literals, negative ones from the end.
    """

    def __init__(self, size: int, clauses: Clauses, apart: Clauses, tick: Callable[[], object] = int) -> None:
        """Take the clauses up, shortest first: what is decided by then makes the others shorter."""
        self.value = bytearray(2 * size + 1)  # 1 where a literal is true
        self.implied: Clauses = [[] for _ in range(2 * size + 1)]
        self.watching: list[Clauses] = [[] for _ in range(2 * size + 1)]
        self.trail: list[int] = []
        self.contradiction = False
        for number, group in enumerate(apart):
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


def check_proof(name: str, lemmas: Clauses, formula: Formula, clock: Clock) -> None:
    """Raise `Bad` unless every lemma follows by unit propagation from the clauses and the lemmas before it."""
    propagation = Propagation(formula.size, formula.clauses, formula.apart, formula.tick)
    for number, lemma in enumerate(lemmas, 1):
        if number % 16 == 0:
            clock.tick()
        if not propagation.follows(lemma):
            told = " ".join(map(str, (*lemma, 0)))
            raise Bad(f"{name}: lemma {number} of {len(lemmas)} does not follow by unit propagation: '{told:.80}'")
        propagation.add(lemma)


# === 8. The check as a whole, and the command line ====================================================================


def check(folder: str | Path, *, seconds: float | None = None, strict: bool = False) -> Report:
    """Return whether the folder proves its claim; ``strict`` refuses whatever would have to be taken on trust."""
    clock, work = Clock(seconds), _Check(Path(folder))
    try:
        if not (work.folder / "manifest.json").is_file():
            return Report("absent", problems=(f"{work.folder}: no manifest.json is there",))
        work.run(clock)
    except Bad as bad:
        work.problems += map(str, bad.args)
    except OutOfTime as late:
        if not work.problems:
            return work.report("unchecked", [str(late)], clock)
    except Exception as error:  # noqa: BLE001  # whatever a file makes go wrong here is the file's fault, and no proof
        work.problems.append(f"cannot be read: {type(error).__name__}: {error!s:.200}")
    if strict:
        work.problems += [f"taken on trust: {one}" for one in work.trusted]
    return work.report("rejected" if work.problems else "verified", work.problems, clock)


class _Check:
    """One check in progress: what is known, what is wrong, what had to be trusted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.claim: str | None = None
        self.problems: list[str] = []
        self.trusted: list[str] = []
        self.facts: dict[str, Any] = {}

    def report(self, verdict: str, problems: Sequence[str], clock: Clock) -> Report:
        self.facts["seconds"] = round(time.monotonic() - clock.start, 3)
        return Report(verdict, self.claim, tuple(dict.fromkeys(problems)), tuple(self.trusted), self.facts)

    def run(self, clock: Clock) -> None:
        """Do everything, as far as one thing being wrong lets the next one be looked at."""
        told, files, problems = read_manifest(self.folder)
        self.claim = told["claim"]
        self.problems += problems
        if missing := sorted({"puzzle.json", "formula.cnf"} - files.keys()):
            raise Bad(*(f"{name}: expected in the certificate" for name in missing))
        puzzle = read_puzzle(files["puzzle.json"])
        if "puzzle.txt" in files:
            self.problems += compare_text(puzzle, files["puzzle.txt"], json.loads(files["puzzle.json"]).get("symbols"))
        statements = [self._statements(puzzle, number) for number in range(len(puzzle.rules))]
        solution = None
        if self.claim != "none" and "solution.txt" in files:
            solution = read_solution(puzzle, files["solution.txt"])
            self.problems += wrong_in(puzzle, statements, solution, "solution.txt")
        if self.claim == "minimal" and solution and "others.json" in files:
            self.problems += check_others(puzzle, statements, solution, files["others.json"])
        formula = read_formula(files["formula.cnf"], puzzle)
        formula.tick = clock.tick
        self.problems += check_fixed_blocks(formula, puzzle, told["claim"], solution)
        self._rules(formula, puzzle, statements, solution, clock)
        self.facts |= {"variables": formula.size, "clauses": sum(len(block.lines) for block in formula.blocks)}
        self.facts |= {"rebuilt": formula.rebuilt}
        for proof in told["proofs"]:
            if proof["file"] in files:
                self._proof(proof, files[proof["file"]], formula, clock)

    def _statements(self, puzzle: Puzzle, number: int) -> list[Statement] | None:
        rule = puzzle.rules[number]
        try:
            return list(statements_of(puzzle, rule))
        except Unknown:
            return None

    def _proof(self, proof: dict[str, Any], data: bytes, formula: Formula, clock: Clock) -> None:
        lemmas = read_proof(proof["file"], data, formula.size, clock.limited)
        if len(lemmas) != proof["lemmas"]:
            self.problems.append(f"{proof['file']}: expected {proof['lemmas']} lemmas as the manifest says, got {len(lemmas)}")
        self.facts["lemmas"] = self.facts.get("lemmas", 0) + len(lemmas)
        try:
            check_proof(proof["file"], lemmas, formula, clock)
        except Bad as bad:
            self.problems += bad.args

    def _rules(
        self, formula: Formula, puzzle: Puzzle, statements: list[list[Statement] | None], solution: list[int] | None, clock: Clock
    ) -> None:
        """Compare the blocks of every rule with what it means."""
        comparer = Comparer(formula, clock)
        blocks: dict[int | None, list[Block]] = {number: [] for number in range(len(puzzle.rules))}
        for block in formula.blocks:
            if block.label["block"] == "rule":
                self.problems += wrong_label(puzzle, block)
                number = block.label["rule"]
                blocks.setdefault(number if number is None or number in blocks else -1, []).append(block)
        compared_ = trusted = 0
        groups = {
            number: self._groups(formula, puzzle, own)
            for number, own in blocks.items()
            if number is None or number < 0 or puzzle.rules[number]["kind"] not in EXACT
        }
        self._apart(formula, groups.values())
        exact = [number for number in blocks if number not in groups]
        wanted = {number: blocks[number] for number in exact if number is not None}
        made = self._exact(formula, puzzle, wanted, statements, [group for own in groups.values() for group in own])
        for number, own in groups.items():
            name = "several rules" if number is None or number < 0 else f"rule {number} ({puzzle.rules[number]['kind']})"
            known = statements[number] if number is not None and number >= 0 else None
            left = sum(len(group.clauses) for group in own)
            if known is not None:
                others = [group for other, some in groups.items() if other != number for group in some] + made
                wrong, done, left = check_rule(comparer, puzzle, known, own, others, name)
                self.problems += wrong
                compared_ += done
            if known is None and left and None not in statements:
                self.problems.append(f"formula.cnf: {name}: clauses that follow from several rules, where there are none such")
            elif left or (known is None and number is not None):
                self.trusted.append(f"{name}: {left} clauses taken on trust, {_why(known)}")
            trusted += left
            if solution is not None:
                self.problems += self._fits(formula, own, solution, name)
        self.facts |= {"compared": compared_, "walks": comparer.walks, "trusted": trusted}

    def _apart(self, formula: Formula, rules: Iterable[list[Group]]) -> None:
        """Find auxiliaries that two rules share: only what shares none can be judged by itself."""
        seen: set[int] = set()
        for groups in rules:
            clauses = (clause for group in groups for clause in group.clauses)
            own = {abs(literal) for clause in clauses for literal in clause if abs(literal) > formula.board}
            self.problems += [f"formula.cnf: two rules share the auxiliary {auxiliary}" for auxiliary in sorted(seen & own)]
            seen |= own

    def _groups(self, formula: Formula, puzzle: Puzzle, blocks: list[Block]) -> list[Group]:
        """Return the clauses of some blocks, grouped by the auxiliaries they share."""
        read = []
        for block in blocks:
            clauses = numbers(block, formula.size)
            formula.clauses += clauses
            read.append((block, clauses))
            told = {puzzle.cell(name) for name in block.label["cells"]}
            if not told.issuperset(cells_in(formula, clauses)):
                self.problems.append(f"formula.cnf: line {block.line}: the clauses speak of cells that the label does not name")
        groups = []
        for some in by_auxiliaries(read, formula.board):
            cells = {puzzle.cell(name) for block, _ in some for name in block.label["cells"]}
            groups.append(Group([clause for _, own in some for clause in own], frozenset(cells), some[0][0].line))
        return [group for group in groups if group.clauses]

    def _exact(
        self,
        formula: Formula,
        puzzle: Puzzle,
        blocks: dict[int, list[Block]],
        statements: list[list[Statement] | None],
        others: list[Group],
    ) -> list[Group]:
        """Compare the blocks of rules that only say that cells differ with the same clauses made anew; return these."""
        wanted: dict[tuple[int, ...], set[int]] = {}
        for number in blocks:
            for cells, _ in statements[number] or ():
                wanted.setdefault(tuple(cells), set()).add(number)
        made = []
        for number, block in ((number, block) for number, own in blocks.items() for block in own):
            cells = tuple(map(puzzle.cell, block.label["cells"]))
            rules = wanted.pop(cells, set())
            what = f"rule {number} ({puzzle.rules[number]['kind']}), {block.label['part']!s:.80}"
            if number not in rules or block.label["constraint"] != "AllDifferent":
                self.problems.append(f"formula.cnf: line {block.line}: {what}: the rule says no such thing, or said it already")
                continue
            groups, more = at_most_one(formula, cells)
            self.problems += compared(formula, block, groups, more, what)
            made.append(Group(more, frozenset(cells), block.line, groups))
        for cells, rules in wanted.items():
            missing = pairs_apart(*at_most_one(formula, cells))
            said = [group.clauses for group in others if group.cells == frozenset(cells)]  # another rule may say the same
            if missing and not any({*map(frozenset, missing)} <= {*map(frozenset, clauses)} for clauses in said):
                names = " ".join(map(puzzle.names.__getitem__, cells))
                self.problems.append(f"formula.cnf: rule {min(rules)}: expected a block that says that {names:.80} differ")
        return made

    def _fits(self, formula: Formula, groups: list[Group], solution: list[int], name: str) -> Iterator[str]:
        """Yield the groups of clauses that the solution does not satisfy."""
        for group in groups:
            remainders = Remainders(group.clauses)
            true = [
                formula.literal(cell, value) * (1 if value == solution[cell] else -1)
                for cell in group.cells
                for value in formula.values
                if formula.board
            ]
            try:
                if not remainders.satisfiable(remainders.after((0, frozenset()), [*true, *remainders.units()])):
                    yield f"formula.cnf: line {group.line}: {name}: the solution does not satisfy its clauses"
            except TooLarge:
                self.trusted.append(f"{name}: that the solution satisfies the clauses at line {group.line}, after a long search")


def pairs_apart(groups: Clauses, others: Clauses) -> Clauses:
    """Return the clauses that groups of variables stand for, and the others."""
    return [[-one_, -two] for group in groups for one_, two in combinations(group, 2)] + others


def _why(known: list[Statement] | None) -> str:
    return "as the checker does not know what it means" if known is None else "as too much would have to be walked through"


def cells_in(formula: Formula, clauses: Clauses) -> set[int]:
    """Return the board's cells that clauses speak of."""
    width = len(formula.values)
    return {(abs(literal) - 1) // width for clause in clauses for literal in clause if abs(literal) <= formula.board}


_NAMED = re.compile(r"\br[1-9][0-9]*c[1-9][0-9]*\b")


def wrong_label(puzzle: Puzzle, block: Block) -> Iterator[str]:
    """Yield what is wrong with the label of a rule's block."""
    label, at = block.label, f"formula.cnf: line {block.line}"
    number = label["rule"]
    if number is not None and (not is_number(number) or not 0 <= number < len(puzzle.rules)):
        yield f"{at}: the puzzle has no rule {number!r:.40}"
    elif number is not None and label["kind"] != puzzle.rules[number]["kind"]:
        yield f"{at}: rule {number} is of the kind {puzzle.rules[number]['kind']!r:.80}, not {label['kind']!r:.80}"
    if not is_text(label["part"]) or label["constraint"] not in CONSTRAINTS or not isinstance(label["cells"], list):
        raise Bad(f"{at}: expected the label of a rule's block with its part, constraint and cells")
    cells = [puzzle.cell(name) for name in label["cells"]]
    named = set(_NAMED.findall(label["part"].lower()))
    known = {puzzle.names[cell] for cell in cells} | set(_NAMED.findall(json.dumps(puzzle.rules).lower()))
    if label["kind"] in MEANINGS:
        yield from (
            f"{at}: the part {label['part']!r:.80} names {name}, which its rule does not" for name in sorted(named - known)
        )
    if label["kind"] == "houses" and puzzle.houses.get(label["part"]) != cells:
        yield f"{at}: {label['part']!r:.80} is not the name of these cells"


# --- filled grids -----------------------------------------------------------------------------------------------------


def read_solution(puzzle: Puzzle, data: bytes) -> list[int]:
    """Return the values of all cells: numbers with blanks between, a line for every row of cells."""
    rows = [[int(word) for word in line.split()] for line in data.decode("ascii").splitlines()]
    sizes = [count for _, count in sorted(Counter(row for row, _ in puzzle.places).items())]
    if [len(row) for row in rows] != sizes:
        raise Bad("solution.txt: expected a number for every cell, and a line for every row of cells")
    return [value for row in rows for value in row]


def wrong_in(
    puzzle: Puzzle,
    statements: Sequence[Sequence[Statement] | None],
    values: Sequence[int],
    name: str,
    free: int | None = None,
) -> Iterator[str]:
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
        broken = next((cells for cells, machine in own or () if not accepts(machine, (values[cell] for cell in cells))), None)
        if broken is not None:
            told = " ".join(puzzle.names[cell] for cell in broken)
            yield f"{name}: rule {number} ({puzzle.rules[number]['kind']}) is broken by {told:.80}"


def check_others(
    puzzle: Puzzle, statements: Sequence[Sequence[Statement] | None], solution: list[int], data: bytes
) -> Iterator[str]:
    """Yield what is wrong with the grids that show that each given is needed."""
    told = read_json("others.json", data)
    if not isinstance(told, dict):
        raise Bad("others.json: expected a grid for every given")
    yield from (f"others.json: {name:.40} is no given" for name in told.keys() - {puzzle.names[cell] for cell in puzzle.givens})
    for cell in puzzle.givens:
        name = puzzle.names[cell]
        values = told.get(name)
        if not isinstance(values, list) or len(values) != len(puzzle.names) or not all(map(is_number, values)):
            yield f"others.json: expected a value for every cell, in the grid without {name}"
            continue
        if values[cell] == solution[cell]:
            yield f"others.json: the grid without {name} has the same value there"
        yield from wrong_in(puzzle, statements, values, f"others.json, without {name}", cell)


NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def compare_text(puzzle: Puzzle, data: bytes, symbols: Any) -> Iterator[str]:
    """Yield what is wrong with the puzzle as it is drawn for people: its blanks, and its signs where they are numerals."""
    signs = "".join(data.decode("utf-8").split())
    if len(signs) != len(puzzle.names):
        yield f"puzzle.txt: expected a sign for each of {len(puzzle.names)} cells, got {len(signs)}"
        return
    if {cell for cell, sign in enumerate(signs) if sign != "."} != puzzle.givens.keys():
        yield "puzzle.txt: it has not the givens of puzzle.json"
        return
    drawn = {(value, signs[cell]) for cell, value in puzzle.givens.items()}
    numerals = symbols is not None or all(NUMERALS[value] == sign for value, sign in drawn)
    if not numerals or len(drawn) > len(dict(drawn)) or len(drawn) > len({sign for _, sign in drawn}):
        yield "puzzle.txt: its signs are not the givens of puzzle.json"


# --- the command line -------------------------------------------------------------------------------------------------

USAGE = """usage: check.py [--json] [--strict] [--timeout SECONDS] FOLDER...

Say whether each folder proves its claim about a puzzle. Exit code: 0 all are verified, 1 one is rejected,
2 one is no certificate, or bad usage, 3 a limit came first.

  --json              an object a line instead of words
  --strict            refuse clauses that would have to be taken on trust
  --timeout SECONDS   give up on a folder after so long
"""


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


def main(argv: Sequence[str] | None = None) -> int:
    """Check the folders named on the command line, and return the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    seconds: float | None = None
    if "--timeout" in words:
        place = words.index("--timeout")
        try:
            seconds = float(words[place + 1])
        except (IndexError, ValueError):
            seconds = -1.0
        del words[place : place + 2]
    options, folders = {word for word in words if word.startswith("-")}, [word for word in words if not word.startswith("-")]
    if options & {"-h", "--help"}:
        sys.stdout.write(USAGE)
        return 0
    if options - {"--json", "--strict"} or not folders or (seconds is not None and not 0 < seconds < float("inf")):
        sys.stderr.write(USAGE)
        return 2
    codes = set()
    for folder in folders:
        report = check(folder, seconds=seconds, strict="--strict" in options)
        codes.add(CODES[report.verdict])
        told = json.dumps({"folder": folder, **report.__dict__}) if "--json" in options else in_words(folder, report)
        sys.stdout.write(told + "\n")
    return next(code for code in (1, 2, 3, 0) if code in codes)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
