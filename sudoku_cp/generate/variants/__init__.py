"""The generator for puzzles with clues in addition to, or instead of, givens: cages, lines, dots, sums outside the board."""
