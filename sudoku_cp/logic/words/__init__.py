"""Steps and proofs in words."""

from sudoku_cp.logic.words.proof_words import describe_group, describe_line
from sudoku_cp.logic.words.step_words import describe_step
from sudoku_cp.logic.words.technique_words import announce_technique

__all__ = ["announce_technique", "describe_group", "describe_line", "describe_step"]
