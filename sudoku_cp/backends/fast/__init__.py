"""The engine ``fast`` for plain grids: big integers for one puzzle, vector lanes for many."""
