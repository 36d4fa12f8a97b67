"""The verb ``prove``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.answer_json.proofs import certificate_to_json, refutation_to_json
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.inputs import input_records, refuse_to_overwrite
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.progress_bar import with_progress
from sudoku_cp.cli.remarks import Warnings
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, WrongAnswer
from sudoku_cp.formats import Record
from sudoku_cp.proof import prove as make_certificate
from sudoku_cp.proof import verify as verify_certificate
from sudoku_cp.proof.certificate import check_target_folder, describe_conditions
from sudoku_cp.proof.verification import MOST_CELLS_VERIFIED
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json
from sudoku_cp.questions.exit_codes import BAD_INPUT, NO, RAN_OUT, YES, worst
from sudoku_cp.questions.options import Limited, Reading


@dataclass(frozen=True)
class _ProofRequest:
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
        str,
        typer.Option(metavar="FOLDER", help="Write the certificate to this new folder (of several puzzles, to 0, 1, ... in it)."),
    ],
    claim: Annotated[
        str,
        typer.Option(
            metavar="CLAIM", help="unique, none, minimal (unique, and every given is needed), or auto: whichever is true."
        ),
    ] = "auto",
    backend: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="The provers, comma-separated: sat (sat:glucose4, ...), and native where houses are the only rules.",
        ),
    ] = "sat",
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Do not check the certificate after it is written.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an older certificate in the folder.")] = False,
    limit_options: Limited = Limited(),
    input_options: Reading = Reading(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Prove that a puzzle has one solution, or none: a folder that anybody can check with third-party programs.

    The exit code is 1 if the claim is false: two solutions are shown, or the givens that are not needed.
    """
    names = tuple(name.strip() for name in backend.split(",") if name.strip())
    request = _ProofRequest(puzzles, claim, names, limit_options.limits(), force, not no_verify, quiet)
    records = input_records(puzzles, input_options)
    ahead = list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {YES}
    warnings = Warnings(quiet=quiet)
    for index, record in enumerate(with_progress(chain(ahead, records), quiet=quiet)):
        folder = Path(out) if alone else Path(out) / str(index)
        warnings.add_all(index, record.warnings)
        code, fields = _prove_record(record, folder, request)
        codes.add(code)
        if as_json:
            output.print_json({"index": index} | fields)
        elif "error" in fields and alone:
            output.remark(f"sudoku-cp: {fields['error']}")
        else:
            output.print_text(("" if alone else f"{index}\t") + _proof_text(record.puzzle, fields))
    warnings.end()
    return worst(codes)


def _prove_record(record: Record, folder: Path, request: _ProofRequest) -> tuple[int, dict[str, Any]]:
    """Return the exit code of one puzzle, and the JSON fields of its answer."""
    if record.puzzle is None:
        return BAD_INPUT, {"status": "error", "error": str(record.error)}
    fields: dict[str, Any] = {"puzzle": puzzle_to_short_json(record.puzzle)}
    start = perf_counter()
    try:
        if check_target_folder(folder, force=request.force):  # before the work, not after it
            refuse_to_overwrite(folder.iterdir(), request.puzzles)
        certificate = make_certificate(record.puzzle, claim=request.claim, provers=request.provers, limits=request.limits)
        fields |= {"status": "proved"} | certificate_to_json(certificate) | {"seconds": round(perf_counter() - start, 6)}
        fields["folder"] = str(certificate.write(folder, force=request.force))
        return YES, fields | _verify_written(record.puzzle, folder, request)
    except NotProved as error:
        return NO, fields | {"status": "not proved", "error": str(error)} | refutation_to_json(record.puzzle, error)
    except LimitReached as error:
        return RAN_OUT, fields | {"status": "unknown", "reason": error.reason, "error": str(error)}
    except InvalidInput as error:
        return error.exit_code, fields | {"status": "error", "error": str(error)}


def _verify_written(puzzle: Puzzle, folder: Path, request: _ProofRequest) -> dict[str, Any]:
    """Return the checker's verdict on a certificate just written; raise `WrongAnswer` if it is rejected, a defect of ours."""
    if not request.verify:
        return {}
    if len(puzzle.grid.cells) > MOST_CELLS_VERIFIED:
        if not request.quiet:
            output.remark("not checked: for so large a board drat-trim is quicker ('sudoku-cp verify' checks it if you want)")
        return {}
    report = verify_certificate(folder, seconds=request.limits.seconds)
    if report.verdict == "rejected":
        raise WrongAnswer(f"expected a certificate that is verified, got in {folder}: {'; '.join(report.problems)}")
    return {"verdict": report.verdict} | with_values(trusted=list(report.trusted))


def _proof_text(puzzle: Puzzle | None, fields: dict[str, Any]) -> str:
    """Return the answer in words, with what else the claim depends on where the givens are not all of the puzzle."""
    if puzzle is None or "error" in fields:
        return f"{fields['status']}\t{fields['error']}"
    proofs = ", ".join(f"{one['prover']}: {one['lemmas']} lemma{'s' * (one['lemmas'] != 1)}" for one in fields["proofs"])
    verdict = f", {fields['verdict']}" if "verdict" in fields else ""
    lines = [f"proved {fields['claim']} ({proofs}; {fields['seconds'] * 1e3:.3g} ms){verdict}: {fields['folder']}"]
    if not puzzle.is_plain or puzzle.candidates:
        lines.append(f"  {describe_conditions(puzzle)}")
    return "\n".join([*lines, *(f"  on trust: {one}" for one in fields.get("trusted", ()))])
