"""Steps and proofs in words."""

from sudoku_cp.logic.words.proof_words import describe_group, describe_step

__all__ = ["describe_group", "describe_step"]
