"""The check of a folder: runs the stages in order, and turns what they found into a verdict."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from .certificate_files import read_manifest
from .certified_puzzle import read_puzzle
from .dimacs_formula import compare_expected_blocks, read_formula
from .drup_proof import drup_problems, read_drup
from .filled_grids import drawing_problems, grid_problems, other_grids_problems, read_solution
from .lrat_proof import lrat_problems, read_lrat
from .report import CheckBudget, CheckFindings, CheckLimitReached, Rejected, Report, printable
from .rule_blocks import compare_rules
from .rule_statements import statements_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .dimacs_formula import DimacsFormula


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
