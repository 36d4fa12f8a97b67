"""The generator for puzzles with clues beside, or instead of, givens: cages, lines, dots, sums outside the board."""
