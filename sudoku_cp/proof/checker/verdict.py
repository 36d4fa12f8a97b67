"""The check as a whole: a folder is looked at piece by piece, and what was found is the verdict."""

from __future__ import annotations

import json
import time
from pathlib import Path

from .files import read_manifest
from .formula import compare_fixed, read_formula
from .grids import read_solution, wrong_drawing, wrong_in, wrong_others
from .proof import read_proof, wrong_proof
from .puzzle import read_puzzle
from .report import Bad, Findings, LimitReached, Report, Tick
from .rule_blocks import compare_rules
from .statements import statements


def check(folder: str | Path, *, seconds: float | None = None, trust: bool = False) -> Report:
    """Return whether the folder proves its claim; only with ``trust`` may a part of it be taken on trust, which is told."""
    start, found, folder = time.monotonic(), Findings(), Path(folder)

    def tick() -> None:
        if seconds is not None and time.monotonic() > start + seconds:
            raise LimitReached("the time limit came first")

    late = ""
    try:
        if not (folder / "manifest.json").is_file():
            return Report("absent", problems=(f"{folder}: no manifest.json is there",))
        judge(folder, found, tick)
    except Bad as bad:
        found.problems += bad.args
    except LimitReached as limit:
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
    puzzle = read_puzzle(files["puzzle.json"], tick)
    if "puzzle.txt" in files:
        found.problems += wrong_drawing(puzzle, files["puzzle.txt"], json.loads(files["puzzle.json"]).get("symbols"))
    known = []
    for rule in puzzle.rules:
        tick()
        known.append(statements(puzzle, rule))
    solution = None
    if found.claim != "none" and "solution.txt" in files:
        solution = read_solution(puzzle, files["solution.txt"])
        found.problems += wrong_in(puzzle, known, solution, "solution.txt")
    if found.claim == "minimal" and solution and "others.json" in files:
        found.problems += wrong_others(puzzle, known, solution, files["others.json"], tick)
        unknown = [number for number, said in enumerate(known) if said is None]
        found.trusted += [f"rule {one} ({puzzle.rules[one].kind}): that the grids of others.json obey it" for one in unknown]
    formula = read_formula(files["formula.cnf"], puzzle, tick)
    found.facts |= {"variables": formula.size, "clauses": sum(len(block.lines) for block in formula.blocks), "lemmas": 0}
    found.problems += compare_fixed(formula, puzzle, found.claim, solution, tick)
    compare_rules(formula, puzzle, known, solution, found, tick)
    for proof in proofs:
        if proof["file"] in files:
            lemmas = read_proof(proof["file"], files[proof["file"]], formula.size, proof["lemmas"], tick)
            found.facts["lemmas"] += len(lemmas)
            found.problems += wrong_proof(proof["file"], lemmas, formula, tick)
