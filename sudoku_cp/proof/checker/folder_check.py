"""The check of a folder: runs the stages in order, and turns what they found into a verdict."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from .certificate_files import read_json, read_manifest
from .certified_puzzle import CertifiedPuzzle, read_puzzle
from .dimacs_formula import DimacsFormula, compare_expected_blocks, read_formula
from .drup_proof import drup_problems, read_drup
from .lrat_proof import lrat_problems, read_lrat
from .report import CheckBudget, CheckFindings, CheckLimitReached, Rejected, Report, is_number, printable, require, shown
from .rule_blocks import compare_rules
from .rule_statements import statements_of

if TYPE_CHECKING:
    from collections.abc import Iterator


# Filled grids: the solution, and the grids that show that each given is needed.


_ROW = re.compile(r" *(0|[1-9][0-9]?)( +(0|[1-9][0-9]?))* *")
NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def read_solution(puzzle: CertifiedPuzzle, data: bytes | bytearray) -> list[int]:
    """Parse the values of all cells: numbers separated by blanks, a line for every row of cells."""
    try:
        lines = data.decode("ascii").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise Rejected("solution.txt: expected a text of numbers") from error
    sizes = [count for _, count in sorted(Counter(row for row, _ in puzzle.places).items())]
    shape = "solution.txt: expected a number for every cell, and a line for every row of cells"
    require(len(lines) == len(sizes), shape)
    for number, line in enumerate(lines, 1):
        problem = f"solution.txt: line {number}: expected whole numbers and blanks between them, got {shown(line)}"
        require(_ROW.fullmatch(line), problem)
    rows = [list(map(int, line.split())) for line in lines]
    require([len(row) for row in rows] == sizes, shape)
    return [value for row in rows for value in row]


def grid_problems(puzzle: CertifiedPuzzle, values: list[int], name: str, free: int | None = None) -> Iterator[str]:
    """Yield what is wrong with a filled grid; the cell ``free`` may differ from its given."""
    if not set(values) <= set(puzzle.values):
        yield f"{name}: expected values from {puzzle.values[0]} to {puzzle.values[-1]}"
        return
    for cell, value in puzzle.givens.items():
        if values[cell] != value and cell != free:
            yield f"{name}: {puzzle.names[cell]} is {values[cell]}, but {value} is given"
    for cell, allowed in puzzle.candidates.items():
        if values[cell] not in allowed:
            yield f"{name}: {puzzle.names[cell]} is {values[cell]}, which is not a candidate there"
    for number, own in enumerate(puzzle.statements):
        for cells, holds in own or ():
            puzzle.budget.spend(3 + 2 * len(cells))
            if not holds([values[cell] for cell in cells]):
                yield f"{name}: rule {number} ({puzzle.rules[number].kind}) is broken by {puzzle.cell_names(cells):.80}"
                break


def other_grids_problems(puzzle: CertifiedPuzzle, solution: list[int], data: bytes | bytearray) -> Iterator[str]:
    """Yield what is wrong with the grids that show that each given is needed."""
    grids = read_json("others.json", data, puzzle.budget)
    require(isinstance(grids, dict), "others.json: expected a grid for every given")
    yield from (
        f"others.json: {name:.40} is not given" for name in grids.keys() - {*map(puzzle.names.__getitem__, puzzle.givens)}
    )
    for cell in puzzle.givens:
        puzzle.budget.tick()
        name = puzzle.names[cell]
        values = grids.get(name)
        if not isinstance(values, list) or len(values) != len(puzzle.names) or not all(map(is_number, values)):
            yield f"others.json: expected a value for every cell, in the grid without {name}"
            continue
        if values[cell] == solution[cell]:
            yield f"others.json: the grid without {name} has the same value there"
        yield from grid_problems(puzzle, values, f"others.json, without {name}", cell)


def drawing_problems(puzzle: CertifiedPuzzle, data: bytes | bytearray) -> Iterator[str]:
    """Yield what is wrong with the drawing for people: its blanks, and its signs where they are numerals."""
    signs = "".join(data.decode("utf-8").split())
    drawn = {(value, signs[cell]) for cell, value in puzzle.givens.items() if cell < len(signs)}
    if len(signs) != len(puzzle.names):
        yield f"puzzle.txt: expected a sign for each of {len(puzzle.names)} cells, got {len(signs)}"
    elif {cell for cell, sign in enumerate(signs) if sign != "."} != puzzle.givens.keys():
        yield "puzzle.txt: its givens are not those of puzzle.json"
    elif len({value for value, _ in drawn}) < len(drawn) or len({sign for _, sign in drawn}) < len(drawn):
        yield "puzzle.txt: a sign or a value stands for two"
    elif puzzle.symbols is None and any(NUMERALS[value] != sign for value, sign in drawn):
        yield "puzzle.txt: its signs are not the values of the givens in puzzle.json"


def check(folder: str | Path, *, seconds: float | None = None, trust: bool = False) -> Report:
    """Return whether the folder proves its claim; only with ``trust`` may parts be taken on trust, which the report lists."""
    start, found, folder = time.monotonic(), CheckFindings(), Path(folder)

    def tick() -> None:
        if seconds is not None and time.monotonic() > start + seconds:
            raise CheckLimitReached("the time limit came first")

    unfinished: str | None = "it was not checked to its end"
    try:
        if not (folder / "manifest.json").is_file():
            return Report("absent", problems=(f"{folder}: it has no manifest.json",))
        check_stages(folder, found, CheckBudget(tick))
        unfinished = None
    except Rejected as bad:
        found.problems += bad.args
    except CheckLimitReached as limit:
        unfinished = str(limit) or unfinished
    except MemoryError:
        unfinished = "the memory did not suffice"
    except Exception as error:  # noqa: BLE001  # an exception while a file is read is the file's fault
        found.problems.append(f"cannot be read: {type(error).__name__}: {error!s:.200}")
    if found.trusted and not trust:
        unfinished = unfinished or "a part of it can only be taken on trust, which was not allowed"
    verdict = "rejected" if found.problems else "unchecked" if unfinished else "verified"
    found.facts["seconds"] = round(time.monotonic() - start, 3)
    problems = dict.fromkeys(map(printable, found.problems or filter(None, [unfinished])))
    return Report(verdict, found.claim, tuple(problems), tuple(map(printable, found.trusted)), found.facts)


def check_stages(folder: Path, found: CheckFindings, budget: CheckBudget) -> None:
    """Run every stage that earlier problems do not rule out."""
    proofs, files = read_manifest(folder, found, budget)
    if missing := sorted({"puzzle.json", "formula.cnf"} - files.keys()):
        raise Rejected(*(f"{name}: expected in the certificate" for name in missing))
    puzzle = read_puzzle(files["puzzle.json"], budget)
    found.facts["puzzle"] = puzzle.description()
    if "puzzle.txt" in files:
        found.add_problems(drawing_problems(puzzle, files["puzzle.txt"]))
    for rule in puzzle.rules:
        budget.tick()
        puzzle.statements.append(statements_of(puzzle, rule))
    solution = None
    if found.claim != "none" and "solution.txt" in files:
        solution = read_solution(puzzle, files["solution.txt"])
        found.add_problems(grid_problems(puzzle, solution, "solution.txt"))
    if found.claim == "minimal" and solution and "others.json" in files:
        found.add_problems(other_grids_problems(puzzle, solution, files["others.json"]))
        for number, statements in enumerate(puzzle.statements):
            if statements is None:
                found.trust(f"rule {number} ({puzzle.rules[number].kind}): that the grids of others.json obey it")
    formula = read_formula(files["formula.cnf"], puzzle)
    found.facts |= {"variables": formula.size, "clauses": sum(len(block.lines) for block in formula.blocks), "lemmas": 0}
    found.add_problems(compare_expected_blocks(formula, found.claim, solution))
    compare_rules(formula, solution, found)
    for proof in proofs:
        if proof["file"] in files:
            held = budget.held
            found.add_problems(proof_problems(proof["file"], files[proof["file"]], proof["lemmas"], formula))
            found.facts["lemmas"] += proof["lemmas"]
            budget.release(budget.held - held)


def proof_problems(name: str, data: bytes | bytearray, count: int, formula: DimacsFormula) -> Iterator[str]:
    """Yield what is wrong with a proof of ``count`` lemmas, in one of the two formats."""
    if name.endswith(".lrat.xz"):
        yield from lrat_problems(name, read_lrat(name, data, formula, count), formula)
    else:
        yield from drup_problems(name, read_drup(name, data, formula.size, count, formula.puzzle.budget), formula)
