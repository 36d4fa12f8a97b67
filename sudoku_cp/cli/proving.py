"""The verbs ``prove`` and ``verify``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import Wish, entries, refuse_to_overwrite
from sudoku_cp.cli.options import Alphabet, Boxes, From, Json, Nodes, Puzzles, Quiet, Rules, Size, Strict, Timeout
from sudoku_cp.cli.progress import watched
from sudoku_cp.cli.remarks import Warnings
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, WrongAnswer, shortened
from sudoku_cp.proof import prove as proved
from sudoku_cp.proof import verify as verified
from sudoku_cp.proof.certificate import replaces
from sudoku_cp.puzzle import puzzle_told, solution_told

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.formats import Record
    from sudoku_cp.proof import Certificate, Report
    from sudoku_cp.puzzle import Puzzle

CHECKED = 256
"""Cells of the largest board whose proof our own checker, plain Python, goes through unasked."""


@dataclass(frozen=True)
class _Order:
    """How every puzzle is to be proved."""

    puzzles: Sequence[str]
    claim: Any
    provers: tuple[str, ...]
    limits: Limits
    force: bool
    verify: bool
    quiet: bool


def prove(
    puzzles: Puzzles,
    *,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="Write the certificate to this new folder (of several, 0, 1, ... in it).")
    ],
    claim: Annotated[
        str,
        typer.Option(metavar="CLAIM", help="unique, none, minimal (unique, and every given is needed), or auto: what is true."),
    ] = "auto",
    backend: Annotated[
        str, typer.Option(metavar="NAMES", help="The provers, with commas: sat (sat:glucose4, ...), and for houses alone native.")
    ] = "sat",
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Do not check the certificate after it is written.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an older certificate in the folder.")] = False,
    timeout: Timeout = None,
    nodes: Nodes = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Prove that a puzzle has one solution, or none, in a folder that anybody can check with programs that are not ours.

    The exit code is 1 where the claim is false: two solutions are named, or the givens that are not needed.
    """
    names = tuple(name.strip() for name in backend.split(",") if name.strip())
    order = _Order(puzzles, claim, names, Limits(timeout, nodes), force, not no_verify, quiet)
    records = entries(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))
    ahead = list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {output.YES}
    warnings = Warnings(quiet=quiet)
    for index, record in enumerate(watched(chain(ahead, records), quiet=quiet)):
        folder = Path(out) if alone else Path(out) / str(index)
        warnings.add(index, record.warnings)
        code, told = _answered(record, folder, order)
        codes.add(code)
        if as_json:
            output.say_json({"index": index} | told)
        elif "error" in told and alone:
            output.remark(f"sudoku-cp: {told['error']}")
        else:
            output.say(("" if alone else f"{index}\t") + _sentence(told))
    warnings.end()
    return output.worst(codes)


def _answered(record: Record, folder: Path, order: _Order) -> tuple[int, dict[str, Any]]:
    """Return the exit code of one puzzle, and what is told of it."""
    if record.puzzle is None:
        return output.BAD_INPUT, {"status": "error", "error": str(record.error)}
    told: dict[str, Any] = {"puzzle": puzzle_told(record.puzzle)}
    start = perf_counter()
    try:
        if replaces(folder, force=order.force):  # before the work, not after it
            refuse_to_overwrite(folder.iterdir(), order.puzzles)
        made = proved(record.puzzle, claim=order.claim, provers=order.provers, limits=order.limits)
        told |= {"status": "proved"} | _told(made) | {"seconds": round(perf_counter() - start, 6)}
        told["folder"] = str(made.write(folder, force=order.force))
        return output.YES, told | _checked(record.puzzle, folder, order)
    except NotProved as error:
        return output.NO, told | {"status": "not proved", "error": str(error)} | _refuted(record.puzzle, error)
    except LimitReached as error:
        return output.RAN_OUT, told | {"status": "unknown", "reason": error.reason, "error": str(error)}
    except InvalidInput as error:
        return error.exit_code, told | {"status": "error", "error": str(error)}


def _told(made: Certificate) -> dict[str, Any]:
    proofs = [{"prover": proof.prover, "lemmas": proof.lemmas, "file": proof.file} for proof in made.proofs]
    solution = {} if made.solution is None else {"solution": solution_told(made.puzzle, made.solution)}
    return {"claim": made.claim} | solution | {"proofs": proofs}


def _refuted(puzzle: Puzzle, error: NotProved) -> dict[str, Any]:
    """Return what refutes the claim."""
    told: dict[str, Any] = {}
    if error.solutions:
        told["solutions"] = [solution_told(puzzle, solution) for solution in error.solutions]
    if error.unnecessary:
        told["unnecessary"] = output.cells_told(puzzle, error.unnecessary)
    return told


def _checked(puzzle: Puzzle, folder: Path, order: _Order) -> dict[str, Any]:
    """Return what the independent checker says of a certificate just written; that it is wrong is a defect of ours."""
    if not order.verify:
        return {}
    if len(puzzle.grid.cells) > CHECKED:
        if not order.quiet:
            output.remark("not checked: for so large a board drat-trim is quicker ('sudoku-cp verify' checks it if you want)")
        return {}
    report = verified(folder, seconds=order.limits.seconds, trust=True)  # nobody trusts himself less than that
    if report.verdict == "rejected":
        raise WrongAnswer(f"expected a certificate that is verified, got in {folder}: {'; '.join(report.problems)}")
    return {"verdict": report.verdict} | ({"trusted": list(report.trusted)} if report.trusted else {})


def _sentence(told: dict[str, Any]) -> str:
    """Return what is told of a puzzle in words."""
    if "error" in told:
        return f"{told['status']}\t{told['error']}"
    proofs = ", ".join(f"{one['prover']}: {one['lemmas']} lemma{'s' * (one['lemmas'] != 1)}" for one in told["proofs"])
    verdict = f", {told['verdict']}" + ", in part on trust" * ("trusted" in told) if "verdict" in told else ""
    return f"proved {told['claim']} ({proofs}; {told['seconds'] * 1e3:.3g} ms){verdict}: {told['folder']}"


# --- verify -----------------------------------------------------------------------------------------------------


def verify(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders of certificates.", show_default=False)],
    *,
    trust: Annotated[
        bool,
        typer.Option("--trust", help="Verify although a part has to be taken on trust (rules not known, too large), as told."),
    ] = False,
    timeout: Timeout = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check certificates by the independent checker, which shares no code with what makes them.

    The exit code is 0 where the claim is proved, 1 where anything is wrong, 2 where there is no certificate, 3 where not
    everything could be checked: a limit came first, or the rest would have to be taken on trust.
    """
    codes = set()
    for folder in watched(folders, quiet=quiet):
        report = verified(folder, seconds=timeout, trust=trust)
        codes.add(_CODES[report.verdict])
        if as_json:
            output.say_json({"folder": folder, "verdict": report.verdict} | _report_told(report))
        else:
            output.say("\n".join(shortened(line, _LINE) for line in _report_said(folder, report)))
    return output.worst(codes)


_LINE = 900
"""Characters of a line of a report at most."""
_CODES = {"verified": output.YES, "rejected": output.NO, "absent": output.BAD_INPUT, "unchecked": output.RAN_OUT}


def _report_told(report: Report) -> dict[str, Any]:
    return {
        "claim": report.claim,
        "problems": list(report.problems),
        "trusted": list(report.trusted),
        "facts": dict(report.facts),
    }


def _report_said(folder: str, report: Report) -> Iterator[str]:
    yield f"{folder}: {report.verdict}{f' ({report.claim})' if report.claim else ''}"
    yield from (f"  {problem}" for problem in report.problems)
    yield from (f"  on trust: {what}" for what in report.trusted)
