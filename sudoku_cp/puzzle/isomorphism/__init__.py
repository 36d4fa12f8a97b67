"""Isomorphism of puzzles: symmetries, canonical forms, keys."""
