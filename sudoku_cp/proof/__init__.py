"""Certificates: proofs that a puzzle has one solution, none, or no given too many, and a checker that trusts nobody."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.proof.certificate import Certificate, Proof
    from sudoku_cp.proof.proving import prove
    from sudoku_cp.proof.verifying import Report, verify

__all__ = ["Certificate", "Proof", "Report", "prove", "verify"]

HOMES = {"certificate": "Certificate Proof", "proving": "prove", "verifying": "Report verify"}

__getattr__ = late(__name__, HOMES)
