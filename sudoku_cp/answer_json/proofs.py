"""Certificates, what refutes a claim, and the checker's reports as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import cell_names, with_values
from sudoku_cp.puzzle import solution_to_short_json

if TYPE_CHECKING:
    from sudoku_cp.errors import NotProved
    from sudoku_cp.proof import Certificate, Report
    from sudoku_cp.puzzle import Puzzle


def certificate_to_json(certificate: Certificate) -> dict[str, Any]:
    """Return the JSON fields of a certificate: its claim, the solution, and its proofs."""
    proofs = [{"prover": proof.prover, "lemmas": proof.lemmas, "file": proof.file} for proof in certificate.proofs]
    solution = (
        {} if certificate.solution is None else {"solution": solution_to_short_json(certificate.puzzle, certificate.solution)}
    )
    return {"claim": certificate.claim} | solution | {"proofs": proofs}


def refutation_to_json(puzzle: Puzzle, error: NotProved) -> dict[str, Any]:
    """Return the JSON fields of what refutes the claim."""
    solutions = [solution_to_short_json(puzzle, solution) for solution in error.solutions]
    return with_values(solutions=solutions, unnecessary=cell_names(puzzle, error.unnecessary))


def report_to_json(report: Report) -> dict[str, Any]:
    """Return the JSON fields of the checker's report."""
    return {name: getattr(report, name) for name in ("verdict", "claim", "problems", "trusted", "facts")}
