"""Proofs by groups of any rules: how many groups a refutation takes, and how hard a puzzle is by that."""

from sudoku_cp.logic.proofs.proof_lines import Claim, ProofLine
from sudoku_cp.logic.proofs.refutations import Refutation, lone_refutations, smallest_refutations
from sudoku_cp.logic.proofs.rounds import ProofProfile, Round, make_rounds, next_round, proof_profile

__all__ = [
    "Claim",
    "ProofLine",
    "ProofProfile",
    "Refutation",
    "Round",
    "lone_refutations",
    "make_rounds",
    "next_round",
    "proof_profile",
    "smallest_refutations",
]
