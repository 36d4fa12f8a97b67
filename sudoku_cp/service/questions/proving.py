"""The questions about proofs: prove, which sends a certificate as a tar.gz in base64, and verify, which takes one."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.answer_json.proofs import certificate_to_json, refutation_to_json, report_to_json
from sudoku_cp.errors import LimitReached, NotProved, UnknownName, WrongAnswer
from sudoku_cp.proof import prove as make_certificate
from sudoku_cp.proof import verify as verify_certificate
from sudoku_cp.proof.verification import MOST_CELLS_VERIFIED
from sudoku_cp.puzzle import puzzle_to_short_json
from sudoku_cp.questions.body_reader import of_option
from sudoku_cp.service.questions.archives import pack, unpack
from sudoku_cp.service.questions.asked import Asked
from sudoku_cp.service.sizes import MOST_CERTIFICATE_BYTES, MOST_CERTIFICATE_TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Limits
    from sudoku_cp.proof import Certificate, Report
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.service.pool.tasks import Control


def prove(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Prove that the puzzle has one solution, or none, with a certificate that anybody can check."""
    asked = Asked(body, control)
    puzzle = asked.puzzle()
    asked.end()
    provers = tuple(name.strip() for name in asked.get("backend", "sat").split(",") if name.strip())
    limits, start = asked.limits(), perf_counter()
    fields: dict[str, Any] = {"puzzle": puzzle_to_short_json(puzzle)}
    try:
        certificate = _certificate(puzzle, asked.get("claim", "auto"), provers, limits)
        files = certificate.files()
        text = b64encode(pack(files)).decode()
        if too_large := _too_large(text, files):
            return fields | too_large | asked.remarks()
        fields |= {"status": "proved"} | certificate_to_json(certificate) | {"seconds": round(perf_counter() - start, 6)}
        if not asked.get("no_verify"):
            fields |= _verify_made(certificate, files, asked.limits().seconds)
        fields["certificate"] = text
    except NotProved as error:
        fields |= {"status": "not proved", "error": str(error)} | refutation_to_json(puzzle, error)
    except LimitReached as error:
        fields |= {"status": "unknown", "reason": error.reason, "error": str(error)}
    return fields | asked.remarks()


def _certificate(puzzle: Puzzle, claim: Any, provers: tuple[str, ...], limits: Limits) -> Certificate:
    """Return the certificate; an unknown prover is a problem of the option ``backend``."""
    try:
        return make_certificate(puzzle, claim=claim, provers=provers, limits=limits)
    except UnknownName as error:
        with of_option("backend"):
            raise error from None
        raise


def _too_large(text: str, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the JSON fields that a certificate is too large to be sent; none if ``verify`` would take it."""
    size = sum(map(len, files.values()))
    if len(text) <= MOST_CERTIFICATE_TEXT and size <= MOST_CERTIFICATE_BYTES:
        return {}
    told = f"the certificate has {len(text):,} characters ({size:,} bytes unpacked), at most {MOST_CERTIFICATE_TEXT:,} are sent"
    return {"status": "unknown", "reason": "memory", "error": f"{told}; 'sudoku-cp prove' writes any"}


def _verify_made(certificate: Certificate, files: Mapping[str, bytes], seconds: float | None) -> dict[str, Any]:
    """Return the checker's verdict on a certificate just made; raise `WrongAnswer` if it is rejected, a defect of ours."""
    if len(certificate.puzzle.grid.cells) > MOST_CELLS_VERIFIED:
        return {}
    with TemporaryDirectory(prefix="sudoku-cp-", ignore_cleanup_errors=True) as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        report = verify_certificate(folder, seconds=seconds)
    if report.verdict == "rejected":
        raise WrongAnswer(f"expected a certificate that is verified, got: {'; '.join(report.problems)}")
    return {"verdict": report.verdict} | with_values(trusted=list(report.trusted))


def verify(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Check a certificate with the independent checker."""
    asked = Asked(body, control)
    with TemporaryDirectory(prefix="sudoku-cp-", ignore_cleanup_errors=True) as folder:
        asked.read(lambda: unpack(asked.get("certificate", ""), Path(folder)), None, "certificate")
        asked.end()
        report = verify_certificate(folder, seconds=asked.limits().seconds, trust=bool(asked.get("trust")))
    return _without_folder(report, folder)


def _without_folder(report: Report, folder: str) -> dict[str, Any]:
    """Return the report as JSON; where it names the folder of this worker, it says "the certificate"."""
    fields = report_to_json(report)
    return fields | {"problems": [problem.replace(folder, "the certificate") for problem in report.problems]}
