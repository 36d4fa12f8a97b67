"""The verb ``compare``."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import ReadablePuzzles, print_verdicts
from sudoku_cp.cli.options import Json, Quiet
from sudoku_cp.cli.output import ProgressBar, print_table
from sudoku_cp.cli.typed_options import no_folder, option_problems, refuse_contradictions, refuse_typed
from sudoku_cp.compare import Comparison, Disagreement, Verdict, table, table_of, write_finding
from sudoku_cp.compare.fuzzing import ENGINES, MANY, SHORT, Fuzz, FuzzFinding, start_fuzz
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, Unsupported, require_seed
from sudoku_cp.proof import prove, verify
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json
from sudoku_cp.questions.answer import NO, YES, to_json, worst
from sudoku_cp.questions.compare import CompareAnswer, CompareQuestion, VerdictJson


def compare(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            help="A puzzle as text (after '--' if it begins with '-'), a file of puzzles, or '-' for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    fuzz: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=1, help="Compare on this many random puzzles of random rules instead.", show_default=False
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Make --fuzz repeatable.", show_default="a new one")] = None,
    skip: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="With --fuzz, skip this many puzzles first.", show_default="0")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Write the findings of --fuzz into this folder, each with a test.", show_default=False
        ),
    ] = None,
    question: CompareQuestion = CompareQuestion(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Compare engines.

    With --fuzz the puzzles are random, and the engines, more by default, are checked against the meaning of the rules and against
    certificates too; then 40 solutions of a puzzle are looked for.
    """
    problems = {
        "expected puzzles or --fuzz, got neither": not puzzles and fuzz is None,
        "expected puzzles or --fuzz, got both": bool(puzzles) and fuzz is not None,
        "--seed, --skip and --out need --fuzz": fuzz is None and (seed, skip, out) != (None, None, None),
        **no_folder("--out", out),
    }
    refuse_contradictions(problems)
    if fuzz is not None:
        return run_fuzz((skip or 0, fuzz), seed, question, out=Path(out) if out else None, as_json=as_json, quiet=quiet)
    refuse_typed(option_problems(question))
    readable = ReadablePuzzles(puzzles or [], question, quiet=quiet)
    check = question.cross_check(question.limits())
    try:
        for puzzle in readable:
            check.add(puzzle)
    except KeyboardInterrupt:
        if check.compared.puzzles:
            _report(check.compared, as_json=as_json)
        raise
    if not check.compared.puzzles:
        raise InvalidInput("expected at least one puzzle to compare, got none that can be read")
    _report(check.compared, as_json=as_json)
    return worst([readable.exit_code, CompareAnswer.of(check.compared).exit_code])


def _report(compared: Comparison, *, as_json: bool) -> None:
    if as_json:
        output.print_json(CompareAnswer.of(compared).to_json())
    else:
        _print_comparison(compared)


def _print_comparison(compared: Comparison) -> None:
    rows = table(compared)
    print_table(rows, numbers=[*rows[0]][1:])
    for one in compared.disagreements:
        _print_disagreement(one)
    for engine, failure in compared.failures.items():
        output.print_text(f"{engine} failed; {failure}")
    counted = f"{compared.puzzles:,} puzzle{'s' * (compared.puzzles != 1)}"
    if compared.agreed:
        words = f"; {compared.unknown} questions stayed open at their limit" if compared.unknown else ""
        if compared.refused:
            words += f"; {compared.refused} questions were of a sort that the engine does not take"
        if compared.failed:
            words += f"; {compared.failed} questions made an engine fail"
        output.print_text(f"{counted}: {_agreement(compared)}{words}")
    else:
        output.print_text(f"{counted}: DISAGREEMENT on {compared.disagreed}")


def _agreement(compared: Comparison) -> str:
    """Return in words how far engines that do not disagree agree."""
    if not any(tally.solved for tally in compared.tallies):
        return "no engine answered"
    return "the answers agree" if compared.failed else "all engines agree"


def _print_disagreement(one: Disagreement) -> None:
    output.print_text(
        f"\npuzzle {one.index}: shrunk from {len(one.puzzle.givens)} to {len(one.least.givens)} givens, it still shows"
    )
    print_verdicts(one.least, one.least_verdicts)


# ``compare --fuzz``: engines on random puzzles, with a certificate for each that has one solution or none.


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
        skipped = f" --skip {first}" if first else ""
        output.remark(f"--fuzz {rounds} --seed {seed}{skipped}: {', '.join(engines)}")
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
        "verdicts": to_json([VerdictJson.of(finding.puzzle, one) for one in finding.verdicts]),
        "complaints": list(finding.complaints),
        "shrunk": puzzle_to_short_json(finding.least),
        "shrunk_verdicts": to_json([VerdictJson.of(finding.least, one) for one in finding.least_verdicts]),
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
