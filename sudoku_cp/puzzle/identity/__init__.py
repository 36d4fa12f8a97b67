"""When two puzzles are one: symmetries, canonical forms, keys."""
