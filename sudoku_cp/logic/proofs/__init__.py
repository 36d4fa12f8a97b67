"""Proofs by groups of any rules: how many groups a refutation takes, and how hard a puzzle is by that."""

from sudoku_cp.logic.proofs.refutations import Refutation, lone_refutations, smallest_refutations
from sudoku_cp.logic.proofs.rounds import ProofProfile, Round, make_rounds, next_round, proof_profile
from sudoku_cp.logic.step import Claim, ProofLine

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
