"""Puzzles with clues of their own beside, or instead of, givens: cages, lines, dots, sums outside the board."""
