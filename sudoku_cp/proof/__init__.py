"""Certificates: proofs that a puzzle has one solution, none, or needs every given, and a checker that trusts nobody."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.proof.certificate import Certificate, Proof
    from sudoku_cp.proof.certification import prove
    from sudoku_cp.proof.verification import Report, verify

__all__ = ["Certificate", "Proof", "Report", "prove", "verify"]

HOMES = {"certificate": "Certificate Proof", "certification": "prove", "verification": "Report verify"}

__getattr__ = late(__name__, HOMES)
