"""``compare --fuzz``: engines on random puzzles, with a certificate for each that has one solution or none."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sudoku_cp.answer_json.comparisons import verdicts_to_json
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.progress_bar import ProgressBar
from sudoku_cp.cli.text_tables import print_table
from sudoku_cp.cli.verdict_report import print_verdicts
from sudoku_cp.compare import Verdict, table_of, write_finding
from sudoku_cp.compare.fuzzing import ENGINES, MANY, SHORT, Fuzz, FuzzFinding, start_fuzz
from sudoku_cp.errors import LimitReached, NotProved, Unsupported, require_seed
from sudoku_cp.proof import prove, verify
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json
from sudoku_cp.questions.compare import CompareQuestion
from sudoku_cp.questions.exit_codes import NO, YES

SEEDS = 2**31
PROVE_LIMITS = Limits(seconds=2.0)
VERIFY_SECONDS = 5.0


def run_fuzz(
    span: tuple[int, int],
    seed: int | None,
    question: CompareQuestion,
    *,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compare the engines on the puzzles of a span (how many to skip, how many to make) and print what was found."""
    first, rounds = span
    seed = secrets.randbelow(SEEDS) if seed is None else require_seed(seed)
    seconds, engines = question.timeout, question.engines if question.backends else ENGINES
    work = start_fuzz(
        engines,
        limits=Limits(SHORT.seconds if seconds is None else seconds, question.nodes),
        solution_limit=question.limit or MANY,
        also=[check_by_certificate],
    )
    if not quiet:
        output.remark(f"--fuzz {rounds} --seed {seed}{f' --skip {first}' * bool(first)}: {', '.join(engines)}")
    try:
        with ProgressBar(rounds, quiet=quiet) as bar:
            for number in range(first, first + rounds):
                finding = work.play(seed, number)
                if finding:
                    _report_finding(finding, out, as_json=as_json)
                bar.show(work.rounds, work.rounds)
    finally:
        _report_run(work, seed, as_json=as_json)
    return NO if work.findings else YES


def _report_finding(finding: FuzzFinding, out: Path | None, *, as_json: bool) -> None:
    """Print and write a finding at once, as the rest of the run may never end."""
    path = write_finding(finding, out) if out else None
    if as_json:
        output.print_json(_finding_to_json(finding) | ({"file": str(path)} if path else {}))
        return
    output.print_text(f"FINDING: sudoku-cp compare {finding.again}")
    print_verdicts(finding.least, finding.least_verdicts)
    for complaint in finding.least_complaints:
        output.print_text(f"  {complaint}")
    if path:
        output.print_text(f"  written to {path}, which 'sudoku-cp compare' and 'sudoku-cp prove' read")


def _finding_to_json(finding: FuzzFinding) -> dict[str, Any]:
    return {
        "finding": finding.again,
        "puzzle": puzzle_to_short_json(finding.puzzle),
        "verdicts": verdicts_to_json(finding.puzzle, finding.verdicts),
        "complaints": list(finding.complaints),
        "shrunk": puzzle_to_short_json(finding.least),
        "shrunk_verdicts": verdicts_to_json(finding.least, finding.least_verdicts),
        "shrunk_complaints": list(finding.least_complaints),
    }


def _report_run(work: Fuzz, seed: int, *, as_json: bool) -> None:
    """Print the result, of an interrupted run too."""
    if as_json:
        output.print_json({"seed": seed} | work.to_json())
        return
    rows = table_of(work.tallies, work.rounds)
    print_table(rows, numbers=[*rows[0]][1:])
    statuses = ", ".join(f"{number} {status}" for status, number in sorted(work.statuses.items()))
    output.print_text(
        f"{work.rounds} puzzles of seed {seed} ({statuses}), {len(work.kinds)} kinds of rules, {len(work.boards)} boards"
    )
    output.print_text(
        f"{work.defects.total()} defects on purpose; {work.tried_by_hand} tried by hand, {work.checked} certificates"
    )
    refused = ", ".join(f"{number} by {engine}" for engine, number in sorted(work.refused.items()))
    output.print_text(f"refused: {refused or 'none'}; open at a limit: {work.unknown}")
    output.print_text(f"DISAGREEMENT on {len(work.findings)}" if work.findings else "nobody disagrees")


# --- certificates -----------------------------------------------------------------------------------------------


def check_by_certificate(puzzle: Puzzle, verdicts: Sequence[Verdict]) -> str | None:
    """Prove and verify what all engines agree on; a certificate that is tampered with must be rejected."""
    statuses = {verdict.status for verdict in verdicts} - {"unknown"}
    if statuses not in ({"unique"}, {"none"}):
        return None
    with TemporaryDirectory(prefix="sudoku-cp-") as folder, suppress(LimitReached, Unsupported):
        try:
            prove(puzzle, claim=statuses.pop(), limits=PROVE_LIMITS).write(Path(folder, "proof"))  # type: ignore[arg-type]
        except NotProved as error:
            return f"certificate: {error}"
        return _check_certificate(puzzle, Path(folder, "proof"))
    return None


def _check_certificate(puzzle: Puzzle, folder: Path) -> str | None:
    report = verify(folder, seconds=VERIFY_SECONDS, trust=True)
    if report.verdict == "unchecked":
        return None
    if report.verdict != "verified":
        return f"certificate: expected one that is verified, got {report.verdict}: {'; '.join(report.problems):.500}"
    for words, tamper in TAMPERINGS.items():
        if tamper(puzzle, folder) and verify(folder, seconds=VERIFY_SECONDS, trust=True).verdict == "verified":
            return f"certificate: expected it to be rejected with {words}, got it verified"
    return ""


def _change_solution(puzzle: Puzzle, folder: Path) -> bool:
    """Change a value of the solution."""
    path = folder / "solution.txt"
    if not path.exists() or len(puzzle.grid.values) < 2:  # noqa: PLR2004
        return False
    value, *rest = path.read_text(encoding="utf-8").split(" ")
    other = next(str(one) for one in puzzle.grid.values if str(one) != value.strip())
    return _replace_file(folder, path, " ".join([value.replace(value.strip(), other), *rest]))


def _drop_given(puzzle: Puzzle, folder: Path) -> bool:
    """Drop a given of the puzzle, which the formula still has."""
    path = folder / "puzzle.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    if len(puzzle.givens) < 2:  # noqa: PLR2004
        return False
    document["givens"].popitem()
    return _replace_file(folder, path, json.dumps(document))


def _replace_file(folder: Path, path: Path, text: str) -> bool:
    """Write other text, and its hash into the manifest, so that the hash does not give the change away."""
    path.write_text(text, encoding="utf-8")
    manifest = folder / "manifest.json"
    document = json.loads(manifest.read_text(encoding="utf-8"))
    data = path.read_bytes()
    document["files"][path.name] |= {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
    manifest.write_text(json.dumps(document), encoding="utf-8")
    return True


TAMPERINGS: dict[str, Callable[[Puzzle, Path], bool]] = {
    "another solution": _change_solution,
    "one given fewer": _drop_given,
}
"""Changes to a certificate, made one after the other, each of which must make the checker reject it."""
