"""Steps and proofs in words."""

from sudoku_cp.logic.words.proof_words import describe_group
from sudoku_cp.logic.words.step_words import describe_step

__all__ = ["describe_group", "describe_step"]
