"""Certificates: proofs that a puzzle has one solution, none, or needs every given, and an independent checker."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.proof.certificate import Certificate, Proof, prove
    from sudoku_cp.proof.prover import Report, verify

__all__ = ["Certificate", "Proof", "Report", "prove", "verify"]

EXPORTS = {
    "certificate": "Certificate Proof prove",
    "prover": "Report verify",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
